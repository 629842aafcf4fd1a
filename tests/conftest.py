"""What every test runs under: Hypothesis at the chosen effort, subprocesses in this checkout."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.cli.shell import Shell, shell
from tests.settings import EFFORT, count

CHECKOUT = Path(__file__).parents[1]

# Drawing whole campaigns is slow on a busy machine, and that says nothing about the rules.
settings.register_profile(
    EFFORT,
    max_examples=count(25, 500),
    stateful_step_count=count(15, 50),
    derandomize=EFFORT == "ci",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(EFFORT)

# `python -m brt_cg` started by a test, in whatever folder, is this checkout too.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]
)


@pytest.fixture(scope="session", autouse=True)
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever the program remembers between runs, it remembers away from the player's own."""
    home = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", home)
        yield


@pytest.fixture
def brt(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """Runs a command in an empty folder, tmp_path."""
    monkeypatch.chdir(tmp_path)
    return shell(capsys, tmp_path)
