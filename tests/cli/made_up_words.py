"""Transactions of the made-up household of which the person said something by itself."""

from datetime import date

from finplan.model.transaction import Reason, SplitPart, Transaction
from tests.cli.made_up_plan import TODAY

NOTE = (
    "An evening with the whole family, and Ada paid for the taxi home, which we still owe her; ask in"
    " December."
)
PARTS = (
    SplitPart(amount=-10_000, category="groceries"),
    SplitPart(amount=-4_750, category="gifts_donations", note="a lamp for the new flat of Ada"),
    SplitPart(amount=500, category="hobbies", note="the racket\x1b[31m came back"),
)


def transactions() -> tuple[Transaction, ...]:
    """A note on a pending charge, a row in three parts, one filed by itself, and one left to rules."""
    coffee = _row("pen_3", TODAY, -640, "Blue Bottle Coffee", "dining")
    shop = _row("tx_1207", date(2025, 11, 13), -14_250, "Costco Wholesale of the West", "groceries")
    pay = _row("tx_1206", date(2025, 11, 12), 231_000, "Acme Robotics Payroll", "wages")
    rent = _row("tx_104", date(2025, 11, 1), -85_000, "Venmo", "rent")
    return (
        coffee.model_copy(update={"pending": True, "note": "with Grace"}),
        shop.model_copy(
            update={"note": NOTE, "splits": PARTS, "why": _said("You split this one.")}
        ),
        pay,
        rent.model_copy(update={"why": _said("You filed this one by itself.")}),
    )


def _row(known_as: str, day: date, amount: int, payee: str, category: str) -> Transaction:
    return Transaction(
        id=known_as,
        account_id="acc_1",
        date=day,
        amount=amount,
        currency="USD",
        payee_key=payee.casefold(),
        payee=payee,
        raw=f"{payee.upper()} 4711",
        category=category,
        line="discretionary",
        pending=False,
        transfer_id=None,
        note=None,
        splits=None,
        why=Reason(source="curated", rule_id=None, confidence=None, text="A curated rule."),
    )


def _said(text: str) -> Reason:
    return Reason(source="user", rule_id=None, confidence=None, text=text)
