"""How old the data of each bank are."""

from collections.abc import Iterator
from datetime import date

from finplan.model.snapshot import Behind
from finplan.plan.ledger.ledger import Ledger, LedgerConnection

_FRESH_DAYS = 2
_FRESH_DAYS_BY_HAND = 35
"""A bank is expected to be synced every 48 hours, a statement to be imported once a month."""

_DAY = 86_400_000
_EPOCH = date(1970, 1, 1).toordinal()


def synced_on(connection: LedgerConnection) -> date | None:
    """The day (UTC) of the last sync that worked, None before the first."""
    if connection.last_synced_at is None:
        return None
    return date.fromordinal(_EPOCH + connection.last_synced_at // _DAY)


def days_behind(connection: LedgerConnection, today: date) -> int | None:
    """How many days ago the last sync that worked was; None before the first."""
    last = synced_on(connection)
    return None if last is None else (today - last).days


def shown_connections(ledger: Ledger) -> Iterator[LedgerConnection]:
    """The connections whose accounts are not all hidden."""
    with_accounts = {account.connection_id for account in ledger.accounts.values()}
    shown = {account.connection_id for account in ledger.accounts.values() if not account.hidden}
    return (each for each in ledger.connections if each.id in shown or each.id not in with_accounts)


def connections_behind(ledger: Ledger, today: date) -> tuple[Behind, ...]:
    """The shown connections that need the person, or whose data are old."""
    return tuple(
        Behind(
            connection_id=each.id,
            institution_name=each.institution,
            last_synced_at=each.last_synced_at,
        )
        for each in shown_connections(ledger)
        if each.status != "ok" or _is_old(each, today)
    )


def oldest_sync(ledger: Ledger) -> int | None:
    """The instant up to which all data are known, in milliseconds; None if a bank never synced."""
    instants = [each.last_synced_at for each in shown_connections(ledger)]
    known = [instant for instant in instants if instant is not None]
    return min(known) if known and len(known) == len(instants) else None


def _is_old(connection: LedgerConnection, today: date) -> bool:
    age = days_behind(connection, today)
    fresh = _FRESH_DAYS_BY_HAND if connection.provider == "manual" else _FRESH_DAYS
    return age is None or age > fresh
