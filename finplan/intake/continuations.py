"""Accounts that their files do not name: whose they are, by earlier answers, names, rows and balances.

Banks export an account month by month, under another name each time, with the same columns and other
days. Taken for two accounts, the balance of each month counts; two accounts taken for one mix their
rows. A balance that goes on from one file to the next shows that they are one; else the person is
asked.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from finplan.intake.candidates import (
    AccountCandidate,
    accounts_of_files,
    find_candidate,
    is_it,
    join,
    join_candidate,
    same_account_question,
    unused_name,
)
from finplan.intake.evidence import RowComparison
from finplan.intake.facts import BY_NAME, AccountSide, Facts, HeldAccount
from finplan.intake.files import ImportRun, ResolvedAccount, StagedAccount
from finplan.intake.questions import OpenQuestion
from finplan.model.account import KindWord
from finplan.model.figures import day_span
from finplan.model.statement import ANOTHER_ACCOUNT
from finplan.plan.ledger.classes import kind_owes
from finplan.plan.ledger.days import Interval, date_of
from finplan.plan.pairing.same_account import Stretch, balance_goes_on, speak_against, unexplained
from finplan.statements.kinds import guess_kind
from finplan.statements.statement import Choice, Question
from finplan.statements.text.descriptors import quoted

_SIGNATURE = 64
"""How long the signature of a header is."""


class _SeenFile(NamedTuple):
    """What speaks for one account: whether balances show that it is meant, whether rows forbid it."""

    candidate: AccountCandidate
    is_proven: bool
    is_against: bool


def names_no_account(staged: StagedAccount) -> bool:
    """Say whether nothing in its files tells whose rows they are, so that it is called like a file."""
    return staged.is_called_like_file and staged.account.number is None and not staged.is_exported


@dataclass(frozen=True)
class Continuations:
    """Which accounts, of the store and of other files, the files without a name may go on with.

    Accounts of the files go by their local numbers.
    """

    run: ImportRun
    facts: Facts

    def settle(
        self,
        resolved: ResolvedAccount,
        local: int,
        earlier: Sequence[ResolvedAccount | None],
        answers: Collection[str],
    ) -> ResolvedAccount | None:
        """The account that a new one goes on with, as balances show or the person says; None for none.

        `earlier` are the accounts of other files before it, by local number, None where they are of the
        same file or not known yet. Raises OpenQuestion where nothing in `answers` tells which it is: an
        account's id or name in small letters, or ANOTHER_ACCOUNT.
        """
        if ANOTHER_ACCOUNT in answers or not names_no_account(resolved.staged):
            return None
        matches = list(self._possible(local, earlier))
        if (meant := find_candidate((match.candidate for match in matches), answers)) is not None:
            return join_candidate(resolved, meant, earlier)
        proven = [match.candidate for match in matches if match.is_proven]
        if len(proven) == 1:
            joined = join(resolved, proven[0], earlier)
            for index in resolved.staged.in_files:
                self.run.staged.files[index].notes.append(goes_on_with(resolved.name, joined.name))
            return joined
        if not matches:
            return None
        candidates = [match.candidate for match in matches]
        is_one = len(candidates) == 1
        theirs = f"the files of {quoted(candidates[0].name)}" if is_one else "their files"
        text = (
            f"{is_it(resolved.name, candidates)} The file does not say which account it belongs to."
            f" It looks like {theirs}, but covers other days. If finplan kept two accounts, both"
            " balances would count."
        )
        raise OpenQuestion(same_account_question(text, resolved.name, candidates))

    def goes_on_in_store(self, local: int) -> set[int]:
        """The accounts of the store that balances show it to be, through other files or not."""
        return {side.number for side in self._chains.get(local, ()) if not side.is_staged}

    def speaks_against(self, local: int, row: HeldAccount) -> str:
        """What speaks against an account of the store to which only earlier answers lead, as a clause.

        Empty where nothing does: names of two kinds of account do, and balances of both that do not go
        on from one to the other though no row is on both sides.
        """
        staged = self.run.staged.accounts[local]
        if not _is_of_one_kind(staged.account.name, row.name):
            return "their names suggest different kinds of account"
        ours, theirs = self._stretch_of_staged(local), self._stretch_of_stored(row)
        if self._is_open(local):
            return ""
        if not ours.stated or not theirs.stated or row.no in self.goes_on_in_store(local):
            return ""
        if unexplained(ours, theirs) == 0:
            return ""
        shares_rows = self._shares_rows(local, row)
        return "" if shares_rows else "their balances do not continue from one to the other"

    def speaks_against_name(self, local: int, row: HeldAccount) -> str:
        """What speaks against an account of the store that is called like a file, as a clause.

        Empty where nothing does: balances that break off do, and columns that no table of the account
        had, where no row is on both sides.
        """
        gap = unexplained(self._stretch_of_staged(local), self._stretch_of_stored(row))
        is_known = gap in (None, 0) or row.no in self.goes_on_in_store(local)
        if not is_known and not self._is_open(local):
            return "their balances do not continue from one to the other"
        ours = set(filter(_is_of_table, self._layouts(local)))
        theirs = {layout for layout, numbers in self.facts.by_layout.items() if row.no in numbers}
        theirs = set(filter(_is_of_table, theirs))
        if gap == 0 or not ours or not theirs or ours & theirs:
            return ""
        return (
            ""
            if self._shares_rows(local, row)
            else "the earlier files of this account had other columns"
        )

    def _shares_rows(self, local: int, row: HeldAccount) -> bool:
        rows, others = map(Counter, self.facts.rows.compared(local, AccountSide(row.no)))
        return bool(rows & others)

    def sharing_layout(self, local: int) -> set[int]:
        """The accounts of the store that files of its layout went to."""
        return {
            no for layout in self._layouts(local) for no in self.facts.by_layout.get(layout, ())
        }

    def _possible(
        self, local: int, earlier: Sequence[ResolvedAccount | None]
    ) -> Iterator[_SeenFile]:
        """What it may go on with; an account that it goes on with in one file is that in all of them."""
        by_account: dict[int, list[_SeenFile]] = {}
        for row in self._stored_like(local):
            match = self._compared_with_stored(local, row)
            by_account.setdefault(row.no, []).append(match)
        for index in self._staged_like(local):
            account = earlier[index] if index < len(earlier) else None
            if account is not None:
                match = self._compared_with_staged(local, index, account)
                by_account.setdefault(account.no or -id(account), []).append(match)
        for all_seen in by_account.values():
            if not any(file.is_against for file in all_seen):
                is_proven = any(file.is_proven for file in all_seen)
                yield all_seen[0]._replace(is_proven=is_proven)

    def _compared_with_stored(self, local: int, row: HeldAccount) -> _SeenFile:
        theirs = self._stretch_of_stored(row)
        candidate = AccountCandidate.of_stored(row, self._evidence(local, theirs))
        return self._compare_file(local, AccountSide(row.no), theirs, candidate)

    def _compared_with_staged(self, local: int, index: int, account: ResolvedAccount) -> _SeenFile:
        theirs = self._stretch_of_staged(index)
        candidate = AccountCandidate.of_staged(account, self._evidence(local, theirs))
        return self._compare_file(local, AccountSide(index, is_staged=True), theirs, candidate)

    def _compare_file(
        self, local: int, side: AccountSide, theirs: Stretch, candidate: AccountCandidate
    ) -> _SeenFile:
        ours, beside = self.facts.rows.compared(local, side)
        stretch = self._stretch_of_staged(local)
        is_against = speak_against(ours, stretch.intervals, beside, theirs.intervals)
        return _SeenFile(candidate, side in self._chains.get(local, ()), is_against)

    def _evidence(self, local: int, theirs: Stretch) -> str:
        """The days of both, as a person reads them; a file may have none but rows that wait."""
        ours = self._stretch_of_staged(local)
        here = f"; this file covers {_days(ours)}" if ours.intervals else ""
        return f"has transactions {_days(theirs)}{here}"

    @cached_property
    def _intervals(self) -> Mapping[int, Sequence[Interval]]:
        return {account.no: self.facts.intervals_of(account) for account in self.facts.held}

    @cached_property
    def _chains(self) -> Mapping[int, frozenset[AccountSide]]:
        """All sides that balances lead to from an account of the files, one after the other."""
        chains: dict[AccountSide, set[AccountSide]] = {}
        for first, second in self._linked():
            chain = chains.setdefault(first, {first}) | chains.setdefault(second, {second})
            chains |= dict.fromkeys(chain, chain)
        return {side.number: frozenset(chain) for side, chain in chains.items() if side.is_staged}

    def _linked(self) -> Iterator[tuple[AccountSide, AccountSide]]:
        for local in self._unnamed:
            ours = self._stretch_of_staged(local)
            for row in self._stored_like(local):
                if balance_goes_on(ours, self._stretch_of_stored(row)):
                    yield AccountSide(local, is_staged=True), AccountSide(row.no)
        stretches = {local: self._stretch_of_staged(local) for local in self._unnamed}
        for first in self._unnamed:
            for second in self._staged_like(first):
                if first < second and balance_goes_on(stretches[first], stretches[second]):
                    yield AccountSide(first, is_staged=True), AccountSide(second, is_staged=True)

    @cached_property
    def _unnamed(self) -> Sequence[int]:
        """The accounts of the files that have rows and no name."""
        staged = enumerate(self.run.staged.accounts)
        return [
            local for local, account in staged if account.intervals and names_no_account(account)
        ]

    @cached_property
    def _unnamed_of(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """Those accounts by layout and currency."""
        by_layout: dict[tuple[str, str], list[int]] = {}
        for local in self._unnamed:
            for layout in self._layouts(local):
                currency = self.run.staged.accounts[local].account.currency
                by_layout.setdefault((layout, currency), []).append(local)
        return by_layout

    def _stored_like(self, local: int) -> list[HeldAccount]:
        """The accounts of the store that files like it went to."""
        staged = self.run.staged.accounts[local]
        shared = self.sharing_layout(local)
        return [
            row
            for row in self.facts.held
            if row.no in shared
            and (row.provider, row.currency) == ("manual", staged.account.currency)
            and self._intervals.get(row.no)
            and _is_of_one_kind(staged.account.name, row.name)
        ]

    def _staged_like(self, local: int) -> list[int]:
        """The accounts of other files like it."""
        ours = self.run.staged.accounts[local]
        alike = {
            index
            for layout in self._layouts(local)
            for index in self._unnamed_of.get((layout, ours.account.currency), ())
        }
        return [
            index
            for index in sorted(alike)
            if self.run.staged.accounts[index].in_files.keys().isdisjoint(ours.in_files)
            and _is_of_one_kind(ours.account.name, self.run.staged.accounts[index].account.name)
        ]

    def _is_open(self, local: int) -> bool:
        """Whether only the account tells which way its first row goes, so that no sum is known."""
        files = self.run.staged.files
        return any(files[index].unshown for index in self.run.staged.accounts[local].in_files)

    def _layouts(self, local: int) -> set[str]:
        files = self.run.staged.files
        return {files[index].layout for index in self.run.staged.accounts[local].in_files}

    def _stretch_of_staged(self, local: int) -> Stretch:
        staged = self.run.staged.accounts[local]
        moved = partial(self.facts.rows.moved, AccountSide(local, is_staged=True))
        return Stretch(staged.intervals, sorted(staged.balances.items()), moved)

    def _stretch_of_stored(self, row: HeldAccount) -> Stretch:
        sign = -1 if kind_owes(row.kind) else 1
        moved = partial(self.facts.rows.moved, AccountSide(row.no))
        signed = [(day, sign * balance) for day, balance in self.facts.rows.stated(row.no)]
        return Stretch(self._intervals.get(row.no, ()), signed, moved)


def _is_of_table(layout: str) -> bool:
    """Whether a layout is that of a header, not a format, of which an account may well have several."""
    return len(layout) == _SIGNATURE


def _is_of_one_kind(ours: str, theirs: str) -> bool:
    """Whether two names speak of one kind of account, as far as they do."""
    kinds = {_kind_of_name(ours), _kind_of_name(theirs)} - {None}
    return len(kinds) < 2


@lru_cache(maxsize=1024)
def _kind_of_name(name: str) -> KindWord | None:
    return guess_kind((name,))


def _days(stretch: Stretch) -> str:
    return day_span(date_of(stretch.intervals[0].since), date_of(stretch.intervals[-1].until))


def goes_on_with(name: str, account: str) -> str:
    """Say why a file that names no account goes to one."""
    return (
        f"{quoted(name)} does not say which account it belongs to. Its balance continues the"
        f" balance of {quoted(account)}, so finplan imports the file into that account. To use"
        " another account, add `--account` with a new name."
    )


def resolve_unnamed(
    staged: StagedAccount,
    rows: RowComparison,
    continuations: Continuations,
    answers: Collection[str],
) -> ResolvedAccount:
    """The account that was named for earlier files with the same header, else one called like the file.

    Where files with its header went to several accounts, the one that is called like the file is
    meant. Where several fit, or the rows are another account's, its rows may tell; where they leave a
    doubt OpenQuestion asks the person. Where nothing was answered and nothing is called so, a new
    account is made. `continuations` are what files of its layout it may go on with, `answers` what the
    person says that it is the same as: an id or a name in small letters, or ANOTHER_ACCOUNT. That and a
    balance that goes on with another account go before earlier answers; what speaks against these is
    asked.
    """
    account, facts = staged.account, continuations.facts
    manual = accounts_of_files(facts.held, account.currency)
    own_name = BY_NAME + account.name.casefold()
    is_called = [row.no for row in (*manual, *facts.known_as) if row.external_id == own_name]
    namesakes = [row for row in manual if row.no in is_called]
    if ANOTHER_ACCOUNT in answers:
        namesakes = [row for row in namesakes if row.external_id == own_name]
        numbers = set[int]()
    else:
        numbers = {no for header in staged.headers for no in facts.by_header.get(header, ())}
    if numbers and not namesakes:
        # What one of several accounts was named for says nothing of the others with such files.
        numbers |= continuations.sharing_layout(rows.local)
    of_header = [row for row in facts.held if row.no in numbers]
    if len(of_header) == 1:
        # The file is read in this account's currency unless it proves another, which is no match.
        of_header = [row for row in of_header if row.currency == account.currency]
    agreed = [row for row in namesakes if row.no in numbers]
    fits = agreed or [*of_header, *namesakes]
    if len(fits) == 1:
        is_contradicted = rows.contradict(fits[0].no)
        others = [row for row in manual if row is not fits[0]]
        fits += rows.rivals_of(fits[0], others) if is_contradicted or not namesakes else []
    if len(fits) == 1 and fits[0].external_id != own_name:
        fits = [_unless_doubted(staged, rows, fits[0], manual, continuations, answers)]
        is_contradicted = False
    elif len(fits) == 1 and (doubt := continuations.speaks_against_name(rows.local, fits[0])):
        raise _question_of_namesake(account.name, fits[0], doubt, facts.held)
    if len(fits) == 1:
        resolved = ResolvedAccount.of_existing(staged, fits[0])
        note = (
            f"On the days that this file covers, {resolved.name} has other transactions and hardly"
            " any from the file. If the file is from another account, add `--account` with a new"
            " name."
        )
        notes = (note,) if is_contradicted else ()
        return replace(resolved, remembered=not namesakes, notes=notes)
    if fits:
        goes_on = continuations.goes_on_in_store(rows.local)
        return _resolve_by_rows(staged, rows, fits, goes_on)
    return ResolvedAccount(staged, BY_NAME + account.name.casefold(), account.name, staged.kind)


def _unless_doubted(
    staged: StagedAccount,
    rows: RowComparison,
    row: HeldAccount,
    manual: Sequence[HeldAccount],
    continuations: Continuations,
    answers: Collection[str],
) -> HeldAccount:
    """The account to which earlier answers alone lead, or another one that the balance goes on with.

    Raises OpenQuestion where something speaks against it.
    """
    goes_on = continuations.goes_on_in_store(rows.local)
    others = [account for account in manual if account.no in goes_on]
    if len(others) == 1:
        return others[0]
    candidate = AccountCandidate.of_stored(row, "")
    doubt = continuations.speaks_against(rows.local, row)
    if rows.contradict(row.no):
        doubt = "that account has other transactions on the days that this file covers"
    if not doubt or not candidate.answers.isdisjoint(answers):
        return row
    text = (
        f"{is_it(staged.account.name, [candidate])} Your earlier answers say that it is, but"
        f" {doubt}."
    )
    raise OpenQuestion(same_account_question(text, staged.account.name, [candidate]))


def _resolve_by_rows(
    staged: StagedAccount,
    rows: RowComparison,
    fits: Sequence[HeldAccount],
    goes_on: Collection[int],
) -> ResolvedAccount:
    """The account that rows prove among those that fit, or the one with whose balance it goes on."""
    evidence = rows.match_stored(fits)
    certain = [row for row in fits if row.no in evidence.certain]
    proven = [row for row in fits if row.no in goes_on]
    if not certain and len(proven) == 1:
        notes = (goes_on_with(staged.account.name, proven[0].name),)
        return replace(ResolvedAccount.of_existing(staged, proven[0]), notes=notes)
    if len(certain) == 1:
        note = (
            "The file does not say which account it belongs to. Its transactions match"
            f" {certain[0].name}, so finplan puts them in that account. To use another account, add"
            " `--account`."
        )
        return replace(ResolvedAccount.of_existing(staged, certain[0]), notes=(note,))
    name = staged.account.name
    message = f"Which account is “{name}” from? {len(certain or fits)} of your accounts match."
    raise which_account(message, certain or fits)


def which_account(message: str, fits: Sequence[HeldAccount]) -> OpenQuestion:
    """The question which of several accounts is meant."""
    choices = [Choice(row.id, f"{row.institution_name} {row.name}") for row in fits]
    return OpenQuestion(Question("account", message, tuple(choices), is_open=True))


def _question_of_namesake(
    name: str, row: HeldAccount, doubt: str, accounts: Sequence[HeldAccount]
) -> OpenQuestion:
    """The question whether a file is of the account called like it, where something is against it."""
    text = (
        f"Is {quoted(name)} from your account {quoted(row.name)}? The names match, but {doubt}."
        " Mixing the transactions of two accounts would make both accounts wrong."
    )
    own = unused_name(name, accounts)
    choices = (
        Choice(row.id, f"Same account: {row.institution_name} {row.name}"),
        Choice(own, f"New account: {own}"),
    )
    return OpenQuestion(Question("account", text, choices, is_open=True))
