"""Holds that the migrations make exactly the tables that the program describes (for CI).

`python -m tests.tools.migrations` exits with 1 and prints what differs.
"""

import sys
import tempfile
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from brt_cg.storage.migrating import config, migrate
from brt_cg.storage.reader import REVISIONS, VERSION
from brt_cg.storage.sqlite import make_migrating_engine
from brt_cg.storage.tables import metadata


def main() -> int:
    """Prints the differences; the number of the exit status."""
    found = differences()
    for one in found:
        print(one, file=sys.stderr)
    return 1 if found else 0


def differences() -> list[str]:
    """What the migrations make otherwise than the tables say, in words."""
    with tempfile.TemporaryDirectory() as folder:
        migrated = make_migrating_engine(Path(folder) / "migrated.brt", new=True)
        described = make_migrating_engine(Path(folder) / "described.brt", new=True)
        with migrated.begin() as left, described.begin() as right:
            found = compared(left, right)
        migrated.dispose()
        described.dispose()
    return found


def compared(left: Connection, right: Connection) -> list[str]:
    """The same, in two empty databases of whatever engine."""
    migrate(left)
    metadata.create_all(right)
    return [*_of_revisions(), *_of_tables(left), *_of_checks(left, right)]


def _of_revisions() -> list[str]:
    scripts = ScriptDirectory.from_config(config()).walk_revisions()
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
