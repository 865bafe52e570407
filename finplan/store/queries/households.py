"""What a person's household holds besides its rows, as it is exported and put into another home."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, insert, select, true

from finplan.store.queries.banking.relinked import KIND as RELINKED
from finplan.store.queries.remembered import RowIdentity
from finplan.store.tables.tables import (
    account,
    csv_answer,
    duplicate_verdict,
    payee,
    pending,
    remembered_row,
    set_aside,
    transfer_verdict,
)


def list_remembered(connection: Connection, owner: int) -> dict[int, RowIdentity]:
    """Every row that a person's verdicts remember, by the number it is remembered by."""
    columns = [remembered_row.c[name] for name in RowIdentity._fields]
    query = select(remembered_row.c.no, *columns).where(remembered_row.c.owner_no == owner)
    return {no: RowIdentity(*rest) for no, *rest in connection.execute(query)}


def list_transfer_verdicts(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's verdicts on transfers as they are kept, oldest first."""
    query = select(transfer_verdict).where(transfer_verdict.c.owner_no == owner)
    return connection.execute(query.order_by(transfer_verdict.c.no)).mappings().all()


def list_duplicate_verdicts(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's verdicts on duplicates as they are kept, oldest first."""
    query = select(duplicate_verdict).where(
        duplicate_verdict.c.owner_no == owner, duplicate_verdict.c.kind != RELINKED
    )
    return connection.execute(query.order_by(duplicate_verdict.c.no)).mappings().all()


def list_set_aside(connection: Connection, owner: int) -> dict[int, RowMapping]:
    """The posted row that each verdict set aside, with account id and payee key, by its number."""
    query = (
        select(set_aside, account.c.id.label("account_id"), payee.c.key.label("payee_key"))
        .join(account, account.c.no == set_aside.c.account_no)
        .join(payee, payee.c.no == set_aside.c.payee_no)
        .where(set_aside.c.owner_no == owner, set_aside.c.pending == 0)
    )
    return {row["verdict_no"]: row for row in connection.execute(query).mappings()}


def list_pending(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's pending rows with account id and payee key, those last that are set aside."""
    rows: list[RowMapping] = []
    for table, which in ((pending, true()), (set_aside, set_aside.c.pending == 1)):
        query = (
            select(table, account.c.id.label("account_id"), payee.c.key.label("payee_key"))
            .join(account, account.c.no == table.c.account_no)
            .join(payee, payee.c.no == table.c.payee_no)
            .where(table.c.owner_no == owner, which)
            .order_by(table.c.no)
        )
        rows += connection.execute(query).mappings()
    return rows


def list_file_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """What a person said of files with some header, with the account's id, oldest first."""
    query = (
        select(csv_answer, account.c.id.label("account_id"))
        .outerjoin(account, account.c.no == csv_answer.c.account_no)
        .where(csv_answer.c.owner_no == owner)
        .order_by(csv_answer.c.no)
    )
    return connection.execute(query).mappings().all()


def taken_ids(connection: Connection, table: Table, ids: Iterable[str]) -> set[str]:
    """Which of some public ids anybody in the store has already."""
    wanted = list(ids)
    found: set[str] = set()
    for start in range(0, len(wanted), _AT_ONCE):
        query = select(table.c.id).where(table.c.id.in_(wanted[start : start + _AT_ONCE]))
        found |= {row[0] for row in connection.execute(query)}
    return found


_AT_ONCE = 500
"""How many values one statement names."""


def add_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows to a table, given by its columns."""
    if rows:
        connection.execute(insert(table), list(rows))


def named_categories(connection: Connection, owner: int) -> set[str]:
    """The categories that a person's rules and words on rows name."""
    rows = connection.exec_driver_sql(
        "SELECT category FROM rule WHERE owner_no = ? UNION"
        " SELECT category FROM single_word WHERE owner_no = ? AND category IS NOT NULL UNION"
        " SELECT category FROM word_part WHERE owner_no = ?",
        (owner, owner, owner),
    )
    return {row[0] for row in rows}
