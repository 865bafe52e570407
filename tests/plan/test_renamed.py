"""A biller or payer whose descriptor changed is one; two that are alike stay two."""

from datetime import date

import pytest

from finplan.plan.ledger.books import Series
from tests.plan.households import Household, every, household, monthly

TODAY = date(2025, 12, 22)
DAYS = monthly("2024-01-05", 24)


def at_home() -> Household:
    """A checking account that is covered until today."""
    return household().checking(covered=("2023-12-01", TODAY))


def renamed(before: str, after: str, price: int, price_after: int) -> list[Series]:
    """The charges of a biller that is written in another way from its sixteenth charge on."""
    home = at_home().charges(DAYS[:15], before, price, "insurance")
    home.charges(DAYS[15:], after, price_after, "insurance")
    return list(home.books(TODAY).charges)


@pytest.mark.parametrize("price_after", [30_00, 32_50])
def test_a_biller_under_a_new_descriptor_is_one_series(price_after: int) -> None:
    """Same days, like price, shared words, the one ending where the other begins."""
    (charge,) = renamed("KESWICK INSURANCE", "KESWICK INSURANCE DDR", 30_00, price_after)
    assert charge.payees == (1, 2)
    assert charge.name == "KESWICK INSURANCE DDR"
    assert (charge.count_all, charge.amount, charge.active) == (24, price_after, True)


@pytest.mark.parametrize(
    ("after", "price_after"),
    [("OSPREY INSURANCE", 30_00), ("KESWICK INSURANCE DDR", 75_00), ("KESWICK GARAGE", 30_00)],
)
def test_another_biller_is_another_series(after: str, price_after: int) -> None:
    """Another name or another price is another contract, and what has ended is not alive."""
    charges = renamed("KESWICK INSURANCE", after, 30_00, price_after)
    assert sorted(one.payees for one in charges) == [(1,), (2,)]
    assert [one.payees for one in charges if one.active] == [(2,)]


def test_two_that_are_alive_together_are_two() -> None:
    """A name that begins like another's does not make them one."""
    home = at_home().charges(DAYS, "KESWICK INSURANCE", 30_00, "insurance")
    home.charges(DAYS, "KESWICK INSURANCE LIFE", 30_00, "insurance")
    assert sorted(one.payees for one in home.books(TODAY).charges) == [(1,), (2,)]


def test_few_charges_under_each_name_are_enough_together() -> None:
    """Twice two charges half a year apart are known as one series only."""
    home = at_home().charges(["2024-03-10", "2024-09-10"], "KESWICK DENTAL", 90_00, "health")
    home.charges(["2025-03-10", "2025-09-10"], "KESWICK DENTAL PLAN", 90_00, "health")
    (charge,) = home.books(TODAY).charges
    assert (charge.cadence, charge.count_all, charge.payees) == ("twice_yearly", 4, (1, 2))


def test_a_payer_under_a_new_descriptor_is_one_source() -> None:
    """Pay goes on, and every credit is in the one source."""
    days = every("2024-12-06", 14, 27)
    home = at_home().credits(days[:14], "FOXGLOVE FOODS", 1400_00, "wages")
    home.credits(days[14:], "FOXGLOVE FOODS PAYROLL", 1400_00, "wages")
    books = home.books(TODAY)
    (source,) = books.sources
    assert (source.cadence, source.payees, source.count_all) == ("biweekly", (1, 2), 27)
    assert source.total == books.income


def test_a_new_job_at_another_pay_is_another_source() -> None:
    """An employer of a like name who pays otherwise is another; the old pay has ended."""
    home = at_home().credits(every("2024-12-06", 14, 14), "FOXGLOVE FOODS", 1400_00, "wages")
    home.credits(monthly("2025-07-31", 5), "FOXGLOVE FOODS GROUP", 3900_00, "wages")
    sources = home.books(TODAY).sources
    assert sorted((one.payees, one.active) for one in sources) == [((1,), False), ((2,), True)]
