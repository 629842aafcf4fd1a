"""The ladders of counters: digits, Battle Hardening, wounds, Casualty VP, sizes.

Nothing here changes a unit: every method reads one and returns a value.
"""

from dataclasses import dataclass

from brt_cg.card.digits import Digits, LeaderDigits, leader_values
from brt_cg.model.counters import SMC, Class, Kind, Side, Strength, Unit, Vehicle, WeaponKind

_WITH_REDUCED_SIDE = (Kind.SQUAD, Kind.CREW)


@dataclass(frozen=True, slots=True)
class Rearmed:
    """The units that an unarmed unit becomes: their number, kind, class and type (R-REARM
    g1.15)."""

    kind: Kind
    class_: Class | None
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class Ladders:
    """The ladders of `counters.toml`. `figures` are the plain figures of the file."""

    figures: Digits

    # -- MMC --

    def digits(self, unit: Unit) -> str:
        """The digits of a unit: those of a Japanese MMC follow from its other values (G1.1), all
        others keep their type. Raises ValueError for a Japanese squad or HS of no known class."""
        return self._digits(unit, unit.kind, unit.strength)

    def half_squad_of(self, squad: Unit) -> str:
        """The digits of one HS of a squad (G1.14, G1.16). Raises ValueError for anything else."""
        if squad.kind is not Kind.SQUAD:
            raise ValueError(
                f"{squad.id}: a {_words(squad.kind)} has no half squad; allowed: squad"
            )
        if squad.side is Side.JAPANESE:
            return self._digits(squad, Kind.HALF_SQUAD, Strength.FULL)
        if squad.type not in self.figures.marine.half_squads:
            raise ValueError(f"{squad.id}: {self._marine_types(squad)}")
        return self.figures.marine.half_squads[squad.type]

    def full_squad_of(self, half_squad: Unit) -> str | None:
        """The digits of the squad that two of these HS make (15.6111, G1.2); None if they never
        do."""
        if half_squad.kind is not Kind.HALF_SQUAD:
            return None
        if half_squad.side is Side.JAPANESE:
            return self._digits(half_squad, Kind.SQUAD, Strength.FULL)
        marine = self.figures.marine
        if half_squad.is_a("engineer") and half_squad.type == marine.engineer_half_squad:
            return marine.engineer_squad
        return marine.recombined.get(half_squad.type)

    def hardened_class(self, unit: Unit) -> Class | None:
        """The class that an MMC Battle Hardens to (15.6113); None if it cannot."""
        ladder = self.figures.japanese.ladder
        can = unit.side is Side.JAPANESE and unit.kind in (Kind.SQUAD, Kind.HALF_SQUAD)
        if not can or unit.class_ not in ladder[:-1] or unit.is_a("korean_laborer"):
            return None
        return ladder[ladder.index(unit.class_) + 1]

    def rearmed(self, unit: Unit) -> Rearmed:
        """The units that an unarmed unit becomes when Rearmed (G1.15, 15.609); always
        Full-Strength."""
        squad = unit.kind is Kind.SQUAD
        if not squad and unit.kind is not Kind.HALF_SQUAD:
            return Rearmed(unit.kind, unit.class_, unit.type, 1)
        if unit.side is Side.MARINE:
            type_ = self.figures.rearmed_half_squad
            return Rearmed(Kind.HALF_SQUAD, unit.class_, type_, 2 if squad else 1)
        class_ = self.figures.rearmed_class
        row = self.figures.japanese.squads[class_]
        return Rearmed(unit.kind, class_, row.full if squad else row.half_squad, 1)

    # -- leaders --

    def hardened_leader(self, leader: Unit) -> str:
        """A leader one step up; the highest stays the same (15.6114). Raises ValueError if
        unknown."""
        ladder = self._leaders(leader.side, leader.type).ladder
        return ladder[min(ladder.index(leader.type) + 1, len(ladder) - 1)]

    def created_leader(self, side: Side) -> str:
        """The leader that the winner may create (15.6114)."""
        return self.figures.leaders[side].created

    def shown_leader(self, side: Side, type_: str, wounded: bool) -> str:
        """The value that a leader counts as. Raises ValueError for an unknown one."""
        leaders = self._leaders(side, type_)
        return leaders.wounded[type_] if wounded else type_

    def leader_drm(self, side: Side, type_: str, wounded: bool) -> int:
        """A leader's DRM: of an 8-1 it is −1, of an 8+1 it is 1."""
        return leader_values(self.shown_leader(side, type_, wounded))[1]

    def armor_leader_drm(self, type_: str | None) -> int:
        """An armor leader's drm or DRM; 0 for none. Raises ValueError for an unknown one."""
        if type_ is None:
            return 0
        if type_ not in self.figures.armor_leaders:
            allowed = ", ".join(self.figures.armor_leaders)
            raise ValueError(f"no {type_} among armor leaders; allowed: {allowed}")
        return leader_values(type_)[1]

    # -- Morale Level --

    def morale_level(self, unit: Unit) -> int:
        """Its Morale Level: the last of its digits, or a leader's number before the dash."""
        wounded = unit.has("wounded")
        if unit.leader:
            return leader_values(self.shown_leader(unit.side, unit.type, wounded))[0]
        of_wounded = {
            Kind.PATHFINDER: self.figures.wounded_pathfinder,
            Kind.HERO: self.figures.wounded_hero,
        }
        type_ = of_wounded.get(unit.kind, unit.type) if wounded else unit.type
        return int(type_.rsplit("-", 1)[1])

    def inherent_morale(self, side: Side, armored: bool) -> int:
        """The Morale Level of a side's Inherent crew, of an AFV or of another vehicle."""
        return (self.figures.inherent_afv if armored else self.figures.inherent_other)[side]

    # -- Casualty VP and sizes --

    def cvp(self, unit: Unit) -> int:
        """The Casualty VP that a unit is worth to its enemy, not doubled for a prisoner."""
        worth = self.figures.worth
        if unit.kind is Kind.HERO:
            return worth.heroes[unit.side]
        if not unit.leader:
            return worth.kinds[unit.kind]
        drm = self.leader_drm(unit.side, unit.type, unit.has("wounded"))
        return worth.kinds[Kind.LEADER] + max(0, -drm)

    def vehicle_cvp(self, type_: str) -> int | None:
        """The Casualty VP of a type of vehicle; None if it must be entered."""
        return self.figures.worth.vehicles.get(type_)

    def vehicle_worth(self, vehicle: Vehicle) -> int:
        """The Casualty VP that a vehicle is worth to its enemy now: with its Inherent crew, as long
        as it is there. A captured vehicle, or a wreck, is worth only its crew."""
        crew = self.figures.worth.kinds[Kind.VEHICLE_CREW]
        itself = 0 if vehicle.captured or vehicle.wreck else max(0, vehicle.cvp - crew)
        if not vehicle.manned:
            return itself
        return crew if vehicle.captured else vehicle.cvp

    def weapon_cvp(self, kind: WeaponKind) -> int:
        """The Casualty VP of a weapon; one in a vehicle counts with it."""
        worth = self.figures.worth
        return {WeaponKind.GUN: worth.gun, WeaponKind.SW: worth.sw}.get(kind, 0)

    def squad_equivalents(self, unit: Unit) -> float:
        """Its size in squad-equivalents: a squad 1, a HS or crew ½, others 0."""
        return self.half_squads(unit) / 2

    def half_squads(self, unit: Unit) -> int:
        """Its size in HS: a squad 2, a HS or crew 1, others 0."""
        return self.figures.half_squads.get(unit.kind, 0)

    def ipc(self, unit: Unit) -> int:
        """The PP that a unit carries at no cost (15.605)."""
        portage = self.figures.portage
        if unit.mmc:
            return portage.mmc
        return portage.wounded_smc if unit.has("wounded") else portage.smc

    # -- checking --

    def unit_problem(self, unit: Unit) -> str | None:
        """The reason why no counter of the game is like this unit, with what is allowed; None if
        one is."""
        if unit.smc:
            return self._smc_problem(unit)
        if unit.side is Side.MARINE:
            return self._marine_problem(unit)
        return self._japanese_problem(unit)

    @property
    def classes(self) -> str:
        """The classes of a Japanese MMC, best first, for a message."""
        return ", ".join(reversed(self.figures.japanese.ladder))

    def _smc_problem(self, unit: Unit) -> str | None:
        if unit.leader:
            try:
                self._leaders(unit.side, unit.type)
            except ValueError as error:
                return str(error)
            return None
        if unit.kind is Kind.HERO:
            known = unit.is_a("tank_hunter") or unit.type == self.figures.hero
            return None if known else f"hero {unit.type}; allowed: {self.figures.hero}"
        if unit.side is Side.JAPANESE:
            return "a Japanese Pathfinder; allowed: marine"
        known = unit.type == self.figures.pathfinder
        return None if known else f"Pathfinder {unit.type}; allowed: {self.figures.pathfinder}"

    def _marine_problem(self, unit: Unit) -> str | None:
        marine = self.figures.marine
        if unit.class_ not in (None, marine.class_):
            return f"a Marine MMC of class {unit.class_}; allowed: {marine.class_}"
        if unit.strength is not Strength.FULL:
            return f"a Marine {_words(unit.kind)} at reduced strength; allowed: full"
        if unit.is_a("korean_laborer"):
            return "a Marine korean_laborer; allowed: only Japanese ones"
        return None if unit.type in self._marine_allowed(unit.kind) else self._marine_types(unit)

    def _japanese_problem(self, unit: Unit) -> str | None:
        engineers = self.figures.japanese.engineer_class
        reduced = unit.strength is Strength.REDUCED
        if reduced and (unit.kind not in _WITH_REDUCED_SIDE or unit.is_a("korean_laborer")):
            return (
                f"a Japanese {_words(unit.kind)} without a reduced side is reduced; allowed: full"
            )
        try:
            digits = self._digits(unit, unit.kind, unit.strength)
        except ValueError as error:
            return str(error)
        if unit.is_a("engineer") and not unit.crew and unit.class_ is not engineers:
            return f"Japanese engineers of class {unit.class_}; allowed: {engineers}"
        if unit.type == digits:
            return None
        what = " ".join(filter(None, (unit.class_, unit.strength, _words(unit.kind))))
        return f"type {unit.type} contradicts a Japanese {what}; allowed: {digits}"

    def _digits(self, unit: Unit, kind: Kind, strength: Strength) -> str:
        """The digits of a unit if it were of this kind and strength."""
        if unit.side is Side.MARINE or kind in SMC:
            return unit.type
        japanese = self.figures.japanese
        if kind is Kind.VEHICLE_CREW:
            return japanese.vehicle_crew
        if kind is Kind.CREW:
            return japanese.crew if strength is Strength.FULL else japanese.reduced_crew
        if unit.is_a("korean_laborer"):
            squad = kind is Kind.SQUAD
            return japanese.laborer_squad if squad else japanese.laborer_half_squad
        row = None if unit.class_ is None else japanese.squads.get(unit.class_)
        if row is None:
            what = f"cannot be {unit.class_}" if unit.class_ else "needs a class"
            raise ValueError(f"a Japanese {_words(kind)} {what}; allowed: {self.classes}")
        if kind is Kind.HALF_SQUAD:
            return row.half_squad
        return row.full if strength is Strength.FULL else row.reduced

    def _marine_types(self, unit: Unit) -> str:
        allowed = ", ".join(self._marine_allowed(unit.kind))
        return f"no {unit.type} among Marine {_words(unit.kind)}s; allowed: {allowed}"

    def _marine_allowed(self, kind: Kind) -> tuple[str, ...]:
        marine = self.figures.marine
        return {
            Kind.SQUAD: tuple(marine.half_squads),
            Kind.HALF_SQUAD: tuple(dict.fromkeys(marine.half_squads.values())),
            Kind.CREW: (marine.crew,),
            Kind.VEHICLE_CREW: (marine.vehicle_crew,),
        }[kind]

    def _leaders(self, side: Side, type_: str) -> LeaderDigits:
        leaders = self.figures.leaders[side]
        if type_ in leaders.ladder:
            return leaders
        allowed = ", ".join(leaders.ladder)
        raise ValueError(f"no {type_} in the {side.label} ladder; allowed: {allowed}")


def _words(kind: Kind) -> str:
    return kind.replace("_", " ")
