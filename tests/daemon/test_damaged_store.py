"""A damaged store: what is whole is read as before, nothing is written, and every face says so.

What reads and also writes goes on without its write, and logs nothing of it.
"""

import gc
import logging
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import Connection, inspect

from finplan.daemon.background import LONGEST_SLEEP, Schedule
from finplan.daemon.startup import put_in_order
from finplan.daemon.surfaces.site.settings_page import ACTIVITY, DEVELOPER
from finplan.model.errors import ErrorEnvelope, StoreDamaged
from finplan.model.installation import HEADER, STORE_DAMAGED, for_profile, sentence_of
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from finplan.service.automation import running
from finplan.service.automation.agenda import settle
from finplan.service.context import Background, Caller, Context
from finplan.service.planning import plans
from finplan.store.queries import connections
from finplan.store.store import Store
from finplan.store.store_file import damage_mark_of
from finplan.tui.household import NOT_POSSIBLE
from finplan.webhooks.courier import REFUSED_FOR, Book, Courier, Send
from finplan.webhooks.signing import DIRECTORY_PATH
from tests.daemon.a2a.talking import asked
from tests.daemon.mcp.connected import connected, new_key, text_of
from tests.daemon.recorded import ASKED, FIRST, sign_in_a_browser
from tests.daemon.running import NOW, RunningDaemon, running_daemon, serving
from tests.daemon.site.browsing import ACCEPT, Page, Visitor, page_in, signed_in
from tests.damage import bytes_of, damage_table
from tests.tui.opening import LARGE, SMALL, open_screens

SENTENCE = sentence_of(STORE_DAMAGED)
WRITES = [row for row in OPERATIONS if row.method != "GET"]
READS = [row for row in OPERATIONS if row.method == "GET"]
HARMED = "audit_event"
"""The table that is damaged: one that a single row of the table reads."""

BEGINNING = SENTENCE.partition(":")[0]
LATER = "CREATE TABLE later (no INTEGER)"
SAME = "UPDATE job SET seen = seen"
"""A write after which everything is as before."""


@pytest.fixture
async def damaged(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon of the demo household, with a session and a key, that has just met a damaged page."""
    database = tmp_path / "finplan.db"
    shutil.copy(household_store, database)
    async with serving(database, tmp_path / "uploads") as running:
        await running.store.rest()
        damage_table(database, HARMED)
        met = await running.http.get("/api/v1/audit")
        assert (met.status_code, met.json()["message"]) == (500, SENTENCE)
        yield running


async def asked_of(daemon: RunningDaemon, row: AnyOperation) -> tuple[str, dict[str, Any]] | None:
    """The path and the query of a row that reads; None where the household has nothing to name."""
    given = dict(ASKED.get(row.name, {}).get("parameters", {}))
    if row.name in FIRST:
        parameter, path, steps = FIRST[row.name]
        listed = (await daemon.http.get(f"/api/v1{path}")).json()
        first = listed if isinstance(listed, list) else listed["transactions"]
        if not first:
            return None
        given[parameter] = first[0]
        for step in steps:
            given[parameter] = given[parameter][step]
    if any(name not in given for name in row.path_names):
        return None
    path = row.path.format(**{name: given.pop(name) for name in row.path_names})
    return f"/api/v1{path}", given


@pytest.mark.thorough
async def test_what_is_whole_is_read_as_before(tmp_path: Path, household_store: Path) -> None:
    """Each row that reads answers the same bytes, with the notice; the one that meets damage says so."""
    database = tmp_path / "finplan.db"
    shutil.copy(household_store, database)
    async with serving(database, tmp_path / "uploads") as daemon:
        questions = {
            row.name: asked
            for row in READS
            if row.name != "list_audit" and (asked := await asked_of(daemon, row)) is not None
        }
        assert len(questions) > 30
        before = {
            name: (await daemon.http.get(path, params=query)).content
            for name, (path, query) in questions.items()
        }
        await daemon.store.rest()
        damage_table(database, HARMED)
        files = bytes_of(database)
        assert (await daemon.http.get("/api/v1/audit")).status_code == 500
        for name, (path, query) in questions.items():
            answer = await daemon.http.get(path, params=query)
            assert (name, answer.status_code) == (name, 200)
            assert answer.headers[HEADER] == STORE_DAMAGED
            assert (name, answer.content) == (name, before[name])
        assert bytes_of(database) == files
    assert bytes_of(database) == files


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "one"}])
async def test_every_write_is_refused(damaged: RunningDaemon, headers: dict[str, str]) -> None:
    """Whatever the body: refused with the fault, by a key too, and no byte of the store changes."""
    before = bytes_of(damaged.store.path)
    assert len(WRITES) > 40
    for row in WRITES:
        path = "/api/v1" + row.path.format(**dict.fromkeys(row.path_names, "x"))
        answer = await damaged.http.request(row.method, path, headers=headers)
        told = answer.json()
        assert (row.name, answer.status_code) == (row.name, 500)
        assert (told["code"], told["message"]) == ("INTERNAL_SERVER_ERROR", SENTENCE)
        assert answer.headers[HEADER] == STORE_DAMAGED
        assert bytes_of(damaged.store.path) == before


async def test_credentials_are_still_taken(tmp_path: Path, household_store: Path) -> None:
    """A key, a browser and a token of a program read on, though no use of them can be noted."""
    database = tmp_path / "finplan.db"
    shutil.copy(household_store, database)
    async with serving(database, tmp_path / "uploads") as daemon:
        key = (await daemon.http.post("/api/v1/keys", json={"name": "k"})).json()["key"]
        cookie = await sign_in_a_browser(daemon)
        daemon.store.note_damage(StoreDamaged(SENTENCE))
        before = bytes_of(database)
        daemon.http.cookies.clear()
        by_key = await daemon.http.get("/api/v1/accounts", headers={"x-api-key": key})
        browser = {"cookie": f"finplan_browser_{daemon.port}={cookie}", "accept": "text/html"}
        page = await daemon.http.get("/", headers=browser)
    assert by_key.status_code == 200
    assert page.status_code == 200
    assert bytes_of(database) == before


async def test_no_door_writes_once_damage_was_noted(tmp_path: Path, empty_store: Path) -> None:
    """Every door that writes refuses with the first damage; those that read go on."""
    database = tmp_path / "finplan.db"
    shutil.copy(empty_store, database)
    store = Store.open(database, tmp_path / "backups")
    await store.write(lambda c: c.exec_driver_sql(SAME))
    first = StoreDamaged("first")

    def meet_damage(connection: Connection) -> None:
        connection.exec_driver_sql(LATER)
        store.note_damage(first)

    with pytest.raises(StoreDamaged, match="first"):
        await store.write(meet_damage)
    assert not await store.read(lambda c: inspect(c).has_table("later"))
    store.note_damage(StoreDamaged("second"))
    done = list[int]()
    before = bytes_of(database)
    scratch = tmp_path / "scratch.db"
    for door in (
        store.write(lambda _: done.append(1)),
        store.write(lambda _: done.append(2), beside=scratch),
        store.fenced(lambda _: None).write(lambda _: done.append(3)),
        store.write_or_put_off(lambda _: done.append(4)),
        store.compact(),
    ):
        with pytest.raises(StoreDamaged, match="first"):
            await door
    assert done == []
    assert await store.read(lambda c: c.exec_driver_sql("SELECT 1").scalar_one()) == 1
    await store.rest()
    store.close()
    assert bytes_of(database) == before
    assert before["finplan.db-wal"] != ""


async def test_the_next_start_looks_at_the_whole_file(tmp_path: Path, empty_store: Path) -> None:
    """Damage is known from the start on, before anybody meets it, as long as it is there."""
    database, whole = tmp_path / "finplan.db", tmp_path / "whole.db"
    shutil.copy(empty_store, database)
    shutil.copy(empty_store, whole)
    damage_table(database, HARMED)
    for _ in range(2):
        store = Store.open(database, tmp_path / "backups")
        assert store.damage is not None
        with pytest.raises(StoreDamaged):
            await store.read(lambda c: c.exec_driver_sql(f"SELECT * FROM {HARMED}").all())
        store.close()
    whole.replace(database)
    store = Store.open(database, tmp_path / "backups")
    assert store.damage is None
    store.close()
    assert not database.with_name("finplan.db-damaged").exists()


async def test_a_start_that_fails_leaves_the_log(tmp_path: Path, empty_store: Path) -> None:
    """A killed daemon's log stays beside a file that cannot be read, and holds what it held."""
    written, database = tmp_path / "written.db", tmp_path / "finplan.db"
    shutil.copy(empty_store, written)
    damage_table(written, "alembic_version")
    with closing(sqlite3.connect(written)) as connection:
        connection.execute(LATER)
        connection.commit()
        for ending in ("", "-wal"):
            shutil.copy(f"{written}{ending}", f"{database}{ending}")
    before = bytes_of(database)
    assert before["finplan.db-wal"] != ""
    with pytest.raises(StoreDamaged):
        Store.open(database, tmp_path / "backups")
    assert bytes_of(database) == before


MS = int(NOW.timestamp() * 1000)
DAMAGE = StoreDamaged(sentence_of(STORE_DAMAGED))


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is logged that a person would look at."""
    caplog.set_level(logging.WARNING)
    yield
    # A task that failed unseen is logged once it is thrown away.
    gc.collect()
    logged = [*caplog.get_records("call"), *caplog.get_records("teardown")]
    assert [record.getMessage() for record in logged] == []


def context_of(daemon: RunningDaemon) -> Context:
    caller = Caller(daemon.session.owner, frozenset({"read", "write"}), "schedule", "schedule")
    return Context(caller, daemon.store, {}, lambda: NOW)


@pytest.mark.usefixtures("quiet")
async def test_what_rules_teach_is_left_for_later(household: RunningDaemon) -> None:
    """A question whose answer rests on payees that are still to be judged is answered without."""
    rules = (await household.http.get("/api/v1/categories/rules")).json()
    rule = {"payeeKey": rules[0]["payeeKey"], "category": "pets"}
    assert (await household.http.put("/api/v1/categories/rules", json=rule)).is_success
    household.store.note_damage(DAMAGE)
    for path in ("/spending", "/snapshot", "/plan/view", "/tasks", "/transactions"):
        answer = await household.http.get(f"/api/v1{path}")
        assert (path, answer.status_code) == (path, 200)


@pytest.mark.usefixtures("quiet")
async def test_uses_of_credentials_are_left_unnoted(tmp_path: Path, household_store: Path) -> None:
    """A key that was never used and a session that is stale are taken; what is shown is not noted."""
    clock = [NOW]
    async with running_daemon(tmp_path, household_store, clock=lambda: clock[0]) as daemon:
        key = (await daemon.http.post("/api/v1/keys", json={"name": "k"})).json()["key"]
        cookie = f"finplan_browser_{daemon.port}={await sign_in_a_browser(daemon)}"
        daemon.store.note_damage(DAMAGE)
        clock[0] = NOW + timedelta(days=2)
        daemon.http.cookies.clear()
        for shown in ({"x-api-key": key}, {"cookie": cookie}):
            answer = await daemon.http.get("/api/v1/snapshot", headers=shown)
            assert answer.status_code == 200


@pytest.mark.usefixtures("quiet")
async def test_old_signing_keys_stay_published(tmp_path: Path, empty_store: Path) -> None:
    """The directory of keys is answered when it would have made a new key."""
    clock: list[datetime] = [NOW]
    async with running_daemon(tmp_path, empty_store, clock=lambda: clock[0]) as daemon:
        before = (await daemon.http.get(DIRECTORY_PATH)).json()
        daemon.store.note_damage(DAMAGE)
        clock[0] = NOW + timedelta(days=100)
        assert (await daemon.http.get(DIRECTORY_PATH)).json() == before


@pytest.mark.usefixtures("quiet")
async def test_no_bank_is_asked_what_came_of_a_page(daemon: RunningDaemon) -> None:
    """A page at which a bank is linked is shown as it was."""
    owner = daemon.session.owner

    def begin(connection: Connection) -> None:
        values = {"id": "lnk_1", "owner_no": owner, "bank": "plaid", "url": "https://b.test/"}
        times = {"created_at": MS, "expires_at": MS + 1000, "next_look_at": MS}
        connections.add_link(connection, {**values, **times, "ticket": b"t", "status": "pending"})

    await daemon.store.write(begin)
    daemon.store.note_damage(DAMAGE)
    answer = await daemon.http.get("/api/v1/connections/link/lnk_1")
    assert (answer.status_code, answer.json()["status"]) == (200, "pending")


@pytest.mark.usefixtures("quiet")
async def test_nothing_is_done_by_itself(household: RunningDaemon) -> None:
    """The schedule begins none of the jobs that are due; what a start would put in order is left."""
    context = context_of(household)
    later = NOW + timedelta(days=1)
    schedule = Schedule(household.store, lambda _: context, Background(), lambda: later)
    await household.store.write(lambda c: settle(c, MS))
    assert await household.store.read(lambda c: schedule._agenda(c, MS + 86_400_000).due) != []
    household.store.note_damage(DAMAGE)
    assert await schedule._look_or_wait(only_asked=False) == LONGEST_SLEEP
    await schedule.end_of_runs()
    assert await put_in_order(household.store, MS) is None


async def test_a_run_that_cannot_be_kept_ends(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A job that runs when damage is met is given up, since nothing of it could be written."""

    async def at_once(_context: Context) -> None:
        return

    monkeypatch.setattr(running, "_until_renewal", at_once)
    household.store.note_damage(DAMAGE)
    await running._keep(context_of(household), 1, "holder")
    assert caplog.records == []


async def test_a_build_ends_that_meets_damage(household: RunningDaemon) -> None:
    """That it failed cannot be written; the next start of a whole store ends it."""
    household.store.note_damage(DAMAGE)
    told = ErrorEnvelope(defined=True, code="C", status=500, message="It failed.")
    await plans._fail_build(context_of(household), 1, told)


@pytest.mark.usefixtures("quiet")
async def test_deliveries_wait_in_silence() -> None:
    """The courier tries again later, and does not log each time what the daemon has told."""

    class Damaged:
        async def exchange(self, *_given: object) -> None:
            raise DAMAGE

    assert await Courier(cast("Book", Damaged()), send=cast("Send", None))._round() == REFUSED_FOR


SPOKEN = SENTENCE.replace("`", "'")
"""The sentence without markup, as agents get it."""


@pytest.fixture
async def browser(household: RunningDaemon) -> AsyncIterator[Visitor]:
    """A browser of the owner's, signed in while the store was whole."""
    async with signed_in(household) as visitor:
        yield visitor


def damage(running: RunningDaemon) -> None:
    """Let the store be damaged."""
    running.store.note_damage(StoreDamaged(SENTENCE))


async def test_every_answer_carries_the_header(household: RunningDaemon) -> None:
    """An answer, a refusal, a public document and /health carry it, and none does of a whole store."""
    paths = ("/api/v1/accounts", "/api/v1/nowhere", "/.well-known/agent-card.json", "/health")
    whole = [await household.http.get(path) for path in paths]
    damage(household)
    damaged = [await household.http.get(path) for path in paths]

    assert [HEADER in answer.headers for answer in whole] == [False] * len(paths)
    assert [answer.headers.get(HEADER) for answer in damaged] == [STORE_DAMAGED] * len(paths)
    assert [answer.content for answer in damaged] == [answer.content for answer in whole]


async def test_pages_begin_with_it(browser: Visitor) -> None:
    """Every page of who is signed in has the banner, which nothing hides in print; none before."""
    paths = ("/", "/tasks", "/statements", "/settings/account")
    before = [(await browser.get(path)).text for path in paths]
    damage(browser.daemon)
    after = [(await browser.get(path)).text for path in paths]

    assert all('class="notice"' not in page for page in before)
    for page in map(Page, after):
        banners = [facts for _, facts in page.elements if facts.get("class") == "notice"]
        assert banners == [{"class": "notice", "role": "status"}]
        assert BEGINNING in page.said


async def test_the_plan_page_begins_with_it_though_it_was_kept(household: RunningDaemon) -> None:
    """The page of the plan that was drawn before, and is known by its tag, is drawn with the banner."""
    before = await household.http.get("/api/v1/plan/view", headers={"accept": ACCEPT})
    damage(household)
    known = {"accept": ACCEPT, "if-none-match": before.headers["etag"]}
    after = await household.http.get("/api/v1/plan/view", headers=known)

    assert 'class="notice"' not in before.text
    assert (after.status_code, after.text.count('class="notice"')) == (200, 1)


async def test_a_page_that_meets_it_has_its_title(browser: Visitor) -> None:
    """A page whose data cannot be read is replaced by one with the damage as its title."""
    await browser.daemon.store.rest()
    damage_table(browser.daemon.store.path, HARMED)
    answer = await browser.get(ACTIVITY)

    assert BEGINNING in page_in(answer, 500).said
    assert "<h1>The store is damaged</h1>" in answer.text


async def test_a_form_is_refused_by_a_page_that_says_why(browser: Visitor) -> None:
    """What a person sends is answered by a page of its own title, with what to do."""
    damage(browser.daemon)
    answer = await browser.act(DEVELOPER, "create-key", name="My script", scopes=["service:read"])

    assert BEGINNING in page_in(answer, 500).said
    assert "finplan backup restore" in Page(answer.text).said


async def test_tools_of_agents_end_with_it(household: RunningDaemon) -> None:
    """An answer of MCP has the sentence in its text; a tool that writes is refused with it."""
    key = await new_key(household, "service:read", "service:write")
    async with connected(household, key=key["key"]) as client:
        before = text_of(await client.call_tool("list_accounts", {}))
        damage(household)
        after = text_of(await client.call_tool("list_accounts", {}))
        refused = await client.call_tool("sync_connections", {})

    assert after.startswith(before)
    assert after[len(before) :].splitlines()[1] == SPOKEN
    assert (refused.is_error, text_of(refused).splitlines()[0]) == (True, SPOKEN)


async def test_a_question_of_an_agent_is_answered_with_it(household: RunningDaemon) -> None:
    """A2A answers what was spent, though its task cannot be kept, and what is unclear is asked back."""
    damage(household)
    answered = await asked(household, "groceries last month")
    unclear = await asked(household, "Sing a song.")

    assert answered["status"]["state"] == "TASK_STATE_COMPLETED"
    assert answered["artifacts"][0]["parts"][0]["text"].splitlines()[-1] == SPOKEN
    assert unclear["status"]["message"]["parts"][0]["text"].splitlines()[-1] == SPOKEN


@pytest.mark.thorough
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_every_screen_has_it_until_it_is_over(
    household: RunningDaemon, size: tuple[int, int]
) -> None:
    """The line above the keys says it on each screen; a change is refused with the same words."""
    async with open_screens(household, size=size) as opened:
        assert BEGINNING not in opened.text
        damage(household)
        for key in ("r", "S", "P", "T"):
            await opened.press(key)
            assert " ".join(opened.text.split()).count(BEGINNING) == 1
            assert "Not possible" not in opened.text
        await opened.press("d")
        assert NOT_POSSIBLE in opened.text
        damage_mark_of(household.store.path).unlink()
        household.store.file.damage = None
        await opened.press("S", "r")
        assert BEGINNING not in opened.text


async def test_damage_that_another_process_met_ends_writing(household: RunningDaemon) -> None:
    """Doctor and a backup look at the file by themselves, and leave a mark for the daemon."""
    assert household.store.damage is None
    damage_mark_of(household.store.path).touch()
    await household.http.get("/api/v1/accounts")
    assert household.store.damage is not None


@pytest.mark.parametrize(
    ("profile", "command"),
    [("default", "`finplan backup restore`"), ("demo", "`finplan --demo backup restore`")],
)
def test_the_command_restores_the_profile_that_is_damaged(profile: str, command: str) -> None:
    """Without its profile it would put back another household."""
    assert command in for_profile(sentence_of(STORE_DAMAGED), profile)
