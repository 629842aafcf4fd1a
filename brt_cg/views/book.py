"""The book: what one seat may know of a campaign at one moment, and nothing else.

Whatever leaves for a seat (a page, a document, a letter, a refusal) is made from its book. It
holds no counter that the seat may not know of and no number of the journal: its lines, rows and
marks count what the seat sees. What takes long to read (rows, head, lines) is read at first use,
in the thread of the campaign; once the campaign has moved on, a book can no longer read.
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
from brt_cg.journal.changes import apply, inverse
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TIME_TRAVEL
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.codes import Codes, codes_of
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.visibility import seen_by
from brt_cg.questions.asks import Ask
from brt_cg.views.journal import (
    NOTHING,
    SeatReading,
    is_undone,
    journal_rows,
    reading,
    shared_rows,
    standing_kinds,
    standing_since,
)
from brt_cg.views.journal_rows import ShownLine, ShownRow, title_of
from brt_cg.views.mismatch import ShownMismatch, shown_mismatch
from brt_cg.views.public_point import StandingJournal, known_ask, public_book, shared_book
from brt_cg.views.question_name import QuestionName, question_name
from brt_cg.views.requests import Request, open_requests
from brt_cg.views.roll_result import RollResult, roll_result
from brt_cg.views.taking_back import seats
from brt_cg.views.view_chain import head_of

T = TypeVar("T")


class Mark(NamedTuple):
    """How far a seat has read: the number of its answers, commands and undos, and of the lines
    after the last of them. No secret of the enemy changes it."""

    rows: int
    lines: int


class MovedOn(RuntimeError):
    """Raised where a book is read after the campaign has moved on: take a new one."""


class NotItsOwn(LookupError):
    """Raised where a book is asked for what is the own of a seat, or of another one."""


class Book(ABC):
    """What a seat may know. `side` is whose book it is (None: the umpire's, or the table's), `ask`
    the open question that it may know of, `turn` the side that is to answer; `waiting` is true
    while what is asked is not for the seat to know. `mismatch` is what the rules play otherwise in
    the paragraph in progress, so that nothing is asked before an undo or redo. `begun` has the
    paragraphs of this Refit Phase that have begun, with the reason why one was skipped where the
    seat may know it; `next` is the one that begins next. `half` is the side whose half of a
    scenario's end is missing, `requests` what the sides ask of each other."""

    side: Side | None
    campaign: Campaign
    ask: Ask[Any] | None
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
        self.waiting = isinstance(known, StandingJournal) and journal.mismatch is None
        ask = journal.open_ask()
        self.turn = ask.side if ask is not None else None
        self.next = known.next_paragraph()
        self.begun = _begun(known, side)
        situation = known.campaign.situation
        due = situation.refit_is_due or situation.phase is Phase.SCENARIO
        self.half = journal.missing_half() if due else None
        self.requests = tuple(_shown(request) for request in open_requests(journal))

    @property
    def asked(self) -> QuestionName | None:
        """The name of the open question, if the seat may know of it."""
        self._readable()
        return question_name(self._journal, seats(self.side))

    @property
    def rolled(self) -> RollResult | None:
        """The result of the newest roll, until something else is entered."""
        return roll_result(self._readable(), seats(self.side))

    @property
    def card(self) -> Card:
        """The campaign game's data."""
        return load_card(self.campaign.situation.cg)

    @property
    @abstractmethod
    def rows(self) -> list[ShownRow]:
        """The rows of the journal, first to last."""

    def standing_since(
        self, first: Callable[[Iterator[tuple[int, str]]], int]
    ) -> tuple[Campaign, list[ShownRow]]:
        """The campaign as the seat saw it before a row, and the standing rows from that one on.
        `first` tells its number from those of the standing rows and their kinds, newest first, so
        that nothing older is read."""
        journal = self._readable()
        return standing_since(journal, self.side, first(standing_kinds(journal, self.side)))

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
    def mark(self) -> Mark:
        """How far the book goes, to ask a later one for the lines since."""

    @abstractmethod
    def lines_since(self, mark: Mark) -> list[ShownLine]:
        """The lines after a mark of the same seat."""

    @property
    def before_end(self) -> Campaign:
        """The campaign as the seat saw it before the first half of the scenario's end was
        entered."""
        journal = self._readable()
        before = journal.campaign.clone()
        entries = journal.newest_first()
        for entry in takewhile(lambda entry: entry.kind not in KINDS_OF_PARAGRAPH, entries):
            apply(before, inverse(entry.changes))
            if entry.kind == "import" and before.situation.ended != self.campaign.situation.ended:
                break
        return self._as_seen(before)

    @property
    def began(self) -> Campaign | None:
        """The campaign as the seat saw it when the scenario began that is being played, or whose
        end is being entered by halves; None before and after."""
        journal = self._readable()
        if journal.campaign.situation.phase is not Phase.SCENARIO and not self._has_reports:
            return None
        before, entries = journal.campaign.clone(), journal.newest_first()
        for entry in takewhile(lambda entry: entry.kind not in KINDS_OF_PARAGRAPH, entries):
            apply(before, inverse(entry.changes))
        return self._as_seen(before)

    @property
    def codes(self) -> Codes:
        """The codes of the counters on the sheet of that scenario."""
        return codes_of(self.began, self.side)

    @property
    def pieces(self) -> dict[str, str]:
        """The counter of each piece of a VASL save in the standing imports, of those seen."""
        journal = self._readable()
        found: dict[str, str] = {}
        for entry in journal.entries:
            pieces = entry.asked.get("pieces") if entry.kind == "import" else None
            if isinstance(pieces, dict) and entry.seq in journal.standing:
                found |= pieces
        return {piece: id for piece, id in found.items() if self.campaign.find(id) is not None}

    @property
    def reported(self) -> frozenset[Side]:
        """The sides whose report of the scenario's end stands, and may still be replaced."""
        return frozenset(side for side in self._journal.reports() if side is not None)

    @property
    def _has_reports(self) -> bool:
        """Whether a side's report may still be entered, or replaced."""
        due = self._journal.campaign.situation.refit_is_due
        return due and any(side is not None for side in self._journal.reports())

    def _as_seen(self, campaign: Campaign) -> Campaign:
        return seen_by(campaign, self.side)

    def of(self, side: Side | None) -> "Book":
        """The book of a seat, which only the umpire may open besides his own."""
        if side is not self.side:
            raise NotItsOwn("only the umpire may open the book of another seat")
        return self

    def for_half(self, side: Side | None) -> "Book":
        """The book by which a side's half of a scenario's end is judged (None: both at once): for
        the umpire that side's, for anybody else what he knows himself; without the report that the
        new one replaces."""
        if side is None or side is not self.side:
            return self
        replaced = self._journal.reports().get(side)
        if replaced is None or (self._journal.missing_half() is None and not self._has_reports):
            return self
        before = self._journal.campaign.clone()
        try:
            apply(before, inverse(replaced.changes))
        except ValueError:
            return self  # the other report rests on it, so that it cannot be replaced
        own = copy(self)
        own.campaign = self._as_seen(before)
        return own

    def newest_lines(self, most: int) -> list[ShownLine]:
        """The newest lines: at most so many, and those that only tell of an undo among them."""
        return _newest(self.lines, most)

    def _readable(self) -> Journal:
        """The journal as far as the seat may see it. Raises MovedOn."""
        if self._journal.digest != self._digest:
            raise MovedOn("the campaign has moved on since this book was made")
        return self._known


def _newest(lines: list[ShownLine], most: int) -> list[ShownLine]:
    played = [at for at, line in enumerate(lines) if not line.travels]
    return lines[played[-most] :] if len(played) > most else lines


def book_of(journal: Journal, side: Side | None = None) -> Book:
    """The book of a seat (None: the umpire's)."""
    return UmpireBook(journal) if side is None else SeatBook(journal, side)


class UmpireBook(Book):
    """Everything. Its rows and lines have the numbers of the journal's entries, its campaign is
    the campaign itself and must not be changed."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, journal, None)
        self.campaign, self.ask = journal.campaign, journal.open_ask()
        self.mismatch = shown_mismatch(journal, ())

    def of(self, side: Side | None) -> Book:
        self._readable()
        return book_of(self._journal, side)

    def for_half(self, side: Side | None) -> Book:
        return self if side is None else self.of(side).for_half(side)

    @property
    def rows(self) -> list[ShownRow]:
        return journal_rows(self._readable(), None)

    @property
    def head(self) -> str | None:
        return self._readable().head

    @property
    def lines(self) -> list[ShownLine]:
        return reading(self._readable(), None).log()

    @property
    def mark(self) -> Mark:
        return Mark(len(self._readable().entries), 0)

    def lines_since(self, mark: Mark) -> list[ShownLine]:
        """Read without the rest of the journal, and so without kind, date and side."""
        journal = self._readable()
        return [
            ShownLine(entry.seq, rule, title, line.text, undone, line.secret)
            for entry in journal.entries[mark.rows :]
            for rule, title, undone in ((entry.rule, title_of(entry), is_undone(journal, entry)),)
            for line in entry.said
        ]

    def newest_lines(self, most: int) -> list[ShownLine]:
        entries = self._readable().entries
        played = [at for at, entry in enumerate(entries) if entry.kind not in TIME_TRAVEL]
        since = played[-most] if len(played) > most else 0
        return _newest(self.lines_since(Mark(since, 0)) if since else self.lines, most)


class SeatBook(Book):
    """What one side may know; while the phase waits for what only the enemy may know, as far as
    the last point that both knew."""

    side: Side

    def __init__(self, journal: Journal, side: Side) -> None:
        super().__init__(journal, public_book(journal, side), side)
        self.campaign = seen_by(self._known.campaign, side)
        self.ask = known_ask(journal, side)
        self.mismatch = shown_mismatch(journal, (side,))

    @property
    def rows(self) -> list[ShownRow]:
        return journal_rows(self._readable(), self.side)

    @property
    def head(self) -> str | None:
        return head_of(self._readable(), self.side)

    @property
    def lines(self) -> list[ShownLine]:
        return self._reading.log()

    @property
    def mark(self) -> Mark:
        return Mark(*self._reading.mark)

    def lines_since(self, mark: Mark) -> list[ShownLine]:
        return self._reading.log_since(*mark)

    @property
    def _reading(self) -> SeatReading:
        return reading(self._readable(), self.side)


class SharedBook(Book):
    """What both sides know: for the table of two players at one screen, and for a letter that
    anybody may read. It has neither rows nor a head, which are a seat's own."""

    side: None

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, shared_book(journal), None)
        self.campaign = self._as_seen(self._known.campaign)
        self.ask = journal.open_ask() if not self.waiting else None
        self.mismatch = shown_mismatch(journal, tuple(Side))
        self.begun = dict.fromkeys(self.begun, "")

    @property
    def asked(self) -> QuestionName | None:
        self._readable()
        return question_name(self._journal, tuple(Side))

    @property
    def rolled(self) -> RollResult | None:
        return roll_result(self._readable(), tuple(Side))

    def _as_seen(self, campaign: Campaign) -> Campaign:
        return seen_by(seen_by(campaign, Side.MARINE), Side.JAPANESE)

    @property
    def rows(self) -> list[ShownRow]:
        raise NotItsOwn("the rows of the journal are a seat's own")

    def standing_since(self, first: object) -> NoReturn:
        raise NotItsOwn("the rows of the journal are a seat's own")

    @property
    def head(self) -> str | None:
        raise NotItsOwn("a head is a seat's own: it follows what the seat knows")

    @property
    def lines(self) -> list[ShownLine]:
        """The lines that both have, numbered as lines."""
        known = self._readable()
        japanese = reading(known, Side.JAPANESE).origins
        marine = reading(known, Side.MARINE)
        both = marine.log_where(lambda entry, text: (entry, text) in japanese and text != NOTHING)
        return [replace(line, seq=at) for at, line in enumerate(both, 1) if line.secret is None]

    @property
    def mark(self) -> Mark:
        return Mark(0, len(self.lines))

    def lines_since(self, mark: Mark) -> list[ShownLine]:
        return [*islice(self.lines, mark.lines, None)]


class PublicBook(SharedBook):
    """What both sides know, and have known at each date, for whoever is told of the campaign: a
    seat of its own, with rows of what both have. It has no head."""

    @property
    def rows(self) -> list[ShownRow]:
        return shared_rows(self._readable(), Side.MARINE)


def _shown(request: Request) -> Request:
    """A request without the command that it wants, which may hold its side's secrets and numbers
    of the journal: the words say what is asked."""
    return replace(request, asked={}, stands=None)


def _begun(journal: Journal, side: Side | None) -> dict[str, str]:
    """The paragraphs of this Refit Phase that have begun. Only the umpire learns why one was
    skipped: one with only secrets to act on must look the same as one with nothing to act on."""
    found: dict[str, str] = {}
    for entry in journal.of_this_phase():
        if entry.kind in ("begin", "skip") and entry.rule is not None:
            because = str(entry.payload["because"]) if entry.kind == "skip" else ""
            found.setdefault(entry.rule, because if side is None else "")
    return found


def remembered(view: Callable[[Book], T]) -> Callable[[Book], T]:
    """Makes a view of a book keep its last result for each seat, until the journal changes.
    Callers must not change the result."""
    kept: WeakKeyDictionary[Journal, dict[Side | None, tuple[str | None, T]]]
    kept = WeakKeyDictionary()

    @wraps(view)
    def cached(book: Book) -> T:
        known = book._readable()
        by_seat = kept.setdefault(known, {})
        if book.side not in by_seat or by_seat[book.side][0] != known.digest:
            by_seat[book.side] = (known.digest, view(book))
        return by_seat[book.side][1]

    return cached
