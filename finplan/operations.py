"""THE TABLE: one row for each thing a caller may ask for.

REST routes, the published description, the typed client, and so the CLI, all come from these rows;
`service.dispatch.PERFORMERS` has one function for each. A path parameter is a field of the row's
`asks`; its other fields travel in the query string of a GET or DELETE and in the body of anything else.
A family stands before its rows.
"""

from finplan.model import account as accounts
from finplan.model import build as builds
from finplan.model import category as categories
from finplan.model import connection as connections
from finplan.model import duplicate as duplicates
from finplan.model import explain as explanations
from finplan.model import export as exports
from finplan.model import plan as plans
from finplan.model import recurring as recurrings
from finplan.model import snapshot as snapshots
from finplan.model import spending as spendings
from finplan.model import statement as statements
from finplan.model import task as tasks
from finplan.model import transaction as transactions
from finplan.model import transfer as transfers
from finplan.model import user as users
from finplan.model import wealth as wealths
from finplan.model.access import audit as audits
from finplan.model.access import client as clients
from finplan.model.access import invite as invites
from finplan.model.access import key as keys
from finplan.model.access import session as sessions
from finplan.model.base import Nothing
from finplan.model.errors import (
    Conflict,
    Forbidden,
    NoConnections,
    NotFound,
    StorageFull,
    UnsupportedProvider,
)
from finplan.operation import (
    Accepts,
    AnyOperation,
    Creates,
    Derived,
    Download,
    Family,
    Links,
    Operation,
    StreamedFile,
    Streams,
    Upload,
)

# A table is easier to read with few lines for each row.
# fmt: off

YOU = Family("You", "Who you are, and how your household is planned.")

SHOW_ME = Operation(YOU, "show_me", "GET", "/me",
    Nothing, users.User, "read",
    "Who you are.")
CHANGE_ME = Operation(YOU, "change_me", "PATCH", "/me",
    users.UserChange, users.User, "write",
    "Change your name or email.")
DELETE_ME = Operation(YOU, "delete_me", "DELETE", "/me",
    Nothing, users.DeletedPerson, "session",
    "Delete your account with everything in it; every credential ends at once.")
SHOW_SETTINGS = Operation(YOU, "show_settings", "GET", "/settings",
    Nothing, users.HouseholdSettings, "read",
    "The household's currency, time zone, budget shares and emergency fund target.")
CHANGE_SETTINGS = Operation(YOU, "change_settings", "PATCH", "/settings",
    users.SettingsChange, users.HouseholdSettings, "write",
    "Change the household's settings.")

BANKS = Family("Banks", "Banks that are linked, and fetching what is new at them.")

LIST_CONNECTIONS = Operation(BANKS, "list_connections", "GET", "/connections",
    Nothing, tuple[connections.ConnectionRecord, ...], "read",
    "The linked banks.", Derived(),
    links=Links("/0/connection/id", to=("show_connection", "sync_connection")))
LINK_CONNECTION = Operation(BANKS, "link_connection", "POST", "/connections",
    connections.LinkRequest, connections.ConnectionRecord, "write",
    "Link a bank; `demo` gives a synthetic household.", Creates(again=True),
    faults=(Conflict, UnsupportedProvider),
    links=Links("/connection/id", to=("show_connection", "sync_connection", "unlink_connection")))
SHOW_CONNECTION = Operation(BANKS, "show_connection", "GET", "/connections/{id}",
    connections.ConnectionId, connections.ConnectionRecord, "read",
    "One linked bank.",
    faults=(NotFound,))
UNLINK_CONNECTION = Operation(BANKS, "unlink_connection", "DELETE", "/connections/{id}",
    connections.ConnectionId, connections.ConnectionRecord, "write",
    "Unlink a bank and delete its accounts and transactions.",
    faults=(NotFound,))
SYNC_CONNECTION = Operation(BANKS, "sync_connection", "POST", "/connections/{id}/sync",
    connections.ConnectionId, connections.SyncReport, "write",
    "Fetch what is new at one bank.",
    faults=(NotFound, Conflict))
SYNC_ALL = Operation(BANKS, "sync_all", "POST", "/connections/sync",
    Nothing, tuple[connections.SyncReport, ...], "write",
    "Fetch what is new at every bank.")

FILES = Family("Statement files", "Files of a bank or of another program, brought in and undone.")

IMPORT_FILES = Operation(FILES, "import_files", "POST", "/imports",
    statements.ImportRequest, statements.ImportReport, "write",
    "Import statement files; all or nothing, and `dryRun` only tells what would happen.", Upload(),
    faults=(Conflict,), links=Links("/id", to=("undo_import",)))
LIST_IMPORTS = Operation(FILES, "list_imports", "GET", "/imports",
    Nothing, tuple[statements.ImportRecord, ...], "read",
    "The imports; newest first.", Derived(), links=Links("/0/id", to=("undo_import",)))
UNDO_IMPORT = Operation(FILES, "undo_import", "DELETE", "/imports/{id}",
    statements.ImportId, statements.ImportRecord, "write",
    "Undo an import; everything is as it was before.",
    faults=(NotFound, Conflict))
CANCEL_IMPORT = Operation(FILES, "cancel_import", "DELETE", "/imports/running/{id}",
    statements.ImportId, Nothing, "write",
    "Cancel an import that has not been committed yet.",
    faults=(NotFound, Conflict))
LIST_IMPORT_PROFILES = Operation(FILES, "list_import_profiles", "GET", "/imports/profiles",
    Nothing, tuple[statements.ImportProfile, ...], "read",
    "How CSV files are read; as you said it of earlier ones with the same header.", Derived(),
    links=Links("/0/id", to=("forget_import_profile",)))
FORGET_IMPORT_PROFILE = Operation(FILES, "forget_import_profile", "DELETE", "/imports/profiles/{id}",
    statements.ProfileId, statements.ImportProfile, "write",
    "Forget what you said of files with one header.",
    faults=(NotFound,))

ACCOUNTS = Family("Accounts", "Your accounts, with what only you know of them.")

LIST_ACCOUNTS = Operation(ACCOUNTS, "list_accounts", "GET", "/accounts",
    Nothing, tuple[accounts.Account, ...], "read",
    "The accounts.", Derived(), links=Links("/0/id", to=("show_account", "change_account")))
LIST_ACCOUNT_RECORDS = Operation(ACCOUNTS, "list_account_records", "GET", "/accounts/records",
    Nothing, tuple[accounts.AccountRecord, ...], "read",
    "The accounts, each with what only you know of it.", Derived(),
    links=Links("/0/account/id", to=("show_account", "change_account")))
SHOW_ACCOUNT = Operation(ACCOUNTS, "show_account", "GET", "/accounts/{id}",
    accounts.AccountId, accounts.AccountRecord, "read",
    "One account with what only you know of it.",
    faults=(NotFound,))
CHANGE_ACCOUNT = Operation(ACCOUNTS, "change_account", "PATCH", "/accounts/{id}",
    accounts.AccountChange, accounts.AccountRecord, "write",
    "Correct an account, add its rate, or hide it.",
    faults=(NotFound,))

TRANSACTIONS = Family("Transactions",
    "Every row, exact totals of spending, and files that other programs read.")

LIST_TRANSACTIONS = Operation(TRANSACTIONS, "list_transactions", "GET", "/transactions",
    transactions.TransactionQuery, transactions.TransactionPage, "read",
    "Transactions; newest first, a page at a time.", Derived(),
    links=Links("/nextCursor", to=("list_transactions",), parameter="cursor"))
EXPORT_TRANSACTIONS = Operation(TRANSACTIONS, "export_transactions", "GET", "/export",
    exports.ExportQuery, StreamedFile, "read",
    "Posted transactions as a file; JSON, CSV, or a journal of hledger or beancount.",
    Download(media_types=("application/json", "text/csv", "text/plain")))
QUERY_SPENDING = Operation(TRANSACTIONS, "query_spending", "GET", "/spending",
    spendings.SpendingQuery, spendings.SpendingReport, "read",
    "Exact totals of spending after category rules.", Derived())

DETECTION = Family("Detection",
    "What is one transfer, what comes again and what is seen twice; your word on it holds.")

LIST_TRANSFERS = Operation(DETECTION, "list_transfers", "GET", "/transfers",
    transfers.TransferQuery, tuple[transfers.Transfer, ...], "read",
    "Pairs of rows that are, or may be, money moved between your own accounts.", Derived(),
    links=Links("/0/id", to=("decide_transfer",)))
DECIDE_TRANSFER = Operation(DETECTION, "decide_transfer", "PUT", "/transfers/{id}",
    transfers.TransferVerdict, transfers.Transfer, "write",
    "Confirm or reject that two rows are one transfer; `auto` takes it back.",
    faults=(NotFound, Conflict))
LIST_RECURRING = Operation(DETECTION, "list_recurring", "GET", "/recurring",
    recurrings.RecurringQuery, tuple[recurrings.RecurringSeries, ...], "read",
    "Charges and income that come again, going on or over.", Derived(),
    links=Links("/0/id", to=("decide_recurring",)))
DECIDE_RECURRING = Operation(DETECTION, "decide_recurring", "PUT", "/recurring/{id}",
    recurrings.RecurringVerdict, recurrings.RecurringSeries, "write",
    "Confirm what comes again, or dismiss it from the plan; `auto` takes it back.",
    faults=(NotFound,))
LIST_DUPLICATES = Operation(DETECTION, "list_duplicates", "GET", "/duplicates",
    duplicates.DuplicateQuery, tuple[duplicates.Duplicate, ...], "read",
    "Rows and accounts that may be one thing seen twice.", Derived(),
    links=Links("/0/id", to=("decide_duplicate",)))
DECIDE_DUPLICATE = Operation(DETECTION, "decide_duplicate", "PUT", "/duplicates/{id}",
    duplicates.DuplicateVerdict, duplicates.Duplicate, "write",
    "Say that two are the same, so that one is left out, or different; `auto` takes it back.",
    faults=(NotFound, Conflict))

PLAN = Family("Plan", "Your plan, the live view of your money, and wealth.")

BUILD_PLAN = Operation(PLAN, "build_plan", "POST", "/plan",
    Nothing, plans.StoredPlan, "write",
    "Build a plan and keep it.",
    faults=(NoConnections,))
START_BUILD = Operation(PLAN, "start_build", "POST", "/plan/builds",
    Nothing, builds.Build, "write",
    "Start building a plan; ask for the build until it is done.", Accepts(at="/plan/builds/{id}"),
    faults=(NoConnections,), links=Links("/id", to=("show_build",)))
SHOW_BUILD = Operation(PLAN, "show_build", "GET", "/plan/builds/{id}",
    builds.BuildId, builds.Build, "read",
    "How a build stands.",
    faults=(NotFound,))
STREAM_BUILD = Operation(PLAN, "stream_build", "POST", "/plan/build",
    Nothing, builds.Build, "write",
    "Build a plan and follow how it goes; as server-sent events.", Streams(done=plans.StoredPlan),
    faults=(NoConnections,))
SHOW_PLAN = Operation(PLAN, "show_plan", "GET", "/plan",
    Nothing, plans.StoredPlan, "read",
    "The latest plan.", Derived(),
    faults=(NotFound,))
VIEW_PLAN = Operation(PLAN, "view_plan", "GET", "/plan/view",
    Nothing, snapshots.PlanView, "read",
    "The latest plan with the live snapshot, open questions and the age of the data.",
    Derived(page=True),
    faults=(NoConnections, StorageFull))
LIST_PLANS = Operation(PLAN, "list_plans", "GET", "/plans",
    Nothing, tuple[plans.StoredPlan, ...], "read",
    "The plans built so far; newest first.", Derived())
EXPLAIN_PLAN = Operation(PLAN, "explain_plan", "GET", "/plan/explain/{section}",
    explanations.SectionName, explanations.Explanation, "read",
    "How a section of the plan, or a category, comes about; formulas, reasons and transactions.",
    Derived(),
    faults=(NotFound, NoConnections))
SHOW_SNAPSHOT = Operation(PLAN, "show_snapshot", "GET", "/snapshot",
    Nothing, snapshots.Snapshot, "read",
    "What is safe to spend now, and why.", Derived(),
    faults=(NoConnections, StorageFull))
SET_INCOME = Operation(PLAN, "set_income", "PUT", "/snapshot/income",
    snapshots.IncomeRequest, snapshots.Snapshot, "write",
    "Set your own figure of monthly income, or return to the detected one.",
    faults=(NoConnections,))
SHOW_WEALTH = Operation(PLAN, "show_wealth", "GET", "/wealth",
    Nothing, wealths.Wealth, "read",
    "What you own and owe, today and over time.", Derived())

QUESTIONS = Family("Questions", "Questions that only you can answer.")

LIST_TASKS = Operation(QUESTIONS, "list_tasks", "GET", "/tasks",
    tasks.TaskQuery, tuple[tasks.Task, ...], "read",
    "Questions that only you can answer; the most money first.", Derived(),
    links=Links("/0/id", to=("answer_task",)))
ANSWER_TASK: Operation[tasks.TaskAnswer, tasks.TaskOutcome] = Operation(
    QUESTIONS, "answer_task", "POST", "/tasks/{id}/answer",
    tasks.TaskAnswer, tasks.TaskOutcome, "write",  # type: ignore[arg-type]  # No type of mypy fits a union.
    "Answer a question or a part of it, dismiss it, or see what an answer would move.",
    faults=(NotFound, Conflict), links=Links("/id", to=("undo_answer",)))
UNDO_ANSWER: Operation[tasks.TaskId, tasks.Task] = Operation(
    QUESTIONS, "undo_answer", "DELETE", "/tasks/{id}/answer",
    tasks.TaskId, tasks.Task, "write",  # type: ignore[arg-type]
    "Take the newest answer to a question back.",
    faults=(NotFound,))

CATEGORIES = Family("Categories", "Categories, and the rules that file payees under them.")

LIST_CATEGORIES = Operation(CATEGORIES, "list_categories", "GET", "/categories",
    Nothing, tuple[categories.CategoryChoice, ...], "read",
    "The categories that a payee can be filed under.", Derived())
CREATE_CATEGORY = Operation(CATEGORIES, "create_category", "POST", "/categories",
    categories.NewCategory, categories.CreatedCategory, "write",
    "Make a category of your own, and file payees under it.", Creates(),
    faults=(Conflict,),
    links=Links(
        "/category/category", to=("change_category", "remove_category"), parameter="category"))
CHANGE_CATEGORY = Operation(CATEGORIES, "change_category", "PATCH", "/categories/{category}",
    categories.CategoryChange, categories.CategoryChoice, "write",
    "Rename a category of yours, or put it on another line.",
    faults=(NotFound, Conflict))
REMOVE_CATEGORY = Operation(CATEGORIES, "remove_category", "DELETE", "/categories/{category}",
    categories.CategoryRemoval, categories.RemovedCategory, "write",
    "Remove a category of yours; its charges are kept, and with `mergeInto` go to another one.",
    faults=(NotFound, Conflict))
LIST_SUGGESTIONS = Operation(CATEGORIES, "list_suggestions", "GET", "/categories/suggestions",
    Nothing, tuple[categories.CategorySuggestion, ...], "read",
    "Themes in your charges that might deserve a category of their own.", Derived())
JUDGE_SUGGESTION = Operation(CATEGORIES, "judge_suggestion", "PUT", "/categories/suggestions",
    categories.SuggestionVerdict, tuple[categories.CategorySuggestion, ...], "write",
    "Keep a suggestion away, or let it come again.",
    faults=(NotFound,))
LIST_RULES = Operation(CATEGORIES, "list_rules", "GET", "/categories/rules",
    Nothing, tuple[categories.CategoryRule, ...], "read",
    "The rules in force; yours first, then inferred, then curated ones.", Derived())
SET_RULE = Operation(CATEGORIES, "set_rule", "PUT", "/categories/rules",
    categories.RuleRequest, categories.CategoryRule, "write",
    "File a payee, or only its charges of one exact amount, under a category.",
    faults=(NotFound,), links=Links("/id", to=("remove_rule",)))
SET_RULES = Operation(CATEGORIES, "set_rules", "PUT", "/categories/rules/batch",
    categories.RuleBatch, categories.RuleBatchResult, "write",
    "File up to a hundred payees at once; what is wrong with one stops no other.")
REMOVE_RULE = Operation(CATEGORIES, "remove_rule", "DELETE", "/categories/rules/{id}",
    categories.RuleId, categories.CategoryRule, "write",
    "Remove a rule of yours.",
    faults=(NotFound, Conflict))

CREDENTIALS = Family("Credentials",
    "What lets people and programs in: managed by a first-party session, and by nothing else.")

LIST_KEYS = Operation(CREDENTIALS, "list_keys", "GET", "/keys",
    Nothing, tuple[keys.ApiKey, ...], "session",
    "The API keys; without their secrets.")
CREATE_KEY = Operation(CREDENTIALS, "create_key", "POST", "/keys",
    keys.NewKey, keys.CreatedKey, "session",
    "Make an API key; its secret is shown this once.", Creates())
REVOKE_KEY = Operation(CREDENTIALS, "revoke_key", "DELETE", "/keys/{id}",
    keys.KeyId, keys.ApiKey, "session",
    "Revoke an API key; whoever shows it is refused from now on.",
    faults=(NotFound,))
LIST_CLIENTS = Operation(CREDENTIALS, "list_clients", "GET", "/clients",
    Nothing, tuple[clients.OAuthClient, ...], "session",
    "The OAuth clients that you made or let in; the newest first.",
    links=Links("/0/id", to=("revoke_client",)))
CREATE_CLIENT = Operation(CREDENTIALS, "create_client", "POST", "/clients",
    clients.NewClient, clients.CreatedClient, "session",
    "Make an OAuth client; the secret of a confidential one is shown this once.", Creates(),
    links=Links("/id", to=("revoke_client",)))
REVOKE_CLIENT = Operation(CREDENTIALS, "revoke_client", "DELETE", "/clients/{id}",
    clients.ClientId, clients.OAuthClient, "session",
    "Take back all that you granted a client, and remove it if you made it.",
    faults=(NotFound,))
LIST_AGENTS = Operation(CREDENTIALS, "list_agents", "GET", "/agents",
    Nothing, tuple[clients.Agent, ...], "session",
    "The agents that you have claimed; the newest first.",
    links=Links("/0/id", to=("revoke_agent",)))
REVOKE_AGENT = Operation(CREDENTIALS, "revoke_agent", "DELETE", "/agents/{id}",
    clients.AgentId, clients.Agent, "session",
    "Take an agent's access back; its tokens and its assertion are dead from now on.",
    faults=(NotFound,))
SET_PASSWORD = Operation(CREDENTIALS, "set_password", "PUT", "/me/password",
    sessions.PasswordChange, sessions.PasswordSet, "session",
    "Set the password that you sign in with; every other browser is signed out.",
    faults=(Forbidden,))
LIST_SESSIONS = Operation(CREDENTIALS, "list_sessions", "GET", "/sessions",
    Nothing, tuple[sessions.BrowserSession, ...], "session",
    "The browsers that are signed in as you; the one used last first.",
    links=Links("/0/id", to=("end_session",)))
END_SESSION = Operation(CREDENTIALS, "end_session", "DELETE", "/sessions/{id}",
    sessions.SessionId, sessions.BrowserSession, "session",
    "Sign a browser out.",
    faults=(NotFound,))
CREATE_SIGN_IN_LINK = Operation(CREDENTIALS, "create_sign_in_link", "POST", "/sessions/link",
    Nothing, sessions.SignInLink, "session",
    "Make a link that signs you in once, within a minute.", Creates())
LIST_PEOPLE = Operation(CREDENTIALS, "list_people", "GET", "/people",
    Nothing, tuple[invites.JoinedPerson, ...], "session",
    "Who has an account here; everybody for the owner of the machine, else you.")
LIST_INVITES = Operation(CREDENTIALS, "list_invites", "GET", "/invites",
    Nothing, tuple[invites.Invite, ...], "session",
    "Whom you have invited; the newest first.",
    links=Links("/0/id", to=("revoke_invite",)))
CREATE_INVITE = Operation(CREDENTIALS, "create_invite", "POST", "/invites",
    invites.NewInvite, invites.CreatedInvite, "session",
    "Invite somebody to an account of their own; the link is shown this once.", Creates(),
    faults=(Forbidden, Conflict), links=Links("/id", to=("revoke_invite",)))
REVOKE_INVITE = Operation(CREDENTIALS, "revoke_invite", "DELETE", "/invites/{id}",
    invites.InviteId, invites.Invite, "session",
    "Take an invite back; its link lets nobody in from now on.",
    faults=(NotFound,))
LIST_AUDIT = Operation(CREDENTIALS, "list_audit", "GET", "/audit",
    audits.AuditQuery, tuple[audits.AuditEvent, ...], "session",
    "Who came in with what, and what was given and taken back; the newest first.")

OPERATIONS: tuple[AnyOperation, ...] = (
    SHOW_ME, CHANGE_ME, DELETE_ME, SHOW_SETTINGS, CHANGE_SETTINGS,
    LIST_CONNECTIONS, LINK_CONNECTION, SHOW_CONNECTION, UNLINK_CONNECTION, SYNC_CONNECTION,
    SYNC_ALL,
    IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT, CANCEL_IMPORT, LIST_IMPORT_PROFILES,
    FORGET_IMPORT_PROFILE,
    LIST_ACCOUNTS, LIST_ACCOUNT_RECORDS, SHOW_ACCOUNT, CHANGE_ACCOUNT,
    LIST_TRANSACTIONS, EXPORT_TRANSACTIONS, QUERY_SPENDING,
    LIST_TRANSFERS, DECIDE_TRANSFER, LIST_RECURRING, DECIDE_RECURRING, LIST_DUPLICATES,
    DECIDE_DUPLICATE,
    BUILD_PLAN, START_BUILD, SHOW_BUILD, STREAM_BUILD, SHOW_PLAN, VIEW_PLAN, LIST_PLANS,
    EXPLAIN_PLAN, SHOW_SNAPSHOT, SET_INCOME, SHOW_WEALTH,
    LIST_TASKS, ANSWER_TASK, UNDO_ANSWER,
    LIST_CATEGORIES, CREATE_CATEGORY, CHANGE_CATEGORY, REMOVE_CATEGORY, LIST_SUGGESTIONS,
    JUDGE_SUGGESTION, LIST_RULES, SET_RULE, SET_RULES, REMOVE_RULE,
    LIST_KEYS, CREATE_KEY, REVOKE_KEY, LIST_CLIENTS, CREATE_CLIENT, REVOKE_CLIENT, LIST_AGENTS,
    REVOKE_AGENT, SET_PASSWORD, LIST_SESSIONS, END_SESSION,
    CREATE_SIGN_IN_LINK, LIST_PEOPLE, LIST_INVITES, CREATE_INVITE, REVOKE_INVITE, LIST_AUDIT,
)
# fmt: on
