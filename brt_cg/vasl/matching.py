"""Matches the pieces of a save with the campaign's counters, and makes the state that follows.

A piece that an earlier import has matched is recognized by its id. Every other piece is matched
with the most similar and nearest counter of its kind; what is uncertain is reported.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from brt_cg.board import grid, locations
from brt_cg.board.locations import OFF_MAP, ground
from brt_cg.commands.state_document import document
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Kind, Side, WeaponKind
from brt_cg.vasl.names import SORT, TABLES, Names
from brt_cg.vasl.situation import Found, Situation

Row = dict[str, Any]

FAR_AWAY = 200  # the distance from off map to any hex
CHANGED = 1000  # added for each difference between counters
# Fields that a save never shows, or only the campaign knows, which stay unchanged.
UNSEEN_STATUS = frozenset(
    {"cloaked", "disabled", "unarmed", "burning", "burnt_out", "stun_plus1", "recalled"}
)


class Guess(NamedTuple):
    """A guess of the program; `about` is the id of a counter, or ""."""

    about: str
    words: str

    def __str__(self) -> str:
        return f"{self.about}: {self.words}" if self.about else self.words


@dataclass(slots=True)
class Matched:
    """The state made from a save: its `document`; `pieces`, the counter of each piece, to be stored
    in the entry; `guesses`, everything uncertain."""

    document: dict[str, Any]
    pieces: dict[str, str] = field(default_factory=dict)
    guesses: list[Guess] = field(default_factory=list)

    def guess(self, words: str) -> None:
        """Adds a guess that is about no counter."""
        self.guesses.append(Guess("", words))


def match(
    campaign: Campaign,
    shown: Situation,
    side: Side | None,
    remembered: Mapping[str, str],
    names: Names,
) -> Matched:
    """The state of a campaign as a save shows it, with one side's (None: both sides') counters.

    `remembered` are the pieces that earlier imports have matched, and their counters.
    """
    own = shown.of(side)
    result = Matched(document(campaign, side))
    before = {row["id"]: dict(row) for table in TABLES for row in result.document[table]}
    for table in TABLES:
        rows = [row for row in result.document[table] if side in (None, row["side"])]
        found = [piece for piece in own.found if piece.table == table]
        unshown = [row for row in rows if not _has_a_piece(table, row, names)]
        rows = [row for row in rows if row not in unshown]
        matched = _match_table(table, rows, found, remembered, result)
        result.document[table] = sorted([*matched, *unshown], key=lambda row: str(row["id"]))
    _link(result, own)
    _keep_together(result)
    result.guesses += _doubts(result, own, before)
    _say_unsettled(result, own, campaign)
    hexes = [hex for hex in own.perimeter if not locations.is_ocean(hex)]
    if hexes:
        connected = grid.connected(hexes)  # 15.607
        result.document["perimeters"] = [sorted(piece, key=locations.key) for piece in connected]
        result.guess(f"the Perimeters are those of {len(hexes)} counters on the map")
    _burn(result, own)
    return result


def _doubts(result: Matched, own: Situation, before: Mapping[str, Row]) -> Iterator[Guess]:
    """The open points of the save, except those that are as the campaign had them anyway."""
    after = {row["id"]: row for table in TABLES for row in result.document[table]}
    for piece in own.found:
        id = result.pieces.get(piece.piece, "")
        was, now = before.get(id), after.get(id)
        for name, words in piece.doubts:
            if now is not None and (was is None or not name or was[name] != now[name]):
                yield Guess(id, f"{piece.name}: {words}")


def _has_a_piece(table: str, row: Row, names: Names) -> bool:
    """Whether VASL has such a counter: not for a vehicle's armament and some Fortifications, which
    stay as the campaign has them."""
    if table == "weapons":
        return bool(row["kind"] != WeaponKind.VEHICULAR)
    return table != "fortifications" or names.shows(table, row["type"])


def _match_table(
    table: str, rows: list[Row], found: list[Found], remembered: Mapping[str, str], result: Matched
) -> list[Row]:
    """The rows of one list: matched counters as they are now, those out of play unchanged, and new
    ones; counters in play without a piece are left out."""
    alive = {row["id"]: row for row in rows if row["fate"] == "in_play"}
    partners = dict(_partners(table, alive, found, remembered))
    names = {row["id"] for row in rows}
    kept = [row for row in rows if row["id"] not in alive]
    for piece in found:
        row = partners.get(piece.piece)
        if row is None and piece.dead and piece.piece in remembered:
            continue  # the campaign has it among its dead
        if row is None and (piece.dead or piece.fields.get("side") is None):
            fate = "eliminated" if piece.dead else "of neither side"
            where = piece.location.replace("_", " ")
            result.guess(
                f"{piece.name} ({where}), {fate}, is no counter of this campaign: left out"
            )
            continue
        now = _taken_over(row, piece) if row else _new(piece, names)
        names.add(now["id"])
        result.pieces[piece.piece] = now["id"]
        if row is not None and piece.piece not in remembered:
            result.guesses += _why_unsure(row, now, piece, alive.values())
        kept.append(now)
    return kept


def _partners(
    table: str, alive: dict[str, Row], found: list[Found], remembered: Mapping[str, str]
) -> Iterator[tuple[str, Row]]:
    """The counter of each piece: known ones, then the likeliest pairs first."""
    free = dict(alive)
    left = []
    for piece in found:
        known = free.pop(remembered.get(piece.piece, ""), None)
        if known is not None:
            yield piece.piece, known
        else:
            left.append(piece)
    pairs = (
        (cost, piece.piece, id)
        for piece in left
        for id, row in free.items()
        if (cost := _unlikeness(table, piece, row)) is not None
    )
    paired: set[str] = set()
    for _, number, id in sorted(pairs):
        if number not in paired and id in free:
            paired.add(number)
            yield number, free.pop(id)


def _unlikeness(table: str, piece: Found, row: Row) -> float | None:
    """The distance between a piece and a counter, in hexes; None if they cannot be the same."""
    side = piece.fields.get("nation", piece.fields.get("side"))
    was = row.get("nation") or row["side"]
    if side is not None and side != was:
        return None
    change = _change(table, piece.fields, row)
    if change is None:
        return None
    here, there = _hex(piece.location), _hex(row["location"])
    if piece.dead or here == there:
        return CHANGED * change
    away = FAR_AWAY if OFF_MAP in (here, there) else grid.distance(here, there)
    return CHANGED * change + away


def _change(table: str, fields: Row, row: Row) -> int | None:
    """How much a counter would have changed to be that piece; None if it cannot have."""
    if table == "units":
        return _unit_change(fields, row)
    if table == "fortifications" and "pillbox" in (fields["type"], row["type"][:7]):
        sizes = ("ca_tem", "nca_tem")
        alike = all(fields.get(name, row[name]) == row[name] for name in sizes)
        return 0 if alike and row["type"].startswith("pillbox") else None
    if table == "weapons" and fields.get("kind") != row["kind"]:
        return None
    first, second = sorted((_plain(fields["type"]), _plain(row["type"])), key=len)
    if first == second:
        return 0
    return 1 if second.startswith(first) else None


def _unit_change(fields: Row, row: Row) -> int | None:
    if _sort_of(fields["kind"]) != _sort_of(row["kind"]):
        return None
    laborer = "korean_laborer" in fields.get("traits", ())
    if laborer != ("korean_laborer" in row["traits"]):
        return None
    return sum(bool(fields.get(name, row[name]) != row[name]) for name in SORT)


def _sort_of(kind: str) -> str:
    """The part of a unit's kind that never changes: a squad may become a HS, a leader stays one."""
    return "mmc" if kind in (Kind.SQUAD, Kind.HALF_SQUAD) else str(kind)


def _plain(text: str) -> str:
    return "".join(text.lower().split())


def _hex(location: str | None) -> str:
    """The hex of a Location; off map where VASL has none."""
    return OFF_MAP if location in (None, OFF_MAP) else ground(str(location))


# --- the rows -----------------------------------------------------------------------------------


def _taken_over(row: Row, piece: Found) -> Row:
    """A counter as the save shows it, with everything else unchanged."""
    if piece.dead:
        return row | {"fate": "eliminated"}
    now = row | {name: value for name, value in piece.fields.items() if name in row}
    if "status" in row:
        stays = UNSEEN_STATUS & set(row["status"])
        shown = {*piece.fields.get("status", ())} - ({"hidden"} if "cloaked" in stays else set())
        now["status"] = sorted(shown | stays)
    if "traits" in row:
        shown = {*piece.fields.get("traits", ())}
        # A leader's counter shows whether he is heroic.
        shed = {"heroic"} - shown if row.get("kind") == "leader" else set()
        now["traits"] = sorted((shown | {*row["traits"]}) - shed)
    if _hex(row.get("location")) == piece.location:
        # VASL knows the hex; the place in it is the campaign's.
        now["location"] = row["location"]
    if piece.table != "units":
        # The pictures show who made it, and the names are VASL's.
        now |= {"type": row["type"], "side": row["side"]}
    return now


def _new(piece: Found, taken: Iterable[str]) -> Row:
    """A counter that is new to the campaign."""
    side = str(piece.fields.get("side") or "unknown")
    stem = f"{side[0]}-{piece.table[:-1]}"
    number = next(n for n in range(1, 10_000) if f"{stem}-{n}" not in taken)
    return {"id": f"{stem}-{number}"} | piece.fields


def _why_unsure(row: Row, now: Row, piece: Found, others: Iterable[Row]) -> Iterator[Guess]:
    """The guesses made when a piece is matched with a counter for the first time."""
    for name in SORT:
        if now.get(name) != row.get(name):
            yield Guess(row["id"], f"{name} {row[name]} is {now[name]} now")
    if _hex(row["location"]) == piece.location:
        return
    number = sum(
        other["id"] == row["id"] or _change(piece.table, piece.fields, other) == 0
        for other in others
    )
    if number > 1:
        words = f"from {row['location']} to {piece.location}, nearest of {number} alike"
        yield Guess(row["id"], words)


def _link(result: Matched, shown: Situation) -> None:
    """Sets the possessors by the ids of counters."""
    units: dict[str | None, Row] = {
        row["id"]: row
        for row in result.document["units"]
        if row.get("fate", "in_play") == "in_play"
    }
    for piece in shown.found:
        id = result.pieces.get(piece.piece)
        if piece.table != "weapons" or id is None or piece.dead:
            continue
        row = next(row for row in result.document["weapons"] if row["id"] == id)
        holder = result.pieces.get(str(piece.fields.get("possessor")))
        before = units.get(row.get("possessor") or "")
        if holder in units:
            row |= {"possessor": holder, "side": units[holder]["side"]}
        elif before is None or _hex(before["location"]) != piece.location:
            row["possessor"] = None


def _keep_together(result: Matched) -> None:
    """Keeps armament with its vehicle and its fate. Removes who is no longer with his vehicle from
    it, and the guard of who is no longer a prisoner."""
    vehicles = {row["id"]: row for row in result.document["vehicles"]}
    for row in result.document["weapons"]:
        carrier = vehicles.get(row.get("vehicle") or "")
        if carrier is not None:
            row |= {"location": carrier["location"], "side": carrier["side"]}
            if row["fate"] == "in_play":
                row["fate"] = carrier["fate"]
    for row in result.document["units"]:
        carrier = vehicles.get(row.get("aboard") or "")
        if carrier is None or carrier["location"] != row["location"]:
            row |= {"aboard": None} if row.get("aboard") else {}
        if row.get("guard") and "prisoner" not in row.get("status", ()):
            row["guard"] = None


def _burn(result: Matched, shown: Situation) -> None:
    """Sets fires: on the building or rubble of their hex, else on the wreck there."""
    for hex, fire in shown.fires.items():
        there = (
            row
            for table in ("terrain", "vehicles")
            for row in result.document[table]
            if row.get("fate", "in_play") == "in_play" and _hex(row["location"]) == hex
        )
        burns = (row for row in there if "fire" in row or "wreck" in row.get("status", ()))
        row = next(burns, None)
        if row is None:
            result.guess(f"a {fire} in {hex} burns nothing that the campaign knows")
        elif "fire" in row:
            row["fire"] = fire
        else:
            row["status"] = sorted({*row["status"], "burning"})


def _say_unsettled(result: Matched, shown: Situation, campaign: Campaign) -> None:
    """Reports unrecognized pieces, and where the save's totals differ from the campaign's."""
    for piece in shown.unknown:
        result.guess(f"not recognised: {piece.words}")
    for side, totals in shown.totals.items():
        for name, value in totals.items():
            known = getattr(campaign.sides[side], name)
            if value != known:
                words = f"{name.upper()}: the save says {value}, the campaign {known}"
                result.guess(f"{side.label} {words}")
