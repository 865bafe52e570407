"""The jobs themselves: copies that are kept, runs that are lost, banks that stumble."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from finplan.banks.base import Link, SyncPage
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, StorageFull, StoreDamaged
from finplan.service.automation import kinds, running
from finplan.service.automation.agenda import settle
from finplan.service.automation.job import DIED, DONE, STUMBLED, JobRun, Outcome
from finplan.service.automation.running import run_if_due
from finplan.service.banking import sync
from finplan.service.banking.connections import list_connections
from finplan.service.banking.sync import LONGEST_PAUSE
from finplan.service.context import Context
from finplan.service.people import new_person
from finplan.store.backup import DAILY, WEEKLY, days_to_keep, is_good
from finplan.store.queries import connections, jobs, people
from tests.patience import LONG_ENOUGH
from tests.store.test_backups import flip, root_of


async def held() -> bool:
    return True


NOTHING_SEEN = JobRun(is_requested=False, state=None, is_held=held)


def names(context: Context) -> list[str]:
    folder = context.store.backups.iterdir()
    return sorted(path.name for path in folder if path.suffix != ".digest")


async def test_a_copy_is_made_only_of_what_has_changed(context: Context) -> None:
    """Nothing new, no copy; unless somebody asks, or the copies are gone."""
    first = await kinds.copy_when_changed(context, NOTHING_SEEN)
    assert first.result == "ok"
    assert names(context) == ["daily-2026-11-21.db"]
    assert (context.store.backups / "daily-2026-11-21.db").stat().st_mode & 0o777 == 0o600

    seen = NOTHING_SEEN._replace(state=first.state)
    assert await kinds.copy_when_changed(context, seen) == Outcome("skipped", state=first.state)
    assert (await kinds.copy_when_changed(context, seen._replace(is_requested=True))).result == "ok"
    (context.store.backups / "daily-2026-11-21.db").unlink()
    assert (await kinds.copy_when_changed(context, seen)).result == "ok"

    owner = context.caller.owner
    await context.store.write(lambda c: people.raise_generation(c, owner))
    assert (await kinds.copy_when_changed(context, seen)).result == "ok"


async def test_an_unchanged_store_is_verified_as_well(context: Context) -> None:
    """Each night every page is looked at: a bit that flips is seen though nothing has changed since."""
    await context.store.compact()
    first = await kinds.copy_when_changed(context, NOTHING_SEEN)
    seen = NOTHING_SEEN._replace(state=first.state)
    assert await kinds.copy_when_changed(context, seen) == Outcome("skipped", state=first.state)
    assert names(context) == ["daily-2026-11-21.db"]

    store = context.store
    flip(store.path, root_of(store.path, "person"))
    with pytest.raises(StoreDamaged):
        await kinds.copy_when_changed(context, seen)
    assert store.damage is not None
    assert names(context) == ["daily-2026-11-21.db"]
    assert is_good(store.backups / "daily-2026-11-21.db")


async def test_copies_of_others_are_left_alone(context: Context) -> None:
    """Only the copies of days go, one day at a time; what else lies there is somebody's."""
    folder = context.store.backups
    for day in range(1, 21):
        await asyncio.to_thread(context.store.back_up, folder / f"daily-2026-11-{day:02}.db")
    for other in ("before-0018-from-0017.db", "daily-mine.db", "notes.txt"):
        (folder / other).touch()
    await kinds.copy_when_changed(context, NOTHING_SEEN)

    left = names(context)
    assert {"before-0018-from-0017.db", "daily-mine.db", "notes.txt"} <= set(left)
    days = [name[6:16] for name in left if name.startswith("daily-2026")]
    assert days == [
        *("2026-11-01", "2026-11-08", "2026-11-14", "2026-11-15", "2026-11-16", "2026-11-17"),
        *("2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"),
    ]


def test_a_year_of_days_leaves_a_week_and_four_sundays() -> None:
    """Whoever copies each day has the last seven, and the Sundays of the four weeks before these."""
    kept: frozenset[date] = frozenset()
    day = date(2026, 1, 1)
    for _ in range(365):
        kept = days_to_keep({*kept, day})
        day += timedelta(days=1)
    last = day - timedelta(days=1)
    newest = {last - timedelta(days=each) for each in range(DAILY)}
    assert newest <= kept
    older = sorted(kept - newest)
    assert len(older) == WEEKLY
    assert [each.isoweekday() for each in older[:-1]] == [7] * (WEEKLY - 1)
    assert (last - older[0]).days in range(21, 36)


async def test_no_copy_holds_who_left(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that was made while somebody left is removed, and made again later."""
    values = new_person("bob@localhost", None, "UTC", 0)
    bob = await context.store.write(lambda c: people.add_person(c, values))
    back_up, loop = context.store.back_up, asyncio.get_running_loop()

    def leave_meanwhile(copy: Path) -> None:
        back_up(copy)
        gone = context.store.write(lambda c: people.remove_person(c, bob))
        asyncio.run_coroutine_threadsafe(gone, loop).result(LONG_ENOUGH)

    monkeypatch.setattr(context.store, "back_up", leave_meanwhile)
    with pytest.raises(Conflict, match="deleted their account during"):
        await kinds.copy_when_changed(context, NOTHING_SEEN)
    assert names(context) == []


async def test_joining_spoils_no_copy(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who came after the copy is in the next one."""
    back_up, loop = context.store.back_up, asyncio.get_running_loop()
    values = new_person("bob@localhost", None, "UTC", 0)

    def join_meanwhile(copy: Path) -> None:
        back_up(copy)
        come = context.store.write(lambda c: people.add_person(c, values))
        asyncio.run_coroutine_threadsafe(come, loop).result(LONG_ENOUGH)

    monkeypatch.setattr(context.store, "back_up", join_meanwhile)
    assert (await kinds.copy_when_changed(context, NOTHING_SEEN)).result == "ok"
    assert names(context) == ["daily-2026-11-21.db"]


def test_retries_come_ever_more_rarely() -> None:
    """Five minutes, then twice as long each time, up to six hours, however often it fails."""
    pauses = [kinds.retry_pause(failures) for failures in range(1, 12)]
    assert pauses[:4] == [
        kinds.FIRST_RETRY,
        2 * kinds.FIRST_RETRY,
        4 * kinds.FIRST_RETRY,
        8 * kinds.FIRST_RETRY,
    ]
    assert kinds.FIRST_RETRY == 5 * 60 * 1000
    assert pauses[-1] == kinds.retry_pause(10**9) == kinds.LONGEST_RETRY == 6 * 3_600_000


class Stumbling:
    """A bank that breaks in a way that nobody foresaw."""

    async def sync(self, _link: Link, _cursor: str | None, _today: date) -> SyncPage:
        raise KeyError("balance")


class Giving:
    """A bank without news, which counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def sync(self, _link: Link, cursor: str | None, _today: date) -> SyncPage:
        self.asked += 1
        return SyncPage((), (), (), (), cursor or "")


async def test_a_bank_that_stumbles_is_put_off(context: Context) -> None:
    """It is named, holds up no bank after it, and is not tried again before its time."""
    giving = Giving()
    ready = replace(context, banks={"aggregator": Stumbling(), "demo": giving})
    for name, provider in (("bad", "aggregator"), ("good", "demo")):
        values = {"id": f"con_{name}", "owner_no": context.caller.owner, "provider": provider}
        more = {"institution_name": name, "status": "ok", "failures": 0, "created_at": 0}
        await context.store.write(partial(connections.add_connection, values=values | more))
    assert await kinds.sync_what_is_due(ready, NOTHING_SEEN) == Outcome(
        "failed", f"bad: {STUMBLED}"
    )
    assert giving.asked == 1
    assert (await kinds.sync_what_is_due(ready, NOTHING_SEEN)).result == "skipped"
    bad = (await list_connections(context, Nothing()))[0].connection
    assert (bad.status, bad.error) == ("ok", STUMBLED)
    owner = context.caller.owner
    held = await context.store.read(lambda c: connections.find_connection(c, owner, "con_bad"))
    assert held is not None
    assert held["failures"] == 1
    await kinds.sync_what_is_due(ready, NOTHING_SEEN._replace(is_requested=True))
    assert giving.asked == 2


class Hanging:
    """A bank that takes the question and never answers."""

    async def sync(self, _link: Link, _cursor: str | None, _today: date) -> SyncPage:
        await asyncio.Event().wait()
        raise AssertionError("It never answers.")


async def test_a_hanging_bank_is_put_off(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has failed, is named, and the banks after it are asked."""
    monkeypatch.setattr(sync, "PATIENCE", 0.01)
    giving = Giving()
    ready = replace(context, banks={"aggregator": Hanging(), "demo": giving})
    for name, provider in (("bad", "aggregator"), ("good", "demo")):
        values = {"id": f"con_{name}", "owner_no": context.caller.owner, "provider": provider}
        more = {"institution_name": name, "status": "ok", "failures": 0, "created_at": 0}
        await context.store.write(partial(connections.add_connection, values=values | more))
    outcome = await kinds.sync_what_is_due(ready, NOTHING_SEEN)
    assert outcome.result == "failed"
    assert (outcome.error or "").startswith("bad: ")
    assert "within 0 minutes" in (outcome.error or "")
    assert giving.asked == 1
    assert (await kinds.sync_what_is_due(ready, NOTHING_SEEN)).result == "skipped"


@pytest.mark.parametrize(
    ("ahead", "due"),
    [(None, True), (0, True), (1, False), (LONGEST_PAUSE, False), (LONGEST_PAUSE + 1, True)],
)
async def test_a_bank_is_due_on_time(context: Context, ahead: int | None, due: bool) -> None:
    """And where no try is known, or it lies so far ahead that another clock has set it."""
    at = None if ahead is None else context.milliseconds() + ahead
    ready = replace(context, banks={"demo": Giving()})
    values = {"id": "con_good", "owner_no": context.caller.owner, "provider": "demo"}
    more = {"institution_name": "good", "status": "ok", "failures": 0, "created_at": 0}
    values |= more | {"next_try_at": at}
    await context.store.write(partial(connections.add_connection, values=values))
    outcome = await kinds.sync_what_is_due(ready, NOTHING_SEEN)
    assert outcome.result == ("ok" if due else "skipped")


@pytest.mark.thorough
@pytest.mark.usefixtures("demo")
async def test_a_plan_is_built_after_news_and_on_another_day(context: Context) -> None:
    """Either is enough, and without one nothing is built."""
    assert (await kinds.build_when_needed(context, NOTHING_SEEN)).result == "ok"
    assert (await kinds.build_when_needed(context, NOTHING_SEEN)).result == "skipped"
    owner, now = context.caller.owner, context.milliseconds()
    await context.store.write(lambda c: people.note_event(c, owner, now))
    assert (await kinds.build_when_needed(context, NOTHING_SEEN)).result == "ok"
    assert (await kinds.build_when_needed(context, NOTHING_SEEN)).result == "skipped"
    tomorrow = replace(context, now=lambda: context.now() + timedelta(days=1))
    assert (await kinds.build_when_needed(tomorrow, NOTHING_SEEN)).result == "ok"


class GivingUp:
    """A bank whose side ends the question by itself, before our patience does."""

    async def sync(self, _link: Link, _cursor: str | None, _today: date) -> SyncPage:
        raise TimeoutError


async def test_a_bank_that_gives_up_by_itself_is_not_told_as_our_patience(context: Context) -> None:
    """Minutes that nobody has waited are not named."""
    ready = replace(context, banks={"aggregator": GivingUp()})
    values = {"id": "con_bad", "owner_no": context.caller.owner, "provider": "aggregator"}
    more = {"institution_name": "bad", "status": "ok", "failures": 0, "created_at": 0}
    await context.store.write(partial(connections.add_connection, values=values | more))
    outcome = await kinds.sync_what_is_due(ready, NOTHING_SEEN)
    assert outcome.result == "failed"
    assert (outcome.error or "").startswith("bad: ")
    assert "minutes" not in (outcome.error or "")


Performed = Callable[[Context, JobRun], Any]


async def claimed_backup(
    context: Context, monkeypatch: pytest.MonkeyPatch, perform: Performed
) -> Any:
    """The row of the machine's backup, which is due and does something made up."""
    monkeypatch.setitem(kinds.KINDS, "backup", replace(kinds.KINDS["backup"], perform=perform))
    now = context.milliseconds()

    def make_due(connection: Any) -> Any:
        settle(connection, now)
        job = next(row for row in jobs.list_jobs(connection) if row["name"] == "backup")
        jobs.ask_for(connection, job["no"], now)
        return job

    return await context.store.write(make_due)


async def test_a_run_taken_over_ends(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose lease was lost, after a long sleep perhaps, stops and notes nothing."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def hang(_context: Context, _run: JobRun) -> Outcome:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return DONE

    job = await claimed_backup(context, monkeypatch, hang)
    monkeypatch.setattr(running, "RENEWED_EVERY", 0.01)
    run = asyncio.create_task(run_if_due(context, job, "one"))
    await asyncio.wait_for(began.wait(), LONG_ENOUGH)
    taken = {"lease_holder": "another"}
    await context.store.write(lambda c: jobs.change_job(c, job["no"], taken))
    assert await asyncio.wait_for(run, LONG_ENOUGH)
    assert ended.is_set()
    row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
    assert (row["lease_holder"], row["last_result"]) == ("another", None)


async def test_a_lease_that_cannot_be_renewed_now_ends_no_run(
    context: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says what failed, and the run goes on to be noted."""
    renewed = asyncio.Event()
    failures = iter((OSError("database is locked"), StorageFull("no room")))

    def renew(*_: object) -> bool:
        for failure in failures:
            raise failure
        loop.call_soon_threadsafe(renewed.set)
        return True

    async def wait(_context: Context, _run: JobRun) -> Outcome:
        await asyncio.wait_for(renewed.wait(), LONG_ENOUGH)
        return DONE

    loop = asyncio.get_running_loop()
    job = await claimed_backup(context, monkeypatch, wait)
    monkeypatch.setattr(running, "RENEWED_EVERY", 0.01)
    monkeypatch.setattr(jobs, "renew", renew)
    assert await asyncio.wait_for(run_if_due(context, job, "one"), LONG_ENOUGH)
    row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
    assert (row["last_result"], row["lease_until"]) == ("ok", None)
    for failed in ("database is locked", "no room"):
        assert failed in caplog.text


@pytest.mark.parametrize("result", [DONE, Conflict("The bank was unlinked.")])
async def test_a_run_that_was_taken_over_writes_nothing_more(
    context: Context, monkeypatch: pytest.MonkeyPatch, result: Outcome | Conflict
) -> None:
    """Not even before it has seen that: what it writes or notes would be beside the other's work."""
    owner, wrote = context.caller.owner, list[str]()

    def write(connection: Any) -> None:
        people.change_person(connection, owner, {"name": "Twice"})
        wrote.append("written")

    async def go_on(inner: Context, _run: JobRun) -> Outcome:
        if isinstance(result, Conflict):
            await take_over()
            raise result
        await inner.store.write(write)
        await take_over()
        await inner.store.write(write)
        wrote.append("went on")
        return result

    async def take_over() -> None:
        taken = {"lease_holder": "another"}
        await context.store.write(lambda c: jobs.change_job(c, job["no"], taken))

    job = await claimed_backup(context, monkeypatch, go_on)
    assert await asyncio.wait_for(run_if_due(context, job, "one"), LONG_ENOUGH)
    assert wrote == ([] if isinstance(result, Conflict) else ["written"])
    row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
    assert (row["lease_holder"], row["last_result"], row["failures"]) == ("another", None, 0)
    assert row["next_at"] > context.milliseconds() + kinds.FIRST_RETRY
    await context.store.write(write)


async def test_an_endless_run_ends(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind has its limit; beyond it the run says so, and is tried again as one that failed."""
    ended = asyncio.Event()

    async def hang(_context: Context, _run: JobRun) -> Outcome:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return DONE

    job = await claimed_backup(context, monkeypatch, hang)
    monkeypatch.setattr(running, "MINUTE", 0.0001)
    assert await asyncio.wait_for(run_if_due(context, job, "one"), LONG_ENOUGH)
    assert ended.is_set()
    row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
    assert (row["last_result"], row["failures"], row["lease_until"]) == ("failed", 1, None)
    assert "240 minutes" in row["error"]
    assert row["next_at"] == context.milliseconds() + kinds.FIRST_RETRY


async def test_a_fatal_run_is_put_off(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first time it is done again at once, then ever later, as one that failed; until one works."""
    clock, runs = [context.now()], list[str]()
    ticking = replace(context, now=lambda: clock[0])

    async def die(_context: Context, _run: JobRun) -> Outcome:
        runs.append("died")
        raise asyncio.CancelledError

    async def last() -> Any:
        return await context.store.read(lambda c: jobs.list_jobs(c)[-1])

    async def look(holder: str) -> bool:
        begun = len(runs)
        run = asyncio.create_task(run_if_due(ticking, job, holder))
        await asyncio.wait_for(asyncio.gather(run, return_exceptions=True), LONG_ENOUGH)
        return len(runs) > begun

    job = await claimed_backup(context, monkeypatch, die)
    assert await look("0")
    for failures in range(1, 4):
        clock[0] += timedelta(milliseconds=jobs.LEASE - 1)
        assert not await look("early")
        clock[0] += timedelta(milliseconds=1)
        died = ticking.milliseconds()
        assert await look(str(failures)) == (failures == 1)
        row = await last()
        told = (row["last_at"], row["last_result"], row["error"], row["failures"])
        assert told == (died - jobs.LEASE, "failed", DIED, failures)
        if failures == 1:
            continue
        assert (row["lease_until"], row["lease_holder"]) == (None, None)
        pause = kinds.FIRST_RETRY << failures - 1
        assert row["next_at"] == died + pause
        clock[0] += timedelta(milliseconds=pause - 1)
        assert not await look("early")
        clock[0] += timedelta(milliseconds=1)
        assert await look("in time")

    async def work(_context: Context, _run: JobRun) -> Outcome:
        runs.append("worked")
        return DONE

    monkeypatch.setitem(kinds.KINDS, "backup", replace(kinds.KINDS["backup"], perform=work))
    clock[0] += timedelta(milliseconds=jobs.LEASE)
    assert not await look("put off")
    await context.store.write(lambda c: jobs.ask_for(c, job["no"], 0))
    assert await look("asked for")
    row = await last()
    assert (row["last_result"], row["error"], row["failures"]) == ("ok", None, 0)


async def test_handed_back_is_no_fault(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon that is told to stop lets the next one begin at once, and nothing is said of it."""
    seen = list[int]()

    async def look(_context: Context, _run: JobRun) -> Outcome:
        seen.append((await context.store.read(lambda c: jobs.list_jobs(c)[-1]))["failures"])
        return DONE

    job = await claimed_backup(context, monkeypatch, look)
    now = context.milliseconds()

    def claim_and_hand_back(connection: Any) -> None:
        assert jobs.claim(connection, job["no"], "one", now, None)
        jobs.release_all(connection, "one", now)

    for _ in range(2):
        await context.store.write(claim_and_hand_back)
    assert await asyncio.wait_for(run_if_due(context, job, "three"), LONG_ENOUGH)
    assert seen == [0]


@pytest.mark.parametrize("jump", [timedelta(minutes=2), timedelta(minutes=-2)])
async def test_a_run_looks_for_its_lease_as_soon_as_the_clock_has_jumped(
    context: Context, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    """After a sleep it may be somebody else's: it is given up, and was not held before."""
    clock, holds = [context.now()], list[bool]()

    async def wait(_context: Context, run: JobRun) -> Outcome:
        holds.append(await run.is_held())
        taken = {"lease_holder": "another"}
        await context.store.write(lambda c: jobs.change_job(c, job["no"], taken))
        holds.append(await run.is_held())
        clock[0] += jump
        await asyncio.Event().wait()
        return DONE

    job = await claimed_backup(context, monkeypatch, wait)
    monkeypatch.setattr(running, "RENEWED_EVERY", 10 * LONG_ENOUGH)
    monkeypatch.setattr(running, "LOOKED_EVERY", 0.01)
    ticking = replace(context, now=lambda: clock[0])
    assert await asyncio.wait_for(run_if_due(ticking, job, "one"), LONG_ENOUGH)
    assert holds == [True, False]
    row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
    assert (row["lease_holder"], row["last_result"]) == ("another", None)


async def test_a_long_run_has_its_lease(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as it goes on it says so, and nobody else begins it."""
    go_on = asyncio.Event()

    async def wait(_context: Context, _run: JobRun) -> Outcome:
        await go_on.wait()
        return DONE

    job = await claimed_backup(context, monkeypatch, wait)
    monkeypatch.setattr(running, "RENEWED_EVERY", 0.01)
    clock = [context.now()]
    ticking = replace(context, now=lambda: clock[0])
    run = asyncio.create_task(run_if_due(ticking, job, "one"))
    lease = context.milliseconds() + jobs.LEASE

    async def lease_of() -> int:
        row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
        return row["lease_until"] or 0

    while await lease_of() < lease:
        pass
    clock[0] += timedelta(seconds=59)
    while await lease_of() < lease + 59_000:
        pass
    assert not await run_if_due(ticking, job, "two")
    go_on.set()
    assert await asyncio.wait_for(run, LONG_ENOUGH)
    row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
    assert (row["last_result"], row["lease_until"]) == ("ok", None)


async def test_the_unforeseen_is_retried(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that breaks says where to look; its failures are counted until it works."""

    async def stumble(_context: Context, _run: JobRun) -> Outcome:
        raise KeyError("nobody foresaw this")

    assert await run_if_due(context, await claimed_backup(context, monkeypatch, stumble), "one")
    row = await context.store.read(lambda c: jobs.list_jobs(c)[-1])
    told = (row["last_result"], row["error"], row["failures"], row["asked"])
    assert told == ("failed", STUMBLED, 1, 0)
    assert row["next_at"] == context.milliseconds() + kinds.FIRST_RETRY
