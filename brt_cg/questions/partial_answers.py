"""The answers noted for a question about several items, until all are given together."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.questions.question_types import MultiQuestion

Changes = Mapping[str, tuple[Raw] | None]  # by item, its new answer; None removes it


@dataclass(slots=True)
class PartialAnswers:
    """The answers noted for items of a question, until it is answered: as in an answers file, and
    in words. `crews` are the possessors of Guns, by the Gun's id: a Gun's possessor is always with
    it, so they move with it."""

    ask: MultiQuestion[Any]
    given: dict[str, Raw] = field(default_factory=dict)
    worded: dict[str, str] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()  # the items of the question
    crews: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        self.asked = self.asked or frozenset(self.ask.subjects)

    def with_answer(self, ids: tuple[str, ...], typed: str | None) -> "PartialAnswers":
        """Return a copy in which these items have an answer, as typed; None removes theirs. Raises
        RefusedError if the question does not allow it together with the others."""
        if typed is None:
            return self.with_changes(dict.fromkeys(ids))
        return self.with_changes({id: (self.ask.item(id).form.parse(typed),) for id in ids})

    def with_changes(self, changes: Changes) -> "PartialAnswers":
        """Return a copy with different answers for some items, and for crews that move with their
        Guns; None removes one. Raises RefusedError if the question does not allow them together."""
        now = {id: (raw,) for id, raw in self.given.items()} | dict(changes)
        along = {
            crew: changes[gun]
            for gun, crew in self.crews.items()
            if changes.get(gun) not in (None, (OFF_MAP,)) and crew in self.asked - now.keys()
        }
        if along:
            with suppress(RefusedError):
                return self._with({**now, **along})
        return self._with(now)

    def _with(self, now: Changes) -> "PartialAnswers":
        self.ask.read({id: answer[0] for id, answer in now.items() if answer is not None})
        # In the order of the question's items.
        given = {id: answer[0] for id in self.ask.subjects if (answer := now.get(id)) is not None}
        worded = {id: self.ask.item(id).form.worded(raw) for id, raw in given.items()}
        return PartialAnswers(self.ask, given, worded, self.asked, self.crews)
