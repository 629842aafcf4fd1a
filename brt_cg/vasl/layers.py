"""The name of a piece: that of its basic piece, as changed by its layers.

From the innermost layer outwards an active layer replaces the name ("X"), or puts a word before it
("X +") or behind it ("+ X"). An inactive layer has a negative state, which remembers its level.
"""

from dataclasses import dataclass
from functools import lru_cache

from brt_cg.vasl.pieces import Piece, Trait
from brt_cg.vasl.sequences import tokens

LAYER = "emb2"
PICTURES, NAMES = 16, 17  # indexes of a layer's fields


@dataclass(frozen=True, slots=True)
class Called:
    """A piece's name without the words that layers add, and these words; `folders` of the pictures,
    which show the side; whether it is hidden, and whether it is concealed."""

    name: str
    words: tuple[str, ...]
    folders: tuple[str, ...]
    hidden: bool
    concealed: bool


def called(piece: Piece) -> Called:
    """The name of a piece."""
    basic = (*piece.basic.fields(), "", "", "", "")
    name, folders = basic[4].strip(), [_folder(basic[3])]
    words: list[str] = []
    for trait in reversed(piece.traits[:-1]):
        if trait.kind != LAYER:
            continue
        pictures, names = _layers(trait.type)
        folders.extend(map(_folder, pictures))
        level = layer_level(trait)
        if 0 < level <= len(names):
            before, *behind = tokens(names[level - 1], "+")
            if not behind:
                name = before.strip() or name
            words.extend(word for word in (before.strip(), *map(str.strip, behind)) if behind)
    return Called(
        name=name,
        words=tuple(word for word in words if word),
        folders=tuple(dict.fromkeys(folder for folder in folders if folder)),
        hidden=_held_by(piece, "hide"),
        concealed=_held_by(piece, "conceal"),
    )


def layer_level(layer: Trait) -> int:
    """The active level of a layer, from 1; 0 or less if it is off."""
    try:
        return int(layer.states()[0])
    except ValueError:
        return 0


def level_named(layer: Trait, name: str) -> int | None:
    """The level of a layer with that name or word, if any."""
    names = [text.replace("\\+", "+").strip() for text in names_of(layer)]
    words = [text.strip("+ ") if not text.startswith("\\") else text for text in names]
    for given in (names, words):
        if name in given:
            return given.index(name) + 1
    return None


def names_of(layer: Trait) -> tuple[str, ...]:
    """The names or words of a layer, level by level."""
    return _layers(layer.type)[1]


@lru_cache(1024)  # all counters of a kind have the same layers
def _layers(type: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    fields = tokens(type, ";")
    if len(fields) <= NAMES:
        return (), ()
    return tuple(tokens(fields[PICTURES], ",")), tuple(tokens(fields[NAMES], ","))


def _folder(picture: str) -> str:
    folder, slash, _ = picture.strip().partition("/")
    return folder if slash else ""


def _held_by(piece: Piece, kind: str) -> bool:
    """Whether a player has hidden or concealed the piece."""
    states = [trait.states()[0] for trait in piece.traits if trait.kind == kind]
    return any(state not in ("", "null") for state in states)
