"""The answers noted for the items of an open question, until all are given together. Those to a
setup question are shared by the rooms, and kept between runs."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from brt_cg.files import state_file_path
from brt_cg.journal.early_answers import AnswerKey, key_of_question
from brt_cg.model import Campaign, WeaponKind
from brt_cg.questions import MultiQuestion, Question, Raw, RefusedError
from brt_cg.questions.partial_answers import PartialAnswers
from brt_cg.refit.sequence import SETUP_ORDER, TUNNELS
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.drafts import Drafts, ItemDraft, json_round_trip
from brt_cg.service.saved_notes import ignore_error
from brt_cg.views.question_name import QuestionName


class SetupAnswers:
    """The answers noted for the setup questions of a campaign, which all rooms share until the
    question is answered. Only code that has the question itself can get them, so the opponent never
    can.

    Each question has a draft, which is kept when the program ends and is joined with that of
    another window of its side.
    """

    def __init__(
        self, desk: CampaignReader, failed: Callable[[OSError], None] = ignore_error
    ) -> None:
        self._drafts, self._old = Drafts(desk.campaign_id, "", failed), desk.path.resolve()
        self._draft_of: dict[AnswerKey, ItemDraft] = {}
        self._open: tuple[AnswerKey, PartialAnswers] | None = None
        self._name: QuestionName | None = None  # the question that the answers are for

    def answers_to(self, name: QuestionName | None) -> PartialAnswers | None:
        """Return the answers noted for the open setup question; None for any other question."""
        is_open = self._open is not None and name is not None and name == self._name
        return self._open[1] if self._open is not None and is_open else None

    def store(self, noted: PartialAnswers, name: QuestionName | None) -> None:
        """Store the answers to the setup question of that name, if it is still open."""
        if self._open is not None and self.answers_to(name) is not None:
            draft = self._draft_of[self._open[0]]
            draft.save(noted.given)
            self._take(
                noted if draft.items == json_round_trip(noted.given) else self._joined(noted)
            )

    def merge_saved(self) -> bool:
        """Add the answers of another window to the open setup question. Return whether there were
        any."""
        if self._open is None or not self._draft_of[self._open[0]].merge_saved():
            return False
        self._take(self._joined(self._open[1]))
        return True

    def _joined(self, noted: PartialAnswers) -> PartialAnswers:
        """Return those answers of both windows that the question allows together."""
        assert self._open is not None, "only for the open question"
        joined = answers_still_allowed(noted.ask, self._draft_of[self._open[0]].items)
        joined.crews = noted.crews
        return joined

    def _take(self, noted: PartialAnswers) -> None:
        assert self._open is not None, "only for the open question"
        self._open = self._open[0], noted

    def carry_over_to_reopened_question(self, desk: CampaignReader) -> None:
        """Carry noted answers over to a setup question that is asked again, for example after an
        undo or in another run: this must run in the campaign's thread."""
        book = desk.view()
        ask = as_setup_question(book.ask)
        if ask is None:
            return
        noted = self.answers_to(book.question_identity)
        if noted is not None and self._open is not None:
            noted = refresh_answers(noted, ask)
            self._open = self._open[0], noted
        else:
            key = key_of_question(ask)._replace(mark=book.campaign.situation.date)
            if key not in self._draft_of:
                self._draft_of[key] = self._draft(key, desk.campaign_id)
            noted = answers_still_allowed(ask, self._draft_of[key].items)
            self._open = key, noted
        self._name = book.question_identity
        noted.crews = gun_possessors(book.campaign)

    def _draft(self, key: AnswerKey, begun: str) -> ItemDraft:
        question = (key.rule, key.subject, key.mark)
        before = state_file_path("placings", f"{question} {self._old} {begun}")
        return self._drafts.item_draft(f"placings {question}", before)


def gun_possessors(campaign: Campaign) -> dict[str, str]:
    """Return the possessor of each possessed Gun."""
    guns = (each for each in campaign.weapons.values() if each.kind is WeaponKind.GUN)
    return {gun.id: gun.possessor for gun in guns if gun.possessor}


def refresh_answers(noted: PartialAnswers, ask: MultiQuestion[Any]) -> PartialAnswers:
    """Return the answers to a question that may have been read again from the journal."""
    if noted.ask is ask:
        return noted
    carried = answers_still_allowed(ask, noted.given)
    if carried.given != noted.given:
        return carried
    noted.ask = ask
    return noted


def answers_still_allowed(ask: MultiQuestion[Any], given: dict[str, Raw]) -> PartialAnswers:
    """Return all the given answers, or else those that the question still allows."""
    noted = PartialAnswers(ask)
    try:
        return noted.with_changes({id: (raw,) for id, raw in given.items()})
    except RefusedError:
        for id, raw in given.items():
            with suppress(RefusedError):
                noted = noted.with_changes({id: (raw,)})
    return noted


def as_setup_question(ask: Question[Any] | None) -> MultiQuestion[Any] | None:
    """Return the question, if it asks for the Locations of counters at setup; otherwise None: the
    free tunnels are no counters yet."""
    is_setup = ask is not None and ask.rule in SETUP_ORDER and ask.about != TUNNELS
    return ask.as_multi_question if ask is not None and is_setup else None
