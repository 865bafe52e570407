"""When jobs are due: on local times of day whatever the clocks do, wherever one moves, and how often."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from shutil import copy
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import Connection, Engine, create_engine

from finplan.model.connection import ConnectionStatus
from finplan.service.automation.agenda import SOON, regular, settle
from finplan.service.automation.job import Daily, Every
from finplan.service.automation.kinds import KINDS
from finplan.service.banking.sync import HOUR, LONGEST_PAUSE, next_try, rhythm_in_words
from finplan.service.people import new_person
from finplan.store.queries import jobs, people
from tests.present import present

ZONES_OF_CLOCKS = (
    *("UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Africa/Cairo"),
    *("Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Atlantic/Azores"),
)

INSTANTS_IN_UTC = st.integers(1_700_000_000, 1_900_000_000).map(
    lambda s: datetime.fromtimestamp(s, UTC)
)


def local(zone: str, text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def instants(timing: Daily | Every, zone: str, start: datetime, count: int) -> list[datetime]:
    found = [timing.after(start, zone)]
    while len(found) < count:
        found.append(timing.after(found[-1], zone))
    return found


@pytest.mark.parametrize(
    ("zone", "at", "start", "expected"),
    [
        # The clocks go forward, over the time: as much later as it is in the gap.
        ("Europe/Berlin", time(2, 30), "2026-03-28T12:00", ["03-29T03:30", "03-30T02:30"]),
        ("Australia/Lord_Howe", time(2, 15), "2026-10-03T12:00", ["10-04T02:45", "10-05T02:15"]),
        # The day begins at one, so that midnight is missing.
        ("America/Santiago", time(0, 15), "2026-09-05T12:00", ["09-06T01:15", "09-07T00:15"]),
        # The gap is the last hour of a day, so that its time is due on the next one.
        ("America/Nuuk", time(23, 30), "2026-03-29T00:10", ["03-29T00:30", "03-29T23:30"]),
        # The clocks go back: the time comes twice, and counts once.
        ("Europe/Berlin", time(2, 30), "2026-10-24T12:00", ["10-25T02:30", "10-26T02:30"]),
        ("Australia/Lord_Howe", time(1, 45), "2026-04-04T12:00", ["04-05T01:45", "04-06T01:45"]),
    ],
)
def test_clock_changes_keep_all_days(zone: str, at: time, start: str, expected: list[str]) -> None:
    """Where a time is skipped it is due after the gap, and where it comes twice, on the first one."""
    found = instants(Daily((at,)), zone, local(zone, start), 2)

    assert [each.astimezone(ZoneInfo(zone)).strftime("%m-%dT%H:%M") for each in found] == expected
    assert all(each.astimezone(ZoneInfo(zone)).fold == 0 for each in found)


@given(
    st.sampled_from(ZONES_OF_CLOCKS),
    st.lists(st.times(), min_size=1, max_size=3, unique=True),
    INSTANTS_IN_UTC,
)
def test_each_local_day_has_each_time_once(zone: str, times: list[time], start: datetime) -> None:
    """Whenever somebody looks, the next instant is later, and in a year no calendar day is left out."""
    found = instants(Daily(tuple(times)), zone, start, 40)

    assert found[0] > start
    assert all(one < other for one, other in pairwise(found))
    whole = [each.astimezone(ZoneInfo(zone)).date() for each in found][1:-1]
    days = {whole[0] + timedelta(days=place) for place in range((whole[-1] - whole[0]).days)}
    # What is skipped at the end of a day may be due on the next one.
    assert all(min(abs((each - day).days) for each in whole) <= 1 for day in days)


@given(st.sampled_from(ZONES_OF_CLOCKS), INSTANTS_IN_UTC)
def test_it_does_not_matter_when_somebody_looks(zone: str, now: datetime) -> None:
    """Whoever looks a little later, but before it is due, finds the same instant."""
    daily = Daily((time(3, 30), time(6)))
    due = daily.after(now, zone)

    assert daily.after(now + (due - now) / 2, zone) == due
    assert daily.after(due - timedelta(microseconds=1), zone) == due
    assert daily.after(due, zone) > due


def test_hours_are_counted_in_universal_time() -> None:
    """A change of the clocks on the wall makes no hour longer or shorter."""
    start = local("Europe/Berlin", "2026-10-25T01:10")
    found = instants(Every(1), "Europe/Berlin", start, 5)

    assert found[0] == datetime(2026, 10, 25, 0, tzinfo=UTC)
    assert {other - one for one, other in pairwise(found)} == {timedelta(hours=1)}
    assert Every(6).after(datetime(2026, 1, 1, 6, tzinfo=UTC), "UTC").hour == 12


def test_a_day_that_a_place_left_out_has_no_run_of_its_own() -> None:
    """Samoa had no 30th of December 2011: what would have been due then is due once, on the 31st."""
    found = instants(Daily((time(6),)), "Pacific/Apia", datetime(2011, 12, 29, tzinfo=UTC), 3)
    days = [each.astimezone(ZoneInfo("Pacific/Apia")).date() for each in found]

    assert days == [date(2011, 12, 29), date(2011, 12, 31), date(2012, 1, 1)]


ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Africa/Cairo"),
    *("Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago"),
)
DAILY = ("plan", "notify", "backup")
INSTANTS = st.integers(1_700_000_000_000, 1_900_000_000_000)
AN_HOUR = 3_600_000
NOON = int(datetime(2026, 11, 16, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.fixture(scope="module")
def engine(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A store of this module's own, in which each test undoes what it does."""
    file = Path(copy(empty_store, tmp_path_factory.mktemp("moved") / "finplan.db"))
    made = create_engine(f"sqlite:///{file}")
    yield made
    made.dispose()


def live_in(connection: Connection, zone: str, now: int) -> int:
    """Somebody who lives in a zone and has their jobs."""
    ada = people.add_person(connection, new_person("ada@localhost", "Ada", zone, 0))
    settle(connection, now)
    return ada


def due(connection: Connection) -> dict[str, int]:
    return {job["name"]: job["next_at"] for job in jobs.list_jobs(connection)}


def by_the_clock(name: str, zone: str, now: int) -> int:
    return present(regular(KINDS[name], zone, now))


@given(st.sampled_from(ZONES), st.sampled_from(ZONES), INSTANTS)
def test_the_next_run_keeps_to_the_clock(engine: Engine, left: str, reached: str, now: int) -> None:
    """Earlier or later, each daily job is due by the new clock, but for one that is about to begin."""
    with engine.connect() as connection:
        ada = live_in(connection, left, now)
        before = due(connection)
        people.change_person(connection, ada, {"time_zone": reached})
        settle(connection, now)
        after = due(connection)
        connection.rollback()

    for name in DAILY:
        there = by_the_clock(name, reached, now)
        begins = before[name] <= now + SOON
        assert after[name] == (min(before[name], there) if begins else there)
    assert after["prune"] == before["prune"]


@pytest.mark.parametrize(("ahead", "stays"), [(SOON - 1, True), (SOON, True), (SOON + 1, False)])
def test_what_is_about_to_begin_is_not_put_off(engine: Engine, ahead: int, *, stays: bool) -> None:
    """Ten minutes are enough for news to settle, whatever a clock that was set back adds to them."""
    with engine.connect() as connection:
        live_in(connection, "UTC", NOON)
        at = NOON + ahead
        no = next(job["no"] for job in jobs.list_jobs(connection) if job["name"] == "plan")
        jobs.change_job(connection, no, {"next_at": at})
        settle(connection, NOON)
        found = due(connection)["plan"]
        connection.rollback()

    assert found == (at if stays else by_the_clock("plan", "UTC", NOON))


@pytest.mark.parametrize("why", [{"failures": 3}, {"asked": 1}])
def test_a_retry_and_what_somebody_asked_for_stay(engine: Engine, why: dict[str, int]) -> None:
    """What is due before its hour for a reason that its row tells stays so, and is not put off."""
    with engine.connect() as connection:
        ada = live_in(connection, "UTC", NOON)
        no = next(job["no"] for job in jobs.list_jobs(connection) if job["name"] == "plan")
        jobs.change_job(connection, no, {"next_at": NOON + 2 * AN_HOUR, **why})
        people.change_person(connection, ada, {"time_zone": "America/New_York"})
        settle(connection, NOON)
        found = due(connection)["plan"]
        people.change_person(connection, ada, {"time_zone": "Asia/Kathmandu"})
        jobs.change_job(connection, no, {"next_at": NOON + 20 * AN_HOUR})
        settle(connection, NOON)
        later = due(connection)["plan"]
        connection.rollback()

    assert found == NOON + 2 * AN_HOUR
    assert later == by_the_clock("plan", "Asia/Kathmandu", NOON)


def test_another_owner_of_the_machine_has_its_jobs_by_their_clock(engine: Engine) -> None:
    """When the owner leaves, the copy is made at night where the next one lives."""
    with engine.connect() as connection:
        ada = live_in(connection, "UTC", NOON)
        people.add_person(connection, new_person("bob@x", "Bob", "America/New_York", 0))
        people.remove_person(connection, ada)
        settle(connection, NOON)
        found = due(connection)
        connection.rollback()

    assert found["backup"] == by_the_clock("backup", "America/New_York", NOON)


NOW = 1_790_000_000_000


@pytest.mark.parametrize(
    ("provider", "failures", "login_required", "hours"),
    [
        ("aggregator", 0, False, 12),
        ("demo", 0, False, 24),
        ("aggregator", 1, False, 0.5),
        ("aggregator", 2, False, 1),
        ("aggregator", 5, False, 8),
        ("aggregator", 6, False, 12),
        ("aggregator", 10**9, False, 12),
        ("demo", 2, False, 1),
        ("aggregator", 1, True, 72),
        ("aggregator", 40, True, 72),
    ],
)
def test_a_pause_is_as_documented(
    provider: str, failures: int, login_required: bool, hours: float
) -> None:
    """Twice a day; half an hour after a failure, and twice as long after each further one."""
    for now in range(NOW, NOW + 50):
        at = next_try("con_1", provider, now, failures=failures, login_required=login_required)
        assert 1 <= (present(at) - now) / (hours * HOUR) < 1.1


MANUAL, DEMO, BANK = ("manual", "ok"), ("demo", "ok"), ("aggregator", "ok")
WAITING, BROKEN = ("aggregator", "login_required"), ("aggregator", "error")
OFTEN = "about every 12 hours for each bank; less often after failures"


@pytest.mark.parametrize(
    ("linked", "said"),
    [
        ((), "never; no bank is linked"),
        ((MANUAL, MANUAL), "never; you import statement files yourself"),
        ((DEMO,), "about once a day (demo household)"),
        ((MANUAL, BANK), OFTEN),
        ((BROKEN,), OFTEN),
        ((BANK, WAITING), f"{OFTEN} and while a bank wants you to sign in"),
        ((MANUAL, WAITING), "every three days until you sign in to the bank again"),
    ],
)
def test_each_is_told_what_is_so_for_their_banks(
    linked: tuple[tuple[str, ConnectionStatus], ...], said: str
) -> None:
    """Nobody reads of banks that are not theirs; where none is asked, the words say why."""
    assert rhythm_in_words(linked) == said


def test_statement_files_are_never_asked() -> None:
    """Nobody answers for a statement file."""
    assert next_try("con_1", "manual", NOW) is None


@given(st.text(), st.integers(0, 2**45), st.integers(0, 10**6), st.booleans())
def test_no_pause_is_longer_than_the_longest(
    connection: str, now: int, failures: int, login_required: bool
) -> None:
    """What lies further ahead than that was set under another clock."""
    at = present(next_try(connection, "x", now, failures=failures, login_required=login_required))
    assert now < at <= now + LONGEST_PAUSE


def test_banks_are_not_asked_all_at_once() -> None:
    """The pauses of a hundred banks that were synced at one instant spread over an hour and more."""
    found = {next_try(f"con_{no}", "aggregator", NOW) for no in range(100)}
    assert len(found) == 100
    times = sorted(each for each in found if each is not None)
    assert times[-1] - times[0] > HOUR
    assert max(b - a for a, b in pairwise(times)) < HOUR // 4
