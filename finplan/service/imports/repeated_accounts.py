"""Accounts that a file seems to hold once more: what would be new, but has the rows of another one.

The same account comes as OFX and as CSV, under another file's name, from another program. Taken for two,
its money counts twice; two accounts taken for one lose rows. So the person is asked.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

from finplan.model.question import ANOTHER_ACCOUNT
from finplan.plan.ledger.days import date_of
from finplan.plan.pairing.repetition import Repetition
from finplan.service.imports.account_numbers import BY_NAME, number_in
from finplan.service.imports.import_run import ResolvedAccount
from finplan.service.imports.questions import OpenQuestion
from finplan.service.imports.row_evidence import RowComparison, RowEvidence
from finplan.service.imports.unnamed_accounts import manual_accounts
from finplan.statements.statement import Choice, Question


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An account that may be meant: of the store, or one that an earlier file of the import makes."""

    name: str
    label: str
    value: str
    repetition: Repetition
    row: Any = None
    other: ResolvedAccount | None = None

    @property
    def answers(self) -> set[str]:
        """What a person may say to mean it; it may have changed its name since it was asked about."""
        learned = () if self.other is None else self.other.learned
        names = (self.value, self.name, *(name.removeprefix(BY_NAME) for name in learned))
        return {name.casefold() for name in names} - {ANOTHER_ACCOUNT}

    @property
    def choice(self) -> Choice:
        """What the person picks to mean it, with what was compared."""
        return Choice(self.value, f"the same account, {self.label}", _sample(self.repetition))


@dataclass(frozen=True, slots=True)
class _Others:
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
    ) -> "_Others":
        """The accounts in the currency of a new one, with its rows compared."""
        manual = manual_accounts(stored, found.currency)
        staged = {
            place: other
            for place, other in enumerate(earlier)
            if other is not None and other.currency == found.currency
        }
        return cls(manual, rows.match_stored(manual), staged, rows.match_staged(staged))


def settle_repeated(
    found: ResolvedAccount,
    rows: RowComparison,
    stored: Sequence[Any],
    earlier: Sequence[ResolvedAccount | None],
    answers: Collection[str],
) -> ResolvedAccount:
    """The account that a new one is in truth, as the person says; itself where its rows are its own.

    `earlier` are the accounts of other files before it, by local number, None where they are of the same
    file or not known yet. Raises OpenQuestion where its rows are those of another account and nothing
    in `answers` says which it is: an account's id or name, or ANOTHER_ACCOUNT.
    """
    others = _Others.compared(found, rows, stored, earlier)
    candidates = sorted(_candidates(found, rows, others), key=lambda each: -each.repetition.shared)
    if not candidates:
        return replace(found, notes=(*found.notes, *_doubt(found, others)))
    said = {answer.casefold() for answer in answers}
    for each in candidates:
        if not said.isdisjoint(each.answers):
            return _join(found, each, earlier)
    if ANOTHER_ACCOUNT in said:
        return found
    raise OpenQuestion(_question(found, candidates))


def _candidates(
    found: ResolvedAccount, rows: RowComparison, others: _Others
) -> Iterator[_Candidate]:
    listed = set()
    for row in others.stored:
        seen = rows.repetition_of_stored(row["no"])
        has_texts = row["no"] in others.texts_of_stored.most
        if _is_likely(found.external_id, row["external_id"], seen, has_texts=has_texts):
            listed.add(row["no"])
            yield _of_store(row, seen)
    for place, other in others.staged.items():
        key = other.no or id(other)
        if key in listed:
            continue
        seen = rows.repetition_of_staged(place)
        has_texts = place in others.texts_of_staged.most
        if not _is_likely(found.external_id, other.external_id, seen, has_texts=has_texts):
            continue
        listed.add(key)
        if other.existing is not None:
            yield _of_store(other.existing, seen)
        else:
            label = f"{other.name}, of another file of this import"
            is_name = other.name.casefold() != ANOTHER_ACCOUNT
            value = other.name if is_name else other.external_id
            yield _Candidate(other.name, label, value, seen, other=other)


def _of_store(row: Any, seen: Repetition) -> _Candidate:
    label = f"{row['institution_name']} {row['name']}"
    return _Candidate(row["name"], label, row["id"], seen, row=row)


def _is_likely(ours: str, theirs: str, seen: Repetition, *, has_texts: bool) -> bool:
    if _numbers_differ(ours, theirs):
        return seen.is_nearly_all
    return has_texts or seen.is_likely


def _numbers_differ(ours: str, theirs: str) -> bool:
    numbers = number_in(ours), number_in(theirs)
    return None not in numbers and numbers[0] != numbers[1]


def _join(
    found: ResolvedAccount, candidate: _Candidate, earlier: Sequence[ResolvedAccount | None]
) -> ResolvedAccount:
    """The account that the person means, which learns by what else it is known."""
    joined = candidate.other
    if joined is None:
        same = (each for each in earlier if each and each.no == candidate.row["no"])
        joined = next(same, None) or ResolvedAccount.of_existing(found.staged, candidate.row)
    account = found.staged.account
    joined.learned.add(found.external_id if account.id is None else account.id)
    if account.id is None and account.number is None:
        joined.learned_headers |= found.staged.headers
    # What the kind of an account is that no file says is only asked or concluded later.
    kind = joined.staged.account.kind if joined.new else joined.kind
    if joined.new:
        joined.take_from(found)
    if kind is not None and account.kind not in (None, kind):
        note = (
            f"{joined.name} is an account of the kind {kind} here, and {account.kind} in this"
            f" file. `finplan accounts set {quote(joined.name)} --kind` changes it."
        )
        joined.notes += (note,)
    return joined


def _question(found: ResolvedAccount, candidates: Sequence[_Candidate]) -> Question:
    where = candidates[0].label if len(candidates) == 1 else f"{len(candidates)} accounts"
    text = (
        f"{found.name} has mostly the same rows as {where} on the days that both cover. Is it the same"
        " account? Counted as two accounts, the same money would count twice."
    )
    choices = (
        *(each.choice for each in candidates),
        Choice(ANOTHER_ACCOUNT, f"another account, {found.name}"),
    )
    return Question("same_account", text, choices)


def _doubt(found: ResolvedAccount, others: _Others) -> Iterator[str]:
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


def _sample(seen: Repetition) -> str:
    """What was counted, as a person reads it."""
    if not seen.ours:
        return ""
    since, until = date_of(seen.since), date_of(seen.until)
    first = f"{since:%-d %b}" if since.year == until.year else f"{since:%-d %b %Y}"
    days = f"on {until:%-d %b %Y}" if since == until else f"from {first} to {until:%-d %b %Y}"
    text = f"{seen.shared} of {seen.ours} rows {days} are the same"
    return f"{text}, {seen.near} of them on days a little apart" if seen.near else text
