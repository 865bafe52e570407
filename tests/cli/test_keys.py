"""`finplan keys`: the secret is printed once and alone, the rest is listed and revoked by name."""

from datetime import UTC, datetime

import pytest

from finplan.cli.showing import access
from finplan.model.credential import ApiKey, CreatedKey
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
SECRET = "fpk_2E4cOd" + "x" * 37


def made_up_keys() -> list[ApiKey]:
    """A key in use, one that was never used, and one that was revoked under a name that came again."""
    now = int(NOON.timestamp() * 1000)
    return [
        ApiKey(
            id="key_used" + "0" * 20,
            name="nightly",
            prefix="fpk_2E4cOd",
            scopes=("service:read", "service:write"),
            created_at=now - 90_000_000,
            last_used_at=now - 120_000,
            revoked_at=None,
            expires_at=None,
        ),
        ApiKey(
            id="key_idle" + "0" * 20,
            name="phone",
            prefix="fpk_MI1jY3",
            scopes=("service:read",),
            created_at=now,
            last_used_at=None,
            revoked_at=None,
            expires_at=None,
        ),
        ApiKey(
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
    listed = ",".join(key.model_dump_json() for key in made_up_keys())
    stub.answer("GET", "/keys", f"[{listed}]".encode())
    made = CreatedKey(key=SECRET, **made_up_keys()[0].model_dump(by_alias=False))
    stub.answer("POST", "/keys", made.model_dump_json().encode(), 201)
    return stub


def test_the_secret_stands_alone_on_stdout(finplan: Run, keyed: Stub) -> None:
    """`KEY=$(finplan keys create …)` holds the key and nothing else; what it is is said on stderr."""
    ended = finplan("keys", "create", "nightly")

    assert (ended.code, ended.out) == (0, f"{SECRET}\n".encode())
    assert "shown only now" in ended.err
    assert SECRET not in ended.err


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
    assert "`service:read` and `service:write`" in ended.err
    assert keyed.asked == []


@pytest.mark.parametrize("typed", ["nightly", "fpk_2E4cOd", "key_used", "used"])
def test_a_key_is_revoked_by_whatever_is_known_of_it(finplan: Run, keyed: Stub, typed: str) -> None:
    """A name, its beginning or an id will do; one that was revoked before is not meant."""
    key = made_up_keys()[0]
    keyed.answer("DELETE", f"/keys/{key.id}", key.model_dump_json().encode())

    ended = finplan("keys", "revoke", typed)

    assert (ended.code, ended.err) == (0, "Revoked the key 'nightly'.\n")


@pytest.mark.parametrize("typed", ["weekly", "fpk_TvPOWe", "key_gone", "gone"])
def test_a_key_that_was_revoked_is_told_as_such(
    finplan: Run, stub: Stub, utc: None, typed: str
) -> None:
    """Who revokes a key again is not told that there is none, while the list shows it."""
    keys = made_up_keys()
    keys[2] = keys[2].model_copy(update={"name": "weekly"})
    stub.answer("GET", "/keys", f"[{','.join(key.model_dump_json() for key in keys)}]".encode())

    ended = finplan("keys", "revoke", typed)

    told = "The API key 'weekly' was revoked already, on 2026-03-17 at 11:00; it has been refused since."
    assert (ended.code, ended.out, ended.err) == (4, b"", f"finplan: {told}\n")
    assert finplan("keys", "revoke", "week").err.startswith("finplan: There is no API key 'week'.")


def test_keys_are_listed_without_their_secrets(draw: Draw, golden: Golden) -> None:
    """Each key says what it may do and when it was last used; a revoked one says that it is."""
    nothing = draw(access.draw_keys([]))
    golden("keys", draw(access.draw_keys(made_up_keys(), NOON)) + nothing)


@pytest.mark.parametrize(
    ("revoked", "said"),
    [
        (0, ""),
        (1, "1 key was revoked: `finplan keys list --all`.\n"),
        (2, "2 keys were revoked: `finplan keys list --all`.\n"),
    ],
)
def test_revoked_keys_are_counted_until_they_are_asked_for(
    finplan: Run, stub: Stub, utc: None, revoked: int, said: str
) -> None:
    """What is of no use any more stands in nobody's way, and nothing is hidden unsaid."""
    active, _, gone = made_up_keys()
    keys = [active, *(gone.model_copy(update={"id": f"key_{no}"}) for no in range(revoked))]
    stub.answer("GET", "/keys", f"[{','.join(key.model_dump_json() for key in keys)}]".encode())

    for command in (("keys",), ("keys", "list")):
        shown = finplan(*command).out.decode()
        assert shown.count("nightly") == 1
        assert shown.endswith(said or "key_used\n")
    assert finplan("keys", "list", "--all").out.decode().count("nightly") == 1 + revoked
