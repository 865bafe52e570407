"""The made-up household's other answers: totals, wealth, questions, rules and settings."""

from collections.abc import Sequence
from datetime import date

from finplan.model.category import BudgetLine, CategoryChoice, CategoryRule, RuleSource
from finplan.model.snapshot import Wealth, WealthBalances, WealthPoint
from finplan.model.task import (
    Alternative,
    CategorizePayee,
    Charge,
    ConnectMissingAccount,
    ReconnectConnection,
    Task,
)
from finplan.model.transaction import (
    MonthlySpendingGroup,
    SpendingGroup,
    SpendingMonths,
    SpendingReport,
)
from finplan.model.user import BudgetShares, HouseholdSettings
from tests.cli.made_up_plan import NOON, TODAY

TITLES = (
    "Rent",
    "Groceries",
    "Restaurants and takeout",
    "Car payments",
    "Travel",
    "Clothing and home goods",
    "Fees",
)


def wealth() -> Wealth:
    """Four points of a history; the last one is the day of the plan."""
    points = (
        (date(2025, 8, 31), 7_812_204, 31_602_118),
        (date(2025, 9, 30), 7_954_871, 31_539_772),
        (date(2025, 10, 31), 8_301_006, 31_401_950),
        (TODAY, 8_242_512, 31_435_044),
    )
    return Wealth(
        today=TODAY,
        balances=WealthBalances(
            cash=1_842_512,
            investments=6_400_000,
            card_debt=231_044,
            loans=31_204_000,
            net_worth=-23_192_532,
            available=1_611_468,
        ),
        history=tuple(
            WealthPoint(date=day, assets=assets, debts=debts, net_worth=assets - debts)
            for day, assets, debts in points
        ),
    )


def spending_by_month() -> SpendingReport:
    """Three months, one of them empty and one with more refunds than charges."""
    groups = (("2025-09", 412_340, 48), ("2025-10", 0, 0), ("2025-11", -2_050, 1))
    return SpendingReport(
        since=date(2025, 9, 1),
        until=date(2025, 11, 30),
        group_by="month",
        total=410_290,
        count=49,
        groups=tuple(
            SpendingGroup(
                key=key, label=key, total=total, count=count, share=1.0 if total > 0 else 0.0
            )
            for key, total, count in groups
        ),
    )


def spending_by_merchant() -> SpendingReport:
    """Merchants with names of any length."""
    groups = (
        ("whole foods", "Whole Foods Market", 61_204, 14, 0.6),
        ("tokyo", "東京ラーメン", 30_750, 3, 0.3014),
        ("long", "The Extraordinarily Long Name Coffee Company", 9_990, 21, 0.0979),
        ("tiny", "Parking", 70, 1, 0.0007),
    )
    return SpendingReport(
        since=date(2025, 11, 1),
        until=date(2025, 11, 30),
        group_by="merchant",
        total=102_014,
        count=39,
        groups=tuple(
            SpendingGroup(key=key, label=label, total=total, count=count, share=share)
            for key, label, total, count, share in groups
        ),
    )


def spending_by_category_and_month(names: Sequence[str] = TITLES) -> SpendingMonths:
    """A year of months by category: large and small, a refund, and months without anything."""
    months = tuple(f"2025-{month:02d}" for month in range(1, 13))
    groups = []
    for place, name in enumerate(names):
        size = 185_000 // (place + 1) ** 2
        totals = [size + (month * 37 * (place + 3)) % (size // 2 + 7) for month in range(12)]
        if place % 3 == 2:
            totals[4], totals[10] = 0, -totals[10]
        groups.append((name, tuple(totals)))
    columns = tuple(map(sum, zip(*(totals for _, totals in groups), strict=True)))
    return SpendingMonths(
        since=date(2025, 1, 1),
        until=date(2025, 12, 14),
        group_by="category",
        months=months,
        totals=columns,
        total=sum(columns),
        groups=tuple(
            MonthlySpendingGroup(key=name, label=name, totals=each, total=sum(each), count=31)
            for name, each in groups
        ),
    )


def tasks() -> tuple[Task, ...]:
    """One question of each kind."""
    return (
        CategorizePayee(
            id="tsk_1a2b3c4d5e6f7g8h9i0j1k2l",
            payee_key="sq northside provisions",
            payee="Northside Provisions",
            count=14,
            total=31_144,
            charges=(
                Charge(date=date(2025, 11, 18), amount=2_210),
                Charge(date=date(2025, 11, 4), amount=1_975),
            ),
            suggested="groceries",
            suggested_label="Groceries",
            confidence=0.62,
            alternatives=(
                Alternative(category="dining", label="Restaurants and coffee"),
                Alternative(category="shopping", label="Shopping"),
            ),
            options=("groceries", "dining", "shopping"),
            last_date=date(2025, 11, 18),
            answer=None,
        ),
        ReconnectConnection(
            id="tsk_9z8y7x6w5v4u3t2s1r0q9p8o",
            connection_id="con_2",
            institution_name="First Harbor",
            error="the password has changed",
        ),
        ConnectMissingAccount(
            id="tsk_5m4n3b2v1c0x9z8l7k6j5h4g",
            missing="spending",
            reason="You pay Card Sapphire about $1,840 a month, but that card is not linked.",
        ),
    )


def rules() -> tuple[CategoryRule, ...]:
    """A rule of each source, one for an exact amount."""
    rows: tuple[tuple[str, str, str, RuleSource, float | None, int | None], ...] = (
        ("a1", "northside provisions", "groceries", "user", None, None),
        ("b2", "apple.com/bill", "subscriptions", "user", None, 1_499),
        ("c3", "sq corner bakery", "dining", "auto", 0.84, None),
        ("d4", "netflix", "subscriptions", "curated", None, None),
    )
    return tuple(
        CategoryRule(
            id=f"rul_{start}k3f9x2m7q4w8r1t5v6y0z",
            user_id=None if source == "curated" else "usr_1",
            payee_key=payee,
            category=category,
            source=source,
            confidence=confidence,
            alternatives=(),
            saved_at=NOON,
            amount=amount,
        )
        for start, payee, category, source, confidence, amount in rows
    )


def household_settings() -> HouseholdSettings:
    """A household with a budget of its own."""
    return HouseholdSettings(
        currency="USD",
        time_zone="America/Los_Angeles",
        budget_shares=BudgetShares(essentials=0.6, discretionary=0.2, savings=0.2),
        target_months=None,
    )


def category_choices() -> tuple[CategoryChoice, ...]:
    """A built-in category of each line, and one of the person's own."""
    rows: tuple[tuple[str, str, BudgetLine, bool, bool], ...] = (
        ("groceries", "Groceries", "essential", False, False),
        ("dining", "Restaurants and coffee", "discretionary", False, False),
        ("work_expenses", "Work costs to be repaid", "not_spending", False, True),
        ("cat_bikes", "Bikes", "discretionary", True, False),
    )
    return tuple(
        CategoryChoice(
            category=category, label=label, line=line, custom=custom, reimbursable=reimbursable
        )
        for category, label, line, custom, reimbursable in rows
    )
