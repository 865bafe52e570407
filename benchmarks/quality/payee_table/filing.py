"""How the shipped rules file the labelled rows: rightly, wrongly, or not at all."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from benchmarks.quality.payee_table.rows import Row
from finplan.categorise.decide import PayeeFacts, decide
from finplan.categorise.payee import payee_of

Filed = Literal["right", "wrong", "open"]
_OPEN = ("uncategorized", "unknown_inflow")
_CARD = ("card_payment", "unlinked_card")
"""One line for a linked card, the other for one that is not; no descriptor can tell which."""


class FilingFigures(NamedTuple):
    """Of the rows whose category is known: how many are filed rightly, wrongly and not at all.

    `unknowable` counts the rows whose category nobody can know, `guessed` those of them filed anyway.
    """

    right: int
    wrong: int
    open: int
    unknowable: int
    guessed: int


def filed_under(row: Row) -> str | None:
    """The category that the shipped rules give one row on its own, None when they would ask."""
    payee = payee_of(row.descriptor, row.name)
    money_in = row.direction == "in"
    decision = decide(
        PayeeFacts(
            key=payee.key, name=payee.name, raw=row.descriptor,
            debits=0 if money_in else 1, credits=1 if money_in else 0,
        )
    )  # fmt: skip
    category = decision.into if money_in else decision.out
    return None if decision.source is None or category in _OPEN else category


def how_filed(row: Row) -> Filed:
    """How a row of known category is filed."""
    category = filed_under(row)
    if category is None:
        return "open"
    both_card = category in _CARD and row.category in _CARD
    return "right" if both_card or category == row.category else "wrong"


def measure_filing(rows: Sequence[Row]) -> FilingFigures:
    """Count what the shipped rules do with the rows."""
    counts = Counter(how_filed(row) for row in rows if row.category)
    unknowable = [row for row in rows if not row.category]
    return FilingFigures(
        right=counts["right"],
        wrong=counts["wrong"],
        open=counts["open"],
        unknowable=len(unknowable),
        guessed=sum(filed_under(row) is not None for row in unknowable),
    )
