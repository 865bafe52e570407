"""Words on single rows say a category, a note or parts, of pending rows as well."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

WORD = "no, id, owner_no, row_no, tx_no, category, said_at"
ANSWER = "no, owner_no, task_id, body, rule_no, answered_at, word_no, each"


def upgrade() -> None:
    """Let a word leave the category open, and give it a note, a pending row and parts."""
    # SQLite neither takes a column's NOT NULL away nor adds a reference to a table that is there, so the
    # table is made anew, and with it the one that refers to it.
    op.drop_index("single_word_id", "single_word")
    op.drop_index("single_word_tx", "single_word")
    op.drop_index("task_answer_task", "task_answer")
    op.rename_table("single_word", "single_word_before")
    op.rename_table("task_answer", "task_answer_before")
    op.create_table(
        "single_word",
        sa.Column("no", BIG, nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("row_no", BIG, nullable=False),
        sa.Column("tx_no", BIG, nullable=True),
        sa.Column("category", sa.String(), nullable=True),
        sa.Column("said_at", BIG, nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("pending_no", BIG, nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["row_no"], ["remembered_row.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tx_no"], ["tx.no"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["pending_no"], ["pending.no"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("no"),
    )
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
    op.execute(f"INSERT INTO single_word ({WORD}) SELECT {WORD} FROM single_word_before")
    op.execute(f"INSERT INTO task_answer ({ANSWER}) SELECT {ANSWER} FROM task_answer_before")
    op.drop_table("task_answer_before")
    op.drop_table("single_word_before")
    op.create_index("single_word_id", "single_word", ["owner_no", "id"], unique=True)
    op.create_index("single_word_tx", "single_word", ["tx_no"], unique=True)
    op.create_index("single_word_pending", "single_word", ["pending_no"], unique=True)
    op.create_index("task_answer_task", "task_answer", ["owner_no", "task_id"])
    op.create_table(
        "word_part",
        sa.Column("no", BIG, nullable=False),
        sa.Column("owner_no", BIG, nullable=False),
        sa.Column("word_no", BIG, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("amount", BIG, nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["owner_no"], ["person.no"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["word_no"], ["single_word.no"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("no"),
    )
    op.create_index("word_part_word", "word_part", ["word_no", "place"], unique=True)
    op.create_index("word_part_owner", "word_part", ["owner_no"])
