"""The settings: what may be done in each page, which is what the same rows do elsewhere.

So it is with the page of webhooks.
"""

import html
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from finplan.daemon.surfaces.site.account import EVENTS_AT_ONCE, first_events
from finplan.daemon.surfaces.site.settings_page import WEBHOOKS
from finplan.model.credential import AuditEvent, browser_name
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.daemon.site.browsing import (
    PASSWORD,
    Page,
    Visitor,
    browsing,
    page_in,
    secret_on,
    signed_in,
)

DEVELOPER, PEOPLE, ACCOUNT = "/settings/developer", "/settings/people", "/settings/account"


async def test_the_settings_begin_with_the_account(owner: Visitor) -> None:
    """Settings without a page lead to the first one."""
    assert (await owner.get("/settings")).headers["location"] == ACCOUNT


# --- keys ------------------------------------------------------------------------------------------


async def test_a_key_is_made_and_shown_once(daemon: RunningDaemon, owner: Visitor) -> None:
    """The answer to the form shows the key, which works; no page shows it again."""
    made = await owner.act(DEVELOPER, "create-key", name="My script", scopes=["service:read"])
    key = secret_on(Page(made.text), "fpk_")

    assert (made.status_code, made.headers["cache-control"]) == (200, "no-store")
    async with browsing(daemon, **{"x-api-key": key}) as program:
        assert (await program.get("/api/v1/me", accept="*/*")).status_code == 200
        assert (await program.http.post("/api/v1/plan", json={})).status_code == 403
    later = await owner.get(DEVELOPER)
    assert key not in later.text
    said = Page(later.text).said
    assert f"My script starts with {key[:10]}… · may read · created just now" in said


async def test_a_key_ends_with_its_last_day(daemon: RunningDaemon, owner: Visitor) -> None:
    """The last day counts whole, where the person lives."""
    await daemon.http.patch("/api/v1/settings", json={"timeZone": "America/New_York"})
    await owner.act(DEVELOPER, "create-key", name="A", last_day="2026-04-01")
    (key,) = (await daemon.http.get("/api/v1/keys")).json()

    end = datetime(2026, 4, 2, 4, tzinfo=UTC)
    assert key["expiresAt"] == int(end.timestamp() * 1000)
    assert "until 2026-04-01" in (await owner.page(DEVELOPER)).said


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": " "}, "Enter a name for the key"),
        ({"name": "A", "scopes": []}, "Choose at least one kind of access."),
        ({"name": "A", "scopes": ["session"]}, "'service:read' or 'service:write'"),
        ({"name": "A", "scopes": ["service:read"] * 2}, "Give each scope only once"),
        ({"name": "A", "last_day": "2026-03-17"}, "expiry is in the past"),
        ({"name": "A", "last_day": "soon"}, "Write a day as YYYY-MM-DD"),
        ({"name": "A\u0000"}, "A name needs at least one visible character"),
    ],
)
async def test_a_key_that_cannot_be_is_refused(
    daemon: RunningDaemon, owner: Visitor, typed: dict[str, str], said: str
) -> None:
    """The form comes back and says what is wrong, and no key is made."""
    refused = await owner.act(DEVELOPER, "create-key", **typed)

    assert said in page_in(refused, 400).said
    assert (await daemon.http.get("/api/v1/keys")).json() == []


async def test_what_was_typed_comes_back(owner: Visitor) -> None:
    """A form that could not be done keeps its fields and its boxes as they were."""
    refused = await owner.act(
        DEVELOPER, "create-key", name="A <b>", scopes=["service:read"], last_day="2026-03-17"
    )
    form = Page(refused.text).form("create-key")

    assert form["name"] == ["A <b>"]
    assert form["scopes"] == ["service:read"]
    assert form["last_day"] == ["2026-03-17"]


async def test_the_last_day_of_all_can_be_shown(daemon: RunningDaemon, owner: Visitor) -> None:
    """A key that ends beyond the calendar breaks no page."""
    await owner.act(DEVELOPER, "create-key", name="A", last_day="9999-12-31")
    ask = {"name": "B", "expiresAt": 2**53 - 1}
    assert (await daemon.http.post("/api/v1/keys", json=ask)).status_code == 201

    assert (await owner.page(DEVELOPER)).said.count("until 9999-12-31") == 2


async def test_a_key_is_revoked(daemon: RunningDaemon, owner: Visitor) -> None:
    """It is refused at its next use, and stays in the list as what it was."""
    made = (await daemon.http.post("/api/v1/keys", json={"name": "A"})).json()
    answer = await owner.act(DEVELOPER, "revoke-key", id=made["id"])

    assert (answer.status_code, answer.headers["location"]) == (303, f"{DEVELOPER}?done=revoked")
    said = (await owner.page(answer.headers["location"])).said
    assert "Key revoked." in said
    assert "A starts with fpk_" in said
    assert "· revoked" in said
    async with browsing(daemon, **{"x-api-key": made["key"]}) as program:
        assert (await program.get("/api/v1/me", accept="*/*")).status_code == 401


async def test_another_persons_things_are_not_there(
    daemon: RunningDaemon, owner: Visitor, guest: Visitor
) -> None:
    """Ids of another's key, session or invite are as unknown as made-up ones, and do nothing."""
    key = (await daemon.http.post("/api/v1/keys", json={"name": "A"})).json()
    invite = (await daemon.http.post("/api/v1/invites", json={})).json()
    (session,) = (await daemon.http.get("/api/v1/sessions")).json()
    token = (await guest.page(ACCOUNT)).forms[0]["form_token"]

    for path, does, id_ in (
        (DEVELOPER, "revoke-key", key["id"]),
        (DEVELOPER, "end-session", session["id"]),
        (PEOPLE, "revoke-invite", invite["id"]),
    ):
        answer = await guest.post(path, {"form_token": token, "do": does, "id": id_})
        assert answer.status_code == 404, does
        assert id_ in Page(answer.text).said
    assert (await owner.get("/")).status_code == 200
    assert (await daemon.http.get("/api/v1/keys")).json()[0]["revokedAt"] is None
    assert "A fpk_" not in (await guest.page(DEVELOPER)).said


async def test_what_is_over_is_shown_as_over(tmp_path: Path, empty_store: Path) -> None:
    """Until its end a key and an invite hold; from its very instant on they are over, and look so."""
    clock = [NOW]
    async with (
        running_daemon(tmp_path, empty_store, clock=lambda: clock[0]) as daemon,
        signed_in(daemon) as browser,
    ):
        await browser.act(PEOPLE, "create-invite", days="1")
        end = NOW + timedelta(days=1)
        ask = {"name": "A", "expiresAt": int(end.timestamp() * 1000)}
        assert (await daemon.http.post("/api/v1/keys", json=ask)).status_code == 201
        for now, stands, ended in (
            (end - timedelta(milliseconds=1), "until 2026-03-19", 0),
            (end, "expired", 1),
        ):
            clock[0] = now
            for path in (DEVELOPER, PEOPLE):
                page = await browser.page(path)
                assert stands in page.said, path
                assert page.values("class").count("ended") == ended
        assert "Remove invite" in (await browser.page(PEOPLE)).said


# --- sessions --------------------------------------------------------------------------------------


async def test_a_browser_is_signed_out_from_another(daemon: RunningDaemon, owner: Visitor) -> None:
    """The list names each browser, and the one that is ended is asked who it is at once."""
    async with signed_in(daemon) as other:
        page = await owner.page(DEVELOPER)
        assert page.said.count("Firefox on Linux") == 2
        assert page.said.count("this browser") == 1
        (label,) = (
            each["aria-label"] for tag, each in page.elements if each.get("value") == "end-session"
        )
        assert label == "Sign out Firefox on Linux, from 127.0.0.1"
        answer = await owner.act(DEVELOPER, "end-session")

        assert answer.headers["location"] == f"{DEVELOPER}?done=ended"
        assert (await other.get("/")).headers["location"] == "/sign-in"
        assert (await owner.get("/")).status_code == 200


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (None, "an unknown browser"),
        ("curl/8.5", "an unknown browser"),
        ("Mozilla/5.0 (Windows NT 10.0; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:140.0) Firefox/140.0", "Firefox on macOS"),
    ],
)  # fmt: skip
def test_a_browser_is_called_by_its_name(told: str | None, name: str) -> None:
    """As its owner knows it, and no longer than that."""
    assert browser_name(told) == name


# --- the account -----------------------------------------------------------------------------------


async def test_name_and_address_are_changed(owner: Visitor) -> None:
    """Both are there at once; an empty name takes the name away."""
    answer = await owner.act(ACCOUNT, "change-me", name=" Ada  L. ", email="ada@example.org")
    assert answer.headers["location"] == f"{ACCOUNT}?done=saved"
    assert "Signed in as Ada L. " in (await owner.page(ACCOUNT)).said

    await owner.act(ACCOUNT, "change-me", name="")
    said = (await owner.page(f"{ACCOUNT}?done=saved")).said
    assert "Signed in as ada@example.org" in said
    assert "Saved." in said


async def test_nobody_takes_anothers_address(guest: Visitor) -> None:
    """The form says so, and keeps what was typed."""
    answer = await guest.act(ACCOUNT, "change-me", email="ADA@localhost")

    page = page_in(answer, 409)
    assert "Another account here uses" in page.said
    assert page.form("change-me")["email"] == ["ADA@localhost"]


async def test_a_password_is_set(daemon: RunningDaemon, owner: Visitor) -> None:
    """It signs in from then on; every other browser is signed out, and this one is not."""
    async with signed_in(daemon) as other:
        answer = await owner.act(ACCOUNT, "set-password", password=PASSWORD, again=PASSWORD)

        assert answer.headers["location"] == f"{ACCOUNT}?done=password-set"
        assert (await other.get("/")).headers["location"] == "/sign-in"
        assert "Password set." in (await owner.page(answer.headers["location"])).said
        assert (await other.sign_in("ada@localhost")).status_code == 303


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ({"again": "another"}, 400, "The two new passwords differ."),
        ({"password": "short", "again": "short"}, 400, "This password is too short"),
        ({"current": "wrong"}, 403, "The current password is wrong."),
        ({"current": ""}, 403, "The current password is wrong."),
    ],
)
async def test_a_password_is_not_set_wrongly(
    guest: Visitor, typed: dict[str, str], status: int, said: str
) -> None:
    """The one so far has to be known, and the new one to be typed twice."""
    new = "five words without any meaning"
    form = {"current": PASSWORD, "password": new, "again": new, **typed}
    answer = await guest.act(ACCOUNT, "set-password", **form)

    assert said in page_in(answer, status).said
    assert PASSWORD not in answer.text
    assert (await guest.sign_in("grace@example.org")).status_code == 303


async def test_an_account_is_deleted(daemon: RunningDaemon, guest: Visitor) -> None:
    """Only who types the address goes, with every session, and the browser forgets its cookie."""
    cookie = str(guest.session)
    kept = await guest.act(ACCOUNT, "delete-me", typed_email="grace@example.com")
    assert "Nothing was deleted" in page_in(kept, 400).said

    gone = await guest.act(ACCOUNT, "delete-me", typed_email=" Grace@Example.org ")
    assert "Your account is deleted" in page_in(gone, 200).said
    assert guest.session is None
    guest.http.cookies.set(guest.cookie, cookie, domain="127.0.0.1", path="/")
    assert (await guest.get("/")).headers["location"] == "/sign-in"
    assert len((await daemon.http.get("/api/v1/people")).json()) == 1


# --- people ----------------------------------------------------------------------------------------


async def test_the_owner_invites(daemon: RunningDaemon, owner: Visitor, visitor: Visitor) -> None:
    """The link is shown once, lets somebody join, and is then shown as used."""
    made = await owner.act(PEOPLE, "create-invite", email="grace@example.org", days="1")
    link = secret_on(Page(made.text), f"{daemon.base_url}/join?invite=")
    way = link.removeprefix(daemon.base_url)

    assert (made.status_code, made.headers["cache-control"]) == (200, "no-store")
    assert link not in (await owner.get(PEOPLE)).text
    assert "until 2026-03-19 12:00" in (await owner.page(PEOPLE)).said
    (form,) = (await visitor.page(way)).forms
    assert (
        await visitor.post("/join", {**form, "password": PASSWORD, "again": PASSWORD})
    ).status_code == 303
    said = (await owner.page(PEOPLE)).said
    assert "used just now" in said
    assert said.count("joined just now") == 2


async def test_an_invite_is_taken_back(owner: Visitor, visitor: Visitor) -> None:
    """Its link lets nobody in from then on."""
    made = await owner.act(PEOPLE, "create-invite")
    way = secret_on(Page(made.text), "http://").removeprefix(owner.daemon.base_url)
    answer = await owner.act(PEOPLE, "revoke-invite")

    assert answer.headers["location"] == f"{PEOPLE}?done=revoked"
    assert (await visitor.get(way)).status_code == 401


@pytest.mark.parametrize("days", ["0", "31", "x", "1.5", "-1"])
async def test_an_invite_holds_for_some_days(owner: Visitor, days: str) -> None:
    """What is no number of days up to thirty is refused, and comes back as it was typed."""
    answer = await owner.act(PEOPLE, "create-invite", days=days)

    assert answer.status_code == 400
    assert Page(answer.text).form("create-invite")["days"] == [days]


async def test_others_see_themselves_alone(guest: Visitor) -> None:
    """Who does not own the machine sees no other person, and invites nobody."""
    said = (await guest.page(PEOPLE)).said
    assert "grace@example.org name Grace · joined just now · you" in said
    assert "ada@localhost" not in said
    assert "Invite somebody" not in said
    token = (await guest.page(PEOPLE)).forms[0]["form_token"]
    answer = await guest.post(PEOPLE, {"form_token": token, "do": "create-invite", "days": "7"})
    assert "Only the owner of this machine can invite people." in page_in(answer, 403).said


async def test_what_nobody_knows_is_refused(owner: Visitor) -> None:
    """A form that asks for nothing, or for what is done in another page, does nothing."""
    token = (await owner.page(PEOPLE)).forms[0]["form_token"]
    for does in ("", "nonsense", "delete-me"):
        answer = await owner.post(PEOPLE, {"form_token": token, "do": does})
        assert answer.status_code == 400


async def test_no_sentence_is_made_up(owner: Visitor) -> None:
    """What is said of what was done is the page's own, whatever an address says."""
    plain = await owner.get(ACCOUNT)

    assert (await owner.get(f"{ACCOUNT}?done=revoked")).text == plain.text
    assert (await owner.get(f"{ACCOUNT}?done=%3Cb%3E")).text == plain.text


# --- activity --------------------------------------------------------------------------------------


async def test_the_record_can_be_read(owner: Visitor, visitor: Visitor) -> None:
    """Each sign-in and each failed one is there, with the instant, what was used, and where from."""
    await visitor.sign_in("ada@localhost", "wrong")
    said = (await owner.page("/settings/activity")).said

    assert "2026-03-18 12:00 Someone entered a wrong password. 127.0.0.1" in said
    assert "2026-03-18 12:00 Signed in with finplan open . a browser 127.0.0.1" in said


async def test_the_record_has_pages(daemon: RunningDaemon, owner: Visitor) -> None:
    """What does not fit on a page is on the next one."""
    for _ in range(EVENTS_AT_ONCE):
        await daemon.http.post("/api/v1/sessions/link")
    first = await owner.page("/settings/activity")
    (older,) = (each["href"] for _, each in first.elements if each.get("rel") == "next")

    assert first.said.count("2026-03-18 12:00") == EVENTS_AT_ONCE
    assert (await owner.get(str(older))).status_code == 200
    assert (await owner.get("/settings/activity?before=x")).status_code == 400


def event(number: int, at: int) -> AuditEvent:
    return AuditEvent(
        id=f"aud_{number}", at=at, kind="key.created", credential=None, address=None, text="x"
    )


def test_no_event_falls_between_two_pages() -> None:
    """A page ends between two instants, since the next one is asked for by an instant."""
    alone = [event(number, 1000 - number) for number in range(EVENTS_AT_ONCE + 1)]
    twins = [event(number, 1000 - number // 2) for number in range(1, EVENTS_AT_ONCE + 2)]
    few = [event(number, 1000) for number in range(EVENTS_AT_ONCE)]

    assert list(first_events(alone)) == alone[:EVENTS_AT_ONCE]
    assert (
        list(first_events(twins))
        == twins[: EVENTS_AT_ONCE - (twins[EVENTS_AT_ONCE - 1].at == twins[EVENTS_AT_ONCE].at)]
    )
    assert list(first_events(few)) == few
    assert twins[EVENTS_AT_ONCE - 1].at == twins[EVENTS_AT_ONCE].at


async def test_the_current_password_is_asked_of_who_has_one(owner: Visitor) -> None:
    """The form has no field that does not apply: none before the first password, then one to fill in."""
    first = (await owner.page("/settings/account")).form("set-password")
    await owner.act("/settings/account", "set-password", password=PASSWORD, again=PASSWORD)
    page = await owner.page("/settings/account")

    assert "current" not in first
    assert "current" in page.form("set-password")
    (field,) = [
        each for tag, each in page.elements if tag == "input" and each.get("id") == "current"
    ]
    assert "required" in field


URL = "https://hooks.example.com/finplan"
NEVER = 2**52
"""An instant that no clock of a test comes to, in milliseconds."""


async def test_a_webhook_is_added_and_shown_once(daemon: RunningDaemon, owner: Visitor) -> None:
    """The page after it has the secret, and no later one has."""
    made = await owner.act(
        WEBHOOKS, "create-webhook", url=URL, events=["plan.built", "recurring.detected"]
    )
    assert made.status_code == 200
    (secret,) = re.findall(r"whsec_[A-Za-z0-9+/=]{44}", made.text)
    (hook,) = (await daemon.http.get("/api/v1/webhooks")).json()
    assert (hook["url"], hook["events"]) == (URL, ["plan.built", "recurring.detected"])
    page = await owner.page(WEBHOOKS)
    assert URL in page.said
    assert secret not in (await owner.get(WEBHOOKS)).text


async def test_what_cannot_be_comes_back(daemon: RunningDaemon, owner: Visitor) -> None:
    """Without an address by https, or anything to be told of, it is said what is missing."""
    for typed, said in (
        ({"url": "http://a.example/", "events": ["plan.built"]}, "begins with https://"),
        ({"url": URL, "events": []}, "Choose at least one event"),
        ({"url": "https://10.0.0.1/", "events": ["plan.built"]}, "not on the public internet"),
        ({"url": URL, "events": ["plan.made"]}, ""),
    ):
        refused = await owner.act(WEBHOOKS, "create-webhook", **typed)
        assert said in page_in(refused, 400).said
        assert Page(refused.text).form("create-webhook")["url"] == [typed["url"]]
    assert (await daemon.http.get("/api/v1/webhooks")).json() == []


async def test_a_webhook_is_tried_paused_and_removed(daemon: RunningDaemon, owner: Visitor) -> None:
    """Each button does what it says, and the page says that it was done."""
    ask = {"url": URL, "events": ["plan.built"]}
    hook = (await daemon.http.post("/api/v1/webhooks", json=ask)).json()
    path = f"/api/v1/webhooks/{hook['id']}"
    for does, said in (
        ("try-webhook", "Test sent"),
        ("disable-webhook", "Webhook disabled"),
        ("enable-webhook", "Webhook enabled"),
    ):
        answer = await owner.act(WEBHOOKS, does, id=hook["id"])
        assert answer.status_code == 303, does
        assert said in (await owner.page(answer.headers["location"])).said
        disabled = (await daemon.http.get(path)).json()["disabledAt"] is not None
        assert disabled == (does == "disable-webhook")
    (sent,) = (await daemon.http.get(f"{path}/deliveries")).json()["deliveries"]
    assert (sent["type"], sent["status"]) == ("webhook.test", "failed")
    rotated = await owner.act(WEBHOOKS, "rotate-secret", id=hook["id"])
    assert "whsec_" in rotated.text
    assert hook["secret"] not in rotated.text
    await owner.act(WEBHOOKS, "remove-webhook", id=hook["id"])
    assert (await daemon.http.get(path)).status_code == 404
    assert "No webhooks yet" in (await owner.page(WEBHOOKS)).said


async def one(daemon: RunningDaemon, **more: Any) -> dict[str, Any]:
    """A webhook, and the settings' page of it by the name `page`."""
    ask = {"url": URL, "events": ["plan.built"], "description": "The flat", **more}
    made: dict[str, Any] = (await daemon.http.post("/api/v1/webhooks", json=ask)).json()
    return {**made, "page": f"{WEBHOOKS}?of={made['id']}"}


async def write(daemon: RunningDaemon, statement: str) -> None:
    await daemon.store.write(lambda c: c.exec_driver_sql(statement) and None)


async def shown(daemon: RunningDaemon, hook: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = (await daemon.http.get(f"/api/v1/webhooks/{hook['id']}")).json()
    return found


async def test_its_address_and_events_are_changed(daemon: RunningDaemon, owner: Visitor) -> None:
    """The form holds what is there, and what was typed where it cannot be; nothing else is changed."""
    hook = await one(daemon, events=["plan.built", "webhook.test"])
    form = (await owner.page(hook["page"])).form("change-webhook")
    assert (form["url"], form["description"], form["events"]) == (
        [URL],
        ["The flat"],
        ["plan.built"],
    )
    typed = {"url": f"{URL}/2", "description": " ", "events": ["recurring.detected"]}
    answer = await owner.act(hook["page"], "change-webhook", id=hook["id"], **typed)
    assert answer.headers["location"] == f"{hook['page']}&done=saved"
    assert "Saved." in (await owner.page(answer.headers["location"])).said
    after = await shown(daemon, hook)
    assert (after["url"], after["description"]) == (f"{URL}/2", None)
    assert after["events"] == ["recurring.detected", "webhook.test"]
    for typed, said in (
        ({"url": "http://a.example/", "events": ["plan.built"]}, "begins with https://"),
        ({"url": URL, "events": []}, "Choose at least one event"),
        ({"url": "https://10.0.0.1/", "events": ["plan.built"]}, "not on the public internet"),
        ({"url": URL, "events": ["plan.made"]}, ""),
    ):
        refused = await owner.act(hook["page"], "change-webhook", id=hook["id"], **typed)
        assert said in page_in(refused, 400).said
        assert Page(refused.text).form("change-webhook")["url"] == [typed["url"]]
    assert await shown(daemon, hook) == after


async def test_what_is_as_it_was_is_not_read_anew(daemon: RunningDaemon, owner: Visitor) -> None:
    """An address that leads nowhere by now keeps nobody from changing what is told to it."""
    hook = await one(daemon)
    await write(daemon, "UPDATE webhook SET url = 'https://10.0.0.1/'")
    typed = {"url": "https://10.0.0.1/", "description": "The flat"}
    events = ["plan.built", "bank.reconnect_required"]
    for wanted in (["plan.built"], events):
        saved = await owner.act(
            hook["page"], "change-webhook", id=hook["id"], **typed, events=wanted
        )
        assert saved.status_code == 303
    assert (await shown(daemon, hook))["events"] == events


async def test_a_delivery_is_tried_once_more(daemon: RunningDaemon, owner: Visitor) -> None:
    """What has failed or waits, unless its webhook is disabled; what is on its way and arrived, not."""
    hook = await one(daemon)
    path = f"/api/v1/webhooks/{hook['id']}"
    for _ in range(4):
        await daemon.http.post(f"{path}/test", json={})
    ids = [
        each["id"] for each in (await daemon.http.get(f"{path}/deliveries")).json()["deliveries"]
    ]
    states = (("pending", 0), ("pending", 2), ("delivered", 1), ("failed", 10))
    for each, (status, attempts) in zip(ids, states, strict=True):
        await write(
            daemon,
            f"UPDATE webhook_delivery SET status = '{status}', attempts = {attempts},"
            f" next_attempt_at = {NEVER} WHERE id = '{each}'",
        )
    page = await owner.get(hook["page"])
    assert re.findall(r'name="delivery" value="(\w+)"', page.text) == [ids[1], ids[3]]
    again = await owner.act(hook["page"], "retry-delivery", id=hook["id"], delivery=ids[3])
    assert "Retry started" in (await owner.page(again.headers["location"])).said
    rows = (await daemon.http.get(f"{path}/deliveries")).json()["deliveries"]
    assert rows[3]["status"] == "pending"
    gone = await owner.act(hook["page"], "retry-delivery", id=hook["id"], delivery="dlv_none")
    assert gone.status_code == 404
    await daemon.http.patch(path, json={"disabled": True})
    assert 'name="delivery"' not in (await owner.get(hook["page"])).text


async def test_all_deliveries_are_shown_by_pages(daemon: RunningDaemon, owner: Visitor) -> None:
    """Twenty on each, the newest first, and each once; a cursor of nowhere is refused."""
    hook = await one(daemon)
    for _ in range(41):
        await daemon.http.post(f"/api/v1/webhooks/{hook['id']}/test", json={})
    way, seen = hook["page"], list[str]()
    counts = []
    while way:
        text = (await owner.get(way)).text
        found = re.findall(r"dlv_\w+", text)
        seen += dict.fromkeys(found)
        counts.append(len(set(found)))
        older = re.search(r'href="([^"]+)">Older<', text)
        assert (">Newest<" in text) == (len(counts) > 1)
        way = html.unescape(older[1]) if older else ""
    assert (counts, len(set(seen))) == ([20, 20, 1], 41)
    assert (await owner.get(f"{hook['page']}&from=nowhere")).status_code == 400
    assert (await owner.get(f"{WEBHOOKS}?of=whk_none")).status_code == 404


async def test_a_former_secret_is_told_as_it_signs(daemon: RunningDaemon, owner: Visitor) -> None:
    """With until when, and beside the button that another one ends it at once; so it is said after."""
    hook = await one(daemon)
    assert "which signs until" not in (await owner.page(WEBHOOKS)).said
    first = await owner.act(WEBHOOKS, "rotate-secret", id=hook["id"])
    assert "no longer signs" not in Page(first.text).said
    said = (await owner.page(WEBHOOKS)).said
    assert (
        said.count(
            "If you rotate the secret again before then, that previous secret stops working at once."
        )
        == 1
    )
    assert "previous secret valid until" in (await owner.page(hook["page"])).said
    second = await owner.act(WEBHOOKS, "rotate-secret", id=hook["id"])
    assert "Any older secret is no longer valid." in Page(second.text).said


async def test_what_can_go_on_is_not_struck_through(daemon: RunningDaemon, owner: Visitor) -> None:
    """A webhook that is disabled is there; only what is over for good is crossed out."""
    hook = await one(daemon)
    await daemon.http.patch(f"/api/v1/webhooks/{hook['id']}", json={"disabled": True})
    text = (await owner.get(WEBHOOKS)).text
    assert 'class="ended"' not in text
    assert "state disabled" in Page(text).said
