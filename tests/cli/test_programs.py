"""`finplan clients`, `agents`, `keys` and `me`: what is made, listed and taken back, and who you are.

The secret of a key is printed once and alone; everything goes only on a word that was meant.
"""

import io
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from finplan.cli.console.session import Session
from finplan.model import credential as credentials
from finplan.model.user import DeletedPerson, User
from finplan.views import access, settings
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden
from tests.views.drawing import how

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
NOW = int(NOON.timestamp() * 1000)
HOW = how(now=NOON)
HOUR = 3_600_000
BACK = "https://dash.example.org/back"
SECRET = "fpx_" + "x" * 43


def made_up_clients() -> list[credentials.OAuthClient]:
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
            "scopes": credentials.GRANT_SCOPES,
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
    return [credentials.OAuthClient(created_at=NOW - 72 * HOUR, **each) for each in told]


def made_up_agents() -> list[credentials.Agent]:
    """One in use, and one that has not come since it was claimed."""
    return [
        credentials.Agent(
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
        stub.answer("GET", path, each)
    return stub


def making(stub: Stub, secret: str | None) -> None:
    made = credentials.CreatedClient(
        secret=secret, **made_up_clients()[0].model_dump(by_alias=False)
    )
    stub.answer("POST", "/clients", made, 201)


def test_clients_are_listed_with_where_they_lead(draw: Draw, golden: Golden) -> None:
    """Each says its name, its hosts, what you allow it of what it may ask for, and if it is yours."""
    nothing = draw(access.clients([], HOW))
    golden("clients", draw(access.clients(made_up_clients(), HOW), 110) + nothing)


def test_no_word_of_a_client_is_cut(draw: Draw) -> None:
    """Where a terminal is narrow, names, hosts and scopes take further lines."""
    page = draw(access.clients(made_up_clients(), HOW), 80)
    assert "…" not in page
    assert max(map(len, page.splitlines())) <= 80


def test_agents_are_listed_with_when_they_were_claimed(draw: Draw, golden: Golden) -> None:
    """Each says what it may, when it came, was claimed and was last used."""
    nothing = draw(access.agents([], HOW))
    golden("agents", draw(access.agents(made_up_agents(), HOW)) + nothing)


def test_the_id_stands_above_the_secret(finplan: Run, visited: Stub) -> None:
    """A confidential client is two lines on stdout; that the secret is shown once is on stderr."""
    making(visited, SECRET)

    ended = finplan("clients", "create", "Dashboard", "--redirect", BACK, "--confidential")

    client = made_up_clients()[0]
    assert (ended.code, ended.out) == (0, f"{client.id}\n{SECRET}\n".encode())
    assert "not shown again" in ended.err
    assert SECRET not in ended.err
    asked = visited.requests("POST", "/clients")[0].json
    assert asked == {"name": "Dashboard", "redirectUris": [BACK], "kind": "confidential"}


def test_a_public_client_is_its_id_alone(finplan: Run, visited: Stub) -> None:
    """Without --confidential there is no secret, and what is asked leaves the kind to the daemon."""
    making(visited, None)
    line = ("clients", "create", "Phone", "--redirect", BACK, "--redirect", "org.example.phone:/b")

    ended = finplan(*line, "--scope", "READ", "--scope", "openid", "--scope", "service:write")

    assert (ended.code, ended.out) == (0, f"{made_up_clients()[0].id}\n".encode())
    assert "PKCE" in ended.err
    assert visited.requests("POST", "/clients")[0].json == {
        "name": "Phone",
        "redirectUris": [BACK, "org.example.phone:/b"],
        "scopes": ["service:read", "openid", "service:write"],
    }


def test_an_unknown_scope_names_those_that_there_are(finplan: Run, visited: Stub) -> None:
    """What is no scope is refused before anything is asked."""
    ended = finplan("clients", "create", "A", "--redirect", BACK, "--scope", "all")

    assert (ended.code, ended.out) == (2, b"")
    for scope in credentials.GRANT_SCOPES:
        assert f"`{scope}`" in " ".join(ended.err.split())
    assert visited.asked == []


def test_too_many_addresses_are_told_by_their_option(finplan: Run, visited: Stub) -> None:
    """What does not fit is named as it was typed."""
    typed = [word for turn in range(21) for word in ("--redirect", f"{BACK}/{turn}")]

    ended = finplan("clients", "create", "A", *typed)

    assert ended.code == 3
    assert "--redirect must be an address" in ended.err
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
        ("Dashboard", 0, "Removed app 'Dashboard'"),
        ("dash", 0, "Removed app 'Dashboard'"),
        ("app_desk", 1, "Revoked the access of app 'Helper'"),
        ("phone", 2, "Revoked the access of app 'Phone'"),
    ],
)
def test_a_client_is_revoked_by_name_or_id(
    finplan: Run, visited: Stub, typed: str, number: int, told: str
) -> None:
    """What was made here is gone, and one that was only let in may ask again: each is said."""
    client = made_up_clients()[number]
    visited.answer("DELETE", f"/clients/{client.id}", client)

    ended = finplan("clients", "revoke", typed)

    assert ended.code == 0
    assert told in ended.err


@pytest.mark.parametrize("typed", ["reg_busy", "busy"])
def test_an_agent_is_revoked_by_its_id(finplan: Run, visited: Stub, typed: str) -> None:
    """The beginning of an id is enough."""
    agent = made_up_agents()[0]
    visited.answer("DELETE", f"/agents/{agent.id}", agent)

    ended = finplan("agents", "revoke", typed)

    assert (ended.code, ended.err) == (0, f"Revoked the access of agent {agent.id}.\n")


def test_who_is_not_there_is_not_revoked(finplan: Run, visited: Stub) -> None:
    """The command that lists them is named."""
    for noun in ("client", "agent"):
        ended = finplan(f"{noun}s", "revoke", "nobody")
        assert ended.code == 4
        assert "'nobody'" in ended.err
        assert f"`finplan {noun}s list`" in ended.err


KEY_SECRET = "fpk_2E4cOd" + "x" * 37


def made_up_keys() -> list[credentials.ApiKey]:
    """A key in use, one that was never used, and one that was revoked under a name that came again."""
    now = int(NOON.timestamp() * 1000)
    return [
        credentials.ApiKey(
            id="key_used" + "0" * 20,
            name="nightly",
            prefix="fpk_2E4cOd",
            scopes=("service:read", "service:write"),
            created_at=now - 90_000_000,
            last_used_at=now - 120_000,
            revoked_at=None,
            expires_at=None,
        ),
        credentials.ApiKey(
            id="key_idle" + "0" * 20,
            name="phone",
            prefix="fpk_MI1jY3",
            scopes=("service:read",),
            created_at=now,
            last_used_at=None,
            revoked_at=None,
            expires_at=None,
        ),
        credentials.ApiKey(
            id="key_gone" + "0" * 20,
            name="nightly",
            prefix="fpk_TvPOWe",
            scopes=("service:write",),
            created_at=now - 180_000_000,
            last_used_at=now - 100_000_000,
            revoked_at=now - 90_000_000,
            expires_at=None,
        ),
    ]


@pytest.fixture
def keyed(stub: Stub) -> Stub:
    """A daemon with the keys above."""
    stub.answer("GET", "/keys", made_up_keys())
    made = credentials.CreatedKey(key=KEY_SECRET, **made_up_keys()[0].model_dump(by_alias=False))
    stub.answer("POST", "/keys", made, 201)
    return stub


def test_the_secret_stands_alone_on_stdout(finplan: Run, keyed: Stub) -> None:
    """`KEY=$(finplan keys create …)` holds the key and nothing else; what it is is said on stderr."""
    ended = finplan("keys", "create", "nightly")

    assert (ended.code, ended.out) == (0, f"{KEY_SECRET}\n".encode())
    assert "not shown again" in ended.err
    assert KEY_SECRET not in ended.err


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), {"name": "nightly"}),
        (("--scope", "service:read"), {"name": "nightly", "scopes": ["service:read"]}),
        (
            ("--scope", "write", "--scope", "READ"),
            {"name": "nightly", "scopes": ["service:write", "service:read"]},
        ),
    ],
)
def test_scopes_are_asked_for_as_typed(
    finplan: Run, keyed: Stub, options: tuple[str, ...], asked: dict[str, object]
) -> None:
    """A scope is named in full or without its first word; without any, the daemon decides."""
    assert finplan("keys", "create", "nightly", *options).code == 0
    assert keyed.requests("POST", "/keys")[0].json == asked


def test_an_unknown_scope_is_a_usage_error(finplan: Run, keyed: Stub) -> None:
    """What is no scope is refused before anything is asked, with the scopes that there are."""
    ended = finplan("keys", "create", "nightly", "--scope", "everything")

    assert (ended.code, ended.out) == (2, b"")
    assert "`service:read`, `service:write`" in ended.err
    assert keyed.asked == []


@pytest.mark.parametrize("typed", ["nightly", "fpk_2E4cOd", "key_used", "used"])
def test_a_key_is_revoked_by_whatever_is_known_of_it(finplan: Run, keyed: Stub, typed: str) -> None:
    """A name, its beginning or an id will do; one that was revoked before is not meant."""
    key = made_up_keys()[0]
    keyed.answer("DELETE", f"/keys/{key.id}", key)

    ended = finplan("keys", "revoke", typed)

    assert (ended.code, ended.err) == (0, "Revoked API key 'nightly'.\n")


@pytest.mark.parametrize("typed", ["weekly", "fpk_TvPOWe", "key_gone", "gone"])
def test_a_revoked_key_is_told_as_such(finplan: Run, stub: Stub, utc: None, typed: str) -> None:
    """Who revokes a key again is not told that there is none, while the list shows it."""
    keys = made_up_keys()
    keys[2] = keys[2].model_copy(update={"name": "weekly"})
    stub.answer("GET", "/keys", keys)

    ended = finplan("keys", "revoke", typed)

    told = "API key 'weekly' was already revoked on 2026-03-17 at 11:00."
    assert (ended.code, ended.out, ended.err) == (4, b"", f"finplan: {told}\n")
    assert finplan("keys", "revoke", "week").err.startswith("finplan: No API key matches 'week'.")


def test_keys_are_listed_without_their_secrets(draw: Draw, golden: Golden) -> None:
    """Each key says what it may do and when it was last used; a revoked one says that it is."""
    nothing = draw(access.keys([], HOW))
    golden("keys", draw(access.keys(made_up_keys(), HOW)) + nothing)


@pytest.mark.parametrize(
    ("revoked", "said"),
    [
        (0, ""),
        (1, "1 revoked, not shown: `finplan keys list --all`.\n"),
        (2, "2 revoked, not shown: `finplan keys list --all`.\n"),
    ],
)
def test_revoked_keys_are_counted_until_they_are_asked_for(
    finplan: Run, stub: Stub, utc: None, revoked: int, said: str
) -> None:
    """What is of no use any more stands in nobody's way, and nothing is hidden unsaid."""
    active, _, gone = made_up_keys()
    keys = [active, *(gone.model_copy(update={"id": f"key_{no}"}) for no in range(revoked))]
    stub.answer("GET", "/keys", keys)

    for command in (("keys",), ("keys", "list")):
        shown = finplan(*command).out.decode()
        assert shown.count("nightly") == 1
        assert shown.endswith(said or "key_used\n")
    assert finplan("keys", "list", "--all").out.decode().count("nightly") == 1 + revoked


ADA = User(id="usr_1", email="ada@localhost", name=None)


def deleted(*backups: str) -> DeletedPerson:
    """What the daemon answers when everything went."""
    return DeletedPerson(
        user=ADA,
        connections=1,
        accounts=12,
        transactions=4_523,
        imports=0,
        plans=3,
        rules=1,
        answers=0,
        keys=2,
        backups=backups,
    )


@pytest.fixture
def person(stub: Stub) -> Stub:
    """A daemon with a person who has nothing yet."""
    stub.answer("GET", "/me", ADA)
    stub.answer("PATCH", "/me", ADA.model_copy(update={"name": "Ada"}))
    stub.answer("DELETE", "/me", deleted())
    for path in ("/connections", "/accounts", "/keys"):
        stub.answer("GET", path, [])
    return stub


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A person who sits before a terminal."""
    monkeypatch.setattr(Session, "interactive", True)
    return monkeypatch


def test_who_you_are(finplan: Run, person: Stub) -> None:
    """Without a command it says who you are."""
    ended = finplan("me")

    assert ended.code == 0
    assert "ada@localhost" in ended.out.decode()


def test_a_name_is_set(finplan: Run, person: Stub) -> None:
    """Only what is given is changed."""
    assert finplan("me", "set", "--name", "Ada").code == 0
    assert person.requests("PATCH", "/me")[0].json == {"name": "Ada"}
    assert finplan("me", "set").code == 2


def test_an_address_that_is_none_is_refused(finplan: Run, person: Stub) -> None:
    """What cannot be an address is told before anything is asked of the daemon."""
    ended = finplan("me", "set", "--email", "nonsense")
    assert (ended.code, person.requests("PATCH", "/me")) == (3, [])


@pytest.mark.parametrize(
    ("word", "goes"), [("delete", True), ("DELETE", True), ("y", False), ("", False)]
)
def test_a_word_is_typed_first(
    finplan: Run, person: Stub, typed: pytest.MonkeyPatch, word: str, goes: bool
) -> None:
    """What goes is named, and only the whole word lets it go."""
    typed.setattr(sys, "stdin", io.StringIO(f"{word}\n"))
    ended = finplan("me", "delete")

    assert ended.code == 0
    for part in ("ada@localhost", "0 banks", "transactions", "cannot undo"):
        assert part in " ".join(ended.err.split())
    assert bool(person.requests("DELETE", "/me")) is goes
    assert ("Nothing was deleted" in ended.err) is not goes


def test_nobody_to_ask(finplan: Run, person: Stub) -> None:
    """Where nobody can be asked, --yes says that it is meant; without it nothing is asked for."""
    refused = finplan("me", "delete")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert finplan("me", "delete", "--json").code == 2
    assert person.asked == []

    ended = finplan("me", "delete", "--yes")
    assert ended.code == 0
    assert "4,523 transactions" in ended.out.decode()


def test_json_is_the_daemons_answer(finplan: Run, person: Stub) -> None:
    """With --json the answer is printed byte for byte."""
    ended = finplan("me", "delete", "--yes", "--json")
    assert ended.out == deleted().model_dump_json().encode() + b"\n"


def test_a_refusal_has_its_exit_code(finplan: Run, person: Stub) -> None:
    """A daemon that may not is told by the code for what is not allowed."""
    person.refuse("DELETE", "/me", 403, "FORBIDDEN", "No.")
    assert finplan("me", "delete", "--yes").code == 5


def test_what_went(draw: Draw, golden: Golden) -> None:
    """It is told how much went, and which copies of the store."""
    golden("me-deleted", draw(settings.describe_deletion(deleted("before-0006-from-0004.db"))))
