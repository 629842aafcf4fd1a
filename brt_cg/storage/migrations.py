"""Making and upgrading the tables of a campaign by running Alembic without its command line."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from brt_cg import resources
from brt_cg.storage.errors import DamagedError
from brt_cg.storage.sqlite import broken_references, make_migrating_engine, translate_errors


def alembic_config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration for the revisions that this program ships."""
    made = Config()
    folder = str(resources.migrations_folder()).replace(
        "%", "%%"
    )  # "%" would begin an interpolation
    made.set_main_option("script_location", folder)
    made.attributes["connection"] = connection
    return made


def migrate(connection: Connection, revision: str = "head") -> None:
    """Upgrade the tables to a revision, the newest one unless another is named, within the
    connection's transaction."""
    command.upgrade(alembic_config(connection), revision)


def upgrade_file(path: Path) -> None:
    """Upgrade an older campaign file, as a whole or not at all. Raises StorageError. The caller
    must have made a backup."""
    engine = make_migrating_engine(path)
    try:
        with translate_errors(path), engine.begin() as connection:
            migrate(connection)
            broken = broken_references(connection.connection.driver_connection)  # type: ignore[arg-type]
            if broken:
                raise DamagedError(f"{path} cannot be upgraded: {'; '.join(broken)}")
    except DBAPIError as error:  # its tables are not those of its revision
        raise DamagedError(
            f"{path} cannot be upgraded ({error.orig}) and was not changed. To save its "
            f"contents in a new file, run brt-cg repair"
        ) from error
    finally:
        engine.dispose()
