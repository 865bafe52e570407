"""When a webhook counts as failing: by tries that went on, at its own address."""

from aiohttp import web

from tests.webhooks.desk import HookDesk
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
