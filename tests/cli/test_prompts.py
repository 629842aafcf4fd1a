"""`new` on a terminal: the points of the CG card, asked one by one."""

import builtins
from collections.abc import Callable
from pathlib import Path

import pytest

from brt_cg.cli import create
from tests.cli.shell import Got, Shell, next_typed

Typing = Callable[..., Got]


@pytest.fixture
def typing(brt: Shell, monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Runs `new c.brt` on a terminal where these lines are typed; then nothing but Enter. An
    exception stands for a key: Ctrl-C, Ctrl-D."""
    monkeypatch.setattr(create, "is_terminal", lambda: True)

    def run(*lines: str | type[BaseException]) -> Got:
        typed = iter(lines)
        monkeypatch.setattr(builtins, "input", lambda _: next_typed(typed))
        return brt("new", "c.brt", "--cg", "III")

    return run


GREEN = ("24", "26^2", "60")
NOTHING_MORE = ("",) * 17  # of the other beaches, the island and the Marines


def test_points_are_asked_beach_by_beach(brt: Shell, typing: Typing) -> None:
    assert typing(*GREEN).code == 0
    listed = brt("purchases", "c.brt").out
    assert "Japanese, Green\n  GPP: 24 allotted" in listed
    assert "CAPP Exponent: 2 allotted" in listed


def test_later_grants_of_the_card_are_asked_after_points(brt: Shell, typing: Typing) -> None:
    grant = ("20 pm", "Japanese", "red_one", "4", "", "20")
    assert typing(*GREEN, *NOTHING_MORE, *grant, "20 NT", "marine", "5").code == 0
    listed = brt("purchases", "c.brt").out
    assert "Japanese, Red One, on 20 PM: 4 GPP, 20 FPP to come" in listed
    assert "Marine, on 20 NT: 5 FPP to come" in listed


def test_an_impossible_entry_is_asked_again(typing: Typing) -> None:
    got = typing("many", "99999", "24", "26^", "26^2")
    assert got.code == 0
    assert got.out.count("is not accepted") == 3


def test_pressing_only_enter_makes_a_campaign_without_points(typing: Typing) -> None:
    got = typing()
    assert got.code == 0
    assert "the campaign has no points yet" in got.err


@pytest.mark.parametrize("key", [EOFError, KeyboardInterrupt])
def test_aborting_the_prompts_makes_no_campaign(
    typing: Typing, tmp_path: Path, key: type[BaseException]
) -> None:
    got = typing("24", key)
    assert (got.code, got.err.strip()) == (2, "stopped; no campaign was created")
    assert not (tmp_path / "c.brt").exists()


def test_an_existing_file_name_is_reported_before_any_question(typing: Typing) -> None:
    assert typing().code == 0
    got = typing(AssertionError)
    assert got.code == 2
    assert "already exists" in got.err
