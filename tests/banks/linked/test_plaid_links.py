"""Linking at Plaid's page: polled, left, finished, reconnected; whoever asks and whatever dies.

Of several sign-ins at one page each is a connection of its own, and none is lost.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.banks.http import BankHttp
from finplan.model import errors
from finplan.model.base import Nothing
from finplan.model.connection import (
    BankLinkId,
    BankLinkRequest,
    LinkRequest,
    Reconnection,
    Unlinking,
)
from finplan.service.automation.agenda import expected_jobs
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.banking.linking import link_connection
from finplan.service.banking.page_links import begin_link, look_at_links_due, show_link
from finplan.store.queries import connections
from tests.banks.fakes.plaid_shapes import refusing
from tests.banks.fakes.wire import BAD_GATEWAY, Changed, Cut, HalfJson, Slow, Truncated
from tests.banks.fakes.world import HeldAt, World
from tests.banks.linked.household import Crashed, Mortal, PlaidHome
from tests.present import present


async def test_a_page_is_open_until_somebody_signs_in(plaid: PlaidHome) -> None:
    """A link is pending with the page's address, then linked, and stays so."""
    link = await plaid.begin()
    assert (link.status, link.connection, link.error) == ("pending", None, None)
    assert link.url == plaid.plaid.links[plaid.token].hosted_url
    assert link.expires_at == plaid.plaid.links[plaid.token].expires.timestamp() * 1000

    assert (await plaid.poll(link)).status == "pending"
    plaid.plaid.open_link(plaid.token)
    assert (await plaid.poll(link)).status == "pending"
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    for _ in range(3):
        told = await plaid.poll(link)
        assert (told.status, told.error) == ("linked", None)
        assert present(told.connection).institution_name == "Harbour Bank"
    assert plaid.exchanges() == 1
    await plaid.must_be_true()


async def test_what_is_asked_of_the_page(plaid: PlaidHome) -> None:
    """All history, rates and payments are asked for at once, and the keys are in no body."""
    await plaid.begin()
    [asked] = plaid.plaid.asked("/link/token/create")
    assert asked.json["transactions"] == {"days_requested": 730}
    assert (asked.json["products"], asked.json["hosted_link"]) == (["transactions"], {})
    assert "liabilities" in asked.json["additional_consented_products"]
    assert asked.headers["Plaid-Version"] == "2020-09-14"
    assert "secret" not in asked.json


async def test_keys_without_more_products_link_all_the_same(plaid: PlaidHome) -> None:
    """Who may ask for rows alone gets a page for rows alone."""
    plaid.plaid.misbehave(refusing("INVALID_FIELD"), "/link/token/create")
    await plaid.link(plaid.world.harbour)
    assert "additional_consented_products" not in plaid.plaid.asked("/link/*/create")[-1].json


async def test_the_bank_is_asked_every_two_seconds_at_most(plaid: PlaidHome) -> None:
    """However often a client polls, Plaid hears of it no more often."""
    link = await plaid.begin()
    for _ in range(10):
        await show_link(plaid.context, BankLinkId(id=link.id))
    assert len(plaid.plaid.asked("/link/token/get")) == 1
    plaid.second += 2
    for _ in range(10):
        await show_link(plaid.context, BankLinkId(id=link.id))
    assert len(plaid.plaid.asked("/link/token/get")) == 2


@pytest.mark.parametrize(("later", "asked"), [(1_999, 1), (2_000, 2)])
async def test_seconds_become_milliseconds(plaid: PlaidHome, later: int, asked: int) -> None:
    """The bank is asked again once they are over, and not before."""
    link = await plaid.begin()
    await show_link(plaid.context, BankLinkId(id=link.id))
    then = plaid.now() + timedelta(milliseconds=later)
    await show_link(replace(plaid.context, now=lambda: then), BankLinkId(id=link.id))
    assert len(plaid.plaid.asked("/link/token/get")) == asked


async def test_one_process_at_a_time_holds_a_link(plaid: PlaidHome) -> None:
    """Neither while another holds it, nor right after a look, nor once it is over."""
    await plaid.begin()
    now = int(plaid.now().timestamp() * 1000)

    async def held(at: int, until: int, **columns: int) -> bool:
        def hold(connection: Connection) -> bool:
            free = {"is_over": 0, "busy_until": 0, "asked_at": 0}
            connections.change_link(connection, 1, {**free, **columns})
            return connections.hold_link(connection, 1, at, 2_000, until)

        return await plaid.context.store.write(hold)

    until = now + 300_000
    assert await held(now, until)
    assert not await held(now, until, busy_until=now + 1)
    assert await held(now, until, busy_until=now)
    assert not await held(now, until, asked_at=now - 1_999)
    assert await held(now, until, asked_at=now - 2_000)
    assert not await held(now, until, is_over=1)
    # What was written under a clock that was ahead holds nobody up.
    assert await held(now, until, busy_until=until + 1)
    assert await held(now, until, asked_at=now + 1)


async def test_who_leaves_the_page_may_come_back(plaid: PlaidHome) -> None:
    """A link whose page was left has failed with Plaid's reason, and is linked after all later."""
    link = await plaid.begin()
    plaid.plaid.leave_link(plaid.token, plaid.world.harbour, "INSTITUTION_DOWN")
    told = await plaid.poll(link)
    assert told.status == "failed"
    assert "INSTITUTION_DOWN" in (told.error or "")
    plaid.plaid.open_link(plaid.token)
    assert (await plaid.poll(link)).status == "pending"
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    assert (await plaid.poll(link)).status == "linked"
    await plaid.must_be_true()


@pytest.mark.parametrize(("seconds", "is_looked_at"), [(-2, True), (0, False)])
async def test_a_page_is_looked_at_for_half_an_hour_after_it_has_closed(
    plaid: PlaidHome, seconds: int, *, is_looked_at: bool
) -> None:
    """So long who had begun there may still finish; from then on the link is over."""
    link = await plaid.begin()
    now = int(plaid.now().timestamp() * 1000)
    # To ask for it takes three seconds.
    plaid.second += (link.expires_at - now) // 1000 + 30 * 60 + seconds - 3
    assert (await plaid.poll(link)).status == "failed"
    query = "SELECT is_over FROM bank_link"
    over = await plaid.context.store.read(lambda c: c.exec_driver_sql(query).scalar_one())
    assert over == int(not is_looked_at)


@pytest.mark.parametrize("lacking", ["exit", "on_exit"])
async def test_who_left_the_page_is_seen_by_either_word(plaid: PlaidHome, lacking: str) -> None:
    """Plaid tells of it under one name or the other; a link fails by each of them alone."""

    def without(told: dict[str, Any]) -> object:
        for session in told["link_sessions"]:
            session.pop(lacking, None)
            session.pop("finished_at", None)
        return told

    link = await plaid.begin()
    plaid.plaid.leave_link(plaid.token, plaid.world.harbour, "INSTITUTION_DOWN")
    plaid.plaid.misbehave(Changed(without), "/link/token/get")
    told = await plaid.poll(link)
    assert told.status == "failed"
    assert "INSTITUTION_DOWN" in (told.error or "")


async def test_a_page_that_nobody_finishes_ends(plaid: PlaidHome) -> None:
    """After its time a link has failed; who had begun may still finish, and an hour later it is over."""
    link = await plaid.begin()
    plaid.second += 31 * 60
    told = await plaid.poll(link)
    assert told.status == "failed"
    assert "You did not finish" in (told.error or "")
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    assert (await plaid.poll(link)).status == "linked"

    other = await plaid.begin()
    plaid.second += 61 * 60
    assert (await plaid.poll(other)).status == "failed"
    asked = len(plaid.plaid.asked("/link/token/get"))
    await plaid.poll(other)
    assert len(plaid.plaid.asked("/link/token/get")) == asked
    later = int(plaid.now().timestamp() * 1000) + 1
    await plaid.context.store.write(lambda c: connections.prune_links(c, later))
    with pytest.raises(errors.NotFound, match="ended long ago"):
        await plaid.poll(other)


async def test_who_leaves_the_page_of_a_linked_bank_is_led_back_to_it(plaid: PlaidHome) -> None:
    """Whatever a page that renews an access ends with, its command renews that bank."""
    first = await plaid.begin()
    plaid.second += 31 * 60
    assert "`finplan connect plaid`" in ((await plaid.poll(first)).error or "")
    await plaid.link(plaid.world.harbour)
    plaid.world.sign_out(plaid.world.harbour)
    renewing = "plaid --reconnect 'Harbour Bank'`"
    left = await plaid.begin(reconnect=plaid.connection)
    plaid.plaid.leave_link(plaid.token, plaid.world.harbour)
    assert renewing in ((await plaid.poll(left)).error or "")
    closed = await plaid.begin(reconnect=plaid.connection)
    plaid.second += 31 * 60
    told = (await plaid.poll(closed)).error or ""
    assert "You did not finish" in told
    assert renewing in told


async def test_the_schedule_finishes_what_nobody_polls(plaid: PlaidHome) -> None:
    """A client that went away loses nothing: the page is looked at every minute, and then no more."""
    await plaid.begin()
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    assert await look_at_links_due(plaid.context) == 0

    def due(now: int) -> Callable[[Any], list[int | None]]:
        return lambda c: [each.at for each in expected_jobs(c, now) if each.name == "sync"]

    now = int(plaid.now().timestamp() * 1000)
    assert await plaid.context.store.read(due(now)) == [now + 60_000]
    plaid.second += 60
    assert await look_at_links_due(plaid.context) == 1
    assert len(await list_connections(plaid.context, Nothing())) == 1
    assert await plaid.posted() == plaid.true_rows(pending=False)
    # A further sign-in may come of the page until it is closed for long.
    plaid.second += 2 * 3600
    assert await look_at_links_due(plaid.context) == 1
    plaid.second += 600
    assert await look_at_links_due(plaid.context) == 0


async def test_several_who_ask_at_once_link_once(plaid: PlaidHome) -> None:
    """Of two daemons and several clients one exchanges the token, and one connection comes of it."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    slow = Slow()
    plaid.plaid.misbehave(slow, "/item/public_token/exchange")
    first = asyncio.create_task(plaid.poll(link))
    await slow.arrived()
    for _ in range(3):
        assert (await plaid.poll(link)).status == "pending"
        assert await look_at_links_due(plaid.context) == 0
    slow.go()
    assert (await first).status == "linked"
    assert plaid.exchanges() == 1
    assert len(await list_connections(plaid.context, Nothing())) == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("write", range(1, 4))
async def test_a_crash_doubles_no_connection(plaid: PlaidHome, write: int, *, before: bool) -> None:
    """Whichever write the process dies at, the link goes on afterwards or says that it cannot."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    mortal = Mortal(plaid.context.store)
    mortal.left, mortal.before = write, before
    whole = plaid.context
    plaid.context = replace(whole, store=mortal)  # type: ignore[arg-type]
    with pytest.raises(Crashed):
        await plaid.poll(link)
    plaid.context = whole
    plaid.second += 6 * 60
    told = await plaid.poll(link)

    listed = await list_connections(plaid.context, Nothing())
    if (write, before) == (2, True):
        # Plaid gave the access to a process that could not keep it: nobody knows it any more.
        assert (told.status, len(listed)) == ("failed", 0)
        assert "dashboard" in (told.error or "")
    else:
        assert (told.status, len(listed)) == ("linked", 1)
        plaid.connection = listed[0].connection.id
        await plaid.must_sync()
    assert plaid.exchanges() <= 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "fault", [BAD_GATEWAY, Cut(), HalfJson(), Truncated(), refusing("INTERNAL_SERVER_ERROR")]
)
async def test_what_passes_keeps_a_link_pending(plaid: PlaidHome, fault: Any) -> None:
    """A look that fails is told of, and the next one goes on."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    plaid.plaid.misbehave(fault, "/link/token/get")
    told = await plaid.poll(link)
    assert told.status == "pending"
    assert told.error
    plaid.plaid.misbehave(refusing("INTERNAL_SERVER_ERROR"), "/item/public_token/exchange")
    assert (await plaid.poll(link)).status == "pending"
    assert (await plaid.poll(link)).status == "linked"
    await plaid.must_be_true()


async def test_an_answer_that_is_lost_on_its_way_is_said(plaid: PlaidHome) -> None:
    """Where Plaid exchanged the token and its answer was cut, the link fails and says what is left."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    plaid.plaid.misbehave(Cut(after=True), "/item/public_token/exchange")
    assert (await plaid.poll(link)).status == "pending"
    told = await plaid.poll(link)
    assert told.status == "failed"
    assert "remove it there" in (told.error or "")


async def test_signing_in_again_needs_no_exchange(plaid: PlaidHome, world: World) -> None:
    """A bank that asks to sign in again goes on with its access, its cursor and what it had missed."""
    world.book(world.checking, -500, "CORNER CAFE 12")
    await plaid.link(world.harbour)
    secret = plaid.item.access_token
    world.sign_out(world.harbour)
    world.advance()
    world.book(world.checking, -700, "MARKET HALL")
    report = await plaid.sync()
    assert not report.ok
    assert "--reconnect 'Harbour Bank'`" in (report.error or "")
    assert (await plaid.record()).connection.status == "login_required"

    link = await plaid.begin(plaid.connection)
    asked = plaid.plaid.asked("/link/token/create")[-1].json
    assert (asked["access_token"], "products" in asked) == (secret, False)
    plaid.plaid.finish_link(plaid.token, world.harbour)
    told = await plaid.poll(link)
    assert told.connection is not None
    assert (told.connection.id, told.connection.status, told.connection.error) == (
        *(plaid.connection, "ok", None),
    )
    assert plaid.exchanges() == 1
    await plaid.must_be_true()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("code", ["USER_PERMISSION_REVOKED", "USER_ACCOUNT_REVOKED", None])
async def test_a_dead_access_is_replaced(plaid: PlaidHome, world: World, code: str | None) -> None:
    """Where the item is gone a new one takes its place: other ids, the same accounts and rows."""
    for each in range(5):
        world.book(world.checking, -500 - each, "CORNER CAFE 12")
    world.open(world.harbour, "Rainy Day", subtype="savings", opening=5_000)
    await plaid.link(world.harbour)
    before = await plaid.balances()
    former = plaid.item
    if code is None:
        former.removed = True
    else:
        former.ails = code
    world.relink(world.harbour)
    report = await plaid.sync()
    assert (await plaid.record()).connection.status == "login_required"
    assert "Link the bank again" in (report.error or "")

    plaid.plaid.misbehave(refusing(code or "ITEM_NOT_FOUND"), "/link/token/create")
    link = await plaid.begin(plaid.connection)
    plaid.plaid.finish_link(plaid.token, world.harbour)
    told = await plaid.poll(link)
    assert told.connection is not None
    assert (told.connection.id, told.connection.status) == (plaid.connection, "ok")
    assert former.removed
    assert await plaid.balances() == before
    await plaid.must_be_true()


async def test_another_bank_takes_no_banks_place(plaid: PlaidHome, world: World) -> None:
    """Who signs in elsewhere by a page to reconnect is told so; nothing is mixed or paid for."""
    elsewhere = world.bank("Elmgate")
    world.open(elsewhere, "Share Savings", opening=1_000)
    await plaid.link(world.harbour)
    before = await plaid.dump()
    plaid.item.removed = True
    plaid.plaid.misbehave(refusing("ITEM_NOT_FOUND"), "/link/token/create")
    link = await plaid.begin(plaid.connection)
    plaid.plaid.finish_link(plaid.token, elsewhere)
    told = await plaid.poll(link)

    assert told.status == "failed"
    assert "to Elmgate" in (told.error or "")
    assert plaid.item.removed
    assert await plaid.dump() == before


async def test_a_token_can_be_brought_along(plaid: PlaidHome, world: World) -> None:
    """A public token of one's own page is exchanged, that of the other environment refused."""
    world.book(world.checking, -500, "CORNER CAFE 12")
    await plaid.begin()
    token = plaid.plaid.finish_link(plaid.token, world.harbour)
    with pytest.raises(errors.BadRequest, match="production environment"):
        await link_connection(
            plaid.context,
            LinkRequest(provider="aggregator", public_token=token.replace("sandbox", "production")),
        )
    assert plaid.exchanges() == 0
    ask = LinkRequest(provider="aggregator", public_token=token)
    made = await link_connection(plaid.context, ask)
    plaid.connection = made.answer.connection.id
    assert made.answer.connection.institution_name == "Harbour Bank"
    await plaid.must_be_true()
    with pytest.raises(errors.BankProviderError, match="works once") as refused:
        await link_connection(plaid.context, ask)
    assert refused.value.failure == "login_required"


async def test_a_renewed_access_needs_one_more_request(plaid: PlaidHome, world: World) -> None:
    """`reconnect` without a token, or with that of a page to sign in again, goes on where it was."""
    world.book(world.checking, -500, "CORNER CAFE 12")
    await plaid.link(world.harbour)
    of = Reconnection(connection_id=plaid.connection)
    for brings in (False, True):
        plaid.item.ails = "ITEM_LOGIN_REQUIRED"
        assert not (await plaid.sync()).ok
        await plaid.begin(plaid.connection)
        token = plaid.plaid.finish_link(plaid.token, world.harbour)
        ask = LinkRequest(
            provider="aggregator", public_token=token if brings else None, reconnect=of
        )
        made = await link_connection(plaid.context, ask)
        assert (made.new, made.answer.connection.status) == (False, "ok")
        assert made.answer.sync_cursor is not None
        assert not plaid.item.removed
    asked = plaid.plaid.asked("/transactions/sync")
    assert all("cursor" in each.json for each in asked[1:])
    await plaid.must_be_true()


@pytest.mark.thorough
async def test_what_refuses_a_link_is_said_before_a_page_is_opened(plaid: PlaidHome) -> None:
    """Guests, unknown banks, banks without a page, connections that are not there, and the demo."""

    async def refused(of: type[Exception], match: str, **ask: Any) -> None:
        with pytest.raises(of, match=match):
            await begin_link(plaid.context, BankLinkRequest(**ask))

    await refused(errors.UnsupportedProvider, "'nobody'", bank="nobody")
    await refused(errors.UnsupportedProvider, "your own keys", bank="enablebanking")
    none = Reconnection(connection_id="con_0")
    await refused(errors.NotFound, "No connection 'con_0'", bank="plaid", reconnect=none)
    guest = replace(plaid.context, caller=replace(plaid.context.caller, guest=True))
    with pytest.raises(errors.Forbidden, match="unclaimed agent"):
        await begin_link(guest, BankLinkRequest(bank="plaid"))
    from finplan.banks.simplefin.bank import SimpleFin

    plaid.context = replace(
        plaid.context,
        aggregators={**plaid.context.aggregators, "simplefin": SimpleFin(BankHttp("SimpleFIN"))},
    )
    await refused(errors.BadRequest, "not on a page", bank="simplefin")
    await link_connection(plaid.context, LinkRequest(provider="demo"))
    await refused(errors.Conflict, "cannot share", bank="plaid")
    assert plaid.plaid.seen == []


@pytest.mark.thorough
async def test_the_demo_that_came_meanwhile_is_not_mixed(plaid: PlaidHome) -> None:
    """A demo that was linked while the page was open ends the link, and the item is removed again."""
    link = await plaid.begin()
    await link_connection(plaid.context, LinkRequest(provider="demo"))
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    told = await plaid.poll(link)

    assert told.status == "failed"
    assert "cannot share" in (told.error or "")
    assert plaid.item.removed
    assert len(await list_connections(plaid.context, Nothing())) == 1


async def test_keys_that_plaid_does_not_take_are_said(plaid: PlaidHome) -> None:
    """Wrong keys are refused with where they are found, and the refusal holds neither of them."""
    plaid.plaid.keys.secret = "another"
    with pytest.raises(errors.BankProviderError, match="rejects your keys") as refused:
        await plaid.begin()
    assert refused.value.failure == "provider_error"
    assert plaid.plaid.keys.client_id not in str(refused.value)


async def test_an_access_whose_accounts_another_took_over_is_ended(plaid: PlaidHome) -> None:
    """Who links a bank a second time pays for one item alone, and has each account once."""
    await plaid.link(plaid.world.harbour)
    first = plaid.item
    await plaid.link(plaid.world.harbour)

    assert plaid.item is not first
    assert (first.removed, plaid.item.removed) == (True, False)
    assert len(await list_connections(plaid.context, Nothing())) == 1
    await plaid.must_be_true()


async def test_a_token_that_cannot_be_placed_is_ended(plaid: PlaidHome, world: World) -> None:
    """Where a brought token was exchanged and the link is refused all the same, nobody pays for it."""
    await plaid.link(world.harbour)
    await plaid.begin()
    token = plaid.plaid.finish_link(plaid.token, world.harbour)
    of = Reconnection(connection_id=plaid.connection)

    class Meanwhile:
        async def answer(self, _request: Any, proceed: Any) -> Any:
            said = await proceed()
            await unlink_connection(plaid.context, Unlinking(id=plaid.connection))
            return said

    plaid.plaid.misbehave(Meanwhile(), "/item/public_token/exchange")
    ask = LinkRequest(provider="aggregator", public_token=token, reconnect=of)
    with pytest.raises(errors.NotFound):
        await link_connection(plaid.context, ask)

    assert [each.removed for each in plaid.plaid.items.values()] == [True, True]


REACH_BY = "UPDATE connection SET provider = ?, bank = ?"


@pytest.mark.parametrize(
    ("provider", "bank", "by"),
    [
        ("aggregator", "simplefin", "simplefin"),
        ("manual", None, "statement files"),
        ("aggregator", None, "aggregator"),
    ],
)
async def test_another_way_is_refused(
    plaid: PlaidHome, provider: str, bank: str | None, by: str
) -> None:
    """What reaches a connection and what was asked for are both named, and no page is opened."""
    await plaid.link(plaid.world.harbour)
    await plaid.context.store.write(lambda c: c.exec_driver_sql(REACH_BY, (provider, bank)))
    with pytest.raises(errors.BadRequest, match=f"through {by}, .* through plaid"):
        await plaid.begin(reconnect=plaid.connection)
    assert len(plaid.plaid.asked("/link/token/create")) == 1


async def _linked(home: PlaidHome) -> list[str]:
    records = await list_connections(home.context, Nothing())
    return [each.connection.institution_name for each in records]


async def _minutes(home: PlaidHome, number: int) -> None:
    """Minutes pass in which the schedule looks at what is due."""
    for _ in range(number):
        home.second += 61
        await look_at_links_due(home.context)


@pytest.fixture
def second(world: World) -> HeldAt:
    bank = world.bank("Elm Gate Bank")
    world.open(bank, "Elm Checking", opening=7_000)
    return bank


@pytest.mark.parametrize("is_later", [False, True])
async def test_a_visit_is_a_connection(plaid: PlaidHome, second: HeldAt, *, is_later: bool) -> None:
    """Whether the first sign-in was linked before the second one or not."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    if not is_later:
        plaid.plaid.finish_link(plaid.token, second)
    told = await plaid.poll(link)
    assert present(told.connection).institution_name == "Harbour Bank"
    await _minutes(plaid, 2)
    if is_later:
        plaid.plaid.finish_link(plaid.token, second)
    await _minutes(plaid, 2)
    assert await _linked(plaid) == ["Harbour Bank", "Elm Gate Bank"]
    assert plaid.exchanges() == 2
    await plaid.must_be_true()


async def test_each_sign_in_of_a_visit_is_a_connection(plaid: PlaidHome, second: HeldAt) -> None:
    """A page that gives several tokens at once is read to its end."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, plaid.world.harbour)
    plaid.plaid.finish_link(plaid.token, second)

    def at_once(told: Any) -> Any:
        first, other = told["link_sessions"]
        first["results"]["item_add_results"] += other["results"]["item_add_results"]
        return told | {"link_sessions": [first]}

    plaid.plaid.misbehave(Changed(at_once), "/link/token/get", times=None)
    await plaid.poll(link)
    await _minutes(plaid, 2)
    assert await _linked(plaid) == ["Harbour Bank", "Elm Gate Bank"]
    await plaid.must_be_true()


@pytest.mark.thorough
async def test_who_signs_in_once_has_one_connection(plaid: PlaidHome) -> None:
    """Nothing more comes of the page, and once it is closed for long nobody asks for it."""
    await plaid.link(plaid.world.harbour)
    await _minutes(plaid, 90)
    asked = len(plaid.plaid.asked("/link/token/get"))
    await _minutes(plaid, 5)
    assert len(plaid.plaid.asked("/link/token/get")) == asked
    assert (await _linked(plaid), plaid.exchanges()) == (["Harbour Bank"], 1)


@pytest.mark.thorough
async def test_a_page_to_sign_in_again_is_for_one(plaid: PlaidHome, world: World) -> None:
    """What comes of it is the access that there was, and nothing more is looked for."""
    await plaid.link(world.harbour)
    await _minutes(plaid, 90)
    world.advance(world.today + timedelta(days=1))
    await plaid.link(world.harbour, reconnect=plaid.connection)
    assert await look_at_links_due(plaid.context) == 0
    plaid.second += 61
    assert await look_at_links_due(plaid.context) == 0
    assert plaid.exchanges() == 1
