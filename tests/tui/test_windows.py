"""A window in the background keeps up with what another one enters."""

from pathlib import Path

import pytest
from textual import events

from brt_cg.counters import Side
from brt_cg.desk import Desk
from brt_cg.tui.session import Session, open_file
from tests.tui.helpers import screen_text, settled, until
from tests.tui.moments import opened


async def test_the_screen_shows_within_a_second_what_another_window_entered(
    demo_file: Path,
) -> None:
    async with opened(demo_file) as (app, pilot):
        before = await settled(pilot)
        other = Desk.open(demo_file)
        other.command("note", {"words": "from the other room", "side": None, "about": None})
        other.close()
        await until(pilot, lambda: app.session.seen is not before)
        assert app.session.seen is not None
        assert app.session.seen.entries == before.entries + 1


async def test_that_the_file_is_gone_is_said_once_however_often_it_is_looked_for(
    demo_file: Path,
) -> None:
    async with opened(demo_file, notifications=True) as (app, pilot):
        away = demo_file.rename(demo_file.with_suffix(".away"))
        for _ in range(3):
            await app.on_app_focus(events.AppFocus())
        await settled(pilot)
        assert screen_text(app).count("there is no such file") == 1
        away.rename(demo_file)


@pytest.mark.parametrize(("seat", "told"), [(Side.MARINE, False), (Side.JAPANESE, True)])
async def test_a_side_is_not_told_that_another_window_did_something_in_secret(
    demo_file: Path, seat: Side, told: bool
) -> None:
    session = Session(publish=lambda seen: None)
    await session.open(lambda: open_file(demo_file))
    await session.sit(seat)
    other = Desk.open(demo_file)
    other.command("note", {"words": "a plan", "side": "japanese", "about": None})
    other.close()
    assert await session.catch_up() is told
    session.end()
