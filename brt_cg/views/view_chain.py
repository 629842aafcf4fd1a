"""The hash chain of the facts that one side may know; the journal's chain is that of everything.

A link is an answer or command that the side saw, or an undo or redo of one; the link of a command
includes the changes that the side saw. The end of a paragraph is a link if the side saw totals,
date, phase or an announced SAN change in it. Existing links never change, and new ones are only
appended, even after a secret or an undo. So the head in a side's documents can be found in a longer
journal, but not in one whose end was cut off.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from brt_cg.journal.changes import compare_campaigns
from brt_cg.journal.entries import (
    KINDS_OF_PARAGRAPH,
    NO_HASH,
    TIME_TRAVEL,
    Entry,
    canonical_json,
    chain_hash,
)
from brt_cg.journal.journal import Journal
from brt_cg.model import Campaign, Casualty, Side
from brt_cg.views.journal import HEADINGS, cached_per_seat, entries_of_undo, is_hidden_from
from brt_cg.views.journal_rows import answer_source, subject_of_entry
from brt_cg.views.side_view import (
    COURSE,
    WHOLE,
    VisibleCampaign,
    extract_records_and_totals,
    is_paragraph_progress,
    visible_or_empty,
)

SCORES = (*WHOLE, Casualty.TABLE)  # the tables of totals


def view_hashes(journal: Journal, side: Side) -> list[str]:
    """Return the hash of every link, first to last; callers must not change the list."""
    return _hashes(journal, side)


@cached_per_seat
def _hashes(journal: Journal, side: Side | None) -> list[str]:
    return chain_hashes(view_links(journal, side)) if side is not None else []


def chain_hashes(links: Iterable[str]) -> list[str]:
    """Return the hashes of the links of a chain, first to last."""
    hashes: list[str] = []
    for number, link in enumerate(links, start=1):
        hashes.append(chain_hash(hashes[-1] if hashes else NO_HASH, number, link))
    return hashes


def view_head(journal: Journal, side: Side) -> str:
    """Return the hash of the newest link: a side's documents carry it, as the umpire's carry the
    journal's head."""
    hashes = view_hashes(journal, side)
    return hashes[-1] if hashes else NO_HASH


def head_for_view(journal: Journal, side: Side | None) -> str | None:
    """Return the hash in a document of a view."""
    return journal.head if side is None else view_head(journal, side)


def view_links(journal: Journal, side: Side) -> list[str]:
    """Return every link as JSON, first to last."""
    view, ends = VisibleCampaign(side), _Ends(side)
    made = (link for entry in journal.entries for link in _links_of(entry, journal, view, ends))
    return [canonical_json(link) for link in made]


def _links_of(
    entry: Entry, journal: Journal, view: VisibleCampaign, ends: "_Ends"
) -> Iterator[dict[str, Any]]:
    side = view.side
    command = _is_known_command(entry, side)
    if command:
        view.update()
    ends.note_totals(entry, view.fold)
    view.apply_to_whole(entry.changes)
    if entry.kind in TIME_TRAVEL:
        known = entries_of_undo(journal, entry, side)
        ends.update_known(entry, known)
        if known:
            concerned = [[entry.kind, entry.rule, subject_of_entry(entry)] for entry in known]
            yield _link(entry) | {"concerned": concerned}
    elif command:
        ends.known.append(entry.seq)
        changes = view.update(entry.record_form)
        shown = [change for change in changes if not is_paragraph_progress(change)]
        yield _link(entry) | {"changes": shown} | _dropped(entry, side)
    elif entry.kind == "answer" and not is_hidden_from(entry, side):
        ends.known.append(entry.seq)
        keys = ("ask", "answer", "roll")
        source = answer_source(entry, side) if entry.record_form > 1 else {}
        yield _link(entry) | {name: entry.payload.get(name) for name in keys} | source
    yield from ends.paragraph_links(entry, view.fold)


class _Ends:
    """The ends of paragraphs, as links.

    A secret answer may decide which entry ends a paragraph, so a link leaves that entry out, and
    compares the end with the beginning. A paragraph that ends again because a secret was undone is
    not a new link, if the side's knowledge before it and its view of it are the same.
    """

    def __init__(self, side: Side) -> None:
        self.side = side
        self.known: list[int] = []  # the answers and commands, not undone, that the side knows
        self._begun: dict[str | None, Campaign] = {}
        self._ended: set[tuple[int, str]] = set()
        self._seen: Campaign | None = None  # the totals, cached until one changes

    def note_totals(self, entry: Entry, fold: Campaign) -> None:
        """Note the totals at the beginning of a paragraph."""
        if entry.kind in HEADINGS:
            self._begun[entry.rule] = self._totals(fold)
        if any(table in SCORES and name not in COURSE for table, _, name, _, _ in entry.changes):
            self._seen = None

    def update_known(self, entry: Entry, concerned: list[Entry]) -> None:
        """Update `known` after an undo or redo."""
        group = {entry.seq for entry in concerned}
        if entry.kind == "undo":
            self.known = [seq for seq in self.known if seq not in group]
        else:
            self.known += sorted(group)

    def paragraph_links(self, entry: Entry, fold: Campaign) -> Iterator[dict[str, Any]]:
        """Yield the link of an entry that ends a paragraph, if the side saw a change that makes a
        link."""
        if entry.kind not in KINDS_OF_PARAGRAPH or fold.situation.paragraph is not None:
            return
        found, totals = self._begun.get(entry.rule, Campaign()), self._totals(fold)
        if found is totals:
            return
        compared = compare_campaigns(found, totals, entry.record_form)
        changes = [change for change in compared if change[2] not in COURSE]
        link = {"kind": "paragraph", "rule": entry.rule, "changes": changes}
        ending = (self.known[-1] if self.known else 0, canonical_json(link))
        if changes and ending not in self._ended:
            self._ended.add(ending)
            yield link

    def _totals(self, fold: Campaign) -> Campaign:
        """Return the situation and the sides' totals as the side sees them, without progress
        since."""
        if self._seen is None:
            self._seen = visible_or_empty(
                extract_records_and_totals(fold, fold.casualties), self.side
            )
        return self._seen


def _dropped(entry: Entry, side: Side) -> dict[str, Any]:
    """Return the dropped checksums that a side may see: its own."""
    heads = entry.asked.get("dropped")
    return {"dropped": heads.get(side) or []} if isinstance(heads, dict) else {}


def _is_known_command(entry: Entry, side: Side) -> bool:
    return entry.can_be_undone_alone and entry.kind != "answer" and not is_hidden_from(entry, side)


def _link(entry: Entry) -> dict[str, Any]:
    """Return the beginning of the link of an entry; it names the seat if that is known."""
    keys = ("kind", "at", "by", "seat")
    return {name: entry.payload[name] for name in keys if name in entry.payload}
