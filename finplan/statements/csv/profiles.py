"""Knowing a table again: its header, and the encoding that the person named for one like it."""

import hashlib

from finplan.statements.statement import Header, HeaderAnswers, Hints, SourceFile
from finplan.statements.table.table import Table, find_table
from finplan.statements.text.encoding import find_charset, is_guess, remembered_charset

_SHOWN = 200


def header_of(table: Table) -> Header | None:
    """The header by which tables are known again, None for a table without one.

    Letters' case and white space make no difference; the delimiter does.
    """
    if not table.header:
        return None
    names = [" ".join(name.split()) for name in table.header]
    folded = "\n".join([table.delimiter, *map(str.casefold, names)])
    signature = hashlib.sha256(folded.encode("utf-8", "replace")).hexdigest()
    return Header(signature, table.delimiter.join(names)[:_SHOWN])


def answers_for(header: Header | None, hints: Hints) -> HeaderAnswers:
    """What the person said of earlier files with this header."""
    return (
        HeaderAnswers() if header is None else hints.profiles.get(header.signature, HeaderAnswers())
    )


def is_of_card(header: Header | None, hints: Hints) -> bool:
    """Whether a file is of a credit card: as the person says, else as all earlier ones like it."""
    if hints.is_card is not None:
        return hints.is_card
    return header is not None and header.signature in hints.card_headers


def find_known_table(source: SourceFile, hints: Hints) -> tuple[Table | None, HeaderAnswers]:
    """Find the table that a file is, in the encoding of an earlier one where this one proves none.

    Answers too what decided of the answers given before: that encoding, or nothing. Raises
    UnreadableStatement when the file is not in the encoding that the person named.
    """
    charset = find_charset(source, hints.encoding)
    if hints.encoding is None and is_guess(charset):
        for name in sorted({each.encoding for each in hints.profiles.values() if each.encoding}):
            # A header is written in the encoding too, so it is known again in the right one only.
            remembered = remembered_charset(source, name)
            table = None if remembered is None else find_table(source.path, remembered)
            if table is not None and answers_for(header_of(table), hints).encoding == name:
                return table, HeaderAnswers(encoding=name)
    return find_table(source.path, charset), HeaderAnswers()
