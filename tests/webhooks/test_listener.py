"""The one address of this machine that deliveries may go to unasked: where a listener stands."""

import asyncio
import json
import ssl
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from finplan.webhooks.courier import Letter
from finplan.webhooks.listener import Listener, read_listener, trust_alone, write_listener
from finplan.webhooks.retries import Attempt
from finplan.webhooks.sending import Sender, Vetting
from finplan.webhooks.signing import MessageKey
from finplan.webhooks.targets import PrivateTargets, RefusedTarget
from tests.patience import LONG_ENOUGH
from tests.webhooks.receiver import Authority, Receiver, make_authority


async def nowhere(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


async def a_key(_now: int) -> MessageKey:
    return MessageKey("key", Ed25519PrivateKey.from_private_bytes(bytes(32)))


def letter(url: str) -> Letter:
    return Letter(1, "dlv_1", 1, url, b"{}", (b"secret",), 0, 0)


@asynccontextmanager
async def sender(vetting: Vetting, authorities: Path | None = None) -> AsyncIterator[Sender]:
    sending = Sender("http://127.0.0.1:8460", a_key, vetting, authorities)
    try:
        yield sending
    finally:
        await sending.close()


def named(folder: Path, url: str, certificate: Path) -> Vetting:
    """Vetting where a listener is named."""
    file = folder / "listener.json"
    write_listener(file, Listener(url, certificate.read_text(encoding="ascii")))
    return Vetting(PrivateTargets(), nowhere, file)


async def test_a_delivery_reaches_the_listener(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """At the very URL that is named, by the certificate that is named, without a setting."""
    url = receiver.url("/secret", "127.0.0.1")
    vetting = named(tmp_path, url, authority.authorities)
    await vetting.check_url(url)
    async with sender(vetting) as sending:
        assert await sending.send(letter(url), 0) == Attempt(204)
    assert [got.path for got in receiver.got] == ["/secret"]


async def test_once_the_status_is_here_no_limit_holds(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """The time that an attempt may take is that until its status; the rest has a limit of its own."""
    url = receiver.url("/secret", "127.0.0.1")
    async with (
        sender(named(tmp_path, url, authority.authorities)) as sending,
        asyncio.timeout(LONG_ENOUGH) as limit,
    ):
        assert (await sending._post(letter(url), 0, limit)).arrived
        assert limit.when() is None


async def test_nothing_beside_it_is_reached(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """Another path, port or spelling of this machine is refused: when it is registered and sent to."""
    url = receiver.url("/secret", "127.0.0.1")
    vetting = named(tmp_path, url, authority.authorities)
    others = [
        receiver.url("/", "127.0.0.1"),
        receiver.url("/secret?", "127.0.0.1"),
        receiver.url("/secret/", "127.0.0.1"),
        receiver.url("/SECRET", "127.0.0.1"),
        receiver.url("/secret", "127.0.0.2"),
        receiver.url("/secret", "localhost"),
        receiver.url("/secret", "[::1]"),
        f"https://127.0.0.1:{receiver.port + 1}/secret",
    ]
    async with sender(vetting, authority.authorities) as sending:
        for other in others:
            with pytest.raises(RefusedTarget):
                await vetting.check_url(other)
            attempt = await sending.send(letter(other), 0)
            assert attempt.status is None
            assert "not on the public internet" in (attempt.error or "")
    assert receiver.got == []


async def test_whoever_takes_its_place_receives_nothing(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """Another program at the port, though `webhook_ca` trusts it, does not have the certificate."""
    url = receiver.url("/secret", "127.0.0.1")
    other = make_authority(tmp_path, "127.0.0.1")
    vetting = named(tmp_path, url, other.authorities)
    async with sender(vetting, authority.authorities) as sending:
        attempt = await sending.send(letter(url), 0)
    assert (attempt.error or "").startswith("The certificate is not trusted")
    assert receiver.got == []


async def test_the_certificate_is_for_the_listener_alone(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """No other address is trusted for it."""
    file = tmp_path / "listener.json"
    certificate = authority.authorities.read_text(encoding="ascii")
    write_listener(file, Listener("https://127.0.0.1:1/x", certificate))
    vetting = Vetting(PrivateTargets.of(["127.0.0.1"]), nowhere, file)
    async with sender(vetting) as sending:
        attempt = await sending.send(letter(receiver.url("/", "127.0.0.1")), 0)
    assert (attempt.error or "").startswith("The certificate is not trusted")


async def test_once_it_is_gone_nothing_is_reached(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """The file is read each time, so that the end of a listener holds at once."""
    url = receiver.url("/secret", "127.0.0.1")
    vetting = named(tmp_path, url, authority.authorities)
    async with sender(vetting) as sending:
        assert (await sending.send(letter(url), 0)).arrived
        (tmp_path / "listener.json").unlink()
        assert not (await sending.send(letter(url), 0)).arrived
    with pytest.raises(RefusedTarget):
        await vetting.check_url(url)
    assert len(receiver.got) == 1


def empty_certificates() -> list[object]:
    return [
        {"url": "https://127.0.0.1:1/", "certificate": certificate}
        for certificate in ("", " \n", None, 7)
    ]


def test_without_a_certificate_nobody_is_trusted() -> None:
    """What the system trusts is not trusted in the place of a listener's own certificate."""
    with pytest.raises(ssl.SSLError, match="without a certificate"):
        trust_alone("")


def test_a_listener_is_named_for_the_owner_alone(tmp_path: Path) -> None:
    """The file has mode 0600, whatever stood there; one that cannot be read names none."""
    file = tmp_path / "listener.json"
    told = Listener("https://127.0.0.1:1/x", "certificate")
    file.with_suffix(".new").write_text("left over", encoding="ascii")
    file.write_text("[]", encoding="ascii")
    assert read_listener(file) is None
    write_listener(file, told)
    assert read_listener(file) == told
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["listener.json"]
    unusable = [{}, {"url": "https://127.0.0.1:1/"}, 3, *empty_certificates()]
    for content in ("", *map(json.dumps, unusable)):
        file.write_text(content, encoding="ascii")
        assert read_listener(file) is None
