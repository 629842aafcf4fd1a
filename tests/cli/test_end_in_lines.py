"""The end of a scenario in lines of codes at the command line."""

import shutil
from io import StringIO
from pathlib import Path

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.cli.shell import Shell
from tests.imports.ends import FORTY, coded, told
from tests.imports.test_scenario_end import enter
from tests.tui.moments import played


@pytest.fixture
def file(demo_file: Path) -> Path:
    return played(demo_file, None)


def line(file: Path, words: str, seat: Side | None = None) -> str:
    desk = OpenCampaign.open_read_only(file)
    typed = coded(told(desk, seat=seat), words)
    desk.close()
    return typed


def test_forty_changes_from_a_file_equal_those_of_the_screen(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_form = enter(OpenCampaign.open(Path(shutil.copy(file, file.with_name("form.brt")))))
    monkeypatch.setattr("sys.stdin", StringIO(line(file, FORTY.read_text("utf-8"))))
    got = brt("end", file, "-", "--free", "all", "--yes")
    assert got.code == 0
    found, wanted = (
        build_state_document(unrestricted_campaign(OpenCampaign.open(file)).campaign),
        build_state_document(by_form),
    )
    assert found["scenario"].pop("winner") is None, "15.6032 asks who won"
    wanted["scenario"].pop("winner")
    assert found == wanted


def test_a_preview_stores_nothing(brt: Shell, file: Path) -> None:
    before = file.read_bytes()
    got = brt("end", file, line(file, "x{m-sq-8} q35 {m-sq-17}"), "--preview")
    assert (got.code, file.read_bytes()) == (0, before)
    assert "7-6-8 squad no. 5, Area M1: in play → eliminated" in got.out
    assert "counters without a hex (none needed)" in got.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("x11a b{m-sq-8}", "x11a: 11? write a code like 4a"),
        ("d4", "D4: who?"),
        ("c{j-lab-2}", "captured by which unit? Write c"),
        ("d14 {m-sq-17}", "if this is right, add --yes"),
    ],
)
def test_a_wrong_or_doubtful_line_stores_nothing(
    brt: Shell, file: Path, words: str, why: str
) -> None:
    before = file.read_bytes()
    got = brt("end", file, line(file, words))
    assert (got.code, file.read_bytes()) == (2, before)
    assert why in got.err


def test_a_side_enters_its_report_by_its_own_codes(brt: Shell, file: Path) -> None:
    got = brt("end", file, line(file, "x{j-sq-7}", Side.JAPANESE), "--side", "japanese")
    assert got.code == 0
    campaign = unrestricted_campaign(OpenCampaign.open(file)).campaign
    assert not campaign.units["j-sq-7"].in_play
    assert campaign.situation.phase is Phase.REFIT
    got = brt("end", file, line(file, "x{m-sq-8}", Side.MARINE), "--side", "marine")
    assert got.code == 0
    assert not unrestricted_campaign(OpenCampaign.open(file)).campaign.units["m-sq-8"].in_play


def test_codes_stay_the_same_during_a_scenario(brt: Shell, file: Path) -> None:
    before = line(file, "{m-sq-8}{m-sq-17}{j-sq-7}")
    for id, change in (("m-sq-8", "location=N22"), ("j-sq-7", "fate=eliminated")):
        assert brt("edit", file, id, change, "--reason", "seen").code == 0
    assert line(file, "{m-sq-8}{m-sq-17}{j-sq-7}") == before


def test_a_scenario_end_outside_a_scenario_is_refused(brt: Shell, demo_file: Path) -> None:
    got = brt("end", demo_file, "x1a")
    assert (got.code, "no scenario is being played" in got.err) == (2, True)
