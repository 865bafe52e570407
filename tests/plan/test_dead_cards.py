"""What was charged to a card that nothing is charged to any more is not expected."""

from datetime import date, timedelta

import pytest

from finplan.plan.ledger.books import Series
from tests.plan.households import Household, household, monthly

TODAY = date(2025, 12, 22)
COVERED = ("2024-01-01", TODAY)


def home_with(card_days: list[date], *, kind: str = "card", quarters: int = 8) -> Household:
    """An insurance paid by card each quarter, and whatever else is bought with the card."""
    home = household().checking(covered=COVERED)
    home.charges(monthly("2024-01-01", 24), "LANDLORD", 900_00, "rent")
    home = (home.card if kind == "card" else home.checking)("visa", covered=COVERED)
    home.charges(monthly("2024-01-12", quarters, 3), "INSURER", 210_00, "insurance")
    return home.charges(card_days, "BISTRO", 31_00, "dining")


def insurance(home: Household) -> Series:
    (one,) = [each for each in home.books(TODAY).charges if each.name == "INSURER"]
    return one


LAST = TODAY - timedelta(60)


def used_until(last: date, times: int = 30) -> list[date]:
    return [last - timedelta(11 * back) for back in reversed(range(times))]


def test_a_rare_bill_ends_with_its_card() -> None:
    """The card fell silent two months ago, so its quarterly bill is over before it is due."""
    home = home_with(used_until(LAST))
    assert not insurance(home).active
    assert insurance(home).next_date is None
    assert insurance(home).probability is None


@pytest.mark.parametrize(
    ("days", "kind"),
    [
        (used_until(LAST + timedelta(1)), "card"),
        ([], "card"),
        (used_until(LAST), "checking"),
    ],
    ids=["a card in use", "a card that is hardly used", "no card"],
)
def test_a_card_is_dead_only_when_it_was_in_use(days: list[date], kind: str) -> None:
    """A card used lately, one that only pays this bill, and a current account are not dead."""
    assert insurance(home_with(days, kind=kind)).active


def test_a_bill_that_moved_to_another_card_goes_on() -> None:
    """Where the last charge was on a living card, the dead one has no say."""
    home = home_with(used_until(LAST), quarters=7)
    home.card("amex", covered=COVERED).charge("2025-10-12", "INSURER", 210_00, "insurance")
    assert insurance(home).active
