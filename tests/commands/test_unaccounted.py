"""What is open before a scenario's end is stored."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.cli import main
from brt_cg.commands.import_plan import try_import
from brt_cg.commands.unaccounted import Unaccounted, find_unaccounted
from brt_cg.imports.open_places import add_locations_to_input
from brt_cg.model.campaign import Campaign
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    gun,
    japanese_squad,
    marine_squad,
    sw,
    vehicle,
)

CARD = load_card("III")
SIDE = {"san": 4, "elr": 5, "cvp": 0}
AREAS = {"M1": "N18-N21 M18-M20", "M2": "P30-P34", "J1": "N25-N40 M25-M40"}


def made() -> Campaign:
    return campaign(
        marine_squad("m1", None, setup_area="M1"),
        sw("w1", None, possessor="m1", setup_area="M1"),
        marine_squad("m2", "in P30"),
        marine_squad("m3", "N19"),
        marine_squad("m4", "P38", status="encircled"),
        japanese_squad("j1", "N30"),
        areas=AREAS,
        phase=Phase.SCENARIO,
        date="20 PM",
    )


def asked(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    state = {
        "format": "brt-cg/state",
        "version": 1,
        "scenario": {"date": "20 PM", "winner": "marine"},
        "sides": {"marine": SIDE, "japanese": SIDE},
        "perimeters": [["N18-N21", "M18-M20"], ["P30-P34"]],
        "units": [{"side": "marine", "kind": "squad", "type": "7-6-8"} | unit for unit in units],
    }
    return {"state": state, "missing": "keep", "side": None} | more


def found(*units: dict[str, Any]) -> Unaccounted:
    return find_unaccounted(made(), asked(*units), CARD)


def test_units_without_a_hex_are_listed_by_area_with_their_numbers() -> None:
    lists = {each.name: counters for each, counters in found().no_hex}
    assert {name: [(n, c.id) for n, c in those] for name, those in lists.items()} == {
        "M1": [(2, "m1"), (3, "w1")],
        "M2": [(1, "m2")],
    }


def test_a_unit_given_a_hex_or_an_area_is_accounted_for() -> None:
    given = found({"id": "m1", "location": "N20"}, {"id": "m2", "location": "in P31"})
    assert given.no_hex == []


def test_encircled_and_missing_units_are_separate_lists() -> None:
    open_ = found({"id": "m4", "location": "P38", "status": ["encircled"]})
    assert [unit.id for unit in open_.encircled] == ["m4"]
    assert [counter.id for counter in open_.missing] == ["m3", "m2", "m1", "w1", "j1"]
    assert found({"id": "m4", "location": "P38"}).encircled == []


def test_hexes_and_encirclement_are_entered_before_storing() -> None:
    settled = add_locations_to_input(made(), asked(), {"m1": "N20", "m2": "off_map"}, ["m4"])
    units = {row["id"]: row for row in settled["state"]["units"]}
    assert (units["m1"]["location"], units["m2"]["location"]) == ("N20", "off_map")
    assert units["m4"]["status"] == []
    (weapon,) = settled["state"]["weapons"]
    assert weapon["location"] == "N20"
    open_ = find_unaccounted(made(), settled, CARD)
    assert (open_.no_hex, open_.encircled) == ([], [])


def with_a_gun(hex: str = "N20") -> Campaign:
    """A crew on the table, with a SW, whose Gun is in a hex."""
    there = made()
    there.add(crew("c1", "in N18", name="Boyd"))
    there.add(gun("g1", hex, "37L AT", MARINE, possessor="c1"))
    there.add(sw("w2", "in N18", possessor="c1"))
    return there


def test_a_crew_is_in_the_hex_of_its_gun_without_a_question() -> None:
    open_ = find_unaccounted(with_a_gun(), asked(), CARD)
    assert open_.beside == {"c1": "N20"}
    assert {"c1", "w2"}.isdisjoint(one.id for _, those in open_.no_hex for _, one in those)
    assert (
        open_.assumed_with_equipment_text == "Assumed to be with their equipment: 2-2-8 Boyd in N20"
    )


@pytest.mark.parametrize(("gun_in", "beside"), [("off_map", {}), ("N21", {})])
def test_a_crew_with_two_guns_or_off_map_is_not_placed_with_a_gun(
    gun_in: str, beside: dict[str, str]
) -> None:
    there = with_a_gun(gun_in)
    if gun_in != "off_map":
        there.add(gun("g2", "N20", "37L AT", MARINE, possessor="c1"))
    assert find_unaccounted(there, asked(), CARD).beside == beside


def test_a_wreck_on_the_table_stays_in_its_area_without_a_hex() -> None:
    there = made()
    there.add(vehicle("v1", "in P30", "M4A2", setup_area="M2"))
    row = {"id": "v1", "side": "marine", "type": "M4A2", "location": None, "best_af": 8}
    given = asked()
    given["state"]["vehicles"] = [row]
    with pytest.raises(RefusedError, match="location: missing"):
        try_import(there, CARD, given)
    row["status"] = ["wreck"]
    tank = try_import(there, CARD, given).after.vehicles["v1"]
    assert (tank.location, tank.setup_area) == (None, "M2")
    assert "v1" in [
        one.id for _, those in find_unaccounted(there, given, CARD).no_hex for _, one in those
    ]


def test_a_unit_in_an_area_hex_with_both_sides_needs_its_own_hex() -> None:
    enemy = {"id": "j1", "side": "japanese", "class": "first_line", "type": None}
    with pytest.raises(
        RefusedError, match="both sides have units there; enter the hex that the counter is in"
    ):
        found({"id": "m2", "location": "in P31"}, enemy | {"location": "P31"})


def test_unaccounted_units_are_described_in_words() -> None:
    assert [*found().describe()] == [
        "3 counters have no Location:",
        "    Area M1: 2 7-6-8 m1, 3 MMG w1",
        "    Area M2: 1 7-6-8 m2",
        "1 is Encircled since setup; still Encircled? 7-6-8 m4",
    ]


def test_the_command_line_lists_unaccounted_units_and_accepts_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = OpenCampaign.create(tmp_path / "c.brt", {"cg": "III", "name": None, "allotments": None})
    squad = {"side": "marine", "kind": "squad", "type": "7-6-8", "location": "N19"}
    state = asked({"id": "m1", **squad}, {"id": "m2", **squad, "location": "P38"})["state"]
    state["scenario"] = {"date": "20 AM", "winner": "marine", "moved_first": "marine"}
    state["sides"] = {"marine": SIDE | {"cvp": 1}, "japanese": SIDE}  # so that the Marines win
    desk.run_command("import", {"state": state, "missing": None, "side": None})
    desk.close()
    place, file = str(desk.path), tmp_path / "next.json"
    assert main(["refit", place, "--auto", "--seed", "1"]) == 0
    assert main(["export", place, "state", "-o", str(file)]) == 0
    capsys.readouterr()
    assert main(["import", place, str(file), "--preview"]) == 0
    shown = capsys.readouterr().out
    assert "2 counters have no Location:" in shown
    assert "1 is Encircled since setup; still Encircled?" in shown
    settled = ["--places", "M1: in N20 m1; N19 1", "--free", "all"]
    assert main(["import", place, str(file), "--yes", *settled]) == 0
    units = unrestricted_campaign(OpenCampaign.open(desk.path)).campaign.units
    assert (units["m1"].location, units["m2"].status) == ("in N20", ())
    assert main(["import", place, str(file), "--free", "m1"]) == 2


def test_a_counter_on_paper_is_neither_missing_nor_without_a_hex() -> None:
    there = made()
    there.add(japanese_squad("j2", "in N30", status="hidden"))
    there.add(sw("w2", "in N30", side=JAPANESE, possessor="j2"))
    left = find_unaccounted(there, asked(missing=None), CARD)
    assert {"j2", "w2"}.isdisjoint(one.id for one in left.missing)
    assert "j1" in [one.id for one in left.missing]
    no_hex = [counter.id for _, counters in left.no_hex for _, counter in counters]
    assert {"j2", "w2"}.isdisjoint(no_hex)
    after = try_import(there, CARD, asked(missing="eliminated")).after
    assert (after.units["j2"].location, after.units["j2"].in_play) == ("in N30", True)
