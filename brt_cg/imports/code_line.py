"""The end of a scenario in short lines that use the codes on the sheet: "x1a1b4k b2c q35 3f".

A word is the letter of an event with the codes of its counters ("x1a1b4k", "4a-d"), or a hex with
the codes of the counters that are now in it ("q35 3f"); codes alone continue the last event or hex.
"c2d by /3f": captured by; "@m2" limits the next codes to Area M2; "=r34 x": the counters that were
in R34. The screen and the command `end` read this line word by word, and accept it only as a whole.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from brt_cg.board import IN, OFF_MAP, grid, ground_hex, is_area_only_location, locations
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.imports.hex_lines import OFF, counters_by_id_or_name, parse_location
from brt_cg.model import Counter, holder_id
from brt_cg.model.events import (
    BY_LETTER,
    BY_NAME,
    CAPTURED,
    DROPPED,
    EVENTS,
    JOINED,
    MOVED,
    PASSED,
    CounterEvent,
)
from brt_cg.text import (
    NotUnderstoodError,
    TextSlice,
    merge_adjacent_words,
    split_and_expand_codes,
    unknown_name_error,
)

FAR = 8  # hexes; a counter that is farther from its old place is asked about
BY = "by"
_HEX = re.compile(r"[A-Za-z][0-9]+(:\S+|/[A-Za-z][0-9]+)?")
_RUN = re.compile(r"/?[0-9]")  # begins codes
_GLUED = re.compile(r"([A-Za-z][1-9][0-9]?)((?:/?[0-9][A-Za-z])+)")  # a hex and codes
_TYPE = re.compile(r"[0-9][-–+][0-9]")  # 6-6-8, 9-1
_NAME = re.compile(r"[^\W\d_][^\s\d]+")  # a leader's


@dataclass(slots=True)
class ParsedCode:
    """A parsed word of a line, with its captor: its events and their counters. `wrong` is the
    problem with it; `doubts` must be confirmed before the line is accepted; `notes` are shown
    beside the word. `is_begun`: the word is last on the line and still lacks its counter or the
    letter of a code."""

    token: TextSlice
    event: CounterEvent | None = None
    given: str = ""
    counters: list[Counter] = field(default_factory=list)
    wrong: list[NotUnderstoodError] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_begun: bool = False

    @property
    def needs_captor_or_possessor(self) -> bool:
        """Whether the unit that captured or took something is still to be named."""
        asks = self.event is not None and self.event.name in (CAPTURED, PASSED)
        return asks and bool(self.counters) and not self.given

    @property
    def has_effect(self) -> bool:
        """Whether the word reports something about counters, rather than only preparing for other
        words."""
        return self.event is not None and bool(self.counters)


def parse_code_line(told: EventSheet, text: str) -> list[ParsedCode]:
    """Parse one or more lines. Return their words, with the problems of each word and of the
    whole."""
    found = list[ParsedCode]()
    for line in TextSlice(text).split_by("\n"):
        reading = _Reading(told, line.words())
        found += reading.parsed_codes()
    for said in found:
        said.wrong += _refused(told, said)
    _twice(told, found)
    if not any(said.wrong for said in found):
        then = told.with_moves({})
        for said in found:
            tick_code_events(then, said)
        _apart(then, found)
        _odd(then, found)
    for said in found:
        said.doubts += _doubts(told, said)
    return found


def tick_code_events(told: EventSheet, said: ParsedCode, picked: str = "") -> None:
    """Tick the events of a word, with the unit that was picked for it."""
    if said.event is not None and said.has_effect:
        told.tick((each.id for each in said.counters), said.event.name, picked or said.given)


def parsed_code_text(told: EventSheet, said: ParsedCode) -> str:
    """Return the meaning of a word: "broken: 2c 6-6-8 B, 2d HMG"."""
    if said.event is None:
        return ", ".join(said.notes)
    what = said.event.words
    if said.event.name == MOVED:
        what = said.given or "?"
    elif said.given:
        what = f"{what} {said.event.link} {_name_of(told, said.given)}"
    named = ", ".join(map(told.counter_text, said.counters))
    return "; ".join([f"{what}: {named or 'who?'}", *said.notes])


def _name_of(told: EventSheet, given: str) -> str:
    counter = told.view.find(given)
    return told.counter_text(counter) if counter is not None else given


# --- word by word ---------------------------------------------------------------------------------


class _Reading:
    """The state of reading a line: the last event or hex, which codes alone continue; the counters
    that the next codes are limited to."""

    def __init__(self, told: EventSheet, words: Sequence[TextSlice]) -> None:
        self.told, self.left = told, list(reversed(words))
        self.act: ParsedCode | None = None
        self.same: list[ParsedCode] = []  # the words of the last act
        self.area: tuple[str, set[str]] | None = None
        self.were: list[Counter] = []  # in the hex of "=r34"

    def parsed_codes(self) -> list[ParsedCode]:
        found = list[ParsedCode]()
        while self.left:
            word = self.left.pop().stripped_at_end(",;")
            if word:
                said = ParsedCode(word)
                try:
                    self._read_word(said, word)
                except NotUnderstoodError as wrong:
                    said.wrong.append(wrong)
                    last = str(word)[wrong.found.at - word.at :]
                    said.is_begun = not self.left and last.isdigit()
                if not (word == BY and not said.wrong):
                    found.append(said)
        self._followed_by_nobody(found)
        return found

    def _followed_by_nobody(self, found: list[ParsedCode]) -> None:
        """Report "Q35: who?" if no code follows a hex or an event's letter."""
        for at, said in enumerate(found):
            after = found[at + 1] if at + 1 < len(found) else None
            goes_on = after is not None and after.token[:1] in "/0123456789"
            if said.event is not None and not said.counters and not said.wrong and not goes_on:
                what = said.given if said.event.name == MOVED else str(said.token)
                said.wrong.append(NotUnderstoodError(said.token.with_text(), f"{what}: who?"))
                said.is_begun = after is None

    def _read_word(self, said: ParsedCode, word: TextSlice) -> None:
        lower, rest = word.lower(), word.cut_and_strip(1)
        if lower == BY:
            self._by(word)
        elif word[0] == "@":
            self._narrow(said, rest)
        elif word[0] == "=":
            self._whoever(said, rest)
        elif word[-1] == ":" or word == "*":
            raise NotUnderstoodError(
                word,
                "a code means the same counter in every "
                "list; use @m2 to limit the next codes to M2",
            )
        elif _TYPE.match(word):
            raise NotUnderstoodError(word, "use the counters' codes, such as 4a")
        elif lower in OFF or lower == IN.strip() or _HEX.fullmatch(word):
            self._hex(said, word)
        elif _RUN.match(word):
            self._more(said, word)
        elif lower == BY_NAME[MOVED].letter:
            said.notes.append("enter a hex next")
        elif lower[0] in BY_LETTER and (not rest or _RUN.match(rest)):
            self._act(said, BY_LETTER[lower[0]], rest)
        else:
            raise self._strange(word)

    def _act(self, said: ParsedCode, event: CounterEvent, rest: TextSlice) -> None:
        if event.name == MOVED:
            raise NotUnderstoodError(rest, "to move a counter, write a hex and its code: q35 1a")
        self._begin(said, event)
        said.counters = self._called(rest) if rest else self._were()

    def _hex(self, said: ParsedCode, word: TextSlice) -> None:
        if word.lower() == IN.strip():
            hex = self.left.pop() if self.left else TextSlice("", word.end)
            said.token = word = merge_adjacent_words([word, hex])
        self._begin(said, BY_NAME[MOVED])
        try:
            said.given = parse_location(word)
        except locations.BadLocationError as wrong:
            raise NotUnderstoodError(word, wrong) from None
        said.counters = self._were()

    def _begin(self, said: ParsedCode, event: CounterEvent) -> None:
        said.event, self.act, self.same = event, said, [said]

    def _were(self) -> list[Counter]:
        """Return the counters that were in the hex of "=r34", if no codes follow. They are returned
        only once."""
        following = self.left[-1] if self.left else ""
        if _RUN.match(following):
            return []
        were, self.were = self.were, []
        return were

    def _more(self, said: ParsedCode, word: TextSlice) -> None:
        if self.act is None:
            self._called(word)  # first reports a text that is not a code
            raise NotUnderstoodError(word, "put a letter or a hex before this code")
        said.event, said.given = self.act.event, self.act.given
        self.same.append(said)
        said.counters = self._called(word)

    def _by(self, word: TextSlice) -> None:
        """Read the unit that captured or took the counters, or was created beside them, for all
        words of the last event."""
        last = self.same[-1] if self.same else None
        event = last.event if last is not None else None
        if last is None or event is None or event.link != BY:
            raise NotUnderstoodError(word, "put the event first: c2d by /3f")
        who = self.left.pop() if self.left else TextSlice("", word.end)
        last.token = merge_adjacent_words([last.token, word, who])
        try:
            given = self._newcomer(who) if event.name == JOINED else self._who(event, who)
        except NotUnderstoodError as wrong:
            last.wrong.append(wrong)
            return
        for said in self.same:
            said.given = given

    def _newcomer(self, who: TextSlice) -> str:
        names = [who]
        while self.left and _NAME.fullmatch(self.left[-1]) and self.left[-1].lower() != BY:
            names.append(self.left.pop())
        return str(merge_adjacent_words(names))

    def _who(self, event: CounterEvent, who: TextSlice) -> str:
        if event.name == PASSED and who.lower() == DROPPED:
            return DROPPED
        found = self._called(who, anywhere=True) if who else []
        if len(found) != 1:
            raise NotUnderstoodError(who, "enter one code for the unit that did it: c2d by /3f")
        return found[0].id

    # --- the counters that it means -------------------------------------------------------------

    def _called(self, word: TextSlice, *, anywhere: bool = False) -> list[Counter]:
        """Return the counters with these codes. Raises NotUnderstoodError at the first word that is
        not a code."""
        try:
            found = split_and_expand_codes(word, self.told.codes.digits_in_longest_code)
        except NotUnderstoodError as wrong:
            raise self._no_code(word, wrong) from None
        counters = list[Counter]()
        for code in found:
            counter = self.told.counter_with_code(code)
            if counter is None:
                place = next((bit for bit in _pieces(word) if code in bit), word)
                raise NotUnderstoodError(place.with_text(), f"{code}: no counter has that code")
            if self.area is not None and not anywhere and counter.id not in self.area[1]:
                where = self.told.view.place_text(counter) or "no Area"
                why = f"{code} is not in {self.area[0]}: {where}"
                raise NotUnderstoodError(word.with_text(), why)
            counters.append(counter)
        return counters

    def _no_code(self, word: TextSlice, wrong: NotUnderstoodError) -> NotUnderstoodError:
        rest = wrong.found
        if rest[:1].isalpha() and rest.at > word.at:
            return NotUnderstoodError(rest, "use one letter or hex per word; put a space before it")
        if rest[:1] == "-":
            return NotUnderstoodError(word, "write a code like 4a, a range like 4a-d")
        digits = re.match(r"[0-9]+", rest)
        meant = f"{digits[0]}?" if digits else str(rest)
        return NotUnderstoodError(rest.with_text(), f"{meant} write a code like 4a")

    def _narrow(self, said: ParsedCode, name: TextSlice) -> None:
        self.act, self.same = None, []
        lists = self.told.all_lists
        of = [each for each in lists if each.name.casefold() == name.casefold()]
        if not of:
            names = dict.fromkeys(each.name for each in lists)
            raise unknown_name_error(names, name, f"{name or '@'}: no such place")
        said.counters = [each for one in of for each in one.counters]
        self.area = of[0].title, {each.id for each in said.counters}
        said.notes.append(f"only {of[0].title}")

    def _whoever(self, said: ParsedCode, hex: TextSlice) -> None:
        self.act, self.same = None, []
        try:
            place = parse_location(hex)
        except locations.BadLocationError as wrong:
            raise NotUnderstoodError(hex, wrong) from None
        told = self.told
        there = [each for of in told.own_lists for each in of.counters if each.location is not None]
        self.were = [each for each in there if place in (each.location, _ground(each))]
        if not self.were:
            raise NotUnderstoodError(hex, f"no counter is known to have been in {place}")
        said.counters = self.were
        said.notes.append(f"was in {place}: {', '.join(map(told.counter_text, self.were))}")

    def _strange(self, word: TextSlice) -> NotUnderstoodError:
        """Explain why text is not a valid word of a line."""
        glued = _GLUED.fullmatch(word)
        if glued is not None:
            apart = f"{glued[1]} {glued[2]}"
            return NotUnderstoodError(word, "put a space after the hex", meant=apart)
        if word[:2].isascii() and word[:1] == "/" and word[1:2].isalpha():
            apart = f"{word[1]}/{word[2:].removeprefix('/')}"
            return NotUnderstoodError(word, "put the slash after the code's number", meant=apart)
        named = counters_by_id_or_name(word, self.told.view.counters())
        if named and (code := self.told.codes.code_of(named[0].id)):
            return NotUnderstoodError(word, "use the counters' codes", meant=code)
        letters = "".join(event.letter for event in EVENTS)
        why = f"neither a hex (q35) nor a letter with codes (x1a); the letters are {letters}"
        return NotUnderstoodError(word, why)


def _pieces(word: TextSlice) -> Iterator[TextSlice]:
    return (word.cut_and_strip(*each.span()) for each in re.finditer(r"/?[0-9]+[A-Za-z]", word))


def _ground(counter: Counter) -> str:
    at = str(counter.location)
    return at if at == OFF_MAP or is_area_only_location(at) else ground_hex(at)


# --- all words together ---------------------------------------------------------------------------


def _refused(told: EventSheet, said: ParsedCode) -> Iterator[NotUnderstoodError]:
    """Yield the reason why the events of a word cannot have happened, or cannot be entered from
    this seat."""
    event = said.event
    if said.wrong or event is None or not said.has_effect:
        return
    if event.name == JOINED and not said.given:
        yield NotUnderstoodError(said.token, f"{event.words} {event.asks} {said.token} by hero")
        return
    unfit = [] if _captures(told, said) else told.reasons_event_is_impossible(said.counters, event)
    problems = unfit if unfit or said.needs_captor_or_possessor else None
    if problems is None:
        problems = told.detail_problems(said.counters, event, said.given)
    for problem in dict.fromkeys(problems):
        yield NotUnderstoodError(said.token, problem)


def _captures(told: EventSheet, said: ParsedCode) -> bool:
    """Whether a word names the counters that a unit of the seat's side captured."""
    captor = told.view.units.get(said.given)
    event = said.event
    if event is None or event.name != CAPTURED or not all(map(event.fits, said.counters)):
        return False
    return told.seat is not None and captor is not None and captor.side is told.seat


def _twice(told: EventSheet, found: Iterable[ParsedCode]) -> None:
    """Report counters that have the same event twice, or two places, in the line, or that are
    ticked already."""
    seen: dict[tuple[str, str], str] = {}
    for said in found:
        if said.event is None:
            continue
        name = said.event.name
        for counter in said.counters:
            label, before = told.counter_text(counter), seen.get((counter.id, name))
            if before is None:
                ticked = told.ticks.get(counter.id, {})
                if ticked.get(name) == said.given and name in ticked:
                    said.notes.append(f"{label} already has that tick")
            elif before == said.given:
                said.notes.append(f"{label} is given twice")
            else:
                why = f"{label} is given twice: {before or 'nobody'} and {said.given or 'nobody'}"
                said.wrong.append(NotUnderstoodError(said.token, why))
            seen[counter.id, name] = said.given


def _apart(told: EventSheet, found: Iterable[ParsedCode]) -> None:
    """Report words that separate a weapon from its possessor."""
    moves = [said for said in found if said.has_effect and said.event is BY_NAME[MOVED]]
    if not moves:
        return
    after = told.campaign_after()
    for said in moves:
        for counter in said.counters:
            weapon = after.find(counter.id)
            holder = after.find(holder_id(weapon)) if weapon is not None else None
            if holder is None or weapon is None or not holder.in_play:
                continue
            if weapon.location != holder.location:
                whose = told.counter_text(holder)
                parted = (
                    f"{told.counter_text(counter)} is in a "
                    f"different hex from {whose} ({holder.location})"
                )
                along = f"{whose} has it, and is assumed to be there too"
                said.notes.append(parted if holder.location else along)


def _odd(told: EventSheet, found: Iterable[ParsedCode]) -> None:
    """Report words that change nothing about a counter, or that contradict another word about
    it."""
    last = {each.id: said for said in found if said.has_effect for each in said.counters}
    for id, said in last.items():
        said.notes += told.oddities_of(id)


def _doubts(told: EventSheet, said: ParsedCode) -> Iterator[str]:
    """Yield the doubts about a move that the player must confirm: Ocean, out of play, or far from
    the old place."""
    place = said.given
    if said.wrong or said.event is not BY_NAME[MOVED] or place == OFF_MAP or "/" in place:
        return
    hex = ground_hex(place.removeprefix(IN))
    if said.counters and locations.is_ocean(hex):
        yield f"{hex} is an Ocean hex"
    if said.counters and hex not in locations.hexes_in_play(
        told.card.highest_hex_number(told.view.current_rulings)
    ):
        yield f"{hex} is not in play"
    for counter in said.counters:
        away = _away(told, counter, hex)
        if away is not None and away > FAR:
            yield f"{told.counter_text(counter)} was {away} hexes from {hex}"


def _away(told: EventSheet, counter: Counter, hex: str) -> int | None:
    """Return the distance of a hex from a counter's old hex, or from its Setup Area; None if
    neither is known."""
    at = counter.location
    if at is not None and at != OFF_MAP and not is_area_only_location(at) and "/" not in at:
        return grid.distance(ground_hex(at), hex)
    view = told.view
    area = view.area_at(at) or view.areas.get(getattr(counter, "setup_area", None) or "")
    if area is None or hex in area.hexes:
        return None
    return grid.range_to_nearest(hex, frozenset(area.hexes))
