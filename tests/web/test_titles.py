"""Whose turn it is, in the titles of both seats' tabs."""

import asyncio
from pathlib import Path
from time import monotonic

import aiohttp

from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.public_point import known_question
from tests.web.serving import served
from tests.web.tabs import PATIENCE, Tab
from tests.web.test_doors import cookie

SUPPLY = AnswerSupply(dice=SeededDice("titles"), defaults=True)


def newest(tab: Tab) -> dict[str, object]:
    told = (tells for kind, tells in reversed(tab.told) if kind == "brt")
    return next((tells for tells in told if tells["type"] == "title"), {"text": "", "own": False})


def due(desk: OpenCampaign, side: Side) -> str:
    """What a seat's title begins with."""
    ask = unrestricted_campaign(desk).open_question()
    if ask is None:
        return "Demo: "
    known = known_question(unrestricted_campaign(desk), side)
    whose = side.enemy if known is None else ask.side
    return "Your turn" if whose is side else f"{whose.label} player to answer"


async def test_the_titles_of_both_seats_follow_the_campaign_at_each_step(tmp_path: Path) -> None:
    campaign = demo.create_demo(tmp_path)
    assert isinstance(campaign, Path)
    with served(campaign) as addresses:
        async with aiohttp.ClientSession() as session:
            tabs = {
                side: Tab(addresses[side], session, cookie(addresses[side]), side) for side in Side
            }
            for tab in tabs.values():
                await tab.open()
            hearing = [asyncio.create_task(tab.until_closed(600)) for tab in tabs.values()]
            desk, steps = OpenCampaign.open(campaign), 0
            ask, last = desk.continue_play(), ""
            while ask is not None and steps < 8:
                if ask.rule != last or steps % 2:
                    await seen_by_both(desk, tabs)
                    steps += 1
                last = ask.rule
                ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, SUPPLY))
            desk.close()
            for task in hearing:
                task.cancel()
    assert steps == 8


async def seen_by_both(desk: OpenCampaign, tabs: dict[Side, Tab]) -> None:
    """Waits until both titles say whose turn it is."""
    started = monotonic()
    while True:
        late = [
            (side, newest(tab)["text"], due(desk, side))
            for side, tab in tabs.items()
            if not str(newest(tab)["text"]).startswith(due(desk, side))
            or newest(tab)["own"] is not (due(desk, side) == "Your turn")
        ]
        if not late:
            return
        assert monotonic() - started < PATIENCE, late
        await asyncio.sleep(0.02)
