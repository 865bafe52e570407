"""What an answer would move, known before it is given: it is given, looked at, and taken back.

The rules and what they teach are tried in a transaction that leaves nothing behind; the plan is then
worked out as it would be after the answer.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.plan_words import cash_is_unknown
from finplan.model.task import DailyAllowance, Effect, TaskAnswer
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from finplan.plan.ledger.books import Books, rows_between
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, PEER, LedgerPayee, Row
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.monthly import per_month
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.books import Household, household_of, plan_that_holds
from finplan.service.derived.household import ledger_payees_of
from finplan.service.ledger.inference import apply_inference
from finplan.service.planning.answering import Asked, give_answer
from finplan.service.planning.asked_payee import AskedPayee
from finplan.store.queries import transfers
from finplan.store.queries.plans import ledger_rows_of

_Filed = Counter[tuple[tuple[int, ...], str]]
"""How many rows of a payee, account, day and amount are in a category."""


async def preview_answer(context: Context, asked: Asked, ask: TaskAnswer) -> Effect:
    """What an answer would move; nothing is stored. Raises what giving it would raise."""
    asker = context.asker
    changed = await context.store.write(partial(_try, asker=asker, asked=asked, ask=ask))
    key = asked.question.payee.key if isinstance(asked, AskedPayee) else None
    return await context.store.compute(partial(_effect, asker=asker, key=key, changed=changed))


class _Changed(NamedTuple):
    """What an answer would change: payees, by number, and the rows that it would pair.

    Each row that is in a pair now, or would be, comes as it is and as it would be.
    """

    payees: Mapping[int, LedgerPayee]
    rows: Sequence[tuple[Row, Row]]


def _try(connection: Connection, asker: Asker, asked: Asked, ask: TaskAnswer) -> _Changed:
    """The payees and the rows that an answer would change, as they would be."""
    owner = asker.owner
    before = ledger_payees_of(connection, owner)
    paired = transfers.paired_rows(connection, owner)
    with _taken_back(connection):
        give_answer(connection, asker, asked, ask)
        apply_inference(connection, owner)
        after = ledger_payees_of(connection, owner)
        moved = sorted(paired ^ transfers.paired_rows(connection, owner))
        then = ledger_rows_of(connection, moved)
    now = ledger_rows_of(connection, moved)
    payees = {number: payee for number, payee in after.items() if payee != before[number]}
    return _Changed(payees, [(now[number], then[number]) for number in moved])


@contextmanager
def _taken_back(connection: Connection) -> Iterator[None]:
    connection.exec_driver_sql("SAVEPOINT trial")
    try:
        yield
    finally:
        connection.exec_driver_sql("ROLLBACK TO trial")
        connection.exec_driver_sql("RELEASE trial")


def _effect(connection: Connection, asker: Asker, key: str | None, changed: _Changed) -> Effect:
    ledger, books, today = household = household_of(connection, asker)
    told = replace(
        ledger, payees={**ledger.payees, **changed.payees}, rows=_paired(ledger.rows, changed.rows)
    )
    then = Household(told, keep_books(told, today), today)
    stored = plan_that_holds(connection, asker, household)
    shown = plan_of(assess(*household)) if stored is None else stored.plan
    numbers = {number for number, payee in ledger.payees.items() if payee.key == key}
    moved = _filed(household, numbers) - _filed(then, numbers)
    return Effect(
        charges=moved.total(),
        total=_total(moved),
        monthly=per_month(_total(_within(books, moved)), books.window.months),
        allowance=DailyAllowance(
            before=live_snapshot(ledger, books, shown, today).allowance.daily,
            after=live_snapshot(told, then.books, plan_of(assess(*then)), today).allowance.daily,
            known=not cash_is_unknown(shown.snapshot.accounts),
        ),
    )


def _paired(rows: Sequence[Row], changed: Sequence[tuple[Row, Row]]) -> Sequence[Row]:
    """The rows of a ledger as they would be once some are paired; those of no total are not there."""
    if not changed:
        return rows
    then = list(rows)
    for was, becomes in changed:
        index = bisect_left(then, (was[PAYEE], 0), key=lambda row: (row[PAYEE], 0))
        while index < len(then) and then[index][PAYEE] == was[PAYEE]:
            if then[index] == was:
                then[index] = becomes
                break
            index += 1
    return then


def _filed(household: Household, payees: set[int]) -> _Filed:
    """How many equal rows of some payees are in each category, whatever their age."""
    until = day_of(household.today)
    return Counter(
        (row[:PEER], sheet.category)
        for sheet in household.books.sheets
        if sheet.payee in payees
        for row in rows_between(sheet, 0, until)
    )


def _within(books: Books, rows: _Filed) -> _Filed:
    return Counter({each: n for each, n in rows.items() if books.window.holds(each[0][DAY])})


def _total(rows: _Filed) -> int:
    return -sum(row[AMOUNT] * number for (row, _), number in rows.items())
