"""What a player does about something that was shown to him: an answer, an undo, a redo.

Each takes what was shown, and raises NotAsShown, with nothing done, if that is not what it would be
done to now: another window, the other player or a second program may have gone on meanwhile.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NewType

from brt_cg.journal.entries import Entry
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.encoding import encoded
from brt_cg.model.records import Purchase
from brt_cg.model.value import value
from brt_cg.questions.answers import HAND, Raw, Refused, Source
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import DiceSource
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.time_travel import known_of, looking
from brt_cg.service.whole import AtDesk, whole
from brt_cg.views.question_name import QuestionName
from brt_cg.views.taking_back import Sides, next_to_redo, next_to_undo

Group = NewType("Group", str)  # names entries that are undone or restored together
Records = NewType("Records", str)  # names what records hold
NOTHING = Group("")
CLOSED = "That question is closed: nothing was entered. Here is the open one."
CHANGED = "It has changed since you saw it: nothing was entered. Look, and do it again."
OTHERS = "Something else was entered meanwhile: nothing was {}. Look, and press it again."


class NotAsShown(Refused):
    """Raised where something else is open, or would be taken back, than what was shown."""


# --- a question -----------------------------------------------------------------------------------


def asked(desk: Desk, shown: QuestionName | None) -> Ask[Any]:
    """The open question, which must be the one that was shown. Raises NotAsShown."""
    book = desk.book()
    if book.ask is None or shown is None or book.asked != shown:
        raise NotAsShown(CLOSED)
    return book.ask


def answer(desk: Desk, shown: QuestionName | None, raw: Raw, source: Source = HAND) -> None:
    """Answers the question that was shown, as an invocation of its own, and plays on to the next
    one. Raises Refused."""
    ask = asked(desk, shown)
    desk.begin_call()
    desk.answer_on(ask, raw, source)


def answer_list(
    desk: Desk, shown: QuestionName | None, subjects: Iterable[str], given: Mapping[str, Raw]
) -> None:
    """Answers a list of questions of one kind, whose first was shown: `given` by subject, the
    others by default. Raises Refused."""
    _ = asked(desk, shown)
    known = {ask.subject: ask for ask in desk.coming().asks}
    asks = [known.get(subject) for subject in subjects]
    found = [ask for ask in asks if ask is not None]
    if len(found) < len(asks):
        raise NotAsShown(CLOSED)
    desk.answer_alike(found, given)


def roll(desk: Desk, shown: QuestionName | None, dice: DiceSource) -> None:
    """Rolls for the question that was shown, and plays on to the next one. Raises Refused."""
    raw, source = desk.supply(asked(desk, shown), Supply(dice=dice))
    answer(desk, shown, raw, source)


def done_buying(desk: Desk, shown: QuestionName | None, side: Side) -> None:
    """Ends the purchases of a side, which were shown to be open. Raises NotAsShown and Refused."""
    if asked(desk, shown).side is not side:
        raise NotAsShown(CLOSED)
    desk.begin_call()
    desk.answer("done", by=side.value)


# --- records: a purchase, drafts, a counter -------------------------------------------------------


def records(view: Campaign, ids: Iterable[str], fields: Collection[str] | None = None) -> Records:
    """The name of what some records hold, or some of their fields; a missing one is nothing."""
    told = []
    for id in sorted(ids):
        side = Side.called(id)
        record = view.sides[side] if side else view.purchases.get(id) or view.find(id)
        written = encoded(record) if record is not None else {}
        told.append([id, {k: v for k, v in written.items() if fields is None or k in fields}])
    return Records(_short(json.dumps(told, sort_keys=True)))


def drafts(view: Campaign, side: Side) -> Records:
    """The name of all that a side has drafted."""
    return records(view, [id for id, each in view.purchases.items() if _is_draft(each, side)])


def _is_draft(purchase: Purchase, side: Side) -> bool:
    return purchase.draft and purchase.side is side


def check(found: Records, shown: Records) -> None:
    """Raises NotAsShown if records are not as they were shown."""
    if found != shown:
        raise NotAsShown(CHANGED)


# --- back and forth -------------------------------------------------------------------------------


@value
class Reversal:
    """What an undo takes back: the whole invocation or its newest entry, and the name of it."""

    group: Group
    whole_call: bool = False


def to_undo(desk: AtDesk, whole_call: bool = False, sides: Sides | None = None) -> Group:
    """What an undo would take back now, as far as those who look may know it."""
    sides = looking(desk) if sides is None else sides
    return _named(desk, next_to_undo(whole(desk), sides, whole_call))


def to_redo(desk: AtDesk, sides: Sides | None = None) -> Group:
    """What a redo would restore now."""
    sides = looking(desk) if sides is None else sides
    return _named(desk, next_to_redo(whole(desk), sides))


def to_go_back(desk: AtDesk, entry: int) -> Group:
    """What going back to an entry would undo now, for the umpire."""
    return _named(desk, whole(desk).to_go_back(entry))


def undo(desk: Desk, shown: Reversal, sides: Sides | None = None) -> Entry:
    """Undoes what was shown. Raises NotAsShown and Refused."""
    if to_undo(desk, shown.whole_call, sides) != shown.group:
        raise NotAsShown(OTHERS.format("undone"))
    return desk.undo(shown.whole_call, sides)


def redo(desk: Desk, shown: Group, sides: Sides | None = None) -> Entry:
    """Restores what was shown. Raises NotAsShown and Refused."""
    if to_redo(desk, sides) != shown:
        raise NotAsShown(OTHERS.format("restored"))
    return desk.redo(sides)


def go_back(desk: Desk, entry: int, shown: Group) -> Entry:
    """Undoes everything after an entry, if that is what was shown. Raises NotAsShown and
    Refused."""
    if to_go_back(desk, entry) != shown:
        raise NotAsShown(OTHERS.format("undone"))
    return desk.go_back(entry)


def _named(desk: AtDesk, group: Collection[int]) -> Group:
    """The name of entries: of the answers and commands among them that those who look know of, so
    that no secret of the enemy changes it; of a paragraph that has just begun, the paragraph."""
    if not group:
        return NOTHING
    entries, known = whole(desk).entries, known_of(desk, group)
    numbers: list[object] = [entry.seq for entry in known]
    told = numbers or [entries[seq - 1].rule for seq in [*group][:1]]
    return Group(_short(repr(told)))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
