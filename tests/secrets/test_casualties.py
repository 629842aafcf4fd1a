"""What is lost while hidden is in no figure that its enemy reads, wherever CVP are shown, until
it is settled at 15.6032 (R-HIDDEN-LOSSES)."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.exports.wording import total_text
from brt_cg.forecast.start import start_from_journal
from brt_cg.journal.journal import Journal
from brt_cg.model import SIDES, Side
from brt_cg.service.mail_letter import cover_letter
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.stored_journal import read_journal
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.public_point import visible_journal
from brt_cg.views.view import SharedView, create_view
from brt_cg.web.plain_page import render_page
from tests.exports.journals import JAPANESE, MARINE, NOON, plain_answer
from tests.secrets.pairs import all_that_is_read, assert_alike
from tests.tui.moments import played

SEEN = "j-sq-4"  # lost in both of a pair


def hidden_crew(journal: Journal) -> str:
    units = sorted(journal.campaign.units.values(), key=lambda unit: unit.id)
    return next(
        unit.id
        for unit in units
        if unit.side is JAPANESE and unit.crew and unit.in_play and unit.hidden
    )


def report(journal: Journal, *lost: str) -> dict[str, Any]:
    """The input of a report of both sides by which these are lost."""
    state = build_state_document(journal.campaign)
    for row in state["units"]:
        row["fate"] = "eliminated" if row["id"] in lost else row["fate"]
    for row in state["weapons"]:
        row["possessor"] = None if row["possessor"] in lost else row["possessor"]
    for totals in state["sides"].values():
        totals |= {"cvp": None, "cvp_before": None}
    return {"state": state, "source": "end.json", "missing": None, "side": None}


def wherever_cvp_are_shown(journal: Journal, side: Side | None) -> dict[str, Any]:
    """Status, documents, chronicle, Records, explanations and log; header, letter and forecast."""
    assert side is not None
    book = create_view(journal, side)
    found = all_that_is_read(journal, side)
    found["header"] = [total_text(book.campaign, each, "cvp") for each in SIDES]
    found["letter"] = cover_letter(SharedView(journal), side, "new.brtmail", None)
    start = start_from_journal(visible_journal(journal, side), side, "1")
    found["forecast"] = asdict(start)
    return found


@pytest.fixture
def twins(demo_file: Path) -> tuple[Journal, Journal]:
    """Two campaigns after the same report, but that a hidden crew was lost in the second."""
    path = played(demo_file, None)
    one, other = read_journal(path), read_journal(path)
    one.clock = other.clock = lambda: NOON
    one.run_command("import", report(one, SEEN), "players")
    other.run_command("import", report(other, SEEN, hidden_crew(other)), "players")
    return one, other


def test_a_hidden_loss_is_in_nothing_the_enemy_sees(twins: tuple[Journal, Journal]) -> None:
    one, other = twins
    assert other.campaign.cvp(MARINE) == one.campaign.cvp(MARINE) + 2
    assert_alike(one, other, read=wherever_cvp_are_shown)
    for reader in (None, JAPANESE):
        views = [create_view(each, reader).campaign for each in twins]
        assert views[1].cvp(MARINE) == views[0].cvp(MARINE) + 2


def test_points_of_a_hidden_loss_are_public_from_15_6032_on(twins: tuple[Journal, Journal]) -> None:
    _, other = twins
    hidden = hidden_crew_lost(other)
    while (ask := other.play_to_next_question()) is not None and ask.rule < "15.604":
        other.answer(plain_answer(ask), ask.side)
    seen = create_view(other, MARINE)
    assert seen.campaign.cvp(MARINE) == other.campaign.cvp(MARINE)
    assert not any(hidden in str(line) for line in seen.lines)
    assert any("for losses hidden until now" in str(line) for line in seen.lines)


def hidden_crew_lost(journal: Journal) -> str:
    rows = journal.campaign.casualties.values()
    return next(str(row.counter) for row in rows if row.secret is JAPANESE)


def test_the_plain_page_does_not_depend_on_hidden_losses(demo_file: Path, tmp_path: Path) -> None:
    played(demo_file, None)
    pages = []
    for hides in (False, True):
        file = tmp_path / "twin.brt"
        file.write_bytes(demo_file.read_bytes())
        desk = OpenCampaign.open(file, lambda: NOON, backs_up=False)
        journal = unrestricted_campaign(desk)
        lost = [SEEN, *([hidden_crew(journal)] if hides else [])]
        desk.run_command("import", report(journal, *lost))
        desk.close()
        pages.append(render_page(file, "marine"))
    assert pages[0] == pages[1]
