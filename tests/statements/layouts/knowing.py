"""A reading by someone who knows the layout: proof that what is printed is the truth."""

import re
from datetime import datetime

from tests.statements.layouts.layout import Layout
from tests.statements.layouts.truth import exponent
from tests.statements.layouts.writing import Written

_NOT_DIGITS = re.compile(r"\D")


def known_amount(cells: tuple[str, ...], layout: Layout, currency: str) -> int | None:
    """The amount that a row prints, None where the layout prints no direction."""
    columns = dict(zip(layout.columns, cells, strict=True))
    if layout.signs == "two_columns":
        spent, received = (_size(columns[name], layout, currency) for name in ("debit", "credit"))
        return received - spent
    cell = columns["amount"]
    size = _size(cell, layout, currency)
    has_minus = any(sign in cell for sign in "-−(")
    is_inward = {
        "signed": not has_minus,
        "inverse": has_minus,
        "suffix": cell.endswith(layout.marks[1]),
        "payment_plus": "+" in cell,
        "payment_cr": cell.endswith("CR"),
        "mark": columns.get("mark") == layout.marks[1],
    }
    if layout.signs not in is_inward:
        return None
    return size if is_inward[layout.signs] else -size


def known_balance(cells: tuple[str, ...], layout: Layout, currency: str) -> int | None:
    """The balance that a row prints, None where the cell is blank."""
    cell = cells[layout.columns.index("balance")]
    if not cell:
        return None
    size = _size(cell, layout, currency)
    return -size if any(sign in cell for sign in "-−(") else size


def known_day(cell: str, layout: Layout) -> int:
    """The day of a cell whose date is made of digits, as YYYYMMDD."""
    names = {"{dd}": "%d", "{d}": "%d", "{mm}": "%m", "{m}": "%m", "{yyyy}": "%Y", "{yy}": "%y"}
    pattern = layout.dates.pattern
    for name, code in names.items():
        pattern = pattern.replace(name, code)
    return int(datetime.strptime(cell, pattern).strftime("%Y%m%d"))  # noqa: DTZ007


def table_of(written: Written, layout: Layout) -> list[list[str]]:
    """The cells of a file's text, apart from quotes."""
    text = written.content.decode(written.charset)
    lines = text.split(layout.newline)
    return [[cell.strip('"') for cell in line.split(layout.delimiter)] for line in lines]


def _size(cell: str, layout: Layout, currency: str) -> int:
    """A printed number without its sign, in minor units."""
    decimals = exponent(currency)
    whole, _, fraction = cell.partition(layout.numbers.decimal) if decimals else (cell, "", "")
    digits = _NOT_DIGITS.sub("", fraction).ljust(decimals, "0")
    return int(_NOT_DIGITS.sub("", whole) + digits or "0")
