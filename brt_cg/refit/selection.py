"""Selections of counters: those that a step handles one by one, or that may do something
together."""

from collections.abc import Iterable, Iterator
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.model import Campaign, Counter, RetainedUnitsCache, SetupAreas, Unit


def pieces_with_any_of_statuses(campaign: Campaign, *status: str) -> Iterator[Any]:
    """Yield the units, weapons and vehicles with any of these statuses, in or out of play."""
    for table in (campaign.units, campaign.weapons, campaign.vehicles):
        for carried, pieces in table.index_by("status").items():
            if any(state in carried for state in status):
                yield from pieces.values()


def counters_by_map_location(
    campaign: Campaign, *kinds: type[Any]
) -> Iterator[tuple[str, Iterable[Any]]]:
    """Yield each Location on map with its counters of these kinds, in or out of play, kind after
    kind."""
    for kind in kinds:
        for location, there in campaign.tables[kind.TABLE].index_by("location").items():
            if there and location is not None and location != OFF_MAP:
                yield location, there.values()


def units_at(campaign: Campaign, location: str | None) -> list[Unit]:
    """Return the units in play in exactly that Location, in order."""
    return [piece for piece in campaign.pieces_at(location) if isinstance(piece, Unit)]


def friendly_units_retained_with(campaign: Campaign, counter: Counter) -> list[Unit]:
    """Return the units of a counter's side Retained in the same area, or where it is Isolated, in
    order and without prisoners; off map is not an area."""
    home, side = campaign.retained_place(counter), counter.side
    if home is None or home == OFF_MAP:
        return []
    known = campaign.units.derived_value(RetainedUnitsCache).cache_for_areas(
        campaign.areas.derived_value(SetupAreas)
    )
    if (home, side) not in known:
        known[home, side] = campaign.sort_counters_in_play(
            unit
            for unit in _perhaps_at_home(campaign, home)
            if unit.side is side and not unit.prisoner and campaign.retained_place(unit) == home
        )
    return list(known[home, side])


def _perhaps_at_home(campaign: Campaign, home: str) -> Iterable[Unit]:
    """Return all units that may have this `home`: those Retained in it, and those on map in it."""
    found = dict(campaign.units.index_by("setup_area").get(home, {}))
    found |= campaign.units.index_by("recorded_location").get(home, {})
    area = campaign.areas.get(home)
    for place, units in campaign.units.index_by("location").items():
        if units and (place == home or (area is not None and campaign.area_at(place) is area)):
            found |= units
    return found.values()
