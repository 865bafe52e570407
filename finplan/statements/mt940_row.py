"""One statement line :61: of MT940 with its texts, :86: and its like, to one row.

The texts say the other side's name and the purpose. They come in the German banks' form (?20…?32…, with
other signs abroad), in the form with codes between slashes (/NAME/…/REMI/…), as older files' :NS:
lines, and as free text.
"""

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.statement import StatementRow, StatementRows, UnreadableStatement
from finplan.statements.text.descriptors import (
    LONGEST_REMEMBERED,
    MOST_REMEMBERED,
    fold,
    join_texts,
    quoted,
)
from finplan.statements.text.printed import amounts_of, day_number, reference_of, why_too_large

_FULL_LINE, _FULL_FIRST_LINE = 64, 60
"""A line of so many characters was broken where it was full, perhaps within a word; some banks count
the tag of the first one too."""

_FULL_FIELD = 27
"""The length at which a subfield of the German form is full."""

_NUMBERED = re.compile(r"\s*(?:\d{3})?([?>~^<|])\d\d")
_PURPOSE_MARK = re.compile(
    r"(?:^|(?<=[\s?]))(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|BREF|RREF|PURP)\+"
)
_SLASHED = re.compile(
    r"/(TRTP|TRCD|NAME|REMI|EREF|KREF|PREF|MARF|CSID|CNTP|IBAN|BIC|ORDP|BENM|RTRN|ISDT|NRTX|SVCL"
    r"|ADDR|ULTC|ULTD|PURP|CREF|ID|ACC|OCMT|CHGS|BTRN|IREF|GUID|PTYP|PY)/"
)
_NON_SWIFT = re.compile(r"^(\d\d)", re.MULTILINE)
_PURPOSE_FIELDS = (*range(20, 30), *range(60, 64))
_NAME_FIELDS = (32, 33)
_POSTING_FIELD = 0
_REMITTANCE_KINDS = re.compile(r"(?:USTD|STRD)/+(?:CUR/)?")


class Narrative(NamedTuple):
    """What a file says of one transaction: its descriptor, and the other side's name or None."""

    raw: str
    payee: str | None


class Narratives(dict[tuple[str, str, str], Narrative]):
    """Remembers what supplementary details, :86: and :NS: of a transaction say."""

    def __missing__(self, texts: tuple[str, str, str]) -> Narrative:
        narrative = _say(*texts)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        if sum(map(len, texts)) <= LONGEST_REMEMBERED:
            self[texts] = narrative
        return narrative


def _say(supplement: str, information: str, non_swift: str) -> Narrative:
    numbered = _NUMBERED.match(information)
    if numbered is not None:
        narrative = _numbered(information, numbered[1])
    elif len(_SLASHED.findall(information)) > 1:
        narrative = _slashed(_unwrapped(information))
    elif not information.strip() and non_swift:
        narrative = _lines_of_numbers(non_swift)
    else:
        narrative = Narrative(fold(_unwrapped(information)), None)
    added = "" if supplement.startswith("/") else fold(supplement)
    return narrative if narrative.payee else Narrative(join_texts([added, narrative.raw]), None)


def _numbered(information: str, sign: str) -> Narrative:
    """Read the German form; its subfields go on where one is full."""
    pieces = _unwrapped(information).split(sign)
    gathered: dict[int, list[str]] = {}
    last = -1
    for piece in pieces[1:]:
        if piece[:2].isdecimal() and piece[:2].isascii():
            last = int(piece[:2])
            gathered.setdefault(last, []).append(piece[2:])
        elif last >= 0:
            # The sign is part of the text where no number follows it.
            gathered[last].append(sign + piece)
    fields = {number: "".join(texts) for number, texts in gathered.items()}
    name = fold(_chained(fields, _NAME_FIELDS))
    purpose = _purpose(_chained(fields, _PURPOSE_FIELDS))
    raw = join_texts([name or fold(fields.get(_POSTING_FIELD, "")), purpose])
    return Narrative(raw, name or None)


def _chained(fields: dict[int, str], numbers: tuple[int, ...]) -> str:
    text = ""
    for number in numbers:
        field = fields.get(number, "")
        text += field if len(field) >= _FULL_FIELD else f"{field} "
    return text


def _purpose(text: str) -> str:
    """Give what the payer wrote; references of SEPA's, which are marked, only when nothing else is."""
    pieces = _PURPOSE_MARK.split(text)
    marked = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    return fold(marked.get("SVWZ", "")) or fold(text)


def _slashed(text: str) -> Narrative:
    """Read the form with codes between slashes."""
    pieces = _SLASHED.split(text)
    coded: dict[str, str] = {}
    for code, value in zip(pieces[1::2], pieces[2::2], strict=True):
        coded.setdefault(code, fold(value.strip("/ ")))
    # ING writes the account, the bank and the name of the other side after one code.
    counterparty = pieces[pieces.index("CNTP") + 1].split("/") if "CNTP" in coded else []
    name = coded.get("NAME") or (fold(counterparty[2]) if len(counterparty) > 2 else "")
    name = name or coded.get("ORDP") or coded.get("BENM") or ""
    remittance = _REMITTANCE_KINDS.sub("", coded.get("REMI", ""))
    raw = join_texts([name, remittance]) or coded.get("TRTP", "") or fold(text)
    return Narrative(raw, name or None)


def _lines_of_numbers(non_swift: str) -> Narrative:
    """Read :NS: lines: 01 to 14 are the purpose, 15 and 16 the name, 17 the sort of posting."""
    pieces = _NON_SWIFT.split(non_swift)
    fields = dict(
        zip(map(int, pieces[1::2]), (piece.strip("\n") for piece in pieces[2::2]), strict=True)
    )
    name = fold(_chained(fields, (15, 16)))
    purpose = _purpose(_chained(fields, tuple(range(1, 15))))
    return Narrative(join_texts([name or fold(fields.get(17, "")), purpose]), name or None)


def _unwrapped(text: str) -> str:
    """Join lines, with a blank unless the line was full."""
    lines = text.strip("\n").split("\n")
    pieces, full = list[str](), _FULL_FIRST_LINE
    for line in lines[:-1]:
        pieces.append(line if len(line) >= full else f"{line} ")
        full = _FULL_LINE
    return "".join([*pieces, lines[-1]])


_STATEMENT_LINE = re.compile(r"(\d{6})(\d{4})?\s?([RE]?[CD])[A-Z]?\s?(\d{1,18}(?:[.,]\d*)?)(.*)")
_SIGNS = {"C": 1, "D": -1, "RC": -1, "RD": 1, "EC": 1, "ED": -1}
"""A reversal of a credit takes money away; an expected credit brings some."""


class StatementLine(NamedTuple):
    """A statement line, what :86: and :NS: say of it, and a number that a message can name it by."""

    text: str
    information: str
    non_swift: str
    number: int


class LineConverter:
    """Converts statement lines to rows, remembering texts that it has seen."""

    def __init__(self) -> None:
        self._narratives = Narratives()

    def convert(self, lines: list[StatementLine], currency: str, *, pending: bool) -> StatementRows:
        """Convert lines of one account.

        Raises UnreadableStatement for a line without a possible day or amount, naming it.
        """
        matches = [_STATEMENT_LINE.match(line.text) for line in lines]
        printed = [match[4] if match else "" for match in matches]
        sizes = amounts_of(printed, currency)
        rows = [
            self._row(line, match, size, currency, pending)
            for line, match, size in zip(lines, matches, sizes, strict=True)
        ]
        return StatementRows.of(rows)

    def _row(
        self,
        line: StatementLine,
        match: re.Match[str] | None,
        size: int | None,
        currency: str,
        pending: bool,
    ) -> StatementRow:
        if match is None or size is None:
            raise _refusal(line, "needs a date, a direction and an amount")
        value, entry, mark, amount, tail = match.groups()
        if size > LARGEST_AMOUNT:
            raise UnreadableStatement(
                f"Transaction {line.number}: {why_too_large(amount, currency)}"
            )
        day = booked_on(value, entry)
        if day is None:
            raise _refusal(line, "has an impossible date")
        supplement = line.text[match.end() :].strip()
        raw, payee = self._narratives[supplement, line.information, line.non_swift]
        reference = reference_of(tail.partition("//")[2])
        return StatementRow(
            day, _SIGNS[mark] * size, raw or _type_of(tail), reference, payee, pending
        )


@lru_cache(maxsize=1000)
def booked_on(value: str, entry: str | None) -> int | None:
    """Give the booking day of a value date YYMMDD and an entry date MMDD, as YYYYMMDD.

    The entry date has no year: it is in that which brings it nearest to the value date, so that a
    booking of 30 December may have its value on 2 January. Without a possible one it is the value
    date; None when that is impossible too. A value date such as 30 February, which interest is
    reckoned by, still tells the year.
    """
    year, month, day = short_year(value[:2]), int(value[2:4]), int(value[4:])
    valued = day_number(year, month, day)
    if entry is None:
        return valued
    near = day_number(year, month, min(day, 28)) if day else None
    if near is None:
        return None
    candidates = [
        day_number(near_year, int(entry[:2]), int(entry[2:]))
        for near_year in (year - 1, year, year + 1)
    ]
    possible = [candidate for candidate in candidates if candidate is not None]
    return min(possible, key=lambda candidate: _days_apart(candidate, near), default=valued)


def short_year(digits: str) -> int:
    """Give the year of two digits: 70 to 99 are 1970 to 1999."""
    return int(digits) + (1900 if int(digits) >= 70 else 2000)


def _days_apart(first: int, second: int) -> int:
    return abs((_date(first) - _date(second)).days)


def _date(day: int) -> date:
    return date(day // 10000, day // 100 % 100, day % 100)


def _type_of(tail: str) -> str:
    """Describe a line that nothing else is said of by its type and the customer's reference."""
    return " ".join(tail.partition("//")[0].split())


def _refusal(line: StatementLine, what: str) -> UnreadableStatement:
    return UnreadableStatement(
        f"Transaction {line.number}: the line {quoted(line.text, 50)} {what}."
    )
