"""`finplan webhooks listen`, with the real daemon that delivers to it."""

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from finplan.cli.commands.listening import (
    LARGEST_BODY,
    Judge,
    LocalReceiver,
    facts_of,
    make_certificate,
)
from finplan.cli.console.errors import NOT_THERE
from finplan.client.announcement import hold
from finplan.model import webhook as webhooks
from finplan.model.connection import Connection
from finplan.model.plan import RecurringCharge
from finplan.settings import Places, load_settings
from finplan.views.page import Page
from finplan.views.webhooks import arrival
from finplan.webhooks.listener import Listener, read_listener, write_listener
from finplan.webhooks.signing import CheckedDelivery, ReceivedDelivery
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.daemon.ports import free_ports
from tests.golden_files import Golden
from tests.patience import LONG_ENOUGH
from tests.present import present
from tests.processes import awaited, running
from tests.views.drawing import how

pytestmark = pytest.mark.thorough

VERIFIED = "verified by secret and key"
NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
CHARGE = RecurringCharge(
    name="Streamly",
    amount=1599,
    monthly=1599,
    interval_days=30,
    cadence="monthly",
    count=4,
    last_date=date(2026, 3, 1),
    next_date=date(2026, 4, 1),
    category="subscriptions",
)
BANK = Connection(
    id="con_1",
    user_id="usr_1",
    provider="aggregator",
    institution_name="First Bank",
    status="login_required",
    error=None,
)
PLAN = webhooks.BuiltPlan(
    created_at=0,
    generated_on=date(2026, 3, 18),
    income=500_000,
    total_spend=420_050,
    surplus=79_950,
    net_worth=-1_000,
    actions=("emergency_fund",),
)
EVENTS: tuple[webhooks.WebhookEvent, ...] = (
    webhooks.WebhookTestEvent(
        type="webhook.test", timestamp=NOON, data=webhooks.WebhookTried(webhook_id="whk_1")
    ),
    webhooks.PlanBuiltEvent(type="plan.built", timestamp=NOON, data=PLAN),
    webhooks.RecurringDetectedEvent(
        type="recurring.detected",
        timestamp=NOON,
        data=webhooks.DetectedRecurring(recurring=CHARGE, count=1),
    ),
    webhooks.RecurringDetectedEvent(
        type="recurring.detected",
        timestamp=NOON,
        data=webhooks.DetectedRecurring(recurring=None, count=37),
    ),
    webhooks.BankReconnectRequiredEvent(
        type="bank.reconnect_required",
        timestamp=NOON,
        data=webhooks.BankToReconnect(connection=BANK),
    ),
)


def arrived(body: bytes, secret: str | None = None, key: str | None = None) -> CheckedDelivery:
    return CheckedDelivery("dlv_1", body, secret, key)


def page_of(each: CheckedDelivery) -> Page:
    return arrival(each.body, (each.fault_of_secret, each.fault_of_key), how(now=NOON))


def test_each_event_is_a_sentence(draw: Draw, golden: Golden) -> None:
    """What it says, and whether it verifies; of what does not, only why."""
    shown = [arrived(each.model_dump_json().encode()) for each in EVENTS]
    shown.append(arrived(b'{"type":"moon.full"}'))
    shown.append(
        arrived(b'{"type":"webhook.test"}', "The signature made with the secret is missing.")
    )
    shown.append(arrived(b"\x1b[2J", "Another secret.", "Another key."))
    golden("arrivals", "".join(draw(page_of(each)) for each in shown))


def test_no_name_commands_a_terminal(draw: Draw) -> None:
    """What a bank or a payee is called is shown, whatever is in it."""
    charge = CHARGE.model_copy(update={"name": "Evil\x1b[31m\u202epayee"})
    data = webhooks.DetectedRecurring(recurring=charge, count=1)
    event = webhooks.RecurringDetectedEvent(type="recurring.detected", timestamp=NOON, data=data)
    shown = draw(page_of(arrived(event.model_dump_json().encode())))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_a_program_reads_what_verifies_alone() -> None:
    """With --json a body that does not verify is null, and each signature's fault is told."""
    assert facts_of(arrived(b'{"type":"x"}'))["body"] == {"type": "x"}
    for faults in ((None, "No."), ("No.", None)):
        facts = facts_of(arrived(b'{"type":"x"}', *faults))
        assert (facts["verified"], facts["body"]) == (False, None)
        assert (facts["faultOfSecret"], facts["faultOfKey"]) == faults


def test_the_directory_is_asked_for_who_knows_the_secret_alone() -> None:
    """A stranger's delivery makes the listener ask nothing of the daemon."""
    asked: list[None] = []

    def directory() -> dict[str, str]:
        asked.append(None)
        return {}

    headers = {"signature-input": 'sig1=("@method");keyid="k"'}
    checked = Judge(bytes(32), directory).check(ReceivedDelivery("https://x/", headers, b""))
    assert (checked.verified, asked) == (False, [])


def test_a_certificate_is_made_for_each_listener() -> None:
    """No two share a key."""
    assert make_certificate()[1] != make_certificate()[1]


def test_there_is_one_listener_of_a_profile(finplan: Run, stub: Stub, home: Path) -> None:
    """A second one is refused, and says which process listens."""
    with hold(load_settings().places.listener_lock):
        ended = finplan("webhooks", "listen")
    assert ended.code == NOT_THERE
    assert f"Another `finplan webhooks listen` is running (process {os.getpid()})" in ended.err
    assert stub.requests("POST", "/webhooks") == []


def test_a_receiver_takes_deliveries_alone(tmp_path: Path) -> None:
    """At its own path, and none that is longer than any event; nothing else reaches who verifies."""
    taken: list[CheckedDelivery] = []
    receiver = LocalReceiver(tmp_path, "/secret")
    here = Listener(receiver.url, receiver.certificate)
    beside = Listener(receiver.url.replace("/secret", "/"), receiver.certificate)
    try:
        with receiver.handing_over(Judge(bytes(32), dict), taken.append):
            assert _post(beside, b"{}") == 404
            for length in (str(LARGEST_BODY + 1), "9" * 20, "-1", "²", ""):
                assert _status_of(here, length) == 413
            assert taken == []
            assert _post(here, bytes(LARGEST_BODY)) == 401
            # It is handed over once it has been answered.
            awaited(lambda: bool(taken))
            assert [len(each.body) for each in taken] == [LARGEST_BODY]
    finally:
        receiver.close()
    assert list(tmp_path.iterdir()) == []


def _status_of(listener: Listener, length: str) -> int:
    """The status that is answered to a POST which says so of its length and sends nothing."""
    target = urlsplit(listener.url)
    context = ssl.create_default_context(cadata=listener.certificate)
    plain = socket.create_connection((str(target.hostname), target.port or 0), LONG_ENOUGH)
    with context.wrap_socket(plain, server_hostname=target.hostname) as secured:
        head = f"POST {target.path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
        secured.sendall(head.encode())
        return int(secured.recv(4096).split()[1])


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment with a home of its own, whose daemon is stopped in the end."""
    clean = {name: value for name, value in os.environ.items() if name[:8] != "FINPLAN_"}
    environment = {
        **clean,
        "FINPLAN_HOME": str(tmp_path),
        "FINPLAN_PORT": str(free_ports(1)),
        "COLUMNS": "80",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }
    yield environment
    asked(environment, "daemon", "stop")


def asked(environment: dict[str, str], *words: str) -> str:
    """What a command says on stdout."""
    return subprocess.run(
        [sys.executable, "-m", "finplan", *words],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        timeout=LONG_ENOUGH,
    ).stdout


def places(environment: dict[str, str]) -> Places:
    return load_settings(environ=environment).places


IN_THE_FOREGROUND = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from finplan.__main__ import main
main()
"""
"""A command as on a terminal: a shell has what runs in the background ignore Ctrl-C."""


@contextmanager
def listening(
    environment: dict[str, str], *words: str
) -> Iterator["tuple[subprocess.Popen[str], Listener]"]:
    """A listener that has its webhook, and what names it to the daemon."""
    command = (sys.executable, "-c", IN_THE_FOREGROUND, "webhooks", "listen", *words)
    with running(*command, env=environment) as process:
        assert process.stdout is not None
        yield process, _first(process, environment)


def _first(process: "subprocess.Popen[str]", environment: dict[str, str]) -> Listener:
    file = places(environment).listener
    awaited(lambda: process.poll() is not None or read_listener(file) is not None)
    found = read_listener(file)
    assert found is not None, process.stderr and process.stderr.read()
    return found


def _line(process: "subprocess.Popen[str]") -> str:
    return present(process.stdout).readline().rstrip()


def _post(listener: Listener, body: bytes, **headers: str) -> int:
    """The status that the listener answers to somebody who knows where it is."""
    request = urllib.request.Request(listener.url, body, headers, method="POST")
    context = ssl.create_default_context(cadata=listener.certificate)
    try:
        with urllib.request.urlopen(request, context=context, timeout=LONG_ENOUGH) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        refused.close()
        return refused.code


def test_one_command_shows_a_delivery(machine: dict[str, str]) -> None:
    """A test arrives by itself and verifies both ways; a forgery is refused; Ctrl-C leaves nothing."""
    with listening(machine) as (process, listener):
        head, told = _line(process), _line(process)
        assert head.partition("  ")[2] == f"webhook.test  {VERIFIED}"
        (webhook,) = json.loads(asked(machine, "webhooks", "--json"))
        assert told.strip() == f"Test of the webhook {webhook['id']}."
        assert webhook["url"] == listener.url
        assert "Delivered" in asked(machine, "webhooks", "test", "127.0.0.1")
        assert _line(process).endswith(VERIFIED)
        _line(process)
        assert _post(listener, b'{"type":"webhook.test"}') == 401
        assert _line(process).endswith("not verified")
        process.send_signal(signal.SIGINT)
        assert process.wait(LONG_ENOUGH) == 0
        assert "Traceback" not in present(process.stderr).read()
    assert json.loads(asked(machine, "webhooks", "--json")) == []
    assert not places(machine).listener.exists()


def test_what_was_changed_on_its_way_is_not_taken(machine: dict[str, str]) -> None:
    """A delivery of the daemon whose body somebody changed verifies by neither signature."""
    with listening(machine, "--json", "--event", "plan.built") as (process, listener):
        first: dict[str, Any] = json.loads(_line(process))
        assert (first["verified"], first["body"]["type"]) == (True, "webhook.test")
        forged = {"webhook-id": first["id"], "webhook-timestamp": "1", "webhook-signature": "v1,x"}
        assert _post(listener, json.dumps(first["body"]).encode(), **forged) == 401
        second = json.loads(_line(process))
        assert (second["id"], second["verified"], second["body"]) == (first["id"], False, None)
        (webhook,) = json.loads(asked(machine, "webhooks", "--json"))
        assert webhook["events"] == ["plan.built"]
        process.kill()
        process.wait(LONG_ENOUGH)
    # One that was killed leaves its webhook behind; the next one removes it, and has its own.
    assert json.loads(asked(machine, "webhooks", "--json")) == [webhook]
    with listening(machine) as (process, _):
        assert _line(process).endswith(VERIFIED)
        (newer,) = json.loads(asked(machine, "webhooks", "--json"))
        assert newer["id"] != webhook["id"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONG_ENOUGH) == 0
    assert json.loads(asked(machine, "webhooks", "--json")) == []


def test_other_webhooks_stay(finplan: Run, stub: Stub, home: Path) -> None:
    """What a listener left is known by its very URL, and nothing else is removed."""
    from finplan.cli.commands.listening import _remove_stale_webhook
    from finplan.cli.console.options import GlobalOptions
    from finplan.cli.console.session import Session

    settings = load_settings()
    hooks = [
        {"id": f"whk_{name}", "url": url, "description": None, "events": ["plan.built"]}
        | {"createdAt": 0, "disabledAt": None}
        for name, url in (("a", "https://127.0.0.1:1/x"), ("b", "https://127.0.0.1:1/xy"))
    ]
    stub.answer("GET", "/webhooks", hooks)
    stub.answer("DELETE", "/webhooks/whk_a", hooks[0])
    session = Session(GlobalOptions(), settings)
    _remove_stale_webhook(session)
    assert stub.requests("GET", "/webhooks") == []
    write_listener(settings.places.listener, Listener("https://127.0.0.1:1/x", "its own"))
    _remove_stale_webhook(session)
    session.close()
    assert len(stub.requests("DELETE", "/webhooks/whk_a")) == 1
    assert stub.requests("DELETE", "/webhooks/whk_b") == []
