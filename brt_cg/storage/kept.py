"""A campaign open for the next entry, wherever it is kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.journal.changes import apply
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
    """What holds the entries: a file, or a schema of a server. All raise StorageError with a
    message for players; nothing is stored then."""

    def write(
        self, entries: Sequence[Entry], campaign: Campaign, beside: Beside | None = None
    ) -> None:
        """Stores entries and the projection of the campaign after them, durably, as a whole; where
        the campaign has seats, with what is to be stored beside them.

        Raises MovedOn if there are entries that these do not follow.
        """

    def close(self) -> None:
        """Lets go of it."""


def create(place: Place) -> Kept:
    """A new campaign, which is made together with its first entry. Raises StorageError if there is
    one of that name."""
    if isinstance(place, Path):
        return CampaignFile.create(place)
    return _server(place).create(place)


def open_(place: Place, backs_up: bool = True) -> Kept:
    """A campaign that is there; an older one is upgraded, a file after a backup unless `backs_up`
    is false. Raises NotACampaign, NoBackup, or NewerFile if a newer brt-cg made it."""
    if isinstance(place, Path):
        return CampaignFile.open(place, backs_up)
    return _server(place).open(place)


def copy(source: Place, target: Place) -> tuple[int, str]:
    """Copies a campaign to a new place, entry by entry, as a whole or not at all; how many there
    are, and the hash of the newest. Raises StorageError."""
    campaign = Campaign()
    entries = []
    for entry in reader.stream(source):
        apply(campaign, entry.changes)
        entries.append(entry)
    if not entries:
        raise Damaged(f"{source} holds no entry")
    made = create(target)
    try:
        made.write(entries, campaign)
    finally:
        made.close()
    return len(entries), entries[-1].hash


def _server(address: Address) -> "type[ServerCampaign]":
    engine_of(address)  # says what is missing
    from brt_cg.storage.server import ServerCampaign

    return ServerCampaign


def seat_of(place: Place) -> Side | None:
    """The side whose player may look at a campaign only from his seat, as the role of an address
    says; None for everybody else. Raises StorageError."""
    if isinstance(place, Path):
        return None
    engine_of(place)  # says what is missing
    from brt_cg.storage import seats

    return seats.seat_of(place)
