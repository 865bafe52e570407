"""The made-up household's live view: a calm one, a troubled one, and a plan of little."""

from datetime import date

from finplan.model.plan import (
    DataAge,
    Debt,
    EmergencyFund,
    Plan,
    PlanStanding,
    SnapshotAccount,
)
from finplan.model.snapshot import (
    Allowance,
    Behind,
    Breakdown,
    Change,
    Draw,
    DueSoon,
    Gaps,
    GroupCategory,
    MoneyGroup,
    PeriodCash,
    PlanView,
    RunningMonth,
    Snapshot,
    SnapshotBalances,
    SnapshotIncome,
    SnapshotWindow,
    Tally,
    Upcoming,
)
from finplan.model.task import CategorizePayee, ConnectMissingAccount
from tests.cli import made_up
from tests.cli.made_up_plan import NOON, TODAY, monthly, plan

FIRM = PlanStanding(provisional=False, unknown_share=0.04, money_unknown=31_144, at_most=())
"""What is unknown of the made-up household is too little to matter."""


def snapshot() -> Snapshot:
    """The live view on the day of the plan."""
    means = monthly()
    return Snapshot(
        allowance=Allowance(
            today=6_120,
            daily=7_920,
            spent_today=1_800,
            payday=date(2025, 11, 28),
            breakdown=Breakdown(
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
        period=PeriodCash(since=date(2025, 11, 14), set_aside=61_500, guard=810_000, needs=18_400),
        due=DueSoon(
            until=date(2025, 12, 20),
            total=276_393,
            card_bills=(Upcoming(date=date(2025, 12, 2), name="Sapphire", amount=150_044),),
            repayments=(),
        ),
        balances=SnapshotBalances(
            cash=1_842_512, card_debt=231_044, loans=31_204_000, net_worth=-23_192_532
        ),
        upcoming=(
            Upcoming(date=date(2025, 11, 28), name="Pacific Gas & Electric", amount=18_344),
            Upcoming(date=date(2025, 11, 30), name="Netflix", amount=1_799),
            Upcoming(date=date(2025, 12, 1), name="Wells Fargo Home Mortgage", amount=215_000),
            Upcoming(date=date(2025, 12, 5), name="Toyota Financial Services", amount=41_250),
        ),
        groups=(
            MoneyGroup(
                key="groceries",
                label="Groceries",
                line="essential",
                monthly=98_040,
                spent=71_200,
                upcoming=0,
                left=26_840,
                share=0.1342,
                categories=(
                    GroupCategory(
                        category="groceries", label="Groceries", monthly=98_040, spent=71_200
                    ),
                ),
            ),
            MoneyGroup(
                key="dining",
                label="Restaurants and coffee",
                line="discretionary",
                monthly=88_260,
                spent=94_011,
                upcoming=0,
                left=-5_751,
                share=0.1208,
                categories=(
                    GroupCategory(
                        category="dining",
                        label="Restaurants and coffee",
                        monthly=88_260,
                        spent=94_011,
                    ),
                ),
            ),
        ),
        window=SnapshotWindow(since=date(2024, 11, 1), until=date(2025, 10, 31), months=12.0),
        plan_date=TODAY,
        synced_at=NOON,
        income=SnapshotIncome(source="detected", draw=None),
        change=None,
        gaps=Gaps(
            behind=(),
            missing=(),
            uncategorised=Tally(count=14, total=means.discretionary // 10),
            pending=Tally(count=2, total=8_412),
        ),
        spendable_from=None,
    )


def troubled_snapshot() -> Snapshot:
    """A month without a payday, overspent, short of cash, with old data and things unknown."""
    calm = snapshot()
    return calm.model_copy(
        update={
            "allowance": calm.allowance.model_copy(
                update={"today": -20_414, "daily": 0, "payday": None}
            ),
            "upcoming": (),
            "due": DueSoon(until=date(2025, 12, 20), total=0, card_bills=(), repayments=()),
            "income": SnapshotIncome(
                source="manual",
                draw=Draw(month="2025-11", budget=700_000, income=412_500, draw=287_500),
            ),
            "change": Change(id="plan_1", at=NOON, before=7_920, after=0),
            "gaps": Gaps(
                behind=(
                    Behind(
                        connection_id="con_1", institution_name="Demo Bank", last_synced_at=None
                    ),
                    Behind(
                        connection_id="con_2",
                        institution_name="First Harbor",
                        last_synced_at=NOON - 40 * 86_400_000,
                    ),
                ),
                missing=("income", "spending"),
                uncategorised=Tally(count=1, total=-500),
                pending=Tally(count=0, total=0),
            ),
        }
    )


def as_it_was(built: Plan) -> RunningMonth:
    """A month from now on that is the average one."""
    month = built.monthly
    return RunningMonth(
        income=month.income,
        essentials=month.essentials,
        discretionary=month.discretionary,
        total_spend=month.total_spend,
        surplus=month.surplus,
        differs=False,
        changes=(),
        text=(),
    )


def view() -> PlanView:
    """The plan with the live view beside it."""
    return PlanView(
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


def with_accounts(view: PlanView, *accounts: SnapshotAccount) -> PlanView:
    """The view of a household that has these accounts."""
    snapshot = view.plan.snapshot.model_copy(update={"accounts": accounts})
    return view.model_copy(update={"plan": view.plan.model_copy(update={"snapshot": snapshot})})


def provisional(view: PlanView) -> PlanView:
    """The view with half of spending unknown and a card that is paid but not linked."""
    asked = [task for task in made_up.tasks() if isinstance(task, CategorizePayee)]
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


def little(full: PlanView) -> tuple[PlanView, ...]:
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
