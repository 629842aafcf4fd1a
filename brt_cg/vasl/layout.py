"""Where the pieces of the next setup lie: a counter with a Location in its hex, one that waits for
its setup in the margin beside its Setup Area, a dead one in its side's bin.

A unit lies on the map or beside it with what it possesses on top of it, a vehicle with what it
carries; and with the counters that say something about it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from brt_cg.board import locations
from brt_cg.board.locations import ground, is_within
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fate, Fortification, Piece, Side, Unit, Vehicle, Weapon
from brt_cg.vasl import geometry
from brt_cg.vasl.pieces import VaslPlace
from brt_cg.vasl.situation import CASUALTIES, MAIN_MAP

ROOM = 90  # pixels between two stacks in the margin
PER_ROW = 3  # stacks beside each other in the margin
DEEP = 12  # pieces in a stack there
# The window of Casualties has a part for each side: VASL counts there what it has lost.
ALLIED_WIDTH = 260
BINS = {
    Side.MARINE: VaslPlace(CASUALTIES, 100, 190),
    Side.JAPANESE: VaslPlace(CASUALTIES, 350, 190),
}


@dataclass(slots=True)
class Block:
    """Counters that lie together: one with what it possesses and carries, lowest first."""

    counters: list[Counter]

    @property
    def lowest(self) -> Counter:
        return self.counters[0]


@dataclass(slots=True)
class Layout:
    """The blocks of the next setup: by hex, and by place of the margin and of the bins; `gone` are
    the counters that left the campaign without dying, and those hidden on paper: their pieces are
    taken away."""

    hexes: dict[str, list[Block]] = field(default_factory=lambda: defaultdict(list))
    places: dict[VaslPlace, list[Block]] = field(default_factory=lambda: defaultdict(list))
    gone: list[Counter] = field(default_factory=list)


def layout(view: Campaign, counters: Mapping[str, Counter], size: Callable[[Block], int]) -> Layout:
    """The layout of some counters, by id; `size` is the number of pieces of a block."""
    found = Layout()
    margin = _Margin(view, size)
    alive = sorted((one for one in counters.values() if one.in_play), key=view.order)
    for block in _blocks(view, alive):
        hex = _hex_of(block.lowest)
        if is_on_paper(view, block.lowest):
            found.gone += block.counters
        elif hex is None:
            found.places[margin.place(block)].append(block)
        else:
            found.hexes[hex].append(block)
    for counter in sorted(counters.values(), key=lambda one: one.id):
        if counter.fate in (Fate.RECOMBINED, Fate.CREWED):
            found.gone.append(counter)
        elif not counter.in_play:
            made = getattr(counter, "nation", None) or counter.side or Side.JAPANESE
            found.places[BINS[made]].append(Block([counter]))
    return found


def same_bin(one: VaslPlace, other: VaslPlace) -> bool:
    """Whether two places are in one side's part of the window of Casualties."""
    allied = [place.x <= ALLIED_WIDTH for place in (one, other)]
    return one.map == other.map == CASUALTIES and allied[0] == allied[1]


def _blocks(view: Campaign, counters: Iterable[Counter]) -> Iterator[Block]:
    """The blocks of counters in play, each in one hex or one group of those that wait."""
    some = list(counters)
    known = {counter.id: counter for counter in some}
    below: dict[str, str] = {}
    for counter in some:
        holder = known.get(_holder(counter) or "")
        if holder is not None and _spot(counter) == _spot(holder):
            below[counter.id] = holder.id
    upon: dict[str, list[Counter]] = defaultdict(list)
    for counter in some:
        if counter.id in below:
            upon[below[counter.id]].append(counter)

    def stacked(counter: Counter) -> Iterator[Counter]:
        yield counter
        # Weapons lie directly on their possessor, before anything else.
        for one in sorted(upon[counter.id], key=lambda one: (not isinstance(one, Weapon), one.id)):
            yield from stacked(one)

    for counter in some:
        if counter.id not in below:
            yield Block(list(stacked(counter)))


def _holder(counter: Counter) -> str | None:
    """Who possesses or carries a counter."""
    if isinstance(counter, Weapon):
        return counter.possessor
    return counter.aboard if isinstance(counter, Unit) else None


def _spot(counter: Counter) -> tuple[str, str]:
    """The hex of a counter, or what it waits for."""
    hex = _hex_of(counter)
    return (hex, "") if hex else ("", counter.location or counter.setup_area or "")


def is_on_paper(view: Campaign, counter: Counter) -> bool:
    """Whether a counter is hidden in a hex that only its player knows: no save shows it."""
    hidden = isinstance(counter, Piece) and view.hidden_by(counter) is not None
    return hidden and is_within(counter.location)


def _hex_of(counter: Counter) -> str | None:
    location = counter.location
    if location is None or counter.off_map or is_within(location):
        return None
    return ground(location)


class _Margin:
    """The margin of the map: a corner beside each Setup Area, and one for what is off map."""

    def __init__(self, view: Campaign, size: Callable[[Block], int]) -> None:
        self.view, self.size = view, size
        self.stacks: dict[tuple[str, str], list[int]] = {}  # how deep each one is, by group
        self.rows: list[str] = []

    def place(self, block: Block) -> VaslPlace:
        """The place of a block, in a stack of its group that has room for it."""
        counter = block.lowest
        held = self.view.area_at(counter.location) if is_within(counter.location) else None
        area = held.id if held else counter.setup_area or f"off map {counter.side or ''}"
        group = (area, _sort(counter))
        depths = self.stacks.setdefault(group, [0])
        if depths[-1] and depths[-1] + self.size(block) > DEEP:
            depths.append(0)
        depths[-1] += self.size(block)
        number = len(depths) - 1
        row = self._row(f"{' '.join(group)} {number // PER_ROW}")
        return VaslPlace(MAIN_MAP, 50 + ROOM * (number % PER_ROW), self._top(area) + ROOM * row)

    def _row(self, group: str) -> int:
        if group not in self.rows:
            self.rows.append(group)
        return self.rows.index(group)

    def _top(self, area: str) -> int:
        """The height of the middle of a Setup Area; the top for everything else."""
        known = self.view.areas.get(area)
        if known is None:
            return 100
        numbers = sorted(locations.key(ground(hex))[1] for hex in known.hexes)
        return geometry.MARGIN + round(geometry.HEX * numbers[len(numbers) // 2])


def _sort(counter: Counter) -> str:
    kinds = {Unit: "units", Vehicle: "vehicles", Fortification: "fortifications"}
    return kinds.get(type(counter), "weapons")
