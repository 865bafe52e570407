"""Dispatch: which function performs which operation, and the one path to all of them."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from finplan.model.base import Wire
from finplan.model.errors import Forbidden, InsufficientScope
from finplan.operation import AnyOperation, UploadedFile
from finplan.operations import access, household, planning
from finplan.service.authorization import claimed_agents, clients
from finplan.service.banking import accounts, connections
from finplan.service.categories import categories, rules
from finplan.service.context import Caller, Context
from finplan.service.credentials import audit, invites, keys, passwords, sessions
from finplan.service.imports import header_profiles, imports
from finplan.service.people import deletion, people
from finplan.service.planning import builds, explain, forecasts, plans, snapshots, tasks
from finplan.service.spending import spending
from finplan.service.transactions import export, transactions
from finplan.service.verdicts import duplicates, recurring, transfers

Performer = Callable[..., Awaitable[Any]]

PERFORMERS: Mapping[AnyOperation, Performer] = {
    household.SHOW_ME: people.show_me,
    household.CHANGE_ME: people.change_me,
    household.DELETE_ME: deletion.delete_me,
    household.SHOW_SETTINGS: people.show_settings,
    household.CHANGE_SETTINGS: people.change_settings,
    household.LIST_CONNECTIONS: connections.list_connections,
    household.LINK_CONNECTION: connections.link_connection,
    household.SHOW_CONNECTION: connections.show_connection,
    household.UNLINK_CONNECTION: connections.unlink_connection,
    household.SYNC_CONNECTION: connections.sync_connection,
    household.SYNC_ALL: connections.sync_all,
    household.IMPORT_FILES: imports.import_files,
    household.LIST_IMPORTS: imports.list_imports,
    household.UNDO_IMPORT: imports.undo_import,
    household.CANCEL_IMPORT: imports.cancel_import,
    household.LIST_IMPORT_PROFILES: header_profiles.list_import_profiles,
    household.FORGET_IMPORT_PROFILE: header_profiles.forget_import_profile,
    household.LIST_ACCOUNTS: accounts.list_accounts,
    household.LIST_ACCOUNT_RECORDS: accounts.list_account_records,
    household.SHOW_ACCOUNT: accounts.show_account,
    household.CHANGE_ACCOUNT: accounts.change_account,
    household.LIST_TRANSACTIONS: transactions.list_transactions,
    household.EXPORT_TRANSACTIONS: export.export_transactions,
    household.QUERY_SPENDING: spending.query_spending,
    planning.LIST_TRANSFERS: transfers.list_transfers,
    planning.DECIDE_TRANSFER: transfers.decide_transfer,
    planning.LIST_RECURRING: recurring.list_recurring,
    planning.DECIDE_RECURRING: recurring.decide_recurring,
    planning.LIST_DUPLICATES: duplicates.list_duplicates,
    planning.DECIDE_DUPLICATE: duplicates.decide_duplicate,
    planning.BUILD_PLAN: plans.build_plan,
    planning.START_BUILD: builds.start_build,
    planning.SHOW_BUILD: builds.show_build,
    planning.STREAM_BUILD: builds.stream_build,
    planning.SHOW_PLAN: plans.show_plan,
    planning.VIEW_PLAN: plans.view_plan,
    planning.LIST_PLANS: plans.list_plans,
    planning.EXPLAIN_PLAN: explain.explain_plan,
    planning.SHOW_SNAPSHOT: snapshots.show_snapshot,
    planning.SET_INCOME: snapshots.set_income,
    planning.SHOW_WEALTH: snapshots.show_wealth,
    planning.SHOW_FORECAST: forecasts.show_forecast,
    planning.LIST_TASKS: tasks.list_tasks,
    planning.ANSWER_TASK: tasks.answer_task,
    planning.UNDO_ANSWER: tasks.undo_answer,
    planning.LIST_CATEGORIES: categories.list_categories,
    planning.CREATE_CATEGORY: categories.create_category,
    planning.CHANGE_CATEGORY: categories.change_category,
    planning.REMOVE_CATEGORY: categories.remove_category,
    planning.LIST_SUGGESTIONS: categories.list_suggestions,
    planning.JUDGE_SUGGESTION: categories.judge_suggestion,
    planning.LIST_RULES: rules.list_rules,
    planning.SET_RULE: rules.set_rule,
    planning.SET_RULES: rules.set_rules,
    planning.REMOVE_RULE: rules.remove_rule,
    access.LIST_KEYS: keys.list_keys,
    access.CREATE_KEY: keys.create_key,
    access.REVOKE_KEY: keys.revoke_key,
    access.LIST_CLIENTS: clients.list_clients,
    access.CREATE_CLIENT: clients.create_client,
    access.REVOKE_CLIENT: clients.revoke_client,
    access.LIST_AGENTS: claimed_agents.list_agents,
    access.REVOKE_AGENT: claimed_agents.revoke_agent,
    access.SET_PASSWORD: passwords.set_password,
    access.LIST_SESSIONS: sessions.list_sessions,
    access.END_SESSION: sessions.end_session,
    access.CREATE_SIGN_IN_LINK: sessions.create_sign_in_link,
    access.LIST_PEOPLE: invites.list_people,
    access.LIST_INVITES: invites.list_invites,
    access.CREATE_INVITE: invites.create_invite,
    access.REVOKE_INVITE: invites.revoke_invite,
    access.LIST_AUDIT: audit.list_audit,
}


NOT_FOR_GUESTS = frozenset(
    {
        *{household.CHANGE_ME, household.IMPORT_FILES, household.CANCEL_IMPORT},
        *{household.UNDO_IMPORT, household.FORGET_IMPORT_PROFILE},
        *{planning.SET_RULES, planning.CREATE_CATEGORY},
    }
)
"""What an agent may not that nobody has claimed; of banks it may link the demo household alone.

It has no address to change: it would learn who has an account here, and keep others from joining.
"""


def check_scope(caller: Caller, operation: AnyOperation) -> None:
    """Raise Forbidden unless the caller's credential allows an operation."""
    if operation.scope in caller.scopes:
        if caller.guest and operation in NOT_FOR_GUESTS:
            raise Forbidden(
                "An agent that nobody has claimed reaches the demo household alone. Have your person"
                " claim you: POST /agent/identity/claim."
            )
        return
    if operation.scope == "session":
        why = "Only you yourself may, with the `finplan` command or in the browser."
    else:
        why = f"It lacks the scope `service:{operation.scope}`."
    asked = operation.summary.partition(";")[0].rstrip(".")
    # What is only read is called by what it is, the rest by what it does.
    does = "see " if operation.method == "GET" else ""
    told = f"This credential may not {does}{asked[0].lower()}{asked[1:]}. {why}"
    if operation.scope == "session":
        raise Forbidden(told)
    raise InsufficientScope(told, f"service:{operation.scope}")


async def perform(
    context: Context,
    operation: AnyOperation,
    ask: Wire,
    files: tuple[UploadedFile, ...] | None = None,
) -> Any:
    """Perform one operation for the context's caller, when `check_scope` allows it.

    `files` is given for rows whose body is an Upload. Raises the faults of `model.errors`.
    """
    check_scope(context.caller, operation)
    performer = PERFORMERS[operation]
    try:
        if files is None:
            return await performer(context, ask)
        return await performer(context, ask, files)
    except Exception:
        # Whoever was deleted meanwhile has no rows any more and cannot be given new ones, and that is
        # then what went wrong.
        await deletion.must_be_there(context)
        raise
