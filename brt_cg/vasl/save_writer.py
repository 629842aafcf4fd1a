"""The next setup as a VASL save: the imported save, with its pieces moved and flipped.

Only pieces that differ are changed. The marker of a status that has ended is removed. Counters
without a piece in the save are made from the palette of the player's own module, or listed if there
is no module.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from brt_cg.board import ground_hex, is_area_only_location, locations
from brt_cg.card import load_card
from brt_cg.model import Campaign, Counter, Fortification, Piece, Side, Unit, Vehicle, spoken_word
from brt_cg.questions import RefusedError
from brt_cg.text import count_text
from brt_cg.vasl import geometry
from brt_cg.vasl.flips import (
    flip_piece,
    hiding_players,
    same_unit,
    set_hidden_or_concealed,
    set_levels,
    set_words,
    words_and_whether_held,
)
from brt_cg.vasl.identity import known_pieces, unused_made_id
from brt_cg.vasl.layers import is_drawn, layered_name
from brt_cg.vasl.layout import LayoutMover, is_recorded_only_on_paper
from brt_cg.vasl.module import VaslModule, remember_module
from brt_cg.vasl.names import Names, load_names
from brt_cg.vasl.palette import Palette
from brt_cg.vasl.pieces import VaslPiece, VaslPlace, VaslSave, check_save_is_usable
from brt_cg.vasl.rows import FINER, SELDOM_SHOWN, is_armament_name
from brt_cg.vasl.savefile import SaveError, SaveFile, module_version
from brt_cg.vasl.situation import (
    CASUALTIES,
    HEXSIDE,
    WHOLE_STACK,
    SavedCounter,
    counter_of_piece,
    read_situation,
)
from brt_cg.views.view import View

FIRES = ("blaze", "flame")  # the meanings of fire markers
NOWHERE = VaslPlace("", 0, 0)  # the place of a piece until it is laid
NO_SAVE = (
    "Before the first scenario: in VASL start a new game on the empty board BRT, "
    "save it, and use that save; if you give your own VASL module, the program adds all counters"
)
A_LOG = "it is a log, which continues after its setup; in VASL, step to its end and save the game"


@dataclass(slots=True)
class WrittenSave:
    """A save with the next setup. `exposed` are the counters that should be hidden or concealed in
    it and could not be, `left_out` other facts that it cannot show, `made` the pieces made from the
    palette."""

    file: SaveFile
    exposed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)


def make_next_setup_save(
    book: View, save: SaveFile, module: VaslModule | None = None
) -> WrittenSave:
    """Return the save with each matched counter at its current place and, with a `module`, the
    missing counters. For one side (None: both), only its own counters are changed. Raises
    RefusedError for a log, or a save of another game."""
    try:
        saved = VaslSave(save.text)
        check_save_is_usable(save, saved)
    except SaveError as error:
        raise RefusedError(f"the save cannot be changed: {error}") from None
    if saved.is_log:
        raise RefusedError(f"the save cannot be changed: {A_LOG}")
    writing = _Writing(book, saved, module)
    writing.update_pieces()
    _inform(saved, book.campaign)
    file = replace(save, text=saved.text())
    left_out = [*_of_another_version(save, module), *writing.missing(), *writing.unshown(file)]
    left_out += _stale(saved, writing.names, book.campaign)
    if module is not None:
        remember_module(module)
    return WrittenSave(file, [*writing.exposed], left_out, [*writing.made.values()])


NOTED = "Blood Reef: Tarawa, "  # before the date, in the notes of VASL's scenario information
AXIS = {Side.JAPANESE: "Axis", Side.MARINE: "Allied"}
MOST_HEXES = 12  # the most hexes that a line names


def _inform(saved: VaslSave, view: Campaign) -> None:
    """Set VASL's scenario information: who moves first, turn 1, each side's ELR and the SAN that
    its enemy knows, and the date in the notes, unless the players have written notes."""
    fields = saved.scenario_info()
    if not fields:
        return
    fields += [" ? "] * (11 - len(fields))
    first = view.situation.first_move
    if first is not None:
        fields[1:4] = [AXIS[first], AXIS[first], "1"]
    for at, side in ((4, view.sides[Side.JAPANESE]), (6, view.sides[Side.MARINE])):
        fields[at : at + 2] = [str(side.elr), str(side.announced_san)]
    if not fields[10].strip(" ?") or fields[10].startswith(NOTED):
        fields[10] = f"{NOTED}{view.situation.date}"
    saved.set_scenario_info(fields)


def _stale(saved: VaslSave, names: Names, view: Campaign) -> Iterator[str]:
    """Report the hexes in which the save's Marine Perimeter counters differ from the campaign."""
    on_map: set[str] = set()
    for id, (place, _) in saved.places_and_pieces_above().items():
        says = names.piece_sense(layered_name(saved.pieces[id])).says
        at = saved.to_whole_board(place)
        hex = geometry.hex_at(at.x, at.y) if at.map == geometry.MAIN_MAP else None
        if hex is not None and says in ("perimeter", "marine_control"):
            on_map.add(hex[0])
    held = {hex for piece in view.situation.perimeters for hex in piece}
    differ = sorted(on_map ^ held, key=locations.hex_sort_key) if on_map else []
    if differ:
        more = f" and {len(differ) - MOST_HEXES} more" if len(differ) > MOST_HEXES else ""
        where = ", ".join(differ[:MOST_HEXES])
        yield (
            f"the Perimeter and Control counters of the save differ from the Marine "
            f"Perimeters in {count_text(len(differ), 'hex')}: {where}{more}"
        )


def _of_another_version(save: SaveFile, module: VaslModule | None) -> Iterator[str]:
    """Report a module whose version is not the one that made the save."""
    version = module_version(save)
    if module is not None and version and module.version != version:
        yield (
            f"the module is VASL {module.version}, but the save is from {version}; open it "
            f"in that version"
        )


class _Writing:
    """One save being written: `pieces` are the counters' pieces, by the counters' ids."""

    def __init__(
        self,
        book: View,
        saved: VaslSave,
        module: VaslModule | None,
    ) -> None:
        view = book.campaign
        self.view, self.saved, self.side = view, saved, book.side
        self.identity = book.campaign_identity
        self.names, self.ladders = load_names(), load_card(view.situation.cg).ladders
        self.counters: dict[str, Counter] = {}
        self.pieces: dict[str, str] = {}
        known = known_pieces(book, saved.pieces).counters.items()
        places = saved.places_and_pieces_above()
        known_here = [(piece, id) for piece, id in known if piece in places]
        # Of several pieces of a counter the one that does not lie among the dead counts.
        for piece, id in sorted(known_here, key=lambda one: places[one[0]][0].map != CASUALTIES):
            counter = view.find(id)
            is_rubble = "Rubbled" in layered_name(saved.pieces[piece]).words
            if counter is not None and not is_rubble and self._is_own(counter):
                self.counters[id], self.pieces[id] = counter, piece
        self.exposed: list[str] = []
        self.palette = Palette(module, self.names, self.ladders) if module is not None else None
        self.owner = {whose: self._owner(whose) for whose in Side}
        self.made: dict[str, str] = {}  # pieces made, in words
        self.bare: set[str] = set()  # counters not made, because nothing would hide them

    def _is_own(self, counter: Counter) -> bool:
        return self.side in (None, counter.side)

    def update_pieces(self) -> None:
        """Move, flip and hide every piece that does not show its counter's current state."""
        if self.palette is not None:
            self._make_counters(self.palette)
        laying = LayoutMover(self.view, self.saved, self.names, self.counters, self.pieces)
        for counter in sorted(self.counters.values(), key=lambda one: one.id):
            if counter.in_play:
                self._flip(counter, laying)
                self._cover(counter, laying)
        laying.carry_out_layout()
        self._put_out(laying)
        if self.palette is not None:
            self._make_markers(self.palette)

    def _put_out(self, laying: LayoutMover) -> None:
        """Remove the Blaze from a wreck that has burnt out (15.6101)."""
        burning, burnt_out = set(), set()
        for counter in self.view.counters():
            if counter.in_play and counter.location is not None and not counter.off_map:
                is_on_fire = getattr(counter, "fire", None) is not None
                if is_on_fire or (isinstance(counter, Piece) and counter.has_status("burning")):
                    burning.add(ground_hex(counter.location))
                elif isinstance(counter, Piece) and counter.has_status("burnt_out"):
                    burnt_out.add(ground_hex(counter.location))
        for id, sense in laying.senses.items():
            at = laying.places.get(id, NOWHERE)
            hex = geometry.hex_at(at.x, at.y) if at.map == geometry.MAIN_MAP else None
            if sense.says in FIRES and hex is not None and hex[0] in burnt_out - burning:
                self.saved.remove(id)

    def _owner(self, side: Side) -> str | None:
        """Return the id of a side's player: the one who has hidden or concealed most of its
        pieces."""
        found = (
            piece
            for piece in self.saved.pieces.values()
            if self.names.side(layered_name(piece).folders) is side
        )
        return next(iter(hiding_players(found)), None)

    # --- the facts shown by a piece ---------------------------------------------------------------

    def _flip(self, counter: Counter, laying: LayoutMover) -> None:
        if not isinstance(counter, Piece):
            return
        piece = self.saved.pieces[self.pieces[counter.id]]
        before = piece.state()
        held = frozenset({*counter.status, *getattr(counter, "traits", ())})
        set_words(piece, words_and_whether_held(self.names, held))
        said = [status for id in laying.over[piece.id] if (status := laying.senses[id].status)]
        set_levels(self.view, counter, piece, self.names, {status.status for status in said})
        if isinstance(counter, Unit) and not self._is_shown(counter, piece):
            unit = counter  # its present state, for the function below
            flip_piece(piece, lambda: self._is_shown(unit, piece))
        if piece.state() != before:
            self.saved.write_back(piece)

    def _is_shown(self, unit: Unit, piece: VaslPiece) -> bool:
        """Whether a piece is drawn, shows the unit's type, and shows no status that the unit does
        not have."""
        found = counter_of_piece(piece, self.names, self.ladders)
        if found is None or found.table != unit.TABLE or not is_drawn(piece):
            return False
        own = {*found.fields["status"]} <= {*unit.status, "hidden", "concealed"}
        return own and same_unit(unit, found)

    def _cover(self, counter: Counter, laying: LayoutMover) -> None:
        """Hide and conceal a piece as its counter is, and change nothing else."""
        if not isinstance(counter, Piece | Fortification):
            return
        piece = self.saved.pieces[self.pieces[counter.id]]
        before, name = piece.state(), layered_name(piece)
        by = self.owner[counter.side] if counter.side else None
        moving = laying.leaves_its_hex(counter)
        hides = self.view.side_hiding(counter) is not None
        if isinstance(counter, Unit) and counter.has_status("cloaked") and not moving:
            hides = bool(name.hidden)  # players record cloaked units in their own ways
        conceals = self._conceals(counter, laying)
        if hides or conceals is None:
            # The campaign does not track concealment of other counters than Personnel: they stay as
            # they were until they move.
            conceals = bool(name.concealed) and not moving
        for kind, now, wanted in (
            ("hide", name.hidden, hides),
            ("conceal", name.concealed, conceals),
        ):
            if wanted and not now and (by is None or now is None):
                player = counter.side.label if counter.side else "such"
                hide = (
                    f"it has no {player} player; in VASL, hide one of that side's counters and save"
                )
                word = "hidden" if kind == "hide" else "concealed"
                why = f"its piece cannot be {word}" if by else hide
                self.exposed.append(f"{counter.name_with_id}: not {word} in the save: {why}")
            elif bool(now) != wanted:
                set_hidden_or_concealed(piece, kind, by if wanted else None)
        if piece.state() != before:
            self.saved.write_back(piece)

    def _conceals(self, counter: Counter, laying: LayoutMover) -> bool | None:
        """Whether a counter is concealed; None if the campaign does not know. A weapon follows its
        possessor when the possessor's state changes, or when the weapon moves."""
        if isinstance(counter, Unit):
            return counter.has_status("concealed")
        holder = self.view.units.get(getattr(counter, "possessor", None) or "")
        if holder is None or holder.id not in self.pieces:
            return None
        as_before = bool(laying.called[self.pieces[holder.id]].concealed) == holder.has_status(
            "concealed"
        )
        return (
            None
            if as_before and not laying.leaves_its_hex(counter)
            else holder.has_status("concealed")
        )

    # --- new pieces -------------------------------------------------------------------------------

    def _make_counters(self, palette: Palette) -> None:
        """Make the counters that the save lacks, and replace pieces that cannot be turned to their
        counter's current form."""
        for counter in self._lacking():
            made = palette.piece_for_counter(counter)
            if made is not None and self._can_be_covered(counter, made):
                id = self.saved.add(made, NOWHERE, self._new_id(counter.id))
                self._note(counter, id, made)
        for counter in [*self.counters.values()]:
            old = self.saved.pieces[self.pieces[counter.id]]
            if not self._is_another(counter, old):
                continue
            made = palette.piece_for_counter(counter)
            if made is not None and self._can_be_covered(counter, made):
                id = self.saved.replace(old.id, made, self._new_id(counter.id))
                self._note(counter, id, made)

    def _new_id(self, subject: str) -> str:
        return unused_made_id(self.identity, subject, self.saved.pieces)

    def _note(self, counter: Counter, id: str, made: VaslPiece) -> None:
        self.counters[counter.id], self.pieces[counter.id] = counter, id
        self.made[id] = f"{counter.name_with_id}: new piece: {layered_name(made).full_name()}"

    def _lacking(self) -> list[Counter]:
        """Return the counters for which the save has no piece, except those that never have one."""
        return [
            counter
            for counter in self.view.sort_counters_in_play(self.view.counters())
            if isinstance(counter, Piece | Fortification)
            and counter.in_play
            and self._is_own(counter)
            and counter.id not in self.counters
            and self.names.needs_a_piece(
                counter.TABLE, getattr(counter, "kind", None), counter.type
            )
            and not is_recorded_only_on_paper(self.view, counter)
        ]

    def _is_another(self, counter: Counter, piece: VaslPiece) -> bool:
        """Whether a counter has become one that no side of its piece shows."""
        if not counter.in_play:
            return False
        if isinstance(counter, Vehicle):
            found = counter_of_piece(piece, self.names, self.ladders)
            return counter.has_status("wreck") and found is not None and not found.fields["status"]
        if not isinstance(counter, Unit) or self._is_shown(counter, piece):
            return False
        before, unit = piece.state(), counter
        can = flip_piece(piece, lambda: self._is_shown(unit, piece))
        piece.set_state(before)
        return not can

    def _can_be_covered(self, counter: Counter, made: VaslPiece) -> bool:
        """Whether a new piece can be hidden and concealed as its counter is; otherwise the piece is
        not made, because the enemy would see it."""
        name = layered_name(made)
        holder = self.view.units.get(getattr(counter, "possessor", None) or "")
        of = holder if holder is not None else counter
        hides = (
            isinstance(counter, Piece | Fortification)
            and self.view.side_hiding(counter) is not None
        )
        conceals = isinstance(of, Unit) and of.has_status("concealed")
        by = self.owner[counter.side] if counter.side else None
        able = (not hides or name.hidden is not None) and (
            not conceals or name.concealed is not None
        )
        if (hides or conceals) and (by is None or not able):
            self.bare.add(counter.id)
            return False
        return True

    def _make_markers(self, palette: Palette) -> None:
        """Make the markers for statuses that no piece shows, and lay them on their counters."""
        shown = {
            one.piece: one for one in read_situation(self.saved, self.names, self.ladders).found
        }
        for id, piece in sorted(self.pieces.items()):
            counter = self.counters[id]
            if piece not in shown or not isinstance(counter, Piece) or not counter.in_play:
                continue
            for status in self._unshown_statuses(counter, shown[piece]):
                if self._may_be_marked(counter, piece, status):
                    self._lay_marker(palette.marker_piece(status, counter), counter, piece)
            for name, status in self._unshown_armament(counter, shown[piece]):
                self._lay_marker(palette.armament_marker_piece(name, status), counter, piece)

    def _may_be_marked(self, counter: Piece, piece: str, status: str) -> bool:
        """Whether a marker may lie on a piece: a marker for a whole stack only if it applies to all
        pieces under it that are not already under such a marker."""
        if status not in WHOLE_STACK:
            return True
        stack = self.saved.stack_of(piece)
        if stack is None:
            return True
        at = stack.pieces.index(piece)
        ids = {piece: id for id, piece in self.pieces.items()}
        below = [self.counters.get(ids.get(one, "")) for one in stack.pieces[: at + 1]]
        able = [one for one in below if isinstance(one, Unit | Vehicle)]
        own = [one for one in able if one.side is counter.side]
        above = [
            self.names.piece_sense(layered_name(self.saved.pieces[one]))
            for one in stack.pieces[at:]
        ]
        marked = any(sense.status and sense.status.status == status for sense in above)
        return not marked and all(status in one.status for one in own)

    def _lay_marker(self, made: VaslPiece | None, counter: Piece, piece: str) -> None:
        """Lay a marker directly on a counter; on a hidden counter the marker is hidden too."""
        if made is None:
            return
        if self.view.side_hiding(counter) is not None:
            by = self.owner[counter.side]
            if by is None or layered_name(made).hidden is None:
                return
            set_hidden_or_concealed(made, "hide", by)
        subject = f"{counter.id} {layered_name(made).full_name()}"
        id = self.saved.add(made, NOWHERE, self._new_id(subject))
        self.saved.put_on_piece(id, piece)
        self.made[id] = f"{counter.name_with_id}: new piece on it: {layered_name(made).full_name()}"

    # --- missing counters -------------------------------------------------------------------------

    def missing(self) -> Iterator[str]:
        """Yield the counters for which the save has no piece, with their Locations, and their
        places in VASL's palette."""
        for counter in self.view.sort_counters_in_play(self.view.fortifications.values()):
            bought = counter.type == HEXSIDE and counter.purchase is not None and counter.in_play
            if bought and self._is_own(counter) and counter.id not in self.pieces:
                where = _where(counter)
                yield (
                    f"{counter.name_with_id} {where}: the save has no piece for it; place one there"
                )
        for counter in self._lacking():
            words = f"{counter.name_with_id} {_where(counter)}: the save has no piece for it"
            if counter.id in self.bare:
                yield f"{words}, and a new one would not be hidden"
            elif self.palette is not None:
                yield f"{words}, and the module has no such counter"
            else:
                side = getattr(counter, "nation", counter.side)
                held = f": in VASL's Counters, {self.names.palette[side]}" if side else ""
                yield f"{words}{held}"

    def _unshown_statuses(self, counter: Piece, found: SavedCounter) -> list[str]:
        known = (
            self.names.statuses_words_may_show(frozenset(self.names.status_words)) - SELDOM_SHOWN
        )
        status = {FINER.get(status, status) for status in counter.status}
        return sorted((status & known) - {*found.fields["status"], "hidden", "concealed"})

    def _unshown_armament(self, counter: Piece, found: SavedCounter) -> Iterator[tuple[str, str]]:
        """Yield the state of a vehicle's armament that its piece does not show."""
        for weapon in self.view.sort_counters_in_play(self.view.weapons.values()):
            if weapon.vehicle != counter.id or not weapon.in_play:
                continue
            name = "MA" if weapon.main_armament else weapon.type.split()[-1]
            said = (
                status
                for own, status in found.armament.items()
                if is_armament_name(own, weapon.main_armament, weapon.type)
            )
            shown = {*said}
            for status in {"malfunctioned", "disabled"} & {*weapon.status} - shown:
                yield name, status

    def unshown(self, file: SaveFile) -> Iterator[str]:
        """Yield the facts about counters that the save does not show when it is read back."""
        found = read_situation(VaslSave(file.text), self.names, self.ladders).found
        shown = {one.piece: one for one in found}
        for id, piece in sorted(self.pieces.items()):
            counter, one = self.counters[id], shown.get(piece)
            if one is None or not counter.in_play or not isinstance(counter, Piece):
                continue
            called = f"{counter.name_with_id} {_where(counter)}"
            if isinstance(counter, Unit) and not same_unit(counter, one):
                becomes = f"a {counter.type_text} {counter.kind.label}"
                yield f"{called}: its piece cannot become {becomes}; replace it"
            for word in self._unshown_statuses(counter, one):
                yield f"{called}: its piece cannot show {spoken_word(word)}; add that counter"
            for name, word in self._unshown_armament(counter, one):
                said = f"{name} {spoken_word(word)}"
                yield f"{called}: its piece cannot show {said}; add that counter"
            holder = self.pieces.get(getattr(counter, "possessor", None) or "")
            together = holder is not None and shown[holder].location == one.location
            if together and holder not in (one.lies_on, one.fields.get("possessor")):
                yield f"{called}: it is not on its possessor; put it there"


def _where(counter: Counter) -> str:
    """Return the place where a counter is to be laid, in words."""
    if counter.location is not None and not is_area_only_location(counter.location):
        return "off map" if counter.off_map else f"in {counter.location}"
    area = counter.location or counter.setup_area
    return f"in Setup Area {area}" if area else "waiting"
