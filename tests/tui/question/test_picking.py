"""Answers are picked from lists: candidates filter as one types, items are marked and answered."""

from pathlib import Path

import pytest
from textual.widgets import Static

from brt_cg.questions.answers import AnswerForm, Candidate, NamedCounter, RefusedError
from brt_cg.questions.question_types import EntryQuestion
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.answer_list import AnswerList
from brt_cg.tui.question.picking import AnswerPicking, AnswerRows, matching_candidates
from tests.tui.helpers import MIDDLE, screen_text, settled
from tests.tui.moments import at_the_melees, in_refit, played, press


def test_without_a_matching_answer_the_allowed_counters_are_listed() -> None:
    named = [
        NamedCounter("m-ft-1", None, sort="FT"),
        NamedCounter("m-ldr-12", "Ferris", sort="8-0"),
    ]
    picking = AnswerPicking(AnswerForm(), [], named=named)

    def listed(text: str) -> list[str]:
        return [id.removeprefix("name:") for id, _ in picking.rows(text)[0]]

    assert listed("") == ["m-ft-1", "m-ldr-12"]
    assert listed("ferr") == ["m-ldr-12"]
    assert listed("m-ft-1 ") == [], "now a field is due"
    assert listed("m-ft-1 possessor=fer") == ["m-ldr-12"]
    assert (
        picking.complete_name("m-ft-1 possessor=fer", "m-ldr-12") == "m-ft-1 possessor=8-0 Ferris "
    )


async def test_a_melee_is_entered_without_typing_an_id(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        await press(pilot, "enter", "1")  # the phase begins with the Melee in N35
        await press(pilot, "enter")
        await press(pilot, *"m-sq-15 elim", "enter")
        assert "Continue with: 7-6-8 squad no. 12" in screen_text(app)
        await press(pilot, *"j-hero elim", "enter")
        await press(pilot, "enter")  # that is all of this Melee
        await press(pilot, "c")
        asked = screen_text(app)
        assert "Marine: done?" in asked
        assert "Continue with the 1 of 3 entered, the rest by" in asked
        assert "no CC attack in R29, inside pillbox 1+4+6 no. 8" in asked
        assert "no CC attack in N35" not in asked
        await press(pilot, "y")
        await settled(pilot)
        assert "R-CVP-REFIT" in screen_text(app)  # what it scores is asked about once
        await press(pilot, "enter")
        seen = await settled(pilot)
        assert not seen.view.units["m-sq-15"].in_play
        assert not seen.view.units["j-hero-1"].in_play
        assert seen.view.units["j-sq-8"].in_play


async def test_a_pick_can_be_cancelled_or_typed_in_short_form(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        room = app.screen
        await at_the_melees(pilot)
        for key in ("enter", "enter", "enter"):
            await press(pilot, key)
        panel = room.query_one(AnswerList)
        assert panel._picking is not None
        assert len(panel._picking.picked) == 1
        for key in ("down", "enter", "enter"):
            await press(pilot, key)
        assert panel._picking.picked == []
        await press(pilot, "escape")
        assert "Accept all" in screen_text(app)
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "home", "down", "enter", *"sunk m-zz-1", "enter")
        assert "Not allowed" in screen_text(app)
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "ctrl+u", *"reduced m-sq-15", "enter", "c", "y")
        await settled(pilot)
        await press(pilot, "enter")  # what the loss scores: the default
        seen = await settled(pilot)
        assert seen.view.units["m-sq-15"].kind == "half_squad"


async def test_codes_typed_after_a_pick_are_added_to_it(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        await at_the_melees(pilot)
        for key in ("enter", "down", "enter", "enter"):
            await press(pilot, key)  # the first result of the second counter
        panel = app.screen.query_one(AnswerList)
        assert panel._picking is not None
        [picked] = panel._picking.picked
        await press(pilot, *"x1")
        above = str(panel.query_one("#about_item", Static).render())
        assert "7-6-8 squad no. 12" in above
        assert picked.words.partition(":")[0] in above, "both are shown before they are entered"
        await press(pilot, "enter")
        assert panel.answers is not None
        [worded] = panel.answers.noted.worded.values() if panel.answers.noted else []
        assert picked.words.partition(":")[0] in worded
        assert "7-6-8 squad no. 12" in worded


@pytest.mark.parametrize("typed", ["[1]", '"abc"', '{"eliminated": 5}'])
async def test_unreadable_text_after_a_pick_is_refused_and_drops_nothing(
    demo_file: Path, typed: str
) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        await at_the_melees(pilot)
        for key in ("enter", "down", "enter", "enter"):
            await press(pilot, key)
        panel = app.screen.query_one(AnswerList)
        assert panel._picking is not None
        picked = [*panel._picking.picked]
        panel.entry.value = typed
        await press(pilot, "enter")
        assert panel._picking is not None
        assert panel._picking.picked == picked
        assert panel.answers is not None
        assert panel.answers.given == {}


async def test_escape_leads_from_the_results_for_a_counter_to_the_counters(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        await at_the_melees(pilot)
        await press(pilot, "enter")
        panel = app.screen.query_one(AnswerList)
        counters = [*panel.rows.rows]
        await press(pilot, "enter")
        assert panel.entry.value == "7-6-8 squad no. 12 "
        assert [*panel.rows.rows] != counters
        await press(pilot, "escape")
        assert ([*panel.rows.rows], panel.entry.value) == (counters, "")
        await press(pilot, "escape")
        assert panel._picking is None


@pytest.mark.parametrize(
    ("through", "first"),
    [
        ("15.6031", "No corrections"),
        ("15.6136", "No transfers"),
        ("15.6138", "No removal attempts"),
        ("15.616", "No Locations given: set up on the table"),
    ],
)
def test_the_first_row_is_the_default(demo_file: Path, through: str, first: str) -> None:
    desk = OpenCampaign.open(played(demo_file, through))
    ask = unrestricted_campaign(desk).open_question()
    while ask is not None and ask.as_multi_question is None:  # a ruling that is asked first
        ask = desk.answer_and_play(ask, ask.default)
    assert ask is not None
    answers = AnswerRows(ask)
    assert answers.answer_leaving_rest_default == (first, {})
    (id, words), *items = answers.rows()
    assert (id, words.plain, answers.row_to_select()) == ("default", first, 1)
    assert all(id.startswith("item:") for id, _ in items)
    hint = AnswerRows(unrestricted_campaign(desk).open_question()).hint("m", "c")
    assert "Enter: answer for it" in hint
    assert ("c: the default for all" in hint) is (through != "15.616"), "there it ends the setup"


def test_counters_in_forbidden_locations_are_named_together(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.6201"))
    assert unrestricted_campaign(desk).open_question() is not None
    with pytest.raises(RefusedError) as refused:
        unrestricted_campaign(desk).open_question().read({"m-sq-8": "T26", "m-sq-9": "T26"})
    named = "7-6-8 squad no. 5, 6-6-8 squad no. 6"
    assert str(refused.value) == f"{named}: T26 is Ocean (R-SETUP-LIST)"


def test_a_typed_hex_finds_counters_there_before_other_mentions() -> None:
    places = ["M19, Covered Arc M20 N19", "M20, Covered Arc N19 N20", "L20"]
    offered = [Candidate(place, place, place) for place in places]
    assert [found.words for _, found in matching_candidates(offered, "m20")] == [
        places[1],
        places[0],
    ]
    assert [at for at, _ in matching_candidates(offered, "")] == [0, 1, 2]


async def test_a_name_finds_answers_about_its_counter_before_other_mentions(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(demo_file)
    ask = desk.continue_play()
    while ask is not None and ask.subject != "T11":
        ask = desk.answer_and_play(ask, None)
    assert isinstance(ask, EntryQuestion)
    found = [each.words for _, each in matching_candidates(ask.form.candidates_for(None), "inoue")]
    assert found[0] == "9-0 Inoue: eliminated"
    assert found[-1] == "6-6-8 squad no. 3: captured by 9-0 Inoue"
    desk.close()
