"""The rows of what is detected: transfers, what comes again, and what is seen twice."""

from finplan.model import detection as detected, recurring as recurrings
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

DETECTION = Family("Detection",
    "What is one transfer, what comes again and what is seen twice; your word on it holds.")

LIST_TRANSFERS = Operation(DETECTION, "list_transfers", "GET", "/transfers",
    detected.TransferQuery, tuple[detected.Transfer, ...], "read",
    "Pairs of rows that are, or may be, money moved between your own accounts.", Derived(),
    links=Links("/0/id", to=("decide_transfer",)))
DECIDE_TRANSFER = Operation(DETECTION, "decide_transfer", "PUT", "/transfers/{id}",
    detected.TransferVerdict, detected.Transfer, "write",
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
    detected.DuplicateQuery, tuple[detected.Duplicate, ...], "read",
    "Rows and accounts that may be one thing seen twice.", Derived(),
    links=Links("/0/id", to=("decide_duplicate",)))
DECIDE_DUPLICATE = Operation(DETECTION, "decide_duplicate", "PUT", "/duplicates/{id}",
    detected.DuplicateVerdict, detected.Duplicate, "write",
    "Say that two are the same, so that one is left out, or different; `auto` takes it back.",
    faults=(NotFound, Conflict))

ROWS: tuple[AnyOperation, ...] = (
    LIST_TRANSFERS, DECIDE_TRANSFER, LIST_RECURRING, DECIDE_RECURRING, LIST_DUPLICATES,
    DECIDE_DUPLICATE,
)
# fmt: on
