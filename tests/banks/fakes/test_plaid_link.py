"""How items of the fake Plaid come, ail, are mended and go."""

from datetime import date, timedelta
from typing import Any

import pytest

from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.ways import Developer
from tests.banks.fakes.world import Held, World

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


async def test_a_hosted_link_is_polled_until_the_person_is_done(
    world: World, checking: Held, plaid: PlaidApi, developer: Developer
) -> None:
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
    bank = world.banks[checking.bank]
    public = plaid.finish_link(token, bank)
    sessions = (await developer.ok("/link/token/get", link_token=token))["link_sessions"]
    [added] = sessions[1]["results"]["item_add_results"]
    assert added == {
        "accounts": [
            {
                "class_type": None,
                "id": checking.id,
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


async def test_a_public_token_is_exchanged_once_and_soon(
    world: World, checking: Held, plaid: PlaidApi, developer: Developer
) -> None:
    """A second exchange and one after half an hour are refused."""
    token = (await developer.ok("/link/token/create", **LINK))["link_token"]
    public = plaid.finish_link(token, world.banks[checking.bank])
    assert public.startswith("public-sandbox-")
    got = await developer.ok("/item/public_token/exchange", public_token=public)
    assert set(got) == {"access_token", "item_id", "request_id"}
    assert got["access_token"].startswith("access-sandbox-")
    late = plaid.finish_link(token, world.banks[checking.bank])
    start = plaid.now()
    plaid.now = lambda: start + timedelta(minutes=31)
    for each in (public, late, "public-sandbox-unknown"):
        _status, error = await developer.ask("/item/public_token/exchange", public_token=each)
        assert error["error_code"] == "INVALID_PUBLIC_TOKEN"


async def test_the_sandbox_links_without_a_person(
    checking: Held, plaid: PlaidApi, developer: Developer
) -> None:
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


async def test_an_item_that_asks_to_sign_in_is_mended_in_update_mode(
    world: World, checking: Held, plaid: PlaidApi, developer: Developer
) -> None:
    """Its token and accounts stay; no product is asked for and nothing is exchanged."""
    bank = world.banks[checking.bank]
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
    assert [each["account_id"] for each in accounts] == [checking.id]
    assert (await developer.ok("/item/get", access_token=token))["item"]["error"] is None


async def test_an_item_may_ail_for_a_reason_of_its_own(
    checking: Held, plaid: PlaidApi, developer: Developer
) -> None:
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


async def test_a_consent_ends_when_it_says(
    world: World, checking: Held, plaid: PlaidApi, developer: Developer
) -> None:
    """Until then it is told of and all is well."""
    token = await developer.link(checking.bank)
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


async def test_a_bank_linked_anew_has_another_item_and_other_accounts(
    world: World, checking: Held, developer: Developer
) -> None:
    """The item of before asks to sign in, and the new one has ids that nobody knows."""
    bank = world.banks[checking.bank]
    before = await developer.link(bank.id)
    world.relink(bank)
    _status, error = await developer.ask("/accounts/get", access_token=before)
    assert error["error_code"] == "ITEM_LOGIN_REQUIRED"
    after = await developer.link(bank.id)
    [account] = (await developer.ok("/accounts/get", access_token=after))["accounts"]
    assert account["account_id"] != checking.id
    assert account["name"] == checking.name
