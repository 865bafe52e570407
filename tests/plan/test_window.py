"""The window: full months that every account that matters covers, never more than the data know.

What accounts are covered for are intervals that join, and holes that no average pretends to know.
"""

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from finplan.plan.advise.notes_data import missing_statements
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.explain.parts import contributions_in_window, largest_contributions
from finplan.plan.ledger.books import WindowFacts
from finplan.plan.ledger.days import (
    ORDINAL,
    Hole,
    Interval,
    add_months,
    date_of,
    day_of,
    day_of_ordinal,
    holes,
    join_intervals,
    last_day,
    merged,
    month_length,
    months_from,
    widened,
)
from finplan.plan.ledger.ledger import Row
from finplan.plan.ledger.window import window_of, window_start
from finplan.views.plan_text import describe_window
from tests.plan.households import Household, every, household, monthly
from tests.plan.typical import assessed
from tests.says import says


def window(home: Household, today: str) -> WindowFacts:
    """The window of a household on a day."""
    return window_of(home.ledger(), date.fromisoformat(today))


def daily(
    home: Household, first: str, last: str, payee: str = "SHOP", amount: int = 10_00
) -> Household:
    """Spend every day from the first to the last, on the account named last."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    return home.charges(every(start, 1, (end - start).days + 1), payee, amount, "groceries")


def test_full_months_before_this_one_are_averaged() -> None:
    """The current month is never full, not even on its last day."""
    facts = window(daily(household().checking(), "2025-03-01", "2025-08-31"), "2025-08-31")
    assert (facts.since, facts.until) == (date(2025, 3, 1), date(2025, 7, 31))
    assert facts.months == 5
    assert facts.month_keys == (202503, 202504, 202505, 202506, 202507)
    assert facts.transaction_count == 31 + 30 + 31 + 30 + 31


def test_at_most_twelve_months_are_averaged() -> None:
    """A longer history gives its last year."""
    facts = window(daily(household().checking(), "2023-01-01", "2025-08-10"), "2025-08-10")
    assert (facts.since, facts.until) == (date(2024, 8, 1), date(2025, 7, 31))
    assert facts.months == 12
    assert facts.limited_by is None


@pytest.mark.parametrize(
    ("first", "stated", "since"),
    [
        ("2025-03-03", True, 202503),
        ("2025-03-04", True, 202504),
        ("2025-03-06", False, 202503),
        ("2025-03-07", False, 202504),
    ],
)
def test_a_month_is_covered_from_its_third_day(first: str, stated: bool, since: int) -> None:
    """Coverage from the third day on makes a full month; three days later where only rows tell."""
    checking = household().checking(covered=(first, "2025-08-10") if stated else None)
    assert window(daily(checking, first, "2025-08-10"), "2025-08-10").month_keys[0] == since


def test_stated_days_count_before_rows() -> None:
    """A statement covers quiet days too, at both ends."""
    home = household().checking(covered=("2025-01-01", "2025-06-30"))
    home.charge("2025-02-14", "SHOP", 10_00, "groceries")
    facts = window(home, "2025-08-10")
    assert facts.month_keys == (202501, 202502, 202503, 202504, 202505, 202506)
    assert facts.data_end == date(2025, 6, 30)


def test_rows_beyond_the_stated_days_count() -> None:
    """What has rows is covered, whatever the source states."""
    home = household().checking(covered=("2025-03-01", "2025-04-30"))
    facts = window(daily(home, "2025-02-01", "2025-06-30"), "2025-07-10")
    assert facts.month_keys == (202502, 202503, 202504, 202505, 202506)


def test_a_stated_end_inside_a_month_leaves_it_out() -> None:
    """A statement that ends on the 28th has not seen the month to its end."""
    home = household().checking(covered=("2025-01-01", "2025-06-28"))
    assert window(daily(home, "2025-01-01", "2025-06-28"), "2025-08-10").month_keys[-1] == 202505


def test_rows_alone_may_be_silent_in_a_months_last_days() -> None:
    """Where nothing is stated, a month without a row in its last three days is still full."""
    home = daily(household().checking(), "2025-01-01", "2025-06-27")
    assert window(home, "2025-08-10").month_keys[-1] == 202506
    home = daily(household().checking(), "2025-01-01", "2025-06-26")
    assert window(home, "2025-08-10").month_keys[-1] == 202505


def test_a_short_card_history_limits_the_window() -> None:
    """Ninety days of a card beside two years of checking: only the months that both cover."""
    home = daily(household().checking(), "2023-07-01", "2025-07-31")
    daily(home.card(), "2025-05-01", "2025-07-31", "CARD SHOP", 50_00)
    facts = window(home, "2025-08-10")
    assert facts.month_keys == (202505, 202506, 202507)
    assert facts.limited_by == home.number("card")


def test_a_statement_that_ends_early_limits_the_window() -> None:
    """Months that a material account does not know are not averaged as if nothing was spent."""
    home = daily(household().checking(), "2025-01-01", "2025-11-30")
    daily(home.card(balance=500_00), "2025-01-01", "2025-08-31", "CARD SHOP", 50_00)
    facts = window(home, "2025-12-01")
    assert facts.until == date(2025, 8, 31)
    assert facts.data_end == date(2025, 8, 31)
    assert facts.limited_by == home.number("card")


def test_an_account_that_hardly_matters_does_not_limit() -> None:
    """Less than a twentieth of outflow and inflow is no reason to shorten the window."""
    home = daily(household().checking(), "2025-01-01", "2025-07-31", amount=100_00)
    daily(home.card(), "2025-07-01", "2025-07-31", "CARD SHOP", 5_00)
    assert window(home, "2025-08-10").month_keys[0] == 202501
    daily(home.card("second"), "2025-07-01", "2025-07-31", "SECOND SHOP", 6_00)
    assert window(home, "2025-08-10").month_keys == (202507,)


def test_an_account_that_carries_a_twentieth_limits() -> None:
    """A twentieth of the outflow, to the cent, is enough to have a say."""
    home = daily(household().checking(), "2025-01-01", "2025-07-31", amount=95_00)
    daily(home.card(), "2025-07-01", "2025-07-31", "CARD SHOP", 5_00)
    assert window(home, "2025-08-10").month_keys == (202507,)


def test_what_an_account_did_long_ago_gives_it_no_say() -> None:
    """Only the last year tells whether an account that ends early shortens the window."""
    home = daily(household().checking(), "2023-08-01", "2025-07-31", amount=100_00)
    daily(home.card(), "2023-08-01", "2024-05-31", "CARD SHOP", 50_00)
    daily(home, "2024-06-01", "2025-05-31", "CARD SHOP", 1_00)
    assert window(home, "2025-08-10").month_keys[-1] == 202507


def test_moves_make_no_account_matter() -> None:
    """A savings account that only moves pass through has no say in the averages."""
    home = daily(household().checking(), "2025-01-01", "2025-07-31")
    home.savings().transfer("2025-07-20", "checking", "savings", 9000_00)
    assert window(home, "2025-08-10").month_keys[0] == 202501


@pytest.mark.parametrize(
    ("balance", "last", "covered", "until"),
    [
        (0, "2025-08-31", None, date(2025, 11, 30)),
        (0, "2025-09-01", None, date(2025, 11, 30)),
        (0, "2025-09-02", None, date(2025, 8, 31)),
        (7, "2025-08-31", None, date(2025, 8, 31)),
        (None, "2025-08-31", None, date(2025, 8, 31)),
        (None, "2025-04-02", ("2025-01-01", "2025-07-01"), date(2025, 11, 30)),
        (None, "2025-04-03", ("2025-01-01", "2025-07-01"), date(2025, 6, 30)),
        (0, "2025-08-31", ("2025-01-01", "2025-09-30"), date(2025, 9, 30)),
    ],
)
def test_only_an_account_that_is_known_to_be_closed_does_not_limit(
    balance: int | None, last: str, covered: tuple[str, str] | None, until: date
) -> None:
    """An account is closed that is empty and told of nothing for 90 days, or told of 90 quiet days.

    Any other silence ends the data: the statements that follow may be missing.
    """
    home = household().checking("old", balance=balance, covered=covered)
    daily(home, "2025-01-01", last, amount=50_00)
    daily(home.checking("new"), "2025-01-01", "2025-11-30", "NEW SHOP", 50_00)
    facts = window(home, "2025-12-01")
    assert facts.until == until
    assert facts.since == date(2025, 1, 1)


def test_an_account_that_was_silent_for_a_year_does_not_limit() -> None:
    """Of months that no mean is taken over a silent account says nothing."""
    home = daily(household().checking("old", balance=None), "2023-01-01", "2024-11-30")
    daily(home.checking("new"), "2025-11-03", "2025-11-20", "NEW SHOP", 50_00)
    facts = window(home, "2025-11-20")
    assert (facts.since, facts.until) == (date(2025, 11, 3), date(2025, 11, 20))
    assert facts.months == 1


def test_an_account_opened_this_month_does_not_limit() -> None:
    """An account without one full month would leave none to the others."""
    home = daily(household().checking(), "2025-01-01", "2025-08-10")
    daily(home.card(), "2025-08-01", "2025-08-10", "CARD SHOP", 500_00)
    assert window(home, "2025-08-10").months == 7


def test_part_of_a_month_is_not_extrapolated() -> None:
    """Nine days are one month: sums so far, not more."""
    facts = window(daily(household().checking(), "2025-08-02", "2025-08-10"), "2025-08-10")
    assert (facts.since, facts.until) == (date(2025, 8, 2), date(2025, 8, 10))
    assert facts.months == 1
    assert facts.month_keys == ()
    assert facts.transaction_count == 9


@pytest.mark.parametrize(
    ("first", "last", "since"),
    [
        ("2025-07-07", "2025-08-25", date(2025, 7, 26)),
        ("2025-07-26", "2025-08-25", date(2025, 7, 26)),
        ("2025-07-27", "2025-08-25", date(2025, 7, 27)),
        ("2025-02-06", "2025-03-15", date(2025, 2, 16)),
        ("2025-02-06", "2025-03-27", date(2025, 2, 28)),
        ("2025-01-08", "2025-02-25", date(2025, 1, 26)),
    ],
)
def test_more_days_than_a_month_without_a_full_one(first: str, last: str, since: date) -> None:
    """The last month's worth of days, 28 to 31, is one month; fewer are one, too."""
    facts = window(daily(household().checking(covered=(first, last)), first, last), last)
    assert (facts.since, facts.until) == (since, date.fromisoformat(last))
    assert facts.months == 1
    assert facts.month_keys == ()
    assert facts.days == facts.transaction_count <= 31


def test_days_before_a_hole_make_no_month() -> None:
    """Where no month is full, only what lies behind the last hole is summed up."""
    home = household().checking(
        covered=[("2025-06-05", "2025-06-28"), ("2025-08-05", "2025-08-25")]
    )
    daily(daily(home, "2025-06-05", "2025-06-28"), "2025-08-05", "2025-08-25")
    facts = window(home, "2025-08-25")
    assert (facts.since, facts.days) == (date(2025, 8, 5), 21)
    assert facts.months == 1


@pytest.mark.parametrize(("day", "limits"), [("2024-08-31", False), ("2024-09-01", True)])
def test_twelve_months_say_how_much_an_account_matters(day: str, limits: bool) -> None:
    """What an account did before the last twelve months, this one counted, is long ago."""
    home = daily(household().checking(), "2023-01-01", "2025-08-10")
    home.card(covered=("2024-08-20", "2025-08-10"), balance=5_00)
    home.charge(day, "SOFA", 9_000_00, "home_goods").charge("2025-08-09", "KIOSK", 1_00, "dining")
    assert (window(home, "2025-08-10").limited_by == home.number("card")) is limits


def test_an_account_matters_by_the_months_that_it_covers() -> None:
    """A hole in an account's statements does not make the rest of it trifling."""
    home = daily(household().checking(), "2024-01-01", "2025-07-31", amount=100_00)
    home.card(covered=[("2024-08-01", "2024-09-30"), ("2025-06-01", "2025-07-31")], balance=9_00)
    daily(home, "2025-06-01", "2025-07-31", "CARD SHOP", 12_00)
    assert window(home, "2025-08-10").month_keys == (202408, 202409, 202506, 202507)


def test_a_single_full_month() -> None:
    """One month of history is one month."""
    facts = window(daily(household().checking(), "2025-07-01", "2025-08-05"), "2025-08-05")
    assert facts.month_keys == (202507,)
    assert facts.months == 1


def test_accounts_that_never_met_are_averaged_over_their_days() -> None:
    """Where no month is covered by all, the last days to the end of the data are the window."""
    home = daily(household().checking("old"), "2023-01-01", "2025-06-10")
    daily(home.checking("new"), "2025-06-10", "2025-08-05", "NEW SHOP")
    facts = window(home, "2025-08-05")
    assert facts.month_keys == ()
    assert (facts.since, facts.until) == (date(2025, 5, 11), date(2025, 6, 10))
    assert facts.months == 1
    assert facts.limited_by == home.number("new")


def test_old_data_end_where_they_end() -> None:
    """Data that end eighty days ago are averaged up to there."""
    facts = window(daily(household().checking(), "2024-06-01", "2025-05-31"), "2025-08-19")
    assert facts.until == date(2025, 5, 31)
    assert facts.data_end == date(2025, 5, 31)
    assert facts.months == 12


def test_hidden_and_foreign_accounts_have_no_say() -> None:
    """Only rows that count are in the ledger, so nothing else shapes the window."""
    home = daily(household().checking(), "2025-01-01", "2025-07-31")
    daily(home.checking("hidden", hidden=True), "2025-07-01", "2025-07-31", "A")
    daily(home.checking("abroad", currency="EUR"), "2025-07-01", "2025-07-31", "B")
    facts = window(home, "2025-08-10")
    assert facts.month_keys[0] == 202501
    assert facts.transaction_count == 212


@given(
    st.lists(
        st.tuples(
            st.dates(date(2023, 1, 1), date(2025, 11, 1)),
            st.integers(0, 900),
            st.integers(1, 99_00),
        ),
        min_size=1,
        max_size=4,
    ),
    st.dates(date(2025, 11, 2), date(2026, 6, 1)),
)
def test_a_window_is_months_or_a_stretch(spans: list[tuple[date, int, int]], today: date) -> None:
    """Full months are consecutive and before today's; the window spans exactly them."""
    home = household()
    for place, (first, length, amount) in enumerate(spans):
        home.checking(f"account {place}")
        home.charges(every(first, 5, length // 5 + 1), f"SHOP {place}", amount, "groceries")
    home.rows = [row for row in home.rows if row[2] <= day_of(today)]
    facts = window_of(home.ledger(), today)
    assert facts.since <= facts.until <= today
    assert facts.months >= 1 or facts.transaction_count == 0
    keys = facts.month_keys
    if keys:
        assert len(keys) == facts.months <= 12
        assert keys == tuple(add_months(keys[0], place) for place in range(len(keys)))
        assert day_of(facts.since) == keys[0] * 100 + 1
        assert day_of(facts.until) == last_day(keys[-1])
        assert keys[-1] < today.year * 100 + today.month
        assert facts.until <= facts.data_end or (facts.until - facts.data_end).days <= 3


def test_pay_alone_makes_a_window() -> None:
    """Months of inflow are months of data."""
    home = household().checking().credits(monthly("2025-01-31", 6), "EMPLOYER", 1000_00, "wages")
    assert window(home, "2025-07-10").month_keys == (202502, 202503, 202504, 202505, 202506)


spans = st.tuples(st.integers(0, 900), st.integers(0, 200), st.integers(1, 400_00))
"""How many days ago an account's first and last row are, and what is spent on it a week."""


@given(st.lists(spans, max_size=3), st.lists(st.booleans(), min_size=3, max_size=3))
def test_the_window_starts_the_same_without_all_the_rows(
    accounts: list[tuple[int, int, int]], paid_in: list[bool]
) -> None:
    """Each account's first and last row, and sums of what counts by month and sign, are enough."""
    today = date(2025, 8, 10)
    home = household().checking("0").checking("1").checking("2")
    for place, (first, last, amount) in enumerate(accounts):
        start, end = sorted((today - timedelta(first), today - timedelta(last)))
        days = every(start, 7, (end - start).days // 7 + 1)
        home.on(str(place)).charges(days, "SHOP", amount, "groceries")
        if paid_in[place]:
            home.credit(end, "PAYER", 9_000_00, "wages")
    ledger = home.ledger()
    by_account = {
        row[1]: [other for other in ledger.rows if other[1] == row[1]] for row in ledger.rows
    }
    ends = [
        (0, account, day, 0, 0, 0)
        for account, rows in by_account.items()
        for day in (min(row[2] for row in rows), max(row[2] for row in rows))
    ]

    def weighed(after: int) -> list[Row]:
        sums: dict[tuple[int, bool, int], list[Row]] = {}
        for row in ledger.rows:
            if row[5] and row[2] > after:
                sums.setdefault((row[1], row[3] < 0, row[2] // 100), []).append(row)
        return [
            (0, account, min(row[2] for row in rows), sum(row[3] for row in rows), 0, 1)
            for (account, _, _), rows in sums.items()
        ]

    assert window_start(ledger.accounts, ends, weighed, today) == window_of(ledger, today).since


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
    assert (
        len(join_intervals([Interval(20250101, 20250131), Interval(since, 20250228)], _never))
        == count
    )


@pytest.mark.parametrize(("since", "count"), [(20250221, 1), (20250222, 2)])
def test_rows_alone_may_be_three_days_short(since: int, count: int) -> None:
    """Where only rows tell, three days more on each side belong to the file."""
    assert len(join_intervals([_told(20250101, 20250131), _told(since, 20250228)], _never)) == count


def test_balances_that_agree_leave_no_hole() -> None:
    """However long the pause, balances that the rows explain prove that nothing is missing."""
    spans = [Interval(20250101, 20250131), Interval(20250701, 20250731)]
    assert join_intervals(spans, lambda _before, _after: True) == [Interval(20250101, 20250731)]
    assert holes(join_intervals(spans, _never)) == [Hole(20250201, 20250630)]


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
    found = join_intervals(intervals, _never)
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
def test_a_month_with_a_hole_is_not_full(until: str, since: str, left_out: set[int]) -> None:
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
    assert all(map(facts.holds, [20241001, 20250228, 20250701, 20251130]))
    assert not any(map(facts.holds, [20240930, 20250301, 20250630, 20251201]))
    assert facts.transaction_count == 20


def test_a_hole_is_noted_with_its_days() -> None:
    """The note names the account and the days, and what to do."""
    ledger = _with_hole().ledger()
    (note,) = missing_statements(assess(ledger, keep_books(ledger, TODAY), TODAY))
    assert says(note, "checking is missing", "1 March to 30 June:", "import")


@pytest.mark.parametrize(("last", "noted"), [("2023-11-30", False), ("2023-12-01", True)])
def test_an_old_hole_is_not_noted(last: str, noted: bool) -> None:
    """A hole that lies before the two years of history that are told matters to no figure."""
    after = day_of_ordinal(ORDINAL[int(last.replace("-", ""))] + 1)
    begin = f"{after // 10000}-{after // 100 % 100:02d}-{after % 100:02d}"
    home = household().checking(covered=[("2023-01-01", "2023-06-30"), (begin, "2025-12-10")])
    home.charges(every(date(2023, 1, 1), 7, 150), "SHOP", 10_00, "groceries")
    assert bool(list(missing_statements(assessed(home, TODAY)))) is noted


def test_the_head_of_the_plan_says_how_many_months_are_averaged() -> None:
    """Where months are missing between the first and the last one, their count is said."""
    plan = build_plan(_with_hole().ledger(), TODAY)
    assert describe_window(plan).endswith("10 months, Oct 2024 – Nov 2025")
    whole = household().checking(covered=("2024-12-01", "2025-11-30"))
    whole.charge("2025-03-02", "LANDLORD", 1300_00, "rent")
    assert describe_window(build_plan(whole.ledger(), TODAY)).endswith("of Dec 2024 – Nov 2025")


def test_an_explanation_shows_no_row_of_a_hole() -> None:
    """The rows behind a mean are those that are averaged."""
    home = _with_hole()
    home.charge("2025-04-10", "SHOP", 50_000_00, "groceries")
    household_ = assessed(home, TODAY)
    rows, rest = largest_contributions(household_, contributions_in_window(household_))
    shown = len(rows) + (rest.count if rest else 0)
    assert shown == 20
    assert "SHOP" not in {row.payee for row in rows}


dates = st.dates(date(1970, 1, 1), date(2199, 12, 31))
months = dates.map(lambda day: day.year * 100 + day.month)


@given(dates)
def test_a_day_is_one_day_however_it_is_written(when: date) -> None:
    """Date, number and ordinal convert into each other without loss, in the same order."""
    day = day_of(when)
    assert day == int(when.strftime("%Y%m%d"))
    assert date_of(day) == when
    assert ORDINAL[day] == when.toordinal()
    assert day_of_ordinal(when.toordinal()) == day


@pytest.mark.parametrize("day", [20250229, 20251301, 20250631, 20250100, 0])
def test_a_day_that_no_calendar_has_is_refused(day: int) -> None:
    """An impossible day is an error, not a neighbour."""
    with pytest.raises(ValueError, match=r"day|month|year"):
        ORDINAL[day]


@given(months, st.integers(-500, 500))
def test_months_are_counted_both_ways(month: int, count: int) -> None:
    """Adding months and counting them are each other's reverse."""
    later = add_months(month, count)
    assert add_months(later, -count) == month
    assert months_from(month, later) == count + 1


@given(dates)
def test_the_last_day_of_a_month_is_followed_by_the_first(when: date) -> None:
    """A month ends where the next begins."""
    month = when.year * 100 + when.month
    assert day_of_ordinal(ORDINAL[last_day(month)] + 1) == add_months(month, 1) * 100 + 1
    assert last_day(month) == month * 100 + month_length(month)
