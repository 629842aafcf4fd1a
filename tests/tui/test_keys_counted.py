"""What a Refit Phase costs in key presses, with every die rolled by itself, purchases and setup."""

from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.asks import Roll
from brt_cg.tui.dialogs.choice import ChoiceScreen
from brt_cg.tui.dialogs.rulings_ahead import RulingsAheadScreen
from brt_cg.tui.forms.screen import FormScreen
from tests.tui.helpers import SMALL, settled, until
from tests.tui.moments import in_refit

MOST_STEPS = 400
ONCE = 371  # presses that it took before this was counted
GOAL = ONCE // 2

Press = Callable[..., Awaitable[None]]


async def buys(pilot: Pilot[int], press: Press) -> None:
    """Buys three times the first thing on the list, and says that the side is done."""
    await press("b")
    for _ in range(3):
        await press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormScreen))
        await press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, FormScreen))
        await settled(pilot)
    await press("r", "c")


async def sets_up_on_the_table(pilot: Pilot[int], press: Press) -> None:
    """Says in one key that the side is set up on the table, and ends its setup."""
    await press("P", "o")
    await settled(pilot)
    await press("c")
    await settled(pilot)
    if isinstance(pilot.app.screen, ChoiceScreen):
        await press("d")


async def test_the_refit_phase_of_the_demo_by_keys_alone(demo_file: Path) -> None:
    counted: Counter[str] = Counter()
    async with in_refit(demo_file, size=SMALL) as (app, pilot):

        async def press(*keys: str) -> None:
            counted.update(keys)
            await pilot.press(*keys)
            await settled(pilot)

        for _ in range(MOST_STEPS):
            seen = await settled(pilot)
            ask = seen.ask
            if seen.view.situation.phase is Phase.SCENARIO:
                break
            if app.current_mode != "refit":
                await press("r")
            elif isinstance(app.screen, RulingsAheadScreen):
                await press("a")
            elif isinstance(app.screen, ChoiceScreen):
                await press("c")
            elif ask is None or isinstance(ask, Roll):
                await press("enter")
            elif ask.buying:
                await buys(pilot, press)
            elif ask.rule == "15.6202":
                await sets_up_on_the_table(pilot, press)
            elif (seen.listed or ask).gives_up:
                await press("c")
            elif ask.of_equals and seen.listed is None:
                await press("down", "enter")
            elif ask.of_equals:
                await press("home", "enter")
            else:
                await press("enter")
        else:
            raise AssertionError("the phase does not end")
        bought = Counter(each.side for each in seen.view.purchases.values() if not each.draft)
        set_up = Counter(unit.side for unit in seen.view.units.values() if unit.on_the_table)
    assert min(bought[side] for side in Side) >= 3, bought
    assert min(set_up[side] for side in Side) > 10, set_up
    assert counted.total() <= GOAL, counted
