"""Counters of the CG card that arrive on a later date, and the Landing Schedule Record (T15.13).

The record has the Waves that land, each with its turn, Formations and Entry Area, as the players
enter them: our copy of the rules does not list them.
"""

import json
from collections.abc import Iterable
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.card.games import Card
from brt_cg.immutable import immutable
from brt_cg.model import (
    BY_TABLE,
    Arrival,
    Campaign,
    Counter,
    Side,
    decode_record,
    encode_record,
    natural_sort_key,
    schema_of,
)


def serialize_counters(counters: Iterable[Counter]) -> str:
    """Return counters in the form that an Arrival stores, by table."""
    found: dict[str, list[dict[str, object]]] = {}
    for counter in counters:
        found.setdefault(counter.TABLE, []).append(encode_record(counter))
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


def read_arrival_counters(arrival: Arrival) -> list[Counter]:
    """Return the stored counters of an arrival. Raises ValueError if they cannot be read."""
    kept: dict[str, list[dict[str, object]]] = json.loads(arrival.state)
    return [decode_record(BY_TABLE[table], row) for table, rows in kept.items() for row in rows]


def due_arrivals(campaign: Campaign, card: Card) -> list[Arrival]:
    """Return the arrivals that are due on the current date and have not entered, by id."""
    now = card.dates.index(campaign.situation.date)
    waiting = (campaign.arrivals[key] for key in sorted(campaign.arrivals))
    return [each for each in waiting if not each.entered and card.dates.index(each.date) <= now]


def side_arrivals_due_by(campaign: Campaign, card: Card, date: str, side: Side) -> list[Arrival]:
    """Return a side's arrivals that are due on a date and have not entered, by date and id."""
    last = card.dates.index(date)
    waiting = (campaign.arrivals[key] for key in sorted(campaign.arrivals))
    found = [each for each in waiting if each.side is side and not each.entered]
    return [each for each in found if card.dates.index(each.date) <= last]


def arrivals_landing_on(campaign: Campaign, date: str, side: Side) -> list[Arrival]:
    """Return, by id, a side's arrivals on a date that have entered: their counters are off map, and
    land in that date's scenario."""
    found = (campaign.arrivals[key] for key in sorted(campaign.arrivals))
    return [each for each in found if each.side is side and each.entered and each.date == date]


def enter_arrival(campaign: Campaign, arrival: Arrival) -> list[Counter]:
    """Add the counters of an arrival to the campaign, off map; a number is added to an id that is
    already in use. Return the counters."""
    counters = read_arrival_counters(arrival)
    ids = {each.id: campaign.free_counter_id(each.id) for each in counters}
    for counter in counters:
        new = counter.replace(id=ids[counter.id], location=OFF_MAP)
        for name in schema_of(type(new)).links:
            link = getattr(new, name)
            if link in ids:
                setattr(new, name, ids[link])
        campaign.add(new)
    arrival.entered = True
    found = (campaign.find(id) for id in ids.values())
    return [each for each in found if each is not None]


def arrival_text(arrival: Arrival) -> str:
    """Return an arrival in one phrase: "20 PM, wave 3 (2/8, turn 2): 3 x 6-6-8"."""
    return f"{arrival_heading(arrival)}: {arrival.lines}"


def arrival_heading(arrival: Arrival) -> str:
    """Return the date of an arrival, with its Wave if it has one."""
    wave = wave_of(arrival)
    return arrival.date if wave is None else f"{arrival.date}, {wave.words}"


# --- the Landing Schedule Record ------------------------------------------------------------------


@immutable
class Wave:
    """A Wave: its number or name, its Formations ("2/8"), Entry Area ("Red Two") and turn, each
    None if not given; it has a name or a turn."""

    name: str | None = None
    formations: str | None = None
    entry_area: str | None = None
    turn: int | None = None

    @property
    def words(self) -> str:
        """The Wave in words, as a player may type it: "wave 2 (2/8, Red Two, turn 3)"."""
        turn = None if self.turn is None else f"turn {self.turn}"
        called = f"wave {self.name}" if self.name else turn or ""
        more = (self.formations, self.entry_area, turn if self.name else None)
        inside = ", ".join(filter(None, more))
        return f"{called} ({inside})" if inside else called


def wave_of(arrival: Arrival) -> Wave | None:
    """Return the Wave of an arrival, if it has one."""
    if arrival.wave is None and arrival.turn is None:
        return None
    return Wave(arrival.wave, arrival.formations, arrival.entry_area, arrival.turn)


def landing_schedule(arrivals: Iterable[Arrival], card: Card) -> list[Arrival]:
    """Return the arrivals that have a Wave, including those that have landed, by CG Date, turn and
    Wave."""

    def order(arrival: Arrival) -> tuple[int, int, tuple[Any, ...]]:
        wave = natural_sort_key(arrival.wave or "")
        return card.date_index(arrival.date), arrival.turn or 0, wave

    return sorted((each for each in arrivals if wave_of(each) is not None), key=order)
