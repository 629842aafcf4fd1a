"""The next setup as a VASL save: the save that was read, with its pieces moved and flipped.

Only what differs is changed. No piece is created: what the save cannot show is listed. A counter
that shows a status that ended is taken away.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Piece, Side, Unit, Weapon, WeaponKind
from brt_cg.model.fields import in_words
from brt_cg.questions.answers import Refused
from brt_cg.vasl.flipping import cover, flip, owners, turn_words, words_of
from brt_cg.vasl.layers import called
from brt_cg.vasl.laying import Laying
from brt_cg.vasl.names import Names, load_names
from brt_cg.vasl.origin import check_origin
from brt_cg.vasl.pieces import VaslPiece, VaslSave
from brt_cg.vasl.rows import FINER, SELDOM_SHOWN
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
                self._flip(counter)
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

    def _flip(self, counter: Counter) -> None:
        if not isinstance(counter, Piece):
            return
        piece = self.saved.pieces[self.pieces[counter.id]]
        before = piece.state()
        held = frozenset({*counter.status, *getattr(counter, "traits", ())})
        turn_words(piece, words_of(self.names, held))
        if isinstance(counter, Unit) and not self._is_shown(counter, piece):
            unit = counter  # as it is here, for the function below
            flip(piece, lambda: self._is_shown(unit, piece))
        if piece.state() != before:
            self.saved.keep(piece)

    def _is_shown(self, unit: Unit, piece: VaslPiece) -> bool:
        found = found_in(piece, self.names, self.ladders)
        return found is not None and found.table == unit.TABLE and _same_unit(unit, found)

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
