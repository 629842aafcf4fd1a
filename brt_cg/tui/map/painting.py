"""Areas of hexes painted on the map as the answer to a question."""

from brt_cg.board import grid, locations
from brt_cg.board.locations import ground, lowest_first
from brt_cg.card import Card
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Form, Raw
from brt_cg.refit.s607_perimeters import with_perimeters
from brt_cg.text import counted
from brt_cg.tui.lists.found import gathered


class Painting:
    """The hexes painted for a question; adjoining ones form one area."""

    def __init__(self, prompt: str, form: Form, begun: Raw) -> None:
        self.prompt, self.form = prompt, form
        self.hexes: set[str] = set()
        self._wiped: set[str] = set()
        self._take(begun)
        self._first = frozenset(self.hexes)

    @property
    def is_changed(self) -> bool:
        """Whether the painted hexes differ from those at the beginning."""
        return self.hexes != self._first

    def _take(self, raw: Raw) -> None:
        spans = [span for area in raw or [] for span in area]
        self.hexes = {hex for span in spans for hex in locations.expand(span)}

    def turn(self, hex: str) -> None:
        """Paints a hex, or erases it if it is painted."""
        self.hexes ^= {hex}

    def wipe(self) -> None:
        """Erases everything painted; if nothing is, restores what was erased last."""
        if self.hexes:
            self.hexes, self._wiped = set(), self.hexes
        else:
            self.hexes = {*self._wiped}

    def type(self, words: str) -> None:
        """Replaces the painting by typed hexes. Raises Refused, or BadLocation for an unknown
        hex."""
        self._take(self.form.parse(words))

    def groups(self) -> list[tuple[str, ...]]:
        """The painted areas, lowest hex first, each in the board's order."""
        areas = [lowest_first(area) for area in grid.connected(self.hexes)]
        return sorted(areas, key=lambda hexes: locations.key(hexes[0]))

    @property
    def raw(self) -> Raw:
        """The answer."""
        return [list(hexes) for hexes in self.groups()]

    def worded(self) -> str:
        """The painted hexes in words."""
        return self.form.worded(self.raw)


def effect(view: Campaign, card: Card, painting: Painting, most: int, in_short: bool) -> str:
    """The effect of Perimeters, as a seat may know it: the Setup Areas (15.6071), and who becomes
    Isolated (15.6072), of whom at most so many are named. In short all areas are in one line; else
    each has its own, with the hexes painted."""
    after = with_perimeters(view, card, tuple(painting.groups()))
    painted = {hexes[0]: painting.form.worded([list(hexes)]) for hexes in painting.groups()}
    areas = []
    for area in after.areas.values():
        hexes = "" if in_short else painted.get(lowest_first(area.hexes)[0], "")
        areas.append(
            ": ".join(filter(None, (f"{area.named} {counted(len(area.hexes), 'hex')}", hexes)))
        )
    cut_off = [piece for piece in after.in_order(after.pieces()) if piece.isolated]
    by_hex = gathered((ground(str(piece.location)), piece.label) for piece in cut_off[:most])
    heading = f"{len(cut_off)} Isolated:" if cut_off else "Isolated: nobody"
    isolated = [f"{hex} {', '.join(labels)}" for hex, labels in by_hex.items()]
    if len(cut_off) > most:
        isolated.append(f"{len(cut_off) - most} more")
    if in_short:
        return f"{', '.join(areas)}\n{heading} {'; '.join(isolated)}"
    return "\n".join((*areas, "", heading, *isolated))
