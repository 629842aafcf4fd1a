"""The counters of a campaign grouped by side and area, as players look for them."""

from collections import Counter as Count
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from brt_cg.board import hex_order_key
from brt_cg.exports.strength import strength_category
from brt_cg.exports.tally import OTHERS, PlaceTally, place_heading, place_sort_key
from brt_cg.exports.wording import notable_state_text
from brt_cg.immutable import immutable
from brt_cg.model import (
    Campaign,
    Counter,
    Fortification,
    Side,
    Terrain,
    Unit,
    Vehicle,
    Weapon,
    area_name,
    natural_sort_key,
)
from brt_cg.text import count_text
from brt_cg.tui.lists.search import contains_words, group_by

TERRAIN, GONE = "Terrain", "Out of play"
KINDS = (Unit, Vehicle, Weapon, Fortification, Terrain)  # in the order of the rows


@immutable
class CounterRow:
    """A row about a counter: its name, place and state. `found_by` is the text that a filter
    searches, in lowercase."""

    id: str
    side: Side | None
    name: str
    place: str
    state: str
    found_by: str
    rank: int = 0  # the rank of its kind in KINDS (for a possessed weapon, its owner's)
    spot: int = 0  # its position when sorted by place

    @property
    def name_without_id(self) -> str:
        """The name without the id."""
        return self.name.removesuffix(self.id)


@immutable
class Group:
    """A side's counters in one place; `tally` counts them by type, in words."""

    side: Side | None
    place: str
    tally: str
    rows: tuple[CounterRow, ...]

    @property
    def title(self) -> str:
        return f"{self.side.label} · {self.place}" if self.side else self.place


def ids_of(found: Iterable[Group]) -> list[str]:
    """Return the ids of the counters in groups, in order."""
    return [row.id for group in found for row in group.rows]


def group_counters(view: Campaign) -> list[Group]:
    """Return all counters that a view shows, in groups: Marine, Japanese, terrain, out of play;
    within a group by kind, units first, then by hex and id."""
    found = group_by(view.counters(), partial(_key, view))
    return [_group(view, key, found[key]) for key in sorted(found, key=partial(_order, view))]


def make_group(view: Campaign, place: str, counters: Iterable[Counter]) -> Group:
    """Make one group of some counters, in the order given."""
    found = list(counters)
    return Group(None, place, tally_text(found), tuple(counter_row(view, each) for each in found))


def _key(view: Campaign, counter: Counter) -> tuple[Side | None, str]:
    if not counter.in_play:
        return None, GONE
    if isinstance(counter, Terrain):
        return None, TERRAIN
    side = counter.side
    return side, place_heading(view, counter)


def _order(view: Campaign, key: tuple[Side | None, str]) -> tuple[int, bool, tuple[int, str]]:
    """Return the sorting key of a place: a side's own Areas come first, then other places, then the
    enemy's."""
    side, place = key
    first = [Side.MARINE, Side.JAPANESE, None].index(side) + (place == GONE)
    area = view.areas.get(place)
    return first, bool(area and side and area.side is not side), place_sort_key(place)


def _group(view: Campaign, key: tuple[Side | None, str], counters: list[Counter]) -> Group:
    side, place = key
    ordered = sorted(
        counters, key=lambda each: (hex_order_key(each.location), natural_sort_key(each.id))
    )
    rows = [
        replace(row, spot=spot)
        for spot, row in enumerate(order_under_owners(ordered, partial(counter_row, view)))
    ]
    rows.sort(key=lambda row: row.rank)
    area = view.areas.get(place)
    size = count_text(len(area.hexes), "hex") if area and area.side is side else ""
    named = place if side is None or place in OTHERS else area_name(place)
    return Group(side, named, ", ".join(filter(None, (size, tally_text(counters)))), tuple(rows))


def order_under_owners(
    ordered: Sequence[Counter], row: Callable[[Counter], CounterRow]
) -> Iterator[CounterRow]:
    """Yield the rows in order, except that each Weapon is right below its possessor or vehicle in
    the list."""
    here = {counter.id for counter in ordered}
    owned = group_by((counter for counter in ordered if _owner(counter) in here), _owner)
    for counter in ordered:
        if _owner(counter) not in here:
            yield row(counter)
            yield from (
                replace(below, name=f"└ {below.name}", rank=kind_rank(counter))
                for below in map(row, owned.get(counter.id, ()))
            )


def _owner(counter: Counter) -> str | None:
    return counter.possessor or counter.vehicle if isinstance(counter, Weapon) else None


def counter_row(view: Campaign, counter: Counter) -> CounterRow:
    """Return the row about a counter."""
    name, place = counter.label, view.place_text(counter) or "–"
    side = counter.side
    state = notable_state_text(counter)
    if not counter.in_play:
        state = ", ".join(filter(None, (counter.fate.value, state)))
    if isinstance(counter, Terrain):
        state = ", ".join(filter(None, (counter.material, counter.fire)))
    kind = getattr(counter, "kind", getattr(counter, "type", ""))
    words = (counter.id, name, place, state, side or "", str(kind).replace("_", " "))
    found_by = " ".join(words).lower()
    return CounterRow(counter.id, side, name, place, state, found_by, kind_rank(counter))


def kind_rank(counter: Counter) -> int:
    """Return the place of a counter's kind in KINDS."""
    return next(at for at, kind in enumerate(KINDS) if isinstance(counter, kind))


def tally_text(counters: Iterable[Counter]) -> str:
    """Return a count of counters in words: "12 squads, 3 HS, 2 leaders, 5 SW"."""
    return PlaceTally("", counts=Count(map(strength_category, counters))).words


ORDERS = ("kind", "place", "name", "state")  # the possible orders of a group's rows


def sort_rows_in_groups(found: Iterable[Group], order: str) -> list[Group]:
    """Sort the rows of each group by place, name or state. The groups stay in order of kind."""
    if order == "kind":
        return list(found)
    return [
        replace(group, rows=tuple(sorted(group.rows, key=lambda row: _in_order(row, order))))
        for group in found
    ]


def _in_order(row: CounterRow, order: str) -> tuple[int, str, str]:
    if order == "place":
        return row.spot, "", ""
    text = row.name.removeprefix("└ ") if order == "name" else row.state
    return not text, text.lower(), row.name


def filter_rows_by_text(found: Iterable[Group], text: str) -> list[Group]:
    """Return the groups with only the rows that contain every word of the given text; empty groups
    are omitted."""
    if not text.strip():
        return list(found)
    return filter_rows(
        found, lambda group, row: contains_words(f"{row.found_by} {group.title}", text)
    )


def filter_rows(found: Iterable[Group], keeps: Callable[[Group, CounterRow], bool]) -> list[Group]:
    """Return the groups with only the rows that `keeps` accepts; empty groups are omitted."""
    rows_of = ((group, tuple(row for row in group.rows if keeps(group, row))) for group in found)
    return [replace(group, rows=rows) for group, rows in rows_of if rows]
