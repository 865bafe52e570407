"""Deliveries of a machine whose clock was ahead, and was set right."""

import pytest

from finplan.model.webhook import DeliveryId, WebhookChange
from finplan.service.webhooks.deliveries import DeliveryBook, retry_delivery
from finplan.service.webhooks.webhooks import change_webhook
from finplan.webhooks.courier import CLAIMED_FOR, TriedLetter
from finplan.webhooks.retries import (
    ATTEMPTS,
    DELAYS,
    LONGEST_PAUSE,
    LONGEST_RETRY_AFTER,
    Attempt,
    next_attempt,
)
from tests.webhooks.desk import HookDesk, sealer

DAY = 24 * 3600 * 1000


@pytest.mark.parametrize(("asked", "longest"), [(None, LONGEST_PAUSE), (10**15, 7 * DAY)])
def test_no_pause_is_longer_than_the_longest(asked: int | None, longest: int) -> None:
    """Whatever the attempt and the chance; where the receiver asks for more, a week."""
    assert LONGEST_PAUSE < 7 * DAY == LONGEST_RETRY_AFTER
    ends = [next_attempt(made, 0, asked, 1.0) for made in range(1, ATTEMPTS)]
    assert len(ends) == len(DELAYS)
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
    hook = await desk.register("https://receiver.test/")
    await desk.test(hook.id)
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
    hook = await desk.register("https://receiver.test/")
    await desk.test(hook.id)
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    asked = None if wait is None else now + wait
    failed = TriedLetter(letter, Attempt(500, "The answer was 500.", asked), now, 0.0)
    due = now + DELAYS[0]
    assert (await book.exchange([failed], (), lambda _: 1, now)).next_due == due
    assert (await book.exchange((), (), lambda _: 0, due)).next_due is None
    waited = await book.exchange((), (), lambda _: 1, due - LONGEST_PAUSE)
    assert (waited.letters, waited.next_due) == ((), due)
    assert (await book.exchange((), (), lambda _: 1, due - LONGEST_PAUSE - 1)).letters


async def test_what_the_receiver_asked_for_is_waited_for(desk: HookDesk) -> None:
    """Up to a week, and no millisecond longer; a try by hand that fails in between changes nothing."""
    hook = await desk.register("https://receiver.test/")
    (delivery,) = await desk.test(hook.id)
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    due = now + LONGEST_RETRY_AFTER
    for asked in (due, now + DAY):
        (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
        busy = TriedLetter(letter, Attempt(503, "It is busy.", asked), now, 0.0)
        waited = await book.exchange([busy], (), lambda _: 1, now)
        assert (waited.letters, waited.next_due) == ((), due)
        assert (await book.exchange((), (), lambda _: 0, now - 1)).next_due is None
        await retry_delivery(desk.context, DeliveryId(id=hook.id, delivery_id=delivery))
    (letter,) = (await book.exchange((), (), lambda _: 1, now)).letters
    failed = TriedLetter(letter, Attempt(500, "It failed."), now, 0.0)
    assert (await book.exchange([failed], (), lambda _: 1, now)).next_due == due
    assert (await book.exchange((), (), lambda _: 1, now - 1)).letters


async def test_a_wish_of_the_receiver_counts_for_one_pause(desk: HookDesk) -> None:
    """The pause after the next attempt is the schedule's again."""
    hook = await desk.register("https://receiver.test/")
    await desk.test(hook.id)
    now = desk.clock.now()
    book = DeliveryBook(desk.store, sealer)
    for asked, ended in ((now + DAY, now), (None, now + DAY)):
        (letter,) = (await book.exchange((), (), lambda _: 1, ended)).letters
        busy = TriedLetter(letter, Attempt(503, "It is busy.", asked), ended, 0.0)
        await book.exchange([busy], (), lambda _: 0, ended)
    due = now + DAY + DELAYS[1]
    assert (await book.exchange((), (), lambda _: 1, due - LONGEST_PAUSE)).next_due == due
    assert (await book.exchange((), (), lambda _: 1, due - LONGEST_PAUSE - 1)).letters


async def test_what_was_claimed_ahead_for_a_disabled_webhook_has_failed(desk: HookDesk) -> None:
    """Nobody waits for the claim to be over."""
    hook = await desk.register("https://receiver.test/")
    await desk.test(hook.id)
    now = desk.clock.now()
    await DeliveryBook(desk.store, sealer).exchange((), (), lambda _: 1, now + 2 * DAY)
    await change_webhook(desk.context, WebhookChange(id=hook.id, disabled=True))
    await DeliveryBook(desk.store, sealer).exchange((), (), lambda _: 0, now)
    assert [row.status for row in await desk.deliveries(hook.id)] == ["failed"]
