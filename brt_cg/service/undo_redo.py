"""Undo and redo for the seat of an open campaign: whether it may use them, and their
descriptions."""

from collections.abc import Collection
from enum import StrEnum
from itertools import groupby, islice

from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TIME_TRAVEL, Entry
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.service.unrestricted import SeatedCampaign, unrestricted_campaign
from brt_cg.text import count_text
from brt_cg.views.journal import (
    entries_of_undo,
    entry_name,
    entry_name_for_sides,
    is_unknown_to,
    undone_lines,
)
from brt_cg.views.journal_rows import title_of_entry
from brt_cg.views.roll_result import brief_roll_text
from brt_cg.views.undo import Sides, next_to_redo, next_to_undo, sides_of_seat

MOST_TOLD = 12  # lines shown about undone entries
WEIGHTY = ("import", "reinforce", "allot")  # one entry each, but with much typed input


class UndoReach(StrEnum):
    """The possible answers to whether a seat may undo, or redo, the next entries."""

    NOTHING = "nothing"  # no entries at all; only the umpire learns this
    NOT_YOURS = "not yours"  # no entries that the side may know of, or undo alone
    POSSIBLE = "possible"


def undo_reach(
    desk: SeatedCampaign, whole_call: bool = False, sides: Sides | None = None
) -> UndoReach:
    """Return whether the seat may undo the newest entry that it may know of, or the whole
    invocation that contains it. The umpire may undo everything. `sides` are the sides that must
    know of it, if not only the seat's own."""
    return _reach(desk, next_to_undo(unrestricted_campaign(desk), _who(desk, sides), whole_call))


def redo_reach(desk: SeatedCampaign, sides: Sides | None = None) -> UndoReach:
    """Return whether the seat may redo the last undone entries."""
    return _reach(desk, next_to_redo(unrestricted_campaign(desk), _who(desk, sides)))


def looking_sides(desk: SeatedCampaign) -> Sides:
    """Return the sides at this screen, each of which is shown only facts that it knows. The umpire
    has none."""
    return tuple(Side) if desk.at_table else sides_of_seat(desk.side)


def _who(desk: SeatedCampaign, sides: Sides | None) -> Sides:
    return looking_sides(desk) if sides is None else sides


def _reach(desk: SeatedCampaign, group: Collection[int]) -> UndoReach:
    if group:
        return UndoReach.POSSIBLE
    return UndoReach.NOTHING if desk.side is None and not desk.at_table else UndoReach.NOT_YOURS


def check_reach(reach: UndoReach, verb: str, at_table: bool = False) -> None:
    """Raise RefusedError if a seat, or two players `at_table`, have nothing to `verb` ("undo"), in
    words that do not reveal whether the enemy did something in secret."""
    if reach is not UndoReach.NOT_YOURS:
        return
    if at_table:
        raise RefusedError(
            f"There is nothing to {verb} that both players know of; a player who looks alone may "
            f"{verb} more"
        )
    raise RefusedError(f"This seat has nothing to {verb}; everything else belongs to your opponent")


def undo_text(desk: SeatedCampaign, entry: Entry) -> str:
    """Return a sentence about an undo or redo, as the seat knows it, or about the request for it to
    the opponent."""
    journal, sides = unrestricted_campaign(desk), looking_sides(desk)
    if entry.kind == "ask":
        return entry.said[0].text
    verb = TIME_TRAVEL[entry.kind].capitalize()
    concerned = [journal.entries[seq - 1] for seq in entry.asked["entries"]]
    known = [each for each in concerned if each.can_be_undone_alone]
    for side in sides:
        known = [each for each in known if each in entries_of_undo(journal, entry, side)]
    if not known:  # only paragraphs that had just begun
        return f"{verb}: {entry_name_for_sides(concerned[0], sides)}"
    first, *more = known
    others = f", and {len(more)} more" if more else ""
    return f"{verb}: {_words(first, sides)}{others}"


def entry_count(desk: SeatedCampaign) -> int:
    """Return the number of entries, secret ones too: not for players."""
    return len(unrestricted_campaign(desk).entries)


def first_entry_to_undo(
    desk: SeatedCampaign, whole_call: bool = False, sides: Sides | None = None
) -> tuple[int, str]:
    """Return the first entry that an undo would undo, and its name as the seat knows it; 0 and ""
    if there is none."""
    journal, who = unrestricted_campaign(desk), _who(desk, sides)
    first = min(next_to_undo(journal, who, whole_call), default=0)
    return first, entry_name_for_sides(journal.entries[first - 1], who) if first else ""


def is_undo_of_answer_list(desk: SeatedCampaign, sides: Sides | None = None) -> bool:
    """Whether the last invocation that the seat knows of entered several answers to questions of a
    paragraph and nothing else: such a list is undone as a whole."""
    alone = known_answers_and_commands(
        desk, next_to_undo(unrestricted_campaign(desk), _who(desk, sides), whole_call=True)
    )
    chosen = [entry for entry in alone if entry.kind == "answer" and "roll" not in entry.payload]
    return len(alone) > 1 and chosen == alone and len({entry.rule for entry in alone}) == 1


def undo_extent_text(
    desk: SeatedCampaign, whole_call: bool = False, sides: Sides | None = None, always: bool = False
) -> str:
    """Return the extent of an undo in words, as the seat may know it, if it is more than one answer
    or purchase, or if `always` is set; otherwise ""."""
    alone = known_answers_and_commands(
        desk, next_to_undo(unrestricted_campaign(desk), _who(desk, sides), whole_call)
    )
    is_much = len(alone) > 1 or any(entry.kind in WEIGHTY for entry in alone)
    if not alone or not (is_much or always):
        return ""
    answers = sum(entry.kind == "answer" for entry in alone)
    parts = [count_text(answers, "answer")] if answers else []
    parts += [entry_name(entry) for entry in alone if entry.kind != "answer"]
    first = _words(alone[0], looking_sides(desk))
    return f"{', '.join(parts)}; first: {first}" if len(alone) > 1 else first


def known_answers_and_commands(
    desk: SeatedCampaign, group: Collection[int], sides: Sides | None = None
) -> list[Entry]:
    """Return the answers and commands of these entries that the seat, or these sides, know of."""
    entries = (unrestricted_campaign(desk).entries[seq - 1] for seq in group)
    alone = (entry for entry in entries if entry.can_be_undone_alone)
    looking = _who(desk, sides)
    return [entry for entry in alone if not any(is_unknown_to(entry, side) for side in looking)]


def go_back_lines(desk: SeatedCampaign, entry: int) -> list[str]:
    """Return the effect of going back to an entry, for the umpire: a line for each paragraph or
    command, with the number of answers. If there are many lines, the middle ones are only
    counted."""
    journal = unrestricted_campaign(desk)
    entries = (journal.entries[seq - 1] for seq in journal.entries_to_undo_after(entry))
    lines = []
    for heading, run in groupby(
        (entry for entry in entries if entry.can_be_undone_alone),
        key=lambda entry: entry.rule or entry.seq,
    ):
        first, *more = run
        answers = f": {count_text(len(more) + 1, 'answer')}" if first.rule else ""
        lines.append(f"{heading if first.rule else ''} {title_of_entry(first)}{answers}".strip())
    hidden = len(lines) - MOST_TOLD
    if hidden > 1:
        half = MOST_TOLD // 2
        lines[half:-half] = [f"… and {hidden} more …"]
    return lines


def commands_after(desk: SeatedCampaign, answer: int) -> list[str]:
    """Return the commands after an answer that going back to it would undo too, by their titles."""
    journal = unrestricted_campaign(desk)
    entries = (journal.entries[seq - 1] for seq in journal.entries_to_undo_after(answer - 1))
    return [title_of_entry(entry) for entry in entries if entry.kind not in KINDS_OF_PARAGRAPH]


def newest_answers(desk: SeatedCampaign, most: int) -> list[tuple[int, str]]:
    """Return the newest answers of this Refit Phase that the umpire may give again, each with the
    number of its entry and its first line."""
    journal = unrestricted_campaign(desk)
    answers = (entry for entry in journal.entries_of_this_phase() if entry.kind == "answer")
    return [(entry.seq, _brief(entry)) for entry in islice(answers, most)]


def _brief(entry: Entry) -> str:
    words = _words(entry, ())
    roll = entry.payload.get("roll")
    return brief_roll_text(words, roll["dice"]) if roll is not None else words


def _words(entry: Entry, sides: Sides) -> str:
    lines = [*entry.said]
    for side in sides:
        known = [*undone_lines(entry, side)]
        lines = [line for line in lines if line in known]
    return next((line.text for line in lines), "") or entry_name_for_sides(entry, sides)
