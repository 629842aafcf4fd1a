"""Whatever keys are pressed, the screen answers, and shows a seat none of the enemy's secrets."""

import asyncio
import random
import re
from pathlib import Path

import pytest

from brt_cg.counters import Side
from brt_cg.desk import Desk
from brt_cg.secrets_kept import seen_by
from brt_cg.tui.app import BrtApp
from tests.settings import count
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled

NAMED = (
    *("up", "down", "left", "right", "enter", "escape", "tab", "shift+tab", "space", "backspace"),
    *("pageup", "pagedown", "home", "end", "slash", "question_mark", "ctrl+p", "full_stop"),
)
KEYS = (*NAMED, *"123456abdefghijklmnoprstuvwxyADGPUWX")  # all but those that leave the program
KEYS_PRESSED = count(80, 20_000)
EACH = 40  # keys between two looks


@pytest.mark.parametrize(("seed", "size"), [(1, SMALL), (2, MIDDLE)])
async def test_no_key_kills_the_screen_or_tells_a_secret(
    demo_file: Path, seed: int, size: tuple[int, int]
) -> None:
    chance = random.Random(seed)
    app = BrtApp(demo_file, served=True, seat=Side.MARINE)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for number in range(KEYS_PRESSED):
            await asyncio.wait_for(pilot.press(chance.choice(KEYS)), 20)
            assert app.is_running
            if number % EACH == EACH - 1:
                shown = screen_text(app)
                assert [
                    id for id in secrets(demo_file) if re.search(rf"{id}(?![\w-])", shown)
                ] == []


def secrets(path: Path) -> list[str]:
    """The ids of the Japanese counters of which the Marine side may not know."""
    campaign = Desk.open(path).campaign
    known = {counter.id for counter in seen_by(campaign, Side.MARINE).counters()}
    return [counter.id for counter in campaign.counters() if counter.id not in known]
