"""The face that every bank shows: a sync that starts from a cursor and answers a page."""

from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple, Protocol

from finplan.model.account import AccountKind
from finplan.model.characters import visible


@dataclass(frozen=True, slots=True)
class BankAccount:
    """An account as the bank knows it.

    `balance` follows the store's convention: positive is owned on depository and investment
    accounts, owed on credit and loan accounts; minor units of `currency`. `covered_since` is the
    first day that the bank has rows for, YYYYMMDD.
    """

    external_id: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    currency: str
    balance: int | None
    credit_limit: int | None = None
    apr: float | None = None
    minimum_payment: int | None = None
    covered_since: int | None = None


class BankTransaction(NamedTuple):
    """A row as the bank knows it; `amount` is positive when money comes in, `day` is YYYYMMDD.

    `replaces` is the external id of the pending row that this posted row settles, where the bank
    says. `code` is its own code of what the row was for (see `categorise.merchant_codes`).
    """

    account: str
    external_id: str
    day: int
    amount: int
    raw: str
    payee: str | None = None
    pending: bool = False
    replaces: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class SyncPage:
    """What changed since a cursor: whole accounts, rows added, rows modified, ids removed.

    `more` says that another page follows; `complete` that the bank has no further history to give.
    """

    accounts: tuple[BankAccount, ...]
    added: tuple[BankTransaction, ...]
    modified: tuple[BankTransaction, ...]
    removed: tuple[str, ...]
    cursor: str
    more: bool = False
    complete: bool = True

    def seen(self) -> "SyncPage":
        """The page without characters that a person cannot see in what the bank calls things."""
        return replace(
            self,
            accounts=tuple(replace(each, name=visible(each.name)) for each in self.accounts),
            added=tuple(map(_seen, self.added)),
            modified=tuple(map(_seen, self.modified)),
        )


def _seen(row: BankTransaction) -> BankTransaction:
    return row._replace(raw=visible(row.raw), payee=row.payee and visible(row.payee))


@dataclass(frozen=True, slots=True)
class Link:
    """What a bank needs to know of a connection: whose it is, where, its secret if any."""

    owner: str
    institution: str
    secret: str | None = None


class Bank(Protocol):
    """A provider. Raises model.errors.BankProviderError when the provider fails."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Fetch what changed since the cursor; None means from the beginning."""
        ...
