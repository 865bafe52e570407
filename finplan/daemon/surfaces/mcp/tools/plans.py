"""The tools about the plan: reading it, building it, and how its figures come about."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field
from pydantic.alias_generators import to_camel

from finplan.daemon.surfaces.mcp.tools.tool import Call, FailedAlready, Tool, ToolReply
from finplan.daemon.surfaces.mcp.tools.wording import write_text
from finplan.model import explain, plan as model
from finplan.model.base import Amount, Nothing, Timestamp, Whole, Wire
from finplan.model.errors import ErrorEnvelope
from finplan.model.job import Build
from finplan.model.snapshot import PlanView
from finplan.operation import EventStream
from finplan.operations.plan import EXPLAIN_PLAN, STREAM_BUILD, VIEW_PLAN
from finplan.views import explain as explain_view, plan as plan_view

PlanPart = Literal["categories", "incomeSources", "recurring"]


class PlanQuestion(Wire):
    """Which lists of the plan are wanted beside its figures."""

    parts: Annotated[
        tuple[PlanPart, ...], Field(max_length=3, description="Lists to include.")
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
    window: model.Window
    snapshot: OwnedAndOwed
    monthly: model.Monthly
    emergency_fund: model.EmergencyFund
    debt: DebtTold
    budget: tuple[model.BudgetItem, ...]
    actions: tuple[model.Action, ...]
    notes: tuple[str, ...]
    provisional: bool
    open_tasks: Whole
    categories: tuple[model.PlanCategory, ...] | None
    income_sources: tuple[model.IncomeSource, ...] | None
    recurring: tuple[model.RecurringCharge, ...] | None


class BuiltTold(Wire):
    """A plan that was just built: its means of a month, and what to do next."""

    created_at: Timestamp
    generated_on: date
    monthly: model.Monthly
    net_worth: Amount
    actions: tuple[model.Action, ...]
    open_tasks: Whole


async def get_plan(call: Call, ask: PlanQuestion) -> ToolReply[PlanTold]:
    """The plan that holds now; the first one is built where there is none. Raises NoConnections."""
    view: PlanView = await call.ask(VIEW_PLAN)
    text = write_text(plan_view.brief(view, await call.how(), ask.parts))
    return ToolReply(describe_plan(view, ask.parts), text)


async def build_plan(call: Call, _ask: Nothing) -> ToolReply[BuiltTold]:
    """Have a plan built, which goes on should the client hang up. Raises NoConnections."""
    stream: EventStream = await call.ask(STREAM_BUILD)
    async for event in stream.events:
        if isinstance(event.data, Build):
            await call.report(event.data.done, event.data.total, event.data.step)
        if isinstance(event.data, ErrorEnvelope):
            raise FailedAlready(event.data)
    view: PlanView = await call.ask(VIEW_PLAN)
    built = BuiltTold.of(
        view.plan,
        created_at=view.created_at,
        net_worth=view.plan.snapshot.net_worth,
        open_tasks=len(view.open_tasks),
    )
    return ToolReply(built, write_text(plan_view.built(view, await call.how())))


def describe_plan(view: PlanView, parts: tuple[PlanPart, ...]) -> PlanTold:
    """A plan as agents are told it, with the lists that are asked for."""
    plan = view.plan
    lists = ("categories", "income_sources", "recurring")
    return PlanTold.of(
        plan,
        created_at=view.created_at,
        snapshot=OwnedAndOwed.of(plan.snapshot),
        debt=DebtTold.of(plan.debt),
        # What differs from the averages goes before what the figures mean.
        notes=(*view.running.text, *plan.notes),
        provisional=view.standing.provisional,
        open_tasks=len(view.open_tasks),
        **{each: None for each in lists if to_camel(each) not in parts},
    )


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


async def explain_figure(call: Call, ask: FigureQuestion) -> ToolReply[ExplanationTold]:
    """How a section's figures come about. Raises NotFound with near matches, NoConnections."""
    answer: explain.Explanation = await call.ask(
        EXPLAIN_PLAN, explain.SectionName(section=ask.section)
    )
    rows = answer.transactions
    names = {figure.name for figure in answer.figures}
    explained = ExplanationTold.of(
        answer,
        figures=tuple(
            FigureTold.of(each, values=tuple(v for v in each.values if v.name not in names))
            for each in answer.figures
        ),
        # The largest rows show what feeds a figure; all of them are for list_transactions.
        transactions=rows[:MOST_ROWS],
        more_rows=len(rows[MOST_ROWS:]) + (answer.more.count if answer.more else 0),
    )
    text = write_text(explain_view.brief(answer, rows[:MOST_ROWS], await call.how()))
    return ToolReply(explained, text)


MOST_ROWS = 8


GET_PLAN = Tool(
    "get_plan",
    "Show the plan",
    (
        "The person's current plan: monthly averages, assets and debts, emergency fund, budget, and"
        " actions, most useful first."
    ),
    (VIEW_PLAN,),
    "reads",
    get_plan,
    view="plan",
)
BUILD_PLAN = Tool(
    "build_plan",
    "Build a new plan",
    "Build and save a plan from the newest data; get_plan shows it in full. The build continues "
    "even if the connection breaks.",
    (STREAM_BUILD, VIEW_PLAN),
    "adds",
    build_plan,
    view="plan",
)
EXPLAIN = Tool(
    "explain_figure",
    "Explain a figure",
    "Explain a part of the plan or of safe to spend: formulas with values, reasons, and the largest"
    " transactions.",
    (EXPLAIN_PLAN,),
    "reads",
    explain_figure,
)
