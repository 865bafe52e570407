"""Accounts, their recorded balances, whether their rows count, and the days they are covered for.

Coverage is kept interval by interval, with the import that brought each.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    func,
    select,
    update,
)

from finplan.store.queries.rows import (
    add,
    add_all,
    change,
    every,
    fetch,
    first,
    grouped,
    is_there,
    remove,
)
from finplan.store.tables.tables import (
    account,
    balance_record,
    connection as bank_connection,
    coverage,
    pending,
    tx,
)

_since_balance = (
    select(func.coalesce(func.sum(tx.c.amount), 0))
    .where(tx.c.account_no == account.c.no, tx.c.day > account.c.balance_day)
    .scalar_subquery()
)
"""What the rows after the day of the known balance add up to."""


def list_accounts(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's accounts with the names and ids of their connections, oldest first.

    `since_balance` is the signed sum of the rows that came after the day of the known balance.
    """
    return every(connection, _accounts(owner).order_by(account.c.no))


def currencies_of(connection: Connection, owner: int, connection_id: str) -> dict[str, str]:
    """The currency that each account of a connection is kept in, by the bank's ids."""
    query = (
        select(account.c.external_id, account.c.currency)
        .join(bank_connection, bank_connection.c.no == account.c.connection_no)
        .where(account.c.owner_no == owner, bank_connection.c.id == connection_id)
    )
    return {str(name): str(currency) for name, currency in connection.execute(query)}


def currencies_in_use(connection: Connection, owner: int) -> list[tuple[str, int, int]]:
    """The currencies of a person's accounts, in their order, each with its accounts and posted rows."""
    query = (
        "SELECT account.currency, count(DISTINCT account.no), count(tx.no) FROM account"
        " LEFT JOIN tx ON tx.account_no = account.no WHERE account.owner_no = ?"
        " GROUP BY account.currency ORDER BY min(account.no)"
    )
    return fetch(connection, query, (owner,))


def has_accounts(connection: Connection, owner: int) -> bool:
    """Whether a person has any account."""
    return is_there(connection, account, owner_no=owner)


def find_account(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's account by its id, as `list_accounts` answers it."""
    return first(connection, _accounts(owner).where(account.c.id == public_id))


def _accounts(owner: int) -> Select[Any]:
    return (
        select(
            account,
            bank_connection.c.id.label("connection_id"),
            # One access may reach several institutions.
            func.coalesce(account.c.institution, bank_connection.c.institution_name).label(
                "institution_name"
            ),
            bank_connection.c.provider,
            bank_connection.c.bank,
            _since_balance.label("since_balance"),
        )
        .join(bank_connection, bank_connection.c.no == account.c.connection_no)
        .where(account.c.owner_no == owner)
    )


def add_account(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add an account and answer its number."""
    return add(connection, account, values)


def change_account(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of an account."""
    change(connection, account, no, **values)


def remove_account(connection: Connection, no: int) -> None:
    """Delete an account with its rows."""
    remove(connection, account, no=no)


def record_balance(
    connection: Connection, no: int, day: int, balance: int, import_no: int = 0
) -> None:
    """Keep what an account's balance was on a day; the last word of a source stands.

    `import_no` is the import that says so, 0 for the bank or the person.
    """
    key = {"account_no": no, "day": day, "import_no": import_no}
    remove(connection, balance_record, **key)
    add_all(connection, balance_record, [{**key, "balance": balance}])


def record_balances(
    connection: Connection, no: int, balances: Mapping[int, int], import_no: int
) -> None:
    """Keep what an account's balance was on some days, as an import says."""
    for day, balance in balances.items():
        record_balance(connection, no, day, balance, import_no)


def recorded_balances(connection: Connection, owner: int) -> Sequence[tuple[int, int, int]]:
    """Account, day and balance of every recorded balance of a person, one a day, in order."""
    by_day = {(no, day): balance for no, day, balance, _ in said_balances(connection, owner)}
    return [(no, day, balance) for (no, day), balance in by_day.items()]


def said_balances(connection: Connection, owner: int) -> Sequence[tuple[int, int, int, bool]]:
    """Account, day and balance of a person's recorded balances, and whether a statement said so.

    Of a day it is the newest statement's word, then that of the person or the bank.
    """
    is_statement = balance_record.c.import_no > 0
    query = (
        select(
            balance_record.c.account_no,
            balance_record.c.day,
            is_statement,
            balance_record.c.balance,
        )
        .join(account, account.c.no == balance_record.c.account_no)
        .where(account.c.owner_no == owner)
        # The word of the person or the bank, whose import is none, is kept before a statement's.
        .order_by(
            balance_record.c.account_no,
            balance_record.c.day,
            balance_record.c.import_no == 0,
            balance_record.c.import_no,
        )
    )
    newest = {
        (no, day, bool(stated)): balance for no, day, stated, balance in connection.execute(query)
    }
    return [(no, day, balance, stated) for (no, day, stated), balance in newest.items()]


def balances_of(
    connection: Connection, no: int, *only: ColumnElement[bool]
) -> list[tuple[int, int]]:
    """Day and balance of every recorded balance of one account, the newest word of a day last."""
    query = (
        select(balance_record.c.day, balance_record.c.balance)
        .where(balance_record.c.account_no == no, *only)
        .order_by(balance_record.c.day, balance_record.c.import_no)
    )
    return [(day, balance) for day, balance in connection.execute(query)]


def moved_between(connection: Connection, no: int, after: int, until: int) -> int:
    """What the rows of an account after one day and up to another add up to, signed."""
    query = select(func.coalesce(func.sum(tx.c.amount), 0)).where(
        tx.c.account_no == no, tx.c.day > after, tx.c.day <= until
    )
    return int(connection.execute(query).scalar_one())


def stated_balances(connection: Connection, no: int) -> list[tuple[int, int]]:
    """Day and balance of each balance that a statement stated of an account, one a day, in order."""
    return list(dict(balances_of(connection, no, balance_record.c.import_no > 0)).items())


def forget_balances(connection: Connection, import_no: int) -> None:
    """Delete the balances that an import recorded."""
    remove(connection, balance_record, import_no=import_no)


def forget_own_balance(connection: Connection, no: int, day: int, balance: int) -> None:
    """Delete what the person or a bank said of a day, unless they have said another balance since."""
    remove(connection, balance_record, account_no=no, day=day, balance=balance, import_no=0)


def own_balance_on(connection: Connection, no: int, day: int) -> int | None:
    """The balance that the person or a bank said of a day; None where neither did."""
    query = select(balance_record.c.balance).filter_by(account_no=no, day=day, import_no=0)
    return connection.execute(query).scalar()


def negate_balances(connection: Connection, no: int) -> None:
    """Turn the recorded balances of an account round, from owned to owed or back."""
    balances = update(balance_record).filter_by(account_no=no)
    connection.execute(balances.values(balance=-balance_record.c.balance))


def has_rows(connection: Connection, no: int) -> bool:
    """Whether an account has any row, posted or pending."""
    return any(is_there(connection, rows, account_no=no) for rows in (tx, pending))


_COUNTS = (
    "CASE WHEN transfer_no IS NULL THEN ? ELSE ? * coalesce((SELECT transfer.counts FROM transfer"
    " WHERE transfer.no = tx.transfer_no AND transfer.out_no = tx.no), 0) END"
)


def set_counting(connection: Connection, no: int, *, counted: bool) -> None:
    """Let an account's rows count or not; a paired move never counts, a loan payment does."""
    flag = int(counted)
    connection.exec_driver_sql(
        f"UPDATE tx SET counts = {_COUNTS} WHERE account_no = ? AND counts <> {_COUNTS}",
        (flag, flag, no, flag, flag),
    )


CoverageValues = tuple[int, int, bool, bool]
"""First and last day YYYYMMDD, and of each whether the source states it."""

_COVERAGE_COLUMNS = (
    coverage.c.since,
    coverage.c.until,
    coverage.c.since_stated,
    coverage.c.until_stated,
)


def add_coverage(
    connection: Connection, no: int, intervals: Iterable[CoverageValues], import_no: int = 0
) -> None:
    """Note that an account is covered for some more days, which are in order.

    `import_no` is the import that says so, which has said nothing of the account before; 0 for a bank.
    """
    rows = [
        {
            "account_no": no,
            "import_no": import_no,
            "since": since,
            "until": until,
            "since_stated": int(since_stated),
            "until_stated": int(until_stated),
        }
        for since, until, since_stated, until_stated in intervals
    ]
    add_all(connection, coverage, rows)


def coverage_of(
    connection: Connection, owner: int, *only: ColumnElement[bool]
) -> dict[int, list[CoverageValues]]:
    """The intervals of each of a person's accounts, by number, in no order."""
    query = (
        select(coverage.c.account_no, *_COVERAGE_COLUMNS)
        .join(account, account.c.no == coverage.c.account_no)
        .where(account.c.owner_no == owner, *only)
    )
    return grouped(
        (no, (since, until, bool(since_stated), bool(until_stated)))
        for no, since, until, since_stated, until_stated in connection.execute(query)
    )


def replace_synced_coverage(connection: Connection, no: int, interval: CoverageValues) -> None:
    """Let a bank's account be covered for one interval as far as the bank is concerned."""
    remove(connection, coverage, account_no=no, import_no=0)
    add_coverage(connection, no, [interval])


def synced_by_account(connection: Connection, owner: int) -> dict[int, CoverageValues]:
    """As `synced_coverage` of each of a person's accounts that a bank covers, by number."""
    return {
        no: intervals[0]
        for no, intervals in coverage_of(connection, owner, coverage.c.import_no == 0).items()
    }


def synced_coverage(connection: Connection, no: int) -> CoverageValues | None:
    """The days that an account is covered for as far as its bank is concerned; None before a sync."""
    query = select(*_COVERAGE_COLUMNS).where(coverage.c.account_no == no, coverage.c.import_no == 0)
    row = connection.execute(query).first()
    return None if row is None else (row[0], row[1], bool(row[2]), bool(row[3]))


def forget_coverage_of_import(connection: Connection, import_no: int) -> None:
    """Delete the intervals that an import brought."""
    remove(connection, coverage, import_no=import_no)
