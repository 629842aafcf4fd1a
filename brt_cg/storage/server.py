"""A campaign on a server, open for the next entry: made, upgraded, written to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brt_cg.campaign import Campaign
from brt_cg.journal.entries import Entry
from brt_cg.storage import postgres
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import make_engine, plain_errors, quoted, schema_of
from brt_cg.storage.reader import HEAD, VERSION, read_revision

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


class ServerCampaign:
    """The schema of one campaign, as CampaignFile is the file of one. All methods raise
    StorageError with a message for players; nothing is stored then."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._engine: Engine | None = None
        self._to_make = False

    @classmethod
    def create(cls, address: Address) -> "ServerCampaign":
        """A new campaign, whose schema is made together with its first entry. Raises StorageError
        if there is one of that name."""
        with postgres.reading(address) as connection:
            made = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
            if connection.execute(made, (schema_of(address),)).fetchone():
                raise StorageError(f"{address} exists already: choose another name")
        campaign = cls(address)
        campaign._to_make = True
        return campaign

    @classmethod
    def open(cls, address: Address) -> "ServerCampaign":
        """A campaign that is there; an older one is upgraded, as a whole or not at all.

        Raises NotACampaign, or NewerFile if a newer brt-cg made it.
        """
        campaign = cls(address)
        if read_revision(address) != HEAD:
            campaign._upgrade()
        return campaign

    def write(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        """Stores entries and the projection of the campaign after them, durably, as a whole.

        Raises MovedOn if there are entries that these do not follow.
        """
        from brt_cg.storage.writing import store

        with plain_errors(self.address), self._ready().begin() as connection:
            if self._to_make:
                self._make(connection)
            else:
                _refuse_if_upgraded(self.address, connection)
            store(connection, entries, campaign)
        self._to_make = False

    def get_ready(self) -> None:
        """Loads what writing needs, ahead of the first write: for a thread of the screen."""
        import brt_cg.storage.writing  # noqa: F401

        with plain_errors(self.address), self._ready().connect():
            pass

    def close(self) -> None:
        """Lets go of the server."""
        if self._engine is not None:
            self._engine.dispose()
        self._engine = None
        postgres.release(self.address)

    def _ready(self) -> "Engine":
        if self._engine is None:
            self._engine = make_engine(self.address)
        return self._engine

    def _make(self, connection: "Connection") -> None:
        from brt_cg.storage.migrating import migrate

        connection.exec_driver_sql(f"CREATE SCHEMA {quoted(schema_of(self.address))}")
        migrate(connection)

    def _upgrade(self) -> None:
        """Others may neither read nor write meanwhile, nor upgrade too."""
        from brt_cg.storage.migrating import migrate

        with plain_errors(self.address), self._ready().begin() as connection:
            connection.exec_driver_sql(f"LOCK TABLE {VERSION}, journal IN ACCESS EXCLUSIVE MODE")
            migrate(connection)


def _refuse_if_upgraded(address: Address, connection: "Connection") -> None:
    """A newer program in another home may have upgraded a campaign that is open here."""
    found = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION}").scalars().all()
    if list(found) != [HEAD]:
        raise StorageError(
            f"{address} was upgraded by a newer brt-cg (its tables are of revision "
            f"{', '.join(map(str, found))}, this one writes {HEAD}); nothing was stored: install "
            "the newer version"
        )
