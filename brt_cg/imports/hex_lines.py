"""Hexes as the eye goes over the map: "P34 1 2 5; Q35 3, 9-1 Crowe" beside a numbered list.

A part, up to a semicolon, is a Location, then the counters in it: their numbers in the list, their
ids, names or labels. "M1: P34 1" names the list, "in P34 1 2" a hex that is not known, "off 4"
what is off map. Where some counters have no hex yet, "in P34" alone means all of them that the
text does not name.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from brt_cg.board import grid, locations
from brt_cg.board.locations import IN, OFF_MAP, is_within
from brt_cg.card.consistency import why_a_hex_is_needed
from brt_cg.model.counters import Counter, Fortification, Piece
from brt_cg.model.numbered import NumberedList, holder_of
from brt_cg.questions.answers import Refused

_LIST = re.compile(r"\s*([MJmj]\d+)\s*:\s+")
OFF = ("off", OFF_MAP)


@dataclass(slots=True)
class Part:
    """One part of a line as understood: its `text`, the Location, the counters in it, and what is
    wrong with it. `others`: it names none, and means all the others; `notes` say which of them it
    cannot mean."""

    text: str
    location: str | None = None
    counters: list[Counter] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    others: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def words(self) -> str:
        """The part in words: "P34: 6-6-8 B, HMG m-mg-1"."""
        named = ", ".join(map(_named, self.counters))
        if self.others and len(self.counters) > 1:
            named = f"the other {len(self.counters)}"
        parts = [f"{self.location or '?'}: {named or 'nobody yet'}", *self.notes, *self.problems]
        return "; ".join(parts)


def understood(
    text: str,
    lists: Sequence[NumberedList],
    at: NumberedList | None,
    others: Sequence[Counter] = (),
) -> list[Part]:
    """The parts of a text, one or more lines, as far as they are understood. Numbers are those of
    the list `at`, or of the list that a part names. `others` are those that a Location alone
    means, if no part names them."""
    found, taken = [], dict[str, str]()
    for line in text.splitlines():
        for words in filter(str.strip, line.split(";")):
            named = _LIST.match(words)
            if named:
                at = next((each for each in lists if each.name == named[1].upper()), None)
                words = words[named.end() :]
            part = _part(words.strip(), lists, at)
            if named and at is None:
                part.problems.append(f"there is no list {named[1]}")
            for counter in part.counters:
                where = taken.setdefault(counter.id, str(part.location))
                if where != part.location:
                    part.problems.append(f"{counter.sort} {counter.id} is in {where} already")
            found.append(part)
    for part in found:
        if others and part.location is not None and not (part.counters or part.problems):
            _take_others(part, [each for each in others if each.id not in taken])
            taken |= dict.fromkeys((each.id for each in part.counters), part.location)
    return found


def _take_others(part: Part, others: Sequence[Counter]) -> None:
    """Puts all others in a part's Location, but not those whose hex must be known, nor who holds
    them; what somebody holds goes along."""
    part.others = True
    known = {each.id: each for each in others}
    needed = [each for each in others if is_within(part.location) and _needs_a_hex(each)]
    apart = {each.id for each in needed}
    for counter in needed:
        while (counter := known.get(holder_of(counter))) is not None and counter.id not in apart:  # type: ignore[assignment]
            apart.add(counter.id)
    part.counters += [
        each for each in others if each.id not in apart and holder_of(each) not in known
    ]
    if needed:
        part.notes.append(f"a hex is needed for {', '.join(map(_named, needed))}")


def _needs_a_hex(counter: Counter) -> bool:
    if isinstance(counter, Piece):
        return why_a_hex_is_needed(counter) is not None
    return isinstance(counter, Fortification)


def _named(counter: Counter) -> str:
    return f"{counter.sort} {counter.name or counter.id}"


def read_places(
    text: str,
    lists: Sequence[NumberedList],
    at: NumberedList | None = None,
    others: Sequence[Counter] = (),
) -> dict[str, str]:
    """The Location of each counter that a text names, by id. Raises Refused with everything that is
    not understood."""
    parts = understood(text, lists, at, others)
    problems = [f"{part.text}: {problem}" for part in parts for problem in part.problems]
    problems += [f"{part.text}: names no counter" for part in parts if not part.counters]
    if problems:
        raise Refused(*problems)
    return {each.id: str(part.location) for part in parts for each in part.counters}


def _part(text: str, lists: Sequence[NumberedList], at: NumberedList | None) -> Part:
    part = Part(text)
    first, _, rest = text.partition(" ")
    if first.lower() == IN.strip():
        hex, _, rest = rest.strip().partition(" ")
        first = IN + hex
    try:
        part.location = location_of(first)
    except ValueError as error:
        part.problems.append(str(error))
    everybody = [counter for each in lists for counter in each.counters]
    for called in (each.strip() for each in rest.split(",")):
        _read_counters(part, called, everybody, at)
    return part


def location_of(text: str) -> str:
    """A Location as typed: "p34", "in p34", "off", of a Fortification a hexside too. Raises
    BadLocation."""
    if text.lower() in OFF:
        return OFF_MAP
    written = locations.in_capitals(text)
    if written.startswith(IN):
        return locations.within(locations.check_hex(written.removeprefix(IN)))
    return grid.check_hexside(written) if "/" in written else locations.check_location(written)


def _read_counters(
    part: Part, text: str, everybody: Iterable[Counter], at: NumberedList | None
) -> None:
    """Reads "1 2 9-1 Crowe": at each word the longest name that there is, else a number."""
    words, known = text.split(), [*everybody]
    while words:
        for length in range(len(words), 0, -1):
            called = " ".join(words[:length])
            found = named_so(called, known)
            if not found and length == 1 and called.isdecimal():
                numbered = at.called(int(called)) if at is not None else None
                found = [numbered] if numbered is not None else []
            if found:
                break
        if len(found) == 1:
            part.counters += found
        elif found:
            ids = ", ".join(each.id for each in found)
            part.problems.append(f"{called}: several are called so: {ids}")
        else:
            length = 1
            where = f"in {at.title}" if at is not None else "without a list"
            what = "no such number" if words[0].isdecimal() else "nobody is called so"
            part.problems.append(f"{words[0]}: {what} {where}")
        words = words[length:]


def named_so(called: str, counters: Iterable[Counter]) -> list[Counter]:
    """The counters with this id; else those with this name, or this type and name ("9-1 Crowe",
    "6-6-8 B"), whatever the capitals."""
    known = [*counters]
    for each in known:
        if each.id == called:
            return [each]
    wanted = called.casefold()
    return [
        each
        for each in known
        if each.name and wanted in (each.name.casefold(), f"{each.sort} {each.name}".casefold())
    ]
