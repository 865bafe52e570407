"""A webhook ends with the access of the program that chose its address, however that ends."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model.errors import Unauthorized
from finplan.model.webhook import NewWebhook, WebhookChange, WebhookId
from finplan.service.context import Caller, Context
from finplan.service.credentials.audit import name_client, program_of
from finplan.service.people import new_person
from finplan.service.webhooks.deliveries import prune_deliveries
from finplan.service.webhooks.webhooks import change_webhook, create_webhook, rotate_secret
from finplan.store.queries import deliveries, people
from finplan.store.sealing import Sealer
from tests.daemon.oauth.visitor import REVOKE, Agent, Http, Program, bearing, program
from tests.daemon.running import NOW, RunningDaemon

URL = "https://hooks.example.com/"
BODY = {"url": URL, "events": ["plan.built"]}
OTHER = {"url": f"{URL}other"}

Headers = dict[str, str]


async def registered(http: Http, headers: Headers, **more: Any) -> str:
    """The id of a webhook that a program registers."""
    made = await http.post("/api/v1/webhooks", json=BODY | more, headers=headers)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def states(site: RunningDaemon) -> dict[str, str | None]:
    """Why each webhook is disabled, None for those that are not."""
    records = (await site.http.get("/api/v1/webhooks/records")).json()
    assert all(
        (each["disabledWhy"] is None) == (each["webhook"]["disabledAt"] is None) for each in records
    )
    return {each["webhook"]["id"]: each["disabledWhy"] for each in records}


async def ended(site: RunningDaemon, webhook: str, *words: str) -> bool:
    """Whether a webhook is the only one that is disabled, for a reason that has some words."""
    told = {each: why for each, why in (await states(site)).items() if why}
    return set(told) == {webhook} and all(word in told[webhook] for word in words)


async def key(site: RunningDaemon, **more: Any) -> tuple[str, Headers]:
    """The id of a new key, and how it is shown."""
    body = {"name": "nightly", "scopes": ["service:read", "service:write"], **more}
    made = (await site.http.post("/api/v1/keys", json=body)).json()
    return made["id"], {"x-api-key": made["key"]}


async def test_a_revoked_key_takes_its_webhooks_along(site: RunningDaemon, http: Http) -> None:
    """Those that it chose are disabled, what waits has failed, the reason is told; all others go on."""
    key_id, shown = await key(site)
    _, other = await key(site)
    its, others, ours = (
        await registered(http, shown),
        await registered(http, other),
        await registered(site.http, {}),
    )
    sent = (await site.http.post(f"/api/v1/webhooks/{its}/test")).json()
    await site.http.delete(f"/api/v1/keys/{key_id}")
    assert await ended(site, its, "'nightly'", "was revoked")
    found = await states(site)
    assert set(found) == {its, others, ours}
    (delivery,) = (await site.http.get(f"/api/v1/webhooks/{its}/deliveries")).json()["deliveries"]
    assert (delivery["id"], delivery["status"]) == (sent["id"], "failed")
    newest = (await site.http.get("/api/v1/audit")).json()[0]
    assert newest["kind"] == "webhook.disabled"
    assert f"{its}. {found[its]}" in newest["text"]


async def test_who_chose_last_counts(site: RunningDaemon, http: Http) -> None:
    """Whoever sets the URL or lets deliveries go on answers for it; other changes choose nothing."""
    key_id, shown = await key(site)
    moved, enabled, told, taken = [await registered(site.http, {}) for _ in range(4)]
    kept, back = [await registered(http, shown) for _ in range(2)]

    async def change(webhook: str, headers: Headers, **body: Any) -> None:
        sender = http if headers else site.http
        changed = await sender.patch(f"/api/v1/webhooks/{webhook}", json=body, headers=headers)
        assert changed.status_code == 200, changed.text

    await change(moved, shown, **OTHER)
    await change(enabled, {}, disabled=True)
    await change(enabled, shown, disabled=False)
    # What is so already was chosen by whoever made it so.
    await change(told, shown, description="x", events=["plan.built"], url=URL, disabled=False)
    await change(taken, shown, disabled=True)
    await change(taken, {}, disabled=False)
    await change(kept, {}, description="mine")
    await change(back, {}, **OTHER)
    await site.http.delete(f"/api/v1/keys/{key_id}")
    found = await states(site)
    assert {each for each, why in found.items() if why} == {moved, enabled, kept}

    await change(kept, {}, disabled=False)
    assert (await states(site))[kept] is None


async def test_a_key_that_is_over_takes_its_webhooks_along(
    site: RunningDaemon, http: Http, moment: list[datetime]
) -> None:
    """With the next pruning, and not a millisecond before its end."""
    end = int((moment[0] + timedelta(days=1)).timestamp() * 1000)
    _, shown = await key(site, expiresAt=end)
    its, ours = await registered(http, shown), await registered(site.http, {})
    await site.store.write(lambda c: prune_deliveries(c, end - 1))
    assert await states(site) == {its: None, ours: None}
    await site.store.write(lambda c: prune_deliveries(c, end))
    assert await ended(site, its, "key", "has expired")


async def test_a_client_whose_access_ran_out_takes_its_webhooks_along(
    site: RunningDaemon, reader: Program, ada: Http, moment: list[datetime]
) -> None:
    """With the next pruning; as long as a token of its could let it in, they go on."""
    tokens = await reader.tokens(ada)
    its = await registered(reader.http, bearing(tokens["access_token"]))
    ours = await registered(site.http, {})
    begun = int(moment[0].timestamp() * 1000)
    await site.store.write(lambda c: prune_deliveries(c, begun + 60_000))
    assert await states(site) == {its: None, ours: None}
    year = begun + 366 * 24 * 3_600_000
    await site.store.write(lambda c: prune_deliveries(c, year))
    assert await ended(site, its, "has expired")


async def test_a_revoked_client_ends_webhooks(
    site: RunningDaemon, reader: Program, ada: Http
) -> None:
    """Though the grant by which it chose is long over, and it was let in again since."""
    tokens = await reader.tokens(ada)
    its, ours = (
        await registered(reader.http, bearing(tokens["access_token"])),
        await registered(site.http, {}),
    )
    await reader.http.post(
        REVOKE, data={"token": tokens["access_token"], "client_id": reader.client["client_id"]}
    )
    await reader.tokens(ada)
    assert await states(site) == {its: None, ours: None}
    await site.http.delete(f"/api/v1/clients/{reader.client['client_id']}")
    assert await ended(site, its, "'Ledger Reader'", "lost access")


async def test_a_removed_client_ends_webhooks(site: RunningDaemon, http: Http, ada: Http) -> None:
    """One that the person made is removed, with what it chose for whomever."""
    body = {"name": "Mine", "redirectUris": ["http://127.0.0.1:4711/callback"]}
    made = (await site.http.post("/api/v1/clients", json=body)).json()
    reader = replace(await program(http), client={"client_id": made["id"]})
    its = await registered(http, bearing((await reader.tokens(ada))["access_token"]))
    await site.http.delete(f"/api/v1/clients/{made['id']}")
    assert "'Mine'" in ((await states(site))[its] or "")


async def test_others_lose_that_alone(site: RunningDaemon, reader: Program, ada: Http) -> None:
    """A client that registered itself goes on for others; one that its maker removes ends for all."""
    await reader.tokens(ada)
    body = {"name": "Mine", "redirectUris": ["http://127.0.0.1:4711/callback"]}
    made = (await site.http.post("/api/v1/clients", json=body)).json()
    grace = await site.store.write(
        lambda c: people.add_person(c, new_person("grace@example.org", None, "UTC", 0))
    )

    def let_it_choose(connection: Connection) -> None:
        for client in (reader.client["client_id"], made["id"]):
            values = {"id": client, "owner_no": grace, "url": URL, "events": "plan.built"}
            more = {"secret": b"", "created_at": 0, "chosen_by": name_client(client)}
            deliveries.add_webhook(connection, values | more)

    await site.store.write(let_it_choose)
    for client in (reader.client["client_id"], made["id"]):
        assert (await site.http.delete(f"/api/v1/clients/{client}")).status_code == 200
    rows = await site.store.read(lambda c: deliveries.list_webhooks(c, grace))
    assert {row["id"]: row["disabled_at"] is None for row in rows} == {
        reader.client["client_id"]: True,
        made["id"]: False,
    }


async def test_stolen_tokens_end_webhooks(site: RunningDaemon, reader: Program, ada: Http) -> None:
    """A refresh token that comes twice ends what its client chose, whoever has it."""
    tokens = await reader.tokens(ada)
    its = await registered(reader.http, bearing(tokens["access_token"]))
    await reader.refresh(tokens["refresh_token"])
    assert await states(site) == {its: None}
    await reader.refresh(tokens["refresh_token"])
    assert await ended(site, its, "used twice")


async def test_giving_back_ends_webhooks(site: RunningDaemon, reader: Program, ada: Http) -> None:
    """With the last grant that it has: let in twice, it goes on with the other one."""
    first, second = await reader.tokens(ada), await reader.tokens(ada)
    its = await registered(reader.http, bearing(first["access_token"]))

    async def give_back(token: str) -> None:
        form = {"token": token, "client_id": reader.client["client_id"]}
        assert (await reader.http.post(REVOKE, data=form)).status_code == 200

    await give_back(first["refresh_token"])
    assert await states(site) == {its: None}
    await give_back(second["refresh_token"])
    assert await ended(site, its, "gave up its access")


async def test_a_revoked_agent_ends_webhooks(site: RunningDaemon, agent: Agent, ada: Http) -> None:
    """Those that it chose once it was claimed."""
    await agent.be_claimed(ada)
    token = (await agent.poll()).json()["access_token"]
    its = await registered(agent.http, bearing(token))
    await registered(site.http, {})
    await site.http.delete(f"/api/v1/agents/{agent.id}")
    assert await ended(site, its, agent.id, "was revoked")


async def test_a_secret_that_a_program_made_is_told_so(site: RunningDaemon, http: Http) -> None:
    """On the record, since it knows the secret also once its access is over; of a person's it is not."""
    _, shown = await key(site)
    ours = await registered(site.http, {})
    for headers, known in ((shown, True), ({}, False)):
        sender = http if headers else site.http
        made = await sender.post(f"/api/v1/webhooks/{ours}/secret", headers=headers)
        assert made.status_code == 200, made.text
        newest = (await site.http.get("/api/v1/audit")).json()[0]
        assert newest["kind"] == "webhook.secret_changed"
        assert ("app knows" in newest["text"]) == known


async def test_no_program_outruns_revoking(site: RunningDaemon, http: Http, ada: Http) -> None:
    """What was asked before and would be written after is refused, be it an address or a secret."""
    key_id, shown = await key(site)
    its = await registered(http, shown)

    async def ended(_url: str) -> None:
        await site.http.delete(f"/api/v1/keys/{key_id}")

    async def sealer() -> Sealer:
        return Sealer(bytes(32))

    caller = Caller(site.session.owner, frozenset({"read", "write"}), "api_key", "key:1")
    context = Context(caller, site.store, {}, lambda: NOW, vet_target=ended, sealer=sealer)
    with pytest.raises(Unauthorized):
        await create_webhook(context, NewWebhook(url=URL, events=("plan.built",)))
    with pytest.raises(Unauthorized):
        await change_webhook(context, WebhookChange(id=its, url=f"{URL}b"))
    with pytest.raises(Unauthorized):
        await rotate_secret(context, WebhookId(id=its))
    assert list(await states(site)) == [its]
    for gone in ("key:99", "grant:99", "agent:99"):
        with pytest.raises(Unauthorized):
            await site.store.read(partial(program_of, caller=replace(caller, credential=gone)))
    for person in ("session", "session:7"):
        one = replace(caller, credential=person)
        assert await site.store.read(partial(program_of, caller=one)) is None
