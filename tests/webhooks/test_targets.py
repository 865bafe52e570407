"""Where deliveries may go, and where they may not; whoever answers for the names.

The address of a listener on this machine is one that deliveries may go to unasked. The file of
`webhook_ca` is looked at when the daemon starts, not when the first delivery fails.
"""

import asyncio
import json
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from finplan.daemon.background import must_be_certificates
from finplan.model.errors import BadRequest
from finplan.setting_values import SettingsError
from finplan.settings import load_settings
from finplan.webhooks import sending, targets
from finplan.webhooks.courier import Letter
from finplan.webhooks.listener import Listener, read_listener, trust_alone, write_listener
from finplan.webhooks.retries import Attempt
from finplan.webhooks.sending import Sender, Vetting, is_own_address, look_up_host
from finplan.webhooks.signing import MessageKey
from tests.patience import LONG_ENOUGH
from tests.webhooks.desk import HookDesk
from tests.webhooks.receiver import HOST, Authority, Receiver, make_authority

NOTHING = targets.PrivateTargets()

HOSTILE = (
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.31.255.255",
    "192.0.0.9",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.5",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:168.63.129.16",
    "::ffff:169.254.169.254",
    "::ffff:0.0.0.0",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::168.63.129.16",
    "64:ff9b::169.254.169.254",
    "64:ff9b::100.100.100.200",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "2001:0:7f00:1::",
    "2001:0:808:808::1",
    "::8.8.8.8",
    "::ffff:0:8.8.8.8",
    "2001:db8::1",
    "2001:10::1",
    "2600::5efe:127.0.0.1",
    "2600::200:5efe:10.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "ff02::1",
    "100::1",
)


@pytest.mark.parametrize("address", HOSTILE)
def test_nothing_but_the_public_internet_is_reached(address: str) -> None:
    """Loopback, private, shared, link-local, reserved and multicast ones are refused in any spelling."""
    with pytest.raises(targets.RefusedTarget, match="public internet"):
        targets.vet("hooks.example.com", ["93.184.215.14", address], NOTHING)
    with pytest.raises(targets.RefusedTarget, match="public internet"):
        targets.vet(address, [address], NOTHING)
    with pytest.raises(targets.RefusedTarget):
        targets.vet("hooks.example.com", [address, "93.184.215.14"], NOTHING)


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.215.14", "2600::1", "64:ff9b::8.8.8.8", "100.63.255.255", "100.128.0.1"),
        *("168.63.129.15", "168.63.129.17", "169.253.255.255", "198.17.255.255", "223.255.255.1"),
    ],
)
def test_the_public_internet_is_reached(address: str) -> None:
    """Addresses that are globally routable, and such as lead to one by translation."""
    targets.vet("hooks.example.com", [address], NOTHING)


def test_what_a_name_of_this_network_leads_to_is_not_told() -> None:
    """Whoever asks by a name learns nothing but that it is refused; an address is named as it is."""
    with pytest.raises(targets.RefusedTarget) as refused:
        targets.vet("printer.example.com", ["192.168.7.9"], NOTHING)
    assert str(refused.value).startswith("printer.example.com leads to")
    assert "192.168" not in str(refused.value)
    with pytest.raises(targets.RefusedTarget, match=r"^10\.0\.0\.1 .*public internet"):
        targets.vet("10.0.0.1", ["10.0.0.1"], NOTHING)


def test_an_address_of_this_machine_is_refused() -> None:
    """Public or not, and with what allows it; beside one of another machine, too."""
    allows = ".*this machine.*`webhook_private_targets`"
    with pytest.raises(targets.RefusedTarget, match=rf"^93\.184\.215\.14{allows}"):
        targets.vet("93.184.215.14", ["93.184.215.14"], NOTHING, ["93.184.215.14"])
    with pytest.raises(targets.RefusedTarget, match=rf"^a\.example{allows}"):
        targets.vet("a.example", ["2600::1", "93.184.215.14"], NOTHING, ["93.184.215.14"])
    allowed = targets.PrivateTargets.of(["93.184.215.14", "home.example"])
    targets.vet("a.example", ["93.184.215.14"], allowed, ["93.184.215.14"])
    targets.vet("home.example", ["2600::1"], allowed, ["2600::1"])


def test_a_host_without_an_address_is_refused() -> None:
    """Nothing to vet is nothing to connect to."""
    with pytest.raises(targets.RefusedTarget, match="does not resolve"):
        targets.vet("hooks.example.com", [], NOTHING)


def test_what_the_owner_allows_is_reached() -> None:
    """A host by name, an address, or a network; and nothing beside them."""
    allowed = targets.PrivateTargets.of(["Home.Local.", "192.168.7.0/24", "127.0.0.1", "fd00::/8"])
    targets.vet("home.local", ["10.0.0.5"], allowed)
    targets.vet("HOME.local.", ["10.0.0.5"], allowed)
    targets.vet("elsewhere.local", ["192.168.7.255"], allowed)
    targets.vet("127.0.0.1", ["127.0.0.1"], allowed)
    targets.vet("six.local", ["fd12::1"], allowed)
    for host, address in (
        ("other.home.local", "10.0.0.5"),
        ("elsewhere.local", "192.168.8.1"),
        ("127.0.0.2", "127.0.0.2"),
        ("localhost", "::1"),
    ):
        with pytest.raises(targets.RefusedTarget):
            targets.vet(host, [address], allowed)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/",
        "https:///path",
        "https://",
        "https://user@hooks.example.com/",
        "https://user:word@hooks.example.com/",
        "https://@hooks.example.com/",
        "https://hooks.example.com/#part",
        "https://hooks.example.com:0/",
        "https://hooks.example.com:99999/",
        "https://hooks.example.com:x/",
        "https://hooks.example.com/a b",
        "https://hooks.example.com/\u00e4",
        "https://h\u00f6oks.example.com/",
        "https://[fe80::1%25eth0]/",
        "https://[::1/",
        "https://evil.example\\@hooks.example.com/",
        "https://hooks.example.com/\r\nX: y",
        "https://" + "a" * 254,
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0X7F000001/",
        "https://0x/",
        "https://0177.0.0.1/",
        "https://017700000001/",
        "https://127.0.0.1./",
        "https://127.0.0.1.:443/",
        "https://127.0.0.0x1/",
        "https://8.8.8.8.8/",
        "https://08.8.8.8/",
        "https://256.8.8.8/",
        "https://hooks.example.1/",
        "https://[v1.fe80::a]/",
        "ftp://hooks.example.com/",
        "hooks.example.com",
    ],
)
def test_a_url_that_could_be_read_in_two_ways_is_refused(url: str) -> None:
    """Only https, a host and ASCII: no name and password, fragment, space, backslash or control."""
    with pytest.raises(targets.RefusedTarget):
        targets.read_target(url)


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://Hooks.Example.com/a?b=c", targets.Target("hooks.example.com", 443)),
        ("https://hooks.example.com:8443", targets.Target("hooks.example.com", 8443)),
        ("https://[2600::1]:1/", targets.Target("2600::1", 1)),
        ("https://8.8.8.8/", targets.Target("8.8.8.8", 443)),
        ("https://0x7f.example/", targets.Target("0x7f.example", 443)),
        ("https://127.0.0.x1/", targets.Target("127.0.0.x1", 443)),
        ("https://hooks.example.com:65535/", targets.Target("hooks.example.com", 65535)),
    ],
)
def test_where_a_url_leads(url: str, target: targets.Target) -> None:
    """Its host in lower case, and its port."""
    assert targets.read_target(url) == target


def test_only_an_address_is_an_address() -> None:
    """Other spellings of one are none, and no URL may have them."""
    assert str(targets.literal_address("127.0.0.1")) == "127.0.0.1"
    assert str(targets.literal_address("::1")) == "::1"
    for spelt in ("127.1", "0x7f.0.0.1", "2130706433", "017700000001", "localhost"):
        assert targets.literal_address(spelt) is None


def test_a_private_target_is_refused_with_what_allows_it() -> None:
    """The setting is named, and that it holds from the next start of the daemon on."""
    with pytest.raises(targets.RefusedTarget) as refused:
        targets.vet("home.local", ["192.168.1.7"], targets.PrivateTargets())
    said = str(refused.value)
    assert "`webhook_private_targets`" in said
    assert "`finplan daemon stop`" in said


def test_the_longest_name_is_read() -> None:
    """A name may have as many letters as names have, and not one more."""
    longest = ".".join(["a" * 63] * 3 + ["a" * 61])
    assert len(longest) == 253
    assert targets.read_target(f"https://{longest}/") == targets.Target(longest, 443)
    with pytest.raises(targets.RefusedTarget, match="valid host"):
        targets.read_target(f"https://{longest}a/")


PUBLIC = "93.184.215.14"
SPELLINGS = (
    "127.1",
    "127.0.1",
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.0.0.0x1",
    "127.0.0.1.",
    "0",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::1%25lo]",
    "localhost",
    "LOCALHOST.",
    "①②⑦.0.0.1",
    "127.0.0.1%00.example.com",
    "user@127.0.0.1",
    "example.com@127.0.0.1",
    "127.0.0.1\\.example.com",
)


@dataclass
class Rebinding:
    """Names that lead to the public internet the first time, and elsewhere from then on."""

    elsewhere: str
    asked: list[str] = field(default_factory=list)

    async def look_up(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        return [PUBLIC if len(self.asked) == 1 else self.elsewhere]


async def a_key(_now: int) -> MessageKey:
    return MessageKey("key", Ed25519PrivateKey.from_private_bytes(bytes(32)))


async def refusal(vetting: Vetting, url: str, authority: Authority) -> str:
    """Why nothing is sent to a URL."""
    sender = Sender("http://127.0.0.1:8460", a_key, vetting, authority.authorities)
    try:
        attempt = await sender.send(Letter(1, "dlv_1", 1, url, b"{}", (b"secret",), 0, 0), 0)
    finally:
        await sender.close()
    assert attempt.status is None
    return attempt.error or ""


@pytest.mark.parametrize("host", SPELLINGS)
async def test_no_spelling_of_this_machine_is_reached(
    desk: HookDesk, authority: Authority, receiver: Receiver, host: str
) -> None:
    """Neither registered nor sent to, though somebody listens there."""
    url = receiver.url(host=host)
    with pytest.raises(BadRequest, match="cannot receive webhooks"):
        await desk.register(url)
    assert await refusal(Vetting(targets.PrivateTargets(), desk.names.look_up), url, authority)
    assert receiver.got == []


@pytest.mark.parametrize("address", HOSTILE)
async def test_no_address_is_reached_by_itself(authority: Authority, address: str) -> None:
    """As it stands in a URL."""
    host = f"[{address}]" if ":" in address else address
    assert await refusal(Vetting(targets.PrivateTargets()), f"https://{host}/", authority)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("address", HOSTILE)
async def test_no_name_leads_there_the_second_time(authority: Authority, address: str) -> None:
    """A name that was public when it was looked at is looked up anew, and what it leads to is judged."""
    names = Rebinding(address)
    vetting = Vetting(targets.PrivateTargets(), names.look_up)
    await vetting.check_url("https://rebinding.test/")
    told = await refusal(vetting, "https://rebinding.test/", authority)
    assert "rebinding.test leads to" in told
    assert "public internet" in told
    assert names.asked == ["rebinding.test"] * 2


async def test_only_judged_addresses_are_met(authority: Authority, receiver: Receiver) -> None:
    """A name is looked up once for a connection, so that nobody can answer otherwise in between."""
    asked: list[str] = []

    async def look_up(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1" if len(asked) == 1 else "10.0.0.1"]

    vetting = Vetting(targets.PrivateTargets.of(["127.0.0.1"]), look_up)
    sender = Sender("http://127.0.0.1:8460", a_key, vetting, authority.authorities)
    try:
        letter = Letter(1, "dlv_1", 1, receiver.url(), b"{}", (b"secret",), 0, 0)
        attempt = await sender.send(letter, 0)
    finally:
        await sender.close()

    assert (attempt.status, asked, len(receiver.got)) == (204, [HOST], 1)


async def test_no_address_of_this_machine_is_reached(authority: Authority) -> None:
    """A public one is refused when a webhook is registered, and when a name leads there only later."""
    own = {"93.184.215.14", "2600::7"}
    names = Rebinding("2600::7")
    vetting = Vetting(targets.PrivateTargets(), names.look_up, is_own=own.__contains__)
    for url in ("https://93.184.215.14/", "https://[2600::7]:8443/"):
        with pytest.raises(targets.RefusedTarget, match="this machine"):
            await vetting.check_url(url)
        assert "this machine" in await refusal(vetting, url, authority)
    own.discard("93.184.215.14")
    await vetting.check_url("https://rebinding.test/")
    told = await refusal(vetting, "https://rebinding.test/", authority)
    assert "rebinding.test leads to" in told
    assert "this machine" in told
    await Vetting(targets.PrivateTargets.of(["2600::7"]), is_own=own.__contains__).check_url(
        "https://[2600::7]/"
    )


def test_the_system_knows_its_own_addresses() -> None:
    """Those of its interfaces, and no other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.bind(("127.0.0.1", 0))
        assert is_own_address(asking.getsockname()[0])
    for other in ("93.184.215.14", "2600::1", "255.255.255.255", "224.0.0.1"):
        assert not is_own_address(other)


async def nowhere(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


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
    return Vetting(targets.PrivateTargets(), nowhere, file)


async def test_a_listener_gets_it(tmp_path: Path, authority: Authority, receiver: Receiver) -> None:
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
    vetting = named(tmp_path, receiver.url("/secret", "127.0.0.1"), authority.authorities)
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
            with pytest.raises(targets.RefusedTarget):
                await vetting.check_url(other)
            attempt = await sending.send(letter(other), 0)
            assert attempt.status is None
            assert "public internet" in (attempt.error or "")
    assert receiver.got == []


async def test_whoever_takes_its_place_receives_nothing(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """Another program at the port, though `webhook_ca` trusts it, does not have the certificate."""
    url = receiver.url("/secret", "127.0.0.1")
    vetting = named(tmp_path, url, make_authority(tmp_path, "127.0.0.1").authorities)
    async with sender(vetting, authority.authorities) as sending:
        attempt = await sending.send(letter(url), 0)
    assert "certificate is not" in (attempt.error or "")
    assert receiver.got == []


async def test_the_certificate_is_for_the_listener_alone(
    tmp_path: Path, authority: Authority, receiver: Receiver
) -> None:
    """No other address is trusted for it."""
    file = tmp_path / "listener.json"
    certificate = authority.authorities.read_text(encoding="ascii")
    write_listener(file, Listener("https://127.0.0.1:1/x", certificate))
    vetting = Vetting(targets.PrivateTargets.of(["127.0.0.1"]), nowhere, file)
    async with sender(vetting) as sending:
        attempt = await sending.send(letter(receiver.url("/", "127.0.0.1")), 0)
    assert "certificate is not" in (attempt.error or "")


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
    with pytest.raises(targets.RefusedTarget):
        await vetting.check_url(url)
    assert len(receiver.got) == 1


def empty_certificates() -> list[object]:
    return [
        {"url": "https://127.0.0.1:1/", "certificate": certificate}
        for certificate in ("", " \n", None, 7)
    ]


def test_without_a_certificate_nobody_is_trusted() -> None:
    """What the system trusts is not trusted in the place of a listener's own certificate."""
    with pytest.raises(ssl.SSLError, match="certificate"):
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


async def test_slow_look_ups_take_nobody_elses_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a name is looked up, what else is done in a thread goes on, though there is one alone."""
    free = Event()

    def look_up(_host: str, port: int, *_how: Any, **_named: Any) -> list[Any]:
        if not free.wait(LONG_ENOUGH):
            raise TimeoutError
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", port))] * 2

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with ThreadPoolExecutor(1) as one:
        asyncio.get_running_loop().set_default_executor(one)
        looking = asyncio.create_task(look_up_host("slow.example.com", 443))
        await asyncio.sleep(0)
        await asyncio.to_thread(free.set)
        assert await looking == ["93.184.215.14"]


async def test_a_look_up_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever registers a webhook is told so instead of waiting."""
    monkeypatch.setattr(sending, "LOOKED_UP_WITHIN", 0.0)

    async def look_up(_host: str, _port: int) -> list[str]:
        await asyncio.Event().wait()
        raise AssertionError

    vetting = Vetting(targets.PrivateTargets(), look_up)
    with pytest.raises(targets.RefusedTarget, match=r"slow\.example\.com .* 0 seconds"):
        async with asyncio.timeout(LONG_ENOUGH):
            await vetting.check_url("https://slow.example.com/")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no certificate\n",
        b"\x30\x82\x01\x00\xff",
        b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ],
)
def test_what_holds_no_certificate_is_refused(tmp_path: Path, content: bytes) -> None:
    """An empty file, a text, another format and a broken one are told by the setting and the path."""
    file = tmp_path / "ca.pem"
    file.write_bytes(content)
    with pytest.raises(SettingsError) as refused:
        must_be_certificates(str(file))
    assert f"`webhook_ca` ('{file}')" in str(refused.value)
    assert "PEM certificate" in str(refused.value)


def test_a_key_alone_is_no_certificate(tmp_path: Path) -> None:
    """Who names the wrong one of two files is told so."""
    key = make_authority(tmp_path, "127.0.0.1").key
    with pytest.raises(SettingsError, match="not contain"):
        must_be_certificates(str(key))


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    """The system's reason is told."""
    with pytest.raises(SettingsError, match="no such file"):
        must_be_certificates(str(tmp_path / "gone.pem"))


def test_certificates_are_taken(authority: Authority) -> None:
    """One that holds some is fine, and so is none at all."""
    must_be_certificates(str(authority.authorities))
    must_be_certificates(None)


@pytest.mark.thorough
def test_a_daemon_with_a_bad_file_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The start ends with that sentence, before anything is made."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    places = load_settings().places
    places.configuration.mkdir(parents=True)
    (places.configuration / "finplan.toml").write_text('webhook_ca = "ca.pem"\n')
    (places.configuration / "ca.pem").write_text("no certificate")
    daemon = subprocess.run(
        [sys.executable, "-m", "finplan.daemon"], capture_output=True, text=True, check=False
    )
    assert daemon.returncode == 3
    assert daemon.stderr.startswith("finplan cannot use `webhook_ca`")
    assert not places.database.exists()
