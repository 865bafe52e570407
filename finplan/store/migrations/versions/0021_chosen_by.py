"""Which program chose where a webhook is; of those that are there it is not known."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Nobody but the person is known to have chosen any."""
    op.add_column("webhook", sa.Column("chosen_by", sa.String(), nullable=True))
    op.create_index("webhook_chosen_by", "webhook", ["chosen_by"])
