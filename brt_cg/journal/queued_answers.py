"""Answers that players give to questions of one kind before each of them is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from brt_cg.model.counters import Side
from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask, default_of
from brt_cg.questions.sources import DEFAULT, HAND, Source


@dataclass(frozen=True, slots=True)
class QueuedAnswer:
    """An answer given in advance: raw, or (`usual`) whatever default the question will have."""

    raw: Raw
    usual: bool


class QueuedAnswers:
    """The answers given in advance in the paragraph in progress. Each is used once, when its
    question is asked. `again` is a question whose answer had become illegal by then, with the
    reason; the player is asked."""

    def __init__(self) -> None:
        self._given: dict[tuple[tuple[str, ...], str], QueuedAnswer] = {}
        self.again: tuple[Ask[Any], str] | None = None

    def give(self, asks: Iterable[Ask[Any]], answers: Mapping[str, Raw]) -> None:
        """Answers questions by subject, the omitted ones by default."""
        for ask in asks:
            is_given = ask.subject in answers
            self._given[ask.group, ask.subject] = QueuedAnswer(
                answers.get(ask.subject), not is_given
            )

    def take(self, ask: Ask[Any]) -> tuple[Raw, Source] | None:
        """Removes and returns the answer to a question that is asked now, with its source."""
        given = self._given.pop((ask.group, ask.subject), None)
        if given is None:
            return None
        return (default_of(ask), DEFAULT) if given.usual else (given.raw, HAND)

    def of(self, asks: Iterable[Ask[Any]]) -> dict[str, Raw]:
        """The answers given to some questions, by subject, without those answered by default."""
        found = ((ask.subject, self._given.get((ask.group, ask.subject))) for ask in asks)
        return {subject: given.raw for subject, given in found if given and not given.usual}

    def count(self, seat: Side | None) -> int:
        """The number of answers left that a seat (None: the umpire) may know of."""
        return sum(seat in (None, group[2]) for group, _ in self._given)

    def why_again(self, ask: Ask[Any] | None) -> str:
        """The reason why a question is asked although it was answered in advance; "" if it was
        not."""
        again = self.again
        return again[1] if again is not None and again[0] is ask else ""

    def keep_to(self, paragraph: str | None) -> None:
        """Drops the answers for any other paragraph, whose questions are no longer asked."""
        self._given = {key: given for key, given in self._given.items() if key[0][0] == paragraph}

    def restore_on_error(self) -> "RestoreOnError":
        """Restores the answers used in the `with` block if anything is raised."""
        return RestoreOnError(self)


class RestoreOnError:
    """Keeps the answers given in advance. A class rather than a generator, since each answer enters
    one."""

    def __init__(self, queued: QueuedAnswers) -> None:
        self._beforehand, self._before = queued, dict(queued._given)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._beforehand._given = self._before
