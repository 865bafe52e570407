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
from finplan.views.plan_words import ANSWER_FIRST, cash_is_unknown, draws

CASH_RUNS_SHORT = "cash runs short before the next income"
NOT_KNOWN_YET = "not known yet"
DRAW = "planned draw"
FEES = "Interest and bank fees"
_FEES = "interest_fees"
FOR_LATER = "for later"
NOTHING_LEFT = "–"
"""Stands for what is left of a mean that nobody means to spend."""

_MONTHS_TO_EXPECT = 3
"""With less history, that nothing is expected only says that nothing could be seen to come again."""

_MISSING = {
    "income": "No account that your pay goes to is linked.",
    "spending": "An account that you spend from is not linked.",
}

_WITHOUT_CASH = "waits for the balance of your cash"


# --- what is safe to spend -----------------------------------------------------------------------


SAFE_TODAY = "Safe to spend today"
CASH_AFTER_BILLS = "Cash after bills"
DAYS_SHARE = "A day's share"


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


def pace_said(plan: Plan, snapshot: Snapshot, currency: str) -> str:
    """What the plan itself would have spent a day, and what ties it to what is safe to spend."""
    pace = figures.whole_money(plan.monthly.daily_allowance, currency)
    average = "is its target for discretionary spending, spread evenly over all days"
    if cash_is_unknown(plan.snapshot.accounts):
        if draws(plan):
            return f"The plan's own pace, like what is safe to spend, {_WITHOUT_CASH}."
        return (
            f"The plan's own pace of {pace} a day {average}; what is safe to spend {_WITHOUT_CASH}."
        )
    if is_held_by_cash(snapshot):
        rest = "what cash can spare before the period ends"
    else:
        aside = _set_aside_said(snapshot, currency)
        before = f"its bills, needs, {aside} and" if aside else "its bills, needs and"
        rest = f"a share of what this period leaves after {before} what is spent"
    return f"The plan's own pace of {pace} a day {average}; what is safe to spend is {rest}."


def short_said(snapshot: Snapshot, currency: str) -> str:
    """Why nothing is safe to spend today, and from when something is; empty while something is."""
    if snapshot.waits_for_answers:
        return ANSWER_FIRST
    if snapshot.allowance.today > 0:
        return ""
    if not snapshot.window.months and not is_held_by_cash(snapshot):
        return "There are no transactions yet, so nothing is known of what a period has or takes."
    return f"{_why_nothing(snapshot, currency)} {_until_when(snapshot, currency)}"


def _why_nothing(snapshot: Snapshot, currency: str) -> str:
    allowance, period = snapshot.allowance, snapshot.allowance.breakdown
    if is_held_by_cash(snapshot):
        lacking = figures.money(-allowance.today, currency)
        due = f"what is due before {_end(allowance.payday)}"
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


def _end(payday: date | None) -> str:
    return "the month ends" if payday is None else f"payday, {figures.short_date(payday)}"


def _until_when(snapshot: Snapshot, currency: str) -> str:
    again = snapshot.spendable_from
    if again is None:
        if is_held_by_cash(snapshot):
            if snapshot.allowance.payday is None:
                return "No income that is expected changes that."
            return "The bills after it need that pay, too."
        return "The next period has no more."
    payday = " (payday)" if again == snapshot.allowance.payday else ""
    share = _share_from(snapshot, again)
    each = "" if share is None else f": {figures.money(share, currency)} a day"
    return f"Something is safe to spend again from {figures.short_date(again)}{payday}{each}."


def _share_from(snapshot: Snapshot, again: date) -> int | None:
    """A day's share from a later day of this period on, with nothing spent until then.

    None from the next period on, and where cash may hold it: what these then have follows from more.
    """
    allowance, guard = snapshot.allowance, snapshot.period.guard
    end = allowance.payday
    if end is None:
        # The period is the month, whose end is the first day of the next one.
        end = again if again.day == 1 else (again.replace(day=28) + timedelta(4)).replace(day=1)
    days = (end - again).days
    if days <= 0 or is_held_by_cash(snapshot):
        return None
    share = allowance.breakdown.remaining // days
    return share if share > 0 and (guard is None or guard >= share) else None


def needs_said(period: PeriodCash, payday: date | None, currency: str) -> str:
    """That cash does not carry what needs usually still take in the period; empty where it does.

    The guard leaves usual spending out, so that nobody's allowance hangs on an average alone.
    """
    if period.guard is None or period.needs <= max(0, period.guard):
        return ""
    needs = f"{figures.whole_money(period.needs, currency)} of this period's usual sum"
    if period.guard <= 0:
        return f"Groceries and transportation still have {needs} to come."
    spare = f"{figures.money(period.guard, currency)} is at hand before {_end(payday)}"
    return f"{spare}, but groceries and transportation still have {needs} to come."


def warning_said(plan: Plan | None, snapshot: Snapshot, currency: str) -> str:
    """What speaks against spending: nothing is safe, or needs will take more than cash can spare.

    Empty where neither is so, and where no balance of cash is known.
    """
    if plan is not None and cash_is_unknown(plan.snapshot.accounts):
        return ""
    needs = needs_said(snapshot.period, snapshot.allowance.payday, currency)
    return " ".join(said for said in (short_said(snapshot, currency), needs) if said)


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


def left_ways(plan: Plan | None, snapshot: Snapshot, currency: str) -> tuple[str, ...]:
    """What the rest of the period is a rest of, and what is set aside before it; shorter ways follow."""
    if plan is not None and cash_is_unknown(plan.snapshot.accounts):
        return ("until the balance of cash is told",)
    free = f"of {figures.whole_money(snapshot.allowance.breakdown.available, currency)}"
    aside = _set_aside_said(snapshot, currency)
    if not aside:
        return f"{free} after bills and needs", free
    return f"{free} after bills, needs and {aside}", f"{free}, beside {aside}", free


def _set_aside_said(snapshot: Snapshot, currency: str) -> str:
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
    known = plan is None or not cash_is_unknown(plan.snapshot.accounts)
    drawn = plan is not None and draws(plan)
    income = period.income if known or not drawn else None
    set_aside = (("Set aside", -aside if known else None, False),) if aside else ()
    # Without a plan nothing tells what this month draws; with one, the draw hangs on cash as it does.
    draw = snapshot.income.draw
    this_month = (
        ((f"{DRAW} this month".capitalize(), draw.draw if known else None, False),)
        if draw is not None
        else ()
    )
    return (
        (f"Income and {DRAW}" if drawn else "Income", income, False),
        ("Bills", aside - period.bills, False),
        *set_aside,
        ("Groceries", -period.groceries, False),
        ("Transportation", -period.transportation, False),
        ("Free this period", period.available if known else None, True),
        ("Spent", -period.spent, False),
        ("Left", period.remaining if known else None, True),
        *this_month,
    )


# --- what is due ---------------------------------------------------------------------------------


def due_is_known(snapshot: Snapshot) -> bool:
    """Whether what is due can be told: over less than three months nothing is seen to come again."""
    return bool(snapshot.upcoming) or snapshot.window.months >= _MONTHS_TO_EXPECT


def next_due_said(snapshot: Snapshot) -> str:
    """Which of the expected charges comes first."""
    if not due_is_known(snapshot):
        return "known after three months of data"
    soon = due_soon(snapshot)
    if not soon:
        return "none expected"
    return f"first {figures.short_date(soon[0].date)}, {soon[0].name}"


def when_due_is_known(snapshot: Snapshot) -> str:
    """When what is due will be known, as a sentence of its own."""
    text = next_due_said(snapshot)
    return f"{text[0].upper()}{text[1:]}."


def due_soon(snapshot: Snapshot) -> tuple[Upcoming, ...]:
    """The charges of thirty days, today counted."""
    return tuple(each for each in snapshot.upcoming if each.date <= snapshot.due.until)


def card_bills_said(snapshot: Snapshot, currency: str) -> str | None:
    """What cards that are paid in full take from cash besides, None where none does."""
    bills = snapshot.due.card_bills
    if not bills:
        return None
    what = "a card's bill" if len(bills) == 1 else "the bills of cards"
    return (
        f"Besides, cash pays {what}: {_each_said(bills, currency)}. Purchases count when they are made,"
        " so that is in no sum."
    )


def repayments_said(snapshot: Snapshot, currency: str) -> str | None:
    """What others are expected to pay back in these days, None where nobody is."""
    back = _each_said(snapshot.due.repayments, currency)
    return f"Expected back: {back}. That is in no sum of what is due." if back else None


def _each_said(due: Sequence[Upcoming], currency: str) -> str:
    return ", ".join(
        f"{each.name} {figures.money(each.amount, currency)} on {figures.short_date(each.date)}"
        for each in due
    )


def regular_charges(
    plan: Plan, snapshot: Snapshot
) -> tuple[list[RecurringCharge], list[RecurringCharge]]:
    """The bills that come again, and regular interest and fees; each the dearest month first.

    Interest is added to what a card owes and is nothing that is due, so it is no bill.
    """
    due = {charge.name for charge in snapshot.upcoming}
    charges = sorted(plan.recurring, key=lambda charge: (-charge.monthly, charge.name))
    fees = [each for each in charges if each.category == _FEES and each.name not in due]
    return [each for each in charges if each not in fees], fees


def charges_said(plan: Plan, snapshot: Snapshot, currency: str) -> str:
    """How many bills come again and what they take a month."""
    if not plan.recurring and not due_is_known(snapshot):
        return NOT_KNOWN_YET
    bills, _ = regular_charges(plan, snapshot)
    monthly = figures.whole_money(sum(charge.monthly for charge in bills), currency)
    return f"{len(bills)}, {monthly} a month"


# --- this month ----------------------------------------------------------------------------------


def rest_said(group: MoneyGroup, plan: Plan | None) -> tuple[str, str]:
    """What stands before and after what a month still has of its usual amount: "over by " if more went.

    What is meant for charges that come less often than monthly is "for later", and what is usual of
    interest and fees is nothing to spend, for which `NOTHING_LEFT` stands alone. `plan` tells how often
    a category is charged.
    """
    left = group.left
    if 0 < left <= _unspent(group, {_FEES}):
        return "", NOTHING_LEFT
    after = f" {FOR_LATER}" if 0 < left <= _unspent(group, _rare_categories(plan)) else ""
    return "over by " if left < 0 else "", after


def _unspent(group: MoneyGroup, categories: Collection[str]) -> int:
    """What of the usual amount of some categories this month has not taken, together."""
    return sum(
        each.monthly - each.spent for each in group.categories if each.category in categories
    )


def _rare_categories(plan: Plan | None) -> set[str]:
    """The categories with fewer charges than months, once there are months enough to tell."""
    if plan is None or plan.window.months < _MONTHS_TO_EXPECT:
        return set()
    return {each.category for each in plan.categories if each.count < plan.window.months}


# --- what changed, and what is not known ----------------------------------------------------------


def change_said(
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
