"""What one side asks of the other at the command line."""

from pathlib import Path

import pytest

from brt_cg.service import demo
from tests.cli.shell import Shell


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return demo.create_demo(tmp_path)


def asked(brt: Shell, file: Path) -> str:
    """Asks for a correction from the Marine seat."""
    got = brt("edit", file, "marine", "san=5", "--reason", "misread", "--side", "marine")
    assert got.code == 0, got.err
    return got.out


def san(brt: Shell, file: Path) -> int:
    return int(brt("status", file, "--json").json["san"]["marine"])


def test_a_correction_from_a_seat_becomes_a_request(brt: Shell, file: Path) -> None:
    before = san(brt, file)
    assert "the Marine player asks the Japanese player: correct marine (san=5): misread" in asked(
        brt, file
    )
    assert san(brt, file) == before
    told = brt("status", file).out
    assert "request 1: the Marine player asks: correct marine (san=5): misread" in told
    assert f"brt-cg agree {file} 1 --side japanese (or decline)" in told


def test_a_request_is_done_when_the_opponent_agrees(brt: Shell, file: Path) -> None:
    asked(brt, file)
    assert brt("agree", file, "--side", "marine").code == 2
    assert brt("agree", file, "1", "--side", "japanese").code == 0
    assert san(brt, file) == 5
    assert "request 1" not in brt("status", file).out
    assert brt("audit", file).code == 0
    assert brt("audit", file, "--side", "japanese").code == 0


def test_the_opponent_can_decline_a_request(brt: Shell, file: Path) -> None:
    before = san(brt, file)
    asked(brt, file)
    assert "declined request 1" in brt("decline", file, "--side", "japanese").out
    assert san(brt, file) == before
    assert brt("agree", file, "--side", "japanese").code == 2


def test_a_request_can_be_withdrawn(brt: Shell, file: Path) -> None:
    asked(brt, file)
    assert brt("withdraw", file, "--side", "japanese").code == 2
    assert "withdrew request 1" in brt("withdraw", file, "1", "--side", "marine").out
    assert brt("audit", file).code == 0


@pytest.mark.parametrize(
    ("through", "rule", "other", "says"),
    [
        ("15.601", "15.602", "marine", "is making a secret decision; wait for it"),
        ("15.613", "15.614", "japanese", "15.614 marine: only the Marine player may answer this"),
    ],
)
def test_a_command_waits_for_the_opponents_answer(
    brt: Shell, file: Path, through: str, rule: str, other: str, says: str
) -> None:
    assert brt("refit", file, "--auto", "--seed", "1", "--through", through).code == 0
    assert brt("refit", file).code == 3
    asks = brt("status", file, "--json").json["asks"]
    assert asks["rule"] == rule
    got = brt("answer", file, "done", "--side", other)
    assert (got.code, says in got.err) == (3, True), got.err
    assert brt("status", file, "--json").json["asks"] == asks
