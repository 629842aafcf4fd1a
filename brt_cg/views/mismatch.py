"""A paragraph that this program's rules play differently from the journal, in words for a seat; and
the ways out.

A side learns which answer differs only if it knows of that answer and nothing hidden differs too.
Only the umpire reads the result by the rules.
"""

from collections.abc import Iterator

from brt_cg.immutable import immutable
from brt_cg.journal.changes import RECORDS, Change
from brt_cg.journal.journal import Journal
from brt_cg.journal.mismatch import Cause, Mismatch
from brt_cg.journal.rules_version import VERSION, read_rules_version
from brt_cg.model import BY_TABLE, FieldChange, Side, field_of, only_side_allowed_to_read
from brt_cg.refit.sequence import TITLES
from brt_cg.text import count_text
from brt_cg.views.journal import entry_name, is_hidden_from, undone_lines
from brt_cg.views.undo import Sides, next_to_redo, next_to_undo

_CAUSES = {
    Cause.RESULT: "give a different result for",
    Cause.REFUSED: "do not accept",
    Cause.NOT_ASKED: "do not ask for",
    Cause.ENDS: "ask no more questions after",
}
_BEGINNING = "begin it differently"
SOME_PARAGRAPH = "The paragraph in progress"


@immutable
class ShownMismatch:
    """A mismatch as a seat may know it. `what` is the paragraph, `reasons` are sentences: which
    answer differs, and why. `back` counts the answers and commands that an undo would undo (None:
    this seat has nothing to undo), `redo` says whether the seat may redo."""

    what: str
    reasons: tuple[str, ...]
    back: int | None
    redo: bool

    @property
    def title(self) -> str:
        return f"{self.what} cannot continue"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The problem in words, without the ways out."""
        return (f"{self.title}: it was played under other rules.", *self.reasons)

    def ways_out(self, undo: str, redo: str) -> tuple[str, ...]:
        """Return the ways out, with the key or command of each."""
        some = f" ({count_text(self.back, 'answer')})" if self.back and self.back > 1 else ""
        ways = [f"{undo}: undo back to the point where the rules agree{some}"] * (
            self.back is not None
        )
        ways += [f"{redo}: redo the undone entries"] * self.redo
        return tuple(ways or [_FOR_OTHERS])


_FOR_OTHERS = "Your opponent, or the umpire, can undo back to the point where the rules agree."


def visible_mismatch(journal: Journal, sides: Sides) -> ShownMismatch | None:
    """Return the mismatch of a journal as these sides (none: the umpire) may all know it; None if
    there is none."""
    mismatch = journal.mismatch
    if mismatch is None:
        return None
    group = next_to_undo(journal, sides)
    alone = (
        entry for entry in (journal.entries[seq - 1] for seq in group) if entry.can_be_undone_alone
    )
    known = [entry for entry in alone if not any(is_hidden_from(entry, side) for side in sides)]
    redo = bool(next_to_redo(journal, sides))
    return ShownMismatch(
        *_known_text(journal, mismatch, sides), back=len(known) if group else None, redo=redo
    )


def _known_text(journal: Journal, mismatch: Mismatch, sides: Sides) -> tuple[str, tuple[str, ...]]:
    """Return the name of the paragraph, and the reasons."""
    if not all(_is_open(journal, mismatch, side) for side in sides):
        return SOME_PARAGRAPH, ("This program's rules give a different result than the journal.",)
    entry = journal.entries[mismatch.entry - 1]
    number = str(entry.rule or journal.campaign.situation.paragraph)
    lines = [*entry.said]
    for side in sides:
        lines = [line for line in lines if line in [*undone_lines(entry, side)]]
    answer = next((line.text for line in lines), "") or entry_name(entry)
    does = f"{_CAUSES[mismatch.cause]} “{answer}”" if entry.kind != "begin" else _BEGINNING
    return f"{number} {TITLES[number]}", (
        f"{_versions(str(entry.payload['rules']))} {does}.",
        *([] if sides else _details(journal, mismatch)),
    )


def _versions(recorded: str) -> str:
    was = read_rules_version(recorded).number
    if was == VERSION:
        return "This program's rules"
    return f"It was played under version {was} of the rules; this program's version, {VERSION},"


def _is_open(journal: Journal, mismatch: Mismatch, side: Side) -> bool:
    """Whether a side may know the answer at which the rules differ."""
    entry = journal.entries[mismatch.entry - 1]
    if entry.kind != "answer" or is_hidden_from(entry, side):
        return False
    return all(_is_public(journal, change, side) for change in mismatch.differences)


def _is_public(journal: Journal, change: Change, side: Side) -> bool:
    table, id, *_ = change
    counter = journal.campaign.find(id) if table in BY_TABLE else None
    return (
        counter is not None
        and only_side_allowed_to_read(journal.campaign, counter) is not side.enemy
    )


def _details(journal: Journal, mismatch: Mismatch) -> Iterator[str]:
    """Yield the details for the umpire: why an answer is not accepted, or the first difference."""
    if mismatch.why:
        yield f"{mismatch.why}."
    for change in mismatch.differences[:1]:
        more = len(mismatch.differences) - 1
        others = f"; and {count_text(more, 'more difference')}" if more else ""
        yield f"By these rules: {_change(journal, change)}{others}."


def _change(journal: Journal, change: Change) -> str:
    """Return a difference in words: the value by the rules, then the value in the journal."""
    table, id, name, recorded, ruled = change
    campaign = journal.campaign
    counter = campaign.find(id) if table in BY_TABLE else None
    whose = counter.label if counter is not None else Side(id).label if id in list(Side) else id
    if not name:
        return f"{whose} is {'added' if recorded is None else 'not added'}"
    spoken = campaign.change_with_spoken_values(
        FieldChange(field_of(RECORDS[table], name), ruled, recorded)
    )
    by_the_rules = FieldChange(spoken.field, None, spoken.before).new_value_text
    return f"{whose}: {by_the_rules} (in the journal: {spoken.new_value_text})"
