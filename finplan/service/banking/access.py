"""The access to a bank that a connection keeps: its secret sealed, and its requests counted."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import Aggregator, Bank, Link
from finplan.model.errors import BankProviderError, Fault, SecretsUnreachable
from finplan.service.context import Context
from finplan.store.queries import connections
from finplan.store.sealing import CannotOpen, Sealer, about_access

A_DAY = 24 * 3_600_000
"""In milliseconds."""


def bank_of(context: Context, row: RowMapping) -> Bank:
    """The bank of a connection. Raises BankProviderError where this daemon is not set up for it."""
    if row["bank"] is None:
        return context.banks[row["provider"]]
    bank = context.aggregators.get(row["bank"])
    if bank is None:
        raise BankProviderError(
            f"finplan is no longer set up for {row['bank']}. `finplan connect {row['bank']}` says"
            " what is missing.",
            "aggregator",
            "provider_error",
        )
    return bank


def seal_access(sealer: Sealer, connection_id: str, secret: str) -> bytes:
    """Seal the secret of a connection, within the transaction that writes it."""
    return sealer.seal(secret.encode(), about_access(connection_id))


async def link_of(
    context: Context, row: RowMapping, person: RowMapping, bank: Bank, kept_in: Mapping[str, str]
) -> Link:
    """What a bank needs to know of a connection. Raises BankProviderError."""
    zone = ZoneInfo(person["time_zone"])
    link = Link(person["id"], row["institution_name"], zone=zone, kept_in=kept_in)
    if row["bank"] is None:
        return link
    secret = None if row["secret"] is None else await _open_access(context, row)
    limit = getattr(bank, "requests_a_day", None)
    if limit is None:
        return replace(link, secret=secret)
    count = partial(_count_request, context, row, limit, getattr(bank, "title", row["bank"]))
    return replace(link, secret=secret, count_request=count)


async def end_access(context: Context, row: RowMapping) -> None:
    """End the access of a connection at its aggregator. Raises BankProviderError where that fails.

    An access that opens no more, or that this daemon is not set up for, cannot be ended from here.
    """
    access = await _access_of(context, row)
    if access is not None:
        aggregator, secret = access
        await aggregator.leave(secret)


async def _access_of(context: Context, row: RowMapping) -> tuple[Aggregator, str] | None:
    """By whom a bank is reached, and the secret; None where nobody can end the access from here."""
    aggregator = context.aggregators.get(row["bank"] or "")
    secret = None if aggregator is None else await former_secret(context, row)
    return None if aggregator is None or secret is None else (aggregator, secret)


async def _open_access(context: Context, row: RowMapping) -> str:
    try:
        sealer = await context.sealer()
    except SecretsUnreachable as error:
        raise BankProviderError(error.message, "aggregator", "provider_error") from None
    try:
        return sealer.open(row["secret"], about_access(row["id"])).decode()
    except CannotOpen:
        raise BankProviderError(
            f"The saved access to {row['institution_name']} was encrypted with another data key,"
            f" so finplan cannot read it. Link the bank again: `finplan connect {row['bank']}"
            f" --reconnect {row['id']}`.",
            "aggregator",
            "login_required",
        ) from None


async def accesses_of(context: Context) -> list[tuple[Aggregator, str]]:
    """Every access of the person's that can be ended: by whom, and its secret."""
    owner = context.caller.owner
    rows = await context.store.read(lambda d: connections.list_connections(d, owner))
    accesses = []
    for row in rows:
        with suppress(BankProviderError):
            accesses.append(await _access_of(context, row))
    return [access for access in accesses if access is not None]


async def end_quietly(aggregator: Aggregator, secret: str | None) -> None:
    """End an access that is needed no more; where its bank cannot be told, it is left."""
    if secret is not None:
        with suppress(BankProviderError):
            await aggregator.leave(secret)


@asynccontextmanager
async def taking_the_place(
    aggregator: Aggregator, secret: str | None, before: str | None
) -> AsyncIterator[None]:
    """While a new access is put in the place of one before: the one that is left over is ended.

    That is the new one where nothing came of it: nobody else knows of it, and some aggregators ask a
    price for as long as it is there. Without a new one, or where both are the same, nothing is.
    """
    is_new = secret is not None and secret != before
    try:
        yield
    except Fault:
        if is_new:
            await end_quietly(aggregator, secret)
        raise
    if is_new:
        await end_quietly(aggregator, before)


async def end_replaced(context: Context, row: RowMapping, secret: str | None) -> None:
    """End the access of a connection whose accounts another took over, unless `secret` is its own."""
    with suppress(BankProviderError):
        access = await _access_of(context, row)
        if access is not None and access[1] != secret:
            await end_quietly(*access)


async def former_secret(context: Context, row: RowMapping | None) -> str | None:
    """The secret of a connection that is to have another one; None where it is gone or opens no more."""
    if row is None or row["secret"] is None:
        return None
    try:
        return await _open_access(context, row)
    except BankProviderError as error:
        if error.failure == "login_required":
            return None
        raise


async def _count_request(context: Context, row: RowMapping, limit: int, title: str) -> None:
    """Note a request, before it is sent. Raises BankProviderError once a day's requests are spent."""
    now = context.milliseconds()

    def note(connection: Connection) -> int | None:
        requests = connections.requests_since(connection, row["no"], now - A_DAY)
        if len(requests) >= limit:
            return requests[-limit] + A_DAY
        connections.note_request(connection, row["no"], now, now - A_DAY)
        return None

    again = await context.store.write(note)
    if again is not None:
        when = datetime.fromtimestamp(again / 1000, UTC).strftime("%H:%M")
        raise BankProviderError(
            f"finplan asked {title} {limit} times within 24 hours, the most allowed. finplan asks"
            f" again after {when} UTC.",
            "aggregator",
            "rate_limited",
        )


def aggregator_for(
    aggregators: Mapping[str, Aggregator], public_token: str
) -> tuple[str, Aggregator] | None:
    """The aggregator that a token is written for, with its name; None where it is none's."""
    return next(
        ((name, bank) for name, bank in aggregators.items() if bank.recognises(public_token)), None
    )


def values_of_access(bank: str, sealed: bytes) -> dict[str, Any]:
    """The columns of a connection that an access sets."""
    return {"bank": bank, "secret": sealed, "access_ends_at": None}
