"""Payments of a kind that comes every year: some are a contract's, and some come once.

Base rates are guesses from life, set before anything was learnt from them. A contract has run for years,
or begins in the year that is seen, and ends at any age alike; what it takes changes from year to year
by more than an insurer's rise, so that two of its payments do not always show it.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.truth import Coming, LabelledRow, TrueStream
from benchmarks.quality.world.voices import Country


class YearlyKind(NamedTuple):
    """Who takes it and how much, and how often a household pays it.

    `once` is the share of payments that are of no contract, such as a course or a permit. `returns` is
    the share of contracts that go on for another year, and `drift` how far a year's payment may stray
    from the one before, as a share.
    """

    names: Mapping[Country, Sequence[str]]
    least: int
    most: int
    mean: float
    once: float
    returns: float
    drift: float


KINDS: Mapping[str, YearlyKind] = {
    "tax": YearlyKind(
        {
            "US": ("IRS USATAXPYMT", "FRANCHISE TAX BO", "~ COUNTY TREASURER"),
            "UK": ("HMRC SELF ASSESSMENT", "HMRC NDDS"),
            "DE": ("FINANZAMT ~ EINKOMMENSTEUER", "FINANZAMT ~ VORAUSZAHLUNG"),
            "FR": ("DGFIP IMPOT REVENU", "DGFIP TAXE FONCIERE"),
        },
        40_000,
        500_000,
        0.5,
        0.05,
        0.90,
        0.25,
    ),
    "insurance": YearlyKind(
        {
            "US": ("~ INSURANCE", "~ MUTUAL INSURANCE", "STATE FARM INSURANCE"),
            "UK": ("~ INSURANCE", "AVIVA HOME INSURANCE"),
            "DE": ("~ VERSICHERUNG", "HUK COBURG VERSICHERUNG"),
            "FR": ("~ ASSURANCES", "MAIF ASSURANCE"),
        },
        20_000,
        180_000,
        0.6,
        0.04,
        0.82,
        0.12,
    ),
    "licence": YearlyKind(
        {
            "US": ("~ VEHICLE REGISTRATION", "STATE LICENSING ~"),
            "UK": ("TV LICENCE ANNUAL", "DVLA VEHICLE TAX"),
            "DE": ("RUNDFUNK BEITRAGSSERVICE",),
            "FR": ("REDEVANCE ~",),
        },
        15_000,
        40_000,
        0.3,
        0.03,
        0.90,
        0.06,
    ),
    "membership": YearlyKind(
        {
            "US": ("~ SOCIETY DUES", "~ CLUB MEMBERSHIP"),
            "UK": ("~ MEMBERSHIP", "~ SOCIETY"),
            "DE": ("~ MITGLIEDSBEITRAG", "VEREIN ~ JAHRESBEITRAG"),
            "FR": ("COTISATION ~", "ASSOCIATION ~ ADHESION"),
        },
        15_000,
        90_000,
        0.4,
        0.08,
        0.80,
        0.10,
    ),
    "school": YearlyKind(
        {
            "US": ("~ SCHOOL FEES", "~ UNIVERSITY TUITION"),
            "UK": ("~ SCHOOL FEES", "~ COLLEGE"),
            "DE": ("~ SCHULE", "UNIVERSITAET ~ SEMESTERBEITRAG"),
            "FR": ("ECOLE ~", "UNIVERSITE ~"),
        },
        25_000,
        300_000,
        0.4,
        0.15,
        0.75,
        0.15,
    ),
    "council": YearlyKind(
        {
            "US": ("CITY OF ~ MUNICIPAL", "~ BOROUGH"),
            "UK": ("~ COUNCIL", "~ BOROUGH COUNCIL"),
            "DE": ("GEMEINDE ~", "LANDKREIS ~"),
            "FR": ("MAIRIE ~", "COMMUNE ~"),
        },
        15_000,
        120_000,
        0.3,
        0.10,
        0.88,
        0.12,
    ),
}

TAX_DAYS: Mapping[Country, Sequence[tuple[int, int]]] = {
    "US": ((1, 15), (4, 15), (6, 15), (9, 15)),
    "UK": ((1, 31), (7, 31)),
    "DE": ((3, 10), (6, 10), (9, 10), (12, 10)),
    "FR": ((9, 15), (10, 15), (12, 15)),
}
"""Month and day on which people pay a tax office; the rest of its letters name another day."""

ON_A_TAX_DAY = 0.7
OLDER = 0.83
"""Share of contracts that ran the year before as well, and so on for each year before: about as many
begin in a year as end."""

_STRAYS = (-10, 10)
"""Days by which a year's payment may come before or after the same day."""


def write_yearly(diary: Diary) -> None:
    """Write what comes yearly, or came once though it looks so."""
    for what, kind in KINDS.items():
        for _ in range(diary.around(kind.mean)):
            _write(diary, what, kind)


def _write(diary: Diary, what: str, kind: YearlyKind) -> None:
    name = diary.named(kind.names[diary.country])
    if name is None:
        return
    account = diary.held("checking").number
    spelled = diary.spelled(name, "debit", account)
    day, dice = _last_day(diary, what), diary.dice
    amount, number = dice.randint(kind.least, kind.most), diary.number()
    is_contract = not diary.chance(kind.once)
    goes_on = is_contract and diary.chance(kind.returns)
    paid = [Coming(day, amount)]
    while is_contract and paid[0].day > diary.since and diary.chance(OLDER):
        paid.insert(0, Coming(_year_from(diary, paid[0].day, -1), _drifted(diary, kind, amount)))
    for one in paid:
        raw = spelled.on(one.day, dice)
        diary.book(LabelledRow(account, one.day, -one.amount, raw, name.lower(), number))
    following = Coming(_year_from(diary, day, 1), _drifted(diary, kind, amount))
    diary.streams.append(
        TrueStream(
            number=number,
            payee=name.lower(),
            side="charge",
            what=f"yearly {what}",
            cadence="annual",
            # Two that are near enough show it to anybody, and are judged elsewhere.
            knowable=False,
            active=None,
            next_date=None,
            next_amount=None,
            next=following if goes_on else None,
        )
    )


def _last_day(diary: Diary, what: str) -> date:
    """The day of the newest payment, within the last year."""
    day = diary.today - timedelta(diary.dice.randrange(1, 366))
    if what != "tax" or not diary.chance(ON_A_TAX_DAY):
        return day
    days = [
        date(year, month, of_month)
        for year in (diary.today.year - 1, diary.today.year)
        for month, of_month in TAX_DAYS[diary.country]
    ]
    within = [one for one in days if 0 < (diary.today - one).days < 366]
    return diary.dice.choice(within) - timedelta(diary.dice.choice((0, 0, 1, 2, 5)))


def _year_from(diary: Diary, day: date, years: int) -> date:
    return day + timedelta(365 * years + diary.dice.randint(*_STRAYS))


def _drifted(diary: Diary, kind: YearlyKind, amount: int) -> int:
    return round(amount * (1 + diary.dice.uniform(-kind.drift, kind.drift)))
