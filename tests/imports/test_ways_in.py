"""The same losses give the same ledger, whichever way they are entered."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from brt_cg.exports.state import build_state
from brt_cg.exports.writers import as_csv, as_xlsx
from brt_cg.imports.event_sheet import Ticks
from brt_cg.imports.state_file import read_state_input
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Piece, Side
from brt_cg.model.visibility import only_side_allowed_to_read
from brt_cg.refit.losses import eliminate_and_score
from brt_cg.refit.play import Play
from brt_cg.refit.trial import run_with_defaults
from brt_cg.service.stored_journal import read_journal
from brt_cg.views.view import create_view
from tests.imports.ways import Ledger, Way, ledger_of, losses
from tests.settings import count
from tests.tui.moments import played

SETS = range(count(5, 300))
IN_FILES = range(count(2, 30))  # sets that are also written into files, which takes long


@pytest.fixture
def journal(demo_file: Path) -> Journal:
    """The demo while its next scenario is played."""
    return read_journal(played(demo_file, None))


def entered(journal: Journal, ticks: Ticks, enter: Callable[[Way], None]) -> Ledger:
    """What one way comes to; the journal is as before then."""
    before, length = journal.campaign.clone(), len(journal.entries)
    try:
        enter(Way(journal, ticks))
        return ledger_of(journal.campaign, before)
    finally:
        journal.drop_entries_after(length)


@pytest.mark.parametrize("seed", SETS)
def test_the_ledger_is_the_same_for_every_way_to_enter_losses(journal: Journal, seed: int) -> None:
    ticks = losses(journal.campaign, seed)
    due = entered(journal, ticks, Way.at_once)
    assert due.rows
    ways = (Way.in_codes, Way.marine_first, Way.japanese_first, Way.in_a_state, Way.by_correction)
    for way in ways:
        assert entered(journal, ticks, way) == due, way.__name__


@pytest.mark.parametrize("seed", SETS)
def test_a_hidden_loss_is_in_no_total_the_enemy_sees(journal: Journal, seed: int) -> None:
    """The twin of a campaign, in which nothing hidden was lost, shows him the same totals."""
    campaign, ticks = journal.campaign, losses(journal.campaign, seed)
    counters = filter(None, map(campaign.find, ticks))
    hidden = {
        each.id for each in counters if only_side_allowed_to_read(campaign, each) is Side.JAPANESE
    }
    ticks |= {id: {"eliminated": ""} for id in _hidden_crews(campaign)[:1]}
    hidden |= {*_hidden_crews(campaign)[:1]}
    twin = {id: events for id, events in ticks.items() if id not in hidden}
    whole, other = (entered(journal, each, Way.at_once) for each in (ticks, twin))
    marine = slice(2, 4)
    assert whole.seen[marine] == other.seen[marine]
    assert whole.seen[0] > other.seen[0]


@pytest.mark.parametrize("seed", SETS)
def test_a_refit_phase_step_scores_the_same_as_a_report(journal: Journal, seed: int) -> None:
    ticks: Ticks = {id: {"eliminated": ""} for id in losses(journal.campaign, seed)}
    due = entered(journal, ticks, Way.at_once)
    play = Play("15.601", journal.campaign.clone(), journal.card)
    for id in ticks:
        counter = play.campaign.find(id)
        assert isinstance(counter, Piece)
        run_with_defaults(partial(eliminate_and_score, play, counter))
    assert ledger_of(play.campaign, journal.campaign) == due


def _hidden_crews(campaign: Campaign) -> list[str]:
    units = sorted(campaign.units.values(), key=lambda unit: unit.id)
    crews = (unit for unit in units if unit.crew and unit.in_play and unit.hidden)
    return [unit.id for unit in crews if unit.side is Side.JAPANESE]


@pytest.mark.parametrize("seed", IN_FILES)
def test_files_exported_at_scenario_end_give_the_same_ledger(
    journal: Journal, seed: int, tmp_path: Path
) -> None:
    ticks = losses(journal.campaign, seed)
    due, length = entered(journal, ticks, Way.at_once), len(journal.entries)
    Way(journal, ticks).at_once()
    made = build_state(create_view(journal))
    tables, book = as_csv.write_csv(made), as_xlsx.write_xlsx(made)
    journal.drop_entries_after(length)
    folder, workbook = tmp_path / "csv", tmp_path / "end.xlsx"
    folder.mkdir()
    assert isinstance(tables, dict)
    for name, text in tables.items():
        (folder / name).write_text(text, "utf-8")
    workbook.write_bytes(book)

    for path in (folder, workbook):
        asked = {"missing": None, "side": None} | read_state_input(path)
        assert entered(journal, ticks, partial(_taken_in, asked)) == due, path


def _taken_in(asked: dict[str, Any], way: Way) -> None:
    way.journal.run_command("import", asked, "players")
