"""What is printed on a counter may be not known; and what a card brings at a later date.

A landed revision is never edited.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SIDES = ("marine", "japanese")


def upgrade() -> None:
    _may_be_null("weapons", "repair_number")
    _may_be_null("vehicles", "best_af", "amphibious")
    side = sa.Enum(*SIDES, native_enum=False, create_constraint=True, name=op.f("ck_arrivals_side"))
    op.create_table(
        "arrivals",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("side", side, nullable=False),
        sa.Column("date", sa.Text, nullable=False),
        sa.Column("wave", sa.Text),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column(
            "entered",
            sa.Integer,
            sa.CheckConstraint("entered IN (0, 1)", name=op.f("ck_arrivals_entered")),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arrivals")),
    )


def _may_be_null(table: str, *columns: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        for column in columns:
            op.alter_column(table, column, existing_type=sa.Integer, nullable=True)
        return
    # Rebuilt from its own words: a batch would write its CHECKs in an order by chance.
    found = sa.text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = :table")
    made = str(op.get_bind().execute(found, {"table": table}).scalar_one())
    for column in columns:
        made = made.replace(f"{column} INTEGER NOT NULL", f"{column} INTEGER")
    op.execute(made.replace(f"CREATE TABLE {table}", "CREATE TABLE rebuilt", 1))
    op.execute(f"INSERT INTO rebuilt SELECT * FROM {table}")
    op.execute(f"DROP TABLE {table}")
    op.execute(f"ALTER TABLE rebuilt RENAME TO {table}")


def downgrade() -> None:
    raise NotImplementedError("a campaign file is brought back from its backup")
