"""The Landing Schedule Record (T15.13): the Waves that land, each with its Formations, Entry Area
and turn, as the players wrote them; the rules at hand do not list them."""

import re
from collections.abc import Iterable

from brt_cg.board import locations
from brt_cg.card.games import Card
from brt_cg.immutable import immutable
from brt_cg.model import Arrival

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
