"""The events that may happen to a counter in a scenario: one list for the screen and for the
printed sheet. The usual events are ticked in columns under their letters; the others are entered in
the last column."""

from collections.abc import Callable

from brt_cg.immutable import immutable
from brt_cg.model.counters import (
    Counter,
    Fortification,
    Piece,
    Side,
    Unit,
    UnitKind,
    UnitStrength,
    Vehicle,
    Weapon,
    WeaponKind,
)


@immutable
class CounterEvent:
    """An event that may have happened to a counter. Its `letter` is its key on the screen, unless a
    player chose another one, and its sign in a line of numbers and on paper. `fits` says whether it
    can happen to a counter. `asks` is the question whose answer is given with it, if any; `link` is
    the word before that answer."""

    name: str
    letter: str
    words: str
    fits: Callable[[Counter], bool]
    asks: str = ""
    link: str = ""


def _piece(counter: Counter) -> bool:
    return isinstance(counter, Piece)


def _placeable(counter: Counter) -> bool:
    """Whether a counter can move, or is a Fortification that was bought and not placed yet."""
    if isinstance(counter, Fortification):
        return counter.location is None
    return isinstance(counter, Piece)


def _breaks(counter: Counter) -> bool:
    return isinstance(counter, Weapon) or (isinstance(counter, Unit) and counter.has_broken_side)


def _reduces(counter: Counter) -> bool:
    """Whether a counter has a reduced side, or HS: a squad, or a Japanese crew at Full Strength."""
    if not isinstance(counter, Unit):
        return False
    flips = counter.side is Side.JAPANESE and counter.strength is UnitStrength.FULL
    return counter.kind is UnitKind.SQUAD or (counter.kind is UnitKind.CREW and flips)


def _wounds(counter: Counter) -> bool:
    return isinstance(counter, Unit) and counter.smc


def _fighter(counter: Counter) -> bool:
    return isinstance(counter, Unit) or _vehicle(counter)


def _vehicle(counter: Counter) -> bool:
    return isinstance(counter, Vehicle) and not counter.wreck


def _hidden(counter: Counter) -> bool:
    if isinstance(counter, Fortification):
        return counter.hidden
    return isinstance(counter, Piece) and (counter.hidden or counter.has_status("concealed"))


def _hardens(counter: Counter) -> bool:
    if not isinstance(counter, Unit) or counter.has_trait("korean_laborer"):
        return False
    return counter.leader or counter.kind in (UnitKind.SQUAD, UnitKind.HALF_SQUAD)


def _becomes_heroic(counter: Counter) -> bool:
    return isinstance(counter, Unit) and counter.leader and not counter.has_trait("heroic")


def _free_unit(counter: Counter) -> bool:
    return isinstance(counter, Unit) and not counter.prisoner


def _possessed(counter: Counter) -> bool:
    return isinstance(counter, Weapon) and counter.kind is not WeaponKind.VEHICULAR


STAYS, MOVED, CAPTURED = "stays", "moved", "captured"
PASSED, JOINED = "passed", "joined"
DROPPED = "nobody"  # the possessor of a dropped weapon
HERO = "hero"

EVENTS: tuple[CounterEvent, ...] = (
    CounterEvent(STAYS, "y", "as it was", lambda counter: True),
    CounterEvent("eliminated", "x", "eliminated", lambda counter: True),
    CounterEvent(MOVED, "m", "moved", _placeable, "to which Location?", "→"),
    CounterEvent("broken", "b", "broken", _breaks),
    CounterEvent("reduced", "d", "reduced", _reduces),
    CounterEvent("wounded", "w", "wounded", _wounds),
    CounterEvent(CAPTURED, "c", "captured", _piece, "by which unit?", "by"),
    CounterEvent("encircled", "e", "Encircled", _fighter),
    CounterEvent("revealed", "v", "revealed", _hidden),
    CounterEvent("hardened", "h", "Battle Hardened", _hardens),
    CounterEvent("heroic", "r", "heroic", _becomes_heroic),
    CounterEvent(
        JOINED, "j", "joined", _free_unit, "by a hero, or which leader (8-0 Smith)?", "by"
    ),
    CounterEvent(PASSED, "t", "taken", _possessed, "by which unit? (nobody: dropped)", "by"),
    CounterEvent("immobilized", "i", "immobilized", _vehicle),
    CounterEvent("abandoned", "a", "abandoned", _vehicle),
    CounterEvent("wreck", "k", "a wreck", _vehicle),
    CounterEvent("low_ammo", "l", "Low Ammo", _fighter),
)
BY_NAME = {event.name: event for event in EVENTS}
BY_LETTER = {event.letter: event for event in EVENTS}

# The columns of the list, on the screen and on paper: a counter's old place, the usual events under
# their letters, and other facts now.
WAS, NOW = "was", "now"
TICKED = tuple(BY_LETTER[letter] for letter in "xbdwc")
