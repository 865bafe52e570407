"""OFX and QFX, versions 1 (SGML) and 2 (XML): what bank and card statements say.

SGML and XML alike are cut into tags and values without an XML parser; one transaction becomes one row:
its day, its amount, and what it says of the other side.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import cast

from finplan.model.account import AccountKind
from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.statement import (
    INVESTMENTS_ONLY,
    NO_CASH,
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
from finplan.statements.text.descriptors import (
    LONGEST_REMEMBERED,
    MOST_REMEMBERED,
    fold,
    join_texts,
    quoted,
)
from finplan.statements.text.encoding import Charset, find_charset, glance, texts
from finplan.statements.text.printed import (
    amount_of,
    amounts_of,
    currency_of,
    day_of,
    why_too_large,
)

TRANSACTION = "<STMTTRN>"
_TRANSACTION_END = "</STMTTRN>"
_LONGEST_PIECE = 1 << 22
_COMMENT = "<!--"
_VERBATIM = "<![CDATA["
_ANY_TAG = re.compile(r"<[^<>]{1,80}>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});")


def blocks(path: Path, charset: Charset, *, upper: bool) -> Iterator[str]:
    """Yield the file in blocks that begin and end between transactions or between tags.

    Comments are gone and CDATA is escaped; tags are in capitals, which `upper` says they are
    already. Raises UnreadableStatement when a piece never ends.
    """
    buffer = unfinished = ""
    for text in texts(path, charset):
        content, unfinished = _without_comments(buffer + text)
        if not upper:
            content = _ANY_TAG.sub(lambda tag: tag[0].upper(), content)
        cut = _last_boundary(content)
        yield content[:cut]
        buffer = content[cut:] + unfinished
        if len(buffer) > _LONGEST_PIECE:
            raise UnreadableStatement(
                "A tag or transaction in the file never ends. Download the file again."
            )
    if unfinished:
        raise UnreadableStatement("The file is cut off in a comment. Download it again.")
    yield buffer


def tags(text: str) -> Iterator[tuple[str, str]]:
    """Yield each tag with the text that follows it; a closing tag begins with a slash."""
    for piece in text.split("<")[1:]:
        tag, _, value = piece.partition(">")
        yield tag, value


def transactions(block: str) -> tuple[str, list[tuple[dict[str, str], str]]]:
    """Cut a block into what stands before its transactions, and their fields with what follows.

    A field inside a nested aggregate stands beside the others; the name in PAYEE is PAYEE.NAME.
    """
    before, *pieces = block.split(TRANSACTION)
    records = []
    for piece in pieces:
        body, _, after = piece.partition(_TRANSACTION_END)
        fields = {}
        for part in (_with_payee(body) if "<PAYEE>" in body else body).split("<"):
            tag, _, value = part.partition(">")
            fields[tag] = value
        records.append((fields, after))
    return before, records


def _with_payee(body: str) -> str:
    own, _, payee = body.partition("<PAYEE>")
    inner, _, tail = payee.partition("</PAYEE>")
    return own + inner.replace("<NAME>", "<PAYEE.NAME>") + tail


def plain_value(value: str) -> str:
    """Fold a value's white space and resolve character references, never the file's entities."""
    if "&" in value:
        value = _ENTITY.sub(lambda reference: html.unescape(reference[0]), value)
    return fold(value)


def _last_boundary(text: str) -> int:
    begun = text.rfind(TRANSACTION)
    return begun if begun > text.rfind(_TRANSACTION_END) else max(text.rfind("<"), 0)


def _without_comments(text: str) -> tuple[str, str]:
    """Drop comments and escape CDATA; the second part is one that has not ended yet."""
    pieces = []
    offset = 0
    while (start := text.find("<!", offset)) >= 0:
        pieces.append(text[offset:start])
        if text.startswith(_COMMENT, start):
            end = text.find("-->", start)
            replacement = ""
        elif text.startswith(_VERBATIM, start):
            end = text.find("]]>", start)
            verbatim = text[start + len(_VERBATIM) : end]
            replacement = verbatim.replace("&", "&amp;").replace("<", "&lt;")
        else:
            pieces.append("<!")
            offset = start + 2
            continue
        if end < 0:
            return "".join(pieces), text[start:]
        pieces.append(replacement)
        offset = end + 3
    return "".join([*pieces, text[offset:]]), ""


_KINDS: dict[str, tuple[AccountKind, str, str]] = {
    "CHECKING": ("depository", "checking", "Checking"),
    "SAVINGS": ("depository", "savings", "Savings"),
    "MONEYMRKT": ("depository", "money market", "Money market"),
    "CD": ("depository", "cd", "Certificate of deposit"),
    "CREDITLINE": ("credit", "line of credit", "Credit line"),
}


class RowConverter:
    """Converts transactions to rows, remembering descriptors that it has seen."""

    def __init__(self) -> None:
        self._descriptors = _Descriptors()

    def convert(
        self, booked: list[dict[str, str]], currency: str, already: int
    ) -> list[StatementRow]:
        """Convert a run of transactions that follows `already` others of the statement.

        Raises UnreadableStatement for one without a possible day or amount, naming it.
        """
        if len(self._descriptors) > MOST_REMEMBERED:
            self._descriptors.clear()
        days = [day_of(fields.get("DTPOSTED", "").strip()[:10]) for fields in booked]
        amounts = amounts_of([fields.get("TRNAMT", "") for fields in booked], currency)
        for index, (day, amount) in enumerate(zip(days, amounts, strict=True)):
            if day is None:
                raise _refusal(booked[index], already + index + 1, "date", "DTPOSTED")
            if amount is None:
                raise _refusal(booked[index], already + index + 1, "amount", "TRNAMT")
            if not -LARGEST_AMOUNT <= amount <= LARGEST_AMOUNT:
                raise _too_large(booked[index], already + index + 1, currency)
        payees = [fields.get("PAYEE.NAME", "") for fields in booked]
        texts = [
            (fields.get("NAME", ""), payee, fields.get("MEMO", ""))
            for fields, payee in zip(booked, payees, strict=True)
        ]
        raws = list(map(self._descriptors.__getitem__, texts))
        if "" in raws:
            raws = [
                raw or _kind_and_number(fields) for raw, fields in zip(raws, booked, strict=True)
            ]
        printed = [fields.get("FITID", "").strip() for fields in booked]
        ids = [fitid if fitid.strip("0") else None for fitid in printed]
        names = [plain_value(payee) or None for payee in payees] if any(payees) else repeat(None)
        codes = [_code_of_trade(fields.get("SIC", "")) for fields in booked]
        columns = (cast("list[int]", days), cast("list[int]", amounts), raws, ids, names)
        return list(map(StatementRow, *columns, [False] * len(raws), codes))


def kind_of(sort: str, account_type: str) -> tuple[AccountKind | None, str | None, str]:
    """Translate an account's type to kind, subtype and a label for its name."""
    if sort == "card":
        return "credit", "credit card", "Credit card"
    return _KINDS.get(account_type.upper(), (None, None, "Account"))


def _code_of_trade(printed: str) -> str | None:
    """The code of the merchant's trade; banks print zeros where they have none."""
    code = printed.strip()
    return code if code.isascii() and code.isdigit() and len(code) == 4 and int(code) else None


class _Descriptors(dict[tuple[str, str, str], str]):
    """Remembers the descriptor of each name, payee and memo."""

    def __missing__(self, texts: tuple[str, str, str]) -> str:
        descriptor = join_texts(map(plain_value, texts))
        if sum(map(len, texts)) <= LONGEST_REMEMBERED:
            self[texts] = descriptor
        return descriptor


def _kind_and_number(fields: dict[str, str]) -> str:
    """Describe a transaction without a name: a check by its number."""
    return plain_value(f"{fields.get('TRNTYPE', '')} {fields.get('CHECKNUM', '')}")


def _refusal(fields: dict[str, str], number: int, what: str, tag: str) -> UnreadableStatement:
    which = _named_transaction(fields, number)
    printed = plain_value(fields.get(tag, ""))
    if not printed:
        return UnreadableStatement(
            f"{which}: missing {what}. The file is damaged or incomplete. Download it again."
        )
    return UnreadableStatement(f"{which} has an impossible {what}: {quoted(printed)}.")


def _too_large(fields: dict[str, str], number: int, currency: str) -> UnreadableStatement:
    printed = plain_value(fields.get("TRNAMT", ""))
    return UnreadableStatement(
        f"{_named_transaction(fields, number)}: {why_too_large(printed, currency)}"
    )


def _named_transaction(fields: dict[str, str], number: int) -> str:
    name = plain_value(fields.get("NAME", "") or fields.get("MEMO", ""))
    return f"Transaction {number} ({quoted(name)})" if name else f"Transaction {number}"


_DECLARED = re.compile(r"CHARSET:\s*([\w-]{1,20})|<\?xml[^>]{0,80}encoding=[\"']([\w-]{1,20})")
_RECOGNISED = re.compile(
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
        return _RECOGNISED.search(glance(source.head)) is not None

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
    match = _DECLARED.search(start)
    name = (match[1] or match[2]) if match else None
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
                "The file is cut off in the middle of a statement. Download it again."
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
                self._note(tag, plain_value(value))
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
            raise UnreadableStatement(
                "A transaction in the file does not belong to an account. Download the file again."
            )
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
            return INVESTMENTS_ONLY
        if self._lists_accounts:
            return (
                "The file lists accounts but contains no transactions. Download the transactions"
                " as well."
            )
        return "This OFX file contains no bank or card statement."


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
