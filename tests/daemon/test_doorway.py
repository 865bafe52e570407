"""The door: which hosts, origins and addresses are believed, and what versions both sides tell."""

from pathlib import Path

import pytest
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from finplan import __version__
from finplan.daemon.auth.client_address import client_addresses
from finplan.daemon.rate_limit import Limiting
from tests.daemon.running import RunningDaemon, running_daemon


@pytest.mark.parametrize("host", ["money.example", "money.example:443", "MONEY.example"])
async def test_the_site_is_let_in(tmp_path: Path, empty_store: Path, host: str) -> None:
    """The public address is ours too, with or without the port that its scheme implies."""
    async with running_daemon(tmp_path, empty_store, site_url="https://money.example") as running:
        headers = {"host": host, "origin": "https://money.example"}
        response = await running.http.get("/health", headers=headers)
        insecure = await running.http.get(
            "/health", headers=headers | {"origin": "http://money.example"}
        )

    assert response.status_code == 200
    assert insecure.status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST"])
async def test_our_own_names_are_let_in(daemon: RunningDaemon, host: str) -> None:
    """The loopback names with the daemon's port are the daemon's, in any case."""
    response = await daemon.http.get("/api/me", headers={"host": f"{host}:{daemon.port}"})

    assert response.status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.2:{port}",
        "evil.example",
        "evil.example:{port}",
        "localhost.evil.example:{port}",
        "localhost:{port}.evil.example",
        "[::]:{port}",
        "[::1]:{port}",
        "0.0.0.0:{port}",
        "user@localhost:{port}",
        "",
    ],
)
async def test_any_other_host_is_refused(daemon: RunningDaemon, host: str) -> None:
    """A name that somebody else pointed at this machine is misdirected, even to /health.

    So is `[::1]`, where the daemon does not listen, and another program may.
    """
    headers = {"host": host.format(port=daemon.port)}

    for path in ("/api/me", "/health", "/nowhere"):
        assert (await daemon.http.get(path, headers=headers)).status_code == 421


@pytest.mark.parametrize(
    ("request_line", "host", "status"),
    [
        ("GET http://127.0.0.1:{port}/health HTTP/1.1", "Host: 127.0.0.1:{port}\r\n", 200),
        ("GET http://evil.example/health HTTP/1.1", "Host: 127.0.0.1:{port}\r\n", 421),
        ("GET http://127.0.0.1:{port}/health HTTP/1.1", "Host: evil.example\r\n", 421),
        ("GET /health HTTP/1.0", "", 421),
    ],
)
async def test_every_place_that_names_a_host_counts(
    daemon: RunningDaemon, request_line: str, host: str, status: int
) -> None:
    """The request line's host is checked as the header's is, and no host at all is refused."""
    request = f"{request_line}\r\n{host}Connection: close\r\n\r\n".format(port=daemon.port)

    answer = await daemon.say(request.encode())

    assert answer.split()[1] == str(status).encode()


@pytest.mark.parametrize("origin", ["http://127.0.0.1:{port}", "http://LOCALHOST:{port}"])
async def test_our_own_pages_are_let_in(daemon: RunningDaemon, origin: str) -> None:
    """A page that this daemon served may use it."""
    headers = {"origin": origin.format(port=daemon.port)}

    assert (await daemon.http.get("/api/me", headers=headers)).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://evil.example",
        "https://localhost:{port}",
        "http://localhost",
        "http://localhost:1",
        "http://[::1]:{port}",
        "http://localhost:{port}.evil.example",
        "http://localhost:{port}/",
        "http://localhost:{port} http://localhost:{port}",
    ],
)
async def test_a_foreign_page_is_refused(daemon: RunningDaemon, origin: str) -> None:
    """Any other origin is refused whatever credential comes with it; `null` is one too."""
    headers = {"origin": origin.format(port=daemon.port)}

    assert (await daemon.http.post("/api/plan", headers=headers)).status_code == 403


PROXY, INNER, CLIENT, FORGED = "10.0.0.1", "10.0.7.7", "203.0.113.9", "198.51.100.1"


def asked(trusted: tuple[str, ...], peer: str | None, *forwarded: str) -> str:
    """The address of a request from a peer that says whom it forwards."""
    headers = CIMultiDict([("X-Forwarded-For", each) for each in forwarded])
    request = make_mocked_request("GET", "/", headers=headers)
    return client_addresses(trusted)(request.clone(remote=peer) if peer is not None else request)


def test_whom_nobody_trusts_is_not_believed() -> None:
    """Without a trusted proxy, or from another peer, what is said of an address counts for nothing."""
    assert asked((), CLIENT, FORGED) == CLIENT
    assert asked((), "127.0.0.1", FORGED) == "127.0.0.1"
    assert asked((PROXY,), CLIENT, FORGED) == CLIENT
    assert asked((PROXY,), CLIENT, f"{FORGED}, {PROXY}") == CLIENT


@pytest.mark.parametrize(
    "forwarded", [(f"{FORGED}, {CLIENT}",), (FORGED, CLIENT), (f" {FORGED} ,, {CLIENT} ,",)]
)
def test_of_whom_a_proxy_forwards_the_last_is_believed(forwarded: tuple[str, ...]) -> None:
    """What stands before it the client has written, in one header or in several."""
    assert asked((PROXY,), PROXY, *forwarded) == CLIENT


def test_of_a_chain_of_proxies_the_last_that_is_not_trusted_is_the_client() -> None:
    """A network is trusted as a whole; where all are trusted it is the first of them."""
    chain = f"{FORGED}, {CLIENT}, {INNER}"
    assert asked(("10.0.0.0/8",), PROXY, chain) == CLIENT
    assert asked((PROXY,), PROXY, chain) == INNER
    assert asked(("10.0.0.0/8",), PROXY, f"10.9.9.9, {INNER}") == "10.9.9.9"
    assert asked(("10.0.0.0/8",), PROXY) == PROXY


@pytest.mark.parametrize(
    "said",
    [
        *("unknown", "_hidden", "", "x" * 500),
        *("203.0.113.9:", "203.0.113.9:port", "203.0.113:80", "203.0.113.9:471100", ":4711"),
        *("[203.0.113.9]:80", "[2001:db8::7", "[]:80", "[unknown]:80", "2001:db8::7]:80"),
    ],
)
def test_what_is_no_address_is_not_taken_for_one(said: str) -> None:
    """Nobody gets a limit or a name of their own choice: then it is the proxy's."""
    assert asked((PROXY,), PROXY, f"{CLIENT}, {said or 'x'}") == PROXY


@pytest.mark.parametrize(
    ("said", "client"),
    [
        ("203.0.113.9:4711", "203.0.113.9"),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("[::ffff:203.0.113.9]:80", "::ffff:203.0.113.9"),
    ],
)
def test_a_port_is_no_part_of_an_address(said: str, client: str) -> None:
    """Some proxies name it beside the client's address, or their own."""
    assert asked((PROXY,), PROXY, f"{FORGED}, {said}") == client
    assert asked((PROXY, INNER), PROXY, f"{FORGED}, {said}, {INNER}:8080") == client


def test_six_is_a_family_like_four() -> None:
    """Addresses and networks of IPv6 are compared as such, and never with those of IPv4."""
    assert asked(("fd00::/8",), "fd00::1", "2001:db8::7") == "2001:db8::7"
    assert asked(("0.0.0.0/0",), "fd00::1", "2001:db8::7") == "fd00::1"


def test_a_connection_without_an_address_is_nobodys() -> None:
    """It is not believed either."""
    assert asked(("0.0.0.0/0", "::/0"), None, FORGED) == "unknown"


async def test_a_stranger_is_counted_by_address(tmp_path: Path, empty_store: Path) -> None:
    """Behind a trusted proxy each client has a limit of its own; a forged word gets nobody another."""
    address_of = client_addresses(("127.0.0.1",))
    limiting = Limiting(2, address_of=address_of)
    async with running_daemon(
        tmp_path, empty_store, limiting=limiting, address_of=address_of
    ) as daemon:
        daemon.http.cookies.clear()

        async def left(forwarded: str) -> int:
            headers = {"X-Forwarded-For": forwarded}
            answer = await daemon.http.get("/api/v1/me", headers=headers)
            return int(answer.headers["RateLimit-Remaining"])

        assert [await left(CLIENT), await left(f"{FORGED}, {CLIENT}")] == [1, 0]
        assert await left("203.0.113.10") == 1


async def test_every_answer_names_the_version(daemon: RunningDaemon) -> None:
    """The header is there on answers and on refusals alike."""
    for path in ("/health", "/api/me", "/nowhere"):
        response = await daemon.http.get(path)
        assert response.headers["finplan-version"] == __version__


async def test_a_client_of_another_version_is_noted(
    daemon: RunningDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says once per request that the versions differ, and nothing when they are equal."""
    await daemon.http.get("/health", headers={"finplan-version": __version__})
    assert caplog.text == ""

    await daemon.http.get("/health", headers={"finplan-version": "0.0.1"})
    assert "0.0.1" in caplog.text
