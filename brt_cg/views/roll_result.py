"""The result of the newest roll, as a value: the roll and its effects.

It is shown until the viewers may know of another answer, or of any other entry except a note. An
early answer that the roll leads to does not hide it.
"""

import re
from collections.abc import Iterable, Iterator

from brt_cg.immutable import immutable
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TRANSPARENT, Entry
from brt_cg.journal.journal import NOTE, Journal
from brt_cg.questions import DEFAULT
from brt_cg.views.journal import HEADINGS, is_hidden_from, known_lines
from brt_cg.views.undo import Sides

# A ruling or a reading that the result depends on, at the end of a line.
_NAMED_RULES = re.compile(r"( \((R-|ruling |program's reading: |fixed reading: )[^)]*\))+$")


@immutable
class RollResult:
    """A roll and its consequences: its `dice`, the `final` result and its row of the table (None if
    a modifier is not known to the viewers), and the lines, the first of which reports the roll."""

    dice: tuple[int, ...]
    final: int | None
    row: str | None
    lines: tuple[str, ...]

    @property
    def effects(self) -> tuple[str, ...]:
        """The lines after the first, without the name of the counter that the first begins with."""
        first, *rest = self.lines
        who = first.partition(": ")[0]
        return tuple(line.removeprefix(f"{who}: ").removeprefix(f"{who} ") for line in rest)

    @property
    def brief(self) -> str:
        """The first line without the table and the modifiers."""
        return brief_roll_text(self.lines[0], self.dice)


def brief_roll_text(line: str, dice: Iterable[int]) -> str:
    """Return the line of a roll, shortened to the counter, its dice and their result: "8-0 Ferris
    (K24): 6,6 fails"."""
    who, _, rest = _NAMED_RULES.sub("", line).partition(": ")
    rolled = ",".join(map(str, dice))
    _, found, after = rest.partition(f" {rolled}")
    _, colon, verdict = after.partition(": ")
    if not colon:  # a check
        _, colon, verdict = after.rpartition(", ")
    return f"{who}: {rolled} {verdict}" if found and colon else line


def newest_roll_result(journal: Journal, sides: Sides) -> RollResult | None:
    """Return the newest roll of the newest invocation that these sides know of, unless a question
    that was not answered early has been answered since; None if there is none."""
    call = None
    for entry in _known(journal, sides):
        is_roll = "roll" in entry.payload
        decided = not is_roll and entry.payload.get("from") == DEFAULT.way
        if (
            entry.kind not in KINDS_OF_PARAGRAPH
            or entry.invocation != (call or entry.invocation)
            or decided
        ):
            return None
        if is_roll:
            return _result(entry, sides)
        call = entry.invocation
    return None


def _known(journal: Journal, sides: Sides) -> Iterator[Entry]:
    """Yield the entries not undone that these sides know of, newest first, without notes, and
    without the beginnings of paragraphs that have no lines for them."""
    for entry in journal.newest_not_undone_first():
        if entry.kind == NOTE or entry.kind in TRANSPARENT:
            continue
        if entry.kind in HEADINGS and not any(_lines(entry, sides)):
            continue
        if not any(is_hidden_from(entry, side) for side in sides):
            yield entry


def _lines(entry: Entry, sides: Sides) -> Iterator[str]:
    """Yield the lines of an entry that these sides may read."""
    for line in entry.said if entry.kind != "skip" else ():
        if all(line in known_lines(entry, side) for side in sides):
            yield line.text


def _result(rolled: Entry, sides: Sides) -> RollResult:
    roll, told = rolled.payload["roll"], rolled.said[:1]
    whole = all(any(line in known_lines(rolled, side) for line in told) for side in sides)
    final, row = (roll["final"], roll["row"]) if whole else (None, None)
    return RollResult(tuple(roll["dice"]), final, row, tuple(_lines(rolled, sides)))
