"""What the figures of a plan say in words, the same on every face that shows one."""

import re
from collections.abc import Sequence
from datetime import date

from finplan.model import figures, task as tasks
from finplan.model.category import CategoryChoice
from finplan.model.plan import Action, BudgetItem, BudgetKey, Plan, SnapshotAccount
from finplan.model.snapshot import RunningMonth
from finplan.model.transaction import RecordedDays

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

_REGULAR = 3
"""So many charges on the first days of their months are no accident."""

_FIRST_DAYS = 7

LIKELY = 0.5
"""From here on a suggestion is more likely right than wrong, so that Enter takes it."""


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


# --- fund, debt and actions ----------------------------------------------------------------------


def fund_said(plan: Plan, currency: str) -> str:
    """How far the emergency fund is from its target."""
    fund = plan.emergency_fund
    if fund.target_amount == 0:
        return "no target while essentials are unknown"
    if fund.gap == 0:
        return f"the target of {fund.target_months} is reached"
    gap = figures.whole_money(fund.gap, currency)
    if fund.months_to_target is None:
        return f"of {fund.target_months}; {gap} to go"
    return f"of {fund.target_months}; {gap} to go, {figures.count(fund.months_to_target, 'month')}"


def debt_said(plan: Plan, currency: str) -> str:
    """What is to be done about what the cards owe."""
    debt = plan.debt
    if debt.strategy == "none":
        return "nothing owed"
    if debt.strategy == "pay_in_full":
        return "owed, to be paid in full from cash"
    payment = figures.whole_money(debt.monthly_payment, currency)
    if debt.months_to_clear is None:
        return f"owed; {payment} a month does not clear it"
    # What the starter fund takes now, the cards get later.
    grows = " at first" if plan.emergency_fund.monthly_contribution else ""
    return f"owed; {payment} a month{grows}, {figures.count(debt.months_to_clear, 'month')}"


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


def suggestion_said(task: tasks.CategorizePayee, currency: str) -> str:
    """What speaks for a suggestion in the charges shown; empty where they do not tell by themselves."""
    days = [charge.date.day for charge in task.charges]
    if (
        task.suggested != "rent"
        or task.confidence is None
        or len(days) < _REGULAR
        or max(days) > _FIRST_DAYS
    ):
        return ""
    amounts = [charge.amount for charge in task.charges]
    low, high = (figures.money(each, currency) for each in (min(amounts), max(amounts)))
    each_time = low if low == high else f"{low} to {high}"
    return (
        f"Looks like rent: the last {len(days)} charges came at the start of a month, {each_time}"
        " each."
    )


def question(task: tasks.Task) -> str:
    """The question in one sentence."""
    match task:
        case tasks.CategorizePayee():
            return f"What is {task.payee}?"
        case tasks.ReconnectConnection():
            reason = f" ({task.error})" if task.error and not _is_sentence(task.error) else ""
            return f"{task.institution_name} wants you to sign in again{reason}."
        case tasks.ConnectMissingAccount():
            return task.reason


def _is_sentence(error: str) -> bool:
    return error.rstrip().endswith(".")


def _sign_in(task: tasks.ReconnectConnection) -> str:
    """What a bank's own sentences say beside the question, and how one signs in where they do not."""
    said = task.error if task.error and _is_sentence(task.error) else ""
    said = said.removeprefix(f"{task.institution_name} wants you to sign in again.").strip()
    how = "`finplan connections` says how; then: `finplan sync`."
    tells_how = "`finplan connect" in said or "https://" in said
    return said if tells_how else f"{said} {how}".strip()


def way_on(task: tasks.Task, called: str) -> str:
    """What to do about a question that no category answers; `called` is how its id is typed."""
    match task:
        case tasks.ReconnectConnection():
            return _sign_in(task)
        case _:
            return (
                "Import a statement of it: `finplan import FILE`; or do not be asked again:"
                f" `finplan tasks answer {called} --dismiss`."
            )


# --- answers to questions ------------------------------------------------------------------------


def about(task: tasks.Task) -> str:
    """What a question is about."""
    match task:
        case tasks.CategorizePayee():
            return task.payee
        case tasks.ReconnectConnection():
            return task.institution_name
        case tasks.ConnectMissingAccount():
            return f"the account that is missing for your {task.missing}"


def is_likely(task: tasks.CategorizePayee) -> bool:
    """Whether the suggestion is at least as likely right as wrong."""
    return task.confidence is not None and task.confidence >= LIKELY


def moved(amount: int, currency: str) -> str:
    """A sum as the person knows it: what went out as it is, what came in with a plus sign."""
    return (
        figures.money(amount, currency) if amount >= 0 else f"+{figures.money(-amount, currency)}"
    )


def counted(task: tasks.CategorizePayee) -> str:
    """How many charges, or payments to the person, a question is about."""
    return figures.count(task.count, "charge" if task.total >= 0 else "payment")


def effect_said(effect: tasks.Effect, currency: str, category: CategoryChoice | None = None) -> str:
    """What an answer would move, and where to, before it is given."""
    daily = f"; {_daily_said(effect.allowance, currency)}" if effect.allowance.known else ""
    where = "" if category is None else f" to {category.label}"
    if not effect.charges:
        return f"Moves no charge{where}{daily}."
    noun = "charge" if effect.total >= 0 else "payment"
    # Charges of the running month alone are in no mean yet.
    monthly = f", {moved(effect.monthly, currency)} a month" if effect.monthly else ""
    back = ""
    if effect.total < 0 and category is not None and category.line != "not_spending":
        back = ". It counts as money back and lowers that spending, and is no income"
    return (
        f"Moves {figures.count(effect.charges, noun)}{where},"
        f" {moved(effect.total, currency)} in all{monthly}{back}{daily}."
    )


def _daily_said(allowance: tasks.DailyAllowance, currency: str) -> str:
    before, after = (figures.money(each, currency) for each in (allowance.before, allowance.after))
    if before == after:
        return f"safe to spend a day stays at {before}"
    return f"safe to spend a day goes from {before} to {after}"


def answered_said(task: tasks.Task, label: str, currency: str) -> str:
    """What was decided of a question, and what it moved; `label` is the category's."""
    if isinstance(task, tasks.CategorizePayee) and task.answer == tasks.EACH:
        return f"From now on each charge and payment of {about(task)} is a question of its own."
    sums = ""
    if isinstance(task, tasks.CategorizePayee):
        sums = f": {counted(task)}, {moved(task.total, currency)}"
    return f"Filed {about(task)} under {label}{sums}."


def dismissed_said(task: tasks.Task) -> str:
    """What a dismissal did."""
    return f"Dismissed: {about(task)} is not asked about again."


NO_ROWS = "There are no rows yet: link a bank, or import statements."


def beyond_rows(since: date, until: date, recorded: RecordedDays | None) -> str | None:
    """What of some days nothing is known, since no row is of them; None where rows reach them all."""
    if recorded is None:
        return NO_ROWS
    first, last = recorded.since, recorded.until
    if until < first:
        return f"The first row is of {first}, after these days: nothing of them is known."
    if since > last:
        return f"The last row is of {last}, before these days: nothing of them is known."
    told = [
        f"The first row is of {first}." if since < first else "",
        f"The last row is of {last}." if until > last else "",
    ]
    return " ".join(filter(None, told)) or None
