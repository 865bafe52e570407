"""What a plan is built from, the builds, the plans, the allowance last shown, and planned money.

The rows of a person, or of one payee without the rest of the ledger, are read as plain tuples, in
the order the plan reads them. Builds wait, run one at a time, and end.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, select, update

from finplan.store.queries.rows import add, change, every, fetch, find, get, is_there, remove
from finplan.store.tables.tables import build, payee, plan, planned, tx

LEDGER_ROWS = (
    "SELECT payee_no, account_no, day, amount, coalesce(peer_no, 0), counts FROM tx"
    " WHERE owner_no = ? AND account_no IN ({accounts}) ORDER BY payee_no, day, no"
)
"""The one big read of a plan; benchmarks time it as the floor."""

PENDING_ROWS = (
    "SELECT payee_no, account_no, day, amount, 0, 0 FROM pending"
    " WHERE owner_no = ? AND account_no IN ({accounts}) ORDER BY payee_no, day, no"
)


FEES = (
    "SELECT tx.payee_no, tx.account_no, tx.day, tx.amount, tx.peer_no, tx.counts, transfer.fee"
    " FROM transfer JOIN tx ON tx.no = transfer.out_no"
    " WHERE transfer.owner_no = ? AND transfer.fee > 0 AND tx.account_no IN ({accounts})"
)


def ledger_rows(connection: Connection, owner: int, accounts: Sequence[int]) -> list[Any]:
    """Payee, account, day, amount, peer account or 0, counts: the posted rows of some accounts.

    A row that a fee was kept of comes as two: what arrived, and the fee, which alone may count.
    """
    listed = _listed(accounts)
    rows = fetch(connection, LEDGER_ROWS.format(accounts=listed), (owner,))
    for *row, fee in fetch(connection, FEES.format(accounts=listed), (owner,)):
        payee, account, day, amount, peer, counts = row
        index = rows.index(tuple(row), bisect_left(rows, (payee, 0)))
        rows[index : index + 1] = [
            (payee, account, day, amount + fee, peer, 0),
            (payee, account, day, -fee, peer, counts),
        ]
    return rows


def ledger_rows_of(connection: Connection, numbers: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Some posted rows in the same shape, by their numbers; a fee is not told apart."""
    query = (
        "SELECT no, payee_no, account_no, day, amount, coalesce(peer_no, 0), counts FROM tx"
        f" WHERE no IN ({_listed(numbers)})"
    )
    return {row[0]: row[1:] for row in fetch(connection, query, ())}


def pending_rows(connection: Connection, owner: int, accounts: Sequence[int]) -> list[Any]:
    """The pending rows of some accounts, in the same shape."""
    return fetch(connection, PENDING_ROWS.format(accounts=_listed(accounts)), (owner,))


def ledger_payees(connection: Connection, owner: int) -> list[tuple[Any, ...]]:
    """Number, key, name, categories out and in, suggestion, confidence, alternatives."""
    return fetch(
        connection,
        "SELECT no, key, name, category_out, category_in, suggested, confidence,"
        " alternatives FROM payee WHERE owner_no = ?",
        (owner,),
    )


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(str(int(no)) for no in numbers)


_END_ROWS = (
    "SELECT no, (SELECT min(day) FROM tx WHERE account_no = account.no AND day <= ?),"
    " (SELECT max(day) FROM tx WHERE account_no = account.no AND day <= ?)"
    " FROM account WHERE no IN ({accounts})"
)

_WEIGHED_ROWS = (
    "SELECT account_no, min(day), sum(amount) FROM tx WHERE account_no IN ({accounts})"
    " AND day <= ? AND day > ? AND counts = 1 GROUP BY account_no, day / 100, amount < 0"
)

_ROWS_OF_PAYEE = (
    "SELECT payee_no, account_no, day, amount, coalesce(peer_no, 0), counts FROM tx"
    " WHERE owner_no = ? AND payee_no = ? AND counts = 1"
)

PayeesRow = tuple[int, int, int, int, int, int]
"""Payee, account, day, amount, peer account or 0, counts."""


def payees_in(
    connection: Connection, owner: int, categories: Collection[str]
) -> Iterable[tuple[int, str]]:
    """Number and key of the payees of which a row may be in one of some categories."""
    among = ",".join(f"'{category}'" for category in sorted(categories))
    # The sign keeps the database from the index by owner, which would look each payee up.
    return fetch(
        connection,
        f"SELECT no, key FROM payee WHERE +owner_no = ? AND (category_out IN ({among})"
        f" OR category_in IN ({among}) OR no IN (SELECT payee_no FROM rule"
        f" WHERE amount IS NOT NULL AND category IN ({among})))",
        (owner,),
    )


def payee_of(connection: Connection, number: int) -> RowMapping:
    """A payee by its number."""
    return get(connection, payee, number)


def rows_of_payee(connection: Connection, owner: int, number: int) -> list[PayeesRow]:
    """A payee's rows that count."""
    return fetch(connection, _ROWS_OF_PAYEE, (owner, number))


def end_rows(connection: Connection, accounts: Sequence[int], today: int) -> list[PayeesRow]:
    """The first and the last row of each account up to a day YYYYMMDD, without payee and amount."""
    query = _END_ROWS.format(accounts=_listed(accounts))
    return [
        (0, no, day, 0, 0, 0)
        for no, *ends in connection.exec_driver_sql(query, (today, today))
        for day in ends
        if day is not None
    ]


def weighed_rows(
    connection: Connection, accounts: Sequence[int], until: int, after: int
) -> list[PayeesRow]:
    """What counts of each account up to a day YYYYMMDD and after another, by month and sign."""
    query = _WEIGHED_ROWS.format(accounts=_listed(accounts))
    return [
        (0, no, day, amount, 0, 1)
        for no, day, amount in connection.exec_driver_sql(query, (until, after))
    ]


BUILDS_KEPT = 100
"""How many builds of a person are kept; the oldest go."""

_UNFINISHED_BUILDS = ("queued", "running")


def find_build(connection: Connection, owner: int, build_id: str) -> RowMapping | None:
    """A person's build by id."""
    return find(connection, build, owner_no=owner, id=build_id)


def waiting_build(connection: Connection, owner: int) -> RowMapping | None:
    """A person's build that waits to begin; there is at most one."""
    return find(connection, build, owner_no=owner, status="queued")


def add_build(connection: Connection, owner: int, build_id: str, now: int) -> RowMapping:
    """Add a build that waits to begin."""
    values = {"owner_no": owner, "id": build_id, "status": "queued", "started_at": now}
    no = add(connection, build, values)
    connection.exec_driver_sql(
        "DELETE FROM build WHERE owner_no = ? AND no NOT IN"
        " (SELECT no FROM build WHERE owner_no = ? ORDER BY no DESC LIMIT ?)",
        (owner, owner, BUILDS_KEPT),
    )
    return get(connection, build, no)


def begin_waiting(connection: Connection, owner: int) -> int | None:
    """Let a person's waiting build run; answers its number, None when none waits."""
    waiting = waiting_build(connection, owner)
    if waiting is None:
        return None
    change(connection, build, waiting["no"], status="running")
    return int(waiting["no"])


def finish_build(connection: Connection, no: int, status: str, now: int, **outcome: Any) -> None:
    """Note what came of a build: `plan_created_at` or `error`."""
    change(connection, build, no, status=status, finished_at=now, **outcome)


def fail_unfinished(connection: Connection, now: int, error: str) -> None:
    """Note of all builds that have not ended that they never will."""
    unfinished = update(build).where(build.c.status.in_(_UNFINISHED_BUILDS))
    connection.execute(unfinished.values(status="failed", finished_at=now, error=error))


PLANS_KEPT = 400
"""How many plans of a person are kept; the oldest go."""


class NewestPlan(NamedTuple):
    """The plan built last: its instant in ms, its JSON, and the data that it was worked out with."""

    created_at: int
    body: str
    data_no: int | None


def save_plan(connection: Connection, owner: int, created_at: int, body: str, data_no: int) -> int:
    """Keep a plan; answers when it was created, which no two plans of a person share."""
    newest = connection.exec_driver_sql(
        "SELECT coalesce(max(created_at), 0) FROM plan WHERE owner_no = ?", (owner,)
    ).scalar_one()
    created_at = max(created_at, int(newest) + 1)
    values = {"owner_no": owner, "created_at": created_at, "body": body, "data_no": data_no}
    add(connection, plan, values)
    connection.exec_driver_sql(
        "DELETE FROM plan WHERE owner_no = ? AND no NOT IN"
        " (SELECT no FROM plan WHERE owner_no = ? ORDER BY created_at DESC LIMIT ?)",
        (owner, owner, PLANS_KEPT),
    )
    return created_at


def is_planned(connection: Connection, owner: int) -> bool:
    """Whether a person has a plan."""
    return is_there(connection, plan, owner_no=owner)


def newest_plan(connection: Connection, owner: int) -> NewestPlan | None:
    """The plan that was built last; None before the first."""
    columns = (plan.c[name] for name in NewestPlan._fields)
    query = select(*columns).filter_by(owner_no=owner).order_by(plan.c.created_at.desc())
    row = connection.execute(query.limit(1)).first()
    return None if row is None else NewestPlan(*row)


def list_plans(connection: Connection, owner: int, limit: int) -> Sequence[tuple[int, str]]:
    """When each plan was created and its JSON, newest first."""
    query = select(plan.c.created_at, plan.c.body).filter_by(owner_no=owner)
    newest = query.order_by(plan.c.created_at.desc()).limit(limit)
    return [(created_at, body) for created_at, body in connection.execute(newest)]


def plan_body(connection: Connection, owner: int, created_at: int) -> str:
    """The JSON of the plan that was created at an instant."""
    query = select(plan.c.body).filter_by(owner_no=owner, created_at=created_at)
    return str(connection.execute(query).scalar_one())


_SHOWN_KEPT = 2
"""Of how many events it is kept: the newest, and the one it is compared with."""


class ShownDaily(NamedTuple):
    """A daily allowance in minor units, shown at an instant in ms while `event_no` was the newest event.

    `period_end` is the day, YYYYMMDD, before which the period of the allowance ended.
    """

    event_no: int
    at: int
    period_end: int
    daily: int


def shown_up_to(connection: Connection, owner: int, event_no: int) -> list[ShownDaily]:
    """What was shown while an event, or an earlier one, was the newest; the latest first."""
    query = (
        "SELECT event_no, at, period_end, daily FROM shown_allowance"
        " WHERE owner_no = ? AND event_no <= ? ORDER BY event_no DESC"
    )
    return [ShownDaily(*row) for row in fetch(connection, query, (owner, event_no))]


def note_allowance(connection: Connection, owner: int, daily: ShownDaily) -> None:
    """Note what a person was shown; it stands for all that was shown since the same event."""
    connection.exec_driver_sql(
        "INSERT INTO shown_allowance (owner_no, event_no, at, period_end, daily)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT (owner_no, event_no) DO UPDATE SET"
        " at = excluded.at, period_end = excluded.period_end, daily = excluded.daily",
        (owner, *daily),
    )
    connection.exec_driver_sql(
        "DELETE FROM shown_allowance WHERE owner_no = ? AND event_no NOT IN"
        " (SELECT event_no FROM shown_allowance WHERE owner_no = ? ORDER BY event_no DESC LIMIT ?)",
        (owner, owner, _SHOWN_KEPT),
    )


# --- planned money ---------------------------------------------------------------------------------


def list_planned(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's planned money in the order in which it was added."""
    return every(connection, select(planned).filter_by(owner_no=owner).order_by(planned.c.no))


def find_planned(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's planned money with an id."""
    return find(connection, planned, owner_no=owner, id=public_id)


def add_planned(connection: Connection, values: Mapping[str, Any]) -> None:
    """Keep planned money."""
    add(connection, planned, values)


def change_planned(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Change some columns of planned money."""
    if values:
        change(connection, planned, no, **values)


def remove_planned(connection: Connection, no: int) -> None:
    """Forget planned money."""
    remove(connection, planned, no=no)


def move_category(connection: Connection, owner: int, category: str, target: str | None) -> None:
    """Let planned money of a category be of another one, or of none."""
    of_category = update(planned).filter_by(owner_no=owner, category=category)
    connection.execute(of_category.values(category=target))


def row_number(
    connection: Connection, account: int, payee: int, day: int, amount: int
) -> int | None:
    """The number of a posted row: of equal ones the first."""
    row = (
        select(tx.c.no)
        .filter_by(account_no=account, payee_no=payee, day=day, amount=amount)
        .order_by(tx.c.no)
        .limit(1)
    )
    number: int | None = connection.execute(row).scalar()
    return number
