"""The rent that nobody has named yet: what looks like it among regular payments in no category.

Most of a plan hangs on it, so its question comes before all others. It is suggested and never filed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from finplan.categorise.people import names_landlord
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.ledger import Ledger, LedgerPayee
from finplan.plan.pairing.twins import Twins, payees_with_twins
from finplan.plan.sections.spending import running_charges
from finplan.plan.words import day, money

CONFIDENCE = 0.7
"""How sure the suggestion is: a person may also be paid for something else each month."""

_HOMES = ("rent", "mortgage")

_FIRST_DAYS = 7
"""Rent is paid on the first days of a month, or after a weekend and a holiday that begin it."""

_LATEST = 6
"""How many of the last payments are looked at; one of so many may have come on another day."""

_LEAST = 10
"""A rent takes a tenth of a month's spending at least."""

_KNOWN_FROM = 0.5
"""From this confidence on, a guess says what a payee is."""


@dataclass(frozen=True, slots=True)
class LikelyRent:
    """The number of the payee that is likely paid the rent, and what speaks for it, a sentence."""

    payee: int
    evidence: str


def likely_rent(
    ledger: Ledger, books: Books, twins: Iterable[Twins], today: date
) -> LikelyRent | None:
    """The largest of the possible rents that goes to a payee whose name may be a landlord's.

    Never one of which a row may be half of a transfer between own accounts.
    """
    twinned = payees_with_twins(twins)
    found = [
        charge
        for charge in _possible_rents(ledger, books)
        if names_landlord(ledger.payees[charge.payees[-1]].key)
        and twinned.isdisjoint(charge.payees)
    ]
    if not found:
        return None
    rent = found[0]
    currency = ledger.settings.currency
    return LikelyRent(
        rent.payees[-1],
        f"{rent.name} looks like your rent: {money(rent.amount, currency)} at the start of the month,"
        f" {rent.count_all} times since {day(rent.first_date, today)}, to what may be a landlord, while"
        " no rent or mortgage is known.",
    )


def may_be_rents(ledger: Ledger, books: Books) -> frozenset[int]:
    """The payees whose question offers rent among its choices, cheques included."""
    return frozenset(charge.payees[-1] for charge in _possible_rents(ledger, books))


def _possible_rents(ledger: Ledger, books: Books) -> list[Series]:
    """Regular payments in no category that come as rent does, dearest first.

    There are none where a home is paid for. They are monthly, at the start of the month, at least a
    tenth of spending, and go to a payee of whom nothing else is known.
    """
    if any(books.categories[each].total > 0 for each in _HOMES if each in books.categories):
        return []
    return [charge for charge in running_charges(books) if _comes_as_rent(charge, ledger, books)]


def _comes_as_rent(charge: Series, ledger: Ledger, books: Books) -> bool:
    return (
        charge.category == "uncategorized"
        and charge.cadence == "monthly"
        and charge.monthly * books.window.months * _LEAST >= books.spending
        and _opens_months(charge)
        and not _is_known(ledger.payees[charge.payees[-1]])
    )


def _opens_months(charge: Series) -> bool:
    """Whether the last payments left on the first days of a month, one of six perhaps later."""
    latest = charge.recent[-_LATEST:]
    return _LATEST * sum(when.day > _FIRST_DAYS for when, _ in latest) <= len(latest)


def _is_known(payee: LedgerPayee) -> bool:
    """Whether a guess says that the payee is something else."""
    return payee.suggested not in {None, "rent"} and (payee.confidence or 0) >= _KNOWN_FROM
