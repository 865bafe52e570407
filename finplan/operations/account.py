"""The rows of accounts, with what only you know of them."""

from finplan.model import account as accounts
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Creates, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

ACCOUNTS = Family("Accounts", "Your accounts: balances, and the details you add.")

LIST_ACCOUNTS = Operation(ACCOUNTS, "list_accounts", "GET", "/accounts",
    Nothing, tuple[accounts.Account, ...], "read",
    "List your accounts.", Derived(), links=Links("/0/id", to=("show_account", "change_account")))
LIST_ACCOUNT_RECORDS = Operation(ACCOUNTS, "list_account_records", "GET", "/accounts/records",
    Nothing, tuple[accounts.AccountRecord, ...], "read",
    (
        "List your accounts with rates, minimum payments, balance history and covered days."
    ), Derived(),
    links=Links("/0/account/id", to=("show_account", "change_account")))
SHOW_ACCOUNT = Operation(ACCOUNTS, "show_account", "GET", "/accounts/{id}",
    accounts.AccountId, accounts.AccountRecord, "read",
    "Show one account with its rate, minimum payment, balance history and covered days.",
    faults=(NotFound,))
CHANGE_ACCOUNT = Operation(ACCOUNTS, "change_account", "PATCH", "/accounts/{id}",
    accounts.AccountChange, accounts.AccountRecord, "write",
    (
        "Hide an account, or change its name, kind, balance, limit, rate or minimum payment."
    ),
    faults=(NotFound, Conflict))

ADD_ACCOUNT = Operation(ACCOUNTS, "add_account", "POST", "/accounts",
    accounts.NewAccount, accounts.AccountRecord, "write",
    "Add an account that you keep yourself, such as a home, a car loan or cash.", Creates(),
    faults=(Conflict,),
    links=Links("/account/id", to=("show_account", "change_account", "remove_account")))
REMOVE_ACCOUNT = Operation(ACCOUNTS, "remove_account", "DELETE", "/accounts/{id}",
    accounts.AccountId, accounts.AccountRecord, "write",
    "Remove an account that you added.",
    faults=(NotFound, Conflict))
LIST_BALANCES = Operation(ACCOUNTS, "list_balances", "GET", "/accounts/{id}/balances",
    accounts.AccountId, tuple[accounts.BalanceAnchor, ...], "read",
    "List an account's recorded balances, oldest first.",
    faults=(NotFound,))
SET_BALANCE = Operation(ACCOUNTS, "set_balance", "PUT", "/accounts/{id}/balances",
    accounts.DatedBalance, accounts.AccountRecord, "write",
    "Set an account's balance at the end of a day.",
    faults=(NotFound,))
REMOVE_BALANCE = Operation(ACCOUNTS, "remove_balance", "DELETE", "/accounts/{id}/balances/{date}",
    accounts.BalanceDay, accounts.AccountRecord, "write",
    "Remove the balance that you set for a day.",
    faults=(NotFound,))

ROWS: tuple[AnyOperation, ...] = (
    LIST_ACCOUNTS, LIST_ACCOUNT_RECORDS, SHOW_ACCOUNT, CHANGE_ACCOUNT, ADD_ACCOUNT,
    LIST_BALANCES, SET_BALANCE, REMOVE_BALANCE, REMOVE_ACCOUNT,
)
# fmt: on
