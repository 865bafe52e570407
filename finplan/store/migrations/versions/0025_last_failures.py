"""When a webhook's last attempt failed, and until when its receiver put a delivery off.

Time in which nothing was tried is no failure, and no longer pause than the schedule's is waited for
unless it was asked for.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Neither is known of what is there: a failure counts as the first, and a wait as the schedule's."""
    op.add_column("webhook", sa.Column("last_failed_at", BIG, nullable=True))
    op.add_column("webhook_delivery", sa.Column("put_off_until", BIG, nullable=True))
