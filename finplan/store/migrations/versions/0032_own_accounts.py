"""An account knows whether the person added it, and since when it is theirs."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Add the flag and the day; no account was added by a person yet."""
    op.add_column(
        "account", sa.Column("own", sa.Integer(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column("account", sa.Column("since", sa.Integer(), nullable=True))
