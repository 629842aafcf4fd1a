"""An audit as one side may see it: its own hashes, and no finding about an enemy secret. Tampering
with the file is not a secret, but its place may be: if the place of a finding is secret, a side
sees only its kind. A finding about an entry that the side may read gives the number of the row. An
entry that does not follow from the rules is reported to both sides, even if it is the enemy's
secret; if other rules explain it, it is reported only to a side that may know of the entry or sees
a change that it makes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from brt_cg.audit.chain import check_recorded_head_in_chain
from brt_cg.audit.checks import count_checked_things
from brt_cg.audit.finding import Finding, Report
from brt_cg.audit.other_rules import notices_by_version
from brt_cg.card import available_campaign_games, load_card
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model import Seat, Side, seat_of_side, visible_campaign
from brt_cg.text import count_text
from brt_cg.views.journal import is_hidden_from, visible_entries
from brt_cg.views.public_point import visible_journal
from brt_cg.views.side_view import VisibleCampaign
from brt_cg.views.view_chain import view_hashes

# The message that replaces a finding whose place or wording may reveal a secret.
PLAINLY = {
    "journal-cell": "a journal cell is not stored as it should be",
    "order": "an entry is missing, or entries are out of order",
    "hash-chain": "an entry's hash does not match its contents and the previous entry",
    "payload": "an entry is malformed",
    "call": "an entry does not say which invocation made it",
    "fold": "an entry does not fit the campaign at that point",
    "unjudged": "an entry cannot be checked",
    "projection": "a table does not match the journal",
    "schema": "the tables differ from those of a campaign",
    "append-only": "the journal's protection against changes is damaged",
    "integrity": "the file is damaged",
    "rules": "replayed by the rules, an entry gives a different result",
}
OF_RULES, OTHER_RULES = "rules", "other-rules"


def report_for_side(
    entries: Sequence[Entry],
    findings: Sequence[Finding],
    head: str | None,
    side: Side,
    since: int = 0,
) -> Report:
    """Build the report for a side from the umpire's findings; it mentions other rules only for the
    entries after the first `since`."""
    try:
        journal = visible_journal(_book_of(entries), side)
        hashes = view_hashes(journal, side)
        rows = {
            seen.entry: number
            for number, seen in enumerate(visible_entries(journal, side), start=1)
        }
        read = [entry for entry in journal.entries if entry.seq in rows]
        through = count_checked_things(len(hashes), read, visible_campaign(journal.campaign, side))
    except Exception:  # a journal with findings may raise anything in a view
        journal, hashes, rows, through = Journal(lambda: ""), [], {}, {}
    changing = _changing(
        entries, {finding.entry for finding in findings if finding.code == OF_RULES}, side
    )
    new = {entry: row for entry, row in rows.items() if entry > since}
    kept = [*_other_rules(entries, new), *_for_side(findings, rows, changing, side)]
    kept = [
        *dict.fromkeys(kept),
        *check_recorded_head_in_chain(hashes, head, entries, seat_of_side(side)),
    ]
    report = Report.from_findings(len(hashes), hashes[-1] if hashes else None, kept)
    dice = tuple(undone_and_seeded_roll_texts(journal.entries, side)) if report.ok else ()
    return replace(report, dice=dice, figures=through)


def _other_rules(entries: Sequence[Entry], rows: dict[int, int]) -> Iterator[Finding]:
    """Return the notices about other rules, for the side's own rows."""
    made = next((str(entry.asked.get("cg")) for entry in entries if entry.kind == "new"), "")
    if made in available_campaign_games():
        numbered = ((rows[entry.seq], entry) for entry in entries if entry.seq in rows)
        yield from notices_by_version(numbered, load_card(made), "rows", entries)


def _book_of(entries: Sequence[Entry]) -> Journal:
    journal = Journal(lambda: "")
    try:
        journal.load(entries)
    except ValueError:
        journal = Journal(lambda: "")
        for entry in entries:
            journal.append_unchecked(entry)
    return journal


def _changing(entries: Sequence[Entry], wanted: set[int | None], side: Side) -> set[int | None]:
    """Return the wanted entries that change the side's view."""
    found: set[int | None] = set()
    view = VisibleCampaign(side)
    try:
        for entry in entries if wanted else ():
            if entry.seq in wanted:
                view.update()
            view.apply_to_whole(entry.changes)
            if entry.seq in wanted and view.update():
                found.add(entry.seq)
    except Exception:  # without a view, any of them may be visible
        return wanted
    return found


def _for_side(
    findings: Sequence[Finding], rows: dict[int, int], changing: set[int | None], side: Side
) -> Iterator[Finding]:
    for finding in findings:
        row = rows.get(finding.entry or 0)
        if finding.code == OTHER_RULES:
            continue  # reported for the side's own rows
        if finding.code == OF_RULES:
            yield from _of_rules(finding, row, finding.entry in changing, side)
        elif finding.code in PLAINLY:
            hidden = row is None or finding.secret is side.enemy
            yield _plain(finding) if hidden else _of_row(finding, row or 0)
        elif finding.secret is side.enemy or (finding.entry is not None and row is None):
            continue
        elif row is not None:
            yield _of_row(finding, row)
        else:
            yield finding


def _of_rules(finding: Finding, row: int | None, changing: bool, side: Side) -> Iterator[Finding]:
    secret = finding.secret is side.enemy
    if row is not None and not (secret or finding.belied):
        yield _of_row(finding, row)
    elif not finding.notice or finding.belied or changing or not secret:
        yield _plain(finding)


def _plain(finding: Finding) -> Finding:
    return Finding(finding.code, "journal", PLAINLY[finding.code], notice=finding.notice)


def _of_row(finding: Finding, row: int) -> Finding:
    """Return the finding about an entry that the side may read: an odd time or source is quoted
    unchanged."""
    words = finding.what if finding.code == "payload" else PLAINLY.get(finding.code, finding.what)
    what = f"row {row} of the journal: {words}"
    return replace(finding, what=what, records=(str(row),), entry=None, row=row)


# --- undone rolls and rolls with seeds, by seat ---------------------------------------------------


def undone_and_seeded_roll_texts(entries: Sequence[Entry], side: Side | None) -> Iterator[str]:
    """Yield a sentence for each seat that undid a roll or rolled with a seed, if a side (None: the
    umpire) may know of it."""
    for seat in (*Seat, None):
        made = [entry for entry in entries if entry.seat is seat]
        back = sum(_count_undone_rolls(entry, entries, side) for entry in made)
        seeded = [e for e in made if e.payload.get("seed") is not None and _is_known(e, side)]
        undone, many = count_text(back, "roll"), count_text(len(seeded), "roll")
        if seat is None:
            parts = [f"{undone} undone"] if back else []
            parts += [f"{many} made by the program with {_seeds(seeded, side)}"] if seeded else []
            if parts:
                yield f"{', '.join(parts)}; no player was recorded"
            continue
        parts = [f"undid {undone}"] if back else []
        parts += [f"made {many} with {_seeds(seeded, side)}"] if seeded else []
        if parts:
            yield f"{seat.label} {' and '.join(parts)}"


def _seeds(seeded: Sequence[Entry], side: Side | None) -> str:
    """Return the number of seeds in words; a side knows only its own number."""
    if side is not None and (seeded[0].seat is None or seeded[0].seat.side is not side):
        return "a seed"
    return count_text(len({entry.payload["seed"] for entry in seeded}), "seed")


def _count_undone_rolls(entry: Entry, entries: Sequence[Entry], side: Side | None) -> int:
    if entry.kind != "undo":
        return 0
    concerned = (entries[seq - 1] for seq in entry.asked["entries"])
    return sum("roll" in each.payload and _is_known(each, side) for each in concerned)


def _is_known(entry: Entry, side: Side | None) -> bool:
    return side is None or not is_hidden_from(entry, side)
