"""Coming in through the browser: by a password, by the machine's link, by an invite, and out again.

One joins by the link of an invite, or where anybody may; and in no other way.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.client.sign_in_page import page_proof
from finplan.daemon.surfaces.site.handlers import local_path
from finplan.daemon.surfaces.site.visit import CLIENTS_FAILURES, PERSONS_FAILURES, Throttle
from finplan.model.base import Nothing
from finplan.operation import AnyOperation
from finplan.operations.credential import END_SESSION
from finplan.operations.person import DELETE_ME
from finplan.service import dispatch
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.daemon.site.browsing import (
    PASSWORD,
    Page,
    Visitor,
    browsing,
    invite_of,
    link_of,
    page_in,
    signed_in,
)
from tests.daemon.test_limits import Clock

OWNER = "ada@localhost"
WRONG = "Wrong address or password."


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def guarded(tmp_path: Path, empty_store: Path, clock: Clock) -> AsyncIterator[Visitor]:
    """A browser in front of a daemon whose owner has a password, and whose patience is timed."""
    async with (
        running_daemon(tmp_path / "guarded", empty_store, throttle=Throttle(clock)) as daemon,
        browsing(daemon) as browser,
    ):
        await daemon.http.put("/api/v1/me/password", json={"password": PASSWORD})
        yield browser


@pytest.fixture
async def with_password(daemon: RunningDaemon, visitor: Visitor) -> Visitor:
    """A browser in front of a daemon whose owner has a password."""
    await daemon.http.put("/api/v1/me/password", json={"password": PASSWORD})
    return visitor


async def audit(daemon: RunningDaemon) -> list[str]:
    return [event["kind"] for event in (await daemon.http.get("/api/v1/audit")).json()]


async def test_a_password_signs_in(with_password: Visitor) -> None:
    """The right password begins a session, whatever the letters' case of the address."""
    answer = await with_password.sign_in(" ADA@localhost ")

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert (await with_password.get("/settings/account")).status_code == 200


async def test_the_cookie_is_the_hosts_alone(with_password: Visitor) -> None:
    """No script reads it, no other site sends it, no other host gets it, and it ends with a month."""
    given = (await with_password.sign_in(OWNER)).headers["set-cookie"]

    name, *told = given.split("; ")
    assert name.startswith(f"{with_password.cookie}=fps_")
    assert set(told) == {"HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"}


async def test_an_encrypted_site_encrypts_its_cookie(tmp_path: Path, empty_store: Path) -> None:
    """Behind https the cookie is Secure, and of a name that only this very host can set."""
    async with running_daemon(tmp_path, empty_store, site_url="https://plan.example.org") as daemon:
        there = {"Host": "plan.example.org"}
        made = (await daemon.http.post("/api/v1/sessions/link", headers=there)).json()
        way = made["url"].removeprefix("https://plan.example.org")
        given = (await daemon.http.get(way, headers=there)).headers["set-cookie"]
        left = await daemon.http.get("/", headers=there)

    name, *told = given.split("; ")
    assert name.startswith("__Host-finplan=fps_")
    assert set(told) == {"HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"}
    # The cookie is not sent over what is not encrypted.
    assert left.status_code == 401


@pytest.mark.parametrize("email", [OWNER, "nobody@example.org", "", "x" * 5000])
async def test_what_is_wrong_is_not_told(with_password: Visitor, email: str) -> None:
    """A known address and an unknown one are answered alike, on the same page, and recorded."""
    answer = await with_password.sign_in(email, "not this one")

    page = Page(answer.text)
    assert answer.status_code == 401
    assert WRONG in page.said
    assert with_password.session is None
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert "not this one" not in answer.text
    assert (await audit(with_password.daemon))[0] == "sign_in.failed"


async def test_who_has_no_password_does_not_come_in_by_none(visitor: Visitor) -> None:
    """An owner who never set a password is let in by no password, and told of `finplan open`."""
    for password in ("", "None", "null"):
        assert (await visitor.sign_in(OWNER, password)).status_code == 401

    assert "finplan open signs" in (await visitor.page("/sign-in")).said


async def test_a_program_is_answered_as_one(with_password: Visitor) -> None:
    """Who does not ask for a page gets the envelope, of a refusal here too."""
    answer = await with_password.post(
        "/sign-in", {"email": OWNER, "password": "wrong"}, accept="*/*"
    )

    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")


async def test_many_failures_for_one_person_are_refused(guarded: Visitor, clock: Clock) -> None:
    """After five in a quarter of an hour the right password is refused too, until that is over."""
    for _ in range(PERSONS_FAILURES):
        assert (await guarded.sign_in(OWNER, "wrong")).status_code == 401
    clock.now += 60
    refused = await guarded.sign_in(OWNER.upper())

    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "840"
    assert "Wait 14 minutes" in Page(refused.text).said
    assert (await guarded.sign_in("grace@example.org", "wrong")).status_code == 401
    clock.now += 839
    assert (await guarded.sign_in(OWNER)).status_code == 429
    clock.now += 1
    assert (await guarded.sign_in(OWNER)).status_code == 303


async def test_many_at_once_are_no_more(guarded: Visitor) -> None:
    """Tries that come at the same time count like those that come one after the other."""
    tries = [guarded.sign_in(OWNER, "wrong") for _ in range(PERSONS_FAILURES + 3)]
    answers = [answer.status_code for answer in await asyncio.gather(*tries)]

    assert sorted(answers) == [401] * PERSONS_FAILURES + [429] * 3


async def test_a_program_is_told_when_to_come_again(guarded: Visitor) -> None:
    """The envelope of too many failures carries the same seconds."""
    for _ in range(PERSONS_FAILURES):
        await guarded.sign_in(OWNER, "wrong")
    refused = await guarded.post("/sign-in", {"email": OWNER}, accept="application/json")

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "900")


async def test_success_counts_for_nothing(guarded: Visitor) -> None:
    """Whoever knows the password may sign in as often as they like, and wipes no failure out."""
    for _ in range(PERSONS_FAILURES - 1):
        await guarded.sign_in(OWNER, "wrong")
    for _ in range(3):
        assert (await guarded.sign_in(OWNER)).status_code == 303
    assert (await guarded.sign_in(OWNER, "wrong")).status_code == 401
    assert (await guarded.sign_in(OWNER)).status_code == 429


async def test_many_failures_of_one_client_are_refused(guarded: Visitor) -> None:
    """After twenty, whoever they were about, the client is refused, and one who succeeds is not."""
    assert (await guarded.sign_in(OWNER)).status_code == 303
    for number in range(CLIENTS_FAILURES):
        answer = await guarded.sign_in(f"p{number}@example.org", "wrong")
        assert answer.status_code == 401
    assert (await guarded.sign_in(OWNER)).status_code == 429


async def test_an_address_without_its_link_says_how_to_get_one(visitor: Visitor) -> None:
    """Who types /open by hand reads what to type instead, and nothing of a link that is over."""
    for path in ("/open", "/open?link="):
        answer = await visitor.get(path)
        said = Page(answer.text).said
        assert answer.status_code == 401
        assert "needs a sign-in link" in said
        assert "Run finplan open" in said
        assert "already used" not in said


async def change(browser: Visitor, current: str, new: str = PASSWORD) -> httpx.Response:
    """Set the password on the page of the settings."""
    typed = {"current": current, "password": new, "again": new}
    return await browser.act("/settings/account", "set-password", **typed)


async def test_a_session_finds_no_password_out(guarded: Visitor, clock: Clock) -> None:
    """Wrong current passwords count as failures to sign in do, and with them; then it takes patience."""
    await guarded.sign_in(OWNER)
    for _ in range(3):
        assert (await change(guarded, PASSWORD)).status_code == 303
    assert (await guarded.sign_in(OWNER, "wrong")).status_code == 401
    for _ in range(PERSONS_FAILURES - 1):
        assert (await change(guarded, "wrong")).status_code == 403
    refused = await change(guarded, PASSWORD)

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "900")
    assert "Wait 15 minutes" in Page(refused.text).said
    ours = {"Sec-Fetch-Site": "same-origin", "Accept": "application/json"}
    body = {"password": PASSWORD, "current": PASSWORD}
    over_rest = await guarded.http.put("/api/v1/me/password", json=body, headers=ours)
    assert (over_rest.status_code, over_rest.headers["retry-after"]) == (429, "900")
    assert (await guarded.sign_in(OWNER)).status_code == 429
    # The machine's own command line is asked for no password.
    body = {"password": PASSWORD}
    assert (await guarded.daemon.http.put("/api/v1/me/password", json=body)).status_code == 200
    clock.now += 900
    await guarded.open()
    assert (await change(guarded, PASSWORD)).status_code == 303


async def test_a_client_finds_no_password_out_by_sessions(guarded: Visitor) -> None:
    """What a client fails at counts for it, whoever's password it was about."""
    await guarded.sign_in(OWNER)
    for number in range(CLIENTS_FAILURES - 1):
        await guarded.sign_in(f"p{number}@example.org", "wrong")
    assert (await change(guarded, PASSWORD)).status_code == 303
    assert (await change(guarded, "wrong")).status_code == 403
    assert (await change(guarded, PASSWORD)).status_code == 429


# --- where one is led to ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/settings/developer", "/settings/activity?before=1", "/a-b_c/1"])
async def test_one_is_led_back(with_password: Visitor, path: str) -> None:
    """Who was asked to sign in comes to the page that they wanted."""
    form = {"email": OWNER, "password": PASSWORD, "return_to": path}
    answer = await with_password.post("/sign-in", form)

    assert answer.headers["location"] == path


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "///evil.example",
        "//evil",
        "//localhost/settings",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "https:evil.example",
        "javascript:alert(1)",
        "evil.example",
        "",
        "/\t/evil.example",
        "/\n/evil.example",
        "/%0d%0aSet-Cookie:x=1",
        "/settings\r\nSet-Cookie: x=1",
        "/settings?a=\r\nb",
        "/./open?link=x",
        "/settings/../open?link=x",
        "/%6fpen?link=x",
        "/open?link=x",
        "/join?invite=x",
        "/sign-in?return_to=/",
        "/@evil.example",
        "/ü",
    ],
)
def test_nobody_is_led_elsewhere(path: str) -> None:
    """What is no plain path of this site, or is a door of it, leads to the first page."""
    assert local_path(path) == "/"


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "https://evil.example/"])
async def test_no_redirect_is_open(with_password: Visitor, path: str) -> None:
    """Neither the form nor the page for who is signed in leads to another site."""
    form = {"email": OWNER, "password": PASSWORD, "return_to": path}
    answer = await with_password.post("/sign-in", form)
    again = await with_password.http.get("/sign-in", params={"return_to": path})

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert (again.status_code, again.headers["location"]) == (303, "/")


async def test_the_wanted_page_is_remembered(visitor: Visitor) -> None:
    """Who is not signed in is led to the page for that, and its form knows the way back."""
    asked = await visitor.get("/settings/activity?before=5")
    page = await visitor.page(asked.headers["location"])

    assert asked.status_code == 303
    assert page.forms[0]["return_to"] == ["/settings/activity?before=5"]
    first = await visitor.get("/")
    assert (first.status_code, first.headers["location"]) == (303, "/sign-in")


async def test_a_program_is_told_that_it_lacks_a_credential(visitor: Visitor) -> None:
    """Who does not ask for a page is led nowhere: 401, with the header that names the metadata."""
    answer = await visitor.get("/", accept="*/*")

    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")
    assert answer.headers["www-authenticate"].startswith("Bearer resource_metadata=")


# --- sessions --------------------------------------------------------------------------------------


async def test_each_sign_in_has_a_session_of_its_own(with_password: Visitor) -> None:
    """A cookie that was there before is never the session; the one before ends."""
    planted = "fps_planted"
    with_password.http.cookies.set(with_password.cookie, planted, domain="127.0.0.1", path="/")
    await with_password.sign_in(OWNER)
    first = with_password.session
    await with_password.sign_in(OWNER)
    second = with_password.session

    assert len({planted, first, second, None}) == 4
    assert len((await with_password.daemon.http.get("/api/v1/sessions")).json()) == 1
    with_password.http.cookies.set(with_password.cookie, str(first), domain="127.0.0.1", path="/")
    assert (await with_password.get("/")).headers["location"] == "/sign-in"


async def test_a_foreign_cookie_is_no_session(owner: Visitor) -> None:
    """Cookies know no ports: one of another daemon's name, or of any other value, lets nobody in."""
    real = owner.session
    assert real is not None
    for name, value in [
        ("finplan_browser_1", real),
        (owner.cookie, real[:-1]),
        (owner.cookie, "\xff\xfe"),
        (owner.cookie, ""),
        (owner.cookie, '" onload=x'),
    ]:
        owner.http.cookies.clear()
        shown = f"{name}={value}".encode("latin-1")
        answer = await owner.http.get("/", headers=[(b"Cookie", shown)])
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in"), (name, value)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"Fire\xff\xfefox", "Fire\ufffd\ufffdfox"),
        ("Füchsin".encode(), "Füchsin"),
        (b"\xc3", "\ufffd"),
    ],
)
async def test_a_browser_may_call_itself_anything(visitor: Visitor, sent: bytes, kept: str) -> None:
    """Bytes that are no text are replaced, by a link and by a password, and it is signed in."""
    await visitor.daemon.http.put("/api/v1/me/password", json={"password": PASSWORD})
    named = [(b"User-Agent", sent), (b"Sec-Fetch-Site", b"same-origin")]
    form = {"email": OWNER, "password": PASSWORD}
    # Each begins with none, since the one before would be ended.
    for begin in (
        visitor.http.build_request("GET", await link_of(visitor.daemon), headers=named),
        visitor.http.build_request("POST", "/sign-in", data=form, headers=named),
    ):
        begin.headers.pop("cookie", None)
        assert (await visitor.http.send(begin)).headers["location"] == "/"

    listed = (await visitor.daemon.http.get("/api/v1/sessions")).json()
    assert [each["userAgent"] for each in listed] == [kept, kept]


async def test_signing_out_ends_the_session(owner: Visitor) -> None:
    """The session is over on the daemon too, and the browser forgets its cookie."""
    cookie = str(owner.session)
    form = (await owner.page("/settings/account")).forms[0]
    answer = await owner.post("/sign-out", form)

    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert owner.session is None
    owner.http.cookies.set(owner.cookie, cookie, domain="127.0.0.1", path="/")
    assert (await owner.get("/")).headers["location"] == "/sign-in"
    assert (await owner.post("/sign-out", form)).status_code == 303


@pytest.mark.parametrize("first", [END_SESSION, DELETE_ME])
async def test_a_session_that_ends_meanwhile_has_ended(
    tmp_path: Path, empty_store: Path, first: AnyOperation
) -> None:
    """Who signs out or in while it is ended elsewhere, or the account deleted, is let out and in."""

    async def perform(
        context: Context, operation: AnyOperation, ask: Any, *files: Any, **how: Any
    ) -> Any:
        if operation is END_SESSION:
            asked = ask if first is END_SESSION else Nothing()
            await dispatch.perform(context, first, asked)
        return await dispatch.perform(context, operation, ask, *files, **how)

    async with (
        running_daemon(tmp_path / "racing", empty_store, perform=perform) as daemon,
        signed_in(daemon) as browser,
    ):
        former = browser.session
        form = (await browser.page("/settings/account")).forms[0]
        link = await link_of(daemon)
        if first is END_SESSION:
            assert (await browser.get(link)).headers["location"] == "/"
            assert browser.session not in {former, None}
        else:
            assert (await browser.post("/sign-out", form)).headers["location"] == "/sign-in"
            assert browser.session is None


async def test_who_is_signed_in_is_led_on(owner: Visitor) -> None:
    """The page for signing in is none for who is signed in."""
    answer = await owner.get("/sign-in?return_to=/settings/people")

    assert (answer.status_code, answer.headers["location"]) == (303, "/settings/people")


# --- the link of the machine -----------------------------------------------------------------------


async def test_a_link_signs_in_once(visitor: Visitor) -> None:
    """The first use begins a session and leads on at once; the second says that it was used."""
    link = await link_of(visitor.daemon)
    first = await visitor.get(link)
    assert (first.status_code, first.headers["location"]) == (303, "/")
    assert first.headers["referrer-policy"] == "no-referrer"
    assert first.headers["cache-control"] == "no-store"

    async with browsing(visitor.daemon) as other:
        second = await other.get(link)
        assert "already used" in page_in(second, 401).said
        assert other.session is None


async def test_a_link_signs_in_one_of_many(visitor: Visitor) -> None:
    """Of those who use it at the same time one comes in."""
    link = await link_of(visitor.daemon)
    answers = await asyncio.gather(*(visitor.get(link) for _ in range(6)))

    assert sorted(answer.status_code for answer in answers) == [303] + [401] * 5
    assert len((await visitor.daemon.http.get("/api/v1/sessions")).json()) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Purpose": "prefetch;prerender"},
        {"Purpose": "prefetch"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_looking_ahead_uses_no_link_up(visitor: Visitor, headers: dict[str, str]) -> None:
    """A prefetch, or a page of another site that leads there, is refused, and the link holds on."""
    link = await link_of(visitor.daemon)
    refused = await visitor.get(link, **headers)

    assert refused.status_code == 403
    assert (await visitor.http.head(link)).status_code == 405
    assert visitor.session is None
    assert (await visitor.get(link)).status_code == 303


async def test_the_page_of_the_command_line_is_no_other_site(visitor: Visitor) -> None:
    """By its proof, which is of this link and of this machine's session; no other page can make it."""
    daemon = visitor.daemon
    link, other = await link_of(daemon), await link_of(daemon)
    secret = link.partition("link=")[2]
    wrong = (
        *("", "x", "ü", "%ff"),
        page_proof(daemon.token, other.partition("link=")[2]),
        page_proof("another token", secret),
        page_proof(daemon.token, secret)[:-1],
    )
    foreign = {"Sec-Fetch-Site": "cross-site"}
    for said in wrong:
        assert (await visitor.get(f"{link}&page={said}", **foreign)).status_code == 403, said
    way = f"{link}&page={page_proof(daemon.token, secret)}"
    ahead = await visitor.get(way, **foreign, **{"Sec-Purpose": "prefetch"})
    assert (ahead.status_code, visitor.session) == (403, None)

    opened = await visitor.get(way, **foreign)
    assert (opened.status_code, opened.headers["location"]) == (303, "/")
    assert visitor.session is not None
    assert (await visitor.get(way, **foreign)).status_code == 401


async def test_no_secret_is_logged(
    daemon: RunningDaemon, visitor: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    """The log names templates: no link, no invite, no cookie, no password, no address of a person."""
    with caplog.at_level(logging.DEBUG, "finplan"):
        link = await link_of(daemon)
        await visitor.get(link)
        await visitor.get("/join?invite=fpi_secret")
        await visitor.sign_in(OWNER, "a secret password")

    lines = [record.getMessage() for record in caplog.records if record.name == "finplan.access"]
    assert [line.split(" ")[1] for line in lines[1:]] == ["/open", "/join", "/sign-in"]
    for secret in (link.partition("=")[2], "fpi_", "secret", str(visitor.session), OWNER):
        assert secret not in caplog.text


GRACE = "grace@example.org"


async def join(visitor: Visitor, link: str, **typed: Any) -> httpx.Response:
    """Fill in the page that a link opens."""
    (form,) = (await visitor.page(link)).forms
    filled = {"email": GRACE, "password": PASSWORD, "again": PASSWORD, **typed}
    return await visitor.post("/join", {**form, **filled})


async def test_who_is_invited_joins(daemon: RunningDaemon, visitor: Visitor) -> None:
    """The page says who invites; joining signs in, to an account without anybody's data."""
    await daemon.http.patch("/api/v1/me", json={"name": "Ada <b>"})
    link = await invite_of(daemon)
    assert "Ada <b> invites you" in (await visitor.page(link)).said

    answer = await join(visitor, link, name="Grace")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "in as Grace" in (await visitor.page("/")).said
    people = (await daemon.http.get("/api/v1/people")).json()
    assert [(each["email"], each["name"]) for each in people[1:]] == [(GRACE, "Grace")]


async def test_an_invite_is_used_once(daemon: RunningDaemon, visitor: Visitor) -> None:
    """Whoever comes second is told so, on the page and by the form."""
    link = await invite_of(daemon)
    assert (await join(visitor, link)).status_code == 303

    async with browsing(daemon) as second:
        page = await second.get(link)
        form = {"invite": link.partition("=")[2], "email": "eve@example.org"}
        sent = await second.post("/join", {**form, "password": PASSWORD, "again": PASSWORD})
    for answer in (page, sent):
        assert "already used" in page_in(answer, 401).said
    assert second.session is None


async def test_an_invite_is_for_its_address_alone(daemon: RunningDaemon, visitor: Visitor) -> None:
    """The address is fixed on the page, and a form that has another one is refused."""
    link = await invite_of(daemon, email=GRACE)
    page = await visitor.page(link)
    (field,) = (each for _, each in page.elements if each.get("id") == "email")
    assert (field["value"], "readonly" in field) == (GRACE, True)

    refused = await join(visitor, link, email="eve@example.org")
    assert f"only for {GRACE}." in page_in(refused, 403).said
    assert (await join(visitor, link)).status_code == 303


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ({"again": "another one"}, 400, "The two passwords differ."),
        ({"password": "short", "again": "short"}, 400, "This password is too short"),
        ({"password": "", "again": ""}, 400, "This password is too short"),
        ({"email": "grace"}, 400, "one @, such as"),
        ({"email": ""}, 400, "one @, such as"),
        ({"name": "a\u202eb"}, 400, "A name needs at least one visible character"),
        ({"email": "ADA@localhost"}, 409, "already has an account here"),
    ],
)
async def test_what_is_wrong_is_said_on_the_page(
    daemon: RunningDaemon, visitor: Visitor, typed: dict[str, str], status: int, said: str
) -> None:
    """The form comes back with what was typed, but no password, and the invite is as good as before."""
    link = await invite_of(daemon)
    refused = await join(visitor, link, **{"name": "Grace H.", **typed})

    page = Page(refused.text)
    assert refused.status_code == status
    assert said in page.said
    assert PASSWORD not in refused.text
    assert page.forms[0]["invite"] == [link.partition("=")[2]]
    assert page.forms[0]["email"] == [typed.get("email", GRACE)]
    assert (await join(visitor, link)).status_code == 303


async def test_nobody_joins_uninvited(visitor: Visitor) -> None:
    """Without an invite the page says that one is needed, and the form lets nobody in."""
    page = await visitor.get("/join")
    form = {"email": GRACE, "password": PASSWORD, "again": PASSWORD}
    sent = await visitor.post("/join", form)

    for answer in (page, sent):
        assert "need an invite" in page_in(answer, 403).said
    assert visitor.session is None
    assert "No account yet" not in (await visitor.page("/sign-in")).said


async def test_anybody_joins_where_that_is_open(open_to_all: Visitor) -> None:
    """Where it is set so, the page for signing in leads to joining, without an invite."""
    assert "No account yet?" in (await open_to_all.page("/sign-in")).said
    assert (await join(open_to_all, "/join")).status_code == 303


async def test_an_invite_that_is_over_does_not_become_none(open_to_all: Visitor) -> None:
    """A wrong invite is refused even where nobody needs one."""
    answer = await open_to_all.get("/join?invite=fpi_wrong")

    assert answer.status_code == 401


async def test_one_client_makes_few_accounts(open_to_all: Visitor) -> None:
    """After twenty tries in a quarter of an hour a client is refused, before a password is hashed."""
    form = {"email": "no address", "password": PASSWORD, "again": PASSWORD}
    for _ in range(CLIENTS_FAILURES):
        assert (await open_to_all.post("/join", form)).status_code == 400
    refused = await open_to_all.post("/join", form)

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "900")


async def test_a_program_that_joins_is_answered_as_one(visitor: Visitor) -> None:
    """Who does not ask for a page gets envelopes."""
    page = await visitor.get("/join?invite=wrong", accept="*/*")
    sent = await visitor.post("/join", {"email": GRACE}, accept="*/*")

    assert (page.status_code, page.json()["code"]) == (401, "UNAUTHORIZED")
    assert (sent.status_code, sent.json()["code"]) == (403, "FORBIDDEN")
