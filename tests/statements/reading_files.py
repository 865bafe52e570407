"""How tests of the readers write a file and look at what was read from it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from finplan.statements.detect import read
from finplan.statements.statement import (
    Hints,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRow,
)


@dataclass(frozen=True)
class Statement:
    """Everything that a file says."""

    format: str
    encoding: str
    parts: tuple[StatementPart, ...]

    @property
    def rows(self) -> list[StatementRow]:
        return [row for part in self.parts for row in part.rows]

    @property
    def money(self) -> list[tuple[int, int]]:
        return [(row.day, row.amount) for row in self.rows]

    @property
    def amounts(self) -> list[int]:
        return [row.amount for row in self.rows]

    @property
    def days(self) -> list[int]:
        return [row.day for row in self.rows]

    @property
    def raws(self) -> list[str]:
        return [row.raw for row in self.rows]

    @property
    def accounts(self) -> list[StatementAccount]:
        return list(dict.fromkeys(part.account for part in self.parts))

    @property
    def balances(self) -> dict[str, tuple[int | None, int | None]]:
        """The balance and its day of each account, by its name."""
        return {
            part.account.name: (part.balance, part.balance_day)
            for part in self.parts
            if part.balance is not None
        }

    @property
    def left_out(self) -> dict[str, dict[str, int]]:
        """How many rows are left out for which reason, by the name of the account."""
        found: dict[str, Counter[str]] = {}
        for part in self.parts:
            if part.left_out:
                found.setdefault(part.account.name, Counter()).update(part.left_out)
        return {name: dict(counts) for name, counts in found.items()}

    @property
    def fits(self) -> list[bool | None]:
        """Of each balance that is stated, whether it follows from the rows."""
        return [part.balance_fits for part in self.parts if part.balance is not None]

    def rows_of(self, name: str) -> list[StatementRow]:
        return [row for part in self.parts if part.account.name == name for row in part.rows]


ReadFile = Callable[..., Statement]
BytesRead = Callable[[], int]

SOON = 5 << 20
"""How many bytes of a file a reader may look at until it sees that something in it never ends."""


def read_path(path: Path, hints: Hints | None = None) -> Statement:
    """Read a file to its end, in a household of dollars unless hints say another."""
    reading = read(SourceFile.of(path), hints or Hints(household="USD"))
    return Statement(reading.format, reading.encoding, tuple(reading.parts))


def read_content(
    path: Path, content: str | bytes, hints: Hints | None = None, encoding: str = "utf-8"
) -> Statement:
    """Write a file and read it to its end."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return read_path(path, hints)
