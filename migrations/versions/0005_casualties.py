"""The casualty ledger; the winner by a report, and why the count was overruled; and the key of what
is born hidden.

A landed revision is never edited.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SIDES = ("marine", "japanese")
LOST = (
    *("eliminated", "reduced", "captured", "crew", "massacred", "prisoner", "held", "freed"),
    *("revived", "stated"),
)


def upgrade() -> None:
    op.create_table(
        "casualties",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("side", _word("casualties", "side", SIDES), nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("how", _word("casualties", "how", LOST), nullable=False),
        sa.Column("counter", sa.Text),
        sa.Column("date", sa.Text),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("ruling", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("secret", _word("casualties", "secret", SIDES)),
        sa.Column(
            "open",
            sa.Integer,
            sa.CheckConstraint("open IN (0, 1)", name=op.f("ck_casualties_open")),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_casualties")),
    )
    words = ", ".join(f"'{side}'" for side in SIDES)
    allowed = sa.CheckConstraint(f"said_winner IN ({words})", name=op.f("ck_campaign_said_winner"))
    op.add_column("campaign", sa.Column("said_winner", sa.VARCHAR(8), allowed))
    op.add_column("campaign", sa.Column("overruled", sa.Text))
    op.add_column("campaign", sa.Column("key", sa.Text))


def _word(table: str, column: str, words: tuple[str, ...]) -> sa.Enum:
    name = op.f(f"ck_{table}_{column}")
    return sa.Enum(*words, native_enum=False, create_constraint=True, name=name)


def downgrade() -> None:
    raise NotImplementedError("a campaign file is brought back from its backup")
