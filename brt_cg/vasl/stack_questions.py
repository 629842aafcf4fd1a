"""Questions about the stacks of a save, for its players to answer: the units aboard a vehicle or in
a pillbox, the guard of a prisoner, and the counter in the Casualties window that lives on as a new
one."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from brt_cg.board import (
    OFF_MAP,
    ground_hex,
    is_area_only_location,
    is_ocean,
    location_inside_fortification,
)
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, UnitKind
from brt_cg.questions import RefusedError
from brt_cg.text import list_text, normalize_spaces_and_case, split_at_spaces_and_commas
from brt_cg.vasl.losses import LossPairing
from brt_cg.vasl.names import TABLES
from brt_cg.vasl.situation import SavedCounter

Row = dict[str, Any]
Answer = Mapping[str, str]  # the answer, by the id of the counter that it is about
ABOARD, INSIDE, GUARD, BECAME = "aboard", "inside", "guard", "became"
TITLES = {
    ABOARD: "aboard the vehicle in their stack",
    INSIDE: "inside the pillbox in their hex",
    GUARD: "prisoners, and their guards",
    BECAME: "new counters, and the counters they were before a loss",
}
ALL, NONE = "all", "none"
TAKES = {
    UnitKind.SQUAD: 2,
    UnitKind.HALF_SQUAD: 1,
    UnitKind.CREW: 1,
    UnitKind.VEHICLE_CREW: 1,
}  # number of half-squads aboard


@immutable
class ReplacementOffers:
    """The counters that a new piece may be, likeliest first. `likely` is true if the piece has the
    type of the first one."""

    offers: tuple[str, ...]
    likely: bool


@immutable
class StackQuestion:
    """One question about some counters: `offers` are, for each counter, the ids of those that may
    carry it, contain it, guard it, or be the same counter, the likeliest first; `default` is the
    answer if the players give none; `names` are the names of the counters, by id."""

    field: str
    offers: Mapping[str, tuple[str, ...]]
    default: Answer
    names: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def title(self) -> str:
        return TITLES[self.field]

    @property
    def default_text(self) -> str:
        return self.text(self.default)

    def with_counter_names(self, campaign: Campaign) -> "StackQuestion":
        """Return the question with the names that its counters have in a campaign."""
        ids = {*self.offers, *(to for some in self.offers.values() for to in some)}
        found = [counter for id in sorted(ids) if (counter := campaign.find(id)) is not None]
        often = Counter(counter.label for counter in found)
        names = {one.id: one.label if often[one.label] == 1 else one.name_with_id for one in found}
        plain = {id: name for id, name in names.items() if not {*",="} & {*name}}
        return dataclasses.replace(self, names=plain)

    def _name(self, id: str) -> str:
        return self.names.get(id, id)

    def text(self, answer: Answer) -> str:
        """Return an answer in the form that players write."""
        usual = {id: some[0] for id, some in self.offers.items()}
        if answer == usual:
            return ALL
        parts = (
            self._name(id) if to == usual[id] else f"{self._name(id)} = {self._name(to)}"
            for id, to in sorted(answer.items())
        )
        return ", ".join(parts) or NONE

    @property
    def possible_pairs_text(self) -> str:
        """The possible pairs: "6-6-8 squad no. 3 = LVT2 no. 2 or LVT2 no. 4"."""
        return ", ".join(
            f"{self._name(id)} = {' or '.join(map(self._name, some))}"
            for id, some in sorted(self.offers.items())
        )

    def read(self, text: str) -> Answer:
        """Return the answer that the text gives: "all", "none", or names or ids separated by
        commas; "6-6-8 squad no. 3 = LVT2 no. 2" chooses an offer that is not the likeliest. Raises
        RefusedError."""
        if text.strip().casefold() in (ALL, NONE):
            every = text.strip().casefold() == ALL
            return {id: some[0] for id, some in self.offers.items() if every}
        found = {}
        for part in self._parts(text):
            who, _, to = part.partition("=")
            id = self._id(who, self.offers)
            some = self.offers.get(id, ())
            meant = self._id(to, some)
            if not some or (to.strip() and meant not in some):
                allowed = self.possible_pairs_text if not some else list_text(map(self._name, some))
                said = part.strip()
                raise RefusedError(
                    f"{self.field}: {said} is not accepted; enter {ALL}, {NONE}, {allowed}"
                )
            found[id] = meant or some[0]
        return found

    def _parts(self, text: str) -> Iterator[str]:
        """Yield the parts of an answer, separated by commas. Ids alone may be separated by spaces
        too."""
        for part in filter(str.strip, text.split(",")):
            words = split_at_spaces_and_commas(part)
            are_ids = all(word.partition("=")[0] in self.offers for word in words)
            yield from words if are_ids else [part]

    def _id(self, typed: str, ids: Iterable[str]) -> str:
        """Return the id of a counter typed by id or name; any other text unchanged."""
        wanted = normalize_spaces_and_case(typed)
        by_name = {normalize_spaces_and_case(self._name(id)): id for id in ids}
        return by_name.get(wanted, typed.strip())


def find_stack_questions(
    document: Mapping[str, Any],
    pieces: Mapping[str, str],
    found: Iterable[SavedCounter],
    losses: LossPairing,
    before: Mapping[str, Row],
    replaced: Mapping[str, ReplacementOffers],
    room: Callable[[str], int],
    enemies: Mapping[str, Row],
) -> list[StackQuestion]:
    """Return the questions that the pieces of a save leave open, from their rows in a state
    document now, and in the campaign `before`, by id. `enemies` are the enemy's units, by piece, if
    the document has one side's."""
    asking = _Asking(document, pieces, [*found], before, room, enemies)
    each = (
        StackQuestion(ABOARD, *asking.aboard()),
        StackQuestion(INSIDE, *asking.inside()),
        StackQuestion(GUARD, *asking.guards()),
        StackQuestion(BECAME, *asking.became(losses, replaced)),
    )
    return [one for one in each if one.offers]


Offers = dict[str, tuple[str, ...]]


def _is_on_map(row: Row) -> bool:
    """Whether a counter is in play in a hex."""
    place = row.get("location")
    on_map = place not in (None, OFF_MAP) and not is_area_only_location(str(place))
    return on_map and row.get("fate", "in_play") == "in_play"


class _Asking:
    """The rows of a document that are in the stacks of a save."""

    def __init__(
        self,
        document: Mapping[str, Any],
        pieces: Mapping[str, str],
        found: list[SavedCounter],
        before: Mapping[str, Row],
        room: Callable[[str], int],
        enemies: Mapping[str, Row],
    ) -> None:
        self.before, self.room, self.enemies = before, room, enemies
        self.vehicles = {row["id"] for row in document["vehicles"]}
        tables = ("units", "vehicles", "fortifications")
        self.rows = {row["id"]: row for table in tables for row in document[table]}
        self.pieces = pieces
        self.found = [one for one in found if pieces.get(one.piece) in self.rows and not one.dead]
        self.by_piece = {one.piece: one for one in self.found}

    def _of(self, table: str) -> Iterator[tuple[SavedCounter, Row]]:
        for one in self.found:
            row = self.rows[self.pieces[one.piece]]
            if one.table == table and _is_on_map(row):
                yield one, row

    def _near(self, one: SavedCounter) -> list[Row]:
        """Return the rows in the stack of a piece, the nearest first."""
        near = (self.by_piece.get(piece) for piece in one.near)
        return [self.rows[self.pieces[other.piece]] for other in near if other is not None]

    def aboard(self) -> tuple[Offers, Answer]:
        offers: Offers = {}
        for one, row in self._of("units"):
            carriers = [
                other["id"]
                for other in self._near(one)
                if other["id"] in self.vehicles
                and other["side"] == row["side"]
                and "wreck" not in other.get("status", ())
            ]
            if carriers and not row.get("aboard") and "prisoner" not in row.get("status", ()):
                offers[row["id"]] = tuple(carriers)
        # A unit that was there already without a vehicle still is.
        places = {id: self.rows[id]["location"] for id in offers}
        came = {
            id for id, place in places.items() if self.before.get(id, {}).get("location") != place
        }
        afloat = {id: some for id, some in offers.items() if id in came and is_ocean(places[id])}
        return offers, dict(self._loaded(afloat))

    def _loaded(self, offers: Offers) -> Iterator[tuple[str, str]]:
        """Yield the units aboard each vehicle, while there is room; leaders and heroes go with
        other units."""
        left = {id: self.room(self.rows[id]["type"]) for id in self.vehicles & self.rows.keys()}
        for row in self.rows.values():
            if row.get("aboard") in left:
                left[row["aboard"]] -= TAKES.get(row.get("kind"), 0)
        for id, some in offers.items():
            needs = TAKES.get(self.rows[id]["kind"], 0)
            carrier = next((one for one in some if left[one] >= needs), None)
            if carrier is not None:
                left[carrier] -= needs
                yield id, carrier

    def inside(self) -> tuple[Offers, Answer]:
        boxes: dict[str, list[tuple[SavedCounter, Row]]] = {}
        for one, row in self._of("fortifications"):
            if row["type"].startswith("pillbox"):
                boxes.setdefault(ground_hex(row["location"]), []).append((one, row))
        offers: Offers = {}
        under: dict[str, str] = {}
        for one, row in self._of("units"):
            there = boxes.get(ground_hex(row["location"]), [])
            if not there or ":" in row["location"] or "prisoner" in row.get("status", ()):
                continue
            offers[row["id"]] = tuple(box["id"] for _, box in there)
            over = [box["id"] for piece, box in there if piece.piece in one.over]
            if over:
                under[row["id"]] = over[0]
        return offers, under

    def guards(self) -> tuple[Offers, Answer]:
        offers: Offers = {}
        likely: dict[str, str] = {}
        own = (row for _, row in self._of("units"))
        units = [
            row
            for row in (*own, *self.enemies.values())
            if "prisoner" not in row.get("status", ()) and _is_on_map(row)
        ]
        for one, row in self._of("units"):
            if "prisoner" not in row.get("status", ()) or row.get("guard"):
                continue
            stack = (self.enemies.get(piece) for piece in one.near)
            near = [other for other in (*self._near(one), *stack) if other in units]
            there = [
                other
                for other in (*near, *units)
                if other["side"] != row["side"]
                and ground_hex(other["location"]) == ground_hex(row["location"])
            ]
            some = tuple(dict.fromkeys(other["id"] for other in there))
            if some:
                offers[row["id"]] = some
                if "prisoner" not in self.before.get(row["id"], {}).get("status", ()):
                    likely[row["id"]] = some[0]  # ask about a prisoner without a guard
        return offers, likely

    def became(
        self, losses: LossPairing, replaced: Mapping[str, ReplacementOffers]
    ) -> tuple[Offers, Answer]:
        offers = {id: one.offers for id, one in replaced.items()}
        likely: dict[str, str] = {}
        for id, one in replaced.items():
            if one.likely and one.offers[0] not in likely.values():
                likely[id] = one.offers[0]
        for piece, dead in losses.open:
            ids = (self.pieces.get(one.piece) for one in dead)
            some = tuple(dict.fromkeys(id for id in ids if id is not None))
            if piece.piece in self.pieces and some:
                id = self.pieces[piece.piece]
                offers[id] = (*some, *(other for other in offers.get(id, ()) if other not in some))
                likely.pop(id, None)
        return offers, likely


def apply_answers(
    asked: dict[str, Any], answers: Mapping[str, Answer], known: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the input of an import with the answers to these questions, by field. `known` is the
    document of the campaign before the import."""
    if not any(answers.values()):
        return asked
    copied = {table: [dict(row) for row in asked["state"][table]] for table in TABLES}
    state = asked["state"] | copied
    units = {row["id"]: row for row in state["units"]}
    for id, vehicle in answers.get(ABOARD, {}).items():
        units[id]["aboard"] = vehicle
    for id, fort in answers.get(INSIDE, {}).items():
        place = location_inside_fortification(units[id]["location"], fort)
        units[id]["location"] = place
        for weapon in state["weapons"]:
            if weapon.get("possessor") == id:
                weapon["location"] = place
    for id, guard in answers.get(GUARD, {}).items():
        units[id]["guard"] = guard
    pieces = dict(asked.get("pieces") or {})
    for new, was in answers.get(BECAME, {}).items():
        _live_on(state, new, was, known)
        pieces = {piece: was if id == new else id for piece, id in pieces.items()}
    return asked | {"state": state} | ({"pieces": pieces} if pieces else {})


def _live_on(state: dict[str, Any], new: str, was: str, known: Mapping[str, Any]) -> None:
    """Merge a new counter with the counter that it was before its loss, or before its piece was
    deleted."""
    for table in TABLES:
        rows = {row["id"]: row for row in state[table]}
        earlier = {row["id"]: row for row in known[table]}
        if new in rows and (was in rows or was in earlier):
            now = {**earlier.get(was, {}), **rows.get(was, {}), **rows[new]}
            now |= {"id": was, "fate": "in_play"}
            state[table] = [row for row in state[table] if row["id"] not in (new, was)] + [now]
    for row in state["weapons"]:
        if row.get("possessor") == new:
            row["possessor"] = was


def answers_by_field(
    asked_: Iterable[StackQuestion], lines: Mapping[str, str]
) -> dict[str, Answer]:
    """Return the answer to each question, by field: from a line, else its default. Raises
    RefusedError."""
    known = {one.field: one for one in asked_}
    if strange := [field for field in lines if field not in known]:
        allowed = list_text(known) if known else "nothing, since no stack is ambiguous"
        raise RefusedError(f"there is no question {', '.join(strange)}; enter {allowed}")
    return {
        field: one.read(lines[field]) if field in lines else one.default
        for field, one in known.items()
    }
