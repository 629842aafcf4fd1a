"""A watch on a campaign file, for changes."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from brt_cg.connections import Connection, connect, inode_of
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import is_in_wal_mode


class FileWatch:
    """A watch on a file for changes by anybody, including this process, over a connection that
    stays open. A check neither waits nor leaves a lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: Connection | None = None
        self._opened = 0
        self._state: object = None

    def change_token(self) -> object:
        """Return a value that differs when the file has changed; None while it cannot be read, and
        the previous value while somebody is writing."""
        inode = inode_of(self._path)
        if self._connection is None or self._connection.inode != inode:
            self._open()
        if self._connection is None:
            self._state = self._dates() if inode is not None else None
            return self._state
        try:
            [version] = self._connection.execute("PRAGMA data_version").fetchone()
            self._state = self._opened, version
        except sqlite3.OperationalError:  # somebody is writing, or has to finish interrupted work
            pass
        except sqlite3.Error:
            self.close()
            self._state = None
        return self._state

    def _open(self) -> None:
        """Open the file, unless it is in WAL mode: SQLite would make files next to it."""
        self.close()
        with suppress(StorageError, sqlite3.Error, RuntimeError):
            if not is_in_wal_mode(self._path):
                self._connection = connect(self._path, "ro", timeout=0)
                self._opened += 1

    def _dates(self) -> object:
        """Return size and time of a file in WAL mode, and of the file with its newest pages."""
        found = []
        for each in (self._path, self._path.with_name(f"{self._path.name}-wal")):
            with suppress(OSError):
                stat = each.stat()
                found.append((stat.st_ino, stat.st_size, stat.st_mtime_ns))
        return tuple(found)

    def close(self) -> None:
        """Close the connection; the next look opens another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None
