"""A copy of a campaign's schema beside it on the server, made before an upgrade: the counterpart of
the backup of a file."""

from collections.abc import Iterator
from typing import Any, cast

from brt_cg.storage.cells import quoted
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import HERE, Connection, schema_of

LONGEST = 40  # characters of a campaign's name

# What has to be made beside the rows, told as from within the schema, in this order: a foreign key
# needs the key that it points to, and a trigger its function.
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


def copy_before_upgrade(connection: Connection, address: Address, revision: str) -> Address:
    """Copies a campaign's schema, rows and walls, as they stand, within the connection's
    transaction. Returns where the copy is: a campaign of its own, of the older revision."""
    found = {name for (name,) in connection.execute("SELECT nspname FROM pg_namespace")}
    names = (address.named(name) for name in _names(str(address.campaign), revision))
    copy = next(copy for copy in names if schema_of(copy) not in found)
    for statement in [*_statements(connection, schema_of(address), schema_of(copy))]:
        connection.execute(cast(Any, statement))
    return copy


def _names(campaign: str, revision: str) -> Iterator[str]:
    """The names that a copy may have, the best first."""
    number = 0
    while True:
        number += 1
        ending = f"-before-{revision}" + (f"-{number}" if number > 1 else "")
        yield campaign[: LONGEST - len(ending)] + ending


def _statements(connection: Connection, source: str, target: str) -> Iterator[str]:
    yield f"CREATE SCHEMA {quoted(target)}"
    for (table,) in connection.execute(_TABLES).fetchall():
        one, other = (f"{quoted(schema)}.{quoted(table)}" for schema in (source, target))
        yield f"CREATE TABLE {other} (LIKE {one} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
        yield f"INSERT INTO {other} SELECT * FROM {one}"
    definitions = [
        *(
            f"ALTER TABLE {quoted(table)} ADD CONSTRAINT {quoted(name)} {what}"
            for table, name, what in connection.execute(_CONSTRAINTS)
        ),
        *(index for (index,) in connection.execute(_INDEXES)),
        *(
            f"CREATE FUNCTION {quoted(name)}() RETURNS trigger LANGUAGE plpgsql AS $brt${body}$brt$"
            for name, body in connection.execute(_FUNCTIONS)
        ),
        *(trigger for (trigger,) in connection.execute(_TRIGGERS)),
    ]
    yield f"SET LOCAL search_path TO {quoted(target)}"
    yield from definitions
    yield f"SET LOCAL search_path TO {quoted(source)}"
