"""Thirty simulated days as the handbook's page on the schedule says them, with one daemon and with two.

What is expected is found here without the product's arithmetic: by asking, minute by minute, what the
clock on the wall says.
"""

import random
import shutil
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from finplan.daemon import background
from tests.daemon.simulated import SECOND, Trouble, World, utc, watched

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)

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


@pytest.fixture(params=[1, 2], ids=["one daemon", "two daemons"])
def daemons(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def month(
    tmp_path: Path,
    empty_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    daemons: int,
    request: pytest.FixtureRequest,
) -> Iterator[World]:
    start = utc(MONTHS[request.getfixturevalue("name")][2])
    shutil.copy(empty_store, tmp_path / "finplan.db")
    # Looks in between find nothing, and a month has 43,200 minutes.
    monkeypatch.setattr(background, "LONGEST_SLEEP", 3600.0)
    with watched(World(tmp_path / "finplan.db", start, daemons), monkeypatch) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("name", MONTHS)
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
