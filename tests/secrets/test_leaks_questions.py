"""What is asked of the enemy in private is told by no refusal."""

import json
from pathlib import Path

import pytest

from tests.cli.shell import Shell, state, unit, written
from tests.tui.moments import played

HIDDEN = [unit("j-sq-2", "japanese", "squad", "M40", **{"class": "elite"}, status=["hidden"])]


@pytest.fixture
def asked(brt: Shell, tmp_path: Path) -> Path:
    """A campaign in which a hidden squad is asked about (15.602)."""
    path = tmp_path / "c.brt"
    assert brt("new", path, "--cg", "III").code == 0
    assert (
        brt("import", path, written(tmp_path / "s.json", state(units=HIDDEN, weapons=[]))).code == 0
    )
    assert brt("refit", path).code == 3
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("answer", "x"),
        ("answer", "x", "--rule", "99"),
        ("answer", "x", "--subject", "N1"),
        ("refit",),
    ],
    ids=" ".join,
)
def test_a_seat_that_may_not_answer_sees_only_that(
    brt: Shell, asked: Path, words: tuple[str, ...]
) -> None:
    command, *rest = words
    got = brt(command, asked, *rest, "--side", "marine")
    assert (got.code, got.out) == (3, "")
    assert got.err == "the other player is making a secret decision; wait for it\n"


@pytest.mark.parametrize("command", ["refit", "ahead"])
def test_an_answers_file_is_refused_the_same_for_a_hidden_or_missing_counter(
    brt: Shell, asked: Path, tmp_path: Path, command: str
) -> None:
    refused = []
    for id in ("j-sq-2", "j-sq-9"):
        given = {"format": "brt-cg/answers", "version": 1, "choices": {"15.602": {id: "reveal"}}}
        file = tmp_path / "answers.json"
        file.write_text(json.dumps(given))
        refused.append(brt(command, asked, "--answers", file, "--side", "marine").err)
    assert refused[0].replace("j-sq-2", "j-sq-9") == refused[1]
    assert "unknown subject" in refused[1]


def test_a_repair_counts_only_what_a_side_knows(brt: Shell, asked: Path) -> None:
    counted = []
    for _ in range(2):
        counted.append(brt("repair", asked, "-o", "r.brt", "--side", "marine").out)
        Path("r.brt").unlink()
        brt("note", asked, "a secret", "--side", "japanese")
    assert counted[0] == counted[1]
    assert "of the Marine view" in counted[0]


# --- what is open stays open ----------------------------------------------------------------------


def read_by_marine(brt: Shell, path: Path) -> list[str]:
    """Everything that `status` and the log tell the Marine player."""
    found = [brt("status", path, "--side", "marine", *more).out for more in ((), ("--json",))]
    found.append(brt("export", path, "log", "--side", "marine", "-o", "-").out)
    return found


def stands(brt: Shell, path: Path, *seat: str) -> str:
    """Where the campaign stands, without its checksum."""
    return brt("status", path, *seat).out.partition("checksum ")[0]


@pytest.mark.parametrize("through", ["15.601", "15.602", "15.6041", "15.6101"])
def test_a_secret_correction_and_its_undo_leave_the_open_question_open(
    brt: Shell, demo_file: Path, through: str
) -> None:
    path = played(demo_file, through)
    before, asks = read_by_marine(brt, path), stands(brt, path)
    correction = ("edit", path, "j-cr-9", "name=Able", "--reason", "misread", "--side", "japanese")
    assert brt(*correction).code == 0
    assert read_by_marine(brt, path) == before
    assert brt("undo", path, "--side", "japanese").code == 0
    assert read_by_marine(brt, path) == before
    assert brt("redo", path, "--side", "japanese").code == 0
    assert read_by_marine(brt, path) == before
    assert brt("undo", path, "--command").code == 0
    assert stands(brt, path) == asks
    assert brt("audit", path).code == 0


@pytest.mark.parametrize("times", [1, 2])
def test_undo_and_redo_do_not_reveal_which_paragraph_asks_in_secret(
    brt: Shell, demo_file: Path, times: int
) -> None:
    assert "making a secret decision" in brt("refit", demo_file, "--auto", "--side", "marine").err
    before = stands(brt, demo_file, "--side", "marine")
    assert "at 15.601 " in before
    for verb in ("undo", "redo"):
        for _ in range(times):
            assert brt(verb, demo_file).code == 0
    assert "at 15.602 " in brt("status", demo_file).out
    assert stands(brt, demo_file, "--side", "marine") == before
