"""The rights of each seat to make entries: one table, the same for the screen, the command line
with `--side`, a seat in a browser, and a mail.

The umpire, and a user without a seat, may do everything. A side enters its own affairs. An entry
that concerns both needs the umpire, or the opponent's agreement: it becomes a request. The opponent
is never asked about something that it may not know of. An entry about something that a side cannot
see is refused just as one about the enemy's affairs is, so that a refusal reveals nothing: a right
is judged on the campaign that the side sees, once the command has been tried there
(views/requests.py).
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum, auto
from typing import Any

from brt_cg.journal.changes import apply_changes, invert_changes
from brt_cg.journal.entries import TRANSPARENT, Entry
from brt_cg.journal.journal import Journal
from brt_cg.journal.selective_undo import entries_undone_with
from brt_cg.model import (
    Campaign,
    Counter,
    Fate,
    Phase,
    Seat,
    Side,
    Unit,
    Vehicle,
    Weapon,
    counter_known_to,
    only_side_allowed_to_read,
    visible_campaign,
)
from brt_cg.questions import APP, Question, RefusedError
from brt_cg.views.journal import is_unknown_to
from brt_cg.views.public_point import known_question
from brt_cg.views.undo import is_passed_over

Asked = Mapping[str, Any]


class Right(Enum):
    """The right of a side to enter something."""

    OWN = auto()  # immediately
    AGREED = auto()  # if the opponent agrees, or the umpire enters it
    NONE = auto()  # not at all


def _whose(key: str) -> Callable[[Campaign, Side, Asked], Right]:
    """Return the right to enter a command that names a side: that side's own."""

    def right(campaign: Campaign, side: Side, asked: Asked) -> Right:
        return Right.OWN if asked.get(key) == side else Right.NONE

    return right


def _half(campaign: Campaign, side: Side, asked: Asked) -> Right:
    """Return the right to enter a scenario-end report: only a side's own; a report for both sides
    concerns both."""
    return Right.AGREED if asked.get("side") is None else _whose("side")(campaign, side, asked)


def _counters(campaign: Campaign, side: Side, asked: Asked) -> Right:
    """Return the right to add arriving counters: only a side's own."""
    state = asked.get("state")
    rows = state.values() if isinstance(state, dict) else ()
    added = [row for table in rows if isinstance(table, list) for row in table]
    sides = {row.get("side") for row in added if isinstance(row, dict)}
    if sides <= {side}:
        return Right.OWN
    return Right.NONE if sides == {side.enemy} else Right.AGREED


def _own(campaign: Campaign, side: Side, asked: Asked) -> Right:
    """Return the right to change counters and arrivals: only a side's own, as it sees them."""
    ids, view = asked.get("ids"), visible_campaign(campaign, side)
    found = [view.find(str(id)) or view.arrivals.get(str(id)) for id in ids or ()]
    own = all(each is not None and each.side is side for each in found)
    return Right.OWN if own else Right.NONE


def _note(campaign: Campaign, side: Side, asked: Asked) -> Right:
    return Right.OWN if asked.get("side") in (None, side) else Right.NONE


def _purchase(campaign: Campaign, side: Side, asked: Asked) -> Right:
    """Return a side's right to change a purchase: only its own, as it sees it."""
    found = visible_campaign(campaign, side).purchases.get(str(asked.get("purchase")))
    return Right.OWN if found is not None and found.side is side else Right.NONE


def _correction(campaign: Campaign, side: Side, asked: Asked) -> Right:
    """Return the right to make a correction. A side may correct its own secrets, about which its
    opponent may not be asked, and anything else that it sees if its opponent agrees."""
    also = (each.get("id") for each in asked.get("also", ()))
    rights = {_correction_of(campaign, side, str(id)) for id in (asked.get("id"), *also)}
    return next(right for right in (Right.NONE, Right.AGREED, Right.OWN) if right in rights)


def _correction_of(campaign: Campaign, side: Side, id: str) -> Right:
    if id in campaign.sides or id == "campaign":
        return Right.AGREED
    view = visible_campaign(campaign, side)
    record = view.find(id)
    if record is None:
        return Right.NONE
    return Right.OWN if only_side_allowed_to_read(view, record) is side else Right.AGREED


def _ruling(campaign: Campaign, side: Side, asked: Asked) -> Right:
    """Return the right to set a ruling: rulings are agreed on before the first scenario; later the
    opponent must agree."""
    return Right.OWN if campaign.situation.phase is Phase.PURCHASE else Right.AGREED


def _of_both(campaign: Campaign, side: Side, asked: Asked) -> Right:
    """Return the right to an entry that both must agree on."""
    return Right.AGREED


def _free(campaign: Campaign, side: Side, asked: Asked) -> Right:
    return Right.OWN


COMMANDS: Mapping[str, Callable[[Campaign, Side, Asked], Right]] = {
    "import": _half,
    "reinforce": _counters,
    **dict.fromkeys(("drop", "deploy"), _own),
    "buy": _whose("side"),
    "commit": _whose("side"),
    "discard": _whose("side"),
    "void": _purchase,
    "allot": _whose("side"),  # a side's points may be its secret
    "note": _note,
    "edit": _correction,
    "waive": _of_both,
    "ruling": _ruling,
    "aid": _free,
    **dict.fromkeys(TRANSPARENT, _free),
    "ahead": _whose("side"),
}


# Commands that no hidden fact affects, so that they are not tried before a side enters them.
FREE = frozenset(kind for kind, right in COMMANDS.items() if right is _free)


def right_to(journal: Journal, seat: Seat | None, kind: str, asked: Asked) -> Right:
    """Return the right of a seat to enter a command now, judged on the campaign that it sees."""
    side = None if seat is None else seat.side
    if side is None or kind == "new":
        return Right.OWN
    if kind == "import" and counters_contradicting_opponent(journal, asked):
        return Right.AGREED
    return COMMANDS[kind](journal.campaign, side, asked)


def counters_contradicting_opponent(journal: Journal, asked: Asked) -> list[Counter]:
    """Return the equipment and prisoners on which a side's scenario-end report contradicts its
    opponent's: on their possessor or guard, or on whether they are still in play."""
    side, state = Side.from_name(asked.get("side")), asked.get("state")
    theirs = journal.scenario_end_reports().get(side.enemy) if side is not None else None
    if theirs is None or not isinstance(state, dict) or side is None:
        return []
    before = journal.campaign.clone()
    with suppress(ValueError):  # fails if this side's first report depends on theirs
        apply_changes(before, invert_changes(theirs.changes))
    stay = [*(asked.get("captured") or ()), *(asked.get("kept") or ())]
    rows = [
        row
        for table in (Unit.TABLE, Weapon.TABLE, Vehicle.TABLE)
        for row in state.get(table) or ()
        if isinstance(row, dict) and row.get("id") not in stay
    ]
    pieces = ((counter_known_to(journal.campaign, str(row.get("id")), side), row) for row in rows)
    return [
        now
        for now, row in pieces
        if now is not None and _is_contradicted(side, before.find(now.id), now, row)
    ]


def _is_contradicted(side: Side, was: Counter | None, now: Counter, row: Asked) -> bool:
    """Whether a row of a side's report contradicts its opponent's report about a counter."""
    if was is None or was == now:
        return False
    lives = row.get("fate") in (None, Fate.IN_PLAY)
    if isinstance(now, Unit) and isinstance(was, Unit):
        captured = now.side is side and now.prisoner and not was.prisoner
        return captured and not (lives and "prisoner" in (row.get("status") or ()))
    theirs, said = (now.side, now.in_play), (row.get("side"), lives)
    return (was.side, was.in_play) != theirs != said and side in (was.side, said[0])


class NotYourTurnError(RefusedError):
    """The error raised if only the opponent may answer; it reveals nothing that only the opponent
    knows."""


def private_turn_error() -> NotYourTurnError:
    """Return the refusal of an answer while only the opponent may know the question."""
    return NotYourTurnError("the other player is making a secret decision; wait for it")


def no_right_error(kind: str) -> RefusedError:
    """Return the refusal of a command that a side has no right to; the error reveals nothing about
    the enemy."""
    return RefusedError(f"{kind}: only your opponent or the umpire may enter this")


def not_possible_error(kind: str) -> RefusedError:
    """Return the refusal of a command that conflicts with nothing the side sees; the reason is not
    given."""
    return RefusedError(
        f"{kind}: this cannot be entered from your seat now; ask the umpire to enter it"
    )


def check_may_answer(journal: Journal, seat: Seat | None, ask: Question[Any]) -> None:
    """Raise NotYourTurnError unless a seat may answer the open question: its own, one that concerns
    both, or dice that it may know of."""
    side = None if seat is None else seat.side
    if side is None or ask.side is side:
        return
    if known_question(journal, side) is None:
        raise private_turn_error()
    if not (ask.dice or _concerns_both(ask)):
        raise NotYourTurnError(
            f"{ask.rule} {ask.subject}: only the {ask.side.label} player may answer this"
        )


def _concerns_both(ask: Question[Any]) -> bool:
    return ask.public and Side.from_name(ask.subject) is None


def is_for_both(ask: Question[Any]) -> bool:
    """Whether both sides may see a question and either may answer it: dice that are not for hidden
    counters, and points that the players settle together."""
    return ask.secret is None and (ask.dice is not None or _concerns_both(ask))


def right_to_undo_entries(
    journal: Journal, seat: Seat | None, group: list[int], shared: int = 0
) -> Right:
    """Return the right of a seat to undo, or restore, entries: its own, unless an entry of its
    opponent's, or one of the umpire's that the opponent knows of, is among them. Among the first
    `shared` entries, which the opponent has too, those that concern both and the program's dice
    need the opponent's consent. The enemy's secrets neither give a side a right nor remove one."""
    side = None if seat is None else seat.side
    if side is None:
        return Right.OWN
    alone = [
        journal.entries[seq - 1] for seq in group if journal.entries[seq - 1].can_be_undone_alone
    ]
    known = [entry for entry in alone if not is_unknown_to(entry, side)]
    if (alone and not known) or _takes_too_much(journal, side, group):
        return Right.NONE
    rights = {_to_take_back(entry, side, entry.seq <= shared) for entry in known}
    return next((right for right in (Right.NONE, Right.AGREED) if right in rights), Right.OWN)


def _takes_too_much(journal: Journal, side: Side, group: list[int]) -> bool:
    """Whether an undo includes entries that a side does not know of and that need not be undone."""
    entries = [journal.entries[seq - 1] for seq in group]
    passed = {e.seq for e in entries if is_passed_over(e, (side,))}
    if not journal.standing.issuperset(group):  # a redo
        return False
    if is_unknown_to(entries[0], side) and entries[0].can_be_undone_alone:
        return True
    return bool(passed) and group != entries_undone_with(
        journal, [s for s in group if s not in passed]
    )


def _to_take_back(entry: Entry, side: Side, shared: bool) -> Right:
    rolled = shared and "roll" in entry.payload and entry.payload.get("from") == APP.way
    if is_unknown_to(entry, side.enemy):
        # The opponent may not be asked about a hidden counter's die, and it is not rolled again
        # without consent.
        return Right.NONE if rolled else Right.OWN
    if (entry.seat or entry.payload.get("by")) in (side.enemy.value, Seat.UMPIRE.value):
        return Right.AGREED
    return Right.AGREED if rolled or (shared and _is_of_both(entry, side)) else Right.OWN


def _is_of_both(entry: Entry, side: Side) -> bool:
    """Whether an entry belongs to both sides: an answer that concerns both, an import for both, or
    an entry without a known seat."""
    if entry.kind == "import":
        return entry.asked.get("side") != side
    own = entry.seat is not None or entry.payload.get("by") == side
    return bool(entry.payload.get("public")) or not own
