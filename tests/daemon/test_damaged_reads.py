"""What reads and also writes goes on in a damaged store without its write, and logs nothing of it."""

import gc
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection

from finplan.daemon.background import LONGEST_SLEEP, Schedule
from finplan.daemon.startup import put_in_order
from finplan.model.errors import ErrorEnvelope, StoreDamaged
from finplan.model.notices import STORE_DAMAGED, sentence_of
from finplan.service.automation import running
from finplan.service.automation.agenda import settle
from finplan.service.context import Background, Caller, Context
from finplan.service.planning import plans
from finplan.store.queries import connections
from finplan.webhooks.courier import REFUSED_FOR, Book, Courier, Send
from finplan.webhooks.signing import DIRECTORY_PATH
from tests.daemon.recorded import sign_in_a_browser
from tests.daemon.running import NOW, RunningDaemon, running_daemon

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
    due = await household.store.read(lambda c: schedule._agenda(c, MS + 86_400_000).due)
    assert due != []
    household.store.note_damage(DAMAGE)
    assert await schedule._look_or_wait(only_asked=False) == LONGEST_SLEEP
    await schedule.end_of_runs()
    assert await put_in_order(household.store, MS) is None


async def test_a_run_that_cannot_be_kept_ends(
    household: RunningDaemon,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
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

    courier = Courier(cast("Book", Damaged()), send=cast("Send", None))
    assert await courier._round() == REFUSED_FOR
