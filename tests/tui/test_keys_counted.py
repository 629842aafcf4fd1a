"""What a Refit Phase costs in key presses, with every die rolled by itself, purchases and setup;
and what the first end of a scenario costs with the Refit Phase after it."""

from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from brt_cg.imports.order_line import reinforce_inputs
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.model.counters import Fate, Side
from brt_cg.model.records import Phase
from brt_cg.questions.dice import RollKey, SeededDice
from brt_cg.questions.question_types import RollQuestion
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen
from brt_cg.tui.dialogs.likely_rulings import LikelyRulingsScreen
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.keys.actions import BY_ID, ROOMS, Action
from brt_cg.tui.rooms.refit.screen import RefitScreen
from brt_cg.tui.session.session import CampaignSnapshot
from tests.tui.helpers import SMALL, settled, shown, until
from tests.tui.moments import SEED, in_refit, opened

MOST_STEPS = 400
ONCE = 371  # presses that it took before this was counted
BEFORE = 253  # those of the first end and the Refit Phase after it
NOW, MORE = 151, 2  # presses that the phase takes, and the most by which they may rise

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
    await press("p", "z")
    await settled(pilot)
    await press("c")
    await settled(pilot)
    if isinstance(pilot.app.screen, ChoiceScreen):
        await press("y")


async def plays_the_refit_phase(
    pilot: Pilot[int], press: Press, *, shops: bool
) -> CampaignSnapshot:
    """Plays to the next scenario, each roll and default by a key; what is seen then. `shops`:
    both sides buy."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    for _ in range(MOST_STEPS):
        seen = await settled(pilot)
        ask = seen.ask
        if seen.view.situation.phase is Phase.SCENARIO:
            return seen
        if app.current_mode != "refit":
            await press("r")
        elif isinstance(app.screen, LikelyRulingsScreen):
            await press("enter")
        elif isinstance(app.screen, ChoiceScreen):
            await press("y")
        elif ask is None:
            await press("enter")
        elif isinstance(ask, RollQuestion):
            await press("space")
        elif ask.buying and shops:
            await buys(pilot, press)
        elif ask.rule == "15.6202":
            await sets_up_on_the_table(pilot, press)
        elif (seen.listed or ask).default_forgoes_acting or seen.listed is not None:
            await press("c")
        elif ask.of_equals and seen.listed is None:
            await press("down", "enter")
        else:
            await press("enter")
    raise AssertionError("the phase does not end")


def counts(pilot: Pilot[int], counted: Counter[str]) -> Press:
    """Presses keys, and counts them. The key bar keeps what they do, however little room it has."""
    app = pilot.app
    assert isinstance(app, BrtApp)

    async def press(*keys: str) -> None:
        counted.update(keys)
        for key in keys:
            for action in done_by(app, key):
                assert action.often, action.id
            await pilot.press(key)
        await settled(pilot)

    return press


def done_by(app: BrtApp, key: str) -> list[Action]:
    """What a key does in the room in front, if the key bar names it; Escape needs no telling."""
    known = app.screen.is_modal or key == "escape"
    bound = None if known else app.screen.active_bindings.get(key)
    found = BY_ID.get(bound.binding.id or "") if bound and bound.binding.show else None
    return [found] if found and found.place in ROOMS else []


async def test_the_refit_phase_of_the_demo_takes_few_keys(demo_file: Path) -> None:
    counted: Counter[str] = Counter()
    async with in_refit(demo_file, size=SMALL) as (_, pilot):
        seen = await plays_the_refit_phase(pilot, counts(pilot, counted), shops=True)
        bought = Counter(each.side for each in seen.view.purchases.values() if not each.draft)
        set_up = Counter(
            unit.side for unit in seen.view.units.values() if unit.is_on_map_without_hex
        )
    assert min(bought[side] for side in Side) >= 3, bought
    assert min(set_up[side] for side in Side) > 10, set_up
    assert counted.total() <= NOW + MORE < ONCE // 2, counted


# --- the demo's Refit Phase up to the purchases ---------------------------------------------------

BY_HAND, BY_APP = 165, 130  # presses with three Melees, as many dice as come, and all decisions
MELEES = (*"x345", "enter", *"x2", "enter", *"x23", "enter", "enter")


async def plays_to_the_purchases(pilot: Pilot[int], press: Press, *, types: bool) -> int:
    """Play from the Dashboard to the purchases: the Melees in codes, each roll typed (`types`) or
    rolled by the program, each list by its default. Return the number of typed dice."""
    dice, typed = SeededDice(SEED), 0
    for key in ("enter", "enter", "enter", *MELEES):
        await press(key)
    for _ in range(MOST_STEPS):
        seen = await settled(pilot)
        ask = seen.ask
        if ask is not None and ask.buying:
            return typed
        if isinstance(pilot.app.screen, ChoiceScreen):
            await press("y")
        elif ask is None:
            await press("enter")
        elif isinstance(ask, RollQuestion):
            rolled = dice.roll(ask.dice, RollKey("", ask.rule, ask.subject, 0))
            typed += len(rolled) if types else 0
            await (press(*map(str, rolled)) if types else press("space"))
        elif (seen.listed or ask).default_forgoes_acting or seen.listed is not None:
            await press("c")
        elif ask.of_equals:
            await press("down", "enter")
        else:
            await press("enter")
    raise AssertionError("the purchases do not come")


@pytest.mark.parametrize(("types", "most"), [(True, BY_HAND), (False, BY_APP)])
async def test_the_refit_phase_up_to_the_purchases_takes_few_keys(
    demo_file: Path, types: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RefitScreen, "dice", SeededDice(SEED))
    counted: Counter[str] = Counter()
    async with opened(demo_file, None, "dashboard", size=SMALL) as (_, pilot):
        typed = await plays_to_the_purchases(pilot, counts(pilot, counted), types=types)
        seen = await settled(pilot)
    lost = [unit for unit in seen.view.units.values() if unit.fate is Fate.ELIMINATED]
    assert len(lost) >= 5
    more = max(typed - 75, counted["space"] - 76, 0)  # dice than were counted for the goals
    assert counted.total() - more <= most, (typed, counted)


# --- the first end, and the Refit Phase after it --------------------------------------------------

CARD = {
    Side.MARINE: ("6 x 668", "9-1 Crowe", "80", "2 mmg", "2 lvt2"),
    Side.JAPANESE: ("6 x 447", "9-1 Inoue", "2 hmg"),
}
PERIMETER = "n18-n21/p34-p36"
# Everybody gets his hex; then what befell some.
FIRST_END = "n19 1a-c1j1m p35 1d-h1k1n x1e d1f w1b n30 /1a-c/1h p40 /1d-g/1j x/1d d/1c"


@pytest.fixture
def first_scenario(new_file: Path) -> Path:
    """A new campaign of two small orders of battle, in its first scenario."""
    desk = OpenCampaign.open(new_file)
    for side, lines in CARD.items():
        read = parse_order_lines(
            "\n".join(lines),
            side,
            unrestricted_campaign(desk).campaign,
            unrestricted_campaign(desk).card,
            desk.figures.catalogue,
        )
        desk.run_commands("reinforce", reinforce_inputs(read))
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(SEED), defaults=True)):
        pass
    desk.close()
    return new_file


async def test_the_first_scenario_end_and_its_refit_phase_take_few_keys(
    first_scenario: Path,
) -> None:
    counted: Counter[str] = Counter()
    async with in_refit(first_scenario, size=SMALL) as (app, pilot):
        press = counts(pilot, counted)
        await press("f", "i", "comma", *FIRST_END, "enter")
        await press("enter")
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        await press(*PERIMETER, "enter")
        await shown(pilot, "Enter: continue with Check")
        await press("j", "enter")
        await shown(pilot, "Enter: enter it")
        await press("enter")
        await until(pilot, lambda: app.session.seen.view.situation.phase is Phase.REFIT)  # type: ignore[union-attr]
        ended = counted.total()
        seen = await plays_the_refit_phase(pilot, press, shops=False)
    assert not [unit for unit in seen.view.units.values() if unit.in_play and not unit.setup_area]
    assert (ended, counted.total()) <= (BEFORE // 2, BEFORE // 2), counted
