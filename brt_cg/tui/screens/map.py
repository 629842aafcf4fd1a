"""Map: Betio in hexes, its counters, and Perimeters painted on it."""

import asyncio
from collections.abc import Iterable
from typing import Any

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Enter
from brt_cg.tui import going_on
from brt_cg.tui.actions import MAP
from brt_cg.tui.map.painting import Painting, effect
from brt_cg.tui.screens.island import IslandScreen
from brt_cg.tui.session import Seen
from brt_cg.tui.widgets.island_map import IslandMap

REST = 0.15  # seconds after a stroke before its effect is computed


class PaintingScreen(IslandScreen):
    """A map on which areas of hexes are painted, while there is a `painting`."""

    POSSIBLE = IslandScreen.POSSIBLE | dict.fromkeys(
        ("paint", "answer", "unpaint"), lambda room, seen: room.painting is not None
    )

    painting: Painting | None = None

    def asking(self) -> ComposeResult:
        yield Static(id="painted")

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
        self.refresh_bindings()
        self.workers.cancel_group(self, "painting")
        self.query_one("#painted", Static).update(_painting_text(painting) if painting else "")
        if painting is not None:
            self._follow()

    @work(group="painting", exclusive=True)
    async def _follow(self) -> None:
        """Shows the effect of the painting, or why it is not allowed."""
        await asyncio.sleep(REST)
        painting = self.painting
        if painting is None:
            return
        raw = painting.raw
        try:
            words = Content(await self.follows(painting))
        except Refused as problem:
            words = Content.styled(str(problem), "$warning")
        if painting is self.painting and painting.raw == raw:
            text = Content("\n").join([_painting_text(painting), words, Content("")])
            self.query_one("#painted", Static).update(text)

    async def follows(self, painting: Painting) -> str:
        """The effect of a painting in words. Raises Refused if it is not allowed."""
        seen = self.seen
        return await self.app.session.consult(
            lambda _: effect(seen.view, seen.card, painting.groups())
        )


class MapScreen(PaintingScreen):
    """The room. While a question asks for areas of hexes, its answer is painted here."""

    PLACE = MAP
    _ask: Enter[Any] | None = None
    _begun: Painting | None = None  # for that question, even if another seat looks meanwhile

    def show(self, seen: Seen) -> None:
        super().show(seen)
        ask, self.painting = seen.ask, None
        if isinstance(ask, Enter) and ask.form.painted and seen.may_know(ask.side):
            if self._ask is not ask:
                self._ask, self._begun = ask, Painting(ask.prompt, ask.form, ask.default)
            self.painting = self._begun
        self.show_painting()

    def on_screen_suspend(self) -> None:
        """Elsewhere the question still stands with its default."""
        if self.painting is not None and self.painting.is_changed and self.app.current_mode != MAP:
            back, answer = self.app.key("everywhere.map"), self.app.key("map.answer")
            self.app.warn(
                f"{back} goes back to your painted hexes; {answer} there answers with them.",
                "Not answered yet",
            )

    async def follows(self, painting: Painting) -> str:
        ask, raw = self._ask, painting.raw
        if ask is not None:
            await self.app.session.consult(lambda desk: ask.read(raw) if desk.ask is ask else None)
        return await super().follows(painting)

    def action_answer(self) -> None:
        ask, painting = self._ask, self.painting
        if ask is not None and painting is not None:
            raw = painting.raw
            self.app.perform(
                lambda desk: going_on.answer(desk, ask, raw),
                lambda _: self.run_worker(self.app.run_action("refit")),
            )

    def counters_here(self) -> Iterable[str]:
        here = self.island.drawing.sheet.here.get(self.island.cursor, ())
        return [self.selected_counter] if self.selected_counter else [held.id for held in here]

    def why(self) -> tuple[str, ...]:
        return (self.selected_counter or f"hex {self.island.cursor}",)


def _painting_text(painting: Painting) -> Content:
    return Content.assemble((painting.prompt, "bold $accent"), f"\n{painting.worded()}\n")
