"""The audit: recomputes everything from the journal and reports every breach.

It trusts no stored total, reads raw cells, and never upgrades or repairs first.
"""

from collections.abc import Iterable
from pathlib import Path

from brt_cg.audit import chain, meaning, rules, tables
from brt_cg.audit.finding import Finding, Report
from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.exports.journal import view_hashes
from brt_cg.journal.book import Book
from brt_cg.journal.entries import Entry
from brt_cg.storage.errors import Damaged
from brt_cg.storage.projection import ROLLS, Row, roll_rows, rows_of
from brt_cg.storage.reader import raw_journal, raw_tables, read_revision

__all__ = ["Finding", "Report", "audit"]


def audit(path: Path, head: str | None = None, side: Side | None = None) -> Report:
    """Audits a campaign file. `head` is a head hash that the journal must hold; with `side` the
    enemy's secrets are left out, counts included, and hashes are those of that side's view.

    Raises StorageError for a file that is no campaign, or a newer one.
    """
    read_revision(path)
    rows = raw_journal(path)
    findings = [*tables.integrity(path), *chain.cells(rows), *chain.order(rows)]
    findings += [*chain.hashes(rows), *chain.payloads(rows)]
    entries: list[Entry] = []
    for row in rows:
        try:
            entries.append(row.entry())
        except Damaged as problem:
            findings.append(Finding("payload", chain.JOURNAL, str(problem), (str(row.seq[0]),)))
            break
    findings += _of_entries(path, entries)
    hashes = [str(row.hash[0]) for row in rows]
    if side is not None:
        return _as_seen(entries, findings, head, side)
    findings += chain.tail(hashes, head)
    return Report(len(rows), hashes[-1] if hashes else None, tuple(findings))


def _of_entries(path: Path, entries: list[Entry]) -> Iterable[Finding]:
    campaign, findings = meaning.folded(entries)
    yield from findings
    yield from rules.rerun(entries)
    yield from tables.compared(raw_tables(path), _expected(campaign, entries))


def _expected(campaign: Campaign, entries: list[Entry]) -> dict[str, dict[str, Row]]:
    rolls = roll_rows(entry for entry in entries if entry.seq in _standing(entries))
    return rows_of(campaign) | {ROLLS: {str(seq): row for seq, row in rolls.items()}}


def _standing(entries: list[Entry]) -> set[int]:
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


def _as_seen(entries: list[Entry], findings: list[Finding], head: str | None, side: Side) -> Report:
    """The audit as a side may see it: its own hashes, and no finding about an enemy secret."""
    book = Book(lambda: "")
    try:
        book.load(entries)
    except (ValueError, KeyError, TypeError):
        hashes: list[str] = []
    else:
        hashes = view_hashes(book, side)
    kept = [one for one in findings if one.secret is not side.enemy]
    kept += chain.tail(hashes, head)
    return Report(len(hashes), hashes[-1] if hashes else None, tuple(kept))
