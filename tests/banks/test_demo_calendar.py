"""The laws of the demo bank's calendar, and of its sync: stable rows, exact balances, no row twice.

Paydays and bills follow the calendar.
"""

import json
from datetime import date, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from finplan.banks.demo.errands import journeys
from finplan.banks.demo.household import (
    holidays,
    household,
    is_workday,
    month_of,
    workday_from,
    workday_until,
)
from finplan.banks.demo.life import live, opening_balances
from finplan.model.errors import BankProviderError
from tests.banks.feed import ONE_DAY, Feed, day_of, days_apart
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


@pytest.mark.thorough
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


@pytest.mark.thorough
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


NOVEMBER = Path(__file__).parent / "demo_november.txt"


@pytest.fixture(scope="module")
def feed() -> Feed:
    return Feed("alice", TODAY)


def test_holidays_are_those_of_the_federal_reserve() -> None:
    """The published list for 2026 and 2027; a Saturday's holiday is not moved, a Sunday's is."""
    assert sorted(holidays(2026)) == [
        date(2026, 1, 1),
        date(2026, 1, 19),
        date(2026, 2, 16),
        date(2026, 5, 25),
        date(2026, 6, 19),
        date(2026, 7, 4),
        date(2026, 9, 7),
        date(2026, 10, 12),
        date(2026, 11, 11),
        date(2026, 11, 26),
        date(2026, 12, 25),
    ]
    assert date(2027, 7, 5) in holidays(2027)
    assert date(2027, 12, 24) not in holidays(2027)


@pytest.mark.parametrize(
    ("day", "earlier", "later"),
    [
        (date(2026, 11, 20), date(2026, 11, 20), date(2026, 11, 20)),
        (date(2026, 11, 21), date(2026, 11, 20), date(2026, 11, 23)),
        (date(2026, 12, 25), date(2026, 12, 24), date(2026, 12, 28)),
        (date(2027, 1, 1), date(2026, 12, 31), date(2027, 1, 4)),
    ],
)
def test_a_day_off_moves_to_a_workday_beside_it(day: date, earlier: date, later: date) -> None:
    """Pay comes earlier, bills come later; a workday stays."""
    assert (workday_until(day), workday_from(day)) == (earlier, later)


@pytest.mark.parametrize(
    ("day", "later", "expected"),
    [
        (date(2026, 11, 21), -24, date(2024, 11, 1)),
        (date(2026, 12, 31), 1, date(2027, 1, 1)),
        (date(2027, 1, 15), -1, date(2026, 12, 1)),
        (date(2024, 2, 29), 0, date(2024, 2, 1)),
    ],
)
def test_months_are_counted_over_new_year(day: date, later: int, expected: date) -> None:
    """A month so many months later is a first day, in the right year."""
    assert month_of(day, later) == expected


def test_one_earner_is_paid_every_second_friday(feed: Feed) -> None:
    """Paychecks are fourteen days apart on Fridays; a holiday's comes on the workday before."""
    days = [day_of(row.day) for row in feed.named("checking", "PAYROLL PPD")]
    assert len(days) == 54
    friday = days[0] + timedelta(days=(4 - days[0].weekday()) % 7)
    for place, day in enumerate(days):
        assert day == workday_until(friday + place * timedelta(days=14))


def test_a_payday_on_a_holiday_comes_a_day_early() -> None:
    """Juneteenth 2026 is a Friday: whoever is paid then is paid on Thursday."""
    days = {
        row.day
        for number in range(6)
        for row in Feed(f"person-{number}", TODAY).named("checking", "PAYROLL PPD")
    }
    assert 20260618 in days
    assert 20260619 not in days


def test_the_other_earner_is_paid_on_the_last_workday(feed: Feed) -> None:
    """A paycheck for each full month, on its last workday."""
    days = [day_of(row.day) for row in feed.named("checking", "DIR DEP")]
    assert len(days) == 24
    for day in days:
        assert is_workday(day)
        assert day == workday_until(month_of(day, 1) - timedelta(days=1))


def test_pay_is_steady_and_rises_once_a_year(feed: Feed) -> None:
    """Within a calendar year each paycheck is the same; in January it rises by 2 to 3 %."""
    for word in ("PAYROLL PPD", "DIR DEP"):
        by_year: dict[int, set[int]] = {}
        for row in feed.named("checking", word):
            by_year.setdefault(row.day // 10_000, set()).add(row.amount)
        assert [len(amounts) for amounts in by_year.values()] == [1, 1, 1]
        first, second, third = (amounts.pop() for amounts in by_year.values())
        assert 1.02 < second / first < 1.03
        assert 1.02 < third / second < 1.03


def test_bonus_and_tax_refund_come_once_a_year(feed: Feed) -> None:
    """The bonus comes in March, the refund between February and April, in whole dollars."""
    bonuses = feed.named("checking", "BONUS")
    refunds = feed.named("checking", "TAX REF")
    assert [row.day // 100 for row in bonuses] == [202503, 202603]
    assert [row.day // 10_000 for row in refunds] == [2025, 2026]
    for refund in refunds:
        assert 2 <= refund.day // 100 % 100 <= 4
        assert refund.amount % 100 == 0


@pytest.mark.parametrize(
    ("words", "every", "count"),
    [
        (("LARKMOOR HOME LN",), 1, 25),
        (("LARKMOOR AUTO FIN",), 1, 25),
        (("NATURAL GAS",), 1, 24),
        (("HOA", "HOMEOWNERS"), 3, 8),
        (("PROGRESSIVE", "GEICO"), 6, 4),
        (("LIFE INS",), 12, 2),
        (("DMV",), 12, 2),
    ],
)
def test_bills_have_cadences(feed: Feed, words: tuple[str, ...], every: int, count: int) -> None:
    """A bill comes every so many months, on a workday, at most four days after its day."""
    rows = [row for word in words for row in feed.named("checking", word)]
    days = [day_of(row.day) for row in rows]
    assert len(days) == count
    assert all(map(is_workday, days))
    months = [day.year * 12 + day.month for day in days]
    assert {later - month for month, later in pairwise(months)} == {every}
    assert max(day.day for day in days) - min(day.day for day in days) <= 4


def test_heating_and_cooling_have_their_seasons(feed: Feed) -> None:
    """Gas costs most in winter, power in summer, and a bill is hardly ever twice the same."""

    def mean(word: str, months: tuple[int, ...]) -> float:
        bills = [-row.amount for row in feed.named("checking", word)]
        days = [row.day // 100 % 100 for row in feed.named("checking", word)]
        chosen = [bill for bill, month in zip(bills, days, strict=True) if month in months]
        return sum(chosen) / len(chosen)

    assert mean("NATURAL GAS", (12, 1, 2)) > 2.5 * mean("NATURAL GAS", (6, 7, 8))
    assert mean("ELEC", (7, 8)) > 1.5 * mean("ELEC", (3, 4))
    for word in ("NATURAL GAS", "ELEC"):
        amounts = [row.amount for row in feed.named("checking", word)]
        assert len(set(amounts)) >= len(amounts) - 2


def test_november_is_what_it_was(feed: Feed) -> None:
    """A household keeps its rows from release to release: those of a month are kept in a file.

    Whoever changes them on purpose changes the demo that people have; write the file anew with
    `python -m tests.banks.test_demo_calendar`.
    """
    assert november(feed) == NOVEMBER.read_text(encoding="utf-8")


def november(feed: Feed) -> str:
    rows = sorted(
        (row for row in feed.rows.values() if row.day >= 20261101),
        key=lambda row: (row.day, row.external_id),
    )
    return "".join(
        f"{row.day} {feed.short(row.account):9} {row.amount:9} {'p' if row.pending else ' '}"
        f" {row.raw}\n"
        for row in rows
    )


if __name__ == "__main__":
    NOVEMBER.write_text(november(Feed("alice", TODAY)), encoding="utf-8")
