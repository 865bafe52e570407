"""Figures as text: money, shares, dates and ages, as a person reads them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from fractions import Fraction

from finplan.model.money import apportion, exponent, half_even

SYMBOLS = {
    "USD": "$",
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
    "INR": "₹",
    "KRW": "₩",
    "ILS": "₪",
    "CAD": "CA$",
    "AUD": "A$",
    "NZD": "NZ$",
    "BRL": "R$",
}
"""Currencies that a sign names without doubt; any other is named by its code."""


MOST_PERCENT = 999
UNDER_ONE = "under 1%"
"""A share that is there but rounds to nothing."""


def money(amount: int, currency: str) -> str:
    """Write minor units exactly: 184025 USD is "$1,840.25", -500 CHF is "-CHF 5.00"."""
    return _signed(amount, _exact(abs(amount), currency), _symbol(currency))


def number(amount: int, currency: str) -> str:
    """Write minor units exactly and without their currency, which is told beside: "1,840.25"."""
    return _signed(amount, _exact(abs(amount), currency), "")


def owed_money(amount: int, currency: str) -> str:
    """Write a debt in words that fit its sign: "$6.00 owed", and below nothing "$6.00 overpaid"."""
    return f"{money(abs(amount), currency)} {owed_word(amount)}"


def owed_word(amount: int) -> str:
    """What a debt of an amount is: owed, or overpaid where it is less than nothing."""
    return "overpaid" if amount < 0 else "owed"


def whole_money(amount: int, currency: str) -> str:
    """Write minor units rounded half-even to whole units: 184025 USD is "$1,840"."""
    return units_money(whole_units(amount, currency), currency)


def units_money(units: int, currency: str) -> str:
    """Write whole units: 1840 USD is "$1,840"."""
    return _signed(units, f"{abs(units):,}", _symbol(currency))


def whole_units(amount: int, currency: str) -> int:
    """Round minor units half-even to whole units, away from the sign: -150 USD is -2."""
    return _rounded(amount, 10 ** exponent(currency))


def _rounded(amount: int, size: int) -> int:
    units = half_even(abs(amount), size)
    return -units if amount < 0 else units


def whole_parts(total: int, units: int, parts: Sequence[int], currency: str) -> list[int]:
    """Round the parts of a whole to whole units that add up to `units`, as which it is written.

    Largest remainder; parts that do not add up to `total` are no parts of it and are rounded each
    by itself.
    """
    if sum(parts) != total:
        return [whole_units(part, currency) for part in parts]
    return apportion(units, [Fraction(part, 10 ** exponent(currency)) for part in parts])


def fitted(amount: int, currency: str, width: int, *, in_units: bool = False) -> str:
    """Write an amount in at most `width` columns: exactly, in whole units, or in thousands and so on.

    No digit is ever cut off; the shortest way of writing may be wider.
    """
    ways = [] if in_units else [money(amount, currency)]
    ways += [units_money(whole_units(amount, currency), currency)]
    for power, sign in ((3, "K"), (6, "M"), (9, "B"), (12, "T"), (15, "Q")):
        units = _rounded(amount, 10 ** (exponent(currency) + power))
        ways.append(units_money(units, currency) + sign)
        if abs(units) < 1_000:
            break
    return next((text for text in ways if len(text) <= width), ways[-1])


def difference(amount: int, currency: str, width: int | None = None) -> str:
    """Write a change with its sign, rounded to whole units or to what fits; no change is empty."""
    text = whole_money(amount, currency)
    if width is not None:
        text = fitted(amount, currency, width - (amount > 0), in_units=True)
    return "" if amount == 0 else f"+{text}" if amount > 0 else text


def _symbol(currency: str) -> str:
    return SYMBOLS.get(currency, f"{currency} ")


def _exact(size: int, currency: str) -> str:
    digits = exponent(currency)
    units, minor = divmod(size, 10**digits)
    return f"{units:,}.{minor:0{digits}d}" if digits else f"{units:,}"


def _signed(amount: int, size: str, symbol: str) -> str:
    return f"{'-' if amount < 0 else ''}{symbol}{size}"


def percent(part: int, total: int) -> str:
    """Write a part of a positive whole as "29%"; empty when there is no whole to speak of.

    A positive part that rounds to nothing is "under 1%"; a huge one is only "over 999%".
    """
    if total <= 0:
        return ""
    size = half_even(100 * abs(part), total)
    if size > MOST_PERCENT:
        return f"{'under -' if part < 0 else 'over '}{in_percent(MOST_PERCENT)}"
    return UNDER_ONE if part > 0 and not size else in_percent(-size if part < 0 else size)


def share(ratio: float) -> str:
    """Write a ratio in whole percent as "29%"; what is there but rounds to nothing is "under 1%"."""
    size = round(ratio * 100)
    return UNDER_ONE if size == 0 and ratio > 0 else in_percent(size)


def rate(ratio: float) -> str:
    """Write a yearly rate, or another ratio with its decimals, as "21.99%"."""
    return in_percent(100 * ratio)


def in_percent(size: float) -> str:
    """Write a number of percent: 29 is "29%"."""
    return f"{size:.6g}%"


def long_date(day: date) -> str:
    """Write a date as "21 November 2025"."""
    return f"{day.day} {day:%B %Y}"


def short_date(day: date) -> str:
    """Write a date as "Fri 28 Nov"."""
    return f"{day:%a} {day.day} {day:%b}"


def month_span(since: date, until: date) -> str:
    """Write the months of a window as "Nov 2024 – Oct 2025", or as days when they are not whole."""
    if since == until:
        return long_date(since)
    if since.day != 1 or (until + timedelta(days=1)).day != 1:
        return f"{since.day} {since:%b %Y} – {until.day} {until:%b %Y}"
    if (since.year, since.month) == (until.year, until.month):
        return f"{since:%B %Y}"
    return f"{since:%b %Y} – {until:%b %Y}"


def day_span(since: date, until: date) -> str:
    """Write days from one to another as "1 Jul – 30 Nov 2026", one day as "1 Jul 2026"."""
    last = f"{until.day} {until:%b %Y}"
    if since == until:
        return last
    if (since.year, since.month) == (until.year, until.month):
        return f"{since.day} – {last}"
    first = f"{since.day} {since:%b}" if since.year == until.year else f"{since.day} {since:%b %Y}"
    return f"{first} – {last}"


def count(number: int, thing: str, plural: str | None = None) -> str:
    """Write a number with its noun: "1 account", "1,204 accounts"."""
    return f"{number:,} {thing if number == 1 else plural or thing + 's'}"


LAST_INSTANT = 253_402_214_400_000
"""The beginning of the calendar's last day, in milliseconds: what is later is shown as this."""


def moment(milliseconds: int, zone: tzinfo | None = None) -> datetime:
    """The instant of a timestamp in a time zone; without one, where this machine is."""
    capped = min(milliseconds, LAST_INSTANT)
    return datetime.fromtimestamp(capped / 1000, UTC).astimezone(zone)


def last_day(milliseconds: int, zone: tzinfo | None = None) -> date:
    """The last day of what is over at an instant: midnight ends the day before."""
    return moment(milliseconds - 1, zone).date()


def is_midnight(milliseconds: int, zone: tzinfo | None = None) -> bool:
    """Whether an instant is the beginning of a day."""
    return moment(milliseconds, zone).time() == time.min


def age(milliseconds: int | None, now: datetime) -> str:
    """Write how long ago an instant was: "just now", "5 minutes ago", "3 days ago", or "never"."""
    if milliseconds is None:
        return "never"
    seconds = int(now.timestamp() - milliseconds / 1000)
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{count(seconds // size, unit)} ago"
    return "just now"


_HUGE, _OFTEN = 4, 4
"""How many times the middle amount is huge, and of how many amounts one may be so."""


def largest_usual(amounts: Sequence[int]) -> int | None:
    """The largest of a row of amounts beside which the others can still be seen, None if it is in all.

    Signs make no difference. An amount is huge that is more than four times the middle one, nothing left
    out, and twice the largest that is not; where more than a quarter are so, they are usual.
    """
    sizes = sorted(abs(amount) for amount in amounts if amount)
    if not sizes:
        return None
    middle = sizes[(len(sizes) - 1) // 2]
    usual = [size for size in sizes if size <= _HUGE * middle]
    huge = sizes[len(usual) :]
    if not huge or len(huge) * _OFTEN > len(sizes) or huge[0] <= 2 * usual[-1]:
        return None
    return usual[-1]
