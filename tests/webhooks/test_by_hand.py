"""A delivery that is tried by hand: it may arrive, and else it is as it was before."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from finplan.model.webhook import DeliveryId, WebhookChange, WebhookDelivery
from finplan.service.webhooks.deliveries import retry_delivery
from finplan.service.webhooks.webhooks import change_webhook
from finplan.webhooks.retries import DELAYS
from tests.webhooks.desk import HookDesk
from tests.webhooks.receiver import Answer, Authority, Receiver

AFTER = 1000
"""How long after a failed try somebody asks for one, in milliseconds."""


def answering(status: int, **headers: str) -> Answer:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, headers=headers)

    return answer


async def only(desk: HookDesk, hook: str) -> WebhookDelivery:
    (row,) = await desk.deliveries(hook)
    return row


@asynccontextmanager
async def failed_once(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> AsyncIterator[tuple[DeliveryId, WebhookDelivery]]:
    """A delivery whose first attempt failed a second ago, as the clock stands still."""
    receiver.answer = answering(500)
    hook = await desk.register(receiver.url())
    (delivery,) = await desk.test(hook.id)
    desk.clock.held = True
    async with desk.delivering(authority.authorities):

        async def is_tried() -> bool:
            return (await only(desk, hook.id)).attempts == 1

        await desk.until(is_tried)
        desk.clock.instant += AFTER
        yield DeliveryId(id=hook.id, delivery_id=delivery), await only(desk, hook.id)


async def tried(desk: HookDesk, receiver: Receiver, ask: DeliveryId) -> WebhookDelivery:
    """A delivery once a try by hand has ended."""
    begun, asked = len(receiver.got), await retry_delivery(desk.context, ask)

    async def has_ended() -> bool:
        return len(receiver.got) > begun and await only(desk, ask.id) != asked

    await desk.until(has_ended)
    return await only(desk, ask.id)


async def test_a_failing_try_by_hand_is_none_of_the_ten(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """However often: the count stays and so does the next try; then the schedule goes on as it was."""
    async with failed_once(desk, receiver, authority) as (ask, before):
        for _ in range(3):
            after = await tried(desk, receiver, ask)
            assert (after.status, after.attempts) == ("pending", 1)
            assert after.next_attempt_at == before.next_attempt_at
        desk.clock.held = False
        desk.clock.couriers[0].stir()
        await desk.until(lambda: desk.all_done(ask.id))
    last = await only(desk, ask.id)
    assert (last.status, last.attempts) == ("failed", 10)
    seconds = [got.seconds for got in receiver.got]
    begun = seconds[0]
    assert seconds[1:4] == [begun + AFTER // 1000] * 3
    assert seconds[4] == begun + DELAYS[0] // 1000
    assert len(seconds) == 13


async def test_what_had_failed_for_good_has_failed_again(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """Nothing of its schedule begins anew, also where it had been given up before the tenth attempt."""
    async with failed_once(desk, receiver, authority) as (ask, _):
        for disabled in (True, False):
            await change_webhook(desk.context, WebhookChange(id=ask.id, disabled=disabled))
        before = await only(desk, ask.id)
        assert before.last_error == "The webhook was disabled before it was tried again."
        after = await tried(desk, receiver, ask)
        assert (before.status, after.status) == ("failed", "failed")
        assert (after.attempts, after.next_attempt_at) == (1, before.next_attempt_at)
        assert after.last_error == "The answer was 500."


async def test_a_try_by_hand_arrives(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """It counts, and nothing more is sent."""
    async with failed_once(desk, receiver, authority) as (ask, _):
        receiver.answer = answering(204)
        after = await tried(desk, receiver, ask)
        assert (after.status, after.attempts, after.last_error) == ("delivered", 2, None)
    rows = await desk.rows("SELECT former_status, former_next_attempt_at FROM webhook_delivery")
    assert rows == [(None, None)]


@pytest.mark.parametrize(("asked", "waits"), [(2, 4_000), (100, 100_000)])
async def test_the_receiver_may_put_the_next_one_off(
    desk: HookDesk, receiver: Receiver, authority: Authority, asked: int, waits: int
) -> None:
    """A Retry-After that asks for more time than the schedule has left is waited for, no other."""
    async with failed_once(desk, receiver, authority) as (ask, before):
        receiver.answer = answering(503, **{"Retry-After": str(asked)})
        after = await tried(desk, receiver, ask)
        assert before.next_attempt_at == desk.clock.now() + 4_000
        assert (after.attempts, after.next_attempt_at) == (1, desk.clock.now() + waits)


async def test_410_ends_what_was_tried_by_hand(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """Its webhook is disabled, so it waits no longer."""
    async with failed_once(desk, receiver, authority) as (ask, _):
        receiver.answer = answering(410)
        after = await tried(desk, receiver, ask)
        assert (after.status, after.last_status) == ("failed", 410)


async def test_a_second_wish_changes_nothing(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """As long as the first is not met, also as a clock is set back, it is as it was."""
    async with failed_once(desk, receiver, authority) as (ask, before):
        pass
    await retry_delivery(desk.context, ask)
    for moved in (1, -2):
        desk.clock.instant += moved
        await retry_delivery(desk.context, ask)
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: len(receiver.got) == 2)

        async def has_ended() -> bool:
            return (await only(desk, ask.id)).next_attempt_at == before.next_attempt_at

        await desk.until(has_ended)
    assert (await only(desk, ask.id)).attempts == 1


@pytest.mark.parametrize("attempts", [0, 1])
async def test_what_is_due_anyway_is_tried_by_its_schedule(
    desk: HookDesk, receiver: Receiver, authority: Authority, attempts: int
) -> None:
    """Who asks for what is to be sent this moment asks for nothing more: it is one of the ten."""
    async with failed_once(desk, receiver, authority) as (ask, before):
        pass
    desk.clock.instant = before.next_attempt_at
    await desk.store.write(
        lambda c: (
            c.exec_driver_sql("UPDATE webhook_delivery SET attempts = ?", (attempts,)) and None
        )
    )
    await retry_delivery(desk.context, ask)
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: len(receiver.got) == 2)

        async def has_ended() -> bool:
            return (await only(desk, ask.id)).attempts == attempts + 1

        await desk.until(has_ended)
    assert (await only(desk, ask.id)).status == "pending"
    assert len(receiver.got) == 2
