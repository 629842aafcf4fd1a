"""The rows of a state file derived from the pieces of a save: a counter as its piece shows it, or a
new one."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import field
from itertools import count
from typing import Any

from brt_cg.board import OFF_MAP, ground_hex, is_area_only_location
from brt_cg.card import Ladders
from brt_cg.immutable import immutable
from brt_cg.model import Side, UnitKind, UnitStrength
from brt_cg.vasl.situation import SavedCounter

Row = dict[str, Any]

# VASL has counters for these, but players often leave them out: the status remains without one.
SELDOM_SHOWN = frozenset({"burnt_out", "low_ammo", "recalled", "unarmed"})
# The states that VASL's bog markers distinguish, and their meanings (15.6042 depends on the
# difference).
FINER = {"sand_bog": "bogged", "sand_mired": "mired", "ocean_mired": "mired"}
CREWS = (UnitKind.CREW, UnitKind.VEHICLE_CREW)
OWN_KIND = frozenset({"engineer", "korean_laborer", "tank_hunter"})  # traits that never change


@immutable
class Guess:
    """A guess of the program; `about` is the id of a counter, or ""."""

    about: str
    words: str

    def __str__(self) -> str:
        return f"{self.about}: {self.words}" if self.about else self.words


@immutable
class Casualties:
    """VASL's count in its Casualties window: the total CVP of each side's dead (`counted`), and of
    each counter with a piece there (`worth`, by id), dead or reduced."""

    counted: Mapping[Side, int] = field(default_factory=dict)
    worth: Mapping[str, int] = field(default_factory=dict)


def update_row(row: Row, piece: SavedCounter, is_known: bool = False) -> Row:
    """Return a counter as the save shows it, with all other facts unchanged. A piece that is known
    to be this counter (`is_known`) never turns an infantry crew into a vehicle crew, or back."""
    if piece.dead:
        return row | {"fate": "eliminated"}
    now = row | {name: value for name, value in piece.fields.items() if name in row}
    if "status" in row:
        now["status"] = sorted(status_after(row, piece))
    if "traits" in row:
        now["traits"] = _traits(row, piece)
    is_set_up = piece.table == "fortifications" and is_fortification_set_up(row)
    if is_set_up or hex_or_off_map(row.get("location")) == hex_or_off_map(piece.location):
        # VASL knows only the hex; the campaign knows the place in it. A Fortification never moves.
        now["location"] = row["location"]
        if piece.location == OFF_MAP and "hidden" in row:
            now["hidden"] = row["hidden"]
    if piece.table != "units":
        # The pictures show who made the counter, and the names are VASL's.
        now |= {"type": row["type"], "side": row["side"]}
    if "nation" in row:
        now["nation"] = row["nation"]
    if is_known and {row.get("kind"), now.get("kind")} == {*CREWS}:
        now |= {name: row[name] for name in ("kind", "type", "strength")}
    return now


def status_after(row: Row, piece: SavedCounter) -> set[str]:
    """Return the statuses that a piece shows, and those that only the campaign knows."""
    was, shown = {*row["status"]}, {*piece.fields.get("status", ())}
    if piece.location == OFF_MAP and hex_or_off_map(row.get("location")) == OFF_MAP:
        shown -= {"hidden"} - was  # in the margin it is hidden because it is new, and not yet HIP
    for finer in was & FINER.keys():
        if FINER[finer] in shown:
            shown = shown - {FINER[finer]} | {finer}
    unseen = was - piece.seen - FINER.keys()
    stays = unseen | (was & SELDOM_SHOWN)
    if "wreck" in was:
        stays.add("wreck")
    elif "wreck" in shown:
        stays -= {"hidden"}  # a wreck has been seen
    if "cloaked" in stays:
        shown -= {"hidden", "concealed"}
    if "hidden" in shown:
        stays -= {"concealed"}
    if "recalled" in stays and "stun_plus1" not in was:
        shown -= {"stun_plus1"}  # the STUN counter of a recalled crew says both (D5.341)
    return shown | stays


def plain_name(text: str) -> str:
    """Return a name in a form for comparison: lowercase, without spaces."""
    return "".join(text.casefold().split())


def status_agrees(marker: str, held: Container[str]) -> bool:
    """Whether a counter with these statuses agrees with a status counter on it."""
    finer = (status for status, coarse in FINER.items() if coarse == marker)
    recalled = marker == "stun_plus1" and "recalled" in held
    return marker in held or recalled or any(status in held for status in finer)


def is_armament_name(name: str, main: bool, type: str) -> bool:
    """Whether VASL's name for armament ("MA", "SA", "BMG", "1 AAMG") is the name for a vehicle's
    weapon of that type, which may be its Main Armament."""
    if name in ("MA", "SA"):
        return main if name == "MA" else not main and "MG" not in type
    return name.split()[-1] in type


def _traits(row: Row, piece: SavedCounter) -> list[str]:
    was, shown = {*row["traits"]}, {*piece.fields.get("traits", ())}
    # A leader's counter shows whether he is heroic.
    shed = {"heroic"} - shown if row.get("kind") == "leader" else set()
    return sorted((was | (shown - OWN_KIND)) - shed)


def new_row(
    piece: SavedCounter, taken: Container[str], ladders: Ladders, numbers: dict[str, int]
) -> Row:
    """Return a counter that is new to the campaign. `numbers` are the last numbers given, by the
    beginning of the id."""
    side = str(piece.fields.get("side") or "unknown")
    stem = f"{side[0]}-{piece.table[:-1]}"
    number = next(n for n in count(numbers.get(stem, 0) + 1) if f"{stem}-{n}" not in taken)
    numbers[stem] = number
    row = {"id": f"{stem}-{number}"} | piece.fields
    if piece.table == "vehicles":
        row["cvp"] = ladders.figures.worth.vehicles.get(row["type"], 0)
    return row


def piece_contradictions(row: Row, piece: SavedCounter) -> Iterator[str]:
    """Yield the ways in which a piece contradicts its counter: changes that no scenario can
    cause."""
    fields = piece.fields
    full_again = (row.get("strength"), fields.get("strength")) == (
        UnitStrength.REDUCED,
        UnitStrength.FULL,
    )
    if full_again and fields["kind"] == row["kind"]:
        yield "the campaign has it at Reduced Strength"
    if row.get("kind") == "half_squad" and fields.get("kind") == "squad":
        yield "the campaign has a half-squad there, and not that many squads left"
    if row.get("kind") == "vehicle_crew" and fields.get("kind") == "crew":
        yield "the campaign has a vehicle crew"
    differ = {*fields.get("traits", ())} ^ {*row.get("traits", ())}
    if piece.table == "units" and differ & OWN_KIND:
        has = sorted({*row["traits"]} & OWN_KIND) or ["none"]
        yield (
            f"its traits differ ({', '.join(OWN_KIND & differ)}); the campaign has {', '.join(has)}"
        )
    if piece.table == "fortifications" and not piece.dead and is_fortification_set_up(row):
        hexes = str(row["location"]).split("/")
        if not {hex_or_off_map(hex) for hex in hexes} & {*piece.location.split("/")}:
            yield f"the campaign has it in {row['location']}, and it cannot move"
    if "wreck" in row.get("status", ()) and "wreck" not in fields.get("status", ()):
        yield "it is a wreck in the campaign, so it remains one"


def is_fortification_set_up(row: Row) -> bool:
    """Whether a Fortification has been set up, and so can no longer move."""
    return row["location"] not in (None, OFF_MAP)


def hex_or_off_map(location: Any) -> str:
    """Return the hex of a Location; off map if VASL has none."""
    if location in (None, OFF_MAP) or is_area_only_location(str(location)):
        return OFF_MAP
    return ground_hex(str(location))
