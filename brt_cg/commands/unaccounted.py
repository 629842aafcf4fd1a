"""Open points to settle before the end of a scenario is stored: counters whose hex is not known,
list by list, counters Encircled since setup, and counters that the state does not name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from brt_cg.card import Card
from brt_cg.commands.import_plan import ImportPlan, try_import
from brt_cg.model import (
    SIDES,
    Campaign,
    Counter,
    NumberedList,
    Piece,
    Unit,
    Vehicle,
    holder_chain,
    holder_id,
)
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.text import count_text


@dataclass(slots=True)
class Unaccounted:
    """`no_hex`: the lists of the printed sheet, each with the numbered counters that have no hex;
    `beside`: the Locations, by id, of counters that possess, guard or carry one with a Location
    (neither they nor their companions are in the lists); `encircled`: the counters Encircled since
    setup, unless the state says otherwise; `missing`: the counters in play that the state does not
    name. `after` are the counters without a hex as the import leaves them, by id."""

    no_hex: list[tuple[NumberedList, list[tuple[int, Counter]]]] = field(default_factory=list)
    beside: dict[str, str] = field(default_factory=dict)
    encircled: list[Unit | Vehicle] = field(default_factory=list)
    missing: list[Counter] = field(default_factory=list)
    after: Mapping[str, Counter] = field(default_factory=dict)

    @property
    def number_without_hex(self) -> int:
        """The number of counters without a hex."""
        return sum(len(found) for _, found in self.no_hex)

    @property
    def assumed_with_equipment_text(self) -> str:
        """The counters that are assumed to be with their equipment, in words; "" if there are
        none."""
        where: dict[str, list[str]] = {}
        for id, place in self.beside.items():
            where.setdefault(place, []).append(self.after[id].display_name)
        places = "; ".join(f"{', '.join(named)} in {place}" for place, named in where.items())
        return f"Assumed to be with their equipment: {places}" if places else ""

    def describe(self) -> Iterator[str]:
        """Return the lists in words: one for the counters without a hex, and one for the missing
        counters."""
        if self.no_hex:
            verb = "has" if self.number_without_hex == 1 else "have"
            yield f"{count_text(self.number_without_hex, 'counter')} {verb} no Location:"
        for each, found in self.no_hex:
            named = ", ".join(f"{number} {counter.display_name}" for number, counter in found)
            yield f"    {each.title}: {named}"
        if self.encircled:
            are = "1 is" if len(self.encircled) == 1 else f"{len(self.encircled)} are"
            named = ", ".join(each.display_name for each in self.encircled)
            yield f"{are} Encircled since setup; still Encircled? {named}"


def find_unaccounted(campaign: Campaign, asked: dict[str, Any], card: Card) -> Unaccounted:
    """Find the open points of an import. Raises RefusedError if the import would be refused."""
    plan = try_import(campaign, card, asked)
    found = Unaccounted(missing=[*filter(None, map(plan.view.find, plan.missing))])
    if not plan.is_campaign_running:
        return found
    lists = [
        (each, [(number, was) for number, was in each.numbered if _has_no_hex(plan, was)])
        for side in (SIDES if plan.asked.side is None else (plan.asked.side,))
        for each in numbered_lists(plan.view, side)
    ]
    ids = [was.id for _, open_ in lists for _, was in open_]
    found.after = {id: counter for id in ids if (counter := plan.after.find(id)) is not None}
    found.beside = _locations_of_possessions(plan, found.after)
    for each, open_ in lists:
        left = [(number, was) for number, was in open_ if not _is_with(plan, was.id, found.beside)]
        if left:
            found.no_hex.append((each, left))
    found.encircled = [*_still_encircled(plan)]
    return found


def _has_no_hex(plan: ImportPlan, was: Counter) -> bool:
    """Whether the hexes of a counter and of its holder are both unknown after the import, except if
    the state itself gives no hex."""
    after = plan.after.find(was.id)
    if not isinstance(after, Piece) or not after.in_play or after.off_map:
        return False
    if after.location is not None and (after.hidden or not after.is_on_map_without_hex):
        return False
    held = plan.after.find(holder_id(after))
    if held is not None and held.location is not None and not _has_no_hex(plan, held):
        return False
    item = plan.state.items.get(was.id)
    given_place = (
        item is not None and "location" in item.given and item.counter.location is not None
    )
    unchanged = (
        after.is_on_map_without_hex and isinstance(was, Piece) and was.location == after.location
    )
    return after.location is None or not given_place or unchanged


def _locations_of_possessions(plan: ImportPlan, no_hex: Mapping[str, Counter]) -> dict[str, str]:
    """Return the Location of each counter without a hex whose possessions, prisoners and passengers
    are all in one Location: nobody possesses a counter elsewhere."""
    places: dict[str, set[str]] = {}
    for piece in plan.after.pieces():
        on_map = piece.location is not None and not (piece.off_map or piece.is_on_map_without_hex)
        if piece.in_play and on_map and (holder := holder_id(piece)) in no_hex:
            places.setdefault(holder, set()).add(str(piece.location))
    return {id: min(places[id]) for id in no_hex if len(places.get(id, ())) == 1}


def _is_with(plan: ImportPlan, id: str, beside: Mapping[str, str]) -> bool:
    """Whether a counter, or its holder, is assumed to be with its possessions."""
    after = plan.after.find(id)
    held_by = holder_chain(after, plan.after.find) if after is not None else ()
    return id in beside or any(each.id in beside for each in held_by)


def _still_encircled(plan: ImportPlan) -> Iterator[Unit | Vehicle]:
    """Return the units and vehicles that were Encircled when the scenario began, and still are."""
    for was in plan.view.sort_counters_in_play(
        (*plan.view.units.values(), *plan.view.vehicles.values())
    ):
        after = plan.after.find(was.id)
        if not isinstance(after, Unit | Vehicle) or plan.asked.side not in (None, was.side):
            continue
        if was.has_status("encircled") and after.in_play and after.has_status("encircled"):
            yield was
