"""Transactions: newest first, every row exactly once over all pages."""

import re
from datetime import date

import pytest

from finplan.categorise.tokens import tokens_of
from finplan.model.errors import BadRequest
from finplan.model.transaction import Transaction, TransactionQuery
from finplan.service.context import Context
from finplan.service.transactions import list_transactions


async def _pages(context: Context, limit: int, **query: object) -> list[tuple[Transaction, ...]]:
    pages, cursor = [], None
    while True:
        ask = TransactionQuery.model_validate({"limit": limit, "cursor": cursor, **query})
        page = await list_transactions(context, ask)
        pages.append(page.transactions)
        cursor = page.next_cursor
        if cursor is None:
            return pages


@pytest.mark.sampled(3)
@pytest.mark.parametrize("limit", [1, 3, 50])
@pytest.mark.usefixtures("demo")
async def test_pages_hold_every_row_once(context: Context, limit: int) -> None:
    """However small the pages, together they hold what one large page holds, in its order."""
    since = date(2026, 11, 1)
    pages = await _pages(context, limit, since=since)
    (whole,) = await _pages(context, 500, since=since)

    assert [row for page in pages for row in page] == list(whole)
    assert max(len(page) for page in pages) <= limit
    assert any(row.pending for row in whole)


@pytest.mark.usefixtures("demo")
async def test_posted_rows_come_newest_first(context: Context) -> None:
    """Pending rows stand before the posted ones, and each part is ordered by day."""
    ((*rows,), *_) = await _pages(context, 500)
    posted = [row.date for row in rows if not row.pending]

    assert [row.pending for row in rows] == sorted((row.pending for row in rows), reverse=True)
    assert posted == sorted(posted, reverse=True)


@pytest.mark.usefixtures("demo")
async def test_a_reason_quotes_only_words_of_its_row(context: Context) -> None:
    """Words that a row's reason quotes stand in that row's descriptor."""
    rows = [row for page in await _pages(context, 500) for row in page]
    quoted = [
        (phrase, tokens_of(row.raw))
        for row in rows
        for phrase in re.findall(r"(?:words?|says) '([^']+)'", row.why.text)
    ]
    assert len(quoted) > 20
    assert [pair for pair in quoted if f" {pair[0]} " not in f" {' '.join(pair[1])} "] == []


@pytest.mark.usefixtures("demo")
async def test_a_filter_and_its_category_agree(context: Context) -> None:
    """Filtering by a category answers exactly the rows that show it, moves included."""
    rows = [row for page in await _pages(context, 500) for row in page]
    for category in ("groceries", "transfer", "card_payment", "wages", "uncategorized"):
        expected = [row for row in rows if row.category == category]
        found = [row for page in await _pages(context, 500, category=(category,)) for row in page]
        assert found == expected
        assert found


@pytest.mark.parametrize("cursor", ["", "?", "MTIz", "bm90LmEuY3Vyc29y"])
async def test_a_cursor_that_is_none_is_refused(context: Context, cursor: str) -> None:
    """A cursor that no page has given is a clear error."""
    with pytest.raises(BadRequest, match="cursor"):
        await list_transactions(context, TransactionQuery(cursor=cursor))
