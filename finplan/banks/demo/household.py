"""Who a demo household is: pay, home, loans, cards and habits of payment, all from one seed.

Every household is the same kind of household, so that each plan is instructive. Two people earn a
tenth more than they spend. They pay the card that they use in full, but let about 2,000 stand on a
second one at 27 % while there is cash for it; what is left after the cards covers about half of the
emergency fund. Essentials take a little more than half of take-home, and the rest leans to
restaurants and orders. A video service, and two months before the first sync the internet, became
dearer. So every section of a plan has something to say, some of it good.

Amounts are cents. What a family chooses scales with its `size`; what a chain charges does not.
It lives by the days on which American banks work, and by chance that is no chance: every throw of
the dice follows from the words that they were made with.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, TypeVar

from finplan.banks.demo.places import METROS, Metro
from finplan.model.money import half_even

ONE_DAY = timedelta(days=1)


@lru_cache(maxsize=256)
def holidays(year: int) -> frozenset[date]:
    """Every day of a year on which the Federal Reserve is closed besides weekends.

    A fixed holiday on a Sunday is kept on Monday; one on a Saturday is not moved (frbservices.org).
    """
    fixed = [date(year, month, day) for month, day in ((1, 1), (6, 19), (7, 4), (11, 11), (12, 25))]
    return frozenset(
        [day + ONE_DAY if day.weekday() == 6 else day for day in fixed]
        + [
            _nth_weekday_of(year, 1, 0, 3),  # Martin Luther King
            _nth_weekday_of(year, 2, 0, 3),  # Presidents
            _nth_weekday_of(year, 6, 0, 1) - 7 * ONE_DAY,  # Memorial: the last Monday of May
            _nth_weekday_of(year, 9, 0, 1),  # Labor
            _nth_weekday_of(year, 10, 0, 2),  # Columbus
            _nth_weekday_of(year, 11, 3, 4),  # Thanksgiving
        ]
    )


def _nth_weekday_of(year: int, month: int, weekday: int, nth: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def is_workday(day: date) -> bool:
    """A day is a workday when it is neither at a weekend nor a bank holiday."""
    return day.weekday() < 5 and day not in holidays(day.year)


def workday_from(day: date) -> date:
    """The first workday on or after a day: when a bill that falls on it is taken."""
    while not is_workday(day):
        day += ONE_DAY
    return day


def workday_until(day: date) -> date:
    """The last workday on or before a day: when pay that falls on it arrives."""
    while not is_workday(day):
        day -= ONE_DAY
    return day


def month_of(day: date, later: int = 0) -> date:
    """The first day of a day's month, or of the one so many months later."""
    year, month = divmod(day.year * 12 + day.month - 1 + later, 12)
    return date(year, month + 1, 1)


def month_end(day: date) -> date:
    """The last day of a day's month."""
    return month_of(day, 1) - ONE_DAY


def months_between(start: date, day: date) -> int:
    """How many months a day's month lies after the start's month."""
    return (day.year - start.year) * 12 + day.month - start.month


def months(start: date, through: date) -> Iterator[tuple[int, date]]:
    """Each month that two days span, as its number counted from the start's and its first day."""
    for number in range(months_between(start, through) + 1):
        yield number, month_of(start, number)


Thing = TypeVar("Thing")

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"


class Dice:
    """A sequence of throws that the same words give again on every machine and Python.

    Only `Random.random` seeded by a text is used: Python promises never to change its sequence, and
    promises it of nothing else in that module.
    """

    def __init__(self, *seeds: object) -> None:
        text = "/".join(map(str, seeds))
        self._throw = random.Random(text).random  # noqa: S311 -- a made-up household is no secret

    def chance(self, permille: int) -> bool:
        """Answer true so many times in a thousand."""
        return self._throw() * 1000 < permille

    def number(self, low: int, high: int) -> int:
        """Throw an integer from low to high, both included, each as likely."""
        return low + int(self._throw() * (high - low + 1))

    def skewed(self, low: int, high: int) -> int:
        """Throw an integer from low to high, on average a third of the way: low is likelier."""
        return low + int(min(self._throw(), self._throw()) * (high - low + 1))

    def pick(self, things: Sequence[Thing]) -> Thing:
        """Pick one thing, each as likely."""
        return things[int(self._throw() * len(things))]

    def favourite(self, things: Sequence[Thing]) -> Thing:
        """Pick one thing, the first ones more likely: as people go back to where they like it."""
        return things[self.skewed(0, len(things) - 1)]

    def deal(self, things: Sequence[Thing], count: int) -> list[Thing]:
        """Pick so many different things, in a thrown order; all of them when there are no more."""
        pool = list(things)
        return [pool.pop(self.number(0, len(pool) - 1)) for _ in range(min(count, len(pool)))]

    def fill(self, template: str, digit: str, letter: str | None = None) -> str:
        """Write a thrown digit for each mark `digit`, a digit or capital for each mark `letter`."""

        def throw(mark: re.Match[str]) -> str:
            return self.pick(_LETTERS) if mark[0] == letter else str(self.number(0, 9))

        return re.sub(f"[{re.escape(digit + (letter or ''))}]", throw, template)


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


def _still_owed(installment: int, apr: int, months: int) -> int:
    """What a loan owes when so many equal installments are left: their present value."""
    owed = 0
    for _ in range(months):
        owed = half_even((owed + installment) * 120_000, 120_000 + apr)
    return owed


def _round(cents: int, step: int) -> int:
    return half_even(cents, step) * step


class DemoCharge(NamedTuple):
    """Money in (+) or out (−) in cents on the day it is made; a card's posts some days later.

    `hold` is what a card shows while the charge is pending, where a tip is added afterwards.
    """

    day: date
    account: str
    amount: int
    raw: str
    hold: int | None = None


def write_for_household(template: str, home: DemoHousehold, dice: Dice) -> str:
    """Write what of a descriptor stays the same for a household: `~` a digit, `@` a town and state.

    What remains is for each charge: `^` is a digit and `?` a digit or capital.
    """
    if "@" in template:
        template = template.replace("@", f"{dice.favourite(home.metro.towns)} {home.metro.state}")
    return dice.fill(template, "~")


def write_for_charge(template: str, dice: Dice) -> str:
    """Write what of a descriptor is new with each charge."""
    return dice.fill(template, "^", "?")
