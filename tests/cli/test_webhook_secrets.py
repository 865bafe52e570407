"""`finplan webhooks rotate`, where the secret before the present one still signs."""

import pytest

from finplan.cli.console.errors import USAGE
from finplan.cli.showing import webhooks
from finplan.model.webhook import NewSecret
from tests.cli.conftest import Run
from tests.cli.stub import Stub
from tests.cli.test_webhooks import HOUR, NOW, SECRET, made_up

WELL, HOME, _ = made_up()
PATHS = {each.webhook.id: f"/webhooks/{each.webhook.id}/secret" for each in (WELL, HOME)}
"""The first has a secret that still signs beside the present one."""


@pytest.fixture
def rotating(stub: Stub) -> Stub:
    """A daemon that gives each a new secret."""
    listed = ",".join(each.model_dump_json() for each in (WELL, HOME))
    stub.answer("GET", "/webhooks/records", f"[{listed}]".encode())
    for each in (WELL, HOME):
        older = each.former_secret_until
        made = NewSecret(
            id=each.webhook.id, secret=SECRET, former_until=NOW + 24 * HOUR, older_until=older
        )
        stub.answer("POST", PATHS[each.webhook.id], made.model_dump_json().encode())
    return stub


def test_an_older_secret_ends_when_the_person_says_so(
    finplan: Run, rotating: Stub, person: list[str]
) -> None:
    """They are told before until when it would sign, and nothing happens unless they want it."""
    hook = WELL.webhook.id
    person += ["", "no"]
    for _ in range(2):
        ended = finplan("webhooks", "rotate", hook)
        assert (ended.code, ended.out, ended.err) == (0, b"", "The secrets stay as they are.\n")
    assert rotating.requests("POST", PATHS[hook]) == []
    person.append("y")
    ended = finplan("webhooks", "rotate", hook)
    assert (ended.code, ended.out) == (0, f"{SECRET}\n".encode())
    assert ended.err.endswith("The one before that signs no more.\n")


def test_the_question_says_until_when_it_would_sign(
    finplan: Run, rotating: Stub, person: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that who asks for another secret by mistake sees what a receiver would lose."""
    asked: list[str] = []
    monkeypatch.setattr("finplan.cli.console.session.Session.confirm", _saying_no(asked))
    finplan("webhooks", "rotate", WELL.webhook.id)
    until = webhooks.moment(NOW + HOUR)
    told = f"The secret before the present one signs until {until} and would end at once."
    assert asked == [f"{told} Give a new one?"]


def _saying_no(asked: list[str]) -> object:
    def confirm(_session: object, question: str, *, default: bool) -> bool:
        asked.append(question)
        return default

    return confirm


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_where_nobody_can_be_asked_it_is_said_in_the_line(
    finplan: Run, rotating: Stub, option: tuple[str, ...]
) -> None:
    """Without --yes nothing happens; with it nothing is asked, and --json tells of the older one."""
    hook = WELL.webhook.id
    refused = finplan("webhooks", "rotate", hook, *option)
    assert (refused.code, refused.out) == (USAGE, b"")
    assert f"signs until {webhooks.moment(NOW + HOUR)}" in refused.err
    assert "--yes" in refused.err
    assert rotating.requests("POST", PATHS[hook]) == []
    ended = finplan("webhooks", "rotate", hook, "--yes", *option)
    assert (ended.code, SECRET.encode() in ended.out) == (0, True)
    assert (f'"olderUntil":{NOW + HOUR}'.encode() in ended.out) == bool(option)


def test_where_one_secret_signs_nothing_is_asked(finplan: Run, rotating: Stub) -> None:
    """Nor is it said that anything ends."""
    ended = finplan("webhooks", "rotate", HOME.webhook.id)
    assert (ended.code, ended.out) == (0, f"{SECRET}\n".encode())
    assert "signs no more" not in ended.err
