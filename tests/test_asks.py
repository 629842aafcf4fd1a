"""What a player types, as the answer that a question takes."""

import pytest

from brt_cg.asks import Choose, Enter, Option, Raw, Roll, Several
from brt_cg.card import load_card
from brt_cg.counters import Side

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
def test_dice(typed: str, raw: Raw) -> None:
    assert Roll(**ABOUT, table=TABLES["15.6041"]).parse(typed) == raw


def test_a_choice_by_its_word_or_its_value() -> None:
    options = tuple(Option(raw, str(raw), raw) for raw in ("m-ldr-1", True, None))
    ask = Choose(**ABOUT, options=options)
    assert [ask.parse(one) for one in ("m-ldr-1", "yes", "none")] == ["m-ldr-1", True, None]
    assert ask.parse("no") is None


@pytest.mark.parametrize("default", [None, 4, ["w1"]])
def test_nothing_stands_for_the_default_of_an_entry(default: Raw) -> None:
    ask = Enter(**ABOUT, reader=lambda raw: raw, hint="", default=default)
    assert [ask.parse(one) for one in ("none", "no", "null", " ")] == [default] * 4
    assert ask.parse('{"a": 1}') == {"a": 1}


def test_and_for_no_item_of_several() -> None:
    ask = Several(**ABOUT, subjects=("w1",), reader=lambda raw: raw, hint="")
    assert ask.parse("none") == {}
