"""Short heads: 13 letters that a player can write down; and the entries dropped from a campaign.

A short head is the first 65 bits of the hash in base32 (A–Z, 2–7): too many to find another
campaign with the same head by trial and error.
"""

from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from brt_cg.journal.entries import TRANSPARENT, Entry
from brt_cg.model import Seat

LETTERS = 13
SHAPE = f"{LETTERS} letters (A–Z, 2–7), or the 64 hex digits of the hash"


def short_head(digest: str) -> str:
    """Return the short head made from a hash. Raises ValueError if it is not a hash."""
    return b32encode(bytes.fromhex(digest)).decode()[:LETTERS]


def parse_head(text: str) -> str:
    """Return a typed head in the form for `matches_head`. Raises ValueError if it is not a head."""
    typed = "".join(text.split()).replace("-", "")
    if len(typed) == LETTERS and set(typed.upper()) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"):
        return typed.upper()
    if len(typed) == 64 and set(typed.lower()) <= set("0123456789abcdef"):
        return typed.lower()
    raise ValueError(f"{text!r} is not a checksum; enter {SHAPE}")


def matches_head(head: str, digests: Iterable[str]) -> bool:
    """Whether one of the hashes has this head, in its short or full form."""
    if len(head) == LETTERS:
        return head in map(short_head, digests)
    return head in digests


# --- dropped --------------------------------------------------------------------------------------

Heads = Mapping[Seat, Sequence[str]]  # the hashes of each seat's chain, first to last


def dropped_heads(before: Heads, after: Heads) -> dict[str, list[str]]:
    """Return, by seat, the short heads that a campaign had before and no longer has."""
    return {
        seat.value: [
            short_head(digest) for digest in digests if digest not in {*after.get(seat, ())}
        ]
        for seat, digests in before.items()
    }


def heads_recorded_as_dropped(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """Return the short heads, by seat, of the entries that a campaign says it dropped."""
    found: dict[str, set[str]] = {}
    for entry in entries:
        heads: Any = entry.asked.get("dropped") if entry.kind in TRANSPARENT else None
        for seat, dropped in heads.items() if isinstance(heads, dict) else ():
            found.setdefault(str(seat), set()).update(map(str, dropped))
    return found


def entry_that_dropped(entries: Iterable[Entry], seat: Seat, head: str) -> Entry | None:
    """Return the entry that says it dropped the entry with a seat's head, or None."""
    try:
        wanted = head if len(head) == LETTERS else short_head(head)
    except ValueError:
        return None
    for entry in entries:
        heads: Any = entry.asked.get("dropped") if entry.kind in TRANSPARENT else None
        if isinstance(heads, dict) and wanted in (heads.get(seat.value) or ()):
            return entry
    return None
