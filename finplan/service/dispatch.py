"""Dispatch: which function performs which operation, and the one path to all of them."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from finplan.model.base import Wire
from finplan.model.errors import Forbidden, InsufficientScope
from finplan.operation import AnyOperation, UploadedFile
from finplan.operations import (
    account,
    bank,
    category,
    credential,
    detection,
    person,
    plan,
    schedule,
    statement_file,
    task,
    transaction,
    webhook,
)
from finplan.service import categories, export, people, rules, spending, transactions
from finplan.service.authorization import agents, clients
from finplan.service.authorization.agents import must_have_room
from finplan.service.automation import agenda
from finplan.service.banking import accounts, connections, linking, own_accounts, page_links
from finplan.service.context import GUESTS_REACH_THE_DEMO, Caller, Context
from finplan.service.credentials import audit, data_key, keys, membership, sessions, sign_in
from finplan.service.imports import imports, profiles
from finplan.service.planning import planned_money, plans, tasks, views, what_if
from finplan.service.verdicts import duplicates, recurring, transfers
from finplan.service.webhooks import deliveries, webhooks
from finplan.store.store import Store

Performer = Callable[..., Awaitable[Any]]

PERFORMERS: Mapping[AnyOperation, Performer] = {
    person.SHOW_ME: people.show_me,
    person.CHANGE_ME: sign_in.change_me,
    person.DELETE_ME: membership.delete_me,
    person.SHOW_SETTINGS: people.show_settings,
    person.CHANGE_SETTINGS: people.change_settings,
    bank.LIST_CONNECTIONS: connections.list_connections,
    bank.LIST_CONNECTION_STATES: connections.list_connection_states,
    bank.LINK_CONNECTION: linking.link_connection,
    bank.BEGIN_LINK: page_links.begin_link,
    bank.SHOW_LINK: page_links.show_link,
    bank.SHOW_CONNECTION: connections.show_connection,
    bank.SHOW_UNLINKING: connections.show_unlinking,
    bank.UNLINK_CONNECTION: connections.unlink_connection,
    bank.SYNC_CONNECTION: connections.sync_connection,
    bank.SYNC_ALL: connections.sync_all,
    statement_file.IMPORT_FILES: imports.import_files,
    statement_file.LIST_IMPORTS: imports.list_imports,
    statement_file.UNDO_IMPORT: imports.undo_import,
    statement_file.CANCEL_IMPORT: imports.cancel_import,
    statement_file.LIST_IMPORT_PROFILES: profiles.list_import_profiles,
    statement_file.FORGET_IMPORT_PROFILE: profiles.forget_import_profile,
    account.LIST_ACCOUNTS: accounts.list_accounts,
    account.LIST_ACCOUNT_RECORDS: accounts.list_account_records,
    account.SHOW_ACCOUNT: accounts.show_account,
    account.CHANGE_ACCOUNT: accounts.change_account,
    account.ADD_ACCOUNT: own_accounts.add_account,
    account.REMOVE_ACCOUNT: own_accounts.remove_account,
    account.LIST_BALANCES: own_accounts.list_balances,
    account.SET_BALANCE: own_accounts.set_balance,
    account.REMOVE_BALANCE: own_accounts.remove_balance,
    transaction.LIST_TRANSACTIONS: transactions.list_transactions,
    transaction.SHOW_TRANSACTION: transactions.show_transaction,
    transaction.CHANGE_TRANSACTION: transactions.change_transaction,
    transaction.EXPORT_TRANSACTIONS: export.export_transactions,
    transaction.QUERY_SPENDING: spending.query_spending,
    transaction.QUERY_SPENDING_MONTHS: spending.query_spending_months,
    detection.LIST_TRANSFERS: transfers.list_transfers,
    detection.DECIDE_TRANSFER: transfers.decide_transfer,
    detection.LIST_RECURRING: recurring.list_recurring,
    detection.DECIDE_RECURRING: recurring.decide_recurring,
    detection.LIST_DUPLICATES: duplicates.list_duplicates,
    detection.DECIDE_DUPLICATE: duplicates.decide_duplicate,
    plan.BUILD_PLAN: plans.build_plan,
    plan.START_BUILD: plans.start_build,
    plan.SHOW_BUILD: plans.show_build,
    plan.STREAM_BUILD: plans.stream_build,
    plan.SHOW_PLAN: plans.show_plan,
    plan.VIEW_PLAN: plans.view_plan,
    plan.LIST_PLANS: plans.list_plans,
    plan.EXPLAIN_PLAN: views.explain_plan,
    plan.SHOW_SNAPSHOT: views.show_snapshot,
    plan.SET_INCOME: views.set_income,
    plan.SHOW_WEALTH: views.show_wealth,
    plan.SHOW_FORECAST: views.show_forecast,
    plan.TRY_CHANGES: what_if.try_changes,
    plan.LIST_PLANNED: planned_money.list_planned,
    plan.ADD_PLANNED: planned_money.add_planned,
    plan.CHANGE_PLANNED: planned_money.change_planned,
    plan.REMOVE_PLANNED: planned_money.remove_planned,
    task.LIST_TASKS: tasks.list_tasks,
    task.ANSWER_TASK: tasks.answer_task,
    task.UNDO_ANSWER: tasks.undo_answer,
    category.LIST_CATEGORIES: categories.list_categories,
    category.CREATE_CATEGORY: categories.create_category,
    category.CHANGE_CATEGORY: categories.change_category,
    category.REMOVE_CATEGORY: categories.remove_category,
    category.LIST_SUGGESTIONS: categories.list_suggestions,
    category.JUDGE_SUGGESTION: categories.judge_suggestion,
    category.LIST_RULES: rules.list_rules,
    category.SET_RULE: rules.set_rule,
    category.SET_RULES: rules.set_rules,
    category.REMOVE_RULE: rules.remove_rule,
    webhook.LIST_WEBHOOKS: webhooks.list_webhooks,
    webhook.LIST_WEBHOOK_RECORDS: webhooks.list_webhook_records,
    webhook.CREATE_WEBHOOK: webhooks.create_webhook,
    webhook.SHOW_WEBHOOK: webhooks.show_webhook,
    webhook.CHANGE_WEBHOOK: webhooks.change_webhook,
    webhook.REMOVE_WEBHOOK: webhooks.remove_webhook,
    webhook.TRY_WEBHOOK: deliveries.try_webhook,
    webhook.LIST_DELIVERIES: deliveries.list_deliveries,
    webhook.RETRY_DELIVERY: deliveries.retry_delivery,
    webhook.ROTATE_SECRET: webhooks.rotate_secret,
    credential.LIST_KEYS: keys.list_keys,
    credential.CREATE_KEY: keys.create_key,
    credential.REVOKE_KEY: keys.revoke_key,
    credential.LIST_CLIENTS: clients.list_clients,
    credential.CREATE_CLIENT: clients.create_client,
    credential.REVOKE_CLIENT: clients.revoke_client,
    credential.LIST_AGENTS: agents.list_agents,
    credential.REVOKE_AGENT: agents.revoke_agent,
    credential.SET_PASSWORD: sign_in.set_password,
    credential.LIST_SESSIONS: sessions.list_sessions,
    credential.END_SESSION: sessions.end_session,
    credential.CREATE_SIGN_IN_LINK: sessions.create_sign_in_link,
    credential.LIST_PEOPLE: membership.list_people,
    credential.LIST_INVITES: membership.list_invites,
    credential.CREATE_INVITE: membership.create_invite,
    credential.REVOKE_INVITE: membership.revoke_invite,
    credential.LIST_AUDIT: audit.list_audit,
    credential.SHOW_DATA_KEY: data_key.show_data_key,
    credential.ROTATE_DATA_KEY: data_key.rotate_data_key,
    schedule.LIST_JOBS: agenda.list_jobs,
    schedule.RUN_JOB: agenda.run_job,
}


NOT_FOR_GUESTS = frozenset(
    {
        *{person.CHANGE_ME, statement_file.IMPORT_FILES, statement_file.CANCEL_IMPORT},
        *{statement_file.UNDO_IMPORT, statement_file.FORGET_IMPORT_PROFILE},
        *{category.SET_RULES, category.CREATE_CATEGORY},
        *{webhook.CREATE_WEBHOOK, schedule.RUN_JOB},
    }
)
"""What an agent may not that nobody has claimed; of banks it may link the demo household alone.

It has no address to change: it would learn who has an account here, and keep others from joining.
"""


FOR_PAGES: Mapping[AnyOperation, Performer] = {plan.VIEW_PLAN: views.pictured_plan}
"""What answers the rows that are drawn as pages with all that these show."""


PLANNING = frozenset({plan.BUILD_PLAN, plan.START_BUILD, plan.STREAM_BUILD})
"""What keeps a plan."""


def check_scope(caller: Caller, operation: AnyOperation) -> None:
    """Raise Forbidden unless the caller's credential allows an operation."""
    if operation.scope in caller.scopes:
        if caller.guest and operation in NOT_FOR_GUESTS:
            raise Forbidden(GUESTS_REACH_THE_DEMO)
        return
    if operation.scope == "session":
        why = "Only you can do this, with the `finplan` command or in the browser."
    else:
        why = f"This action needs the scope `service:{operation.scope}`."
    message = f"This credential does not allow “{operation.summary.rstrip('.')}”. {why}"
    if operation.scope == "session":
        raise Forbidden(message)
    raise InsufficientScope(message, f"service:{operation.scope}")


def must_be_whole(store: Store, operation: AnyOperation) -> None:
    """Refuse a change of a damaged store before anything is done for it. Raises StoreDamaged."""
    if operation.method != "GET" and store.damage is not None:
        raise store.damage


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
    must_be_whole(context.store, operation)
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
        await membership.must_be_there(context)
        raise
