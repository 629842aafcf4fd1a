"""A choice names its counters in full, and takes each name that a player may give one."""

import pytest

from brt_cg.model import Side
from brt_cg.questions import ChoiceQuestion, NamedCounter, Option, Raw, RefusedError

ABOUT = {"rule": "15.6114", "subject": "marine", "side": Side.MARINE, "prompt": "?"}


def harden(id: str, name: str, sort: str) -> Option[str]:
    """The option to Battle Harden a leader."""
    words = f"Battle Harden {sort} {name} (Area M1)"
    return Option({"harden": id}, words, id, of=NamedCounter(id, name, sort=sort))


def choice(*options: Option[str]) -> ChoiceQuestion[str]:
    return ChoiceQuestion(**ABOUT, options=(*options, Option(None, "neither", "")))


TWO = choice(harden("a", "no. 1", "8-0"), harden("b", "no. 2", "9-1"))


def test_an_option_is_offered_with_the_type_and_the_number_of_its_counter() -> None:
    assert TWO.allowed_text == "harden 8-0 no. 1, harden 9-1 no. 2, none"


@pytest.mark.parametrize(
    "typed",
    [
        "harden 9-1",
        "harden 9-1 no. 2",
        "Harden no. 2",
        "harden 9-1 2",
        "harden b",
        "9-1",
        "no. 2",
        "b",
        '{"harden": "b"}',
        '{"harden": "9-1"}',
        "Battle Harden 9-1 no. 2 (Area M1)",
    ],
)
def test_a_name_number_type_or_id_finds_its_option(typed: str) -> None:
    assert TWO.parse(typed) == {"harden": "b"}


def test_an_id_inside_the_verb_leaves_the_words_unchanged() -> None:
    assert [each.typed for each in TWO.named_options] == [
        "harden 8-0 no. 1",
        "harden 9-1 no. 2",
        "none",
    ]


def test_an_ambiguous_option_lists_the_full_names() -> None:
    with pytest.raises(
        RefusedError, match=r"did you mean harden 9-1 no\. 2\?|allowed: harden 8-0 no\."
    ):
        TWO.read(TWO.parse("harden 9-1 no. 3"))


def test_a_type_that_two_options_share_is_refused_with_both() -> None:
    ask = choice(harden("a", "no. 1", "8-0"), harden("b", "no. 2", "8-0"))
    with pytest.raises(RefusedError, match=r"enter one of: harden 8-0 no\. 1, harden 8-0 no\. 2"):
        ask.parse("harden 8-0")


def test_two_leaders_with_one_name_and_type_are_distinguished_by_id() -> None:
    ask = choice(harden("m-ldr-1", "Smith", "8-0"), harden("m-ldr-2", "Smith", "8-0"))
    assert ask.allowed_text == "harden m-ldr-1, harden m-ldr-2, none"
    assert [each.label for each in ask.named_options][:2] == [
        "Battle Harden 8-0 Smith (Area M1) (m-ldr-1)",
        "Battle Harden 8-0 Smith (Area M1) (m-ldr-2)",
    ]
    assert [ask.parse(each.label) for each in ask.named_options] == ask.allowed


@pytest.mark.parametrize(("typed", "raw"), [("no", "none"), ("keep", "keep"), ("none", "none")])
def test_typing_no_chooses_the_option_no(typed: str, raw: Raw) -> None:
    options = (Option("none", "no", 0), Option("keep", "keep it", 1))
    assert ChoiceQuestion(**ABOUT, options=options, default="none").parse(typed) == raw
