"""`python -m tests.webhooks.kills`: a daemon is killed at random moments while deliveries drain.

Every one has to arrive, under the id that it was written with, and with the same body. Those that arrive
more than once are counted: a kill between the receiver's answer and its record makes one.
"""

import argparse
import asyncio
import os
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx
from aiohttp import web

from finplan.client.announcement import Announcement, read_announcement
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.service.outbox import send_test
from finplan.setting_values import LARGEST_RATE_LIMIT
from finplan.settings import load_settings
from finplan.store.queries import deliveries
from finplan.store.store import Store
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH
from tests.webhooks.receiver import Receiver, make_authority, receiving

LIVES = 1.0
"""How long a daemon is let live at most once the first delivery of its own arrived, in seconds."""

DAEMON = """
import sys
from finplan.webhooks import courier
# A claim of a minute would leave the next daemon nothing to do but wait.
courier.CLAIMED_FOR, courier.SENDING_TAKES = 2_000, 500
from finplan.daemon.__main__ import main
sys.exit(main([]))
"""


@dataclass
class Drained:
    """What a run comes to."""

    kills: int
    written: int
    arrived: int
    again: int
    strange: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.written} deliveries written, {self.arrived} arrived,"
            f" {self.again} more than once, {self.strange} under another id or with another body"
        )


async def run(folder: Path, kills: int, many: int, seed: int) -> Drained:
    """Write so many deliveries, and kill the daemon so often while it sends them."""
    dice = Random(seed)
    authority = make_authority(folder, "127.0.0.1")
    async with receiving(authority) as receiver:

        async def take_a_while(_request: web.Request) -> web.StreamResponse:
            await asyncio.sleep(dice.random() * 0.04)
            return web.Response(status=204)

        receiver.answer = take_a_while
        others = {name: each for name, each in os.environ.items() if name[:8] != "FINPLAN_"}
        environment = others | {
            "FINPLAN_HOME": str(folder),
            "FINPLAN_PORT": str(free_ports(1)),
            "FINPLAN_RATE_LIMIT": str(LARGEST_RATE_LIMIT),
            "FINPLAN_WEBHOOK_PRIVATE_TARGETS": "127.0.0.1",
            "FINPLAN_WEBHOOK_CA": str(authority.authorities),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }
        places = load_settings(environ=environment).places
        process, announced = await _start(environment, places.daemon_file)
        await _register(announced, receiver.url(host="127.0.0.1"))
        await _end(process, signal.SIGTERM)
        written = await _write(places.database, many)
        killed = 0
        while killed < kills and len({got.id for got in receiver.got}) < many:
            receiver.news.clear()
            process, _ = await _start(environment, places.daemon_file)
            if dice.random() < 0.7:
                await asyncio.wait_for(receiver.news.wait(), LONG_ENOUGH)
            await asyncio.sleep(dice.random() * min(LIVES, many / max(kills, 1) / 200))
            await _end(process, signal.SIGKILL)
            killed += 1
        process, _ = await _start(environment, places.daemon_file)
        await _until_all_arrived(receiver, many)
        await _end(process, signal.SIGTERM)
        return _drained(receiver, written, killed)


def _drained(receiver: Receiver, written: dict[str, str], killed: int) -> Drained:
    times = Counter(got.id for got in receiver.got)
    strange = sum(written.get(got.id) != got.body.decode() for got in receiver.got)
    again = sum(count - 1 for count in times.values())
    return Drained(killed, len(written), len(times.keys() & written.keys()), again, strange)


async def _start(
    environment: dict[str, str], file: Path
) -> "tuple[asyncio.subprocess.Process, Announcement]":
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", DAEMON, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    deadline = time.monotonic() + LONG_ENOUGH
    while True:
        found = read_announcement(file)
        if found is not None and found.pid == process.pid:
            return process, found
        if process.returncode is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The daemon did not start: {process.returncode}.")
        await asyncio.sleep(0.02)


async def _end(process: asyncio.subprocess.Process, how: signal.Signals) -> None:
    process.send_signal(how)
    await asyncio.wait_for(process.wait(), LONG_ENOUGH)


async def _register(announced: Announcement, url: str) -> None:
    session = {SESSION_COOKIE: announced.token}
    async with httpx.AsyncClient(trust_env=False, timeout=LONG_ENOUGH, cookies=session) as http:
        answer = await http.post(
            f"{announced.url}{API_ROOT}/webhooks", json={"url": url, "events": ["plan.built"]}
        )
    assert answer.status_code == 201, answer.text


async def _write(database: Path, many: int) -> dict[str, str]:
    """Write deliveries while no daemon runs; answers their bodies by their ids."""
    store = Store.open(database, database.parent / "backups")
    now = int(time.time() * 1000)
    try:

        def write(connection: object) -> None:
            (hook,) = deliveries.list_webhooks(connection, 1)  # type: ignore[arg-type]
            for _ in range(many):
                send_test(connection, hook["owner_no"], hook["no"], hook["id"], now)  # type: ignore[arg-type]

        await store.write(write)
        rows = await store.read(
            lambda c: c.exec_driver_sql("SELECT id, body FROM webhook_delivery").all()
        )
        return {str(delivery): str(body) for delivery, body in rows}
    finally:
        store.close()


async def _until_all_arrived(receiver: Receiver, many: int) -> None:
    async with asyncio.timeout(LONG_ENOUGH):
        while len({got.id for got in receiver.got}) < many:
            receiver.news.clear()
            await receiver.news.wait()


def main(arguments: list[str] | None = None) -> int:
    """Run it as often as asked, and tell what came of it; 1 where anything is lost or strange."""
    parser = argparse.ArgumentParser("python -m tests.webhooks.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--deliveries", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="finplan-kills-") as folder:
        drained = asyncio.run(run(Path(folder), options.kills, options.deliveries, options.seed))
    print(drained)
    return int(drained.arrived != drained.written or drained.strange > 0)


if __name__ == "__main__":
    sys.exit(main())
