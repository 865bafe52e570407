"""What a household answers to a person, to be compared with what another home answers of the same."""

import asyncio
import re
from pathlib import Path
from typing import Any

from finplan.model.account import AccountId
from finplan.model.base import Nothing, Wire
from finplan.model.detection import DuplicateQuery, TransferQuery
from finplan.model.recurring import RecurringQuery
from finplan.model.statement import ImportReport, ImportRequest
from finplan.model.task import TaskQuery
from finplan.model.transaction import ExportFormat, ExportQuery, SpendingQuery, TransactionQuery
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import list_accounts, show_account
from finplan.service.categories import list_categories
from finplan.service.context import Context
from finplan.service.export import export_transactions
from finplan.service.imports.header_profiles import list_import_profiles
from finplan.service.imports.imports import import_files
from finplan.service.people import show_settings
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import list_tasks
from finplan.service.planning.views import show_wealth
from finplan.service.rules import list_rules
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import list_duplicates
from finplan.service.verdicts.recurring import list_recurring
from finplan.service.verdicts.transfers import list_transfers

_NUMBERED = re.compile(r"^((tx|pen|curated|auto)_\d+|usr_\w+)$")
_TIMES = {"createdAt", "savedAt"}


async def exported(context: Context, wanted: ExportFormat = "json", **filters: Any) -> str:
    """The text of an export."""
    file = await export_transactions(context, ExportQuery(format=wanted, **filters))
    return b"".join([piece async for piece in file.content]).decode()


async def taken(context: Context, path: Path, text: str, **how: Any) -> ImportReport:
    """The report of an import of a text, which is written to a file first."""
    await asyncio.to_thread(path.write_text, text, encoding="utf-8", newline="")
    request = ImportRequest.model_validate(how)
    return await import_files(context, request, (UploadedFile(path.name, path),))


async def answers(context: Context) -> dict[str, Any]:
    """Everything that the household answers, but for ids by number and the times of what was worked out.

    Ids of accounts, categories, rules, transfers and verdicts are among it.
    """
    accounts = await list_accounts(context, Nothing())
    spending = [
        await query_spending(context, SpendingQuery(group_by=group))
        for group in (None, "category", "merchant", "month")
    ]
    found: dict[str, Any] = {
        "accounts": accounts,
        "records": [await show_account(context, AccountId(id=each.id)) for each in accounts],
        "settings": await show_settings(context, Nothing()),
        "categories": await list_categories(context, Nothing()),
        "rules": await list_rules(context, Nothing()),
        "answered": await list_tasks(context, TaskQuery(status="answered")),
        "open": await list_tasks(context, TaskQuery()),
        "transfers": await list_transfers(context, TransferQuery()),
        "recurring": await list_recurring(context, RecurringQuery()),
        "duplicates": await list_duplicates(context, DuplicateQuery()),
        "profiles": await list_import_profiles(context, Nothing()),
        "spending": spending,
        "wealth": await show_wealth(context, Nothing()),
        "plan": (await build_plan(context, Nothing())).plan,
    }
    page = await list_transactions(context, TransactionQuery(limit=500, pending=False))
    found["transactions"] = list(page.transactions)
    while page.next_cursor is not None:
        query = TransactionQuery(limit=500, pending=False, cursor=page.next_cursor)
        page = await list_transactions(context, query)
        found["transactions"] += page.transactions
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Wire):
        return _plain(value.model_dump(mode="json", by_alias=True))
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if name not in _TIMES}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return "…" if isinstance(value, str) and _NUMBERED.match(value) else value
