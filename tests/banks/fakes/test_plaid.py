"""The fake Plaid's format laws; keys are those of its OpenAPI file's examples."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.plaid_errors import refusing
from tests.banks.fakes.ways import Developer
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


async def test_accounts_have_plaids_signs(
    world: World, checking: Held, developer: Developer
) -> None:
    """What a card owes is above zero; what is not known is null."""
    bank = world.banks[checking.bank]
    world.open(
        bank, "Card", kind="credit", subtype="credit card", opening=-41_000, credit_limit=200_000
    )
    world.open(bank, "Mortgage", kind="loan", subtype="mortgage", opening=-5_630_206)
    world.open(bank, "Coins", kind="investment", subtype="crypto", currency="BTC", opening=12_345)
    world.hold(checking, -1_050, "HELD")
    token = await developer.link(checking.bank)
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


async def test_one_bank_wants_to_know_how_old_a_balance_may_be(
    world: World, developer: Developer
) -> None:
    """Its balances are not read now without that; other banks do not ask."""
    bank = world.bank("Capital Harbour", bank_id="ins_128026")
    world.open(bank, "Checking")
    token = await developer.link(bank.id)
    _status, error = await developer.ask("/accounts/balance/get", access_token=token)
    assert error["error_code"] == "INVALID_FIELD"
    options = {"min_last_updated_datetime": "2026-06-14T00:00:00Z"}
    await developer.ok("/accounts/balance/get", access_token=token, options=options)
    await developer.ok("/accounts/get", access_token=token)


async def test_debts_have_their_terms(world: World, checking: Held, developer: Developer) -> None:
    """Cards, mortgages and student loans each in their own shape; others are left out."""
    bank = world.banks[checking.bank]
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
    token = await developer.link(checking.bank)
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


async def test_debts_want_consent_and_accounts_that_owe(
    checking: Held, developer: Developer
) -> None:
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


async def test_a_bank_without_pending_rows_says_none(
    world: World, checking: Held, developer: Developer
) -> None:
    """Some banks give Plaid only what has posted."""
    world.banks[checking.bank] = replace(world.banks[checking.bank], shows_pending=False)
    world.hold(checking, -100, "HELD")
    token = await developer.link(checking.bank)
    page = await developer.ok("/transactions/sync", access_token=token)
    assert page["added"] == []
