"""Whatever is pressed or clicked, the screen answers, the file holds, and no secret is shown."""

import asyncio
import random
import re
from pathlib import Path
from time import thread_time

import pytest
from textual.pilot import OutOfBounds, Pilot

from brt_cg.audit import audit
from brt_cg.counters import Side
from brt_cg.desk import Desk
from brt_cg.secrets_kept import seen_by
from brt_cg.tui.app import BrtApp
from tests.settings import count
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled

NAMED = (
    *("up", "down", "left", "right", "enter", "escape", "tab", "shift+tab", "space", "backspace"),
    *("pageup", "pagedown", "home", "end", "slash", "question_mark", "ctrl+p", "f3", "full_stop"),
)
KEYS = (*NAMED, *"123456abcdefghijklmnoprstuvwxyADGPUWX")  # all but those that leave the program
DONE = count(80, 20_000)  # keys and clicks
EACH = count(40, 100)  # of them between two looks
CLICKS = 0.2  # how many of them are clicks
ANSWERS = 1.0  # seconds of work within which the help must come, whatever else the machine does
PATIENCE = 20  # seconds that a key may take on a machine that does much else


@pytest.mark.parametrize(("seed", "size"), [(1, SMALL), (2, MIDDLE)])
async def test_no_key_and_no_click_kills_the_screen_or_tells_a_secret(
    demo_file: Path, seed: int, size: tuple[int, int]
) -> None:
    chance = random.Random(seed)
    app = BrtApp(demo_file, served=True, seat=Side.MARINE)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for number in range(1, DONE + 1):
            await asyncio.wait_for(something(pilot, chance), PATIENCE)
            assert app.is_running
            if number % EACH == 0:
                await look(pilot, demo_file)


async def something(pilot: Pilot[int], chance: random.Random) -> None:
    """Presses a key, or clicks anywhere."""
    if chance.random() >= CLICKS:
        await pilot.press(chance.choice(KEYS))
        return
    width, height = pilot.app.size
    spot = (chance.randrange(width), chance.randrange(height))
    try:
        await pilot.click(offset=spot, times=chance.choice((1, 1, 2)))
    except OutOfBounds:
        return


async def look(pilot: Pilot[int], path: Path) -> None:
    """The file holds, nothing secret is shown, and the screen answers."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    await settled(pilot)
    assert [str(finding) for finding in audit(path).findings if not finding.notice] == []
    shown = screen_text(app)
    assert [id for id in secrets(path) if re.search(rf"{id}(?![\w-])", shown)] == []
    while len(app.screen_stack) > 1:
        before = len(app.screen_stack)
        await pilot.press("escape")
        await settled(pilot)
        assert len(app.screen_stack) <= before
    since = thread_time()
    await pilot.press("f1")
    assert "Escape closes" in screen_text(app)
    assert thread_time() - since < ANSWERS
    await pilot.press("escape")


def secrets(path: Path) -> list[str]:
    """The ids of the Japanese counters of which the Marine side may not know."""
    campaign = Desk.open(path).campaign
    known = {counter.id for counter in seen_by(campaign, Side.MARINE).counters()}
    return [counter.id for counter in campaign.counters() if counter.id not in known]
