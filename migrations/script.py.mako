"""${message}

A landed revision is never edited. One that rebuilds a table makes its triggers again, and gives the
batch the CHECKs as `table_args`: they are not carried over (`tests.tools.migrations` finds it).
"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    raise NotImplementedError("an older file is kept as a backup; there is no way back")
