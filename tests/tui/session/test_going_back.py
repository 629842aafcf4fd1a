"""Undo says what it will take back, and asks, where that is more than one answer."""

import itertools
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.dice import Dice, Faces, RollKey, SeededDice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.question_panel import QuestionPanel
from tests.tui.helpers import MIDDLE, PATIENCE, SMALL, screen_text, settled, until
from tests.tui.moments import app_on, in_refit, played, press, to_room

NEVER = 1e15  # later than any key


async def test_a_whole_run_is_undone_only_after_confirmation(demo_file: Path) -> None:
    async with in_refit(played(demo_file, None)) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await pilot.press("ctrl+p")
        await pilot.pause(0.3)
        await press(pilot, "enter")  # the first of the palette
        assert "Undo this?" not in screen_text(app)
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "escape")
        await to_room(pilot, "refit")
        await press(pilot, "W")
        assert "Undo this?" in screen_text(app)
        assert "answers; first: " in screen_text(app)
        await press(pilot, "enter")  # the selected answer leaves it as it is
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "W", "y")
        assert (await settled(pilot)).view.situation.date == "20 PM"


async def test_one_stray_key_does_not_undo_an_import(demo_file: Path) -> None:
    app = app_on(demo_file)
    async with app.run_test(size=SMALL) as pilot:
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "u")
        assert "│  the end of the 20 PM scenario, from state.json  " in screen_text(app)
        await press(pilot, "escape")
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "u")  # a key that comes before its question is dropped
        await until(pilot, lambda: "│  the end of the 20 PM scenario" in screen_text(app))
        await press(pilot, "y")
        assert (await settled(pilot)).view.situation.phase is Phase.PURCHASE


async def test_escape_stops_automatic_play_between_two_answers(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, rolls = SeededDice.roll, itertools.count(1)
    app = app_on(demo_file)

    def escaped_at_the_third(dice: SeededDice, kind: Dice, key: RollKey) -> Faces:
        if next(rolls) == 3:
            app.call_from_thread(app.post_message, events.Key("escape", None))
            assert app.session.stopping.wait(PATIENCE)
        return real(dice, kind, key)

    monkeypatch.setattr(SeededDice, "roll", escaped_at_the_third)
    async with app.run_test(size=MIDDLE) as pilot:
        await settled(pilot)
        await to_room(pilot, "refit")
        app.screen.dice = SeededDice(1)
        for key in ("g", "1", "g", "end", "enter"):
            await press(pilot, key)
            seen = await settled(pilot)
        assert seen.view.situation.phase is Phase.REFIT
        assert next(rolls) == 4
        assert app.is_running


# --- an answer given again, the later ones kept ---------------------------------------------------


def rolls_of(desk: OpenCampaign) -> dict[str, tuple[list[int], str]]:
    """The dice of each roll that stands, by the counter, and where they came from."""
    return {
        entry.payload["ask"]["subject"]: (entry.payload["roll"]["dice"], entry.payload["from"])
        for entry in unrestricted_campaign(desk).entries_of_this_phase()
        if "roll" in entry.payload
    }


def rolled(path: Path, *dice: str) -> Path:
    """The campaign once the dice of the open rolls have been typed."""
    desk = OpenCampaign.open(path)
    for each in dice:
        ask = desk.play_to_question()
        assert ask is not None
        assert ask.dice is not None
        desk.answer([int(face) for face in each[: ask.dice.dice_count]])
    desk.play_to_question()
    desk.close()
    return path


async def answer_with(pilot: Pilot[int], *keys: str) -> None:
    """Presses keys for the open question once it is drawn."""
    await settled(pilot)
    panel = pilot.app.screen.query_one(QuestionPanel)
    await until(pilot, lambda: panel.drawn.was_drawn_before(NEVER))
    await press(pilot, *keys)


async def test_correcting_an_answer_five_back_takes_eight_keys_and_keeps_later_ones(
    demo_file: Path,
) -> None:
    path = rolled(played(demo_file, "15.6032"), "11", "12", "21", "13", "22")
    async with in_refit(path) as (app, pilot):
        before = rolls_of(OpenCampaign.open_read_only(path))
        asked = (await settled(pilot)).asked
        await press(pilot, "G", "down", "down", "down", "down", "enter")
        seen = await settled(pilot)
        assert seen.kept == 4
        assert "4 later answers kept, to be entered again" in screen_text(app)
        assert seen.ask is not None
        await answer_with(pilot, "3", "1")
        after = rolls_of(OpenCampaign.open_read_only(path))
        again = seen.ask.subject
        assert before[again] == ([1, 1], "hand")
        assert after[again] == ([3, 1], "hand")
        assert {id: each for id, each in after.items() if id != again} == {
            id: each for id, each in before.items() if id != again
        }
        now = await settled(pilot)
        assert now.kept == 0
        assert now.ask is not None
        assert now.ask.subject not in after
        assert now.asked != asked, "it knows of the other dice before it"
    assert [str(found) for found in audit_campaign(path).findings] == []


async def test_later_answers_are_kept_for_after_a_new_question(demo_file: Path) -> None:
    path = rolled(played(demo_file, "15.6032"), "11", "12", "21")
    async with in_refit(path) as (_, pilot):
        for _ in range(2):
            await press(pilot, "G", "down", "down", "enter")
            await answer_with(pilot, "1", "2")
        dice_of = rolls_of(OpenCampaign.open_read_only(path))
        assert sorted(dice for dice, _ in dice_of.values()) == [[1, 2], [1, 2], [2, 1]]
        await press(pilot, "G", "down", "down", "enter")
        await answer_with(pilot, "6", "6")
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.dice is None, "a ruling about his loss comes first"
        assert seen.kept == 2
        assert len(rolls_of(OpenCampaign.open_read_only(path))) == 1
        for _ in range(4):
            if (await settled(pilot)).kept:
                await answer_with(pilot, "enter")
        assert (await settled(pilot)).kept == 0
        dice_of = rolls_of(OpenCampaign.open_read_only(path))
        assert sorted(dice for dice, _ in dice_of.values()) == [[1, 2], [2, 1], [6, 6]]


async def test_redo_restores_all_entries_undone_for_a_new_answer(demo_file: Path) -> None:
    path = rolled(played(demo_file, "15.6032"), "11", "12", "21")
    async with in_refit(path) as (_, pilot):
        before = rolls_of(OpenCampaign.open_read_only(path))
        await press(pilot, "G", "2", "enter")  # its number selects it
        assert len(rolls_of(OpenCampaign.open_read_only(path))) == 1
        await press(pilot, "U")
        assert rolls_of(OpenCampaign.open_read_only(path)) == before
        assert (await settled(pilot)).kept == 0


async def test_going_back_before_a_purchase_names_the_purchase_and_asks(demo_file: Path) -> None:
    path = played(demo_file, "15.6142")
    desk = OpenCampaign.open(path)
    bought = {"item": "foxhole_1s", "side": "marine", "location": "N19"}
    desk.run_command("buy", bought, "marine")
    desk.close()
    async with in_refit(path, size=MIDDLE) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "G", "enter")
        assert "Go back that far?" in screen_text(app)
        assert "Purchase" in screen_text(app)
        await press(pilot, "enter")  # not yet
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "G", "enter", "y")
        assert (await settled(pilot)).mark.rows > entries


async def test_one_side_alone_cannot_undo_entries_of_both_sides(demo_file: Path) -> None:
    path = played(demo_file, "15.6032")
    async with in_refit(path, Side.MARINE) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "G")
        assert "only the umpire can" in [*app._notifications][-1].message
        assert (await settled(pilot)).mark.rows == entries
