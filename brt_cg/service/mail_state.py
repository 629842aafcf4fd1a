"""The mails to and from the opponent, remembered on this machine by the campaign's own identity;
the side played here; and the entries that cause a fork if both players have continued the
campaign."""

from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import Any

from brt_cg.files import read_state_file, state_file_path, write_state_file
from brt_cg.journal.entries import AHEAD, Entry
from brt_cg.model import Side

FOLDER = "mail"
WHO_AND_WHEN = {"at", "by", "seat", "call", "from", "seed"}  # of an entry, not of its contents
AGAIN = ("note", "discard", "take", AHEAD)  # and drafts, and a side's scenario-end report
WARNING = (
    "this campaign has been sent: if both you and your opponent enter something "
    "before you receive the next mail, it forks; send it again when you are done"
)


def can_be_entered_again(entry: Entry) -> bool:
    """Whether an entry can follow the opponent's entries: a note, a draft, one side's scenario-end
    report."""
    asked = entry.asked
    match entry.kind:
        case "buy":
            return bool(asked.get("draft"))
        case "import":
            return asked.get("side") is not None
        case kind:
            return kind in AGAIN


def causes_fork(entry: Entry) -> bool:
    """Whether an entry cannot exist beside one of the opponent's: an answer, a die, a purchase, an
    undo, a correction. Paragraphs that have only begun are restarted."""
    makes_room = entry.kind == "undo" and "for" in entry.asked
    by_itself = makes_room or entry.kind in ("begin", "skip")
    return not (by_itself or can_be_entered_again(entry))


def count_shared_forking_entries(own: Iterable[Entry], theirs: Iterable[Entry]) -> int:
    """Return the number of forking entries that are the same in both campaigns, from the first one
    on: both players gave the same answer, whoever entered it, when, and with whichever dice."""
    pairs = zip(filter(causes_fork, own), filter(causes_fork, theirs), strict=False)
    return sum(1 for _ in takewhile(lambda pair: _content(pair[0]) == _content(pair[1]), pairs))


def _content(entry: Entry) -> dict[str, Any]:
    return {name: found for name, found in entry.payload.items() if name not in WHO_AND_WHEN}


def newest_entry_opponent_has(campaign: str) -> tuple[int, str] | None:
    """Return the number and hash of the newest entry that the opponent is known to have."""
    found = read_state_file(_file(campaign)).get("received")
    match found:
        case [int(seq), str(digest)]:
            return seq, digest
    return None


def note_entry_opponent_has(
    campaign: str, tip: tuple[int, str], side: Side | None = None, given: int = 0
) -> None:
    """Remember the newest entry that the opponent is known to have, the number of entries that were
    `given` (sent), if the opponent is not known to have them yet, and the side that is played here,
    if known."""
    state: dict[str, Any] = {"received": list(tip)}
    if given > tip[0]:
        state |= {"sent": read_state_file(_file(campaign)).get("sent") is True, "given": given}
    _note(campaign, state, side)


def note_sent(campaign: str, side: Side | None, entries: int) -> None:
    """Remember that the campaign has been sent with this many entries, and the side that is played
    here."""
    _note(campaign, read_state_file(_file(campaign)) | {"sent": True, "given": entries}, side)


def count_entries_opponent_has(campaign: str) -> int | None:
    """Return the number of entries that the opponent has, or will have after reading the newest
    mail; None if nothing was mailed."""
    sent, found = count_given_entries(campaign), newest_entry_opponent_has(campaign)
    numbers = [sent] if sent is not None else []
    return max(numbers + ([found[0]] if found is not None else []), default=None)


def count_given_entries(campaign: str) -> int | None:
    """Return the number of entries with which the campaign was sent, if a mail has been sent since
    the opponent's last one showed all entries of the mail before it."""
    given = read_state_file(_file(campaign)).get("given")
    return given if isinstance(given, int) else None


def side_on_this_machine(campaign: str) -> Side | None:
    """Return the side of this machine's player in a mailed campaign; None if unknown."""
    return Side.from_name(read_state_file(_file(campaign)).get("side"))


def _note(campaign: str, state: dict[str, Any], side: Side | None) -> None:
    here = side or side_on_this_machine(campaign)
    write_state_file(_file(campaign), state | ({"side": here.value} if here is not None else {}))


def take_mail_warning(campaign: str, entries: Iterable[Entry]) -> str | None:
    """Return the warning for a player who makes entries after sending a mail, once; otherwise
    None."""
    if not any(map(causes_fork, entries)):
        return None
    state: dict[str, Any] = read_state_file(_file(campaign))
    if not state.pop("sent", False):
        return None
    write_state_file(_file(campaign), state)
    return WARNING


def _file(campaign: str) -> Path:
    return state_file_path(FOLDER, campaign)
