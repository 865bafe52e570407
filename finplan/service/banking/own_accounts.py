"""Accounts of one's own, which no bank or file brings: added, removed, and their balances by date."""

from datetime import date
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model import account as accounts
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.money import CODES
from finplan.operation import Made
from finplan.plan.ledger.days import date_of, day_of
from finplan.service.banking.accounts import (
    check_balance,
    check_subtype,
    find_account,
    must_be_new,
    record_of,
)
from finplan.service.context import Context
from finplan.service.derived.household import newest_recorded
from finplan.service.ids import new_id
from finplan.service.ledger.reconciliation import recount_rows
from finplan.store.queries import accounts as table, connections, people


async def add_account(context: Context, ask: accounts.NewAccount) -> Made[accounts.AccountRecord]:
    """Add an account of the person's own.

    Raises BadRequest for a strange subtype, a day in the future, or no currency where the household has
    none yet, and Conflict where an account of this name is there.
    """
    owner = context.caller.owner
    kind, usual_subtype = accounts.kind_and_subtype(ask.kind)
    subtype = usual_subtype if ask.subtype is None else ask.subtype
    if subtype is not None:
        check_subtype(kind, subtype)
    if ask.balance is not None:
        check_balance(kind, ask.name, ask.balance)
    elif ask.as_of is not None:
        raise BadRequest("`asOf` is the date of a balance. Give the balance, too.")

    def add(database: Connection) -> Made[accounts.AccountRecord]:
        person = people.get_person(database, owner)
        today = context.today(person["time_zone"])
        as_of = _past_day(ask.as_of or today, today)
        since = None if ask.since is None else _past_day(ask.since, today)
        if since is not None and since > as_of:
            raise BadRequest(
                f"The balance's date {as_of} is before the account's first day {since}. Correct one"
                " of them."
            )
        currency = ask.currency or person["currency"]
        if currency is not None and currency not in CODES:
            raise BadRequest(f"{currency!r} is not a currency. Write a code, such as USD or EUR.")
        if currency is None:
            raise BadRequest(
                "Your household has no currency yet. Give the account's currency, such as USD."
            )
        if person["currency"] is None:
            people.change_person(database, owner, {"currency": currency})
            # Rows of a bank that is still being read may wait for the household's currency.
            recount_rows(database, owner)
        institution = ask.institution_name or accounts.ADDED_BY_YOU
        must_be_new(database, owner, institution, ask.name)
        public_id = new_id("acc")
        values: dict[str, Any] = {
            "id": public_id,
            "owner_no": owner,
            "connection_no": _connection_of(database, context, institution),
            # No bank or file knows the account, so that its own id stands for theirs.
            "external_id": public_id,
            "name": ask.name,
            "kind": kind,
            "subtype": subtype,
            "currency": currency,
            "balance": ask.balance,
            "balance_day": None if ask.balance is None else day_of(as_of),
            "credit_limit": ask.credit_limit,
            "apr": ask.apr,
            "minimum_payment": ask.minimum_payment,
            "kept": _given_by_person(ask),
            "own": 1,
            "since": None if since is None else day_of(since),
        }
        number = table.add_account(database, values)
        if ask.balance is not None:
            table.record_balance(database, number, day_of(as_of), ask.balance)
        people.raise_generation(database, owner)
        return Made(record_of(database, owner, public_id), new=True)

    return await context.commit(add, event=True)


async def remove_account(context: Context, ask: accounts.AccountId) -> accounts.AccountRecord:
    """Remove an account that the person added, and answer what it was.

    Raises NotFound, and Conflict for an account that a bank or a file brought or brings rows of.
    """
    owner = context.caller.owner

    def remove(database: Connection) -> accounts.AccountRecord:
        account = find_account(database, owner, ask.id)
        _must_be_own(account)
        if table.has_rows(database, account["no"]):
            raise Conflict(
                f"{account['name']} contains imported transactions. Undo those imports first:"
                " `finplan imports`."
            )
        record = record_of(database, owner, ask.id)
        table.remove_account(database, account["no"])
        left = {row["connection_no"] for row in table.list_accounts(database, owner)}
        (institution,) = (
            row
            for row in connections.list_connections(database, owner)
            if row["no"] == account["connection_no"]
        )
        if institution["by_import"] and institution["no"] not in left:
            connections.remove_connection(database, institution["no"])
        people.raise_generation(database, owner)
        return record

    return await context.commit(remove, event=True)


async def list_balances(
    context: Context, ask: accounts.AccountId
) -> tuple[accounts.BalanceAnchor, ...]:
    """The recorded balances of an account, one a day, in order of date. Raises NotFound."""
    owner = context.caller.owner
    record = await context.store.read(lambda database: record_of(database, owner, ask.id))
    return record.anchors


async def set_balance(context: Context, ask: accounts.DatedBalance) -> accounts.AccountRecord:
    """Record what the balance of an account was at the end of a day, as the person says.

    The newest one is the account's balance. Raises NotFound, and BadRequest for a day in the future.
    """
    owner = context.caller.owner

    def record(database: Connection) -> accounts.AccountRecord:
        account = find_account(database, owner, ask.id)
        today = context.today(people.get_person(database, owner)["time_zone"])
        day = day_of(_past_day(ask.date, today))
        if account["own"]:
            check_balance(account["kind"], account["name"], ask.balance)
            _check_first_day(account, ask.date)
        table.record_balance(database, account["no"], day, ask.balance)
        if account["balance_day"] is None or day >= account["balance_day"]:
            kept = " ".join(sorted({*account["kept"].split(), "balance"}))
            values = {"balance": ask.balance, "balance_day": day, "kept": kept}
            table.change_account(database, account["no"], values)
        people.raise_generation(database, owner)
        return record_of(database, owner, ask.id)

    return await context.commit(record, event=True)


async def remove_balance(context: Context, ask: accounts.BalanceDay) -> accounts.AccountRecord:
    """Forget what the person said of an account's balance on a day.

    Raises NotFound, also where they said nothing of that day.
    """
    owner = context.caller.owner

    def remove(database: Connection) -> accounts.AccountRecord:
        account = find_account(database, owner, ask.id)
        day = day_of(ask.date)
        balance = table.own_balance_on(database, account["no"], day)
        if balance is None or account["provider"] != "manual":
            raise NotFound(
                f"You set no balance of {account['name']} on {ask.date}. `finplan accounts balances`"
                " lists them."
            )
        table.forget_own_balance(database, account["no"], day, balance)
        if account["balance_day"] == day:
            table.change_account(database, account["no"], _without_newest(database, account))
        people.raise_generation(database, owner)
        return record_of(database, owner, ask.id)

    return await context.commit(remove, event=True)


def _without_newest(database: Connection, account: RowMapping) -> dict[str, Any]:
    """The columns of the balance of an account whose newest one was removed."""
    values: dict[str, Any] = newest_recorded(database, account["no"])
    if account["own"] and values["balance"] is not None:
        return values
    kept = " ".join(name for name in account["kept"].split() if name != "balance")
    return {**values, "kept": kept}


def _past_day(day: date, today: date) -> date:
    if day > today:
        raise BadRequest(f"The date {day} is in the future. Give today or an earlier date.")
    return day


def _must_be_own(account: RowMapping) -> None:
    if not account["own"]:
        raise Conflict(
            f"{account['name']} comes from a bank or a file. You can exclude it from every figure:"
            f" `finplan accounts set {account['id']} --hide`."
        )


def _check_first_day(account: RowMapping, day: date) -> None:
    if account["since"] is not None and day_of(day) < account["since"]:
        first = date_of(account["since"])
        raise BadRequest(f"{day} is before the first day of {account['name']}, which is {first}.")


def _connection_of(database: Connection, context: Context, institution: str) -> int:
    owner = context.caller.owner
    for row in connections.list_connections(database, owner):
        if row["provider"] == "manual" and row["institution_name"] == institution:
            return int(row["no"])
    now = context.milliseconds()
    return connections.add_connection_of_files(
        database, owner, new_id("con"), institution, now, None
    )


def _given_by_person(ask: accounts.NewAccount) -> str:
    """The names of the fields that no file may overwrite, as the account keeps them."""
    given = {"name", "kind", "subtype"}
    optional = ("balance", "credit_limit", "apr", "minimum_payment")
    given |= {name for name in optional if getattr(ask, name) is not None}
    return " ".join(sorted(given))
