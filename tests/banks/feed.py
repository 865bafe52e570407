"""What a client of the demo bank keeps: the pages it was given, applied one after another."""

import asyncio
from datetime import date, timedelta

from finplan.banks.base import BankAccount, BankTransaction, Link, SyncPage
from finplan.banks.demo.bank import Demo

ONE_DAY = timedelta(days=1)


def day_of(number: int) -> date:
    return date(number // 10_000, number // 100 % 100, number % 100)


def days_apart(earlier: int, later: int) -> int:
    return (day_of(later) - day_of(earlier)).days


class Feed:
    """A person's demo connection: it syncs, and holds what a store would hold afterwards."""

    def __init__(self, owner: str, today: date | None = None) -> None:
        self.owner = owner
        self.cursor: str | None = None
        self.rows: dict[str, BankTransaction] = {}
        self.accounts: dict[str, BankAccount] = {}
        if today:
            self.sync(today)

    def sync(self, today: date) -> SyncPage:
        link = Link(owner=self.owner, institution="Demo")
        pages: list[SyncPage] = []

        async def ask() -> None:
            pages.append(await Demo().sync(link, self.cursor, today))

        # A run that answers something writes it out when it ends, which takes a while for a page.
        asyncio.run(ask())
        (page,) = pages
        for gone in page.removed:
            assert self.rows.pop(gone).pending, "only a pending row is ever removed"
        for row in page.added:
            assert row.external_id not in self.rows, "no row is ever given twice"
            self.rows[row.external_id] = row
        self.accounts = {self.short(account.external_id): account for account in page.accounts}
        self.cursor = page.cursor
        return page

    @staticmethod
    def short(account: str) -> str:
        """An account's name without the household's tag."""
        return account.split("-")[1]

    @property
    def posted(self) -> list[BankTransaction]:
        return [row for row in self.rows.values() if not row.pending]

    @property
    def pending(self) -> list[BankTransaction]:
        return [row for row in self.rows.values() if row.pending]

    def on(self, account: str) -> list[BankTransaction]:
        """The posted rows of an account, by day."""
        rows = [row for row in self.posted if self.short(row.account) == account]
        return sorted(rows, key=lambda row: row.day)

    def named(self, account: str, *words: str) -> list[BankTransaction]:
        """The posted rows of an account whose descriptor holds every word."""
        return [row for row in self.on(account) if all(word in row.raw for word in words)]

    def owned(self, account: str) -> int:
        """What an account is worth, below zero when it owes."""
        balance = self.accounts[account].balance
        assert balance is not None
        return -balance if self.accounts[account].kind in {"credit", "loan"} else balance

    def owned_by_day(self, account: str) -> dict[int, int]:
        """What an account was worth at the end of each day with a row, from today backwards."""
        worth = self.owned(account)
        ends: dict[int, int] = {}
        for row in reversed(self.on(account)):
            ends.setdefault(row.day, worth)
            worth -= row.amount
        return ends

    def owned_on(self, account: str, day: date) -> int:
        """What an account was worth at the end of a day."""
        later = (row.amount for row in self.on(account) if day_of(row.day) > day)
        return self.owned(account) - sum(later)
