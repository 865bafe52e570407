"""What the person owns and owes, today and over time."""

from datetime import date

from finplan.model.base import Amount, Wire


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
