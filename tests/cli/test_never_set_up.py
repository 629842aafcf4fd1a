"""What was bought or Retained and never set up is still there after the next Refit Phase."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell, state, unit, written

ALLOTMENTS = '[japanese.red_one]\ngpp = 9\ncapp = "0"\nfpp = 0\n'
GUN_AND_CREW = ("pj1-1", "pj1-1-crew")


def units() -> list[dict[str, Any]]:
    """A Marine at N20, a Japanese squad in each of two places."""
    return [
        unit("m-sq-1", "marine", "squad", "N20", type="7-6-8"),
        unit("j-sq-1", "japanese", "squad", "N24", **{"class": "elite"}),
    ]


def found(brt: Shell, file: Path, *ids: str) -> list[dict[str, Any]]:
    exported = brt("export", file, "state", "--format", "json").json
    counters = [*exported["units"], *exported["weapons"]]
    return [one for id in ids for one in counters if one["id"] == id]


@pytest.fixture
def played(brt: Shell, tmp_path: Path) -> Path:
    """A Gun and its crew bought, the first scenario set up in the roster only, played, refitted."""
    (tmp_path / "points.toml").write_text(ALLOTMENTS)
    assert brt("new", "c.brt", "--cg", "III", "--allotments", "points.toml").code == 0
    bought = ("art_year38_75", "--side", "japanese", "--beach", "red_one")
    assert brt("buy", "c.brt", *bought).code == 0
    assert brt("refit", "c.brt", "--auto", "--seed", 1).code == 0
    end = written(tmp_path / "am.json", state(units=units(), weapons=[]))
    assert brt("import", "c.brt", end, "--missing", "keep", "--yes").code == 0
    assert brt("refit", "c.brt", "--auto", "--seed", 1).code == 0
    return tmp_path / "c.brt"


def test_a_gun_and_crew_never_set_up_are_retained_in_the_area_of_their_beach(
    brt: Shell, played: Path
) -> None:
    for one in found(brt, played, *GUN_AND_CREW):
        assert (one["location"], one["setup_area"], one["fate"]) == (None, "J1", "in_play")


def test_retained_units_kept_stay_retained_when_the_next_state_does_not_name_them(
    brt: Shell, played: Path, tmp_path: Path
) -> None:
    scenario = {"date": "20 PM", "winner": "marine", "moved_first": "marine"}
    everybody = units()[1:]
    end = written(tmp_path / "pm.json", state(scenario=scenario, units=everybody, weapons=[]))
    got = brt("import", played, end, "--missing", "keep", "--yes")
    assert got.code == 0, got.err
    assert brt("refit", played, "--auto", "--seed", 1).code == 0
    for one in found(brt, played, *GUN_AND_CREW):
        assert one["setup_area"] == "J1"
    assert found(brt, played, "m-sq-1")[0]["setup_area"] == "M1"
    assert brt("audit", played).code == 0


def test_a_new_campaign_adopts_units_not_set_up_in_their_area(
    brt: Shell, played: Path, tmp_path: Path
) -> None:
    exported = brt("export", played, "state", "--format", "json").json
    exported["scenario"]["winner"] = "marine"
    assert brt("new", "other.brt", "--cg", "III").code == 0
    got = brt("import", "other.brt", written(tmp_path / "export.json", exported), "--yes")
    assert got.code == 0, got.err
    assert brt("refit", "other.brt", "--auto", "--seed", 1).code == 0
    waiting = found(brt, tmp_path / "other.brt", *GUN_AND_CREW, "m-sq-1", "j-sq-1")
    assert [one["setup_area"] for one in waiting] == ["J1", "J1", "M1", "J1"]


def test_units_off_map_before_the_first_scenario_get_a_hint_for_a_location(
    brt: Shell, tmp_path: Path
) -> None:
    assert brt("new", "c.brt", "--cg", "III").code == 0
    there = unit("m-sq-1", "marine", "squad", "off_map", type="7-6-8")
    waits = {"id": "m-sq-2", "side": "marine", "kind": "squad", "type": "7-6-8", "location": None}
    arrivals = state(scenario=None, sides=None, units=[there, waits], weapons=[])
    document = {name: value for name, value in arrivals.items() if value is not None}
    assert brt("reinforce", "c.brt", written(tmp_path / "oob.json", document)).code == 0
    assert "Off map: Marine 1 (placed at a scenario's end, or now with `edit`)" in (
        brt("status", "c.brt").out
    )
    how = "placed at a scenario's end, or immediately by a correction (edit)"
    asked = brt("refit", "c.brt")
    assert f"those off map are {how}" in asked.err
    assert brt("edit", "c.brt", "m-sq-1", "location=N20", "--reason", "set up").code == 0
    assert "those off map" not in brt("refit", "c.brt").err
