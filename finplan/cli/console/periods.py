"""`--period`: days in words, read on the day that it is in the household's time zone."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import typer

from finplan.cli.console.session import Session


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
    from finplan.operations.person import SHOW_SETTINGS

    zone = session.call(SHOW_SETTINGS, Nothing()).time_zone
    return datetime.now(UTC).astimezone(ZoneInfo(zone)).date()


def _paydays(session: Session, today: date) -> list[date]:
    """The days on which the main pay came lately, and the day on which it comes next."""
    from finplan.model.base import Nothing
    from finplan.model.live.paydays import LOOKED_BACK, main_pay, paydays
    from finplan.model.recurring import RecurringQuery
    from finplan.model.transaction import TransactionQuery
    from finplan.operations.detection import LIST_RECURRING
    from finplan.operations.plan import SHOW_SNAPSHOT
    from finplan.operations.transaction import LIST_TRANSACTIONS

    snapshot = session.call(SHOW_SNAPSHOT, Nothing())
    payday = snapshot.allowance.payday
    found = session.call(LIST_RECURRING, RecurringQuery(kind=("income",), active=True))
    pay = main_pay(found, payday)
    if payday is None or pay is None:
        return []
    ask = TransactionQuery(
        merchant=(pay.payee_key,), since=today - LOOKED_BACK, pending=False, limit=500
    )
    rows = session.call(LIST_TRANSACTIONS, ask).transactions
    return paydays(pay, rows, snapshot.period.since, payday)
