"""A campaign file, open for the next entry: making, upgrading and writing it."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from brt_cg.journal.entries import Entry
from brt_cg.model.campaign import Campaign
from brt_cg.storage import backups
from brt_cg.storage.errors import TAKEN, StorageError
from brt_cg.storage.reader import HEAD, read_revision
from brt_cg.storage.sqlite import (
    check_free,
    is_empty,
    make_tables,
    names,
    open_to_write,
    plain_errors,
    transaction,
)
from brt_cg.storage.writing import Pen, store

MARK = "?"


class CampaignFile:
    """The file of one campaign. `write` is the writer for a Journal. All methods raise StorageError
    with a message for players and then store nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._seen: tuple[int, ...] | None = None
        self._to_make = False

    @classmethod
    def create(cls, path: Path) -> "CampaignFile":
        """A new campaign file, written together with its first entry, so that a refused campaign
        leaves no file behind. Raises StorageError as `check_free` does."""
        check_free(path)
        file = cls(path)
        file._to_make = True
        return file

    @classmethod
    def open(cls, path: Path, backs_up: bool = True) -> "CampaignFile":
        """An existing campaign file. Upgrades an older one, after a backup unless `backs_up` is
        false. Raises NotACampaign, NewerFile if a newer brt-cg made it, or NoBackup."""
        if read_revision(path) != HEAD:
            from brt_cg.storage.migrating import upgrade

            if backs_up:
                backups.make(path, backups.Why.BEFORE_UPGRADE)
            upgrade(path)
        return cls(path)

    def write(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        """Stores entries and the projection of the campaign after them, durably and as a whole.
        Raises MovedOn if there are entries that these do not follow."""
        if self._to_make:
            self._make(entries, campaign)
            return
        with plain_errors(self.path), transaction(self._ready()) as connection:
            store(Pen(connection, MARK), entries, campaign)
        self._seen = self._look()

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _ready(self) -> sqlite3.Connection:
        """The connection that writes; a new one if others touched the file since the last write.

        One that is open would continue with a file that has been replaced, or with cached pages
        of one that has been overwritten.
        """
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
        mine = False  # a file that another program is just making is empty too
        try:
            with (
                plain_errors(self.path),
                closing(open_to_write(self.path, new=True)) as opened,
                transaction(opened) as connection,
            ):
                mine = True
                self._refuse_if_made(connection)
                make_tables(connection)
                store(Pen(connection, MARK), entries, campaign)
        finally:
            if mine and is_empty(self.path):
                self.path.unlink()
        self._to_make = False

    def _refuse_if_made(self, connection: sqlite3.Connection) -> None:
        """Raises if another program has made the file since `create`."""
        if names(connection):
            raise StorageError(f"{self.path} {TAKEN}")
