"""What a person said of how tables of text are read."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table of answers."""
    op.create_table(
        "csv_answer",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("import_no", BIG, nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("header", sa.String(), nullable=False),
        sa.Column("encoding", sa.String(), nullable=True),
        sa.Column("date_order", sa.String(), nullable=True),
        sa.Column("decimal_sign", sa.String(), nullable=True),
        sa.Column("currency", sa.String(), nullable=True),
        sa.Column("account_no", BIG, nullable=True),
        sa.Column("saved_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["import_no"], ["import_batch.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["account_no"], ["account.no"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index(
        "csv_answer_header", "csv_answer", ["owner_no", "signature", "import_no"], unique=True
    )
    op.create_index("csv_answer_import", "csv_answer", ["import_no"])
