"""Counters of the CG card that arrive on a later date: how they are kept, and how they enter; and
the Landing Schedule Record (T15.13): the Waves that land, each with its Formations, Entry Area and
turn, as the players wrote them, since the rules at hand do not list them."""

import json
import re
from collections.abc import Iterable

from brt_cg.board import OFF_MAP, locations
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
    schema_of,
)


def serialize_counters(counters: Iterable[Counter]) -> str:
    """Counters as an Arrival keeps them, by table."""
    found: dict[str, list[dict[str, object]]] = {}
    for counter in counters:
        found.setdefault(counter.TABLE, []).append(encode_record(counter))
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


def arrival_counters(arrival: Arrival) -> list[Counter]:
    """The counters of an arrival, as they were kept. Raises ValueError if they cannot be read."""
    kept: dict[str, list[dict[str, object]]] = json.loads(arrival.state)
    return [decode_record(BY_TABLE[table], row) for table, rows in kept.items() for row in rows]


def due_arrivals(campaign: Campaign, card: Card) -> list[Arrival]:
    """The arrivals that are due on the current date and have not entered, by id."""
    now = card.dates.index(campaign.situation.date)
    waiting = (campaign.arrivals[key] for key in sorted(campaign.arrivals))
    return [each for each in waiting if not each.entered and card.dates.index(each.date) <= now]


def due_arrivals_on(campaign: Campaign, card: Card, date: str, side: Side) -> list[Arrival]:
    """A side's arrivals that are due on a date and have not entered, by date and id."""
    last = card.dates.index(date)
    waiting = (campaign.arrivals[key] for key in sorted(campaign.arrivals))
    found = [each for each in waiting if each.side is side and not each.entered]
    return [each for each in found if card.dates.index(each.date) <= last]


def landing_on(campaign: Campaign, date: str, side: Side) -> list[Arrival]:
    """A side's arrivals of a date that have entered, off map, and land in its scenario, by id."""
    found = (campaign.arrivals[key] for key in sorted(campaign.arrivals))
    return [each for each in found if each.side is side and each.entered and each.date == date]


def enter_arrival(campaign: Campaign, arrival: Arrival) -> list[Counter]:
    """Add the counters of an arrival to the campaign, off map; an id that another counter has by
    then gets a number after it. Return them."""
    counters = arrival_counters(arrival)
    ids = {each.id: campaign.free_id(each.id) for each in counters}
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
    """An arrival in one phrase: "20 PM, wave 3: 3 x 6-6-8"."""
    wave = f", wave {arrival.wave}" if arrival.wave else ""
    return f"{arrival.date}{wave}: {arrival.lines}"


# --- the Landing Schedule Record ------------------------------------------------------------------

_WAVE = re.compile(
    r"\s*([^,(]+?)\s*(?:,?\s*turn\s+(\d{1,2}))?\s*(?:\(([^)]*)\))?\s*", re.IGNORECASE
)
_TURN = re.compile(r"turn\s+(\d{1,2})", re.IGNORECASE)


@immutable
class Wave:
    """A Wave: its number or name; its Formations ("2/8"), Entry Area ("Red Two") and turn, each
    None if not given."""

    name: str
    formations: str | None = None
    entry_area: str | None = None
    turn: int | None = None

    @property
    def words(self) -> str:
        """The Wave in words: "Wave 2 (2/8, Red Two, turn 3)"."""
        turn = f"turn {self.turn}" if self.turn is not None else None
        more = ", ".join(filter(None, (self.formations, self.entry_area, turn)))
        return f"Wave {self.name} ({more})" if more else f"Wave {self.name}"


def parse_wave(text: str) -> Wave:
    """The Wave in a text such as "2 (2/8, Red Two)" or "3, turn 4 (3/8, Red Three)"."""
    found = _WAVE.fullmatch(text)
    if found is None:
        return Wave(text.strip())
    turn = int(found[2]) if found[2] else None
    formations: list[str] = []
    entry: str | None = None
    for part in filter(None, (each.strip() for each in (found[3] or "").split(","))):
        if (of_turn := _TURN.fullmatch(part)) is not None:
            turn = int(of_turn[1])
        elif (area := _entry_area(part)) is not None:
            entry = area if entry is None else f"{entry}, {area}"
        else:
            formations.append(part)
    return Wave(found[1], ", ".join(formations) or None, entry, turn)


def _entry_area(text: str) -> str | None:
    """The Entry Area that a text names: a beach, or a hex or range of hexes; None for others."""
    words = text.casefold().removesuffix(" beach")
    if words in {beach.replace("_", " ") for beach in locations.beach_sections()}:
        return words.title()
    is_hexes = re.fullmatch(r"[a-z]\d{1,2}(\s*[-–]\s*[a-z]\d{1,2})?", words)
    is_named = "pier" in words or words.startswith("entry")
    return text if is_hexes or is_named else None


def landing_schedule(arrivals: Iterable[Arrival], card: Card) -> list[tuple[Arrival, Wave]]:
    """The arrivals that have a Wave, by CG Date, turn and Wave; those that have landed too."""
    found = [(each, parse_wave(each.wave)) for each in arrivals if each.wave]

    def order(one: tuple[Arrival, Wave]) -> tuple[int, int, int, str]:
        arrival, wave = one
        number = int(wave.name) if wave.name.isdigit() else 0
        return card.date_index(arrival.date), wave.turn or 0, number, wave.name

    return sorted(found, key=order)
