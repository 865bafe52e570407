"""Taken back or corrected: every figure is as if it had always been so, however large it is.

The person, the household's settings, and corrections of accounts.
"""

from dataclasses import replace
from typing import Any, get_args

import pytest
from pydantic import ValidationError
from sqlalchemy import Connection

from finplan.model.account import Account, AccountChange, AccountId, AccountKind
from finplan.model.base import LARGEST, Nothing
from finplan.model.category import RuleRequest
from finplan.model.connection import Unlinking
from finplan.model.errors import BadRequest, Forbidden, NotFound
from finplan.model.explain import SECTIONS, SectionName
from finplan.model.money import LARGEST_AMOUNT
from finplan.model.snapshot import IncomeRequest
from finplan.model.statement import ImportId
from finplan.model.task import TaskQuery
from finplan.model.transaction import SpendingQuery
from finplan.model.user import BudgetShares, SettingsChange, UserChange
from finplan.operations.person import CHANGE_ME, SHOW_ME
from finplan.service.banking.accounts import (
    change_account,
    list_account_records,
    list_accounts,
    show_account,
)
from finplan.service.banking.connections import list_connections, sync_all, unlink_connection
from finplan.service.context import Context
from finplan.service.credentials.sign_in import change_me
from finplan.service.dispatch import perform
from finplan.service.imports.imports import undo_import
from finplan.service.people import (
    change_settings,
    ensure_owner,
    local_time_zone,
    show_me,
    show_settings,
)
from finplan.service.planning.plans import build_plan, view_plan
from finplan.service.planning.tasks import list_tasks
from finplan.service.planning.views import explain_plan, set_income, show_snapshot, show_wealth
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.store.queries import accounts as table
from tests.service.conftest import bring, dump
from tests.service.said import all_rows

MONTHS = range(1, 11)
HEAD = "Date,Description,Amount\n"


def _monthly(day: int, text: str, amount: str) -> str:
    return "".join(f"2026-{month:02d}-{day:02d},{text},{amount}\n" for month in MONTHS)


PAYS_A_LOAN = HEAD + _monthly(5, "LENDER PAYMENT", "-500.00") + _monthly(28, "PAYROLL", "3000.00")
LOAN = HEAD + _monthly(5, "PAYMENT RECEIVED", "500.00")


async def _spent(context: Context) -> dict[str, int]:
    report = await query_spending(context, SpendingQuery(group_by="category"))
    for grouping in ("merchant", "month"):
        other = await query_spending(context, SpendingQuery(group_by=grouping))
        assert other.total == sum(group.total for group in other.groups) == report.total
    return {group.key: group.total for group in report.groups}


async def _planned(context: Context) -> dict[str, int]:
    plan = (await build_plan(context, Nothing())).plan
    since, until = plan.window.since, plan.window.until
    report = await query_spending(context, SpendingQuery(since=since, until=until))
    totals = {entry.category: entry.total for entry in plan.categories}
    assert sum(totals.values()) == report.total
    return totals


async def _account(context: Context, name: str) -> str:
    accounts = await list_accounts(context, Nothing())
    return next(account.id for account in accounts if account.name == name)


async def test_unlinking_lets_the_other_legs_count_again(context: Context) -> None:
    """When a bank goes, what was paid to it is spending or saving again, in every total."""
    await bring(context, {"checking.csv": HEAD + _monthly(5, "MOVE TO SAVINGS", "-500.00")})
    alone = await _spent(context)
    bank = (
        "OFXHEADER:100\nVERSION:102\n\n<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>Other Bank</FI></SONRS>"
        "</SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1"
        "<ACCTID>5551234<ACCTTYPE>SAVINGS</BANKACCTFROM><BANKTRANLIST>"
        + "".join(
            f"<STMTTRN><TRNTYPE>XFER<DTPOSTED>2026{month:02d}05<TRNAMT>500.00<FITID>{month}"
            "<NAME>TRANSFER FROM CHECKING</STMTTRN>"
            for month in MONTHS
        )
        + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )
    await bring(context, {"savings.ofx": bank})
    connections = await list_connections(context, Nothing())
    other = next(c.connection for c in connections if c.connection.institution_name == "Other Bank")
    await unlink_connection(context, Unlinking(id=other.id))

    assert await _spent(context) == alone
    await _planned(context)


async def test_a_loans_payment_says_that_the_loan_files_it(context: Context) -> None:
    """Where the person filed its payee elsewhere, too; what stands where they filed it says so."""
    await bring(context, {"checking.csv": PAYS_A_LOAN, "loan.csv": LOAN})
    loan = await _account(context, "loan")
    await change_account(context, AccountChange(id=loan, subtype="mortgage"))
    told = {}
    for category in ("kids", "mortgage"):
        await set_rule(context, RuleRequest(payee_key="lender", category=category))
        told[category] = {
            (row.category, row.why.source, "one of your loans" in row.why.text)
            for row in await all_rows(context, text="lender")
        }

    assert told == {
        "kids": {("mortgage", "transfer", True)},
        "mortgage": {("mortgage", "user", False)},
    }


async def test_a_transfer_over_new_year_pairs_across_imports(context: Context) -> None:
    """Two legs that arrive separately are one transfer in whichever months they lie."""
    await bring(context, {"checking.csv": HEAD + "2025-12-30,TRANSFER TO SAVINGS,-500.00\n"})
    await bring(context, {"savings.csv": HEAD + "2026-01-02,TRANSFER FROM CHECKING,500.00\n"})

    assert await _spent(context) == {}


async def test_imports_are_undone_in_any_order(context: Context) -> None:
    """Undoing the first import before the second leaves the second's balance, and then nothing."""
    empty = await dump(context)
    csv = "Date,Description,Amount,Balance\n"
    first = await bring(context, {"checking.csv": csv + "2026-01-05,SHOP,-5.00,95.00\n"})
    second = await bring(context, {"checking.csv": csv + "2026-02-05,SHOP,-5.00,90.00\n"})
    await undo_import(context, ImportId(id=first.id))
    (between,) = await list_accounts(context, Nothing())
    await undo_import(context, ImportId(id=second.id))

    assert between.balance == 90_00
    assert await dump(context) == empty


async def test_undo_never_touches_an_account_that_came_later(context: Context) -> None:
    """An old import is undone by ids, so an account that took a number over stays as it is."""
    old = await bring(context, {"checking.csv": HEAD + "2026-01-05,SHOP,-5.00\n"})
    (connection,) = await list_connections(context, Nothing())
    await unlink_connection(context, Unlinking(id=connection.connection.id))
    await bring(context, {"other.csv": HEAD + "2026-03-05,SHOP,-7.00\n"})
    held = await list_accounts(context, Nothing())
    await undo_import(context, ImportId(id=old.id))

    assert await list_accounts(context, Nothing()) == held
    assert sum((await _spent(context)).values()) == 7_00


async def test_undo_keeps_a_balance_that_the_person_set(context: Context) -> None:
    """What the person says of an account outlives every import."""
    await bring(context, {"checking.csv": HEAD + "2026-01-05,SHOP,-5.00\n"})
    second = await bring(context, {"checking.csv": HEAD + "2026-02-05,SHOP,-5.00\n"})
    account = await _account(context, "checking")
    await change_account(context, AccountChange(id=account, balance=42_00))
    await undo_import(context, ImportId(id=second.id))
    (left,) = await list_accounts(context, Nothing())

    assert left.balance == 42_00


async def test_a_corrected_kind_is_as_if_it_had_always_been_so(context: Context) -> None:
    """A loan imported as checking and corrected gives the figures of one imported as a loan."""
    await bring(context, {"checking.csv": PAYS_A_LOAN})
    await bring(context, {"borrowed.csv": LOAN}, account_kind="depository")
    wrong = await _account(context, "borrowed")
    await change_account(context, AccountChange(id=wrong, kind="loan", subtype="auto"))
    corrected = await _spent(context)
    await _planned(context)
    await change_account(context, AccountChange(id=wrong, kind="depository", subtype="savings"))
    await _planned(context)

    assert corrected == {"loan_payment": 10 * 500_00}
    assert "loan_payment" not in await _spent(context)


async def test_a_corrected_kind_turns_the_balance_round(context: Context) -> None:
    """What a checking account lacks, a card owes."""
    csv = "Date,Description,Amount,Balance\n2026-01-05,SHOP,-113.00,-113.00\n"
    await bring(context, {"plastic.csv": csv})
    account = await _account(context, "plastic")
    await change_account(context, AccountChange(id=account, kind="credit"))
    (card,) = await list_accounts(context, Nothing())
    wealth = await show_wealth(context, Nothing())

    assert card.balance == 113_00
    assert wealth.balances.card_debt == 113_00


@pytest.mark.parametrize("category", ["transfer", "groceries"])
async def test_a_loans_payment_is_spending_for_any_payee(context: Context, category: str) -> None:
    """What was paid into a linked loan is a loan payment in the plan and in every question."""
    await bring(context, {"checking.csv": PAYS_A_LOAN})
    await bring(context, {"loan.csv": LOAN}, account_kind="loan")
    await set_rule(context, RuleRequest(payee_key="lender", category=category))

    assert set(await _planned(context)) == {"loan_payment"}
    assert await _spent(context) == {"loan_payment": 10 * 500_00}


async def test_rows_after_a_balance_move_it(context: Context) -> None:
    """A balance is of one day; what was spent since is gone from it, now and not before."""
    csv = "Date,Description,Amount,Balance\n2026-09-30,SHOP,-5.00,1000.00\n"
    await bring(context, {"checking.csv": csv})
    await bring(context, {"later.csv": HEAD + "2026-10-10,SHOP,-300.00\n"}, account="checking")
    (account,) = await list_accounts(context, Nothing())
    wealth = await show_wealth(context, Nothing())
    at_september = [p.assets for p in wealth.history if p.date.isoformat() == "2026-09-30"]

    assert account.balance == 700_00
    assert wealth.balances.cash == 700_00
    assert at_september == [1000_00]


async def test_each_currency_of_a_file_is_an_account(context: Context) -> None:
    """A file in two currencies fills two accounts, and again adds nothing."""
    csv = (
        "Date,Description,Amount,Currency\n"
        "2026-05-01,SHOP,-5.00,EUR\n2026-05-02,SHOP,-6.00,USD\n2026-05-03,SHOP,-7.00,EUR\n"
    )
    first = await bring(context, {"wallet.csv": csv})
    again = await bring(context, {"wallet.csv": csv})

    assert {account.currency for account in first.files[0].accounts} == {"EUR", "USD"}
    assert (first.files[0].new, again.files[0].new) == (3, 0)
    assert len(await list_accounts(context, Nothing())) == 2


async def test_a_report_names_the_account_that_the_rows_go_to(context: Context) -> None:
    """When the person names the account, that name is in the report, on a dry run too."""
    dry = await bring(
        context, {"may.csv": HEAD + "2026-05-01,SHOP,-5.00\n"}, account="Main", dry_run=True
    )
    real = await bring(context, {"may.csv": HEAD + "2026-05-01,SHOP,-5.00\n"}, account="Main")

    assert [each.name for each in dry.files[0].accounts] == ["Main"]
    assert dry.files == real.files


async def _record(context: Context, account: str) -> Account:
    return (await show_account(context, AccountId(id=account))).account


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("word", "kind", "subtype"),
    [
        ("checking", "depository", "checking"),
        ("savings", "depository", "savings"),
        ("credit", "credit", "credit card"),
        ("loan", "loan", None),
        ("investment", "investment", None),
        ("other", "other", None),
    ],
)
async def test_a_kind_brings_its_subtype(
    context: Context, word: Any, kind: str, subtype: str | None
) -> None:
    """Where a kind is set, no word of the former one is left."""
    await bring(context, {"money market.csv": PAYS_A_LOAN}, account_kind="savings")
    account = await _account(context, "money market")
    await change_account(context, AccountChange(id=account, kind=word))
    found = await _record(context, account)

    assert (found.kind, found.subtype) == (kind, subtype)


async def test_a_subtype_that_fits_stays(context: Context) -> None:
    """A kind that is set again, or that a subtype comes with, takes nothing closer away."""
    await bring(context, {"checking.csv": PAYS_A_LOAN})
    account = await _account(context, "checking")
    await change_account(context, AccountChange(id=account, kind="loan", subtype="Auto"))
    await change_account(context, AccountChange(id=account, kind="loan"))
    loan = await _record(context, account)
    await change_account(context, AccountChange(id=account, kind="depository"))
    bank = await _record(context, account)
    await change_account(context, AccountChange(id=account, subtype="money_market"))
    await change_account(context, AccountChange(id=account, kind="depository"))
    kept = await _record(context, account)
    await change_account(context, AccountChange(id=account, kind="savings"))
    savings = await _record(context, account)

    assert (loan.kind, loan.subtype) == ("loan", "Auto")
    assert (bank.kind, bank.subtype) == ("depository", None)
    assert (kept.kind, kept.subtype) == ("depository", "money_market")
    assert (savings.kind, savings.subtype) == ("depository", "savings")


@pytest.mark.parametrize(
    "change", [{"subtype": "foo"}, {"subtype": "mortgage"}, {"kind": "credit", "subtype": "cd"}]
)
async def test_a_foreign_subtype_is_refused(context: Context, change: dict[str, Any]) -> None:
    """The refusal names what may stand there; nothing is changed."""
    await bring(context, {"checking.csv": PAYS_A_LOAN})
    account = await _account(context, "checking")
    with pytest.raises(BadRequest, match=r"not a subtype .*of: \w"):
        await change_account(context, AccountChange(id=account, **change))
    found = await _record(context, account)

    assert (found.kind, found.subtype) == ("depository", "checking")


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


async def test_the_first_account_brings_the_currency(newcomer: Context) -> None:
    """The household's currency is the first account's; another one's rows then do not count."""
    context = newcomer
    await bring(newcomer, {"checking.csv": FILE}, currency="EUR")
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
    (category,) = {each.category for each in await all_rows(context) if each.raw == raw}
    return category


async def test_a_new_currency_has_payees_judged_by_rows_that_count(context: Context) -> None:
    """Pay in another currency is pay as soon as that is the household's, and no more when it is not."""
    await bring(context, {"dollars.csv": FILE}, currency="USD")
    await bring(context, {"euros.csv": PAYDAYS}, currency="EUR")
    before = (await dump(context))["payee"]
    as_unknown = await _category_of(context, "ORBIT WORKS GMBH")

    await change_settings(context, SettingsChange(currency="EUR"))
    as_pay = await _category_of(context, "ORBIT WORKS GMBH")
    await change_settings(context, SettingsChange(currency="USD"))

    assert (as_unknown, as_pay) == ("unknown_inflow", "wages")
    assert (await dump(context))["payee"] == before


async def test_an_account_that_is_shown_again_has_its_payees_judged(context: Context) -> None:
    """Pay that was imported while its account was hidden is pay once the account is shown."""
    await bring(context, {"checking.csv": FILE})
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, hidden=True))
    await bring(context, {"later.csv": PAYDAYS}, account=account.id)
    hidden = await _category_of(context, "ORBIT WORKS GMBH")
    await change_account(context, AccountChange(id=account.id, hidden=False))
    shown = await _category_of(context, "ORBIT WORKS GMBH")

    assert (hidden, shown) == ("unknown_inflow", "wages")


async def test_a_hidden_account_does_not_count(context: Context) -> None:
    """Hiding an account takes its rows out of every total; showing it brings them back."""
    await bring(context, {"checking.csv": FILE})
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
    with pytest.raises(Forbidden, match="service:read"):
        await perform(writer, SHOW_ME, Nothing())
    with pytest.raises(Forbidden, match="name or email"):
        await perform(reader, CHANGE_ME, UserChange(name="Eve"))


async def test_nobody_sees_anothers_data(context: Context) -> None:
    """Each answer is about the caller's own data alone."""
    from finplan.store.queries import people

    await bring(context, {"checking.csv": FILE})
    (account,) = await list_accounts(context, Nothing())
    values = {"id": "usr_2", "email": "b@localhost", "created_at": 0, "time_zone": "UTC"}
    other = await context.store.write(lambda c: people.add_person(c, values))
    stranger = replace(context, caller=replace(context.caller, owner=other))

    assert await list_accounts(stranger, Nothing()) == ()
    assert (await query_spending(stranger, SpendingQuery())).total == 0
    with pytest.raises(NotFound):
        await show_account(stranger, AccountId(id=account.id))


ROW = "Date,Description,Amount\n2026-11-01,CINEMA,-10.00\n"


async def _read_everything(context: Context) -> None:
    await build_plan(context, Nothing())
    await view_plan(context, Nothing())
    await show_snapshot(context, Nothing())
    await show_wealth(context, Nothing())
    await list_tasks(context, TaskQuery())
    await query_spending(context, SpendingQuery())
    for section in SECTIONS:
        await explain_plan(context, SectionName(section=section))


@pytest.mark.thorough
@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", [None, *get_args(AccountKind)])
@pytest.mark.parametrize("balance", [LARGEST_AMOUNT, -LARGEST_AMOUNT])
@pytest.mark.usefixtures("demo")
async def test_the_largest_amounts_can_be_read_and_corrected(
    context: Context, kind: AccountKind | None, balance: int
) -> None:
    """With the largest amounts on all accounts every reading works, and so does a correction."""
    held = await list_accounts(context, Nothing())
    for account in held:
        largest: dict[str, Any] = {} if kind is None else {"kind": kind}
        largest |= {"balance": balance, "apr": 10.0}
        largest |= {"credit_limit": LARGEST_AMOUNT, "minimum_payment": LARGEST_AMOUNT}
        await change_account(context, AccountChange(id=account.id, **largest))
    await change_settings(context, SettingsChange(target_months=60))
    await _read_everything(context)
    await set_income(context, IncomeRequest(monthly=LARGEST_AMOUNT))
    await _read_everything(context)

    corrected = await change_account(context, AccountChange(id=held[0].id, balance=5_00))

    assert corrected.account.balance == 5_00
    await _read_everything(context)


async def test_what_cannot_be_worked_out_keeps_nobody_from_mending_it(context: Context) -> None:
    """Where sums are too large for any figure, each event is still accepted, the mending one too."""
    await bring(context, {"one.csv": ROW, "other.csv": ROW.replace("CINEMA", "BAKERY")})
    await build_plan(context, Nothing())
    held = await list_accounts(context, Nothing())

    def let_sums_overflow(connection: Connection) -> None:
        for row in table.list_accounts(connection, context.caller.owner):
            values = {"balance": LARGEST, "kind": "depository"}
            table.change_account(connection, row["no"], values)

    await context.store.write(let_sums_overflow)
    await set_rule(context, RuleRequest(payee_key="cinema", category="hobbies"))
    await sync_all(context, Nothing())
    for account in held:
        await change_account(context, AccountChange(id=account.id, balance=5_00))

    await _read_everything(context)
