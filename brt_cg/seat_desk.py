"""The desk of a player whose role on a server may see a campaign from one seat only.

It reads the pages that are stored for his side. His entries go as requests to whoever keeps the
campaign (keeper.py), and the desk waits for the outcome.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from brt_cg.journal.coming import Coming
from brt_cg.journal.entries import Entry
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Raw, Refused
from brt_cg.questions.asks import Ask, Roll
from brt_cg.refit.play import Paragraph
from brt_cg.refit.sequence import played
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Missing, Supply
from brt_cg.storage import seats
from brt_cg.storage.errors import Damaged, StorageError
from brt_cg.storage.listening import Listening
from brt_cg.storage.place import Address
from brt_cg.views.book import SeatJournal

PATIENCE = 10.0  # seconds to wait before concluding that nobody keeps the campaign
A_MOMENT = 0.5  # seconds to wait for earlier requests
LOOKS = (0.01, 0.25)  # seconds between two looks for the outcome: at first, at most
THE_DICE = "The keeper rolls the dice of a campaign that is played by seats: let it roll"


class NotKept(StorageError):
    """Raised if nobody answers a request in time. The request stays if it was `entered`; only one
    waits at a time."""

    title = "Waiting for the keeper"

    def __init__(self, entered: bool = True) -> None:
        self.waits = entered
        what = "What was entered" if entered else "This was not entered: what you entered before"
        super().__init__(
            f"The keeper is not running (brt-cg keep): nothing has changed yet. {what} still "
            "waits for it, and is carried out when it is back"
        )


class SeatDesk(Desk):
    """The desk of the player of `seat`. Raises StorageError."""

    path: Address
    journal: SeatJournal

    def __init__(self, path: Address, seat: Side) -> None:
        self.seat: Side = seat
        super().__init__(path, _read(path, seat), backs_up=False)
        self._unheard: int | None = None  # a request whose outcome was not awaited
        self._alike_rows = len(self._rows())  # leading rows that the last request left unchanged

    # --- looking --------------------------------------------------------------------------------

    def moved_on(self) -> bool:
        return seats.tip(self.path, self.seat) != self.journal.digest

    @property
    def is_asked(self) -> bool:
        return self.journal.waits or self.ask is not None

    def coming(self) -> Coming:
        return self.journal.coming()

    def listen(self, notify: Callable[[str | None], None]) -> bool:
        channel = seats.channel_of(self.path, self.seat)
        self._listening = Listening(self.path, notify, channel)
        return True

    def reload(self) -> None:
        self.journal = _read(self.path, self.seat)
        self.journal.writer = self._write
        self._hear_at_last()

    def _write(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        raise StorageError("Only the keeper of a campaign that is played by seats adds entries")

    def _hear_at_last(self) -> None:
        """Notes the refusal, if any, of an entry made while nobody kept the campaign."""
        number = self._unheard
        found = seats.outcome_of(self.path, self.seat, number) if number is not None else None
        if found is not None:
            self._unheard = None
            if found[0] == "refused":
                self.notices.append(
                    f"What you entered while nobody kept it was refused: {found[1]}"
                )

    def news_since(self, count: int) -> int:
        """The number of leading rows that are unchanged since there were `count`: an undo changes
        older ones."""
        return min(count, self._alike_rows)

    # --- doing ----------------------------------------------------------------------------------

    def request(self, do: str, **asked: Any) -> None:
        """Enters a request and waits until it is carried out. Raises Refused, NotKept,
        StorageError."""
        for earlier in seats.waiting(self.path):
            self._outcome(earlier.number, A_MOMENT, entered=False)
        before = self._rows()
        number = seats.enter(self.path, self.seat, {"do": do, **asked})
        self._unheard = number
        outcome, said = self._outcome(number, PATIENCE)
        self._unheard = None
        self.reload()
        pairs = enumerate(zip(before, self._rows(), strict=False))
        self._alike_rows = next((at for at, (old, new) in pairs if old != new), len(before))
        if outcome == "refused":
            raise Refused(said)

    def _outcome(self, number: int, patience: float, entered: bool = True) -> tuple[str, str]:
        end, pause = time.monotonic() + patience, LOOKS[0]
        while True:
            found = seats.outcome_of(self.path, self.seat, number)
            if found is not None:
                return found
            if time.monotonic() > end:
                raise NotKept(entered)
            time.sleep(pause)
            pause = min(pause * 1.5, LOOKS[1])

    def _rows(self) -> tuple[str, ...]:
        return self.journal.pages.rows

    def commands(self, kind: str, asked: Iterable[dict[str, Any]], by: str = "players") -> None:
        self.request("command", kind=kind, asked=list(asked))

    def undo(self, whole_call: bool = False) -> Entry:
        self.request("undo", whole=whole_call)
        return self.entries[-1]

    def redo(self) -> Entry:
        self.request("redo")
        return self.entries[-1]

    def go_back(self, seq: int) -> Entry:
        raise Refused("Only the umpire goes back to an entry: undo takes back what is newest")

    def go(self, last: Paragraph | None = None) -> Ask[Any] | None:
        self.check_due()
        if self.ask is None and (last is None or not played(self.campaign.situation, last.number)):
            self.request("begin")
        return self._on(last)

    def answer(self, raw: Raw, by: str = "players", source: str = "hand") -> Entry:
        if self.ask is None:
            raise Refused("nothing is asked now")
        self.answer_on(self.ask, raw, source)
        return self.entries[-1]

    def _on(self, last: Paragraph | None) -> Ask[Any] | None:
        """Returns the open question; the keeper has played on already."""
        ended = last is not None and played(self.campaign.situation, last.number)
        return None if ended else self.ask

    def _answer(self, ask: Ask[Any], raw: Raw, source: str) -> None:
        if isinstance(ask, Roll) and source != "app":
            raise Refused(THE_DICE)
        self.request("answer", to=[ask.rule, ask.subject, ask.kind], raw=raw, source=source)

    def answer_typed(self, typed: str) -> Ask[Any] | None:
        """Answers as at a desk; "roll" asks for dice."""
        ask = self._asked()
        if isinstance(ask, Roll):
            rolls = typed.strip().lower() == "roll"
            return self.answer_on(ask, None, "app" if rolls else "hand")
        return self.answer_on(ask, ask.parse(typed, self.seat))

    def supply(self, ask: Ask[Any], supply: Supply) -> tuple[Raw, str]:
        if not isinstance(ask, Roll):
            if ask.side is not self.seat:
                raise Missing(ask)
            return super().supply(ask, supply)
        if supply.answers is not None and supply.answers.find(ask, self.journal.position(ask))[0]:
            raise Refused(THE_DICE)
        if supply.dice is None:
            raise Missing(ask)
        return None, "app"

    def play(self, supply: Supply, last: Paragraph | None = None) -> Iterator[Entry]:
        """Makes each answer a request, up to the other side's first question."""
        seen = len(self.entries)
        for _ in self._steps(supply, last):
            yield from self.entries[self.news_since(seen) :]
            seen = len(self.entries)


def _read(path: Address, seat: Side) -> SeatJournal:
    pages = seats.read(path, seat)
    try:
        return SeatJournal(pages, seat)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        what = (
            "what the keeper wrote for your side cannot be read: is its brt-cg the same as yours?"
        )
        raise Damaged(f"{path}: {what}") from error
