"""Events by number, the plans that hold since them, and the allowance as it was shown."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Number events from now on: no plan is known to hold, and no allowance to have been shown."""
    for name in ("event_no", "event_at", "data_no"):
        op.add_column("person", sa.Column(name, BIG, nullable=False, server_default=sa.text("0")))
    op.add_column(
        "person",
        sa.Column("inference_due", sa.Integer(), nullable=False, server_default=sa.text("0")),
    )
    op.add_column("plan", sa.Column("data_no", BIG, nullable=True))
    op.drop_table("allowance_change")
    op.create_table(
        "shown_allowance",
        sa.Column("owner_no", BIG, sa.ForeignKey("person.no", ondelete="CASCADE"), nullable=False),
        sa.Column("event_no", BIG, autoincrement=False, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("period_end", sa.Integer(), nullable=False),
        sa.Column("daily", BIG, nullable=False),
        sa.PrimaryKeyConstraint("owner_no", "event_no"),
    )
