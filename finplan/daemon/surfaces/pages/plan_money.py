"""What the page says of money: where it goes, what is safe to spend, the reserve, the debts."""

from collections.abc import Iterator, Sequence

from finplan.daemon.surfaces.pages.markup import (
    NOT_KNOWN_YET,
    UNKNOWN,
    Locale,
    Markup,
    bar,
    bounded,
    cell,
    command,
    element,
    facts,
    joined,
    name,
    row,
    section,
    table,
    with_bar,
)
from finplan.model import figures, live_words, plan_words, standing_words
from finplan.model.category import SpendingLine
from finplan.model.plan import BudgetItem, BudgetKey, Card, Plan, PlanCategory
from finplan.model.snapshot import MoneyGroup, PlanView, Snapshot

SPENDING_LINES: tuple[tuple[SpendingLine, BudgetKey], ...] = (
    ("essential", "essentials"),
    ("discretionary", "discretionary"),
)


def headline(view: PlanView, locale: Locale) -> Markup:
    """The four figures that answer most questions."""
    plan, snapshot = view.plan, view.snapshot
    unanswered = view.standing.money_in_unknown
    label, left = plan_words.surplus_headline(plan, view.running, unanswered, locale.currency)
    head, amount = live_words.today_headed(snapshot)
    today, cash, worth = (
        locale.exact(amount) if snapshot.allowance.today >= 0 else locale.lacking(amount),
        locale.rounded(snapshot.balances.cash),
        locale.rounded(snapshot.balances.net_worth),
    )
    worths = standing_words.worths(plan.snapshot.accounts, view.standing)
    if worths.cash == "unknown":
        head, today = live_words.SAFE_TODAY, UNKNOWN
    cash, worth = bounded(worths.cash, cash), bounded(worths.net_worth, worth)
    return element(
        "dl",
        *(
            element("div", element("dt", title), element("dd", figure))
            for title, figure in (
                (head, today),
                (label, UNKNOWN if left is None else locale.units(left)),
                ("Cash", cash),
                ("Net worth", worth),
            )
        ),
        class_="headline",
    )


# --- where the money goes ------------------------------------------------------------------------


def flow(plan: Plan, picture: Markup | None, locale: Locale) -> Markup:
    """What comes in, what each line and category takes, what is left; the units add up as written.

    `picture` shows the largest of it.
    """
    heads = (("", False), ("a month", True), ("of income", True), ("target", True))
    drawn = table("Where the money of a month goes", heads, _flow_rows(plan, locale))
    beside = drawn if picture is None else element("div", picture, drawn, class_="beside")
    return section("flow", "Where the money goes", beside)


def _flow_rows(plan: Plan, locale: Locale) -> Iterator[Markup]:
    currency, income = locale.currency, plan.monthly.income
    items = {item.key: item for item in plan.budget}
    month = plan_words.month_units(plan, currency)
    targets = plan_words.target_units(plan, currency)
    units = figures.whole_units(income, currency)
    yield row(
        "Income",
        cell(locale.units(units), figure=True),
        cell(figures.percent(income, income), figure=True),
        cell(None),
        class_="line",
    )
    for line, key in SPENDING_LINES:
        item = items[key]
        yield _line_row(item.label, item, month[key], targets[key], plan, locale)
        yield from _category_rows(plan, line, locale)
    saved = items["savings"]
    label = plan_words.left_over_label(saved)
    yield _line_row(label, saved, month["savings"], targets["savings"], plan, locale)


def _line_row(
    label: str,
    item: BudgetItem,
    units: int,
    target: int,
    plan: Plan,
    locale: Locale,
) -> Markup:
    income, wants_more = plan.monthly.income, item.key == "savings"
    missed = item.current < item.target if wants_more else item.current > item.target
    missed = missed and (income > 0 or item.current < 0)
    flag = element("span", "short" if wants_more else "over", class_="flag") if missed else None
    return row(
        label,
        cell(locale.units(units), figure=True),
        cell(_of_income(item.current, income), figure=True),
        cell(_target(plan, item.key, target, flag, locale), figure=True),
        class_="line",
    )


def _target(plan: Plan, key: BudgetKey, target: int, flag: Markup | None, locale: Locale) -> Markup:
    """A target with the kind of limit that it is, after a flag for who misses it."""
    limit = plan_words.target_limit(plan, key)
    if limit is None:
        return UNKNOWN
    kind, sign = limit
    return joined(flag, " ", f"{kind} ", locale.units(sign * target))


def categories_of(
    plan: Plan, line: SpendingLine, currency: str
) -> Sequence[tuple[PlanCategory, int]]:
    """The categories of a line with the whole units that each is written as, which add up to its own."""
    key = dict(SPENDING_LINES)[line]
    current = next(item.current for item in plan.budget if item.key == key)
    categories = [each for each in plan.categories if each.line == line]
    amounts = [each.monthly for each in categories]
    units = plan_words.month_units(plan, currency)[key]
    parts = figures.whole_parts(current, units, amounts, currency)
    return list(zip(categories, parts, strict=True))


def _category_rows(plan: Plan, line: SpendingLine, locale: Locale) -> Iterator[Markup]:
    for category, part in categories_of(plan, line, locale.currency):
        yield row(
            name(category.label),
            cell(locale.units(part), figure=True),
            cell(_of_income(category.monthly, plan.monthly.income), figure=True),
            cell(None),
        )


def _of_income(amount: int, income: int) -> str:
    return figures.percent(amount, income).replace("-", "\N{MINUS SIGN}")


# --- what is safe to spend -----------------------------------------------------------------------


def safe_to_spend(plan: Plan, snapshot: Snapshot, locale: Locale) -> Markup:
    """Today's figure, a day's share, and what is due before the next income."""
    allowance, currency = snapshot.allowance, locale.currency
    unknown = plan_words.cash_is_unknown(plan.snapshot.accounts) or snapshot.waits_for_answers
    today, daily, left = (
        UNKNOWN if unknown else locale.exact(amount)
        for amount in (allowance.today, allowance.daily, allowance.breakdown.remaining)
    )
    due = snapshot.due.total
    warning = live_words.warning_said(plan, snapshot, currency)
    known = live_words.due_is_known(snapshot)
    bills = locale.exact(due) if known else NOT_KNOWN_YET
    pairs = (
        ("Today", today, live_words.today_said(snapshot, currency)),
        (live_words.DAYS_SHARE, daily, live_words.days_said(snapshot)),
        ("Left this period", left, live_words.left_said(plan, snapshot, currency)),
        ("Bills in 30 days", bills, name(live_words.next_due_said(snapshot))),
    )
    return section(
        "safe",
        "What is safe to spend",
        facts(pairs),
        _way_to_tell(plan),
        element("p", warning) if warning else None,
        element("p", live_words.pace_said(plan, snapshot, currency), class_="soft"),
    )


def _way_to_tell(plan: Plan) -> Markup | None:
    """How to tell the first balance that a figure waits for; nothing when none does."""
    waiting = plan_words.awaited_balance(plan.snapshot.accounts)
    if waiting is None:
        return None
    line = f"finplan accounts set {waiting.id} --balance AMOUNT"
    return element("p", "Tell the balance of ", name(waiting.name), ": ", command(line))


def breakdown(plan: Plan, snapshot: Snapshot, locale: Locale) -> Markup:
    """How the allowance comes about, line by line."""
    rows = [
        row(
            label,
            cell(UNKNOWN if amount is None else locale.exact(amount, warns=is_total), figure=True),
            class_="line" if is_total else None,
        )
        for label, amount, is_total in live_words.breakdown_rows(snapshot, plan)
    ]
    manual = snapshot.income.source == "manual"
    return section(
        "breakdown",
        "How it comes about",
        table("How the allowance of this period comes about", (("", False), ("", True)), rows),
        remark="your own figure of income" if manual else None,
    )


def this_month(plan: Plan, snapshot: Snapshot, locale: Locale) -> Markup:
    """Each theme of spending this calendar month against what is usual."""
    if not snapshot.groups:
        return section("month", "This month", element("p", "Nothing spent yet."))
    is_due = any(group.upcoming for group in snapshot.groups)
    figured = ("spent", *(("due",) if is_due else ()), "usual", "left")
    heads = (("", False), *((head, True) for head in figured))
    rows = (_group_row(group, plan, locale, is_due=is_due) for group in snapshot.groups)
    return section("month", "This month", table("Spending this month", heads, rows))


def _group_row(group: MoneyGroup, plan: Plan, locale: Locale, *, is_due: bool) -> Markup:
    whole = max(group.usual, group.spent + group.upcoming)
    ahead = locale.rounded(group.upcoming) if group.upcoming else None
    due = (cell(ahead, figure=True),) if is_due else ()
    tone = "over" if group.left < 0 else group.line
    return row(
        with_bar(name(group.label), bar(group.spent, whole, tone, due=group.upcoming)),
        cell(locale.rounded(group.spent), figure=True),
        *due,
        cell(locale.rounded(group.usual), figure=True),
        cell(locale.rest(group, plan), figure=True),
    )


# --- fund, debts and budget ----------------------------------------------------------------------


def fund(view: PlanView, locale: Locale) -> Markup:
    """How long the household lasts on its cash, and what is missing."""
    plan, reserve = view.plan, view.plan.emergency_fund
    worths = standing_words.worths(plan.snapshot.accounts, view.standing)
    title = "Emergency fund"
    if worths.cash == "unknown":
        return section(
            "fund", title, facts([("Covers", UNKNOWN, "until the balance of cash is told")])
        )
    covered = element("span", f"{reserve.months_covered:.1f} months", class_="figure")
    said = standing_words.fund_said(plan, locale.currency)
    pairs = [("Covers", bounded(worths.available, covered), said)]
    if reserve.target_amount:
        pairs.append(("Target", locale.rounded(reserve.target_amount), _target_said(view)))
    if reserve.gap and reserve.monthly_contribution:
        pairs.append(("Put aside", locale.rounded(reserve.monthly_contribution), "a month"))
    there = reserve.target_amount - reserve.gap
    # A full bar says that the target is reached.
    open_ = reserve.gap == 0 and reserve.months_to_target is None
    drawn = (
        bar(there, reserve.target_amount, "income") if reserve.target_amount and not open_ else None
    )
    return section("fund", title, facts(pairs), drawn)


def _target_said(view: PlanView) -> str:
    reserve, needs = view.plan.emergency_fund, view.plan.monthly.essentials
    told = f"{figures.count(reserve.target_months, 'month')} of essentials"
    if reserve.target_amount == reserve.target_months * needs:
        return told
    return f"{told} and of regular charges not yet known"


def debts(view: PlanView, locale: Locale) -> Markup:
    """Each card with what it owes, the loans, and the way out."""
    plan = view.plan
    title, debt, loans = "Debts", plan.debt, plan.snapshot.other_debt
    worths = standing_words.worths(plan.snapshot.accounts, view.standing)
    pairs: list[tuple[str, Markup, str]] = []
    if worths.cards == "unknown":
        pairs = [("Credit cards", UNKNOWN, "what is owed was not told")]
    elif debt.cards:
        told = standing_words.debt_said(plan, worths.cards, locale.currency)
        pairs = [("Credit cards", locale.exact(debt.total), told)]
    if loans:
        told = "at least; still owed" if worths.loans == "at least" else "still owed"
        pairs.append(("Loans", locale.exact(loans), told))
    elif worths.loans == "unknown":
        pairs.append(("Loans", UNKNOWN, "what is owed was not told"))
    if not pairs:
        return section("debts", title, element("p", "Nothing owed."))
    cards = None
    if len(debt.cards) > 1 or any(card.limit is not None for card in debt.cards):
        heads = (("card", False), ("owed", True), ("limit", True), ("in use", True))
        cards = table("Credit cards", heads, (_card_row(card, locale) for card in debt.cards))
    return section("debts", title, facts(pairs), cards)


def _card_row(card: Card, locale: Locale) -> Markup:
    used = "–" if card.utilization is None else figures.share(card.utilization)
    return row(
        name(card.name),
        cell(locale.exact(card.balance), figure=True),
        cell("–" if card.limit is None else locale.rounded(card.limit), figure=True),
        cell(used, figure=True),
    )


def budget(plan: Plan, locale: Locale) -> Markup:
    """The three parts of take-home pay: what they are, and what they could be."""
    now = plan_words.month_units(plan, locale.currency)
    targets = plan_words.target_units(plan, locale.currency)
    income = plan.monthly.income
    heads = (
        ("", False),
        ("now", True),
        ("of income", True),
        ("target", True),
        ("of income", True),
    )
    tones = {"essentials": "essential", "discretionary": "discretionary", "savings": "income"}
    whole = max(1, income, *(item.current for item in plan.budget))
    rows = (
        row(
            with_bar(item.label, bar(item.current, whole, tones[item.key])),
            cell(locale.units(now[item.key]), figure=True),
            cell(_of_income(item.current, income), figure=True),
            cell(_target(plan, item.key, targets[item.key], None, locale), figure=True),
            cell(_target_share(plan, item), figure=True),
        )
        for item in plan.budget
    )
    return section("budget", "Budget split", table("The split of take-home pay", heads, rows))


def _target_share(plan: Plan, item: BudgetItem) -> Markup | str:
    unknown = plan_words.target_limit(plan, item.key) is None
    return UNKNOWN if unknown else figures.share(item.target_share)
