"""The rows behind a question, as the bank wrote them."""

from finplan.model.task import CategorizePayee
from finplan.model.transaction import LARGEST_PAGE, Transaction, TransactionQuery
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.tui.feed import Feed

_UNEXPLAINED = ("uncategorized", "unknown_inflow")


async def rows_of(feed: Feed, task: CategorizePayee) -> tuple[Transaction, ...]:
    """The rows that a question is about, newest first. Raises NotAnswered.

    A question about one row names its day; one about a payee has its newest unexplained rows.
    """
    alone = task.count == 1
    query = TransactionQuery(
        merchant=(task.payee_key,),
        category=_UNEXPLAINED,
        pending=False,
        since=task.last_date if alone else None,
        until=task.last_date if alone else None,
        limit=max(1, min(task.count + 20, LARGEST_PAGE)),
    )
    page = await feed.ask(LIST_TRANSACTIONS, query)
    own = [row for row in page.transactions if row.payee_key == task.payee_key]
    if alone:
        own = [row for row in own if -row.amount == task.total]
    return tuple(own[: task.count])
