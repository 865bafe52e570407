"""An explanation of the made-up household, with a value of every unit."""

from datetime import date

from finplan.model.explain import Explanation, FeedingRow, Figure, LatestPlan, Quantity, Rest
from tests.cli.made_up_plan import TODAY


def _money(name: str, value: int) -> Quantity:
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
                values=(_money("essentialTotal", 5_711_446), months, _money("rounding", -1)),
                result=475_953,
            ),
            Figure(
                name="savingsRate",
                label="Share left over",
                unit="share",
                formula="round(max(0, liquidCash) * 0.6 / essentials, 4)",
                values=(_money("liquidCash", -500), _money("essentials", 475_953)),
                result=0.1233,
            ),
            Figure(
                name="charge1",
                label="Carried over \x1b[2J",
                unit="money",
                formula="liquidCash",
                values=(_money("liquidCash", -500),),
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
