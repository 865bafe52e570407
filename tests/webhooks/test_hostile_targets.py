"""Addresses of this machine and its network in whatever spelling: never registered, never sent to."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from finplan.model.errors import BadRequest
from finplan.webhooks.courier import Letter
from finplan.webhooks.sending import Sender, Vetting, is_own_address
from finplan.webhooks.signing import MessageKey
from finplan.webhooks.targets import PrivateTargets, RefusedTarget
from tests.webhooks.desk import HookDesk
from tests.webhooks.receiver import HOST, Authority, Receiver
from tests.webhooks.test_targets import HOSTILE

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
    with pytest.raises(BadRequest, match="No webhook can be registered there"):
        await desk.register(url)
    assert await refusal(Vetting(PrivateTargets(), desk.names.look_up), url, authority)
    assert receiver.got == []


@pytest.mark.parametrize("address", HOSTILE)
async def test_no_address_is_reached_by_itself(authority: Authority, address: str) -> None:
    """As it stands in a URL."""
    host = f"[{address}]" if ":" in address else address
    vetting = Vetting(PrivateTargets())
    assert await refusal(vetting, f"https://{host}/", authority)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("address", HOSTILE)
async def test_no_name_leads_there_the_second_time(authority: Authority, address: str) -> None:
    """A name that was public when it was looked at is looked up anew, and what it leads to is judged."""
    names = Rebinding(address)
    vetting = Vetting(PrivateTargets(), names.look_up)
    await vetting.check_url("https://rebinding.test/")
    told = await refusal(vetting, "https://rebinding.test/", authority)
    assert "rebinding.test leads to an address that is not on the public internet" in told
    assert names.asked == ["rebinding.test"] * 2


async def test_the_address_that_was_judged_is_connected_to(
    authority: Authority, receiver: Receiver
) -> None:
    """A name is looked up once for a connection, so that nobody can answer otherwise in between."""
    asked: list[str] = []

    async def look_up(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1" if len(asked) == 1 else "10.0.0.1"]

    vetting = Vetting(PrivateTargets.of(["127.0.0.1"]), look_up)
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
    vetting = Vetting(PrivateTargets(), names.look_up, is_own=own.__contains__)
    for url in ("https://93.184.215.14/", "https://[2600::7]:8443/"):
        with pytest.raises(RefusedTarget, match="is an address of this machine"):
            await vetting.check_url(url)
        assert "is an address of this machine" in await refusal(vetting, url, authority)
    own.discard("93.184.215.14")
    await vetting.check_url("https://rebinding.test/")
    told = await refusal(vetting, "https://rebinding.test/", authority)
    assert "rebinding.test leads to an address of this machine" in told
    await Vetting(PrivateTargets.of(["2600::7"]), is_own=own.__contains__).check_url(
        "https://[2600::7]/"
    )


def test_the_system_knows_its_own_addresses() -> None:
    """Those of its interfaces, and no other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.bind(("127.0.0.1", 0))
        assert is_own_address(asking.getsockname()[0])
    for other in ("93.184.215.14", "2600::1", "255.255.255.255", "224.0.0.1"):
        assert not is_own_address(other)
