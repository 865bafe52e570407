"""The rows that a rule does not move, as each is one half of a transfer: how many, and what to do."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from finplan.cli.console.session import Session
from finplan.model import figures

if TYPE_CHECKING:
    from finplan.model.category import CategoryRule
    from finplan.model.transaction import Transaction


def say_rows_left(
    session: Session, rules: "Sequence[CategoryRule]", labels: Mapping[str, str]
) -> None:
    """Say of each rule how many rows of its payee stay where they are, since a transfer files them."""
    for rule in rules:
        left = [row for row in _rows(session, rule) if _stays(row, rule)]
        if left:
            session.say(_left(rule, left, labels))


def _rows(session: Session, rule: "CategoryRule") -> "Iterator[Transaction]":
    """Every posted row of a rule's payee, newest first."""
    from finplan.model.transaction import LARGEST_PAGE, TransactionQuery
    from finplan.operations.transaction import LIST_TRANSACTIONS

    asked = TransactionQuery(merchant=(rule.payee_key,), pending=False, limit=LARGEST_PAGE)
    page = session.call(LIST_TRANSACTIONS, asked)
    yield from page.transactions
    while page.next_cursor is not None:
        asked = asked.model_copy(update={"cursor": page.next_cursor})
        page = session.call(LIST_TRANSACTIONS, asked)
        yield from page.transactions


def _stays(row: "Transaction", rule: "CategoryRule") -> bool:
    is_meant = rule.amount is None or row.amount == -rule.amount
    # What the person said of one row is before every rule anyway.
    is_own = row.why.source == "user" and row.why.rule_id is None
    is_paired = row.transfer_id is not None and not is_own
    return is_meant and is_paired and row.category != rule.category


def _left(rule: "CategoryRule", rows: "Sequence[Transaction]", labels: Mapping[str, str]) -> str:
    homes = dict.fromkeys(labels.get(row.category, row.category) for row in rows)
    counted = figures.count(len(rows), "row")
    stays, each, other = (
        ("stays", "it is", "its") if len(rows) == 1 else ("stay", "each is", "their")
    )
    return (
        f"{counted} of {rule.payee_key} {stays} in {' and '.join(homes)}: {each} one half of a transfer"
        f" with another account of yours, which goes before a rule. Where that is wrong, `finplan"
        f" transfers` lists {other} other half and `finplan transfers reject ID` parts the two; what is"
        f" right can still be filed by itself, like `finplan transactions set {rows[0].id}"
        f" {rule.category}`."
    )
