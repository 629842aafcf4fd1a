"""The answers that have been noted for the items of an open question, until all are given at once;
those of a question of setup in whichever room."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from brt_cg.answers import Raw, Refused
from brt_cg.asks import Ask, Several
from brt_cg.desk import Desk
from brt_cg.refit.sequence import FIRST_OF_SETUP, NUMBERS

Changes = Mapping[str, tuple[Raw] | None]  # by item, its new answer; None takes it back
ORDER = NUMBERS[NUMBERS.index(FIRST_OF_SETUP) :]


@dataclass(slots=True)
class Noted:
    """The answers that are given for items of a question, until it is answered: as they stand in an
    answers file, and in words."""

    ask: Several[Any]
    given: dict[str, Raw] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()  # the items that it asks for

    def __post_init__(self) -> None:
        self.asked = self.asked or frozenset(self.ask.subjects)

    def tried(self, ids: tuple[str, ...], typed: str | None) -> "Noted":
        """With an answer, as typed, for these items; None takes theirs back. Raises Refused where
        the question does not allow it beside the others."""
        if typed is None:
            return self.changed(dict.fromkeys(ids))
        return self.changed({id: (self.ask.item(id).form.parse(typed),) for id in ids})

    def changed(self, changes: Changes) -> "Noted":
        """With other answers for some items, and with none for those that have None. Raises
        Refused where the question does not allow that beside the others."""
        now = {id: (raw,) for id, raw in self.given.items()} | dict(changes)
        self.ask.read({id: answer[0] for id, answer in now.items() if answer is not None})
        # In the order in which they are asked for.
        given = {id: answer[0] for id in self.ask.subjects if (answer := now.get(id)) is not None}
        told = {id: self.ask.item(id).form.told(raw) for id, raw in given.items()}
        return Noted(self.ask, given, told, self.asked)


class Placings:
    """What has been given for the setup questions of the open campaign, by rule, side and date: one
    list for all who show such a question, until it is answered. It is handed out only to whoever
    has the question itself, which the enemy's seat never has."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], Noted] = {}

    def of(self, ask: Ask[Any] | None, date: str) -> Noted | None:
        """What has been given for a setup question; None for any other, and for one that has been
        asked again since."""
        question = setup_question(ask)
        if question is None:
            return None
        key = (question.rule, question.subject, date)
        if key not in self._kept:
            self._kept[key] = Noted(question)
        placing = self._kept[key]
        return placing if placing.ask is question else None

    def keep(self, placing: Noted) -> None:
        """Notes what is given now for a question that still stands."""
        for key, before in [*self._kept.items()]:
            if before.ask is placing.ask:
                self._kept[key] = placing

    def meet(self, desk: Desk) -> None:
        """Takes what has been given over to the question where it is asked again, after an undo of
        its answer too: work for the desk's thread."""
        date, ask = desk.campaign.situation.date, setup_question(desk.ask)
        if ask is None:
            return
        before = self._kept.get((ask.rule, ask.subject, date))
        if before is not None and before.ask is not ask:
            self._kept[ask.rule, ask.subject, date] = _asked_anew(ask, before.given)


def _asked_anew(ask: Several[Any], given: dict[str, Raw]) -> Noted:
    """All of what was given, else as much of it as the question still allows."""
    noted = Noted(ask)
    try:
        return noted.changed({id: (raw,) for id, raw in given.items()})
    except Refused:
        for id, raw in given.items():
            with suppress(Refused):
                noted = noted.changed({id: (raw,)})
    return noted


def setup_question(ask: Ask[Any] | None) -> Several[Any] | None:
    """The question for Locations at setup, if it is one."""
    found = isinstance(ask, Several) and ask.rule in ORDER
    return ask if found and isinstance(ask, Several) else None
