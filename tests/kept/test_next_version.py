"""A later version changes what one paragraph gives: the campaigns of this version that stand in the
middle of it are opened, undone, redone, mailed, continued and audited by that version.

A run tries some paragraphs, chosen by name; BRT_CG_EFFORT=full tries every one that has answers.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.exports import export_document
from brt_cg.exports.status import status_text
from brt_cg.journal import rules_version
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.cli.shell import Shell
from tests.homes import set_state_home
from tests.kept.stops import KEPT, entries_of, runs_of_answers, stop_after
from tests.kept.test_kept_versions import chance
from tests.other_rules import (
    asks_about_another,
    begins_otherwise,
    ends_after,
    fails,
    gives_after,
    played_otherwise,
)
from tests.reading import folded
from tests.settings import count

NEWEST: Final = KEPT[-1]
LATER: Final = 99  # the version of the rules that has the change
SEATS: Final = (None, Seat.MARINE, Seat.JAPANESE)
CHANGES: Final = {
    "begins otherwise": begins_otherwise,
    "gives another result": gives_after(1),
    "asks nothing more": ends_after(1),
    "asks about another": asks_about_another,
    "fails": fails,
}
PLACES: Final = {
    str(entries_of(NEWEST)[first - 1].rule): (first + last) // 2
    for first, last in runs_of_answers(entries_of(NEWEST))
}


def some(about: str, ci: int) -> pytest.MarkDecorator:
    """Runs a test with some paragraphs, each with a change; at full effort with all of them."""
    pairs = sorted(product(PLACES, CHANGES), key=lambda pair: chance(about, *pair))
    return pytest.mark.parametrize(("rule", "change"), pairs[: count(ci, len(pairs))])


@pytest.fixture
def campaign(
    rule: str, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A campaign of this version in the middle of a paragraph, and the program of a later one."""
    path = tmp_path / "kept.brt"
    stop_after(NEWEST, PLACES[rule], path)
    monkeypatch.setattr(rules_version, "VERSION", LATER)
    caches = (rules_version.current_rules, rules_version.current_version_text)
    for cache in caches:
        cache.cache_clear()
    with played_otherwise(rule, CHANGES[change]):
        yield path
    for cache in caches:
        cache.cache_clear()


def tells(desk: OpenCampaign) -> list[bool]:
    """Whether each seat reads that the campaign cannot continue."""
    told = []
    for seat in SEATS:
        desk.set_seat(seat)
        told.append("cannot continue" in status_text(desk.view()))
        export_document(desk.view(), "chronicle", "md")
    desk.set_seat(None)
    return told


@some("undo", ci=3)
def test_every_seat_opens_it_in_the_next_version_and_undoes_and_redoes(campaign: Path) -> None:
    desk = OpenCampaign.open(campaign, backs_up=False)
    before = folded(unrestricted_campaign(desk))
    assert tells(desk) == [True] * 3
    desk.undo_or_request()
    assert tells(desk) == [False] * 3
    desk.redo()
    assert tells(desk) == [True] * 3
    undone = 0
    while undone < count(20, 10_000):
        try:
            desk.undo_or_request()
        except RefusedError:
            break
        undone += 1
        assert unrestricted_campaign(desk).campaign == folded(unrestricted_campaign(desk))
    for _ in range(undone):
        desk.redo()
    assert unrestricted_campaign(desk).campaign == before
    desk.close()


@some("continue", ci=2)
def test_the_phase_is_finished_in_the_next_version_and_audited(campaign: Path, change: str) -> None:
    desk = OpenCampaign.open(campaign, backs_up=False)
    desk.undo_or_request()
    if change != "fails":  # a paragraph that fails always is a fault of the program
        for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice("later"), defaults=True)):
            pass
        assert unrestricted_campaign(desk).campaign.situation.phase == "scenario"
    desk.close()
    report = audit_campaign(campaign)
    assert report.findings == ()
    assert any(f"version {LATER}" in notice.what for notice in report.notices)


@some("mail", ci=1)
def test_a_campaign_of_the_last_version_is_mailed_before_and_after_the_undo(
    change: str, campaign: Path, brt: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs.brt"
    for number in (1,) if change == "fails" else (1, 2):
        set_state_home(monkeypatch, tmp_path / "marine")
        sent = brt("send", campaign, "-o", f"{number}.brtmail", "--all", "--side", "marine")
        assert sent.code == 0, sent
        set_state_home(monkeypatch, tmp_path / "japanese")
        got = brt("receive", theirs, f"{number}.brtmail", "--side", "japanese")
        assert got.code == 0, got
        assert (
            unrestricted_campaign(OpenCampaign.open_read_only(theirs)).head
            == unrestricted_campaign(OpenCampaign.open_read_only(campaign)).head
        )
        set_state_home(monkeypatch, tmp_path / "marine")
        assert brt("undo", campaign).code == 0
