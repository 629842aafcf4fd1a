"""The state of a campaign that each seat last saw, remembered on this machine, so that a file that
is not a continuation of it is reported immediately.

For each campaign (identified by its first head) at each place, the memory holds the short heads of
the seat's chain; for each place, it holds the campaign that was there.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from brt_cg.commands.registry import COMMANDS
from brt_cg.files import read_state_file, write_state_file
from brt_cg.immutable import immutable
from brt_cg.journal.entries import TIME_TRAVEL, TRANSPARENT, Entry
from brt_cg.journal.heads import short_head
from brt_cg.journal.journal import Journal
from brt_cg.model import Seat, Side, seat_of_side
from brt_cg.refit.sequence import TITLES
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.seen_places import last_seen_campaign_file, seen_heads_file
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.place import Place
from brt_cg.text import count_text
from brt_cg.views.journal_rows import subject_of_entry, title_of_entry
from brt_cg.views.public_point import visible_journal
from brt_cg.views.view_chain import view_hashes, view_links

CHANGED = {"restore": "replaced by a backup", "take": "joined with a mail"}


@immutable
class Divergence:
    """The divergence of a file from the campaign that a seat saw: `seen` is the number of entries
    seen, and `agree` the number of those that are in the file. `last` is the last common entry in
    words, `found` the entry that follows it in the file, if any, and `by` an entry that says that
    it dropped the rest."""

    side: Side | None
    seen: int
    head: str
    agree: int
    last: str
    found: str
    by: Entry | None = None

    def text(self, file: str, accepting: str = "") -> str:
        """Return the message, with the file as the player names it; `accepting` is the command that
        accepts it."""
        seat = seat_of_side(self.side)
        had = f"{count_text(self.seen, 'entry')} that the {seat.label} seat saw"
        if self.by is not None:
            gone, when = self.seen - self.agree, self.by.payload["at"]
            rest = "is no longer in it" if gone == 1 else "are no longer in it"
            if self.by.asked.get("took") == "joined":
                rest = "now comes" if gone == 1 else "now come"
                rest += " after the entries from the mail"
            how = CHANGED.get(self.by.kind, f"changed by {self.by.kind}")
            who = f" by the {self.by.seat.label} seat" if self.by.seat is not None else ""
            return f"{file} was {how}{who} at {when}: the last {gone} of the {had} {rest}"
        option = f" --side {seat}" if self.side else ""
        accept = accepting or f"to use it anyway, run brt-cg status {file}{option} --accept"
        if not self.agree:
            other = f"{file} holds a different campaign than before"
            return f"{other}, without any of the {had}; {accept}"
        here = f", and continues with {self.found}" if self.found else ", where it ends"
        return (
            f"{file} is not a continuation of the campaign last seen: it has only the first "
            f"{self.agree} of the {had} (checksum "
            f"{self.head}), up to {self.last}{here}; {accept}"
        )


def find_divergence_or_remember(desk: CampaignReader) -> Divergence | None:
    """Return the divergence of a campaign from its state when its seat last saw it. If it continues
    that state, remember it as seen and return None. If an entry says that it dropped the missing
    entries, report that only once."""
    side, chain = desk.side, _chain_of(desk, desk.side)
    if not len(chain):
        return None
    was = read_state_file(last_seen_campaign_file(desk.path, side)).get("campaign")
    known = _known(chain.head_at(0), desk.path, side)
    if (
        not known
        and isinstance(was, str)
        and was != chain.head_at(0)
        and (before := _known(was, desk.path, side))
    ):
        return Divergence(side, len(before), before[-1], 0, "", chain.entry_text(0))
    agree = _agreeing(chain, known)
    if agree == len(known):
        _remember(chain, known, desk.path, side)
        return None
    gone = _missing(desk, side, known[agree:])
    if not gone:
        return None
    last, found = chain.entry_text(agree - 1), chain.entry_text(agree) if agree < len(chain) else ""
    by = _explained(desk, side, gone)
    if by is not None:
        _remember(chain, known[:agree], desk.path, side)
        agree = len(known) - len(gone)
    return Divergence(side, len(known), known[-1], agree, last, found, by)


def count_lost_entries(desk: CampaignReader, place: Place) -> dict[Seat, int]:
    """Count the entries that a seat saw at a place on this machine but that are not in a campaign,
    although no entry says that it dropped them."""
    found = {}
    for side in (None, *Side):
        chain = _chain_of(desk, side)
        known = _known(chain.head_at(0), place, side) if len(chain) else []
        left = _missing(desk, side, known[_agreeing(chain, known) :])
        if left and _explained(desk, side, left) is None:
            found[seat_of_side(side)] = len(left)
    return found


def remember_seen_if_continued(desk: CampaignReader) -> None:
    """Remember a campaign as seen by its seat, if it continues the state seen before."""
    side, chain = desk.side, _chain_of(desk, desk.side)
    known = _known(chain.head_at(0), desk.path, side) if len(chain) else []
    if len(chain) and _agreeing(chain, known) == len(known):
        _remember(chain, known, desk.path, side)


def accept_as_seen(desk: CampaignReader) -> None:
    """Remember a campaign in its current state, whatever its seat saw before."""
    side, chain = desk.side, _chain_of(desk, desk.side)
    if len(chain):
        _remember(chain, [], desk.path, side)


def _known(first: str, place: Place, side: Side | None) -> list[str]:
    heads = read_state_file(seen_heads_file(first, place, side)).get("heads")
    return [str(head) for head in heads] if isinstance(heads, list) else []


def _remember(chain: "_Chain", known: Sequence[str], place: Place, side: Side | None) -> None:
    """Save the heads of a chain; the known ones are not computed again."""
    first = chain.head_at(0)
    if len(known) < len(chain):
        heads = [*known, *(chain.head_at(number) for number in range(len(known), len(chain)))]
        write_state_file(seen_heads_file(first, place, side), {"heads": heads})
    at = last_seen_campaign_file(place, side)
    if read_state_file(at).get("campaign") != first:
        write_state_file(at, {"campaign": first})


def _agreeing(chain: "_Chain", known: Sequence[str]) -> int:
    """Return the number of known heads that are in a chain. A bisection finds it, because a head
    covers all entries before it."""
    low, high = 0, min(len(known), len(chain))
    while low < high:
        middle = (low + high + 1) // 2
        same = known[middle - 1] == chain.head_at(middle - 1)
        low, high = (middle, high) if same else (low, middle - 1)
    return low


def _missing(desk: CampaignReader, side: Side | None, heads: Sequence[str]) -> list[str]:
    """Return the heads of a seat that are not in a campaign, not even after the point to which the
    seat sees it while it waits for something that only the opponent may know."""
    if side is None:
        return [*heads]
    there = {short_head(digest) for digest in view_hashes(unrestricted_campaign(desk), side)}
    return [head for head in heads if head not in there]


def _explained(desk: CampaignReader, side: Side | None, gone: Sequence[str]) -> Entry | None:
    """Return the entry that says that it dropped these heads of a seat; of several that say so
    together, because a mail's entry leaves out what an earlier one names, return the last."""
    left = {*gone}
    for entry in unrestricted_campaign(desk).entries:
        heads: Any = entry.asked.get("dropped") if entry.kind in TRANSPARENT else None
        if isinstance(heads, dict):
            left -= {*(heads.get(seat_of_side(side).value) or ())}
            if not left:
                return entry
    return None


# --- the chain of a seat --------------------------------------------------------------------------


def _chain_of(desk: CampaignReader, side: Side | None) -> "_Chain":
    journal = unrestricted_campaign(desk)
    return _Entries(journal) if side is None else _Links(visible_journal(journal, side), side)


class _Chain:
    """The chain of a seat, numbered from 0."""

    def __len__(self) -> int:
        raise NotImplementedError

    def head_at(self, number: int) -> str:
        """Return the short head."""
        raise NotImplementedError

    def entry_text(self, number: int) -> str:
        """Return the kind of an entry, in words."""
        raise NotImplementedError


class _Entries(_Chain):
    """The umpire's chain: every entry, read back only when it is needed."""

    def __init__(self, journal: Journal) -> None:
        self._entries = journal.entries

    def __len__(self) -> int:
        return len(self._entries)

    def head_at(self, number: int) -> str:
        return short_head(self._entries[number].hash)

    def entry_text(self, number: int) -> str:
        entry = self._entries[number]
        what = " ".join(filter(None, (entry.rule, title_of_entry(entry), subject_of_entry(entry))))
        return f"entry {number + 1} ({what})"


class _Links(_Chain):
    """A side's chain: the entries that it may know."""

    def __init__(self, journal: Journal, side: Side) -> None:
        self._journal, self._side = journal, side
        self._hashes = view_hashes(journal, side)

    def __len__(self) -> int:
        return len(self._hashes)

    def head_at(self, number: int) -> str:
        return short_head(self._hashes[number])

    def entry_text(self, number: int) -> str:
        link = json.loads(view_links(self._journal, self._side)[number])
        return f"entry {number + 1} ({' '.join(_named(link))})"


def _named(link: dict[str, Any]) -> Iterator[str]:
    """Yield a link in words: its paragraph or command, and its subject."""
    ask = link.get("ask") or {}
    rule = ask.get("rule") or link.get("rule")
    if rule:
        yield from filter(None, (rule, TITLES.get(rule), ask.get("subject")))
    elif link["kind"] in TIME_TRAVEL:
        yield link["kind"].capitalize()
    else:
        yield COMMANDS[link["kind"]].title if link["kind"] in COMMANDS else link["kind"]
