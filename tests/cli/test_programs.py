"""`finplan clients` and `finplan agents`: what is made, listed and taken back of programs let in."""

from datetime import UTC, datetime
from typing import Any

import pytest

from finplan.cli.showing import access
from finplan.model.credential import GRANT_SCOPES, Agent, CreatedClient, OAuthClient
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
NOW = int(NOON.timestamp() * 1000)
HOUR = 3_600_000
BACK = "https://dash.example.org/back"
SECRET = "fpx_" + "x" * 43


def made_up_clients() -> list[OAuthClient]:
    """One that was made here, one on this machine that registered itself, and one of a phone."""
    told: tuple[dict[str, Any], ...] = (
        {
            "id": "app_dash" + "0" * 20,
            "name": "Dashboard",
            "redirect_uris": (BACK, "https://dash.example.org/other", "https://b.example.org/"),
            "kind": "confidential",
            "scopes": ("service:read", "offline_access"),
            "granted": (),
            "last_used_at": NOW - HOUR,
            "yours": True,
        },
        {
            "id": "app_desk" + "0" * 20,
            "name": "Helper",
            "redirect_uris": ("http://127.0.0.1/callback",),
            "kind": "public",
            "scopes": GRANT_SCOPES,
            "granted": ("service:read", "openid"),
            "last_used_at": None,
            "yours": False,
        },
        {
            "id": "app_phon" + "0" * 20,
            "name": "Phone",
            "redirect_uris": ("org.example.phone:/back",),
            "kind": "public",
            "scopes": ("service:read", "service:write"),
            "granted": ("service:read", "service:write"),
            "last_used_at": NOW - 48 * HOUR,
            "yours": False,
        },
    )
    return [OAuthClient(created_at=NOW - 72 * HOUR, **each) for each in told]


def made_up_agents() -> list[Agent]:
    """One in use, and one that has not come since it was claimed."""
    return [
        Agent(
            id=f"reg_{name}" + "0" * 20,
            address="203.0.113.7",
            scopes=("service:read", "service:write"),
            created_at=NOW - 50 * HOUR,
            claimed_at=NOW - 49 * HOUR,
            last_used_at=used,
        )
        for name, used in (("busy", NOW - HOUR), ("idle", None))
    ]


@pytest.fixture
def visited(stub: Stub) -> Stub:
    """A daemon with the programs above."""
    for path, each in (("/clients", made_up_clients()), ("/agents", made_up_agents())):
        listed = ",".join(one.model_dump_json() for one in each)
        stub.answer("GET", path, f"[{listed}]".encode())
    return stub


def making(stub: Stub, secret: str | None) -> None:
    made = CreatedClient(secret=secret, **made_up_clients()[0].model_dump(by_alias=False))
    stub.answer("POST", "/clients", made.model_dump_json().encode(), 201)


def test_clients_are_listed_with_where_they_lead(draw: Draw, golden: Golden) -> None:
    """Each says its name, its hosts, what you allow it of what it may ask for, and if it is yours."""
    nothing = draw(access.draw_clients([]))
    golden("clients", draw(access.draw_clients(made_up_clients(), NOON), 110) + nothing)


def test_no_word_of_a_client_is_cut(draw: Draw, golden: Golden) -> None:
    """Where a terminal is narrow, names, hosts and scopes take further lines."""
    golden("clients-80", draw(access.draw_clients(made_up_clients(), NOON), 80))


def test_agents_are_listed_with_when_they_were_claimed(draw: Draw, golden: Golden) -> None:
    """Each says what it may, when it came, was claimed and was last used."""
    nothing = draw(access.draw_agents([]))
    golden("agents", draw(access.draw_agents(made_up_agents(), NOON)) + nothing)


def test_the_id_stands_above_the_secret(finplan: Run, visited: Stub) -> None:
    """A confidential client is two lines on stdout; that the secret is shown once is on stderr."""
    making(visited, SECRET)

    ended = finplan("clients", "create", "Dashboard", "--redirect", BACK, "--confidential")

    client = made_up_clients()[0]
    assert (ended.code, ended.out) == (0, f"{client.id}\n{SECRET}\n".encode())
    assert "shown only now" in ended.err
    assert SECRET not in ended.err
    asked = visited.requests("POST", "/clients")[0].json
    assert asked == {"name": "Dashboard", "redirectUris": [BACK], "kind": "confidential"}


def test_a_public_client_is_its_id_alone(finplan: Run, visited: Stub) -> None:
    """Without --confidential there is no secret, and what is asked leaves the kind to the daemon."""
    making(visited, None)
    line = ("clients", "create", "Phone", "--redirect", BACK, "--redirect", "org.example.phone:/b")

    ended = finplan(*line, "--scope", "READ", "--scope", "openid", "--scope", "service:write")

    assert (ended.code, ended.out) == (0, f"{made_up_clients()[0].id}\n".encode())
    assert "no secret" in ended.err
    assert visited.requests("POST", "/clients")[0].json == {
        "name": "Phone",
        "redirectUris": [BACK, "org.example.phone:/b"],
        "scopes": ["service:read", "openid", "service:write"],
    }


def test_an_unknown_scope_names_those_that_there_are(finplan: Run, visited: Stub) -> None:
    """What is no scope is refused before anything is asked."""
    ended = finplan("clients", "create", "A", "--redirect", BACK, "--scope", "all")

    assert (ended.code, ended.out) == (2, b"")
    for scope in GRANT_SCOPES:
        assert f"`{scope}`" in " ".join(ended.err.split())
    assert visited.asked == []


def test_too_many_addresses_are_told_by_their_option(finplan: Run, visited: Stub) -> None:
    """What does not fit is named as it was typed."""
    typed = [word for turn in range(21) for word in ("--redirect", f"{BACK}/{turn}")]

    ended = finplan("clients", "create", "A", *typed)

    assert ended.code == 3
    assert "--redirect must be an address of 1 to 2000 characters, given 20 times" in ended.err
    assert visited.asked == []


def test_a_client_needs_an_address(finplan: Run, visited: Stub) -> None:
    """Nobody can be sent back to a client without an address, so that is asked for."""
    ended = finplan("clients", "create", "A")

    assert ended.code == 2
    assert "--redirect" in ended.err
    assert visited.asked == []


@pytest.mark.parametrize(
    ("typed", "number", "told"),
    [
        ("Dashboard", 0, "Removed the client 'Dashboard'"),
        ("dash", 0, "Removed the client 'Dashboard'"),
        ("app_desk", 1, "Took back all that you granted the client 'Helper'; it may ask you again"),
        ("phone", 2, "Took back all that you granted the client 'Phone'"),
    ],
)
def test_a_client_is_revoked_by_name_or_id(
    finplan: Run, visited: Stub, typed: str, number: int, told: str
) -> None:
    """What was made here is gone, and one that was only let in may ask again: each is said."""
    client = made_up_clients()[number]
    visited.answer("DELETE", f"/clients/{client.id}", client.model_dump_json().encode())

    ended = finplan("clients", "revoke", typed)

    assert ended.code == 0
    assert told in ended.err


@pytest.mark.parametrize("typed", ["reg_busy", "busy"])
def test_an_agent_is_revoked_by_its_id(finplan: Run, visited: Stub, typed: str) -> None:
    """The beginning of an id is enough."""
    agent = made_up_agents()[0]
    visited.answer("DELETE", f"/agents/{agent.id}", agent.model_dump_json().encode())

    ended = finplan("agents", "revoke", typed)

    assert (ended.code, ended.err) == (0, f"Took the access of the agent {agent.id} back.\n")


def test_who_is_not_there_is_not_revoked(finplan: Run, visited: Stub) -> None:
    """The command that lists them is named."""
    for noun in ("client", "agent"):
        ended = finplan(f"{noun}s", "revoke", "nobody")
        assert ended.code == 4
        assert f"There is no {noun} 'nobody'. `finplan {noun}s list` lists them." in ended.err
