"""What is decided of the rows of a bank's page, on any rows: laws that need no store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.banks.base import BankTransaction, SyncPage
from finplan.intake.pages import (
    KnownRow,
    NumberedPage,
    PageFacts,
    PageWrites,
    PendingClaim,
    RowFromElsewhere,
    RowKey,
    SyncedRow,
    Taken,
    WaitingRow,
    decide_page,
    numbered,
)

TODAY = 20260430
ACCOUNTS = {"a": 1, "b": 2}
NAMES = ("SHOP", "CAFE")


@dataclass
class Held:
    """A household's rows in lists: posted ones by number, each with whether the bank listed it."""

    posted: dict[int, tuple[int, RowFromElsewhere, bool]] = field(default_factory=dict)
    waiting: dict[tuple[int, str], SyncedRow] = field(default_factory=dict)
    claims: list[tuple[int, PendingClaim]] = field(default_factory=list)

    def facts(self, page: NumberedPage) -> PageFacts:
        """What a store of these rows would have loaded for a page."""
        return PageFacts(
            known=[
                KnownRow(account, row.external_id, row.day, row.amount, row.no)
                for account, row, _ in self.posted.values()
                if row.external_id is not None and row.external_id in page.ids.get(account, ())
            ],
            of_bank={
                no: [
                    row
                    for row in self._of(no, by_bank=True)
                    if row.day >= day and (day or row.external_id is not None)
                ]
                for no, day in page.whole_since.items()
            },
            waiting={
                no: [WaitingRow(*row[1:5]) for (of, _), row in self.waiting.items() if of == no]
                for no in ACCOUNTS.values()
            },
            claims={
                no: [claim for of, claim in self.claims if of == no] for no in ACCOUNTS.values()
            },
            elsewhere=self._elsewhere,
        )

    def _elsewhere(self, account: int, since: int, until: int) -> list[RowFromElsewhere]:
        forgotten = [row for row in self._of(account, by_bank=True) if row.external_id is None]
        there = [*self._of(account, by_bank=False), *forgotten]
        return [row for row in there if since <= row.day <= until]

    def _of(self, account: int, *, by_bank: bool) -> list[RowFromElsewhere]:
        return [row for of, row, told in self.posted.values() if (of, told) == (account, by_bank)]

    def write(self, writes: PageWrites) -> None:
        """Write what was decided, in its order."""
        self._take(writes.renamed)
        for no in writes.gone:
            del self.posted[no]
        self._take(writes.joined)
        for row in writes.inserted:
            self.add(row, row.external_id, by_bank=True)
        self.claims += [(no, each) for no, claims in writes.claims.items() for each in claims]
        for each in writes.over:
            del self.waiting[each]
        self.waiting |= {(row.account, row.external_id): row for row in writes.waiting}

    def _take(self, taken: Mapping[RowKey, Taken]) -> None:
        for (account, external_id, day, _), each in taken.items():
            now = each.row._replace(external_id=external_id, day=day)
            self.posted[each.row.no] = (account, now, True)

    def add(self, row: SyncedRow, external_id: str | None, *, by_bank: bool) -> None:
        """Let a row be there, by the bank or from a file, which gives it no id."""
        no = max(self.posted, default=0) + 1
        held = RowFromElsewhere(no, row.payee, row.day, row.amount, external_id, 0)
        self.posted[no] = (row.account, held, by_bank)

    def of_bank(self) -> list[RowKey]:
        """Account, id, day and amount of all that the bank listed."""
        listed = [(no, row) for no, row, _ in self.posted.values() if row.external_id is not None]
        return sorted((no, row.external_id or "", row.day, row.amount) for no, row in listed)


def page_of(rows: Sequence[BankTransaction], **said: Any) -> NumberedPage:
    """A page of some rows, by numbers."""
    page = replace(SyncPage((), tuple(rows), (), (), "next"), **said)
    return numbered(page, ACCOUNTS, {(name, None): no for no, name in enumerate(NAMES)})


def listed_rows(*, pending: st.SearchStrategy[bool]) -> st.SearchStrategy[list[BankTransaction]]:
    """Rows of two accounts within three weeks, of few amounts and ids, so that many are alike."""
    row = st.builds(
        BankTransaction,
        account=st.sampled_from([*ACCOUNTS]),
        external_id=st.sampled_from("pqrst"),
        day=st.integers(20260401, 20260421),
        amount=st.sampled_from([-100, -250, 4000]),
        raw=st.sampled_from(NAMES),
        payee=st.none(),
        pending=pending,
        replaces=st.none(),
        code=st.none(),
    )
    return st.lists(row, max_size=12)


POSTED = listed_rows(pending=st.just(value=False))
ANY = listed_rows(pending=st.booleans())
WHOLE = st.booleans()


def home_of(listed: Sequence[BankTransaction], filed: Sequence[BankTransaction]) -> Held:
    """A household of which the bank listed some rows before, and others are there without an id.

    Files brought those of one account, a former access of the bank's, which is forgotten, the others.
    """
    home, page = Held(), page_of(listed)
    home.write(decide_page(page, home.facts(page), TODAY))
    for row in page_of(filed).posted.values():
        home.add(row, None, by_bank=row.account == ACCOUNTS["b"])
    return home


@given(ANY, POSTED, ANY, WHOLE)
def test_a_page_that_is_applied_says_nothing_new(
    before: list[BankTransaction],
    filed: list[BankTransaction],
    rows: list[BankTransaction],
    is_whole: bool,
) -> None:
    """Whatever was there, the same page again changes nothing, and its rows are there once each."""
    home = home_of(before, filed)
    page = page_of(
        rows, is_whole=is_whole, pending_of=frozenset(ACCOUNTS) if is_whole else frozenset()
    )
    home.write(decide_page(page, home.facts(page), TODAY))
    assert [each for each in home.of_bank() if each in page.posted] == sorted(page.posted)

    again = decide_page(page, home.facts(page), TODAY)
    assert (again.inserted, again.gone, again.over, again.waiting) == ([], [], [], [])
    assert (again.added, again.modified, again.removed, again.is_otherwise) == (0, 0, 0, False)


@given(POSTED, POSTED, POSTED, WHOLE)
def test_no_row_is_two(
    before: list[BankTransaction],
    filed: list[BankTransaction],
    rows: list[BankTransaction],
    is_whole: bool,
) -> None:
    """A row is new, from elsewhere or known, and of what is there each is one listed row at most."""
    home, page = home_of(before, filed), page_of(rows, is_whole=is_whole)
    writes = decide_page(page, home.facts(page), TODAY)
    new = {(row.account, row.external_id, row.day, row.amount) for row in writes.inserted}
    assert len(new) == len(writes.inserted)
    assert new.isdisjoint(writes.joined)
    assert new.isdisjoint(writes.renamed)
    taken = [each.row.no for each in (*writes.renamed.values(), *writes.joined.values())]
    assert len({*taken, *writes.gone}) == len(taken) + len(writes.gone)


@given(POSTED, POSTED, st.randoms(use_true_random=False))
def test_order_and_repetition_say_nothing(
    before: list[BankTransaction], rows: list[BankTransaction], random: Random
) -> None:
    """A page is the same in any order, and a row that it lists twice is one."""
    shuffled = [*rows, *rows]
    random.shuffle(shuffled)
    once, twice = home_of(before, []), home_of(before, [])
    for home, listed in ((once, rows), (twice, shuffled)):
        page = page_of(listed, is_whole=True)
        home.write(decide_page(page, home.facts(page), TODAY))
    assert once.of_bank() == twice.of_bank()


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"is_whole": True},
        {"whole_of": frozenset("a")},
        {"is_whole": True, "partly_read": frozenset("a")},
    ],
)
@given(POSTED, st.integers(0, 11))
def test_only_a_whole_list_withdraws(
    said: dict[str, Any], rows: list[BankTransaction], left_out: int
) -> None:
    """A row is gone where a list that would have it lacks it, and nowhere else."""
    home = home_of(rows, [])
    missing = rows[left_out].external_id if left_out < len(rows) else ""
    page = page_of([row for row in rows if row.external_id != missing], **said)
    # The oldest row of each account comes last, and stands.
    newest_first = sorted(page.posted, key=lambda key: -key[2]) if said.get("is_whole") else ()
    first = {key[0]: key[2] for key in newest_first}
    if "partly_read" in said:
        first.pop(ACCOUNTS["a"], None)
    first |= {ACCOUNTS[name]: 0 for name in said.get("whole_of", ())}
    there = [key for key in home.of_bank() if key[1] == missing]
    withdrawn = [key for key in there if key[2] >= first.get(key[0], TODAY)]
    # A row that differs in its id alone is the same row under another id.
    writes = decide_page(page, home.facts(page), TODAY)
    assert not writes.renamed
    assert (len(writes.gone), writes.removed) == (len(withdrawn), len(withdrawn))


@given(ANY, ANY)
def test_nothing_waits_that_was_posted(
    before: list[BankTransaction], rows: list[BankTransaction]
) -> None:
    """No pending row has the id of a posted one, or was claimed by one of the page."""
    home, page = home_of(before, []), page_of(rows)
    home.write(decide_page(page, home.facts(page), TODAY))
    told = {(no, name) for no, rows_of in page.waiting.items() for name in rows_of}
    posted = {(no, row.external_id) for no, row, _ in home.posted.values()}
    assert (posted & told).isdisjoint(home.waiting)
    assert page.posted_ids.isdisjoint(home.waiting)
    assert {(no, each.pending_id) for no, each in home.claims}.isdisjoint(home.waiting)
