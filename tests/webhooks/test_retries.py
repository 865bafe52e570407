"""When deliveries are tried again."""

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from finplan.webhooks.retries import (
    ATTEMPTS,
    DELAYS,
    DISABLED_AFTER,
    LONGEST_GAP,
    LONGEST_RETRY_AFTER,
    Attempt,
    failing_since,
    is_failing_for_good,
    next_attempt,
    read_retry_after,
)

NOW = int(datetime(2026, 3, 18, 12, tzinfo=UTC).timestamp() * 1000)


def test_the_delays_are_the_interfaces() -> None:
    """Part 6 of the interface: 5 s, 5 min, 30 min, then 2, 5, 10, 14, 20 and 24 hours; then failed."""
    hours = [round(each / 3_600_000, 4) for each in DELAYS]
    assert hours == [0.0014, 0.0833, 0.5, 2, 5, 10, 14, 20, 24]
    for attempts, delay in enumerate(DELAYS, 1):
        assert next_attempt(attempts, NOW, None, luck=0) == NOW + delay
    assert ATTEMPTS == 10
    assert next_attempt(10, NOW, None, luck=0) is None
    assert next_attempt(11, NOW, NOW + 1, luck=1) is None


def test_chance_makes_a_delay_longer_by_a_tenth_at_most() -> None:
    """Jitter only ever adds, and never more than ten in a hundred."""
    for attempts, delay in enumerate(DELAYS, 1):
        assert next_attempt(attempts, NOW, None, luck=1) == NOW + delay + delay // 10
        assert next_attempt(attempts, NOW, None, luck=0.5) == NOW + delay + delay // 20


def test_a_receiver_may_ask_for_more_time_but_not_for_less() -> None:
    """Retry-After counts when it is later than the schedule, up to a week."""
    due = NOW + DELAYS[0]
    assert next_attempt(1, NOW, NOW + 1000, luck=0) == due
    assert next_attempt(1, NOW, due + 1, luck=0) == due + 1
    assert next_attempt(1, NOW, NOW + 10**15, luck=0) == NOW + LONGEST_RETRY_AFTER


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, None),
        ("120", NOW + 120_000),
        (" 0 ", NOW),
        (format_datetime(datetime(2026, 3, 18, 12, 1, tzinfo=UTC), usegmt=True), NOW + 60_000),
        ("Wed, 18 Mar 2026 12:01:00", NOW + 60_000),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("٣", None),
        ("1.5", None),
        ("Mon, 1 Jan 99999999999999999999 00:00:00 GMT", None),
        ("Wed, 18 Mar 2026 12:01:00 +99999999999999999999", None),
        ("9" * 500, NOW + 9_999_999_999_000),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, told: int | None) -> None:
    """What is neither counts as not said."""
    assert read_retry_after(value, NOW) == told


def test_any_status_of_the_two_hundreds_is_an_arrival() -> None:
    """A redirect is none, nor is silence; 410 says that nothing is wanted any more."""
    arrived = [status for status in range(100, 600) if Attempt(status).arrived]
    assert arrived == list(range(200, 300))
    assert not Attempt(None, "It hangs.").arrived
    assert [status for status in range(100, 600) if Attempt(status).gone] == [410]


def test_failures_further_apart_than_the_schedule_has_them_begin_anew() -> None:
    """To the millisecond: a day, the tenth of chance and an hour; so do those of a clock set back."""
    assert LONGEST_GAP == (24 * 60 + 24 * 6 + 60) * 60_000
    begun = NOW - 3 * LONGEST_GAP
    for moved in (1, -1):
        assert failing_since(begun, NOW, NOW + moved * LONGEST_GAP) == begun
        later = NOW + moved * (LONGEST_GAP + 1)
        assert failing_since(begun, NOW, later) == later
    assert failing_since(None, None, NOW) == NOW
    # A store of an earlier version tells since when, and not of the last one.
    assert failing_since(begun, None, NOW) == NOW


def test_five_days_of_failures_are_for_good() -> None:
    """To the millisecond."""
    assert DISABLED_AFTER == 5 * 24 * 3600 * 1000
    assert not is_failing_for_good(NOW, NOW + DISABLED_AFTER - 1)
    assert is_failing_for_good(NOW, NOW + DISABLED_AFTER)
