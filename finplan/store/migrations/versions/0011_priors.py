"""What is known of payees before anything is learnt from the person's rules."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table; it is filled when payees are judged."""
    op.create_table(
        "payee_prior",
        sa.Column("payee_no", BIG, primary_key=True, autoincrement=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("edition", BIG, nullable=False),
        sa.Column("asks", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["payee_no"], ["payee.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
    )
    op.create_index(
        "payee_prior_known",
        "payee_prior",
        ["owner_no", "edition"],
        sqlite_where=sa.text("body IS NOT NULL"),
        postgresql_where=sa.text("body IS NOT NULL"),
    )
