"""Banks whose own columns tell the kind of account, and columns that only some kinds have."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from finplan.model.account import KindWord
from finplan.statements.kinds.conclusion import DEPOSITORY, LIKELY, SURE
from finplan.statements.statement import KindClue
from finplan.statements.table.words import words_of


class _Layout(NamedTuple):
    """A bank's export: the columns it always has, those that it may have besides; None is any."""

    bank: str
    columns: frozenset[str]
    besides: frozenset[str] | None


def _names(listed: str) -> frozenset[str]:
    return frozenset(" ".join(words_of(name)) for name in listed.split("|"))


def _layouts(table: str) -> tuple[_Layout, ...]:
    """Read lines of bank, columns and further columns, with `*` for any further ones."""
    found = []
    for line in filter(None, map(str.strip, table.splitlines())):
        bank, columns, besides = (part.strip() for part in line.split("::"))
        further = None if besides == "*" else _names(besides) - {""}
        found.append(_Layout(bank, _names(columns), further))
    return tuple(found)


_CARDS = _layouts(
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
_CHECKING = _layouts(
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
_EITHER = _layouts(
    """
    a Bank of America account :: Date|Description|Amount|Running Bal. ::
    a Danske Bank account :: Dato|Tekst|Beløb|Saldo|Status|Afstemt ::
    a PKO account :: Data operacji|Data waluty|Typ transakcji|Kwota|Waluta|Saldo po transakcji :: *
    an HDFC account :: Date|Narration|Chq./Ref.No.|Value Dt|Withdrawal Amt.|Deposit Amt. :: *
    a Barclays account :: Number|Date|Account|Amount|Subcategory|Memo ::
    """
)
_KNOWN: tuple[tuple[tuple[KindWord, ...], tuple[_Layout, ...]], ...] = (
    (("credit",), _CARDS),
    (("checking",), _CHECKING),
    (DEPOSITORY, _EITHER),
)

_OF_CARDS = _names(
    "card|card no|card number|card id|card member|cardmember|cardholder|card holder|card holder name"
    "|name on card|credit card number|kartennummer|karten nr|kartennr|karteninhaber|konto karteninhaber"
    "|kortnummer|kortinnehavare|kortholder|numero de carte|numero carte|titulaire de la carte"
    "|numero de tarjeta|numero tarjeta|tarjeta|titular de la tarjeta|numero carta|numero do cartao"
    "|cartao"
    "|numer karty|nr karty|cislo karty|kortin numero|kaartnummer|カード番号|ご利用カード|卡号"
)
"""The columns that a card's export has in every row, and another one at most in rows paid by card."""

_OF_BANK_ACCOUNTS = _names(
    "iban|bban|bic|swift|check|cheque|chq|chqno|cheques|tegenrekening|tegenpartij|mandatsreferenz"
    "|auftragskonto|gegenkonto|kundenreferenz|glaubiger|glaeubiger|protiucet|protiuctu|kontrahenta"
    "|contrepartie|maksunsaaja|viitenumero|mottakerkonto|ordenante"
)
"""Words of columns for cheques, mandates and other people's accounts, which no card pays."""

_CUSTOMERS = frozenset(["customer", "buyer", "payer", "kunde", "client", "cliente", "klant"])

_OF_PRODUCTS = _names(
    "account type|type of account|product|produkt|kontotyp|kontoart|type de compte|tipo de cuenta"
    "|tipo di conto|tipo de conta|rekeningtype|rodzaj rachunku"
)


def clues_of_header(header: Sequence[str]) -> Iterator[KindClue]:
    """What the names of columns say: a bank's own are sure, those of bank accounts likely."""
    names = frozenset(" ".join(words_of(name)) for name in header) - {""}
    for kinds, layouts in _KNOWN:
        for layout in layouts:
            others = names - layout.columns
            if layout.columns <= names and (layout.besides is None or others <= layout.besides):
                yield KindClue(kinds, SURE, f"its columns are those of {layout.bank}")
    if any(_OF_BANK_ACCOUNTS.intersection(name.split()) for name in names):
        yield KindClue(DEPOSITORY, LIKELY, "it has columns for cheques or for others' accounts")


def card_columns(header: Sequence[str]) -> list[int]:
    """The places of columns that name the card or who holds it."""
    return _places(header, _OF_CARDS)


def names_customers(header: Sequence[str]) -> bool:
    """Say whether a header has columns of customers, as a shop's payments do: the cards are theirs."""
    return any(not _CUSTOMERS.isdisjoint(words_of(name)) for name in header)


def product_columns(header: Sequence[str]) -> list[int]:
    """The places of columns that name the type of account."""
    return _places(header, _OF_PRODUCTS)


def _places(header: Sequence[str], wanted: frozenset[str]) -> list[int]:
    return [place for place, name in enumerate(header) if " ".join(words_of(name)) in wanted]
