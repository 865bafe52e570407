"""Balances over time: the evenings ahead of cash, with what moves it, and what is owned and owed."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, Whole, Wire
from finplan.model.recurring import Probability

ForecastKind = Literal["income", "bill", "card", "spending"]

FURTHEST_DAY_AHEAD = 120
"""Days: beyond, nobody knows enough to draw a line."""

USUAL_DAYS_AHEAD = 60


class ForecastItem(Wire):
    """What moves cash on a day: positive comes in, negative goes out.

    `card` is what a card takes: its bill, or its minimum and what is usually paid beyond it; `spending`
    is what such a weekday usually brings and takes beside all that is named. `probability` is how likely
    a charge is to come on its day and within a tenth of its amount, null of everything else.
    """

    kind: ForecastKind
    name: str
    amount: Amount
    probability: Probability | None


class ForecastDay(Wire):
    """The end of a day: `expected` is that of the day before and the sum of the day's items.

    Cash lies between `low` and `high` on four of five paths; both are null where nothing usual is known.
    """

    date: date
    expected: Amount
    low: Amount | None
    high: Amount | None
    items: tuple[ForecastItem, ...]


class ForecastLow(Wire):
    """The first day on which expected cash is lowest."""

    date: date
    expected: Amount


class Forecast(Wire):
    """Cash from today, `from`, to `to`, minor units.

    `start` is cash now less what is pending, and the first day is today with what is still due. `notes`
    say what the days rest on and leave out. Without a known balance `start` and `low` are null, and
    there are no days.
    """

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    start: Amount | None
    low: ForecastLow | None
    days: tuple[ForecastDay, ...]
    notes: tuple[str, ...]


class ForecastQuery(Wire):
    """How many days are looked ahead."""

    days: Annotated[
        Whole,
        Field(ge=1, le=FURTHEST_DAY_AHEAD, description="How many days after today, 1 to 120."),
    ] = USUAL_DAYS_AHEAD


class WealthBalances(Wire):
    """Balances today; `available` is cash after what is owed on cards."""

    cash: Amount
    investments: Amount
    card_debt: Amount
    loans: Amount
    net_worth: Amount
    available: Amount


class WealthPoint(Wire):
    """One day's assets, debts and their difference."""

    date: date
    assets: Amount
    debts: Amount
    net_worth: Amount


class Wealth(Wire):
    """Balances today and the history of net worth; the last point is today."""

    today: date
    balances: WealthBalances
    history: tuple[WealthPoint, ...]
