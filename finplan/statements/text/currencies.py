"""Currencies as people print them, and the currency of a country.

Beside an amount stand codes and signs; a country is said by an account's IBAN, or by its name in a
file's name. The countries that have an IBAN are those of SWIFT's registry (ISO 13616); their codes are
of ISO 3166.
"""

import re
from collections.abc import Iterable

from finplan.model.money import CODES
from finplan.statements.statement import AmbiguousStatement, Choice, Question

_CODES_AND_WORDS = """
ALL AMD ANG BAM BOB COP CUP DOP GEL GIP LAK MAD MOP PEN PHP SAR SOS TOP TRY WST
"""
_CODES_THAT_ARE_WORDS = frozenset(_CODES_AND_WORDS.split())
"""Codes that are a word, a name or an abbreviation besides, and so say nothing within a text."""

_SIGNS = {
    "€": "EUR", "EURO": "EUR", "EUROS": "EUR", "£": "GBP", "US$": "USD", "$US": "USD",
    "C$": "CAD", "CA$": "CAD",
    "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL",
    "S$": "SGD", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "₪": "ILS", "₫": "VND",
    "₴": "UAH", "₦": "NGN", "฿": "THB", "₱": "PHP", "₡": "CRC", "₲": "PYG", "₸": "KZT",
    "₾": "GEL", "RM": "MYR", "RP": "IDR", "S/": "PEN", "ZŁ": "PLN", "KČ": "CZK", "FT": "HUF",
    "LEI": "RON", "SFR.": "CHF", "FR.": "CHF", "د.ا": "JOD",
    "円": "JPY", "원": "KRW", "РУБ": "RUB", "РУБ.": "RUB", "ГРН": "UAH", "ЛВ": "BGN", "ДЕН": "MKD",
    "ДИН": "RSD", "ZL": "PLN", "KC": "CZK", "TL": "TRY", "บาท": "THB", "NIS": "ILS", "RUR": "RUB",
    "ש״ח": "ILS", 'ש"ח': "ILS",
    "ש''ח": "ILS", "CN¥": "CNY", "人民币": "CNY", "新台幣": "TWD", "台幣": "TWD", "港幣": "HKD",
    "RMB": "CNY",
    "Đ": "VND", "¤": "EUR", "TK": "BDT", "৳": "BDT", "USH": "UGX", "TSH": "TZS",
    "GH₵": "GHS", "₵": "GHS", "₼": "AZN", "₮": "MNT", "₭": "LAK", "RD$": "DOP",
}  # fmt: skip
"""What one currency alone is printed as; “¤” is where later code pages than the file's have the euro."""
_DOLLARS = ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "COP", "CLP", "ARS")
_SHARED_SIGNS: dict[str, tuple[str, ...]] = {
    "$": _DOLLARS, "¥": ("JPY", "CNY"), "￥": ("CNY", "JPY"), "KR": ("SEK", "NOK", "DKK", "ISK"),
    "RS": ("INR", "PKR", "LKR", "NPR"), "元": ("CNY", "TWD", "HKD"), "DH": ("MAD", "AED"),
}  # fmt: skip
"""Signs of several currencies."""
_THREE_LETTERS = re.compile(r"(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z])")
_COMMON_CURRENCIES = "eur usd gbp chf aud nzd sek nok dkk pln czk huf jpy inr brl zar sgd hkd mxn"
_COMMON_IN_SMALL_LETTERS = frozenset(_COMMON_CURRENCIES.split())


def currency_of(text: str) -> str | None:
    """Name the currency of a code or sign, None when there is none or several share it."""
    folded = text.strip(" .\u00a0\u200e\u200f").upper()
    return folded if folded in CODES else _SIGNS.get(folded) or _SIGNS.get(folded + ".")


def is_currency(text: str) -> bool:
    """Say whether a text beside a number is a currency, even one that several countries share."""
    return currency_of(text) is not None or bool(currencies_sharing(text))


def currencies_sharing(text: str) -> tuple[str, ...]:
    """Name the currencies that a sign may mean when it is not one's alone, the likeliest first."""
    return _SHARED_SIGNS.get(text.strip(" .\u00a0\u200e\u200f").upper(), ())


def has_sign(code: str) -> bool:
    """Say whether it is known how a currency is printed other than by its code."""
    return code in _SIGNS.values() or any(code in shared for shared in _SHARED_SIGNS.values())


def codes_in(text: str) -> set[str]:
    """The codes that stand in a text as words in capitals, but for those that mean something else."""
    return {
        code
        for code in _THREE_LETTERS.findall(text)
        if code in CODES and code not in _CODES_THAT_ARE_WORDS
    }


def code_in_name(name: str) -> str | None:
    """The one code that a file's name holds, as in “statement_EUR”; common ones in small letters too."""
    codes = codes_in(name) | {
        code.upper() for code in _THREE_LETTERS.findall(name) if code in _COMMON_IN_SMALL_LETTERS
    }
    return codes.pop() if len(codes) == 1 else None


LIKELIEST = {
    "USD": "US dollars", "EUR": "euros", "GBP": "pounds sterling", "CAD": "Canadian dollars",
    "AUD": "Australian dollars", "CHF": "Swiss francs", "INR": "Indian rupees", "JPY": "yen",
}  # fmt: skip
"""The currencies of most people who are asked for theirs, and what they are called."""

_NAMES_OF_CURRENCIES = LIKELIEST | {
    "SEK": "Swedish kronor", "NOK": "Norwegian kroner", "DKK": "Danish kroner", "ISK": "krónur",
    "NZD": "New Zealand dollars", "SGD": "Singapore dollars", "HKD": "Hong Kong dollars",
    "TWD": "Taiwan dollars", "MXN": "Mexican pesos", "COP": "Colombian pesos",
    "CLP": "Chilean pesos", "ARS": "Argentine pesos", "BRL": "reais", "CNY": "yuan",
    "PKR": "Pakistani rupees", "LKR": "Sri Lankan rupees", "NPR": "Nepalese rupees",
    "PLN": "zlotys", "CZK": "Czech korunas", "HUF": "forints", "RON": "lei", "BGN": "leva",
    "MAD": "Moroccan dirhams", "AED": "Emirati dirhams", "ZAR": "rand", "TRY": "Turkish liras",
}  # fmt: skip


WHICH_CURRENCY = "Which currency are the amounts in?"


def currency_question(why: str = "", likely: Iterable[str] = ()) -> AmbiguousStatement:
    """The question which currency amounts are in; any code answers it, though only some are shown.

    `why` is a sentence on what the file has instead, empty where it has nothing.
    """
    first = tuple(dict.fromkeys(likely)) or tuple(LIKELIEST)
    pairs = ((code, _NAMES_OF_CURRENCIES.get(code, code)) for code in first)
    choices = (Choice(code, f"{label[:1].upper()}{label[1:]}") for code, label in pairs)
    text = f"{WHICH_CURRENCY} {why}".strip()
    return AmbiguousStatement(Question("currency", text, tuple(choices), is_open=True))


def known_currency(code: str) -> str:
    """Give a currency back, and ask for the one that a file leaves open, which is the empty text.

    Raises AmbiguousStatement.
    """
    if not code:
        raise currency_question()
    return code


_EURO_COUNTRIES = (
    "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK EL"
)
_COUNTRIES_WITH_OWN_MONEY = """
    AE:AED AL:ALL AR:ARS AU:AUD AZ:AZN BA:BAM BH:BHD BI:BIF BR:BRL BY:BYN CA:CAD CH:CHF CL:CLP CN:CNY
    CO:COP CR:CRC CZ:CZK DJ:DJF DK:DKK DO:DOP EG:EGP FO:DKK GB:GBP GE:GEL GI:GIP GL:DKK GT:GTQ HK:HKD
    HN:HNL HU:HUF ID:IDR IL:ILS IN:INR IQ:IQD IS:ISK JO:JOD JP:JPY KE:KES KR:KRW KW:KWD KZ:KZT LB:LBP
    LI:CHF LY:LYD MA:MAD MD:MDL MK:MKD MN:MNT MR:MRU MU:MUR MX:MXN MY:MYR NG:NGN NI:NIO NO:NOK NZ:NZD
    OM:OMR PE:PEN PH:PHP PK:PKR PL:PLN QA:QAR RO:RON RS:RSD RU:RUB SA:SAR SC:SCR SD:SDG SE:SEK SG:SGD
    SO:SOS TH:THB TN:TND TR:TRY TW:TWD UA:UAH UK:GBP US:USD VG:USD VN:VND YE:YER ZA:ZAR
"""
CURRENCY_OF_COUNTRY = {
    **dict.fromkeys(_EURO_COUNTRIES.split(), "EUR"),
    **{
        code: money
        for code, _, money in (
            country.partition(":") for country in _COUNTRIES_WITH_OWN_MONEY.split()
        )
    },
}
"""The currency of a country by its code of two letters; “UK” and “EL” are in use for GB and GR."""

_NAMES_OF_COUNTRIES = """
    uk:GBP|usa:USD|united states:USD|united kingdom:GBP|britain:GBP|canada:CAD
    |canadian:CAD|australia:AUD|australian:AUD|new zealand:NZD|india:INR|indian:INR|japan:JPY
    |japanese:JPY|china:CNY|korea:KRW|korean:KRW|taiwan:TWD|hong kong:HKD|hongkong:HKD|singapore:SGD
    |malaysia:MYR|thailand:THB|thai:THB|vietnam:VND|indonesia:IDR|philippines:PHP|brasil:BRL|brazil:BRL
    |brazilian:BRL|mexico:MXN|argentina:ARS|chile:CLP|colombia:COP|switzerland:CHF|swiss:CHF|schweiz:CHF
    |suisse:CHF|sweden:SEK|swedish:SEK|sverige:SEK|norway:NOK|norwegian:NOK|norge:NOK|denmark:DKK
    |danish:DKK|danmark:DKK|iceland:ISK|poland:PLN|polish:PLN|polska:PLN|czech:CZK|hungary:HUF
    |hungarian:HUF|romania:RON|turkey:TRY|turkish:TRY|ukraine:UAH|russia:RUB|israel:ILS
    |south africa:ZAR|nigeria:NGN|kenya:KES|germany:EUR|deutschland:EUR|austria:EUR|austrian:EUR
    |france:EUR|italy:EUR|italia:EUR|italian:EUR|spain:EUR|espana:EUR|netherlands:EUR|nederland:EUR
    |dutch:EUR|belgium:EUR|belgie:EUR|belgique:EUR|finland:EUR|suomi:EUR|ireland:EUR|portugal:EUR
    |greece:EUR|greek:EUR|french:EUR|german:EUR
"""
CURRENCY_OF_COUNTRY_NAME = {
    name: money
    for name, _, money in (
        country.strip().partition(":")
        for country in " ".join(_NAMES_OF_COUNTRIES.split()).split("|")
    )
}
"""The currency of a country, or of what is called after it, in small letters."""

_IBAN = re.compile(r"([A-Z]{2})\d{2}[A-Z0-9]{11,30}")
_SEPARATORS_IN_IBANS = re.compile(r"[\s'._-]+")


def currency_of_iban(number: str) -> str | None:
    """The currency of the country whose IBAN a number is by its form, None for any other number.

    The check digits are not looked at, because banks mask the middle of a number.
    """
    match = _IBAN.fullmatch(_SEPARATORS_IN_IBANS.sub("", number).replace("*", "X").upper())
    return CURRENCY_OF_COUNTRY.get(match[1]) if match else None
