"""The same losses give the same ledger, whichever way they are entered."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.exports.state import build_state
from brt_cg.exports.writers import as_csv, as_xlsx
from brt_cg.imports.code_line import apply_code, parse_code_line
from brt_cg.imports.event_sheet import EventSheet, Ticks
from brt_cg.imports.state_file import read_state
from brt_cg.imports.totals import default_totals, scenario_end_from_sheet
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Kind, Piece, Side, Unit, Weapon, WeaponKind
from brt_cg.model.events import BY_NAME
from brt_cg.model.fields import changes_between, to_json
from brt_cg.model.records import SIDES
from brt_cg.model.visibility import log_secret_of, visible_campaign
from brt_cg.service.stored_journal import read_journal
from brt_cg.views.view import create_view
from tests.tui.moments import played

SETS = range(30)
IN_FILES = range(3)  # sets that are also written into a workbook and a save, which takes long


class Ledger(NamedTuple):
    """What a way in comes to: the rows of the ledger without their ids, which counters are lost,
    and each side's CVP as each seat sees them."""

    rows: frozenset[tuple[Any, ...]]
    lost: frozenset[str]
    seen: tuple[int, ...]


def ledger_of(campaign: Campaign, before: Campaign) -> Ledger:
    rows = [row for id, row in campaign.casualties.items() if before.casualties.get(id) != row]
    views = [visible_campaign(campaign, side) for side in (None, *SIDES)]
    return Ledger(
        frozenset((row.counter, row.side, row.points, row.how, row.secret) for row in rows),
        frozenset(piece.id for piece in campaign.pieces() if not piece.in_play),
        tuple(view.cvp(side) for view in views for side in SIDES),
    )


@pytest.fixture
def journal(demo_file: Path) -> Journal:
    """The demo while its next scenario is played."""
    return read_journal(played(demo_file, None))


def losses(campaign: Campaign, seed: int) -> Ticks:
    """What happened to some counters of both sides, hidden ones among them."""
    chosen, ticks = Random(seed), Ticks()
    able = [each for each in campaign.pieces() if each.in_play and _can_be_lost(campaign, each)]
    for piece in chosen.sample(sorted(able, key=lambda each: each.id), 8):
        reduced = isinstance(piece, Unit) and piece.kind is Kind.SQUAD and chosen.random() < 0.5
        ticks[piece.id] = {"reduced" if reduced else "eliminated": ""}
    return ticks


def _can_be_lost(campaign: Campaign, piece: Piece) -> bool:
    """Whether a loss of a counter leaves nobody else to settle: no guard, no prisoner, nobody
    aboard."""
    if isinstance(piece, Weapon):
        return piece.kind is WeaponKind.GUN and not piece.captured
    if isinstance(piece, Unit):
        alone = not piece.prisoner and not campaign.prisoners_of(piece) and not piece.aboard
        return alone and piece.armed and not piece.has_status("encircled")
    return not campaign.aboard(piece) and not piece.captured  # type: ignore[arg-type]


class Way:
    """One way to enter what happened into the demo."""

    def __init__(self, journal: Journal, ticks: Ticks) -> None:
        self.journal, self.ticks = journal, ticks

    def told(self, side: Side | None = None) -> EventSheet:
        book = create_view(self.journal, side).for_report(side)
        own = {
            id: events
            for id, events in self.ticks.items()
            if side is None or getattr(self.journal.campaign.find(id), "side", None) is side
        }
        return EventSheet(book.campaign, book.card, side, own, book.codes)

    def report(self, told: EventSheet) -> None:
        book = create_view(self.journal, told.seat)
        self.journal.command(
            "import", scenario_end_from_sheet(book, told, default_totals(told)).asked, "players"
        )

    def at_once(self) -> None:
        self.report(self.told())

    def marine_first(self) -> None:
        self.report(self.told(Side.MARINE))
        self.report(self.told(Side.JAPANESE))

    def japanese_first(self) -> None:
        self.report(self.told(Side.JAPANESE))
        self.report(self.told(Side.MARINE))

    def in_codes(self) -> None:
        told = self.told().with_ticks({})
        words = (
            f"{BY_NAME[event].letter}{told.codes.code_of(id)}"
            for id, (event,) in self.ticks.items()
        )
        for said in parse_code_line(told, " ".join(words)):
            assert not said.wrong
            apply_code(told, said)
        self.report(told)

    def in_a_state(self) -> None:
        state = build_state_document(self.told().campaign_after())
        for totals in state["sides"].values():
            totals["cvp"] = None
        self.journal.command("import", {"state": state, "missing": None, "side": None}, "players")

    def by_correction(self) -> None:
        before, after = self.journal.campaign.clone(), self.told().campaign_after()
        for id in self.ticks:
            was, now = before.find(id), after.find(id)
            assert was is not None
            assert now is not None
            changed = changes_between(was, now)
            fields = {each.field.name: to_json(each.after) for each in changed}
            kept = {name: value for name, value in fields.items() if name in EDITED}
            asked = {"id": id, "set": kept, "reason": "lost"}
            self.journal.command("edit", asked, "players")


EDITED = ("fate", "kind", "type", "strength", "status", "inherent_crew")


def entered(journal: Journal, ticks: Ticks, enter: Callable[[Way], None]) -> Ledger:
    """What one way comes to; the journal is as before then."""
    before, length = journal.campaign.clone(), len(journal.entries)
    try:
        enter(Way(journal, ticks))
        return ledger_of(journal.campaign, before)
    finally:
        journal.drop_entries_after(length)


@pytest.mark.parametrize("seed", SETS)
def test_whichever_way_losses_are_entered_the_ledger_is_the_same(
    journal: Journal, seed: int
) -> None:
    ticks = losses(journal.campaign, seed)
    due = entered(journal, ticks, Way.at_once)
    assert due.rows
    ways = (Way.in_codes, Way.marine_first, Way.japanese_first, Way.in_a_state, Way.by_correction)
    for way in ways:
        assert entered(journal, ticks, way) == due, way.__name__


@pytest.mark.parametrize("seed", SETS)
def test_a_hidden_loss_is_in_no_total_that_its_enemy_sees(journal: Journal, seed: int) -> None:
    """The twin of a campaign, in which nothing hidden was lost, shows him the same totals."""
    campaign, ticks = journal.campaign, losses(journal.campaign, seed)
    counters = filter(None, map(campaign.find, ticks))
    hidden = {each.id for each in counters if log_secret_of(campaign, each) is Side.JAPANESE}
    ticks |= {id: {"eliminated": ""} for id in _hidden_crews(campaign)[:1]}
    hidden |= {*_hidden_crews(campaign)[:1]}
    twin = {id: events for id, events in ticks.items() if id not in hidden}
    whole, other = (entered(journal, each, Way.at_once) for each in (ticks, twin))
    marine = slice(2, 4)
    assert whole.seen[marine] == other.seen[marine]
    assert whole.seen[0] > other.seen[0]


def _hidden_crews(campaign: Campaign) -> list[str]:
    units = sorted(campaign.units.values(), key=lambda unit: unit.id)
    crews = (unit for unit in units if unit.crew and unit.in_play and unit.hidden)
    return [unit.id for unit in crews if unit.side is Side.JAPANESE]


@pytest.mark.parametrize("seed", IN_FILES)
def test_files_written_at_the_end_and_read_back_give_the_same_ledger(
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
        asked = {"missing": None, "side": None} | read_state(path)
        assert entered(journal, ticks, partial(_taken_in, asked)) == due, path


def _taken_in(asked: dict[str, Any], way: Way) -> None:
    way.journal.command("import", asked, "players")
