"""The facts of an import: what the store knows beside its files, as values, and rows by look-ups.

Accounts, what they are known by and the days that they cover are loaded before anything is decided. Rows
of the store and of the files are too many for that: `RowFacts` answers what is asked of them, from a
store as from lists.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from finplan.model.account import AccountKind
from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.plan.ledger.classes import kind_owes
from finplan.plan.ledger.days import Interval, balances_agree, join_intervals
from finplan.plan.pairing.repetition import DatedAmount

BY_NAME = "name:"
"""What the external id of an account begins with whose files give it no number."""

SUBTYPE = re.compile(r" ([a-z][a-z ]{0,60})$")
"""What follows the number in an external id, where a file told it."""

_FEWEST_DIGITS = 4
"""How many digits make a number; an app's name for an account may hold one or two."""


def number_in(external_id: str) -> str | None:
    """The account number that an external id holds; None where an account goes by a name."""
    digits = sum(map(str.isdigit, external_id))
    if external_id.startswith((BY_NAME, "acc_")) or digits < _FEWEST_DIGITS:
        return None
    return external_id


@dataclass(frozen=True, slots=True)
class HeldAccount:
    """An account of the store: its number there, its public id, and what it is known by.

    `external_id` is what its bank or its files know it by: a number or a name. `kept` are the fields
    that the person set, `sources` the kinds of source that brought its rows, `balance_day` the day of
    its known balance, YYYYMMDD. `bank` is what its connection's bank is known by, `institution` what the
    bank calls the account's own one where a connection reaches several.
    """

    no: int
    id: str
    external_id: str
    name: str
    kind: AccountKind
    subtype: str | None
    currency: str
    provider: str
    institution_name: str
    connection_no: int
    mask: str | None = None
    hidden: bool = False
    kept: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    balance_day: int | None = None
    balance: int | None = None
    credit_limit: int | None = None
    apr: float | None = None
    minimum_payment: int | None = None
    bank: str | None = None
    institution: str | None = None


class AccountSide(NamedTuple):
    """One account with its booked rows: of the store by its number, or of the files by a local one."""

    number: int
    is_staged: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """The booked rows of the days that two accounts both cover: how many each has, and has alike.

    `same` rows have day, amount and identity in common, `alike` ones day and amount; the same
    rows are of so many different `amounts`. Rows `apart` are those that only one side has, though both
    would have them if they were one account: a file may lack rows of its own last day alone.
    """

    ours: int
    theirs: int
    same: int
    alike: int
    amounts: int
    apart: int


class SizedRow(NamedTuple):
    """A row by what it is told apart from others of its day and size.

    `file` is the place of the file that it stands in, None for a row of the store; `aside` is what it
    prints beside its text.
    """

    file: int | None
    amount: int
    raw: str
    aside: str
    external_id: str | None


ComparedRows = tuple[Sequence[DatedAmount], Sequence[DatedAmount]]
"""Day and amount of the rows of common days: of an account of the files, and of another one."""


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What is asked of rows; those of the files are the booked ones, as they are staged just now.

    Accounts of the files go by local numbers, days are YYYYMMDD, amounts in minor units.

    - `overlap` compares an account of the files with another one, row by row; `compared` has the rows of
      the newest days that both cover, without their texts.
    - `moved` is what the rows after one day and up to another add up to; `new_between` what those of the
      files that the store lacks do between two days, both counted, and how many they are.
    - `stated` has day and balance of each balance that a statement stated of an account of the store.
    - `of_size` are the rows of a day and a size, whichever way they go, with copies that were set aside.
    - `received` is what came in last, so much of it at most, the newest first; `paid` what of some
      amounts went out between two days, both counted, and `spent` all that did, oldest first and
      positive; `count_spent` says how many rows that are, `span` the first and the last day of all.
    - `spent_in_files` is what went out of an account of the files in some of them: file, day, positive
      amount, by the payee's local number; `moved_by_payee` what an account of the store has of each
      payee, by its key.
    """

    overlap: Callable[[int, AccountSide], Overlap]
    compared: Callable[[int, AccountSide], ComparedRows]
    moved: Callable[[AccountSide, int, int], int]
    new_between: Callable[[int, int, int], tuple[int, int]]
    stated: Callable[[int], Sequence[tuple[int, int]]]
    of_size: Callable[[AccountSide, int, int], Sequence[SizedRow]]
    received: Callable[[AccountSide, int], Sequence[DatedAmount]]
    paid: Callable[[AccountSide, Collection[int], int, int], Sequence[DatedAmount]]
    spent: Callable[[AccountSide], Sequence[DatedAmount]]
    count_spent: Callable[[AccountSide], int]
    span: Callable[[AccountSide], tuple[int, int] | None]
    spent_in_files: Callable[[int, Collection[int]], Mapping[int, Sequence[tuple[int, int, int]]]]
    moved_by_payee: Callable[[int], Mapping[str, Sequence[DatedAmount]]]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the store knows when an import is decided.

    `held` are the person's accounts, oldest first; `learned` has the names and numbers that the person
    said are an account's too, by its number. `by_header` are the accounts noted for the signature of a
    header, `by_layout` those that files of a layout went to, and `ways` how amounts of a layout went in
    an account's newest file by an answer. `covered` are the intervals of days of each account's sources,
    in no order. `beside_demo` says that the home holds the demo household.
    """

    held: Sequence[HeldAccount]
    rows: RowFacts
    learned: Mapping[int, Collection[str]]
    by_header: Mapping[str, Collection[int]]
    by_layout: Mapping[str, Collection[int]]
    ways: Mapping[tuple[str, int], str]
    covered: Mapping[int, Sequence[Interval]]
    beside_demo: bool = False

    @property
    def known_as(self) -> list[HeldAccount]:
        """The accounts once more under each name or number that the person said is theirs too."""
        # What a file calls its institution was part of the question, so it is not asked about again.
        return [
            replace(account, external_id=name, institution_name=UNNAMED_INSTITUTION)
            for account in self.held
            for name in self.learned.get(account.no, ())
        ]

    def intervals_of(self, account: HeldAccount) -> Sequence[Interval]:
        """The days of an account with real holes between them; stated balances tell what is none."""
        intervals = self.covered.get(account.no)
        if not intervals:
            return ()
        stated = self.rows.stated(account.no)
        return join_intervals(
            intervals, partial(balances_agree, stated, partial(self.moved_of, account))
        )

    def moved_of(self, account: HeldAccount, after: int, until: int) -> int:
        """What rows change an account's balance by, which of some kinds is what is owed."""
        moved = self.rows.moved(AccountSide(account.no), after, until)
        return -moved if kind_owes(account.kind) else moved

    def kinds_by_layout(self) -> dict[str, set[str]]:
        """The kinds of the accounts that files of each layout went to."""
        return kinds_by_layout(
            {account.no: account.kind for account in self.held}, self.by_layout, self.ways
        )


def kinds_by_layout(
    kinds: Mapping[int, str],
    by_layout: Mapping[str, Collection[int]],
    ways: Collection[tuple[str, int]],
) -> dict[str, set[str]]:
    """The kinds, given by number, of the accounts that files of each layout went to, said or not."""
    went = [(layout, no) for layout, numbers in by_layout.items() for no in numbers]
    grouped: dict[str, set[str]] = {}
    for layout, number in (*went, *ways):
        if number in kinds:
            grouped.setdefault(layout, set()).add(kinds[number])
    return grouped
