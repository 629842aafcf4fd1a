"""What one side asks of the other: entered instead of what it may not enter alone, and carried out
once the other side, or the umpire, agrees."""

from collections.abc import Mapping
from types import MappingProxyType

from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.journal.mismatch import RulesMoved
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.views.public_point import is_open_to
from brt_cg.views.requests import Request, check_it_stands, request_called, to_take_back
from brt_cg.views.rights import not_from_here

NOTHING: Mapping[str, str] = MappingProxyType({})


def problem_with(desk: Desk, request: Request) -> str:
    """Why a request cannot be carried out any more, as far as the seat may know; "" if it can."""
    side = desk.side
    try:
        if request.answered_from(side):
            _check_it_can_be_done(desk, request_called(whole(desk), request.number))
    except Refused as refused:
        return str(refused)
    return ""


def _check_it_can_be_done(desk: Desk, request: Request) -> None:
    """Raises Refused if a request cannot be carried out now, or not any more."""
    journal = whole(desk)
    check_it_stands(journal, request)
    if request.kind in ("undo", "go_back"):
        return
    if journal.mismatch is not None:
        raise RulesMoved
    if not is_open_to(journal, desk.side):
        raise Refused("the other side has something to decide in private: the request waits for it")
    journal.entries_to_undo_before(request.kind)


def agree(desk: Desk, number: int | None = None) -> Entry:
    """Carries out what the other side asked for; by default the only request. Raises Refused, also
    if what it rests on has changed since."""
    request = _request_for(desk, number, "agree", asks=False)
    _check_it_can_be_done(desk, request)
    try:
        return _carried_out(desk, request)
    except RulesMoved:
        raise
    except Refused:
        if desk.side is None or request.kind in ("undo", "go_back"):
            raise
        whole(desk).tried(request.kind, request.asked, desk.side)
        raise not_from_here(request.kind) from None  # what it does not see speaks against it


def _carried_out(desk: Desk, request: Request) -> Entry:
    journal = whole(desk)
    journal.begin_call()
    with journal.together():
        _enter(journal, "agree", request)
        match request.kind:
            case "undo" | "go_back":
                return desk.travelled(journal.reverse(to_take_back(journal, request)))
            case kind:
                return journal.command(kind, request.asked, request.side)


def decline(desk: Desk, number: int | None = None, reason: str | None = None) -> Entry:
    """Declines what the other side asked for, with a word why. Raises Refused."""
    request = _request_for(desk, number, "decline", asks=False)
    desk.begin_call()
    return _enter(whole(desk), "decline", request, {"reason": reason} if reason else {})


def withdraw(desk: Desk, number: int | None = None) -> Entry:
    """Takes back what one's own side asked for. Raises Refused."""
    request = _request_for(desk, number, "withdraw", asks=True)
    desk.begin_call()
    return _enter(whole(desk), "withdraw", request)


def _request_for(desk: Desk, number: int | None, verb: str, asks: bool) -> Request:
    """A request that the seat may end: `asks` is whether the side that made it does."""
    request = request_called(whole(desk), number)
    side = desk.side
    allowed = request.withdrawn_from(side) if asks else request.answered_from(side)
    if not allowed:
        whose = request.side if asks else request.side.enemy
        raise Refused(f"request {request.number}: the {whose.label} side may {verb}, or the umpire")
    return request


def _enter(
    journal: Journal, kind: str, request: Request, also: Mapping[str, str] = NOTHING
) -> Entry:
    by = "players" if journal.seat in (None, Seat.UMPIRE) else str(journal.seat)
    return journal.command(kind, {"request": request.number, **also}, by)
