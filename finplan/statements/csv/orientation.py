"""Which way a table's money goes, by its first rows: with its holds where the balance counts them."""

from dataclasses import replace

from finplan.statements.csv.accounts import AccountColumns, by_account, is_called_card
from finplan.statements.csv.filter import KeptRows
from finplan.statements.table.columns import Columns
from finplan.statements.table.money import MoneyColumns
from finplan.statements.table.signs import Orientation, Printed, orient


def find_orientation(
    kept: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    *,
    tells_sign: bool,
) -> Orientation:
    """Find how amounts follow from what is printed, and whether the balance counts what is held.

    `tells_sign` says that the column of amounts itself tells which way they go.
    """
    found = _orient(kept, columns, money, accounts, tells_sign=tells_sign)
    if kept.held and not found.is_proven:
        without = _orient(kept.transactions, columns, money, accounts, tells_sign=tells_sign)
        if without.is_proven or not found.direction:
            return replace(without, counts_holds=False)
    return found


def _orient(
    rows: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    *,
    tells_sign: bool,
) -> Orientation:
    groups: list[Printed] = []
    types: list[str] = []
    texts: list[str] = []
    for account, kept in by_account(rows, accounts):
        provable = places_with_balance(kept, columns.balance)
        booked = kept.only(provable) if provable else kept
        groups.append(money.printed(booked.cells, account.currency, with_balances=True))
        for place, row in enumerate(booked.cells.rows):
            # A hold's words speak of no payment, and so of no direction.
            is_spoken = not (booked.held and booked.held[place])
            types.append(row[columns.type] if is_spoken and columns.type is not None else "")
            texts.append(" ".join(row[each] for each in columns.descriptions) if is_spoken else "")
    default = accounts.default
    orientation = orient(
        groups,
        rows.days,
        types,
        texts,
        is_card=default.kind == "credit" or is_called_card(default.name),
        tells_sign=tells_sign,
    )
    has_minus = any(min(printed.debits, default=0) < 0 for printed in groups)
    if columns.debit is not None and not (columns.is_named or orientation.is_proven or has_minus):
        return replace(orientation, is_told=False)
    return orientation


def places_with_balance(kept: KeptRows, balance: int | None) -> list[int]:
    """Leave out rows that no balance can prove: pending ones, and those where it is blank."""
    return [
        place
        for place, row in enumerate(kept.cells.rows)
        if not (kept.pending and kept.pending[place]) and (balance is None or row[balance].strip())
    ]
