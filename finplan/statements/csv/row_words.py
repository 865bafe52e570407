"""What a row's own words say of the way that its money goes."""

from collections.abc import Sequence

from finplan.statements.table.columns import Columns
from finplan.statements.table.row_words import comes_back, spoken_direction


def spoken(columns: Columns, row: Sequence[str]) -> int:
    """Say which way a row's own words say that its money goes: 1 in, -1 out, 0 when they do not."""
    kind = row[columns.type] if columns.type is not None else ""
    return spoken_direction(kind, " ".join(row[place] for place in columns.descriptions))


def comes_back_in(columns: Columns, row: Sequence[str], *, is_card: bool) -> bool:
    """Say whether a row's words say that it came in where all other rows were spent."""
    return any(comes_back(row[place], is_card=is_card) for place in columns.descriptions)
