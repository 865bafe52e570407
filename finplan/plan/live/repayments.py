"""What others pay back every month of what the household pays: rooms, shared bills.

It is no income, since it lowers the spending that it repays; but cash has it on its day.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from finplan.plan.ledger.books import Books, rows_between
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import add_months, date_of, day_of, last_day, month_length
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, Ledger, Row
from finplan.plan.live.at_hand import cash_accounts

_MONTHS = 3
"""So many months in turn that were repaid show that the next one will be."""


@dataclass(frozen=True, slots=True)
class ExpectedRepayment:
    """What somebody is expected to pay back on a day, minor units."""

    day: date
    name: str
    amount: int


def expected_repayments(
    ledger: Ledger, books: Books, today: date, until: date
) -> Iterator[ExpectedRepayment]:
    """What comes back after today and until a day, both of whoever did so in each of the last months.

    Expected are the least that one of these months brought and the latest day of the month of any.
    """
    this_month = today.year * 100 + today.month
    months = [add_months(this_month, -each) for each in range(1, _MONTHS + 1)]
    pays_cash = cash_accounts(ledger)
    for sheet in books.sheets:
        if sheet.flow != "spending":
            continue
        repaid = [_repaid(sheet, month, pays_cash) for month in months]
        # What a shop gives back of purchases is a refund, which nobody can count on.
        if not all(repaid) or any(_spends(sheet, month) for month in months):
            continue
        least = min(sum(row[AMOUNT] for row in rows) for rows in repaid)
        latest = max(row[DAY] % 100 for rows in repaid for row in rows)
        has_come = any(row[DAY] <= day_of(today) for row in _repaid(sheet, this_month, pays_cash))
        month = add_months(this_month, 1) if has_come else this_month
        while month <= until.year * 100 + until.month:
            day = date_of(month * 100 + min(latest, month_length(month)))
            if today < day <= until:
                yield ExpectedRepayment(day, ledger.payees[sheet.payee].name, least)
            month = add_months(month, 1)


def _spends(sheet: Sheet, month: int) -> bool:
    return any(row[AMOUNT] < 0 for row in rows_between(sheet, month * 100 + 1, last_day(month)))


def _repaid(sheet: Sheet, month: int, pays_cash: Collection[int]) -> Sequence[Row]:
    return [
        row
        for row in rows_between(sheet, month * 100 + 1, last_day(month))
        if row[AMOUNT] > 0 and row[ACCOUNT] in pays_cash
    ]
