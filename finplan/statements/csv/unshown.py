"""The rows whose way only an answer says, for whoever knows more of their account than the file."""

from finplan.statements.csv.layout import Layout
from finplan.statements.csv.texts import RowTexts
from finplan.statements.statement import UnshownRow
from finplan.statements.table.table import Cells


def unshown_rows(layout: Layout) -> tuple[UnshownRow, ...]:
    """Give the rows that neither a balance nor words show, as they are read."""
    texts = RowTexts(layout.columns.texts)
    way, rows = layout.orientation.convention.unstepped, []
    for each in layout.steps.unshown:
        amount = each.size * way
        raws, _ = texts.of(Cells([each.row]), [amount])
        rows.append(
            UnshownRow(
                tuple(each.row),
                each.account,
                each.day,
                amount,
                raws[0],
                each.balance,
                layout.steps.is_owed,
            )
        )
    return tuple(rows)
