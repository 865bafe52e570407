"""Income and spending by month: every row once, in the class that the plan counts it in."""

from datetime import date
from itertools import pairwise

from hypothesis import given

from finplan.plan.ledger.days import add_months, day_of
from finplan.plan.sections.monthly import MonthFlow, month_flows
from tests.plan.households import Household, household, monthly
from tests.plan.unruly import TODAY, unruly_households


def flows(home: Household, today: date = TODAY) -> tuple[MonthFlow, ...]:
    return month_flows(home.ledger(), home.books(today), today)


def month_of(flow: MonthFlow) -> int:
    return flow.first.year * 100 + flow.first.month


@given(unruly_households())
def test_the_months_of_the_window_add_up_to_its_figures(home: Household) -> None:
    """The plan's income and spending are those of its months, to the minor unit."""
    books = home.books(TODAY)
    of_window = [each for each in flows(home) if month_of(each) in books.window.month_keys]

    if books.window.month_keys:
        assert [month_of(each) for each in of_window] == list(books.window.month_keys)
        assert sum(each.income for each in of_window) == books.income
        assert sum(each.spending for each in of_window) == books.spending


@given(unruly_households())
def test_months_follow_each_other_to_the_last_that_is_known(home: Household) -> None:
    """No month is left out, none is of days to come, and the one that goes on is not whole."""
    known, this_month = flows(home), TODAY.year * 100 + TODAY.month
    days = [row[2] for row in home.ledger().rows if row[2] <= day_of(TODAY)]

    for before, after in pairwise(known):
        assert month_of(after) == add_months(month_of(before), 1)
    if known:
        assert max(days) // 100 <= month_of(known[-1]) <= this_month
        assert not known[-1].whole or month_of(known[-1]) < this_month


def test_without_rows_there_is_no_month() -> None:
    """Nothing is known of any month, which is not the same as nothing spent."""
    assert flows(household().checking(balance=100_00)) == ()


def test_two_years_are_told_of() -> None:
    """Older months are left out; the months before the first row are none of the household's."""
    home = household().checking().credits(monthly("2020-01-25", 72), "ACME", 3_000_00, "wages")
    known = flows(home, date(2025, 12, 30))
    assert (len(known), known[0].first) == (24, date(2024, 1, 1))
    short = household().checking().credits(monthly("2025-10-25", 3), "ACME", 3_000_00, "wages")
    assert [each.first.month for each in flows(short, date(2025, 12, 30))] == [10, 11, 12]


def test_a_month_that_is_known_in_part_is_not_whole() -> None:
    """Neither the month in which an account begins, nor one in which its statements end, is whole."""
    home = household().checking().credits(monthly("2025-01-10", 5), "ACME", 3_000_00, "wages")
    known = {month_of(each): each for each in flows(home, date(2025, 7, 5))}

    assert [month for month, each in known.items() if each.whole] == [202502, 202503, 202504]
    assert list(known)[-1] == 202505


def test_an_account_that_was_closed_leaves_later_months_whole() -> None:
    """What a closed account does not tell of does not exist; before it began, it told of nothing."""
    days = monthly("2025-01-01", 12)
    home = (
        household()
        .checking(covered=("2025-01-01", "2025-12-20"))
        .credits(days, "ACME", 3_000_00, "wages")
    )
    span = ("2025-02-01", "2025-03-31")
    home = home.card("old", balance=0, covered=span).charges(
        monthly("2025-02-02", 2), "SHOP", 20_00, "shopping"
    )
    whole = [month_of(each) for each in flows(home, date(2025, 12, 20)) if each.whole]

    assert whole == list(range(202501, 202512))


def test_a_month_is_whole_once_it_is_over() -> None:
    """On its last day a month may still bring something, on the day after it does no more."""
    span = ("2025-01-01", "2025-12-31")
    home = (
        household().checking(covered=span).credits(monthly("2025-01-01", 12), "ACME", 5_00, "wages")
    )

    assert not flows(home, date(2025, 12, 31))[-1].whole
    last = {month_of(each): each for each in flows(home, date(2026, 1, 1))}[202512]
    assert last.whole
