"""Which reader reads a file, told by its content."""

from finplan.statements.csv import CsvReader
from finplan.statements.ofx import OfxReader
from finplan.statements.statement import Hints, Reader, Reading, Source, UnreadableStatement

READERS: tuple[Reader, ...] = (OfxReader(), CsvReader())


def read(source: Source, hints: Hints) -> Reading:
    """Read a file with the reader that recognises it."""
    for reader in READERS:
        if reader.recognises(source):
            return reader.read(source, hints)
    raise UnreadableStatement("This is no statement that finplan can read.")
