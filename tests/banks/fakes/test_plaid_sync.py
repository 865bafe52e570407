"""What the fake Plaid syncs: pages, cursors and what changes amid them."""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from tests.banks.fakes.faults import Meanwhile
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.plaid_errors import refusing
from tests.banks.fakes.plaid_items import HISTORICAL, INITIAL, NOT_READY
from tests.banks.fakes.ways import Developer
from tests.banks.fakes.world import Held, World

TODAY = date(2026, 6, 15)
TOMORROW = date(2026, 6, 16)
ROW_KEYS = {
    "account_id",
    "account_owner",
    "amount",
    "iso_currency_code",
    "unofficial_currency_code",
    "check_number",
    "counterparties",
    "date",
    "datetime",
    "authorized_date",
    "authorized_datetime",
    "location",
    "name",
    "merchant_name",
    "merchant_entity_id",
    "logo_url",
    "website",
    "payment_meta",
    "payment_channel",
    "pending",
    "pending_transaction_id",
    "personal_finance_category",
    "personal_finance_category_icon_url",
    "transaction_id",
    "transaction_code",
    "transaction_type",
}
PAGE_KEYS = {
    "accounts",
    "added",
    "modified",
    "removed",
    "next_cursor",
    "has_more",
    "request_id",
    "transactions_update_status",
}


@dataclass
class Store:
    """What a client keeps that applies every page to what it had."""

    developer: Developer
    token: str
    cursor: str = ""
    pages: int = 0

    def __post_init__(self) -> None:
        self.rows: dict[str, Any] = {}

    async def sync(self, count: int = 100) -> list[Any]:
        """All pages of an update, applied when they are all there."""
        pages: list[Any] = []
        cursor = self.cursor
        more = True
        while more:
            page = await self.developer.ok(
                "/transactions/sync", access_token=self.token, cursor=cursor, count=count
            )
            pages.append(page)
            cursor, more = page["next_cursor"], page["has_more"]
        for page in pages:
            for row in page["added"] + page["modified"]:
                self.rows[row["transaction_id"]] = row
        for page in pages:
            for row in page["removed"]:
                # A page may repeat the last change of the page before.
                self.rows.pop(row["transaction_id"], None)
        self.cursor = cursor
        return pages

    def amounts(self) -> list[float]:
        return sorted(row["amount"] for row in self.rows.values())


@pytest.fixture
async def store(developer: Developer, checking: Held) -> Store:
    return Store(developer, await developer.link(checking.bank))


async def test_a_row_has_plaids_keys_and_its_sign(
    world: World, checking: Held, store: Store
) -> None:
    """Money that goes out is above zero, and days are days."""
    world.book(
        checking,
        -7_210,
        "PURCHASE CORNER STORE",
        payee="Corner Store",
        category="GENERAL_MERCHANDISE_SUPERSTORES",
        transacted=date(2026, 6, 13),
    )
    world.book(checking, 250_000, "PAYROLL")
    [page] = await store.sync()
    assert set(page) == PAGE_KEYS
    bought, paid = page["added"]
    assert set(bought) == set(paid) == ROW_KEYS
    assert (bought["amount"], paid["amount"]) == (72.1, -2500)
    assert isinstance(paid["amount"], int)
    assert (bought["date"], bought["authorized_date"]) == ("2026-06-15", "2026-06-13")
    assert (bought["iso_currency_code"], bought["unofficial_currency_code"]) == ("USD", None)
    assert bought["personal_finance_category"] == {
        "primary": "GENERAL_MERCHANDISE",
        "detailed": "GENERAL_MERCHANDISE_SUPERSTORES",
        "confidence_level": "HIGH",
    }
    assert (bought["merchant_name"], paid["merchant_name"]) == ("Corner Store", None)
    assert bought["merchant_entity_id"] == bought["counterparties"][0]["entity_id"]


async def test_the_words_of_the_bank_come_when_they_are_asked_for(
    world: World, checking: Held, developer: Developer, store: Store
) -> None:
    """Only then is the key there."""
    world.book(checking, -100, "SQ *CORNER CAFE")
    page = await developer.ok(
        "/transactions/sync",
        access_token=store.token,
        options={"include_original_description": True},
    )
    assert page["added"][0]["original_description"] == "SQ *CORNER CAFE"


async def test_an_update_is_paged_and_ends_where_nothing_more_follows(
    world: World, checking: Held, store: Store
) -> None:
    """Each row comes once; an update without news has the cursor that was given."""
    for number in range(1, 8):
        world.book(checking, -number * 100, "COFFEE")
    pages = await store.sync(count=3)
    assert [len(page["added"]) for page in pages] == [3, 3, 1]
    assert [page["has_more"] for page in pages] == [True, True, False]
    assert store.amounts() == [1, 2, 3, 4, 5, 6, 7]
    before = store.cursor
    [nothing] = await store.sync()
    assert (nothing["added"], nothing["accounts"], store.cursor) == ([], [], before)


async def test_a_page_that_is_exactly_full_is_the_last(
    world: World, checking: Held, store: Store
) -> None:
    """No empty page follows it."""
    for number in range(1, 5):
        world.book(checking, -number, "COFFEE")
    assert [len(page["added"]) for page in await store.sync(count=2)] == [2, 2]


async def test_the_same_cursor_gives_the_same_page(
    world: World, checking: Held, developer: Developer, store: Store
) -> None:
    """A client that has forgotten an answer asks again and misses nothing."""
    for number in range(1, 5):
        world.book(checking, -number, "COFFEE")
    asks = {"access_token": store.token, "cursor": "", "count": 2}
    first = await developer.ok("/transactions/sync", **asks)
    again = await developer.ok("/transactions/sync", **asks)
    assert first.pop("request_id") != again.pop("request_id")
    assert first == again


async def test_posting_is_a_removed_and_an_added_row(
    world: World, checking: Held, store: Store
) -> None:
    """They may be on two pages, and the link may be forgotten."""
    linked = world.hold(checking, -2_000, "TRATTORIA", posts=TOMORROW, tip=-400)
    world.hold(checking, -500, "BUS", posts=TOMORROW, linked=False)
    await store.sync()
    assert store.amounts() == [5, 20]
    world.advance(TOMORROW)
    first, second, *_rest = await store.sync(count=2)
    assert [row["pending_transaction_id"] for row in first["added"]] == [linked.id, None]
    assert [row["amount"] for row in first["added"]] == [24, 5]
    assert linked.id in [row["transaction_id"] for row in second["removed"]]
    assert set(second["removed"][0]) == {"account_id", "transaction_id"}
    assert store.amounts() == [5, 24]


async def test_a_row_that_keeps_its_id_is_modified(
    world: World, checking: Held, store: Store
) -> None:
    """So is one whose words, amount or day change; one whose id changes is removed and added."""
    world.hold(checking, -500, "BUS", posts=TOMORROW, same_id=True)
    world.book(checking, -100, "COFFE")
    moved = world.book(checking, -300, "KIOSK")
    await store.sync()
    world.advance(TOMORROW)
    coffee = next(row for row in world.rows_of(checking) if row.text == "COFFE")
    world.alter(coffee, text="COFFEE", amount=-110)
    world.alter(moved, id="another")
    [page] = await store.sync()
    assert [(row["name"], row["pending"]) for row in page["modified"]] == [
        ("BUS", False),
        ("COFFEE", False),
    ]
    assert [row["transaction_id"] for row in page["added"]] == ["another"]
    assert [row["transaction_id"] for row in page["removed"]] == [moved.id]
    assert store.amounts() == [1.1, 3, 5]


async def test_what_changes_amid_pages_asks_to_begin_again(
    world: World, checking: Held, plaid: PlaidApi, developer: Developer, store: Store
) -> None:
    """The cursor of the first page leads to all of it, and that of a later one no more."""
    for number in range(1, 5):
        world.book(checking, -number * 100, "COFFEE")
    plaid.misbehave(
        Meanwhile(lambda: world.book(checking, -900, "DINNER")), "/transactions/sync", nth=2
    )
    asks = {"access_token": store.token, "count": 2}
    page = await developer.ok("/transactions/sync", **asks)
    for _each in range(2):
        status, error = await developer.ask(
            "/transactions/sync", cursor=page["next_cursor"], **asks
        )
        assert status == 400
        assert error["error_type"] == "TRANSACTIONS_ERROR"
        assert error["error_code"] == "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"
    await store.sync(count=2)
    assert store.amounts() == [1, 2, 3, 4, 9]


async def test_a_cursor_belongs_to_its_item(
    checking: Held, developer: Developer, store: Store
) -> None:
    """Another item's, and one that was never given, are refused."""
    await store.sync()
    other = await developer.link(checking.bank)
    for cursor in (store.cursor, "invented"):
        status, error = await developer.ask("/transactions/sync", access_token=other, cursor=cursor)
        assert (status, error["error_code"]) == (400, "INVALID_FIELD")
        assert error["error_message"] == "cursor not associated with access_token"


@pytest.mark.parametrize("count", [0, 501, "all"])
async def test_a_count_out_of_bounds_is_refused(
    developer: Developer, store: Store, count: object
) -> None:
    """A page has one row to five hundred."""
    status, error = await developer.ask("/transactions/sync", access_token=store.token, count=count)
    assert (status, error["error_code"]) == (400, "INVALID_FIELD")


async def test_history_comes_in_steps(
    world: World, checking: Held, plaid: PlaidApi, developer: Developer
) -> None:
    """First nothing and no cursor, then the last days, then all that was asked for at the link."""
    plaid.progress = NOT_READY
    store = Store(developer, await developer.link(checking.bank, days=60))
    for ago in (10, 30, 31, 60, 61):
        world.book(checking, -ago * 100, "RENT", day=TODAY - timedelta(days=ago))
    [page] = await store.sync()
    assert page["transactions_update_status"] == NOT_READY
    assert (page["added"], page["next_cursor"]) == ([], "")
    [item] = plaid.items.values()
    item.progress = INITIAL
    [page] = await store.sync()
    assert (page["transactions_update_status"], store.amounts()) == (INITIAL, [10, 30])
    item.progress = HISTORICAL
    [page] = await store.sync()
    assert (page["transactions_update_status"], store.amounts()) == (HISTORICAL, [10, 30, 31, 60])
    assert len(page["added"]) == 2


async def test_any_order_of_pages_leads_to_the_same_rows(
    world: World, checking: Held, plaid: PlaidApi, store: Store
) -> None:
    """Rows of an update may come in any order, and the last row of a page on the next one too."""
    dice = Random(7)
    plaid.order = lambda changes: dice.sample(changes, len(changes))
    plaid.overlap = True
    for number in range(1, 30):
        world.hold(checking, -number * 100, "SHOP", posts=TODAY + timedelta(days=number % 4 + 1))
    total = 0
    for _each in range(5):
        pages = await store.sync(count=4)
        total += sum(len(page["added"]) for page in pages)
        world.advance()
    assert store.amounts() == list(range(1, 30))
    assert not any(row["pending"] for row in store.rows.values())
    assert total > 58, "some rows were on two pages"


async def test_accounts_of_a_page_are_those_of_its_rows(
    world: World, checking: Held, store: Store
) -> None:
    """An account without news is not there, and a balance is as it is now."""
    savings = world.open(world.banks[checking.bank], "Savings", subtype="savings", mask="0002")
    world.book(savings, 5_025, "INTEREST")
    [page] = await store.sync()
    [account] = page["accounts"]
    assert (account["account_id"], account["balances"]["current"]) == (savings.id, 50.25)


async def test_a_limit_of_requests_says_when_to_come_again(
    plaid: PlaidApi, developer: Developer, store: Store
) -> None:
    """As an error of Plaid's own kind, with status 429."""
    plaid.misbehave(refusing("TRANSACTIONS_SYNC_LIMIT", retry_after=60), "/transactions/sync")
    status, error = await developer.ask("/transactions/sync", access_token=store.token)
    assert (status, error["error_type"]) == (429, "RATE_LIMIT_EXCEEDED")
    await store.sync()
