"""Every page and form of the site: another's thing is as one that never was.

A form is sent as Bob's browser sends it, with a thing of Ada's where it names one, and once more with
one that never was. A credential of another kind opens no page.
"""

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from finplan.daemon.surfaces.pages import tasks
from finplan.daemon.surfaces.site import banks, own_accounts, planned, settings_page
from finplan.daemon.surfaces.site.routes import SETTINGS_PAGES
from tests.daemon.authorization.callers import GUEST, OTHERS, OWN, REFUSED, CallerKind
from tests.daemon.authorization.household import HIS, browsing_as
from tests.daemon.authorization.matrix import Two, differences, leaks, never_was
from tests.daemon.authorization.requests import Request, kinds_named, with_ids
from tests.daemon.site.browsing import Visitor


@dataclass(frozen=True)
class Sent:
    """A form, or where it `does` nothing a page; things of Ada's stand in `<>`."""

    path: str
    does: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


_ID = {"id": ""}
_HOOK = {"url": "https://bob.example.com/", "events": "plan.built"}
_ANSWER = {"category": "groceries"}


def _of(kind: str, **more: str) -> Mapping[str, str]:
    return {"id": f"<{kind}>", **more}


SETTINGS: Mapping[str, Mapping[str, Mapping[str, str] | None]] = {
    settings_page.ACCOUNT: {
        **dict.fromkeys(("change-me", "set-password", "disconnect-google", "delete-me"))
    },
    settings_page.ACCOUNTS: {
        own_accounts.ADD: None,
        own_accounts.SET_BALANCE: _of("account", balance="1"),
        own_accounts.REMOVE: _of("account"),
    },
    settings_page.PLANNED: {
        planned.ADD: None,
        planned.MOVE: _of("planned", month="2199-07"),
        planned.HAPPENED: _of("planned"),
        planned.REMOVE: _of("planned"),
    },
    settings_page.BANKS: {
        "link-simplefin": _of("connection", token="aHR0cHM6Ly9icmlkZ2UuZXhhbXBsZS9jbGFpbS8x"),
        "open-page": _of("connection"),
        banks.OPEN_IN_EUROPE: _of("connection", country="DE", bank="Hafenbank"),
        banks.TAKE_ADDRESS: {"address": "http://127.0.0.1/connect/enablebanking?state=<link>"},
        "sync-bank": _of("connection"),
    },
    settings_page.PEOPLE: {"create-invite": None, "revoke-invite": _of("invite")},
    settings_page.DEVELOPER: {
        "create-key": None,
        "revoke-key": _of("key"),
        "end-session": _of("session"),
        "create-client": None,
        "revoke-client": _of("client"),
        "revoke-agent": _of("agent"),
    },
    settings_page.WEBHOOKS: {
        "create-webhook": None,
        "rotate-secret": _of("webhook"),
        "try-webhook": _of("webhook"),
        "disable-webhook": _of("webhook"),
        "enable-webhook": _of("webhook"),
        "remove-webhook": _of("webhook"),
        "change-webhook": _of("webhook", **_HOOK),
        "retry-delivery": _of("webhook", delivery="<delivery>"),
    },
    settings_page.ACTIVITY: {},
}
"""What each form of the settings names; None for one that names nothing."""

FORMS = (
    *(
        Sent(path, does, fields)
        for path, actions in SETTINGS.items()
        for does, fields in actions.items()
        if fields is not None
    ),
    Sent(settings_page.DEVELOPER, "revoke-client", _of("client let in")),
    Sent(settings_page.DEVELOPER, "revoke-agent", _of("agent that asks")),
    *(
        Sent("/tasks", does, _of("task", **_ANSWER))
        for does in (tasks.LOOK, tasks.KEEP, tasks.EACH, tasks.DISMISS)
    ),
    Sent("/tasks", tasks.UNDO, _of("answered task")),
    *(Sent("/tasks", does, _of("duplicate")) for does in (tasks.SAME, tasks.DIFFERENT)),
    Sent("/statements", "undo", _of("import")),
    Sent("/claim", "claim", {"attempt": "<claim attempt>", "code": "123456"}),
    Sent("/claim", "deny", {"attempt": "<claim attempt>"}),
)

PAGES = (
    *(Sent(path) for path in ("/", "/tasks", "/statements", "/claim", *SETTINGS)),
    Sent("/settings/banks/link?id=<link>"),
    Sent("/settings/webhooks?of=<webhook>"),
    Sent("/tasks?after=<task>"),
    Sent("/claim?claim_attempt_token=<claim attempt>"),
    Sent("/connect/enablebanking?state=<link>&code=x"),
)


def test_every_form_of_the_settings_is_sent() -> None:
    """A new action of a page has to be sent here, or said to name nothing."""
    assert {page.path: set(page.actions) for page in SETTINGS_PAGES} == {
        path: set(actions) for path, actions in SETTINGS.items()
    }


@pytest.fixture
async def bob(two: Two) -> AsyncIterator[Visitor]:
    """Bob's browser."""
    async with browsing_as(two.daemon, two.settled.bob) as browser:
        yield browser


async def _sent(bob: Visitor, sent: Sent, ids: Mapping[str, str]) -> Any:
    path = with_ids(sent.path, ids)
    if not sent.does:
        return await bob.get(path)
    token = (await bob.page("/settings/account")).forms[0]["form_token"][0]
    return await bob.post(
        path, {"form_token": token, "do": sent.does, **with_ids(dict(sent.fields), ids)}
    )


@pytest.mark.thorough
async def test_a_page_shows_nothing_of_anothers(two: Two, bob: Visitor) -> None:
    """Each page and form is answered alike for what is another's and for what never was."""
    hers, wrong = await two.rows(), []
    others = never_was(two.settled.ids)
    for sent in (*PAGES, *FORMS):
        real = await _sent(bob, sent, two.settled.ids)
        named = kinds_named([sent.path, dict(sent.fields)])
        found = [*leaks(real, two.settled.ids, named)]
        if real.status_code == 429 or (sent.does and real.status_code < 400):
            found.append(f"it is answered {real.status_code}: {real.headers.get('location')}")
        if named:
            fake = await _sent(bob, sent, others)
            found += differences(real, fake, two.settled.ids, others)
        rows = await two.rows()
        found += [f"her {name} changed" for name in hers if rows[name] != hers[name]]
        hers = rows
        wrong += [f"{sent}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


async def test_files_that_wait_are_their_senders(two: Two, bob: Visitor) -> None:
    """The files that Ada has sent and not imported yet wait for her alone."""
    async with browsing_as(two.daemon, two.settled.ada) as ada:
        token = (await ada.page("/settings/account")).forms[0]["form_token"][0]
        looked = await ada.http.post(
            "/statements/files",
            data={"form_token": token},
            files={"file": ("zqxada.csv", HIS)},
            headers={"Sec-Fetch-Site": "same-origin", "Origin": two.daemon.base_url},
        )
        found = re.search(r'name="batch" value="([^"]+)"', looked.text)
        assert found is not None, looked.text
        batch = found[1]
        for does in ("look", "import"):
            told = []
            for known in (batch, batch[::-1]):
                answer = await _sent(bob, Sent("/statements", does, {"batch": known}), {})
                told.append((answer.status_code, answer.text.replace(known, "")))
                assert "zqxada" not in answer.text.casefold()
            assert told[0] == told[1]
            assert told[0][0] == 404
        dropped = await _sent(bob, Sent("/statements", "drop"), {})
        assert dropped.status_code == 303
        still = await ada.post(
            "/statements", {"form_token": token, "do": "look", "batch": batch, "answers": "[]"}
        )
        assert still.status_code == 200, still.text


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "caller",
    [*REFUSED, *(each for each in OTHERS if not each.is_browser), GUEST, *OWN],
    ids=lambda caller: caller.name,
)
async def test_only_a_browsers_session_opens_a_page(two: Two, caller: CallerKind) -> None:
    """Whoever shows another credential, or one that has ended, is asked to sign in."""
    for sent in (*PAGES, *FORMS[:1]):
        path = with_ids(sent.path, two.settled.ids)
        answer = await two.ask(caller, Request("POST" if sent.does else "GET", path, {}))
        named = kinds_named(sent.path)
        assert answer.status_code in (401, 403), (sent, answer.status_code)
        assert not [*leaks(answer, two.settled.ids, named)]
