"""A campaign file, open for the next entry: making, upgrading and writing it."""

from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from brt_cg.connections import Connection
from brt_cg.journal.entries import Entry
from brt_cg.model import Campaign
from brt_cg.storage import backups
from brt_cg.storage.entry_writer import EntryWriter, store_entries
from brt_cg.storage.errors import StaleCampaignError, StorageError
from brt_cg.storage.reader import HEAD, newest_entry, read_revision
from brt_cg.storage.sqlite import (
    atomically_created_file,
    check_can_create,
    make_tables,
    open_to_write,
    take_exclusive_connection,
    transaction,
    translate_errors,
)

MARK = "?"
UNSURE = (
    "The entry is stored, but then the disk reported an error. It may be full, or "
    "have been removed; check it before you continue"
)


class CampaignFile:
    """The file of one campaign. `write` is the writer for a Journal. If a method raises
    StorageError, the message is for players, and nothing has been stored."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: Connection | None = None
        self._seen: tuple[int, ...] | None = None
        self._to_make = False

    @classmethod
    def prepare_new(cls, path: Path) -> "CampaignFile":
        """Return a new campaign file, written together with its first entry, so that a refused
        campaign leaves no file behind. Raises StorageError if `check_can_create` does."""
        check_can_create(path)
        file = cls(path)
        file._to_make = True
        return file

    @classmethod
    def open_upgraded(cls, path: Path, backs_up: bool = True) -> "CampaignFile":
        """Return an existing campaign file. Upgrade an older one, after making a backup unless
        `backs_up` is false. Raises NotACampaignError, NewerFileError if a newer brt-cg made it, or
        BackupError."""
        if read_revision(path) != HEAD:
            from brt_cg.storage.migrations import upgrade_file

            if backs_up:
                backups.make_backup(path, backups.BackupReason.BEFORE_UPGRADE)
            upgrade_file(path)
        return cls(path)

    def write_with_notices(self, entries: Sequence[Entry], campaign: Campaign) -> list[str]:
        """Store entries and the projection of the campaign after them, durably and as a whole.
        Return notices for the player. Raises StaleCampaignError if the newest entry is not the one
        that these follow."""
        if self._to_make:
            self._make(entries, campaign)
            return []
        with translate_errors(self.path):
            ready = self._ready()
        try:
            with translate_errors(self.path), transaction(ready) as connection:
                store_entries(EntryWriter(connection, MARK), entries, campaign)
        except StaleCampaignError:  # the newest entry may be another window's identical one
            raise
        except StorageError:
            # The commit comes before the last flush, which may fail.
            if not self._ends_with(entries[-1]):
                raise
            return [UNSURE]
        self._seen = self._look()
        return []

    def _ends_with(self, entry: Entry) -> bool:
        self.close()
        with suppress(StorageError):
            return newest_entry(self.path) == (entry.seq, entry.hash)
        return False

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _ready(self) -> Connection:
        """Return the connection that writes; a new one if others have changed the file since the
        last write.

        An open connection would continue with a replaced file, or with the cached pages of an
        overwritten one.
        """
        if (held := take_exclusive_connection(self.path)) is not None:
            return held
        seen = self._look()
        if self._connection is None or seen != self._seen:
            self.close()
            self._connection = open_to_write(self.path)
            self._seen = seen
        return self._connection

    def _look(self) -> tuple[int, ...]:
        try:
            found = self.path.stat()
        except OSError as error:
            raise StorageError(f"{self.path} is gone; nothing was stored") from error
        return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)

    def _make(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        with (
            atomically_created_file(self.path) as beside,
            translate_errors(self.path),
            closing(open_to_write(beside, new=True)) as opened,
            transaction(opened) as connection,
        ):
            make_tables(connection)
            store_entries(EntryWriter(connection, MARK), entries, campaign)
        self._to_make = False
