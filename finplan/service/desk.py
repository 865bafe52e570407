"""The desk: which function performs which operation, and the one path to all of them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from finplan import operations as rows
from finplan.model.base import Wire
from finplan.model.errors import Forbidden
from finplan.operation import AnyOperation, UploadedFile
from finplan.service import (
    accounts,
    connections,
    export,
    imports,
    people,
    plans,
    rules,
    snapshots,
    spending,
    tasks,
    transactions,
)
from finplan.service.core import Context

Performer = Callable[..., Awaitable[Any]]

PERFORMERS: Mapping[AnyOperation, Performer] = {
    rows.SHOW_ME: people.show_me,
    rows.CHANGE_ME: people.change_me,
    rows.SHOW_SETTINGS: people.show_settings,
    rows.CHANGE_SETTINGS: people.change_settings,
    rows.LIST_CONNECTIONS: connections.list_connections,
    rows.LINK_CONNECTION: connections.link_connection,
    rows.SHOW_CONNECTION: connections.show_connection,
    rows.UNLINK_CONNECTION: connections.unlink_connection,
    rows.SYNC_CONNECTION: connections.sync_connection,
    rows.SYNC_ALL: connections.sync_all,
    rows.IMPORT_FILES: imports.import_files,
    rows.LIST_IMPORTS: imports.list_imports,
    rows.UNDO_IMPORT: imports.undo_import,
    rows.CANCEL_IMPORT: imports.cancel_import,
    rows.LIST_ACCOUNTS: accounts.list_accounts,
    rows.SHOW_ACCOUNT: accounts.show_account,
    rows.CHANGE_ACCOUNT: accounts.change_account,
    rows.LIST_TRANSACTIONS: transactions.list_transactions,
    rows.EXPORT_TRANSACTIONS: export.export_transactions,
    rows.QUERY_SPENDING: spending.query_spending,
    rows.BUILD_PLAN: plans.build_plan,
    rows.SHOW_PLAN: plans.show_plan,
    rows.VIEW_PLAN: plans.view_plan,
    rows.LIST_PLANS: plans.list_plans,
    rows.SHOW_SNAPSHOT: snapshots.show_snapshot,
    rows.SET_INCOME: snapshots.set_income,
    rows.SHOW_WEALTH: snapshots.show_wealth,
    rows.LIST_TASKS: tasks.list_tasks,
    rows.ANSWER_TASK: tasks.answer_task,
    rows.UNDO_ANSWER: tasks.undo_answer,
    rows.LIST_CATEGORIES: rules.list_categories,
    rows.LIST_RULES: rules.list_rules,
    rows.SET_RULE: rules.set_rule,
    rows.REMOVE_RULE: rules.remove_rule,
}


async def perform(
    context: Context,
    operation: AnyOperation,
    ask: Wire,
    files: tuple[UploadedFile, ...] | None = None,
) -> Any:
    """Perform one operation for the context's caller; the scope is checked here and nowhere else.

    `files` is given for rows whose body is an Upload. Raises the faults of `model.errors`.
    """
    if operation.scope not in context.caller.scopes:
        raise Forbidden(f"This credential may not {operation.summary.rstrip('.').lower()}.")
    performer = PERFORMERS[operation]
    if files is None:
        return await performer(context, ask)
    return await performer(context, ask, files)
