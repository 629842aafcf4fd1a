"""Undo in the Setup room begins with the last thing done there; what needs a hex comes first."""

from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.rooms.setup.screen import NEED_A_HEX, SetupScreen
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled, until
from tests.tui.moments import in_refit, opened, played, press, to_room

in_setup = partial(opened, room="setup")


@pytest.fixture
def at_japanese_setup(at_setup: Path) -> Path:
    """The demo at the Japanese setup of 15.6202, after that of the Marines."""
    desk = OpenCampaign.open(at_setup)
    ask = unrestricted_campaign(desk).open_question()
    assert ask is not None
    desk.answer(ask.default)
    desk.close()
    return at_setup


async def resting(pilot: Pilot[int], *keys: str) -> None:
    """Presses keys, and waits until what they begin is done."""
    for key in keys:
        await press(pilot, key)
        await pilot.pause(0.15)


def given(room: object) -> dict[str, object]:
    assert isinstance(room, SetupScreen)
    assert room.setup_answers is not None
    return dict(room.setup_answers.given)


@pytest.mark.parametrize("size", [SMALL, MIDDLE])
@pytest.mark.parametrize("seat", [Side.JAPANESE, None])
async def test_u_undoes_the_location_given_last_and_not_the_marine_setup(
    at_japanese_setup: Path, seat: Side | None, size: tuple[int, int]
) -> None:
    async with in_setup(at_japanese_setup, seat, size=size) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await resting(pilot, "enter", *"n30", "enter")
        (first,) = given(app.screen)
        await resting(pilot, "z")
        assert len(given(app.screen)) > 20
        await resting(pilot, "u")
        assert given(app.screen) == {first: "N30"}
        assert "Undone: the Location of " in screen_text(app)
        await resting(pilot, "u")
        assert given(app.screen) == {}
        assert app.screen.selected_counter == first
        seen = await settled(pilot)
        assert (seen.ask and seen.ask.side, seen.mark.rows) == (Side.JAPANESE, entries)


async def test_u_undoes_marks_and_locations_cleared_by_x_one_by_one(at_setup: Path) -> None:
    async with in_setup(at_setup, Side.MARINE, size=SMALL) as (app, pilot):
        room = app.screen
        assert isinstance(room, SetupScreen)
        await resting(pilot, "space", "space")
        assert len(room.marked) == 2
        await resting(pilot, "u")
        assert len(room.marked) == 1
        await resting(pilot, "u", "z")
        table = given(room)
        room.listed.put_cursor("m-sq-8")
        await resting(pilot, "x")
        assert given(room).keys() == table.keys() - {"m-sq-8"}
        await resting(pilot, "u")
        assert not room.marked
        assert given(room) == table
        await resting(pilot, "u")
        assert given(room) == {}


async def test_u_undoes_only_locations_given_since_the_question_appeared(
    at_setup: Path,
) -> None:
    async with in_refit(at_setup, Side.MARINE, size=SMALL) as (_, pilot):
        setup = await to_room(pilot, "setup")
        await resting(pilot, "z")
        theirs = "m-sq-8"
        setup.app.session.setup_answers.store(
            setup.setup_answers.with_changes({theirs: ("N19",)}), setup.seen.asked
        )
        setup.apply_filter()
        await resting(pilot, "space", "u")
        assert given(setup)[theirs] == "N19"
        assert not setup.marked
        await resting(pilot, "c", "y")
        assert (await settled(pilot)).ask is None or (await settled(pilot)).waiting
        await press(pilot, "u")
        await until(pilot, lambda: setup.setup_answers is not None)
        assert given(setup)[theirs] == "N19"


async def test_locations_given_early_are_undone_by_u(demo_file: Path) -> None:
    async with in_setup(played(demo_file, "15.613"), Side.MARINE, size=SMALL) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await resting(pilot, "E")
        await until(pilot, lambda: "Set up early" in screen_text(app))
        await resting(pilot, "2")
        await until(pilot, lambda: app.screen.early is not None)
        before = given(app.screen)
        await resting(pilot, "z")
        assert given(app.screen) != before
        await resting(pilot, "u")
        assert given(app.screen) == before
        assert (await settled(pilot)).mark.rows == entries


# --- what needs a hex -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, MIDDLE])
@pytest.mark.parametrize("seat", [Side.JAPANESE, None])
async def test_setup_starts_with_the_counters_that_need_a_hex(
    at_japanese_setup: Path, seat: Side | None, size: tuple[int, int]
) -> None:
    async with in_setup(at_japanese_setup, seat, size=size) as (app, pilot):
        room = app.screen
        await resting(pilot, "z")
        assert f"● Japanese · {NEED_A_HEX}  2 counters" in screen_text(app)
        assert "2 need a hex" in " ".join(screen_text(app).replace("│", " ").split())
        first = room._matching_groups()[0]
        assert [row.name for row in first.rows] == ["MMG no. 19", "DC no. 18"]
        listed = [row.id for group in room.all for row in group.rows]
        assert len(listed) == len({*listed})
        assert room.selected_counter == first.rows[0].id
        await resting(pilot, "enter", *"n30", "enter")
        assert f"● Japanese · {NEED_A_HEX}  1 counter" in screen_text(app)
        await resting(pilot, "enter", *"n30", "enter")
        assert NEED_A_HEX not in screen_text(app)


async def test_the_enemy_does_not_see_which_counters_need_a_hex(at_japanese_setup: Path) -> None:
    async with in_setup(at_japanese_setup, Side.MARINE, size=MIDDLE) as (app, _):
        assert NEED_A_HEX not in screen_text(app)
        assert "need a hex" not in screen_text(app)
