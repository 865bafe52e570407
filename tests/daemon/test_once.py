"""An Idempotency-Key: a request takes effect once, and has one reply, however often it is sent.

What is kept under a key, for whom, how long, and how it is protected.
"""

import asyncio
import tracemalloc
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, update

from finplan.daemon.surfaces.rest import idempotency as once
from finplan.model.errors import BadRequest, Conflict, Forbidden, StorageFull
from finplan.operation import AnyOperation, UploadedFile
from finplan.service.automation.running import end_unfinished
from finplan.service.context import Caller
from finplan.store.queries import people, replies
from finplan.store.tables.tables import kept_reply
from tests.daemon.notebook import (
    ADD,
    CHANGE,
    KEY,
    REMOVE,
    ROWS,
    SET,
    Note,
    Notebook,
    held_rows,
    same,
)
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.patience import LONG_ENOUGH


@pytest.mark.parametrize("row", [ADD, SET, CHANGE, REMOVE], ids=lambda row: row.name)
async def test_a_request_that_comes_again_is_answered_as_before(
    notes: RunningDaemon, notebook: Notebook, row: AnyOperation
) -> None:
    """With each method that changes something: one run, and the same reply marked as a replay."""
    path = "/api/v1" + row.path.format(id="7")

    first = await notes.http.request(row.method, path, headers=KEY)
    second = await notes.http.request(row.method, path, headers=KEY)
    third = await notes.http.request(row.method, path, headers=KEY)

    assert first.status_code == (201 if row is ADD else 200)
    assert first.json()["count"] == 1
    assert same(first, second)
    assert same(first, third)
    assert notebook.runs == 1


async def test_without_a_key_each_request_counts(notes: RunningDaemon) -> None:
    """Nothing is kept of requests without a key, and each of them runs."""
    answers = [await notes.http.post("/api/v1/notes") for _ in range(2)]

    assert [answer.json()["count"] for answer in answers] == [1, 2]
    assert await held_rows(notes) == []


async def test_reading_takes_no_key(notes: RunningDaemon) -> None:
    """A GET changes nothing, so its key has no meaning, and each one is answered anew."""
    answers = [await notes.http.get("/api/v1/notes", headers=KEY) for _ in range(2)]

    assert [answer.json()["count"] for answer in answers] == [1, 2]


async def test_the_alias_is_the_same_place(notes: RunningDaemon, notebook: Notebook) -> None:
    """A request repeated under `/api` is the one under `/api/v1`."""
    first = await notes.http.post("/api/v1/notes", headers=KEY)
    second = await notes.http.post("/api/notes", headers=KEY)

    assert same(first, second)
    assert notebook.runs == 1


async def test_a_quoted_key_is_the_bare_one(notes: RunningDaemon) -> None:
    """Clients send the key bare or as a quoted string; it is one key."""
    bare = await notes.http.post("/api/v1/notes", headers={"idempotency-key": 'a"b'})
    quoted = await notes.http.post("/api/v1/notes", headers={"idempotency-key": r'"a\"b"'})

    assert same(bare, quoted)


async def test_a_key_is_of_a_method_and_a_path(notes: RunningDaemon, notebook: Notebook) -> None:
    """The same key elsewhere is another request."""
    for method, path in [
        ("POST", "/notes"),
        ("PUT", "/notes/a"),
        ("PATCH", "/notes/a"),
        ("PUT", "/notes/b"),
        ("PUT", "/notes/a%2Fb"),
    ]:
        answer = await notes.http.request(method, f"/api/v1{path}", headers=KEY)
        assert "idempotent-replayed" not in answer.headers

    assert notebook.runs == 5


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("method", "path", "first", "second"),
    [
        ("POST", "/notes", {"json": {"text": "a"}}, {"json": {"text": "b"}}),
        ("POST", "/notes", {"json": {}}, {"json": {"text": ""}}),
        ("PATCH", "/notes/a", {"json": {"count": 1}}, {}),
        ("DELETE", "/notes/a", {"params": {"text": "a"}}, {"params": {"text": "b"}}),
        ("DELETE", "/notes/a", {}, {"params": {"count": 0}}),
    ],
)
async def test_another_question_under_the_same_key_is_refused(
    notes: RunningDaemon,
    notebook: Notebook,
    method: str,
    path: str,
    first: dict[str, Any],
    second: dict[str, Any],
) -> None:
    """422 for another body or query string, even while the first one runs; the first is unharmed."""
    asked = await notes.http.request(method, f"/api/v1{path}", headers=KEY, **first)
    refused = await notes.http.request(method, f"/api/v1{path}", headers=KEY, **second)
    again = await notes.http.request(method, f"/api/v1{path}", headers=KEY, **first)

    assert refused.status_code == 422
    assert refused.json()["code"] == "UNPROCESSABLE_CONTENT"
    assert refused.json()["defined"] is True
    assert same(asked, again)
    assert notebook.runs == 1


async def test_spelling_makes_no_other_question(notes: RunningDaemon) -> None:
    """JSON with other spaces and another order of properties is the same question."""
    headers = {**KEY, "content-type": "application/json"}
    first = await notes.http.post(
        "/api/v1/notes", headers=headers, content=b'{"text":"a","count":1}'
    )
    second = await notes.http.post(
        "/api/v1/notes", headers=headers, content=b'{ "count": 1, "text": "a" }'
    )

    assert same(first, second)


@pytest.mark.parametrize(
    "headers",
    [
        [("idempotency-key", "")],
        [("idempotency-key", '""')],
        [("idempotency-key", "k" * 256)],
        [("idempotency-key", "a"), ("idempotency-key", "b")],
        [(b"idempotency-key", b"\xff")],
        [("idempotency-key", "gr\u00f6\u00dfer".encode())],
        [("idempotency-key", "a\tb")],
    ],
)
async def test_no_key_is_refused(notes: RunningDaemon, notebook: Notebook, headers: Any) -> None:
    """An empty, overlong, repeated or unprintable key is a 400 that names the header."""
    response = await notes.http.post("/api/v1/notes", headers=headers)

    assert response.status_code == 400
    assert response.json()["data"]["issues"][0]["path"] == ["Idempotency-Key"]
    assert notebook.runs == 0


async def test_the_longest_key_is_a_key(notes: RunningDaemon) -> None:
    """255 characters are taken."""
    headers = {"idempotency-key": "k" * 255}

    assert same(
        await notes.http.post("/api/v1/notes", headers=headers),
        await notes.http.post("/api/v1/notes", headers=headers),
    )


async def test_equal_requests_at_once_run_once(notes: RunningDaemon, notebook: Notebook) -> None:
    """Of twenty equal requests at the same time one runs; the others are told to ask again."""
    notebook.go_on.clear()
    asked = [asyncio.create_task(notes.http.post("/api/v1/notes", headers=KEY)) for _ in range(20)]
    done, pending = set[asyncio.Task[httpx.Response]](), set(asked)
    while len(pending) > 1:
        newly, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        done |= newly
    notebook.go_on.set()
    ran = await pending.pop()

    assert ran.status_code == 201
    for task in done:
        answer = task.result()
        assert answer.status_code == 409
        assert answer.json()["code"] == "CONFLICT"
        assert answer.headers["retry-after"] == "1"
    assert notebook.runs == 1
    assert same(ran, await notes.http.post("/api/v1/notes", headers=KEY))


async def test_another_question_is_refused_then(notes: RunningDaemon, notebook: Notebook) -> None:
    """That the first one runs does not make the second one its repetition."""
    notebook.go_on.clear()
    first = asyncio.create_task(notes.http.post("/api/v1/notes", headers=KEY))
    await notebook.begun.wait()
    other = await notes.http.post("/api/v1/notes", headers=KEY, json={"text": "b"})
    notebook.go_on.set()

    assert other.status_code == 422
    assert (await first).status_code == 201


async def test_a_claim_is_renewed_while_its_request_runs(
    notes: RunningDaemon, notebook: Notebook, clock: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a request takes, nobody takes it for dead while it runs."""
    monkeypatch.setattr(once, "RENEWAL", 0.001)
    loop, renewed = asyncio.get_running_loop(), asyncio.Event()
    renew = replies.renew

    def renew_and_tell(connection: Connection, claim: replies.Claim, until: int) -> bool:
        loop.call_soon_threadsafe(renewed.set)
        return renew(connection, claim, until)

    monkeypatch.setattr(replies, "renew", renew_and_tell)
    notebook.go_on.clear()
    first = asyncio.create_task(notes.http.post("/api/v1/notes", headers=KEY))
    await notebook.begun.wait()
    clock[0] += timedelta(milliseconds=once.LEASE - 1)
    # One renewal may have read the clock before; the second one has read it since.
    for _ in range(2):
        renewed.clear()
        await asyncio.wait_for(renewed.wait(), LONG_ENOUGH)
    clock[0] += timedelta(milliseconds=once.LEASE - 1)
    second = await notes.http.post("/api/v1/notes", headers=KEY)
    notebook.go_on.set()

    assert second.status_code == 409
    assert (await first).status_code == 201


def abandon(connection: Connection) -> None:
    """Leave every claim as a daemon does that is killed half-way."""
    connection.execute(update(kept_reply).values(holder="dead", reply=None))


async def test_a_run_that_died_is_run_again(notes: RunningDaemon, clock: list[datetime]) -> None:
    """A claim whose holder was killed holds for its lease, and then the request runs."""
    await notes.http.post("/api/v1/notes", headers=KEY)
    await notes.store.write(abandon)
    held = await notes.http.post("/api/v1/notes", headers=KEY)
    clock[0] += timedelta(milliseconds=once.LEASE)
    taken_over = await notes.http.post("/api/v1/notes", headers=KEY)

    assert held.status_code == 409
    assert taken_over.json()["count"] == 2
    assert same(taken_over, await notes.http.post("/api/v1/notes", headers=KEY))


@pytest.mark.parametrize(
    ("set_back", "status"), [(once.LEASE, 409), (once.LEASE + 1, 201), (86_400_000, 201)]
)
async def test_a_claim_does_not_outlive_the_correction_of_a_clock(
    notes: RunningDaemon, clock: list[datetime], set_back: int, status: int
) -> None:
    """A dead run's claim from a clock that was ahead holds nobody up; seconds change nothing."""
    await notes.http.post("/api/v1/notes", headers=KEY)
    await notes.store.write(abandon)
    clock[0] -= timedelta(milliseconds=set_back)
    again = await notes.http.post("/api/v1/notes", headers=KEY)

    assert again.status_code == status


async def test_a_start_lets_all_claims_go(notes: RunningDaemon, notebook: Notebook) -> None:
    """At once another run may take the place of a dead one; what it had kept is replayed by then."""

    def crash(connection: Connection) -> None:
        connection.execute(update(kept_reply).values(holder="dead"))
        connection.execute(update(kept_reply).filter_by(key="half").values(reply=None))
        end_unfinished(connection, int(NOW.timestamp() * 1000))

    half, whole = {"idempotency-key": "half"}, {"idempotency-key": "whole"}
    for key in (half, whole):
        await notes.http.post("/api/v1/notes", headers=key)
    await notes.store.write(crash)
    other = await notes.http.post("/api/v1/notes", headers=half, json={"text": "other"})
    run_again = await notes.http.post("/api/v1/notes", headers=half)
    replayed = await notes.http.post("/api/v1/notes", headers=whole)

    assert other.status_code == 422
    assert (run_again.status_code, run_again.json()["count"]) == (201, 3)
    assert (replayed.status_code, replayed.json()["count"]) == (201, 2)
    assert replayed.headers["idempotent-replayed"] == "true"
    assert notebook.runs == 3


async def test_a_lost_claim_changes_nothing(notes: RunningDaemon, notebook: Notebook) -> None:
    """Who was taken for dead and is not fails as a whole: its effect is rolled back."""

    def take_over(connection: Connection) -> None:
        connection.execute(update(kept_reply).values(holder="another"))

    def months(connection: Connection) -> Any:
        return connection.exec_driver_sql("SELECT target_months FROM person").scalar_one()

    notebook.go_on.clear()
    first = asyncio.create_task(notes.http.post("/api/v1/notes", headers=KEY))
    await notebook.begun.wait()
    await notes.store.write(take_over)
    notebook.go_on.set()

    assert (await first).status_code == 409
    assert await notes.store.read(months) is None
    ((_, holder, _, reply),) = await held_rows(notes)
    assert (holder, reply) == ("another", None)


CSV = b"Date,Description,Amount (USD)\n2026-01-02,ATM AT THE GROCER,-20.00\n"


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (BadRequest("It does not fit."), 400),
        (Conflict("It is there already."), 409),
        (RuntimeError("Nobody foresaw this."), 500),
    ],
)
async def test_a_failure_is_a_reply(
    notes: RunningDaemon, notebook: Notebook, fault: Exception, status: int
) -> None:
    """What the operation answered is replayed, though its cause may be gone by then."""
    notebook.fault = fault
    first = await notes.http.post("/api/v1/notes", headers=KEY)
    notebook.fault = None
    second = await notes.http.post("/api/v1/notes", headers=KEY)

    assert first.status_code == status
    assert same(first, second)
    assert notebook.runs == 1


async def test_a_question_that_does_not_fit_is_not_kept(notes: RunningDaemon) -> None:
    """After a 400 of validation or of unreadable JSON the key is as good as new."""
    headers = {**KEY, "content-type": "application/json"}
    for wrong in (b'{"count": "many"}', b"{"):
        response = await notes.http.post("/api/v1/notes", content=wrong, headers=headers)
        assert response.status_code == 400
    right = await notes.http.post("/api/v1/notes", headers=KEY)

    assert right.status_code == 201
    assert "idempotent-replayed" not in right.headers


async def test_nothing_about_the_caller_is_kept(notes: RunningDaemon, notebook: Notebook) -> None:
    """An operation that finds the caller may not do this leaves the key as good as new."""
    notebook.fault = Forbidden("Not you.")
    refused = await notes.http.post("/api/v1/notes", headers=KEY)
    notebook.fault = None
    allowed = await notes.http.post("/api/v1/notes", headers=KEY)

    assert (refused.status_code, allowed.status_code) == (403, 201)
    assert "idempotent-replayed" not in allowed.headers


async def test_a_full_disk_is_not_kept(
    notes: RunningDaemon, notebook: Notebook, clock: list[datetime]
) -> None:
    """Where nothing could be written the request runs anew, once its claim is over."""
    notebook.fault = StorageFull("full")
    full = await notes.http.post("/api/v1/notes", headers=KEY)
    notebook.fault = None
    clock[0] += timedelta(milliseconds=once.LEASE)
    again = await notes.http.post("/api/v1/notes", headers=KEY)

    assert (full.status_code, again.status_code) == (507, 201)
    assert "idempotent-replayed" not in again.headers


async def test_a_refused_caller_is_not_kept(daemon: RunningDaemon) -> None:
    """After 401 and 403 the same request with a better credential runs."""
    made = (
        await daemon.http.post("/api/v1/keys", json={"name": "x", "scopes": ["service:read"]})
    ).json()
    async with httpx.AsyncClient(base_url=daemon.base_url, trust_env=False) as stranger:
        nobody = await stranger.patch("/api/v1/me", json={"name": "A"}, headers=KEY)
        reader = await stranger.patch(
            "/api/v1/me", json={"name": "A"}, headers={**KEY, "x-api-key": made["key"]}
        )
    owner = await daemon.http.patch("/api/v1/me", json={"name": "A"}, headers=KEY)

    assert (nobody.status_code, reader.status_code, owner.status_code) == (401, 403, 200)
    assert "idempotent-replayed" not in owner.headers


async def test_a_reply_is_kept_for_a_day(notes: RunningDaemon, clock: list[datetime]) -> None:
    """Up to 24 hours it is replayed; then the key is new, and rows of that age are gone."""
    first = await notes.http.post("/api/v1/notes", headers=KEY)
    await notes.http.post("/api/v1/notes", headers={"idempotency-key": "other"})
    clock[0] += timedelta(hours=24) - timedelta(milliseconds=1)
    late = await notes.http.post("/api/v1/notes", headers=KEY)
    clock[0] += timedelta(milliseconds=1)
    too_late = await notes.http.post("/api/v1/notes", headers=KEY)

    assert same(first, late)
    assert too_late.json()["count"] == 3
    assert [key for key, *_ in await held_rows(notes)] == [KEY["idempotency-key"]]


async def test_a_reply_outlives_the_daemon(
    tmp_path: Path, empty_store: Path, notebook: Notebook
) -> None:
    """Another daemon on the same store replays what the first one answered."""
    answers = []
    for name in ("first", "second"):
        async with running_daemon(
            tmp_path / name, empty_store, operations=ROWS, perform=notebook.perform
        ) as daemon:
            answers.append(await daemon.http.post("/api/v1/notes", headers=KEY))
        empty_store = tmp_path / name / "finplan.db"

    assert same(*answers)
    assert notebook.runs == 1


async def test_a_reply_belongs_to_a_person(notes: RunningDaemon) -> None:
    """The same key of another person is another request."""
    await notes.http.post("/api/v1/notes", headers=KEY)

    def add(connection: Connection) -> int:
        values = {"id": "usr_2", "email": "eve@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    eve = Caller(await notes.store.write(add), frozenset({"write"}), "session")
    asked = replies.KeyedRequest(eve.owner, "POST", "/notes", KEY["idempotency-key"], "any")
    found = await notes.store.write(lambda c: replies.claim(c, asked, 0, 1))

    assert isinstance(found, replies.Claim)


async def test_a_secret_is_replayed_but_not_readable_in_the_store(daemon: RunningDaemon) -> None:
    """The reply that shows a new API key comes again whole; in the files it is sealed."""
    body = {"name": "nightly"}
    first = await daemon.http.post("/api/v1/keys", json=body, headers=KEY)
    second = await daemon.http.post("/api/v1/keys", json=body, headers=KEY)

    assert same(first, second)
    secret = first.json()["key"]
    assert len((await daemon.http.get("/api/v1/keys")).json()) == 1
    files = [path.read_bytes() for path in daemon.store.path.parent.glob("finplan.db*")]
    assert any(KEY["idempotency-key"].encode() in content for content in files)
    assert not any(secret[10:].encode() in content for content in files)


async def test_who_may_not_ask_may_not_hear_the_reply(daemon: RunningDaemon) -> None:
    """An API key that repeats the request which made it is refused, and learns no secret."""
    body = {"name": "nightly"}
    made = (await daemon.http.post("/api/v1/keys", json=body, headers=KEY)).json()
    async with httpx.AsyncClient(base_url=daemon.base_url, trust_env=False) as program:
        repeated = await program.post(
            "/api/v1/keys", json=body, headers={**KEY, "x-api-key": made["key"]}
        )

    assert repeated.status_code == 403
    assert made["key"] not in repeated.text


async def test_another_credential_of_the_person_hears_no_reply(daemon: RunningDaemon) -> None:
    """Same key and body, and yet a webhook's secret goes to the credential that registered it alone."""
    shown = [(await daemon.http.post("/api/v1/keys", json={"name": name})).json() for name in "ab"]
    first, second = ({**KEY, "x-api-key": key["key"]} for key in shown)
    body = {"url": "https://hooks.example.com/in", "events": ["plan.built"]}
    async with httpx.AsyncClient(base_url=daemon.base_url, trust_env=False) as http:
        made = await http.post("/api/v1/webhooks", json=body, headers=first)
        path = f"/api/v1/webhooks/{made.json()['id']}/secret"
        rotated = await http.post(path, headers=first)
        others = [
            await http.post("/api/v1/webhooks", json=body, headers=second),
            await http.post(path, headers=second),
            await daemon.http.post("/api/v1/webhooks", json=body, headers=KEY),
        ]
        again = [
            await http.post("/api/v1/webhooks", json=body, headers=first),
            await http.post(path, headers=first),
        ]
        other_body = await http.post(
            "/api/v1/webhooks", json={**body, "description": "b"}, headers=second
        )
        with_own_key = await http.post(
            "/api/v1/webhooks", json=body, headers={**second, "idempotency-key": "own"}
        )
        registered = (await http.get("/api/v1/webhooks", headers=first)).json()

    assert (made.status_code, rotated.status_code, with_own_key.status_code) == (201, 200, 201)
    assert [same(one, two) for one, two in zip((made, rotated), again, strict=True)] == [True, True]
    for other in others:
        assert (other.status_code, other.json()["code"]) == (409, "CONFLICT")
        assert "idempotent-replayed" not in other.headers
        assert "whsec_" not in other.text
    assert other_body.status_code == 422
    assert len(registered) == 2


async def test_a_failure_is_for_the_credential_that_met_it(daemon: RunningDaemon) -> None:
    """What was wrong with a request is no more another credential's than its answer."""
    key = (await daemon.http.post("/api/v1/keys", json={"name": "a"})).json()["key"]
    missing = "/api/v1/webhooks/wh_missing"
    async with httpx.AsyncClient(base_url=daemon.base_url, trust_env=False) as http:
        asked = await http.delete(missing, headers={**KEY, "x-api-key": key})
    again = await daemon.http.delete(missing, headers=KEY)

    assert (asked.status_code, again.status_code) == (404, 409)


async def test_a_reply_under_another_data_key_says_so(notes: RunningDaemon) -> None:
    """Without the data key the request is still not run again; a sentence says what is lost."""
    await notes.http.post("/api/v1/notes", headers=KEY)
    ((_, _, _, reply),) = await held_rows(notes)
    await notes.store.write(lambda c: c.execute(update(kept_reply).values(reply=reply + b"\0")))
    response = await notes.http.post("/api/v1/notes", headers=KEY)

    assert response.status_code == 409
    assert "was carried out" in response.json()["message"]


async def test_an_upload_takes_effect_once(daemon: RunningDaemon) -> None:
    """The same files under the same key are imported once; other files or other names are refused."""

    async def send(name: str, content: bytes, **form: str) -> httpx.Response:
        return await daemon.http.post(
            "/api/v1/imports", files={"file": (name, content)}, data=form, headers=KEY
        )

    first = await send("a.csv", CSV)
    again = await send("a.csv", CSV)
    other_content = await send("a.csv", CSV + b"2026-01-03,GROCER,-1.00\n")
    other_name = await send("b.csv", CSV)
    other_form = await send("a.csv", CSV, currency="EUR")

    assert first.status_code == 200
    assert same(first, again)
    assert len((await daemon.http.get("/api/v1/imports")).json()) == 1
    for refused in (other_content, other_name, other_form):
        assert refused.status_code == 422


async def test_a_fingerprint_needs_no_file_in_memory(tmp_path: Path) -> None:
    """A file of 64 megabytes is hashed in less than one megabyte."""
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(64 * 2**20)
    tracemalloc.start()
    await once.fingerprint_of(Note(), [UploadedFile("large", path)])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 2**20
