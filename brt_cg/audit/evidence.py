"""The contents of a campaign file, read once as far as possible, and the result of its journal."""

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import compress
from typing import Any, TypeVar

from brt_cg.audit import chain, meaning, rules, schema
from brt_cg.audit.finding import Finding
from brt_cg.journal.entries import Entry
from brt_cg.model.campaign import Campaign
from brt_cg.model.value import value
from brt_cg.storage import reader
from brt_cg.storage.cells import RawTable
from brt_cg.storage.errors import Damaged
from brt_cg.storage.place import Place
from brt_cg.storage.projection import ROLLS, Rows, roll_rows, rows_of
from brt_cg.storage.reader import RawEntry
from brt_cg.storage.shapes import expected

T = TypeVar("T")


@value
class Made:
    """The result of the journal's rows: the entries, with a stand-in for each that is missing or
    unreadable; the numbers of the standing ones; the campaign that they fold to; and the findings:
    how the rows are written, what they mean, and where the rules give a different result."""

    entries: Sequence[Entry]
    standing: Set[int]
    campaign: Campaign
    findings: Sequence[Finding] = ()


@value
class Evidence:
    """The data that the checks of an audit look at.

    `rows` are the raw rows of the journal. `tables` are the existing tables of a campaign, None for
    an unreadable one. `damage` holds the findings from reading.
    """

    path: Place
    damage: list[Finding]
    revision: str
    has_journal: bool
    rows: Sequence[RawEntry]
    tables: Mapping[str, RawTable | None]

    def due(self, made: Made) -> dict[str, Rows]:
        """The contents that the journal gives for the tables that can be read or are missing."""
        rolls = roll_rows(entry for entry in made.entries if entry.seq in made.standing)
        tables = rows_of(made.campaign) | {ROLLS: rolls}
        unreadable = {name for name, table in self.tables.items() if table is None}
        held = expected(self.revision)  # an older one lacks some
        return {
            name: _only(held[name].columns.keys(), rows)
            for name, rows in tables.items()
            if name not in unreadable and name in held
        }


def gather(path: Place) -> Evidence:
    """Reads everything that an audit needs. Raises StorageError for a file that is not a
    campaign."""
    damage: list[Finding] = []
    revision = tried(damage, "revision", reader.read_revision, path) or reader.HEAD
    rows = tried(damage, "journal", reader.raw_journal, path)
    tables = _tables(path, damage) if rows is not None else {}
    return Evidence(path, damage, revision, rows is not None, rows or (), tables)


def made_of(rows: Sequence[RawEntry], on_progress: rules.OnProgress) -> Made:
    """The result of the journal's rows, by the rules and by their changes."""
    journal = rules.replay_exact(rows, on_progress)
    if journal is not None:
        return Made([*journal.entries], journal.standing, journal.campaign)
    read = chain.read(rows)
    entries = chain.without_gaps(read)
    again = rules.replay_checked(entries, on_progress)
    campaign, judged = again.campaign, list[Finding]()
    if len(again.reproduced) < len(entries):
        # Entries that the replay gives exactly need no checks: the rules have checked them.
        campaign, judged = meaning.folded(entries, again.reproduced)
    found = (*chain.of_rows(rows), *chain.payloads(read), *chain.seeds(entries))
    findings = [*found, *judged, *again.findings]
    return Made(entries, again.standing, campaign, findings)


def tried(findings: list[Finding], what: str, read: Callable[..., T], *given: Any) -> T | None:
    """The result of a read; None, with a finding, if the file is damaged there."""
    try:
        return read(*given)
    except Damaged as damage:
        text = f"the {what} cannot be read: {damage}"
        findings.append(Finding("integrity", schema.STORAGE, text, (what,)))
        return None


def _tables(path: Place, damage: list[Finding]) -> dict[str, RawTable | None]:
    names = tried(damage, "schema", reader.table_names, path) or ()
    return {
        name: tried(damage, f"table {name}", reader.raw_table, path, name)
        for name in names
        if name in expected(reader.HEAD)
    }


def _only(columns: Set[str], rows: Rows) -> Rows:
    """The rows of a table with these columns only."""
    if columns >= {*rows.columns}:
        return rows
    kept = [column in columns for column in rows.columns]
    values = {key: tuple(compress(row, kept)) for key, row in rows.values.items()}
    return Rows(tuple(compress(rows.columns, kept)), values)
