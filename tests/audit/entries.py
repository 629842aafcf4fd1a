"""Well-hashed entries, and what the checks of their meaning find in them."""

from collections.abc import Iterable
from typing import Any

from brt_cg.audit import entry_checks
from brt_cg.audit.finding import Finding
from brt_cg.journal.changes import compare_campaigns
from brt_cg.journal.entries import Entry, make_next_entry
from brt_cg.journal.rules_version import current_rules
from brt_cg.model.campaign import Campaign
from brt_cg.model.encoding import FORM, encode_record

NOON = "2026-01-01T12:00:00Z"
DRESS = {"by": "players", "at": NOON, "rules": str(current_rules("III")), "call": 1, "form": FORM}


def journal(*payloads: dict[str, Any]) -> list[Entry]:
    """Well-hashed entries of these payloads."""
    entries: list[Entry] = []
    for number, payload in enumerate(payloads, start=1):
        entries.append(make_next_entry(entries, DRESS | {"call": number, "changes": []} | payload))
    return entries


def on(campaign: Campaign, *payloads: dict[str, Any]) -> list[Finding]:
    """What the checks of the meaning find in entries on a campaign, which the first one sets up."""
    everything = compare_campaigns(Campaign(), campaign)
    first = {"kind": "redo", "changes": everything}
    entries = journal(first, *payloads)
    folded, findings = entry_checks.apply_entries_and_check(entries)
    return [*findings, *entry_checks.check_final_state(folded, entries)]


def only(findings: Iterable[Finding], code: str) -> Finding:
    (found,) = [one for one in findings if one.code == code]
    return found


def adds(record: Any) -> list[Any]:
    return [record.TABLE, record.id, "", None, encode_record(record)]
