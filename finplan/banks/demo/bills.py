"""What comes and goes by the calendar: pay, the bills of the house, and subscriptions."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from finplan.banks.demo import household
from finplan.banks.demo.household import (
    CHECKING,
    PLATINUM,
    REWARDS,
    DemoCharge,
    DemoHousehold,
    Dice,
)
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
    for _, month in household.months(home.start, through):
        day = household.workday_until(household.month_end(month))
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
    while (day := household.workday_until(friday)) <= through:
        if day >= home.start:
            yield day
        friday += _FORTNIGHT


def _once_a_year(home: DemoHousehold, year: int, bonus_raw: str) -> Iterator[DemoCharge]:
    """The bonus of March and the refund that comes between February and April."""
    dice = Dice(home.seed, "year", year)
    bonus_day = household.workday_from(date(year, 3, dice.number(10, 18)))
    yield DemoCharge(bonus_day, CHECKING, home.scaled(dice.number(299_200, 380_800)), bonus_raw)
    refund_day = household.workday_from(date(year, dice.number(2, 4), dice.number(7, 21)))
    # Refunds come in whole dollars.
    refund = home.scaled(dice.number(148_000, 215_000)) // 100 * 100
    yield DemoCharge(refund_day, CHECKING, refund, "IRS TREAS 310 TAX REF PPD ID: 9111736946")


def _raised(home: DemoHousehold, amount: int, day: date) -> int:
    """Pay on a day: each January it rises by 2.5 %."""
    return half_even(amount * (1000 + 25 * (day.year - home.start.year)), 1000)


_COOLING = (700, 680, 660, 680, 850, 1300, 1620, 1650, 1280, 820, 700, 740)
_HEATING = (2050, 1900, 1450, 900, 520, 330, 290, 290, 340, 620, 1200, 1850)
_WATERING = (850, 850, 870, 950, 1080, 1230, 1310, 1320, 1150, 970, 860, 850)


class Bill(NamedTuple):
    """A charge on a day of the month, `every` so many months from month `first` of the history.

    `cents` is the amount; from month `rise_at` on, `rise` is added. `season` holds permille of the
    amount by month, `wobble` how many permille the meter adds or takes.
    """

    account: str
    raw: str
    day: int
    cents: int
    every: int = 1
    first: int = 0
    rise_at: int = 0
    rise: int = 0
    season: tuple[int, ...] | None = None
    wobble: int = 0


_VIDEO = (
    ("NETFLIX.COM 866-579-7172 CA", 1549, 250),
    ("HULU 877-8244858 CA", 1799, 200),
    ("DISNEY PLUS 888-9057888 CA", 1399, 200),
)
_SUBSCRIPTIONS = (
    ("SPOTIFY USA 877-7781161 NY", 1699),
    ("APPLE.COM/BILL 866-712-7753 CA", 999),
    ("NYTimes*NYTimes Disc 800-698-4637 NY", 1700),
    ("GOOGLE *YouTubePremium g.co/helppay# CA", 1399),
    ("Audible*?????????  Amzn.com/bill NJ", 1495),
    ("DROPBOX*???????????? 141-58576933 CA", 1199),
    ("PEACOCK ????? TV 212-6644444 NY", 799),
    ("CRUNCHYROLL *MEGA 415-503-9235 CA", 1199),
)
_GYMS = (
    ("PLANET FITNESS CLUB FEES ~~~~ @", 2499),
    ("ANYTIME FITNESS ~~~~ @", 4600),
    ("YMCA OF GREATER MEMBER DUES", 6800),
)
_KIDS = (
    "SQ *LITTLE STRIKERS YOUTH SOCCER @",
    "PIROUETTE BALLET ACADEMY @",
    "GOLDFISH POND SWIM SCHOOL @",
    "SQ *TUMBLE BARN GYMNASTICS @",
)
_CARE = (
    "BRIGHT PINES AFTERSCHOOL TUITION",
    "ACORN HOUSE AFTER SCHOOL CARE",
    "KIDS HARBOR CHILDCARE",
)
_PHONES = ("VERIZON WRLS ~~~~~-01 800-922-0204 FL", "T-MOBILE*AUTO PAY 800-937-8997 WA")
_INTERNET = ("XFINITY INTERNET 800-934-6489 PA", "SPECTRUM 855-707-7328 MO")
_CAR_INSURANCE = ("PROGRESSIVE *INSURANCE 800-776-4737 OH", "GEICO *AUTO 800-841-3000 DC")
_LIFE_INSURANCE = "BEACON TERM LIFE INS PREM ~~~~~~~~"
_PRIME = "Amazon Prime*????????? Amzn.com/bill WA"
_ASSOCIATIONS = ("WILLOW CREEK HOA DUES", "FOXGLOVE COMMONS HOA ASSMT", "HERON LAKE HOA ASSESSMENT")
_GIVING = (
    "PUBLIC RADIO DONATION 800-555-0142 @",
    "VALLEY FOOD BANK DONATION @",
    "ASPCA DONATION NY",
)


def _meters(home: DemoHousehold, dice: Dice) -> list[Bill]:
    """Power, gas and water: each has its season, and its place's climate."""
    metro = home.metro
    summer, winter = metro.climate
    power = home.scaled(half_even(12_400 * (1000 + summer), 2000))
    heating = home.scaled(half_even(7_600 * (1000 + winter), 2000))
    water = home.scaled(6_200)
    return [
        Bill(CHECKING, metro.electric, dice.number(8, 13), power, season=_COOLING, wobble=60),
        Bill(CHECKING, metro.gas, dice.number(17, 22), heating, season=_HEATING, wobble=80),
        Bill(CHECKING, metro.water, dice.number(23, 27), water, season=_WATERING, wobble=40),
    ]


def _monthly(home: DemoHousehold, dice: Dice) -> list[Bill]:
    """What a family pays each month: its lines, the children, the gym, a gift, subscriptions."""
    internet = home.scaled(6_500, 500) + 499
    video, price, rise = dice.pick(_VIDEO)
    gym, dues = dice.pick(_GYMS)
    first, *others = dice.deal(_SUBSCRIPTIONS, 4)
    return [
        Bill(CHECKING, dice.pick(_CARE), dice.number(3, 6), home.scaled(31_000, 500)),
        Bill(REWARDS, dice.pick(_PHONES), dice.number(14, 19), home.scaled(13_187)),
        # A promotion ended, late enough that a plan still speaks of it.
        Bill(REWARDS, dice.pick(_INTERNET), dice.number(4, 9), internet, rise_at=22, rise=1_500),
        Bill(REWARDS, video, dice.number(3, 26), price, rise_at=19, rise=rise),
        Bill(PLATINUM, first[0], dice.number(2, 27), first[1]),
        *(Bill(REWARDS, raw, dice.number(2, 27), cents) for raw, cents in others),
        Bill(REWARDS, gym, dice.number(5, 15), dues),
        Bill(REWARDS, dice.pick(_KIDS), dice.number(1, 8), home.scaled(10_800, 100)),
        Bill(REWARDS, dice.pick(_GIVING), dice.number(10, 20), dice.pick((2000, 2500, 3500))),
    ]


def _rare(home: DemoHousehold, dice: Dice) -> list[Bill]:
    """What comes rarely; the cars' insurance is due in the month after the first sync."""
    premium, dearer = home.scaled(78_640), home.scaled(4_720)
    dues, life, plates = home.scaled(24_500, 500), home.scaled(46_800), home.scaled(9_150)
    motor_office = f"{home.metro.state} DMV VEHICLE REGISTRATION"
    return [
        Bill(
            CHECKING,
            dice.pick(_CAR_INSURANCE),
            dice.number(8, 14),
            premium,
            every=6,
            first=1,
            rise_at=13,
            rise=dearer,
        ),
        Bill(CHECKING, dice.pick(_ASSOCIATIONS), dice.number(2, 6), dues, every=3, first=2),
        Bill(CHECKING, _LIFE_INSURANCE, dice.number(10, 20), life, every=12, first=8),
        Bill(CHECKING, motor_office, dice.number(5, 25), plates, every=12, first=4),
        Bill(REWARDS, _PRIME, dice.number(12, 25), 13_900, every=12, first=10),
    ]


def bills(home: DemoHousehold, through: date) -> Iterator[DemoCharge]:
    """Every bill from the start through a day, each under one name and number."""
    dice = Dice(home.seed, "bills")
    for bill in _meters(home, dice) + _monthly(home, dice) + _rare(home, dice):
        raw = household.write_for_household(bill.raw, home, dice)
        for number in range(
            bill.first, household.months_between(home.start, through) + 1, bill.every
        ):
            month = household.month_of(home.start, number)
            day = month + timedelta(days=bill.day - 1)
            # A bank takes a bill on workdays only, a card on any day.
            day = household.workday_from(day) if bill.account == CHECKING else day
            throw = Dice(home.seed, "bill", raw, number)
            charge = DemoCharge(
                day,
                bill.account,
                -_billed(bill, number, month, throw),
                household.write_for_charge(raw, throw),
            )
            if charge.day <= through:
                yield charge


def _billed(bill: Bill, number: int, month: date, dice: Dice) -> int:
    amount = bill.cents + (bill.rise if bill.rise and number >= bill.rise_at else 0)
    if bill.season is None:
        return amount
    permille = bill.season[month.month - 1] + dice.number(-bill.wobble, bill.wobble)
    return half_even(amount * permille, 1000)
