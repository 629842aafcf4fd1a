"""Since when a pillbox is the Marines': it counts its Victory Points once (15.615).

A landed revision is never edited.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("fortifications", sa.Column("fell", sa.Text))


def downgrade() -> None:
    raise NotImplementedError("a campaign file is brought back from its backup")
