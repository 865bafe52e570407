"""Which own account a row's text names: by its number, its bank, its card or its payment service."""

import re
from collections.abc import Iterable, Mapping

from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.evidence import (
    Evidence,
    names_bank,
    names_number,
    services_in,
    telling_words,
)

_PAYABLE = frozenset({"credit", "loan", "investment"})
"""Kinds of accounts that payments go to, and their banks' names with them."""


class OwnNames:
    """The names of a household's accounts; accounts go by their numbers."""

    def __init__(self, accounts: Mapping[int, LedgerAccount]) -> None:
        self._accounts = accounts
        self._endings = [held.mask[-4:] for held in accounts.values() if held.mask]
        self._payable = [no for no, held in accounts.items() if held.kind in _PAYABLE]
        self._services = {
            number: services_in(f"{held.institution} {held.name} {held.subtype}".lower())
            for number, held in accounts.items()
        }
        self._wallets = frozenset[str]().union(*self._services.values())
        self._names = {
            number: telling_words(f"{held.institution} {held.name}")
            for number, held in accounts.items()
        }
        words = sorted(frozenset[str]().union(*(self._names[number] for number in self._payable)))
        self._issuers = re.compile(rf"\b(?:{'|'.join(words)})\b") if words else None

    def may_be_named(self, raw: str) -> bool:
        """Whether a text may hold the last digits of an own account's number."""
        return any(ending in raw for ending in self._endings)

    def is_paid(self, text: Evidence, raw: str, source: int, only: int | None = None) -> bool:
        """Whether an outgoing row calls itself a payment and names an own card, loan or investment.

        With `only` it must name that account. Banks write many things into one payee's rows, and what
        most of them are for says little then.
        """
        if self._issuers is None or not self._issuers.search(raw.lower()):
            return False
        among: Iterable[int] = [only] if only is not None else self._payable
        return (text.payment or text.investment) and any(
            not text.words.isdisjoint(self._names[number] - self._names[source]) for number in among
        )

    def names_wallet(self, text: Evidence, account: int) -> bool:
        """Whether a row of an account names the service that another own account is held at."""
        return not text.services.isdisjoint(self._wallets - self._services[account])

    def names_service(self, text: Evidence, account: int, wallet: int) -> bool:
        """Whether a row of an account names the service that this other account is held at."""
        return not text.services.isdisjoint(self._services[wallet] - self._services[account])

    def names_target(self, left: Evidence, source: int, target: int) -> bool:
        """Whether an outgoing row names the bank of the account that it would go to, or the card."""
        held, other = self._accounts[source], self._accounts[target]
        if held.institution != other.institution and names_bank(left, other):
            return True
        return other.kind == "credit" and bool(self.card_words(left, source, target))

    def names_source(self, arrived: Evidence, source: int, target: int) -> bool:
        """Whether an incoming row names the bank that it would come from, and no purpose such as pay."""
        held, other = self._accounts[source], self._accounts[target]
        return (
            held.institution != other.institution
            and other.kind != "credit"
            and not arrived.purpose
            and names_bank(arrived, held)
        )

    def name_two_parties(self, left: Evidence, arrived: Evidence) -> bool:
        """Whether both rows name somebody who is none of the household's banks, and not the same one."""
        ours = frozenset[str]().union(*self._names.values())
        one, other = left.parties - ours, arrived.parties - ours
        return bool(one) and bool(other) and one.isdisjoint(other)

    def card_words(self, left: Evidence, source: int, target: int) -> frozenset[str]:
        """The words of a text that name one account and not the other."""
        return left.words & (self._names[target] - self._names[source])

    def names_another_card(self, left: Evidence, source: int, target: int) -> bool:
        """Whether an outgoing row names an own card that is not the one it would be paid to."""
        here = self._names[source] | self._names[target]
        return any(
            held.kind == "credit" and not left.words.isdisjoint(self._names[number] - here)
            for number, held in self._accounts.items()
        )

    def names_another(self, text: Evidence, source: LedgerAccount, target: LedgerAccount) -> bool:
        """Whether a text holds the digits of an own account other than these two, and of neither."""
        if not text.endings or names_number(text, source) or names_number(text, target):
            return False
        return any(names_number(text, account) for account in self._accounts.values())
