"""Transactions as lines: the day, the payee, why it is where it is, and the amount."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.layout import page, printable, row, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.transaction import FoundTotal, Transaction

_DAY, _AMOUNT, _PENDING = 10, 14, 7
"""How many columns a day, an amount and the word "pending" have."""

_TITLE = 24
"""How many columns the title of a category takes at most."""

NOTHING = Text("No transactions.", style="dim")


def draw_transactions(
    transactions: Sequence[Transaction], labels: Mapping[str, str]
) -> RenderableType:
    """List the rows as they come; what is pending is dim. `labels` are those of the categories."""
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
        (_row(each, labels.get(each.category)) for each in transactions),
    )


def draw_reasons(
    transactions: Sequence[Transaction], labels: Mapping[str, str], width: int
) -> RenderableType:
    """The rows as they come, and under each what the bank wrote and why it is in its category."""
    if not transactions:
        return NOTHING
    return page(
        line for each in transactions for line in _explained(each, labels.get(each.category), width)
    )


def draw_total(total: FoundTotal, shown: int) -> RenderableType:
    """How many rows were found, what the posted ones add up to, and how many of them are shown."""
    if total.sums:
        sums = " and ".join(_signed(each.amount, each.currency) for each in total.sums)
        said = f"{_counted(total.rows)}, {sums} in total"
        said += f" without {total.pending:,} pending" if total.pending else ""
    else:
        said = f"{_counted(total.rows)}, all pending"
    if shown < total.rows:
        said += f"; the newest {'is' if shown == 1 else f'{shown} are'} shown"
    return Text(f"{said}.", style="dim")


def _counted(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows:,} rows"


def _signed(amount: int, currency: str) -> str:
    return ("+" if amount > 0 else "") + figures.money(amount, currency)


def _explained(transaction: Transaction, label: str | None, width: int) -> Iterator[Text]:
    day, payee, category, amount, pending = _row(transaction, label)
    room = width - _DAY - _AMOUNT - _PENDING - 4
    titles = min(room // 2, _TITLE)
    yield row(
        (day, _DAY),
        (payee, room - titles),
        (category, titles),
        (amount, -_AMOUNT),
        (pending, _PENDING),
    )
    reason = transaction.why
    # A guess that files nothing is not what the row is filed by.
    guessed = reason.confidence is not None and reason.rule_id is not None
    sure = f" ({figures.share(reason.confidence or 0)} sure)" if guessed else ""
    for text in (transaction.raw, f"{reason.text}{sure}"):
        yield from wrapped(printable(text), width, indent=_DAY + 1, style="dim")


def _row(transaction: Transaction, label: str | None) -> tuple[Content, ...]:
    amount = _signed(transaction.amount, transaction.currency)
    incoming = transaction.amount > 0
    style = "dim" if transaction.pending else ""
    return (
        Text(transaction.date.isoformat(), style=style),
        Text(transaction.payee, style=style),
        Text(label or transaction.category, style="dim"),
        Text(amount, style=style or ("green" if incoming else "")),
        "pending" if transaction.pending else "",
    )
