"""One sync of one connection: pages from the bank, each applied with its cursor in one transaction."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.banks.base import Bank, BankAccount, Link, SyncPage
from finplan.categorise.payee import Payee, payees_of
from finplan.model.connection import SyncReport
from finplan.model.errors import BankProviderError, Conflict
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.roles import counts_in_totals
from finplan.service.banking.records import connection_of
from finplan.service.banking.rhythm import next_try
from finplan.service.context import Context
from finplan.service.derived.household import household_settings, ledger_accounts
from finplan.service.derived.plan_to_come import let_plan_follow
from finplan.service.ids import new_id
from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.elsewhere import Asking, in_worker
from finplan.service.ledger.interning import intern_payees
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.service.ledger.transfer_matching import unpair_rows
from finplan.service.outbox.news import tell_of_reconnecting
from finplan.store.offload import Answer
from finplan.store.queries import (
    accounts,
    connections,
    coverage,
    duplicates,
    people,
    syncs,
    transfers,
)
from finplan.store.store import Store

PATIENCE = 300.0
"""How long a bank may take for one page, in seconds: one that hangs keeps no other from being asked."""

FAILURES_BEFORE_ERROR = 3
"""After so many failed tries in a row a connection is shown as in error; it is still tried."""


@dataclass
class _Count:
    accounts: int = 0
    added: int = 0
    modified: int = 0
    removed: int = 0


_Descriptor = tuple[str, str | None]
"""A descriptor with the name that the bank gives."""

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
    row, person = await context.store.read(
        lambda c: (_linked(c, owner, connection_id), people.get_person(c, owner))
    )
    today = context.today(person["time_zone"])
    count = _Count()
    cursor = row["cursor"]
    bank = context.banks[row["provider"]]
    try:
        while True:
            page = (await _answer_of(bank, row, cursor, today, person["id"])).seen()
            # Worked out first: whoever writes need not wait until a worker has started.
            paid = await _payees_of(context.store, page)
            now = context.milliseconds()
            apply = partial(
                _apply,
                owner=owner,
                row=row,
                page=page,
                paid=paid,
                count=count,
                today=day_of(today),
                now=now,
            )
            if not page.more:
                break
            await context.store.write(apply)
            cursor = page.cursor
    except BankProviderError as error:
        failure = error

        def give_up(connection: Connection) -> SyncReport:
            _note_failure(
                connection,
                _linked(connection, owner, connection_id),
                failure,
                context.milliseconds(),
            )
            return _report(connection_id, count, complete=False, error=failure.message)

        return await commit(give_up)

    def finish(connection: Connection) -> SyncReport:
        apply(connection)
        return _report(connection_id, count, complete=page.complete, error=None)

    return await commit(finish)


async def _answer_of(
    bank: Bank, row: RowMapping, cursor: str | None, today: date, person_id: str
) -> SyncPage:
    """One page of a bank's. Raises BankProviderError, also where it does not answer."""
    try:
        async with asyncio.timeout(PATIENCE) as limit:
            return await bank.sync(Link(person_id, row["institution_name"]), cursor, today)
    except TimeoutError:
        message = f"The bank did not answer within {PATIENCE // 60:.0f} minutes."
        if not limit.expired():
            message = "The connection to the bank gave up before there was an answer."
        raise BankProviderError(message, row["provider"], "provider_error") from None


def _report(connection_id: str, count: _Count, *, complete: bool, error: str | None) -> SyncReport:
    return SyncReport(
        connection_id=connection_id,
        ok=error is None,
        accounts=count.accounts,
        added=count.added,
        modified=count.modified,
        removed=count.removed,
        complete=complete,
        error=error,
    )


def _apply(
    connection: Connection,
    owner: int,
    row: RowMapping,
    page: SyncPage,
    paid: Mapping[_Descriptor, Payee],
    count: _Count,
    today: int,
    now: int,
) -> None:
    _linked(connection, owner, row["id"])
    numbers, changed = _save_accounts(connection, owner, row["no"], page.accounts, today)
    ask = in_worker(connection)
    payee_numbers = _intern(connection, owner, paid, ask)
    gone = [*page.removed, *(each.replaces for each in page.added if each.replaces)]
    removed, unpaired = _remove(connection, owner, numbers.values(), page.removed)
    count.removed += removed
    for ids in (gone, [each.external_id for each in page.modified]):
        unpaired += _remove(connection, owner, numbers.values(), ids)[1]
    # Numbers of rows that went may be given again, so the newest is looked up after they went.
    newest = transfers.newest_row(connection)
    _add(connection, owner, row["provider"], numbers, payee_numbers, page)
    count.accounts = len(numbers)
    count.added += len(page.added)
    count.modified += len(page.modified)
    touched = sorted(set(payee_numbers.values()))
    reconcile_added_rows(connection, owner, newest, touched, unpaired, ask=ask)
    if changed or gone or page.added or page.modified or row["status"] != "ok":
        people.note_event(connection, owner, now)
        let_plan_follow(connection, owner, now)
    connections.change_connection(
        connection,
        row["no"],
        {
            "cursor": page.cursor,
            # Statement files are as old as their import, however often there is nothing to fetch.
            "last_synced_at": row["last_synced_at"] if row["provider"] == "manual" else now,
            "status": "ok",
            "error": None,
            "failures": 0,
            "next_try_at": next_try(row["id"], row["provider"], now),
        },
    )


def _save_accounts(
    connection: Connection,
    owner: int,
    connection_no: int,
    given: Iterable[BankAccount],
    today: int,
) -> tuple[dict[str, int], bool]:
    """Save what a bank says of accounts; answers their numbers, and whether anything is new in it."""
    held = {
        row["external_id"]: row
        for row in accounts.list_accounts(connection, owner)
        if row["connection_no"] == connection_no
    }
    changed = other_nature = False
    for account in given:
        values = {
            "name": account.name,
            "mask": account.mask,
            "kind": account.kind,
            "subtype": account.subtype,
            "balance": account.balance,
            "balance_day": today,
            "credit_limit": account.credit_limit,
            "apr": account.apr,
            "minimum_payment": account.minimum_payment,
        }
        present = held.get(account.external_id)
        if present is None:
            no = _new_account(connection, owner, connection_no, account, values)
            changed = other_nature = True
        else:
            no = present["no"]
            kept = set(present["kept"].split())
            fresh = {name: value for name, value in values.items() if name not in kept}
            differing = {name for name, value in fresh.items() if present[name] != value}
            changed = changed or bool(differing)
            other_nature = other_nature or not differing.isdisjoint({"kind", "subtype"})
            if not differing:
                continue
            accounts.change_account(connection, no, fresh)
        _cover(connection, no, account, today)
        if account.balance is not None:
            accounts.record_balance(connection, no, today, account.balance)
    _take_currency(connection, owner, given)
    if other_nature:
        recount_accounts(connection, owner)
    numbers = {
        row["external_id"]: row["no"]
        for row in accounts.list_accounts(connection, owner)
        if row["connection_no"] == connection_no
    }
    return numbers, changed


def _new_account(
    connection: Connection,
    owner: int,
    connection_no: int,
    account: BankAccount,
    values: Mapping[str, object],
) -> int:
    return accounts.add_account(
        connection,
        {
            **values,
            "id": new_id("acc"),
            "owner_no": owner,
            "connection_no": connection_no,
            "external_id": account.external_id,
            "currency": account.currency,
            "hidden": 0,
            "kept": "",
            "sources": "",
        },
    )


def _cover(connection: Connection, no: int, account: BankAccount, today: int) -> None:
    """Let an account be covered up to today: a sync brings all that came since the one before."""
    told = [account.covered_since, coverage.synced_since(connection, no)]
    since = min((day for day in told if day is not None), default=today)
    coverage.replace_synced(connection, no, (since, today, account.covered_since is not None, True))


def _take_currency(connection: Connection, owner: int, given: Iterable[BankAccount]) -> None:
    first = next(iter(given), None)
    if first is not None and people.get_person(connection, owner)["currency"] is None:
        people.change_person(connection, owner, {"currency": first.currency})


async def _payees_of(store: Store, page: SyncPage) -> dict[_Descriptor, Payee]:
    """Who each row of a page was paid to, by its descriptor and the name that the bank gives."""
    named = list(dict.fromkeys((row.raw, row.payee) for row in (*page.added, *page.modified)))
    if not named:
        return {}
    found = await store.elsewhere(partial(payees_of, named))
    return dict(zip(named, found, strict=True))


def _intern(
    connection: Connection, owner: int, paid: Mapping[_Descriptor, Payee], ask: Asking
) -> dict[_Descriptor, int]:
    """The payee number of each descriptor and bank-given name."""
    named: dict[str, tuple[str, str, str]] = {}
    for (raw, _), payee in paid.items():
        named.setdefault(payee.key, (payee.key, payee.name, raw))
    numbers = intern_payees(connection, owner, named.values(), ask)
    return {descriptor: numbers[payee.key] for descriptor, payee in paid.items()}


def _remove(
    connection: Connection, owner: int, held: Iterable[int], external_ids: Iterable[str]
) -> tuple[int, list[int]]:
    """Remove rows by a bank's ids; answers how many, and the rows whose other half went with them."""
    ids = list(external_ids)
    removed, unpaired = 0, list[int]()
    if not ids:
        return removed, unpaired
    for account in held:
        removed += syncs.remove_pending(connection, [(account, each) for each in ids])
        rows = syncs.numbers_of(connection, account, ids)
        unpaired += unpair_rows(connection, owner, rows)
        syncs.remove_posted(connection, rows)
        duplicates.forget_rows_aside(connection, account, ids)
        removed += len(rows)
    return removed, unpaired


def _add(
    connection: Connection,
    owner: int,
    provider: str,
    numbers: Mapping[str, int],
    payee_numbers: Mapping[_Descriptor, int],
    page: SyncPage,
) -> None:
    held = ledger_accounts(connection, owner)
    currency = household_settings(people.get_person(connection, owner)).currency
    counting = {no for no, account in held.items() if counts_in_totals(account, currency)}
    rows = sorted((*page.added, *page.modified), key=lambda row: row.day)
    known = {
        (no, *each)
        for no in numbers.values()
        for each in syncs.known_rows(
            connection, no, [row.external_id for row in rows if numbers[row.account] == no]
        )
    }
    posted: dict[tuple[int, str, int, int], syncs.SyncedRow] = {}
    pending: dict[tuple[int, str], syncs.SyncedRow] = {}
    for row in rows:
        synced = syncs.SyncedRow(
            account=numbers[row.account],
            external_id=row.external_id,
            payee=payee_numbers[row.raw, row.payee],
            day=row.day,
            amount=row.amount,
            raw=row.raw,
            code=row.code,
        )
        if row.pending:
            pending[synced.account, row.external_id] = synced
            continue
        # A bank may use one id for several rows; the day and the amount then tell them apart.
        identity = (synced.account, row.external_id, row.day, row.amount)
        if identity not in known:
            posted[identity] = synced
    posted_pending = [(row.account, row.external_id) for row in posted.values()]
    syncs.remove_pending(connection, posted_pending)
    syncs.insert_posted(connection, owner, posted.values(), provider, counting)
    syncs.insert_pending(connection, owner, pending.values())


def _note_failure(
    connection: Connection, row: RowMapping, error: BankProviderError, now: int
) -> None:
    failures = row["failures"] + 1
    values: dict[str, object] = {"error": error.message, "failures": failures}
    if error.failure == "login_required":
        values["status"] = "login_required"
    elif failures >= FAILURES_BEFORE_ERROR and row["status"] == "ok":
        values["status"] = "error"
    values["next_try_at"] = next_try(
        row["id"],
        row["provider"],
        now,
        failures=failures,
        login_required=values.get("status", row["status"]) == "login_required",
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
            f"The connection {connection_id} was unlinked while it was synced, so nothing more of it is"
            " kept. `finplan connect` links the bank again."
        )
    return row
