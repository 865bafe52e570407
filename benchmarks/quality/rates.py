"""How often things happen in a generated household: every base rate and every noise level, as data.

The rates are chosen so that each cadence is well represented in a group of forty households; a real
household has fewer rare cadences than these. No rate was chosen, or changed, by what a detector found.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from finplan.model.plan import Cadence

MONTHS = 24
"""The length of every household's history."""

Level = Literal["clean", "noisy"]


@dataclass(frozen=True, slots=True)
class Noise:
    """What a level of noise does to streams; shares are of streams, or of due dates where said.

    `jitter` and `skipped` are shares of due dates. `sway` is how far a bill that varies strays from its
    usual amount, `season` how far the summer and winter peaks of heating and cooling do.
    """

    jitter: float
    jitter_days: tuple[int, ...]
    weekends: bool
    skipped: float
    stepped: float
    step: tuple[float, float]
    sway: float
    season: float
    renamed: float


NOISE: Mapping[Level, Noise] = {
    "clean": Noise(
        jitter=0.0,
        jitter_days=(0,),
        weekends=False,
        skipped=0.0,
        stepped=0.0,
        step=(0.0, 0.0),
        sway=0.0,
        season=0.0,
        renamed=0.0,
    ),
    "noisy": Noise(
        jitter=0.15,
        jitter_days=(-1, 1, 2),
        weekends=True,
        skipped=0.03,
        stepped=0.30,
        step=(0.03, 0.10),
        sway=0.08,
        season=0.20,
        renamed=0.10,
    ),
}

CHARGES: Mapping[Cadence, float] = {
    "weekly": 2.0,
    "biweekly": 2.0,
    "semimonthly": 2.0,
    "monthly": 9.0,
    "quarterly": 2.5,
    "twice_yearly": 2.5,
    "annual": 3.0,
}
"""Mean number of recurring charges of each cadence in a household, before second streams."""

LATE = 0.10
"""Share of charges begun late: three or four have been seen by the last day."""

CANCELLED = 0.12
"""Share of charges that ended long enough ago that two due dates have passed without one."""

WEEKEND_RULES: Mapping[int, float] = {1: 0.60, -1: 0.15, 0: 0.25}
"""Where a charge due on a weekend goes: to Monday, to the Friday before, or nowhere."""

PAY_WEEKEND_RULES: Mapping[int, float] = {1: 0.15, -1: 0.75, 0: 0.10}
"""The same for pay."""

SECOND_STREAMS = 1.2
"""Mean number of second streams at a payee that has one already: two policies, two rents."""

SAME_DAY = 0.4
"""Share of second streams that are charged on the same days as the first."""

BOUGHT_BESIDE = 1.0
"""Mean number of payees with a subscription that also sell other things to the household."""

HABITS: Mapping[str, float] = {
    "coffee": 0.8,
    "grocery run": 0.7,
    "groceries": 1.0,
    "fuel": 0.8,
    "lottery": 0.3,
    "cash weekly": 0.3,
    "cash monthly": 0.4,
    "friday restaurant": 0.6,
    "lunch": 0.6,
    "marketplace": 1.0,
    "barber": 0.5,
    "transit": 0.4,
    "pharmacy": 0.5,
    "parking": 0.3,
}
"""The share of households with each habit: spending that comes again and is no bill."""

ONE_OFFS = 60.0
"""Mean number of payees seen once or twice."""

REFUNDS = 6.0
FRIENDS = 8.0
"""Mean number of repayments from friends."""

PAY: Mapping[Cadence, float] = {
    "biweekly": 0.35,
    "semimonthly": 0.30,
    "monthly": 0.22,
    "weekly": 0.13,
}
"""How an earner is paid."""

SECOND_EARNER = 0.45
HOURLY = 0.25
"""Share of earners whose pay varies by up to 25 % from one payday to the next."""

PAY_SPLIT = 0.12
BONUS = 0.30
PENSION = 0.18
BENEFITS = 0.12
INTEREST = 0.55
DIVIDENDS = 0.35
TAX_REFUND = 0.70
CLIENTS = 0.20
"""Share of households with an irregular freelancer; each has one to three clients."""

SECOND_CARD = 0.60
SECOND_CHECKING = 0.25
LOAN = 0.35
INVESTMENT = 0.40

SAVING_PLAN = 0.75
"""Share of households that move a fixed sum to savings each month."""

SPONTANEOUS = 10.0
"""Mean number of other transfers between checking and savings, in both directions."""

PURCHASES_ON_CARD = 0.6

TRAPS: Mapping[str, float] = {
    "friend repays a purchase exactly": 1.0,
    "equal amounts with strangers": 1.0,
    "two equal transfers on one day": 0.8,
    "arrival a day before departure": 1.0,
    "fee on the way": 0.5,
    "pay equal to a transfer": 0.5,
    "refund on another account": 0.6,
    "one leg on an account not linked": 0.8,
}
"""Mean number of each situation of detection, section 3, that misleads a search for transfers."""
