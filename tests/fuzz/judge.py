"""What any bytes may do to a reader: become possible rows, or be refused in one sentence, and soon.

The fuzzers hand their bytes to `judge`, which raises for everything else.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from finplan.model.money import LARGEST_AMOUNT
from finplan.statements import statement
from finplan.statements.detect import READERS, read
from finplan.statements.text import encoding
from finplan.statements.text.printed import day_number
from tests.fuzz.seeds import SEEDS
from tests.steps import steps

Read = Callable[[statement.SourceFile, statement.Hints], statement.ParsedStatement]
Outcome = str | tuple[str, dict[statement.StatementAccount, list[statement.StatementRow]]]
"""The sentence of a refusal, or the encoding and the rows of each account."""

MOST_STEPS = 20_000
STEPS_FOR_A_BYTE = 100
"""How many lines of Python a reading may take, whatever it is of, and more for each byte of the file."""

_SMALL_BLOCK = 61
"""Bytes decoded at once in the second reading: the ends of blocks fall everywhere in a small file."""

_LOOKING_AT_A_BLOCK = frozenset(["detection", "CSV"])
"""What a table is like is told from its first block, so that this one must not be small."""

_LONGEST_SENTENCE = 600
_HINTS = (
    *[statement.Hints(household="USD")] * 7,
    statement.Hints(),
    statement.Hints("EUR", date_order="dmy", decimal_sign=","),
    statement.Hints("USD", date_order="mdy", decimal_sign="."),
    statement.Hints("JPY", encoding="cp1252"),
    statement.Hints("KWD", encoding="utf-16"),
    statement.Hints("EUR", encoding="shift_jis"),
    statement.Hints("EUR", encoding="utf-8", date_order="ymd"),
)


_OF_ALL_BYTES = b"Date,Text,Amount\n2026-03-04," + bytes(range(0x80, 0x100)) + b",-1.50\n"
"""A table in no code page, for which all of them are tried."""


class Attempt(NamedTuple):
    """What came of a file, and how often it was read: again for each question that it leaves open."""

    outcome: Outcome
    readings: int = 1


class Broken(AssertionError):
    """A reader broke a law; the message says which."""


def _by(reader: statement.StatementReader) -> Read:
    def read_directly(
        source: statement.SourceFile, hints: statement.Hints
    ) -> statement.ParsedStatement:
        reader.recognises(source)
        return reader.read(source, hints)

    return read_directly


DETECTION = "detection"
TARGETS: Mapping[str, Read] = {DETECTION: read, **{each.format: _by(each) for each in READERS}}
"""The public door, and each reader for itself, so that detection does not stand before it."""


def judge(
    target: str,
    content: bytes,
    path: Path,
    hints: statement.Hints | None = None,
    *,
    counting: bool = True,
) -> Outcome:
    """Write a file, read it as `target` does and say what came of it. Raises Broken for what may not be.

    Without hints, the content itself chooses some. Every other exception of the reader comes through,
    since none but the two refusals may. Without `counting` a reader may take as long as it likes.
    """
    path.write_bytes(content)
    source = statement.SourceFile.of(path, "Girokonto 2026.txt")
    hints = hints or _HINTS[zlib.crc32(content) % len(_HINTS)]
    attempt = partial(_attempt, TARGETS[target], source, hints)
    outcome = _soon(attempt, len(content)) if counting else attempt().outcome
    if target not in _LOOKING_AT_A_BLOCK:
        with _blocks_of(_SMALL_BLOCK):
            again = attempt().outcome
        if _money_in(outcome) != _money_in(again):
            raise Broken(f"Read in one block: {outcome!r}; in small ones: {again!r}.")
    return outcome


def _money_in(outcome: Outcome) -> list[statement.StatementRow] | None:
    """What must not depend on where a block ends: which rows there are, or that there are none.

    What a damaged file says of an account behind its first rows comes too late for them.
    """
    if isinstance(outcome, str):
        return None
    rows = [row._replace(pending=False) for rows in outcome[1].values() for row in rows]
    return sorted(rows, key=repr)


def _soon(attempt: Callable[[], Attempt], size: int) -> Outcome:
    """Make an attempt and count its lines of Python.

    What the readers ship is loaded before; what an attempt keeps of its own file counts, since a person
    who imports a file waits for it.
    """
    _load_what_is_shipped()
    attempts: list[Attempt] = []
    taken = steps(lambda: attempts.append(attempt()))
    (made,) = attempts
    if taken > made.readings * (MOST_STEPS + STEPS_FOR_A_BYTE * size):
        raise Broken(f"Reading took {taken} lines of Python.")
    return made.outcome


@cache
def _load_what_is_shipped() -> None:
    """Have Python import the code pages and compile the patterns that a process needs but once."""
    own = {reader.format: _by(reader) for reader in READERS}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "statement"
        for wanted, seeds in SEEDS.items():
            for seed in (*seeds, _OF_ALL_BYTES):
                path.write_bytes(seed)
                for hints in _HINTS:
                    for read_file in (own[wanted], read):
                        _attempt(read_file, statement.SourceFile.of(path), hints)


def _attempt(read_file: Read, source: statement.SourceFile, hints: statement.Hints) -> Attempt:
    try:
        return Attempt(_gather(read_file(source, hints)))
    except statement.UnreadableStatement as refusal:
        return Attempt(_sentence(refusal))
    except statement.AmbiguousStatement as refusal:
        return Attempt(_sentence(refusal), 1 + len(refusal.questions))


def _gather(reading: statement.ParsedStatement) -> Outcome:
    found: dict[statement.StatementAccount, list[statement.StatementRow]] = {}
    for part in reading.parts:
        _check_part(part)
        for row in part.rows:
            _check_row(row)
            found.setdefault(part.account, []).append(row)
    return reading.encoding, found


def _check_part(part: statement.StatementPart) -> None:
    account = part.account
    texts = (account.number, account.name, account.currency, account.institution, account.subtype)
    _check_texts(*texts, account.id, *part.notes)
    if not account.currency:
        raise Broken(f"{account} has no currency.")
    for day in (part.since, part.until, part.balance_day):
        if day is not None:
            _check_day(day)
    if part.balance is not None and not abs(part.balance) <= LARGEST_AMOUNT:
        raise Broken(f"{part.balance} is no balance.")
    rows = part.rows
    columns = (rows.amounts, rows.raws, rows.external_ids, rows.payees, rows.pending)
    if any(len(column) != len(rows.days) for column in (*columns, rows.codes or rows.days)):
        raise Broken("The columns are not equally long.")


def _check_row(row: statement.StatementRow) -> None:
    _check_day(row.day)
    if type(row.amount) is not int or not abs(row.amount) <= LARGEST_AMOUNT:
        raise Broken(f"{row.amount} is no amount.")
    _check_texts(row.raw, row.external_id, row.payee, row.code)
    if "" in (row.external_id, row.payee):
        raise Broken(f"{row} says nothing with an empty text and not with None.")


def _check_day(day: int) -> None:
    if day_number(day // 10000, day // 100 % 100, day % 100) != day:
        raise Broken(f"{day} is no day.")


def _check_texts(*texts: str | None) -> None:
    for text in texts:
        if text is not None:
            # Half of a surrogate pair can neither be stored nor be sent.
            text.encode()


def _sentence(refusal: Exception) -> str:
    sentence = str(refusal)
    if (
        "\n" in sentence
        or not sentence.endswith((".", "”", "?"))
        or len(sentence) > _LONGEST_SENTENCE
    ):
        raise Broken(f"{sentence!r} is no sentence.")
    sentence.encode()
    return sentence


@contextmanager
def _blocks_of(size: int) -> Iterator[None]:
    usual = encoding.BLOCK
    encoding.BLOCK = size
    try:
        yield
    finally:
        encoding.BLOCK = usual
