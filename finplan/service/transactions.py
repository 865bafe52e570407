"""Transactions, each with its category and the reason for it."""

import base64
import binascii

from sqlalchemy import Connection, RowMapping

from finplan.model.errors import BadRequest
from finplan.model.transaction import Reason, Transaction, TransactionPage, TransactionQuery
from finplan.plan.days import date_of, day_of
from finplan.service.core import Context
from finplan.service.household import CATALOGUE, ledger_accounts
from finplan.service.lookup import find_payees, near
from finplan.store import transactions as table


async def list_transactions(context: Context, query: TransactionQuery) -> TransactionPage:
    """A page of transactions, newest first; pending rows stand before the posted ones."""
    if query.since is not None and query.until is not None and query.since > query.until:
        raise BadRequest(f"The first day, {query.since}, is after the last, {query.until}.")
    before = None if query.cursor is None else _read_cursor(query.cursor)

    def page(connection: Connection) -> TransactionPage:
        which = _filter(connection, context.caller.owner, query)
        pending = (
            []
            if before is not None or query.pending is False
            else list(table.waiting(connection, which))
        )
        if query.pending is True:
            return TransactionPage(
                transactions=tuple(_transaction(row) for row in pending), next_cursor=None
            )
        pending = pending[: query.limit]
        room = query.limit - len(pending)
        posted = table.posted(connection, which, before, room + 1)
        shown = posted[:room]
        last = (shown[-1]["day"], shown[-1]["no"]) if shown else _BEFORE_ALL
        return TransactionPage(
            transactions=tuple(_transaction(row) for row in (*pending, *shown)),
            next_cursor=_cursor(*last) if len(posted) > room else None,
        )

    return await context.store.read(page)


def _filter(connection: Connection, owner: int, query: TransactionQuery) -> table.Filter:
    for category in query.category:
        if category not in CATALOGUE:
            raise BadRequest(
                f"There is no category {category!r}. `finplan categories` lists them.",
                {"near": near(category, CATALOGUE.categories)},
            )
    return table.Filter(
        owner=owner,
        since=None if query.since is None else day_of(query.since),
        until=None if query.until is None else day_of(query.until),
        accounts=_accounts(connection, owner, query.account) if query.account else None,
        payees=find_payees(connection, owner, query.merchant) if query.merchant else None,
        categories=query.category or None,
    )


def _accounts(connection: Connection, owner: int, asked: tuple[str, ...]) -> tuple[int, ...]:
    numbers = {account.id: no for no, account in ledger_accounts(connection, owner).items()}
    for account in asked:
        if account not in numbers:
            raise BadRequest(f"There is no account {account}. `finplan accounts` lists them.")
    return tuple(numbers[account] for account in asked)


def _transaction(row: RowMapping) -> Transaction:
    pending = "transfer_id" not in row
    return Transaction(
        id=f"{'pen' if pending else 'tx'}_{row['no']}",
        account_id=row["account_id"],
        date=date_of(row["day"]),
        amount=row["amount"],
        currency=row["currency"],
        payee_key=row["payee_key"],
        payee=row["payee"],
        raw=row["raw"],
        category=row["category"],
        line=CATALOGUE[row["category"]].line,
        pending=pending,
        transfer_id=None if pending else row["transfer_id"],
        why=_reason(row),
    )


def _reason(row: RowMapping) -> Reason:
    if row["moved"]:
        return Reason(
            source="transfer",
            rule_id=None,
            confidence=None,
            text="The other half of this transfer is on another account of yours.",
        )
    if row["rule_id"] is not None:
        return Reason(
            source="user", rule_id=row["rule_id"], confidence=None, text="You filed it here."
        )
    return Reason(
        source=row["source"] or "default",
        rule_id=None,
        confidence=row["confidence"],
        text=row["why"] or "Nothing is known of this payee yet.",
    )


_BEFORE_ALL = (99991231, 0)
"""The place before the newest posted row, for a page that pending rows fill."""


def _cursor(day: int, no: int) -> str:
    return base64.urlsafe_b64encode(f"{day}.{no}".encode()).decode().rstrip("=")


def _read_cursor(cursor: str) -> tuple[int, int]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        day, no = base64.b64decode(padded, altchars=b"-_", validate=True).decode().split(".")
        return int(day), int(no)
    except (ValueError, binascii.Error):
        raise BadRequest(
            "This cursor does not come from a page of transactions. Start without one."
        ) from None
