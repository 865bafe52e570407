"""Accounts of one's own: what they are worth counts, and nothing of theirs limits what banks tell."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from typing import Any

import pytest

from finplan.model.account import (
    ADDED_BY_YOU,
    AccountChange,
    AccountId,
    AccountRecord,
    BalanceDay,
    DatedBalance,
    NewAccount,
)
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.service.banking.accounts import change_account, list_account_records, show_account
from finplan.service.banking.connections import list_connections
from finplan.service.banking.own_accounts import (
    add_account,
    list_balances,
    remove_account,
    remove_balance,
    set_balance,
)
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import show_snapshot, show_wealth
from tests.service.conftest import bring

HEAD = "Date,Description,Amount\n"
MONTHS = range(1, 11)
PAY_AND_RENT = HEAD + "".join(
    f"2026-{month:02d}-05,RENT,-900.00\n2026-{month:02d}-28,PAYROLL,3000.00\n" for month in MONTHS
)
HOME: dict[str, Any] = {
    "name": "Home", "kind": "other", "subtype": "property", "currency": "USD", "balance": 410_000_00,
}  # fmt: skip


async def added(context: Context, **fields: Any) -> AccountRecord:
    """An account that the person adds: a home, but for the fields that are given."""
    made = await add_account(context, NewAccount.model_validate(HOME | fields, by_name=True))
    assert made.new
    return made.answer


def today(context: Context) -> date:
    """The day on which the test takes place."""
    return context.today("UTC")


async def test_an_account_is_what_was_said_of_it(context: Context) -> None:
    """Each field is kept as it was given, and shown as any account's."""
    record = await added(
        context,
        apr=0.064,
        minimum_payment=250_00,
        since=date(2019, 5, 1),
        institution_name="Family",
    )
    account = record.account

    assert (account.name, account.kind, account.subtype) == ("Home", "other", "property")
    assert (account.balance, account.institution_name) == (410_000_00, "Family")
    assert (record.apr, record.minimum_payment, record.since) == (0.064, 250_00, date(2019, 5, 1))
    assert record.own
    assert record.number is None
    assert [anchor.date for anchor in record.anchors] == [today(context)]
    assert await list_account_records(context, Nothing()) == (record,)


@pytest.mark.parametrize(
    ("kind", "subtype", "figure", "size"),
    [
        ("other", "property", "investments", 410_000_00),
        ("investment", "pension", "investments", 410_000_00),
        ("depository", "cash", "cash", 410_000_00),
        ("loan", "mortgage", "loans", -410_000_00),
        ("credit", "store card", "cardDebt", -410_000_00),
    ],
)
async def test_its_balance_counts_by_its_kind(
    context: Context, kind: str, subtype: str, figure: str, size: int
) -> None:
    """What is owned adds to net worth and what is owed takes from it, to the unit."""
    await added(context, kind=kind, subtype=subtype)
    balances = (await show_wealth(context, Nothing())).balances.model_dump(by_alias=True)

    assert (balances[figure], balances["netWorth"]) == (abs(size), size)


@pytest.mark.parametrize(
    ("payee", "kind", "subtype"),
    [
        ("TOYOTA FINANCIAL", "loan", "auto"),
        ("ROCKET MORTGAGE", "loan", "mortgage"),
        ("VANGUARD BUY", "investment", "brokerage"),
    ],
)
async def test_what_payments_show_is_known_once_it_is_added(
    context: Context, payee: str, kind: str, subtype: str
) -> None:
    """The plan says how to add a loan or savings that only payments show, and then is whole."""
    paid = "".join(f"2026-{month:02d}-09,{payee},-400.00\n" for month in MONTHS)
    await bring(context, {"giro.csv": PAY_AND_RENT + paid})
    (giro,) = await list_account_records(context, Nothing())
    await change_account(context, AccountChange(id=giro.account.id, balance=2_000_00))
    before = await build_plan(context, Nothing())
    assert any("`finplan accounts add" in note for note in before.plan.notes)
    await added(context, name="Mine", kind=kind, subtype=subtype, balance=9_000_00)
    if subtype == "mortgage":
        await added(context)
    after = await build_plan(context, Nothing())
    assert not any("`finplan accounts add" in note for note in after.plan.notes)


async def test_it_limits_nothing_that_files_tell(context: Context) -> None:
    """Window, end of data, notes and averages are the same to the unit with such accounts."""
    await bring(context, {"giro.csv": PAY_AND_RENT})
    before = (await build_plan(context, Nothing())).plan
    await added(context, balance=None)
    await added(context, name="Drawer", kind="depository", subtype="cash", balance=1)
    await added(context, name="Flat", since=date(2026, 9, 15))
    after = (await build_plan(context, Nothing())).plan

    assert after.window.account_count == before.window.account_count + 3
    assert after.window.model_copy(update={"account_count": 1}) == before.window
    assert (after.monthly, after.categories) == (before.monthly, before.categories)
    assert after.snapshot.net_worth == before.snapshot.net_worth + 410_000_00 + 1


async def test_history_begins_with_its_first_day(context: Context) -> None:
    """Before the first day, or else the first balance, an account adds nothing; then its balances do."""
    now = today(context)
    last_month = now.replace(day=1) - timedelta(days=1)
    await added(context, name="Old", balance=5_00, since=date(2010, 1, 1))
    home = await added(context, since=last_month - timedelta(days=70))
    await set_balance(
        context, DatedBalance(id=home.account.id, date=last_month, balance=390_000_00)
    )
    history = (await show_wealth(context, Nothing())).history
    worth = {point.date: point.net_worth for point in history}

    assert worth[now] == 410_000_00 + 5_00
    assert worth[last_month] == 390_000_00 + 5_00
    assert history[0].net_worth == 5_00
    first = min(day for day, figure in worth.items() if figure > 5_00)
    assert first >= last_month - timedelta(days=70)
    assert worth[first] == 390_000_00 + 5_00


async def test_balances_by_date(context: Context) -> None:
    """The newest is the account's; one that is removed leaves the one before it."""
    home = (await added(context)).account.id
    now, past = today(context), date(2025, 6, 30)
    older = await set_balance(context, DatedBalance(id=home, date=past, balance=390_000_00))
    assert older.account.balance == 410_000_00
    assert [
        (each.date, each.balance) for each in await list_balances(context, AccountId(id=home))
    ] == [
        (past, 390_000_00),
        (now, 410_000_00),
    ]
    same_day = await set_balance(context, DatedBalance(id=home, date=now, balance=415_000_00))
    assert same_day.account.balance == 415_000_00
    left = await remove_balance(context, BalanceDay(id=home, date=now))
    assert (left.account.balance, len(left.anchors)) == (390_000_00, 1)
    none = await remove_balance(context, BalanceDay(id=home, date=past))
    assert (none.account.balance, none.anchors) == (None, ())
    with pytest.raises(NotFound, match="2025-06-30"):
        await remove_balance(context, BalanceDay(id=home, date=past))


async def test_it_is_removed_with_what_was_made_for_it(context: Context) -> None:
    """Its balances and its group go with it; the answer is what it was."""
    home = await added(context)
    car = await added(context, name="Car")
    assert await remove_account(context, AccountId(id=home.account.id)) == home
    with pytest.raises(NotFound):
        await show_account(context, AccountId(id=home.account.id))
    (bank,) = await list_connections(context, Nothing())
    assert bank.connection.institution_name == ADDED_BY_YOU
    await remove_account(context, AccountId(id=car.account.id))
    assert await list_connections(context, Nothing()) == ()


async def test_only_ones_own_are_removed(context: Context) -> None:
    """An account of a file stays, and so does one that the person added when an import is undone."""
    report = await bring(context, {"giro.csv": PAY_AND_RENT})
    home = await added(context)
    (giro,) = (
        record
        for record in await list_account_records(context, Nothing())
        if record.account.id != home.account.id
    )
    with pytest.raises(Conflict, match="--hide"):
        await remove_account(context, AccountId(id=giro.account.id))
    assert not giro.own
    await undo_import(context, ImportId(id=report.id))
    assert await list_account_records(context, Nothing()) == (home,)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"subtype": "mortgage"}, "not a subtype of other"),
        ({"as_of": date(2150, 1, 1)}, "in the future"),
        ({"since": date(2150, 1, 1)}, "in the future"),
        ({"as_of": date(2020, 1, 1), "since": date(2021, 1, 1)}, "before the account's first day"),
    ],
)
async def test_what_cannot_be_is_refused(
    context: Context, fields: dict[str, Any], words: str
) -> None:
    """Nothing is added by a refusal."""
    with pytest.raises(BadRequest, match=words):
        await added(context, **fields)
    assert await list_account_records(context, Nothing()) == ()


async def test_one_name_is_one_account(context: Context) -> None:
    """The same name in the same group is refused; elsewhere it is another account."""
    await added(context)
    with pytest.raises(Conflict):
        await added(context, name="HOME")
    await added(context, institution_name="Family")
    assert len(await list_account_records(context, Nothing())) == 2


async def test_the_first_account_brings_the_currency(newcomer: Context) -> None:
    """The household's currency is that of its first account, which therefore needs one."""
    with pytest.raises(BadRequest, match="no currency yet"):
        await added(newcomer, currency=None)
    await added(newcomer, currency="EUR")
    assert (await added(newcomer, name="Car", currency=None)).currency == "EUR"


@pytest.mark.parametrize(
    ("fields", "balance", "fits"),
    [
        ({"kind": "loan", "subtype": "mortgage"}, -1, False),
        ({"kind": "loan", "subtype": "mortgage"}, 0, True),
        ({}, -1, False),
        ({"kind": "investment", "subtype": "pension"}, -1, False),
        ({"kind": "depository", "subtype": "cash"}, -1, True),
        ({"kind": "credit", "subtype": None}, -1, True),
    ],
)
async def test_a_debt_has_no_sign_and_a_thing_has_a_worth(
    context: Context, fields: dict[str, Any], balance: int, *, fits: bool
) -> None:
    """A loan below zero and a home below nothing are refused: added, corrected and told by a day."""
    record = await added(context, **fields, balance=1_00)
    number = record.account.id
    acts: tuple[Callable[[], Awaitable[AccountRecord]], ...] = (
        lambda: added(context, **fields, name="Other", balance=balance),
        lambda: change_account(context, AccountChange(id=number, balance=balance)),
        lambda: set_balance(
            context, DatedBalance(id=number, date=date(2026, 1, 1), balance=balance)
        ),
    )
    for act in acts:
        if fits:
            await act()
        else:
            with pytest.raises(BadRequest):
                await act()


async def test_no_balance_is_before_the_first_day(context: Context) -> None:
    """A balance of a day on which the account was not there yet is refused; of that day it is kept."""
    home = await added(context, since=date(2019, 5, 1))
    early = DatedBalance(id=home.account.id, date=date(2019, 4, 30), balance=1)
    with pytest.raises(BadRequest, match="before the first day"):
        await set_balance(context, early)
    await set_balance(context, early.model_copy(update={"date": date(2019, 5, 1)}))


async def test_a_date_without_a_balance_and_a_strange_currency_are_refused(
    context: Context,
) -> None:
    """Neither says anything of an account."""
    with pytest.raises(BadRequest, match="asOf"):
        await added(context, balance=None, as_of=date(2024, 1, 1))
    with pytest.raises(BadRequest, match="not a currency"):
        await added(context, currency="XXQ")


async def test_a_new_name_is_nobody_elses(context: Context) -> None:
    """An account of the person's own is not renamed to what another one is called."""
    await bring(context, {"giro.csv": PAY_AND_RENT})
    home = await added(context)
    with pytest.raises(Conflict, match=r"(?i)giro"):
        await added(context, name="GIRO")
    with pytest.raises(Conflict):
        await change_account(context, AccountChange(id=home.account.id, name="Giro"))
    renamed = await change_account(context, AccountChange(id=home.account.id, name="HOME"))
    assert renamed.account.name == "HOME"


async def test_what_the_person_keeps_is_never_behind(context: Context) -> None:
    """A home is no bank that was not synced."""
    await bring(context, {"giro.csv": PAY_AND_RENT})
    await added(context)
    behind = (await show_snapshot(context, Nothing())).gaps.behind
    assert ADDED_BY_YOU not in [bank.institution_name for bank in behind]
