"""A fault of the program on the local screen: what is told of it, and where."""

from contextlib import suppress
from pathlib import Path

import pytest
from textual.worker import WorkerFailed

from brt_cg import __version__
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.rooms.forces.screen import ForcesScreen
from brt_cg.tui.session.campaign_app import REPORTED
from tests.reading import is_its_owners_only
from tests.tui.moments import opened

SECRET = "j-cr-7 is hidden in D55"


@pytest.mark.parametrize("in_a_worker", [False, True])
async def test_a_crash_is_reported_in_one_line_and_its_report_is_private(
    demo_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    in_a_worker: bool,
) -> None:
    def fails(*_: object) -> None:
        held = SECRET
        raise ValueError(held)

    before = demo_file.read_bytes()
    with suppress(ValueError, WorkerFailed):  # the pilot raises it too
        async with opened(demo_file, Side.MARINE) as (app, pilot):
            if in_a_worker:
                app.perform(fails)
            else:
                monkeypatch.setattr(ForcesScreen, "catch_up", fails)
                await pilot.press("f")
            await pilot.pause()
    told = capsys.readouterr().err
    assert told.count("\n") == 1, told
    assert "ValueError" in told
    [report] = (tmp_path / "home").rglob("fault.txt")
    assert told.rstrip("\n").endswith(f"{REPORTED} {report}")
    assert report.read_text("utf-8").startswith(f"brt-cg {__version__}, Python 3.")
    assert is_its_owners_only(report)
    assert "in fails" in report.read_text("utf-8")
    assert SECRET not in told + report.read_text("utf-8")
    assert demo_file.read_bytes() == before
    OpenCampaign.open(demo_file).close()


async def test_an_error_of_a_file_is_shown_with_its_path_as_it_was_typed(demo_file: Path) -> None:
    async with opened(demo_file, notifications=True) as (app, pilot):
        app.report_error(PermissionError(13, "Permission denied", "C:\\games\\t.brt"))
        await pilot.pause()
        [notice] = app._notifications
        assert notice.message == "C:\\games\\t.brt: Permission denied"
