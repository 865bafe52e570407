"""The port is chosen once for a profile and kept; when it cannot be had, the error says what to do."""

import asyncio
import os
import re
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from finplan.daemon import port as port_room
from finplan.daemon.port import PortTaken, bind, holder_of
from finplan.daemon.rate_limit import LIMITING, Limiting
from finplan.daemon.server import serve
from finplan.settings import Settings, places_of
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH

STAND_IN = """
import socket, sys
server = socket.create_server(('127.0.0.1', int(sys.argv[1])))
print('ready', flush=True)
sys.stdin.read()
"""
"""A program that has a port, and arguments like those of a daemon."""


def settings_of(home: Path, profile: str = "default") -> Settings:
    places = places_of(profile, {"FINPLAN_HOME": str(home)})
    places.data.mkdir(parents=True, exist_ok=True)
    return Settings(profile=profile, places=places)


@pytest.fixture
def first_port(monkeypatch: pytest.MonkeyPatch) -> int:
    """The first of four free ports in a row; it stands for 8460."""
    first = free_ports(4)
    monkeypatch.setattr(port_room, "DEFAULT_PORT", first)
    return first


def bound_port(settings: Settings) -> int:
    with bind(settings) as bound:
        return int(bound.getsockname()[1])


def test_the_default_profile_gets_the_default_port(tmp_path: Path, first_port: int) -> None:
    """It is the first choice of the profile `default`, and of no other."""
    assert bound_port(settings_of(tmp_path, "demo")) == first_port + 1
    assert bound_port(settings_of(tmp_path)) == first_port


def test_the_port_is_kept(tmp_path: Path, first_port: int) -> None:
    """What was chosen while another program had the first port stays chosen."""
    with socket.create_server(("127.0.0.1", first_port)):
        chosen = bound_port(settings_of(tmp_path))

    assert chosen == first_port + 1
    assert bound_port(settings_of(tmp_path)) == chosen


def test_profiles_do_not_choose_each_others_ports(tmp_path: Path, first_port: int) -> None:
    """A port that another profile keeps is passed over though its daemon does not run."""
    chosen = [bound_port(settings_of(tmp_path, name)) for name in ("demo", "old", "default")]

    assert chosen == [first_port + 1, first_port + 2, first_port]


def test_a_kept_port_that_is_taken_is_an_error(tmp_path: Path, first_port: int) -> None:
    """The address is known to others, so another is never chosen in silence."""
    bound_port(settings_of(tmp_path))

    with (
        socket.create_server(("127.0.0.1", first_port)),
        pytest.raises(PortTaken, match=f"Port {first_port} .*finplan.toml.*FINPLAN_PORT"),
    ):
        bind(settings_of(tmp_path))


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "::"])
def test_who_has_a_port_is_named(tmp_path: Path, first_port: int, address: str) -> None:
    """Whatever address of this machine a program listens at, the error tells its name and number."""
    both = ":" in address and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_INET
    here = address if both or ":" not in address else "0.0.0.0"
    settings = replace(settings_of(tmp_path), port=first_port)
    with (
        socket.create_server((here, first_port), family=family, dualstack_ipv6=both),
        pytest.raises(PortTaken, match=f"used: {re.escape(_name_of_this_process())} uses it"),
    ):
        bind(settings)


def _name_of_this_process() -> str:
    # Systems other than Linux do not tell who has a port.
    if not sys.platform.startswith("linux"):
        return "another program"
    return f"{Path('/proc/self/comm').read_text().strip()} (process {os.getpid()})"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only Linux tells who has a port.")
@pytest.mark.parametrize(
    ("arguments", "said", "stopped_by"),
    [
        (
            ["--profile", "joint"],
            " for the profile 'joint' at FINPLAN_HOME=/home/ada's",
            "FINPLAN_HOME='/home/ada'\"'\"'s' finplan daemon stop --profile joint",
        ),
        (
            [],
            " at FINPLAN_HOME=/home/ada's",
            "FINPLAN_HOME='/home/ada'\"'\"'s' finplan daemon stop",
        ),
    ],
)
def test_a_daemon_of_another_home_is_named_with_what_stops_it(
    tmp_path: Path, first_port: int, arguments: list[str], said: str, stopped_by: str
) -> None:
    """Its profile and home stand in the error, and the command that stops it."""
    environment = {**os.environ, "FINPLAN_HOME": "/home/ada's"}
    command = [sys.executable, "-c", STAND_IN, str(first_port), "finplan.daemon", *arguments]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        settings = replace(settings_of(tmp_path), port=first_port)
        with pytest.raises(PortTaken) as refused:
            bind(settings)
        process.communicate()
    assert f"finplan background service{said} (process {process.pid})" in str(refused.value)
    assert f"`{stopped_by}`" in str(refused.value)


def test_a_port_whose_holder_is_not_told(
    tmp_path: Path, first_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system does not tell, the error says that it is another program."""
    monkeypatch.setattr(port_room, "holder_of", lambda _port: None)
    settings = replace(settings_of(tmp_path), port=first_port)
    with (
        socket.create_server(("127.0.0.1", first_port)),
        pytest.raises(PortTaken, match="another program"),
    ):
        bind(settings)


def test_nobody_has_a_free_port(first_port: int) -> None:
    """A port that nobody uses has no holder."""
    assert holder_of(first_port) is None


def test_a_port_that_was_set_is_used_and_not_kept(tmp_path: Path, first_port: int) -> None:
    """The setting goes first, and leaves the choice of the first start as it was."""
    settings = settings_of(tmp_path)
    bound_port(settings)

    assert bound_port(replace(settings, port=first_port + 3)) == first_port + 3
    assert bound_port(settings) == first_port


def test_two_daemons_that_start_never_have_one_port(tmp_path: Path, first_port: int) -> None:
    """A port is somebody's from when it is chosen, also for homes that know nothing of each other."""
    homes = [settings_of(tmp_path / name) for name in ("one", "other")]

    with bind(homes[0]) as first, bind(homes[1]) as second:
        assert first.getsockname()[1] == first_port
        assert second.getsockname()[1] == first_port + 1


async def test_who_connects_before_the_daemon_serves_waits(tmp_path: Path, first_port: int) -> None:
    """A connection to a daemon that starts is answered as soon as it serves, and not refused."""
    bound = bind(settings_of(tmp_path))
    early = socket.create_connection(("127.0.0.1", first_port))
    early.sendall(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
    app = web.Application()
    app[LIMITING] = Limiting(120)
    runner = await serve(app, bound, grace=1.0)
    early.settimeout(LONG_ENOUGH)

    assert (await asyncio.to_thread(early.recv, 12)).startswith(b"HTTP/1.1 404")
    early.close()
    await runner.cleanup()


def test_no_free_port_is_an_error(
    tmp_path: Path, first_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When none is free the error says how to name one."""
    monkeypatch.setattr(port_room, "TRIES", 1)

    with (
        socket.create_server(("127.0.0.1", first_port)),
        pytest.raises(PortTaken, match="FINPLAN_PORT"),
    ):
        bind(settings_of(tmp_path))
