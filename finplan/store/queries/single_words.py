"""The person's words on single rows: what a row was is remembered, and found again after each change."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, delete, insert, select

from finplan.store.queries import remembered
from finplan.store.tables.tables import single_word as table


class FiledRow(NamedTuple):
    """A row that the person filed by itself, by the numbers of its payee and account."""

    payee: int
    account: int
    day: int
    amount: int
    category: str


class UnfiledRow(NamedTuple):
    """A row that counts and that the person has not filed by itself, with what tells it from others.

    `account_key` is the bank's id of its account, which an account that is made again still has.
    """

    no: int
    payee: int
    account: int
    day: int
    amount: int
    account_key: str
    currency: str
    text: str
    ordinal: int


def save_word(
    connection: Connection, owner: int, word_id: str, row_no: int, category: str, now: int
) -> int:
    """Keep a word on a posted row, in place of an earlier one; answers its number."""
    earlier = select(table.c.row_no).where(table.c.tx_no == row_no)
    remembered.forget_identities(connection, connection.execute(earlier).scalars().all())
    identity = remembered.posted_identities(connection, [row_no])[row_no]
    return add_word(connection, owner, word_id, identity, category, now, row_no=row_no)


def add_word(
    connection: Connection,
    owner: int,
    word_id: str,
    row: remembered.RowIdentity,
    category: str,
    now: int,
    *,
    row_no: int | None = None,
) -> int:
    """Keep a word on a row as it was; answers its number.

    Where `row_no`, the row of today, is not known, `find_rows_of_words` finds it.
    """
    values = {
        "id": word_id,
        "owner_no": owner,
        "row_no": remembered.save_identity(connection, owner, row),
        "tx_no": row_no,
        "category": category,
        "said_at": now,
    }
    return int(
        connection.execute(insert(table).values(**values).returning(table.c.no)).scalar_one()
    )


def list_words(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's words on rows, oldest first."""
    query = select(table).where(table.c.owner_no == owner).order_by(table.c.no)
    return connection.execute(query).mappings().all()


def remove_word(connection: Connection, number: int) -> None:
    """Take a word back, and with it the answer that made it."""
    row_no = connection.execute(select(table.c.row_no).where(table.c.no == number)).scalar()
    connection.execute(delete(table).where(table.c.no == number))
    remembered.forget_identities(connection, [row_no])


def find_rows_of_words(connection: Connection, owner: int) -> None:
    """Let each word hold for the row of today that it is about; of two on one row the newer does."""
    words = list_words(connection, owner)
    if not words:
        return
    today = remembered.current_rows(connection, owner)
    newest = {today[word["row_no"]]: word["no"] for word in words if word["row_no"] in today}
    connection.exec_driver_sql("UPDATE single_word SET tx_no = NULL WHERE owner_no = ?", (owner,))
    for row_no, number in newest.items():
        connection.exec_driver_sql(
            "UPDATE single_word SET tx_no = ? WHERE no = ?", (row_no, number)
        )


def filed_rows(
    connection: Connection, owner: int, payee: int | None = None
) -> dict[int, list[FiledRow]]:
    """The rows that are filed by themselves, by payee, or one payee's; a transfer's leg is none."""
    among = "" if payee is None else f" AND tx.payee_no = {payee:d}"
    rows = connection.exec_driver_sql(
        "SELECT tx.payee_no, account_no, day, amount, word.category FROM single_word AS word"
        " CROSS JOIN tx WHERE tx.no = word.tx_no AND word.owner_no = ? AND tx.peer_no IS NULL"
        f"{among} ORDER BY word.no",
        (owner,),
    )
    filed: dict[int, list[FiledRow]] = {}
    for row in map(FiledRow._make, rows):
        filed.setdefault(row.payee, []).append(row)
    return filed


def unfiled_rows(connection: Connection, owner: int, payees: Sequence[int]) -> list[UnfiledRow]:
    """The rows of some payees that count, are no leg of a transfer, and have no word of their own."""
    if not payees:
        return []
    rows = connection.exec_driver_sql(
        "SELECT tx.no, payee_no, account_no, day, amount, account.external_id, currency,"
        " coalesce(tx.external_id, tx.raw), tx.ordinal FROM tx"
        " JOIN account ON account.no = tx.account_no"
        f" WHERE tx.owner_no = ? AND payee_no IN ({','.join(map(str, payees))}) AND counts = 1"
        " AND peer_no IS NULL AND tx.no NOT IN (SELECT tx_no FROM single_word"
        " WHERE tx_no IS NOT NULL) ORDER BY day, tx.no",
        (owner,),
    )
    return [UnfiledRow(*row) for row in rows]
