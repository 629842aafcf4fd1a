"""The map of Betio: where each hex lies at each zoom, what it shows, in which colours."""

from colorsys import rgb_to_hsv
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color
from textual.geometry import Size

from brt_cg.board import grid, locations
from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side, Unit, UnitKind, Vehicle, Weapon, WeaponKind
from brt_cg.model.records import Area
from brt_cg.text import halves_text
from brt_cg.tui.look.contrast import LEAST, contrast_ratio
from brt_cg.tui.look.depth import (
    ColorDepth,
    TerminalColorFilter,
    ansi_theme_color,
    least_contrast,
    possible_rgbs_of_color,
)
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map import colors
from brt_cg.tui.map.drawing import PROPERTY, Drawing, segments
from brt_cg.tui.map.layouts import (
    CLOSE,
    ISLAND,
    LAYOUTS,
    OVERVIEW,
    OVERVIEWS,
    SQUARE,
    WORKING,
    MapLayout,
    hexrow_letters_by_line,
    layout_for,
)
from brt_cg.tui.map.sheet import MapSheet, build_map_sheet, hex_shade
from tests.refit.table import campaign

NAMES = ["square", "overview", "island", "working", "close"]
BRICKS = [OVERVIEW, WORKING]  # of whole cells
LETTERED = [layout for layout in LAYOUTS if layout.has_room_for_letters]
HEXES = sorted(locations.hexes_in_play(63), key=locations.hex_sort_key)


def words(drawing: Drawing, y: int, left: int = 0, right: int | None = None) -> str:
    """The letters of a line."""
    cells = drawing.line_cells(y, left, drawing.layout.width if right is None else right)
    return "".join(cell.letter for cell in cells)


def sheet(*counters: Unit | Vehicle | Weapon, areas: tuple[Area, ...] = ()) -> MapSheet:
    table = campaign()
    for record in (*counters, *areas):
        table.add(record)
    return build_map_sheet(table, load_card("III"))


def squad(id: str, side: Side, location: str) -> Unit:
    return Unit(id=id, side=side, kind=UnitKind.SQUAD, type="6-6-8", location=location)


# --- where hexes lie ------------------------------------------------------------------------------


def test_adjacent_hexes_never_have_the_same_shade() -> None:
    for hex in HEXES:
        assert all(hex_shade(other) != hex_shade(hex) for other in grid.neighbors(hex))


def test_the_whole_island_fits_in_63_by_13_and_190_by_39() -> None:
    assert [(layout.width, layout.height) for layout in OVERVIEWS] == [
        (190, 39),
        (127, 26),
        (63, 13),
    ]


@pytest.mark.parametrize("layout", LAYOUTS, ids=NAMES)
def test_the_island_keeps_its_proportions_at_every_zoom(layout: MapLayout) -> None:
    """A cell is twice as high as wide; hexrows are nearer to each other than hexes in a row."""
    board = (locations.NUMBERS + 0.5) / (locations.ROWS * 3**0.5 / 2)
    assert layout.width / (2 * layout.height) == pytest.approx(board, rel=0.2)


def test_the_overview_is_as_wide_as_possible() -> None:
    rooms = [(193, 40), (194, 39), (194, 40), (131, 27), (80, 15), (20, 9)]
    found = [layout_for(0, Size(*room), in_halves=True) for room in rooms]
    assert found == [OVERVIEW, OVERVIEW, SQUARE, OVERVIEW, ISLAND, ISLAND]
    assert {layout_for(0, Size(*room), in_halves=False) for room in rooms} == {OVERVIEW}
    assert [layout_for(zoom, Size(999, 99), True) for zoom in (1, 2)] == [WORKING, CLOSE]


@pytest.mark.parametrize("layout", BRICKS, ids=["overview", "working"])
def test_every_cell_of_a_brick_belongs_to_its_hex(layout: MapLayout) -> None:
    for hex in HEXES:
        x, y = layout.corner(hex)
        down = layout.halves // 2
        cells = [(x + dx, y + dy) for dx in range(layout.across) for dy in range(down)]
        assert {layout.hexes_at(*cell) for cell in cells} == {(hex,)}


@pytest.mark.parametrize("layout", BRICKS, ids=["overview", "working"])
def test_the_ends_of_the_hexrows_are_aligned(layout: MapLayout) -> None:
    last = layout.width - 1
    lines = (0, layout.halves // 2)
    assert [layout.hexes_at(0, y) for y in lines] == [("Z1",), ("Y1",)]
    assert [layout.hexes_at(last, y) for y in lines] == [("Z63",), ("Y63",)]
    assert layout.hexes_at(last + 1, 0) == layout.hexes_at(-1, 0) == ()


def test_the_center_of_a_hexagon_belongs_to_its_hex() -> None:
    for hex in HEXES:
        x, y = CLOSE.corner(hex)
        assert CLOSE.hexes_at(x + 6, y + 2) == (hex,)


@pytest.mark.parametrize("layout", LAYOUTS, ids=NAMES)
def test_hexes_adjacent_on_the_map_are_adjacent_on_the_screen(layout: MapLayout) -> None:
    """Half cells above, below and beside those of a hex are its own, its neighbours', or none."""
    for half in range(2 * layout.height):
        upper, lower = (
            layout.hexes_in_half_line(line, 0, layout.width) for line in (half, half + 1)
        )
        pairs = [*zip(upper, lower, strict=True), *pairwise(upper)]
        for one, other in {pair for pair in pairs if None not in pair}:
            assert one == other or other in grid.neighbors(one or "")


def test_a_cell_of_two_hexes_selects_the_upper_one_first() -> None:
    assert ISLAND.hexes_at(18, 6) == ("N19", "M19")
    x, y = SQUARE.corner("N19")
    assert [SQUARE.hexes_at(x, line) for line in (y, y + 1)] == [("N19",), ("N19", "M19")]


# --- the rulers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS, ids=NAMES)
def test_the_rulers_show_every_hexrow_and_every_fifth_number(layout: MapLayout) -> None:
    told = hexrow_letters_by_line(layout)
    for letter, number in (("Z", 5), ("N", 20), ("M", 35), ("A", 60)):
        y = next(y for y, words in told.items() if letter in words)
        x = layout.number_ruler(0, layout.width).index(str(number))
        assert y in layout.lines_of(f"{letter}{number}")
        assert f"{letter}{number}" in {*layout.hexes_in_half_line(2 * y, x, x + 2)} | {
            *layout.hexes_in_half_line(2 * y + 1, x, x + 2)
        }


def test_a_line_of_two_hexrows_has_two_letters() -> None:
    assert [*hexrow_letters_by_line(ISLAND).values()][:2] == ["Z/Y", "X/W"]
    assert all(
        len(word) == 1 for layout in LETTERED for word in hexrow_letters_by_line(layout).values()
    )


def test_north_is_up_and_the_lagoon_on_top() -> None:
    assert OVERVIEW.corner("Z1")[1] == 0
    assert OVERVIEW.corner("A1")[1] == 25
    assert OVERVIEW.corner("Z1")[0] == 1  # B, D, … Z lie half a hex to the right


def test_a_hexagon_has_cells_only_on_its_own_lines() -> None:
    for half in range(2 * CLOSE.height):
        for hex in {*CLOSE.hexes_in_half_line(half, 0, CLOSE.width)} - {None}:
            assert half // 2 in CLOSE.lines_of(hex)


# --- what they show -------------------------------------------------------------------------------


def test_a_brick_shows_its_name_strength_and_symbol() -> None:
    gun = Weapon(
        id="g", side=Side.MARINE, nation=Side.MARINE, kind=WeaponKind.GUN, type="37", location="N21"
    )
    half = Unit(id="h", side=Side.MARINE, kind=UnitKind.HALF_SQUAD, type="3-4-8", location="N21")
    drawing = Drawing(sheet(gun, half, squad("a", Side.MARINE, "N21")), WORKING)
    x, y = WORKING.corner("N21")
    assert words(drawing, y, x, x + 5) == "N21  "
    assert words(drawing, y + 1, x, x + 5) == "★1½G "


def test_both_sides_in_a_hex_are_shown_with_their_strength() -> None:
    drawing = Drawing(
        sheet(squad("a", Side.MARINE, "N21"), squad("b", Side.JAPANESE, "N21:1")), WORKING
    )
    x, y = WORKING.corner("N21")
    assert words(drawing, y, x, x + 5) == "N21× "
    assert words(drawing, y + 1, x, x + 4) == "★1●1"
    cells = drawing.line_cells(y + 1, x, x + 4)
    assert cells[0].ink != cells[2].ink


def test_a_manned_vehicle_is_isolated_too() -> None:
    tank = Vehicle(id="t", side=Side.MARINE, nation=Side.MARINE, type="M4A2", location="N21")
    tank.isolated, tank.recorded_location = True, "N21"
    drawing = Drawing(sheet(tank), WORKING)
    x, y = WORKING.corner("N21")
    assert words(drawing, y, x, x + 5) == "N21! "


def test_the_overview_shows_where_units_are() -> None:
    drawing = Drawing(
        sheet(squad("a", Side.MARINE, "N21"), squad("b", Side.JAPANESE, "E4")), OVERVIEW
    )
    for hex, sign in (("N21", "★"), ("E4", "●"), ("E5", " ")):
        x, y = OVERVIEW.corner(hex)
        assert words(drawing, y, x, x + 1) == sign


def test_the_overview_shows_equipment_without_units_and_its_kind() -> None:
    gun = Weapon(
        id="g", side=Side.MARINE, nation=Side.MARINE, kind=WeaponKind.GUN, type="37", location="N21"
    )
    for layout, told in ((OVERVIEW, "☆ "), (SQUARE, "☆G")):
        drawing = Drawing(sheet(gun), layout)
        x, y = layout.corner("N21")
        assert words(drawing, y, x, x + 2) == told


def test_the_smallest_overview_uses_colors_for_holders_and_isolation() -> None:
    alone, both = squad("a", Side.MARINE, "E4"), squad("b", Side.MARINE, "N21")
    alone.isolated = True
    alone.recorded_location = "E4"
    areas = (Area(id="J1", side=Side.JAPANESE, hexes=("E4", "E5", "N21", "N22")),)
    found = sheet(alone, both, squad("c", Side.JAPANESE, "N21"), areas=areas)
    drawing = Drawing(found, ISLAND)
    assert {*"".join(words(drawing, y) for y in range(13))} <= {*" ▀▄"}
    grounds = []
    for hex in ("E4", "N21", "E5", "N22"):
        x, y = ISLAND.corner(hex)
        (cell,) = drawing.line_cells(y, x, x + 1)
        upper = hex in ISLAND.hexes_in_half_line(2 * y, x, x + 1)
        grounds.append(cell.ink if upper and cell.letter == "▀" else cell.ground)
    isolated, contested, held, as_held = grounds
    assert held == as_held
    assert len({isolated, contested, held}) == 3


def test_the_overview_draws_units_next_to_an_enemy_gun_in_their_color() -> None:
    gun = Weapon(
        id="g", side=Side.MARINE, nation=Side.MARINE, kind=WeaponKind.GUN, type="37", location="N21"
    )
    held = Drawing(
        sheet(gun, squad("b", Side.JAPANESE, "N21"), squad("c", Side.JAPANESE, "E4")), OVERVIEW
    )
    cells = []
    for hex in ("N21", "E4"):
        x, y = OVERVIEW.corner(hex)
        cells += held.line_cells(y, x, x + 1)
    assert [cell.letter for cell in cells] == ["●", "●"]
    assert cells[0].ink == cells[1].ink


def test_a_hexagon_shows_each_side_on_its_own_line() -> None:
    drawing = Drawing(
        sheet(squad("a", Side.MARINE, "N21"), squad("b", Side.JAPANESE, "N21")), CLOSE
    )
    x, y = CLOSE.corner("N21")
    found = [words(drawing, y + dy, x, x + 12).strip() for dy in (1, 2, 3)]
    assert [line.strip("▀▄ ") for line in found] == ["N21×", "★1", "●1"]


def test_front_line_hexes_and_hexsides_are_shown() -> None:
    areas = (
        Area(id="M1", side=Side.MARINE, hexes=("N21",)),
        Area(id="J1", side=Side.JAPANESE, hexes=("N22", "N23")),
    )
    found = sheet(areas=areas).hexes
    assert (found["N22"].front, found["N23"].front) == (True, False)
    assert (found["N21"].holder, found["N22"].holder) == (Side.MARINE, Side.JAPANESE)


def test_prisoners_and_the_dead_do_not_count() -> None:
    prisoner = squad("a", Side.MARINE, "N21")
    prisoner.add_status("prisoner")
    assert not sheet(prisoner).hexes["N21"].contested
    assert sheet(prisoner).hexes["N21"].stacks[Side.MARINE].strength == 0


@pytest.mark.parametrize(
    ("strength", "shown"), [(Fraction(0), "0"), (Fraction(1, 2), "½"), (Fraction(25, 2), "12½")]
)
def test_strengths_are_shown_in_halves(strength: Fraction, shown: str) -> None:
    assert halves_text(strength) == shown


# --- in which colours -----------------------------------------------------------------------------


def test_the_three_shades_of_every_tint_differ_in_full_color() -> None:
    for tint in TINTS:
        assert len(set(colors.shade_colors(*tint))) == 3


def hue(number: int) -> float:
    """The hue of one of the 256 colours, in degrees."""
    red, green, blue = (part / 255 for part in possible_rgbs_of_color(number)[0].rgb)
    return 360 * rgb_to_hsv(red, green, blue)[0]


@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
def test_in_256_colors_each_holder_has_one_hue_and_the_sea_one_tone(dark: bool) -> None:
    terrains = [kind for kind in locations.TerrainType if kind is not locations.TerrainType.OCEAN]
    middles = []
    for side in Side:
        hues = [
            hue(part)
            for kind in terrains
            for part in colors.palette_ground_and_edge(kind, side, None, dark)
        ]
        assert max(hues) - min(hues) <= 15
        middles.append(sum(hues) / len(hues))
    assert abs(middles[0] - middles[1]) > 90
    drawing = Drawing(sheet(), WORKING, ColorDepth.OF_256, dark=dark)
    assert len({cell.ground for cell in drawing.line_cells(0, 0, WORKING.width // 3)}) == 1


TINTS = [
    (terrain, holder, mark, dark)
    for terrain in locations.TerrainType
    for holder in (None, *Side)
    for mark in (None, *colors.HexMark)
    for dark in (True, False)
    if holder is None or terrain is not locations.TerrainType.OCEAN
]


@pytest.mark.parametrize("side", [None, *Side])
def test_letters_are_readable_on_every_background_in_full_and_256_colors(side: Side | None) -> None:
    for tint in TINTS:
        few = [
            possible_rgbs_of_color(number)[0].rgb
            for number in colors.palette_ground_and_edge(*tint)
        ]
        for ground in (*colors.shade_colors(*tint), *few):
            ink = colors.readable_ink(ground, side)
            assert contrast_ratio(Color(*ink), Color(*ground)) >= LEAST, (tint, ground)


def test_names_are_readable_and_dimmer_than_units() -> None:
    for tint in TINTS:
        for ground in colors.shade_colors(*tint):
            name, force = (
                colors.dimmer_ink(ground, colors.READ),
                colors.readable_ink(ground, Side.MARINE),
            )
            assert contrast_ratio(Color(*name), Color(*ground)) >= LEAST
            assert contrast_ratio(Color(*name), Color(*ground)) <= contrast_ratio(
                Color(*force), Color(*ground)
            )


@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
@pytest.mark.parametrize("depth", [ColorDepth.OF_16, ColorDepth.OF_8])
def test_letters_are_readable_on_the_page_and_marks_in_16_colors(
    depth: ColorDepth, dark: bool
) -> None:
    page = ansi_theme_color(0 if dark else 15)
    for mark in (None, *colors.HexMark):
        tint = (locations.TerrainType.LAND, None, mark, dark)
        below = RichColor.from_rgb(*(colors.ground_color(depth, tint, 1) or page.rgb))
        for side in (None, *Side):
            ink = RichColor.from_rgb(*(colors.letter_color(depth, tint, 1, side) or page.rgb))
            seen = TerminalColorFilter(depth).adapted_style(
                Style.from_color(ink, below), page, drawn=False
            )
            assert seen.color is not None
            assert seen.bgcolor is not None
            assert least_contrast(seen.color.number or 0, seen.bgcolor.number or 0) >= LEAST


def test_in_16_colors_symbols_have_a_plain_background() -> None:
    held = sheet(areas=(Area(id="J1", side=Side.JAPANESE, hexes=tuple(HEXES)),))
    for dark in (True, False):
        drawing = Drawing(held, OVERVIEW, ColorDepth.OF_16, dark=dark, marked=frozenset({"N21"}))
        cells = [cell for y in range(OVERVIEW.height) for cell in drawing.line_cells(y, 0, 127)]
        assert sum(cell.ground is not None for cell in cells) == 2, "of the marked hex only"
        assert sum(cell.letter == colors.SIGNS[Side.JAPANESE] for cell in cells) > 1000


def test_no_colors_are_drawn_without_colors() -> None:
    drawing = Drawing(sheet(), OVERVIEW, ColorDepth.NONE)
    assert all(
        segment.style.color is None
        for segment in segments(drawing.line_cells(3, 0, 60))
        if segment.style
    )


def test_with_few_colors_terrain_sides_and_marks_have_symbols() -> None:
    signs = [colors.SIGNS[kind] for kind in (*locations.TerrainType, *Side, "lit", "drawn")]
    assert len({*signs}) == len(signs)


def test_a_marked_hex_stands_out() -> None:
    for depth in ColorDepth:
        plain, marked = (
            Drawing(sheet(), WORKING, depth, marked=frozenset(hexes)) for hexes in ((), ("N21",))
        )
        x, y = WORKING.corner("N21")
        assert plain.line_cells(y + 1, x, x + 5) != marked.line_cells(y + 1, x, x + 5)
        assert plain.line_cells(y + 1, x + 5, x + 9) == marked.line_cells(y + 1, x + 5, x + 9)


@cache
def cells_of(hex: str, layout: MapLayout) -> list[tuple[int, int]]:
    """The cells of which a hex has at least a half, line by line."""
    found = []
    for y in range(layout.height):
        halves = [layout.hexes_in_half_line(half, 0, layout.width) for half in (2 * y, 2 * y + 1)]
        found += [(x, y) for x, owned in enumerate(zip(*halves, strict=True)) if hex in owned]
    return found


@pytest.mark.parametrize("layout", LAYOUTS, ids=NAMES)
@pytest.mark.parametrize("depth", list(ColorDepth))
def test_the_cursor_covers_its_hex_and_nothing_else(layout: MapLayout, depth: ColorDepth) -> None:
    drawing, covered = Drawing(sheet(), layout, depth), []
    for y in range(layout.height):
        cells = drawing.line_cells(y, 0, layout.width)
        under = drawing.with_cursor(cells, "N21", y, 0)
        if under != cells:
            pairs = zip(cells, under, strict=True)
            covered += [(x, y) for x, (before, after) in enumerate(pairs) if before != after]
    assert covered == cells_of("N21", layout)


def test_a_name_is_drawn_completely_or_not_at_all() -> None:
    """ "P31" cut to "P3" would be another hex."""
    for layout in (WORKING, CLOSE):
        drawing = Drawing(sheet(squad("a", Side.MARINE, "N21")), layout)
        x, y = layout.corner("N21")
        y += layout.hexagons
        middle = x + layout.across // 2
        assert "N21" in words(drawing, y, x, x + layout.across)
        assert words(drawing, y, middle, x + layout.across).strip(" ▀▄") == ""
        assert words(drawing, y, x, middle).strip(" ▀▄") == ""


def test_an_empty_campaign_has_a_map() -> None:
    assert isinstance(campaign(), Campaign)
    assert not sheet().here


# --- without colours ------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", list(ColorDepth))
@pytest.mark.parametrize("layout", LETTERED)
@pytest.mark.parametrize("side", Side)
def test_a_symbol_shows_the_side_at_every_zoom_and_color_depth(
    layout: MapLayout, side: Side, depth: ColorDepth
) -> None:
    gun = Weapon(id="g", side=side, kind=WeaponKind.GUN, type="37L", nation=side, location="N21")
    for counters in ((gun,), (squad("s", side, "N21"),), (gun, squad("s", side, "N21"))):
        drawing = Drawing(sheet(*counters), layout, depth)
        shown = "".join(words(drawing, y) for y in layout.lines_of("N21"))
        assert {SIGNS[side], PROPERTY[side]} & {*shown}
        assert not {SIGNS[side.enemy], PROPERTY[side.enemy]} & {*shown}


@pytest.mark.parametrize("depth", list(ColorDepth))
@pytest.mark.parametrize("layout", [WORKING, CLOSE], ids=["working", "close"])
def test_both_sides_in_a_hex_have_their_symbols(layout: MapLayout, depth: ColorDepth) -> None:
    both = sheet(squad("j", Side.JAPANESE, "N21"), squad("m", Side.MARINE, "N21"))
    drawing = Drawing(both, layout, depth)
    shown = " ".join(words(drawing, y) for y in layout.lines_of("N21"))
    assert f"{SIGNS[Side.MARINE]}1" in shown
    assert f"{SIGNS[Side.JAPANESE]}1" in shown


@cache
def held_by(holder: Side | None, number: int) -> MapSheet:
    """N21 in an area of a side, with so many of three counters: two Marine ones, and an enemy."""
    gun = Weapon(
        id="g", side=Side.MARINE, nation=Side.MARINE, kind=WeaponKind.GUN, type="37", location="N21"
    )
    counters = (gun, squad("a", Side.MARINE, "N21"), squad("b", Side.JAPANESE, "N21"))
    areas = (Area(id="X1", side=holder, hexes=("N21",)),) if holder else ()
    return sheet(*counters[:number], areas=areas)


@pytest.mark.parametrize("depth", list(ColorDepth))
@pytest.mark.parametrize("layout", LETTERED)
def test_a_symbol_shows_control_and_marks_of_every_hex(
    layout: MapLayout, depth: ColorDepth
) -> None:
    n21, nothing = frozenset({"N21"}), frozenset[str]()
    x, y = layout.sign_cell("N21")
    for number in range(4):
        letters = []
        for holder in (None, *Side):
            for lit, drawn in ((nothing, nothing), (n21, nothing), (nothing, n21)):
                held = held_by(holder, number)
                drawing = Drawing(held, layout, depth, marked=lit, drawn=drawn)
                letters.append(words(drawing, y, x, x + 1))
        assert letters[0] in " ."
        assert letters == [letters[0], "+", "%", "╱", "+", "%", "░", "+", "%"]


def test_without_half_blocks_each_cell_belongs_to_one_hex() -> None:
    drawing = Drawing(sheet(), CLOSE, whole=True)
    shown = "".join(words(drawing, y) for y in range(CLOSE.height))
    assert not {"▀", "▄"} & {*shown}
