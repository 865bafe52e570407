"""`finplan webhooks listen`, where nothing can arrive any more."""

import pytest

from finplan.cli.commands import listening
from finplan.cli.console.errors import NOT_THERE
from finplan.model.webhook import CreatedWebhook
from finplan.settings import load_settings
from tests.cli.conftest import Run
from tests.cli.stub import Answer, Stub
from tests.cli.test_webhooks import DELIVERIES, NOW, SECRET, made_up

HOOK = made_up()[0].webhook
PATH = f"/webhooks/{HOOK.id}"
IT_IS_THERE = (200, HOOK.model_dump_json().encode())
DISABLED = (200, HOOK.model_copy(update={"disabled_at": NOW}).model_dump_json().encode())
FAULT = b'{"defined":true,"code":"%s","status":%d,"message":"No.","data":null}'
REMOVED = (404, FAULT % (b"NOT_FOUND", 404))
STUMBLED = (500, FAULT % (b"INTERNAL_SERVER_ERROR", 500))


@pytest.fixture
def listened(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> Stub:
    """A daemon that has registered the listener's webhook, and is looked at without a pause."""
    monkeypatch.setattr(listening, "LOOKS_EVERY", 0.001)
    made = CreatedWebhook(secret=SECRET, **HOOK.model_dump(by_alias=False))
    stub.answer("POST", "/webhooks", made.model_dump_json().encode(), 201)
    stub.answer("POST", f"{PATH}/test", DELIVERIES[0].model_dump_json().encode(), 201)
    return stub


@pytest.mark.parametrize(("last", "happened"), [(REMOVED, "removed"), (DISABLED, "disabled")])
def test_a_webhook_that_somebody_else_ended_ends_the_listener(
    finplan: Run, listened: Stub, last: Answer, happened: str
) -> None:
    """It says so, and leaves nothing; until then it waits, also where the daemon stumbles."""
    listened.answers_to("GET", PATH, [IT_IS_THERE, STUMBLED, IT_IS_THERE, last])
    status, content = REMOVED if happened == "removed" else IT_IS_THERE
    listened.answer("DELETE", PATH, content, status)
    ended = finplan("webhooks", "listen")
    assert (ended.code, ended.out) == (NOT_THERE, b"")
    assert f"finplan: The webhook {HOOK.id} was {happened} by somebody else" in ended.err
    assert "is still registered" not in ended.err
    assert len(listened.requests("GET", PATH)) == 4
    assert len(listened.requests("DELETE", PATH)) == 1
    assert not load_settings().places.listener.exists()


def test_what_could_not_be_removed_is_said(finplan: Run, listened: Stub) -> None:
    """Then the next listener finds by a file what this one has left."""
    listened.answers_to("GET", PATH, [DISABLED])
    listened.answer("DELETE", PATH, STUMBLED[1], STUMBLED[0])
    ended = finplan("webhooks", "listen")
    assert f"The webhook {HOOK.id} is still registered: No." in ended.err
    assert load_settings().places.listener.exists()
