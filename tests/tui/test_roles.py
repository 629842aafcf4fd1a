"""The screen of a player whose role on a server has one seat: his own rooms, his own keys; the
keeper does what he enters."""

from collections.abc import Iterator

import pytest

from brt_cg import seat_desk
from brt_cg.model.counters import Side
from brt_cg.model.visibility import seen_by
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.storage.place import Address
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen
from tests.postgres import Server
from tests.seats import at, kept, make_seats, release_seats
from tests.tui.helpers import MIDDLE, screen_text, settled, words
from tests.tui.test_server import until

pytestmark = pytest.mark.postgres
ROOMS = ("dashboard", "refit", "forces", "map", "setup", "journal", "purchases", "campaign")


@pytest.fixture(scope="module")
def campaign(server: Server) -> Iterator[Address]:
    """The demo with seats, at the start of its Refit Phase."""
    address = server.address("seats-on-screen")
    demo.lay_out(address)
    make_seats(address)
    yield address
    release_seats(address)


def app_of(address: Address, side: Side) -> BrtApp:
    return BrtApp(at(address, side))


def asked_at(app: BrtApp) -> str | None:
    """The rule of the question that is seen."""
    seen = app.session.seen
    return seen.ask.rule if seen is not None and seen.ask is not None else None


async def test_his_seat_is_his_roles_and_no_room_shows_a_secret(campaign: Address) -> None:
    whole = Desk.open(campaign)
    view = seen_by(whole.campaign, Side.MARINE)
    hidden = [counter.id for counter in whole.campaign.counters() if view.find(counter.id) is None]
    whole.close()
    assert len(hidden) > 20
    app = app_of(campaign, Side.MARINE)
    async with app.run_test(size=MIDDLE) as pilot:
        seen = await settled(pilot)
        assert seen.seat is Side.MARINE
        assert seen.view == view
        await pilot.press("s")
        assert not isinstance(app.screen, ChoiceScreen)
        for room in ROOMS:
            await getattr(app, f"action_{room}")()
            await settled(pilot)
            text = screen_text(app)
            assert [id for id in hidden if f"{id} " in text or f"{id})" in text] == []


async def test_what_he_enters_is_carried_out_and_the_others_screen_hears_of_it(
    campaign: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brt_cg.tui.app.LOOK_EVERY", 3600.0)
    app, other = app_of(campaign, Side.MARINE), app_of(campaign, Side.JAPANESE)
    with kept(campaign):
        async with app.run_test(size=MIDDLE) as pilot, other.run_test(size=MIDDLE) as enemy:
            before, his = await settled(pilot), await settled(enemy)
            await until(enemy, lambda: not other.session._news)
            await pilot.press("r", "enter")
            await until(pilot, lambda: app.session.seen is not before and asked_at(app) == "15.601")
            await settled(pilot)
            await until(enemy, lambda: other.session.seen is not his)
            await pilot.press("enter")  # all by default: no more CC attacks
            await until(pilot, lambda: bool(app.session.seen and app.session.seen.waiting))
            assert "decides in private" in screen_text(app)
            assert "Hand over" not in screen_text(app)
            await until(enemy, lambda: asked_at(other) == "15.602")


async def test_before_the_first_scenario_he_hears_what_is_the_umpires_and_what_ends(
    address: Address,
) -> None:
    Desk.create(address, {"cg": "III", "name": None, "allotments": None}).close()
    make_seats(address)
    app = app_of(address, Side.MARINE)
    async with app.run_test(size=MIDDLE) as pilot:
        await settled(pilot)
        todo = "Copy the points of the CG card (Marine: the umpire enters it)"
        assert f"Press Enter: {todo}." in screen_text(app)
        await pilot.press("r", "enter")
        await until(pilot, lambda: "Begin without it?" in screen_text(app))
        assert "The Japanese side can then buy no more for the first scenario" in screen_text(app)
    release_seats(address)


async def test_without_a_keeper_he_is_told_and_can_look_at_everything(
    campaign: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_desk, "PATIENCE", 0.1)
    app = app_of(campaign, Side.MARINE)
    async with app.run_test(size=MIDDLE, notifications=True) as pilot:
        before = await settled(pilot)
        app.perform(lambda desk: desk.undo())
        await until(pilot, lambda: "The keeper is not running" in screen_text(app))
        assert "Waiting for the keeper" in screen_text(app)
        assert (await settled(pilot)).log == before.log
        await app.action_forces()
        await pilot.pause()
        assert "m-sq-" in screen_text(app) or "squad" in screen_text(app)
        await app.action_journal()
        await settled(pilot)
        await pilot.press("home", "g")
        await until(pilot, lambda: "only the umpire can. Undo" in words(screen_text(app)))
        await app.action_audit()
        await settled(pilot)
