"""Dispatch: which function performs which operation, and the one path to all of them."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from finplan.model.base import Wire
from finplan.model.errors import Forbidden, InsufficientScope
from finplan.operation import AnyOperation, UploadedFile
from finplan.operations import access, automation, household, planning
from finplan.service.authorization import claimed_agents, clients
from finplan.service.authorization.guests import must_have_room
from finplan.service.automation import jobs
from finplan.service.banking import accounts, connections, linking, page_links
from finplan.service.categories import categories, rules
from finplan.service.context import Caller, Context
from finplan.service.credentials import (
    audit,
    data_key,
    deletion,
    invites,
    keys,
    naming,
    passwords,
    sessions,
)
from finplan.service.imports import header_profiles, imports
from finplan.service.people import people
from finplan.service.planning import builds, explain, forecasts, pictured, plans, snapshots, tasks
from finplan.service.spending import months, spending
from finplan.service.transactions import export, own_word, transactions
from finplan.service.verdicts import duplicates, recurring, transfers
from finplan.service.webhooks import deliveries, webhooks

Performer = Callable[..., Awaitable[Any]]

PERFORMERS: Mapping[AnyOperation, Performer] = {
    household.SHOW_ME: people.show_me,
    household.CHANGE_ME: naming.change_me,
    household.DELETE_ME: deletion.delete_me,
    household.SHOW_SETTINGS: people.show_settings,
    household.CHANGE_SETTINGS: people.change_settings,
    household.LIST_CONNECTIONS: connections.list_connections,
    household.LIST_CONNECTION_STATES: connections.list_connection_states,
    household.LINK_CONNECTION: linking.link_connection,
    household.BEGIN_LINK: page_links.begin_link,
    household.SHOW_LINK: page_links.show_link,
    household.SHOW_CONNECTION: connections.show_connection,
    household.SHOW_UNLINKING: connections.show_unlinking,
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
    household.SHOW_TRANSACTION: transactions.show_transaction,
    household.CHANGE_TRANSACTION: own_word.change_transaction,
    household.EXPORT_TRANSACTIONS: export.export_transactions,
    household.QUERY_SPENDING: spending.query_spending,
    household.QUERY_SPENDING_MONTHS: months.query_spending_months,
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
    automation.LIST_WEBHOOKS: webhooks.list_webhooks,
    automation.LIST_WEBHOOK_RECORDS: webhooks.list_webhook_records,
    automation.CREATE_WEBHOOK: webhooks.create_webhook,
    automation.SHOW_WEBHOOK: webhooks.show_webhook,
    automation.CHANGE_WEBHOOK: webhooks.change_webhook,
    automation.REMOVE_WEBHOOK: webhooks.remove_webhook,
    automation.TRY_WEBHOOK: deliveries.try_webhook,
    automation.LIST_DELIVERIES: deliveries.list_deliveries,
    automation.RETRY_DELIVERY: deliveries.retry_delivery,
    automation.ROTATE_SECRET: webhooks.rotate_secret,
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
    access.SHOW_DATA_KEY: data_key.show_data_key,
    access.ROTATE_DATA_KEY: data_key.rotate_data_key,
    automation.LIST_JOBS: jobs.list_jobs,
    automation.RUN_JOB: jobs.run_job,
}


NOT_FOR_GUESTS = frozenset(
    {
        *{household.CHANGE_ME, household.IMPORT_FILES, household.CANCEL_IMPORT},
        *{household.UNDO_IMPORT, household.FORGET_IMPORT_PROFILE},
        *{planning.SET_RULES, planning.CREATE_CATEGORY},
        *{automation.CREATE_WEBHOOK, automation.RUN_JOB},
    }
)
"""What an agent may not that nobody has claimed; of banks it may link the demo household alone.

It has no address to change: it would learn who has an account here, and keep others from joining.
"""


FOR_PAGES: Mapping[AnyOperation, Performer] = {planning.VIEW_PLAN: pictured.pictured_plan}
"""What answers the rows that are drawn as pages with all that these show."""


PLANNING = frozenset({planning.BUILD_PLAN, planning.START_BUILD, planning.STREAM_BUILD})
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
    *,
    drawn: bool = False,
) -> Any:
    """Perform one operation for the context's caller, when `check_scope` allows it.

    `files` is given for rows whose body is an Upload. `drawn` asks for what a page of the row is drawn
    from, which may be more than its answer. Raises the faults of `model.errors`.
    """
    check_scope(context.caller, operation)
    if context.caller.guest and operation.scope == "write" and operation.method != "DELETE":
        await context.store.read(
            partial(must_have_room, guest=context.caller.owner, for_a_plan=operation in PLANNING)
        )
    performer = (FOR_PAGES if drawn else PERFORMERS)[operation]
    try:
        if files is None:
            return await performer(context, ask)
        return await performer(context, ask, files)
    except Exception:
        # Whoever was deleted meanwhile has no rows any more and cannot be given new ones, and that is
        # then what went wrong.
        await deletion.must_be_there(context)
        raise
