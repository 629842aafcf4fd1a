"""An order of battle by lines, as on a card.

"4 x 6-6-8" or "6-6-8 x 4", "2 HMG", "9-1 Crowe", "3 LVT2", "3 x 7-6-8 engineers: DC, DC, FT" (what
they possess), "20 PM: 3 x 6-6-8 in LVT2" (a future date; each aboard one), "20 PM, wave 3: …";
alone on a line, "Wave 2 (2/8, Red Two):" is about the lines after it. "3 x 6-6-8 A-C" names
them, and so does anything in quotes; "2 x 6-6-8, MMG; 9-1" are three kinds. A number or brackets
after the type are a count: "6-6-8 12", "HMG (2)". Rows pasted from a spreadsheet are read by their
columns. "8-1 armor leader" goes into his vehicle. "Marine:" or
"Japanese:" alone on a line gives the side of the next lines; after "#" comes a remark.
Fortifications are "4 1S foxholes", "pillbox 2+3+5" (capacity and TEM), "2 wire".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, takewhile
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.card import Card, arrival_counters
from brt_cg.card.unit_names import (
    find_fortification,
    fortification_from_row,
    fortification_row,
    fortification_text,
    nearest_fortification,
    normalize_digits,
    parse_unit,
)
from brt_cg.catalogue import Catalogue
from brt_cg.catalogue.command_figures import add_figures
from brt_cg.catalogue.spoken_names import MODEL_WORDS
from brt_cg.catalogue.types import CatalogueType
from brt_cg.commands import Command
from brt_cg.commands.reinforce import reinforce
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.imports.hex_lines import read_location
from brt_cg.imports.order_columns import (
    HEADS,
    Column,
    PastedRow,
    read_headings,
    read_row,
    split_cells,
)
from brt_cg.imports.order_columns import is_rule as is_table_rule
from brt_cg.model import Campaign, Counter, Fortification, Phase, Side, Vehicle, Weapon, WeaponKind
from brt_cg.questions import RefusedError
from brt_cg.text import NotUnderstoodError, TextSlice, expand_span, list_text, merge_adjacent_words

# "20 PM:", "20 PM, wave 3:", "Wave 2 (2/8, Red Two):", "Wave 4, turn 3 (3/8, Red Three):".
_WAVE = r"wave\s+([^:,(]+?(?:\s*,?\s*turn\s+\d{1,2})?\s*(?:\([^)]*\))?)"
_DATE = re.compile(
    rf"(?:(\d{{1,2}})\s*(AM|PM|NT)\s*(?:,?\s*{_WAVE})?|{_WAVE})\s*:\s*", re.IGNORECASE
)
_MANY = re.compile(
    r"(\d{1,6})\s*[x×]\s*(?=\S)|(\d{1,6})\s*(?:each|ea\.?)\s+|(\d{1,2})\s+(?=\S)"
    r"|[(\[](\d{1,6})[)\]]\s*(?=\S)",
    re.IGNORECASE,
)
_IN_MANY = re.compile(r"(\d{1,6})\s*[x×]?\s+", re.IGNORECASE)
# A number after a type that can only be a count: "x4", "*4", "=4", "(4)", "[x4]"; and glued to it.
_COUNT = re.compile(r"[x×*=:]+(\d{1,6})|[x×*=]?[(\[{][x×*=]?(\d{1,6})x?[)\]}]", re.IGNORECASE)
_GLUED = re.compile(r"(.*[^\sx×*=(\[{])([x×*=]\d{1,6}|[(\[{]x?\d{1,6}[)\]}])", re.IGNORECASE)
_SIGNS = ("x", "×", "*", "=")  # before a count, as a separate word
_BLANK = re.compile(r"[-–—.:,|…]+")  # a word that only fills a gap
_NUMBER = re.compile(r"\d{1,6}")
_DASH = re.compile(r"(?<=\d)[\u2010\u2011\u2013\u2014\u2212](?=\d)")  # of word processors
_NEW_TYPE = re.compile(r'"([^"]+)"\s+(sw|gun|vehicle)\b', re.IGNORECASE)
_OF_A_UNIT = re.compile(r"\d-?\d-?\d|\d{1,2}[-+]\d")  # digits that no type of equipment has
_OF_A_LEADER = re.compile(r"\d{1,2}[-+]\d(?![-\d])|(91|92|101|102|103|81|80|70|90|100)(?!\S)")
ABOARD, AT = ("in", "aboard"), ("at", "@")  # before a vehicle, before a Location
# Words before the digits of a unit, and after a type of equipment, that say nothing more.
BEFORE_DIGITS = ("squad", "squads", "sq", "leader", "leaders", "ldr", "ldrs", "smc", "mmc", "usmc")
EQUIPMENT = ("gun", "tank", "amtrac", "amtrack", "vehicle", "afv", "counter", "team", "sw")
NO_NAMES = (
    *("broken", "disrupted", "pinned", "wounded", "hidden", "hip", "concealed", "cloaked", "dm"),
    *("captured", "malf", "malfunctioned", "disabled", "reduced", "elite", "conscript", "prisoner"),
    *("immobilized", "abandoned", "with", "and", "plus", "each", "squad", "squads", "hs"),
)
BULLETS = "-*•– "
MOST = 200  # counters of one line
# Lines of a card that are not counters here.
_NOT_TRACKED = re.compile(
    r"(\d+ *[x×]? *)?([\"“']?\?[\"”']?|concealment|dumm(y|ies)|sniper|san|elr"
    r"|a-?p mines?( \d+)?( factors?)?|mines?( \d+)?( factors?)?( [x×] *\d+)? a-?p)"
    r"( counters?)?[ x×:=(\[]*\d*[)\]]?",
    re.IGNORECASE,
)
_KINDS = (
    r"(squads|leaders|infantry|mmcs?|smcs?|sws?|support weapons|guns|ordnance|vehicles|afvs?"
    r"|armou?r|fortifications|counters|units|order of battle|ob):?"
)
_OF_KINDS = re.compile(_KINDS, re.IGNORECASE)
_HEADING = re.compile(rf"{_KINDS}|[^\d:?]+:", re.IGNORECASE)
# Words of a heading or a remark: two or more, and no number but in brackets.
_PROSE = re.compile(r"(?=\S+\s)(?:[^\d()]|\([^)]*\))+")
_WHOSE = re.compile(r"(marine|japanese).*\b(order of battle|ob|forces)\b", re.IGNORECASE)
WHICH_MINES = (
    "A-P or A-T? A-P mines are not tracked; of A-T mines each factor is one counter: "
    "24 A-T mine factors"
)
ASIDE = "set aside: no counter that is tracked here"
SHORT = {
    **{"squad": "sq", "half_squad": "hs", "crew": "cr", "vehicle_crew": "vc"},
    **{"leader": "ldr", "hero": "hero", "pathfinder": "pf"},
}

Row = dict[str, Any]


@dataclass(slots=True)
class ParsedOrderLine:
    """One parsed line: its `number` and `text`, the rows of its counters by table, the date and
    wave if it is an arrival and then its `kinds` without them, `words` for the player, and the
    problem (`wrong`), if any. A line set `aside` is a heading, or about something that is not
    tracked; `remarks` are such parts of a line."""

    number: int
    text: TextSlice
    side: Side | None = None
    date: str | None = None
    wave: str | None = None
    kinds: str = ""
    rows: list[tuple[str, Row]] = field(default_factory=list)
    wrong: NotUnderstoodError | None = None
    aside: bool = False
    remarks: list[str] = field(default_factory=list)
    armor_leaders: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        """The problems with it, for the player."""
        return [] if self.wrong is None else [str(self.wrong)]

    @property
    def words(self) -> str:
        """The parsed line in words, or the problem with it."""
        if self.wrong is not None:
            return str(self.wrong)
        if self.aside:
            return f"{self.text.rstrip(': ')}: {ASIDE}"
        called: dict[str, list[str]] = {}
        for table, row in self.rows:
            fort = table == Fortification.TABLE
            kind = (
                fortification_text(fortification_from_row(row))
                if fort
                else f"{row['type']} {_kind_words(row)}"
            )
            if row.get("armor_leader"):
                kind += f" with {row['armor_leader']} armor leader"
            called.setdefault(kind, []).append(row.get("name") or "")
        kinds = (
            f"{len(names)} × {kind} {', '.join(filter(None, names))}".rstrip()
            for kind, names in called.items()
        )
        listed = ", ".join((*kinds, *(f"{each} armor leader" for each in self.armor_leaders)))
        if self.remarks:
            listed += f"; set aside: {', '.join(self.remarks)}"
        wave = f", wave {self.wave}" if self.wave else ""
        return f"{self.date}{wave}: {listed}" if self.date else listed


def _kind_words(row: Row) -> str:
    more = ["reduced"] if row.get("strength") == "reduced" else []
    known = {"tank_hunter": "T-H", "korean_laborer": "laborer", "half_squad": "HS"}
    known |= {"sw": "SW", "gun": "Gun"}
    words = [*more, *row.get("traits", []), str(row.get("kind", "vehicle"))]
    return " ".join(known.get(word, word.replace("_", " ")) for word in words)


def parse_order_lines(
    text: str, side: Side | None, campaign: Campaign, card: Card, catalogue: Catalogue
) -> list[ParsedOrderLine]:
    """The parsed lines of a text, without remarks; each has its problem, if any."""
    return _Reading(side, campaign, card, catalogue).lines(text)


def reinforce_inputs(
    lines: Iterable[ParsedOrderLine], source: str | None = None
) -> list[dict[str, Any]]:
    """The inputs of `reinforce`, one for the counters there now and one for each date and wave.
    Raises RefusedError with every line that is not understood."""
    known = list(lines)
    problems = [
        f"line {line.number}: {line.wrong} ({line.text})"
        for line in known
        if line.wrong is not None
    ]
    if not problems and not any(line.rows for line in known):
        problems = ["there are no counters in it"]
    if problems:
        raise RefusedError(*problems)
    found: dict[tuple[str | None, str | None, Side | None], list[ParsedOrderLine]] = {}
    for line in known:
        if line.aside:
            continue
        whose = line.side if line.date else None
        found.setdefault((line.date, line.wave, whose), []).append(line)
    return [_asked(together, source) for together in found.values()]


def _asked(lines: list[ParsedOrderLine], source: str | None) -> dict[str, Any]:
    state: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    for line in lines:
        for table, row in line.rows:
            state.setdefault(table, []).append(row)
    asked: dict[str, Any] = {"state": state, "source": source}
    if lines[0].date is not None:
        words = "; ".join(line.kinds for line in lines)
        asked |= {"date": lines[0].date, "wave": lines[0].wave, "lines": words}
    return asked


class _UnknownTypeError(NotUnderstoodError):
    """The error for words that resemble nothing known: in a line without numbers, a heading."""


class _Reading:
    """A text being read; ids are given on the way."""

    def __init__(
        self, side: Side | None, campaign: Campaign, card: Card, catalogue: Catalogue
    ) -> None:
        self.side, self.campaign = side, campaign
        self.card, self.catalogue = card, catalogue
        coming = (each for mine in campaign.arrivals.values() for each in arrival_counters(mine))
        self.ids = {each.id for each in (*campaign.counters(), *coming)}
        self.columns: Sequence[Column] | None = None  # of the pasted rows that follow
        self.arrives: tuple[str, str | None] | None = None  # the date and wave of those lines

    def lines(self, text: str) -> list[ParsedOrderLine]:
        found: list[ParsedOrderLine] = []
        for number, written in enumerate(text.splitlines(), start=1):
            typed = written.translate(_CURLY)
            bare = _DASH.sub("-", _hide_quoted(typed).partition("#")[0])
            cells = split_cells(bare)
            if cells is not None and len([*filter(None, cells)]) > 1:
                found += self._pasted(number, TextSlice(bare).cut(), cells)
                continue
            self.columns = None
            found += self._typed(number, bare)
        _seat_armor_leaders(found)
        return found

    def _typed(self, number: int, bare: str) -> Iterator[ParsedOrderLine]:
        """The line as it was typed; none for an empty line, and one that names a side."""
        line = TextSlice(bare).cut()
        line = line.cut(len(line) - len(line.lstrip(BULLETS)))
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
            yield ParsedOrderLine(number, _shown(line), self.side, aside=True)
        elif line and head is None:
            yield self._line(number, line)

    def _heads_arrival(self, line: TextSlice) -> bool:
        """Whether a line is only the date or wave of the lines after it."""
        with suppress(NotUnderstoodError):
            above = ParsedOrderLine(0, line)
            if line.endswith(":") and not self._dated(above, line):
                assert above.date is not None
                self.arrives = above.date, above.wave
                return True
        return False

    def _pasted(
        self, number: int, text: TextSlice, cells: Sequence[TextSlice]
    ) -> Iterator[ParsedOrderLine]:
        """The row of a spreadsheet; its headings are set aside."""
        if is_table_rule(cells):
            return
        headings = read_headings(cells)
        if headings is not None:
            self.columns = headings
            yield ParsedOrderLine(number, _shown(text), self.side, aside=True)
            return
        line = ParsedOrderLine(number, _shown(text), self.side)
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
            row = read_row(cells, self.columns, lambda cell: self._after(cell) is not None)
            line.side = self.side = row.side or self.side
            self._columns_of(line, row)
        finally:
            self.side = before

    def _columns_of(self, line: ParsedOrderLine, row: PastedRow) -> None:
        """Read the cells of a row as a kind of counters. Of text without a heading, only a leader's
        is a name."""
        date = TextSlice("") if row.date is None else row.date
        self._dated(line, date.with_text(f"{date.rstrip(':')}:" if date else ""))
        many, words = self._counted(row.type)
        if many is not None and row.count is not None:
            raise NotUnderstoodError(row.type, "gives the number twice")
        many = row.count if many is None else many
        if self.columns is None and row.aside and _OF_A_LEADER.match(words[0] if words else ""):
            row.names = TextSlice(row.aside.pop(0))
        names = [] if row.names is None else row.names.words()
        line.remarks += row.aside
        line.kinds = _shown_text(" ".join((f"{many or 1} x", *words, *names)))
        if many != 0:
            self._kind_of(line, many, [*words, *names], row.held or TextSlice(""))

    def _require_side(self, text: TextSlice) -> None:
        if self.side is None:
            why = 'whose? give a side, or a line "Marine:" before it'
            raise NotUnderstoodError(text.with_text(), why)

    def _line(self, number: int, text: TextSlice) -> ParsedOrderLine:
        line = ParsedOrderLine(number, _shown(text), self.side)
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
        """The text after its date and wave, which are the line's."""
        dated = _DATE.match(text)
        if dated is None:
            line.date, line.wave = self.arrives or (None, None)
            return text
        now = self.campaign.situation.date
        line.date = f"{int(dated[1])} {dated[2].upper()}" if dated[1] else now
        wave = dated[3] or dated[4]
        line.wave = wave.strip() if wave else None
        if line.date not in self.card.dates:
            raise NotUnderstoodError(line.date, allowed=list_text(self.card.dates))
        return text.cut(dated.end())

    def _read(self, line: ParsedOrderLine, text: TextSlice) -> None:
        text = self._dated(line, text)
        line.kinds = _shown_text(text) if line.date else ""
        if (cells := self._separated(text)) is not None:
            self._columns_of(
                line, read_row(cells, None, lambda each: self._after(each) is not None)
            )
            return
        for kind in self._kinds(text):
            if _NOT_TRACKED.fullmatch(kind):
                line.remarks.append(str(kind))
            else:
                self._kind(line, kind)

    def _separated(self, text: TextSlice) -> list[TextSlice] | None:
        """The cells of a line like CSV, "6-6-8,12": one is a bare number, and no other has one."""
        sign = ";" if ";" in text else ","
        cells = text.split_by(sign)
        bare = [cell for cell in cells if _NUMBER.fullmatch(cell) and self._after(cell) is None]
        if len(cells) < 2 or len(bare) != 1:
            return None
        with suppress(NotUnderstoodError):
            others = [cell for cell in cells if cell is not bare[0]]
            if all(self._counted(cell)[0] is None for cell in others):
                return cells
        return None

    def _kinds(self, text: TextSlice) -> Iterator[TextSlice]:
        """The kinds of counters on a line: between semicolons, and between commas if those list
        neither names nor possessions: "2 x 6-6-8, MMG"."""
        for part in text.split_by(";"):
            apart = ":" not in part and self._apart(kinds := part.split_by(","))
            yield from kinds if apart else [part]

    def _apart(self, kinds: Sequence[TextSlice]) -> bool:
        """Whether the texts after a comma are separate kinds: after a kind without names, or if
        each of them is a kind."""
        found = [self._after(each) for each in kinds]
        if found and found[0] is not None and (not found[0][1] or not _fit(*found[0])):
            return not found[0][1]
        return all(each is not None and _fit(*each) for each in found[1:])

    def _after(self, text: TextSlice) -> tuple[int, TextSlice] | None:
        """The number of counters of a kind that a text names, and the words after it; None if it
        names no kind."""
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
            many, rest = _count_after(many, words, used)
        except NotUnderstoodError:
            return None
        return many, merge_adjacent_words(rest)

    def _kind(self, line: ParsedOrderLine, text: TextSlice) -> None:
        held, carried = text.split_at(":")
        many, words = self._counted(held)
        if many is None and _NUMBER.fullmatch(carried):
            many, carried = int(carried), TextSlice("")
        try:
            self._kind_of(line, many, words, carried)
        except NotUnderstoodError as wrong:
            raise self._meant(held) or wrong from None

    def _kind_of(
        self, line: ParsedOrderLine, many: int | None, words: list[TextSlice], carried: TextSlice
    ) -> None:
        """Add the counters of a kind to a line; `many` None: the words may give the number."""
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
                    text, "a Fortification has no date: it is bought, or there from the start"
                )
            on_map = {} if fort and place == {"location": OFF_MAP} else place
            line.rows.append((table, row | on_map))

    # -- armor leaders: no counters here, but part of their vehicle (SSR BRT10) --

    def _armor_leader(self, words: Sequence[TextSlice]) -> tuple[str, int] | None:
        """The armor leader that the words name, "8-1 armor leader" or "8-1 AL", and the number of
        these words; None if they name none."""
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
        """Yield the vehicles of armor leaders; those whose vehicle the line does not give wait for
        one of another line."""
        type_, used = leader
        number, names = _count_after(many, words, used)
        if names:
            raise NotUnderstoodError(
                merge_adjacent_words(names), "an armor leader has no name here: leave it out"
            )
        if not aboard:
            line.armor_leaders += [type_] * number
            return
        vehicles, of = self._vehicles(aboard[1:], number)
        if vehicles != number:
            raise NotUnderstoodError(merge_adjacent_words(words), "one armor leader a vehicle")
        for _ in range(vehicles):
            row = self._row(of) | {"armor_leader": type_}
            yield Vehicle.TABLE, {"id": self._id(row), **row} | place

    def _before_place(self, words: Sequence[TextSlice]) -> list[TextSlice]:
        """The words before a Location; all if there is none. "AT" may be part of a Gun's type."""
        for at in range(len(words) - 2, 0, -1):
            if words[at].lower() in AT:
                is_type = self._names_type(merge_adjacent_words(words[: at + 1]))
                return [*words] if is_type else [*words[:at]]
        return [*words]

    def _place(self, words: Sequence[TextSlice], line: ParsedOrderLine) -> Row:
        """The place of the counters, if the line gives it: "at N21", "at M1", "at off_map"."""
        if len(self._before_place(words)) == len(words):
            waits = self.campaign.situation.phase is Phase.PURCHASE and not line.date
            return {} if waits else {"location": OFF_MAP}
        place = words[-1]
        if place.upper() in self.campaign.areas:
            return {"setup_area": place.upper()}
        return {"location": read_location(place)}

    def _vehicles(self, words: Sequence[TextSlice], many: int) -> tuple[int, CatalogueType]:
        """The vehicles that the units are in, "2 LVT2": their number and type."""
        count = _IN_MANY.match(merge_adjacent_words(words))
        called = self._type(merge_adjacent_words(words).cut(count.end() if count else 0))
        if called.table != Vehicle.TABLE:
            raise NotUnderstoodError(merge_adjacent_words(words), f"{called.type}: no vehicle")
        return int(count[1] if count else many), called

    def _made(self, words: Sequence[TextSlice], many: int | None) -> list[tuple[str, Row]]:
        table, row, used = self._called(words)
        number, rest = _count_after(many, words, used)
        _check_names(rest, row.get("kind") == "leader")
        if many is None:
            _check_one_name(merge_adjacent_words(words[:used]), merge_adjacent_words(rest))
        rows = [dict(row) for _ in range(number)]
        for made, name in zip(rows, _names(merge_adjacent_words(rest), number), strict=False):
            made["name"] = name
        return [(table, {"id": self._id(made), **made}) for made in rows]

    def _called(self, words: Sequence[TextSlice]) -> tuple[str, Row, int]:
        """The table and the row of the counter that the first words name, and the number of these
        words."""
        if not words:
            raise NotUnderstoodError(TextSlice(""), "names no counter")
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
                fort = find_fortification(
                    self.card, self.side, merge_adjacent_words(words[:length])
                )
                if fort is not None:
                    return Fortification.TABLE, fortification_row(fort), length
            listed, used = self._longest(words)
            more = takewhile(lambda word: word.lower().rstrip("s.") in EQUIPMENT, words[used:])
            return listed.table, self._row(listed), used + len([*more])
        return "units", unit.state_row(self.side), used

    def _meant(self, text: TextSlice) -> NotUnderstoodError | None:
        """The suggestion when the number in "91 Crowe" or "37 INF" is not a count."""
        found = _MANY.match(text)
        if found is None or len(found[3] or "") < 2 or self.side is None:
            return None
        leader = normalize_digits(self.card, self.side, found[3])
        if leader != found[3]:
            return NotUnderstoodError(text, meant=f"{leader} {text[found.end() :]}")
        near = self.catalogue.nearest_name(text, self.side)
        return NotUnderstoodError(text, meant=near) if near is not None else None

    def _longest(self, words: Sequence[TextSlice]) -> tuple[CatalogueType, int]:
        """The type that as many of the first words as possible name, and the number of these
        words."""
        if words[0].startswith('"'):
            return self._new_type(words)
        assert self.side is not None
        for length in range(len(words), 0, -1):
            text = merge_adjacent_words(words[:length])
            found = self.catalogue.find_as_spoken(text, self.side)
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
        near = near or nearest_fortification(self.card, self.side, whole)
        if near is not None:
            raise NotUnderstoodError(whole, meant=near, more=more)
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
        name = _shown_text(quoted[1])
        if quoted[2].lower() == "vehicle":
            return CatalogueType(Vehicle.TABLE, name), used
        return CatalogueType(Weapon.TABLE, name, kind=WeaponKind(quoted[2].lower())), used

    def _type(self, text: TextSlice) -> CatalogueType:
        words = text.words()
        if not words:
            raise NotUnderstoodError(text, "names no type")
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
            if listed.is_part:
                raise NotUnderstoodError(listed.type, "comes with its vehicle")
        return row

    def _aboard(
        self, units: Sequence[Row], many: int, of: CatalogueType | None
    ) -> Iterator[tuple[str, Row]]:
        """Yield the vehicles, and put the units aboard them in turn."""
        if of is None:
            return
        if not units or many < 1 or many > MOST:
            raise NotUnderstoodError(of.type, f"there is nobody to go aboard a {of.type}")
        rows = [self._row(of) for _ in range(many)]
        for row in rows:
            row["id"] = self._id(row)
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
                number, rest = _count_after(many, words, used)
            except NotUnderstoodError as wrong:
                raise self._meant(part) or wrong from None
            if rest:
                why = f"not understood after {listed.type}"
                raise NotUnderstoodError(merge_adjacent_words(rest), why)
            if listed.table != Weapon.TABLE:
                raise NotUnderstoodError(part, f"{listed.type}: a vehicle has no possessor")
            for _ in range(number):
                row = self._row(listed) | {"possessor": next(turn)["id"]}
                yield Weapon.TABLE, {"id": self._id(row), **row}

    def _led(self, vehicles: Sequence[Row], text: TextSlice, parts: Sequence[TextSlice]) -> None:
        """Put armor leaders into vehicles, one into each in turn."""
        leaders: list[str] = []
        for part in parts if vehicles else ():
            many, words = self._counted(part)
            leader = self._armor_leader(words)
            if leader is None or leader[1] < len(words):
                raise NotUnderstoodError(part, "only an armor leader is in a vehicle: 8-1 AL")
            leaders += [leader[0]] * (many or 1)
        if not leaders:
            raise NotUnderstoodError(text, "only units possess anything: 3 x 7-6-8: DC, DC, FT")
        if len(leaders) > len(vehicles):
            raise NotUnderstoodError(text, "one armor leader a vehicle")
        for row, type_ in zip(vehicles, leaders, strict=False):
            row["armor_leader"] = type_

    def _counted(self, text: TextSlice) -> tuple[int | None, list[TextSlice]]:
        """The number and the words of the kind: (4, "6-6-8"), also from "6-6-8 x 4", "6-6-8 (4)";
        None if no number is given. "75 AA" is one, of a type that begins with a number."""
        before = _MANY.match(text)
        if before is not None and before[3] and self._is_a_type(text):
            before = None
        numbers = [next(filter(None, before.groups()))] if before is not None else []
        words = self._unglued(text.cut(before.end() if before else 0).words())
        kept: list[TextSlice] = words[:1]
        at = 1
        while at < len(words):
            sign = words[at].lower() in _SIGNS and at + 1 < len(words)
            word = words[at + 1] if sign else words[at]
            number = _NUMBER.fullmatch(word) if sign else _COUNT.fullmatch(word)
            named = self._names_type(merge_adjacent_words(words[: at + 1]))
            if number is not None and not named:
                numbers.append(number[0] if sign else number[1] or number[2])
                at += 1 + sign
            else:
                kept.append(words[at])
                at += 1
        if len(numbers) > 1:
            raise NotUnderstoodError(_shown(text), "gives the number twice")
        return _within(int(numbers[0])) if numbers else None, kept

    def _unglued(self, words: Sequence[TextSlice]) -> list[TextSlice]:
        """The words with a count that is written without a blank apart: "HMG(2)", "6-6-8x12"."""
        found: list[TextSlice] = []
        for number, word in enumerate(words, start=1):
            glued = _GLUED.fullmatch(word)
            named = self._names_type(merge_adjacent_words(words[:number]))
            if glued is None or word.startswith('"') or named or self._names_type(word):
                found.append(word)
            else:
                found += [word.cut(*glued.span(1)), word.cut(*glued.span(2))]
        return found

    def _names_type(self, text: TextSlice) -> bool:
        assert self.side is not None
        return len(self.catalogue.find_as_spoken(text, self.side)) == 1

    def _is_a_type(self, text: TextSlice) -> bool:
        """Whether the first words, two or more, name a type."""
        words = text.words()
        lengths = range(2, len(words) + 1)
        return any(self._names_type(merge_adjacent_words(words[:length])) for length in lengths)

    def _id(self, row: Row) -> str:
        """A free id: "m-sq-3", "j-hmg-1", "m-lvt2-4"."""
        kind = SHORT.get(str(row.get("kind", "")))
        stem = kind or re.sub(r"[^a-z0-9]+", "", row["type"].lower()) or "counter"
        number = 1
        while (id := f"{row['side'][0]}-{stem}-{number}") in self.ids:
            number += 1
        self.ids.add(id)
        return id


def _before(words: Sequence[TextSlice], named: Sequence[str]) -> list[TextSlice]:
    """The words before one that introduces a vehicle; all if there is none."""
    ends = range(1, len(words) - 1)
    return [*words[: next((at for at in ends if words[at].lower() in named), len(words))]]


def _without_head(words: Sequence[TextSlice], side: Side) -> tuple[Sequence[TextSlice], int]:
    """The words without the side or "squads", "leader" before the digits of a unit, and the number
    of words left out."""
    first = words[0].lower().rstrip(".")
    if len(words) > 1 and HEADS.get(first) is side:
        return words[1:], 1
    is_unit = len(words) > 1 and _OF_A_UNIT.fullmatch(words[1]) is not None
    return (words[1:], 1) if is_unit and first in BEFORE_DIGITS else (words, 0)


def _count_after(
    many: int | None, words: Sequence[TextSlice], used: int
) -> tuple[int, list[TextSlice]]:
    """The number of counters, and the words after a kind that took the first ones: a number there
    is a count, not a name."""
    rest = [word for word in words[used:] if not _BLANK.fullmatch(word)]
    if len(rest) != 1 or not _NUMBER.fullmatch(rest[0].rstrip(".,")):
        return many or 1, rest
    number, kind = rest[0].rstrip(".,"), " ".join(words[:used])
    if many is not None or number.startswith("0") or _OF_A_LEADER.match(kind):
        why = f'a count? {kind} x {int(number)}. A name? 1 x {kind} "{number}"'
        raise NotUnderstoodError(rest[0], why)
    return _within(int(number)), []


def _within(many: int) -> int:
    if not 1 <= many <= MOST:
        raise NotUnderstoodError(str(many), allowed=f"1 to {MOST} on a line")
    return many


def _check_names(words: Sequence[TextSlice], is_leader: bool) -> None:
    """Raise NotUnderstoodError for words after a kind that hardly are its name."""
    for word in words:
        plain = word.casefold().strip(".,()[]")
        bare = word.strip("()[]")
        if bare != word and is_leader and bare.isalpha():
            raise NotUnderstoodError(word, meant=bare)
        if bare != word:
            why = "only a count is in brackets; a remark goes after #, a name in quotes"
            raise NotUnderstoodError(word, why)
        if plain in NO_NAMES:
            why = f'not a name: enter it later, or put a name in quotes: "{word}"'
            raise NotUnderstoodError(word, why)


def _check_one_name(kind: str, text: TextSlice) -> None:
    """Raise NotUnderstoodError if the names of a kind without a number may be several."""
    many = len(text.split_by(",")) if "," in text else len(expand_span(text))
    if many > 1:
        shown = _shown_text(text)
        why = f'{many} counters? {many} x {kind} {shown}. One name goes in quotes: "{shown}"'
        raise NotUnderstoodError(_shown(text), why)


# --- names in quotes ------------------------------------------------------------------------------

_QUOTED = re.compile(r'(?<![^\s,:(])"((?:[^"]|"")*)"(?=$|[\s,;:])')
_CURLY = {0x201C: '"', 0x201D: '"'}
_BETWEEN = ",;:#|()[] \t"  # signs that separate, but not within quotes
_HIDDEN = str.maketrans({sign: chr(0xE000 + at) for at, sign in enumerate(_BETWEEN)})
_FOUND = {0xE000 + at: sign for at, sign in enumerate(_BETWEEN)}


def _hide_quoted(text: str) -> str:
    """The text with other signs for those that separate, where they are in quotes."""
    return _QUOTED.sub(lambda quoted: quoted[0].translate(_HIDDEN), text)


def _shown_text(text: str) -> str:
    """The text as it was typed."""
    return str(text).translate(_FOUND)


def _shown(text: TextSlice) -> TextSlice:
    return text.with_text(_shown_text(text))


def _name(word: str) -> str:
    """A name as it was meant, without its quotes."""
    quoted = _QUOTED.fullmatch(word)
    return _shown_text(quoted[1].replace('""', '"') if quoted else word)


def _names(text: TextSlice, many: int) -> list[str]:
    """The names of counters, one or several: "A, B", "A-C", "1-3"."""
    if many == 1 or not text:
        return [_name(str(text))] if text else []
    names = [name for part in text.split_by(",") for name in map(str, part.words())]
    if len(names) == 1:
        names = expand_span(text)
    if len(names) != many:
        raise NotUnderstoodError(_shown(text), f"{len(names)} names for {many} counters")
    return [*map(_name, names)]


def _fit(many: int, text: TextSlice) -> bool:
    """Whether there are as many names as counters, or none."""
    try:
        _names(text, many)
    except NotUnderstoodError:
        return False
    return True


def apply_suggestions(text: str, lines: Sequence[ParsedOrderLine]) -> str:
    """A text of lines with every suggestion in place of the typed words; "" if there is none."""
    written = text.splitlines(keepends=True)
    for line in lines:
        if line.wrong is not None:
            written[line.number - 1] = line.wrong.corrected(written[line.number - 1])
    return "" if "".join(written) == text else "".join(written)


# --- SW listed apart ------------------------------------------------------------------------------


def distribute_weapons(text: str, lines: Sequence[ParsedOrderLine]) -> tuple[str, int]:
    """A text of lines in which the SW that are listed separately are given to the squads of the
    same side, date and wave, one to each in the order of the lines; and the number given. SW for
    which there is no squad stay separate."""
    waiting = {line.number: [row["type"] for _, row in line.rows] for line in lines if _is_sw(line)}
    apart = [line for line in lines if line.number in waiting]
    written, given = text.splitlines(), 0
    for line in lines:
        taken: list[str] = []
        for other in apart:
            room = _squads_without(line) - len(taken) if _goes_with(other, line) else 0
            sw = waiting[other.number]
            taken += sw[: max(room, 0)]
            del sw[: max(room, 0)]
        if taken:
            before, hash, remark = written[line.number - 1].partition("#")
            held = f"{before.rstrip()}: {', '.join(taken)}"
            written[line.number - 1] = f"{held}  {hash}{remark}" if hash else held
            given += len(taken)
    for other in apart:
        sw = waiting[other.number]
        if len(sw) < len(other.rows):
            date = other.text[: len(other.text) - len(other.kinds)] if other.date else ""
            written[other.number - 1] = f"{date}{len(sw)} {sw[0]}" if sw else ""
    gone = {other.number for other in apart if not waiting[other.number]}
    kept = [each for number, each in enumerate(written, start=1) if number not in gone]
    return "\n".join(kept) if given else "", given


def _squads_without(line: ParsedOrderLine) -> int:
    """The number of squads in a line, if it has one kind of squads without possessions."""
    squads = [row for table, row in line.rows if row.get("kind") == "squad"]
    others = [row for table, row in line.rows if table not in ("units", Vehicle.TABLE)]
    held = line.kinds if line.date else str(line.text)
    return 0 if others or ":" in held or ";" in held or "," in held else len(squads)


def _is_sw(line: ParsedOrderLine) -> bool:
    """Whether a line is about SW of one type that nobody possesses."""
    one_type = len({row["type"] for _, row in line.rows}) == 1
    return one_type and all(
        table == Weapon.TABLE and row.get("kind") == WeaponKind.SW and "possessor" not in row
        for table, row in line.rows
    )


def _seat_armor_leaders(lines: Sequence[ParsedOrderLine]) -> None:
    """Put armor leaders that a line lists apart into the vehicles of the other lines of their side
    and date, if these are of one type; else note that problem at the line."""
    for line in lines:
        if not line.armor_leaders:
            continue
        free = [
            row
            for other in lines
            if _goes_with(other, line)
            for table, row in other.rows
            if table == Vehicle.TABLE and "armor_leader" not in row and not _is_transport(row)
        ]
        if len({row["type"] for row in free}) != 1 or len(free) < len(line.armor_leaders):
            first = line.armor_leaders[0]
            why = f"in which vehicle? Write {first} AL in M4A2, or 3 M4A2: {first} AL"
            line.wrong = NotUnderstoodError(line.text, why)
            continue
        for row, type_ in zip(free, line.armor_leaders, strict=False):
            row["armor_leader"] = type_


def _is_transport(row: Row) -> bool:
    return str(row["type"]).startswith(("LVT2", "LVT(A)2", "LCVP", "LCM", "Jeep"))


def _goes_with(one: ParsedOrderLine, other: ParsedOrderLine) -> bool:
    return (one.side, one.date, one.wave) == (other.side, other.date, other.wave)


# --- tried on a copy of the campaign --------------------------------------------------------------


NOT_YOURS = "these are the other side's: enter your own"


def counters_of_lines(
    lines: Iterable[ParsedOrderLine], campaign: Campaign, card: Card, catalogue: Catalogue
) -> list[Counter]:
    """The counters that the lines would add, those still to arrive last; the campaign is not
    changed. Raises RefusedError as `reinforce_inputs` and `reinforce` would."""
    after = campaign.clone()
    for asked in reinforce_inputs(lines):
        filled = add_figures("reinforce", asked, catalogue, after, card)
        reinforce(Command("reinforce", filled, after, card, {}, "preview", ""))
    there = [each for each in after.counters() if campaign.find(each.id) is None]
    later = (after.arrivals[key] for key in after.arrivals if key not in campaign.arrivals)
    return [*there, *(each for arrival in later for each in arrival_counters(arrival))]


def check_lines_for_seat(lines: Iterable[ParsedOrderLine], seat: Side | None) -> None:
    """Note a problem at each line of the enemy's, if a side sits at the program. Raises
    RefusedError if there is one."""
    if any(line.side is not None and line.side is not seat for line in lines if seat is not None):
        raise RefusedError(NOT_YOURS)
