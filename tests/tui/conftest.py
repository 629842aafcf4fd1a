"""The demo campaign for each test of the screen, copied from one that is laid out once."""

import shutil
from pathlib import Path

import pytest
from textual import _wait

from brt_cg import demo


@pytest.fixture(scope="session")
def _laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo.lay_out(tmp_path_factory.mktemp("demo"))


@pytest.fixture
def demo_file(_laid_out: Path, tmp_path: Path) -> Path:
    """A file with the demo campaign, at the start of its Refit Phase."""
    return Path(shutil.copy(_laid_out, tmp_path / "demo.brt"))


@pytest.fixture(autouse=True)
def _short_naps(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each key a pilot naps until the app is idle: short naps, as idle as before."""
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", _wait.SLEEP_GRANULARITY / 5)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", _wait.SLEEP_IDLE / 5)


@pytest.fixture(autouse=True)
def _fresh_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No recent campaigns, no own keys, no theme from another test; colours as always."""
    for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("NO_COLOR", raising=False)
