"""The rows of a table as rows of accounts, converted column by column."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress
from operator import neg, not_

from finplan.model.money import LARGEST_AMOUNT, to_text
from finplan.statements.apps import AppTable
from finplan.statements.csv.accounts import by_account
from finplan.statements.csv.balance_steps import places_with_balance
from finplan.statements.csv.balances import Booked, RunningBalances
from finplan.statements.csv.filter import KeptRows
from finplan.statements.csv.layout import Layout
from finplan.statements.csv.left_out import LeftOutRows
from finplan.statements.csv.rounded_amounts import RoundedAmounts
from finplan.statements.csv.texts import RowTexts, category_codes
from finplan.statements.statement import (
    CATEGORY_SIDE,
    KindClue,
    StatementAccount,
    StatementPart,
    StatementRows,
    UnreadableStatement,
)
from finplan.statements.table.numbers import is_blank
from finplan.statements.table.texts import category_column
from finplan.statements.text.descriptors import fold


def parts_of(
    layout: Layout, clues: Mapping[StatementAccount, tuple[KindClue, ...]]
) -> Iterator[StatementPart]:
    """Convert the table run by run: its transactions, account by account, to columns of rows.

    `clues` are what the table says of the kind of each account. An account's balance, where the table
    proves one, comes last, then what is left out. Raises UnreadableStatement for a row that must be a
    transaction and cannot be one, and for last rows with an amount and no date that are no footers.
    """
    transactions, converter = layout.filter(), _Converter(layout, clues)
    left_out = LeftOutRows(layout.accounts, layout.columns)
    for cells in layout.chunks():
        kept = transactions.keep(cells)
        left_out.add(transactions.left_out)
        others = len(kept.days)
        for account, own in by_account(kept, layout.accounts):
            others -= len(own.days)
            yield from converter.convert(account, own)
        if others:
            left_out.add_all({CATEGORY_SIDE: others})
    transactions.refuse_lost_rows()
    left_out.add(transactions.left_out)
    if isinstance(layout.table, AppTable):
        left_out.add_all(layout.table.left_out)
    without_amount = left_out.lines_without_amount(layout.table)
    yield from converter.balances(without_amount)
    if without_amount and converter.accounts:
        account = next(iter(converter.accounts))
        yield StatementPart(account, notes=(left_out.note(without_amount),))
    yield from left_out.parts(converter.accounts)


class _Converter:
    """Converts runs of a table's rows, remembering texts and each account's latest balance.

    `accounts` are those that have had a transaction, in order; holds alone make none.
    """

    def __init__(
        self, layout: Layout, clues: Mapping[StatementAccount, tuple[KindClue, ...]]
    ) -> None:
        self._layout = layout
        self._clues = clues
        self._columns = layout.columns
        self._texts = RowTexts(layout.columns.texts)
        self._latest: dict[StatementAccount, tuple[int, str]] = {}
        self._held: Counter[StatementAccount] = Counter()
        # The columns of an app's table are made up, and its header is that of the file.
        is_app = isinstance(layout.table, AppTable)
        self._category = None if is_app else category_column(layout.table.header)
        self._rounded = RoundedAmounts(layout.table, layout.money)
        self.accounts: dict[StatementAccount, None] = {}
        self._running = RunningBalances(layout.orientation.direction or 1)

    def convert(self, account: StatementAccount, kept: KeptRows) -> Iterator[StatementPart]:
        """Convert the next rows of an account, which are one or more; its holds are only added up."""
        amounts = self._amounts(account, kept)
        self._remember_balance(account, kept)
        if self._layout.orientation.counts_holds:
            self._follow_balance(account, kept, amounts)
        if kept.held:
            self._held[account] += sum(compress(amounts, kept.held))
            amounts, kept = list(compress(amounts, map(not_, kept.held))), kept.transactions
        if not kept.days:
            return
        self.accounts[account] = None
        self._rounded.add(account, kept.cells)
        if not self._layout.orientation.counts_holds:
            self._follow_balance(account, kept, amounts)
        raws, payees = self._texts.of(kept.cells, amounts)
        rows = StatementRows(
            kept.days,
            amounts,
            raws,
            self._ids(kept),
            payees,
            kept.pending or [False] * len(kept.days),
            codes=() if self._category is None else category_codes(kept.cells[self._category]),
            asides=self._texts.asides(kept.cells, raws),
        )
        yield StatementPart(account, rows, kind_clues=self._clues.get(account, ()))

    def balances(self, without_amount: Collection[int]) -> Iterator[StatementPart]:
        """Give the balance of each account after its latest row, and what is to be said of its rows.

        `without_amount` are the lines of rows that are left out because they have no amount.
        """
        orientation = self._layout.orientation
        for account, (day, cell) in self._latest.items():
            balance = self._layout.money.balance(cell, account.currency)
            if account not in self.accounts or balance is None:
                continue
            if abs(balance) <= LARGEST_AMOUNT:
                owned = balance * orientation.balance_sign
                fits = self._running.fits.get(account)
                yield StatementPart(account, balance=owned, balance_day=day, balance_fits=fits)
        if self._running.first is not None:
            account, row = self._running.first
            yield StatementPart(account, notes=(self._contradiction(row, without_amount),))

        yield from self._rounded.parts(sign_is_open=self._layout.sign_is_open)
        for account, total in self._held.items():
            if account in self.accounts and total:
                yield StatementPart(account, notes=(_uneven_holds(account, total),))

    def _contradiction(self, row: Sequence[str], without_amount: Collection[int]) -> str:
        broken, steps = self._running.broken, self._running.steps
        rows = "one row" if broken == 1 else f"{broken:,} of {steps + 1:,} rows"
        line, direction = self._layout.table.line_of(row), self._running.direction
        beside = {without: without + direction for without in without_amount}
        without = next((own for own, after in beside.items() if after == line), None)
        why = "a row may be missing or changed" if without is None else "that row has no amount"
        return (
            f"The column of balances contradicts the amounts in {rows}, first in line"
            f" {line if without is None else without}: {why}."
        )

    def _amounts(self, account: StatementAccount, kept: KeptRows) -> list[int]:
        money = self._layout.money
        printed = money.printed(kept.cells, account.currency)
        if 0 in printed.marks and not money.prints_signs:
            row = kept.cells.row(printed.marks.index(0))
            listed = "; --direction marks:OUT,OUT/IN,IN lists what each word means"
            hint = listed if self._columns.marks_are_said else ""
            raise self._refusal(row, f"nothing says whether the money came in or went out{hint}")
        convention = self._layout.orientation.convention
        if convention.less_fee and not printed.fees:
            raise UnreadableStatement(
                "Some fees are no amounts, and amounts are without their fees."
            )
        amounts = self._layout.amounts(account, kept, printed)
        if max(amounts) > LARGEST_AMOUNT or min(amounts) < -LARGEST_AMOUNT:
            row = kept.cells.row(amounts.index(max(amounts, key=abs)))
            printed_amount = to_text(max(amounts, key=abs), account.currency)
            limit = to_text(LARGEST_AMOUNT, account.currency)
            raise self._refusal(row, f"{printed_amount} is too large; an amount is at most {limit}")
        return amounts

    def _ids(self, kept: KeptRows) -> Sequence[str | None]:
        """The bank's ids; an apostrophe before one only keeps spreadsheets from reading a number."""
        place = self._columns.id
        if place is None:
            return [None] * len(kept.days)
        return [fold(cell).removeprefix("'") or None for cell in kept.cells[place]]

    def _follow_balance(
        self, account: StatementAccount, kept: KeptRows, amounts: list[int]
    ) -> None:
        """Compare the amounts with the balances beside them, in the rows that print one."""
        place, sign = self._columns.balance, self._layout.orientation.balance_sign
        if place is None:
            return
        money, cells = self._layout.money, kept.cells
        first, last = (money.balance(cells[place][end], account.currency) for end in (0, -1))
        if not kept.pending and first is not None and last is not None:
            run = Booked([cells.row(-1)], amounts, [])
            if self._running.adds_up(account, run, sign * first, sign * last):
                return
        rows = cells.rows
        balances = money.balances(kept.cells, account.currency)
        if not balances:
            return
        if kept.pending or any(map(is_blank, set(kept.cells.shapes(place)))):
            provable = places_with_balance(kept, place)
            rows = [rows[each] for each in provable]
            amounts = [amounts[each] for each in provable]
            balances = [balances[each] for each in provable]
        if sign < 0:
            balances = list(map(neg, balances))
        self._running.follow(account, Booked(rows, amounts, balances))

    def _remember_balance(self, account: StatementAccount, kept: KeptRows) -> None:
        """Keep the balance cell of the latest booked row: the last one, or the first of all."""
        place, direction = self._columns.balance, self._layout.orientation.direction
        if place is None or not direction or (direction < 0 and account in self._latest):
            return
        booked: Sequence[int] = range(len(kept.days))
        if kept.pending:
            booked = [position for position in booked if not kept.pending[position]]
        if booked:
            latest = booked[-1] if direction > 0 else booked[0]
            self._latest[account] = (kept.days[latest], kept.cells[place][latest])

    def _refusal(self, row: Sequence[str], what: str) -> UnreadableStatement:
        return UnreadableStatement(f"Line {self._layout.table.line_of(row)}: {what}.")


def _uneven_holds(account: StatementAccount, total: int) -> str:
    """What is said where holds and releases do not cancel out: the other half may be a row by itself."""
    amount = f"{to_text(abs(total), account.currency)} {account.currency}"
    if total < 0:
        return (
            f"{amount} is held and not released in this file. It was not spent, so it is left out; a row"
            " that gives it back under a name unknown here would count as money in."
        )
    return (
        f"{amount} is released and was not held in this file. It brings nothing, so it is left out; a"
        " row that held it under a name unknown here would count as spent."
    )
