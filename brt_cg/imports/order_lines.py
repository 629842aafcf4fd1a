"""An order of battle by lines, as one reads it off a card.

"4 x 6-6-8" or "6-6-8 x 4", "2 HMG", "9-1 Crowe", "3 LVT2", "3 x 7-6-8 engineers: DC, DC, FT" (what
they possess), "20 PM: 3 x 6-6-8 in LVT2" (a date to come; each aboard one), "20 PM, wave 3: …";
"6-6-8 A, B" and "3 x 6-6-8 A-C" name them; "2 x 6-6-8, MMG; 9-1" are three kinds. "Marine:" or
"Japanese:" alone on a line says whose the next lines are; after "#" comes a remark. Fortifications
are "4 1S foxholes", "pillbox 2+3+5" (capacity and TEM), "2 wire".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from brt_cg.board.locations import OFF_MAP
from brt_cg.card import Card
from brt_cg.card.arriving import counters_of
from brt_cg.card.called import printed_type, unit_called
from brt_cg.card.called_forts import (
    fort_row,
    fort_words,
    fortification_called,
    fortification_near,
    fortification_of,
)
from brt_cg.catalogue import Catalogue
from brt_cg.catalogue.reading import CatalogueType
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.imports.hex_lines import location_of
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fortification, Side, Vehicle, Weapon, WeaponKind
from brt_cg.model.records import Phase
from brt_cg.questions.answers import Refused

_DATE = re.compile(r"(\d{1,2})\s*(AM|PM|NT)\s*(?:,?\s*wave\s+([^:,]+))?\s*:\s*", re.IGNORECASE)
_SIDE = re.compile(r"(marines?|japanese)\s*:?", re.IGNORECASE)
_MANY = re.compile(r"(\d{1,6})\s*[x×]\s*(?=\S)|(\d{1,2})\s+(?=\S)", re.IGNORECASE)
_TIMES = re.compile(r"\s+[x×]\s*(\d{1,6})(?=\s|$)", re.IGNORECASE)
_IN = re.compile(r"\s+(?:in|aboard)\s+(?:(\d{1,6})\s*[x×]?\s+)?", re.IGNORECASE)
_DASH = re.compile(r"(?<=\d)[\u2010\u2011\u2013\u2014\u2212](?=\d)")  # of word processors
_AT = re.compile(r"\s+(?:at|@)\s+(\S+)\s*$", re.IGNORECASE)
_RANGE = re.compile(r"([A-Za-z])[-–]([A-Za-z])|(\d{1,4})-(\d{1,4})")
_OF_A_UNIT = re.compile(r"\d-?\d-?\d|\d{1,2}[-+]\d")  # digits that no type of equipment has
MOST = 200  # counters of one line
SHORT = {
    **{"squad": "sq", "half_squad": "hs", "crew": "cr", "vehicle_crew": "vc"},
    **{"leader": "ldr", "hero": "hero", "pathfinder": "pf"},
}

Row = dict[str, Any]


class AskedBack(ValueError):
    """Raised for what is not understood and may be meant otherwise: "91 Crowe" for 9-1 Crowe."""

    def __init__(self, said: str, meant: str, more: str = "") -> None:
        super().__init__(f"{said}: did you mean {meant}?{more}")
        self.said, self.meant = said, meant


@dataclass(slots=True)
class Line:
    """One line as understood: its `number` and `text`, the rows of its counters by table, the date
    and wave if it is an arrival, `words` for the player, what is wrong with it, and what is asked
    back, if anything."""

    number: int
    text: str
    side: Side | None = None
    date: str | None = None
    wave: str | None = None
    rows: list[tuple[str, Row]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    asked: AskedBack | None = None

    @property
    def words(self) -> str:
        """The line as understood, or why it is not."""
        if self.problems:
            return "; ".join(self.problems)
        called: dict[str, list[str]] = {}
        for table, row in self.rows:
            fort = table == Fortification.TABLE
            kind = (
                fort_words(fortification_of(row)) if fort else f"{row['type']} {_kind_words(row)}"
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


def read_lines(
    text: str, side: Side | None, campaign: Campaign, card: Card, catalogue: Catalogue
) -> list[Line]:
    """The lines of a text, each as far as it is understood; those of remarks are left out."""
    return _Reading(side, campaign, card, catalogue).lines(text)


def asked_of(lines: Iterable[Line], source: str | None = None) -> list[dict[str, Any]]:
    """What `reinforce` is asked, once for what is there now and once for each date and wave. Raises
    Refused with every line that is not understood."""
    known = list(lines)
    problems = [
        f"line {line.number}: {problem} ({line.text})"
        for line in known
        for problem in line.problems
    ]
    if not problems and not any(line.rows for line in known):
        problems = ["there are no counters in it"]
    if problems:
        raise Refused(*problems)
    found: dict[tuple[str | None, str | None, Side | None], list[Line]] = {}
    for line in known:
        whose = line.side if line.date else None
        found.setdefault((line.date, line.wave, whose), []).append(line)
    return [_asked(together, source) for together in found.values()]


def _asked(lines: list[Line], source: str | None) -> dict[str, Any]:
    state: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    for line in lines:
        for table, row in line.rows:
            state.setdefault(table, []).append(row)
    asked: dict[str, Any] = {"state": state, "source": source}
    if lines[0].date is not None:
        words = "; ".join(_DATE.sub("", line.text) for line in lines)
        asked |= {"date": lines[0].date, "wave": lines[0].wave, "lines": words}
    return asked


class _Reading:
    """A text being read; ids are given as it goes."""

    def __init__(
        self, side: Side | None, campaign: Campaign, card: Card, catalogue: Catalogue
    ) -> None:
        self.side, self.campaign = side, campaign
        self.card, self.catalogue = card, catalogue
        coming = (each for mine in campaign.arrivals.values() for each in counters_of(mine))
        self.ids = {each.id for each in (*campaign.counters(), *coming)}

    def lines(self, text: str) -> list[Line]:
        found = []
        for number, written in enumerate(text.splitlines(), start=1):
            words = _DASH.sub("-", written.partition("#")[0]).strip().lstrip("-*•– ")
            side = _SIDE.fullmatch(words)
            if side:
                self.side = Side.MARINE if side[1].lower()[0] == "m" else Side.JAPANESE
            elif words:
                found.append(self._line(number, words))
        return found

    def _line(self, number: int, text: str) -> Line:
        line = Line(number, text, self.side)
        if self.side is None:
            line.problems.append('whose? give a side, or a line "Marine:" before it')
            return line
        try:
            self._read(line, text)
        except ValueError as error:
            line.problems.append(str(error))
            line.asked = error if isinstance(error, AskedBack) else None
        return line

    def _read(self, line: Line, text: str) -> None:
        dated = _DATE.match(text)
        if dated:
            line.date, line.wave = f"{int(dated[1])} {dated[2].upper()}", dated[3]
            line.wave = line.wave.strip() if line.wave else None
            if line.date not in self.card.dates:
                raise ValueError(f"{line.date}: allowed: {', '.join(self.card.dates)}")
            text = text[dated.end() :]
        for kind in self._kinds(text):
            self._kind(line, kind)

    def _kinds(self, text: str) -> Iterator[str]:
        """The kinds of counters on a line: between semicolons, and between commas where those list
        neither names nor what is possessed: "2 x 6-6-8, MMG"."""
        for part in text.rstrip("; ").split(";"):
            first, *more = part.split(",")
            yield from [first, *more] if ":" not in part and self._apart(first, more) else [part]

    def _apart(self, first: str, more: Sequence[str]) -> bool:
        """Whether what follows a comma are kinds of their own: after a kind without names, or where
        each is one."""
        found = self._after(first)
        if found is not None and (not found[1] or not _fit(*found)):
            return not found[1]
        return all((kind := self._after(each)) is not None and _fit(*kind) for each in more)

    def _after(self, text: str) -> tuple[int, str] | None:
        """How many of a kind a text is, and the words after it; None if it names no kind."""
        try:
            many, what = self._counted(text)
            words = _IN.split(_AT.sub("", what), maxsplit=1)[0].split()
            *_, used = self._called(words)
        except ValueError:
            return None
        return many, " ".join(words[used:])

    def _kind(self, line: Line, text: str) -> None:
        held, _, carried = text.partition(":")
        many, what = self._counted(held)
        place, what = self._place(what, line)
        what, vehicles, afloat = self._vehicles(what, many)
        try:
            made = self._made(what, many)
        except ValueError as error:
            raise self._meant(held.strip()) or error from None
        units = [row for table, row in made if table == "units"]
        made += self._aboard(units, vehicles, afloat)
        made += self._possessed(units, carried)
        for table, row in made:
            fort = table == Fortification.TABLE
            if fort and line.date:
                raise ValueError(
                    "a Fortification has no date: it is bought, or there from the start"
                )
            on_map = {} if fort and place == {"location": OFF_MAP} else place
            line.rows.append((table, row | on_map))

    def _place(self, text: str, line: Line) -> tuple[Row, str]:
        """Where the counters are, if the line says it: "at N21", "at M1", "at off_map"."""
        found = _AT.search(text)
        if found is None:
            waits = self.campaign.situation.phase is Phase.PURCHASE and not line.date
            return ({} if waits else {"location": OFF_MAP}), text
        place, rest = found[1], text[: found.start()]
        if place.upper() in self.campaign.areas:
            return {"setup_area": place.upper()}, rest
        return {"location": location_of(place)}, rest

    def _vehicles(self, text: str, many: int) -> tuple[str, int, CatalogueType | None]:
        """What is before "in 2 LVT2", and the vehicles: how many, and their type."""
        found = _IN.search(text)
        if found is None:
            return text, 0, None
        called = self._type(text[found.end() :])
        if called.table != Vehicle.TABLE:
            raise ValueError(f"{called.type}: no vehicle")
        return text[: found.start()], int(found[1] or many), called

    def _made(self, text: str, many: int) -> list[tuple[str, Row]]:
        words = text.split()
        table, row, used = self._called(words)
        rows = [dict(row) for _ in range(many)]
        for made, name in zip(rows, _names(" ".join(words[used:]), many), strict=False):
            made["name"] = name
        return [(table, {"id": self._id(made), **made}) for made in rows]

    def _called(self, words: list[str]) -> tuple[str, Row, int]:
        """The table and the row of the counter that the first words name, and how many they are."""
        if not words:
            raise ValueError("names no counter")
        assert self.side is not None
        try:
            unit, used = unit_called(self.card, self.side, words)
        except ValueError as error:
            if _OF_A_UNIT.fullmatch(words[0]) and not self._is_a_type(" ".join(words)):
                raise
            for length in range(len(words), 0, -1):
                fort = fortification_called(self.card, self.side, " ".join(words[:length]))
                if fort is not None:
                    return Fortification.TABLE, fort_row(fort), length
            listed, used = self._longest(words, error)
            return listed.table, self._row(listed), used
        return "units", unit.row(self.side), used

    def _meant(self, text: str) -> AskedBack | None:
        """What is suggested where the number of "91 Crowe" or "37 INF" is not a count."""
        found = _MANY.match(text)
        if found is None or len(found[2] or "") < 2 or self.side is None:
            return None
        leader = printed_type(self.card, self.side, found[2])
        if leader != found[2]:
            return AskedBack(text, f"{leader} {text[found.end() :]}")
        near = self.catalogue.nearest(text, self.side)
        return AskedBack(text, near) if near is not None else None

    def _longest(self, words: list[str], error: ValueError) -> tuple[CatalogueType, int]:
        """The type that the most of the first words name, and how many they are."""
        if words[0].startswith('"'):
            return self._new_type(words)
        assert self.side is not None
        for length in range(len(words), 0, -1):
            found = self.catalogue.called(" ".join(words[:length]), self.side)
            if found is not None:
                return found, length
        whole = " ".join(words)
        more = f' A new type goes in quotes, then its kind: "{whole}" sw, gun or vehicle'
        other = self.catalogue.called(whole, self.side.enemy)
        if other is not None:
            raise ValueError(f"{whole}: {other.type} is a {self.side.enemy.label} type.{more}")
        near = self.catalogue.nearest(whole, self.side)
        near = near or fortification_near(self.card, self.side, whole)
        if near is not None:
            raise AskedBack(whole, near, more)
        if (near := self.catalogue.nearest(words[0], self.side)) is not None:
            raise AskedBack(words[0], near, more)
        raise ValueError(f"{whole}: no such type.{more}")

    def _new_type(self, words: list[str]) -> tuple[CatalogueType, int]:
        quoted = re.match(r'"([^"]+)"\s+(sw|gun|vehicle)\b', " ".join(words), re.IGNORECASE)
        if quoted is None:
            raise ValueError('a new type goes in quotes, then its kind: "name" sw, gun or vehicle')
        used = len(quoted[0].split())
        if quoted[2].lower() == "vehicle":
            return CatalogueType(Vehicle.TABLE, quoted[1]), used
        return CatalogueType(Weapon.TABLE, quoted[1], kind=WeaponKind(quoted[2].lower())), used

    def _type(self, text: str) -> CatalogueType:
        words = text.split()
        if not words:
            raise ValueError("names no type")
        found, used = self._longest(words, ValueError(text))
        if used < len(words):
            raise ValueError(f"{' '.join(words[used:])}: not understood after {found.type}")
        return found

    def _row(self, listed: CatalogueType) -> Row:
        row: Row = {"side": str(self.side), "type": listed.type}
        if listed.table == Weapon.TABLE:
            row["kind"] = str(listed.kind or WeaponKind.SW)
            if listed.is_part:
                raise ValueError(f"{listed.type}: comes with its vehicle")
        return row

    def _aboard(
        self, units: Sequence[Row], many: int, of: CatalogueType | None
    ) -> Iterator[tuple[str, Row]]:
        """Yields the vehicles, and puts the units aboard them in turn."""
        if of is None:
            return
        if not units or many < 1 or many > MOST:
            raise ValueError(f"there is nobody to go aboard a {of.type}")
        rows = [self._row(of) for _ in range(many)]
        for row in rows:
            row["id"] = self._id(row)
            yield Vehicle.TABLE, row
        for number, unit in enumerate(units):
            unit["aboard"] = rows[number * many // len(units)]["id"]

    def _possessed(self, units: Sequence[Row], text: str) -> Iterator[tuple[str, Row]]:
        """Yields what the units possess, one to each in turn."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if parts and not units:
            raise ValueError("only units possess anything: 3 x 7-6-8: DC, DC, FT")
        turn = cycle(units)
        for part in parts:
            many, what = self._counted(part)
            try:
                listed = self._type(what)
            except ValueError as error:
                raise self._meant(part) or error from None
            if listed.table != Weapon.TABLE:
                raise ValueError(f"{listed.type}: a vehicle has no possessor")
            for _ in range(many):
                row = self._row(listed) | {"possessor": next(turn)["id"]}
                yield Weapon.TABLE, {"id": self._id(row), **row}

    def _counted(self, text: str) -> tuple[int, str]:
        """How many, and of what: (4, "6-6-8"), also from "6-6-8 x 4"; of "75 AA" one, a type that
        begins with a number."""
        text = text.strip()
        before = _MANY.match(text)
        if before is not None and before[2] and self._is_a_type(text):
            before = None
        after = _TIMES.search(text, before.end() if before is not None else 0)
        if before is not None and after is not None:
            raise ValueError(f"{text}: gives the number twice")
        if after is not None:
            return _checked(int(after[1])), text[: after.start()] + text[after.end() :]
        if before is None:
            return 1, text
        return _checked(int(before[1] or before[2])), text[before.end() :]

    def _is_a_type(self, text: str) -> bool:
        """Whether the first words, two or more, name a type."""
        assert self.side is not None
        words = text.split()
        named = (" ".join(words[:length]) for length in range(2, len(words) + 1))
        return any(self.catalogue.called(name, self.side) for name in named)

    def _id(self, row: Row) -> str:
        """A free id: "m-sq-3", "j-hmg-1", "m-lvt2-4"."""
        kind = SHORT.get(str(row.get("kind", "")))
        stem = kind or re.sub(r"[^a-z0-9]+", "", row["type"].lower()) or "counter"
        number = 1
        while (id := f"{row['side'][0]}-{stem}-{number}") in self.ids:
            number += 1
        self.ids.add(id)
        return id


def _checked(many: int) -> int:
    if not 1 <= many <= MOST:
        raise ValueError(f"{many}: allowed: 1 to {MOST} on a line")
    return many


def _names(text: str, many: int) -> list[str]:
    """The names of counters: one, or as many as there are: "A, B", "A-C", "1-3"."""
    text = text.strip()
    if not text:
        return []
    if many == 1:
        return [text]
    span = _RANGE.fullmatch(text)
    if span and span[1]:
        names = [chr(code) for code in range(ord(span[1]), ord(span[2]) + 1)]
    elif span:
        names = [str(number) for number in range(int(span[3]), int(span[4]) + 1)]
    else:
        names = [name for name in re.split(r"[,\s]+", text) if name]
    if len(names) != many:
        raise ValueError(f"{text}: {len(names)} names for {many} counters")
    return names


def _fit(many: int, text: str) -> bool:
    """Whether there are as many names as counters, or none."""
    try:
        _names(text, many)
    except ValueError:
        return False
    return True


def as_asked_back(text: str, lines: Sequence[Line]) -> str:
    """A text of lines with every suggestion in place of what was typed; "" if there is none."""
    written = text.splitlines(keepends=True)
    for line in lines:
        if line.asked is not None:
            at = line.number - 1
            written[at] = written[at].replace(line.asked.said, line.asked.meant, 1)
    return "" if "".join(written) == text else "".join(written)
