"""The column whose marks say which way each row's amount goes."""

from collections.abc import Sequence

from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.marks import marks_neutral, ways_beside_blanks
from finplan.statements.table.words import meanings_of


def mark_column(
    header: Sequence[str],
    contents: Sequence[ColumnContents],
    named: Sequence[int],
    amount: int | None,
) -> int | None:
    """Choose marks for a column of amounts; where none has a minus, some marks are enough.

    `named` are the places that the header names for marks, the best first.
    """
    if amount is None:
        return None
    marks = [place for place in named if contents[place].is_mark]
    if not contents[amount].prints_minus:
        marks += [place for place in named if contents[place].has_both_marks]
        marks += [
            place
            for place in named
            if marks_neutral(header[place]) and contents[place].is_mark_or_neutral
        ]
        marks += [
            place
            for place in named
            if "type" not in meanings_of(header[place])
            and ways_beside_blanks(contents[place].by_row)
        ]
        marks += [place for place, column in enumerate(contents) if column.divides_by_marks]
    return next(iter(marks), None)
