"""A formula is told in the words that stand beside its figures, never in the names of fields."""

from finplan.model.explain import Figure, Quantity, formula_said


def _money(name: str, value: int) -> Quantity:
    return Quantity(name=name, unit="money", value=value)


def _figure(name: str, label: str, formula: str | None = None, **values: int) -> Figure:
    return Figure(
        name=name,
        label=label,
        unit="money",
        formula=formula,
        values=tuple(_money(each, value) for each, value in values.items()),
        result=100,
    )


def test_what_stands_beside_is_called_by_its_label() -> None:
    """A name that another figure has is told by that figure's label, and functions stay."""
    cash = _figure("liquidCash", "Cash")
    spare = _figure("spare", "Spare", "max(0, liquidCash) / 2", liquidCash=10_000)
    assert list(formula_said(spare, (cash, spare), "USD")) == [
        "= max(0, Cash) ÷ 2",
        "= max(0, $100.00) ÷ 2",
    ]


def test_what_stands_nowhere_is_told_by_the_words_of_its_name() -> None:
    """A name that no figure has is taken apart into its words."""
    income = _figure("income", "Income", "round(incomeTotal2 / 12)", incomeTotal2=10_000)
    assert next(formula_said(income, (income,), "USD")) == "= round(income total 2 ÷ 12)"


def test_a_label_that_looks_like_arithmetic_is_set_apart() -> None:
    """A bank's word with a comma, a minus or a slash is no part of the sum it stands in."""
    owed = _figure("account1", "Visa A/B - Gold, owed \x1b[2J")
    debt = _figure("debt", "Debt", "account1 - account2", account1=10_000, account2=100)
    assert list(formula_said(debt, (owed, debt), "USD")) == [
        "= “Visa A/B - Gold, owed [2J” - account 2",
        "= $100.00 - $1.00",
    ]
