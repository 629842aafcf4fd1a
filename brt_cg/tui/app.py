"""The app: its rooms, themes and keys, and the open campaign. Wiring only."""

import asyncio
import gc
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial, partialmethod
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import Any

from textual import events, work
from textual.screen import Screen

from brt_cg.service import last_seen, mail_state
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.storage.errors import OtherCampaignError, UnreachableError
from brt_cg.storage.place import Place
from brt_cg.text import key_text
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.dialogs.working import StoppedError, WorkingScreen, run_with_box_if_long
from brt_cg.tui.frame.moved_key_notices import MovedKeyNotices
from brt_cg.tui.frame.room import Room
from brt_cg.tui.frame.shared_screen import TwoPlayers
from brt_cg.tui.frame.state_line import StateLine
from brt_cg.tui.frame.title_and_badge import TitleAndBadge, restoring_window_title, set_window_title
from brt_cg.tui.keys.actions import (
    AIDS,
    BY_ID,
    CAMPAIGN,
    DASHBOARD,
    EVERYWHERE,
    FORCES,
    FORECAST,
    HOME,
    JOURNAL,
    MAP,
    ON_TABLE,
    PURCHASES,
    REFIT,
    ROOMS,
    SCENARIO_END,
    SETUP,
    actions_of,
    bindings,
)
from brt_cg.tui.keys.own_keys import OwnKeys, read_keys
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.signs import SignSet, choose_sign_set
from brt_cg.tui.look.stylesheet import PrestyledScreen
from brt_cg.tui.look.themes import OURS
from brt_cg.tui.memory.recent import keys_path, load_memory
from brt_cg.tui.question.form import EntryForm
from brt_cg.tui.session.campaign_app import FIRST_HEX, CampaignApp, T
from brt_cg.tui.session.first_steps import FirstSteps
from brt_cg.tui.session.last_result import result_between
from brt_cg.tui.session.last_seen import LastSeenTracker, news_between, summarize_news
from brt_cg.tui.session.page import PALETTE, CampaignFileChanged, FilesGiven
from brt_cg.tui.session.session import CampaignSnapshot, Seat, Session, seat_label

LOST = (
    "Nothing can be entered for now. You see the campaign as it was last read; the program "
    "reconnects automatically."
)
AT_WORK = "Please wait"
REPLACED = "Another campaign has replaced it"
TYPED_FOR_ANOTHER = (
    "Nothing that you typed was stored in that one. Close this box; your text is kept for the "
    "campaign that you had open."
)
OPENED_INSTEAD = (
    "Another campaign has replaced the one that you had open. Choose a seat for the new one."
)
NEEDS_CAMPAIGN = "{}: open a campaign or begin a new one first."
READ_FIRST = 0.25  # the most seconds that the first frame waits for the campaign
LOOK_EVERY = 0.5  # seconds between checks whether another window has changed the campaign
LOOK_SELDOM = 3.0  # for a served screen, whose server checks for all screens


def screen_class(place: str) -> type[Screen[Any]]:
    """Return the class of a room's screen (JournalScreen for "journal"), imported at first use."""
    module = import_module(f"brt_cg.tui.rooms.{place}.screen")
    found: type[Screen[Any]] = getattr(module, f"{place.title().replace('_', '')}Screen")
    return found


def _screen(place: str) -> Screen[Any]:
    """Make a room's screen."""
    return screen_class(place)()


class BrtApp(CampaignApp):
    """The app of the screen. `path` is the campaign to open, None for Home; `mail` is received
    there. Without a `seat`, the player is asked for one, except on a `tour` of the demo. A `served`
    app keeps its campaign and its seat."""

    TITLE = "brt-cg"
    CSS_PATH = "app.tcss"
    BINDINGS = bindings(EVERYWHERE)
    ENABLE_COMMAND_PALETTE = False  # Textual's
    MODES = {place: partial(_screen, place) for place in ROOMS}

    def __init__(
        self,
        path: Place | None = None,
        served: bool = False,
        backs_up: bool = True,
        mail: Path | None = None,
        tour: bool = False,
        **seat: Seat,
    ) -> None:
        self.path, self._mail = path, mail
        super().__init__(f"{path} {seat_label(seat['seat'])}" if served else "", backs_up)
        self.session = Session(
            self.campaign_changed, self.handle_server_report, self.notify_stored, self._in_box
        )
        self._given_seat = seat
        self.tour = path.absolute() if tour and path is not None else None
        self._is_read, self._has_screen = asyncio.Event(), asyncio.Event()
        self._is_lost = False
        self._looks = LastSeenTracker(self, self.memory)
        self.two_players = TwoPlayers(self)
        self._moved = MovedKeyNotices()
        self._around: TitleAndBadge | None = None  # the page around a served screen
        self._before: CampaignSnapshot | None = None  # the previous snapshot
        self._before_work: CampaignSnapshot | None = None  # the last one before this work
        known = self.memory.theme in self.available_themes
        self.theme = self.memory.theme if known and self.memory.theme else OURS[0].name
        self.use_signs(choose_sign_set(self.memory.signs, os.environ))

    @property
    def DEFAULT_MODE(self) -> str:  # type: ignore[override]
        """The first room, which saves the frame of Textual's default screen."""
        return DASHBOARD if self.path else HOME

    # --- beginning --------------------------------------------------------------------------------

    async def on_load(self) -> None:
        """Read the player's keys and the campaign before the first frame, so that it shows the
        campaign; a campaign that takes longer than READ_FIRST appears later."""
        own = OwnKeys() if self.served else read_keys(keys_path())  # the host's keys
        palette = {f"{EVERYWHERE}.command_palette": PALETTE} if self.served else {}
        self.set_keymap(palette | own.keymap)
        if own.problems:
            text = "\n".join(own.problems)
            self.show_warning(text, f"Keys in {keys_path().name}")
        if self.path is not None:
            self.open_campaign(self.path)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_read.wait(), READ_FIRST)

    def on_mount(self) -> None:
        self.detect_depth()  # only now is it known if there is a terminal
        self.theme_changed_signal.subscribe(self, self._theme_changed)
        self.set_interval(LOOK_SELDOM if self.served else LOOK_EVERY, self._catch_up)
        if self.served:
            self._around = TitleAndBadge(self)
            self.screen_change_signal.subscribe(self, self._around.follow_screen)
            self._around.follow_screen(self.screen)
        self._has_screen.set()
        if self.path is None:
            self._take_given_mail()

    async def _wait_for_screen(self) -> None:
        """Let the first screen appear without the campaign, and wait until it has appeared."""
        self._is_read.set()
        await self._has_screen.wait()

    def delay_update(self, delay: float = 0.05) -> None:
        """Delay drawing while rooms are switched; afterwards also lay out the rooms behind a box,
        which Textual would leave as they were."""
        super().delay_update(delay)
        self.set_timer(delay, self._lay_out_behind_boxes)

    def _lay_out_behind_boxes(self) -> None:
        for screen in self.screen_stack[:-1]:
            screen.check_idle()

    async def open_and_ask_seat(self, make: Callable[[], CampaignReader]) -> None:
        """Open the campaign that `make` creates or reads, and ask for the seat if necessary."""
        if self.session.seen is not None:
            self.clear_notifications()
        self._looks.remember_pending()
        self.session.close()
        if self.current_mode != DASHBOARD:
            await self.switch_mode(DASHBOARD)
        self.update_rooms()
        try:
            desk = await self.session.open(make)
        except Exception as error:
            await self._wait_for_screen()
            self.report_error(error)
            if self.served:
                self.end_because_not_opened(error)
            else:
                await self.switch_mode(HOME)
            return
        known = desk.view().campaign
        players = {side: record.player for side, record in known.sides.items()}
        if "seat" in self._given_seat or desk.path == self.tour:
            await self.take_seat_alone(self._given_seat.get("seat"))
        else:
            await self._wait_for_screen()
            here = mail_state.side_on_this_machine(desk.campaign_id)
            if not await self.two_players.ask_and_take_seat(players, here, again=False):
                self._looks.list_at_home(desk.path, known.situation)
                self.session.close()
                await self.switch_mode(HOME)
                return
        await self._wait_for_screen()
        self.show_campaign_notices()
        painted = asyncio.Event()
        self.call_after_refresh(painted.set)
        await painted.wait()
        if self.session.seen is not None:
            self._looks.remember(self.session.seen)
        self.let_keys_pass()
        self._take_given_mail()
        await self.session.warm_up()
        # The program's own objects are never freed: searching them for garbage would stop the
        # screen for a tenth of a second now and then.
        gc.unfreeze()
        gc.freeze()

    def _take_given_mail(self) -> None:
        """Receive the mail that the program was opened with."""
        path, self._mail = self._mail, None
        if path is not None:
            self.receive_mail(path)

    async def take_seat_alone(self, seat: Seat) -> None:
        path = str(self.session.path)
        looked = load_memory(self.memory.visitor).looked.get(path, {}).get(seat_label(seat))
        self.news = None
        self.map_cursor = FIRST_HEX  # the other seat's position may be its secret
        await self.session.show_as_seat(seat, self.served)
        accepting = f"{self.key_text(f'{EVERYWHERE}.as_it_is')} accepts it as it is"
        await self.session.look_up(lambda desk: _compare(desk, accepting), can_stop=False)
        is_same = looked is not None and looked.begun == self.session.campaign_id
        if looked is not None and is_same and self.session.seat is seat:
            lines = await self.session.look_up(
                lambda desk: desk.view().lines_since(looked.mark), can_stop=False
            )
            if lines:
                self.news = summarize_news(lines)
                self.update_rooms()

    # --- work at the desk -------------------------------------------------------------------------

    async def _in_box(self, work: Coroutine[Any, Any, Any], stop: Event | None) -> Any:
        """Do work while keys wait, in a box if it takes long. If the player stops work that stores
        nothing, and so has no Event to `stop` it, the worker ends as if it was canceled."""
        if not self.is_current_worker_awaited():
            return await work
        try:
            return await run_with_box_if_long(self, AT_WORK, work, can_stop=stop is None, stop=stop)
        except StoppedError as stopped:
            self.show_notice(str(stopped))
            raise asyncio.CancelledError from None

    def handle_server_report(self) -> None:
        lost = self.session.lost
        if bool(lost) != self._is_lost:
            self._is_lost = bool(lost)
            if lost:
                self.show_warning(LOST, "No connection to the server")
            else:
                self.withdraw_notice(LOST)
                self.show_notice("The connection to the server is back.")
            self.update_rooms()
        if not lost:
            self.run_worker(self._catch_up(), group="news")

    async def _catch_up(self) -> None:
        if self.session.is_replaced:
            await self._open_replacement()
            return
        try:
            if await self.session.catch_up() and not self.served:
                self.show_notice("Another window has changed the campaign; it has been read again.")
            self.show_campaign_notices()
        except OtherCampaignError:
            await self._open_replacement()
        except UnreachableError:
            return  # the listener reports a lost connection, once
        except Exception as error:
            self.report_error(error)

    async def _open_replacement(self) -> None:
        """As soon as the player has left all boxes, open the campaign that has replaced the open
        one, and ask for the seat."""
        if self.served:
            self.end_because_not_opened(OtherCampaignError())
        elif len(self.screen_stack) > 1:
            self.show_warning(TYPED_FOR_ANOTHER, REPLACED)
            self.update_rooms()
        elif self.session.path is not None and not self._is_opening:
            self.show_warning(OPENED_INSTEAD, REPLACED)
            self._given_seat = {}
            self.open_campaign(self.session.path)

    @property
    def _is_opening(self) -> bool:
        return any(each.group == "open" and not each.is_finished for each in self.workers)

    async def on_campaign_file_changed(self, _: CampaignFileChanged) -> None:
        await self._catch_up()

    async def on_app_focus(self, _: events.AppFocus) -> None:
        await self._catch_up()

    def campaign_changed(self, seen: CampaignSnapshot) -> None:
        if self._has_screen.is_set():  # open_and_wait does it later otherwise
            self._looks.remember_later(seen)
        self.two_players.update_curtain(seen)
        before, self._before = self._before, seen
        self._note_result(before, seen)
        for title, words in news_between(before, seen, self.key_text(f"{EVERYWHERE}.requests")):
            self.show_warning(words, title)
        self.update_rooms()

    def _note_result(self, before: CampaignSnapshot | None, seen: CampaignSnapshot) -> None:
        """Note the result of the entries since a snapshot; of long work, since its beginning."""
        before = self._before_work or before
        self._before_work = before if self.session.busy else None
        result = result_between(before, seen)
        if result is not None:
            self.note_result(result)

    def refresh_state_lines(self) -> None:
        for screen in self.screen_stack if self.is_running else ():
            if isinstance(screen, Room) and screen.is_mounted:
                screen.refresh_state_line()

    def fits_state_line(self, words: str) -> bool:
        return any(line.fits(words) for line in self.screen.query(StateLine))

    def update_rooms(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, Room | Dialog) and screen.is_mounted:
                screen.catch_up()
        if self._around is not None:
            self._around.schedule_report()
        else:
            set_window_title(self)
        # The last snapshot may arrive when the app is already closing.
        if self.screen_stack:
            self.refresh_bindings()

    def on_files_given(self, event: FilesGiven) -> None:
        """Pass a visitor's files on to the dialog that asked for them."""
        self.screen.post_message(FilesGiven(event.files))

    # --- for two players --------------------------------------------------------------------------

    def defers_to_curtain(self, then: Callable[[], Awaitable[Any] | None]) -> bool:
        return self.two_players.defers_to_curtain(then)

    def withholding_notices_from_others(
        self, before: CampaignSnapshot | None
    ) -> AbstractContextManager[bool]:
        return self.two_players.withholding_notices_from_others(before)

    def notify(self, message: str, **how: Any) -> None:
        if not self.two_players.withholds:
            super().notify(message, **how)

    def change_seat(self, then: Callable[[], Awaitable[Any] | None] | None) -> None:
        self.two_players.change_seat(then)

    def action_seat(self) -> None:
        self.change_seat(None)

    def action_pin(self) -> None:
        self.two_players.set_pin()

    # --- actions of everywhere --------------------------------------------------------------------

    @property
    def room(self) -> Room | None:
        """The room in front, if it shows its contents."""
        front = self.screen
        return front if isinstance(front, Room) and front.shows_contents else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_action_allowed(f"{EVERYWHERE}.{action}"):
            return False
        entry = BY_ID.get(f"{EVERYWHERE}.{action}")
        if entry is None or not entry.campaign:
            return True
        seen = self.session.seen
        if seen is None:
            return False
        if action == "point":
            return self.room is not None and self.room.can_point()
        # A side always has the key: a missing key would reveal a secret of the enemy.
        reach = {"undo": seen.undo, "redo": seen.redo}.get(action)
        # Home shows no campaign, so a player there would not see what is undone; the form for the
        # end of a scenario undoes its own steps.
        shown = self.current_mode not in (HOME, SCENARIO_END)
        return reach is None or (reach != "nothing" and shown)

    def on_key(self, event: events.Key) -> None:
        """Show the new key of the action that this key had in 1.0, or say that the action needs a
        campaign while none is open."""
        found = self.screen.active_bindings.get(event.key)
        works = found is not None and found.enabled
        leads_here = found is not None and found.binding.id == f"{EVERYWHERE}.{self.current_mode}"
        in_new_demo = self.tour is not None or self.first_steps is not None
        if not (works and in_new_demo) and (
            words := self._moved.new_key_text(
                self, self.screen, event.key, works=works and not leads_here
            )
        ):
            self.show_notice(words)
            return
        if works or self.session.seen is not None or self.current_mode != HOME:
            return
        for action in actions_of(EVERYWHERE):
            if action.campaign and self.has_key(event.key, action.id):
                self.show_notice(NEEDS_CAMPAIGN.format(action.label))

    def interrupts_work(self, key: events.Key) -> bool:
        if isinstance(self.screen, WorkingScreen):
            return True  # this box takes all keys
        room = self.room
        return (
            room is not None
            and room.has_work_to_stop()
            and self.has_key(key.key, f"{room.PLACE}.stop")
        )

    def report_if_too_early(self, key: events.Key) -> bool:
        if self.two_players.was_pressed_before_curtain(key):
            return self.two_players.reports_ignored_keys_on_curtain()
        front = self.screen
        unseen = isinstance(front, PrestyledScreen) and not front.in_front.was_drawn_before(
            key.time
        )
        leaves = self.has_key(key.key, "dialogs.close", f"{EVERYWHERE}.quit")
        if unseen and not (leaves or self.is_text_for_field(key)):
            self.show_dropped([key], "pressed before this screen appeared, so ignored")
            return True
        asked = self.room or front
        if isinstance(asked, Room | Dialog) and asked.is_premature(key):
            self.show_dropped([key], "pressed before this question appeared, so ignored")
            return True
        return False

    def show_dropped(self, keys: Sequence[events.Key], why: str) -> None:
        if self.two_players.reports_ignored_keys_on_curtain():
            return
        named = ", ".join(key_text(key.key) for key in keys)
        self.show_notice(f"{named}: {why}.")

    async def go_to_room(self, place: str, subject: str = "") -> None:
        if place not in ON_TABLE and self.defers_to_curtain(
            partial(self.go_to_room, place, subject)
        ):
            return
        came_from = self.current_mode
        if place == REFIT and self.tour is not None:
            self.first_steps, self.tour = (self.tour, FirstSteps()), None
        await self.switch_mode(place)
        if isinstance(self.screen, Room):
            if came_from != place:
                self.screen.came_from = came_from
            if subject:
                self.screen.go_to(subject)

    action_home = partialmethod(go_to_room, HOME)
    action_dashboard = partialmethod(go_to_room, DASHBOARD)
    action_refit = partialmethod(go_to_room, REFIT)
    action_forces = partialmethod(go_to_room, FORCES)
    action_journal = partialmethod(go_to_room, JOURNAL)
    action_purchases = partialmethod(go_to_room, PURCHASES)
    action_setup = partialmethod(go_to_room, SETUP)
    action_forecast = partialmethod(go_to_room, FORECAST, "the coming phase")
    action_campaign = partialmethod(go_to_room, CAMPAIGN)
    action_allotments = partialmethod(go_to_room, CAMPAIGN, "allotments")
    action_totals = partialmethod(go_to_room, CAMPAIGN, "totals")
    action_order_of_battle = partialmethod(go_to_room, CAMPAIGN, "order_of_battle")
    action_catalogue = partialmethod(go_to_room, CAMPAIGN, "catalogue")
    action_rulings = partialmethod(go_to_room, CAMPAIGN, "rulings")
    action_audit = partialmethod(go_to_room, CAMPAIGN, "audit")
    action_export = partialmethod(go_to_room, CAMPAIGN, "export")

    async def action_aids(self) -> None:
        """Open the play aids with a question about the selected counter."""
        if isinstance(self.screen, Room) and self.current_mode != AIDS:
            await self.go_to_room(AIDS, self.room.aid_question_prefix() if self.room else "")

    async def action_map(self) -> None:
        """Open the Map, or start pointing on it if a Location is asked for."""
        if self.room is not None and self.room.can_point():
            self.room.start_pointing()
        else:
            await self.go_to_room(MAP)

    def action_point(self) -> None:
        if self.room is not None:
            self.room.start_pointing()

    @work(group="rooms", exclusive=True)
    async def action_rooms(self) -> None:
        from brt_cg.tui.frame.palette import choose_and_open_room

        await choose_and_open_room(self)

    def action_command_palette(self) -> None:
        if not self.screen.is_modal:
            self._choose_action()

    @work(group="palette", exclusive=True)
    async def _choose_action(self) -> None:
        from brt_cg.tui.frame.palette import choose_and_run_action

        await choose_and_run_action(self)

    async def action_requests(self) -> None:
        from brt_cg.tui.dialogs.requests import RequestsScreen

        if self.session.seen is not None:
            await self.push_screen(RequestsScreen())

    @work(group="accept", exclusive=True)
    async def action_as_it_is(self) -> None:
        """Accept a file that does not continue the campaign as the seat saw it, if the player is
        sure."""
        from brt_cg.tui.dialogs.campaign_file import accept_diverged_campaign

        await accept_diverged_campaign(self)

    @work(group="backups", exclusive=True)
    async def action_backups(self) -> None:
        from brt_cg.tui.dialogs.campaign_file import restore_chosen_backup

        await restore_chosen_backup(self)

    def action_ahead(self) -> None:
        self._answer_ahead()

    @work(group="ahead", exclusive=True)
    async def _answer_ahead(self) -> None:
        from brt_cg.tui.answering.early_answers import show_early_answers

        if not self.defers_to_curtain(self.action_ahead):
            await show_early_answers(self)

    @work(group="undo", exclusive=True)
    async def action_undo(self) -> None:
        from brt_cg.tui.answering import playback

        if words := self.room.undo_last_unentered() if self.room else "":
            self.show_notice(f"Undone: {words}")
        else:
            await playback.undo_newest(self)

    async def show_form(self, form: EntryForm[T]) -> T | None:
        from brt_cg.tui.forms.screen import FormScreen

        filled: T | None = await self.push_screen_wait(FormScreen(form))
        return filled

    def action_redo(self) -> None:
        from brt_cg.tui.answering import playback

        who = playback.current_viewer(self)
        shown = self.session.current_snapshot.redoes
        self.perform(lambda desk: playback.redo_last(desk, who, shown), self.show_notice)

    def action_mail(self) -> None:
        if not self.defers_to_curtain(self.action_mail):  # a mail belongs to a seat
            self._offer_mail()

    @work(group="mail", exclusive=True)
    async def _offer_mail(self) -> None:
        from brt_cg.tui.forms import mail

        await mail.send_or_receive_mail(self)

    @work(group="mail", exclusive=True, description="receive a mail")
    async def receive_mail(self, path: Path) -> None:
        from brt_cg.tui.forms import mail

        await mail.receive_mail(self, path)

    async def action_why(self, *subjects: str) -> None:
        """Explain the selected item, or the one clicked."""
        from brt_cg.tui.dialogs.why import WhyScreen, show_reasons

        if isinstance(self.screen, WhyScreen):
            return
        rooms = (screen for screen in reversed(self.screen_stack) if isinstance(screen, Room))
        room = next((room for room in rooms if room.shows_contents), None)
        if room is not None and not self.defers_to_curtain(partial(self.action_why, *subjects)):
            await show_reasons(self, *(subjects or room.why_subjects()))

    def action_copy_row(self) -> None:
        text = self.room.selected_row_text() if self.room else None
        if text:
            self.copy_with_notice(text)
        else:
            self.show_notice("There is nothing to copy here.")

    def action_next_theme(self) -> None:
        self.theme = next_cyclic([theme.name for theme in OURS], self.theme)

    def action_next_signs(self) -> None:
        """Switch between the full and the plain symbols, and remember it."""
        signs = next_cyclic([*SignSet], self.signs)
        self.use_signs(signs)
        self.memory.note_signs(signs)
        self.theme_changed_signal.publish(self.current_theme)  # the map is drawn differently
        self.refresh_css(animate=False)
        self.show_notice(f"Signs: {signs}")

    async def action_help(self) -> None:
        from brt_cg.tui.frame.help_screen import HelpScreen

        rooms = (screen for screen in reversed(self.screen_stack) if isinstance(screen, Room))
        await self.push_screen(HelpScreen(next(rooms), self.screen))

    @work(group="guide", exclusive=True)
    async def action_guide(self) -> None:
        """Show the guide, once the demo campaign has been played for it in another thread."""
        from brt_cg.tui.frame.help_screen import guide_box

        await self.push_screen(await guide_box(self))

    def _theme_changed(self, _: object) -> None:
        if self.memory.theme != self.theme:
            self.memory.note_theme(self.theme)

    def action_help_quit(self) -> None:
        """Show the player, after Ctrl+C, which key quits; Ctrl+C itself only copies."""
        key = self.key_text(f"{EVERYWHERE}.quit")
        self.show_notice(f"{key} quits; everything you entered is saved.")

    def forget_campaign(self, path: str) -> None:
        self._looks.remember_pending()  # so that Home lists the campaign
        self.memory.forget(path)

    async def action_quit(self) -> None:
        self.exit(0)

    def on_unmount(self) -> None:
        """Close the open campaign when the app closes for any reason."""
        self._looks.remember_pending()
        self.session.end_session()


def _compare(desk: CampaignReader, accepting: str) -> None:
    """Tell the player if the campaign is not a continuation of the one that the player's seat last
    saw."""
    parted = last_seen.find_divergence_or_remember(desk)
    if parted is not None:
        desk.notices.append(parted.text(str(desk.path), accepting))


def run_app(
    path: Place | None, backs_up: bool = True, mail: Path | None = None, tour: bool = False
) -> int:
    """Run the screen on a campaign, on the demo with a `tour`, or at Home, and receive the mail, if
    any. Return the exit status."""
    with restoring_window_title():
        return BrtApp(path, backs_up=backs_up, mail=mail, tour=tour).run() or 0


def run_served_app(path: Place, seat: Seat) -> int:
    """Run the screen for one seat in a browser. Return the exit status."""
    return BrtApp(path, served=True, seat=seat).run_for_visitor()
