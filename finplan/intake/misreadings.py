"""Imports that read their file otherwise than it is read here: nothing is added beside their rows.

A row that an earlier import brought with the sign turned, another amount, day and month changed round,
or in another currency is the same row, as its text tells. Whoever imports its file again is told to undo
that import first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from finplan.intake.evidence import MOST, Wording, wordings_agree
from finplan.intake.facts import HeldAccount
from finplan.intake.files import ImportRun, ResolvedAccount
from finplan.model.errors import Conflict
from finplan.model.figures import moment
from finplan.model.money import exponent
from finplan.model.statement import ImportReport, Misreading
from finplan.plan.pairing.repetition import ENOUGH

LEAST = 0.2
"""What share of a file's rows of the common days must be there otherwise, however many are known."""

_HOW: dict[Misreading, str] = {
    "signs": "with opposite signs",
    "amounts": "with different amounts",
    "days": "with day and month swapped",
    "currency": "in another currency",
}


class MisreadImport(NamedTuple):
    """An import by its number and id, how it read its file, and a sentence that says so."""

    number: int
    id: str
    how: Misreading
    sentence: str


class ReadRow(NamedTuple):
    """A row of a file that the store has not; `aside` is what it prints beside its text."""

    day: int
    amount: int
    raw: str
    aside: str
    external_id: str | None


class EarlierRow(NamedTuple):
    """A row that an earlier import brought and that no row of the files is."""

    no: int
    day: int
    amount: int
    raw: str
    external_id: str | None
    import_no: int


class BesideRows(NamedTuple):
    """The new rows of an account of the files, and what earlier imports brought of their days.

    `earlier` are rows of each account of the store that may be meant; `known` counts the rows of the
    files that the store has already.
    """

    read: Sequence[ReadRow]
    earlier: Sequence[tuple[HeldAccount, Sequence[EarlierRow]]]
    known: int


class EarlierImport(NamedTuple):
    """An import that was committed, with its report as JSON; `stands` says that it was not undone."""

    number: int
    id: str
    committed_at: int
    report: str
    stands: bool


class _Earlier(NamedTuple):
    """A row of the store, and how many minor units a unit has in the file's currency and in its own.

    `units` is None where both are one currency.
    """

    row: EarlierRow
    units: tuple[int, int] | None


class MisreadImports(Conflict):
    """Some imports are to be undone before the files can be imported."""

    def __init__(self, imports: Sequence[MisreadImport]) -> None:
        super().__init__(advice_on(imports))
        self.found = tuple(imports)


def find_misread_imports(
    run: ImportRun, beside: Mapping[int, BesideRows], imports: Sequence[EarlierImport]
) -> tuple[MisreadImport, ...]:
    """The earlier `imports` whose rows are those of the files, but for how they were read.

    `beside` has what is to be compared for an account of the files, by its local number.
    """
    by_number = {earlier.number: earlier for earlier in imports}
    readings: dict[int, Misreading] = {}
    for local, rows in beside.items():
        readings |= _misread(run, run.accounts[local], rows, by_number)
    return tuple(
        _described(by_number[number], how)
        for number, how in sorted(readings.items())
        if by_number[number].stands
    )


def advice_on(imports: Sequence[MisreadImport]) -> str:
    """What was read wrongly, and what to do about it."""
    undo = " and ".join(f"`finplan imports undo {misread.id}`" for misread in imports)
    sentences = " ".join(misread.sentence for misread in imports)
    advice = f"{sentences} First undo that import ({undo}), then import the file again."
    if any(misread.how == "amounts" for misread in imports):
        advice += " If the file is from another account, add `--account` with a new name."
    return advice


def may_hold(
    run: ImportRun, account: ResolvedAccount, accounts: Iterable[HeldAccount]
) -> list[HeldAccount]:
    """The account that rows go to, and those that are called the same and are in other currencies.

    An account that is there and others of its name that the files have as well may have equal rows.
    """
    taken = {account.no for account in run.accounts if not account.new}
    return [
        stored
        for stored in accounts
        if (not account.new and stored.no == account.no)
        or (
            stored.provider == "manual"
            and stored.external_id == account.external_id
            and (account.new or stored.no not in taken)
        )
    ]


def _misread(
    run: ImportRun,
    account: ResolvedAccount,
    beside: BesideRows,
    imports: Mapping[int, EarlierImport],
) -> dict[int, Misreading]:
    """The imports that brought an account's rows otherwise than the files hold them, and how."""
    earlier: list[_Earlier] = []
    for stored, rows in beside.earlier:
        units = None
        if account.currency != stored.currency:
            units = 10 ** exponent(account.currency), 10 ** exponent(stored.currency)
        earlier += [_Earlier(row, units) for row in rows]
    read = beside.read
    pairs = list(_pairs(read, earlier))
    if len(pairs) < MOST * len(read) or len(pairs) < LEAST * (beside.known + len(read)):
        return {}
    ways: defaultdict[int, Counter[Misreading]] = defaultdict(Counter)
    for row, how in pairs:
        ways[row.import_no][how] += 1
    first, last = account.staged.since or 0, account.staged.until or 0
    # Within its days a file has every row of its account, so that one which it lacks is another reading.
    is_within = any(first < row.day < last for row, how in pairs if how != "currency")
    # Of a new account, equal rows in another currency of one that is called the same are no chance.
    is_moved = account.new and any(how == "currency" for _, how in pairs)
    is_proven = len(pairs) >= ENOUGH or is_within or is_moved
    is_proven = is_proven or any(row.amount == 0 for row, _ in pairs)
    if not is_proven and not any(_has_file(run, imports[number]) for number in ways):
        return {}
    return {number: counted.most_common(1)[0][0] for number, counted in ways.items()}


def _pairs(
    read: Sequence[ReadRow], earlier: Sequence[_Earlier]
) -> Iterator[tuple[EarlierRow, Misreading]]:
    """Each read row with the earlier one that it is, and what was read otherwise."""
    by_day: defaultdict[int, list[_Earlier]] = defaultdict(list)
    for stored in earlier:
        by_day[stored.row.day].append(stored)
    for row in read:
        candidates = [
            (rank, how, days, match)
            for days in (by_day[row.day], by_day[_turned(row.day)])
            for match in days
            for rank, how in _ways(row, match.row, match.units)
        ]
        if candidates:
            _, how, days, match = min(candidates, key=lambda candidate: candidate[0])
            days.remove(match)
            yield match.row, how


def _ways(
    row: ReadRow, stored: EarlierRow, units: tuple[int, int] | None
) -> Iterator[tuple[int, Misreading]]:
    """How an earlier row may be a read one, the likeliest way with the lowest number."""
    if not wordings_agree(
        Wording(row.raw, row.aside, row.external_id), Wording(stored.raw, "", stored.external_id)
    ):
        return
    if units is not None:
        ours, theirs = units
        if row.day == stored.day and abs(row.amount) * theirs == abs(stored.amount) * ours:
            yield 0, "currency"
    elif row.day != stored.day:
        if row.amount == stored.amount:
            yield 1, "days"
    elif row.amount == -stored.amount:
        yield 0, "signs"
    elif row.raw and stored.raw and row.amount != stored.amount:
        yield 2, "amounts"


def _turned(day: int) -> int:
    return day // 10000 * 10000 + day % 100 * 100 + day // 100 % 100


def _has_file(run: ImportRun, earlier: EarlierImport) -> bool:
    """Say whether an import had a file of one of these names with as many rows."""
    files = {(file.file, file.transactions) for file in run.reports}
    reported = ImportReport.model_validate_json(earlier.report).files
    return any((file.file, file.transactions) in files for file in reported)


def _described(earlier: EarlierImport, how: Misreading) -> MisreadImport:
    report = ImportReport.model_validate_json(earlier.report)
    names = ", ".join(file.file for file in report.files)
    day = f"{moment(earlier.committed_at):%-d %B %Y}"
    sentence = f"You imported {names} on {day} {_HOW[how]}."
    return MisreadImport(earlier.number, earlier.id, how, sentence)
