"""The pace of a month by the latest plan, and what has been spent of it so far.

It says what comes in, what bills take, what is set aside, and for each money group what a theme
usually costs, what it cost this month and what is still to come. What is spent is counted in the
period that the allowance is for, and in this calendar month.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from finplan.categorise.catalogue import BUILT_IN, GROUP_LABELS, Catalogue
from finplan.model.category import SpendingLine
from finplan.model.plan import Plan
from finplan.model.snapshot import Draw, GroupCategory, MoneyGroup
from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.books import Books, rows_between
from finplan.plan.ledger.classes import pending_outflows
from finplan.plan.ledger.days import date_of, day_of, last_day
from finplan.plan.ledger.ledger import AMOUNT, DAY, Ledger, Row
from finplan.plan.live.expected import ExpectedCharge, Period, SeriesRows
from finplan.plan.planned import pending_planned
from finplan.plan.sections.emergency import main_source
from finplan.plan.sections.monthly import PlannedMonth, per_month, plan_month
from finplan.plan.sections.spending import shares

_REST_OF_GROUPS = "other"

_LINE_OF_GROUP = {
    category.group: category.line for category in BUILT_IN.values() if category.group is not None
}


@dataclass(slots=True)
class _GroupSums:
    line: SpendingLine
    total: int = 0
    running: int = 0
    upcoming: int = 0
    categories: list[GroupCategory] = field(default_factory=list)

    @property
    def monthly(self) -> int:
        return sum(category.monthly for category in self.categories)

    @property
    def spent(self) -> int:
        return sum(category.spent for category in self.categories)


def money_groups(
    plan: Plan,
    catalogue: Catalogue,
    running: Mapping[str, int],
    spent: Mapping[str, int],
    upcoming: Mapping[str, int],
) -> tuple[MoneyGroup, ...]:
    """The groups of a plan's categories and of this month's, dearest first.

    `spent` and `upcoming` are this month's sums by category, positive when money goes out, and `running`
    is what a month takes from now on. Sum of `monthly` = the plan's total spending, left = running -
    spent - upcoming, and shares add up to 1.
    """
    by_category = {entry.category: entry for entry in plan.categories}
    sums: dict[str, _GroupSums] = {}
    for category in sorted({*by_category, *running, *spent, *upcoming}):
        line = line_of(
            catalogue, category, by_category[category].line if category in by_category else None
        )
        group = sums.setdefault(_group_key(catalogue, category, line), _GroupSums(line))
        entry = by_category.get(category)
        group.categories.append(
            GroupCategory(
                category=category,
                label=catalogue[category].label
                if category in catalogue
                else by_category[category].label,
                monthly=entry.monthly if entry else 0,
                spent=spent.get(category, 0),
            )
        )
        group.total += entry.total if entry else 0
        group.running += running.get(category, 0)
        group.upcoming += upcoming.get(category, 0)
    ordered = sorted(sums.items(), key=lambda item: (-item[1].monthly, item[0]))
    portions = shares([group.total for _, group in ordered])
    return tuple(
        MoneyGroup.of(
            group,
            key=key,
            label=_group_label(key),
            left=group.running - group.spent - group.upcoming,
            share=share,
            categories=tuple(
                sorted(
                    group.categories, key=lambda pace: (-pace.monthly, -pace.spent, pace.category)
                )
            ),
        )
        for (key, group), share in zip(ordered, portions, strict=True)
    )


def group_of(catalogue: Catalogue, category: str) -> str:
    """The theme of a spending category; "other" for one that has none or is no longer known."""
    return (catalogue[category].group if category in catalogue else None) or _REST_OF_GROUPS


def line_of(
    catalogue: Catalogue, category: str, before: SpendingLine | None = None
) -> SpendingLine:
    """The line that a plan put a category on, else the line that it is on now."""
    if before is not None:
        return before
    essential = category in catalogue and catalogue[category].line == "essential"
    return "essential" if essential else "discretionary"


def _group_key(catalogue: Catalogue, category: str, line: SpendingLine) -> str:
    """A group has one line, so categories of the other line make a group beside it.

    The theme of a person's own categories has no line of its own and so makes a group on each.
    """
    group = group_of(catalogue, category)
    return group if _LINE_OF_GROUP.get(group) == line else f"{group}_{line}"


def _group_label(key: str) -> str:
    group, _, line = key.partition("_")
    label = GROUP_LABELS.get(group, group)
    return f"{label}, {line}" if line else label


@dataclass(frozen=True, slots=True)
class Pace:
    """What a plan says a month brings, and takes before anything is free to spend; minor units.

    `planned` is planned income, `unanswered` the money in that may be more of it, and `spend` all
    spending from now on. `budget` is what a month costs by the plan, `draws` whether savings pay for a
    part of it. Groceries and transportation stand apart from the `other_essentials`, because what is
    spent beyond their mean must lower what is free. `recurring_wants` are the recurring charges that are
    discretionary, `card_interest` is what cards charge, which the essentials hold already.
    `for_planned` is the part of `set_aside` that is for planned payments.
    """

    planned: int
    unanswered: int
    spend: int
    budget: int
    draws: bool
    groceries: int
    transportation: int
    other_essentials: int
    recurring_wants: int
    card_interest: int
    set_aside: int
    for_planned: int = 0

    @property
    def essentials(self) -> int:
        """What needs take a month."""
        return self.groceries + self.transportation + self.other_essentials

    @property
    def income(self) -> int:
        """What a month has: who draws on savings has the budget that they are drawn for.

        Money in that waits for an answer is there to spend, whatever it is.
        """
        return self.budget if self.draws else self.planned + self.unanswered

    @property
    def free(self) -> int:
        """What a month leaves to spend freely; below 0 where bills and needs take more than it has."""
        return self.income - self.bills - self.groceries - self.transportation

    @property
    def bills(self) -> int:
        """What bills take, and what is set aside for the fund and the cards."""
        return self.other_essentials + self.recurring_wants + self.set_aside


def pace_of(plan: Plan, ledger: Ledger, books: Books) -> Pace:
    """What a month takes by a plan's targets and by the books of now."""
    groups = {"groceries": 0, "transportation": 0}
    running, catalogue = books.running, ledger.catalogue
    for category, monthly in running.by_category.items():
        group = group_of(catalogue, category)
        if catalogue[category].line == "essential" and group in groups:
            groups[group] += monthly
    lines = {entry.category: entry.line for entry in plan.categories}
    recurring_wants = sum(
        item.monthly
        for item in plan.recurring
        if line_of(ledger.catalogue, item.category, lines.get(item.category)) == "discretionary"
    )
    planned = plan_month(ledger, books)
    interest = _card_interest(plan, books)
    set_aside = _set_aside(plan, planned, interest) + planned.set_aside
    return Pace(
        planned=planned.income,
        unanswered=planned.unanswered,
        spend=planned.spend,
        budget=planned.essentials + plan.budget[1].target + set_aside,
        draws=plan.budget[2].target < 0,
        groceries=groups["groceries"],
        transportation=groups["transportation"],
        other_essentials=planned.essentials - sum(groups.values()),
        recurring_wants=recurring_wants,
        card_interest=interest,
        set_aside=set_aside,
        for_planned=planned.set_aside,
    )


@dataclass(frozen=True, slots=True)
class PlannedNow:
    """Payments that were planned and fall due within one period: no month before could save for them.

    `total` is taken from the period whole, whether they have been paid by now or not, and `monthly` is
    what would be set aside for them each month instead.
    """

    total: int
    monthly: int


def planned_now(books: Books, period: Period, today: date) -> PlannedNow:
    """The single payments that were planned in a period and belong to it."""
    total = monthly = 0
    for followed in books.planned:
        money = followed.money
        if money.incoming or money.cadence is not None or money.planned_on < period.start:
            continue
        paid = [-row[AMOUNT] for row in followed.happened.values()]
        due = followed.next_day(today)
        if paid or (due is not None and due < period.end):
            total += paid[0] if paid else money.amount
            monthly += followed.monthly
    return PlannedNow(total, monthly)


def _set_aside(plan: Plan, planned: PlannedMonth, interest: int) -> int:
    """What goes to the fund and the cards each month, or what the budget saves.

    Under `paydown` the interest is in essentials already, so it is not set aside a second time.
    """
    contribution = plan.emergency_fund.monthly_contribution
    if plan.debt.strategy == "paydown":
        return max(0, contribution + plan.debt.monthly_payment - interest)
    return max(contribution, min(plan.budget[2].target, planned.capacity))


def _card_interest(plan: Plan, books: Books) -> int:
    months = Fraction(plan.window.months).limit_denominator(100)
    return max(0, per_month(books.card_interest, months))


def draw_of(ledger: Ledger, books: Books, pace: Pace, today: date) -> Draw | None:
    """What this month takes from savings where income does not carry the budget; never income.

    None unless the household draws on savings by its plan, or lives on income without a rhythm and less
    comes this month than the budget takes.
    """
    income = ledger.monthly_income
    if income is None:
        income = _income_this_month(books, today)
    main = main_source(books)
    is_irregular = main is not None and main.cadence == "irregular"
    if not pace.draws and not (is_irregular and income < pace.budget):
        return None
    draw = max(0, pace.budget - income)
    return Draw(month=f"{today:%Y-%m}", budget=pace.budget, income=income, draw=draw)


def _income_this_month(books: Books, today: date) -> int:
    """What has come in this month and what is still expected of regular sources."""
    month = today.year * 100 + today.month
    received = sum(
        row[AMOUNT]
        for sheet in books.sheets
        if sheet.flow == "income"
        for row in rows_between(sheet, month * 100 + 1, day_of(today))
    )
    expected = sum(
        source.amount * len(expected_days(source, today, date_of(last_day(month))))
        for source in books.sources
        if source.active
    )
    return received + expected


@dataclass(slots=True)
class PeriodSpending:
    """Minor units, positive when money went out, refunds deducted.

    `free` is discretionary spending that no bill of the plan explains, `today` the part of it dated
    today; `groceries` and `transportation` are these essential groups.
    """

    free: int = 0
    today: int = 0
    groceries: int = 0
    transportation: int = 0


def spent_in_period(
    ledger: Ledger, books: Books, plan: Plan, period: Period, today: date
) -> PeriodSpending:
    """Spending of the period to today, pending outflows included and one-offs left out.

    What is bought today is nearly always pending today: without it the day would look unspent.
    """
    spent = PeriodSpending()
    catalogue = ledger.catalogue
    for category, row, in_bills in _spending_rows(ledger, books, plan, period, today):
        if catalogue[category].line == "essential":
            group = group_of(catalogue, category)
            spent.groceries -= row[AMOUNT] * (group == "groceries")
            spent.transportation -= row[AMOUNT] * (group == "transportation")
        elif not in_bills:
            spent.free -= row[AMOUNT]
            spent.today -= row[AMOUNT] * (row[DAY] == day_of(today))
    return spent


def _spending_rows(
    ledger: Ledger, books: Books, plan: Plan, period: Period, today: date
) -> Iterator[tuple[str, Row, bool]]:
    """The spending rows of the period, their category, and whether the plan's bills hold them."""
    smoothed = {(item.name, item.category) for item in plan.recurring}
    series = SeriesRows(
        charge for charge in books.charges if (charge.title, charge.category) in smoothed
    )
    since, until = day_of(period.start), day_of(today)
    for sheet in books.sheets:
        if sheet.flow == "spending":
            for row in rows_between(sheet, since, until):
                if row not in books.running.one_offs:
                    yield sheet.category, row, series.take_posted(row)
    pending = list(pending_outflows(ledger, ledger.pending))
    # What was planned is set aside already, also while its payment is pending.
    set_aside = [row for _, row in pending_planned(ledger, books.planned, pending, today)]
    for row, category in pending:
        if row in set_aside:
            set_aside.remove(row)
        elif ledger.catalogue.flow(category) == "spending" and since <= row[DAY] <= until:
            yield category, row, series.pending(row)


def spent_this_month(books: Books, today: date) -> Counter[str]:
    """This calendar month's posted spending by category, positive when money went out."""
    since, until = day_of(today.replace(day=1)), day_of(today)
    spent: Counter[str] = Counter()
    for sheet in books.sheets:
        if sheet.flow == "spending":
            for row in rows_between(sheet, since, until):
                spent[sheet.category] -= row[AMOUNT]
    return spent


def due_this_month(upcoming: Iterable[ExpectedCharge], today: date) -> Counter[str]:
    """The sums of recurring charges still to come this calendar month, by category, positive."""
    due: Counter[str] = Counter()
    for item in upcoming:
        if (item.day.year, item.day.month) == (today.year, today.month):
            due[item.charge.category] += item.amount
    return due
