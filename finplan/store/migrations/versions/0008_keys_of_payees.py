"""The rules that each person's payees were keyed by."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the number of the rules; 0 is said of payees from before the rules were numbered."""
    op.add_column(
        "person", sa.Column("key_rules", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
