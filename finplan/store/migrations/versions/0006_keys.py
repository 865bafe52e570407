"""API keys, and the replies to requests that carry an Idempotency-Key."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "api_key",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("prefix", sa.String(), nullable=False),
        sa.Column("scopes", sa.String(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("last_used_at", BIG, nullable=True),
        sa.Column("revoked_at", BIG, nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("hash"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("api_key_owner", "api_key", ["owner_no"])
    op.create_table(
        "kept_reply",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("holder", sa.String(), nullable=True),
        sa.Column("held_until", BIG, nullable=False),
        sa.Column("reply", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index(
        "kept_reply_request", "kept_reply", ["owner_no", "method", "path", "key"], unique=True
    )
    op.create_index("kept_reply_age", "kept_reply", ["created_at"])
