"""Hexes as the eye goes over the map: "P34 1 2 5; Q35 3, 9-1 Crowe" beside a numbered list.

A part, up to a semicolon, is a Location, then the counters in it: their numbers in the list, their
ids, names or labels. "M1: P34 1" names the list (K24: where K24 is Isolated), "in P34 1 2" a hex
that is not known, "off 4" what is off map. Where some counters have no hex yet, "in P34" alone
means all of them that the text does not name. Where events are read too, "x 4 7-9" is what their
letter says, "x *" of the whole list, "c 3 by Crowe" and "t 5 by M2:12" with the unit that did it,
"j 8 by hero".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from brt_cg.board import grid, locations
from brt_cg.board.locations import IN, OFF_MAP, is_within
from brt_cg.card.consistency import why_a_hex_is_needed
from brt_cg.model.counters import Counter, Fortification, Piece, Weapon, WeaponKind
from brt_cg.model.events import BY_LETTER, BY_NAME, CAPTURED, DROPPED, JOINED, MOVED, PASSED
from brt_cg.model.numbered import NumberedList, holder_of
from brt_cg.questions.answers import Refused

_LIST = re.compile(r"\s*(\S+?)\s*:\s+")  # the name of a list: M1:, P35:, S12:j-pb-14:
_NUMBER_OF = re.compile(r"(\S+):(\d{1,4})")
_NUMBERS = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
ALL = "*"  # all counters of a list
GONE = ("eliminated", CAPTURED)  # events after which "in P34" does not mean a counter
OFF = ("off", OFF_MAP)


@dataclass(slots=True)
class Part:
    """One part of a line as understood: its `text`, the Location, the counters in it, and what is
    wrong with it. `of` is the list that it, or a part before it, names. `others`: it names no
    counter, and means all the others; `notes` say which of them it cannot mean. `event` is the name
    of an event that it tells instead of a Location, with what is `given` for its question."""

    text: str
    of: str = ""
    location: str | None = None
    event: str = ""
    given: str = ""
    counters: list[Counter] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    others: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def words(self) -> str:
        """The part in words: "P34: 6-6-8 B, HMG m-mg-1"."""
        named = ", ".join(each.called for each in self.counters)
        if self.others and len(self.counters) > 1:
            named = f"the other {len(self.counters)}"
        what = self.location or "?"
        if self.event:
            event = BY_NAME[self.event]
            what = f"{event.words} {event.link} {self.given}" if self.given else event.words
        parts = [f"{what}: {named or 'nobody yet'}", *self.notes, *self.problems]
        return "; ".join(parts)


def understood(
    text: str,
    lists: Sequence[NumberedList],
    at: NumberedList | None,
    others: Sequence[Counter] = (),
    *,
    events: bool = False,
) -> list[Part]:
    """The parts of a text, one or more lines, as far as they are understood. Numbers are those of
    the list `at`, or of the list that a part names. `others` are those that a Location alone
    means, if no part names them; `events`: a part may tell an event by its letter, and only "in
    P34" means others."""
    found, taken, of = [], dict[str, str](), ""
    for line in text.splitlines():
        for words in filter(str.strip, line.split(";")):
            named = _LIST.match(words)
            if named:
                words, of = words[named.end() :], named[1]
                at = next(_called(of, lists), None)
            part = _part(words.strip(), lists, at, events)
            part.of = of
            if named and at is None:
                part.problems.append(f"there is no list {named[1]}")
            for counter in part.counters if part.location is not None else ():
                where = taken.setdefault(counter.id, str(part.location))
                if where != part.location:
                    part.problems.append(f"{counter.sort} {counter.id} is in {where} already")
            found.append(part)
    everybody = [counter for each in lists for counter in each.counters]
    for part in found:
        if part.event in GONE:
            taken |= {each.id: part.event for each in part.counters}
    for part in found:
        alone = part.location is not None and not (part.counters or part.problems)
        if others and alone and (is_within(part.location) or not events):
            _take_others(part, [each for each in others if each.id not in taken], everybody)
            taken |= {each.id: str(part.location) for each in part.counters}
    return found


def _take_others(part: Part, others: Sequence[Counter], everybody: Sequence[Counter]) -> None:
    """Puts all others in a part's Location, but not those whose hex must be known, nor their
    holders; whatever a counter holds goes along, captured SW too, wherever it is."""
    part.others = True
    known = {each.id: each for each in (*everybody, *others)}
    apart: dict[str, Counter] = {}
    for counter in known.values() if is_within(part.location) else ():
        if _needs_a_hex(counter) and not _is_carried(counter):
            held: Counter | None = counter
            while held is not None and held.id not in apart:
                apart[held.id] = counter
                held = known.get(holder_of(held))
    ids = {each.id for each in others}
    part.counters += [
        each
        for each in others
        if each.id not in apart and holder_of(each) not in ids and not _is_carried(each)
    ]
    if needed := {apart[each.id].id: apart[each.id] for each in others if each.id in apart}:
        part.notes.append(
            f"a hex is needed for {', '.join(each.called for each in needed.values())}"
        )


def _needs_a_hex(counter: Counter) -> bool:
    if isinstance(counter, Piece):
        return why_a_hex_is_needed(counter) is not None
    return isinstance(counter, Fortification)


def _is_carried(counter: Counter) -> bool:
    """Whether it is a SW that somebody possesses."""
    sw = isinstance(counter, Weapon) and counter.kind is WeaponKind.SW
    return sw and bool(holder_of(counter))


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


def _part(text: str, lists: Sequence[NumberedList], at: NumberedList | None, events: bool) -> Part:
    part = Part(text)
    first, _, rest = text.partition(" ")
    if events and first == BY_NAME[MOVED].letter:
        first, _, rest = rest.strip().partition(" ")  # as without it
    elif events and first in BY_LETTER:
        return _event(part, first, rest, lists, at)
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


def _event(
    part: Part, letter: str, rest: str, lists: Sequence[NumberedList], at: NumberedList | None
) -> Part:
    """Reads "x 4 7", "c 3 by Crowe", after the letter."""
    event = BY_LETTER[letter]
    part.event = event.name
    if event.asks:
        rest, by, given = rest.partition(f" {event.link} ")
        rest = rest.removesuffix(f" {event.link}")  # while it is typed
        if not by and event.name == JOINED:
            part.problems.append(f"{event.words} {event.asks} write {letter} 3 {event.link} …")
        part.given = given.strip()
        if by and event.name in (CAPTURED, PASSED):
            _read_unit(part, lists, at if event.name == PASSED else None)
        elif by and event.name == JOINED and not part.given:
            part.problems.append(f"{event.words} {event.asks}")
    everybody = [counter for each in lists for counter in each.counters]
    for called in (each.strip() for each in rest.split(",")):
        _read_counters(part, called, everybody, at)
    return part


def _read_unit(part: Part, lists: Sequence[NumberedList], at: NumberedList | None) -> None:
    """Reads the unit that is given: a name or id, M2:12, or a number of the list `at`."""
    text = part.given
    if part.event == PASSED and text == DROPPED:
        return
    found = named_so(text, (counter for each in lists for counter in each.counters))
    numbered = _NUMBER_OF.fullmatch(text)
    if not found and numbered:
        found = [u for each in _called(numbered[1], lists) for u in _numbered(numbered[2], each)]
    found = found or _numbered(text, at)
    if len(found) == 1:
        part.given = found[0].id
    elif found:
        ids = ", ".join(each.id for each in found)
        part.problems.append(f"{text}: several have that name: {ids}")
    else:
        part.problems.append(f"{text or 'by whom'}: write a name, an id, or M2:12")


def _called(name: str, lists: Sequence[NumberedList]) -> Iterator[NumberedList]:
    """The lists with a name, in any letters."""
    return (each for each in lists if each.name.casefold() == name.casefold())


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
    """Reads "1 2 4-7 9-1 Crowe": at each word the longest name that there is, else a number, or a
    range of numbers."""
    words, known = text.split(), [*everybody]
    while words:
        length, found = _named_first(words, known)
        if not found:
            part.counters += _numbered(words[0], at)
            if not _numbered(words[0], at):
                where = f"in {at.title}" if at is not None else "without a list"
                what = "no such number" if _NUMBERS.fullmatch(words[0]) else "nobody has that name"
                part.problems.append(f"{words[0]}: {what} {where}")
        elif len(found) == 1:
            part.counters += found
        else:
            called, ids = " ".join(words[:length]), ", ".join(each.id for each in found)
            part.problems.append(f"{called}: several have that name: {ids}")
        words = words[length:]


def _named_first(words: Sequence[str], known: Sequence[Counter]) -> tuple[int, list[Counter]]:
    """How many of the first words are a name, at most, and the counters with that name; else 1 and
    none."""
    for length in range(len(words), 0, -1):
        found = named_so(" ".join(words[:length]), known)
        if found:
            return length, found
    return 1, []


def _numbered(text: str, at: NumberedList | None) -> list[Counter]:
    """The counters that "4", "4-7", or "*" means in a list; none if they are not all there."""
    if text == ALL and at is not None:
        return list(at.counters)
    found = _NUMBERS.fullmatch(text)
    if found is None or at is None:
        return []
    numbers = range(int(found[1]), int(found[2] or found[1]) + 1)
    counters = [each for number in numbers if (each := at.called(number)) is not None]
    return counters if len(counters) == len(numbers) else []


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
