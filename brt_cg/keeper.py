"""Keeps a campaign on a server whose players may only ask: carries out their requests.

A request belongs to the side of its player's role; this module says what a side may ask for. The
work is done at an ordinary desk and stored together with the request's outcome, exactly once, even
if the keeper is killed.
"""

import json
import re
from collections.abc import Callable
from threading import Event
from typing import Any

from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.exports.time_travel import check_reach, redo_reach, undo_reach
from brt_cg.journal.entries import SOURCES
from brt_cg.journal.journal import NOTE
from brt_cg.journal.seat_pages import Request
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.visibility import seen_by
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Ask, Roll
from brt_cg.questions.dice import AppDice
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.storage import seats
from brt_cg.storage.errors import MovedOn, StorageError, Unreachable, Unstorable
from brt_cg.storage.place import Address
from brt_cg.views.asks import made_whole
from brt_cg.views.public_point import known_ask

AGAIN = 1.0  # seconds between attempts to reconnect, and between looks for requests
BY_PLAYERS = [source for source in SOURCES if source != "app"]  # dice are always rolled here
HIDDEN = "This cannot be done now, for a reason that your side may not know"
STANDS = (
    "The other side decides in private now: until it has, your side sees the campaign as it stood "
    "before, and can enter only what was possible then"
)
MOVED_ON = "the campaign has moved on: something else is asked now; nothing was stored"

# An escaped NUL in JSON, not an escaped backslash before "u0000".
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

Asked = dict[str, Any]
Say = Callable[[str], None]


# --- what a side may ask for ----------------------------------------------------------------------


def _may(side: Side, kind: str, asked: Asked, seen: Campaign) -> bool:
    """Whether a side may enter a command: it must be for that side, or about one of its own
    records."""
    if kind in ("buy", "commit", "discard", "import"):
        return asked.get("side") == side
    if kind == NOTE:
        return asked.get("side") in (None, side)
    own: object = None
    if kind == "void":
        own = seen.purchases.get(str(asked.get("purchase")))
    elif kind == "edit":
        own = seen.find(str(asked.get("id")))
    return getattr(own, "side", None) is side


def _command(desk: Desk, side: Side, asked: Asked) -> None:
    """Carries out commands of one kind. They must be allowed both in the side's view and in the
    whole campaign; a refusal by the latter alone is not explained to the side."""
    kind, wanted = str(asked["kind"]), list(asked["asked"])
    known = desk.seen_by(side)
    view = seen_by(known.campaign, side).clone()
    for each in wanted:
        if not _may(side, kind, each, view):
            raise Refused(f"{kind}: that is not your side's to enter, but the umpire's")
        if known is desk.journal:
            desk.journal.entries_to_undo_before(kind)
        trial = Command(
            kind, each, view, desk.card, desk.journal.numbers, side, desk.journal.clock()
        )
        try:
            COMMANDS[kind](trial)
        except Refused as refused:
            raise refused if known is desk.journal else Refused(f"{refused}. {STANDS}") from None
    try:
        desk.commands(kind, wanted, side)
    except Refused:
        raise Refused(HIDDEN) from None


def _asked_of(desk: Desk, side: Side, to: Any) -> Ask[Any]:
    """The open question, if it is the one being answered and the side may answer it."""
    ask = known_ask(desk.journal, side)
    if ask is None or [ask.rule, ask.subject, ask.kind] != to:
        raise Refused(MOVED_ON)
    if ask.side is not side and not isinstance(ask, Roll):
        raise Refused(f"{ask.rule} {ask.subject}: the {ask.side.label} side answers that")
    return ask


def _answer(desk: Desk, side: Side, asked: Asked) -> None:
    """Enters one answer; dice are always rolled here."""
    ask = _asked_of(desk, side, asked["to"])
    desk.begin_call()
    if isinstance(ask, Roll):
        raw, source = desk.supply(ask, Supply(dice=AppDice()))
    else:
        raw = made_whole(ask, asked["raw"], side)
        source = asked["source"] if asked.get("source") in BY_PLAYERS else "hand"
    desk.answer_on(ask, raw, source)


def _begin(desk: Desk, side: Side, asked: Asked) -> None:
    desk.begin()


def _undo(desk: Desk, side: Side, asked: Asked) -> None:
    whole = asked["whole"] is True
    check_reach(desk.tell_whole(undo_reach, side, whole), "undo")
    desk.undo(whole)


def _redo(desk: Desk, side: Side, asked: Asked) -> None:
    check_reach(desk.tell_whole(redo_reach, side), "redo")
    desk.redo()


WORKS: dict[str, Callable[[Desk, Side, Asked], None]] = {
    "command": _command,
    "answer": _answer,
    "begin": _begin,
    "undo": _undo,
    "redo": _redo,
}


# --- carried out ----------------------------------------------------------------------------------


def carry_out(desk: Desk, request: Request) -> tuple[str, str]:
    """Carries out a request and stores its outcome. Returns the outcome and a message for the
    keeper, with what was wrong. Raises StorageError with neither done."""
    assert isinstance(desk.path, Address)
    if desk.moved_on():
        desk.reload()
    before = len(desk.entries)
    try:
        with desk.carrying_out(request):
            _do(desk, request)
        if len(desk.entries) == before:
            seats.settle(desk.path, request, "done", "")
        return "done", ""
    except MovedOn:
        desk.reload()
        return carry_out(desk, request)
    except (Refused, Unstorable) as refused:
        seats.settle(desk.path, request, "refused", str(refused))
        cause = refused.__cause__
        return "refused", f"{refused} ({cause!r})" if cause is not None else str(refused)


def _do(desk: Desk, request: Request) -> None:
    try:
        asked = _read(request.work)
        WORKS[asked["do"]](desk, request.side, asked)
    except (Refused, StorageError):
        raise
    except Exception as error:  # a request may hold anything; the keeper must survive it
        raise Refused("the keeper cannot read that: is its brt-cg the same as yours?") from error


def _read(work: str) -> Any:
    """Parses a request. Raises ValueError, also for text that a server cannot hold, since neither
    the entry nor its outcome could be stored."""
    asked = json.loads(work)
    json.dumps(asked, ensure_ascii=False).encode()  # fails for an unpaired surrogate
    if _NUL.search(work):
        raise ValueError("a text holds the character 0")
    return asked


def keep(address: Address, say: Say, once: bool = False, ended: Event | None = None) -> None:
    """Carries out the players' requests until `ended`; with `once`, only the waiting ones. Raises
    StorageError if the campaign cannot be kept; waits while the connection is lost."""
    ended, lost = ended or Event(), ""
    if seats.seat_of(address) is not None:
        raise StorageError(f"{address}: a player's role keeps no campaign; the umpire's does")
    while not ended.is_set():
        try:
            with seats.keeping(address) as heard:
                desk = Desk.open(address)
                try:
                    seats.refresh(address, desk.pages())
                    say(f"keeping {address}")
                    lost = ""
                    while not ended.is_set():
                        _answer_all(desk, address, say)
                        if once:
                            return
                        heard(AGAIN)
                finally:
                    desk.close()
        except Unreachable as error:
            if once:
                raise
            if str(error) != lost:
                lost = str(error)
                say(f"{lost}; trying again until it is back")
            ended.wait(AGAIN)


def _answer_all(desk: Desk, address: Address, say: Say) -> None:
    for request in seats.waiting(address):
        whose = f"{request.side.label} {request.number}"
        try:
            outcome, said = carry_out(desk, request)
        except Unreachable:
            raise
        except StorageError as error:  # for instance, somebody else was writing
            say(f"{whose}: waits: {error}")
            return
        say(f"{whose}: {outcome}{f': {said}' if said else ''}")
