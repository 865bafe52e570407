"""Evidence from rows: where a file names no account, its days and rows tell whose it is.

An export comes under another file name each time. In the days that it has in common with an account
the rows are the same on both sides, or it is another account's: two accounts of one person may get the
same standing orders and pay the same fees.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping

from finplan.plan.pairing.repetition import DIFFERENT, ENOUGH, Repetition, count_repeated
from finplan.service.imports.wording import Wording, agree
from finplan.store.queries.repeated_rows import (
    Overlap,
    compared_with_staged,
    compared_with_stored,
    overlap_with_staged,
    overlap_with_stored,
)

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

    connection: Connection
    local: int

    def match_stored(self, accounts: Iterable[RowMapping]) -> RowEvidence:
        """How far the rows are those of some accounts of the store."""
        return evidence_of({row["no"]: self._overlap(row["no"]) for row in accounts})

    def match_staged(self, places: Iterable[int]) -> RowEvidence:
        """How far the rows are those of other accounts of the files."""
        return evidence_of(
            {place: overlap_with_staged(self.connection, self.local, place) for place in places}
        )

    def repetition_of_stored(self, account: int) -> Repetition:
        """What an account of the store has in common with it by days and amounts alone."""
        return count_repeated(*compared_with_stored(self.connection, self.local, account))

    def repetition_of_staged(self, place: int) -> Repetition:
        """What another account of the files has in common with it by days and amounts alone."""
        return count_repeated(*compared_with_staged(self.connection, self.local, place))

    def accounts_matched(self, accounts: Iterable[RowMapping]) -> list[RowMapping]:
        """Of some accounts those whose rows these are, for certain or very likely."""
        listed = list(accounts)
        evidence = self.match_stored(listed)
        return [row for row in listed if row["no"] in evidence.most]

    def rivals_of(self, account: RowMapping, others: Iterable[RowMapping]) -> list[RowMapping]:
        """Of other accounts those that the rows speak for, and no less than for a given one."""
        listed = list(others)
        evidence = self.match_stored([account, *listed])
        least = max(1, evidence.strength(account["no"]))
        return [row for row in listed if evidence.strength(row["no"]) >= least]

    def contradict(self, account: int) -> bool:
        """Say whether the rows speak against an account that a name or a header leads to."""
        return is_contradicted(self._overlap(account))

    def _overlap(self, account: int) -> Overlap:
        return overlap_with_stored(self.connection, self.local, account, _agree)


def _agree(
    text: str, aside: str, external_id: str | None, other: str, other_id: str | None
) -> bool:
    return agree(Wording(text, aside, external_id), Wording(other, external_id=other_id))


def evidence_of(overlaps: Mapping[int, Overlap]) -> RowEvidence:
    """Judge what a file has in common with some accounts, given by number.

    Equal days, amounts and texts prove it where no row of the common days is on one side alone, and the
    amounts are several; where most rows are the same it is likely. Equal days and amounts alone, as in
    another format of the same account, only suggest it; so do equal rows that are few, or just half of
    those of one side.
    """
    likely = [no for no, overlap in overlaps.items() if _most(overlap.same, overlap)]
    certain = tuple(no for no in likely if _is_proof(overlaps[no]))
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


def _is_proof(overlap: Overlap) -> bool:
    return overlap.apart == 0 and overlap.amounts >= DIFFERENT


def _suggests(overlap: Overlap) -> bool:
    return overlap.same > 0 and 2 * overlap.same >= min(overlap.ours, overlap.theirs)
