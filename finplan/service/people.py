"""The person, and the household's settings."""

import getpass
import os
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from sqlalchemy import Connection, RowMapping

from finplan.categorise.payee import KEY_RULES
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest
from finplan.model.money import CODES
from finplan.model.user import HouseholdSettings, SettingsChange, User, is_time_zone
from finplan.service.context import Context
from finplan.service.derived.household import household_settings
from finplan.service.ids import new_id
from finplan.service.ledger.reconciliation import recount_rows
from finplan.store.queries import people as table
from finplan.store.queries.accounts import list_accounts
from finplan.store.store import Store

_NEAR = 0.8
"""How alike a typed time zone and one that is meant are."""


async def ensure_owner(store: Store, user_name: str, now_ms: int) -> int:
    """Answer the number of the store's owner, creating the owner from the OS user in a new store.

    Raises StorageFull in a new store only: an owner that is there is found without writing.
    """
    present = await store.read(table.only_person)
    if present is not None:
        return int(present["no"])

    def find_or_create(connection: Connection) -> int:
        # Another process may have been quicker.
        row = table.only_person(connection)
        if row is not None:
            return int(row["no"])
        return table.add_person(connection, new_owner(user_name, now_ms))

    return await store.write(find_or_create)


async def owner_of_the_machine(store: Store) -> int:
    """The number of the person whom the local session speaks for: the first of them all."""
    person = await store.read(table.only_person)
    assert person is not None, "Another owner follows."
    return int(person["no"])


def owns_the_machine(connection: Connection, person: int) -> bool:
    """Whether a person is the one whom the local session speaks for."""
    first = table.only_person(connection)
    return first is not None and bool(first["no"] == person)


def new_owner(user_name: str, now_ms: int) -> dict[str, Any]:
    """Who owns the machine, as long as nothing more is known of them."""
    return new_person(f"{user_name}@localhost", None, local_time_zone(), now_ms)


def new_person(email: str, name: str | None, time_zone: str, now_ms: int) -> dict[str, Any]:
    """A person without any data."""
    return {
        "id": new_id("usr"),
        "email": email,
        "email_key": email_key(email),
        "name": name,
        "created_at": now_ms,
        "time_zone": time_zone,
        "key_rules": KEY_RULES,
    }


def email_key(email: str) -> str:
    """An address as it is compared: two people never share one that differs only in letters' case."""
    return unicodedata.normalize("NFKC", email.strip()).casefold()


async def show_me(context: Context, _ask: Nothing) -> User:
    """Who the caller is."""
    return shown_user(await context.store.read(lambda c: table.get_person(c, context.caller.owner)))


async def show_settings(context: Context, _ask: Nothing) -> HouseholdSettings:
    """The household's settings."""
    owner = context.caller.owner
    # Every call of a tool says its currency, so this is no way to a thread and back.
    row = await context.store.look_up(table.SETTINGS_OF_PERSON, owner)
    if row is not None:
        return household_settings(row)
    return household_settings(await context.store.read(lambda c: table.get_person(c, owner)))


async def change_settings(context: Context, ask: SettingsChange) -> HouseholdSettings:
    """Change the household's settings; what is absent stays."""
    values = ask.model_dump(exclude_unset=True, by_alias=False)
    _check(ask)
    if ask.budget_shares is not None:
        values["budget_shares"] = ask.budget_shares.model_dump_json()

    def change(connection: Connection) -> HouseholdSettings:
        owner = context.caller.owner
        _check_currency(connection, owner, ask.currency)
        table.change_person(connection, owner, values)
        if "currency" in values:
            # Pay in another currency is pay once its rows count.
            recount_rows(connection, owner)
        table.raise_generation(connection, owner, rows="currency" in values)
        return household_settings(table.get_person(connection, owner))

    return await context.commit(change, event=True)


def local_user_name() -> str:
    """The name of who runs this program, as the operating system knows them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        # A process without an account of the operating system, as in some containers.
        return "owner"


def local_time_zone() -> str:
    """The machine's time zone by its IANA name, UTC when it does not say."""
    from_env = os.environ.get("TZ", "").lstrip(":")
    linked = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")[2]
    for candidate in (from_env, linked):
        if candidate and is_time_zone(candidate):
            return candidate
    return "UTC"


def _check_currency(connection: Connection, owner: int, currency: str | None) -> None:
    """Refuse a code that no currency and no account has: every figure would be of nothing."""
    if currency is None or currency in CODES:
        return
    currencies = {row["currency"] for row in list_accounts(connection, owner)}
    if currency not in currencies:
        raise BadRequest(
            f"Unknown currency {currency!r}, and no account uses it. Use a code such as USD or EUR."
        )


def _check(ask: SettingsChange) -> None:
    fields = ask.model_fields_set
    for name in ("currency", "time_zone"):
        if name in fields and getattr(ask, name) is None:
            raise BadRequest(f"The {name.replace('_', ' ')} cannot be empty. Give a value.")
    if ask.time_zone is not None and not is_time_zone(ask.time_zone):
        near = " or ".join(_zones_near(ask.time_zone)) or "Europe/Berlin"
        raise BadRequest(f"{ask.time_zone!r} is not a time zone. Use an IANA name such as {near}.")
    shares = ask.budget_shares
    if shares is not None and not shares.is_whole:
        raise BadRequest(
            f"The three budget shares add up to {shares.total:.4g}. They must add up to 1."
        )


def _zones_near(typed: str) -> Sequence[str]:
    """The time zones whose name, or whose last part, is much like what was typed, at most three."""
    zones = sorted(available_timezones())
    text = typed.casefold().replace(" ", "_")
    by_name = {zone.casefold(): zone for zone in zones}
    by_city = {zone.casefold().rpartition("/")[2]: zone for zone in zones if "/" in zone}
    names = get_close_matches(text, by_name, cutoff=_NEAR)
    cities = get_close_matches(text.rpartition("/")[2], by_city, cutoff=_NEAR)
    matches = [by_name[name] for name in names] or [by_city[name] for name in cities]
    return matches[:3]


def shown_user(person: RowMapping) -> User:
    """A person as they are shown."""
    return User.of(person)
