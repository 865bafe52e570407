"""A made-up household's plan with every section filled, fixed to the cent; its days ahead and why.

The days ahead are two weeks and a day, with a day below nothing; an explanation has a value of
every unit.
"""

from datetime import date, timedelta

from finplan.model.explain import Explanation, FeedingRow, Figure, LatestPlan, Quantity, Rest
from finplan.model.plan import (
    Action,
    BudgetItem,
    Card,
    Debt,
    EmergencyFund,
    IncomeSource,
    Monthly,
    Plan,
    PlanCategory,
    PlanSnapshot,
    RecurringCharge,
    SnapshotAccount,
    StoredPlan,
    Window,
)
from finplan.model.snapshot import Forecast, ForecastDay, ForecastItem, ForecastKind, ForecastLow

TODAY = date(2025, 11, 21)
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


def categories() -> tuple[PlanCategory, ...]:
    """The spending categories, the largest first."""
    spend = sum(entry[3] for entry in _CATEGORIES)
    ordered = sorted(_CATEGORIES, key=lambda entry: -entry[3])
    return tuple(
        PlanCategory(
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


def monthly() -> Monthly:
    """The means of the window."""
    essentials = sum(e[3] for e in _CATEGORIES if e[2] == "essential")
    discretionary = sum(e[3] for e in _CATEGORIES if e[2] == "discretionary")
    income = 926_000
    spend = essentials + discretionary
    return Monthly(
        income=income,
        essentials=essentials,
        discretionary=discretionary,
        total_spend=spend,
        surplus=income - spend,
        savings_rate=round((income - spend) / income, 4),
        saved=60_000,
        daily_allowance=9_133,
    )


def recurring() -> tuple[RecurringCharge, ...]:
    """What comes again."""
    rows = (
        (
            "Wells Fargo Home Mortgage",
            215_000,
            215_000,
            30,
            "monthly",
            date(2025, 12, 1),
            "mortgage",
        ),
        (
            "Toyota Financial Services",
            41_250,
            41_250,
            30,
            "monthly",
            date(2025, 12, 5),
            "loan_payment",
        ),
        ("Pacific Gas & Electric", 18_344, 18_344, 30, "monthly", date(2025, 11, 28), "utilities"),
        ("State Farm", 162_000, 13_500, 365, "annual", date(2026, 2, 3), "insurance"),
        ("Netflix", 1_799, 1_799, 30, "monthly", date(2025, 11, 30), "subscriptions"),
        ("City Water Department", 12_400, 4_133, 91, "quarterly", date(2026, 1, 15), "utilities"),
    )
    return tuple(
        RecurringCharge(
            name=name,
            amount=amount,
            monthly=a_month,
            interval_days=interval,
            cadence=cadence,  # type: ignore[arg-type]  # The literal is spelt in the rows above.
            count=12,
            last_date=date(2025, 11, 1),
            next_date=next_date,
            category=category,
        )
        for name, amount, a_month, interval, cadence, next_date, category in rows
    )


def plan() -> Plan:
    """A plan with every section filled."""
    means = monthly()
    return Plan(
        generated_on=TODAY,
        window=Window(
            since=date(2024, 11, 1),
            until=date(2025, 10, 31),
            days=365,
            months=12.0,
            transaction_count=1204,
            account_count=7,
        ),
        snapshot=PlanSnapshot(
            liquid_cash=1_842_512,
            credit_card_debt=231_044,
            other_debt=31_204_000,
            investments=6_400_000,
            net_worth=1_842_512 + 6_400_000 - 231_044 - 31_204_000,
            accounts=(
                SnapshotAccount(
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
        income_sources=(
            IncomeSource(
                name="Acme Robotics Payroll",
                amount=231_000,
                monthly=500_500,
                total=6_006_000,
                count=26,
                cadence="biweekly",
                interval_days=14,
                last_date=date(2025, 11, 14),
                next_date=date(2025, 11, 28),
                active=True,
            ),
            IncomeSource(
                name="Riverside School District",
                amount=412_500,
                monthly=412_500,
                total=4_950_000,
                count=12,
                cadence="monthly",
                interval_days=30,
                last_date=date(2025, 10, 31),
                next_date=date(2025, 11, 28),
                active=True,
            ),
            IncomeSource(
                name="Interest",
                amount=1_300,
                monthly=1_300,
                total=15_600,
                count=12,
                cadence="monthly",
                interval_days=30,
                last_date=date(2025, 10, 31),
                next_date=date(2025, 11, 30),
                active=True,
            ),
        ),
        recurring=recurring(),
        emergency_fund=EmergencyFund(
            months_covered=3.5,
            target_months=6,
            target_amount=means.essentials * 6,
            gap=1_120_812,
            monthly_contribution=means.surplus,
            months_to_target=6,
        ),
        debt=Debt(
            cards=(
                Card(
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
        budget=(
            BudgetItem(
                key="essentials",
                label="Essentials",
                current=means.essentials,
                target=463_000,
                target_share=0.5,
            ),
            BudgetItem(
                key="discretionary",
                label="Discretionary",
                current=means.discretionary,
                target=277_800,
                target_share=0.3,
            ),
            BudgetItem(
                key="savings",
                label="Savings and extra debt payments",
                current=means.surplus,
                target=185_200,
                target_share=0.2,
            ),
        ),
        actions=actions(),
        notes=(
            "Pending rows are left out of every figure: 2 charges, $84.12 in all.",
            "14 charges, $311.44 a month (4 % of spending), have no category; essentials may be low.",
            "Loan payments count as essential spending, principal included.",
            "The mortgage is counted, but the value of the home is not.",
            "Contributions from pay (retirement, health account) are not visible.",
        ),
    )


def actions() -> tuple[Action, ...]:
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
                "$1,204.55 of work costs has been outstanding for 41 days. Send the receipts to your "
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
        Action(priority=place, kind=kind, title=title, detail=detail, amount=amount)
        for place, (kind, title, detail, amount) in enumerate(rows, start=1)
    )


def plans() -> tuple[StoredPlan, ...]:
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
        StoredPlan(plan=newer, created_at=NOON),
        StoredPlan(plan=older, created_at=NOON - 30 * 86_400_000),
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
                ForecastItem(kind="spending", name="Usual spending", amount=usual, probability=None)
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
        notes=() if ranged else ("Less than a month of history: only what is known.",),
    )


def unknown() -> Forecast:
    """Days that nobody knows, since a balance was not told."""
    note = "The balance of Savings is not known, so the days ahead are not, either."
    until = TODAY + timedelta(60)
    return Forecast(since=TODAY, until=until, start=None, low=None, days=(), notes=(note,))


def _explained_money(name: str, value: int) -> Quantity:
    return Quantity(name=name, unit="money", value=value)


def explanation() -> Explanation:
    """An emergency fund whose latest plan says otherwise."""
    months = Quantity(name="months", unit="months", value=12)
    return Explanation(
        section="emergencyFund",
        title="How long your cash lasts, and what is missing.",
        generated_on=TODAY,
        figures=(
            Figure(
                name="liquidCash", label="Cash", unit="money", formula=None, values=(), result=-500
            ),
            Figure(
                name="essentials",
                label="Essentials a month",
                unit="money",
                formula="round(essentialTotal / months) + rounding",
                values=(
                    _explained_money("essentialTotal", 5_711_446),
                    months,
                    _explained_money("rounding", -1),
                ),
                result=475_953,
            ),
            Figure(
                name="savingsRate",
                label="Share left over",
                unit="share",
                formula="round(max(0, liquidCash) * 0.6 / essentials, 4)",
                values=(
                    _explained_money("liquidCash", -500),
                    _explained_money("essentials", 475_953),
                ),
                result=0.1233,
            ),
            Figure(
                name="charge1",
                label="Carried over \x1b[2J",
                unit="money",
                formula="liquidCash",
                values=(_explained_money("liquidCash", -500),),
                result=-500,
            ),
            Figure(
                name="monthsCovered",
                label="It lasts",
                unit="months",
                formula=None,
                values=(),
                result=1,
            ),
            Figure(
                name="monthsToTarget",
                label="Until it is full",
                unit="months",
                formula=None,
                values=(),
                result=None,
            ),
            Figure(
                name="from",
                label="First day",
                unit="date",
                formula=None,
                values=(),
                result="2024-11-01",
            ),
            Figure(
                name="strategy",
                label="Strategy",
                unit="word",
                formula=None,
                values=(),
                result="pay_in_full",
            ),
            Figure(name="count", label="Rows", unit="count", formula=None, values=(), result=1_204),
        ),
        reasons=(
            (
                "While a card revolves, all cash is reserve: the card is paid from what is left each"
                " month."
            ),
        ),
        transactions=(
            FeedingRow(
                date=date(2025, 10, 3),
                payee="Northside Provisions",
                account="Checking",
                category="groceries",
                amount=-22_310,
            ),
            FeedingRow(
                date=date(2025, 10, 2),
                payee="Northside Provisions",
                account="Checking",
                category="cat_gone",
                amount=1_000,
            ),
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
