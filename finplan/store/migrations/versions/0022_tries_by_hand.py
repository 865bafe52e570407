"""What a delivery was before somebody asked for a try; none of those that are there was asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Whatever waits now waits by its schedule."""
    op.add_column("webhook_delivery", sa.Column("former_status", sa.String(), nullable=True))
    op.add_column("webhook_delivery", sa.Column("former_next_attempt_at", BIG, nullable=True))
