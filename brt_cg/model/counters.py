"""The counters on the table: units, weapons, vehicles, fortifications, terrain.

A counter is a plain record of a piece in play. It contains no rules: the ladders of the card say
what it can become, and the steps of the Refit Phase change it. Lists are kept as sorted tuples, so
that equal counters compare equal and share no list.

Each field is declared here with its type, range, words, default, link and name on the screen;
`fields` reads these declarations.
"""

import re
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from brt_cg.board import OFF_MAP, is_area_only_location
from brt_cg.model.record import Record, record_class
from brt_cg.model.shapes import Arc, FieldMark, Id, Label, Link, ListOf, Number, Place

A_NUMBER = re.compile(r" no\. \d+")  # of a counter without a name, in a sentence (own_name)
TRAITS = ("engineer", "heroic", "korean_laborer", "tank_hunter")
UNIT_STATUS = (
    *("berserk", "broken", "cloaked", "concealed", "cx", "disrupted", "dm", "encircled", "fanatic"),
    *("hidden", "low_ammo", "pinned", "prisoner", "ti", "unarmed", "wall_advantage", "wounded"),
)
WEAPON_STATUS = ("disabled", "hidden", "malfunctioned")
VEHICLE_STATUS = (
    *("abandoned", "bogged", "burning", "burnt_out", "crew_exposed", "encircled", "hidden"),
    *("hull_down", "immobilized", "low_ammo", "mired", "motion", "ocean_mired", "recalled"),
    *("sand_bog", "sand_mired", "shocked", "stun_plus1", "stunned", "unconfirmed_kill", "wreck"),
)
BOGGED = ("bogged", "mired", "ocean_mired", "sand_bog", "sand_mired")  # until freed (15.6042)


class PathfinderState(StrEnum):
    """The state of a vehicle's Pathfinder."""

    GOOD_ORDER = "good_order"
    WOUNDED = "wounded"
    NONE = "none"


class TerrainKind(StrEnum):
    """The kinds of terrain counters."""

    BUILDING = "building"
    WOODEN_RUBBLE = "wooden_rubble"
    STONE_RUBBLE = "stone_rubble"
    COLLAPSED_TOWER = "collapsed_tower"
    OBSTACLE = "obstacle"


class Material(StrEnum):
    """The material of a building."""

    WOOD = "wood"
    STONE = "stone"


class Fire(StrEnum):
    """A fire in a Location."""

    FLAME = "flame"
    BLAZE = "blaze"


# --- the counters ---------------------------------------------------------------------------------


class Side(StrEnum):
    """The side of a counter, a question or a secret."""

    MARINE = "marine"
    JAPANESE = "japanese"

    @classmethod
    def from_name(cls, name: object) -> "Side | None":
        """Return the side with that name, or None."""
        return next((side for side in cls if side == name), None)

    @cached_property
    def enemy(self) -> "Side":
        return Side.JAPANESE if self is Side.MARINE else Side.MARINE

    @cached_property
    def label(self) -> str:
        """The name to show: "Marine" or "Japanese"."""
        return self.value.capitalize()

    @cached_property
    def plural(self) -> str:
        """The name of the side's men, after "the": "Marines" or "Japanese"."""
        return "Marines" if self is Side.MARINE else self.label


class UnitKind(StrEnum):
    """The kinds of units."""

    SQUAD = "squad"
    HALF_SQUAD = "half_squad"
    CREW = "crew"
    VEHICLE_CREW = "vehicle_crew"
    LEADER = "leader"
    HERO = "hero"
    PATHFINDER = "pathfinder"

    @cached_property
    def label(self) -> str:
        """The kind as players say it: "HS", "vehicle crew", "Pathfinder"."""
        titles = {UnitKind.HALF_SQUAD: "HS", UnitKind.PATHFINDER: "Pathfinder"}
        return titles.get(self) or self.replace("_", " ")


SMC = frozenset({UnitKind.LEADER, UnitKind.HERO, UnitKind.PATHFINDER})
CREWS = frozenset({UnitKind.CREW, UnitKind.VEHICLE_CREW})


class UnitClass(StrEnum):
    """An MMC's class, best first."""

    ELITE = "elite"
    FIRST_LINE = "first_line"
    SECOND_LINE = "second_line"
    GREEN = "green"
    CONSCRIPT = "conscript"


class UnitStrength(StrEnum):
    """The side of a Japanese squad or crew that faces up (G1.1)."""

    FULL = "full"
    REDUCED = "reduced"


class WeaponKind(StrEnum):
    """The kinds of weapons: support weapons, Guns, and vehicles' armament."""

    SW = "sw"
    GUN = "gun"
    VEHICULAR = "vehicular"


class Fate(StrEnum):
    """The fates of a counter: in play, or the way it left play."""

    IN_PLAY = "in_play"
    ELIMINATED = "eliminated"
    CAPTURED = "captured"
    RECOMBINED = "recombined"
    CREWED = "crewed"


# Looked up once: Python 3.11 takes as long for a member of an enum as for a call.
IN_PLAY, LEADER = Fate.IN_PLAY, UnitKind.LEADER
MARINE, JAPANESE = Side.MARINE, Side.JAPANESE
INTO_ANOTHER = (Fate.RECOMBINED, Fate.CREWED)  # fates that refer to another counter


@record_class
class Counter(Record):
    """A counter of any kind.

    `location` is a Location as the players write it ("N21", "N21:1", "N21:F7", "off_map"), or None
    while the counter is Retained in its `setup_area` (15.6081) or out of play. `purchase` is the id
    of the purchase that created it; `unseen` means that the enemy has not yet seen that purchase on
    map.
    """

    location: Annotated[str | None, Place(), Label("Location"), FieldMark.SITE, FieldMark.WHERE] = (
        None
    )
    fate: Fate = Fate.IN_PLAY
    became: Annotated[
        str | None, Link(None, "became"), FieldMark.KEPT, FieldMark.OF_THE_PROGRAM
    ] = None
    name: Annotated[str | None, FieldMark.KEPT] = None
    purchase: Annotated[str | None, Id(), FieldMark.KEPT, FieldMark.FIXED, FieldMark.OWN] = None
    unseen: Annotated[bool, Label("not yet seen by the enemy"), FieldMark.OF_THE_PROGRAM] = False

    if TYPE_CHECKING:  # a field of some kinds only (not OnMap, Terrain)

        @property
        def type(self) -> str: ...
        @property
        def side(self) -> Side | None: ...
        @property
        def setup_area(self) -> str | None: ...
        @property
        def recorded_location(self) -> str | None: ...
        @property
        def hidden(self) -> bool: ...

    @property
    def type_text(self) -> str:
        """The type in the players' words: "9-1", "HMG", "1S foxhole", "wooden rubble"."""
        return self.type

    @property
    def full_type_text(self) -> str:
        """The type, with the kind if players say it: "9-1", "4-4-8 squad", "HMG"."""
        return self.type_text

    @property
    def name_or_number(self) -> str:
        """The name, or the number in the campaign: "Hawkins", "no. 24"; "" while it is being added,
        the id if nothing is numbered (a counter outside a campaign)."""
        if self.name or self._number is not None:
            return self.name or f"no. {self._number}"
        return "" if self._is_coming else self.id

    @property
    def display_name(self) -> str:
        """The type, and the name or number: "9-1 Hawkins", "4-4-8 no. 3"."""
        return f"{self.type_text} {self.name_or_number}".rstrip()

    @property
    def label(self) -> str:
        """The counter in the players' words: "9-1 Hawkins", "4-4-8 squad no. 3"."""
        return f"{self.full_type_text} {self.name_or_number}".rstrip()

    @property
    def name_with_id(self) -> str:
        """The counter in one phrase with its id, for places where a player may have to type it:
        "9-1 Hawkins (m-ldr-1)"."""
        label = self.label
        return label if self.id in label else f"{label} ({self.id})"

    @property
    def in_play(self) -> bool:
        return self.fate is IN_PLAY

    @property
    def off_map(self) -> bool:
        return self.location == OFF_MAP


@record_class
class Piece(Counter):
    """A counter of a side that can be Retained: a unit, a weapon, a vehicle."""

    location: Annotated[
        str | None, Place(area=True), Label("Location"), FieldMark.SITE, FieldMark.WHERE
    ] = None
    side: Annotated[Side, FieldMark.MAKES_DIGITS]
    status: tuple[str, ...] = ()
    setup_area: Annotated[
        str | None, Id(), Label("Setup Area"), FieldMark.OF_THE_PROGRAM, FieldMark.WHERE
    ] = None
    isolated: Annotated[bool, FieldMark.OF_THE_PROGRAM, FieldMark.WHERE] = False
    recorded_location: Annotated[
        str | None,
        Place(area=True),
        Label("recorded Location"),
        FieldMark.OF_THE_PROGRAM,
        FieldMark.WHERE,
    ] = None

    def has_status(self, *status: str) -> bool:
        """Whether the piece has any of these statuses."""
        carried = self.status
        if carried:  # a loop is faster, and a Refit Phase calls this thousands of times
            for asked in status:
                if asked in carried:
                    return True
        return False

    def add_status(self, *status: str) -> None:
        self.status = tuple(sorted({*self.status, *status}))

    def remove_status(self, *status: str) -> None:
        self.status = tuple(state for state in self.status if state not in status)

    def reveal(self) -> None:
        """Show the counter to the enemy."""
        self.remove_status("cloaked", "concealed", "hidden")

    def place_unisolated(self, location: str | None, setup_area: str | None = None) -> None:
        """Put the counter in a Location, or Retain it in a Setup Area, neither Isolated nor bound
        there."""
        self.location, self.setup_area = location, setup_area
        self.isolated, self.recorded_location = False, None

    @property
    def is_on_map_without_hex(self) -> bool:
        """Whether the piece is on map in a hex that is not known ("in N18")."""
        return is_area_only_location(self.location)

    @property
    def hidden(self) -> bool:
        """Whether the enemy does not know of the piece (hidden or cloaked)."""
        return "hidden" in self.status or "cloaked" in self.status

    @property
    def is_opposing(self) -> bool:
        """Whether the piece opposes an enemy in its Location: a unit that is not a prisoner, or a
        manned vehicle."""
        return False

    @property
    def retained(self) -> bool:
        """Whether the piece is in play, and Retained in an area, off map, or in its Isolated
        Location (15.6081)."""
        return self.in_play and (self.setup_area is not None or self.isolated or self.off_map)


@record_class
class Unit(Piece):
    """Personnel. Digits alone are ambiguous: side, kind, class, strength and traits identify it.

    `type` is the digits of an MMC ("7-6-8") or of an SMC ("8-1", always the unwounded value).
    """

    TABLE = "units"

    kind: Annotated[UnitKind, FieldMark.MAKES_DIGITS]
    type: Annotated[str, FieldMark.FOLLOWS]
    class_: Annotated[UnitClass | None, FieldMark.MAKES_DIGITS] = None
    strength: Annotated[UnitStrength, FieldMark.MAKES_DIGITS] = UnitStrength.FULL
    traits: Annotated[tuple[str, ...], ListOf(TRAITS), FieldMark.MAKES_DIGITS] = ()
    status: Annotated[tuple[str, ...], ListOf(UNIT_STATUS)] = ()
    aboard: Annotated[str | None, Link("vehicles", "aboard", "carries")] = None
    guard: Annotated[str | None, Link("units", "guarded by", "guards")] = None

    @property
    def full_type_text(self) -> str:
        return self.type_text if self.leader else f"{self.type_text} {self.kind.label}"

    @property
    def traits_making_separate_type(self) -> tuple[str, ...]:
        """The traits that make it a separate type: "engineer", "korean_laborer"."""
        return tuple(trait for trait in self.traits if trait in ("engineer", "korean_laborer"))

    def has_trait(self, *traits: str) -> bool:
        """Whether the unit has any of these traits."""
        return any(trait in self.traits for trait in traits) if self.traits else False

    @property
    def mmc(self) -> bool:
        return self.kind not in SMC

    @property
    def smc(self) -> bool:
        return self.kind in SMC

    @property
    def leader(self) -> bool:
        return self.kind is LEADER

    @property
    def crew(self) -> bool:
        return self.kind in CREWS

    @property
    def prisoner(self) -> bool:
        return "prisoner" in self.status

    @property
    def is_opposing(self) -> bool:
        return not self.prisoner

    @property
    def has_broken_side(self) -> bool:
        """Whether the unit can be broken: any unit except a Japanese squad (G1.1), armed infantry
        crew (G1.3) or SMC (G1.4)."""
        if self.side is not Side.JAPANESE or self.has_trait("korean_laborer"):
            return True
        armed_crew = self.kind is UnitKind.CREW and not self.has_status("unarmed")
        return not (self.kind is UnitKind.SQUAD or armed_crew or self.smc)

    @property
    def armed(self) -> bool:
        """Whether the unit is neither a prisoner nor unarmed."""
        return not self.has_status("prisoner", "unarmed")

    @property
    def good_order(self) -> bool:
        """Whether the unit is in Good Order in the sense of the Refit Phase (neither broken, a
        prisoner nor unarmed)."""
        return not self.has_status("broken", "disrupted", "prisoner", "berserk", "unarmed")


@record_class
class Weapon(Piece):
    """A support weapon, a Gun, or a vehicle's armament. `side` has it now; `nation` made it."""

    TABLE = "weapons"

    kind: WeaponKind
    type: str
    nation: Annotated[Side, Label("made by"), FieldMark.FOLLOWS]
    status: Annotated[tuple[str, ...], ListOf(WEAPON_STATUS)] = ()
    possessor: Annotated[str | None, Link("units", "possessed by", "possesses")] = None
    vehicle: Annotated[str | None, Link("vehicles", "mounted on", "mounts"), FieldMark.KEPT] = None
    main_armament: Annotated[bool, Label("Main Armament")] = False
    repair_number: Annotated[
        int | None, Number(0, 99), Label("Repair Number"), FieldMark.KEPT, FieldMark.PRINTED
    ] = None
    pp: Annotated[int | None, Number(0, 99), Label("PP"), FieldMark.KEPT, FieldMark.PRINTED] = None
    depleted: Annotated[tuple[str, ...], Label("Depleted")] = ()
    non_qualified_use_only: Annotated[bool, Label("Non-Qualified Use only")] = False

    @property
    def captured(self) -> bool:
        return self.side is not self.nation

    @property
    def functioning(self) -> bool:
        return self.in_play and not self.has_status("malfunctioned", "disabled")


@record_class
class Vehicle(Piece):
    """A vehicle. `best_af` is the AF of its best facing; `cvp` the Casualty VP it is worth."""

    TABLE = "vehicles"

    type: str
    nation: Annotated[Side, Label("made by"), FieldMark.FOLLOWS]
    status: Annotated[tuple[str, ...], ListOf(VEHICLE_STATUS)] = ()
    armored: Annotated[bool, FieldMark.PRINTED] = True
    best_af: Annotated[
        int | None, Number(0, 99), Label("best AF"), FieldMark.KEPT, FieldMark.PRINTED
    ] = None
    armor_leader: str | None = None
    pathfinder: PathfinderState = PathfinderState.NONE
    amphibious: Annotated[bool | None, FieldMark.KEPT, FieldMark.PRINTED] = None
    inherent_crew: bool = True
    crew_survival: Annotated[int | None, Number(0, 12), FieldMark.KEPT, FieldMark.PRINTED] = None
    bulldozer: bool = False
    non_qualified_use_only: Annotated[bool, Label("Non-Qualified Use only")] = False
    cvp: Annotated[int, Number(0, 99), Label("CVP"), FieldMark.PRINTED] = 0

    @property
    def captured(self) -> bool:
        return self.side is not self.nation

    @property
    def wreck(self) -> bool:
        return self.has_status("wreck", "burnt_out", "burning")

    @property
    def manned(self) -> bool:
        return self.inherent_crew and not self.has_status("abandoned") and not self.wreck

    @property
    def is_opposing(self) -> bool:
        return self.manned

    @property
    def immobile(self) -> bool:
        """Whether the vehicle cannot leave its Location by itself, and so keeps its recorded
        Location (15.6081)."""
        return self.has_status("immobilized", *BOGGED) or self.wreck or not self.manned


MOST_CAPACITY = 99  # of a pillbox, in squad-equivalents


class OnMap:
    """A counter that is never Retained."""

    __slots__ = ()
    setup_area = recorded_location = None


@record_class
class Fortification(OnMap, Counter):
    """A fortification. `side` bought it; `controller` Controls it now (15.6082). `fell` is the CG
    Date on which a pillbox was first eliminated or captured by the Marines: its Victory Points
    count once (15.615)."""

    TABLE = "fortifications"

    location: Annotated[
        str | None, Place(hexside=True), Label("Location"), FieldMark.SITE, FieldMark.WHERE
    ] = None
    side: Side
    type: str
    exit: Annotated[str | None, Place(), FieldMark.KEPT, FieldMark.SITE] = None
    covered_arc: Annotated[
        tuple[str, ...], Arc(), Label("Covered Arc"), FieldMark.KEPT, FieldMark.SITE
    ] = ()
    hidden: bool = False
    capacity: Annotated[int | None, Number(0, MOST_CAPACITY), FieldMark.KEPT] = None
    ca_tem: Annotated[int | None, Number(-9, 99), Label("CA TEM"), FieldMark.KEPT] = None
    nca_tem: Annotated[int | None, Number(-9, 99), Label("NCA TEM"), FieldMark.KEPT] = None
    controller: Annotated[Side | None, FieldMark.OF_THE_PROGRAM] = None
    fell: Annotated[str | None, FieldMark.OF_THE_PROGRAM] = None

    @property
    def is_pillbox(self) -> bool:
        return self.type.startswith("pillbox")

    @property
    def type_text(self) -> str:
        words = re.sub(r"(?<=\d)_(?=\d)", "+", self.type).replace("_", " ").replace(" fpp", "")
        words = re.sub(r"^at ", "A-T ", words.replace("tetrahedron wire", "tetrahedron with wire"))
        return re.sub(r"^foxhole (\d)s$", r"\1S foxhole", words.replace("at mine", "A-T mine"))

    @property
    def full_type_text(self) -> str:
        """The type; for a pillbox that is not in any price list, with its values: "pillbox
        1+3+5"."""
        figures = (self.capacity, self.ca_tem, self.nca_tem)
        if self.type != "pillbox" or None in figures:
            return self.type_text
        return f"{self.type_text} {'+'.join(map(str, figures))}"


@record_class
class Terrain(OnMap, Counter):
    """A building Location, rubble, a collapsed tower or an obstacle, and its fire if any."""

    TABLE = "terrain"
    side, hidden = None, False

    kind: TerrainKind
    material: Annotated[Material | None, FieldMark.KEPT] = None
    building: Annotated[str | None, Id(), FieldMark.KEPT] = None
    fire: Fire | None = None

    @property
    def type_text(self) -> str:
        return self.kind.replace("_", " ")


COUNTERS: tuple[type[Counter], ...] = (Unit, Weapon, Vehicle, Fortification, Terrain)
BY_TABLE: dict[str, type[Counter]] = {kind.TABLE: kind for kind in COUNTERS}
