"""An import on its way: what its files say while their rows wait in the stage, and where it stands.

`ImportRun` is the one value that each step of an import is handed, and hands on.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from finplan.intake.facts import HeldAccount
from finplan.intake.questions import FileQuestion
from finplan.model.account import AccountKind
from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.model.errors import BadRequest
from finplan.model.household import ExportedHome
from finplan.model.statement import FileReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.plan.ledger.days import Interval, merged
from finplan.statements import statement

_MOST_STATED = 1000
"""How many stated periods of one file are told apart."""


@dataclass
class AccountInFile:
    """The days that a file knows of an account, its rows as a whole, its closing balance.

    `stated` are the days that the file states, `first` and `last` those of its booked rows, YYYYMMDD.
    `booked` counts these, `money_in` and `money_out` are what they add up to, both positive.
    `balance` has the bank's own sign; `fits` says whether it follows from the rows by what the file
    itself states, None where it does not tell. `left_out` counts rows by reason.
    """

    stated: list[Interval] = field(default_factory=list)
    first: int | None = None
    last: int | None = None
    booked: int = 0
    money_in: int = 0
    money_out: int = 0
    balance: int | None = None
    balance_day: int | None = None
    fits: bool | None = None
    left_out: Counter[str] = field(default_factory=Counter)
    assumed: list[str] = field(default_factory=list)

    def include(self, part: statement.StatementPart, booked: Sequence[int]) -> None:
        """Let a part of the file, which has rows booked on some days, add what it says."""
        if booked:
            self._take_days(min(booked), max(booked))
            self._take_amounts(part.rows, len(booked))
        if part.until is not None:
            since = part.since or min(booked, default=part.until)
            self.state([Interval(min(since, part.until), part.until)])
        self._take_balance(part.balance, part.balance_day)
        self._take_fit(part.balance_fits)
        self.left_out.update(part.left_out)
        self.assumed += part.assumed

    def merge(self, source: "AccountInFile") -> None:
        """Add what the file says of the account under another name."""
        self.state(source.intervals)
        if source.first is not None and source.last is not None:
            self._take_days(source.first, source.last)
        self.booked += source.booked
        self.money_in += source.money_in
        self.money_out += source.money_out
        self._take_balance(source.balance, source.balance_day)
        self._take_fit(source.fits)
        self.left_out.update(source.left_out)
        self.assumed += source.assumed

    @property
    def intervals(self) -> list[Interval]:
        """The days as intervals; rows outside of the stated days widen them."""
        spans = merged(self.stated)
        if self.first is None or self.last is None:
            return spans
        if not spans:
            return [Interval(self.first, self.last, since_stated=False, until_stated=False)]
        if self.first < spans[0].since:
            spans[0] = spans[0]._replace(since=self.first)
        if self.last > spans[-1].until:
            spans[-1] = spans[-1]._replace(until=self.last)
        return spans

    def state(self, intervals: Sequence[Interval]) -> None:
        """Add days that the file states itself."""
        self.stated += intervals
        if len(self.stated) > _MOST_STATED:
            self.stated = merged(self.stated)
        if len(self.stated) > _MOST_STATED:
            # No bank states so many periods with holes between them: a file of them is damaged.
            self.stated = [Interval(self.stated[0].since, self.stated[-1].until)]

    def _take_days(self, first: int, last: int) -> None:
        self.first = first if self.first is None else min(self.first, first)
        self.last = last if self.last is None else max(self.last, last)

    def _take_amounts(self, rows: statement.StatementRows, booked: int) -> None:
        amounts = rows.amounts
        if booked < len(amounts):
            amounts = [
                amount for amount, waits in zip(amounts, rows.pending, strict=True) if not waits
            ]
        total, came_in = sum(amounts), sum(amount for amount in amounts if amount > 0)
        self.booked += len(amounts)
        self.money_in += came_in
        self.money_out += came_in - total

    def _take_balance(self, balance: int | None, day: int | None) -> None:
        """Keep the newest balance; of two of one day the later one."""
        if balance is not None and (day or 0) >= (self.balance_day or 0):
            self.balance, self.balance_day = balance, day

    def _take_fit(self, fits: bool | None) -> None:
        """All of several balances must fit."""
        if fits is not None:
            self.fits = fits and self.fits is not False


class CoveredDays(NamedTuple):
    """How far one file covers an account: its last day but for pending rows, and with them.

    Both are YYYYMMDD; `booked` is 0 where only a pending row tells.
    """

    booked: int
    until: int


@dataclass
class StagedAccount:
    """An account of the files, by its local number, with what the files say of it as a whole.

    Days are YYYYMMDD; balances are in minor units with the bank's own sign. `coverage` has each file
    that knows what is pending, by its place; an export knows nothing of that. `in_files` has what
    each file says, by its place, `balances` each balance that is stated by its day. `headers` are the
    signatures of the tables that it is read from. `is_called_like_file` says that its name is only its
    file's. `kind_clues` are what names, formats and tables say
    of its kind, `file_names` those of its files. `example` is a row, amount and text, by which a person
    knows it: one that comes in, where one does.
    """

    account: statement.StatementAccount
    kind: AccountKind
    subtype: str | None
    currency_assumed: bool = False
    is_called_like_file: bool = False
    since: int | None = None
    until: int | None = None
    balance: int | None = None
    balance_day: int | None = None
    sources: set[str] = field(default_factory=set)
    headers: set[str] = field(default_factory=set)
    coverage: dict[int, CoveredDays] = field(default_factory=dict)
    in_files: dict[int, AccountInFile] = field(default_factory=dict)
    balances: dict[int, int] = field(default_factory=dict)
    kind_clues: dict[statement.KindClue, None] = field(default_factory=dict)
    file_names: list[str] = field(default_factory=list)
    example: tuple[int, str] | None = None

    @property
    def intervals(self) -> list[Interval]:
        """The days that the files cover, in order; those that overlap or touch are one interval."""
        return merged(
            interval for in_file in self.in_files.values() for interval in in_file.intervals
        )

    @property
    def is_exported(self) -> bool:
        """Whether finplan wrote the file itself, which knows the account by its id."""
        return self.account.id is not None

    def include(self, file: int, part: statement.StatementPart) -> None:
        """Let a part of a file, given by its place, add to what is known of the account."""
        self.kind_clues |= dict.fromkeys(part.kind_clues)
        self._take_example(part.rows)
        days = part.rows.days
        ends = [min(days), max(days)] if days else []
        self._widen([part.since, *ends], [part.until, *ends])
        booked_days = _booked_days(part.rows)
        self.in_files.setdefault(file, AccountInFile()).include(part, booked_days)
        if part.balance is not None:
            if part.balance_day is not None:
                self.balances[part.balance_day] = part.balance
            self._take_balance(part.balance, part.balance_day)
        if not self.is_exported:
            booked = max(part.until or 0, max(booked_days, default=0))
            until = max([booked, *ends])
            if until:
                self._cover(file, CoveredDays(booked, until))

    def merge(self, source: "StagedAccount") -> None:
        """Let another account of the files, which turns out to be this one, add what is known of it."""
        self._widen([source.since], [source.until])
        if source.balance is not None:
            self._take_balance(source.balance, source.balance_day)
        self.balances |= source.balances
        self.sources |= source.sources
        for file, in_file in source.in_files.items():
            self.in_files.setdefault(file, AccountInFile()).merge(in_file)
        self.kind_clues |= source.kind_clues
        self.file_names += source.file_names
        self.example = self.example or source.example
        for file, coverage in source.coverage.items():
            self._cover(file, coverage)

    def _take_example(self, rows: statement.StatementRows) -> None:
        if rows and (self.example is None or self.example[0] < 0):
            index = next((at for at, amount in enumerate(rows.amounts) if amount > 0), 0)
            if self.example is None or rows.amounts[index] > 0:
                self.example = rows.amounts[index], rows.raws[index]

    def _widen(self, since: Iterable[int | None], until: Iterable[int | None]) -> None:
        self.since = min((day for day in (self.since, *since) if day is not None), default=None)
        self.until = max((day for day in (self.until, *until) if day is not None), default=None)

    def _take_balance(self, balance: int, day: int | None) -> None:
        """Keep the newest balance; of two of one day the later one."""
        if (day or 0) >= (self.balance_day or 0):
            self.balance, self.balance_day = balance, day

    def _cover(self, file: int, days: CoveredDays) -> None:
        booked, until = self.coverage.get(file, days)
        self.coverage[file] = CoveredDays(max(booked, days.booked), max(until, days.until))


def _booked_days(rows: statement.StatementRows) -> Sequence[int]:
    if not any(rows.pending):
        return rows.days
    return [day for day, waits in zip(rows.days, rows.pending, strict=True) if not waits]


@dataclass
class StagedFile:
    """One file: how it was read, which accounts it names, or why it cannot be read.

    `header` is a table's, `used` what decided of the answers given for earlier files with it.
    `accounts` are local numbers; `pending` counts the rows that wait. `unshown` are the rows whose way
    only an answer says, each with the local number of its account.
    """

    name: str
    format: str | None = None
    encoding: str | None = None
    header: statement.Header | None = None
    used: statement.HeaderAnswers = field(default_factory=statement.HeaderAnswers)
    accounts: list[int] = field(default_factory=list)
    pending: int = 0
    notes: list[str] = field(default_factory=list)
    unshown: list[tuple[int, statement.UnshownRow]] = field(default_factory=list)
    error: str | None = None

    @property
    def source(self) -> str:
        """The kind of source that its format is; rows of one kind are told apart by their raw text."""
        return (self.format or "").lower().replace("qfx", "ofx")

    @property
    def layout(self) -> str:
        """What files of one bank have in common: the signature of their header, else their format."""
        return self.source if self.header is None else self.header.signature


@dataclass
class StagedFiles:
    """Everything that the files of one import say, but for their rows.

    Accounts and payees go by their places here, which are their local numbers in the stage; a payee is
    its key, its name, and the first descriptor that it was seen under. `questions` are those on how
    files are read; one that leaves something open is staged as it is likely. `home` is the household
    that the import restores, whose accounts come first, in its order; `exported` are the names of the
    payees that the files tell apart by their keys.
    """

    files: list[StagedFile] = field(default_factory=list)
    accounts: list[StagedAccount] = field(default_factory=list)
    payees: list[tuple[str, str, str]] = field(default_factory=list)
    questions: list[FileQuestion] = field(default_factory=list)
    home: ExportedHome | None = None
    exported: dict[str, str] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether any file cannot be read."""
        return any(file.error for file in self.files)


@dataclass(eq=False)
class ResolvedAccount:
    """The person's account that rows of the files go to; a new one has its ids once it is created.

    `remembered` says that only the answers given for earlier files with the same header lead there;
    `contested` that the rows speak for another account, though the person named this one; `notes` are
    sentences on how else it was found, and on what it may be instead. `learned` are the other names and
    numbers that the person said are this account's, as external ids, `learned_headers` the signatures of
    the tables that are its.
    """

    staged: StagedAccount
    external_id: str
    name: str
    kind: AccountKind
    existing: HeldAccount | None = None
    no: int = 0
    id: str = ""
    connection_no: int = 0
    remembered: bool = False
    contested: bool = False
    notes: tuple[str, ...] = ()
    learned: set[str] = field(default_factory=set)
    learned_headers: set[str] = field(default_factory=set)

    @classmethod
    def of_existing(cls, staged: StagedAccount, account: HeldAccount) -> "ResolvedAccount":
        """An account of the store. Raises BadRequest where the file is in another currency."""
        if account.currency != staged.account.currency:
            raise BadRequest(
                f"{account.name} is in {account.currency}, but the file is in {staged.account.currency}."
                " Choose another account."
            )
        return cls(
            staged,
            account.external_id,
            account.name,
            account.kind,
            account,
            account.no,
            account.id,
            account.connection_no,
        )

    @property
    def new(self) -> bool:
        """Whether the import creates this account."""
        return self.existing is None

    @property
    def currency(self) -> str:
        """The ISO 4217 code of its amounts."""
        return self.staged.account.currency

    @property
    def intervals(self) -> Sequence[Interval]:
        """The days that the files cover; an export of the account itself has no statement's days."""
        return [] if self.staged.is_exported and not self.new else self.staged.intervals

    @property
    def held(self) -> HeldAccount:
        """The account as the store has it, once it is created."""
        if self.existing is not None:
            return self.existing
        return HeldAccount(
            no=self.no,
            id=self.id,
            external_id=self.external_id,
            name=self.name,
            kind=self.kind,
            subtype=self.staged.subtype,
            currency=self.currency,
            provider="manual",
            institution_name=self.staged.account.institution or UNNAMED_INSTITUTION,
            connection_no=self.connection_no,
        )

    def take_from(self, source: "ResolvedAccount") -> None:
        """Take what the files of this new account do not say of those of another one that it is.

        That is its number, which brings name and institution along, and its kind.
        """
        own, theirs = self.staged.account, source.staged.account
        if own.number is None and theirs.number is not None:
            self.learned.add(own.id or self.external_id)
            self.learned.discard(source.external_id)
            self.external_id, self.name = source.external_id, source.name
            self.staged.account = theirs
        base = theirs if own.kind is None else own
        self.staged.account = replace(self.staged.account, kind=base.kind, subtype=base.subtype)

    @property
    def sources(self) -> frozenset[str]:
        """The kinds of source that brought the account's rows so far."""
        return frozenset() if self.existing is None else self.existing.sources

    @property
    def kept(self) -> frozenset[str]:
        """The fields that the person set, which no file overwrites."""
        return frozenset() if self.existing is None else self.existing.kept


@dataclass(frozen=True, slots=True)
class SettledRows:
    """What the account of a file tells of rows whose way the file does not show.

    `ways` are theirs by their cells, `direction` what is left of the person's answer or stands for one,
    and `notes` are sentences on an answer that was not needed.
    """

    ways: Mapping[statement.RowCells, int]
    direction: str | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportRun:
    """One import: what is asked, and what its steps have found out so far.

    It begins with the files, what is said of each of them, and the path of the `stage`, the scratch
    database for their rows. `number`
    is its own in the store, 0 for a preview. `digest` is that of the files and of the data, which are in
    the given `generation`: a commit does what its dry run showed. `into_new_home`
    says that the person has no account yet, `large` that a worker reads the files and asks the shipped
    data. `settled` is what accounts tell of rows that files, by their places, leave open. Reading fills
    in `staged`; account resolution `accounts`, by local number, so that one that the files name in
    several ways stands there several times, and in `merged` the local numbers under which it does, each
    behind the first one; matching `reports`, by file; what only the person knows is
    collected in `questions`. `now` is when it takes effect, in milliseconds, and `today` the person's
    day, as YYYYMMDD.
    """

    owner: int
    id: str
    request: ImportRequest
    files: tuple[UploadedFile, ...]
    said: tuple[ImportRequest, ...]
    stage: Path
    number: int = 0
    digest: str = ""
    generation: int = 0
    into_new_home: bool = False
    large: bool = False
    settled: Mapping[int, SettledRows] = field(default_factory=dict)
    staged: StagedFiles = field(default_factory=StagedFiles)
    accounts: Sequence[ResolvedAccount] = ()
    merged: Sequence[tuple[int, int]] = ()
    reports: tuple[FileReport, ...] = ()
    questions: tuple[FileQuestion, ...] = ()
    now: int = 0
    today: int = 0

    @property
    def restores(self) -> bool:
        """Whether a file that holds a whole household brings all of it, not its rows alone."""
        answers = (self.request.account, self.request.account_kind)
        return self.into_new_home and len(self.files) == 1 and answers == (None, None)
