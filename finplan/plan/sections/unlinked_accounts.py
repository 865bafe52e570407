"""Loans and savings that regular payments show and that are not linked, by the names of who is paid.

What is owed on the one and held on the other is in no balance. Source: plan-semantics, C19.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta

from finplan.plan.ledger.books import Books, rows_within, sheets_of
from finplan.plan.ledger.classes import (
    Sheet,
    is_savings_type,
    loan_category,
    nature_of,
    shown_accounts,
)
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import DAY, PEER, Ledger, Row
from finplan.plan.sections.spending import running_charges

_SAVED = ("savings", "investing")

_RECENT_DAYS = 90
_LEAST_MONTHS = 3
"""Money that moved in three months, in half of those averaged and lately, goes to an account."""


@dataclass(frozen=True, slots=True)
class UnlinkedAccounts:
    """The names of the payees of loans, of mortgages, and of savings and investments not linked."""

    loans: tuple[str, ...] = ()
    mortgages: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()


def unlinked_accounts(ledger: Ledger, books: Books) -> UnlinkedAccounts:
    """What regular payments show beside the linked accounts.

    Where a linked account of the kind is paid by no row, the payments may be its, and nothing is said.
    """
    reached = {row[PEER] for row in ledger.rows}
    return UnlinkedAccounts(
        loans=_paid(ledger, books, "loan_payment", reached),
        mortgages=_paid(ledger, books, "mortgage", reached),
        assets=_saved_to(ledger, books, reached),
    )


def _paid(ledger: Ledger, books: Books, category: str, reached: Collection[int]) -> tuple[str, ...]:
    """Who is regularly paid for a loan that no row reaches."""
    if any(
        each.kind == "loan" and loan_category(each) == category and number not in reached
        for number, each in shown_accounts(ledger)
    ):
        return ()
    latest = {sheet.payee: sheet.rows[-1] for sheet in sheets_of(books, {category})}
    return _names(
        charge.name
        for charge in running_charges(books)
        if charge.category == category
        and any(payee in latest and not latest[payee][PEER] for payee in charge.payees)
    )


def _saved_to(ledger: Ledger, books: Books, reached: Collection[int]) -> tuple[str, ...]:
    """Who regularly gets money to save or invest, or gives it back, and is no linked account."""
    if any(
        number not in reached
        and each.kind != "other"
        and (nature_of(each) == "investment" or is_savings_type(each))
        for number, each in shown_accounts(ledger)
    ):
        return ()
    since = day_of(books.window.data_end - timedelta(_RECENT_DAYS - 1))
    return _names(
        ledger.payees[sheet.payee].name
        for sheet in sheets_of(books, _SAVED)
        if not sheet.rows[-1][PEER] and sheet.rows[-1][DAY] >= since and _is_regular(books, sheet)
    )


def _is_regular(books: Books, sheet: Sheet) -> bool:
    months = {row[DAY] // 100 for row in rows_within(sheet, books.window) if _is_one_sided(row)}
    return len(months) >= _LEAST_MONTHS and 2 * len(months) >= len(books.window.month_keys)


def _is_one_sided(row: Row) -> bool:
    return not row[PEER]


def _names(names: Iterator[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
