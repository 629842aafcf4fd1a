"""The audit of the entries that a mail adds to a campaign, before they are accepted: only the new
entries are audited, by replay and by meaning, on the receiver's campaign."""

from collections.abc import Iterator, Sequence

from brt_cg.audit import chain, entry_checks, other_rules, replay
from brt_cg.audit.figures import ids_with_added_or_changed_figures, non_shipped_figure_notices
from brt_cg.audit.finding import Finding, Report
from brt_cg.audit.side_report import report_for_side
from brt_cg.journal import payload_checks
from brt_cg.journal.entries import NO_HASH, Entry
from brt_cg.model import Campaign, Side


def audit_additions(before: Sequence[Entry], new: Sequence[Entry], side: Side | None) -> Report:
    """Audit the entries that follow `before` (entries whose hashes have been checked), as a side
    may see them (None: the umpire). Problems that existed before are not findings."""
    entries = [*before, *new]
    findings = [*_findings(entries, len(before))]
    if not findings:
        return Report(len(entries), entries[-1].hash if entries else NO_HASH, ())
    if side is None:
        return Report.from_findings(len(entries), entries[-1].hash, findings)
    report = report_for_side(entries, findings, None, side, len(before))
    if report.ok and any(not finding.notice for finding in findings):
        return Report.from_findings(report.entries, report.head, [_UNSEEN, *report.notices])
    return report


# If the error is the enemy's secret, a side reads only that there is one.
_UNSEEN = Finding("rules", "journal", "an entry does not follow from the rules")


def _findings(entries: Sequence[Entry], begun: int) -> Iterator[Finding]:
    """Return the findings, errors and notices, about the entries after the first `begun`."""
    before, new = entries[:begun], entries[begun:]
    again = replay.replay_additions(before, new)
    yield from chain.check_invocations(new, before[-1] if before else None)
    yield from _oddities(new)
    yield from chain.check_seeded_dice(new)
    differing = {entry.seq for entry in new} - again.reproduced
    if differing:
        campaign, found = _by_meaning(entries, begun, differing)
        yield from found
        yield from again.findings
        yield from other_rules.other_rules_notices(new, campaign, entries)
    brought = ids_with_added_or_changed_figures(new)
    if brought:
        campaign, _ = entry_checks.apply_entries_and_check(
            entries, {entry.seq for entry in entries}
        )
        yield from non_shipped_figure_notices(campaign, brought)


def _oddities(new: Sequence[Entry]) -> Iterator[Finding]:
    for entry in new:
        for problem in payload_checks.payload_oddities(entry.payload):
            yield chain.malformed_entry_finding(entry.seq, problem)


def _by_meaning(
    entries: Sequence[Entry], begun: int, differing: set[int]
) -> tuple[Campaign, list[Finding]]:
    """Return the campaign after the entries, and the findings about entries that replay differently
    and about the campaign, without older findings."""
    before = entries[:begun]
    was, _ = entry_checks.apply_entries_and_check(before, {entry.seq for entry in before})
    known = {*entry_checks.check_final_state(was, before)} if before else set()
    campaign, found = entry_checks.apply_entries_and_check(
        entries, {entry.seq for entry in entries} - differing
    )
    at_the_end = entry_checks.check_final_state(campaign, entries)
    return campaign, [*found, *(each for each in at_the_end if each not in known)]
