"""Accounts of one's own in the site: added, told by a day, and removed, each by a form."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from finplan.daemon.surfaces.site.own_accounts import ADD, REMOVE, SET_BALANCE
from finplan.daemon.surfaces.site.settings_page import ACCOUNTS, BANKS
from finplan.views.accounts import OWN_KINDS
from tests.daemon.running import running_daemon
from tests.daemon.site.browsing import Page, Visitor, page_in, signed_in

HOME = {"kind": "property", "name": "Home", "balance": "410,000", "currency": "usd"}


@pytest.fixture
async def owner(tmp_path: Path, empty_store: Path) -> AsyncIterator[Visitor]:
    """A browser of a household without any account."""
    async with running_daemon(tmp_path, empty_store) as daemon, signed_in(daemon) as visitor:
        yield visitor


async def listed(owner: Visitor) -> list[dict[str, Any]]:
    """The accounts, as programs are told."""
    records: list[dict[str, Any]] = (await owner.daemon.http.get("/api/v1/accounts/records")).json()
    return records


async def test_an_account_by_forms(owner: Visitor) -> None:
    """A home is added, gets a balance of an earlier day, and is removed again."""
    added = await owner.act(ACCOUNTS, ADD, **HOME, since="2019-05-01")
    assert added.status_code == 303, Page(added.text).said
    (home,) = await listed(owner)
    known = home["account"]
    assert (known["name"], known["kind"], known["subtype"]) == ("Home", "other", "property")
    assert (known["balance"], home["since"]) == (410_000_00, "2019-05-01")
    page = await owner.page(ACCOUNTS)
    assert "property · Added by you · $410,000.00" in page.said

    assert "Added by you accounts that you added" in (await owner.page(BANKS)).said

    of_day = {"balance": "390000", "date": "2025-01-31"}
    saved = await owner.act(ACCOUNTS, SET_BALANCE, id=known["id"], **of_day)
    assert saved.headers["location"] == f"{ACCOUNTS}?done=saved"
    today = await owner.act(ACCOUNTS, SET_BALANCE, id=known["id"], balance="411000", date="")
    assert today.status_code == 303
    (home,) = await listed(owner)
    assert [anchor["balance"] for anchor in home["anchors"]] == [390_000_00, 411_000_00]

    assert (await owner.act(ACCOUNTS, REMOVE, id=known["id"])).status_code == 303
    assert await listed(owner) == []


@pytest.mark.parametrize("own", OWN_KINDS, ids=lambda own: own.subtype)
async def test_each_kind_that_is_offered_can_be_added(owner: Visitor, own: Any) -> None:
    """What stands in the list is a kind with a subtype that accounts of it may have."""
    fields = HOME | {"kind": own.subtype}
    assert (await owner.act(ACCOUNTS, ADD, **fields)).status_code == 303
    (record,) = await listed(owner)
    assert (record["account"]["kind"], record["account"]["subtype"]) == (own.kind, own.subtype)


@pytest.mark.parametrize(
    ("wrong", "status", "words"),
    [
        ({"balance": "much"}, 400, "'much' is not an amount"),
        ({"kind": "castle"}, 400, "Choose a kind of account."),
        ({"since": "2150-01-01"}, 400, "in the future"),
        ({"currency": ""}, 400, "no currency yet"),
    ],
)
async def test_what_cannot_be_is_said_and_kept_in_the_form(
    owner: Visitor, wrong: dict[str, str], status: int, words: str
) -> None:
    """A refusal says what to do, and what was typed is still there."""
    refused = await owner.act(ACCOUNTS, ADD, **HOME | wrong)
    page = page_in(refused, status)
    assert words in page.said
    assert "Home" in page.values("value", "input")
    assert await listed(owner) == []
