"""What is held ready for webhooks: gathered, kept apart from floods, changed meanwhile, or stopped.

Nothing that arrived is forgotten by a courier that is stopped at a bad moment.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import aiohttp
import pytest
from aiohttp import web

from finplan.bounded_connections import AnsweredTooMuch
from finplan.model.base import Nothing
from finplan.model.webhook import WebhookChange, WebhookId
from finplan.service.credentials.membership import delete_me
from finplan.service.webhooks.deliveries import DeliveryBook
from finplan.service.webhooks.webhooks import change_webhook, remove_webhook
from finplan.store.queries.deliveries import _DISABLED
from finplan.webhooks import courier as room, sending
from finplan.webhooks.courier import AT_ONCE, CLAIMED_FOR, Courier, Exchange, Letter, TriedLetter
from finplan.webhooks.retries import Attempt
from finplan.webhooks.sending import RECEIVED_AT_MOST
from tests.patience import LONG_ENOUGH
from tests.webhooks.desk import HookDesk, StandingClock, a_letter, a_sender, replying, sealer
from tests.webhooks.receiver import Authority, Receiver


class CountingBook:
    """A book without letters that counts how often it is asked for them."""

    def __init__(self) -> None:
        self.rounds = 0

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],
        now: int,
    ) -> Exchange:
        """Nothing is due."""
        del outcomes, unsent, room_of, now
        self.rounds += 1
        return Exchange((), None)

    async def still(self, letter: Letter) -> bool:
        """Nothing was handed out."""
        raise NotImplementedError(letter)


async def _send_nothing(letter: Letter, now: int) -> Attempt:
    raise NotImplementedError(letter, now)


@pytest.mark.parametrize(("gathered_for", "rounds"), [(0.0, 4), (LONG_ENOUGH, 1)])
async def test_news_that_come_together_are_one_round(
    monkeypatch: pytest.MonkeyPatch, gathered_for: float, rounds: int
) -> None:
    """As long as news gathers, no transaction begins; what came before it is taken up at once."""
    monkeypatch.setattr(room, "GATHERED_FOR", gathered_for)
    book = CountingBook()
    courier = Courier(book, _send_nothing)
    running = asyncio.create_task(courier.run())
    seen = list[int]()
    for _ in range(3):
        for _turn in range(20):
            await asyncio.sleep(0)
        seen.append(book.rounds)
        courier.stir()
    for _turn in range(20):
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert (seen[0], book.rounds) == (1, rounds)


OK = b"HTTP/1.1 200 OK\r\n"
INTERIM = b"HTTP/1.1 103 Early Hints\r\n\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TOO_MUCH = Attempt(None, sending._SENTENCES[AnsweredTooMuch])
GOES_ON_FOR = 64 * 1024 * 1024
"""What no buffer of a connection takes; a receiver that could send it was read without a bound."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("begins", "goes_on", "expected"),
    [
        (b"", INTERIM * 1000, TOO_MUCH),
        (b"", b"HTTP/1.1 100 Continue\r\nX-A: " + b"a" * 4000 + b"\r\n\r\n", TOO_MUCH),
        (CHUNKED + b"1;", b"a" * 40_000, Attempt(200)),
        (CHUNKED, b"1;" + b"a" * 4000 + b"\r\na\r\n", Attempt(200)),
        (OK + b"Content-Length: 999999999\r\n\r\n", b"a" * 40_000, Attempt(200)),
        (OK + b"\r\n", b"a" * 300_000, Attempt(200)),
    ],
    ids=["interim", "long interim", "one extension", "extensions", "body", "body until closed"],
)
async def test_a_flood_is_ended(
    authority: Authority, begins: bytes, goes_on: bytes, expected: Attempt
) -> None:
    """The connection is closed after so many bytes; a status among them counts, nothing else does."""
    ended = asyncio.Event()
    sent = 0

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(begins)
        try:
            while sent < GOES_ON_FOR:
                writer.write(goes_on)
                sent += len(goes_on)
                await writer.drain()
        finally:
            ended.set()

    async with replying(authority, flood) as url, a_sender(authority) as sender:
        async with asyncio.timeout(LONG_ENOUGH):
            assert await sender.send(a_letter(url), 0) == expected
            await ended.wait()
    assert sent < GOES_ON_FOR


@pytest.mark.parametrize(("beyond", "status"), [(0, 204), (1, None)])
async def test_the_bound_is_exact(authority: Authority, beyond: int, status: int | None) -> None:
    """A status that ends with the last byte allowed counts, and a byte more is too much."""
    last = b"HTTP/1.1 204 No Content\r\n\r\n"
    room = RECEIVED_AT_MOST - len(last) + beyond
    hints = INTERIM * (room // len(INTERIM) - 100)
    field = b"HTTP/1.1 103 Early Hints\r\nX: \r\n\r\n"
    hints += field.replace(b": ", b": " + b"a" * (room - len(hints) - len(field)))
    assert len(hints + last) == RECEIVED_AT_MOST + beyond

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(hints + last)
        await writer.drain()
        await reader.read()

    async with replying(authority, reply) as url, a_sender(authority) as sender:
        async with asyncio.timeout(LONG_ENOUGH):
            assert (await sender.send(a_letter(url), 0)).status == status


async def test_each_request_has_the_whole_bound(authority: Authority) -> None:
    """On a connection that serves again nothing is left over of the answers before."""
    body = b"a" * 12_000
    answer = OK + b"Content-Length: %d\r\n\r\n" % len(body) + body
    connections = 0

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while True:
            await reader.readuntil(b"\r\n\r\n{}")
            writer.write(answer)
            await writer.drain()

    async with replying(authority, reply) as url, a_sender(authority) as sender:
        async with asyncio.timeout(LONG_ENOUGH):
            for _ in range(2 * RECEIVED_AT_MOST // len(body)):
                assert await sender.send(a_letter(url), 0) == Attempt(200)
    assert connections == 1


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
async def test_nothing_unwanted_begins(desk: HookDesk, receiver: Receiver, change: Change) -> None:
    """After a webhook was removed or disabled, or its person deleted, none of what was held is sent."""
    gate = _Gate(receiver)
    hook = await desk.register(receiver.url("/old"))
    await desk.test(hook.id, 40)
    async with desk.delivering() as courier:
        await desk.until(lambda: len(receiver.got) == AT_ONCE)
        await change(desk, hook.id, "")
        gate.opened.set()
        await desk.until(lambda: not desk.clock._busy() and not courier._unsent)
        await desk.until(lambda: _nothing_waits(desk))
    assert len(receiver.got) == AT_ONCE


async def test_what_is_held_goes_to_the_new_address(desk: HookDesk, receiver: Receiver) -> None:
    """After a webhook got another URL, each delivery that had not begun arrives there alone."""
    gate = _Gate(receiver)
    hook = await desk.register(receiver.url("/old"))
    ids = await desk.test(hook.id, 40)
    async with desk.delivering():
        await desk.until(lambda: len(receiver.got) == AT_ONCE)
        await _move(desk, hook.id, receiver.url("/new"))
        gate.opened.set()
        await desk.until(lambda: desk.all_done(hook.id))
    paths = [got.path for got in receiver.got]
    assert paths == ["/old"] * AT_ONCE + ["/new"] * (40 - AT_ONCE)
    assert sorted(got.id for got in receiver.got) == sorted(ids)


async def test_what_waits_for_no_address_has_failed(desk: HookDesk, receiver: Receiver) -> None:
    """410 disables: what was held ready has failed without an attempt, and tells why."""

    async def say_gone(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=410)

    receiver.answer = say_gone
    hook = await desk.register(receiver.url())
    await desk.test(hook.id, 40)
    await desk.deliver(hook.id)
    rows = await desk.deliveries(hook.id)
    untried = [row for row in rows if row.attempts == 0]
    assert {row.status for row in rows} == {"failed"}
    assert len(untried) == 40 - len(receiver.got) >= 40 - AT_ONCE
    assert {row.last_error for row in untried} == {_DISABLED}
    assert (await desk.record(hook.id)).waiting == 0


async def test_what_a_dead_courier_held_for_a_disabled_webhook_has_failed(desk: HookDesk) -> None:
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


@dataclass
class BusyBook:
    """A book with two letters, the second of which it hands out in the exchange that it is busy with."""

    letters: list[Letter]
    fails: bool
    busy: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    reported: list[str] = field(default_factory=list)
    let_go: list[str] = field(default_factory=list)

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],
        now: int,  # noqa: ARG002  # The book names it.
    ) -> Exchange:
        failing = False
        if outcomes and not self.busy.is_set():
            self.busy.set()
            await self.free.wait()
            failing = self.fails
        if failing:
            raise OSError("The disk is gone for a moment.")
        self.reported += [outcome.letter.id for outcome in outcomes]
        self.let_go += [letter.id for letter in unsent]
        given = self.letters[:1] if room_of(1) else []
        del self.letters[: len(given)]
        return Exchange(given, None)

    async def still(self, _letter: Letter) -> bool:
        return True


@pytest.mark.parametrize("fails", [False, True])
async def test_a_stop_reports_what_arrived_while_the_store_was_busy(fails: bool) -> None:
    """Once, though the stop falls into the report; what was claimed with it is let go, unsent."""
    clock = StandingClock()
    until = clock.now() + 60_000
    letters = [
        Letter(no, f"dlv_{no}", 1, "https://receiver.test/", b"{}", (b"k",), 0, until)
        for no in (1, 2)
    ]
    sent: list[str] = []

    async def send(letter: Letter, _now: int) -> Attempt:
        sent.append(letter.id)
        return Attempt(204)

    book = BusyBook(letters, fails)
    running = asyncio.create_task(Courier(book, send, clock).run())
    async with asyncio.timeout(LONG_ENOUGH):
        await book.busy.wait()
        running.cancel()
        asyncio.get_running_loop().call_soon(book.free.set)
        await asyncio.gather(running, return_exceptions=True)
    assert sent == book.reported == ["dlv_1"]
    assert book.let_go == ([] if fails else ["dlv_2"])


@dataclass
class PlainBook:
    """A book that hands its letters out once."""

    letters: list[Letter]
    reported: list[tuple[str, Attempt]] = field(default_factory=list)
    let_go: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],  # noqa: ARG002  # The book names it.
        now: int,  # noqa: ARG002
    ) -> Exchange:
        self.reported += [(outcome.letter.id, outcome.attempt) for outcome in outcomes]
        self.let_go += [letter.id for letter in unsent]
        given, self.letters = self.letters, []
        return Exchange(given, None)

    async def still(self, letter: Letter) -> bool:
        self.begun.append(letter.id)
        return True


async def test_a_stop_reports_a_status_whose_body_is_still_to_come(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was answered has arrived, and is sent no second time; what waited its turn is let go."""
    clock, all_read, asked = StandingClock(held=True), asyncio.Event(), 0
    read = sending._read_a_little

    async def dawdle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
        await reader.read()

    async def tell(answer: aiohttp.ClientResponse) -> None:
        nonlocal asked
        asked += 1
        if asked == AT_ONCE:
            all_read.set()
        await read(answer)

    monkeypatch.setattr(sending, "READ_WITHIN", 10 * LONG_ENOUGH)
    monkeypatch.setattr(sending, "_read_a_little", tell)
    async with replying(authority, dawdle) as url, a_sender(authority) as sender:
        letter = a_letter(url, clock.now() + 60_000)
        letters = [replace(letter, no=no, id=f"dlv_{no}") for no in range(AT_ONCE + 2)]
        ids = [each.id for each in letters]
        book = PlainBook(letters)
        running = asyncio.create_task(Courier(book, sender.send, clock).run())
        async with asyncio.timeout(LONG_ENOUGH):
            await all_read.wait()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    assert sorted(book.reported) == [(each, Attempt(200)) for each in ids[:AT_ONCE]]
    assert (book.begun, book.let_go) == (ids[:AT_ONCE], ids[AT_ONCE:])
