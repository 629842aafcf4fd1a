"""The turn, Formations and Entry Area of counters to come: a line of the Landing Schedule Record.

A landed revision is never edited.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("arrivals", sa.Column("turn", sa.Integer))
    op.add_column("arrivals", sa.Column("formations", sa.Text))
    op.add_column("arrivals", sa.Column("entry_area", sa.Text))


def downgrade() -> None:
    raise NotImplementedError("a campaign file is brought back from its backup")
