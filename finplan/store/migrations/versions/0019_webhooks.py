"""Webhooks, the deliveries on their way to them, and the recurring charges that they know of."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "webhook",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.String(), nullable=True),
        sa.Column("events", sa.String(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("former_secret", sa.LargeBinary(), nullable=True),
        sa.Column("former_until", BIG, nullable=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("disabled_at", BIG, nullable=True),
        sa.Column("disabled_why", sa.String(), nullable=True),
        sa.Column("failing_since", BIG, nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.UniqueConstraint("id"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("webhook_owner", "webhook", ["owner_no"])
    op.create_table(
        "webhook_delivery",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("webhook_no", BIG, nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", BIG, nullable=False, server_default=sa.text("0")),
        sa.Column("next_attempt_at", BIG, nullable=False),
        sa.Column("claim", sa.String(), nullable=True),
        sa.Column("claimed_until", BIG, nullable=True),
        sa.Column("last_status", sa.Integer(), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("delivered_at", BIG, nullable=True),
        sa.UniqueConstraint("id"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["webhook_no"], ["webhook.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("webhook_delivery_owner", "webhook_delivery", ["owner_no"])
    op.create_index("webhook_delivery_webhook", "webhook_delivery", ["webhook_no"])
    op.create_index("webhook_delivery_age", "webhook_delivery", ["created_at"])
    op.create_index(
        "webhook_delivery_due",
        "webhook_delivery",
        ["webhook_no", "next_attempt_at"],
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index(
        "webhook_delivery_claim",
        "webhook_delivery",
        ["claimed_until"],
        sqlite_where=sa.text("claimed_until IS NOT NULL"),
        postgresql_where=sa.text("claimed_until IS NOT NULL"),
    )
    op.create_table(
        "told_series",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("told_series_name", "told_series", ["owner_no", "name"], unique=True)
