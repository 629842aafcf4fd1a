"""The name of a piece: that of its basic piece, as changed by its layers.

From the innermost layer outwards an active layer replaces the name ("X"), or puts a word before it
("X +") or after it ("+ X"). An inactive layer has a negative state, which remembers its level.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from brt_cg.immutable import immutable
from brt_cg.vasl.pieces import Trait, VaslPiece
from brt_cg.vasl.savefile import split_tokens

LAYER = "emb2"
PICTURES, NAMES, OWN_NAME = 16, 17, 19  # indexes of a layer's fields


@immutable
class LayeredName:
    """A piece's name without the words that layers add, and these words, as VASL puts them together
    (`before` and `behind` from left to right, with their spaces); `could` are the words of all its
    layers, on or off. `folders` of the pictures show the side. `hidden` and `concealed` say whether
    the piece is hidden or concealed (None: it never can be); `covered_by` is the id of the player
    who has hidden or concealed it. `marks` are the layers whose levels have no names: the layer's
    own name, its level (0: off), and whether the level draws anything."""

    name: str
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    could: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    hidden: bool | None = None
    concealed: bool | None = None
    covered_by: str | None = None
    marks: tuple[tuple[str, int, bool], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words before and after the name."""
        return tuple(word.strip() for word in (*self.before, *self.behind))

    def full_name(self, without: Callable[[str], bool] = lambda word: False) -> str:
        """Return the whole name as VASL shows it, without some of the words."""
        left, right = (
            [word for word in words if not without(word.strip())]
            for words in (self.before, self.behind)
        )
        return " ".join("".join((*left, self.name, *right)).split())


def layered_name(piece: VaslPiece) -> LayeredName:
    """Return the name of a piece."""
    basic = (*piece.basic.fields(), "", "", "", "")
    name, folders = basic[4].strip(), [_folder(basic[3])]
    before: list[str] = []
    behind: list[str] = []
    could: set[str] = set()
    marks: list[tuple[str, int, bool]] = []
    for trait in reversed(layers_of(piece)):
        pictures, names = _layers(trait.type)
        folders.extend(map(_folder, pictures))
        could.update(added_word(text) for text in names)
        level = layer_level(trait)
        if own := own_name_if_levels_unnamed(trait):
            marks.append((own, max(level, 0), bool(shown_picture(trait))))
        if 0 < level <= len(names):
            first, *rest = split_tokens(names[level - 1], "+")
            if not rest:
                name = first.strip() or name
            elif first.strip():
                before.insert(0, first)
            elif rest[0].strip():
                behind.append(rest[0])
    return LayeredName(
        name=name,
        before=tuple(before),
        behind=tuple(behind),
        could=frozenset(could - {""}),
        folders=tuple(dict.fromkeys(folder for folder in folders if folder)),
        hidden=_held_by(piece, "hide"),
        concealed=_held_by(piece, "conceal"),
        covered_by=next(_holders(piece, "hide", "conceal"), None),
        marks=tuple(marks),
    )


def layers_of(piece: VaslPiece) -> list[Trait]:
    """Return the layers of a piece, outermost first."""
    return [trait for trait in piece.traits if trait.kind == LAYER]


def added_word(text: str) -> str:
    """Return the word that a layer's name adds; "" if it replaces the name, or there is none."""
    first, *rest = split_tokens(text, "+")
    return (first.strip() or rest[0].strip()) if rest else ""


def layer_level(layer: Trait) -> int:
    """Return the active level of a layer, from 1; 0 or less if it is off."""
    try:
        return int(layer.states()[0])
    except ValueError:
        return 0


def own_name_if_levels_unnamed(layer: Trait) -> str:
    """Return the name of a layer whose levels have no names; "" for any other layer."""
    names = names_of(layer)
    fields = layer.fields() if names and not any(text.strip() for text in names) else []
    return fields[OWN_NAME].strip() if len(fields) > OWN_NAME else ""


def shown_picture(layer: Trait) -> str:
    """Return the picture that a layer shows now; "" if none."""
    pictures, level = _layers(layer.type)[0], layer_level(layer)
    return pictures[level - 1].strip() if 0 < level <= len(pictures) else ""


def is_drawn(piece: VaslPiece) -> bool:
    """Whether a piece has any picture: many basic pieces are blank, and a layer shows the
    picture."""
    basic = (*piece.basic.fields(), "", "", "", "")[3]
    return bool(basic.strip()) or any(map(shown_picture, layers_of(piece)))


def names_of(layer: Trait) -> tuple[str, ...]:
    """Return the names or words of a layer, level by level."""
    return _layers(layer.type)[1]


def pictures_of(layer: Trait) -> tuple[str, ...]:
    """Return the pictures of a layer, level by level."""
    return _layers(layer.type)[0]


@lru_cache(1024)  # all counters of a kind have the same layers
def _layers(type: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    fields = split_tokens(type, ";")
    if len(fields) <= NAMES:
        return (), ()
    return tuple(split_tokens(fields[PICTURES], ",")), tuple(split_tokens(fields[NAMES], ","))


def _folder(picture: str) -> str:
    folder, slash, _ = picture.strip().partition("/")
    return folder if slash else ""


def _held_by(piece: VaslPiece, kind: str) -> bool | None:
    """Whether a player has hidden or concealed the piece; None if the piece has no trait for
    that."""
    can = any(trait.kind == kind for trait in piece.traits)
    return any(_holders(piece, kind)) if can else None


def _holders(piece: VaslPiece, *kinds: str) -> Iterator[str]:
    """Yield the players, by their ids, who have hidden ("hide") or concealed ("conceal") the
    piece."""
    states = (trait.states()[0] for trait in piece.traits if trait.kind in kinds)
    return (state for state in states if state not in ("", "null"))
