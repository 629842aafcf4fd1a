"""The demo campaign at moments of its Refit Phase, for the rooms that play it."""

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from brt_cg.desk import Desk, Supply
from brt_cg.dice import SeededDice
from brt_cg.refit.sequence import paragraph_named
from brt_cg.tui.app import BrtApp
from brt_cg.tui.screens.refit import RefitScreen
from brt_cg.tui.session import Seat
from tests.tui.helpers import settled

SEED = 1

_PLAYED: dict[tuple[bytes, str | None], bytes] = {}


def played(path: Path, through: str | None) -> Path:
    """The campaign played by itself through a paragraph, up to the next question; None: to the
    end of the phase. The same file is played only once."""
    start = path.read_bytes(), through
    if start not in _PLAYED:
        play(path, through)
        _PLAYED[start] = path.read_bytes()
    path.write_bytes(_PLAYED[start])
    return path


def play(path: Path, through: str | None) -> None:
    """Plays the campaign, and leaves what a player's own play leaves: backups."""
    desk = Desk.open(path)
    last = paragraph_named(through) if through else None
    for _ in desk.play(Supply(dice=SeededDice(SEED), defaults=True), last):
        pass
    if through:
        desk.go()
    desk.close()


def app_on(path: Path, seat: Seat = None) -> BrtApp:
    """The app on a campaign file, seated."""
    return BrtApp(path, seat=seat)


async def in_refit(pilot: Pilot[Any]) -> RefitScreen:
    """The Refit room, with seeded dice, once everything has been read."""
    await settled(pilot)
    await pilot.app.switch_mode("refit")
    await settled(pilot)
    room = pilot.app.screen
    assert isinstance(room, RefitScreen)
    room.dice = SeededDice(SEED)
    return room


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Presses keys, and waits until the campaign has been read."""
    await pilot.press(*keys)
    await settled(pilot)


async def in_forces(pilot: Pilot[Any]) -> None:
    """Forces, once everything has been read."""
    await settled(pilot)
    await pilot.app.switch_mode("forces")
    await settled(pilot)
