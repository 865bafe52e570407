"""What agents ask over A2A is kept for a while, so that they can ask for it again."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "agent_task",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("context_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("status_at", BIG, nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=True),
        sa.Column("said", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("agent_task_owner", "agent_task", ["owner_no", "status_at", "no"])
