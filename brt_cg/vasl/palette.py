"""Counters made from a module's palette, from the slot that shows the counter or that can be
flipped to it."""

from functools import cached_property

from brt_cg.card import Ladders
from brt_cg.immutable import immutable
from brt_cg.model import Counter, Fortification, Piece, Side, Unit, UnitKind, Vehicle, Weapon
from brt_cg.vasl.flips import flip_piece, same_unit
from brt_cg.vasl.layers import added_word, is_drawn, layered_name, layers_of, names_of
from brt_cg.vasl.module import Slot, VaslModule
from brt_cg.vasl.names import CounterMeaning, Names
from brt_cg.vasl.pieces import VaslPiece
from brt_cg.vasl.rows import OWN_KIND, plain_name
from brt_cg.vasl.situation import SavedCounter, counter_of_piece

MOST_TRIED = 40  # slots that are flipped for one counter
SMALL = (UnitKind.HALF_SQUAD, UnitKind.CREW, UnitKind.VEHICLE_CREW)


@immutable
class _Offer:
    """A slot with a known meaning: a counter with the `types` and `kinds` that it can show, or a
    `status`; `shown` is its name in the palette, `side` that of its pictures."""

    slot: Slot
    shown: str
    side: Side | None
    table: str = ""
    types: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    status: str | None = None


class Palette:
    """The counters of a module whose names are known."""

    def __init__(self, module: VaslModule, names: Names, ladders: Ladders) -> None:
        self.module, self.names, self.ladders = module, names, ladders
        self._made: dict[tuple[object, ...], tuple[Slot, str] | None] = {}

    @cached_property
    def usable_slots(self) -> list[_Offer]:
        """All slots with a known meaning, in their order. For the whole VASL module this takes some
        seconds."""
        known: dict[str, CounterMeaning | None] = {}
        offers = (self._offer(slot, known) for slot in self.module.slots)
        return [offer for offer in offers if offer is not None]

    def _offer(self, slot: Slot, known: dict[str, CounterMeaning | None]) -> _Offer | None:
        piece = self.module.piece(slot)
        if piece is None:
            return None
        name = layered_name(piece)
        shown, side = name.full_name(), self.names.side(name.folders)
        sense = self.names.piece_sense(name)
        if sense.status is not None:
            return _Offer(slot, shown, side, status=sense.status.status)
        if sense.meaning is None:
            return None
        names = (text for layer in layers_of(piece) for text in names_of(layer))
        texts = {text.strip() for text in names if not added_word(text)}
        for text in texts - known.keys():
            known[text] = self.names.meaning(text)
        meanings = [sense.meaning, *filter(None, map(known.get, texts))]
        types, kinds = (
            frozenset(str(one.fields.get(field, "")) for one in meanings)
            for field in ("type", "kind")
        )
        return _Offer(slot, shown, side, sense.meaning.table, types, kinds)

    def piece_for_counter(self, counter: Counter) -> VaslPiece | None:
        """Return a piece for a counter, flipped to the right side; None if the palette has none."""
        names = ("kind", "class_", "strength", "nation", "traits", "capacity", "ca_tem", "nca_tem")
        sort = tuple(getattr(counter, name, None) for name in names)
        wreck = isinstance(counter, Piece) and counter.has_status("wreck")
        key = (counter.TABLE, counter.side, counter.type, wreck, *sort)
        if key not in self._made:
            self._made[key] = self._slot_of(counter)
        found = self._made[key]
        if found is None:
            return None
        slot, state = found
        piece = self.module.piece(slot)
        if piece is not None:
            piece.set_state(state)
        return piece

    def _slot_of(self, counter: Counter) -> tuple[Slot, str] | None:
        """Return the slot for a counter, and the state in which the slot shows it."""
        likely = [offer for offer in self.usable_slots if _is_likely(offer, counter)]
        for turned in (False, True):
            for offer in likely[:MOST_TRIED] if turned else likely:
                piece = self.module.piece(offer.slot)
                if piece is not None and self._fits(counter, piece, turned):
                    return offer.slot, piece.state()
        return None

    def _fits(self, counter: Counter, piece: VaslPiece, turned: bool) -> bool:
        def fits() -> bool:
            found = counter_of_piece(piece, self.names, self.ladders)
            return found is not None and is_drawn(piece) and shows_counter(counter, found)

        return flip_piece(piece, fits, every=True) if turned else fits()

    def marker_piece(self, status: str, on: Counter) -> VaslPiece | None:
        """Return a counter that gives a status, to be laid on another one."""

        def unfit(offer: _Offer) -> tuple[bool, int]:
            small = isinstance(on, Unit) and on.kind in SMALL
            single = isinstance(on, Unit) and on.smc
            word = offer.shown.rpartition(" ")[2]
            wrong = {"SQ": small or single, "HS": not small, "Leader": not single}
            return wrong.get(word, False), len(offer.shown)

        some = [offer for offer in self.usable_slots if offer.status == status]
        return self._marker(sorted(some, key=unfit), status, armament=False)

    def armament_marker_piece(self, name: str, status: str) -> VaslPiece | None:
        """Return the marker that gives a status to a vehicle's weapon ("MA", "BMG")."""
        some = [offer for offer in self.usable_slots if offer.status is not None]
        of_it = [offer for offer in some if offer.shown.rpartition(" ")[0] == name]
        return self._marker(of_it, status, armament=True)

    def _marker(self, offers: list[_Offer], status: str, armament: bool) -> VaslPiece | None:
        """Return the first marker that certainly gives a status, flipped to that status if
        necessary."""
        for offer in offers:
            piece = self.module.piece(offer.slot)
            if piece is None:
                continue

            def says(piece: VaslPiece = piece) -> bool:
                sense = self.names.piece_sense(layered_name(piece)).status
                if sense is None or sense.guess or not is_drawn(piece):
                    return False
                return (sense.status, sense.armament) == (status, armament)

            if says() or flip_piece(piece, says, every=True):
                return piece
        return None


def _is_likely(offer: _Offer, counter: Counter) -> bool:
    """Whether a slot may be flipped to show a counter, judging by its list, its side, and its names
    for types and kinds."""
    made = getattr(counter, "nation", counter.side)
    if offer.table != counter.TABLE:
        return False
    if isinstance(counter, Fortification):
        return any(type and counter.type.startswith(type.rstrip("123s")) for type in offer.types)
    if offer.side not in (made, None):
        return False
    if isinstance(counter, Unit) and counter.mmc:
        return counter.kind in offer.kinds
    return any(plain_name(type) == plain_name(counter.type) for type in offer.types)


def shows_counter(counter: Counter, found: SavedCounter) -> bool:
    """Whether a piece shows exactly one of the campaign's counters."""
    fields = found.fields
    made = fields.get("side")
    if found.table != counter.TABLE:
        return False
    if isinstance(counter, Unit):
        traits = {*fields.get("traits", ())} & OWN_KIND == {*counter.traits} & OWN_KIND
        bare = not fields["status"]  # its layers are turned on later
        return made is counter.side and traits and bare and same_unit(counter, found)
    if isinstance(counter, Fortification):
        if fields["type"] != "pillbox":
            return bool(fields["type"] == counter.type)
        return counter.type.startswith("pillbox") and _sizes(counter) == _found_sizes(fields)
    if isinstance(counter, Weapon):
        alike = fields.get("kind") == counter.kind and made in (counter.nation, None)
        return alike and plain_name(fields["type"]) == plain_name(counter.type)
    if isinstance(counter, Vehicle):
        wreck = ("wreck" in fields.get("status", ())) == counter.has_status("wreck")
        return (
            wreck
            and made is counter.nation
            and plain_name(fields["type"]) == plain_name(counter.type)
        )
    return False


def _sizes(fort: Fortification) -> tuple[int | None, ...]:
    printed = [int(part) for part in fort.type.split("_") if part.isdecimal()]
    capacity = fort.capacity if fort.capacity is not None else next(iter(printed), None)
    tem = printed[1:3] if len(printed) > 2 else (fort.ca_tem, fort.nca_tem)
    return (capacity, *tem)


def _found_sizes(fields: dict[str, object]) -> tuple[object, ...]:
    return tuple(fields.get(name) for name in ("capacity", "ca_tem", "nca_tem"))
