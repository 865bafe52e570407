"""The fake Plaid: its format laws, how items come, ail, are mended and go, and what it syncs.

Keys are those of its OpenAPI file's examples. What is synced comes in pages, by cursors, and
changes amid them.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from tests.banks.fakes.plaid import HISTORICAL, INITIAL, NOT_READY, PlaidApi
from tests.banks.fakes.plaid_shapes import refusing
from tests.banks.fakes.ways import Developer
from tests.banks.fakes.wire import Meanwhile
from tests.banks.fakes.world import Debt, Held, World

LINK: dict[str, Any] = {
    "client_name": "finplan",
    "language": "en",
    "country_codes": ["US"],
    "user": {"client_user_id": "person"},
    "products": ["transactions"],
    "additional_consented_products": ["liabilities"],
    "transactions": {"days_requested": 730},
    "hosted_link": {},
}
ERROR_KEYS = {
    "display_message",
    "documentation_url",
    "error_code",
    "error_message",
    "error_type",
    "request_id",
    "suggested_action",
}
ACCOUNT_KEYS = {"account_id", "balances", "mask", "name", "official_name", "subtype", "type"}
BALANCE_KEYS = {"available", "current", "limit", "iso_currency_code", "unofficial_currency_code"}


async def test_only_who_has_the_keys_is_answered(plaid: PlaidApi, developer: Developer) -> None:
    """They may be in the body or in headers."""
    client = developer.client
    body = {"access_token": "x"}
    answer = await client.post("/item/get", json=body)
    assert answer.json()["error_code"] == "MISSING_FIELDS"
    wrong = {**body, "client_id": plaid.keys.client_id, "secret": "guess"}
    answer = await client.post("/item/get", json=wrong)
    assert (answer.status_code, answer.json()["error_code"]) == (400, "INVALID_API_KEYS")
    headers = {"PLAID-CLIENT-ID": plaid.keys.client_id, "PLAID-SECRET": plaid.keys.secret}
    answer = await client.post("/item/get", json=body, headers=headers)
    assert answer.json()["error_code"] == "INVALID_ACCESS_TOKEN"
    assert set(answer.json()) == ERROR_KEYS
    answer = await client.post("/item/get", content=b"[", headers=headers)
    assert answer.json()["error_code"] == "INVALID_BODY"


async def test_accounts_have_plaids_signs(world: World, developer: Developer) -> None:
    """What a card owes is above zero; what is not known is null."""
    bank = world.banks[world.checking.bank]
    world.open(
        bank, "Card", kind="credit", subtype="credit card", opening=-41_000, credit_limit=200_000
    )
    world.open(bank, "Mortgage", kind="loan", subtype="mortgage", opening=-5_630_206)
    world.open(bank, "Coins", kind="investment", subtype="crypto", currency="BTC", opening=12_345)
    world.hold(world.checking, -1_050, "HELD")
    token = await developer.link(world.checking.bank)
    said = await developer.ok("/accounts/get", access_token=token)
    assert set(said) == {"accounts", "item", "request_id"}
    assert all(set(each) == ACCOUNT_KEYS for each in said["accounts"])
    assert all(set(each["balances"]) == BALANCE_KEYS for each in said["accounts"])
    current, card, loan, coins = [each["balances"] for each in said["accounts"]]
    assert (current["current"], current["available"], current["limit"]) == (1200.5, 1190, None)
    assert (card["current"], card["available"], card["limit"]) == (410, 1590, 2000)
    assert (loan["current"], loan["available"]) == (56302.06, None)
    assert (coins["iso_currency_code"], coins["unofficial_currency_code"]) == (None, "BTC")
    chosen = await developer.ok(
        "/accounts/get",
        access_token=token,
        options={"account_ids": [said["accounts"][1]["account_id"]]},
    )
    assert [each["name"] for each in chosen["accounts"]] == ["Card"]
    _status, error = await developer.ask(
        "/accounts/get", access_token=token, options={"account_ids": ["unknown"]}
    )
    assert error["error_code"] == "INVALID_FIELD"


async def test_one_bank_asks_how_old_a_balance_may_be(world: World, developer: Developer) -> None:
    """Its balances are not read now without that; other banks do not ask."""
    bank = world.bank("Capital Harbour", bank_id="ins_128026")
    world.open(bank, "Checking")
    token = await developer.link(bank.id)
    _status, error = await developer.ask("/accounts/balance/get", access_token=token)
    assert error["error_code"] == "INVALID_FIELD"
    options = {"min_last_updated_datetime": "2026-06-14T00:00:00Z"}
    await developer.ok("/accounts/balance/get", access_token=token, options=options)
    await developer.ok("/accounts/get", access_token=token)


async def test_debts_have_their_terms(world: World, developer: Developer) -> None:
    """Cards, mortgages and student loans each in their own shape; others are left out."""
    bank = world.banks[world.checking.bank]
    debt = Debt(24.99, 3_500, date(2026, 7, 1), 41_050, date(2026, 6, 5))
    made = [
        world.open(bank, subtype, kind=kind, subtype=subtype, opening=-41_000, debt=debt)
        for kind, subtype in (
            ("credit", "credit card"),
            ("loan", "mortgage"),
            ("loan", "student"),
            ("loan", "auto"),
        )
    ]
    token = await developer.link(world.checking.bank)
    said = await developer.ok("/liabilities/get", access_token=token)
    assert set(said) == {"accounts", "item", "liabilities", "request_id"}
    [card] = said["liabilities"]["credit"]
    assert set(card) == {
        "account_id",
        "aprs",
        "is_overdue",
        "last_payment_amount",
        "last_payment_date",
        "last_statement_issue_date",
        "last_statement_balance",
        "minimum_payment_amount",
        "next_payment_due_date",
    }
    assert card["account_id"] == made[0].id
    assert (card["aprs"][0]["apr_percentage"], card["aprs"][0]["apr_type"]) == (
        24.99,
        "purchase_apr",
    )
    assert (card["last_statement_balance"], card["minimum_payment_amount"]) == (410.5, 35)
    assert card["next_payment_due_date"] == "2026-07-01"
    [mortgage] = said["liabilities"]["mortgage"]
    assert (mortgage["interest_rate"], mortgage["next_monthly_payment"]) == (
        {"percentage": 24.99, "type": "fixed"},
        35,
    )
    [student] = said["liabilities"]["student"]
    assert (student["interest_rate_percentage"], student["minimum_payment_amount"]) == (24.99, 35)


async def test_debts_want_consent_and_accounts_owing(checking: Held, developer: Developer) -> None:
    """Each refusal has its own code."""
    token = await developer.link(checking.bank)
    _status, error = await developer.ask("/liabilities/get", access_token=token)
    assert error["error_code"] == "NO_LIABILITY_ACCOUNTS"
    token = await developer.link(checking.bank, consented=())
    _status, error = await developer.ask("/liabilities/get", access_token=token)
    assert error["error_code"] == "ADDITIONAL_CONSENT_REQUIRED"


async def test_an_item_tells_what_it_is(checking: Held, developer: Developer) -> None:
    """With the keys of Plaid's item."""
    said = await developer.ok("/item/get", access_token=await developer.link(checking.bank))
    assert set(said) == {"item", "status", "request_id"}
    assert set(said["item"]) == {
        "available_products",
        "billed_products",
        "products",
        "consented_products",
        "consent_expiration_time",
        "created_at",
        "error",
        "institution_id",
        "institution_name",
        "item_id",
        "update_type",
        "webhook",
        "auth_method",
    }


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("INSTITUTION_DOWN", 400, "INSTITUTION_ERROR"),
        ("INTERNAL_SERVER_ERROR", 500, "API_ERROR"),
        ("ACCOUNTS_LIMIT", 429, "RATE_LIMIT_EXCEEDED"),
    ],
)
async def test_any_code_may_be_answered(
    checking: Held, plaid: PlaidApi, developer: Developer, code: str, status: int, kind: str
) -> None:
    """With its type and status, as often as the test says."""
    token = await developer.link(checking.bank)
    plaid.misbehave(refusing(code), "/accounts/get")
    got, error = await developer.ask("/accounts/get", access_token=token)
    assert (got, error["error_type"], error["error_code"]) == (status, kind, code)
    assert set(error) == ERROR_KEYS
    await developer.ok("/accounts/get", access_token=token)


async def test_a_bank_without_pending_rows_says_none(world: World, developer: Developer) -> None:
    """Some banks give Plaid only what has posted."""
    world.banks[world.checking.bank] = replace(
        world.banks[world.checking.bank], shows_pending=False
    )
    world.hold(world.checking, -100, "HELD")
    token = await developer.link(world.checking.bank)
    page = await developer.ok("/transactions/sync", access_token=token)
    assert page["added"] == []


async def test_a_hosted_link_is_polled(world: World, plaid: PlaidApi, developer: Developer) -> None:
    """A token has no session, then one that is open, then what the person has added."""
    made = await developer.ok("/link/token/create", **LINK)
    assert set(made) == {"link_token", "expiration", "hosted_link_url", "request_id"}
    assert made["expiration"] == "2026-06-15T12:30:00Z"
    token = made["link_token"]
    said = await developer.ok("/link/token/get", link_token=token)
    assert set(said) == {
        "created_at",
        "expiration",
        "link_sessions",
        "link_token",
        "metadata",
        "request_id",
    }
    assert said["link_sessions"] == []
    plaid.open_link(token)
    [opened] = (await developer.ok("/link/token/get", link_token=token))["link_sessions"]
    assert "finished_at" not in opened
    assert "results" not in opened
    bank = world.banks[world.checking.bank]
    public = plaid.finish_link(token, bank)
    sessions = (await developer.ok("/link/token/get", link_token=token))["link_sessions"]
    [added] = sessions[1]["results"]["item_add_results"]
    assert added == {
        "accounts": [
            {
                "class_type": None,
                "id": world.checking.id,
                "mask": None,
                "name": "Everyday Checking",
                "subtype": "checking",
                "type": "depository",
                "verification_status": None,
            }
        ],
        "institution": {"institution_id": bank.id, "name": "Harbour Bank"},
        "public_token": public,
    }
    assert sessions[1]["on_success"]["public_token"] == public
    assert sessions[1]["finished_at"]


async def test_a_person_may_leave_link(plaid: PlaidApi, developer: Developer) -> None:
    """With an error or without; nothing was added then."""
    token = (await developer.ok("/link/token/create", **LINK))["link_token"]
    plaid.leave_link(token)
    plaid.leave_link(token, code="INVALID_CREDENTIALS")
    said = await developer.ok("/link/token/get", link_token=token)
    first, second = said["link_sessions"]
    assert first["finished_at"]
    assert first["results"]["item_add_results"] == []
    assert first["exit"]["error"] is None
    assert second["exit"]["error"]["error_code"] == "INVALID_CREDENTIALS"
    assert "on_success" not in first


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"client_name": "a" * 31}, "INVALID_FIELD"),
        ({"client_name": None}, "MISSING_FIELDS"),
        ({"user": {}}, "MISSING_FIELDS"),
        ({"user": {"client_user_id": ""}}, "MISSING_FIELDS"),
        ({"products": []}, "MISSING_FIELDS"),
        ({"transactions": {"days_requested": 731}}, "INVALID_FIELD"),
        ({"transactions": {"days_requested": 0}}, "INVALID_FIELD"),
        ({"hosted_link": {"url_lifetime_seconds": 1_814_401}}, "INVALID_FIELD"),
        ({"access_token": "access-sandbox-unknown"}, "INVALID_ACCESS_TOKEN"),
    ],
)
async def test_what_is_asked_wrongly_of_link_is_refused(
    developer: Developer, change: dict[str, Any], code: str
) -> None:
    """Each with Plaid's code; what is just within its bounds is not."""
    status, error = await developer.ask("/link/token/create", **{**LINK, **change})
    assert (status, error["error_code"]) == (400, code)
    within = {"client_name": "a" * 30, "hosted_link": {"url_lifetime_seconds": 1_814_400}}
    await developer.ok("/link/token/create", **{**LINK, **within})


async def test_a_token_without_a_hosted_page_has_no_address(developer: Developer) -> None:
    """It lives for four hours then."""
    asked = {key: value for key, value in LINK.items() if key != "hosted_link"}
    made = await developer.ok("/link/token/create", **asked)
    assert "hosted_link_url" not in made
    assert made["expiration"] == "2026-06-15T16:00:00Z"


async def test_public_tokens_work_once(world: World, plaid: PlaidApi, developer: Developer) -> None:
    """A second exchange and one after half an hour are refused."""
    token = (await developer.ok("/link/token/create", **LINK))["link_token"]
    public = plaid.finish_link(token, world.banks[world.checking.bank])
    assert public.startswith("public-sandbox-")
    got = await developer.ok("/item/public_token/exchange", public_token=public)
    assert set(got) == {"access_token", "item_id", "request_id"}
    assert got["access_token"].startswith("access-sandbox-")
    late = plaid.finish_link(token, world.banks[world.checking.bank])
    start = plaid.now()
    plaid.now = lambda: start + timedelta(minutes=31)
    for each in (public, late, "public-sandbox-unknown"):
        _status, error = await developer.ask("/item/public_token/exchange", public_token=each)
        assert error["error_code"] == "INVALID_PUBLIC_TOKEN"


async def test_a_sandbox_links_alone(checking: Held, plaid: PlaidApi, developer: Developer) -> None:
    """It does so nowhere else."""
    made = await developer.ok(
        "/sandbox/public_token/create",
        institution_id=checking.bank,
        initial_products=["transactions"],
    )
    assert set(made) == {"public_token", "request_id"}
    await developer.ok("/item/public_token/exchange", public_token=made["public_token"])
    status, error = await developer.ask(
        "/sandbox/public_token/create", institution_id="ins_0", initial_products=[]
    )
    assert (status, error["error_code"]) == (400, "INVALID_INSTITUTION")
    plaid.environment = "production"
    for path in ("/sandbox/public_token/create", "/sandbox/item/reset_login"):
        _status, error = await developer.ask(path, institution_id=checking.bank)
        assert error["error_code"] == "SANDBOX_ONLY"


async def test_update_mode_mends_items(world: World, plaid: PlaidApi, developer: Developer) -> None:
    """Its token and accounts stay; no product is asked for and nothing is exchanged."""
    bank = world.banks[world.checking.bank]
    token = await developer.link(bank.id)
    world.sign_out(bank)
    for path in ("/transactions/sync", "/accounts/get", "/liabilities/get"):
        status, error = await developer.ask(path, access_token=token)
        assert (status, error["error_code"]) == (400, "ITEM_LOGIN_REQUIRED")
        assert (error["error_type"], set(error)) == ("ITEM_ERROR", ERROR_KEYS)
    item = (await developer.ok("/item/get", access_token=token))["item"]
    assert item["error"]["error_code"] == "ITEM_LOGIN_REQUIRED"
    _status, error = await developer.ask("/link/token/create", **LINK, access_token=token)
    assert error["error_code"] == "INVALID_FIELD"
    asked = {key: value for key, value in LINK.items() if key != "products"}
    made = await developer.ok("/link/token/create", **asked, access_token=token)
    plaid.finish_link(made["link_token"], bank)
    [session] = (await developer.ok("/link/token/get", link_token=made["link_token"]))[
        "link_sessions"
    ]
    assert session["results"]["item_add_results"] == []
    assert session["on_success"]["public_token"]
    accounts = (await developer.ok("/accounts/get", access_token=token))["accounts"]
    assert [each["account_id"] for each in accounts] == [world.checking.id]
    assert (await developer.ok("/item/get", access_token=token))["item"]["error"] is None


async def test_an_item_may_ail_alone(checking: Held, plaid: PlaidApi, developer: Developer) -> None:
    """Until it is mended; the sandbox can break a login as well."""
    token = await developer.link(checking.bank)
    [item] = plaid.items.values()
    item.ails, item.ails_because = "USER_PERMISSION_REVOKED", "OAUTH_CONSENT_EXPIRED"
    for _each in range(2):
        _status, error = await developer.ask("/accounts/get", access_token=token)
        assert error["error_code"] == "USER_PERMISSION_REVOKED"
        assert error["error_code_reason"] == "OAUTH_CONSENT_EXPIRED"
    item.ails = None
    await developer.ok("/accounts/get", access_token=token)
    assert (await developer.ok("/sandbox/item/reset_login", access_token=token))["reset_login"]
    _status, error = await developer.ask("/accounts/get", access_token=token)
    assert error["error_code"] == "ITEM_LOGIN_REQUIRED"


async def test_a_consent_ends_in_time(world: World, plaid: PlaidApi, developer: Developer) -> None:
    """Until then it is told of and all is well."""
    token = await developer.link(world.checking.bank)
    [item] = plaid.items.values()
    item.consent_ends = plaid.now() + timedelta(days=7)
    said = (await developer.ok("/item/get", access_token=token))["item"]
    assert said["consent_expiration_time"] == "2026-06-22T12:00:00Z"
    world.advance(date(2026, 6, 21))
    await developer.ok("/accounts/get", access_token=token)
    world.advance()
    _status, error = await developer.ask("/accounts/get", access_token=token)
    assert error["error_code"] == "ITEM_LOGIN_REQUIRED"


async def test_a_removed_item_is_gone(checking: Held, developer: Developer) -> None:
    """Its token is of no item any more, and another's is untouched."""
    token, other = await developer.link(checking.bank), await developer.link(checking.bank)
    assert token != other
    assert set(await developer.ok("/item/remove", access_token=token)) == {"request_id"}
    for path in ("/item/get", "/item/remove", "/transactions/sync"):
        _status, error = await developer.ask(path, access_token=token)
        assert error["error_code"] == "ITEM_NOT_FOUND"
    await developer.ok("/transactions/refresh", access_token=other)


async def test_a_new_link_has_new_ids_for_all(world: World, developer: Developer) -> None:
    """The item of before asks to sign in, and the new one has ids that nobody knows."""
    bank = world.banks[world.checking.bank]
    before = await developer.link(bank.id)
    world.relink(bank)
    _status, error = await developer.ask("/accounts/get", access_token=before)
    assert error["error_code"] == "ITEM_LOGIN_REQUIRED"
    after = await developer.link(bank.id)
    [account] = (await developer.ok("/accounts/get", access_token=after))["accounts"]
    assert account["account_id"] != world.checking.id
    assert account["name"] == world.checking.name


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


async def test_a_row_has_plaids_keys_and_sign(world: World, checking: Held, store: Store) -> None:
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


async def test_bank_words_come_when_asked(world: World, developer: Developer, store: Store) -> None:
    """Only then is the key there."""
    world.book(world.checking, -100, "SQ *CORNER CAFE")
    page = await developer.ok(
        "/transactions/sync",
        access_token=store.token,
        options={"include_original_description": True},
    )
    assert page["added"][0]["original_description"] == "SQ *CORNER CAFE"


async def test_an_update_has_pages_and_an_end(world: World, checking: Held, store: Store) -> None:
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


async def test_a_full_page_may_be_the_last(world: World, checking: Held, store: Store) -> None:
    """No empty page follows it."""
    for number in range(1, 5):
        world.book(checking, -number, "COFFEE")
    assert [len(page["added"]) for page in await store.sync(count=2)] == [2, 2]


async def test_one_cursor_gives_one_page(world: World, developer: Developer, store: Store) -> None:
    """A client that has forgotten an answer asks again and misses nothing."""
    for number in range(1, 5):
        world.book(world.checking, -number, "COFFEE")
    asks = {"access_token": store.token, "cursor": "", "count": 2}
    first = await developer.ok("/transactions/sync", **asks)
    again = await developer.ok("/transactions/sync", **asks)
    assert first.pop("request_id") != again.pop("request_id")
    assert first == again


async def test_posting_removes_and_adds_a_row(world: World, checking: Held, store: Store) -> None:
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


async def test_a_row_that_keeps_its_id_changes(world: World, checking: Held, store: Store) -> None:
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
    world: World, plaid: PlaidApi, developer: Developer, store: Store
) -> None:
    """The cursor of the first page leads to all of it, and that of a later one no more."""
    for number in range(1, 5):
        world.book(world.checking, -number * 100, "COFFEE")
    plaid.misbehave(
        Meanwhile(lambda: world.book(world.checking, -900, "DINNER")), "/transactions/sync", nth=2
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


async def test_a_cursor_is_of_its_item(checking: Held, developer: Developer, store: Store) -> None:
    """Another item's, and one that was never given, are refused."""
    await store.sync()
    other = await developer.link(checking.bank)
    for cursor in (store.cursor, "invented"):
        status, error = await developer.ask("/transactions/sync", access_token=other, cursor=cursor)
        assert (status, error["error_code"]) == (400, "INVALID_FIELD")
        assert "cursor" in error["error_message"]


@pytest.mark.parametrize("count", [0, 501, "all"])
async def test_a_count_has_its_bounds(developer: Developer, store: Store, count: object) -> None:
    """A page has one row to five hundred."""
    status, error = await developer.ask("/transactions/sync", access_token=store.token, count=count)
    assert (status, error["error_code"]) == (400, "INVALID_FIELD")


async def test_history_comes_in_steps(world: World, plaid: PlaidApi, developer: Developer) -> None:
    """First nothing and no cursor, then the last days, then all that was asked for at the link."""
    plaid.progress = NOT_READY
    store = Store(developer, await developer.link(world.checking.bank, days=60))
    for ago in (10, 30, 31, 60, 61):
        world.book(world.checking, -ago * 100, "RENT", day=TODAY - timedelta(days=ago))
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


async def test_pages_in_any_order_add_up_alike(world: World, plaid: PlaidApi, store: Store) -> None:
    """Rows of an update may come in any order, and the last row of a page on the next one too."""
    dice = Random(7)
    plaid.order = lambda changes: dice.sample(changes, len(changes))
    plaid.overlap = True
    for number in range(1, 30):
        world.hold(
            world.checking, -number * 100, "SHOP", posts=TODAY + timedelta(days=number % 4 + 1)
        )
    total = 0
    for _each in range(5):
        pages = await store.sync(count=4)
        total += sum(len(page["added"]) for page in pages)
        world.advance()
    assert store.amounts() == list(range(1, 30))
    assert not any(row["pending"] for row in store.rows.values())
    # Some rows were on two pages.
    assert total > 58


async def test_a_page_names_its_rows_accounts(world: World, checking: Held, store: Store) -> None:
    """An account without news is not there, and a balance is as it is now."""
    savings = world.open(world.banks[checking.bank], "Savings", subtype="savings", mask="0002")
    world.book(savings, 5_025, "INTEREST")
    [page] = await store.sync()
    [account] = page["accounts"]
    assert (account["account_id"], account["balances"]["current"]) == (savings.id, 50.25)


async def test_a_limit_says_until_when(plaid: PlaidApi, developer: Developer, store: Store) -> None:
    """As an error of Plaid's own kind, with status 429."""
    plaid.misbehave(refusing("TRANSACTIONS_SYNC_LIMIT", retry_after=60), "/transactions/sync")
    status, error = await developer.ask("/transactions/sync", access_token=store.token)
    assert (status, error["error_type"]) == (429, "RATE_LIMIT_EXCEEDED")
    await store.sync()
