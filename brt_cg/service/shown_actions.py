"""What a player does about something that was shown to him: an answer, an undo, a redo.

Each takes what was shown, and raises NotAsShownError, with nothing done, if that is not what it
would be done to now: another window, the other player or a second program may have gone on
meanwhile.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NewType

from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry
from brt_cg.model import Campaign, Purchase, Side, encode_record
from brt_cg.questions import HAND, DiceSource, Question, Raw, RefusedError, Source
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.undo_redo import known_of, looking_sides
from brt_cg.service.unrestricted import SeatedCampaign, unrestricted_campaign
from brt_cg.views.question_name import QuestionName
from brt_cg.views.undo import Sides, next_to_redo, next_to_undo

Group = NewType("Group", str)  # names entries that are undone or restored together
Records = NewType("Records", str)  # names what records hold
NOTHING_UNDONE = Group("")
CLOSED = "That question is closed: nothing was entered. Here is the open one."
CHANGED = "It has changed since you saw it: nothing was entered. Look, and do it again."
OTHERS = "Something else was entered meanwhile: nothing was {}. Look, and press it again."


class NotAsShownError(RefusedError):
    """Raised where something else is open, or would be taken back, than what was shown."""


# --- a question -----------------------------------------------------------------------------------


def question_as_shown(desk: OpenCampaign, shown: QuestionName | None) -> Question[Any]:
    """The open question, which must be the one that was shown. Raises NotAsShownError."""
    book = desk.view()
    if book.ask is None or shown is None or book.asked != shown:
        raise NotAsShownError(CLOSED)
    return book.ask


def answer_shown(
    desk: OpenCampaign, shown: QuestionName | None, raw: Raw, source: Source = HAND
) -> None:
    """Answers the question that was shown, as an invocation of its own, and plays on to the next
    one. Raises RefusedError."""
    ask = question_as_shown(desk, shown)
    desk.begin_invocation()
    desk.answer_and_play(ask, raw, source)


def answer_shown_list(
    desk: OpenCampaign,
    shown: QuestionName | None,
    subjects: Iterable[str],
    given: Mapping[str, Raw],
) -> None:
    """Answers a list of questions of one kind, whose first was shown: `given` by subject, the
    others by default. Raises RefusedError."""
    _ = question_as_shown(desk, shown)
    known = {ask.subject: ask for ask in desk.upcoming_questions().asks}
    asks = [known.get(subject) for subject in subjects]
    found = [ask for ask in asks if ask is not None]
    if len(found) < len(asks):
        raise NotAsShownError(CLOSED)
    desk.answer_group(found, given)


def roll_shown(desk: OpenCampaign, shown: QuestionName | None, dice: DiceSource) -> None:
    """Rolls for the question that was shown, and plays on to the next one. Raises RefusedError."""
    raw, source = desk.answer_from(question_as_shown(desk, shown), AnswerSupply(dice=dice))
    answer_shown(desk, shown, raw, source)


def end_shown_purchases(desk: OpenCampaign, shown: QuestionName | None, side: Side) -> None:
    """Ends the purchases of a side, which were shown to be open. Raises NotAsShownError and
    RefusedError."""
    if question_as_shown(desk, shown).side is not side:
        raise NotAsShownError(CLOSED)
    desk.begin_invocation()
    desk.answer("done", by=side.value)


# --- records: a purchase, drafts, a counter -------------------------------------------------------


def record_names(
    view: Campaign, ids: Iterable[str], fields: Collection[str] | None = None
) -> Records:
    """The name of what some records hold, or some of their fields; a missing one is nothing."""
    told = []
    for id in sorted(ids):
        side = Side.from_name(id)
        record = view.sides[side] if side else view.purchases.get(id) or view.find(id)
        written = encode_record(record) if record is not None else {}
        told.append([id, {k: v for k, v in written.items() if fields is None or k in fields}])
    return Records(_short(json.dumps(told, sort_keys=True)))


def draft_names(view: Campaign, side: Side) -> Records:
    """The name of all that a side has drafted."""
    return record_names(view, [id for id, each in view.purchases.items() if _is_draft(each, side)])


def _is_draft(purchase: Purchase, side: Side) -> bool:
    return purchase.draft and purchase.side is side


def check_records(found: Records, shown: Records) -> None:
    """Raises NotAsShownError if records are not as they were shown."""
    if found != shown:
        raise NotAsShownError(CHANGED)


# --- back and forth -------------------------------------------------------------------------------


@immutable
class Reversal:
    """What an undo takes back: the whole invocation or its newest entry, and the name of it."""

    group: Group
    whole_call: bool = False


def undo_group(desk: SeatedCampaign, whole_call: bool = False, sides: Sides | None = None) -> Group:
    """What an undo would take back now, as far as those who look may know it."""
    sides = looking_sides(desk) if sides is None else sides
    return _named(desk, next_to_undo(unrestricted_campaign(desk), sides, whole_call))


def redo_group(desk: SeatedCampaign, sides: Sides | None = None) -> Group:
    """What a redo would restore now."""
    sides = looking_sides(desk) if sides is None else sides
    return _named(desk, next_to_redo(unrestricted_campaign(desk), sides))


def go_back_group(desk: SeatedCampaign, entry: int) -> Group:
    """What going back to an entry would undo now, for the umpire."""
    return _named(desk, unrestricted_campaign(desk).entries_to_go_back(entry))


def undo_shown(desk: OpenCampaign, shown: Reversal, sides: Sides | None = None) -> Entry:
    """Undoes what was shown. Raises NotAsShownError and RefusedError."""
    if undo_group(desk, shown.whole_call, sides) != shown.group:
        raise NotAsShownError(OTHERS.format("undone"))
    return desk.undo(shown.whole_call, sides)


def redo_shown(desk: OpenCampaign, shown: Group, sides: Sides | None = None) -> Entry:
    """Restores what was shown. Raises NotAsShownError and RefusedError."""
    if redo_group(desk, sides) != shown:
        raise NotAsShownError(OTHERS.format("restored"))
    return desk.redo(sides)


def go_back_shown(desk: OpenCampaign, entry: int, shown: Group) -> Entry:
    """Undoes everything after an entry, if that is what was shown. Raises NotAsShownError and
    Refused."""
    if go_back_group(desk, entry) != shown:
        raise NotAsShownError(OTHERS.format("undone"))
    return desk.go_back(entry)


def _named(desk: SeatedCampaign, group: Collection[int]) -> Group:
    """The name of entries: of the answers and commands among them that those who look know of, so
    that no secret of the enemy changes it; of a paragraph that has just begun, the paragraph."""
    if not group:
        return NOTHING_UNDONE
    entries, known = unrestricted_campaign(desk).entries, known_of(desk, group)
    numbers: list[object] = [entry.seq for entry in known]
    told = numbers or [entries[seq - 1].rule for seq in [*group][:1]]
    return Group(_short(repr(told)))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
