"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create every table."""
    op.create_table(
        "person",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("currency", sa.String(), nullable=True),
        sa.Column("time_zone", sa.String(), nullable=False),
        sa.Column("budget_shares", sa.String(), nullable=True),
        sa.Column("target_months", sa.Integer(), nullable=True),
        sa.Column("monthly_income", BIG, nullable=True),
        sa.Column("generation", BIG, server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_table(
        "allowance_change",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("before", BIG, nullable=False),
        sa.Column("after", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("allowance_change_owner", "allowance_change", ["owner_no", "at"], unique=False)
    op.create_table(
        "connection",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("institution_name", sa.String(), nullable=False),
        sa.Column("institution_id", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("cursor", sa.String(), nullable=True),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_synced_at", BIG, nullable=True),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("by_import", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("connection_owner", "connection", ["owner_no"], unique=False)
    op.create_table(
        "import_batch",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("started_at", BIG, nullable=False),
        sa.Column("committed_at", BIG, nullable=True),
        sa.Column("undone_at", BIG, nullable=True),
        sa.Column("report", sa.Text(), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("import_batch_owner", "import_batch", ["owner_no"], unique=False)
    op.create_table(
        "payee",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("raw", sa.String(), nullable=False),
        sa.Column("category_out", sa.String(), nullable=False),
        sa.Column("category_in", sa.String(), nullable=False),
        sa.Column("decided_out", sa.String(), nullable=False),
        sa.Column("decided_in", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("alternatives", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("suggested", sa.String(), nullable=True),
        sa.Column("why", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("payee_key", "payee", ["owner_no", "key"], unique=True)
    op.create_table(
        "plan",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("plan_owner", "plan", ["owner_no", "created_at"], unique=True)
    op.create_table(
        "account",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("connection_no", BIG, nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("mask", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subtype", sa.String(), nullable=True),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("balance", BIG, nullable=True),
        sa.Column("balance_day", sa.Integer(), nullable=True),
        sa.Column("credit_limit", BIG, nullable=True),
        sa.Column("apr", sa.Float(), nullable=True),
        sa.Column("minimum_payment", BIG, nullable=True),
        sa.Column("hidden", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("covered_since", sa.Integer(), nullable=True),
        sa.Column("covered_until", sa.Integer(), nullable=True),
        sa.Column("kept", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.Column("sources", sa.String(), server_default=sa.text("''"), nullable=False),
        sa.ForeignKeyConstraint(["connection_no"], ["connection.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index(
        "account_external", "account", ["connection_no", "external_id", "currency"], unique=True
    )
    op.create_index("account_owner", "account", ["owner_no"], unique=False)
    op.create_table(
        "rule",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("payee_no", BIG, nullable=False),
        sa.Column("amount", BIG, nullable=True),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("saved_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["payee_no"], ["payee.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index(
        "rule_amount",
        "rule",
        ["payee_no", "amount"],
        unique=True,
        sqlite_where=sa.text("amount IS NOT NULL"),
        postgresql_where=sa.text("amount IS NOT NULL"),
    )
    op.create_index("rule_owner", "rule", ["owner_no"], unique=False)
    op.create_index(
        "rule_payee",
        "rule",
        ["payee_no"],
        unique=True,
        sqlite_where=sa.text("amount IS NULL"),
        postgresql_where=sa.text("amount IS NULL"),
    )
    op.create_table(
        "balance_record",
        sa.Column("account_no", BIG, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("import_no", BIG, autoincrement=False, nullable=False),
        sa.Column("balance", BIG, nullable=False),
        sa.ForeignKeyConstraint(["account_no"], ["account.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_no", "day", "import_no"),
    )
    op.create_table(
        "pending",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("account_no", BIG, nullable=False),
        sa.Column("payee_no", BIG, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("import_no", BIG, nullable=True),
        sa.ForeignKeyConstraint(["account_no"], ["account.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["import_no"], ["import_batch.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["payee_no"], ["payee.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("pending_account", "pending", ["account_no"], unique=False)
    op.create_index("pending_owner", "pending", ["owner_no"], unique=False)
    op.create_table(
        "task_answer",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("rule_no", BIG, nullable=True),
        sa.Column("answered_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["rule_no"], ["rule.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("task_answer_task", "task_answer", ["owner_no", "task_id"], unique=True)
    op.create_table(
        "tx",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("account_no", BIG, nullable=False),
        sa.Column("payee_no", BIG, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("counts", sa.Integer(), nullable=False),
        sa.Column("peer_no", BIG, nullable=True),
        sa.Column("transfer_no", BIG, nullable=True),
        sa.Column("import_no", BIG, nullable=True),
        sa.ForeignKeyConstraint(["account_no"], ["account.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["import_no"], ["import_batch.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index(
        "tx_by_day", "tx", ["owner_no", "day", "payee_no", "amount", "counts"], unique=False
    )
    op.create_index(
        "tx_by_payee",
        "tx",
        ["owner_no", "payee_no", "day", "amount", "counts"],
        unique=False,
        sqlite_where=sa.text("counts = 1"),
        postgresql_where=sa.text("counts = 1"),
    )
    op.create_index(
        "tx_external",
        "tx",
        ["account_no", "external_id", "day", "amount", "ordinal"],
        unique=True,
        sqlite_where=sa.text("external_id IS NOT NULL"),
        postgresql_where=sa.text("external_id IS NOT NULL"),
    )
    op.create_index("tx_identity", "tx", ["account_no", "day", "amount"], unique=False)
    op.create_index(
        "tx_import",
        "tx",
        ["import_no"],
        unique=False,
        sqlite_where=sa.text("import_no IS NOT NULL"),
        postgresql_where=sa.text("import_no IS NOT NULL"),
    )
    op.create_index(
        "tx_transfer",
        "tx",
        ["transfer_no"],
        unique=False,
        sqlite_where=sa.text("transfer_no IS NOT NULL"),
        postgresql_where=sa.text("transfer_no IS NOT NULL"),
    )
    op.create_table(
        "sighting",
        sa.Column("import_no", BIG, nullable=False),
        sa.Column("tx_no", BIG, nullable=False),
        sa.ForeignKeyConstraint(["import_no"], ["import_batch.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tx_no"], ["tx.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("import_no", "tx_no"),
    )
    op.create_index("sighting_tx", "sighting", ["tx_no"], unique=False)
    op.create_table(
        "transfer",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("out_no", BIG, nullable=False),
        sa.Column("in_no", BIG, nullable=False),
        sa.Column("counts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["in_no"], ["tx.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["out_no"], ["tx.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("transfer_in", "transfer", ["in_no"], unique=True)
    op.create_index("transfer_out", "transfer", ["out_no"], unique=True)
    op.create_index("transfer_owner", "transfer", ["owner_no"], unique=False)
