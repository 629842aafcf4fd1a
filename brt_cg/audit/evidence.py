"""The contents of a campaign file, read once and as completely as possible, and the result of its
journal."""

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import compress
from typing import Any, TypeVar

from brt_cg.audit import chain, entry_checks, replay, schema
from brt_cg.audit.finding import Finding
from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry
from brt_cg.model import Campaign
from brt_cg.storage import reader
from brt_cg.storage.cells import RawTable
from brt_cg.storage.errors import DamagedError
from brt_cg.storage.place import Place
from brt_cg.storage.projection import ROLLS, ExpectedRows, roll_rows, table_rows
from brt_cg.storage.reader import RawEntry
from brt_cg.storage.shapes import expected_tables

T = TypeVar("T")


@immutable
class Reconstruction:
    """The result of the journal's rows: the entries, with a substitute for each missing or
    unreadable one; the numbers of entries that are not undone; the resulting campaign; and the
    findings about the form of the rows, their meaning, and differences from the result by the
    rules."""

    entries: Sequence[Entry]
    standing: Set[int]
    campaign: Campaign
    findings: Sequence[Finding] = ()


@immutable
class Evidence:
    """The data that the checks of an audit examine.

    `rows` are the raw rows of the journal. `tables` are the existing tables of a campaign, None for
    an unreadable one. `damage` holds the findings from reading.
    """

    path: Place
    damage: list[Finding]
    revision: str
    has_journal: bool
    rows: Sequence[RawEntry]
    tables: Mapping[str, RawTable | None]

    def expected_tables(self, made: Reconstruction) -> dict[str, ExpectedRows]:
        """Return the contents that the journal implies for the tables that can be read or are
        missing."""
        rolls = roll_rows(entry for entry in made.entries if entry.seq in made.standing)
        tables = table_rows(made.campaign) | {ROLLS: rolls}
        unreadable = {name for name, table in self.tables.items() if table is None}
        held = expected_tables(self.revision)  # an older revision lacks some tables
        return {
            name: _only(held[name].columns.keys(), rows)
            for name, rows in tables.items()
            if name not in unreadable and name in held
        }


def gather_evidence(path: Place) -> Evidence:
    """Read everything that an audit needs. Raises StorageError for a file that is not a
    campaign."""
    damage: list[Finding] = []
    revision = try_read(damage, "revision", reader.read_revision, path) or reader.HEAD
    rows = try_read(damage, "journal", reader.raw_journal, path)
    tables = _tables(path, damage) if rows is not None else {}
    return Evidence(path, damage, revision, rows is not None, rows or (), tables)


def reconstruct(rows: Sequence[RawEntry], on_progress: replay.OnProgress) -> Reconstruction:
    """Rebuild the campaign from the journal's rows, by the rules and by their changes."""
    journal = replay.replay_if_exact(rows, on_progress)
    if journal is not None:
        return Reconstruction([*journal.entries], journal.standing, journal.campaign)
    read = chain.read_entries(rows)
    entries = chain.fill_missing_entries(read)
    again = replay.replay_entries(entries, on_progress)
    campaign, judged = again.campaign, list[Finding]()
    if len(again.reproduced) < len(entries):
        # Entries that the replay gives exactly need no checks: the rules have checked them.
        campaign, judged = entry_checks.apply_entries_and_check(entries, again.reproduced)
    found = (
        *chain.check_raw_rows(rows),
        *chain.check_payloads(read),
        *chain.check_seeded_dice(entries),
    )
    findings = [*found, *judged, *again.findings]
    return Reconstruction(entries, again.standing, campaign, findings)


def try_read(findings: list[Finding], what: str, read: Callable[..., T], *given: Any) -> T | None:
    """Return the result of a read; if the file is damaged there, note a finding and return None."""
    try:
        return read(*given)
    except DamagedError as damage:
        text = f"the {what} cannot be read: {damage}"
        findings.append(Finding("integrity", schema.STORAGE, text, (what,)))
        return None


def _tables(path: Place, damage: list[Finding]) -> dict[str, RawTable | None]:
    names = try_read(damage, "schema", reader.table_names_besides_journal, path) or ()
    return {
        name: try_read(damage, f"table {name}", reader.raw_table, path, name)
        for name in names
        if name in expected_tables(reader.HEAD)
    }


def _only(columns: Set[str], rows: ExpectedRows) -> ExpectedRows:
    """Return the rows of a table with only these columns."""
    if columns >= {*rows.columns}:
        return rows
    kept = [column in columns for column in rows.columns]
    values = {key: tuple(compress(row, kept)) for key, row in rows.values.items()}
    return ExpectedRows(tuple(compress(rows.columns, kept)), values)
