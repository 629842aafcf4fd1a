"""An answer falls on the question that was meant, or on none."""

import shutil
from pathlib import Path

import pytest

from brt_cg.service import demo
from tests.cli.shell import Shell


@pytest.fixture
def asked(brt: Shell, tmp_path: Path) -> Path:
    """The demo at its first question that wants a decision."""
    path = tmp_path / "c.brt"
    shutil.copy(demo.create_demo(tmp_path), path)
    assert brt("refit", path).code == 3
    return path


def open_question(brt: Shell, path: Path) -> tuple[str, str]:
    asks = brt("status", path, "--json").json["asks"]
    return asks["rule"], asks["subject"]


def test_an_answer_may_name_its_question(brt: Shell, asked: Path) -> None:
    rule, subject = open_question(brt, asked)
    got = brt("answer", asked, "none", "--rule", rule, "--subject", subject)
    assert got.code == 0, got.err
    assert open_question(brt, asked) != (rule, subject)


@pytest.mark.parametrize("named", [("--rule", "15.6041"), ("--subject", "m-sq-99")])
def test_an_answer_to_another_question_is_refused(
    brt: Shell, asked: Path, named: tuple[str, str]
) -> None:
    before = open_question(brt, asked)
    got = brt("answer", asked, "none", *named)
    assert (got.code, "is not the open question; see `brt-cg status`" in got.err) == (2, True)
    assert open_question(brt, asked) == before


def test_an_answer_is_refused_if_another_question_was_shown(brt: Shell, asked: Path) -> None:
    """Each player looks from his own seat; the other one was quicker."""
    rule, subject = open_question(brt, asked)
    assert brt("status", asked, "--side", "marine").code == 3
    assert brt("answer", asked, "none").code == 0
    now = open_question(brt, asked)
    assert now != (rule, subject)
    got = brt("answer", asked, "none", "--side", "marine")
    assert got.code == 2
    assert f"{rule} {subject}, which you were shown, is no longer the open question" in got.err
    assert open_question(brt, asked) == now


def test_an_answer_is_refused_if_the_file_was_replaced_by_a_copy(
    brt: Shell, asked: Path, tmp_path: Path
) -> None:
    before = tmp_path / "before.brt"
    shutil.copy(asked, before)
    assert brt("answer", asked, "none").code == 0
    shutil.copy(before, asked)
    assert brt("answer", asked, "none").code == 0


def test_an_empty_answer_changes_nothing(brt: Shell, asked: Path) -> None:
    before = open_question(brt, asked)
    got = brt("answer", asked, " ")
    assert (got.code, got.err) == (2, "the answer is empty; to choose nothing, answer none\n")
    assert open_question(brt, asked) == before


def test_undo_shows_the_question_again(brt: Shell, asked: Path) -> None:
    assert brt("answer", asked, "none").code == 0
    assert brt("undo", asked).code == 0
    assert brt("answer", asked, "none").code == 0
