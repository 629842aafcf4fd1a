"""An order of battle by lines, as on a card.

"4 x 6-6-8" or "6-6-8 x 4", "2 HMG", "9-1 Crowe", "3 LVT2", "3 x 7-6-8 engineers: DC, DC, FT" (what
they possess), "20 PM: 3 x 6-6-8 in LVT2" (a future date; each aboard one), "20 PM, wave 3: …";
"6-6-8 A, B" and "3 x 6-6-8 A-C" name them; "2 x 6-6-8, MMG; 9-1" are three kinds. "Marine:" or
"Japanese:" alone on a line gives the side of the next lines; after "#" comes a remark.
Fortifications are "4 1S foxholes", "pillbox 2+3+5" (capacity and TEM), "2 wire".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
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
from brt_cg.catalogue.types import CatalogueType
from brt_cg.commands import Command
from brt_cg.commands.reinforce import reinforce
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.imports.hex_lines import read_location
from brt_cg.model import Campaign, Counter, Fortification, Phase, Side, Vehicle, Weapon, WeaponKind
from brt_cg.questions import RefusedError
from brt_cg.text import NotUnderstoodError, TextSlice, expand_span, list_text, merge_adjacent_words

_DATE = re.compile(r"(\d{1,2})\s*(AM|PM|NT)\s*(?:,?\s*wave\s+([^:,]+))?\s*:\s*", re.IGNORECASE)
_MANY = re.compile(r"(\d{1,6})\s*[x×]\s*(?=\S)|(\d{1,2})\s+(?=\S)", re.IGNORECASE)
_IN_MANY = re.compile(r"(\d{1,6})\s*[x×]?\s+", re.IGNORECASE)
_TIMES = re.compile(r"\s+[x×]\s*(\d{1,6})(?=\s|$)", re.IGNORECASE)
_DASH = re.compile(r"(?<=\d)[\u2010\u2011\u2013\u2014\u2212](?=\d)")  # of word processors
_NEW_TYPE = re.compile(r'"([^"]+)"\s+(sw|gun|vehicle)\b', re.IGNORECASE)
_OF_A_UNIT = re.compile(r"\d-?\d-?\d|\d{1,2}[-+]\d")  # digits that no type of equipment has
HEADS = {
    **dict.fromkeys(("marine", "marines"), Side.MARINE),
    **{"japanese": Side.JAPANESE},
}
ABOARD, AT = ("in", "aboard"), ("at", "@")  # before a vehicle, before a Location
BULLETS = "-*•– "
MOST = 200  # counters of one line
# Lines of a card that are not counters here.
_NOT_TRACKED = re.compile(
    r"(\d+ *[x×]? *)?(\?|concealment|dumm(y|ies)|sniper|san|elr"
    r"|a-?p mines?( \d+)?( factors?)?|mines?( \d+)?( factors?)?( [x×] *\d+)? a-?p)"
    r"( counters?)?[ x×:=]*\d*",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(squads|leaders|infantry|mmcs?|smcs?|sws?|support weapons|guns|ordnance|vehicles|afvs?"
    r"|armou?r|fortifications|counters|units|order of battle|ob):?|[^\d:?]+:",
    re.IGNORECASE,
)
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
    tracked."""

    number: int
    text: TextSlice
    side: Side | None = None
    date: str | None = None
    wave: str | None = None
    kinds: str = ""
    rows: list[tuple[str, Row]] = field(default_factory=list)
    wrong: NotUnderstoodError | None = None
    aside: bool = False

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
            called.setdefault(kind, []).append(row.get("name") or "")
        kinds = (
            f"{len(names)} × {kind} {', '.join(filter(None, names))}".rstrip()
            for kind, names in called.items()
        )
        listed = ", ".join(kinds)
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


class _Reading:
    """A text being read; ids are given on the way."""

    def __init__(
        self, side: Side | None, campaign: Campaign, card: Card, catalogue: Catalogue
    ) -> None:
        self.side, self.campaign = side, campaign
        self.card, self.catalogue = card, catalogue
        coming = (each for mine in campaign.arrivals.values() for each in arrival_counters(mine))
        self.ids = {each.id for each in (*campaign.counters(), *coming)}

    def lines(self, text: str) -> list[ParsedOrderLine]:
        found = []
        for number, written in enumerate(text.splitlines(), start=1):
            line = TextSlice(_DASH.sub("-", written.partition("#")[0])).cut()
            line = line.cut(len(line) - len(line.lstrip(BULLETS)))
            first, *_ = [*line.lower().rstrip(": ").split(), ""]
            is_heading = _HEADING.fullmatch(line) is not None
            whose = _WHOSE.search(line) if _PROSE.fullmatch(line) else None
            head = HEADS.get(whose[1].lower() if whose else first if is_heading else line.lower())
            self.side = head or self.side
            if (line and is_heading and head is None) or _NOT_TRACKED.fullmatch(line):
                found.append(ParsedOrderLine(number, line, self.side, aside=True))
            elif line and head is None:
                found.append(self._line(number, line))
        return found

    def _line(self, number: int, text: TextSlice) -> ParsedOrderLine:
        line = ParsedOrderLine(number, text, self.side)
        try:
            if self.side is None:
                raise NotUnderstoodError(
                    text.with_text(), 'whose? give a side, or a line "Marine:" before it'
                )
            self._read(line, text)
        except NotUnderstoodError as wrong:
            line.aside = wrong.meant is None and _PROSE.fullmatch(text) is not None
            line.wrong = None if line.aside else wrong
        except ValueError as error:
            line.wrong = NotUnderstoodError(text.with_text(), error)
        return line

    def _read(self, line: ParsedOrderLine, text: TextSlice) -> None:
        dated = _DATE.match(text)
        if dated:
            line.date, line.wave = f"{int(dated[1])} {dated[2].upper()}", dated[3]
            line.wave = line.wave.strip() if line.wave else None
            if line.date not in self.card.dates:
                raise NotUnderstoodError(line.date, allowed=list_text(self.card.dates))
            text = text.cut(dated.end())
            line.kinds = str(text)
        for kind in self._kinds(text):
            self._kind(line, kind)

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
        try:
            many, what = self._counted(text)
            words = _before(_before(what.words(), AT), ABOARD)
            *_, used = self._called(words)
        except NotUnderstoodError:
            return None
        return many, merge_adjacent_words(words[used:])

    def _kind(self, line: ParsedOrderLine, text: TextSlice) -> None:
        held, carried = text.split_at(":")
        many, what = self._counted(held)
        words = what.words()
        place = self._place(words, line)
        words = _before(words, AT)
        aboard = words[len(_before(words, ABOARD)) :]
        words = words[: len(words) - len(aboard)]
        vehicles, afloat = self._vehicles(aboard[1:], many) if aboard else (0, None)
        try:
            made = self._made(words, many)
        except NotUnderstoodError as wrong:
            raise self._meant(held) or wrong from None
        units = [row for table, row in made if table == "units"]
        made += self._aboard(units, vehicles, afloat)
        made += self._possessed(units, carried)
        for table, row in made:
            fort = table == Fortification.TABLE
            if fort and line.date:
                raise NotUnderstoodError(
                    held, "a Fortification has no date: it is bought, or there from the start"
                )
            on_map = {} if fort and place == {"location": OFF_MAP} else place
            line.rows.append((table, row | on_map))

    def _place(self, words: Sequence[TextSlice], line: ParsedOrderLine) -> Row:
        """The place of the counters, if the line gives it: "at N21", "at M1", "at off_map"."""
        if len(_before(words, AT)) == len(words):
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

    def _made(self, words: Sequence[TextSlice], many: int) -> list[tuple[str, Row]]:
        table, row, used = self._called(words)
        rows = [dict(row) for _ in range(many)]
        for made, name in zip(rows, _names(merge_adjacent_words(words[used:]), many), strict=False):
            made["name"] = name
        return [(table, {"id": self._id(made), **made}) for made in rows]

    def _called(self, words: Sequence[TextSlice]) -> tuple[str, Row, int]:
        """The table and the row of the counter that the first words name, and the number of these
        words."""
        if not words:
            raise NotUnderstoodError(TextSlice(""), "names no counter")
        assert self.side is not None
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
            return listed.table, self._row(listed), used
        return "units", unit.state_row(self.side), used

    def _meant(self, text: TextSlice) -> NotUnderstoodError | None:
        """The suggestion when the number in "91 Crowe" or "37 INF" is not a count."""
        found = _MANY.match(text)
        if found is None or len(found[2] or "") < 2 or self.side is None:
            return None
        leader = normalize_digits(self.card, self.side, found[2])
        if leader != found[2]:
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
            found = self.catalogue.find_by_name(merge_adjacent_words(words[:length]), self.side)
            if found is not None:
                return found, length
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
        if (near := self.catalogue.nearest_name(words[0], self.side)) is not None:
            raise NotUnderstoodError(words[0], meant=near, more=more)
        raise NotUnderstoodError(whole, "no such type.", more=more)

    def _new_type(self, words: Sequence[TextSlice]) -> tuple[CatalogueType, int]:
        quoted = _NEW_TYPE.match(merge_adjacent_words(words))
        if quoted is None:
            more = 'a new type goes in quotes, then its kind: "name" sw, gun or vehicle'
            raise NotUnderstoodError(merge_adjacent_words(words), more)
        used = len(quoted[0].split())
        if quoted[2].lower() == "vehicle":
            return CatalogueType(Vehicle.TABLE, quoted[1]), used
        return CatalogueType(Weapon.TABLE, quoted[1], kind=WeaponKind(quoted[2].lower())), used

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

    def _possessed(self, units: Sequence[Row], text: TextSlice) -> Iterator[tuple[str, Row]]:
        """Yield the possessions of the units, one to each in turn."""
        parts = text.split_by(",")
        if parts and not units:
            raise NotUnderstoodError(text, "only units possess anything: 3 x 7-6-8: DC, DC, FT")
        turn = cycle(units)
        for part in parts:
            many, what = self._counted(part)
            try:
                listed = self._type(what)
            except NotUnderstoodError as wrong:
                raise self._meant(part) or wrong from None
            if listed.table != Weapon.TABLE:
                raise NotUnderstoodError(part, f"{listed.type}: a vehicle has no possessor")
            for _ in range(many):
                row = self._row(listed) | {"possessor": next(turn)["id"]}
                yield Weapon.TABLE, {"id": self._id(row), **row}

    def _counted(self, text: TextSlice) -> tuple[int, TextSlice]:
        """The number and the kind: (4, "6-6-8"), also from "6-6-8 x 4"; "75 AA" is one, of a type
        that begins with a number."""
        before = _MANY.match(text)
        if before is not None and before[2] and self._is_a_type(text):
            before = None
        after = _TIMES.search(text, before.end() if before is not None else 0)
        if before is not None and after is not None:
            raise NotUnderstoodError(text, "gives the number twice")
        if before is None and after is None:
            return 1, text
        many = int(after[1] if after else before[1] or before[2] if before else 1)
        if not 1 <= many <= MOST:
            raise NotUnderstoodError(str(many), allowed=f"1 to {MOST} on a line")
        if after is not None:
            rest = merge_adjacent_words(
                [*text.cut(0, after.start()).words(), *text.cut(after.end()).words()]
            )
            return many, rest
        return many, text.cut(before.end() if before else 0)

    def _is_a_type(self, text: TextSlice) -> bool:
        """Whether the first words, two or more, name a type."""
        assert self.side is not None
        words = text.words()
        named = (merge_adjacent_words(words[:length]) for length in range(2, len(words) + 1))
        return any(self.catalogue.find_by_name(name, self.side) for name in named)

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
    """The words before one that introduces a Location, or a vehicle; all if there is none."""
    ends = range(len(words) - 2, 0, -1) if named is AT else range(1, len(words) - 1)
    return [*words[: next((at for at in ends if words[at].lower() in named), len(words))]]


def _names(text: TextSlice, many: int) -> list[str]:
    """The names of counters, one or several: "A, B", "A-C", "1-3"."""
    if many == 1 or not text:
        return [str(text)] if text else []
    names = [name for part in text.split_by(",") for name in map(str, part.words())]
    if len(names) == 1:
        names = expand_span(text)
    if len(names) != many:
        raise NotUnderstoodError(text, f"{len(names)} names for {many} counters")
    return names


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
