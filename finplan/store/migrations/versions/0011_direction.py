"""Which column of a table has the amounts and which way they go, where the person had to say it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the answers; nobody was asked before."""
    op.add_column("csv_answer", sa.Column("direction", sa.String(), nullable=True))
    op.add_column("csv_answer", sa.Column("amount_column", sa.String(), nullable=True))
