"""Where what an agent holds ends: its code with its day, its tokens to the second, its assertion."""

from datetime import datetime, timedelta

import httpx
import pytest

from tests.daemon.oauth.test_agents import asked, entered, exchanged, introduced, polled, wrong
from tests.daemon.oauth.visitor import ASSERTION_GRANT, TOKEN, hidden_fields, use
from tests.daemon.running import RunningDaemon


async def test_a_code_is_over_with_the_day_of_its_agent(
    http: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """A code holds ten minutes, and no longer than the agent may be claimed."""
    agent = await introduced(http)
    whole = await asked(http, agent["claim_token"])
    moment[0] += timedelta(hours=23, minutes=57)
    rest = await asked(http, agent["claim_token"])

    assert (whole["expires_in"], rest["expires_in"]) == (600, 180)


async def test_a_code_that_was_guessed_away_is_offered_no_more(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """The page tells how many tries are left, and after the last one that nobody asks."""
    agent = await introduced(http)
    code = wrong((await asked(http, agent["claim_token"]))["user_code"])
    fields = hidden_fields((await ada.get("/claim")).text)
    left = []
    for _ in range(5):
        left.append((await ada.get("/claim")).text)
        await ada.post("/claim", data={**fields, "code": code, "do": "claim"})

    told = [*(f"for {number} more tries" for number in (5, 4, 3, 2)), "for one more try"]
    assert [said in page for said, page in zip(told, left, strict=True)] == [True] * 5
    over = (await ada.get("/claim")).text
    assert agent["registration_id"] not in over
    assert "No agent asks for" in over


async def test_an_agents_token_ends_to_the_second(
    http: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """An hour after it was given it is refused."""
    token = (await exchanged(http, (await introduced(http))["identity_assertion"])).json()
    moment[0] += timedelta(seconds=token["expires_in"] - 1)
    before = await use(http, token["access_token"])
    moment[0] += timedelta(seconds=1)
    after = await use(http, token["access_token"])

    assert (before.status_code, after.status_code) == (200, 401)
    assert 'error="invalid_token"' in after.headers["www-authenticate"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("part", "status"), [("/api", 200), ("/mcp", 401), ("", 200)])
async def test_an_agents_token_is_for_its_resource(
    site: RunningDaemon, http: httpx.AsyncClient, part: str, status: int
) -> None:
    """A token for a part of the site is refused by every other part."""
    assertion = (await introduced(http))["identity_assertion"]
    form = {"grant_type": ASSERTION_GRANT, "assertion": assertion}

    got = await http.post(TOKEN, data={**form, "resource": f"{site.base_url}{part}"})
    elsewhere = await http.post(TOKEN, data={**form, "resource": "https://elsewhere.example"})

    assert (await use(http, got.json()["access_token"])).status_code == status
    assert (elsewhere.status_code, elsewhere.json()["error"]) == (400, "invalid_target")


async def test_a_claimed_agents_assertion_holds_for_thirty_days(
    http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """To the second; then the agent has to be claimed anew."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    await entered(ada, attempt["verification_uri"], attempt["user_code"])
    assertion = (await polled(http, agent["claim_token"])).json()["identity_assertion"]

    moment[0] += timedelta(days=30, seconds=-1)
    last = await exchanged(http, assertion)
    moment[0] += timedelta(seconds=1)
    over = await exchanged(http, assertion)

    assert last.status_code == 200
    assert (over.status_code, over.json()["error"]) == (400, "invalid_grant")


async def test_a_flood_of_claims_is_stopped(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Thirty in an hour from one address, so that nobody fills a record; the last code still holds."""
    agent = await introduced(http)
    for _ in range(29):
        await asked(http, agent["claim_token"])
    last = await asked(http, agent["claim_token"])
    body = {"claim_token": agent["claim_token"], "email": "ada@localhost"}

    answer = await http.post("/agent/identity/claim", json=body)

    assert (answer.status_code, answer.json()["error"]) == (429, "rate_limited")
    assert int(answer.headers["retry-after"]) > 0
    events = (await site.http.get("/api/v1/audit?limit=1000")).json()
    assert [each["kind"] for each in events].count("agent.claim_asked") == 30
    assert (await entered(ada, last["verification_uri"], last["user_code"])).is_success
