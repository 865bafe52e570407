"""`--period`: days in words, read on the day that it is in the household's time zone."""

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import typer

from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.recurring import RecurringSeries

_LONGEST_GAP = 35
"""Days: pay that comes less often begins no pay period."""

_LOOKED_BACK = timedelta(4 * _LONGEST_GAP)
_ONE_PAY = timedelta(3)
"""Pay that is sent in parts comes within so many days."""


def days_of(
    session: Session, period: str | None, since: date | None, until: date | None
) -> tuple[date | None, date | None]:
    """The days that a command is asked for; what was understood of words is said.

    Raises a usage error for words beside days, and for words that mean none.
    """
    if period is None:
        return since, until
    if since is not None or until is not None:
        raise typer.BadParameter(
            "--period names the days; leave out --from and --to.", param_hint="--period"
        )
    from finplan.periods.reading import asks_for_paydays, read_period
    from finplan.periods.spans import UnclearPeriod

    today = _today(session)
    paydays = _paydays(session, today) if asks_for_paydays(period) else []
    try:
        found = read_period(period, today, paydays)
    except UnclearPeriod as refusal:
        raise typer.BadParameter(str(refusal), param_hint="--period") from None
    session.say(f"{period!r}: {found.told}.")
    if found.since is not None and found.since > today:
        session.say("It has not begun; `finplan forecast` shows the days ahead.")
    return found.since, found.until


def _today(session: Session) -> date:
    from finplan.model.base import Nothing
    from finplan.operations.household import SHOW_SETTINGS

    zone = session.call(SHOW_SETTINGS, Nothing()).time_zone
    return datetime.now(UTC).astimezone(ZoneInfo(zone)).date()


def _paydays(session: Session, today: date) -> list[date]:
    """The days on which the main pay came lately, and the day on which it comes next."""
    from finplan.model.base import Nothing
    from finplan.model.recurring import RecurringQuery
    from finplan.model.transaction import TransactionQuery
    from finplan.operations.household import LIST_TRANSACTIONS
    from finplan.operations.planning import LIST_RECURRING, SHOW_SNAPSHOT

    payday = session.call(SHOW_SNAPSHOT, Nothing()).allowance.payday
    found = session.call(LIST_RECURRING, RecurringQuery(kind=("income",), active=True))
    pay = _main_pay(found, payday)
    if payday is None or pay is None:
        return []
    ask = TransactionQuery(
        merchant=(pay.payee_key,), since=today - _LOOKED_BACK, pending=False, limit=500
    )
    rows = session.call(LIST_TRANSACTIONS, ask).transactions
    days = sorted({row.date for row in rows if 2 * row.amount >= pay.amount})
    # Pay that is late begins its period on its day all the same, as safe to spend has it.
    late = [pay.next_date] if pay.next_date is not None and pay.next_date <= today else []
    first = [day for place, day in enumerate(days) if not place or day - days[place - 1] > _ONE_PAY]
    return [*first, *late, payday]


def _main_pay(
    found: "tuple[RecurringSeries, ...]", payday: date | None
) -> "RecurringSeries | None":
    """The income that comes on payday, the largest of several; that may be late, and no other pays."""
    frequent = [each for each in found if each.interval_days <= _LONGEST_GAP]
    return max(frequent, key=lambda each: (each.next_date == payday, each.monthly), default=None)
