"""The first time that a ruling of low sureness decides: what the command line asks and says."""

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import COMPLETE, Shell, answers, state, unit, written

LVT = {"id": "m-lvt-1", "side": "marine", "type": "LVT2", "location": "T30", "amphibious": True}
SQUAD = unit("m-sq-1", "marine", "squad", "N20", type="7-6-8")
ENEMY = unit("j-sq-1", "japanese", "squad", "N20", **{"class": "first_line"})
MOBILE = "R-OCEAN-MOBILE"


@pytest.fixture
def afloat(brt: Shell, tmp_path: Path) -> Path:
    """A campaign with an LVT in the Ocean, at 15.6072."""
    file = tmp_path / "afloat.brt"
    assert brt("new", file, "--cg", "III").code == 0
    given = state() | {"vehicles": [LVT]}
    assert brt("import", file, written(tmp_path / "end.json", given)).code == 0
    assert brt("refit", file, "--auto", "--seed", 1, "--through", "15.6071").code == 0
    return file


def lvt(brt: Shell, file: Path) -> dict[str, Any]:
    found: list[dict[str, Any]] = brt("export", file, "state").json["vehicles"]
    return found[0]


def test_refit_stops_and_names_the_ruling_with_its_options(brt: Shell, afloat: Path) -> None:
    got = brt("refit", afloat)
    assert got.code == 3
    assert f"15.6072 {MOBILE}" in got.err
    asks = brt("status", afloat, "--json").json["asks"]
    assert (asks["rule"], asks["subject"], asks["kind"]) == ("15.6072", MOBILE, "choice")
    assert asks["allowed"] == ["isolated", "nearest", "stay"]
    for side in ("marine", "japanese"):
        shown = brt("status", afloat, "--json", "--side", side).json["asks"]
        assert shown["subject"] == MOBILE


def test_a_ruling_answer_is_kept_and_can_be_undone(brt: Shell, afloat: Path) -> None:
    assert "(you will be asked the first time it matters)" in brt("rulings", afloat).out
    brt("refit", afloat)
    got = brt("answer", afloat, "nearest")
    assert got.code == 0
    assert "Settled for this campaign: they are Retained" in got.out
    assert "nearest (default isolated)" in brt("rulings", afloat).out
    assert "nearest" in brt("explain", afloat, MOBILE).out
    assert brt("undo", afloat).code == 0
    assert brt("status", afloat, "--json").json["asks"]["subject"] == MOBILE
    assert brt("answer", afloat, "isolated").code == 0
    assert lvt(brt, afloat)["isolated"] is True
    assert brt("audit", afloat).code == 0


def test_an_invalid_ruling_value_is_refused(brt: Shell, afloat: Path) -> None:
    brt("refit", afloat)
    got = brt("answer", afloat, "sunk")
    assert got.code == 2
    assert "isolated, nearest, stay" in got.err


def test_auto_takes_the_default_and_says_so(brt: Shell, afloat: Path) -> None:
    got = brt("refit", afloat, "--auto", "--seed", 1, "--through", "15.6072")
    assert got.code == 0
    assert (
        "Settled for this campaign, by default: they are Isolated (ruling R-OCEAN-MOBILE)"
        in got.out
    )
    assert "(you will be asked the first time it matters)" not in [
        line for line in brt("rulings", afloat).out.splitlines() if line.startswith(MOBILE)
    ]


def test_an_answers_file_gives_the_ruling_under_its_paragraph(
    brt: Shell, afloat: Path, tmp_path: Path
) -> None:
    silent = written(tmp_path / "silent.json", answers())
    got = brt("refit", afloat, "--answers", silent, "--through", "15.6072")
    assert got.code == 3  # what may cost units is not taken for granted
    given = written(tmp_path / "given.json", answers(choices={"15.6072": {MOBILE: "nearest"}}))
    assert brt("refit", afloat, "--answers", given, "--through", "15.6081").code == 0
    assert (lvt(brt, afloat)["isolated"], lvt(brt, afloat)["setup_area"]) == (False, "M1")


def test_rulings_missing_in_an_answers_file_take_their_default(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    given = copy.deepcopy(COMPLETE)
    given["rolls"]["15.6112"]["m-ldr-1"] = [6]
    got = brt("refit", file, "--answers", written(tmp_path / "a.json", given))
    assert got.code == 0, got.err
    assert "(ruling R-CVP-REFIT" in got.out
    assert "Settled for this campaign, by default: " in got.out


def test_a_ruling_agreed_beforehand_is_not_asked_about(brt: Shell, afloat: Path) -> None:
    assert brt("rulings", afloat, "--set", f"{MOBILE}=isolated").code == 0
    assert brt("refit", afloat, "--through", "15.6072").code == 0
    assert lvt(brt, afloat)["isolated"] is True


def test_a_ruling_newer_than_the_campaign_is_not_announced(brt: Shell, tmp_path: Path) -> None:
    file = tmp_path / "kept.brt"
    file.write_bytes((Path(__file__).parents[1] / "storage" / "files" / "0002.brt").read_bytes())
    shown = brt("rulings", file).out.splitlines()
    (newer,) = (line for line in shown if line.startswith("R-MANNED-PILLBOX"))
    assert newer.endswith("in its hex?: inside")


def test_at_15_601_the_ruling_is_listed_with_the_rounds(brt: Shell, tmp_path: Path) -> None:
    melee = state() | {"units": [SQUAD, ENEMY], "weapons": []}
    file = tmp_path / "melee.brt"
    brt("new", file, "--cg", "III")
    assert brt("import", file, written(tmp_path / "melee.json", melee)).code == 0
    choices = {"15.601": {"R-CVP-REFIT": "none", "N20": [{"eliminated": ["j-sq-1"]}]}}
    given = written(tmp_path / "a.json", answers(choices=choices))
    got = brt("refit", file, "--answers", given, "--through", "15.601")
    assert (got.code, got.err) == (0, "")
    settled = "Settled for this campaign: only those of a Massacre (ruling R-CVP-REFIT)"
    assert settled in got.out
    assert brt("status", file, "--json").json["cvp"] == {"marine": 9, "japanese": 6}
