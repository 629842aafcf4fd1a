"""A campaign on a server, open for the next entry: making, upgrading and writing it, and its copy
on the same server, the counterpart of a file's backup."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry
from brt_cg.model import Campaign
from brt_cg.storage import postgres
from brt_cg.storage.cells import quote_name
from brt_cg.storage.entry_writer import EntryWriter, store_entries
from brt_cg.storage.errors import TAKEN, StaleCampaignError, StorageError, UnreachableError
from brt_cg.storage.place import NAME, Address
from brt_cg.storage.postgres import HERE, Connection, schema_name, translate_errors
from brt_cg.storage.reader import HEAD, JOURNAL, VERSION, read_revision

if TYPE_CHECKING:
    import sqlalchemy

MARK = "%s"
_REVISION = f"SELECT version_num FROM {VERSION}"


class ServerCampaign:
    """The schema of one campaign, the counterpart of CampaignFile. If a method raises StorageError,
    the message is for players, and nothing has been stored."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._to_make = False

    @classmethod
    def prepare_new(cls, address: Address) -> "ServerCampaign":
        """Return a new campaign, whose schema is made together with its first entry. Raises
        StorageError if there is one with that name."""
        with postgres.reading_connection(address) as connection:
            made = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
            if connection.execute(made, (schema_name(address),)).fetchone():
                raise StorageError(f"{address} {TAKEN}")
        campaign = cls(address)
        campaign._to_make = True
        return campaign

    @classmethod
    def open_upgraded(cls, address: Address, backs_up: bool = True) -> "ServerCampaign":
        """Return an existing campaign; an older one is upgraded, as a whole or not at all, after a
        copy of its schema. `backs_up` is ignored: a server's owner makes its backups. Raises
        NotACampaignError, or NewerFileError if a newer brt-cg made it."""
        campaign = cls(address)
        if read_revision(address) != HEAD:
            campaign._upgrade()
        return campaign

    def write_with_notices(self, entries: Sequence[Entry], campaign: Campaign) -> list[str]:
        """Store entries as `CampaignFile.write_with_notices` does."""
        with _perhaps_stored():
            if self._to_make:
                self._make(entries, campaign)
            else:
                with postgres.transaction(self.address) as connection:
                    _check_revision(self.address, connection)
                    store_entries(EntryWriter(connection, MARK), entries, campaign)
        self._to_make = False
        return []

    def replace_keeping_copy(
        self, known: str | None, entries: Sequence[Entry], campaign: Campaign, why: str
    ) -> Address:
        """Replace the campaign, whose newest entry is `known`, with another, in one transaction.
        Return the place where a copy of it is kept, named after `why`. Raises StaleCampaignError if
        the campaign has new entries. During this, nobody else can write to it, and readers see
        either the old campaign or the new one."""
        with _perhaps_stored(), postgres.transaction(self.address) as connection:
            connection.execute("LOCK TABLE journal IN SHARE ROW EXCLUSIVE MODE")
            _check_revision(self.address, connection)
            found = connection.execute("SELECT hash FROM journal ORDER BY seq DESC LIMIT 1")
            if found.fetchone() != (known,):
                raise StaleCampaignError
            kept = copy_beside(connection, self.address, why)
            _clear(connection)
            store_entries(EntryWriter(connection, MARK), entries, campaign)
        return kept

    def unused_copy_address(self, why: str) -> Address:
        """Return a free name similar to the campaign's, named after `why`."""
        with postgres.reading_connection(self.address) as connection:
            return find_unused_copy_address(connection, self.address, why)

    def close(self) -> None:
        """Close the connections."""
        postgres.close_idle(self.address)

    def _make(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        with postgres.migration_transaction(self.address) as connection:
            connection.exec_driver_sql(f"CREATE SCHEMA {quote_name(schema_name(self.address))}")
            _migrate(connection)
            store_entries(
                EntryWriter(connection.connection.driver_connection, MARK), entries, campaign
            )

    def _upgrade(self) -> None:
        """Upgrade the schema, and keep a copy of it, while nobody else can read, write or upgrade
        it."""
        with postgres.migration_transaction(self.address) as connection:
            connection.exec_driver_sql(f"LOCK TABLE {VERSION}, journal IN ACCESS EXCLUSIVE MODE")
            driver: Any = connection.connection.driver_connection
            if driver.execute(_REVISION).fetchall() != [(HEAD,)]:  # no other process was faster
                copy_beside(driver, self.address, f"before-{HEAD}")
                _migrate(connection)


@immutable
class ListedCampaign:
    """A campaign of a server: its name as the players gave it, its date and phase, the number of
    its entries and the time of the newest. If the campaign cannot be read, `problem` says why, and
    the other fields are empty."""

    address: Address
    name: str = ""
    date: str = ""
    phase: str = ""
    entries: int = 0
    at: str = ""
    problem: str | None = None


def list_campaigns(server: Address) -> list[ListedCampaign]:
    """Return the campaigns of a server that the role may read, by name. Raises StorageError."""
    with postgres.server_reading_connection(server) as connection:
        rows = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s) "
            "AND has_schema_privilege(oid, 'USAGE') ORDER BY nspname",
            (postgres.PREFIX,),
        ).fetchall()
        names = (schema.removeprefix(postgres.PREFIX) for (schema,) in rows)
        return [
            _listed(connection, server.of_campaign(name))
            for name in names
            if re.fullmatch(NAME, name)
        ]


def _listed(connection: postgres.Connection, address: Address) -> ListedCampaign:
    schema = quote_name(schema_name(address))
    newest = f"SELECT seq, payload::json->>'at' FROM {schema}.journal ORDER BY seq DESC LIMIT 1"
    stands = f"SELECT coalesce(name, ''), date, phase FROM {schema}.campaign"
    try:
        with translate_errors(address):
            entries, at = connection.execute(cast(Any, newest)).fetchone() or (0, "")
            name, date, phase = connection.execute(cast(Any, stands)).fetchone() or ("", "", "")
    except UnreachableError:
        raise
    except StorageError as error:
        return ListedCampaign(address, problem=str(error).removeprefix(f"{address}: "))
    return ListedCampaign(address, name, date, phase, entries, at)


@contextmanager
def _perhaps_stored() -> Iterator[None]:
    """If the connection is lost in the `with` block, report that the outcome is unknown, but not
    partial."""
    try:
        yield
    except UnreachableError as lost:
        raise UnreachableError(
            f"{lost}; if it was stored anyway, you will see it when the connection is back"
        ) from None


def _migrate(connection: "sqlalchemy.Connection") -> None:
    # Imported here, because storing an entry does not need Alembic.
    from brt_cg.storage.migrations import migrate

    migrate(connection)


def _check_revision(address: Address, connection: postgres.Connection) -> None:
    """Raise StorageError if a newer program has upgraded the campaign while it was open here."""
    found = [str(version) for (version,) in connection.execute(_REVISION)]
    if found != [HEAD]:
        raise StorageError(
            f"{address} was upgraded by a newer brt-cg (its tables are of revision "
            f"{', '.join(found)}, but this version writes {HEAD}), so nothing was stored; "
            f"install the newer version"
        )


def _clear(connection: Connection) -> None:
    """Empty every table of the campaign except the one that names its revision. Only the owner can
    do this, because only the owner may switch off the triggers that protect the journal."""
    tables = {name for (name,) in connection.execute(_TABLES)} - {VERSION, JOURNAL}
    connection.execute(f"ALTER TABLE {JOURNAL} DISABLE TRIGGER USER")
    for table in (*sorted(tables), JOURNAL):  # rolls refer to the journal
        connection.execute(cast(Any, f"DELETE FROM {quote_name(table)}"))
    connection.execute(f"ALTER TABLE {JOURNAL} ENABLE TRIGGER USER")


# --- a copy beside a campaign, made before an upgrade, and before another takes its place ---------

LONGEST = 40  # characters of a campaign's name

# The objects to make beside the rows, named as from within the schema, in this order: a foreign key
# needs the key that it refers to, and a trigger its function.
_CONSTRAINTS = f"""
SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid)
FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
WHERE connamespace = {HERE} AND contype IN ('p', 'u', 'x', 'f') ORDER BY contype = 'f', conname"""
_INDEXES = f"""
SELECT pg_get_indexdef(indexrelid, 0, true) FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = {HERE}
AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid) ORDER BY relname"""
_FUNCTIONS = f"SELECT proname, prosrc FROM pg_proc WHERE pronamespace = {HERE} ORDER BY proname"
_TRIGGERS = f"""
SELECT pg_get_triggerdef(pg_trigger.oid, true) FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal AND relnamespace = {HERE}
ORDER BY tgname"""
_TABLES = f"SELECT relname FROM pg_class WHERE relnamespace = {HERE} AND relkind = 'r' ORDER BY 1"


def copy_beside(connection: Connection, address: Address, why: str) -> Address:
    """Copy a campaign's schema, rows and triggers unchanged, within the connection's transaction.
    Return the place of the copy: a separate campaign, of the same revision, named after `why`."""
    copy = find_unused_copy_address(connection, address, why)
    for statement in [*_statements(connection, schema_name(address), schema_name(copy))]:
        connection.execute(cast(Any, statement))
    return copy


def find_unused_copy_address(connection: Connection, address: Address, why: str) -> Address:
    """Return a name similar to a campaign's that no schema uses."""
    found = {name for (name,) in connection.execute("SELECT nspname FROM pg_namespace")}
    names = (address.of_campaign(name) for name in _names(str(address.campaign), why))
    return next(copy for copy in names if schema_name(copy) not in found)


def _names(campaign: str, why: str) -> Iterator[str]:
    """Yield the names that a copy may have, the best first."""
    number = 0
    while True:
        number += 1
        ending = f"-{why}" + (f"-{number}" if number > 1 else "")
        yield campaign[: LONGEST - len(ending)] + ending


def _statements(connection: Connection, source: str, target: str) -> Iterator[str]:
    yield f"CREATE SCHEMA {quote_name(target)}"
    for (table,) in connection.execute(_TABLES).fetchall():
        one, other = (f"{quote_name(schema)}.{quote_name(table)}" for schema in (source, target))
        yield f"CREATE TABLE {other} (LIKE {one} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
        yield f"INSERT INTO {other} SELECT * FROM {one}"
    definitions = [
        *(
            f"ALTER TABLE {quote_name(table)} ADD CONSTRAINT {quote_name(name)} {what}"
            for table, name, what in connection.execute(_CONSTRAINTS)
        ),
        *(index for (index,) in connection.execute(_INDEXES)),
        *(
            (
                f"CREATE FUNCTION {quote_name(name)}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$brt${body}$brt$"
            )
            for name, body in connection.execute(_FUNCTIONS)
        ),
        *(trigger for (trigger,) in connection.execute(_TRIGGERS)),
    ]
    yield f"SET LOCAL search_path TO {quote_name(target)}"
    yield from definitions
    yield f"SET LOCAL search_path TO {quote_name(source)}"
