"""The counters that VASL's names represent: `campaigns/vasl.toml`, and the players' own names."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from brt_cg import resources
from brt_cg.card import CardReading, TomlSection
from brt_cg.immutable import immutable
from brt_cg.model import TRAITS, Side, UnitClass, UnitKind, UnitStrength, WeaponKind
from brt_cg.vasl.layers import LayeredName

FILE = "vasl.toml"
TABLES = ("units", "weapons", "vehicles", "fortifications")
SORT = ("kind", "type", "class", "strength")  # the fields that identify a counter
SAYS = (
    *("blaze", "flame", "perimeter", "marine_control", "japanese_control"),
    "its_counter",  # a fact about the counter under it that only VASL tracks
    "nothing",
)
OTHER = "other"  # a vehicle whose capacity is not listed by type
_MMC = re.compile(r"(?P<reduced>(str|striped) )?(?P<digits>\d-?\d-?\d) (?P<code>\w+)")
_LEADER = re.compile(r"\d{1,2}[-+]\d")
_GROUP, _DIGIT = re.compile(r"\\\d"), re.compile(r"\d")
T = TypeVar("T")
_NEVER = re.compile(r"(?!)")


@immutable
class CounterMeaning:
    """The meaning of a piece: its list in a state file, and its fields there."""

    table: str
    fields: dict[str, Any]


@immutable
class StatusCounter:
    """A counter that gives a status (or a trait) to the pieces under it, or to the `armament` of a
    vehicle under it; `guess` names the uncertain part."""

    pattern: re.Pattern[str]
    status: str
    guess: str | None
    armament: bool = False

    @property
    def field(self) -> str:
        """The field of a counter that it changes."""
        if "value" in self.pattern.groupindex:
            return self.status
        return "traits" if self.status in TRAITS else "status"


@immutable
class LayerSense:
    """The meaning of a layer that has a name but levels without names: the status of each level
    from the second on, for the counter or its `armament`."""

    pattern: re.Pattern[str]
    levels: tuple[str, ...]
    armament: bool = False

    def status(self, level: int) -> str | None:
        return self.levels[level - 2] if 2 <= level < len(self.levels) + 2 else None

    def is_unknown(self, level: int) -> bool:
        """Whether the meaning of a level is unknown; a layer without levels has no meaning."""
        return bool(self.levels) and level > 1 and self.status(level) is None


@immutable
class PieceSense:
    """The meaning of a piece: the counter that it is, the status that it gives, or its effect on
    its Location (one of SAYS); a piece without any of these is unknown. `strange` words have no
    meaning."""

    meaning: CounterMeaning | None = None
    status: StatusCounter | None = None
    says: str | None = None
    strange: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        return self.meaning is not None or self.status is not None or self.says is not None


@immutable
class Names:
    """All known names, and their meanings. `optional` are the Fortifications that need no piece,
    `palette` is the place of each side's counters in VASL's Counters window, and `aboard` the
    number of half-squads that fit in each type of vehicle."""

    status_words: dict[str, str]
    trait_words: dict[str, str]
    pillbox_words: dict[str, str]
    ignored: frozenset[str]
    ignored_patterns: tuple[re.Pattern[str], ...]
    sides: dict[str, Side]
    codes: dict[str, dict[str, Any]]
    counters: tuple[tuple[re.Pattern[str], CounterMeaning], ...]
    statuses: tuple[StatusCounter, ...]
    markers: tuple[tuple[re.Pattern[str], str], ...]
    optional: frozenset[str]
    layers: tuple[LayerSense, ...]
    palette: dict[Side, str]
    aboard: dict[str, int]

    def passenger_capacity(self, type: str) -> int:
        """Return the half-squads that are assumed to fit aboard a vehicle of a type."""
        return self.aboard.get(type, self.aboard[OTHER])

    def layer_sense(self, name: str) -> LayerSense | None:
        """Return the meaning of the levels of a layer with that name; None if it is not known."""
        return next((layer for layer in self.layers if layer.pattern.fullmatch(name)), None)

    def piece_sense(self, called: LayeredName) -> PieceSense:
        """Return the meaning of a piece, found by its whole name without the words that have a
        separate meaning, or else by its name alone."""
        strange = tuple(word for word in called.words if not self.is_known_extra_word(word))
        found = self._sense(called.full_name(without=self.is_known_extra_word))
        if not found.known and strange:
            found = self._sense(called.name)
            return PieceSense(found.meaning, found.status, found.says, strange)
        return found

    def _sense(self, name: str) -> PieceSense:
        meaning = self.meaning(name)
        if meaning is not None:
            return PieceSense(meaning=meaning)
        status = next((status for status in self.statuses if status.pattern.fullmatch(name)), None)
        if status is not None:
            return PieceSense(status=status)
        return PieceSense(
            says=next((say for form, say in self.markers if form.fullmatch(name)), None)
        )

    def meaning(self, name: str) -> CounterMeaning | None:
        """Return the counter that a name means, with its fields; None if unknown. A status is read
        before the type: a wreck is "M4A2 Wreck"."""
        for word, rest in self._parted(name):
            bare = self.meaning(rest)
            if bare is not None:
                held = sorted({*bare.fields.get("status", ()), self.status_words[word]})
                return CounterMeaning(bare.table, bare.fields | {"status": held})
        for pattern, meaning in self.counters:
            found = pattern.fullmatch(name)
            if found is not None:
                return CounterMeaning(meaning.table, _filled(meaning, found))
        if _LEADER.fullmatch(name):
            return CounterMeaning("units", {"kind": UnitKind.LEADER, "type": name})
        return self._mmc(name)

    def _parted(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the word of a status at either end of a name, and the rest of it."""
        first, _, after = name.partition(" ")
        before, _, last = name.rpartition(" ")
        for word, rest in ((first, after), (last, before)):
            if word in self.status_words and rest:
                yield word, rest

    def _mmc(self, name: str) -> CounterMeaning | None:
        found = _MMC.fullmatch(name)
        if found is None or found["code"] not in self.codes:
            return None
        digits = "-".join(found["digits"].replace("-", ""))
        fields = {"type": digits, **self.codes[found["code"]]}
        # VASL has no code for reduced crews, and no separate one for some Marine vehicle crews.
        reduced = fields["kind"] == UnitKind.CREW and digits.startswith("1")
        if fields.pop("vehicle_crew", None) == digits:
            fields["kind"] = UnitKind.VEHICLE_CREW
            reduced = False
        fields["strength"] = (
            UnitStrength.REDUCED if found["reduced"] or reduced else UnitStrength.FULL
        )
        return CounterMeaning("units", fields)

    def is_known_extra_word(self, word: str) -> bool:
        """Whether a word beside a name has a separate meaning, or none at all."""
        known = (self.status_words, self.trait_words, self.pillbox_words, self.ignored)
        ignored = any(pattern.fullmatch(word) for pattern in self.ignored_patterns)
        return ignored or any(word in words for words in known)

    def says_nothing(self, word: str) -> bool:
        """Whether a word beside a name says nothing about the counter."""
        say = {**self.status_words, **self.trait_words, **self.pillbox_words}
        return self.is_known_extra_word(word) and word not in say

    def statuses_words_may_show(self, words: frozenset[str]) -> frozenset[str]:
        """Return the statuses that a piece with these words could show, itself or by a counter on
        it."""
        own = {self.status_words[word] for word in words if word in self.status_words}
        laid = {status.status for status in self.statuses if not status.armament}
        return frozenset(own | laid - {"malfunctioned"})  # nobody lays that marker on a SW

    def has_required_piece_type(self, table: str, type: str) -> bool:
        """Whether some known piece is a counter of that type, and a counter needs such a piece."""
        kinds = (type, type.partition("_")[0])
        of_it = (
            meaning.fields.get("type") for _, meaning in self.counters if meaning.table == table
        )
        return type not in self.optional and any(
            each in kinds or _GROUP.sub("?", str(each)) == _DIGIT.sub("?", type) for each in of_it
        )

    def needs_a_piece(self, table: str, kind: str | None, type: str) -> bool:
        """Whether VASL's players place a piece for a counter. For a vehicle's armament and some
        Fortifications they do not: without a piece, those stay as the campaign has them."""
        if table == "weapons":
            return kind != WeaponKind.VEHICULAR
        return table != "fortifications" or self.has_required_piece_type(table, type)

    def side(self, folders: tuple[str, ...]) -> Side | None:
        """Return the side whose pictures a piece has."""
        return next((self.sides[folder] for folder in folders if folder in self.sides), None)


def _filled(meaning: CounterMeaning, found: re.Match[str]) -> dict[str, Any]:
    """Return the fields of a counter, filled in from its name."""
    numbers = {key: int(given) for key, given in found.groupdict().items() if given}
    fields = {} if meaning.table == "units" else {"type": found[0]}
    fields |= meaning.fields
    return fields | numbers | ({"type": found.expand(fields["type"])} if "type" in fields else {})


def load_names(own: Path | None = None) -> Names:
    """Return the known names; those of the players' `own` file come before the others. Raises
    RefusedError with everything that is wrong with their file."""
    return _shipped() if own is None else _read_names(own, _shipped())


@cache
def _shipped() -> Names:
    nothing = Names({}, {}, {}, frozenset(), (), {}, {}, (), (), (), frozenset(), (), {}, {})
    return _read_names(resources.game_data_folder() / FILE, nothing)


def _read_names(path: Path, then: Names) -> Names:
    """Return the names of a file, followed by other names."""
    reading = CardReading.from_file(path)
    root = reading.root
    words, codes, sides, aboard = (_part(root, key) for key in ("words", "mmc", "side", "aboard"))
    has_pattern = words.has_key("ignored_pattern")
    ignored = [_compiled(words, "ignored_pattern")] if has_pattern else []
    counters = [(_pattern(entry), _counter(entry)) for entry in _list(root, "counter")]
    statuses = [_of_armament(StatusCounter, entry) for entry in _list(root, "status")]
    markers = [(_pattern(entry), _says(entry)) for entry in _list(root, "marker")]
    layers = [_of_armament(LayerSense, entry) for entry in _list(root, "layer")]
    names = Names(
        status_words=then.status_words | _pairs(words, "status"),
        trait_words=then.trait_words | _pairs(words, "trait"),
        pillbox_words=then.pillbox_words | _pairs(words, "pillbox"),
        ignored=then.ignored.union(words.optional_texts("ignored")),
        ignored_patterns=(*ignored, *then.ignored_patterns),
        sides=then.sides | {name: sides.enum_member(name, Side) for name in sides.key_names()},
        codes=then.codes
        | {code: _mmc_fields(section) for code, section in codes.remaining_sections()},
        counters=(*counters, *then.counters),
        statuses=(*statuses, *then.statuses),
        markers=(*markers, *then.markers),
        optional=then.optional.union(root.optional_texts("optional")),
        layers=(*layers, *then.layers),
        aboard=then.aboard | {type: aboard.integer(type, 0) for type in aboard.key_names()},
        palette=then.palette | {Side(name): text for name, text in _pairs(root, "palette").items()},
    )
    reading.raise_problems()
    return names


def _list(root: TomlSection, key: str) -> tuple[TomlSection, ...]:
    return root.sections(key) if root.has_key(key) else ()


def _part(root: TomlSection, key: str) -> TomlSection:
    """Return an optional table; empty if omitted."""
    return root.optional_section(key) or TomlSection(root.reading, {}, root.toml_path(key))


def _pairs(root: TomlSection, key: str) -> dict[str, str]:
    section = _part(root, key)
    return {name: section.text(name) for name in section.key_names()}


def _mmc_fields(section: TomlSection) -> dict[str, Any]:
    fields = {
        "kind": section.enum_member("kind", UnitKind),
        "class": section.enum_member("class", UnitClass),
    }
    crew = section.optional_text("vehicle_crew")
    return fields | _traits(section) | ({"vehicle_crew": crew} if crew else {})


def _traits(section: TomlSection) -> dict[str, Any]:
    traits = section.optional_texts("traits", TRAITS)
    return {"traits": list(traits)} if traits else {}


def _counter(section: TomlSection) -> CounterMeaning:
    table = section.text("table")
    if table not in TABLES:
        section.note_bad_value("table", table, ", ".join(TABLES))
    fields: dict[str, Any] = {key: section.optional_text(key) for key in SORT}
    if section.has_key("side"):
        fields["side"] = section.enum_member("side", Side)
    present = {key: value for key, value in fields.items() if value is not None}
    _check_type(section, str(present.get("type", "")))
    return CounterMeaning(table, present | _traits(section))


def _check_type(section: TomlSection, type: str) -> None:
    """Note a type that refers to a group ("BAZ \\1") which the pattern does not have."""
    try:
        _pattern(section).sub(type, "")
    except (re.error, IndexError) as error:
        section.note_bad_value(
            "type", str(error), "text with \\1 for the first group of the pattern"
        )


def _of_armament(kind: type[T], section: TomlSection) -> T:
    armament = section.has_key("armament") and section.flag("armament")
    return section.read_fields(kind, pattern=_pattern(section), armament=armament)


def _says(section: TomlSection) -> str:
    says = section.text("says")
    if says not in SAYS:
        section.note_bad_value("says", says, ", ".join(SAYS))
    return says


def _pattern(section: TomlSection) -> re.Pattern[str]:
    """Return the pattern of an entry, or a whole name."""
    if section.has_key("pattern"):
        return _compiled(section, "pattern")
    return re.compile(re.escape(section.text("name")))


def _compiled(section: TomlSection, key: str) -> re.Pattern[str]:
    try:
        return re.compile(section.text(key))
    except re.error as error:
        section.note_bad_value(key, str(error), "a regular expression")
        return _NEVER
