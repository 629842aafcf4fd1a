"""A side answers its questions before they are asked, on the screen."""

import re
from pathlib import Path

import pytest

from brt_cg.forecast.upcoming_questions import EarlyAnswerSheet, append_to_shopping_list
from brt_cg.journal.early_answers import early_answers_of, is_harmless_default
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.question_types import EntryQuestion
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.early_answers import EarlyAnswersScreen
from brt_cg.tui.point.screen import PointScreen
from brt_cg.views.rights import NotYourTurnError
from tests.tui.helpers import shown, until
from tests.tui.moments import opened, press

MARINE = Side.MARINE


@pytest.fixture
def waiting(demo_file: Path) -> Path:
    """The demo, where the Japanese side decides something in private."""
    desk = OpenCampaign.open(demo_file)
    desk.set_seat(Seat.MARINE)
    supply = AnswerSupply(dice=SeededDice(1), defaults=True)
    with pytest.raises(NotYourTurnError):
        [*desk.play_with_supply(supply)]
    desk.close()
    return demo_file


def given(path: Path) -> dict[str, object]:
    journal = unrestricted_campaign(OpenCampaign.open_read_only(path))
    return {
        f"{key[0]} {key[1]}": raw
        for key, raw in early_answers_of(journal, MARINE).first_raw_answers.items()
    }


async def test_upcoming_questions_are_answered_and_entered_together(waiting: Path) -> None:
    number = next(
        at
        for at, each in enumerate(
            EarlyAnswerSheet(OpenCampaign.open_read_only(waiting), MARINE).asks
        )
        if each.ask.subject == "m-ldr-16"
    )
    async with opened(waiting, MARINE) as (app, pilot):
        await press(pilot, "E")
        told = await shown(pilot, "Marine: early answers")
        assert "j-cr-9" not in told
        assert " marine · default" not in told, "a question is not called by its side"
        rows = told.splitlines()
        at = next(at for at, row in enumerate(rows) if "7-0 Garrity" in row)
        edge, begins = rows[at].index("│"), rows[at].index("15.6032")
        later = re.compile(r"[\w·]").search(rows[at + 1], edge)
        assert later is not None
        assert later.start() > begins, "later rows of a question are indented"
        await press(pilot, *["down"] * number)
        await shown(pilot, "7-0 Beal (O20): on which of the equally near Beach hexes")
        await press(pilot, "enter", *"N20", "enter")
        await shown(pilot, "7-0 Beal → N20")
        assert given(waiting) == {}
        await press(pilot, "c")
        assert given(waiting) == {"15.605 m-ldr-16": "N20"}
        await press(pilot, "E", *["down"] * number, "f4")
        await until(pilot, lambda: isinstance(app.screen, PointScreen))
        assert isinstance(app.screen, PointScreen)
        assert "N20" in app.screen.island.drawing.marked
        app.screen.go_to("A1")
        await press(pilot, "enter")
        await shown(pilot, "A1 is not one of the allowed answers")
        app.screen.go_to("N20")
        await press(pilot, "enter")
        await shown(pilot, "7-0 Beal → N20")
        await press(pilot, "A", "c")
        answers = given(waiting)
        assert answers["15.605 m-ldr-16"] == "N20"
        assert "15.614 marine" not in answers
        assert len(answers) > 40


async def test_answers_not_entered_are_kept_for_reopening_the_box(waiting: Path) -> None:
    async with opened(waiting, MARINE) as (app, pilot):
        await press(pilot, "E", "space", "escape")
        assert not isinstance(app.screen, EarlyAnswersScreen)
    assert given(waiting) == {}
    async with opened(waiting, MARINE, notifications=True) as (app, pilot):
        await press(pilot, "E")
        await shown(pilot, "early answers · not entered yet")
        assert isinstance(app.screen, EarlyAnswersScreen)
        assert len(app.screen.sheet.given) == 1
        await press(pilot, "c")
        assert len(given(waiting)) == 1
        await press(pilot, "E")
        assert not app.screen.sheet.is_changed, "what is entered is no longer kept"


def test_early_answers_of_two_windows_are_all_entered(waiting: Path) -> None:
    one, other = OpenCampaign.open(waiting), OpenCampaign.open(waiting)
    sheets = [EarlyAnswerSheet(desk, MARINE) for desk in (one, other)]
    light = [each for each in sheets[0].asks if is_harmless_default(each.ask)]
    for sheet, each in zip(sheets, light, strict=False):
        sheet.set_answers(each.key, each.ask.default)
    sheets[0].enter_answers(one)
    other.reload()
    sheets[1].enter_answers(other)
    wanted = {f"{each.ask.rule} {each.ask.subject}" for each in light[:2]}
    assert given(waiting).keys() == wanted


async def test_the_umpire_chooses_the_side_of_early_answers(waiting: Path) -> None:
    async with opened(waiting) as (_, pilot):
        await press(pilot, "E")
        await shown(pilot, "Who answers early?")
        await press(pilot, "j")
        told = await shown(pilot, "Japanese: early answers")
        assert "15.602 2-2-8 crew no. " in told


async def test_an_early_entry_shows_its_format(waiting: Path) -> None:
    asks = enumerate(EarlyAnswerSheet(OpenCampaign.open_read_only(waiting), MARINE).asks)
    number, ask = next(
        (at, each.ask)
        for at, each in asks
        if isinstance(each.ask, EntryQuestion) and not each.ask.form.candidates_for(MARINE)
    )
    assert isinstance(ask, EntryQuestion)
    async with opened(waiting, MARINE) as (_, pilot):
        await press(pilot, "E", *["down"] * number, "enter")
        told = await shown(pilot, "type it")
        assert (ask.form.hint or ask.hint)[:20] in told


async def test_a_kind_gets_a_standing_answer_and_the_shopping_list_is_withdrawn(
    waiting: Path,
) -> None:
    desk = OpenCampaign.open(waiting)
    append_to_shopping_list(desk, MARINE, {"item": "san_increase", "side": "marine"})
    asks = [each.ask for each in EarlyAnswerSheet(desk, MARINE).asks]
    desk.close()
    wading = next(at for at, ask in enumerate(asks) if ask.rule == "15.605")
    buying = next(at for at, ask in enumerate(asks) if ask.buying)
    async with opened(waiting, MARINE) as (_, pilot):
        await press(pilot, "E", *["down"] * wading, "k")
        await shown(pilot, "→ always ")
        await press(pilot, *["down"] * (buying - wading), "k")
        assert "→ 1 ×" in await shown(pilot, "one at a time")
        await press(pilot, "c")
        sheet = EarlyAnswerSheet(OpenCampaign.open_read_only(waiting), MARINE)
        assert (len(sheet.wishes), len(sheet.always)) == (1, 1)
        await press(pilot, "E", *["down"] * buying, "space", "c")
        assert EarlyAnswerSheet(OpenCampaign.open_read_only(waiting), MARINE).wishes == []
