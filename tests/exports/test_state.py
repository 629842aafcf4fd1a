"""The state document: every field, sorted, and the same state when it comes back in."""

import json
from pathlib import Path
from typing import Any

import pytest

from brt_cg.commands.state_document import FIELDS
from brt_cg.exports import export_document
from brt_cg.imports.state_file import read_csv_folder
from brt_cg.journal.journal import Journal
from brt_cg.refit.sequence import NUMBERS
from brt_cg.views.view import create_view
from tests.exports.journals import (
    MARINE,
    begun,
    demo,
    new,
    play,
    squad,
    state,
    take_in,
)

LISTS = ("units", "weapons", "vehicles", "fortifications", "terrain")
HIDDEN = squad("j-sq-1", "M40", status=["hidden"])


def exported(journal: Journal) -> dict[str, Any]:
    text = export_document(create_view(journal), "state", "json")
    assert isinstance(text, str)
    found: dict[str, Any] = json.loads(text)
    return found


def test_an_empty_campaign_has_every_list() -> None:
    found = exported(new())
    assert (found["format"], found["version"]) == ("brt-cg/state", 1)
    assert found["scenario"] == {"date": "20 AM", "winner": None, "moved_first": None}
    facts = {"massacre": False, "nights_without_scenario": 0, "pillbox_vp": 0}
    assert found["facts"] == facts
    assert [found[name] for name in LISTS] == [[]] * 5
    assert found["perimeters"] == []


def test_every_field_of_the_contract_is_written() -> None:
    found = exported(demo())
    for name, fields in FIELDS.items():
        assert found[name]
        for counter in found[name]:
            assert set(counter) == set(fields)


def test_absent_values_are_null_and_empty_lists_are_lists() -> None:
    [unit] = exported(begun(squad("m-sq-1", "N19")))["units"]
    assert (unit["name"], unit["aboard"], unit["setup_area"]) == (None, None, None)
    assert (unit["status"], unit["traits"]) == ([], [])
    assert (unit["fate"], unit["class"], unit["strength"]) == ("in_play", "elite", "full")


def test_counters_are_sorted_by_id() -> None:
    units = [squad(id, "N19") for id in ("m-sq-9", "m-sq-10", "m-sq-2")]
    ids = [one["id"] for one in exported(begun(*units))["units"]]
    assert ids == ["m-sq-10", "m-sq-2", "m-sq-9"]


def test_each_counter_has_a_line() -> None:
    text = export_document(
        create_view(begun(squad("m-sq-1", "N19"), squad("m-sq-2", "N20"))), "state", "json"
    )
    assert isinstance(text, str)
    assert sum(line.startswith('    {"id": ') for line in text.splitlines()) == 2


@pytest.mark.parametrize("through", NUMBERS)
def test_a_state_is_imported_unchanged_into_a_new_campaign(through: str) -> None:
    units = [
        squad("m-sq-1", "N19"),
        squad("j-sq-1", "N20", status=["concealed"]),
        squad("j-ldr-1", "M40", type="9-1", status=["wounded"], name="Mori"),
        HIDDEN | {"id": "j-sq-2"},
        squad("m-sq-2", "off_map"),
    ]
    before = exported(play(begun(*units), through=through))
    assert exported(take_in(new(), before)) == before


def test_the_demo_round_trips_unchanged() -> None:
    before = exported(demo())
    assert exported(take_in(new(), before)) == before


def test_a_csv_folder_round_trips_unchanged(tmp_path: Path) -> None:
    files = export_document(create_view(demo()), "state", "csv")
    assert isinstance(files, dict)
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    back = take_in(new(), read_csv_folder(tmp_path).document)
    assert exported(back) == exported(demo())


def test_csv_has_a_file_for_each_table_and_empty_cells_for_null() -> None:
    files = export_document(
        create_view(begun(squad("m-sq-1", "N19", status=["cx", "ti"]))), "state", "csv"
    )
    assert isinstance(files, dict)
    assert {"scenario.csv", "sides.csv", "perimeters.csv", "units.csv", "terrain.csv"} <= set(files)
    assert files["scenario.csv"] == "date,winner,moved_first\n20 AM,marine,marine\n"
    assert files["perimeters.csv"] == "perimeter,hexes\n1,M18-M21 N18-N21\n"
    header, row = files["units.csv"].splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert (cells["id"], cells["status"], cells["name"]) == ("m-sq-1", "cx ti", "")
    assert cells["isolated"] == "false"


# --- what a side may know -------------------------------------------------------------------------


def test_an_unplayed_scenario_has_no_winner_but_a_first_mover() -> None:
    played = play(take_in(new(), state(squad("m-sq-1", "N19"), date="20 PM")))
    situation = played.campaign.situation
    assert (situation.phase, situation.date) == ("scenario", "21 AM")
    assert exported(played)["scenario"] == {
        "date": "21 AM",
        "winner": None,
        "moved_first": "japanese",
    }


@pytest.mark.parametrize(("ruling", "then"), [("scenario", 0), ("campaign", 3)])
def test_pillbox_vp_of_one_scenario_do_not_count_in_the_next(ruling: str, then: int) -> None:
    journal = take_in(new(), state(squad("m-sq-1", "N19"), facts={"pillbox_vp": 3}))
    journal.run_command("ruling", {"id": "R-VP", "value": ruling}, "players")
    assert exported(journal)["facts"]["pillbox_vp"] == 3
    assert exported(play(journal))["facts"]["pillbox_vp"] == then


def test_markdown_names_the_seat_of_its_view() -> None:
    found = take_in(new(), state(squad("m-sq-1", "N19")))
    assert "Umpire's view: both sides' secrets*" in str(
        export_document(create_view(found), "state", "md")
    )
    assert "The Marine player's view*" in str(
        export_document(create_view(found, MARINE), "state", "md")
    )
