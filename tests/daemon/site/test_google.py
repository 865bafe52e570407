"""Signing in with Google: against an issuer on a real socket, which tells the truth or attacks."""

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from aiohttp import web

from finplan.daemon.auth.google import (
    FAILED_FOR,
    LARGEST_ANSWER,
    GoogleSignIn,
    NotIdentified,
    _identity,
    _is_issuer,
)
from finplan.daemon.process import CANNOT_START, _google
from finplan.daemon.surfaces.site.visit import CLIENTS_FAILURES, DEPARTURES, Throttle
from finplan.service.credentials.google import GoogleIdentity
from finplan.settings import load_settings
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.daemon.site.browsing import (
    PASSWORD,
    Page,
    Visitor,
    browsing,
    invite_of,
    page_in,
    signed_in,
)
from tests.daemon.site.fake_issuer import ADA, CLIENT, SECRET, FakeIssuer, new_key, serving_issuer
from tests.daemon.site.test_pages import compare
from tests.patience import LONG_ENOUGH

ACCOUNT, START, CALLBACK = "/settings/account", "/sign-in/google", "/sign-in/google/callback"
GRACE = {"sub": "2", "email": "grace@gmail.example", "email_verified": True, "name": "Grace H."}
OWNER = "ada@localhost"


@dataclass
class Clock:
    """A clock that the test moves."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Scene:
    """A daemon whose people may sign in with an issuer, and a browser of nobody."""

    issuer: FakeIssuer
    daemon: RunningDaemon
    browser: Visitor
    clock: Clock
    seconds: list[float]

    async def start(self, path: str = START, browser: Visitor | None = None) -> httpx.Response:
        return await (browser or self.browser).get(path, **{"Sec-Fetch-Site": "same-origin"})

    async def answer(self, started: httpx.Response) -> str:
        """Where Google leads back to whom it was led to."""
        assert started.status_code == 303, started.text
        async with httpx.AsyncClient(trust_env=False, verify=False) as http:
            led = await http.get(started.headers["location"])
        assert led.status_code == 302, led.text
        return str(led.headers["location"]).removeprefix(self.daemon.base_url)

    async def back(self, way: str, browser: Visitor | None = None, **also: str) -> httpx.Response:
        led = {"Sec-Fetch-Site": "cross-site", **also}
        return await (browser or self.browser).get(way, **led)

    async def walk(self, path: str = START, browser: Visitor | None = None) -> httpx.Response:
        return await self.back(await self.answer(await self.start(path, browser)), browser)

    async def connect(self, browser: Visitor) -> httpx.Response:
        """Connect the account of whom a browser is of, by the way on its page."""
        return await self.walk(await way_to_connect(browser), browser)

    async def told(self) -> list[tuple[str, str]]:
        events = (await self.daemon.http.get("/api/v1/audit")).json()
        return [(event["kind"], event["text"]) for event in events]

    async def told_of(self, kind: str) -> str:
        """What the record says of the newest event of a kind."""
        return next(text for each, text in await self.told() if each == kind)


async def way_to_google(browser: Visitor, page: str) -> str:
    """Where the one button of a page leads that leads to Google."""
    ways = (await browser.page(page)).values("href")
    (way,) = (way for way in ways if way.startswith(START))
    return way


async def way_to_connect(browser: Visitor) -> str:
    way = await way_to_google(browser, ACCOUNT)
    assert way.startswith(f"{START}?connect=")
    return way


@pytest.fixture
async def issuer() -> AsyncIterator[FakeIssuer]:
    async with serving_issuer() as running:
        yield running


@pytest.fixture
async def scene(
    request: pytest.FixtureRequest, tmp_path: Path, empty_store: Path, issuer: FakeIssuer
) -> AsyncIterator[Scene]:
    """A daemon that takes invites alone, unless the test says otherwise."""
    clock = Clock()
    seconds = [1000.0]
    google = GoogleSignIn(issuer.url, CLIENT, SECRET, clock=lambda: seconds[0])
    registration = getattr(request, "param", "invite")
    async with (
        running_daemon(
            tmp_path / "google",
            empty_store,
            google=google,
            registration=registration,
            clock=clock,
            throttle=Throttle(lambda: seconds[0]),
        ) as daemon,
        browsing(daemon) as browser,
    ):
        yield Scene(issuer, daemon, browser, clock, seconds)


@pytest.fixture
async def connected(scene: Scene) -> Scene:
    """A scene whose owner has connected a Google account."""
    async with signed_in(scene.daemon) as browser:
        done = await scene.connect(browser)
        assert done.headers["location"] == f"{ACCOUNT}?done=google-connected", done.text
    return scene


def said(answer: httpx.Response) -> str:
    return Page(answer.text).said


# --- off -------------------------------------------------------------------------------------------


async def test_google_is_off_without_a_client(daemon: RunningDaemon, visitor: Visitor) -> None:
    """No page speaks of it, and neither path is there."""
    for path in (START, f"{CALLBACK}?code=x&state=y"):
        assert (await visitor.get(path)).status_code == 404
    link = await invite_of(daemon)
    assert "Google" not in (await visitor.page("/sign-in")).said
    assert "Google" not in (await visitor.page(link)).said
    await visitor.open()
    assert "Google" not in (await visitor.page(ACCOUNT)).said


# --- in --------------------------------------------------------------------------------------------


async def test_whom_google_knows_is_signed_in(connected: Scene) -> None:
    """The button leads to Google and back into an own session, to the page that was wanted."""
    browser = connected.browser
    wanted = (await browser.get("/settings/activity?before=5")).headers["location"]
    done = await connected.walk(await way_to_google(browser, wanted))

    assert (done.status_code, done.headers["location"]) == (303, "/settings/activity?before=5")
    assert done.headers["referrer-policy"] == "no-referrer"
    assert OWNER in (await browser.page(ACCOUNT)).said
    assert "with Google" in await connected.told_of("session.opened")


async def test_what_google_is_told_and_keeps(connected: Scene) -> None:
    """The way has state, nonce and PKCE; what the callback needs is sealed, for ten minutes."""
    started = await connected.start()
    way = urlsplit(started.headers["location"])
    told = {name: values[0] for name, values in parse_qs(way.query).items()}
    cookie = started.headers["set-cookie"]

    assert f"{way.scheme}://{way.netloc}{way.path}" == f"{connected.issuer.url}/authorize"
    assert told["redirect_uri"] == f"{connected.daemon.base_url}{CALLBACK}"
    assert len(told["state"]) == len(told["nonce"]) == len(told["code_challenge"]) == 43
    assert told["code_challenge_method"] == "S256"
    assert started.headers["cache-control"] == "no-store"
    assert f"{connected.browser.cookie}_google=" in cookie
    for word in ("HttpOnly", "Max-Age=600", "Path=/", "SameSite=Lax"):
        assert word in cookie
    for secret in (told["state"], told["nonce"], SECRET):
        assert secret not in cookie
    again = await connected.start()
    assert told["state"] not in again.headers["location"]
    assert told["nonce"] not in again.headers["location"]


async def test_under_https_the_cookie_is_of_this_host_alone(
    tmp_path: Path, empty_store: Path, issuer: FakeIssuer
) -> None:
    """It is sent encrypted, and Google leads back to the site's own address."""
    google = GoogleSignIn(issuer.url, CLIENT, SECRET)
    site = "https://money.example"
    async with (
        running_daemon(tmp_path, empty_store, google=google, site_url=site) as daemon,
        browsing(daemon) as browser,
    ):
        started = await browser.get(START)
    cookie = started.headers["set-cookie"]

    assert cookie.startswith("__Host-finplan_google=")
    assert "Secure" in cookie
    assert "money.example%2Fsign-in%2Fgoogle%2Fcallback" in started.headers["location"]


async def test_who_is_invited_joins_with_google(scene: Scene) -> None:
    """The page of an invite leads to Google, and the account has its address and name."""
    scene.issuer.person = dict(GRACE)
    link = await invite_of(scene.daemon)
    way = await way_to_google(scene.browser, link)
    done = await scene.walk(way)

    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert "as Grace H." in (await scene.browser.page(ACCOUNT)).said
    joined = await scene.told_of("person.joined")
    for part in ("grace@gmail.example", "an invite", "with Google"):
        assert part in joined
    async with browsing(scene.daemon) as another:
        assert (await scene.walk(browser=another)).headers["location"] == "/"
        scene.issuer.person = {**GRACE, "sub": "3", "email": "eve@gmail.example"}
        again = await scene.walk(way, another)
    assert "already used" in page_in(again, 401).said


async def test_an_invite_for_an_address_is_for_no_other(scene: Scene) -> None:
    """Google's address has to be the invite's, whatever its case; else the invite stays good."""
    link = await invite_of(scene.daemon, email="Grace@Gmail.example")
    way = f"{START}?{urlsplit(link).query}"
    refused = await scene.walk(way)
    scene.issuer.person = dict(GRACE)
    joined = await scene.walk(way)

    assert "only for Grace@Gmail.example." in page_in(refused, 403).said
    assert joined.status_code == 303


@pytest.mark.parametrize("scene", ["open"], indirect=True)
async def test_anybody_joins_where_that_is_open(scene: Scene) -> None:
    """Signing in is joining there; a name that no name can be is left out, a wrong invite is wrong."""
    scene.issuer.person = {**GRACE, "name": "\u202e"}
    wrong = await scene.walk(f"{START}?invite=fpi_wrong")
    done = await scene.walk()

    assert (wrong.status_code, done.status_code) == (401, 303)
    assert "Signed in as grace@gmail.example" in (await scene.browser.page("/")).said


async def test_nobody_joins_uninvited(scene: Scene) -> None:
    """Who has no account is told what to do, and the owner of the machine that somebody tried."""
    refused = await scene.walk()

    assert "is not connected to a finplan account" in page_in(refused, 403).said
    assert scene.browser.session is None
    ((kind, said), *_) = await scene.told()
    assert (kind, "not connected" in said) == ("sign_in.failed", True)


@pytest.mark.parametrize("scene", ["open", "invite"], indirect=True)
async def test_an_address_lets_nobody_in(scene: Scene) -> None:
    """Another Google account with the address of a person is not that person, nor becomes one."""
    await scene.daemon.http.patch("/api/v1/me", json={"email": "ADA@gmail.example"})
    invite = urlsplit(await invite_of(scene.daemon)).query
    refused = await scene.walk(f"{START}?{invite}")

    assert "under Settings, Account" in page_in(refused, 409).said
    assert scene.browser.session is None
    assert len((await scene.daemon.http.get("/api/v1/people")).json()) == 1
    scene.issuer.person = dict(GRACE)
    assert (await scene.walk(f"{START}?{invite}")).status_code == 303


async def test_the_subject_is_the_person(connected: Scene) -> None:
    """Whoever's address changed with Google is the same person; another subject is another one."""
    connected.issuer.person = {**ADA, "email": "new@gmail.example"}
    assert (await connected.walk()).status_code == 303
    await connected.browser.http.aclose()

    connected.issuer.person = {**ADA, "sub": f"{ADA['sub']}0"}
    async with browsing(connected.daemon) as another:
        assert (await connected.walk(browser=another)).status_code == 403
        assert another.session is None


async def test_the_pages_that_lead_to_google(scene: Scene) -> None:
    """Each page is the golden one."""
    compare("sign-in-google", (await scene.browser.get("/sign-in")).text)
    async with signed_in(scene.daemon) as owner:
        await scene.connect(owner)
        compare("account-connected", (await owner.get(f"{ACCOUNT}?done=google-connected")).text)


# --- connecting ------------------------------------------------------------------------------------


async def test_an_account_is_connected_and_disconnected(connected: Scene) -> None:
    """Both stand in the record; afterwards Google lets the person in no longer."""
    await connected.walk()
    assert "You sign in" in (await connected.browser.page(ACCOUNT)).said
    done = await connected.browser.act(ACCOUNT, "disconnect-google")

    assert done.headers["location"] == f"{ACCOUNT}?done=google-disconnected"
    kinds = [kind for kind, _ in await connected.told()]
    assert {"google.connected", "google.disconnected"} <= set(kinds)
    async with browsing(connected.daemon) as another:
        assert (await connected.walk(browser=another)).status_code == 403


async def test_the_last_way_in_stays(scene: Scene) -> None:
    """Who has no password cannot disconnect Google, unless the machine is theirs."""
    scene.issuer.person = dict(GRACE)
    await scene.walk(f"{START}?{urlsplit(await invite_of(scene.daemon)).query}")
    page = await scene.browser.page(ACCOUNT)
    token = page.forms[0]["form_token"]
    assert "before you disconnect" in page.said
    sent = {"form_token": token, "do": "disconnect-google"}
    refused = await scene.browser.post(ACCOUNT, sent)
    assert "a password first" in page_in(refused, 409).said

    await scene.browser.act(ACCOUNT, "set-password", password=PASSWORD, again=PASSWORD)
    assert (await scene.browser.act(ACCOUNT, "disconnect-google")).status_code == 303
    again = await scene.browser.post(ACCOUNT, sent)
    assert "No Google account" in page_in(again, 409).said


async def test_one_google_account_is_of_one_person(connected: Scene) -> None:
    """Nobody connects what lets somebody else in."""
    async with browsing(connected.daemon) as grace:
        form = {"email": "grace@example.org", "password": PASSWORD, "again": PASSWORD}
        invite = (await invite_of(connected.daemon)).partition("=")[2]
        await grace.post("/join", {**form, "invite": invite})
        taken = await connected.connect(grace)
        assert "Someone else here" in page_in(taken, 409).said


async def test_two_ways_to_connect_make_one_connection(scene: Scene) -> None:
    """Of two that were begun, the second finds an account that is connected to another already."""
    async with signed_in(scene.daemon) as owner:
        way = await way_to_connect(owner)
        first = await scene.answer(await scene.start(way, owner))
        name = f"{owner.cookie}_google"
        kept = owner.http.cookies[name]
        assert (await scene.walk(way, owner)).status_code == 303
        scene.issuer.person = dict(GRACE)
        owner.http.cookies.set(name, kept, domain="127.0.0.1", path="/")
        refused = await scene.back(first, owner)

        assert "that Google account first." in page_in(refused, 409).said


async def test_nobody_is_made_to_connect(scene: Scene) -> None:
    """Only the own page leads to connecting: not a guess, not another's proof, not a form's, no site."""
    async with signed_in(scene.daemon) as owner, browsing(scene.daemon) as stranger:
        page = await owner.page(ACCOUNT)
        way = await way_to_connect(owner)
        for wrong in ("", "x", "ü", page.forms[0]["form_token"][0]):
            assert (await scene.start(f"{START}?connect={wrong}", owner)).status_code == 403, wrong
        assert (await scene.start(way, stranger)).status_code == 403
        for site in ("cross-site", "same-site"):
            refused = await owner.get(way, **{"Sec-Fetch-Site": site})
            assert refused.status_code == 403
    assert scene.issuer.asked == []


async def test_a_session_that_ended_meanwhile_connects_nothing(scene: Scene) -> None:
    """Who comes back as somebody else, or as nobody, has connected nothing."""
    async with signed_in(scene.daemon) as owner:
        way = await scene.answer(await scene.start(await way_to_connect(owner), owner))
        await owner.open()
        refused = await scene.back(way, owner)

        assert "signed out meanwhile" in page_in(refused, 403).said
        assert "Connect Google" in (await owner.page(ACCOUNT)).said


@pytest.mark.parametrize("then", ["grace", "nobody"])
async def test_a_connection_is_of_the_one_account_that_began_it(scene: Scene, then: str) -> None:
    """Whoever uses the browser when Google answers is not connected to what somebody else began."""
    form = {"email": "grace@example.org", "password": PASSWORD, "again": PASSWORD}
    invite = (await invite_of(scene.daemon)).partition("=")[2]
    async with signed_in(scene.daemon) as shared, browsing(scene.daemon) as elsewhere:
        way = await scene.answer(await scene.start(await way_to_connect(shared), shared))
        sent = (await shared.page(ACCOUNT)).forms[0]
        assert (await shared.post("/sign-out", sent)).headers["location"] == "/sign-in"
        if then == "grace":
            assert (await shared.post("/join", {**form, "invite": invite})).status_code == 303
        refused = await scene.back(way, shared)

        assert "signed out meanwhile" in page_in(refused, 403).said
        assert "google.connected" not in [kind for kind, _ in await scene.told()]
        # Neither of the two comes in by it.
        assert (await scene.walk(browser=elsewhere)).status_code == 403
        if then == "grace":
            assert "Connect Google" in (await shared.page(ACCOUNT)).said


# --- attacks ---------------------------------------------------------------------------------------


async def test_an_answer_is_for_the_browser_that_asked(connected: Scene) -> None:
    """Login CSRF: what another browser began, or nobody, signs nobody in, with a cookie or without."""
    way = await connected.answer(await connected.start())
    async with browsing(connected.daemon) as victim:
        bare = await connected.back(way, victim)
        await connected.start(browser=victim)
        own = await connected.back(way, victim)
        assert victim.session is None
    for refused in (bare, own):
        assert "another browser" in page_in(refused, 400).said
    # The one that connected the account.
    assert connected.issuer.asked.count("/token") == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("state", ["", "x", "ü", "%ff"])
async def test_a_wrong_state_is_refused(connected: Scene, state: str) -> None:
    """Also where it is missing; the errand is over then."""
    way = await connected.answer(await connected.start())
    code = parse_qs(urlsplit(way).query)["code"][0]
    refused = await connected.back(f"{CALLBACK}?code={code}&state={state}")

    assert refused.status_code == 400
    assert connected.browser.session is None
    assert (await connected.back(way)).status_code == 400


@pytest.mark.sampled(3)
@pytest.mark.parametrize("cookie", ["x", "", "AAAA", "ü", "AQ" + "A" * 60])
async def test_a_cookie_that_was_made_up_is_none(connected: Scene, cookie: str) -> None:
    """What is not sealed here is no errand."""
    way = await connected.answer(await connected.start())
    shown = f"{connected.browser.cookie}_google={cookie}".encode("latin-1")
    connected.browser.http.cookies.clear()
    refused = await connected.browser.http.get(way, headers=[(b"Cookie", shown)])

    assert refused.status_code == 400


async def test_a_callback_is_taken_once(connected: Scene) -> None:
    """The errand goes with its answer; who kept its cookie finds the code used up."""
    way = await connected.answer(await connected.start())
    name = f"{connected.browser.cookie}_google"
    kept = connected.browser.http.cookies[name]
    assert (await connected.back(way)).status_code == 303
    assert name not in connected.browser.http.cookies
    async with browsing(connected.daemon) as another:
        assert (await connected.back(way, another)).status_code == 400
        another.http.cookies.set(name, kept, domain="127.0.0.1", path="/")
        replayed = await connected.back(way, another)
        assert (replayed.status_code, another.session) == (401, None)
        assert "already used" in said(replayed)


async def test_one_has_ten_minutes(connected: Scene) -> None:
    """To the millisecond, whatever the browser keeps."""
    way = await connected.answer(await connected.start())
    connected.clock.now += timedelta(minutes=10)
    late = await connected.back(way)
    assert "more than 10 minutes" in page_in(late, 400).said

    way = await connected.answer(await connected.start())
    connected.clock.now += timedelta(minutes=10, milliseconds=-1)
    connected.issuer.claims = {
        "iat": int(connected.clock.now.timestamp()),
        "exp": int(connected.clock.now.timestamp()) + 10,
    }
    assert (await connected.back(way)).status_code == 303


_NOW = int(NOW.timestamp())


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("claims", "what"),
    [
        ({"nonce": "another"}, "it belongs to another request"),
        ({"nonce": None}, "it belongs to another request"),
        ({"nonce": 5}, "it belongs to another request"),
        ({"aud": "other.apps.example"}, "it is for another app"),
        ({"aud": None}, "it is for another app"),
        ({"aud": ["other", "another"]}, "it is for another app"),
        ({"aud": [CLIENT, "other"], "azp": None}, "it is for another app"),
        ({"azp": "other.apps.example"}, "it is for another app"),
        ({"iss": "https://accounts.google.com"}, "the issuer is wrong"),
        ({"iss": None}, "the issuer is wrong"),
        ({"exp": _NOW - 60}, "it has expired"),
        ({"exp": None}, "it has expired"),
        ({"exp": "soon"}, "it has expired"),
        ({"iat": _NOW + 61}, "it has expired"),
        ({"iat": None}, "it has expired"),
        ({"sub": None}, "it does not say whose account it is for"),
        ({"sub": ""}, "it does not say whose account it is for"),
        ({"sub": 5}, "it does not say whose account it is for"),
        ({"sub": "x" * 256}, "it does not say whose account it is for"),
        ({"email_verified": False}, "has not verified"),
        ({"email_verified": None}, "has not verified"),
        ({"email_verified": "true"}, "has not verified"),
        ({"email": None}, "has not verified"),
    ],
)
async def test_no_claim_may_be_wrong(connected: Scene, claims: dict[str, Any], what: str) -> None:
    """Each claim is looked at, and the failure is recorded."""
    connected.issuer.claims = claims
    refused = await connected.walk()

    assert what in page_in(refused, 401).said
    assert connected.browser.session is None
    ((kind, said), *_) = await connected.told()
    assert (kind, "could not be verified" in said) == ("sign_in.failed", True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "claims",
    [
        {"aud": [CLIENT]},
        {"aud": [CLIENT, "other"]},
        {"azp": None},
        {"exp": _NOW - 59},
        {"iat": _NOW + 60},
    ],
)
async def test_what_is_said_otherwise_holds(connected: Scene, claims: dict[str, Any]) -> None:
    """A list of programs is fine where it names the party, and clocks may differ by a minute."""
    connected.issuer.claims = claims

    assert (await connected.walk()).status_code == 303


def test_a_subject_has_as_many_letters_as_the_standard_allows() -> None:
    """255 of them; the name of a person may be missing."""
    claims = {"sub": "x" * 255, "email": "ada@gmail.example", "email_verified": True}

    assert _identity(claims) == GoogleIdentity("x" * 255, "ada@gmail.example", None)


def test_google_says_its_name_in_two_ways() -> None:
    """With the scheme, and without."""
    for name in ("https://accounts.google.com", "accounts.google.com"):
        assert _is_issuer(name, "https://accounts.google.com")
    for other in ("http://accounts.google.com", "google.com", None, 5):
        assert not _is_issuer(other, "https://accounts.google.com")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("signing", ["none", "HS256", "forged", "RS512"])
async def test_a_signature_that_is_none_signs_nobody_in(connected: Scene, signing: str) -> None:
    """Not `none`, not the public key as a secret, not another algorithm than is published."""
    connected.issuer.signing = signing
    refused = await connected.walk()

    assert refused.status_code == 401
    assert connected.browser.session is None


async def test_an_unknown_key_is_asked_for_once(connected: Scene) -> None:
    """After a change of keys one more look finds the new one; a key that is not published is none."""
    before = connected.issuer.asked.count("/keys")
    connected.issuer.key = new_key("second")
    assert (await connected.walk()).status_code == 303
    assert connected.issuer.asked.count("/keys") == before + 1

    async with browsing(connected.daemon) as another:
        connected.issuer.keys, connected.issuer.key = [connected.issuer.key], new_key("third")
        refused = await connected.walk(browser=another)
        assert "not published" in page_in(refused, 401).said
        assert connected.issuer.asked.count("/keys") == before + 2
        assert another.session is None


async def test_a_key_without_a_name_is_the_only_one(connected: Scene) -> None:
    """A token that names no key is fine where there is one."""
    connected.issuer.signing = "nameless"
    assert (await connected.walk()).status_code == 303


async def test_of_several_keys_a_token_names_one(scene: Scene) -> None:
    """Else none is tried."""
    scene.issuer.signing = "nameless"
    scene.issuer.keys = [scene.issuer.key, new_key("other")]
    refused = await scene.walk()

    assert "not published" in page_in(refused, 401).said


async def test_another_clients_code_is_refused(connected: Scene) -> None:
    """A code that was given to another program, or to another browser, is none here."""
    mine = await connected.answer(await connected.start())
    async with browsing(connected.daemon) as another:
        theirs = await connected.answer(await connected.start(browser=another))
    code = parse_qs(urlsplit(theirs).query)["code"][0]
    state = parse_qs(urlsplit(mine).query)["state"][0]
    refused = await connected.back(f"{CALLBACK}?code={code}&state={state}")

    assert refused.status_code == 401
    assert connected.browser.session is None


async def test_a_client_that_google_does_not_know_is_told(connected: Scene) -> None:
    """Whose secret is another one hears what to look at, and the secret is not told."""
    connected.issuer.client = "another.apps.example"
    refused = await connected.walk()

    assert "google_client_id" in page_in(refused, 503).said
    assert SECRET not in refused.text


@pytest.mark.parametrize("iss", ["https://evil.example", ""])
async def test_an_answer_of_another_issuer_is_refused(connected: Scene, iss: str) -> None:
    """Mix-up: its code is told to nobody."""
    connected.issuer.back = {"iss": iss}
    refused = await connected.walk()

    assert refused.status_code == 401
    assert connected.issuer.asked.count("/token") == 1


async def test_an_answer_may_leave_its_issuer_out_unless_it_always_says_it(scene: Scene) -> None:
    """Where it is published that the issuer is named, an answer without is refused."""
    scene.issuer.back = {"iss": None}
    assert (await scene.walk()).status_code == 403
    again = GoogleSignIn(scene.issuer.url, CLIENT, SECRET)
    scene.issuer.published = {"authorization_response_iss_parameter_supported": True}
    with pytest.raises(NotIdentified, match="does not say who"):
        await again.check_issuer(None)
    await again.check_issuer(scene.issuer.url)


async def test_who_refuses_at_google_is_not_signed_in(connected: Scene) -> None:
    """An answer without a code is the person's no, and is told as such."""
    connected.issuer.back = {"code": None, "error": "access_denied"}
    refused = await connected.walk()

    assert "Nothing changed" in page_in(refused, 403).said


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_no_other_site_begins_it(scene: Scene, site: str) -> None:
    """Nobody joins, or is signed in, because a page of another site leads there."""
    refused = await scene.browser.get(f"{START}?invite=x", **{"Sec-Fetch-Site": site})

    assert refused.status_code == 403
    assert "set-cookie" not in refused.headers
    assert (await scene.browser.http.head(START)).status_code == 405


async def test_nobody_is_led_elsewhere(connected: Scene) -> None:
    """Where one is led after signing in is a page of this site, and none of its handlers."""
    for path in (
        "//evil.example",
        "/sign-in/google",
        "/sign-in/google/callback?code=x",
        "/a" * 600,
    ):
        async with browsing(connected.daemon) as browser:
            done = await connected.walk(f"{START}?return_to={path}", browser)
            assert (done.status_code, done.headers["location"]) == (303, "/"), path


async def test_who_is_signed_in_is_led_on(connected: Scene) -> None:
    """Who needs no Google is not sent there; an invite is taken all the same."""
    await connected.walk()
    on = await connected.start(f"{START}?return_to=/settings/people")
    assert (on.status_code, on.headers["location"]) == (303, "/settings/people")
    invited = await connected.start(f"{START}?invite=x")
    assert invited.headers["location"].startswith(connected.issuer.url)
    assert (await connected.start(f"{START}?invite={'x' * 200}")).status_code == 303
    long = await connected.start(f"{START}?invite={'x' * 201}")
    assert long.status_code == 400


async def test_one_client_fails_few_times(connected: Scene) -> None:
    """After twenty failures in a quarter of an hour a client is refused; a success is none."""
    for _ in range(2):
        async with browsing(connected.daemon) as browser:
            assert (await connected.walk(browser=browser)).status_code == 303
    for _ in range(CLIENTS_FAILURES):
        assert (await connected.back(f"{CALLBACK}?state=x")).status_code == 400
    refused = await connected.back(f"{CALLBACK}?state=x")

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "900")


# --- an issuer that fails --------------------------------------------------------------------------


async def test_an_issuer_that_is_away_is_told(tmp_path: Path, empty_store: Path) -> None:
    """A page says so with 503, and a program gets an envelope."""
    google = GoogleSignIn("http://127.0.0.1:1", CLIENT, SECRET)
    async with (
        running_daemon(tmp_path, empty_store, google=google) as daemon,
        browsing(daemon) as browser,
    ):
        page = await browser.get(START)
        program = await browser.get(START, accept="*/*")
    assert "cannot reach Google" in page_in(page, 503).said
    assert (program.status_code, program.json()["code"]) == (503, "SERVICE_UNAVAILABLE")


def _elsewhere(_request: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": "http://127.0.0.1:1/"})


def _endless(_request: web.Request) -> web.Response:
    return web.Response(body=b"[" + b" " * LARGEST_ANSWER)


def _broken(_request: web.Request) -> web.Response:
    return web.Response(body=b"[" * 100_000)


def _list(_request: web.Request) -> web.Response:
    return web.json_response([])


def _failing(_request: web.Request) -> web.Response:
    return web.Response(status=500, text="<h1>Sorry</h1>")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("answer", [_elsewhere, _endless, _broken, _list, _failing])
@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys", "/token"])
async def test_what_cannot_be_understood_is_told(scene: Scene, answer: Any, path: str) -> None:
    """No redirect is followed, no more is read than fits, and no nonsense stumbles."""
    scene.issuer.answer = lambda request: answer(request) if request.path == path else None
    started = await scene.start()
    if path == "/token":
        started = await scene.back(await scene.answer(started))

    assert "cannot read" in page_in(started, 503).said
    scene.issuer.answer = lambda _request: None
    scene.seconds[0] += FAILED_FOR
    assert (await scene.walk()).status_code == 403


async def test_all_who_wait_share_one_try(scene: Scene) -> None:
    """An issuer that fails is asked once by all who come within half a minute, and then anew."""
    scene.issuer.answer = _failing
    together = await asyncio.gather(*(scene.start() for _ in range(5)))
    scene.issuer.answer = lambda _request: None
    scene.seconds[0] += FAILED_FOR - 0.001
    still = await scene.start()

    assert [answer.status_code for answer in (*together, still)] == [503] * 6
    assert {said(answer) for answer in together} == {said(still)}
    assert len(scene.issuer.asked) == 1
    scene.seconds[0] += 0.001
    assert (await scene.start()).status_code == 303
    assert (await scene.start()).status_code == 303
    assert len(scene.issuer.asked) == 3


async def test_what_was_published_holds_while_nothing_new_is_read(connected: Scene) -> None:
    """A look for a key that nobody has published, and that fails, keeps nobody else from going."""
    connected.issuer.answer = lambda request: _failing(request) if request.path == "/keys" else None
    connected.issuer.key = new_key("second")
    assert (await connected.walk()).status_code == 503

    assert (await connected.start()).status_code == 303


async def test_one_client_is_sent_to_google_only_so_often(scene: Scene) -> None:
    """Sixty times in a quarter of an hour; then it is told when to come again, and Google nothing."""
    for _ in range(DEPARTURES):
        assert (await scene.start()).status_code == 303
    refused = await scene.start()

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "900")
    assert "Wait 15 minutes" in said(refused)
    program = await scene.browser.get(START, accept="*/*")
    assert (program.status_code, program.json()["code"]) == (429, "TOO_MANY_REQUESTS")


@pytest.mark.parametrize(("size", "status"), [(LARGEST_ANSWER, 303), (LARGEST_ANSWER + 1, 503)])
async def test_what_is_read_is_bounded(scene: Scene, size: int, status: int) -> None:
    """To the byte, however sound the rest would be."""
    keys = json.dumps({"keys": [scene.issuer.key.as_dict(private=False)]}).ljust(size)
    scene.issuer.answer = lambda request: (
        web.Response(text=keys) if request.path == "/keys" else None
    )

    assert (await scene.start()).status_code == status


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "published",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"token_endpoint": "http://10.0.0.1/token"},
        {"token_endpoint": None},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "https://ada@evil.example/"},
        {"authorization_endpoint": ["https://evil.example/"]},
    ],
)
async def test_what_is_published_is_looked_at(scene: Scene, published: dict[str, Any]) -> None:
    """Another issuer's documents, and places that nothing may be told to in clear, are refused."""
    scene.issuer.published = published

    assert (await scene.start()).status_code == 503


def test_an_encrypted_issuer_names_no_place_in_clear() -> None:
    """Not even on this machine; one of this machine may name both."""
    far, near = (
        GoogleSignIn(issuer, CLIENT, SECRET)
        for issuer in ("https://accounts.google.com", "http://127.0.0.1:1")
    )
    assert not far._may_ask("http://127.0.0.1/token")
    assert near._may_ask("http://127.0.0.1/token")
    assert far._may_ask("https://oauth2.googleapis.com/token")


async def test_what_is_published_holds_for_an_hour(issuer: FakeIssuer) -> None:
    """Within it nothing is asked again, and from then on it is."""
    now = [0.0]
    google = GoogleSignIn(issuer.url, CLIENT, SECRET, clock=lambda: now[0])
    for now[0], times in ((0.0, 1), (3599.0, 1), (3600.0, 2)):
        await google.check_issuer(None)
        assert issuer.asked.count("/keys") == times, now


# --- secrets ---------------------------------------------------------------------------------------


async def test_no_secret_is_logged_or_kept(
    connected: Scene, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """Neither the client's secret nor a code, a state, or what Google said is in logs or the store."""
    with caplog.at_level(logging.DEBUG, "finplan"):
        way = await connected.answer(await connected.start())
        await connected.back(way)
        connected.issuer.claims = {"nonce": "another"}
        async with browsing(connected.daemon) as another:
            await connected.walk(browser=another)
    told = parse_qs(urlsplit(way).query)
    kept = _stored(tmp_path)
    for secret in (SECRET, told["code"][0], told["state"][0], str(ADA["email"])):
        assert secret not in caplog.text
        assert secret.encode() not in kept
    assert SECRET not in repr(GoogleSignIn(connected.issuer.url, CLIENT, SECRET))
    lines = [record.getMessage() for record in caplog.records if record.name == "finplan.access"]
    assert {line.split(" ")[1] for line in lines} == {START, CALLBACK}


def _stored(folder: Path) -> bytes:
    files = list(folder.glob("*/finplan.db*"))
    assert files
    return b"".join(file.read_bytes() for file in files)


@pytest.mark.thorough
def test_a_client_without_its_secret_keeps_the_daemon_from_starting(tmp_path: Path) -> None:
    """It is told where the secret belongs; with it, the daemon knows its issuer and client."""
    environ = {"FINPLAN_HOME": str(tmp_path), "FINPLAN_GOOGLE_CLIENT_ID": CLIENT}
    settings = load_settings(environ=environ)
    run = subprocess.run(
        [sys.executable, "-m", "finplan.daemon", "--foreground"],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_ENOUGH,
    )
    assert (run.returncode, "google_client_secret" in run.stderr) == (CANNOT_START, True)

    file = settings.places.google_client_secret
    file.write_text(SECRET)
    file.chmod(0o600)
    google = _google(settings)
    assert google is not None
    assert (google.issuer, google.client_id, google.secret) == (
        "https://accounts.google.com",
        CLIENT,
        SECRET,
    )
    assert _google(load_settings(environ={"FINPLAN_HOME": str(tmp_path)})) is None
