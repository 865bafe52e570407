"""CAMT.052, 053 and 054 in all versions: an account report, a statement, a notification."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from xml.etree.ElementTree import Element

from finplan.model.account import AccountKind
from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.camt.rows import CamtEntry, currency_in, day_in, is_row, rows_of
from finplan.statements.camt.tree import STATEMENTS, elements
from finplan.statements.left_out import ONLY_INFORMATION
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
from finplan.statements.text.descriptors import fold
from finplan.statements.text.encoding import find_charset, glance, texts
from finplan.statements.text.printed import amount_of, currency_of, day_of

_DECLARED = re.compile(r"<\?xml[^>]{0,80}encoding=[\"']([\w-]{1,20})")
_ROOTS = {
    "BkToCstmrStmt": "CAMT.053",
    "BkToCstmrAcctRpt": "CAMT.052",
    "BkToCstmrDbtCdtNtfctn": "CAMT.054",
}
_XML = re.compile(r"[^\w<]*<")
_ROOT = re.compile(rf"<(?:[\w.-]{{1,40}}:)?({'|'.join(_ROOTS)})[\s/>]")
_KINDS: dict[str, tuple[AccountKind, str, str]] = {
    "CACC": ("depository", "checking", "Checking"),
    "TRAN": ("depository", "checking", "Checking"),
    "SVGS": ("depository", "savings", "Savings"),
    "LLSV": ("depository", "savings", "Savings"),
    "CARD": ("credit", "credit card", "Credit card"),
    "LOAN": ("loan", "loan", "Loan"),
}
_OPENINGS = ("OPBD", "PRCD")
"""Opening booked, else the closing balance of the statement before."""

_BALANCES = ("CLBD", "ITBD")
"""Closing booked, else interim booked; available balances count credit lines and are no one's money."""


_ROWS_AT_ONCE = 2000


class CamtReader:
    """Reads the three CAMT messages whatever the version or prefix of their namespace."""

    format = "CAMT"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether the root of a message stands in the first bytes."""
        start = glance(source.head)
        return _XML.match(start) is not None and _ROOT.search(start) is not None

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:
        """Convert the file; rows of one statement come in parts, its balance in the last.

        Raises UnreadableStatement, also while the parts are taken: for what is no XML, has a document
        type, or has an entry without a day, an amount or a direction.
        """
        start = glance(source.head)
        declared = _DECLARED.search(start)
        root = _ROOT.search(start)
        charset = find_charset(source, hints.encoding, declared[1] if declared else None)
        document = _Document(hints.assumed_currency, PurePath(source.name).stem)
        return ParsedStatement(
            _ROOTS[root[1]] if root else self.format,
            charset.name,
            document.parts(texts(source.path, charset)),
        )


class _Document:
    """A file while it is read: the open statement, and whether any came."""

    def __init__(self, default_currency: str, file_name: str) -> None:
        self._default_currency = default_currency
        self._file_name = file_name
        self._open: _Statement | None = None

    def parts(self, blocks: Iterator[str]) -> Iterator[StatementPart]:
        """Follow the file and yield each statement's rows and, when it ends, its balance."""
        for whole in elements(blocks):
            run: list[Element] = []
            for element in whole:
                if element.tag in STATEMENTS:
                    self._add(run)
                    run = []
                    yield from self._close()
                    self._open = _Statement(element, self._default_currency, self._file_name)
                else:
                    run.append(element)
            self._add(run)
            if self._open is not None and self._open.waiting >= _ROWS_AT_ONCE:
                yield from self._open.book()
        if self._open is None:
            raise UnreadableStatement("The file is CAMT but holds no statement of an account.")
        yield from self._close()

    def _add(self, run: list[Element]) -> None:
        if self._open is not None and run:
            self._open.add(run)

    def _close(self) -> Iterator[StatementPart]:
        if self._open is not None:
            yield from self._open.book()
            yield self._open.closing()


class _Statement:
    """One account's statement while it is read; its head is known before its first entry."""

    def __init__(self, element: Element, default_currency: str, file_name: str) -> None:
        self._element = element
        self._default_currency = default_currency
        self._file_name = file_name
        self._currency: str | None = None
        self._seen = 0
        self._informing = 0
        self._moved: Counter[str] = Counter()
        self._rows: dict[str, list[StatementRow]] = {}

    @property
    def waiting(self) -> int:
        """How many rows wait for being handed over."""
        return sum(map(len, self._rows.values()))

    def add(self, run: list[Element]) -> None:
        """Convert the next entries, those of each currency apart."""
        if self._currency is None:
            stated = self._stated_currency()
            self._currency = stated or currency_in(run[0], self._default_currency)
        by_currency: dict[str, list[CamtEntry]] = {}
        for place, element in enumerate(run, self._seen + 1):
            if not is_row(element):
                self._informing += 1
            else:
                code = currency_in(element, self._currency)
                by_currency.setdefault(code, []).append(CamtEntry(element, place))
        self._seen += len(run)
        created = self._element.findtext("CreDtTm", "").strip()
        for code, entries in by_currency.items():
            rows = rows_of(entries, code, created)
            self._moved[code] += sum(row.amount for row in rows if not row.pending)
            self._rows.setdefault(code, []).extend(rows)

    def book(self) -> Iterator[StatementPart]:
        """Hand over the rows of each currency."""
        waiting, self._rows = self._rows, {}
        for code, rows in waiting.items():
            yield self._part(code, StatementRows.of(rows))

    def closing(self) -> StatementPart:
        """Give what the statement says of the account itself: its balance and the days it covers."""
        stated = _balances(self._element, _BALANCES)
        currency = self._currency or self._stated_currency()
        if not stated:
            return self._part(currency or self._default_currency, is_last=True)
        printed = currency_in(stated[-1], currency or self._default_currency)
        currency = currency or printed
        balance = _signed(stated[-1], currency)
        day = day_of(day_in(stated[-1].find("Dt")))
        if balance is None or abs(balance) > LARGEST_AMOUNT or day is None or printed != currency:
            return self._part(currency, is_last=True)
        opening = _balances(self._element, _OPENINGS)
        begun = _signed(opening[0], currency) if opening else None
        fits = None if begun is None else begun + self._moved[currency] == balance
        part = self._part(currency, is_last=True)
        return replace(part, balance=balance, balance_day=day, balance_fits=fits)

    def _part(
        self,
        currency: str,
        rows: StatementRows | None = None,
        *,
        is_last: bool = False,
    ) -> StatementPart:
        period = self._element.find("FrToDt")
        informing = {ONLY_INFORMATION: self._informing} if is_last and self._informing else {}
        return StatementPart(
            self._account(currency),
            rows or StatementRows(),
            _period_day(period, "FrDt"),
            _period_day(period, "ToDt"),
            left_out=informing,
        )

    def _stated_currency(self) -> str | None:
        return currency_of(self._element.findtext("Acct/Ccy", ""))

    def _account(self, currency: str) -> StatementAccount:
        account = self._element.find("Acct")
        account = Element("Acct") if account is None else account
        printed = account.findtext("Id/IBAN") or account.findtext("Id/Othr/Id") or ""
        number = fold(printed).replace(" ", "") or None
        kind, subtype, label = _KINDS.get(
            account.findtext("Tp/Cd", "").strip(), (None, None, "Account")
        )
        named = f"{label} {number[-4:]}" if number else self._file_name
        institution = (
            account.findtext("Svcr/FinInstnId/Nm")
            or account.findtext("Svcr/FinInstnId/BICFI")
            or account.findtext("Svcr/FinInstnId/BIC")
        )
        return StatementAccount(
            number=number,
            name=fold(account.findtext("Nm", "")) or named,
            currency=known_currency(currency),
            institution=fold(institution or "") or None,
            kind=kind,
            subtype=subtype,
        )


def _balances(statement: Element, codes: Sequence[str]) -> list[Element]:
    """Find the balances of the first of these sorts that the statement has, the oldest first."""
    by_code: dict[str, list[Element]] = {}
    for balance in statement.findall("Bal"):
        by_code.setdefault(balance.findtext("Tp/CdOrPrtry/Cd", "").strip(), []).append(balance)
    for code in codes:
        if code in by_code:
            return sorted(by_code[code], key=lambda balance: day_in(balance.find("Dt"))[:10])
    return []


def _signed(balance: Element, currency: str) -> int | None:
    size = amount_of(balance.findtext("Amt", ""), currency)
    is_debit = balance.findtext("CdtDbtInd", "").strip() == "DBIT"
    return -size if size is not None and is_debit else size


def _period_day(period: Element | None, name: str) -> int | None:
    if period is None:
        return None
    return day_of(period.findtext(f"{name}Tm") or period.findtext(name) or "")
