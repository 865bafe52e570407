"""What a whole page of the plan has besides: all balances, and how fresh the data are."""

from collections.abc import Sequence
from datetime import date

from finplan.model import figures
from finplan.model.plan import DataAge, PlanSnapshot, SnapshotAccount
from finplan.model.snapshot import PlanView, Snapshot, Wealth
from finplan.views import live_text, page, plan_text, unknowns
from finplan.views.locale import Locale, Money


def accounts(view: PlanView, how: Locale) -> page.Section:
    """Every account with its balance, by the part it plays, and what they come to."""
    has = view.plan.snapshot
    worths = unknowns.worths_of(view)
    groups = (
        ("Cash", "cash", has.liquid_cash, worths.cash),
        ("Investments", "investment", has.investments, worths.investments),
        ("Debts", "debt", -has.credit_card_debt - has.other_debt, worths.debts),
    )
    rows: list[page.TableRow] = []
    for label, role, total, worth in groups:
        if members := _of_role(has, role):
            rows.append(_sum(label, total, worth, how))
            rows += (_account(member, _balance(member, how)) for member in members)
    rows += (_account(account, "not counted") for account in _of_role(has, "none"))
    rows.append(_sum("Net worth", has.net_worth, worths.net_worth, how))
    day = f"on {figures.long_date(view.plan.generated_on)}"
    listed = page.table(("!", "balance>"), rows, spoken="Balances of all accounts")
    return page.Section("accounts", "Balances and net worth", (listed,), day)


def _of_role(has: PlanSnapshot, role: str) -> list[SnapshotAccount]:
    return [account for account in has.accounts if account.role == role]


def _sum(label: str, total: int, worth: str, how: Locale) -> page.TableRow:
    figure: page.TableCell = page.UNKNOWN
    if worth != "unknown":
        before = "" if worth == "exact" else f"{worth} "
        figure = how.figure(total, before=before)
    return page.TableRow((label, figure), heads=True)


def _balance(account: SnapshotAccount, how: Locale) -> page.TableCell:
    if account.balance is None:
        return "missing"
    return how.figure(-account.balance if account.role == "debt" else account.balance)


def _account(account: SnapshotAccount, balance: page.TableCell) -> page.TableRow:
    mask = "" if account.mask is None else f" ··{account.mask}"
    bank = page.RowPart((page.name(account.institution_name), mask))
    return page.TableRow((page.name(account.name), balance), level=1, below=(bank,))


def freshness(ages: Sequence[DataAge], how: Locale) -> page.Section:
    """How fresh each connection's data are."""
    title = "Last synced"
    if not ages:
        return page.Section("age", title, (page.Sentence("No linked banks."),))
    rows = ((page.name(age.institution_name), page.soft(_format_sync(age, how))) for age in ages)
    listed = page.table(("!", "last synced"), rows, spoken="Last sync of each bank")
    return page.Section("age", title, (listed,))


def _format_sync(age: DataAge, how: Locale) -> str:
    if age.last_synced_at is None:
        return "never"
    return f"{how.days_ago(age.last_synced_at)}, {how.moment(age.last_synced_at)}"


def not_printed(view: PlanView) -> str:
    """What a sheet of paper lacks of the page."""
    questions = figures.count(len(view.open_tasks), "open task")
    tasks = f"{questions}, " if view.open_tasks else ""
    return (
        f"Shown only on screen, not in print: {tasks}smaller categories, the budget split, how"
        " safe to spend"
        " adds up, last syncs, and the figures of the charts."
    )


def origin(view: PlanView, how: Locale) -> str:
    """What a plan's figures are made from, and when it was built."""
    window = plan_text.describe_window(view.plan)
    return f"{window[0].upper()}{window[1:]}. Built on {how.moment(view.created_at)}."


def data_end(last: date | None, by_statements: bool, how: Locale) -> tuple[str, ...]:
    """Up to which day transactions are known; nothing where there are none."""
    if last is None:
        return ()
    year = "" if last.year == how.today.year else f" {last.year}"
    what = "Statements end on" if by_statements else "Bank data up to"
    return (f"{what} {last.day} {last:%b}{year}.",)


IN_AND_OUT = page.Section("months", "Income and spending", (page.Sentence("No data yet."),))
"""What stands in the place of the picture of months while there are none."""

IN_FIGURES = "In figures"


def net_worth(view: PlanView, wealth: Wealth, how: Locale) -> page.Section:
    """Net worth today; without blocks where there is a picture of it to draw."""
    worth = unknowns.worths_of(view).net_worth
    if worth == "unknown":
        why = ": a balance is missing."
        return page.Section("worth", "Net worth", (page.Sentence((page.UNKNOWN, why)),))
    if not wealth.history or not view.plan.snapshot.accounts:
        return page.Section("worth", "Net worth", (page.Sentence("No data yet."),))
    before = "" if worth == "exact" else f"{worth} "
    today = Money(
        wealth.balances.net_worth, how.currency, rounded=True, before=before, after=" today"
    )
    return page.Section("worth", "Net worth", remark=today)


def bills(snapshot: Snapshot, how: Locale) -> page.Section:
    """What is due in thirty days together; a sentence where there is nothing to draw."""
    if not live_text.knows_due(snapshot):
        text = live_text.explain_unknown_due(snapshot)
        return page.Section("bills", "Bills by day", (page.Sentence(text),))
    if not live_text.due_soon(snapshot):
        return page.Section("bills", "Bills by day", (page.Sentence("Nothing due."),))
    until = figures.short_date(snapshot.due.until)
    return page.Section(
        "bills", "Bills by day", remark=f"{how.money(snapshot.due.total)} due by {until}"
    )


def notes(view: PlanView, how: Locale) -> page.Section:
    """What changed, and what the figures exclude or assume."""
    change = live_text.describe_change(view.plan, view.snapshot, how.currency, how.zone)
    texts = [*change, *view.plan.notes]
    if not texts:
        return page.Section("notes", "Notes", (page.Sentence("No notes."),))
    return page.Section("notes", "Notes", page.sentences(texts, item=True))


BRING_DATA = (
    "Add transactions with `finplan import FILE` or `finplan connections sync`, then build the plan"
    " again: `finplan plan build`."
)
FOOTER = (
    "Made by finplan on this machine, from your own data. See how each figure is calculated:"
    " `finplan plan explain`."
)
