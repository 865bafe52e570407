"""Which payments to a loan are its schedule, and which are beyond it.

The scheduled payment is spending, whole; what is paid beyond it in the same month is extra principal, a
way of saving. Source: plan-semantics C1 and section 2.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from finplan.plan.ledger.amounts import median


class LoanPayment(NamedTuple):
    """A payment to one loan: the day YYYYMMDD, the amount (positive), whether its text says extra."""

    day: int
    amount: int
    extra: bool = False


def on_schedule(payments: Sequence[LoanPayment]) -> list[bool]:
    """For each payment to one loan, in their order, whether it is on schedule.

    In every month the payment nearest the usual one is on schedule, and so are those equal to it: a
    loan paid twice a month, or early for the next, is not paid beyond its schedule.
    """
    usual = _usual([payment.amount for payment in payments if not payment.extra])
    nearest: dict[int, int] = {}
    for payment in sorted(payments, key=lambda paid: (abs(paid.amount - usual), paid)):
        if not payment.extra:
            nearest.setdefault(payment.day // 100, payment.amount)
    return [
        not payment.extra and payment.amount == nearest[payment.day // 100] for payment in payments
    ]


def _usual(amounts: Iterable[int]) -> int:
    """The most frequent amount, the larger of equally frequent ones; the median if none repeats."""
    times = Counter(amounts)
    if not times:
        return 0
    amount, most = max(times.items(), key=lambda item: (item[1], item[0]))
    return amount if most > 1 else median(list(times))
