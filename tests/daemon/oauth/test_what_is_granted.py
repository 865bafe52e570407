"""What a person reads of a program that they let in: what it holds of theirs, and when it last came."""

from datetime import datetime, timedelta
from typing import Any

import httpx
from sqlalchemy import Connection

from finplan.store.queries import authorization
from tests.daemon.oauth.visitor import Program, decide, program
from tests.daemon.running import RunningDaemon


async def listed(site: RunningDaemon) -> list[dict[str, Any]]:
    """The clients, as the person's own session is told."""
    return list((await site.http.get("/api/v1/clients")).json())


async def test_a_client_tells_what_it_was_granted(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """All that it still holds, in the order of the table, whatever else it may ask for."""
    reader = await program(http)
    await reader.tokens(ada, scope="service:read")
    moment[0] += timedelta(minutes=1)
    await reader.tokens(ada, scope="offline_access openid service:read")

    (shown,) = await listed(site)

    assert shown["granted"] == ["service:read", "openid", "offline_access"]
    assert shown["scopes"] == reader.client["scope"].split()
    assert shown["lastUsedAt"] == int(moment[0].timestamp() * 1000)


async def test_what_is_over_is_granted_no_more(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """An hour ends what a token alone holds, to the second; a refresh token holds on."""
    lasting, short = await program(http), await program(http, client_name="Short")
    await lasting.tokens(ada, scope="service:read offline_access")
    await short.tokens(ada, scope="service:write")
    moment[0] += timedelta(hours=1, seconds=-1)
    before = {each["name"]: each["granted"] for each in await listed(site)}
    moment[0] += timedelta(seconds=1)
    after = {each["name"]: each["granted"] for each in await listed(site)}

    kept = ["service:read", "offline_access"]
    assert before == {"Ledger Reader": kept, "Short": ["service:write"]}
    assert after == {"Ledger Reader": kept}


async def test_a_code_that_waits_is_granted_already(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """What was allowed is shown at once, though the program has not come for it yet."""
    reader = await program(http)
    await decide(ada, reader.asking(scope="service:read"), "allow")

    (shown,) = await listed(site)

    assert (shown["granted"], shown["lastUsedAt"]) == (["service:read"], None)


async def test_a_client_of_ones_own_is_granted_nothing_by_that(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Making one grants nothing; letting it in does, and taking it back ends that."""
    body = {"name": "Mine", "redirectUris": ["http://127.0.0.1/callback"]}
    made = (await site.http.post("/api/v1/clients", json=body)).json()
    before = await listed(site)
    await Program(http, {"client_id": made["id"]}).tokens(ada, scope="service:read")
    after = await listed(site)
    gone = (await site.http.delete(f"/api/v1/clients/{made['id']}")).json()

    assert (made["granted"], before[0]["granted"]) == ([], [])
    assert after[0]["granted"] == ["service:read"]
    assert gone["granted"] == []


async def test_the_developer_page_tells_of_a_program_what_it_holds(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """What it is allowed, where it sends people, and when it was last used."""
    reader = await program(http)
    await reader.tokens(ada, scope="service:read offline_access")

    page = (await ada.get("/settings/developer")).text

    assert "you allow read, offline_access" in page
    assert "sends you to 127.0.0.1" in page
    assert "last used " in page


async def test_when_others_use_a_program_is_theirs_to_know(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """Who only let it in reads when it last came for them; who made it, when it last came at all."""
    body = {"name": "Mine", "redirectUris": ["http://127.0.0.1/callback"]}
    made = (await site.http.post("/api/v1/clients", json=body)).json()
    reader = await program(http)
    await reader.tokens(ada, scope="service:read")
    last = int(moment[0].timestamp() * 1000)

    def come_for_another(connection: Connection) -> None:
        for public_id in (made["id"], reader.client["client_id"]):
            row = authorization.client_of_id(connection, public_id)
            assert row is not None
            authorization.note_client_use(connection, row["no"], last + 1)

    await site.store.write(come_for_another)

    used = {each["name"]: each["lastUsedAt"] for each in await listed(site)}
    assert used == {"Ledger Reader": last, "Mine": last + 1}
