"""Where a counter is, is told by one function: rosters, Forces and the Dashboard agree."""

from typing import Any

import pytest

from brt_cg.commands.difference import with_names
from brt_cg.exports.setup_pages import list_roster_pages
from brt_cg.exports.tally import place_tallies
from brt_cg.exports.wording import field_texts
from brt_cg.model import changes_between
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.setup_areas import PlaceKind
from brt_cg.refit.moves import is_in_friendly_area
from brt_cg.refit.selection import friendly_units_retained_with
from brt_cg.tui.lists.groups import group_counters
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    fort,
    japanese_squad,
    marine_squad,
    vehicle,
)

AREAS = {"M1": "N18-N21", "J1": "N22-N25"}


def told(counter: Any, *others: Any, **facts: Any) -> tuple[str, ...]:
    """The place of a counter in each room."""
    view: Campaign = campaign(counter, *others, areas=AREAS, **facts)
    page = next(one for one in list_roster_pages(view) if counter in [*one.units, *one.vehicles])
    group = next(one for one in group_counters(view) if counter.id in [row.id for row in one.rows])
    (tally,) = [tally for tally in place_tallies(view, counter.side) if any(tally.figures())]
    return page.name, group.place.removeprefix("Area "), tally.place


@pytest.mark.parametrize(
    ("counter", "places"),
    [
        (marine_squad("m", None, setup_area="M1"), ("M1", "M1", "M1")),
        (marine_squad("m", "N19"), ("M1", "M1", "M1")),
        (marine_squad("m", "off_map"), ("off_map", "Off map", "Off map")),
        (marine_squad("m", "A1"), ("elsewhere", "On map", "On map")),
        (japanese_squad("j", "N19", isolated=True), ("N19", "Isolated", "Isolated")),
        (japanese_squad("j", "N19", status="unarmed"), ("M1", "M1", "M1")),
        (vehicle("t", "N19", "Type 95 HA-GO", JAPANESE), ("M1", "M1", "M1")),
    ],
)
def test_every_room_shows_the_same_location(counter: Any, places: tuple[str, ...]) -> None:
    assert told(counter.clone()) == places


def test_a_counter_inside_an_enemy_area_is_in_no_friendly_area() -> None:
    lost = japanese_squad("j", "N19", status="unarmed")
    table = campaign(lost, areas=AREAS)
    found = table.whereabouts(lost)
    assert (found.kind, found.name, table.retained_place(lost)) == (PlaceKind.AREA, "M1", "M1")
    assert found.area is not None
    assert found.area.side is Side.MARINE
    assert not is_in_friendly_area(table, lost)


@pytest.mark.parametrize(
    ("how", "page"),
    [
        ({}, ("M1", MARINE)),
        ({"hidden": True}, ("elsewhere", JAPANESE)),
        ({"hidden": True, "exit": "N22"}, ("J1", JAPANESE)),
    ],
)
def test_hidden_counters_are_on_no_page_of_the_enemy(how: Any, page: tuple[str, Side]) -> None:
    tunnel = fort("t", "N19", "tunnel", **how)
    (found,) = (
        one
        for one in list_roster_pages(campaign(tunnel, areas=AREAS))
        if tunnel in one.fortifications
    )
    assert (found.name, found.side) == page


def test_a_prisoner_is_in_his_guards_location() -> None:
    held = japanese_squad("j", None, status="prisoner", guard="m")
    table = campaign(held, marine_squad("m", None, setup_area="M1"), areas=AREAS)
    assert table.whereabouts(held).name == table.retained_place(held) == "M1"


def test_a_prisoner_of_an_isolated_guard_is_not_isolated_himself() -> None:
    guard = japanese_squad("j", "N19", isolated=True, recorded_location="N19")
    table = campaign(guard, marine_squad("m", None, status="prisoner", guard="j"), areas=AREAS)
    assert [*table.isolated_unit_locations()] == [("N19", Side.JAPANESE)]


def test_a_manned_vehicle_is_isolated_too() -> None:
    tank = vehicle("t", "N19", side=Side.JAPANESE, isolated=True, recorded_location="N19")
    wreck = vehicle("w", "N20", side=Side.JAPANESE, isolated=True, status="wreck")
    table = campaign(tank, wreck, areas=AREAS)
    assert [*table.isolated_unit_locations()] == [("N19", Side.JAPANESE)]


def test_isolated_units_have_no_area_if_isolated_locations_are_not_areas() -> None:
    lone = japanese_squad("j", "N19", isolated=True, recorded_location="N19")
    ruled = {"R-ISOLATED-AREA": "no"}
    assert campaign(lone, areas=AREAS).retained_place(lone) == "N19"
    assert campaign(lone, areas=AREAS, rulings=ruled).retained_place(lone) is None


def test_the_front_moves_with_the_setup_areas() -> None:
    table = campaign(areas=AREAS)
    assert table.front_hexes(MARINE) == {"N21"}
    table.areas["J1"].hexes = ("N24", "N25")
    assert table.front_hexes(MARINE) == frozenset()
    table.areas["M1"].hexes = ("N22", "N23")
    assert (table.front_hexes(MARINE), table.front_hexes(JAPANESE)) == ({"N23"}, {"N24"})


def test_units_grouped_by_area_change_with_the_setup_areas() -> None:
    stays, goes = marine_squad("m1", "N19"), marine_squad("m2", "N21")
    table = campaign(stays, goes, areas=AREAS)
    assert friendly_units_retained_with(table, stays) == [stays, goes]
    table.areas["M1"].hexes = ("N18", "N19")
    assert friendly_units_retained_with(table, stays) == [stays]


def test_units_and_manned_vehicles_are_isolated_in_a_location_but_no_prisoner() -> None:
    guard = marine_squad("m", "N23", isolated=True)
    held = japanese_squad("j", "N23", isolated=True, status="prisoner", guard="m")
    empty = vehicle("t1", "N24", isolated=True, status="abandoned", inherent_crew=False)
    view = campaign(guard, held, empty, vehicle("t2", "N25", isolated=True), areas=AREAS)
    assert [*view.isolated_unit_locations()] == [("N23", MARINE), ("N25", MARINE)]


def test_the_hex_that_stands_for_an_area_is_not_shown() -> None:
    """Set up on the table, a counter has no hex that anybody named."""
    was, now = marine_squad("m", "in N19"), marine_squad("m", "N19")
    before, after = campaign(was, areas=AREAS), campaign(now, areas=AREAS)
    assert dict(field_texts(before, was))["Location"] == "on the table, Area M1"
    (change,) = changes_between(was, now)
    (back,) = changes_between(now, was)
    assert str(with_names(change, before, after)) == "Location Area M1 → N19"
    assert str(with_names(back, after, before)) == "Location N19 → Area M1"
