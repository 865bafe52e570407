"""Rows say what the person filed them under by themselves, so that sums find those few at once."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

SAID = (
    "SELECT coalesce(category, '') FROM single_word WHERE tx_no = tx.no AND (category IS NOT NULL"
    " OR EXISTS (SELECT 1 FROM word_part WHERE word_part.word_no = single_word.no))"
)


def upgrade() -> None:
    """Note on each row what the word on it says; the empty text is that of a row in parts."""
    op.add_column("tx", sa.Column("filed", sa.String(), nullable=True))
    op.execute(
        f"UPDATE tx SET filed = ({SAID}) WHERE no IN"
        " (SELECT tx_no FROM single_word WHERE tx_no IS NOT NULL)"
    )
    op.create_index(
        "tx_filed",
        "tx",
        ["owner_no", "payee_no", "day", "amount", "filed", "counts", "transfer_no"],
        sqlite_where=sa.text("filed IS NOT NULL"),
        postgresql_where=sa.text("filed IS NOT NULL"),
    )
    op.drop_index("word_part_owner", "word_part")
    op.create_index("word_part_owner", "word_part", ["owner_no", "word_no", "amount", "category"])
