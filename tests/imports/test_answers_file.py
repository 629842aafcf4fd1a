"""Answers files: checked whole, used one by one, and what is left over is told."""

import re
from pathlib import Path
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.imports.answers_file import FileAnswers, read_answers
from brt_cg.journal.early_answers import CHOICE, ROLL, AnswerKey
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import FILE
from brt_cg.questions.question_types import (
    ChoiceQuestion,
    EntryQuestion,
    MultiQuestion,
    Option,
    Question,
    QuestionItem,
    RollQuestion,
)
from brt_cg.refit.sequence import paragraph_of
from tests.commands.campaigns import DEMO, carry, demo, new, problems

MISSING = object()


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    made = new()
    carry(made, "import", state=demo())
    return made


def answers(campaign: Campaign, **sorts: Any) -> FileAnswers:
    return read_answers({"format": "brt-cg/answers", "version": 1, **sorts}, campaign)


def found(given: FileAnswers, ask: Question[Any], times: int = 1) -> list[Any]:
    """The answers to a question that is asked so many times."""
    early = (given.find_and_use(ask, position) for position in range(times))
    return [each[0] if each is not None else MISSING for each in early]


def roll(table: str, rule: str, subject: str) -> Question[Any]:
    dice = load_card("III").tables[table]
    return RollQuestion(rule=rule, subject=subject, side=Side.MARINE, prompt="?", table=dice)


# --- using them ---------------------------------------------------------------------------------


def test_rolls_of_a_rule_and_subject_are_used_in_their_order(campaign: Campaign) -> None:
    given = answers(campaign, rolls={"15.6112": {"j-ldr-3": [3, 4]}})
    ask = roll("15.6112", "15.6112", "j-ldr-3")
    assert found(given, ask, times=3) == [3, 4, MISSING]


def test_a_file_given_again_continues_where_it_was_interrupted(campaign: Campaign) -> None:
    given = answers(campaign, rolls={"15.6112": {"j-ldr-3": [3, 4]}})
    assert given.find_and_use(roll("15.6112", "15.6112", "j-ldr-3"), 1) == (4, FILE)
    assert given.unused_answers() == []


def test_a_leader_can_be_named_in_a_file(campaign: Campaign) -> None:
    given = answers(
        campaign,
        rolls={"15.6112": {"mori": [3]}, "15.6139": {"Takagi/pick": [2]}},
        choices={"15.6041": {"prisoners:Kondo": None}},
    )
    assert given.first_raw_answers == {
        AnswerKey("15.6112", "j-ldr-3", ROLL): 3,
        AnswerKey("15.6139", "j-ldr-4/pick", ROLL): 2,
        AnswerKey("15.6041", "prisoners:j-ldr-5", CHOICE): None,
    }


def test_a_name_of_several_counters_is_refused_with_their_ids(campaign: Campaign) -> None:
    twins = campaign.clone()
    twins.units["j-ldr-5"].name = "Mori"
    assert problems(lambda: answers(twins, rolls={"15.6112": {"Mori": [3]}})) == [
        'rolls["15.6112"]["Mori"]: Mori: several counters have that name; use one of these '
        "ids: 8-0 Mori (j-ldr-3), 8+1 Mori (j-ldr-5)"
    ]
    assert problems(
        lambda: answers(campaign, rolls={"15.6112": {"Mori": [3], "j-ldr-3": [4]}})
    ) == ['rolls["15.6112"]["j-ldr-3"]: j-ldr-3 is entered twice']


def test_null_is_an_answer_but_a_missing_line_is_not(campaign: Campaign) -> None:
    given = answers(campaign, choices={"15.6114": {"marine": None}})
    assert found(given, choose("15.6114", "marine")) == [None]
    assert found(given, choose("15.6114", "japanese")) == [MISSING]


def choose(rule: str, subject: str) -> Question[Any]:
    options = (Option(True, "yes", True),)
    return ChoiceQuestion(
        rule=rule, subject=subject, side=Side.JAPANESE, prompt="?", options=options
    )


def test_a_choice_is_found_by_its_question(campaign: Campaign) -> None:
    given = answers(campaign, choices={"15.616": {"japanese": True}})
    assert found(given, choose("15.616", "japanese")) == [True]
    assert found(given, choose("15.616", "marine")) == [MISSING]


def test_a_series_is_answered_one_by_one_until_it_ends(campaign: Campaign) -> None:
    rounds = [{"eliminated": ["j-sq-1"]}, {"eliminated": []}]
    given = answers(campaign, choices={"15.601": {"T11": rounds}})
    ask: Question[Any] = EntryQuestion(
        rule="15.601",
        subject="T11",
        side=Side.MARINE,
        prompt="?",
        reader=lambda raw: raw,
        hint="a round",
        series=True,
        stop=None,
    )
    assert found(given, ask, times=3) == [*rounds, None]
    assert given.unused_answers() == []


def test_several_items_are_listed_under_the_rule(campaign: Campaign) -> None:
    given = answers(campaign, choices={"15.6139": {"j-wire-1": {"helpers": []}}})
    ask: Question[Any] = MultiQuestion(
        rule="15.6139",
        subject="marine",
        side=Side.MARINE,
        prompt="?",
        items=(QuestionItem("j-wire-1", "wire"), QuestionItem("j-wire-3", "wire")),
        reader=lambda raw: raw,
        hint="items",
    )
    assert found(given, ask) == [{"j-wire-1": {"helpers": []}}]
    assert given.unused_answers() == []


def test_unused_answers_are_reported(campaign: Campaign) -> None:
    given = answers(
        campaign,
        rolls={"15.6112": {"j-ldr-3": [3, 4]}},
        choices={"15.616": {"japanese": True}, "15.601": {"T11": [{"set": []}, {"set": []}]}},
    )
    given.find_and_use(roll("15.6112", "15.6112", "j-ldr-3"))
    given.find_and_use(choose("15.601", "T11"))
    assert given.unused_answers() == [
        'rolls["15.6112"]["j-ldr-3"][1]: 4',
        'choices["15.616"]["japanese"]: true',
        'choices["15.601"]["T11"][1]: {"set": []}',
    ]
    up_to_melee = given.unused_answers(paragraph_of("15.601"))  # the rest may yet be asked for
    assert up_to_melee == ['choices["15.601"]["T11"][1]: {"set": []}']


def test_an_answer_for_a_melee_that_is_not_fought_is_unused(campaign: Campaign) -> None:
    given = answers(campaign, choices={"15.601": {"T11": [], "T12": []}})
    given.find_and_use(choose("15.601", "T11"))
    assert given.unused_answers() == ['choices["15.601"]["T12"]: []']


def test_answers_used_by_an_earlier_command_are_not_unused(campaign: Campaign) -> None:
    given = answers(
        campaign,
        rolls={"15.6112": {"j-ldr-3": [3]}},
        choices={"15.616": {"japanese": True}, "15.601": {"T11": [{"set": []}]}},
    )
    given.mark_used(AnswerKey("15.6112", "j-ldr-3", ROLL), 1)
    given.mark_used(AnswerKey("15.616", "japanese", CHOICE), 1)
    given.mark_used(AnswerKey("15.601", "T11", CHOICE), 2)
    given.mark_used(AnswerKey("15.607", "marine", CHOICE), 1)
    assert given.unused_answers() == []


# --- reading them ---------------------------------------------------------------------------------


def test_a_file_is_read_from_disk(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text('{"format": "brt-cg/answers", "version": 1}', encoding="utf-8")
    assert read_answers(path, campaign).unused_answers() == []


@pytest.mark.parametrize(
    ("rule", "subject", "raws"),
    [
        ("15.6041", "m-sq-1", [[3, 4]]),
        ("15.605", "m-sq-1", [[3, 4]]),
        ("15.605", "m-ldr-1", [[3, 4], 5]),
        ("15.601", "m-ldr-1", [5]),
        ("15.6131", "m-tk-1", [1, 2]),
        ("15.6136", "j-gun-4/AP", [6]),
        ("15.6139", "j-wire-1/pick", [2]),
        ("15.6203", "japanese", [1]),
        ("15.6205", "first_move", [4]),
    ],
)
def test_rolls_of_the_contract_are_known(
    campaign: Campaign, rule: str, subject: str, raws: list[Any]
) -> None:
    given = answers(campaign, rolls={rule: {subject: raws}})
    assert given.first_raw_answers == {AnswerKey(rule, subject, ROLL): raws[0]}


@pytest.mark.parametrize(
    "subject",
    [
        *("m-sq-1", "marine", "japanese", "winner", "first_move", "M1", "J2", "N21", "N21:1"),
        *("Z33:pier", "off_map", "leader:N21", "ipc:N21", "crew:m-tk-1", "prisoners:j-hs-4"),
        *("equipment:m-sq-1", "immobile:m-tk-1", "j-gun-4/AP", "j-wire-1/pick", "b-2"),
        *("j-wire-1/reduce", "m-sq-1.2", "japanese-ldr-412", "p17-1", "pj17-1-crew", "N18/N19"),
        *("m-tk-1-crew", "m-tk-1-crew-2", "m-sq-1.3", "m-sq-1.10", "prisoners:m-tk-1-crew"),
    ],
)
def test_subjects_of_the_contract_are_known(campaign: Campaign, subject: str) -> None:
    given = answers(campaign, choices={"15.614": {subject: "done"}})
    assert given.first_raw_answers == {AnswerKey("15.614", subject, CHOICE): "done"}


@pytest.mark.parametrize("subject", ["m-sq-1.1", "nobody-crew", "m-tk-1-crew-", "nobody.2"])
def test_a_missing_counter_cannot_be_named(campaign: Campaign, subject: str) -> None:
    refusal = problems(lambda: answers(campaign, choices={"15.614": {subject: "done"}}))
    assert f'choices["15.614"]["{subject}"]: unknown subject' in refusal[0]


def test_all_problems_are_reported_together(campaign: Campaign) -> None:
    lines = problems(
        lambda: answers(
            campaign,
            rolls={
                "15.6112": {"j-ldr-3": [7], "nobody": [3], "j-ldr-4": 3},
                "15.6041": {"m-sq-1": [3, 4]},
                "15.6131b": {"m-tk-1": [1]},
                "15.602": {},
            },
            choices={
                "15.999": {},
                "15.6113": {"ladder:N21": "m-sq-1", "crew:nobody": None, "N99": 1},
                "15.601": {"T11": {}},
                "15.6122": {"marine": 4.5},
                "15.616": True,
            },
            dice={},
        )
    )
    assert [re.split("[;:] (?:allowed|enter)", line)[0] for line in lines] == [
        "dice: unknown field",
        'rolls["15.6112"]["nobody"]: unknown subject',
        'rolls["15.6112"]["j-ldr-3"][0]: 7 is not a dr',
        'rolls["15.6112"]["j-ldr-4"]: 3 is not accepted',
        'rolls["15.6041"]["m-sq-1"][0]: 3 is not a DR',
        'rolls["15.6041"]["m-sq-1"][1]: 4 is not a DR',
        'rolls["15.6131b"]: unknown rule for rolls',
        'rolls["15.602"]: unknown rule for rolls',
        'choices["15.999"]: unknown rule for choices',
        'choices["15.6113"]["ladder:N21"]: unknown subject',
        'choices["15.6113"]["crew:nobody"]: unknown subject',
        'choices["15.6113"]["N99"]: unknown subject',
        'choices["15.601"]["T11"]: {} is not accepted',
        'choices["15.6122"]["marine"]: 4.5 is not accepted',
        'choices["15.616"]: true is not accepted',
    ]


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ([], '[] is not accepted; enter an object with "format": "brt-cg/answers"'),
        ({"version": 1}, 'format: null is not accepted; enter "brt-cg/answers"'),
        ({"format": "brt-cg/answers", "version": "1"}, 'version: "1" is not accepted; enter 1'),
        (
            {"format": "brt-cg/answers", "version": 1, "rolls": []},
            "rolls: [] is not accepted; enter an",
        ),
    ],
)
def test_a_file_of_another_kind_is_not_an_answers_file(
    campaign: Campaign, found: Any, line: str
) -> None:
    assert problems(lambda: read_answers(found, campaign))[0].startswith(line)


def test_a_state_given_as_answers_is_refused_with_its_name(campaign: Campaign) -> None:
    lines = problems(lambda: read_answers(DEMO / "state.json", campaign))
    assert lines[0] == 'state.json: format: "brt-cg/state" is not accepted; enter "brt-cg/answers"'
