"""The CSV export: one transaction in a row, with everything that identifies it and its account."""

import re
from collections.abc import Sequence

from finplan.model.money import to_text
from finplan.statements.exported import Exported, ExportedRow, iso_date

COLUMNS = (
    "date", "account", "payee", "description", "category", "amount", "currency",
    "transaction_id", "payee_key", "account_id", "account_number", "institution", "kind", "subtype",
    "note", "splits",
)  # fmt: skip
"""The header; a file with exactly this one is read back word for word."""

FORMER_COLUMNS = COLUMNS[:-2]
"""The header of the files that older versions wrote."""

_NEEDS_QUOTES = re.compile(r'[",\r\n]')
_COMMANDS = ("=", "+", "-", "@", "\t", "\r", "'")


class CsvWriter:
    """Amounts are decimal, positive when money comes in; lines end as in Unix, the text is UTF-8.

    A row that is split stays one line, so that the amounts of a file add up to what was booked; its
    parts stand in one cell.
    """

    def __init__(self, exported: Exported) -> None:
        self._exported = exported

    def head(self) -> str:
        """The names of the columns."""
        return ",".join(COLUMNS) + "\n"

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next transactions."""
        return "".join(map(self._line, rows))

    def tail(self) -> str:
        """Nothing."""
        return ""

    def _line(self, row: ExportedRow) -> str:
        account = self._exported.accounts[row.account]
        cells = (
            iso_date(row.day),
            safe(account.name),
            safe(row.payee),
            safe(row.raw),
            row.category,
            to_text(row.amount, account.currency),
            account.currency,
            *map(safe, (row.external_id, row.payee_key, account.id, account.number)),
            *map(safe, (account.institution, account.kind, account.subtype, row.note)),
            _parts(row, account.currency),
        )
        return ",".join(map(_quoted, cells)) + "\n"


def _parts(row: ExportedRow, currency: str) -> str:
    """The parts of a row, like "groceries -30.00; gifts -12.50 (for Ada)"."""
    return "; ".join(
        f"{part.category} {to_text(part.amount, currency)}"
        + (f" ({part.note})" if part.note else "")
        for part in row.parts
    )


def safe(text: str | None) -> str:
    """Write a text so that no spreadsheet takes it for a formula: with an apostrophe before it."""
    text = text or ""
    return f"'{text}" if text.startswith(_COMMANDS) else text


def unsafe(text: str) -> str:
    """Read what `safe` wrote."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_COMMANDS) else text


def _quoted(cell: str) -> str:
    # The library leaves a lone carriage return bare where lines end without one.
    if _NEEDS_QUOTES.search(cell):
        return '"' + cell.replace('"', '""') + '"'
    return cell
