"""The view: everything that one seat may know of a campaign at one moment, and nothing else.

All output for a seat (a page, a document, a letter, a refusal) is made from its view. It contains
no counter that the seat may not know of and no number of the journal: its lines, rows and marks
count what the seat sees. Parts that take long to read (rows, head, lines) are read when first used,
in the campaign's thread; once the campaign has moved on, a view can no longer read them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import wraps
from itertools import islice, takewhile
from typing import Any, NamedTuple, NoReturn, TypeVar
from weakref import WeakKeyDictionary

from brt_cg.card import Card, load_card
from brt_cg.journal.changes import apply_changes, invert_changes
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TIME_TRAVEL
from brt_cg.journal.journal import Journal
from brt_cg.model import Campaign, CounterCodes, Phase, Side, assign_codes, visible_campaign
from brt_cg.questions import Question
from brt_cg.views.journal import (
    NOTHING,
    SeatJournalReader,
    campaign_and_rows_since,
    is_undone,
    journal_rows,
    kinds_of_rows_not_undone,
    reminder_sentences,
    rows_without_changes,
    shared_rows,
    updated_seat_reader,
)
from brt_cg.views.journal_rows import ShownLine, ShownRow, title_of_entry
from brt_cg.views.mismatch import ShownMismatch, visible_mismatch
from brt_cg.views.public_point import FrozenJournal, known_question, shared_journal, visible_journal
from brt_cg.views.question_name import QuestionName, question_identity
from brt_cg.views.requests import Request, open_requests
from brt_cg.views.roll_result import RollResult, newest_roll_result
from brt_cg.views.undo import sides_of_seat
from brt_cg.views.view_chain import head_for_view

T = TypeVar("T")


class ReadMark(NamedTuple):
    """The point up to which a seat has read: the number of its answers, commands and undos, and the
    number of lines after the last of them. No secret of the enemy changes it."""

    rows: int
    lines: int


class StaleViewError(RuntimeError):
    """The error raised when a view is read after the campaign has changed; the caller must make a
    new view."""


class NotOwnSeatError(LookupError):
    """The error raised when a view is asked for something that only a seat has, or that belongs to
    another seat."""


class View(ABC):
    """The view of a seat. `side` is the side of the seat (None: the umpire's view, or the table's),
    `ask` the open question, if the seat may know of it, `turn` the side that the question is for;
    `waiting` is true while the open question is secret from the seat. `mismatch` is the difference
    between the rules and the paragraph in progress, because of which nothing is asked before an
    undo or redo. `begun` has the paragraphs of this Refit Phase that have begun, with the reason
    why one was skipped if the seat may know it; `next` is the one that begins next. `half` is the
    side whose scenario-end report is missing, `requests` are the open requests."""

    side: Side | None
    campaign: Campaign
    ask: Question[Any] | None
    turn: Side | None
    waiting: bool
    mismatch: ShownMismatch | None
    half: Side | None
    requests: tuple[Request, ...]
    begun: Mapping[str, str]
    next: str | None

    def __init__(self, journal: Journal, known: Journal, side: Side | None) -> None:
        self._journal, self._known, self._digest = journal, known, journal.digest
        self.side = side
        self.waiting = isinstance(known, FrozenJournal) and journal.mismatch is None
        ask = journal.open_question()
        self.turn = ask.side if ask is not None else None
        self.next = known.number_of_next_paragraph()
        self.begun = _begun(known, side)
        situation = known.campaign.situation
        due = situation.is_refit_due or situation.phase is Phase.SCENARIO
        self.half = journal.side_with_missing_report() if due else None
        self.requests = tuple(_shown(request) for request in open_requests(journal))

    @property
    def question_identity(self) -> QuestionName | None:
        """The identity of the open question, if the seat may know of it."""
        self._readable()
        return question_identity(self._journal, sides_of_seat(self.side))

    @property
    def side_to_answer(self) -> Side | None:
        """The side whose turn it is, as the seat may know it; None if it is nobody's, for example
        when the next paragraph only has to be begun. Either player may roll public dice on that
        turn."""
        return self.side.enemy if self.waiting and self.side is not None else self.turn

    @property
    def newest_roll(self) -> RollResult | None:
        """The result of the newest roll, until something else is entered."""
        return newest_roll_result(self._readable(), sides_of_seat(self.side))

    def reminders_for(self, *dates: str) -> list[str]:
        """Return the reminders for these CG Dates that the seat may read, in sentences, oldest
        first."""
        return reminder_sentences(self._readable(), sides_of_seat(self.side), dates)

    @property
    def card(self) -> Card:
        """The campaign game's data."""
        return load_card(self.campaign.situation.cg)

    @property
    @abstractmethod
    def rows(self) -> list[ShownRow]:
        """The rows of the journal, first to last."""

    @property
    def rows_without_changes(self) -> list[ShownRow]:
        """The rows, perhaps without their changes, which take the longest to find."""
        return self.rows

    def campaign_and_rows_since(
        self, first: Callable[[Iterator[tuple[int, str]]], int]
    ) -> tuple[Campaign, list[ShownRow]]:
        """Return the campaign as the seat saw it before a row, and the rows from that one on that
        are not undone. `first` finds the row's number among the numbers and kinds of rows, newest
        first, so that nothing older is read."""
        journal = self._readable()
        return campaign_and_rows_since(
            journal, self.side, first(kinds_of_rows_not_undone(journal, self.side))
        )

    @property
    @abstractmethod
    def head(self) -> str | None:
        """The hash of the newest entry that the seat knows of."""

    @property
    @abstractmethod
    def lines(self) -> list[ShownLine]:
        """The lines of the log, first to last, undone ones marked."""

    @property
    @abstractmethod
    def mark(self) -> ReadMark:
        """The end of the view; a later view can return the lines since."""

    @abstractmethod
    def lines_since(self, mark: ReadMark) -> list[ShownLine]:
        """Return the lines after a mark of the same seat."""

    @property
    def before_scenario_end(self) -> Campaign:
        """The campaign as the seat saw it before the first scenario-end report was entered."""
        journal = self._readable()
        before = journal.campaign.clone()
        entries = journal.newest_not_undone_first()
        for entry in takewhile(lambda entry: entry.kind not in KINDS_OF_PARAGRAPH, entries):
            apply_changes(before, invert_changes(entry.changes))
            if entry.kind == "import" and before.situation.ended != self.campaign.situation.ended:
                break
        return self._as_seen(before)

    @property
    def at_scenario_start(self) -> Campaign | None:
        """The campaign as the seat saw it at the beginning of the scenario that is being played or
        reported; None before and after."""
        journal = self._readable()
        if journal.campaign.situation.phase is not Phase.SCENARIO and not self._has_reports:
            return None
        before, entries = journal.campaign.clone(), journal.newest_not_undone_first()
        for entry in takewhile(lambda entry: entry.kind not in KINDS_OF_PARAGRAPH, entries):
            if entry.kind == "new":  # a campaign adopted in progress begins without counters
                break
            apply_changes(before, invert_changes(entry.changes))
        return self._as_seen(before)

    @property
    def codes(self) -> CounterCodes:
        """The codes of the counters on the sheet of the scenario that is being played or
        reported."""
        return assign_codes(self.at_scenario_start, self.side)

    @property
    def counters_by_vasl_piece(self) -> dict[str, str]:
        """The counter of each piece of a VASL save, from the imports that the seat sees and that
        are not undone."""
        found = self._of_imports("pieces")
        return {piece: id for piece, id in found.items() if self.campaign.find(id) is not None}

    @property
    def vasl_pieces_without_counter(self) -> dict[str, str]:
        """The pieces of VASL saves in the imports in force that are not counters: "dead", "marker"
        or "unknown"."""
        return self._of_imports("others")

    @property
    def campaign_identity(self) -> str:
        """The identity of the campaign: the hash of its first entry."""
        return next((entry.hash for entry in self._journal.entries), "")

    def _of_imports(self, name: str) -> dict[str, str]:
        journal = self._readable()
        found: dict[str, str] = {}
        for entry in journal.entries:
            pieces = entry.asked.get(name) if entry.kind == "import" else None
            if isinstance(pieces, dict) and entry.seq in journal.standing:
                found |= pieces
        return found

    @property
    def sides_with_report(self) -> frozenset[Side]:
        """The sides whose scenario-end report is in force, and may still be replaced."""
        return frozenset(side for side in self._journal.scenario_end_reports() if side is not None)

    @property
    def _has_reports(self) -> bool:
        """Whether a side's report may still be entered, or replaced."""
        due = self._journal.campaign.situation.is_refit_due
        return due and any(side is not None for side in self._journal.scenario_end_reports())

    def _as_seen(self, campaign: Campaign) -> Campaign:
        return visible_campaign(campaign, self.side)

    def for_seat(self, side: Side | None) -> "View":
        """Return the view of a seat; only the umpire may open another seat's view."""
        if side is not self.side:
            raise NotOwnSeatError("only the umpire may open the view of another seat")
        return self

    def for_scenario_end_report(self, side: Side | None) -> "View":
        """Return the view by which a side's scenario-end report is judged (None: both together):
        for the umpire, that side's view; for a player, the player's own; without any report that
        the new one replaces."""
        if side is None or side is not self.side:
            return self
        replaced = self._journal.scenario_end_reports().get(side)
        if replaced is None or (
            self._journal.side_with_missing_report() is None and not self._has_reports
        ):
            return self
        before = self._journal.campaign.clone()
        try:
            apply_changes(before, invert_changes(replaced.changes))
        except ValueError:
            return self  # it cannot be replaced: the other report depends on it
        own = copy(self)
        own.campaign = self._as_seen(before)
        return own

    def newest_lines(self, most: int) -> list[ShownLine]:
        """Return the newest lines, at most this many, including those that only report an undo."""
        return _newest(self.lines, most)

    def _readable(self) -> Journal:
        """Return the part of the journal that the seat may see. Raises StaleViewError."""
        if self._journal.digest != self._digest:
            raise StaleViewError("the campaign has changed since this view was made")
        return self._known


def _newest(lines: list[ShownLine], most: int) -> list[ShownLine]:
    played = [at for at, line in enumerate(lines) if not line.is_undo_report]
    return lines[played[-most] :] if len(played) > most else lines


def create_view(journal: Journal, side: Side | None = None) -> View:
    """Return the view of a seat (None: the umpire's)."""
    return UmpireView(journal) if side is None else SeatView(journal, side)


class UmpireView(View):
    """The umpire's view: everything. Its rows and lines have the numbers of the journal's entries,
    its campaign is the campaign itself and must not be changed."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, journal, None)
        self.campaign, self.ask = journal.campaign, journal.open_question()
        self.mismatch = visible_mismatch(journal, ())

    def for_seat(self, side: Side | None) -> View:
        self._readable()
        return create_view(self._journal, side)

    def for_scenario_end_report(self, side: Side | None) -> View:
        return self if side is None else self.for_seat(side).for_scenario_end_report(side)

    @property
    def rows(self) -> list[ShownRow]:
        return journal_rows(self._readable(), None)

    @property
    def head(self) -> str | None:
        return self._readable().head

    @property
    def lines(self) -> list[ShownLine]:
        return updated_seat_reader(self._readable(), None).lines_after_rows()

    @property
    def mark(self) -> ReadMark:
        return ReadMark(len(self._readable().entries), 0)

    def lines_since(self, mark: ReadMark) -> list[ShownLine]:
        """Return the lines after a mark, read without the rest of the journal, and so without kind,
        date and side."""
        journal = self._readable()
        return [
            ShownLine(entry.seq, rule, title, line.text, undone, line.secret)
            for entry in journal.entries[mark.rows :]
            for rule, title, undone in (
                (entry.rule, title_of_entry(entry), is_undone(journal, entry)),
            )
            for line in entry.said
        ]

    def newest_lines(self, most: int) -> list[ShownLine]:
        entries = self._readable().entries
        played = [at for at, entry in enumerate(entries) if entry.kind not in TIME_TRAVEL]
        since = played[-most] if len(played) > most else 0
        return _newest(self.lines_since(ReadMark(since, 0)) if since else self.lines, most)


class SeatView(View):
    """The view of one side. While the phase needs an answer that only the enemy may know of, the
    view ends at the last point that both knew."""

    side: Side

    def __init__(self, journal: Journal, side: Side) -> None:
        super().__init__(journal, visible_journal(journal, side), side)
        self.campaign = visible_campaign(self._known.campaign, side)
        self.ask = known_question(journal, side)
        self.mismatch = visible_mismatch(journal, (side,))

    @property
    def rows(self) -> list[ShownRow]:
        return journal_rows(self._readable(), self.side)

    @property
    def rows_without_changes(self) -> list[ShownRow]:
        return rows_without_changes(self._readable(), self.side)

    @property
    def head(self) -> str | None:
        return head_for_view(self._readable(), self.side)

    @property
    def lines(self) -> list[ShownLine]:
        return self._reading.lines_after_rows()

    @property
    def mark(self) -> ReadMark:
        return ReadMark(*self._reading.mark)

    def lines_since(self, mark: ReadMark) -> list[ShownLine]:
        return self._reading.lines_after_mark(*mark)

    @property
    def _reading(self) -> SeatJournalReader:
        return updated_seat_reader(self._readable(), self.side)


class SharedView(View):
    """The view of the facts that both sides know: for the table of two players at one screen, and
    for a letter that anybody may read. It has no rows and no checksum, which belong to a seat."""

    side: None

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, shared_journal(journal), None)
        self.campaign = self._as_seen(self._known.campaign)
        self.ask = journal.open_question() if not self.waiting else None
        self.mismatch = visible_mismatch(journal, tuple(Side))
        self.begun = dict.fromkeys(self.begun, "")

    @property
    def question_identity(self) -> QuestionName | None:
        self._readable()
        return question_identity(self._journal, tuple(Side))

    @property
    def newest_roll(self) -> RollResult | None:
        return newest_roll_result(self._readable(), tuple(Side))

    def reminders_for(self, *dates: str) -> list[str]:
        return reminder_sentences(self._readable(), tuple(Side), dates)

    def _as_seen(self, campaign: Campaign) -> Campaign:
        return visible_campaign(visible_campaign(campaign, Side.MARINE), Side.JAPANESE)

    @property
    def rows(self) -> list[ShownRow]:
        raise NotOwnSeatError("only a seat has rows of the journal")

    def campaign_and_rows_since(self, first: object) -> NoReturn:
        raise NotOwnSeatError("only a seat has rows of the journal")

    @property
    def head(self) -> str | None:
        raise NotOwnSeatError("only a seat has a checksum, which depends on what the seat knows")

    @property
    def lines(self) -> list[ShownLine]:
        """The lines that both have, numbered by line."""
        known = self._readable()
        japanese = updated_seat_reader(known, Side.JAPANESE).entry_text_pairs
        marine = updated_seat_reader(known, Side.MARINE)
        both = marine.lines_where(lambda entry, text: (entry, text) in japanese and text != NOTHING)
        return [replace(line, seq=at) for at, line in enumerate(both, 1) if line.secret is None]

    @property
    def mark(self) -> ReadMark:
        return ReadMark(0, len(self.lines))

    def lines_since(self, mark: ReadMark) -> list[ShownLine]:
        return [*islice(self.lines, mark.lines, None)]


class PublicView(SharedView):
    """The view of the facts that both sides know, and knew at each date, for readers of the
    campaign's story. It is like a separate seat with the rows that both sides have, but has no
    head."""

    @property
    def rows(self) -> list[ShownRow]:
        return shared_rows(self._readable(), Side.MARINE)


def _shown(request: Request) -> Request:
    """Return a request without the command that it wants, which may contain its side's secrets and
    numbers of the journal: the description says enough."""
    return replace(request, asked={}, stands=None)


def _begun(journal: Journal, side: Side | None) -> dict[str, str]:
    """Return the paragraphs of this Refit Phase that have begun. Only the umpire learns why one was
    skipped: a paragraph that acted only on secrets must look the same as one that did nothing."""
    found: dict[str, str] = {}
    for entry in journal.entries_of_this_phase():
        if entry.kind in ("begin", "skip") and entry.rule is not None:
            because = str(entry.payload["because"]) if entry.kind == "skip" else ""
            found.setdefault(entry.rule, because if side is None else "")
    return found


def cached_per_view(view: Callable[[View], T]) -> Callable[[View], T]:
    """Make a function of a view keep its last result for each seat, until the journal changes.
    Callers must not change the result."""
    kept: WeakKeyDictionary[Journal, dict[Side | None, tuple[str | None, T]]]
    kept = WeakKeyDictionary()

    @wraps(view)
    def cached(book: View) -> T:
        known = book._readable()
        by_seat = kept.setdefault(known, {})
        if book.side not in by_seat or by_seat[book.side][0] != known.digest:
            by_seat[book.side] = (known.digest, view(book))
        return by_seat[book.side][1]

    return cached
