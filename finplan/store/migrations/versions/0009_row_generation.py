"""The generation of a person's rows, beside that of all their data."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the generation, which begins anew: a digest of a dry run from before it does not hold."""
    op.add_column(
        "person",
        sa.Column("row_generation", BIG, nullable=False, server_default=sa.text("0")),
    )
