"""Posting: the new rows of the files become rows of the ledger, and accounts learn what files say."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from finplan.model.errors import BadRequest
from finplan.plan.ledger.classes import counts_in_totals
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.service.imports.import_run import ImportRun, ResolvedAccount
from finplan.service.ledger.categorisation import matches_prefetched
from finplan.service.ledger.elsewhere import where_fit
from finplan.store.queries import accounts, payees, people, staged_rows


def post_rows(connection: Connection, run: ImportRun) -> set[int]:
    """Insert the booked rows that are new; answers the numbers of payees to be judged."""
    currency = household_settings(people.get_person(connection, run.owner)).currency
    held = ledger_accounts(connection, run.owner)
    numbers = payees.numbers_of(connection, run.owner)
    staged = run.staged.payees
    new = {local: payee for local, payee in enumerate(staged) if payee[0] not in numbers}
    if new and any(file.known or file.ambiguous or file.pending for file in run.reports):
        # Payees that only known rows name have other names already.
        new = {local: new[local] for local in staged_rows.payees_of_new(connection) & new.keys()}
    # Several local payees may be one, whose names were joined; the first descriptor shows it.
    first: dict[str, tuple[str, str, str]] = {}
    for local in sorted(new):
        first.setdefault(new[local][0], new[local])
    added = payees.add_payees(connection, run.owner, first.values())
    numbers.update(added)
    local_payees = {
        local: numbers[key] for local, (key, _, _) in enumerate(staged) if key in numbers
    }
    counting = {
        local: (account.no, counts_in_totals(held[account.no], currency))
        for local, account in enumerate(run.accounts)
    }
    with matches_prefetched(list(new.values()), where_fit(connection, large=run.large)):
        inserted = staged_rows.insert_new_rows(
            connection, run.owner, counting, local_payees, run.number
        )
    # Where every row was there already, nothing is to be learnt of payees that were there.
    return set((local_payees if inserted else added).values())


def update_accounts(connection: Connection, run: ImportRun) -> None:
    """Note which days the accounts are covered for, and take newer balances in the signs of their kinds.

    Raises BadRequest for a balance of no day.
    """
    for account in dict.fromkeys(run.accounts):
        _update_account(connection, account, run.number)


def _update_account(connection: Connection, account: ResolvedAccount, number: int) -> None:
    existing: dict[str, Any] = dict(account.existing or {})
    staged = account.staged
    accounts.add_coverage(connection, account.no, account.intervals, number)
    values: dict[str, object] = {
        "sources": " ".join(sorted({*account.sources(), *staged.sources})),
    }
    if staged.balance is not None:
        sign = -1 if account.kind in {"credit", "loan"} else 1
        day = staged.balance_day or staged.until
        if day is None:
            raise BadRequest("The statement has a balance but no date that it belongs to.")
        _record_balances(connection, account, {day: staged.balance} | staged.balances, sign, number)
        if day >= (existing.get("balance_day") or 0) and "balance" not in account.kept():
            values |= {"balance": sign * staged.balance, "balance_day": day}
    accounts.change_account(connection, account.no, values)


def _record_balances(
    connection: Connection,
    account: ResolvedAccount,
    stated: Mapping[int, int],
    sign: int,
    number: int,
) -> None:
    """Record what the files say; of days that are known already an export says nothing new."""
    known = set()
    if account.staged.is_exported:
        known = {day for day, _ in accounts.balances_of(connection, account.no)}
    for day in sorted(stated.keys() - known):
        accounts.record_balance(connection, account.no, day, sign * stated[day], number)
