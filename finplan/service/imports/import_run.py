"""An import on its way: the one value that each of its steps is handed, and hands on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import RowMapping

from finplan.model.account import AccountKind
from finplan.model.errors import BadRequest
from finplan.model.statement import FileReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.plan.ledger.days import Interval
from finplan.service.imports.questions import FileQuestion
from finplan.service.imports.staged_files import StagedAccount, StagedFiles
from finplan.statements.statement import RowCells


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
    existing: RowMapping | None = None
    no: int = 0
    id: str = ""
    connection_no: int = 0
    remembered: bool = False
    contested: bool = False
    notes: tuple[str, ...] = ()
    learned: set[str] = field(default_factory=set)
    learned_headers: set[str] = field(default_factory=set)

    @classmethod
    def of_existing(cls, staged: StagedAccount, row: RowMapping) -> "ResolvedAccount":
        """An account of the store. Raises BadRequest where the file is in another currency."""
        if row["currency"] != staged.account.currency:
            raise BadRequest(
                f"The account {row['name']} is in {row['currency']}, but the file is in"
                f" {staged.account.currency}."
            )
        return cls(
            staged,
            row["external_id"],
            row["name"],
            row["kind"],
            row,
            row["no"],
            row["id"],
            row["connection_no"],
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

    def take_from(self, other: "ResolvedAccount") -> None:
        """Take what the files of this new account do not say of those of another one that it is.

        That is its number, which brings name and institution along, and its kind.
        """
        own, more = self.staged.account, other.staged.account
        if own.number is None and more.number is not None:
            self.learned.add(own.id or self.external_id)
            self.learned.discard(other.external_id)
            self.external_id, self.name = other.external_id, other.name
            self.staged.account = more
        told = more if own.kind is None else own
        self.staged.account = replace(self.staged.account, kind=told.kind, subtype=told.subtype)

    def sources(self) -> set[str]:
        """The kinds of source that brought the account's rows so far."""
        return set() if self.existing is None else set(self.existing["sources"].split())

    def kept(self) -> set[str]:
        """The fields that the person set, which no file overwrites."""
        return set() if self.existing is None else set(self.existing["kept"].split())


@dataclass(frozen=True, slots=True)
class SettledRows:
    """What the account of a file tells of rows whose way the file does not show.

    `ways` are theirs by their cells, `direction` what is left of the person's answer or stands for one,
    and `notes` are sentences on an answer that was not needed.
    """

    ways: Mapping[RowCells, int]
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
    several ways stands there several times; matching `reports`, by file; what only the person knows is
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
    reports: tuple[FileReport, ...] = ()
    questions: tuple[FileQuestion, ...] = ()
    now: int = 0
    today: int = 0

    @property
    def restores(self) -> bool:
        """Whether a file that holds a whole household brings all of it, not its rows alone."""
        said = (self.request.account, self.request.account_kind)
        return self.into_new_home and len(self.files) == 1 and said == (None, None)
