"""The rows of what is worked out of it: detection, plans, questions and categories."""

from finplan.model import build as builds
from finplan.model import category as categories
from finplan.model import duplicate as duplicates
from finplan.model import explain as explanations
from finplan.model import forecast as forecasts
from finplan.model import plan as plans
from finplan.model import recurring as recurrings
from finplan.model import snapshot as snapshots
from finplan.model import task as tasks
from finplan.model import transfer as transfers
from finplan.model import wealth as wealths
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NoConnections, NotFound, StorageFull
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

DETECTION = Family("Detection",
    "What is one transfer, what comes again and what is seen twice; your word on it holds.")

LIST_TRANSFERS = Operation(DETECTION, "list_transfers", "GET", "/transfers",
    transfers.TransferQuery, tuple[transfers.Transfer, ...], "read",
    "Pairs of rows that are, or may be, money moved between your own accounts.", Derived(),
    links=Links("/0/id", to=("decide_transfer",)))
DECIDE_TRANSFER = Operation(DETECTION, "decide_transfer", "PUT", "/transfers/{id}",
    transfers.TransferVerdict, transfers.Transfer, "write",
    "Confirm or reject that two rows are one transfer; `auto` takes it back.",
    faults=(NotFound, Conflict))
LIST_RECURRING = Operation(DETECTION, "list_recurring", "GET", "/recurring",
    recurrings.RecurringQuery, tuple[recurrings.RecurringSeries, ...], "read",
    "Charges and income that come again, going on or over.", Derived(),
    links=Links("/0/id", to=("decide_recurring",)))
DECIDE_RECURRING = Operation(DETECTION, "decide_recurring", "PUT", "/recurring/{id}",
    recurrings.RecurringVerdict, recurrings.RecurringSeries, "write",
    "Confirm what comes again, or dismiss it from the plan; `auto` takes it back.",
    faults=(NotFound,))
LIST_DUPLICATES = Operation(DETECTION, "list_duplicates", "GET", "/duplicates",
    duplicates.DuplicateQuery, tuple[duplicates.Duplicate, ...], "read",
    "Rows and accounts that may be one thing seen twice.", Derived(),
    links=Links("/0/id", to=("decide_duplicate",)))
DECIDE_DUPLICATE = Operation(DETECTION, "decide_duplicate", "PUT", "/duplicates/{id}",
    duplicates.DuplicateVerdict, duplicates.Duplicate, "write",
    "Say that two are the same, so that one is left out, or different; `auto` takes it back.",
    faults=(NotFound, Conflict))

PLAN = Family("Plan", "Your plan, the live view of your money, and wealth.")

BUILD_PLAN = Operation(PLAN, "build_plan", "POST", "/plan",
    Nothing, plans.StoredPlan, "write",
    "Build a plan and keep it.",
    faults=(NoConnections,))
START_BUILD = Operation(PLAN, "start_build", "POST", "/plan/builds",
    Nothing, builds.Build, "write",
    "Start building a plan; ask for the build until it is done.", Accepts(at="/plan/builds/{id}"),
    faults=(NoConnections,), links=Links("/id", to=("show_build",)))
SHOW_BUILD = Operation(PLAN, "show_build", "GET", "/plan/builds/{id}",
    builds.BuildId, builds.Build, "read",
    "How a build stands.",
    faults=(NotFound,))
STREAM_BUILD = Operation(PLAN, "stream_build", "POST", "/plan/build",
    Nothing, builds.Build, "write",
    "Build a plan and follow how it goes; as server-sent events.", Streams(done=plans.StoredPlan),
    faults=(NoConnections,))
SHOW_PLAN = Operation(PLAN, "show_plan", "GET", "/plan",
    Nothing, plans.StoredPlan, "read",
    "The latest plan.", Derived(),
    faults=(NotFound,))
VIEW_PLAN = Operation(PLAN, "view_plan", "GET", "/plan/view",
    Nothing, snapshots.PlanView, "read",
    "The latest plan with the live snapshot, open questions and the age of the data.",
    Derived(page=True),
    faults=(NoConnections, StorageFull))
LIST_PLANS = Operation(PLAN, "list_plans", "GET", "/plans",
    Nothing, tuple[plans.StoredPlan, ...], "read",
    "The plans built so far; newest first.", Derived())
EXPLAIN_PLAN = Operation(PLAN, "explain_plan", "GET", "/plan/explain/{section}",
    explanations.SectionName, explanations.Explanation, "read",
    "How a section of the plan, or a category, comes about; formulas, reasons and transactions.",
    Derived(),
    faults=(NotFound, NoConnections))
SHOW_SNAPSHOT = Operation(PLAN, "show_snapshot", "GET", "/snapshot",
    Nothing, snapshots.Snapshot, "read",
    "What is safe to spend now, and why.", Derived(),
    faults=(NoConnections, StorageFull))
SET_INCOME = Operation(PLAN, "set_income", "PUT", "/snapshot/income",
    snapshots.IncomeRequest, snapshots.Snapshot, "write",
    "Set your own figure of monthly income, or return to the detected one.",
    faults=(NoConnections,))
SHOW_WEALTH = Operation(PLAN, "show_wealth", "GET", "/wealth",
    Nothing, wealths.Wealth, "read",
    "What you own and owe, today and over time.", Derived())
SHOW_FORECAST = Operation(PLAN, "show_forecast", "GET", "/forecast",
    forecasts.ForecastQuery, forecasts.Forecast, "read",
    "What cash is expected to be on each evening ahead, its range, and what moves it.",
    Derived(),
    faults=(NoConnections, StorageFull))

QUESTIONS = Family("Questions", "Questions that only you can answer.")

LIST_TASKS = Operation(QUESTIONS, "list_tasks", "GET", "/tasks",
    tasks.TaskQuery, tuple[tasks.Task, ...], "read",
    "Questions that only you can answer; the most money first.", Derived(),
    links=Links("/0/id", to=("answer_task",)))
ANSWER_TASK: Operation[tasks.TaskAnswer, tasks.TaskOutcome] = Operation(
    QUESTIONS, "answer_task", "POST", "/tasks/{id}/answer",
    tasks.TaskAnswer, tasks.TaskOutcome, "write",  # type: ignore[arg-type]  # No type of mypy fits a union.
    "Answer a question or a part of it, dismiss it, or see what an answer would move.",
    faults=(NotFound, Conflict), links=Links("/id", to=("undo_answer",)))
UNDO_ANSWER: Operation[tasks.TaskId, tasks.Task] = Operation(
    QUESTIONS, "undo_answer", "DELETE", "/tasks/{id}/answer",
    tasks.TaskId, tasks.Task, "write",  # type: ignore[arg-type]
    "Take the newest answer to a question back.",
    faults=(NotFound,))

CATEGORIES = Family("Categories", "Categories, and the rules that file payees under them.")

LIST_CATEGORIES = Operation(CATEGORIES, "list_categories", "GET", "/categories",
    Nothing, tuple[categories.CategoryChoice, ...], "read",
    "The categories that a payee can be filed under.", Derived())
CREATE_CATEGORY = Operation(CATEGORIES, "create_category", "POST", "/categories",
    categories.NewCategory, categories.CreatedCategory, "write",
    "Make a category of your own, and file payees under it.", Creates(),
    faults=(Conflict,),
    links=Links(
        "/category/category", to=("change_category", "remove_category"), parameter="category"))
CHANGE_CATEGORY = Operation(CATEGORIES, "change_category", "PATCH", "/categories/{category}",
    categories.CategoryChange, categories.CategoryChoice, "write",
    "Rename a category of yours, or put it on another line.",
    faults=(NotFound, Conflict))
REMOVE_CATEGORY = Operation(CATEGORIES, "remove_category", "DELETE", "/categories/{category}",
    categories.CategoryRemoval, categories.RemovedCategory, "write",
    "Remove a category of yours; its charges are kept, and with `mergeInto` go to another one.",
    faults=(NotFound, Conflict))
LIST_SUGGESTIONS = Operation(CATEGORIES, "list_suggestions", "GET", "/categories/suggestions",
    Nothing, tuple[categories.CategorySuggestion, ...], "read",
    "Themes in your charges that might deserve a category of their own.", Derived())
JUDGE_SUGGESTION = Operation(CATEGORIES, "judge_suggestion", "PUT", "/categories/suggestions",
    categories.SuggestionVerdict, tuple[categories.CategorySuggestion, ...], "write",
    "Keep a suggestion away, or let it come again.",
    faults=(NotFound,))
LIST_RULES = Operation(CATEGORIES, "list_rules", "GET", "/categories/rules",
    Nothing, tuple[categories.CategoryRule, ...], "read",
    "The rules in force; yours first, then inferred, then curated ones.", Derived())
SET_RULE = Operation(CATEGORIES, "set_rule", "PUT", "/categories/rules",
    categories.RuleRequest, categories.CategoryRule, "write",
    "File a payee, or only its charges of one exact amount, under a category.",
    faults=(NotFound,), links=Links("/id", to=("remove_rule",)))
SET_RULES = Operation(CATEGORIES, "set_rules", "PUT", "/categories/rules/batch",
    categories.RuleBatch, categories.RuleBatchResult, "write",
    "File up to a hundred payees at once; what is wrong with one stops no other.")
REMOVE_RULE = Operation(CATEGORIES, "remove_rule", "DELETE", "/categories/rules/{id}",
    categories.RuleId, categories.CategoryRule, "write",
    "Remove a rule of yours.",
    faults=(NotFound, Conflict))

ROWS: tuple[AnyOperation, ...] = (
    LIST_TRANSFERS, DECIDE_TRANSFER, LIST_RECURRING, DECIDE_RECURRING, LIST_DUPLICATES,
    DECIDE_DUPLICATE, BUILD_PLAN, START_BUILD, SHOW_BUILD, STREAM_BUILD, SHOW_PLAN, VIEW_PLAN,
    LIST_PLANS, EXPLAIN_PLAN, SHOW_SNAPSHOT, SET_INCOME, SHOW_WEALTH, SHOW_FORECAST,
    LIST_TASKS, ANSWER_TASK, UNDO_ANSWER, LIST_CATEGORIES, CREATE_CATEGORY, CHANGE_CATEGORY,
    REMOVE_CATEGORY, LIST_SUGGESTIONS, JUDGE_SUGGESTION, LIST_RULES, SET_RULE, SET_RULES, REMOVE_RULE,
)
# fmt: on
