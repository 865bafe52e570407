"""What the person decided about transfers, series and duplicates."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables that verdicts are kept in."""
    op.create_table(
        "remembered_row",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("account_key", sa.String(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("remembered_row_owner", "remembered_row", ["owner_no"], unique=False)
    op.create_table(
        "transfer_verdict",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("out_row_no", BIG, nullable=False),
        sa.Column("in_row_no", BIG, nullable=False),
        sa.Column("decided_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["in_row_no"], ["remembered_row.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["out_row_no"], ["remembered_row.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("transfer_verdict_id", "transfer_verdict", ["owner_no", "id"], unique=True)
    op.create_table(
        "series_verdict",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("payee_key", sa.String(), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("cadence", sa.String(), nullable=False),
        sa.Column("interval_days", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("decided_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("series_verdict_id", "series_verdict", ["owner_no", "id"], unique=True)
    op.create_table(
        "duplicate_verdict",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("kept_row_no", BIG, nullable=True),
        sa.Column("other_row_no", BIG, nullable=True),
        sa.Column("kept_account", sa.String(), nullable=True),
        sa.Column("other_account", sa.String(), nullable=True),
        sa.Column("decided_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["kept_row_no"], ["remembered_row.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other_row_no"], ["remembered_row.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("duplicate_verdict_id", "duplicate_verdict", ["owner_no", "id"], unique=True)
    op.create_table(
        "set_aside",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("verdict_no", BIG, nullable=False),
        sa.Column("account_no", BIG, nullable=False),
        sa.Column("payee_no", BIG, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("pending", sa.Integer(), nullable=False),
        sa.Column("import_no", BIG, nullable=True),
        sa.ForeignKeyConstraint(["account_no"], ["account.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["import_no"], ["import_batch.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["payee_no"], ["payee.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["verdict_no"], ["duplicate_verdict.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("set_aside_account", "set_aside", ["account_no"], unique=False)
    op.create_index("set_aside_owner", "set_aside", ["owner_no"], unique=False)
