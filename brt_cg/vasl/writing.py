"""The next setup as a VASL save: the save that was read, with its pieces moved and flipped.

A counter with a Location is put there, one that waits for its setup into the margin beside its
Setup Area, a dead one into the Casualties window. No piece is created: counters without one are
listed.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from brt_cg.board import locations
from brt_cg.board.locations import ground
from brt_cg.card import load_card
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Kind, Piece, Side, Unit
from brt_cg.model.fields import in_words
from brt_cg.model.visibility import seen_by
from brt_cg.vasl import geometry
from brt_cg.vasl.layers import LAYER, called, layer_level, level_named, names_of
from brt_cg.vasl.names import REDUCED, Names, load_names
from brt_cg.vasl.pieces import Piece as SavedPiece
from brt_cg.vasl.pieces import Place, Saved, Trait
from brt_cg.vasl.reading import remembered
from brt_cg.vasl.rows import SELDOM_SHOWN
from brt_cg.vasl.savefile import SaveFile
from brt_cg.vasl.situation import CASUALTIES, MAIN_MAP

ROOM = 90  # pixels between two stacks in the margin
PER_ROW = 3  # stacks beside each other in the margin
DEEP = 12  # counters in a stack there
DEAD = Place(CASUALTIES, 100, 100)
ASIDE = Place(CASUALTIES, 100 + ROOM, 100)  # the counters of statuses that ended


@dataclass(slots=True)
class Written:
    """A save with the next setup, and the counters that could not be put into it."""

    file: SaveFile
    left_out: list[str] = field(default_factory=list)


def write(journal: Journal, side: Side | None, save: SaveFile) -> Written:
    """The save with each counter that an import has matched at its present place; for one side
    (None: both). Hidden counters of the other side stay as the save has them."""
    view = seen_by(journal.campaign, side)
    saved, names = Saved(save.text), load_names()
    counters = {
        piece: counter
        for piece, id in remembered(journal)
        if (counter := view.find(id)) is not None and piece in saved.pieces
    }
    written = Written(save, list(_without_a_piece(view, counters.values(), side)))
    margin, lying = _Margin(view), saved.where()
    stacks: dict[Place, list[str]] = {}
    moved: set[str] = set()  # pieces in a new place
    for piece, counter in sorted(counters.items(), key=lambda pair: view.order(pair[1])):
        if side is not None and counter.side not in (side, None):
            continue
        place = _place_of(view, counter, margin)
        above = [saved.pieces[id] for id in lying[piece][1] if id not in moved]
        laid = _laid_on(counter, above, names)
        moved.update([piece, *laid])
        stacks.setdefault(place, []).extend([piece, *laid])
        hidden = isinstance(counter, Piece) and view.hidden_by(counter) is not None
        written.left_out += _flip(saved.pieces[piece], counter, names, hidden, {*laid.values()})
    ended = _ended(saved, names, moved)
    stacks |= {ASIDE: ended} if ended else {}
    for place, pieces in stacks.items():
        saved.stack_up(place, pieces)
    written.file = replace(save, text=saved.text())
    return written


def _without_a_piece(
    view: Campaign, matched: Iterable[Counter], side: Side | None
) -> Iterator[str]:
    known = {counter.id for counter in matched}
    for counter in view.in_order(view.counters()):
        owned = isinstance(counter, Piece | Fortification) and side in (None, counter.side)
        if owned and counter.id not in known:
            yield f"{view.label(counter)}: the save has no piece for it"


# --- where it goes --------------------------------------------------------------------------------


def _place_of(view: Campaign, counter: Counter, margin: "_Margin") -> Place:
    if not counter.in_play:
        return DEAD
    if counter.location is not None and not counter.off_map:
        return Place(MAIN_MAP, *geometry.centre(ground(counter.location)))
    return margin.place(counter)


class _Margin:
    """The margin of the map: a corner beside each Setup Area, and one for what is off map."""

    def __init__(self, view: Campaign) -> None:
        self.view = view
        self.taken: dict[tuple[str, str], int] = {}
        self.rows: list[str] = []

    def place(self, counter: Counter) -> Place:
        """The next free place of a counter's group."""
        side = counter.side or ""
        area = counter.setup_area or f"off map {side}"
        group = (area, type(counter).__name__)
        number = self.taken.get(group, 0)
        self.taken[group] = number + 1
        row = self._row(" ".join(group))
        x = 50 + ROOM * (number // DEEP % PER_ROW)
        return Place(MAIN_MAP, x, self._top(area) + ROOM * row)

    def _row(self, group: str) -> int:
        if group not in self.rows:
            self.rows.append(group)
        return self.rows.index(group)

    def _top(self, area: str) -> int:
        """The height of the middle of a Setup Area; the top for everything else."""
        known = self.view.areas.get(area)
        if known is None:
            return 100
        numbers = sorted(locations.key(hex)[1] for hex in known.hexes)
        return geometry.MARGIN + round(geometry.HEX * numbers[len(numbers) // 2])


# --- what it shows --------------------------------------------------------------------------------


def _laid_on(counter: Counter, above: Iterable[SavedPiece], names: Names) -> dict[str, str]:
    """The pieces above a counter's that give it a status which it still has, and that status."""
    given = ((piece.id, names.sense(called(piece)).status) for piece in above)
    held = counter.status if isinstance(counter, Piece) and counter.in_play else ()
    return {id: found.status for id, found in given if found is not None and found.status in held}


def _ended(saved: Saved, names: Names, moved: Collection[str]) -> list[str]:
    """The pieces that gave a status which none of the counters under them, all moved, has now."""
    under: dict[str, set[str]] = {}
    for below, (_, above) in saved.where().items():
        if names.sense(called(saved.pieces[below])).meaning is not None:
            for id in above:
                under.setdefault(id, set()).add(below)
    return [
        id
        for id, counters in under.items()
        if id not in moved
        and counters.issubset(moved)
        and names.sense(called(saved.pieces[id])).status is not None
    ]


def _flip(
    piece: SavedPiece, counter: Counter, names: Names, hidden: bool, shown: Collection[str]
) -> Iterator[str]:
    """Sets the layers of a piece to the counter's present state, of which other pieces show some
    statuses. Yields what the save cannot show."""
    # VASL's hero and Pathfinder have no digits in their names, and no other side.
    if isinstance(counter, Unit) and counter.in_play and (counter.mmc or counter.leader):
        wanted = _name_of(counter, names)
        if called(piece).name != wanted and not _show(piece, wanted):
            yield f"{counter.id}: its piece cannot become a {wanted}"
    if isinstance(counter, Piece):
        words = {**names.status_words, **names.trait_words}
        held = {*counter.status, *getattr(counter, "traits", ())}
        unseen = {status.status for status in names.statuses if counter.in_play} & held
        meaning = names.sense(called(piece)).meaning
        unseen -= SELDOM_SHOWN.union(meaning.fields.get("status", ()) if meaning else ())
        for layer in _layers(piece):
            word = _only_word(layer)
            if word in words:
                _turn(layer, words[word] in held)
                unseen.discard(words[word])
        for status in sorted(unseen.difference(shown)):
            yield f"{counter.id}: its piece cannot show {in_words(status)}: add that counter"
        for trait in piece.traits:
            if trait.kind == "hide" and not hidden:
                trait.state = "null"


def _name_of(unit: Unit, names: Names) -> str:
    """VASL's name for a unit: "str 3-4-8 Esq", "7-0"; of a wounded Japanese leader his wounded
    value."""
    wounded = load_card("III").ladders.figures.leaders[Side.JAPANESE].wounded
    if unit.smc:
        hurt = wounded if unit.side is Side.JAPANESE and unit.has("wounded") else {}
        return hurt.get(unit.type, unit.type)
    traits = sorted({"engineer", "korean_laborer"} & {*unit.traits})
    for code, fields in names.codes.items():
        marine = code.startswith("M")
        kinds = (fields["kind"], Kind.VEHICLE_CREW if "vehicle_crew" in fields else None)
        if (
            unit.kind in kinds
            and fields["class"] == unit.class_
            and sorted(fields.get("traits", ())) == traits
            and marine == (unit.side is Side.MARINE)
        ):
            reduced = unit.strength == "reduced" and not unit.crew
            return f"{REDUCED if reduced else ''}{unit.type} {code}"
    return unit.type


def _layers(piece: SavedPiece) -> list[Trait]:
    return [trait for trait in piece.traits if trait.kind == LAYER]


def _show(piece: SavedPiece, name: str) -> bool:
    """Activates the layer that gives a name, and deactivates outer ones that give another."""
    for number, layer in enumerate(_layers(piece)):
        level = level_named(layer, name)
        if level is None:
            continue
        layer.state = _with_level(layer, level)
        for outer in _layers(piece)[:number]:
            if _only_word(outer) is None and _names_things(outer):
                _turn(outer, False)
        return True
    basic = piece.basic.fields()
    if len(basic) > 4 and basic[4].strip() == name:
        for layer in _layers(piece):
            if _names_things(layer):
                _turn(layer, False)
        return True
    return False


def _turn(layer: Trait, on: bool) -> None:
    level = abs(layer_level(layer)) or 1
    layer.state = _with_level(layer, level if on else -level)


def _with_level(layer: Trait, level: int) -> str:
    return ";".join([str(level), *layer.states()[1:]])


def _only_word(layer: Trait) -> str | None:
    """The single word that a layer adds to the name at every level, if it is one."""
    names = [name.strip() for name in names_of(layer)]
    words = {name.strip("+ ") for name in names}
    plus = all(name.startswith("+") or name.endswith("+") for name in names)
    return words.pop() if plus and len(words) == 1 else None


def _names_things(layer: Trait) -> bool:
    """Whether a layer replaces the name."""
    return any(name.strip() and "+" not in name.replace("\\+", "") for name in names_of(layer))
