"""Reading uploaded statement files into a stage: parsed once, for the preview and the commit alike."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from finplan.model.account import AccountKind
from finplan.model.statement import FileAccount, FileReport, ImportRequest, Remembered
from finplan.operation import UploadedFile
from finplan.service.imports.account_numbers import is_long
from finplan.service.imports.payees import PayeeNumbers
from finplan.statements.detect import read
from finplan.statements.statement import (
    AmbiguousStatement,
    Header,
    HeaderAnswers,
    Hints,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRows,
    UnreadableStatement,
)
from finplan.store.queries.imports import is_running
from finplan.store.staging import Stage, StagedRow
from finplan.store.study import Reader

CANCEL_PAUSE = 0.2
"""How often an import that is read looks whether it was cancelled, in seconds."""

LARGE_FILES = 100_000
"""How many bytes of files are worth a process of their own, which must perhaps be started."""


class Cancelled(Exception):
    """The person cancelled the import while its files were read."""


class StatedDays(NamedTuple):
    """How far one file knows an account: its last day but for pending rows, and with them."""

    known: int
    until: int


@dataclass
class ReadAccount:
    """An account of the files, by its local number, with what the files say of it as a whole.

    `stated` has the days of each file that knows what is pending; an export knows nothing of that, but
    `balances` of many days.
    """

    account: StatementAccount
    kind: AccountKind
    subtype: str | None
    currency_assumed: bool = False
    since: int | None = None
    until: int | None = None
    balance: int | None = None
    balance_day: int | None = None
    sources: set[str] = field(default_factory=set)
    headers: set[str] = field(default_factory=set)
    stated: dict[int, StatedDays] = field(default_factory=dict)
    balances: dict[int, int] = field(default_factory=dict)

    def know(self, file: int, days: StatedDays) -> None:
        """Let the days that a file knows the account for be at least these."""
        known, until = self.stated.get(file, days)
        self.stated[file] = StatedDays(max(known, days.known), max(until, days.until))


@dataclass
class ReadFile:
    """One file: how it was read, which accounts it names, or why it cannot be read.

    `header` is a table's, `used` what decided of what was said of earlier files with it.
    """

    name: str
    format: str | None = None
    encoding: str | None = None
    header: Header | None = None
    used: HeaderAnswers = field(default_factory=HeaderAnswers)
    accounts: list[int] = field(default_factory=list)
    booked: int = 0
    pending: int = 0
    notes: list[str] = field(default_factory=list)
    error: str | None = None


@dataclass
class Reading:
    """Everything the files say, their rows apart: those wait in the stage."""

    files: list[ReadFile] = field(default_factory=list)
    accounts: list[ReadAccount] = field(default_factory=list)
    payees: list[tuple[str, str, str]] = field(default_factory=list)
    ambiguous: AmbiguousStatement | None = None

    @property
    def failed(self) -> bool:
        """Whether any file cannot be read."""
        return any(file.error for file in self.files)

    def reports_without_rows(self) -> tuple[FileReport, ...]:
        """What can be said of the files before their rows are matched."""
        return tuple(self.report(replace(file, booked=0, pending=0), 0, 0) for file in self.files)

    def report(
        self,
        file: ReadFile,
        known: int,
        ambiguous: int,
        homes: Sequence[FileAccount] | None = None,
        remembered: str | None = None,
    ) -> FileReport:
        """One file's report; what is not known, for certain or perhaps, is new.

        `homes` are the accounts that the rows go to, where that is known already; `remembered` names
        the one that is told by earlier files alone.
        """
        named = [
            FileAccount(name=held.account.name, currency=held.account.currency, kind=held.kind)
            for held in (self.accounts[number] for number in file.accounts)
        ]
        return FileReport(
            file=file.name,
            format=file.format,
            encoding=file.encoding,
            accounts=tuple(named if homes is None else homes),
            transactions=file.booked,
            new=file.booked - known - ambiguous,
            known=known,
            ambiguous=ambiguous,
            error=file.error,
            remembered=_remembered(file.used, remembered),
            pending=file.pending,
            notes=tuple(file.notes),
        )


def _remembered(used: HeaderAnswers, account: str | None) -> Remembered | None:
    if used == HeaderAnswers() and account is None:
        return None
    return Remembered(
        encoding=used.encoding,
        date_order=used.date_order,
        decimal_sign=used.decimal_sign,
        currency=used.currency,
        account=account,
    )


def digest_of(files: Sequence[UploadedFile], ask: ImportRequest, generation: int) -> str:
    """A fingerprint of the files, of how they are to be read, and of the data they are added to."""
    total = hashlib.sha256(f"{generation}\n".encode())
    total.update(ask.model_dump_json(exclude={"id", "dry_run", "digest"}).encode())
    for file in files:
        total.update(f"\n{file.name}\n".encode())
        with file.path.open("rb") as content:
            total.update(hashlib.file_digest(content, "sha256").digest())
    return total.hexdigest()


def stage_files(
    reader: Reader,
    *,
    files: Sequence[UploadedFile],
    ask: ImportRequest,
    currency: str,
    profiles: Mapping[str, HeaderAnswers],
    path: Path,
    batch: int | None,
) -> Reading:
    """The study that reads every file into a new stage at `path`, ready to be attached.

    Raises Cancelled soon after the person cancelled the import `batch`; a dry run has none.
    """
    stage = Stage(path)
    try:
        reading = read_files(files, ask, currency, stage, _Watch(reader, batch), profiles)
        if not reading.failed:
            stage.finish()
        return reading
    finally:
        stage.close()


class _Watch:
    """Raises Cancelled when it is called after an import was cancelled; it looks now and then."""

    def __init__(self, reader: Reader, batch: int | None) -> None:
        self._reader = reader
        self._batch = batch
        self._looked_at = -CANCEL_PAUSE

    def __call__(self) -> None:
        batch = self._batch
        if batch is not None and monotonic() - self._looked_at >= CANCEL_PAUSE:
            self._looked_at = monotonic()
            if not self._reader.read(partial(is_running, no=batch)):
                raise Cancelled


def read_files(
    files: Sequence[UploadedFile],
    ask: ImportRequest,
    currency: str,
    stage: Stage,
    check: Callable[[], None],
    profiles: Mapping[str, HeaderAnswers],
) -> Reading:
    """Read every file into the stage; `check` is called now and then and may raise Cancelled.

    `profiles` has what was said of earlier files, by the signature of a header.
    """
    reader = _FilesReader(ask, stage, check)
    hints = Hints(
        currency=ask.currency or currency,
        encoding=ask.encoding,
        date_order=ask.date_order,
        decimal_sign=ask.decimal_sign,
        profiles=profiles,
    )
    for number, file in enumerate(files):
        reader.read_file(number, file, hints)
    return reader.reading


class _FilesReader:
    """Holds what is shared between the files of one import: local numbers of accounts and payees."""

    def __init__(self, ask: ImportRequest, stage: Stage, check: Callable[[], None]) -> None:
        self.reading = Reading()
        self._ask = ask
        self._stage = stage
        self._check = check
        self._accounts: dict[tuple[str, str], dict[str | None, int]] = {}
        self._institutions: dict[str, dict[str | None, str]] = {}
        self._payees = PayeeNumbers(self.reading.payees)

    def read_file(self, number: int, uploaded: UploadedFile, hints: Hints) -> None:
        file = ReadFile(uploaded.name)
        self.reading.files.append(file)
        try:
            reading = read(SourceFile.of(uploaded.path, uploaded.name), hints)
            file.format, file.encoding = reading.format, reading.encoding
            file.header, file.used = reading.header, reading.used
            for part in reading.parts:
                self._take(number, file, part)
        except UnreadableStatement as error:
            file.error = str(error)
        except AmbiguousStatement as error:
            file.error = str(error)
            self.reading.ambiguous = self.reading.ambiguous or error

    def _take(self, number: int, file: ReadFile, part: StatementPart) -> None:
        self._check()
        local = self._account(part.account, file)
        if local not in file.accounts:
            file.accounts.append(local)
        held = self.reading.accounts[local]
        held.sources.add(source_of(file.format))
        if file.header is not None:
            held.headers.add(file.header.signature)
        file.notes += part.notes
        widen(held, part)
        if part.account.id is None:
            state(held, number, part)
        if part.rows:
            self._stage.add(number, local, self._staged(file, part.rows))

    def _staged(self, file: ReadFile, rows: StatementRows) -> list[StagedRow]:
        pending = sum(rows.pending)
        file.booked += len(rows) - pending
        file.pending += pending
        payees = self._payees.of(rows)
        columns = [rows.days, rows.amounts, rows.raws, payees, rows.pending]
        if rows.codes or any(rows.external_ids):
            columns += [rows.external_ids, rows.codes or repeat(None, len(rows))]
        return list(zip(*columns, strict=True))

    def _account(self, account: StatementAccount, file: ReadFile) -> int:
        # Files that name no account are one account when the person names it, else one each.
        name = self._ask.account or f"file:{account.name.casefold()}"
        if account.number is not None:
            name = self._number_at(account.number, account.institution)
        # An export names each account by an id that no other one has.
        name = f"account:{account.id}" if account.id is not None else name
        # Some credit unions give a person's checking and savings one number, and some formats know
        # the number alone: those mean the first account of that number.
        same_number = self._accounts.setdefault((name, account.currency), {})
        if account.subtype in same_number:
            return same_number[account.subtype]
        if same_number and (account.subtype is None or None in same_number):
            return next(iter(same_number.values()))
        local = same_number[account.subtype] = len(self.reading.accounts)
        kind, subtype = _kind_of(account, self._ask.account_kind, file.name)
        said = self._ask.currency or file.used.currency
        assumed = account.currency_is_assumed and said is None
        self.reading.accounts.append(ReadAccount(account, kind, subtype, assumed))
        return local

    def _number_at(self, number: str, institution: str | None) -> str:
        """The name of a numbered account; a short number at another institution is another account."""
        known = self._institutions.setdefault(number, {})
        if institution not in known:
            fits = is_long(number) or institution is None or set(known) <= {None}
            known[institution] = number if fits else f"{number} at {institution}"
        return known[institution]


def source_of(format_name: str | None) -> str:
    """The kind of source that a format is; rows of one kind are told apart by their raw text."""
    return (format_name or "").lower().replace("qfx", "ofx")


def widen(held: ReadAccount, part: StatementPart) -> None:
    """Let a part add to what the files say of an account as a whole."""
    days = part.rows.days
    since = [
        day for day in (held.since, part.since, *([min(days)] if days else [])) if day is not None
    ]
    until = [
        day for day in (held.until, part.until, *([max(days)] if days else [])) if day is not None
    ]
    held.since = min(since, default=None)
    held.until = max(until, default=None)
    if part.balance is not None and part.account.id is not None and part.balance_day is not None:
        held.balances[part.balance_day] = part.balance
    if part.balance is not None and (part.balance_day or 0) >= (held.balance_day or 0):
        held.balance, held.balance_day = part.balance, part.balance_day


def state(held: ReadAccount, file: int, part: StatementPart) -> None:
    """Let a part add to how far its file knows an account."""
    days, waits = part.rows.days, part.rows.pending
    booked = (
        [day for day, waiting in zip(days, waits, strict=True) if not waiting]
        if any(waits)
        else days
    )
    known = max([part.until or 0, *([max(booked)] if booked else [])])
    until = max([known, *([max(days)] if days else [])])
    if until:
        held.know(file, StatedDays(known, until))


_CHECKING_WORDS = re.compile(r"(?<![a-z])(?:checking|chequing)(?![a-z])")
_CREDIT_WORDS = re.compile(
    r"(?<![a-z])(?:credit(?! unions?(?![a-z])| suisse| agricole)|(?<!debit )cards?"
    r"|creditcards?|visa|mastercard|amex)(?![a-z])"
)
_SAVINGS_WORDS = re.compile(r"(?<![a-z])(?:savings?|money market)(?![a-z])")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def _kind_of(
    account: StatementAccount, asked: AccountKind | None, file_name: str
) -> tuple[AccountKind, str | None]:
    """What the person or the file says; else what the names suggest, else a checking account."""
    names = (account.name, Path(file_name).stem)
    words = " / ".join(_BETWEEN_WORDS.sub(" ", name.lower()) for name in names)
    saves = _SAVINGS_WORDS.search(words) and not _CHECKING_WORDS.search(words)
    if asked is not None:
        return asked, account.subtype or ("savings" if saves and asked == "depository" else None)
    if account.kind is not None:
        return account.kind, account.subtype
    if _CHECKING_WORDS.search(words):
        return "depository", "checking"
    if _CREDIT_WORDS.search(words):
        return "credit", "credit card"
    if saves:
        return "depository", "savings"
    return "depository", "checking"
