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
    "Transactions, spending totals and exports.")

LIST_TRANSACTIONS = Operation(TRANSACTIONS, "list_transactions", "GET", "/transactions",
    transactions.TransactionQuery, transactions.TransactionPage, "read",
    "List your transactions in pages, newest first.", Derived(),
    links=Links("/nextCursor", to=("list_transactions",), parameter="cursor"))
SHOW_TRANSACTION = Operation(TRANSACTIONS, "show_transaction", "GET", "/transactions/{id}",
    transactions.TransactionId, transactions.Transaction, "read",
    (
        "Show one transaction with the bank's text, the category and its reason, and your overrides."
    ), Derived(),
    faults=(NotFound,))
CHANGE_TRANSACTION = Operation(TRANSACTIONS, "change_transaction", "PUT", "/transactions/{id}",
    transactions.TransactionWord, transactions.Transaction, "write",
    (
        "Set one transaction's category, note, tags or split; this overrides rules. Null clears a"
        " field; absent fields stay unchanged."
    ),
    faults=(NotFound, Conflict))
EXPORT_TRANSACTIONS = Operation(TRANSACTIONS, "export_transactions", "GET", "/export",
    transactions.ExportQuery, StreamedFile, "read",
    "Export your posted transactions as a JSON, CSV, hledger or beancount file.",
    Download(media_types=("application/json", "text/csv", "text/plain")))
QUERY_SPENDING = Operation(TRANSACTIONS, "query_spending", "GET", "/spending",
    transactions.SpendingQuery, transactions.SpendingReport, "read",
    (
        "Show exact totals of spending or income, which you can group by category, merchant, tag "
        "or month."
    ), Derived())
QUERY_SPENDING_MONTHS = Operation(TRANSACTIONS, "query_spending_months", "GET", "/spending/months",
    transactions.SpendingMonthsQuery, transactions.SpendingMonths, "read",
    (
        "Show exact monthly totals of spending or income, which you can group by category, "
        "merchant or tag."
    ), Derived())

ROWS: tuple[AnyOperation, ...] = (
    LIST_TRANSACTIONS, SHOW_TRANSACTION, CHANGE_TRANSACTION, EXPORT_TRANSACTIONS, QUERY_SPENDING,
    QUERY_SPENDING_MONTHS,
)
# fmt: on
