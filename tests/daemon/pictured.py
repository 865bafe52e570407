"""Made-up plans with all that a page draws: a usual household, a poor one and a rich one."""

from datetime import date, timedelta

from finplan.model.category import SpendingLine
from finplan.model.plan import Action, PlanCategory, RecurringCharge
from finplan.model.snapshot import Forecast, PlanView, Upcoming, Wealth, WealthPoint
from finplan.plan.sections.monthly import MonthFlow
from finplan.service.planning.views import PicturedPlan
from tests.cli import made_up, made_up_plan
from tests.cli.made_up_plan import TODAY


def pictured(view: PlanView | None = None) -> PicturedPlan:
    """The made-up household's plan, or another view with the pictures of that household."""
    return PicturedPlan(
        view or made_up.view(), made_up.wealth(), months(12), made_up_plan.forecast(days=60)
    )


def months(count: int, income: int = 426_000) -> tuple[MonthFlow, ...]:
    """The last months to this one, which is not over."""
    last = TODAY.year * 12 + TODAY.month - 1
    places = range(last - count + 1, last + 1)
    return tuple(
        MonthFlow(
            date(place // 12, place % 12 + 1, 1),
            income,
            380_000 + 7_000 * (place % 5),
            place < last,
        )
        for place in places
    )


def poor() -> PicturedPlan:
    """No income, one account, one month that is not over, and nothing due."""
    nine_days, _ = made_up.little(made_up.view())
    plan = nine_days.plan.model_copy(
        update={"income_sources": (), "recurring": (), "categories": nine_days.plan.categories[:1]}
    )
    snapshot = nine_days.snapshot.model_copy(update={"upcoming": (), "groups": ()})
    view = nine_days.model_copy(
        update={"plan": plan, "snapshot": snapshot, "open_tasks": (), "data_age": ()}
    )
    worth = made_up.wealth()
    short = worth.model_copy(update={"history": worth.history[-1:]})
    unknown = made_up_plan.forecast(ranged=False, days=2)
    return PicturedPlan(view, short, months(1, income=0), unknown)


def rich() -> PicturedPlan:
    """Ten accounts, as many months and categories as there can be, and much that comes again."""
    view = made_up.view()
    plan = view.plan
    account = plan.snapshot.accounts[0]
    accounts = tuple(
        account.model_copy(update={"id": f"acc_{place}", "name": f"Account {place}"})
        for place in range(10)
    )
    updates = {
        "snapshot": plan.snapshot.model_copy(update={"accounts": accounts}),
        "categories": tuple(_category(place) for place in range(30)),
        "recurring": tuple(_charge(plan.recurring[0], place) for place in range(40)),
        "income_sources": plan.income_sources[:1] * 9,
        "actions": tuple(_action(place) for place in range(8)),
        "notes": tuple(f"Note {place}: {'what the figures rest on ' * 6}." for place in range(10)),
    }
    due = tuple(
        Upcoming(
            date=TODAY + timedelta(days=place % 30), name=f"Bill {place}", amount=9_000 + place
        )
        for place in range(40)
    )
    snapshot = view.snapshot.model_copy(
        update={"upcoming": due, "groups": view.snapshot.groups * 7}
    )
    full = view.model_copy(update={"plan": plan.model_copy(update=updates), "snapshot": snapshot})
    return PicturedPlan(full, _two_years(), months(24), _long())


def _category(place: int) -> PlanCategory:
    line: SpendingLine = "essential" if place % 2 else "discretionary"
    monthly = 900_000 if place == 0 else 50_000 - 1_500 * place
    return PlanCategory(
        category=f"cat_{place}", label=f"Category {place}", line=line, monthly=monthly,
        total=12 * monthly, count=12, share_of_spend=0.02,
    )  # fmt: skip


def _charge(charge: RecurringCharge, place: int) -> RecurringCharge:
    return charge.model_copy(update={"name": f"Charge of somebody {place}"})


def _action(place: int) -> Action:
    return Action(
        priority=place + 1,
        kind="build_emergency_fund",
        title=f"Put ${place + 1},000 a month into the emergency fund",
        detail="Your reserve lasts a month and a half; the goal is three. " * 3,
        amount=100_000,
    )


def _two_years() -> Wealth:
    worth = made_up.wealth()
    last = worth.history[-1]
    history = tuple(
        WealthPoint(
            date=worth.today - timedelta(days=30 * back),
            assets=last.assets - 1_000_000 * back,
            debts=last.debts,
            net_worth=last.net_worth - 1_000_000 * back,
        )
        for back in range(24, -1, -1)
    )
    return worth.model_copy(update={"history": history})


def _long() -> Forecast:
    return made_up_plan.forecast(days=60, start=9_000_000_00)
