"""A kind of question that nobody has heard of is asked, listed, typed and told by all that there
is."""

from dataclasses import replace
from typing import ClassVar

import pytest

from brt_cg.imports.answers_file import Answers
from brt_cg.journal.early_answers import asked, exactly
from brt_cg.model.counters import Side
from brt_cg.model.value import value
from brt_cg.questions.answers import DEFAULT, FILE, Candidate, Form, Raw, Refused
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import AppDice
from brt_cg.questions.one_list import together
from brt_cg.service.supply import Supply
from brt_cg.tui.question.picking import AnswerRows, offered_by

HOURS = ("dawn", "noon", "dusk")


@value(kw_only=True)
class AtWhatHour(Ask[int]):
    """An hour of the day."""

    kind: ClassVar[str] = "hour"

    @property
    def default(self) -> Raw:
        return "noon"

    @property
    def form(self) -> Form:
        return replace(self.short, only=True)

    def listed(self, seat: Side | None, at_table: bool = False) -> list[Candidate]:
        return [Candidate(hour, f"at {hour}", hour) for hour in HOURS]

    def worded(self, raw: Raw) -> str:
        return f"at {raw}"

    def read(self, raw: Raw) -> int:
        if raw not in HOURS:
            raise Refused(f"{raw}: no hour; allowed: {self.allowed_text}")
        return HOURS.index(raw)

    def parse(self, text: str, seat: Side | None = None) -> Raw:
        return text.strip().lower()

    @property
    def allowed(self) -> str:
        return ", ".join(HOURS)


ASK = AtWhatHour(rule="15.6", subject="m-sq-1", side=Side.MARINE, prompt="m-sq-1: when?")


def test_it_is_listed_on_the_screen_with_its_default() -> None:
    rows = AnswerRows(ASK, offered_by(ASK, Side.MARINE))
    assert [text.plain for _, text in rows.rows()] == ["at dawn", "at noon  (default)", "at dusk"]
    assert rows.default_at() == 1
    assert rows.done is None
    assert rows.hint("m") == "↑↓ choose · Enter: answer"


def test_those_of_many_counters_are_one_list() -> None:
    listed = together([ASK, replace(ASK, subject="m-sq-2", prompt="m-sq-2: when?")], (), {})
    assert listed is not None
    rows = AnswerRows(listed, offered_by(listed, Side.MARINE)).rows()
    assert [text.plain for _, text in rows] == [
        "Accept both defaults: at noon",
        "m-sq-1",
        "m-sq-2",
    ]
    assert listed.item("m-sq-2").form.parse("DUSK") == "dusk"
    assert listed.read({"m-sq-2": "dusk"}) == {"m-sq-2": 2}


def test_it_is_answered_by_a_file_or_by_default_and_never_by_dice() -> None:
    file = Answers()
    file.give(asked(ASK), "dawn", source=FILE)
    assert Supply(file, AppDice()).answer_to(ASK, "date", 0) == ("dawn", FILE)
    assert Supply(None, AppDice(), defaults=True).answer_to(ASK, "date", 0) == ("noon", DEFAULT)


def test_it_is_answered_ahead() -> None:
    assert exactly(ASK) != exactly(replace(ASK, prompt="m-sq-1: and when?"))
    assert ASK.worded(ASK.default) == "at noon"
    with pytest.raises(Refused, match="allowed: dawn, noon, dusk"):
        ASK.read(ASK.parse("Midnight"))
