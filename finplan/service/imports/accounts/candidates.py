"""Account candidates: which accounts a new one of the files may be in truth, and being one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

from finplan.model.question import ANOTHER_ACCOUNT
from finplan.service.ids import BY_NAME
from finplan.service.imports.import_run import ResolvedAccount
from finplan.statements.statement import Choice, Question
from finplan.statements.text.descriptors import quoted


def accounts_of_files(stored: Sequence[Any], currency: str) -> list[Any]:
    """Those of the person's accounts, in one currency, that a file may be of: those of banks, too."""
    return [row for row in stored if row["provider"] != "demo" and row["currency"] == currency]


@dataclass(frozen=True, slots=True)
class AccountCandidate:
    """An account that may be meant: of the store, or one that an earlier file of the import makes.

    `evidence` says what the two have in common, as a person reads it.
    """

    name: str
    label: str
    value: str
    evidence: str
    row: Any = None
    other: ResolvedAccount | None = None

    @classmethod
    def of_stored(cls, row: Any, evidence: str) -> "AccountCandidate":
        """An account of the store, which a person knows by its institution and its name."""
        label = f"{row['institution_name']} {row['name']}"
        return cls(row["name"], label, row["id"], evidence, row=row)

    @classmethod
    def of_staged(cls, other: ResolvedAccount, evidence: str) -> "AccountCandidate":
        """An account of an earlier file, which may be one of the store."""
        if other.existing is not None:
            return cls.of_stored(other.existing, evidence)
        label = f"{other.name}, of another file of this import"
        is_name = other.name.casefold() != ANOTHER_ACCOUNT
        value = other.name if is_name else other.external_id
        return cls(other.name, label, value, evidence, other=other)

    @property
    def answers(self) -> set[str]:
        """What a person may say to mean it; it may have changed its name since it was asked about."""
        learned = () if self.other is None else self.other.learned
        names = (self.value, self.name, *(name.removeprefix(BY_NAME) for name in learned))
        return {name.casefold() for name in names} - {ANOTHER_ACCOUNT}

    @property
    def choice(self) -> Choice:
        """What the person picks to mean it."""
        return Choice(self.value, f"the same account, {self.label}", self.evidence)


def same_account_question(text: str, name: str, candidates: Sequence[AccountCandidate]) -> Question:
    """The question which of the candidates the account called `name` is, or whether it is another."""
    another = Choice(ANOTHER_ACCOUNT, f"another account, {name}")
    return Question("same_account", text, (*(each.choice for each in candidates), another))


def named(candidates: Sequence[AccountCandidate]) -> str:
    """The only candidate by its name, several by their number."""
    return quoted(candidates[0].name) if len(candidates) == 1 else f"{len(candidates)} accounts"


def join(
    found: ResolvedAccount,
    candidate: AccountCandidate,
    earlier: Sequence[ResolvedAccount | None],
) -> ResolvedAccount:
    """The account that a new one is in truth, which learns by what name or number else it is known."""
    joined = candidate.other
    if joined is None:
        same = (each for each in earlier if each and each.no == candidate.row["no"])
        joined = next(same, None) or ResolvedAccount.of_existing(found.staged, candidate.row)
    account = found.staged.account
    joined.learned.add(found.external_id if account.id is None else account.id)
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


def join_as_said(
    found: ResolvedAccount,
    candidate: AccountCandidate,
    earlier: Sequence[ResolvedAccount | None],
) -> ResolvedAccount:
    """The account that the person says it is, to which files with the same header go from then on."""
    joined = join(found, candidate, earlier)
    account = found.staged.account
    if account.id is None and account.number is None:
        joined.learned_headers |= found.staged.headers
    return joined
