"""Players read names: an id stands on no paper, in no new sentence and in no question. They stay in
files (JSON, CSV), on the page Why?, and where one is typed at the command line."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from brt_cg.exports import build_document, render_document
from brt_cg.exports.paper import Printing
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import MultiQuestion, Question
from brt_cg.refit.sequence import paragraph_of
from brt_cg.service.demo import create_demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view import create_view
from tests.exports.journals import demo, plain_answer
from tests.words import of_a_question, of_the_log

ID = re.compile(r"\b[jm]-[a-z]+-[0-9]+|\b(?:marine|japanese)-ldr-[0-9]+")
PAPER = ("roster", "scenario-sheet", "hip-sheet", "scenario-card", "chronicle", "records")
PAPER += ("purchases", "order-of-battle", "dice", "map")


@pytest.mark.parametrize("what", PAPER)
@pytest.mark.parametrize("side", [None, *Side])
def test_no_id_is_on_paper(what: str, side: Side | None) -> None:
    page = str(render_document(build_document(create_view(demo(), side), what), "html"))
    assert ID.findall(re.sub(r"<[^>]*>", " ", page)) == []


@pytest.mark.parametrize("side", [None, *Side])
def test_no_id_is_on_the_full_roster(side: Side | None) -> None:
    page = str(
        render_document(
            build_document(create_view(demo(), side), "roster", Printing(full=True)), "html"
        )
    )
    assert ID.findall(re.sub(r"<[^>]*>", " ", page)) == []


@pytest.mark.parametrize("side", list(Side))
def test_no_id_is_in_the_intelligence_report(side: Side) -> None:
    page = str(render_document(build_document(create_view(demo(), side), "sheet"), "html"))
    assert ID.findall(re.sub(r"<[^>]*>", " ", page)) == []


def test_no_sentence_and_no_question_of_a_refit_phase_names_an_id(tmp_path: Path) -> None:
    desk = OpenCampaign.open(create_demo(tmp_path))
    asked: list[str] = []
    while (ask := desk.play_to_question(paragraph_of("15.6139"))) is not None:
        asked += of_a_question(ask)
        desk.answer(plain_answer(ask), ask.side)
    told = [*of_the_log(unrestricted_campaign(desk)), *asked]
    assert len(told) > 500
    assert {found[0]: text for text in told if (found := ID.search(text))} == {}


def _wrong_answers(ask: Question[Any]) -> Iterator[Callable[[], object]]:
    """What a player may enter that is refused, of every item where there are several."""
    items = ask.items if isinstance(ask, MultiQuestion) else ()
    for wrong in ("x-9", ["x-9"], {"x": "x-9"}, 77):
        yield partial(ask.read, wrong)
        yield from (partial(ask.read, {item.subject: wrong}) for item in items)
    for typed in ("x-9", "reduced x-9", "m-mmg-3 status=x-9: is so", "m-mmg-3 x=1: is so"):
        yield partial(ask.parse, typed)
        yield from (partial(item.form.parse, typed) for item in items)


def test_no_refusal_on_a_screen_names_an_id(tmp_path: Path) -> None:
    desk, refused = OpenCampaign.open(create_demo(tmp_path)), dict[str, str]()
    while (ask := desk.play_to_question(paragraph_of("15.6139"))) is not None:
        for answer in _wrong_answers(ask):
            try:
                answer()
            except RefusedError as why:
                refused[str(why)] = unrestricted_campaign(desk).campaign.replace_ids_with_names(
                    str(why)
                )
        desk.answer(plain_answer(ask), ask.side)
    assert len([words for words in refused if ID.search(words)]) > 50  # at the command line
    assert {words: shown for words, shown in refused.items() if ID.search(shown)} == {}
    assert not any("the id of" in shown for shown in refused.values())


def test_a_screen_shows_a_name_without_its_id() -> None:
    campaign = demo().campaign
    one = next(iter(campaign.weapons.values()))
    assert (
        campaign.replace_ids_with_names(f"two: {one.label} ({one.id}), x-9")
        == f"two: {one.label}, x-9"
    )
    assert campaign.replace_ids_with_names(f"{one.id}.status: no") == f"{one.label}: status: no"
    assert campaign.replace_ids_with_names(f"allowed: {one.id}.") == f"allowed: {one.label}."
    assert campaign.replace_ids_with_names(f"taken ({one.id})") == f"taken ({one.label})"
    assert (
        campaign.replace_ids_with_names("6-6-8, 15.6139 and A4.2 stay")
        == "6-6-8, 15.6139 and A4.2 stay"
    )


def test_a_counters_number_stays_the_same_when_reloaded(tmp_path: Path) -> None:
    path = create_demo(tmp_path)
    desk = OpenCampaign.open(path)
    while (ask := desk.play_to_question(paragraph_of("15.6139"))) is not None:
        desk.answer(plain_answer(ask), ask.side)
    numbers = {one.id: one.label for one in unrestricted_campaign(desk).campaign.counters()}
    desk.close()
    again = unrestricted_campaign(OpenCampaign.open(path)).campaign
    assert {one.id: one.label for one in again.counters()} == numbers


def test_no_two_counters_of_a_side_have_the_same_name(tmp_path: Path) -> None:
    counters = [
        *unrestricted_campaign(OpenCampaign.open(create_demo(tmp_path))).campaign.counters()
    ]
    called = [(getattr(one, "nation", one.side), one.label) for one in counters if not one.name]
    assert len({*called}) == len(called)
