"""Finding rows: by the words that stand in them, however written, and by how large their amounts are."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, event

from finplan.model.errors import BadRequest
from finplan.model.transaction import SpendingQuery, SplitPart, Transaction, TransactionQuery
from finplan.service.context import Context
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.store.folding import fold
from finplan.store.queries import row_filters
from finplan.store.queries import transactions as table
from tests.service.conftest import Import
from tests.service.own_words import say

ROWS = (
    ("CAFÉ MÜLLER München", "-4.50"),
    ("Cafe Central", "-42.50"),
    ("STRASSENBAHN Wien", "-60.00"),
    ("KAPALI CARSI ISTANBUL", "-40.00"),
    ("Kapalı Çarşı İstanbul", "-39.99"),
    ("ΠΛΑΤΕΙΑ ΟΔΥΣΣΕΩΣ", "-60.01"),
    ("Пятёрочка Москва", "-12.00"),
    ("PAYPAL *100%_OFF", "-7.77"),
    ("Refund Cafe Central", "42.50"),
    ("東京ラーメン 渋谷", "-15.00"),
)


@pytest.fixture
async def household(context: Context, import_texts: Import) -> Context:
    rows = "".join(
        f"2026-03-{day:02d},{text},{amount}\n" for day, (text, amount) in enumerate(ROWS, 1)
    )
    await import_texts({"rows.csv": f"Date,Description,Amount\n{rows}"}, account="Checking")
    return context


async def found(context: Context, limit: int = 500, **query: Any) -> list[Transaction]:
    """All rows of a question, page by page."""
    rows: list[Transaction] = []
    ask = TransactionQuery.model_validate({"limit": limit, **query})
    while True:
        page = await list_transactions(context, ask)
        rows += page.transactions
        if page.next_cursor is None:
            return rows
        ask = ask.model_copy(update={"cursor": page.next_cursor})


def texts(rows: Sequence[Transaction]) -> set[str]:
    return {row.raw for row in rows}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("cafe", (0, 1, 8)),
        ("CAFÉ", (0, 1, 8)),
        ("cafe\u0301 muller", (0,)),
        ("central cafe", (1, 8)),
        ("central  refund", (8,)),
        ("straßenbahn", (2,)),
        ("bahn", (2,)),
        ("kapalı", (3, 4)),
        ("istanbul carsi", (3, 4)),
        ("οδυσσεως", (5,)),
        ("пятерочка", (6,)),
        ("МОСКВА", (6,)),
        ("%", (7,)),
        ("_", (7,)),
        ("100%_o", (7,)),
        ("\\", ()),
        ("ｃａｆｅ　ｃｅｎｔｒａｌ", (1, 8)),
        ("渋谷", (9,)),
        ("cafe москва", ()),
        ("cen\u200btral", (1, 8)),
    ],
)
async def test_every_word_stands_in_the_row(
    household: Context, text: str, places: tuple[int, ...]
) -> None:
    """In any order, as parts of words, without case and accents; no sign of a word is a wildcard."""
    assert texts(await found(household, text=text)) == {ROWS[place][0] for place in places}


async def test_a_payee_is_found_by_its_name(demo: Context) -> None:
    """A word may stand in the row's text or in its payee's name, each word in another of them."""
    rows = await found(demo)
    named = next(
        row
        for row in rows
        if not row.pending
        and (word := fold(row.payee).split()[-1]) not in fold(row.raw)
        and word.isascii()
    )
    word = fold(named.payee).split()[-1]
    other = fold(named.raw).split()[0]
    assert named in await found(demo, text=word)
    assert named in await found(demo, text=f"{word} {other}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", ["mcdonalds", "McDonald's", "mcdonald\u2019s lunch", "donalds"])
async def test_a_name_is_found_without_its_apostrophe(
    context: Context, import_texts: Import, text: str
) -> None:
    """However the bank writes a shop, and however it is typed."""
    rows = ("MCDONALDS 1234 LUNCH", "MCDONALD'S F77 LUNCH", "DON ALDS LUNCH")
    lines = "".join(f"2026-03-{day:02d},{text},-5.00\n" for day, text in enumerate(rows, 1))
    await import_texts({"rows.csv": f"Date,Description,Amount\n{lines}"}, account="Checking")
    assert texts(await found(context, text=text)) == set(rows[:2])
    assert texts(await found(context, text=text, limit=1)) == set(rows[:2])


@pytest.mark.parametrize("of_part", [False, True])
async def test_the_only_note_is_found(household: Context, of_part: bool) -> None:
    """Whether it stands on a row or on one part of it, and nobody else noted anything."""
    row = (await found(household, text="bahn"))[0]
    assert await found(household, text="grandma") == []
    if of_part:
        rest = SplitPart(amount=row.amount + 10_00, category="hobbies", note="Ours")
        noted = SplitPart(amount=-10_00, category="pets", note="For Grandma")
        await say(household, row, splits=[noted, rest])
    else:
        await say(household, row, note="For Grandma")
    assert texts(await found(household, text="grandma bahn")) == {row.raw}


async def test_notes_are_looked_through_only_where_there_are_some(household: Context) -> None:
    """Each word is looked for in the payees' names; of notes that nobody wrote it is asked once."""

    def questions(connection: Connection) -> int:
        asked: list[str] = []

        def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
            asked.append(statement)

        event.listen(connection, "before_cursor_execute", note)
        row_filters.sought(connection, household.caller.owner, ("cafe", "central", "wien"))
        event.remove(connection, "before_cursor_execute", note)
        return len(asked)

    assert await household.store.read(questions) == 1 + 3
    await say(household, (await found(household, text="bahn"))[0], note="Wien")
    assert await household.store.read(questions) == 1 + 3 + 3


TEXTS = st.sampled_from(("a", "giant eagle", "MARKET", "netflix", "zzz", "pay", "é", "on li"))
FILTERS = st.fixed_dictionaries(
    {"limit": st.sampled_from((7, 90, 500))},
    optional={
        "text": TEXTS,
        "min_amount": st.sampled_from((0, 1, 1549, 50_00, 10**13)),
        "max_amount": st.sampled_from((10**13, 1549 * 10**6, 60_00_00)),
        "since": st.just(date(2026, 9, 3)),
        "until": st.just(date(2026, 11, 12)),
        "pending": st.booleans(),
        "category": st.just(("groceries", "wages")),
    },
)


@pytest.mark.thorough
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(filters=FILTERS)
async def test_pages_hold_exactly_what_is_looked_for(
    demo: Context, filters: dict[str, Any]
) -> None:
    """With any other filters, on pages of any size, pending rows too, and in the order of all rows."""
    least, most = filters.get("min_amount", 0), filters.get("max_amount", 10**13)
    if least > most:
        return
    words = fold(filters.get("text", "")).split()
    looked_for = {"text", "min_amount", "max_amount", "limit"}
    rest = {name: value for name, value in filters.items() if name not in looked_for}
    expected = [
        row
        for row in await found(demo, **rest)
        if least <= abs(row.amount) <= most
        and all(word in fold(row.raw) or word in fold(row.payee) for word in words)
    ]
    assert await found(demo, **filters) == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "query", [{"text": "a"}, {"text": "e a"}, {"text": "a", "category": ("groceries",)}]
)
async def test_many_rows_are_found_as_few_are(
    demo: Context, monkeypatch: pytest.MonkeyPatch, query: dict[str, Any]
) -> None:
    """Words of many rows, or of many payees, are looked for in another way and find the same."""
    # Several pages of them: what a page costs is not the matter here.
    expected = await found(demo, limit=500, **query)
    page = min(90, len(expected) // 3)
    for name in ("_FEW", "_FEW_LOOKED_UP", "_FEW_WALKED", "_FEW_PAYEES"):
        monkeypatch.setattr(row_filters, name, 1)
        assert await found(demo, limit=page, **query) == expected


@pytest.mark.thorough
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(filters=FILTERS)
async def test_a_total_is_of_all_pages(demo: Context, filters: dict[str, Any]) -> None:
    """It counts and adds up what the pages hold together, and what is pending enters no sum."""
    if filters.get("min_amount", 0) > filters.get("max_amount", 10**13):
        return
    asked = TransactionQuery.model_validate({**filters, "total": True, "limit": 2})
    total = (await list_transactions(demo, asked)).total
    assert total is not None
    rows = await found(demo, **filters)
    assert (total.rows, total.pending) == (len(rows), sum(row.pending for row in rows))
    assert {each.currency: each.amount for each in total.sums} == added_up(rows)


def added_up(rows: Sequence[Transaction]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for row in rows:
        if not row.pending:
            sums[row.currency] = sums.get(row.currency, 0) + row.amount
    return sums


HALVES = "Date,Description,Amount\n" + "".join(
    f"2026-03-{day:02d},Shop {day},-{day}.00\n" for day in range(1, 8)
)


async def test_a_total_of_a_category_has_parts_alone(
    context: Context, import_texts: Import
) -> None:
    """A split row is one row on one page, and what is added is its parts in what is asked for."""
    await import_texts({"march.csv": HALVES})
    rows = sorted(await found(context), key=lambda row: row.date)
    for row in rows[:3]:
        third = (row.amount // 3, "pets"), (row.amount // 6, "pets")
        rest = row.amount - sum(amount for amount, _ in third)
        await say(context, row, splits=[*third, (rest, "dining")])
    await say(context, rows[3], category="pets")
    await say(context, rows[4], splits=[(100, "pets"), (rows[4].amount - 100, "hobbies")])
    for asked, number in (
        (("pets",), 5),
        (("dining",), 3),
        (("pets", "dining"), 5),
        (("pets", "hobbies"), 5),
        ((), 7),
    ):
        listed = await found(context, limit=2, category=asked)
        assert len({row.id for row in listed}) == len(listed) == number
        page = await list_transactions(
            context, TransactionQuery(category=asked, total=True, limit=1)
        )
        assert page.total is not None
        assert page.total.rows == number
        told = sum(each.amount for each in page.total.sums)
        parts = [
            part.amount
            for row in listed
            for part in row.splits or (row,)
            if not asked or part.category in asked
        ]
        assert told == sum(parts)
        report = await query_spending(context, SpendingQuery(category=asked))
        assert told == -report.total


async def test_each_currency_has_a_sum(context: Context, import_texts: Import) -> None:
    """That of the most rows is the first; without being asked no page has a total."""
    for currency, amounts in (("EUR", (5,)), ("JPY", (39, 40)), ("CHF", (7,))):
        rows = "".join(f"2026-03-0{n},Shop,-{each}\n" for n, each in enumerate(amounts, 1))
        await import_texts(
            {f"{currency}.csv": f"Date,Description,Amount\n{rows}"},
            account=currency,
            currency=currency,
        )
    asked = TransactionQuery(text="shop", total=True, limit=1)
    page = await list_transactions(context, asked)
    assert page.total is not None
    assert [(each.currency, each.amount) for each in page.total.sums] == [
        ("JPY", -79),
        ("CHF", -7_00),
        ("EUR", -5_00),
    ]
    further = await list_transactions(
        context, TransactionQuery(text="shop", cursor=page.next_cursor)
    )
    assert further.total is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("walked", [0, 4, 10**6])
async def test_what_is_bought_often_is_found_to_the_last_page(
    context: Context, import_texts: Import, monkeypatch: pytest.MonkeyPatch, walked: int
) -> None:
    """Pages of one payee's rows are full until none is left, and rows that name it only are among them.

    So it is however many of the rows are read day by day.
    """
    monkeypatch.setattr(row_filters, "_FEW_WALKED", walked)
    rows = "".join(
        f"2026-03-{day:02d},{'GIFT CARD FOR NETFLIX' if day == 5 else 'NETFLIX.COM'},-{day}.99\n"
        f"2026-03-{day:02d},NETFLIX.COM,-{day}.00\n2026-03-{day:02d},OTHER SHOP,-1.00\n"
        for day in range(1, 12)
    )
    await import_texts({"rows.csv": f"Date,Description,Amount\n{rows}"}, account="Checking")
    everything = await found(context)
    for days in ({}, {"since": date(2026, 3, 3)}, {"until": date(2026, 3, 9)}):
        first, last = days.get("since", date.min), days.get("until", date.max)
        expected = [row for row in everything if "NETFLIX" in row.raw and first <= row.date <= last]
        assert await found(context, limit=3, text="netflix", **days) == expected
        only = [row for row in expected if row.raw.startswith("GIFT")]
        assert await found(context, limit=1, text="netflix gift", **days) == only


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("netflix", 0),
        # The payee of the rows is called NETFLIX alone.
        ("netflix gift", 40 * 2),
    ],
)
@pytest.mark.parametrize("walked", [10, 10**6])
async def test_no_old_texts_are_read_for_what_is_bought_often(
    context: Context,
    import_texts: Import,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    most: int,
    walked: int,
) -> None:
    """Of a thousand days, the newest fill the page; for a word that stands nowhere all are read.

    It is so where the page's days are read one by one, and where all rows are passed.
    """
    monkeypatch.setattr(row_filters, "_FEW_WALKED", walked)
    monkeypatch.setattr(row_filters, "_NEWEST_OF_PAYEES", 20)
    first = date(2023, 1, 1)
    rows = "".join(
        f"{first + timedelta(day)},{'NETFLIX.COM GIFT' if day % 10 == 0 else 'OTHER SHOP'},-{day}.99\n"
        for day in range(1000)
    )
    await import_texts({"rows.csv": f"Date,Description,Amount\n{rows}"}, account="Checking")

    async def texts_read(text: str) -> int:
        def look(connection: Connection) -> int:
            driver: Any = connection.connection.driver_connection
            read: list[str] = []

            def like(pattern: str, value: str, _escape: str | None = None) -> bool:
                read.append(value)
                return pattern.strip("%").upper() in value.upper()

            owner = context.caller.owner
            which = row_filters.Filter(
                owner, words=row_filters.sought(connection, owner, text.split())
            )
            driver.create_function("like", -1, like)
            table.newest_first(connection, which, None, 4)
            return sum(value in {"NETFLIX.COM GIFT", "OTHER SHOP"} for value in read)

        return await context.store.read(look)

    assert await texts_read("zzz") == 1000
    newest = 40
    assert await texts_read(text) <= newest + most


async def test_a_size_is_of_both_directions(household: Context) -> None:
    """40 to 60 is what a person sees as such: both ends count, and money in as well as out."""
    rows = await found(household, min_amount=40_00, max_amount=60_00)
    assert sorted(row.amount for row in rows) == [-60_00, -42_50, -40_00, 42_50]


async def test_a_size_is_a_number_in_any_currency(context: Context, import_texts: Import) -> None:
    """A row in yen of 50 is found by 40 to 60, and one of 5,000 is not, though it has as many units."""
    for currency, amounts in (
        ("JPY", (39, 40, 60, 61, 5_000)),
        ("KWD", ("40.001", "39.999", "60")),
    ):
        rows = "".join(
            f"2026-03-0{day},Shop {currency},-{amount}\n" for day, amount in enumerate(amounts, 1)
        )
        await import_texts(
            {f"{currency}.csv": f"Date,Description,Amount\n{rows}"},
            account=currency,
            currency=currency,
        )
    sized = await found(context, min_amount=40_00, max_amount=60_00)
    assert sorted((row.currency, -row.amount) for row in sized) == [
        ("JPY", 40),
        ("JPY", 60),
        ("KWD", 40_001),
        ("KWD", 60_000),
    ]
    between = await found(context, min_amount=39_50, max_amount=39_60)
    assert between == []


async def test_a_search_that_finds_nothing_is_refused_where_it_is_none(household: Context) -> None:
    """A text without a word, and a least amount above the most, are told."""
    for text in (" ", "\u0301", "\u200b"):
        with pytest.raises(BadRequest, match="has no word"):
            await found(household, text=text)
    with pytest.raises(BadRequest, match="is more than the most"):
        await found(household, min_amount=2, max_amount=1)
    assert len(await found(household, min_amount=4_50, max_amount=4_50)) == 1


@pytest.mark.parametrize("change", [{"text": "an"}, {"min_amount": 2}, {"max_amount": 10**9}])
async def test_a_cursor_is_of_one_search(demo: Context, change: dict[str, Any]) -> None:
    """The place in the pages of one search is none in those of another."""
    asked = {"limit": 2, "text": "a", "min_amount": 1, "max_amount": 10**10}
    page = await list_transactions(demo, TransactionQuery.model_validate(asked))
    assert page.next_cursor is not None
    other = {**asked, **change, "cursor": page.next_cursor}
    with pytest.raises(BadRequest, match="cursor does not come from"):
        await list_transactions(demo, TransactionQuery.model_validate(other))
