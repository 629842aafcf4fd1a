"""The Refit room: questions of each kind, dice of both kinds, undo, seats, going on by itself."""

import re
from pathlib import Path

import pytest
from textual.selection import SELECT_ALL

from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.question_types import ChoiceQuestion
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.likely_rulings import LikelyRulingsScreen
from brt_cg.tui.lists.log import LogView
from brt_cg.tui.lists.row_lists import PickList
from brt_cg.tui.look.lines import Lines
from brt_cg.tui.rooms.refit.steps_list import StepsLine
from brt_cg.tui.session.session import CampaignSnapshot
from tests.tui.helpers import (
    LARGE,
    MIDDLE,
    SMALL,
    at_work,
    same_as_golden,
    screen_lines,
    screen_text,
    settled,
    shown,
    until,
    words,
    words_on_the_left,
)
from tests.tui.moments import in_refit, played, press

WIDE = (200, 50)  # the steps stand beside the question


def newest(seen: CampaignSnapshot) -> str:
    return seen.log[-1].text


async def test_a_roll_shows_dice_modifiers_and_the_odds_of_each_row(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6111")) as (app, _):
        same_as_golden(app, "refit-roll-80x24")
        shown = screen_text(app)
        assert "+1\N{NO-BREAK SPACE}Isolated" in shown
        assert "67%" in shown
        assert "never" in shown
        assert "★ Marine" in shown


async def test_dice_rolled_on_the_table_are_typed_undone_and_redone(
    demo_file: Path,
) -> None:
    async with in_refit(
        played(demo_file, "15.6111"), Side.MARINE, size=MIDDLE, notifications=True
    ) as (app, pilot):
        room, first = app.screen, (await settled(pilot))
        await press(pilot, "8")
        assert "✗ Not allowed: 8: a die shows 1–6" in screen_text(app)
        assert (await settled(pilot)).mark.rows == first.mark.rows
        room.selections = {room.query_one("#problem"): SELECT_ALL}
        assert str(room.get_selected_text()).startswith("✗ Not allowed")
        await press(pilot, "2")
        assert newest(await settled(pilot)) == (
            "7-0 Maddox (K24): dr 2, +1 Isolated, Final dr 3: still wounded"
        )
        room.selections = {room.query_one("#problem"): SELECT_ALL}
        assert not room.get_selected_text(), "what is gone since is copied as nothing"
        await press(pilot, "u")
        assert app.screen is room, "one answer is taken back at once"
        assert "Undone: 7-0 Maddox (K24): dr 2" in words(screen_text(app))
        seen = await settled(pilot)
        assert first.ask is not None
        assert seen.ask is not None
        assert seen.ask.subject == first.ask.subject == "m-ldr-13"
        assert [one.text for one in seen.log if one.undone][-1].startswith("7-0 Maddox")
        await press(pilot, "U")
        assert "Redone: 7-0 Maddox (K24): dr 2" in words(screen_text(app))
        again = await settled(pilot)
        assert again.ask is not None
        assert again.ask.subject != "m-ldr-13"


async def test_the_steps_are_next_to_the_question_again_in_another_terminal(
    demo_file: Path,
) -> None:
    async with in_refit(played(demo_file, "15.6043"), size=SMALL) as (app, pilot):
        for other in (SMALL, (118, 33), LARGE):
            await pilot.resize_terminal(*other)
            await pilot.resize_terminal(*MIDDLE)
            await pilot.pause()
            same_as_golden(app, "refit-roll-120x40")


async def test_a_refresh_in_another_terminal_size_has_full_height(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(demo_file)
    desk.undo_or_request()
    desk.close()
    async with in_refit(demo_file) as (app, pilot):
        assert "Before the first scenario" in screen_text(app)
        await press(pilot, "d")
        await pilot.resize_terminal(*MIDDLE)
        await press(pilot, "U")
        await press(pilot, "r")
        assert '"+1" side.' in words_on_the_left(app)
        assert "(R-CG1-WHEN)." in screen_text(app)


async def test_the_due_paragraph_is_next_and_current_once_begun(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file, size=WIDE, notifications=True) as (app, pilot):
        assert "Up next." in screen_text(app)
        await press(pilot, "enter")
        await shown(pilot, "Rulings for this Refit Phase")
        await pilot.pause(0.5)  # a key pressed before the box is drawn is dropped
        await press(pilot, "1")
        await shown(pilot, "In progress.")
        await press(pilot, "g")
        assert "to the end of Conclusion of Melee" in screen_text(app)
        assert "to the end of the phase, 44 paragraphs" in screen_text(app)


async def test_one_choice_continues_to_the_purchases_without_buying(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        for key in ("enter", "1", "g", "down", "down", "enter"):
            await press(pilot, key)
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.buying
        await press(pilot, "g")
        assert "to the purchases" not in screen_text(app)


def outcome(app: BrtApp) -> str:
    """The result that is shown above the question."""
    shown = app.screen.query_one("#outcome", Lines)
    return str(shown.render()) if shown.display else ""


async def test_one_key_or_click_rolls_and_shows_the_next_question(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6111"), notifications=True) as (app, pilot):
        before = app.session.seen
        assert before is not None
        await press(pilot, "space")
        seen = await settled(pilot)
        assert before.ask is not None
        assert seen.ask is not None
        assert seen.ask.subject != before.ask.subject
        assert seen.log[-1].text.startswith("7-0 Maddox (K24): dr ")
        assert "7-0 Maddox (K24)" in outcome(app)
        await press(pilot, "u")
        assert not outcome(app)
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "enter")
        assert "Enter never rolls" in screen_text(app)
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "space")
        assert "7-0 Maddox (K24)" in outcome(app)
        log = app.screen.query_one(LogView)
        end = log.scroll_y
        await press(pilot, "pageup")
        assert log.scroll_y < end
        entries = (await settled(pilot)).mark.rows
        await pilot.click("#doing", offset=(2, 0))
        rolled = (await settled(pilot)).mark.rows
        assert rolled > entries
        await press(pilot, "g")
        seen = await settled(pilot)
        assert seen.mark.rows > rolled + 5, "up to the next real decision"
        assert seen.ask is not None
        assert seen.ask.is_decision
        assert isinstance(seen.ask, ChoiceQuestion)


async def test_in_a_small_window_the_summary_is_dropped_before_the_actions(
    demo_file: Path,
) -> None:
    async with in_refit(played(demo_file, "15.6111"), size=(80, 12)) as (app, pilot):
        await pilot.pause()
        shown = screen_text(app)
        assert " Space  Roll   or type the die" in shown
        assert "≥ 4    67%" in shown
        assert "Roll a dr for each Retained" not in shown


async def test_two_dice_are_typed_one_after_the_other(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6032")) as (_, pilot):
        await press(pilot, "3", "backspace", "3", "4")
        assert "DR 3,4 = 7" in "\n".join(one.text for one in (await settled(pilot)).log)


async def test_enter_never_ends_purchases_and_their_key_lists_open_items(
    demo_file: Path,
) -> None:
    async with in_refit(played(demo_file, "15.6142"), size=MIDDLE, notifications=True) as (
        app,
        pilot,
    ):
        before = (await settled(pilot)).ask
        assert before is not None
        assert before.buying
        await press(pilot, "enter", "enter")
        assert ["Enter never does that" in one.message for one in app._notifications] == [True]
        assert (await settled(pilot)).ask is before
        await press(pilot, "c")
        assert "FPP left" in screen_text(app)
        await press(pilot, "enter")
        assert (await settled(pilot)).ask is before, "not yet is selected first"
        await press(pilot, "c", "y")
        assert (await settled(pilot)).ask is not before


async def test_no_answer_is_selected_if_the_default_is_only_the_lowest_id(
    demo_file: Path,
) -> None:
    async with in_refit(played(demo_file, "15.6113"), notifications=True) as (app, pilot):
        before = (await settled(pilot)).ask
        assert before is not None
        assert before.rule == "15.6114"
        assert "none selected · ↑↓ or its number: choose" in screen_text(app)
        assert "(default)" not in screen_text(app)
        await press(pilot, "enter")
        assert (await settled(pilot)).ask is before
        assert ["Choose with ↑ ↓" in one.message for one in app._notifications] == [True]
        await press(pilot, "2")
        assert (await settled(pilot)).ask is before, "a digit selects"
        await press(pilot, "enter")
        assert (await settled(pilot)).ask is not before


async def test_no_answer_is_selected_in_a_melee_despite_a_default(
    demo_file: Path,
) -> None:
    """The hint said "no default" above an answer marked as the default."""
    async with in_refit(demo_file) as (app, pilot):
        opens, picks = ("enter", "enter", "enter"), ("enter", "down", "down", "enter", "enter")
        for key in (*opens, *picks, "c", "y"):
            await press(pilot, key)
        shown = screen_text(app)
        assert "c: the default · ↑↓ Enter: another answer" in shown
        assert "no more CC attacks here  (default)" in shown
        assert "no default" not in shown


async def test_questions_of_one_kind_are_one_list(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.601"), size=MIDDLE) as (app, pilot):
        same_as_golden(app, "refit-choice-120x40")
        await press(pilot, "home", "enter")
        same = await settled(pilot)
        assert same.ask is not None, "Enter never accepts all defaults"
        await press(pilot, "c")
        after = await settled(pilot)
        told = "stays hidden and must set up in this Location"
        assert sum(told in line.text for line in after.log) == 24
        assert after.ask is None or after.ask.rule != "15.602"


async def test_some_questions_of_a_kind_are_ticked_and_undone_together(
    demo_file: Path,
) -> None:
    async with in_refit(played(demo_file, "15.601"), notifications=True) as (app, pilot):
        before = await settled(pilot)
        first, second, *_, last = before.listed.questions_by_subject
        named = before.view.fortifications[last].name_or_number.removeprefix("no. ")
        await press(pilot, "enter", "enter", "down", "slash", *named, "enter")
        await press(pilot, "down", "enter")
        assert "Continue with the 3 of 24 entered, the rest by default: stays hidden" in " ".join(
            screen_text(app).replace("║", "").split()
        )
        await press(pilot, "home", "enter")
        seen = await settled(pilot)
        hidden = {one for one in before.listed.questions_by_subject if seen.view.find(one).hidden}
        assert hidden == {*before.listed.questions_by_subject} - {first, second, last}
        await press(pilot, "u")
        assert "Undo this?" in screen_text(app), "a whole list is not undone unasked"
        await press(pilot, "y")
        undone = await settled(pilot)
        assert undone.ask is not None
        assert undone.ask.subject == first
        assert undone.listed is not None
        assert "and 23 more" in words(screen_text(app))
        await press(pilot, "U")
        again = await settled(pilot)
        assert {
            one for one in before.listed.questions_by_subject if again.view.find(one).hidden
        } == hidden


async def test_all_questions_of_a_kind_are_marked_and_ticked_together(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.601")) as (_, pilot):
        before = await settled(pilot)
        await press(pilot, "A", "enter", "c")
        seen = await settled(pilot)
        assert not any(seen.view.find(one).hidden for one in before.listed.questions_by_subject)


async def test_a_number_is_typed_and_refused_at_the_field(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6121")) as (app, pilot):
        assert "something else" not in screen_text(app), "each SAN is listed"
        await press(pilot, "9", "enter")
        assert "✗ Not allowed: 9 is not accepted; enter a whole number from 0 to 7" in screen_text(
            app
        )
        await press(pilot, "backspace", "5", "enter")
        assert "Marine SAN changes from 3 to 5" in newest(await settled(pilot))


async def test_only_some_of_several_items_are_answered(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6136")) as (app, pilot):
        await press(pilot, "enter")
        assert "MMG no." in screen_text(app)
        assert screen_text(app).count("the unit that takes it") == 1
        await pilot.press(*"x-9", "enter")
        assert re.search(r'✗ Not allowed: MMG no. \d+: "x-9" may not take it', screen_text(app))
        await pilot.press("backspace", "backspace", "backspace", "-", "enter")
        assert "→ nobody" in screen_text(app)
        listed = app.screen.query_one("#choices", PickList)
        assert listed.highlighted == 2, "the cursor is at the next item"
        listed.highlighted = listed.option_count - 1
        await press(pilot, "down")
        assert listed.highlighted == listed.option_count - 1, "no way round to going on"
        await press(pilot, "c")
        assert "MMG no." in "\n".join(one.text for one in (await settled(pilot)).log[-12:])


async def test_the_enemys_decision_asks_for_the_other_seat(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.601"), Side.MARINE) as (app, _):
        same_as_golden(app, "refit-other-seat-80x24")
        assert "hidden" not in screen_text(app)


async def test_g_never_closes_the_purchases(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6139")) as (_, pilot):
        await press(pilot, "g")
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.rule == "15.614"


async def test_a_skipped_step_says_why(tmp_path: Path) -> None:
    empty = tmp_path / "empty.brt"
    OpenCampaign.create(empty, {"cg": "III", "name": None, "allotments": None}).close()
    async with in_refit(empty, size=MIDDLE) as (app, pilot):
        await press(pilot, "enter")
        asked = await shown(pilot, "Begin without it?")
        assert "Copy SAN and ELR from the CG card (Marine, Japanese)." in asked
        await press(pilot, "y", "I", "home")
        assert "· 15.6201 Isolated unit" in screen_text(app)
        assert "Skipped: nothing is Isolated" in screen_text(app)


async def test_a_seat_is_warned_that_setup_ends_the_opponents_purchases(
    tmp_path: Path,
) -> None:
    empty = tmp_path / "empty.brt"
    OpenCampaign.create(empty, {"cg": "III", "name": None, "allotments": None}).close()
    async with in_refit(empty, Side.JAPANESE, size=MIDDLE) as (_, pilot):
        await press(pilot, "enter")
        asked = await shown(pilot, "Begin without it?")
        assert "Then the Marines can buy no more for the first scenario." in asked


async def test_after_the_phase_the_scenario_is_next(demo_file: Path) -> None:
    async with in_refit(played(demo_file, None)) as (app, pilot):
        assert (await settled(pilot)).view.situation.phase is Phase.SCENARIO
        same_as_golden(app, "refit-scenario-80x24")


async def test_before_a_scenario_a_key_writes_the_listed_rosters_and_forms(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "brt_cg.tui.forms.export.install_command_if_missing", lambda format: "pip install it"
    )
    files = [demo_file.with_name(f"demo-roster-{side}.html") for side in ("marine", "japanese")]
    async with in_refit(played(demo_file, None), notifications=True) as (app, pilot):
        for _ in range(2):
            await pilot.press("o")
            await shown(pilot, "Marine and Japanese: roster and scenario-end form")
            await press(pilot, "y")
            await until(pilot, lambda: not at_work(app, "rosters"))
        assert "print it from there" in words(screen_text(app))
        assert str(demo_file.with_name("demo-scenario-sheet-marine.html")) in "".join(
            one.message for one in app._notifications
        )
        assert "The Marine player&#x27;s view" in files[0].read_text("utf-8")
        assert "The Japanese player&#x27;s view" in files[1].read_text("utf-8")
        for side, squad in (("marine", "6-6-8"), ("japanese", "4-4-7")):
            sheet = demo_file.with_name(f"demo-scenario-sheet-{side}.html").read_text("utf-8")
            assert "scenario ended" in sheet
            assert squad in sheet
        files[0].write_text("mine")
        await pilot.press("o")
        await shown(pilot, "For the table")
        await pilot.press("y")
        await until(pilot, lambda: "Overwrite it?" in screen_text(app))
        await press(pilot, "n")
        await until(pilot, lambda: not at_work(app, "rosters"))
    assert files[0].read_text() == "mine"


async def test_a_player_writes_only_his_own_roster_and_form(demo_file: Path) -> None:
    async with in_refit(played(demo_file, None), Side.MARINE) as (app, pilot):
        await pilot.press("o")
        assert "Japanese: " not in await shown(pilot, "For the table")
        await press(pilot, "y")
        await until(pilot, lambda: not at_work(app, "rosters"))
    assert {path.stem for path in demo_file.parent.glob("demo-*")} == {
        "demo-roster-marine",
        "demo-scenario-sheet-marine",
    }


async def test_a_click_on_a_step_explains_it(demo_file: Path) -> None:
    async with in_refit(demo_file, size=(200, 40)) as (app, pilot):
        at = screen_lines(app).index(
            next(line for line in screen_lines(app) if "15.6041 Encirclement" in line)
        )
        await pilot.click(offset=(10, at))
        await shown(pilot, "Still to come.")
        assert screen_text(app).count("15.6041 Encirclement") == 2
        await press(pilot, "down")
        assert screen_text(app).count("15.6042 Bog") == 2
        await press(pilot, "escape")
        assert screen_text(app).count("15.6042 Bog") == 1


async def test_a_click_on_the_line_of_steps_opens_the_list(demo_file: Path) -> None:
    async with in_refit(demo_file) as (app, pilot):
        line = app.screen.query_one(StepsLine)
        await pilot.hover(StepsLine, offset=(5, 0))
        await pilot.click(StepsLine, offset=(5, 0))
        assert app.screen.has_class("-steps")
        await shown(pilot, f"{line.steps[3].number} {line.steps[3].title}")


async def test_upcoming_rulings_are_agreed_on_one_page_before_the_phase(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        await press(pilot, "enter")
        page = app.screen
        assert isinstance(page, LikelyRulingsScreen)
        told = screen_text(app)
        first, *_ = page.rulings.values()
        assert first.question in words(told)
        assert "R-" not in told, "rulings are named in words"
        await press(pilot, "right", "enter")
        view = (await settled(pilot)).view
        assert all(view.is_ruling_agreed(id) for id in page.rulings)
        changed = [id for id, one in page.rulings.items() if view.ruling_value(id) != one.default]
        assert changed == [first.id]
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.rule == "15.601", "and the phase begins"


async def test_leaving_the_rulings_page_begins_nothing_and_a_key_asks_one_by_one(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file, size=SMALL) as (app, pilot):
        await press(pilot, "enter", "escape")
        assert (await settled(pilot)).ask is None, "Escape never begins a phase"
        await press(pilot, "enter")
        page = app.screen
        assert isinstance(page, LikelyRulingsScreen)
        await press(pilot, "1")
        seen = await settled(pilot)
        assert not any(seen.view.is_ruling_agreed(id) for id in page.rulings)
        assert seen.ask is not None


async def test_one_side_alone_cannot_agree_on_rulings(demo_file: Path) -> None:
    async with in_refit(demo_file, Side.MARINE) as (_, pilot):
        await press(pilot, "enter")
        assert (await settled(pilot)).ask is not None


async def test_the_summary_of_a_paragraph_collapses_after_reading(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6111"), size=MIDDLE) as (app, pilot):
        assert "Roll a dr for each Retained" in words(screen_text(app))
        await press(pilot, "space")
        assert "Roll a dr for each Retained" not in words(screen_text(app))
        assert "v: the rule in short" in screen_text(app)
        await press(pilot, "v")
        assert "Roll a dr for each Retained" in words(screen_text(app))
        await press(pilot, "v")
        assert "Roll a dr for each Retained" not in words(screen_text(app))
    async with in_refit(demo_file, size=MIDDLE) as (app, _):
        assert "v: the rule in short" in screen_text(app), "it is remembered"
