"""What is asked of the enemy in private is told by no refusal."""

import json
from pathlib import Path

import pytest

from tests.cli.shell import Shell, state, unit, written

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
def test_whoever_may_not_answer_reads_no_more_than_that(
    brt: Shell, asked: Path, words: tuple[str, ...]
) -> None:
    command, *rest = words
    got = brt(command, asked, *rest, "--side", "marine")
    assert (got.code, got.out) == (3, "")
    assert got.err == "the other side has something to decide in private: wait for it\n"


@pytest.mark.parametrize("command", ["refit", "ahead"])
def test_an_answers_file_is_refused_alike_for_a_hidden_counter_and_for_none(
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


def test_a_repair_for_a_side_counts_what_it_knows(brt: Shell, asked: Path) -> None:
    counted = []
    for _ in range(2):
        counted.append(brt("repair", asked, "-o", "r.brt", "--side", "marine").out)
        Path("r.brt").unlink()
        brt("note", asked, "a secret", "--side", "japanese")
    assert counted[0] == counted[1]
    assert "of the Marine side's view" in counted[0]
