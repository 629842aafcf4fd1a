"""Answers that players give to questions of one kind before each of them is asked."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from brt_cg.answers import Raw
from brt_cg.asks import Ask, default_of
from brt_cg.counters import Side
from brt_cg.values import frozen


@frozen
class Given:
    """An answer given beforehand: as it stands in an answers file, or (`usual`) the default that
    the question will have."""

    raw: Raw
    usual: bool


class Beforehand:
    """The answers that stand ready in the paragraph in progress. Each is used once, when its
    question comes. `again` is a question whose answer was not allowed any more when it came, with
    the reason; it is asked."""

    def __init__(self) -> None:
        self._given: dict[tuple[tuple[str, ...], str], Given] = {}
        self.again: tuple[Ask[Any], str] | None = None

    def give(self, asks: Iterable[Ask[Any]], answers: Mapping[str, Raw]) -> None:
        """Answers questions by subject, those that are left out as usual."""
        for ask in asks:
            is_given = ask.subject in answers
            self._given[ask.group, ask.subject] = Given(answers.get(ask.subject), not is_given)

    def take(self, ask: Ask[Any]) -> tuple[Raw, str] | None:
        """The answer to a question that has come, and where it is from; it is used up."""
        given = self._given.pop((ask.group, ask.subject), None)
        if given is None:
            return None
        return (default_of(ask), "default") if given.usual else (given.raw, "hand")

    def of(self, asks: Iterable[Ask[Any]]) -> dict[str, Raw]:
        """What is given for some questions by subject, but for those answered as usual."""
        found = ((ask.subject, self._given.get((ask.group, ask.subject))) for ask in asks)
        return {subject: given.raw for subject, given in found if given and not given.usual}

    def count(self, seat: Side | None) -> int:
        """How many are left that a seat (None: the umpire) may know of."""
        return sum(seat in (None, group[2]) for group, _ in self._given)

    def why_again(self, ask: Ask[Any] | None) -> str:
        """Why a question is asked although it was answered beforehand; "" if it was not."""
        again = self.again
        return again[1] if again is not None and again[0] is ask else ""

    def keep_to(self, paragraph: str | None) -> None:
        """Forgets those of any other paragraph: they are not asked any more."""
        self._given = {key: given for key, given in self._given.items() if key[0][0] == paragraph}

    @contextmanager
    def unless_it_fails(self) -> Iterator[None]:
        """What is used up within stands ready again if anything is raised."""
        before = dict(self._given)
        try:
            yield
        except BaseException:
            self._given = before
            raise
