"""How a figure of the plan comes about: its formula, the numbers in it, and the rows that feed it.

The command line and the screen write them alike.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model import figures
from finplan.model.base import Amount, Text, Whole, Wire
from finplan.model.characters import visible

SECTIONS: Mapping[str, str] = {
    "window": "The months behind the averages.",
    "snapshot": "Your assets and debts on the day of the plan.",
    "monthly": "Income, spending and surplus each month.",
    "dailyAllowance": "The plan's daily target for discretionary spending.",
    "categories": "Spending per month in each category.",
    "incomeSources": "Your income sources, and which ones the plan counts.",
    "recurring": "Your recurring charges, and their cost per month.",
    "emergencyFund": "How long your cash lasts, and how much is missing.",
    "debt": "Your card debt, and how to pay it off.",
    "budget": "Essentials, discretionary spending and savings targets.",
    "actions": "The reason for each next step.",
    "notes": "Limits and assumptions of the plan.",
    "allowance": "Safe to spend today and until payday.",
    "wealth": "Net worth today, and how its history is calculated.",
}
"""What can be explained, in the order of computing; any category can be, too."""

Unit = Literal["money", "count", "months", "days", "share", "date", "word"]
"""What a value is: money is in minor units, a share is 0..1, a date is YYYY-MM-DD."""

Value = Whole | float | str | None
"""A number, a date or a word; None when it is not known."""


class Quantity(Wire):
    """One named value of a formula."""

    name: str
    unit: Unit
    value: Value


class Figure(Wire):
    """One figure; figures are listed in the order of calculation.

    `formula` is arithmetic over the names of `values`, and `result` is its value. It uses `+ - * /`,
    `min`, `max`, `floor`, `ceil` and half-even `round`, which may take a number of decimals. A figure
    without a formula comes from the data or from a rule that `reasons` explain.
    """

    name: str
    label: str
    unit: Unit
    formula: str | None
    values: tuple[Quantity, ...]
    result: Value


class FeedingRow(Wire):
    """One transaction behind the figures; `amount` is positive for money in."""

    date: date
    payee: str
    account: str
    category: str
    amount: Amount


class Rest(Wire):
    """How many transactions are not listed, and the command that lists all."""

    count: Whole
    command: str


class LatestPlan(Wire):
    """The day of the latest plan, and whether this section is the same in that plan."""

    generated_on: date
    same: bool


class Explanation(Wire):
    """A section of the plan or the live view, explained with current data.

    `transactions` are the largest ones; `more` is null if the list is complete. `plan` is null before
    the first plan.
    """

    section: str
    title: str
    generated_on: date
    figures: tuple[Figure, ...]
    reasons: tuple[str, ...]
    transactions: tuple[FeedingRow, ...]
    more: Rest | None
    plan: LatestPlan | None


class SectionName(Wire):
    """The name of a section of the plan, or of a category."""

    section: Annotated[Text, Field(description="A section of the plan, or a category.")]


_NAME = re.compile(r"[A-Za-z_]\w*")
_NAMES_IN_WORDS = {
    "allCategories": "all spending",
    "discretionaryChanged": "bills that changed",
    "discretionaryOnce": "one-time spending",
    "essentialChanged": "bills that changed",
    "essentialOnce": "one-time spending",
    "issuersMinimum": "card issuer's minimum",
    "paid": "amount paid",
    "planned": "planned income",
    "regularUnknown": "uncategorized regular charges",
    "runningSpend": "spending a month from now on",
    "savedTotal": "total put aside",
    "todaysRows": "today's transactions",
    "total": "total amount",
    "usual": "monthly average",
}
"""What a person reads for names that are not figures of their own; others are split into words."""

_IN_NAMES = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|_")
_ARITHMETIC = re.compile(r"[,()+*/×÷]|(?:^|\s)-")
_SIGNS = {"*": "×", "/": "÷"}


def describe_formula(figure: Figure, beside: Iterable[Figure], currency: str) -> Iterator[str]:
    """The formula of a figure in words, then the same with the numbers in it; nothing where it has none.

    What it takes is called as it is where it stands among the figures `beside`, else by the words of its
    name. A formula that is one name alone would say its own result again.
    """
    if figure.formula is None:
        return
    labels = {quantity.name: _quoted(visible(quantity.label)) for quantity in beside}
    formula = "".join(_SIGNS.get(sign, sign) for sign in figure.formula)
    yield f"= {_with_words(formula, figure, labels)}"
    if _NAME.fullmatch(formula) is None:
        yield f"= {_with_numbers(formula, figure, currency)}"


def written(value: Value, unit: Unit, currency: str, *, bare: bool = False) -> str:
    """Write a value as its unit is read; `bare` leaves the unit's word out, as formulas do."""
    if value is None:
        return "unknown"
    if isinstance(value, str):
        return value.replace("_", " ") if unit == "word" else _day(value)
    if unit == "money" and isinstance(value, int):
        return figures.money(value, currency)
    if unit == "share":
        return f"{value:.4f}".rstrip("0").rstrip(".") if bare else figures.rate(value)
    number = f"{value:,}"
    if bare or unit == "count":
        return number
    return f"{number} {unit if value != 1 else unit.removesuffix('s')}"


def _with_words(formula: str, figure: Figure, labels: Mapping[str, str]) -> str:
    """A formula with what a person calls its names in their place; functions stay."""
    names = {value.name for value in figure.values}

    def put_label(match: re.Match[str]) -> str:
        name = match[0]
        return labels.get(name, _in_words(name)) if name in names else name

    return _NAME.sub(put_label, formula)


def _in_words(name: str) -> str:
    """A name as words: "essentialTotal" is "essential total"."""
    return _NAMES_IN_WORDS.get(name.rstrip("0123456789"), _IN_NAMES.sub(" ", name).lower())


def _quoted(label: str) -> str:
    """A label that could be read as a part of the arithmetic around it, set apart."""
    return f"“{label}”" if _ARITHMETIC.search(label) else label


def _with_numbers(formula: str, figure: Figure, currency: str) -> str:
    """A formula with the numbers in place of the names."""
    quantities = {quantity.name: quantity for quantity in figure.values}
    return _NAME.sub(lambda match: _number(quantities, match[0], currency), formula)


def _number(quantities: Mapping[str, Quantity], name: str, currency: str) -> str:
    if name not in quantities:
        return name
    text = written(quantities[name].value, quantities[name].unit, currency, bare=True)
    return f"({text})" if text.startswith("-") else text


def _day(text: str) -> str:
    return figures.long_date(date.fromisoformat(text))
