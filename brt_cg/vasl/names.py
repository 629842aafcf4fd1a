"""The counters that VASL's names mean: `campaigns/vasl.toml`, and the players' own names."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg import resources
from brt_cg.card.reading import Reading, Section
from brt_cg.model.counters import TRAITS, Class, Kind, Side, Strength

FILE = "vasl.toml"
REDUCED = "str "
TABLES = ("units", "weapons", "vehicles", "fortifications")
SORT = ("kind", "type", "class", "strength")  # the fields that say what a counter is
SAYS = ("blaze", "flame", "perimeter", "marine_control", "japanese_control", "nothing")
_MMC = re.compile(r"(?P<digits>\d-\d-\d) (?P<code>\w+)")
_LEADER = re.compile(r"\d{1,2}[-+]\d")
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a piece: its list in a state file, and its fields there."""

    table: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Status:
    """A counter that gives a status to the pieces under it; `guess` says what is uncertain."""

    pattern: re.Pattern[str]
    status: str
    guess: str | None


@dataclass(frozen=True, slots=True)
class Names:
    """All known names, and their meanings."""

    status_words: dict[str, str]
    trait_words: dict[str, str]
    ignored: frozenset[str]
    ignored_patterns: tuple[re.Pattern[str], ...]
    sides: dict[str, Side]
    codes: dict[str, dict[str, Any]]
    counters: tuple[tuple[re.Pattern[str], Meaning], ...]
    statuses: tuple[Status, ...]
    markers: tuple[tuple[re.Pattern[str], str], ...]
    templates: dict[str, str]

    def meaning(self, name: str) -> Meaning | None:
        """The counter that a name means, with its fields; None if unknown."""
        for pattern, meaning in self.counters:
            found = pattern.fullmatch(name)
            if found is not None:
                numbers = {key: int(given) for key, given in found.groupdict().items() if given}
                defaults = {} if meaning.table == "units" else {"type": name}
                return Meaning(meaning.table, defaults | meaning.fields | numbers)
        if _LEADER.fullmatch(name):
            return Meaning("units", {"kind": "leader", "type": name})
        return self._mmc(name)

    def shows(self, table: str, type: str) -> bool:
        """Whether any known piece is a counter of that type."""
        return any(
            meaning.table == table and meaning.fields.get("type") in (type, type.partition("_")[0])
            for _, meaning in self.counters
        )

    def _mmc(self, name: str) -> Meaning | None:
        reduced = name.startswith(REDUCED)
        found = _MMC.fullmatch(name.removeprefix(REDUCED))
        if found is None or found["code"] not in self.codes:
            return None
        fields = {"type": found["digits"], **self.codes[found["code"]]}
        # Vehicle crews and reduced crews have no code of their own, only their digits.
        if fields.pop("vehicle_crew", None) == found["digits"]:
            fields["kind"] = Kind.VEHICLE_CREW
        elif reduced or (fields["kind"] == Kind.CREW and found["digits"].startswith("1")):
            fields["strength"] = Strength.REDUCED
        return Meaning("units", fields)

    def status(self, name: str) -> Status | None:
        """The status that a counter gives to those under it."""
        return next((status for status in self.statuses if status.pattern.fullmatch(name)), None)

    def marker(self, name: str) -> str | None:
        """The effect of a marker on its Location, one of SAYS."""
        return next((says for pattern, says in self.markers if pattern.fullmatch(name)), None)

    def side(self, folders: tuple[str, ...]) -> Side | None:
        """The side whose pictures a piece has."""
        return next((self.sides[folder] for folder in folders if folder in self.sides), None)


def load_names(own: Path | None = None) -> Names:
    """The known names; those of the players' `own` file come before the others. Raises Refused with
    everything that is wrong with their file."""
    return _shipped() if own is None else _read(own, _shipped())


@cache
def _shipped() -> Names:
    nothing = Names({}, {}, frozenset(), (), {}, {}, (), (), (), {})
    return _read(resources.campaigns() / FILE, nothing)


def _read(path: Path, then: Names) -> Names:
    """The names of a file, and after them others."""
    reading = Reading.of(path)
    root = reading.root
    words, codes, sides = (_part(root, key) for key in ("words", "mmc", "side"))
    has_pattern = words.has("ignored_pattern")
    ignored = [_compiled(words, "ignored_pattern")] if has_pattern else []
    counters = [(_pattern(entry), _counter(entry)) for entry in _list(root, "counter")]
    statuses = [entry.read(Status, pattern=_pattern(entry)) for entry in _list(root, "status")]
    markers = [(_pattern(entry), _says(entry)) for entry in _list(root, "marker")]
    names = Names(
        status_words=then.status_words | _pairs(words, "status"),
        trait_words=then.trait_words | _pairs(words, "trait"),
        ignored=then.ignored.union(words.maybe_texts("ignored")),
        ignored_patterns=(*ignored, *then.ignored_patterns),
        sides=then.sides | {name: sides.one_of(name, Side) for name in sides.names()},
        codes=then.codes | {code: _mmc_fields(section) for code, section in codes.named()},
        counters=(*counters, *then.counters),
        statuses=(*statuses, *then.statuses),
        markers=(*markers, *then.markers),
        templates=then.templates | _pairs(root, "templates"),
    )
    reading.finish()
    return names


def _list(root: Section, key: str) -> tuple[Section, ...]:
    return root.sections(key) if root.has(key) else ()


def _part(root: Section, key: str) -> Section:
    """An optional table; empty if omitted."""
    return root.maybe_section(key) or Section(root.reading, {}, root.at(key))


def _pairs(root: Section, key: str) -> dict[str, str]:
    section = _part(root, key)
    return {name: section.text(name) for name in section.names()}


def _mmc_fields(section: Section) -> dict[str, Any]:
    fields = {"kind": section.one_of("kind", Kind), "class": section.one_of("class", Class)}
    crew = section.maybe_text("vehicle_crew")
    return fields | _traits(section) | ({"vehicle_crew": crew} if crew else {})


def _traits(section: Section) -> dict[str, Any]:
    traits = section.maybe_texts("traits", TRAITS)
    return {"traits": list(traits)} if traits else {}


def _counter(section: Section) -> Meaning:
    table = section.text("table")
    if table not in TABLES:
        section.bad("table", table, ", ".join(TABLES))
    fields = {key: section.maybe_text(key) for key in SORT}
    said = {key: value for key, value in fields.items() if value is not None}
    return Meaning(table, said | _traits(section))


def _says(section: Section) -> str:
    says = section.text("says")
    if says not in SAYS:
        section.bad("says", says, ", ".join(SAYS))
    return says


def _pattern(section: Section) -> re.Pattern[str]:
    """The pattern of an entry, or a whole name."""
    if section.has("pattern"):
        return _compiled(section, "pattern")
    return re.compile(re.escape(section.text("name")))


def _compiled(section: Section, key: str) -> re.Pattern[str]:
    try:
        return re.compile(section.text(key))
    except re.error as error:
        section.bad(key, str(error), "a regular expression")
        return _NEVER
