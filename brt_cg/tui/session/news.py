"""What has happened since a seat last looked."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brt_cg.model.counters import Side
from brt_cg.text import counted
from brt_cg.tui.session.session import Seen
from brt_cg.views.rows import TITLES, TRAVELS, ShownLine

ENDS = {TITLES["agree"]: "Agreed", TITLES["decline"]: "Declined"}


@dataclass(frozen=True, slots=True)
class News:
    """A line about everything since a seat last looked, from the line numbered `since` on."""

    since: int
    text: str


def news_of(lines: Sequence[ShownLine]) -> News:
    """The news in these lines, of which there is at least one."""
    first, last = lines[0].heading, lines[-1].heading
    steps = first if first == last else f"from {first} to {last}"
    number = counted(len(lines), "line")
    return News(lines[0].seq, f"Since you last looked: {number}, {steps}")


def news_between(before: Seen | None, now: Seen, key: str) -> Iterator[tuple[str, str]]:
    """What a new picture tells of what others did, each with a title."""
    yield from news_of_requests(before, now, key)
    yield from news_of_taking_back(before, now)


def news_of_requests(before: Seen | None, now: Seen, key: str) -> Iterator[tuple[str, str]]:
    """What a new picture tells of requests, each with a title: those that the seat may answer, with
    `key`, and how its own have ended."""
    if before is None or (before.begun, before.seat) != (now.begun, now.seat):
        return
    known = {request.number for request in before.requests}
    for request in now.asked_here:
        if request.number not in known and now.seat is not None:
            yield f"The {request.side.label} side asks you · {key} answers", request.words
    still = {request.number for request in now.requests}
    if any(each.side is now.seat and each.number not in still for each in before.requests):
        told = {*before.log}
        for line in now.log:
            if line not in told and line.title in ENDS:
                yield ENDS[line.title], line.text


def news_of_taking_back(before: Seen | None, now: Seen) -> Iterator[tuple[str, str]]:
    """What a new picture tells a side of what others have taken back or restored, each with a
    title: who sees his screen change reads who did what."""
    if before is None or (before.begun, before.seat) != (now.begun, now.seat):
        return
    if now.seat is None or now.turn is not None:
        return  # the umpire, or two at one screen, who see what they do
    told = Counter((line.title, line.text) for line in before.log)
    new: dict[tuple[str, Side | None], list[str]] = {}
    for line in now.log:
        told[line.title, line.text] -= 1
        if line.title in TRAVELS and line.side is not now.seat and told[line.title, line.text] < 0:
            new.setdefault((line.title, line.side), []).append(line.text)
    for (_, side), (first, *more) in new.items():
        who = "The umpire" if side is None else f"The {side.label} side"
        yield who, f"{first}, and {len(more)} more" if more else first
