"""What is safe to spend now, and why: today's figure, what is due, how this month stands."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from finplan.model import figures
from finplan.model.characters import shortened
from finplan.model.plan import Plan
from finplan.model.snapshot import MoneyGroup, PlanView, Snapshot
from finplan.views import live_text, page, plan_text, unknowns
from finplan.views.locale import Locale, Money
from finplan.views.plan import actions, provisional

NOT_KNOWN_YET = page.TextSpan(live_text.NOT_KNOWN_YET, "strong")
"""Stands for a figure that needs more history."""


def way_to_tell(accounts: plan_text.Accounts) -> tuple[page.Sentence, ...]:
    """How to tell the first balance that a figure waits for; nothing when none does."""
    waiting = plan_text.awaited_balance(accounts)
    if waiting is None:
        return ()
    short = shortened([account.id for account in accounts])[waiting.id]
    text = f"Set the balance: `finplan accounts set {short} --balance AMOUNT`"
    return (page.Sentence(text, "warn", indent=2),)


# --- what is safe to spend -----------------------------------------------------------------------


def safe(plan: Plan, snapshot: Snapshot, how: Locale) -> page.Section:
    """Today's figure, a day's share and what is due; the last sentence ties them to the plan's pace."""
    allowance, currency = snapshot.allowance, how.currency
    unknown = plan_text.cash_is_unknown(plan.snapshot.accounts) or snapshot.waits_for_answers
    today, daily, remaining = (
        page.UNKNOWN if unknown else _figure(amount, currency)
        for amount in (allowance.today, allowance.daily, allowance.breakdown.remaining)
    )
    is_known = live_text.knows_due(snapshot)
    bills: page.TableCell = _figure(snapshot.due.total, currency) if is_known else NOT_KNOWN_YET
    full, *shorter = live_text.left_ways(plan, snapshot, currency)
    first = (page.Fact("Today", today, live_text.describe_today(snapshot, currency)),)
    others = (
        page.Fact(live_text.DAYS_SHARE, daily, live_text.describe_days(snapshot)),
        page.Fact(f"Left {live_text.until(snapshot)}", remaining, full, tuple(shorter)),
        page.Fact("Due in 30 days", bills, page.mentioning(live_text.describe_next_due(snapshot))),
    )
    warning = live_text.warn_of_spending(plan, snapshot, currency)
    blocks: tuple[page.PageBlock, ...] = (page.FactList((*first, *others)),)
    if warning:
        why = page.sentence(warning, "warn", indent=1)
        blocks = (page.FactList(first), why, page.FactList(others))
    pace = page.Sentence(live_text.describe_pace(plan, snapshot, currency), "soft", indent=1)
    return page.Section("safe", "Safe to spend", (*blocks, pace))


def _figure(amount: int, currency: str) -> Money:
    return Money(amount, currency, "strong bad" if amount < 0 else "strong")


def today(snapshot: Snapshot, how: Locale, view: PlanView | None) -> tuple[page.PageBlock, ...]:
    """Today's figure, a day's share and until when it lasts, and what speaks against spending."""
    allowance = snapshot.allowance
    no_cash = view is not None and plan_text.cash_is_unknown(view.plan.snapshot.accounts)
    head, amount = live_text.today_headed(snapshot)
    tone = "strong bad" if allowance.today < 0 else "strong good"
    figure = page.TextSpan(how.money(amount), tone)
    share = f"{live_text.DAYS_SHARE} {how.money(allowance.daily)}, "
    if no_cash:
        head, figure, share = live_text.SAFE_TODAY, page.UNKNOWN, ""
    if snapshot.waits_for_answers:
        share = ""
    plan = None if view is None else view.plan
    warning = live_text.warn_of_spending(plan, snapshot, how.currency)
    return (
        page.Title((f"{head}  ", figure), f"{how.money(allowance.spent_today)} spent today"),
        page.Sentence(f"{share}{live_text.describe_days(snapshot)}", "soft"),
        *page.sentences(_explain_limit(snapshot, no_cash=no_cash), "warn"),
        *page.sentences([warning] if warning else [], "warn"),
    )


def _explain_limit(snapshot: Snapshot, *, no_cash: bool) -> Iterator[str]:
    """That the share of the day would allow more, but the money is not there."""
    allowance = snapshot.allowance
    if allowance.today > 0 and not no_cash and live_text.is_held_by_cash(snapshot):
        until = "payday" if allowance.payday else "the month ends"
        yield f"Limited by cash: bills due before {until} come first."


def balances(snapshot: Snapshot, how: Locale, view: PlanView | None) -> page.Sentence:
    """Cash, cards and net worth in a line, each with what it is worth."""
    has, worth = snapshot.balances, unknowns.worths_of(view)
    cash = unknowns.bounded(worth.cash, how.money(has.cash))
    cards = figures.owed_money(has.card_debt, how.currency)
    if worth.cards != "exact":
        # Of what some cards owe, an overpaid one is no least part.
        cards = unknowns.bounded(worth.cards if has.card_debt > 0 else "unknown", cards)
    all_ = how.whole(has.net_worth)
    accounts = None if view is None else view.plan.snapshot.accounts
    if accounts is None or any(account.role == "investment" for account in accounts):
        # They stand in no line of this page, and yet are in its last sum.
        all_ += " with investments"
    net_worth = unknowns.bounded(worth.net_worth, all_)
    return page.Sentence(f"Cash {cash}, cards {cards}, net worth {net_worth}", "soft")


def breakdown(snapshot: Snapshot, how: Locale, plan: Plan | None) -> page.Section:
    """How the allowance comes about, line by line."""
    rows = tuple(
        page.TableRow(
            (label, page.UNKNOWN if amount is None else how.figure(amount, calm=not is_total)),
            tone="strong" if is_total else "",
            heads=is_total,
        )
        for label, amount, is_total in live_text.breakdown_rows(snapshot, plan)
    )
    spoken = "How safe to spend adds up"
    columns = ("!", page.col(">", least=13, floor=11, most=13))
    days = live_text.describe_period(snapshot)
    remark = page.TextSpan(days)
    if snapshot.income.source == "manual":
        remark = page.TextSpan(f"{days}, income set by you", short="income set by you")
    sums = page.table(columns, rows, spoken=spoken, gap=1, indent=1)
    return page.Section("breakdown", "How it adds up", (sums,), remark)


# --- what is due, and this month -----------------------------------------------------------------


def due(snapshot: Snapshot, how: Locale, most: int | None = None) -> page.Section:
    """What is due in the next thirty days, day by day; one line for what is beyond the `most`."""
    charges, is_known = live_text.due_soon(snapshot), live_text.knows_due(snapshot)
    total: page.Phrase = how.money(snapshot.due.total) if is_known else live_text.NOT_KNOWN_YET
    # A line that says one more is hidden would take the place of that one.
    first = charges if most is None or len(charges) <= most + 1 else charges[:most]
    rows = [(_due_day(bill.date), page.name(bill.title), how.figure(bill.amount)) for bill in first]
    if hidden := charges[len(first) :]:
        together = how.figure(sum(bill.amount for bill in hidden))
        rows.append((page.TextSpan(""), page.soft(f"{len(hidden)} more"), together))
    text = "Nothing due." if is_known else live_text.explain_unknown_due(snapshot)
    blocks: list[page.PageBlock] = [page.Sentence(text, "soft", indent=1)]
    if charges:
        columns = ("day~", "!", page.col("amount>", least=11, most=11))
        spoken = "Due in 30 days"
        blocks = [
            page.table(columns, rows, spoken=spoken, gap=1, indent=1, headless=True, long=True)
        ]
    remarks = (live_text.describe_card_bills, live_text.describe_repayments)
    besides = filter(None, (remark(snapshot, how.currency) for remark in remarks))
    blocks += (page.sentence(note, "soft", indent=1) for note in besides)
    return page.Section("upcoming", "Due in 30 days", tuple(blocks), total)


def _due_day(day: date) -> page.TextSpan:
    return page.TextSpan(figures.short_date(day), short=f"{day.day:>2} {day:%b}")


def groups(snapshot: Snapshot, how: Locale, plan: Plan | None) -> page.Section:
    """Each theme: what it took this month, what is still due, what is usual, and what that leaves."""
    if not snapshot.groups:
        return page.Section("month", "This month", (page.Sentence("Nothing spent yet."),))
    is_due = any(group.upcoming for group in snapshot.groups)
    figured = ("spent>", *(("due>~",) if is_due else ()), "usual>~")
    columns = (
        page.col("<", least=17, floor=17),
        page.col("="),
        *(page.col(head, most=11, floor=8, pad=1, rounds=True) for head in figured),
        page.col("below usual>", most=18, floor=14, pad=1, rounds=True),
    )
    rows = (_group(group, plan, how, is_due=is_due) for group in snapshot.groups)
    month = page.table(columns, rows, spoken="Spending this month", gap=1, indent=1, headed=True)
    return page.Section("month", "This month", (month,))


def _group(group: MoneyGroup, plan: Plan | None, how: Locale, *, is_due: bool) -> page.TableRow:
    tone = "bad" if group.left < 0 else group.line
    total = max(group.usual, group.spent + group.upcoming)
    coming = how.figure(group.upcoming) if group.upcoming else ""
    return page.TableRow(
        (
            page.name(group.label),
            page.ShareBar(group.spent, total, tone, due=group.upcoming, rest=True),
            how.figure(group.spent),
            *((coming,) if is_due else ()),
            how.figure(group.usual),
            rest_of(group, plan, how),
        )
    )


def rest_of(group: MoneyGroup, plan: Plan | None, how: Locale) -> page.TableCell:
    """What a month still has of a theme's usual amount, or by how much it is over that."""
    before, after = live_text.format_remaining(group, plan)
    if after == live_text.NOTHING_LEFT:
        return page.TextSpan(after, "strong")
    tone = "bad" if group.left < 0 else "strong"
    return how.figure(abs(group.left), tone, before=before, after=after)


# --- what is said beside -------------------------------------------------------------------------


def notes(snapshot: Snapshot, how: Locale, view: PlanView | None) -> tuple[page.Sentence, ...]:
    """What changed and what the figures do not know, a sentence each."""
    plan = None if view is None else view.plan
    texts = [*live_text.describe_change(plan, snapshot, how.currency, how.zone)]
    texts += _behind(snapshot, how)
    texts += live_text.list_missing_accounts(snapshot)
    tasks = None if view is None else view.open_tasks
    # How much has no category stands on top of an estimate.
    is_estimate = view is not None and view.standing.money_unknown > 0
    texts += live_text.list_uncounted(snapshot, how.currency, tasks, pending_only=is_estimate)
    if view is not None:
        texts += unknowns.list_unknowns(view.plan.snapshot.accounts, view.standing)
    return page.sentences(texts, "soft", item=True)


def _behind(snapshot: Snapshot, how: Locale) -> Iterator[str]:
    for bank in snapshot.gaps.behind:
        synced = bank.last_synced_at
        if synced is None:
            yield f"{bank.institution_name}: never synced."
        else:
            day = figures.long_date(figures.moment(synced, how.zone).date())
            yield f"{bank.institution_name}: last synced on {day}."


# --- what `finplan` alone says -------------------------------------------------------------------

ACTIONS_SHOWN = 3
Ways = Sequence[tuple[str, str]]
"""Commands, each with what it leads to."""


def beginning(ways: Ways) -> page.Page:
    """How to begin where nothing is known yet."""
    return page.of(page.Sentence("No data yet. Start with one of these:"), _ways(ways))


def home(view: PlanView, how: Locale, ways: Ways) -> page.Page:
    """Today's figure, the first things to do, how old the data are, and where to go on."""
    return page.of(
        today(view.snapshot, how, view),
        provisional(view, how),
        page.Sentence(""),
        first_actions(view.plan, how),
        page.Sentence(""),
        ages(view, how),
        _ways(ways),
    )


def first_actions(plan: Plan, how: Locale, most: int = ACTIONS_SHOWN) -> page.Section:
    """The titles of what to do first."""
    section = actions(plan, how)
    steps = [
        step for block in section.blocks if isinstance(block, page.StepList) for step in block.steps
    ]
    if not steps:
        return section
    blocks: list[page.PageBlock] = [
        page.StepList(tuple(step._replace(detail="") for step in steps[:most]))
    ]
    if hidden := len(steps[most:]):
        blocks.append(page.Sentence(f"and {hidden} more: `finplan plan`", "soft", indent=3))
    return replace(section, blocks=tuple(blocks), remark="")


def ages(view: PlanView, how: Locale) -> tuple[page.Sentence, ...]:
    """How old the data are, bank by bank in one sentence."""
    banks = [
        f"{bank.institution_name} {figures.age(bank.last_synced_at, how.now)}"
        for bank in view.data_age
        if bank.last_synced_at is not None
    ]
    return (page.Sentence(f"Last synced: {', '.join(banks)}.", "soft"),) if banks else ()


def _ways(ways: Ways) -> tuple[page.PageTable, ...]:
    rows = ((page.TextSpan(command, "strong"), what) for command, what in ways)
    return (page.table(("", "<"), rows, indent=2),) if ways else ()


# --- what agents are told ------------------------------------------------------------------------

MOST_TOLD = 12
"""How many charges and moves a text names; the others are in what it stands beside."""


def brief(snapshot: Snapshot, how: Locale) -> page.Lines:
    """What is safe to spend, why, and what is due, in few lines."""
    allowance, has = snapshot.allowance, snapshot.balances
    spent = f"spent today {how.money(allowance.spent_today)}"
    if snapshot.period.guard is None:
        unknown = "is unknown: a cash balance is missing (list_accounts)"
        yield f"{live_text.SAFE_TODAY} {unknown}; {spent}."
    else:
        head, _ = live_text.today_headed(snapshot)
        until = (
            f" until {allowance.payday}, payday of the largest regular pay"
            if allowance.payday
            else " until the month ends"
        )
        days = figures.count(allowance.breakdown.days_left, "day")
        yield (
            f"{head}: {how.money(abs(allowance.today))} ({how.money(allowance.daily)} a day{until});"
            f" {spent}. Left {live_text.until(snapshot)}: {how.money(allowance.breakdown.remaining)},"
            f" {days} including today."
        )
        yield live_text.explain_shortage(snapshot, how.currency)
    cash, worth = how.money(has.cash), how.money(has.net_worth)
    yield f"Cash {cash}, net worth {worth}, investments included."
    charges = snapshot.upcoming
    if charges:
        yield "Due in the next 30 days:"
    for charge in charges[:MOST_TOLD]:
        yield f"- {charge.date} ", page.name(charge.title), f" {how.money(charge.amount)}"
    if (hidden := len(charges) - MOST_TOLD) > 0:
        yield f"{hidden:,} more due by {charges[-1].date}."
    if behind := snapshot.gaps.behind:
        yield (
            "Not synced recently: ",
            *page.named_each(link.institution_name for link in behind),
            ".",
        )
