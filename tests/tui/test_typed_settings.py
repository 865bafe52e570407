"""What is typed for a setting: read exactly, or refused in a sentence before anything is asked."""

import pytest

from finplan.model.user import BudgetShares, SettingsChange
from finplan.tui.screens.settings import read_change, read_income, wrong_in


@pytest.mark.parametrize(
    ("key", "typed", "meant"),
    [
        ("currency", " eur ", SettingsChange(currency="EUR")),
        ("time_zone", "Europe/Berlin", SettingsChange(time_zone="Europe/Berlin")),
        ("target_months", "6", SettingsChange(target_months=6)),
        ("target_months", " ", SettingsChange(target_months=None)),
        ("shares", "", SettingsChange(budget_shares=None)),
        *(
            (
                "shares",
                typed,
                SettingsChange(
                    budget_shares=BudgetShares(essentials=0.5, discretionary=0.3, savings=0.2)
                ),
            )
            for typed in ("50 30 20", "50/30/20", "50 %, 30 %, 20 %")
        ),
    ],
)
def test_a_setting_is_what_was_typed(key: str, typed: str, meant: SettingsChange) -> None:
    """Each setting with its unit; an empty line takes it back, and only that one is changed."""
    assert wrong_in(key, typed, "USD") is None
    change = read_change(key, typed)
    assert (change, change.model_fields_set) == (meant, meant.model_fields_set)


@pytest.mark.parametrize(
    ("typed", "monthly"), [("", None), (" ", None), ("4,200", 4_200_00), ("4200.50", 4_200_50)]
)
def test_an_income_is_in_the_households_currency(typed: str, monthly: int | None) -> None:
    """An amount a month, or nothing, which takes the person's word back."""
    assert wrong_in("income", typed, "USD") is None
    assert read_income(typed, "USD").monthly == monthly


@pytest.mark.parametrize(
    ("key", "typed", "wrong"),
    [
        ("shares", "50 30", "Three whole numbers that make 100, such as 50 30 20."),
        ("shares", "50 30 10 10", "Three whole numbers that make 100, such as 50 30 20."),
        ("shares", "50 30 10", "Three whole numbers that make 100, such as 50 30 20."),
        ("shares", "50 30 21", "Three whole numbers that make 100, such as 50 30 20."),
        ("shares", "50 30 20 x", "Three whole numbers that make 100, such as 50 30 20."),
        ("shares", "50 30 x", "Three whole numbers that make 100, such as 50 30 20."),
        ("target_months", "six", "A number of months, such as 6."),
        ("target_months", "-1", "A number of months, such as 6."),
    ],
)
def test_what_is_no_setting_is_refused(key: str, typed: str, wrong: str) -> None:
    """What cannot be meant is said before it is asked of the daemon."""
    assert wrong_in(key, typed, "USD") == wrong


@pytest.mark.parametrize(
    ("key", "typed"),
    [("currency", "euros"), ("income", "much"), ("income", "1.234"), ("target_months", "9999")],
)
def test_what_the_shapes_refuse_is_refused_at_once(key: str, typed: str) -> None:
    """What the daemon would refuse is a sentence in the dialog, too."""
    wrong = wrong_in(key, typed, "USD")
    assert wrong
    assert not wrong.startswith("Value error")
