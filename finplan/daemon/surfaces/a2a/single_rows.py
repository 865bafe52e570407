"""Answers made of single rows: what came in, and purchases by their size."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from finplan.daemon.surfaces.a2a.household import KnownHousehold, counted_accounts
from finplan.daemon.surfaces.a2a.told import IncomeTold, PurchasesTold
from finplan.daemon.surfaces.mcp.tools.rows import MOST_TEXT, RowTold
from finplan.daemon.surfaces.mcp.tools.spending import SpentGroup
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import quoted
from finplan.model.transaction import (
    LARGEST_PAGE,
    FoundTotal,
    Transaction,
    TransactionPage,
    TransactionQuery,
)
from finplan.model.words.spending import NO_ROWS, beyond_rows
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.questions.question import SpokenQuestion, UnclearQuestion

INCOME = ("wages", "self_employment", "pension_benefits", "interest", "tax_refund", "other_income")
"""The categories of income, in the order in which they are told."""

UNFILED = "unknown_inflow"
"""The category of money that came in and that nobody has filed."""

MOST_PAGES = 40
"""How many pages of rows are looked through for one answer: 20,000 rows."""

MOST_SHOWN = 20
"""How many purchases are told one by one, however many there are."""


async def answer_income(call: Call, question: SpokenQuestion, known: KnownHousehold) -> IncomeTold:
    """Add up what came in, by category, payer or month; moves between own accounts are none of it."""
    narrowed = await _narrowed(call, question, known)
    wanted = tuple(each.value for each in question.categories) or INCOME
    if question.group_by in (None, "category"):
        groups = await _by_category(call, narrowed, wanted, known)
    else:
        rows = await _all_rows(call, narrowed.model_copy(update={"category": wanted}))
        groups = _by_payer(rows, wanted, known)
        if question.group_by == "month":
            groups = _by_month(rows, wanted, known, days_told(question, known))
    unfiled, unfiled_count = (
        (0, 0) if question.categories else await _sum(call, narrowed, UNFILED, known.currency)
    )
    since, until = days_told(question, known)
    return IncomeTold(
        group_by=question.group_by or "category",
        since=since,
        until=until,
        understood=question.told(quoted),
        beyond_rows=beyond_rows(since, until, known.recorded),
        total=sum(each.total for each in groups),
        count=sum(each.count for each in groups),
        groups=tuple(groups),
        unfiled=unfiled,
        unfiled_count=unfiled_count,
    )


async def _by_category(
    call: Call, narrowed: TransactionQuery, wanted: Iterable[str], known: KnownHousehold
) -> list[SpentGroup]:
    groups = []
    for category in wanted:
        total, count = await _sum(call, narrowed, category, known.currency)
        if count:
            label = known.labels[category]
            groups.append(SpentGroup(key=category, label=label, total=total, count=count))
    return groups


def _by_payer(
    rows: Iterable[Transaction], wanted: Iterable[str], known: KnownHousehold
) -> list[SpentGroup]:
    """What came in by whom, the largest first."""
    names: dict[str, str] = {}
    sums: dict[str, list[int]] = defaultdict(list)
    for row, amount in _amounts(rows, wanted, known):
        names[row.payee_key] = row.payee
        sums[row.payee_key].append(amount)
    groups = [
        SpentGroup(key=key, label=names[key], total=sum(each), count=len(each))
        for key, each in sums.items()
    ]
    return sorted(groups, key=lambda each: (-each.total, each.key))


def _by_month(
    rows: Iterable[Transaction],
    wanted: Iterable[str],
    known: KnownHousehold,
    days: tuple[date, date],
) -> list[SpentGroup]:
    """What came in month by month, those of the days in their order, also where nothing came."""
    sums: dict[str, list[int]] = defaultdict(list)
    for row, amount in _amounts(rows, wanted, known):
        sums[f"{row.date:%Y-%m}"].append(amount)
    first, last = (each.year * 12 + each.month - 1 for each in days)
    months = [f"{month // 12:04d}-{month % 12 + 1:02d}" for month in range(first, last + 1)]
    return [
        SpentGroup(key=each, label=each, total=sum(sums[each]), count=len(sums[each]))
        for each in months
    ]


def _amounts(
    rows: Iterable[Transaction], wanted: Iterable[str], known: KnownHousehold
) -> Iterator[tuple[Transaction, int]]:
    """The rows in the household's currency, each with what of it is in some categories."""
    for row in rows:
        if row.currency == known.currency:
            yield row, _amount_in(row, frozenset(wanted))


async def answer_purchases(
    call: Call, question: SpokenQuestion, known: KnownHousehold
) -> PurchasesTold:
    """Find the purchases of a size, or the largest; what shops gave back is none of them.

    Raises UnclearQuestion where there are more rows than one answer looks through.
    """
    narrowed = await _narrowed(call, question, known)
    if question.size is not None:
        update = {"min_amount": question.size.least, "max_amount": question.size.most}
        narrowed = narrowed.model_copy(update=update)
    wanted = frozenset(each.value for each in question.categories)
    bought = [
        (spent, row)
        for row in await _all_rows(call, narrowed)
        if row.currency == known.currency and (spent := _spent(row, wanted, known)) > 0
    ]
    bought.sort(key=lambda each: (each[0], each[1].date, each[1].id), reverse=True)
    if question.measure is not None and question.measure.kind == "largest":
        bought = bought[: question.measure.most]
    since, until = days_told(question, known)
    return PurchasesTold(
        since=since,
        until=until,
        understood=question.told(quoted),
        beyond_rows=beyond_rows(since, until, known.recorded),
        total=sum(spent for spent, _ in bought),
        count=len(bought),
        transactions=tuple(_row_told(row, -spent) for spent, row in bought[:MOST_SHOWN]),
    )


def days_told(question: SpokenQuestion, known: KnownHousehold) -> tuple[date, date]:
    """The days of an answer: where the question leaves them open, those of the rows.

    Raises UnclearQuestion where there are no rows.
    """
    if known.recorded is None:
        raise UnclearQuestion(NO_ROWS)
    since, until = question.days
    first, last = known.recorded.since, known.recorded.until
    since, until = since or min(first, until or first), until or max(last, since or last)
    return since, until


async def _narrowed(
    call: Call, question: SpokenQuestion, known: KnownHousehold
) -> TransactionQuery:
    """The posted rows that a question is of, on the accounts that enter totals."""
    days_told(question, known)
    since, until = question.days
    return TransactionQuery(
        since=since,
        until=until,
        category=tuple(each.value for each in question.categories),
        merchant=tuple(each.value for each in question.merchants),
        account=await counted_accounts(call, known.currency),
        pending=False,
        limit=LARGEST_PAGE,
    )


async def _sum(
    call: Call, narrowed: TransactionQuery, category: str, currency: str
) -> tuple[int, int]:
    """What the rows of one category add up to, and how many they are."""
    update = {"category": (category,), "limit": 1, "total": True}
    page: TransactionPage = await call.ask(LIST_TRANSACTIONS, narrowed.model_copy(update=update))
    found = page.total or FoundTotal(rows=0, pending=0, sums=())
    return next((each.amount for each in found.sums if each.currency == currency), 0), found.rows


async def _all_rows(call: Call, narrowed: TransactionQuery) -> list[Transaction]:
    rows: list[Transaction] = []
    asked = narrowed
    for _ in range(MOST_PAGES):
        page: TransactionPage = await call.ask(LIST_TRANSACTIONS, asked)
        rows += page.transactions
        if page.next_cursor is None:
            return rows
        asked = narrowed.model_copy(update={"cursor": page.next_cursor})
    raise UnclearQuestion(
        f"There are more than {MOST_PAGES * LARGEST_PAGE:,} rows to look through: name fewer days."
    )


def _spent(row: Transaction, wanted: frozenset[str], known: KnownHousehold) -> int:
    """What a row spends in some categories of spending, or in any of them."""
    return -_amount_in(row, wanted or known.spending)


def _amount_in(row: Transaction, categories: frozenset[str]) -> int:
    """What of a row is in some categories: of a split one its parts there."""
    parts: Iterable[tuple[int, str]] = [(row.amount, row.category)]
    if row.splits:
        parts = [(part.amount, part.category) for part in row.splits]
    return sum(amount for amount, category in parts if category in categories)


def _row_told(row: Transaction, amount: int) -> RowTold:
    return RowTold(
        id=row.id,
        date=row.date,
        payee=row.payee,
        raw=row.raw[:MOST_TEXT],
        amount=amount,
        category=row.category,
        account_id=row.account_id,
        pending=row.pending,
        why=row.why.source,
    )
