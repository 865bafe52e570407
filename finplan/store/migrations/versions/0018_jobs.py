"""Jobs: what is done by itself, when next, what came of it, and what people were told."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables, and let a connection say when it is synced next."""
    op.add_column("connection", sa.Column("next_try_at", BIG, nullable=True))
    op.create_table(
        "job",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("next_at", BIG, nullable=True),
        sa.Column("last_at", BIG, nullable=True),
        sa.Column("last_result", sa.String(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("asked", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("seen", sa.String(), nullable=True),
        sa.Column("lease_until", BIG, nullable=True),
        sa.Column("lease_holder", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("job_owner", "job", ["owner_no", "name"], unique=True)
    op.create_index(
        "job_machine",
        "job",
        ["name"],
        unique=True,
        sqlite_where=sa.text("owner_no IS NULL"),
        postgresql_where=sa.text("owner_no IS NULL"),
    )
    op.create_table(
        "notice",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("incident", sa.String(), nullable=False),
        sa.Column("told_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("notice_incident", "notice", ["owner_no", "incident"], unique=True)
