"""The rows of what is detected: transfers, what comes again, and what is seen twice."""

from finplan.model import detection as detected, recurring as recurrings
from finplan.model.errors import Conflict, NotFound
from finplan.operation import AnyOperation, Derived, Family, Links, Operation

# A table is easier to read with few lines for each row.
# fmt: off

DETECTION = Family("Detection",
    "Transfers, recurring charges and income, and duplicates. Your decisions override detection.")

LIST_TRANSFERS = Operation(DETECTION, "list_transfers", "GET", "/transfers",
    detected.TransferQuery, tuple[detected.Transfer, ...], "read",
    "List transfers and possible transfers between your own accounts.", Derived(),
    links=Links("/0/id", to=("decide_transfer",)))
DECIDE_TRANSFER = Operation(DETECTION, "decide_transfer", "PUT", "/transfers/{id}",
    detected.TransferVerdict, detected.Transfer, "write",
    "Confirm or reject a transfer; `auto` undoes your decision.",
    faults=(NotFound, Conflict))
LIST_RECURRING = Operation(DETECTION, "list_recurring", "GET", "/recurring",
    recurrings.RecurringQuery, tuple[recurrings.RecurringSeries, ...], "read",
    "List recurring charges and income, both active and ended.", Derived(),
    links=Links("/0/id", to=("decide_recurring",)))
DECIDE_RECURRING = Operation(DETECTION, "decide_recurring", "PUT", "/recurring/{id}",
    recurrings.RecurringVerdict, recurrings.RecurringSeries, "write",
    "Confirm a recurring series, or remove it from the plan; `auto` undoes your decision.",
    faults=(NotFound,))
LIST_DUPLICATES = Operation(DETECTION, "list_duplicates", "GET", "/duplicates",
    detected.DuplicateQuery, tuple[detected.Duplicate, ...], "read",
    "List transactions and accounts that may be duplicates.", Derived(),
    links=Links("/0/id", to=("decide_duplicate",)))
DECIDE_DUPLICATE = Operation(DETECTION, "decide_duplicate", "PUT", "/duplicates/{id}",
    detected.DuplicateVerdict, detected.Duplicate, "write",
    (
        "Mark two possible duplicates as the same or as different; if they are the same, the second is"
        " excluded. `auto` undoes your decision."
    ),
    faults=(NotFound, Conflict))

ROWS: tuple[AnyOperation, ...] = (
    LIST_TRANSFERS, DECIDE_TRANSFER, LIST_RECURRING, DECIDE_RECURRING, LIST_DUPLICATES,
    DECIDE_DUPLICATE,
)
# fmt: on
