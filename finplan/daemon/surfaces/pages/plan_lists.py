"""The lists of the page: what to do, what to answer, what comes again, what is due, what there is."""

from collections.abc import Sequence
from datetime import date

from finplan.daemon.surfaces.pages.markup import (
    PRINTED,
    Locale,
    Markup,
    bounded,
    cell,
    command,
    element,
    joined,
    lines,
    name,
    not_printed,
    row,
    section,
    sentence,
    table,
)
from finplan.model import figures, live_words, plan_words, standing_words
from finplan.model.plan import Action, DataAge, IncomeSource, Plan, SnapshotAccount
from finplan.model.snapshot import PlanView, Snapshot
from finplan.model.task import CategorizePayee, Task

AMOUNTS = (("", False), ("amount", True))
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


# --- what to do ----------------------------------------------------------------------------------


def actions(plan: Plan, locale: Locale) -> Markup:
    """What to do next, the most useful first."""
    title = "What to do next"
    if not plan.actions:
        said = plan_words.nothing_to_do(plan.snapshot.accounts, plan.window.months)
        return section("actions", title, element("p", f"{said[0].upper()}{said[1:]}."))
    items = (_action(action, locale) for action in plan.actions)
    more = plan_words.more_to_come(plan.snapshot.accounts, plan.window.months)
    waiting = element("p", f"{more[0].upper()}{more[1:]}.") if more else None
    listed = element("ol", *items, class_=f"actions first-{PRINTED}")
    return section("actions", title, listed, not_printed(len(plan.actions)), waiting)


def _action(action: Action, locale: Locale) -> Markup:
    beside = plan_words.amount_beside(action, locale.currency)
    amount = element("span", beside, class_="figure") if beside else None
    return element(
        "li",
        element("div", element("h3", action.title), amount, class_="heading"),
        element("p", sentence(action.detail)),
    )


def questions(tasks: Sequence[Task], locale: Locale, way: str | None = None) -> Markup:
    """The open questions, the most money first, and how to answer them: on the page of `way`, if any."""
    title = "Open questions"
    if not tasks:
        return section("questions", title, element("p", "No open questions."))
    payees = [task for task in tasks if isinstance(task, CategorizePayee)]
    others = [task for task in tasks if not isinstance(task, CategorizePayee)]
    heads = (("What is …", False), ("charges", True), ("total", True))
    asked = (
        table("Payees without a category", heads, (_payee_row(task, locale) for task in payees))
        if payees
        else None
    )
    rest = element("ul", *map(_other, others)) if others else None
    if way is not None:
        here = element("p", element("a", "Answer them", href=way, class_="button"))
        return section("questions", title, asked, rest, here)
    how = element(
        "p",
        "Answer them one after the other with ",
        command("finplan tasks answer"),
        "; a question that makes no sense is dismissed with ",
        command("finplan tasks answer PAYEE --dismiss"),
        ".",
        class_="soft",
    )
    return section("questions", title, asked, rest, how if payees else None)


def _payee_row(task: CategorizePayee, locale: Locale) -> Markup:
    asked = [name(task.payee)]
    if task.confidence is not None:
        sure = f" ({figures.share(task.confidence)})"
        label = name(task.suggested_label)
        asked.append(element("span", "perhaps ", label, sure, class_="soft small"))
    if said := plan_words.suggestion_said(task, locale.currency):
        asked.append(element("span", said, class_="soft small"))
    return row(
        lines(*asked),
        cell(f"{task.count:,}", figure=True),
        cell(locale.exact(task.total), figure=True),
    )


def _other(task: Task) -> Markup:
    way = sentence(plan_words.way_on(task, task.id))
    return element("li", name(plan_words.question(task)), " ", way)


# --- what comes again ----------------------------------------------------------------------------


def recurring(plan: Plan, snapshot: Snapshot, locale: Locale) -> Markup:
    """The charges that come again, the dearest month first, and interest and fees apart from them."""
    title = "Regular charges"
    if not plan.recurring:
        said = "None found yet."
        if not live_words.due_is_known(snapshot):
            said = f"Not known yet: {live_words.next_due_said(snapshot)}."
        return section("recurring", title, element("p", said))
    charges, fees = live_words.regular_charges(plan, snapshot)
    rows = (
        row(
            _with_days(charge.name, charge.cadence, charge.next_date, locale, told),
            cell(locale.exact(charge.amount), figure=True),
        )
        for some, told in ((charges, ""), (fees, f"{live_words.FEES}, beside the bills: "))
        for charge in some
    )
    remark = live_words.charges_said(plan, snapshot, locale.currency)
    return section(
        "recurring", title, table("Regular charges", AMOUNTS, rows, long=True), remark=remark
    )


def income(plan: Plan, locale: Locale) -> Markup:
    """Who pays the person; those that still do, or all when none does."""
    title = "Income"
    sources = [source for source in plan.income_sources if source.active]
    sources = sources or list(plan.income_sources)
    if not sources:
        return section("income", title, element("p", "None found yet."))
    rows = (_source_row(source, locale) for source in sources)
    return section("income", title, table("Sources of income", AMOUNTS, rows, long=True))


def _source_row(source: IncomeSource, locale: Locale) -> Markup:
    if source.cadence == "irregular":
        # Nothing says how often a payer without a rhythm pays, so the month's mean comes first.
        often = f"irregular, about {figures.money(source.amount, locale.currency)} each time"
        label = lines(name(source.name), element("span", often, class_="soft small"))
        return row(label, cell(joined(locale.exact(source.monthly), " a month"), figure=True))
    label = _with_days(source.name, source.cadence, source.next_date, locale)
    return row(label, cell(locale.exact(source.amount), figure=True))


def _with_days(
    called: str, cadence: str, expected: date | None, locale: Locale, told: str = ""
) -> Markup:
    often = f"{told}{OFTEN[cadence]}"
    if expected is not None:
        year = "" if expected.year == locale.today.year else f" {expected.year}"
        often += f", next on {figures.short_date(expected)}{year}"
    return lines(name(called), element("span", often, class_="soft small"))


def upcoming(snapshot: Snapshot, locale: Locale) -> Markup:
    """What is due in the next thirty days, day by day."""
    title = "Due in 30 days"
    due = live_words.due_soon(snapshot)
    besides = [
        element("p", said, class_="soft")
        for said in (
            live_words.card_bills_said(snapshot, locale.currency),
            live_words.repayments_said(snapshot, locale.currency),
        )
        if said
    ]
    if not due:
        said = "Nothing expected."
        if not live_words.due_is_known(snapshot):
            said = f"Not known yet: {live_words.next_due_said(snapshot)}."
        return section("upcoming", title, element("p", said), *besides)
    total = figures.money(snapshot.due.total, locale.currency)
    rows = (
        row(
            figures.short_date(charge.date),
            cell(name(charge.title)),
            cell(locale.exact(charge.amount), figure=True),
        )
        for charge in due
    )
    heads = (("day", False), ("", False), ("amount", True))
    charges = table("Expected charges", heads, rows, long=True)
    return section("upcoming", title, charges, *besides, remark=total)


# --- what there is -------------------------------------------------------------------------------


def accounts(view: PlanView, locale: Locale) -> Markup:
    """Every account with its balance, by the part it plays, and what they come to."""
    plan, snapshot = view.plan, view.plan.snapshot
    worths = standing_words.worths(snapshot.accounts, view.standing)
    title = "Balances and net worth"
    groups = (
        ("Cash", "cash", snapshot.liquid_cash, worths.cash),
        ("Investments", "investment", snapshot.investments, worths.investments),
        ("Debts", "debt", -snapshot.credit_card_debt - snapshot.other_debt, worths.debts),
    )
    rows: list[Markup] = []
    for label, role, total, worth in groups:
        members = [each for each in snapshot.accounts if each.role == role]
        if members:
            figure = bounded(worth, locale.exact(total))
            rows.append(row(label, cell(figure, figure=True), class_="line"))
            rows += (_account_row(each, locale) for each in members)
    uncounted = [each for each in snapshot.accounts if each.role == "none"]
    rows += (row(_called(each), cell("not counted", figure=True)) for each in uncounted)
    total_worth = bounded(worths.net_worth, locale.exact(snapshot.net_worth))
    rows.append(row("Net worth", cell(total_worth, figure=True), class_="line sum"))
    drawn = table("Balances of all accounts", (("", False), ("balance", True)), rows)
    day = f"on {figures.long_date(plan.generated_on)}"
    return section("accounts", title, drawn, remark=day)


def _account_row(account: SnapshotAccount, locale: Locale) -> Markup:
    if account.balance is None:
        return row(_called(account), cell("not told", figure=True))
    amount = -account.balance if account.role == "debt" else account.balance
    return row(_called(account), cell(locale.exact(amount), figure=True))


def _called(account: SnapshotAccount) -> Markup:
    mask = "" if account.mask is None else f" ··{account.mask}"
    bank = element("span", name(account.institution_name), mask, class_="soft small")
    return lines(name(account.name), bank)


def data_age(ages: Sequence[DataAge], locale: Locale) -> Markup:
    """How fresh each connection's data are."""
    title = "How fresh the data are"
    if not ages:
        return section("age", title, element("p", "No bank is linked."))
    rows = (row(name(each.institution_name), cell(_fetched(each, locale))) for each in ages)
    drawn = table("When data last came", (("", False), ("last brought in", False)), rows)
    return section("age", title, drawn)


def _fetched(each: DataAge, locale: Locale) -> str:
    if each.last_synced_at is None:
        return "never"
    return f"{locale.age(each.last_synced_at)}, {locale.moment(each.last_synced_at)}"
