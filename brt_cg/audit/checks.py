"""The checks of an audit, each with the number of things that it has checked."""

from collections.abc import Iterable, Mapping

from brt_cg.audit.finding import Finding
from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry
from brt_cg.model import Campaign
from brt_cg.text import count_text

# Each check: its subject, its expected state, and the codes of its findings.
_CHECKS = {
    "File": ("", "complete; all campaign tables present", "integrity schema append-only"),
    "Hashes": (
        "entry",
        "each linked to the previous one",
        "order hash-chain journal-cell payload call head",
    ),
    "Rules": ("entry", "replayed with the same result", "rules other-rules fold unjudged"),
    "Dice": ("roll", "totals and table results re-checked", "dice roll"),
    "Tables": ("record", "all matching the journal", "projection"),
    "Counters": (
        "counter",
        "each one accounted for",
        "origin fate guard figures",
    ),
    "Casualties": (
        "casualty",
        "each matches its counter's fate, and the winners match the count",
        "casualty winner",
    ),
    "Points": ("allotment", "none overspent", "pool allotment exponent"),
    "Purchases": ("purchase", "all within limits, none altered", ""),  # whatever limit it is
}


@immutable
class CheckRow:
    """A check of an audit: its `title`; the number of things checked, a `figure` or ""; `words`,
    the kind and expected state of these things; and its findings, errors and notices."""

    title: str
    figure: str
    words: str
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        return all(finding.notice for finding in self.findings)


def count_checked_things(
    many: int, entries: Iterable[Entry], campaign: Campaign
) -> Mapping[str, int]:
    """Count the checked things that a seat may know: `many` hashes, the rolls of these entries, and
    the records of this campaign."""
    return {
        "entry": many,
        "roll": sum("roll" in entry.payload for entry in entries),
        "record": sum(map(len, campaign.tables.values())),
        "counter": len([*campaign.counters()]),
        "casualty": len(campaign.casualties),
        "allotment": len(campaign.allotments),
        "purchase": sum(not purchase.draft for purchase in campaign.purchases.values()),
    }


def build_check_rows(figures: Mapping[str, int], findings: Iterable[Finding]) -> list[CheckRow]:
    """Return the checks in order, each with its findings."""
    of = {code: title for title, (_, _, codes) in _CHECKS.items() for code in codes.split()}
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(of.get(finding.code, "Purchases"), []).append(finding)
    rows = []
    for title, (what, asks, _) in _CHECKS.items():
        many = count_text(figures[what], what).partition(" ") if what in figures else ("", "", "")
        words = ", ".join(filter(None, (many[2], asks)))
        rows.append(CheckRow(title, many[0], words, tuple(found.get(title, ()))))
    return rows
