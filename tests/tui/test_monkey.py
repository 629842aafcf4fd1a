"""Whatever is pressed or clicked, the screen answers, the file holds, and no secret is shown."""

import asyncio
import random
import re
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from textual import events
from textual.pilot import OutOfBounds, Pilot

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from brt_cg.model.visibility import visible_campaign
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from tests.settings import count
from tests.tui.helpers import LARGE, MIDDLE, SMALL, screen_text, settled, until
from tests.tui.moments import played

pytestmark = pytest.mark.each_frame

WALKS = range(1, count(2, 40) + 1)
EACH_WALK = count(40, 500)  # keys and clicks: 20,000 in the full search
LOOK_EVERY = count(40, 100)
NAMED = (
    *("up", "down", "left", "right", "enter", "escape", "tab", "shift+tab", "space", "backspace"),
    *("pageup", "pagedown", "home", "end", "slash", "question_mark", "ctrl+p", "f3", "f4", "f2"),
)
ROOMS = (*"hdrfmjbFpa", "full_stop")
KEYS = (*NAMED, *ROOMS, *"123456abcdefghijklmnoprstuvwxyzABDGUWX+-")  # none leaves the program
CLICKS, OFFERED, ELSEWHERE = 0.15, 0.45, 0.07  # how many click, take a key on offer, leave the room
BURSTS = 0.1  # how many keys are the first of several at once
PATIENCE = 120  # seconds that a key may take on a machine that does much else
TOLD = 30  # of the newest keys and clicks, where one goes wrong
DEEPEST = 12  # windows, one over another, that Escape must be able to close


def new(path: Path) -> Path:
    """A new campaign, of which nothing has been entered."""
    made = path.with_name("new.brt")
    OpenCampaign.create(made, {"cg": "II"}).close()
    return made


def drafted(path: Path) -> Path:
    """The demo while both sides buy, with something bought and something drafted."""
    desk = OpenCampaign.open(played(path, "15.6142"))
    for draft in (False, True):
        asked = {"side": "japanese", "item": "hmg", "beach": "red_two", "draft": draft}
        desk.run_command("buy", asked, "japanese")
    desk.close()
    return path


MOMENTS: tuple[
    tuple[Callable[[Path], Path], Sequence[str]], ...
] = (  # and the keys of the first room
    (lambda path: path, "r"),
    (lambda path: played(path, "15.6032"), "r"),
    (lambda path: played(path, "15.606"), "rm"),
    (drafted, "b"),
    (lambda path: played(path, "15.616"), "p"),
    (lambda path: played(path, "15.6201"), "pm"),
    (lambda path: played(path, None), "fi"),
    (new, ("full_stop", "right", "right")),
)
SEATS = (Side.MARINE, Side.JAPANESE, None)


@pytest.mark.parametrize("walk", WALKS)
async def test_no_key_or_click_crashes_the_screen_or_shows_a_secret(
    demo_file: Path, walk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo_file.parent)
    monkeypatch.setattr(BrtApp, "action_quit", lambda self: None)  # else a click ends the walk
    chance = random.Random(walk)
    make, keys = MOMENTS[(walk - 1) % len(MOMENTS)]
    path = make(demo_file)
    seat, size = chance.choice(SEATS), chance.choice((SMALL, MIDDLE, LARGE))
    app = BrtApp(path, served=walk % 4 == 1, seat=seat)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press(*keys)
        done: deque[object] = deque(maxlen=TOLD)
        for number in range(1, EACH_WALK + 1):
            try:
                await asyncio.wait_for(something(pilot, chance, done), PATIENCE)
                assert app.is_running
                if number % LOOK_EVERY == 0:
                    await look(pilot)
            except (AssertionError, TimeoutError) as wrong:
                raise AssertionError(
                    f"at {number}, after {[*done]}:\n{screen_text(app)}"
                ) from wrong


async def something(pilot: Pilot[int], chance: random.Random, done: deque[object]) -> None:
    """Presses a key, or clicks anywhere."""
    kind = chance.random()
    if kind < CLICKS:
        width, height = pilot.app.size
        spot = (chance.randrange(width), chance.randrange(height))
        done.append(spot)
        with suppress(OutOfBounds):
            await pilot.click(offset=spot, times=chance.choice((1, 1, 2)))
        return
    if kind < CLICKS + OFFERED:
        keys = [chance.choice([*offered(pilot), "escape"])]
    elif kind < CLICKS + OFFERED + ELSEWHERE:
        keys = ["escape", "escape", chance.choice(ROOMS)]
    else:
        keys = [chance.choice(KEYS)]
    if chance.random() < BURSTS:
        keys += [chance.choice(KEYS) for _ in range(chance.randint(2, 6))]
        done.append(keys)
        await burst(pilot, keys)
    else:
        done.extend(keys)
        await pilot.press(*keys)


async def burst(pilot: Pilot[int], keys: Sequence[str]) -> None:
    """Presses keys faster than any is handled, and waits until all are."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))
    await pilot.pause()
    await until(pilot, lambda: not app._keys_waiting and not app.is_at_work(), "the last key")


def offered(pilot: Pilot[int]) -> list[str]:
    """The keys of the screen in front, and of what has the keys there."""
    return [
        key
        for key, found in pilot.app.screen.active_bindings.items()
        if found.enabled and found.node is not pilot.app
    ]


async def look(pilot: Pilot[int]) -> None:
    """The file holds, nothing secret is shown, and the screen answers."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    await at_rest(pilot)
    if app.session.seen is not None:
        path, seat = app.session.seen.path, app.session.seen.seat
        assert [str(found) for found in audit_campaign(path).findings if not found.notice] == []
        if seat is not None:
            shown = screen_text(app)
            assert [id for id in secrets(path, seat) if re.search(rf"{id}(?![\w-])", shown)] == []
    for _ in range(DEEPEST):
        if len(app.screen_stack) > 1:
            await pilot.press("escape")
            await at_rest(pilot)
    assert len(app.screen_stack) == 1
    await pilot.press("f1")
    assert "Esc closes" in screen_text(app)
    await pilot.press("escape")


async def at_rest(pilot: Pilot[int]) -> None:
    """Waits until the desk has nothing to do."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    await pilot.pause()
    await until(pilot, lambda: not app.session.busy, "rest at the desk")


def secrets(path: Path, seat: Side) -> list[str]:
    """The ids of the counters of which a side may not know."""
    campaign = unrestricted_campaign(OpenCampaign.open(path)).campaign
    known = {counter.id for counter in visible_campaign(campaign, seat).counters()}
    return [counter.id for counter in campaign.counters() if counter.id not in known]
