"""Wire shapes: what crosses a boundary, a file per family, camelCase outside."""

from typing import TYPE_CHECKING

from finplan.lazy import modules_of

if TYPE_CHECKING:
    from finplan.model import (
        account as account,
        base as base,
        category as category,
        characters as characters,
        connection as connection,
        credential as credential,
        detection as detection,
        errors as errors,
        explain as explain,
        figures as figures,
        household as household,
        installation as installation,
        job as job,
        money as money,
        paydays as paydays,
        plan as plan,
        planned as planned,
        recurring as recurring,
        snapshot as snapshot,
        statement as statement,
        task as task,
        transaction as transaction,
        typed_parts as typed_parts,
        user as user,
        webhook as webhook,
        what_if as what_if,
    )

__getattr__ = modules_of(__name__)
