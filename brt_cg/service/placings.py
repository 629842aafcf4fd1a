"""The answers noted for the items of an open question, until all are given at once. Those to a
setup question are shared by the rooms, and kept between runs."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from brt_cg.files import state_file
from brt_cg.journal.early_answers import Key, asked
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import WeaponKind
from brt_cg.questions.answers import Raw, Refused
from brt_cg.questions.asks import Ask, Several
from brt_cg.questions.noted import Noted
from brt_cg.refit.sequence import SETUP_ORDER
from brt_cg.service.desk import Desk
from brt_cg.service.drafts import Drafts, ItemDraft, as_read
from brt_cg.service.noted_on_disk import ignore
from brt_cg.views.question_name import QuestionName


class Placings:
    """The answers noted for the setup questions of a campaign, which all rooms share until the
    question is answered. Only code that has the question itself can get them, so the enemy's seat
    never can.

    Each question has a draft, which outlives the program and is joined with that of another window
    of its side.
    """

    def __init__(self, desk: Desk, failed: Callable[[OSError], None] = ignore) -> None:
        self._drafts, self._old = Drafts(desk.begun, "", failed), desk.path.resolve()
        self._draft_of: dict[Key, ItemDraft] = {}
        self._open: tuple[Key, Noted] | None = None
        self._name: QuestionName | None = None  # of the question that it is for

    def of(self, ask: Ask[Any] | None) -> Noted | None:
        """The answers noted for the open setup question; None for any other, or for one that has
        been asked again since."""
        noted = self._open[1] if self._open is not None else None
        return noted if noted is not None and noted.ask is ask else None

    def keep(self, noted: Noted) -> None:
        """Stores the answers to the setup question that is open, if it still is."""
        if self._open is not None and self._open[1].ask is noted.ask:
            draft = self._draft_of[self._open[0]]
            draft.keep(noted.given)
            self._take(noted if draft.items == as_read(noted.given) else self._joined(noted))

    def join(self) -> bool:
        """Add the answers of another window to the open setup question. Return whether there were
        any."""
        if self._open is None or not self._draft_of[self._open[0]].join():
            return False
        self._take(self._joined(self._open[1]))
        return True

    def _joined(self, noted: Noted) -> Noted:
        """Return the answers of both windows that the question allows together."""
        assert self._open is not None, "only for the open question"
        joined = carried_over(noted.ask, self._draft_of[self._open[0]].items)
        joined.crews = noted.crews
        return joined

    def _take(self, noted: Noted) -> None:
        assert self._open is not None, "only for the open question"
        self._open = self._open[0], noted

    def meet(self, desk: Desk) -> None:
        """Carries noted answers over to a setup question that is asked again, for example after an
        undo or in another run: work for the desk's thread."""
        book = desk.book()
        ask = setup_question(book.ask)
        if ask is None:
            return
        noted = self.of(ask)
        if noted is None and self._open is not None and self._name == book.asked:
            noted = self._open[1]  # the same question, read again
            carried = carried_over(ask, noted.given)
            if carried.given == noted.given:
                noted.ask = ask
            else:
                noted = carried
            self._open = self._open[0], noted
        if noted is None:
            key = asked(ask)._replace(mark=book.campaign.situation.date)
            if key not in self._draft_of:
                self._draft_of[key] = self._draft(key, desk.begun)
            noted = carried_over(ask, self._draft_of[key].items)
            self._open = key, noted
        self._name = book.asked
        noted.crews = crews_of_guns(book.campaign)

    def _draft(self, key: Key, begun: str) -> ItemDraft:
        question = (key.rule, key.subject, key.mark)
        before = state_file("placings", f"{question} {self._old} {begun}")
        return self._drafts.of_items(f"placings {question}", before)


def crews_of_guns(campaign: Campaign) -> dict[str, str]:
    """Who possesses each Gun that somebody does."""
    guns = (each for each in campaign.weapons.values() if each.kind is WeaponKind.GUN)
    return {gun.id: gun.possessor for gun in guns if gun.possessor}


def carried_over(ask: Several[Any], given: dict[str, Raw]) -> Noted:
    """Returns all the given answers, or else those that the question still allows."""
    noted = Noted(ask)
    try:
        return noted.changed({id: (raw,) for id, raw in given.items()})
    except Refused:
        for id, raw in given.items():
            with suppress(Refused):
                noted = noted.changed({id: (raw,)})
    return noted


def setup_question(ask: Ask[Any] | None) -> Several[Any] | None:
    """The question, if it asks for Locations at setup; otherwise None."""
    return ask.several if ask is not None and ask.rule in SETUP_ORDER else None
