"""A bill that keeps its quarter is known though it keeps neither its day nor its amount."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

import pytest

from finplan.plan.detect.cadence import grace
from finplan.plan.detect.rhythm import fit_loose
from finplan.plan.ledger.books import Series
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)
DUE = monthly("2023-02-14", 12, step=3)
STRAYS = (9, -8, -10, 3, 10, 8, -2, -9, 7, 0, -10, 5)
AMOUNTS = (
    310_00,
    205_00,
    290_00,
    240_00,
    330_00,
    260_00,
    215_00,
    300_00,
    232_00,
    221_00,
    280_00,
    270_00,
)
LOOSE = [day + timedelta(off) for day, off in zip(DUE, STRAYS, strict=True)]


def paying(
    days: Sequence[date], category: str = "utilities", amounts: Sequence[int] = AMOUNTS
) -> Household:
    home = household().checking(covered=("2023-01-01", TODAY))
    home.charges(monthly("2023-01-03", 37), "LANDLORD", 1_000_00, "rent")
    return home.charges(days, "ZORBLAX", amounts, category)


def found(home: Household, today: date = TODAY) -> list[Series]:
    return [one for one in home.books(today).charges if one.name == "ZORBLAX"]


@pytest.mark.parametrize(
    "category", ["insurance", "utilities", "taxes", "education", "home_upkeep", "uncategorized"]
)
def test_a_bill_about_every_three_months_is_quarterly(category: str) -> None:
    """Days stray by ten and amounts by a third; the next one is expected in the middle of its days."""
    (one,) = found(paying(LOOSE, category))
    assert (one.cadence, one.interval_days, one.count_all, one.active) == (
        "quarterly",
        91,
        12,
        True,
    )
    assert one.next_date is not None
    assert abs((one.next_date - date(2026, 2, 14)).days) <= 5
    assert one.amount == 251_00
    assert one.monthly == 83_67
    # Its day is a guess, so that no certainty is stated.
    assert one.probability is not None
    assert one.probability < 0.5


@pytest.mark.parametrize("category", ["dining", "shopping", "health", "travel", "personal_care"])
def test_visits_about_every_three_months_are_no_bill(category: str) -> None:
    """Where people go, only a price or a day shows a bill."""
    assert found(paying(LOOSE, category)) == []


def test_fewer_than_six_may_be_chance() -> None:
    """Five payments may lie so by accident."""
    assert found(paying(LOOSE[-5:], "uncategorized")) == []
    assert len(found(paying(LOOSE[-7:], "uncategorized"))) == 1


def test_amounts_that_differ_by_more_are_not_one_bill() -> None:
    """More than one in five beyond a third of the median."""
    assert found(paying(LOOSE, "uncategorized", [100_00, 300_00, 60_00])) == []


def test_payments_now_and_then_are_no_bill() -> None:
    """Of a hundred payees paid every one to five months so, at most two look like a bill."""
    dice, false = Random(7), 0
    for _ in range(100):
        day, days = date(2023, 1, dice.randint(5, 28)), []
        while day < TODAY:
            days.append(day)
            day += timedelta(dice.randint(30, 150))
        amounts = [dice.randint(200_00, 330_00) for _ in days]
        false += bool(found(paying(days, "uncategorized", amounts)))
    assert false <= 2


def test_one_quarter_may_be_left_out_and_no_more_than_one_in_five() -> None:
    """A bill that was not sent leaves a hole of half a year."""
    assert len(found(paying([*LOOSE[:5], *LOOSE[6:]]))) == 1
    holes = [LOOSE[place] for place in (0, 1, 3, 4, 6, 7, 9, 10)]
    assert fit_loose([day.toordinal() for day in holes]) is None


def test_it_is_late_only_after_two_weeks() -> None:
    """Within its days it is expected today, not a quarter later."""
    (one,) = found(paying(LOOSE, "utilities"), TODAY)
    due = one.next_date
    assert due is not None
    home = paying(LOOSE, "utilities")
    home.checking(covered=("2023-01-01", due + timedelta(14)))
    (late,) = found(home, due + timedelta(14))
    assert late.next_date == due + timedelta(14)
    (over,) = found(home.checking(covered=("2023-01-01", due + timedelta(15))), due + timedelta(15))
    assert over.next_date == due + timedelta(91)


def test_a_punctual_quarter_is_none_of_these() -> None:
    """What keeps its day has the grace of its cadence, and its own rhythm."""
    (one,) = found(paying(DUE))
    assert one.interval_days != 91 or one.next_date == date(2026, 2, 14)
    loose = fit_loose([day.toordinal() for day in DUE])
    assert loose is not None
    assert not loose.is_loose()
    assert grace(loose) == 5
    assert fit_loose([day.toordinal() for day in every("2023-02-14", 91, 6)]) is not None
