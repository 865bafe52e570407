"""THE TABLE: one row for each thing a caller may ask for.

REST routes, the published description, the typed client, and so the CLI, all come from these rows;
`service.dispatch.PERFORMERS` has one function for each. A path parameter is a field of the row's
`asks`; its other fields travel in the query string of a GET or DELETE and in the body of anything else.
A family stands before its rows.
"""

from finplan.operation import AnyOperation
from finplan.operations import access, automation, household, planning

OPERATIONS: tuple[AnyOperation, ...] = (
    *household.ROWS,
    *planning.ROWS,
    *automation.ROWS,
    *access.ROWS,
)
