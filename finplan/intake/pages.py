"""The rows of a bank's page, decided: which are new, known under other ids, from elsewhere, or gone.

A page may list what is known already, in any order and again after a crash: a row is the one of its id,
day and amount, and whatever else has that id gives way to it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from finplan.banks.base import BankTransaction, SyncPage
from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.plan.pairing.repetition import (
    DAYS_APART,
    ComparedRow,
    NewlyPosted,
    WaitingCharge,
    claimed,
    joined_rows,
)

CLAIMS_KEPT = 60
"""Days for which it is remembered which pending row a posted one was."""

Descriptor = tuple[str, str | None]
"""A descriptor with the name that the bank gives."""

RowId = tuple[int, str]
"""An account's number, and the bank's id of a row of it."""

RowKey = tuple[int, str, int, int]
"""A posted row: its account's number, the bank's id, its day and its amount."""


class SyncedRow(NamedTuple):
    """A row from a bank, with the store's numbers of its account and payee."""

    account: int
    external_id: str
    payee: int
    day: int
    amount: int
    raw: str
    code: str | None = None


class KnownRow(NamedTuple):
    """A row that has one of a bank's ids; `no` is None for one that is set aside as another's copy."""

    account: int
    external_id: str
    day: int
    amount: int
    no: int | None


class WaitingRow(NamedTuple):
    """A pending row that a bank brought; `day` is YYYYMMDD, `amount` as on statements."""

    external_id: str
    payee: int
    day: int
    amount: int


class PendingClaim(NamedTuple):
    """A pending row that was posted, both by the bank's ids, and the day of the posted one."""

    pending_id: str
    posted_id: str
    day: int


class RowFromElsewhere(NamedTuple):
    """A posted row that has no id, or no longer one, of the present link's; `day` is YYYYMMDD."""

    no: int
    payee: int
    day: int
    amount: int
    external_id: str | None
    ordinal: int


class Taken(NamedTuple):
    """A row from elsewhere that the bank lists: its id and day there, and its code for the payee."""

    row: RowFromElsewhere
    external_id: str
    day: int
    code: str | None


@dataclass(frozen=True, slots=True)
class NumberedPage:
    """A page of a bank by the store's numbers.

    `accounts` are those of its link by the bank's ids. `posted` are its rows, each once, oldest first;
    `waiting` are the pending ones by account and id, with each account whose list of them is whole.
    """

    page: SyncPage
    accounts: Mapping[str, int]
    posted: Mapping[RowKey, SyncedRow]
    waiting: Mapping[int, Mapping[str, SyncedRow]]

    @property
    def replaced(self) -> set[str]:
        """The ids of the pending rows that the bank says were posted."""
        return {row.replaces for row in self.page.added if row.replaces}

    @property
    def given_up(self) -> set[str]:
        """The ids of rows that are gone or listed again, in any account."""
        modified = {row.external_id for row in self.page.modified}
        return {*self.page.removed, *self.replaced, *modified}

    @property
    def posted_ids(self) -> set[RowId]:
        """The ids of its posted rows."""
        return {(account, external_id) for account, external_id, _, _ in self.posted}

    @property
    def ids(self) -> dict[int, set[str]]:
        """The ids that it names of each account, those of rows that are given up of all of them."""
        given_up = self.given_up
        requested = {no: {*given_up} for no in self.accounts.values()} if given_up else {}
        for account, external_id in self.posted_ids:
            requested.setdefault(account, set()).add(external_id)
        for account, rows in self.waiting.items():
            requested.setdefault(account, set()).update(rows)
        return requested

    @property
    def whole_since(self) -> dict[int, int]:
        """The accounts of which it lists all from a day on, with that day; 0 where it is all of all."""
        # Where all of an account is listed, whatever it has by an id of the bank's is of the bank.
        first = dict.fromkeys(self.numbers(self.page.whole_of), 0)
        unsure = self.numbers(self.page.partly_read)
        for account, _, day, _ in self.posted if self.page.is_whole else ():
            if account not in unsure:
                first.setdefault(account, day)
        return first

    def numbers(self, external_ids: Iterable[str]) -> set[int]:
        """The numbers of some accounts."""
        return {self.accounts[external_id] for external_id in external_ids}


def numbered(
    page: SyncPage, accounts: Mapping[str, int], payees: Mapping[Descriptor, int]
) -> NumberedPage:
    """Read a page by the numbers of its accounts, by the bank's ids, and of its payees."""

    def row_of(transaction: BankTransaction) -> SyncedRow:
        return SyncedRow(
            accounts[transaction.account],
            transaction.external_id,
            payees[transaction.raw, transaction.payee],
            transaction.day,
            transaction.amount,
            transaction.raw,
            transaction.code,
        )

    listed = [
        (row_of(transaction), transaction.pending) for transaction in (*page.added, *page.modified)
    ]
    posted = sorted((row for row, pending in listed if not pending), key=lambda row: row.day)
    waiting: dict[int, dict[str, SyncedRow]] = {accounts[name]: {} for name in page.pending_of}
    for row, pending in listed:
        if pending:
            waiting.setdefault(row.account, {})[row.external_id] = row
    # A bank may use one id for several rows of one page; the day and the amount then tell them apart.
    return NumberedPage(page, accounts, {_key(row): row for row in posted}, waiting)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the store knows when the rows of a page are decided.

    `known` are the posted rows that have ids that it asks for. By accounts' numbers, `of_bank` are the
    rows of the days of which it lists all, `waiting` the pending rows, and `claims` which of them were
    posted before. `elsewhere` answers the rows of an account between two days, both counted, that the
    bank has not listed yet: too many to be loaded.
    """

    known: Sequence[KnownRow]
    of_bank: Mapping[int, Sequence[RowFromElsewhere]]
    waiting: Mapping[int, Sequence[WaitingRow]]
    claims: Mapping[int, Sequence[PendingClaim]]
    elsewhere: Callable[[int, int, int], Sequence[RowFromElsewhere]]


@dataclass(frozen=True, slots=True)
class PageWrites:
    """What is written of the rows of a page, in this order.

    `renamed` are rows that have the ids of listed ones from now on, `gone` the numbers of those that
    give way, `joined` those of other sources that are the bank's now. `claims` are noted by account, and
    those of before the day `claims_since` forgotten. Pending rows of the ids in `over` wait no more,
    `waiting` do. The counts are what the person is told; `is_otherwise` says that not all is as before.
    """

    renamed: Mapping[RowKey, Taken]
    gone: Sequence[int]
    joined: Mapping[RowKey, Taken]
    inserted: Sequence[SyncedRow]
    claims: Mapping[int, Sequence[PendingClaim]]
    claims_since: int
    over: Sequence[RowId]
    waiting: Sequence[SyncedRow]
    added: int
    modified: int
    removed: int
    is_otherwise: bool


def decide_page(page: NumberedPage, facts: PageFacts, today: int) -> PageWrites:
    """Decide what becomes of the rows of a page; `today` is YYYYMMDD."""
    posted, ids, given_up = page.posted, page.posted_ids, page.given_up
    unlisted = [
        (account, row)
        for account, rows in facts.of_bank.items()
        for row in rows
        if (account, row.external_id) not in ids
    ]
    renamed = _renamed(posted, unlisted, {_id(row) for row in facts.known})
    taken = {match.row.no for match in renamed.values()}
    known_rows = [row for row in facts.known if row.no not in taken]
    known_rows += [KnownRow(*key, match.row.no) for key, match in renamed.items()]
    before = {_id(row) for row in known_rows}
    claims = _claims(page, facts, [row for row in posted.values() if _id(row) not in before])
    dropped = {
        row.no: row for row in known_rows if row.external_id in given_up and row.no is not None
    }
    known_rows = [row for row in known_rows if row.external_id not in given_up]
    outdated = [
        row.no
        for row in known_rows
        if row.no is not None and _id(row) in ids and _key(row) not in posted
    ]
    withdrawn = [row.no for _, row in unlisted if row.no not in taken and row.no not in dropped]
    gone = [*dropped, *outdated, *withdrawn]
    present = {_key(row) for row in known_rows}
    fresh = {key: row for key, row in posted.items() if key not in present}
    joined = _join_elsewhere(fresh, facts, taken.union(gone))
    inserted = [row for key, row in fresh.items() if key not in joined]
    claims_since = days_off(today, -CLAIMS_KEPT)
    leaving = set(gone)
    there = ids.union(_id(row) for row in known_rows if row.no not in leaving)
    over, waiting, new = _waits(page, facts, claims, claims_since, there)
    removed = sum(row.external_id in page.page.removed for row in dropped.values())
    changed = (renamed, fresh, withdrawn, over, waiting, page.replaced, removed)
    return PageWrites(
        renamed,
        gone,
        joined,
        inserted,
        claims,
        claims_since,
        over,
        waiting,
        added=sum(_id(row) not in before for row in inserted) + new,
        modified=len(page.page.modified) + len(outdated) + len(renamed),
        removed=removed + len(withdrawn),
        is_otherwise=any(changed),
    )


def _key(row: SyncedRow | KnownRow) -> RowKey:
    return row.account, row.external_id, row.day, row.amount


def _id(row: SyncedRow | KnownRow) -> RowId:
    return row.account, row.external_id


def days_off(day: int, days: int) -> int:
    """The day, YYYYMMDD, so many days after another one."""
    return day_of_ordinal(ORDINAL[day] + days)


def _renamed(
    posted: Mapping[RowKey, SyncedRow],
    unlisted: Iterable[tuple[int, RowFromElsewhere]],
    known_ids: Collection[RowId],
) -> dict[RowKey, Taken]:
    """The rows that a whole list has under another id than before.

    A bank may give a row its id days after it first listed it. The amount and the payee must agree, so
    that no row stands in for another one.
    """
    by_payee: dict[tuple[int, int], list[RowFromElsewhere]] = {}
    for account, row in unlisted:
        by_payee.setdefault((account, row.payee), []).append(row)
    fresh: dict[tuple[int, int], dict[RowKey, SyncedRow]] = {}
    for key, listed in posted.items():
        if (listed.account, listed.payee) in by_payee and _id(listed) not in known_ids:
            fresh.setdefault((listed.account, listed.payee), {})[key] = listed
    matches: dict[RowKey, Taken] = {}
    for of_payee, rows in fresh.items():
        matches |= _match_rows(rows, by_payee[of_payee])
    return matches


def _join_elsewhere(
    fresh: Mapping[RowKey, SyncedRow], facts: PageFacts, leaving: Collection[int]
) -> dict[RowKey, Taken]:
    """The rows that came from elsewhere, and are the bank's from now on."""
    by_account: dict[int, dict[RowKey, SyncedRow]] = {}
    for key, row in fresh.items():
        by_account.setdefault(row.account, {})[key] = row
    matches: dict[RowKey, Taken] = {}
    for account, rows in by_account.items():
        days = [row.day for row in rows.values()]
        since, until = days_off(min(days), -DAYS_APART), days_off(max(days), DAYS_APART)
        elsewhere = facts.elsewhere(account, since, until)
        matches |= _match_rows(rows, [stored for stored in elsewhere if stored.no not in leaving])
    return matches


def _match_rows(
    rows: Mapping[RowKey, SyncedRow], stored: Iterable[RowFromElsewhere]
) -> dict[RowKey, Taken]:
    """Of the rows of an account those that are some of what is there, each at most once."""
    present = {row.no: row for row in stored}
    matches = joined_rows(
        {key: ComparedRow(row.payee, row.day, row.amount) for key, row in rows.items()},
        {
            no: ComparedRow(candidate.payee, candidate.day, candidate.amount)
            for no, candidate in present.items()
        },
    )
    return {
        key: Taken(present[no], rows[key].external_id, rows[key].day, rows[key].code)
        for key, no in matches.items()
    }


def _claims(
    page: NumberedPage, facts: PageFacts, fresh: Iterable[SyncedRow]
) -> dict[int, list[PendingClaim]]:
    """Which pending rows of each account newly posted ones are, where the bank does not say."""
    added = page.page.added
    stated = {row.external_id for row in added if row.replaces}
    by_account: dict[int, list[NewlyPosted]] = {}
    for row in fresh:
        if row.external_id not in stated:
            posted = NewlyPosted(row.external_id, row.payee, row.day, row.amount)
            by_account.setdefault(row.account, []).append(posted)
    listed = {(page.accounts[row.account], row.external_id) for row in added if row.pending}
    complete = page.numbers(page.page.pending_of)
    gone = {*page.page.removed, *page.replaced}
    claims_of = {}
    for account, rows in by_account.items():
        waiting = [
            WaitingCharge(
                *row,
                listed=(account, row.external_id) in listed
                or (account not in complete and row.external_id not in gone),
            )
            for row in facts.waiting[account]
        ]
        claims = claimed(waiting, rows).items()
        claims_of[account] = [PendingClaim(name, row.external_id, row.day) for name, row in claims]
    return claims_of


def _waits(
    page: NumberedPage,
    facts: PageFacts,
    claims: Mapping[int, Sequence[PendingClaim]],
    claims_since: int,
    there: Collection[RowId],
) -> tuple[list[RowId], list[SyncedRow], int]:
    """The ids of the pending rows that wait no more, those that do now, and how many of them are new.

    A bank may keep a row's id as it posts, so that no row waits whose id is `there`.
    """
    complete, given_up = page.numbers(page.page.pending_of), page.given_up
    over, waiting, new = list[RowId](), list[SyncedRow](), 0
    for account, pending in facts.waiting.items():
        noted = claims.get(account, ())
        earlier = [
            claim for claim in facts.claims[account] if not noted or claim.day >= claims_since
        ]
        claimed_ids = {claim.pending_id for claim in (*earlier, *noted)}
        before = {row.external_id: row for row in pending if row.external_id not in given_up}
        after = {
            name: row
            for name, row in page.waiting.get(account, {}).items()
            if name not in claimed_ids and (account, name) not in there
        }
        for name in before:
            is_over = name in claimed_ids or (account, name) in there
            if name not in after if account in complete else is_over:
                over.append((account, name))
        for name, row in after.items():
            if name not in before or (row.payee, row.day, row.amount) != before[name][1:]:
                waiting.append(row)
                new += name not in before
    return over, waiting, new
