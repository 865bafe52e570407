"""What is held ready for a webhook that is changed, disabled or removed before its turn."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from aiohttp import web

from finplan.model.base import Nothing
from finplan.model.webhook import WebhookChange, WebhookId
from finplan.service.credentials.membership import delete_me
from finplan.service.webhooks.deliveries import DeliveryBook
from finplan.service.webhooks.webhooks import change_webhook, remove_webhook
from finplan.webhooks.courier import AT_ONCE, CLAIMED_FOR
from tests.webhooks.desk import HookDesk, sealer
from tests.webhooks.receiver import Authority, Receiver

Change = Callable[[HookDesk, str, str], Awaitable[object]]


async def _remove(desk: HookDesk, hook: str, _url: str) -> object:
    return await remove_webhook(desk.context, WebhookId(id=hook))


async def _disable(desk: HookDesk, hook: str, _url: str) -> object:
    return await change_webhook(desk.context, WebhookChange(id=hook, disabled=True))


async def _move(desk: HookDesk, hook: str, url: str) -> object:
    return await change_webhook(desk.context, WebhookChange(id=hook, url=url))


async def _leave(desk: HookDesk, _hook: str, _url: str) -> object:
    return await delete_me(desk.context, Nothing())


async def _nothing_waits(desk: HookDesk) -> bool:
    rows = await desk.rows("SELECT count(*) FROM webhook_delivery WHERE status = 'pending'")
    return rows == [(0,)]


class _Gate:
    """Answers what comes to /old only once it is opened, and all else at once."""

    def __init__(self, receiver: Receiver) -> None:
        self.opened = asyncio.Event()
        receiver.answer = self.answer

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/old":
            await self.opened.wait()
        return web.Response(status=204)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("change", [_remove, _disable, _leave])
async def test_nothing_begins_once_it_is_no_more_wanted(
    desk: HookDesk, receiver: Receiver, authority: Authority, change: Change
) -> None:
    """After a webhook was removed or disabled, or its person deleted, none of what was held is sent."""
    gate = _Gate(receiver)
    hook = await desk.register(receiver.url("/old"))
    await desk.test(hook.id, 40)
    async with desk.delivering(authority.authorities) as courier:
        await desk.until(lambda: len(receiver.got) == AT_ONCE)
        await change(desk, hook.id, "")
        gate.opened.set()
        await desk.until(lambda: not desk.clock._busy() and not courier._unsent)
        await desk.until(lambda: _nothing_waits(desk))
    assert len(receiver.got) == AT_ONCE


async def test_what_is_held_goes_to_the_new_address(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """After a webhook got another URL, each delivery that had not begun arrives there alone."""
    gate = _Gate(receiver)
    hook = await desk.register(receiver.url("/old"))
    ids = await desk.test(hook.id, 40)
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: len(receiver.got) == AT_ONCE)
        await _move(desk, hook.id, receiver.url("/new"))
        gate.opened.set()
        await desk.until(lambda: desk.all_done(hook.id))
    paths = [got.path for got in receiver.got]
    assert paths == ["/old"] * AT_ONCE + ["/new"] * (40 - AT_ONCE)
    assert sorted(got.id for got in receiver.got) == sorted(ids)


async def test_what_waits_when_an_address_is_gone_has_failed(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """410 disables: what was held ready has failed without an attempt, and tells why."""

    async def say_gone(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=410)

    receiver.answer = say_gone
    hook = await desk.register(receiver.url())
    await desk.test(hook.id, 40)
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: desk.all_done(hook.id))
    rows = await desk.deliveries(hook.id)
    untried = [row for row in rows if row.attempts == 0]
    assert {row.status for row in rows} == {"failed"}
    assert len(untried) == 40 - len(receiver.got) >= 40 - AT_ONCE
    assert {row.last_error for row in untried} == {
        "The webhook was disabled before it was tried again."
    }
    assert (await desk.record(hook.id)).waiting == 0


async def test_what_a_courier_that_died_held_for_a_disabled_webhook_has_failed(
    desk: HookDesk,
) -> None:
    """When its claim is over, to the millisecond; what waits for an enabled webhook goes on waiting."""
    hooks = [await desk.register(f"https://receiver.test/{each}") for each in range(2)]
    for hook in hooks:
        await desk.test(hook.id)
    begun = desk.clock.now()
    await DeliveryBook(desk.store, sealer).exchange((), (), lambda _: 10, begun)
    await _disable(desk, hooks[0].id, "")
    other = DeliveryBook(desk.store, sealer)
    await other.exchange((), (), lambda _: 0, begun + CLAIMED_FOR - 1)
    assert not await desk.all_done(hooks[0].id)
    await other.exchange((), (), lambda _: 0, begun + CLAIMED_FOR)
    assert [row.status for row in await desk.deliveries(hooks[0].id)] == ["failed"]
    assert [row.status for row in await desk.deliveries(hooks[1].id)] == ["pending"]
