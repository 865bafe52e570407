"""Planned money."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table; nobody has planned anything yet."""
    op.create_table(
        "planned",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, sa.ForeignKey("person.no", ondelete="CASCADE"), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("incoming", sa.Integer(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("in_month", sa.Integer(), nullable=False),
        sa.Column("cadence", sa.String(), nullable=True),
        sa.Column("until", sa.Integer(), nullable=True),
        sa.Column(
            "account_no", BIG, sa.ForeignKey("account.no", ondelete="SET NULL"), nullable=True
        ),
        sa.Column("category", sa.String(), nullable=True),
        sa.Column("planned_on", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("saved_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("planned_owner", "planned", ["owner_no"], unique=False)
    op.create_index("planned_account", "planned", ["account_no"], unique=False)
