"""`python -m benchmarks.idle`: what a daemon takes while nobody asks it anything, as Linux counts it.

A daemon of its own gets the demo household, a plan and a webhook. It is started again, does each of its
jobs once, and is left alone for a minute and a half. Then it is watched: processor time of all its
threads, the times that they waited for something (each of which ends in a wake-up), and memory: all that
is resident, and what is this process's alone. `--schedule off` does the same without anything done
unasked, `--linked` watches the very daemon that linked the household, and `--agent` one that an agent on
the desktop has asked before, once by each tool that only reads.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

QUIET = 90.0
"""How long it is left alone before it is watched, in seconds: the schedule looks after thirty."""

WEBHOOK = ("https://127.0.0.1:9/", "--event", "bank.reconnect_required")
"""Where nothing is ever sent, since the demo's bank wants nobody to sign in."""

READING = (
    *("get_plan", "get_snapshot", "get_forecast", "get_wealth", "list_tasks", "list_accounts"),
    *("list_transactions", "list_connections", "query_spending"),
)
"""What the agent calls, beside asking for the tools and reading the plan as a resource."""

WITHOUT = """
import sys
from finplan.daemon import schedule
async def nothing(*_): pass
schedule.Schedule.run = nothing
from finplan.daemon.__main__ import main
sys.exit(main())
"""


def main() -> int:
    """Measure, and print what was seen."""
    parser = argparse.ArgumentParser("python -m benchmarks.idle", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="how long it is watched")
    parser.add_argument("--schedule", choices=("on", "off"), default="on")
    parser.add_argument("--linked", action="store_true", help="do not start it again")
    parser.add_argument("--agent", action="store_true", help="an agent asks before it rests")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="finplan-idle-") as home:
        allowed = {"FINPLAN_WEBHOOK_PRIVATE_TARGETS": "127.0.0.1"}
        environment = {**os.environ, **allowed, "FINPLAN_HOME": home}
        command = ["-m", "finplan.daemon"] if options.schedule == "on" else ["-c", WITHOUT]
        with _daemon(command, environment) as pid:
            _finplan(environment, "connect", "demo")
            _finplan(environment, "plan", "build")
            _finplan(environment, "webhooks", "add", *WEBHOOK)
            if options.linked:
                sleep(QUIET)
                _watch(pid, options.seconds)
        if options.linked:
            return 0
        with _daemon(command, environment) as pid:
            if options.schedule == "on":
                for job in ("sync", "plan", "prune", "backup"):
                    _finplan(environment, "daemon", "jobs", "run", job)
            if options.agent:
                _ask_as_an_agent(environment)
            sleep(QUIET)
            _watch(pid, options.seconds)
    return 0


@contextmanager
def _daemon(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[int]:
    daemon = subprocess.Popen([sys.executable, *command], env=environment)
    try:
        # A command that finds none starts one itself.
        while _finplan(environment, "daemon", "status", check=False):
            sleep(0.2)
        yield daemon.pid
    finally:
        daemon.terminate()
        daemon.wait()


def _finplan(environment: Mapping[str, str], *words: str, check: bool = True) -> int:
    return subprocess.run(
        [sys.executable, "-m", "finplan", *words],
        env=environment,
        check=check,
        stdout=subprocess.DEVNULL,
    ).returncode


def _ask_as_an_agent(environment: Mapping[str, str]) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    asked: list[tuple[str, dict[str, Any]]] = [
        ("tools/list", {}),
        ("resources/list", {}),
        ("resources/read", {"uri": "finplan://plan"}),
        *(("tools/call", {"name": each, "arguments": {}}) for each in READING),
    ]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": n, "method": each, "params": {**params, "_meta": meta}})
        for n, (each, params) in enumerate(asked)
    ]
    ended = subprocess.run(
        [sys.executable, "-m", "finplan", "mcp", "serve"],
        env=environment,
        check=True,
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
    )
    answers = [json.loads(each) for each in ended.stdout.splitlines()]
    refused = [each for each in answers if each.get("result", {"isError": True}).get("isError")]
    if refused or len(answers) != len(asked):
        raise RuntimeError(f"The agent was refused: {refused or answers}")


def _watch(pid: int, seconds: float) -> None:
    begun, ticks, waits = monotonic(), _ticks(pid), _waits(pid)
    sleep(seconds)
    lasted = monotonic() - begun
    used = (_ticks(pid) - ticks) / os.sysconf("SC_CLK_TCK")
    woken = _waits(pid) - waits
    print(f"processor   {used / lasted:.3%} of a core ({used:.2f} s in {lasted:.0f} s)")
    print(f"wake-ups    {woken / lasted:.2f} a second ({woken} of all threads)")
    resident, own = (_field(pid, "smaps_rollup", each) for each in ("Rss", "Private_Dirty"))
    print(f"memory      {_megabytes(resident)} resident, of which {_megabytes(own)} its own")


def _megabytes(kibibytes: int) -> str:
    return f"{kibibytes * 1024 / 1_000_000:.1f} MB"


def _ticks(pid: int) -> int:
    # The name of the program may hold spaces; user and system time are the 14th and 15th field.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _waits(pid: int) -> int:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(
        _field(pid, f"task/{thread.name}/status", "voluntary_ctxt_switches") for thread in threads
    )


def _field(pid: int, file: str, name: str) -> int:
    lines = Path(f"/proc/{pid}/{file}").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])


if __name__ == "__main__":
    raise SystemExit(main())
