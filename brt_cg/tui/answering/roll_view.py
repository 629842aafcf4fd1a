"""The drawing of a roll: its dice, typed or still open, its modifiers, its odds as bars, and its
result."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from textual.content import Content
from textual.geometry import Size

from brt_cg.questions import Dice, Modifier, Question, TableRow
from brt_cg.text import signed_text
from brt_cg.tui.lists.log import text_in_words
from brt_cg.tui.look.lines import hang_text
from brt_cg.views.roll_result import RollResult

PIPS = {
    0: ("     ", "  ?  ", "     "),
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
REASON = 5  # the indent of a modifier's reason
NAMES = {Dice.ONE: ("die",), Dice.TWO: ("colored", "white")}

EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST_WORDS = 24  # the least width of a row's words beside the bar; else they go below it


def dice_content(dice: Dice, typed: Sequence[int], low: bool) -> Content:
    """Return the dice of a roll, with question marks for faces not typed yet; the colored one is
    filled in. Six lines high, or one on a low screen."""
    names = NAMES[dice]
    faces = [*typed, *(0 for _ in names)][: len(names)]
    if low:
        parts = [
            Content.assemble((f" {face or '?'} ", "reverse bold"), (f" {name}", "dim"))
            for name, face in zip(names, faces, strict=True)
        ]
        return Content("  ").join(parts)
    boxes = [_box(face, name == "colored") for name, face in zip(names, faces, strict=True)]
    below = [Content.styled(f"{name:^9}", "dim") for name in names]
    return Content("\n").join(Content("  ").join(row) for row in [*zip(*boxes, strict=True), below])


def _box(face: int, filled: bool) -> list[Content]:
    style = "$accent reverse" if filled else "$accent"
    return [
        Content.styled("╭───────╮", style),
        *(Content.styled(f"│ {pips} │", style) for pips in PIPS[face]),
        Content.styled("╰───────╯", style),
    ]


def modifiers_content(dice: Dice, modifiers: Sequence[Modifier], low: bool) -> Content:
    """Return each modifier with its reason, and the sum; in one line, or two, on a short
    screen."""
    total = sum(modifier.amount for modifier in modifiers)
    if not modifiers:
        return Content.styled("no modifiers: the Final roll is the Original roll", "dim")
    if low:
        parts = [
            Content.assemble(
                (signed_text(modifier.amount), "bold"), f"\N{NO-BREAK SPACE}{modifier.reason}"
            )
            for modifier in modifiers
        ]
        joined = Content(", ").join(parts)
        if len(parts) == 1:
            return joined
        return Content.assemble(joined, ("  total ", "dim"), (signed_text(total), "bold"))
    reasons = [(modifier.amount, Content(modifier.reason)) for modifier in modifiers]
    if len(modifiers) > 1:
        reasons.append((total, Content.styled("total", "bold")))
    lines = [
        Content.assemble((f"{signed_text(amount):>{REASON - 2}}  ", "bold"), reason)
        for amount, reason in reasons
    ]
    sign = "−" if total < 0 else "+"
    lines.append(Content.styled(f"{'':{REASON}}Final = {dice} {sign} {abs(total)}", "dim"))
    return Content("\n").join(lines)


# --- its result ---------------------------------------------------------------------------------

MOST_FOLLOWING = 5  # effects of a roll that are shown
VERDICTS = ("passes", "fails")


def result_content(rolled: RollResult, room: Size, low: bool) -> Content:
    """Return the result of a roll: the counter and the number needed, the dice, the Final, the
    verdict, and each effect; on a low screen the dice in one line with the rest."""
    head, score = _head_and_score(rolled)
    follows = [text_in_words(text) for text in rolled.effects[:MOST_FOLLOWING]]
    more = len(rolled.effects) - MOST_FOLLOWING
    follows += [f"and {more} more lines in the log"] if more > 0 else []
    if low:
        dice = Content(" ").join(
            Content.styled(f" {face} ", "reverse bold") for face in rolled.dice
        )
        line = Content.assemble(dice, "  ", score, *(f" · {text}" for text in follows))
        return Content("\n").join([hang_text(head, room.width), hang_text(line, room.width)])
    kind = Dice.TWO if len(rolled.dice) > 1 else Dice.ONE
    dice = dice_content(kind, rolled.dice, low)
    rows = dice.split("\n")
    beside = max(row.cell_length for row in rows) + 3
    texts = [hang_text(line, room.width - beside) for line in (score, *map(Content, follows))]
    told = [line for text in texts for line in text.split("\n")]
    lines = [
        Content.assemble(row.pad_right(beside - row.cell_length), line)
        for row, line in zip_longest(rows, [Content(), *told], fillvalue=Content())
    ]
    return Content("\n").join([hang_text(head, room.width), *lines])


def _head_and_score(rolled: RollResult) -> tuple[Content, Content]:
    """Return the counter and its check; and the dice with their Final, and the verdict."""
    faces = ",".join(map(str, rolled.dice))
    line = text_in_words(rolled.lines[0])
    found = re.fullmatch(f"(.*?)[:,]? (DR|dr) {faces}(.*)", line)
    head, kind, after = found.groups() if found else (line, "", "")
    final, colon, words = after.partition(": ")
    if not colon:  # a check in an older log
        final, _, words = after.partition(", ")
    for word in VERDICTS:
        words = re.sub(rf"^{word}\b", word.upper(), words)
    score = Content.assemble(f"{kind} {faces}{final}  " if found else "", (words, "bold"))
    return Content.styled(head, "bold"), score


# --- its odds -------------------------------------------------------------------------------------


def odds_text(ask: Question[Any], typed: Sequence[int], room: Size) -> Content:
    """Return a line for each row of a roll's table: its Finals (for a check, the dice), its exact
    chance after the dice already typed, as a bar and in percent, and its text."""
    width = room.width
    if width < 20:
        return Content()
    odds = [(shown_row(ask, row), chance) for row, chance in ask.odds_after(typed)]
    finals = max((len(row.finals_text) for row, _ in odds), default=0)
    bar = max(8, min(24, width // 4))
    head = finals + 2 + 5 + 1 + bar + 2
    longest = max((len(row.text) for row, _ in odds), default=0)
    under = width - head < min(LEAST_WORDS, longest)
    lines: list[Content] = []
    for row, chance in odds:
        style = "dim" if not chance else ""
        line = Content.assemble(
            (f"{row.finals_text:>{finals}}  ", "bold" if chance else "dim"),
            (f"{percent_text(chance):>5} ", style),
            (chance_bar(chance, bar), "$secondary"),
        )
        if under:
            text = Content.styled(" " * (finals + 2) + row.text, "dim")
            lines += [line, hang_text(text, width, finals + 2)]
        else:
            lines.append(hang_text(Content.assemble(line, "  ", (row.text, style)), width, head))
    return Content("\n").join(lines)


def shown_row(ask: Question[Any], row: TableRow) -> TableRow:
    """Return a row as it is shown. A check shows the unmodified dice instead of its Finals ("≤ 6
    passes"), and another roll with two results shows the dice in words ("works on dr ≤ 3")."""
    drm = sum(modifier.amount for modifier in ask.modifiers)
    if not drm or len(ask.odds) != 2:
        return row
    low, high = (None if limit is None else limit - drm for limit in (row.low, row.high))
    if ask.check_text:
        return replace(row, low=low, high=high)
    return row if low is not None else replace(row, text=f"{row.text} on {ask.dice} ≤ {high}")


def chance_bar(chance: Fraction, width: int) -> str:
    """Return a bar for a chance; an impossible row has only dots."""
    if not chance:
        return "·".ljust(width)
    eighths = max(1, round(chance * width * 8))
    full, rest = divmod(eighths, 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(width)


def percent_text(chance: Fraction) -> str:
    """Return a chance in percent: never 0 for something possible, never 100 for something that may
    fail."""
    if not chance:
        return "never"
    if chance == 1:
        return "100%"
    return f"{min(99, max(1, round(chance * 100)))}%"
