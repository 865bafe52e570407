"""An agent comes without an account, tries the demo household, and is claimed by its person.

What it holds ends: its code with its day, its tokens to the second, its assertion; and what a guest may
keep is enough to try the demo household, and too little to fill a disk.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from finplan.service.authorization import agents, grants
from finplan.service.authorization.agents import TRIES
from finplan.store.queries import people
from tests.daemon.oauth import visitor
from tests.daemon.running import RunningDaemon

DEMO = {"provider": "demo", "institution": {"id": None, "name": "Demo"}}


def wrong(code: str) -> str:
    """A code that is another one."""
    return f"{(int(code) + 1) % 10**6:06}"


@pytest.mark.thorough
async def test_an_agent_tries_the_demo_household(agent: visitor.Agent, http: visitor.Http) -> None:
    """Without an account it links the demo bank and builds a plan, by tokens that last an hour."""
    assert agent.told["claim_token"].startswith("clm_")

    token = (await agent.exchange()).json()

    assert token["expires_in"] == 3600
    assert "refresh_token" not in token
    access = token["access_token"]
    linked = await http.post("/api/v1/connections", json=DEMO, headers=visitor.bearing(access))
    built = await http.post("/api/v1/plan", json={}, headers=visitor.bearing(access))
    assert (linked.status_code, built.status_code) == (201, 200)
    again = await agent.token()
    assert (await visitor.use(http, again, "/api/v1/plan")).status_code == 200


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
    agent: visitor.Agent, method: str, path: str, body: dict[str, Any] | None
) -> None:
    """No other bank, no files, and nothing that lets anybody in."""
    shown = visitor.bearing(await agent.token())
    answer = await agent.http.request(method, f"/api/v1{path}", json=body, headers=shown)
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")


async def test_an_unclaimed_agent_has_a_quota_of_its_own(
    agent: visitor.Agent, http: visitor.Http
) -> None:
    """Thirty requests a minute, whichever of its tokens it shows."""
    first = await agent.token()
    second = await agent.token()

    answers = [await visitor.use(http, (first, second)[turn % 2]) for turn in range(31)]

    assert [each.status_code for each in answers] == [200] * 30 + [429]
    assert answers[0].headers["ratelimit-limit"] == "30"


@pytest.mark.thorough
async def test_an_agent_is_claimed(
    site: RunningDaemon,
    agent: visitor.Agent,
    http: visitor.Http,
    ada: visitor.Http,
    moment: list[datetime],
) -> None:
    """The person enters its code; it then acts for them, and nothing from before works any more."""
    before = await agent.token()
    await agent.http.post("/api/v1/connections", json=DEMO, headers=visitor.bearing(before))
    attempt = await agent.ask()
    assert (await agent.poll()).json()["error"] == "authorization_pending"

    done = await visitor.entered(ada, attempt["verification_uri"], attempt["user_code"])

    assert done.status_code == 200
    assert "<title>Claimed" in done.text
    got = (await agent.poll()).json()
    assert (await visitor.use(agent.http, got["access_token"])).json()["email"] == visitor.ADA
    renewed = await agent.exchange(got["identity_assertion"])
    assert (await visitor.use(agent.http, renewed.json()["access_token"])).json()[
        "email"
    ] == visitor.ADA
    dead = await visitor.use(agent.http, before)
    assert dead.status_code == 401
    assert "resource_metadata=" in dead.headers["www-authenticate"]
    old = await agent.exchange()
    assert (old.status_code, old.json()["error"]) == (400, "invalid_grant")
    # What is told is told once, and the guest is gone with all that it had.
    assert (await agent.poll()).json()["error"] == "expired_token"
    assert (await site.http.get("/api/v1/connections")).json() == []
    everybody = await site.store.read(people.list_people)
    assert [each["email"] for each in everybody] == [visitor.ADA]
    # The claimed agent may what its person lets it, and does not end with the day.
    moment[0] += timedelta(days=2)
    later = await agent.exchange(got["identity_assertion"])
    assert (await visitor.use(agent.http, later.json()["access_token"])).headers[
        "ratelimit-limit"
    ] != "30"


async def test_a_claim_needs_no_link(agent: visitor.Agent, ada: visitor.Http) -> None:
    """Who signs in at /claim finds the agents that ask for their address."""
    assert "No agent is waiting" in (await ada.get("/claim")).text
    attempt = await agent.ask("ADA@localhost")

    code = attempt["user_code"]
    done = await visitor.entered(ada, "/claim", f"{code[:3]} {code[3:]}")

    assert done.status_code == 200, done.text
    assert (await agent.poll()).status_code == 200


async def test_a_code_bears_five_guesses_only(
    site: RunningDaemon, agent: visitor.Agent, ada: visitor.Http
) -> None:
    """After five wrong ones the right one is refused too; another code may be asked for."""
    attempt = await agent.ask()
    code = attempt["user_code"]
    fields = visitor.hidden_fields((await ada.get("/claim")).text)

    guesses = [
        await ada.post("/claim", data={**fields, "code": wrong(code), "do": "claim"})
        for _ in range(5)
    ]
    right = await ada.post("/claim", data={**fields, "code": code, "do": "claim"})

    assert {each.status_code for each in guesses} == {400}
    assert right.status_code == 410
    assert (await agent.poll()).json()["error"] == "expired_token"
    another = await agent.ask()
    assert (
        await visitor.entered(ada, another["verification_uri"], another["user_code"])
    ).is_success
    kinds = [each["kind"] for each in (await site.http.get("/api/v1/audit")).json()]
    assert kinds.count("agent.denied") == 1


async def test_a_wrong_code_is_about_one_agent(http: visitor.Http, ada: visitor.Http) -> None:
    """Of several that ask, the page is about the one whose code was wrong, and no form is another's."""
    one, other = await visitor.introduced(http), await visitor.introduced(http)
    code = (await one.ask())["user_code"]
    fields = visitor.hidden_fields((await ada.get("/claim")).text)
    await other.ask()

    guesses = [
        await ada.post("/claim", data={**fields, "code": wrong(code), "do": "claim"})
        for _ in range(6)
    ]

    for guess in guesses:
        assert other.id not in guess.text
        assert 'href="/claim"' in guess.text
    said = f"the agent {one.id} shows."
    assert [said in guess.text for guess in guesses] == [True] * 4 + [False] * 2
    assert f"wrong code {TRIES} times" in guesses[4].text
    assert [guess.status_code for guess in guesses] == [400] * 5 + [410]
    assert all('name="code"' not in guess.text for guess in guesses[4:])
    assert other.id in (await ada.get("/claim")).text


async def test_a_link_that_is_over_does_not_say_that_nobody_asks(
    http: visitor.Http, ada: visitor.Http
) -> None:
    """Another agent may ask all the same: the page leads to those that do."""
    one, other = await visitor.introduced(http), await visitor.introduced(http)
    former = await one.ask()
    await one.ask()
    await other.ask()

    page = await ada.get(former["verification_uri"])

    assert page.status_code == 404
    assert "No agent is waiting" not in page.text
    assert 'href="/claim"' in page.text


async def test_a_code_lasts_ten_minutes(
    agent: visitor.Agent, ada: visitor.Http, moment: list[datetime]
) -> None:
    """To the second: the page says so, and the agent is told to ask for another one."""
    attempt = await agent.ask()
    fields = visitor.hidden_fields((await ada.get(attempt["verification_uri"])).text)

    moment[0] += timedelta(minutes=10)
    late = await ada.post("/claim", data={**fields, "code": attempt["user_code"], "do": "claim"})

    assert late.status_code == 410
    assert (await ada.get(attempt["verification_uri"])).status_code == 410
    assert (await agent.poll()).json()["error"] == "expired_token"


async def test_a_newer_code_ends_the_former(agent: visitor.Agent, ada: visitor.Http) -> None:
    """Neither the former link nor its code is good for anything."""
    former = await agent.ask()
    fields = visitor.hidden_fields((await ada.get(former["verification_uri"])).text)
    await agent.ask()

    again = await ada.post("/claim", data={**fields, "code": former["user_code"], "do": "claim"})

    assert (await ada.get(former["verification_uri"])).status_code == 404
    assert again.status_code == 404


async def test_only_whom_the_agent_named_may_claim_it(
    agent: visitor.Agent, http: visitor.Http, ada: visitor.Http
) -> None:
    """Somebody else, signed in, is refused by the link, and finds no such agent by a form."""
    attempt = await agent.ask("bob@example.org")

    page = await ada.get(attempt["verification_uri"])

    assert page.status_code == 403
    # The form of another agent's page, turned to this one.
    other = await visitor.introduced(http)
    own = await other.ask()
    fields = visitor.hidden_fields((await ada.get(own["verification_uri"])).text)
    theirs = (await agent.claim("bob@example.org")).json()["claim_attempt_id"]
    form = {**fields, "attempt": theirs, "code": "000000", "do": "claim"}
    taken = await ada.post("/claim", data=form)
    assert taken.status_code == 404


async def test_claims_need_this_sessions_form(
    site: RunningDaemon, agent: visitor.Agent, ada: visitor.Http
) -> None:
    """Without the session's token, or with another session's, nothing is claimed."""
    attempt = await agent.ask()
    fields = visitor.hidden_fields((await ada.get(attempt["verification_uri"])).text)
    sent = {**fields, "code": attempt["user_code"], "do": "claim"}

    bare = await ada.post("/claim", data={name: sent[name] for name in ("attempt", "code", "do")})
    async with visitor.browser(site) as other:
        anothers = await other.post("/claim", data=sent)
    elsewhere = await ada.post("/claim", data=sent, headers={"Sec-Fetch-Site": "cross-site"})

    assert {each.status_code for each in (bare, anothers, elsewhere)} == {403}
    assert (await agent.poll()).json()["error"] == "authorization_pending"


async def test_a_person_may_refuse_an_agent(agent: visitor.Agent, ada: visitor.Http) -> None:
    """Nobody can claim it then, and it cannot ask again."""
    attempt = await agent.ask()

    await visitor.entered(ada, attempt["verification_uri"], "", "deny")

    assert (await agent.poll()).json()["error"] == "expired_token"
    again = await agent.claim()
    assert (again.status_code, again.json()["error"]) == (401, "invalid_claim_token")


async def test_claimed_agents_end(
    site: RunningDaemon, agent: visitor.Agent, http: visitor.Http, ada: visitor.Http
) -> None:
    """Its person takes it back in one step: token and assertion are refused at once."""
    await agent.be_claimed(ada)
    got = (await agent.poll()).json()
    listed = (await site.http.get("/api/v1/agents")).json()
    assert [each["id"] for each in listed] == [agent.id]

    await site.http.delete(f"/api/v1/agents/{agent.id}")

    assert (await visitor.use(http, got["access_token"])).status_code == 401
    refused = await agent.exchange(got["identity_assertion"])
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert (await site.http.get("/api/v1/agents")).json() == []


async def test_an_agent_gives_its_token_back(agent: visitor.Agent, http: visitor.Http) -> None:
    """It needs no client for that; its assertion is as good as before."""
    access = await agent.token()

    answer = await http.post(visitor.REVOKE, data={"token": access})

    assert (answer.status_code, answer.json()) == (200, {})
    assert (await visitor.use(http, access)).status_code == 401
    assert (await agent.exchange()).status_code == 200


async def test_who_asks_too_often_is_told(agent: visitor.Agent, moment: list[datetime]) -> None:
    """Every five seconds, give or take what two clocks differ by."""
    await agent.ask()
    await agent.poll()

    soon = (await agent.poll()).json()["error"]
    moment[0] += timedelta(seconds=4.5)
    in_time = (await agent.poll()).json()["error"]

    assert (soon, in_time) == ("slow_down", "authorization_pending")


async def test_the_first_poll_for_a_code_is_never_too_early(agent: visitor.Agent) -> None:
    """An agent may have asked before it had a code, or of the former one: that does not count."""
    told = [(await agent.poll()).json()["error"]]
    for _ in range(2):
        await agent.ask()
        told.append((await agent.poll()).json()["error"])

    assert told == ["authorization_pending"] * 3


async def test_nobody_claims_an_agent_after_its_day(
    agent: visitor.Agent, moment: list[datetime]
) -> None:
    """A day after it came its assertion, its token and its claim are over."""
    moment[0] += timedelta(hours=24)

    assert (await agent.exchange()).json()["error"] == "invalid_grant"
    assert (await agent.poll()).json()["error"] == "expired_token"
    late = await agent.claim()
    assert (late.status_code, late.json()["error"]) == (410, "claim_expired")


@pytest.mark.parametrize(
    "said", [{}, {"type": "service_auth"}, {"type": 1}, [], "anonymous", {"type": "Anonymous"}]
)
async def test_an_agent_says_how_it_comes(http: visitor.Http, said: object) -> None:
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
        {"claim_token": 7, "email": visitor.ADA},
        {"claim_token": "clm_x", "email": "nobody"},
        {"claim_token": "clm_x", "email": f"{'a' * 250}@b.example"},
    ],
)
async def test_a_claim_names_its_agent_and_person(
    http: visitor.Http, said: dict[str, object]
) -> None:
    """Without either, nothing is looked for."""
    answer = await http.post("/agent/identity/claim", json=said)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_a_claim_tells_nobody_who_has_an_account(agent: visitor.Agent) -> None:
    """The answer for an address that is known has the shape of that for one that is not."""
    known = await agent.claim()
    unknown = await agent.claim("nobody@example.org")
    assert known.status_code == unknown.status_code
    assert known.json().keys() == unknown.json().keys()


async def test_a_flood_of_agents_is_stopped(http: visitor.Http) -> None:
    """Five in an hour from one address."""
    for _ in range(5):
        await visitor.introduced(http)
    answer = await http.post("/agent/identity", json={"type": "anonymous"})
    assert (answer.status_code, answer.json()["error"]) == (429, "rate_limited")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", [0, 1, 2])
async def test_a_changed_assertion_is_refused(agent: visitor.Agent, part: int) -> None:
    """Whichever of its three parts was changed."""
    parts = agent.told["identity_assertion"].split(".")
    flipped = "A" if parts[part][5] != "A" else "B"
    parts[part] = parts[part][:5] + flipped + parts[part][6:]

    answer = await agent.exchange(".".join(parts))

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


async def test_a_claim_is_won_once(agent: visitor.Agent, ada: visitor.Http) -> None:
    """Of two polls at the same time one gets the token."""
    await agent.be_claimed(ada)

    both = await asyncio.gather(*(agent.poll() for _ in range(2)))

    assert sorted(each.status_code for each in both) == [200, 400]


async def test_a_code_is_over_with_its_agents_day(
    agent: visitor.Agent, moment: list[datetime]
) -> None:
    """A code holds ten minutes, and no longer than the agent may be claimed."""
    whole = await agent.ask()
    moment[0] += timedelta(hours=23, minutes=57)
    rest = await agent.ask()

    assert (whole["expires_in"], rest["expires_in"]) == (600, 180)


async def test_a_code_that_was_guessed_away_is_offered_no_more(
    agent: visitor.Agent, ada: visitor.Http
) -> None:
    """The page tells how many tries are left, and after the last one that nobody asks."""
    code = wrong((await agent.ask())["user_code"])
    fields = visitor.hidden_fields((await ada.get("/claim")).text)
    left = []
    for _ in range(5):
        left.append((await ada.get("/claim")).text)
        await ada.post("/claim", data={**fields, "code": code, "do": "claim"})

    told = [*(f"{number} tries left" for number in (5, 4, 3, 2)), "one try left"]
    assert [said in page for said, page in zip(told, left, strict=True)] == [True] * 5
    over = (await ada.get("/claim")).text
    assert agent.id not in over
    assert "No agent is waiting" in over


async def test_an_agents_token_has_an_end(
    agent: visitor.Agent, http: visitor.Http, moment: list[datetime]
) -> None:
    """An hour after it was given it is refused."""
    token = (await agent.exchange()).json()
    moment[0] += timedelta(seconds=token["expires_in"] - 1)
    before = await visitor.use(http, token["access_token"])
    moment[0] += timedelta(seconds=1)
    after = await visitor.use(http, token["access_token"])

    assert (before.status_code, after.status_code) == (200, 401)
    assert 'error="invalid_token"' in after.headers["www-authenticate"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("part", "status"), [("/api", 200), ("/mcp", 401), ("", 200)])
async def test_an_agents_token_is_for_its_resource(
    site: RunningDaemon, agent: visitor.Agent, part: str, status: int
) -> None:
    """A token for a part of the site is refused by every other part."""
    got = await agent.exchange(resource=f"{site.base_url}{part}")
    elsewhere = await agent.exchange(resource="https://elsewhere.example")

    assert (await visitor.use(agent.http, got.json()["access_token"])).status_code == status
    assert (elsewhere.status_code, elsewhere.json()["error"]) == (400, "invalid_target")


async def test_an_assertion_holds_a_month(
    agent: visitor.Agent, ada: visitor.Http, moment: list[datetime]
) -> None:
    """To the second; then the agent has to be claimed anew."""
    await agent.be_claimed(ada)
    assertion = (await agent.poll()).json()["identity_assertion"]

    moment[0] += timedelta(days=30, seconds=-1)
    last = await agent.exchange(assertion)
    moment[0] += timedelta(seconds=1)
    over = await agent.exchange(assertion)

    assert last.status_code == 200
    assert (over.status_code, over.json()["error"]) == (400, "invalid_grant")


async def test_a_flood_of_claims_is_stopped(
    site: RunningDaemon, agent: visitor.Agent, ada: visitor.Http
) -> None:
    """Thirty in an hour from one address, so that nobody fills a record; the last code still holds."""
    for _ in range(29):
        await agent.ask()
    last = await agent.ask()

    answer = await agent.claim()

    assert (answer.status_code, answer.json()["error"]) == (429, "rate_limited")
    assert int(answer.headers["retry-after"]) > 0
    events = (await site.http.get("/api/v1/audit?limit=1000")).json()
    assert [each["kind"] for each in events].count("agent.claim_asked") == 30
    assert (await visitor.entered(ada, last["verification_uri"], last["user_code"])).is_success


async def kept(site: RunningDaemon) -> Mapping[str, int]:
    """How many rows the newest guest has in each table."""
    newest = "SELECT max(no) FROM person WHERE guest_until IS NOT NULL"
    return await site.store.read(
        lambda c: people.count_rows(c, c.exec_driver_sql(newest).scalar_one())
    )


async def a_guest(http: visitor.Http) -> tuple[visitor.Agent, dict[str, str]]:
    """An agent with the demo household, and the header by which it comes."""
    agent = await visitor.introduced(http)
    access = await agent.token()
    linked = await http.post("/api/v1/connections", json=DEMO, headers=visitor.bearing(access))
    assert linked.status_code == 201
    return agent, visitor.bearing(access)


async def rule_for(http: visitor.Http, shown: dict[str, str]) -> dict[str, str]:
    """A rule about a payee of the demo household."""
    told = (await http.get("/api/v1/spending?groupBy=merchant", headers=shown)).json()
    return {"payeeKey": told["groups"][0]["key"], "category": "groceries"}


@pytest.mark.thorough
async def test_a_guest_keeps_so_many_rows(
    site: RunningDaemon, http: visitor.Http, monkeypatch: pytest.MonkeyPatch
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
        assert f"{has + 1:,} records" in full.json()["message"]
    assert sum((await kept(site)).values()) == has + 1
    assert (await http.get("/api/v1/spending", headers=shown)).status_code == 200
    removed = await http.delete(f"/api/v1/categories/rules/{last.json()['id']}", headers=shown)
    assert removed.status_code == 200
    again = await http.put("/api/v1/categories/rules", json=rule, headers=shown)
    assert again.status_code == 200


@pytest.mark.thorough
async def test_a_guest_keeps_so_many_plans(
    site: RunningDaemon, http: visitor.Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it has them built; what else it does goes on."""
    monkeypatch.setattr(agents, "MOST_PLANS_OF_A_GUEST", 2)
    _, shown = await a_guest(http)
    built = [await http.post("/api/v1/plan", json={}, headers=shown) for _ in range(3)]

    assert [answer.status_code for answer in built] == [200, 200, 403]
    assert "at most 2 plans" in built[2].json()["message"]
    for path in ("/plan/builds", "/plan/build"):
        full = await http.post(f"/api/v1{path}", json={}, headers=shown)
        assert (full.status_code, full.json()["code"]) == (403, "FORBIDDEN")
    assert (await kept(site))["plan"] == 2
    rule = await rule_for(http, shown)
    kept_on = await http.put("/api/v1/categories/rules", json=rule, headers=shown)
    assert kept_on.status_code == 200, kept_on.text


@pytest.mark.thorough
async def test_who_is_claimed_has_no_such_bounds(
    agent: visitor.Agent,
    http: visitor.Http,
    ada: visitor.Http,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A claimed agent acts for its person, and a person keeps what they want."""
    await agent.be_claimed(ada)
    access = (await agent.poll()).json()["access_token"]
    for bound in ("MOST_ROWS_OF_A_GUEST", "MOST_PLANS_OF_A_GUEST"):
        monkeypatch.setattr(agents, bound, 0)

    linked = await agent.http.post(
        "/api/v1/connections", json=DEMO, headers=visitor.bearing(access)
    )
    built = await agent.http.post("/api/v1/plan", json={}, headers=visitor.bearing(access))

    assert (linked.status_code, built.status_code) == (201, 200)


async def test_an_agent_has_so_many_tokens(
    site: RunningDaemon, http: visitor.Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one ends its oldest, and no other agent's."""
    monkeypatch.setattr(grants, "MOST_TOKENS_OF_AN_AGENT", 2)
    other = await (await visitor.introduced(http)).token()
    agent = await visitor.introduced(http)
    tokens = [await agent.token() for _ in range(3)]

    answers = [await visitor.use(http, token) for token in (*tokens, other)]
    assert [answer.status_code for answer in answers] == [401, 200, 200, 200]
    assert (await kept(site))["oauth_token"] == 2


async def test_a_guests_token_ends_then(
    agent: visitor.Agent, http: visitor.Http, moment: list[datetime]
) -> None:
    """Also where nothing that is over was forgotten yet."""
    moment[0] += timedelta(hours=23, minutes=30)
    token = (await agent.exchange()).json()
    assert token["expires_in"] == 1800
    moment[0] += timedelta(minutes=30, seconds=-1)
    assert (await visitor.use(http, token["access_token"])).status_code == 200
    moment[0] += timedelta(seconds=1)

    assert (await visitor.use(http, token["access_token"])).status_code == 401
