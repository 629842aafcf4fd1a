"""The answers after one that a player changes; they are entered again if they still fit."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile

from brt_cg.journal.early_answers import Early
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, Entry, question_key_as_json
from brt_cg.questions import Question, Source


class KeptAnswers:
    """The undone answers of a CG Date's Refit Phase, in their order. Each belongs to a question by
    its rule, subject and kind."""

    def __init__(self) -> None:
        self._left: list[Entry] = []
        self._date = ""

    def __len__(self) -> int:
        return len(self._left)

    def keep(self, entries: Iterable[Entry], date: str) -> None:
        """Keep the answers among some entries, and drop those kept earlier. Answers after a command
        are not kept: the command is undone too, and may have to come first, such as a purchase
        before the end of the purchases."""
        answers = takewhile(lambda entry: entry.kind in KINDS_OF_PARAGRAPH, entries)
        self._left = [entry for entry in answers if entry.kind == "answer"]
        self._date = date

    def clear(self) -> None:
        """Drop all of them."""
        self._left = []

    def find_and_use(self, ask: Question[object], date: str) -> Early | None:
        """Return the kept answer to a question and its source, and stop keeping it; None if there
        is none. Seeds are left out: they belong to the earlier rolls."""
        if date != self._date:
            self.clear()
        record = question_key_as_json(ask)
        for entry in self._left:
            if entry.payload["ask"] == record:
                self._left.remove(entry)
                return entry.payload["answer"], Source(entry.payload["from"])
        return None

    @contextmanager
    def restored_on_error(self) -> Iterator[None]:
        """Restore the answers used in the `with` block if anything is raised."""
        before = [*self._left]
        try:
            yield
        except BaseException:
            self._left = before
            raise
