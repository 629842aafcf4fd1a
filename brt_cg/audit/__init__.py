"""The audit, which recomputes everything from the journal and reports every error. It trusts no
stored total, reads raw cells, and never upgrades or repairs first. Unreadable data is a finding and
does not hide other findings.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from brt_cg.audit import chain, entry_checks, evidence, other_rules, schema
from brt_cg.audit.checks import count_checked_things
from brt_cg.audit.evidence import Evidence, Reconstruction, gather_evidence, try_read
from brt_cg.audit.figures import non_shipped_figure_notices
from brt_cg.audit.finding import Finding, Report
from brt_cg.audit.replay import OnProgress
from brt_cg.audit.side_report import report_for_side, undone_and_seeded_roll_texts
from brt_cg.model import Seat, Side
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place
from brt_cg.storage.reader import VERSION
from brt_cg.text import count_text

__all__ = ["Finding", "Report", "audit_campaign"]

Check = Callable[[Evidence], Iterable[Finding]]

# The checks of the storage, each with its subject, for findings about an unreadable subject.
OF_THE_STORAGE: tuple[tuple[str, Check], ...] = (
    ("file", lambda found: schema.check_integrity(found.path)),
    ("schema", lambda found: schema.check_schema(found.path, found.revision)),
    (VERSION, lambda found: schema.check_one_revision(found.path)),
)


def audit_campaign(
    path: Place,
    head: str | None = None,
    side: Side | None = None,
    on_progress: OnProgress = lambda done, of: None,
) -> Report:
    """Audit a campaign. `head` is a head hash that the journal must contain; with `side`, the
    enemy's secrets and their number are left out, and the hashes are of that side's view.
    `on_progress` is called with the progress in entries; an exception in it stops the audit.

    Raises StorageError for a file that is not a campaign, or is a newer one.
    """
    with engine_of(path).consistent_reads(path):
        found = gather_evidence(path)
        findings = found.damage
        for what, check in OF_THE_STORAGE:
            findings += try_read(findings, what, check, found) or ()
    made = evidence.reconstruct(found.rows, on_progress)
    if found.has_journal:
        findings += _of_the_journal(found, made)
    if side is not None:
        return report_for_side(made.entries, findings, head, side)
    hashes = [str(row.hash) for row in found.rows]
    findings += chain.check_recorded_head_in_chain(hashes, head, made.entries, Seat.UMPIRE)
    report = Report.from_findings(len(hashes), hashes[-1] if hashes else None, findings)
    dice = tuple(undone_and_seeded_roll_texts(made.entries, None)) if report.ok else ()
    return replace(
        report, dice=dice, figures=count_checked_things(len(hashes), made.entries, made.campaign)
    )


def _of_the_journal(found: Evidence, made: Reconstruction) -> Iterator[Finding]:
    yield from chain.check_invocations(made.entries)
    yield from other_rules.other_rules_notices(made.entries, made.campaign)
    yield from made.findings
    yield from entry_checks.check_final_state(made.campaign, made.entries)
    yield from non_shipped_figure_notices(made.campaign)
    yield from schema.compare_tables(found.tables, found.expected_tables(made))


# --- the checks of a backup before it replaces a campaign -----------------------------------------


def audit_backup(path: Path) -> None:
    """Raise StorageError if the audit finds an error in a backup. The findings are not named,
    because they may be secret."""
    findings = audit_campaign(path).findings
    if findings:
        count = count_text(len(findings), "finding")
        raise StorageError(
            f"{path.name}: the audit of this backup reports {count}, so nothing was changed; "
            "`audit` lists them, `restore --force` restores it anyway"
        )
