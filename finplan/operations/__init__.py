"""What a caller may ask for: a module for each family of rows, and the table of them all."""

from typing import TYPE_CHECKING

from finplan.lazy import modules_of

if TYPE_CHECKING:
    from finplan.operations import (
        account as account,
        bank as bank,
        category as category,
        credential as credential,
        detection as detection,
        person as person,
        plan as plan,
        schedule as schedule,
        statement_file as statement_file,
        table as table,
        task as task,
        transaction as transaction,
        webhook as webhook,
    )

__getattr__ = modules_of(__name__)
