"""A campaign on a server, open for the next entry: making, upgrading and writing it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from brt_cg.journal.entries import Entry
from brt_cg.journal.seat_pages import Beside, Pages
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.storage import postgres, seats
from brt_cg.storage.cells import quoted
from brt_cg.storage.errors import TAKEN, StorageError, Unreachable
from brt_cg.storage.place import NAME, Address
from brt_cg.storage.postgres import make_engine, plain_errors, schema_of
from brt_cg.storage.reader import HEAD, VERSION, read_revision

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


class ServerCampaign:
    """The schema of one campaign, the counterpart of CampaignFile. All methods raise StorageError
    with a message for players and then store nothing."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._engine: Engine | None = None
        self._to_make = False
        self._pages: Mapping[Side, Pages] = {}

    @classmethod
    def create(cls, address: Address) -> "ServerCampaign":
        """A new campaign, whose schema is made together with its first entry. Raises StorageError
        if there is one of that name."""
        with postgres.reading(address) as connection:
            made = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
            if connection.execute(made, (schema_of(address),)).fetchone():
                raise StorageError(f"{address} {TAKEN}")
        campaign = cls(address)
        campaign._to_make = True
        return campaign

    @classmethod
    def open(cls, address: Address, backs_up: bool = True) -> "ServerCampaign":
        """An existing campaign; an older one is upgraded, as a whole or not at all. Ignores
        `backs_up`: a server's owner makes its backups. Raises NotACampaign, or NewerFile if a newer
        brt-cg made it."""
        campaign = cls(address)
        if read_revision(address) != HEAD:
            campaign._upgrade()
        return campaign

    def write(
        self, entries: Sequence[Entry], campaign: Campaign, beside: Beside | None = None
    ) -> None:
        """As `CampaignFile.write`, with `beside` them where the campaign has seats."""
        from brt_cg.storage.writing import store

        try:
            with plain_errors(self.address), self._ready().begin() as connection:
                seated = False
                if self._to_make:
                    self._make(connection)
                else:
                    seated = _has_seats(self.address, connection)
                store(connection, entries, campaign)
                if seated and beside is not None:
                    self._write_beside(connection, beside)
        except Unreachable as lost:
            # If the connection is lost during a commit, the outcome is unknown, but never partial.
            raise Unreachable(
                f"{lost}; if it was stored anyway, you will see it when the connection is back"
            ) from None
        self._to_make = False

    def _write_beside(self, connection: "Connection", beside: Beside) -> None:
        """Writes the data that belongs to entries of a campaign with seats."""
        server = cast(postgres.Connection, connection.connection.driver_connection)
        pages = beside.pages()
        seats.write(server, self.address, pages, self._pages)
        self._pages = pages
        if beside.request is not None:
            seats.answer(server, self.address, beside.request, "done", "")

    def close(self) -> None:
        """Closes the connections."""
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
        """Upgrades the schema while nobody else can read, write or upgrade it."""
        from brt_cg.storage.migrating import migrate

        with plain_errors(self.address), self._ready().begin() as connection:
            connection.exec_driver_sql(f"LOCK TABLE {VERSION}, journal IN ACCESS EXCLUSIVE MODE")
            migrate(connection)


@dataclass(frozen=True, slots=True)
class Listed:
    """A campaign of a server: its name as the players gave it, its date and phase, the number of
    its entries and the time of the newest. `problem` says why it cannot be read, if it cannot; the
    rest is then empty, as it is for a campaign that is `seated`: that this role sees only from a
    seat."""

    address: Address
    name: str = ""
    date: str = ""
    phase: str = ""
    entries: int = 0
    at: str = ""
    problem: str | None = None
    seated: bool = False


def listed(server: Address) -> list[Listed]:
    """The campaigns of a server that the role may see, by name. Raises StorageError."""
    with postgres.looking(server) as connection:
        whole = _schemas(connection, postgres.PREFIX)
        seated = _schemas(connection, seats.PREFIX) - whole
        return [
            Listed(server.named(name), seated=True)
            if name in seated
            else _listed(connection, server.named(name))
            for name in sorted(whole | seated)
        ]


def _schemas(connection: postgres.Connection, prefix: str) -> set[str]:
    """The campaigns whose schemas begin with a prefix and may be used by the role."""
    rows = connection.execute(
        "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s) "
        "AND has_schema_privilege(oid, 'USAGE')",
        (prefix,),
    )
    names = (name.removeprefix(prefix) for (name,) in rows)
    return {name for name in names if re.fullmatch(NAME, name)}


def _listed(connection: postgres.Connection, address: Address) -> Listed:
    schema = quoted(schema_of(address))
    newest = f"SELECT seq, payload::json->>'at' FROM {schema}.journal ORDER BY seq DESC LIMIT 1"
    stands = f"SELECT coalesce(name, ''), date, phase FROM {schema}.campaign"
    try:
        with plain_errors(address):
            entries, at = connection.execute(cast(Any, newest)).fetchone() or (0, "")
            name, date, phase = connection.execute(cast(Any, stands)).fetchone() or ("", "", "")
    except Unreachable:
        raise
    except StorageError as error:
        return Listed(address, problem=str(error).removeprefix(f"{address}: "))
    return Listed(address, name, date, phase, entries, at)


def _has_seats(address: Address, connection: "Connection") -> bool:
    """Whether the campaign has seats. Raises StorageError if a newer program has upgraded it while
    it was open here."""
    there = "EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = %s)"
    rows = connection.exec_driver_sql(
        f"SELECT version_num, {there} FROM {VERSION}", (seats.schema_of(address),)
    ).all()
    found = [version for version, _ in rows]
    if found != [HEAD]:
        raise StorageError(
            f"{address} was upgraded by a newer brt-cg (its tables are of revision "
            f"{', '.join(map(str, found))}, this one writes {HEAD}); nothing was stored: install "
            "the newer version"
        )
    return bool(rows[0][1])
