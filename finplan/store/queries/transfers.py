"""Pairs of rows that are one movement of money between own accounts."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from finplan.store.engine import many
from finplan.store.queries.rows import LISTED, as_list, fetch, find, is_any, is_there
from finplan.store.tables.tables import transfer, tx

DatedRow = tuple[int, int, int, int]
"""A row's number, account, day YYYYMMDD and signed amount."""


class UnequalTests(NamedTuple):
    """How rows of unequal amounts are tested: whether a text is one of money that is sent or changed.

    Of rows whose text `may_lose_fee`, `within_fee` answers the numbers of those that differ from another
    by no more than a fee. Of rows that `may_cross`, `within_rate` answers those that another currency
    may explain. Both are told the accounts' currencies.
    """

    may_lose_fee: Callable[[str], bool]
    may_cross: Callable[[str], bool]
    within_fee: Callable[[Iterable[DatedRow], Mapping[int, str]], Collection[int]]
    within_rate: Callable[[Iterable[DatedRow], Mapping[int, str]], Collection[int]]


class CandidateRow(NamedTuple):
    """A posted, unpaired row that might be one leg of a transfer."""

    no: int
    account: int
    day: int
    amount: int
    raw: str
    payee: int


_FRESH = (
    "CREATE TEMP TABLE fresh AS SELECT no, account_no, day, amount FROM tx"
    " WHERE {which} AND owner_no = ? AND transfer_no IS NULL AND amount <> 0"
)

_REACH = 200
"""How far around the fresh rows older ones are looked at, as a difference of days YYYYMMDD."""

_OVER_NEW_YEAR = 8900
"""What the turn of a year adds to such a difference: 20270101 follows 20261231."""

_MET = (
    "CREATE TEMP TABLE met AS SELECT no, account_no, amount FROM tx WHERE owner_no = ?"
    " AND day BETWEEN ? AND ?"
    " AND transfer_no IS NULL AND EXISTS (SELECT 1 FROM fresh"
    " WHERE fresh.amount = -tx.amount AND fresh.account_no <> tx.account_no)"
)

_OF_ONE_AMOUNT = (
    "SELECT no FROM met UNION SELECT fresh.no FROM fresh WHERE EXISTS (SELECT 1 FROM met"
    " WHERE met.amount = -fresh.amount AND met.account_no <> fresh.account_no)"
)

_SAID = (
    "SELECT no, account_no, day, amount FROM tx WHERE owner_no = ? AND day BETWEEN ? AND ?"
    " AND transfer_no IS NULL AND amount <> 0 AND payee_no IN ({payees})"
)

_NAMED = (
    "SELECT no, raw FROM payee WHERE owner_no = ? AND no IN"
    " (SELECT payee_no FROM tx WHERE owner_no = ? AND day BETWEEN ? AND ?)"
)

_ROWS = "SELECT no, account_no, day, amount, raw, payee_no FROM tx WHERE"

_LOST = (
    "SELECT coalesce(max(-o.amount - i.amount), 0) FROM tx AS o, tx AS i, account AS source,"
    " account AS target WHERE o.no = transfer.out_no AND i.no = transfer.in_no"
    " AND source.no = o.account_no AND target.no = i.account_no"
    # A loan's payment is spending as a whole.
    " AND source.currency = target.currency AND target.kind <> 'loan'"
)
"""What of a transfer did not arrive, in minor units."""

_MADE = (
    "SELECT o.payee_no, i.payee_no, o.amount, i.amount, count(*) FROM transfer"
    " JOIN tx AS o ON o.no = transfer.out_no JOIN tx AS i ON i.no = transfer.in_no"
    " WHERE transfer.owner_no = ? GROUP BY o.payee_no, i.payee_no, o.amount, i.amount"
)


def made_pairs(connection: Connection, owner: int) -> list[tuple[int, int, int, int, int]]:
    """The payees and amounts of the pairs that are made, out before in, and how many of each."""
    return fetch(connection, _MADE, (owner,))


def newest_row(connection: Connection) -> int:
    """The highest number of a posted row; rows that arrive later have higher ones."""
    return int(connection.exec_driver_sql("SELECT coalesce(max(no), 0) FROM tx").scalar_one())


def find_highest_number(connection: Connection) -> int:
    """The highest number that a posted row ever had, also one that is gone; SQLite keeps it."""
    query = "SELECT seq FROM sqlite_sequence WHERE name = 'tx'"
    return int(connection.exec_driver_sql(query).scalar() or 0)


def new_candidates(
    connection: Connection, owner: int, since_no: int, tests: UnequalTests
) -> list[CandidateRow]:
    """Both sides of every possible pair that has a row above a number: equal amounts, other signs.

    Rows of payees whose text is one of money sent come too, whatever their amounts: a fee may part
    theirs, or a currency.
    Older rows are looked at from a month or more before the first new row to as long after the last;
    how close two legs must be is the caller's to decide.
    """
    return _candidates(connection, owner, f"no > {since_no:d}", tests)


def candidates_of_account(
    connection: Connection, owner: int, account: int, tests: UnequalTests
) -> list[CandidateRow]:
    """Both sides of every possible pair that has a row of one account."""
    return _candidates(connection, owner, f"account_no = {account:d}", tests)


def candidates_of_rows(
    connection: Connection, owner: int, rows: Iterable[int], tests: UnequalTests
) -> list[CandidateRow]:
    """Both sides of every possible pair that has one of some rows."""
    numbers = ",".join(map(str, rows))
    return _candidates(connection, owner, f"no IN ({numbers})", tests) if numbers else []


def _candidates(
    connection: Connection, owner: int, which: str, tests: UnequalTests
) -> list[CandidateRow]:
    currencies = _currencies(connection, owner)
    if len(currencies) < 2:
        return []
    connection.exec_driver_sql(_FRESH.format(which=which), (owner,))
    connection.exec_driver_sql("CREATE INDEX temp.fresh_amount ON fresh (amount, account_no)")
    first, last = connection.exec_driver_sql("SELECT min(day), max(day) FROM fresh").one()
    around = _around(first or 0, last or 0)
    connection.exec_driver_sql(_MET, (owner, *around))
    connection.exec_driver_sql("CREATE INDEX temp.met_amount ON met (amount, account_no)")
    payees = connection.exec_driver_sql(_NAMED, (owner, owner, *around)).all()
    sent = _rows_of_payees(connection, owner, around, payees, tests.may_lose_fee)
    near = set(tests.within_fee(sent, currencies))
    if len(set(currencies.values())) > 1:
        changed = _rows_of_payees(connection, owner, around, payees, tests.may_cross)
        near |= set(tests.within_rate(changed, currencies))
    query = f"{_ROWS} no IN ({_OF_ONE_AMOUNT} UNION SELECT value FROM json_each(?)) ORDER BY no"
    rows = fetch(connection, query, (as_list(near),))
    connection.exec_driver_sql("DROP TABLE fresh")
    connection.exec_driver_sql("DROP TABLE met")
    return [CandidateRow(*row) for row in rows]


def _rows_of_payees(
    connection: Connection,
    owner: int,
    around: tuple[int, int],
    payees: Iterable[Sequence[Any]],
    is_wanted: Callable[[str], bool],
) -> list[DatedRow]:
    """The unpaired rows between two days of the payees with such a text."""
    listed = ",".join(str(payee[0]) for payee in payees if is_wanted(payee[1]))
    return fetch(connection, _SAID.format(payees=listed), (owner, *around))


def _currencies(connection: Connection, owner: int) -> dict[int, str]:
    """The currency of each account of a person, by number; between two of them money can move."""
    query = "SELECT no, currency FROM account WHERE owner_no = ?"
    return dict(fetch(connection, query, (owner,)))


def unpaired(connection: Connection, owner: int, since: int) -> list[CandidateRow]:
    """Every row from a day on that is in no pair."""
    query = f"{_ROWS} owner_no = ? AND day >= ? AND transfer_no IS NULL"
    return [CandidateRow(*row) for row in fetch(connection, query, (owner, since))]


def rows(connection: Connection, numbers: Iterable[int]) -> dict[int, CandidateRow]:
    """Some posted rows, by number."""
    fetched = fetch(connection, f"{_ROWS} no IN {LISTED}", (as_list(numbers),))
    return {row[0]: CandidateRow(*row) for row in fetched}


def pairs(
    connection: Connection, owner: int, since: int, until: int
) -> list[tuple[str, CandidateRow, CandidateRow]]:
    """Id, outgoing and incoming row of every pair whose money left within some days."""
    query = (
        "SELECT transfer.id, o.no, o.account_no, o.day, o.amount, o.raw, o.payee_no,"
        " i.no, i.account_no, i.day, i.amount, i.raw, i.payee_no FROM transfer"
        " JOIN tx AS o ON o.no = transfer.out_no JOIN tx AS i ON i.no = transfer.in_no"
        " WHERE transfer.owner_no = ? AND o.day BETWEEN ? AND ?"
    )
    return [
        (row[0], CandidateRow(*row[1:7]), CandidateRow(*row[7:]))
        for row in fetch(connection, query, (owner, since, until))
    ]


def find_pair(connection: Connection, owner: int, transfer_id: str) -> tuple[int, int] | None:
    """The outgoing and the incoming row of a person's pair, by its id."""
    pair = find(connection, transfer, owner_no=owner, id=transfer_id)
    return None if pair is None else (pair["out_no"], pair["in_no"])


def are_paired(connection: Connection, pair: tuple[int, int]) -> bool:
    """Whether two rows are a pair."""
    out_no, in_no = pair
    return is_there(connection, transfer, out_no=out_no, in_no=in_no)


def is_paired(connection: Connection, row: int) -> bool:
    """Whether a row is a leg of a pair."""
    return is_any(connection, select(tx.c.no).where(tx.c.no == row, tx.c.transfer_no.is_not(None)))


def opposites(connection: Connection, owner: int, row: int) -> list[int]:
    """The rows on other accounts within a month or more of a row whose amount is its opposite."""
    account, day, amount = connection.exec_driver_sql(
        "SELECT account_no, day, amount FROM tx WHERE no = ?", (row,)
    ).one()
    query = (
        "SELECT no FROM tx WHERE owner_no = ? AND day BETWEEN ? AND ? AND amount = ?"
        " AND account_no <> ?"
    )
    values = (owner, *_around(day, day), -amount, account)
    return [no for (no,) in fetch(connection, query, values)]


def _around(first: int, last: int) -> tuple[int, int]:
    """A month or more to either side of two days."""
    early = _REACH + _OVER_NEW_YEAR * (first % 10000 <= _REACH)
    late = _REACH + _OVER_NEW_YEAR * (last % 10000 >= 1231 - _REACH)
    return first - early, last + late


def rows_of_account(connection: Connection, account: int) -> list[int]:
    """The paired rows of an account."""
    query = "SELECT no FROM tx WHERE account_no = ? AND transfer_no IS NOT NULL"
    return [no for (no,) in fetch(connection, query, (account,))]


def paired_rows(connection: Connection, owner: int) -> set[int]:
    """The numbers of the rows that are in a pair."""
    query = (
        "SELECT out_no FROM transfer WHERE owner_no = ? UNION ALL"
        " SELECT in_no FROM transfer WHERE owner_no = ?"
    )
    return {no for (no,) in fetch(connection, query, (owner, owner))}


def rows_of_payee(connection: Connection, owner: int, payee: int) -> list[int]:
    """The posted rows of a payee that may be in a pair."""
    query = "SELECT no FROM tx WHERE owner_no = ? AND payee_no = ? AND amount <> 0"
    return [no for (no,) in fetch(connection, query, (owner, payee))]


def save_pairs(
    connection: Connection, owner: int, pairs: Iterable[tuple[str, int, int, bool]]
) -> None:
    """Join pairs: each an id, the outgoing row, the incoming row, and whether the former is spending.

    What of a pair in one currency did not arrive is a fee, which is spending too.
    """
    first = int(
        connection.exec_driver_sql("SELECT coalesce(max(no), 0) + 1 FROM transfer").scalar_one()
    )
    numbered = [(first + index, *pair) for index, pair in enumerate(pairs)]
    many(
        connection,
        "INSERT INTO transfer (no, id, out_no, in_no, counts, owner_no)"
        f" VALUES (?, ?, ?, ?, ?, {owner:d})",
        numbered,
    )
    numbers = [(no,) for no, *_ in numbered]
    many(connection, f"UPDATE transfer SET fee = max(0, ({_LOST})) WHERE no = ?", numbers)
    many(connection, "UPDATE transfer SET counts = 1 WHERE no = ? AND fee > 0", numbers)
    join = (
        "UPDATE tx SET transfer_no = ?,"
        " counts = counts * ? * (SELECT transfer.counts FROM transfer WHERE transfer.no = ?),"
        " peer_no = (SELECT account_no FROM tx AS other WHERE other.no = ?) WHERE no = ?"
    )
    outgoing = [(no, 1, no, in_no, out_no) for no, _, out_no, in_no, _ in numbered]
    incoming = [(no, 0, no, out_no, in_no) for no, _, out_no, in_no, _ in numbered]
    many(connection, join, outgoing + incoming)


class CrossingPair(NamedTuple):
    """A pair in two currencies: its number, its outgoing row, whether it is spending, and its accounts.

    `home` is the account in the household's currency, `abroad` the other one.
    """

    no: int
    out: int
    spends: bool
    home: int
    abroad: int


def crossings(connection: Connection, owner: int, currency: str) -> list[CrossingPair]:
    """Every pair between an account in a currency and one in another."""
    rows = connection.exec_driver_sql(
        "SELECT transfer.no, transfer.out_no, transfer.counts, o.account_no, i.account_no,"
        " source.currency = ?"
        " FROM transfer JOIN tx AS o ON o.no = transfer.out_no JOIN tx AS i ON i.no = transfer.in_no"
        " JOIN account AS source ON source.no = o.account_no"
        " JOIN account AS target ON target.no = i.account_no"
        " WHERE transfer.owner_no = ? AND (source.currency = ?) <> (target.currency = ?)",
        (currency, owner, currency, currency),
    )
    return [
        CrossingPair(no, row, bool(counts), *((out, into) if leaves else (into, out)))
        for no, row, counts, out, into, leaves in rows
    ]


def came_and_stayed(connection: Connection, account: int) -> tuple[int, int]:
    """What came into an account in the year up to its newest row, and how much of it was left."""
    row = connection.exec_driver_sql(
        "SELECT coalesce(sum(amount) FILTER (WHERE amount > 0), 0), coalesce(sum(amount), 0) FROM tx"
        " WHERE account_no = ? AND day > (SELECT max(day) FROM tx WHERE account_no = ?) - 10000",
        (account, account),
    ).one()
    return int(row[0]), int(row[1])


def set_spending(connection: Connection, numbers: Iterable[int], *, spends: bool) -> None:
    """Let the outgoing rows of some pairs be spending, or not; what counts is the caller's to see to."""
    many(
        connection,
        "UPDATE transfer SET counts = ? WHERE no = ?",
        [(int(spends), no) for no in numbers],
    )


def loan_payments(connection: Connection, owner: int) -> list[tuple[int, int, int, bool]]:
    """Loan account, day, amount (positive) and whether beyond schedule, of every paired payment."""
    query = (
        "SELECT tx.peer_no, tx.day, -tx.amount, transfer.counts"
        " FROM transfer JOIN tx ON tx.no = transfer.out_no"
        " JOIN account AS loan ON loan.no = tx.peer_no"
        " WHERE transfer.owner_no = ? AND loan.kind = 'loan' ORDER BY tx.day, tx.no"
    )
    return [
        (loan, day, amount, not counts)
        for loan, day, amount, counts in fetch(connection, query, (owner,))
    ]


def unpair(connection: Connection, rows: Sequence[int]) -> list[int]:
    """Undo the pairs that some rows are in; answers the rows on the other side, which stay."""
    query = f"SELECT no, out_no, in_no FROM transfer WHERE out_no IN {LISTED} OR in_no IN {LISTED}"
    pairs = fetch(connection, query, (as_list(rows),) * 2)
    gone = set(rows)
    staying = [row for _, out_no, in_no in pairs for row in (out_no, in_no) if row not in gone]
    numbers = [(no,) for no, _, _ in pairs]
    many(
        connection,
        "UPDATE tx SET transfer_no = NULL, peer_no = NULL WHERE transfer_no = ?",
        numbers,
    )
    many(connection, "DELETE FROM transfer WHERE no = ?", numbers)
    return staying
