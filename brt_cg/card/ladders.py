"""The values in `counters.toml`, and the ladders of counters derived from them: digits, Battle
Hardening, wounds, Casualty VP, sizes.

Nothing here changes a unit: every method reads a unit and returns a value.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, TypeVar

from brt_cg.card.toml_reader import CardReading, Minimum, TextForm, TomlSection
from brt_cg.immutable import immutable
from brt_cg.model import SMC, Side, Unit, UnitClass, UnitKind, UnitStrength, Vehicle, WeaponKind

K = TypeVar("K", bound=str)
MMC = (UnitKind.SQUAD, UnitKind.HALF_SQUAD, UnitKind.CREW, UnitKind.VEHICLE_CREW)
DIGITS = TextForm(r"\d+-\d+-\d+", "digits like 7-6-8")
LEADER = TextForm(r"\d+[-+]\d+", "a leader like 8-1 or 8+1")


@immutable
class SquadDigits:
    """The digits of a Japanese class: its squad at Full and Reduced Strength, and its HS."""

    full: Annotated[str, DIGITS]
    reduced: Annotated[str, DIGITS]
    half_squad: Annotated[str, DIGITS]


@immutable
class JapaneseDigits:
    """Japanese MMC (G1.1–G1.3). `ladder` runs from the lowest class to the highest."""

    ladder: tuple[UnitClass, ...]
    squads: Mapping[UnitClass, SquadDigits]
    engineer_class: UnitClass
    laborer_squad: str
    laborer_half_squad: str
    crew: str
    reduced_crew: str
    vehicle_crew: str


@immutable
class MarineDigits:
    """Marine MMC. `half_squads`: squad → its HS; `recombined`: HS → the squad that two make."""

    class_: UnitClass
    half_squads: Mapping[str, str]
    recombined: Mapping[str, str]
    engineer_squad: str
    engineer_half_squad: str
    crew: str
    vehicle_crew: str


@immutable
class LeaderDigits:
    """A side's leaders, low to high, the wounded value of each, and the leader created at
    15.6114."""

    ladder: tuple[str, ...]
    wounded: Mapping[str, str]
    created: str


@immutable
class CasualtyValues:
    """Casualty VP. A leader is worth `leader` plus the size of his negative DRM."""

    kinds: Mapping[UnitKind, int]
    heroes: Mapping[Side, int]
    gun: Annotated[int, Minimum(0)]
    sw: Annotated[int, Minimum(0)]
    vehicles: Mapping[str, int]


@immutable
class PortageValues:
    """The Portage Points that a unit can carry, and those of a Gun (15.605)."""

    mmc: Annotated[int, Minimum(0)]
    smc: Annotated[int, Minimum(0)]
    wounded_smc: Annotated[int, Minimum(0)]
    gun: Annotated[int, Minimum(0)]


@immutable(kw_only=True)
class CounterFigures:
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
    rearmed_class: UnitClass
    rearmed_half_squad: str
    inherent_afv: Mapping[Side, int]
    inherent_other: Mapping[Side, int]
    worth: CasualtyValues
    half_squads: Mapping[UnitKind, int]
    portage: PortageValues
    hip_day_percent: int
    hip_night_percent: int
    tank_hunter_percent: int
    rules: Mapping[str, str]


def read_counter_figures(reading: CardReading) -> CounterFigures:
    """Read `counters.toml`. Raises CardError with everything that is wrong in it."""
    root, book = reading.root, _Rulebook()
    leaders = root.section("leaders")
    heroes, pathfinders = book.open(root.section("heroes")), book.open(root.section("pathfinders"))
    rearmed, crews = book.open(root.section("rearmed")), book.open(root.section("inherent_crews"))
    hip, hunters = book.open(root.section("hip")), book.open(root.section("tank_hunters"))
    japanese_crew = crews.integer("japanese", low=1)
    digits = CounterFigures(
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
        rearmed_class=rearmed.enum_member("japanese_class", UnitClass),
        rearmed_half_squad=rearmed.text("marine_half_squad", DIGITS),
        inherent_afv=_by_side(crews.integer("marine_afv", low=1), japanese_crew),
        inherent_other=_by_side(crews.integer("marine_other", low=1), japanese_crew),
        worth=_worth(book.open(root.section("cvp"))),
        half_squads=_numbers(book.open(root.section("half_squad_equivalents")), MMC),
        portage=book.open(root.section("portage")).read_fields(PortageValues),
        hip_day_percent=hip.integer("day", low=0),
        hip_night_percent=hip.integer("night", low=0),
        tank_hunter_percent=hunters.integer("percent", low=0),
        rules=book.rules,
    )
    reading.raise_problems()
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
    ladder = tuple(UnitClass(class_) for class_ in squads.texts("ladder", list(UnitClass)))
    return JapaneseDigits(
        ladder=ladder,
        squads={class_: squads.section(class_).read_fields(SquadDigits) for class_ in ladder},
        engineer_class=book.open(section.section("engineers")).enum_member("class", UnitClass),
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
            squads.note_bad_value("recombined", squad, f"a squad whose HS is {half_squad}")
    return MarineDigits(
        class_=squads.enum_member("class", UnitClass),
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


def parse_leader_value(shown: str) -> tuple[int, int]:
    """Read the Morale Level and DRM of a leader: "8-1" is (8, −1), "8+1" is (8, 1)."""
    morale, sign, size = re.split(r"([-+])", shown)
    return int(morale), int(size) if sign == "+" else -int(size)


def _changed(type_: str, morale: int, drm: int) -> str:
    before, drm_before = parse_leader_value(type_)
    after = drm_before + drm
    return f"{before + morale}{'+' if after > 0 else '-'}{abs(after)}"


def _worth(section: TomlSection) -> CasualtyValues:
    vehicles = section.section("vehicles")
    heroes = [section.integer(f"{side}_hero", low=0) for side in (Side.MARINE, Side.JAPANESE)]
    return section.read_fields(
        CasualtyValues,
        kinds=_numbers(section, (*MMC, UnitKind.LEADER, UnitKind.PATHFINDER)),
        heroes=_by_side(*heroes),
        vehicles=_numbers(vehicles, vehicles.key_names()),
    )


def _numbers(section: TomlSection, keys: Iterable[K]) -> Mapping[K, int]:
    return {key: section.integer(key, low=0) for key in keys}


def _by_side(marine: int, japanese: int) -> Mapping[Side, int]:
    return {Side.MARINE: marine, Side.JAPANESE: japanese}


def _each(section: TomlSection) -> dict[str, str]:
    """Read a table that maps MMC digits to MMC digits."""
    for type_ in section.key_names():
        if not DIGITS.matches(type_):
            section.note_bad_value(type_, type_, DIGITS.words)
    return {type_: section.text(type_, DIGITS) for type_ in section.key_names()}


def _of(section: TomlSection, key: str, allowed: Iterable[str]) -> str:
    found, known = section.text(key), list(allowed)
    if found and found not in known:
        section.note_bad_value(key, found, ", ".join(known))
    return found


# --- ladders --------------------------------------------------------------------------------------


_WITH_REDUCED_SIDE = (UnitKind.SQUAD, UnitKind.CREW)


@immutable
class RearmedUnits:
    """The units that an unarmed unit becomes: their number, kind, class and type (R-REARM
    g1.15)."""

    kind: UnitKind
    class_: UnitClass | None
    type: str
    count: int


@immutable
class Ladders:
    """The ladders of `counters.toml`. `figures` holds the plain values in the file."""

    figures: CounterFigures

    # -- MMC --

    def digits_of_unit(self, unit: Unit) -> str:
        """Return the digits of a unit: a Japanese MMC's digits follow from its other values (G1.1),
        all other units keep their type. Raises ValueError for a Japanese squad or HS of an unknown
        class."""
        return self._digits(unit, unit.kind, unit.strength)

    def half_squad_of(self, squad: Unit) -> str:
        """Return the digits of one HS of a squad (G1.14, G1.16). Raises ValueError for anything
        else."""
        if squad.kind is not UnitKind.SQUAD:
            raise ValueError(f"{squad.id}: a {_words(squad.kind)} has no half-squad; enter a squad")
        if squad.side is Side.JAPANESE:
            return self._digits(squad, UnitKind.HALF_SQUAD, UnitStrength.FULL)
        if squad.type not in self.figures.marine.half_squads:
            raise ValueError(f"{squad.id}: {self._marine_types(squad)}")
        return self.figures.marine.half_squads[squad.type]

    def full_squad_of(self, half_squad: Unit) -> str | None:
        """Return the digits of the squad that two of these HS make (15.6111, G1.2); None if they
        never make one."""
        if half_squad.kind is not UnitKind.HALF_SQUAD:
            return None
        if half_squad.side is Side.JAPANESE:
            return self._digits(half_squad, UnitKind.SQUAD, UnitStrength.FULL)
        marine = self.figures.marine
        if half_squad.has_trait("engineer") and half_squad.type == marine.engineer_half_squad:
            return marine.engineer_squad
        return marine.recombined.get(half_squad.type)

    def hardened_class(self, unit: Unit) -> UnitClass | None:
        """Return the class that an MMC Battle Hardens to (15.6113); None if it cannot."""
        ladder = self.figures.japanese.ladder
        can = unit.side is Side.JAPANESE and unit.kind in (UnitKind.SQUAD, UnitKind.HALF_SQUAD)
        if not can or unit.class_ not in ladder[:-1] or unit.has_trait("korean_laborer"):
            return None
        return ladder[ladder.index(unit.class_) + 1]

    def rearmed_units(self, unit: Unit) -> RearmedUnits:
        """Return the units that an unarmed unit becomes when Rearmed (G1.15, 15.609); always
        Full-Strength."""
        squad = unit.kind is UnitKind.SQUAD
        if not squad and unit.kind is not UnitKind.HALF_SQUAD:
            return RearmedUnits(unit.kind, unit.class_, unit.type, 1)
        if unit.side is Side.MARINE:
            type_ = self.figures.rearmed_half_squad
            return RearmedUnits(UnitKind.HALF_SQUAD, unit.class_, type_, 2 if squad else 1)
        class_ = self.figures.rearmed_class
        row = self.figures.japanese.squads[class_]
        return RearmedUnits(unit.kind, class_, row.full if squad else row.half_squad, 1)

    # -- leaders --

    def hardened_leader(self, leader: Unit) -> str:
        """Return a leader one step up; the highest stays the same (15.6114). Raises ValueError if
        unknown."""
        ladder = self._leaders(leader.side, leader.type).ladder
        return ladder[min(ladder.index(leader.type) + 1, len(ladder) - 1)]

    def leader_type_created(self, side: Side) -> str:
        """Return the leader that the winner may create (15.6114)."""
        return self.figures.leaders[side].created

    def effective_leader_value(self, side: Side, type_: str, wounded: bool) -> str:
        """Return the value that a leader counts as. Raises ValueError for an unknown one."""
        leaders = self._leaders(side, type_)
        return leaders.wounded[type_] if wounded else type_

    def leader_drm(self, side: Side, type_: str, wounded: bool) -> int:
        """Return a leader's DRM: −1 for an 8-1, +1 for an 8+1."""
        return parse_leader_value(self.effective_leader_value(side, type_, wounded))[1]

    def armor_leader_drm(self, type_: str | None) -> int:
        """Return an armor leader's drm or DRM; 0 for none. Raises ValueError for an unknown one."""
        if type_ is None:
            return 0
        if type_ not in self.figures.armor_leaders:
            allowed = ", ".join(self.figures.armor_leaders)
            raise ValueError(f"there is no armor leader {type_}; enter {allowed}")
        return parse_leader_value(type_)[1]

    def infantry_leader_from_armor_leader(self, vehicle: Vehicle) -> str | None:
        """Return the Infantry leader of the next-lower quality that a Japanese vehicle's armor
        leader may become (G1.411); None if he may not."""
        type_, leaders = vehicle.armor_leader, self.figures.leaders[Side.JAPANESE]
        if type_ is None or vehicle.side is not Side.JAPANESE or parse_leader_value(type_)[1] > 0:
            return None
        morale, drm = parse_leader_value(type_)
        lower = [each for each in leaders.ladder if _quality(each) < (morale, -drm)]
        return lower[-1] if lower else None

    # -- Morale Level --

    def morale_level(self, unit: Unit) -> int:
        """Return a unit's Morale Level: the last of its digits, or a leader's number before the
        dash."""
        wounded = unit.has_status("wounded")
        if unit.leader:
            return parse_leader_value(self.effective_leader_value(unit.side, unit.type, wounded))[0]
        of_wounded = {
            UnitKind.PATHFINDER: self.figures.wounded_pathfinder,
            UnitKind.HERO: self.figures.wounded_hero,
        }
        type_ = of_wounded.get(unit.kind, unit.type) if wounded else unit.type
        return int(type_.rsplit("-", 1)[1])

    def inherent_crew_morale(self, side: Side, armored: bool) -> int:
        """Return the Morale Level of a side's Inherent crew, for an AFV or for another vehicle."""
        return (self.figures.inherent_afv if armored else self.figures.inherent_other)[side]

    # -- Casualty VP and sizes --

    def unit_cvp(self, unit: Unit) -> int:
        """Return the Casualty VP that a unit is worth to its enemy, not doubled for a prisoner."""
        worth = self.figures.worth
        if unit.kind is UnitKind.HERO:
            return worth.heroes[unit.side]
        if not unit.leader:
            return worth.kinds[unit.kind]
        drm = self.leader_drm(unit.side, unit.type, unit.has_status("wounded"))
        return worth.kinds[UnitKind.LEADER] + max(0, -drm)

    def vehicle_type_cvp(self, type_: str) -> int | None:
        """Return the Casualty VP of a type of vehicle; None if it must be entered."""
        return self.figures.worth.vehicles.get(type_)

    def current_vehicle_cvp(self, vehicle: Vehicle) -> int:
        """Return the Casualty VP that a vehicle is worth to its enemy now: including its Inherent
        crew while it has one. A captured vehicle, or a wreck, is worth only its crew."""
        crew = self.figures.worth.kinds[UnitKind.VEHICLE_CREW]
        itself = 0 if vehicle.captured or vehicle.wreck else max(0, vehicle.cvp - crew)
        if not vehicle.manned:
            return itself
        return crew if vehicle.captured else vehicle.cvp

    def weapon_kind_cvp(self, kind: WeaponKind) -> int:
        """Return the Casualty VP of a weapon; a vehicle's value includes its weapons."""
        worth = self.figures.worth
        return {WeaponKind.GUN: worth.gun, WeaponKind.SW: worth.sw}.get(kind, 0)

    def size_in_squad_equivalents(self, unit: Unit) -> float:
        """Return a unit's size in squad-equivalents: a squad 1, a HS or crew ½, others 0."""
        return self.size_in_half_squads(unit) / 2

    def size_in_half_squads(self, unit: Unit) -> int:
        """Return a unit's size in HS: a squad 2, a HS or crew 1, others 0."""
        return self.figures.half_squads.get(unit.kind, 0)

    def inherent_portage_capacity(self, unit: Unit) -> int:
        """Return the PP that a unit carries at no cost (15.605)."""
        portage = self.figures.portage
        if unit.mmc:
            return portage.mmc
        return portage.wounded_smc if unit.has_status("wounded") else portage.smc

    # -- checking --

    def no_such_counter_reason(self, unit: Unit) -> str | None:
        """Return the reason why the game has no counter like this unit, with the allowed values;
        None if it has one."""
        if unit.smc:
            return self._smc_problem(unit)
        if unit.side is Side.MARINE:
            return self._marine_problem(unit)
        return self._japanese_problem(unit)

    @property
    def japanese_class_names_text(self) -> str:
        """The classes of a Japanese MMC, best first, for a message."""
        return ", ".join(reversed(self.figures.japanese.ladder))

    def _smc_problem(self, unit: Unit) -> str | None:
        if unit.leader:
            try:
                self._leaders(unit.side, unit.type)
            except ValueError as error:
                return str(error)
            return None
        if unit.kind is UnitKind.HERO:
            known = unit.has_trait("tank_hunter") or unit.type == self.figures.hero
            return None if known else f"there is no hero {unit.type}; enter {self.figures.hero}"
        if unit.side is Side.JAPANESE:
            return "there is no Japanese Pathfinder; enter marine"
        known = unit.type == self.figures.pathfinder
        return (
            None
            if known
            else f"there is no Pathfinder {unit.type}; enter {self.figures.pathfinder}"
        )

    def _marine_problem(self, unit: Unit) -> str | None:
        marine = self.figures.marine
        if unit.class_ not in (None, marine.class_):
            return f"there is no Marine MMC of class {unit.class_}; enter {marine.class_}"
        if unit.strength is not UnitStrength.FULL:
            return f"there is no Marine {_words(unit.kind)} at reduced strength; enter full"
        if unit.has_trait("korean_laborer"):
            return "a Marine cannot be a Korean Laborer: only a Japanese unit can"
        return None if unit.type in self._marine_allowed(unit.kind) else self._marine_types(unit)

    def _japanese_problem(self, unit: Unit) -> str | None:
        engineers = self.figures.japanese.engineer_class
        reduced = unit.strength is UnitStrength.REDUCED
        if reduced and (unit.kind not in _WITH_REDUCED_SIDE or unit.has_trait("korean_laborer")):
            return f"a Japanese {_words(unit.kind)} has no reduced side; enter full"
        try:
            digits = self._digits(unit, unit.kind, unit.strength)
        except ValueError as error:
            return str(error)
        if unit.has_trait("engineer") and not unit.crew and unit.class_ is not engineers:
            return f"there are no Japanese engineers of class {unit.class_}; enter {engineers}"
        if unit.type == digits:
            return None
        laborer = "laborer" if unit.has_trait("korean_laborer") else ""
        what = " ".join(filter(None, (unit.class_, unit.strength, laborer, _words(unit.kind))))
        return f"there is no Japanese {what} {unit.type}; enter {digits}"

    def _digits(self, unit: Unit, kind: UnitKind, strength: UnitStrength) -> str:
        """Return the digits that a unit of this kind and strength would have."""
        if unit.side is Side.MARINE or kind in SMC:
            return unit.type
        japanese = self.figures.japanese
        if kind is UnitKind.VEHICLE_CREW:
            return japanese.vehicle_crew
        if kind is UnitKind.CREW:
            return japanese.crew if strength is UnitStrength.FULL else japanese.reduced_crew
        if unit.has_trait("korean_laborer"):
            squad = kind is UnitKind.SQUAD
            return japanese.laborer_squad if squad else japanese.laborer_half_squad
        row = None if unit.class_ is None else japanese.squads.get(unit.class_)
        if row is None:
            what = f"cannot be {unit.class_}" if unit.class_ else "needs a class"
            raise ValueError(
                f"a Japanese {_words(kind)} {what}; enter {self.japanese_class_names_text}"
            )
        if kind is UnitKind.HALF_SQUAD:
            return row.half_squad
        return row.full if strength is UnitStrength.FULL else row.reduced

    def _marine_types(self, unit: Unit) -> str:
        allowed = ", ".join(self._marine_allowed(unit.kind))
        return f"there is no Marine {_words(unit.kind)} {unit.type}; enter {allowed}"

    def _marine_allowed(self, kind: UnitKind) -> tuple[str, ...]:
        marine = self.figures.marine
        return {
            UnitKind.SQUAD: tuple(marine.half_squads),
            UnitKind.HALF_SQUAD: tuple(dict.fromkeys(marine.half_squads.values())),
            UnitKind.CREW: (marine.crew,),
            UnitKind.VEHICLE_CREW: (marine.vehicle_crew,),
        }[kind]

    def _leaders(self, side: Side, type_: str) -> LeaderDigits:
        leaders = self.figures.leaders[side]
        if type_ in leaders.ladder:
            return leaders
        allowed = ", ".join(leaders.ladder)
        raise ValueError(f"there is no {side.label} leader {type_}; enter {allowed}")


def _quality(type_: str) -> tuple[int, int]:
    """Return a leader's rank among others: first by Morale Level, then by DRM."""
    morale, drm = parse_leader_value(type_)
    return morale, -drm


def _words(kind: UnitKind) -> str:
    return kind.replace("_", " ")
