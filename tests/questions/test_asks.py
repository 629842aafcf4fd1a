"""What a player types, as the answer that a question takes."""

import json
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.model.counters import Side
from brt_cg.questions.answers import AnswerForm, Candidate, NamedCounter, Raw, RefusedError
from brt_cg.questions.question_types import (
    ChoiceQuestion,
    EntryQuestion,
    MultiQuestion,
    Option,
    QuestionItem,
    RollQuestion,
)

TABLES = load_card("III").tables
ABOUT = {"rule": "15.6", "subject": "m-sq-1", "side": Side.MARINE, "prompt": "?"}


@pytest.mark.parametrize(
    ("typed", "raw"),
    [
        ("3", 3),
        ("3,4", [3, 4]),
        ("3 4", [3, 4]),
        ("[3, 4]", [3, 4]),
        ("[3]", 3),
        ("three", "three"),
    ],
)
def test_dice_are_asked_for_and_read(typed: str, raw: Raw) -> None:
    assert RollQuestion(**ABOUT, table=TABLES["15.6041"]).parse(typed) == raw


def test_a_choice_is_typed_by_its_word_or_its_value() -> None:
    options = tuple(Option(raw, str(raw), raw) for raw in ("m-ldr-1", True, None))
    ask = ChoiceQuestion(**ABOUT, options=options)
    assert [ask.parse(one) for one in ("m-ldr-1", "yes", "none")] == ["m-ldr-1", True, None]
    assert ask.parse("no") is None


def test_an_option_about_a_counter_is_typed_in_two_words() -> None:
    told = [
        ({"guard": "m-ldr-1"}, "Hawkins"),
        ({"guard": "m-sq-1"}, None),
        ({"recall": True}, None),
    ]
    options = tuple(
        Option(
            raw,
            str(raw),
            raw,
            of=NamedCounter(raw["guard"], name, sort="9-1") if "guard" in raw else None,
        )
        for raw, name in told
    )
    options += (Option(False, "no", False),)
    ask = ChoiceQuestion(**ABOUT, options=options)
    assert ask.allowed_text == "guard 9-1 Hawkins, guard m-sq-1, recall, no"
    for typed in ("guard m-ldr-1", "guard hawkins", '{"guard": "Hawkins"}'):
        assert ask.parse(typed) == {"guard": "m-ldr-1"}
    assert (ask.parse("recall"), ask.parse("no")) == ({"recall": True}, False)
    with pytest.raises(
        RefusedError, match=r"^guard m-sq-9 is not allowed here; enter guard 9-1 Hawkins"
    ):
        ask.read(ask.parse('{"guard": "m-sq-9"}'))


def test_an_option_called_no_or_none_is_that_option() -> None:
    ask = ChoiceQuestion(**ABOUT, options=tuple(Option(raw, raw, raw) for raw in ("no", "none")))
    assert (ask.parse("no"), ask.parse("none")) == ("no", "none")


@pytest.mark.parametrize("default", [None, 4, ["w1"]])
def test_an_empty_entry_means_its_default(default: Raw) -> None:
    ask = EntryQuestion(**ABOUT, reader=lambda raw: raw, hint="", default=default)
    assert [ask.parse(one) for one in ("none", "no", "null", " ")] == [default] * 4
    assert ask.parse('{"a": 1}') == {"a": 1}


def test_none_is_an_answer_where_it_is_not_the_default() -> None:
    ask = EntryQuestion(**ABOUT, reader=lambda raw: raw, hint="", default=[["N21"]], nothing=[])
    assert [ask.parse(one) for one in ("none", "no", " ")] == [[], [], [["N21"]]]


def test_an_empty_list_of_items_means_none() -> None:
    ask = MultiQuestion(
        **ABOUT, items=(QuestionItem("w1", "MMG w1"),), reader=lambda raw: raw, hint=""
    )
    assert ask.parse("none") == {}


def test_several_items_are_typed_with_semicolons_between_them() -> None:
    items = (QuestionItem("w1", "MMG w1"), QuestionItem("w2", "HMG w2"))
    ask = MultiQuestion(**ABOUT, items=items, reader=lambda raw: raw, hint="")
    assert ask.parse("w1 m-sq-1; w2 none") == {"w1": "m-sq-1", "w2": None}
    assert ask.parse('{"w1": "m-sq-1"}') == {"w1": "m-sq-1"}
    with pytest.raises(RefusedError, match="w3 cannot be named here; enter w1, w2"):
        ask.parse("w3 m-sq-1")
    with pytest.raises(RefusedError, match="w3 cannot be named here"):
        ask.parse("w3")
    with pytest.raises(
        RefusedError, match="w1: its answer is missing; write ITEM ANSWER; ITEM ANSWER"
    ):
        ask.parse("w1")


@pytest.mark.parametrize("typed", ["w1 m-sq-1; w1 m-sq-2", '{"w1": "m-sq-1", "w1": "m-sq-2"}'])
def test_an_item_named_twice_is_refused(typed: str) -> None:
    ask = MultiQuestion(
        **ABOUT, items=(QuestionItem("w1", "MMG w1"),), reader=lambda raw: raw, hint=""
    )
    with pytest.raises(RefusedError, match=r"w1.* twice.*; enter it once"):
        ask.parse(typed)


def test_secret_options_are_offered_to_their_side_alone() -> None:
    shown = Candidate("a", "a", "a")
    hidden = Candidate("b", "b", "b", Side.JAPANESE)
    form = AnswerForm(candidates=lambda: [shown, hidden])
    assert form.candidates_for(Side.MARINE) == [shown]
    assert form.candidates_for(Side.JAPANESE) == form.candidates_for(None) == [shown, hidden]


HAWKINS, CROWE = NamedCounter("m-ldr-1", "Hawkins"), NamedCounter("m-ldr-2", "Jim Crowe")
TANAKA = NamedCounter("j-ldr-1", "Tanaka", Side.JAPANESE)


def helpers(*counters: NamedCounter) -> AnswerForm:
    """A form that takes the ids of counters."""
    return AnswerForm(typed=str.split, counters=lambda: counters)


@pytest.mark.parametrize("typed", ["Hawkins jim crowe", "HAWKINS m-ldr-2", "m-ldr-1 Jim  Crowe"])
def test_leaders_can_be_typed_by_name(typed: str) -> None:
    assert helpers(HAWKINS, CROWE, NamedCounter("m-sq-1", None)).parse(typed) == [
        "m-ldr-1",
        "m-ldr-2",
    ]


def test_a_name_shared_by_two_counters_is_refused_with_both() -> None:
    form = helpers(HAWKINS, NamedCounter("m-ldr-9", "hawkins"), CROWE)
    with pytest.raises(RefusedError, match=r"Hawkins \(m-ldr-1\), hawkins \(m-ldr-9\)$"):
        form.parse("Hawkins")
    assert form.parse("m-ldr-9") == ["m-ldr-9"]


def test_an_empty_text_is_nobodys_name() -> None:
    options = tuple(Option(raw, raw, raw) for raw in ("m-sq-1", "m-sq-2"))
    assert ChoiceQuestion(**ABOUT, options=options).parse("") == ""
    assert helpers(NamedCounter("m-sq-1", " "), HAWKINS).parse("m-sq-1 hawkins") == [
        "m-sq-1",
        "m-ldr-1",
    ]


def test_an_id_takes_precedence_over_a_name() -> None:
    assert helpers(HAWKINS, NamedCounter("m-ldr-3", "m-ldr-1")).parse("m-ldr-1") == ["m-ldr-1"]


def test_typing_a_hidden_name_reveals_nothing_to_the_enemy() -> None:
    form = helpers(HAWKINS, TANAKA)
    assert form.parse("Tanaka", Side.MARINE) == ["Tanaka"]  # as any name that nobody bears
    assert form.parse("Tanaka", Side.JAPANESE) == form.parse("Tanaka") == ["j-ldr-1"]
    namesake = helpers(HAWKINS, NamedCounter("j-ldr-2", "Hawkins", Side.JAPANESE))
    assert namesake.parse("Hawkins", Side.MARINE) == ["m-ldr-1"]


def test_names_are_not_looked_for_in_free_text() -> None:
    form = AnswerForm(typed=str, counters=lambda: [HAWKINS], own_words=r":\s[^;]*")
    typed = "w1 possessor=hawkins: found by Hawkins; Hawkins fate=lost: lost"
    assert form.parse(typed) == "w1 possessor=m-ldr-1: found by Hawkins; m-ldr-1 fate=lost: lost"


def test_choices_and_items_can_be_typed_by_counter_name() -> None:
    harden = Option(
        {"harden": "m-ldr-1"}, "harden Hawkins", 1, of=NamedCounter("m-ldr-1", "Hawkins")
    )
    assert ChoiceQuestion(**ABOUT, options=(harden,)).parse("hawkins") == {"harden": "m-ldr-1"}
    items = (
        QuestionItem("m-ldr-2", "9-0 Jim Crowe", name="Jim Crowe"),
        QuestionItem("m-sq-1", "squad m-sq-1"),
    )
    ask = MultiQuestion(**ABOUT, items=items, reader=lambda raw: raw, hint="")
    assert ask.parse("jim crowe N21; m-sq-1 N22") == {"m-ldr-2": "N21", "m-sq-1": "N22"}


def test_items_can_be_typed_by_printed_strength_and_letter() -> None:
    items = (
        QuestionItem("m-sq-1", "6-6-8 B", name="B", sort="6-6-8"),
        QuestionItem("m-sq-2", "6-6-8 m-sq-2"),
    )
    ask = MultiQuestion(**ABOUT, items=items, reader=lambda raw: raw, hint="")
    wanted = {"m-sq-1": "N21", "m-sq-2": "N22"}
    assert ask.parse("6-6-8 B N21; m-sq-2 N22") == ask.parse("b N21; m-sq-2 N22") == wanted


@pytest.mark.parametrize(
    ("raw", "by_ids"),
    [
        (["hawkins", "m-sq-1"], ["m-ldr-1", "m-sq-1"]),
        ({"captured": {"Hawkins": "jim  crowe"}}, {"captured": {"m-ldr-1": "m-ldr-2"}}),
        (
            {"do": "Hawkins", "set": {"name": "Hawkins"}},
            {"do": "Hawkins", "set": {"name": "Hawkins"}},
        ),
        ({"counter": "Hawkins", "set": {"pp": 3}}, {"counter": "m-ldr-1", "set": {"pp": 3}}),
        (None, None),
        ("", ""),
    ],
)
def test_an_answers_file_may_call_counters_by_name(raw: Any, by_ids: Any) -> None:
    nameless = NamedCounter("m-sq-1", " ")
    form = helpers(HAWKINS, CROWE, nameless)
    ask = EntryQuestion(**ABOUT, reader=lambda raw: raw, hint="", form=form)
    assert ask.replace_names_with_ids(raw) == by_ids
    if isinstance(raw, list | dict):
        assert form.parse(json.dumps(raw)) == by_ids


def test_a_bug_in_a_reader_is_not_shown_as_the_players_mistake() -> None:
    ask = EntryQuestion(**ABOUT, reader=lambda raw: int("fault"), hint="")
    with pytest.raises(ValueError, match="fault") as raised:
        ask.read(1)
    assert not isinstance(raised.value, RefusedError)


def test_an_answers_file_chooses_by_name() -> None:
    options = tuple(
        Option({"harden": id}, name, id, of=NamedCounter(id, name))
        for id, name in (("m-ldr-1", "Hawkins"), ("m-ldr-2", "Crowe"), ("m-ldr-3", "crowe"))
    )
    ask = ChoiceQuestion(**ABOUT, options=(*options, Option(None, "neither", None)))
    assert (
        ask.replace_names_with_ids({"harden": "HAWKINS"})
        == ask.replace_names_with_ids("Hawkins")
        == {"harden": "m-ldr-1"}
    )
    assert ask.replace_names_with_ids({"harden": "m-ldr-2"}) == {"harden": "m-ldr-2"}
    assert ask.replace_names_with_ids(None) is None
    with pytest.raises(
        RefusedError, match=r"fits several answers; enter one of: harden m-ldr-2, harden m-ldr-3"
    ):
        ask.replace_names_with_ids({"harden": "Crowe"})


def test_questions_of_one_kind_are_grouped() -> None:
    def question(subject: str, **more: Any) -> ChoiceQuestion[bool]:
        yes = Option(True, "yes", True)
        about = ABOUT | {"subject": subject} | more
        return ChoiceQuestion(**about, options=(yes,))

    assert question("m-sq-1").group_key == question("m-sq-2").group_key
    assert question("m-sq-1").group_key != question("m-sq-1", about="Recall").group_key
    assert question("m-sq-1").group_key != question("j-sq-1", side=Side.JAPANESE).group_key


def test_a_single_option_is_no_decision_except_the_end_of_purchases() -> None:
    done = (Option("done", "done", None),)
    assert not ChoiceQuestion(**ABOUT, options=done).is_decision
    assert ChoiceQuestion(**ABOUT, options=done, buying=True).is_decision
    assert not RollQuestion(**ABOUT, table=TABLES["15.6041"]).is_decision
