"""Homes and files as values: accounts with their rows, and imports of files that are read already."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from finplan.intake.accounts import resolve_accounts
from finplan.intake.facts import BY_NAME, Facts, HeldAccount
from finplan.intake.files import ImportRun, StagedAccount, StagedFile, StagedFiles
from finplan.intake.kinds import clues_of_file, kind_in_file
from finplan.intake.questions import requests_by_file
from finplan.model.account import AccountKind
from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.model.statement import ImportAnswer, ImportRequest
from finplan.operation import UploadedFile
from finplan.plan.ledger.days import Interval, day_of
from finplan.statements import statement
from finplan.statements.statement import StatementRow
from tests.intake.rows_in_lists import Row, RowsInLists, Stated, numbered

LAYOUT = "h" * 64
"""The signature of the header of most tables, so that files look alike."""

Rows = Sequence[StatementRow]


def day(number: int) -> int:
    """Some day of 2026, counted from its first."""
    return day_of(date(2026, 1, 1) + timedelta(number))


def table(amounts: Sequence[int], *, apart: int = 5, first: int = 0, text: str = "SHOP") -> Rows:
    """Rows of these amounts, days apart, each in words of its own; of nothing there is none."""
    dated = ((day(first + apart * place), amount) for place, amount in enumerate(amounts))
    return [StatementRow(on, amount, f"{text} {on}") for on, amount in dated if amount]


class OfFile(NamedTuple):
    """What a file says of an account; `balance` is a day and what was there at its end.

    An account that is not `named` is called like its file.
    """

    name: str
    rows: Rows
    currency: str = "USD"
    number: str | None = None
    institution: str | None = None
    kind: AccountKind | None = None
    subtype: str | None = None
    balance: tuple[int, int] | None = None
    named: bool = False


class File(NamedTuple):
    """A table of some accounts; `direction` is what was said of its amounts."""

    accounts: Sequence[OfFile]
    layout: str = LAYOUT
    direction: str | None = None


def _staged(place: int, file: StagedFile, told: OfFile) -> StagedAccount:
    of = (told.number, told.name, told.currency, told.institution, told.kind, told.subtype)
    account = statement.StatementAccount(*of)
    staged = StagedAccount(account, "depository", None, is_called_like_file=not told.named)
    on, balance = told.balance or (None, None)
    rows = statement.StatementRows.of(told.rows)
    staged.include(place, statement.StatementPart(account, rows, None, None, balance, on))
    staged.file_names.append(file.name)
    staged.kind_clues |= dict.fromkeys(clues_of_file(account, file.name, file.format))
    staged.sources.add(file.source)
    staged.headers.add(file.layout)
    staged.kind, staged.subtype = kind_in_file(staged)
    return staged


def imported(files: Sequence[File], said: Iterable[ImportAnswer] = ()) -> ImportRun:
    """An import of files that are read, with what the person answers; payees are the texts of rows."""
    staged, uploads = StagedFiles(), list[UploadedFile]()
    texts: dict[str, None] = {}
    for place, (accounts, layout, direction) in enumerate(files):
        name = f"{accounts[0].name}.csv"
        header, used = statement.Header(layout, ""), statement.HeaderAnswers(direction=direction)
        file = StagedFile(name, "CSV", "utf-8", header, used)
        for told in accounts:
            file.accounts.append(len(staged.accounts))
            staged.accounts.append(_staged(place, file, told))
            texts |= dict.fromkeys(row.raw for row in told.rows)
        staged.files.append(file)
        uploads.append(UploadedFile(name, Path(name)))
    staged.payees = [(text.casefold(), text, text) for text in texts]
    request = ImportRequest(answers=tuple(said))
    said_of = requests_by_file(request, uploads)
    return ImportRun(1, "imp_1", request, tuple(uploads), said_of, Path("stage"), staged=staged)


def _row(account: int, row: StatementRow, file: int | None, payee: int) -> Row:
    return Row(account, row.day, row.amount, row.raw, file, payee, row.external_id)


@dataclass
class Home:
    """A person's accounts, and what earlier imports left of them."""

    held: list[HeldAccount] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    balances: list[Stated] = field(default_factory=list)
    covered: dict[int, list[Interval]] = field(default_factory=dict)
    by_layout: dict[str, set[int]] = field(default_factory=dict)
    by_header: dict[str, set[int]] = field(default_factory=dict)
    learned: dict[int, set[str]] = field(default_factory=dict)

    def keep(self, told: OfFile, no: int = 0, layout: str = LAYOUT, **known: Any) -> HeldAccount:
        """Let the account of a file be there, a new one or that of a number."""
        if not no:
            no = len(self.held) + 1
            by = told.number or BY_NAME + told.name.casefold()
            own = (no, f"acc_{no}", by, told.name, told.kind or "depository", told.subtype)
            bank = told.institution or UNNAMED_INSTITUTION
            held = HeldAccount(*own, told.currency, "manual", bank, 1, sources=frozenset({"csv"}))
            self.held.append(replace(held, **known))
        for row in told.rows:
            self.keys.append(row.raw.casefold())
            self.rows.append(_row(no, row, None, len(self.keys) - 1))
        if told.balance is not None:
            self.balances.append((no, told.balance[0], 1, told.balance[1]))
        days = [row.day for row in told.rows]
        if days:
            ends = Interval(min(days), max(days), since_stated=False, until_stated=False)
            self.covered.setdefault(no, []).append(ends)
        if told.number is None:
            self.by_layout.setdefault(layout, set()).add(no)
        return next(each for each in self.held if each.no == no)

    def facts(self, files: Sequence[File], run: ImportRun) -> Facts:
        """What is loaded of it, beside files that are imported."""
        payees = {text: place for place, (_, _, text) in enumerate(run.staged.payees)}
        told = [(place, each) for place, file in enumerate(files) for each in file.accounts]
        staged = [
            _row(local, row, place, payees[row.raw])
            for local, (place, each) in enumerate(told)
            for row in each.rows
        ]
        rows = RowsInLists(numbered(staged + self.rows), dict(enumerate(self.keys)), self.balances)
        by = (self.learned, self.by_header, self.by_layout)
        return Facts(self.held, rows.facts, *by, {}, self.covered)

    def resolve(self, *files: File | OfFile, said: Iterable[ImportAnswer] = ()) -> ImportRun:
        """Resolve the accounts of an import."""
        tables = [each if isinstance(each, File) else File([each]) for each in files]
        run = imported(tables, said)
        return resolve_accounts(run, self.facts(tables, run))
