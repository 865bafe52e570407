"""Every row of the table × every kind of caller: another's thing is as one that never was.

Each question names one of Ada's things by its real id, and is then asked once more with an id of its
kind that nothing has ever had. Whoever is nobody is refused before anything is looked for, whoever lacks
a scope likewise, and whoever else is answered the same both times. No answer shows a thing or a text of
Ada's, none is a 429, and no row of hers changes.

Every other route of the application is looked at by a test of who may ask it, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web

from finplan.daemon.server import serve
from finplan.operation import AnyOperation, Derived
from finplan.operations.table import OPERATIONS
from tests.daemon import running
from tests.daemon.authorization import callers, household, requests
from tests.daemon.authorization.matrix import Two, differences, leaks, leaks_in, never_was
from tests.daemon.authorization.test_pages import PAGES
from tests.daemon.running import running_daemon

# --- whether all is asked -------------------------------------------------------------------------


def test_every_row_is_asked() -> None:
    """A new row has to be asked here; one whose path names a thing, by that."""
    assert {row.name for row, _ in requests.cases()} == requests.ROWS.keys()
    assert requests.BY_PATH.keys() == {row.name for row in OPERATIONS if row.path_names}


def test_every_text_of_a_question_is_looked_at() -> None:
    """A new text in a question is asked with a thing of Ada's, or said to name none."""
    texts = {
        f"{row.name}.{place}"
        for row in OPERATIONS
        for place in requests.texts_of(row.asks)
        if place not in row.path_names
    }
    named = {
        f"{name}.{place}"
        for name, several in requests.BY_QUESTION.items()
        for place in _named(several)
    }
    assert texts == named | requests.FREE_TEXTS
    assert named.isdisjoint(requests.FREE_TEXTS)


def _named(several: tuple[requests.Asked, ...]) -> Iterator[str]:
    for asked in several:
        yield from asked.query
        yield from (name for name in asked.form or {} if name not in ("accountKind", "dryRun"))
        yield from requests.named_in(asked.body)


# --- the matrix -----------------------------------------------------------------------------------


@pytest.mark.sampled(14)
@pytest.mark.parametrize(
    "caller", [*callers.CALLERS, callers.ELSEWHERE], ids=lambda caller: caller.name
)
async def test_anothers_thing_is_as_one_that_never_was(
    two: Two, caller: callers.CallerKind
) -> None:
    """Each row is refused or not found, alike for what is another's and for what never was."""
    wrong = await _asked(two, caller, [*requests.cases()])
    assert not wrong, "\n".join(wrong)


TOLD_TO_THE_OWNER = ("list_people", "list_audit", "rotate_data_key")
"""What the owner of the machine sees or does of all people: who has an account, who came and left; and
all that is sealed is sealed anew."""


@pytest.mark.thorough
@pytest.mark.sampled(8)
@pytest.mark.parametrize("caller", callers.OTHERS, ids=lambda caller: caller.name)
async def test_who_owns_the_machine_finds_no_more(
    two_at_bobs: Two, caller: callers.CallerKind
) -> None:
    """The owner of the machine finds nothing of who joined, as others find nothing of the owner's."""
    has = two_at_bobs.settled.ids.keys()
    asked = [
        (row, each)
        for row, each in requests.cases()
        if each.kinds <= has and row.name not in (*TOLD_TO_THE_OWNER, "delete_me")
    ]
    wrong = await _asked(two_at_bobs, caller, asked)
    assert not wrong, "\n".join(wrong)


async def test_the_owner_is_told_who_is_there(two_at_bobs: Two) -> None:
    """Of who joined, the owner of the machine reads name and address, and nothing of what they have.

    An agent that came is on the owner's record by its id, whoever claims it then.
    """
    for path in ("/people", "/audit?limit=200"):
        answer = await two_at_bobs.ask(
            callers.OTHERS[0], requests.Request("GET", f"{household.API}{path}", {})
        )
        told = answer.text.replace(household.HER_ADDRESS, "").replace(household.HER_NAME, "")
        of_people = frozenset({"user", "agent", "agent that asks"})
        assert not [*leaks_in(told, two_at_bobs.settled.ids, of_people)], told


async def _asked(
    two: Two,
    caller: callers.CallerKind,
    asked_by_row: Sequence[tuple[AnyOperation, requests.Asked]],
) -> list[str]:
    """What is wrong with how a kind of caller is answered."""
    others, wrong = never_was(two.settled.ids), []
    # What was answered to Ada is kept, and must not be what anybody else is answered.
    for row, asked in asked_by_row:
        if isinstance(row.body, Derived):
            await two.ask(callers.OWNER, requests.request_of(row, asked, two.settled.ids))
    hers = await two.rows()
    for row, asked in asked_by_row:
        real = await two.ask(caller, requests.request_of(row, asked, two.settled.ids))
        found = [*_unexpected(caller, row, asked, real)]
        if caller.whose != "owner":
            found += leaks(real, two.settled.ids, asked.kinds)
            if asked.kinds:
                fake = await two.ask(caller, requests.request_of(row, asked, others))
                found += differences(real, fake, two.settled.ids, others)
        rows = await two.rows()
        # What reading notes of what was looked at is the reader's own.
        if caller.whose != "owner" or not caller.may(row):
            found += [f"her {name} changed" for name in hers if _changed(row, name, hers, rows)]
        hers = rows
        wrong += [f"{row.name} {asked.path or asked.query or asked.body}: {each}" for each in found]
    return wrong


def _changed(row: AnyOperation, table: str, before: household.Rows, after: household.Rows) -> bool:
    """Whether rows of a table changed, but for the note to the machine's owner that somebody left."""
    rows = after[table]
    if row.name == "delete_me" and table == "audit_event":
        rows = [event for event in rows if "person.left" not in event]
    return rows != before[table] and table != household.NOTED_OF_READING


def _unexpected(
    caller: callers.CallerKind, row: AnyOperation, asked: requests.Asked, answer: httpx.Response
) -> Iterator[str]:
    expected = _expected(caller, row, asked)
    if answer.status_code == 429:
        yield "the limit hides what would be answered"
    elif expected is not None and answer.status_code != expected:
        yield f"{answer.status_code} and not {expected}: {answer.text[:300]}"
    elif asked.path and expected == 404 and answer.json()["code"] != "NOT_FOUND":
        yield f"the code is {answer.json()['code']}"
    elif row.name == "set_rules" and expected == 200 and answer.json()["saved"]:
        yield "a rule was saved"


def _expected(caller: callers.CallerKind, row: AnyOperation, asked: requests.Asked) -> int | None:
    """The status that a caller is answered with; None for what it may ask of its own things."""
    if caller.whose == "nobody":
        return 401
    if not caller.may(row):
        return 403
    if caller.whose == "other":
        return None if asked is requests.AS_IT_IS.get(row.name) else asked.status
    if caller.whose == "guest" and asked in requests.BY_PATH.get(row.name, ()):
        return asked.status
    return None


LAST = ("change_account", "undo_import", "unlink_connection")
"""What takes others along, in this order, after all that does not."""

OF_NOBODY_YET = ("agent that asks",)
"""Things of Ada's guests, which she has no more than Bob has."""


async def test_what_others_do_not_find_is_there(two: Two) -> None:
    """Their owner finds every thing that the others are asked by, so their refusals mean something."""
    order = ("GET", "PATCH", "PUT", "POST", "DELETE")
    named = [
        (requests.ROWS[name], asked)
        for name, several in requests.BY_PATH.items()
        for asked in several
    ]
    two.daemon.session.owner = two.settled.ada
    wrong = []

    def turn(case: tuple[AnyOperation, requests.Asked]) -> tuple[int, int]:
        name, method = case[0].name, case[0].method
        return LAST.index(name) if name in LAST else -1, order.index(method)

    for row, asked in sorted(named, key=turn):
        request = requests.request_of(row, asked, two.settled.ids)
        answer = await two.daemon.http.request(request.method, request.url, **request.parts)
        is_there = answer.status_code not in (401, 403, 404, 429)
        if is_there is (asked.path in OF_NOBODY_YET):
            wrong.append(f"{row.name} {asked.path}: {answer.status_code} {answer.text[:200]}")
    assert not wrong, "\n".join(wrong)


async def test_a_name_of_an_import_is_its_persons(two: Two) -> None:
    """Bob may name an import as Ada has named hers: it is his, and hers is as it was."""
    hers = await two.rows()
    bob = callers.OTHERS[0]
    for kind in ("running import", "import"):
        named = {"account": "Bobs account", "accountKind": "checking", "id": two.settled.ids[kind]}
        answer = await two.ask(bob, _importing(named))
        assert answer.status_code == 200, answer.text
        again = await two.ask(bob, _importing(named))
        assert (again.status_code, again.json()["code"]) == (409, "CONFLICT")
        mine = f"{household.API}/imports/{two.settled.ids[kind]}"
        undone = await two.ask(bob, requests.Request("DELETE", mine, {}))
        assert undone.json()["id"] == answer.json()["id"]
        listed = await two.ask(bob, requests.Request("GET", f"{household.API}/imports", {}))
        assert answer.json()["id"] in [each["id"] for each in listed.json()]
    assert await two.rows() == hers


def _importing(said: Mapping[str, str]) -> requests.Request:
    return requests.Request(
        "POST",
        f"{household.API}/imports",
        {"files": {"file": ("b.csv", household.HIS)}, "data": said},
    )


async def test_a_page_of_anothers_list_is_ones_own(two: Two) -> None:
    """A cursor says after which row a list goes on, and goes on with the caller's own rows alone."""
    hers = two.settled.ids["cursor"]
    for caller in callers.OTHERS[:5]:
        answer = await two.ask(
            caller, requests.Request("GET", f"{household.API}/transactions?cursor={hers}", {})
        )
        assert answer.status_code in (200, 400), answer.text
        assert not [*leaks(answer, two.settled.ids, frozenset())], answer.text


_RESOURCES = ("", "/mcp", "/a2a", "/api", "/api/v1")
OPEN = frozenset(
    {
        *(f"/.well-known/oauth-protected-resource{part}" for part in _RESOURCES),
        *("/.well-known/oauth-authorization-server/auth", "/auth/oauth2/jwks", "/auth.md"),
        *("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"),
        *("/auth/.well-known/oauth-authorization-server", "/.well-known/api-catalog"),
        *("/auth/.well-known/openid-configuration", "/.well-known/openid-configuration/auth"),
        *("/.well-known/http-message-signatures-directory", "/.well-known/agent-card.json"),
        *("/.well-known/ai-catalog.json", "/.well-known/mcp/server-card.json", "/llms.txt"),
        *("/mcp/server-card", "/mcp/docs/server-card", "/api/openapi.json", "/api/docs"),
        *("/api/v1", "/api", "/api/docs/{page}.md", "/api/docs/handbook", "/api/docs/{page}"),
        *("/assets/site.css", "/health", "/settings", "/sign-in", "/join", "/ask"),
    }
)
"""What anybody may read: it is the same for everybody, whoever asks."""

ASKED_ELSEWHERE = {
    **dict.fromkeys(("/mcp", "/mcp/docs"), "test_tools"),
    **dict.fromkeys(("/a2a", "/a2a/"), "test_messages"),
    "/auth/oauth2/userinfo": "test_programs",
    "/auth/oauth2/token": "test_programs",
    "/auth/oauth2/revoke": "test_programs",
    "/auth/oauth2/authorize": "test_programs",
    "/auth/oauth2/register": "test_programs",
    "/agent/identity": "test_programs",
    "/agent/identity/claim": "test_programs",
    "/open": "test_programs",
    "/sign-out": "test_programs",
    "/statements/files": "test_pages",
}
"""The other routes, each with the file beside this one that asks it."""


async def test_every_route_is_asked(
    tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A route that is added has to be said to be open, or be asked by those who may not."""
    apps: list[web.Application] = []

    async def note(app: web.Application, *given: Any, **options: Any) -> Any:
        apps.append(app)
        return await serve(app, *given, **options)

    monkeypatch.setattr(f"{running.__name__}.serve", note)
    async with running_daemon(tmp_path, empty_store):
        routes = {route.resource.canonical for route in apps[0].router.routes() if route.resource}

    rest = {f"{root}{row.path}" for row in OPERATIONS for root in ("/api/v1", "/api")}
    pages = {sent.path.partition("?")[0] for sent in PAGES}
    assert routes == rest | pages | OPEN | ASKED_ELSEWHERE.keys()
    here = Path(__file__).parent
    assert not [name for name in ASKED_ELSEWHERE.values() if not (here / f"{name}.py").exists()]


async def test_what_is_open_tells_of_nobody(two: Two) -> None:
    """What anybody may read has nothing of Ada's in it, and is the same with a credential."""
    for path in sorted(OPEN):
        url = path.replace("{page}", "plan")
        told = [
            await two.ask(caller, requests.Request("GET", url, {}))
            for caller in (callers.REFUSED[0], callers.OTHERS[1])
        ]
        for answer in told:
            assert answer.status_code in (200, 303, 307, 308, 400, 403, 404), (
                path,
                answer.status_code,
            )
            assert not [*leaks(answer, two.settled.ids, frozenset())]
        if path not in ("/sign-in", "/join"):
            assert told[0].content == told[1].content, path
