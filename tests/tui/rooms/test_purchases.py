"""Purchases: the points, the price list, buying, drafts, voiding, what is secret."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg.exports.purchases import buying_window_text
from brt_cg.forecast.upcoming_questions import shopping_list_text
from brt_cg.model.counters import Side
from brt_cg.model.records import Purchase
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.rooms.purchases.screen import PurchasesScreen
from brt_cg.tui.session.session import Seat
from tests.tui.helpers import (
    LARGE,
    MIDDLE,
    SMALL,
    look_from,
    same_as_golden,
    screen_lines,
    screen_text,
    settled,
    shown,
    words,
)
from tests.tui.moments import opened, played, press, to_room

JAPANESE = {"side": "japanese", "beach": "red_one"}
MARINE_DRAFT = {"item": "foxhole_1s", "side": "marine", "location": "N19", "draft": True}


@pytest.fixture(scope="session")
def _market(_laid_out: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("market") / "demo.brt"
    path = played(Path(shutil.copy(_laid_out, copy)), "15.6142")
    desk = OpenCampaign.open(path)
    desk.run_command("buy", {"item": "hmg", "quantity": 2, **JAPANESE}, "japanese")
    desk.run_command("buy", {"item": "foxhole_2s", "quantity": 3, **JAPANESE}, "japanese")
    void = {"purchase": "pj2", "reason": "meant for Green", "side": "japanese"}
    desk.run_command("void", void, "japanese")
    drafted = {"item": "foxhole_3s", "quantity": 7, "draft": True, **JAPANESE}
    desk.run_command("buy", drafted, "japanese")
    desk.run_command("buy", {"item": "foxhole_1s", "side": "marine", "location": "N19"}, "marine")
    desk.close()
    return path


@pytest.fixture
def market(_market: Path, tmp_path: Path) -> Path:
    """The demo campaign at 15.6143: both sides may buy. For Red One two HMGs are bought, three
    foxholes are bought and voided, and seven are drafted, for more points than it has."""
    return Path(shutil.copy(_market, tmp_path / "market.brt"))


@asynccontextmanager
async def in_purchases(
    path: Path, seat: Seat = None, **how: Any
) -> AsyncIterator[tuple[BrtApp, Pilot[int]]]:
    """The room, at the points of Red One."""
    async with opened(path, seat, "purchases", **how) as (app, pilot):
        app.screen.action_take_beach("red_one")
        await pilot.pause()
        yield app, pilot


async def drafted(pilot: Pilot[int]) -> list[Purchase]:
    """What stands as a draft."""
    return [one for one in (await settled(pilot)).view.purchases.values() if one.draft]


async def test_points_prices_and_purchases_are_shown_together(market: Path) -> None:
    async with in_purchases(market, Side.JAPANESE, size=LARGE) as (app, pilot):
        for width, height in (LARGE, MIDDLE, SMALL):
            await pilot.resize_terminal(width, height)
            if (width, height) == MIDDLE:
                same_as_golden(app, "purchases-120x40")
            shown = screen_text(app)
            assert "Japanese may buy now (15.6143)" in shown
            assert "Draft: 21 FPP ✗ 1 limit" in shown
            assert "2 of 16  ✗ too few points" in shown
        await press(pilot, "tab")
        assert "3 × 2S Foxhole" in screen_text(app)
        assert "voided, meant for Green" in screen_text(app)


async def test_an_item_is_found_and_bought(market: Path) -> None:
    async with in_purchases(market, Side.JAPANESE) as (app, pilot):
        room = app.screen
        await press(pilot, "slash", *"1+4+6", "enter", "enter")
        await press(pilot, *["tab"] * 4, *"2", "enter")
        seen = await settled(pilot)
        bought = max(seen.view.purchases.values(), key=lambda one: int(one.id[2:]))
        assert app.screen is room
        assert sum(one.item == "pillbox_1_4_6" for one in seen.view.purchases.values()) == 1
        assert (bought.item, bought.beach) == ("pillbox_1_4_6", "red_one")
        assert (bought.capacity, bought.exponent, bought.draft) == (1, 1, False)


async def test_a_refusal_lists_every_limit_and_keeps_the_text(market: Path) -> None:
    async with in_purchases(market, Side.JAPANESE) as (app, pilot):
        before = (await settled(pilot)).mark.rows
        await press(pilot, "enter", "9", "tab", "tab", *"s38", "enter")
        same_as_golden(app, "purchases-refused-80x24")
        shown = words(screen_text(app))
        assert "✗ HMG in S38: points of Red One are for Area J2" in shown
        assert "44 spent including this, but" in shown
        assert "✗ HMG for Red One: 11 including this; the maximum is" in shown
        assert "How many 9" in shown
        assert (await settled(pilot)).mark.rows == before


async def test_a_draft_is_changed_corrected_and_committed(market: Path) -> None:
    async with in_purchases(market, Side.JAPANESE, size=MIDDLE, notifications=True) as (app, pilot):
        before = await drafted(pilot)
        await press(pilot, "tab")
        assert "leaves Red One −5 FPP" in screen_text(app)
        await press(pilot, "enter")
        assert "Change the draft:" in screen_text(app)
        await press(pilot, "1", "enter")
        (after,) = await drafted(pilot)
        assert after.quantity == 1
        await press(pilot, "u")
        assert await drafted(pilot) == before
        app.clear_notifications()
        await press(pilot, "x")
        assert "Draft" not in screen_text(app)
        await press(pilot, "u", "X", "tab", "slash", *"1s fox", "enter")
        await press(pilot, "b", "2", "tab", "tab", "tab", "right", "enter")
        assert "within limits" in screen_text(app)
        await press(pilot, "S")
        await shown(pilot, "The draft has been bought.")
        assert await drafted(pilot) == []
        bought = (await settled(pilot)).view.purchases.values()
        assert sum(one.item == "foxhole_1s" for one in bought) == 2


async def test_a_purchase_is_voided_with_a_reason(market: Path) -> None:
    async with in_purchases(market, Side.MARINE) as (app, pilot):
        await press(pilot, "tab", "V", "enter")
        await pilot.pause(0.3)
        assert "✗ required" in screen_text(app)
        assert " will be refunded." in screen_text(app), "what it does is still said"
        await press(pilot, *"wet", "enter")
        assert "voided, wet" in screen_text(app)
        await press(pilot, "u")
        assert "voided" not in "\n".join(screen_lines(app)[:-2]), "only the state line tells it"


async def test_a_filter_hiding_the_selected_item_selects_the_first_match(
    market: Path,
) -> None:
    async with in_purchases(market, Side.JAPANESE) as (app, pilot):
        await press(pilot, "end", "slash", *"foxhole", "enter")
        assert isinstance(app.screen, PurchasesScreen)
        prices = app.screen.prices
        items = [option.id for option in prices.options if option.id is not None]
        assert prices.id_at_cursor == items[0]
        assert len(items) > 1


async def test_filter_and_purchases_are_those_of_the_seats_side(market: Path) -> None:
    async with in_purchases(market, Side.JAPANESE, size=MIDDLE) as (app, pilot):
        await press(pilot, "slash", *"hm", "enter")
        assert "/ hm" in screen_text(app)
        await press(pilot, "s", "m")
        same_as_golden(app, "purchases-marine-120x40")
        await press(pilot, "v")
        shown = screen_text(app)
        for secret in ("/ hm", "Red One", "HMG", "Draft", "GPP", "Japanese purchases", "limit"):
            assert secret not in shown


@pytest.mark.parametrize(
    ("side", "through", "told"),
    [
        (Side.MARINE, "15.6111", "may buy at 15.6143 of this Refit Phase; now at 15.6112"),
        (Side.JAPANESE, None, "may buy next at 15.6143, after the scenario of 21 AM"),
    ],
)
def test_the_room_says_when_a_side_may_buy(
    demo_file: Path, side: Side, through: str | None, told: str
) -> None:
    desk = OpenCampaign.open(played(demo_file, through))
    seen = look_from(desk, side)
    assert buying_window_text(seen.view, seen.card, side, seen.steps, seen.waiting) == told
    desk.close()


async def test_before_15_614_an_order_goes_on_the_shopping_list(demo_file: Path) -> None:
    async with in_purchases(played(demo_file, "15.6111"), Side.MARINE) as (app, pilot):
        assert "b Buy" in screen_text(app)
        await press(pilot, "slash", *"2s fox", "enter", "enter", "9", "9")
        assert "By today's figures: " in await shown(pilot, "at your 15.614")
        await press(pilot, "enter")
        desk = OpenCampaign.open_read_only(demo_file)
        assert shopping_list_text(desk, Side.MARINE) == ["99 × 2S Foxhole, 198 FPP"]


async def test_when_nothing_can_be_bought_no_form_is_opened(demo_file: Path) -> None:
    async with in_purchases(played(demo_file, "15.616"), Side.MARINE) as (app, pilot):
        assert "Marine may buy" in screen_text(app)
        assert "b Buy" not in screen_text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PurchasesScreen)


async def test_each_side_ends_its_purchases_and_is_asked_about_open_drafts(
    market: Path,
) -> None:
    async with in_purchases(market) as (app, pilot):
        room = app.screen
        assert "★ Marine may buy now" in screen_text(app)
        await press(pilot, "tab")
        assert "1 × 1S Foxhole" in screen_text(app)
        await press(pilot, "v")
        assert "● Japanese may buy now" in screen_text(app)
        assert "3 × 2S Foxhole" in screen_text(app)
        await press(pilot, "v", "c")
        assert "FPP left" in screen_text(app), "what is still undone is named"
        await press(pilot, "c")
        assert "FPP left" in screen_text(app), "the key that opened the box does not answer it"
        await press(pilot, "y")
        assert "● Japanese may buy now" in screen_text(app)
        await press(pilot, "v")
        assert "★ Marine may buy next at 15.6143" in screen_text(app)
        ask = (await settled(pilot)).ask
        assert ask is not None
        assert (ask.rule, ask.side) == ("15.614", Side.JAPANESE)
        await press(pilot, "c")
        assert (await settled(pilot)).ask == ask, "the Marines are not asked any more"
        await press(pilot, "v", "c")
        shown = screen_text(app)
        assert "A draft of 21 FPP has not been bought" in shown
        assert "y  done" in shown
        await press(pilot, "escape")
        assert app.screen is room
        assert (await settled(pilot)).ask == ask
        await press(pilot, "c", "y")
        assert (await settled(pilot)).ask is None


async def test_the_japanese_seat_buys_while_the_marines_do_and_does_not_end_their_purchases(
    market: Path,
) -> None:
    desk = OpenCampaign.open(market)
    desk.run_command("buy", MARINE_DRAFT, "marine")
    desk.close()
    async with in_purchases(market, Side.JAPANESE) as (app, pilot):
        assert "● Japanese may buy now" in screen_text(app)
        await to_room(pilot, "refit")
        ask = (await settled(pilot)).ask
        assert ask is not None
        assert ask.side is Side.MARINE
        assert "not bought yet" not in words(screen_text(app))
        await press(pilot, "c")
        assert (await settled(pilot)).ask == ask
        assert "Hand over the seat" in screen_text(app)


async def test_a_draft_is_committed_before_a_side_is_done(market: Path) -> None:
    async with in_purchases(market) as (app, pilot):
        app.perform(lambda desk: desk.undo_or_request())
        app.perform(lambda desk: desk.run_command("buy", MARINE_DRAFT, "marine"))
        await settled(pilot)
        await press(pilot, "c", "S")
        seen = await settled(pilot)
        assert not any(one.draft for one in seen.view.purchases.values() if one.side == "marine")
        assert seen.ask is not None
        assert seen.ask.side is Side.MARINE


async def test_refit_and_dashboard_name_the_purchase_key_and_open_drafts(market: Path) -> None:
    async with opened(market) as (app, pilot):
        assert "Press Enter: 15.614 asks the Marines" in screen_text(app)
        await to_room(pilot, "refit")
        assert " b  Buy " in screen_text(app)
        assert "draft" not in screen_text(app)
        app.perform(lambda desk: desk.answer("done", by="marine"))
        await settled(pilot)
        assert "A draft of 21 FPP is open, and not bought yet." in words(screen_text(app))
        await press(pilot, "c")
        assert "A draft of 21 FPP is open, and not bought yet." in words(screen_text(app))
        assert "y  done" in screen_text(app)
        await press(pilot, "escape")
        assert (await settled(pilot)).ask is not None


async def test_a_campaign_without_points_says_how_to_enter_them(tmp_path: Path) -> None:
    OpenCampaign.create(tmp_path / "new.brt", {"cg": "I"}).close()
    async with in_purchases(tmp_path / "new.brt", notifications=True) as (app, pilot):
        assert "Japanese may buy now; the setup begins in Refit · v: the Marines" in screen_text(
            app
        )
        assert "in Allotments" in screen_text(app)
        await pilot.press("c")
        await shown(pilot, "Both sides may buy until the setup begins; Enter begins it.")
