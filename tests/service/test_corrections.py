"""Taken back or corrected: every figure is as if it had always been so."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.account import Account, AccountChange, AccountId
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.connection import Unlinking
from finplan.model.errors import BadRequest
from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.service.banking.accounts import change_account, list_accounts, show_account
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import show_wealth
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

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


async def test_unlinking_lets_the_other_legs_count_again(
    context: Context, import_texts: Import
) -> None:
    """When a bank goes, what was paid to it is spending or saving again, in every total."""
    await import_texts({"checking.csv": HEAD + _monthly(5, "MOVE TO SAVINGS", "-500.00")})
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
    await import_texts({"savings.ofx": bank})
    connections = await list_connections(context, Nothing())
    other = next(c.connection for c in connections if c.connection.institution_name == "Other Bank")
    await unlink_connection(context, Unlinking(id=other.id))

    assert await _spent(context) == alone
    await _planned(context)


async def test_a_loans_payment_says_that_the_loan_files_it(
    context: Context, import_texts: Import
) -> None:
    """Where the person filed its payee elsewhere, too; what stands where they filed it says so."""
    await import_texts({"checking.csv": PAYS_A_LOAN, "loan.csv": LOAN})
    loan = await _account(context, "loan")
    await change_account(context, AccountChange(id=loan, subtype="mortgage"))
    told = {}
    for category in ("kids", "mortgage"):
        await set_rule(context, RuleRequest(payee_key="lender", category=category))
        page = await list_transactions(context, TransactionQuery(text="lender"))
        told[category] = {(row.category, row.why.source, row.why.text) for row in page.transactions}

    by_loan = (
        "The other half of this payment is on a loan of yours, and what pays it is filed as that."
    )
    assert told == {
        "kids": {("mortgage", "transfer", by_loan)},
        "mortgage": {("mortgage", "user", "You filed it here.")},
    }


async def test_a_transfer_over_new_year_pairs_across_imports(
    context: Context, import_texts: Import
) -> None:
    """Two legs that arrive separately are one transfer in whichever months they lie."""
    await import_texts({"checking.csv": HEAD + "2025-12-30,TRANSFER TO SAVINGS,-500.00\n"})
    await import_texts({"savings.csv": HEAD + "2026-01-02,TRANSFER FROM CHECKING,500.00\n"})

    assert await _spent(context) == {}


async def test_imports_are_undone_in_any_order(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Undoing the first import before the second leaves the second's balance, and then nothing."""
    empty = await dump()
    csv = "Date,Description,Amount,Balance\n"
    first = await import_texts({"checking.csv": csv + "2026-01-05,SHOP,-5.00,95.00\n"})
    second = await import_texts({"checking.csv": csv + "2026-02-05,SHOP,-5.00,90.00\n"})
    await undo_import(context, ImportId(id=first.id))
    (between,) = await list_accounts(context, Nothing())
    await undo_import(context, ImportId(id=second.id))

    assert between.balance == 90_00
    assert await dump() == empty


async def test_undo_never_touches_an_account_that_came_later(
    context: Context, import_texts: Import
) -> None:
    """An old import is undone by ids, so an account that took a number over stays as it is."""
    old = await import_texts({"checking.csv": HEAD + "2026-01-05,SHOP,-5.00\n"})
    (connection,) = await list_connections(context, Nothing())
    await unlink_connection(context, Unlinking(id=connection.connection.id))
    await import_texts({"other.csv": HEAD + "2026-03-05,SHOP,-7.00\n"})
    held = await list_accounts(context, Nothing())
    await undo_import(context, ImportId(id=old.id))

    assert await list_accounts(context, Nothing()) == held
    assert sum((await _spent(context)).values()) == 7_00


async def test_undo_keeps_a_balance_that_the_person_set(
    context: Context, import_texts: Import
) -> None:
    """What the person says of an account outlives every import."""
    await import_texts({"checking.csv": HEAD + "2026-01-05,SHOP,-5.00\n"})
    second = await import_texts({"checking.csv": HEAD + "2026-02-05,SHOP,-5.00\n"})
    account = await _account(context, "checking")
    await change_account(context, AccountChange(id=account, balance=42_00))
    await undo_import(context, ImportId(id=second.id))
    (left,) = await list_accounts(context, Nothing())

    assert left.balance == 42_00


async def test_a_corrected_kind_is_as_if_it_had_always_been_so(
    context: Context, import_texts: Import
) -> None:
    """A loan imported as checking and corrected gives the figures of one imported as a loan."""
    await import_texts({"checking.csv": PAYS_A_LOAN})
    await import_texts({"borrowed.csv": LOAN}, account_kind="depository")
    wrong = await _account(context, "borrowed")
    await change_account(context, AccountChange(id=wrong, kind="loan", subtype="auto"))
    corrected = await _spent(context)
    await _planned(context)
    await change_account(context, AccountChange(id=wrong, kind="depository", subtype="savings"))
    await _planned(context)

    assert corrected == {"loan_payment": 10 * 500_00}
    assert "loan_payment" not in await _spent(context)


async def test_a_corrected_kind_turns_the_balance_round(
    context: Context, import_texts: Import
) -> None:
    """What a checking account lacks, a card owes."""
    csv = "Date,Description,Amount,Balance\n2026-01-05,SHOP,-113.00,-113.00\n"
    await import_texts({"plastic.csv": csv})
    account = await _account(context, "plastic")
    await change_account(context, AccountChange(id=account, kind="credit"))
    (card,) = await list_accounts(context, Nothing())
    wealth = await show_wealth(context, Nothing())

    assert card.balance == 113_00
    assert wealth.balances.card_debt == 113_00


@pytest.mark.parametrize("category", ["transfer", "groceries"])
async def test_a_loans_payment_is_spending_whatever_its_payee_is(
    context: Context, import_texts: Import, category: str
) -> None:
    """What was paid into a linked loan is a loan payment in the plan and in every question."""
    await import_texts({"checking.csv": PAYS_A_LOAN})
    await import_texts({"loan.csv": LOAN}, account_kind="loan")
    await set_rule(context, RuleRequest(payee_key="lender", category=category))

    assert set(await _planned(context)) == {"loan_payment"}
    assert await _spent(context) == {"loan_payment": 10 * 500_00}


async def test_rows_after_a_balance_move_it(context: Context, import_texts: Import) -> None:
    """A balance is of one day; what was spent since is gone from it, now and not before."""
    csv = "Date,Description,Amount,Balance\n2026-09-30,SHOP,-5.00,1000.00\n"
    await import_texts({"checking.csv": csv})
    await import_texts({"later.csv": HEAD + "2026-10-10,SHOP,-300.00\n"}, account="checking")
    (account,) = await list_accounts(context, Nothing())
    wealth = await show_wealth(context, Nothing())
    at_september = [p.assets for p in wealth.history if p.date.isoformat() == "2026-09-30"]

    assert account.balance == 700_00
    assert wealth.balances.cash == 700_00
    assert at_september == [1000_00]


async def test_each_currency_of_a_file_is_an_account(
    context: Context, import_texts: Import
) -> None:
    """A file in two currencies fills two accounts, and again adds nothing."""
    csv = (
        "Date,Description,Amount,Currency\n"
        "2026-05-01,SHOP,-5.00,EUR\n2026-05-02,SHOP,-6.00,USD\n2026-05-03,SHOP,-7.00,EUR\n"
    )
    first = await import_texts({"wallet.csv": csv})
    again = await import_texts({"wallet.csv": csv})

    assert {account.currency for account in first.files[0].accounts} == {"EUR", "USD"}
    assert (first.files[0].new, again.files[0].new) == (3, 0)
    assert len(await list_accounts(context, Nothing())) == 2


async def test_a_report_names_the_account_that_the_rows_go_to(
    context: Context, import_texts: Import
) -> None:
    """When the person names the account, that name is in the report, on a dry run too."""
    dry = await import_texts(
        {"may.csv": HEAD + "2026-05-01,SHOP,-5.00\n"}, account="Main", dry_run=True
    )
    real = await import_texts({"may.csv": HEAD + "2026-05-01,SHOP,-5.00\n"}, account="Main")

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
    context: Context, import_texts: Import, word: Any, kind: str, subtype: str | None
) -> None:
    """Where a kind is set, no word of the former one is left."""
    await import_texts({"money market.csv": PAYS_A_LOAN}, account_kind="savings")
    account = await _account(context, "money market")
    await change_account(context, AccountChange(id=account, kind=word))
    found = await _record(context, account)

    assert (found.kind, found.subtype) == (kind, subtype)


async def test_a_subtype_that_fits_stays(context: Context, import_texts: Import) -> None:
    """A kind that is set again, or that a subtype comes with, takes nothing closer away."""
    await import_texts({"checking.csv": PAYS_A_LOAN})
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
async def test_a_subtype_that_the_kind_has_not_is_refused(
    context: Context, import_texts: Import, change: dict[str, Any]
) -> None:
    """The refusal names what may stand there; nothing is changed."""
    await import_texts({"checking.csv": PAYS_A_LOAN})
    account = await _account(context, "checking")
    with pytest.raises(BadRequest, match=r"is no subtype of .* accounts; those are: "):
        await change_account(context, AccountChange(id=account, **change))
    found = await _record(context, account)

    assert (found.kind, found.subtype) == ("depository", "checking")
