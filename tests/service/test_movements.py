"""Movements between own accounts: they are no spending, whatever comes in first and however they travel.

Payments of cards, funding of PayPal, wires with fees on the way, savings that are hidden or abroad.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.connection import ConnectionId
from finplan.model.detection import DuplicateQuery, DuplicateVerdict, TransferVerdict
from finplan.model.errors import Conflict
from finplan.model.snapshot import ForecastQuery
from finplan.model.statement import ImportId, ImportReport
from finplan.model.task import TaskQuery
from finplan.model.transaction import SpendingQuery, SplitPart, Transaction, TransactionQuery
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, COUNTS, PEER
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import sync_connection
from finplan.service.context import Context
from finplan.service.derived.household import load_ledger
from finplan.service.imports.imports import undo_import
from finplan.service.ledger.payee_keys import rekey_payees
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import list_tasks
from finplan.service.planning.views import show_forecast
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.service.verdicts.transfers import decide_transfer
from finplan.store.queries import people
from tests.service.conftest import bring, live_in
from tests.service.own_money import Bank, Branch, csv, linked, spent, statuses, transfers
from tests.service.said import all_rows

FILES_OF_CARDS: Mapping[str, tuple[str, str]] = {
    "checking": (
        "depository",
        csv(
            "2026-07-31,CHASE CREDIT CRD AUTOPAY,-412.07",
            "2026-08-31,CHASE CREDIT CRD AUTOPAY,-388.19",
            "2026-09-30,CHASE CREDIT CRD AUTOPAY,-95.63",
            "2026-10-02,CORNER GROCER,-40.00",
        ),
    ),
    "card": (
        "credit",
        csv(
            "2026-07-28,AUTOMATIC PAYMENT - THANK YOU,412.07",
            "2026-08-12,TICKET OFFICE,-388.19",
            "2026-08-26,AUTOMATIC PAYMENT - THANK YOU,388.19",
        ),
    ),
    "card later": (
        "credit",
        csv("2026-10-05,AUTOMATIC PAYMENT - THANK YOU,95.63", "2026-10-06,TICKET OFFICE,-60.00"),
    ),
    "savings": ("depository", csv("2026-08-28,GUTSCHRIFT MAX MUSTERMANN,388.19")),
}
CARD_PAYMENTS = {(-412_07, 412_07), (-388_19, 388_19), (-95_63, 95_63)}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("order", list(permutations(FILES_OF_CARDS)), ids="-".join)
async def test_imports_in_any_order_do_the_same(context: Context, order: tuple[str, ...]) -> None:
    """The debit's file or the credit's may come first: each payment is told once, and no stranger's."""
    for name in order:
        kind, text = FILES_OF_CARDS[name]
        await bring(context, {f"{name.split()[0]}.csv": text}, account_kind=kind)
    assert await statuses(context) == dict.fromkeys(CARD_PAYMENTS, "paired")
    assert await spent(context) == 40_00 + 388_19 + 60_00


async def test_a_sync_finds_what_was_credited_days_before(context: Context) -> None:
    """A debit that a bank brings with a later sync meets the credit that is there since days."""
    checking = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)
    card = BankAccount("crd", "Card", "3333", "credit", "credit card", "USD", 100_00)
    rows = [BankTransaction("crd", "c1", 20260903, 212_40, "PAYMENT - THANK YOU")]
    branch = Branch((checking, card), rows)
    known, connection = await linked(context, Bank(Larkmoor=branch), "Larkmoor")
    assert await transfers(known) == ()
    rows.append(BankTransaction("chk", "t1", 20260907, -212_40, "PAYMENT TO CRD 3333"))
    await sync_connection(known, ConnectionId(id=connection))

    (pair,) = await transfers(known)
    assert pair.status == "paired"
    assert re.match(r"Same amount, 4 days .*3333.*payment\.$", pair.why or "")


async def _forget_pairs(context: Context) -> None:
    """Make the store one whose transfers were found by other rules."""

    def forget(connection: Connection) -> None:
        connection.exec_driver_sql("DELETE FROM transfer")
        connection.exec_driver_sql("UPDATE tx SET transfer_no = NULL, peer_no = NULL, counts = 1")
        connection.exec_driver_sql("UPDATE person SET key_rules = 0")

    await context.store.write(forget)


async def test_an_older_home_is_looked_through_once(context: Context) -> None:
    """What other rules left in no pair is paired at the next start, and what was said of pairs holds."""
    for name in ("checking", "card"):
        kind, text = FILES_OF_CARDS[name]
        await bring(context, {f"{name}.csv": text}, account_kind=kind)
    before = {each.out.amount: each for each in await transfers(context)}
    wrong = before[-412_07]
    await decide_transfer(context, TransferVerdict(id=wrong.id, verdict="reject"))
    counted = await spent(context)
    await _forget_pairs(context)
    owner = context.caller.owner
    event = await context.store.read(lambda c: people.last_event(c, owner))

    await rekey_payees(context.store, context.milliseconds())

    after = await transfers(context)
    assert {each.id: each.status for each in after} == {
        wrong.id: "rejected",
        before[-388_19].id: "paired",
    }
    assert await spent(context) == counted
    later = await context.store.read(lambda c: people.last_event(c, owner))
    assert later.data_no > event.data_no


HEADER = "Date,Description,Amount\n"
SPENT = [
    "2026-02-03,GROCER,41.20", "2026-02-17,FILLING STATION,35.05", "2026-03-04,GROCER,28.80",
    "2026-03-19,BOOKSHOP,77.10", "2026-04-02,GROCER,51.35", "2026-04-20,HARDWARE,12.99",
]  # fmt: skip
PAID = ["2026-02-27,XQ SETTLED 4421,76.25", "2026-03-30,XQ SETTLED 4421,105.90"]
BANK = [
    "2026-01-30,ACME PAYROLL,2000.00,2500.00", "2026-02-25,CARD CO EPAY,-76.25,2423.75",
    "2026-03-01,RENT,-900.00,1523.75", "2026-03-31,CARD CO EPAY,-105.90,1417.85",
    "2026-05-20,ACME PAYROLL,2000.00,3417.85",
]  # fmt: skip


def card(*rows: str) -> str:
    return HEADER + "".join(f"{row}\n" for row in sorted(rows))


def bank(*rows: str) -> str:
    return "Date,Description,Amount,Balance\n" + "".join(f"{row}\n" for row in rows)


def files(paid: list[str] = PAID, there: list[str] = BANK) -> dict[str, str]:
    return {"bank.csv": bank(*there), "card.csv": card(*SPENT, *paid)}


SAID: dict[str, Any] = {
    "answers": [
        {"file": "card.csv", "about": "direction", "value": "out"},
        {"file": "card.csv", "about": "accountKind", "value": "credit"},
        {"file": "bank.csv", "about": "accountKind", "value": "checking"},
    ],
    "currency": "USD",
}


def _came_in(report: ImportReport) -> tuple[int, int]:
    account = report.files[-1].accounts[0]
    return account.money_in, account.money_out


TOTAL, TURNED = 24_649, 18_215
"""What was spent, and what was paid."""


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.usefixtures("context")
async def test_what_another_account_paid_comes_in(context: Context, dry_run: bool) -> None:
    """Whatever its text is; the preview shows the sums as they are stored, and says why."""
    report = await bring(context, files(), dry_run=dry_run, **SAID)
    assert _came_in(report) == (TURNED, TOTAL)
    (why,) = [note for note in report.files[1].notes if "“XQ SETTLED 4421”" in note]
    assert why.startswith("2 transactions")
    assert "“bank” paid" in why
    assert not any("XQ SETTLED" in note for note in report.files[0].notes)


@pytest.mark.usefixtures("context")
async def test_the_next_file_and_the_same_one_are_read_alike(context: Context) -> None:
    """One payment of the next month comes in with those before, and no row is stored twice."""
    await bring(context, files(), **SAID)
    again = await bring(
        context, {"card.csv": card(*SPENT, *PAID)}, **SAID | {"answers": SAID["answers"][:2]}
    )
    assert [(file.new, file.known) for file in again.files] == [(0, 8)]
    later = {
        "bank.csv": bank(
            BANK[-1], "2026-05-28,CARD CO EPAY,-64.34,3353.51", "2026-06-20,X,-1.00,3352.51"
        ),
        "card.csv": card(
            *SPENT, *PAID, "2026-05-03,GROCER,9.00", "2026-05-29,XQ SETTLED 4421,64.34"
        ),
    }
    report = await bring(context, later, **SAID)
    assert report.files[1].new == 2
    assert _came_in(report) == (TURNED + 6_434, TOTAL + 900)


def _of_one_size(row: str) -> str:
    return row.replace("105.90", "76.25")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("paid", "there"),
    [
        (PAID[:1], BANK),
        ([PAID[0], _of_one_size(PAID[1])], list(map(_of_one_size, BANK))),
        ([*PAID, "2026-04-11,XQ SETTLED 4421,5.00"], BANK),
        ([PAID[0], PAID[1].replace("03-30", "04-04")], BANK),
        (PAID, [BANK[0], *BANK[2:]]),
    ],
    ids=["one", "of one size", "another that nobody paid", "four days apart", "one of two"],
)  # fmt: skip
@pytest.mark.usefixtures("context")
async def test_anything_less_is_chance(context: Context, paid: list[str], there: list[str]) -> None:
    """One payment, one size over and over, or one row of the payee that nobody paid turns nothing."""
    assert _came_in(await bring(context, files(paid, there), **SAID))[0] == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("day", "is_turned"),
    [("02-01", True), ("02-02", False), ("04-29", False), ("04-30", True), ("05-25", True)],
)
@pytest.mark.usefixtures("context")
async def test_days_without_files_tell_nothing(context: Context, day: str, is_turned: bool) -> None:
    """A payment outside the days of the bank's rows, or near their edge, is one like the others."""
    there = [*BANK[:4], "2026-05-02,ACME PAYROLL,2000.00,3417.85"]
    report = await bring(context, files([*PAID, f"2026-{day},XQ SETTLED 4421,5.00"], there), **SAID)
    assert _came_in(report)[0] == (TURNED + 500 if is_turned else 0)


@pytest.mark.parametrize(("spent", "turned"), [(1, 0), (2, TURNED)])
@pytest.mark.usefixtures("context")
async def test_more_is_spent_than_paid(context: Context, spent: int, turned: int) -> None:
    """What was paid is at most half of what was said to be spent."""
    few = files() | {"card.csv": card(*SPENT[:spent], *PAID)}
    assert _came_in(await bring(context, few, **SAID))[0] == turned


@pytest.mark.usefixtures("context")
async def test_rows_of_the_account_itself_are_no_payments(context: Context) -> None:
    """Where most of what was spent left another account, the files are of one account."""
    there = [
        f"{row.rpartition(',')[0].replace('GROCER', 'SHOP')},-{row.rpartition(',')[2]},{3000 - place}.00"
        for place, row in enumerate(sorted([*SPENT, *PAID]))
    ]
    few = {"bank.csv": bank(*there), "card.csv": card(*SPENT[:1], *PAID)}
    try:
        report = await bring(context, few, same_account="new", **SAID)
    except Conflict as asked:
        pytest.fail(str(asked.data))
    assert _came_in(report)[0] == 0


@pytest.mark.usefixtures("context")
async def test_only_what_was_said_to_be_spent_is_turned(context: Context) -> None:
    """Another answer, and signs that are printed, stay as they are."""
    kinds = SAID["answers"][1:]
    came_in = {"file": "card.csv", "about": "direction", "value": "in"}
    told = SAID | {"answers": [came_in, *kinds]}
    assert _came_in(await bring(context, files(), dry_run=True, **told)) == (TOTAL + TURNED, 0)
    rows = [*(row.rpartition(",") for row in [*SPENT, *PAID]), ("2026-04-21,REFUND", ",", "-3.00")]
    printed = card(*(f"{text},{-float(amount):.2f}" for text, _, amount in rows))
    report = await bring(context, files() | {"card.csv": printed}, **SAID | {"answers": kinds})
    assert _came_in(report) == (300, TOTAL + TURNED)


@pytest.mark.usefixtures("context")
async def test_an_account_in_another_currency_paid_nothing(context: Context) -> None:
    """Equal numbers of two currencies are no payment."""
    euros = "Date,Description,Amount (EUR),Balance\n" + bank(*BANK).split("\n", 1)[1]
    said = SAID | {"currency": None}
    said["answers"] = [*SAID["answers"], {"file": "card.csv", "about": "currency", "value": "USD"}]
    report = await bring(context, files() | {"bank.csv": euros}, **said)
    assert [file.accounts[0].currency for file in report.files] == ["EUR", "USD"]
    assert _came_in(report)[0] == 0


@pytest.mark.usefixtures("context")
async def test_months_of_a_card_count_together(context: Context) -> None:
    """Each file has one payment, which would be chance; joined, they are two."""
    months = {
        f"card-{month}.csv": card(*(row for row in [*SPENT, *PAID] if row[5:7] == month))
        for month in ("02", "03")
    }
    about = {"direction": "out", "accountKind": "credit"}
    answers = [
        {"file": name, "about": each, "value": value}
        for name in months
        for each, value in about.items()
    ]
    answers.append({"file": "card-03.csv", "about": "sameAccount", "value": "card-02"})
    report = await bring(
        context,
        {"bank.csv": bank(*BANK), **months},
        currency="USD",
        answers=[*answers, SAID["answers"][2]],
    )
    assert [file.accounts[0].money_in for file in report.files[1:]] == [7_625, 10_590]


BANK_HEADER = (
    "Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;"
    "Beguenstigter/Zahlungspflichtiger;Kontonummer;BLZ;Betrag;Waehrung;Info"
)
PAYPAL_HEADER = (
    '"Datum","Uhrzeit","Zeitzone","Beschreibung","Währung","Brutto","Entgelt","Netto","Guthaben",'
    '"Transaktionscode","Absender E-Mail-Adresse","Name","Name der Bank","Bankkonto"'
)


def booked(day: str, kind: str, text: str, payee: str, amount: str) -> str:
    return (
        f'"DE44 1234";"{day}";"{day}";"{kind}";"{text}";"{payee}";"";"";"{amount}";"EUR";"gebucht"'
    )


def paid(day: str, kind: str, amount: str, balance: str, name: str, code: str) -> str:
    return (
        f'"{day}","10:00:00","Europe/Berlin","{kind}","EUR","{amount}","0,00","{amount}","{balance}",'
        f'"{code}","","{name}","",""'
    )


def _files() -> dict[str, str]:
    bank, paypal = [BANK_HEADER], [PAYPAL_HEADER]
    for month in range(1, 11):
        shop, cents = ("eBay S.a.r.l.", "Thalia Bücher")[month % 2], f"{20 + month},50"
        bank.extend(
            booked(f"{day:02d}.{month:02d}.26", "KARTENZAHLUNG", "", "REWE MARKT", f"-{day + 3},17")
            for day in range(1, 28, 3)
        )
        bank.append(
            booked(
                f"09.{month:02d}.26",
                "FOLGELASTSCHRIFT",
                f"10000{month:08d}/PP.4711.PP/. {shop}, Ihr Einkauf bei {shop}",
                "PayPal Europe S.a.r.l. et Cie S.C.A",
                f"-{cents}",
            )
        )
        paypal.append(
            paid(
                f"07.{month:02d}.2026",
                "PayPal Express-Zahlung",
                f"-{cents}",
                f"-{cents}",
                shop,
                f"A{month}",
            )
        )
        paypal.append(
            paid(
                f"07.{month:02d}.2026",
                "Bankgutschrift auf PayPal-Konto",
                cents,
                "0,00",
                "",
                f"B{month}",
            )
        )
    paypal.append(paid("20.10.2026", "Handyzahlung", "80,00", "80,00", "Jo Weber", "C1"))
    paypal.append(
        paid("20.10.2026", "Von Nutzer eingeleitete Abbuchung", "-80,00", "0,00", "", "C2")
    )
    bank.append(
        booked("22.10.26", "GUTSCHRIFT", "PP ABBUCHUNG VOM PAYPAL-KONTO", "PayPal Europe", "80,00")
    )
    return {"umsaetze.csv": "\n".join([*bank, ""]), "Download.CSV": "\n".join([*paypal, ""])}


@pytest.mark.parametrize("first", ["umsaetze.csv", "Download.CSV"])
async def test_each_purchase_counts_once_at_its_shop(context: Context, first: str) -> None:
    """Funding legs of both directions are paired, whichever file comes first."""
    await live_in(context, "EUR")
    files = _files()
    await bring(context, {first: files.pop(first)})
    await bring(context, files)

    pairs = await transfers(context)
    assert [pair.status for pair in pairs] == ["paired"] * 11
    assert {pair.out.amount for pair in pairs} >= {-80_00, -21_50, -30_50}
    report = await query_spending(context, SpendingQuery(group_by="merchant"))
    spent = {group.label: (group.total, group.count) for group in report.groups}
    assert not [name for name in spent if "paypal" in name.lower()]
    assert sorted(count for name, (_, count) in spent.items() if "Rewe" not in name) == [5, 5]
    without_groceries = report.total - next(
        total for name, (total, _) in spent.items() if "Rewe" in name
    )
    assert without_groceries == sum((20 + month) * 100 + 50 for month in range(1, 11))


FILES_OF_WIRES = {
    "first.csv": csv(
        "2026-08-05,WIRE TRANSFER OUT,-1015.00",
        "2026-09-05,WIRE TRANSFER OUT,-1015.00",
        "2026-09-20,CORNER GROCER,-40.00",
    ),
    "second.csv": csv(
        "2026-08-06,INCOMING WIRE TRANSFER,1000.00",
        "2026-09-06,INCOMING WIRE TRANSFER,1000.00",
        "2026-09-07,INTEREST,1.00",
    ),
}


async def _wires(context: Context, **query: Any) -> list[Transaction]:
    page = await list_transactions(context, TransactionQuery(**query))
    return [row for row in page.transactions if row.raw.startswith("WIRE")]


async def test_the_fee_is_spending_and_the_rest_is_not(context: Context) -> None:
    """Totals, the plan and the list of transactions hold the fee alone, in its own category."""
    await bring(context, FILES_OF_WIRES)

    assert [pair.status for pair in await transfers(context)] == ["paired", "paired"]
    assert await spent(context) == 2 * 15_00 + 40_00
    report = await query_spending(context, SpendingQuery(group_by="category"))
    totals = {group.key: (group.total, group.count) for group in report.groups}
    assert totals["interest_fees"] == (30_00, 2)
    months = await query_spending(context, SpendingQuery(group_by="month"))
    assert {group.key: group.total for group in months.groups} == {
        "2026-08": 15_00,
        "2026-09": 55_00,
    }
    merchants = await query_spending(context, SpendingQuery(group_by="merchant"))
    assert sum(group.total for group in merchants.groups) == report.total == 70_00

    (wire, _) = await _wires(context)
    assert (wire.category, wire.line, wire.amount) == ("transfer", "not_spending", -1015_00)
    assert wire.splits == (
        SplitPart(amount=-1000_00, category="transfer", note=None),
        SplitPart(amount=-15_00, category="interest_fees", note=None),
    )
    plan = await build_plan(context, Nothing())
    fees = {line.category: line.total for line in plan.plan.categories}["interest_fees"]
    assert fees in (15_00, 30_00)
    assert plan.plan.monthly.income in (0, 1_00)


@pytest.mark.parametrize(
    ("category", "count"), [("interest_fees", 2), ("transfer", 2), ("groceries", 0)]
)
async def test_either_part_finds_a_fee_row(context: Context, category: str, count: int) -> None:
    """The category of what arrived and that of the fee both find it."""
    await bring(context, FILES_OF_WIRES)
    assert len(await _wires(context, category=(category,))) == count


async def test_the_parts_of_a_row_add_up_to_it(context: Context) -> None:
    """The ledger holds what arrived and the fee; paired moves net to nothing."""
    await bring(context, FILES_OF_WIRES)
    rows = await context.store.read(lambda c: load_ledger(c, context.caller.owner).rows)
    moves = [row for row in rows if row[PEER] and not row[COUNTS]]
    fees = [row[AMOUNT] for row in rows if row[PEER] and row[COUNTS]]

    assert sum(row[AMOUNT] for row in moves) == 0
    assert fees == [-15_00, -15_00]
    assert len({row[ACCOUNT] for row in moves}) == 2


async def test_a_rejected_pair_has_no_fee(context: Context) -> None:
    """Its rows are as they were, whole, and with the word taken back the fee is there again."""
    await bring(context, FILES_OF_WIRES)
    (pair, _) = await transfers(context)
    await decide_transfer(context, TransferVerdict(id=pair.id, verdict="reject"))
    assert [wire.splits is None for wire in await _wires(context)] == [True, False]

    await decide_transfer(context, TransferVerdict(id=pair.id, verdict="auto"))
    assert await spent(context) == 70_00


def monthly(day: int, text: str, amount: int) -> list[str]:
    return [f"2026-{month:02d}-{day:02d},{text},{amount}.00" for month in range(1, 12)]


FILES_WITH_SAVINGS = {
    "checking.csv": csv(
        *monthly(1, "NORTHLIGHT STUDIOS PAYROLL", 2500),
        *monthly(3, "TRANSFER TO SAVINGS", -500),
        *monthly(7, "CORNER GROCER", -200),
    ),
    "savings.csv": csv(*monthly(4, "TRANSFER FROM CHECKING", 500), *monthly(9, "INTEREST", 1)),
}


async def _accounts(context: Context) -> dict[str, str]:
    return {account.name: account.id for account in await list_accounts(context, Nothing())}


async def _categories(context: Context) -> set[str]:
    return {row.category for row in await all_rows(context, text="TRANSFER TO SAVINGS")}


async def test_transfers_to_hidden_savings_stay_saving(context: Context) -> None:
    """In the plan, in the list of transactions and in the forecast, and back once it is shown."""
    await bring(context, FILES_WITH_SAVINGS)
    ids = await _accounts(context)
    await change_account(context, AccountChange(id=ids["checking"], balance=4000_00))
    await change_account(context, AccountChange(id=ids["savings"], subtype="savings"))
    saved = (await build_plan(context, Nothing())).plan.monthly.saved
    assert saved in (500_00, 501_00)
    assert await _categories(context) == {"transfer"}

    await change_account(context, AccountChange(id=ids["savings"], hidden=True))
    assert (await build_plan(context, Nothing())).plan.monthly.saved == 500_00
    assert await _categories(context) == {"savings"}
    forecast = await show_forecast(context, ForecastQuery(days=40))
    leaving = [item.amount for day in forecast.days for item in day.items if item.amount == -500_00]
    assert leaving

    await change_account(context, AccountChange(id=ids["savings"], hidden=False))
    assert (await build_plan(context, Nothing())).plan.monthly.saved == saved


CHECKING = BankAccount("chk", "Everyday", "1111", "depository", "checking", "USD", 500_00)
SAVINGS = BankAccount("sav", "Saver", "2222", "depository", "savings", "USD", 900_00)


def _saved(account: str) -> list[BankTransaction]:
    return [
        BankTransaction(
            account, f"{account}{day}", 20260900 + day, 10_00 * day, "TRANSFER RECEIVED"
        )
        for day in range(1, 21)
    ]


async def test_a_hidden_duplicate_is_no_savings(context: Context) -> None:
    """Of one account under two ids the hidden one has no transfer, whichever is hidden."""
    sent = [
        BankTransaction("chk", f"c{day}", 20260900 + day, -10_00 * day, "TRANSFER TO SAVINGS")
        for day in range(1, 21)
    ]
    bank = Bank(Larkmoor=Branch((CHECKING, SAVINGS), [*sent, *_saved("sav")]))
    known, _ = await linked(context, bank, "Larkmoor")
    again = replace(SAVINGS, external_id="sav-2")
    known, _ = await linked(known, Bank(Larkmoor=Branch((again,), _saved("sav-2"))), "Larkmoor")
    (same,) = await list_duplicates(known, DuplicateQuery())
    assert same.kind == "accounts"

    decided = await decide_duplicate(known, DuplicateVerdict(id=same.id, verdict="same"))
    pairs = [pair for pair in await transfers(known) if pair.status == "paired"]
    assert len(pairs) == 20
    assert {pair.into.account_id for pair in pairs} == {decided.kept.account_id}
    assert await _categories(known) == {"transfer"}

    await decide_duplicate(known, DuplicateVerdict(id=same.id, verdict="different"))
    assert {pair.status for pair in await transfers(known)} == {"candidate"}


HOME = csv(
    "2026-08-01,PAYROLL ACME,4000.00",
    "2026-08-03,TRANSFER TO EUR ACCOUNT,-500.00",
    "2026-09-01,PAYROLL ACME,4000.00",
    "2026-09-03,TRANSFER TO EUR ACCOUNT,-560.00",
    "2026-10-01,PAYROLL ACME,4000.00",
    "2026-10-02,CORNER GROCER,-40.00",
)
ARRIVED = ("2026-08-04,TRANSFER FROM USD ACCOUNT,446.00", "2026-09-04,TRANSFER FROM USD,500.00")
KEPT = csv(*ARRIVED, "2026-09-20,PHARMACIE,-20.00")
SPENT_ABROAD = csv(*ARRIVED, "2026-09-20,LOYER PARIS,-800.00")


async def _at_home(context: Context) -> None:
    await bring(context, {"home.csv": HOME}, account_kind="depository", currency="USD")


async def _abroad(context: Context, text: str) -> Any:
    return await bring(context, {"abroad.csv": text}, account_kind="depository", currency="EUR")


async def _filed(context: Context) -> dict[int, str]:
    """The category of every row that is a leg, by its amount."""
    return {row.amount: row.category for row in await all_rows(context) if row.transfer_id}


@pytest.mark.parametrize("first", ["home", "abroad"])
async def test_what_an_account_abroad_keeps_is_saved(context: Context, first: str) -> None:
    """Both rows say so, whichever file came first; nothing is spent, and the plan says saved."""
    if first == "abroad":
        # The household's currency is that of the first file.
        await bring(
            context,
            {"bank.csv": csv("2026-08-01,CORNER GROCER,-10.00")},
            account_kind="depository",
            currency="USD",
        )
        await _abroad(context, KEPT)
        await _at_home(context)
    else:
        await _at_home(context)
        await _abroad(context, KEPT)
    assert await statuses(context) == {(-500_00, 446_00): "paired", (-560_00, 500_00): "paired"}
    pair = (await transfers(context))[0]
    assert (pair.out.currency, pair.into.currency) == ("USD", "EUR")
    assert (pair.why or "").startswith("560.00 USD became 500.00 EUR")
    assert "1 day later" in (pair.why or "")
    assert (pair.why or "").count("both transactions") == 2
    assert set((await _filed(context)).values()) == {"savings"}
    assert await spent(context) == 40_00 + 10_00 * (first == "abroad")


async def test_what_an_account_abroad_spends_is_spent(context: Context) -> None:
    """More than half of what came has left it: the payment is spending, and the person is asked."""
    await _at_home(context)
    await _abroad(context, SPENT_ABROAD)
    filed = await _filed(context)
    assert (filed[-500_00], filed[-560_00]) == ("uncategorized", "uncategorized")
    assert await spent(context) == 40_00 + 1060_00
    stored = await build_plan(context, Nothing())
    plan = stored.plan
    assert {each.category: each.total for each in plan.categories}["uncategorized"] == 1060_00
    tasks = await list_tasks(context, TaskQuery())
    (asked,) = [each for each in tasks if each.kind == "categorize_payee"]
    assert asked.payee_key

    await set_rule(context, RuleRequest(payee_key=asked.payee_key, category="rent"))
    assert (await _filed(context))[-500_00] == "rent"
    assert await spent(context) == 40_00 + 1060_00
    after = (await build_plan(context, Nothing())).plan
    assert {each.category: each.total for each in after.categories}["rent"] == 1060_00


async def test_what_is_kept_is_looked_at_with_every_file(context: Context) -> None:
    """A later file may show that the money was spent, and its undoing that it was not."""
    await _at_home(context)
    await _abroad(context, KEPT)
    assert await spent(context) == 40_00
    later = await bring(
        context,
        {"abroad.csv": csv("2026-10-05,LOYER PARIS,-600.00", "2026-10-06,INTERETS,1.00")},
        account_kind="depository",
        currency="EUR",
        account="abroad",
    )
    assert await spent(context) == 40_00 + 1060_00
    await undo_import(context, ImportId(id=later.id))
    assert await spent(context) == 40_00


async def test_a_rejected_pair_counts_by_its_category(context: Context) -> None:
    """What the person parts is a payment like any other, and taking it back pairs it again."""
    await _at_home(context)
    await _abroad(context, SPENT_ABROAD)
    for pair in await transfers(context):
        await decide_transfer(context, TransferVerdict(id=pair.id, verdict="reject"))
    assert await _filed(context) == {}
    for pair in await transfers(context, "rejected"):
        await decide_transfer(context, TransferVerdict(id=pair.id, verdict="auto"))
    assert await spent(context) == 40_00 + 1060_00


async def test_what_the_other_half_files_is_not_called_the_persons_word(context: Context) -> None:
    """A word on one amount of a payee files no row whose other half is abroad, and none says so."""
    await _at_home(context)
    await _abroad(context, SPENT_ABROAD)
    page = await list_transactions(context, TransactionQuery(text="to eur account"))
    key = page.transactions[0].payee_key
    await set_rule(context, RuleRequest(payee_key=key, category="kids", amount=500_00))
    page = await list_transactions(context, TransactionQuery(text="to eur account"))
    told = {row.amount: (row.category, "other side" in row.why.text) for row in page.transactions}
    assert told == {-500_00: ("uncategorized", True), -560_00: ("uncategorized", False)}
    assert not any("You put" in row.why.text for row in page.transactions)
