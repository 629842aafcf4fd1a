"""A paragraph that this program's rules play otherwise than the campaign has it: each room says so,
and names the keys that lead out of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.keys.actions import ROOMS, SCENARIO_END
from tests.other_rules import gives_after, played_otherwise
from tests.tui.helpers import MIDDLE, SMALL, same_as_golden, screen_text, settled, shown, words
from tests.tui.moments import in_refit, opened, played, press, to_room

BEFORE, RULE = "15.6111", "15.6112"


@pytest.fixture
def cannot_continue(demo_file: Path) -> Iterator[Path]:
    """The demo after three answers, of which this program's rules agree with one."""
    path = played(demo_file, BEFORE)
    desk = OpenCampaign.open(path)
    supply = AnswerSupply(dice=SeededDice("three"), defaults=True)
    for _ in range(3):
        ask = desk.continue_play()
        assert ask is not None
        desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    desk.close()
    with played_otherwise(RULE, gives_after(2)):
        yield path


async def test_the_dashboard_reports_a_mismatch_and_enter_opens_the_refit_room(
    cannot_continue: Path,
) -> None:
    async with opened(cannot_continue, size=MIDDLE) as (app, pilot):
        text = words(screen_text(app))
        assert f"{RULE} " in text
        assert "cannot continue: it was played under other rules" in text
        assert "u: undo back to the point where the rules agree (2 answers)" in text
        await press(pilot, "enter")
        assert "cannot continue" in await shown(pilot, "By these rules")


@pytest.mark.parametrize("key", ["g", "enter"])
async def test_play_keys_explain_how_to_step_back_at_a_mismatch(
    cannot_continue: Path, key: str
) -> None:
    async with in_refit(cannot_continue, size=MIDDLE, notifications=True) as (app, pilot):
        before = (await settled(pilot)).mark
        await press(pilot, key)
        assert "u: undo back to the point where the rules agree" in words(screen_text(app))
        assert (await settled(pilot)).mark == before


async def test_the_refit_room_shows_a_mismatch_on_a_small_screen(cannot_continue: Path) -> None:
    async with in_refit(cannot_continue, size=SMALL) as (app, _):
        same_as_golden(app, "refit-cannot-continue-80x24")


@pytest.mark.parametrize("seat", [None, *Side])
async def test_u_steps_back_and_the_phase_continues(
    cannot_continue: Path, seat: Side | None
) -> None:
    async with in_refit(cannot_continue, seat, size=MIDDLE) as (_, pilot):
        assert (await settled(pilot)).mismatch is not None
        await press(pilot, "u")
        await press(pilot, "y")
        seen = await settled(pilot)
        if seat is Side.JAPANESE:  # the Marines have rolled
            assert seen.requests
            return
        assert (seen.mismatch, seen.ask is None) == (None, False)
        await press(pilot, "space")
        assert (await settled(pilot)).mark > seen.mark


async def test_redo_returns_to_the_mismatch(cannot_continue: Path) -> None:
    async with in_refit(cannot_continue, size=MIDDLE) as (app, pilot):
        await press(pilot, "u")
        await press(pilot, "y")
        assert (await settled(pilot)).mismatch is None
        await press(pilot, "U")
        assert (await settled(pilot)).mismatch is not None
        assert "cannot continue" in screen_text(app)


async def test_every_other_room_opens_at_a_mismatch(cannot_continue: Path) -> None:
    async with opened(cannot_continue, size=MIDDLE) as (app, pilot):
        rooms = [room for room in ROOMS if room != SCENARIO_END]  # which Forces opens
        drawn = [(await to_room(pilot, room), screen_text(app))[1] for room in rooms]
        assert len({*drawn}) == len(rooms)
