"""An open campaign for reading, in the form that drivers with a screen get.

To enter something, they pass what was shown (shown_actions.py). OpenCampaign, which can enter
anything, is closed to them; types and import-linter ensure that.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self, TypeVar

from brt_cg.journal.early_answers import EarlyAnswers, key_within_kind
from brt_cg.journal.entries import NO_HASH
from brt_cg.journal.journal import Journal
from brt_cg.journal.upcoming import UpcomingQuestions, find_upcoming_similar_questions
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.question_types import Question
from brt_cg.service.kept_answers import KeptAnswers
from brt_cg.service.printed_figures import PrintedFigures
from brt_cg.service.stored_journal import read_journal
from brt_cg.storage import reader
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import DamagedError, StaleCampaignError
from brt_cg.storage.place import Address, Place, canonical_place
from brt_cg.views.journal import read_some_new_entries
from brt_cg.views.public_point import visible_journal
from brt_cg.views.question_name import QuestionName, question_identity
from brt_cg.views.view import PublicView, SharedView, View, create_view
from brt_cg.views.view_chain import view_hashes

if TYPE_CHECKING:
    from brt_cg.storage.postgres import Listener

TRIES = 3  # attempts to make entries when others were faster

T = TypeVar("T")


class CampaignReader:
    """One open campaign: a file, or one on a server. Unless `backs_up` is false, work that needs a
    backup of the file is refused if the backup cannot be made. `notices` are messages to show the
    player once; `both_play` says whether both players use the campaign now."""

    def __init__(self, path: Place, journal: Journal, backs_up: bool = True) -> None:
        self.path = path
        self._journal = journal
        self.backs_up = backs_up
        self.notices: list[str] = []
        self.both_play = False
        self.figures = PrintedFigures(lambda text: self.notices.append(text))
        self._listening: Listener | None = None
        self.early = EarlyAnswers(key_within_kind)
        self.kept = KeptAnswers()
        self.at_table = False
        self._coming: tuple[tuple[int, str | None], UpcomingQuestions] | None = None
        self.stored: Callable[[], None] = lambda: None  # called when something has been stored
        self.before_storing: Callable[[], None] = lambda: None  # it may refuse to

    @classmethod
    def open_read_only(cls, path: Place, seat: Seat | None = None) -> Self:
        """Open a campaign for a seat, for reading only, without upgrading it."""
        desk = cls(path, read_journal(path))
        desk.set_seat(seat)
        return desk

    def close(self) -> None:
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    # --- looking --------------------------------------------------------------------------------

    def view(self) -> View:
        """Return the current view of the seat; at the table, of the facts that both players may
        know."""
        return SharedView(self._journal) if self.at_table else create_view(self._journal, self.side)

    @property
    def _ask(self) -> Question[Any] | None:
        """The open question, if any."""
        return self._journal.open_question()

    def shared_view(self) -> SharedView:
        """Return the current view of the facts that both sides know."""
        return SharedView(self._journal)

    def public_view(self) -> PublicView:
        """Return the view of the facts that both sides know and have always known, for any
        reader."""
        return PublicView(self._journal)

    def question_identity(self) -> QuestionName | None:
        """Return the identity of the open question, even if the seat may not know the question: a
        screen uses it only to notice a new question, and never shows it."""
        return question_identity(self._journal, ())

    def count_entries_by_others(self) -> int:
        """Return the number of entries that the seat did not make: a screen uses it only to notice
        new ones, and never shows it."""
        return sum(entry.seat is not self.seat for entry in self._journal.entries)

    def read_some_entries_ahead(self) -> bool:
        """Read some of the journal for the seat, to save time later. Return whether all of it has
        been read."""
        return read_some_new_entries(self._journal, self.side)

    def entry_hashes_for_seat(self) -> list[str]:
        """Return the hash of each entry, or for a side of each link in its own chain."""
        side = self.side
        if side is None:
            return [entry.hash for entry in self._journal.entries]
        return view_hashes(visible_journal(self._journal, side), side)

    def open_and_similar_upcoming_questions(self) -> UpcomingQuestions:
        """Return the open question, and those of its kind that are still to come."""
        at = len(self._journal.entries), self._journal.head
        if self._coming is None or self._coming[0] != at:
            self._coming = (at, find_upcoming_similar_questions(self._journal))
        return self._coming[1]

    def has_new_entries(self) -> bool:
        """Whether another window or program has added entries."""
        return reader.newest_entry(self.path) != (len(self._journal.entries), self._journal.head)

    def listen_for_changes(self, notify: Callable[[str | None], None]) -> bool:
        """Call `notify`, from another thread, when others may have added entries (with None) and
        when the connection is lost (with a message). Return False for a file, which must be polled
        instead."""
        if isinstance(self.path, Address):
            from brt_cg.storage.postgres import Listener

            self._listening = Listener(self.path, notify)
        return self._listening is not None

    def reload(self) -> None:
        """Read the entries that others have added; or the whole journal, if it was not merely
        extended."""
        if self.read_new_entries():
            return
        seat = self._journal.seat
        self._journal = read_journal(self.path, self._journal.clock, self._journal.writer)
        self._journal.seat = seat

    def retry_if_stale(self, work: Callable[[], T]) -> T:
        """Do work that enters something, and repeat it if others have entered something at the same
        time; in the last try the others have to wait. Raises StaleCampaignError if there is a
        different journal now."""
        for _ in range(TRIES - 1):
            try:
                return work()
            except StaleCampaignError:
                if not self.read_new_entries():
                    raise
        with engine_of(self.path).exclusive_file_lock(self.path):
            self.read_new_entries()
            return work()

    def read_new_entries(self) -> bool:
        """Read the entries that others have added. Return whether there were any; if there is
        another journal now, read nothing. Raises StorageError."""
        known = (len(self._journal.entries), self._journal.head or NO_HASH)
        if reader.newest_entry(self.path)[0] > known[0]:
            with suppress(DamagedError):  # not an extension of the known journal
                reader.load_journal(self._journal, self.path, known)
                return True
        return False

    @property
    def name_in_local_memory(self) -> str:
        """The name by which this machine remembers the campaign: its id if it has a key. An older
        campaign has no key, and its copies share an id, as do two begun in one second; so its place
        is added."""
        keyed = self._journal.campaign.hidden_ids_key is not None
        return self.campaign_id if keyed else f"{self.campaign_id} {canonical_place(self.path)}"

    @property
    def campaign_id(self) -> str:
        """The identity of the campaign: the hash of its first entry."""
        return next((entry.hash for entry in self._journal.entries), "")

    @property
    def seat(self) -> Seat | None:
        """The seat at which entries are made now."""
        return self._journal.seat

    def set_seat(self, seat: Seat | None, at_table: bool = False) -> None:
        """Set the seat that sees the campaign and makes entries from now on (None: not known).
        `at_table` says whether two players are at the screen, and together enter facts that both
        may know."""
        self._journal.seat, self.at_table = seat, at_table

    @contextmanager
    def entering_for_both(self) -> Iterator[None]:
        """Make the entries in the `with` block as agreed in person by two players at one table."""
        seat = self._journal.seat
        self._journal.seat = Seat.UMPIRE
        try:
            yield
        finally:
            self._journal.seat = seat

    @property
    def side(self) -> Side | None:
        """The side of the seat; None: the umpire, or not known."""
        return None if self.seat is None else self.seat.side
