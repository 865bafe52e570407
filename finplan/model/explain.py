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
    "window": "Which days the averages are taken over.",
    "snapshot": "What you own and owe on the day of the plan.",
    "monthly": "Income, spending and what is left of a month.",
    "dailyAllowance": "The plan's own pace of discretionary spending a day.",
    "categories": "What each category takes of a month.",
    "incomeSources": "Who pays you, how often, and what is planned with.",
    "recurring": "Which charges come again, and what they come to a month.",
    "emergencyFund": "How long your cash lasts, and what is missing.",
    "debt": "What cards are owed, and the way out.",
    "budget": "What each line of the budget takes, and could take.",
    "actions": "Why the plan tells you to do what it does.",
    "notes": "What the figures leave out or assume.",
    "allowance": "What is safe to spend today and until payday.",
    "wealth": "Net worth today, and how its history is drawn.",
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
    """One figure in the order of computing.

    `formula` is arithmetic over the names of `values`, and `result` is what it comes to: `+ - * /`,
    `min`, `max`, and `floor`, `ceil` and half-even `round`, which may take a number of decimals. A
    figure without a formula is given by the data or chosen by a rule that `reasons` tell.
    """

    name: str
    label: str
    unit: Unit
    formula: str | None
    values: tuple[Quantity, ...]
    result: Value


class FeedingRow(Wire):
    """One transaction that feeds the figures; `amount` is positive when money comes in."""

    date: date
    payee: str
    account: str
    category: str
    amount: Amount


class Rest(Wire):
    """The transactions that are not listed, and the command that lists all."""

    count: Whole
    command: str


class LatestPlan(Wire):
    """The day of the latest plan, and whether it says the same of this section."""

    generated_on: date
    same: bool


class Explanation(Wire):
    """A section of the plan or the live view, explained with the data of now.

    `transactions` are the largest; `more` is null when they are all. `plan` is null before the first.
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
    """Names a section of the plan, or a category."""

    section: Annotated[Text, Field(description="A section of the plan, or a category.")]


_NAME = re.compile(r"[A-Za-z_]\w*")
_IN_NAMES = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|_")
_ARITHMETIC = re.compile(r"[,()+*/×÷]|(?:^|\s)-")
_SIGNS = {"*": "×", "/": "÷"}


def formula_said(figure: Figure, beside: Iterable[Figure], currency: str) -> Iterator[str]:
    """The formula of a figure in words, then the same with the numbers in it; nothing where it has none.

    What it takes is called as it is where it stands among the figures `beside`, else by the words of its
    name. A formula that is one name alone would say its own result again.
    """
    if figure.formula is None:
        return
    labels = {each.name: _quoted(visible(each.label)) for each in beside}
    formula = "".join(_SIGNS.get(sign, sign) for sign in figure.formula)
    yield f"= {_with_words(formula, figure, labels)}"
    if _NAME.fullmatch(formula) is None:
        yield f"= {_with_numbers(formula, figure, currency)}"


def written(value: Value, unit: Unit, currency: str, *, bare: bool = False) -> str:
    """Write a value as its unit is read; `bare` leaves the unit's word out, as formulas do."""
    if value is None:
        return "not known"
    if isinstance(value, str):
        return value.replace("_", " ") if unit == "word" else _day(value)
    if unit == "money" and isinstance(value, int):
        return figures.money(value, currency)
    if unit == "share":
        return f"{value:.4f}".rstrip("0").rstrip(".") if bare else f"{100 * value:.4g} %"
    number = f"{value:,}"
    if bare or unit == "count":
        return number
    return f"{number} {unit if value != 1 else unit.removesuffix('s')}"


def _with_words(formula: str, figure: Figure, labels: Mapping[str, str]) -> str:
    """A formula with what a person calls its names in their place; functions stay."""
    known = {each.name for each in figure.values}

    def said(found: re.Match[str]) -> str:
        name = found[0]
        return labels.get(name, _IN_NAMES.sub(" ", name).lower()) if name in known else name

    return _NAME.sub(said, formula)


def _quoted(label: str) -> str:
    """A label that could be read as a part of the arithmetic around it, set apart."""
    return f"“{label}”" if _ARITHMETIC.search(label) else label


def _with_numbers(formula: str, figure: Figure, currency: str) -> str:
    """A formula with the numbers in place of the names."""
    known = {each.name: each for each in figure.values}
    return _NAME.sub(lambda found: _number(known, found[0], currency), formula)


def _number(known: Mapping[str, Quantity], name: str, currency: str) -> str:
    if name not in known:
        return name
    text = written(known[name].value, known[name].unit, currency, bare=True)
    return f"({text})" if text.startswith("-") else text


def _day(text: str) -> str:
    return figures.long_date(date.fromisoformat(text))
