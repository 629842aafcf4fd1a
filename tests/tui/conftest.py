"""What each test of the screen begins with, and how time passes in it."""

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import pytest
from textual._styles_cache import StylesCache

from brt_cg.service.open_campaign import OpenCampaign
from tests.homes import set_documents, set_home
from tests.settings import EFFORT
from tests.tui import clock
from tests.tui.moments import played

HERE = Path(__file__).parent


@pytest.fixture
def at_setup(demo_file: Path) -> Path:
    """The demo at the Marine setup of 15.6202."""
    return played(demo_file, "15.6201")


@pytest.fixture
def new_file(tmp_path: Path) -> Path:
    """A new campaign, of which nothing has been entered."""
    path = tmp_path / "new.brt"
    OpenCampaign.create(path, {"cg": "III"}).close()
    return path


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Time is skipped, except where it is to be real."""
    return {"real": clock.RealLoop} if _is_real(item) else {"skipping": clock.Loop}


def _is_real(item: pytest.Item) -> bool:
    """Whether time passes as on the wall: in a test that is marked so, and wherever Textual is left
    as it is."""
    return clock.AS_IT_IS > 0 or item.get_closest_marker("real_time") is not None


def _may_be_real(item: pytest.Item) -> bool:
    return item.path.name != "test_frames.py" and item.get_closest_marker("each_frame") is None


def _is_its_turn(item: pytest.Item) -> bool:
    """Whether it is one of the tests that run as Textual is: its name alone decides that, so that a
    test more does not choose others."""
    return crc32(item.nodeid.encode()) % clock.AS_IT_IS == 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where Textual is left as it is, some tests are enough; those of the clock need the clock."""
    if clock.AS_IT_IS:
        of_the_screen = [one for one in items if HERE in one.path.parents]
        kept = {one for one in of_the_screen if _may_be_real(one) and _is_its_turn(one)}
        items[:] = [one for one in items if one not in of_the_screen or one in kept]


@pytest.fixture(autouse=True)
def _no_waiting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each key a pilot waits until the app is at rest, and no longer."""
    if _is_real(request.node):
        clock.take_time(monkeypatch)
        return
    marked = request.node.get_closest_marker("each_frame") is not None
    clock.skip_time(monkeypatch, draws_each_frame=marked or EFFORT == "full")


@pytest.fixture(autouse=True)
def _no_garbage() -> Iterator[None]:
    """An app that has ended is found while it is young, and alone; Textual would keep what its last
    widgets looked like."""
    yield
    StylesCache.get_inner_outer.cache_clear()
    gc.collect(0)


@pytest.fixture(autouse=True)
def _fresh_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No recent campaigns, no own keys, no theme from another test; colours as always, and all
    symbols, on Windows too. What a desk remembers when its app has ended belongs to this test, not
    to the next one."""
    set_home(monkeypatch, tmp_path / "home")
    set_documents(monkeypatch, tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("WT_SESSION", "1")
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("desk"):
            thread.join(clock.LONGEST)
