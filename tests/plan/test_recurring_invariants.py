"""Laws of recurring charges that hold for any household."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.ledger.books import Series
from tests.plan.households import Household, household

TODAY = date(2025, 12, 22)
FOUR_CENTURIES = timedelta(146_097)
"""After so many days the calendar repeats, weekdays and leap years included."""

Rows = list[tuple[date, int]]

categories = st.sampled_from(["utilities", "hobbies", "shopping", "groceries", "uncategorized"])


@st.composite
def charged(draw: st.DrawFn) -> Rows:
    """Charges of one payee: a planted rhythm, disturbed, among others."""
    step = draw(st.sampled_from([7, 14, 15, 30, 91, 182, 365]))
    prices = draw(st.lists(st.integers(3_00, 60_00), min_size=1, max_size=3))
    planted = [
        (
            TODAY - timedelta(place * step + draw(st.integers(-2, 2)) + 3),
            prices[place % len(prices)],
        )
        for place in range(draw(st.integers(0, min(24, 700 // step))))
    ]
    days = st.dates(date(2024, 1, 1), TODAY)
    others = draw(st.lists(st.tuples(days, st.integers(1_00, 90_00)), max_size=20))
    return planted + others


def found(rows: Rows, category: str, shift: timedelta = timedelta(0)) -> list[Series]:
    """The recurring charges among rows that lie so much later, in the order given."""
    home = _home(rows, category, shift)
    return list(home.books(TODAY + shift).charges)


def _home(rows: Rows, category: str, shift: timedelta = timedelta(0)) -> Household:
    home = household().checking(covered=(date(2024, 1, 1) + shift, TODAY + shift))
    for day, amount in rows:
        home.charge(day + shift, "BILLER", amount, category)
    return home


def shifted(series: Series, shift: timedelta) -> Series:
    """The same series so much later."""
    return replace(
        series,
        first_date=series.first_date + shift,
        last_date=series.last_date + shift,
        next_date=series.next_date and series.next_date + shift,
        recent=tuple((day + shift, amount) for day, amount in series.recent),
        parts=tuple((day + shift, amount) for day, amount in series.parts),
        price_changed=series.price_changed and series.price_changed + shift,
        resumed=series.resumed and series.resumed + shift,
    )


@given(charged(), categories)
def test_no_charge_is_in_two_series(rows: Rows, category: str) -> None:
    """However a payee charges, its series never count a charge twice, nor one that never was."""
    claimed = Counter(part for one in found(rows, category) for part in one.parts)
    assert claimed <= Counter(rows)


@given(charged(), categories)
def test_time_itself_changes_nothing(rows: Rows, category: str) -> None:
    """Four centuries later, when the calendar is the same again, the same series are found."""
    later = found(rows, category, FOUR_CENTURIES)
    assert later == [shifted(one, FOUR_CENTURIES) for one in found(rows, category)]


@given(charged(), categories, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows: Rows, category: str, chance: object) -> None:
    """Rows of one day may stand in any order."""
    assert hasattr(chance, "shuffle")
    mixed = list(rows)
    chance.shuffle(mixed)
    assert found(mixed, category) == found(rows, category)


@given(charged(), charged(), categories)
def test_other_payees_change_nothing(rows: Rows, others: Rows, category: str) -> None:
    """What is charged by somebody of another name is no evidence."""
    home = _home(rows, category)
    number = home.payee_number("BILLER") if rows else None
    alone = list(home.books(TODAY).charges)
    for day, amount in others:
        home.charge(day, "SOMEBODY ELSE", amount, "hobbies")
    beside = home.books(TODAY).charges
    assert [one for one in beside if one.payees == (number,)] == alone


@given(charged(), categories)
def test_what_is_expected_lies_ahead(rows: Rows, category: str) -> None:
    """An active series has a next date, never before today; one that has ended has none."""
    for one in found(rows, category):
        assert one.amount > 0
        assert (one.next_date is not None) == one.active
        assert one.next_date is None or one.next_date >= TODAY
