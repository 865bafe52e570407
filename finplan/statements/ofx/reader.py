"""OFX and QFX, versions 1 (SGML) and 2 (XML): what bank and card statements say."""

import re
from collections.abc import Iterator
from dataclasses import replace

from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.left_out import NO_CASH
from finplan.statements.ofx.rows import RowConverter, kind_of
from finplan.statements.ofx.text import blocks, plain, tags, transactions
from finplan.statements.statement import (
    Hints,
    ParsedStatement,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
    UnreadableStatement,
)
from finplan.statements.text.currencies import known_currency
from finplan.statements.text.encoding import find_charset, glance
from finplan.statements.text.printed import amount_of, currency_of, day_of

_DECLARED = re.compile(r"CHARSET:\s*([\w-]{1,20})|<\?xml[^>]{0,80}encoding=[\"']([\w-]{1,20})")
_START = re.compile(
    r"(?:^|>)[^\w<>]{0,40}(?:<OFX(?![\w;,|\t])|OFXHEADER\b)|<\?OFX\b", re.MULTILINE | re.IGNORECASE
)
"""A header or the root at the start of a line or behind another tag, not within a table's cell."""

_STATEMENTS = {"STMTRS": "bank", "CCSTMTRS": "card", "INVSTMTRS": "investments"}
_AGGREGATES = {"BANKACCTFROM", "CCACCTFROM", "LEDGERBAL", "AVAILBAL", "FI", "STATUS", "BAL"}


class OfxReader:
    """Reads OFX and QFX; amounts and balances keep the sign that the bank prints."""

    format = "OFX"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether an OFX header or root stands in the first bytes."""
        return _START.search(glance(source.head)) is not None

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:
        """Convert the file; rows of one account come in parts, its balance in the last.

        Raises UnreadableStatement, also while the parts are taken: for a transaction without a day
        or an amount, a file that is cut off, and one without any bank or card statement.
        """
        start = glance(source.head)
        charset = find_charset(source, hints.encoding, _declared_encoding(start))
        document = _Document(hints.assumed_currency)
        pieces = blocks(source.path, charset, upper="<OFX" in start)
        return ParsedStatement(self.format, charset.name, document.parts(pieces))


def _declared_encoding(start: str) -> str | None:
    found = _DECLARED.search(start)
    name = (found[1] or found[2]) if found else None
    if name is not None and name.isdecimal():
        return f"cp{name}"
    return "cp1252" if name is not None and name.upper() in {"ISO-8859-1", "8859-1"} else name


class _Statement:
    """One account's statement while it is read."""

    def __init__(self, sort: str, institution: str | None) -> None:
        self.sort = sort
        self.institution = institution
        self.number: str | None = None
        self.account_type = ""
        self.currency: str | None = None
        self.since: int | None = None
        self.until: int | None = None
        self.balance: str | None = None
        self.balance_day: int | None = None
        self.rows: list[StatementRow] = []
        self.seen = 0

    def part(self, default_currency: str, *, closing: bool = False) -> StatementPart:
        """Hand over the rows read so far, with the balance when the statement closes."""
        rows, self.rows = self.rows, []
        account = self._account(default_currency)
        part = StatementPart(account, StatementRows.of(rows), self.since, self.until)
        if closing and self.balance is not None:
            balance = amount_of(self.balance, account.currency)
            if balance is not None and abs(balance) <= LARGEST_AMOUNT:
                part = replace(part, balance=balance, balance_day=self.balance_day)
        return part

    def _account(self, default_currency: str) -> StatementAccount:
        kind, subtype, label = kind_of(self.sort, self.account_type)
        tail = "".join(filter(str.isalnum, self.number or ""))[-4:]
        return StatementAccount(
            number=self.number,
            name=f"{label} {tail}".strip(),
            currency=known_currency(self.currency or default_currency),
            institution=self.institution,
            kind=kind,
            subtype=subtype,
            currency_is_assumed=self.currency is None,
        )


class _Document:
    """A file while it is read: the open statement, and what has been seen so far."""

    def __init__(self, default_currency: str) -> None:
        self._default_currency = default_currency
        self._open: _Statement | None = None
        self._aggregate = ""
        self._institution: str | None = None
        self._failure = ""
        self._failed = False
        self._sorts: set[str] = set()
        self._lists_accounts = False
        self._rows = RowConverter()
        self._investments = 0
        self._latest: StatementAccount | None = None

    def parts(self, pieces: Iterator[str]) -> Iterator[StatementPart]:
        """Follow the file and yield each statement's rows and, when it closes, its balance."""
        for piece in pieces:
            before, booked = transactions(piece)
            yield from self._follow(before)
            run = []
            for fields, after in booked:
                run.append(fields)
                if after and not after.isspace():
                    self._book(run)
                    run = []
                    yield from self._follow(after)
            self._book(run)
            if self._open is not None and self._open.rows:
                yield self._open.part(self._default_currency)
        if self._open is not None:
            raise UnreadableStatement(
                "The file is cut off in the middle of a statement; download it from the bank again."
            )
        if not self._sorts & {"bank", "card"}:
            raise UnreadableStatement(self._why_nothing())
        if self._investments and self._latest is not None:
            yield StatementPart(self._latest, left_out={NO_CASH: self._investments})

    def _follow(self, text: str) -> Iterator[StatementPart]:
        """Take in the tags that stand between transactions."""
        for tag, value in tags(text):
            if tag in _STATEMENTS:
                if self._open is not None:
                    yield from self._close(self._open)
                self._open = _Statement(_STATEMENTS[tag], self._institution)
            elif tag in _AGGREGATES:
                self._aggregate = tag
            elif tag[:1] != "/":
                self._note(tag, plain(value))
            elif tag[1:] in _STATEMENTS and self._open is not None:
                yield from self._close(self._open)
            elif tag[1:] == self._aggregate:
                self._aggregate = ""

    def _note(self, tag: str, value: str) -> None:
        """Keep what one element says, by the aggregate that it stands in."""
        if tag == "ACCTINFO":
            self._lists_accounts = True
        elif not value:
            return
        elif self._aggregate == "FI" and tag == "ORG":
            self._institution = value
        elif self._aggregate == "STATUS":
            self._note_status(tag, value)
        elif self._open is not None:
            _describe(self._open, self._aggregate, tag, value)

    def _note_status(self, tag: str, value: str) -> None:
        if tag == "SEVERITY":
            self._failed = value.upper() == "ERROR"
        elif tag == "MESSAGE" and self._failed:
            self._failure = value

    def _book(self, booked: list[dict[str, str]]) -> None:
        """Add transactions to the open statement; those of an investment account are left out."""
        statement = self._open
        if not booked:
            return
        if statement is not None and statement.sort == "investments":
            self._investments += len(booked)
            return
        if statement is None:
            raise UnreadableStatement("The file has a transaction that belongs to no account.")
        if statement.currency is None:
            statement.currency = currency_of(booked[0].get("CURSYM", ""))
        currency = known_currency(statement.currency or self._default_currency)
        statement.rows += self._rows.convert(booked, currency, statement.seen)
        statement.seen += len(booked)

    def _close(self, statement: _Statement) -> Iterator[StatementPart]:
        self._open = None
        if statement.sort == "investments":
            self._sorts.add(statement.sort)
        elif statement.number is not None or statement.seen:
            self._sorts.add(statement.sort)
            closing = statement.part(self._default_currency, closing=True)
            self._latest = closing.account
            yield closing

    def _why_nothing(self) -> str:
        if self._failure:
            return f"The bank sent an error instead of a statement: “{self._failure}”."
        if "investments" in self._sorts:
            return "The file holds investments only, no bank transactions."
        if self._lists_accounts:
            return "The file lists accounts but holds no statement; download the transactions."
        return "The file is OFX but holds no bank or card statement."


def _describe(statement: _Statement, aggregate: str, tag: str, value: str) -> None:
    """Keep what one element says about the account or its statement."""
    if tag == "CURDEF":
        statement.currency = currency_of(value)
    elif tag == "ACCTID" and aggregate.endswith("ACCTFROM"):
        statement.number = value
    elif tag == "ACCTTYPE" and aggregate == "BANKACCTFROM":
        statement.account_type = value
    elif tag == "BALAMT" and aggregate == "LEDGERBAL":
        statement.balance = value
    elif tag == "DTASOF" and aggregate == "LEDGERBAL":
        statement.balance_day = day_of(value)
    elif tag == "DTSTART":
        statement.since = day_of(value)
    elif tag == "DTEND":
        statement.until = day_of(value)
