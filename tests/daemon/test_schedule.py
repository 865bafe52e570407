"""The schedule: what is due is done once, by whoever looks first, and again when it is due again.

Thirty simulated days are as the handbook's page says them, with one daemon and with two: what is
expected of them is found without the product's arithmetic, by asking, minute by minute, what the clock
on the wall says.
"""

import asyncio
import random
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise, repeat
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from apscheduler.triggers.interval import IntervalTrigger
from sqlalchemy import Connection

from finplan.daemon import background
from finplan.daemon.background import (
    JOBS_AT_ONCE,
    LONGEST_SLEEP,
    SHORTEST_SLEEP,
    WallClockScheduler,
)
from finplan.model.base import Nothing
from finplan.model.errors import NotFound, StorageFull
from finplan.model.job import JobName
from finplan.service.automation.agenda import list_jobs, run_job
from finplan.service.planning.plans import list_plans
from finplan.store.queries import people
from finplan.store.queries.jobs import LEASE, change_job, list_jobs as list_rows
from finplan.store.queries.plans import newest_plan
from tests.daemon.simulated import SECOND, Ran, Trouble, World, utc, watched
from tests.patience import LONG_ENOUGH

START = utc("2026-11-16T12:00")
HOUR = timedelta(hours=1)


@pytest.fixture
def world(tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    shutil.copy(empty_store, tmp_path / "finplan.db")
    with watched(World(tmp_path / "finplan.db", START, daemons=2), monkeypatch) as made:
        yield made


async def ada_with(world: World, *banks: str) -> int:
    """A person in UTC with some banks."""
    ada = await world.add_person("ada", "UTC")
    for bank in banks:
        await world.add_bank(ada, bank)
    return ada


def hold(world: World, *names: str) -> tuple[asyncio.Event, asyncio.Event]:
    """Have all jobs wait, or those of some names: what says that one began, and what lets them go on."""
    began, go_on = asyncio.Event(), asyncio.Event()

    async def wait(name: str) -> None:
        if not names or name in names:
            began.set()
            await go_on.wait()

    world.during = wait
    return began, go_on


@pytest.fixture
def hourly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon looks once an hour at least: a day of every minute is looked at in the first test."""
    monkeypatch.setattr(background, "LONGEST_SLEEP", 3600.0)


HOURLY = pytest.mark.usefixtures("hourly")


@pytest.mark.thorough
async def test_a_day_of_a_household(world: World) -> None:
    """A bank at once and twice a day, a plan after its news and each morning, a copy each night."""
    ada = await ada_with(world, "North")
    await world.live(START + timedelta(days=1))

    assert world.times("sync", ada) == [at for at, _ in world.banks.tried]
    assert len(world.banks.tried) == 2
    first, second = world.times("sync", ada)
    assert first == START
    assert 12 * HOUR <= second - first < 13.2 * HOUR
    after_news, *others = world.times("plan", ada)
    assert after_news == START + timedelta(minutes=5)
    assert utc("2026-11-17T06:00") in others
    assert world.times("backup", ada) == [utc("2026-11-17T03:30")]
    assert world.times("prune", ada) == [START + each * HOUR for each in range(1, 24)]
    assert {path.name for path in world.store.backups.glob("*.db")} == {"daily-2026-11-17.db"}


@pytest.mark.thorough
@HOURLY
async def test_nobody_else_has_jobs(world: World) -> None:
    """The guest of an agent has none, who leaves takes them along, and the machine's stay."""
    await world.add_person("ada", "UTC")
    bob = await world.add_person("bob", "UTC")
    guest = await world.add_person("guest", "UTC", guest_until=10**15)
    await world.look()
    assert {job.name for job in await list_jobs(world.context(bob), Nothing())} == {"sync", "plan"}
    assert await list_jobs(world.context(guest), Nothing()) == ()

    await world.store.write(lambda c: people.remove_person(c, bob))
    await world.live(START + 25 * HOUR)
    assert bob not in {ran.owner for ran in world.ran}
    assert guest not in {ran.owner for ran in world.ran}
    assert "backup" in {ran.name for ran in world.ran}


async def test_a_run_that_died_is_caught_up_once(world: World) -> None:
    """Who finds a run that was killed does it again when its lease is over, not before, and once."""
    ada = await ada_with(world, "North")
    began, _ = hold(world, "sync")
    await world.schedules[0].look()
    await began.wait()
    await kill(world)
    world.during = None
    for seconds in (1, LEASE / 1000 - 1):
        world.now = START + timedelta(seconds=seconds)
        await world.look(1)
        assert world.ran == [Ran(START, "sync", ada, 0)]
    world.now = START + timedelta(milliseconds=LEASE)
    await world.look(1)
    await world.look(1)
    assert world.ran[1:] == [Ran(world.now, "sync", ada, 1)]
    assert [name for _, name in world.banks.tried] == ["North"]
    job = await world.job(ada, "sync")
    assert (job["last_result"], job["lease_until"], job["lease_holder"]) == ("ok", None, None)


async def kill(world: World) -> None:
    """End what the first daemon does without a word, as a kill does."""
    for task in list(world.schedules[0]._running.values()):  # No face does this.
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_daemon_that_stops_lets_others_go_on_at_once(world: World) -> None:
    """What a daemon gives up when it is told to stop, the next one does without waiting."""
    await ada_with(world, "North")
    began, _ = hold(world, "sync")
    await world.schedules[0].look()
    await began.wait()
    await world.schedules[0].stop()
    world.during = None
    await world.look(1)
    assert [(ran.name, ran.daemon) for ran in world.ran] == [("sync", 0), ("sync", 1)]


async def test_who_owns_the_machine_no_longer_has_its_owners_jobs(world: World) -> None:
    """What is the owner's alone goes over to the next owner, with the first run at its usual time."""
    ada = await world.add_person("ada", "UTC")
    await world.look()
    assert (await world.job(ada, "notify"))["next_at"] is not None
    await world.add_person("eve", "UTC", no=ada - 1)
    await world.look()
    names = {job.name for job in await list_jobs(world.context(ada), Nothing())}
    assert names == {"sync", "plan"}
    assert await world.job(ada - 1, "notify")
    rows = await world.store.read(list_rows)
    assert (ada, "notify") not in {(row["owner_no"], row["name"]) for row in rows}


async def test_only_a_few_run_at_once(world: World) -> None:
    """However many are due, some wait until others have ended, and none is forgotten."""
    owners = [await world.add_person(f"person {no}", "UTC") for no in range(JOBS_AT_ONCE + 2)]
    for owner in owners:
        await world.add_bank(owner, f"Bank {owner}")
    _, go_on = hold(world)
    await world.schedules[0].look()
    await world.schedules[0].look()
    awake = len(world.schedules[0]._running)  # No face does this.
    go_on.set()
    await world.schedules[0].end_of_runs()
    assert awake == JOBS_AT_ONCE
    await world.look()
    assert {bank for _, bank in world.banks.tried} == {f"Bank {owner}" for owner in owners}


@pytest.mark.thorough
@HOURLY
async def test_two_daemons_run_it_once(world: World) -> None:
    """Of two that look at one instant, one runs each job."""
    ada = await world.add_person("ada", "UTC")
    bob = await world.add_person("bob", "Asia/Tokyo")
    for owner, name in ((ada, "North"), (ada, "South"), (bob, "East")):
        await world.add_bank(owner, name)
    await world.live(START + timedelta(days=1))

    runs = [(ran.at, ran.name, ran.owner) for ran in world.ran]
    assert len(runs) == len(set(runs))
    assert {ran.daemon for ran in world.ran} == {0, 1}


@pytest.mark.thorough
async def test_what_came_due_in_a_long_sleep_is_done_once(world: World) -> None:
    """After a week in which the machine slept, each job runs once, and then at its usual time."""
    ada = await ada_with(world, "North")
    asleep, awake = START + HOUR, START + timedelta(days=7)
    await world.live(awake + HOUR - SECOND, asleep=((asleep, awake),))

    slept = [ran.name for ran in world.ran if ran.at >= asleep]
    assert sorted(slept) == ["backup", "notify", "plan", "plan", "prune", "sync"]

    def known(connection: Connection) -> tuple[int | None, int]:
        newest = newest_plan(connection, ada)
        assert newest is not None
        return newest.data_no, people.last_event(connection, ada).data_no

    # The sync and the first plan begin at once: a second plan is built where the first came before
    # the news, and left out where it knew them. The newest knows them in both cases.
    by_the_plan, by_the_store = await world.store.read(known)
    assert by_the_plan == by_the_store
    assert len(await list_plans(world.context(ada), Nothing())) in (2, 3)


@pytest.mark.thorough
@HOURLY
async def test_a_failing_bank_holds_up_no_other(world: World) -> None:
    """One bank's failures and log-in are its own; the job says which failed, and why."""
    ada = await ada_with(world, "North", "South")
    end = START + timedelta(days=4)
    world.banks.troubles = [Trouble("North", START, end, "login_required")]
    await world.live(START + timedelta(days=2))

    assert [name for _, name in world.banks.tried].count("North") == 1
    assert [name for _, name in world.banks.tried].count("South") == 4
    await world.live(end + HOUR)
    assert [name for _, name in world.banks.tried].count("North") == 2
    job = await world.job(ada, "sync")
    assert (job["last_result"], job["error"]) != ("failed", None)


@pytest.mark.thorough
@HOURLY
async def test_a_job_says_what_failed_and_is_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that finds no room says so, keeps the older ones, and is tried again ever more rarely."""
    ada = await world.add_person("ada", "UTC")
    await world.live(utc("2026-11-17T04:00"))
    full = StorageFull("No room.")

    def refuse(_copy: Path) -> None:
        raise full

    for store in world.stores:
        monkeypatch.setattr(store, "back_up", refuse)
    await world.store.write(lambda c: people.raise_generation(c, ada))
    await world.live(utc("2026-11-18T05:00"))

    job = await world.job(None, "backup")
    assert job["last_result"] == "failed"
    assert str(job["error"]).startswith("No room. ")
    assert [path.name for path in world.store.backups.glob("*.db")] == ["daily-2026-11-17.db"]
    since = [at - utc("2026-11-18T03:30") for at in world.times("backup", ada)[1:]]
    assert since == [timedelta(minutes=each) for each in (0, 5, 15, 35, 75)]
    monkeypatch.undo()


@pytest.mark.thorough
@HOURLY
async def test_a_plan_is_built_only_when_it_says_something_new(world: World) -> None:
    """A second plan of one day and one state of the data is not built, and one without a bank never."""
    ada = await world.add_person("ada", "UTC")
    await world.add_person("bob", "UTC")
    await world.add_bank(ada, "North")
    await world.live(START + HOUR)
    await run_job(world.context(ada), JobName(name="plan"))
    await world.live(START + 2 * HOUR)
    assert (await world.job(ada, "plan"))["last_result"] == "ok"
    await world.live(START + timedelta(days=1))

    built = await list_plans(world.context(ada), Nothing())
    days = [(each.plan.generated_on, each.created_at) for each in built]
    assert len(days) == len(set(days))
    assert (await world.job(2, "plan"))["last_result"] == "skipped"


async def test_a_person_starts_a_job(world: World) -> None:
    """Whoever asks has it done at once, needed or not; what runs is done once more after that."""
    ada = await ada_with(world, "North")
    await world.live(START + HOUR)
    tried = len(world.banks.tried)

    news = world.backgrounds[0].news()
    job = await run_job(world.context(ada), JobName(name="sync"))
    assert news.is_set()
    assert job.next_at == int(world.now.timestamp() * 1000)
    await world.look()
    assert len(world.banks.tried) == tried + 1
    await world.look()
    assert len(world.banks.tried) == tried + 1

    began, go_on = hold(world, "sync")
    await run_job(world.context(ada), JobName(name="sync"))
    await world.schedules[0].look()
    await began.wait()
    await run_job(world.context(ada), JobName(name="sync"))
    go_on.set()
    await world.schedules[0].end_of_runs()
    assert len(world.banks.tried) == tried + 2
    await world.look(1)
    assert len(world.banks.tried) == tried + 3
    await world.look(1)
    assert len(world.banks.tried) == tried + 3


async def test_a_job_that_was_asked_for_says_when_it_is_due_next(world: World) -> None:
    """Also while it runs, and before anybody has looked at everything since."""
    ada = await ada_with(world, "North")
    began, go_on = hold(world)

    async def next_sync() -> int | None:
        jobs = await list_jobs(world.context(ada), Nothing())
        return next(job.next_at for job in jobs if job.name == "sync")

    now = int(world.now.timestamp() * 1000)
    assert await next_sync() == now
    await run_job(world.context(ada), JobName(name="sync"))
    await world.schedules[0].look(only_asked=True)
    await began.wait()
    assert await next_sync() == now
    go_on.set()
    await world.schedules[0].end_of_runs()
    told = await next_sync()
    await world.look()
    assert told == (await world.job(ada, "sync"))["next_at"]
    assert told is not None
    assert told > now

    def stray(connection: Connection) -> None:
        (row,) = (row for row in list_rows(connection) if row["name"] == "sync")
        change_job(connection, row["no"], {"next_at": told + 1})

    await world.store.write(stray)
    assert await next_sync() == told


async def test_what_is_asked_for_waits_for_no_first_look(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right after a start what a person asks for begins at once, and nothing that nobody asked for."""
    monkeypatch.setattr(background, "SHORTEST_SLEEP", 0.01)
    ada = await ada_with(world, "North")
    began = asyncio.Queue[str]()
    world.during = began.put
    looking = asyncio.create_task(world.schedules[0].run(first_look=10 * LONG_ENOUGH))
    for name in ("prune", "plan"):
        await run_job(world.context(ada), JobName(name=name))
        assert await asyncio.wait_for(began.get(), LONG_ENOUGH) == name
    await world.schedules[0].end_of_runs()
    looking.cancel()
    assert began.empty()


async def test_everything_is_looked_at_after_the_first_look(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is due when a daemon starts begins once who started it has had an answer."""
    monkeypatch.setattr(background, "SHORTEST_SLEEP", 0.01)
    monkeypatch.setattr(background, "LONGEST_SLEEP", 10 * LONG_ENOUGH)
    await ada_with(world, "North")
    began = asyncio.Queue[str]()
    world.during = began.put
    looking = asyncio.create_task(world.schedules[0].run(first_look=0.05))
    assert await asyncio.wait_for(began.get(), LONG_ENOUGH) == "sync"
    await world.schedules[0].end_of_runs()
    looking.cancel()


async def test_what_another_process_wrote_is_found_without_news(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks again by itself, each minute at least."""
    monkeypatch.setattr(background, "SHORTEST_SLEEP", 0.01)
    monkeypatch.setattr(background, "LONGEST_SLEEP", 0.05)
    ada = await ada_with(world, "North")
    await world.look()
    began = asyncio.Queue[str]()
    world.during = began.put
    looking = asyncio.create_task(world.schedules[0].run(first_look=0))
    await run_job(world.context(ada, daemon=1), JobName(name="plan"))
    assert await asyncio.wait_for(began.get(), LONG_ENOUGH) == "plan"
    await world.schedules[0].end_of_runs()
    looking.cancel()


@pytest.mark.parametrize("hours", [-8, 1], ids=["the machine slept", "the clock was set back"])
async def test_a_look_at_a_wrong_instant_is_made_at_once(hours: int) -> None:
    """A look that came due during a sleep is made once, and one an hour ahead is not waited for."""
    looks = asyncio.Queue[int]()

    async def look() -> None:
        await looks.put(1)

    scheduler = WallClockScheduler(timezone=UTC)
    scheduler.add_job(
        look,
        IntervalTrigger(seconds=LONGEST_SLEEP),
        next_run_time=datetime.now(UTC) + timedelta(hours=hours),
        misfire_grace_time=None,
    )
    scheduler.start()
    await asyncio.wait_for(looks.get(), LONG_ENOUGH)
    (job,) = scheduler.get_jobs()
    assert timedelta() < job.next_run_time - datetime.now(UTC) <= timedelta(seconds=LONGEST_SLEEP)
    scheduler.shutdown(wait=False)
    await asyncio.sleep(0)
    assert looks.empty()


async def test_only_the_owner_of_the_machine_runs_what_is_the_machines(world: World) -> None:
    """Others neither see nor start it, and are told which jobs are theirs."""
    ada = await world.add_person("ada", "UTC")
    bob = await world.add_person("bob", "UTC")

    assert (await run_job(world.context(ada), JobName(name="backup"))).name == "backup"
    with pytest.raises(NotFound, match=r"Your jobs are sync, plan"):
        await run_job(world.context(bob), JobName(name="backup"))


@pytest.mark.thorough
async def test_a_clock_that_was_set_back_lets_nothing_wait(world: World) -> None:
    """What was to come in a future that is none is due by the present clock, runs of it included."""
    ada = await ada_with(world, "North")
    world.now = utc("2036-01-01T00:00")
    await world.live(world.now + HOUR)
    began, _ = hold(world)

    await run_job(world.context(ada), JobName(name="plan"))
    await world.schedules[0].look()
    await began.wait()
    await kill(world)
    world.during = None
    world.ran.clear()
    world.now = START
    await world.look(1)
    await world.look(1)

    assert {ran.name for ran in world.ran} >= {"plan", "sync"}
    assert (START, "North") in world.banks.tried
    backup = await world.job(None, "backup")
    assert backup["next_at"] == int(utc("2026-11-17T03:30").timestamp() * 1000)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("zone", "due"),
    [
        # Where the morning is sooner than the one that was left, and where it is later.
        ("Asia/Tokyo", utc("2026-11-16T21:00")),
        ("America/New_York", utc("2026-11-17T11:00")),
    ],
)
async def test_a_move_to_another_zone_moves_the_morning(
    world: World, zone: str, due: datetime
) -> None:
    """Who moves has the next plan on the morning there, and none on that of the place they left."""
    ada = await ada_with(world, "North")
    await world.live(START + HOUR)
    await world.store.write(lambda c: people.change_person(c, ada, {"time_zone": zone}))
    world.ran.clear()
    await world.live(due + timedelta(minutes=1))

    plans = world.times("plan", ada)
    news = [at + timedelta(minutes=5) for at in world.times("sync", ada)]
    assert [at for at in plans if at not in news] == [due]


async def test_it_sleeps_until_something_is_due(world: World) -> None:
    """It wakes for the next job, once a minute for what others have done, and never twice a second."""
    await world.add_person("ada", "UTC")
    world.now = datetime.fromisoformat("2026-11-16T12:59:30+00:00")
    assert await world.look() == 30
    world.now += timedelta(seconds=29.9)
    assert await world.look() == SHORTEST_SLEEP
    world.now += timedelta(minutes=1)
    await world.look()
    assert await world.look() == LONGEST_SLEEP


MINUTE = timedelta(minutes=1)

MONTHS = {
    "Berlin, clocks back": ("Europe/Berlin", "Asia/Tokyo", "2026-10-10T10:00"),
    "New York, clocks forward": ("America/New_York", "Europe/Berlin", "2026-03-01T15:00"),
    "Lord Howe, half an hour back": ("Australia/Lord_Howe", "America/Santiago", "2026-03-20T01:00"),
    "Azores and Cairo, clocks forward": ("Atlantic/Azores", "Africa/Cairo", "2027-03-26T12:30"),
}


def on_the_wall(zone: str, at: time, since: datetime, until: datetime) -> list[datetime]:
    """The first minute of each local day on which it is a time of day or later."""
    found: dict[object, datetime] = {}
    minute = (since - timedelta(days=1)).replace(second=0, microsecond=0)
    while minute < until:
        local = minute.astimezone(ZoneInfo(zone))
        if local.time() >= at:
            found.setdefault(local.date(), minute)
        minute += MINUTE
    return [each for each in found.values() if since < each < until]


def caught_up(
    times: list[datetime], asleep: tuple[tuple[datetime, datetime], ...]
) -> list[datetime]:
    """What is due while the machine sleeps is done once when it wakes."""
    moved = []
    for each in times:
        for since, awake in asleep:
            each = awake if since <= each < awake else each  # noqa: PLW2901
        moved.append(each)
    return sorted(set(moved))


def on_time(found: list[datetime], expected: list[datetime]) -> None:
    """Each is where it is expected, or a second later where the daemon was about something else."""
    assert len(found) == len(expected)
    late = [one - other for one, other in zip(found, expected, strict=True)]
    assert all(timedelta() <= each <= 2 * SECOND for each in late)


@pytest.fixture
def month(
    tmp_path: Path,
    empty_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    daemons: int,
) -> Iterator[World]:
    start = utc(MONTHS[name][2])
    shutil.copy(empty_store, tmp_path / "finplan.db")
    # Looks in between find nothing, and a month has 43,200 minutes.
    monkeypatch.setattr(background, "LONGEST_SLEEP", 3600.0)
    with watched(World(tmp_path / "finplan.db", start, daemons), monkeypatch) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize(("name", "daemons"), [*zip(MONTHS, repeat(2)), ("Berlin, clocks back", 1)])
async def test_thirty_days_run_as_documented(month: World, name: str) -> None:
    """Every run of every job is where the handbook says, through failures, sleeps and changed clocks."""
    zone, other_zone, start_text = MONTHS[name]
    start = utc(start_text)
    end = start + timedelta(days=30)
    dice = random.Random(name)
    nights = sorted(dice.sample(range(2, 28), 6))
    asleep = tuple(
        (start + timedelta(days=day, minutes=dice.randrange(600)), start + timedelta(days=day + 1))
        for day in nights
    )
    ada = await month.add_person("ada", zone)
    bob = await month.add_person("bob", other_zone)
    for owner, bank in ((ada, "North"), (ada, "South"), (bob, "East")):
        await month.add_bank(owner, bank)
    await month.add_bank(bob, "Files", provider="manual")
    closed = start + timedelta(days=4), start + timedelta(days=7)
    locked = start + timedelta(days=10), start + timedelta(days=18)
    month.banks.troubles = [
        Trouble("North", *closed),
        Trouble("East", *locked, "login_required"),
    ]
    await month.live(end, asleep)

    runs = [(ran.at, ran.name, ran.owner) for ran in month.ran]
    assert len(runs) == len(set(runs))
    assert len({ran.daemon for ran in month.ran}) == len(month.stores)
    assert not [at for at, *_ in runs for since, awake in asleep if since <= at < awake]
    on_time(
        month.times("backup", ada), caught_up(on_the_wall(zone, time(3, 30), start, end), asleep)
    )
    hours = [start.replace(minute=0) + each * HOUR for each in range(1, 721)]
    on_time(month.times("prune", ada), caught_up([at for at in hours if at < end], asleep))
    told = [each for hour in (8, 13, 18) for each in on_the_wall(zone, time(hour), start, end)]
    on_time(month.times("notify", ada), caught_up(told, asleep))
    for owner, where in ((ada, zone), (bob, other_zone)):
        plans_are_built(
            month, owner, caught_up(on_the_wall(where, time(6), start, end), asleep), asleep
        )
        assert set(month.times("sync", owner)) == {
            at for at, bank in month.banks.tried if (bank == "East") == (owner == bob)
        }
    banks_are_asked(month, asleep)
    assert "Files" not in {bank for _, bank in month.banks.tried}


def plans_are_built(
    month: World,
    owner: int,
    mornings: list[datetime],
    asleep: tuple[tuple[datetime, datetime], ...],
) -> None:
    """Each morning, and five minutes after the first of what came new."""
    ran = month.times("plan", owner)
    for each in mornings:
        assert any(timedelta() <= at - each <= 2 * SECOND for at in ran), each
    syncs = month.times("sync", owner)
    for at in ran:
        if any(timedelta() <= at - each <= 2 * SECOND for each in mornings):
            continue
        # What was caught up at the end of a sleep may be news that came before it.
        woke = any(timedelta() <= at - awake <= 2 * SECOND for _, awake in asleep)
        after = [at - each for each in syncs if each <= at]
        assert woke or any(timedelta(minutes=5) <= gap <= 5 * MINUTE + 2 * SECOND for gap in after)


def banks_are_asked(month: World, asleep: tuple[tuple[datetime, datetime], ...]) -> None:
    """Every twelve hours; after failures sooner, then ever later; while locked out every three days."""
    for bank in ("North", "South", "East"):
        tries = [at for at, asked in month.banks.tried if asked == bank]
        failures = 0
        for at, following in pairwise(tries):
            trouble = [
                each
                for each in month.banks.troubles
                if each.bank == bank and each.since <= at < each.until
            ]
            failures = failures + 1 if trouble else 0
            pause = min(HOUR / 2 * 2 ** (failures - 1), 12 * HOUR) if failures else 12 * HOUR
            if trouble and trouble[0].failure == "login_required":
                pause = 72 * HOUR
            gap = following - at
            slept = [awake for since, awake in asleep if since <= following - gap + 1.1 * pause]
            woke = any(timedelta() <= following - awake <= 2 * SECOND for awake in slept)
            assert gap >= pause
            assert gap <= 1.1 * pause + 2 * SECOND or woke, (bank, at, following)
        assert len(tries) > 20
