"""CAMT.052, 053 and 054 in all versions: an account report, a statement, a notification.

One entry becomes one row: its day, its signed amount, and what it says of the other side. The XML is
read while it grows (`camt_xml`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple
from xml.etree.ElementTree import Element

from finplan.model.account import AccountKind
from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.camt_xml import STATEMENTS, elements
from finplan.statements.statement import (
    ONLY_INFORMATION,
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
from finplan.statements.text.descriptors import fold, join_texts, quoted
from finplan.statements.text.encoding import find_charset, glance, texts
from finplan.statements.text.printed import (
    amount_of,
    amounts_of,
    currency_of,
    day_of,
    reference_of,
    why_too_large,
)

_SIGNS = {"CRDT": 1, "DBIT": -1}
_PENDING = {"PDNG", "FUTR"}
_INFORMATION = "INFO"


class CamtEntry(NamedTuple):
    """An entry as it is printed, with a number that a message can name it by."""

    element: Element
    number: int


def is_row(entry: Element) -> bool:
    """Say whether an entry is booked or will be; one for information only never moves money."""
    return _status_of_entry(entry) != _INFORMATION


def currency_in(entry: Element, default: str) -> str:
    """Give the currency of an entry's amount."""
    amount = entry.find("Amt")
    code = amount.get("Ccy", "") if amount is not None else ""
    return currency_of(code) or default


def rows_of(entries: list[CamtEntry], currency: str, created: str) -> list[StatementRow]:
    """Convert entries of one currency to rows; `created` is when their statement was made.

    That is the day of an entry that has none of its own, as notifications may have it. Raises
    UnreadableStatement for one without a possible day, amount or direction, naming it.
    """
    printed = [entry.element.findtext("Amt", "").strip() for entry in entries]
    rows = []
    for entry, text, size in zip(entries, printed, amounts_of(printed, currency), strict=True):
        if size is None:
            raise _refusal(entry, "amount", text)
        if abs(size) > LARGEST_AMOUNT:
            raise UnreadableStatement(f"{_name_entry(entry)}: {why_too_large(text, currency)}")
        rows.append(_row_of_entry(entry, size, created))
    return rows


def _row_of_entry(entry: CamtEntry, size: int, created: str) -> StatementRow:
    element, _ = entry
    direction = element.findtext("CdtDbtInd", "").strip()
    sign = _SIGNS.get(direction)
    if sign is None:
        raise _refusal(entry, "direction", direction)
    printed = day_in(element.find("BookgDt")) or day_in(element.find("ValDt")) or created
    day = day_of(printed[:10])
    if day is None:
        raise _refusal(entry, "date", printed)
    raw, payee = _texts_of_entry(element, sign)
    return StatementRow(
        day,
        sign * size,
        raw,
        _reference_of_entry(element),
        payee,
        _status_of_entry(element) in _PENDING,
    )


def day_in(element: Element | None) -> str:
    """Give the text of a date or of a date with a time, "" when there is none."""
    if element is None:
        return ""
    printed = element.findtext("Dt") or element.findtext("DtTm") or ""
    return printed.strip()


def _status_of_entry(entry: Element) -> str:
    """Give the status, which stands in an element of its own since version 8."""
    status = entry.find("Sts")
    if status is None:
        return ""
    return (status.findtext("Cd") or status.text or "").strip()


def _details_of_entry(entry: Element) -> list[Element]:
    """Give the transactions that an entry sums up, as far as they are known."""
    return [detail for details in entry.findall("NtryDtls") for detail in details.findall("TxDtls")]


def _reference_of_entry(entry: Element) -> str | None:
    """Give the bank's id of an entry; a payer's EndToEndId is none, since payers repeat theirs."""
    own = reference_of(entry.findtext("AcctSvcrRef", ""))
    return own or reference_of(entry.findtext("NtryRef", ""))


def _texts_of_entry(entry: Element, sign: int) -> tuple[str, str | None]:
    """Make the descriptor of an entry, and name the other side where the file does.

    Each transaction is described by the other side's name and the purpose. What the bank adds
    describes a sum of several, and one without a purpose.
    """
    details = _details_of_entry(entry)
    roles = _other_side(entry, sign)
    names = [_name_of_party(detail, roles) for detail in details]
    name = names[0] if names and len(set(names)) == 1 else ""
    added = fold(entry.findtext("AddtlNtryInf", ""))
    if len(details) > 1 and added:
        return join_texts([name, added]), name or None
    texts = []
    for detail, party in zip(details, names, strict=True):
        texts += [party, *(_purpose(detail) or [added or _payers_reference(detail)])]
    raw = join_texts(filter(None, texts)) or added
    return raw or _code_of_entry(entry) or _last_resort(details), name or None


def _other_side(entry: Element, sign: int) -> tuple[str, ...]:
    """Say who the other side is; a reversal keeps the roles of what it reverses, at most banks."""
    role = "Cdtr" if sign < 0 else "Dbtr"
    if entry.findtext("RvslInd", "").strip() in {"true", "1"}:
        return ("Dbtr", "Cdtr") if sign < 0 else ("Cdtr", "Dbtr")
    return role, f"Ultmt{role}"


def _name_of_party(detail: Element, roles: tuple[str, ...]) -> str:
    """Name one side of a transaction: a person, a company, or since version 8 perhaps a bank."""
    parties = detail.find("RltdPties")
    if parties is None:
        return ""
    sides = (parties.find(role) for role in roles)
    return next((name for side in sides if side is not None and (name := _name_in(side))), "")


def _name_in(party: Element) -> str:
    name = party.findtext("Nm") or party.findtext("Pty/Nm") or party.findtext("Agt/FinInstnId/Nm")
    return fold(name or "")


def _purpose(detail: Element) -> list[str]:
    """Give what the payer wrote, free or beside a reference, else what the bank adds."""
    remittance = detail.find("RmtInf")
    if remittance is not None:
        written = [fold(element.text or "") for element in remittance.findall("Ustrd")]
        if not any(written):
            written = [
                fold(element.text or "") for element in remittance.findall("Strd/AddtlRmtInf")
            ]
        if any(written):
            return written
    added = fold(detail.findtext("AddtlTxInf", ""))
    return [added] if added else []


def _payers_reference(detail: Element) -> str:
    return fold(detail.findtext("RmtInf/Strd/CdtrRefInf/Ref", ""))


def _last_resort(details: list[Element]) -> str:
    """Describe an entry of which nothing is said by the references of its transaction."""
    references = [
        fold(element.text or "") for detail in details for element in detail.findall("Refs/*")
    ]
    return next(filter(reference_of, references), "")


def _code_of_entry(entry: Element) -> str:
    """Describe an entry by the bank's code for its sort, when there is nothing else."""
    codes = entry.find("BkTxCd")
    if codes is None:
        return ""
    own = codes.findtext("Prtry/Cd") or codes.findtext("Domn/Fmly/SubFmlyCd")
    return fold(own or "")


def _refusal(entry: CamtEntry, what: str, printed: str) -> UnreadableStatement:
    if not printed:
        return UnreadableStatement(
            f"{_name_entry(entry)}: missing {what}. The file is damaged or incomplete. Download"
            " it again."
        )
    return UnreadableStatement(f"{_name_entry(entry)} has an impossible {what}: {quoted(printed)}.")


def _name_entry(entry: CamtEntry) -> str:
    raw, _ = _texts_of_entry(entry.element, 1)
    return f"Entry {entry.number} ({quoted(raw)})" if raw else f"Entry {entry.number}"


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
        for block in elements(blocks):
            run: list[Element] = []
            for element in block:
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
            raise UnreadableStatement("This CAMT file contains no account statement.")
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
        for index, element in enumerate(run, self._seen + 1):
            if not is_row(element):
                self._informing += 1
            else:
                code = currency_in(element, self._currency)
                by_currency.setdefault(code, []).append(CamtEntry(element, index))
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
        stated = _balances_of(self._element, _BALANCES)
        currency = self._currency or self._stated_currency()
        if not stated:
            return self._part(currency or self._default_currency, is_last=True)
        printed = currency_in(stated[-1], currency or self._default_currency)
        currency = currency or printed
        balance = _signed_balance(stated[-1], currency)
        day = day_of(day_in(stated[-1].find("Dt")))
        if balance is None or abs(balance) > LARGEST_AMOUNT or day is None or printed != currency:
            return self._part(currency, is_last=True)
        opening = _balances_of(self._element, _OPENINGS)
        begun = _signed_balance(opening[0], currency) if opening else None
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
        name = f"{label} {number[-4:]}" if number else self._file_name
        institution = (
            account.findtext("Svcr/FinInstnId/Nm")
            or account.findtext("Svcr/FinInstnId/BICFI")
            or account.findtext("Svcr/FinInstnId/BIC")
        )
        return StatementAccount(
            number=number,
            name=fold(account.findtext("Nm", "")) or name,
            currency=known_currency(currency),
            institution=fold(institution or "") or None,
            kind=kind,
            subtype=subtype,
        )


def _balances_of(statement: Element, codes: Sequence[str]) -> list[Element]:
    """Find the balances of the first of these sorts that the statement has, the oldest first."""
    by_code: dict[str, list[Element]] = {}
    for balance in statement.findall("Bal"):
        by_code.setdefault(balance.findtext("Tp/CdOrPrtry/Cd", "").strip(), []).append(balance)
    for code in codes:
        if code in by_code:
            return sorted(by_code[code], key=lambda balance: day_in(balance.find("Dt"))[:10])
    return []


def _signed_balance(balance: Element, currency: str) -> int | None:
    size = amount_of(balance.findtext("Amt", ""), currency)
    is_debit = balance.findtext("CdtDbtInd", "").strip() == "DBIT"
    return -size if size is not None and is_debit else size


def _period_day(period: Element | None, name: str) -> int | None:
    if period is None:
        return None
    return day_of(period.findtext(f"{name}Tm") or period.findtext(name) or "")
