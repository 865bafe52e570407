"""Who reaches a bank and by which sealed access; requests that are counted, pending rows that posted."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """What is there is reached through nobody: the demo household, and statement files."""
    op.add_column("connection", sa.Column("bank", sa.String(), nullable=True))
    op.add_column("connection", sa.Column("secret", sa.LargeBinary(), nullable=True))
    op.add_column(
        "connection",
        sa.Column("named_by_bank", sa.Integer(), nullable=False, server_default=sa.text("0")),
    )
    op.add_column("connection", sa.Column("access_ends_at", BIG, nullable=True))
    op.add_column("account", sa.Column("institution", sa.String(), nullable=True))
    op.create_table(
        "bank_request",
        sa.Column("no", BIG, nullable=False),
        sa.Column("connection_no", BIG, nullable=False),
        sa.Column("asked_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["connection_no"], ["connection.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("bank_request_when", "bank_request", ["connection_no", "asked_at"])
    op.create_table(
        "claimed_pending",
        sa.Column("account_no", BIG, nullable=False),
        sa.Column("pending_id", sa.String(), nullable=False),
        sa.Column("posted_id", sa.String(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_no"], ["account.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_no", "pending_id"),
    )
