"""Plaid's sandbox answers as the fake does, where PLAID_CLIENT_ID and PLAID_SANDBOX_SECRET are set."""

import asyncio
import os
from datetime import UTC, datetime

import pytest

from finplan.banks.base import Link, PageWanted
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidApi, PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.model.errors import BankProviderError

CLIENT, SECRET = os.environ.get("PLAID_CLIENT_ID"), os.environ.get("PLAID_SANDBOX_SECRET")

pytestmark = pytest.mark.skipif(
    not (CLIENT and SECRET),
    reason="PLAID_CLIENT_ID and PLAID_SANDBOX_SECRET are not set, so Plaid's sandbox is not asked.",
)

PLATYPUS = "ins_109508"
"""A bank that the sandbox makes up."""

TRIES, PAUSE = 20, 3.0
"""How often it is looked whether the sandbox has read a history, and after how many seconds."""


async def test_the_sandbox_answers_as_expected() -> None:
    """A page opens, a token is exchanged, a history comes and stands still, and the item is removed."""
    keys = PlaidKeys(str(CLIENT), str(SECRET), "sandbox")
    http = BankHttp("Plaid")
    plaid, api = Plaid(http, keys), PlaidApi(http, keys)
    opened = await plaid.begin(PageWanted("usr_contract"))
    assert opened.url.startswith("https://")
    assert await plaid.look(opened.ticket) is None

    made = await api.ask(
        "/sandbox/public_token/create",
        institution_id=PLATYPUS,
        initial_products=["transactions"],
    )
    access = await plaid.exchange(made["public_token"])
    link = Link("usr_contract", "Platypus", access.secret)
    today, cursor = datetime.now(UTC).date(), None
    try:
        rows: set[str] = set()
        for _ in range(TRIES):
            page = await plaid.sync(link, cursor, today)
            rows |= {each.external_id for each in page.added}
            cursor = page.cursor or None
            if page.complete:
                break
            await asyncio.sleep(PAUSE)
        assert page.complete
        assert page.accounts
        assert rows
        assert page.institution is not None
        again = await plaid.sync(link, cursor, today)
        assert (again.added, again.removed) == ((), ())
        await api.ask("/sandbox/item/reset_login", access_token=access.secret)
        with pytest.raises(BankProviderError) as refused:
            await plaid.sync(link, cursor, today)
        assert refused.value.failure == "login_required"
        assert (await plaid.begin(PageWanted("usr_contract", secret=access.secret))).url
    finally:
        await plaid.leave(access.secret)
    with pytest.raises(BankProviderError, match="Link it anew"):
        await plaid.sync(link, cursor, today)
