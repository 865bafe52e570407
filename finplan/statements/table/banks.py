"""Which currency a bank's own table is in: by its columns, the bank's name, or its country's payments.

A bank that works in one country has its country's currency; of one that works in several, a file must
name the country beside the bank.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from finplan.statements.table.words import words_of
from finplan.statements.text.currencies import CURRENCY_OF_COUNTRY, CURRENCY_OF_COUNTRY_NAME

_COLUMNS = """
    USD transaction date|post date|description|category|type|amount
    USD type|trans date|post date|description|amount
    USD details|posting date|description|amount|type|balance|check or slip
    USD transaction date|posted date|card no|description|category|debit|credit
    USD account number|transaction description|transaction date|transaction type|transaction amount
    USD =status|date|description|debit|credit
    USD =status|date|description|debit|credit|member name
    USD trans date|post date|description|amount|category
    USD date|description|amount|running bal
    USD posted date|reference number|payee|address|amount
    USD clearing date|merchant|purchased by
    USD date|description|card member|account|amount
    USD appears on your statement as|city state|zip code
    USD datetime|funding source|destination|amount total
    USD date|status|type|check number|description|withdrawal|deposit|running balance
    USD run date|action|settlement date|amount
    CAD first bank card|transaction type|date posted|transaction amount|description
    CAD filter|date|description|sub description
    CAD date|transaction details|funds out|funds in
    GBP number|date|account|amount|subcategory|memo
    GBP sort code
    GBP =date|type|description|value|balance|account name|account number
    GBP appears on your statement as|town city|postcode
    EUR naam omschrijving|af bij
    EUR datum|naam omschrijving|rekening|tegenrekening|code
    EUR date op|date val|label|category
    EUR posted account|posted transactions date
    CHF booked at|text|credit debit amount|valuta date
    CHF datum|buchungstext|zkb referenz
    INR date|narration|chq ref no|value dt|withdrawal amt|deposit amt|closing balance
    INR tran date|chqno|particulars|dr|cr|bal
    INR transaction remarks|withdrawal amount|deposit amount
    INR txn date|value date|description|ref no cheque no|debit|credit|balance
    INR sl no|date|description|chq ref number|amount
    BRL =date|title|amount
    BRL =date|category|title|amount
    BRL =data|valor|identificador|descricao
    BRL data|dependencia origem|historico|valor
    AUD date|amount|account number|transaction type|transaction details|balance|category|merchant name
    AUD bank account|date|narrative|debit amount|credit amount|balance
    AUD bsb number|account number
    AUD bsb|account number
    AUD transaction date|details|account|category|subcategory|tags|notes|debit|credit|balance
    NZD date|unique id|tran type|cheque number|payee|memo|amount
    NZD type|details|particulars|code|reference|amount|date
    NZD date|amount|other party|description|reference|particulars|analysis code
    NZD date|amount|payee|particulars|code|reference
    ZAR posting date|transaction date|original description|parent category|money in|money out
    SGD transaction date|reference|debit amount|credit amount|transaction ref1
"""


def _parsed(line: str) -> tuple[str, bool, frozenset[str]]:
    money, _, names = line.strip().partition(" ")
    return money, names.startswith("="), frozenset(names.removeprefix("=").split("|"))


BANK_TABLES = tuple(map(_parsed, _COLUMNS.strip().splitlines()))
"""Currency, whether these are all columns, and the columns of tables that one country's banks write."""

_NAMES = """
    USD chase|bofa|bank of america|bankofamerica|wells fargo|wellsfargo|capital one|capitalone|discover
    |suntrust|truist|usaa|pnc|charles schwab|schwab|fidelity|venmo|apple card|applecard|navy federal
    |chime|synchrony|us bank|usbank|fifth third
    ;GBP barclays|barclaycard|lloyds|halifax|natwest|monzo|starling|nationwide|tsb|first direct
    |firstdirect|rbs|royal bank of scotland|metro bank|metrobank|virgin money|co operative bank
    ;CAD rbc|royal bank of canada|tangerine|cibc|bmo|desjardins|simplii|td canada trust|eq bank
    ;AUD nab|commbank|commonwealth bank|bankwest|macquarie|st george|suncorp|bendigo|ubank
    ;NZD asb|kiwibank|bnz
    ;INR hdfc|icici|axis|axis bank|sbi|state bank of india|kotak|idfc|punjab national bank|canara
    ;SGD dbs|posb|united overseas bank limited;HKD hang seng
    ;ZAR fnb|absa|capitec|nedbank|standard bank|tymebank
    ;BRL nubank|itau|bradesco|banco do brasil|banco inter|c6 bank|caixa economica
    ;PLN pko|pekao|alior;CZK fio|ceska sporitelna;HUF otp;TRY garanti|akbank|isbank|yapi kredi
    ;JPY smbc|mufg|rakuten|mizuho;CNY icbc|alipay|wechat pay;KRW kakaobank|kookmin|shinhan
    ;EUR sparkasse|commerzbank|dkb|comdirect|n26|volksbank|postbank|targobank|consorsbank|bunq|rabobank
    |abn amro|abnamro|belfius|kbc|bnp paribas|boursorama|boursobank|societe generale|credit agricole
    |caixabank|sabadell|bankinter|intesa|intesa sanpaolo|fineco|finecobank|bper|novo banco|bawag
    |easybank|aib|ptsb|deutsche bank
    ;CHF ubs|postfinance|credit suisse|zkb|viseca|cembra|swisscard
    ;DKK jyske bank|jyske|sydbank;NOK dnb|sbanken|sparebank;SEK ica banken|ica|lansforsakringar
    |skandiabanken
"""
_IN_MANY_COUNTRIES = """
    amex|american express|citi|citibank|hsbc|santander|ing|nordea|danske|anz|westpac|td|mbank|bbva
    |scotiabank|uob|ocbc|unicredit|erste|raiffeisen|swedbank|seb|handelsbanken|revolut|wise|paypal
    |standard chartered|maybank
"""
_PAYMENTS = """
    USD ppd id|zelle|venmo;CAD interac;GBP bacs|faster payment|faster payments;INR upi|neft|imps
    ;BRL pix;PLN blik;SEK swish|bankgiro;NOK vipps;DKK dankort;CHF twint;EUR bizum|bancontact
    ;AUD osko|payid|bpay;SGD paynow;MYR duitnow;THB promptpay;KES mpesa
"""


def _listed(names: str) -> list[str]:
    return [name.strip() for name in " ".join(names.split()).split("|")]


def _by_currency(groups: str) -> dict[str, str]:
    """The currency of each name, of groups that begin with their currency."""
    parted = (group.strip().partition(" ") for group in groups.split(";"))
    return {name: money for money, _, names in parted for name in _listed(names)}


_BANKS = _by_currency(_NAMES)
_BANKS_OF_MANY = frozenset(_listed(_IN_MANY_COUNTRIES))
_SCHEMES = _by_currency(_PAYMENTS)
_SCHEME = re.compile(rf"\b(?:{'|'.join(_SCHEMES)})\b", re.IGNORECASE)
_REMEMBERED = 64
_LONGEST_NAME = 4
"""How many words the name of a bank or a country has at most."""


def currency_of_table(header: Iterable[str]) -> str | None:
    """The currency of the one country whose banks write this header, None for any other header."""
    names = {" ".join(words_of(name)) for name in header} - {""}
    found = {
        money
        for money, is_whole, columns in BANK_TABLES
        if columns <= names and (not is_whole or columns == names)
    }
    return found.pop() if len(found) == 1 else None


@lru_cache(_REMEMBERED)
def currency_of_name(text: str) -> str | None:
    """The currency of the bank or the country that a file's name or the lines above a table name.

    None where there is none, or several of different currencies. A bank of many countries counts with
    the code of a country beside it, as in “uk_amex”.
    """
    words = words_of(text)
    phrases = {
        " ".join(words[first : first + length])
        for first in range(len(words))
        for length in range(1, _LONGEST_NAME + 1)
    }
    found = {
        names[phrase]
        for names in (_BANKS, CURRENCY_OF_COUNTRY_NAME)
        for phrase in phrases.intersection(names)
    }
    if phrases & _BANKS_OF_MANY:
        codes = (word.upper() for word in words if len(word) == 2)
        found |= {CURRENCY_OF_COUNTRY[code] for code in codes if code in CURRENCY_OF_COUNTRY}
    return found.pop() if len(found) == 1 else None


def currency_of_payments(texts: Iterable[str]) -> str | None:
    """The currency of the one country whose payment systems the rows name, as UPI is India's."""
    found = {_SCHEMES[name.lower()] for text in set(texts) for name in _SCHEME.findall(text)}
    return found.pop() if len(found) == 1 else None
