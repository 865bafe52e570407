"""The currency of a table whose rows do not each name their own: the strongest evidence decides.

1. A column of currencies: each row has its own, and the code's exponent rules the row's amounts.
2. A code or a sign in the header of the amounts or in their cells; a sign that several countries use
   leaves its currencies, and nothing weaker names another.
3. A code in the lines above the table; below it the person's word, and then a code in the file's name.
4. The country of the IBAN of the account.
5. What was said of earlier files with the header; then the bank whose columns or name it has, and the
   payment systems that the rows name. A bank that works in one country has that country's
   currency; of one that works in several, a file must name the country beside the bank.
6. The language of the header where it is one currency's.
7. The household's currency, unless the header is in the language of other countries or amounts have
   cents that the currency lacks.
   Dates that have the month first are no file's in another currency than theirs.
8. The question, with the likely ones as choices; it comes before 6 where what stands beside the amounts
   is no sign that is known, unless the household's currency has none that is.

What rests on the file's name, a bank, a language or the household is assumed, and said to be so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from finplan.model.money import exponent
from finplan.model.statement import DateOrder
from finplan.statements.statement import AmbiguousStatement, Hints, UnreadableStatement
from finplan.statements.table.layouts import currency_of_header
from finplan.statements.table.words import ColumnName, currencies_spoken, words_of
from finplan.statements.text import currencies
from finplan.statements.text.descriptors import shortened

_NAMES_OF_BANKS = """
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
_NAMES_OF_BANKS_IN_MANY_COUNTRIES = """
    amex|american express|citi|citibank|hsbc|santander|ing|nordea|danske|anz|westpac|td|mbank|bbva
    |scotiabank|uob|ocbc|unicredit|erste|raiffeisen|swedbank|seb|handelsbanken|revolut|wise|paypal
    |standard chartered|maybank
"""
_PAYMENT_SYSTEMS = """
    USD ppd id|zelle|venmo;CAD interac;GBP bacs|faster payment|faster payments;INR upi|neft|imps
    ;BRL pix;PLN blik;SEK swish|bankgiro;NOK vipps;DKK dankort;CHF twint;EUR bizum|bancontact
    ;AUD osko|payid|bpay;SGD paynow;MYR duitnow;THB promptpay;KES mpesa
"""


def _listed_names(names: str) -> list[str]:
    return [name.strip() for name in " ".join(names.split()).split("|")]


def _by_currency(groups: str) -> dict[str, str]:
    """The currency of each name, of groups that begin with their currency."""
    parted = (group.strip().partition(" ") for group in groups.split(";"))
    return {name: money for money, _, names in parted for name in _listed_names(names)}


_BANKS = _by_currency(_NAMES_OF_BANKS)
_BANKS_OF_MANY = frozenset(_listed_names(_NAMES_OF_BANKS_IN_MANY_COUNTRIES))
_SCHEMES = _by_currency(_PAYMENT_SYSTEMS)
_SCHEME_NAMED = re.compile(rf"\b(?:{'|'.join(_SCHEMES)})\b", re.IGNORECASE)
_REMEMBERED = 64
_LONGEST_NAME_OF_A_BANK = 4
"""How many words the name of a bank or a country has at most."""


@lru_cache(_REMEMBERED)
def currency_of_name(text: str) -> str | None:
    """The currency of the bank or the country that a file's name or the lines above a table name.

    None where there is none, or several of different currencies. A bank of many countries counts with
    the code of a country beside it, as in “uk_amex”.
    """
    tokens = words_of(text)
    phrases = {
        " ".join(tokens[first : first + length])
        for first in range(len(tokens))
        for length in range(1, _LONGEST_NAME_OF_A_BANK + 1)
    }
    matches = {
        names[phrase]
        for names in (_BANKS, currencies.CURRENCY_OF_COUNTRY_NAME)
        for phrase in phrases.intersection(names)
    }
    if phrases & _BANKS_OF_MANY:
        codes = (token.upper() for token in tokens if len(token) == 2)
        matches |= {
            currencies.CURRENCY_OF_COUNTRY[code]
            for code in codes
            if code in currencies.CURRENCY_OF_COUNTRY
        }
    return matches.pop() if len(matches) == 1 else None


def currency_of_payments(texts: Iterable[str]) -> str | None:
    """The currency of the one country whose payment systems the rows name, as UPI is India's."""
    codes = {_SCHEMES[name.lower()] for text in set(texts) for name in _SCHEME_NAMED.findall(text)}
    return codes.pop() if len(codes) == 1 else None


_DOLLAR = "USD"
"""The currency of “$” beside dates with the month first."""

_MONTH_FIRST = frozenset(["USD", "CAD", "PHP"])
"""The currencies of countries whose banks write dates with the month first."""


@dataclass(frozen=True, slots=True)
class CurrencyClues:
    """What a table shows of its currency.

    `amounts` are the names of the columns of amounts, `balance` that of the balance, `units` what stands
    beside the numbers, `column` the distinct cells of a column of currencies, with a blank one where a
    transaction has none. `above` are the cells above the table, `stated` the currency that they name as
    the account's, `numbers` the account's, `texts` some descriptions; `date_order` is None where dates
    are the same in any.
    `is_doubtful` says that the column may be of other amounts than the account's.
    """

    header: tuple[str, ...]
    amounts: tuple[ColumnName, ...]
    balance: ColumnName
    units: frozenset[str]
    column: tuple[str, ...]
    above: tuple[str, ...]
    stated: str | None
    file_name: str
    numbers: tuple[str, ...]
    texts: Sequence[str]
    date_order: DateOrder | None
    decimal_comma: bool
    has_cents: bool
    is_doubtful: bool


class FoundCurrency(NamedTuple):
    """A currency, and whether no more than the file's surroundings speak for it."""

    code: str
    is_assumed: bool


def find_currency(clues: CurrencyClues, hints: Hints, remembered: str | None) -> FoundCurrency:
    """Find the currency of the rows that do not name their own.

    `remembered` is what was said of earlier files with the header. Raises UnreadableStatement where the
    amounts are in several currencies, AmbiguousStatement where the person has to say it.
    """
    codes = list(dict.fromkeys(filter(None, map(currencies.currency_of, clues.column))))
    if clues.is_doubtful:
        stated = hints.currency or remembered
        if stated is None:
            own = filter(None, (amount.currency for amount in clues.amounts))
            raise currencies.currency_question(
                "The file has two columns of amounts but only one column of currencies.",
                [*own, *codes, *filter(None, [hints.household])],
            )
        return FoundCurrency(stated, is_assumed=True)
    bare = {cell for cell in clues.column if currencies.currency_of(cell) is None}
    if codes and (not bare or (bare == {""} and _fills_blanks(codes, clues))):
        return FoundCurrency(codes[0], is_assumed=False)
    beside = _beside_amounts(clues)
    if beside is not None:
        return FoundCurrency(beside, is_assumed=False)
    sign = next(
        (unit for unit in sorted(clues.units | bare) if currencies.currencies_sharing(unit)), ""
    )
    allowed = currencies.currencies_sharing(sign)
    if allowed and any(code not in allowed for code in (clues.stated, hints.currency) if code):
        raise _question_of_currency(sign, allowed)
    for candidate in _by_strength(clues, hints, remembered):
        if not allowed or candidate.code in allowed:
            return candidate
    return _by_language(clues, hints.household, sign)


def _fills_blanks(codes: Sequence[str], clues: CurrencyClues) -> bool:
    """Say whether rows without a currency are in the only one that others name.

    It is that of the header's language; beside a foreign one, blank cells may mean the country's own.
    """
    spoken = currencies_spoken(clues.header, decimal_comma=clues.decimal_comma)
    return len(codes) == 1 and (not spoken or codes[0] in spoken)


def names_currency(clues: CurrencyClues, hints: Hints) -> bool:
    """Say whether the person, or the file's name, names a currency, which is more than an IBAN does."""
    return hints.currency is not None or currencies.code_in_name(clues.file_name) is not None


def _beside_amounts(clues: CurrencyClues) -> str | None:
    """The currency in the header of the amounts or beside them, None when it is not there."""
    distinct = {
        *(amount.currency for amount in clues.amounts),
        *map(currencies.currency_of, clues.units),
    } - {None}
    distinct = distinct or {clues.balance.currency} - {None}
    if len(distinct) > 1:
        codes = " and ".join(sorted(filter(None, distinct)))
        raise UnreadableStatement(
            f"The amounts are in {codes}. Add a column that names the currency of each row."
        )
    return distinct.pop() if distinct else None


def _by_strength(
    clues: CurrencyClues, hints: Hints, remembered: str | None
) -> Iterator[FoundCurrency]:
    """Give what each piece of evidence beside the amounts themselves says, the strongest first."""
    countries = set(map(currencies.currency_of_iban, clues.numbers)) - {None}
    bank = currency_of_header(clues.header)
    is_foreign = bank == _DOLLAR and clues.date_order == "dmy"
    ranked = (
        (clues.stated, False),
        (hints.currency, True),
        (currencies.code_in_name(clues.file_name), True),
        (countries.pop() if len(countries) == 1 else None, False),
        (remembered, True),
        (None if is_foreign else bank, True),
        (currency_of_name(clues.file_name), True),
        (currency_of_name(" ".join(clues.above)), True),
        (currency_of_payments(clues.texts), True),
    )
    return (FoundCurrency(code, is_assumed) for code, is_assumed in ranked if code is not None)


def _by_language(clues: CurrencyClues, household: str | None, sign: str) -> FoundCurrency:
    """Let the language of the header decide, and then the household; ask where neither does.

    A sign beside the amounts that nobody knows is of no currency that has a known one.
    """
    unknown = next(
        (unit for unit in sorted(clues.units) if unit and not currencies.is_currency(unit)), None
    )
    if unknown is not None:
        if household is not None and not currencies.has_sign(household):
            return FoundCurrency(household, is_assumed=True)
        raise currencies.currency_question(
            f"finplan does not know the currency “{shortened(unknown)}”."
        )
    allowed = currencies.currencies_sharing(sign)
    spoken = currencies_spoken(clues.header, decimal_comma=clues.decimal_comma)
    likely = [code for code in spoken if not allowed or code in allowed]
    if len(likely) == 1:
        return FoundCurrency(likely[0], is_assumed=True)
    possible = likely or allowed
    fits = household is not None and not (clues.has_cents and exponent(household) == 0)
    is_foreign = clues.date_order == "mdy" and household not in _MONTH_FIRST
    if is_foreign and not possible and household is not None:
        raise currencies.currency_question(
            f"The file's dates have the month first, which is unusual for {household}.",
            (_DOLLAR, household),
        )
    if household is not None and fits and household in (possible or (household,)):
        return FoundCurrency(household, is_assumed=True)
    if _DOLLAR in allowed and clues.date_order == "mdy":
        return FoundCurrency(_DOLLAR, is_assumed=True)
    raise _question_of_currency(sign, possible)


def _question_of_currency(sign: str, likely: Sequence[str]) -> AmbiguousStatement:
    if sign:
        return currencies.currency_question(
            f"Several countries use the currency sign “{sign}”.", likely
        )
    return currencies.currency_question(likely=likely)
