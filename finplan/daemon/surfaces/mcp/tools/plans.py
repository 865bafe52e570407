"""The tools about the plan: reading it, building it, and how its figures come about."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.tool import Call, FailedAlready, Tool
from finplan.daemon.surfaces.mcp.tools.wording import (
    counted,
    filed,
    lines,
    listed,
    quoted,
    sentence,
    with_names,
)
from finplan.model import explain
from finplan.model.base import Amount, Nothing, Timestamp, Whole, Wire
from finplan.model.errors import ErrorEnvelope
from finplan.model.figures import money
from finplan.model.job import Build
from finplan.model.plan import (
    Action,
    BudgetItem,
    EmergencyFund,
    IncomeSource,
    Monthly,
    PlanCategory,
    RecurringCharge,
    Window,
)
from finplan.model.snapshot import PlanView
from finplan.operation import EventStream
from finplan.operations.plan import EXPLAIN_PLAN, STREAM_BUILD, VIEW_PLAN

PlanPart = Literal["categories", "incomeSources", "recurring"]


class PlanQuestion(Wire):
    """Which lists of the plan are wanted beside its figures."""

    parts: Annotated[
        tuple[PlanPart, ...], Field(max_length=3, description="Lists to add to the figures.")
    ] = ()


class OwnedAndOwed(Wire):
    """What the person owns and owes; debts are positive."""

    liquid_cash: Amount
    credit_card_debt: Amount
    other_debt: Amount
    investments: Amount
    net_worth: Amount


class DebtTold(Wire):
    """What cards are owed in all, and the way out."""

    total: Amount
    strategy: Literal["none", "pay_in_full", "paydown"]
    monthly_payment: Amount
    months_to_clear: Whole | None


class PlanTold(Wire):
    """The plan's figures and actions; a list that was not asked for is null."""

    created_at: Timestamp
    generated_on: date
    window: Window
    snapshot: OwnedAndOwed
    monthly: Monthly
    emergency_fund: EmergencyFund
    debt: DebtTold
    budget: tuple[BudgetItem, ...]
    actions: tuple[Action, ...]
    notes: tuple[str, ...]
    provisional: bool
    open_tasks: Whole
    categories: tuple[PlanCategory, ...] | None
    income_sources: tuple[IncomeSource, ...] | None
    recurring: tuple[RecurringCharge, ...] | None


class BuiltTold(Wire):
    """A plan that was just built: its means of a month, and what to do next."""

    created_at: Timestamp
    generated_on: date
    monthly: Monthly
    net_worth: Amount
    actions: tuple[Action, ...]
    open_tasks: Whole


async def get_plan(call: Call, ask: PlanQuestion) -> PlanTold:
    """The plan that holds now; the first one is built where there is none. Raises NoConnections."""
    view: PlanView = await call.ask(VIEW_PLAN)
    return plan_told(view, ask.parts)


async def build_plan(call: Call, _ask: Nothing) -> BuiltTold:
    """Have a plan built, which goes on should the client hang up. Raises NoConnections."""
    stream: EventStream = await call.ask(STREAM_BUILD)
    async for event in stream.events:
        if isinstance(event.data, Build):
            await call.report(event.data.done, event.data.total, event.data.step)
        if isinstance(event.data, ErrorEnvelope):
            raise FailedAlready(event.data)
    view: PlanView = await call.ask(VIEW_PLAN)
    return BuiltTold(
        created_at=view.created_at,
        generated_on=view.plan.generated_on,
        monthly=view.plan.monthly,
        net_worth=view.plan.snapshot.net_worth,
        actions=view.plan.actions,
        open_tasks=len(view.open_tasks),
    )


def plan_told(view: PlanView, parts: tuple[PlanPart, ...]) -> PlanTold:
    """A plan as agents are told it, with the lists that are asked for."""
    plan = view.plan
    has = plan.snapshot
    return PlanTold(
        created_at=view.created_at,
        generated_on=plan.generated_on,
        window=plan.window,
        snapshot=OwnedAndOwed(
            liquid_cash=has.liquid_cash,
            credit_card_debt=has.credit_card_debt,
            other_debt=has.other_debt,
            investments=has.investments,
            net_worth=has.net_worth,
        ),
        monthly=plan.monthly,
        emergency_fund=plan.emergency_fund,
        debt=DebtTold(
            total=plan.debt.total,
            strategy=plan.debt.strategy,
            monthly_payment=plan.debt.monthly_payment,
            months_to_clear=plan.debt.months_to_clear,
        ),
        budget=plan.budget,
        actions=plan.actions,
        # What differs from the averages goes before what the figures mean.
        notes=(*view.running.text, *plan.notes),
        provisional=view.standing.provisional,
        open_tasks=len(view.open_tasks),
        categories=plan.categories if "categories" in parts else None,
        income_sources=plan.income_sources if "incomeSources" in parts else None,
        recurring=plan.recurring if "recurring" in parts else None,
    )


def _say(told: PlanTold, currency: str) -> str:
    month, fund = told.monthly, told.emergency_fund

    def said(amount: int) -> str:
        return money(amount, currency)

    return lines(
        f"Plan of {told.generated_on}, means of {told.window.since} to {told.window.until}"
        + (" (provisional: much spending is in no known category)." if told.provisional else "."),
        f"A month: income {said(month.income)}, spending {said(month.total_spend)}"
        f" (essentials {said(month.essentials)}), left {said(month.surplus)}.",
        f"Net worth {said(told.snapshot.net_worth)}, cash {said(told.snapshot.liquid_cash)},"
        f" cards owe {said(told.debt.total)}.",
        f"Emergency fund: {fund.months_covered:g} of {fund.target_months} months"
        + (f", {said(fund.gap)} missing." if fund.gap else _reached(told)),
        "What to do next:" if told.actions else None,
        "\n".join(_action(each, currency) for each in told.actions),
        f"{counted(told.open_tasks, 'open question')} for the person: list_tasks."
        if told.open_tasks
        else None,
        "Notes:" if told.notes else None,
        listed(map(with_names, told.notes)),
        *_parts(told, currency),
    )


def _reached(told: PlanTold) -> str:
    """What is said of a fund of which nothing is missing, which may be because too little is known."""
    fund = told.emergency_fund
    if fund.target_amount == 0:
        return "; no target while essentials are unknown."
    return "; no known gap." if fund.months_to_target is None else "; the target is reached."


def _parts(told: PlanTold, currency: str) -> Iterator[str]:
    """The lists that were asked for, as lines; amounts are those of a month."""

    def said(amount: int) -> str:
        return money(amount, currency)

    if told.categories is not None:
        yield "Spending a month by category:"
        yield listed(
            f"{filed(each.category, each.label)}: {said(each.monthly)}" for each in told.categories
        )
    if told.income_sources is not None:
        yield "Income a month by source:"
        yield listed(f"{quoted(each.name)}: {said(each.monthly)}" for each in told.income_sources)
    if told.recurring is not None:
        yield "Recurring charges a month:"
        yield listed(
            f"{quoted(each.name)}: {said(each.monthly)}, {each.cadence}" for each in told.recurring
        )


def _say_built(told: BuiltTold, currency: str) -> str:
    return lines(
        f"Built the plan of {told.generated_on}: income {money(told.monthly.income, currency)} a month,"
        f" spending {money(told.monthly.total_spend, currency)}, left"
        f" {money(told.monthly.surplus, currency)}.",
        "What to do next:" if told.actions else None,
        "\n".join(_action(each, currency) for each in told.actions),
    )


def _action(action: Action, currency: str) -> str:
    amount = "" if action.amount is None else f" ({money(action.amount, currency)})"
    return f"{action.priority}. {with_names(action.title)}{amount}"


class FigureQuestion(Wire):
    """What is to be explained."""

    section: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="One of " + ", ".join(explain.SECTIONS) + "; or a category.",
        ),
    ]


class FigureTold(Wire):
    """One figure, in the order of computing; `formula` is over the names of figures and of `values`."""

    name: str
    label: str
    unit: explain.Unit
    formula: str | None
    values: tuple[explain.Quantity, ...]
    result: explain.Value


class ExplanationTold(Wire):
    """How figures come about; `transactions` are the largest rows, `moreRows` how many others.

    `plan` tells whether the latest plan says the same.
    """

    section: str
    title: str
    generated_on: date
    figures: tuple[FigureTold, ...]
    reasons: tuple[str, ...]
    transactions: tuple[explain.FeedingRow, ...]
    more_rows: Whole
    plan: explain.LatestPlan | None


async def explain_figure(call: Call, ask: FigureQuestion) -> ExplanationTold:
    """How a section's figures come about. Raises NotFound with near matches, NoConnections."""
    answer: explain.Explanation = await call.ask(
        EXPLAIN_PLAN, explain.SectionName(section=ask.section)
    )
    rows = answer.transactions
    told = {figure.name for figure in answer.figures}
    return ExplanationTold(
        section=answer.section,
        title=answer.title,
        generated_on=answer.generated_on,
        figures=tuple(_figure_told(figure, told) for figure in answer.figures),
        reasons=answer.reasons,
        # The largest rows show what feeds a figure; all of them are for list_transactions.
        transactions=rows[:MOST_ROWS],
        more_rows=len(rows[MOST_ROWS:]) + (answer.more.count if answer.more else 0),
        plan=answer.plan,
    )


def _figure_told(figure: explain.Figure, told: set[str]) -> FigureTold:
    return FigureTold(
        name=figure.name,
        label=figure.label,
        unit=figure.unit,
        formula=figure.formula,
        values=tuple(value for value in figure.values if value.name not in told),
        result=figure.result,
    )


MOST_ROWS = 8


def _say_explanation(told: ExplanationTold, currency: str) -> str:
    return lines(
        f"{sentence(told.title).rstrip('.')}; worked out on {told.generated_on}:",
        listed(_figure(each, currency) for each in told.figures),
        listed(map(with_names, told.reasons)),
        f"The largest of {counted(len(told.transactions) + told.more_rows, 'row')}:"
        if told.transactions
        else None,
        listed(
            f"{row.date} {quoted(row.payee)} {money(row.amount, currency)}"
            for row in told.transactions
        ),
    )


def _figure(figure: FigureTold, currency: str) -> str:
    result = _value(figure.result, figure.unit, currency)
    label = with_names(figure.label)
    alike = figure.label.casefold() == figure.name.casefold()
    named = label if alike else f"{label} ({figure.name})"
    where = ", ".join(
        f"{each.name} {_value(each.value, each.unit, currency)}" for each in figure.values
    )
    formula = f" = {figure.formula}" if figure.formula else ""
    return f"{named}: {result}{formula}" + (f" ({where})" if formula and where else "")


def _value(value: explain.Value, unit: explain.Unit, currency: str) -> str:
    if value is None:
        return "unknown"
    if unit == "money" and isinstance(value, int):
        return money(value, currency)
    if unit == "share" and not isinstance(value, str):
        return f"{value * 100:g} %"
    return str(value)


GET_PLAN = Tool(
    "get_plan",
    "Show the plan",
    "The person's finance plan of now: means of a month, what they own and owe, emergency fund, debt,"
    " budget, and what to do next, most useful first.",
    PlanQuestion,
    PlanTold,
    (VIEW_PLAN,),
    "reads",
    get_plan,
    _say,
    view="plan",
)
BUILD_PLAN = Tool(
    "build_plan",
    "Build a new plan",
    "Build a plan from the newest data and keep it; get_plan shows it whole. Goes on should the"
    " connection break.",
    Nothing,
    BuiltTold,
    (STREAM_BUILD, VIEW_PLAN),
    "adds",
    build_plan,
    _say_built,
    view="plan",
)
EXPLAIN = Tool(
    "explain_figure",
    "Explain a figure",
    "How a part of the plan or of the live view comes about: formulas with their values, reasons, and"
    " the largest rows behind them.",
    FigureQuestion,
    ExplanationTold,
    (EXPLAIN_PLAN,),
    "reads",
    explain_figure,
    _say_explanation,
)
