"""Dispatch: which function performs which operation, and the one path to all of them."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from finplan import operations as rows
from finplan.model.base import Wire
from finplan.model.errors import Forbidden, InsufficientScope
from finplan.operation import AnyOperation, UploadedFile
from finplan.service.authorization import claimed_agents, clients
from finplan.service.authorization.guests import must_have_room
from finplan.service.banking import accounts, connections
from finplan.service.categories import categories, rules
from finplan.service.context import Caller, Context
from finplan.service.credentials import audit, invites, keys, naming, passwords, sessions
from finplan.service.imports import header_profiles, imports
from finplan.service.people import deletion, people
from finplan.service.planning import builds, explain, plans, snapshots, tasks
from finplan.service.spending import spending
from finplan.service.transactions import export, transactions
from finplan.service.verdicts import duplicates, recurring, transfers

Performer = Callable[..., Awaitable[Any]]

PERFORMERS: Mapping[AnyOperation, Performer] = {
    rows.SHOW_ME: people.show_me,
    rows.CHANGE_ME: naming.change_me,
    rows.DELETE_ME: deletion.delete_me,
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
    rows.LIST_IMPORT_PROFILES: header_profiles.list_import_profiles,
    rows.FORGET_IMPORT_PROFILE: header_profiles.forget_import_profile,
    rows.LIST_ACCOUNTS: accounts.list_accounts,
    rows.LIST_ACCOUNT_RECORDS: accounts.list_account_records,
    rows.SHOW_ACCOUNT: accounts.show_account,
    rows.CHANGE_ACCOUNT: accounts.change_account,
    rows.LIST_TRANSACTIONS: transactions.list_transactions,
    rows.EXPORT_TRANSACTIONS: export.export_transactions,
    rows.QUERY_SPENDING: spending.query_spending,
    rows.LIST_TRANSFERS: transfers.list_transfers,
    rows.DECIDE_TRANSFER: transfers.decide_transfer,
    rows.LIST_RECURRING: recurring.list_recurring,
    rows.DECIDE_RECURRING: recurring.decide_recurring,
    rows.LIST_DUPLICATES: duplicates.list_duplicates,
    rows.DECIDE_DUPLICATE: duplicates.decide_duplicate,
    rows.BUILD_PLAN: plans.build_plan,
    rows.START_BUILD: builds.start_build,
    rows.SHOW_BUILD: builds.show_build,
    rows.STREAM_BUILD: builds.stream_build,
    rows.SHOW_PLAN: plans.show_plan,
    rows.VIEW_PLAN: plans.view_plan,
    rows.LIST_PLANS: plans.list_plans,
    rows.EXPLAIN_PLAN: explain.explain_plan,
    rows.SHOW_SNAPSHOT: snapshots.show_snapshot,
    rows.SET_INCOME: snapshots.set_income,
    rows.SHOW_WEALTH: snapshots.show_wealth,
    rows.LIST_TASKS: tasks.list_tasks,
    rows.ANSWER_TASK: tasks.answer_task,
    rows.UNDO_ANSWER: tasks.undo_answer,
    rows.LIST_CATEGORIES: categories.list_categories,
    rows.CREATE_CATEGORY: categories.create_category,
    rows.CHANGE_CATEGORY: categories.change_category,
    rows.REMOVE_CATEGORY: categories.remove_category,
    rows.LIST_SUGGESTIONS: categories.list_suggestions,
    rows.JUDGE_SUGGESTION: categories.judge_suggestion,
    rows.LIST_RULES: rules.list_rules,
    rows.SET_RULE: rules.set_rule,
    rows.SET_RULES: rules.set_rules,
    rows.REMOVE_RULE: rules.remove_rule,
    rows.LIST_KEYS: keys.list_keys,
    rows.CREATE_KEY: keys.create_key,
    rows.REVOKE_KEY: keys.revoke_key,
    rows.LIST_CLIENTS: clients.list_clients,
    rows.CREATE_CLIENT: clients.create_client,
    rows.REVOKE_CLIENT: clients.revoke_client,
    rows.LIST_AGENTS: claimed_agents.list_agents,
    rows.REVOKE_AGENT: claimed_agents.revoke_agent,
    rows.SET_PASSWORD: passwords.set_password,
    rows.LIST_SESSIONS: sessions.list_sessions,
    rows.END_SESSION: sessions.end_session,
    rows.CREATE_SIGN_IN_LINK: sessions.create_sign_in_link,
    rows.LIST_PEOPLE: invites.list_people,
    rows.LIST_INVITES: invites.list_invites,
    rows.CREATE_INVITE: invites.create_invite,
    rows.REVOKE_INVITE: invites.revoke_invite,
    rows.LIST_AUDIT: audit.list_audit,
}


NOT_FOR_GUESTS = frozenset(
    {
        *(rows.IMPORT_FILES, rows.CANCEL_IMPORT, rows.UNDO_IMPORT, rows.FORGET_IMPORT_PROFILE),
        *(rows.CHANGE_ME, rows.SET_RULES, rows.CREATE_CATEGORY),
    }
)
"""What an agent may not that nobody has claimed; of banks it may link the demo household alone.

It has no address to change: it would learn who has an account here, and keep others from joining.
"""


PLANNING = frozenset({rows.BUILD_PLAN, rows.START_BUILD, rows.STREAM_BUILD})
"""What keeps a plan."""


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
    if context.caller.guest and operation.scope == "write" and operation.method != "DELETE":
        await context.store.read(
            partial(must_have_room, guest=context.caller.owner, for_a_plan=operation in PLANNING)
        )
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
