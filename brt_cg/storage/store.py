"""A campaign open for the next entry, in a file or on a server; its backups are made here."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, Entry
from brt_cg.journal.journal import Journal
from brt_cg.model import BETWEEN, Campaign
from brt_cg.storage import backups, reader
from brt_cg.storage.backups import BackupReason
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import BackupError, DamagedError
from brt_cg.storage.place import Address, Place


class Store(Protocol):
    """A campaign open for the next entry: a `CampaignFile` or a `ServerCampaign`."""

    def write_with_notices(self, entries: Sequence[Entry], campaign: Campaign) -> list[str]: ...
    def close(self) -> None: ...


def prepare_new_store(place: Place) -> Store:
    """Return a new campaign, made together with its first entry. Raises StorageError if there is
    one with that name."""
    kept: Store = _kind_of(place).prepare_new(place)
    return kept


def open_upgraded_store(place: Place, backs_up: bool = True) -> Store:
    """Return an existing campaign. An older one is upgraded, a file after a backup unless
    `backs_up` is false. Raises NotACampaignError, BackupError, or NewerFileError if a newer brt-cg
    made it."""
    kept: Store = _kind_of(place).open_upgraded(place, backs_up)
    return kept


def _kind_of(place: Place) -> Any:
    """Return the class for a place. It is imported here, because only storing something needs
    it."""
    if isinstance(place, Path):
        from brt_cg.storage.campaign_file import CampaignFile

        return CampaignFile
    engine_of(place)  # raises an error if the extra is missing
    from brt_cg.storage.server_campaign import ServerCampaign

    return ServerCampaign


def copy_campaign(source: Place, target: Place) -> tuple[int, str]:
    """Copy a campaign to a new place, entry by entry, as a whole or not at all. Return the number
    of entries and the hash of the newest. Raises StorageError."""
    journal = _read_source(source)
    made = prepare_new_store(target)
    try:
        made.write_with_notices(journal.entries, journal.campaign)
    finally:
        made.close()
    return len(journal.entries), journal.entries[-1].hash


def replace_campaign_keeping_copy(
    place: Address, known: str | None, source: Place, why: BackupReason
) -> Address:
    """Replace a campaign on a server, whose newest entry is `known`, with the one in `source`, as a
    whole or not at all. Return the place of a copy of the old one. Raises StorageError."""
    journal = _read_source(source)
    replaced: Address = _kind_of(place)(place).replace_keeping_copy(
        known, journal.entries, journal.campaign, why
    )
    return replaced


def copy_source_beside_campaign(place: Address, source: Place, why: BackupReason) -> Address:
    """Keep another campaign next to a campaign on a server; return its place. Raises
    StorageError."""
    kept: Address = _kind_of(place)(place).unused_copy_address(why)
    copy_campaign(source, kept)
    return kept


def _read_source(source: Place) -> Journal:
    journal = Journal(lambda: "")
    reader.load_journal(journal, source)
    if not journal.entries:
        raise DamagedError(f"{source} holds no entry")
    return journal


class CampaignStore:
    """The store of an open campaign. It backs up the file unless `backs_up` is false; a server's
    owner makes its backups. All methods raise StorageError."""

    def __init__(self, place: Place, backs_up: bool) -> None:
        self._place = place
        self._backs_up = backs_up
        self._kept: Store | None = None

    def prepare_new(self) -> None:
        """Begin a new campaign, which is made together with its first entry."""
        self._kept = prepare_new_store(self._place)

    def write_with_notices(self, entries: Sequence[Entry], campaign: Campaign) -> list[str]:
        """Store entries and the campaign after them. Return notices for the player."""
        if self._kept is None:
            self._kept = open_upgraded_store(self._place, self._backs_up)
        notices = self._kept.write_with_notices(entries, campaign)
        ended = entries[-1].kind in KINDS_OF_PARAGRAPH and campaign.situation.phase in BETWEEN
        return [*notices, *self._back_up_after_refit()] if ended else notices

    def _back_up_after_refit(self) -> Iterator[str]:
        try:
            self.back_up_if_enabled(BackupReason.AFTER_REFIT)
        except BackupError as failed:  # an older backup exists already
            yield f"The Refit Phase is stored, but has no backup: {failed.reason}"

    def back_up_if_enabled(self, why: BackupReason) -> None:
        """Make a backup if backups are enabled for this campaign. Raises BackupError."""
        if self._backs_up and isinstance(self._place, Path):
            backups.make_backup(self._place, why)

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None
