"""Import on the screen: the end of a scenario, or reinforcements."""

import json
from pathlib import Path

from brt_cg.desk import Desk
from tests.exports.books import squad
from tests.tui.helpers import SMALL, screen_text, settled
from tests.tui.moments import app_on

ARRIVING = {"format": "brt-cg/state", "version": 1, "units": [squad("m-new-1", "N20")]}


async def test_a_state_without_a_scenario_is_a_reinforcement(tmp_path: Path) -> None:
    asked = {"cg": "III", "name": None, "players": None, "allotments": None}
    Desk.create(tmp_path / "c.brt", asked).close()
    (tmp_path / "more.json").write_text(json.dumps(ARRIVING))
    app = app_on(tmp_path / "c.brt")
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await pilot.press("i", *"more.json", "enter")
        await pilot.pause(0.5)
        shown = screen_text(app)
        assert "Reinforce from more.json" in shown
        assert "added: 7-6-8 squad m-new-1" in shown
        await pilot.press("enter")
        seen = await settled(pilot)
        await pilot.pause(0.3)
        seen = await settled(pilot)
        assert seen.view.units["m-new-1"].location == "N20"
