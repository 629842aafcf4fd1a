"""${message}

A landed revision is never edited. It adds a column with `op.add_column`: where the field may not be
None, with `nullable=False` and its default as `server_default`; for a flag (`sa.Integer`) or a word
(`sa.String`, as long as the longest) with `sa.CheckConstraint("x IN (...)", name=op.f("ck_TABLE_x"))`.
One that rebuilds a table makes its triggers again, and gives the batch the CHECKs as `table_args`:
they are not carried over (`tests.tools.migrations` finds it).
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
