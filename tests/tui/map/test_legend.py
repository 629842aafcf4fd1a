"""The legend explains what the map draws now."""

from functools import cache

import pytest

from brt_cg.model.counters import Side, Weapon, WeaponKind
from brt_cg.model.records import Area
from brt_cg.tui.look.depth import ColorDepth
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map import colors
from brt_cg.tui.map.drawing import FRONT, Drawing
from brt_cg.tui.map.layouts import ISLAND, LAYOUTS, OVERVIEW, SQUARE, WORKING, MapLayout
from brt_cg.tui.map.map_room import legend_content
from brt_cg.tui.map.sheet import MapSheet
from tests.tui.map.test_map_drawing import HEXES, sheet, squad

PAGE, FRAME = 34, 74  # the cells of the page beside the map, and below it in the smallest terminal


def told(drawing: Drawing, width: int = PAGE) -> str:
    return legend_content([drawing], width, "painted", width == PAGE).plain


@cache
def full() -> MapSheet:
    """A map with all that a legend may tell: land, units and property of both sides, the front, who
    is Isolated, and a contested hex."""
    gun, box = (
        Weapon(id=id, side=side, nation=side, kind=WeaponKind.GUN, type="37", location=where)
        for id, side, where in (("g", Side.MARINE, "N30"), ("h", Side.JAPANESE, "M40"))
    )
    alone = squad("a", Side.MARINE, "E4")
    alone.isolated, alone.recorded_location = True, "E4"
    others = (squad("b", Side.MARINE, "N21"), squad("c", Side.JAPANESE, "N21"))
    areas = (
        Area(id="J1", side=Side.JAPANESE, hexes=("M40", "N22", "N23")),
        Area(id="M1", side=Side.MARINE, hexes=("N21", "N30")),
    )
    return sheet(gun, box, alone, *others, areas=areas)


def test_the_overview_legend_has_no_names_and_no_front_line() -> None:
    assert FRONT not in told(Drawing(full(), OVERVIEW))
    assert f"{FRONT} Front Line" in told(Drawing(full(), WORKING))


def test_equipment_without_units_is_explained_where_it_is_drawn() -> None:
    assert "Gun" not in told(Drawing(full(), OVERVIEW))
    assert "G Gun" in told(Drawing(full(), SQUARE))
    assert "no units, only property" in told(Drawing(full(), SQUARE))


@pytest.mark.parametrize("depth", list(ColorDepth))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_only_marks_shown_on_the_map_are_explained(layout: MapLayout, depth: ColorDepth) -> None:
    shown = told(Drawing(sheet(), layout, depth))
    wrong = ("Marine", "Japanese", "contested", "Isolated", "Gun", "property", "Front Line")
    assert not any(word in shown for word in wrong)
    held = sheet(areas=(Area(id="J1", side=Side.JAPANESE, hexes=tuple(HEXES)),))
    shown = told(Drawing(held, layout, depth))
    assert "Japanese land" in shown
    assert not any(word in shown for word in ("Marine", "Ocean", "Beach", "pier"))


@pytest.mark.parametrize("depth", [ColorDepth.FULL, ColorDepth.OF_256])
def test_colors_that_mark_isolated_or_contested_hexes_are_explained(
    depth: ColorDepth,
) -> None:
    small, working = Drawing(full(), ISLAND, depth), Drawing(full(), WORKING, depth)
    assert "  contested" in told(small)
    assert "  Marine Isolated" in told(small)
    assert "Japanese Isolated" not in told(small)
    assert "Marine Isolated" not in told(working)
    assert "  Marine Isolated" in legend_content([working, small], PAGE, "painted", True).plain


@pytest.mark.parametrize("depth", list(ColorDepth))
def test_a_sides_land_is_drawn_as_on_the_map(depth: ColorDepth) -> None:
    shown = told(Drawing(full(), WORKING, depth))
    assert all(f"{colors.SIGNS[side]} {side.label} land" in shown for side in Side)


def test_only_visible_terrain_is_explained() -> None:
    """A side's ground or sign takes the place of that of its terrain."""
    held = sheet(areas=(Area(id="J1", side=Side.JAPANESE, hexes=tuple(HEXES)),))
    for depth in ColorDepth:
        shown = [told(Drawing(on, WORKING, depth)) for on in (sheet(), held)]
        assert ["Beach" in one for one in shown] == [True, False]


@pytest.mark.parametrize("depth", list(ColorDepth))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_first_row_of_the_legend_names_both_sides_and_the_marks(
    layout: MapLayout, depth: ColorDepth
) -> None:
    """In the smallest terminal no more may be seen beside a long question."""
    some = frozenset({"N21"})
    for marked in ({}, {"marked": some}):
        rows = told(Drawing(full(), layout, depth, **marked), FRAME).split("\n")
        assert all(len(row) <= FRAME for row in rows)
        assert all(f" {side.label}" in rows[0] for side in SIGNS)
        assert ("painted" in rows[0]) == bool(marked)
    assert "Covered Arc" in told(Drawing(full(), layout, depth, drawn=some))
