"""What a demo household earns: two people's pay, a yearly bonus, a tax refund."""

from collections.abc import Iterator
from datetime import date, timedelta

from finplan.banks.demo.calendar import month_end, months, workday_from, workday_until
from finplan.banks.demo.charge import DemoCharge
from finplan.banks.demo.dice import Dice
from finplan.banks.demo.household import CHECKING, DemoHousehold
from finplan.model.money import half_even

_A_FRIDAY = date(2016, 1, 1)
_FORTNIGHT = timedelta(days=14)


def pay(home: DemoHousehold, through: date) -> Iterator[DemoCharge]:
    """All income from the start through a day; a payday that is a holiday comes earlier."""
    dice = Dice(home.seed, "pay")
    number = dice.fill("9~~~~~~~~~", "~")
    for day in _paydays(home, through):
        amount = _raised(home, home.biweekly_pay, day)
        yield DemoCharge(day, CHECKING, amount, f"{home.employer} PAYROLL PPD ID: {number}")
    raw = f"{home.monthly_employer} DES:DIR DEP ID:XXXXX{dice.fill('~~~~', '~')}"
    for _, month in months(home.start, through):
        day = workday_until(month_end(month))
        if day <= through:
            yield DemoCharge(day, CHECKING, _raised(home, home.monthly_pay, day), raw)
    for year in range(home.start.year, through.year + 1):
        for charge in _once_a_year(home, year, f"{home.employer} BONUS PAYMENT PPD ID: {number}"):
            if home.start <= charge.day <= through:
                yield charge


def _paydays(home: DemoHousehold, through: date) -> Iterator[date]:
    """Every second Friday, or the workday before it."""
    friday = _A_FRIDAY + timedelta(days=7 * home.payday_phase)
    friday += (home.start - friday) // _FORTNIGHT * _FORTNIGHT
    while (day := workday_until(friday)) <= through:
        if day >= home.start:
            yield day
        friday += _FORTNIGHT


def _once_a_year(home: DemoHousehold, year: int, bonus_raw: str) -> Iterator[DemoCharge]:
    """The bonus of March and the refund that comes between February and April."""
    dice = Dice(home.seed, "year", year)
    bonus_day = workday_from(date(year, 3, dice.number(10, 18)))
    yield DemoCharge(bonus_day, CHECKING, home.scaled(dice.number(299_200, 380_800)), bonus_raw)
    refund_day = workday_from(date(year, dice.number(2, 4), dice.number(7, 21)))
    # Refunds come in whole dollars.
    refund = home.scaled(dice.number(148_000, 215_000)) // 100 * 100
    yield DemoCharge(refund_day, CHECKING, refund, "IRS TREAS 310 TAX REF PPD ID: 9111736946")


def _raised(home: DemoHousehold, amount: int, day: date) -> int:
    """Pay on a day: each January it rises by 2.5 %."""
    return half_even(amount * (1000 + 25 * (day.year - home.start.year)), 1000)
