"""A lock for one window at a time, for work in which several windows read, join and write files in
the player's state folder."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from brt_cg.connections import connect
from brt_cg.files import WAIT


@contextmanager
def folder_lock_if_possible(folder: Path) -> Iterator[None]:
    """Keep other windows out of a folder during the `with` block. A transaction on an empty
    database does this on every system, and ends with its process. If that is impossible (a
    read-only disk, a window that hangs), continue without it."""
    with ExitStack() as held:
        with suppress(OSError, sqlite3.OperationalError):
            folder.mkdir(parents=True, exist_ok=True)
            lock = held.enter_context(closing(connect(folder / "lock", "rwc", WAIT)))
            lock.execute("BEGIN IMMEDIATE")
        yield
