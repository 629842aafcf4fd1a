"""Undo and redo for a seat: whether it may do them, and how they are worded."""

from collections.abc import Collection
from enum import StrEnum
from itertools import groupby

from brt_cg.journal.entries import TIME_TRAVEL, Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.text import counted
from brt_cg.views.journal import named, travelled, undone_lines
from brt_cg.views.rows import lines_of, title_of
from brt_cg.views.taking_back import Sides, is_unknown, next_to_redo, next_to_undo, seats

MOST_TOLD = 12  # lines shown of what is undone
WEIGHTY = ("import", "reinforce", "allot")  # one entry each, but with much typed input


class Reach(StrEnum):
    """Whether a seat may undo, or redo, what comes next."""

    NOTHING = "nothing"  # there is nothing, which the umpire may know
    NOT_YOURS = "not yours"  # nothing that a side may know of, or take back alone
    POSSIBLE = "possible"


def undo_reach(
    journal: Journal, side: Side | None, whole_call: bool = False, sides: Sides | None = None
) -> Reach:
    """The reach of an undo of the newest entry that a seat may know of, or of the whole invocation
    that it is in; `side` None is the umpire, who may undo everything. `sides` are those who must
    know of it, where that is not the side alone."""
    return _reach(side, next_to_undo(journal, _who(side, sides), whole_call))


def redo_reach(journal: Journal, side: Side | None, sides: Sides | None = None) -> Reach:
    """The reach of a redo."""
    return _reach(side, next_to_redo(journal, _who(side, sides)))


def _who(side: Side | None, sides: Sides | None) -> Sides:
    return seats(side) if sides is None else sides


def _reach(side: Side | None, group: Collection[int]) -> Reach:
    if group:
        return Reach.POSSIBLE
    return Reach.NOTHING if side is None else Reach.NOT_YOURS


def check_reach(reach: Reach, verb: str) -> None:
    """Raises Refused if a seat has nothing to `verb` ("undo"), in words that do not reveal
    whether the enemy did something in secret."""
    if reach is Reach.NOT_YOURS:
        raise Refused(f"This seat has nothing to {verb}; anything else belongs to the other side")


def travel_text(journal: Journal, side: Side | None, entry: Entry) -> str:
    """An undo or redo in one sentence, as far as a side (None: the umpire) knows of it; or that the
    other side was asked for it."""
    if entry.kind == "ask":
        return lines_of(entry)[0].text
    verb = TIME_TRAVEL[entry.kind].capitalize()
    concerned = [journal.entries[seq - 1] for seq in entry.asked["entries"]]
    alone = [entry for entry in concerned if entry.stands_alone]
    known = alone if side is None else travelled(journal, entry, side)
    if not known:  # paragraphs that had just begun
        return f"{verb}: {named(concerned[0])}"
    first, *more = known
    others = f", and {len(more)} more" if more else ""
    return f"{verb}: {_words(first, side)}{others}"


def is_one_list(journal: Journal, side: Side | None = None, sides: Sides | None = None) -> bool:
    """Whether the last invocation that a seat knows of entered several answers to questions of one
    paragraph and nothing else: a list, which one undo takes back."""
    alone = _known(journal, next_to_undo(journal, _who(side, sides), whole_call=True), side)
    chosen = [entry for entry in alone if entry.kind == "answer" and "roll" not in entry.payload]
    return len(alone) > 1 and chosen == alone and len({entry.rule for entry in alone}) == 1


def much_text(
    journal: Journal, side: Side | None, whole_call: bool = False, sides: Sides | None = None
) -> str:
    """What an undo would undo, as far as a side may know it, if that is more than one answer or
    purchase; otherwise ""."""
    alone = _known(journal, next_to_undo(journal, _who(side, sides), whole_call), side)
    if len(alone) < 2 and not any(entry.kind in WEIGHTY for entry in alone):
        return ""
    answers = sum(entry.kind == "answer" for entry in alone)
    parts = [counted(answers, "answer")] if answers else []
    parts += [named(entry) for entry in alone if entry.kind != "answer"]
    first = _words(alone[0], side)
    return f"{', '.join(parts)}; first: {first}" if len(alone) > 1 else first


def _known(journal: Journal, group: Collection[int], side: Side | None) -> list[Entry]:
    """The answers and commands of these entries that a seat knows of."""
    entries = (journal.entries[seq - 1] for seq in group)
    alone = (entry for entry in entries if entry.stands_alone)
    return [entry for entry in alone if side is None or not is_unknown(entry, side)]


def lost_text(journal: Journal, entry: int) -> list[str]:
    """What going back to an entry undoes, for the umpire: a line for each paragraph or command,
    with the number of answers; of many lines the middle is only counted."""
    entries = (journal.entries[seq - 1] for seq in journal.to_go_back(entry))
    lines = []
    for heading, run in groupby(
        (entry for entry in entries if entry.stands_alone),
        key=lambda entry: entry.rule or entry.seq,
    ):
        first, *more = run
        answers = f": {counted(len(more) + 1, 'answer')}" if first.rule else ""
        lines.append(f"{heading if first.rule else ''} {title_of(first)}{answers}".strip())
    hidden = len(lines) - MOST_TOLD
    if hidden > 1:
        half = MOST_TOLD // 2
        lines[half:-half] = [f"… and {hidden} more …"]
    return lines


def _words(entry: Entry, side: Side | None) -> str:
    lines = lines_of(entry) if side is None else undone_lines(entry, side)
    return next((line.text for line in lines), "") or named(entry)
