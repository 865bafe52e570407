"""Transfers, series and duplicates of a made-up household, for the pages that show them."""

from datetime import date
from typing import Any

from finplan.model.detection import Duplicate, DuplicateSide, Transfer, TransferLeg
from finplan.model.recurring import PriceStep, RecurringSeries

NAMES = {"acc_1": "Checking", "acc_2": "Savings", "acc_3": "Rewards Card"}


def transfer(start: str, status: Any, sent: int, came: int, **more: str) -> Transfer:
    """A pair between two accounts."""
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
        account_id=more.get("target", "acc_2"),
        account=NAMES[more.get("target", "acc_2")],
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
        why=more.get("why", "Same amount, 1 day later; both rows say transfer."),
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
        "transaction_id": None,
        "date": None,
        "amount": None,
        "raw": None,
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
