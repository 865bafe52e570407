"""The grammar: which texts mean which days, each pattern beside what it means.

A text comes in small letters with single spaces. What could mean two things is refused with what to
say instead; a month without a year is the latest that has begun, and the remark says so. Days that
belong together are the units of the calendar.
"""

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple

_MONTHS_OF = {"month": 1, "quarter": 3, "half": 6, "year": 12}


class UnclearPeriod(ValueError):
    """A text that means no days, or several; it says which, and what to write instead."""


class SpokenPeriod(NamedTuple):
    """The days that a text means, both inclusive; None where it has no first or no last one.

    `remark` says what was taken of several things that it could mean; it is empty where there is one.
    """

    since: date | None
    until: date | None
    remark: str = ""

    @property
    def told(self) -> str:
        """The days, as a person reads them."""
        if self.since is None:
            days = "all days" if self.until is None else f"all days until {self.until}"
        else:
            days = f"{self.since}" if self.since == self.until else f"{self.since} to {self.until}"
        return f"{days}, {self.remark}" if self.remark else days


class DaySpan(NamedTuple):
    """From a first day to a last one, both inclusive, with the remark that its text asks for.

    `remark` says which of several was taken, `extent` how far it reaches: that is told of a period by
    itself, and would be false of a longer one that begins or ends with it.
    """

    first: date
    last: date
    remark: str = ""
    extent: str = ""


def one_day(day: date, remark: str = "") -> DaySpan:
    """A day by itself."""
    return DaySpan(day, day, remark)


def unit_of(unit: str, day: date, step: int = 0) -> DaySpan:
    """The calendar unit that holds a day, or the one so many steps later."""
    unit = unit[:4] if unit.startswith("half") else unit
    if unit == "day":
        return one_day(day + timedelta(step))
    if unit == "week":
        monday = day - timedelta(day.weekday() - 7 * step)
        return DaySpan(monday, monday + timedelta(6))
    months = _MONTHS_OF[unit]
    first = (day.year * 12 + day.month - 1) // months * months + step * months
    return span_of_months(first, months)


def span_of_months(first: int, count: int) -> DaySpan:
    """So many months from one that is counted from year 0."""
    last = first + count - 1
    length = calendar.monthrange(last // 12, last % 12 + 1)[1]
    return DaySpan(date(first // 12, first % 12 + 1, 1), date(last // 12, last % 12 + 1, length))


def iso_week(year: int, week: int) -> DaySpan:
    """A week of ISO 8601, from its Monday. Raises ValueError where a year has no such week."""
    monday = date.fromisocalendar(year, week, 1)
    return DaySpan(monday, monday + timedelta(6))


MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBERS = (
    *("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    "twelve",
)
_ORDINALS = {
    name: place // 2 + 1
    for place, name in enumerate(("1st", "first", "2nd", "second", "3rd", "third", "4th", "fourth"))
}
_SHORT_UNITS = {"d": "day", "w": "week", "m": "month", "y": "year"}
_TO_DATE = {"wtd": "week", "mtd": "month", "qtd": "quarter", "htd": "half", "ytd": "year"}

_COUNT = rf"(\d{{1,4}}|{'|'.join(NUMBERS)})"
UNIT = r"(day|week|month|quarter|half(?:[ -]year)?|year)"
_MONTH = rf"({'|'.join(f'{name}|{name[:3]}' for name in MONTHS)}|sept)"
_WEEKDAY = rf"({'|'.join(f'{name}|{name[:3]}' for name in WEEKDAYS)})"
_YEAR = r"(\d{4}|this year|last year)"
_PART = r"(q|h)([1-4])"
_NAMED_PART = rf"({'|'.join(_ORDINALS)}) (quarter|half)"
_PAY_PERIOD = r"pay ?period"


@dataclass(frozen=True, slots=True)
class ReadingDay:
    """What a text is read against: names without a year mean their latest that has begun by `latest`."""

    today: date
    latest: date
    paydays: tuple[date, ...]


def read(plain: str, now: ReadingDay) -> SpokenPeriod | None:
    """The days that a text means, None for a text of no pattern.

    Raises UnclearPeriod for one that has a pattern, and yet means no days.
    """
    if plain in ("all", "everything", "all time", "all days", "ever", "always"):
        return SpokenPeriod(None, None)
    try:
        single = _single(plain, now)
        if single is None:
            return _range(plain, now)
        return SpokenPeriod(single.first, single.last, single.remark or single.extent)
    except UnclearPeriod:
        raise
    except (ValueError, OverflowError):
        raise UnclearPeriod(f"{plain!r} is not a date in the calendar.") from None


# --- from one day to another ---------------------------------------------------------------------

_FROM_TO = (
    re.compile(r"^(.+?) ?\.\.\.? ?(.+)$", re.DOTALL),
    re.compile(r"^(?:from |between )?(.+?) (?:to|until|till|through|thru|-) (.+)$", re.DOTALL),
    re.compile(r"^between (.+?) and (.+)$", re.DOTALL),
    re.compile(r"^([a-z]+)-([a-z]+)$"),
)
_SINCE = re.compile(r"^(?:since (.+)|from (.+?)(?: on| onwards?)?|(.+?) ?\.\.\.?)$")
_UNTIL = re.compile(r"^(?:(?:until|till|through|up to|to) (.+)|\.\.\.? ?(.+))$")
_FEASTS = {
    **dict.fromkeys(("christmas", "xmas", "christmas day"), (25, 12)),
    "christmas eve": (24, 12),
    **dict.fromkeys(
        ("new year", "new years", "new year's", "new year's day", "new years day"), (1, 1)
    ),
    "halloween": (31, 10),
}
"""Days that are the same in every year, for what begins or ends with one: by themselves they may be
more days than one."""

_BEFORE, _AFTER = re.compile(r"^before (.+)$"), re.compile(r"^after (.+)$")


def _range(plain: str, now: ReadingDay) -> SpokenPeriod | None:
    for pattern in _FROM_TO:
        ends = pattern.match(plain)
        if ends is not None and (found := _from_to(ends[1], ends[2], now)) is not None:
            return found
    if (since := _read_named_day(_SINCE.match(plain), now)) is not None:
        return _open_to_today(since.first, since.remark, now)
    if (until := _read_named_day(_UNTIL.match(plain), now)) is not None:
        return SpokenPeriod(None, until.last, until.remark)
    if (end := _read_named_day(_BEFORE.match(plain), now)) is not None:
        return SpokenPeriod(None, end.first - timedelta(1), end.remark)
    if (begin := _read_named_day(_AFTER.match(plain), now)) is not None:
        return _open_to_today(begin.last + timedelta(1), begin.remark, now)
    return None


def _read_named_day(match: re.Match[str] | None, now: ReadingDay) -> DaySpan | None:
    if match is None:
        return None
    plain = next(filter(None, match.groups()))
    feast = _FEASTS.get(plain)
    if feast is None:
        return _single(plain, now)
    day, month = feast
    return _day_of_month(str(day), MONTHS[month - 1], None, now)


_SO_MANY = re.compile(rf"^(?:{_COUNT} {UNIT}s?|\d{{1,4}}[dwmy])$")


def _from_to(begins: str, ends: str, now: ReadingDay) -> SpokenPeriod | None:
    end = _single(ends, now)
    if end is not None and _SO_MANY.match(ends) is not None:
        raise UnclearPeriod(
            f"This could mean {ends} from the first day, or the days until today. Write `last"
            f" {ends}`, or write the last day."
        )
    # "November to February" is one winter: the November before that February.
    begin = None if end is None else _single(begins, replace(now, latest=end.last))
    if begin is None or end is None:
        return None
    if begin.first > end.last:
        raise UnclearPeriod(f"The period begins on {begin.first}, after its end on {end.last}.")
    # Before an end of another year it may not be the latest of all, as its remark says.
    remark = begin.remark if begin == _single(begins, now) else ""
    return SpokenPeriod(begin.first, end.last, end.remark or remark)


def _open_to_today(first: date, remark: str, now: ReadingDay) -> SpokenPeriod:
    if first > now.today:
        raise UnclearPeriod(f"The period begins on {first}, after today ({now.today}).")
    return SpokenPeriod(first, now.today, remark)


# --- single periods ------------------------------------------------------------------------------


def _single(plain: str, now: ReadingDay) -> DaySpan | None:
    plain = re.sub("^the ", "", plain)
    for pattern, meaning in _GRAMMAR:
        match = pattern.match(plain)
        if match is not None:
            return meaning(match, now)
    return None


def _number(text: str) -> int:
    return int(text) if text.isdigit() else max(1, NUMBERS.index(text))


def _year(text: str, now: ReadingDay) -> int:
    return now.today.year - (text == "last year") if "year" in text else int(text)


def _latest(make: Callable[[int], DaySpan], what: str, now: ReadingDay) -> DaySpan:
    """Of what comes each year, the latest that has begun."""
    for year in range(now.latest.year + 1, now.latest.year - 41, -1):
        try:
            span = make(year)
        except ValueError:
            # Not every year has a week 53, or a 29 February.
            continue
        if span.first <= now.latest:
            return span._replace(remark=f"the latest {what}")
    raise ValueError(what)


def _yearly(
    make: Callable[[int], DaySpan], what: str, year: str | None, now: ReadingDay
) -> DaySpan:
    return _latest(make, what, now) if year is None else make(_year(year, now))


def _month_number(name: str) -> int:
    return next(place for place, each in enumerate(MONTHS, 1) if each.startswith(name[:3]))


def _part(kind: str, number: int, year: str | None, now: ReadingDay) -> DaySpan:
    months = 3 if kind == "q" else 6
    if number * months > 12:
        raise UnclearPeriod("A year has two halves: write h1 or h2.")
    what = f"{kind.upper()}{number}"
    return _yearly(
        lambda y: span_of_months(y * 12 + (number - 1) * months, months), what, year, now
    )


def _relative(match: re.Match[str], now: ReadingDay) -> DaySpan:
    step = {"last": -1, "previous": -1, "next": 1}.get(match[1], 0)
    return unit_of(match[2], now.today, step)


def _several(word: str | None, count: int, unit: str, now: ReadingDay) -> DaySpan:
    """Days up to today, today counted; of whole weeks, months and years those before this one."""
    if count == 0:
        raise UnclearPeriod("A period must have at least one day.")
    if unit == "day":
        if word == "next":
            return DaySpan(now.today + timedelta(1), now.today + timedelta(count))
        return DaySpan(now.today - timedelta(count - 1), now.today)
    if word == "next":
        return DaySpan(unit_of(unit, now.today, 1).first, unit_of(unit, now.today, count).last)
    units = "halves" if unit == "half" else f"{unit}s"
    extent = f"the full {units} before this one" if count > 1 else ""
    first, last = unit_of(unit, now.today, -count).first, unit_of(unit, now.today, -1).last
    return DaySpan(first, last, extent=extent)


def _ago(unit: str, count: int, now: ReadingDay) -> DaySpan:
    extent = "" if unit == "day" else f"the full {unit}"
    return unit_of(unit, now.today, -count)._replace(extent=extent)


def _month(name: str, year: str | None, now: ReadingDay) -> DaySpan:
    number = _month_number(name)
    what = MONTHS[number - 1].capitalize()
    return _yearly(lambda y: span_of_months(y * 12 + number - 1, 1), what, year, now)


def _relative_month(match: re.Match[str], now: ReadingDay) -> DaySpan:
    word, number = match[1], _month_number(match[2])
    years = range(now.today.year - 1, now.today.year + 2)
    spans = [span_of_months(year * 12 + number - 1, 1) for year in years]
    if word == "this":
        return spans[1]
    if word == "next":
        return next(span for span in spans if span.first > now.today)
    return next(span for span in reversed(spans) if span.last < now.today)


def _day_of_month(day: str, month: str, year: str | None, now: ReadingDay) -> DaySpan:
    number = _month_number(month)
    if int(day) > calendar.monthrange(2000, number)[1]:
        raise ValueError(day)
    what = f"{int(day)} {MONTHS[number - 1].capitalize()}"
    return _yearly(lambda y: one_day(date(y, number, int(day))), what, year, now)


def _written_in_numbers(match: re.Match[str], _now: ReadingDay) -> DaySpan:
    """A day as 24.12.2026 or 12/24/2026, where only one way round is in the calendar."""
    one, two, year = int(match[1]), int(match[2]), int(match[3])
    days = {each for each in (_day(year, two, one), _day(year, one, two)) if each is not None}
    if len(days) > 1:
        raise UnclearPeriod(
            "The order of day and month is not clear. Write YYYY-MM-DD, like 2026-03-31."
        )
    if not days:
        raise ValueError(match[0])
    return one_day(days.pop())


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _weekend(match: re.Match[str], now: ReadingDay) -> DaySpan:
    """A Saturday and its Sunday: of this week, or of the week before or behind it."""
    step = {"last": -1, "previous": -1, "next": 1}.get(match[1], 0)
    week = unit_of("week", now.today, step)
    return DaySpan(week.last - timedelta(1), week.last)


def _weekday(match: re.Match[str], now: ReadingDay) -> DaySpan:
    place = next(n for n, name in enumerate(WEEKDAYS) if name.startswith(match[2][:3]))
    today = now.today.weekday()
    if match[1] == "this":
        return one_day(now.today + timedelta(place - today))
    if match[1] == "next":
        return one_day(now.today + timedelta((place - today - 1) % 7 + 1))
    if match[1]:
        return one_day(now.today - timedelta((today - place - 1) % 7 + 1))
    latest = now.latest - timedelta((now.latest.weekday() - place) % 7)
    return one_day(latest, f"the latest {WEEKDAYS[place].capitalize()}")


def _payday(match: re.Match[str], now: ReadingDay) -> DaySpan:
    past, coming = _paydays(now)
    if match[1] == "next":
        if not coming:
            raise UnclearPeriod("The next payday is unknown.")
        return one_day(coming[0])
    return one_day(past[-1])


def _pay_period(match: re.Match[str], now: ReadingDay) -> DaySpan:
    past, coming = _paydays(now)
    if match[1] in ("last", "previous"):
        if len(past) < 2:
            raise UnclearPeriod(f"finplan found no payday before {past[-1]}.")
        return DaySpan(past[-2], past[-1] - timedelta(1))
    if not coming:
        raise UnclearPeriod(
            "The next payday is unknown, so the end of this pay period is unknown too. For the"
            " days until today, write `since payday`."
        )
    return DaySpan(past[-1], coming[0] - timedelta(1))


def _paydays(now: ReadingDay) -> tuple[list[date], list[date]]:
    past = [day for day in now.paydays if day <= now.today]
    if not past:
        raise UnclearPeriod(
            "finplan found no regular pay, so pay periods are unknown. Write `this month`, or"
            " write the days. `finplan recurring` lists your income."
        )
    return past, [day for day in now.paydays if day > now.today]


def _to_date(match: re.Match[str], now: ReadingDay) -> DaySpan:
    unit = _TO_DATE.get(match[0]) or match[1]
    return DaySpan(unit_of(unit, now.today).first, now.today)


_Reading = Callable[[re.Match[str], ReadingDay], DaySpan]
_GRAMMAR: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(f"^{pattern}$"), meaning)
    for pattern, meaning in (
        (
            r"(\d{4})-(\d{1,2})-(\d{1,2})",
            lambda m, _: one_day(date(int(m[1]), int(m[2]), int(m[3]))),
        ),
        (r"(\d{4})-(\d{1,2})", lambda m, _: unit_of("month", date(int(m[1]), int(m[2]), 1))),
        (r"(\d{4})", lambda m, _: unit_of("year", date(int(m[1]), 1, 1))),
        (rf"(\d{{4}})[ -]?{_PART}", lambda m, now: _part(m[2], int(m[3]), m[1], now)),
        (rf"{_PART}(?:[ -](?:of )?{_YEAR})?", lambda m, now: _part(m[1], int(m[2]), m[3], now)),
        (
            rf"{_NAMED_PART}(?: (?:of )?{_YEAR})?",
            lambda m, now: _part(m[2][0], _ORDINALS[m[1]], m[3], now),
        ),
        (r"(\d{4})[ -]?w(\d{1,2})", lambda m, _: iso_week(int(m[1]), int(m[2]))),
        (
            rf"(?:week |w)(\d{{1,2}})(?: (?:of )?{_YEAR})?",
            lambda m, now: _yearly(lambda y: iso_week(y, int(m[1])), f"week {m[1]}", m[2], now),
        ),
        (r"(\d{1,2})[./](\d{1,2})[./](\d{4})", _written_in_numbers),
        (r"(?:today|now)", lambda _, now: unit_of("day", now.today)),
        (r"yesterday", lambda _, now: unit_of("day", now.today, -1)),
        (r"tomorrow", lambda _, now: unit_of("day", now.today, 1)),
        (r"day before yesterday", lambda _, now: unit_of("day", now.today, -2)),
        (rf"(?!(?:last|previous) day)(this|current|last|previous|next) {UNIT}", _relative),
        (rf"(?:this|current) {UNIT} so far", _to_date),
        (rf"so far (?:this|in this) {UNIT}", _to_date),
        (
            r"(week|month|quarter|year) before last",
            lambda m, now: unit_of(m[1], now.today, -2),
        ),
        (r"(this|last|previous|next) weekend", _weekend),
        (rf"{UNIT}[ -]to[ -]date", _to_date),
        (rf"(?:{'|'.join(_TO_DATE)})", _to_date),
        (
            rf"(?:(last|past|previous|next) )?{_COUNT} {UNIT}s?",
            lambda m, now: _several(m[1], _number(m[2]), m[3], now),
        ),
        (r"(\d{1,4})([dwmy])", lambda m, now: _several(None, int(m[1]), _SHORT_UNITS[m[2]], now)),
        (rf"{_COUNT} {UNIT}s? ago", lambda m, now: _ago(m[2], _number(m[1]), now)),
        (rf"{_MONTH}(?: (?:of )?{_YEAR})?", lambda m, now: _month(m[1], m[2], now)),
        (rf"(\d{{4}}) {_MONTH}", lambda m, now: _month(m[2], m[1], now)),
        (rf"(this|last|previous|next) {_MONTH}", _relative_month),
        (
            rf"(\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}(?: {_YEAR})?",
            lambda m, now: _day_of_month(m[1], m[2], m[3], now),
        ),
        (
            rf"{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?(?: {_YEAR})?",
            lambda m, now: _day_of_month(m[2], m[1], m[3], now),
        ),
        (rf"(?:(this|last|previous|next) )?{_WEEKDAY}", _weekday),
        (r"(?:(last|next) )?pay ?day", _payday),
        (rf"(?:(this|current|last|previous) )?{_PAY_PERIOD}", _pay_period),
    )
)
