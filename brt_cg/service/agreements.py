"""Requests of one player to the other: each is entered instead of an action that a side may not
enter alone, and is carried out once its opponent, or the umpire, agrees."""

from collections.abc import Mapping
from types import MappingProxyType

from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.journal.mismatch import RulesChangedError
from brt_cg.model import Seat
from brt_cg.questions import RefusedError
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.public_point import is_position_known_to
from brt_cg.views.requests import (
    Request,
    check_request_still_valid,
    entries_request_undoes,
    find_request,
)
from brt_cg.views.rights import not_possible_error

NOTHING: Mapping[str, str] = MappingProxyType({})


def request_problem(desk: CampaignReader, request: Request) -> str:
    """Return the reason why a request can no longer be carried out, as the seat may know it; "" if
    there is none."""
    side = desk.side
    try:
        if request.can_be_answered_from(side):
            _check_it_can_be_done(desk, find_request(unrestricted_campaign(desk), request.number))
    except RefusedError as refused:
        return str(refused)
    return ""


def _check_it_can_be_done(desk: CampaignReader, request: Request) -> None:
    """Raise RefusedError if a request cannot be carried out now."""
    journal = unrestricted_campaign(desk)
    check_request_still_valid(journal, request)
    if request.kind in ("undo", "go_back"):
        return
    if journal.mismatch is not None:
        raise RulesChangedError
    if not is_position_known_to(journal, desk.side):
        raise RefusedError(
            "the other player is making a secret decision; try again when it is made"
        )
    journal.entries_to_undo_before(request.kind)


def agree_and_carry_out_request(desk: OpenCampaign, number: int | None = None) -> Entry:
    """Carry out a request of the opponent; by default the only one. Raises RefusedError, also if
    the facts that it depends on have changed since."""
    request = _request_for(desk, number, "agree to", asks=False)
    _check_it_can_be_done(desk, request)
    try:
        return _carried_out(desk, request)
    except RulesChangedError:
        raise
    except RefusedError:
        if desk.side is None or request.kind in ("undo", "go_back"):
            raise
        unrestricted_campaign(desk).try_command(request.kind, request.asked, desk.side)
        # The conflict is with something that the side does not see.
        raise not_possible_error(request.kind) from None


def _carried_out(desk: OpenCampaign, request: Request) -> Entry:
    journal = unrestricted_campaign(desk)
    journal.begin_invocation()
    with journal.transaction():
        _enter(journal, "agree", request)
        match request.kind:
            case "undo" | "go_back":
                return desk.drop_useless_early_answers(
                    journal.undo_and_restore_displaced(entries_request_undoes(journal, request))
                )
            case kind:
                return journal.run_command(kind, request.asked, request.side)


def decline_request(
    desk: OpenCampaign, number: int | None = None, reason: str | None = None
) -> Entry:
    """Decline a request of the opponent, with a reason. Raises RefusedError."""
    request = _request_for(desk, number, "decline", asks=False)
    desk.begin_invocation()
    return _enter(
        unrestricted_campaign(desk), "decline", request, {"reason": reason} if reason else {}
    )


def withdraw_request(desk: OpenCampaign, number: int | None = None) -> Entry:
    """Withdraw a request of the seat's own side. Raises RefusedError."""
    request = _request_for(desk, number, "withdraw", asks=True)
    desk.begin_invocation()
    return _enter(unrestricted_campaign(desk), "withdraw", request)


def _request_for(desk: OpenCampaign, number: int | None, verb: str, asks: bool) -> Request:
    """Return a request that the seat may close: by withdrawing it if `asks`, else by answering
    it."""
    request = find_request(unrestricted_campaign(desk), number)
    side = desk.side
    allowed = request.can_be_withdrawn_from(side) if asks else request.can_be_answered_from(side)
    if not allowed:
        whose = request.side if asks else request.side.enemy
        raise RefusedError(
            f"only the {whose.label} player or the umpire may {verb} request {request.number}"
        )
    return request


def _enter(
    journal: Journal, kind: str, request: Request, also: Mapping[str, str] = NOTHING
) -> Entry:
    by = "players" if journal.seat in (None, Seat.UMPIRE) else str(journal.seat)
    return journal.run_command(kind, {"request": request.number, **also}, by)
