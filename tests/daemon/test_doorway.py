"""The door: a page that points a name at this machine, or sends from elsewhere, gets nowhere."""

from pathlib import Path

import pytest

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
