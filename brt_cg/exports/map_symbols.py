"""The symbols on a drawing of Betio: Setup Areas, stacks and Isolated Locations.

The sides can be distinguished without color: Marine Setup Areas are hatched inside a solid line,
their stacks white squares; Japanese Setup Areas are plain inside a dotted line, their stacks dark
and round.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from html import escape
from itertools import accumulate

from brt_cg.board import ground_hex, hex_order_key, is_area_only_location
from brt_cg.exports.blocks import printable_line
from brt_cg.exports.font_metrics import text_width
from brt_cg.exports.map_frame import (
    INKS,
    READABLE,
    MapFrame,
    border_path_of_hexes,
    hex_center,
    hex_corners,
    hex_outline,
    hexes_in_frame,
    svg_text,
)
from brt_cg.exports.wording import type_and_name_text
from brt_cg.immutable import immutable
from brt_cg.model import Area, Campaign, Piece, Side, Unit, Vehicle, Weapon, WeaponKind

HATCH = 5  # units between two lines of the hatching, measured across
LINES = {Side.MARINE: "", Side.JAPANESE: ' stroke-dasharray="0 2.4"'}  # around a Setup Area
TINTS = {Side.MARINE: 0.1, Side.JAPANESE: 0.05}
THICK = {Side.MARINE: 1.2, Side.JAPANESE: 1.5}
RING = ' fill="none" stroke-width="1" stroke-dasharray="2.2 1.3"'


@immutable
class MapStack:
    """A side's stack in a hex: its units, without prisoners, and its vehicles."""

    hex: str
    side: Side
    units: int
    vehicles: int


def map_stacks(view: Campaign, sides: Iterable[Side]) -> list[MapStack]:
    """Return the stacks on map of these sides, in order of hex."""
    found: dict[tuple[str, Side], Counter[str]] = {}
    wanted = set(sides)
    for piece in view.pieces():
        where = piece.location or (piece.recorded_location if piece.isolated else None)
        counts = isinstance(piece, Vehicle) or (isinstance(piece, Unit) and not piece.prisoner)
        on_map = where and not piece.off_map and not is_area_only_location(where)
        if counts and on_map and piece.side in wanted and piece.in_play:
            found.setdefault((ground_hex(where), piece.side), Counter())[piece.TABLE] += 1
    order = sorted(found, key=lambda key: (hex_order_key(key[0]), key[1]))
    return [MapStack(*key, found[key]["units"], found[key]["vehicles"]) for key in order]


def isolated_hexes(view: Campaign) -> list[tuple[str, Side]]:
    """Return the hexes in which a side is Isolated, and that side."""
    return list(
        dict.fromkeys((ground_hex(where), side) for where, side in view.isolated_unit_locations())
    )


# --- Setup Areas ----------------------------------------------------------------------------------


def area_symbols(area: Area, frame: MapFrame) -> Iterator[str]:
    """Yield the tint of an area's hexes, hatched if they are the Marines', and the line around
    them."""
    mine = set(area.hexes)
    hexes = [hex for hex in hexes_in_frame(frame) if hex in mine]
    ink, name = INKS[area.side], area.side.value
    if not hexes:
        return
    tint = "".join(map(hex_outline, hexes))
    yield f'<path class="{name}" d="{tint}" fill="{ink}" fill-opacity="{TINTS[area.side]}"/>'
    if area.side is Side.MARINE:
        lines = "".join(map(_hatching, hexes))
        yield (
            f'<path class="{name}-line" d="{lines}" fill="none" stroke="{ink}" '
            'stroke-width=".5" stroke-opacity=".5"/>'
        )
    yield (
        f'<path class="{name}-line border" d="{border_path_of_hexes(hexes, mine)}" fill="none" '
        f'stroke="{ink}" '
        f'stroke-width="{THICK[area.side]}" stroke-linecap="round"{LINES[area.side]}/>'
    )


@cache
def _hatching(hex: str) -> str:
    """Return the lines of the hatching across a hex, which continue from hex to hex."""
    around = hex_corners(hex)
    sums = [x + y for x, y in around]
    first = int(min(sums) // HATCH) + 1
    lines = []
    for across in range(first * HATCH, int(max(sums)) + 1, HATCH):
        ends = []
        for (a, b), (c, d) in zip(around, [*around[1:], around[0]], strict=True):
            if (a + b - across) * (c + d - across) < 0:
                share = (across - a - b) / (c + d - a - b)
                ends.append((a + share * (c - a), b + share * (d - b)))
        if len(ends) == 2:
            (a, b), (c, d) = ends
            lines.append(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}")
    return "".join(lines)


def area_name_symbol(area: Area, frame: MapFrame) -> Iterator[str]:
    """Yield an area's id, in the middle of its visible part, unless the edge would cut it."""
    mine = set(area.hexes)
    middles = [hex_center(hex) for hex in hexes_in_frame(frame) if hex in mine]
    inside = [spot for spot in middles if frame.has_room_for_name(*spot)]
    if not inside:
        return
    x = sum(x for x, _ in middles) / len(middles)
    y = sum(y for _, y in middles) / len(middles)
    at = min(inside, key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2)
    size = max(9.5, frame.points_to_units(9)) if not frame.is_close_up else 8
    marks = {
        "fill": INKS[area.side],
        "class": f"{area.side.value} halo",
        "stroke": "#fff",
        "stroke_width": "1.8",
        "stroke_linejoin": "round",
        "paint_order": "stroke",
        "font_weight": "700",
    }
    yield svg_text(at[0], at[1] + size * 0.36, area.id, size, **marks)


# --- stacks and Isolated Locations ----------------------------------------------------------------


def stack_and_isolation_symbols(
    view: Campaign, own: Iterable[Side], frame: MapFrame
) -> Iterator[str]:
    """Yield the stacks of the sides in `own`, and a ring in each Isolated Location. If both sides
    are in a hex, the Marines are above."""
    signs: dict[str, dict[Side, list[str]]] = {}
    isolated = [one for one in isolated_hexes(view) if frame.contains_hex(one[0])]
    shown = [stack for stack in map_stacks(view, own) if frame.contains_hex(stack.hex)]
    for hex, side in (*isolated, *((stack.hex, stack.side) for stack in shown)):
        signs.setdefault(hex, {})[side] = []
    for hex, side in isolated:
        x, y = _spot(hex, side, signs[hex], frame)
        yield _ring(x, y, side, frame)
    for stack in shown:
        x, y = _spot(stack.hex, stack.side, signs[stack.hex], frame)
        number = str(stack.units + stack.vehicles) if frame.has_numbers else ""
        yield from stack_marker(x, y, stack.side, number, frame)


def _spot(hex: str, side: Side, there: Iterable[Side], frame: MapFrame) -> tuple[float, float]:
    """Return the center of a side's marker in a hex: the middle of the hex, or below its name if it
    has one."""
    x, y = hex_center(hex)
    down = 1.9 if frame.is_close_up else 0.0
    if len(set(there)) > 1:
        away = marker_size(frame)[1] / 2
        down += away if side is Side.JAPANESE else -away
    return x, y + down


def marker_size(frame: MapFrame) -> tuple[float, float]:
    """Return the width and height of a marker. Small markers have no number."""
    size = frame.number_size
    return (size * 1.35, size * 0.92) if frame.has_numbers else (5.5, 5.5)


def stack_marker(x: float, y: float, side: Side, number: str, frame: MapFrame) -> Iterator[str]:
    """Yield a side's stack: a white square for the Marines, a dark round one for the Japanese."""
    width, height = marker_size(frame)
    ink, size = INKS[side], frame.number_size
    place = f'x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}"'
    marks = {"font_weight": "700"}
    if side is Side.MARINE:
        yield (
            f'<rect class="paper marine-line" {place} height="{height:.1f}" fill="#fff" '
            f'stroke="{ink}" stroke-width="{height * 0.13:.2f}"/>'
        )
        marks |= {"fill": ink, "class": "marine"}
    else:
        yield (
            f'<rect class="japanese halo" {place} height="{height:.1f}" rx="{height / 2:.2f}" '
            f'fill="{ink}" stroke="#fff" stroke-width=".35"/>'
        )
        marks |= {"fill": "#fff", "class": "paper"}
    if number:
        yield svg_text(x, y + size * 0.36, number, size, **marks)


def isolation_ring_size(frame: MapFrame) -> tuple[float, float]:
    """Return the width and height of the line around an Isolated marker."""
    width, height = marker_size(frame)
    return width + 2.6, height + 2.6


def _ring(x: float, y: float, side: Side, frame: MapFrame) -> str:
    """Return a dashed line around a marker: with corners for the Marines, round for the
    Japanese."""
    width, height = isolation_ring_size(frame)
    corner = 0.6 if side is Side.MARINE else height / 2
    return (
        f'<rect class="{side.value}-line ring" x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}" rx="{corner:.2f}" stroke="{INKS[side]}"{RING}/>'
    )


def hex_tooltips(view: Campaign, frame: MapFrame) -> Iterator[str]:
    """Yield the contents of each hex, in words, shown at the pointer."""
    there: dict[str, dict[str, Counter[str]]] = {}
    for counter in view.counters():
        where = counter.location
        if isinstance(counter, Piece) and counter.isolated:
            where = where or counter.recorded_location
        mounted = isinstance(counter, Weapon) and counter.kind is WeaponKind.VEHICULAR
        if (
            not counter.in_play
            or mounted
            or not where
            or counter.off_map
            or is_area_only_location(where)
        ):
            continue
        whose = counter.side.label if counter.side is not None else "Terrain"
        held = isinstance(counter, Unit) and counter.prisoner
        words = f"{type_and_name_text(counter)}{' (prisoner)' if held else ''}"
        there.setdefault(ground_hex(where), {}).setdefault(whose, Counter())[words] += 1
    for hex in sorted(there, key=hex_order_key):
        if frame.contains_hex(hex):
            words = escape(
                printable_line(" · ".join([hex, *map(_held, sorted(there[hex].items()))]))
            )
            area = f'class="hit" d="{hex_outline(hex)}" fill-opacity="0"'
            yield f"<path {area}><title>{words}</title></path>"


def _held(found: tuple[str, Counter[str]]) -> str:
    """Return the counters in a hex by side. Equal counters are combined, with their number."""
    whose, names = found
    return f"{whose}: {', '.join(f'{name} × {n}' if n > 1 else name for name, n in names.items())}"


# --- the legend -----------------------------------------------------------------------------------

Sample = Callable[[float, float, MapFrame], Iterable[str]]  # drawn around a point


@immutable
class LegendItem:
    """A symbol and its meaning."""

    words: str
    sample: Sample


def _columns(front: str) -> list[list[LegendItem]]:
    """Return the symbols of the legend; if it has two lines, the Marines' are above those of the
    Japanese."""
    columns = [
        [LegendItem(f"{side.label} units and vehicles", partial(_stack, side)) for side in Side],
        [LegendItem(f"{side.label} Setup Area", partial(_sample, side)) for side in Side],
        [LegendItem(f"Isolated {side.label} Location", partial(_alone, side)) for side in Side],
    ]
    return [*columns, [LegendItem(front, _piece_of_front)]] if front else columns


def _legend_lines(frame: MapFrame, front: str) -> list[list[tuple[float, LegendItem]]]:
    """Return the lines of the legend, each symbol with its distance from the left: one line, or two
    if the frame is too narrow for one."""
    size = frame.points_to_units(READABLE)

    def wide(item: LegendItem) -> float:
        return isolation_ring_size(frame)[0] + text_width(item.words, size) + size * 1.7

    columns = _columns(front)
    single = [[item] for column in columns for item in column]
    if sum(wide(item) for [item] in single) <= frame.width:
        columns = single
    ends = [0.0, *accumulate(max(map(wide, column)) for column in columns)]
    lines = max(map(len, columns))
    return [
        [
            (at, column[line])
            for at, column in zip(ends, columns, strict=False)
            if line < len(column)
        ]
        for line in range(lines)
    ]


def legend_height(frame: MapFrame, front: str = "") -> float:
    return frame.points_to_units(READABLE) * 2 * len(_legend_lines(frame, front))


def legend_symbols(frame: MapFrame, front: str = "") -> Iterator[str]:
    """Yield a sample of each symbol under the map, with its meaning; `front` is the text for the
    former front, if the map shows it."""
    size, half = frame.points_to_units(READABLE), isolation_ring_size(frame)[0] / 2
    below = frame.top + frame.height
    # So that its words can be read if the viewer's background is dark.
    yield (
        f'<rect class="paper" x="{frame.left:.1f}" y="{below:.1f}" '
        f'width="{frame.width:.1f}" height="{legend_height(frame, front):.1f}" fill="#fff"/>'
    )
    for number, line in enumerate(_legend_lines(frame, front)):
        y = below + size * (1 + 2 * number)
        for at, item in line:
            x = frame.left + half + at
            yield from item.sample(x, y, frame)
            marks = {"text_anchor": "start", "fill": "#22211e", "class": "ink legend"}
            yield svg_text(x + half + size * 0.45, y + size * 0.34, item.words, size, **marks)


def _stack(side: Side, x: float, y: float, frame: MapFrame) -> Iterator[str]:
    return stack_marker(x, y, side, "3" if frame.has_numbers else "", frame)


def _alone(side: Side, x: float, y: float, frame: MapFrame) -> Iterator[str]:
    yield _ring(x, y, side, frame)


def _piece_of_front(x: float, y: float, frame: MapFrame) -> Iterator[str]:
    width = marker_size(frame)[0]
    yield former_front_line(f"M{x - width * 0.6:.1f} {y:.1f}h{width * 1.2:.1f}")


def former_front_line(path: str) -> str:
    """Return a line along the former front."""
    return (
        f'<path class="ink-line" d="{path}" fill="none" stroke="#22211e" stroke-width="1.3" '
        'stroke-dasharray="3 2"/>'
    )


def _sample(side: Side, x: float, y: float, frame: MapFrame) -> Iterator[str]:
    """Yield a piece of a side's Setup Area."""
    width, height = marker_size(frame)
    x, y = x - width / 2, y - height / 2
    ink = INKS[side]
    size = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    yield (
        f'<rect class="{side.value}-line" {size} fill="{ink}" fill-opacity=".1" stroke="{ink}" '
        f'stroke-width="{THICK[side]}" stroke-linecap="round"{LINES[side]}/>'
    )
    if side is Side.MARINE:
        lines = (f"M{x + at:.1f} {y:.1f}l{-height:.1f} {height:.1f}" for at in (height, width))
        yield (
            f'<path class="marine-line" d="{"".join(lines)}" fill="none" stroke="{ink}" '
            'stroke-width=".5" stroke-opacity=".6"/>'
        )
