"""When jobs are due: on local times of day whatever the clocks do, and on full hours."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.service.automation.job import Daily, Every

ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Africa/Cairo"),
    *("Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Atlantic/Azores"),
)

INSTANTS = st.integers(1_700_000_000, 1_900_000_000).map(lambda s: datetime.fromtimestamp(s, UTC))


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
def test_a_change_of_the_clocks_skips_and_repeats_no_day(
    zone: str, at: time, start: str, expected: list[str]
) -> None:
    """Where a time is skipped it is due after the gap, and where it comes twice, on the first one."""
    found = instants(Daily((at,)), zone, local(zone, start), 2)

    assert [each.astimezone(ZoneInfo(zone)).strftime("%m-%dT%H:%M") for each in found] == expected
    assert all(each.astimezone(ZoneInfo(zone)).fold == 0 for each in found)


@given(
    st.sampled_from(ZONES),
    st.lists(st.times(), min_size=1, max_size=3, unique=True),
    INSTANTS,
)
def test_each_local_day_has_each_time_once(zone: str, times: list[time], start: datetime) -> None:
    """Whenever somebody looks, the next instant is later, and in a year no calendar day is left out."""
    daily = Daily(tuple(times))
    found = instants(daily, zone, start, 40)

    assert found[0] > start
    assert all(one < other for one, other in pairwise(found))
    whole = [each.astimezone(ZoneInfo(zone)).date() for each in found][1:-1]
    days = {whole[0] + timedelta(days=place) for place in range((whole[-1] - whole[0]).days)}
    # What is skipped at the end of a day may be due on the next one.
    assert all(min(abs((each - day).days) for each in whole) <= 1 for day in days)


@given(st.sampled_from(ZONES), INSTANTS)
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
