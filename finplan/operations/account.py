"""The rows of accounts, with what only you know of them."""

from finplan.model import account as accounts
from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.operation import AnyOperation, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

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

ROWS: tuple[AnyOperation, ...] = (
    LIST_ACCOUNTS, LIST_ACCOUNT_RECORDS, SHOW_ACCOUNT, CHANGE_ACCOUNT,
)
# fmt: on
