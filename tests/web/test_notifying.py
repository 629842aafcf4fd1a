"""A command that is run when it becomes a player's turn."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.web import notifier as notifier_module
from brt_cg.web.notifier import Notifier, PendingQuestions, split_command
from brt_cg.web.server import ServeOptions, notify_commands
from tests.web.tabs import PATIENCE

WRITES = (
    "import os, sys; open(sys.argv[1], 'a').write("
    "os.environ['BRT_CG_SEAT'] + ': ' + os.environ['BRT_CG_TEXT'] + "
    "' ' + repr(sys.argv[2:]) + chr(10))"
)


def both(words: list[str]) -> dict[Side, list[str]]:
    return dict.fromkeys(Side, words)


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(notifier_module, "LOOK_EVERY", 0.05)
    path = demo.create_demo(tmp_path)
    assert isinstance(path, Path)
    return path


async def watched(notifier: Notifier, campaign: Path, told: Path, plays: list[str]) -> str:
    """What is told while the phase is begun and answered."""
    watching = asyncio.create_task(notifier.watch_and_notify())
    async with asyncio.timeout(PATIENCE):
        while len(notifier._noticed) < len(Side):  # until it has looked at both sides
            await asyncio.sleep(0.01)
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


async def test_a_notification_passes_the_turn_by_environment_variables(
    campaign: Path, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    words = [sys.executable, "-c", WRITES, str(told), "$HOME; $(x)"]
    text = await watched(Notifier(campaign, both(words)), campaign, told, [])
    assert text == (
        "marine: Your turn · 15.601 Conclusion of Melee · Demo: Betio, 20 Nov 1943 "
        "['$HOME; $(x)']\n"
    )


async def test_at_most_one_notification_runs_per_minute(campaign: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    runs: list[Side | None] = []

    class Counted(Notifier):
        async def _run(self, side: Side | None, text: str) -> None:
            runs.append(side)
            told.write_text("one\n", "utf-8")

    await watched(Counted(campaign, both(["x"])), campaign, told, [])
    assert runs == [Side.MARINE]


async def test_a_failed_notification_is_reported_once_and_a_slow_one_killed(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(notifier_module.log, "error", lambda _, words: said.append(words))
    monkeypatch.setattr(notifier_module, "MOST", 0.1)
    notifier = Notifier(campaign, both([sys.executable, "-c", "import time; time.sleep(60)"]))
    await notifier._run(Side.MARINE, "")
    await notifier._run(Side.MARINE, "")
    [once] = said
    assert "took longer than 0 seconds (this message appears only once)" in once
    nobody = Notifier(campaign, both(["/no/such/program"]))
    await nobody._run(Side.MARINE, "")
    assert "No such file" in said[-1]


async def test_a_notification_hides_a_secret_step(tmp_path: Path) -> None:
    path = demo.create_demo(tmp_path)
    assert isinstance(path, Path)
    desk = OpenCampaign.open(path)
    ask = desk.continue_play()
    while ask is not None and ask.rule != "15.602":
        ask = desk.answer_and_play(
            ask, ask.default if ask.dice is None else [1] * ask.dice.dice_count
        )
    desk.close()
    tasks = notifier_module.read_pending_questions(path, both([]))
    assert tasks[Side.JAPANESE].text == "Your turn · Demo: Betio, 20 Nov 1943"
    assert (bool(tasks[Side.JAPANESE].asked), bool(tasks[Side.MARINE].asked)) == (True, False)


class Told(Notifier):
    """A notifier that notes who was told, at a time that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, campaign: str = "") -> None:
        super().__init__(Path("none.brt"), both([]), campaign=campaign)
        self.now, self.runs = 1000.0, list[tuple[Side, str]]()
        monkeypatch.setattr(notifier_module, "time", SimpleNamespace(monotonic=lambda: self.now))

    async def _run(self, side: Side, text: str) -> None:
        self.runs.append((side, text))

    async def has(self, asked: str, others: int, side: Side = Side.MARINE) -> list[str]:
        """What a player is told who has this question after so many entries of others."""
        before = len(self.runs)
        await self._notify(side, PendingQuestions(asked, others, asked))
        return [text for _, text in self.runs[before:]]


async def test_a_turn_that_returns_within_a_minute_is_notified_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Told at 06:22:26, the Marine player was never told of the turn of 06:22:33, or any later."""
    notifier = Told(monkeypatch)
    assert await notifier.has("", 0) == []
    assert await notifier.has("first", 1) == ["first"]
    notifier.now += 3
    assert await notifier.has("", 1) == []
    assert await notifier.has("second", 2) == []
    assert await notifier.has("third", 3, Side.JAPANESE) == []  # the first look at that side
    notifier.now += 58
    assert await notifier.has("second", 2) == ["second"]
    assert await notifier.has("second", 4) == []


async def test_a_player_is_not_notified_of_his_own_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notifier = Told(monkeypatch)
    await notifier.has("", 0)
    assert await notifier.has("first", 1) == ["first"]
    notifier.now += 100
    assert await notifier.has("next", 1) == []
    assert await notifier.has("after your opponent's", 2) == ["after your opponent's"]


async def test_a_turn_during_a_server_restart_is_notified_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await Told(monkeypatch, "restarted").has("", 0)
    again = Told(monkeypatch, "restarted")
    assert await again.has("meanwhile", 1) == ["meanwhile"]
    assert await Told(monkeypatch, "restarted").has("meanwhile", 1) == []


def test_a_request_of_the_opponent_is_notified(campaign: Path) -> None:
    desk = OpenCampaign.open(campaign)
    desk.set_seat(Seat.MARINE)
    ask = desk.continue_play()
    assert ask is not None
    ask = desk.answer_and_play(ask, [1] * ask.dice.dice_count if ask.dice else ask.default)
    before = notifier_module.read_pending_questions(campaign, both([]))[Side.MARINE]
    desk.both_play = True
    desk.set_seat(Seat.JAPANESE)
    assert desk.undo_or_request().kind == "ask"
    desk.close()
    after = notifier_module.read_pending_questions(campaign, both([]))[Side.MARINE]
    assert after.asked != before.asked
    assert after.others > before.others


def test_each_seat_can_have_its_own_command() -> None:
    asked = ServeOptions(notify="tell both", notify_japanese="tell 'the Japanese'")
    assert notify_commands(asked) == {
        Side.MARINE: ["tell", "both"],
        Side.JAPANESE: ["tell", "the Japanese"],
    }
    assert notify_commands(ServeOptions(notify_marine="x")) == {Side.MARINE: ["x"]}
    with pytest.raises(RefusedError, match=r"--notify-marine: .* cannot be read"):
        notify_commands(ServeOptions(notify_marine="'"))


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "is empty"), ("  ", "is empty"), ('say "hello', "cannot be read .*quotes around it")],
)
def test_an_empty_notification_command_is_refused(text: str, why: str) -> None:
    with pytest.raises(RefusedError, match=f"--notify.* {why}"):
        split_command(text)
