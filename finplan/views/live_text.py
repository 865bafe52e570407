"""What the live view says in words, the same on every face: what is safe to spend, and why.

A plan beside it tells which balances it rests on; where no balance of cash is known, nothing that
follows from cash is a figure.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta, tzinfo

from finplan.model import figures
from finplan.model.plan import Plan, RecurringCharge
from finplan.model.snapshot import MoneyGroup, PeriodCash, Snapshot, Upcoming
from finplan.model.task import CategorizePayee, Task
from finplan.views.plan_text import ANSWER_FIRST, cash_is_unknown, draws

CASH_RUNS_SHORT = "limited by cash: bills come first"
NOT_KNOWN_YET = "not known yet"
DRAW = "planned draw"
FEES = "Interest and bank fees"
_FEES = "interest_fees"
FOR_LATER = "for later"
NOTHING_LEFT = "–"
"""Stands for what is left of a mean that nobody means to spend."""

_MONTHS_TO_EXPECT = 3
"""With less history, that nothing is expected only says that nothing could be seen to come again."""

_TAKEN_FIRST = "Bills, groceries, transportation and money set aside"

_MISSING = {
    "income": "The account that your pay goes to is not linked.",
    "spending": "An account that you spend from is not linked.",
}

_NEEDS_CASH = "needs the balance of your cash"


# --- what is safe to spend -----------------------------------------------------------------------


SAFE_TODAY = "Safe to spend today"
CASH_AFTER_BILLS = "Cash after bills"
DAYS_SHARE = "Safe per day"


def today_headed(snapshot: Snapshot) -> tuple[str, int]:
    """What heads a page: what is safe to spend today, or what was spent beyond that, or what cash lacks.

    A figure below nothing would be read as something to spend. While money in waits for an answer, it is
    the cash that bills leave, since no share of a day is firm.
    """
    today, guard = snapshot.allowance.today, snapshot.period.guard
    if snapshot.waits_for_answers and guard is not None:
        return CASH_AFTER_BILLS, guard
    if today >= 0:
        return SAFE_TODAY, today
    return ("Short of cash" if is_held_by_cash(snapshot) else "Overspent today"), -today


def is_held_by_cash(snapshot: Snapshot) -> bool:
    """Whether the share of the day would allow more today, but the money is not there."""
    allowance = snapshot.allowance
    return allowance.today < allowance.daily - allowance.spent_today


def describe_pace(plan: Plan, snapshot: Snapshot, currency: str) -> str:
    """What the plan itself would have spent a day, and what ties it to what is safe to spend."""
    pace = figures.whole_money(plan.monthly.daily_allowance, currency)
    target = f"The plan's target for discretionary spending is {pace} a day."
    if cash_is_unknown(plan.snapshot.accounts):
        if draws(plan):
            return f"The plan's daily target, like safe to spend, {_NEEDS_CASH}."
        return f"{target} Safe to spend {_NEEDS_CASH}."
    if is_held_by_cash(snapshot):
        return (
            f"{target} Your safe to spend is the cash that you can spare"
            f" {_before(snapshot.allowance.payday)}."
        )
    return f"{target} Safe per day is the money left this morning, divided by the days left."


def explain_shortage(snapshot: Snapshot, currency: str) -> str:
    """Why nothing is safe to spend today, and from when something is; empty while something is."""
    if snapshot.waits_for_answers:
        return ANSWER_FIRST
    if snapshot.allowance.today > 0:
        return ""
    if not snapshot.window.months and not is_held_by_cash(snapshot):
        return "No transactions yet, so finplan cannot tell what is safe to spend."
    return f"{_why_nothing(snapshot, currency)} {_until_when(snapshot, currency)}"


def _why_nothing(snapshot: Snapshot, currency: str) -> str:
    allowance, period = snapshot.allowance, snapshot.allowance.breakdown
    if is_held_by_cash(snapshot):
        lacking = figures.money(-allowance.today, currency)
        due = f"bills due {_before(allowance.payday)}"
        if allowance.today == 0:
            return f"You need all your cash for {due}."
        return f"You are {lacking} short for {due}."
    span = "this month" if allowance.payday is None else "this pay period"
    if period.available <= 0 or (allowance.daily == 0 and period.spent <= 0):
        lacking = f"{figures.money(-period.available, currency)} more than"
        much = lacking if period.available < 0 else "all that"
        return f"{_TAKEN_FIRST} take {much} you have for {span}."
    if period.remaining <= 0 or allowance.daily == 0:
        return _describe_overspending(period.remaining, span, currency)
    return _describe_overspending(allowance.today, "today", currency)


def _describe_overspending(room: int, span: str, currency: str) -> str:
    if room < 0:
        return f"You spent {figures.money(-room, currency)} more than was safe to spend {span}."
    return f"You have spent all that was safe to spend {span}."


def describe_period(snapshot: Snapshot) -> str:
    """The days that the money of a period is for, first and last."""
    return figures.day_span(snapshot.period.since, _next_period(snapshot) - timedelta(1))


def _next_period(snapshot: Snapshot) -> date:
    """The first day of the next period: payday, or the first of the next month where there is none."""
    since, payday = snapshot.period.since, snapshot.allowance.payday
    return (since.replace(day=28) + timedelta(4)).replace(day=1) if payday is None else payday


def until(snapshot: Snapshot) -> str:
    """Up to when the money of a period has to last."""
    return "this month" if snapshot.allowance.payday is None else "until payday"


def _before(payday: date | None) -> str:
    return (
        "before the month ends"
        if payday is None
        else f"before payday, {figures.short_date(payday)}"
    )


def _until_when(snapshot: Snapshot, currency: str) -> str:
    again = snapshot.spendable_from
    if again is None:
        if is_held_by_cash(snapshot):
            if snapshot.allowance.payday is None:
                return "No expected income would change this."
            return "After payday, you need that pay for bills."
        if snapshot.allowance.payday is None:
            return "Nothing is safe to spend next month, either."
        return "Nothing is safe to spend after payday, either."
    payday = " (payday)" if again == snapshot.allowance.payday else ""
    share = _share_from(snapshot, again)
    daily = "" if share is None else f": {figures.money(share, currency)} a day"
    return f"You can spend again from {figures.short_date(again)}{payday}{daily}."


def _share_from(snapshot: Snapshot, again: date) -> int | None:
    """A day's share from a later day of this period on, with nothing spent until then.

    None from the next period on, and where cash may hold it: what these then have follows from more.
    """
    allowance, guard = snapshot.allowance, snapshot.period.guard
    days = (_next_period(snapshot) - again).days
    if days <= 0 or is_held_by_cash(snapshot):
        return None
    share = allowance.breakdown.remaining // days
    return share if share > 0 and (guard is None or guard >= share) else None


def warn_of_needs(period: PeriodCash, payday: date | None, currency: str) -> str:
    """That cash does not carry what needs usually still take in the period; empty where it does.

    The guard leaves usual spending out, so that nobody's allowance hangs on an average alone.
    """
    if period.guard is None or period.needs <= max(0, period.guard):
        return ""
    needs = figures.whole_money(period.needs, currency)
    if period.guard <= 0:
        end = "the month ends" if payday is None else "payday"
        return f"Groceries and transportation usually cost another {needs} before {end}."
    spare = f"Cash can spare {figures.money(period.guard, currency)} {_before(payday)}"
    return f"{spare}, but groceries and transportation usually cost another {needs}."


def warn_of_spending(plan: Plan | None, snapshot: Snapshot, currency: str) -> str:
    """What speaks against spending: nothing is safe, or needs will take more than cash can spare.

    Empty where neither is so, and where no balance of cash is known.
    """
    if plan is not None and cash_is_unknown(plan.snapshot.accounts):
        return ""
    needs = warn_of_needs(snapshot.period, snapshot.allowance.payday, currency)
    return " ".join(text for text in (explain_shortage(snapshot, currency), needs) if text)


def describe_today(snapshot: Snapshot, currency: str) -> str:
    """What has been spent of today's share, or why it is less than that.

    Where nothing is safe to spend, a sentence of its own says why.
    """
    if is_held_by_cash(snapshot) and snapshot.allowance.today > 0:
        return CASH_RUNS_SHORT
    return f"{figures.money(snapshot.allowance.spent_today, currency)} spent today"


def describe_days(snapshot: Snapshot) -> str:
    """How many days the allowance has to last, and to when."""
    allowance = snapshot.allowance
    days = figures.count(allowance.breakdown.days_left, "day")
    if allowance.payday is None:
        return f"{days} to the end of the month"
    return f"{days} to payday, {figures.short_date(allowance.payday)}"


def left_ways(plan: Plan | None, snapshot: Snapshot, currency: str) -> tuple[str, ...]:
    """What the rest of the period is a rest of, and what is set aside before it; shorter ways follow."""
    if plan is not None and cash_is_unknown(plan.snapshot.accounts):
        return (_NEEDS_CASH,)
    free = f"of {figures.whole_money(snapshot.allowance.breakdown.available, currency)}"
    aside = _describe_set_aside(snapshot, currency)
    if not aside:
        return f"{free} after bills, groceries and transportation", free
    return (
        f"{free} after bills, groceries, transportation and {aside}",
        f"{free} after {aside}",
        free,
    )


def _describe_set_aside(snapshot: Snapshot, currency: str) -> str:
    aside = figures.whole_units(snapshot.period.set_aside, currency)
    return f"{figures.units_money(aside, currency)} set aside" if aside > 0 else ""


def breakdown_rows(
    snapshot: Snapshot, plan: Plan | None = None
) -> tuple[tuple[str, int | None, bool], ...]:
    """How the allowance comes about: each label with its amount, and whether it is a total.

    `plan` is the one behind it, which tells whether savings pay for a part of what the period has, and
    whether cash is known: None stands for an amount that follows from a balance nobody told.
    """
    period, aside = snapshot.allowance.breakdown, snapshot.period.set_aside
    is_known = plan is None or not cash_is_unknown(plan.snapshot.accounts)
    drawn = plan is not None and draws(plan)
    income = period.income if is_known or not drawn else None
    set_aside = (("Set aside", -aside if is_known else None, False),) if aside else ()
    # Without a plan nothing tells what this month draws; with one, the draw hangs on cash as it does.
    draw = snapshot.income.draw
    this_month = (
        ((f"{DRAW} this month".capitalize(), draw.draw if is_known else None, False),)
        if draw is not None
        else ()
    )
    return (
        (f"Income and {DRAW}" if drawn else "Income", income, False),
        ("Average bills", aside - period.bills, False),
        *set_aside,
        ("For groceries", -period.groceries, False),
        ("For transportation", -period.transportation, False),
        ("Free to spend", period.available if is_known else None, True),
        ("Spent so far", -period.spent, False),
        ("Left", period.remaining if is_known else None, True),
        *this_month,
    )


# --- what is due ---------------------------------------------------------------------------------


def knows_due(snapshot: Snapshot) -> bool:
    """Whether what is due can be told: over less than three months nothing is seen to come again."""
    return bool(snapshot.upcoming) or snapshot.window.months >= _MONTHS_TO_EXPECT


def describe_next_due(snapshot: Snapshot) -> str:
    """Which of the expected charges comes first."""
    if not knows_due(snapshot):
        return "needs three months of data"
    soon = due_soon(snapshot)
    if not soon:
        return "none found"
    return f"next: {soon[0].name}, {figures.short_date(soon[0].date)}"


def explain_unknown_due(snapshot: Snapshot) -> str:
    """When what is due will be known, as a sentence of its own."""
    text = describe_next_due(snapshot)
    return f"{text[0].upper()}{text[1:]}."


def due_soon(snapshot: Snapshot) -> tuple[Upcoming, ...]:
    """The charges of thirty days, today counted."""
    return tuple(charge for charge in snapshot.upcoming if charge.date <= snapshot.due.until)


def describe_card_bills(snapshot: Snapshot, currency: str) -> str | None:
    """What cards that are paid in full take from cash besides, None where none does."""
    bills = snapshot.due.card_bills
    if not bills:
        return None
    what = "Card bill" if len(bills) == 1 else "Card bills"
    their = "Its" if len(bills) == 1 else "Their"
    listed = _list_charges(bills, currency)
    return f"{what}, not in this total: {listed}. {their} purchases are already counted."


def describe_repayments(snapshot: Snapshot, currency: str) -> str | None:
    """What others are expected to pay back in these days, None where nobody is."""
    back = _list_charges(snapshot.due.repayments, currency)
    return f"Expected back, not counted: {back}." if back else None


def _list_charges(due: Sequence[Upcoming], currency: str) -> str:
    return "; ".join(
        f"{charge.name} {figures.money(charge.amount, currency)}, {figures.short_date(charge.date)}"
        for charge in due
    )


def regular_charges(
    plan: Plan, snapshot: Snapshot
) -> tuple[list[RecurringCharge], list[RecurringCharge]]:
    """The bills that come again, and regular interest and fees; each the dearest month first.

    Interest is added to what a card owes and is nothing that is due, so it is no bill.
    """
    due = {charge.name for charge in snapshot.upcoming}
    charges = sorted(plan.recurring, key=lambda charge: (-charge.monthly, charge.name))
    fees = [bill for bill in charges if bill.category == _FEES and bill.name not in due]
    return [bill for bill in charges if bill not in fees], fees


def describe_charges(plan: Plan, snapshot: Snapshot, currency: str) -> str:
    """How many bills come again and what they take a month."""
    if not plan.recurring and not knows_due(snapshot):
        return NOT_KNOWN_YET
    bills, _ = regular_charges(plan, snapshot)
    monthly = figures.whole_money(sum(charge.monthly for charge in bills), currency)
    return f"{figures.count(len(bills), 'charge')}, {monthly} a month"


# --- this month ----------------------------------------------------------------------------------


def format_remaining(group: MoneyGroup, plan: Plan | None) -> tuple[str, str]:
    """What stands before and after what a month still has of its usual amount: "over by " if more went.

    What is meant for charges that come less often than monthly is "for later", and what is usual of
    interest and fees is nothing to spend, for which `NOTHING_LEFT` stands alone. `plan` tells how often
    a category is charged.
    """
    remaining = group.left
    if 0 < remaining <= _unspent(group, {_FEES}):
        return "", NOTHING_LEFT
    after = f" {FOR_LATER}" if 0 < remaining <= _unspent(group, _rare_categories(plan)) else ""
    return "over by " if remaining < 0 else "", after


def _unspent(group: MoneyGroup, categories: Collection[str]) -> int:
    """What of the usual amount of some categories this month has not taken, together."""
    return sum(row.monthly - row.spent for row in group.categories if row.category in categories)


def _rare_categories(plan: Plan | None) -> set[str]:
    """The categories with fewer charges than months, once there are months enough to tell."""
    if plan is None or plan.window.months < _MONTHS_TO_EXPECT:
        return set()
    return {row.category for row in plan.categories if row.count < plan.window.months}


# --- what changed, and what is not known ----------------------------------------------------------


def describe_change(
    plan: Plan | None, snapshot: Snapshot, currency: str, zone: tzinfo | None = None
) -> Iterator[str]:
    """What last moved the day's share, in a sentence; nothing when nothing has, or it is unknown.

    The day is that of a time zone, without one that of this machine.
    """
    unknown = plan is not None and cash_is_unknown(plan.snapshot.accounts)
    if snapshot.change is not None and not unknown:
        before = figures.money(snapshot.change.before, currency)
        after = figures.money(snapshot.change.after, currency)
        day = figures.short_date(figures.moment(snapshot.change.at, zone).date())
        yield f"{DAYS_SHARE} changed from {before} to {after} on {day}."


def list_missing_accounts(snapshot: Snapshot) -> Iterator[str]:
    """Which accounts the data lack, a sentence each."""
    for missing in snapshot.gaps.missing:
        yield _MISSING[missing]


def list_uncounted(
    snapshot: Snapshot,
    currency: str,
    tasks: Sequence[Task] | None = None,
    *,
    pending_only: bool = False,
) -> Iterator[str]:
    """What is pending or has no category, a sentence each; `tasks` are the open ones, None if not known.

    Who is sent to answer questions finds them there: trifles are in no category and not asked about.
    """
    count = None if tasks is None else sum(isinstance(task, CategorizePayee) for task in tasks)
    for tally, thing, remark in (
        (snapshot.gaps.pending, "pending transaction", ", not posted yet."),
        (snapshot.gaps.uncategorised, "transaction", f" without a category{_ask_about(count)}"),
    ):
        if tally.count and not (pending_only and tally is snapshot.gaps.uncategorised):
            total = figures.money(tally.total, currency)
            yield f"{figures.count(tally.count, thing)} ({total}){remark}"


def _ask_about(questions: int | None) -> str:
    if questions is None:
        return "."
    if questions == 0:
        return ", too small to ask about."
    counted = figures.count(questions, "question")
    return f". Answer {counted} about the largest: `finplan tasks answer`."
