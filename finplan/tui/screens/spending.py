"""Where the money goes: from categories to merchants to single rows, for any days, month by month.

The days are a month to step through, or whatever was said in words, such as "this pay period".
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, get_args

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.widgets import DataTable, Static

from finplan.model import figures, transaction
from finplan.model.base import Nothing
from finplan.model.category import CategoryChoice
from finplan.model.paydays import INCOMES, main_pay, paydays, rows_of_pay
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_RECURRING
from finplan.operations.plan import SHOW_SNAPSHOT
from finplan.operations.transaction import LIST_TRANSACTIONS, QUERY_SPENDING, QUERY_SPENDING_MONTHS
from finplan.periods.grammar import UnclearPeriod
from finplan.periods.reading import asks_for_paydays, read_period
from finplan.terminal.months import lay_out_months
from finplan.tui.dialogs import TypedDialog
from finplan.tui.drawing import CAUTION, FAINT, HEAD, STRONG, ends, styled
from finplan.tui.flows.rewording import Rewordings
from finplan.tui.household import Feed, NotAnswered
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import LedgerTable
from finplan.views import spending, transactions
from finplan.views.locale import Locale
from finplan.views.page import PageTable


@dataclass(frozen=True, slots=True)
class ShownPeriod:
    """Days from `since` to `until`, both included; `label` is what they are called."""

    since: date | None
    until: date | None
    label: str

    def stepped(self, step: int, today: date) -> "ShownPeriod":
        """As many days or months earlier or later; what has no beginning stays as it is."""
        if self.since is None:
            return self
        until = self.until or today
        if self.since.day == 1 and (_is_month_end(until) or self.until is None or until == today):
            months = (until.year - self.since.year) * 12 + until.month - self.since.month + 1
            return whole_months(_months_after(self.since, step * months), months)
        days = (until - self.since).days + 1
        since, last = self.since + timedelta(days * step), until + timedelta(days * step)
        return ShownPeriod(since, last, figures.day_span(since, last))


def month_of(day: date) -> ShownPeriod:
    """The calendar month of a day."""
    return whole_months(day.replace(day=1), 1)


def whole_months(first: date, months: int) -> ShownPeriod:
    """So many months from the first day of one on."""
    until = _months_after(first, months) - timedelta(1)
    return ShownPeriod(first, until, figures.month_span(first, until))


def spoken(text: str, today: date, paydays: Sequence[date] = ()) -> ShownPeriod:
    """The days that words mean; an empty text means all. Raises UnclearPeriod."""
    if not text.strip():
        return ShownPeriod(None, None, "all time")
    period = read_period(text, today, paydays)
    return ShownPeriod(period.since, period.until, period.told)


def _months_after(first: date, months: int) -> date:
    number = first.year * 12 + first.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _is_month_end(day: date) -> bool:
    return (day + timedelta(1)).day == 1


async def known_paydays(feed: Feed, today: date) -> list[date]:
    """The days on which the main pay came lately, and the next one. Raises NotAnswered."""
    now = await feed.ask(SHOW_SNAPSHOT, Nothing())
    series = await feed.ask(LIST_RECURRING, INCOMES)
    pay = main_pay(series, now)
    if pay is None:
        return []
    page = await feed.ask(LIST_TRANSACTIONS, rows_of_pay(pay, today))
    return paydays(pay, page.transactions, now)


PAGE = 200
"""How many rows are fetched at once; at their end the next ones are."""


GROUPINGS: Sequence[transaction.MonthlyGrouping] = get_args(transaction.MonthlyGrouping)

REMARK_KEYS = {name[0]: name for name in transaction.RowRemarks.model_fields}
"""The keys under which a person remarks something on a row."""

ROW_KEYS = (
    "Enter details  c category  s split"
    + "".join(f"  {key} {name}" for key, name in REMARK_KEYS.items())
    + "  u undo  Esc back"
)


class EnteredGroup(NamedTuple):
    """A group that was gone into: what it is one of, its key and its label."""

    grouping: transaction.MonthlyGrouping
    key: str
    label: str


@dataclass(frozen=True)
class View:
    """What is looked at: the days, the groups gone into or words in rows, and how."""

    period: ShownPeriod
    by: transaction.MonthlyGrouping = "category"
    entered: tuple[EnteredGroup, ...] = ()
    text: str | None = None
    monthly: bool = False

    @property
    def shows_rows(self) -> bool:
        """Whether single rows are shown, and not groups; a category is shown by its merchants."""
        return self.text is not None or any(group.grouping != "category" for group in self.entered)

    @property
    def group(self) -> transaction.MonthlyGrouping:
        """What the sums are made by."""
        return "merchant" if self.entered else self.by

    @property
    def filters(self) -> dict[str, Any]:
        """What narrows the rows to the groups that were gone into."""
        return {group.grouping: (group.key,) for group in self.entered}


@dataclass(frozen=True)
class FoundSpending:
    """The answers for one view."""

    view: View
    categories: tuple[CategoryChoice, ...]
    report: transaction.SpendingReport
    months: transaction.SpendingMonths | None
    rows: transaction.TransactionPage | None
    how: Locale


class SpendingScreen(HouseholdScreen[FoundSpending]):
    """Enter goes into a line, Escape out again."""

    PLACE = "spending"
    WELCOMES = True
    BINDINGS: ClassVar = [
        Binding("escape", "out", "Back", show=False),
        Binding("left_square_bracket", "step(-1)", "Earlier", key_display="["),
        Binding("right_square_bracket", "step(1)", "Later", key_display="]"),
        Binding("p", "period", "Days"),
        Binding("b", "turn_grouping", f"By {', '.join(GROUPINGS[1:])}"),
        Binding("m", "turn_monthly", "Months"),
        Binding("slash", "find", "Find", key_display="/"),
        Binding("c", "reword('category')", "Category", show=False),
        Binding("s", "reword('split')", "Split", show=False),
        *(
            Binding(key, f"reword('{name}')", name.capitalize(), show=False)
            for key, name in REMARK_KEYS.items()
        ),
        Binding("u", "reword('undo')", "Undo", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.view: View | None = None
        self._rows: tuple[transaction.Transaction, ...] = ()
        self._next: str | None = None
        self._paydays: list[date] | None = None

    @cached_property
    def _rewordings(self) -> Rewordings:
        return Rewordings(self.household)

    def compose_body(self) -> ComposeResult:
        """What is looked at, and the table."""
        yield Static(id="looked_at")
        yield LedgerTable("spending")
        yield Static(id="keys")

    async def gather(self, feed: Feed) -> FoundSpending:
        """Ask for what is looked at now."""
        view = self.view or View(month_of(feed.today()))
        self.view = view
        query = _spending(view, feed)
        categories, report = await asyncio.gather(
            feed.ask(LIST_CATEGORIES, Nothing()), feed.ask(QUERY_SPENDING, query)
        )
        months = rows = None
        if view.shows_rows:
            rows = await feed.ask(LIST_TRANSACTIONS, _rows(view, feed))
        elif view.monthly:
            by_month = transaction.SpendingMonthsQuery.of(query)
            months = await feed.ask(QUERY_SPENDING_MONTHS, by_month)
        return FoundSpending(view, categories, report, months, rows, feed.how)

    def show(self, answers: FoundSpending) -> None:
        """Fill the table with groups, months or rows."""
        if answers.view != self.view:
            return
        width = self.size.width - 4
        summed_up: tuple[str, ...] = ()
        if answers.rows is not None:
            self._rows, self._next = answers.rows.transactions, answers.rows.next_cursor
            table = self._table_of_rows(answers)
        elif answers.months is not None:
            trend = not self.household.preferences.aloud
            layout = lay_out_months(
                answers.months, answers.how.currency, width - 2, gap=2, trend=trend
            )
            reached = spending.of_reached_months(answers.months)
            table = spending.months_table(reached, answers.how, layout)
            summed_up = tuple(spending.summed_up(answers.months, layout))
        else:
            table = spending.group_table(answers.report, answers.how)
        self.fill(table).focus()
        self.query_one("#looked_at", Static).update(self._looked_at(answers, width, summed_up))
        row_keys = ROW_KEYS if answers.view.shows_rows else ""
        self.query_one("#keys", Static).update(styled(row_keys, FAINT))

    @on(DataTable.RowSelected)
    def _go_in(self, chosen: DataTable.RowSelected) -> None:
        view, answers, key = self.view, self.shown, chosen.row_key.value
        assert view is not None, "A line is one of what is looked at."
        assert answers is not None, "A line is one of what is shown."
        if not key:
            # The line of the sum has nothing below it.
            return
        if view.shows_rows:
            self.action_reword("show")
            return
        groups = answers.months.groups if answers.months is not None else answers.report.groups
        label = next((group.label for group in groups if group.key == key), key)
        self._look(replace(view, entered=(*view.entered, EnteredGroup(view.group, key, label))))

    @on(DataTable.RowHighlighted)
    def _fetch_more(self, at: DataTable.RowHighlighted) -> None:
        if self._next is not None and at.cursor_row >= len(self._rows) - 5:
            self._add_page(self._next)

    @work(exclusive=True, group="page")
    async def _add_page(self, cursor: str) -> None:
        view, answers = self.view, self.shown
        if view is None or answers is None or answers.rows is None:
            return
        with self.failing():
            page = await self.feed.ask(LIST_TRANSACTIONS, _rows(view, self.feed, cursor))
            if self.view == view and self._next == cursor:
                self._rows, self._next = (*self._rows, *page.transactions), page.next_cursor
                self.fill(self._table_of_rows(answers))

    def action_out(self) -> None:
        """From rows to merchants, from merchants to categories."""
        view = self.view
        if view is None:
            return
        if view.text is not None:
            self._look(replace(view, text=None))
        elif view.entered:
            self._look(replace(view, entered=view.entered[:-1]))

    def action_step(self, step: int) -> None:
        """As many days earlier or later."""
        if self.view is not None:
            today = self.feed.today()
            self._look(replace(self.view, period=self.view.period.stepped(step, today)))

    @work
    async def action_period(self) -> None:
        """Say the days in words."""
        view = self.view
        if view is None:
            return
        self._look_up_paydays()
        period = await self.app.push_screen_wait(
            TypedDialog(
                "Which period?",
                "For example “last month”, 2026-Q3, ytd, “last 90 days”, “this pay period” or"
                " “march”. Leave empty for all time.",
                reads=self._spoken,
            )
        )
        if period is not None:
            self._look(replace(view, period=period))

    @work(exclusive=True, group="paydays")
    async def _look_up_paydays(self) -> None:
        # The screen itself tells that nobody answers; other words than these need none.
        with suppress(NotAnswered):
            self._paydays = await known_paydays(self.feed, self.feed.today())

    def _spoken(self, text: str) -> ShownPeriod:
        if self._paydays is None and asks_for_paydays(text):
            raise UnclearPeriod("Still looking up your paydays. Press Enter again.")
        return spoken(text, self.feed.today(), self._paydays or ())

    def action_turn_grouping(self) -> None:
        """By the next of what sums are made by, and by category after the last."""
        if self.view is not None:
            following = GROUPINGS.index(self.view.by) + 1
            by = GROUPINGS[following % len(GROUPINGS)]
            self._look(replace(self.view, by=by, entered=(), text=None))

    def action_turn_monthly(self) -> None:
        """Month by month, a year of it where one month was shown; or back to one sum."""
        view = self.view
        if view is None or view.shows_rows:
            return
        if view.monthly:
            period = month_of(self.feed.today())
        else:
            period = spoken("last 12 months", self.feed.today())
        self._look(replace(view, monthly=not view.monthly, period=period))

    @work
    async def action_find(self) -> None:
        """Look for words in all rows of the days."""
        if self.view is None:
            return
        hint = "Searches the bank's text, the payee and your notes."
        text = await self.app.push_screen_wait(
            TypedDialog("Find transactions", hint, reads=str.strip)
        )
        if text:
            self._look(replace(self.view, text=text, entered=()))

    @work(exclusive=True, group="reword")
    async def action_reword(self, what: str) -> None:
        """One's own word on the row that is marked."""
        answers, key = self.shown, self.query_one(LedgerTable).marked
        row = next((candidate for candidate in self._rows if candidate.id == key), None)
        if what == "category" and self.household.has_nothing_yet:
            # The key stands in the welcome for what it does on other screens.
            self.action_link()
        if answers is None or answers.rows is None:
            return
        if what == "undo":
            changed = await self._rewordings.undo(row, answers.categories)
        else:
            changed = row is not None and await self._rewordings.ask(row, answers.categories, what)
        if changed:
            self.load_all()

    def _look(self, view: View) -> None:
        self.view = view
        self._rows, self._next = (), None
        self.load()

    def _table_of_rows(self, answers: FoundSpending) -> PageTable:
        labels = {category.category: category.label for category in answers.categories}
        return transactions.rows(self._rows, labels, marked=True)

    def _looked_at(self, answers: FoundSpending, width: int, summed_up: tuple[str, ...]) -> Content:
        view = answers.view
        path = [group.label for group in view.entered]
        if view.text is not None:
            path.append(f"“{view.text}”")
        where = " › ".join(["All spending", *path])
        title = Content.assemble(styled(where, HEAD), styled(f"  {view.period.label}", FAINT))
        total = answers.report.total if view.text is None else None
        amount = "" if total is None else answers.how.money(total)
        lines = [ends(title, styled(amount, STRONG), width)]
        beyond = spending.beyond_rows(
            answers.report.since, answers.report.until, answers.report.recorded
        )
        if beyond is not None and answers.months is None:
            lines.append(styled(beyond, CAUTION))
        lines += (styled(line, FAINT) for line in summed_up)
        return Content("\n").join(lines)


def _spending(view: View, feed: Feed) -> transaction.SpendingQuery:
    return transaction.SpendingQuery(group_by=view.group, **_narrowed(view, feed))


def _rows(view: View, feed: Feed, cursor: str | None = None) -> transaction.TransactionQuery:
    return transaction.TransactionQuery(
        text=view.text, limit=PAGE, cursor=cursor, **_narrowed(view, feed)
    )


def _narrowed(view: View, feed: Feed) -> dict[str, Any]:
    since, until = view.period.since, view.period.until
    # Of days to come nothing is known, and that need not be said.
    last_day = until if until is None else min(until, feed.today())
    return {"since": since, "until": last_day, **view.filters}
