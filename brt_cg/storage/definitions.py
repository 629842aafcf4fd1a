"""The definitions of a campaign's schema on a server: the actual ones, and those of its
revision."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from alembic import command
from psycopg import errors
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from brt_cg.storage import postgres
from brt_cg.storage.cells import quoted
from brt_cg.storage.errors import StorageError
from brt_cg.storage.migrating import config
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import HERE, make_engine, plain_errors

Objects = dict[tuple[str, str], str]  # the definition of each object, by kind and name

_TABLES = f"""
SELECT CASE relkind::text WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence'
       ELSE 'relation' END, relname::text,
  (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod),
          CASE WHEN attnotnull THEN 'NOT NULL' END,
          (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
           WHERE adrelid = attrelid AND adnum = attnum)), ', ' ORDER BY attnum)
   FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped)
  || coalesce((SELECT string_agg(conname || ' ' || pg_get_constraintdef(oid)
                      || CASE WHEN convalidated THEN '' ELSE ' NOT VALID' END,
                      ', ' ORDER BY conname)
     FROM pg_constraint WHERE conrelid = pg_class.oid AND contype <> 'n'), '')
FROM pg_class WHERE relnamespace = {HERE} AND relkind NOT IN ('i', 'I', 't', 'c')"""
_INDEXES = (
    "SELECT 'index', indexname::text, indexdef FROM pg_indexes WHERE schemaname = current_schema()"
)
_TRIGGERS = f"""
SELECT 'trigger', tgname::text, tgenabled::text || ' ' || pg_get_triggerdef(pg_trigger.oid)
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE NOT tgisinternal AND relnamespace = {HERE}"""
_FUNCTIONS = f"""
SELECT 'function', proname::text, concat_ws(' ', prokind::text, prosecdef, provolatile::text,
       proconfig::text, pg_get_function_identity_arguments(oid), prosrc)
FROM pg_proc WHERE pronamespace = {HERE}"""
_ALL = " UNION ALL ".join((_TABLES, _INDEXES, _TRIGGERS, _FUNCTIONS))


def actual(address: Address) -> Objects:
    """The actual objects of a campaign's schema. Raises StorageError."""
    with postgres.reading(address) as connection:
        (schema,) = connection.execute("SELECT current_schema()").fetchone() or ("",)
        return _objects(connection.execute(_ALL).fetchall(), schema)


def granted(address: Address) -> list[tuple[str, str]]:
    """The grants to other roles than the owner to change or delete entries of the journal: role and
    privilege."""
    wanted = (
        "SELECT CASE grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(grantee) END, "
        "privilege_type FROM pg_class, aclexplode(relacl) WHERE relname = 'journal' "
        f"AND relnamespace = {HERE} AND grantee <> relowner "
        "AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER') ORDER BY 1, 2"
    )
    with postgres.reading(address) as connection:
        return connection.execute(wanted).fetchall()


def expected(address: Address, revision: str) -> Objects:
    """The objects as the migrations make them up to a revision. Raises StorageError, also where the
    role may not create a schema."""
    return _expected(replace(address, campaign=None), revision)


@cache  # the same for every campaign of a server
def _expected(address: Address, revision: str) -> Objects:
    """Makes the objects in a temporary schema that is never committed."""
    schema = f"{postgres.PREFIX} audit"  # no campaign has a space in its name
    engine = make_engine(address)
    try:
        with plain_errors(address), engine.connect() as connection:
            _begin_schema(connection, address, schema)
            connection.exec_driver_sql(f"SET LOCAL search_path = {quoted(schema)}")
            command.upgrade(config(connection), revision)
            rows = connection.exec_driver_sql(_ALL.replace("%", "%%")).fetchall()
            connection.rollback()
    finally:
        engine.dispose()
    return _objects(rows, schema)


def _begin_schema(connection: Connection, address: Address, schema: str) -> None:
    try:
        connection.exec_driver_sql(f"CREATE SCHEMA {quoted(schema)}")
    except DBAPIError as refused:
        if isinstance(refused.orig, errors.InsufficientPrivilege):
            raise StorageError(
                f"{address}: to audit its tables a role must be able to make a schema, as that of "
                "who made the campaign is: use that role"
            ) from None
        raise


def _objects(rows: Iterable[Any], schema: str) -> Objects:
    """The definition of each object, without the schema's name."""
    return {
        (kind, name): text.replace(f"{quoted(schema)}.", "").replace(f"{schema}.", "")
        for kind, name, text in rows
    }
