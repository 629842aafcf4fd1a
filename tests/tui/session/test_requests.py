"""What one side asks of the other, on the screens of both: two windows on one campaign."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from tests.tui.helpers import SMALL, screen_text, settled, shown, until, words
from tests.tui.moments import press

MARINE, JAPANESE = Side.MARINE, Side.JAPANESE


@asynccontextmanager
async def window(
    path: Path, seat: Side | None, served: bool = False
) -> AsyncIterator[tuple[BrtApp, Pilot[int]]]:
    """The Dashboard of a seat: in a terminal, or `served` to a browser."""
    app = BrtApp(path, seat=seat, served=served)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await settled(pilot)
        yield app, pilot


async def says(pilot: Pilot[int], told: str) -> None:
    """Waits until the screen says something, over several lines perhaps."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    await until(pilot, lambda: told in words(screen_text(app)), told)


def asks(path: Path, seat: Seat = Seat.MARINE, **values: object) -> None:
    """A side asks for a correction of the Marine totals, from the command line."""
    desk = OpenCampaign.open(path)
    desk.set_seat(seat)
    asked = {"id": "marine", "set": values or {"san": 6}, "reason": "misread"}
    desk.run_command("edit", asked)
    desk.close()


def marine_san(path: Path) -> int | None:
    return unrestricted_campaign(OpenCampaign.open_read_only(path)).campaign.sides["marine"].san


async def test_two_seats_ask_and_agree_while_both_screens_are_open(demo_file: Path) -> None:
    was = marine_san(demo_file)
    ours, theirs = window(demo_file, MARINE), window(demo_file, JAPANESE, served=True)
    async with ours as (asking, marine), theirs as (app, japanese):
        with asking._context():  # the keys of the other window
            await press(marine, "full_stop", "right", "enter")  # Totals: the Marine SAN
            await marine.press("ctrl+u", "6", *["down"] * 6, *"misread", "enter")
            await says(marine, "it is done when your opponent agrees")
            assert marine_san(demo_file) == was
        await app.session.catch_up()
        told = words(await shown(japanese, "The Marines have a request"))
        assert "R to answer" in told
        assert "R 1 request" in told
        assert "Press R: The Marines ask: correct marine (san=6): misread" in told
        await press(japanese, "R")
        assert f"SAN {was} → 6" in await shown(japanese, "It would change:")
        await press(japanese, "y")
        await shown(japanese, "There are no requests")
        assert marine_san(demo_file) == 6
        with asking._context():
            await asking.session.catch_up()
            await says(marine, "the Japanese player agreed to request 1")


async def test_a_requested_undo_is_announced_once(demo_file: Path) -> None:
    desk = OpenCampaign.open(demo_file)
    desk.set_seat(Seat.JAPANESE)
    desk.run_command("note", {"words": "ours", "side": None, "about": None}, "japanese")
    desk.close()
    async with window(demo_file, MARINE) as (app, pilot):
        await press(pilot, "u")
        await says(pilot, "it is done when your opponent agrees")
        told = [notice.message for notice in app._notifications]
        assert sum("undo the last entry" in each for each in told) == 1


async def test_a_new_request_appears_in_an_open_list_and_is_declined_with_a_message(
    demo_file: Path,
) -> None:
    was = marine_san(demo_file)
    async with window(demo_file, JAPANESE) as (app, pilot):
        await press(pilot, "R")
        await shown(pilot, "There are no requests")
        asks(demo_file)
        await app.session.catch_up()
        await shown(pilot, "It would change:")
        await press(pilot, "x")
        await shown(pilot, "Decline request 1")
        await press(pilot, *"it was five", "enter")
        await shown(pilot, "There are no requests")
        await press(pilot, "escape", "j")
        await shown(pilot, "declined request 1: it was five")
    assert marine_san(demo_file) == was


async def test_a_side_can_withdraw_but_not_accept_its_own_request(
    demo_file: Path,
) -> None:
    asks(demo_file)
    async with window(demo_file, MARINE) as (app, pilot):
        told = words(screen_text(app))
        assert "Press R: You ask: correct marine" in told
        assert "R 1 request" not in told
        await press(pilot, "R", "y")
        await says(pilot, "only the Japanese player or the umpire may agree to request 1")
        await press(pilot, "x")
        await shown(pilot, "There are no requests")


async def test_a_request_is_refused_if_the_field_has_changed_since(demo_file: Path) -> None:
    asks(demo_file)
    async with window(demo_file, JAPANESE) as (app, pilot):
        await press(pilot, "R")
        desk = OpenCampaign.open(demo_file)
        desk.run_command("edit", {"id": "marine", "set": {"san": 4}, "reason": "by the umpire"})
        desk.close()
        await app.session.catch_up()
        await shown(pilot, "something else has been entered since; ask again")
        await press(pilot, "y")
        assert marine_san(demo_file) == 4
        assert "ask again" in screen_text(app)
        assert len((await settled(pilot)).requests) == 1


@pytest.mark.parametrize(("key", "san"), [("y", 6), ("x", None)])
async def test_the_umpire_answers_for_either_side(
    demo_file: Path, key: str, san: int | None
) -> None:
    was = marine_san(demo_file)
    asks(demo_file)
    async with window(demo_file, None) as (app, pilot):
        assert "R 1 request" in screen_text(app)
        await press(pilot, "R", key, *(["enter"] if key == "x" else []))
        await shown(pilot, "There are no requests")
        assert marine_san(demo_file) == (san or was)


async def test_only_the_selected_request_is_closed(demo_file: Path) -> None:
    asks(demo_file)
    asks(demo_file, Seat.JAPANESE, elr=3)
    asks(demo_file, elr=2)
    async with window(demo_file, JAPANESE) as (app, pilot):
        assert "R 2 requests" in screen_text(app)
        assert "and 2 more requests" in words(screen_text(app))
        await press(pilot, "R", "down", "x")
        seen = await settled(pilot)
        assert [request.number for request in seen.requests] == [1, 3]
        await press(pilot, "end", "y")
        seen = await settled(pilot)
        assert seen.view.sides[MARINE].elr == 2
        assert [request.number for request in seen.requests] == [1]


async def test_a_player_sees_who_undid_what(demo_file: Path) -> None:
    def by_the_marine_side(verb: str) -> None:
        desk = OpenCampaign.open(demo_file)
        desk.set_seat(Seat.MARINE)
        if verb == "note":
            desk.run_command("note", {"words": "ours", "side": None, "about": None}, "marine")
        else:
            desk.undo_or_request()
        desk.close()

    by_the_marine_side("note")
    async with window(demo_file, JAPANESE) as (_, pilot):
        by_the_marine_side("undo")
        await says(pilot, "The Marines")
        await says(pilot, "undone: Note")


async def test_a_served_seat_needs_consent_to_undo_the_scenario_end(
    demo_file: Path,
) -> None:
    """280 counters of both sides: the other player only looks, so far."""
    async with window(demo_file, MARINE, served=True) as (app, pilot):
        before = len(app.session.seen.view.units) if app.session.seen else 0
        await press(pilot, "u", "y")
        await says(pilot, "it is done when your opponent agrees")
        assert app.session.seen is not None
        assert len(app.session.seen.view.units) == before
