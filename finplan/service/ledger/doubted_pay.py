"""Payers whose share of the income makes their rhythm pay, or no longer does.

Nobody lives on a hundredth of an income: what comes as pay does and is less than that is not wages. The
share is of the days on which the payer was seen, and changes with what others pay.
"""

from collections.abc import Mapping

from sqlalchemy import Connection

from finplan.plan.ledger.days import ORDINAL
from finplan.service.ledger.judging import LEAST_PAYDAYS, is_pay_by_amount
from finplan.store.queries import payees

_EARNED = ("wages", "self_employment", "pension_benefits")
"""The income that pay is a share of; what the sale of a home brings says nothing of a salary."""

_DAYS_BEFORE = 31
"""How many days before a payer's first credit count too, so that a salary of that month does."""


def doubted_pay(
    connection: Connection, owner: int, decided: Mapping[int, payees.SavedDecision]
) -> dict[int, int]:
    """The income of the days of each payer whose category its share may change, by number.

    Those are payers of wages that are too small, and of other income that is not.
    """
    paying = [no for no in decided if decided[no].into in ("wages", "other_income")]
    earned = payees.earned(connection, owner, _EARNED) if paying else []
    income = [(ORDINAL[day], payee, amount) for day, payee, amount in earned]
    incomes = {}
    for no in paying:
        received = payees.credits_of(connection, owner, no)
        if len(received) < LEAST_PAYDAYS:
            continue
        first, last = ORDINAL[received[0][0]] - _DAYS_BEFORE, ORDINAL[received[-1][0]]
        own = sum(amount for _, amount in received)
        others = sum(
            amount for day, payee, amount in income if first <= day <= last and payee != no
        )
        if is_pay_by_amount(own, own + others) != (decided[no].into == "wages"):
            incomes[no] = own + others
    return incomes
