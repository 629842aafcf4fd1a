"""An order of battle as lines of text, like those on a card.

"4 x 6-6-8" or "6-6-8 x 4", "2 HMG", "9-1 Crowe", "3 LVT2", "3 x 7-6-8 engineers: DC, DC, FT" (what
they possess), "20 PM: 3 x 6-6-8 in LVT2" (a future date; each aboard one), "20 PM, wave 3: …";
alone on a line, "Wave 2 (2/8, Red Two):" is about the lines after it. "3 x 6-6-8 A-C" names them,
and so does anything in quotes; "2 x 6-6-8, MMG; 9-1" are three kinds. A number or brackets after
the type are a count: "6-6-8 12", "HMG (2)". Rows pasted from a spreadsheet are read by their
columns. "8-1 armor leader" goes into his vehicle. "Marine:" or "Japanese:" alone on a line gives
the side of the next lines; a remark begins with "#". Fortifications are "4 1S foxholes", "pillbox
2+3+5" (capacity and TEM), "2 wire".
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle, takewhile

from brt_cg.board import OFF_MAP
from brt_cg.card import Card, Wave, read_arrival_counters
from brt_cg.card.unit_names import (
    crews_text,
    fortification_as_state_row,
    nearest_fortification_name,
    normalize_digits,
    parse_fortification,
    parse_unit,
)
from brt_cg.catalogue import Catalogue
from brt_cg.catalogue.spoken_names import MODEL_WORDS, find_types_as_spoken
from brt_cg.catalogue.types import CatalogueType
from brt_cg.imports.free_id import add_free_id
from brt_cg.imports.hex_lines import parse_location
from brt_cg.imports.order_columns import (
    HEADS,
    Column,
    PastedRow,
    is_heading_underline,
    read_headings,
    read_pasted_row,
    split_cells,
)
from brt_cg.imports.order_equipment import assign_armor_leaders
from brt_cg.imports.order_line import ParsedOrderLine, Row
from brt_cg.imports.order_names import (
    CURLY,
    MOST_COUNTERS,
    NUMBER,
    OF_A_LEADER,
    check_counter_count,
    check_names,
    check_one_name,
    count_and_names_after,
    is_name_count_right,
    mask_quoted_separators,
    parse_names,
    unmask_quoted_separators,
    unmask_slice,
    unquote_cells,
)
from brt_cg.imports.wave_heading import HEADING, parse_wave
from brt_cg.model import Campaign, Fortification, Phase, Side, Vehicle, Weapon, WeaponKind
from brt_cg.text import NotUnderstoodError, TextSlice, list_text, merge_adjacent_words

# "20 PM:", "20 PM, wave 3:", "Wave 2 (2/8, Red Two):", "Wave 4, turn 3 (3/8, Red Three):".
_DATE = re.compile(
    rf"(?=\w)(?:(\d{{1,2}})\s*(AM|PM|NT)\b\s*[,;-]?\s*)?({HEADING})?\s*:\s*", re.IGNORECASE
)
_MANY = re.compile(
    r"(\d{1,6})\s*[x×]\s*(?=\S)|(\d{1,6})\s*(?:each|ea\.?)\s+|(\d{1,2})\s+(?=\S)"
    r"|[(\[](\d{1,6})[)\]]\s*(?=\S)",
    re.IGNORECASE,
)
_MG_CALIBER = re.compile(r"\.\d\d(-?cal\.?)?", re.IGNORECASE)  # ".30 MMG"
_IN_WORDS = re.compile(r"([a-z]+)\s+(?:[x×]\s+)?(?=\S)", re.IGNORECASE)
WORDS_FOR_NUMBERS = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6},
    **{"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12},
}
_IN_MANY = re.compile(r"(\d{1,6})\s*[x×]?\s+", re.IGNORECASE)
# A number after a type that can only be a count: "x4", "*4", "=4", "(4)", "[x4]"; and a count
# without a space before it.
_COUNT = re.compile(r"[x×*=:]+(\d{1,6})|[x×*=]?[(\[{][x×*=]?(\d{1,6})x?[)\]}]", re.IGNORECASE)
_GLUED = re.compile(r"(.*[^\sx×*=(\[{])([x×*=]\d{1,6}|[(\[{]x?\d{1,6}[)\]}])", re.IGNORECASE)
_SIGNS = ("x", "×", "*", "=")  # before a count, as a separate word
_DASH = re.compile(r"(?<=\d)[\u2010\u2011\u2013\u2014\u2212](?=\d)")  # dashes of word processors
_NEW_TYPE = re.compile(r'"([^"]+)"\s+(sw|gun|vehicle)\b', re.IGNORECASE)
_OF_A_UNIT = re.compile(r"\d-?\d-?\d|\d{1,2}[-+]\d")  # digits that no type of equipment has
ABOARD, AT = ("in", "aboard"), ("at", "@")  # before a vehicle, before a Location
# Words without further meaning before the digits of a unit, and after a type of equipment.
BEFORE_DIGITS = ("squad", "squads", "sq", "leader", "leaders", "ldr", "ldrs", "smc", "mmc", "usmc")
EQUIPMENT = ("gun", "tank", "amtrac", "amtrack", "vehicle", "afv", "counter", "team", "sw")
BULLETS = "-*•–=_~ "
_NUMBERED = re.compile(r"\d{1,2}[.)]\s+(?=\S)")  # the number of a line in a list
# Lines of a card that are not counters here.
_NOT_TRACKED = re.compile(
    r"(\d+ *[x×]? *)?([\"“']?\?[\"”']?|concealment|dumm(y|ies)|sniper|san|elr"
    r"|a-?p mines?( \d+)?( factors?)?|mines?( \d+)?( factors?)?( [x×] *\d+)? a-?p"
    r"|(sub|grand )?totals?\b[^\"]*)"
    r"( counters?)?[ x×:=(\[]*\d*[)\]]?",
    re.IGNORECASE,
)
_KIND_WORDS = (
    r"(squads|leaders|infantry|mmcs?|smcs?|sws?|support weapons|guns|ordnance|vehicles|afvs?"
    r"|armou?r|fortifications|counters|units|order of battle|ob)"
)
_KINDS = f"{_KIND_WORDS}:?"
_OF_A_KIND = re.compile(rf"{_KIND_WORDS}\s*:\s*(?=\S)", re.IGNORECASE)  # a kind before its counters
_OF_KINDS = re.compile(_KINDS, re.IGNORECASE)
_HEADING = re.compile(rf"{_KINDS}|[^\d:?]+:", re.IGNORECASE)
# Words of a heading or a remark: two or more, and no number but in brackets.
_PROSE = re.compile(r"(?=\S+\s)(?:[^\d()]|\([^)]*\))+")
_WHOSE = re.compile(r"(marine|japanese).*\b(order of battle|ob|forces)\b", re.IGNORECASE)
WHICH_MINES = (
    "A-P or A-T? A-P mines are not tracked; of A-T mines each factor is one counter: "
    "24 A-T mine factors"
)


def parse_order_lines(
    text: str, side: Side | None, campaign: Campaign, card: Card, catalogue: Catalogue
) -> list[ParsedOrderLine]:
    """Return the parsed lines without remarks; each has its problem, if any."""
    return _Reading(side, campaign, card, catalogue).lines(text)


class _UnknownTypeError(NotUnderstoodError):
    """The error for unrecognized words; a line of them without numbers is a heading."""


class _Reading:
    """The state while lines are read; new counters get their ids here."""

    def __init__(
        self, side: Side | None, campaign: Campaign, card: Card, catalogue: Catalogue
    ) -> None:
        self.side, self.campaign = side, campaign
        self.card, self.catalogue = card, catalogue
        coming = (
            each for mine in campaign.arrivals.values() for each in read_arrival_counters(mine)
        )
        self.ids = {each.id for each in (*campaign.counters(), *coming)}
        self.columns: Sequence[Column] | None = None  # columns of the pasted rows below
        self.arrives: tuple[str, Wave | None] | None = None  # the date and Wave of those lines

    def lines(self, text: str) -> list[ParsedOrderLine]:
        found: list[ParsedOrderLine] = []
        for number, written in enumerate(text.splitlines(), start=1):
            typed = written.translate(CURLY)
            masked = mask_quoted_separators(typed).partition("#")[0]
            bare = _DASH.sub("-", unquote_cells(masked))
            cells = split_cells(bare)
            if cells is not None and len([*filter(None, cells)]) > 1:
                found += self._pasted(number, TextSlice(bare).cut_and_strip(), cells)
                continue
            self.columns = None
            found += self._typed(number, bare)
        assign_armor_leaders(found)
        return found

    def _typed(self, number: int, bare: str) -> Iterator[ParsedOrderLine]:
        """Yield the line as it was typed; nothing for an empty line, or one that names a side."""
        line = TextSlice(bare).cut_and_strip()
        line = line.cut_and_strip(len(line) - len(line.lstrip(BULLETS)))
        for before in (_NUMBERED, _OF_A_KIND):
            line = line.cut_and_strip(found.end()) if (found := before.match(line)) else line
        first, *_ = [*line.lower().rstrip(": ").split(), ""]
        is_heading = _HEADING.fullmatch(line) is not None
        whose = _WHOSE.search(line) if _PROSE.fullmatch(line) else None
        head = HEADS.get(whose[1].lower() if whose else first if is_heading else line.lower())
        self.side = head or self.side
        if head is not None or (is_heading and not _OF_KINDS.fullmatch(line)):
            self.arrives = None
        if self._heads_arrival(line):
            return
        if (line and is_heading and head is None) or _NOT_TRACKED.fullmatch(line):
            yield ParsedOrderLine(number, unmask_slice(line), self.side, aside=True)
        elif line and head is None:
            yield self._line(number, line)

    def _heads_arrival(self, line: TextSlice) -> bool:
        """Whether a line is only the date or Wave of the lines after it."""
        with suppress(NotUnderstoodError):
            above = ParsedOrderLine(0, line)
            heading = line if line.endswith(":") else line.with_text(f"{line}:")
            if line and not self._dated(above, heading) and _DATE.fullmatch(heading):
                assert above.date is not None
                self.arrives = above.date, above.wave
                return True
        return False

    def _pasted(
        self, number: int, text: TextSlice, cells: Sequence[TextSlice]
    ) -> Iterator[ParsedOrderLine]:
        """Yield the row of a spreadsheet; its headings are ignored."""
        if is_heading_underline(cells):
            return
        headings = read_headings(cells)
        if headings is not None:
            self.columns = headings
            yield ParsedOrderLine(number, unmask_slice(text), self.side, aside=True)
            return
        line = ParsedOrderLine(number, unmask_slice(text), self.side)
        try:
            self._row_of(line, cells)
        except NotUnderstoodError as wrong:
            line.wrong = wrong
        except ValueError as error:
            line.wrong = NotUnderstoodError(text.with_text(), error)
        yield line

    def _row_of(self, line: ParsedOrderLine, cells: Sequence[TextSlice]) -> None:
        whose = next((HEADS[cell.lower()] for cell in cells if cell.lower() in HEADS), None)
        before, self.side = self.side, whose or self.side
        try:
            self._require_side(line.text)
            row = read_pasted_row(cells, self.columns, lambda cell: self._after(cell) is not None)
            line.side = self.side = row.side or self.side
            self._columns_of(line, row)
        finally:
            self.side = before

    def _columns_of(self, line: ParsedOrderLine, row: PastedRow) -> None:
        """Read the cells of a row as a kind of counters. Text without a heading is a name only for
        a leader."""
        date = TextSlice("") if row.date is None else row.date
        self._dated(line, date.with_text(f"{date.rstrip(':')}:" if date else ""))
        if row.wave is not None:
            line.date, line.wave = line.date or self.campaign.situation.date, row.wave
        many, words = self._counted(row.type)
        if many is not None and row.count is not None:
            raise NotUnderstoodError(row.type, "has two numbers; enter one")
        many = row.count if many is None else many
        if self.columns is None and row.aside and OF_A_LEADER.match(words[0] if words else ""):
            row.names = TextSlice(row.aside.pop(0))
        names = [] if row.names is None else row.names.words()
        line.remarks += row.aside
        line.kinds = unmask_quoted_separators(" ".join((f"{many or 1} x", *words, *names)))
        if many != 0:
            self._kind_of(line, many, [*words, *names], row.held or TextSlice(""))

    def _require_side(self, text: TextSlice) -> None:
        if self.side is None:
            why = 'no side; write a line "Marine:" or "Japanese:" before it'
            raise NotUnderstoodError(text.with_text(), why)

    def _line(self, number: int, text: TextSlice) -> ParsedOrderLine:
        line = ParsedOrderLine(number, unmask_slice(text), self.side)
        try:
            self._require_side(text)
            self._read(line, text)
        except NotUnderstoodError as wrong:
            is_prose = _PROSE.fullmatch(text) is not None
            line.aside = isinstance(wrong, _UnknownTypeError) and is_prose
            line.wrong = None if line.aside else wrong
        except ValueError as error:
            line.wrong = NotUnderstoodError(text.with_text(), error)
        return line

    def _dated(self, line: ParsedOrderLine, text: TextSlice) -> TextSlice:
        """Return the text after its date and Wave, which are noted on the line."""
        dated = _DATE.match(text)
        if dated is None:
            line.date, line.wave = self.arrives or (None, None)
            return text
        now = self.campaign.situation.date
        line.date = f"{int(dated[1])} {dated[2].upper()}" if dated[1] else now
        line.wave = parse_wave(text.cut_and_strip(*dated.span(3))) if dated[3] else None
        if line.date not in self.card.dates:
            raise NotUnderstoodError(line.date, allowed=list_text(self.card.dates))
        return text.cut_and_strip(dated.end())

    def _read(self, line: ParsedOrderLine, text: TextSlice) -> None:
        text = self._dated(line, text)
        line.kinds = unmask_quoted_separators(text) if line.date else ""
        if (cells := self._separated(text)) is not None:
            self._columns_of(
                line, read_pasted_row(cells, None, lambda each: self._after(each) is not None)
            )
            return
        for kind in self._kinds(text):
            if _NOT_TRACKED.fullmatch(kind):
                line.remarks.append(str(kind))
            else:
                self._kind(line, kind)

    def _separated(self, text: TextSlice) -> list[TextSlice] | None:
        """Return the cells of a line like CSV, "6-6-8,12", in which exactly one cell is a bare
        number and no other cell contains one."""
        sign = ";" if ";" in text else ","
        cells = text.split_by(sign)
        bare = [cell for cell in cells if NUMBER.fullmatch(cell) and self._after(cell) is None]
        if len(cells) < 2 or len(bare) != 1:
            return None
        with suppress(NotUnderstoodError):
            others = [cell for cell in cells if cell is not bare[0]]
            if all(self._counted(cell)[0] is None for cell in others):
                return cells
        return None

    def _kinds(self, text: TextSlice) -> Iterator[TextSlice]:
        """Yield the kinds of counters on a line: separated by semicolons, or by commas if these
        list neither names nor possessions: "2 x 6-6-8, MMG"."""
        for part in text.split_by(";"):
            apart = ":" not in part and self._apart(kinds := part.split_by(","))
            yield from kinds if apart else [part]

    def _apart(self, kinds: Sequence[TextSlice]) -> bool:
        """Whether the parts after a comma are separate kinds: after a kind without names, or if
        each of them is a kind."""
        found = [self._after(each) for each in kinds]
        if (
            found
            and found[0] is not None
            and (not found[0][1] or not is_name_count_right(*found[0]))
        ):
            return not found[0][1]
        return all(each is not None and is_name_count_right(*each) for each in found[1:])

    def _after(self, text: TextSlice) -> tuple[int, TextSlice] | None:
        """Return the number of counters of a kind that the text names, and the words after the
        kind; None if it does not name a kind."""
        if _NOT_TRACKED.fullmatch(text):
            return 1, TextSlice("")
        try:
            many, words = self._counted(text)
            words = _before(self._before_place(words), ABOARD)
            if (leader := self._armor_leader(words)) is not None:
                return many or 1, TextSlice("") if leader[1] == len(words) else words[-1]
            *_, used = self._called(words)
            if many is not None:  # a number may be the first of several names
                return many, merge_adjacent_words(words[used:])
            many, rest = count_and_names_after(many, words, used)
        except NotUnderstoodError:
            return None
        return many, merge_adjacent_words(rest)

    def _kind(self, line: ParsedOrderLine, text: TextSlice) -> None:
        held, carried = text.split_at(":")
        many, words = self._counted(held)
        if many is None and NUMBER.fullmatch(carried):
            many, carried = int(carried), TextSlice("")
        try:
            self._kind_of(line, many, words, carried)
        except NotUnderstoodError as wrong:
            raise self._meant(held) or wrong from None

    def _kind_of(
        self, line: ParsedOrderLine, many: int | None, words: list[TextSlice], carried: TextSlice
    ) -> None:
        """Add the counters of a kind to a line; if `many` is None, the words may give the
        number."""
        text = merge_adjacent_words(words)
        place = self._place(words, line)
        words = self._before_place(words)
        aboard = words[len(_before(words, ABOARD)) :]
        words = words[: len(words) - len(aboard)]
        if (leader := self._armor_leader(words)) is not None:
            line.rows += self._armor_leaders(line, many, leader, words, aboard, place)
            return
        made = self._made(words, many)
        vehicles, afloat = self._vehicles(aboard[1:], len(made)) if aboard else (0, None)
        units = [row for table, row in made if table == "units"]
        made += self._aboard(units, vehicles, afloat)
        made += self._possessed(made, units, carried)
        for table, row in made:
            fort = table == Fortification.TABLE
            if fort and line.date:
                raise NotUnderstoodError(
                    text,
                    "a Fortification is bought, or is there from the start; leave the date out",
                )
            on_map = {} if fort and place == {"location": OFF_MAP} else place
            line.rows.append((table, row | on_map))

    # -- armor leaders: no counters here, but part of their vehicle (SSR BRT10) --

    def _armor_leader(self, words: Sequence[TextSlice]) -> tuple[str, int] | None:
        """Return the armor leader that the words name, "8-1 armor leader" or "8-1 AL", and the
        number of these words; None if they do not name one."""
        many = [str(word).casefold().rstrip("s.,") for word in words[:3]]
        used = 3 if many[1:] == ["armor", "leader"] else 2 if many[1:2] == ["al"] else 0
        used = 3 if many[1:] == ["armour", "leader"] else used
        if not used:
            return None
        ladder = self.card.ladders.figures.armor_leaders
        known = {re.sub("[-+]", "", each): each for each in ladder}
        type_ = known.get(many[0], many[0])
        if type_ not in ladder:
            raise NotUnderstoodError(words[0], "no armor leader", allowed=list_text(ladder))
        return type_, used

    def _armor_leaders(
        self,
        line: ParsedOrderLine,
        many: int | None,
        leader: tuple[str, int],
        words: Sequence[TextSlice],
        aboard: Sequence[TextSlice],
        place: Row,
    ) -> Iterator[tuple[str, Row]]:
        """Yield the vehicles of armor leaders; those without a vehicle on their line wait for one
        on another line."""
        type_, used = leader
        number, names = count_and_names_after(many, words, used)
        if names:
            raise NotUnderstoodError(
                merge_adjacent_words(names), "an armor leader has no name here; leave the name out"
            )
        if not aboard:
            line.armor_leaders += [type_] * number
            return
        vehicles, of = self._vehicles(aboard[1:], number)
        if vehicles != number:
            raise NotUnderstoodError(
                merge_adjacent_words(words), "a vehicle has only one armor leader"
            )
        for _ in range(vehicles):
            row = self._row(of) | {"armor_leader": type_}
            yield Vehicle.TABLE, {"id": add_free_id(row, self.ids), **row} | place

    def _before_place(self, words: Sequence[TextSlice]) -> list[TextSlice]:
        """Return the words before a Location; all words if there is none. "AT" may be part of a
        Gun's type."""
        for at in range(len(words) - 2, 0, -1):
            if words[at].lower() in AT:
                is_type = self._names_type(merge_adjacent_words(words[: at + 1]))
                return [*words] if is_type else [*words[:at]]
        return [*words]

    def _place(self, words: Sequence[TextSlice], line: ParsedOrderLine) -> Row:
        """Return the place of the counters, if the line gives it: "at N21", "at M1", "at
        off_map"."""
        if len(self._before_place(words)) == len(words):
            waits = self.campaign.situation.phase is Phase.PURCHASE and not line.date
            return {} if waits else {"location": OFF_MAP}
        place = words[-1]
        if place.upper() in self.campaign.areas:
            return {"setup_area": place.upper()}
        return {"location": parse_location(place)}

    def _vehicles(self, words: Sequence[TextSlice], many: int) -> tuple[int, CatalogueType]:
        """Return the vehicles that the units are in, "2 LVT2": their number and type."""
        count = _IN_MANY.match(merge_adjacent_words(words))
        called = self._type(merge_adjacent_words(words).cut_and_strip(count.end() if count else 0))
        if called.table != Vehicle.TABLE:
            raise NotUnderstoodError(merge_adjacent_words(words), f"{called.type}: no vehicle")
        return int(count[1] if count else many), called

    def _made(self, words: Sequence[TextSlice], many: int | None) -> list[tuple[str, Row]]:
        table, row, used = self._called(words)
        number, rest = count_and_names_after(many, words, used)
        check_names(rest, row.get("kind") == "leader")
        if many is None:
            check_one_name(merge_adjacent_words(words[:used]), merge_adjacent_words(rest))
        rows = [dict(row) for _ in range(number)]
        for made, name in zip(rows, parse_names(merge_adjacent_words(rest), number), strict=False):
            made["name"] = name
        return [(table, {"id": add_free_id(made, self.ids), **made}) for made in rows]

    def _called(self, words: Sequence[TextSlice]) -> tuple[str, Row, int]:
        """Return the table and the row of the counter that the first words name, and the number of
        these words."""
        if not words:
            raise NotUnderstoodError(TextSlice(""), "enter a counter")
        assert self.side is not None
        words, skipped = _without_head(words, self.side)
        if skipped:
            table, row, used = self._called(words)
            return table, row, used + skipped
        try:
            unit, used = parse_unit(self.card, self.side, words)
        except NotUnderstoodError:
            if _OF_A_UNIT.fullmatch(words[0]) and not self._is_a_type(merge_adjacent_words(words)):
                raise
            for length in range(len(words), 0, -1):
                fort = parse_fortification(
                    self.card, self.side, merge_adjacent_words(words[:length])
                )
                if fort is not None:
                    return Fortification.TABLE, fortification_as_state_row(fort), length
            listed, used = self._longest(words)
            more = takewhile(lambda word: self._says_nothing(word, listed), words[used:])
            return listed.table, self._row(listed), used + len([*more])
        return "units", unit.as_state_row(self.side), used

    def _says_nothing(self, word: TextSlice, listed: CatalogueType) -> bool:
        """Whether a word after a type adds nothing: "gun", or another name of the type
        ("Sherman")."""
        if word.lower().rstrip("s.") in EQUIPMENT:
            return True
        assert self.side is not None
        also = [] if len(word) < 3 else find_types_as_spoken(self.catalogue, word, self.side)
        return [each.type for each in also] == [listed.type]

    def _meant(self, text: TextSlice) -> NotUnderstoodError | None:
        """Return the suggestion when the number in "91 Crowe" or "37 INF" is not a count."""
        found = _MANY.match(text)
        if found is None or len(found[3] or "") < 2 or self.side is None:
            return None
        leader = normalize_digits(self.card, self.side, found[3])
        if leader != found[3]:
            return NotUnderstoodError(text, meant=f"{leader} {text[found.end() :]}")
        near = self.catalogue.nearest_name(text, self.side)
        return NotUnderstoodError(text, meant=near) if near is not None else None

    def _longest(self, words: Sequence[TextSlice]) -> tuple[CatalogueType, int]:
        """Return the type named by as many of the first words as possible, and the number of these
        words."""
        if words[0].startswith('"'):
            return self._new_type(words)
        assert self.side is not None
        for length in range(len(words), 0, -1):
            text = merge_adjacent_words(words[:length])
            found = find_types_as_spoken(self.catalogue, text, self.side)
            if len(found) > 1:
                these = list_text(each.type for each in found)
                raise NotUnderstoodError(text, f"which one? {these}")
            if found:
                return found[0], length
        whole = merge_adjacent_words(words)
        more = f'A new type goes in quotes, then its kind: "{whole}" sw, gun or vehicle'
        other = self.catalogue.find_by_name(whole, self.side.enemy)
        if other is not None:
            theirs = f"{other.type} is a {self.side.enemy.label} type."
            raise NotUnderstoodError(whole, f"{whole}: {theirs}", more=more)
        if words[0].lower().startswith("mine"):
            raise NotUnderstoodError(whole, WHICH_MINES)
        near = self.catalogue.nearest_name(whole, self.side)
        near = near or nearest_fortification_name(self.card, self.side, whole)
        if near is not None:
            raise NotUnderstoodError(whole, meant=near, more=more)
        if "crew" in (word.lower().rstrip("s") for word in words[:2]):
            raise _UnknownTypeError(whole, f"which one? {crews_text(self.card, self.side)}")
        if _MG_CALIBER.fullmatch(words[0]) and len(words) == 2:
            for spoken in find_types_as_spoken(self.catalogue, words[1], self.side):
                raise NotUnderstoodError(whole, meant=spoken.type, more=more)
        model = words[0].lower() in MODEL_WORDS
        if not model and (near := self.catalogue.nearest_name(words[0], self.side)) is not None:
            raise NotUnderstoodError(words[0], meant=near, more=more)
        raise _UnknownTypeError(whole, "no such type.", more=more)

    def _new_type(self, words: Sequence[TextSlice]) -> tuple[CatalogueType, int]:
        quoted = _NEW_TYPE.match(merge_adjacent_words(words))
        if quoted is None:
            more = 'a new type goes in quotes, then its kind: "name" sw, gun or vehicle'
            raise NotUnderstoodError(merge_adjacent_words(words), more)
        used = len(quoted[0].split())
        name = unmask_quoted_separators(quoted[1])
        if quoted[2].lower() == "vehicle":
            return CatalogueType(Vehicle.TABLE, name), used
        return CatalogueType(Weapon.TABLE, name, kind=WeaponKind(quoted[2].lower())), used

    def _type(self, text: TextSlice) -> CatalogueType:
        words = text.words()
        if not words:
            raise NotUnderstoodError(text, "enter a type")
        found, used = self._longest(words)
        if used < len(words):
            raise NotUnderstoodError(
                merge_adjacent_words(words[used:]), f"not understood after {found.type}"
            )
        return found

    def _row(self, listed: CatalogueType) -> Row:
        row: Row = {"side": str(self.side), "type": listed.type}
        if listed.table == Weapon.TABLE:
            row["kind"] = str(listed.kind or WeaponKind.SW)
            if listed.is_vehicle_armament:
                raise NotUnderstoodError(listed.type, "comes with its vehicle")
        return row

    def _aboard(
        self, units: Sequence[Row], many: int, of: CatalogueType | None
    ) -> Iterator[tuple[str, Row]]:
        """Yield the vehicles, and put the units aboard them in turn."""
        if of is None:
            return
        if not units or many < 1 or many > MOST_COUNTERS:
            raise NotUnderstoodError(
                of.type, f"there is no unit to put aboard the {of.type}; enter one"
            )
        rows = [self._row(of) for _ in range(many)]
        for row in rows:
            row["id"] = add_free_id(row, self.ids)
            yield Vehicle.TABLE, row
        for number, unit in enumerate(units):
            unit["aboard"] = rows[number * many // len(units)]["id"]

    def _possessed(
        self, made: Sequence[tuple[str, Row]], units: Sequence[Row], text: TextSlice
    ) -> Iterator[tuple[str, Row]]:
        """Yield the possessions of the units, one to each in turn; a vehicle gets its armor
        leader."""
        parts = text.split_by(",")
        if parts and not units:
            self._led([row for table, row in made if table == Vehicle.TABLE], text, parts)
            return
        turn = cycle(units)
        for part in parts:
            many, words = self._counted(part)
            try:
                listed, used = self._longest(words)
                number, rest = count_and_names_after(many, words, used)
            except NotUnderstoodError as wrong:
                raise self._meant(part) or wrong from None
            if rest:
                why = f"not understood after {listed.type}"
                raise NotUnderstoodError(merge_adjacent_words(rest), why)
            if listed.table != Weapon.TABLE:
                why = f"{listed.type}: a vehicle cannot be possessed; list it on a separate line"
                raise NotUnderstoodError(part, why)
            for _ in range(number):
                row = self._row(listed) | {"possessor": next(turn)["id"]}
                yield Weapon.TABLE, {"id": add_free_id(row, self.ids), **row}

    def _led(self, vehicles: Sequence[Row], text: TextSlice, parts: Sequence[TextSlice]) -> None:
        """Put armor leaders into vehicles, one into each in turn."""
        leaders: list[str] = []
        for part in parts if vehicles else ():
            many, words = self._counted(part)
            leader = self._armor_leader(words)
            if leader is None or leader[1] < len(words):
                raise NotUnderstoodError(part, "only an armor leader can be in a vehicle: 8-1 AL")
            leaders += [leader[0]] * (many or 1)
        if not leaders:
            raise NotUnderstoodError(
                text, "only units can possess equipment: 3 x 7-6-8: DC, DC, FT"
            )
        if len(leaders) > len(vehicles):
            raise NotUnderstoodError(text, "a vehicle has only one armor leader")
        for row, type_ in zip(vehicles, leaders, strict=False):
            row["armor_leader"] = type_

    def _counted(self, text: TextSlice) -> tuple[int | None, list[TextSlice]]:
        """Return the number and the words of the kind: (4, "6-6-8"), also from "6-6-8 x 4", "6-6-8
        (4)", "four 6-6-8"; None if no number is given. "75 AA" is one, of a type that begins with a
        number."""
        before = _MANY.match(text)
        if before is not None and before[3] and self._is_a_type(text):
            before = None
        numbers = [next(filter(None, before.groups()))] if before is not None else []
        worded = _IN_WORDS.match(text)
        if worded is not None and worded[1].lower() in WORDS_FOR_NUMBERS:
            before, numbers = worded, [str(WORDS_FOR_NUMBERS[worded[1].lower()])]
        words = self._unglued(text.cut_and_strip(before.end() if before else 0).words())
        kept: list[TextSlice] = words[:1]
        at = 1
        while at < len(words):
            sign = words[at].lower() in _SIGNS and at + 1 < len(words)
            word = words[at + 1] if sign else words[at]
            number = NUMBER.fullmatch(word) if sign else _COUNT.fullmatch(word)
            named = self._names_type(merge_adjacent_words(words[: at + 1]))
            if number is not None and not named:
                numbers.append(number[0] if sign else number[1] or number[2])
                at += 1 + sign
            else:
                kept.append(words[at])
                at += 1
        if len(numbers) > 1:
            raise NotUnderstoodError(unmask_slice(text), "has two numbers; enter one")
        return check_counter_count(int(numbers[0])) if numbers else None, kept

    def _unglued(self, words: Sequence[TextSlice]) -> list[TextSlice]:
        """Return the words, splitting off a count that is written without a space: "HMG(2)",
        "6-6-8x12"."""
        found: list[TextSlice] = []
        for number, word in enumerate(words, start=1):
            glued = _GLUED.fullmatch(word)
            named = self._names_type(merge_adjacent_words(words[:number]))
            if glued is None or word.startswith('"') or named or self._names_type(word):
                found.append(word)
            else:
                found += [word.cut_and_strip(*glued.span(1)), word.cut_and_strip(*glued.span(2))]
        return found

    def _names_type(self, text: TextSlice) -> bool:
        assert self.side is not None
        return len(find_types_as_spoken(self.catalogue, text, self.side)) == 1

    def _is_a_type(self, text: TextSlice) -> bool:
        """Whether the first words, two or more, name a type."""
        words = text.words()
        lengths = range(2, len(words) + 1)
        return any(self._names_type(merge_adjacent_words(words[:length])) for length in lengths)


def _before(words: Sequence[TextSlice], named: Sequence[str]) -> list[TextSlice]:
    """Return the words before a word that introduces a vehicle; all words if there is none."""
    ends = range(1, len(words) - 1)
    return [*words[: next((at for at in ends if words[at].lower() in named), len(words))]]


def _without_head(words: Sequence[TextSlice], side: Side) -> tuple[Sequence[TextSlice], int]:
    """Return the words without a side, "squads" or "leader" before the digits of a unit, and the
    number of words left out."""
    first = words[0].lower().rstrip(".")
    if len(words) > 1 and HEADS.get(first) is side:
        return words[1:], 1
    is_unit = len(words) > 1 and _OF_A_UNIT.fullmatch(words[1]) is not None
    return (words[1:], 1) if is_unit and first in BEFORE_DIGITS else (words, 0)
