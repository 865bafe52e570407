"""Deliveries to a receiver by https, with another one hanging throughout, beside a bare client.

The receiver is a process of its own that answers at once. The floor is aiohttp's client posting the same
body, unsigned, over as many connections as the courier has to one address. `GET /me` is asked all the
while: during the drain as often as it is answered, and while fifty tests a second are asked for.
"""

import asyncio
import json
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter, sleep, time

import aiohttp

from benchmarks.crowd import slowest_of_hundred
from benchmarks.figures import Figure, Target, against, shown_time
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.wire import Question, saying
from finplan.settings import Settings
from finplan.webhooks.courier import AT_ONCE
from tests.webhooks.receiver import Authority, make_authority

MANY = 5_000
HANGING = 40
"""How many deliveries wait for the receiver that never answers."""

ENOUGH = 1_000
"""As many deliveries a second are enough, whatever the receiver could take from a bare client."""

TRIVIAL = Question("GET", "/me")
PACED = 50
PACED_FOR = 10
"""So many tests a second are asked for, for so many seconds."""

BODY = json.dumps({"type": "webhook.test", "timestamp": "2026-03-18T12:00:00Z", "data": {}})


def measure(ground: Ground) -> list[Figure]:
    """Throughput against the bare client's, and how long the trivial route takes meanwhile."""
    folder = ground.folder / "receiver"
    folder.mkdir()
    authority = make_authority(folder, "127.0.0.1")
    with _receiver(folder, authority) as receiver:
        bare = asyncio.run(_bare(receiver.port, authority))
        return [*_drain(ground, receiver, authority, bare), _paced(ground, receiver, authority)]


@dataclass
class _Receiver:
    port: int
    counted: Path

    def count(self) -> int:
        """How many requests were answered."""
        return int(self.counted.read_bytes() or b"0") if self.counted.exists() else 0


@contextmanager
def _receiver(folder: Path, authority: Authority) -> Iterator[_Receiver]:
    counted, told = folder / "counted", folder / "port"
    process = subprocess.Popen(
        [sys.executable, __file__, str(authority.server), str(authority.key), counted, told]
    )
    try:
        while not told.exists() or not told.read_text():
            sleep(0.02)
        yield _Receiver(int(told.read_text()), counted)
    finally:
        process.terminate()
        process.wait()


async def _bare(port: int, authority: Authority) -> float:
    """How many requests a second the receiver takes of a client that does nothing else."""
    context = ssl.create_default_context(cafile=authority.authorities)
    left = MANY // 2

    async def post(session: aiohttp.ClientSession) -> None:
        nonlocal left
        while left > 0:
            left -= 1
            async with session.post(f"https://127.0.0.1:{port}/bare", data=BODY) as answer:
                await answer.read()

    connector = aiohttp.TCPConnector(ssl=context, limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        begun = perf_counter()
        await asyncio.gather(*(post(session) for _ in range(AT_ONCE)))
        return MANY // 2 / (perf_counter() - begun)


def _drain(ground: Ground, receiver: _Receiver, authority: Authority, bare: float) -> list[Figure]:
    home = _home(ground, authority)
    with daemon(home) as running:
        hooks = [_register(running, receiver.port, path) for path in ("/hang", "/well")]
    for hook, many in zip(hooks, (HANGING, MANY), strict=True):
        _write(home, hook, many)
    before = receiver.count()
    with daemon(home) as running:
        while receiver.count() == before:
            sleep(0.005)
        begun, first, taken = monotonic(), receiver.count(), list[float]()
        while receiver.count() < before + MANY:
            taken.append(_asked(running))
        rate = (before + MANY - first) / (monotonic() - begun)
    ground.forget(home)
    floor = min(bare, ENOUGH)
    slowest = slowest_of_hundred(taken)
    return [
        against(
            1 / floor,
            1 / rate,
            f"Deliveries, one receiver hanging ({rate:,.0f} a second, bare client {bare:,.0f})",
            MANY,
            "speed",
            Target(0.5, MANY),
        ),
        Figure(
            "GET /me while they are sent, the slowest of 100",
            MANY,
            "patience",
            slowest * 1e3,
            shown_time(slowest),
            "",
            25.0,
            slowest,
        ),
    ]


def _paced(ground: Ground, receiver: _Receiver, authority: Authority) -> Figure:
    home = _home(ground, authority)
    with daemon(home) as running:
        hook = _register(running, receiver.port, "/well")
        (other,) = running.wires(1)
        rest, busy = list[float](), list[float]()
        for taken, is_busy in ((rest, False), (busy, True)):
            begun, sent = monotonic(), 0
            while monotonic() < begun + PACED_FOR:
                if is_busy and sent < (monotonic() - begun) * PACED:
                    other.send(saying("POST", f"/webhooks/{hook}/test", {}))
                    other.receive()
                    sent += 1
                taken.append(_asked(running))
        other.close()
    ground.forget(home)
    return against(
        slowest_of_hundred(rest),
        slowest_of_hundred(busy),
        f"GET /me beside {PACED} tests a second, the slowest of 100",
        PACED * PACED_FOR,
        "time",
        Target(2, PACED * PACED_FOR),
    )


def _asked(running: Daemon) -> float:
    begun = perf_counter()
    running.ask(TRIVIAL)
    taken = perf_counter() - begun
    # Asked without a pause, it would measure itself.
    sleep(0.005)
    return taken


def _home(ground: Ground, authority: Authority) -> Settings:
    home = ground.new_home()
    (home.places.configuration / "finplan.toml").write_text(
        f'webhook_private_targets = "127.0.0.1"\nwebhook_ca = "{authority.authorities}"\n'
    )
    return home


def _register(running: Daemon, port: int, path: str) -> str:
    url = f"https://127.0.0.1:{port}{path}"
    made = running.ask(saying("POST", "/webhooks", {"url": url, "events": ["plan.built"]}))
    return str(json.loads(made)["id"])


def _write(home: Settings, hook: str, many: int) -> None:
    """Write deliveries that are due, as an event does."""
    now = int(time() * 1000)
    with closing(sqlite3.connect(home.places.database)) as store:
        store.executemany(
            "INSERT INTO webhook_delivery (id, owner_no, webhook_no, type, body, status, attempts,"
            " next_attempt_at, created_at) SELECT ?, owner_no, no, 'webhook.test', ?, 'pending', 0, ?, ?"
            " FROM webhook WHERE id = ?",
            [(f"dlv_{hook}_{each}", BODY, now, now, hook) for each in range(many)],
        )
        store.commit()


async def _receive(certificate: str, key: str, counted: Path, told: Path) -> None:
    """Answer at once, and count what was answered; `/hang` is never answered."""
    from aiohttp import web

    count = 0

    async def take(request: web.Request) -> web.Response:
        nonlocal count
        await request.read()
        if request.path == "/hang":
            await asyncio.Event().wait()
        count += 1
        return web.Response()

    async def tell() -> None:
        while True:
            await asyncio.sleep(0.005)
            await asyncio.to_thread(counted.write_text, str(count))

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", take)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    await asyncio.to_thread(told.write_text, str(runner.addresses[0][1]))
    await tell()


if __name__ == "__main__":
    asyncio.run(_receive(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])))
