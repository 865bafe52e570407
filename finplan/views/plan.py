"""The plan: where the money goes, the fund and the debts, what to do next, and what is regular."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from finplan.model import figures
from finplan.model.category import SpendingLine
from finplan.model.plan import (
    BudgetItem,
    BudgetKey,
    EmergencyFund,
    IncomeSource,
    Plan,
    PlanCategory,
    RecurringCharge,
)
from finplan.model.snapshot import PlanView, Snapshot
from finplan.views import live_text, page, plan_text, unknowns
from finplan.views.locale import Locale, Money

SPENDING_LINES: tuple[tuple[SpendingLine, BudgetKey], ...] = (
    ("essential", "essentials"),
    ("discretionary", "discretionary"),
)
EVERY_LINE = "all lines: finplan plan show --all"
WHY_EACH = "why: finplan plan explain"

_BUDGET_TONES = {"essentials": "essential", "discretionary": "discretionary", "savings": "good"}


# --- the top -------------------------------------------------------------------------------------


def title(view: PlanView) -> page.Title:
    """What a plan is called, and what its figures are made of."""
    day = figures.long_date(view.plan.generated_on)
    return page.Title(f"Your plan of {day}", plan_text.describe_window(view.plan))


def provisional(view: PlanView, how: Locale) -> tuple[page.Sentence, ...]:
    """What of spending is unknown, and what answers it; nothing of a firm plan."""
    texts = unknowns.describe_estimate(view.plan, view.standing, view.open_tasks, how.currency)
    text = " ".join(texts)
    return (page.Sentence(text, "warn"),) if text else ()


def headline(view: PlanView, how: Locale) -> page.Headline:
    """The four figures that answer most questions."""
    plan, snapshot, currency = view.plan, view.snapshot, how.currency
    worths = unknowns.worths_of(view)
    head, amount = live_text.today_headed(snapshot)
    style = "strong bad" if snapshot.allowance.today < 0 else "strong good"
    today: page.TableCell = Money(amount, currency, style)
    if worths.cash == "unknown":
        head, today = live_text.SAFE_TODAY, page.UNKNOWN
    label, units = plan_text.surplus_headline(view, currency)
    surplus = view.running.surplus if view.running.differs else plan.monthly.surplus
    remaining: page.TableCell = page.UNKNOWN
    if units is not None:
        tone = f"strong {'bad' if surplus < 0 else 'good'}"
        remaining = Money(abs(surplus), currency, tone, units=units)
    least = "at least" if units is not None and view.standing.money_in_unknown else ""
    balances = snapshot.balances
    return page.Headline(
        (
            page.Fact(head, today),
            page.Fact(label, remaining, least),
            _worth("Cash", balances.cash, worths.cash, how),
            _worth("Net worth", balances.net_worth, worths.net_worth, how),
        )
    )


def _worth(label: str, amount: int, worth: str, how: Locale) -> page.Fact:
    if worth == "unknown":
        return page.Fact(label, page.UNKNOWN)
    tone = "strong bad" if amount < 0 and label == "Cash" else "strong"
    return page.Fact(
        label, how.figure(amount, tone, rounded=True), "" if worth == "exact" else worth
    )


def from_now_on(view: PlanView, most: int | None = None) -> tuple[page.Sentence, ...]:
    """The average month and the one from now on, with what changed; nothing where they agree."""
    return page.sentences(view.running.text[:most], "soft")


# --- where the money goes ------------------------------------------------------------------------


def flow(
    view: PlanView, how: Locale, most: Mapping[SpendingLine, int] | None = None
) -> page.Section:
    """What comes in, what each line and category takes, what is left; the units add up as written.

    Of each line only the largest categories have a row of their own where there may be so many at
    `most`; the others share one, unless it would be one alone.
    """
    plan, unanswered = view.plan, view.standing.money_in_unknown > 0
    currency, income = how.currency, plan.monthly.income
    items = {item.key: item for item in plan.budget}
    units = plan_text.month_units(plan, currency)
    rows = [_flow_row("Income", income, figures.whole_units(income, currency), "good", plan, how)]
    for line, key in SPENDING_LINES:
        over = income > 0 and items[key].current > items[key].target
        tone = "warn" if over else ""
        rows.append(_line_row(items[key].label, items[key], units[key], line, plan, how, tone))
        cells = [
            (page.name(category.label), category.monthly, part)
            for category, part in categories_of(plan, line, currency)
        ]
        limit = len(cells) if most is None or len(cells) <= most[line] + 1 else most[line]
        listed, tail = cells[:limit], cells[limit:]
        if tail:
            sums = (sum(amount for _, amount, _ in tail), sum(part for *_, part in tail))
            listed.append((page.TextSpan(others(len(tail)), short=f"{len(tail)} others"), *sums))
        rows += (
            _flow_row(label, amount, part, line, plan, how, tone="", level=1)
            for label, amount, part in listed
        )
    saved = items["savings"]
    short = saved.current < min(0, saved.target)
    tone = "bad" if short else "warn" if saved.current < saved.target else "good"
    label = plan_text.left_over_label(saved, unanswered=unanswered)
    rows.append(_line_row(label, saved, units["savings"], "good", plan, how, tone))
    negative = any(part < 0 for part in (income, *(item.current for item in plan.budget)))
    shares = page.TextSpan("of income", short="share") if income > 0 else ""
    columns = (
        page.col("<", least=27, floor=21),
        page.col("=", least=8),
        page.col("a month>", least=10, most=13),
        page.col(">~", head=shares, least=11, floor=6 + negative),
        page.col("target>", least=11, most=17),
    )
    spoken = "Where the money of a month goes"
    month = page.table(columns, rows, spoken=spoken, gap=1, indent=1, headed=True)
    return page.Section("flow", "Where the money goes", (month,))


def _flow_row(
    label: str | page.TextSpan,
    amount: int,
    units: int,
    bar: str,
    plan: Plan,
    how: Locale,
    target: page.TableCell = "",
    tone: str = "strong",
    level: int = 0,
    flag: str = "",
) -> page.TableRow:
    largest = max(1, plan.monthly.income, *(item.current for item in plan.budget))
    share = figures.percent(amount, plan.monthly.income)
    percent = page.TextSpan(share, short=share.replace("under ", "<"))
    figure = how.figure(amount, tone, units=units)
    cells = (label, page.ShareBar(amount, largest, bar), figure, percent, target)
    return page.TableRow(
        cells, tone="" if level else "strong", level=level, heads=not level, flag=flag
    )


def _line_row(
    label: str, item: BudgetItem, units: int, bar: str, plan: Plan, how: Locale, tone: str
) -> page.TableRow:
    """A line of the budget with its target; one that misses it is flagged."""
    is_floor = item.key == "savings"
    missed = item.current < item.target if is_floor else item.current > item.target
    counts = missed and (plan.monthly.income > 0 or item.current < 0)
    flag = ("short" if is_floor else "over") if counts else ""
    target = _target(plan, item, how, tone or "soft")
    toned = f"strong {tone}".rstrip()
    return _flow_row(label, item.current, units, bar, plan, how, target, toned, flag=flag)


def others(count: int) -> str:
    """What some categories together are called."""
    return f"{count} other categories"


def _target(plan: Plan, item: BudgetItem, how: Locale, tone: str) -> page.TableCell:
    """A target with the kind of limit that it is, or that it is not known."""
    limit = plan_text.target_limit(plan, item.key)
    if limit is None:
        return page.UNKNOWN
    kind, sign = limit
    units = plan_text.target_units(plan, how.currency)[item.key]
    return how.figure(sign * item.target, tone, units=sign * units, before=f"{kind} ")


def categories_of(
    plan: Plan, line: SpendingLine, currency: str
) -> Sequence[tuple[PlanCategory, int]]:
    """The categories of a line with the whole units that each is written as, which add up to its own."""
    key = dict(SPENDING_LINES)[line]
    current = next(item.current for item in plan.budget if item.key == key)
    categories = [category for category in plan.categories if category.line == line]
    amounts = [category.monthly for category in categories]
    units = plan_text.month_units(plan, currency)[key]
    parts = figures.whole_parts(current, units, amounts, currency)
    return list(zip(categories, parts, strict=True))


def really_saved(plan: Plan, how: Locale) -> page.Sentence:
    """What went to savings and investments in a month of the window."""
    return page.Sentence(f"Actually saved: {how.money(plan.monthly.saved)} a month", "soft")


def budget(plan: Plan, how: Locale) -> page.Section:
    """The three parts of take-home pay: what they are, and what they could be."""
    income, now = plan.monthly.income, plan_text.month_units(plan, how.currency)
    total = max(1, income, *(item.current for item in plan.budget))
    rows = (
        (
            item.label,
            page.ShareBar(item.current, total, _BUDGET_TONES[item.key]),
            how.figure(item.current, units=now[item.key]),
            figures.percent(item.current, income),
            target := _target(plan, item, how, ""),
            page.UNKNOWN if target is page.UNKNOWN else figures.share(item.target_share),
        )
        for item in plan.budget
    )
    columns = ("<", "=", "now>", "of income>", "target>", "of income>")
    split = page.table(columns, rows, spoken="The split of take-home pay")
    return page.Section("budget", "Budget split", (split,))


# --- what to do, and what is regular -------------------------------------------------------------


def actions(plan: Plan, how: Locale) -> page.Section:
    """What to do next, the most useful first."""
    accounts, months = plan.snapshot.accounts, plan.window.months
    if not plan.actions:
        nothing = plan_text.nothing_to_do(accounts, months)
        blocks = (page.Sentence(f"{nothing[0].upper()}{nothing[1:]}.", "soft", indent=1),)
        return page.Section("actions", "What to do next", blocks)
    steps = tuple(
        page.Step(
            step.priority, step.title, plan_text.amount_beside(step, how.currency), step.detail
        )
        for step in plan.actions
    )
    remark = plan_text.more_to_come(accounts, months)
    return page.Section("actions", "What to do next", (page.StepList(steps),), remark)


def income(plan: Plan, how: Locale) -> page.Section:
    """Who pays the person; those that still do, or all when none does."""
    sources = [source for source in plan.income_sources if source.active]
    sources = sources or list(plan.income_sources)
    rows = tuple(_source(source, how) for source in sources)
    if not rows:
        return page.Section(
            "income", "Income", (page.Sentence("None found yet.", "soft", indent=1),)
        )
    return page.Section("income", "Income", (_regular_table(rows, "Sources of income"),))


def _source(source: IncomeSource, how: Locale) -> page.TableRow:
    if source.cadence != "irregular":
        return _regular(source.name, source.amount, _often(source), source.next_date, how)
    # Nothing says how often a payer without a rhythm pays, so the month's mean is told.
    amount = how.money(source.amount)
    often = page.TextSpan(
        f"a month, irregular, about {amount} each time", short=plan_text.RHYTHMS["irregular"]
    )
    return _regular(source.name, source.monthly, often, None, how)


def regular(plan: Plan, snapshot: Snapshot, how: Locale) -> page.Section:
    """The charges that come again, the dearest month first, and interest and fees together."""
    charges, fees = live_text.regular_charges(plan, snapshot)
    rows = [_regular(bill.name, bill.amount, _often(bill), bill.next_date, how) for bill in charges]
    if fees:
        # Fees are in no count and no sum of the heading.
        monthly = page.TextSpan("monthly", short=plan_text.RHYTHMS["monthly"])
        total = sum(fee.monthly for fee in fees)
        rows.append(_regular(f"+ {live_text.FEES}", total, monthly, None, how))
    summary = live_text.describe_charges(plan, snapshot, how.currency)
    if not rows:
        text = "None found yet."
        if not live_text.knows_due(snapshot):
            text = live_text.explain_unknown_due(snapshot)
        return page.Section(
            "recurring", "Recurring", (page.Sentence(text, "soft", indent=1),), summary
        )
    table = _regular_table(tuple(rows), "Recurring charges")
    remark = page.TextSpan(summary, short=summary.rpartition(", ")[2])
    return page.Section("recurring", "Recurring", (table,), remark)


def _often(source: IncomeSource | RecurringCharge) -> page.TextSpan:
    return page.TextSpan(plan_text.OFTEN[source.cadence], short=plan_text.RHYTHMS[source.cadence])


def _regular(
    called: str, amount: int, often: page.TextSpan, expected: date | None, how: Locale
) -> page.TableRow:
    """What comes again: its name, its amount, how often, and when next."""
    next_on = "" if expected is None else f"next on {figures.short_date(expected)}"
    if expected is not None and expected.year != how.today.year:
        next_on += f" {expected.year}"
    return page.TableRow(
        (page.name(called), how.figure(amount), often, page.TextSpan(next_on, short=""))
    )


def _regular_table(rows: tuple[page.TableRow, ...], spoken: str) -> page.PageTable:
    columns = (page.col("!", floor=4), page.col("amount>", most=11, rounds=True), ";~", ";~")
    return page.table(columns, rows, spoken=spoken, gap=1, indent=1, headless=True, long=True)


def notes(plan: Plan) -> tuple[page.Sentence, ...]:
    """What the figures leave out or assume."""
    return page.sentences(plan.notes, "soft", item=True)


def folded_end(hidden: int, *, has_others: bool) -> tuple[str, str]:
    """Where the rest of a folded page stands, alone and with why each figure is so.

    `hidden` is how many notes are not on the page; `has_others` says that others are.
    """
    count = figures.count(hidden, "more note" if has_others else "note")
    line = f"{count} and {EVERY_LINE}" if hidden else EVERY_LINE
    line = f"{line[0].upper()}{line[1:]}"
    return line, f"{line}; {WHY_EACH}"


# --- what agents are told ------------------------------------------------------------------------


def brief(view: PlanView, how: Locale, parts: Collection[str] = ()) -> page.Lines:
    """The plan's figures and what to do, in few lines; of its lists only the `parts` asked for."""
    plan, month, fund = view.plan, view.plan.monthly, view.plan.emergency_fund
    has = plan.snapshot
    firm = " (estimate: much spending is not categorized)."
    yield (
        f"Plan of {plan.generated_on}, averages of {plan.window.since} to {plan.window.until}"
        + (firm if view.standing.provisional else ".")
    )
    yield (
        f"A month: income {how.money(month.income)}, spending {how.money(month.total_spend)}"
        f" (essentials {how.money(month.essentials)}), surplus {how.money(month.surplus)}."
    )
    yield (
        f"Net worth is {how.money(has.net_worth)}, with {how.money(has.liquid_cash)} in cash and"
        f" {how.money(plan.debt.total)} of card debt."
    )
    missing = f", {how.money(fund.gap)} missing." if fund.gap else _describe_reserve(fund)
    yield f"Emergency fund: {fund.months_covered:g} of {fund.target_months} months{missing}"
    yield from _brief_actions(plan, how)
    if view.open_tasks:
        questions = figures.count(len(view.open_tasks), "open task")
        yield f"{questions} for the person: list_tasks."
    texts = (*view.running.text, *plan.notes)
    if texts:
        yield "Notes:"
        yield from (("- ", page.mentioning(text)) for text in texts)
    yield from _brief_lists(plan, how, parts)


def _describe_reserve(fund: EmergencyFund) -> str:
    """What stands for a fund of which nothing is missing, maybe because too little is known."""
    if fund.target_amount == 0:
        return "; no target: essentials are unknown."
    return "; no gap found yet." if fund.months_to_target is None else "; target reached."


def _brief_actions(plan: Plan, how: Locale) -> page.Lines:
    if plan.actions:
        yield "What to do next:"
    for action in plan.actions:
        amount = "" if action.amount is None else f" ({how.money(action.amount)})"
        yield f"{action.priority}. ", page.mentioning(action.title), amount


def _brief_lists(plan: Plan, how: Locale, parts: Collection[str]) -> page.Lines:
    """The lists that were asked for; amounts are those of a month."""
    if "categories" in parts:
        yield "Spending a month by category:"
        for row in plan.categories:
            yield "- ", page.category(row.category, row.label), f": {how.money(row.monthly)}"
    if "incomeSources" in parts:
        yield "Income a month by source:"
        for source in plan.income_sources:
            yield "- ", page.name(source.name), f": {how.money(source.monthly)}"
    if "recurring" in parts:
        yield "Recurring charges a month:"
        for charge in plan.recurring:
            yield "- ", page.name(charge.name), f": {how.money(charge.monthly)}, {charge.cadence}"


def built(view: PlanView, how: Locale) -> page.Lines:
    """What a plan that was just built came to."""
    month = view.plan.monthly
    yield (
        f"Built the plan of {view.plan.generated_on}: income {how.money(month.income)} a month,"
        f" spending {how.money(month.total_spend)}, surplus {how.money(month.surplus)}."
    )
    yield from _brief_actions(view.plan, how)
