"""`finplan webhooks`: what is listed, what is asked of the daemon, and how a secret is rotated.

The secret before the present one still signs; listening where nothing can arrive any more ends.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from finplan.cli.commands import listening, webhooks as command
from finplan.cli.commands.checkup import ailing_webhooks, findings
from finplan.cli.console.errors import NOT_TAKEN, NOT_THERE, USAGE
from finplan.model.webhook import (
    CreatedWebhook,
    DeliveryPage,
    NewSecret,
    Webhook,
    WebhookDelivery,
    WebhookRecord,
)
from finplan.settings import load_settings
from finplan.views import webhooks
from finplan.views.locale import here
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Answer, Stub
from tests.golden_files import Golden
from tests.views.drawing import how

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
NOW = int(NOON.timestamp() * 1000)
HOW = how(now=NOON)
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
        {
            "failing_since": NOW - 5 * HOUR,
            "last_error": "The receiver answered 500.",
            "waiting": 3,
            "held_up": "The keyring is locked.",
            "next_try_at": NOW + 4_500,
        },
        {"disabled_why": "Every delivery failed for five days."},
    )
    nothing = {
        "disabled_why": None,
        "failing_since": None,
        "last_error": None,
        "waiting": 0,
        "held_up": None,
        "next_try_at": None,
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
    delivery("late", "pending", 3, last_status=503, last_error="The receiver answered 503."),
    delivery("well", "delivered", 1, last_status=204, delivered_at=NOW - HOUR),
    delivery("fail", "failed", 10, last_error="No answer within 20 seconds."),
)


@pytest.fixture
def hooked(stub: Stub) -> Stub:
    """A daemon with the webhooks above."""
    stub.answer("GET", "/webhooks/records", made_up())
    return stub


def test_webhooks_are_listed_with_how_they_fare(draw: Draw, golden: Golden) -> None:
    """Each says where it is, what it is told, and how it fares; what is wrong says what to do."""
    nothing = draw(webhooks.webhooks([], HOW))
    one = "".join(draw(webhooks.one(each, HOW), 110) for each in made_up())
    lists = "".join(draw(webhooks.webhooks(made_up(), HOW), width, width) for width in (120, 80))
    golden("webhooks", lists + one + nothing)


def test_a_webhook_begins_with_its_address(draw: Draw) -> None:
    """No blank line stands above it, and it is whole however narrow the terminal is."""
    well = made_up()[0]
    long = well.webhook.model_copy(update={"url": f"{URL}/{'x' * 60}/end"})
    lines = draw(webhooks.one(well.model_copy(update={"webhook": long}), HOW)).splitlines()
    assert lines[0].startswith("address          https://hooks.example.com")
    assert "".join(line[17:].strip() for line in lines[:2]) == long.url


def test_deliveries_are_listed_with_what_came_of_them(draw: Draw, golden: Golden) -> None:
    """Each says when it was, how it stands, how often it was tried, and what the receiver said."""
    nothing = draw(webhooks.deliveries([], HOW))
    sentences = "".join(draw(webhooks.outcome(each, HOW), 110) for each in DELIVERIES)
    lists = "".join(draw(webhooks.deliveries(DELIVERIES, HOW), width, width) for width in (120, 80))
    golden("deliveries", lists + sentences + nothing)


def test_two_of_one_host_are_told_apart(draw: Draw, finplan: Run, stub: Stub) -> None:
    """However narrow the terminal: no address is cut, and a name that fits both names both in full."""
    urls = [f"https://hooks.example.com/services/of/the/household/{name}" for name in "ab"]
    records = [
        each.model_copy(update={"webhook": each.webhook.model_copy(update={"url": url})})
        for each, url in zip(made_up(), urls, strict=False)
    ]
    whole = draw(webhooks.webhooks(records, HOW)).split("\n")
    cells = "".join(line[: whole[0].index("events")].strip() for line in whole[1:])
    assert all(url in cells for url in urls)
    stub.answer("GET", "/webhooks/records", records)
    refused = finplan("webhooks", "show", "hooks.example.com").err
    assert all(url in refused for url in urls)
    assert urls[1] in finplan("webhooks", "show", urls[1]).out.decode().replace("\n", "")


@pytest.mark.parametrize(
    ("ahead", "told"),
    [
        (-1_000, "now"),
        (0, "now"),
        (1, "in 1 second"),
        (4_500, "in 5 seconds"),
        (119_000, "in 119 seconds"),
        (120_000, "in 2 minutes"),
        (149_000, "in 2 minutes"),
        (150_000, "in 3 minutes"),
        (7_199_000, "in 120 minutes"),
        (7_200_000, "at 2026-03-18 14:00"),
    ],
)
def test_what_is_to_come_soon_is_counted(ahead: int, told: str) -> None:
    """In seconds for two minutes, no sooner than it is; in the nearest minutes for two hours."""
    assert webhooks.when(NOW + ahead, HOW) == told
    # Where the present is between two seconds, too.
    later = how(now=NOON + timedelta(milliseconds=900))
    assert webhooks.when(NOW + ahead + 900, later) == told


def test_one_failure_is_no_failing(draw: Draw) -> None:
    """What failed once a moment ago is not said to fail since; where nothing waits, nothing is tried."""
    well, failed, _ = made_up()
    changes = {"failing_since": NOW - 59_000, "held_up": None}
    told = draw(webhooks.one(failed.model_copy(update=changes), HOW)).split()
    assert " ".join(told).endswith(
        f"home.local ({failed.webhook.id}): The last delivery failed. The receiver answered 500."
        " Next retry in 5 seconds."
    )
    changes |= {"failing_since": NOW - 60_000, "next_try_at": None}
    told = draw(webhooks.one(failed.model_copy(update=changes), HOW)).split()
    assert " ".join(told).endswith(
        f"home.local ({failed.webhook.id}): The last delivery failed. The receiver answered 500."
        " No delivery has succeeded since the first failure, 1 minute ago."
    )
    assert "failed" not in draw(webhooks.one(well, HOW))


def test_the_id_stands_above_the_secret(finplan: Run, hooked: Stub) -> None:
    """A new webhook is two lines on stdout; without --event it is told of everything."""
    made = CreatedWebhook(secret=SECRET, **made_up()[0].webhook.model_dump(by_alias=False))
    hooked.answer("POST", "/webhooks", made, 201)
    hooked.answer("GET", "/webhooks", [each.webhook for each in made_up()])
    ended = finplan("webhooks", "add", URL, "--description", "The flat's")
    assert (ended.code, ended.out) == (0, f"{made.id}\n{SECRET}\n".encode())
    assert SECRET not in ended.err
    assert "twice" not in ended.err
    assert hooked.requests("POST", "/webhooks")[0].json == {
        "url": URL,
        "events": list(command.EVENTS),
        "description": "The flat's",
    }


def test_a_second_one_of_an_address_is_said(finplan: Run, hooked: Stub) -> None:
    """It is allowed, for other events; what both are told of comes twice."""
    held = made_up()[0].webhook
    made = CreatedWebhook(
        secret=SECRET, **{**held.model_dump(by_alias=False), "id": "whk_newer" + "0" * 20}
    )
    hooked.answer("POST", "/webhooks", made, 201)
    hooks = [each.model_dump_json(exclude={"secret"}) for each in (made, held)]
    hooked.answer("GET", "/webhooks", f"[{','.join(hooks)}]".encode())
    ended = finplan("webhooks", "add", URL)
    assert "Webhook whk_well has the same address" in ended.err
    third = held.model_copy(update={"id": "whk_third" + "0" * 20}).model_dump_json()
    hooked.answer("GET", "/webhooks", f"[{','.join([*hooks, third])}]".encode())
    ended = finplan("webhooks", "add", URL)
    assert "sends arrives several times" in ended.err


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
    hooked.answer("PATCH", path, hook)
    hooked.answer("DELETE", path, hook)
    ended = finplan("webhooks", "change", "home", "--enable", "--event", "plan.built")
    assert (ended.code, ended.err) == (0, f"Changed the webhook {hook.url}. It is enabled.\n")
    assert hooked.requests("PATCH", path)[0].json == {"disabled": False, "events": ["plan.built"]}
    finplan("webhooks", "change", "home", "--disable", "--description", "")
    assert hooked.requests("PATCH", path)[1].json == {"disabled": True, "description": None}
    assert finplan("webhooks", "remove", "home.loc").code == NOT_THERE
    assert hooked.requests("DELETE", path) == []
    ended = finplan("webhooks", "remove", "home.local")
    assert (ended.code, len(hooked.requests("DELETE", path))) == (0, 1)
    assert hook.url in ended.err


def test_a_test_tells_its_end(finplan: Run, hooked: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for until there was an attempt."""
    monkeypatch.setattr(command, "PAUSES", (0,) * 3)
    hook = made_up()[0].webhook.id
    sent = delivery("test", "pending", 0)
    over = delivery("test", "delivered", 1, last_status=200)
    hooked.answer("POST", f"/webhooks/{hook}/test", sent, 201)
    pages = [
        DeliveryPage(deliveries=(*DELIVERIES, each), next_cursor=None)
        for each in (sent, sent, over)
    ]
    hooked.answers_to("GET", f"/webhooks/{hook}/deliveries", pages)
    ended = finplan("webhooks", "test", "hooks.example.com")
    assert (ended.code, ended.out) == (0, b"Delivered: the receiver answered 200.\n")


def test_ids_may_be_shortened(finplan: Run, hooked: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the newest two hundred; what came of the new try is told, and nothing of those before."""
    monkeypatch.setattr(command, "PAUSES", (0,) * 3)
    hook = made_up()[0].webhook.id
    failed = DELIVERIES[3]
    page = DeliveryPage(deliveries=DELIVERIES, next_cursor=None)
    hooked.answer("GET", f"/webhooks/{hook}/deliveries", page)
    path = f"/webhooks/{hook}/deliveries/{failed.id}/retry"
    before = failed.model_copy(update={"attempts": failed.attempts - 1})
    hooked.answer("POST", path, before)
    ended = finplan("webhooks", "retry", "hooks.example.com", "dlv_fail")
    assert (ended.code, len(hooked.requests("POST", path))) == (NOT_TAKEN, 1)
    assert ended.out == b"No answer within 20 seconds. No more retries.\n"
    hooked.answer("POST", path, failed)
    ended = finplan("webhooks", "retry", "hooks.example.com", "dlv_fail")
    assert (ended.code, ended.out[:13]) == (NOT_TAKEN, b"Still pending")


def test_a_failed_try_is_told(finplan: Run, hooked: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts no attempt: that it ended is known by what the delivery waits for then."""
    monkeypatch.setattr(command, "PAUSES", (0,) * 3)
    hook, late = made_up()[0].webhook.id, DELIVERIES[1]
    path = f"/webhooks/{hook}/deliveries"
    asked = late.model_copy(update={"next_attempt_at": NOW})
    hooked.answer("POST", f"{path}/{late.id}/retry", asked)
    pages = [DeliveryPage(deliveries=(each,), next_cursor=None) for each in (asked, late)]
    hooked.answers_to("GET", path, pages)
    ended = finplan("webhooks", "retry", hook, late.id)
    assert ended.out.startswith(b"The receiver answered 503. Next retry")
    assert ended.code == NOT_TAKEN


@pytest.mark.parametrize(
    ("place", "code"), [(0, NOT_TAKEN), (1, NOT_TAKEN), (2, 0), (3, NOT_TAKEN)]
)
@pytest.mark.parametrize("words", ["test {hook}", "retry {hook} {id}"])
def test_a_script_learns_whether_it_arrived(
    finplan: Run, hooked: Stub, monkeypatch: pytest.MonkeyPatch, words: str, place: int, code: int
) -> None:
    """By the exit code, with --json as without: then the delivery is printed as it is once tried."""
    monkeypatch.setattr(command, "PAUSES", (0,) * 3)
    hook, over = made_up()[0].webhook.id, DELIVERIES[place]
    path = f"/webhooks/{hook}/deliveries"
    sent = over.model_copy(update={"status": "pending", "attempts": 0, "next_attempt_at": NOW})
    for asked in (f"/webhooks/{hook}/test", f"{path}/{over.id}/retry"):
        hooked.answer("POST", asked, sent)
    line = ["webhooks", *words.format(hook=hook, id=over.id).split()]
    for more in ([], ["--json"]):
        pages = [DeliveryPage(deliveries=(each,), next_cursor=None) for each in (sent, over)]
        hooked.answers_to("GET", path, pages)
        ended = finplan(*line, *more)
        assert (ended.code, ended.err) == (code, "")
    assert ended.out == over.model_dump_json().encode() + b"\n"


def test_it_is_asked_rarely(finplan: Run, hooked: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute is waited with few requests, each of the one page that has the delivery."""
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    hook, old = made_up()[0].webhook.id, DELIVERIES[0]
    path = f"/webhooks/{hook}/deliveries"
    hooked.answer("POST", f"{path}/{old.id}/retry", old)
    first = DeliveryPage(deliveries=DELIVERIES[1:], next_cursor="next")
    second = DeliveryPage(deliveries=(old,), next_cursor="last")
    pages = [first, *[second] * (len(command.PAUSES) + 1)]
    hooked.answers_to("GET", path, pages)
    assert finplan("webhooks", "retry", hook, old.id).code == NOT_TAKEN
    cursors = [each.query.get("cursor") for each in hooked.requests("GET", path)]
    assert cursors == [None, *[["next"]] * (len(command.PAUSES) + 1)]
    assert waited == sorted(waited)
    assert sum(waited) > 30
    assert len(cursors) < 20


def test_later_pages_are_read(finplan: Run, hooked: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is older than the newest two hundred is meant by its whole id."""
    monkeypatch.setattr(command, "PAUSES", (0,) * 3)
    hook, old = made_up()[0].webhook.id, DELIVERIES[2]
    path = f"/webhooks/{hook}/deliveries"
    pages = [
        DeliveryPage(deliveries=DELIVERIES[:1], next_cursor="next"),
        DeliveryPage(deliveries=(old,), next_cursor=None),
    ]
    hooked.answers_to("GET", path, pages)
    before = old.model_copy(update={"attempts": 0, "status": "pending"})
    hooked.answer("POST", f"{path}/{old.id}/retry", before)
    ended = finplan("webhooks", "retry", hook, old.id)
    assert ended.out == b"Delivered: the receiver answered 204.\n"
    assert [each.query.get("cursor") for each in hooked.requests("GET", path)] == [None, ["next"]]


def test_a_new_secret_is_one_line(finplan: Run, hooked: Stub) -> None:
    """Until when the former one signs is said on stderr."""
    hook = made_up()[1].webhook.id
    made = NewSecret(id=hook, secret=SECRET, former_until=NOW, older_until=None)
    hooked.answer("POST", f"/webhooks/{hook}/secret", made)
    ended = finplan("webhooks", "rotate", "home.local")
    assert (ended.code, ended.out) == (0, f"{SECRET}\n".encode())
    assert f"until {here().minute(NOW)}" in ended.err


def test_doctor_names_private_targets(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as a setting allows any; else it says nothing of webhooks."""
    assert not [each for each in findings(load_settings()) if each.name == "webhooks"]
    monkeypatch.setenv("FINPLAN_WEBHOOK_PRIVATE_TARGETS", "home.local 10.0.0.0/8")
    (found,) = [each for each in findings(load_settings()) if each.name == "webhooks"]
    assert "home.local, 10.0.0.0/8" in found.text
    assert found.state == "warn"
    assert "`webhook_private_targets`" in found.advice


def test_doctor_names_what_is_told_nothing() -> None:
    """A webhook whose last try failed, and how many deliveries wait for a key that is out of reach."""
    well, failed, disabled = made_up()
    held = failed.held_up
    free = failed.model_copy(update={"held_up": None})
    (found,) = ailing_webhooks([well, free, disabled])
    assert found.state == "warn"
    assert (
        found.text == f"the last delivery to {free.webhook.url} failed: The receiver answered 500."
    )
    other = well.model_copy(update={"held_up": held, "waiting": 1})
    (found,) = ailing_webhooks([failed, other])
    assert (found.text, found.advice) == (
        "4 deliveries waiting: finplan cannot sign deliveries",
        held,
    )
    (found,) = ailing_webhooks([other])
    assert found.text == "1 delivery waiting: finplan cannot sign deliveries"
    off = free.webhook.model_copy(update={"disabled_at": NOW})
    assert not list(ailing_webhooks([free.model_copy(update={"webhook": off})]))


WELL, HOME, _ = made_up()
PATHS = {each.webhook.id: f"/webhooks/{each.webhook.id}/secret" for each in (WELL, HOME)}
"""The first has a secret that still signs beside the present one."""


@pytest.fixture
def rotating(stub: Stub) -> Stub:
    """A daemon that gives each a new secret."""
    stub.answer("GET", "/webhooks/records", (WELL, HOME))
    for each in (WELL, HOME):
        older = each.former_secret_until
        made = NewSecret(
            id=each.webhook.id, secret=SECRET, former_until=NOW + 24 * HOUR, older_until=older
        )
        stub.answer("POST", PATHS[each.webhook.id], made)
    return stub


def test_a_person_ends_an_older_secret(finplan: Run, rotating: Stub, person: list[str]) -> None:
    """They are told before until when it would sign, and nothing happens unless they want it."""
    hook = WELL.webhook.id
    person += ["", "no"]
    for _ in range(2):
        ended = finplan("webhooks", "rotate", hook)
        assert (ended.code, ended.out, ended.err) == (0, b"", "Nothing was changed.\n")
    assert rotating.requests("POST", PATHS[hook]) == []
    person.append("y")
    ended = finplan("webhooks", "rotate", hook)
    assert (ended.code, ended.out) == (0, f"{SECRET}\n".encode())
    assert ended.err.endswith("Any older secret is no longer valid.\n")


def test_the_question_says_until_when_it_would_sign(
    finplan: Run, rotating: Stub, person: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that who asks for another secret by mistake sees what a receiver would lose."""
    asked: list[str] = []
    monkeypatch.setattr("finplan.cli.console.session.Session.confirm", _saying_no(asked))
    finplan("webhooks", "rotate", WELL.webhook.id)
    until = here().minute(NOW + HOUR)
    assert [until in each for each in asked] == [True]


def _saying_no(asked: list[str]) -> object:
    def confirm(_session: object, question: str, *, default: bool) -> bool:
        asked.append(question)
        return default

    return confirm


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_nobody_to_ask_is_told(finplan: Run, rotating: Stub, option: tuple[str, ...]) -> None:
    """Without --yes nothing happens; with it nothing is asked, and --json tells of the older one."""
    hook = WELL.webhook.id
    refused = finplan("webhooks", "rotate", hook, *option)
    assert (refused.code, refused.out) == (USAGE, b"")
    assert f"valid until {here().minute(NOW + HOUR)}" in refused.err
    assert "--yes" in refused.err
    assert rotating.requests("POST", PATHS[hook]) == []
    ended = finplan("webhooks", "rotate", hook, "--yes", *option)
    assert (ended.code, SECRET.encode() in ended.out) == (0, True)
    assert (f'"olderUntil":{NOW + HOUR}'.encode() in ended.out) == bool(option)


def test_where_one_secret_signs_nothing_is_asked(finplan: Run, rotating: Stub) -> None:
    """Nor is it said that anything ends."""
    ended = finplan("webhooks", "rotate", HOME.webhook.id)
    assert (ended.code, ended.out) == (0, f"{SECRET}\n".encode())
    assert "no longer signs" not in ended.err


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
    stub.answer("POST", "/webhooks", made, 201)
    stub.answer("POST", f"{PATH}/test", DELIVERIES[0], 201)
    return stub


@pytest.mark.parametrize(("last", "happened"), [(REMOVED, "removed"), (DISABLED, "disabled")])
def test_a_lost_webhook_ends_it(finplan: Run, listened: Stub, last: Answer, happened: str) -> None:
    """It says so, and leaves nothing; until then it waits, also where the daemon stumbles."""
    listened.answers_to("GET", PATH, [IT_IS_THERE, STUMBLED, IT_IS_THERE, last])
    status, content = REMOVED if happened == "removed" else IT_IS_THERE
    listened.answer("DELETE", PATH, content, status)
    ended = finplan("webhooks", "listen")
    assert (ended.code, ended.out) == (NOT_THERE, b"")
    assert f"finplan: Someone {happened} the webhook {HOOK.id}" in ended.err
    assert "Could not remove" not in ended.err
    assert len(listened.requests("GET", PATH)) == 4
    assert len(listened.requests("DELETE", PATH)) == 1
    assert not load_settings().places.listener.exists()


def test_what_could_not_be_removed_is_said(finplan: Run, listened: Stub) -> None:
    """Then the next listener finds by a file what this one has left."""
    listened.answers_to("GET", PATH, [DISABLED])
    listened.answer("DELETE", PATH, STUMBLED[1], STUMBLED[0])
    ended = finplan("webhooks", "listen")
    assert f"Could not remove the webhook {HOOK.id}: No." in ended.err
    assert load_settings().places.listener.exists()
