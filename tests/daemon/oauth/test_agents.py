"""An agent comes without an account, tries the demo household, and is claimed by its person.

What it holds ends: its code with its day, its tokens to the second, its assertion; and what a guest may
keep is enough to try the demo household, and too little to fill a disk.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from finplan.service.authorization import agents, grants
from finplan.store.queries import people
from tests.daemon.oauth.visitor import (
    ASSERTION_GRANT,
    CLAIM_GRANT,
    REVOKE,
    TOKEN,
    bearing,
    browser,
    hidden_fields,
    use,
)
from tests.daemon.running import RunningDaemon

DEMO = {"provider": "demo", "institution": {"id": None, "name": "Demo"}}
ADA = "ada@localhost"


async def introduced(http: httpx.AsyncClient) -> Mapping[str, Any]:
    """Come as an agent; what it is told."""
    answer = await http.post("/agent/identity", json={"type": "anonymous"})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def exchanged(http: httpx.AsyncClient, assertion: str) -> httpx.Response:
    """Exchange an assertion."""
    return await http.post(TOKEN, data={"grant_type": ASSERTION_GRANT, "assertion": assertion})


async def polled(http: httpx.AsyncClient, claim_token: str) -> httpx.Response:
    """Ask whether the person has claimed the agent."""
    return await http.post(TOKEN, data={"grant_type": CLAIM_GRANT, "claim_token": claim_token})


async def asked(http: httpx.AsyncClient, claim_token: str, email: str = ADA) -> Mapping[str, Any]:
    """Ask for a code to show the person."""
    answer = await http.post(
        "/agent/identity/claim", json={"claim_token": claim_token, "email": email}
    )
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["claim_attempt"])


async def entered(
    person: httpx.AsyncClient, page: str, code: str, decision: str = "claim"
) -> httpx.Response:
    """Open the page of a claim and enter a code."""
    shown = await person.get(page)
    assert shown.status_code == 200, shown.text
    fields = hidden_fields(shown.text)
    return await person.post("/claim", data={**fields, "code": code, "do": decision})


def wrong(code: str) -> str:
    """A code that is another one."""
    return f"{(int(code) + 1) % 10**6:06}"


@pytest.mark.thorough
async def test_an_agent_tries_the_demo_household(http: httpx.AsyncClient) -> None:
    """Without an account it links the demo bank and builds a plan, by tokens that last an hour."""
    agent = await introduced(http)
    assert agent["claim_token"].startswith("clm_")

    token = (await exchanged(http, agent["identity_assertion"])).json()

    assert token["expires_in"] == 3600
    assert "refresh_token" not in token
    access = token["access_token"]
    linked = await http.post("/api/v1/connections", json=DEMO, headers=bearing(access))
    built = await http.post("/api/v1/plan", json={}, headers=bearing(access))
    assert (linked.status_code, built.status_code) == (201, 200)
    again = (await exchanged(http, agent["identity_assertion"])).json()["access_token"]
    assert (await use(http, again, "/api/v1/plan")).status_code == 200


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/connections", {"provider": "manual", "institution": {"id": None, "name": "B"}}),
        ("POST", "/imports", None),
        ("PATCH", "/me", {"email": "grace@example.org"}),
        ("GET", "/keys", None),
        ("POST", "/keys", {"name": "mine"}),
        ("GET", "/sessions", None),
        ("GET", "/people", None),
        ("POST", "/invites", {}),
        ("GET", "/audit", None),
        ("GET", "/clients", None),
        ("GET", "/agents", None),
        ("PUT", "/me/password", {"password": "correct horse battery"}),
        ("DELETE", "/me", None),
    ],
)
async def test_an_unclaimed_agent_may_do_nothing_else(
    http: httpx.AsyncClient, method: str, path: str, body: dict[str, Any] | None
) -> None:
    """No other bank, no files, and nothing that lets anybody in."""
    access = (await exchanged(http, (await introduced(http))["identity_assertion"])).json()
    answer = await http.request(
        method, f"/api/v1{path}", json=body, headers=bearing(access["access_token"])
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")


async def test_an_unclaimed_agent_has_a_quota_of_its_own(http: httpx.AsyncClient) -> None:
    """Thirty requests a minute, whichever of its tokens it shows."""
    agent = await introduced(http)
    first = (await exchanged(http, agent["identity_assertion"])).json()["access_token"]
    second = (await exchanged(http, agent["identity_assertion"])).json()["access_token"]

    answers = [await use(http, (first, second)[turn % 2]) for turn in range(31)]

    assert [each.status_code for each in answers] == [200] * 30 + [429]
    assert answers[0].headers["ratelimit-limit"] == "30"


@pytest.mark.thorough
async def test_an_agent_is_claimed(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """The person enters its code; it then acts for them, and nothing from before works any more."""
    agent = await introduced(http)
    before = (await exchanged(http, agent["identity_assertion"])).json()["access_token"]
    await http.post("/api/v1/connections", json=DEMO, headers=bearing(before))
    attempt = await asked(http, agent["claim_token"])
    assert (await polled(http, agent["claim_token"])).json()["error"] == "authorization_pending"

    done = await entered(ada, attempt["verification_uri"], attempt["user_code"])

    assert done.status_code == 200
    assert "acts for you from now on" in done.text
    got = (await polled(http, agent["claim_token"])).json()
    assert (await use(http, got["access_token"])).json()["email"] == ADA
    renewed = (await exchanged(http, got["identity_assertion"])).json()["access_token"]
    assert (await use(http, renewed)).json()["email"] == ADA
    dead = await use(http, before)
    assert dead.status_code == 401
    assert "resource_metadata=" in dead.headers["www-authenticate"]
    old = await exchanged(http, agent["identity_assertion"])
    assert (old.status_code, old.json()["error"]) == (400, "invalid_grant")
    # What is told is told once, and the guest is gone with all that it had.
    assert (await polled(http, agent["claim_token"])).json()["error"] == "expired_token"
    assert (await site.http.get("/api/v1/connections")).json() == []
    people = await site.store.read(
        lambda c: c.exec_driver_sql("SELECT email FROM person").fetchall()
    )
    assert people == [(ADA,)]
    # The claimed agent may what its person lets it, and does not end with the day.
    moment[0] += timedelta(days=2)
    later = (await exchanged(http, got["identity_assertion"])).json()["access_token"]
    assert (await use(http, later)).headers["ratelimit-limit"] != "30"


async def test_a_claim_needs_no_link(http: httpx.AsyncClient, ada: httpx.AsyncClient) -> None:
    """Who signs in at /claim finds the agents that ask for their address."""
    agent = await introduced(http)
    nobody = await ada.get("/claim")
    attempt = await asked(http, agent["claim_token"], "ADA@localhost")

    code = attempt["user_code"]
    done = await entered(ada, "/claim", f"{code[:3]} {code[3:]}")

    assert "No agent asks for" in nobody.text
    assert done.status_code == 200, done.text
    assert (await polled(http, agent["claim_token"])).status_code == 200


async def test_a_code_is_guessed_five_times_at_most(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """After five wrong ones the right one is refused too; another code may be asked for."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    code = attempt["user_code"]
    fields = hidden_fields((await ada.get("/claim")).text)

    guesses = [
        await ada.post("/claim", data={**fields, "code": wrong(code), "do": "claim"})
        for _ in range(5)
    ]
    right = await ada.post("/claim", data={**fields, "code": code, "do": "claim"})

    assert {each.status_code for each in guesses} == {400}
    assert right.status_code == 410
    assert (await polled(http, agent["claim_token"])).json()["error"] == "expired_token"
    another = await asked(http, agent["claim_token"])
    assert (await entered(ada, another["verification_uri"], another["user_code"])).is_success
    kinds = [each["kind"] for each in (await site.http.get("/api/v1/audit")).json()]
    assert kinds.count("agent.denied") == 1


async def test_a_wrong_code_is_about_one_agent(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Of several that ask, the page is about the one whose code was wrong, and no form is another's."""
    one, other = await introduced(http), await introduced(http)
    code = (await asked(http, one["claim_token"]))["user_code"]
    fields = hidden_fields((await ada.get("/claim")).text)
    await asked(http, other["claim_token"])

    guesses = [
        await ada.post("/claim", data={**fields, "code": wrong(code), "do": "claim"})
        for _ in range(6)
    ]

    for guess in guesses:
        assert other["registration_id"] not in guess.text
        assert 'href="/claim"' in guess.text
    said = f"Look at that of {one['registration_id']} again."
    assert [said in guess.text for guess in guesses] == [True] * 4 + [False] * 2
    assert "That was wrong 5 times, so the agent was not claimed" in guesses[4].text
    assert [guess.status_code for guess in guesses] == [400] * 5 + [410]
    assert all('name="code"' not in guess.text for guess in guesses[4:])
    assert other["registration_id"] in (await ada.get("/claim")).text


async def test_a_link_that_is_over_does_not_say_that_nobody_asks(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Another agent may ask all the same: the page leads to those that do."""
    one, other = await introduced(http), await introduced(http)
    former = await asked(http, one["claim_token"])
    await asked(http, one["claim_token"])
    await asked(http, other["claim_token"])

    page = await ada.get(former["verification_uri"])

    assert page.status_code == 404
    assert "No agent asks" not in page.text
    assert 'href="/claim"' in page.text


async def test_a_code_is_over_after_ten_minutes(
    http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """To the second: the page says so, and the agent is told to ask for another one."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    fields = hidden_fields((await ada.get(attempt["verification_uri"])).text)

    moment[0] += timedelta(minutes=10)
    late = await ada.post("/claim", data={**fields, "code": attempt["user_code"], "do": "claim"})

    assert late.status_code == 410
    assert (await ada.get(attempt["verification_uri"])).status_code == 410
    assert (await polled(http, agent["claim_token"])).json()["error"] == "expired_token"


async def test_a_newer_code_ends_the_former(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Neither the former link nor its code is good for anything."""
    agent = await introduced(http)
    former = await asked(http, agent["claim_token"])
    fields = hidden_fields((await ada.get(former["verification_uri"])).text)
    await asked(http, agent["claim_token"])

    again = await ada.post("/claim", data={**fields, "code": former["user_code"], "do": "claim"})

    assert (await ada.get(former["verification_uri"])).status_code == 404
    assert again.status_code == 404


async def test_only_whom_the_agent_named_may_claim_it(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Somebody else, signed in, is refused by the link, and finds no such agent by a form."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"], "bob@example.org")

    page = await ada.get(attempt["verification_uri"])

    assert page.status_code == 403
    assert "Sign in as them" in page.text
    # The form of another agent's page, turned to this one.
    other = await introduced(http)
    own = await asked(http, other["claim_token"])
    fields = hidden_fields((await ada.get(own["verification_uri"])).text)
    taken = await ada.post(
        "/claim",
        data={
            **fields,
            "attempt": (
                await http.post(
                    "/agent/identity/claim",
                    json={"claim_token": agent["claim_token"], "email": "bob@example.org"},
                )
            ).json()["claim_attempt_id"],
            "code": "000000",
            "do": "claim",
        },
    )
    assert taken.status_code == 404


async def test_a_claim_takes_a_form_of_this_very_session(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Without the session's token, or with another session's, nothing is claimed."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    fields = hidden_fields((await ada.get(attempt["verification_uri"])).text)
    sent = {**fields, "code": attempt["user_code"], "do": "claim"}

    bare = await ada.post("/claim", data={name: sent[name] for name in ("attempt", "code", "do")})
    async with browser(site) as other:
        anothers = await other.post("/claim", data=sent)
    elsewhere = await ada.post("/claim", data=sent, headers={"Sec-Fetch-Site": "cross-site"})

    assert {each.status_code for each in (bare, anothers, elsewhere)} == {403}
    assert (await polled(http, agent["claim_token"])).json()["error"] == "authorization_pending"


async def test_a_person_may_refuse_an_agent(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Nobody can claim it then, and it cannot ask again."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])

    await entered(ada, attempt["verification_uri"], "", "deny")

    assert (await polled(http, agent["claim_token"])).json()["error"] == "expired_token"
    again = await http.post(
        "/agent/identity/claim", json={"claim_token": agent["claim_token"], "email": ADA}
    )
    assert (again.status_code, again.json()["error"]) == (401, "invalid_claim_token")


async def test_a_claimed_agent_is_revoked(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Its person takes it back in one step: token and assertion are refused at once."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    await entered(ada, attempt["verification_uri"], attempt["user_code"])
    got = (await polled(http, agent["claim_token"])).json()
    listed = (await site.http.get("/api/v1/agents")).json()
    assert [each["id"] for each in listed] == [agent["registration_id"]]

    await site.http.delete(f"/api/v1/agents/{agent['registration_id']}")

    assert (await use(http, got["access_token"])).status_code == 401
    refused = await exchanged(http, got["identity_assertion"])
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert (await site.http.get("/api/v1/agents")).json() == []


async def test_an_agent_gives_its_token_back(http: httpx.AsyncClient) -> None:
    """It needs no client for that; its assertion is as good as before."""
    agent = await introduced(http)
    access = (await exchanged(http, agent["identity_assertion"])).json()["access_token"]

    answer = await http.post(REVOKE, data={"token": access})

    assert (answer.status_code, answer.json()) == (200, {})
    assert (await use(http, access)).status_code == 401
    assert (await exchanged(http, agent["identity_assertion"])).status_code == 200


async def test_who_asks_too_often_is_told(http: httpx.AsyncClient, moment: list[datetime]) -> None:
    """Every five seconds, give or take what two clocks differ by."""
    agent = await introduced(http)
    await asked(http, agent["claim_token"])
    await polled(http, agent["claim_token"])

    soon = (await polled(http, agent["claim_token"])).json()["error"]
    moment[0] += timedelta(seconds=4.5)
    in_time = (await polled(http, agent["claim_token"])).json()["error"]

    assert (soon, in_time) == ("slow_down", "authorization_pending")


async def test_the_first_poll_for_a_code_is_never_too_early(http: httpx.AsyncClient) -> None:
    """An agent may have asked before it had a code, or of the former one: that does not count."""
    agent = await introduced(http)
    told = [(await polled(http, agent["claim_token"])).json()["error"]]
    for _ in range(2):
        await asked(http, agent["claim_token"])
        told.append((await polled(http, agent["claim_token"])).json()["error"])

    assert told == ["authorization_pending"] * 3


async def test_nobody_claims_an_agent_after_its_day(
    http: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """A day after it came its assertion, its token and its claim are over."""
    agent = await introduced(http)
    moment[0] += timedelta(hours=24)

    assert (await exchanged(http, agent["identity_assertion"])).json()["error"] == "invalid_grant"
    assert (await polled(http, agent["claim_token"])).json()["error"] == "expired_token"
    late = await http.post(
        "/agent/identity/claim", json={"claim_token": agent["claim_token"], "email": ADA}
    )
    assert (late.status_code, late.json()["error"]) == (410, "claim_expired")


@pytest.mark.parametrize(
    "said", [{}, {"type": "service_auth"}, {"type": 1}, [], "anonymous", {"type": "Anonymous"}]
)
async def test_an_agent_says_how_it_comes(http: httpx.AsyncClient, said: object) -> None:
    """The error is told as agents read it, and as the interface tells its own."""
    answer = await http.post("/agent/identity", json=said)
    told = answer.json()
    assert answer.status_code == told["status"] == 400
    assert (told["error"], told["code"]) == ("invalid_request", "BAD_REQUEST")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "said",
    [
        {},
        {"claim_token": "clm_x"},
        {"claim_token": 7, "email": ADA},
        {"claim_token": "clm_x", "email": "nobody"},
        {"claim_token": "clm_x", "email": f"{'a' * 250}@b.example"},
    ],
)
async def test_a_claim_names_its_agent_and_person(
    http: httpx.AsyncClient, said: dict[str, object]
) -> None:
    """Without either, nothing is looked for."""
    answer = await http.post("/agent/identity/claim", json=said)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_a_claim_tells_nobody_who_has_an_account(http: httpx.AsyncClient) -> None:
    """The answer for an address that is known has the shape of that for one that is not."""
    agent = await introduced(http)
    known = await http.post(
        "/agent/identity/claim", json={"claim_token": agent["claim_token"], "email": ADA}
    )
    unknown = await http.post(
        "/agent/identity/claim",
        json={"claim_token": agent["claim_token"], "email": "nobody@example.org"},
    )
    assert known.status_code == unknown.status_code
    assert known.json().keys() == unknown.json().keys()


async def test_a_flood_of_agents_is_stopped(http: httpx.AsyncClient) -> None:
    """Five in an hour from one address."""
    for _ in range(5):
        await introduced(http)
    answer = await http.post("/agent/identity", json={"type": "anonymous"})
    assert (answer.status_code, answer.json()["error"]) == (429, "rate_limited")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", [0, 1, 2])
async def test_a_changed_assertion_is_refused(http: httpx.AsyncClient, part: int) -> None:
    """Whichever of its three parts was changed."""
    parts = (await introduced(http))["identity_assertion"].split(".")
    flipped = "A" if parts[part][5] != "A" else "B"
    parts[part] = parts[part][:5] + flipped + parts[part][6:]

    answer = await exchanged(http, ".".join(parts))

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


async def test_a_claim_is_won_once(http: httpx.AsyncClient, ada: httpx.AsyncClient) -> None:
    """Of two polls at the same time one gets the token."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    await entered(ada, attempt["verification_uri"], attempt["user_code"])

    both = await asyncio.gather(*(polled(http, agent["claim_token"]) for _ in range(2)))

    assert sorted(each.status_code for each in both) == [200, 400]


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
