"""Who a demo household is: pay, home, loans, cards and habits of payment, all from one seed.

Every household is the same kind of household, so that each plan is instructive. Two people earn a
tenth more than they spend. They pay the card that they use in full, but let about 2,000 stand on a
second one at 27 % while there is cash for it; what is left after the cards covers about half of the
emergency fund. Essentials take a little more than half of take-home, and the rest leans to
restaurants and orders. A video service, and two months before the first sync the internet, became
dearer. So every section of a plan has something to say, some of it good.

Amounts are cents. What a family chooses scales with its `size`; what a chain charges does not.
"""

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from hashlib import sha256

from finplan.banks.demo.calendar import months_between
from finplan.banks.demo.dice import Dice
from finplan.banks.demo.places import METROS, Metro
from finplan.model.money import half_even

CHECKING = "checking"
SAVINGS = "savings"
REWARDS = "rewards"
PLATINUM = "platinum"
MORTGAGE = "mortgage"
AUTO = "auto"
BROKERAGE = "brokerage"
CARDS = (REWARDS, PLATINUM)

DEBIT = "debit"
"""The card of the checking account: no account, but it has a number too."""

_EMPLOYERS = (
    "BRIGHTWATER MED",
    "TALLGRASS HEALTH",
    "COPPERLINE MFG",
    "ASHBY LOGISTICS",
    "NORTHGLEN DENTAL",
    "SUMMIT RIDGE ENG",
    "HALE & PORTER LLP",
    "MERIDIAN FOODS",
)
_MONTHLY_EMPLOYERS = (
    "LONGLEAF SCHOOL DIST",
    "FERNDALE COMM COLL",
    "STATE UNIV PAYROLL",
    "RIVERBEND COUNTY",
    "OPEN DOOR MUSEUM",
)


@dataclass(frozen=True, slots=True)
class DemoCard:
    """A credit card, due on a day of the month; `apr` in hundredths of a percent."""

    due_day: int
    limit: int
    apr: int
    owed: int


@dataclass(frozen=True, slots=True)
class DemoLoan:
    """A loan paid monthly from checking, under `name`; `escrow` comes on top of the installment."""

    pay_day: int
    apr: int
    owed: int
    installment: int
    escrow: int
    name: str


@dataclass(frozen=True, slots=True)
class DemoHousehold:
    """One family when its history starts; `size` is permille of the reference family's amounts."""

    seed: str
    start: date
    tag: str
    size: int
    metro: Metro
    masks: dict[str, str]
    employer: str
    monthly_employer: str
    biweekly_pay: int
    monthly_pay: int
    payday_phase: int
    rewards: DemoCard
    platinum: DemoCard
    platinum_payment: int
    mortgage: DemoLoan
    auto: DemoLoan
    checking: int
    savings: int
    savings_rate: int
    to_savings: int
    to_savings_day: int
    to_brokerage: int
    to_brokerage_day: int
    brokerage: int

    def scaled(self, cents: int, step: int = 1) -> int:
        """The reference family's amount as this family has it, rounded to a step."""
        return half_even(cents * self.size, 1000 * step) * step

    def priced(self, cents: int, day: date) -> int:
        """The amount that the reference family pays at the start, as this one pays it on a day.

        Prices rise by 2.4 % a year, a fifth of a percent each month.
        """
        return half_even(self.scaled(cents) * (1000 + 2 * months_between(self.start, day)), 1000)

    def home_value(self) -> int:
        """What the family thinks the home is worth: somewhat more than was owed on it, in thousands."""
        return half_even(self.mortgage.owed * 145, 100 * 100_000) * 100_000

    def card(self, account: str) -> DemoCard:
        """The terms of one of the two cards."""
        return self.rewards if account == REWARDS else self.platinum

    def loan(self, account: str) -> DemoLoan:
        """The terms of one of the two loans."""
        return self.mortgage if account == MORTGAGE else self.auto


@lru_cache(maxsize=64)
def household(seed: str, start: date) -> DemoHousehold:
    """Draw the household of a seed as it is on the first day of its history."""
    dice = Dice(seed, "household")
    size = dice.number(900, 1180)
    masks = _masks(dice)

    def near(cents: int, permille: int = 30) -> int:
        return half_even(cents * size * dice.number(1000 - permille, 1000 + permille), 1_000_000)

    return DemoHousehold(
        seed=seed,
        start=start,
        tag=sha256(seed.encode()).hexdigest()[:8],
        size=size,
        metro=dice.pick(METROS),
        masks=masks,
        employer=dice.pick(_EMPLOYERS),
        monthly_employer=dice.pick(_MONTHLY_EMPLOYERS),
        biweekly_pay=near(236_000, 10),
        monthly_pay=near(326_000, 10),
        payday_phase=dice.number(0, 1),
        rewards=DemoCard(
            due_day=dice.number(11, 17),
            limit=_round(near(1_500_000, 150), 50_000),
            apr=dice.number(210, 249) * 10 + 9,
            owed=near(330_000),
        ),
        platinum=DemoCard(
            due_day=dice.number(18, 24),
            limit=_round(near(425_000, 50), 10_000),
            apr=dice.number(262, 284) * 10 + 9,
            owed=near(205_000, 50),
        ),
        platinum_payment=_round(near(15_500), 500),
        mortgage=_mortgage(dice, near(162_000), masks[MORTGAGE]),
        auto=_auto_loan(dice, near(39_000), masks[AUTO]),
        checking=near(520_000, 60),
        savings=near(175_000, 80),
        savings_rate=dice.number(370, 430),
        to_savings=_round(near(27_500), 2_500),
        to_savings_day=dice.number(4, 7),
        to_brokerage=_round(near(25_000), 2_500),
        to_brokerage_day=dice.number(19, 24),
        brokerage=near(2_850_000, 150),
    )


def _masks(dice: Dice) -> dict[str, str]:
    accounts = (CHECKING, SAVINGS, REWARDS, PLATINUM, MORTGAGE, AUTO, BROKERAGE, DEBIT)
    numbers = dice.deal(range(1000, 10_000), len(accounts))
    return {account: str(number) for account, number in zip(accounts, numbers, strict=True)}


def _mortgage(dice: Dice, installment: int, mask: str) -> DemoLoan:
    apr = dice.number(11, 23) * 25
    return DemoLoan(
        pay_day=dice.number(1, 4),
        apr=apr,
        owed=_still_owed(installment, apr, dice.number(268, 322)),
        installment=installment,
        escrow=half_even(installment * dice.number(290, 330), 1000),
        name=f"LARKMOOR HOME LN MTG PYMT WEB ID: XXXX{mask}",
    )


def _auto_loan(dice: Dice, installment: int, mask: str) -> DemoLoan:
    apr = dice.number(49, 69) * 10 + 4
    return DemoLoan(
        pay_day=dice.number(8, 11),
        apr=apr,
        owed=_still_owed(installment, apr, dice.number(50, 58)),
        installment=installment,
        escrow=0,
        name=f"LARKMOOR AUTO FIN LOAN PMT XXXX{mask}",
    )


def _still_owed(installment: int, apr: int, left: int) -> int:
    """What a loan owes when so many equal installments are left: their present value."""
    owed = 0
    for _ in range(left):
        owed = half_even((owed + installment) * 120_000, 120_000 + apr)
    return owed


def _round(cents: int, step: int) -> int:
    return half_even(cents, step) * step
