"""The two engines behind the same few functions: `sqlite` for a file, `postgres` for a server.

What is particular to one of them stands in its module and nowhere else. The server's is loaded only
for an address.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, cast

from brt_cg.storage.cells import RawTable, Value
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place


class Engine(Protocol):
    """What reading and audit want of an engine. A `place` is what the engine keeps campaigns in."""

    def reading(self, place: Any, /) -> AbstractContextManager[Any]:
        """A connection to a campaign; its errors come as StorageErrors."""

    def at_one_moment(self, place: Any, /) -> AbstractContextManager[None]:
        """All that is read within is as it stood at one moment, as far as the engine can."""

    def nothing(self, names: set[str], /) -> str:
        """What to say of a place that holds things of these names, and no campaign."""

    def names(self, connection: Any, /) -> set[str]:
        """What there is: tables at least."""

    def tables(self, connection: Any, /) -> list[str]:
        """The tables, sorted."""

    def cells(self, connection: Any, query: str, /) -> Sequence[tuple[Value, ...]]:
        """What a query gives, stray bytes and all."""

    def raw(self, connection: Any, table: str, order: str, /) -> RawTable:
        """A table as it stands, by no index."""

    def integrity(self, connection: Any, /) -> list[str]:
        """What the engine itself finds wrong with what it has stored."""

    def broken_references(self, connection: Any, /) -> list[str]:
        """The rows that point to a row that is not there, in words."""


def engine_of(place: Place) -> Engine:
    """The engine that keeps campaigns at such a place. Raises StorageError if it is not there."""
    if isinstance(place, Path):
        from brt_cg.storage import sqlite

        return cast(Engine, sqlite)
    try:
        import brt_cg.storage.postgres as postgres
    except ImportError as missing:
        raise StorageError(
            "a campaign on a server needs the extra postgres "
            f"({missing.name or missing} is missing): pip install 'brt-cg[postgres]'"
        ) from None
    return cast(Engine, postgres)
