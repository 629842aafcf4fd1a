"""A kind of question that nobody has heard of is asked, listed, typed and told by all that there
is."""

from dataclasses import replace
from typing import ClassVar

import pytest

from brt_cg.immutable import immutable
from brt_cg.imports.answers_file import FileAnswers
from brt_cg.journal.early_answers import key_in_exact_form, key_of_question
from brt_cg.model.counters import Side
from brt_cg.questions.answers import DEFAULT, FILE, AnswerForm, Candidate, Raw, RefusedError
from brt_cg.questions.dice import AppDice
from brt_cg.questions.question_group import group_questions
from brt_cg.questions.question_types import Question
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.tui.question.picking import AnswerRows, offered_answers

HOURS = ("dawn", "noon", "dusk")


@immutable(kw_only=True)
class AtWhatHour(Question[int]):
    """An hour of the day."""

    kind: ClassVar[str] = "hour"

    @property
    def default(self) -> Raw:
        return "noon"

    @property
    def form(self) -> AnswerForm:
        return replace(self.short_form, only=True)

    def candidates(self, seat: Side | None, at_table: bool = False) -> list[Candidate]:
        return [Candidate(hour, f"at {hour}", hour) for hour in HOURS]

    def answer_text(self, raw: Raw) -> str:
        return f"at {raw}"

    def read(self, raw: Raw) -> int:
        if raw not in HOURS:
            raise RefusedError(f"{raw}: no hour; enter {self.allowed_text}")
        return HOURS.index(raw)

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        return text.strip().lower()

    @property
    def allowed(self) -> str:
        return ", ".join(HOURS)


ASK = AtWhatHour(rule="15.6", subject="m-sq-1", side=Side.MARINE, prompt="m-sq-1: when?")


def test_a_new_kind_of_question_is_listed_with_its_default() -> None:
    rows = AnswerRows(ASK, offered_answers(ASK, Side.MARINE))
    assert [text.plain for _, text in rows.rows()] == ["at dawn", "at noon  (default)", "at dusk"]
    assert rows.row_to_select() == 1
    assert rows.answer_leaving_rest_default is None
    assert rows.hint("m", "c") == "↑↓ choose · Enter: answer"


def test_new_questions_about_many_counters_are_one_list() -> None:
    listed = group_questions([ASK, replace(ASK, subject="m-sq-2", prompt="m-sq-2: when?")], (), {})
    assert listed is not None
    rows = AnswerRows(listed, offered_answers(listed, Side.MARINE)).rows()
    assert [text.plain for _, text in rows] == [
        "Accept both defaults: at noon",
        "m-sq-1",
        "m-sq-2",
    ]
    assert listed.item("m-sq-2").form.parse("DUSK") == "dusk"
    assert listed.read({"m-sq-2": "dusk"}) == {"m-sq-2": 2}


def test_a_new_kind_of_question_is_answered_by_file_or_default_not_by_dice() -> None:
    file = FileAnswers()
    file.set_answers(key_of_question(ASK), "dawn", source=FILE)
    assert AnswerSupply(file, AppDice()).supply_answer(ASK, "date", 0) == ("dawn", FILE)
    assert AnswerSupply(None, AppDice(), defaults=True).supply_answer(ASK, "date", 0) == (
        "noon",
        DEFAULT,
    )


def test_a_new_kind_of_question_can_be_answered_early() -> None:
    assert key_in_exact_form(ASK) != key_in_exact_form(replace(ASK, prompt="m-sq-1: and when?"))
    assert ASK.answer_text(ASK.default) == "at noon"
    with pytest.raises(RefusedError, match="enter dawn, noon, dusk"):
        ASK.read(ASK.parse("Midnight"))
