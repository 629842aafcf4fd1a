"""The audit: recomputes everything from the journal and reports every breach.

It trusts no stored total, reads raw cells, and never upgrades or repairs first. What cannot be read
is a finding, and hides nothing else.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from brt_cg.audit import chain, meaning, other_rules, rules, schema, tables
from brt_cg.audit.finding import Finding, Report
from brt_cg.audit.seen import as_seen
from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.journal.entries import Entry
from brt_cg.storage import reader
from brt_cg.storage.errors import Damaged
from brt_cg.storage.projection import ROLLS, Row, roll_rows, rows_of
from brt_cg.storage.reader import RawEntry, RawTable

__all__ = ["Finding", "Report", "audit"]

T = TypeVar("T")


def audit(path: Path, head: str | None = None, side: Side | None = None) -> Report:
    """Audits a campaign file. `head` is a head hash that the journal must hold; with `side` the
    enemy's secrets are left out, counts included, and hashes are those of that side's view.

    Raises StorageError for a file that is no campaign, or a newer one.
    """
    findings: list[Finding] = []
    revision = _tried(findings, "revision", reader.read_revision, path) or reader.HEAD
    findings += _of_the_file(path, revision)
    rows = _tried(findings, "journal", reader.raw_journal, path)
    entries: list[Entry] = []
    if rows is not None:
        read = chain.read(rows)
        entries = chain.without_gaps(read)
        findings += [*chain.cells(rows), *chain.order(rows), *chain.hashes(rows)]
        findings += [*chain.payloads(read), *chain.calls(entries)]
        findings += _of_entries(entries, _tables(path, findings))
    if side is not None:
        return as_seen(entries, findings, head, side)
    return _for_the_umpire(rows or (), findings, head)


def _tried(findings: list[Finding], what: str, read: Callable[..., T], *given: Any) -> T | None:
    """What can be read of a file; None, with a finding, where that is damaged."""
    try:
        return read(*given)
    except Damaged as damage:
        told = f"the {what} cannot be read: {damage}"
        findings.append(Finding("integrity", schema.STORAGE, told, (what,)))
        return None


def _of_the_file(path: Path, revision: str) -> list[Finding]:
    findings = schema.integrity(path)
    findings += _tried(findings, "schema", schema.schema, path, revision) or ()
    findings += _tried(findings, reader.VERSION, schema.one_revision, path) or ()
    findings += _tried(findings, "schema", schema.append_only, path) or ()
    return findings


def _tables(path: Path, findings: list[Finding]) -> dict[str, RawTable | None]:
    """The tables of a campaign that are there; None for one that cannot be read."""
    names = _tried(findings, "schema", reader.table_names, path) or ()
    return {
        name: _tried(findings, f"table {name}", reader.raw_table, path, name)
        for name in names
        if name in schema.COLUMNS
    }


def _for_the_umpire(
    rows: Sequence[RawEntry], findings: Sequence[Finding], head: str | None
) -> Report:
    hashes = [str(row.hash[0]) for row in rows]
    kept = (*findings, *chain.tail(hashes, head))
    return Report.of(len(rows), hashes[-1] if hashes else None, kept)


def _of_entries(
    entries: Sequence[Entry], found: Mapping[str, RawTable | None]
) -> Iterator[Finding]:
    campaign, findings = meaning.folded(entries)
    card = meaning.card_of(campaign)
    if card is not None:
        yield from other_rules.notices(((one.seq, one) for one in entries), card, "entries")
    yield from findings
    yield from rules.rerun(entries)
    unreadable = {name for name, table in found.items() if table is None}
    expected = _expected(campaign, entries)
    yield from tables.compared(
        {name: table for name, table in found.items() if table is not None},
        {name: rows for name, rows in expected.items() if name not in unreadable},
    )


def _expected(campaign: Campaign, entries: Sequence[Entry]) -> dict[str, dict[str, Row]]:
    standing = _standing(entries)
    rolls = roll_rows(entry for entry in entries if entry.seq in standing)
    return rows_of(campaign) | {ROLLS: {str(seq): row for seq, row in rolls.items()}}


def _standing(entries: Sequence[Entry]) -> set[int]:
    standing: set[int] = set()
    for entry in entries:
        about = entry.asked.get("entries", [])
        if entry.kind == "undo":
            standing -= set(about)
        elif entry.kind == "redo":
            standing |= set(about)
        else:
            standing.add(entry.seq)
    return standing
