"""Turning a piece to another side by setting its layers, and hiding it."""

from collections.abc import Callable, Container, Iterator
from itertools import product
from typing import Any

from brt_cg.model import Campaign, Piece, Side, Unit
from brt_cg.vasl.layers import (
    added_word,
    layer_level,
    layers_of,
    names_of,
    own_name_if_levels_unnamed,
    pictures_of,
)
from brt_cg.vasl.names import Names
from brt_cg.vasl.pieces import Trait, VaslPiece
from brt_cg.vasl.rows import FINER, is_armament_name
from brt_cg.vasl.situation import SavedCounter

OPEN = ("", "null")
OPENED = {"hide": "null", "conceal": "null;"}
NOBODY_ELSE = "|0"  # the players who may look too
MOST_TRIES = 4_000


def flip_piece(piece: VaslPiece, fits: Callable[[], bool], every: bool = False) -> bool:
    """Change as few named layers as possible until the piece `fits`. With `every`, try all levels
    of a layer of words, not only the last one. If the piece has no side that fits, leave it
    unchanged and return False."""
    layers = [layer for layer in layers_of(piece) if any(text.strip() for text in names_of(layer))]
    before = [layer.state for layer in layers]
    levels = [layer_level(layer) for layer in layers]
    options = [_options(layer, every) for layer in layers]
    for count, chosen in enumerate(
        sorted(product(*options), key=lambda some: _changes(some, levels))
    ):
        for layer, level in zip(layers, chosen, strict=True):
            layer.state = with_level(layer, level)
        if fits():
            _even(piece, layers, levels, chosen)
            return True
        if count > MOST_TRIES:
            break
    for layer, state in zip(layers, before, strict=True):
        layer.state = state
    return False


def _options(layer: Trait, every: bool) -> list[int]:
    """Return the levels that a layer may be set to: its word's levels, on and off, or all of
    them."""
    now = layer_level(layer)
    remembered = abs(now) or 1
    if _only_words(layer) and not every:
        return list(dict.fromkeys((remembered, -remembered, _without(layer, ()))))
    return [-remembered, *range(1, len(names_of(layer)) + 1)]


def _without(layer: Trait, words: Container[str]) -> int:
    """Return a level at which a layer adds none of these words: preferably a level with its own
    picture, such as a unit's unbroken side, else one with another word (BU for CE), else off."""
    pairs = list(zip(pictures_of(layer), map(added_word, names_of(layer)), strict=False))
    shown = (at for at, (picture, word) in enumerate(pairs, 1) if picture.strip() and not word)
    other = (at for at, (_, word) in enumerate(pairs, 1) if word and words and word not in words)
    return next(shown, next(other, -abs(layer_level(layer)) or -1))


def _changes(chosen: tuple[int, ...], levels: list[int]) -> tuple[int, int]:
    """Return the number of layers that a change affects, and the number of those whose level it
    changes."""
    pairs = list(zip(chosen, levels, strict=True))
    return sum(a != b for a, b in pairs), sum(abs(a) != abs(b) for a, b in pairs)


def _even(piece: VaslPiece, layers: list[Trait], before: list[int], after: tuple[int, ...]) -> None:
    """Set the other layers with the same levels to the current level of a layer, because a squad's
    broken side differs from that of its HS."""
    for layer, was, now in zip(layers, before, after, strict=True):
        if abs(was) == abs(now):
            continue
        for other in layers_of(piece):
            level = layer_level(other)
            if other is not layer and abs(level) == abs(was) and _levels(other) == _levels(layer):
                other.state = with_level(other, abs(now) if level > 0 else -abs(now))


def _levels(layer: Trait) -> int:
    return len(names_of(layer))


def set_words(piece: VaslPiece, words: dict[str, bool]) -> None:
    """Set each layer that adds some of these words to the name to a word that applies, or to
    none."""
    for layer in layers_of(piece):
        each, now = [added_word(text) for text in names_of(layer)], layer_level(layer)
        if not _only_words(layer) or not words.keys() & {*each}:
            continue
        on = [at for at, word in enumerate(each, 1) if words.get(word)]
        false = 0 < now <= len(each) and words.get(each[now - 1]) is False
        if (on and now not in on) or (false and not on):
            level = abs(now) if abs(now) in on else next(iter(on), _without(layer, words))
            layer.state = with_level(layer, level)


def set_levels(
    view: Campaign, counter: Piece, piece: VaslPiece, names: Names, said: set[str]
) -> None:
    """Set the layers whose levels have no names to the state of the counter and its armament,
    unless a marker on it shows that state."""
    mounted = [one for one in view.weapons.values() if one.vehicle == counter.id]
    for trait in layers_of(piece):
        own, level = own_name_if_levels_unnamed(trait), layer_level(trait)
        layer = names.layer_sense(own) if own else None
        if layer is None:
            continue
        called_so = own.rpartition(" ")[0]
        of = [counter]
        if layer.armament:
            of = [
                one
                for one in mounted
                if one.in_play and is_armament_name(called_so, one.main_armament, one.type)
            ]
        held = {FINER.get(status, status) for one in of[:1] for status in one.status} - said
        due = [number for number, status in enumerate(layer.levels, 2) if status in held]
        if of and layer.status(level) not in held and (due or level > 1):
            trait.state = with_level(trait, due[-1] if due else 1)


def words_and_whether_held(names: Names, held: frozenset[str]) -> dict[str, bool]:
    """Return the words for statuses and traits; each value says whether a counter has the status or
    trait."""
    known: dict[str, Any] = {**names.status_words, **names.trait_words}
    return {word: means in held for word, means in known.items()}


def set_hidden_or_concealed(piece: VaslPiece, kind: str, by: str | None) -> None:
    """Hide ("hide") or conceal ("conceal") a piece for a player, by the player's id; None reveals
    it."""
    shut = by if kind == "hide" else f"{by};{NOBODY_ELSE}"
    for trait in piece.traits:
        if trait.kind == kind and (trait.states()[0] in OPEN) != (by is None):
            trait.state = str(shut) if by else OPENED[kind]


def hiding_players(pieces: Iterator[VaslPiece] | list[VaslPiece]) -> list[str]:
    """Return the ids of the players who have hidden or concealed some of these pieces, beginning
    with the player of the most pieces."""
    found: dict[str, int] = {}
    for piece in pieces:
        for trait in piece.traits:
            if trait.kind in ("hide", "conceal") and (id := trait.states()[0]) not in OPEN:
                found[id] = found.get(id, 0) + 1
    return sorted(found, key=lambda id: (-found[id], id))


def _only_words(layer: Trait) -> bool:
    names = [text for text in names_of(layer) if text.strip()]
    return all(added_word(text) for text in names)


def with_level(layer: Trait, level: int) -> str:
    return ";".join([str(level), *layer.states()[1:]])


def same_unit(unit: Unit, found: SavedCounter) -> bool:
    """Whether a piece shows the same unit. The strength and the class of a Japanese MMC, and the
    identity of an SMC, are shown by its digits."""
    fields = found.fields
    if unit.kind != fields["kind"]:
        return False
    if unit.mmc and (unit.strength, unit.class_) != (fields["strength"], fields["class"]):
        return unit.side is Side.MARINE and unit.type == fields["type"]
    # VASL's hero and Pathfinder have no digits in their names, and no other side.
    return unit.type == fields["type"] or not (unit.mmc or unit.leader)
