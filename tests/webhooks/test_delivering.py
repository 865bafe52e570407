"""Deliveries to a real receiver by https: what arrives, what is tried again, and what is given up."""

import asyncio
import base64
import json
from datetime import timedelta
from pathlib import Path

import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, MappingKeyResolver, algorithms
from standardwebhooks import Webhook, WebhookVerificationError

from finplan.model.credential import AuditQuery
from finplan.model.errors import BadRequest, Conflict
from finplan.model.webhook import DeliveryId, WebhookChange, WebhookId
from finplan.service.credentials.audit import list_audit
from finplan.service.webhooks.deliveries import (
    FAILING,
    GONE,
    KEPT_FOR,
    DeliveryBook,
    prune_deliveries,
    retry_delivery,
    try_webhook,
)
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.service.webhooks.webhooks import change_webhook, rotate_secret
from finplan.store.store import Store
from finplan.webhooks import sending
from finplan.webhooks.courier import CLAIMED_FOR, PROBES
from finplan.webhooks.retries import DELAYS
from finplan.webhooks.signing import REQUEST_TAG
from tests.present import present
from tests.webhooks.desk import HookDesk, desk_of, sealer
from tests.webhooks.receiver import Authority, Got, Receiver, make_authority, receiving


async def _refuse(_request: web.Request) -> web.StreamResponse:
    return web.Response(status=500, text="no")


async def _hang(_request: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def verify_by_directory(desk: HookDesk, got: Got, url: str) -> None:
    """A request verifies by the published directory alone."""
    keys = json.loads(await MessageKeys(desk.store).published())["keys"]
    public = {
        key["kid"]: Ed25519PublicKey.from_public_bytes(
            base64.urlsafe_b64decode(key["x"] + "=" * (-len(key["x"]) % 4))
        )
        for key in keys
    }

    class Message:
        method = "POST"
        headers = got.headers

        def __init__(self) -> None:
            self.url = url

    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys=public, private_keys={}),
    )
    verifier.verify(Message(), max_age=timedelta(minutes=5), expect_tag=REQUEST_TAG, body=got.body)


async def test_a_delivery_arrives_and_verifies(desk: HookDesk, receiver: Receiver) -> None:
    """What arrives is the event, once, signed in both ways, and the row says that it arrived."""
    hook = await desk.register(receiver.url("/hook?way=1"))
    (delivery,) = await desk.test(hook.id)
    await desk.deliver(hook.id)
    (got,) = receiver.got
    assert got.id == delivery
    assert got.headers["Content-Type"] == "application/json"
    event = json.loads(got.body)
    assert (event["type"], event["data"]) == ("webhook.test", {"webhookId": hook.id})
    assert event["timestamp"].endswith("Z")
    Webhook(hook.secret).verify(got.body.decode(), got.headers)
    await verify_by_directory(desk, got, receiver.url("/hook?way=1"))
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.last_status, row.last_error) == (
        "delivered",
        1,
        204,
        None,
    )
    assert row.delivered_at == desk.clock.now()


@pytest.mark.thorough
@pytest.mark.parametrize("luck", [0.0, 1.0])
async def test_ten_attempts_fall_on_the_schedule(
    desk: HookDesk, receiver: Receiver, luck: float
) -> None:
    """To the second, each under the same id with a time of its own; after the tenth it has failed."""
    receiver.answer = _refuse
    hook = await desk.register(receiver.url())
    (delivery,) = await desk.test(hook.id)
    begun = desk.clock.now()
    async with desk.delivering(luck=luck):
        await desk.until(lambda: desk.all_done(hook.id))
    expected = [begun]
    for delay in DELAYS:
        expected.append(expected[-1] + int(delay * (1 + luck / 10)))
    assert [got.seconds for got in receiver.got] == [due // 1000 for due in expected]
    assert {got.id for got in receiver.got} == {delivery}
    assert len({got.body for got in receiver.got}) == 1
    for got in receiver.got[:1]:
        Webhook(hook.secret).verify(got.body.decode(), got.headers)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.last_status) == ("failed", 10, 500)
    assert row.last_error == "The receiver answered 500."
    record = await desk.record(hook.id)
    assert record.failing_since == begun
    assert record.webhook.disabled_at is None


async def test_the_receiver_may_ask_for_more_time(desk: HookDesk, receiver: Receiver) -> None:
    """A Retry-After that is longer than the delay is waited for; then it arrives."""

    async def busy_first(_request: web.Request) -> web.StreamResponse:
        if len(receiver.got) == 1:
            return web.Response(status=503, headers={"Retry-After": "100"})
        return web.Response(status=200)

    receiver.answer = busy_first
    hook = await desk.register_tested(receiver.url())
    await desk.deliver(hook.id)
    first, second = receiver.got
    assert second.seconds - first.seconds == 100
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.last_status, row.last_error) == (
        "delivered",
        2,
        200,
        None,
    )
    assert (await desk.record(hook.id)).failing_since is None


async def _one_attempt(desk: HookDesk, hook: str) -> tuple[int | None, str]:
    """Status and error of the first attempt of a delivery that fails."""
    await desk.test(hook)
    desk.clock.held = True
    async with desk.delivering():

        async def tried() -> bool:
            return (await desk.deliveries(hook))[0].attempts > 0

        await desk.until(tried)
    desk.clock.held = False
    row = (await desk.deliveries(hook))[0]
    assert row.status == "pending"
    return row.last_status, row.last_error or ""


async def test_no_redirect_is_followed(desk: HookDesk, receiver: Receiver) -> None:
    """A redirect counts as a failure, and where it leads is not asked."""

    async def redirect(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": receiver.url("/elsewhere")})

    receiver.answer = redirect
    hook = await desk.register(receiver.url())
    status, error = await _one_attempt(desk, hook.id)
    assert status == 302
    assert "redirected (302)" in error
    assert [got.path for got in receiver.got] == ["/hook"]


async def test_a_receiver_that_hangs_is_given_up(
    desk: HookDesk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an answer in time the attempt has failed."""
    monkeypatch.setattr(sending, "TIMEOUT", 0.2)
    receiver.answer = _hang
    hook = await desk.register(receiver.url())
    status, error = await _one_attempt(desk, hook.id)
    assert status is None
    assert "No answer within" in error


async def test_of_a_long_answer_only_a_part_is_read(desk: HookDesk, receiver: Receiver) -> None:
    """Ten megabytes in answer to a delivery that arrived: it counts, and the rest is not taken in."""
    sent = 0

    async def pour(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            for _ in range(160):
                await response.write(bytes(65536))
                sent += 65536
        except ConnectionError:
            pass
        return response

    receiver.answer = pour
    hook = await desk.register_tested(receiver.url())
    await desk.deliver(hook.id)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.last_status) == ("delivered", 200)
    assert sent < 10 * 2**20


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ending", ["never", "at once"])
@pytest.mark.parametrize(
    ("status", "told"), [(200, "delivered"), (500, "pending"), (410, "failed")]
)
async def test_the_status_decides_whatever_follows_it(
    desk: HookDesk,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    ending: str,
    status: int,
    told: str,
) -> None:
    """A body that does not end, or that breaks off, makes nothing of an answer that has come."""
    monkeypatch.setattr(sending, "READ_WITHIN", 0.2)

    async def begin(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(status=status, headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b"x")
        if ending == "never":
            await asyncio.Event().wait()
        present(request.transport).close()
        return response

    receiver.answer = begin
    hook = await desk.register_tested(receiver.url())
    desk.clock.held = True
    async with desk.delivering():

        async def tried() -> bool:
            return (await desk.deliveries(hook.id))[0].attempts > 0

        await desk.until(tried)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.last_status, len(receiver.got)) == (told, status, 1)


async def test_no_handshake_is_given_up(desk: HookDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody listens, and says nothing of TLS: the attempt ends in time, with a sentence."""
    monkeypatch.setattr(sending, "TIMEOUT", 0.3)

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        hook = await desk.register(f"https://receiver.test:{port}/")
        status, error = await _one_attempt(desk, hook.id)
    assert status is None
    assert "No answer within" in error


async def test_an_answer_that_is_no_http_is_said(desk: HookDesk, receiver: Receiver) -> None:
    """What cannot be read counts as a failure, and none of it is repeated."""

    async def babble(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.write(b"MOO! secret words\r\n\r\n")
        request.transport.close()
        return web.Response()

    receiver.answer = babble
    hook = await desk.register(receiver.url())
    status, error = await _one_attempt(desk, hook.id)
    assert status is None
    assert "not valid HTTP" in error
    assert "secret" not in error


async def test_a_certificate_of_a_stranger_is_refused(desk: HookDesk, tmp_path: Path) -> None:
    """By another authority, and for another name; nothing is sent to either."""
    stranger = make_authority(tmp_path, "receiver.test")
    async with receiving(stranger) as other:
        hook = await desk.register(other.url())
        status, error = await _one_attempt(desk, hook.id)
        assert (status, "certificate is not" in error) == (None, True)
        misnamed = make_authority(tmp_path, "somebody.test")
        async with receiving(misnamed) as third:
            hook = await desk.register(third.url())
            desk.authorities = misnamed.authorities
            status, error = await _one_attempt(desk, hook.id)
            assert (status, "certificate is not" in error) == (None, True)
            assert third.got == []
        assert other.got == []


async def test_nobody_there_is_said(desk: HookDesk, authority: Authority) -> None:
    """Where nobody listens, the sentence says that no connection could be made."""
    async with receiving(authority) as gone:
        url = gone.url()
    hook = await desk.register(url)
    status, error = await _one_attempt(desk, hook.id)
    assert status is None
    assert error.endswith(": connection refused.")


async def test_a_name_that_leads_away_is_refused(desk: HookDesk, receiver: Receiver) -> None:
    """A name that was public when it was registered, and leads to this machine when it is sent to."""
    desk.names.leads_to = {"rebinding.test": ["93.184.215.14"]}
    hook = await desk.register(receiver.url(host="rebinding.test"))
    desk.names.leads_to = {"rebinding.test": ["127.0.0.1"]}
    status, error = await _one_attempt(desk, hook.id)
    assert status is None
    assert error.startswith("rebinding.test leads to")
    assert "public internet" in error
    assert "127.0.0.1" not in error
    assert receiver.got == []


MOVE = "UPDATE webhook SET url = ?"


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"])
async def test_an_address_needs_no_name(desk: HookDesk, receiver: Receiver, host: str) -> None:
    """The client resolves no address, so one is refused before it is asked, at each delivery too."""
    with pytest.raises(BadRequest, match="public internet"):
        await desk.register(receiver.url(host=host))
    hook = await desk.register(receiver.url())
    url = receiver.url(host=host)
    await desk.store.write(lambda c: c.exec_driver_sql(MOVE, (url,)) and None)
    status, error = await _one_attempt(desk, hook.id)
    assert status is None
    assert "public internet" in error
    assert receiver.got == []


async def test_gone_disables(desk: HookDesk, receiver: Receiver) -> None:
    """410 disables the webhook; what waits has failed, nothing more is sent, and the person is told."""

    async def say_gone(_request: web.Request) -> web.StreamResponse:
        # What it says of trying again is no date that there could be.
        wild = {"Retry-After": "Mon, 1 Jan 99999999999999999999 00:00:00 GMT"}
        return web.Response(status=410, headers=wild)

    receiver.answer = say_gone
    hook = await desk.register_tested(receiver.url())
    await desk.deliver(hook.id)
    record = await desk.record(hook.id)
    assert record.webhook.disabled_at == desk.clock.now()
    assert record.disabled_why == GONE
    assert record.waiting == 0
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.last_status) == ("failed", 1, 410)
    with pytest.raises(Conflict, match="is disabled"):
        await try_webhook(desk.context, WebhookId(id=hook.id))
    with pytest.raises(Conflict, match="is disabled"):
        await retry_delivery(desk.context, DeliveryId(id=hook.id, delivery_id=row.id))
    newest = (await list_audit(desk.context, AuditQuery()))[0]
    assert newest.kind == "webhook.disabled"
    assert newest.text.endswith("(410).")
    on = await change_webhook(desk.context, WebhookChange(id=hook.id, disabled=False))
    assert on.disabled_at is None
    assert (await desk.record(hook.id)).disabled_why is None


async def test_what_fails_disabled_is_not_tried_again(desk: HookDesk, receiver: Receiver) -> None:
    """What was on its way when its webhook was disabled, and failed then, has failed for good."""
    answer = asyncio.Event()

    async def wait_and_refuse(request: web.Request) -> web.StreamResponse:
        await answer.wait()
        return await _refuse(request)

    receiver.answer = wait_and_refuse
    hook = await desk.register_tested(receiver.url())
    async with desk.delivering():
        await desk.until(lambda: receiver.got)
        await change_webhook(desk.context, WebhookChange(id=hook.id, disabled=True))
        assert (await desk.deliveries(hook.id))[0].status == "pending"
        answer.set()

        async def tried() -> bool:
            return (await desk.deliveries(hook.id))[0].attempts > 0

        await desk.until(tried)
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts, row.last_status) == ("failed", 1, 500)


async def test_five_days_of_failures_disable(desk: HookDesk, receiver: Receiver) -> None:
    """Where it went on being tried, it is disabled at the first failure after five whole days."""
    receiver.answer = _refuse
    hook = await desk.register_tested(receiver.url())
    day = 24 * 3600 * 1000
    async with desk.delivering():
        await desk.until(lambda: desk.all_done(hook.id))
        since = present((await desk.record(hook.id)).failing_since)
        desk.clock.instant = since + 4 * day
        await desk.test(hook.id)

        async def disabled() -> bool:
            return (await desk.record(hook.id)).webhook.disabled_at is not None

        await desk.until(disabled)
    record = await desk.record(hook.id)
    assert record.webhook.disabled_at == since + 4 * day + sum(DELAYS[:7])
    assert record.disabled_why == FAILING
    assert await desk.all_done(hook.id)


async def test_a_failed_one_is_tried_again_by_hand(desk: HookDesk, receiver: Receiver) -> None:
    """A manual retry sends the same delivery once more; what has arrived is not sent again."""
    receiver.answer = _refuse
    hook = await desk.register(receiver.url())
    (delivery,) = await desk.test(hook.id)
    async with desk.delivering():
        await desk.until(lambda: desk.all_done(hook.id))
        again = DeliveryId(id=hook.id, delivery_id=delivery)
        assert (await retry_delivery(desk.context, again)).status == "pending"
        await desk.until(lambda: len(receiver.got) == 11)
        await desk.until(lambda: desk.all_done(hook.id))
        assert (await desk.deliveries(hook.id))[0].attempts == 10

        async def take(_request: web.Request) -> web.StreamResponse:
            return web.Response(status=202)

        receiver.answer = take
        await retry_delivery(desk.context, again)
        await desk.until(lambda: len(receiver.got) == 12)
        await desk.until(lambda: desk.all_done(hook.id))
    (row,) = await desk.deliveries(hook.id)
    assert (row.status, row.attempts) == ("delivered", 11)
    assert {got.id for got in receiver.got} == {delivery}
    with pytest.raises(Conflict, match="already arrived"):
        await retry_delivery(desk.context, again)


async def test_what_is_being_sent_is_not_sent_again(desk: HookDesk, receiver: Receiver) -> None:
    """A manual retry of what is on its way is refused, and not lost in silence; then it is taken."""
    receiver.answer = _hang
    hook = await desk.register(receiver.url())
    (delivery,) = await desk.test(hook.id)
    desk.clock.held = True
    ask = DeliveryId(id=hook.id, delivery_id=delivery)
    async with desk.delivering():
        await desk.until(lambda: receiver.got)
        with pytest.raises(Conflict, match="being sent"):
            await retry_delivery(desk.context, ask)
        desk.clock.instant += 59_999
        with pytest.raises(Conflict, match="being sent"):
            await retry_delivery(desk.context, ask)
        # Whoever claimed it for a minute has died by then.
        desk.clock.instant += 1
        assert (await retry_delivery(desk.context, ask)).next_attempt_at == desk.clock.now()
    # A claim that reaches further ahead than any may was made by a clock that was ahead.
    until = desk.clock.now()
    await desk.store.write(
        lambda c: (
            c.exec_driver_sql("UPDATE webhook_delivery SET claimed_until = ?", (until,)) and None
        )
    )
    desk.clock.instant = until - 120_000
    with pytest.raises(Conflict, match="being sent"):
        await retry_delivery(desk.context, ask)
    desk.clock.instant -= 1
    await retry_delivery(desk.context, ask)


async def test_a_new_try_of_what_failed_is_told(desk: HookDesk, receiver: Receiver) -> None:
    """The soonest of those that were tried; what was never tried says nothing of when."""
    receiver.answer = _refuse
    hook = await desk.register_tested(receiver.url())
    assert (await desk.record(hook.id)).next_try_at is None
    assert (await desk.record(hook.id)).waiting == 1
    await _one_attempt(desk, hook.id)
    record = await desk.record(hook.id)
    assert record.waiting == 2
    tried = [each for each in await desk.deliveries(hook.id) if each.attempts]
    assert record.next_try_at == min(each.next_attempt_at for each in tried)
    assert record.held_up is None


async def test_both_secrets_sign_for_a_day(desk: HookDesk, receiver: Receiver) -> None:
    """After a change of the secret both verify, and after a day the new one alone."""
    hook = await desk.register(receiver.url())
    new = await rotate_secret(desk.context, WebhookId(id=hook.id))
    assert new.secret != hook.secret
    assert (await desk.record(hook.id)).former_secret_until == new.former_until
    async with desk.delivering():
        await desk.test(hook.id)
        await desk.until(lambda: desk.all_done(hook.id))
        desk.clock.instant = new.former_until
        await desk.test(hook.id)
        await desk.until(lambda: desk.all_done(hook.id))
    first, second = receiver.got
    for secret in (hook.secret, new.secret):
        Webhook(secret).verify(first.body.decode(), first.headers)
    assert len(second.headers["webhook-signature"].split()) == 1
    assert (await desk.record(hook.id)).former_secret_until is None


async def test_a_third_secret_ends_the_first(desk: HookDesk, receiver: Receiver) -> None:
    """Within the day; the answer says until when it would have signed, and after the day says none."""
    hook = await desk.register(receiver.url())
    ask = WebhookId(id=hook.id)
    second = await rotate_secret(desk.context, ask)
    assert second.older_until is None
    desk.clock.instant += 1000
    third = await rotate_secret(desk.context, ask)
    assert third.older_until == second.former_until
    assert "no longer signs" in (await list_audit(desk.context, AuditQuery()))[0].text
    async with desk.delivering():
        await desk.test(hook.id)
        await desk.until(lambda: desk.all_done(hook.id))
    (got,) = receiver.got
    for secret in (second.secret, third.secret):
        Webhook(secret).verify(got.body.decode(), got.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(hook.secret).verify(got.body.decode(), got.headers)
    desk.clock.instant = third.former_until
    assert (await rotate_secret(desk.context, ask)).older_until is None
    assert "no longer signs" not in (await list_audit(desk.context, AuditQuery()))[0].text


@pytest.mark.thorough
async def test_what_hangs_delays_nobody(desk: HookDesk, receiver: Receiver) -> None:
    """While one webhook's receiver takes all and answers nothing, those of another arrive."""

    async def hang_one(request: web.Request) -> web.StreamResponse:
        return await _hang(request) if request.path == "/hang" else web.Response(status=200)

    receiver.answer = hang_one
    hanging = await desk.register(receiver.url("/hang"))
    well = await desk.register(receiver.url("/well"))
    await desk.test(hanging.id, 30)
    await desk.test(well.id, 30)
    async with desk.delivering():
        await desk.until(lambda: desk.all_done(well.id))
        assert sum(got.path == "/hang" for got in receiver.got) <= 8
    assert {row.attempts for row in await desk.deliveries(hanging.id)} == {0}


@pytest.mark.thorough
async def test_one_that_fails_gets_few_at_a_time(desk: HookDesk, receiver: Receiver) -> None:
    """After a failure only probes are on their way together, until one arrives."""
    together = most = 0
    probing = False

    async def count(_request: web.Request) -> web.StreamResponse:
        nonlocal together, most, probing
        together += 1
        if probing:
            most = max(most, together)
        await asyncio.sleep(0)
        together -= 1
        if together == 0:
            probing = True
        return web.Response(status=500)

    receiver.answer = count
    hook = await desk.register(receiver.url())
    await desk.test(hook.id, 40)
    await desk.deliver(hook.id)
    assert len(receiver.got) == 400
    assert most <= PROBES


async def test_a_dead_couriers_letters_are_taken_up(desk: HookDesk, receiver: Receiver) -> None:
    """When the claim of a dead courier is over another one sends it, under the same id, not before."""
    hook = await desk.register(receiver.url())
    ids = await desk.test(hook.id, 3)
    dead = DeliveryBook(desk.store, sealer)
    begun = desk.clock.now()
    taken = await dead.exchange((), (), lambda _: 10, begun)
    assert sorted(letter.id for letter in taken.letters) == sorted(ids)
    await desk.deliver(hook.id)
    assert sorted(got.id for got in receiver.got) == sorted(ids)
    assert {got.seconds for got in receiver.got} == {(begun + CLAIMED_FOR) // 1000}


async def test_what_is_on_its_way_at_the_end_is_let_go(desk: HookDesk, receiver: Receiver) -> None:
    """A courier that is stopped claims nothing any more; the next one sends it at once."""
    receiver.answer = _hang
    hook = await desk.register(receiver.url())
    await desk.test(hook.id, 20)
    async with desk.delivering():
        await desk.until(lambda: len(receiver.got) == 8)
    assert {*await desk.rows("SELECT claim FROM webhook_delivery")} == {(None,)}
    assert {row.attempts for row in await desk.deliveries(hook.id)} == {0}


@pytest.mark.thorough
async def test_two_daemons_deliver_each_once(desk: HookDesk, receiver: Receiver) -> None:
    """Couriers of two processes on one store: each delivery is sent by one of them."""
    hook = await desk.register(receiver.url())
    ids = await desk.test(hook.id, 150)
    second = Store.open(desk.store.path, desk.store.backups)
    other = await desk_of(second, desk.clock, desk.names, desk.authorities)
    # No claim is over: who waits for one to be over is not asked here.
    desk.clock.held = True
    try:
        async with (
            desk.delivering(),
            other.delivering(),
        ):
            await desk.until(lambda: desk.all_done(hook.id))
    finally:
        second.close()
    assert sorted(got.id for got in receiver.got) == sorted(ids)


@pytest.mark.parametrize("answered", [204, 410])
async def test_old_ones_are_forgotten(desk: HookDesk, receiver: Receiver, answered: int) -> None:
    """Whether it arrived or failed, after thirty days, to the millisecond."""

    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(status=answered)

    receiver.answer = answer
    hook = await desk.register_tested(receiver.url())
    now = desk.clock.now()
    await desk.deliver(hook.id)
    await desk.store.write(lambda c: prune_deliveries(c, now + KEPT_FOR))
    assert len(await desk.deliveries(hook.id)) == 1
    await desk.store.write(lambda c: prune_deliveries(c, now + KEPT_FOR + 1))
    assert await desk.deliveries(hook.id) == ()


async def test_what_waits_is_not_forgotten(desk: HookDesk, receiver: Receiver) -> None:
    """However old it is: as long as the data key is out of reach, or its receiver asks for time."""
    hook = await desk.register_tested(receiver.url())
    now = desk.clock.now()
    await desk.store.write(lambda c: prune_deliveries(c, now + 10 * KEPT_FOR))
    assert [row.status for row in await desk.deliveries(hook.id)] == ["pending"]
