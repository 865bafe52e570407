"""Twenty-one households whose life changes: what a month brings and costs from now on, and the advice.

Income, spending and the kinds of advice that a planner would give, and never would, were written down
before the plans were looked at.
"""

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

import pytest

from finplan.plan.advise.assessment import Assessment
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 11, 22)
"""The averaged months are November 2025 to October 2026."""

BAD_NEWS = frozenset({"income_stopped", "cover_shortfall", "cover_cash_gap"})


def base(pay: int = 3_000_00, cash: int = 12_000_00) -> Household:
    """A pay on the 25th, a rent of 1,000 on the 1st and food for 400 on the 10th."""
    home = household().checking(balance=cash, covered=("2025-10-01", TODAY))
    if pay:
        home.credits(monthly("2025-10-25", 13), "ACME", pay, "wages")
    home.charges(monthly("2025-10-01", 14), "LANDLORD", 1_000_00, "rent")
    return home.charges(monthly("2025-10-10", 14), "MARKET", 400_00, "groceries")


def former(last: str, pay: int = 3_000_00, cash: int = 12_000_00) -> Household:
    """The same whose pay was last paid on a day."""
    home, end = base(0, cash), date.fromisoformat(last)
    days = [day for day in monthly("2025-10-25", 13) if day <= end]
    return home.credits(days, "ACME", pay, "wages")


def says(home: Household, name: str, sign: str = "pay", category: str = "wages") -> Household:
    return home.payee(name, into=category, inflow_sign=sign)


def new_monthly_job() -> Household:
    home = says(former("2026-08-25"), "GLOBEX")
    return home.credits(["2026-09-30", "2026-10-30"], "GLOBEX", 3_500_00)


def new_biweekly_job() -> Household:
    home = says(former("2026-09-25"), "GLOBEX")
    return home.credits(["2026-10-23", "2026-11-06", "2026-11-20"], "GLOBEX", 1_500_00)


def first_pay_of_a_new_job() -> Household:
    return says(former("2026-09-25"), "GLOBEX").credit("2026-10-30", "GLOBEX", 3_300_00)


def jobless_until_november() -> Household:
    home = says(former("2026-05-25"), "GLOBEX")
    return home.credits(["2026-11-06", "2026-11-20"], "GLOBEX", 1_450_00)


def lost_with_benefit() -> Household:
    home = says(former("2026-09-25"), "LABOR OFFICE", "temporary", "pension_benefits")
    return home.credits(every("2026-10-09", 14, 4), "LABOR OFFICE", 450_00)


def lost_without_benefit() -> Household:
    return former("2026-08-25", cash=5_000_00)


def second_earner() -> Household:
    home = says(base(), "INITECH")
    return home.credits(monthly("2026-09-15", 3), "INITECH", 1_800_00)


def two_jobs_lost_one_found() -> Household:
    home = former("2026-08-25").credits(monthly("2025-10-15", 11), "HOOLI", 2_800_00, "wages")
    return says(home, "GLOBEX").credits(monthly("2026-09-28", 2), "GLOBEX", 3_000_00)


def new_rent() -> Household:
    home = base().charges(["2026-10-03", "2026-11-03"], "NEW LANDLORD", 1_900_00, "rent")
    home.rows = [row for row in home.rows if row[2] < 20261001 or row[3] != -1_000_00]
    return home


def daycare() -> Household:
    return base().charges(monthly("2026-09-05", 3), "KINDERCARE", 1_250_00, "childcare")


def parental_pay() -> Household:
    home = says(former("2026-08-25"), "ELTERNGELD", "temporary", "pension_benefits")
    return home.credits(["2026-10-01", "2026-11-01"], "ELTERNGELD", 1_800_00)


def raised() -> Household:
    return former("2026-08-25").credits(["2026-09-25", "2026-10-25"], "ACME", 3_240_00)


def bonus_beside_pay() -> Household:
    return base().credit("2026-10-25", "ACME", 2_400_00)


def hospital() -> Household:
    return base().charge("2026-07-14", "MERCY HOSPITAL", 6_500_00, "health")


def house_sold() -> Household:
    home = base(cash=180_000_00).payee("TITLE CO", into="other_income", inflow_sign="windfall")
    return home.credit("2026-06-02", "TITLE CO", 170_000_00)


def car_boiler_and_dentist() -> Household:
    home = base().charge("2026-03-12", "TOYOTA CITY", 14_000_00, "car")
    home.charge("2026-05-20", "BOILER WORKS", 5_200_00, "home_upkeep")
    return home.charge("2026-08-04", "DENTIST", 3_600_00, "health")


def refunded_holiday() -> Household:
    home = base().charge("2026-02-03", "SUNWAY TOURS", 5_000_00, "travel")
    return home.credit("2026-03-01", "SUNWAY TOURS", 5_000_00, "travel")


def two_pensions() -> Household:
    home = says(base(0), "STATE PENSION", "pension", "pension_benefits")
    for first, amount in (("2025-10-06", 900_00), ("2025-10-20", 600_00)):
        home.credits(every(first, 28, 15 if amount > 700_00 else 14), "STATE PENSION", amount)
    return home


def child_benefit_alone() -> Household:
    home = says(base(0, cash=9_000_00), "KINDERGELD", "benefit", "pension_benefits")
    home.credits(monthly("2025-10-12", 14), "KINDERGELD", 255_00)
    return home.account("401k", "investment", "401k", balance=60_000_00)


def clients_every_two_months() -> Household:
    home = base(0)
    days = ["2025-11-04", "2026-01-02", "2026-03-01", "2026-04-30", "2026-06-28", "2026-08-26"]
    home.credits([*days, "2026-10-23"], "STUDIO CLIENT", 6_000_00, "self_employment")
    return home.charges(["2026-01-30"], "hmrc", 4_612_00, "taxes")


def nothing_answered() -> Household:
    home = household().checking(balance=6_000_00, covered=("2025-10-01", TODAY))
    home.credits(every("2025-10-07", 11, 38), "J DOE", 900_00, "unknown_inflow")
    return home.charges(every("2025-10-09", 9, 45), "K ROE", 800_00, "uncategorized")


class Life(NamedTuple):
    """A household with its month from now on, in units and give or take one, and its advice."""

    home: Callable[[], Household]
    income: int
    spend: int
    required: frozenset[str]
    forbidden: frozenset[str]


LIVES = [
    Life(new_monthly_job, 3_500, 1_400, frozenset(), BAD_NEWS),
    Life(new_biweekly_job, 3_250, 1_400, frozenset(), BAD_NEWS),
    Life(first_pay_of_a_new_job, 3_300, 1_400, frozenset(), BAD_NEWS),
    Life(jobless_until_november, 3_142, 1_400, frozenset(), BAD_NEWS),
    Life(
        lost_with_benefit,
        975,
        1_400,
        frozenset({"income_stopped", "cover_shortfall"}),
        frozenset({"invest_idle_cash", "build_emergency_fund"}),
    ),
    Life(
        lost_without_benefit,
        0,
        1_400,
        frozenset({"income_stopped", "cover_shortfall"}),
        frozenset({"invest_idle_cash", "build_emergency_fund"}),
    ),
    Life(second_earner, 4_800, 1_400, frozenset(), BAD_NEWS),
    Life(
        two_jobs_lost_one_found,
        3_000,
        1_400,
        frozenset({"income_stopped"}),
        frozenset({"cover_shortfall"}),
    ),
    Life(new_rent, 3_000, 2_300, frozenset(), BAD_NEWS),
    Life(daycare, 3_000, 2_650, frozenset(), BAD_NEWS),
    Life(parental_pay, 1_800, 1_400, frozenset(), frozenset({"cover_shortfall"})),
    Life(raised, 3_240, 1_400, frozenset(), BAD_NEWS),
    Life(bonus_beside_pay, 3_000, 1_400, frozenset(), BAD_NEWS),
    Life(hospital, 3_000, 1_400, frozenset(), BAD_NEWS),
    Life(house_sold, 3_000, 1_400, frozenset({"invest_idle_cash"}), BAD_NEWS),
    Life(car_boiler_and_dentist, 3_000, 1_700, frozenset(), BAD_NEWS),
    Life(refunded_holiday, 3_000, 1_400, frozenset(), BAD_NEWS),
    Life(two_pensions, 1_625, 1_400, frozenset(), BAD_NEWS),
    Life(child_benefit_alone, 255, 1_400, frozenset({"cover_shortfall"}), frozenset()),
    Life(
        clients_every_two_months,
        3_500,
        1_784,
        frozenset(),
        frozenset({"income_stopped", "cover_shortfall"}),
    ),
    Life(
        nothing_answered,
        0,
        2_733,
        frozenset({"answer_questions"}),
        frozenset({"income_stopped", "cover_shortfall", "build_emergency_fund"}),
    ),
]


def looked_at(home: Household) -> Assessment:
    ledger = home.ledger()
    return assess(ledger, keep_books(ledger, TODAY), TODAY)


@pytest.mark.parametrize("life", LIVES, ids=lambda life: life.home.__name__)
def test_what_a_planner_would_say(life: Life) -> None:
    """Income and spending from now on, and the kinds of advice."""
    seen = looked_at(life.home())
    assert seen.planned.income / 100 == pytest.approx(life.income, abs=1)
    assert seen.planned.spend / 100 == pytest.approx(life.spend, abs=1)
    kinds = {action.kind for action in plan_of(seen).actions}
    assert life.required <= kinds
    assert life.forbidden.isdisjoint(kinds)
