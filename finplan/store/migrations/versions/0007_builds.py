"""Builds, which go on by themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "build",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("started_at", BIG, nullable=False),
        sa.Column("finished_at", BIG, nullable=True),
        sa.Column("plan_created_at", BIG, nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("build_owner", "build", ["owner_no", "status"])
