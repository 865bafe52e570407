"""Evidence from rows: where a file names no account, its days and rows tell whose it is.

An export comes under another file name each time. In the days that it has in common with an account
the rows are the same on both sides, or it is another account's: two accounts of one person may get the
same standing orders and pay the same fees. Two texts may be one row's, though they were put together
in different ways.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from finplan.intake.facts import AccountSide, HeldAccount, Overlap, RowFacts
from finplan.model.characters import LONGEST_TEXT, visible
from finplan.plan.pairing.repetition import DIFFERENT, ENOUGH, Repetition, count_repeated

_WORD = re.compile(r"\w+")
_RUNS = re.compile(r"(\d+)|([^\W\d_]+)")


class Wording(NamedTuple):
    """What a row is told apart by: its text, what it prints beside that, and the bank's id of it."""

    text: str
    aside: str = ""
    external_id: str | None = None


def wordings_agree(staged: Wording, stored: Wording) -> bool:
    """Say whether a row that is read and one that is stored may be the same, but for how they are put.

    All words of one text stand in the other one, or in what the read row prints beside its own. Where a
    bank tells rows apart by ids of one kind, equal words make no difference. An earlier version kept
    texts whole that are cut now, perhaps within a word.
    """
    if _are_told_apart(staged.external_id, stored.external_id):
        return False
    if len(stored.text) > LONGEST_TEXT and stored.text.startswith(staged.text):
        return True
    read, theirs = words_of_text(staged.text), words_of_text(stored.text)
    return read <= theirs or theirs <= read | words_of_text(staged.aside)


@lru_cache(4096)
def words_of_text(text: str) -> frozenset[str]:
    """The words of a text, whatever their order and their letters' case."""
    return frozenset(_WORD.findall(visible(text).casefold()))


def _are_told_apart(first: str | None, second: str | None) -> bool:
    """Say whether two rows have ids that differ and look as if one program had given both."""
    if not first or not second or first == second:
        return False
    return len(first) == len(second) or _shape_of_id(first) == _shape_of_id(second)


def _shape_of_id(external_id: str) -> str:
    return _RUNS.sub(lambda run: "9" if run[1] else "a", external_id)


MOST = 0.8
"""What share of the rows of the common days must be the same, on either side."""

CHANCE = 0.05
"""What share of the rows of two accounts may have days and amounts in common by chance."""


@dataclass(frozen=True, slots=True)
class RowEvidence:
    """The accounts whose rows a file has for certain, very likely, or perhaps, by number."""

    certain: tuple[int, ...]
    likely: tuple[int, ...]
    perhaps: tuple[int, ...]

    @property
    def most(self) -> tuple[int, ...]:
        """The accounts whose rows a file has for certain or very likely."""
        return self.certain + self.likely

    def strength(self, account: int) -> int:
        """How much the rows speak for an account: from 0, not at all, to 3, for certain."""
        return (
            3 * (account in self.certain) + 2 * (account in self.likely) + (account in self.perhaps)
        )


@dataclass(frozen=True, slots=True)
class RowComparison:
    """Compares the staged rows of an account of the files, by its local number, with those of others."""

    rows: RowFacts
    local: int

    def match_stored(self, accounts: Iterable[HeldAccount]) -> RowEvidence:
        """How far the rows are those of some accounts of the store."""
        return evidence_of(
            {
                account.no: self.rows.overlap(self.local, AccountSide(account.no))
                for account in accounts
            }
        )

    def match_staged(self, places: Iterable[int]) -> RowEvidence:
        """How far the rows are those of other accounts of the files."""
        sides = (AccountSide(index, is_staged=True) for index in places)
        return evidence_of({side.number: self.rows.overlap(self.local, side) for side in sides})

    def repetition(self, side: AccountSide) -> Repetition:
        """What another account has in common with it by days and amounts alone."""
        return count_repeated(*self.rows.compared(self.local, side))

    def accounts_matched(self, accounts: Iterable[HeldAccount]) -> list[HeldAccount]:
        """Of some accounts those whose rows these are, for certain or very likely."""
        listed = list(accounts)
        evidence = self.match_stored(listed)
        return [account for account in listed if account.no in evidence.most]

    def rivals_of(self, account: HeldAccount, others: Iterable[HeldAccount]) -> list[HeldAccount]:
        """Of other accounts those that the rows speak for, and no less than for a given one."""
        listed = list(others)
        evidence = self.match_stored([account, *listed])
        least = max(1, evidence.strength(account.no))
        return [rival for rival in listed if evidence.strength(rival.no) >= least]

    def contradict(self, account: int) -> bool:
        """Say whether the rows speak against an account that a name or a header leads to."""
        return is_contradicted(self.rows.overlap(self.local, AccountSide(account)))


def texts_agree(
    text: str, aside: str, external_id: str | None, stored: str, other_id: str | None
) -> bool:
    """As `wordings_agree`, of what a store has of the rows."""
    return wordings_agree(Wording(text, aside, external_id), Wording(stored, external_id=other_id))


def evidence_of(overlaps: Mapping[int, Overlap]) -> RowEvidence:
    """Judge what a file has in common with some accounts, given by number.

    Equal days, amounts and texts prove it where no row of the common days is on one side alone, and the
    amounts are several; where most rows are the same it is likely. Equal days and amounts alone, as in
    another format of the same account, only suggest it; so do equal rows that are few, or just half of
    those of one side.
    """
    likely = [no for no, overlap in overlaps.items() if _most(overlap.same, overlap)]
    certain = tuple(
        no for no in likely if overlaps[no].apart == 0 and overlaps[no].amounts >= DIFFERENT
    )
    perhaps = tuple(
        no
        for no, overlap in overlaps.items()
        if no not in likely and (_suggests(overlap) or _most(overlap.alike, overlap))
    )
    return RowEvidence(certain, tuple(no for no in likely if no not in certain), perhaps)


def is_contradicted(overlap: Overlap) -> bool:
    """Say whether two accounts are hardly one: both have rows on common days, and hardly any alike."""
    fewest = min(overlap.ours, overlap.theirs)
    return fewest >= ENOUGH and overlap.alike < CHANCE * fewest


def _most(rows: int, overlap: Overlap) -> bool:
    return rows >= ENOUGH and rows >= MOST * max(overlap.ours, overlap.theirs)


def _suggests(overlap: Overlap) -> bool:
    return overlap.same > 0 and 2 * overlap.same >= min(overlap.ours, overlap.theirs)
