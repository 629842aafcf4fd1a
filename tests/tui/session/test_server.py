"""The screen on a campaign of a server: others are heard at once, a lost connection is survived."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage import postgres
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import close_idle
from brt_cg.storage.reader import newest_entry
from brt_cg.tui.app import BrtApp
from brt_cg.tui.memory.recent import memory_path
from brt_cg.tui.rooms.home.screen import HomeScreen
from tests.postgres import Server
from tests.tui.helpers import MIDDLE, screen_text, settled, shown

pytestmark = [pytest.mark.postgres, pytest.mark.real_time]

PATIENCE = 200.0  # seconds, on a busy machine


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """A server that these tests may stop and kill."""
    server = Server()
    yield server
    server.remove()


@pytest.fixture(scope="module")
def laid_out(own_server: Server) -> Iterator[Address]:
    """The demo campaign on that server, at the start of its Refit Phase; to which notes are
    added."""
    address = own_server.new_address()
    demo.create_demo(address)
    yield address
    close_idle(address)


def note(address: Address, words: str) -> None:
    """Another player, in another home."""
    desk = OpenCampaign.open(address)
    desk.run_command("note", {"words": words, "side": None, "about": None})
    desk.close()


async def until(pilot: Pilot[Any], seen: Callable[[], bool]) -> None:
    """Waits until something is seen."""
    began = time.monotonic()
    while not seen():
        assert time.monotonic() - began < PATIENCE
        await pilot.pause(0.005)


async def test_another_players_entry_arrives_as_a_notification_without_polling(
    laid_out: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brt_cg.tui.app.LOOK_EVERY", 3600.0)
    app = BrtApp(laid_out, seat=None)
    async with app.run_test(size=MIDDLE) as pilot:
        seen = await settled(pilot)
        await until(pilot, lambda: not app.session._news)
        for number in range(1, 4):
            note(laid_out, f"{number}")
            due = seen.mark.rows + number
            await until(pilot, lambda due=due: app.session.seen.mark.rows == due)  # type: ignore


async def test_home_lists_other_campaigns_of_a_known_server(
    laid_out: Address, own_server: Server
) -> None:
    other = own_server.new_address()
    OpenCampaign.create(other, {"cg": "III", "name": "Thursdays"}).close()
    app = BrtApp(laid_out, seat=None)
    async with app.run_test(size=MIDDLE) as pilot:
        await settled(pilot)
        await app.action_home()
        await until(pilot, lambda: "Thursdays" in screen_text(app))
        assert "20 AM · purchase" in screen_text(app)
        assert isinstance(app.screen, HomeScreen)
        while app.screen.selected_row_text() != str(other):
            await pilot.press("down")
        await pilot.press("enter")
        await until(pilot, lambda: app.session.seen is not None and app.session.seen.path == other)
        own_server.stop()
        await app.action_home()
        await until(pilot, lambda: "(no connection)" in screen_text(app))
        own_server.start()
    close_idle(other)


async def test_no_password_is_written_down(laid_out: Address) -> None:
    app = BrtApp(replace(laid_out, password="geheim"), seat=None)
    async with app.run_test(size=MIDDLE) as pilot:
        await settled(pilot)
        assert "geheim" not in screen_text(app)
    written = [path.read_text("utf-8") for path in memory_path().parent.rglob("*.json")]
    assert any(str(laid_out) in text for text in written)
    assert not any("geheim" in text for text in written)


async def test_a_lost_connection_is_reported_and_restored(
    laid_out: Address, own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "AGAIN", 0.05)
    app = BrtApp(laid_out, seat=None)
    async with app.run_test(size=MIDDLE, notifications=True) as pilot:
        before = await settled(pilot)
        own_server.stop()
        await until(pilot, lambda: app.session.lost is not None)
        await pilot.pause()
        assert "Nothing can be entered" in screen_text(app)
        await shown(pilot, "OFFLINE · CG III")
        await app.action_forces()
        await pilot.pause()
        assert "m-sq-" in screen_text(app) or "squad" in screen_text(app)
        words = {"words": "in the dark", "side": None, "about": None}
        refused: list[str] = []
        app.report_error = lambda error: refused.append(str(error))  # type: ignore[method-assign]
        app.perform(lambda desk: desk.run_command("note", words))
        await until(pilot, lambda: bool(refused))
        assert "no connection to the server" in refused[0]
        assert (await settled(pilot)).mark.rows == before.mark.rows
        own_server.start()
        note(laid_out, "meanwhile")
        await until(pilot, lambda: app.session.seen.mark.rows == before.mark.rows + 1)  # type: ignore
        assert app.session.lost is None
        await pilot.pause()
        assert "OFFLINE" not in screen_text(app)
        assert "Nothing can be entered" not in screen_text(app)
        app.perform(lambda desk: desk.run_command("note", words))
        await until(pilot, lambda: app.session.seen.mark.rows == before.mark.rows + 2)  # type: ignore
        assert newest_entry(laid_out)[0] == before.mark.rows + 2
