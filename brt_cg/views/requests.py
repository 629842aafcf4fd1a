"""What one side has asked of the other, and is neither agreed to, declined nor withdrawn."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.fields import plain, public_name
from brt_cg.questions.answers import Refused
from brt_cg.text import listed
from brt_cg.views.rights import Right, not_yours, right_to


@dataclass(frozen=True, slots=True)
class Request:
    """A wish of a side: its number, the command that is wanted, and what it rests on."""

    number: int
    side: Side
    kind: str
    asked: dict[str, Any]
    words: str
    stands: Any


def open_requests(journal: Journal) -> list[Request]:
    """The requests that wait for the other side, oldest first."""
    made: dict[int, Request] = {}
    number = 0
    for entry in _of_agreement(journal):
        if entry.kind == "ask":
            number += 1
            asked = entry.asked
            made[number] = Request(
                number,
                Side(asked["side"]),
                asked["kind"],
                asked["asked"],
                asked["words"],
                asked.get("stands"),
            )
        else:
            made.pop(int(entry.asked["request"]), None)
    return list(made.values())


def _of_agreement(journal: Journal) -> Iterator[Entry]:
    return (journal.entries[seq - 1] for seq in journal.agreements)


def request_called(journal: Journal, number: int | None) -> Request:
    """The open request of a number; without one, the only one. Raises Refused."""
    found = open_requests(journal)
    if number is None and len(found) == 1:
        return found[0]
    for request in found:
        if request.number == number:
            return request
    allowed = listed(request.number for request in found)
    wanted = "one open request" if number is None else f"open request {number}"
    raise Refused(f"there is no {wanted}; open: {allowed}")


def rests_on(journal: Journal, kind: str, asked: dict[str, Any]) -> Any:
    """What a request rests on: for a correction the values that it would change, else the number of
    standing entries."""
    if kind != "edit":
        return len(journal.standing)
    record = _record(journal, str(asked.get("id")))
    values = asked.get("set")
    if record is None or not isinstance(values, dict):
        return None
    names = {public_name(name): name for name in record.names()}
    return {name: plain(getattr(record, names[name])) for name in values if name in names}


def _record(journal: Journal, id: str) -> Any:
    campaign = journal.campaign
    if id == "campaign":
        return campaign.situation
    return campaign.sides.get(id) or campaign.find(id)


def check_it_stands(journal: Journal, request: Request) -> None:
    """Raises Refused if what a request rests on has changed since it was made."""
    if rests_on(journal, request.kind, request.asked) != request.stands:
        raise Refused(
            f"request {request.number} ({request.words}) was made before something else was "
            "entered: ask again"
        )


def in_words(kind: str, asked: dict[str, Any]) -> str:
    """A wish in the players' words: "correct m-sq-1 (location=N20): he moved"."""
    match kind:
        case "edit":
            given = asked.get("set")
            values = given.items() if isinstance(given, dict) else ()
            fields = ", ".join(f"{name}={value}" for name, value in values)
            return f"correct {asked.get('id')} ({fields}): {asked.get('reason')}"
        case "ruling":
            return f"the ruling {asked.get('id')}={asked.get('value')}"
        case "import":
            return f"import the end of the scenario, both sides ({asked.get('source')})"
        case "undo":
            return "take back " + ("the last command" if asked.get("whole") else "the last entry")
        case "go_back":
            return "go back to an earlier entry"
        case _:
            return kind


# --- entering -----------------------------------------------------------------------------------


def enter_or_ask(journal: Journal, kind: str, asked: dict[str, Any], by: str) -> Entry:
    """Carries out a command that the seat may enter alone; asks the other side for one that
    concerns both. Raises Refused."""
    right = right_to(journal, journal.seat, kind, asked)
    side = None if journal.seat is None else journal.seat.side
    if right is Right.NONE:
        raise not_yours(kind)
    if right is Right.OWN or side is None:
        return journal.command(kind, asked, by)
    _try_out(journal, kind, asked, side)
    return ask_for(journal, kind, asked, side)


class _Tried(Exception):
    """Raised to take back what was tried."""


def _try_out(journal: Journal, kind: str, asked: dict[str, Any], side: Side) -> None:
    """Raises Refused for a command that could not be carried out now; changes nothing."""
    with suppress(_Tried), journal.together():
        journal.command(kind, asked, side)
        raise _Tried


def ask_for(journal: Journal, kind: str, asked: dict[str, Any], side: Side) -> Entry:
    """Enters what a side asks of the other one."""
    stands = rests_on(journal, kind, asked)
    words = in_words(kind, asked)
    wish = {"kind": kind, "asked": asked, "side": side, "words": words, "stands": stands}
    return journal.command("ask", wish, side)
