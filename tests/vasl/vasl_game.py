"""A save on which somebody plays as VASL's keys would: pieces moved, flipped, lost and replaced."""

from collections.abc import Iterator

from brt_cg.vasl import geometry
from brt_cg.vasl.geometry import MAIN_MAP
from brt_cg.vasl.layers import added_word, layered_name, layers_of, names_of
from brt_cg.vasl.layout import OF_ITS_COUNTER
from brt_cg.vasl.names import load_names
from brt_cg.vasl.pieces import Trait, VaslPlace, VaslSave
from brt_cg.vasl.savefile import SaveFile, join_tokens
from brt_cg.vasl.situation import CASUALTIES
from tests.vasl.writer import Save, Wrote


class VaslGame:
    """The pieces of a save, by their ids; new ones get ids as VASSAL gives them."""

    def __init__(self, file: SaveFile, first_id: int = 1_795_000_000_000) -> None:
        self.about = file
        self.saved = VaslSave(file.text)
        self.next_id = first_id

    def file(self) -> SaveFile:
        return SaveFile(self.saved.text(), self.about.magic, self.about.key, self.about.others)

    def hex_of(self, piece: str) -> str:
        """The hex of a piece, "" if it lies on none."""
        stack = self.saved.stack_of(piece)
        place = stack.place if stack is not None else self.saved.pieces[piece].own_place()
        at = geometry.hex_at(place.x, place.y) if place.map == MAIN_MAP else None
        return at[0] if at is not None else ""

    def block(self, piece: str) -> list[str]:
        """A piece with what is on it: weapons, status counters and markers."""
        stack = self.saved.stack_of(piece)
        assert stack is not None, "every piece on the map is in a stack"
        at = stack.pieces.index(piece)
        rest = stack.pieces[at + 1 :]
        end = next((n for n, id in enumerate(rest) if self._stands_alone(id)), len(rest))
        return [piece, *rest[:end]]

    def _stands_alone(self, piece: str) -> bool:
        sense = load_names().piece_sense(layered_name(self.saved.pieces[piece]))
        if sense.meaning is None:
            return sense.status is None and sense.says != OF_ITS_COUNTER
        return sense.meaning.table != "weapons"

    def move(self, pieces: list[str], hex: str) -> None:
        """Moves pieces, the lowest first, on top of what lies in a hex."""
        for id in pieces:
            self.saved.remove_from_stack(id)
        place = VaslPlace(MAIN_MAP, *geometry.hex_center(hex))
        there = next((one for one in self.saved.stacks.values() if one.place == place), None)
        if there is not None:
            self.saved.put_on_stack(pieces, there)
        else:
            self.saved.new_stack(place, pieces, self.saved.usual_layer())

    def turn(self, piece: str, word: str, on: bool = True) -> None:
        """Turns the layer that shows a word."""
        for trait in self._layers(piece, word):
            level = next(n for n, text in enumerate(names_of(trait), 1) if added_word(text) == word)
            trait.state = join_tokens([str(level if on else -level), *trait.states()[1:]], ";")
        self.saved.write_back(self.saved.pieces[piece])

    def can_show(self, piece: str, word: str) -> bool:
        return any(self._layers(piece, word))

    def _layers(self, piece: str, word: str) -> Iterator[Trait]:
        for trait in layers_of(self.saved.pieces[piece]):
            if word in map(added_word, names_of(trait)):
                yield trait

    def is_hidden(self, piece: str) -> bool:
        return bool(layered_name(self.saved.pieces[piece]).hidden)

    def hide(self, piece: str, by: str | None) -> None:
        for trait in self.saved.pieces[piece].traits:
            if trait.kind == "hide":
                trait.state = by or "null"
        self.saved.write_back(self.saved.pieces[piece])

    def lose(self, piece: str) -> None:
        """Sends a piece to the Casualties window; the markers on it are taken away."""
        hex = self.hex_of(piece)
        for marker in self.block(piece)[1:]:
            if load_names().piece_sense(layered_name(self.saved.pieces[marker])).meaning is None:
                self.saved.remove(marker)
        self.saved.remove_from_stack(piece)
        self._into_the_bin(piece, hex)

    def replace(self, piece: str, name: str, picture: str) -> str:
        """A loss by one key: a clone of the piece goes to the window, a new one takes its place."""
        new = self.lay(Wrote(self.new_id(), name, picture), piece)
        self.lose(piece)
        return new

    def lay(self, wrote: Wrote, on: str) -> str:
        """Lays a new piece directly on another one."""
        made = VaslSave(Save().at("A1", wrote).text()).pieces[wrote.id]
        self.saved.add(made, VaslPlace(MAIN_MAP, 0, 0), wrote.id)
        self.saved.put_on_piece(wrote.id, on)
        return wrote.id

    def new_id(self) -> str:
        self.next_id += 1
        while str(self.next_id) in self.saved.pieces.keys() | self.saved.stacks.keys():
            self.next_id += 1
        return str(self.next_id)

    def _into_the_bin(self, piece: str, hex: str) -> None:
        basic = self.saved.pieces[piece].basic
        noted = ["2", "OldLocationName", hex, "OldMap", MAIN_MAP]
        basic.state = join_tokens([*basic.states()[:4], *noted], ";")
        self.saved.new_stack(VaslPlace(CASUALTIES, 100, 100), [piece], self.saved.usual_layer())
