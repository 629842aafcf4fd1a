"""The layout of the next setup, and moving as few pieces of a save as possible to match it.

The places at the next setup: a counter with a Location is in its hex, one not set up yet in the
margin beside its Setup Area, a dead one in its side's bin. A unit is on the map or beside it with
its possessions on top of it, a vehicle with its load; and with the markers about it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from brt_cg.board import ground_hex, is_area_only_location, locations
from brt_cg.model import Campaign, Counter, Fate, Fortification, Piece, Side, Unit, Vehicle, Weapon
from brt_cg.vasl import geometry
from brt_cg.vasl.geometry import MAIN_MAP
from brt_cg.vasl.layers import layered_name
from brt_cg.vasl.names import Names, PieceSense
from brt_cg.vasl.pieces import VaslPlace, VaslSave, VaslStack
from brt_cg.vasl.rows import is_armament_name, status_agrees
from brt_cg.vasl.situation import CASUALTIES, QUESTION, WHOLE_STACK, tables_status_can_lie_on

ROOM = 90  # pixels between two stacks in the margin
PER_ROW = 3  # stacks beside each other in the margin
DEEP = 12  # pieces in a stack there
# The Casualties window has a part for each side: VASL counts the side's losses there.
ALLIED_WIDTH = 260
BINS = {
    Side.MARINE: VaslPlace(CASUALTIES, 100, 190),
    Side.JAPANESE: VaslPlace(CASUALTIES, 350, 190),
}


@dataclass(slots=True)
class Block:
    """A block of counters that lie together: a counter with the counters that it possesses and
    carries, lowest first."""

    counters: list[Counter]

    @property
    def lowest(self) -> Counter:
        return self.counters[0]


@dataclass(slots=True)
class Layout:
    """The blocks of the next setup, by hex and by place in the margin and the bins. `gone` are the
    counters whose pieces are removed: those that left the campaign without dying, and those hidden
    on paper."""

    hexes: dict[str, list[Block]] = field(default_factory=lambda: defaultdict(list))
    places: dict[VaslPlace, list[Block]] = field(default_factory=lambda: defaultdict(list))
    gone: list[Counter] = field(default_factory=list)


def build_layout(
    view: Campaign, counters: Mapping[str, Counter], size: Callable[[Block], int]
) -> Layout:
    """Return the layout of some counters, by id; `size` is the number of pieces of a block."""
    found = Layout()
    margin = _Margin(view, size)
    alive = sorted((one for one in counters.values() if one.in_play), key=view.asking_order_key)
    for block in _counter_blocks(view, alive):
        hex = _hex_of(block.lowest)
        if is_recorded_only_on_paper(view, block.lowest):
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


def is_same_casualty_bin(one: VaslPlace, other: VaslPlace) -> bool:
    """Whether two places are in one side's part of the Casualties window."""
    allied = [place.x <= ALLIED_WIDTH for place in (one, other)]
    return one.map == other.map == CASUALTIES and allied[0] == allied[1]


def _counter_blocks(view: Campaign, counters: Iterable[Counter]) -> Iterator[Block]:
    """Yield the blocks of counters in play, each in one hex or one group of those not set up
    yet."""
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
    """Return the possessor or carrier of a counter."""
    if isinstance(counter, Weapon):
        return counter.possessor
    return counter.aboard if isinstance(counter, Unit) else None


def _spot(counter: Counter) -> tuple[str, str]:
    """Return the hex of a counter, or its group in the margin."""
    hex = _hex_of(counter)
    return (hex, "") if hex else ("", counter.location or counter.setup_area or "")


def is_recorded_only_on_paper(view: Campaign, counter: Counter) -> bool:
    """Whether a counter is hidden in a hex that only its player knows: no save shows it."""
    hidden = isinstance(counter, Piece) and view.side_hiding(counter) is not None
    return hidden and is_area_only_location(counter.location)


def _hex_of(counter: Counter) -> str | None:
    location = counter.location
    if location is None or counter.off_map or is_area_only_location(location):
        return None
    return ground_hex(location)


class _Margin:
    """The margin of the map: a space beside each Setup Area, and one for counters off map."""

    def __init__(self, view: Campaign, size: Callable[[Block], int]) -> None:
        self.view, self.size = view, size
        self.stacks: dict[tuple[str, str], list[int]] = {}  # pieces in each stack, by group
        self.rows: list[str] = []

    def place(self, block: Block) -> VaslPlace:
        """Return the place of a block: the place of a stack of its group that has room for the
        block."""
        counter = block.lowest
        held = (
            self.view.area_at(counter.location) if is_area_only_location(counter.location) else None
        )
        area = held.id if held else counter.setup_area or f"off map {counter.side or ''}"
        group = (area, _sort(counter))
        depths = self.stacks.setdefault(group, [0])
        if depths[-1] and depths[-1] + self.size(block) > DEEP:
            depths.append(0)
        depths[-1] += self.size(block)
        number = len(depths) - 1
        row = self._row_of_group(f"{' '.join(group)} {number // PER_ROW}")
        return VaslPlace(MAIN_MAP, 50 + ROOM * (number % PER_ROW), self._top(area) + ROOM * row)

    def _row_of_group(self, group: str) -> int:
        if group not in self.rows:
            self.rows.append(group)
        return self.rows.index(group)

    def _top(self, area: str) -> int:
        """Return the height of the middle of a Setup Area; the top for everything else."""
        known = self.view.areas.get(area)
        if known is None:
            return 100
        numbers = sorted(locations.hex_sort_key(ground_hex(hex))[1] for hex in known.hexes)
        return geometry.MARGIN + round(geometry.HEX * numbers[len(numbers) // 2])


def _sort(counter: Counter) -> str:
    kinds = {Unit: "units", Vehicle: "vehicles", Fortification: "fortifications"}
    return kinds.get(type(counter), "weapons")


# --- laying ---------------------------------------------------------------------------------------


OF_ITS_COUNTER = "its_counter"  # the meanings of markers that stay with the counter under them


class LayoutMover:
    """The stacks of one save being changed. `counters` and `pieces` are by the ids of counters."""

    def __init__(
        self,
        view: Campaign,
        saved: VaslSave,
        names: Names,
        counters: Mapping[str, Counter],
        pieces: Mapping[str, str],
    ) -> None:
        self.view, self.saved, self.counters, self.pieces = view, saved, counters, pieces
        self.called = {id: layered_name(piece) for id, piece in saved.pieces.items()}
        self.senses: dict[str, PieceSense] = {
            id: names.piece_sense(it) for id, it in self.called.items()
        }
        self.by_piece = {piece: counters[id] for id, piece in pieces.items()}
        places = saved.places_and_pieces_above().items()
        self.places = {id: saved.to_whole_board(place) for id, (place, _) in places}
        self.layers = {id: stack.layer for stack in saved.stacks.values() for id in stack.pieces}
        for id in pieces.values():
            self.layers.setdefault(id, saved.usual_layer())  # for pieces that are made
        self.over = {id: list(self._over(id)) for id in pieces.values()}
        self.whole = {
            id: [piece for piece in stack.pieces[:number] if self.senses[piece].meaning]
            for stack in saved.stacks.values()
            for number, id in enumerate(stack.pieces)
            if (status := self.senses.get(id, PieceSense()).status) and status.status in WHOLE_STACK
        }
        self.layout = build_layout(view, counters, self._size)
        self.hexes = {
            block_counter.id: hex
            for hex, blocks in self.layout.hexes.items()
            for block in blocks
            for block_counter in block.counters
        }

    def _over(self, piece: str) -> Iterator[str]:
        """Yield the markers above a piece that apply only to it: those directly above it, or with a
        status that no piece between them can have."""
        stack = self.saved.stack_of(piece)
        ids = stack.pieces if stack else [piece]
        for number in range(ids.index(piece) + 1, len(ids)):
            sense = self.senses.get(ids[number], PieceSense())
            below = ids[ids.index(piece) + 1 : number]
            is_next = not any(self._table(one) for one in below)
            if sense.says == OF_ITS_COUNTER and is_next:
                yield ids[number]
            elif sense.status is not None and sense.status.status not in WHOLE_STACK:
                able = [
                    one
                    for one in ids[:number]
                    if self._table(one) in tables_status_can_lie_on(sense.status)
                ]
                if able[-1:] == [piece] or (is_next and not able):
                    yield ids[number]

    def _table(self, piece: str) -> str:
        """Return the name of a counter's list; "" for a marker."""
        meaning = self.senses.get(piece, PieceSense()).meaning
        return meaning.table if meaning is not None else ""

    def _size(self, block: Block) -> int:
        return len(block.counters) + sum(
            len(self.over[self.pieces[one.id]]) for one in block.counters
        )

    def leaves_its_hex(self, counter: Counter) -> bool:
        """Whether a counter's piece leaves its hex. A counter off map may be anywhere in the
        margin, and the place of a counter without a hex is VASL's to decide."""
        place = self.places[self.pieces[counter.id]]
        if any(counter is one for one in self.layout.gone):
            return True
        if counter.in_play and counter.off_map:
            return place.map != MAIN_MAP or _hex(place) != ""
        if counter.in_play and is_area_only_location(counter.location):
            return place.map != MAIN_MAP or _hex(place) == ""
        hex = self.hexes.get(counter.id)
        if hex is None or place.map != MAIN_MAP:
            return True
        on_hexside = isinstance(counter, Fortification) and "/" in str(counter.location)
        return _hex(place) not in (str(counter.location).split("/") if on_hexside else (hex,))

    # --- carried out ----------------------------------------------------------------------------

    def carry_out_layout(self) -> None:
        """Lay every piece where its counter is."""
        for piece in [piece for id, piece in self.pieces.items() if not self._stays(id)]:
            self._drop_ended(piece, along=self._goes_to_a_hex(piece))
        for place, blocks in self.layout.places.items():
            self._lay_at(place, blocks)
        for hex, blocks in self.layout.hexes.items():
            for block in blocks:
                self._lay_in(hex, block)
        for counter in self.layout.gone:
            self._take_away(self.pieces[counter.id])
        for id, piece in self.pieces.items():
            if self._stays(id):
                self._drop_ended(piece, along=True)
        self._settle_whole_stacks()

    def _stays(self, id: str) -> bool:
        return self.counters[id].in_play and not self.leaves_its_hex(self.counters[id])

    def _goes_to_a_hex(self, piece: str) -> bool:
        return self.by_piece[piece].id in self.hexes

    def _drop_ended(self, piece: str, along: bool) -> None:
        """Remove the markers over a piece whose status its counter no longer has; unless the piece
        moves to a hex (`along`), also those of the last scenario."""
        counter = self.by_piece[piece]
        held = set(counter.status) if isinstance(counter, Piece) and counter.in_play else set()
        for id in [*self.over[piece]]:
            status = self.senses[id].status
            if status is None:
                ended = not along
                if self._is_question(id):
                    ended = not self._conceals(id) if along else "concealed" not in held
            elif status.armament:
                ended = status.status not in self._of_armament(self.by_piece[piece], id)
            else:
                ended = status.field == "status" and not status_agrees(status.status, held)
            if ended:
                self.saved.remove(id)
                for others in self.over.values():
                    if id in others:
                        others.remove(id)

    def _of_armament(self, vehicle: Counter, marker: str) -> set[str]:
        """Return the statuses of a vehicle's weapons that a marker can show."""
        name = self.called[marker].full_name().rpartition(" ")[0]
        arms = (one for one in self.view.weapons.values() if one.vehicle == vehicle.id)
        meant = (
            one
            for one in arms
            if one.in_play and is_armament_name(name, one.main_armament, one.type)
        )
        return {status for one in meant for status in one.status}

    def _is_question(self, id: str) -> bool:
        return self.called[id].name == QUESTION

    def _conceals(self, question: str) -> bool:
        """Whether anything under a "?" is still concealed, down to the next one."""
        stack = self.saved.stack_of(question)
        for id in reversed(stack.pieces[: stack.pieces.index(question)] if stack else []):
            if self._is_question(id):
                return False
            counter = self.by_piece.get(id)
            if isinstance(counter, Unit) and counter.has_status("concealed"):
                return True
            if layered_name(self.saved.pieces[id]).concealed:
                return True
        return False

    def _settle_whole_stacks(self) -> None:
        """Move the markers on whole stacks: a marker follows a counter that it applies to, unless
        another such counter stays. Remove a marker that applies to none."""
        for marker, pieces in self.whole.items():
            there = self.saved.stack_of(marker)
            under = there.pieces[: there.pieces.index(marker)] if there else []
            if there is None or any(self._is_true_of(marker, id) for id in under):
                continue
            gone = (self.saved.stack_of(id) for id in pieces if self._is_true_of(marker, id))
            stack = next(filter(None, gone), None)
            if stack is None or any(id in self.whole for id in stack.pieces):
                self.saved.remove(marker)
            else:
                self.saved.remove_from_stack(marker)
                self.saved.put_on_stack([marker], stack)

    def _is_true_of(self, marker: str, piece: str) -> bool:
        """Whether a marker on a stack applies to a counter; true if that is not known."""
        meaning, status = self.senses[piece].meaning, self.senses[marker].status
        able = meaning is not None and meaning.table in ("units", "vehicles")
        return able and status is not None and _may_have(self.by_piece.get(piece), status.status)

    def _take_away(self, piece: str) -> None:
        for id in (*self.over[piece], piece):
            if id in self.saved.pieces:
                self.saved.remove(id)

    # --- in one place ---------------------------------------------------------------------------

    def _ids(self, counters: list[Counter]) -> list[str]:
        """Return the pieces of counters, each with its markers, lowest first."""
        pieces = [self.pieces[counter.id] for counter in counters]
        return [id for piece in pieces for id in (piece, *self.over[piece])]

    def _lay_at(self, place: VaslPlace, blocks: list[Block]) -> None:
        """Lay blocks in the margin or in a bin."""
        some = [block for block in blocks if not all(map(self._lies, block.counters))]
        ids = [id for block in some for id in self._ids(block.counters)]
        if place in BINS.values():
            ids = [id for id in ids if not is_same_casualty_bin(self.places[id], place)]
        there = next((one for one in self.saved.stacks.values() if one.place == place), None)
        if not ids or (there is not None and there.pieces == ids):
            return
        for id in ids:
            self.saved.remove_from_stack(id)
        there = next((one for one in self.saved.stacks.values() if one.place == place), None)
        if there is None:
            self.saved.new_stack(place, ids, self.layers.get(ids[0], ()))
        else:
            self.saved.put_on_stack(ids, there)

    def _lies(self, counter: Counter) -> bool:
        """Whether the piece of a counter that is off map is in the right place."""
        held = isinstance(counter, Weapon) and counter.possessor in self.pieces
        return self._stays(counter.id) and (not held or self._lies_well(counter))

    def _lay_in(self, hex: str, block: Block) -> None:
        """Lay a block in a hex: all of it if its lowest counter comes from elsewhere, else only the
        counters that are not in the right place."""
        lowest = self.pieces[block.lowest.id]
        if self.leaves_its_hex(block.lowest):
            ids = self._ids(block.counters)
            for id in ids:
                self.saved.remove_from_stack(id)
            stack = self._stack_in(hex)
            if stack is None:
                place = self.saved.to_part(VaslPlace(MAIN_MAP, *geometry.hex_center(hex)))
                self.saved.new_stack(place, ids, self.layers.get(lowest, ()))
            else:
                self.saved.put_on_stack(ids, stack, self._height(stack, block.lowest))
            return
        below = block.lowest
        for counter in block.counters[1:]:
            if self.leaves_its_hex(counter) or not self._lies_well(counter):
                self._lay_upon(below, counter)
            below = counter

    def _lay_upon(self, below: Counter, counter: Counter) -> None:
        """Lay a counter directly on another one and its markers."""
        ids = self._ids([counter])
        for id in ids:
            self.saved.remove_from_stack(id)
        piece = self.pieces[below.id]
        stack = self.saved.stack_of(piece)
        if stack is None:
            layer = self.layers.get(piece, ())
            stack = self.saved.new_stack(self.saved.pieces[piece].own_place(), [piece], layer)
        highest = max(
            stack.pieces.index(id) for id in (piece, *self.over[piece]) if id in stack.pieces
        )
        self.saved.put_on_stack(ids, stack, highest + 1)

    def _lies_well(self, counter: Counter) -> bool:
        """Whether the nearest unit below a weapon possesses it; a counter aboard a vehicle may be
        anywhere in its hex."""
        if not isinstance(counter, Weapon):
            return True
        piece = self.pieces[counter.id]
        stack = self.saved.stack_of(piece)
        for id in reversed(stack.pieces[: stack.pieces.index(piece)] if stack else []):
            meaning = self.senses[id].meaning
            below = self.by_piece.get(id)
            if meaning is None or meaning.table != "units":
                continue
            if not (isinstance(below, Unit) and below.prisoner):
                return below is not None and below.id == counter.possessor
        return False

    def _stack_in(self, hex: str) -> VaslStack | None:
        """Return the first stack of counters in a hex, if any."""
        for stack in self.saved.stacks.values():
            here = (
                stack.place.map == MAIN_MAP and _hex(self.saved.to_whole_board(stack.place)) == hex
            )
            if here and any(self.senses[id].meaning for id in stack.pieces if id in self.senses):
                return stack
        return None

    def _height(self, stack: VaslStack, lowest: Counter) -> int:
        """Return the index in a stack at which a block is laid: unpossessed counters at the bottom,
        Encircled units under that marker, all others on top."""
        if isinstance(lowest, Weapon | Fortification):
            return 0
        for number, id in enumerate(stack.pieces):
            status = self.senses[id].status
            if (
                status is not None
                and status.status in WHOLE_STACK
                and _may_have(lowest, status.status)
            ):
                return number
        return len(stack.pieces)


def _may_have(counter: Counter | None, status: str) -> bool:
    """Whether a counter may have a status; true if nothing is known about the counter."""
    return counter is None or (isinstance(counter, Piece) and status in counter.status)


def _hex(place: VaslPlace) -> str:
    at = geometry.hex_at(place.x, place.y)
    return at[0] if at else ""
