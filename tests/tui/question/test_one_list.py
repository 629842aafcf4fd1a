"""Questions of one kind as one list: with dice between them, and entries."""

import re
from pathlib import Path

import pytest
from textual.widgets import Input

from brt_cg.model.counters import Side
from brt_cg.questions.options import Option
from brt_cg.questions.question_group import QuestionGroup, group_questions
from brt_cg.questions.question_types import ChoiceQuestion, RollQuestion
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.shown_actions import NotAsShownError
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering import playback
from brt_cg.tui.answering.answer_list import AnswerList
from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.app import BrtApp
from brt_cg.tui.question.picking import AnswerRows
from brt_cg.tui.session.session import CampaignSnapshot
from tests.service.test_early_answers import DICE, at
from tests.tui.helpers import look_from, screen_text, settled, shown
from tests.tui.moments import in_refit, played, press

_STANDING: dict[tuple[str, str], bytes] = {}


def standing_at(path: Path, rule: str, about: str = "") -> Path:
    """The demo campaign, played on to a question, once for all that begin there."""
    if (rule, about) not in _STANDING:
        desk = OpenCampaign.open(path)
        at(desk, rule, about)
        desk.close()
        _STANDING[rule, about] = path.read_bytes()
    path.write_bytes(_STANDING[rule, about])
    return path


def unwrapped(app: BrtApp) -> str:
    """What the screen shows, its frames and line ends left out."""
    return " ".join(re.sub("[│║]", " ", screen_text(app)).split())


def recalled(seen: CampaignSnapshot) -> set[str]:
    return {vehicle.id for vehicle in seen.view.vehicles.values() if vehicle.has_status("recalled")}


async def test_some_of_eleven_are_ticked_and_the_others_use_the_default(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.6131", "Recall")) as (app, pilot):
        before = await settled(pilot)
        assert before.listed is not None
        first = next(iter(before.listed.questions_by_subject))
        assert "11 similar questions: is it Recalled" in unwrapped(app)
        await press(pilot, "down", "down", "enter", "enter")
        assert "Continue with the 2 of 11 entered, the rest by default" in unwrapped(app)
        await press(pilot, "c")
        seen = await settled(pilot)
        assert first not in recalled(seen)
        assert seen.queued == 10
        while not isinstance(seen.ask, RollQuestion):
            assert seen.ask is not None
            assert seen.ask.about != "Recall"
            await press(pilot, "c" if seen.ask.default_forgoes_acting else "enter")
            seen = await settled(pilot)
        assert f"{seen.queued} answers given early" in screen_text(app)


def test_a_list_says_what_a_tick_means() -> None:
    """In the hint if it means the same for all, in each row if not."""

    def listed(*defaults: str) -> AnswerRows:
        options = (Option("M3", "Area M3", "M3"), Option("M4", "Area M4", "M4"))
        asks = [
            ChoiceQuestion(
                rule="15.608",
                subject=f"m-sq-{at}",
                side=Side.MARINE,
                prompt=f"squad {at}: in which Area?",
                options=options,
                default=default,
            )
            for at, default in enumerate(defaults)
        ]
        group = group_questions(asks, (), {})
        assert group is not None
        return AnswerRows(group)

    same = listed("M3", "M3")
    assert "Enter: tick (Area M4)" in same.hint("m", "c")
    assert not any("ticked" in words.plain for _, words in same.rows())
    differing = listed("M3", "M4")
    assert "Enter: tick ·" in differing.hint("m", "c")
    assert [words.plain.partition("default: ")[2] for _, words in differing.rows()[1:]] == [
        "Area M3; ticked: Area M4",
        "Area M4; ticked: Area M3",
    ]


def test_each_answer_follows_its_own_dice_and_is_undone_alone(demo_file: Path) -> None:
    desk = OpenCampaign.open(standing_at(demo_file, "15.6131", "Recall"))
    asks = desk.open_and_similar_upcoming_questions().asks
    first, second, third = (ask.subject for ask in asks[:3])
    ask = desk.answer_group(asks, {second: {"recall": True}, third: {"recall": True}})
    while not {second, third} <= recalled(look_from(desk, None)):
        assert ask is not None
        assert ask.about != "Recall"
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, DICE))
    assert first not in recalled(look_from(desk, None))
    while third in recalled(look_from(desk, None)):
        desk.undo_or_request()
    assert unrestricted_campaign(desk).open_question() is not None
    assert unrestricted_campaign(desk).open_question().subject == third
    assert second in recalled(look_from(desk, None))
    desk.close()


async def test_defaults_are_used_only_for_items_not_ticked(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.6131", "Recall")) as (_, pilot):
        before = await settled(pilot)
        assert before.listed is not None
        _, second, third = [*before.listed.questions_by_subject][:3]
        await press(pilot, "down", "enter", "enter")
        for key in ("g", "down", "enter"):
            await press(pilot, key)
        seen = await settled(pilot)
        assert recalled(seen) >= {second, third}
        assert seen.view.situation.paragraph != "15.6131"


async def test_melees_are_one_list_and_each_keeps_its_own_short_form(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        before = await settled(pilot)
        assert before.listed is not None
        first, second, _ = before.listed.questions_by_subject
        enemy = next(
            piece.id
            for piece in before.view.pieces_at(second)
            if getattr(piece, "side", "") == "japanese"
        )
        await press(pilot, "down", "enter", *f"x {enemy}".replace(" ", "~"))
        assert "Not allowed" not in screen_text(app)
        field = app.screen.query_one("#entry")
        field.value = "x m-sq-1"  # type: ignore[attr-defined]
        await press(pilot, "enter")
        assert "is not there" in screen_text(app)
        field.value = f"x {enemy}"  # type: ignore[attr-defined]
        await press(pilot, "enter")
        assert "→ eliminated" in screen_text(app)
        await press(pilot, "c", "y")
        seen = await settled(pilot)
        assert f"warning: no CC attacks were entered for {first}; opposing units remain there" in [
            line.text for line in seen.log
        ]
        assert seen.ask is not None
        assert seen.ask.about == "R-CVP-REFIT"
        await press(pilot, "enter")
        seen = await settled(pilot)
        assert seen.view.find(enemy).fate == "eliminated"  # type: ignore[union-attr]
        assert seen.ask is None or seen.ask.rule != "15.601", "the third Melee was as usual"


async def test_after_an_answer_the_next_item_is_selected_and_visible(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (_, pilot):
        for next_one in ("R29, inside pillbox", "T11, Melee"):
            for key in ("enter", "enter", "enter", "home", "enter"):
                await press(pilot, key)
            assert f"› {next_one}" in await shown(pilot, "Continue with the")


async def test_melees_in_codes_follow_each_other_and_enter_continues_after_the_last(
    demo_file: Path,
) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        before = await settled(pilot)
        await press(pilot, "enter")
        assert " 3  1-4-9 hero no. 10" in screen_text(app)
        await press(pilot, *"x345")
        assert "✓ eliminated 1-4-9 hero no. 10, 4-4-8 squad no. 10" in screen_text(app)
        await press(pilot, "enter")
        assert "R29, inside pillbox" in screen_text(app)
        await press(pilot, *"x2", "enter")
        await press(pilot, *"x9", "enter")
        assert "9: no unit here has that number; enter 1–3" in screen_text(app)
        await press(pilot, "backspace", *"23", "enter")
        assert "› Continue with the 3 of 3 entered" in screen_text(app)
        await press(pilot, "enter")
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.about == "R-CVP-REFIT"
        assert before.listed is not None


async def test_a_tanks_name_is_not_read_as_a_code(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        await press(pilot, "enter", *"m4a2")
        rows = [row.plain for row in app.screen.query_one(AnswerList).rows.rows.values()]
        assert rows[0] == "M4A2 no. 17: eliminated"
        await press(pilot, "enter")
        assert "Continue with: M4A2 no. 17: eliminated" in screen_text(app)


async def test_a_units_number_opens_its_possible_events(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        for key in ("enter", "down", "down", "enter"):
            await press(pilot, key)
        rows = [row.plain for row in app.screen.query_one(AnswerList).rows.rows.values()]
        assert rows[0] == "1-4-9 hero no. 10: eliminated"
        assert all("1-4-9 hero no. 10" in row for row in rows)


async def test_a_mark_without_an_answer_is_named_before_the_rest_gets_its_default(
    demo_file: Path,
) -> None:
    async with in_refit(standing_at(demo_file, "15.602"), Side.JAPANESE) as (app, pilot):
        await press(pilot, "space")
        await press(pilot, "c")
        assert "marked, but not answered: 2-2-8 crew no. 430" in unwrapped(app)
        await press(pilot, "n")
        await press(pilot, "enter")
        await press(pilot, "c")
        assert "marked, but not answered" not in unwrapped(app)


async def test_text_that_matches_nothing_is_reported(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        await press(pilot, "enter", "question_mark")
        told = "Not in the list: Enter tries it as typed, Esc goes back."
        assert told in screen_text(app)
        await press(pilot, "backspace")
        assert told not in screen_text(app)


async def test_leaving_the_field_returns_to_the_item_or_the_match(
    demo_file: Path,
) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        rows = app.screen.query_one(AnswerList).rows
        third = [*rows.rows][3]
        await press(pilot, "down", "down", "down", "enter", "z", "z")
        assert not rows.rows
        await press(pilot, "escape")
        assert rows.id_at_cursor == third
        await press(pilot, "slash", *third.removeprefix("item:")[:3].lower(), "escape")
        assert rows.id_at_cursor == third
        assert len(rows.rows) == 4


async def test_an_answer_no_longer_allowed_is_asked_again_with_the_reason(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        before = await settled(pilot)
        assert before.listed is not None
        asks = [*before.listed.questions_by_subject.values()]
        second, third = (ask.subject for ask in asks[1:])

        def give(desk: OpenCampaign) -> None:
            lost = before.listed.item(third).form.candidates_for(None)[0].raw
            desk.answer_group(asks, {second: {"eliminated": ["m-sq-1"]}, third: lost})

        await app.session.perform(give)
        await settled(pilot)
        shown = unwrapped(app)
        assert "Not allowed: the early answer: " in shown
        assert "is not there" in shown
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.subject == second
        answers = app.screen.query_one(AnswerList).answers
        assert answers is not None
        assert [*answers.given] == [third], "it stands ready in the list"


def test_the_enemy_does_not_see_the_list_or_prepared_answers(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(standing_at(demo_file, "15.602"))
    own = look_from(desk, Side.JAPANESE)
    assert own.listed is not None
    enemy = look_from(desk, Side.MARINE)
    assert (enemy.ask, enemy.listed, enemy.again, enemy.queued) == (None, None, "", 0)
    asks = desk.open_and_similar_upcoming_questions().asks
    desk.answer_group(asks, {asks[2].subject: "maybe"})
    own, after = look_from(desk, Side.JAPANESE), look_from(desk, Side.MARINE)
    assert own.again
    assert (after.ask, after.listed, after.again, after.queued) == (None, None, "", 0)
    assert after.log == enemy.log
    desk.close()


def test_early_answers_are_used_while_the_enemy_keeps_rolling(demo_file: Path) -> None:
    desk = OpenCampaign.open(standing_at(demo_file, "15.6131", "re-manning"))
    while (asks := desk.open_and_similar_upcoming_questions().asks)[0].side is not Side.JAPANESE:
        desk.answer_and_play(asks[0], asks[0].default)
        at(desk, "15.6131", "re-manning")
    desk.answer_group(asks, {})
    assert look_from(desk, Side.MARINE).queued == 0
    assert look_from(desk, Side.JAPANESE).queued == look_from(desk, None).queued > 0
    ask = unrestricted_campaign(desk).open_question()
    while ask is not None and ask.rule == "15.6131":
        assert ask.group_key != asks[0].group_key
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, DICE))
    desk.close()


def test_another_window_uses_answers_prepared_here(demo_file: Path) -> None:
    path = standing_at(demo_file, "15.6131", "Recall")
    here, there = OpenCampaign.open(path), OpenCampaign.open(path)
    asks = here.open_and_similar_upcoming_questions().asks
    ask = here.answer_group(asks, {asks[1].subject: {"recall": True}})
    there.reload()
    ask = unrestricted_campaign(there).open_question()
    while ask is not None and ask.about != "Recall":
        ask = there.answer_and_play(ask, *there.get_answer_from_supply(ask, DICE))
    here.reload()
    here.answer_if_answered_early()
    assert unrestricted_campaign(here).campaign.vehicles[asks[1].subject].has_status("recalled")
    here.close()
    there.close()


async def test_a_public_question_is_shown_fresh_to_the_next_seat(demo_file: Path) -> None:
    """What is offered, and whether there is a list, is another matter for each."""
    async with in_refit(standing_at(demo_file, "15.601"), Side.JAPANESE) as (app, pilot):
        room = app.screen
        answers = room.query_one(QuestionPanel).answers
        assert answers.seat is Side.JAPANESE
        assert not isinstance(answers.ask, QuestionGroup), "the Marines answer it"
        await app.session.show_as_seat(Side.MARINE)
        await settled(pilot)
        assert answers.seat is Side.MARINE
        assert isinstance(answers.ask, QuestionGroup)
        assert "3 similar questions" in unwrapped(app)
        await app.session.show_as_seat(Side.JAPANESE)
        await settled(pilot)
        assert answers.seat is Side.JAPANESE
        assert "3 similar questions" not in unwrapped(app)


async def test_secret_ticks_are_restored_only_for_their_seat(
    demo_file: Path,
) -> None:
    async with in_refit(standing_at(demo_file, "15.602"), Side.JAPANESE) as (app, pilot):
        await press(pilot, "enter")
        await press(pilot, "space")
        assert "✓ 2-2-8 crew no. 430" in unwrapped(app)
        await press(pilot, "s", "m")
        assert "is making a secret decision" in unwrapped(app)
        assert screen_text(app).count("✓") == 1, "the state line alone has one: all is stored"
        assert "✓ stored" in screen_text(app)
        await press(pilot, "s", "u")
        assert "Accept all" in unwrapped(app), "the umpire has ticked nothing himself"
        await press(pilot, "s", "j")
        assert "Continue with the 1 of" in unwrapped(app)
        assert screen_text(app).count("■") == 1, "the mark for the next tick too"


def test_a_list_that_is_no_longer_asked_is_not_answered(demo_file: Path) -> None:
    desk = OpenCampaign.open(standing_at(demo_file, "15.601"))
    seen = look_from(desk, None)
    listed = seen.listed
    assert listed is not None
    playback.answer_and_play(desk, listed, seen.asked, {})
    entered = len(unrestricted_campaign(desk).entries)
    with pytest.raises(NotAsShownError):
        playback.answer_and_play(desk, listed, seen.asked, {})
    assert len(unrestricted_campaign(desk).entries) == entered
    desk.close()


async def test_melees_left_at_their_default_are_not_asked_again_in_a_second_round(
    demo_file: Path,
) -> None:
    async with in_refit(standing_at(demo_file, "15.601")) as (app, pilot):
        before = await settled(pilot)
        assert before.listed is not None
        _, second, third = before.listed.questions_by_subject
        given = {second: {"eliminated": []}}  # a round without losses
        asks = [*before.listed.questions_by_subject.values()]
        app.perform(lambda desk: desk.answer_group(asks, given))
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.prompt.startswith(f"{seen.view.location_text(second)}, Melee round 2")
        assert seen.listed is None, "the third has its default"
        assert "c: the default" in screen_text(app), "Enter does not take it"
        await press(pilot, *"x9")
        assert "x9" in screen_text(app), "a code begins with its letter"
        await press(pilot, "enter")
        assert "no unit here has that number" in screen_text(app)
        await press(pilot, "escape", "end", "enter")
        assert "x9" in screen_text(app), "the refused text is still there"
        await press(pilot, *"x3")
        assert app.screen.query_one("#entry", Input).value == "x3", "typing replaces it"
        await press(pilot, "escape")
        await press(pilot, "c", "y")
        seen = await settled(pilot)
        assert f"warning: no CC attacks were entered for {third}; opposing units remain there" in [
            line.text for line in seen.log
        ]


async def test_c_accepts_all_defaults_among_equal_options(
    demo_file: Path,
) -> None:
    path = played(demo_file, "15.6043")
    async with in_refit(path) as (app, pilot):
        seen = await settled(pilot)
        while seen.listed is None:
            await press(pilot, *("space",) if isinstance(seen.ask, RollQuestion) else ("enter",))
            seen = await settled(pilot)
        assert seen.listed.of_equals
        assert "c: Accept " in screen_text(app)
        await press(pilot, "c")
        after = await settled(pilot)
        assert after.queued == len(seen.listed.questions_by_subject) - 1, "each has its default"


async def test_a_wrong_key_at_a_choice_says_how_to_answer(demo_file: Path) -> None:
    async with in_refit(standing_at(demo_file, "15.6032", "pillboxes")) as (app, pilot):
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.options
        before = seen.mark
        await press(pilot, "c")
        assert "c cannot answer this: choose an answer with ↑ ↓ Enter." in unwrapped(app)
        await press(pilot, "9")
        assert "9: there are answers 1–" in unwrapped(app)
        assert (await settled(pilot)).mark == before
