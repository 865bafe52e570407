"""How all pages look, in goldens for a clock that stands; and that pages of others do nothing with them.

Others are other sites, and other ports of this machine.
"""

import os
import re
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

from finplan.daemon.surfaces.site.frame import STYLE_PATH, policy
from finplan.pictures.sheet import style as pictures_style
from tests.daemon.oauth.visitor import AUTHORIZE, Program, introduced, program, stranger
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import PASSWORD, Page, Visitor, browsing, invite_of, signed_in

GOLDEN = Path(__file__).parents[2] / "golden" / "site"
PLAN = "/api/v1/plan/view"

_CHANGING = (
    (re.compile(r'(name="form_token" value=")[0-9a-f]{64}'), r"\1TOKEN"),
    (re.compile(r"(\?connect=)[0-9a-f]{64}"), r"\1TOKEN"),
    (re.compile(r"\b(fp[kisx]_)\w+"), r"\1SECRET"),
    (re.compile(r"\b(key|ses|inv|app|reg|cla|whk|dlv)_\w+"), r"\1_ID"),
    (re.compile(r"\b(whsec_)[\w+/=]+"), r"\1SECRET"),
    (re.compile(r"site\.css\?[0-9a-f]{16}"), "site.css?DIGEST"),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:8460"),
)
"""What is another one in each run, or with each change of the style."""


def compare(name: str, page: str) -> None:
    """Compare with the kept page; `GOLDEN=write pytest …` writes it anew, to be looked at."""
    for sign, instead in _CHANGING:
        page = sign.sub(instead, page)
    # A line for each element makes a change readable.
    page = page.replace("><", ">\n<")
    path = GOLDEN / f"{name}.html"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8")
    assert page == path.read_text(encoding="utf-8")


@pytest.mark.thorough
async def test_the_first_page_is_the_plan(at_home: Visitor, household: RunningDaemon) -> None:
    """It says all that the plan's own page says, but for commands where questions are answered."""
    alone = Page((await household.http.get(PLAN, headers={"accept": "text/html"})).text)
    answer = await at_home.get("/")
    page = Page(answer.text)

    assert answer.status_code == 200
    head, _, rest = page.said.partition(" Answer them ")
    title, _, plan = alone.said.partition(" Skip to the plan ")
    plan = plan.replace("finplan tasks answer", "Tasks")
    assert rest
    assert plan.endswith(rest)
    bar = f"{title} Skip to the content finplan Plan Tasks Imports Settings Signed in as ada@localhost"
    assert head.startswith(f"{bar} Sign out ")
    assert plan.startswith(head.removeprefix(f"{bar} Sign out "))
    assert page.tags.count("main") == 1


@pytest.mark.thorough
async def test_a_change_is_on_the_page(at_home: Visitor, household: RunningDaemon) -> None:
    """Nothing of the page is kept from one visit to the next."""
    assert "€" not in (await at_home.page("/")).said
    await household.http.patch("/api/v1/settings", json={"currency": "EUR"})

    assert "€" in (await at_home.page("/")).said


@pytest.mark.thorough
async def test_each_sees_their_own_plan(owner: Visitor, guest: Visitor) -> None:
    """A person who has just joined sees nothing of another's household."""
    linked = await owner.daemon.http.post("/api/v1/connections", json={"provider": "demo"})
    assert linked.status_code == 201

    assert "Your plan of 18 March 2026" in (await owner.page("/")).said
    assert "No transactions yet" in (await guest.page("/")).said


async def test_who_joined_is_not_sent_to_the_owners_machine(owner: Visitor, guest: Visitor) -> None:
    """Its commands would work on the owner's household: who joined brings data in by the browser."""
    theirs, own = await guest.page("/"), await owner.page("/")

    assert "finplan import FILE" in own.said
    assert "finplan import" not in theirs.said
    assert "finplan plan build" not in theirs.said
    assert "finplan --demo" not in theirs.said
    ways = theirs.values("href", "a")
    assert {"/statements", "/settings/developer"} <= set(ways)
    send = f"curl -H 'x-api-key: KEY' -F file=@statement.csv {guest.daemon.base_url}/api/v1/imports"
    assert send in theirs.said


async def test_the_style_is_kept_until_it_is_another(visitor: Visitor) -> None:
    """A page names the style by its digest, so that a browser may keep it for ever."""
    page = await visitor.page("/sign-in")
    (way,) = (each["href"] for tag, each in page.elements if each.get("rel") == "stylesheet")
    style = await visitor.get(str(way))

    assert re.fullmatch(r"/assets/site\.css\?[0-9a-f]{16}", str(way))
    assert style.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "--essential" in style.text


async def test_the_pictures_have_their_style(visitor: Visitor) -> None:
    """What draws the plan's pictures is in the style that its page asks for."""
    style = await visitor.get(STYLE_PATH)
    assert pictures_style() in style.text


async def test_the_pages_of_who_is_signed_in(daemon: RunningDaemon, owner: Visitor) -> None:
    """Each page is the golden one."""
    await daemon.http.patch("/api/v1/me", json={"name": "Ada <Lovelace>"})
    await daemon.http.post("/api/v1/keys", json={"name": "Home <b>", "scopes": ["service:read"]})
    revoked = (await daemon.http.post("/api/v1/keys", json={"name": "Former"})).json()
    await daemon.http.delete(f"/api/v1/keys/{revoked['id']}")
    await invite_of(daemon, email="grace@example.org")
    async with browsing(daemon) as other:
        await other.open()
    for page in ("account", "banks", "people", "activity"):
        compare(page, (await owner.get(f"/settings/{page}")).text)
    compare("beginning", (await owner.get("/")).text)
    compare("statements", (await owner.get("/statements")).text)
    compare("key-made", (await owner.act("/settings/developer", "create-key", name="New")).text)


async def test_the_pages_of_who_is_not_signed_in(daemon: RunningDaemon, visitor: Visitor) -> None:
    """Each page is the golden one."""
    compare("sign-in", (await visitor.get("/sign-in")).text)
    compare("sign-in-wrong", (await visitor.sign_in("ada@localhost", "wrong")).text)
    compare("join", (await visitor.get(await invite_of(daemon, email="grace@example.org"))).text)
    compare("nowhere", (await visitor.get("/nowhere")).text)


async def test_the_pages_that_let_programs_in(daemon: RunningDaemon, owner: Visitor) -> None:
    """Each page is the golden one."""
    async with stranger(daemon) as http:
        known = (await program(http, client_name="Ledger <b>Reader</b>")).client
        reader = Program(http, known, verifier="v" * 43)
        agent = await introduced(http)
        await agent.ask()
        asking = f"{AUTHORIZE}?{urlencode(reader.asking())}"
    compare("claim", (await owner.get("/claim")).text)
    compare("consent", (await owner.get(asking)).text)
    compare("consent-refused", (await owner.get(f"{AUTHORIZE}?client_id=nobody")).text)
    made = await owner.act(
        "/settings/developer",
        "create-client",
        client_name="Mine",
        redirect_uri="https://app.example/callback",
        kind="confidential",
    )
    assert made.status_code == 200
    compare("developer", (await owner.get("/settings/developer")).text)


async def test_the_pages_of_webhooks(daemon: RunningDaemon, owner: Visitor) -> None:
    """Each page is the golden one: one that is told, one that fails, and one that is disabled."""
    ids = list[str]()
    for url in ("https://a.example/hook", "https://b.example/<b>", "https://c.example/"):
        ask = {"url": url, "events": ["plan.built"], "description": "The <b>flat"}
        made = (await daemon.http.post("/api/v1/webhooks", json=ask)).json()
        ids.append(made["id"])
        await daemon.http.post(f"/api/v1/webhooks/{made['id']}/test", json={})
    await daemon.http.patch(f"/api/v1/webhooks/{made['id']}", json={"disabled": True})
    failing = "UPDATE webhook SET failing_since = created_at, last_error = 'The answer was <b>500.'"
    await daemon.store.write(
        lambda c: c.exec_driver_sql(f"{failing} WHERE url LIKE '%<b>%'") and None
    )
    await daemon.http.post(f"/api/v1/webhooks/{ids[1]}/secret", json={})
    await daemon.store.write(
        lambda c: (
            c.exec_driver_sql(
                "UPDATE webhook_delivery SET attempts = 2, last_error = 'The answer was <b>500.',"
                " next_attempt_at = created_at + 7200000 WHERE status = 'pending'"
            )
            and None
        )
    )
    compare("webhooks", (await owner.get("/settings/webhooks")).text)
    compare("webhook-one", (await owner.get(f"/settings/webhooks?of={ids[1]}")).text)


async def test_the_page_of_who_is_gone(guest: Visitor) -> None:
    """Whoever deletes their account is told what went."""
    gone = await guest.act("/settings/account", "delete-me", typed_email="grace@example.org")

    compare("deleted", gone.text)


SETTINGS_PAGES = ("account", "banks", "people", "developer", "webhooks", "activity")


async def test_pages_can_be_heard(owner: Visitor, visitor: Visitor) -> None:
    """Each page has one heading, each field a label, each list of ways a name, each id one element."""
    for browser, path in (
        (visitor, "/sign-in"),
        *((owner, f"/settings/{page}") for page in SETTINGS_PAGES),
        (owner, "/statements"),
        (owner, "/"),
    ):
        page = await browser.page(path)
        tags, ids, labelled = page.tags, page.values("id"), set(page.values("for", "label"))
        typed = [
            each["id"]
            for each in page.all("input")
            if each.get("type") != "hidden" and "hidden" not in each
        ]
        assert tags.count("h1") == tags.count("main") == 1, path
        assert len(ids) == len(set(ids)), path
        assert set(typed) <= labelled, path
        assert all("aria-label" in each for each in page.all("nav")), path
        assert set(page.values("aria-describedby")) <= set(ids), path
        assert "#main" in page.values("href"), path


async def test_the_password_is_never_repeated(visitor: Visitor) -> None:
    """What was typed as a password stands on no page that comes back."""
    answer = await visitor.sign_in("ada@localhost", PASSWORD)

    assert PASSWORD not in answer.text


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
        assert "A page of another site cannot use finplan." in Page(answer.text).said
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
async def test_a_form_needs_its_sessions_proof(owner: Visitor, guest: Visitor, path: str) -> None:
    """Neither without the hidden field, nor with that of another's session, does a form do anything."""
    foreign = (await guest.page("/settings/account")).forms[0]["form_token"][0]
    ours = (await owner.page("/settings/account")).forms[0]["form_token"][0]
    assert ours != foreign
    for token in (None, "", foreign, ours[:-1], "ü"):
        sent = {"do": "create-key", "name": "x"} if token is None else {"form_token": token}
        answer = await owner.post(path, sent)
        assert answer.status_code == 403, token
        assert "This form is from before you last signed in" in Page(answer.text).said
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
        assert {"script", "style", "iframe", "object", "img"}.isdisjoint(page.tags)
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
    assert "Nothing found at /nowhere." in Page(nowhere.text).said
    assert method.headers["allow"] == "GET, HEAD"
    assert "is for another host" in Page(host.text).said
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
async def test_only_a_form_is_taken(visitor: Visitor, body: bytes, type_: str, status: int) -> None:
    """Whatever is sent instead of a form gets a page that says so, and never a stumble."""
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": type_}
    answer = await visitor.http.post("/sign-in", content=body, headers=headers)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_pages_count_for_the_sessions_credential(daemon: RunningDaemon) -> None:
    """Who is signed in has a limit of their own, apart from who shows nothing at the same address."""
    async with signed_in(daemon) as known, browsing(daemon) as stranger:
        first = await known.get("/settings/people")
        for _ in range(3):
            await stranger.get("/sign-in")
        second = await known.get("/settings/people")

    def left(answer: httpx.Response) -> int:
        return int(answer.headers["RateLimit-Remaining"])

    assert left(first) - left(second) == 1
