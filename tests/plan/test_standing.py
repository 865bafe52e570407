"""What is not known is said: how much of spending, and which balances."""

import pytest

from finplan.model.plan import Bound, UncertainFigure, bound
from finplan.plan.sections.standing import Standing, take_standing
from tests.plan.households import Household, household, monthly


def standing(home: Household) -> Standing:
    return take_standing(home.ledger(), home.books("2025-03-10"))


def of_sums(spending: int, unknown: int, worth: tuple[bool, bool] = (False, False)) -> Standing:
    """What is unknown of these sums; `worth` says whether debts and whether assets are unknown."""
    debt, assets = worth
    return Standing(
        spending=spending,
        unknown_total=unknown,
        unanswered=0,
        monthly=0,
        regular=0,
        cards_unknown=debt,
        debt_unknown=debt,
        cash_unknown=assets,
        assets_unknown=assets,
    )


def spent(unknown: int, known: int, category: str = "uncategorized") -> Household:
    home = household().checking(balance=2_000_00).charge("2025-01-01", "FIRST", 1, "groceries")
    for month in ("2025-01", "2025-02"):
        home = home.charge(f"{month}-10", "SHOP", known, "groceries")
        if unknown:
            home = home.charge(f"{month}-20", "WHO KNOWS", unknown, category)
    return home.charge("2025-03-10", "LAST", 1, "groceries")


@pytest.mark.parametrize("category", ["uncategorized", "unlinked_card"])
@pytest.mark.parametrize(
    ("unknown", "known", "share", "provisional"),
    [(0, 900_00, 0.0, False), (99_00, 901_00, 0.099, False), (100_00, 899_00, 0.1001, True)],
)
def test_a_tenth_unknown_makes_a_plan_provisional(
    unknown: int, known: int, share: float, provisional: bool, category: str
) -> None:
    """The unknown share is that of spending in no known category; from a tenth on it is provisional."""
    found = standing(spent(unknown, known, category))
    assert found.unknown_share == pytest.approx(share, abs=0.00006)
    assert found.provisional is provisional


def test_exactly_a_tenth_is_provisional() -> None:
    """The bound itself counts: a tenth is provisional, a cent less is not."""
    assert of_sums(1_000, 100).provisional
    assert not of_sums(1_000, 99).provisional


def test_nothing_spent_is_nothing_unknown() -> None:
    """Without spending the share is 0 and nothing is provisional, whatever was refunded."""
    found = of_sums(0, 0)
    assert (found.unknown_share, found.provisional) == (0.0, False)
    assert of_sums(-5, 100).unknown_share == 0.0


def test_the_share_is_never_above_one() -> None:
    """Refunds in known categories may leave less than the unknown part: the share stays 1."""
    assert of_sums(100, 150).unknown_share == 1.0


def test_a_refund_of_what_is_unknown_is_no_negative_share() -> None:
    """More money back than out in no category is nothing unknown."""
    home = spent(0, 100_00).charge("2025-02-02", "CARD", 1_00, "unlinked_card")
    home = home.credit("2025-02-03", "CARD", 50_00, "unlinked_card")
    assert standing(home).unknown_total == 0


@pytest.mark.parametrize(
    ("too_high", "too_low", "told"),
    [
        (False, False, "exact"),
        (True, False, "at most"),
        (False, True, "at least"),
        (True, True, "unknown"),
    ],
)
def test_what_a_sum_with_unknown_parts_is_worth(too_high: bool, too_low: bool, told: Bound) -> None:
    """An unknown debt makes net worth an upper bound, an unknown asset a lower one, both no bound."""
    assert bound(too_high=too_high, too_low=too_low) == told
    assert of_sums(0, 0, (too_high, too_low)).worth == told


def test_a_card_without_a_balance_is_an_unknown_debt() -> None:
    """A card that nobody told the balance of is unknown debt, and no unknown asset."""
    found = standing(spent(0, 100_00).card("visa", balance=None))
    assert (found.cards_unknown, found.debt_unknown, found.assets_unknown) == (True, True, False)


def test_a_loan_without_a_balance_is_an_unknown_debt_but_no_card() -> None:
    """A loan's unknown balance is debt; what is owed on cards stays known."""
    found = standing(spent(0, 100_00).account("car", "loan", balance=None))
    assert (found.cards_unknown, found.debt_unknown, found.assets_unknown) == (False, True, False)


@pytest.mark.parametrize("kind", ["depository", "investment"])
def test_cash_or_an_investment_without_a_balance_is_an_unknown_asset(kind: str) -> None:
    """An asset without a balance is unknown, and no debt is."""
    found = standing(spent(0, 100_00).account("jar", kind, balance=None))  # type: ignore[arg-type]
    assert (found.debt_unknown, found.assets_unknown) == (False, True)


def test_a_card_that_is_paid_but_not_linked_is_an_unknown_debt() -> None:
    """A payment of the last ninety days to an unlinked card is debt that nobody told."""
    paid = spent(0, 100_00).charge("2025-02-20", "SOME CARD", 80_00, "unlinked_card")
    assert standing(paid).debt_unknown


@pytest.mark.parametrize(("day", "unknown"), [("2024-12-11", True), ("2024-12-10", False)])
def test_a_card_that_nobody_pays_any_more_is_forgotten(day: str, unknown: bool) -> None:
    """Ninety days after its last payment an unlinked card is unknown debt no longer."""
    paid = spent(0, 100_00).charge(day, "SOME CARD", 80_00, "unlinked_card")
    assert standing(paid).debt_unknown is unknown


def test_money_back_from_a_card_is_no_debt() -> None:
    """A credit from an unlinked card shows no debt."""
    back = spent(0, 100_00).credit("2025-02-20", "SOME CARD", 80_00, "unlinked_card")
    assert not standing(back).debt_unknown


def test_what_is_regular_and_unknown_is_told_a_month() -> None:
    """Recurring charges of no known category, and of no other."""
    home = household().checking(covered=("2024-01-01", "2025-03-10"))
    home.charges(monthly("2024-01-12", 14), "ZORBLAX", 40_00)
    home.charges(monthly("2024-01-01", 14), "LANDLORD", 900_00, "rent")
    home.charge("2025-02-02", "ODD SHOP", 77_00)
    assert standing(home).regular == 40_00


@pytest.mark.parametrize(
    ("missing", "at_most"),
    [
        ("", ()),
        ("card", ("netWorth", "debt", "available", "monthsCovered")),
        ("loan", ("netWorth",)),
        ("jar", ()),
        ("card jar", ("debt",)),
        ("card fund", ("debt", "available", "monthsCovered")),
        ("loan fund", ()),
    ],
)
def test_the_figures_that_an_unknown_debt_lowers(
    missing: str, at_most: tuple[UncertainFigure, ...]
) -> None:
    """A card bounds four figures, a loan net worth; what an unknown asset raises is bounded no more."""
    home = spent(0, 100_00)
    kinds = {"card": "credit", "loan": "loan", "jar": "depository", "fund": "investment"}
    for name in missing.split():
        home.account(name, kinds[name], None, balance=None)  # type: ignore[arg-type]
    found = standing(home)
    assert found.view().at_most == at_most
    assert found.cash_unknown is ("jar" in missing)


@pytest.mark.parametrize("subtype", ["hsa", "cd"])
def test_what_is_set_aside_is_no_cash(subtype: str) -> None:
    """A health account without a balance leaves cash known, and net worth a lower bound."""
    found = standing(spent(0, 100_00).account("hsa", "depository", subtype, balance=None))
    assert (found.cash_unknown, found.assets_unknown) == (False, True)


def test_the_view_tells_share_and_money_of_a_month() -> None:
    """The wire shape holds what is unknown of spending: its share, and what it is a month."""
    view = standing(spent(100_00, 300_00)).view()
    assert (view.provisional, view.unknown_share, view.money_unknown) == (True, 0.25, 100_00)
