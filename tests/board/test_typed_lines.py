"""Lines as players type them: where each bit stands, and what is said where one is not
understood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.text import (
    NotUnderstoodError,
    TextSlice,
    expand_span,
    merge_adjacent_words,
    nearest_name,
    parse_whole_number,
    split_and_expand_codes,
)


@given(st.text(alphabet="a4 ,;:", max_size=20))
def test_every_token_knows_its_position_in_the_line(line: str) -> None:
    typed = TextSlice(line)
    bits = [*typed.words(), *typed.split_by(","), *typed.split_at(":"), typed.cut_and_strip(2, 7)]
    bits += [word for part in typed.split_by(";") for word in part.words()]
    assert all(line[bit.at : bit.end] == bit for bit in bits if bit)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("4", ["4"]),
        ("4-7", ["4", "5", "6", "7"]),
        ("A-C", ["A", "B", "C"]),
        ("4g-k", ["4g", "4h", "4j", "4k"]),
        ("7-4", []),
        ("Crowe", ["Crowe"]),
        ("6-6-8", ["6-6-8"]),
    ],
)
def test_a_range_has_both_its_ends(word: str, found: list[str]) -> None:
    assert expand_span(word) == found


def test_codes_may_be_separate_or_in_ranges() -> None:
    assert split_and_expand_codes(TextSlice("1a1b4k")) == ["1a", "1b", "4k"]
    assert split_and_expand_codes(TextSlice("4a-d3f")) == ["4a", "4b", "4c", "4d", "3f"]


@pytest.mark.parametrize(
    ("word", "rest", "at"),
    [("12c", "12c", 5), ("1a2", "2", 7), ("4a-5b", "-5b", 7), ("3l", "3l", 5)],
)
def test_an_invalid_code_is_reported_at_its_position(word: str, rest: str, at: int) -> None:
    with pytest.raises(NotUnderstoodError, match=f"^{rest}: codes look like 4a") as refused:
        split_and_expand_codes(TextSlice(f"x 9a {word}").words()[2])
    assert refused.value.found.at == at


def test_a_suggestion_replaces_the_typed_text() -> None:
    line = "2 x   pack  howizer, pack howizer"
    found = merge_adjacent_words(TextSlice(line).split_by(",")[0].words()[2:])
    wrong = NotUnderstoodError(found, "no such type", meant="pack howitzer")
    assert str(wrong) == "pack howizer: no such type; did you mean pack howitzer?"
    assert wrong.corrected(line) == "2 x   pack howitzer, pack howizer"
    other = NotUnderstoodError(found, "no such type", meant="75* pack howitzer")
    assert other.corrected(line) == line  # another number may be another kind of thing
    assert NotUnderstoodError(found, "no such type").corrected(line) == line


def test_suggestions_use_the_nearest_name_and_a_proper_minus_sign() -> None:
    assert nearest_name("HGM", ["LMG", "HMG", "DC"]) == "HMG"
    assert nearest_name("Crowe", ["LMG"]) is None
    assert [parse_whole_number(text) for text in ("−2", " 14 ", "x", "1.5", "")] == [
        -2,
        14,
        None,
        None,
        None,
    ]
