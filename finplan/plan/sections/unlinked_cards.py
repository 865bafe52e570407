"""What cards that are not linked are paid a month: one figure, wherever it is said.

Source: plan-semantics, C20, sections 10 and 12.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from finplan.model.money import half_even
from finplan.plan.ledger.books import Books, rows_of, rows_within, sheets_of
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, PEER, Row
from finplan.plan.sections.monthly import per_month

UNLINKED_CARD = "unlinked_card"

_RECENT_DAYS = 90
_RECENT_MONTHS = 3


@dataclass(frozen=True, slots=True)
class CardPayments:
    """What a card that is not linked is paid a month, minor units.

    `since` is the day of its first payment where only the months from then on are averaged, else None.
    """

    monthly: int
    since: date | None


def paid_a_month(books: Books, payee: int) -> CardPayments:
    """What is paid to a card a month, by the number of its payee: the mean of the window's months.

    Of a card that is newer than the window, the months since its first payment are averaged; where the
    window holds none of its payments, a third of what the last ninety days paid.
    """
    window = books.window
    sheets = [sheet for sheet in sheets_of(books, {UNLINKED_CARD}) if sheet.payee == payee]
    total = -sum(row[AMOUNT] for sheet in sheets for row in rows_within(sheet, window))
    if total <= 0:
        recent = -sum(row[AMOUNT] for row in recent_payments(books).get(payee, ()))
        return CardPayments(half_even(recent, _RECENT_MONTHS), None)
    first = min(sheet.rows[0][DAY] for sheet in sheets)
    months = [month for month in window.month_keys if month >= first // 100]
    if len(months) == len(window.month_keys):
        return CardPayments(per_month(total, window.months), None)
    return CardPayments(per_month(total, Fraction(len(months))), date_of(first))


def recent_payments(books: Books) -> dict[int, list[Row]]:
    """The payments of the last ninety days that arrived nowhere, of payees that have two such."""
    end = books.window.data_end
    since = day_of(end - timedelta(days=_RECENT_DAYS - 1))
    found: dict[int, list[Row]] = {}
    for row in rows_of(books, {UNLINKED_CARD}, since, day_of(end)):
        if not row[PEER] and row[AMOUNT] < 0:
            found.setdefault(row[PAYEE], []).append(row)
    return {payee: rows for payee, rows in found.items() if len(rows) >= 2}
