"""What accounts are covered for: intervals that join, and holes that no average pretends to know."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.plan_words import window_said
from finplan.plan.advise.notes_data import missing_statements
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.explain.parts import contributions_in_window, largest_contributions
from finplan.plan.ledger.days import (
    ORDINAL,
    Hole,
    Interval,
    day_of_ordinal,
    holes,
    joined,
    merged,
    widened,
)
from finplan.plan.ledger.window import window_of
from tests.plan.households import Household, every, household

START = ORDINAL[20250101]


def _never(_before: Interval, _after: Interval) -> bool:
    return False


def _told(since: int, until: int) -> Interval:
    return Interval(since, until, since_stated=False, until_stated=False)


@pytest.mark.parametrize(
    ("since", "count"), [(20250131, 1), (20250201, 1), (20250202, 2), (20250115, 1)]
)
def test_intervals_that_touch_are_one(since: int, count: int) -> None:
    """The next day goes on; a day between two intervals keeps them apart."""
    found = merged([Interval(since, 20250228), Interval(20250101, 20250131)])
    assert len(found) == count
    assert (found[0].since, found[-1].until) == (20250101, 20250228)


def test_the_outer_ends_say_whether_they_are_stated() -> None:
    """Of two intervals that are one, an end is stated when one that ends there states it."""
    (whole,) = merged([Interval(20250101, 20250131), _told(20250110, 20250220)])
    assert whole == Interval(20250101, 20250220, since_stated=True, until_stated=False)
    (same,) = merged([_told(20250101, 20250131), Interval(20250105, 20250131)])
    assert same == Interval(20250101, 20250131, since_stated=False, until_stated=True)
    (inner,) = merged([_told(20250101, 20250131), Interval(20250105, 20250106)])
    assert inner == _told(20250101, 20250131)


@pytest.mark.parametrize(("since", "count"), [(20250215, 1), (20250216, 2)])
def test_two_weeks_are_no_hole(since: int, count: int) -> None:
    """Fourteen days between two stated ranges may pass without a row; fifteen are a hole."""
    spans = [Interval(20250101, 20250131), Interval(since, 20250228)]
    assert len(joined(spans, _never)) == count


@pytest.mark.parametrize(("since", "count"), [(20250221, 1), (20250222, 2)])
def test_rows_alone_may_be_three_days_short(since: int, count: int) -> None:
    """Where only rows tell, three days more on each side belong to the file."""
    spans = [_told(20250101, 20250131), _told(since, 20250228)]
    assert len(joined(spans, _never)) == count


def test_balances_that_agree_leave_no_hole() -> None:
    """However long the pause, balances that the rows explain prove that nothing is missing."""
    spans = [Interval(20250101, 20250131), Interval(20250701, 20250731)]
    assert joined(spans, lambda _before, _after: True) == [Interval(20250101, 20250731)]
    assert holes(joined(spans, _never)) == [Hole(20250201, 20250630)]


def test_only_ends_that_rows_tell_are_widened() -> None:
    """Three days on the side that is not stated, over the end of a month or year as well."""
    assert widened(Interval(20250101, 20250131)) == Interval(20250101, 20250131)
    assert widened(_told(20250102, 20250228)) == _told(20241230, 20250303)


_days = st.integers(0, 900).map(lambda place: day_of_ordinal(START + place))
_intervals = st.lists(
    st.tuples(_days, _days, st.booleans(), st.booleans()).map(
        lambda each: Interval(min(each[:2]), max(each[:2]), *each[2:])
    ),
    min_size=1,
    max_size=8,
)


@given(_intervals)
def test_merging_neither_adds_nor_loses_a_day(intervals: list[Interval]) -> None:
    """Exactly the days of the parts are covered, by intervals in order with a day between them."""
    found = merged(intervals)
    days = {
        day for since, until, *_ in intervals for day in range(ORDINAL[since], ORDINAL[until] + 1)
    }
    covered = [
        day for since, until, *_ in found for day in range(ORDINAL[since], ORDINAL[until] + 1)
    ]
    assert covered == sorted(days)
    assert merged(found) == found
    assert merged(reversed(intervals)) == found


@given(_intervals)
def test_holes_and_intervals_share_the_days(intervals: list[Interval]) -> None:
    """Between the first and the last day every day is covered or in a hole."""
    found = joined(intervals, _never)
    missing = sum(ORDINAL[hole.last] - ORDINAL[hole.first] + 1 for hole in holes(found))
    covered = sum(ORDINAL[each.until] - ORDINAL[each.since] + 1 for each in found)
    assert missing + covered == ORDINAL[found[-1].until] - ORDINAL[found[0].since] + 1


TODAY = date(2025, 12, 10)


def _with_hole(*, stated: bool = True) -> Household:
    """Statements of October to February and of July to November: rent, pay and shopping."""
    spans = [("2024-10-01", "2025-02-28"), ("2025-07-01", "2025-11-30")]
    home = household().checking(covered=spans if stated else None)
    for month in ("2024-10", "2024-11", "2024-12", "2025-01", "2025-02", "2025-07", "2025-08",
                  "2025-09", "2025-10", "2025-11"):  # fmt: skip
        home.charge(f"{month}-02", "LANDLORD", 1300_00, "rent")
        home.credit(f"{month}-28", "ACME", 4333_00, "wages")
    return home


def test_a_month_inside_a_hole_is_not_averaged() -> None:
    """The means are those of the months that are known; the days are theirs alone."""
    plan = build_plan(_with_hole().ledger(), TODAY)
    assert plan.window.months == 10
    assert (plan.window.since, plan.window.until) == (date(2024, 10, 1), date(2025, 11, 30))
    assert plan.window.days == 31 + 30 + 31 + 31 + 28 + 31 + 31 + 30 + 31 + 30
    assert plan.monthly.income == 4333_00
    assert plan.monthly.total_spend == 1300_00


def test_rows_of_a_hole_enter_no_mean() -> None:
    """A row that another source brought of a missing month is not averaged, nor counted."""
    home = _with_hole()
    before = build_plan(home.ledger(), TODAY)
    home.charge("2025-04-10", "SHOP", 500_00, "groceries")
    after = build_plan(home.ledger(), TODAY)
    assert after.monthly == before.monthly
    assert after.window == before.window
    assert {each.category for each in after.categories} == {"rent"}


@pytest.mark.parametrize(
    ("until", "since", "left_out"),
    [
        ("2025-02-28", "2025-04-01", {202503}),
        ("2025-02-27", "2025-04-01", {202502, 202503}),
        ("2025-02-28", "2025-04-03", {202503}),
        ("2025-02-28", "2025-04-04", {202503, 202504}),
    ],
)
def test_a_month_that_a_hole_touches_is_not_full(
    until: str, since: str, left_out: set[int]
) -> None:
    """The last day before a hole must end a month, and the third day after it may begin one."""
    home = household().checking(covered=[("2025-01-01", until), (since, "2025-08-31")])
    home.charges(every(date(2025, 1, 1), 7, 34), "SHOP", 10_00, "groceries")
    months = window_of(home.ledger(), date(2025, 9, 10)).month_keys
    assert set(range(202501, 202509)) - set(months) == left_out


def test_the_window_goes_back_eighteen_months_at_most() -> None:
    """Twelve full months among the last eighteen: older ones say little about the averages of today."""
    home = household().checking(
        covered=[("2023-01-01", "2024-08-31"), ("2025-02-01", "2025-11-30")]
    )
    home.charges(every(date(2023, 1, 1), 7, 150), "SHOP", 10_00, "groceries")
    facts = window_of(home.ledger(), TODAY)
    assert facts.month_keys == (202406, 202407, 202408, *range(202502, 202512))[-12:]
    assert facts.limited_by is None
    older = household().checking(
        covered=[("2023-01-01", "2024-05-31"), ("2025-02-01", "2025-11-30")]
    )
    older.charges(every(date(2023, 1, 1), 7, 150), "SHOP", 10_00, "groceries")
    assert window_of(older.ledger(), TODAY).month_keys == tuple(range(202502, 202512))


@pytest.mark.parametrize(("until", "oldest"), [("2024-06-30", 202406), ("2024-05-31", 202502)])
def test_the_eighteenth_month_is_the_oldest(until: str, oldest: int) -> None:
    """A full month is averaged when it is among the eighteen that end with the last full one."""
    home = household().checking(covered=[("2023-01-01", until), ("2025-02-01", "2025-11-30")])
    home.charges(every(date(2023, 1, 1), 7, 150), "SHOP", 10_00, "groceries")
    assert window_of(home.ledger(), TODAY).month_keys[0] == oldest


def test_an_account_that_began_long_ago_limits_nothing() -> None:
    """A hole takes months away, and not the account that began some years after the other."""
    spans = [("2021-01-01", "2024-11-30"), ("2025-08-01", "2025-11-30")]
    home = household().checking(covered=spans)
    home.charges(every(date(2021, 1, 1), 7, 250), "SHOP", 10_00, "groceries")
    home.card(covered=("2022-01-01", "2025-11-30"))
    home.charges(every(date(2022, 1, 1), 7, 200), "CAFE", 10_00, "dining")
    facts = window_of(home.ledger(), TODAY)
    assert len(facts.month_keys) == 10
    assert facts.limited_by is None


def test_an_interval_that_begins_today_counts() -> None:
    """What is covered from today on ends the data today, and not where the statement before ended."""
    spans = [("2025-01-01", "2025-05-31"), ("2025-08-10", "2025-08-31")]
    home = household().checking(covered=spans)
    home.charges(every(date(2025, 1, 1), 7, 20), "SHOP", 10_00, "groceries")
    assert window_of(home.ledger(), date(2025, 8, 10)).data_end == date(2025, 8, 10)
    assert window_of(home.ledger(), date(2025, 8, 9)).data_end == date(2025, 5, 31)


def test_the_days_of_a_window_with_a_hole_are_held() -> None:
    """A day of the hole lies between the first and the last day and is not held."""
    facts = window_of(_with_hole().ledger(), TODAY)
    assert facts.runs == ((20241001, 20250228), (20250701, 20251130))
    held = [20241001, 20250228, 20250701, 20251130]
    assert all(map(facts.holds, held))
    assert not any(map(facts.holds, [20240930, 20250301, 20250630, 20251201]))
    assert facts.transaction_count == 20


def test_a_hole_is_noted_with_its_days() -> None:
    """The note names the account and the days, and what to do."""
    ledger = _with_hole().ledger()
    (note,) = missing_statements(assess(ledger, keep_books(ledger, TODAY), TODAY))
    assert note == (
        "checking has no data from 1 March to 30 June: import that statement. Until then the months"
        " between are not averaged."
    )


@pytest.mark.parametrize(("last", "noted"), [("2023-11-30", False), ("2023-12-01", True)])
def test_an_old_hole_is_not_noted(last: str, noted: bool) -> None:
    """A hole that lies before the two years of history that are told matters to no figure."""
    after = day_of_ordinal(ORDINAL[int(last.replace("-", ""))] + 1)
    begin = f"{after // 10000}-{after // 100 % 100:02d}-{after % 100:02d}"
    home = household().checking(covered=[("2023-01-01", "2023-06-30"), (begin, "2025-12-10")])
    home.charges(every(date(2023, 1, 1), 7, 150), "SHOP", 10_00, "groceries")
    ledger = home.ledger()
    found = list(missing_statements(assess(ledger, keep_books(ledger, TODAY), TODAY)))
    assert bool(found) is noted


def test_the_head_of_the_plan_says_how_many_months_are_averaged() -> None:
    """Where months are missing between the first and the last one, their count is said."""
    plan = build_plan(_with_hole().ledger(), TODAY)
    assert window_said(plan) == "averages of 10 months, Oct 2024 – Nov 2025"
    whole = household().checking(covered=("2024-12-01", "2025-11-30"))
    whole.charge("2025-03-02", "LANDLORD", 1300_00, "rent")
    assert window_said(build_plan(whole.ledger(), TODAY)) == "averages of Dec 2024 – Nov 2025"


def test_an_explanation_shows_no_row_of_a_hole() -> None:
    """The rows behind a mean are those that are averaged."""
    home = _with_hole()
    home.charge("2025-04-10", "SHOP", 50_000_00, "groceries")
    ledger = home.ledger()
    household_ = assess(ledger, keep_books(ledger, TODAY), TODAY)
    rows, rest = largest_contributions(household_, contributions_in_window(household_))
    shown = len(rows) + (rest.count if rest else 0)
    assert shown == 20
    assert "SHOP" not in {row.payee for row in rows}
