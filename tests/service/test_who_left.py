"""Who has joined leaves: the owner of the machine reads of it, and nothing waits for their address."""

from dataclasses import replace
from typing import Any, cast

import pytest
from sqlalchemy import Connection, select

from finplan.model.base import Nothing
from finplan.model.credential import NewInvite
from finplan.model.errors import StoreDamaged
from finplan.service.authorization.agents import ask_claim, welcome
from finplan.service.context import Context
from finplan.service.credentials import membership
from finplan.service.credentials.membership import delete_me
from finplan.store.backup import is_good
from finplan.store.tables.tables import claim_attempt
from tests.service.test_credentials import (
    HERE,
    MS,
    CountedPasswords,
    by_browser,
    invited,
    join,
    told,
)
from tests.store.test_backups import flip, root_of

GRACE = "grace@example.org"


class SignsNothing:
    """Stands in for the keys of the authorization server."""

    issuer = "https://finplan.example/auth"

    def sign(self, *_told: Any) -> str:
        return "signed"


@pytest.fixture
def ada(newcomer: Context) -> Context:
    return replace(newcomer, passwords=CountedPasswords())


@pytest.fixture
async def grace(ada: Context) -> Context:
    """Somebody who joined by an invite, while others were open."""
    for email in ("GRACE@example.org", "eve@example.org", None):
        await membership.create_invite(ada, NewInvite(email=email))
    return await by_browser(ada, await join(ada, await invited(ada, GRACE), GRACE))


async def claims_of(context: Context) -> list[str]:
    """The addresses that agents ask for."""

    def read(connection: Connection) -> list[str]:
        return list(connection.execute(select(claim_attempt.c.email_key)).scalars())

    return await context.store.read(read)


async def test_the_owner_reads_who_left(ada: Context, grace: Context) -> None:
    """On their record it stands who left, when and where from; it is no command line that did it."""
    await delete_me(grace, Nothing())

    assert (await told(ada))[-1] == (
        "person.left",
        f"{GRACE} deleted their account, with everything of theirs.",
        None,
        HERE.address,
    )


async def test_the_owner_who_leaves_is_followed_by_one_without_a_record(
    ada: Context, grace: Context
) -> None:
    """Who follows on the machine has seen nothing, and nobody else reads who owned it."""
    await delete_me(ada, Nothing())

    assert "person.left" not in [kind for kind, *_ in await told(grace)]


async def test_open_invites_for_who_left_are_taken_back(ada: Context, grace: Context) -> None:
    """However the address is written; other invites stay, and the one that was used is remembered."""
    await delete_me(grace, Nothing())

    kept = {
        (each.email, each.used_at is None) for each in await membership.list_invites(ada, Nothing())
    }
    assert kept == {("eve@example.org", True), (None, True), (GRACE, False)}


async def test_no_agent_waits_for_who_left(ada: Context, grace: Context) -> None:
    """The address that an agent asked for is erased, and that of somebody else is not."""

    def ask(connection: Connection) -> None:
        for email in (GRACE.upper(), "eve@example.org"):
            agent = welcome(connection, cast("Any", SignsNothing()), "::1", MS)
            ask_claim(connection, agent["claim_token"], email, "::1", "", MS)

    await ada.store.write(ask)
    assert sorted(await claims_of(ada)) == ["eve@example.org", GRACE]

    await delete_me(grace, Nothing())

    assert await claims_of(ada) == ["eve@example.org"]


async def test_nobody_leaves_a_damaged_store(grace: Context) -> None:
    """The backups, which go first, may be all that can be restored; so nothing goes."""
    store = grace.store
    await store.compact()
    copy = store.backups / "daily-2026-11-21.db"
    store.back_up(copy)
    flip(store.path, root_of(store.path, "person"))
    with pytest.raises(StoreDamaged):
        await delete_me(grace, Nothing())
    assert is_good(copy)
