"""Rows keep their texts as they are looked for, where a database does not fold these by itself."""

import sqlalchemy as sa
from alembic import op

# What is kept must be what this very version folds, and so it is no copy.
from finplan.store.folding import fold_others

revision = "0027"
down_revision = "0026"

AT_ONCE = 10_000

TX = sa.table("tx", sa.column("no"), sa.column("raw"), sa.column("folded"))


def upgrade() -> None:
    """Fold the texts of the rows that are there; those of ASCII stay as they are."""
    op.add_column("tx", sa.Column("folded", sa.Text(), nullable=True))
    connection = op.get_bind()
    change = sa.update(TX).where(TX.c.no == sa.bindparam("row")).values(folded=sa.bindparam("text"))
    last = 0
    while rows := connection.execute(
        sa.select(TX.c.no, TX.c.raw).where(TX.c.no > last).order_by(TX.c.no).limit(AT_ONCE)
    ).all():
        folded = [{"row": no, "text": fold_others(raw)} for no, raw in rows if not raw.isascii()]
        if folded:
            connection.execute(change, folded)
        last = rows[-1].no
    op.create_index(
        "tx_folded",
        "tx",
        ["owner_no"],
        sqlite_where=sa.text("folded IS NOT NULL"),
        postgresql_where=sa.text("folded IS NOT NULL"),
    )
