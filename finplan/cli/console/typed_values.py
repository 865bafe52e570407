"""Money and days as a person types them, and the options of days.

An amount is read exactly; a day may be written as a month, a year or in words.
"""

import calendar
import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from finplan import model, operations
from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.cli.console.options import option
from finplan.cli.console.session import Session
from finplan.model.money import TYPED, typed_amount

_SIZES = "write it like 42.50, 40..60, 40.. or ..60"


def minor(text: str, currency: str, what: str) -> int:
    """Read an amount like "1,840.25" as minor units. Raises a CommandError when it is not exact."""
    try:
        return typed_amount(text, currency, what)
    except ValueError as error:
        raise CommandError(str(error), BAD_INPUT) from None


def sizes(text: str, currency: str) -> tuple[int | None, int | None]:
    """Read "40..60", "40..", "..60" or "42.50" as the least and the most minor units, None for no bound.

    Raises a CommandError when it is none, or its ends are the wrong way round.
    """
    what = "The amount"
    least, dots, most = text.strip().partition("..")
    if not (least or most):
        raise CommandError(f"{what} {text!r} is empty; {_SIZES}.", BAD_INPUT)
    if any(end.strip() and TYPED.match(end.strip()) is None for end in (least, most)):
        raise CommandError(f"{what} {text!r} is not an amount; {_SIZES}.", BAD_INPUT)
    ends = [minor(end, currency, what) if end.strip() else None for end in (least, most)]
    if any(end is not None and end < 0 for end in ends):
        raise CommandError(
            f"{what} {text!r} has a minus sign. Remove the sign: --amount finds both money in"
            " and money out.",
            BAD_INPUT,
        )
    first, last = ends if dots else (ends[0], ends[0])
    if first is not None and last is not None and first > last:
        raise CommandError(
            f"{what} {text!r} ends below where it starts. Write the smaller amount first.",
            BAD_INPUT,
        )
    return first, last


_DAY_TYPED = re.compile(r"^([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?$")
_DAYS = re.compile(r"^([1-9][0-9]{0,6})d$")
_NUMBER = re.compile(r"^[1-9][0-9]{0,6}$")
DAY_HELP = "YYYY-MM-DD, a month YYYY-MM or a year YYYY"


def first_day(text: str) -> date:
    """The day that a period begins with: "2025-03" is 1 March 2025. Raises a usage error."""
    return _ends(text)[0]


def last_day(text: str) -> date:
    """The day that a period ends with: "2025-02" is 28 February 2025. Raises a usage error."""
    return _ends(text)[1]


def end_after(text: str, now: datetime | None = None) -> datetime:
    """When something is over that holds for some days from now, or until a last day has passed here.

    Raises a usage error.
    """
    now = now or datetime.now(UTC)
    days = _DAYS.match(text.strip())
    if days is None and _DAY_TYPED.match(text.strip()) is None:
        raise typer.BadParameter(_no_end(text.strip()))
    try:
        if days is not None:
            return now + timedelta(days=int(days[1]))
        return datetime.combine(last_day(text) + timedelta(days=1), time.min).astimezone()
    except OverflowError:
        raise typer.BadParameter(f"{text!r} is too far in the future.") from None


def _no_end(text: str) -> str:
    reason = f"{text!r} is not a number of days, like 90d, or a last day: {DAY_HELP}."
    return f"{reason} For {text} days, write {text}d." if _NUMBER.match(text) else reason


def _ends(text: str) -> tuple[date, date]:
    typed = _DAY_TYPED.match(text.strip())
    if typed is None:
        raise typer.BadParameter(f"{text!r} is not a date; write {DAY_HELP}.")
    year, month, day = (None if part is None else int(part) for part in typed.groups())
    assert year is not None
    try:
        if month is None:
            return date(year, 1, 1), date(year, 12, 31)
        if day is None:
            first = date(year, month, 1)
            return first, first.replace(day=calendar.monthrange(year, month)[1])
        return date(year, month, day), date(year, month, day)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a date.") from None


Since = Annotated[date | None, option("DAY", f"First day: {DAY_HELP}.", "--from", parser=first_day)]
Until = Annotated[
    date | None, option("DAY", "Last day, in the same format as --from.", "--to", parser=last_day)
]
PeriodWords = Annotated[
    str | None,
    option("WORDS", "Period, such as 'last month', 2026-Q3, ytd or 'this pay period'.", "--period"),
]


def days_of(
    session: Session, period: str | None, since: date | None, until: date | None
) -> tuple[date | None, date | None]:
    """The days that a command is asked for; what was understood of words is said.

    Raises a usage error for words beside days, and for words that mean none.
    """
    if period is None:
        return since, until
    if since is not None or until is not None:
        raise typer.BadParameter("Use either --period or --from and --to, not both.")
    from finplan.periods.grammar import UnclearPeriod
    from finplan.periods.reading import asks_for_paydays, read_period

    zone = session.call(operations.person.SHOW_SETTINGS).time_zone
    today = datetime.now(UTC).astimezone(ZoneInfo(zone)).date()
    paydays = _paydays(session, today) if asks_for_paydays(period) else []
    try:
        span = read_period(period, today, paydays)
    except UnclearPeriod as refusal:
        raise typer.BadParameter(str(refusal), param_hint="--period") from None
    session.say(f"{period!r}: {span.told}.")
    if span.since is not None and span.since > today:
        session.say("This period is in the future. To see your expected cash: `finplan forecast`.")
    return span.since, span.until


def _paydays(session: Session, today: date) -> list[date]:
    """The days on which the main pay came lately, and the day on which it comes next."""
    reading = model.paydays
    now = session.call(operations.plan.SHOW_SNAPSHOT)
    incomes = session.call(operations.detection.LIST_RECURRING, reading.INCOMES)
    pay = reading.main_pay(incomes, now)
    if pay is None:
        return []
    rows = session.call(operations.transaction.LIST_TRANSACTIONS, reading.rows_of_pay(pay, today))
    return reading.paydays(pay, rows.transactions, now)
