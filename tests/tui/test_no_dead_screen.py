"""No screen waits for itself: after every form, every room answers its keys."""

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from brt_cg import tui
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.frame.counter_history import CounterHistory
from tests.tui.helpers import MIDDLE, at_work, screen_text, shown, until
from tests.tui.moments import in_forces, opened, played, press

pytestmark = pytest.mark.each_frame

ROOMS = {
    "d": "dashboard",
    "r": "refit",
    "f": "forces",
    "b": "purchases",
    "full_stop": "campaign",
    "j": "journal",
    "m": "map",
    "p": "setup",
    "h": "home",
}


async def to_room(pilot: Pilot[int], key: str) -> None:
    """The room in front hears a key, and leads to another."""
    await pilot.press(key)
    assert pilot.app.current_mode == ROOMS[key]


async def helped(pilot: Pilot[int]) -> None:
    """The help opens and closes over the room in front."""
    assert isinstance(pilot.app, BrtApp)
    await pilot.press("question_mark")
    assert "Esc closes" in screen_text(pilot.app)
    await pilot.press("escape")
    assert "Esc closes" not in screen_text(pilot.app)


def phase(app: BrtApp) -> Phase | None:
    seen = app.session.seen
    return seen.view.situation.phase if seen else None


# What is opened over a room, at some moment of the campaign: by the room's key, the form's.
OVER_A_ROOM = {
    None: {
        **{
            "f": ("e", "w", "l"),
            "j": ("t", "v", "D", "enter"),
            "full_stop": ("enter", "right enter"),
        },
        **{
            "d": ("s", "less_than_sign"),
            "h": ("N", "O", "less_than_sign"),
            "r": ("ctrl+p", "question_mark"),
        },
    },
    "15.6142": {"b": ("b", "enter"), "r": ("g",), "m": ("w",)},
    "15.616": {"p": ("enter", "w")},  # `c` ends this setup, which is complete
}


@pytest.mark.parametrize("through", OVER_A_ROOM)
async def test_escape_leaves_every_form_and_its_room_responds(
    demo_file: Path, through: str | None
) -> None:
    async with opened(played(demo_file, through)) as (app, pilot):
        for room, forms in OVER_A_ROOM[through].items():
            await to_room(pilot, "h")  # where the keys of all rooms are free
            await to_room(pilot, room)
            for keys in forms:
                await until(pilot, lambda: not at_work(app, "counting"), "a forecast")
                await pilot.press(*keys.split())
                await until(pilot, lambda: len(app.screen_stack) > 1, keys)
                await pilot.press("escape")
                await until(pilot, lambda: len(app.screen_stack) == 1, ("leaving", keys))
        for key in ("h", *OVER_A_ROOM[through]):
            await to_room(pilot, "h")
            await to_room(pilot, key)


def test_no_screen_awaits_its_own_removal() -> None:
    waits = re.compile(r"await [\w.]*(dismiss|pop_screen|remove)\(")
    found = [
        f"{path.name}: {line.strip()}"
        for path in Path(tui.__file__).parent.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if waits.search(line)
    ]
    assert found == []


async def test_leaving_the_scenario_end_form_keeps_it_and_every_room_responds(
    demo_file: Path,
) -> None:
    async with in_forces(played(demo_file, None), size=MIDDLE) as (app, pilot):
        await pilot.press("i", "x")
        for leave in ("escape", "click"):
            if leave == "click":
                bar = screen_text(app).splitlines()[-1]
                await pilot.click(offset=(bar.index("Back"), MIDDLE[1] - 1))
                await pilot.pause()
                assert app.current_mode == "forces"
            else:
                await pilot.press(leave)
            await pilot.press("f", "i")
            assert "1 of " in screen_text(app), leave
        for key in ("enter", "enter", "n", "enter", "enter"):
            await press(pilot, key)
        await shown(pilot, "Enter: enter it")
        await press(pilot, "enter")
        await until(pilot, lambda: phase(app) is Phase.REFIT)
        await press(pilot, "enter", "f")
        assert app.current_mode == "forces"
        assert "accounted" not in screen_text(app)
        for key in ROOMS:
            await to_room(pilot, "h")
            await to_room(pilot, key)
            if key in "rf":
                await helped(pilot)


async def test_a_lookup_is_abandoned_when_the_campaign_is_left(demo_file: Path) -> None:
    async with in_forces(demo_file, size=MIDDLE) as (app, pilot):
        # Its history is looked up when the cursor has rested.
        app.screen.query_one(CounterHistory).show("m-sq-1")
        app.session.close()
        await pilot.pause(0.5)
        assert app.is_running
        await pilot.press("h")
        assert app.current_mode == "home"


STATE = {"format": "brt-cg/state", "version": 1}


async def test_brackets_in_names_are_shown_as_typed(tmp_path: Path) -> None:
    path, name = tmp_path / "made.brt", "Smith [/b] [red]"
    made = OpenCampaign.create(
        path, {"cg": "I", "name": name, "players": dict.fromkeys(Side, name)}
    )
    leader = {"id": "m-1", "side": "marine", "kind": "leader", "type": "8-1", "name": name}
    units = {"units": [leader | {"location": "off_map"}]}
    made.run_command("reinforce", {"state": units | STATE, "source": "ob.json"})
    made.close()
    async with opened(path, size=MIDDLE) as (app, pilot):
        for room in ("d", "f", "j", "full_stop"):
            await to_room(pilot, room)
            await until(pilot, lambda: name in screen_text(app), room)
        await to_room(pilot, "f")
        for opens in ("e", "l"):
            await pilot.press(opens)
            await until(pilot, lambda: len(app.screen_stack) > 1, opens)
            assert name in screen_text(app)
            await pilot.press("escape")
