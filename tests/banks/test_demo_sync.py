"""The laws of the demo bank's sync: stable rows, exact balances, no row twice."""

import json
from datetime import date, timedelta
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finplan.banks.demo.errands import journeys
from finplan.banks.demo.household import household
from finplan.banks.demo.life import live, opening_balances
from finplan.model.errors import BankProviderError
from tests.banks.feed import ONE_DAY, Feed, days_apart
from tests.steps import steps

TODAY = date(2026, 11, 21)
OWNERS = st.text(max_size=12)
DAYS = st.dates(date(2021, 1, 1), date(2033, 12, 31))


@pytest.mark.thorough
def test_sixty_daily_syncs_end_where_one_sync_sixty_days_later_ends() -> None:
    """What a person has does not depend on how often the bank was asked."""
    daily, once = Feed("alice", TODAY), Feed("alice", TODAY)
    for later in range(1, 61):
        daily.sync(TODAY + timedelta(days=later))
    once.sync(TODAY + timedelta(days=60))
    assert daily.rows == once.rows
    assert daily.accounts == once.accounts
    assert daily.cursor == once.cursor


@pytest.mark.thorough
@settings(max_examples=4, deadline=None)
@given(owner=OWNERS, today=DAYS, steps=st.lists(st.integers(1, 40), min_size=1, max_size=4))
def test_any_steps_end_where_one_step_ends(owner: str, today: date, steps: list[int]) -> None:
    """As above, for every household, every first day and every rhythm of syncs."""
    often, once = Feed(owner, today), Feed(owner, today)
    last = today
    for step in steps:
        last += timedelta(days=step)
        often.sync(last)
    once.sync(last)
    assert often.rows == once.rows
    assert often.accounts == once.accounts


@pytest.mark.sampled(2)
@pytest.mark.parametrize("owner", ["alice", "bob"])
def test_a_longer_history_begins_with_the_shorter_one(owner: str) -> None:
    """However far one looks, the rows of the days before are the same: a year, every few days."""
    home = household(owner, date(2024, 11, 1))
    last = date(2026, 11, 21)
    longest = live(home, last).rows
    for days in range(3, 365, 9):
        shorter = live(home, last - timedelta(days=days)).rows
        assert longest[: len(shorter)] == shorter
        assert longest[len(shorter)].day > shorter[-1].day


def test_a_journey_is_booked_before_its_month_begins() -> None:
    """At each month's end the bookings are known that a later look finds, for 40 households."""
    later = date(2026, 12, 31)
    for number in range(40):
        home = household(f"person-{number}", date(2024, 11, 1))
        every = list(journeys(home, later)[0])
        for month in range(1, 13):
            last = date(2026, month, 1) - ONE_DAY
            assert list(journeys(home, last)[0]) == [
                charge for charge in every if charge.day <= last
            ]


@settings(max_examples=4, deadline=None)
@given(owner=OWNERS, today=DAYS)
def test_a_second_sync_on_a_day_adds_nothing(owner: str, today: date) -> None:
    """Asking again on the same day changes nothing."""
    feed = Feed(owner, today)
    cursor = feed.cursor
    page = feed.sync(today)
    assert (page.added, page.modified, page.removed) == ((), (), ())
    assert page.cursor == cursor


def test_a_clock_set_back_takes_nothing_back() -> None:
    """A sync on a day before the last one answers as on the last one."""
    feed = Feed("alice", TODAY)
    accounts, cursor = feed.accounts, feed.cursor
    page = feed.sync(TODAY - timedelta(days=400))
    assert (page.added, page.removed) == ((), ())
    assert (feed.accounts, feed.cursor) == (accounts, cursor)


@settings(max_examples=4, deadline=None)
@given(owner=OWNERS, today=DAYS, later=st.integers(1, 90))
def test_balances_are_what_the_rows_add_up_to(owner: str, today: date, later: int) -> None:
    """Opening balance plus posted rows is the balance, after the first sync and after each later one.

    A brokerage moves with its market too.
    """
    feed = Feed(owner, today)
    assert feed.cursor
    start = date.fromisoformat(json.loads(feed.cursor)["start"])
    worth = opening_balances(household(owner, start))
    for day in (today, today + timedelta(days=later)):
        feed.sync(day)
        for account in set(worth) - {"brokerage"}:
            rows = sum(row.amount for row in feed.on(account))
            assert feed.owned(account) == worth[account] + rows, account


@pytest.mark.thorough
def test_a_posted_row_replaces_the_pending_row_that_it_settles() -> None:
    """Each pending row goes away, and a posted row of its account and descriptor names it.

    A restaurant's posted row holds the tip; every other amount stays.
    """
    feed = Feed("alice", TODAY)
    for later in range(1, 30):
        before = {row.external_id: row for row in feed.pending}
        page = feed.sync(TODAY + timedelta(days=later))
        settled = {row.replaces: row for row in page.added if row.replaces in before}
        assert set(page.removed) == set(settled)
        for pending_id in page.removed:
            pending, posted = before[pending_id], settled[pending_id]
            assert (posted.account, posted.raw) == (pending.account, pending.raw)
            assert 1 <= days_apart(pending.day, posted.day) <= 5
            tip = pending.amount - posted.amount
            assert 0 <= tip <= max(0, -pending.amount) * 0.24


@pytest.mark.thorough
def test_some_pending_row_is_posted_with_a_tip() -> None:
    """A restaurant holds the card for the bill, and posts more."""
    feed = Feed("alice", TODAY)
    pending = {row.external_id: row for row in feed.pending}
    for later in range(1, 30):
        page = feed.sync(TODAY + timedelta(days=later))
        pending |= {row.external_id: row for row in page.added if row.pending}
    tipped = [
        row
        for row in feed.posted
        if row.replaces in pending and row.amount < pending[row.replaces].amount
    ]
    assert tipped


@settings(max_examples=6, deadline=None)
@given(owner=OWNERS, today=DAYS)
def test_two_to_five_card_rows_are_pending(owner: str, today: date) -> None:
    """On every day a few card charges are not posted yet, none older than five days."""
    feed = Feed(owner, today)
    assert 2 <= len(feed.pending) <= 5
    for row in feed.pending:
        assert feed.short(row.account) in {"rewards", "platinum"}
        assert 0 <= days_apart(row.day, int(f"{today:%Y%m%d}")) < 5


def test_each_owner_has_a_household_of_their_own() -> None:
    """Two owners share neither ids nor amounts; the same owner is always given the same."""
    alice, again, bob = Feed("alice", TODAY), Feed("alice", TODAY), Feed("bob", TODAY)
    assert alice.rows == again.rows
    assert not set(alice.rows) & set(bob.rows)
    assert alice.accounts != bob.accounts
    assert alice.named("checking", "PAYROLL")[0].raw != bob.named("checking", "PAYROLL")[0].raw


@pytest.mark.parametrize("today", [date(2024, 2, 29), date(2026, 1, 1), date(2026, 12, 31)])
def test_history_starts_two_years_before_on_the_first_of_the_month(today: date) -> None:
    """Twenty-four full months lie before the current one, and every account says so."""
    feed = Feed("alice", today)
    start = (today.year - 2) * 10_000 + today.month * 100 + 1
    assert {account.covered_since for account in feed.accounts.values()} == {start}
    days = [row.day for row in feed.rows.values()]
    assert start <= min(days) <= start + 3
    assert max(days) <= int(f"{today:%Y%m%d}")


@pytest.mark.parametrize("cursor", ["", "null", "[]", "{}", '{"start": "2024-11-01"}', "{"])
def test_a_foreign_cursor_is_a_provider_error(cursor: str) -> None:
    """A cursor that the demo bank did not write is refused in words, not by a traceback."""
    feed = Feed("alice")
    feed.cursor = cursor
    with pytest.raises(BankProviderError) as caught:
        feed.sync(TODAY)
    assert caught.value.failure == "provider_error"
    assert "link it again" in caught.value.message


@pytest.mark.thorough
def test_the_first_sync_takes_steps_by_its_rows() -> None:
    """Two years of anybody take at most four hundred lines of Python for a row."""
    for number in range(5):
        first_sync = partial(Feed, f"person {number}", TODAY + number * ONE_DAY)
        assert steps(first_sync) <= 400 * len(first_sync().rows)
