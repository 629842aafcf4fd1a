"""The counters on the table: units, weapons, vehicles, fortifications, terrain.

A counter is a plain record of what stands in play. It knows nothing of rules: what it can become
is in the ladders of the card, what happens to it is in the steps of the Refit Phase.
Lists are kept as sorted tuples, so that two equal counters compare equal and none shares a list.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

OFF_MAP = "off_map"


class Side(StrEnum):
    """Who a counter, a question or a secret belongs to."""

    MARINE = "marine"
    JAPANESE = "japanese"

    @property
    def enemy(self) -> "Side":
        return Side.JAPANESE if self is Side.MARINE else Side.MARINE

    @property
    def label(self) -> str:
        """The name to show: "Marine" or "Japanese"."""
        return self.value.capitalize()


class Kind(StrEnum):
    """What a unit is."""

    SQUAD = "squad"
    HALF_SQUAD = "half_squad"
    CREW = "crew"
    VEHICLE_CREW = "vehicle_crew"
    LEADER = "leader"
    HERO = "hero"
    PATHFINDER = "pathfinder"


SMC = frozenset({Kind.LEADER, Kind.HERO, Kind.PATHFINDER})
CREWS = frozenset({Kind.CREW, Kind.VEHICLE_CREW})


class Class(StrEnum):
    """An MMC's class, best first."""

    ELITE = "elite"
    FIRST_LINE = "first_line"
    SECOND_LINE = "second_line"
    GREEN = "green"
    CONSCRIPT = "conscript"


class Strength(StrEnum):
    """Which side of a Japanese squad or crew is up (G1.1)."""

    FULL = "full"
    REDUCED = "reduced"


class WeaponKind(StrEnum):
    """What a weapon is: a support weapon, a Gun, or a vehicle's armament."""

    SW = "sw"
    GUN = "gun"
    VEHICULAR = "vehicular"


class PathfinderState(StrEnum):
    """A vehicle's Pathfinder."""

    GOOD_ORDER = "good_order"
    WOUNDED = "wounded"
    NONE = "none"


class TerrainKind(StrEnum):
    """What a terrain counter shows."""

    BUILDING = "building"
    WOODEN_RUBBLE = "wooden_rubble"
    STONE_RUBBLE = "stone_rubble"
    COLLAPSED_TOWER = "collapsed_tower"
    OBSTACLE = "obstacle"


class Material(StrEnum):
    """What a building is made of."""

    WOOD = "wood"
    STONE = "stone"


class Fire(StrEnum):
    """A fire in a Location."""

    FLAME = "flame"
    BLAZE = "blaze"


class Fate(StrEnum):
    """What became of a counter."""

    IN_PLAY = "in_play"
    ELIMINATED = "eliminated"
    CAPTURED = "captured"
    RECOMBINED = "recombined"
    CREWED = "crewed"


TRAITS = ("engineer", "heroic", "korean_laborer", "tank_hunter")
UNIT_STATUS = (
    *("berserk", "broken", "cloaked", "concealed", "cx", "disrupted", "dm", "encircled", "fanatic"),
    *("hidden", "low_ammo", "pinned", "prisoner", "ti", "unarmed", "wall_advantage", "wounded"),
)
WEAPON_STATUS = ("disabled", "hidden", "malfunctioned")
VEHICLE_STATUS = (
    *("abandoned", "bogged", "burning", "burnt_out", "crew_exposed", "encircled", "hidden"),
    *("hull_down", "immobilized", "low_ammo", "mired", "motion", "recalled", "shocked"),
    *("stun_plus1", "stunned", "unconfirmed_kill", "wreck"),
)


_set = object.__setattr__


class Holder(Protocol):
    """A table that records lie in, by id: it is told before a field of one is set."""

    def get(self, key: str, /) -> Any: ...

    def changing(self, record: "Record", name: str) -> None: ...


class _Held:
    """Room in a record for the table that it lies in; not a field, so records are equal wherever
    they lie."""

    __slots__ = ("_holder",)
    _holder: Holder | None

    def __new__(cls, *_: Any, **__: Any) -> Self:
        made = object.__new__(cls)
        _set(made, "_holder", None)
        return made


@dataclass(slots=True, kw_only=True)
class Record(_Held):
    """Anything the journal can change: a counter, a side, an area, a purchase, a ruling…

    Field values are strings, integers, booleans, None, or tuples of these.
    `TABLE` names the kind of record in a change and in the campaign file. A record that lies in a
    campaign tells its table before a field is set, so that changes are known as they happen.
    """

    TABLE: ClassVar[str]

    id: str

    if not TYPE_CHECKING:  # or mypy would take every name for a field

        def __setattr__(self, name: str, value: Any) -> None:
            if self._holder is not None:
                self._holder.changing(self, name)
            _set(self, name, value)

    def put_back(self, name: str, value: Any) -> None:
        """Sets a field to what it was, which the table is not told."""
        _set(self, name, value)

    @property
    def holder(self) -> Holder | None:
        """The table that it lies in, or lay in last."""
        return self._holder

    def lie_in(self, holder: Holder) -> None:
        """Lies in a table from now on."""
        _set(self, "_holder", holder)

    def clone(self) -> Self:
        """The same record, in no table."""
        cls = type(self)
        cloned = cls.__new__(cls)
        for name, value in zip(_names(cls), _getter(cls)(self), strict=True):
            _set(cloned, name, value)
        return cloned

    def values(self) -> tuple[Any, ...]:
        """All field values, in the order of `names()`."""
        values: tuple[Any, ...] = _getter(type(self))(self)
        return values

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The attribute names, in order of declaration."""
        return _names(cls)


_NAMES: dict[type, tuple[str, ...]] = {}
_GETTERS: dict[type, Any] = {}


def _names(cls: type) -> tuple[str, ...]:
    if cls not in _NAMES:
        _NAMES[cls] = tuple(f.name for f in fields(cls))
    return _NAMES[cls]


def _getter(cls: type) -> Any:
    if cls not in _GETTERS:
        _GETTERS[cls] = attrgetter(*_names(cls))
    return _GETTERS[cls]


@dataclass(slots=True, kw_only=True)
class Counter(Record):
    """A counter of any sort.

    `location` is a Location as the players write it ("N21", "N21:1", "N21:F7", "off_map"), or None
    when it is Retained in its `setup_area` (15.6081) or out of play. `purchase` is the id of the
    purchase that created it; `unseen` says that the enemy has not yet seen that purchase on map.
    """

    location: str | None = None
    fate: Fate = Fate.IN_PLAY
    became: str | None = None
    name: str | None = None
    purchase: str | None = None
    unseen: bool = False

    @property
    def in_play(self) -> bool:
        return self.fate is Fate.IN_PLAY

    @property
    def off_map(self) -> bool:
        return self.location == OFF_MAP


@dataclass(slots=True, kw_only=True)
class Piece(Counter):
    """A counter that a side has and that can be Retained: a unit, a weapon, a vehicle."""

    side: Side
    status: tuple[str, ...] = ()
    setup_area: str | None = None
    isolated: bool = False
    recorded_location: str | None = None

    def has(self, *status: str) -> bool:
        """Whether it carries any of these statuses."""
        return any(one in self.status for one in status)

    def gain(self, *status: str) -> None:
        self.status = tuple(sorted({*self.status, *status}))

    def lose(self, *status: str) -> None:
        self.status = tuple(one for one in self.status if one not in status)

    @property
    def hidden(self) -> bool:
        """Whether the enemy does not know it is there (hidden or cloaked)."""
        return self.has("hidden", "cloaked")

    @property
    def retained(self) -> bool:
        """In play, and Retained in an area, off map, or in its Isolated Location (15.6081)."""
        return self.in_play and (self.setup_area is not None or self.isolated or self.off_map)


@dataclass(slots=True, kw_only=True)
class Unit(Piece):
    """Personnel. Digits alone are ambiguous: side, kind, class, strength and traits say what it is.

    `type` is the digits of an MMC ("7-6-8") or of an SMC ("8-1", always his unwounded value).
    """

    TABLE = "units"

    kind: Kind
    type: str
    class_: Class | None = None
    strength: Strength = Strength.FULL
    traits: tuple[str, ...] = ()
    aboard: str | None = None
    guard: str | None = None

    def is_a(self, *traits: str) -> bool:
        """Whether it has any of these traits."""
        return any(one in self.traits for one in traits)

    @property
    def mmc(self) -> bool:
        return self.kind not in SMC

    @property
    def smc(self) -> bool:
        return self.kind in SMC

    @property
    def leader(self) -> bool:
        return self.kind is Kind.LEADER

    @property
    def crew(self) -> bool:
        return self.kind in CREWS

    @property
    def prisoner(self) -> bool:
        return "prisoner" in self.status

    @property
    def good_order(self) -> bool:
        """Good Order, as far as the Refit Phase asks (neither broken, prisoner nor unarmed)."""
        return not self.has("broken", "disrupted", "prisoner", "berserk", "unarmed")


@dataclass(slots=True, kw_only=True)
class Weapon(Piece):
    """A support weapon, a Gun, or a vehicle's armament. `side` has it; `nation` made it."""

    TABLE = "weapons"

    kind: WeaponKind
    type: str
    nation: Side
    possessor: str | None = None
    vehicle: str | None = None
    main_armament: bool = False
    repair_number: int = 0
    pp: int | None = None
    depleted: tuple[str, ...] = ()
    non_qualified_use_only: bool = False

    @property
    def captured(self) -> bool:
        return self.side is not self.nation

    @property
    def functioning(self) -> bool:
        return self.in_play and not self.has("malfunctioned", "disabled")


@dataclass(slots=True, kw_only=True)
class Vehicle(Piece):
    """A vehicle. `best_af` is the AF of its best facing; `cvp` the Casualty VP it is worth."""

    TABLE = "vehicles"

    type: str
    nation: Side
    armored: bool = True
    best_af: int = 0
    armor_leader: str | None = None
    pathfinder: PathfinderState = PathfinderState.NONE
    amphibious: bool = False
    inherent_crew: bool = True
    crew_survival: int | None = None
    bulldozer: bool = False
    non_qualified_use_only: bool = False
    cvp: int = 0

    @property
    def captured(self) -> bool:
        return self.side is not self.nation

    @property
    def wreck(self) -> bool:
        return self.has("wreck", "burnt_out", "burning")

    @property
    def manned(self) -> bool:
        return self.inherent_crew and not self.has("abandoned") and not self.wreck

    @property
    def immobile(self) -> bool:
        """It cannot leave its Location by itself: it keeps its recorded Location (15.6081)."""
        return self.has("immobilized", "bogged", "mired") or self.wreck or not self.manned


@dataclass(slots=True, kw_only=True)
class Fortification(Counter):
    """A fortification. `side` bought it; `controller` is who Controls it now (15.6082)."""

    TABLE = "fortifications"

    side: Side
    type: str
    exit: str | None = None
    covered_arc: tuple[str, ...] = ()
    hidden: bool = False
    capacity: int | None = None
    ca_tem: int | None = None
    nca_tem: int | None = None
    controller: Side | None = None


@dataclass(slots=True, kw_only=True)
class Terrain(Counter):
    """A building Location, rubble, a collapsed tower or an obstacle, and its fire if any."""

    TABLE = "terrain"

    kind: TerrainKind
    material: Material | None = None
    building: str | None = None
    fire: Fire | None = None
