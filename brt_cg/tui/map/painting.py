"""Areas of hexes painted on the map as the answer to a question, and the room to paint them in."""

import asyncio

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from brt_cg.board import grid, locations
from brt_cg.board.locations import ground, lowest_first
from brt_cg.card import Card
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Form, Raw, Refused
from brt_cg.refit.s607_perimeters import with_perimeters
from brt_cg.text import counted
from brt_cg.tui.keys.typed_ahead import BEFORE_LOOKING_UP
from brt_cg.tui.lists.found import gathered
from brt_cg.tui.look.fit import is_low
from brt_cg.tui.look.lines import Hanging
from brt_cg.tui.map.island_map import IslandMap
from brt_cg.tui.map.map_room import IslandScreen


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


# --- the room -------------------------------------------------------------------------------------


LEAST_NAMED, OTHER_ROWS = 6, 32  # how many Isolated counters are named, by the rows of the screen


class PaintingScreen(IslandScreen):
    """A map on which areas of hexes are painted, while there is a `painting`."""

    POSSIBLE = IslandScreen.POSSIBLE | dict.fromkeys(
        ("paint", "answer", "unpaint"), lambda room, seen: room.painting is not None
    )

    painting: Painting | None = None

    def asking(self) -> ComposeResult:
        yield Hanging(id="painted")

    def on_island_map_pointed(self, event: IslandMap.Pointed) -> None:
        if event.again and self.painting is not None:
            self.action_paint()

    def on_island_map_dragged(self, event: IslandMap.Dragged) -> None:
        if self.painting is not None:
            self.painting.hexes.add(event.hex)
            self.show_painting()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self.painting is not None and not self._hits and event.value.strip():
            self._type_painting(event.value)

    def action_paint(self) -> None:
        if self.painting is not None:
            self.painting.turn(self.island.cursor)
            self.show_painting()

    def action_unpaint(self) -> None:
        if self.painting is not None:
            self.painting.wipe()
            self.show_painting()

    def action_answer(self) -> None:
        """Answers with the painted hexes."""
        raise NotImplementedError(self)

    def _type_painting(self, words: str) -> None:
        assert self.painting is not None
        try:
            self.painting.type(words)
        except (Refused, ValueError) as problem:
            self.app.warn(str(problem))
        self.show_painting()

    def show_painting(self) -> None:
        """Shows the painted hexes; their effect follows a moment later."""
        painting = self.painting
        self.island.mark(frozenset(painting.hexes) if painting else frozenset())
        self.show_legend()
        self.refresh_bindings()
        self.workers.cancel_group(self, "painting")
        self._tell(painting.worded() if painting else "")
        if painting is not None:
            self._follow()

    @work(group="painting", exclusive=True)
    async def _follow(self) -> None:
        """Shows the effect of the painting, or why it is not allowed."""
        self.app.let_keys_pass()
        await asyncio.sleep(BEFORE_LOOKING_UP)
        painting = self.painting
        if painting is None:
            return
        raw = painting.raw
        try:
            words = Content(await self.follows(painting))
        except Refused as problem:
            words = Content(f"{painting.worded()}\n") + Content.styled(str(problem), "$warning")
        if painting is self.painting and painting.raw == raw:
            self._tell(words)

    def _tell(self, words: str | Content) -> None:
        """Shows the question, and words about the painting."""
        painting, told = self.painting, self.query_one("#painted", Hanging)
        lines = Content.assemble((painting.prompt, "bold"), "\n", words, "\n") if painting else ""
        told.display = painting is not None
        told.tell(Content(lines) if isinstance(lines, str) else lines)

    async def follows(self, painting: Painting) -> str:
        """The effect of a painting in words. Raises Refused if it is not allowed."""
        seen, rows = self.seen, self.app.size.height
        is_short, most = is_low(self), max(LEAST_NAMED, rows - OTHER_ROWS)
        return await self.app.session.consult(
            lambda _: effect(seen.view, seen.card, painting, most, is_short)
        )
