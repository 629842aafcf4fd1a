"""The figures of `counters.toml`: strength digits, leader ladders, Casualty VP, sizes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, TypeVar

from brt_cg.card.reading import CardReading, Least, TextForm, TomlSection
from brt_cg.model.counters import Class, Kind, Side

K = TypeVar("K", bound=str)
MMC = (Kind.SQUAD, Kind.HALF_SQUAD, Kind.CREW, Kind.VEHICLE_CREW)
DIGITS = TextForm(r"\d+-\d+-\d+", "digits like 7-6-8")
LEADER = TextForm(r"\d+[-+]\d+", "a leader like 8-1 or 8+1")


@dataclass(frozen=True, slots=True)
class SquadDigits:
    """The digits of a Japanese class: its squad at Full and Reduced Strength, its half-squad."""

    full: Annotated[str, DIGITS]
    reduced: Annotated[str, DIGITS]
    half_squad: Annotated[str, DIGITS]


@dataclass(frozen=True, slots=True)
class JapaneseDigits:
    """Japanese MMC (G1.1–G1.3). `ladder` runs from the lowest class to the highest."""

    ladder: tuple[Class, ...]
    squads: Mapping[Class, SquadDigits]
    engineer_class: Class
    laborer_squad: str
    laborer_half_squad: str
    crew: str
    reduced_crew: str
    vehicle_crew: str


@dataclass(frozen=True, slots=True)
class MarineDigits:
    """Marine MMC. `half_squads`: squad → its HS; `recombined`: HS → the squad that two make."""

    class_: Class
    half_squads: Mapping[str, str]
    recombined: Mapping[str, str]
    engineer_squad: str
    engineer_half_squad: str
    crew: str
    vehicle_crew: str


@dataclass(frozen=True, slots=True)
class LeaderDigits:
    """A side's leaders, low to high, the value of each when wounded, and the leader created at
    15.6114."""

    ladder: tuple[str, ...]
    wounded: Mapping[str, str]
    created: str


@dataclass(frozen=True, slots=True)
class Worth:
    """Casualty VP. A leader is worth `leader` plus the size of his negative DRM."""

    kinds: Mapping[Kind, int]
    heroes: Mapping[Side, int]
    gun: Annotated[int, Least(0)]
    sw: Annotated[int, Least(0)]
    vehicles: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Portage:
    """Portage Points: what a unit carries, and what a Gun counts as (15.605)."""

    mmc: Annotated[int, Least(0)]
    smc: Annotated[int, Least(0)]
    wounded_smc: Annotated[int, Least(0)]
    gun: Annotated[int, Least(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digits:
    """All of `counters.toml`. `half_squads` are sizes in half-squads; percentages are of the
    Japanese MMC squad-equivalents (`hip_…`, G1.631) or squads (`tank_hunter_percent`, SSR BRT5).
    `rules` gives the rule of each part of the file, by its TOML path."""

    japanese: JapaneseDigits
    marine: MarineDigits
    leaders: Mapping[Side, LeaderDigits]
    armor_leaders: tuple[str, ...]
    hero: str
    wounded_hero: str
    pathfinder: str
    wounded_pathfinder: str
    rearmed_class: Class
    rearmed_half_squad: str
    inherent_afv: Mapping[Side, int]
    inherent_other: Mapping[Side, int]
    worth: Worth
    half_squads: Mapping[Kind, int]
    portage: Portage
    hip_day_percent: int
    hip_night_percent: int
    tank_hunter_percent: int
    rules: Mapping[str, str]


def read_digits(reading: CardReading) -> Digits:
    """Reads `counters.toml`. Raises CardError with everything that is wrong in it."""
    root, book = reading.root, _Rulebook()
    leaders = root.section("leaders")
    heroes, pathfinders = book.open(root.section("heroes")), book.open(root.section("pathfinders"))
    rearmed, crews = book.open(root.section("rearmed")), book.open(root.section("inherent_crews"))
    hip, hunters = book.open(root.section("hip")), book.open(root.section("tank_hunters"))
    japanese_crew = crews.integer("japanese", low=1)
    digits = Digits(
        japanese=_japanese(root.section("japanese"), book),
        marine=_marine(root.section("marine"), book),
        leaders={
            Side.MARINE: _marine_leaders(book.open(leaders.section("marine"))),
            Side.JAPANESE: _japanese_leaders(book.open(leaders.section("japanese"))),
        },
        armor_leaders=book.open(leaders.section("armor")).texts("ladder", form=LEADER),
        hero=heroes.text("type", DIGITS),
        wounded_hero=heroes.text("wounded", DIGITS),
        pathfinder=pathfinders.text("type", DIGITS),
        wounded_pathfinder=pathfinders.text("wounded", DIGITS),
        rearmed_class=rearmed.one_of("japanese_class", Class),
        rearmed_half_squad=rearmed.text("marine_half_squad", DIGITS),
        inherent_afv=_by_side(crews.integer("marine_afv", low=1), japanese_crew),
        inherent_other=_by_side(crews.integer("marine_other", low=1), japanese_crew),
        worth=_worth(book.open(root.section("cvp"))),
        half_squads=_numbers(book.open(root.section("half_squad_equivalents")), MMC),
        portage=book.open(root.section("portage")).read(Portage),
        hip_day_percent=hip.integer("day", low=0),
        hip_night_percent=hip.integer("night", low=0),
        tank_hunter_percent=hunters.integer("percent", low=0),
        rules=book.rules,
    )
    reading.finish()
    return digits


class _Rulebook:
    """The rule number of each part of the file."""

    def __init__(self) -> None:
        self.rules: dict[str, str] = {}

    def open(self, section: TomlSection) -> TomlSection:
        self.rules[section.path] = section.text("rule")
        return section


def _japanese(section: TomlSection, book: _Rulebook) -> JapaneseDigits:
    squads = book.open(section.section("squads"))
    laborers = book.open(section.section("laborers"))
    crews = book.open(section.section("crews"))
    ladder = tuple(Class(class_) for class_ in squads.texts("ladder", list(Class)))
    return JapaneseDigits(
        ladder=ladder,
        squads={class_: squads.section(class_).read(SquadDigits) for class_ in ladder},
        engineer_class=book.open(section.section("engineers")).one_of("class", Class),
        laborer_squad=laborers.text("squad", DIGITS),
        laborer_half_squad=laborers.text("half_squad", DIGITS),
        crew=crews.text("full", DIGITS),
        reduced_crew=crews.text("reduced", DIGITS),
        vehicle_crew=crews.text("vehicle_crew", DIGITS),
    )


def _marine(section: TomlSection, book: _Rulebook) -> MarineDigits:
    squads = book.open(section.section("squads"))
    engineers = book.open(section.section("engineers"))
    crews = book.open(section.section("crews"))
    half_squads = _each(squads.section("half_squads"))
    recombined = _each(squads.section("recombined"))
    for half_squad, squad in recombined.items():
        if half_squads.get(squad) != half_squad:
            squads.bad("recombined", squad, f"a squad whose HS is {half_squad}")
    return MarineDigits(
        class_=squads.one_of("class", Class),
        half_squads=half_squads,
        recombined=recombined,
        engineer_squad=engineers.text("squad", DIGITS),
        engineer_half_squad=engineers.text("half_squad", DIGITS),
        crew=crews.text("crew", DIGITS),
        vehicle_crew=crews.text("vehicle_crew", DIGITS),
    )


def _japanese_leaders(section: TomlSection) -> LeaderDigits:
    ladder, counts_as = section.texts("ladder", form=LEADER), section.section("wounded")
    wounded = {type_: counts_as.text(type_, LEADER) for type_ in ladder}
    return LeaderDigits(ladder, wounded, _of(section, "created", ladder))


def _marine_leaders(section: TomlSection) -> LeaderDigits:
    ladder = section.texts("ladder", form=LEADER)
    morale, drm = section.integer("wounded_morale"), section.integer("wounded_drm")
    wounded = {type_: _changed(type_, morale, drm) for type_ in ladder}
    return LeaderDigits(ladder, wounded, _of(section, "created", ladder))


def leader_values(shown: str) -> tuple[int, int]:
    """Morale Level and DRM of a leader as shown: "8-1" is (8, −1), "8+1" is (8, 1)."""
    morale, sign, size = re.split(r"([-+])", shown)
    return int(morale), int(size) if sign == "+" else -int(size)


def _changed(type_: str, morale: int, drm: int) -> str:
    before, drm_before = leader_values(type_)
    after = drm_before + drm
    return f"{before + morale}{'+' if after > 0 else '-'}{abs(after)}"


def _worth(section: TomlSection) -> Worth:
    vehicles = section.section("vehicles")
    heroes = [section.integer(f"{side}_hero", low=0) for side in (Side.MARINE, Side.JAPANESE)]
    return section.read(
        Worth,
        kinds=_numbers(section, (*MMC, Kind.LEADER, Kind.PATHFINDER)),
        heroes=_by_side(*heroes),
        vehicles=_numbers(vehicles, vehicles.names()),
    )


def _numbers(section: TomlSection, keys: Iterable[K]) -> Mapping[K, int]:
    return {key: section.integer(key, low=0) for key in keys}


def _by_side(marine: int, japanese: int) -> Mapping[Side, int]:
    return {Side.MARINE: marine, Side.JAPANESE: japanese}


def _each(section: TomlSection) -> dict[str, str]:
    """Reads a table of MMC digits → MMC digits."""
    for type_ in section.names():
        if not DIGITS.fits(type_):
            section.bad(type_, type_, DIGITS.words)
    return {type_: section.text(type_, DIGITS) for type_ in section.names()}


def _of(section: TomlSection, key: str, allowed: Iterable[str]) -> str:
    found, known = section.text(key), list(allowed)
    if found and found not in known:
        section.bad(key, found, ", ".join(known))
    return found
