"""Money is an integer of minor units: a currency's digits, exact conversion, and exact parts."""

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

LARGEST_AMOUNT = 10**13
"""Minor units: the most that a statement, or a person who types, may say of one amount.

Sums of hundreds of these stay within the integers that every JSON reader keeps.
"""

TYPED = re.compile(r"^(-?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]+))?$")
"""An amount as a person types it."""

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

_EXPONENTS = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG"), 0),
    **dict.fromkeys(("RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}
"""The ISO 4217 exponents that are not 2."""


def exponent(currency: str) -> int:
    """How many decimal digits a currency's minor unit has (ISO 4217)."""
    return _EXPONENTS.get(currency, 2)


def to_minor(value: Decimal, currency: str) -> int:
    """Convert a decimal amount to minor units, half-even once."""
    scaled = value.scaleb(exponent(currency))
    return int(scaled.to_integral_value(rounding=ROUND_HALF_EVEN))


def to_text(amount: int, currency: str) -> str:
    """Write minor units as a plain decimal number: -1234567 USD is "-12345.67"."""
    digits = exponent(currency)
    sign, size = ("-", -amount) if amount < 0 else ("", amount)
    if digits == 0:
        return f"{sign}{size}"
    return f"{sign}{size // 10**digits}.{size % 10**digits:0{digits}d}"


def half_even(numerator: int, denominator: int) -> int:
    """Divide two integers and round half to even; the denominator is positive."""
    quotient, remainder = divmod(numerator, denominator)
    twice = 2 * remainder
    return quotient + (twice > denominator or (twice == denominator and quotient % 2 == 1))


def apportion(amount: int, exact: Sequence[Fraction]) -> list[int]:
    """Round exact parts to integers that add up to `amount`, which is their sum, rounded.

    Largest remainder: floor each part first (so it works below zero too), then hand the rest out by
    largest remainder; ties go to the earlier part, so callers order parts by key.
    """
    parts = [share.numerator // share.denominator for share in exact]
    by_remainder = sorted(range(len(parts)), key=lambda index: parts[index] - exact[index])
    for index in by_remainder[: amount - sum(parts)]:
        parts[index] += 1
    return parts


def split(amount: int, weights: Sequence[int | Fraction]) -> list[int]:
    """Split an integer in proportion to weights, by largest remainder; the parts add up to it.

    Weights that add up to zero give the whole to the first part; no weights give no parts.
    """
    if not weights:
        return []
    total = sum(weights)
    if total == 0:
        return [amount, *([0] * (len(weights) - 1))]
    return apportion(amount, [Fraction(amount) * weight / total for weight in weights])


def typed_amount(text: str, currency: str, what: str) -> int:
    """Read an amount like "1,840.25" as minor units. Raises ValueError when it is not exact."""
    typed = TYPED.match(text.strip())
    if typed is None:
        raise ValueError(f"{what} {text!r} is not an amount. Write it like 1840.25.")
    sign, units, fraction = typed.groups()
    digits = exponent(currency)
    # "1.840" is 1,840 to half of Europe, so that even a zero too many is asked about.
    if len(fraction or "") > digits:
        raise ValueError(
            f"{what} {text!r} has more than the {digits} decimals of {currency}."
            " Write thousands like 1,840 or 1840."
        )
    amount = to_minor(Decimal(f"{sign}{units.replace(',', '')}.{fraction or 0}"), currency)
    if abs(amount) > LARGEST_AMOUNT:
        raise ValueError(f"{what} {text!r} is too large.")
    return amount
