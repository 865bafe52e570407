"""What a whole page of the plan has besides: all balances, and how fresh the data are."""

from collections.abc import Sequence

from finplan.model import figures
from finplan.model.plan import DataAge, PlanSnapshot, SnapshotAccount
from finplan.model.snapshot import PlanView, Snapshot, Wealth
from finplan.views import live_words, page, plan_words, standing_words
from finplan.views.locale import Locale, Money


def accounts(view: PlanView, how: Locale) -> page.Section:
    """Every account with its balance, by the part it plays, and what they come to."""
    has = view.plan.snapshot
    worths = standing_words.worths_of(view)
    groups = (
        ("Cash", "cash", has.liquid_cash, worths.cash),
        ("Investments", "investment", has.investments, worths.investments),
        ("Debts", "debt", -has.credit_card_debt - has.other_debt, worths.debts),
    )
    rows: list[page.TableRow] = []
    for label, role, total, worth in groups:
        if members := _of_role(has, role):
            rows.append(_sum(label, total, worth, how))
            rows += (_account(each, _balance(each, how)) for each in members)
    rows += (_account(each, "not counted") for each in _of_role(has, "none"))
    rows.append(_sum("Net worth", has.net_worth, worths.net_worth, how))
    day = f"on {figures.long_date(view.plan.generated_on)}"
    listed = page.table(("!", "balance>"), rows, spoken="Balances of all accounts")
    return page.Section("accounts", "Balances and net worth", (listed,), day)


def _of_role(has: PlanSnapshot, role: str) -> list[SnapshotAccount]:
    return [each for each in has.accounts if each.role == role]


def _sum(label: str, total: int, worth: str, how: Locale) -> page.TableRow:
    figure: page.TableCell = page.UNKNOWN
    if worth != "unknown":
        before = "" if worth == "exact" else f"{worth} "
        figure = how.figure(total, before=before)
    return page.TableRow((label, figure), heads=True)


def _balance(account: SnapshotAccount, how: Locale) -> page.TableCell:
    if account.balance is None:
        return "not told"
    return how.figure(-account.balance if account.role == "debt" else account.balance)


def _account(account: SnapshotAccount, balance: page.TableCell) -> page.TableRow:
    mask = "" if account.mask is None else f" ··{account.mask}"
    bank = page.RowPart((page.name(account.institution_name), mask))
    return page.TableRow((page.name(account.name), balance), level=1, below=(bank,))


def freshness(ages: Sequence[DataAge], how: Locale) -> page.Section:
    """How fresh each connection's data are."""
    title = "How fresh the data are"
    if not ages:
        return page.Section("age", title, (page.Sentence("No bank is linked."),))
    rows = ((page.name(each.institution_name), page.soft(_fetched(each, how))) for each in ages)
    listed = page.table(("!", "last brought in"), rows, spoken="When data last came")
    return page.Section("age", title, (listed,))


def _fetched(each: DataAge, how: Locale) -> str:
    if each.last_synced_at is None:
        return "never"
    return f"{how.days_ago(each.last_synced_at)}, {how.moment(each.last_synced_at)}"


def not_printed(view: PlanView) -> str:
    """What a sheet of paper lacks of the page."""
    questions = figures.count(len(view.open_tasks), "open question")
    asked = f"{questions}, " if view.open_tasks else ""
    return (
        f"Not printed, and on the page itself: {asked}smaller categories one by one, the budget"
        " split, how the allowance comes about, how fresh the data are, and the figures of the pictures."
    )


def origin(view: PlanView, how: Locale) -> str:
    """What a plan's figures are made from, and when it was built."""
    window = plan_words.window_said(view.plan)
    return f"{window[0].upper()}{window[1:]}. Built on {how.moment(view.created_at)}."


IN_AND_OUT = page.Section("months", "Income and spending", (page.Sentence("Nothing to draw yet."),))
"""What stands in the place of the picture of months while there are none."""

IN_FIGURES = "In figures"


def net_worth(view: PlanView, wealth: Wealth, how: Locale) -> page.Section:
    """Net worth today; without blocks where there is a picture of it to draw."""
    worth = standing_words.worths_of(view).net_worth
    if worth == "unknown":
        why = ". A balance that it rests on was not told."
        return page.Section("worth", "Net worth", (page.Sentence((page.UNKNOWN, why)),))
    if not wealth.history or not view.plan.snapshot.accounts:
        return page.Section("worth", "Net worth", (page.Sentence("Nothing to draw yet."),))
    before = "" if worth == "exact" else f"{worth} "
    today = Money(
        wealth.balances.net_worth, how.currency, whole=True, before=before, after=" today"
    )
    return page.Section("worth", "Net worth", remark=today)


def bills(snapshot: Snapshot, how: Locale) -> page.Section:
    """What is due in thirty days together; a sentence where there is nothing to draw."""
    if not live_words.due_is_known(snapshot):
        text = live_words.when_due_is_known(snapshot)
        return page.Section("bills", "Bills ahead", (page.Sentence(text),))
    if not live_words.due_soon(snapshot):
        return page.Section("bills", "Bills ahead", (page.Sentence("Nothing expected."),))
    until = figures.short_date(snapshot.due.until)
    return page.Section(
        "bills", "Bills ahead", remark=f"{how.money(snapshot.due.total)} to {until}"
    )


def notes(view: PlanView, how: Locale) -> page.Section:
    """What changed, and what the figures leave out or assume."""
    change = live_words.change_said(view.plan, view.snapshot, how.currency, how.zone)
    texts = [*change, *view.plan.notes]
    if not texts:
        return page.Section("notes", "Notes", (page.Sentence("Nothing to note."),))
    return page.Section("notes", "Notes", page.sentences(texts, item=True))


BRING_DATA = (
    "Bring transactions in with `finplan import FILE` or `finplan connections sync`, then build the plan"
    " anew: `finplan plan build`."
)
FOOTER = (
    "Made by finplan on this machine, from your own data. How each figure comes about: `finplan plan"
    " explain`."
)
