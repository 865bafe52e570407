"""What a guest may keep: enough to try the demo household, and too little to fill a disk."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from finplan.service.authorization import agents, grants
from finplan.store.queries import people
from tests.daemon.oauth.test_agents import (
    DEMO,
    asked,
    entered,
    exchanged,
    introduced,
    polled,
)
from tests.daemon.oauth.visitor import bearing, use
from tests.daemon.running import RunningDaemon


async def kept(site: RunningDaemon) -> Mapping[str, int]:
    """How many rows the newest guest has in each table."""
    newest = "SELECT max(no) FROM person WHERE guest_until IS NOT NULL"
    return await site.store.read(
        lambda c: people.count_rows(c, c.exec_driver_sql(newest).scalar_one())
    )


async def a_guest(http: httpx.AsyncClient) -> tuple[Mapping[str, Any], dict[str, str]]:
    """An agent with the demo household, and the header by which it comes."""
    agent = await introduced(http)
    access = (await exchanged(http, agent["identity_assertion"])).json()["access_token"]
    linked = await http.post("/api/v1/connections", json=DEMO, headers=bearing(access))
    assert linked.status_code == 201
    return agent, bearing(access)


async def rule_for(http: httpx.AsyncClient, shown: dict[str, str]) -> dict[str, str]:
    """A rule about a payee of the demo household."""
    told = (await http.get("/api/v1/spending?groupBy=merchant", headers=shown)).json()
    return {"payeeKey": told["groups"][0]["key"], "category": "groceries"}


@pytest.mark.thorough
async def test_a_guest_keeps_so_many_rows(
    site: RunningDaemon, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo household fits well; then nothing is added, and looking and removing go on."""
    _, shown = await a_guest(http)
    rule = await rule_for(http, shown)
    has = sum((await kept(site)).values())
    assert has < agents.MOST_ROWS_OF_A_GUEST / 1.5
    monkeypatch.setattr(agents, "MOST_ROWS_OF_A_GUEST", has + 1)
    last = await http.put("/api/v1/categories/rules", json=rule, headers=shown)
    assert last.status_code == 200, last.text

    for method, path, body in (
        ("PUT", "/categories/rules", {**rule, "category": "shopping"}),
        ("POST", "/plan", {}),
        ("POST", "/plan/builds", {}),
        ("PATCH", "/settings", {"targetMonths": 6}),
    ):
        full = await http.request(method, f"/api/v1{path}", json=body, headers=shown)
        assert (full.status_code, full.json()["code"]) == (403, "FORBIDDEN"), path
        assert "rows of all kinds together" in full.json()["message"]
    assert sum((await kept(site)).values()) == has + 1
    assert (await http.get("/api/v1/spending", headers=shown)).status_code == 200
    removed = await http.delete(f"/api/v1/categories/rules/{last.json()['id']}", headers=shown)
    assert removed.status_code == 200
    again = await http.put("/api/v1/categories/rules", json=rule, headers=shown)
    assert again.status_code == 200


@pytest.mark.thorough
async def test_a_guest_keeps_so_many_plans(
    site: RunningDaemon, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it has them built; what else it does goes on."""
    monkeypatch.setattr(agents, "MOST_PLANS_OF_A_GUEST", 2)
    _, shown = await a_guest(http)
    built = [await http.post("/api/v1/plan", json={}, headers=shown) for _ in range(3)]

    assert [answer.status_code for answer in built] == [200, 200, 403]
    assert "2 plans at most" in built[2].json()["message"]
    for path in ("/plan/builds", "/plan/build"):
        full = await http.post(f"/api/v1{path}", json={}, headers=shown)
        assert (full.status_code, full.json()["code"]) == (403, "FORBIDDEN")
    assert (await kept(site))["plan"] == 2
    rule = await rule_for(http, shown)
    kept_on = await http.put("/api/v1/categories/rules", json=rule, headers=shown)
    assert kept_on.status_code == 200, kept_on.text


@pytest.mark.thorough
async def test_who_is_claimed_has_no_such_bounds(
    site: RunningDaemon,
    http: httpx.AsyncClient,
    ada: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A claimed agent acts for its person, and a person keeps what they want."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    await entered(ada, attempt["verification_uri"], attempt["user_code"])
    access = (await polled(http, agent["claim_token"])).json()["access_token"]
    for bound in ("MOST_ROWS", "MOST_PLANS"):
        monkeypatch.setattr(agents, bound, 0)

    linked = await http.post("/api/v1/connections", json=DEMO, headers=bearing(access))
    built = await http.post("/api/v1/plan", json={}, headers=bearing(access))

    assert (linked.status_code, built.status_code) == (201, 200)


async def test_an_agent_has_so_many_tokens(
    site: RunningDaemon, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one ends its oldest, and no other agent's."""
    monkeypatch.setattr(grants, "MOST_TOKENS_OF_AN_AGENT", 2)
    other = (await exchanged(http, (await introduced(http))["identity_assertion"])).json()
    agent = await introduced(http)
    tokens = [
        (await exchanged(http, agent["identity_assertion"])).json()["access_token"]
        for _ in range(3)
    ]

    answers = [await use(http, token) for token in (*tokens, other["access_token"])]
    assert [answer.status_code for answer in answers] == [401, 200, 200, 200]
    assert (await kept(site))["oauth_token"] == 2


async def test_a_guests_token_ends_with_its_day(
    http: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """Also where nothing that is over was forgotten yet."""
    agent = await introduced(http)
    moment[0] += timedelta(hours=23, minutes=30)
    token = (await exchanged(http, agent["identity_assertion"])).json()
    assert token["expires_in"] == 1800
    moment[0] += timedelta(minutes=30, seconds=-1)
    assert (await use(http, token["access_token"])).status_code == 200
    moment[0] += timedelta(seconds=1)

    assert (await use(http, token["access_token"])).status_code == 401
