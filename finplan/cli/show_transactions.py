"""Transactions as lines: the day, the payee, why it is where it is, and the amount."""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.transaction import Transaction

NOTHING = Text("No transactions.", style="dim")


def draw_transactions(
    transactions: Sequence[Transaction], own: Mapping[str, str]
) -> RenderableType:
    """List the rows as they come; what is pending is dim. `own` names the person's own categories."""
    if not transactions:
        return NOTHING
    return listing(
        (
            Column("day"),
            Column("payee", gives_way=True),
            Column("category", gives_way=True),
            Column("amount", figures=True),
            Column("", style="dim"),
        ),
        (_row(each, own.get(each.category)) for each in transactions),
    )


def _row(transaction: Transaction, own: str | None) -> tuple[Content, ...]:
    amount = figures.money(transaction.amount, transaction.currency)
    incoming = transaction.amount > 0
    style = "dim" if transaction.pending else ""
    return (
        Text(transaction.date.isoformat(), style=style),
        Text(transaction.payee, style=style),
        Text(own or transaction.category.replace("_", " "), style="dim"),
        Text(f"+{amount}" if incoming else amount, style=style or ("green" if incoming else "")),
        "pending" if transaction.pending else "",
    )
