"""The rows of transactions: the list, your word on one, the export, and what they add up to."""

from finplan.model import transaction as transactions
from finplan.model.errors import Conflict, NotFound
from finplan.operation import (
    AnyOperation,
    Derived,
    Download,
    Family,
    Links,
    Operation,
    StreamedFile,
)

# A table is easier to read with few lines for each row.
# fmt: off

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
    "Your own word on one transaction; its category, a note, tags, or what its parts are for. It wins"
    " over rules, null takes it back, and what is left out stays.",
    faults=(NotFound, Conflict))
EXPORT_TRANSACTIONS = Operation(TRANSACTIONS, "export_transactions", "GET", "/export",
    transactions.ExportQuery, StreamedFile, "read",
    "Posted transactions as a file; JSON, CSV, or a journal of hledger or beancount.",
    Download(media_types=("application/json", "text/csv", "text/plain")))
QUERY_SPENDING = Operation(TRANSACTIONS, "query_spending", "GET", "/spending",
    transactions.SpendingQuery, transactions.SpendingReport, "read",
    "Exact totals of spending, or of income, after category rules.", Derived())
QUERY_SPENDING_MONTHS = Operation(TRANSACTIONS, "query_spending_months", "GET", "/spending/months",
    transactions.SpendingMonthsQuery, transactions.SpendingMonths, "read",
    "Exact totals of spending, or of income, for each month, by category, merchant or tag.", Derived())

ROWS: tuple[AnyOperation, ...] = (
    LIST_TRANSACTIONS, SHOW_TRANSACTION, CHANGE_TRANSACTION, EXPORT_TRANSACTIONS, QUERY_SPENDING,
    QUERY_SPENDING_MONTHS,
)
# fmt: on
