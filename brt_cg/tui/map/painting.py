"""Areas of hexes painted on the map as the answer to a question."""

from brt_cg.board import grid, locations, sort_hexes
from brt_cg.questions import AnswerForm, Raw


class Painting:
    """The hexes painted for a question; adjoining ones form one area."""

    def __init__(self, prompt: str, form: AnswerForm, begun: Raw) -> None:
        self.prompt, self.form = prompt, form
        self.hexes: set[str] = set()
        self._wiped: set[str] = set()
        self._take(begun)
        self._first = frozenset(self.hexes)
        self._strokes: list[set[str]] = []  # the painted hexes before each brush movement

    @property
    def is_changed(self) -> bool:
        """Whether the painted hexes differ from those at the beginning."""
        return self.hexes != self._first

    def _take(self, raw: Raw) -> None:
        spans = [span for area in raw or [] for span in area]
        self.hexes = {hex for span in spans for hex in locations.expand_hex_range(span)}

    def toggle(self, hex: str) -> None:
        """Paint a hex, or erase it if it is painted."""
        self._strokes.append({*self.hexes})
        self.hexes ^= {hex}

    def clear_or_restore(self) -> None:
        """Erase everything painted; if nothing is, restore the last painting erased."""
        self._strokes.append({*self.hexes})
        if self.hexes:
            self.hexes, self._wiped = set(), self.hexes
        else:
            self.hexes = {*self._wiped}

    def replace_by_typed(self, words: str) -> None:
        """Replace the painting by typed hexes. Raises RefusedError, or BadLocationError for an
        unknown hex."""
        read, before = self.form.parse(words), {*self.hexes}
        self._take(read)
        self._strokes.append(before)

    def undo_stroke(self) -> str:
        """Undo the newest brush movement; return its hexes, "" if there is none."""
        if not self._strokes:
            return ""
        before = self._strokes.pop()
        changed, self.hexes = sorted(before ^ self.hexes, key=locations.hex_sort_key), before
        return locations.hexes_as_ranges(changed)

    def painted_areas(self) -> list[tuple[str, ...]]:
        """Return the painted areas, lowest hex first, each in the board's order."""
        areas = [sort_hexes(area) for area in grid.connected_groups(self.hexes)]
        return sorted(areas, key=lambda hexes: locations.hex_sort_key(hexes[0]))

    @property
    def raw(self) -> Raw:
        """The answer."""
        return [list(hexes) for hexes in self.painted_areas()]

    def painted_text(self) -> str:
        """Return the painted hexes in words."""
        return self.form.worded(self.raw)
