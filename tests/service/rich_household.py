"""A household of which everything is set, said and decided that an export has to carry along.

With it come an empty home elsewhere to move it to, and what either answers to a person, to be
compared.
"""

import re
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from finplan.banks.base import Manual
from finplan.banks.demo.bank import Demo
from finplan.model.account import AccountChange, AccountId, DatedBalance, NewAccount
from finplan.model.base import Nothing, Wire
from finplan.model.category import RuleRequest, SuggestionVerdict
from finplan.model.detection import DuplicateQuery, DuplicateVerdict, TransferQuery, TransferVerdict
from finplan.model.planned import NewPlanned, PlannedChange
from finplan.model.recurring import RecurringQuery, RecurringVerdict
from finplan.model.snapshot import IncomeRequest
from finplan.model.statement import ImportReport
from finplan.model.task import TaskAnswer, TaskQuery
from finplan.model.transaction import (
    ExportFormat,
    ExportQuery,
    SpendingQuery,
    SplitPart,
    TransactionQuery,
)
from finplan.model.user import BudgetShares, SettingsChange
from finplan.service.banking.accounts import change_account, list_accounts, show_account
from finplan.service.banking.own_accounts import add_account, set_balance
from finplan.service.categories import judge_suggestion, list_categories
from finplan.service.context import Caller, Context
from finplan.service.export import export_transactions
from finplan.service.imports.profiles import list_import_profiles
from finplan.service.people import change_settings, ensure_owner, show_settings
from finplan.service.planning.planned_money import add_planned, change_planned
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.planning.views import set_income, show_wealth
from finplan.service.rules import list_rules, set_rule
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from finplan.store.store import Store
from tests.service.conftest import NOW, bring, fill, grown, live_in, send
from tests.service.said import all_rows, make, say

MONTHS = tuple(range(1, 12))
PENDING = "Date,Description,Amount,Status\n"


def _table(rows: list[tuple[int, int, str, str]], year: int = 2026) -> str:
    lines = [
        f"{year}-{month:02d}-{day:02d},{text},{amount},Posted" for month, day, text, amount in rows
    ]
    return PENDING + "\n".join(lines) + "\n"


def checking() -> str:
    """A year of pay, rent, shops, transfers to savings, and a subscription that gets dearer."""
    rows: list[tuple[int, int, str, str]] = []
    for month in MONTHS:
        rows += [
            (month, 1, "OAK STREET RENTALS 4711", "-1450.00"),
            (month, 2, "TRANSFER TO SAVINGS", "-400.00"),
            (month, 5, "STREAMLY.TV SUBSCRIPTION", "-11.99" if month < 7 else "-14.99"),
            (month, 9, "QUENTIN'S GARDEN SUPPLY", f"-{20 + month}.40"),
            (month, 11, "LOPWORTH HOLDINGS 993", "-75.00"),
            (month, 11, "ZZYX TRADING CO", "-31.00"),
            (month, 12, "ZZYX TRADING CO", "-12.00"),
            (month, 15, "ACME CORP PAYROLL", "2600.00"),
            (month, 17, "CARD PAYMENT THANK YOU", f"-{90 + month}.00"),
            (month, 20, "BLUE BOTTLE COFFEE", "-4.50"),
            (month, 20, "BLUE BOTTLE COFFEE", "-4.50"),
            (month, 28, "ACME CORP PAYROLL", "2600.00"),
        ]
    # Of three equal purchases of one day one is booked already.
    rows.append((11, 20, "BOOKSHOP", "-20.00"))
    text = _table(rows) + "2026-11-20,BOOKSHOP,-20.00,Pending\n2026-11-20,BOOKSHOP,-20.00,Pending\n"
    return text + "2026-11-19,CINEMA,-15.00,Pending\n"


def ofx(account: str, kind: str, balance: str, rows: list[tuple[str, str, str, str]]) -> str:
    """A statement with bank's ids and a balance as of 18 November 2026."""
    listed = "".join(
        f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{known}<NAME>{name}</STMTTRN>"
        for day, amount, known, name in rows
    )
    return (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:UTF-8\nCHARSET:NONE\n"
        "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"
        f"<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>{account}<ACCTTYPE>{kind}"
        f"</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20261118>{listed}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{balance}<DTASOF>20261118</LEDGERBAL></STMTRS></STMTTRNRS>"
        "</BANKMSGSRSV1></OFX>"
    )


def _savings() -> str:
    rows = [(f"2026{m:02d}03", "400.00", f"s{m}", "TRANSFER FROM CHECKING") for m in MONTHS]
    return ofx("8800112299", "SAVINGS", "4400.00", rows)


def _card() -> str:
    rows = [(m, 18, "PAYMENT RECEIVED", f"{90 + m}.00") for m in MONTHS]
    rows += [(m, 6, "GREENLEAF MARKET 12", f"-{60 + m}.20") for m in MONTHS]
    rows += [(m, 7, "MERIDIAN BOOKS", "-31.00") for m in MONTHS]
    return _table(rows)


def _euros() -> str:
    lines = [f"2026-{m:02d}-14,BÄCKEREI JÄGER,{-m}.10,EUR" for m in MONTHS]
    return "Date,Description,Amount,Currency\n" + "\n".join(lines) + "\n"


async def furnish(context: Context) -> None:
    """Fill the home of a context that has nothing yet."""
    # The first file is in another currency than most others, and its account is small.
    await bring(context, {"euros.csv": _euros()}, account="Urlaub")
    await change_settings(
        context,
        SettingsChange(
            currency="USD",
            time_zone="Europe/Berlin",
            budget_shares=BudgetShares(essentials=0.55, discretionary=0.25, savings=0.2),
            target_months=7,
        ),
    )
    await bring(context, {"checking.csv": checking()}, account="Everyday")
    # The same account once more, with one bill under another text and day.
    other = _table(
        [(9, 9, "QUENTIN'S GARDEN SUPPLY", "-29.40"), (9, 12, "LOPWORTH INVOICE", "-75.00")]
    )
    await bring(
        context,
        {"again.csv": other + "2026-09-20,BLUE BOTTLE COFFEE,-4.50,Posted\n"},
        account="Everyday",
    )
    await bring(context, {"savings.ofx": _savings()})
    await bring(context, {"card.csv": _card()}, account="Blue Card", account_kind="credit")
    await bring(context, {"old.csv": _table([(3, 3, "OLD SHOP", "-9.00")], 2024)}, account="Closed")
    await _correct_accounts(context)
    await _file(context)
    await _decide(context)
    await _say_of_single_rows(context)
    await _plan_money(context)
    await build_plan(context, Nothing())
    await set_income(context, IncomeRequest(monthly=5_100_00))


async def _correct_accounts(context: Context) -> None:
    named = {each.name: each.id for each in await list_accounts(context, Nothing())}
    await change_account(context, AccountChange(id=named["Everyday"], balance=3_210_45))
    await change_account(context, AccountChange(id=named["Closed"], hidden=True, kind="other"))
    home = NewAccount(
        name="Home", kind="other", subtype="property", balance=410_000_00, since=date(2019, 5, 1)
    )
    own = (await add_account(context, home)).answer.account.id
    await set_balance(context, DatedBalance(id=own, date=date(2025, 6, 30), balance=390_000_00))
    await change_account(
        context,
        AccountChange(
            id=named["Blue Card"],
            name="Blue Visa",
            apr=0.2199,
            minimum_payment=25_00,
            credit_limit=4_000_00,
        ),
    )


async def _file(context: Context) -> None:
    club = await make(context, "Garden Club", "essential", "quentin's garden supply")
    await make(context, "Work trips", "not_spending", reimbursable=True)
    await make(context, "Nothing yet")
    await set_rule(
        context, RuleRequest(payee_key="zzyx trading", category="groceries", amount=31_00)
    )
    await set_rule(context, RuleRequest(payee_key="blue bottle coffee", category="dining"))
    await set_rule(context, RuleRequest(payee_key="blue bottle coffee", category="groceries"))
    await judge_suggestion(context, SuggestionVerdict(name="Car costs", dismissed=True))
    asked = [
        task for task in await list_tasks(context, TaskQuery()) if task.kind == "categorize_payee"
    ]
    await answer_task(context, TaskAnswer(id=asked[0].id, answer=club.category, direction="out"))
    await answer_task(context, TaskAnswer(id=asked[1].id, dismiss=True))
    await answer_task(context, TaskAnswer(id=asked[2].id, each=True))
    single = next(
        task
        for task in await list_tasks(context, TaskQuery())
        if task.kind == "categorize_payee" and task.payee_key == asked[2].payee_key
    )
    await answer_task(context, TaskAnswer(id=single.id, answer=club.category))
    rest = [
        t for t in await list_tasks(context, TaskQuery()) if t.kind == "connect_missing_account"
    ]
    for task in rest:
        await answer_task(context, TaskAnswer(id=task.id, dismiss=True))


async def _say_of_single_rows(context: Context) -> None:
    """File one row, split another with a note, and note something on a third and on a pending one."""
    rows = {row.raw: row for row in reversed(await all_rows(context))}
    club = next(each for each in await list_categories(context, Nothing()) if each.custom)
    await say(context, rows["OAK STREET RENTALS 4711"], category="travel")
    await say(
        context,
        rows["MERIDIAN BOOKS"],
        note="a party",
        splits=(
            SplitPart(amount=-20_00, category="groceries"),
            SplitPart(amount=-12_00, category=club.category, note="seeds"),
            SplitPart(amount=1_00, category="interest_fees"),
        ),
    )
    await say(context, rows["BLUE BOTTLE COFFEE"], note="with Grace", tags=("coffee", "grace"))
    await say(context, rows["CINEMA"], note="for Ada", tags=("ada",), category="gifts_donations")


async def _plan_money(context: Context) -> None:
    """A trip in a month, a refund on an account, and a course every week until summer."""
    named = {each.name: each.id for each in await list_accounts(context, Nothing())}
    club = next(each for each in await list_categories(context, Nothing()) if each.custom)
    for planned in (
        NewPlanned(name="Trip", amount=2_000_00, month="2027-07", category="travel"),
        NewPlanned(
            name="Refund",
            amount=640_00,
            direction="in",
            date=date(2027, 3, 15),
            account_id=named["Everyday"],
        ),
        NewPlanned(
            name="Course",
            amount=35_00,
            date=date(2026, 11, 27),
            every="weekly",
            until=date(2027, 6, 25),
            category=club.category,
        ),
    ):
        made = await add_planned(context, planned)
    await change_planned(context, PlannedChange(id=made.answer.id, amount=36_00))


async def _decide(context: Context) -> None:
    pairs = await list_transfers(context, TransferQuery(status=("paired",)))
    await decide_transfer(context, TransferVerdict(id=pairs[0].id, verdict="confirm"))
    await decide_transfer(context, TransferVerdict(id=pairs[-1].id, verdict="reject"))
    series = await list_recurring(context, RecurringQuery(kind=("charge",)))
    await decide_recurring(context, RecurringVerdict(id=series[0].id, verdict="confirm"))
    await decide_recurring(context, RecurringVerdict(id=series[-1].id, verdict="dismiss"))
    for duplicate in await list_duplicates(context, DuplicateQuery(status=("open",))):
        await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict="same"))


@pytest.fixture
async def elsewhere(tmp_path: Path, empty_store: Path) -> AsyncIterator[Context]:
    """Another machine, with an empty store."""
    copyfile(empty_store, tmp_path / "other.db")
    store = Store.open(tmp_path / "other.db", tmp_path / "backups")
    caller = Caller(await ensure_owner(store, "bob", 0), frozenset({"read", "write"}), "session")
    yield Context(caller, store, {"demo": Demo(), "manual": Manual()}, lambda: NOW)
    store.close()


@pytest.fixture(scope="module")
def rich_home(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store with everything that an export carries along."""
    folder = tmp_path_factory.mktemp("rich")

    async def live(context: Context) -> None:
        await live_in(context, "USD")
        await furnish(context)

    return grown(empty_store, folder, live)


@pytest.fixture
def rich(context: Context, rich_home: Path) -> Context:
    """A person of whom everything is known that an export carries along."""
    fill(context.store, rich_home)
    return context


_NUMBERED = re.compile(r"^((tx|pen|curated|auto)_\d+|usr_\w+)$")
_TIMES = {"createdAt", "savedAt"}


async def exported(context: Context, wanted: ExportFormat = "json", **filters: Any) -> str:
    """The text of an export."""
    file = await export_transactions(context, ExportQuery(format=wanted, **filters))
    return b"".join([piece async for piece in file.content]).decode()


async def taken(context: Context, text: str, name: str = "home.json", **how: Any) -> ImportReport:
    """The report of an import of a text as a file of a name."""
    report: ImportReport = await send(context, {name: text}, **how)
    return report


async def answers(context: Context) -> dict[str, Any]:
    """Everything that the household answers, but for ids by number and the times of what was worked out.

    Ids of accounts, categories, rules, transfers and verdicts are among it.
    """
    accounts = await list_accounts(context, Nothing())
    spending = [
        await query_spending(context, SpendingQuery(group_by=group))
        for group in (None, "category", "merchant", "month")
    ]
    found: dict[str, Any] = {
        "accounts": accounts,
        "records": [await show_account(context, AccountId(id=each.id)) for each in accounts],
        "settings": await show_settings(context, Nothing()),
        "categories": await list_categories(context, Nothing()),
        "rules": await list_rules(context, Nothing()),
        "answered": await list_tasks(context, TaskQuery(status="answered")),
        "open": await list_tasks(context, TaskQuery()),
        "transfers": await list_transfers(context, TransferQuery()),
        "recurring": await list_recurring(context, RecurringQuery()),
        "duplicates": await list_duplicates(context, DuplicateQuery()),
        "profiles": await list_import_profiles(context, Nothing()),
        "spending": spending,
        "wealth": await show_wealth(context, Nothing()),
        "plan": (await build_plan(context, Nothing())).plan,
    }
    page = await list_transactions(context, TransactionQuery(limit=500, pending=False))
    found["transactions"] = list(page.transactions)
    while page.next_cursor is not None:
        query = TransactionQuery(limit=500, pending=False, cursor=page.next_cursor)
        page = await list_transactions(context, query)
        found["transactions"] += page.transactions
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Wire):
        return _plain(value.model_dump(mode="json", by_alias=True))
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if name not in _TIMES}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return "…" if isinstance(value, str) and _NUMBERED.match(value) else value
