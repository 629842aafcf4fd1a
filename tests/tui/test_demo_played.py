"""The whole demo Refit Phase, played through the screen and by the command line alike."""

import shutil
from pathlib import Path

import pytest

from brt_cg.cli import main
from brt_cg.commands.state_document import build_state_document
from brt_cg.questions.dice import SeededDice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.tui.helpers import settled
from tests.tui.moments import in_refit, press


async def test_the_screen_ends_where_the_command_line_does(
    demo_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_hand = Path(shutil.copy(demo_file, tmp_path / "by-command.brt"))
    assert main(["refit", str(by_hand), "--auto", "--seed", "7"]) == 0
    async with in_refit(demo_file) as (app, pilot):
        room = app.screen
        room.dice = SeededDice(7)
        await press(pilot, "g", "1", "g", "end", "enter")
        await settled(pilot)
    assert build_state_document(
        unrestricted_campaign(OpenCampaign.open(demo_file)).campaign
    ) == build_state_document(unrestricted_campaign(OpenCampaign.open(by_hand)).campaign)
