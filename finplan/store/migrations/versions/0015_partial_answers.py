"""Answers for one direction or one row: rules with a direction, and words on single rows."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Give rules a direction, both so far; add the words; let a question have several answers."""
    op.create_table(
        "single_word",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("row_no", BIG, nullable=False),
        sa.Column("tx_no", BIG, nullable=True),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("said_at", BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["row_no"], ["remembered_row.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tx_no"], ["tx.no"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("single_word_id", "single_word", ["owner_no", "id"], unique=True)
    op.create_index("single_word_tx", "single_word", ["tx_no"], unique=True)
    op.add_column(
        "rule",
        sa.Column("direction", sa.String(), nullable=False, server_default=sa.text("'both'")),
    )
    op.drop_index("rule_payee", "rule")
    op.create_index(
        "rule_payee",
        "rule",
        ["payee_no", "direction"],
        unique=True,
        sqlite_where=sa.text("amount IS NULL"),
        postgresql_where=sa.text("amount IS NULL"),
    )
    op.drop_index("task_answer_task", "task_answer")
    # SQLite adds no reference to a table that is there, so the table is made anew.
    op.rename_table("task_answer", "task_answer_before")
    op.create_table(
        "task_answer",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("task_id", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("rule_no", BIG, nullable=True),
        sa.Column("answered_at", BIG, nullable=False),
        sa.Column("word_no", BIG, nullable=True),
        sa.Column("each", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["rule_no"], ["rule.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["word_no"], ["single_word.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.execute(
        "INSERT INTO task_answer (no, owner_no, task_id, body, rule_no, answered_at)"
        " SELECT no, owner_no, task_id, body, rule_no, answered_at FROM task_answer_before"
    )
    op.drop_table("task_answer_before")
    op.create_index("task_answer_task", "task_answer", ["owner_no", "task_id"])
