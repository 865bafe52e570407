"""The port is chosen once for a profile and kept; when it cannot be had, the error says what to do."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from finplan.daemon import port as port_room
from finplan.daemon.port import PortTaken, bind
from finplan.settings import Settings, places_of
from tests.daemon.ports import free_ports


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


def test_a_port_that_was_set_is_used_and_not_kept(tmp_path: Path, first_port: int) -> None:
    """The setting goes first, and leaves the choice of the first start as it was."""
    settings = settings_of(tmp_path)
    bound_port(settings)

    assert bound_port(replace(settings, port=first_port + 3)) == first_port + 3
    assert bound_port(settings) == first_port


def test_nobody_can_connect_before_the_daemon_serves(tmp_path: Path, first_port: int) -> None:
    """A bound port is reserved, but answers only once the application listens."""
    with bind(settings_of(tmp_path)), pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", first_port))


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
