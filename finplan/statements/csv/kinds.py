"""What a table says of its accounts' kinds: its header, the lines above, its first rows."""

import re
from collections.abc import Iterator, Mapping, Sequence

from finplan.statements.apps.layouts import AppTable
from finplan.statements.csv.accounts import by_account
from finplan.statements.csv.balance_steps import places_with_balance
from finplan.statements.csv.filter import KeptRows
from finplan.statements.csv.layout import Layout
from finplan.statements.kinds.conclusion import DEPOSITORY, LIKELY, SURE
from finplan.statements.kinds.headers import (
    card_columns,
    clues_of_header,
    names_customers,
    product_columns,
)
from finplan.statements.kinds.names import clues_above, clues_of_product, kind_named
from finplan.statements.kinds.rows import clues_of_balances, clues_of_rows, clues_of_signs
from finplan.statements.statement import KindClue, StatementAccount
from finplan.statements.table.cells import Cells
from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.words import meanings_of

_ROWS = 500
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
    kept = layout.filter().keep(Cells(first.rows[:_ROWS]))
    shared = () if isinstance(layout.table, AppTable) else tuple(_of_table(layout))
    return {
        account: (*shared, *_of_account(layout, account, own))
        for account, own in by_account(kept.transactions, layout.accounts)
    }


def _of_table(layout: Layout) -> Iterator[KindClue]:
    yield from clues_of_header(layout.table.header)
    yield from clues_above(
        cell for row in layout.table.preamble[:_MOST_ABOVE] for cell in row if cell.strip()
    )


def _of_account(layout: Layout, account: StatementAccount, kept: KeptRows) -> Iterator[KindClue]:
    rows, orientation = kept.cells.rows, layout.orientation
    yield from _of_cells(layout, account, rows)
    printed = layout.money.printed(kept.cells, account.currency)
    yield from clues_of_rows(_texts(layout, rows), layout.amounts(account, kept, printed))
    is_one_column = layout.columns.amount is not None and not printed.marks
    if orientation.convention.credit < 0 and is_one_column:
        yield from clues_of_signs(printed.amounts)
    booked = kept.only(places_with_balance(kept, layout.columns.balance)).cells
    balances = layout.money.balances(booked, account.currency) if booked.rows else []
    if balances and orientation.is_proven:
        sign = orientation.balance_sign
        yield from clues_of_balances([sign * balance for balance in balances], is_owed=sign < 0)


def _of_cells(
    layout: Layout, account: StatementAccount, rows: Sequence[Sequence[str]]
) -> Iterator[KindClue]:
    if isinstance(layout.table, AppTable):
        return
    header = layout.table.header
    columns = [{cell.strip() for cell in column} for column in zip(*rows, strict=True)]
    own = [column for column in columns if len(column) <= max(_OWN_CARDS, len(rows) // 10)]
    cards = [] if names_customers(header) else [columns[place] for place in card_columns(header)]
    cards = [column for column in cards if not any(map(_AMOUNT.search, column))]
    if any(column in own and "" not in column for column in cards):
        yield KindClue(("credit",), SURE, "each row names its card")
    for place in product_columns(header):
        yield from clues_of_product({row[place] for row in rows})
    if any(all(map(_MASKED_CARD.fullmatch, column)) for column in own):
        yield KindClue(("credit",), LIKELY, "each row has the number of a card")
    if not header and any(
        len(column) == 1
        and kind_named(column) == "credit"
        and len(min(column)) <= len("Mastercard")
        for column in columns
    ):
        yield KindClue(("credit",), LIKELY, "each row has the word of a card")
    if _IBAN.fullmatch((account.number or "").replace(" ", "")):
        yield KindClue(DEPOSITORY, LIKELY, "it has an IBAN")


def _texts(layout: Layout, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """What rows say in words: texts, types and categories; without a header all but days and money."""
    columns = layout.columns
    silent = {*columns.money, columns.date, columns.other_date, columns.balance, columns.currency}
    header = () if isinstance(layout.table, AppTable) else layout.table.header
    silent |= {place for place, name in enumerate(header) if not _SPOKEN & meanings_of(name).keys()}
    silent -= {*columns.texts.places, columns.type}
    spoken = [place for place in range(len(rows[0])) if place not in silent]
    return (" ".join(row[place] for place in spoken) for row in rows)
