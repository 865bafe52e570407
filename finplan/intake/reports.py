"""Reports of files: what a preview promises, and what the commit says that it has done.

A person can check an account of a file by its days, money and balance, and by some of its rows. A
household in a file is restored, or it stays there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from finplan.intake import files
from finplan.intake.facts import AccountSide, Facts
from finplan.model import figures, statement
from finplan.model.account import CoveredSpan
from finplan.model.base import LARGEST
from finplan.model.household import ExportedHome
from finplan.plan.ledger.classes import kind_owes
from finplan.plan.ledger.days import Interval, balances_agree, date_of, joined
from finplan.statements.statement import HeaderAnswers


def restored_of(home: ExportedHome) -> statement.RestoredHousehold:
    """What an export brings besides its accounts and rows."""
    household = home.household
    verdicts = (household.transfers, household.recurring, household.duplicates)
    answered = {each.word_id for each in household.answers} - {None}
    return statement.RestoredHousehold(
        currency=household.settings.currency,
        categories=len(household.categories),
        rules=len(household.rules),
        answers=len(household.answers),
        decisions=sum(map(len, verdicts)),
        words=len(household.single_words) - len(answered),
    )


def what_stays(home: ExportedHome, *, into_new_home: bool) -> str:
    """Why only the rows of an export are taken, and what else is in it."""
    held = restored_of(home)
    counted = (
        (held.categories, "own category", "own categories"),
        (held.rules, "rule", None),
        (held.answers, "answer", None),
        (held.decisions, "decision", None),
        (held.words, "word on a transaction", "words on transactions"),
    )
    parts = ["the settings", *(figures.count(n, one, many) for n, one, many in counted if n)]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    if into_new_home:
        return (
            f"Only its accounts and rows are taken; {listed} in it are left out. Import it by itself,"
            " without --account and --kind, to restore the whole household."
        )
    return (
        f"Only its rows are taken, since there are accounts here already; {listed} in it are left out."
        " A home without accounts restores the whole household."
    )


SAMPLES = 3
"""How many rows of an account in a file are shown, of so many of the newest of either direction."""


@dataclass(slots=True)
class StagedSummary:
    """The rows of an account in one file that wait, are there already, or perhaps are."""

    pending: int = 0
    known: int = 0
    ambiguous: int = 0


class StagedSample(NamedTuple):
    """A booked row as it is staged; `payee` is a local number."""

    day: int
    amount: int
    raw: str
    payee: int


def describe_accounts(
    run: files.ImportRun,
    facts: Facts,
    summaries: Mapping[tuple[int, int], StagedSummary],
    samples: Mapping[tuple[int, int], Sequence[StagedSample]],
) -> dict[tuple[int, int], statement.FileAccount]:
    """Describe each account of each file, by their places; the rows must have been matched.

    `summaries` and `samples` of rows are by the places of file and account, too.
    """
    described: dict[tuple[int, int], statement.FileAccount] = {}
    for local, account in enumerate(run.accounts):
        if run.accounts.index(account) != local:
            continue
        known = facts.covered.get(account.no, ())
        ledger = _StatedBalances(facts, account, local)
        covered = joined([*known, *account.intervals], ledger.agree)
        extends = ledger.states_more or covered != joined(known, ledger.agree)
        for place, file in enumerate(run.staged.files):
            if local in file.accounts:
                rows = summaries.get((place, local), StagedSummary())
                said = account.staged.in_files.get(place, files.AccountInFile())
                shown = _sample_rows(run, samples.get((place, local), ()))
                fits = ledger.fits(said, covered)
                described[place, local] = _described_account(
                    account, rows, said, shown, covered, fits=fits, extends=extends
                )
    return described


def _described_account(
    account: files.ResolvedAccount,
    rows: StagedSummary,
    said: files.AccountInFile,
    samples: Sequence[statement.SampleRow],
    covered: Sequence[Interval],
    *,
    fits: bool | None,
    extends: bool,
) -> statement.FileAccount:
    is_assumed = account.new and account.staged.currency_assumed
    assumed = list(dict.fromkeys(said.assumed))
    if is_assumed:
        assumed.append(
            f"The file names no currency; {account.currency} is assumed. If it is another, import it"
            " with `--currency CODE`."
        )
    return statement.FileAccount.of(
        rows,
        name=account.name,
        currency=account.currency,
        kind=account.kind,
        subtype=(account.existing or account.staged).subtype,
        new=account.new,
        currency_assumed=is_assumed,
        since=_date(said.first),
        until=_date(said.last),
        transactions=said.booked,
        new_rows=said.booked - rows.known - rows.ambiguous,
        money_in=min(LARGEST, said.money_in),
        money_out=min(LARGEST, said.money_out),
        closing_balance=None if said.balance is None else _sign(account) * said.balance,
        balance_fits=fits,
        extends=extends,
        samples=tuple(samples),
        assumed=tuple(assumed),
        left_out=tuple(
            statement.LeftOut(reason=reason, count=count)
            for reason, count in said.left_out.most_common()
        ),
        coverage=tuple(
            CoveredSpan(since=date_of(each.since), until=date_of(each.until)) for each in covered
        ),
    )


def _sample_rows(
    run: files.ImportRun, rows: Sequence[StagedSample]
) -> Sequence[statement.SampleRow]:
    """The newest rows that are new, one at least of each direction there is: signs are read off them."""
    if not rows:
        return ()
    shown = list(rows[:SAMPLES])
    if len({row.amount > 0 for row in shown}) == 1:
        other = next((row for row in rows if (row.amount > 0) != (shown[0].amount > 0)), None)
        shown = [*rows[: SAMPLES - 1], other] if other is not None else shown
    return [
        statement.SampleRow.of(row, date=date_of(row.day), payee=run.staged.payees[row.payee][1])
        for row in shown
    ]


@dataclass
class _StatedBalances:
    """Balances of an account that statements state, with the rows that this import would add."""

    facts: Facts
    account: files.ResolvedAccount
    local: int
    stated: dict[int, int] = field(init=False)
    states_more: bool = field(init=False)

    def __post_init__(self) -> None:
        known = {}
        if not self.account.new:
            known = dict(self.facts.rows.stated(self.account.no))
        sign = _sign(self.account)
        staged = self.account.staged.balances
        self.states_more = bool(staged.keys() - known.keys())
        self.stated = known | {day: sign * balance for day, balance in staged.items()}

    def agree(self, before: Interval, after: Interval) -> bool:
        """Whether the rows explain the balance after a pause from the one before."""
        return balances_agree(sorted(self.stated.items()), self._moved, before, after)

    def fits(self, said: files.AccountInFile, covered: Sequence[Interval]) -> bool | None:
        """Whether a file's closing balance follows from the rows; None when nothing tells."""
        if said.fits is not None or said.balance is None or said.balance_day is None:
            return said.fits
        day = said.balance_day
        earlier = max((each for each in self.stated if each < day), default=None)
        if earlier is None or not any(
            each.since <= earlier and day <= each.until for each in covered
        ):
            return None
        if self.stated[day] - self.stated[earlier] == self._moved(earlier, day):
            return True
        # A balance that was fetched during its day says nothing of that day's later rows.
        _, later = self.facts.rows.new_between(self.local, earlier, earlier)
        return None if later else False

    def _moved(self, after: int, until: int) -> int:
        """What the rows after a day and up to another change the balance by."""
        moved, _ = self.facts.rows.new_between(self.local, after + 1, until)
        if not self.account.new:
            moved += self.facts.rows.moved(AccountSide(self.account.no), after, until)
        return _sign(self.account) * moved


def _sign(account: files.ResolvedAccount) -> int:
    return -1 if kind_owes(account.kind) else 1


def _date(day: int | None) -> date | None:
    return None if day is None else date_of(day)


def reports_of_unread(staged: files.StagedFiles) -> tuple[statement.FileReport, ...]:
    """What can be said of files of which one cannot be read, so that no row is matched."""
    return tuple(
        _report_of_file(
            replace(file, pending=0),
            [_named_account(staged.accounts[local]) for local in file.accounts],
        )
        for file in staged.files
    )


def reports_of(
    run: files.ImportRun,
    described: Mapping[tuple[int, int], statement.FileAccount],
    notes: Mapping[int, Sequence[str]],
) -> tuple[statement.FileReport, ...]:
    """Report each file; `notes` are sentences on how its rows were matched, by its place."""
    home, reports = run.staged.home, []
    for place, file in enumerate(run.staged.files):
        resolved = [run.accounts[local] for local in file.accounts]
        # What there is to note on an account stands below its first file.
        begun = [each for each in resolved if place == min(each.staged.in_files, default=place)]
        of_accounts = (note for each in begun for note in each.notes)
        report = _report_of_file(
            file,
            [described[place, local] for local in file.accounts],
            by_answers=next((each.name for each in resolved if each.remembered), None),
            notes=dict.fromkeys((*of_accounts, *notes.get(place, ()))),
            restored=None if home is None else restored_of(home),
        )
        reports.append(report)
    return tuple(reports)


def _report_of_file(
    file: files.StagedFile,
    accounts: Sequence[statement.FileAccount],
    by_answers: str | None = None,
    notes: Iterable[str] = (),
    restored: statement.RestoredHousehold | None = None,
) -> statement.FileReport:
    return statement.FileReport.of(
        file,
        file=file.name,
        accounts=tuple(accounts),
        transactions=sum(each.transactions for each in accounts),
        new=sum(each.new_rows for each in accounts),
        known=sum(each.known for each in accounts),
        ambiguous=sum(each.ambiguous for each in accounts),
        remembered=_remembered_answers(file.used, by_answers),
        notes=(*notes, *file.notes),
        restored=restored,
    )


def _named_account(account: files.StagedAccount) -> statement.FileAccount:
    named = account.account
    return statement.FileAccount(name=named.name, currency=named.currency, kind=account.kind)


def _remembered_answers(used: HeaderAnswers, account: str | None) -> statement.Remembered | None:
    """What the answers given for earlier files decided; `account` is the one that they lead to."""
    if used == HeaderAnswers() and account is None:
        return None
    return statement.Remembered.of(used, account=account)
