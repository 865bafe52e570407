"""When a delivery is tried again, and when a webhook counts as failing.

By tries that went on, at its own address; one tried by hand may arrive, and else is as it was.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from aiohttp import web

from finplan.model.webhook import DeliveryId, WebhookChange, WebhookDelivery
from finplan.service.webhooks.deliveries import DeliveryBook, retry_delivery
from finplan.service.webhooks.webhooks import change_webhook
from finplan.store.queries.deliveries import _DISABLED
from finplan.webhooks import retries
from finplan.webhooks.courier import CLAIMED_FOR, TriedLetter
from tests.webhooks.desk import HookDesk, sealer
from tests.webhooks.receiver import Answer, Receiver

DAY = 24 * 3600 * 1000


def answering(status: int, **headers: str) -> Answer:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, headers=headers)

    return answer


async def _first_failure(desk: HookDesk, receiver: Receiver, hook: str) -> None:
    """A delivery is tried once, and fails; then nothing is under way."""
    await desk.test(hook)
    desk.clock.held = True
    async with desk.delivering():

        async def is_tried() -> bool:
            return (await desk.deliveries(hook))[0].attempts == 1

        await desk.until(is_tried)
    desk.clock.held = False


@pytest.mark.thorough
async def test_a_rest_is_no_failure(desk: HookDesk, receiver: Receiver) -> None:
    """Two months after a delivery failed the next ones have all of their tries, and it fails anew."""
    receiver.answer = answering(503)
    hook = await desk.register_tested(receiver.url())
    async with desk.delivering():
        await desk.until(lambda: desk.all_done(hook.id))
        desk.clock.instant += 60 * DAY
        later = desk.clock.now()
        await desk.test(hook.id, 3)
        await desk.until(lambda: desk.all_done(hook.id))
    assert [row.attempts for row in await desk.deliveries(hook.id)] == [10] * 4
    record = await desk.record(hook.id)
    assert (record.webhook.disabled_at, record.failing_since) == (None, later)


async def test_a_sleeping_machine_is_no_failure(desk: HookDesk, receiver: Receiver) -> None:
    """Six days of sleep after one failure: the next one is the first again, and it goes on."""
    receiver.answer = answering(503)
    hook = await desk.register(receiver.url())
    await _first_failure(desk, receiver, hook.id)
    desk.clock.instant += 6 * DAY
    await desk.deliver(hook.id)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts) == ("failed", 10)
    assert (await desk.record(hook.id)).webhook.disabled_at is None


async def test_a_pause_that_was_asked_for_is_no_failure(desk: HookDesk, receiver: Receiver) -> None:
    """Whoever asks for six days each time is asked ten times, and is not disabled meanwhile."""
    receiver.answer = answering(503, **{"Retry-After": str(6 * DAY // 1000)})
    hook = await desk.register_tested(receiver.url())
    await desk.deliver(hook.id)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, len(receiver.got)) == ("failed", 10, 10)
    assert (await desk.record(hook.id)).webhook.disabled_at is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("headers", [{}, {"Retry-After": str(6 * DAY // 1000)}])
@pytest.mark.parametrize("status", [410, 503])
async def test_what_a_former_address_answers_says_nothing_of_the_new_one(
    desk: HookDesk, receiver: Receiver, status: int, headers: Mapping[str, str]
) -> None:
    """What was on its way when the URL changed arrives at the new one at once, with its ten tries."""
    moved = asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.path == "/new":
            return web.Response(status=204)
        await moved.wait()
        return web.Response(status=status, headers=headers)

    receiver.answer = answer
    hook = await desk.register_tested(receiver.url("/old"))
    begun = desk.clock.now()
    async with desk.delivering():
        await desk.until(lambda: receiver.got)
        await change_webhook(desk.context, WebhookChange(id=hook.id, url=receiver.url("/new")))
        moved.set()
        await desk.until(lambda: desk.all_done(hook.id))
    assert [got.path for got in receiver.got] == ["/old", "/new"]
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.delivered_at) == ("delivered", 1, begun)
    record = await desk.record(hook.id)
    assert (record.webhook.disabled_at, record.failing_since, record.last_error) == (None,) * 3


async def test_arrivals_at_a_former_address_are_nothing(desk: HookDesk, receiver: Receiver) -> None:
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
    async with desk.delivering():
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


async def test_a_new_address_begins_anew(desk: HookDesk, receiver: Receiver) -> None:
    """Failures of the former one count no more; to name the same URL once more forgets none."""
    receiver.answer = answering(503)
    hook = await desk.register(receiver.url("/old"))
    await _first_failure(desk, receiver, hook.id)
    failing = (desk.clock.now(), "The receiver answered 503.")
    for path, told in (("/old", failing), ("/new", (None, None))):
        await change_webhook(desk.context, WebhookChange(id=hook.id, url=receiver.url(path)))
        record = await desk.record(hook.id)
        assert (record.failing_since, record.last_error) == told
    assert await desk.rows("SELECT last_failed_at FROM webhook") == [(None,)]


async def test_what_another_courier_took_up_is_no_failure(desk: HookDesk) -> None:
    """An attempt that ends after its claim says nothing, neither of the delivery nor of the webhook."""
    hook = await desk.register_tested("https://receiver.test/")
    now = desk.clock.now()
    slow, other = (DeliveryBook(desk.store, sealer) for _ in range(2))
    (letter,) = (await slow.exchange((), (), lambda _: 1, now)).letters
    (again,) = (await other.exchange((), (), lambda _: 1, now + CLAIMED_FOR)).letters
    for status in (500, 410):
        late = TriedLetter(letter, retries.Attempt(status, "It failed."), now + CLAIMED_FOR, 0.0)
        await slow.exchange([late], (), lambda _: 0, now + CLAIMED_FOR)
        record = await desk.record(hook.id)
        assert (record.webhook.disabled_at, record.failing_since) == (None, None)
    failed = TriedLetter(again, retries.Attempt(500, "It failed."), now + CLAIMED_FOR, 0.0)
    await other.exchange([failed], (), lambda _: 0, now + CLAIMED_FOR)
    assert (await desk.record(hook.id)).failing_since == now + CLAIMED_FOR


async def test_a_former_address_puts_nothing_off(desk: HookDesk) -> None:
    """A try by hand that ends there leaves the next one when it was, whatever it asks for."""
    hook = await desk.register("https://receiver.test/old")
    (delivery,) = await desk.test(hook.id)
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    failed = TriedLetter(letter, retries.Attempt(500, "It failed."), now, 0.0)
    await book.exchange([failed], (), lambda _: 0, now)
    await retry_delivery(desk.context, DeliveryId(id=hook.id, delivery_id=delivery))
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    moved = WebhookChange(id=hook.id, url="https://receiver.test/new")
    await change_webhook(desk.context, moved)
    busy = TriedLetter(letter, retries.Attempt(503, "It is busy.", now + DAY), now, 0.0)
    await book.exchange([busy], (), lambda _: 0, now)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.next_attempt_at) == (
        "pending",
        1,
        now + retries.DELAYS[0],
    )


NOW = int(datetime(2026, 3, 18, 12, tzinfo=UTC).timestamp() * 1000)


def test_the_delays_are_the_interfaces() -> None:
    """Part 6 of the interface: 5 s, 5 min, 30 min, then 2, 5, 10, 14, 20 and 24 hours; then failed."""
    hours = [round(each / 3_600_000, 4) for each in retries.DELAYS]
    assert hours == [0.0014, 0.0833, 0.5, 2, 5, 10, 14, 20, 24]
    for attempts, delay in enumerate(retries.DELAYS, 1):
        assert retries.next_attempt(attempts, NOW, None, luck=0) == NOW + delay
    assert retries.ATTEMPTS == 10
    assert retries.next_attempt(10, NOW, None, luck=0) is None
    assert retries.next_attempt(11, NOW, NOW + 1, luck=1) is None


def test_chance_makes_a_delay_longer_by_a_tenth_at_most() -> None:
    """Jitter only ever adds, and never more than ten in a hundred."""
    for attempts, delay in enumerate(retries.DELAYS, 1):
        assert retries.next_attempt(attempts, NOW, None, luck=1) == NOW + delay + delay // 10
        assert retries.next_attempt(attempts, NOW, None, luck=0.5) == NOW + delay + delay // 20


def test_a_receiver_may_ask_for_more_time_but_not_for_less() -> None:
    """Retry-After counts when it is later than the schedule, up to a week."""
    due = NOW + retries.DELAYS[0]
    assert retries.next_attempt(1, NOW, NOW + 1000, luck=0) == due
    assert retries.next_attempt(1, NOW, due + 1, luck=0) == due + 1
    assert retries.next_attempt(1, NOW, NOW + 10**15, luck=0) == NOW + retries.LONGEST_RETRY_AFTER


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, None),
        ("120", NOW + 120_000),
        (" 0 ", NOW),
        (format_datetime(datetime(2026, 3, 18, 12, 1, tzinfo=UTC), usegmt=True), NOW + 60_000),
        ("Wed, 18 Mar 2026 12:01:00", NOW + 60_000),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("٣", None),
        ("1.5", None),
        ("Mon, 1 Jan 99999999999999999999 00:00:00 GMT", None),
        ("Wed, 18 Mar 2026 12:01:00 +99999999999999999999", None),
        ("9" * 500, NOW + 9_999_999_999_000),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, told: int | None) -> None:
    """What is neither counts as not said."""
    assert retries.read_retry_after(value, NOW) == told


def test_any_status_of_the_two_hundreds_is_an_arrival() -> None:
    """A redirect is none, nor is silence; 410 says that nothing is wanted any more."""
    arrived = [status for status in range(100, 600) if retries.Attempt(status).arrived]
    assert arrived == list(range(200, 300))
    assert not retries.Attempt(None, "It hangs.").arrived
    assert [status for status in range(100, 600) if retries.Attempt(status).gone] == [410]


def test_failures_further_apart_than_the_schedule_has_them_begin_anew() -> None:
    """To the millisecond: a day, the tenth of chance and an hour; so do those of a clock set back."""
    assert retries.LONGEST_GAP == (24 * 60 + 24 * 6 + 60) * 60_000
    begun = NOW - 3 * retries.LONGEST_GAP
    for moved in (1, -1):
        assert retries.failing_since(begun, NOW, NOW + moved * retries.LONGEST_GAP) == begun
        later = NOW + moved * (retries.LONGEST_GAP + 1)
        assert retries.failing_since(begun, NOW, later) == later
    assert retries.failing_since(None, None, NOW) == NOW
    # A store of an earlier version tells since when, and not of the last one.
    assert retries.failing_since(begun, None, NOW) == NOW


def test_five_days_of_failures_are_for_good() -> None:
    """To the millisecond."""
    assert retries.DISABLED_AFTER == 5 * 24 * 3600 * 1000
    assert not retries.is_failing_for_good(NOW, NOW + retries.DISABLED_AFTER - 1)
    assert retries.is_failing_for_good(NOW, NOW + retries.DISABLED_AFTER)


AFTER = 1000
"""How long after a failed try somebody asks for one, in milliseconds."""


async def only(desk: HookDesk, hook: str) -> WebhookDelivery:
    (row,) = await desk.deliveries(hook)
    return row


@asynccontextmanager
async def failed_once(
    desk: HookDesk, receiver: Receiver
) -> AsyncIterator[tuple[DeliveryId, WebhookDelivery]]:
    """A delivery whose first attempt failed a second ago, as the clock stands still."""
    receiver.answer = answering(500)
    hook = await desk.register(receiver.url())
    (delivery,) = await desk.test(hook.id)
    desk.clock.held = True
    async with desk.delivering():

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


async def test_a_failing_try_by_hand_is_none_of_the_ten(desk: HookDesk, receiver: Receiver) -> None:
    """However often: the count stays and so does the next try; then the schedule goes on as it was."""
    async with failed_once(desk, receiver) as (ask, before):
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
    assert seconds[4] == begun + retries.DELAYS[0] // 1000
    assert len(seconds) == 13


async def test_what_had_failed_for_good_fails_again(desk: HookDesk, receiver: Receiver) -> None:
    """Nothing of its schedule begins anew, also where it had been given up before the tenth attempt."""
    async with failed_once(desk, receiver) as (ask, _):
        for disabled in (True, False):
            await change_webhook(desk.context, WebhookChange(id=ask.id, disabled=disabled))
        before = await only(desk, ask.id)
        assert before.last_error == _DISABLED
        after = await tried(desk, receiver, ask)
        assert (before.status, after.status) == ("failed", "failed")
        assert (after.attempts, after.next_attempt_at) == (1, before.next_attempt_at)
        assert after.last_error == "The receiver answered 500."


async def test_a_try_by_hand_arrives(desk: HookDesk, receiver: Receiver) -> None:
    """It counts, and nothing more is sent."""
    async with failed_once(desk, receiver) as (ask, _):
        receiver.answer = answering(204)
        after = await tried(desk, receiver, ask)
        assert (after.status, after.attempts, after.last_error) == ("delivered", 2, None)
    rows = await desk.rows("SELECT former_status, former_next_attempt_at FROM webhook_delivery")
    assert rows == [(None, None)]


@pytest.mark.parametrize(("asked", "waits"), [(2, 4_000), (100, 100_000)])
async def test_the_receiver_may_put_the_next_one_off(
    desk: HookDesk, receiver: Receiver, asked: int, waits: int
) -> None:
    """A Retry-After that asks for more time than the schedule has left is waited for, no other."""
    async with failed_once(desk, receiver) as (ask, before):
        receiver.answer = answering(503, **{"Retry-After": str(asked)})
        after = await tried(desk, receiver, ask)
        assert before.next_attempt_at == desk.clock.now() + 4_000
        assert (after.attempts, after.next_attempt_at) == (1, desk.clock.now() + waits)


async def test_410_ends_what_was_tried_by_hand(desk: HookDesk, receiver: Receiver) -> None:
    """Its webhook is disabled, so it waits no longer."""
    async with failed_once(desk, receiver) as (ask, _):
        receiver.answer = answering(410)
        after = await tried(desk, receiver, ask)
        assert (after.status, after.last_status) == ("failed", 410)


async def test_a_second_wish_changes_nothing(desk: HookDesk, receiver: Receiver) -> None:
    """As long as the first is not met, also as a clock is set back, it is as it was."""
    async with failed_once(desk, receiver) as (ask, before):
        pass
    await retry_delivery(desk.context, ask)
    for moved in (1, -2):
        desk.clock.instant += moved
        await retry_delivery(desk.context, ask)
    async with desk.delivering():
        await desk.until(lambda: len(receiver.got) == 2)

        async def has_ended() -> bool:
            return (await only(desk, ask.id)).next_attempt_at == before.next_attempt_at

        await desk.until(has_ended)
    assert (await only(desk, ask.id)).attempts == 1


@pytest.mark.parametrize("attempts", [0, 1])
async def test_due_ones_keep_their_time(desk: HookDesk, receiver: Receiver, attempts: int) -> None:
    """Who asks for what is to be sent this moment asks for nothing more: it is one of the ten."""
    async with failed_once(desk, receiver) as (ask, before):
        pass
    desk.clock.instant = before.next_attempt_at
    await desk.store.write(
        lambda c: (
            c.exec_driver_sql("UPDATE webhook_delivery SET attempts = ?", (attempts,)) and None
        )
    )
    await retry_delivery(desk.context, ask)
    async with desk.delivering():
        await desk.until(lambda: len(receiver.got) == 2)

        async def has_ended() -> bool:
            return (await only(desk, ask.id)).attempts == attempts + 1

        await desk.until(has_ended)
    assert (await only(desk, ask.id)).status == "pending"
    assert len(receiver.got) == 2


@pytest.mark.parametrize(("asked", "longest"), [(None, retries.LONGEST_PAUSE), (10**15, 7 * DAY)])
def test_no_pause_is_longer_than_the_longest(asked: int | None, longest: int) -> None:
    """Whatever the attempt and the chance; where the receiver asks for more, a week."""
    assert retries.LONGEST_PAUSE < 7 * DAY == retries.LONGEST_RETRY_AFTER
    ends = [retries.next_attempt(made, 0, asked, 1.0) for made in range(1, retries.ATTEMPTS)]
    assert len(ends) == len(retries.DELAYS)
    assert max(end for end in ends if end is not None) == longest


async def test_what_was_written_and_claimed_ahead_is_sent_now(desk: HookDesk) -> None:
    """Neither a first attempt nor a claim of the days to come is waited for."""
    hook = await desk.register("https://receiver.test/")
    now = desk.clock.now()
    desk.clock.instant = now + 2 * DAY
    held, waiting = await desk.test(hook.id, 2)
    dead, book = (DeliveryBook(desk.store, sealer) for _ in range(2))
    taken = await dead.exchange((), (), lambda _: 1, desk.clock.now())
    assert [letter.id for letter in taken.letters] == [held]
    found = await book.exchange((), (), lambda _: 10, now)
    assert {letter.id for letter in found.letters} == {held, waiting}
    assert found.next_due == now + CLAIMED_FOR


async def test_a_claim_is_waited_for_where_it_can_be_one(desk: HookDesk) -> None:
    """One of twice the usual time is of a clock a little ahead; one of a millisecond more is none."""
    await desk.register_tested("https://receiver.test/")
    now = desk.clock.now()
    dead, book = (DeliveryBook(desk.store, sealer) for _ in range(2))
    await dead.exchange((), (), lambda _: 1, now)
    waited = await book.exchange((), (), lambda _: 1, now - CLAIMED_FOR)
    assert (waited.letters, waited.next_due) == ((), now + CLAIMED_FOR)
    assert (await book.exchange((), (), lambda _: 1, now - CLAIMED_FOR - 1)).letters


@pytest.mark.parametrize("wait", [None, 1000])
async def test_a_pause_is_waited_for_where_it_can_be_one(desk: HookDesk, wait: int | None) -> None:
    """The next attempt is waited for as long as any pause may take, and no millisecond longer.

    A receiver that asks for less than the schedule gives has asked for nothing.
    """
    await desk.register_tested("https://receiver.test/")
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    asked = None if wait is None else now + wait
    failed = TriedLetter(
        letter, retries.Attempt(500, "The receiver answered 500.", asked), now, 0.0
    )
    due = now + retries.DELAYS[0]
    assert (await book.exchange([failed], (), lambda _: 1, now)).next_due == due
    assert (await book.exchange((), (), lambda _: 0, due)).next_due is None
    waited = await book.exchange((), (), lambda _: 1, due - retries.LONGEST_PAUSE)
    assert (waited.letters, waited.next_due) == ((), due)
    assert (await book.exchange((), (), lambda _: 1, due - retries.LONGEST_PAUSE - 1)).letters


async def test_what_the_receiver_asked_for_is_waited_for(desk: HookDesk) -> None:
    """Up to a week, and no millisecond longer; a try by hand that fails in between changes nothing."""
    hook = await desk.register("https://receiver.test/")
    (delivery,) = await desk.test(hook.id)
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    due = now + retries.LONGEST_RETRY_AFTER
    for asked in (due, now + DAY):
        (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
        busy = TriedLetter(letter, retries.Attempt(503, "It is busy.", asked), now, 0.0)
        waited = await book.exchange([busy], (), lambda _: 1, now)
        assert (waited.letters, waited.next_due) == ((), due)
        assert (await book.exchange((), (), lambda _: 0, now - 1)).next_due is None
        await retry_delivery(desk.context, DeliveryId(id=hook.id, delivery_id=delivery))
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    failed = TriedLetter(letter, retries.Attempt(500, "It failed."), now, 0.0)
    assert (await book.exchange([failed], (), lambda _: 1, now)).next_due == due
    assert (await book.exchange((), (), lambda _: 1, now - 1)).letters


async def test_a_wish_of_the_receiver_counts_for_one_pause(desk: HookDesk) -> None:
    """The pause after the next attempt is the schedule's again."""
    await desk.register_tested("https://receiver.test/")
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    for asked, ended in ((now + DAY, now), (None, now + DAY)):
        (letter,) = (await book.exchange((), (), lambda _: 1, ended)).letters
        busy = TriedLetter(letter, retries.Attempt(503, "It is busy.", asked), ended, 0.0)
        await book.exchange([busy], (), lambda _: 0, ended)
    due = now + DAY + retries.DELAYS[1]
    assert (await book.exchange((), (), lambda _: 1, due - retries.LONGEST_PAUSE)).next_due == due
    assert (await book.exchange((), (), lambda _: 1, due - retries.LONGEST_PAUSE - 1)).letters


async def test_what_was_claimed_ahead_for_a_disabled_webhook_has_failed(desk: HookDesk) -> None:
    """Nobody waits for the claim to be over."""
    hook = await desk.register_tested("https://receiver.test/")
    now = desk.clock.now()
    await DeliveryBook(desk.store, sealer).exchange((), (), lambda _: 1, now + 2 * DAY)
    await change_webhook(desk.context, WebhookChange(id=hook.id, disabled=True))
    await DeliveryBook(desk.store, sealer).exchange((), (), lambda _: 0, now)
    assert [row.status for row in await desk.deliveries(hook.id)] == ["failed"]
