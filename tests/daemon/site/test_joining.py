"""Joining: by the link of an invite, or where anybody may; and in no other way."""

from typing import Any

import httpx
import pytest

from finplan.daemon.surfaces.site.desk import CLIENTS_FAILURES
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import PASSWORD, Page, Visitor, browsing, invite_of

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
    assert "Signed in as Grace" in (await visitor.page("/")).said
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
        assert answer.status_code == 401
        assert "used already" in Page(answer.text).said
    assert second.session is None


async def test_an_invite_for_an_address_is_for_no_other(
    daemon: RunningDaemon, visitor: Visitor
) -> None:
    """The address is fixed on the page, and a form that has another one is refused."""
    link = await invite_of(daemon, email=GRACE)
    page = await visitor.page(link)
    (field,) = (each for _, each in page.elements if each.get("id") == "email")
    assert (field["value"], "readonly" in field) == (GRACE, True)

    refused = await join(visitor, link, email="eve@example.org")
    assert refused.status_code == 403
    assert f"This invite is for {GRACE} alone." in Page(refused.text).said
    assert (await join(visitor, link)).status_code == 303


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ({"again": "another one"}, 400, "The two passwords differ."),
        ({"password": "short", "again": "short"}, 400, "This password is too short"),
        ({"password": "", "again": ""}, 400, "This password is too short"),
        ({"email": "grace"}, 400, "An e-mail address has two visible parts around one @"),
        ({"email": ""}, 400, "An e-mail address has two visible parts around one @"),
        ({"name": "a\u202eb"}, 400, "A name needs at least one sign that can be seen"),
        ({"email": "ADA@localhost"}, 409, "has an account here already"),
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
        assert answer.status_code == 403
        assert "takes an invite" in Page(answer.text).said
    assert visitor.session is None
    assert "No account yet" not in (await visitor.page("/sign-in")).said


async def test_anybody_joins_where_that_is_open(open_to_all: Visitor) -> None:
    """Where it is set so, the page for signing in leads to joining, without an invite."""
    assert "No account yet? Make one" in (await open_to_all.page("/sign-in")).said
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


async def test_a_program_is_answered_as_one(daemon: RunningDaemon, visitor: Visitor) -> None:
    """Who does not ask for a page gets envelopes."""
    page = await visitor.get("/join?invite=wrong", accept="*/*")
    sent = await visitor.post("/join", {"email": GRACE}, accept="*/*")

    assert (page.status_code, page.json()["code"]) == (401, "UNAUTHORIZED")
    assert (sent.status_code, sent.json()["code"]) == (403, "FORBIDDEN")
