"""Currencies as people print them beside an amount: codes and signs."""

from finplan.statements.statement import Choice, Question

_ISO_4217 = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
BZD CAD CDF CHF CLF CLP CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EEK EGP ERN ETB EUR FJD FKP
GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS
KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
SAR SBD SCR SDG SEK SGD SHP SKK SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD
TWD TZS UAH UGX USD UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG ZWL
"""
CODES = frozenset(_ISO_4217.split())
"""All current codes, with the last currencies that the euro replaced."""

_SIGNS = {
    "€": "EUR", "EURO": "EUR", "£": "GBP", "US$": "USD", "$US": "USD", "C$": "CAD", "CA$": "CAD",
    "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL",
    "S$": "SGD", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "₪": "ILS", "₫": "VND",
    "₴": "UAH", "₦": "NGN", "฿": "THB", "₱": "PHP", "₡": "CRC", "₲": "PYG", "₸": "KZT",
    "₾": "GEL", "RM": "MYR", "RP": "IDR", "S/": "PEN", "ZŁ": "PLN", "KČ": "CZK", "FT": "HUF",
    "LEI": "RON", "SFR.": "CHF", "FR.": "CHF", "د.ا": "JOD",
}  # fmt: skip
_DOLLARS = ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "COP", "CLP", "ARS")
_SHARED_SIGNS: dict[str, tuple[str, ...]] = {
    "$": _DOLLARS, "¥": ("JPY", "CNY"), "￥": ("CNY", "JPY"), "KR": ("SEK", "NOK", "DKK", "ISK"),
    "RS": ("INR", "PKR", "LKR", "NPR"),
}  # fmt: skip
"""Signs of several currencies."""


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


def which_currency(sign: str) -> Question:
    """The question which currency a sign means that several countries use."""
    return Question(
        "currency",
        f"The amounts are in “{sign}”, which several countries use.",
        tuple(Choice(code, f"“{sign}” is {code}") for code in currencies_sharing(sign)),
    )
