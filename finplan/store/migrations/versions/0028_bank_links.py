"""Pages at which a person links a bank; how often in a row a bank had more to come."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """No page is open yet, and whatever is linked has brought all that it had."""
    op.add_column(
        "connection",
        sa.Column("unfinished", sa.Integer(), nullable=False, server_default=sa.text("0")),
    )
    op.create_table(
        "bank_link",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("bank", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("ticket", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(), nullable=True),
        sa.Column("institution_name", sa.String(), nullable=True),
        sa.Column("institution_id", sa.String(), nullable=True),
        sa.Column("connection_no", BIG, nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("is_over", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("expires_at", BIG, nullable=False),
        sa.Column("asked_at", BIG, nullable=False, server_default=sa.text("0")),
        sa.Column("busy_until", BIG, nullable=False, server_default=sa.text("0")),
        sa.Column("next_look_at", BIG, nullable=False, server_default=sa.text("0")),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["connection_no"], ["connection.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("bank_link_owner", "bank_link", ["owner_no"])
    op.create_index("bank_link_connection", "bank_link", ["connection_no"])
