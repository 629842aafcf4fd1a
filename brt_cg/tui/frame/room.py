"""The common part of all rooms: the header, the state line, the key bar, and the notification of
changes."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from textual import events, getters, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size

from brt_cg.tui.frame.header import Header
from brt_cg.tui.frame.keybar import KeyBar
from brt_cg.tui.frame.state_line import DRAFT_KEPT, STORED, TYPING, WORKING, StateLine
from brt_cg.tui.keys.actions import BY_ID, HOME, ON_TABLE, SCENARIO_END, bindings
from brt_cg.tui.look.first_drawn import FirstDrawn
from brt_cg.tui.look.lines import Static
from brt_cg.tui.look.screen_size import LOW, NARROW, WIDE, is_too_small
from brt_cg.tui.look.stylesheet import PrestyledScreen
from brt_cg.tui.session.campaign_app import SEAT, CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot

Steps = tuple[tuple[int, str], ...]


class Room(PrestyledScreen[None]):
    """A screen of the campaign. A subclass sets PLACE, which also gives its keys unless it sets
    others, and defines `room` and `show`; its style sheet is beside it. Until the campaign has been
    read, it shows a message."""

    app = getters.app(CampaignApp)
    PLACE: ClassVar[str]
    AUTO_FOCUS: ClassVar[str | None] = None
    # Classes for the style sheet, each with the columns or rows from which it applies.
    WIDTHS: ClassVar[Steps] = ((0, "-narrow"), (NARROW, "-normal"), (WIDE, "-wide"))
    HEIGHTS: ClassVar[Steps] = ((0, "-low"), (LOW, "-high"))

    CONTENTS: ClassVar[type[Container]] = Container
    NEEDS_CAMPAIGN: ClassVar[bool] = True
    # Tests, on the room and its view, for the actions that are not always possible.
    POSSIBLE: ClassVar[Mapping[str, Callable[[Any, CampaignSnapshot], bool]]] = {}

    came_from = HOME  # the previous room
    question_drawn: FirstDrawn | None = None  # set if a question is answered here
    _shown: CampaignSnapshot | None = None
    _fitted: Size  # the size that the classes are set for
    _composed = False

    def __init_subclass__(cls, **how: Any) -> None:
        if "PLACE" in vars(cls):
            cls.BINDINGS = vars(cls).get("BINDINGS", bindings(cls.PLACE))
            cls.CSS_PATH = cls.CSS_PATH or "style.tcss"
        super().__init_subclass__(**how)

    @property
    def seen(self) -> CampaignSnapshot:
        """The campaign as shown here. Must not be used before the room `shows_contents`."""
        assert self._shown is not None, "a campaign has been read"
        return self._shown

    @property
    def shows_contents(self) -> bool:
        """Whether the room shows its contents; otherwise the campaign is still being read."""
        has_one = self._shown is not None and self.app.session.seen is not None
        return has_one or not self.NEEDS_CAMPAIGN

    def compose(self) -> ComposeResult:
        # Before any widget is made, so that each is styled only once.
        self._fitted = self.app.size
        self.update_classes(self.size_classes(self._fitted), update=False)
        yield Header(self.PLACE)
        waits = self.app.session.seen is None and self.NEEDS_CAMPAIGN
        self._patience = Static("Reading the campaign…", id="waiting")
        if waits:
            yield self._patience
        with self.CONTENTS(id="room") as self._contents:
            self._contents.display = not waits
            yield from self.compose_contents()
        yield StateLine()
        yield KeyBar()

    def compose_contents(self) -> ComposeResult:
        """Return the widgets between header and key bar."""
        raise NotImplementedError(self)

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        """Show the campaign again. Called when the room is in front and something has changed."""
        raise NotImplementedError(self)

    def clear_shown_and_typed(self) -> None:
        """Forget everything shown or typed here, when the seat or the campaign changes."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.shows_contents or not self.app.is_action_allowed(f"{self.PLACE}.{action}"):
            return False
        possible = self.POSSIBLE.get(action)
        return possible is None or possible(self, self.seen)

    def go_to(self, subject: str) -> None:
        """Go to something that the room shows, or ask it about a subject."""

    def selected_row_text(self) -> str | None:
        """Return the selected row as text, for the clipboard."""
        return None

    def why_subjects(self) -> tuple[str, ...]:
        """Return the subjects that the Why? key explains here (exports/explain), the selected one
        first; if there are none, the player chooses from all."""
        return ()

    def aid_question_prefix(self) -> str:
        """Return the words that begin a question to the play aids from this room."""
        return ""

    def can_point(self) -> bool:
        """Whether the open question or field can be answered by pointing at the map."""
        return False

    def start_pointing(self) -> object:
        """Start pointing at the map."""

    @property
    def help_topic(self) -> tuple[str, ...]:
        """The place whose `help.toml` the help begins with here; the page, if it has several."""
        return (self.PLACE,)

    def help_introduction(self) -> tuple[str, str] | None:
        """Return an introduction to the help that depends on the campaign: a title (with its rule
        number) and a few sentences; None to use the `help_topic`."""
        return None

    def counters_for_service_record(self) -> Iterable[str]:
        """Return the ids of the counters whose service record the player may ask for here."""
        return ()

    def undo_last_unentered(self) -> str:
        """Undo the last thing done here that is not entered: a die, a tick, a mark. Return its
        description; "" if there is nothing."""
        return ""

    def is_typing(self) -> bool:
        """Whether the player has begun to type something here that is not kept."""
        return False

    def has_draft(self) -> bool:
        """Whether a draft is kept here that has not been entered yet."""
        return False

    def has_work_to_stop(self) -> bool:
        """Whether Escape stops something that is running here."""
        return False

    def is_premature(self, key: events.Key) -> bool:
        """Whether a key would answer a question that was not yet shown when it was pressed."""
        if self.question_drawn is None or self.question_drawn.was_drawn_before(key.time):
            return False
        found = self.active_bindings.get(key.key)
        action = BY_ID.get(found.binding.id or "") if found is not None else None
        return action is not None and action.answers

    def note_question_changed(self) -> None:
        """Note that the room now shows another question."""
        self.question_drawn = FirstDrawn()
        self.question_drawn.expect_redraw(self)

    # --- actions of several rooms ---------------------------------------------------------------

    @work(group="life", exclusive=True)
    async def action_life(self) -> None:
        """Show the service record of a counter; the player chooses if there are several."""
        from brt_cg.tui.dialogs.choice import pick_service_record_counter
        from brt_cg.tui.dialogs.text_boxes import show_service_record

        id = await pick_service_record_counter(
            self.app, self.seen.view, self.counters_for_service_record()
        )
        if id is not None:
            await show_service_record(self.app, id)

    def can_enter_scenario_end(self, seen: CampaignSnapshot) -> bool:
        """Whether the end of the scenario can be entered, or the opponent's report of it once the
        seat has changed."""
        waits_here = seen.half is not None and not self.app.is_played_by_mail(seen)
        return seen.can_report_scenario_end or (waits_here and self.app.is_action_allowed(SEAT))

    async def action_form(self) -> None:
        """Open the form for the end of a scenario; for the report that only the opponent may enter,
        once the opponent is looking."""
        if self.seen.can_report_scenario_end:
            await self.app.go_to_room(SCENARIO_END)
        else:
            self.app.change_seat(partial(self.app.go_to_room, SCENARIO_END))

    async def action_leave(self) -> None:
        await self.app.go_to_room(self.came_from)

    # --- changes --------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        if event.size == self._fitted:  # a new room gets three resize events
            return
        self._fitted = event.size
        fitting = self.size_classes(event.size)
        fits = all(self.has_class(name) is holds for name, holds in fitting.items())
        self.update_classes(fitting, animate=False)
        self.query_one(KeyBar).catch_up()  # nothing else redraws it behind a form
        shown = self._shown
        # Before the layout: Textual would keep the heights of what was shown here last.
        self.catch_up()
        if not fits and shown is not None and shown is self._shown and self.shows_contents:
            self.show_snapshot(self.seen)  # the wording depends on the size

    def size_classes(self, size: Size) -> dict[str, bool]:
        """Return the style classes that depend on the screen's size; the value says whether one
        applies."""
        fitting = {"-tiny": is_too_small(size)}
        for length, steps in ((size.width, self.WIDTHS), (size.height, self.HEIGHTS)):
            *_, current = (name for least, name in steps if least <= length)
            fitting |= {name: name == current for _, name in steps}
        return fitting

    def refresh_state_line(self) -> None:
        """Show whether everything is stored, and the newest result."""
        if not self._composed or not self.app.is_running:
            return
        state = ""
        if self.shows_contents and self._shown is not None:
            typing = TYPING if self.is_typing() else ""
            state = typing or (DRAFT_KEPT if self.has_draft() else STORED)
        self.query_one(StateLine).show(WORKING if self.app.session.busy else state)

    def after_catch_up(self) -> None:
        """Do the work needed each time the room comes to the front, and when something has
        changed."""

    def catch_up(self) -> None:
        """Show the changes since this room was last in front."""
        # While the app is closing, it mounts a room without its widgets.
        if not self._composed or not self.app.is_running:
            return
        seen = self.app.session.seen
        if seen is not None and seen.shows_shared_table and self.PLACE not in ON_TABLE:
            return  # the room would read facts that only one player may see
        self.query_one(Header).show(seen, bool(self.app.session.lost))
        waits = seen is None and self.NEEDS_CAMPAIGN
        if waits and not self._patience.is_attached:
            _ = self.mount(self._patience, before=self._contents)
        self._patience.display, self._contents.display = waits, not waits
        if seen is not None and seen is not self._shown:
            before, self._shown = self._shown, seen
            row = self.selected_row_text() if before is not None else None
            if before is None or before.viewer_key != seen.viewer_key:
                self.clear_shown_and_typed()
            self.show_snapshot(seen)
            if before is not None and self.selected_row_text() != row:
                self.in_front.expect_redraw(self)  # an earlier key was meant for another row
        if self.shows_contents:
            self.after_catch_up()
        self.refresh_state_line()

    def on_mount(self) -> None:
        self._composed = True
        self.catch_up()

    def on_screen_resume(self, _: events.ScreenResume) -> None:
        self.catch_up()

    def _compositor_refresh(self) -> None:
        # Textual paints during a batch too, without showing it. If its private counter of
        # batches disappears, everything is painted.
        if not getattr(self.app, "_batch_count", 0):
            super()._compositor_refresh()
