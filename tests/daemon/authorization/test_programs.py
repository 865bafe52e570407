"""What programs are let in by, of one person, gets another nothing: codes, tokens, clients, links.

The endpoints of the authorization server know nobody by a cookie. What they take is a secret of one
client, and a secret of another one, or one that never was, is refused alike.
"""

from dataclasses import dataclass

import httpx
import pytest

from finplan.service.credentials.keys import new_token
from tests.daemon.authorization.callers import GUEST, OTHERS, REFUSED, CallerKind
from tests.daemon.authorization.household import HER_ADDRESS, MARK, browsing_as, local_cookie
from tests.daemon.authorization.matrix import Two
from tests.daemon.authorization.requests import Request
from tests.daemon.oauth import visitor
from tests.daemon.site.browsing import browsing

USERINFO = "/auth/oauth2/userinfo"


@dataclass(frozen=True)
class LetIn:
    """A program that Ada has let in, with its tokens, and another one that nobody has."""

    hers: visitor.Program
    access: str
    refresh: str
    other: visitor.Program


@pytest.fixture
async def let_in(two: Two) -> LetIn:
    async with browsing_as(two.daemon, two.settled.ada) as ada:
        ada.http.headers["Sec-Fetch-Site"] = "same-origin"
        hers = await visitor.program(two.http, client_name=f"{MARK} reader")
        tokens = await hers.tokens(ada.http)
    return LetIn(
        hers, tokens["access_token"], tokens["refresh_token"], await visitor.program(two.http)
    )


def _alike(real: httpx.Response, fake: httpx.Response) -> None:
    """Both are refused, and by the same bytes."""
    assert real.status_code in (400, 401), real.text
    assert (real.status_code, real.content) == (fake.status_code, fake.content)
    assert MARK not in real.text


async def test_a_code_and_a_refresh_token_are_one_clients(two: Two, let_in: LetIn) -> None:
    """With another client's id they are what never was, and Ada's program goes on."""
    async with browsing_as(two.daemon, two.settled.ada) as ada:
        ada.http.headers["Sec-Fetch-Site"] = "same-origin"
        code = (await let_in.hers.let_in(ada.http))["code"]
    other = let_in.other
    _alike(await other.exchange(code), await other.exchange(new_token("fpc_")))
    _alike(await other.refresh(let_in.refresh), await other.refresh(new_token("fpr_")))
    assert (await let_in.hers.refresh(let_in.refresh)).status_code == 200


async def test_nobody_takes_back_anothers_token(two: Two, let_in: LetIn) -> None:
    """A program that takes back another's token is refused (RFC 7009), and the token goes on."""
    sent = {"client_id": let_in.other.client["client_id"], "token": let_in.access}
    answer = await two.http.post(visitor.REVOKE, data=sent)
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid_grant"})
    assert (await visitor.use(two.http, let_in.access)).status_code == 200


async def test_a_program_learns_of_its_person_alone(two: Two) -> None:
    """Who somebody is, is told to tokens with that scope alone, and of their own person."""
    told = await two.http.get(
        USERINFO, headers=visitor.bearing(two.settled.secrets["his scopeless token"])
    )
    assert (told.status_code, told.json()["email"]) == (200, "bob@example.org")
    for caller in (*REFUSED, *OTHERS[:7], GUEST):
        answer = await two.ask(caller, Request("GET", USERINFO, {}))
        assert answer.status_code in (401, 403), (caller.name, answer.text)
        assert MARK not in answer.text


async def test_consent_is_the_person_who_is_signed_in(two: Two, let_in: LetIn) -> None:
    """A program that Ada let in is not let in by Bob, whose page says nothing of her."""
    async with browsing_as(two.daemon, two.settled.bob) as bob:
        hers = two.settled.ids["client"]
        page = await bob.http.get(visitor.AUTHORIZE, params=let_in.other.asking())
        assert page.status_code == 200
        assert MARK not in page.text
        silent = await bob.http.get(visitor.AUTHORIZE, params=let_in.hers.asking(prompt="none"))
        assert "location" not in silent.headers
        unknown = await bob.http.get(
            visitor.AUTHORIZE, params=let_in.other.asking(client_id="app_no")
        )
        assert (unknown.status_code, hers in unknown.text) == (400, False)


async def test_a_claim_is_the_agents_own(two: Two) -> None:
    """An agent is claimed by its claim token, which no other credential is; none names a person."""
    before = await two.rows()
    for shown in (two.settled.secrets["her key"], two.settled.secrets["guest"], "clm_never"):
        form = {"grant_type": visitor.CLAIM_GRANT, "claim_token": shown}
        polled = await two.http.post(visitor.TOKEN, data=form)
        assert (polled.status_code, MARK in polled.text) == (400, False), polled.text
        said = {"claim_token": shown, "email": HER_ADDRESS}
        claimed = await two.http.post("/agent/identity/claim", json=said)
        assert (claimed.status_code, claimed.json()["error"]) == (401, "invalid_claim_token")
    assert await two.rows() == before


async def test_whether_somebody_has_an_account_is_not_told(two: Two) -> None:
    """An agent that names Ada is answered as one that names nobody; she alone hears of it."""
    told = []
    for email in (HER_ADDRESS, "nobody@example.org"):
        answer = await (await visitor.introduced(two.http)).claim(email)
        told.append((answer.status_code, sorted(answer.json()), answer.json()["status"]))
    assert told[0] == told[1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("caller", [*OTHERS[2:], GUEST], ids=lambda caller: caller.name)
async def test_no_program_makes_a_link_to_sign_in_by(two: Two, caller: CallerKind) -> None:
    """What signs a browser in is made by the person alone, for that person."""
    made = await two.ask(caller, Request("POST", "/api/v1/sessions/link", {"json": {}}))
    assert made.status_code == 403
    assert "/open" not in made.text


async def test_a_link_signs_in_its_own_person(two: Two) -> None:
    """Bob's link opens Bob's pages, once, and one that never was opens none."""
    headers = {"Cookie": local_cookie(two.daemon)}
    made = await two.http.post("/api/v1/sessions/link", headers=headers)
    url = str(made.json()["url"])
    async with browsing(two.daemon) as browser:
        assert (await browser.get(url.removeprefix(two.daemon.base_url))).status_code == 303
        assert "bob@example.org" in (await browser.get("/settings/account")).text
        assert MARK not in (await browser.get("/")).text
    async with browsing(two.daemon) as other:
        for link in (url.removeprefix(two.daemon.base_url), "/open?link=fpl_never"):
            assert (await other.get(link)).status_code >= 400
        assert other.session is None


async def test_signing_out_ends_ones_own_session(two: Two) -> None:
    """The other person's browser stays signed in."""
    people = two.settled
    async with (
        browsing_as(two.daemon, people.ada) as ada,
        browsing_as(two.daemon, people.bob) as bob,
    ):
        form = (await bob.page("/settings/account")).forms[0]
        assert (await bob.post("/sign-out", {"form_token": form["form_token"]})).status_code == 303
        assert (await bob.get("/settings/account")).status_code == 303
        assert (await ada.get("/settings/account")).status_code == 200
