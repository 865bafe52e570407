"""The first page, and how all pages look: goldens for a clock that stands."""

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from finplan.daemon.surfaces.site.frame import STYLE_PATH
from finplan.pictures.sheet import style as pictures_style
from tests.daemon.oauth.visitor import AUTHORIZE, Program, program, stranger
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import PASSWORD, Page, Visitor, browsing, invite_of
from tests.daemon.test_plan_page import Read

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


@pytest.fixture
async def at_home(household: RunningDaemon) -> AsyncIterator[Visitor]:
    """The browser of the demo household's owner."""
    async with browsing(household) as browser:
        await browser.open()
        yield browser


@pytest.mark.thorough
async def test_the_first_page_is_the_plan(at_home: Visitor, household: RunningDaemon) -> None:
    """It says all that the plan's own page says, but for commands where questions are answered."""
    alone = Read((await household.http.get(PLAN, headers={"accept": "text/html"})).text)
    answer = await at_home.get("/")
    page = Page(answer.text)

    assert answer.status_code == 200
    how, _, rest = alone.said.partition("Skip to the plan ")[2].partition(
        "Answer them one after the other with "
    )
    plan = f"{how}Answer them {rest.partition(' --dismiss . ')[2]}"
    assert rest
    assert page.said.endswith(plan)
    assert page.said.partition(plan)[0] == (
        f"{alone.said.partition(' – finplan')[0]} – finplan Skip to the content finplan Plan"
        " Questions Statements Settings Signed in as ada@localhost Sign out "
    )
    assert [tag for tag, _ in page.elements].count("main") == 1


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
    assert "There is nothing to plan with yet" in (await guest.page("/")).said


async def test_who_joined_is_not_sent_to_the_machine_of_the_owner(
    owner: Visitor, guest: Visitor
) -> None:
    """Its commands would work on the owner's household: who joined brings data in by the browser."""
    theirs, own = await guest.page("/"), await owner.page("/")

    assert "finplan import FILE" in own.said
    assert "finplan import" not in theirs.said
    assert "finplan plan build" not in theirs.said
    assert "finplan --demo" not in theirs.said
    ways = [each.get("href") for tag, each in theirs.elements if tag == "a"]
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
    for page in ("account", "banks", "people", "developer", "webhooks", "activity"):
        compare(page, (await owner.get(f"/settings/{page}")).text)
    compare("beginning", (await owner.get("/")).text)
    compare("statements", (await owner.get("/statements")).text)
    compare("key-made", (await owner.act("/settings/developer", "create-key", name="New")).text)
    compare("invite-made", (await owner.act("/settings/people", "create-invite")).text)
    compare("saved", (await owner.get("/settings/account?done=saved")).text)


async def test_the_pages_of_who_is_not_signed_in(daemon: RunningDaemon, visitor: Visitor) -> None:
    """Each page is the golden one."""
    compare("sign-in", (await visitor.get("/sign-in")).text)
    compare("sign-in-wrong", (await visitor.sign_in("ada@localhost", "wrong")).text)
    compare("open-over", (await visitor.get("/open?link=x")).text)
    compare("join", (await visitor.get(await invite_of(daemon, email="grace@example.org"))).text)
    compare("join-uninvited", (await visitor.get("/join")).text)
    compare("nowhere", (await visitor.get("/nowhere")).text)


async def test_the_pages_that_let_programs_in(daemon: RunningDaemon, owner: Visitor) -> None:
    """Each page is the golden one."""
    async with stranger(daemon) as http:
        known = (await program(http, client_name="Ledger <b>Reader</b>")).client
        reader = Program(http, known, verifier="v" * 43)
        agent = (await http.post("/agent/identity", json={"type": "anonymous"})).json()
        claim = {"claim_token": agent["claim_token"], "email": "ada@localhost"}
        nobody = await owner.get("/claim")
        await http.post("/agent/identity/claim", json=claim)
        asking = f"{AUTHORIZE}?{urlencode(reader.asking())}"
    compare("claim-nobody", nobody.text)
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
    compare("client-made", made.text)
    compare("developer-programs", (await owner.get("/settings/developer")).text)


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
    compare("webhooks-told", (await owner.get("/settings/webhooks")).text)
    compare("webhook-one", (await owner.get(f"/settings/webhooks?of={ids[1]}")).text)
    made_page = await owner.act(
        "/settings/webhooks", "create-webhook", url="https://d.example/", events=["plan.built"]
    )
    compare("webhook-made", made_page.text)


async def test_the_page_of_who_is_gone(guest: Visitor) -> None:
    """Whoever deletes their account is told what went."""
    gone = await guest.act("/settings/account", "delete-me", typed_email="grace@example.org")

    compare("deleted", gone.text)


PAGES = ("account", "banks", "people", "developer", "webhooks", "activity")


async def test_pages_can_be_heard(owner: Visitor, visitor: Visitor) -> None:
    """Each page has one heading, each field a label, each list of ways a name, each id one element."""
    for browser, path in (
        (visitor, "/sign-in"),
        *((owner, f"/settings/{page}") for page in PAGES),
        (owner, "/statements"),
        (owner, "/"),
    ):
        page = await browser.page(path)
        tags = [tag for tag, _ in page.elements]
        ids = [each["id"] for _, each in page.elements if "id" in each]
        labelled = {each.get("for") for tag, each in page.elements if tag == "label"}
        typed = [
            each["id"]
            for tag, each in page.elements
            if tag == "input" and each.get("type") != "hidden" and "hidden" not in each
        ]
        assert tags.count("h1") == tags.count("main") == 1, path
        assert len(ids) == len(set(ids)), path
        assert set(typed) <= labelled, path
        assert all("aria-label" in each for tag, each in page.elements if tag == "nav"), path
        described = {each.get("aria-describedby") for _, each in page.elements}
        assert described - {None} <= set(ids), path
        assert "#main" in [each.get("href") for _, each in page.elements], path


async def test_the_password_is_never_repeated(visitor: Visitor) -> None:
    """What was typed as a password stands on no page that comes back."""
    answer = await visitor.sign_in("ada@localhost", PASSWORD)

    assert PASSWORD not in answer.text
