"""The page of webhooks in the settings: what a person does there happens to the webhooks."""

import html
import re
from typing import Any

from finplan.daemon.surfaces.site.settings_page import WEBHOOKS
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import Page, Visitor

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
        ({"url": URL, "events": []}, "Tick what it is told of"),
        ({"url": "https://10.0.0.1/", "events": ["plan.built"]}, "not on the public internet"),
        ({"url": URL, "events": ["plan.made"]}, ""),
    ):
        refused = await owner.act(WEBHOOKS, "create-webhook", **typed)
        assert refused.status_code == 400
        assert said in Page(refused.text).said
        assert Page(refused.text).form("create-webhook")["url"] == [typed["url"]]
    assert (await daemon.http.get("/api/v1/webhooks")).json() == []


async def test_a_webhook_is_tried_turned_off_and_on_and_removed(
    daemon: RunningDaemon, owner: Visitor
) -> None:
    """Each button does what it says, and the page says that it was done."""
    ask = {"url": URL, "events": ["plan.built"]}
    hook = (await daemon.http.post("/api/v1/webhooks", json=ask)).json()
    path = f"/api/v1/webhooks/{hook['id']}"
    for does, said in (
        ("try-webhook", "A test is on its way"),
        ("disable-webhook", "Nothing is sent there any more"),
        ("enable-webhook", "Deliveries go on"),
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
    assert "Nothing is told of anything yet" in (await owner.page(WEBHOOKS)).said


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
    assert "is as it stands here" in (await owner.page(answer.headers["location"])).said
    after = await shown(daemon, hook)
    assert (after["url"], after["description"]) == (f"{URL}/2", None)
    assert after["events"] == ["recurring.detected", "webhook.test"]
    for typed, said in (
        ({"url": "http://a.example/", "events": ["plan.built"]}, "begins with https://"),
        ({"url": URL, "events": []}, "Tick what it is told of"),
        ({"url": "https://10.0.0.1/", "events": ["plan.built"]}, "not on the public internet"),
        ({"url": URL, "events": ["plan.made"]}, ""),
    ):
        refused = await owner.act(hook["page"], "change-webhook", id=hook["id"], **typed)
        assert (refused.status_code, said in Page(refused.text).said) == (400, True)
        assert Page(refused.text).form("change-webhook")["url"] == [typed["url"]]
    assert await shown(daemon, hook) == after


async def test_what_is_as_it_was_is_not_looked_at_anew(
    daemon: RunningDaemon, owner: Visitor
) -> None:
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
    assert "waiting, tried again" in page.text
    again = await owner.act(hook["page"], "retry-delivery", id=hook["id"], delivery=ids[3])
    assert "It is tried once more" in (await owner.page(again.headers["location"])).said
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
        older = re.search(r'href="([^"]+)">Older ones', text)
        assert ("The newest" in text) == (len(counts) > 1)
        way = html.unescape(older[1]) if older else ""
    assert (counts, len(set(seen))) == ([20, 20, 1], 41)
    assert (await owner.get(f"{hook['page']}&from=nowhere")).status_code == 400
    assert (await owner.get(f"{WEBHOOKS}?of=whk_none")).status_code == 404


async def test_a_former_secret_is_said_as_long_as_it_signs(
    daemon: RunningDaemon, owner: Visitor
) -> None:
    """With until when, and beside the button that another one ends it at once; so it is said after."""
    hook = await one(daemon)
    assert "signs, too, until" not in (await owner.page(WEBHOOKS)).said
    first = await owner.act(WEBHOOKS, "rotate-secret", id=hook["id"])
    assert "signs no more" not in Page(first.text).said
    said = (await owner.page(WEBHOOKS)).said
    assert "the secret before signs, too, until" in said
    assert said.count("A new secret ends the one before, which signs until") == 1
    assert "the secret before signs, too, until" in (await owner.page(hook["page"])).said
    second = await owner.act(WEBHOOKS, "rotate-secret", id=hook["id"])
    assert "The one before that signs no more." in Page(second.text).said


async def test_what_can_be_let_go_on_is_not_struck_through(
    daemon: RunningDaemon, owner: Visitor
) -> None:
    """A webhook that is disabled is there; only what is over for good is crossed out."""
    hook = await one(daemon)
    await daemon.http.patch(f"/api/v1/webhooks/{hook['id']}", json={"disabled": True})
    text = (await owner.get(WEBHOOKS)).text
    assert 'class="ended"' not in text
    assert "disabled since" in text
