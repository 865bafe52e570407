"""The person, the household's settings, and corrections of accounts."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from finplan.model.account import AccountChange, AccountId
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Forbidden, NotFound
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.model.user import BudgetShares, SettingsChange, UserChange
from finplan.operations.person import CHANGE_ME, SHOW_ME
from finplan.service.banking.accounts import (
    change_account,
    list_account_records,
    list_accounts,
    show_account,
)
from finplan.service.banking.connections import sync_all
from finplan.service.context import Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.dispatch import perform
from finplan.service.people import (
    change_settings,
    ensure_owner,
    local_time_zone,
    show_me,
    show_settings,
)
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions

Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]
Import = Callable[..., Awaitable[Any]]

FILE = "Date,Description,Amount\n2026-09-01,SAFEWAY,-25.00\n2026-10-01,SAFEWAY,-30.00\n"


async def test_the_owner_is_made_once(context: Context) -> None:
    """A store has one owner, named after the OS user until the person says otherwise."""
    again = await ensure_owner(context.store, "somebody else", 0)
    user = await show_me(context, Nothing())

    assert again == context.caller.owner
    assert (user.email, user.name) == ("ada@localhost", None)


@pytest.mark.parametrize(
    "space", ["", " ", "\n", "\x1f", "\x85", "\xa0", "\u2003", "\u200b", "\ufeff"]
)
def test_an_address_has_two_parts_that_can_be_seen(space: str) -> None:
    """An address is two visible parts around one @, in any script; an invisible sign is refused."""
    assert UserChange(email="жанна@почта.рф").email == "жанна@почта.рф"
    for typed in (
        f"ada{space}@",
        f"@{space}here",
        f"a{space}@b@c",
        *([f"a{space}@b"] * bool(space)),
    ):
        with pytest.raises(ValidationError):
            UserChange(email=typed)


async def test_a_change_keeps_what_is_absent(context: Context) -> None:
    """Only what is given changes; null clears a name but never an address."""
    await change_me(context, UserChange(name="Ada"))
    changed = await change_me(context, UserChange(email="ada@example.org"))
    cleared = await change_me(context, UserChange(name=None))

    assert (changed.email, changed.name) == ("ada@example.org", "Ada")
    assert cleared.name is None
    with pytest.raises(BadRequest):
        await change_me(context, UserChange(email=None))


async def test_settings_are_kept_and_checked(context: Context) -> None:
    """Settings that make no sense are refused in a sentence and change nothing."""
    before = await show_settings(context, Nothing())
    for change in (
        SettingsChange(time_zone="Mars/Olympus"),
        SettingsChange(currency=None),
        SettingsChange(budget_shares=BudgetShares(essentials=0.5, discretionary=0.5, savings=0.5)),
    ):
        with pytest.raises(BadRequest):
            await change_settings(context, change)
    shares = BudgetShares(essentials=0.6, discretionary=0.25, savings=0.15)
    await change_settings(context, SettingsChange(budget_shares=shares, target_months=4))
    kept = await change_settings(context, SettingsChange(time_zone="Europe/Berlin"))

    assert await show_settings(context, Nothing()) == kept
    assert (kept.budget_shares, kept.target_months) == (shares, 4)
    assert (before.currency, kept.time_zone) == ("USD", "Europe/Berlin")


def test_the_time_zone_is_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """TZ is believed when it names a zone; anything else falls back."""
    monkeypatch.setenv("TZ", "America/New_York")
    assert local_time_zone() == "America/New_York"
    monkeypatch.setenv("TZ", "nowhere")
    assert local_time_zone() != "nowhere"


async def test_the_first_account_brings_the_currency(
    newcomer: Context, import_texts: Import
) -> None:
    """The household's currency is the first account's; another one's rows then do not count."""
    context = newcomer
    await import_texts({"checking.csv": FILE}, currency="EUR")
    settings = await show_settings(context, Nothing())
    euros = await query_spending(context, SpendingQuery())
    await change_settings(context, SettingsChange(currency="USD"))
    dollars = await query_spending(context, SpendingQuery())

    assert (settings.currency, euros.total, dollars.total) == ("EUR", 55_00, 0)


PAYDAYS = "Date,Description,Amount\n" + "".join(
    f"2026-0{month}-25,ORBIT WORKS GMBH,2100.00\n2026-0{month}-26,CORNER SHOP,-20.00\n"
    for month in range(1, 7)
)


async def _category_of(context: Context, raw: str) -> str | None:
    page = await list_transactions(context, TransactionQuery())
    (category,) = {each.category for each in page.transactions if each.raw == raw}
    return category


async def test_a_new_currency_has_payees_judged_by_the_rows_that_count_then(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Pay in another currency is pay as soon as that is the household's, and no more when it is not."""
    await import_texts({"dollars.csv": FILE}, currency="USD")
    await import_texts({"euros.csv": PAYDAYS}, currency="EUR")
    before = (await dump())["payee"]
    as_unknown = await _category_of(context, "ORBIT WORKS GMBH")

    await change_settings(context, SettingsChange(currency="EUR"))
    as_pay = await _category_of(context, "ORBIT WORKS GMBH")
    await change_settings(context, SettingsChange(currency="USD"))

    assert (as_unknown, as_pay) == ("unknown_inflow", "wages")
    assert (await dump())["payee"] == before


async def test_an_account_that_is_shown_again_has_its_payees_judged(
    context: Context, import_texts: Import
) -> None:
    """Pay that was imported while its account was hidden is pay once the account is shown."""
    await import_texts({"checking.csv": FILE})
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, hidden=True))
    await import_texts({"later.csv": PAYDAYS}, account=account.id)
    hidden = await _category_of(context, "ORBIT WORKS GMBH")
    await change_account(context, AccountChange(id=account.id, hidden=False))
    shown = await _category_of(context, "ORBIT WORKS GMBH")

    assert (hidden, shown) == ("unknown_inflow", "wages")


async def test_a_hidden_account_does_not_count(context: Context, import_texts: Import) -> None:
    """Hiding an account takes its rows out of every total; showing it brings them back."""
    await import_texts({"checking.csv": FILE})
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, hidden=True))
    hidden = await query_spending(context, SpendingQuery())
    await change_account(context, AccountChange(id=account.id, hidden=False))
    shown = await query_spending(context, SpendingQuery())

    assert (hidden.total, shown.total) == (0, 55_00)


@pytest.mark.usefixtures("demo")
async def test_a_persons_correction_outlives_a_sync(context: Context) -> None:
    """What the person sets on an account, no bank overwrites."""
    (account, *_) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, name="Ours", apr=0.1))
    await sync_all(context, Nothing())
    record = await show_account(context, AccountId(id=account.id))

    assert (record.account.name, record.apr) == ("Ours", 0.1)
    assert record.account.balance == account.balance


@pytest.mark.usefixtures("demo")
async def test_the_records_at_once_are_those_one_by_one(context: Context) -> None:
    """Each account's record is the same in the list, in the order of the accounts."""
    accounts = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=accounts[1].id, apr=0.1, hidden=True))

    records = await list_account_records(context, Nothing())

    assert len(records) > 2
    assert records == tuple(
        [await show_account(context, AccountId(id=account.id)) for account in accounts]
    )
    assert any(record.anchors for record in records)
    assert [record.hidden for record in records].count(True) == 1


async def test_an_account_that_is_not_there_is_not_found(context: Context) -> None:
    """An unknown id is a 404 that says how to list accounts."""
    with pytest.raises(NotFound, match="finplan accounts"):
        await show_account(context, AccountId(id="acc_unknown"))
    with pytest.raises(NotFound):
        await change_account(context, AccountChange(id="acc_unknown", hidden=True))


async def test_the_scope_is_checked_at_the_desk(context: Context) -> None:
    """A credential that may only read reads, and is refused when it would write."""
    reader = replace(context, caller=replace(context.caller, scopes=frozenset({"read"})))

    assert (await perform(reader, SHOW_ME, Nothing())).email == "ada@localhost"
    writer = replace(context, caller=replace(context.caller, scopes=frozenset({"write"})))
    with pytest.raises(Forbidden, match="may not see who you are"):
        await perform(writer, SHOW_ME, Nothing())
    with pytest.raises(Forbidden, match="may not change your name or email"):
        await perform(reader, CHANGE_ME, UserChange(name="Eve"))


async def test_nobody_sees_anothers_data(context: Context, import_texts: Import) -> None:
    """Each answer is about the caller's own data alone."""
    from finplan.store.queries import people

    await import_texts({"checking.csv": FILE})
    (account,) = await list_accounts(context, Nothing())
    values = {"id": "usr_2", "email": "b@localhost", "created_at": 0, "time_zone": "UTC"}
    other = await context.store.write(lambda c: people.add_person(c, values))
    stranger = replace(context, caller=replace(context.caller, owner=other))

    assert await list_accounts(stranger, Nothing()) == ()
    assert (await query_spending(stranger, SpendingQuery())).total == 0
    with pytest.raises(NotFound):
        await show_account(stranger, AccountId(id=account.id))
