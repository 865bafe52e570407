"""Accounts: what they are, and the person's corrections of them."""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.intake.facts import SUBTYPE, number_in
from finplan.model import account as accounts
from finplan.model.base import Nothing, folded_name
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.plan.ledger.classes import kind_owes
from finplan.plan.ledger.days import Interval, date_of, day_of
from finplan.service.context import Context
from finplan.service.derived.household import coverage_of, current_balance, newest_recorded
from finplan.service.ledger.reconciliation import recount_rows, rematch_account
from finplan.store.queries import accounts as table, people

_NUMBER = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9 ]{11,40}|[\d*Xx][\d*Xx/ .-]+")
"""An IBAN, or digits and what parts or hides some of them; an app's own id of an account is none."""


async def list_accounts(context: Context, _ask: Nothing) -> tuple[accounts.Account, ...]:
    """The person's accounts, oldest first."""
    rows = await context.store.read(lambda c: table.list_accounts(c, context.caller.owner))
    return tuple(shown_account(row) for row in rows)


async def list_account_records(
    context: Context, _ask: Nothing
) -> tuple[accounts.AccountRecord, ...]:
    """The person's accounts, oldest first, each with what only the person knows of it."""
    return await context.store.read(partial(_records, owner=context.caller.owner))


async def show_account(context: Context, ask: accounts.AccountId) -> accounts.AccountRecord:
    """One account with what only the person knows of it."""
    return await context.store.read(lambda c: record_of(c, context.caller.owner, ask.id))


async def change_account(context: Context, ask: accounts.AccountChange) -> accounts.AccountRecord:
    """Correct an account; what the person sets, no bank overwrites."""
    values = ask.model_dump(exclude_unset=True, exclude={"id"}, by_alias=False)
    for name in ("name", "kind", "hidden"):
        if name in values and values[name] is None:
            raise BadRequest(f"The account's {name} cannot be empty. Give a value.")

    def change(connection: Connection) -> accounts.AccountRecord:
        owner = context.caller.owner
        account = find_account(connection, owner, ask.id)
        if "balance" in values and values["balance"] is None:
            del values["balance"]
            _take_balance_back(connection, account)
            account = find_account(connection, owner, ask.id)
        _settle_kind(account, values)
        if account["own"]:
            _check_own(connection, owner, account, values)
        table.change_account(connection, account["no"], _columns(account, values))
        if _changes(account, values, "kind", "subtype"):
            _change_nature(connection, owner, account, values)
        elif _changes(account, values, "hidden"):
            recount_rows(connection, owner, account["no"])
        if "balance" in values:
            day = day_of(context.today(people.get_person(connection, owner)["time_zone"]))
            table.change_account(connection, account["no"], {"balance_day": day})
            table.record_balance(connection, account["no"], day, values["balance"])
        people.raise_generation(connection, owner)
        return record_of(connection, owner, ask.id)

    return await context.commit(change, event=True)


def _check_own(
    connection: Connection, owner: int, account: RowMapping, values: dict[str, Any]
) -> None:
    """Raise BadRequest or Conflict where an account of the person's own would be what none can be."""
    if "name" in values:
        must_be_new(connection, owner, account["institution_name"], values["name"], account["no"])
    if "balance" in values:
        kind, name = values.get("kind", account["kind"]), values.get("name", account["name"])
        check_balance(kind, name, values["balance"])


def _settle_kind(account: RowMapping, values: dict[str, Any]) -> None:
    """Turn the person's word for a kind into kind and subtype. Raises BadRequest for a strange subtype.

    A subtype that is there stays where it fits the new kind, unless the word is itself a subtype.
    """
    if "kind" in values:
        typed, there = values["kind"], account["subtype"]
        values["kind"], own = accounts.kind_and_subtype(typed)
        stays = there is not None and own != typed and accounts.is_subtype_of(values["kind"], there)
        if "subtype" not in values and not stays:
            values["subtype"] = own
    kind, subtype = values.get("kind", account["kind"]), values.get("subtype")
    if subtype is not None:
        check_subtype(kind, subtype)


def check_balance(kind: accounts.AccountKind, name: str, balance: int) -> None:
    """Raise BadRequest for a balance below zero that an account of one's own cannot have.

    Cash may be overdrawn and a card overpaid; a debt is written without a sign.
    """
    if balance < 0 and kind == "loan":
        raise BadRequest(f"The balance of {name} is your debt. Write it without the minus sign.")
    if balance < 0 and kind in {"investment", "other"}:
        raise BadRequest(f"{name} cannot be worth less than 0. Correct the balance.")


def must_be_new(
    database: Connection, owner: int, institution: str, name: str, besides: int | None = None
) -> None:
    """Raise Conflict where an account of a bank or a file has the name, or one of the same group."""
    for row in table.list_accounts(database, owner):
        is_near = not row["own"] or row["institution_name"] == institution
        is_other = row["no"] != besides
        if is_other and is_near and folded_name(row["name"]) == folded_name(name):
            raise Conflict(f"You already have an account {row['name']!r}. Choose another name.")


def check_subtype(kind: accounts.AccountKind, subtype: str) -> None:
    """Raise BadRequest for a subtype that accounts of a kind do not have."""
    if not accounts.is_subtype_of(kind, subtype):
        raise BadRequest(
            f"{subtype!r} is not a subtype of {kind} accounts. Choose one of:"
            f" {', '.join(accounts.SUBTYPES[kind])}."
        )


def _changes(account: RowMapping, values: dict[str, Any], *names: str) -> bool:
    return any(name in values and values[name] != account[name] for name in names)


def _change_nature(
    connection: Connection, owner: int, account: RowMapping, values: dict[str, Any]
) -> None:
    """What depends on an account's kind follows a change of it: the sign of balances, and pairs."""
    if kind_owes(values.get("kind", account["kind"])) != kind_owes(account["kind"]):
        table.negate_balances(connection, account["no"])
        if "balance" not in values and account["balance"] is not None:
            table.change_account(connection, account["no"], {"balance": -account["balance"]})
    rematch_account(connection, owner, account["no"])


def _take_balance_back(connection: Connection, account: RowMapping) -> None:
    """Forget the balance that the person said, so that the newest of a statement or the bank holds."""
    fields = account["kept"].split()
    if "balance" not in fields:
        return
    number = account["no"]
    table.forget_own_balance(connection, number, account["balance_day"], account["balance"])
    still_kept = " ".join(name for name in fields if name != "balance")
    values = newest_recorded(connection, number) | {"kept": still_kept}
    table.change_account(connection, number, values)


def _columns(account: RowMapping, values: dict[str, Any]) -> dict[str, Any]:
    fields = sorted({*account["kept"].split(), *(name for name in values if name != "hidden")})
    columns = {**values, "kept": " ".join(fields)}
    if "hidden" in values:
        columns["hidden"] = int(values["hidden"])
    return columns


def find_account(connection: Connection, owner: int, account_id: str) -> RowMapping:
    """The row of a person's account by its id. Raises NotFound."""
    account = table.find_account(connection, owner, account_id)
    if account is None:
        raise NotFound(f"No account {account_id!r}. `finplan accounts` lists your accounts.")
    return account


def shown_account(row: RowMapping) -> accounts.Account:
    """An account as it is shown."""
    return accounts.Account.of(row, balance=current_balance(row))


def record_of(connection: Connection, owner: int, account_id: str) -> accounts.AccountRecord:
    """An account with what only the person knows of it. Raises NotFound."""
    row = find_account(connection, owner, account_id)
    covered = coverage_of(connection, owner, [row]).get(row["no"], ())
    return _make_record(row, covered, table.balances_of(connection, row["no"]))


def _records(connection: Connection, owner: int) -> tuple[accounts.AccountRecord, ...]:
    rows = table.list_accounts(connection, owner)
    covered = coverage_of(connection, owner, rows)
    return tuple(
        _make_record(row, covered.get(row["no"], ()), table.balances_of(connection, row["no"]))
        for row in rows
    )


def _make_record(
    row: RowMapping, covered: Iterable[Interval], stated: Iterable[tuple[int, int]]
) -> accounts.AccountRecord:
    return accounts.AccountRecord.of(
        row,
        account=shown_account(row),
        hidden=bool(row["hidden"]),
        coverage=tuple(
            accounts.CoveredSpan(since=date_of(span.since), until=date_of(span.until))
            for span in covered
        ),
        anchors=tuple(
            accounts.BalanceAnchor(date=date_of(day), balance=balance)
            for day, balance in dict(stated).items()
        ),
        number=_number(row),
        own=bool(row["own"]),
        since=None if row["since"] is None else date_of(row["since"]),
    )


def _number(row: RowMapping) -> str | None:
    """The number that files gave an account; what a linked bank knows it by is no number of it."""
    number = number_in(row["external_id"]) if row["provider"] == "manual" else None
    plain = "" if number is None else SUBTYPE.sub("", number)
    return plain if _NUMBER.fullmatch(plain) else None
