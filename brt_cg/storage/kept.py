"""A campaign open for the next entry, in a file or on a server."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.journal.book import Book
from brt_cg.journal.entries import Entry
from brt_cg.storage import reader
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import Damaged
from brt_cg.storage.file import CampaignFile
from brt_cg.storage.place import Address, Place
from brt_cg.storage.requests import Beside

if TYPE_CHECKING:
    from brt_cg.storage.server import ServerCampaign


class Kept(Protocol):
    """The storage of one campaign: a file, or a schema of a server. All methods raise StorageError
    with a message for players and then store nothing."""

    def write(
        self, entries: Sequence[Entry], campaign: Campaign, beside: Beside | None = None
    ) -> None:
        """Stores entries and the projection of the campaign after them, durably and as a whole;
        with `beside` them, where the campaign has seats.

        Raises MovedOn if there are entries that these do not follow.
        """

    def close(self) -> None:
        """Closes it."""


def create(place: Place) -> Kept:
    """A new campaign, made together with its first entry. Raises StorageError if there is one of
    that name."""
    if isinstance(place, Path):
        return CampaignFile.create(place)
    return _server(place).create(place)


def open_(place: Place, backs_up: bool = True) -> Kept:
    """An existing campaign. Upgrades an older one, a file after a backup unless `backs_up` is
    false. Raises NotACampaign, NoBackup, or NewerFile if a newer brt-cg made it."""
    if isinstance(place, Path):
        return CampaignFile.open(place, backs_up)
    return _server(place).open(place)


def copy(source: Place, target: Place) -> tuple[int, str]:
    """Copies a campaign to a new place, entry by entry, as a whole or not at all. Returns the
    number of entries and the hash of the newest. Raises StorageError."""
    book = Book(lambda: "")
    reader.load(book, source)
    if not book.entries:
        raise Damaged(f"{source} holds no entry")
    made = create(target)
    try:
        made.write(book.entries, book.campaign)
    finally:
        made.close()
    return len(book.entries), book.entries[-1].hash


def _server(address: Address) -> "type[ServerCampaign]":
    engine_of(address)  # says what is missing
    from brt_cg.storage.server import ServerCampaign

    return ServerCampaign


def seat_of(place: Place) -> Side | None:
    """The side whose seat is all that the role of an address may see; None for all other roles.
    Raises StorageError."""
    if isinstance(place, Path):
        return None
    engine_of(place)  # says what is missing
    from brt_cg.storage import seats

    return seats.seat_of(place)
