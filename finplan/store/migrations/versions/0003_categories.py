"""A person's own categories, and the suggestions that the person dismissed."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of own categories."""
    op.create_table(
        "custom_category",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("known_as", sa.String(), nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("reimbursable", sa.Integer(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index(
        "custom_category_name", "custom_category", ["owner_no", "known_as"], unique=True
    )
    op.create_table(
        "dismissed_suggestion",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index(
        "dismissed_suggestion_name", "dismissed_suggestion", ["owner_no", "name"], unique=True
    )
