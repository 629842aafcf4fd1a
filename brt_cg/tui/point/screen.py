"""Pointing at the map for an answer, or for a field, instead of typing."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList

from brt_cg.board import grid, locations
from brt_cg.model import Campaign
from brt_cg.questions import Raw
from brt_cg.questions.pointing import MapPick, MapPointing
from brt_cg.tui.dialogs.choice import confirm
from brt_cg.tui.keys.actions import EVERYWHERE, MAP, POINT, binding_of, bindings_of_named
from brt_cg.tui.lists.row_lists import PickList
from brt_cg.tui.look.lines import HangingText
from brt_cg.tui.map.island_map import IslandMap
from brt_cg.tui.map.map_room import PAINTS, IslandScreen
from brt_cg.tui.map.painting import Painting
from brt_cg.tui.session.session import CampaignSnapshot

Judge = Callable[[Raw], Awaitable[None]]  # raises RefusedError
LOOKING = ("find", "next_found", "closer", "farther")
PAINTING = (*LOOKING, *PAINTS)


def _bindings(of_map: tuple[str, ...], of_pointing: tuple[str, ...]) -> list[BindingType]:
    wanted = [*(f"{MAP}.{name}" for name in of_map), *(f"{POINT}.{name}" for name in of_pointing)]
    return [
        *map(binding_of, wanted),
        *bindings_of_named(EVERYWHERE, help="app.help", why="app.why"),
    ]


class PointScreen(IslandScreen):
    """The screen for pointing at a Location, and at further ones if asked; it passes the answer to
    `then` and returns to the previous screen. Escape returns without a change. `judge` may refuse
    an answer while the map is still shown."""

    PLACE = POINT
    LIT = "possible"
    BINDINGS = _bindings(LOOKING, ("point", "places", "off_map", "leave"))
    POSSIBLE = IslandScreen.POSSIBLE | {
        "off_map": lambda room, seen: room.pointing.off_map_pick() is not None,
        "places": lambda room, seen: room.pointing.is_location_expected,
    }

    def __init__(
        self, pointing: MapPointing, then: Callable[[Raw], None], judge: Judge | None = None
    ) -> None:
        super().__init__()
        self.pointing, self._then, self._judge = pointing, then, judge
        self._picks: list[MapPick] = []
        self._problem = ""

    @property
    def is_modal(self) -> bool:
        """Whether only the keys of this screen work until it is finished or left."""
        return True

    def compose_question(self) -> ComposeResult:
        yield HangingText(id="asked")
        yield PickList(id="picks", markup=False)

    # --- showing --------------------------------------------------------------------------------

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        super().show_snapshot(seen)
        self._begin()
        self._show_task()

    def on_mount(self) -> None:
        self.note_question_changed()

    def _begin(self) -> None:
        """Go to the first hex: the counter's hex, or else a highlighted one."""
        lit, start = self.pointing.allowed_hexes_if_listed(), self.pointing.start
        if lit and start not in lit:
            here = self.island.cursor
            start = min(
                lit,
                key=lambda hex: (grid.distance(hex, start or here), locations.hex_sort_key(hex)),
            )
        if start is not None:
            self.go_to(start)

    def _show_task(self) -> None:
        pointing = self.pointing
        lit = pointing.allowed_hexes_if_listed()
        self._hits = sorted(lit, key=locations.hex_sort_key)
        self.island.replace_hex_marks(lit, pointing.marked_hexes(self.island.cursor))
        self.show_legend()
        so_far = f"; so far {', '.join(pointing.spots)}" if pointing.spots else ""
        problem = f"\n✗ Not allowed: {self._problem}" if self._problem else ""
        self.query_one("#asked", HangingText).set_text(
            Content.assemble(
                (pointing.title, "bold"),
                "\nPoint at ",
                (pointing.current_part, "bold"),
                f"{so_far}{problem}\n",
            )
        )
        picks = self.query_one("#picks", OptionList)
        picks.display = bool(self._picks)
        self.refresh_bindings()

    def on_island_map_moved(self, event: IslandMap.Moved) -> None:
        if self._problem or self._picks:
            self._problem, self._picks = "", []
            self._show_task()
        else:
            self.island.replace_hex_marks(
                self.island.drawing.marked, self.pointing.marked_hexes(event.hex)
            )

    def on_island_map_pointed(self, event: IslandMap.Pointed) -> None:
        if event.again:
            self.action_point()

    def _find_hexes(self, words: str) -> list[str]:
        return (
            super()._find_hexes(words)
            if words.strip()
            else sorted(self.pointing.allowed_hexes_if_listed(), key=locations.hex_sort_key)
        )

    # --- pointing -------------------------------------------------------------------------------

    def action_point(self) -> None:
        """Point at the target in the hex under the cursor; if there are several, list them."""
        meant = self.pointing.only_pick(self.island.cursor, self.seen.view)
        if meant is not None:
            self._take(meant)
        else:
            self.action_places()

    def action_places(self) -> None:
        self._picks = self.pointing.picks_in_hex(self.island.cursor, self.seen.view)
        if not self._picks:
            self._problem = f"{self.island.cursor} is not one of the allowed answers"
        picks = self.query_one("#picks", PickList)
        picks.show([(str(at), Content(pick.words)) for at, pick in enumerate(self._picks)])
        self._show_task()
        if self._picks:
            picks.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "picks":
            self.island.focus()
            self._take(self._picks[int(str(event.option_id))])
        else:
            self.action_point()

    def action_off_map(self) -> None:
        pick = self.pointing.off_map_pick()
        if pick is not None:
            self._take(pick)

    def _take(self, pick: MapPick) -> None:
        self._problem, self._picks = "", []
        answer = self.pointing.point_at(pick)
        if answer is None:
            self._begin()
            self._show_task()
        else:
            self.run_worker(self._answer(answer[0]), group="pointing", exclusive=True)

    async def _answer(self, raw: Raw) -> None:
        try:
            if self._judge is not None:
                await self._judge(raw)
        except ValueError as refused:
            self.pointing.remove_last()
            self._problem = self.app.words_for_viewer(str(refused))
            self._show_task()
            return
        _ = self.dismiss(None)
        self._then(raw)

    async def action_leave(self) -> None:
        """Drop the last place pointed at; if there is none, return."""
        if not self._picks and not self.pointing.remove_last():
            _ = self.dismiss(None)
            return
        self._problem, self._picks = "", []
        self._show_task()


class AreasScreen(IslandScreen):
    """The screen for painting areas of hexes for a field; it passes them to `then`. The map below
    them shows the positions in `view`, if these differ from the campaign's current ones."""

    PLACE = POINT
    BINDINGS = _bindings(PAINTING, ("leave",))
    help_topic = (MAP,)

    def __init__(
        self, painting: Painting, then: Callable[[Painting], None], view: Campaign | None = None
    ) -> None:
        super().__init__()
        self.painting, self._then, self._view = painting, then, view

    @property
    def seen(self) -> CampaignSnapshot:
        seen = super().seen
        return seen if self._view is None else replace(seen, view=self._view)

    def on_mount(self) -> None:
        self.note_question_changed()

    @property
    def is_modal(self) -> bool:
        return True

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        super().show_snapshot(self.seen)
        self.show_painting()

    def action_answer(self) -> None:
        painting = self.painting
        assert painting is not None, "painting begins with the screen"
        _ = self.dismiss(None)
        self._then(painting)

    async def action_leave(self) -> None:
        """Return without a change; ask first if anything has been painted."""
        self._leave()

    @work(group="leave", exclusive=True)
    async def _leave(self) -> None:
        painting = self.painting
        assert painting is not None, "painting begins with the screen"
        if not painting.is_changed or await confirm(
            self.app,
            "Leave the map?",
            painting.painted_text(),
            "leave and discard it",
            "keep painting",
        ):
            _ = self.dismiss(None)
