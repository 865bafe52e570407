"""Which account a bank means by an id that nobody knows: one thing that speaks for one account alone."""

import pytest

from finplan.plan.pairing.same_account import AccountSigns, same_accounts

ROWS = tuple((20260500 + day, -100 * day) for day in range(1, 21))
OTHERS = tuple((20260500 + day, -77 * day) for day in range(1, 21))


def _signs(name: str = "Checking", **more: object) -> AccountSigns:
    values = {
        "name": name,
        "mask": None,
        "kind": None,
        "currency": "USD",
        "institution": "Harbour Bank",
        "balance": None,
        **more,
    }
    return AccountSigns(**values)  # type: ignore[arg-type]


def _one(told: AccountSigns, held: AccountSigns, *, relinked: bool) -> bool:
    return same_accounts({"new": told}, {7: held}, relinked=relinked) == {"new": 7}


@pytest.mark.parametrize(
    ("told", "held", "is_one"),
    [
        (_signs("Checking"), _signs("checking "), True),
        (_signs("Checking"), _signs("Savings"), False),
        (_signs("Checking"), _signs("Checking", currency="EUR"), False),
        (_signs("Checking", mask="1111"), _signs("Checking", mask="2222"), False),
        (_signs("A", mask="1111"), _signs("B", mask="1111"), True),
        (_signs("A", kind="credit"), _signs("A", kind="depository"), False),
        (_signs("A", institution="X"), _signs("A"), False),
        (_signs("A", institution="X", balance=5), _signs("A", balance=5), True),
        (_signs("A", institution="X", balance=5), _signs("A", balance=6), False),
        (_signs("A", institution="X", balance=0), _signs("A", balance=0), False),
        (_signs("A", rows=ROWS), _signs("B", rows=ROWS), True),
        (_signs("A", rows=ROWS), _signs("B", rows=OTHERS), False),
    ],
)
def test_the_same_bank_knows_its_accounts_by_name_number_balance_or_rows(
    told: AccountSigns, held: AccountSigns, is_one: bool
) -> None:
    """After a relink; nothing that speaks against it may be there."""
    assert _one(told, held, relinked=True) == is_one


@pytest.mark.parametrize(
    ("told", "held", "is_one"),
    [
        (_signs("A", rows=ROWS), _signs("A", rows=ROWS), True),
        (_signs("A"), _signs("A"), False),
        (_signs("A", mask="1111"), _signs("B", mask="1111"), True),
        (_signs("A", mask="1111", institution="Other"), _signs("B", mask="1111"), False),
        (_signs("A", mask="1111", institution="The Bank"), _signs("B", mask="1111"), False),
        (_signs("A", mask="1111", institution=None), _signs("B", mask="1111"), False),
        (_signs("A", mask="1111", rows=OTHERS), _signs("B", mask="1111", rows=ROWS), False),
        (_signs("A", mask="1111", rows=ROWS[:15]), _signs("B", mask="1111", rows=ROWS), True),
    ],
)
def test_an_account_of_files_is_one_by_its_rows_or_place_and_number(
    told: AccountSigns, held: AccountSigns, is_one: bool
) -> None:
    """A name alone says nothing; rows that differ say more than a number."""
    assert _one(told, held, relinked=False) == is_one


def test_what_two_may_be_is_neither() -> None:
    """Two that are alike on one side leave both open; a number then settles what a name does not."""
    twins = {1: _signs("Savings"), 2: _signs("Savings")}
    assert same_accounts({"a": _signs("Savings")}, twins, relinked=True) == {}
    assert (
        same_accounts(
            {"a": _signs("Savings"), "b": _signs("Savings")}, {1: twins[1]}, relinked=True
        )
        == {}
    )
    told = {"a": _signs("Savings", mask="1111"), "b": _signs("Savings", mask="2222")}
    held = {1: _signs("Savings", mask="2222"), 2: _signs("Savings", mask="1111")}
    assert same_accounts(told, held, relinked=True) == {"a": 2, "b": 1}
