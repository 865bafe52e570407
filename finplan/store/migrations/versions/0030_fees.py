"""A transfer knows what of it did not arrive, which is spending and no movement."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

LOST = (
    "SELECT -o.amount - i.amount FROM tx AS o, tx AS i, account AS source, account AS target"
    " WHERE o.no = transfer.out_no AND i.no = transfer.in_no AND source.no = o.account_no"
    " AND target.no = i.account_no AND source.currency = target.currency AND target.kind <> 'loan'"
)

COUNTED = "SELECT max(other.counts) FROM tx AS other WHERE other.account_no = tx.account_no"
"""Whether rows of an account count; one with paired rows alone is counted again at its next change."""


def upgrade() -> None:
    """Add the fee, and let the rows that one was taken from count."""
    op.add_column("transfer", sa.Column("fee", BIG, nullable=False, server_default=sa.text("0")))
    op.execute(f"UPDATE transfer SET fee = max(0, coalesce(({LOST}), 0))")
    op.execute("UPDATE transfer SET counts = 1 WHERE fee > 0")
    op.execute(
        f"UPDATE tx SET counts = coalesce(({COUNTED}), 0)"
        " WHERE no IN (SELECT out_no FROM transfer WHERE fee > 0)"
    )
    op.create_index(
        "transfer_fee",
        "transfer",
        ["owner_no"],
        sqlite_where=sa.text("fee > 0"),
        postgresql_where=sa.text("fee > 0"),
    )
