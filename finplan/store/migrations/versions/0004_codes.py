"""The bank's own code of what a row was for."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the code, and an index of the rows that have one."""
    op.add_column("tx", sa.Column("code", sa.String(), nullable=True))
    op.add_column("set_aside", sa.Column("code", sa.String(), nullable=True))
    op.create_index(
        "tx_code",
        "tx",
        ["owner_no", "payee_no", "code"],
        sqlite_where=sa.text("code IS NOT NULL"),
        postgresql_where=sa.text("code IS NOT NULL"),
    )
