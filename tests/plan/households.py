"""Households for tests of the plan, said in few words.

    books = (
        household()
        .checking(balance=2_000_00)
        .credits(monthly("2025-01-25", 12), "ACME PAYROLL", 3_000_00, "wages")
        .charge("2025-01-03", "SAFEWAY", 42_00, "groceries")
        .savings("rainy day")
        .transfer("2025-02-01", "checking", "rainy day", 200_00)
        .books("2026-01-10")
    )

Amounts are minor units and positive; `charge` takes them out, `credit` brings them in. A row lands
on the account that was named last (`account`, `checking`, `card`, `on`, ...). A payee's categories
are set by `payee`, or by the `category` of its first row: a spending category holds for its refunds
too, an income category for its reversals. Days are "YYYY-MM-DD" or dates.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Self

from finplan.categorise.catalogue import Catalogue, Category
from finplan.model.account import AccountKind
from finplan.model.connection import ConnectionStatus, Provider
from finplan.model.user import HouseholdSettings
from finplan.plan.bookkeeping import keep_books
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.days import Interval, add_months, day_of, month_length
from finplan.plan.ledger.ledger import (
    Ledger,
    LedgerAccount,
    LedgerConnection,
    LedgerPayee,
    PlannedMoney,
    RecordedBalance,
    Row,
)

Day = str | date
"""A day as a test writes it."""

Amounts = int | Sequence[int]
"""One amount of all rows, or one of each."""

TODAY = date(2026, 1, 10)
"""The day on which most households are looked at."""

YEAR = ("2025-01-01", TODAY)
"""A year and ten days that the accounts cover, so that all of 2025 is averaged."""


def as_date(day: Day) -> date:
    """The date of a day as a test writes it."""
    return date.fromisoformat(day) if isinstance(day, str) else day


def every(first: Day, step: int, times: int) -> list[date]:
    """Days at equal distances: `every("2025-01-03", 14, 26)` is a year of biweekly Fridays."""
    return [as_date(first) + timedelta(step * place) for place in range(times)]


def monthly(first: Day, times: int, step: int = 1) -> list[date]:
    """The same day of `times` months, `step` months apart; in a short month its last day."""
    start = as_date(first)
    return _same_day(start, start.day, times, step)


def semimonthly(first_month: Day, times: int, days: tuple[int, int] = (15, 31)) -> list[date]:
    """Two days of each month from the month of `first_month`, `times` dates in all."""
    start = as_date(first_month).replace(day=1)
    dates = [when for day in days for when in _same_day(start, day, (times + 1) // 2)]
    return sorted(dates)[:times]


def _same_day(start: date, day: int, times: int, step: int = 1) -> list[date]:
    months = [add_months(start.year * 100 + start.month, step * place) for place in range(times)]
    return [date(month // 100, month % 100, min(day, month_length(month))) for month in months]


def on_weekdays(days: Iterable[date], roll: int = 1) -> list[date]:
    """The days with Saturdays and Sundays moved to the next (`roll` 1) or previous (-1) weekday."""
    saturday, sunday = (2, 1) if roll > 0 else (-1, -2)
    away = {5: timedelta(saturday), 6: timedelta(sunday)}
    return [day + away.get(day.weekday(), timedelta()) for day in days]


@dataclass
class Household:
    """Collects accounts, payees and rows; what adds something answers the household itself."""

    settings: HouseholdSettings
    catalogue: Catalogue = field(default_factory=Catalogue)
    accounts: dict[str, LedgerAccount] = field(default_factory=dict)
    connections: dict[str, LedgerConnection] = field(default_factory=dict)
    payees: dict[str, LedgerPayee] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    waiting: list[Row] = field(default_factory=list)
    recorded: list[RecordedBalance] = field(default_factory=list)
    dismissed: set[str] = field(default_factory=set)
    own_income: int | None = None
    planned: list[PlannedMoney] = field(default_factory=list)
    here: str = ""

    # Accounts

    def account(
        self,
        name: str,
        kind: AccountKind = "depository",
        subtype: str | None = "checking",
        *,
        covered: tuple[Day, Day] | list[tuple[Day, Day]] | None = None,
        connection: str = "bank",
        institution: str = "First Bank",
        currency: str | None = None,
        balance: int | None = 0,
        **details: Any,
    ) -> Self:
        """Add an account and land the next rows on it; `details` are its other fields."""
        spans = covered if isinstance(covered, list) else [covered] if covered else []
        self.accounts[name] = LedgerAccount(
            id=f"acc_{name}",
            connection_id=f"con_{connection}",
            institution=institution,
            name=name,
            mask=details.pop("mask", None),
            kind=kind,
            subtype=subtype,
            currency=currency or self.settings.currency,
            balance=balance,
            coverage=tuple(
                Interval(day_of(as_date(since)), day_of(as_date(until))) for since, until in spans
            ),
            **details,
        )
        if connection not in self.connections:
            self.connection(connection, institution=institution)
        return self.on(name)

    def checking(self, name: str = "checking", **details: Any) -> Self:
        """Add a checking account."""
        return self.account(name, "depository", "checking", **details)

    def savings(self, name: str = "savings", **details: Any) -> Self:
        """Add a savings account."""
        return self.account(name, "depository", "savings", **details)

    def card(self, name: str = "card", **details: Any) -> Self:
        """Add a credit card; its balance is what is owed."""
        return self.account(name, "credit", "credit card", **details)

    def loan(self, name: str = "loan", subtype: str = "auto", **details: Any) -> Self:
        """Add a loan; its balance is what is owed."""
        return self.account(name, "loan", subtype, **details)

    def brokerage(self, name: str = "brokerage", **details: Any) -> Self:
        """Add an investment account."""
        return self.account(name, "investment", "brokerage", **details)

    def on(self, name: str) -> Self:
        """Land the next rows on this account."""
        assert name in self.accounts, f"There is no account {name!r} in this household."
        self.here = name
        return self

    def connection(
        self,
        name: str,
        status: ConnectionStatus = "ok",
        *,
        provider: Provider = "manual",
        institution: str = "First Bank",
        error: str | None = None,
        last_synced_at: int | None = None,
        access_ends_at: int | None = None,
    ) -> Self:
        """Add or replace a connection."""
        self.connections[name] = LedgerConnection(
            *(f"con_{name}", institution, provider, status, error, last_synced_at, access_ends_at)
        )
        return self

    def recorded_balance(
        self, account: str, day: Day, balance: int, *, stated: bool = False
    ) -> Self:
        """Say what an account's balance was on a day, as a statement states it or as its owner does."""
        number = self.number(account)
        self.recorded.append(RecordedBalance(number, day_of(as_date(day)), balance, stated))
        return self

    # Payees and categories

    def category(self, category: Category) -> Self:
        """Add a person's own category."""
        self.catalogue = Catalogue({**self.catalogue.categories, category.id: category})
        return self

    def payee(
        self,
        name: str,
        out: str | None = None,
        into: str | None = None,
        *,
        by_amount: Mapping[int, str] | None = None,
        **guess: Any,
    ) -> Self:
        """Say how a payee is filed; `guess` may hold `filed`, `suggested` and the like."""
        if into is None and out is not None:
            into = "unknown_inflow" if out == "uncategorized" else out
        self.numbers.setdefault(name, len(self.numbers) + 1)
        self.payees[name] = LedgerPayee(
            key=name.lower(),
            name=name,
            out=out or into or "uncategorized",
            into=into or "unknown_inflow",
            by_amount=by_amount or {},
            **guess,
        )
        return self

    # Rows

    def charge(
        self,
        day: Day,
        payee: str,
        amount: int,
        category: str | None = None,
        *,
        pending: bool = False,
    ) -> Self:
        """Take money out; `amount` is positive."""
        return self.row(day, payee, -amount, category, pending=pending)

    def credit(
        self,
        day: Day,
        payee: str,
        amount: int,
        category: str | None = None,
        *,
        pending: bool = False,
    ) -> Self:
        """Bring money in: pay, a refund, whatever the payee's inflows are filed under."""
        return self.row(day, payee, amount, category, pending=pending)

    def charges(
        self, days: Iterable[Day], payee: str, amounts: Amounts, category: str | None = None
    ) -> Self:
        """Charge on each of the days; a shorter list of amounts starts over."""
        for place, day in enumerate(days):
            self.charge(day, payee, _nth(amounts, place), category)
        return self

    def credits(
        self, days: Iterable[Day], payee: str, amounts: Amounts, category: str | None = None
    ) -> Self:
        """Credit on each of the days; a shorter list of amounts starts over."""
        for place, day in enumerate(days):
            self.credit(day, payee, _nth(amounts, place), category)
        return self

    def transfer(
        self,
        day: Day,
        source: str,
        target: str,
        amount: int,
        *,
        arrives: Day | None = None,
        payee: str = "TRANSFER",
        category: str | None = "transfer",
        counts: bool | None = None,
    ) -> Self:
        """Move money between own accounts, as a pair; a loan's payment counts by default."""
        if counts is None:
            counts = self.accounts[target].kind == "loan"
        here = self.here
        self.on(source).row(day, payee, -amount, category, peer=target, counts=counts)
        self.on(target).row(arrives or day, payee, amount, category, peer=source, counts=counts)
        return self.on(here)

    def rents(self, amount: int, since: Day = "2025-01-01", times: int = 13) -> Self:
        """Pay rent each month, on the day of the month on which it begins."""
        return self.charges(monthly(since, times), "LANDLORD", amount, "rent")

    def earns(self, amount: int, since: Day = "2025-01-28", times: int = 12) -> Self:
        """Be paid each month, on the day of the month on which it begins."""
        return self.credits(monthly(since, times), "ACME", amount, "wages")

    def earns_biweekly(self, amount: int, since: Day = "2025-01-03", times: int = 27) -> Self:
        """Be paid every second week."""
        return self.credits(every(since, 14, times), "ACME", amount, "wages")

    def transfers(
        self, days: Iterable[Day], source: str, target: str, amounts: Amounts, **how: Any
    ) -> Self:
        """Move money on each of the days; a shorter list of amounts starts over."""
        for place, day in enumerate(days):
            self.transfer(day, source, target, _nth(amounts, place), **how)
        return self

    def card_payments(
        self, days: Iterable[Day], card: str, amounts: Amounts, payee: str = "TRANSFER"
    ) -> Self:
        """Pay a card from checking on each of the days."""
        return self.transfers(days, "checking", card, amounts, category="card_payment", payee=payee)

    def row(
        self,
        day: Day,
        payee: str,
        amount: int,
        category: str | None = None,
        *,
        peer: str | None = None,
        counts: bool = True,
        pending: bool = False,
    ) -> Self:
        """Add one row as a ledger holds it: `amount` is positive when money comes in."""
        assert self.here, "Add an account before its rows."
        if payee not in self.payees:
            self.payee(payee, category)
        row = (
            self.payee_number(payee),
            self.number(self.here),
            day_of(as_date(day)),
            amount,
            self.number(peer) if peer else 0,
            int(counts),
        )
        (self.waiting if pending else self.rows).append(row)
        return self

    # Decisions of the person

    def dismiss(self, *tasks: str) -> Self:
        """Dismiss tasks by id."""
        self.dismissed.update(tasks)
        return self

    def monthly_income(self, amount: int) -> Self:
        """Set the person's own figure of monthly income."""
        self.own_income = amount
        return self

    # Results

    def number(self, account: str) -> int:
        """The number under which the ledger holds an account."""
        return list(self.accounts).index(account) + 1

    def payee_number(self, payee: str) -> int:
        """The number under which the ledger holds a payee."""
        return self.numbers[payee]

    def plans_money(
        self,
        name: str,
        amount: int,
        first: Day,
        *,
        incoming: bool = False,
        account: str | None = None,
        planned_on: Day = TODAY,
        **details: Any,
    ) -> Self:
        """Plan to pay, or to receive, money; `details` are its other fields."""
        defaults = {"in_month": False, "cadence": None, "until": None, "category": None}
        self.planned.append(
            PlannedMoney(
                id=f"pln_{len(self.planned)}",
                name=name,
                amount=amount,
                incoming=incoming,
                first=as_date(first),
                account=None if account is None else self.number(account),
                planned_on=as_date(planned_on),
                **{**defaults, **details},
            )
        )
        return self

    def ledger(self) -> Ledger:
        """The ledger: only rows that count, ordered by payee, then day."""
        accounts = dict(enumerate(self.accounts.values(), start=1))
        counting = {
            number
            for number, account in accounts.items()
            if counts_in_totals(account, self.settings.currency)
        }
        return Ledger(
            settings=self.settings,
            accounts=accounts,
            payees={self.numbers[name]: payee for name, payee in self.payees.items()},
            rows=_ordered(self.rows, counting),
            pending=_ordered(self.waiting, counting),
            catalogue=self.catalogue,
            connections=tuple(self.connections.values()),
            recorded=tuple(self.recorded),
            dismissed=frozenset(self.dismissed),
            monthly_income=self.own_income,
            planned=tuple(self.planned),
        )

    def books(self, today: Day) -> Books:
        """The books of this household on a day."""
        return keep_books(self.ledger(), as_date(today))


def household(currency: str = "USD", **settings: Any) -> Household:
    """An empty household; `settings` are `time_zone`, `budget_shares` and `target_months`."""
    chosen = {"time_zone": "UTC", "budget_shares": None, "target_months": None, **settings}
    return Household(HouseholdSettings(currency=currency, **chosen))


def with_cash(balance: int | None, covered: Any = YEAR) -> Household:
    """A household with so much in checking, which is covered for a year unless said otherwise."""
    return household().checking(balance=balance, covered=covered)


def _nth(amounts: Amounts, place: int) -> int:
    return amounts if isinstance(amounts, int) else amounts[place % len(amounts)]


def _ordered(rows: Iterable[Row], counting: set[int]) -> list[Row]:
    return sorted((row for row in rows if row[1] in counting), key=lambda row: (row[0], row[2]))
