"""A program that is one revision of the tables further than this one, so that it upgrades."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from brt_cg import resources
from brt_cg.storage import campaign_file, reader

NEXT = f"{int(reader.HEAD) + 1:04}"
UPGRADE = f'''
from alembic import op

revision = "{NEXT}"
down_revision = "{reader.HEAD}"


def upgrade() -> None:
    op.execute("CREATE TABLE apart AS SELECT * FROM units")
    op.execute("DROP TABLE apart")
'''


@contextmanager
def one_revision_further(folder: Path) -> Iterator[None]:
    """Within, every campaign file is an older one; `folder` holds the migrations."""
    migrations = folder / "migrations"
    if not migrations.exists():
        shutil.copytree(resources.migrations_folder(), migrations)
        (migrations / "versions" / f"{NEXT}_later.py").write_text(UPGRADE)
    with (
        patch.object(resources, "migrations_folder", lambda: migrations),
        patch.object(reader, "REVISIONS", (*reader.REVISIONS, NEXT)),
        patch.object(reader, "HEAD", NEXT),
        patch.object(campaign_file, "HEAD", NEXT),
    ):
        yield
