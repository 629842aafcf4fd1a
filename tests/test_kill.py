"""The process dies anywhere (SIGKILL); the same answers, given again, end in the same state."""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brt_cg.desk import Desk, Supply
from brt_cg.dice import SeededDice
from brt_cg.exports.state import document
from brt_cg.resources import campaigns
from tests.settings import count

KILLS = count(ci=20, full=300)


def brt(*arguments: object, cwd: Path) -> None:
    command = [sys.executable, "-m", "brt_cg", *map(str, arguments)]
    subprocess.run(command, cwd=cwd, check=True, capture_output=True, stdin=subprocess.DEVNULL)


def at_scenario_end(folder: Path, name: str) -> Path:
    """A copy of the demo campaign at the end of its scenario."""
    path = folder / name
    brt(
        "new", path, "--cg", "III", "--allotments", campaigns() / "demo/allotments.toml", cwd=folder
    )
    brt("import", path, campaigns() / "demo/state.json", cwd=folder)
    return path


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete answers file: what seeded dice and defaults gave in an undisturbed run."""
    folder = tmp_path_factory.mktemp("answers")
    desk = Desk.open(at_scenario_end(folder, "seeded.brt"))
    rolls: dict[str, dict[str, list[object]]] = {}
    choices: dict[str, dict[str, object]] = {}
    for entry in desk.play(Supply(dice=SeededDice(7), defaults=True)):
        if entry.kind != "answer":
            continue
        ask, raw = entry.payload["ask"], entry.payload["answer"]
        if ask["kind"] == "roll":
            rolls.setdefault(ask["rule"], {}).setdefault(ask["subject"], []).append(raw)
        elif ask["rule"] == "15.601":
            choices.setdefault(ask["rule"], {})[ask["subject"]] = []
        elif raw != {}:
            choices.setdefault(ask["rule"], {})[ask["subject"]] = raw
    document = {"format": "brt-cg/answers", "version": 1, "rolls": rolls, "choices": choices}
    path = folder / "answers.json"
    path.write_text(json.dumps(document))
    return path


def refit(path: Path, answers: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "brt_cg", "refit", str(path), "--answers", str(answers)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    return subprocess.Popen(command, stderr=subprocess.PIPE, **quiet)  # type: ignore[call-overload]


def test_killed_anywhere_the_same_answers_end_in_the_same_state(
    tmp_path: Path, answers: Path
) -> None:
    undisturbed = at_scenario_end(tmp_path, "undisturbed.brt")
    started = time.monotonic()
    process = refit(undisturbed, answers)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    length = time.monotonic() - started
    expected = document(Desk.open(undisturbed).campaign)
    chance = random.Random(15)
    path = at_scenario_end(tmp_path, "killed.brt")
    kills = 0
    numbers = itertools.count(1)
    while kills < KILLS:
        process = refit(path, answers)
        time.sleep(chance.uniform(0.1, 0.9) * length)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        if process.returncode == -signal.SIGKILL:
            kills += 1
        if Desk.open(path).campaign.situation.phase == "scenario":
            assert document(Desk.open(path).campaign) == expected
            path = at_scenario_end(tmp_path, f"killed-{next(numbers)}.brt")
    if Desk.open(path).campaign.situation.phase != "scenario":
        process = refit(path, answers)
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
    assert document(Desk.open(path).campaign) == expected
