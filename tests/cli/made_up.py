"""The made-up household's other answers: totals, wealth, questions, rules, settings, its live view.

The live view is a calm one, a troubled one, and one of a plan of little.
"""

from collections.abc import Sequence
from datetime import date

from finplan.model import category as filing, snapshot as snapshots, transaction
from finplan.model.plan import DataAge, Debt, EmergencyFund, Plan, PlanStanding, SnapshotAccount
from finplan.model.task import (
    Alternative,
    CategorizePayee,
    Charge,
    ConnectMissingAccount,
    ReconnectConnection,
)
from finplan.model.user import BudgetShares, HouseholdSettings
from tests.cli.made_up_plan import NOON, TODAY, monthly, plan

TITLES = (
    "Rent",
    "Groceries",
    "Restaurants and takeout",
    "Car payments",
    "Travel",
    "Clothing and home goods",
    "Fees",
)


def wealth() -> snapshots.Wealth:
    """Four points of a history; the last one is the day of the plan."""
    points = (
        (date(2025, 8, 31), 7_812_204, 31_602_118),
        (date(2025, 9, 30), 7_954_871, 31_539_772),
        (date(2025, 10, 31), 8_301_006, 31_401_950),
        (TODAY, 8_242_512, 31_435_044),
    )
    return snapshots.Wealth(
        today=TODAY,
        balances=snapshots.WealthBalances(
            cash=1_842_512,
            investments=6_400_000,
            card_debt=231_044,
            loans=31_204_000,
            net_worth=-23_192_532,
            available=1_611_468,
        ),
        history=tuple(
            snapshots.WealthPoint(date=day, assets=assets, debts=debts, net_worth=assets - debts)
            for day, assets, debts in points
        ),
    )


def spending_by_month() -> transaction.SpendingReport:
    """Three months, one of them empty and one with more refunds than charges."""
    groups = (("2025-09", 412_340, 48), ("2025-10", 0, 0), ("2025-11", -2_050, 1))
    return transaction.SpendingReport(
        since=date(2025, 9, 1),
        until=date(2025, 11, 30),
        group_by="month",
        total=410_290,
        count=49,
        groups=tuple(
            transaction.SpendingGroup(
                key=key, label=key, total=total, count=count, share=1.0 if total > 0 else 0.0
            )
            for key, total, count in groups
        ),
    )


def spending_by_merchant() -> transaction.SpendingReport:
    """Merchants with names of any length."""
    groups = (
        ("whole foods", "Whole Foods Market", 61_204, 14, 0.6),
        ("tokyo", "東京ラーメン", 30_750, 3, 0.3014),
        ("long", "The Extraordinarily Long Name Coffee Company", 9_990, 21, 0.0979),
        ("tiny", "Parking", 70, 1, 0.0007),
    )
    return transaction.SpendingReport(
        since=date(2025, 11, 1),
        until=date(2025, 11, 30),
        group_by="merchant",
        total=102_014,
        count=39,
        groups=tuple(
            transaction.SpendingGroup(key=key, label=label, total=total, count=count, share=share)
            for key, label, total, count, share in groups
        ),
    )


def spending_by_category_and_month(names: Sequence[str] = TITLES) -> transaction.SpendingMonths:
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
    return transaction.SpendingMonths(
        since=date(2025, 1, 1),
        until=date(2025, 12, 14),
        group_by="category",
        months=months,
        totals=columns,
        total=sum(columns),
        groups=tuple(
            transaction.MonthlySpendingGroup(
                key=name, label=name, totals=each, total=sum(each), count=31
            )
            for name, each in groups
        ),
    )


def tasks() -> tuple[CategorizePayee, ReconnectConnection, ConnectMissingAccount]:
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


def rules() -> tuple[filing.CategoryRule, ...]:
    """A rule of each source, one for an exact amount."""
    rows: tuple[tuple[str, str, str, filing.RuleSource, float | None, int | None], ...] = (
        ("a1", "northside provisions", "groceries", "user", None, None),
        ("b2", "apple.com/bill", "subscriptions", "user", None, 1_499),
        ("c3", "sq corner bakery", "dining", "auto", 0.84, None),
        ("d4", "netflix", "subscriptions", "curated", None, None),
    )
    return tuple(
        filing.CategoryRule(
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


def category_choices() -> tuple[filing.CategoryChoice, ...]:
    """A built-in category of each line, and one of the person's own."""
    rows: tuple[tuple[str, str, filing.BudgetLine, bool, bool], ...] = (
        ("groceries", "Groceries", "essential", False, False),
        ("dining", "Restaurants and coffee", "discretionary", False, False),
        ("work_expenses", "Work costs to be repaid", "not_spending", False, True),
        ("cat_bikes", "Bikes", "discretionary", True, False),
    )
    return tuple(
        filing.CategoryChoice(
            category=category, label=label, line=line, custom=custom, reimbursable=reimbursable
        )
        for category, label, line, custom, reimbursable in rows
    )


BIKES = filing.CategoryChoice(
    category="cat_k3f9x2m7q4w8r1t5v6y0z3b2",
    label="Bikes",
    line="discretionary",
    custom=True,
    reimbursable=False,
)
HOBBIES = filing.CategoryChoice(
    category="hobbies",
    label="Sport and hobbies",
    line="discretionary",
    custom=False,
    reimbursable=False,
)


PAY = filing.CategoryChoice(
    category="wages", label="Pay", line="not_spending", custom=False, reimbursable=False
)


def suggestions() -> tuple[filing.CategorySuggestion, ...]:
    """A theme with more merchants than are named, and one that is paid back."""
    shops = (("Petco", 9, 41_200), ("Happy Tails", 4, 30_050), ("Rover", 6, 18_000))
    more = (("Chewy", 3, 9_900), ("Paws \x1b[31mInn", 1, 4_000))
    return (
        filing.CategorySuggestion(
            theme="pet",
            name="Pet care",
            line="needs",
            reimbursable=False,
            charges=23,
            total=103_150,
            monthly=8_596,
            merchants=tuple(
                filing.SuggestedMerchant(payee=payee, charges=charges, total=total)
                for payee, charges, total in (*shops, *more)
            ),
            now_in=(
                filing.PresentHome(label="Shopping", charges=13),
                filing.PresentHome(label="Not yet known", charges=10),
            ),
        ),
        filing.CategorySuggestion(
            theme="work_trip",
            name="Work trips",
            line="wants",
            reimbursable=True,
            charges=3,
            total=90_000,
            monthly=7_500,
            merchants=(
                filing.SuggestedMerchant(payee="Hyatt", charges=1, total=60_000),
                filing.SuggestedMerchant(payee="United", charges=2, total=30_000),
            ),
            now_in=(filing.PresentHome(label="Travel", charges=3),),
        ),
    )


def created() -> tuple[filing.CreatedCategory, ...]:
    """A category with payees, and an empty one."""
    return (
        filing.CreatedCategory(category=BIKES, merchants=1, charges=1_204),
        filing.CreatedCategory(category=BIKES, merchants=0, charges=0),
    )


def removed() -> tuple[filing.RemovedCategory, ...]:
    """A category that was merged, one whose charges went back, and an empty one."""
    return (
        filing.RemovedCategory(category=BIKES, merged_into=HOBBIES, merchants=2, charges=14),
        filing.RemovedCategory(category=BIKES, merged_into=None, merchants=2, charges=14),
        filing.RemovedCategory(category=BIKES, merged_into=None, merchants=0, charges=0),
    )


FIRM = PlanStanding(provisional=False, unknown_share=0.04, money_unknown=31_144, at_most=())
"""What is unknown of the made-up household is too little to matter."""


def _group(
    key: str, label: str, line: filing.SpendingLine, monthly: int, spent: int, share: float
) -> snapshots.MoneyGroup:
    only = snapshots.GroupCategory(category=key, label=label, monthly=monthly, spent=spent)
    return snapshots.MoneyGroup(
        key=key,
        label=label,
        line=line,
        monthly=monthly,
        spent=spent,
        upcoming=0,
        left=monthly - spent,
        share=share,
        categories=(only,),
    )


def _upcoming(day: date, name: str, amount: int) -> snapshots.Upcoming:
    return snapshots.Upcoming(date=day, name=name, amount=amount)


def snapshot() -> snapshots.Snapshot:
    """The live view on the day of the plan."""
    means = monthly()
    return snapshots.Snapshot(
        allowance=snapshots.Allowance(
            today=6_120,
            daily=7_920,
            spent_today=1_800,
            payday=date(2025, 11, 28),
            breakdown=snapshots.Breakdown(
                income=426_000,
                bills=240_120,
                groceries=45_120,
                transportation=11_050,
                available=129_710,
                spent=76_070,
                upcoming=18_344,
                remaining=53_640,
                days_left=7,
            ),
        ),
        period=snapshots.PeriodCash(
            since=date(2025, 11, 14), set_aside=61_500, guard=810_000, needs=18_400
        ),
        due=snapshots.DueSoon(
            until=date(2025, 12, 20),
            total=276_393,
            card_bills=(_upcoming(date(2025, 12, 2), "Sapphire", 150_044),),
            repayments=(),
        ),
        balances=snapshots.SnapshotBalances(
            cash=1_842_512, card_debt=231_044, loans=31_204_000, net_worth=-23_192_532
        ),
        upcoming=(
            _upcoming(date(2025, 11, 28), "Pacific Gas & Electric", 18_344),
            _upcoming(date(2025, 11, 30), "Netflix", 1_799),
            _upcoming(date(2025, 12, 1), "Wells Fargo Home Mortgage", 215_000),
            _upcoming(date(2025, 12, 5), "Toyota Financial Services", 41_250),
        ),
        groups=(
            _group("groceries", "Groceries", "essential", 98_040, 71_200, 0.1342),
            _group("dining", "Restaurants and coffee", "discretionary", 88_260, 94_011, 0.1208),
        ),
        window=snapshots.SnapshotWindow(
            since=date(2024, 11, 1), until=date(2025, 10, 31), months=12.0
        ),
        plan_date=TODAY,
        synced_at=NOON,
        income=snapshots.SnapshotIncome(source="detected", draw=None),
        change=None,
        gaps=snapshots.Gaps(
            behind=(),
            missing=(),
            uncategorised=snapshots.Tally(count=14, total=means.discretionary // 10),
            pending=snapshots.Tally(count=2, total=8_412),
        ),
        spendable_from=None,
    )


def troubled_snapshot() -> snapshots.Snapshot:
    """A month without a payday, overspent, short of cash, with old data and things unknown."""
    calm = snapshot()
    return calm.model_copy(
        update={
            "allowance": calm.allowance.model_copy(
                update={"today": -20_414, "daily": 0, "payday": None}
            ),
            "upcoming": (),
            "due": snapshots.DueSoon(
                until=date(2025, 12, 20), total=0, card_bills=(), repayments=()
            ),
            "income": snapshots.SnapshotIncome(
                source="manual",
                draw=snapshots.Draw(month="2025-11", budget=700_000, income=412_500, draw=287_500),
            ),
            "change": snapshots.Change(id="plan_1", at=NOON, before=7_920, after=0),
            "gaps": snapshots.Gaps(
                behind=(
                    snapshots.Behind(
                        connection_id="con_1", institution_name="Demo Bank", last_synced_at=None
                    ),
                    snapshots.Behind(
                        connection_id="con_2",
                        institution_name="First Harbor",
                        last_synced_at=NOON - 40 * 86_400_000,
                    ),
                ),
                missing=("income", "spending"),
                uncategorised=snapshots.Tally(count=1, total=-500),
                pending=snapshots.Tally(count=0, total=0),
            ),
        }
    )


def as_it_was(built: Plan) -> snapshots.RunningMonth:
    """A month from now on that is the average one."""
    month = built.monthly
    return snapshots.RunningMonth(
        income=month.income,
        essentials=month.essentials,
        discretionary=month.discretionary,
        total_spend=month.total_spend,
        surplus=month.surplus,
        differs=False,
        changes=(),
        text=(),
    )


def view() -> snapshots.PlanView:
    """The plan with the live view beside it."""
    return snapshots.PlanView(
        plan=plan(),
        running=as_it_was(plan()),
        created_at=NOON,
        standing=FIRM,
        snapshot=snapshot(),
        open_tasks=(),
        data_age=(
            DataAge(connection_id="con_1", institution_name="Demo Bank", last_synced_at=NOON),
        ),
    )


def with_accounts(view: snapshots.PlanView, *accounts: SnapshotAccount) -> snapshots.PlanView:
    """The view of a household that has these accounts."""
    snapshot = view.plan.snapshot.model_copy(update={"accounts": accounts})
    return view.model_copy(update={"plan": view.plan.model_copy(update={"snapshot": snapshot})})


def provisional(view: snapshots.PlanView) -> snapshots.PlanView:
    """The view with half of spending unknown and a card that is paid but not linked."""
    asked = [task for task in tasks() if isinstance(task, CategorizePayee)]
    standing = PlanStanding(
        provisional=True,
        unknown_share=0.52,
        money_unknown=214_000,
        at_most=("netWorth", "debt", "available", "monthsCovered"),
    )
    missing = ConnectMissingAccount(
        id="task_card",
        missing="spending",
        reason="You pay Citi Card about $600 a month, but that card is not linked.",
    )
    categories = tuple(
        each.model_copy(update={"category": "unlinked_card"})
        if each.category == "shopping"
        else each
        for each in view.plan.categories
    )
    plan = view.plan.model_copy(update={"categories": categories})
    return view.model_copy(
        update={"plan": plan, "standing": standing, "open_tasks": (missing, *asked)}
    )


def little(full: snapshots.PlanView) -> tuple[snapshots.PlanView, ...]:
    """The view with the window of nine days, and with nothing in it at all."""
    nine_days = full.plan.window.model_copy(
        update={"since": date(2025, 11, 12), "until": date(2025, 11, 20), "days": 9, "months": 1.0}
    )
    nothing = full.plan.window.model_copy(
        update={"since": TODAY, "until": TODAY, "months": 0.0, "transaction_count": 0}
    )
    zero = dict.fromkeys(("income", "essentials", "discretionary", "total_spend", "surplus"), 0)
    empty: dict[str, object] = {
        "window": nothing,
        "monthly": full.plan.monthly.model_copy(update={**zero, "daily_allowance": 0}),
        "categories": (),
        "income_sources": (),
        "recurring": (),
        "emergency_fund": EmergencyFund(
            months_covered=0.0,
            target_months=6,
            target_amount=0,
            gap=0,
            monthly_contribution=0,
            months_to_target=None,
        ),
        "debt": Debt(cards=(), total=0, strategy="none", monthly_payment=0, months_to_clear=None),
        "budget": tuple(
            item.model_copy(update={"current": 0, "target": 0}) for item in full.plan.budget
        ),
        "actions": (),
        "notes": ("There are no transactions yet.",),
    }
    return (
        full.model_copy(update={"plan": full.plan.model_copy(update={"window": nine_days})}),
        full.model_copy(
            update={"plan": full.plan.model_copy(update=empty), "snapshot": troubled_snapshot()}
        ),
    )
