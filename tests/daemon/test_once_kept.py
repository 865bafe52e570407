"""What is kept under an Idempotency-Key, for whom, how long, and how it is protected."""

import tracemalloc
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection

from finplan.daemon.surfaces.rest import idempotency as once
from finplan.model.errors import BadRequest, Conflict, Forbidden, StorageFull
from finplan.operation import UploadedFile
from finplan.service.context import Caller
from finplan.store.queries import people, replies
from tests.daemon.notebook import KEY, ROWS, Note, Notebook, held_rows, same
from tests.daemon.running import RunningDaemon, running_daemon

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


async def test_a_question_that_does_not_fit_is_not_kept(
    notes: RunningDaemon, notebook: Notebook
) -> None:
    """After a 400 of validation or of unreadable JSON the key is as good as new."""
    headers = {**KEY, "content-type": "application/json"}
    for wrong in (b'{"count": "many"}', b"{"):
        response = await notes.http.post("/api/v1/notes", content=wrong, headers=headers)
        assert response.status_code == 400
    right = await notes.http.post("/api/v1/notes", headers=KEY)

    assert right.status_code == 201
    assert "idempotent-replayed" not in right.headers


async def test_what_is_about_the_caller_is_not_kept(
    notes: RunningDaemon, notebook: Notebook
) -> None:
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
    notebook.fault = StorageFull("The disk is full.")
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


async def test_a_reply_is_kept_for_a_day(
    notes: RunningDaemon, notebook: Notebook, clock: list[datetime]
) -> None:
    """Up to 24 hours it is replayed; then the key is new, and rows of that age are gone."""
    first = await notes.http.post("/api/v1/notes", headers=KEY)
    other = {"idempotency-key": "other"}
    await notes.http.post("/api/v1/notes", headers=other)
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
        folder = tmp_path / name
        folder.mkdir()
        async with running_daemon(
            folder, empty_store, operations=ROWS, perform=notebook.perform
        ) as daemon:
            answers.append(await daemon.http.post("/api/v1/notes", headers=KEY))
        empty_store = folder / "finplan.db"

    assert same(*answers)
    assert notebook.runs == 1


async def test_a_reply_belongs_to_a_person(notes: RunningDaemon, notebook: Notebook) -> None:
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

    def spoil(connection: Connection) -> None:
        connection.exec_driver_sql("UPDATE kept_reply SET reply = CAST(reply || x'00' AS BLOB)")

    await notes.http.post("/api/v1/notes", headers=KEY)
    await notes.store.write(spoil)
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
