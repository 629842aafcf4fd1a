"""Holds that the migrations make exactly the tables that the program describes (for CI).

`python -m tests.tools.migrations` exits with 1 and prints what differs; with `--write` it first
writes the text by which a new file gets the same tables without them.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from brt_cg import resources
from brt_cg.storage.migrations import alembic_config, migrate
from brt_cg.storage.reader import REVISIONS, VERSION
from brt_cg.storage.sqlite import TEXT, make_migrating_engine
from brt_cg.storage.tables import metadata


def main() -> int:
    """Prints the differences; the number of the exit status."""
    text = resources.migrations_folder() / TEXT
    if sys.argv[1:] == ["--write"]:
        text.write_text(newest(), "utf-8")
    found = differences()
    for one in found:
        print(one, file=sys.stderr)
    return 1 if found else 0


def differences() -> list[str]:
    """What the migrations make otherwise than the tables say, in words."""
    with in_a_file() as left, in_a_file() as right:
        found = compared(left, right)
    if (resources.migrations_folder() / TEXT).read_text("utf-8") != newest():
        found.append(f"{TEXT}: it is not what the migrations make; --write makes it anew")
    return found


def newest() -> str:
    """What makes all tables of a new file at once: the statements by which SQLite remembers what
    the migrations made, and the revision."""
    with in_a_file() as connection:
        migrate(connection)
        made = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        statements = [sql for (sql,) in connection.exec_driver_sql(made)]
        for (revision,) in connection.exec_driver_sql(f"SELECT version_num FROM {VERSION}"):
            statements.append(f"INSERT INTO {VERSION} (version_num) VALUES ('{revision}')")
    return "\n\n".join(statements) + "\n"


@contextmanager
def in_a_file() -> Iterator[Connection]:
    """A transaction of an empty campaign file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.brt"
        path.touch()
        engine = make_migrating_engine(path)
        with engine.begin() as connection:
            yield connection
        engine.dispose()


def compared(left: Connection, right: Connection) -> list[str]:
    """The same, in two empty databases of whatever engine."""
    migrate(left)
    metadata.create_all(right)
    return [*_of_revisions(), *_of_tables(left), *_of_checks(left, right)]


def _of_revisions() -> list[str]:
    scripts = ScriptDirectory.from_config(alembic_config()).walk_revisions()
    shipped = tuple(reversed([script.revision for script in scripts]))
    if shipped == REVISIONS:
        return []
    return [f"revisions: the program knows {REVISIONS}, the migrations are {shipped}"]


def _of_tables(connection: Connection) -> list[str]:
    # A revision says what a field has in the rows that are there: `storage/shapes.py` knows of it.
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return [f"tables: {difference}" for difference in compare_metadata(context, metadata)]


def _of_checks(left: Connection, right: Connection) -> list[str]:
    """CHECKs, which Alembic does not compare. Columns may stand in another order: a revision adds
    its own at the end."""
    migrated, described = _shape(left), _shape(right)
    return [
        f"{table}: the migrations make {migrated.get(table)}, the tables say {described.get(table)}"
        for table in sorted(migrated.keys() | described.keys())
        if migrated.get(table) != described.get(table)
    ]


def _shape(connection: Connection) -> dict[str, tuple[list[str], list[str]]]:
    inspector = inspect(connection)
    return {
        table: (
            sorted(column["name"] for column in inspector.get_columns(table)),
            sorted(f"{c['name']}: {c['sqltext']}" for c in inspector.get_check_constraints(table)),
        )
        for table in inspector.get_table_names()
        if table != VERSION
    }


if __name__ == "__main__":
    sys.exit(main())
