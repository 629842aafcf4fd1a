"""The ids of counters that arrive hidden, which do not reveal their origin.

Once a counter is known, an id such as `j-sq-1.2` or `pj17-1` would reveal a hidden squad that has
Deployed, or the number of purchases. In a campaign with a key, the id instead has a number that
follows from the key and from that id, and not from any other hidden counter.
"""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain, count, islice

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Piece, Side

HALF, CREW, TUNNEL_PART, LEADER = ".2", "-crew", "-tunnel", "-ldr"
_WORDS = {HALF: "hs", CREW: "crew", TUNNEL_PART: "tun", LEADER: "ldr"}
_NUMBERS = 10**7
_TRIES = 3  # the same random number practically never comes up twice


def new_part_id(campaign: Campaign, whole: Counter, part: str) -> str:
    """Return the id of a new counter that was part of another: "j-sq-1.2" or, if the other is
    hidden and the campaign has a key, "j-hs-4711023"."""
    hides = isinstance(whole, Piece | Fortification) and campaign.side_hiding(whole)
    wanted = f"{whole.id}{part}"
    if not hides or campaign.hidden_ids_key is None:
        return campaign.free_counter_id(wanted)
    return next(
        id for id in _ids(campaign.hidden_ids_key, hides, wanted) if campaign.find(id) is None
    )


def is_part_of(campaign: Campaign, id: str, whole: Counter) -> bool:
    """Whether an id is that of a half-squad or crew that was part of a counter."""
    if id.startswith((f"{whole.id}.", f"{whole.id}{CREW}")):
        return True
    key, side = campaign.hidden_ids_key, whole.side
    if key is None or side is None:
        return False
    return any(
        id.startswith(f"{side[0]}-{_WORDS[part]}-")
        and id in islice(_ids(key, side, f"{whole.id}{part}"), _TRIES)
        for part in (HALF, CREW)
    )


def ids_for_secret_purchase_counters(
    key: str, side: Side, purchase: str, word: str
) -> Iterator[str]:
    """Yield ids for the counters of a secret purchase: "j-gun-0815204", …"""
    return chain.from_iterable(
        islice(_numbered(key, side, f"{purchase}-{number}", word), 1) for number in count(1)
    )


def _ids(key: str, side: Side, wanted: str) -> Iterator[str]:
    word = next(word for part, word in _WORDS.items() if wanted.endswith(part))
    return _numbered(key, side, wanted, word)


def _numbered(key: str, side: Side, wanted: str, word: str) -> Iterator[str]:
    for attempt in count():
        digest = blake2b(f"{wanted}/{attempt}".encode(), key=key.encode(), digest_size=8).digest()
        yield f"{side[0]}-{word}-{int.from_bytes(digest) % _NUMBERS:07}"
