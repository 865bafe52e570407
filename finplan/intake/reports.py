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
from finplan.plan.ledger.days import Interval, balances_agree, date_of, join_intervals
from finplan.statements.statement import HeaderAnswers


def restored_of(home: ExportedHome) -> statement.RestoredHousehold:
    """What an export brings besides its accounts and rows."""
    household = home.household
    verdicts = (household.transfers, household.recurring, household.duplicates)
    answered = {answer.word_id for answer in household.answers} - {None}
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
    restored = restored_of(home)
    counted = (
        (restored.categories, "own category", "own categories"),
        (restored.rules, "rule", None),
        (restored.answers, "answer", None),
        (restored.decisions, "decision", None),
        (restored.words, "edited transaction", None),
    )
    parts = [
        "the settings",
        *(figures.count(n, singular, many) for n, singular, many in counted if n),
    ]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    if into_new_home:
        return (
            f"finplan imports only accounts and transactions, not {listed}. To restore the whole"
            " household, import this file alone, without --account and --kind."
        )
    return (
        f"finplan imports only transactions, not {listed}, because you already have accounts. To"
        " restore the whole household, import this file into an empty profile: `finplan --profile"
        " NAME import FILE`."
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
        before = facts.covered.get(account.no, ())
        ledger = _StatedBalances(facts, account, local)
        covered = join_intervals([*before, *account.intervals], ledger.agree)
        extends = ledger.states_more or covered != join_intervals(before, ledger.agree)
        for index, file in enumerate(run.staged.files):
            if local in file.accounts:
                rows = summaries.get((index, local), StagedSummary())
                in_file = account.staged.in_files.get(index, files.AccountInFile())
                sample = _sample_rows(run, samples.get((index, local), ()))
                fits = ledger.fits(in_file, covered)
                described[index, local] = _described_account(
                    account, rows, in_file, sample, covered, fits=fits, extends=extends
                )
    return described


def _described_account(
    account: files.ResolvedAccount,
    rows: StagedSummary,
    in_file: files.AccountInFile,
    samples: Sequence[statement.SampleRow],
    covered: Sequence[Interval],
    *,
    fits: bool | None,
    extends: bool,
) -> statement.FileAccount:
    is_assumed = account.new and account.staged.currency_assumed
    assumed = list(dict.fromkeys(in_file.assumed))
    if is_assumed:
        assumed.append(
            f"The file does not name a currency, so finplan assumed {account.currency}. For another"
            " currency, add `--currency CODE`."
        )
    return statement.FileAccount.of(
        rows,
        name=account.name,
        currency=account.currency,
        kind=account.kind,
        subtype=(account.existing or account.staged).subtype,
        new=account.new,
        currency_assumed=is_assumed,
        since=_date(in_file.first),
        until=_date(in_file.last),
        transactions=in_file.booked,
        new_rows=in_file.booked - rows.known - rows.ambiguous,
        money_in=min(LARGEST, in_file.money_in),
        money_out=min(LARGEST, in_file.money_out),
        closing_balance=None if in_file.balance is None else _sign(account) * in_file.balance,
        balance_fits=fits,
        extends=extends,
        samples=tuple(samples),
        assumed=tuple(assumed),
        left_out=tuple(
            statement.LeftOut(reason=reason, count=count)
            for reason, count in in_file.left_out.most_common()
        ),
        coverage=tuple(
            CoveredSpan(since=date_of(interval.since), until=date_of(interval.until))
            for interval in covered
        ),
    )


def _sample_rows(
    run: files.ImportRun, rows: Sequence[StagedSample]
) -> Sequence[statement.SampleRow]:
    """The newest rows that are new, one at least of each direction there is: signs are read off them."""
    if not rows:
        return ()
    sample = list(rows[:SAMPLES])
    if len({row.amount > 0 for row in sample}) == 1:
        opposite = next((row for row in rows if (row.amount > 0) != (sample[0].amount > 0)), None)
        sample = [*rows[: SAMPLES - 1], opposite] if opposite is not None else sample
    return [
        statement.SampleRow.of(row, date=date_of(row.day), payee=run.staged.payees[row.payee][1])
        for row in sample
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
        stored = {}
        if not self.account.new:
            stored = dict(self.facts.rows.stated(self.account.no))
        sign = _sign(self.account)
        staged = self.account.staged.balances
        self.states_more = bool(staged.keys() - stored.keys())
        self.stated = stored | {day: sign * balance for day, balance in staged.items()}

    def agree(self, before: Interval, after: Interval) -> bool:
        """Whether the rows explain the balance after a pause from the one before."""
        return balances_agree(sorted(self.stated.items()), self._moved_amount, before, after)

    def fits(self, in_file: files.AccountInFile, covered: Sequence[Interval]) -> bool | None:
        """Whether a file's closing balance follows from the rows; None when nothing tells."""
        if in_file.fits is not None or in_file.balance is None or in_file.balance_day is None:
            return in_file.fits
        day = in_file.balance_day
        earlier = max((known_day for known_day in self.stated if known_day < day), default=None)
        if earlier is None or not any(
            interval.since <= earlier and day <= interval.until for interval in covered
        ):
            return None
        if self.stated[day] - self.stated[earlier] == self._moved_amount(earlier, day):
            return True
        # A balance that was fetched during its day says nothing of that day's later rows.
        _, later = self.facts.rows.new_between(self.local, earlier, earlier)
        return None if later else False

    def _moved_amount(self, after: int, until: int) -> int:
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
    for index, file in enumerate(run.staged.files):
        resolved = [run.accounts[local] for local in file.accounts]
        # What there is to note on an account stands below its first file.
        begun = [
            account for account in resolved if index == min(account.staged.in_files, default=index)
        ]
        of_accounts = (note for account in begun for note in account.notes)
        report = _report_of_file(
            file,
            [described[index, local] for local in file.accounts],
            by_answers=next((account.name for account in resolved if account.remembered), None),
            notes=dict.fromkeys((*of_accounts, *notes.get(index, ()))),
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
        transactions=sum(account.transactions for account in accounts),
        new=sum(account.new_rows for account in accounts),
        known=sum(account.known for account in accounts),
        ambiguous=sum(account.ambiguous for account in accounts),
        remembered=_remembered_answers(file.used, by_answers),
        notes=(*notes, *file.notes),
        restored=restored,
    )


def _named_account(account: files.StagedAccount) -> statement.FileAccount:
    details = account.account
    return statement.FileAccount(name=details.name, currency=details.currency, kind=account.kind)


def _remembered_answers(used: HeaderAnswers, account: str | None) -> statement.Remembered | None:
    """What the answers given for earlier files decided; `account` is the one that they lead to."""
    if used == HeaderAnswers() and account is None:
        return None
    return statement.Remembered.of(used, account=account)
