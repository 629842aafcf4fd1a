"""The audit: recomputes everything from the journal and reports every breach.

It trusts no stored total, reads raw cells, and never upgrades or repairs first. Unreadable data is
a finding and does not hide other findings.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from brt_cg.audit import chain, meaning, other_rules, schema, tables
from brt_cg.audit.evidence import Evidence, gather, tried
from brt_cg.audit.finding import Finding, Report
from brt_cg.audit.rules import Heed
from brt_cg.counters import Side
from brt_cg.storage.engine import engine_of
from brt_cg.storage.kept import seat_of
from brt_cg.storage.place import Address, Place
from brt_cg.storage.reader import VERSION

__all__ = ["Finding", "Report", "audit"]

Check = Callable[[Evidence], Iterable[Finding]]

# The subject of each check, for a finding that it cannot be read; and the check.
OF_THE_FILE: tuple[tuple[str, Check], ...] = (
    ("file", lambda found: _schema_of(found.path).integrity(found.path)),
    ("schema", lambda found: _schema_of(found.path).schema(found.path, found.revision)),
    (VERSION, lambda found: schema.one_revision(found.path)),
)
OF_THE_JOURNAL: tuple[tuple[str, Check], ...] = (
    ("journal", lambda found: found.made.written),
    ("journal", lambda found: chain.calls(found.made.entries)),
    ("journal", lambda found: other_rules.of_entries(found.made.entries, found.made.campaign)),
    ("journal", lambda found: found.made.judged),
    ("journal", lambda found: meaning.at_the_end(found.made.campaign, found.made.entries)),
    ("journal", lambda found: found.made.again),
    ("tables", lambda found: tables.compared(found.tables, found.expected_tables)),
)


def audit(
    path: Place,
    head: str | None = None,
    side: Side | None = None,
    heed: Heed = lambda done, of: None,
) -> Report:
    """Audits a campaign. `head` is a head hash that the journal must contain; with `side` the
    enemy's secrets are left out, counts included, and hashes are those of that side's view. `heed`
    is called with the progress in entries; raising in it stops the audit.

    For a player's role on a server, audits the pages of its seat. Raises StorageError for a file
    that is no campaign, or a newer one.
    """
    seat = seat_of(path)
    if seat is not None:
        return _of_seat(path, seat, head)
    with engine_of(path).at_one_moment(path):
        return _audited(path, head, side, heed)


def _of_seat(path: Place, seat: Side, head: str | None) -> Report:
    from brt_cg.audit.seen import of_pages
    from brt_cg.storage import seats

    assert isinstance(path, Address), "a file has no seats"
    return of_pages(seats.read(path, seat), seat, head)


def _schema_of(path: Place) -> Any:
    """The module that checks the storage of a campaign, by its engine."""
    if isinstance(path, Path):
        return schema
    from brt_cg.audit import server_schema

    return server_schema


def _audited(path: Place, head: str | None, side: Side | None, heed: Heed) -> Report:
    found = gather(path, heed)
    findings = list(found.damage)
    for what, check in OF_THE_FILE + (OF_THE_JOURNAL if found.has_journal else ()):
        findings += tried(findings, what, check, found) or ()
    if side is not None:
        from brt_cg.audit.seen import as_seen  # imported here: the umpire's audit needs no views

        return as_seen(found.made.entries, findings, head, side)
    hashes = [str(row.hash) for row in found.rows]
    findings += chain.tail(hashes, head)
    return Report.of(len(found.rows), hashes[-1] if hashes else None, findings)
