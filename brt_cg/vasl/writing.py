"""The next setup as a VASL save: the save that was read, with its pieces moved and flipped.

Only what differs is changed. No piece is created: what the save cannot show is listed. A counter
that shows a status that ended is taken away.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Piece, Side, Unit, Weapon, WeaponKind
from brt_cg.model.fields import in_words
from brt_cg.questions.answers import Refused
from brt_cg.vasl.layers import (
    LAYER,
    called,
    is_drawn,
    layer_level,
    names_of,
    own_name,
    word_of,
)
from brt_cg.vasl.laying import Laying
from brt_cg.vasl.names import Names, load_names
from brt_cg.vasl.pieces import Trait, VaslPiece, VaslSave, check_origin
from brt_cg.vasl.rows import FINER, SELDOM_SHOWN, is_called
from brt_cg.vasl.savefile import SaveFile, Unusable
from brt_cg.vasl.situation import Found, found_in, situation
from brt_cg.views.book import Book

A_LOG = "it is a log, which goes on after its setup; in VASL, step to its end and save the game"


@dataclass(slots=True)
class Written:
    """A save with the next setup. `exposed` are the counters that should be hidden or concealed in
    it and could not be, `left_out` what it cannot show besides."""

    file: SaveFile
    exposed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def write(book: Book, save: SaveFile) -> Written:
    """The save with each counter that an import has matched at its present place; for one side
    (None: both) only its own, the others as the save has them. Raises Refused for a log, or a save
    of another game."""
    try:
        saved = VaslSave(save.text)
        check_origin(save, saved)
    except Unusable as error:
        raise Refused(f"the save cannot be written to: {error}") from None
    if saved.is_log:
        raise Refused(f"the save cannot be written to: {A_LOG}")
    writing = _Writing(book.campaign, saved, book.side, book.pieces)
    writing.carry_out()
    file = replace(save, text=saved.text())
    return Written(file, [*writing.exposed], [*writing.missing(), *writing.unshown(file)])


class _Writing:
    """One save being written: `pieces` are those of the counters, by their ids."""

    def __init__(
        self, view: Campaign, saved: VaslSave, side: Side | None, known: dict[str, str]
    ) -> None:
        self.view, self.saved, self.side = view, saved, side
        self.names, self.ladders = load_names(), load_card(view.situation.cg).ladders
        self.counters: dict[str, Counter] = {}
        self.pieces: dict[str, str] = {}
        for piece, id in known.items():
            counter = view.find(id)
            if counter is not None and piece in saved.pieces and self._is_own(counter):
                self.counters[id], self.pieces[id] = counter, piece
        self.exposed: list[str] = []

    def _is_own(self, counter: Counter) -> bool:
        return self.side in (None, counter.side)

    def carry_out(self) -> None:
        """Moves, flips and hides every piece whose counter is not as it shows."""
        owner = {side: self._owner(side) for side in Side}
        laying = Laying(self.view, self.saved, self.names, self.counters, self.pieces)
        for counter in sorted(self.counters.values(), key=lambda one: one.id):
            if counter.in_play:
                self._flip(counter, laying)
                self._cover(counter, owner, laying)
        laying.carry_out()

    def _owner(self, side: Side) -> str | None:
        """The player of a side, by his id: who has hidden or concealed most of its pieces."""
        found = (
            piece
            for piece in self.saved.pieces.values()
            if self.names.side(called(piece).folders) is side
        )
        return next(iter(owners(found)), None)

    # --- what a piece shows -----------------------------------------------------------------------

    def _flip(self, counter: Counter, laying: Laying) -> None:
        if not isinstance(counter, Piece):
            return
        piece = self.saved.pieces[self.pieces[counter.id]]
        before = piece.state()
        held = frozenset({*counter.status, *getattr(counter, "traits", ())})
        turn_words(piece, words_of(self.names, held))
        said = {
            sense.status.status
            for id in laying.over[piece.id]
            if (sense := laying.senses[id]).status
        }
        self._set_levels(counter, piece, said)
        if isinstance(counter, Unit) and not self._is_shown(counter, piece):
            unit = counter  # as it is here, for the function below
            flip(piece, lambda: self._is_shown(unit, piece))
        if piece.state() != before:
            self.saved.keep(piece)

    def _set_levels(self, counter: Piece, piece: VaslPiece, said: set[str]) -> None:
        """Sets the layers whose levels have no names as the counter and its armament are; not where
        a marker on it says so."""
        mounted = [one for one in self.view.weapons.values() if one.vehicle == counter.id]
        for trait in _layers(piece):
            own, level = own_name(trait), layer_level(trait)
            layer = self.names.layer(own) if own else None
            if layer is None:
                continue
            called_so = own.rpartition(" ")[0]
            of = [counter]
            if layer.armament:
                of = [
                    one
                    for one in mounted
                    if one.in_play and is_called(called_so, one.main_armament, one.type)
                ]
            held = {FINER.get(status, status) for one in of[:1] for status in one.status} - said
            due = [number for number, status in enumerate(layer.levels, 2) if status in held]
            if of and layer.status(level) not in held and (due or level > 1):
                trait.state = _with_level(trait, due[-1] if due else 1)

    def _is_shown(self, unit: Unit, piece: VaslPiece) -> bool:
        found = found_in(piece, self.names, self.ladders)
        alike = found is not None and found.table == unit.TABLE and _same_unit(unit, found)
        return alike and is_drawn(piece)

    def _cover(self, counter: Counter, owner: dict[Side, str | None], laying: Laying) -> None:
        """Hides and conceals a piece as its counter is, and nothing else."""
        if not isinstance(counter, Piece | Fortification):
            return
        piece = self.saved.pieces[self.pieces[counter.id]]
        before, name = piece.state(), called(piece)
        by = owner[counter.side] if counter.side else None
        moving = laying.moves(counter)
        hides = self.view.hidden_by(counter) is not None
        if isinstance(counter, Unit) and counter.has("cloaked") and not moving:
            hides = bool(name.hidden)  # players keep who is cloaked in ways of their own
        conceals = self._conceals(counter, laying)
        if hides or conceals is None:
            # Of others than Personnel the campaign does not know it: as it was, until it moves.
            conceals = bool(name.concealed) and not moving
        for kind, now, wanted in (
            ("hide", name.hidden, hides),
            ("conceal", name.concealed, conceals),
        ):
            if wanted and not now and (by is None or now is None):
                player = counter.side.label if counter.side else "such"
                hide = f"no {player} player is in it; in VASL, hide one of its counters and save"
                why = "its piece cannot be" if by else hide
                word = "hidden" if kind == "hide" else "concealed"
                self.exposed.append(f"{counter.label}: not {word} in the save: {why}")
            elif bool(now) != wanted:
                cover(piece, kind, by if wanted else None)
        if piece.state() != before:
            self.saved.keep(piece)

    def _conceals(self, counter: Counter, laying: Laying) -> bool | None:
        """Whether a counter is concealed; None if the campaign does not know. A weapon is as its
        possessor when that changes, or when it moves."""
        if isinstance(counter, Unit):
            return counter.has("concealed")
        holder = self.view.units.get(getattr(counter, "possessor", None) or "")
        if holder is None or holder.id not in self.pieces:
            return None
        as_before = bool(laying.called[self.pieces[holder.id]].concealed) == holder.has("concealed")
        return None if as_before and not laying.moves(counter) else holder.has("concealed")

    # --- what is not in it ------------------------------------------------------------------------

    def missing(self) -> Iterator[str]:
        """The counters for which the save has no piece; not those that never have one."""
        for counter in self.view.in_order(self.view.counters()):
            owned = isinstance(counter, Piece | Fortification) and self._is_own(counter)
            if owned and counter.id not in self.counters and _has_a_piece(counter, self.names):
                yield f"{counter.label}: the save has no piece for it"

    def unshown(self, file: SaveFile) -> Iterator[str]:
        """What the save does not show of its counters, as it is read again."""
        found = situation(VaslSave(file.text), self.names, self.ladders).found
        shown = {one.piece: one for one in found}
        known = self.names.given(frozenset(self.names.status_words)) - SELDOM_SHOWN
        for id, piece in sorted(self.pieces.items()):
            counter, one = self.counters[id], shown.get(piece)
            if one is None or not counter.in_play or not isinstance(counter, Piece):
                continue
            if isinstance(counter, Unit) and not _same_unit(counter, one):
                yield f"{id}: its piece cannot become a {counter.sort} {counter.kind.label}"
            status = {FINER.get(status, status) for status in counter.status}
            for word in sorted((status & known) - {*one.fields["status"], "hidden", "concealed"}):
                yield f"{id}: its piece cannot show {in_words(word)}: add that counter"
            holder = self.pieces.get(getattr(counter, "possessor", None) or "")
            together = holder is not None and shown[holder].location == one.location
            if together and one.fields.get("possessor") != holder:
                yield f"{id}: it does not lie on its possessor"


def _same_unit(unit: Unit, found: Found) -> bool:
    """Whether a piece shows what a unit is. The strength and the class of a Japanese MMC, and who
    he is of an SMC, are told by its digits."""
    fields = found.fields
    if unit.kind != fields["kind"]:
        return False
    if unit.mmc and (unit.strength, unit.class_) != (fields["strength"], fields["class"]):
        return unit.side is Side.MARINE and unit.type == fields["type"]
    # VASL's hero and Pathfinder have no digits in their names, and no other side.
    return unit.type == fields["type"] or not (unit.mmc or unit.leader)


def _has_a_piece(counter: Counter, names: Names) -> bool:
    """Whether VASL's players lay a counter for it."""
    if isinstance(counter, Weapon):
        return counter.kind is not WeaponKind.VEHICULAR
    return not isinstance(counter, Fortification) or names.shows(counter.TABLE, counter.type)


# --- flipping a piece -----------------------------------------------------------------------------


OPEN = ("", "null")
OPENED = {"hide": "null", "conceal": "null;"}
NOBODY_ELSE = "|0"  # the players who may look too
MOST_TRIES = 4_000


def flip(piece: VaslPiece, fits: Callable[[], bool]) -> bool:
    """Changes as few layers that give names as possible until the piece `fits`. False, with the
    piece as it was, if it has no such side."""
    layers = [layer for layer in _layers(piece) if any(text.strip() for text in names_of(layer))]
    before = [layer.state for layer in layers]
    levels = [layer_level(layer) for layer in layers]
    options = [_options(layer) for layer in layers]
    for count, chosen in enumerate(
        sorted(product(*options), key=lambda some: _changes(some, levels))
    ):
        for layer, level in zip(layers, chosen, strict=True):
            layer.state = _with_level(layer, level)
        if fits():
            _even(piece, layers, levels, chosen)
            return True
        if count > MOST_TRIES:
            break
    for layer, state in zip(layers, before, strict=True):
        layer.state = state
    return False


def _options(layer: Trait) -> list[int]:
    """The levels that a layer may be set to: those of its word on and off, or all."""
    now = layer_level(layer)
    remembered = abs(now) or 1
    if _only_words(layer):
        return [remembered, -remembered]
    return [-remembered, *range(1, len(names_of(layer)) + 1)]


def _changes(chosen: tuple[int, ...], levels: list[int]) -> tuple[int, int]:
    """The number of layers that are changed, and of those whose level is."""
    pairs = list(zip(chosen, levels, strict=True))
    return sum(a != b for a, b in pairs), sum(abs(a) != abs(b) for a, b in pairs)


def _even(piece: VaslPiece, layers: list[Trait], before: list[int], after: tuple[int, ...]) -> None:
    """Sets the other layers of the same levels to the level that a layer has now: the broken side
    of a squad is not that of its HS."""
    for layer, was, now in zip(layers, before, after, strict=True):
        if abs(was) == abs(now):
            continue
        for other in _layers(piece):
            level = layer_level(other)
            if other is not layer and abs(level) == abs(was) and _levels(other) == _levels(layer):
                other.state = _with_level(other, abs(now) if level > 0 else -abs(now))


def _levels(layer: Trait) -> int:
    return len(names_of(layer))


def turn_words(piece: VaslPiece, words: dict[str, bool]) -> None:
    """Turns on or off each layer that adds one of these words to the name."""
    for layer in _layers(piece):
        found = {word_of(text) for text in names_of(layer)} - {""}
        if len(found) == 1 and _only_words(layer) and (word := found.pop()) in words:
            level = abs(layer_level(layer)) or 1
            if (layer_level(layer) > 0) != words[word]:
                layer.state = _with_level(layer, level if words[word] else -level)


def words_of(names: Names, held: frozenset[str]) -> dict[str, bool]:
    """The words of statuses and traits, and whether a counter has each."""
    known: dict[str, Any] = {**names.status_words, **names.trait_words}
    return {word: means in held for word, means in known.items()}


def cover(piece: VaslPiece, kind: str, by: str | None) -> None:
    """Hides ("hide") or conceals ("conceal") a piece for a player, by his id; None: no longer."""
    shut = by if kind == "hide" else f"{by};{NOBODY_ELSE}"
    for trait in piece.traits:
        if trait.kind == kind and (trait.states()[0] in OPEN) != (by is None):
            trait.state = str(shut) if by else OPENED[kind]


def owners(pieces: Iterator[VaslPiece] | list[VaslPiece]) -> list[str]:
    """The ids of the players who have hidden or concealed some of these pieces, most first."""
    found: dict[str, int] = {}
    for piece in pieces:
        for trait in piece.traits:
            if trait.kind in ("hide", "conceal") and (id := trait.states()[0]) not in OPEN:
                found[id] = found.get(id, 0) + 1
    return sorted(found, key=lambda id: (-found[id], id))


def _layers(piece: VaslPiece) -> list[Trait]:
    return [trait for trait in piece.traits if trait.kind == LAYER]


def _only_words(layer: Trait) -> bool:
    names = [text for text in names_of(layer) if text.strip()]
    return all(word_of(text) for text in names)


def _with_level(layer: Trait, level: int) -> str:
    return ";".join([str(level), *layer.states()[1:]])
