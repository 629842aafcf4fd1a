"""The legend explains what the map draws now."""

import pytest

from brt_cg.board.locations import TerrainType
from brt_cg.model.counters import Side
from brt_cg.model.records import Area
from brt_cg.tui.look.depth import Depth
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map import colours
from brt_cg.tui.map.drawing import FRONT, Drawing
from brt_cg.tui.map.layouts import LAYOUTS, OVERVIEW, TALL, WORKING, MapLayout
from brt_cg.tui.map.map_room import legend
from brt_cg.tui.map.sheet import MapSheet
from tests.tui.map.test_map_drawing import HEXES, sheet

EMPTY = MapSheet({}, {})
PAGE, FRAME = 34, 74  # the cells of the page beside the map, and below it in the smallest terminal


def told(drawing: Drawing, width: int = PAGE) -> str:
    return legend(drawing, width, "painted", width == PAGE).plain


def test_the_overview_has_no_names_so_no_front_line_beside_them() -> None:
    assert FRONT not in told(Drawing(EMPTY, OVERVIEW))
    assert f"{FRONT} Front Line" in told(Drawing(EMPTY, WORKING))


def test_property_is_explained_where_there_is_room_to_draw_it() -> None:
    assert "pillbox" not in told(Drawing(EMPTY, OVERVIEW))
    assert "P pillbox" in told(Drawing(EMPTY, TALL))


@pytest.mark.parametrize("depth", list(Depth))
def test_a_sides_land_is_drawn_as_on_the_map(depth: Depth) -> None:
    shown = told(Drawing(EMPTY, WORKING, depth))
    assert all(f"{colours.SIGNS[side]} {side.label} land" in shown for side in Side)


def test_with_few_colours_only_terrain_that_is_seen_is_explained() -> None:
    """A side's sign takes the place of that of its terrain."""
    held = sheet(areas=(Area(id="J1", side=Side.JAPANESE, hexes=tuple(HEXES)),))
    for depth in (Depth.OF_16, Depth.NONE):
        shown = [told(Drawing(on, WORKING, depth)) for on in (sheet(), held)]
        assert [f"{colours.SIGNS[TerrainType.BEACH]} Beach" in one for one in shown] == [
            True,
            False,
        ]
    assert "Beach" in told(Drawing(held, WORKING))


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_first_row_names_both_sides_and_why_hexes_are_marked(
    layout: MapLayout, depth: Depth
) -> None:
    """In the smallest terminal no more may be seen beside a long question."""
    some = frozenset({"N21"})
    for marked in ({}, {"marked": some}):
        rows = told(Drawing(EMPTY, layout, depth, **marked), FRAME).split("\n")
        assert all(len(row) <= FRAME for row in rows)
        assert all(f"{sign} {side.label}" in rows[0] for side, sign in SIGNS.items())
        assert ("+ painted" in rows[0]) == bool(marked)
    assert "arc" in told(Drawing(EMPTY, layout, depth, drawn=some))
