"""The journal's own integrity: numbers, payloads, hashes, and its end."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from brt_cg.audit.finding import Finding, quote_value
from brt_cg.immutable import immutable
from brt_cg.journal import payload_checks
from brt_cg.journal.entries import (
    NO_HASH,
    TRANSPARENT,
    Entry,
    canonical_json,
    chain_hash,
    log_lines_from_json,
    log_lines_to_json,
)
from brt_cg.journal.heads import entry_that_dropped, matches_head
from brt_cg.model import Seat
from brt_cg.questions import Dice, RollKey, SeededDice
from brt_cg.refit.log_line import LogLine
from brt_cg.storage.cells import storage_class
from brt_cg.storage.reader import RawEntry

JOURNAL = "journal"
UNREADABLE = "unreadable"  # the kind of the substitute for an entry that is lost or unreadable
CELLS = {"seq": "integer", "payload": "text", "hash": "text", "said": "text"}


@immutable
class ReadEntry:
    """The entry of a row of the journal. If `problems` shows that it cannot be read, it is a
    substitute of the kind UNREADABLE without changes."""

    entry: Entry
    problems: tuple[str, ...]


def read_entries(rows: Sequence[RawEntry]) -> list[ReadEntry]:
    """Read the entries of the rows that can be read."""
    found: list[ReadEntry] = []
    before = 0
    for row in rows:
        before = _number(row, before, len(rows))
        found.append(_read_entry(row, before))
    return found


def _number(row: RawEntry, before: int, most: int) -> int:
    """Return the number of a row, or the next number if the row's own is not higher than the last
    one, or is far too high."""
    number = row.seq
    if type(number) is int and before < number <= before + most + 1:
        return number
    return before + 1


def _read_entry(row: RawEntry, seq: int) -> ReadEntry:
    said, wrong_said = _said(row.said)
    digest = str(row.hash)
    try:
        text, payload = _payload(row.payload)
        wrong = list(payload_checks.payload_problems(payload, seq))
    except (ValueError, RecursionError) as error:
        wrong = [f"its payload is not canonical JSON ({error})"]
    if wrong:
        return ReadEntry(_placeholder(seq, digest), (*wrong, *wrong_said))
    odd = payload_checks.payload_oddities(payload)
    return ReadEntry(Entry(seq, text, digest, payload, said), (*odd, *wrong_said))


def _payload(value: object) -> tuple[str, Any]:
    """Return the payload's text and its contents. Raises ValueError if it is not canonical."""
    text = _text(value)
    payload = json.loads(text)
    if canonical_json(payload) != text:
        raise ValueError("keys in order, no spaces, no fractions")
    return text, payload


def _text(value: object) -> str:
    """Read a cell as text; bytes are decoded. Raises ValueError."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if not isinstance(value, str):
        raise ValueError(f"{quote_value(value)} is not text")
    value.encode("utf-8")  # stray bytes become lone surrogates, which UTF-8 cannot encode
    return value


def _said(value: object) -> tuple[tuple[LogLine, ...], list[str]]:
    try:
        text = _text(value)
        said = log_lines_from_json(text)
        parts = [part for sentence in said for part in (sentence.text, *sentence.about)]
        whole = payload_checks.matches_form(parts, [str]) and log_lines_to_json(said) == text
    except (ValueError, TypeError, RecursionError):
        return (), ["its sentences cannot be read"]
    return (said, []) if whole else ((), ["its sentences are not in the correct format"])


def _placeholder(seq: int, digest: str) -> Entry:
    unknown = {"kind": UNREADABLE, "changes": [], "by": "", "at": "", "rules": "", "call": seq}
    return Entry(seq, canonical_json(unknown), digest, unknown)


def fill_missing_entries(found: Sequence[ReadEntry]) -> list[Entry]:
    """Return the entries, with one of the kind UNREADABLE for each missing number."""
    entries: list[Entry] = []
    for row in found:
        entries += (_placeholder(seq, "") for seq in range(len(entries) + 1, row.entry.seq))
        entries.append(row.entry)
    return entries


# --- the checks -----------------------------------------------------------------------------------


def check_raw_rows(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Check the rows before their payloads are interpreted."""
    for check in (check_cell_types, check_numbering, check_hashes):
        yield from check(rows)


def check_cell_types(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Check that every cell of the journal has the right storage class."""
    for number, row in enumerate(rows, start=1):
        for name, kind in CELLS.items():
            found = storage_class(getattr(row, name))
            if found != kind:
                what = f"row {number} of the journal: {name} is stored as {found}, not {kind}"
                yield Finding("journal-cell", JOURNAL, what, (str(number),))


def check_numbering(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Check that entries are numbered 1, 2, 3, … without a gap."""
    due = 1
    for number, row in enumerate(rows, start=1):
        found = row.seq
        if found != due:
            what = (
                f"row {number} of the journal has the number "
                f"{quote_value(found)}, but should have {due}"
            )
            yield Finding("order", JOURNAL, what, (str(found),))
        due = (found if type(found) is int else due) + 1


def check_hashes(rows: Sequence[RawEntry]) -> Iterator[Finding]:
    """Check that each entry's hash matches its payload, its number and the previous hash."""
    before = NO_HASH
    for row in rows:
        if _hash_after(before, row) != row.hash:
            what = (
                f"entry {quote_value(row.seq)}: its hash does not match its contents and the "
                f"previous entry"
            )
            yield Finding("hash-chain", JOURNAL, what, (str(row.seq),))
        before = str(row.hash)


def _hash_after(before: str, row: RawEntry) -> str | None:
    try:
        return chain_hash(before, int(str(row.seq)), str(row.payload))
    except ValueError:
        return None


def check_payloads(found: Sequence[ReadEntry]) -> Iterator[Finding]:
    """Check that each payload is canonical JSON in the form of an entry, and that its sentences are
    readable."""
    for row in found:
        for problem in row.problems:
            yield malformed_entry_finding(row.entry.seq, problem)


def malformed_entry_finding(seq: int, problem: str) -> Finding:
    """Return the finding that an entry is malformed."""
    return Finding("payload", JOURNAL, problem, (str(seq),), entry=seq)


def check_seeded_dice(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Check that the program's seeded dice match the seed."""
    for entry in entries:
        due = dice_given_by_seed(entry)
        if due is not None and entry.payload["roll"]["dice"] != due:
            found, right = (
                ",".join(map(str, dice)) for dice in (entry.payload["roll"]["dice"], due)
            )
            what = f"its dice are {found}, but its seed gives {right}"
            rule, secret = entry.payload["ask"]["rule"], entry.secret
            yield Finding("dice", rule, what, (str(entry.seq),), secret, entry.seq)


def dice_given_by_seed(entry: Entry) -> list[int] | None:
    """Return the dice that the seed of an entry gives for its roll; None for an entry without
    one."""
    roll, seed = entry.payload.get("roll"), entry.payload.get("seed")
    if roll is None or seed is None:
        return None
    ask = entry.payload["ask"]
    key = RollKey(roll["date"], ask["rule"], ask["subject"], roll["position"])
    dice = Dice.ONE if len(roll["dice"]) == 1 else Dice.TWO
    return list(SeededDice(seed).roll(dice, key))


def check_invocations(entries: Sequence[Entry], last: Entry | None = None) -> Iterator[Finding]:
    """Check that each entry begins an invocation or belongs to the previous one, and that one
    invocation comes from one program; `last` is the last invocation before these entries."""
    before, rules = (0, "") if last is None else (last.invocation, str(last.payload["rules"]))
    for entry in entries:
        call, now = entry.invocation, str(entry.payload["rules"])
        if call not in (before, entry.seq):
            what = f"it claims to belong to the same command as entry {call}, but does not"
            yield Finding("call", JOURNAL, what, (str(entry.seq),), entry=entry.seq)
        elif call == before and "" not in (rules, now) and now != rules:
            what = (
                f"its rules are {now}, but the previous entry, from the same invocation, "
                f"has {rules}"
            )
            yield Finding("call", JOURNAL, what, (str(entry.seq),), entry=entry.seq)
        before, rules = call, now


def check_recorded_head_in_chain(
    hashes: Sequence[str],
    head: str | None,
    entries: Sequence[Entry] = (),
    seat: Seat = Seat.UMPIRE,
) -> Iterator[Finding]:
    """Check that the head in a record (short or full) occurs in a seat's chain, which shows that
    the end of the chain has not been cut off since. If an entry says that it dropped that head, it
    is not an error."""
    if head is None or matches_head(head, hashes):
        return
    dropper = entry_that_dropped(entries, seat, head)
    lossy = next((entry for entry in entries if entry.asked.get("lost") is True), None)
    if dropper is not None:
        what = f"the checksum {head} is from before the {dropper.kind} of {dropper.payload['at']}"
        yield Finding("head", JOURNAL, f"{what}, which dropped that entry", notice=True)
    elif lossy is not None and lossy.kind in TRANSPARENT:
        what = (
            f"the checksum {head} is not in the journal; it may be from before the {lossy.kind} of "
        )
        what += f"{lossy.payload['at']}, in which entries were lost"
        yield Finding("head", JOURNAL, what, notice=True)
    else:
        newest = hashes[-1] if hashes else "none"
        what = (
            f"the checksum {head} is not in the journal, whose checksum is {newest} after "
            f"{len(hashes)} entries: its end was cut off, or it is a different journal"
        )
        yield Finding("head", JOURNAL, what)
