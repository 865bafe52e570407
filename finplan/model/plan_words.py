"""What the figures of a plan say in words, the same on every face that shows one."""

import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo

from finplan.model import figures
from finplan.model.plan import Action, BudgetItem, BudgetKey, Plan, SnapshotAccount
from finplan.model.snapshot import Snapshot
from finplan.model.task import CategorizePayee, ConnectMissingAccount, ReconnectConnection, Task

Accounts = Sequence[SnapshotAccount]

RHYTHMS = {
    "weekly": "/wk",
    "biweekly": "/2wk",
    "semimonthly": "2/mo",
    "monthly": "/mo",
    "quarterly": "/qtr",
    "twice_yearly": "2/yr",
    "annual": "/yr",
    "irregular": "each",
}
"""How often a sum comes, beside it."""

SHORTEST_MONTH = 28
"""From so many days on a window holds the money of a month."""

CASH_RUNS_SHORT = "cash runs short before the next income"
NOT_KNOWN_YET = "not known yet"
NOTHING_TO_DO = "nothing that the data call for"
DRAW = "planned draw"
FIRST_TELL = "nothing until the missing balance is told"

_MONTHS_TO_EXPECT = 3
"""With less history, that nothing is expected only says that nothing could be seen to come again."""

_REGULAR = 3
"""So many charges on the first days of their months are no accident."""

_FIRST_DAYS = 7

_MISSING = {
    "income": "No account that your pay goes to is linked.",
    "spending": "An account that you spend from is not linked.",
}


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
    return item.label if item.current < 0 and item.target < 0 else "Left over"


def _units(plan: Plan, parts: Sequence[int], currency: str) -> dict[BudgetKey, int]:
    whole = sum(parts)
    units = figures.whole_parts(whole, figures.whole_units(whole, currency), parts, currency)
    return {item.key: part for item, part in zip(plan.budget, units, strict=True)}


# --- what is safe to spend -----------------------------------------------------------------------


def is_held_by_cash(snapshot: Snapshot) -> bool:
    """Whether the share of the day would allow more today, but the money is not there."""
    allowance = snapshot.allowance
    return allowance.today < allowance.daily - allowance.spent_today


def pace_said(plan: Plan, currency: str) -> str:
    """What the plan itself would have spent a day, and why that is not what is safe to spend."""
    pace = figures.whole_money(plan.monthly.daily_allowance, currency)
    return (
        f"The plan's own pace of {pace} a day spreads its target for discretionary spending over the"
        " year; what is safe to spend is what income, bills and spending leave of it in this period."
    )


def short_said(snapshot: Snapshot, currency: str) -> str:
    """Why nothing is safe to spend today, and from when something is; empty while something is."""
    if snapshot.allowance.today > 0:
        return ""
    return f"{_why_nothing(snapshot, currency)} {_until_when(snapshot)}"


def _why_nothing(snapshot: Snapshot, currency: str) -> str:
    allowance, period = snapshot.allowance, snapshot.allowance.breakdown
    if is_held_by_cash(snapshot):
        lacking = figures.money(-allowance.today, currency)
        due = f"what is due before {_end(snapshot)}"
        if allowance.today == 0:
            return f"All cash is needed for {due}."
        return f"Cash is {lacking} short of {due}."
    if period.available <= 0 or (allowance.daily == 0 and period.spent <= 0):
        lacking = f"{figures.money(-period.available, currency)} more than"
        much = lacking if period.available < 0 else "all that"
        return f"Bills, needs and what is set aside take {much} this period has."
    if period.remaining <= 0 or allowance.daily == 0:
        beyond = f", and {figures.money(-period.remaining, currency)} more"
        return f"What was free this period is spent{beyond if period.remaining < 0 else ''}."
    if allowance.today < 0:
        return f"Today took {figures.money(-allowance.today, currency)} more than its share."
    return "Today's share is spent."


def _end(snapshot: Snapshot) -> str:
    payday = snapshot.allowance.payday
    return "the month ends" if payday is None else f"payday, {figures.short_date(payday)}"


def _until_when(snapshot: Snapshot) -> str:
    again = snapshot.spendable_from
    if again is None:
        if is_held_by_cash(snapshot):
            if snapshot.allowance.payday is None:
                return "No income that is expected changes that."
            return "The bills after it need that pay, too."
        return "The next period has no more."
    payday = " (payday)" if again == snapshot.allowance.payday else ""
    return f"Something is safe to spend again from {figures.short_date(again)}{payday}."


def today_said(snapshot: Snapshot, currency: str) -> str:
    """What has been spent of today's share, or why it is less than that.

    Where nothing is safe to spend, a sentence of its own says why.
    """
    if is_held_by_cash(snapshot) and snapshot.allowance.today > 0:
        return CASH_RUNS_SHORT
    return f"{figures.money(snapshot.allowance.spent_today, currency)} spent today"


def days_said(snapshot: Snapshot) -> str:
    """How many days the allowance has to last, and to when."""
    allowance = snapshot.allowance
    days = figures.count(allowance.breakdown.days_left, "day")
    if allowance.payday is None:
        return f"{days} to the end of the month"
    return f"{days} to payday, {figures.short_date(allowance.payday)}"


def left_said(snapshot: Snapshot, currency: str) -> str:
    """What the rest of the period is a rest of."""
    free = figures.whole_money(snapshot.allowance.breakdown.available, currency)
    return f"of {free} after bills and needs"


def due_is_known(snapshot: Snapshot) -> bool:
    """Whether what is due can be told: over less than three months nothing is seen to come again."""
    return bool(snapshot.upcoming) or snapshot.window.months >= _MONTHS_TO_EXPECT


def next_due_said(snapshot: Snapshot) -> str:
    """Which of the expected charges comes first."""
    if not due_is_known(snapshot):
        return "three months of rows tell what comes again"
    if not snapshot.upcoming:
        return "none expected"
    first = snapshot.upcoming[0]
    return f"first {first.name}, {figures.short_date(first.date)}"


def breakdown_rows(
    snapshot: Snapshot, plan: Plan | None = None
) -> tuple[tuple[str, int, bool], ...]:
    """How the allowance comes about: each label with its amount, and whether it is a total.

    `plan` is the one behind it, which tells whether savings pay for a part of what the period has.
    """
    period = snapshot.allowance.breakdown
    # A target of savings below zero is what a month draws, and then no income alone paces the period.
    draws = plan is not None and plan.budget[2].target < 0
    return (
        (f"Income and {DRAW}" if draws else "Income", period.income, False),
        ("Bills and set aside", -period.bills, False),
        ("Groceries", -period.groceries, False),
        ("Transportation", -period.transportation, False),
        ("Free this period", period.available, True),
        ("Spent", -period.spent, False),
        ("Left", period.remaining, True),
    )


def rest_said(left: int, currency: str, width: int | None = None) -> str:
    """What a month still has of its usual amount: "$54.80", or "over by $23.10" if more went.

    `width` is the columns there are, without which whole units are told.
    """
    over = left < 0 if width is not None else figures.whole_units(left, currency) < 0
    beyond = "over by " if over else ""
    if width is None:
        return beyond + figures.whole_money(abs(left), currency)
    return beyond + figures.fitted(abs(left), currency, width - len(beyond))


def change_said(snapshot: Snapshot, currency: str, zone: tzinfo | None = None) -> Iterator[str]:
    """What last moved the day's share, in a sentence; nothing when nothing has.

    The day is that of a time zone, without one that of this machine.
    """
    if snapshot.change is not None:
        before = figures.money(snapshot.change.before, currency)
        after = figures.money(snapshot.change.after, currency)
        day = figures.short_date(figures.moment(snapshot.change.at, zone).date())
        yield f"A day's share went from {before} to {after} on {day}."


def missing_said(snapshot: Snapshot) -> Iterator[str]:
    """Which accounts the data lack, a sentence each."""
    for missing in snapshot.gaps.missing:
        yield _MISSING[missing]


def uncounted_said(
    snapshot: Snapshot, currency: str, tasks: Sequence[Task] | None = None
) -> Iterator[str]:
    """What is pending or has no category, a sentence each; `tasks` are the open ones, None if not known.

    Who is sent to answer questions finds them there: trifles are in no category and not asked about.
    """
    asked = None if tasks is None else sum(isinstance(task, CategorizePayee) for task in tasks)
    for tally, thing, remark in (
        (snapshot.gaps.pending, "pending charge", ", not posted yet"),
        (snapshot.gaps.uncategorised, "charge", f", without a category{_asked_said(asked)}"),
    ):
        if tally.count:
            total = figures.money(tally.total, currency)
            yield f"{figures.count(tally.count, thing)}, {total}{remark}."


def _asked_said(questions: int | None) -> str:
    if questions is None:
        return ""
    if questions == 0:
        return ", too little to ask about"
    return f": `finplan tasks answer` asks {figures.count(questions, 'question')} about the largest"


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
    """Whether there are accounts that hold cash and no balance of any is known."""
    cash = [each for each in accounts if each.role == "cash"]
    return bool(cash) and all(each.balance is None for each in cash)


def without_balance(accounts: Accounts) -> list[str]:
    """The names of accounts that count in the figures, but of which no balance is known."""
    return [each.name for each in accounts if each.role != "none" and each.balance is None]


def awaited_balance(accounts: Accounts) -> SnapshotAccount | None:
    """The first account whose balance a figure of the page waits for; None when none does.

    Cash comes first, since most figures rest on it.
    """
    waiting = [each for each in accounts if each.role != "none" and each.balance is None]
    return min(waiting, key=lambda each: each.role != "cash", default=None)


def nothing_to_do(accounts: Accounts) -> str:
    """What stands where no action does; most advice waits for the balances of cash and cards."""
    waits = any(
        each.balance is None
        and (each.role == "cash" or (each.role, each.kind) == ("debt", "credit"))
        for each in accounts
    )
    return FIRST_TELL if waits else NOTHING_TO_DO


def suggestion_said(task: CategorizePayee, currency: str) -> str:
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


def question(task: Task) -> str:
    """The question in one sentence."""
    match task:
        case CategorizePayee():
            return f"What is {task.payee}?"
        case ReconnectConnection():
            reason = f" ({task.error})" if task.error else ""
            return f"{task.institution_name} wants you to sign in again{reason}."
        case ConnectMissingAccount():
            return task.reason
