"""When a monthly sum begins: with the first pay that bills leave enough of."""

from collections.abc import Iterator
from datetime import date, timedelta

from finplan.plan.advise.assessment import Assessment
from finplan.plan.live.expected import AHEAD

WITH_THE_NEXT_PAY = "with the next pay"
ONCE_COVERED = "once the bills of this pay period are covered"


def first_pay_to_save(household: Assessment, monthly: int) -> date | None:
    """The first of the next two paydays from which on cash bears that a sum a month is put aside.

    It does where it is never short for a month, with known bills, pay, groceries and transport. None
    where that is so from neither payday, where pay has no rhythm, and where cash is not known.
    """
    ahead = household.ahead
    if ahead is None:
        return None
    for payday in _paydays(household):
        if ahead.lowest_in_use(payday, payday + timedelta(AHEAD), monthly).cash >= 0:
            return payday
    return None


def _paydays(household: Assessment) -> Iterator[date]:
    if household.period.payday is not None:
        yield household.period.end
        yield household.next_period.end


def begins(household: Assessment, monthly: int) -> str:
    """When to begin with a sum, as a sentence says it after "beginning"."""
    payday = household.period.payday
    start = first_pay_to_save(household, monthly)
    if payday is None or household.ahead is None or start == payday:
        short = household.guard is not None and household.guard < 0
        return ONCE_COVERED if short else WITH_THE_NEXT_PAY
    return f"with the pay of {household.day(start)}" if start else "once a pay leaves it over"


def until_then(household: Assessment, monthly: int) -> str:
    """Why a sum does not begin with the next pay, as a sentence after a blank; nothing where it does."""
    waits = begins(household, monthly) not in {WITH_THE_NEXT_PAY, ONCE_COVERED}
    return " Until then bills and groceries take what comes in." if waits else ""
