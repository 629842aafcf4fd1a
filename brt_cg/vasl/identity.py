"""The identity of pieces: the counter of each piece of a save, regardless of who placed or made the
piece.

A piece that an import has matched stays that counter. A piece that the program makes has an id
derived from the campaign and the counter, so that two exports agree and nothing has to be stored.
"""

import hmac
from collections.abc import Container, Iterator, Mapping
from dataclasses import field

from brt_cg.immutable import immutable
from brt_cg.model import Phase, Side
from brt_cg.views.view import View

LEAST = 10**17  # ids of pieces that are made have 18 digits; VASSAL's are times and have 13
MOST_AT_ONCE = 3  # made pieces of one counter: one may lie in the bin when the next is made
DEAD, MARKER, UNKNOWN = (
    "dead",
    "marker",
    "unknown",
)  # pieces that are not counters


@immutable
class KnownPieces:
    """The pieces that a campaign knows: the `counters` of pieces, by piece, and the `others`, which
    are DEAD, a MARKER or UNKNOWN. `likely` are the counters that an earlier reading of the same
    save found by likeness; `tied` are the counters whose pieces are known, in this save or an
    earlier one of the same game; `reported` are the sides that have reported this scenario's end.
    `is_first_save` is true until the campaign knows any piece."""

    counters: Mapping[str, str]
    others: Mapping[str, str]
    tied: frozenset[str]
    reported: frozenset[Side] = frozenset()
    is_first_save: bool = False
    likely: Mapping[str, str] = field(default_factory=dict)


def made_id(campaign: str, subject: str, number: int = 0) -> str:
    """Return the id of the piece that is made for a subject: a counter, or a marker on one.
    `campaign` is the campaign's identity."""
    message = f"{subject}/{number}" if number else subject
    digest = hmac.digest(campaign.encode(), message.encode(), "sha256")
    return str(LEAST + int.from_bytes(digest[:8], "big") % (9 * LEAST))


def unused_made_id(campaign: str, subject: str, taken: Container[str]) -> str:
    """Return the first id of a made piece that a save does not hold yet."""
    number = 0
    while (id := made_id(campaign, subject, number)) in taken:
        number += 1
    return id


def known_pieces(book: View, saved: Container[str]) -> KnownPieces:
    """Return the pieces that a seat's campaign knows. `saved` are the pieces of a save. A save with
    none of the known pieces is from a new game in VASL, so none of its pieces belongs to a counter
    yet."""
    imported = book.counters_by_vasl_piece
    counters = imported | dict(_made(book, saved))
    is_of_this_game = any(piece in saved for piece in counters)
    before = book.before_scenario_end if book.sides_with_report else book.campaign
    return KnownPieces(
        counters,
        book.vasl_pieces_without_counter,
        frozenset(counters.values() if is_of_this_game else ()),
        book.sides_with_report,
        before.situation.phase is Phase.PURCHASE,
    )


def _made(book: View, saved: Container[str]) -> Iterator[tuple[str, str]]:
    for counter in book.campaign.counters():
        for number in range(MOST_AT_ONCE):
            piece = made_id(book.campaign_identity, counter.id, number)
            if piece in saved:
                yield piece, counter.id
