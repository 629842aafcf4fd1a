"""The legend explains what the map draws now."""

import pytest

from brt_cg.model.counters import Side
from brt_cg.tui.look.depth import Depth
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map import colours
from brt_cg.tui.map.drawing import FRONT, Drawing
from brt_cg.tui.map.layouts import OVERVIEW, WORKING, ZOOMS, MapLayout
from brt_cg.tui.map.legend import in_short, legend
from brt_cg.tui.map.sheet import MapSheet

EMPTY = MapSheet({}, {})
FRAME = 74  # the cells of the frame below the map in the smallest terminal


def test_the_overview_has_no_names_so_no_front_line_beside_them() -> None:
    assert FRONT not in legend(Drawing(EMPTY, OVERVIEW)).plain
    assert f"{FRONT} Front Line" in legend(Drawing(EMPTY, WORKING)).plain


def test_where_patterns_tell_they_are_explained() -> None:
    full, none = (
        legend(Drawing(EMPTY, WORKING, depth)).plain for depth in (Depth.FULL, Depth.NONE)
    )
    for side in Side:
        assert f"{colours.PATTERNS[side]} its land" in none
        assert f"{colours.PATTERNS[side]} its land" not in full
    assert "\n~- Ocean" in none
    assert "Ocean" not in full


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("layout", ZOOMS, ids=["overview", "working", "close"])
def test_in_short_it_fits_on_the_frame_and_names_both_sides(
    layout: MapLayout, depth: Depth
) -> None:
    some = frozenset({"N21"})
    for marked in ({}, {"marked": some}, {"marked": some, "drawn": some}):
        told = in_short(Drawing(EMPTY, layout, depth, **marked))
        assert len(told) <= FRAME
        assert all(f"{sign} " in told and side.label in told for side, sign in SIGNS.items())
        assert ("possible" in told, "arc" in told) == ("marked" in marked, "drawn" in marked)
