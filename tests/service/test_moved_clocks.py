"""Who moves to another time zone has every job by the clock there, whichever way the hours go."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, create_engine

from finplan.service.automation.agenda import SOON, regular, settle
from finplan.service.automation.kinds import KINDS
from finplan.service.people import new_person
from finplan.store.queries import jobs, people

ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Africa/Cairo"),
    *("Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago"),
)
DAILY = ("plan", "notify", "backup")
INSTANTS = st.integers(1_700_000_000_000, 1_900_000_000_000)
HOUR = 3_600_000
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
    at = regular(KINDS[name], zone, now)
    assert at is not None
    return at


@given(st.sampled_from(ZONES), st.sampled_from(ZONES), INSTANTS)
def test_the_next_run_is_when_the_clock_there_shows_the_hour(
    engine: Engine, left: str, reached: str, now: int
) -> None:
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
        jobs.change_job(connection, no, {"next_at": NOON + 2 * HOUR, **why})
        people.change_person(connection, ada, {"time_zone": "America/New_York"})
        settle(connection, NOON)
        found = due(connection)["plan"]
        people.change_person(connection, ada, {"time_zone": "Asia/Kathmandu"})
        jobs.change_job(connection, no, {"next_at": NOON + 20 * HOUR})
        settle(connection, NOON)
        later = due(connection)["plan"]
        connection.rollback()

    assert found == NOON + 2 * HOUR
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
