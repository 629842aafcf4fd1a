"""The process dies (SIGKILL) at every commit: no answer is lost, and the same answers, given again,
end in the same state. Killed at every write: tests/faults."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.cli import main
from brt_cg.commands.state_document import build_state_document
from brt_cg.questions.dice import SeededDice
from brt_cg.resources import game_data_folder
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.audit import played
from tests.faults.children import left_by_kills
from tests.reading import read_entries
from tests.settings import EFFORT, count

# A campaign of a dozen counters, or the demo with its 280.
COMMITS = count(ci=20, full=1000)


def at_scenario_end(folder: Path, name: str) -> Path:
    """A campaign at the end of its scenario."""
    desk = OpenCampaign.create(
        folder / name, {"cg": "III", "name": None, "allotments": played.ALLOTMENTS}
    )
    state = played.document()
    if EFFORT == "full":
        state = json.loads((game_data_folder() / "demo/state.json").read_text("utf-8"))
    desk.run_command("import", played.imported(state))
    desk.close()
    return folder / name


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete answers file: what seeded dice and defaults gave in an undisturbed run."""
    folder = tmp_path_factory.mktemp("answers")
    desk = OpenCampaign.open(at_scenario_end(folder, "seeded.brt"))
    rolls: dict[str, dict[str, list[object]]] = {}
    choices: dict[str, dict[str, object]] = {}
    for entry in desk.play_with_supply(AnswerSupply(dice=SeededDice(7), defaults=True)):
        if entry.kind != "answer":
            continue
        ask, raw = entry.payload["ask"], entry.payload["answer"]
        if ask["kind"] == "roll":
            rolls.setdefault(ask["rule"], {}).setdefault(ask["subject"], []).append(raw)
        elif ask["rule"] == "15.601":
            choices.setdefault(ask["rule"], {})[ask["subject"]] = []
        elif raw != {}:
            choices.setdefault(ask["rule"], {})[ask["subject"]] = raw
    desk.close()
    answers = {"format": "brt-cg/answers", "version": 1, "rolls": rolls, "choices": choices}
    path = folder / "answers.json"
    path.write_text(json.dumps(answers))
    return path


def refit(path: Path, answers: Path) -> Callable[[], int]:
    return lambda: main(["refit", str(path), "--answers", str(answers)])


def state_of(path: Path) -> dict[str, Any]:
    desk = OpenCampaign.open(path)
    assert unrestricted_campaign(desk).campaign.situation.phase == "scenario"
    return build_state_document(unrestricted_campaign(desk).campaign)


def stored(path: Path) -> int:
    """How many entries stand in a file that its writer left behind."""
    return len(read_entries(path))


def test_a_program_killed_at_any_commit_ends_in_the_same_state(
    tmp_path: Path, answers: Path
) -> None:
    undisturbed = at_scenario_end(tmp_path, "undisturbed.brt")
    assert refit(undisturbed, answers)() == 0
    (folder := tmp_path / "killed").mkdir()
    path = at_scenario_end(folder, "killed.brt")
    for commit in range(COMMITS):
        before = stored(path)
        # A transaction holds from the moment that its rollback journal is deleted.
        left = left_by_kills(refit(path, answers), folder, tmp_path / f"left-{commit}", 1, "delete")
        assert stored(left[0] / path.name) == before, "what was never committed stands in the file"
        assert stored(path) > before, "what was committed is lost"
        if len(left) == 1:
            break
    else:
        assert refit(path, answers)() == 0
    assert state_of(path) == state_of(undisturbed)
    assert [str(finding) for finding in audit_campaign(path).findings] == []
