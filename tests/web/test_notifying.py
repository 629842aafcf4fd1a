"""A command that is run when it becomes a player's turn."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.web import notifier as notifier_module
from brt_cg.web.notifier import Notifier, split_command
from tests.web.tabs import PATIENCE

WRITES = (
    "import os, sys; open(sys.argv[1], 'a').write("
    "os.environ['BRT_CG_SEAT'] + ': ' + os.environ['BRT_CG_TEXT'] + "
    "' ' + repr(sys.argv[2:]) + chr(10))"
)


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(notifier_module, "LOOK_EVERY", 0.05)
    path = demo.create_demo(tmp_path)
    assert isinstance(path, Path)
    return path


async def watched(notifier: Notifier, campaign: Path, told: Path, plays: list[str]) -> str:
    """What is told while the phase is begun and answered."""
    watching = asyncio.create_task(notifier.watch())
    await asyncio.sleep(0.5)
    desk = OpenCampaign.open(campaign)
    ask = desk.continue_play()
    for typed in plays:
        assert ask is not None
        ask = desk.answer_typed(typed)
    desk.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while not (told.exists() and told.read_text("utf-8").endswith("\n")):
                await asyncio.sleep(0.05)
    watching.cancel()
    return told.read_text("utf-8")


async def test_whose_turn_it_is_comes_by_the_environment_and_the_words_stay(
    campaign: Path, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    words = [sys.executable, "-c", WRITES, str(told), "$HOME; $(x)"]
    text = await watched(Notifier(campaign, words), campaign, told, [])
    assert text == (
        "marine: Your turn · 15.601 Conclusion of Melee · Demo: Betio, 20 Nov 1943 "
        "['$HOME; $(x)']\n"
    )


async def test_no_more_than_one_is_run_in_a_minute(campaign: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    runs: list[Side | None] = []

    class Counted(Notifier):
        async def _run(self, side: Side | None, text: str) -> None:
            runs.append(side)
            told.write_text("one\n", "utf-8")

    await watched(Counted(campaign, ["x"]), campaign, told, [])
    assert runs == [Side.MARINE]


async def test_a_failure_is_said_once_and_a_slow_command_is_ended(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(notifier_module.log, "error", lambda _, words: said.append(words))
    monkeypatch.setattr(notifier_module, "MOST", 0.1)
    notifier = Notifier(campaign, [sys.executable, "-c", "import time; time.sleep(60)"])
    await notifier._run(Side.MARINE, "")
    await notifier._run(Side.MARINE, "")
    [once] = said
    assert "took longer than 0 seconds; this is said once" in once
    nobody = Notifier(campaign, ["/no/such/program"])
    await nobody._run(Side.MARINE, "")
    assert "No such file" in said[-1]


async def test_where_only_one_side_may_know_the_step_is_not_told(tmp_path: Path) -> None:
    path = demo.create_demo(tmp_path)
    assert isinstance(path, Path)
    desk = OpenCampaign.open(path)
    ask = desk.continue_play()
    while ask is not None and ask.rule != "15.602":
        ask = desk.answer_and_play(
            ask, ask.default if ask.dice is None else [1] * ask.dice.how_many
        )
    desk.close()
    assert notifier_module._turn_in(path) == (Side.JAPANESE, "Your turn · Demo: Betio, 20 Nov 1943")


@pytest.mark.parametrize("text", ["", "  ", 'say "hello'])
def test_a_command_without_words_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="--notify: found"):
        split_command(text)
