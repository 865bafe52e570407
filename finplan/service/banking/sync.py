"""One sync of one connection: pages from the bank, each applied with its cursor in one transaction.

A bank is asked unasked rarely enough for every aggregator, and more rarely in vain.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import date
from functools import partial
from shlex import quote
from zlib import crc32

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import Bank, Link, SyncPage, without_frames
from finplan.categorise.payee import Payee, payees_of
from finplan.intake.pages import Descriptor
from finplan.model.connection import Connection as LinkedConnection, ConnectionStatus, SyncReport
from finplan.model.errors import BankProvider, BankProviderError, Conflict
from finplan.plan.ledger.days import day_of
from finplan.service.banking.access import bank_of, end_replaced, link_of
from finplan.service.banking.applying import Counted, apply_page
from finplan.service.context import Context
from finplan.service.derived.changes import let_plan_follow
from finplan.service.outbox import tell_of_reconnecting
from finplan.store.offload import Answer
from finplan.store.queries import accounts, connections, people
from finplan.store.store import Store


def connection_of(row: RowMapping, user_id: str) -> LinkedConnection:
    """The connection of a row; `user_id` is the id of its person."""
    return LinkedConnection.of(row, user_id=user_id)


HOUR = 3_600_000
"""In milliseconds, as all that is measured here."""

USUAL_PAUSE = 12 * HOUR
"""After a sync that worked. Banks deliver once to four times a day, and aggregators end the access of
those who ask much more often."""

DEMO_PAUSE = 24 * HOUR
"""The demo household lives one day at a time."""

FIRST_RETRY = HOUR // 2
"""After the first failed try in a row; each further one doubles it, up to `USUAL_PAUSE`."""

UNFINISHED_PAUSE = HOUR // 60
"""After a sync whose bank is still reading a history; each further one in a row doubles it, as above."""

LOGIN_REQUIRED_PAUSE = 72 * HOUR
"""While the bank waits for the person, who syncs once they have signed in there again."""

PAUSE_SPREAD = 0.1
"""By how much of its length a pause is stretched at most, so that not all come at once."""

LONGEST_PAUSE = int(LOGIN_REQUIRED_PAUSE * (1 + PAUSE_SPREAD))
"""No pause is longer; what lies further ahead was set under a clock that has been set back."""


def next_try(
    connection_id: str,
    provider: str,
    now: int,
    *,
    failures: int = 0,
    login_required: bool = False,
    unfinished: int = 0,
) -> int | None:
    """When a connection is synced by itself after a try at `now`, in ms; None for statement files.

    `failures` counts the failed tries in a row, this one included; 0 after one that brought something,
    and after a bank's word that it was asked too often. `unfinished` counts those in a row whose bank
    had more to come.
    """
    if provider == "manual":
        return None
    if login_required:
        pause = LOGIN_REQUIRED_PAUSE
    elif failures:
        pause = _doubled(FIRST_RETRY, failures)
    elif unfinished:
        pause = _doubled(UNFINISHED_PAUSE, unfinished)
    else:
        pause = DEMO_PAUSE if provider == "demo" else USUAL_PAUSE
    # From 0 up to 1 it follows from a text, as if thrown by dice.
    share = crc32(f"{connection_id} {now}".encode()) / 2**32
    return now + int(pause * (1 + PAUSE_SPREAD * share))


def rhythm_in_words(linked: Iterable[tuple[str, ConnectionStatus]]) -> str:
    """How often somebody's banks are asked, in words, of providers and states; where none is, why."""
    banks = list(linked)
    if not banks:
        return "never; no bank is linked"
    states = [status for provider, status in banks if provider != "manual"]
    if not states:
        return "never; you import statement files yourself"
    if any(provider == "demo" for provider, _ in banks):
        return "about once a day (demo household)"
    waiting = [status == "login_required" for status in states]
    if all(waiting):
        return "every three days until you sign in to the bank again"
    often = "about every 12 hours for each bank; less often after failures"
    return f"{often} and while a bank wants you to sign in" if any(waiting) else often


def _doubled(first: int, times: int) -> int:
    # The exponent is bounded, since a number of a million bits would be worked out otherwise.
    return min(first << min(times - 1, 20), USUAL_PAUSE)


PATIENCE = 300.0
"""How long a bank may take for one page, in seconds: one that hangs keeps no other from being asked."""

FAILURES_BEFORE_ERROR = 3
"""After so many failed tries in a row a connection is shown as in error; it is still tried."""


Finish = Callable[[Connection], SyncReport]
"""The last write of a sync, which answers its report."""


async def sync(
    context: Context, connection_id: str, commit: Callable[[Finish], Awaitable[Answer]]
) -> Answer:
    """Fetch and apply what is new at one bank; a failure is reported, not raised, and noted.

    `commit` runs the last write, and what it answers is the answer. Raises Conflict when the bank is
    unlinked meanwhile.
    """
    owner = context.caller.owner
    row, person, kept_in = await context.store.read(
        lambda c: (
            _linked(c, owner, connection_id),
            people.get_person(c, owner),
            accounts.currencies_of(c, owner, connection_id),
        )
    )
    today = context.today(person["time_zone"])
    counted = Counted()
    cursor, troubles = row["cursor"], dict[str, BankProviderError]()
    try:
        bank = bank_of(context, row)
        link = await link_of(context, row, person, bank, kept_in)
        while True:
            page = await _answer_of(bank, link, row["provider"], cursor, today)
            # What is done with thousands of rows is no work for the loop.
            page = await asyncio.to_thread(page.strip_invisible)
            if page.trouble is not None:
                troubles.setdefault(page.trouble.message, page.trouble)
            # Worked out first: whoever writes need not wait until a worker has started.
            paid = await _payees_of(context.store, page)
            apply = partial(
                _apply,
                owner=owner,
                connection_id=connection_id,
                page=page,
                paid=paid,
                counted=counted,
                today=day_of(today),
                now=context.milliseconds(),
            )
            if not page.more:
                break
            await context.store.write(apply)
            cursor = page.cursor
            await _end_emptied(context, counted, link)
    except BankProviderError as error:
        failure = without_frames(error)

        def give_up(connection: Connection) -> SyncReport:
            row = _linked(connection, owner, connection_id)
            _note_failure(connection, row, failure, context.milliseconds())
            return _report(connection_id, counted, complete=False, error=_as_of(row, failure))

        return await commit(give_up)

    def finish(connection: Connection) -> SyncReport:
        apply(connection)
        row, now = _linked(connection, owner, connection_id), context.milliseconds()
        trouble = _all_of(troubles.values())
        if trouble is None:
            _note_success(connection, row, now, complete=page.complete)
        else:
            _note_failure(connection, row, trouble, now, partly=True)
        error = None if trouble is None else _as_of(row, trouble)
        return _report(connection_id, counted, complete=page.complete and not trouble, error=error)

    answer = await commit(finish)
    await _end_emptied(context, counted, link)
    return answer


def _all_of(troubles: Iterable[BankProviderError]) -> BankProviderError | None:
    """What the pages of a sync had troubles with, as one: what only the person can mend counts most."""
    ordered = sorted(troubles, key=lambda trouble: trouble.failure != "login_required")
    if len(ordered) < 2:
        return next(iter(ordered), None)
    return BankProviderError(
        " ".join(trouble.message for trouble in ordered),
        ordered[0].provider,
        ordered[0].failure,
        lasting=any(trouble.lasting for trouble in ordered),
    )


async def _end_emptied(context: Context, counted: Counted, link: Link) -> None:
    """End the accesses that reach nothing by themselves any more, once that is in the store."""
    while counted.emptied:
        await end_replaced(context, counted.emptied.pop(), link.secret)


async def _answer_of(
    bank: Bank, link: Link, provider: BankProvider, cursor: str | None, today: date
) -> SyncPage:
    """One page of a bank's. Raises BankProviderError, also where it does not answer."""
    try:
        async with asyncio.timeout(PATIENCE) as limit:
            return await bank.sync(link, cursor, today)
    except TimeoutError:
        minutes = f"{PATIENCE // 60:.0f} minutes"
        message = f"The bank did not answer within {minutes}. finplan tries again later."
        if not limit.expired():
            message = "The connection to the bank was interrupted. finplan tries again later."
        raise BankProviderError(message, provider, "provider_error") from None


def _report(
    connection_id: str, counted: Counted, *, complete: bool, error: str | None
) -> SyncReport:
    ok = error is None
    return SyncReport.of(
        counted, connection_id=connection_id, ok=ok, complete=complete, error=error
    )


def _apply(
    connection: Connection,
    owner: int,
    connection_id: str,
    page: SyncPage,
    paid: Mapping[Descriptor, Payee],
    counted: Counted,
    today: int,
    now: int,
) -> None:
    row = _linked(connection, owner, connection_id)
    is_otherwise = apply_page(connection, owner, row, page, paid, counted, today)
    if is_otherwise or row["status"] != "ok":
        people.note_event(connection, owner, now)
        let_plan_follow(connection, owner, now)
    values: dict[str, object] = {"cursor": page.cursor}
    if page.institution is not None and row["named_by_bank"]:
        values["institution_name"] = page.institution
    if page.institution_id is not None and row["institution_id"] is None:
        values["institution_id"] = page.institution_id
    if page.access_ends is not None:
        values["access_ends_at"] = page.access_ends
    connections.change_connection(connection, row["no"], values)


def _note_success(connection: Connection, row: RowMapping, now: int, *, complete: bool) -> None:
    unfinished = 0 if complete else row["unfinished"] + 1
    connections.change_connection(
        connection,
        row["no"],
        {
            # Statement files are as old as their import, however often there is nothing to fetch.
            "last_synced_at": row["last_synced_at"] if row["provider"] == "manual" else now,
            "status": "ok",
            "error": None,
            "failures": 0,
            "unfinished": unfinished,
            "next_try_at": next_try(row["id"], row["provider"], now, unfinished=unfinished),
        },
    )


async def _payees_of(store: Store, page: SyncPage) -> dict[Descriptor, Payee]:
    """Who each row of a page was paid to, by its descriptor and the name that the bank gives."""
    descriptors = await asyncio.to_thread(_descriptors, page)
    if not descriptors:
        return {}
    payees = await store.elsewhere(partial(payees_of, descriptors))
    return await asyncio.to_thread(lambda: dict(zip(descriptors, payees, strict=True)))


def _descriptors(page: SyncPage) -> list[Descriptor]:
    return list(dict.fromkeys((row.raw, row.payee) for row in (*page.added, *page.modified)))


def _as_of(row: RowMapping, error: BankProviderError) -> str:
    """What is told of a bank's failure, with the bank's name in the command that mends it."""
    return error.message.replace(
        "--reconnect NAME", f"--reconnect {quote(row['institution_name'])}"
    )


def _note_failure(
    connection: Connection,
    row: RowMapping,
    error: BankProviderError,
    now: int,
    *,
    partly: bool = False,
) -> None:
    """Note a failed try, or one that was `partly` in vain: what it could bring is there then.

    A bank that is asked too often says nothing of itself, so that its state stays as it was.
    """
    is_told_off = error.failure == "rate_limited"
    failures = row["failures"] if is_told_off else row["failures"] + 1
    text = _as_of(row, error)
    values: dict[str, object] = {"error": text, "failures": failures}
    if error.failure == "login_required":
        values["status"] = "login_required"
    elif (failures >= FAILURES_BEFORE_ERROR or error.lasting) and row["status"] == "ok":
        values["status"] = "error"
    waits = values.get("status", row["status"]) == "login_required" and not partly
    values["next_try_at"] = next_try(
        row["id"],
        row["provider"],
        now,
        failures=0 if is_told_off or partly else failures,
        login_required=waits,
    )
    connections.change_connection(connection, row["no"], values)
    people.raise_generation(connection, row["owner_no"], rows=False)
    if values.get("status", row["status"]) != row["status"]:
        people.note_event(connection, row["owner_no"], now)
        if values["status"] == "login_required":
            changed = _linked(connection, row["owner_no"], row["id"])
            user = people.get_person(connection, row["owner_no"])["id"]
            tell_of_reconnecting(connection, row["owner_no"], connection_of(changed, user), now)


def _linked(connection: Connection, owner: int, connection_id: str) -> RowMapping:
    row = connections.find_connection(connection, owner, connection_id)
    if row is None:
        raise Conflict(
            f"The connection {connection_id!r} was unlinked during its sync, so the new data was"
            " not saved. Link the bank again with `finplan connect`."
        )
    return row
