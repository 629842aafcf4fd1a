"""A side's questions answered before they are asked, at the command line."""

import json
from pathlib import Path

import pytest

from brt_cg.service import demo
from tests.cli.shell import Shell


@pytest.fixture
def file(brt: Shell, tmp_path: Path) -> Path:
    """The demo where the Japanese side decides something in private."""
    path = demo.create_demo(tmp_path)
    assert isinstance(path, Path)
    assert brt("refit", path, "--auto", "--seed", "one", "--side", "marine").code == 3
    return path


def test_upcoming_questions_are_listed_with_their_defaults(brt: Shell, file: Path) -> None:
    told = brt("ahead", file, "--side", "marine").out
    assert "15.605 m-ldr-16: 7-0 Beal (O20): on which of the equally near Beach hexes" in told
    assert "default: N19" in told
    assert "j-cr-9" not in told
    assert "15.602 j-cr-9" in brt("ahead", file, "--side", "japanese").out
    assert brt("ahead", file).code == 2


def test_early_answers_can_be_given_defaulted_and_withdrawn(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    chosen = {"15.605": {"leader:R20": "m-hs-32", "m-hs-13": "O8"}}
    choices = {"format": "brt-cg/answers", "version": 1, "choices": chosen}
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(choices), "utf-8")
    got = brt(
        *("ahead", file, "--side", "marine", "--answers", answers),
        *("--answer", "15.605 m-ldr-16=N20"),
    )
    assert (got.code, got.out.count("  answered: ")) == (0, 2)
    assert "answered: N20" in got.out
    assert "unused so far: choices" in got.err
    assert "m-hs-13" in got.err
    got = brt("ahead", file, "--side", "marine", "--defaults")
    assert got.out.count("  always: ") > 40
    assert "answered: N20" in got.out
    assert "withdraws all early answers" in brt("ahead", file, "--side", "marine", "--none").out
    out = brt("ahead", file, "--side", "marine").out
    assert "  answered: " not in out
    assert "  always: " not in out
    assert brt("audit", file).code == 0


def test_withdrawing_all_is_not_combined_with_answering(brt: Shell, file: Path) -> None:
    """It withdrew, and said nothing of the rest."""
    for words in (("--defaults",), ("--always", "15.6"), ("--answer", "15.605 m-ldr-16=N20")):
        got = brt("ahead", file, "--side", "marine", "--none", *words)
        assert (got.code, "leave the other options out" in got.err) == (2, True)


def test_a_shopping_list_takes_no_item_zero_times(brt: Shell, file: Path) -> None:
    """It was put on the list once."""
    got = brt("buy", file, "foxhole_1s", "--side", "marine", "--ahead", "--qty", "0")
    assert got.code == 2
    assert got.err.startswith("--qty: 0 is not accepted; enter a whole number from 1")


def test_the_first_line_of_status_says_the_opponent_decides_in_secret(
    brt: Shell, file: Path
) -> None:
    first = brt("status", file, "--side", "marine").out.splitlines()[0]
    assert first.endswith("Japanese player to answer, in private")
    assert brt("status", file, "--side", "marine").code == 0
    assert brt("status", file, "--side", "japanese").code == 3


def test_unasked_or_forbidden_early_answers_are_refused(brt: Shell, file: Path) -> None:
    got = brt("ahead", file, "--side", "marine", "--answer", "15.605 nobody=N20")
    assert (got.code, '"15.605 nobody" is not accepted; enter ' in got.err) == (2, True)
    got = brt("ahead", file, "--side", "marine", "--answer", "15.605 m-ldr-16=A1")
    assert (got.code, "15.605 m-ldr-16: " in got.err) == (2, True)
    assert brt("undo", file).code == 0
