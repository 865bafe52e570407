"""When a webhook counts as failing: by tries that went on, at its own address."""

import asyncio
from collections.abc import Mapping

import pytest
from aiohttp import web

from finplan.model.webhook import DeliveryId, WebhookChange
from finplan.service.webhooks.deliveries import DeliveryBook, retry_delivery
from finplan.service.webhooks.webhooks import change_webhook
from finplan.webhooks.courier import CLAIMED_FOR, TriedLetter
from finplan.webhooks.retries import DELAYS, Attempt
from tests.webhooks.desk import HookDesk, sealer
from tests.webhooks.receiver import Answer, Authority, Receiver

DAY = 24 * 3600 * 1000


def answering(status: int, **headers: str) -> Answer:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, headers=headers)

    return answer


async def _first_failure(
    desk: HookDesk, receiver: Receiver, authority: Authority, hook: str
) -> None:
    """A delivery is tried once, and fails; then nothing is under way."""
    await desk.test(hook)
    desk.clock.held = True
    async with desk.delivering(authority.authorities):

        async def is_tried() -> bool:
            return (await desk.deliveries(hook))[0].attempts == 1

        await desk.until(is_tried)
    desk.clock.held = False


@pytest.mark.thorough
async def test_a_rest_is_no_failure(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """Two months after a delivery failed the next ones have all of their tries, and it fails anew."""
    receiver.answer = answering(503)
    hook = await desk.register(receiver.url())
    await desk.test(hook.id)
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: desk.all_done(hook.id))
        desk.clock.instant += 60 * DAY
        later = desk.clock.now()
        await desk.test(hook.id, 3)
        await desk.until(lambda: desk.all_done(hook.id))
    assert [row.attempts for row in await desk.deliveries(hook.id)] == [10] * 4
    record = await desk.record(hook.id)
    assert (record.webhook.disabled_at, record.failing_since) == (None, later)


async def test_a_sleeping_machine_is_no_failure(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """Six days of sleep after one failure: the next one is the first again, and it goes on."""
    receiver.answer = answering(503)
    hook = await desk.register(receiver.url())
    await _first_failure(desk, receiver, authority, hook.id)
    desk.clock.instant += 6 * DAY
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: desk.all_done(hook.id))
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts) == ("failed", 10)
    assert (await desk.record(hook.id)).webhook.disabled_at is None


async def test_a_pause_that_was_asked_for_is_no_failure(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """Whoever asks for six days each time is asked ten times, and is not disabled meanwhile."""
    receiver.answer = answering(503, **{"Retry-After": str(6 * DAY // 1000)})
    hook = await desk.register(receiver.url())
    await desk.test(hook.id)
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: desk.all_done(hook.id))
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, len(receiver.got)) == ("failed", 10, 10)
    assert (await desk.record(hook.id)).webhook.disabled_at is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("headers", [{}, {"Retry-After": str(6 * DAY // 1000)}])
@pytest.mark.parametrize("status", [410, 503])
async def test_what_a_former_address_answers_says_nothing_of_the_new_one(
    desk: HookDesk,
    receiver: Receiver,
    authority: Authority,
    status: int,
    headers: Mapping[str, str],
) -> None:
    """What was on its way when the URL changed arrives at the new one at once, with its ten tries."""
    moved = asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.path == "/new":
            return web.Response(status=204)
        await moved.wait()
        return web.Response(status=status, headers=headers)

    receiver.answer = answer
    hook = await desk.register(receiver.url("/old"))
    await desk.test(hook.id)
    begun = desk.clock.now()
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: receiver.got)
        await change_webhook(desk.context, WebhookChange(id=hook.id, url=receiver.url("/new")))
        moved.set()
        await desk.until(lambda: desk.all_done(hook.id))
    assert [got.path for got in receiver.got] == ["/old", "/new"]
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.delivered_at) == ("delivered", 1, begun)
    record = await desk.record(hook.id)
    assert (record.webhook.disabled_at, record.failing_since, record.last_error) == (None,) * 3


async def test_an_arrival_at_a_former_address_says_nothing_of_the_new_one(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """It has arrived, and where the new one fails it goes on failing."""
    moved = asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.path == "/new":
            return web.Response(status=503)
        await moved.wait()
        return web.Response(status=204)

    receiver.answer = answer
    hook = await desk.register(receiver.url("/old"))
    (first,) = await desk.test(hook.id)
    desk.clock.held = True
    async with desk.delivering(authority.authorities):
        await desk.until(lambda: receiver.got)
        await change_webhook(desk.context, WebhookChange(id=hook.id, url=receiver.url("/new")))
        begun = desk.clock.now()
        (second,) = await desk.test(hook.id)

        async def attempts() -> dict[str, int]:
            return {row.id: row.attempts for row in await desk.deliveries(hook.id)}

        async def is_tried() -> bool:
            return (await attempts())[second] == 1

        await desk.until(is_tried)
        moved.set()

        async def has_arrived() -> bool:
            return (await attempts())[first] == 1

        await desk.until(has_arrived)
    assert (await desk.record(hook.id)).failing_since == begun


async def test_a_new_address_begins_anew(
    desk: HookDesk, receiver: Receiver, authority: Authority
) -> None:
    """Failures of the former one count no more; to name the same URL once more forgets none."""
    receiver.answer = answering(503)
    hook = await desk.register(receiver.url("/old"))
    await _first_failure(desk, receiver, authority, hook.id)
    failing = (desk.clock.now(), "The answer was 503.")
    for path, told in (("/old", failing), ("/new", (None, None))):
        await change_webhook(desk.context, WebhookChange(id=hook.id, url=receiver.url(path)))
        record = await desk.record(hook.id)
        assert (record.failing_since, record.last_error) == told
    assert await desk.rows("SELECT last_failed_at FROM webhook") == [(None,)]


async def test_what_another_courier_took_up_is_no_failure(desk: HookDesk) -> None:
    """An attempt that ends after its claim says nothing, neither of the delivery nor of the webhook."""
    hook = await desk.register("https://receiver.test/")
    await desk.test(hook.id)
    now = desk.clock.now()
    slow, other = (DeliveryBook(desk.store, sealer) for _ in range(2))
    (letter,) = (await slow.exchange((), (), lambda _: 1, now)).letters
    (again,) = (await other.exchange((), (), lambda _: 1, now + CLAIMED_FOR)).letters
    for status in (500, 410):
        late = TriedLetter(letter, Attempt(status, "It failed."), now + CLAIMED_FOR, 0.0)
        await slow.exchange([late], (), lambda _: 0, now + CLAIMED_FOR)
        record = await desk.record(hook.id)
        assert (record.webhook.disabled_at, record.failing_since) == (None, None)
    failed = TriedLetter(again, Attempt(500, "It failed."), now + CLAIMED_FOR, 0.0)
    await other.exchange([failed], (), lambda _: 0, now + CLAIMED_FOR)
    assert (await desk.record(hook.id)).failing_since == now + CLAIMED_FOR


async def test_a_former_address_puts_nothing_off(desk: HookDesk) -> None:
    """A try by hand that ends there leaves the next one when it was, whatever it asks for."""
    hook = await desk.register("https://receiver.test/old")
    (delivery,) = await desk.test(hook.id)
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    failed = TriedLetter(letter, Attempt(500, "It failed."), now, 0.0)
    await book.exchange([failed], (), lambda _: 0, now)
    await retry_delivery(desk.context, DeliveryId(id=hook.id, delivery_id=delivery))
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    moved = WebhookChange(id=hook.id, url="https://receiver.test/new")
    await change_webhook(desk.context, moved)
    busy = TriedLetter(letter, Attempt(503, "It is busy.", now + DAY), now, 0.0)
    await book.exchange([busy], (), lambda _: 0, now)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.next_attempt_at) == ("pending", 1, now + DELAYS[0])
