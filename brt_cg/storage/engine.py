"""The two engines behind one set of functions: `sqlite` for a file, `postgres` for a server.

Everything particular to an engine is in its module. The server's is loaded only for an address.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from brt_cg.storage import sqlite
from brt_cg.storage.cells import RawTable, Value
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address, Place
from brt_cg.text import install_command

if TYPE_CHECKING:
    from brt_cg.storage.server_campaign import ListedCampaign


class Engine(Protocol):
    """The functions that reading and audit need from an engine. A `place` is the place where the
    engine keeps a campaign; `sqlite` documents each function."""

    def reading_connection(self, place: Any, /) -> AbstractContextManager[Any]: ...
    def reuse_connection(self, place: Any, /) -> AbstractContextManager[None]: ...
    def exclusive_file_lock(self, place: Any, /) -> AbstractContextManager[None]: ...
    def consistent_reads(self, place: Any, /) -> AbstractContextManager[None]: ...
    def not_a_campaign_text(self, names: set[str], /) -> str: ...
    def object_names(self, connection: Any, /) -> set[str]: ...
    def list_tables(self, connection: Any, /) -> list[str]: ...
    def run_query(self, connection: Any, query: str, /) -> Sequence[tuple[Value, ...]]: ...
    def read_raw_table(self, connection: Any, table: str, order: str | None, /) -> RawTable: ...
    def integrity_problems(self, connection: Any, /) -> list[str]: ...
    def broken_references(self, connection: Any, /) -> list[str]: ...


def engine_of(place: Place) -> Engine:
    """Return the engine for a place. Raises StorageError if it is not installed."""
    if isinstance(place, Path):
        return cast(Engine, sqlite)
    try:
        from brt_cg.storage import postgres
    except ImportError as missing:
        raise StorageError(
            f"a campaign on a server needs the extra postgres ({missing.name or missing} is "
            f"missing); run {install_command('postgres')}"
        ) from None
    return cast(Engine, postgres)


def list_campaigns(server: Address) -> "list[ListedCampaign]":
    """Return the campaigns of a server that the role may read, by name. Raises StorageError, also
    if the extra for servers is not installed."""
    engine_of(server)
    from brt_cg.storage import server_campaign

    return server_campaign.list_campaigns(server)
