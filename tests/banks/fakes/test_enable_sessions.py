"""How an application of the fake Enable Banking comes to a session, and how sessions end."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.banks.fakes.enable_banking import REDIRECT, EnableBanking
from tests.banks.fakes.enable_errors import denying
from tests.banks.fakes.ways import Application
from tests.banks.fakes.world import Held, World

AUTH: dict[str, Any] = {
    "access": {"valid_until": "2026-12-01T00:00:00+00:00"},
    "aspsp": {"name": "Harbour Bank", "country": "US"},
    "state": "st ate",
    "redirect_url": REDIRECT,
    "psu_type": "personal",
}
LONGEST = "2026-12-12T12:00:00+00:00"


def standing(application: Application) -> int:
    """The clock stands, so that a token made later has the same times."""
    now = datetime.now(UTC).replace(microsecond=0)
    application.api.wall = lambda: now
    return int(now.timestamp())


@pytest.mark.thorough
async def test_only_a_token_that_the_application_signed_is_good(application: Application) -> None:
    """Its words, times and signature all count."""
    now = standing(application)
    good = application.token()
    assert (await application.ask("GET", "/application"))[0] == 200
    head, claims, signature = good.split(".")
    bad = [
        application.token(head={"kid": "another"}),
        application.token(head={"alg": "HS256"}),
        application.token(iss="finplan"),
        application.token(aud="enablebanking.com"),
        application.token(iat=now - 7200, exp=now - 3600),
        application.token(exp=now + 86_401),
        application.token(iat=now + 3600, exp=now + 7200),
        f"{head}.{claims}.{signature[:-8]}AAAAAAAA",
        f"{head}.{claims}",
        "guess",
    ]
    for token in bad:
        refused = await application.denied(
            "GET", "/application", headers={"Authorization": f"Bearer {token}"}
        )
        assert refused == (401, "UNAUTHORIZED_ACCESS"), token
    basic = {"Authorization": f"Basic {good}"}
    refused = await application.denied("GET", "/application", headers=basic)
    assert refused == (401, "UNAUTHORIZED_ACCESS")
    answer = await application.client.get("/application")
    assert answer.json()["error"] == "AUTHORIZATION_NOT_PROVIDED"


async def test_a_token_lives_for_a_day_at_most(application: Application) -> None:
    """A day to the second is good."""
    now = standing(application)
    headers = {"Authorization": f"Bearer {application.token(exp=now + 86_400)}"}
    await application.ok("GET", "/application", headers=headers)


async def test_banks_are_listed_by_country(world: World, application: Application) -> None:
    """Each with how long a consent may last."""
    world.bank("Saaristo Pankki", country="FI")
    assert len((await application.ok("GET", "/aspsps"))["aspsps"]) == 2
    [bank] = (await application.ok("GET", "/aspsps?country=FI"))["aspsps"]
    assert set(bank) == {
        "name",
        "country",
        "logo",
        "psu_types",
        "auth_methods",
        "maximum_consent_validity",
        "beta",
    }
    assert (bank["name"], bank["maximum_consent_validity"]) == ("Saaristo Pankki", 15_552_000)


async def test_a_person_is_led_back_with_a_code_that_opens_one_session(
    checking: Held, api: EnableBanking, application: Application
) -> None:
    """The state that was given comes back, and the code is good once."""
    made = await application.ok("POST", "/auth", json=AUTH)
    assert set(made) == {"url", "authorization_id", "psu_id_hash"}
    led = api.finish(made["url"])
    assert led.startswith(f"{REDIRECT}?")
    query = parse_qs(urlsplit(led).query)
    assert query["state"] == ["st ate"]
    body = {"code": query["code"][0]}
    session = await application.ok("POST", "/sessions", json=body)
    assert set(session) == {"session_id", "accounts", "aspsp", "psu_type", "access"}
    assert session["aspsp"] == AUTH["aspsp"]
    assert session["access"]["valid_until"] == "2026-12-01T00:00:00+00:00"
    refused = await application.denied("POST", "/sessions", json=body)
    assert refused == (422, "ALREADY_AUTHORIZED")
    for wrong in ({"code": "guess"}, {}):
        refused = await application.denied("POST", "/sessions", json=wrong)
        assert refused == (400, "WRONG_AUTHORIZATION_CODE")


async def test_a_person_may_refuse(api: EnableBanking, application: Application) -> None:
    """They are led back without a code."""
    made = await application.ok("POST", "/auth", json=AUTH)
    query = parse_qs(urlsplit(api.deny(made["url"])).query)
    assert (query["error"], query["state"], "code" in query) == (
        ["access_denied"],
        ["st ate"],
        False,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"access": {}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "2026-12-01T00:00:00"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "soon"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "2026-06-15T12:00:00Z"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "2026-12-12T12:00:01Z"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"state": None, "aspsp": None}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"aspsp": {"name": "No Bank", "country": "US"}}, (400, "WRONG_ASPSP_PROVIDED")),
        ({"aspsp": {"name": "Harbour Bank", "country": "FI"}}, (400, "WRONG_ASPSP_PROVIDED")),
        ({"redirect_url": "https://elsewhere.example/"}, (400, "REDIRECT_URI_NOT_ALLOWED")),
    ],
)
async def test_what_is_asked_wrongly_is_refused(
    application: Application, change: dict[str, Any], refusal: tuple[int, str]
) -> None:
    """A consent of just the longest time is not."""
    assert await application.denied("POST", "/auth", json={**AUTH, **change}) == refusal
    within = {"access": {"valid_until": LONGEST}}
    await application.ok("POST", "/auth", json={**AUTH, **within})


async def test_a_session_tells_what_it_is(checking: Held, application: Application) -> None:
    """With its accounts' uids and by what else they are known."""
    made = await application.session(checking.bank)
    said = await application.ok("GET", f"/sessions/{made['session_id']}")
    assert set(said) == {
        "status",
        "accounts",
        "accounts_data",
        "aspsp",
        "psu_type",
        "psu_id_hash",
        "access",
        "created",
        "authorized",
        "closed",
    }
    assert (said["status"], said["closed"]) == ("AUTHORIZED", None)
    [account] = made["accounts"]
    assert said["accounts"] == [account["uid"]]
    assert said["accounts_data"] == [
        {
            "uid": account["uid"],
            "identification_hash": account["identification_hash"],
            "identification_hashes": account["identification_hashes"],
        }
    ]
    refused = await application.denied("GET", "/sessions/unknown")
    assert refused == (404, "SESSION_DOES_NOT_EXIST")


async def test_a_session_ends_when_it_says(
    world: World, checking: Held, application: Application
) -> None:
    """Until that instant it is good."""
    made = await application.session(checking.bank, "2026-06-17T12:00:00+00:00")
    path = f"/accounts/{made['accounts'][0]['uid']}/balances"
    world.advance(date(2026, 6, 16))
    await application.ok("GET", path)
    world.advance()
    assert await application.denied("GET", path) == (401, "EXPIRED_SESSION")
    said = await application.ok("GET", f"/sessions/{made['session_id']}")
    assert said["status"] == "EXPIRED"


@pytest.mark.thorough
async def test_a_bank_may_want_a_sign_in_before_that(
    world: World, checking: Held, application: Application
) -> None:
    """The session is over for good; the next one has other uids and the same hashes and rows."""
    world.book(checking, -450, "CORNER CAFE")
    before = await application.session(checking.bank)
    old = before["accounts"][0]
    rows = await application.ok("GET", f"/accounts/{old['uid']}/transactions")
    bank = world.banks[checking.bank]
    world.sign_out(bank)
    refused = await application.denied("GET", f"/accounts/{old['uid']}/balances")
    assert refused == (401, "EXPIRED_SESSION")
    after = await application.session(checking.bank)
    new = after["accounts"][0]
    assert new["uid"] != old["uid"]
    assert new["identification_hash"] == old["identification_hash"]
    assert await application.ok("GET", f"/accounts/{new['uid']}/transactions") == rows
    refused = await application.denied("GET", f"/accounts/{old['uid']}/balances")
    assert refused == (401, "EXPIRED_SESSION")


async def test_a_bank_may_forget_what_an_account_is_known_by(
    world: World, checking: Held, application: Application
) -> None:
    """Then its hashes are others too."""
    before = (await application.session(checking.bank))["accounts"][0]
    world.relink(world.banks[checking.bank])
    after = (await application.session(checking.bank))["accounts"][0]
    assert not set(before["identification_hashes"]) & set(after["identification_hashes"])


@pytest.mark.thorough
async def test_a_session_may_be_closed_or_revoked(
    checking: Held, api: EnableBanking, application: Application
) -> None:
    """Each says so from then on."""
    closed, revoked = [await application.session(checking.bank) for _each in range(2)]
    said = await application.ok("DELETE", f"/sessions/{closed['session_id']}")
    assert said == {"message": "OK"}
    api.revoke(revoked["session_id"])
    for session, code in ((closed, "CLOSED_SESSION"), (revoked, "REVOKED_SESSION")):
        path = f"/accounts/{session['accounts'][0]['uid']}/balances"
        assert await application.denied("GET", path) == (401, code)
    assert (await application.ok("GET", f"/sessions/{closed['session_id']}"))["closed"]


async def test_any_code_may_be_answered(
    checking: Held, api: EnableBanking, application: Application
) -> None:
    """With its status or another, and with when to come again."""
    session = await application.session(checking.bank)
    path = f"/accounts/{session['accounts'][0]['uid']}/balances"
    api.misbehave(denying("ASPSP_ERROR"), "/accounts/*/balances")
    api.misbehave(denying("ASPSP_ERROR", status=503, retry_after=9), "/accounts/*/balances", nth=2)
    assert await application.denied("GET", path) == (400, "ASPSP_ERROR")
    assert await application.denied("GET", path) == (503, "ASPSP_ERROR")
    await application.ok("GET", path)


async def test_tokens_are_judged_by_the_clock_that_is_given(
    api: EnableBanking, application: Application
) -> None:
    """A test whose days are not today's sets it."""
    api.wall = lambda: datetime(2026, 6, 15, tzinfo=UTC)
    token = application.token()
    headers = {"Authorization": f"Bearer {token}"}
    await application.ok("GET", "/application", headers=headers)
    api.wall = lambda: datetime(2026, 6, 15, tzinfo=UTC) + timedelta(hours=1)
    refused = await application.denied("GET", "/application", headers=headers)
    assert refused == (401, "UNAUTHORIZED_ACCESS")
