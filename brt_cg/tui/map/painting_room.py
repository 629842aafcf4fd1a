"""A room with a map to paint on."""

import asyncio

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from brt_cg.questions.answers import Refused
from brt_cg.tui.look.fit import is_low
from brt_cg.tui.look.hanging import Hanging
from brt_cg.tui.look.rest import BEFORE_LOOKING_UP
from brt_cg.tui.map.island_map import IslandMap
from brt_cg.tui.map.map_room import IslandScreen
from brt_cg.tui.map.painting import Painting, effect

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
