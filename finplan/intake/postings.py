"""What of a decided import is to be written, as values: a currency, accounts, payees, and their news."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from finplan.intake.files import ImportRun, ResolvedAccount
from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.model.errors import BadRequest
from finplan.plan.ledger.classes import counts_in_totals, kind_owes
from finplan.plan.ledger.days import Interval

NamedPayee = tuple[str, str, str]
"""A payee's key, its name, and the first descriptor that it was seen under."""

_DIGITS_SHOWN = 4


class WriteFacts(NamedTuple):
    """What the store knows when the writes of an import are decided; its rows have been matched.

    `currency` is the household's, None before the first account. `rows` counts the booked rows of each
    account of the files, by its local number, while there is none. `payees` are the store's numbers by
    key; `of_new_rows` the local numbers of the payees of new rows, None for all. `recorded` are the days
    of balances that the store has of an account that an export is of, by its number.
    """

    currency: str | None
    rows: Mapping[int, int]
    payees: Mapping[str, int]
    of_new_rows: Collection[int] | None
    recorded: Mapping[int, Collection[int]]


class AccountNews(NamedTuple):
    """What an account learns: the days it is covered for, its sources, and balances by their day.

    `balance` is the newest of these where it is newer than what is known, with its day, None else; all
    are in the sign of the account's kind.
    """

    account: ResolvedAccount
    intervals: Sequence[Interval]
    sources: frozenset[str]
    balances: Mapping[int, int]
    balance: tuple[int, int] | None

    @property
    def values(self) -> dict[str, object]:
        """What the account is known by from then on."""
        values: dict[str, object] = {"sources": " ".join(sorted(self.sources))}
        if self.balance is not None:
            values["balance_day"], values["balance"] = self.balance
        return values


@dataclass(frozen=True, slots=True)
class Writes:
    """What an import writes beside its rows.

    `currency` is the one that it brings the household, None where there is one. `created` are the new
    accounts, each with its institution and what it is known by; `news` is what each account learns.
    `payees` are the new ones, and `counts` says of each local number whether its account's rows do.
    """

    currency: str | None
    created: Sequence[tuple[ResolvedAccount, str, Mapping[str, object]]]
    news: Sequence[AccountNews]
    payees: Sequence[NamedPayee]
    counts: Mapping[int, bool]


def has_known_rows(run: ImportRun) -> bool:
    """Say whether any row of the files waits, or is there already; the rows must have been matched."""
    return any(file.known or file.ambiguous or file.pending for file in run.reports)


def decide_writes(run: ImportRun, facts: WriteFacts, default_currency: str) -> Writes:
    """Decide what is written of an import whose accounts are resolved and whose rows are matched.

    Without any account the household's currency is `default_currency`. Raises BadRequest for a balance
    of no day.
    """
    brought = _first_currency(run, facts.rows) if facts.currency is None else None
    household = facts.currency or brought or default_currency
    accounts = dict.fromkeys(run.accounts)
    return Writes(
        brought,
        [
            (account, account.staged.account.institution or UNNAMED_INSTITUTION, _known_by(account))
            for account in accounts
            if account.new
        ],
        [_news_of(account, facts.recorded.get(account.no, ())) for account in accounts],
        _payees_to_add(run, facts),
        {
            local: counts_in_totals(account.held, household)
            for local, account in enumerate(run.accounts)
        },
    )


def _first_currency(run: ImportRun, rows: Mapping[int, int]) -> str | None:
    """The currency of most rows; of several that are equally common the one that stands first."""
    counted = Counter[str]()
    for local, account in enumerate(run.accounts):
        counted[account.currency] += rows.get(local, 0)
    return max(counted, key=counted.__getitem__, default=None)


def _known_by(account: ResolvedAccount) -> dict[str, object]:
    number = account.staged.account.number
    digits = "".join(letter for letter in number or "" if letter.isalnum())
    last = digits[-_DIGITS_SHOWN:]
    return {
        "external_id": account.external_id,
        "name": account.name,
        "mask": last if any(map(str.isdigit, last)) and len(last) == _DIGITS_SHOWN else None,
        "kind": account.kind,
        "subtype": account.staged.subtype,
        "currency": account.currency,
        "hidden": 0,
        "kept": "",
        "sources": "",
    }


def _news_of(account: ResolvedAccount, recorded: Collection[int]) -> AccountNews:
    """What the files say of an account; of days that are known already an export says nothing new."""
    staged = account.staged
    sources = account.sources | staged.sources
    if staged.balance is None:
        return AccountNews(account, account.intervals, sources, {}, None)
    day = staged.balance_day or staged.until
    if day is None:
        raise BadRequest("The statement has a balance without a date. Download it again.")
    sign = -1 if kind_owes(account.kind) else 1
    known_days = set(recorded) if staged.is_exported else set()
    stated = {day: staged.balance} | staged.balances
    newest = 0 if account.existing is None else account.existing.balance_day or 0
    is_newer = day >= newest and "balance" not in account.kept
    return AccountNews(
        account,
        account.intervals,
        sources,
        {on: sign * stated[on] for on in sorted(stated.keys() - known_days)},
        (day, sign * staged.balance) if is_newer else None,
    )


def _payees_to_add(run: ImportRun, facts: WriteFacts) -> list[NamedPayee]:
    """The payees of new rows that the store does not know, each once; the first descriptor shows it.

    Payees that only known rows name have other names already.
    """
    added: dict[str, NamedPayee] = {}
    for local, payee in enumerate(run.staged.payees):
        is_new = facts.of_new_rows is None or local in facts.of_new_rows
        if is_new and payee[0] not in facts.payees:
            # Several local payees may be one, whose names were joined.
            added.setdefault(payee[0], payee)
    return list(added.values())
