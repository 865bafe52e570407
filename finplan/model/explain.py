"""How a figure of the plan comes about: its formula, the numbers in it, and the rows that feed it."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, Text, Whole, Wire

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
