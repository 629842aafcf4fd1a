"""The guide to an evening, and the questions and answers: every key, command and figure in them is
true."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from brt_cg.cli.parser import command_line_parser
from brt_cg.exports import build_document, export_document
from brt_cg.exports.default_keys import NAMED, fill_in_default_keys
from brt_cg.exports.demo import SEED
from brt_cg.exports.guide import (
    FAQ,
    GUIDE,
    GuideSection,
    demo_figures,
    faq_sections,
    guide_sections,
)
from brt_cg.exports.paper import Paper, Printing
from brt_cg.exports.status import status_text
from brt_cg.exports.wording import total_value
from brt_cg.files import state_file_path
from brt_cg.model import Side
from brt_cg.questions import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.text import key_text, shell_words
from brt_cg.tui.keys.actions import ACTIONS, BY_ID
from brt_cg.views.view import create_view
from tests.cli.shell import Shell
from tests.exports.journals import MARINE, demo, play

MOST_PAGES = 4
COMMAND = re.compile(r"`([^`]+)`")


def everything() -> list[GuideSection]:
    return [*guide_sections(), *faq_sections()]


def commands() -> list[str]:
    lines = [line for section in everything() for line in section.lines]
    return [found for line in lines for found in COMMAND.findall(line) if found[:6] == "brt-cg"]


# --- keys and commands ----------------------------------------------------------------------------


def test_a_text_without_the_screen_names_the_key_that_the_screen_has() -> None:
    for action in ACTIONS:
        if action.keys:
            assert fill_in_default_keys(f"{{{action.id}}}") == key_text(action.keys.split(",")[0])


@pytest.mark.parametrize("path", [GUIDE, FAQ], ids=lambda path: path.name)
def test_every_action_that_is_named_exists_and_has_a_key(path: Path) -> None:
    named = [f"{place}.{name}" for place, name in NAMED.findall(path.read_text("utf-8"))]
    assert len(named) > 10
    assert [id for id in named if id not in BY_ID or not BY_ID[id].keys] == []


@pytest.mark.parametrize("command", commands())
def test_every_command_that_is_named_is_accepted_by_the_parser(command: str) -> None:
    words = shell_words(command)[1:]
    if words[-1] == "--help":
        assert words[0] in command_line_parser().commands
    else:
        assert command_line_parser().parse_args(words).command == words[0]


def test_every_other_term_in_backquotes_is_known() -> None:
    lines = [line for section in everything() for line in section.lines]
    beside = {found for line in lines for found in COMMAND.findall(line) if found[:6] != "brt-cg"}
    figures = demo_figures()
    options = {option for parser in parsers() for option in parser._option_string_actions}
    others = {figures["code_lost"], figures["code_broken"], "where brt-cg"}
    others |= {f"{tool} install --force" for tool in ("pipx", "uv tool")}
    assert {found for found in beside - others if found.split()[0] not in options} == set()


def parsers() -> list[Any]:
    return [*command_line_parser().commands.values()]


# --- figures --------------------------------------------------------------------------------------


@pytest.fixture
def played_demo(demo_file: Path) -> Iterator[OpenCampaign]:
    """The demo in a file, played by the dice and defaults of the guide through the service."""
    desk = OpenCampaign.open(demo_file)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(SEED), defaults=True)):
        pass
    yield desk
    desk.close()


def test_the_numbers_of_the_guide_match_the_demo(played_demo: OpenCampaign) -> None:
    figures, whole = demo_figures(), unrestricted_campaign(played_demo)
    answers = [entry for entry in whole.entries if entry.kind == "answer"]
    rolled = [entry for entry in answers if entry.payload.get("roll")]
    assert (figures["questions"], figures["rolls"]) == (len(answers), len(rolled))
    campaign = whole.campaign
    assert figures["next_date"] == campaign.situation.date
    for side in Side:
        assert figures[f"next_{side}_san"] == campaign.sides[side].san
        assert figures[f"next_{side}_cvp"] == total_value(campaign, side, "cvp")
    told = status_text(played_demo.view().for_seat(Side.MARINE))
    assert figures["next_victory"] in told
    assert figures["next_refit"] in told
    said = {line.text for entry in whole.entries for line in entry.said}
    quoted = ("check_result", "loss", "wound", "repair")
    assert [name for name in quoted if figures[name] not in said] == []


def test_the_codes_of_the_guide_end_the_scenario_of_the_demo(
    brt: Shell, played_demo: OpenCampaign
) -> None:
    figures = demo_figures()
    lines = f"{figures['code_lost']} {figures['code_broken']}"
    got = brt("end", played_demo.path, lines, "--preview")
    assert got.code == 0, got.err
    assert figures["lost"] in got.out
    assert figures["broken"] in got.out


# --- as a document and as text --------------------------------------------------------------------


@pytest.mark.parametrize("paper", Paper)
def test_the_guide_takes_four_pages_at_most(paper: Paper) -> None:
    made: Any = export_document(create_view(demo()), "guide", "pdf", Printing(paper))
    assert 2 <= len(PdfReader(BytesIO(made)).pages) <= MOST_PAGES


def test_the_guide_is_the_same_for_every_campaign_and_seat() -> None:
    books = [create_view(demo(), MARINE), create_view(play(demo(), through="15.6041"), None)]
    first, second = (build_document(book, "guide") for book in books)
    assert first.data["sections"] == second.data["sections"]
    assert first.head() == second.head()


def test_the_guide_answers_twenty_short_newcomer_questions() -> None:
    asked = faq_sections()
    assert len({one.title for one in asked}) == 20
    assert max(len(" ".join(one.lines).split()) for one in asked) < 110


def test_the_guide_names_the_right_folder_for_pins() -> None:
    folder = state_file_path("shared-screens", "any").parent
    assert (folder.parent.name, folder.name) == ("brt-cg", "shared-screens")
    [answer] = [one.lines for one in faq_sections() if one.title == "I have forgotten my PIN."]
    assert "folder shared-screens" in " ".join(answer)
