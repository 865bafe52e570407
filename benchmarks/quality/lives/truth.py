"""What is true of a household whose life changes, by the rules C25 to C43 of the plan's figures.

Nothing here asks the product. Every figure follows from what the generator wrote: a flow's level, what
became of it, and its transactions in the window.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from benchmarks.quality.world.truth import Coming, Household, LabelledRow, Side
from finplan.model.plan import IncomeCadence

Change = Literal[
    "same", "began", "stepped", "resumed", "ended", "one credit", "once", "irregular", "stopped"
]
"""What became of a flow by the last day.

`one credit` is a new amount of pay that has come once: the level is still the old one. `once` is a
one-off. An `irregular` flow still pays, a `stopped` one does not.
"""

_A_YEAR = Fraction(36525, 100)
FACTORS: Mapping[IncomeCadence, Fraction] = {
    "weekly": Fraction(52, 12),
    "biweekly": Fraction(26, 12),
    "semimonthly": Fraction(2),
    "monthly": Fraction(1),
    "quarterly": Fraction(1, 3),
    "twice_yearly": Fraction(1, 6),
    "annual": Fraction(1, 12),
}
"""Payments of a cadence in a month."""

MOST_MONTHS = 12


class Window(NamedTuple):
    """The full months before the last day, at most twelve: first day, last day and their count."""

    since: date
    until: date
    months: int

    def mean_of(self, rows: Sequence[LabelledRow]) -> Fraction:
        """What rows of one direction come to in a month of the window, positive, not rounded."""
        total = sum(row.amount for row in rows if self.since <= row.day <= self.until)
        return Fraction(abs(total), self.months)


@dataclass(frozen=True, slots=True)
class Flow:
    """Money of one purpose from or to one payee: a source of income, a bill, or a one-off.

    `level` is a payment from now on and `monthly` what a month brings or costs from now on, both
    positive, 0 for what is over; `observed` is the mean of the window, in which a one-off and what is
    over count. `unsure` is what the rules leave open: a month may count as much more. `coming` is the
    next payment after the last day. `temporary` is a benefit that will end.
    """

    number: int
    payee: str
    side: Side
    what: str
    category: str
    cadence: IncomeCadence
    change: Change
    level: int
    monthly: Fraction
    observed: Fraction
    unsure: Fraction = Fraction(0)
    coming: Coming | None = None
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class Life:
    """A household on its last day with the truth of its plan; amounts a month are minor units.

    `household.rows` hold what is known, `coming` the transactions of the days after. `balances` are
    owned, of cards owed. `running_income` is the least that the rules allow.
    """

    kind: str
    household: Household
    flows: Sequence[Flow]
    window: Window
    balances: Mapping[int, int]
    coming: Sequence[LabelledRow]
    observed_income: int
    observed_spend: int
    running_income: int
    running_spend: int

    @property
    def unsure_income(self) -> int:
        """What the rules leave open of the running income."""
        return round(sum(flow.unsure for flow in self.flows if flow.side == "income"))

    @property
    def lost_source(self) -> bool | None:
        """Whether a quarter of the income ended and was not replaced (C30); None of parental leave.

        The rules do not say whether pay that rests for a child has stopped.
        """
        ended = {flow.what: flow.observed for flow in self.flows if flow.change == "ended"}
        if "pay before a child" in ended:
            return None
        return ended.get("lost pay", 0) * 4 > self.observed_income

    def is_of_the_kind(self, pair: tuple[int, int]) -> bool:
        """Whether a transfer is of the kind's own account, or the kind has none."""
        accounts = {self.household.rows[index].account for index in pair}
        own = {
            one.number for one in self.household.accounts if one.name in {"other bank", "paypal"}
        }
        return not own or bool(accounts & own)

    def evening(self, days: int) -> int:
        """Cash on all accounts at hand so many days after the last day."""
        cash = {
            account.number for account in self.household.accounts if account.kind == "depository"
        }
        last = self.household.today + timedelta(days)
        moved = sum(row.amount for row in self.coming if row.account in cash and row.day <= last)
        return sum(self.balances[number] for number in cash) + moved


def window_before(since: date, today: date) -> Window:
    """The full months of a history that begins on the first of a month."""
    until = today.replace(day=1) - timedelta(1)
    months = (until.year - since.year) * 12 + until.month - since.month + 1
    if months > MOST_MONTHS:
        year, month = divmod(until.year * 12 + until.month - MOST_MONTHS, 12)
        since, months = date(year, month + 1, 1), MOST_MONTHS
    return Window(since, until, months)


def monthly_amount(level: int, cadence: IncomeCadence, every_days: int = 0) -> Fraction:
    """What a level comes to in a month; a monthly payment may come every 28 days."""
    return level * (_A_YEAR / 12 / every_days if every_days else FACTORS[cadence])


def level_of(side: Side, amounts: Sequence[int]) -> int:
    """The level of payments in their order (C28).

    A charge changes its level at once, income after two equal payments in a row; of two the later
    counts.
    """
    if side == "charge" or len(amounts) < 3:
        return amounts[-1]
    repeats = (later for later, earlier in pairwise(reversed(amounts)) if later == earlier)
    return next(repeats, amounts[-1])
