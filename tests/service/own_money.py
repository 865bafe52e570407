"""Statement files of own accounts, and a bank that answers prepared pages, for tests of verdicts."""

from dataclasses import dataclass, field, replace
from datetime import date

from sqlalchemy import Connection

from finplan.banks.base import Access, BankAccount, BankTransaction, Link, SyncPage
from finplan.model.connection import Institution, LinkRequest
from finplan.model.detection import Transfer, TransferQuery
from finplan.model.transaction import SpendingQuery
from finplan.service.banking.linking import link_connection
from finplan.service.context import Caller, Context
from finplan.service.spending import query_spending
from finplan.service.verdicts.transfers import list_transfers
from finplan.store.queries import people
from finplan.store.sealing import Sealer


def csv(*rows: str) -> str:
    """A statement of rows "day,text,amount"."""
    return "\n".join(("Date,Description,Amount", *rows, ""))


async def transfers(context: Context, *status: str) -> tuple[Transfer, ...]:
    """The transfers of some statuses, or all."""
    return await list_transfers(context, TransferQuery(status=status))


async def statuses(context: Context) -> dict[tuple[int, int], str]:
    """The status of every transfer by the amounts of its rows."""
    return {(each.out.amount, each.into.amount): each.status for each in await transfers(context)}


async def spent(context: Context) -> int:
    """What was spent in all."""
    return (await query_spending(context, SpendingQuery())).total


async def second_person(context: Context) -> Context:
    """A context of another person in the same store."""

    def add(connection: Connection) -> int:
        return people.add_person(
            connection,
            {"id": "usr_bob", "email": "bob@localhost", "created_at": 0, "time_zone": "UTC"},
        )

    owner = await context.store.write(add)
    return replace(context, caller=Caller(owner, context.caller.scopes, context.caller.kind))


@dataclass
class Branch:
    """What one institution holds, and what it takes back with the next sync."""

    accounts: tuple[BankAccount, ...]
    rows: list[BankTransaction] = field(default_factory=list)
    modified: list[BankTransaction] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


class Bank:
    """A bank whose every sync brings all rows of an institution that it has not brought yet."""

    title = "Scripted"
    requests_a_day: int | None = None

    def __init__(self, **branches: Branch) -> None:
        self.branches = branches

    def recognises(self, _public_token: str) -> bool:
        """Every token is one of its own."""
        return True

    async def exchange(self, public_token: str) -> Access:
        """The token is the secret."""
        return Access(public_token)

    def after_relink(self, cursor: str | None) -> str | None:
        """It goes on."""
        return cursor

    async def leave(self, _secret: str) -> None:
        """There is nothing to end."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:  # noqa: ARG002
        """Answer one page."""
        branch = self.branches[link.institution]
        since = int(cursor or 0)
        page = SyncPage(
            accounts=branch.accounts,
            added=tuple(branch.rows[since:]),
            modified=tuple(branch.modified),
            removed=tuple(branch.removed),
            cursor=str(len(branch.rows)),
        )
        branch.modified, branch.removed = [], []
        return page


async def sealer() -> Sealer:
    """What seals the secrets of tests."""
    return Sealer(bytes(32))


async def linked(context: Context, bank: Bank, name: str) -> tuple[Context, str]:
    """Link an institution; answers a context that knows the bank, and the connection's id."""
    known = replace(context, aggregators={"scripted": bank}, sealer=sealer)
    ask = LinkRequest(
        provider="aggregator", public_token="a token", institution=Institution(name=name)
    )
    made = await link_connection(known, ask)
    return known, made.answer.connection.id
