"""Keeps a campaign on a server whose players may only ask: carries out their requests.

Whose a request is, its player's role says; what a side may ask for stands here. The work is done
at the same desk as everybody's, and stored together with its answer: once, however often the keeper
dies.
"""

import json
import re
from collections.abc import Callable
from threading import Event
from typing import Any

from brt_cg.answers import Refused
from brt_cg.asks import Ask, Roll
from brt_cg.campaign import Campaign
from brt_cg.commands import Command
from brt_cg.counters import Side
from brt_cg.desk import Desk, Supply
from brt_cg.dice import AppDice
from brt_cg.exports.time_travel import check_reach, redo_reach, undo_reach
from brt_cg.journal.book import NOTE
from brt_cg.seats.asks import made_whole
from brt_cg.seats.public_point import known_to_be_asked
from brt_cg.secrets_kept import seen_by
from brt_cg.storage import seats
from brt_cg.storage.errors import MovedOn, StorageError, Unreachable
from brt_cg.storage.place import Address
from brt_cg.storage.requests import Request

AGAIN = 1.0  # seconds after which a server that was lost is tried again, and requests looked for
SOURCES = ("hand", "file", "default")  # where a player's answer may come from
HIDDEN = "This cannot be done now, for a reason that your side may not know"
MOVED_ON = "the campaign has moved on: something else is asked now; nothing was stored"

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # escaped in JSON, and no backslash of a text

Asked = dict[str, Any]
Say = Callable[[str], None]


# --- what a side may ask for ----------------------------------------------------------------------


def _may(side: Side, kind: str, asked: Asked, seen: Campaign) -> bool:
    """Whether a command is for a side to enter: it is about what is its own, as it sees that."""
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
    """Commands of one kind, which both what the side knows of the campaign and the campaign itself
    must allow: why only the latter does not, it is not told."""
    from brt_cg.commands.registry import COMMANDS

    kind, wanted = str(asked["kind"]), list(asked["asked"])
    known = desk.seen_by(side)
    view = seen_by(known.campaign, side).clone()
    for each in wanted:
        if not _may(side, kind, each, view):
            raise Refused(f"{kind}: that is not your side's to enter, but the umpire's")
        if known is desk.book:
            desk.book.in_the_way_of(kind)
        trial = Command(kind, each, view, desk.card, desk.book.numbers, side, desk.book.clock())
        COMMANDS[kind](trial)
    try:
        desk.commands(kind, wanted, side)
    except Refused:
        raise Refused(HIDDEN) from None


def _asked_of(desk: Desk, side: Side, to: Any) -> Ask[Any]:
    """The question that stands open, if it is the one that is answered, and the side may answer
    it."""
    ask = desk.ask
    if ask is None or not known_to_be_asked(ask, side):
        raise Refused(MOVED_ON)
    if [ask.rule, ask.subject, ask.kind] != to:
        raise Refused(MOVED_ON)
    if ask.side is not side and not isinstance(ask, Roll):
        raise Refused(f"{ask.rule} {ask.subject}: the {ask.side.label} side answers that")
    return ask


def _answer(desk: Desk, side: Side, asked: Asked) -> None:
    """One answer; dice are rolled here, whatever was sent."""
    ask = _asked_of(desk, side, asked["to"])
    desk.begin_call()
    if isinstance(ask, Roll):
        raw, source = desk.supply(ask, Supply(dice=AppDice()))
    else:
        raw = made_whole(ask, asked["raw"], side)
        source = asked["source"] if asked.get("source") in SOURCES else SOURCES[0]
    desk.answer_on(ask, raw, source)


def _begin(desk: Desk, side: Side, asked: Asked) -> None:
    desk.begin()


def _undo(desk: Desk, side: Side, asked: Asked) -> None:
    whole = asked["whole"] is True
    check_reach(desk.tell_whole(undo_reach, side, whole), "take back")
    desk.undo(whole)


def _redo(desk: Desk, side: Side, asked: Asked) -> None:
    check_reach(desk.tell_whole(redo_reach, side), "do again")
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
    """Carries out a request and answers it; how, and what is said of it, to the keeper with what
    was wrong. Raises StorageError with neither done."""
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
    except Refused as refused:
        seats.settle(desk.path, request, "refused", str(refused))
        cause = refused.__cause__
        return "refused", f"{refused} ({cause!r})" if cause is not None else str(refused)


def _do(desk: Desk, request: Request) -> None:
    try:
        asked = _read(request.work)
        WORKS[asked["do"]](desk, request.side, asked)
    except (Refused, StorageError):
        raise
    except Exception as error:  # written by hand: whatever it holds, the keeper goes on
        raise Refused("the keeper cannot read that: is its brt-cg the same as yours?") from error


def _read(work: str) -> Any:
    """A request, in which there is no text that a server cannot hold: neither it nor what is said
    of it could be stored. Raises ValueError."""
    asked = json.loads(work)
    json.dumps(asked, ensure_ascii=False).encode()  # fails for half of a pair of surrogates
    if _NUL.search(work):
        raise ValueError("a text holds the character 0")
    return asked


def keep(address: Address, say: Say, once: bool = False, ended: Event | None = None) -> None:
    """Carries out the requests of a campaign's players until `ended`; with `once` those that wait.
    Raises StorageError where it cannot be kept; a connection that is lost is waited for."""
    ended = ended or Event()
    if seats.seat_of(address) is not None:
        raise StorageError(f"{address}: a player's role keeps no campaign; the umpire's does")
    while not ended.is_set():
        try:
            with seats.keeping(address) as heard:
                desk = Desk.open(address)
                try:
                    seats.refresh(address, desk.pages())
                    say(f"keeping {address}")
                    while not ended.is_set():
                        _answer_all(desk, address, say)
                        if once:
                            return
                        heard(AGAIN)
                finally:
                    desk.close()
        except Unreachable as lost:
            if once:
                raise
            say(f"{lost}; trying again")
            ended.wait(AGAIN)


def _answer_all(desk: Desk, address: Address, say: Say) -> None:
    for request in seats.waiting(address):
        whose = f"{request.side.label} {request.number}"
        try:
            outcome, said = carry_out(desk, request)
        except Unreachable:
            raise
        except StorageError as error:  # somebody else was writing, say
            say(f"{whose}: waits: {error}")
            return
        say(f"{whose}: {outcome}{f': {said}' if said else ''}")
