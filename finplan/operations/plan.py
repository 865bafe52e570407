"""The rows of the plan, the live view of your money, wealth, and planned money."""

from finplan.model import (
    explain as explanations,
    job as jobs,
    plan as plans,
    planned,
    snapshot as snapshots,
    what_if as what_ifs,
)
from finplan.model.base import Nothing
from finplan.model.errors import NoConnections, NotFound, StorageFull
from finplan.operation import (
    Accepts,
    AnyOperation,
    Creates,
    Derived,
    Family,
    Links,
    Operation,
    Streams,
)

# A table is easier to read with few lines for each row.
# fmt: off

PLAN = Family("Plan", "Your plan, safe to spend, forecast and net worth.")

BUILD_PLAN = Operation(PLAN, "build_plan", "POST", "/plan",
    Nothing, plans.StoredPlan, "write",
    "Build a plan and save it.",
    faults=(NoConnections,))
START_BUILD = Operation(PLAN, "start_build", "POST", "/plan/builds",
    Nothing, jobs.Build, "write",
    "Start building a plan. Check the build until it is done.", Accepts(at="/plan/builds/{id}"),
    faults=(NoConnections,), links=Links("/id", to=("show_build",)))
SHOW_BUILD = Operation(PLAN, "show_build", "GET", "/plan/builds/{id}",
    jobs.BuildId, jobs.Build, "read",
    "Show the status of a build.",
    faults=(NotFound,))
STREAM_BUILD = Operation(PLAN, "stream_build", "POST", "/plan/build",
    Nothing, jobs.Build, "write",
    (
        "Build a plan and stream its progress as server-sent events."
    ), Streams(done=plans.StoredPlan),
    faults=(NoConnections,))
SHOW_PLAN = Operation(PLAN, "show_plan", "GET", "/plan",
    Nothing, plans.StoredPlan, "read",
    "Show the latest plan.", Derived(),
    faults=(NotFound,))
VIEW_PLAN = Operation(PLAN, "view_plan", "GET", "/plan/view",
    Nothing, snapshots.PlanView, "read",
    (
        "Show the latest plan with live figures: safe to spend, open tasks and the age of the data."
    ),
    Derived(page=True),
    faults=(NoConnections, StorageFull))
LIST_PLANS = Operation(PLAN, "list_plans", "GET", "/plans",
    Nothing, tuple[plans.StoredPlan, ...], "read",
    "List the plans built so far; the newest comes first.", Derived())
EXPLAIN_PLAN = Operation(PLAN, "explain_plan", "GET", "/plan/explain/{section}",
    explanations.SectionName, explanations.Explanation, "read",
    (
        "Explain how a section of the plan or a category is calculated, with formulas, reasons "
        "and transactions."
    ),
    Derived(),
    faults=(NotFound, NoConnections))
SHOW_SNAPSHOT = Operation(PLAN, "show_snapshot", "GET", "/snapshot",
    Nothing, snapshots.Snapshot, "read",
    "Show how much is safe to spend now, and why.", Derived(),
    faults=(NoConnections, StorageFull))
SET_INCOME = Operation(PLAN, "set_income", "PUT", "/snapshot/income",
    snapshots.IncomeRequest, snapshots.Snapshot, "write",
    "Set your monthly income, or return to the detected income.",
    faults=(NoConnections,))
SHOW_WEALTH = Operation(PLAN, "show_wealth", "GET", "/wealth",
    Nothing, snapshots.Wealth, "read",
    "Show your net worth, and what you own and owe, today and over time.", Derived())
SHOW_FORECAST = Operation(PLAN, "show_forecast", "GET", "/forecast",
    snapshots.ForecastQuery, snapshots.Forecast, "read",
    "Show the forecast of your cash: the expected balance, range and events of each coming day.",
    Derived(),
    faults=(NoConnections, StorageFull))

PLANNED = Family("Planned money", "Money that you plan to pay or expect to receive.")

TRY_CHANGES = Operation(PLAN, "try_changes", "POST", "/plan/what-if",
    what_ifs.WhatIfRequest, what_ifs.WhatIf, "read",
    "Try changes: show the plan before and after them, and store nothing.",
    faults=(NoConnections,))

LIST_PLANNED = Operation(PLANNED, "list_planned", "GET", "/planned",
    Nothing, tuple[planned.PlannedRecord, ...], "read",
    "List your planned money, the next due first.", Derived(),
    links=Links("/0/id", to=("change_planned", "remove_planned")))
ADD_PLANNED = Operation(PLANNED, "add_planned", "POST", "/planned",
    planned.NewPlanned, planned.PlannedRecord, "write",
    "Add money that you plan to pay or expect to receive.", Creates(),
    links=Links("/id", to=("change_planned", "remove_planned")))
CHANGE_PLANNED = Operation(PLANNED, "change_planned", "PATCH", "/planned/{id}",
    planned.PlannedChange, planned.PlannedRecord, "write",
    "Change planned money, or mark it as happened.",
    faults=(NotFound,))
REMOVE_PLANNED = Operation(PLANNED, "remove_planned", "DELETE", "/planned/{id}",
    planned.PlannedId, planned.PlannedRecord, "write",
    "Remove planned money.",
    faults=(NotFound,))

ROWS: tuple[AnyOperation, ...] = (
    BUILD_PLAN, START_BUILD, SHOW_BUILD, STREAM_BUILD, SHOW_PLAN, VIEW_PLAN, LIST_PLANS,
    EXPLAIN_PLAN, SHOW_SNAPSHOT, SET_INCOME, SHOW_WEALTH, SHOW_FORECAST, TRY_CHANGES,
    LIST_PLANNED, ADD_PLANNED, CHANGE_PLANNED, REMOVE_PLANNED,
)
# fmt: on
