"""Accounts that a file seems to hold once more: what would be new, but has the rows of another one.

The same account comes as OFX and as CSV, under another file's name, from another program. Taken for two,
its money counts twice; two accounts taken for one lose rows. So the person is asked.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

from finplan.model.question import ANOTHER_ACCOUNT
from finplan.plan.ledger.days import date_of
from finplan.plan.pairing.repetition import Repetition
from finplan.service.ids import number_in
from finplan.service.imports.accounts.candidates import (
    AccountCandidate,
    accounts_of_files,
    join_as_said,
    named,
    same_account_question,
)
from finplan.service.imports.accounts.row_evidence import RowComparison, RowEvidence
from finplan.service.imports.import_run import ResolvedAccount
from finplan.service.imports.questions import OpenQuestion
from finplan.statements.statement import Question
from finplan.statements.text.descriptors import quoted


@dataclass(frozen=True, slots=True)
class OtherAccounts:
    """The accounts that one may be, of the store and of other files, and whose texts its rows have.

    Those of other files go by their local numbers.
    """

    stored: Sequence[Any]
    texts_of_stored: RowEvidence
    staged: Mapping[int, ResolvedAccount]
    texts_of_staged: RowEvidence

    @classmethod
    def compared(
        cls,
        found: ResolvedAccount,
        rows: RowComparison,
        stored: Sequence[Any],
        earlier: Sequence[ResolvedAccount | None],
    ) -> "OtherAccounts":
        """The accounts in the currency of a new one, with its rows compared."""
        manual = accounts_of_files(stored, found.currency)
        staged = {
            place: other
            for place, other in enumerate(earlier)
            if other is not None and other.currency == found.currency
        }
        return cls(manual, rows.match_stored(manual), staged, rows.match_staged(staged))


def settle_repeated(
    found: ResolvedAccount,
    rows: RowComparison,
    others: OtherAccounts,
    earlier: Sequence[ResolvedAccount | None],
    said: Collection[str],
) -> ResolvedAccount | None:
    """The account that a new one is in truth, as the person says; None where its rows are its own.

    `earlier` are the accounts of other files before it, by local number, None where they are of the same
    file or not known yet. Raises OpenQuestion where its rows are those of another account and nothing
    in `said` tells which it is: an account's id or name in small letters, or ANOTHER_ACCOUNT.
    """
    likely = sorted(_candidates(found, rows, others), key=lambda each: -each[0].shared)
    candidates = [candidate for _, candidate in likely]
    for each in candidates:
        if not each.answers.isdisjoint(said):
            return join_as_said(found, each, earlier)
    if not candidates:
        return None
    if ANOTHER_ACCOUNT in said:
        return found
    raise OpenQuestion(_question(found, candidates))


def doubts_on(found: ResolvedAccount, others: OtherAccounts) -> Iterator[str]:
    """What a file that names no account has in common with one that it is hardly."""
    if found.staged.account.number is not None or found.staged.is_exported:
        return
    perhaps = others.texts_of_stored.perhaps
    names = [row["name"] for row in others.stored if row["no"] in perhaps]
    names += [others.staged[place].name for place in others.texts_of_staged.perhaps]
    for name in names[:1]:
        yield (
            "It names no account, so it gets one of its own; but some of its rows are those of"
            f" {name}. If it is that one, say so: `--account {quote(name)}`."
        )


def _candidates(
    found: ResolvedAccount, rows: RowComparison, others: OtherAccounts
) -> Iterator[tuple[Repetition, AccountCandidate]]:
    listed = set()
    for row in others.stored:
        seen = rows.repetition_of_stored(row["no"])
        has_texts = row["no"] in others.texts_of_stored.most
        if _is_likely(found.external_id, row["external_id"], seen, has_texts=has_texts):
            listed.add(row["no"])
            yield seen, AccountCandidate.of_stored(row, _sample(seen))
    for place, other in others.staged.items():
        key = other.no or id(other)
        if key in listed:
            continue
        seen = rows.repetition_of_staged(place)
        has_texts = place in others.texts_of_staged.most
        if _is_likely(found.external_id, other.external_id, seen, has_texts=has_texts):
            listed.add(key)
            yield seen, AccountCandidate.of_staged(other, _sample(seen))


def _is_likely(ours: str, theirs: str, seen: Repetition, *, has_texts: bool) -> bool:
    if _numbers_differ(ours, theirs):
        return seen.is_nearly_all
    return has_texts or seen.is_likely


def _numbers_differ(ours: str, theirs: str) -> bool:
    numbers = number_in(ours), number_in(theirs)
    return None not in numbers and numbers[0] != numbers[1]


def _question(found: ResolvedAccount, candidates: Sequence[AccountCandidate]) -> Question:
    text = (
        f"{quoted(found.name)} has mostly the same rows as {named(candidates)} on the days that both"
        " cover. Is it the same account? Counted as two accounts, the same money would count twice."
    )
    return same_account_question(text, found.name, candidates)


def _sample(seen: Repetition) -> str:
    """What was counted, as a person reads it."""
    if not seen.ours:
        return ""
    since, until = date_of(seen.since), date_of(seen.until)
    first = f"{since:%-d %b}" if since.year == until.year else f"{since:%-d %b %Y}"
    days = f"on {until:%-d %b %Y}" if since == until else f"from {first} to {until:%-d %b %Y}"
    text = f"{seen.shared} of {seen.ours} rows {days} are the same"
    return f"{text}, {seen.near} of them on days a little apart" if seen.near else text
