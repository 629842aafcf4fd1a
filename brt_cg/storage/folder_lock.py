"""One window at a time: what several windows read, join and write in the player's state folder."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from brt_cg.connections import connect
from brt_cg.files import WAIT


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Keeps other windows from a folder meanwhile. A transaction of an empty database does it on
    every system, and ends with its process. Where there can be none (a read-only disk, a window
    that hangs) it goes on without."""
    with ExitStack() as held:
        with suppress(OSError, sqlite3.OperationalError):
            folder.mkdir(parents=True, exist_ok=True)
            lock = held.enter_context(closing(connect(folder / "lock", "rwc", WAIT)))
            lock.execute("BEGIN IMMEDIATE")
        yield
