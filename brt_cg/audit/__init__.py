"""The audit: recomputes everything from the journal and reports every breach.

It trusts no stored total, reads raw cells, and never upgrades or repairs first.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from brt_cg.audit import chain, meaning, rules, schema, tables
from brt_cg.audit.finding import Finding, Report
from brt_cg.audit.seen import as_seen
from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.journal.entries import Entry
from brt_cg.storage.errors import Damaged
from brt_cg.storage.projection import ROLLS, Row, roll_rows, rows_of
from brt_cg.storage.reader import RawEntry, RawTable, raw_journal, raw_tables, read_revision

__all__ = ["Finding", "Report", "audit"]


def audit(path: Path, head: str | None = None, side: Side | None = None) -> Report:
    """Audits a campaign file. `head` is a head hash that the journal must hold; with `side` the
    enemy's secrets are left out, counts included, and hashes are those of that side's view.

    Raises StorageError for a file that is no campaign, or a newer one.
    """
    read_revision(path)
    try:
        findings = [*schema.integrity(path), *schema.schema(path), *schema.append_only(path)]
        rows, found = raw_journal(path), raw_tables(path)
    except (Damaged, KeyError) as damage:
        return Report(0, None, (Finding("integrity", schema.STORAGE, str(damage)),))
    read = chain.read(rows)
    entries = chain.without_gaps(read)
    findings += [*chain.cells(rows), *chain.order(rows), *chain.hashes(rows)]
    findings += [*chain.payloads(read), *chain.calls(entries), *_of_entries(entries, found)]
    if side is not None:
        return as_seen(entries, findings, head, side)
    return _for_the_umpire(rows, findings, head)


def _for_the_umpire(
    rows: Sequence[RawEntry], findings: Sequence[Finding], head: str | None
) -> Report:
    hashes = [str(row.hash[0]) for row in rows]
    kept = (*findings, *chain.tail(hashes, head))
    return Report(len(rows), hashes[-1] if hashes else None, kept)


def _of_entries(entries: Sequence[Entry], found: Mapping[str, RawTable]) -> Iterator[Finding]:
    campaign, findings = meaning.folded(entries)
    yield from findings
    yield from rules.rerun(entries)
    known = {name: table for name, table in found.items() if name in schema.COLUMNS}
    yield from tables.compared(known, _expected(campaign, entries))


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
