"""Entries of a journal as rows of the person's own accounts.

An account is own when its name begins with assets or liabilities, or when the journal says so. Only cash
counts: postings of other commodities than currencies are investments.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from finplan.model.account import AccountKind
from finplan.model.money import CODES, LARGEST_AMOUNT, to_minor
from finplan.statements.journal.amounts import CommodityAmount, PostedAmount
from finplan.statements.left_out import NO_CASH, STATES_BALANCE
from finplan.statements.statement import (
    StatementAccount,
    StatementPart,
    StatementRow,
    UnreadableStatement,
)
from finplan.statements.text.currencies import (
    currencies_sharing,
    currency_of,
    currency_question,
    known_currency,
)
from finplan.statements.text.descriptors import fold, joined, quoted

Nature = str
"""What an account is, by its type in a directive or by the first word of its name."""

_OWN_ROOTS = {
    "assets": "asset", "asset": "asset", "liabilities": "liability", "liability": "liability",
    "aktiva": "asset", "vermögen": "asset", "vermoegen": "asset", "actifs": "asset",
    "actif": "asset", "activos": "asset", "activo": "asset", "attività": "asset",
    "verbindlichkeiten": "liability", "passifs": "liability", "passif": "liability",
    "pasivos": "liability", "pasivo": "liability", "passività": "liability", "debts": "liability",
}  # fmt: skip
_TYPES = {
    "a": "asset", "asset": "asset", "c": "asset", "cash": "asset",
    "l": "liability", "liability": "liability",
}  # fmt: skip
_OTHER = "other"
_BEGINNINGS = re.compile(r"equity:(?:.*[: ])?(?:opening|closing|starting|initial)", re.IGNORECASE)
_LOAN = re.compile(r"mortgage|loan|kredit(?!karte)|hypothek|student", re.IGNORECASE)
_INVESTMENT = re.compile(
    r"invest|broker|401k|\bira\b|\b529\b|retirement|pension|crypto|vanguard|fidelity|depot\b",
    re.IGNORECASE,
)
_MOST_ACCOUNTS = 1000


@dataclass(slots=True)
class Posting:
    """One line of an entry; `amount` is None when the journal leaves it to be worked out."""

    account: str
    amount: PostedAmount | None
    pending: bool = False
    day: int | None = None


@dataclass(slots=True)
class JournalEntry:
    """One transaction; `payee` is None where the text alone describes it."""

    line: int
    day: int
    text: str
    payee: str | None = None
    pending: bool = False
    postings: list[Posting] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)


class Chart:
    """The journal's accounts: which are the person's own, and what an export of finplan says of them."""

    def __init__(self, currency: str) -> None:
        self.default_commodity = ""
        self.has_investments = False
        self._currency = currency
        self._declared: dict[str, Nature] = {}
        self._known: dict[str, Nature] = {}
        self._roots = dict(_OWN_ROOTS)
        self._facts: dict[str, dict[str, str]] = {}
        self._accounts: dict[tuple[str, str], StatementAccount] = {}
        self._codes: dict[str, str | None] = {}
        self._left_out: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def rename_root(self, kind: str, name: str) -> None:
        """Heed an option that gives the assets or the liabilities another first word."""
        self._roots[name.casefold()] = "asset" if kind == "name_assets" else "liability"
        self._known.clear()

    def declare(self, account: str, kind: str | None, facts: dict[str, str]) -> None:
        """Heed a directive for an account: its type, and what finplan wrote below it."""
        if kind is not None:
            self._declared[account] = _TYPES.get(kind.strip().casefold(), _OTHER)
            self._known.clear()
        if facts.get("id"):
            self._facts[account] = facts

    def rows(self, entry: JournalEntry) -> Iterator[tuple[StatementAccount, StatementRow]]:
        """Give the rows of one entry. Raises UnreadableStatement and AmbiguousStatement.

        An entry that only states opening or closing balances moves no money and gives none.
        """
        others = [each.account for each in entry.postings if self._nature(each.account) is None]
        states_balances = bool(others) and all(map(_BEGINNINGS.match, others))
        for posting in entry.postings:
            if self._nature(posting.account) is None:
                continue
            if states_balances:
                self._left_out[posting.account][STATES_BALANCE] += 1
                continue
            for money in _moved(entry, posting):
                code = self._code(money.commodity)
                if code is None:
                    self.has_investments = True
                    self._left_out[posting.account][NO_CASH] += 1
                    continue
                amount = to_minor(money.quantity, code)
                if abs(amount) > LARGEST_AMOUNT:
                    raise UnreadableStatement(
                        f"Line {entry.line}: {money.quantity:.6g} {code} is too large an amount."
                    )
                if amount:
                    account = self._account(posting.account, code)
                    yield account, _row(entry, posting, amount, account)

    def left_out(self) -> Iterator[StatementPart]:
        """Tell what `rows` left out, by account; the first takes what is of accounts without rows."""
        by_name = {name: account for (name, _), account in reversed(self._accounts.items())}
        first = next(iter(self._accounts.values()), None)
        totals: defaultdict[StatementAccount, Counter[str]] = defaultdict(Counter)
        for name, counts in self._left_out.items():
            account = by_name.get(name) or first
            if account is not None:
                totals[account].update(counts)
        for account, counts in totals.items():
            yield StatementPart(account, left_out=dict(counts))

    def _nature(self, account: str) -> Nature | None:
        """Say whether an account is an asset or a liability, None for anything else."""
        nature = self._known.get(account)
        if nature is None:
            nature = self._known[account] = self._inherited(account)
        return None if nature == _OTHER else nature

    def _inherited(self, account: str) -> Nature:
        """The nature of the nearest account above that has one, down to the first word."""
        above = account
        while above:
            if above in self._declared:
                return self._declared[above]
            above = above.rpartition(":")[0]
        return self._roots.get(account.partition(":")[0].casefold(), _OTHER)

    def _code(self, commodity: str) -> str | None:
        """The currency of a commodity, None for anything that is no money."""
        if commodity not in self._codes:
            self._codes[commodity] = self._find_code(commodity)
        return self._codes[commodity]

    def _find_code(self, commodity: str) -> str | None:
        printed = commodity or self.default_commodity
        if not printed:
            return known_currency(self._currency)
        sharing = currencies_sharing(printed)
        if not sharing:
            return printed if printed in CODES else currency_of(printed)
        if self._currency in sharing:
            return self._currency
        raise currency_question(
            f"The amounts are in “{printed}”, which several countries use", sharing
        )

    def _account(self, name: str, currency: str) -> StatementAccount:
        key = name, currency
        if key not in self._accounts:
            if len(self._accounts) >= _MOST_ACCOUNTS:
                raise UnreadableStatement("The journal has more than a thousand accounts.")
            self._accounts[key] = self._new_account(name, currency)
        return self._accounts[key]

    def _new_account(self, name: str, currency: str) -> StatementAccount:
        facts = self._facts.get(name)
        if facts is None:
            return StatementAccount(name, name, currency, kind=self._kind(name))
        return StatementAccount(
            facts.get("number"),
            facts.get("name") or name,
            currency,
            facts.get("institution"),
            kind_named(facts.get("kind")),
            facts.get("subtype"),
            facts["id"],
        )

    def _kind(self, name: str) -> AccountKind | None:
        """What the name says an account is; None leaves it to the words that banks use."""
        if self._nature(name) == "liability":
            return "loan" if _LOAN.search(name) else "credit"
        return "investment" if _INVESTMENT.search(name) else None


def kind_named(text: str | None) -> AccountKind | None:
    """Read the kind of an account as an export names it."""
    kinds: tuple[AccountKind, ...] = ("depository", "credit", "loan", "investment", "other")
    return next((kind for kind in kinds if kind == text), None)


def _moved(entry: JournalEntry, posting: Posting) -> Sequence[CommodityAmount]:
    """What a posting moves; without an amount of its own it balances the others."""
    if posting.amount is not None:
        return [posting.amount.money]
    if sum(each.amount is None for each in entry.postings) > 1:
        raise UnreadableStatement(
            f"Line {entry.line}: more than one posting has no amount, so none can be worked out."
        )
    totals: dict[str, Decimal] = {}
    for each in entry.postings:
        if each.amount is None:
            continue
        if each.amount.worth is None:
            raise UnreadableStatement(
                f"Line {entry.line}: the amount of {quoted(posting.account, 80)} is not written, "
                "and cannot be worked out beside a cost that is not written either."
            )
        worth = each.amount.worth
        totals[worth.commodity] = totals.get(worth.commodity, Decimal(0)) - worth.quantity
    return [
        CommodityAmount(quantity, commodity) for commodity, quantity in totals.items() if quantity
    ]


def _row(
    entry: JournalEntry, posting: Posting, amount: int, account: StatementAccount
) -> StatementRow:
    day = posting.day or entry.day
    if account.id is not None:
        text = entry.tags.get("text", entry.text)
        return StatementRow(day, amount, text, entry.tags.get("row"), entry.tags.get("payee"))
    pending = entry.pending or posting.pending
    payee = fold(entry.payee or "") or None
    text = joined(filter(None, (payee, fold(entry.text))))
    return StatementRow(day, amount, text, None, payee, pending)
