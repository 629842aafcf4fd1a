"""A stored campaign as a journal in memory, and the time of new entries."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from secrets import token_hex

from brt_cg.journal.entry_cache import Fetch
from brt_cg.journal.journal import Journal, Writer
from brt_cg.storage import reader
from brt_cg.storage.errors import DamagedError
from brt_cg.storage.place import Address, Place


def utc_now() -> str:
    """Return the time stamp of an entry: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def random_key() -> str | None:
    """Return the key of a new campaign."""
    return token_hex(16)


def entry_fetcher(path: Place) -> Fetch | None:
    """Return the function that reads old entries back; None for a server, whose entries remain in
    memory so that they can be read without a connection."""
    return None if isinstance(path, Address) else partial(reader.read_range, path)


def read_journal(
    path: Place, clock: Callable[[], str] = utc_now, writer: Writer | None = None
) -> Journal:
    """Read a campaign. Raises StorageError."""
    journal = Journal(clock, writer, entry_fetcher(path))
    reader.load_journal(journal, path)
    if not journal.entries:
        raise DamagedError(f"{path} contains no entries; see brt-cg audit and brt-cg backups")
    return journal
