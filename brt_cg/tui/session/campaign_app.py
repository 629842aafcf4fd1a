"""The app as its rooms see it: the open campaign, work in its thread, the player's keys."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rich.text import Text
from textual import work
from textual.content import Content
from textual.notifications import Notification, Notifications, SeverityLevel
from textual.widgets._toast import Toast, ToastHolder, ToastRack
from textual.worker import WorkerFailed

from brt_cg.files import file_error, system_error_text, write_crash_report
from brt_cg.questions import RefusedError
from brt_cg.service import mail_state
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.drafts import NOT_KEPT, Drafts
from brt_cg.service.shown_actions import NotAsShownError
from brt_cg.storage.errors import StaleCampaignError, StorageError
from brt_cg.storage.place import Place
from brt_cg.text import key_text, truncate_long_words_and_lines
from brt_cg.tui.keys.actions import BY_ID, Action, actions_of
from brt_cg.tui.keys.key_buffer import KeyBufferApp
from brt_cg.tui.memory.recent import load_memory
from brt_cg.tui.question.form import EntryForm
from brt_cg.tui.session import CANNOT_OPEN
from brt_cg.tui.session.clipboard import copy_text
from brt_cg.tui.session.first_steps import FirstSteps
from brt_cg.tui.session.last_result import NO_RESULT, LastResult
from brt_cg.tui.session.last_seen import News
from brt_cg.tui.session.page import PageDriver
from brt_cg.tui.session.session import CampaignSnapshot, Seat, Session, read_campaign

T = TypeVar("T")

SEAT = "everywhere.seat"
FIRST_HEX = "N21"  # the first cursor of the map
NAMED = re.compile(r"\{(\w+\.\w+)(!?)\}")  # an action in a text
BRIEF: SeverityLevel = "information"  # Textual's name for notices of results
REPORTED = (
    "A report says where in the program the error occurred, and gives the versions of brt-cg, "
    "Python and your system, but nothing about your campaign. Send it to whoever gave you brt-cg. "
    "It is in"
)
SENT_TO_TERMINAL = "Copied, if your terminal supports it:"
SENT_TO_BROWSER = "Copied, if your browser allows it:"
BRIEFLY = 4  # seconds that such a notice is shown
PATIENCE = 0.3  # seconds of work before the state line shows that some is going on


class CampaignApp(KeyBufferApp):
    """The part of the app that rooms and their widgets use. A served app is that of a `visitor`,
    and keeps its campaign and its seat; with `backs_up` false, work continues if no backup can be
    made."""

    path: Place | None  # the path of the campaign to open; None for Home
    session: Session

    def __init__(self, visitor: str = "", backs_up: bool = True) -> None:
        super().__init__()
        self._disable_tooltips = True  # unused, but each screen would get a widget for them
        self.served = bool(visitor)
        self.backs_up = backs_up
        self.memory = load_memory(visitor)
        self.map_cursor, self.map_zoom = FIRST_HEX, 1  # shared by all rooms with the map
        self.news: News | None = None  # what happened since this seat last looked
        self.tour: Place | None = None  # the demo, until its Refit room is opened
        self.first_steps: tuple[Place, FirstSteps] | None = None  # the first steps of that demo
        self._unopened: Exception | None = None  # why a served app has no campaign
        self.window_title = ""  # the title of the terminal's window
        self.last_result = NO_RESULT  # the newest result stored in the viewer's campaign
        self._before_result = frozenset[str]()  # the notices from before that result
        self._reported: LastResult | None = None  # the result that a notice is reporting

    def drafts(self, at_home: bool = False) -> Drafts:
        """Return the drafts of Home, or of the current seat of the open campaign."""
        seen = self.session.seen
        if seen is None or at_home:
            return Drafts("", "", self._not_kept)
        return self.session.drafts(seen.seat)

    def _not_kept(self, error: OSError) -> None:
        self.show_warning(NOT_KEPT.format(system_error_text(error)), "")

    def end_because_not_opened(self, error: Exception) -> None:
        """End a served app whose campaign cannot be opened."""
        self._unopened = error
        self.exit(CANNOT_OPEN)

    def run_for_visitor(self) -> int:
        """Run a served app. Return the exit status; raise the reason why the campaign was not
        opened, so that it is reported to the server's owner."""
        status = self.run() or 0
        if self._unopened is not None:
            raise self._unopened
        return status

    def update_rooms(self) -> None:
        """Make all open rooms show the changes."""
        raise NotImplementedError(self)

    def refresh_state_lines(self) -> None:
        """Make the rooms show again whether everything is stored, and the newest result."""
        raise NotImplementedError(self)

    def fits_state_line(self, words: str) -> bool:
        """Whether the screen in front has a state line with room for some words."""
        raise NotImplementedError(self)

    async def open_and_ask_seat(self, make: Callable[[], CampaignReader]) -> None:
        """Open the campaign that `make` creates or reads. Must run in a worker."""
        raise NotImplementedError(self)

    async def take_seat_alone(self, seat: Seat) -> None:
        """Take a seat alone, and collect the news since that seat last looked."""
        raise NotImplementedError(self)

    async def go_to_room(self, place: str, subject: str = "") -> None:
        """Go to a room, and to a subject in it: a Journal entry by the seat's number, a counter in
        Forces, a hex of the Map, a page of the Campaign room."""
        raise NotImplementedError(self)

    async def show_form(self, form: EntryForm[T]) -> T | None:
        """Show a form and return its result, None if the player left it. Must run in a worker."""
        raise NotImplementedError(self)

    def receive_mail(self, path: Path) -> object:
        """Open the campaign that a mail belongs to, and receive the mail."""
        raise NotImplementedError(self)

    def forget_campaign(self, path: str) -> None:
        """Remove a campaign from Home's list."""
        raise NotImplementedError(self)

    def open_campaign(self, path: Place) -> None:
        """Open a campaign and ask for the seat; go Home with a message if that fails."""
        self.open_in_thread(lambda: read_campaign(path, self.backs_up))

    def open_in_thread(self, make: Callable[[], CampaignReader]) -> None:
        """Open the campaign that `make` creates or reads, in the campaign's thread."""
        self.run_worker(self.open_and_ask_seat(make), group="open", exclusive=True)

    def defers_to_curtain(self, then: Callable[[], Awaitable[Any] | None]) -> bool:
        """Whether two players are at the screen and only one of them may see the next thing. In
        that case, ask who is looking, and do it for that player."""
        raise NotImplementedError(self)

    def change_seat(self, then: Callable[[], Awaitable[Any] | None] | None) -> Any:
        """Ask who is looking now, and do the wanted action."""
        raise NotImplementedError(self)

    def is_played_by_mail(self, seen: CampaignSnapshot) -> bool:
        """Whether two players at different computers mail each other the campaign, so that the
        opponent's entries come by mail to the seat at this screen."""
        is_alone = seen.seat is not None and seen.turn is None and not self.served
        return is_alone and mail_state.side_on_this_machine(seen.begun) is seen.seat

    def keys_of(self, action: Action) -> list[str]:
        """Return the current keys of an action: the player's own, or else the defaults."""
        return list(filter(None, self._keymap.get(action.id, action.keys).split(",")))

    def keys_in(self, place: str) -> set[str]:
        """Return the keys of a place's own actions."""
        return {key for action in actions_of(place) for key in self.keys_of(action)}

    def key_text(self, id: str, in_field: bool = False) -> str:
        """Return the first key of an action as shown on the screen, with `in_field` the first that
        does not type a character there; "" if it has none."""
        keys = [*map(key_text, self.keys_of(BY_ID[id]))]
        fit = (key for key in keys if not in_field or len(key) > 1)
        return next(fit, keys[0] if keys else "")

    def has_key(self, key: str, *ids: str) -> bool:
        """Whether a key is one of some actions."""
        return any(key in self.keys_of(BY_ID[id]) for id in ids)

    def fill_in_keys(self, text: str) -> str:
        """Return text that names actions in braces, with the player's keys in place of the names:
        "{dialogs.close} closes"; an exclamation mark requests a key that also works in a field."""
        return NAMED.sub(lambda found: self.key_text(found[1], in_field=bool(found[2])), text)

    @work(group="desk", description="perform")
    async def perform(
        self,
        work: Callable[[CampaignReader], Any],
        then: Callable[[Any], Any] | None = None,
        refused: Callable[[str], Any] | None = None,
        plays: bool = False,
    ) -> None:
        """Run work(desk) in the campaign's thread, in the order of the calls.

        A refusal goes to `refused`, or is shown in a notice; `then` gets the result. While a
        generator `plays`, the room shows its progress. If the next player is looking by then, that
        player gets neither.
        """
        self.set_timer(PATIENCE, self.update_rooms)
        before, earlier = self.session.seen, self.last_result
        try:
            done = await self.session.perform(work, plays=plays)
        except Exception as error:
            with self.withholding_notices_from_others(before) as is_told:
                if isinstance(error, NotAsShownError):
                    self.show_notice(str(error))
                elif refused is None or not isinstance(error, RefusedError):
                    self.report_error(error)
                elif is_told:
                    refused(str(error))
            return
        finally:
            with self.withholding_notices_from_others(before):
                self.show_campaign_notices()
        if then is not None:
            with (
                self.withholding_notices_from_others(before) as is_told,
                self._reporting_result(earlier),
            ):
                if is_told:
                    then(done)

    @contextmanager
    def _reporting_result(self, earlier: LastResult) -> Iterator[None]:
        """Treat a notice shown in the `with` block as the result of work. It stays in the state
        line with the effect on the CVP, unless that is the result of `earlier` work."""
        self._reported = NO_RESULT if self.last_result is earlier else self.last_result
        try:
            yield
        finally:
            self._reported = None

    def withholding_notices_from_others(
        self, before: CampaignSnapshot | None
    ) -> AbstractContextManager[bool]:
        """Withhold the notices for the viewer `before`, if another player is looking now; return
        whether that viewer is still looking."""
        raise NotImplementedError(self)

    def send_to_page(self, told: Mapping[str, object]) -> None:
        """Send a message to the page around a served screen, by its "type"."""
        driver: object = self._driver
        if isinstance(driver, PageDriver):
            driver.send_to_page(told)

    @work(group="copy", exclusive=True, description="copy")
    async def copy_with_notice(self, text: str) -> None:
        """Copy text, and report only the part of the result that is known."""
        self.let_keys_pass()
        before = self.session.seen
        if not self.served and await asyncio.to_thread(copy_text, text):
            words = f"Copied: {text}"
        else:
            self.copy_to_clipboard(text)
            words = f"{SENT_TO_BROWSER if self.served else SENT_TO_TERMINAL} {text}"
        with self.withholding_notices_from_others(before):
            self.show_notice(words)

    def notify_stored(self) -> None:
        """Notify the server behind a served screen that something has been stored."""
        driver: object = self._driver
        if isinstance(driver, PageDriver):
            driver.notify_stored()

    def show_notice(self, words: str) -> None:
        """Show a result in a brief notice, instead of the previous result: ten undos are one
        notice. Show nothing for ""."""
        if words and self._reported is not None:
            self.last_result = replace(self._reported, words=self.words_for_viewer(words))
        if words and not self._is_shown(words):
            self.notify(words, severity=BRIEF, timeout=BRIEFLY, markup=False)
            self.set_timer(BRIEFLY, self._refresh_notifications)

    def note_result(self, result: LastResult) -> None:
        """Note the newest result, which is newer than all notices until now."""
        self.last_result = result
        self._before_result = frozenset(notice.identity for notice in self._notifications)

    @property
    def newest_result(self) -> LastResult:
        """The newest result, or the notice that came after it and is still shown."""
        brief = [
            notice.message
            for notice in self._notifications
            if _is_brief(notice) and notice.identity not in self._before_result
        ]
        if not brief or brief[-1] == self.last_result.words:
            return self.last_result
        return LastResult(brief[-1])

    def show_warning(self, words: str, title: str = "Not possible") -> None:
        """Show a refusal or a problem in a longer notice, unless it is shown already: the campaign
        is checked every half second, and its file may be gone."""
        words = truncate_long_words_and_lines(self.words_for_viewer(words))
        if not self._is_shown(words):
            self.notify(words, title=title, severity="warning", timeout=10, markup=False)

    def withdraw_notice(self, words: str) -> None:
        """Remove a notice that is no longer true."""
        for notice in [each for each in self._notifications if each.message == words]:
            self._unnotify(notice, refresh=False)
        self._refresh_notifications()

    def words_for_viewer(self, words: str) -> str:
        """Adapt text that may name files and counters for the viewer: players read names, not ids,
        and a visitor must not read folders of another player's machine."""
        if (seen := self.session.seen) is not None:
            words = seen.view.replace_ids_with_names(words)
        return without_folders(words, self.path) if self.served else words

    def notify(self, message: str, **how: Any) -> None:
        """Show a notice, worded for the viewer."""
        super().notify(self.words_for_viewer(message), **how)

    def clear_notifications(self) -> None:
        """Remove all notices, and the result, which another viewer may not know."""
        self.last_result = NO_RESULT
        super().clear_notifications()

    def _refresh_notifications(self) -> None:
        """Show only the newest result, in the state line if it fits there, and, of all notices,
        only the newest ones that leave the answers in view. The container of a closed notice is
        removed too: it would keep a row."""
        notices, rows = [*self._notifications], 0
        brief = [notice for notice in notices if notice.severity == BRIEF]
        for notice in reversed(notices):
            lines = Content(notice.message).wrap(max(self.size.width - 3, 1))
            rows += len(lines) + bool(notice.title)
            hides = rows > self.size.height // 4 and notice is not notices[-1]
            if hides or notice in brief[:-1]:
                self._unnotify(notice, refresh=False)
        for screen in self.screen_stack[-1:] if self.is_running else []:
            for toast in screen.query(Toast):
                gone = toast._notification not in self._notifications
                if gone and isinstance(toast.parent, ToastHolder):
                    _ = toast.parent.remove()
            for rack in screen.query(ToastRack):
                self.call_later(self._show_toasts, rack)
        self.refresh_state_lines()

    def _show_toasts(self, rack: ToastRack) -> None:
        """Show the notices that the state line does not show."""
        shown = Notifications()
        for notice in self._notifications:
            if not self._is_in_state_line(notice):
                shown.add(notice)
        rack.show(shown)

    def _is_in_state_line(self, notice: Notification) -> bool:
        """Whether the state line has room for all of a notice; a result may be cut off there,
        because the log has all of it."""
        is_result = notice.message == self.last_result.words
        words = "" if is_result and "\n" not in notice.message else notice.message
        return _is_brief(notice) and self.fits_state_line(words)

    def _is_shown(self, words: str) -> bool:
        return any(words == notice.message for notice in self._notifications)

    def show_campaign_notices(self) -> None:
        """Show the notices that the open campaign has collected."""
        for notice in self.session.take_notices():
            self.show_warning(notice, "")

    def report_error(self, error: Exception) -> None:
        """Show the player a refusal or a problem with the file. Raises any other error again."""
        if isinstance(error, StaleCampaignError):
            self.show_warning(
                "Another window has changed the campaign, so your last entry was not stored. The "
                "campaign has been read again; nothing was overwritten.",
                "The campaign has changed",
            )
        elif isinstance(error, OSError):
            self.show_warning(file_error(error))
        elif isinstance(error, StorageError | RefusedError):
            self.show_warning(str(error))
        else:
            raise error

    def _fatal_error(self) -> None:
        """End the app after a crash. Textual's own method would print all variables of the failed
        code, including the opponent's secrets."""
        error = sys.exception() or self._exception
        # A worker's error is wrapped; its own traceback shows the place.
        error = error.error if isinstance(error, WorkerFailed) else error
        if error is not None and not self._exit_renderables:
            file = write_crash_report(error)
            where = f"{REPORTED} {file}" if file else "No crash report could be written."
            words = (
                f"brt-cg crashed because of a bug ({type(error).__name__}). Everything you "
                f"entered is saved. {where}"
            )
            self._exit_renderables.append(Text(words))
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        """Print on stderr the reason why the app ended: one line, however narrow the terminal
        is."""
        for words in self._exit_renderables[:1]:
            self.error_console.print(words, soft_wrap=True)
        self._exit_renderables.clear()

    def is_action_allowed(self, id: str) -> bool:
        """Whether the player may take an action at all: a served screen has no actions that affect
        the server's machine."""
        action = BY_ID.get(id)
        return action is None or not (action.machine and self.served)


def _is_brief(notice: Notification) -> bool:
    """Whether a notice is a brief result, without a title."""
    return notice.severity == BRIEF and not notice.title


# --- the files for a visitor ----------------------------------------------------------------------


HIDDEN = "…"
_FOLDERS = re.compile(r"(?<![\w.~/\\…])(?:~|[A-Za-z]:)?[\\/](?:[^\\/\s:;,'\"<>]+[\\/])+")


def without_folders(words: str, place: Place | None) -> str:
    """Remove from text the folders and the server of a campaign, however they are spelled, and any
    other absolute path."""
    if isinstance(place, Path):
        for folder in sorted(_spellings(place), key=len, reverse=True):
            for end in "/\\":
                words = words.replace(f"{folder}{end}", "")
            if len(folder) > 1 and Path(folder).is_absolute():
                words = words.replace(folder, HIDDEN)
    elif place is not None:
        words = words.replace(place.server, "")
    return _FOLDERS.sub("", words)


def _spellings(path: Path) -> set[str]:
    parents = {path.parent, path.absolute().parent, path.resolve().parent}
    return {str(parent) for parent in parents}
