"""Charts as drawings (SVG): lines over the CG Dates, and bars."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from brt_cg.exports.map_frame import FONT, INKS
from brt_cg.model.counters import Side

WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 28, 58, 22, 24
SOFT = "#6d6a62"
# The colours of words, by class.
OF_WORDS = {"ink": "#22211e", "soft": SOFT} | {side.value: ink for side, ink in INKS.items()}


def line_chart(title: str, dates: Sequence[str], lines: Mapping[Side, Sequence[int]]) -> list[str]:
    """A line for each side, with a value for each date; its last value is written at its end."""
    top = _ceiling(max((value for values in lines.values() for value in values), default=0))
    step = (WIDTH - LEFT - RIGHT) / max(len(dates) - 1, 1)

    def spot(at: int, value: int) -> tuple[float, float]:
        return LEFT + step * at, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top

    body = [_words(LEFT, 11, title, 9, weight=600, anchor="start"), *_scale(top)]
    for at, date in enumerate(dates):
        body.append(_words(spot(at, 0)[0], HEIGHT - 9, date, 7, "soft"))
    ends: list[float] = []
    for side, values in lines.items():
        body += _line(side, [spot(at, value) for at, value in enumerate(values)])
        if values:
            x, y = spot(len(values) - 1, values[-1])
            y = _clear_of(ends, y)
            words = f"{side.label} {values[-1]}"
            body.append(_words(x + 5, y + 2.5, words, 7, side.value, anchor="start"))
    return body


def bar_chart(title: str, names: Sequence[str], bars: Mapping[Side, Sequence[int]]) -> list[str]:
    """Bars of both sides in pairs, one for each name, with their numbers."""
    top = _ceiling(max((value for values in bars.values() for value in values), default=0))
    step = (WIDTH - LEFT - RIGHT + 4) / max(len(names), 1)
    width = min(step / (len(bars) + 1), 22)
    body = [_words(LEFT, 11, title, 9, weight=600, anchor="start"), *_scale(top)]
    for at, name in enumerate(names):
        middle = LEFT + step * (at + 0.5)
        body.append(_words(middle, HEIGHT - 9, name, 8, "soft"))
        for number, (side, values) in enumerate(bars.items()):
            x = middle + (number - len(bars) / 2) * width
            high = (HEIGHT - TOP - BOTTOM) * values[at] / top
            y = HEIGHT - BOTTOM - high
            body.append(_bar(side, x + 1, y, width - 2, high))
            body.append(_words(x + width / 2, y - 2, str(values[at]), 6, "soft"))
    return [*body, *_legend(bars)]


def _bar(side: Side, x: float, y: float, width: float, height: float) -> str:
    """A bar that is told apart without colour: white for the Marines, dark for the Japanese."""
    marine = side is Side.MARINE
    name = "paper marine-line" if marine else side.value
    fill = "#fff" if marine else INKS[side]
    return (
        f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" fill="{fill}" stroke="{INKS[side]}" stroke-width=".8"/>'
    )


def _legend(sides: Iterable[Side]) -> Iterator[str]:
    for at, side in enumerate(sides):
        x = WIDTH - RIGHT - 90 + at * 60
        yield _bar(side, x, 5, 6, 6)
        yield _words(x + 9, 10.5, side.label, 7, side.value, anchor="start")


def drawing(title: str, *charts: Iterable[str]) -> str:
    """One chart, or several next to each other."""
    width = len(charts) * (WIDTH + 12) - 12
    parts = (
        f'<g transform="translate({at * (WIDTH + 12)})">{"".join(chart)}</g>'
        for at, chart in enumerate(charts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
        f'width="{width * 2}" height="{HEIGHT * 2}" role="img" font-family="{FONT}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _ceiling(most: int) -> int:
    """A round number not below the highest value."""
    steps = (unit * factor for unit in (1, 10, 100, 1000) for factor in (4, 8, 10, 20))
    return next((step for step in steps if step >= most), most)


def _scale(top: int) -> Iterator[str]:
    for part in range(5):
        if top * part % 4:
            continue
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part / 4
        opacity = "" if part == 0 else ' stroke-opacity=".25"'
        yield (
            f'<path class="axis" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT + 4}" stroke="{SOFT}" '
            f'stroke-width=".5"{opacity}/>'
        )
        yield _words(LEFT - 5, y + 2.4, str(top * part // 4), 7, "soft", anchor="end")


def _line(side: Side, spots: Sequence[tuple[float, float]]) -> Iterator[str]:
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots) if spots else ""
    yield (
        f'<path class="{side.value}-line" d="{path}" fill="none" stroke="{INKS[side]}" '
        'stroke-width="1.6" stroke-linejoin="round"/>'
    )
    for x, y in spots:
        if side is Side.MARINE:
            yield _bar(side, x - 2, y - 2, 4, 4)
        else:
            spot = f'cx="{x:.1f}" cy="{y:.1f}" r="2"'
            yield f'<circle class="{side.value}" {spot} fill="{INKS[side]}"/>'


def _clear_of(ends: list[float], y: float) -> float:
    """A free height for the words at a line's end."""
    for other in ends:
        if abs(y - other) < 8:
            y = other + 8 if y >= other else other - 8
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
