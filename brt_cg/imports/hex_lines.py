"""Counters typed hex by hex: "P34 1 2 5; Q35 3, 9-1 Crowe", next to a numbered list.

A part, up to a semicolon, is a Location, then the counters in it: their numbers in the list, their
ids, names or labels. "M1: P34 1" names the list (K24: where K24 is Isolated), "in P34 1 2" a hex
that is not known, "off 4" a counter off map. "in P34" alone means all counters without a hex that
the text does not name.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from brt_cg.board import IN, OFF_MAP, grid, is_area_only_location, locations
from brt_cg.card import reason_hex_is_required
from brt_cg.model import Counter, Fortification, NumberedList, Piece, Weapon, WeaponKind, holder_id
from brt_cg.questions import RefusedError
from brt_cg.text import (
    NotUnderstoodError,
    TextSlice,
    expand_span,
    merge_adjacent_words,
    parse_whole_number,
)

_LIST = re.compile(r"(\S+?)\s*:\s+")  # the name of a list: M1:, P35:, S12:j-pb-14:
OFF = ("off", OFF_MAP)


@dataclass(slots=True)
class ParsedHexLinePart:
    """One parsed part of a line: its `text`, the Location, the counters in it, and any problem
    (`wrong`). `of` is the list that this part, or an earlier one, names. `others` is set if it
    names no counter, and so means all the others; `notes` say which of them it cannot mean."""

    text: TextSlice
    of: str = ""
    location: str | None = None
    counters: list[Counter] = field(default_factory=list)
    wrong: list[NotUnderstoodError] = field(default_factory=list)
    others: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        """The problems with the part, for the player."""
        return [*map(str, self.wrong)]

    def add_problem(self, why: str) -> None:
        """Note a problem with the whole part."""
        self.wrong.append(NotUnderstoodError(self.text.with_text(), why))

    @property
    def parsed_meaning_text(self) -> str:
        """The meaning of the part: "P34: 6-6-8 B, HMG m-mg-1"."""
        named = ", ".join(each.display_name for each in self.counters)
        if self.others and len(self.counters) > 1:
            named = f"the other {len(self.counters)}"
        parts = [
            f"{self.location or '?'}: {named or 'no counter yet'}",
            *self.notes,
            *self.problems,
        ]
        return "; ".join(parts)


def parse_hex_lines(
    text: str,
    lists: Sequence[NumberedList],
    at: NumberedList | None,
    others: Sequence[Counter] = (),
) -> list[ParsedHexLinePart]:
    """Return the parts of one or more lines of text, each with its problems. The numbers are those
    of the list `at`, or of the list that a part names. `others` are the counters that a Location
    alone means, unless a part names them."""
    reading = _Reading(lists, at)
    found = [
        reading.part(each) for line in text.splitlines() for each in TextSlice(line).split_by(";")
    ]
    taken: dict[str, str] = {}
    for part in found:
        for counter in part.counters if part.location is not None else ():
            where = taken.setdefault(counter.id, str(part.location))
            if where != part.location:
                part.add_problem(f"{counter.type_text} {counter.id} is already in {where}")
    for part in found:
        alone = part.location is not None and not (part.counters or part.problems)
        if others and alone:
            _take_others(part, [each for each in others if each.id not in taken], reading.known)
            taken |= {each.id: str(part.location) for each in part.counters}
    return found


def _take_others(
    part: ParsedHexLinePart, others: Sequence[Counter], everybody: Sequence[Counter]
) -> None:
    """Put the remaining counters in a part's Location, except those whose hex must be known and
    their holders; everything that a counter holds moves with it, even captured SW elsewhere."""
    part.others = True
    known = {each.id: each for each in (*everybody, *others)}
    apart: dict[str, Counter] = {}
    for counter in known.values() if is_area_only_location(part.location) else ():
        if _needs_a_hex(counter) and not _is_carried(counter):
            held: Counter | None = counter
            while held is not None and held.id not in apart:
                apart[held.id] = counter
                held = known.get(holder_id(held))
    ids = {each.id for each in others}
    part.counters += [
        each
        for each in others
        if each.id not in apart and holder_id(each) not in ids and not _is_carried(each)
    ]
    if needed := {apart[each.id].id: apart[each.id] for each in others if each.id in apart}:
        part.notes.append(
            f"enter a hex for {', '.join(each.display_name for each in needed.values())}"
        )


def _needs_a_hex(counter: Counter) -> bool:
    if isinstance(counter, Piece):
        return reason_hex_is_required(counter) is not None
    return isinstance(counter, Fortification)


def _is_carried(counter: Counter) -> bool:
    """Whether a counter is a SW that somebody possesses."""
    sw = isinstance(counter, Weapon) and counter.kind is WeaponKind.SW
    return sw and bool(holder_id(counter))


def parse_counter_locations(
    text: str,
    lists: Sequence[NumberedList],
    at: NumberedList | None = None,
    others: Sequence[Counter] = (),
) -> dict[str, str]:
    """Return the Location of each counter that the text names, by id. Raises RefusedError with
    everything that is not understood."""
    parts = parse_hex_lines(text, lists, at, others)
    problems = [f"{part.text}: {problem}" for part in parts for problem in part.problems]
    problems += [f"{part.text}: name a counter" for part in parts if not part.counters]
    if problems:
        raise RefusedError(*problems)
    return {each.id: str(part.location) for part in parts for each in part.counters}


class _Reading:
    """The state while lines are read: the lists that it may name, every counter in them, and the
    list whose numbers it uses now."""

    def __init__(self, lists: Sequence[NumberedList], at: NumberedList | None) -> None:
        self.lists, self.at, self.of = lists, at, ""
        self.known = [counter for each in lists for counter in each.counters]

    def part(self, text: TextSlice) -> ParsedHexLinePart:
        named = _LIST.match(f"{text} ")
        if named:
            text, self.of = text.cut_and_strip(named.end()), named[1]
            self.at = self.called(self.of)
        part = ParsedHexLinePart(text, self.of)
        if named and self.at is None:
            part.add_problem(f"there is no list {self.of}")
        first, rest = text.split_at(" ")
        if first.lower() == IN.strip():
            hex, rest = rest.split_at(" ")
            first = merge_adjacent_words([first, hex])
        try:
            part.location = parse_location(first)
        except locations.BadLocationError as wrong:
            part.wrong.append(NotUnderstoodError(first, wrong))
        self._counters(part, rest)
        return part

    def called(self, name: str) -> NumberedList | None:
        """Return the list with this name, ignoring case."""
        return next((each for each in self.lists if each.name.casefold() == name.casefold()), None)

    def _counters(self, part: ParsedHexLinePart, text: TextSlice) -> None:
        """Read "1 2 4-7 9-1 Crowe, 5": at each word the longest known name, else a number, or a
        range of numbers."""
        for words in (each.words() for each in text.split_by(",")):
            while words:
                length, named = _named_first(words, self.known)
                if len(named) > 1:
                    part.wrong.append(_several(merge_adjacent_words(words[:length]), named))
                elif not (found := named or self._numbered(words[0], self.at)):
                    part.wrong.append(self._nobody(words[0]))
                else:
                    part.counters += found
                words = words[length:]

    def _numbered(self, text: TextSlice, at: NumberedList | None) -> list[Counter]:
        """Return the counters that "4" or "4-7" means in a list; none if any of them is missing."""
        if at is None:
            return []
        found = [at.counter_numbered(parse_whole_number(each) or 0) for each in expand_span(text)]
        return [each for each in found if each is not None] if None not in found else []

    def _nobody(self, word: TextSlice) -> NotUnderstoodError:
        where = f"in {self.at.title.removeprefix('in ')}" if self.at else "here"
        number = all(each.isdecimal() for each in expand_span(word))
        what = "no such number" if number else "no counter has that name"
        return NotUnderstoodError(word, f"{what} {where}")


def _several(text: TextSlice, found: Iterable[Counter]) -> NotUnderstoodError:
    ids = ", ".join(each.id for each in found)
    return NotUnderstoodError(text, f"several counters have that name; use one of these ids: {ids}")


def _named_first(words: Sequence[TextSlice], known: Sequence[Counter]) -> tuple[int, list[Counter]]:
    """Return the number of words in the longest name at the beginning, and the counters with that
    name; 1 and no counters if there is none."""
    for length in range(len(words), 0, -1):
        found = counters_by_id_or_name(merge_adjacent_words(words[:length]), known)
        if found:
            return length, found
    return 1, []


def parse_location(text: str) -> str:
    """Return a Location as typed: "p34", "in p34", "off"; for a Fortification, a hexside too.
    Raises BadLocationError."""
    if text.lower() in OFF:
        return OFF_MAP
    written = locations.capitalize_hexes(text)
    if written.startswith(IN):
        return locations.area_only_location(locations.check_hex(written.removeprefix(IN)))
    return grid.normalize_hexside(written) if "/" in written else locations.check_location(written)


def counters_by_id_or_name(called: str, counters: Iterable[Counter]) -> list[Counter]:
    """Return the counters with this id; else those with this name, or this type and name ("9-1
    Crowe", "6-6-8 B"), ignoring case."""
    known = [*counters]
    for each in known:
        if each.id == called:
            return [each]
    wanted = called.casefold()
    return [
        each
        for each in known
        if each.name
        and wanted in (each.name.casefold(), f"{each.type_text} {each.name}".casefold())
    ]
