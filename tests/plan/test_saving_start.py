"""A monthly sum begins with the first pay that bills, groceries and transport leave it of."""

from datetime import date

import pytest

from finplan.plan.advise.assessment import Assessment, begins, first_pay_to_save, until_then
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from tests.plan.advised import TODAY, YEAR, indebted
from tests.plan.households import Household, household, monthly, semimonthly

FIRST, SECOND = date(2026, 1, 15), date(2026, 1, 31)


def tight(cash: int) -> Household:
    """Pay of 1,000 on the 15th and the last, rent of 900 on the 18th, 365 of food a month."""
    home = household().checking(balance=cash, covered=YEAR)
    home.credits(semimonthly("2025-01-01", 24), "ACME", 1_000_00, "wages")
    home.charges(monthly("2025-01-18", 12), "LANDLORD", 900_00, "rent")
    for month in range(1, 13):
        home.charge(date(2025, month, 3), f"MARKET {month}", 365_00, "groceries")
    return home


def seen(home: Household) -> Assessment:
    ledger = home.ledger()
    return assess(ledger, keep_books(ledger, TODAY), TODAY)


# With the next pay cash is 100 more after the rent of the 18th; by the 30th food has taken 20 days.
NEEDED = 20 * 365_00 * 12 // 365 - 100_00


@pytest.mark.parametrize(
    ("cash", "monthly_sum", "start"),
    [
        (NEEDED, 0, FIRST),
        (NEEDED - 1, 0, SECOND),
        (NEEDED + 15 * 12_00, 365_00, FIRST),
        (NEEDED + 15 * 12_00 - 1, 365_00, SECOND),
        (100_00, 365_00, SECOND),
        (-900_00, 365_00, None),
    ],
)
def test_a_sum_begins_with_the_pay_from_which_on_cash_is_never_short(
    cash: int, monthly_sum: int, start: date | None
) -> None:
    """To the cent: on the eve of the next pay cash is at zero or above, all usual needs met."""
    home = tight(cash)
    assert seen(home).ahead is not None
    assert seen(home).ahead.usual == 365_00  # type: ignore[union-attr]
    assert first_pay_to_save(seen(home), monthly_sum) == start


@pytest.mark.parametrize(
    ("cash", "begin", "waits"),
    [
        (3_000_00, "with the next pay", False),
        (100_00, "with the pay of 31 January", True),
        (-900_00, "once a pay leaves it over", True),
    ],
)
def test_the_words_fit_the_day(cash: int, begin: str, waits: bool) -> None:
    """Who waits is told why, who need not is told nothing."""
    found = seen(tight(cash))
    assert begins(found, 365_00) == begin
    assert bool(until_then(found, 365_00)) is waits


def test_bills_that_cash_does_not_cover_come_first() -> None:
    """Short before payday, and the next pay would do: saving begins once that is covered."""
    home = tight(2_000_00).charges(monthly("2025-01-13", 12), "INSURER", 2_100_00, "insurance")
    home.credits(monthly("2025-01-14", 12), "SPOUSE", 2_100_00, "wages")
    found = seen(home)
    assert found.guard is not None
    assert found.guard < 0 or found.period.payday == date(2026, 1, 14)
    assert begins(found, 1_00) == "once the bills of this pay period are covered"


@pytest.mark.parametrize("kind", ["no rhythm", "no balance"])
def test_where_nothing_is_known_ahead_the_next_pay_is_as_good_as_any(kind: str) -> None:
    """Pay without a rhythm, and cash that nobody told, give no day."""
    home = tight(100_00)
    if kind == "no balance":
        home.savings("jar", balance=None)
    else:
        home = household().checking(balance=100_00, covered=YEAR)
        days = ["2025-02-03", "2025-05-27", "2025-06-01", "2025-10-19", "2025-12-30"]
        home.credits(days, "GIG", 900_00, "self_employment")
    found = seen(home)
    assert first_pay_to_save(found, 1_00) is None
    assert begins(found, 1_00) == "with the next pay"
    assert until_then(found, 1_00) == ""


def advice(home: Household, kind: str) -> str:
    (found,) = [each for each in build_plan(home.ledger(), TODAY).actions if each.kind == kind]
    return found.detail


def test_fund_and_card_begin_with_the_same_pay() -> None:
    """The emergency fund, the starter fund and the payment of a card wait for one day."""
    assert "beginning with the pay of 31 January. Until then" in advice(
        tight(60_00), "build_emergency_fund"
    )
    home = tight(130_00).card("visa", balance=6_000_00, apr=0.2, minimum_payment=1_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 100_00, "interest_fees")
    for kind in ("build_starter_fund", "pay_down_card"):
        assert "beginning with the pay of 31 January" in advice(home, kind)
    assert "Until then" in advice(home, "build_starter_fund")
    home.card("amex", balance=900_00, apr=0.1, minimum_payment=20_00, covered=YEAR)
    home.charge("2025-12-20", "INTEREST CHARGE", 5_00)
    step = advice(home, "pay_down_card")
    assert " Pay each minimum when it is due. The rest of the $" in step
    assert " goes to visa, the dearest at 20%, beginning with the pay of 31 January." in step


def test_with_money_at_hand_nothing_waits() -> None:
    """The usual words stand where the next pay will do."""
    assert "beginning with the next pay" in advice(indebted(), "pay_down_card")
    home = indebted(apr=0.29, cash=3_000_00)
    home.card("second", balance=900_00, credit_limit=1_000_00, apr=0.09, covered=YEAR)
    home.charge("2025-12-20", "INTEREST CHARGE", 5_00)
    assert "Pay the minimum on the others and the rest to visa" in advice(home, "pay_down_card")
