"""A made-up household's plan with every section filled, fixed to the cent; its days ahead and why.

The days ahead are two weeks and a day, with a day below nothing; an explanation has a value of
every unit.
"""

from datetime import date, timedelta
from typing import Any, Literal

from finplan.model import plan as planned
from finplan.model.explain import (
    SECTIONS,
    Explanation,
    FeedingRow,
    Figure,
    LatestPlan,
    Quantity,
    Rest,
)
from finplan.model.snapshot import Forecast, ForecastDay, ForecastItem, ForecastKind, ForecastLow
from finplan.plan.live.forecast import USUAL_NAME

TODAY = date(2025, 11, 21)
FRIDAY = date(2025, 11, 28)
"""A week after `TODAY`: the next payday."""
NOON = 1_763_726_400_000
"""2025-11-21 12:00 UTC."""

_CATEGORIES = (
    ("mortgage", "Mortgage", "essential", 215_000, 12),
    ("groceries", "Groceries", "essential", 98_040, 118),
    ("loan_payment", "Loan payments", "essential", 41_250, 12),
    ("utilities", "Power, water, heating", "essential", 31_210, 30),
    ("transport", "Fuel, transit, parking", "essential", 24_010, 51),
    ("insurance", "Insurance", "essential", 21_490, 14),
    ("phone_internet", "Phone and internet", "essential", 14_500, 24),
    ("health", "Doctor and pharmacy", "essential", 9_880, 17),
    ("dining", "Restaurants and coffee", "discretionary", 88_260, 203),
    ("travel", "Travel", "discretionary", 61_020, 9),
    ("shopping", "Shopping", "discretionary", 58_330, 64),
    ("subscriptions", "Subscriptions", "discretionary", 8_947, 60),
    ("uncategorized", "Not yet known", "discretionary", 31_144, 14),
    ("gifts_donations", "Gifts and donations", "discretionary", 7_500, 6),
)


def categories() -> tuple[planned.PlanCategory, ...]:
    """The spending categories, the largest first."""
    spend = sum(entry[3] for entry in _CATEGORIES)
    ordered = sorted(_CATEGORIES, key=lambda entry: -entry[3])
    return tuple(
        planned.PlanCategory(
            category=category,
            label=label,
            line="essential" if line == "essential" else "discretionary",
            monthly=monthly,
            total=monthly * 12,
            count=number,
            share_of_spend=round(monthly / spend, 4),
        )
        for category, label, line, monthly, number in ordered
    )


def monthly() -> planned.Monthly:
    """The means of the window."""
    essentials = sum(e[3] for e in _CATEGORIES if e[2] == "essential")
    discretionary = sum(e[3] for e in _CATEGORIES if e[2] == "discretionary")
    income = 926_000
    spend = essentials + discretionary
    return planned.Monthly(
        income=income,
        essentials=essentials,
        discretionary=discretionary,
        total_spend=spend,
        surplus=income - spend,
        savings_rate=round((income - spend) / income, 4),
        saved=60_000,
        daily_allowance=9_133,
    )


def recurring() -> tuple[planned.RecurringCharge, ...]:
    """What comes again."""
    cadences: dict[int, Literal["monthly", "quarterly", "annual"]] = {
        30: "monthly",
        91: "quarterly",
        365: "annual",
    }
    rows = (
        ("Wells Fargo Home Mortgage", 215_000, 215_000, 30, date(2025, 12, 1), "mortgage"),
        ("Toyota Financial Services", 41_250, 41_250, 30, date(2025, 12, 5), "loan_payment"),
        ("Pacific Gas & Electric", 18_344, 18_344, 30, date(2025, 11, 28), "utilities"),
        ("State Farm", 162_000, 13_500, 365, date(2026, 2, 3), "insurance"),
        ("Netflix", 1_799, 1_799, 30, date(2025, 11, 30), "subscriptions"),
        ("City Water Department", 12_400, 4_133, 91, date(2026, 1, 15), "utilities"),
    )
    return tuple(
        planned.RecurringCharge(
            name=name,
            amount=amount,
            monthly=a_month,
            interval_days=interval,
            cadence=cadences[interval],
            count=12,
            last_date=date(2025, 11, 1),
            next_date=next_date,
            category=category,
        )
        for name, amount, a_month, interval, next_date, category in rows
    )


def income_sources() -> tuple[planned.IncomeSource, ...]:
    """Two salaries and interest."""
    rows: tuple[tuple[str, int, int, int, Literal["biweekly", "monthly"], date, date], ...] = (
        ("Acme Robotics Payroll", 231_000, 500_500, 26, "biweekly", date(2025, 11, 14), FRIDAY),
        ("Riverside School District", 412_500, 412_500, 12, "monthly", date(2025, 10, 31), FRIDAY),
        ("Interest", 1_300, 1_300, 12, "monthly", date(2025, 10, 31), date(2025, 11, 30)),
    )
    return tuple(
        planned.IncomeSource(
            name=name,
            amount=amount,
            monthly=a_month,
            total=amount * count,
            count=count,
            cadence=cadence,
            interval_days=14 if cadence == "biweekly" else 30,
            last_date=last_date,
            next_date=next_date,
            active=True,
        )
        for name, amount, a_month, count, cadence, last_date, next_date in rows
    )


def plan() -> planned.Plan:
    """A plan with every section filled."""
    means = monthly()
    parts: tuple[
        tuple[Literal["essentials", "discretionary", "savings"], str, int, int, float], ...
    ] = (
        ("essentials", "Essentials", means.essentials, 463_000, 0.5),
        ("discretionary", "Discretionary", means.discretionary, 277_800, 0.3),
        ("savings", "Savings and extra debt payments", means.surplus, 185_200, 0.2),
    )
    return planned.Plan(
        generated_on=TODAY,
        window=planned.Window(
            since=date(2024, 11, 1),
            until=date(2025, 10, 31),
            days=365,
            months=12.0,
            transaction_count=1204,
            account_count=7,
        ),
        snapshot=planned.PlanSnapshot(
            liquid_cash=1_842_512,
            credit_card_debt=231_044,
            other_debt=31_204_000,
            investments=6_400_000,
            net_worth=1_842_512 + 6_400_000 - 231_044 - 31_204_000,
            accounts=(
                planned.SnapshotAccount(
                    id="acc_1",
                    institution_name="Demo Bank",
                    name="Checking",
                    mask="0012",
                    kind="depository",
                    subtype="checking",
                    balance=1_842_512,
                    role="cash",
                ),
            ),
        ),
        monthly=means,
        categories=categories(),
        income_sources=income_sources(),
        recurring=recurring(),
        emergency_fund=planned.EmergencyFund(
            months_covered=3.5,
            target_months=6,
            target_amount=means.essentials * 6,
            gap=1_120_812,
            monthly_contribution=means.surplus,
            months_to_target=6,
        ),
        debt=planned.Debt(
            cards=(
                planned.Card(
                    account_id="acc_2",
                    institution_name="Demo Bank",
                    name="Rewards Card",
                    mask="4410",
                    balance=231_044,
                    limit=1_200_000,
                    utilization=0.1925,
                ),
            ),
            total=231_044,
            strategy="pay_in_full",
            monthly_payment=231_044,
            months_to_clear=1,
        ),
        budget=tuple(
            planned.BudgetItem(
                key=key, label=label, current=current, target=target, target_share=share
            )
            for key, label, current, target, share in parts
        ),
        actions=actions(),
        notes=(
            "2 pending charges ($84.12) are not in the averages until posted.",
            "14 transactions ($311.44 a month, 4% of spending) are not categorized yet.",
            "Loan payments count as essential spending, principal included.",
            "Net worth counts the mortgage, but not the value of the home.",
            "Contributions taken from your pay count neither as income nor as savings.",
        ),
    )


def actions() -> tuple[planned.Action, ...]:
    """Five things to do, in the order of the plan."""
    rows = (
        (
            "build_emergency_fund",
            "Put $2,154 a month into the emergency fund",
            (
                "Cash after cards covers 3.5 months of essentials; the target is 6. Set aside $2,154.19 "
                "a month and it is reached in 6 months."
            ),
            215_419,
        ),
        (
            "prepare_bill",
            "Prepare for State Farm",
            (
                "The yearly bill of about $1,620.00 is expected on 3 February 2026. Put $540.00 a month "
                "aside until then."
            ),
            162_000,
        ),
        (
            "price_rise",
            "Netflix costs more",
            (
                "The charge rose from $15.49 to $17.99 on 30 September, $30.00 a year. Keep it, or "
                "change the subscription before 30 November."
            ),
            3_000,
        ),
        (
            "claim_reimbursement",
            "Claim the work trip",
            (
                "You have been owed $1,204.55 of work costs for 41 days. Send the receipts to your "
                "employer."
            ),
            120_455,
        ),
        (
            "answer_questions",
            "Answer 5 questions",
            "They decide where $311.44 a month belongs. Answer them with `finplan tasks answer`.",
            31_144,
        ),
    )
    return tuple(
        planned.Action(priority=place, kind=kind, title=title, detail=detail, amount=amount)
        for place, (kind, title, detail, amount) in enumerate(rows, start=1)
    )


def plans() -> tuple[planned.StoredPlan, ...]:
    """Two plans a month apart, the newer one better."""
    newer = plan()
    monthly_before = newer.monthly.model_copy(update={"surplus": newer.monthly.surplus - 12_345})
    worth = newer.snapshot.net_worth - 240_000
    older = newer.model_copy(
        update={
            "monthly": monthly_before,
            "snapshot": newer.snapshot.model_copy(update={"net_worth": worth}),
            "actions": newer.actions[:2],
        }
    )
    return (
        planned.StoredPlan(plan=newer, created_at=NOON),
        planned.StoredPlan(plan=older, created_at=NOON - 30 * 86_400_000),
    )


_MOVES: dict[int, tuple[tuple[ForecastKind, str, int, float | None], ...]] = {
    0: (("bill", "City Gas & Electric", -142_18, 0.93),),
    3: (("card", "Sapphire Card", -812_40, None),),
    6: (("bill", "Ashgrove Property Management Company", -1_850_00, 0.98),),
    7: (
        ("income", "Acme Payroll", 2_105_33, None),
        ("bill", "Streamflix", -15_99, 0.97),
        ("bill", "To Brokerage", -250_00, None),
    ),
    14: (),
}


def forecast(*, ranged: bool = True, days: int = 14, start: int = 2_400_00) -> Forecast:
    """Cash of 2,400 that the rent takes below nothing on the sixth day, the day before pay."""
    evening, found = start, []
    for place in range(days + 1):
        items = [
            ForecastItem(kind=kind, name=name, amount=amount, probability=probability)
            for kind, name, amount, probability in _MOVES.get(place, ())
        ]
        if ranged and place:
            usual = -41_07 if place % 7 < 5 else -88_60
            items.append(
                ForecastItem(kind="spending", name=USUAL_NAME, amount=usual, probability=None)
            )
        evening += sum(each.amount for each in items)
        found.append(
            ForecastDay(
                date=TODAY + timedelta(place),
                expected=evening,
                low=evening - 31_00 * place if ranged else None,
                high=evening + 24_00 * place if ranged else None,
                items=tuple(items),
            )
        )
    low = min(found, key=lambda each: each.expected)
    return Forecast(
        since=TODAY,
        until=found[-1].date,
        start=start,
        low=ForecastLow(date=low.date, expected=low.expected),
        days=tuple(found),
        notes=() if ranged else ("Less than a month of history: only known pay and bills.",),
    )


def unknown() -> Forecast:
    """Days that nobody knows, since a balance was not told."""
    note = "No forecast: the balance of Savings is missing."
    until = TODAY + timedelta(60)
    return Forecast(since=TODAY, until=until, start=None, low=None, days=(), notes=(note,))


def _explained_money(name: str, value: int) -> Quantity:
    return Quantity(name=name, unit="money", value=value)


def _figure(
    name: str, label: str, unit: Any, result: Any, *sum_of: Quantity, **more: str
) -> Figure:
    formula = more.get("formula")
    return Figure(name=name, label=label, unit=unit, formula=formula, values=sum_of, result=result)


def explanation() -> Explanation:
    """An emergency fund whose latest plan says otherwise."""
    months = Quantity(name="months", unit="months", value=12)
    cash = _explained_money("liquidCash", -500)
    fed = ((date(2025, 10, 3), "groceries", -22_310), (date(2025, 10, 2), "cat_gone", 1_000))
    return Explanation(
        section="emergencyFund",
        title=SECTIONS["emergencyFund"],
        generated_on=TODAY,
        figures=(
            _figure("liquidCash", "Cash", "money", -500),
            _figure(
                "essentials",
                "Essentials a month",
                "money",
                475_953,
                _explained_money("essentialTotal", 5_711_446),
                months,
                _explained_money("rounding", -1),
                formula="round(essentialTotal / months) + rounding",
            ),
            _figure(
                "savingsRate",
                "Savings rate",
                "share",
                0.1233,
                cash,
                _explained_money("essentials", 475_953),
                formula="round(max(0, liquidCash) * 0.6 / essentials, 4)",
            ),
            _figure("charge1", "Carried over \x1b[2J", "money", -500, cash, formula="liquidCash"),
            _figure("monthsCovered", "It lasts", "months", 1),
            _figure("monthsToTarget", "Until it is full", "months", None),
            _figure("from", "First day", "date", "2024-11-01"),
            _figure("strategy", "Strategy", "word", "pay_in_full"),
            _figure("count", "Rows", "count", 1_204),
        ),
        reasons=(
            (
                "While you carry card debt, all your cash counts as reserve, because you pay the"
                " cards from the money left each month."
            ),
        ),
        transactions=tuple(
            FeedingRow(
                date=day,
                payee="Northside Provisions",
                account="Checking",
                category=category,
                amount=amount,
            )
            for day, category, amount in fed
        ),
        more=Rest(
            count=1_138,
            command=(
                "finplan transactions --posted --from 2024-11-01 --to 2025-10-31 --category groceries"
                " --category rent"
            ),
        ),
        plan=LatestPlan(generated_on=date(2025, 11, 2), same=False),
    )
