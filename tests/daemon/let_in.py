"""Programs that were let in, written straight into the store: a client with its grant, and an agent."""

from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import Connection

from finplan.service.authorization.agents import ask_claim, complete_claim, welcome
from finplan.service.authorization.clients import add_client
from finplan.service.authorization.server import ACCESS_HOLDS, ACCESS_PREFIX
from finplan.service.authorization.signing import Signer
from finplan.service.context import Caller
from finplan.service.credentials.keys import digest, new_token
from finplan.service.credentials.sessions import EVERYTHING
from finplan.store.queries import authorization
from finplan.store.queries.people import get_person
from tests.daemon.running import NOW, RunningDaemon

HERE = "127.0.0.1"
_NOW_MS = int(NOW.timestamp() * 1000)
_SCOPES = "service:read service:write"
_SIGNS_NOTHING = cast("Signer", SimpleNamespace(issuer="", sign=lambda *_said: ""))


async def let_a_client_in(
    daemon: RunningDaemon,
    scopes: str = _SCOPES,
    resource: str = "",
    expires_at: int = _NOW_MS + ACCESS_HOLDS,
) -> tuple[str, str]:
    """Let the person let in a client that registered itself; answers its id and its access token."""
    owner, token = daemon.session.owner, new_token(ACCESS_PREFIX)

    def grant(connection: Connection) -> str:
        told = add_client(
            connection,
            name="Ledger Reader",
            addresses=("http://127.0.0.1/callback",),
            auth_method="none",
            scopes=_SCOPES,
            owner=None,
            now=_NOW_MS,
        )
        row = authorization.client_of_id(connection, told["client_id"])
        assert row is not None, "It was added just now."
        values = {"owner_no": owner, "client_no": row["no"], "scopes": scopes, "resource": resource}
        number = authorization.add_grant(connection, {**values, "created_at": _NOW_MS})
        given = {"scopes": scopes, "resource": resource}
        of = {"owner_no": owner, "grant_no": number, "expires_at": expires_at}
        _give(connection, token, **given, **of)
        return str(row["id"])

    return await daemon.store.write(grant), token


async def claim_an_agent(daemon: RunningDaemon) -> tuple[str, str]:
    """Let an agent come and the person claim it; answers its id and its access token."""
    owner, token = daemon.session.owner, new_token(ACCESS_PREFIX)

    def claim(connection: Connection) -> str:
        public_id, attempt = _asking(connection, owner)
        code, caller = attempt["claim_attempt"]["user_code"], Caller(owner, EVERYTHING, "session")
        assert complete_claim(connection, attempt["claim_attempt_id"], code, caller, _NOW_MS)
        agent = authorization.agent_of_id(connection, public_id)
        assert agent is not None, "It was claimed just now."
        _give(connection, token, owner_no=owner, agent_no=agent["no"])
        return public_id

    return await daemon.store.write(claim), token


async def let_an_agent_ask(daemon: RunningDaemon) -> str:
    """Let an agent come and ask the person to claim it; answers its id."""
    owner = daemon.session.owner
    return await daemon.store.write(lambda c: _asking(c, owner)[0])


def _asking(connection: Connection, owner: int) -> tuple[str, Any]:
    told = welcome(connection, _SIGNS_NOTHING, HERE, _NOW_MS)
    email = get_person(connection, owner)["email"]
    attempt = ask_claim(connection, told["claim_token"], email, HERE, "", _NOW_MS)
    return told["registration_id"], attempt


def _give(connection: Connection, token: str, **given: int | str) -> None:
    authorization.add_token(
        connection,
        {
            "hash": digest(token),
            "kind": "access",
            "scopes": _SCOPES,
            "resource": "",
            "created_at": _NOW_MS,
            "expires_at": _NOW_MS + ACCESS_HOLDS,
            **given,
        },
    )
