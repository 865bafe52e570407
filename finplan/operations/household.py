"""The rows of what a household has: you, your banks, files, accounts and transactions."""

from finplan.model import account as accounts
from finplan.model import connection as connections
from finplan.model import export as exports
from finplan.model import spending as spendings
from finplan.model import statement as statements
from finplan.model import transaction as transactions
from finplan.model import user as users
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound, UnsupportedProvider
from finplan.operation import (
    AnyOperation,
    Creates,
    Derived,
    Download,
    Family,
    Links,
    Operation,
    StreamedFile,
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
BEGIN_LINK = Operation(BANKS, "begin_link", "POST", "/connections/link",
    connections.BankLinkRequest, connections.BankLink, "write",
    "Open a page at which you sign in at a bank, to link it or to reconnect it.", Creates(),
    faults=(NotFound, Conflict, UnsupportedProvider),
    links=Links("/id", to=("show_link",)))
SHOW_LINK = Operation(BANKS, "show_link", "GET", "/connections/link/{id}",
    connections.BankLinkId, connections.BankLink, "read",
    "What came of a page at which you sign in at a bank; ask every few seconds until it is linked.",
    faults=(NotFound,))
SHOW_CONNECTION = Operation(BANKS, "show_connection", "GET", "/connections/{id}",
    connections.ConnectionId, connections.ConnectionRecord, "read",
    "One linked bank.",
    faults=(NotFound,))
LIST_CONNECTION_STATES = Operation(BANKS, "list_connection_states", "GET", "/connections/states",
    Nothing, tuple[connections.ConnectionState, ...], "read",
    "The linked banks with consents that end soon and accounts that nothing tells apart.",
    links=Links("/0/record/connection/id", to=("show_connection", "sync_connection")))
SHOW_UNLINKING = Operation(BANKS, "show_unlinking", "GET", "/connections/{id}/unlinking",
    connections.ConnectionId, connections.UnlinkEffect, "read",
    "What of a bank would go when it is unlinked, and what would stay.",
    faults=(NotFound,))
UNLINK_CONNECTION = Operation(BANKS, "unlink_connection", "DELETE", "/connections/{id}",
    connections.Unlinking, connections.ConnectionRecord, "write",
    "Unlink a bank; what statement files brought stays, what it alone brought goes.",
    faults=(NotFound, Conflict))
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
SHOW_TRANSACTION = Operation(TRANSACTIONS, "show_transaction", "GET", "/transactions/{id}",
    transactions.TransactionId, transactions.Transaction, "read",
    "One transaction; what the bank wrote, what it is for and why, and your own word on it.", Derived(),
    faults=(NotFound,))
CHANGE_TRANSACTION = Operation(TRANSACTIONS, "change_transaction", "PUT", "/transactions/{id}",
    transactions.TransactionWord, transactions.Transaction, "write",
    "Your own word on one transaction; its category, a note, or what its parts are for. It wins over"
    " rules, null takes it back, and what is left out stays.",
    faults=(NotFound, Conflict))
EXPORT_TRANSACTIONS = Operation(TRANSACTIONS, "export_transactions", "GET", "/export",
    exports.ExportQuery, StreamedFile, "read",
    "Posted transactions as a file; JSON, CSV, or a journal of hledger or beancount.",
    Download(media_types=("application/json", "text/csv", "text/plain")))
QUERY_SPENDING = Operation(TRANSACTIONS, "query_spending", "GET", "/spending",
    spendings.SpendingQuery, spendings.SpendingReport, "read",
    "Exact totals of spending after category rules.", Derived())
QUERY_SPENDING_MONTHS = Operation(TRANSACTIONS, "query_spending_months", "GET", "/spending/months",
    spendings.SpendingMonthsQuery, spendings.SpendingMonths, "read",
    "Exact totals of spending for each month, by category or merchant.", Derived())

ROWS: tuple[AnyOperation, ...] = (
    SHOW_ME, CHANGE_ME, DELETE_ME, SHOW_SETTINGS, CHANGE_SETTINGS, LIST_CONNECTIONS,
    LIST_CONNECTION_STATES, LINK_CONNECTION, BEGIN_LINK, SHOW_LINK, SHOW_CONNECTION, SHOW_UNLINKING,
    UNLINK_CONNECTION, SYNC_CONNECTION,
    SYNC_ALL, IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT, CANCEL_IMPORT, LIST_IMPORT_PROFILES,
    FORGET_IMPORT_PROFILE, LIST_ACCOUNTS, LIST_ACCOUNT_RECORDS, SHOW_ACCOUNT, CHANGE_ACCOUNT,
    LIST_TRANSACTIONS, SHOW_TRANSACTION, CHANGE_TRANSACTION, EXPORT_TRANSACTIONS,
    QUERY_SPENDING, QUERY_SPENDING_MONTHS,
)
# fmt: on
