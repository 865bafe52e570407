"""How long a request waits while hostile files are uploaded and hostile banks answer a sync.

`python -m benchmarks.hostility` starts a daemon on a new home, links three fake banks, and asks
`GET /health` every 50 ms from a process of its own: with nothing else to do, then while all files of
`tests.hostile_files` are uploaded, and then while the banks send all answers of `tests.hostile_answers`.
Three runs; each prints the poll's p50, p99 and maximum, and the most memory that the daemon and its
workers took. It exits with 1 where a maximum is more than 100 ms above the quiet one, or memory is above
400 MB. `--without files` and `--without banks` leave out one of the two.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.ground import Ground, daemon_of
from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.wire import HOST, hosting
from tests.banks.fakes.world import HeldAt, World
from tests.hostile_answers import HOSTILE_ANSWERS
from tests.webhooks.receiver import make_authority

RUNS = 3
QUIET = 10.0
"""For how long nothing but the poll is asked, in seconds."""

EVERY = 0.05
MOST_LATER = 100.0
"""How much later than without hostile work an answer may come at most, in milliseconds."""

MOST_MEMORY = 400.0
"""In MB, of the daemon with its workers."""

PATIENCE = 400.0
_HOSTS = "FINPLAN_BENCHMARK_HOSTS"


@dataclass
class Polled:
    """How long each poll took, in milliseconds."""

    times: list[float]

    def at(self, share: float) -> float:
        """The time that so many of the polls do not exceed."""
        ordered = sorted(self.times)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    def __str__(self) -> str:
        return (
            f"{len(self.times)} polls: p50 {self.at(0.5):.1f} ms, p99 {self.at(0.99):.1f} ms,"
            f" max {self.at(1):.1f} ms"
        )


@dataclass
class Memory:
    """The most that a daemon and its workers took, in MB: together at one time, and each by itself.

    Pages that several processes share count once together (`Pss`), and for each process by itself.
    """

    together: float = 0.0
    each: dict[int, float] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)

    def look(self, pid: int) -> None:
        """Look once."""
        together = 0.0
        for one in (pid, *_children(pid)):
            with suppress(OSError, KeyError, ValueError):
                together += _sizes(one, "smaps_rollup")["Pss"]
                self.each[one] = max(self.each.get(one, 0.0), _sizes(one, "status")["VmHWM"])
        self.together = max(self.together, together)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def _sizes(pid: int, of: str) -> dict[str, float]:
    """What a file of a process says of its memory, in MB."""
    lines = Path(f"/proc/{pid}/{of}").read_text("ascii", "replace").splitlines()
    fields = (line.split() for line in lines if line.startswith(("Pss:", "VmHWM:")))
    return {name.rstrip(":"): int(size) / 1024 for name, size, _ in fields}


@contextmanager
def _watching_memory(pid: int) -> Iterator[Memory]:
    memory = Memory()

    def watch() -> None:
        while not memory.over.wait(EVERY):
            memory.look(pid)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield memory
    finally:
        memory.over.set()
        thread.join()


def _polled(port: int, work: Callable[[], object]) -> Polled:
    """Poll by another process while work is done."""
    poller = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.hostility", "--poll", str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        work()
    finally:
        told, _ = poller.communicate(b"")
    return Polled(json.loads(told))


def _poll(port: int) -> None:
    """Poll until standard input ends, and print how long each answer took."""
    over = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait, daemon=True).start()
    connection = HTTPConnection(HOST, port, timeout=PATIENCE)
    times = []
    due = time.perf_counter()
    while not over.is_set():
        begun = time.perf_counter()
        connection.request("GET", "/health")
        connection.getresponse().read()
        times.append((time.perf_counter() - begun) * 1000)
        due = max(due + EVERY, time.perf_counter())
        time.sleep(max(0.0, due - time.perf_counter()))
    sys.stdout.write(json.dumps(times))


class _Household:
    """A person's requests to their daemon."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port, self._cookie = port, cookie

    def ask(self, method: str, path: str, sent: object = None) -> Any:
        """The answer's JSON, also of a refusal."""
        body = None if sent is None else json.dumps(sent).encode()
        return self._sent(method, path, body, "application/json")

    def upload(self, name: str, content: bytes) -> Any:
        """What comes of a statement file."""
        mark = "a-line-that-no-statement-has"
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        return self._sent("POST", "/imports", body, f"multipart/form-data; boundary={mark}")

    def _sent(self, method: str, path: str, body: bytes | None, kind: str) -> Any:
        connection = HTTPConnection(HOST, self._port, timeout=PATIENCE)
        headers = {"Cookie": self._cookie} | ({"Content-Type": kind} if body else {})
        try:
            connection.request(method, f"/api/v1{path}", body, headers)
            return json.loads(connection.getresponse().read() or b"null")
        except (HTTPException, ConnectionError) as error:
            return {"message": f"The connection broke: {error!r}"}
        finally:
            connection.close()


@dataclass
class _Banks:
    simplefin: SimplefinBridge
    plaid: PlaidApi
    enablebanking: EnableBanking
    us: HeldAt
    de: HeldAt

    def link(self, household: _Household) -> dict[str, str]:
        """Link all three; answers the connections."""
        claimed = {"provider": "aggregator", "publicToken": self.simplefin.setup_token()}
        linked = {"simplefin": household.ask("POST", "/connections", claimed)["connection"]["id"]}
        page = household.ask("POST", "/connections/link", {"bank": "plaid"})
        self.plaid.finish_link(list(self.plaid.links)[-1], self.us)
        while (link := household.ask("GET", f"/connections/link/{page['id']}"))[
            "connection"
        ] is None:
            time.sleep(1)
        linked["plaid"] = link["connection"]["id"]
        at = {"id": f"DE/{self.de.name}", "name": self.de.name}
        page = household.ask(
            "POST", "/connections/link", {"bank": "enablebanking", "institution": at}
        )
        led = self.enablebanking.finish(page["url"])
        claimed = {"provider": "aggregator", "publicToken": led}
        linked["enablebanking"] = household.ask("POST", "/connections", claimed)["connection"]["id"]
        return linked

    def answer_badly(self, household: _Household, linked: dict[str, str], pid: int) -> None:
        """Sync once for each hostile answer."""
        for name, hostile in HOSTILE_ANSWERS.items():
            bank: Any = getattr(self, hostile.bank)
            bank.misbehave(hostile, hostile.route, times=None)
            begun = time.perf_counter()
            report = household.ask("POST", f"/connections/{linked[hostile.bank]}/sync")
            bank.behave()
            said = str(report.get("error") or report.get("message") or "a page")
            _report(name, begun, pid, said)


def _report(name: str, begun: float, pid: int, said: str) -> None:
    took, most = time.perf_counter() - begun, _sizes(pid, "status")["VmHWM"]
    print(f"    {name}: {took:.1f} s, so far {most:.0f} MB; {said[:90]}", flush=True)


def _upload_all(household: _Household, pid: int) -> None:
    files: Mapping[str, Callable[[], tuple[str, bytes]]] = import_module(
        "tests.hostile_files"
    ).HOSTILE_FILES
    for name, made in files.items():
        begun = time.perf_counter()
        answer = household.upload(*made())
        said = str(answer.get("message") or answer.get("id"))
        _report(name, begun, pid, said)


def _measure(run: int, folder: Path, left_out: str) -> bool:
    """One run; says whether it keeps the bars."""
    authority = make_authority(folder, HOST, "localhost")
    world = World(datetime.now(UTC).date())
    us, de = world.bank("Harbour Bank"), world.bank("Hafenbank", country="DE")
    world.book(world.open(us, "Everyday Checking", opening=120_050), -500, "CORNER CAFE 12")
    world.book(world.open(de, "Girokonto", currency="EUR", opening=120_050), -500, "KINO")
    with ExitStack() as stack:
        banks = _Banks(
            stack.enter_context(hosting(SimplefinBridge(world), authority)),
            stack.enter_context(hosting(PlaidApi(world), authority)),
            stack.enter_context(hosting(EnableBanking(world), authority)),
            us,
            de,
        )
        banks.enablebanking.now = banks.plaid.now = banks.simplefin.now = lambda: datetime.now(UTC)
        banks.enablebanking.unattended_a_day = None
        more = {
            "SSL_CERT_FILE": str(authority.authorities),
            "FINPLAN_WEBHOOK_PRIVATE_TARGETS": f"{HOST}/32",
            "FINPLAN_PLAID_CLIENT_ID": banks.plaid.keys.client_id,
            "FINPLAN_PLAID_SECRET": banks.plaid.keys.secret,
            "FINPLAN_PLAID_ENVIRONMENT": "sandbox",
            "FINPLAN_ENABLEBANKING_APPLICATION_ID": banks.enablebanking.app_id,
            "FINPLAN_ENABLEBANKING_KEY": banks.enablebanking.private_key,
            "FINPLAN_ENABLEBANKING_REDIRECT_URL": banks.enablebanking.redirect_urls[0],
            _HOSTS: json.dumps([banks.plaid.url, banks.enablebanking.url]),
        }
        home = Ground(folder, (), 1).new_home()
        command = [sys.executable, "-m", "benchmarks.hostility", "--daemon"]
        running = stack.enter_context(daemon_of(home, command, more))
        household = _Household(running.port, running.cookie)
        linked = banks.link(household)
        pid = running.process.pid
        loads: dict[str, Callable[[], object]] = {
            "files": lambda: _upload_all(household, pid),
            "banks": lambda: banks.answer_badly(household, linked, pid),
        }
        quiet = _polled(running.port, lambda: time.sleep(QUIET))
        print(f"Run {run}, quiet: {quiet}", flush=True)
        kept = True
        with _watching_memory(pid) as memory:
            for name, load in loads.items():
                if name == left_out:
                    continue
                polled = _polled(running.port, load)
                later = polled.at(1) - quiet.at(1)
                print(f"Run {run}, hostile {name}: {polled}; max {later:+.1f} ms", flush=True)
                kept = kept and later <= MOST_LATER
        each = ", ".join(f"{size:.0f}" for size in memory.each.values())
        print(
            f"Run {run}, memory: {memory.together:.0f} MB at once; most of each process: {each} MB"
        )
        return kept and memory.together <= MOST_MEMORY


def _serve() -> int:
    """A daemon that finds the fakes where Plaid and Enable Banking would be, and may ask at any time."""
    from finplan.banks.enablebanking.api import EnableBankingApi
    from finplan.banks.enablebanking.bank import EnableBanking as EnableBankingBank
    from finplan.banks.plaid import api as plaid
    from finplan.banks.simplefin.bank import SimpleFin
    from finplan.daemon.__main__ import main as serve

    at_plaid, at_enablebanking = json.loads(os.environ[_HOSTS])
    plaid.HOSTS = {"sandbox": at_plaid}
    EnableBankingApi.__init__.__defaults__ = (at_enablebanking,)
    SimpleFin.requests_a_day = EnableBankingBank.requests_a_day = None
    return serve([])


def main() -> int:
    """Measure; 1 where a bar is not kept."""
    parser = argparse.ArgumentParser(description="How long a request waits for hostile work.")
    parser.add_argument("--without", choices=("files", "banks"), default="")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--poll", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--daemon", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.daemon:
        return _serve()
    if chosen.poll is not None:
        _poll(chosen.poll)
        return 0
    kept = True
    for run in range(1, chosen.runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            kept = _measure(run, Path(folder), chosen.without) and kept
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
