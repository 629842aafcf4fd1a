"""A widget that cannot be drawn is found: by who looks, at the end of each test, and in each frame
of the tests that draw all. And the next key waits for what the one before set off."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widgets import Static

from tests.tui import clock, test_monkey, test_no_dead_screen, test_without_typing
from tests.tui.helpers import screen_text


class Torn(Exception):
    pass


class Picture(Static):
    torn = False

    def render_line(self, y: int) -> Strip:
        if self.torn:
            raise Torn
        return super().render_line(y)


class Gallery(App[None]):
    BINDINGS: ClassVar = [("t", "tear(True)"), ("m", "tear(False)"), ("b", "burn")]

    def compose(self) -> ComposeResult:
        yield Picture("the sea")

    def action_tear(self, torn: bool) -> None:
        picture = self.query_one(Picture)
        picture.torn = torn
        picture.refresh()

    def action_burn(self) -> None:
        raise Torn


async def test_the_last_frame_is_drawn() -> None:
    with pytest.raises(Torn):
        async with Gallery().run_test() as pilot:
            await pilot.press("t")


async def test_a_frame_is_drawn_when_inspected() -> None:
    async with Gallery().run_test() as pilot:
        await pilot.pause()
        assert "the sea" in screen_text(pilot.app)
        await pilot.press("t")
        with pytest.raises(Torn):
            screen_text(pilot.app)
        await pilot.press("m")


async def burnt() -> None:
    async with Gallery().run_test() as pilot:
        await pilot.press("b")
        while True:
            await pilot.pause(1)


async def test_a_crashed_app_is_not_waited_for() -> None:
    with pytest.raises(Torn):
        await burnt()


async def test_a_key_waits_for_the_campaign_on_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock, "draws_each_frame", False)  # there is no app
    monkeypatch.setattr(clock, "LONG", 0.0)
    monkeypatch.setattr(clock, "TICK", 0.0)
    with ThreadPoolExecutor(1) as desk:
        work = asyncio.get_running_loop().run_in_executor(desk, sleep, 0.03)
        await clock.app_at_rest()
        assert work.done()


@pytest.mark.each_frame
async def test_on_request_each_frame_is_drawn_by_the_next_key() -> None:
    async with Gallery().run_test() as pilot:
        await pilot.press("t")
        with pytest.raises(Torn):
            await pilot.pause()
        await pilot.press("m", "t")
        with pytest.raises(Torn):
            await pilot.press("m")
        await pilot.press("m")


@pytest.mark.parametrize("tests", [test_monkey, test_no_dead_screen, test_without_typing])
def test_tests_that_visit_every_room_draw_each_frame(tests: object) -> None:
    assert vars(tests)["pytestmark"].name == "each_frame"
