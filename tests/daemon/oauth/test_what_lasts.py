"""What ends with what, and what goes on: links, clients, and what needs no secret of the daemon."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest

from finplan.daemon.auth.client_address import counted_as
from finplan.daemon.startup import LateSealer
from finplan.model.errors import SecretsUnreachable, TooManyRequests
from finplan.service.authorization.agents import sweep
from finplan.service.password_hashes import MOST_WAITING, Passwords
from tests.daemon.let_in import let_a_client_in
from tests.daemon.oauth.visitor import REVOKE, program, stranger, use
from tests.daemon.running import RunningDaemon, running_daemon
from tests.daemon.site.browsing import PASSWORD


async def test_a_link_ends_with_the_password(site: RunningDaemon, http: httpx.AsyncClient) -> None:
    """One that was made before a new password signs nobody in after it."""
    link = (await site.http.post("/api/v1/sessions/link", json={})).json()["url"]
    await site.http.put("/api/v1/me/password", json={"password": PASSWORD})
    opened = await http.get(link, headers={"Accept": "text/html", "Sec-Fetch-Site": "none"})
    assert opened.status_code == 401


async def test_a_client_that_was_let_in_once_is_kept(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """Though its tokens are over and forgotten, it is known when it comes again."""
    reader = await program(http)
    await reader.tokens(ada, scope="service:read")
    moment[0] += timedelta(days=2)
    now = int(moment[0].timestamp() * 1000)
    await site.store.write(lambda c: sweep(c, now))

    await program(http)

    assert (await reader.refresh("x")).json()["error"] == "invalid_grant"


@pytest.fixture
async def locked(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon whose data key cannot be reached."""

    def refuse() -> bytes:
        raise SecretsUnreachable("The keyring is locked.")

    folder = tmp_path / "locked"
    folder.mkdir()
    async with running_daemon(folder, empty_store, sealer=LateSealer(refuse)) as running:
        yield running


async def test_what_needs_no_secret_goes_on(locked: RunningDaemon) -> None:
    """With the keyring locked a token is good, and is given back; only what is signed is refused."""
    client_id, token = await let_a_client_in(locked)
    async with stranger(locked) as http:
        assert (await use(http, token)).status_code == 200
        answer = await http.post(REVOKE, data={"token": token, "client_id": client_id})
        assert (answer.status_code, answer.json()) == (200, {})
        assert (await use(http, token)).status_code == 401
        agent = await http.post("/agent/identity", json={"type": "anonymous"})
        assert (agent.status_code, agent.json()["code"]) == (503, "SERVICE_UNAVAILABLE")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:2", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("unknown", "unknown"),
    ],
)
def test_a_network_of_ipv6_is_one_client(address: str, counted: str) -> None:
    """Who has one address of it has all; an IPv4 address is the same however it is written."""
    assert counted_as(address) == counted


async def test_who_comes_while_many_wait_is_told_so() -> None:
    """No more passwords wait than anybody would wait for."""
    passwords = Passwords(_waiting=MOST_WAITING)
    with pytest.raises(TooManyRequests):
        await passwords.verify(None, "x")
    passwords = Passwords(_waiting=MOST_WAITING - 1)
    assert not (await passwords.verify(None, "x")).fits
