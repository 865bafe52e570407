"""Imports that read their file otherwise than it is read here: nothing is added beside their rows.

A row that an earlier import brought with the sign turned, another amount, day and month changed round,
or in another currency is the same row, as its text tells. Whoever imports its file again is told to undo
that import first.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping

from finplan.model.errors import Conflict
from finplan.model.figures import moment
from finplan.model.money import exponent
from finplan.model.statement import ImportReport, Misreading
from finplan.plan.pairing.repetition import ENOUGH
from finplan.service.imports.import_run import ImportRun, ResolvedAccount
from finplan.service.imports.row_evidence import MOST, Wording, wordings_agree
from finplan.store.queries import accounts, imports
from finplan.store.queries.repeated_rows import (
    EarlierRow,
    ReadRow,
    count_known,
    earlier_rows,
    read_rows,
)

LEAST = 0.2
"""What share of a file's rows of the common days must be there otherwise, however many are known."""

_HOW: dict[Misreading, str] = {
    "signs": "with its signs the other way round",
    "amounts": "with other amounts",
    "days": "with day and month changed round",
    "currency": "in another currency",
}


class MisreadImport(NamedTuple):
    """An import by its number and id, how it read its file, and a sentence that says so."""

    number: int
    id: str
    how: Misreading
    sentence: str


class _Earlier(NamedTuple):
    """A row of the store, and how many minor units a unit has in the file's currency and in its own.

    `units` is None where both are one currency.
    """

    row: EarlierRow
    units: tuple[int, int] | None


class MisreadImports(Conflict):
    """Some imports are to be undone before the files can be imported."""

    def __init__(self, found: Sequence[MisreadImport]) -> None:
        super().__init__(advice_on(found))
        self.found = tuple(found)


def find_misread_imports(connection: Connection, run: ImportRun) -> tuple[MisreadImport, ...]:
    """The earlier imports whose rows are those of the files, but for how they were read."""
    stored = accounts.list_accounts(connection, run.owner)
    taken = {account.existing["no"] for account in run.accounts if account.existing is not None}
    found: dict[int, Misreading] = {}
    for local, account in enumerate(run.accounts):
        held = list(_held(account, stored, taken))
        found |= _misread(connection, run, local, account, held)
    by_number = {row["no"]: row for row in imports.list_imports(connection, run.owner)}
    return tuple(
        _described(by_number[number], how) for number, how in sorted(found.items())
        if by_number[number]["status"] == "committed"
    )  # fmt: skip


def advice_on(found: Sequence[MisreadImport]) -> str:
    """What was read wrongly, and what to do about it."""
    undo = " and ".join(f"`finplan imports undo {each.id}`" for each in found)
    said = " ".join(each.sentence for each in found)
    advice = f"{said} Undo that first ({undo}), then import again."
    if any(each.how == "amounts" for each in found):
        advice += " If the file is another account's, `--account` with a new name gives it one."
    return advice


def _held(
    account: ResolvedAccount, stored: Iterable[RowMapping], taken: Collection[int]
) -> Iterator[RowMapping]:
    """The account that rows go to, and those that are called the same and are in other currencies.

    An account that is there and others of its name that the files have as well, which are `taken`, may
    have equal rows.
    """
    own = None if account.existing is None else account.existing["no"]
    for row in stored:
        is_called_same = row["provider"] == "manual" and row["external_id"] == account.external_id
        if row["no"] == own or (is_called_same and (own is None or row["no"] not in taken)):
            yield row


def _misread(
    connection: Connection,
    run: ImportRun,
    local: int,
    account: ResolvedAccount,
    held: Sequence[RowMapping],
) -> dict[int, Misreading]:
    """The imports that brought an account's rows otherwise than the files hold them, and how."""
    earlier: list[_Earlier] = []
    for other in held:
        units = None
        if account.currency != other["currency"]:
            units = 10 ** exponent(account.currency), 10 ** exponent(other["currency"])
        earlier += [_Earlier(row, units) for row in earlier_rows(connection, local, other["no"])]
    if not earlier:
        return {}
    days = [each.row.day for each in earlier]
    read = read_rows(connection, local, min(days), max(days))
    pairs = list(_pairs(read, earlier))
    known = count_known(connection, local)
    if len(pairs) < MOST * len(read) or len(pairs) < LEAST * (known + len(read)):
        return {}
    ways: defaultdict[int, Counter[Misreading]] = defaultdict(Counter)
    for row, how in pairs:
        ways[row.import_no][how] += 1
    first, last = account.staged.since or 0, account.staged.until or 0
    # Within its days a file has every row of its account, so that one which it lacks is another reading.
    is_within = any(first < row.day < last for row, how in pairs if how != "currency")
    # Of a new account, equal rows in another currency of one that is called the same are no chance.
    is_moved = account.existing is None and any(how == "currency" for _, how in pairs)
    is_proven = len(pairs) >= ENOUGH or is_within or is_moved
    is_proven = is_proven or any(row.amount == 0 for row, _ in pairs)
    if not is_proven and not any(_has_file(connection, run, number) for number in ways):
        return {}
    return {number: counted.most_common(1)[0][0] for number, counted in ways.items()}


def _pairs(
    read: Sequence[ReadRow], earlier: Sequence[_Earlier]
) -> Iterator[tuple[EarlierRow, Misreading]]:
    """Each read row with the earlier one that it is, and what was read otherwise."""
    by_day: defaultdict[int, list[_Earlier]] = defaultdict(list)
    for each in earlier:
        by_day[each.row.day].append(each)
    for row in read:
        candidates = [
            (rank, how, days, other)
            for days in (by_day[row.day], by_day[_turned(row.day)])
            for other in days
            for rank, how in _ways(row, other.row, other.units)
        ]
        if candidates:
            _, how, days, other = min(candidates, key=lambda each: each[0])
            days.remove(other)
            yield other.row, how


def _ways(
    row: ReadRow, other: EarlierRow, units: tuple[int, int] | None
) -> Iterator[tuple[int, Misreading]]:
    """How an earlier row may be a read one, the likeliest way with the lowest number."""
    if not wordings_agree(
        Wording(row.raw, row.aside, row.external_id), Wording(other.raw, "", other.external_id)
    ):
        return
    if units is not None:
        ours, theirs = units
        if row.day == other.day and abs(row.amount) * theirs == abs(other.amount) * ours:
            yield 0, "currency"
    elif row.day != other.day:
        if row.amount == other.amount:
            yield 1, "days"
    elif row.amount == -other.amount:
        yield 0, "signs"
    elif row.raw and other.raw and row.amount != other.amount:
        yield 2, "amounts"


def _turned(day: int) -> int:
    return day // 10000 * 10000 + day % 100 * 100 + day // 100 % 100


def _has_file(connection: Connection, run: ImportRun, number: int) -> bool:
    """Say whether an import had a file of one of these names with as many rows."""
    files = {(file.file, file.transactions) for file in run.reports}
    report = imports.report_of(connection, number)
    known = ImportReport.model_validate_json(report).files if report else ()
    return any((file.file, file.transactions) in files for file in known)


def _described(batch: RowMapping, how: Misreading) -> MisreadImport:
    report = ImportReport.model_validate_json(batch["report"])
    names = ", ".join(file.file for file in report.files)
    day = f"{moment(batch['committed_at']):%-d %B %Y}"
    sentence = f"{names} was imported on {day} {_HOW[how]}."
    return MisreadImport(batch["no"], batch["id"], how, sentence)
