"""The rows of a table as rows of accounts, converted column by column.

So are their texts, their payees and the bank's categories. Amounts with more decimals than their
currency has are rounded, and the person is told.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import neg, not_

from finplan.categorise.bank_categories import category_code
from finplan.model.money import LARGEST_AMOUNT, to_text
from finplan.statements import statement
from finplan.statements.apps import AppTable
from finplan.statements.csv.accounts import LeftOutRows, by_account
from finplan.statements.csv.balances import Booked, RunningBalances, places_with_balance
from finplan.statements.csv.filter import KeptRows
from finplan.statements.csv.layout import Layout
from finplan.statements.table.numbers import is_blank
from finplan.statements.table.row_words import mark_of
from finplan.statements.table.signs import MoneyColumns
from finplan.statements.table.table import Cells, Table
from finplan.statements.table.texts import (
    TextColumns,
    category_column,
    own_key,
    party_labelled,
    without_label,
)
from finplan.statements.text import descriptors


@dataclass(slots=True)
class _RoundedOfAccount:
    """How many amounts of an account are rounded, and the first of them."""

    count: int
    row: Sequence[str]
    printed: str
    amount: int


class RoundedAmounts:
    """Counts amounts that lose decimals, and says so in one sentence for each account."""

    def __init__(self, table: Table, money: MoneyColumns) -> None:
        self._table = table
        self._money = money
        self._of: dict[statement.StatementAccount, _RoundedOfAccount] = {}

    def add(self, account: statement.StatementAccount, cells: Cells) -> None:
        """Take in rows of an account."""
        rounded = self._money.rounded(cells, account.currency)
        if not rounded:
            return
        if account in self._of:
            self._of[account].count += len(rounded)
        else:
            place, column, amount = min(rounded)
            row = cells.row(place)
            self._of[account] = _RoundedOfAccount(len(rounded), row, row[column].strip(), amount)

    def parts(self, *, sign_is_open: bool) -> Iterator[statement.StatementPart]:
        """Give the sentences; `sign_is_open` says that no number of the table tells it."""
        for account, rounded in self._of.items():
            yield statement.StatementPart(
                account, notes=(self._sentence(account, rounded, sign_is_open=sign_is_open),)
            )

    def _sentence(
        self, account: statement.StatementAccount, rounded: _RoundedOfAccount, *, sign_is_open: bool
    ) -> str:
        code = account.currency
        line = self._table.line_of(rounded.row)
        # A row that is put together of several cells or lines stands nowhere as it is.
        place = f" in line {line}" if line else ""
        becomes = f"{rounded.printed} becomes {to_text(rounded.amount, code)}"
        if rounded.count == 1:
            what = f"One amount has more decimals than {code} has and is rounded{place}: {becomes}."
        else:
            what = (
                f"{rounded.count:,} amounts have more decimals than {code} has and are rounded,"
                f" first{place}: {becomes}."
            )
        if sign_is_open:
            return f"{what} If amounts are thousands, say the other sign with --decimal-sign."
        if account.currency_is_assumed:
            return (
                f"{what} If the file is in a currency of three decimals, such as dinars, name it with"
                " --currency."
            )
        return what


class RowTexts:
    """Makes the descriptors and the payees of rows, remembering texts that come back.

    A text tells of the other party first, then what for, then the rest. Where nothing but a party
    stands, how the row was booked is told too.
    """

    def __init__(self, columns: TextColumns) -> None:
        self._columns = columns
        self._folded = _Remembered(descriptors.fold)
        self._texts = _Remembered(self._text)
        self._parties = _Remembered(_party_in_cell)
        self._types = _Remembered(_type_in_cell)
        self._labelled = _Remembered(party_labelled)
        self._joined: dict[tuple[str, ...], str] = {}

    def of(
        self, cells: Cells, amounts: Sequence[int]
    ) -> tuple[Sequence[str], Sequence[str | None]]:
        """Give the texts of some rows and who was paid, None where no column says it."""
        columns = self._columns
        self._forget_when_full()
        parties = self._other_parties(cells, amounts)
        named = [] if columns.is_whole else parties
        described = [self._fold(cells[place]) for place in columns.descriptions]
        details = [self._look_up(self._texts, cells[place]) for place in columns.details]
        if len(described) > 1 or details or named:
            described = [self._without_fillers(column) for column in described]
        said = [*described, *details]
        if columns.type is not None:
            said += [self._types_beside(cells, columns.type, said)]
        raws = self._join([*named, *said], len(amounts))
        if "" in raws:
            places = [*columns.places, *([] if columns.type is None else [columns.type])]
            printed = self._join([self._fold(cells[place]) for place in places], len(amounts))
            raws = [raw or text for raw, text in zip(raws, printed, strict=True)]
        return raws, self._payees(parties, [*described, *details], len(amounts))

    def _without_fillers(self, column: list[str]) -> list[str]:
        """Blank the folded cells that say nothing beside others, which are few and short."""
        if self._columns.has_labels:
            return self._look_up(self._texts, column)
        fillers = {
            text
            for text in set(column)
            if (len(text) <= descriptors.LONGEST_FILLER or not text[0].isalnum())
            and descriptors.is_filler(text)
        }
        fillers.discard("")
        return ["" if text in fillers else text for text in column] if fillers else column

    def asides(self, cells: Cells, raws: Sequence[str]) -> Sequence[str]:
        """Give what else the rows print, by which a row is known whatever its text was made of."""
        if not self._columns.asides:
            return ()
        columns = [self._fold(cells[place]) for place in self._columns.asides]
        printed = self._join(columns, len(raws))
        return printed if any(printed) else ()

    def _types_beside(self, cells: Cells, place: int, said: Sequence[Sequence[str]]) -> list[str]:
        """How each row was booked, where it is part of the text or nothing but a party stands."""
        types = self._look_up(self._types, cells[place])
        if self._columns.type_is_text or not said:
            return types
        return ["" if any(texts) else kind for kind, *texts in zip(types, *said, strict=True)]

    def _other_parties(self, cells: Cells, amounts: Sequence[int]) -> list[list[str]]:
        """The columns of parties, of which the person is none where another one stands beside.

        Of a payer and somebody paid it is the one that the money went to or came from.
        """
        columns = self._columns
        found = [self._look_up(self._parties, cells[place]) for place in columns.parties]
        if not columns.payers:
            return found
        paying = [place in columns.payers for place in columns.parties]
        for row, (amount, names) in enumerate(
            zip(amounts, list(zip(*found, strict=True)), strict=True)
        ):
            others = [bool(name) and own_key(name) not in columns.own for name in names]
            if not any(others):
                continue
            sides = {pays for pays, is_other in zip(paying, others, strict=True) if is_other}
            side = {amount > 0} if len(sides) > 1 else sides
            for column, pays, is_other in zip(found, paying, others, strict=True):
                if not is_other or pays not in side:
                    column[row] = ""
        return found

    def _payees(
        self, parties: Sequence[Sequence[str]], said: Sequence[Sequence[str]], rows: int
    ) -> Sequence[str | None]:
        columns = list(parties)
        if self._columns.has_labels:
            columns += [self._look_up(self._labelled, column) for column in said]
        if not columns:
            return [None] * rows
        if len(columns) == 1:
            names: Sequence[str | None] = [name or None for name in columns[0]]
        else:
            names = [next(filter(None, each), None) for each in zip(*columns, strict=True)]
        own = self._columns.own
        return (
            [name if name and own_key(name) not in own else None for name in names]
            if own
            else names
        )

    def _text(self, cell: str) -> str:
        text = descriptors.fold(cell)
        if descriptors.is_filler(text):
            return ""
        return without_label(text) if self._columns.has_labels else text

    def _fold(self, cells: list[str]) -> list[str]:
        return (
            cells if descriptors.are_folded(cells) else list(map(self._folded.__getitem__, cells))
        )

    def _look_up(self, memory: "_Remembered", cells: Sequence[str]) -> list[str]:
        return list(map(memory.__getitem__, cells))

    def _join(self, columns: Sequence[Sequence[str]], rows: int) -> list[str]:
        if len(columns) == 1:
            return list(columns[0])
        return list(map(self._whole, zip(*columns, strict=True))) if columns else [""] * rows

    def _whole(self, texts: tuple[str, ...]) -> str:
        whole = self._joined.get(texts)
        if whole is None:
            whole = descriptors.joined(texts)
            if len(whole) <= descriptors.LONGEST_REMEMBERED:
                self._joined[texts] = whole
        return whole

    def _forget_when_full(self) -> None:
        for memory in (self._folded, self._texts, self._parties, self._types, self._labelled):
            memory.forget_when_full()
        if len(self._joined) > descriptors.MOST_REMEMBERED:
            self._joined.clear()


class _Remembered(dict[str, str]):
    """Remembers what was made of each short text."""

    def __init__(self, make: Callable[[str], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> str:
        made = self._make(text)
        if len(text) <= descriptors.LONGEST_REMEMBERED:
            self[text] = made
        return made

    def forget_when_full(self) -> None:
        """Forget everything once there is too much of it."""
        if len(self) > descriptors.MOST_REMEMBERED:
            self.clear()


def _party_in_cell(cell: str) -> str:
    name = descriptors.fold(cell)
    return name if descriptors.names_party(name) else ""


def _type_in_cell(cell: str) -> str:
    """How a row was booked, nothing where that only says which way money went."""
    kind = descriptors.fold(cell)
    return "" if mark_of(kind) else kind


def category_codes(cells: Sequence[str]) -> Sequence[str | None]:
    """The codes of rows by the bank's own categories; none where no row has one."""
    known = {cell: category_code(descriptors.fold(cell)) for cell in set(cells)}
    return [known[cell] for cell in cells] if any(known.values()) else ()


def parts_of(
    layout: Layout, clues: Mapping[statement.StatementAccount, tuple[statement.KindClue, ...]]
) -> Iterator[statement.StatementPart]:
    """Convert the table run by run: its transactions, account by account, to columns of rows.

    `clues` are what the table says of the kind of each account. An account's balance, where the table
    proves one, comes last, then what is left out. Raises UnreadableStatement for a row that must be a
    transaction and cannot be one, and for last rows with an amount and no date that are no footers.
    """
    transactions, converter = layout.filter(), _RowConverter(layout, clues)
    left_out = LeftOutRows(layout.accounts, layout.columns)
    for cells in layout.chunks():
        kept = transactions.keep(cells)
        left_out.add(transactions.left_out)
        others = len(kept.days)
        for account, own in by_account(kept, layout.accounts):
            others -= len(own.days)
            yield from converter.convert(account, own)
        if others:
            left_out.add_all({statement.CATEGORY_SIDE: others})
    transactions.refuse_lost_rows()
    left_out.add(transactions.left_out)
    if isinstance(layout.table, AppTable):
        left_out.add_all(layout.table.left_out)
    without_amount = left_out.lines_without_amount(layout.table)
    yield from converter.balances(without_amount)
    if without_amount and converter.accounts:
        account = next(iter(converter.accounts))
        yield statement.StatementPart(account, notes=(left_out.note(without_amount),))
    yield from left_out.parts(converter.accounts)


class _RowConverter:
    """Converts runs of a table's rows, remembering texts and each account's latest balance.

    `accounts` are those that have had a transaction, in order; holds alone make none.
    """

    def __init__(
        self,
        layout: Layout,
        clues: Mapping[statement.StatementAccount, tuple[statement.KindClue, ...]],
    ) -> None:
        self._layout = layout
        self._clues = clues
        self._columns = layout.columns
        self._texts = RowTexts(layout.columns.texts)
        self._latest: dict[statement.StatementAccount, tuple[int, str]] = {}
        self._held: Counter[statement.StatementAccount] = Counter()
        # The columns of an app's table are made up, and its header is that of the file.
        is_app = isinstance(layout.table, AppTable)
        self._category = None if is_app else category_column(layout.table.header)
        self._rounded = RoundedAmounts(layout.table, layout.money)
        self.accounts: dict[statement.StatementAccount, None] = {}
        self._running = RunningBalances(layout.orientation.direction or 1)

    def convert(
        self, account: statement.StatementAccount, kept: KeptRows
    ) -> Iterator[statement.StatementPart]:
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
        rows = statement.StatementRows(
            kept.days,
            amounts,
            raws,
            self._ids(kept),
            payees,
            kept.pending or [False] * len(kept.days),
            codes=() if self._category is None else category_codes(kept.cells[self._category]),
            asides=self._texts.asides(kept.cells, raws),
        )
        yield statement.StatementPart(account, rows, kind_clues=self._clues.get(account, ()))

    def balances(self, without_amount: Collection[int]) -> Iterator[statement.StatementPart]:
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
                yield statement.StatementPart(
                    account, balance=owned, balance_day=day, balance_fits=fits
                )
        if self._running.first is not None:
            account, row = self._running.first
            yield statement.StatementPart(
                account, notes=(self._contradiction(row, without_amount),)
            )

        yield from self._rounded.parts(sign_is_open=self._layout.sign_is_open)
        for account, total in self._held.items():
            if account in self.accounts and total:
                yield statement.StatementPart(account, notes=(_uneven_holds(account, total),))

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

    def _amounts(self, account: statement.StatementAccount, kept: KeptRows) -> list[int]:
        money = self._layout.money
        printed = money.printed(kept.cells, account.currency)
        if 0 in printed.marks and not money.prints_signs:
            row = kept.cells.row(printed.marks.index(0))
            listed = "; --direction marks:OUT,OUT/IN,IN lists what each word means"
            hint = listed if self._columns.marks_are_said else ""
            raise self._refusal(row, f"nothing says whether the money came in or went out{hint}")
        convention = self._layout.orientation.convention
        if convention.less_fee and not printed.fees:
            raise statement.UnreadableStatement(
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
        return [descriptors.fold(cell).removeprefix("'") or None for cell in kept.cells[place]]

    def _follow_balance(
        self, account: statement.StatementAccount, kept: KeptRows, amounts: list[int]
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

    def _remember_balance(self, account: statement.StatementAccount, kept: KeptRows) -> None:
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

    def _refusal(self, row: Sequence[str], what: str) -> statement.UnreadableStatement:
        return statement.UnreadableStatement(f"Line {self._layout.table.line_of(row)}: {what}.")


def _uneven_holds(account: statement.StatementAccount, total: int) -> str:
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
