"""What the figures of a plan say in words, the same on every face that shows one."""

import re
from collections.abc import Sequence

from finplan.model import figures
from finplan.model.plan import Action, BudgetItem, BudgetKey, Plan, SnapshotAccount
from finplan.model.snapshot import RunningMonth

Accounts = Sequence[SnapshotAccount]

RHYTHMS = {
    "weekly": "/wk",
    "biweekly": "/2wk",
    "semimonthly": "2× a month",
    "monthly": "/mo",
    "quarterly": "/qtr",
    "twice_yearly": "2× a year",
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

LEFT_OVER = "Left over"
UNTIL_ANSWERED = "Before unanswered income"
ANSWER_FIRST = (
    "Money in that may be income waits for an answer, so no daily amount is safe yet:"
    " `finplan tasks answer`."
)
DRAWN = "Drawn from savings"
NOTHING_TO_DO = "nothing that the data call for"
FIRST_TELL = "nothing until the missing balance is told"
MORE_TO_COME = "more may follow once the missing balance is told"
NOTHING_YET = "nothing yet; most advice waits for two months of data"
MORE_LATER = "more may follow with two months of data"

_MONTHS_TO_ADVISE = 2
"""With less history only what cannot wait is advised."""


# --- the month -----------------------------------------------------------------------------------


def window_said(plan: Plan) -> str:
    """What the figures of the plan are made from: less than a month is a sum and no average."""
    window = plan.window
    if window.months == 0:
        return "no transactions yet"
    kind = "averages" if window.days >= SHORTEST_MONTH else "sums"
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


def left_over_label(item: BudgetItem) -> str:
    """What the line of savings is called: what is left over, or where what a month lacks comes from."""
    waits = item.label == UNTIL_ANSWERED
    return item.label if waits or (item.current < 0 and item.target < 0) else LEFT_OVER


def surplus_headline(
    plan: Plan, running: RunningMonth, unanswered: int, currency: str
) -> tuple[str, int | None]:
    """What a month leaves or lacks from now on, in whole units, under its name.

    Where that is the average, it is what the parts of the average add up to. Of money in that is
    `unanswered`, minor units a month, only what it cannot cover is known; None where that is nothing.
    """
    if unanswered:
        least = -running.surplus - unanswered
        return (
            ("Missing, at least", figures.whole_units(least, currency))
            if least > 0
            else (LEFT_OVER, None)
        )
    if not running.differs:
        return left_over_headline(plan, currency)
    units = figures.whole_units(running.surplus, currency)
    if units >= 0:
        return "Surplus a month", units
    return ("Drawn a month" if plan.budget[2].label == DRAWN else "Shortfall a month"), -units


def left_over_headline(plan: Plan, currency: str) -> tuple[str, int]:
    """What is left over, or what a month lacks, in whole units; what is drawn has no minus sign."""
    units, label = month_units(plan, currency)["savings"], left_over_label(plan.budget[2])
    if label in {LEFT_OVER, UNTIL_ANSWERED}:
        return f"{LEFT_OVER} a month", units
    return ("Drawn a month" if label == DRAWN else "Not covered"), -units


def draws(plan: Plan) -> bool:
    """Whether the plan's month has more than its income, since a target of savings is below zero."""
    return plan.budget[2].target < 0


def target_limit(plan: Plan, key: BudgetKey) -> tuple[str, int] | None:
    """What kind of limit a target is, and the sign that its amount is written with.

    Essentials and discretionary spending have ceilings, savings a floor, and what is drawn a ceiling.
    None where the target follows from cash, and no balance of it is known.
    """
    if draws(plan):
        if key != "essentials" and cash_is_unknown(plan.snapshot.accounts):
            return None
        if key == "savings":
            return ("draw ≤" if plan.budget[2].label == DRAWN else "gap ≤"), -1
    return ("≥" if key == "savings" else "≤"), 1


def _units(plan: Plan, parts: Sequence[int], currency: str) -> dict[BudgetKey, int]:
    whole = sum(parts)
    units = figures.whole_parts(whole, figures.whole_units(whole, currency), parts, currency)
    return {item.key: part for item, part in zip(plan.budget, units, strict=True)}


# --- actions -------------------------------------------------------------------------------------


def amount_beside(action: Action, currency: str) -> str:
    """The exact amount of an action; empty when the title says it by itself."""
    if action.amount is None:
        return ""
    title = action.title.replace("\N{NO-BREAK SPACE}", " ")
    exact = figures.money(action.amount, currency)
    for written in (exact, figures.whole_money(action.amount, currency)):
        if re.search(rf"{re.escape(written)}(?![.,]?[0-9])", title):
            return ""
    return exact


# --- what is not known ---------------------------------------------------------------------------


def cash_is_unknown(accounts: Accounts) -> bool:
    """Whether a balance of cash was never told, and the others add up to nothing that is known.

    Then nothing that follows from cash is a figure: what is safe to spend, today and each day, what the
    period leaves, the fund and net worth.
    """
    cash = [each.balance for each in accounts if each.role == "cash"]
    return None in cash and not any(cash)


def without_balance(accounts: Accounts) -> list[str]:
    """The names of accounts that count in the figures, but of which no balance is known."""
    return [each.name for each in accounts if each.role != "none" and each.balance is None]


def awaited_balance(accounts: Accounts) -> SnapshotAccount | None:
    """The first account whose balance a figure of the page waits for; None when none does.

    Cash comes first, since most figures rest on it.
    """
    waiting = [each for each in accounts if each.role != "none" and each.balance is None]
    return min(waiting, key=lambda each: each.role != "cash", default=None)


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
        each.balance is None
        and (each.role == "cash" or (each.role, each.kind) == ("debt", "credit"))
        for each in accounts
    )


def moved(amount: int, currency: str) -> str:
    """A sum as the person knows it: what went out as it is, what came in with a plus sign."""
    return (
        figures.money(amount, currency) if amount >= 0 else f"+{figures.money(-amount, currency)}"
    )
