"""The Marines' VP for pillboxes in the whole campaign, as settled date by date (15.615).

A landed revision is never edited.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign", sa.Column("pillbox_vp_so_far", sa.Integer))


def downgrade() -> None:
    raise NotImplementedError("a campaign file is brought back from its backup")
