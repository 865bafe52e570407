"""The cash guard: what checking can spare before payday, whatever the averages say.

A smoothed allowance does not see that rent falls due before pay comes. The guard does: it is where cash
is lowest before payday, by what is known to come in and to be paid, without usual spending.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.plan.live.period import Period
from finplan.plan.live.schedule import CashSchedule, CashStep, StepKind


@dataclass(frozen=True, slots=True)
class CashGuard:
    """Cash, and what comes in and is to be paid until its lowest day before the period ends.

    `cash` is None where it is not known. `pending` are the pending outflows, `charges` the recurring
    charges, `minimums` those of cards that revolve, `card_bills` the bills of cards that are paid in
    full; `pay` is what comes in first. `lowest` is that day, the earliest of several.
    """

    cash: int | None
    pending: int
    pay: int
    charges: int
    minimums: int
    card_bills: int
    lowest: date

    @property
    def left(self) -> int | None:
        """What may be spent until the period ends without running out of cash; below 0 is short."""
        if self.cash is None:
            return None
        due = self.charges + self.minimums + self.card_bills
        return self.cash - self.pending + self.pay - due


def cash_guard(schedule: CashSchedule, period: Period) -> CashGuard:
    """The lowest point of a schedule before a period ends, and what makes it so."""
    low = schedule.lowest(schedule.today, period.end - timedelta(1)).day
    known = [each for each in schedule.steps if each.day <= low]
    return CashGuard(
        cash=schedule.cash,
        pending=schedule.pending,
        pay=_sum(known, "income"),
        charges=-_sum(known, "charge"),
        minimums=-_sum(known, "minimum"),
        card_bills=-_sum(known, "card bill"),
        lowest=low,
    )


def _sum(steps: Sequence[CashStep], kind: StepKind) -> int:
    return sum(each.amount for each in steps if each.kind == kind)
