"""Which way a table's money goes, by its first rows: with its holds where the balance counts them."""

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter

from finplan.statements.csv.accounts import AccountColumns, by_account, is_called_card
from finplan.statements.csv.balance_steps import (
    Steps,
    Unshown,
    places_with_balance,
    signs_by_balance,
)
from finplan.statements.csv.filter import KeptRows
from finplan.statements.csv.row_words import spoken
from finplan.statements.table.columns import Columns
from finplan.statements.table.signs import MoneyColumns, Orientation, Printed, orient, told_by_minus


def find_orientation(
    kept: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    *,
    is_owed: bool,
    tells_sign: bool,
) -> Orientation:
    """Find how amounts follow from what is printed, and whether the balance counts what is held.

    `is_owed` says that the header calls the balance a debt, `tells_sign` that the column of amounts
    itself tells which way they go.
    """
    said = {"is_owed": is_owed, "tells_sign": tells_sign}
    found = _orient(kept, columns, money, accounts, **said)
    if kept.held and not found.is_proven:
        without = _orient(kept.transactions, columns, money, accounts, **said)
        if without.is_proven or not found.direction:
            return replace(without, counts_holds=False)
    return found


def by_steps(
    orientation: Orientation,
    kept: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    ways: Mapping[tuple[str, ...], int],
) -> tuple[Orientation, Steps]:
    """Say what words make of a balance that alone shows which way rows go, and which rows are unshown.

    Rows whose own words tell their way show by it whether what raises the balance came in, or was spent
    and is owed, unless the steps are too few to be a proof. The rows of which nothing tells the way,
    above all each account's oldest one, are answered, but for those whose `ways` are known.
    """
    convention, votes = orientation.convention, set[int]()
    steps, raised = Steps(), 0
    for account, own in by_account(kept, accounts):
        signs = signs_by_balance(own, money, columns.balance, account.currency, convention.stepped)
        amounts = money.printed(own.cells, account.currency).amounts
        booked = places_with_balance(own, columns.balance)
        oldest = booked[0 if convention.stepped > 0 else -1] if booked else None
        rows = zip(own.cells.rows, own.days, amounts, signs, strict=True)
        for place, (row, day, amount, sign) in enumerate(rows):
            way = spoken(columns, row)
            moved = sign * orientation.balance_sign
            votes.add(moved * way)
            raised += moved
            if moved > 0:
                steps.risen = steps.risen or row
            elif moved < 0:
                steps.fallen = steps.fallen or row
            elif amount and not way and tuple(row) not in ways:
                balance = None
                if place == oldest and columns.balance is not None:
                    balance = money.balance(row[columns.balance], account.currency)
                steps.unshown.append(Unshown(account, row, day, abs(amount), balance))
    votes.discard(0)
    steps.rises = raised >= 0
    if len(votes) == 1 and orientation.is_proven:
        balance_sign = orientation.balance_sign * votes.pop()
        convention = replace(convention, unstepped=-1)
        orientation = replace(orientation, balance_sign=balance_sign, convention=convention)
    if orientation.balance_sign < 0:
        steps.unshown = [
            each if each.balance is None else each._replace(balance=-each.balance)
            for each in steps.unshown
        ]
    steps.is_owed = None if convention.unstepped else False
    is_told = bool(convention.unstepped) and not steps.unshown
    return replace(orientation, is_told=is_told), steps


def _orient(
    rows: KeptRows,
    columns: Columns,
    money: MoneyColumns,
    accounts: AccountColumns,
    *,
    is_owed: bool,
    tells_sign: bool,
) -> Orientation:
    all_rows: list[Printed] = []
    followed: tuple[list[Printed], list[Printed]] = [], []
    types: list[str] = []
    texts: list[str] = []
    for account, kept in by_account(rows, accounts):
        all_rows.append(money.printed(kept.cells, account.currency))
        for groups, is_booked in zip(followed, (True, False), strict=True):
            places = places_with_balance(kept, columns.balance, is_booked=is_booked)
            own = kept.only(places) if places else kept
            groups.append(money.printed(own.cells, account.currency, with_balances=True))
        for place, row in enumerate(kept.cells.rows):
            # A hold's words speak of no payment, and so of no direction.
            is_spoken = not (kept.held and kept.held[place])
            types.append(row[columns.type] if is_spoken and columns.type is not None else "")
            texts.append(" ".join(row[each] for each in columns.descriptions) if is_spoken else "")
    default = accounts.default
    # Most banks' balances follow booked rows alone; some print one beside rows that wait, too.
    orientations = (
        orient(
            all_rows,
            groups,
            rows.days,
            types,
            texts,
            is_card=default.kind == "credit" or is_called_card(default.name),
            is_owed=is_owed,
            tells_sign=tells_sign,
        )
        for groups in (followed if rows.pending else followed[:1])
    )
    orientation = max(orientations, key=attrgetter("is_told"))
    if not (columns.is_named or orientation.is_proven) and columns.debit is not None:
        return told_by_minus(orientation, all_rows)
    return orientation
