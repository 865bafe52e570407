"""What the figures of a plan say in words, the same on every face that shows one."""

import re
from collections.abc import Sequence

from finplan.model import figures
from finplan.model.plan import Action, BudgetItem, BudgetKey, Plan, SnapshotAccount
from finplan.model.snapshot import PlanView

Accounts = Sequence[SnapshotAccount]

RHYTHMS = {
    "weekly": "/wk",
    "biweekly": "/2wk",
    "semimonthly": "2×/mo",
    "monthly": "/mo",
    "quarterly": "/qtr",
    "twice_yearly": "2×/yr",
    "annual": "/yr",
    "irregular": "/mo irregular",
}
"""How often a sum comes, beside it; what keeps no rhythm is told by the month."""

OFTEN = {
    "weekly": "weekly",
    "biweekly": "every 2 weeks",
    "semimonthly": "twice a month",
    "monthly": "monthly",
    "quarterly": "quarterly",
    "twice_yearly": "twice a year",
    "annual": "yearly",
}
"""How often a sum comes, in words."""

SHORTEST_MONTH = 28
"""From so many days on a window holds the money of a month."""

LEFT_OVER = "Surplus"
SHORTFALL = "Shortfall"
ANSWER_FIRST = (
    "No safe daily amount yet, because some money in may be income. Answer the tasks about"
    " it: `finplan tasks answer`."
)
NOTHING_TO_DO = "nothing to do right now"
FIRST_TELL = "nothing yet: advice needs the missing balance"
MORE_TO_COME = "some advice needs the missing balance"
NOTHING_YET = "nothing yet: most advice needs two months of data"
MORE_LATER = "more advice after two months of data"

_MONTHS_TO_ADVISE = 2
"""With less history only what cannot wait is advised."""


# --- the month -----------------------------------------------------------------------------------


def describe_window(plan: Plan) -> str:
    """What the figures of the plan are made from: less than a month is a sum and no average."""
    window = plan.window
    if window.months == 0:
        return "no transactions yet"
    kind = "averages" if window.days >= SHORTEST_MONTH else "totals"
    span = figures.month_span(window.since, window.until)
    if window.days < (window.until - window.since).days + 1:
        return f"{kind} of {window.months:.0f} months, {span}"
    return f"{kind} of {span}"


def month_units(plan: Plan, currency: str) -> dict[BudgetKey, int]:
    """What each line of the budget takes, in whole units that add up to the income."""
    return _units(plan, [item.current for item in plan.budget], currency)


def target_units(plan: Plan, currency: str) -> dict[BudgetKey, int]:
    """What each line of the budget should take, in whole units that add up to planned income."""
    return _units(plan, [item.target for item in plan.budget], currency)


def left_over_label(item: BudgetItem, *, unanswered: bool) -> str:
    """The name of the line of savings: the surplus, or where what a month lacks comes from.

    `unanswered` says that money in waits for an answer.
    """
    return item.label if item.current < 0 and (unanswered or item.target < 0) else LEFT_OVER


def surplus_headline(view: PlanView, currency: str) -> tuple[str, int | None]:
    """What a month leaves or lacks from now on, in whole units without a minus sign, under its name.

    Where that is the average, it is what the parts of the average add up to. Of money in that waits for
    an answer, only what it cannot cover is known; None where that is nothing.
    """
    plan, running, unanswered = view.plan, view.running, view.standing.money_in_unknown
    if unanswered:
        least = -running.surplus - unanswered
        return (
            (f"{SHORTFALL} a month", figures.whole_units(least, currency))
            if least > 0
            else (LEFT_OVER, None)
        )
    units = month_units(plan, currency)["savings"]
    if running.differs:
        units = figures.whole_units(running.surplus, currency)
    if units >= 0:
        return f"{LEFT_OVER} a month", units
    is_drawn = draws(plan) and "income" not in view.snapshot.gaps.missing
    return f"{'Drawn' if is_drawn else SHORTFALL} a month", -units


def draws(plan: Plan) -> bool:
    """Whether the plan's month has more than its income, since a target of savings is below zero."""
    return plan.budget[2].target < 0


def target_limit(plan: Plan, key: BudgetKey) -> tuple[str, int] | None:
    """What kind of limit a target is, and the sign that its amount is written with.

    Essentials and discretionary spending have ceilings, savings a floor, and what is drawn a ceiling.
    None where the target follows from cash, and no balance of it is known, and where no income is
    known: that of all spending would be nothing.
    """
    if not any(item.target for item in plan.budget):
        return None
    if draws(plan):
        if key != "essentials" and cash_is_unknown(plan.snapshot.accounts):
            return None
        if key == "savings":
            return "≤", -1
    return ("≥" if key == "savings" else "≤"), 1


def _units(plan: Plan, parts: Sequence[int], currency: str) -> dict[BudgetKey, int]:
    total = sum(parts)
    units = figures.whole_parts(total, figures.whole_units(total, currency), parts, currency)
    return {item.key: part for item, part in zip(plan.budget, units, strict=True)}


# --- actions -------------------------------------------------------------------------------------


def amount_beside(action: Action, currency: str) -> str:
    """The exact amount of an action; empty when the title says it by itself."""
    if action.amount is None or action.kind == "answer_questions":
        return ""
    title = action.title.replace("\N{NO-BREAK SPACE}", " ")
    exact = figures.money(action.amount, currency)
    for written in (exact, figures.whole_money(action.amount, currency)):
        if re.search(rf"{re.escape(written)}(?![.,]?[0-9])", title):
            return ""
    return f"{exact}{_PER.get(action.kind, '')}"


_PER = {
    "avoid_fees": " a year",
    "price_rise": " a year",
    "review_essentials": " a month",
    "review_subscriptions": " a month",
    "trim_discretionary": " a month",
}
"""What the amounts of actions are of, for those that come again."""


# --- what is not known ---------------------------------------------------------------------------


def cash_is_unknown(accounts: Accounts) -> bool:
    """Whether a balance of cash was never told, and the others add up to nothing that is known.

    Then nothing that follows from cash is a figure: what is safe to spend, today and each day, what the
    period leaves, the fund and net worth.
    """
    cash = [account.balance for account in accounts if account.role == "cash"]
    return None in cash and not any(cash)


def without_balance(accounts: Accounts) -> list[str]:
    """The names of accounts that count in the figures, but of which no balance is known."""
    return [
        account.name for account in accounts if account.role != "none" and account.balance is None
    ]


def awaited_balance(accounts: Accounts) -> SnapshotAccount | None:
    """The first account whose balance a figure of the page waits for; None when none does.

    Cash comes first, since most figures rest on it.
    """
    waiting = [
        account for account in accounts if account.role != "none" and account.balance is None
    ]
    return min(waiting, key=lambda account: account.role != "cash", default=None)


def nothing_to_do(accounts: Accounts, months: float) -> str:
    """What stands where no action does; `months` are those that the plan's averages hold."""
    if _waits(accounts):
        return FIRST_TELL
    return NOTHING_YET if months < _MONTHS_TO_ADVISE else NOTHING_TO_DO


def more_to_come(accounts: Accounts, months: float) -> str:
    """What stands beside actions that may not be all; empty where none waits for balances or data."""
    if _waits(accounts):
        return MORE_TO_COME
    return MORE_LATER if months < _MONTHS_TO_ADVISE else ""


def _waits(accounts: Accounts) -> bool:
    """Whether advice is held back: most of it waits for the balances of cash and cards."""
    return any(
        account.balance is None
        and (account.role == "cash" or (account.role, account.kind) == ("debt", "credit"))
        for account in accounts
    )


def format_outflow(amount: int, currency: str) -> str:
    """A sum as the person knows it: what went out as it is, what came in with a plus sign."""
    return (
        figures.money(amount, currency) if amount >= 0 else f"+{figures.money(-amount, currency)}"
    )
