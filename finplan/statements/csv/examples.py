"""Rows of a file as a person knows them, with the way that each goes in a reading."""

from collections.abc import Iterator

from finplan.statements.csv.marks import Rows
from finplan.statements.csv.row_words import spoken
from finplan.statements.table.columns import Columns
from finplan.statements.text.descriptors import quoted

_DIGITS = frozenset("123456789")


def example(columns: Columns, rows: Rows, place: int, *, minus: bool | None = None) -> str:
    """A row as a person knows it: its amount as it is printed, and what it was for."""
    for row in rows:
        printed = row[place].strip()
        is_signed = any(sign in printed for sign in "-−–(")
        if _DIGITS.isdisjoint(printed) or minus not in (None, is_signed):
            continue
        text = " ".join(row[each].strip() for each in columns.descriptions if row[each].strip())
        return f"{printed} {quoted(text, 30)}" if text else printed
    return ""


def going(shown: str, way: str) -> str:
    """An example with its way, `in` or `out`; nothing where no row is an example."""
    return f"{shown} {way}" if shown else ""


def examples_by_words(columns: Columns, rows: Rows, place: int) -> Iterator[str]:
    """A row of each way that words tell by themselves, whatever is answered."""
    for way, named in ((1, "in"), (-1, "out")):
        told = example(columns, [row for row in rows if spoken(columns, row) == way], place)
        if told:
            yield f"{told} {named}"
