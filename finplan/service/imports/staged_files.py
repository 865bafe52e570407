"""What the uploaded files say as a whole, while their rows wait in the stage."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from finplan.model.account import AccountKind
from finplan.model.household import ExportedHome
from finplan.plan.ledger.days import Interval, merged
from finplan.service.imports.account_in_file import AccountInFile
from finplan.service.imports.questions import FileQuestion
from finplan.statements.statement import (
    Header,
    HeaderAnswers,
    KindClue,
    StatementAccount,
    StatementPart,
    StatementRows,
    UnshownRow,
)


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

    account: StatementAccount
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
    kind_clues: dict[KindClue, None] = field(default_factory=dict)
    file_names: list[str] = field(default_factory=list)
    example: tuple[int, str] | None = None

    @property
    def intervals(self) -> list[Interval]:
        """The days that the files cover, in order; those that overlap or touch are one interval."""
        return merged(each for one in self.in_files.values() for each in one.intervals)

    @property
    def is_exported(self) -> bool:
        """Whether finplan wrote the file itself, which knows the account by its id."""
        return self.account.id is not None

    def include(self, file: int, part: StatementPart) -> None:
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

    def merge(self, other: "StagedAccount") -> None:
        """Let another account of the files, which turns out to be this one, add what is known of it."""
        self._widen([other.since], [other.until])
        if other.balance is not None:
            self._take_balance(other.balance, other.balance_day)
        self.balances |= other.balances
        self.sources |= other.sources
        for file, said in other.in_files.items():
            self.in_files.setdefault(file, AccountInFile()).merge(said)
        self.kind_clues |= other.kind_clues
        self.file_names += other.file_names
        self.example = self.example or other.example
        for file, coverage in other.coverage.items():
            self._cover(file, coverage)

    def _take_example(self, rows: StatementRows) -> None:
        if rows and (self.example is None or self.example[0] < 0):
            place = next((each for each, amount in enumerate(rows.amounts) if amount > 0), 0)
            if self.example is None or rows.amounts[place] > 0:
                self.example = rows.amounts[place], rows.raws[place]

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


def _booked_days(rows: StatementRows) -> Sequence[int]:
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
    header: Header | None = None
    used: HeaderAnswers = field(default_factory=HeaderAnswers)
    accounts: list[int] = field(default_factory=list)
    pending: int = 0
    notes: list[str] = field(default_factory=list)
    unshown: list[tuple[int, UnshownRow]] = field(default_factory=list)
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
