"""A whole Refit Phase with purchases and setup between two homes, by keys alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from brt_cg.journal.early_answers import early_answers_of
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.purchases.totals import purchases_not_voided
from brt_cg.questions.dice import SeededDice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.early_answers import EarlyAnswersScreen
from brt_cg.tui.app import BrtApp
from brt_cg.tui.rooms.purchases.screen import PurchasesScreen
from brt_cg.tui.rooms.refit.screen import RefitScreen
from brt_cg.tui.rooms.setup.screen import SetupScreen
from tests.homes import set_state_home
from tests.tui.helpers import settled, shown, until
from tests.tui.moments import press

ALWAYS = ("15.605", "15.6131")  # of which the dice put other questions than were foreseen


class Home:
    """A player at his own machine, whose screen is at hand."""

    def __init__(self, app: BrtApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    async def keys(self, *keys: str) -> None:
        await press(self.pilot, *keys)

    async def wishes(self, name: str, *typed: str) -> None:
        """Puts an item on his shopping list."""
        if not isinstance(self.app.screen, PurchasesScreen):
            await self.keys("b")
        await self.keys("slash", "ctrl+u", *name, "enter", "enter")
        await shown(self.pilot, "at your 15.614")
        await self.keys(*typed, "enter")
        await shown(self.pilot, f"On the shopping list: 1 × {name}")
        await self.keys("escape")

    async def answers_ahead(self, typed: dict[str, str]) -> None:
        """Answers all by default, the questions of some rules by what is typed, and of some all of
        their kind."""
        await self.keys("E")
        await until(self.pilot, lambda: isinstance(self.app.screen, EarlyAnswersScreen))
        box = self.app.screen
        assert isinstance(box, EarlyAnswersScreen)
        for each in box.sheet.asks:
            if each.ask.rule in ALWAYS and not box.sheet.is_always_default(each):
                await self.keys("k")
            if each.ask.rule in typed:
                await self.keys("enter", *typed[each.ask.rule], "enter")
            await self.keys("down")
        await self.keys("A", "c")
        await until(self.pilot, lambda: not isinstance(self.app.screen, EarlyAnswersScreen))

    async def sets_up(self, rule: str, *keys: str) -> None:
        """Sets up ahead, in the Setup room."""
        await self.keys("p", "E")
        await shown(self.pilot, "Set up early")
        await self.keys(rule[-1])
        await shown(self.pilot, f"{rule} ahead")
        await self.keys(*keys, "c", "y")
        room = self.app.screen
        assert isinstance(room, SetupScreen)
        await until(self.pilot, lambda: room.early is None)

    async def plays(self) -> None:
        """Rolls and decides until the other side must."""
        await self.keys("r")
        room = self.app.screen
        assert isinstance(room, RefitScreen)
        room.dice = SeededDice("four mails")
        await self.keys("g", "1", "g", "end", "enter")

    async def mails(self, path: Path, whole: bool = False) -> None:
        await self.keys("M", "a" if whole else "s")
        await shown(self.pilot, "to mail")
        await self.keys("ctrl+u", *str(path), "enter")
        await shown(self.pilot, "The text for the mail")
        await self.keys("escape")

    async def takes(self, path: Path) -> None:
        await self.keys("M", "r", "ctrl+u", *str(path), "enter")
        await shown(self.pilot, "continues your campaign")
        await self.keys("escape")

    async def begins_with(self, path: Path) -> None:
        """Takes a mail that holds the whole campaign, which he does not have yet."""
        await self.pilot.press("M", "ctrl+u", *str(path), "enter")
        await shown(self.pilot, "holds a campaign that is not here yet")
        await self.pilot.press("enter")
        await settled(self.pilot)


@asynccontextmanager
async def at_home(
    path: Path | None, side: Side, folder: Path, patch: pytest.MonkeyPatch
) -> AsyncIterator[Home]:
    set_state_home(patch, folder / "state")
    app = BrtApp(path, seat=side)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        if path is not None:
            await settled(pilot)
        yield Home(app, pilot)


async def test_a_refit_phase_with_purchases_and_setup_takes_four_mails_by_keys(
    demo_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, mail = tmp_path / "theirs", tmp_path / "new.brtmail"
    theirs.mkdir()
    home = {Side.MARINE: demo_file, Side.JAPANESE: theirs / "new.brt"}
    first = theirs / "new.brtmail"
    async with at_home(demo_file, Side.MARINE, tmp_path, monkeypatch) as marine:
        await marine.wishes("SAN increase")
        await marine.wishes("1S Foxhole")
        await marine.answers_ahead({})
        await marine.plays()
        await marine.mails(first, whole=True)
        said = [notice.message for notice in marine.app._notifications]
        assert any("your side will be asked: 15.6201, 15.6202" in one for one in said)
    async with at_home(None, Side.JAPANESE, theirs, monkeypatch) as japanese:
        await japanese.begins_with(first)
        await japanese.wishes("1S Foxhole")
        await japanese.answers_ahead({"15.616": "no"})
        await japanese.sets_up("15.6201")  # dice will change what is asked
        await japanese.sets_up(
            "15.6202", "slash", *"j-sq-10", "enter", "home", "enter", *"B52", "enter"
        )
        await japanese.plays()
        await japanese.mails(mail)
    async with at_home(demo_file, Side.MARINE, tmp_path, monkeypatch) as marine:
        await marine.takes(mail)
        await marine.plays()
        await marine.answers_ahead({})
        await marine.sets_up("15.6201")
        await marine.sets_up(
            "15.6202", "slash", *"m-sq-8", "enter", "home", "enter", *"N19", "enter"
        )
        back = theirs / "back.brtmail"
        await marine.mails(back)
    async with at_home(home[Side.JAPANESE], Side.JAPANESE, theirs, monkeypatch) as japanese:
        await japanese.takes(back)
        await japanese.answers_ahead({})
        await japanese.plays()
        await japanese.mails(last := tmp_path / "last.brtmail")
    async with at_home(demo_file, Side.MARINE, tmp_path, monkeypatch) as marine:
        await marine.takes(last)
    desks = [unrestricted_campaign(OpenCampaign.open_read_only(path)) for path in home.values()]
    campaign = desks[0].campaign
    assert desks[0].head == desks[1].head
    assert campaign.situation.phase is Phase.SCENARIO
    assert {each.side for each in purchases_not_voided(campaign)} == {*Side}
    assert len([*purchases_not_voided(campaign)]) == 3
    assert campaign.units["m-sq-8"].location == "N19"
    assert campaign.units["j-sq-10"].location == "B52"


async def test_a_side_can_set_up_on_the_table_before_setup_areas_exist(
    demo_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_home(demo_file, Side.JAPANESE, tmp_path, monkeypatch) as japanese:
        await japanese.keys("p", "E", "2")
        await shown(japanese.pilot, "15.6202 ahead")
        await japanese.keys("z")
        await shown(japanese.pilot, "On the table: ")
        await japanese.keys("c", "y")
        room = japanese.app.screen
        assert isinstance(room, SetupScreen)
        await until(japanese.pilot, lambda: room.early is None)
    given = early_answers_of(
        unrestricted_campaign(OpenCampaign.open_read_only(demo_file)), Side.JAPANESE
    ).first_raw_answers.values()
    assert any("in A55" in raw.values() for raw in given)
