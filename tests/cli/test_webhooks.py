"""`finplan webhooks`: what is listed, and what is asked of the daemon."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from finplan.cli.commands.automation import webhooks as command
from finplan.cli.commands.checkup import findings
from finplan.cli.console.errors import NOT_THERE, USAGE
from finplan.cli.showing.automation import webhooks
from finplan.model.automation.webhook import (
    CreatedWebhook,
    DeliveryPage,
    NewSecret,
    Webhook,
    WebhookDelivery,
    WebhookRecord,
)
from finplan.settings import load_settings
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.golden_files import Golden

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
NOW = int(NOON.timestamp() * 1000)
HOUR = 3_600_000
SECRET = "whsec_" + "x" * 43 + "="
URL = "https://hooks.example.com/finplan"


def made_up() -> list[WebhookRecord]:
    """One that is well, one that fails, and one that is disabled."""
    told: tuple[dict[str, Any], ...] = (
        {"url": URL, "events": ("plan.built",), "description": "The flat's dashboard"},
        {"url": "https://home.local:8123/api/webhook/abc", "events": command.EVENTS},
        {"url": "https://gone.example.org/", "events": ("plan.built",), "disabled_at": NOW - HOUR},
    )
    hooks = [
        Webhook(
            id=f"whk_{name}" + "0" * 20,
            created_at=NOW - 72 * HOUR,
            **{"description": None, "disabled_at": None, **each},
        )
        for name, each in zip(("well", "home", "gone"), told, strict=True)
    ]
    states: tuple[dict[str, Any], ...] = (
        {"former_secret_until": NOW + HOUR},
        {"failing_since": NOW - 5 * HOUR, "last_error": "The answer was 500.", "waiting": 3},
        {"disabled_why": "Every delivery failed for five days."},
    )
    nothing = {
        "disabled_why": None,
        "failing_since": None,
        "last_error": None,
        "waiting": 0,
        "former_secret_until": None,
    }
    return [
        WebhookRecord(webhook=hook, **{**nothing, **state})
        for hook, state in zip(hooks, states, strict=True)
    ]


def delivery(name: str, status: str, attempts: int, **more: Any) -> WebhookDelivery:
    told: dict[str, Any] = {
        "id": f"dlv_{name}" + "0" * 20,
        "type": "plan.built",
        "status": status,
        "attempts": attempts,
        "next_attempt_at": NOW + HOUR,
        "last_status": None,
        "last_error": None,
        "created_at": NOW - 2 * HOUR,
        "delivered_at": None,
    }
    return WebhookDelivery(**{**told, **more})


DELIVERIES = (
    delivery("soon", "pending", 0),
    delivery("late", "pending", 3, last_status=503, last_error="The answer was 503."),
    delivery("well", "delivered", 1, last_status=204, delivered_at=NOW - HOUR),
    delivery("fail", "failed", 10, last_error="There was no answer within 20 seconds."),
)


@pytest.fixture
def hooked(stub: Stub) -> Stub:
    """A daemon with the webhooks above."""
    listed = ",".join(each.model_dump_json() for each in made_up())
    stub.answer("GET", "/webhooks/records", f"[{listed}]".encode())
    return stub


def test_webhooks_are_listed_with_how_they_fare(draw: Draw, golden: Golden) -> None:
    """Each says where it is, what it is told, and how it fares; what is wrong says what to do."""
    nothing = draw(webhooks.draw_webhooks([]))
    one = "".join(draw(webhooks.draw_webhook(each, NOON), 110) for each in made_up())
    golden("webhooks", draw(webhooks.draw_webhooks(made_up(), NOON), 120) + one + nothing)


def test_deliveries_are_listed_with_what_came_of_them(draw: Draw, golden: Golden) -> None:
    """Each says when it was, how it stands, how often it was tried, and what the receiver said."""
    nothing = draw(webhooks.draw_deliveries([]))
    sentences = "".join(draw(webhooks.outcome(each), 110) for each in DELIVERIES)
    golden(
        "deliveries", draw(webhooks.draw_deliveries(DELIVERIES, NOON), 120) + sentences + nothing
    )


def test_the_id_stands_above_the_secret(finplan: Run, hooked: Stub) -> None:
    """A new webhook is two lines on stdout; without --event it is told of everything."""
    made = CreatedWebhook(secret=SECRET, **made_up()[0].webhook.model_dump(by_alias=False))
    hooked.answer("POST", "/webhooks", made.model_dump_json().encode(), 201)
    ended = finplan("webhooks", "add", URL, "--description", "The flat's")
    assert (ended.code, ended.out) == (0, f"{made.id}\n{SECRET}\n".encode())
    assert SECRET not in ended.err
    assert hooked.requests("POST", "/webhooks")[0].json == {
        "url": URL,
        "events": list(command.EVENTS),
        "description": "The flat's",
    }


@pytest.mark.parametrize(
    "line",
    [
        "add http://hooks.example.com/",
        "add https://hooks.example.com/ --event plan.made",
        "add https://hooks.example.com/ --event webhook.test",
        "change home.local",
        "change home.local --url ftp://x",
        "deliveries home.local --limit 0",
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(finplan: Run, hooked: Stub, line: str) -> None:
    """Nothing is asked of the daemon but which webhooks there are."""
    assert finplan("webhooks", *line.split()).code == USAGE


def test_a_webhook_is_meant_by_its_host(finplan: Run, hooked: Stub) -> None:
    """Or by what it is for; to remove one, or change its secret, the whole host or id is needed."""
    hook = made_up()[1].webhook
    path = f"/webhooks/{hook.id}"
    hooked.answer("PATCH", path, hook.model_dump_json().encode())
    hooked.answer("DELETE", path, hook.model_dump_json().encode())
    ended = finplan("webhooks", "change", "home", "--enable", "--event", "plan.built")
    assert (ended.code, ended.err) == (0, f"Changed the webhook {hook.url}. Deliveries go to it.\n")
    assert hooked.requests("PATCH", path)[0].json == {"disabled": False, "events": ["plan.built"]}
    finplan("webhooks", "change", "home", "--disable", "--description", "")
    assert hooked.requests("PATCH", path)[1].json == {"disabled": True, "description": None}
    assert finplan("webhooks", "remove", "home.loc").code == NOT_THERE
    assert hooked.requests("DELETE", path) == []
    ended = finplan("webhooks", "remove", "home.local")
    assert (ended.code, len(hooked.requests("DELETE", path))) == (0, 1)
    assert hook.url in ended.err


def test_a_test_tells_what_came_of_it(
    finplan: Run, hooked: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked for until there was an attempt."""
    monkeypatch.setattr(command, "PAUSE", 0)
    hook = made_up()[0].webhook.id
    sent = delivery("test", "pending", 0)
    over = delivery("test", "delivered", 1, last_status=200)
    hooked.answer("POST", f"/webhooks/{hook}/test", sent.model_dump_json().encode(), 201)
    page = DeliveryPage(deliveries=(*DELIVERIES, over), next_cursor=None)
    hooked.answer("GET", f"/webhooks/{hook}/deliveries", page.model_dump_json().encode())
    ended = finplan("webhooks", "test", "hooks.example.com")
    assert (ended.code, ended.out) == (0, b"It arrived: the receiver answered 200.\n")


def test_a_delivery_is_meant_by_the_beginning_of_its_id(finplan: Run, hooked: Stub) -> None:
    """One of the newest two hundred."""
    hook = made_up()[0].webhook.id
    failed = DELIVERIES[3]
    page = DeliveryPage(deliveries=DELIVERIES, next_cursor=None)
    hooked.answer("GET", f"/webhooks/{hook}/deliveries", page.model_dump_json().encode())
    path = f"/webhooks/{hook}/deliveries/{failed.id}/retry"
    hooked.answer("POST", path, failed.model_dump_json().encode())
    ended = finplan("webhooks", "retry", "hooks.example.com", "dlv_fail")
    assert (ended.code, len(hooked.requests("POST", path))) == (0, 1)
    assert "It is sent now" in ended.err


def test_a_new_secret_is_one_line(finplan: Run, hooked: Stub) -> None:
    """Until when the former one signs is said on stderr."""
    hook = made_up()[0].webhook.id
    made = NewSecret(id=hook, secret=SECRET, former_until=NOW)
    hooked.answer("POST", f"/webhooks/{hook}/secret", made.model_dump_json().encode())
    ended = finplan("webhooks", "rotate", "hooks.example.com")
    assert (ended.code, ended.out) == (0, f"{SECRET}\n".encode())
    assert f"until {webhooks.moment(NOW)}" in ended.err


def test_doctor_names_private_targets(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as a setting allows any; else it says nothing of webhooks."""
    assert not [each for each in findings(load_settings()) if each.name == "webhooks"]
    monkeypatch.setenv("FINPLAN_WEBHOOK_PRIVATE_TARGETS", "home.local 10.0.0.0/8")
    (found,) = [each for each in findings(load_settings()) if each.name == "webhooks"]
    assert "home.local, 10.0.0.0/8" in found.text
