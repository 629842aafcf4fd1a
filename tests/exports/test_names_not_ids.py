"""Players read names: an id stands on no paper, in no new sentence and in no question. They stay in
files (JSON, CSV), on the page Why?, and where one is typed at the command line."""

import re
from pathlib import Path

import pytest

from brt_cg.exports import build, write
from brt_cg.exports.paper import Printing
from brt_cg.model.counters import Side
from brt_cg.refit.sequence import paragraph_of
from brt_cg.service.demo import lay_out
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.views.book import book_of
from tests.exports.journals import demo, plain_answer
from tests.words import of_a_question, of_the_log

ID = re.compile(r"\b[jm]-[a-z]+-[0-9]+|\b(?:marine|japanese)-ldr-[0-9]+")
PAPER = ("roster", "scenario-sheet", "hip-sheet", "scenario-card", "chronicle", "records")
PAPER += ("purchases", "order-of-battle", "dice", "map")


@pytest.mark.parametrize("what", PAPER)
@pytest.mark.parametrize("side", [None, *Side])
def test_no_id_is_on_paper(what: str, side: Side | None) -> None:
    page = str(write(build(book_of(demo(), side), what), "html"))
    assert ID.findall(re.sub(r"<[^>]*>", " ", page)) == []


@pytest.mark.parametrize("side", [None, *Side])
def test_no_id_is_on_the_full_roster(side: Side | None) -> None:
    page = str(write(build(book_of(demo(), side), "roster", Printing(full=True)), "html"))
    assert ID.findall(re.sub(r"<[^>]*>", " ", page)) == []


@pytest.mark.parametrize("side", list(Side))
def test_no_id_is_on_the_sheet_of_the_enemy(side: Side) -> None:
    page = str(write(build(book_of(demo(), side), "sheet"), "html"))
    assert ID.findall(re.sub(r"<[^>]*>", " ", page)) == []


def test_no_sentence_and_no_question_of_a_refit_phase_names_an_id(tmp_path: Path) -> None:
    desk = Desk.open(lay_out(tmp_path))
    asked: list[str] = []
    while (ask := desk.go(paragraph_of("15.6139"))) is not None:
        asked += of_a_question(ask)
        desk.answer(plain_answer(ask), ask.side)
    told = [*of_the_log(whole(desk)), *asked]
    assert len(told) > 500
    assert {found[0]: text for text in told if (found := ID.search(text))} == {}


def test_a_number_stays_when_the_campaign_is_read_again(tmp_path: Path) -> None:
    path = lay_out(tmp_path)
    desk = Desk.open(path)
    while (ask := desk.go(paragraph_of("15.6139"))) is not None:
        desk.answer(plain_answer(ask), ask.side)
    numbers = {one.id: one.label for one in whole(desk).campaign.counters()}
    desk.close()
    again = whole(Desk.open(path)).campaign
    assert {one.id: one.label for one in again.counters()} == numbers


def test_no_two_of_a_side_have_one_name(tmp_path: Path) -> None:
    counters = [*whole(Desk.open(lay_out(tmp_path))).campaign.counters()]
    called = [(getattr(one, "nation", one.side), one.label) for one in counters if not one.name]
    assert len({*called}) == len(called)
