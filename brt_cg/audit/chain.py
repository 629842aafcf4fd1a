"""The journal's own integrity: numbers, payloads, hashes, and its tail."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from brt_cg.audit.finding import Finding
from brt_cg.journal.entries import NO_HASH, canonical, chain_hash
from brt_cg.storage.reader import RawEntry

JOURNAL = "journal"


def cells(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Every cell of the journal is of its storage class."""
    wanted = {"seq": "integer", "payload": "text", "hash": "text", "said": "text"}
    for number, row in enumerate(rows, start=1):
        for name, kind in wanted.items():
            _, found = getattr(row, name)
            if found != kind:
                message = f"row {number} of the journal: {name} is stored as {found}, not {kind}"
                yield Finding("journal-cell", JOURNAL, message, (str(number),))


def order(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Entries are numbered 1, 2, 3, … without a gap."""
    for number, row in enumerate(rows, start=1):
        if row.seq[0] != number:
            message = f"row {number} of the journal has the number {row.seq[0]}"
            yield Finding("order", JOURNAL, message, (str(row.seq[0]),))


def hashes(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Each entry's hash is that of its payload, its number and the hash before it."""
    before = NO_HASH
    for row in rows:
        made = chain_hash(before, _number(row), str(row.payload[0]))
        if made != row.hash[0]:
            message = f"entry {row.seq[0]}: its hash does not follow from it and the one before"
            yield Finding("hash-chain", JOURNAL, message, (str(row.seq[0]),))
        before = str(row.hash[0])


def _number(row: RawEntry) -> int:
    return row.seq[0] if isinstance(row.seq[0], int) else -1


def payloads(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Each payload is canonical JSON of an entry's shape."""
    for row in rows:
        problem = _payload_problem(str(row.payload[0]))
        if problem:
            message = f"entry {row.seq[0]}: {problem}"
            yield Finding("payload", JOURNAL, message, (str(row.seq[0]),))


def _payload_problem(text: str) -> str | None:
    try:
        payload: Any = json.loads(text)
        if canonical(payload) != text:
            return "its payload is not written canonically"
    except ValueError as error:
        return f"its payload is not JSON ({error})"
    if not isinstance(payload, dict):
        return "its payload is not an object"
    wanted = {"kind": str, "changes": list, "by": str, "at": str, "rules": str, "call": int}
    wrong = [name for name, kind in wanted.items() if not isinstance(payload.get(name), kind)]
    return f"its payload lacks {', '.join(wrong)}" if wrong else None


def tail(hashes: Sequence[str], head: str | None) -> Iterator[Finding]:
    """The hash that a record carries stands in the journal: nothing was cut off since."""
    if head is not None and head not in hashes:
        newest = hashes[-1] if hashes else "none"
        message = (
            f"the head {head} is not in the journal, whose head is {newest} after {len(hashes)} "
            "entries: its tail was cut off, or it is another journal"
        )
        yield Finding("head", JOURNAL, message)
