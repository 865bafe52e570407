"""How figures are written for a person: money, days, shares and counts."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from shlex import quote

from finplan.model.figures import UNDER_ONE, in_percent
from finplan.model.money import exponent, half_even, to_text

_SYMBOLS = {
    **dict.fromkeys(("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"), "$"),
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
    "CNY": "¥",
    "INR": "₹",
    "KRW": "₩",
    "ILS": "₪",
    "UAH": "₴",
    "VND": "₫",
    "NGN": "₦",
    "PHP": "₱",
    "BRL": "R$",
}
"""Signs that a household of that currency reads without its code."""


def money(amount: int, currency: str) -> str:
    """Minor units as a person writes them: $1,840 from a hundred on, $14.99 and $15 below."""
    unit = int(10 ** exponent(currency))
    size = abs(amount)
    if size >= 100 * unit:
        size = half_even(size, unit) * unit
    return exact_money(size if amount >= 0 else -size, currency)


def exact_money(amount: int, currency: str) -> str:
    """Minor units to the cent, for sums that a person adds up: $1,840.25, and $1,840 without cents."""
    units, cents = divmod(abs(amount), int(10 ** exponent(currency)))
    digits = f"{units:,}" + (to_text(cents, currency)[1:] if cents else "")
    sign = "−" if amount < 0 else ""
    symbol = _SYMBOLS.get(currency)
    return f"{sign}{symbol}{digits}" if symbol else f"{sign}{currency}\N{NO-BREAK SPACE}{digits}"


def day(when: date, today: date) -> str:
    """A date as a person says it: 3 April, with the year when it is not this year."""
    text = f"{when.day} {when:%B}"
    return text if when.year == today.year else f"{text} {when.year}"


def way_to_add(name: str, kind: str, called: str = "it") -> str:
    """How to add an account that no bank or file brings, as a sentence after a blank."""
    return f" To add {called}: `finplan accounts add {quote(name)} --kind {kind} --balance AMOUNT`."


def days(since: date, until: date, today: date) -> str:
    """Two dates as a person says them: the year stands at the end where these differ."""
    last = day(until, since if since.year != until.year else today)
    return f"from {day(since, today)} to {last}"


def month(when: date, today: date) -> str:
    """A month as a person says it: April, with the year when it is not this year."""
    return f"{when:%B}" if when.year == today.year else f"{when:%B} {when.year}"


def percent(part: int, total: int) -> str:
    """A share in whole percent, half-even: 62%; "under 1%" rather than 0%; 0% of nothing."""
    if total <= 0 or part <= 0:
        return in_percent(0)
    return in_percent(half_even(100 * part, total)) if 200 * part > total else UNDER_ONE


def count(number: int, thing: str, things: str | None = None) -> str:
    """A number and what it counts: "1 charge", "3 charges"."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def listed(names: Sequence[str], between: str = "and") -> str:
    """Names as a sentence lists them: "A", "A and B", "A, B and C"; `between` stands before the last."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {between} {names[-1]}"


def span(months: int) -> str:
    """A number of months as a person says it: "1 month", "14 months", "about 3 years"."""
    if months <= 24:
        return count(months, "month")
    years = half_even(2 * months, 12)
    return f"about {years // 2}{'½' if years % 2 else ''} years"


def lasting(months: Fraction) -> str:
    """How long something lasts at least: never rounded up, in weeks below three months."""
    if months >= 3:
        return span(int(months)) if months < 25 else f"about {int(months) // 12} years"
    weeks = int(months * 365 / 84)
    return f"about {count(weeks, 'week')}" if weeks else "less than a week"
