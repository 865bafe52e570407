"""What a table says of its accounts' kinds: its header, the lines above, its first rows.

Some banks' own columns tell the kind of account, and some columns only accounts of some kinds have.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from finplan.model.account import KindWord
from finplan.statements.apps import AppTable
from finplan.statements.csv.accounts import by_account
from finplan.statements.csv.balances import places_with_balance
from finplan.statements.csv.filter import KeptRows
from finplan.statements.csv.layout import Layout
from finplan.statements.kinds import (
    DEPOSITORY,
    LIKELY,
    SURE,
    clues_above,
    clues_of_balances,
    clues_of_product,
    clues_of_rows,
    clues_of_signs,
    kind_named,
)
from finplan.statements.statement import KindClue, StatementAccount
from finplan.statements.table.header_words import ColumnMeaning
from finplan.statements.table.table import Cells
from finplan.statements.table.words import meanings_of, words_of


class _KnownHeader(NamedTuple):
    """A bank's export: the columns it always has, those that it may have besides; None is any."""

    bank: str
    columns: frozenset[str]
    besides: frozenset[str] | None


def _names_of_columns(listed: str) -> frozenset[str]:
    return frozenset(" ".join(words_of(name)) for name in listed.split("|"))


def _known_headers(table: str) -> tuple[_KnownHeader, ...]:
    """Read lines of bank, columns and further columns, with `*` for any further ones."""
    found = []
    for line in filter(None, map(str.strip, table.splitlines())):
        bank, columns, besides = (part.strip() for part in line.split("::"))
        further = None if besides == "*" else _names_of_columns(besides) - {""}
        found.append(_KnownHeader(bank, _names_of_columns(columns), further))
    return tuple(found)


_HEADERS_OF_CARDS = _known_headers(
    """
    a Chase card :: Transaction Date|Post Date|Description|Category|Type|Amount :: Memo|Card
    a Chase card :: Type|Trans Date|Post Date|Description|Amount ::
    a Capital One card :: Transaction Date|Posted Date|Card No.|Description|Category|Debit|Credit ::
    a Citi card :: Status|Date|Description|Debit|Credit :: Member Name
    a Discover card :: Trans. Date|Post Date|Description|Amount|Category ::
    a Bank of America card :: Posted Date|Reference Number|Payee|Address|Amount ::
    an Apple card :: Transaction Date|Clearing Date|Description|Merchant|Category|Type|Amount (USD) :: *
    an American Express card :: Date|Description|Card Member|Account #|Amount :: *
    an American Express card :: Date|Description|Amount|Appears On Your Statement As :: *
    an American Express card :: Datum|Beschreibung|Karteninhaber|Betrag :: *
    a Nubank card :: date|title|amount :: category
    a DKB card :: Wertstellung|Belegdatum|Beschreibung|Ursprünglicher Betrag :: *
    a DKB card :: Belegdatum|Wertstellung|Status|Beschreibung|Umsatztyp|Fremdwährungsbetrag :: *
    a comdirect card :: Buchungstag|Umsatztag|Vorgang|Referenz|Buchungstext|Umsatz in EUR :: *
    a DNB card :: Dato|Beløpet gjelder|Inn|Ut ::
    a Bank Norwegian card :: TransactionDate|Text|Currency Amount|Currency Rate|Amount|Merchant Area :: *
    a Tangerine card :: Transaction date|Transaction|Name|Memo|Amount ::
    an ASB card :: Date Processed|Date of Transaction|Unique Id|Tran Type|Reference|Description|Amount ::
    a Rakuten card :: 利用日|利用者|支払方法|利用金額 :: *
    """
)
_HEADERS_OF_CHECKING = _known_headers(
    """
    a Chase checking account :: Details|Posting Date|Description|Amount|Type|Balance|Check or Slip # ::
    a Nubank account :: Data|Valor|Identificador|Descrição ::
    a DNB account :: Dato|Forklaring|Rentedato|Ut fra konto|Inn på konto ::
    a BMO account :: First Bank Card|Transaction Type|Date Posted|Transaction Amount|Description ::
    an ASB account :: Date|Unique Id|Tran Type|Cheque Number|Payee|Memo|Amount ::
    a Starling account :: Date|Counter Party|Reference|Type|Amount (GBP)|Balance (GBP) :: *
    a Monzo account :: Transaction ID|Date|Time|Type|Name|Emoji|Category|Amount :: *
    an N26 account :: Booking Date|Value Date|Partner Name|Partner Iban|Type|Payment Reference :: *
    an SMBC account :: 年月日|お引出し|お預入れ|お取り扱い内容|残高 :: *
    a BBVA account :: F.Valor|Fecha|Concepto|Movimiento|Importe|Divisa|Disponible|Observaciones ::
    an Intesa account :: Data contabile|Data valuta|Accrediti|Addebiti|Descrizione estesa|Mezzo :: *
    """
)
_HEADERS_OF_EITHER = _known_headers(
    """
    a Bank of America account :: Date|Description|Amount|Running Bal. ::
    a Danske Bank account :: Dato|Tekst|Beløb|Saldo|Status|Afstemt ::
    a PKO account :: Data operacji|Data waluty|Typ transakcji|Kwota|Waluta|Saldo po transakcji :: *
    an HDFC account :: Date|Narration|Chq./Ref.No.|Value Dt|Withdrawal Amt.|Deposit Amt. :: *
    a Barclays account :: Number|Date|Account|Amount|Subcategory|Memo ::
    """
)
_KNOWN_HEADERS: tuple[tuple[tuple[KindWord, ...], tuple[_KnownHeader, ...]], ...] = (
    (("credit",), _HEADERS_OF_CARDS),
    (("checking",), _HEADERS_OF_CHECKING),
    (DEPOSITORY, _HEADERS_OF_EITHER),
)

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


def clues_of_header(header: Sequence[str]) -> Iterator[KindClue]:
    """What the names of columns say: a bank's own are sure, those of bank accounts likely."""
    names = frozenset(" ".join(words_of(name)) for name in header) - {""}
    for kinds, layouts in _KNOWN_HEADERS:
        for layout in layouts:
            others = names - layout.columns
            if layout.columns <= names and (layout.besides is None or others <= layout.besides):
                yield KindClue(kinds, SURE, f"its columns are those of {layout.bank}")
    if any(_OF_BANK_ACCOUNTS.intersection(name.split()) for name in names):
        yield KindClue(DEPOSITORY, LIKELY, "it has columns for cheques or for others' accounts")


def card_columns(header: Sequence[str]) -> list[int]:
    """The places of columns that name the card or who holds it."""
    return _places_of(header, _OF_CARDS)


def names_customers(header: Sequence[str]) -> bool:
    """Say whether a header has columns of customers, as a shop's payments do: the cards are theirs."""
    return any(not _CUSTOMERS.isdisjoint(words_of(name)) for name in header)


def product_columns(header: Sequence[str]) -> list[int]:
    """The places of columns that name the type of account."""
    return _places_of(header, _OF_PRODUCTS)


def _places_of(header: Sequence[str], wanted: frozenset[str]) -> list[int]:
    return [place for place, name in enumerate(header) if " ".join(words_of(name)) in wanted]


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
    kept = layout.filter().keep(Cells(first.rows[:_ROWS_LOOKED_AT]))
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
    yield from clues_of_rows(_texts_of_rows(layout, rows), layout.amounts(account, kept, printed))
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


def _texts_of_rows(layout: Layout, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """What rows say in words: texts, types and categories; without a header all but days and money."""
    columns = layout.columns
    silent = {*columns.money, columns.date, columns.other_date, columns.balance, columns.currency}
    header = () if isinstance(layout.table, AppTable) else layout.table.header
    silent |= {place for place, name in enumerate(header) if not _SPOKEN & meanings_of(name).keys()}
    silent -= {*columns.texts.places, columns.type}
    spoken = [place for place in range(len(rows[0])) if place not in silent]
    return (" ".join(row[place] for place in spoken) for row in rows)
