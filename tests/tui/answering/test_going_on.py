"""How the Refit Phase goes on by itself from the screen."""

from pathlib import Path

from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering import playback
from brt_cg.tui.session.session import take_snapshot
from tests.tui.moments import SEED, played


def test_defaults_are_used_for_one_paragraph_only(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.601"))
    assert unrestricted_campaign(desk).open_question() is not None
    assert unrestricted_campaign(desk).open_question().rule == "15.602"
    before = len(unrestricted_campaign(desk).entries)
    shown = take_snapshot(desk).position
    list(playback.until_end_of_paragraph(None).play(desk, SeededDice(SEED), shown))
    answers = [
        each for each in unrestricted_campaign(desk).entries[before:] if each.kind == "answer"
    ]
    assert {entry.payload["ask"]["rule"] for entry in answers} == {"15.602"}
    assert len(answers) > 10
    assert unrestricted_campaign(desk).open_question().rule != "15.602"
    desk.undo_or_request(whole_call=True)
    assert unrestricted_campaign(desk).open_question().rule == "15.602"


def test_defaults_are_not_used_for_the_opponents_decisions(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.601"))
    shown = take_snapshot(desk).position
    to_the_end = playback.until_end_of_paragraph(Side.MARINE)
    assert list(to_the_end.play(desk, SeededDice(SEED), shown)) == []
