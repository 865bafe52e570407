"""What the made-up household's banks and files brought, and what the person said of it by itself.

Transfers, series and duplicates of it, for the pages that show them.
"""

from datetime import date
from typing import Any

from finplan.model import statement
from finplan.model.account import Account, AccountKind, AccountRecord, BalanceAnchor, CoveredSpan
from finplan.model.connection import Connection, ConnectionRecord, ConnectionStatus, SyncReport
from finplan.model.detection import Duplicate, DuplicateSide, Transfer, TransferLeg
from finplan.model.recurring import PriceStep, RecurringSeries
from finplan.model.transaction import Reason, SplitPart, Transaction
from finplan.statements.statement import STATES_BALANCE
from tests.cli.made_up_plan import NOON, TODAY

_COVERED = {
    "a1": (
        CoveredSpan(since=date(2024, 10, 1), until=date(2025, 2, 28)),
        CoveredSpan(since=date(2025, 7, 1), until=date(2025, 11, 15)),
    ),
    "b2": (CoveredSpan(since=date(2025, 3, 4), until=date(2025, 11, 15)),),
    "c3": (CoveredSpan(since=date(2025, 11, 1), until=date(2025, 11, 1)),),
}
_ANCHORS = (
    BalanceAnchor(date=date(2025, 2, 28), balance=1_200_000),
    BalanceAnchor(date=date(2025, 10, 31), balance=1_634_210),
)


def accounts() -> tuple[AccountRecord, ...]:
    """An account of each kind, one of them hidden, one in another currency."""
    rows: tuple[
        tuple[str, str, str | None, AccountKind, str | None, int | None, str, bool], ...
    ] = (
        ("a1", "Checking", "0012", "depository", "checking", 1_842_512, "USD", False),
        ("b2", "Rewards Card", "4410", "credit", "credit card", 231_044, "USD", False),
        ("c3", "Tagesgeld", None, "depository", "savings", 1_050_000, "EUR", False),
        ("d4", "Mortgage", "9921", "loan", "mortgage", 31_204_000, "USD", False),
        ("e5", "Old savings", "7733", "depository", "savings", None, "USD", True),
    )
    return tuple(
        AccountRecord(
            account=Account(
                id=f"acc_{start}k3f9x2m7q4w8r1t5v6y0z",
                connection_id="con_1",
                institution_name="Demo Bank",
                name=name,
                mask=mask,
                kind=kind,
                subtype=subtype,
                balance=balance,
                credit_limit=1_200_000 if kind == "credit" else None,
            ),
            currency=currency,
            apr=0.2199 if kind == "credit" else None,
            minimum_payment=3_500 if kind == "credit" else None,
            hidden=hidden,
            coverage=_COVERED.get(start, ()),
            anchors=_ANCHORS if start in _COVERED else (),
            number="DE89 3704 0044 0532 0130 00" if start == "c3" else None,
        )
        for start, name, mask, kind, subtype, balance, currency, hidden in rows
    )


def account_at(institution: str) -> AccountRecord:
    """The first account, as if it were at another bank."""
    first = accounts()[0]
    moved = {"institution_name": institution, "id": "acc_f6k3f9x2m7q4w8r1t5v6y0z"}
    return first.model_copy(update={"account": first.account.model_copy(update=moved)})


def transactions() -> tuple[Transaction, ...]:
    """A pending charge, pay, a refund, and a name that would command a terminal."""
    rows: tuple[tuple[date, int, str, str, bool], ...] = (
        (TODAY, -640, "Blue Bottle Coffee", "dining", True),
        (date(2025, 11, 14), 231_000, "Acme Robotics Payroll", "wages", False),
        (date(2025, 11, 13), 2_599, "Amazon Marketplace", "shopping", False),
        (date(2025, 11, 12), -12_404, "Evil\x1b[31m Store", "uncategorized", False),
    )
    return tuple(
        _row(f"tx_{place}", day, amount, payee, category, raw=payee.upper(), pending=pending)
        for place, (day, amount, payee, category, pending) in enumerate(rows)
    )


def connections() -> tuple[ConnectionRecord, ...]:
    """A bank in each state."""
    rows: tuple[tuple[str, str, ConnectionStatus, str | None, int | None], ...] = (
        ("a1", "Demo Bank", "ok", None, NOON - 5 * 60_000),
        ("b2", "First Harbor", "login_required", "the password has changed", NOON - 86_400_000),
        ("c3", "Statement files", "error", None, None),
    )
    return tuple(
        ConnectionRecord(
            connection=Connection(
                id=f"con_{start}k3f9x2m7q4w8r1t5v6y0z",
                user_id="usr_1",
                provider="manual" if name == "Statement files" else "demo",
                institution_name=name,
                status=status,
                error=error,
            ),
            sync_cursor=None,
            last_synced_at=synced,
        )
        for start, name, status, error, synced in rows
    )


def syncs() -> tuple[SyncReport, ...]:
    """A sync that brought rows, and one that failed."""
    good, bad = (each.connection.id for each in connections()[:2])
    nothing = dict.fromkeys(("accounts", "added", "modified", "removed"), 0)
    brought = nothing | {"accounts": 6, "added": 2_104, "modified": 3, "removed": 1}
    failed = "First Harbor wants you to sign in again."
    return (
        SyncReport(connection_id=good, ok=True, **brought, complete=True, error=None),
        SyncReport(connection_id=bad, ok=False, **nothing, complete=False, error=failed),
    )


_UNSAID: dict[str, Any] = dict.fromkeys(
    ("encoding", "date_order", "decimal_sign", "direction", "amount_column", "currency")
)
"""What a person may say of a file's columns, when nothing was said."""


def _sample(day: int, amount: int, payee: str, raw: str) -> statement.SampleRow:
    return statement.SampleRow(date=date(2025, 11, day), amount=amount, payee=payee, raw=raw)


def _file(
    name: str,
    kind: str,
    *accounts: statement.FileAccount,
    encoding: str = "utf-8",
    transactions: int | None = None,
    **more: Any,
) -> statement.FileReport:
    """A file that was read, with the numbers of its account; all is new of one with more accounts."""
    told = accounts[0]
    counts: dict[str, Any] = {
        "transactions": told.transactions,
        "new": told.new_rows,
        "known": told.known,
        "ambiguous": told.ambiguous,
    }
    if transactions is not None:
        counts |= {"transactions": transactions, "new": transactions}
    return statement.FileReport(
        file=name,
        format=kind,
        encoding=encoding,
        accounts=accounts,
        error=None,
        **counts,
        **more,
    )


def import_report(*, dry_run: bool = False) -> statement.ImportReport:
    """Three files: everything is known of one, one named nothing, of one nothing is booked yet."""
    return statement.ImportReport(
        id=None if dry_run else "imp_k3f9x2m7q4w8r1t5v6y0z3b2",
        dry_run=dry_run,
        digest="d1",
        files=(
            _file(
                "checking-2025-with-a-rather-long-name.ofx",
                "ofx",
                statement.FileAccount(
                    name="Checking 0012",
                    currency="USD",
                    kind="depository",
                    subtype="checking",
                    since=date(2025, 7, 1),
                    until=date(2025, 11, 15),
                    transactions=412,
                    new_rows=400,
                    known=12,
                    money_in=1_250_000,
                    money_out=1_204_711,
                    closing_balance=1_842_512,
                    balance_fits=True,
                    samples=(
                        _sample(15, -1_230, "Evil\x1b[31m Coffee", "EVIL\x1b[31m COFFEE 12"),
                        _sample(
                            14,
                            231_000,
                            "Acme Robotics Payroll of a rather long name, which is cut off",
                            "ACME ROBOTICS PAYROLL",
                        ),
                    ),
                    left_out=(
                        statement.LeftOut(reason="declined", count=2),
                        statement.LeftOut(reason=STATES_BALANCE, count=1),
                    ),
                    coverage=_COVERED["a1"],
                ),
                encoding="cp1252",
            ),
            _file(
                "card.csv",
                "csv",
                statement.FileAccount(
                    name="card",
                    currency="USD",
                    kind="credit",
                    since=date(2025, 11, 15),
                    until=date(2025, 11, 15),
                    transactions=1_204,
                    new_rows=1_200,
                    known=2,
                    ambiguous=2,
                    money_in=0,
                    money_out=99_900,
                    closing_balance=231_044,
                    balance_fits=False,
                    samples=(_sample(15, -80, "Kiosk", "KIOSK"),),
                ),
                remembered=statement.Remembered(
                    **_UNSAID | {"date_order": "dmy", "decimal_sign": ",", "direction": "out"},
                    account="card",
                ),
            ),
            _file(
                "export (1).csv",
                "csv",
                statement.FileAccount(
                    name="export (1)",
                    currency="USD",
                    kind="depository",
                    new=True,
                    currency_assumed=True,
                    pending=3,
                    closing_balance=500,
                    assumed=(
                        (
                            "The file does not name a currency, so finplan assumed USD. For another"
                            " currency, add `--currency CODE`."
                        ),
                    ),
                ),
                pending=3,
                notes=(
                    "The balance column does not match the amounts in one row; the first is line 4.",
                ),
            ),
        ),
    )


def profiles() -> tuple[statement.ImportProfile, ...]:
    """One of which everything was said, of two accounts; one with columns that command a terminal."""
    return (
        statement.ImportProfile(
            id="prf_3a7c5e9b1d2f4a6c8e0b1d3f",
            columns="Buchungstag;Wertstellung;Umsatzart;Auftraggeber;Verwendungszweck;Betrag",
            encoding="cp1252",
            date_order="dmy",
            decimal_sign=",",
            direction="marks:S",
            amount_column="Betrag",
            currency="EUR",
            accounts=("Girokonto", "Tagesgeld"),
            saved_at=NOON,
        ),
        statement.ImportProfile(
            id="prf_9b1d2f4a6c8e0b1d3f3a7c5e",
            columns="Date,\x1b[31mWhat,Amount",
            **_UNSAID | {"date_order": "mdy"},
            accounts=(),
            saved_at=NOON - 86_400_000,
        ),
    )


def restoring_reports() -> tuple[statement.ImportReport, ...]:
    """An export that would be restored, one that was, and one that met accounts."""
    accounts = (
        statement.FileAccount(name="Everyday", currency="USD", kind="depository", new=True),
        statement.FileAccount(name="Urlaub", currency="EUR", kind="depository", new=True),
    )
    whole = _file(
        "finplan-2026-11-21.json",
        "finplan-json",
        *accounts,
        transactions=1_188,
        restored=statement.RestoredHousehold(
            currency="USD", categories=3, rules=41, answers=1, decisions=0, words=2
        ),
    )
    empty = whole.model_copy(
        update={
            "accounts": (),
            "transactions": 0,
            "new": 0,
            "restored": statement.RestoredHousehold(
                currency=None, categories=1, rules=0, answers=0, decisions=0, words=0
            ),
        }
    )
    note = (
        "finplan imports only transactions, not the settings, 3 own categories, 41 rules, 1"
        " answer and 2 edited transactions, because you already have accounts. To restore the"
        " whole household, import this file into an empty profile: `finplan --profile NAME import"
        " FILE`."
    )
    rows = whole.model_copy(update={"new": 0, "known": 1_188, "restored": None, "notes": (note,)})
    return tuple(
        statement.ImportReport(
            id=None if dry_run else "imp_1", dry_run=dry_run, digest="d1", files=(file,)
        )
        for dry_run, file in ((True, whole), (False, whole), (False, empty), (False, rows))
    )


def imports() -> tuple[statement.ImportRecord, ...]:
    """An import, and one that was taken back."""
    rows = (
        ("imp_k3f9x2m7q4w8r1t5v6y0z3b2", NOON, None),
        ("imp_a1b9x2m7q4w8r1t5v6y0z3b2", NOON - 86_400_000, NOON - 3_600_000),
    )
    return tuple(
        statement.ImportRecord(
            id=name, imported_at=imported, undone_at=undone, report=import_report()
        )
        for name, imported, undone in rows
    )


NOTE = (
    "An evening with the whole family, and Ada paid for the taxi home, which we still owe her; ask in"
    " December."
)
PARTS = (
    SplitPart(amount=-10_000, category="groceries"),
    SplitPart(amount=-4_750, category="gifts_donations", note="a lamp for the new flat of Ada"),
    SplitPart(amount=500, category="hobbies", note="the racket\x1b[31m came back"),
)


def transactions_with_words() -> tuple[Transaction, ...]:
    """A note on a pending charge, a row in three parts, one filed by itself, and one left to rules."""
    coffee = _row("pen_3", TODAY, -640, "Blue Bottle Coffee", "dining")
    shop = _row("tx_1207", date(2025, 11, 13), -14_250, "Costco Wholesale of the West", "groceries")
    pay = _row("tx_1206", date(2025, 11, 12), 231_000, "Acme Robotics Payroll", "wages")
    rent = _row("tx_104", date(2025, 11, 1), -85_000, "Venmo", "rent")
    return (
        coffee.model_copy(update={"pending": True, "note": "with Grace"}),
        shop.model_copy(
            update={
                "note": NOTE,
                "tags": ("garden", "june"),
                "splits": PARTS,
                "why": _said("You split this transaction."),
            }
        ),
        pay,
        rent.model_copy(update={"why": _said("You set this transaction's category.")}),
    )


def _row(
    known_as: str,
    day: date,
    amount: int,
    payee: str,
    category: str,
    *,
    raw: str | None = None,
    pending: bool = False,
) -> Transaction:
    return Transaction(
        id=known_as,
        account_id="acc_1",
        date=day,
        amount=amount,
        currency="USD",
        payee_key=payee.casefold(),
        payee=payee,
        raw=raw or f"{payee.upper()} 4711",
        category=category,
        line="discretionary",
        pending=pending,
        transfer_id=None,
        note=None,
        splits=None,
        why=Reason(source="curated", rule_id=None, confidence=None, text="A curated rule."),
    )


def _said(text: str) -> Reason:
    return Reason(source="user", rule_id=None, confidence=None, text=text)


NAMES = {"acc_1": "Checking", "acc_2": "Savings", "acc_3": "Rewards Card"}


def transfer(start: str, status: Any, sent: int, came: int, **more: str) -> Transfer:
    """A pair between two accounts."""
    target = more.get("target", "acc_2")
    out = TransferLeg(
        transaction_id="tx_1",
        account_id="acc_1",
        account=NAMES["acc_1"],
        payee_key="online transfer",
        date=date(2025, 11, 3),
        amount=-sent,
        currency="USD",
        raw=more.get("left", "ONLINE TRANSFER TO SAV ...2222"),
    )
    into = TransferLeg(
        transaction_id="tx_2",
        account_id=target,
        account=NAMES[target],
        payee_key="transfer",
        date=date(2025, 11, 4),
        amount=came,
        currency=more.get("became", "USD"),
        raw=more.get("arrived", "TRANSFER FROM CHK ...1111"),
    )
    return Transfer(
        id=f"trf_{start}k3f9x2m7q4w8r1t5v6y0z3b",
        status=status,
        source=None if status == "candidate" else "auto" if status == "paired" else "user",
        currency="USD",
        out=out,
        into=into,
        why=more.get("why", "Same amount, 1 day later; both transactions say transfer."),
    )


def transfers() -> tuple[Transfer, ...]:
    """One of each status, one with a fee."""
    return (
        transfer(
            "a1",
            "candidate",
            730_00,
            730_00,
            left="REF 88123 LM",
            arrived="77 INCOMING QX",
            why="Same amount, 1 day later; but neither row says that it is a transfer.",
        ),
        transfer("b2", "paired", 500_00, 500_00),
        transfer("c3", "confirmed", 1_000_00, 975_00),
        transfer("d4", "rejected", 42_17, 42_17, target="acc_3"),
    )


def series(start: str, name: str, amount: int, **more: Any) -> RecurringSeries:
    """A monthly charge unless told otherwise."""
    values: dict[str, Any] = {
        "id": f"ser_{start}k3f9x2m7q4w8r1t5v6y0z3b",
        "kind": "charge",
        "status": "detected",
        "name": name,
        "payee_key": name.lower(),
        "category": "subscriptions",
        "cadence": "monthly",
        "interval_days": 30,
        "amount": amount,
        "monthly": amount,
        "count": 6,
        "first_date": date(2025, 6, 14),
        "last_date": date(2025, 11, 14),
        "next_date": date(2025, 12, 14),
        "active": True,
        "price_step": None,
        "probability": 0.94,
        "why": "6 of 6 on the 14th ± 1 day, $9.99.",
    }
    return RecurringSeries(**{**values, **more})


def recurring() -> tuple[RecurringSeries, ...]:
    """Charges, income, one that is over and one that was dismissed."""
    step = PriceStep(before=13_49, changed_on=date(2025, 9, 14))
    return (
        series(
            "a1",
            "Acme Payroll",
            2_581_23,
            kind="income",
            cadence="biweekly",
            monthly=5_592_67,
            probability=None,
        ),
        series("b2", "Larkmoor Home Loans", 2_256_62, status="confirmed"),
        series("c3", "Netflix", 15_49, price_step=step),
        series("d4", "Gym", 24_99, status="dismissed"),
        series(
            "e5",
            "Magazine",
            60_00,
            cadence="twice_yearly",
            active=False,
            next_date=None,
            probability=None,
        ),
        series("f6", "City Power", 91_40, category="utilities", probability=0.62),
        series("g7", "Storage", 40_00, category="home_upkeep", probability=0.8),
    )


def _side(name: str, **more: Any) -> DuplicateSide:
    values: dict[str, Any] = {
        "account_id": "acc_1",
        "account_name": name,
        "institution_name": "Larkmoor",
        "counted": True,
        **dict.fromkeys(("transaction_id", "date", "amount", "raw")),
    }
    return DuplicateSide(**{**values, **more})


def duplicates() -> tuple[Duplicate, ...]:
    """Two accounts that were not asked about yet, and two rows that are the same."""
    row = {"date": date(2025, 11, 5), "amount": -120_00}
    return (
        Duplicate(
            id="dup_a1k3f9x2m7q4w8r1t5v6y0z3b",
            kind="accounts",
            status="open",
            currency="USD",
            kept=_side("Joint Checking"),
            other=_side("Joint Checking (2)"),
            why="Both are Larkmoor ending in 0012, from two connections, with the same transactions.",
            relinked=False,
        ),
        Duplicate(
            id="dup_b2k3f9x2m7q4w8r1t5v6y0z3b",
            kind="rows",
            status="same",
            currency="USD",
            kept=_side("Checking", **row, raw="PLUMBER BILL 88", transaction_id="tx_1"),
            other=_side("Checking", **row, raw="PLUMBER INVOICE", counted=False),
            why="The same amount on the same day, once from each of two sources that cover both days.",
            relinked=False,
        ),
    )
