"""The page of webhooks in the settings: what a person does there happens to the webhooks."""

import re

from finplan.daemon.surfaces.site.settings.settings_page import WEBHOOKS
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import Page, Visitor

URL = "https://hooks.example.com/finplan"


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
