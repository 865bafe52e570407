"""How often things happen in a generated household: every base rate and every noise level, as data.

The rates are chosen so that each cadence is well represented in a group of forty households; a real
household has fewer rare cadences than these. No rate was chosen, or changed, by what a detector found.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from finplan.model.plan import Cadence

MONTHS: Mapping[int, float] = {9: 0.10, 15: 0.15, 24: 0.45, 38: 0.30}
"""How many months of rows a household has: banks hand out anything from three quarters to some years."""

Level = Literal["clean", "noisy"]


@dataclass(frozen=True, slots=True)
class Noise:
    """What a level of noise does to streams; shares are of streams, or of due dates where said.

    `jitter` and `skipped` are shares of due dates. `sway` is how far a bill that varies strays from its
    usual amount, `season` how far the summer and winter peaks of heating and cooling do. `slipped` is
    the share of due dates, of what comes quarterly or twice a year, that are billed three or four weeks
    late.
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
    slipped: float


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
        slipped=0.0,
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
        slipped=0.04,
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

BEGUN = 0.20
"""Share of charges begun at any time of the history: people move, sign up and change their insurer."""

STOPS: Mapping[Cadence, float] = {
    "weekly": 0.004,
    "biweekly": 0.008,
    "semimonthly": 0.006,
    "monthly": 0.014,
    "quarterly": 0.035,
    "twice_yearly": 0.06,
    "annual": 0.18,
}
"""The chance at each due date that a charge never comes again, from its fourth on (annual: its third).

About one in six contracts ends within a year, whatever its cadence; a year is the moment to cancel.
"""

PAY_STOPS: Mapping[Cadence, float] = {
    "weekly": 0.003,
    "biweekly": 0.006,
    "semimonthly": 0.006,
    "monthly": 0.012,
    "quarterly": 0.01,
}
"""The same for income: one in seven changes the employer within a year."""

RENEWAL_PRICE_KEPT = 0.45
RENEWAL_RISE = (0.01, 0.12)
RENEWAL_FALL = (0.01, 0.08)
RENEWAL_FALLS = 0.15
"""What an annual charge does when it is renewed: most insurers raise it a little, some lower it."""

NTH_WEEKDAY = 0.06
FOUR_WEEKS = 0.05
"""Shares of monthly charges due on a weekday of a week, as a third Tuesday, and every 28 days."""

BENEFIT_NTH_WEEKDAY = 0.50
BENEFIT_FOUR_WEEKS = 0.50
"""US pensions come on a Wednesday of a week by birth date; British benefits every 28 days."""

NEW_JOB = 0.70
"""Share of jobs that ended after which another one begins, two to nine weeks later."""

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

MIXED_BILLS = 1.2
MIXED_OTHERS = 6
MIXED_SWAY = (0.05, 0.30)
"""Mean number of varying monthly bills with 0 to 6 other rows at their payee in 13 months, and how far
they stray from their usual sum: a phone and its accessories, power and a repair, a plan and visits."""

CHANCE_PAIRS = 2.0
"""Mean number of payees with two like purchases a year apart: a yearly dinner, the eye test, the hotel
of last summer. Of some 15 payees seen twice, one falls so; habits of the season are the rest."""

CHANCE_ALIKE = 0.12
CHANCE_EQUAL = 0.25
CHANCE_OPAQUE = 0.30
"""How far the second of such purchases strays from the first; the shares that cost the same (a check-up
has its price), and whose payee's name says nothing."""

RAIL_RENT = 0.12
"""Share of households that send their share of the rent by a payment service, and get dinners back."""

EMPLOYER_EXPENSES = 0.18
GIG_PLATFORM = 0.10
CHILD_SUPPORT = 0.06
"""Shares of households with an employer who repays expenses, a platform that pays out (and sells, and
gives refunds), and child support: about one employee in five travels, one in ten drives or delivers."""

ACCOUNT_NUMBERS = 0.35
"""Mean number of payees known by an account number alone; half of them have a second one beside."""

UNLINKED_CARD = 0.30
"""Share of households that pay a card each month which they have not linked; 55 % by a direct debit."""

DEAD_CARD = 0.12
"""Share of second cards that were closed or lost: their charges move to another card, or end."""

DEAD_CARD_MOVED = 0.5

HOLES = 0.15
HOLE_DAYS = (35, 120)
"""Share of households that lack statements of an account in the midst, and for how many days."""

STATED_COVERAGE = 0.6
"""Share of accounts whose source states the days that it covers; of others only rows tell."""

FOREIGN_ACCOUNT = 0.08
"""Share of households with an own account in another currency, fed a few times a year."""

CREDIT_UNION = 0.18
"""Share of US households whose bank writes labelled memos; credit unions have that share of accounts."""

MANY_LINES = 0.05
"""Share of households whose bank writes several lines into one cell."""

BRANCH_TAILS = 0.35
"""Share of shops with branches that put the branch's place after their name, and no town."""

OPAQUE_BILLS = 0.45
OPAQUE_HABITS = 0.30
OPAQUE_ONE_OFFS = 0.62
"""Shares of payees whose names say nothing of their trade, so that nobody's list knows them."""

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

CARD_LAG: Mapping[str, Mapping[int, float]] = {
    "same": {0: 0.90, 1: 0.07, -1: 0.03},
    "after": {0: 0.10, 1: 0.40, 2: 0.30, 3: 0.14, 4: 0.04, 5: 0.02},
    "before": {-5: 0.03, -4: 0.07, -3: 0.25, -2: 0.35, -1: 0.25, 0: 0.05},
}
"""Days from a card payment's debit to its credit; an issuer credits before its debit arrives, or not."""

CARD_LAGS: Mapping[str, float] = {"same": 0.35, "after": 0.35, "before": 0.30}
"""How cards' payments are booked; each card keeps to one way."""

REVOLVES = 0.30
"""Share of cards on which a round sum is paid, not all that is owed."""

TRAPS: Mapping[str, float] = {
    "friend repays a purchase exactly": 1.0,
    "equal amounts with strangers": 1.0,
    "two equal transfers on one day": 0.8,
    "arrival a day before departure": 1.0,
    "fee on the way": 0.5,
    "pay equal to a transfer": 0.5,
    "refund on another account": 0.6,
    "one leg on an account not linked": 0.8,
    "a card's credit equal to a bill": 0.8,
    "paid in before an equal payment": 0.8,
    "refund beside a card payment": 0.5,
}
"""Mean number of each situation of detection, section 3, that misleads a search for transfers."""
