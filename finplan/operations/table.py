"""THE TABLE: one row for each thing a caller may ask for.

REST routes, the published description, the typed client, and so the CLI, all come from these rows;
`service.dispatch.PERFORMERS` has one function for each. A path parameter is a field of the row's
`asks`; its other fields travel in the query string of a GET or DELETE and in the body of anything else.
A family stands before its rows. Who asks for one thing imports its family alone, so that a command
starts without the shapes of all the others.
"""

from finplan.operation import AnyOperation
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

OPERATIONS: tuple[AnyOperation, ...] = (
    *person.ROWS,
    *bank.ROWS,
    *statement_file.ROWS,
    *account.ROWS,
    *transaction.ROWS,
    *detection.ROWS,
    *plan.ROWS,
    *task.ROWS,
    *category.ROWS,
    *webhook.ROWS,
    *schedule.ROWS,
    *credential.ROWS,
)
