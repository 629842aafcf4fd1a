"""The odds of each row of a dice table before the roll, as bars with percentages."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from textual.content import Content
from textual.geometry import Size

from brt_cg.questions.dice import DiceTable, Modifier, TableRow
from brt_cg.text import minus
from brt_cg.tui.look.lines import hanging

EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST_WORDS = 24  # the least width of a row's words beside the bar; else they go below it


def odds_text(table: DiceTable, modifiers: Sequence[Modifier], room: Size) -> Content:
    """A line for each row of a table: its Finals, its exact chance in a roll with these modifiers
    as a bar and in per cent, its words."""
    width = room.width
    if width < 20:
        return Content()
    odds = [
        (replace(row, text=row_in_words(table, row, modifiers)) if chance else row, chance)
        for row, chance in table.odds(modifiers)
    ]
    finals = max((len(finals_text(row)) for row, _ in odds), default=0)
    bar = max(8, min(24, width // 4))
    head = finals + 2 + 5 + 1 + bar + 2
    longest = max((len(row.text) for row, _ in odds), default=0)
    under = width - head < min(LEAST_WORDS, longest)
    lines: list[Content] = []
    for row, chance in odds:
        style = "dim" if not chance else ""
        line = Content.assemble(
            (f"{finals_text(row):>{finals}}  ", "bold" if chance else "dim"),
            (f"{percent(chance):>5} ", style),
            (bar_of(chance, bar), "$secondary"),
        )
        if under:
            text = Content.styled(" " * (finals + 2) + row.text, "dim")
            lines += [line, hanging(text, width, finals + 2)]
        else:
            lines.append(hanging(Content.assemble(line, "  ", (row.text, style)), width, head))
    return Content("\n").join(lines)


def row_in_words(table: DiceTable, row: TableRow, modifiers: Sequence[Modifier]) -> str:
    """The words of a row; for a check, which is passed or not, also the unmodified dice that pass:
    "passes on DR ≤ 6"."""
    drm = sum(modifier.amount for modifier in modifiers)
    if not drm or len(table.rows) != 2 or row.low is not None or row.high is None:
        return row.text
    return f"{row.text} on {table.dice} ≤ {row.high - drm}"


def bar_of(chance: Fraction, width: int) -> str:
    """A bar for a chance; an impossible row has only dots."""
    if not chance:
        return "·".ljust(width)
    eighths = max(1, round(chance * width * 8))
    full, rest = divmod(eighths, 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(width)


def percent(chance: Fraction) -> str:
    """A chance in per cent: never 0 for something possible, never 100 for something that may
    fail."""
    if not chance:
        return "never"
    if chance == 1:
        return "100%"
    return f"{min(99, max(1, round(chance * 100)))}%"


def finals_text(row: TableRow) -> str:
    """The Finals of a row: "≤ 7", "8–9", "≥ 11"."""
    low, high = (None if limit is None else minus(limit) for limit in (row.low, row.high))
    if low is None:
        return "any" if high is None else f"≤ {high}"
    if high is None:
        return f"≥ {low}"
    return low if low == high else f"{low}–{high}"
