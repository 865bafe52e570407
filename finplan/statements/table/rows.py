"""The rows of a table as rows of accounts, converted column by column, and what they say of its kind.

Amounts with more decimals than their currency has are rounded, and the person is told. Some columns only
accounts of some kinds have.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import neg, not_

from finplan.model.money import LARGEST_AMOUNT, to_text
from finplan.statements import statement
from finplan.statements.kinds import (
    DEPOSITORY,
    LIKELY,
    SURE,
    clues_above,
    clues_of_balances,
    clues_of_product,
    clues_of_rows,
    clues_of_signs,
    guess_kind,
)
from finplan.statements.statement import KindClue, StatementAccount
from finplan.statements.table.accounts import LeftOutRows, by_account
from finplan.statements.table.apps import AppTable
from finplan.statements.table.balances import Booked, RunningBalances, places_with_balance
from finplan.statements.table.filter import KeptRows
from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.layout import Layout
from finplan.statements.table.layouts import kinds_of_header
from finplan.statements.table.numbers import is_blank
from finplan.statements.table.signs import MoneyColumns
from finplan.statements.table.table import Cells, Table
from finplan.statements.table.texts import (
    RowTexts,
    category_codes,
    category_column,
)
from finplan.statements.table.words import ColumnName, words_of
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
            index, column, amount = min(rounded)
            row = cells.row(index)
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
        where = f" in line {line}" if line else ""
        becomes = f"{rounded.printed} becomes {to_text(rounded.amount, code)}"
        if rounded.count == 1:
            what = f"Rounded one amount with too many decimals for {code}{where}: {becomes}."
        else:
            what = (
                f"Rounded {rounded.count:,} amounts with too many decimals for {code}, the"
                f" first{where}: {becomes}."
            )
        if sign_is_open:
            return (
                f"{what} If the separator is for thousands, set the other sign with --decimal-sign."
            )
        if account.currency_is_assumed:
            return (
                f"{what} If the amounts are in a currency with three decimals, such as dinars, set"
                " the currency with --currency."
            )
        return what


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
        kept_rows = transactions.keep(cells)
        left_out.add(transactions.left_out)
        others = len(kept_rows.days)
        for account, own in by_account(kept_rows, layout.accounts):
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
        self._category = None if is_app else category_column(layout.table.names)
        self._rounded = RoundedAmounts(layout.table, layout.money)
        self.accounts: dict[statement.StatementAccount, None] = {}
        self._running = RunningBalances(layout.orientation.direction or 1)

    def convert(
        self, account: statement.StatementAccount, kept_rows: KeptRows
    ) -> Iterator[statement.StatementPart]:
        """Convert the next rows of an account, which are one or more; its holds are only added up."""
        amounts = self._amounts(account, kept_rows)
        self._remember_balance(account, kept_rows)
        if self._layout.orientation.counts_holds:
            self._follow_balance(account, kept_rows, amounts)
        if kept_rows.holds:
            self._held[account] += sum(compress(amounts, kept_rows.holds))
            amounts = list(compress(amounts, map(not_, kept_rows.holds)))
            kept_rows = kept_rows.transactions
        if not kept_rows.days:
            return
        self.accounts[account] = None
        self._rounded.add(account, kept_rows.cells)
        if not self._layout.orientation.counts_holds:
            self._follow_balance(account, kept_rows, amounts)
        raws, payees = self._texts.of(kept_rows.cells, amounts)
        rows = statement.StatementRows(
            kept_rows.days,
            amounts,
            raws,
            self._ids(kept_rows),
            payees,
            kept_rows.pending or [False] * len(kept_rows.days),
            codes=() if self._category is None else category_codes(kept_rows.cells[self._category]),
            asides=self._texts.asides(kept_rows.cells, raws),
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
        why = "a line may be missing or changed" if without is None else "that line has no amount"
        return (
            f"The balance column does not match the amounts in {rows}; the first is line"
            f" {line if without is None else without}: {why}."
        )

    def _amounts(self, account: statement.StatementAccount, kept_rows: KeptRows) -> list[int]:
        money = self._layout.money
        printed = money.printed(kept_rows.cells, account.currency)
        if 0 in printed.marks and not money.prints_signs:
            row = kept_rows.cells.row(printed.marks.index(0))
            listed = ". List every word with --direction marks:OUT,OUT/IN,IN"
            hint = listed if self._columns.marks_are_said else ""
            raise self._refusal(
                row, f"the file does not show whether this is money in or money out{hint}"
            )
        convention = self._layout.orientation.convention
        if convention.less_fee and not printed.fees:
            raise statement.UnreadableStatement(
                "The amounts do not include fees, and some cells of the fee column are not amounts."
            )
        amounts = self._layout.amounts(account, kept_rows, printed)
        if max(amounts) > LARGEST_AMOUNT or min(amounts) < -LARGEST_AMOUNT:
            row = kept_rows.cells.row(amounts.index(max(amounts, key=abs)))
            printed_amount = to_text(max(amounts, key=abs), account.currency)
            limit = to_text(LARGEST_AMOUNT, account.currency)
            raise self._refusal(row, f"{printed_amount} is too large (at most {limit})")
        return amounts

    def _ids(self, kept_rows: KeptRows) -> Sequence[str | None]:
        """The bank's ids; an apostrophe before one only keeps spreadsheets from reading a number."""
        index = self._columns.id
        if index is None:
            return [None] * len(kept_rows.days)
        return [descriptors.fold(cell).removeprefix("'") or None for cell in kept_rows.cells[index]]

    def _follow_balance(
        self, account: statement.StatementAccount, kept_rows: KeptRows, amounts: list[int]
    ) -> None:
        """Compare the amounts with the balances beside them, in the rows that print one."""
        index, sign = self._columns.balance, self._layout.orientation.balance_sign
        if index is None:
            return
        money, cells = self._layout.money, kept_rows.cells
        first, last = (money.balance(cells[index][end], account.currency) for end in (0, -1))
        if not kept_rows.pending and first is not None and last is not None:
            run = Booked([cells.row(-1)], amounts, [])
            if self._running.adds_up(account, run, sign * first, sign * last):
                return
        rows = cells.rows
        balances = money.balances(kept_rows.cells, account.currency)
        if not balances:
            return
        if kept_rows.pending or any(map(is_blank, set(kept_rows.cells.shapes(index)))):
            provable = places_with_balance(kept_rows, index)
            rows = [rows[at] for at in provable]
            amounts = [amounts[at] for at in provable]
            balances = [balances[at] for at in provable]
        if sign < 0:
            balances = list(map(neg, balances))
        self._running.follow(account, Booked(rows, amounts, balances))

    def _remember_balance(self, account: statement.StatementAccount, kept_rows: KeptRows) -> None:
        """Keep the balance cell of the latest booked row: the last one, or the first of all."""
        index, direction = self._columns.balance, self._layout.orientation.direction
        if index is None or not direction or (direction < 0 and account in self._latest):
            return
        booked: Sequence[int] = range(len(kept_rows.days))
        if kept_rows.pending:
            booked = [position for position in booked if not kept_rows.pending[position]]
        if booked:
            latest = booked[-1] if direction > 0 else booked[0]
            self._latest[account] = (kept_rows.days[latest], kept_rows.cells[index][latest])

    def _refusal(self, row: Sequence[str], what: str) -> statement.UnreadableStatement:
        return statement.UnreadableStatement(f"Line {self._layout.table.line_of(row)}: {what}.")


def _uneven_holds(account: statement.StatementAccount, total: int) -> str:
    """What is said where holds and releases do not cancel out: the other half may be a row by itself."""
    amount = f"{to_text(abs(total), account.currency)} {account.currency}"
    if total < 0:
        return (
            f"Skipped {amount} in holds that this file does not release. Check whether the file"
            " lists the release under another name, because it would then count as money in."
        )
    return (
        f"Skipped {amount} in releases that have no hold in this file. Check whether the file lists"
        " the hold under another name, because it would then count as spending."
    )


def _names_of_columns(listed: str) -> frozenset[str]:
    return frozenset(" ".join(words_of(name)) for name in listed.split("|"))


_OF_CARDS = _names_of_columns(
    "card|card no|card number|card id|card member|cardmember|cardholder|card holder|card holder name"
    "|name on card|credit card number|kartennummer|karten nr|kartennr|karteninhaber|konto karteninhaber"
    "|kortnummer|kortinnehavare|kortholder|numero de carte|numero carte|titulaire de la carte"
    "|numero de tarjeta|numero tarjeta|tarjeta|titular de la tarjeta|numero carta|numero do cartao"
    "|cartao"
    "|numer karty|nr karty|cislo karty|kortin numero|kaartnummer|カード番号|ご利用カード|卡号"
)
"""The columns that a card's export has in every row, and another one at most in rows paid by card."""

_OF_BANK_ACCOUNTS = _names_of_columns(
    "iban|bban|bic|swift|check|cheque|chq|chqno|cheques|tegenrekening|tegenpartij|mandatsreferenz"
    "|auftragskonto|gegenkonto|kundenreferenz|glaubiger|glaeubiger|protiucet|protiuctu|kontrahenta"
    "|contrepartie|maksunsaaja|viitenumero|mottakerkonto|ordenante"
)
"""Words of columns for cheques, mandates and other people's accounts, which no card pays."""

_CUSTOMERS = frozenset(["customer", "buyer", "payer", "kunde", "client", "cliente", "klant"])

_OF_PRODUCTS = _names_of_columns(
    "account type|type of account|product|produkt|kontotyp|kontoart|type de compte|tipo de cuenta"
    "|tipo di conto|tipo de conta|rekeningtype|rodzaj rachunku"
)


def clues_of_header(names: Sequence[ColumnName]) -> Iterator[KindClue]:
    """What the names of columns say: a bank's own are sure, those of bank accounts likely."""
    yield from kinds_of_header(names)
    if any(_OF_BANK_ACCOUNTS.intersection(name.words) for name in names):
        yield KindClue(DEPOSITORY, LIKELY, "columns for checks or for other people's accounts")


def names_customers(names: Sequence[ColumnName]) -> bool:
    """Say whether a header has columns of customers, as a shop's payments do: the cards are theirs."""
    return any(not _CUSTOMERS.isdisjoint(name.words) for name in names)


def _places_of(names: Sequence[ColumnName], plain_names: frozenset[str]) -> list[int]:
    return [index for index, name in enumerate(names) if name.plain in plain_names]


_ROWS_LOOKED_AT = 500
"""Rows that are looked at: more than a year of most accounts."""

_MASKED_CARD = re.compile(r"\d{4,6}[Xx*•]{4,12}\d{0,4}|[Xx*•]{4,12}[ -]?\d{4}|[3456]\d{14,15}")
_AMOUNT = re.compile(r"\d[.,]\d\d$")
"""The cents of what was paid by card, which a shop's terminal may list in a column called “Card”."""
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{8,30}")
_MOST_ABOVE = 40
_OWN_CARDS = 4
"""More cards than these, and than a tenth of the rows, are those by which others paid a shop."""

_SPOKEN: frozenset[ColumnMeaning] = frozenset(
    {"original", "description", "note", "payee", "type", "mark"}
)

Clues = tuple[KindClue, ...]


def clues_by_account(layout: Layout) -> Mapping[StatementAccount, Clues]:
    """What the table's first rows, its header and the lines above say of each account's kind."""
    first = layout.cells[0] if layout.cells else next(layout.table.chunks())
    kept_rows = layout.filter().keep(Cells(first.rows[:_ROWS_LOOKED_AT]))
    shared = () if isinstance(layout.table, AppTable) else tuple(_of_table(layout))
    return {
        account: (*shared, *_of_account(layout, account, own))
        for account, own in by_account(kept_rows.transactions, layout.accounts)
    }


def _of_table(layout: Layout) -> Iterator[KindClue]:
    yield from clues_of_header(layout.table.names)
    yield from clues_above(
        cell for row in layout.table.preamble[:_MOST_ABOVE] for cell in row if cell.strip()
    )


def _of_account(
    layout: Layout, account: StatementAccount, kept_rows: KeptRows
) -> Iterator[KindClue]:
    rows, orientation = kept_rows.cells.rows, layout.orientation
    yield from _of_cells(layout, account, rows)
    printed = layout.money.printed(kept_rows.cells, account.currency)
    yield from clues_of_rows(
        _texts_of_rows(layout, rows), layout.amounts(account, kept_rows, printed)
    )
    is_one_column = layout.columns.amount is not None and not printed.marks
    if orientation.convention.credit < 0 and is_one_column:
        yield from clues_of_signs(printed.amounts)
    booked = kept_rows.only(places_with_balance(kept_rows, layout.columns.balance)).cells
    balances = layout.money.balances(booked, account.currency) if booked.rows else []
    if balances and orientation.is_proven:
        sign = orientation.balance_sign
        yield from clues_of_balances([sign * balance for balance in balances], is_owed=sign < 0)


def _of_cells(
    layout: Layout, account: StatementAccount, rows: Sequence[Sequence[str]]
) -> Iterator[KindClue]:
    if isinstance(layout.table, AppTable):
        return
    names = layout.table.names
    columns = [{cell.strip() for cell in column} for column in zip(*rows, strict=True)]
    own = [column for column in columns if len(column) <= max(_OWN_CARDS, len(rows) // 10)]
    cards = [] if names_customers(names) else [columns[at] for at in _places_of(names, _OF_CARDS)]
    cards = [column for column in cards if not any(map(_AMOUNT.search, column))]
    if any(column in own and "" not in column for column in cards):
        yield KindClue(("credit",), SURE, "each row names a card")
    for index in _places_of(names, _OF_PRODUCTS):
        yield from clues_of_product({row[index] for row in rows})
    if any(all(map(_MASKED_CARD.fullmatch, column)) for column in own):
        yield KindClue(("credit",), LIKELY, "each row has a card number")
    if not names and any(
        len(column) == 1
        and guess_kind(column) == "credit"
        and len(min(column)) <= len("Mastercard")
        for column in columns
    ):
        yield KindClue(("credit",), LIKELY, "each row says it is a card")
    if _IBAN.fullmatch((account.number or "").replace(" ", "")):
        yield KindClue(DEPOSITORY, LIKELY, "an IBAN")


def _texts_of_rows(layout: Layout, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """What rows say in words: texts, types and categories; without a header all but days and money."""
    columns = layout.columns
    silent = {*columns.money, columns.date, columns.other_date, columns.balance, columns.currency}
    names = () if isinstance(layout.table, AppTable) else layout.table.names
    silent |= {index for index, name in enumerate(names) if not _SPOKEN & name.meanings.keys()}
    silent -= {*columns.texts.places, columns.type}
    spoken = [index for index in range(len(rows[0])) if index not in silent]
    return (" ".join(row[index] for index in spoken) for row in rows)
