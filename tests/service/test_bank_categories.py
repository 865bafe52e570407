"""The category column of a bank's CSV: it suggests where nothing else is known, and goes along."""

from collections.abc import Awaitable, Callable
from typing import Any

from finplan.model.task import CategorizePayee, TaskQuery
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.planning.tasks import list_tasks
from finplan.service.transactions import list_transactions

Import = Callable[..., Awaitable[Any]]

CARD = """Transaction Date,Post Date,Description,Category,Type,Amount,Memo
10/03/2026,10/04/2026,QUILLZWALD,Food & Drink,Sale,-20.50,
10/13/2026,10/14/2026,QUILLZWALD,Food & Drink,Sale,-27.25,
10/14/2026,10/15/2026,QUILLZWALD,Shopping,Sale,-12.00,
10/15/2026,10/16/2026,NETFLIX,Food & Drink,Sale,-15.49,
10/17/2026,10/18/2026,TERRVIXOL,Professional Services,Sale,-40.00,
"""


async def test_a_banks_category_is_suggested_and_files_nothing(
    context: Context, import_texts: Import
) -> None:
    """The question offers what most rows were sorted under, and the row says why; nothing is filed."""
    await import_texts({"card.csv": CARD}, account_kind="credit", currency="USD")
    page = await list_transactions(context, TransactionQuery())
    said = {row.payee_key: (row.category, row.why.text) for row in page.transactions}
    assert said["quillzwald"] == (
        "uncategorized",
        "The statement's own category 'Food & Drink' hints at: restaurants and coffee.",
    )
    assert said["netflix"][0] == "subscriptions"
    assert said["terrvixol"] == ("uncategorized", "Nothing is known of this payee yet.")
    (asked,) = [
        task
        for task in await list_tasks(context, TaskQuery())
        if isinstance(task, CategorizePayee) and task.payee_key == "quillzwald"
    ]
    assert (asked.suggested, asked.confidence) == ("dining", 0.6)
