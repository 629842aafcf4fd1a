"""The box over long work, which shows the elapsed time and keeps all keys from the room below."""

import asyncio
from collections.abc import Coroutine
from threading import Event
from time import monotonic
from typing import Any, ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from brt_cg.questions import RefusedError
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import DIALOGS, bindings_of_named
from brt_cg.tui.keys.key_buffer import DURING_WORK
from brt_cg.tui.look.lines import Static
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import STOPPED

T = TypeVar("T")
AT_ONCE = 0.15  # seconds of work for which no box is shown


class StoppedError(RefusedError):
    """The error raised in place of the result of work that the player stopped by canceling it."""


class WorkingScreen(Dialog[None], inherit_bindings=False):
    """A box that shows the elapsed time. Escape stops the work, either by canceling it or, where
    that would leave something half stored, by setting `stop`; other keys are ignored, and kept
    in `dropped`."""

    FOLLOWS = True
    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(DIALOGS, close="stop")

    def __init__(
        self, title: str, work: "asyncio.Task[Any]", can_stop: bool, stop: Event | None = None
    ) -> None:
        super().__init__(title)
        self._work, self._stop, self._begun = work, stop, monotonic()
        self._can_stop = can_stop or stop is not None
        self.is_stopped, self.dropped = False, list[events.Key]()

    def frame_titles(self) -> tuple[str, str]:
        keys = "{dialogs.close} stops it" if self._can_stop else ""
        return self.heading, self.app.fill_in_keys(keys)

    def compose_box(self) -> ComposeResult:
        yield Static(id="words")

    def on_mount(self) -> None:
        self._tell()
        self.set_interval(1.0, self._tell)

    def _tell(self) -> None:
        words = f"Working for {monotonic() - self._begun:.0f} s."
        if self._stop is not None and self._stop.is_set():
            words += " If it still can, it stops before anything is stored."
        if not self._can_stop:
            words += " It is stored in one step and cannot be stopped."
        self.query_one("#words", Static).update(words)

    def action_stop(self) -> None:
        if self._stop is not None:
            self._stop.set()
            self._tell()
        elif self._can_stop:
            self.is_stopped = True
            _ = self._work.cancel()

    def on_key(self, event: events.Key) -> None:
        if not self.app.has_key(event.key, f"{DIALOGS}.close"):
            event.stop()
            self.dropped.append(event)


async def run_with_box_if_long(
    app: CampaignApp,
    title: str,
    work: Coroutine[Any, Any, T],
    *,
    can_stop: bool = False,
    stop: Event | None = None,
) -> T:
    """Do the work, in a box if it is long. Drop the keys that are pressed meanwhile, and name them.
    Must run in a worker. Raises the errors of the work, and RefusedError if it was stopped."""
    task, over = asyncio.ensure_future(work), app.screen
    box: WorkingScreen | None = None
    try:
        while not (await asyncio.wait({task}, timeout=AT_ONCE))[0]:
            if box is None and app.screen is over:  # the work may ask something itself
                box = WorkingScreen(title, task, can_stop, stop)
                _ = app.push_screen(box)
        if box is not None and box.is_stopped:
            raise StoppedError(STOPPED)
        return task.result()
    finally:
        _ = task.cancel()
        if box is not None and box in app.screen_stack:
            _ = box.dismiss(None) if app.screen is box else app.pop_screen()
        if box is not None and box.dropped:
            app.show_dropped(box.dropped, DURING_WORK)
