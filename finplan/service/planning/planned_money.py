"""Planned money: listed with what of it has happened, added, changed and removed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model import planned
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, NotFound
from finplan.operation import Made
from finplan.plan.ledger.days import date_of, day_of, last_day
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PAYEE, Ledger, PlannedMoney
from finplan.plan.ledger.planned import FollowedMoney
from finplan.plan.live.schedule import cash_accounts
from finplan.plan.planned import follow_planned
from finplan.service.context import Asker, Context
from finplan.service.derived.books import Household, household_of
from finplan.service.derived.household import planned_money
from finplan.service.ids import new_id
from finplan.service.ledger.categorisation import compute_inferred
from finplan.store.queries import people, plans as table


async def list_planned(context: Context, _ask: Nothing) -> tuple[planned.PlannedRecord, ...]:
    """The person's planned money: what is due next first, then what is over."""
    return await compute_inferred(context, partial(_list, asker=context.asker))


async def add_planned(context: Context, ask: planned.NewPlanned) -> Made[planned.PlannedRecord]:
    """Plan to pay or to receive money.

    Raises BadRequest for a day that is over, an account that is no cash account of the household's
    currency, a strange category, or too much planned money.
    """
    owner, asker = context.caller.owner, context.asker
    values, record = await compute_inferred(context, partial(_new, asker=asker, ask=ask))

    def add(database: Connection) -> Made[planned.PlannedRecord]:
        table.add_planned(database, values)
        people.raise_generation(database, owner, rows=False)
        return Made(record, new=True)

    return await context.commit(add, event=True)


async def change_planned(context: Context, ask: planned.PlannedChange) -> planned.PlannedRecord:
    """Change planned money. Raises NotFound, and BadRequest as `add_planned` does."""
    owner, asker = context.caller.owner, context.asker
    values, record = await compute_inferred(context, partial(_changed, asker=asker, ask=ask))

    def change(database: Connection) -> planned.PlannedRecord:
        table.change_planned(database, _find(database, owner, ask.id)["no"], values)
        people.raise_generation(database, owner, rows=False)
        return record

    return await context.commit(change, event=True)


async def remove_planned(context: Context, ask: planned.PlannedId) -> planned.PlannedRecord:
    """Forget planned money, and answer what it was. Raises NotFound."""
    owner, asker = context.caller.owner, context.asker
    record = await compute_inferred(context, partial(_one, asker=asker, public_id=ask.id))

    def remove(database: Connection) -> planned.PlannedRecord:
        table.remove_planned(database, _find(database, owner, ask.id)["no"])
        people.raise_generation(database, owner, rows=False)
        return record

    return await context.commit(remove, event=True)


def _list(connection: Connection, asker: Asker) -> tuple[planned.PlannedRecord, ...]:
    household = household_of(connection, asker)
    records = [_show(connection, household, followed) for followed in household.books.planned]
    return tuple(sorted(records, key=_next_first))


def _next_first(record: planned.PlannedRecord) -> tuple[date, str, str]:
    return record.next or date.max, record.name, record.id


def _one(connection: Connection, asker: Asker, public_id: str) -> planned.PlannedRecord:
    _find(connection, asker.owner, public_id)
    records = {record.id: record for record in _list(connection, asker)}
    if public_id not in records:
        raise _not_found(public_id)
    return records[public_id]


def _new(
    connection: Connection, asker: Asker, ask: planned.NewPlanned
) -> tuple[Mapping[str, Any], planned.PlannedRecord]:
    household = household_of(connection, asker)
    if len(table.list_planned(connection, asker.owner)) >= planned.MOST_PLANNED:
        raise BadRequest(
            f"You already have {planned.MOST_PLANNED} entries of planned money, the most that finplan"
            " keeps. Remove some first: `finplan planned`."
        )
    if people.get_person(connection, asker.owner)["currency"] is None:
        raise BadRequest(
            "Your household has no currency yet. Import a statement, or set one: `finplan settings set"
            " --currency EUR`."
        )
    public_id = new_id("pln")
    values: dict[str, Any] = {
        "id": public_id,
        "owner_no": asker.owner,
        "name": ask.name,
        "amount": ask.amount,
        "currency": household.ledger.settings.currency,
        "incoming": int(ask.direction == "in"),
        "cadence": ask.every,
        "until": None if ask.until is None else day_of(ask.until),
        "account_no": _account_no(household.ledger, ask.account_id),
        "category": _category(household.ledger, ask.category),
        "planned_on": day_of(household.today),
        "done": 0,
        "saved_at": asker.milliseconds(),
    }
    values |= _day(ask.date, ask.month, incoming=ask.direction == "in")
    _check(values, household.today)
    return values, _shown_with(connection, household, values)


def _changed(
    connection: Connection, asker: Asker, ask: planned.PlannedChange
) -> tuple[Mapping[str, Any], planned.PlannedRecord]:
    household = household_of(connection, asker)
    before = _find(connection, asker.owner, ask.id)
    fields = ask.model_fields_set
    values: dict[str, Any] = {"saved_at": asker.milliseconds()}
    values |= {
        name: value
        for name, value in (("name", ask.name), ("amount", ask.amount), ("cadence", ask.every))
        if {"cadence": "every"}.get(name, name) in fields
    }
    incoming = bool(before["incoming"]) if ask.direction is None else ask.direction == "in"
    values["incoming"] = int(incoming)
    if "until" in fields:
        values["until"] = None if ask.until is None else day_of(ask.until)
    if "account_id" in fields:
        values["account_no"] = _account_no(household.ledger, ask.account_id)
    if "category" in fields:
        values["category"] = _category(household.ledger, ask.category)
    if ask.date is not None or ask.month is not None:
        values |= _day(ask.date, ask.month, incoming=incoming) | {"done": 0}
    elif before["in_month"]:
        month = f"{date_of(before['day']):%Y-%m}"
        values |= _day(None, month, incoming=incoming)
    if ask.happened is not None:
        values["done"] = int(ask.happened)
    after = {**before, **values}
    _check(after, household.today if ask.date or ask.month else None)
    if after["done"] and after["cadence"] is not None:
        raise BadRequest(
            f"{after['name']} repeats, so it cannot be marked as happened. To end it, set its last"
            f" date: `finplan planned set {ask.id} --until DATE`."
        )
    return values, _shown_with(connection, household, after)


def _day(day: date | None, month: str | None, *, incoming: bool) -> dict[str, Any]:
    """The columns of a day; of a month it is the last for money in, the first for money out."""
    if day is not None:
        return {"day": day_of(day), "in_month": 0}
    first = day_of(planned.first_of_month(month or ""))
    return {"day": last_day(first // 100) if incoming else first, "in_month": 1}


def _check(values: Mapping[str, Any], today: date | None) -> None:
    """Raise BadRequest where planned money cannot come; its day is checked where `today` is given."""
    day, in_month = values["day"], values["in_month"]
    if today is not None and (
        day // 100 < day_of(today) // 100 if in_month else day < day_of(today)
    ):
        day_typed = f"{date_of(day):%Y-%m}" if in_month else f"{date_of(day)}"
        raise BadRequest(f"{day_typed} is in the past. Give today or a later date.")
    if values["until"] is not None:
        if values["cadence"] is None:
            raise BadRequest("Only money that repeats has a last date. Give how often it repeats.")
        if values["until"] < day:
            raise BadRequest("The last date is before the first one. Correct one of them.")
    if in_month and values["cadence"] in {"weekly", "biweekly", "semimonthly"}:
        raise BadRequest("Money that repeats within a month needs a date, not a month.")


def _account_no(ledger: Ledger, public_id: str | None) -> int | None:
    """The number of an account that money comes to or leaves at once."""
    if public_id is None:
        return None
    number = next((no for no, account in ledger.accounts.items() if account.id == public_id), None)
    if number is None:
        raise BadRequest(f"Unknown account {public_id}. `finplan accounts` lists your accounts.")
    if number not in cash_accounts(ledger):
        raise BadRequest(
            f"{ledger.accounts[number].name} is not a cash account in {ledger.settings.currency}."
            " Choose one, or give no account: then any of them counts."
        )
    return number


def _category(ledger: Ledger, category: str | None) -> str | None:
    if category is not None and category not in ledger.catalogue:
        raise BadRequest(
            f"Unknown category {category!r}. `finplan categories` lists all categories."
        )
    return category


def _find(connection: Connection, owner: int, public_id: str) -> RowMapping:
    row = table.find_planned(connection, owner, public_id)
    if row is None:
        raise _not_found(public_id)
    return row


def _not_found(public_id: str) -> NotFound:
    return NotFound(f"No planned money {public_id!r}. `finplan planned` lists your planned money.")


def _shown_with(
    connection: Connection, household: Household, values: Mapping[str, Any]
) -> planned.PlannedRecord:
    """Planned money as it will be shown once its columns are these."""
    ledger, books, today = household
    money = planned_money(values)
    others = [planned for planned in ledger.planned if planned.id != money.id]
    series = [*books.charges, *books.young_bills, *books.expected_again, *books.sources]
    changed = replace(ledger, planned=[*others, money])
    followed = follow_planned(changed, books.sheets, series, today)
    return _show(connection, household, followed[-1])


def _show(
    connection: Connection, household: Household, followed: FollowedMoney
) -> planned.PlannedRecord:
    money: PlannedMoney = followed.money
    accounts = household.ledger.accounts
    return planned.PlannedRecord(
        id=money.id,
        name=money.name,
        amount=money.amount,
        direction="in" if money.incoming else "out",
        date=None if money.in_month else money.first,
        month=f"{money.first:%Y-%m}" if money.in_month else None,
        every=money.cadence,
        until=money.until,
        account_id=None if money.account is None else accounts[money.account].id,
        category=money.category,
        status=followed.status(household.today),
        next=followed.next_day(household.today),
        monthly=followed.monthly,
        transaction_id=_latest_row(connection, followed),
    )


def _latest_row(connection: Connection, followed: FollowedMoney) -> str | None:
    if not followed.happened:
        return None
    row: Sequence[int] = followed.happened[max(followed.happened)]
    number = table.row_number(connection, row[ACCOUNT], row[PAYEE], row[DAY], row[AMOUNT])
    return None if number is None else f"tx_{number}"
