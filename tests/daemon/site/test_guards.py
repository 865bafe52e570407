"""What pages of other sites, and of other ports, can do with the site of who is signed in: nothing."""

import re

import httpx
import pytest

from finplan.daemon.surfaces.site.frame import policy
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import Page, Visitor, browsing

PAGES = (
    "/",
    "/tasks",
    "/statements",
    "/settings/account",
    "/settings/banks",
    "/settings/people",
    "/settings/developer",
    "/settings/webhooks",
    "/settings/activity",
)
FORMS = ("/sign-in", "/join", "/sign-out", "/statements/files", *PAGES[1:])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
async def test_no_other_site_sends_a_form(owner: Visitor, site: str) -> None:
    """A page of another site, and of another port of this machine, sends no form of any page."""
    for path in FORMS:
        form = (await owner.page("/settings/account")).forms[0]
        answer = await owner.post(path, form, **{"Sec-Fetch-Site": site})
        assert answer.status_code == 403, path
        assert "A page of another site may not use this daemon." in Page(answer.text).said
    assert (await owner.get("/")).status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:1", "null", "http://localhost"]
)
async def test_no_other_origin_sends_a_form(owner: Visitor, origin: str) -> None:
    """An Origin that is not ours is refused, whatever else the request says."""
    for path in FORMS:
        answer = await owner.post(path, {}, Origin=origin)
        assert answer.status_code == 403, path


async def test_who_does_not_say_what_asks_changes_nothing(owner: Visitor) -> None:
    """A POST with neither header is of no browser that can be trusted."""
    form = (await owner.page("/settings/account")).forms[0]
    for path in FORMS:
        assert (await owner.http.post(path, data=form)).status_code == 403, path


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", ["/sign-out", *PAGES[1:]])
async def test_a_form_needs_the_sessions_own_proof(
    owner: Visitor, guest: Visitor, path: str
) -> None:
    """Neither without the hidden field, nor with that of another's session, does a form do anything."""
    foreign = (await guest.page("/settings/account")).forms[0]["form_token"][0]
    ours = (await owner.page("/settings/account")).forms[0]["form_token"][0]
    assert ours != foreign
    for token in (None, "", foreign, ours[:-1], "ü"):
        sent = {"do": "create-key", "name": "x"} if token is None else {"form_token": token}
        answer = await owner.post(path, sent)
        assert answer.status_code == 403, token
        assert "This form was opened before you signed in anew" in Page(answer.text).said
    assert (await owner.get("/")).status_code == 200


async def test_the_proof_is_of_one_session(owner: Visitor) -> None:
    """Who signs in anew has another one, and the former is refused."""
    before = (await owner.page("/settings/account")).forms[0]
    await owner.open()

    assert (await owner.post("/sign-out", before)).status_code == 403


async def test_every_page_is_guarded(owner: Visitor, visitor: Visitor) -> None:
    """No page is framed, scripted, kept or guessed at, whatever its status."""
    answers = [await owner.get(path) for path in PAGES]
    answers += [
        await visitor.get(path)
        for path in ("/sign-in", "/join", "/open?link=x", "/nowhere", "/settings/people", "/")
    ]
    answers.append(await visitor.post("/settings/people", {}, **{"Sec-Fetch-Site": "same-site"}))
    assert {answer.status_code for answer in answers} == {200, 303, 401, 403, 404}
    for answer in answers:
        told = answer.headers
        assert told["content-security-policy"] == (
            "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
            "base-uri 'none'; frame-ancestors 'none'"
        )
        assert told["x-frame-options"] == "DENY"
        assert told["x-content-type-options"] == "nosniff"
        assert told["referrer-policy"] == "same-origin"
        assert told["cross-origin-opener-policy"] == "same-origin"
        assert told["cross-origin-resource-policy"] == "same-origin"
        assert told["cache-control"] == "no-store"


def test_a_page_may_name_where_its_form_leads() -> None:
    """A page whose form leads on to another origin names that one, and nothing else is loosened."""
    assert policy(["http://127.0.0.1:5000"]) == policy().replace(
        "form-action 'self'", "form-action 'self' http://127.0.0.1:5000"
    )


async def test_pages_stay_within_their_policy(owner: Visitor, visitor: Visitor) -> None:
    """No script, no style of an element's own, nothing from elsewhere."""
    pages = [await owner.page(path) for path in PAGES] + [await visitor.page("/sign-in")]
    for page in pages:
        assert {"script", "style", "iframe", "object", "img"}.isdisjoint(
            tag for tag, _ in page.elements
        )
        for tag, attributes in page.elements:
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            way = attributes.get("href") or attributes.get("action") or "#"
            assert re.match(r"[/#](?!/)|data:image/svg\+xml,", way), (tag, way)
    style = await visitor.get("/assets/site.css")
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    assert not re.search(r"url\(|@import|http", style.text)


@pytest.mark.thorough
async def test_answers_for_programs_are_guarded(daemon: RunningDaemon) -> None:
    """No answer is guessed at, nor embedded by another site's page: errors and non-HTTP included."""
    for path in ("/api/v1/me", "/api/v1/nowhere", "/health", "/api/openapi.json", "/api/docs"):
        answer = await daemon.http.get(path)
        assert answer.headers["x-content-type-options"] == "nosniff", path
        assert answer.headers["cross-origin-resource-policy"] == "same-origin", path
    broken = await daemon.say(b"GET / HTTP/1.1\r\nA b: c\r\n\r\n")
    assert b"X-Content-Type-Options: nosniff" in broken
    assert b"Cross-Origin-Resource-Policy: same-origin" in broken


# --- browsers are told in pages, programs in envelopes ---------------------------------------------


async def test_failures_are_pages_for_browsers(visitor: Visitor) -> None:
    """Whatever goes wrong outside the interface is a page for a browser, and keeps its headers."""
    nowhere = await visitor.get("/nowhere")
    method = await visitor.http.delete("/")
    host = await visitor.get("/", Host="evil.example")

    assert (nowhere.status_code, method.status_code, host.status_code) == (404, 405, 421)
    assert "There is nothing at /nowhere." in Page(nowhere.text).said
    assert method.headers["allow"] == "GET, HEAD"
    assert "and not the host that was named" in Page(host.text).said
    assert "Go to your plan" not in Page(host.text).said


async def test_failures_are_envelopes_for_programs(visitor: Visitor) -> None:
    """JSON stays the default, and below /api nothing else is ever said."""
    for path, accept in (
        ("/nowhere", "*/*"),
        ("/nowhere", "application/json"),
        ("/api/v1/nowhere", "text/html"),
        ("/api/nowhere", "text/html"),
    ):
        answer = await visitor.get(path, accept=accept)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND"), path


async def test_a_path_cannot_write_into_a_page(visitor: Visitor) -> None:
    """What is quoted of a request is text."""
    answer = await visitor.get("/%3Cscript%3Ealert(1)%3C/script%3E")

    assert answer.status_code == 404
    assert "<script" not in answer.text
    assert "<script>alert(1)" in Page(answer.text).said


@pytest.mark.parametrize(
    ("body", "type_", "status"),
    [
        (b'{"email": "a"}', "application/json", 415),
        (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x", 415),
        (b"", "", 415),
        (b"email=%ff&password=x", "application/x-www-form-urlencoded", 400),
        (b"\xff", "application/x-www-form-urlencoded; charset=nonsense", 400),
        (b"&".join(b"a=1" for _ in range(60)), "application/x-www-form-urlencoded", 400),
        (b"x" * 1_100_000, "application/x-www-form-urlencoded", 413),
        (b"", "application/x-www-form-urlencoded", 401),
        (b"email=a%00&password=%00", "Application/X-WWW-Form-URLencoded ; charset=UTF-8", 401),
    ],
)
async def test_a_body_that_is_no_form_is_refused(
    visitor: Visitor, body: bytes, type_: str, status: int
) -> None:
    """Whatever is sent instead of a form gets a page that says so, and never a stumble."""
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": type_}
    answer = await visitor.http.post("/sign-in", content=body, headers=headers)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_pages_count_for_the_sessions_credential(daemon: RunningDaemon) -> None:
    """Who is signed in has a limit of their own, apart from who shows nothing at the same address."""
    async with browsing(daemon) as signed_in, browsing(daemon) as stranger:
        await signed_in.open()
        first = await signed_in.get("/settings/people")
        for _ in range(3):
            await stranger.get("/sign-in")
        second = await signed_in.get("/settings/people")

    def left(answer: httpx.Response) -> int:
        return int(answer.headers["RateLimit-Remaining"])

    assert left(first) - left(second) == 1
