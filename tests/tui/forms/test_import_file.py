"""Import on the screen: the end of a scenario, or reinforcements."""

import json
from pathlib import Path
from typing import cast

import pytest
from textual.widgets import Input

from brt_cg.commands.difference import DifferenceKind, DifferenceLine
from brt_cg.imports.preview import ImportPreview
from brt_cg.imports.scenario_end import ScenarioEnd
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.dialogs.path import PathScreen
from brt_cg.tui.forms.fields import LastWordSuggester
from brt_cg.tui.forms.import_file import ImportForm
from brt_cg.tui.question.form import split_parts
from brt_cg.tui.session.campaign_app import CampaignApp
from tests.exports.journals import squad
from tests.tui.helpers import LARGE, SMALL, screen_text, settled, until
from tests.tui.moments import app_on, opened, played, press
from tests.vasl.demo_save import save_of
from tests.vasl.writer import layer

ARRIVING = {"format": "brt-cg/state", "version": 1, "units": [squad("m-new-1", "N20")]}


async def test_a_state_without_a_scenario_is_a_reinforcement(tmp_path: Path) -> None:
    asked = {"cg": "III", "name": None, "players": None, "allotments": None}
    OpenCampaign.create(tmp_path / "c.brt", asked).close()
    (tmp_path / "more.json").write_text(json.dumps(ARRIVING))
    app = app_on(tmp_path / "c.brt")
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("less_than_sign", *"more.json", "enter")
        await pilot.pause(0.5)
        shown = screen_text(app)
        assert "Reinforce from more.json" in shown
        assert "added: 7-6-8 squad no. 1" in shown
        await pilot.press("enter")
        seen = await settled(pilot)
        await pilot.pause(0.3)
        seen = await settled(pilot)
        assert seen.view.units["m-new-1"].location == "N20"
        assert "Imported." in screen_text(app)


@pytest.mark.parametrize(("said", "is_settled"), [("", False), ("eliminated", True)])
async def test_the_fate_of_missing_counters_is_always_asked(
    demo_file: Path, said: str, is_settled: bool
) -> None:
    """Nothing is preselected, and nothing is stored until the player has chosen."""
    line = DifferenceLine(DifferenceKind.MISSING, "m-sq-1", "missing: 7-6-8 squad")
    found = ImportPreview("import", ScenarioEnd({"state": {}, "side": None}), [line])
    async with app_on(demo_file).run_test() as pilot:
        await settled(pilot)
        form = ImportForm(cast(CampaignApp, pilot.app).session, "end.vsav", found)
        (field,) = (one for one in form.pages({})[0].fields if one.name == "missing")
        assert field.value == ""
        judged = await form.validate({"missing": said}, 0)
        assert ("missing" not in judged.problems) is is_settled


@pytest.fixture
def played_demo(demo_file: Path, tmp_path: Path) -> Path:
    """The demo at its second scenario, with a VASL save of it beside: a Marine squad is broken."""
    path = played(demo_file, None)
    desk = OpenCampaign.open(path)
    table = unrestricted_campaign(desk).campaign
    for counter in list(table.pieces()):
        if counter.in_play and counter.location is None:
            counter.location = table.areas[counter.setup_area].hexes[0]
    save = save_of(table)
    desk.close()
    broken = next(piece for piece in save.pieces() if piece.name == "7-6-8 Msq")
    broken.traits = [layer("broken +", 1), *broken.traits]
    (tmp_path / "end.vsav").write_bytes(save.file().as_zip())
    return path


async def test_the_umpire_is_asked_which_sides_counters_of_a_vasl_save_to_import(
    played_demo: Path,
) -> None:
    async with opened(played_demo, size=LARGE, notifications=True) as (app, pilot):
        await pilot.press("less_than_sign", *"end.vsav", "enter")
        await pilot.pause(0.5)
        assert "Whose counters?" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause(0.5)
        assert "Not possible" not in screen_text(app), "he only left it"
        await pilot.press("less_than_sign", *"end.vsav", "enter")
        await pilot.pause(0.5)
        await pilot.press("m")
        await pilot.pause(1.5)
        shown = screen_text(app)
        assert "Import end.vsav, Marine side only" in shown
        assert "guessed:" not in shown, "it is the position that the campaign has"
        assert "Leave out" in shown


async def test_an_excluded_line_is_not_imported(played_demo: Path) -> None:
    async with opened(played_demo, Side.MARINE, size=LARGE) as (app, pilot):
        seen = await settled(pilot)
        await pilot.press("less_than_sign", *"end.vsav", "enter")
        await pilot.pause(1.5)
        form = app.screen.form  # type: ignore[attr-defined]
        moved = [id for id in form.refusable if id in seen.view.units]
        app.screen.query_one("#encircled").focus()
        await pilot.press("y")
        app.screen.query_one("#leave").focus()
        await pilot.press(*"nobody", "enter")
        await pilot.pause(0.5)
        assert "no line is about nobody" in screen_text(app)
        name = seen.view.units[moved[0]].label
        assert moved[0] not in name
        app.screen.query_one("#leave", Input).value = name
        await pilot.press("enter")
        await settled(pilot)
        await pilot.pause(0.5)
        units = (await settled(pilot)).view.units
        assert units[moved[0]].location is None
        assert units[moved[1]].location is not None
        await pilot.press("s", "j")
        await settled(pilot)
        await pilot.press("less_than_sign")
        await until(pilot, lambda: isinstance(app.screen, PathScreen), "the question for the file")
        assert app.screen.query_one(Input).value.endswith("end.vsav"), "it holds the other half too"


async def test_a_vasl_save_is_offered_first_at_the_end_of_a_scenario(played_demo: Path) -> None:
    async with opened(played_demo, Side.MARINE, "scenario_end", size=LARGE) as (app, pilot):
        assert "accounted for · <: from a VASL save" in screen_text(app)
        await press(pilot, "comma", *"b1d", "enter")
        await press(pilot, "less_than_sign")
        await pilot.pause(0.3)
        assert "1 counter ticked" in screen_text(app)
        assert "use the file instead" in screen_text(app)
        await pilot.press("y")
        await pilot.pause(0.3)
        await pilot.press(*"end.vsav", "enter")
        await pilot.pause(1.5)
        shown = screen_text(app)
        assert "Import end.vsav, Marine side only" in shown
        told = app.screen.form._preview([])  # type: ignore[attr-defined]
        heads = [line.plain for line in told if line.plain in ("Changes",) or "new" in line.plain]
        assert heads, "what matches nothing, and what would change, stand apart"


def test_entries_are_names_with_commas_or_ids_with_spaces() -> None:
    names = ["4-4-7 squad no. 3", "HMG no. 1"]
    typed = "4-4-7 SQUAD no. 3, j-sq-1 j-sq-2; HMG no. 1"
    assert split_parts("", ["", *names]) == []
    assert split_parts(typed, names) == ["4-4-7 SQUAD no. 3", "j-sq-1", "j-sq-2", "HMG no. 1"]


async def test_a_partly_typed_name_or_id_is_completed() -> None:
    suggests = LastWordSuggester(["4-4-7 squad no. 3", "m-sq-12"])
    assert await suggests.get_suggestion("HMG, 4-4-7 sq") == "HMG, 4-4-7 squad no. 3"
    assert await suggests.get_suggestion("m-sq-1 m-sq") == "m-sq-1 m-sq-12"
    assert await suggests.get_suggestion("HMG,") is None
