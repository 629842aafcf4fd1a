"""Charts as drawings (SVG): lines over the CG Dates, and bars above and below the expected
values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from brt_cg.exports.font_metrics import text_width
from brt_cg.exports.map_frame import FONT, INKS
from brt_cg.model import Side
from brt_cg.text import hyphens_to_minus_signs

WIDTH, HEIGHT = 640, 190
LEFT, RIGHT, TOP, BOTTOM = 30, 92, 14, 24
SOFT = "#6d6a62"
# The colors of words, by class.
OF_WORDS = {"ink": "#22211e", "soft": SOFT} | {side.value: ink for side, ink in INKS.items()}


def line_chart(title: str, dates: Sequence[str], lines: Mapping[Side, Sequence[int]]) -> str:
    """Draw a line for each side, with a value for each date; the side's name and last value are
    written at the end of its line."""
    values = [0, *(value for line in lines.values() for value in line)]
    low, high = min(values), _ceiling(max(values))
    step = (WIDTH - LEFT - RIGHT) / max(len(dates) - 1, 1)

    def spot(at: int, value: float) -> tuple[float, float]:
        share = (value - low) / (high - low)
        return LEFT + step * at, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    body = [*_scale([(spot(0, value)[1], value) for value in _marks(low, high)])]
    for at, date in enumerate(dates):
        body.append(_words(spot(at, low)[0], HEIGHT - 7, date, 9, "soft"))
    ends: list[float] = []
    for side, line in lines.items():
        body += _line(side, [spot(at, value) for at, value in enumerate(line)])
        if line:
            x, y = spot(len(line) - 1, line[-1])
            y = _clear_of(ends, y)
            words = f"{side.label} {line[-1]}"
            body.append(_words(x + 8, y + 3.5, words, 10, side.value, anchor="start", weight=600))
    return _drawing(title, WIDTH, HEIGHT, body)


def deviation_chart(title: str, names: Sequence[str], bars: Mapping[Side, Sequence[float]]) -> str:
    """Draw a pair of bars, one for each side, for each name: upward for more than expected,
    downward for less."""
    most = max((abs(value) for values in bars.values() for value in values), default=0)
    top = _ceiling(max(1, round(most + 0.5)))
    width, high = 420, 170
    middle, half = high / 2 - 4, high / 2 - 30
    step = (width - LEFT - 10) / max(len(names), 1)
    size = min(step / (len(bars) + 1.4), 20)
    levels = [(middle - half * part, round(top * part)) for part in (1, 0, -1)]
    body = [*_scale(levels, width - 10, signs=True), *_legend(bars, width - 10)]
    for at, name in enumerate(names):
        centre = LEFT + step * (at + 0.5)
        body.append(_words(centre, high - 6, name, 10, "soft"))
        for number, (side, values) in enumerate(bars.items()):
            x = centre + (number - len(bars) / 2) * size
            tall = half * abs(values[at]) / top
            y = middle - tall if values[at] > 0 else middle
            body.append(_bar(side, x + 1, y, size - 2, tall))
    return _drawing(title, width, high, body)


def _drawing(title: str, width: int, height: int, body: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width * 2}" height="{height * 2}" role="img" font-family="{FONT}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def _bar(side: Side, x: float, y: float, width: float, height: float) -> str:
    """Return a bar whose side can be recognized without color: white for the Marines, dark for the
    Japanese."""
    marine = side is Side.MARINE
    name = "paper marine-line" if marine else side.value
    fill = "#fff" if marine else INKS[side]
    return (
        f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" fill="{fill}" stroke="{INKS[side]}" stroke-width=".8"/>'
    )


def _legend(sides: Iterable[Side], right: float) -> Iterator[str]:
    for side in reversed([*sides]):
        right -= text_width(side.label, 9) + 14
        yield _bar(side, right, 2, 7, 7)
        yield _words(right + 10, 9, side.label, 9, side.value, anchor="start")
        right -= 6


def _ceiling(most: int) -> int:
    """Return a round number not below the highest value, and above 0."""
    steps = (unit * factor for unit in (1, 10, 100, 1000) for factor in (2, 4, 8, 10, 20))
    return next((step for step in steps if step >= most), most)


def _marks(low: int, high: int) -> list[int]:
    """Return the values to show on the scale."""
    marks = [high * part // 4 for part in range(5) if not high * part % 4]
    return [low, *marks] if low < 0 else marks


def _scale(
    levels: Iterable[tuple[float, int]], right: float = WIDTH - RIGHT + 4, signs: bool = False
) -> Iterator[str]:
    """Draw lines across at these heights, each with its value; the line at 0 is the axis."""
    for y, value in levels:
        opacity = "" if value == 0 else ' stroke-opacity=".25"'
        yield (
            f'<path class="axis" d="M{LEFT} {y:.1f}H{right}" stroke="{SOFT}" '
            f'stroke-width=".6"{opacity}/>'
        )
        words = hyphens_to_minus_signs(f"{value:+}" if signs and value else str(value))
        yield _words(LEFT - 6, y + 3, words, 9, "soft", anchor="end")


def _line(side: Side, spots: Sequence[tuple[float, float]]) -> Iterator[str]:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots) if spots else ""
    yield (
        f'<path class="{side.value}-line" d="{path}" fill="none" stroke="{INKS[side]}" '
        'stroke-width="2" stroke-linejoin="round"/>'
    )
    for x, y in spots:
        if side is Side.MARINE:
            yield _bar(side, x - 2.5, y - 2.5, 5, 5)
        else:
            spot = f'cx="{x:.1f}" cy="{y:.1f}" r="2.8"'
            yield f'<circle class="{side.value}" {spot} fill="{INKS[side]}"/>'


def _clear_of(ends: list[float], y: float) -> float:
    """Return a free height for the label at a line's end."""
    for other in ends:
        if abs(y - other) < 12:
            y = other + 12 if y >= other else other - 12
    ends.append(y)
    return y


def _words(
    x: float,
    y: float,
    words: str,
    size: float,
    name: str = "ink",
    *,
    anchor: str = "middle",
    weight: int = 400,
) -> str:
    return (
        f'<text class="{name}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{OF_WORDS[name]}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
    )
