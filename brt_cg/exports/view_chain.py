"""The hash chain of what one side may know, as the journal's chain is of everything.

A link is an answer or command that the side saw, or an undo or redo of one; of a command with what
the side saw it change. Links never change and are only added to, whatever secret or undo comes
after, so a head that a side's records carry is found again in a journal that has gone on, and not
in one whose tail was cut off.
"""

from collections.abc import Iterator
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.exports.side_rows import is_hidden, side_changes, travelled, view_of
from brt_cg.exports.told import subject_of
from brt_cg.journal.book import Book
from brt_cg.journal.changes import apply
from brt_cg.journal.entries import NO_HASH, TIME_TRAVEL, Entry, canonical, chain_hash


def view_hashes(book: Book, side: Side) -> list[str]:
    """The hash of every link, first to last."""
    hashes: list[str] = []
    for link in _links(book, side):
        before = hashes[-1] if hashes else NO_HASH
        hashes.append(chain_hash(before, len(hashes) + 1, canonical(link)))
    return hashes


def view_head(book: Book, side: Side) -> str:
    """The hash of the newest link: what a side's documents carry, as the umpire's carry the
    journal's head."""
    hashes = view_hashes(book, side)
    return hashes[-1] if hashes else NO_HASH


def _links(book: Book, side: Side) -> Iterator[dict[str, Any]]:
    fold = Campaign()
    for entry in book.entries:
        before = view_of(fold, side) if _is_known_command(entry, side) else None
        apply(fold, entry.changes)
        if entry.kind in TIME_TRAVEL:
            known = travelled(book, entry, side)
            if known:
                concerned = [[one.kind, one.rule, subject_of(one)] for one in known]
                yield _link(entry) | {"concerned": concerned}
        elif before is not None:
            yield _link(entry) | {"changes": side_changes(before, view_of(fold, side))}
        elif entry.kind == "answer" and not is_hidden(entry, side):
            told = ("ask", "answer", "roll")
            yield _link(entry) | {name: entry.payload.get(name) for name in told}


def _is_known_command(entry: Entry, side: Side) -> bool:
    return entry.stands_alone and entry.kind != "answer" and not is_hidden(entry, side)


def _link(entry: Entry) -> dict[str, Any]:
    return {"kind": entry.kind, "at": entry.payload["at"], "by": entry.payload["by"]}
