"""When a webhook's last attempt failed, so that time in which nothing was tried is no failure."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Of a webhook that fails now it is not known, so its next failure counts as the first."""
    op.add_column("webhook", sa.Column("last_failed_at", BIG, nullable=True))
