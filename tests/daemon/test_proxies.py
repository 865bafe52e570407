"""The proxies of the handbook work as they stand there: each in front of a daemon, asked over TLS."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from time import monotonic

import httpx
import pytest

import finplan
from finplan.daemon.auth.client_address import client_addresses
from tests.daemon.running import RunningDaemon, running_daemon
from tests.patience import LONG_ENOUGH

pytestmark = [pytest.mark.slow, pytest.mark.judged]

HANDBOOK = Path(finplan.__file__).parent / "docs" / "proxy.md"
NAME = "money.example.org"


def example(program: str) -> str:
    """The example of a program, as it stands in the handbook."""
    told = HANDBOOK.read_text(encoding="utf-8").partition(f"## {program}\n")[2].lstrip("\n")
    indented = takewhile(lambda line: not line or line.startswith("    "), told.split("\n"))
    return "\n".join(line[4:] for line in indented)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        return int(bound.getsockname()[1])


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for the name, and its key."""
    found = shutil.which("openssl")
    if found is None:
        pytest.skip("There is no openssl to make a certificate with.")
    paths = tmp_path / "money.pem", tmp_path / "money.key"
    subprocess.run(
        [
            *(found, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-days", "2", "-out", str(paths[0]), "-keyout", str(paths[1])),
        ],
        check=True,
        capture_output=True,
    )
    return paths


@pytest.fixture
async def site(tmp_path: Path, empty_store: Path) -> AsyncIterator[tuple[RunningDaemon, int]]:
    """A daemon that is reached by a proxy, and the proxy's port."""
    port = free_port()
    async with running_daemon(
        tmp_path / "home",
        empty_store,
        site_url=f"https://{NAME}:{port}",
        address_of=client_addresses(["127.0.0.1"]),
    ) as running:
        yield running, port


@contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """A proxy that listens until the block ends."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = monotonic() + LONG_ENOUGH
            while process.poll() is None and monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", port), LONG_ENOUGH).close()
                    break
                except ConnectionRefusedError:
                    continue
            assert process.poll() is None, "The proxy does not take its configuration."
            yield
        finally:
            # Whatever connections it would wait for are of nobody any more.
            process.kill()


async def ask_over_tls(site: RunningDaemon, port: int, certificate: Path) -> None:
    """Sign in and look around by the proxy, as a browser of another machine does."""
    trusting = ssl.create_default_context(cafile=str(certificate))
    url = f"https://{NAME}:{port}"

    class Here(httpx.AsyncHTTPTransport):
        """Finds the name on this machine."""

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            here = httpx.Request(
                request.method,
                request.url.copy_with(host="127.0.0.1"),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": NAME},
            )
            return await super().handle_async_request(here)

    async with httpx.AsyncClient(
        base_url=url, transport=Here(verify=trusting), timeout=LONG_ENOUGH
    ) as http:
        told = (await http.get("/.well-known/oauth-authorization-server/auth")).json()
        assert told["issuer"] == f"{url}/auth"
        link = (await site.http.post("/api/v1/sessions/link", json={})).json()["url"]
        page = {"Accept": "text/html", "Sec-Fetch-Site": "none"}
        opened = await http.get(link, headers=page)
        assert opened.status_code == 303
        assert opened.headers["set-cookie"].startswith("__Host-finplan=")
        mine = await http.get("/api/v1/me", headers={"Sec-Fetch-Site": "same-origin"})
        assert mine.json()["email"] == "ada@localhost"


def configuration(server: str, folder: Path) -> str:
    """A whole configuration of nginx for one server, which writes into a folder alone."""
    places = "".join(
        f"{each}_temp_path {folder}/{each};"
        for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; pid {folder}/nginx.pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {places}\n{server}\n}}\n"
    )


async def test_nginx_as_in_the_handbook(
    site: tuple[RunningDaemon, int], certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    """Only the port and the places of the certificate are other ones here."""
    program = shutil.which("nginx")
    if program is None:
        pytest.skip("no nginx: apt-get install nginx-light")
    daemon, port = site
    server = example("nginx")
    for told, here in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("/etc/ssl/money.example.org.pem", str(certificate[0])),
        ("/etc/ssl/money.example.org.key", str(certificate[1])),
        ("127.0.0.1:8460", f"127.0.0.1:{daemon.port}"),
    ):
        assert told in server
        server = server.replace(told, here)
    config = tmp_path / "nginx.conf"
    config.write_text(configuration(server, tmp_path))
    with running([program, "-c", str(config), "-p", str(tmp_path)], port):
        await ask_over_tls(daemon, port, certificate[0])


async def test_caddy_as_in_the_handbook(
    site: tuple[RunningDaemon, int], certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    """Only the port is another one here, and the certificate is not asked of anybody."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("no caddy: apt-get install")
    daemon, port = site
    told = example("Caddy")
    assert "127.0.0.1:8460" in told
    told = told.replace("127.0.0.1:8460", f"127.0.0.1:{daemon.port}")
    told = told.replace(
        f"{NAME} {{", f"{NAME}:{port} {{\n    tls {certificate[0]} {certificate[1]}"
    )
    config = tmp_path / "Caddyfile"
    config.write_text(f"{{\n    admin off\n    auto_https off\n}}\n{told}\n")
    with running([program, "run", "--config", str(config), "--adapter", "caddyfile"], port):
        await ask_over_tls(daemon, port, certificate[0])
