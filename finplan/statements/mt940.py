"""MT940 and MT942: SWIFT's account statement and its interim report, with or without envelopes.

A message is cut into fields, tag and value, in runs; its statement lines become rows in `mt940_row`.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath

from finplan.model.money import CODES, LARGEST_AMOUNT
from finplan.statements.mt940_row import LineConverter, StatementLine, short_year
from finplan.statements.statement import (
    Hints,
    ParsedStatement,
    SourceFile,
    StatementAccount,
    StatementPart,
    UnreadableStatement,
)
from finplan.statements.text.currencies import known_currency
from finplan.statements.text.encoding import find_charset, glance, texts
from finplan.statements.text.printed import amount_of, day_number

_TAGGED_FIELD = re.compile(
    r"^:(20(?=:[^\n]*\n+(?::21:[^\n]*\n+)?:25P?:)|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|13D?|34F"
    r"|90[CD]|NS[A-Z]?):",
    re.MULTILINE,
)
"""A field's beginning. A time that is wrapped to the next line (“:20:15”) is no head of a statement,
because no account follows it."""

_CUTS = ("\n:61:", "\n:62F:", "\n:62M:")
_MESSAGE_END = re.compile(r"^(?:-[ \t]*(?:$|\})|\{\d:|[\x01\x03])", re.MULTILINE)
_LONGEST_PIECE = 1 << 20


def plain_lines(text: str) -> str:
    """End every line as Unix does."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def fields(blocks: Iterator[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield the fields in runs that begin with a statement line or a closing balance, but for the first.

    A line and what is said of it are in one run. Raises UnreadableStatement for a field that never
    ends.
    """
    buffer = unfinished = ""
    for block in blocks:
        # A block may end between the two characters of a line's end.
        text = unfinished + block
        unfinished = "\r" if text.endswith("\r") else ""
        text = buffer + plain_lines(text.removesuffix("\r"))
        cut = max(map(text.rfind, _CUTS)) + 1
        yield _split_fields(text[:cut])
        buffer = text[cut:]
        if len(buffer) > _LONGEST_PIECE:
            raise UnreadableStatement("A field in the file never ends. Download the file again.")
    yield _split_fields(buffer)


def before_end(value: str) -> tuple[str, bool]:
    """Cut a value where its message ends, and say whether it does."""
    if "\n-" not in value and "\n{" not in value and "\x03" not in value:
        return value, False
    match = _MESSAGE_END.search(value)
    return (value[: match.start()], True) if match else (value, False)


def _split_fields(text: str) -> list[tuple[str, str]]:
    pieces = _TAGGED_FIELD.split(text)
    return list(zip(pieces[1::2], pieces[2::2], strict=True))


_RECOGNISED = re.compile(
    r"^\{1:F\d\d|^:(?:60[FM]:[CD]|62[FM]:[CD]|61:\d{6}|34F:[A-Z]{3}|25P?:[^\n]*\n+:28C?:)",
    re.MULTILINE,
)
_REPORT = re.compile(r"^:(?:34F|13D):", re.MULTILINE)
_STATEMENT = re.compile(r"^:6[02][FM]:", re.MULTILINE)
_BALANCE = re.compile(r"\s*([CD])(\d{6})([A-Z]{3})?(\d{1,18}(?:[.,]\d{0,6})?)\s*(?:\n|$)")
_STATED_CURRENCY = re.compile(r"^:6[0245][FM]?:[CD]\d{6}([A-Z]{3})", re.MULTILINE)
_FLOOR = re.compile(r"\s*([A-Z]{3})[CD]?\d")
_NUMBER_AND_CURRENCY = re.compile(r"(.*?\d)[ /]?([A-Z]{3})")


class Mt940Reader:
    """Reads MT940 and MT942; rows of an interim report are pending, since a statement follows it."""

    format = "MT940"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether an envelope, a statement line or a balance stands in the first bytes."""
        return _RECOGNISED.search(plain_lines(glance(source.head))) is not None

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:
        """Convert the file; rows of one statement come in parts, its balance in the last.

        Raises UnreadableStatement, also while the parts are taken: for a line without a possible day
        or amount, and for a file without any statement.
        """
        start = plain_lines(glance(source.head))
        is_report = _REPORT.search(start) is not None and _STATEMENT.search(start) is None
        charset = find_charset(source, hints.encoding)
        # A statement that lacks its opening balance is in the currency of the first other one.
        stated = _STATED_CURRENCY.search(start)
        currency = stated[1] if stated else hints.assumed_currency
        document = _Document(currency, PurePath(source.name).stem)
        return ParsedStatement(
            "MT942" if is_report else self.format,
            charset.name,
            document.parts(fields(texts(source.path, charset))),
        )


class _Statement:
    """What is known of one account's statement while it is read."""

    def __init__(self) -> None:
        self.number: str | None = None
        self.currency: str | None = None
        self.is_report = False
        self.is_closed = False
        self.says_something = False
        self.seen = 0
        self.opening: int | None = None
        self.opening_day: int | None = None
        self.moved = 0
        self.balance: int | None = None
        self.balance_day: int | None = None

    @property
    def fits(self) -> bool | None:
        """Whether opening balance and rows make the closing balance, None where one is not stated."""
        if self.opening is None or self.balance is None:
            return None
        return self.opening + self.moved == self.balance

    def name_account(self, printed: str) -> None:
        """Take in :25:, where some banks write the currency behind the number."""
        text = " ".join(printed.split("\n", 1)[0].split())
        match = _NUMBER_AND_CURRENCY.fullmatch(text)
        if match is not None and match[2] in CODES:
            self.number, self.currency = match[1], match[2]
        else:
            self.number = text or None

    def account(self, default_currency: str, file_name: str) -> StatementAccount:
        """Give the account; one that the file does not name is named after the file."""
        tail = "".join(filter(str.isalnum, self.number or ""))[-4:]
        return StatementAccount(
            number=self.number,
            name=f"Account {tail}" if tail else file_name,
            currency=known_currency(self.currency or default_currency),
        )


class _Document:
    """A file while it is read: the open statement, and its lines that are not converted yet."""

    def __init__(self, default_currency: str, file_name: str) -> None:
        self._default_currency = default_currency
        self._file_name = file_name
        self._open: _Statement | None = None
        self._lines: list[StatementLine] = []
        self._information: list[str] = []
        self._non_swift: list[str] = []
        self._is_in_line = False
        self._converter = LineConverter()
        self._found_any = False

    def parts(self, runs: Iterator[list[tuple[str, str]]]) -> Iterator[StatementPart]:
        """Follow the file and yield each statement's rows and, when it ends, its balance."""
        for run in runs:
            for tag, value in run:
                if tag == "61":
                    self._begin_line(value)
                elif self._is_in_line and not tag.startswith(("6", "9")) and tag != "20":
                    self._extend_line(tag, value)
                else:
                    yield from self._follow(tag, value)
            yield from self._book()
        yield from self._close()
        if not self._found_any:
            raise UnreadableStatement("This SWIFT message contains no account statement.")

    def _statement(self) -> _Statement:
        if self._open is None:
            self._open = _Statement()
        return self._open

    def _begin_line(self, value: str) -> None:
        statement = self._statement()
        statement.seen += 1
        text, is_end = before_end(value)
        self._end_line()
        self._lines.append(StatementLine(text, "", "", statement.seen))
        self._is_in_line = not is_end
        statement.is_closed = is_end

    def _extend_line(self, tag: str, value: str) -> None:
        """Add what is said of the last line; the tag of a head there is a time that was wrapped."""
        text, is_end = before_end(value)
        if tag.startswith("NS"):
            self._non_swift.append(text)
        else:
            self._information.append(text if tag == "86" else f":{tag}:{text}")
        self._is_in_line = not is_end
        self._statement().is_closed = is_end

    def _end_line(self) -> None:
        """Give the last line what has been said of it."""
        if self._lines:
            information, non_swift = "".join(self._information), "".join(self._non_swift)
            self._lines[-1] = self._lines[-1]._replace(information=information, non_swift=non_swift)
        self._information, self._non_swift = [], []

    def _follow(self, tag: str, value: str) -> Iterator[StatementPart]:
        """Take in a field that stands outside of the statement lines."""
        self._is_in_line = False
        # A field that lines stand before holds for those behind it, wherever a block of the file ends.
        yield from self._book()
        if tag == "20" or (tag.startswith("25") and self._statement().is_closed):
            yield from self._close()
        statement = self._statement()
        if tag.startswith("25"):
            statement.name_account(value)
        elif tag in {"34F", "13D"}:
            statement.is_report = True
            floor = _FLOOR.match(value)
            statement.currency = floor[1] if floor else statement.currency
        elif tag.startswith("60"):
            statement.is_report = False
            opening = _BALANCE.match(value)
            statement.says_something = opening is not None
            statement.currency = (opening and opening[3]) or statement.currency
            statement.opening = opening and self._signed(opening, statement)
            statement.opening_day = opening and _day_of(opening)
        elif tag.startswith("62"):
            self._take_balance(statement, value)

    def _take_balance(self, statement: _Statement, value: str) -> None:
        statement.is_closed = True
        match = _BALANCE.match(value)
        if match is None:
            return
        statement.says_something = True
        balance = self._signed(match, statement)
        day = _day_of(match)
        if balance is not None and abs(balance) <= LARGEST_AMOUNT and day is not None:
            statement.balance, statement.balance_day = balance, day

    def _signed(self, match: re.Match[str], statement: _Statement) -> int | None:
        size = amount_of(match[4], statement.currency or self._default_currency)
        return -size if size is not None and match[1] == "D" else size

    def _book(self) -> Iterator[StatementPart]:
        """Convert the lines that have gathered."""
        self._end_line()
        lines, self._lines = self._lines, []
        self._is_in_line = False
        if lines and self._open is not None:
            self._found_any = True
            account = self._open.account(self._default_currency, self._file_name)
            pending = self._open.is_report
            rows = self._converter.convert(lines, account.currency, pending=pending)
            self._open.moved += sum(rows.amounts)
            yield StatementPart(account, rows)

    def _close(self) -> Iterator[StatementPart]:
        statement, self._open = self._open, None
        if statement is not None and statement.says_something:
            self._found_any = True
            yield StatementPart(
                statement.account(self._default_currency, self._file_name),
                # The day of the opening balance is the last one of the statement before.
                since=statement.opening_day,
                until=statement.balance_day,
                balance=statement.balance,
                balance_day=statement.balance_day,
                balance_fits=statement.fits,
            )


def _day_of(balance: re.Match[str]) -> int | None:
    printed = balance[2]
    return day_number(short_year(printed[:2]), int(printed[2:4]), int(printed[4:]))
