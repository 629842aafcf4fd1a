"""The two engines behind one set of functions: `sqlite` for a file, `postgres` for a server.

Everything particular to an engine is in its module. The server's is loaded only for an address.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, cast

from brt_cg.storage import sqlite
from brt_cg.storage.cells import RawTable, Value
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place
from brt_cg.text import install_text


class Engine(Protocol):
    """What reading and audit need from an engine. A `place` is where it keeps a campaign; what
    each function does is said in `sqlite`."""

    def reading(self, place: Any, /) -> AbstractContextManager[Any]: ...
    def one_connection(self, place: Any, /) -> AbstractContextManager[None]: ...
    def held(self, place: Any, /) -> AbstractContextManager[None]: ...
    def at_one_moment(self, place: Any, /) -> AbstractContextManager[None]: ...
    def no_campaign(self, names: set[str], /) -> str: ...
    def names(self, connection: Any, /) -> set[str]: ...
    def tables(self, connection: Any, /) -> list[str]: ...
    def cells(self, connection: Any, query: str, /) -> Sequence[tuple[Value, ...]]: ...
    def raw(self, connection: Any, table: str, order: str | None, /) -> RawTable: ...
    def integrity(self, connection: Any, /) -> list[str]: ...
    def broken_references(self, connection: Any, /) -> list[str]: ...


def engine_of(place: Place) -> Engine:
    """The engine for a place. Raises StorageError if it is not installed."""
    if isinstance(place, Path):
        return cast(Engine, sqlite)
    try:
        from brt_cg.storage import postgres
    except ImportError as missing:
        raise StorageError(
            "a campaign on a server needs the extra postgres "
            f"({missing.name or missing} is missing): {install_text('postgres')}"
        ) from None
    return cast(Engine, postgres)
