"""The campaign that is open on the screen, and the only thread that reads and writes it.

Screens never touch the live campaign: after each piece of work they get a `CampaignSnapshot`, an
immutable snapshot of the campaign as the seat may see it.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from importlib import import_module
from inspect import isgenerator
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, TypeVar

from brt_cg.card import Card
from brt_cg.exports.next_step import NextStep, Stage, find_next_step, setup_stages
from brt_cg.files import system_error_text
from brt_cg.immutable import immutable
from brt_cg.model import (
    NO_CODES,
    Campaign,
    CounterCodes,
    Phase,
    Side,
    seat_of_side,
    visible_campaign,
)
from brt_cg.questions import Question, RefusedError
from brt_cg.questions.question_group import QuestionGroup, group_questions
from brt_cg.refit.sequence import NUMBERS, paragraph_of
from brt_cg.service import last_seen, shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.drafts import NOT_KEPT, Drafts
from brt_cg.service.opening import open_campaign
from brt_cg.service.setup_answers import SetupAnswers
from brt_cg.service.shown_actions import (
    CampaignPosition,
    CommandBasis,
    Group,
    identity_of_entries_to_redo,
    identity_of_entries_to_undo,
)
from brt_cg.service.undo_redo import UndoReach, entry_count, redo_reach, undo_reach
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import OtherCampaignError, StaleCampaignError
from brt_cg.storage.place import Place
from brt_cg.storage.sync_folders import sync_warning
from brt_cg.text import count_text
from brt_cg.tui.keys.actions import ROOMS
from brt_cg.tui.question.picking import NOTHING, OfferedAnswers, offered_answers
from brt_cg.views.hot_seat import HotSeat, ScreenTurn
from brt_cg.views.journal_rows import ShownLine, shorten_undone_runs
from brt_cg.views.mismatch import ShownMismatch
from brt_cg.views.question_name import QuestionName
from brt_cg.views.requests import Request
from brt_cg.views.rights import is_for_both
from brt_cg.views.roll_result import RollResult
from brt_cg.views.steps import Step, list_steps, upcoming_step
from brt_cg.views.view import NotOwnSeatError, ReadMark

T = TypeVar("T")
Seat = Side | None  # None is the umpire, who sees everything
MOST_LINES = 400  # of the log; more than any player scrolls through
STOPPED = "Stopped: nothing was written."
BREATH = 0.3  # seconds between snapshots during long work


def seat_label(seat: Seat) -> str:
    """Return the name of a seat: "Marine", "Japanese", "Umpire"."""
    return seat.label if seat else "Umpire"


@immutable
class CampaignSnapshot:
    """The campaign at one moment as one seat may see it.

    `ask` is the open question, `asked` its identity; both are also None if the question is the
    enemy's secret (`waiting` is then true), or if the paragraph in progress cannot continue
    (`mismatch` then says why). `log` has the newest lines, `steps` all paragraphs of this Refit
    Phase. `begun` is the hash of the first entry, which identifies the campaign; `mark` is the
    point up to which the seat sees the journal, `side_to_answer` the side whose turn it is. `undo`
    and `redo` say whether the seat may undo or restore, `undoes` and `redoes` identify the entries.
    `listed` is the open question in one list with the coming ones of its kind, if this seat answers
    them; `offered` are the answers that the list, or the question, offers; `again` is the reason
    why a question is asked although it was answered early; `queued` counts the early answers,
    `kept` those after an answer that is given again. `half` is the side that has not entered its
    scenario-end report yet, if its enemy has. `requests` are the open requests of both sides.
    `turn` says whose turn at the screen it is, if two players share it. `next_step` is the next
    thing to do, `stages` those from a new campaign to its first scenario. `reminders` are those of
    the CG Date, `codes` those of the scenario's sheet. `rolled` is the result of the newest roll.
    """

    path: Place
    seat: Seat
    view: Campaign
    card: Card
    ask: Question[Any] | None
    waiting: bool
    mismatch: ShownMismatch | None
    log: tuple[ShownLine, ...]
    steps: tuple[Step, ...]
    next_step: NextStep
    begun: str
    mark: ReadMark
    side_to_answer: Side | None
    undo: UndoReach
    redo: UndoReach
    asked: QuestionName | None = None
    rolled: RollResult | None = None
    undoes: Group = shown_actions.NOTHING_UNDONE
    redoes: Group = shown_actions.NOTHING_UNDONE
    listed: QuestionGroup | None = None
    offered: OfferedAnswers = NOTHING
    again: str = ""
    queued: int = 0
    kept: int = 0
    half: Side | None = None
    requests: tuple[Request, ...] = ()
    reminders: tuple[str, ...] = ()
    turn: ScreenTurn | None = None
    stages: tuple[Stage, ...] = ()
    codes: CounterCodes = NO_CODES

    @property
    def requests_for_seat(self) -> tuple[Request, ...]:
        """The requests that the seat may agree to or decline."""
        return tuple(
            request for request in self.requests if request.can_be_answered_from(self.seat)
        )

    @property
    def shows_shared_table(self) -> bool:
        """Whether two players are looking, so that only facts that both may know are shown."""
        return self.turn is not None and self.turn.at_table

    @property
    def viewer_key(self) -> tuple[Place, Seat, bool]:
        """A key that distinguishes one viewer, a player or the table, from another."""
        return self.path, self.seat, self.shows_shared_table

    @property
    def side_behind_curtain(self) -> Side | None:
        """The side whose decision is behind the curtain, if two players share the screen."""
        return self.turn.curtain if self.turn is not None else None

    @property
    def position(self) -> CampaignPosition:
        """The position of the campaign, as this seat sees it."""
        upcoming = self.upcoming
        return CampaignPosition(self.asked, upcoming.number if upcoming is not None else None)

    def basis_of(
        self,
        *ids: str,
        fields: Iterable[str] | None = None,
        drafts: Side | None = None,
    ) -> CommandBasis:
        """Return the basis of a command: records as this seat sees them, and a side's drafts."""
        return shown_actions.basis_of(self.begun, self.view, ids, fields, drafts)

    @property
    def upcoming(self) -> Step | None:
        """The paragraph that begins next, if none is in progress."""
        return upcoming_step(self.steps)

    @property
    def can_report_scenario_end(self) -> bool:
        """Whether the seat may enter the end of the scenario now, or the missing report of it."""
        whole = self.view.situation.phase is Phase.SCENARIO
        return whole or (self.half is not None and self.may_know(self.half))

    def for_missing_scenario_report(self) -> "CampaignSnapshot":
        """Return the snapshot for entering the missing scenario-end report: from the umpire's seat,
        only the knowledge of the reporting side, so that the report contains nothing else."""
        if self.half is None or self.seat is not None:
            return self
        codes = self.codes.as_typed_by(self.half)
        return replace(
            self, seat=self.half, view=visible_campaign(self.view, self.half), codes=codes
        )

    def has_news_since(self, before: "CampaignSnapshot") -> bool:
        """Whether this snapshot has news for its seat, compared with an earlier one."""
        return self.seat is None or (self.log, self.view) != (before.log, before.view)

    def may_know(self, side: Side) -> bool:
        """Whether the seat may know the secrets of a side."""
        return self.seat in (None, side) and not self.shows_shared_table


def entries_since_text(then: CampaignSnapshot, now: CampaignSnapshot) -> str:
    """Return the age of figures that were made from a snapshot: "before the last 3 entries"; "" if
    the seat knows of no entry since."""
    if then.viewer_key != now.viewer_key or then.mark == now.mark:
        return ""
    since = now.mark.rows - then.mark.rows or now.mark.lines - then.mark.lines
    return f"before the last {count_text(since, 'entry') if since > 1 else 'entry'}"


# Do work that a player waits for; the Event, if there is one, stops it before it stores anything.
InBox = Callable[[Coroutine[Any, Any, Any], Event | None], Coroutine[Any, Any, Any]]


class Session:
    """An open campaign, the seat that is looking at it, and the campaign's thread.

    `publish` is called on the screen's thread with each new snapshot. `heard` is called when a
    server reports that others may have added entries, that the connection is `lost` (a message), or
    that it is back; `stored` is called when something has been entered here and is stored. `in_box`
    does work that a player waits for, in a box if it is long.
    """

    def __init__(
        self,
        publish: Callable[[CampaignSnapshot], None],
        heard: Callable[[], None] = lambda: None,
        stored: Callable[[], None] = lambda: None,
        in_box: InBox | None = None,
    ) -> None:
        self.seat: Seat = None
        self.seen: CampaignSnapshot | None = None
        self.hot: HotSeat | None = None  # while two players share the screen
        # The last imported file, which may contain the opponent's report too.
        self.imported: Path | None = None
        self.busy = False
        self.lost: str | None = None
        self._publish = publish
        self._heard, self._stored = heard, stored
        self._in_box = in_box or (lambda work, stop: work)
        self._listens = False  # false for a file, which is polled
        self._news = False
        self._desk: CampaignReader | None = None
        self._begun = ""  # identifies the opened campaign
        self._identity = ""
        self.is_replaced = False  # whether another campaign is now in that place
        self._placings: SetupAnswers | None = None
        self._thread = ThreadPoolExecutor(1, "desk")
        self._in_hand = 0  # the number of pieces of work in the thread
        self.stopping = Event()  # set to stop the current work
        self._looked = 0  # how often the viewer changed; older snapshots are dropped

    @property
    def current_snapshot(self) -> CampaignSnapshot:
        """The current snapshot of the open campaign, which another window may have changed since a
        form was opened."""
        assert self.seen is not None, "a campaign is open"
        return self.seen

    @property
    def path(self) -> Place | None:
        """The file or address of the open campaign."""
        return self._desk.path if self._desk else None

    @property
    def campaign_id(self) -> str:
        """The hash of the first entry of the campaign that was opened, which identifies it."""
        _ = self._open_desk()
        return self._begun

    @property
    def identity_on_this_machine(self) -> str:
        """The name by which this machine remembers the open campaign."""
        _ = self._open_desk()
        return self._identity

    def drafts(self, seat: Seat) -> Drafts:
        """Return the drafts of a seat in this campaign."""
        at_table = self.seen is not None and self.seen.shows_shared_table
        return Drafts(
            self.campaign_id,
            "table" if at_table else str(seat_of_side(seat)),
            self.warn_draft_not_saved,
        )

    def warn_draft_not_saved(self, error: OSError) -> None:
        """Warn the player, once, that a draft could not be written."""
        words = NOT_KEPT.format(system_error_text(error))
        if self._desk is not None and words not in self._desk.notices:
            self._desk.notices.append(words)

    @property
    def setup_answers(self) -> SetupAnswers:
        """The answers noted for the setup questions of this campaign, until they are answered."""
        if self._placings is None:
            self._placings = SetupAnswers(self._open_desk(), self.warn_draft_not_saved)
        return self._placings

    async def open(self, make: Callable[[], CampaignReader]) -> CampaignReader:
        """Open the campaign that `make` creates or reads; nothing is shown before `sit`.

        Raises whatever `make` raises: RefusedError, StorageError.
        """
        self.close()
        desk = self._desk = await self._in_thread(make)
        self._begun, self.is_replaced = desk.campaign_id, False
        self._identity = desk.name_in_local_memory
        loop = asyncio.get_running_loop()
        context = copy_context()  # with the app, which Textual's timers need

        def on_screen(tell: Callable[..., None], *told: object) -> None:
            with suppress(RuntimeError):  # if the screen is closed already
                loop.call_soon_threadsafe(tell, *told, context=context)

        desk.stored = partial(on_screen, self._stored)
        self._listens = await self._in_thread(
            lambda: desk.listen_for_changes(partial(on_screen, self._hear, desk))
        )
        return desk

    def _hear(self, desk: CampaignReader, lost: str | None) -> None:
        if desk is self._desk:
            self.lost = lost
            self._news = lost is None
            self._heard()

    async def show_as_seat(self, seat: Seat, served: bool = False) -> None:
        """Show the campaign as a seat sees it; that seat also makes the next entries. If it is
        `served`, both players use the campaign."""
        self.seat, self.hot = seat, None
        self._looked += 1
        desk = self._open_desk()
        desk.both_play |= served and seat is not None
        await self._in_thread(lambda: desk.set_seat(seat_of_side(seat)))
        await self._refresh(desk)

    async def start_hot_seat(self) -> None:
        """Show the campaign to two players at one screen, each behind a curtain."""
        self.hot, desk = HotSeat(), self._open_desk()
        self._looked += 1
        desk.both_play = True
        await self._refresh(desk)

    async def lift_or_lower_curtain(self, side: Side | None) -> None:
        """Lift the curtain for a side of the two that share the screen; None lowers it."""
        desk, hot = self._open_desk(), self.hot
        if hot is None:
            return
        if side is None:
            hot.lower_curtain()
        else:
            await self._in_thread(lambda: hot.lift_curtain(side, desk.question_identity()))
        self._looked += 1
        await self._refresh(desk)

    async def perform(self, work: Callable[[CampaignReader], Any], *, plays: bool = False) -> Any:
        """Run work in the campaign's thread and show the new state, even if the work fails.

        Long work is in a box, unless it `plays`: then it is a generator, whose progress is shown by
        the room. Raises whatever the work raises, and RefusedError if it was stopped before it had
        stored anything.
        """
        desk = self._open_desk()
        loop, looked = asyncio.get_running_loop(), self._looked
        context = copy_context()  # with the app, which Textual's timers need

        def show() -> None:
            seen = self._look(desk, goes_on=True)
            loop.call_soon_threadsafe(self._show, desk, seen, looked, context=context)

        self.busy = True
        self.stopping.clear()
        doing = self._in_thread(lambda: _carry_out(self._checked(desk), work, show, self.stopping))
        try:
            return await (doing if plays else self._in_box(doing, self.stopping))
        finally:
            self.busy = False
            await self._refresh(desk)

    def _open_desk(self) -> CampaignReader:
        """Return the open campaign. If it has been closed, the calling worker is canceled, because
        its result is no longer wanted."""
        if self._desk is None:
            raise asyncio.CancelledError("no campaign is open")
        return self._desk

    def _checked(self, desk: CampaignReader) -> CampaignReader:
        """Return the open campaign. Raises OtherCampaignError if another campaign has replaced it:
        nothing may be stored there, and its seats are different."""
        if desk is self._desk and desk.campaign_id != self._begun:
            self.is_replaced = True
            raise OtherCampaignError
        return desk

    async def _refresh(self, desk: CampaignReader) -> None:
        try:
            looked, seen = await self._in_thread(
                lambda: (self._looked, self._look(self._checked(desk)))
            )
        except OtherCampaignError:
            return  # the snapshot of another campaign, which nobody has opened
        self._show(desk, seen, looked)
        if self._news:  # reported during the work
            self._heard()

    def _look(self, desk: CampaignReader, goes_on: bool = False) -> CampaignSnapshot:
        """Return the snapshot for the viewer now; `goes_on` keeps the viewer while long work
        continues."""
        hot, turn = self.hot, None
        if hot is not None:
            turn = (
                hot.turn
                if goes_on
                else hot.update_screen_turn(
                    desk.shared_view(), desk.question_identity(), entry_count(desk)
                )
            )
            desk.set_seat(seat_of_side(None if turn.at_table else turn.seat), turn.at_table)
        if desk is self._desk:
            self.setup_answers.carry_over_to_reopened_question(desk)
        return take_snapshot(desk, turn)

    def take_notices(self) -> list[str]:
        """Return the notices that the open campaign has collected for the player, and clear
        them."""
        if self._desk is None:
            return []
        notices, self._desk.notices = self._desk.notices, []
        return notices

    def stop_work(self) -> None:
        """Stop long work after the current answer; the answers so far are kept."""
        self.stopping.set()

    async def look_up(self, question: Callable[[CampaignReader], T], *, can_stop: bool = True) -> T:
        """Look something up in the open campaign without showing a new snapshot; if that takes long
        and `can_stop`, in a box. Raises RefusedError. If the curtain came down on the player who
        asked, the worker ends as if it was canceled."""
        desk = self._open_desk()
        try:
            looking = self._in_thread(lambda: question(self._checked(desk)))
            found: T = await (self._in_box(looking, None) if can_stop else looking)
            return found
        except NotOwnSeatError:
            raise asyncio.CancelledError from None

    async def catch_up(self) -> bool:
        """Read the campaign again if another window has changed it. Return whether this seat may
        know of the change."""
        desk = self._desk
        if desk is None or self.seen is None or self._in_hand:
            return False  # the app would wait for that work and handle no keys
        if self._listens:
            if not self._news:
                return False
            self._news = False
        if not await self._in_thread(desk.has_new_entries):
            return False
        before = self.seen
        await self.perform(self._read_again, plays=True)
        return self.seen.has_news_since(before)

    def _read_again(self, desk: CampaignReader) -> None:
        """Read the entries of another window, then enter the early answers given here."""
        desk.reload()
        shown_actions.answer_if_answered_early(self._checked(desk))

    async def warm_up(self) -> None:
        """Load the modules that the rooms and the first write need, so that no key has to wait for
        them."""
        await self._in_thread(_load_the_rules)
        screens = ("tui.forms.screen", *(f"tui.rooms.{room}.screen" for room in ROOMS))
        for name in ("storage.entry_writer", *screens):
            await self._in_thread(partial(import_module, f"brt_cg.{name}"))

        # In small parts, so that an answer given meanwhile need not wait for all of it.
        while self._desk and not await self.look_up(CampaignReader.read_some_entries_ahead):
            pass

    def close(self) -> None:
        """Close the campaign."""
        desk, self._desk = self._desk, None
        self.seen = self._placings = None
        self.lost, self._listens, self._news = None, False, False
        if desk is not None:
            self._thread.submit(
                desk.close if self.is_replaced else partial(_leave, desk, self.seat)
            )

    def end_session(self) -> None:
        """Close the session permanently."""
        self.close()
        self._thread.shutdown(wait=False)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Do work in the thread. If its worker is canceled, work that has begun still runs to its
        end."""
        loop, path, has_begun = asyncio.get_running_loop(), self.path, Event()

        def begin() -> T:
            has_begun.set()
            return _with_one_connection(path, work)

        doing = loop.run_in_executor(self._thread, begin)
        self._in_hand += 1
        doing.add_done_callback(self._done)
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            if not has_begun.is_set():
                _ = doing.cancel()
            raise

    def _done(self, done: "asyncio.Future[Any]") -> None:
        self._in_hand -= 1
        if not done.cancelled():
            _ = done.exception()  # if nobody waits for it anymore
        if self._news and not self._in_hand and not self.is_replaced:
            self._heard()  # handle the news reported during the work

    def _show(self, desk: CampaignReader, seen: CampaignSnapshot, looked: int) -> None:
        if looked != self._looked:
            return  # made for the previous player
        if self.hot is not None and seen.turn is self.hot.turn:
            self.seat = seen.seat
        if desk is self._desk and seen.seat is self.seat:
            self.seen = seen
            self._publish(seen)


def _with_one_connection(path: Place | None, work: Callable[[], T]) -> T:
    """Do a piece of work, which may read a campaign many times, with one connection."""
    with nullcontext() if path is None else engine_of(path).reuse_connection(path):
        return work()


def _leave(desk: CampaignReader, seat: Seat) -> None:
    """Close a campaign, and remember the last entry that its seat has seen."""
    try:
        desk.set_seat(seat_of_side(seat))
        last_seen.remember_seen_if_continued(desk)
    finally:
        desk.close()


def _load_the_rules() -> None:
    """Load every paragraph of the Refit Phase."""
    for number in NUMBERS:
        paragraph_of(number)


def read_campaign(path: Place, backs_up: bool = True) -> CampaignReader:
    """Read a campaign. Raises StorageError."""
    desk = open_campaign(path.absolute(), backs_up)
    words = sync_warning(path)
    desk.notices += [words] if words is not None else []
    return desk


def _carry_out(
    desk: CampaignReader,
    work: Callable[[CampaignReader], Any],
    show: Callable[[], None],
    stop: Event,
) -> Any:
    try:
        with _stopped_by(desk, stop):
            done = work(desk)
        if not isgenerator(done):
            return done
        shown = monotonic()
        for _ in done:
            if stop.is_set():
                return None
            if monotonic() - shown > BREATH:
                show()
                shown = monotonic()
    except StaleCampaignError:
        desk.reload()
        raise
    return None


@contextmanager
def _stopped_by(desk: CampaignReader, stop: Event) -> Iterator[None]:
    """Refuse to store anything in the `with` block once an event is set, except in the middle of
    something that is stored in parts."""

    def check() -> None:
        if stop.is_set():
            raise RefusedError(STOPPED)
        desk.before_storing = ignored

    def ignored() -> None:
        pass

    desk.before_storing = check
    try:
        yield
    finally:
        desk.before_storing = ignored


def take_snapshot(desk: CampaignReader, turn: ScreenTurn | None = None) -> CampaignSnapshot:
    """Return the campaign as the open campaign's seat may see it now; `turn` says whose turn it is
    of two players at one screen. This takes about a millisecond for 600 counters."""
    book, at_table = desk.view(), desk.at_table
    seat = turn.seat if turn is not None else book.side
    ask, view = book.ask, book.campaign
    answers = ask is not None and seat in (None, ask.side)
    listed = _listed(desk, at_table) if answers else None
    known = [] if at_table else [side for side in Side if seat in (None, side)]
    steps = list_steps(book)
    return CampaignSnapshot(
        path=desk.path,
        seat=seat,
        view=view.clone() if book.side is None and not at_table else view,
        card=book.card,
        ask=ask,
        waiting=book.waiting,
        mismatch=book.mismatch,
        log=tuple(shorten_undone_runs(book.newest_lines(MOST_LINES)))[-MOST_LINES:],
        steps=steps,
        next_step=find_next_step(book, seat, known, upcoming_step(steps)),
        begun=desk.campaign_id,
        mark=book.mark,
        side_to_answer=book.side_to_answer,
        undo=undo_reach(desk),
        redo=redo_reach(desk),
        asked=book.question_identity,
        rolled=book.newest_roll,
        undoes=identity_of_entries_to_undo(desk),
        redoes=identity_of_entries_to_redo(desk),
        listed=listed,
        offered=offered_answers(listed or ask, seat, at_table=at_table),
        again=desk.early.reason_to_ask_again(desk.question_identity()) if answers else "",
        queued=desk.early.count_unused_known_to(seat) if not at_table else 0,
        kept=len(desk.kept) if seat is None and not at_table else 0,
        half=book.half,
        requests=book.requests,
        reminders=tuple(book.reminders_for(view.situation.date)),
        turn=turn,
        stages=setup_stages(view, known),
        codes=book.codes,
    )


def _listed(desk: CampaignReader, at_table: bool) -> QuestionGroup | None:
    """Return the questions of one kind, at the table only those that both may see; leave out those
    that an earlier list left at their default."""
    coming = desk.open_and_similar_upcoming_questions()
    asks = (each for each in coming.asks[1:] if not desk.early.is_by_default(each))
    coming = replace(coming, asks=(*coming.asks[:1], *asks))
    if at_table:
        coming = replace(coming, asks=tuple(filter(is_for_both, coming.asks)))
    return group_questions(
        coming.asks, coming.doubtful, desk.early.non_default_answers_for(coming.asks)
    )
