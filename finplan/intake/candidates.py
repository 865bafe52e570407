"""Account candidates: which accounts a new one of the files may be in truth, and being one of them.

An account number of a file tells which of the accounts that are held it may be; where that is one of
a linked bank, the person is asked, since digits repeat. A file may also hold an account once more: the
same account comes as OFX and as CSV, under another file's name, from another program. Taken for two,
its money counts twice; two accounts taken for one lose rows. So the person is asked.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from shlex import quote

from finplan.intake.evidence import RowComparison, RowEvidence
from finplan.intake.facts import BY_NAME, SUBTYPE, AccountSide, HeldAccount, number_in
from finplan.intake.files import ResolvedAccount
from finplan.intake.questions import OpenQuestion
from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.model.statement import ANOTHER_ACCOUNT
from finplan.plan.ledger.days import date_of
from finplan.plan.pairing.repetition import Repetition
from finplan.statements.statement import Choice, Question, StatementAccount, is_iban
from finplan.statements.text.descriptors import quoted

SHARES_MOST = (
    "They share most transactions. Importing the file as a second account would count these"
    " transactions twice."
)
"""Why a person is asked about a file that repeats an account."""


def accounts_of_files(stored: Sequence[HeldAccount], currency: str) -> list[HeldAccount]:
    """Those of the person's accounts, in one currency, that a file may be of: those of banks, too."""
    return [row for row in stored if row.provider != "demo" and row.currency == currency]


@dataclass(frozen=True, slots=True)
class AccountCandidate:
    """An account that may be meant: of the store, or one that an earlier file of the import makes.

    `evidence` says what the two have in common, as a person reads it.
    """

    name: str
    label: str
    value: str
    evidence: str
    row: HeldAccount | None = None
    other: ResolvedAccount | None = None

    @classmethod
    def of_stored(cls, row: HeldAccount, evidence: str) -> "AccountCandidate":
        """An account of the store, which a person knows by its institution and its name."""
        label = f"{row.institution_name} {row.name}"
        return cls(row.name, label, row.id, evidence, row=row)

    @classmethod
    def of_staged(cls, account: ResolvedAccount, evidence: str) -> "AccountCandidate":
        """An account of an earlier file, which may be one of the store."""
        if account.existing is not None:
            return cls.of_stored(account.existing, evidence)
        label = f"{account.name} (another file of this import)"
        is_name = account.name.casefold() != ANOTHER_ACCOUNT
        value = account.name if is_name else account.external_id
        return cls(account.name, label, value, evidence, other=account)

    @property
    def answers(self) -> set[str]:
        """What a person may say to mean it; it may have changed its name since it was asked about."""
        learned = () if self.other is None else self.other.learned
        names = (self.value, self.name, *(name.removeprefix(BY_NAME) for name in learned))
        return {name.casefold() for name in names} - {ANOTHER_ACCOUNT}

    @property
    def choice(self) -> Choice:
        """What the person picks to mean it."""
        return Choice(self.value, f"Same account: {self.label}", self.evidence)


def find_candidate(
    candidates: Iterable[AccountCandidate], answers: Collection[str]
) -> AccountCandidate | None:
    """The first candidate that the person means, by an account's id or name in small letters."""
    return next(
        (candidate for candidate in candidates if not candidate.answers.isdisjoint(answers)), None
    )


def unused_name(name: str, accounts: Sequence[HeldAccount]) -> str:
    """The name, or it with the first number from 2 on, that no account goes by and none was made by."""
    taken = {account.name.casefold() for account in accounts} | {
        account.external_id.removeprefix(BY_NAME) for account in accounts
    }
    numbered = (f"{name} {number}" for number in count(2))
    return next(free for free in chain([name], numbered) if free.casefold() not in taken)


def same_account_question(text: str, name: str, candidates: Sequence[AccountCandidate]) -> Question:
    """The question which of the candidates the account called `name` is, or whether it is another."""
    another = Choice(ANOTHER_ACCOUNT, f"New account: {name}")
    return Question(
        "same_account", text, (*(candidate.choice for candidate in candidates), another)
    )


def is_it(name: str, candidates: Sequence[AccountCandidate]) -> str:
    """Ask whether the account called `name` is the only candidate, or one of several."""
    if len(candidates) == 1:
        return f"Is {quoted(name)} the same account as {quoted(candidates[0].name)}?"
    return f"Is {quoted(name)} one of these {len(candidates)} accounts?"


def join(
    resolved: ResolvedAccount,
    candidate: AccountCandidate,
    earlier: Sequence[ResolvedAccount | None],
) -> ResolvedAccount:
    """The account that a new one is in truth, which learns by what name or number else it is known."""
    row, joined = candidate.row, candidate.other
    if joined is None:
        assert row is not None
        same = (before for before in earlier if before and before.no == row.no)
        joined = next(same, None) or ResolvedAccount.of_existing(resolved.staged, row)
    account = resolved.staged.account
    joined.learned.add(resolved.external_id if account.id is None else account.id)
    # What the kind of an account is that no file says is only asked or concluded later.
    kind = joined.staged.account.kind if joined.new else joined.kind
    if joined.new:
        joined.take_from(resolved)
    if kind is not None and account.kind not in (None, kind):
        note = (
            f"In finplan, the kind of {joined.name} is {kind}, but in this file it is"
            f" {account.kind}. To change the kind: `finplan accounts set {quote(joined.name)}"
            " --kind`."
        )
        joined.notes += (note,)
    return joined


def join_candidate(
    resolved: ResolvedAccount,
    candidate: AccountCandidate,
    earlier: Sequence[ResolvedAccount | None],
) -> ResolvedAccount:
    """The account that the person says it is, to which files with the same header go from then on."""
    joined = join(resolved, candidate, earlier)
    account = resolved.staged.account
    if account.id is None and account.number is None:
        joined.learned_headers |= resolved.staged.headers
    return joined


_CERTAIN_DIGITS = 8
"""How many digits of a number are hardly those of another account at another institution."""


def match_at_institution(
    account: StatementAccount, manual: list[HeldAccount]
) -> tuple[list[HeldAccount], list[HeldAccount]]:
    """The accounts that a number fits at its institution, and the one that it fits at another.

    A short number, as of a member of a credit union or of a card that shows four digits, may be at two
    institutions; a long one is one account's, however its institution is spelt.
    """
    number = str(account.number)
    _, alike = match_number(number, account.subtype, manual)
    if account.institution is None:
        return alike, []
    for institution in (account.institution, UNNAMED_INSTITUTION):
        there = [row for row in manual if row.institution_name == institution]
        _, fits = match_number(number, account.subtype, there)
        if fits:
            return fits, []
    return (alike, []) if is_long(number) else ([], alike[:1])


def is_long(number: str) -> bool:
    """Say whether a number has so many digits that it is hardly given twice."""
    return sum(map(str.isdigit, number)) >= _CERTAIN_DIGITS


def match_number(
    number: str, subtype: str | None, manual: list[HeldAccount]
) -> tuple[str, list[HeldAccount]]:
    """The external id for a number, and the accounts that it fits.

    Some credit unions give a person's checking and savings one number, so the subtype belongs to it;
    a file that knows the number alone fits every account of that number.
    """
    if subtype is None:
        # A number may itself hold blanks, as where an app names the account; a subtype is lower-case.
        fits = [
            row
            for row in manual
            if row.external_id == number
            or (
                row.external_id.removeprefix(f"{number} ").islower()
                and row.external_id.startswith(f"{number} ")
            )
        ]
        return number, fits or _same_number(manual, number, subtype)
    exact = f"{number} {subtype}"
    fits = [row for row in manual if row.external_id in {exact, number}]
    return exact, (fits or _same_number(manual, number, subtype))[:1]


def _same_number(manual: list[HeldAccount], number: str, subtype: str | None) -> list[HeldAccount]:
    """The accounts whose number is another form of this one."""
    return [row for row in manual if has_number(row.external_id, number, subtype)]


def has_number(external_id: str, number: str, subtype: str | None) -> bool:
    """Say whether an external id has the number in any form, and no other subtype."""
    own_subtype = SUBTYPE.search(external_id)
    own_number = external_id[: own_subtype.start()] if own_subtype else external_id
    return is_same_number(own_number, number) and (
        own_subtype is None or subtype is None or own_subtype[1] == subtype
    )


_BANK_AND_ACCOUNT = {"DE": (8, 10), "AT": (5, 11), "CH": (5, 12), "LI": (5, 12)}
"""Countries whose IBAN is the bank's code and the account's number, filled up with zeros at the left."""

_CHECKED_AS_WHOLE = "PL"
"""The country whose national number begins with the check digits of the IBAN."""

_SEPARATORS_IN_NUMBERS = re.compile(r"[\s./-]+")
_SHORTEST_WHOLE = 12


def is_same_number(first: str, second: str) -> bool:
    """Say whether two numbers are certainly one account's: equal, or one within the other, an IBAN."""
    return first == second or _is_made_of(first, second) or _is_made_of(second, first)


def _is_made_of(iban: str, number: str) -> bool:
    """Say whether the first is an IBAN, and the second the same one or what it is made of."""
    compact = _compact_number(iban)
    if not is_iban(compact):
        return False
    country, national = compact[:2], compact[4:]
    plain = _compact_number(number)
    is_national = plain == national or (country == _CHECKED_AS_WHOLE and plain == compact[2:])
    if plain == compact or (is_national and len(plain) >= _SHORTEST_WHOLE):
        return True
    bank, slash, account = number.replace(" ", "").partition("/")
    if not slash or country not in _BANK_AND_ACCOUNT:
        return False
    bank_length, account_length = _BANK_AND_ACCOUNT[country]
    has_both = len(bank) == bank_length and 0 < len(account) <= account_length
    return has_both and national == bank + account.zfill(account_length)


def _compact_number(number: str) -> str:
    return _SEPARATORS_IN_NUMBERS.sub("", number).upper()


def settle_linked(
    resolved: ResolvedAccount,
    stored: Sequence[HeldAccount],
    earlier: Sequence[ResolvedAccount | None],
    answers: Collection[str],
) -> ResolvedAccount | None:
    """The linked account that a new one is, as the person says; None where none has such a number.

    Raises OpenQuestion where nothing in `answers` tells: an account's id or name in small letters, or
    ANOTHER_ACCOUNT.
    """
    number = "".join(filter(str.isdigit, resolved.staged.account.number or ""))
    candidates = [
        AccountCandidate.of_stored(row, f"number ends in {row.mask}")
        for row in stored
        if row.provider == "aggregator"
        and row.currency == resolved.currency
        and row.mask
        and number.endswith(row.mask)
    ]
    if (meant := find_candidate(candidates, answers)) is not None:
        return join_candidate(resolved, meant, earlier)
    if not candidates or ANOTHER_ACCOUNT in answers:
        return None
    text = f"{is_it(resolved.name, candidates)} Their numbers end in the same digits."
    raise OpenQuestion(same_account_question(text, resolved.name, candidates))


@dataclass(frozen=True, slots=True)
class OtherAccounts:
    """The accounts that one may be, of the store and of other files, and whose texts its rows have.

    Those of other files go by their local numbers.
    """

    stored: Sequence[HeldAccount]
    texts_of_stored: RowEvidence
    staged: Mapping[int, ResolvedAccount]
    texts_of_staged: RowEvidence

    @classmethod
    def compared(
        cls,
        resolved: ResolvedAccount,
        rows: RowComparison,
        stored: Sequence[HeldAccount],
        earlier: Sequence[ResolvedAccount | None],
    ) -> "OtherAccounts":
        """The accounts in the currency of a new one, with its rows compared."""
        manual = accounts_of_files(stored, resolved.currency)
        staged = {
            index: account
            for index, account in enumerate(earlier)
            if account is not None and account.currency == resolved.currency
        }
        return cls(manual, rows.match_stored(manual), staged, rows.match_staged(staged))


def settle_repeated(
    resolved: ResolvedAccount,
    rows: RowComparison,
    others: OtherAccounts,
    earlier: Sequence[ResolvedAccount | None],
    answers: Collection[str],
) -> ResolvedAccount | None:
    """The account that a new one is in truth, as the person says; None where its rows are its own.

    `earlier` are the accounts of other files before it, by local number, None where they are of the same
    file or not known yet. Raises OpenQuestion where its rows are those of another account and nothing
    in `answers` tells which it is: an account's id or name in small letters, or ANOTHER_ACCOUNT.
    """
    likely = sorted(_repeated_candidates(resolved, rows, others), key=lambda pair: -pair[0].shared)
    candidates = [candidate for _, candidate in likely]
    if (meant := find_candidate(candidates, answers)) is not None:
        return join_candidate(resolved, meant, earlier)
    if not candidates:
        return None
    if ANOTHER_ACCOUNT in answers:
        return resolved
    text = f"{is_it(resolved.name, candidates)} {SHARES_MOST}"
    raise OpenQuestion(same_account_question(text, resolved.name, candidates))


def doubts_on(resolved: ResolvedAccount, others: OtherAccounts) -> Iterator[str]:
    """What a file that names no account has in common with one that it is hardly."""
    if resolved.staged.account.number is not None or resolved.staged.is_exported:
        return
    perhaps = others.texts_of_stored.perhaps
    names = [row.name for row in others.stored if row.no in perhaps]
    names += [others.staged[index].name for index in others.texts_of_staged.perhaps]
    for name in names[:1]:
        yield (
            "The file does not say which account it belongs to, so finplan creates a new account."
            f" Some of the file's transactions are in {name}. If the file belongs to that account,"
            f" add `--account {quote(name)}`."
        )


def _repeated_candidates(
    resolved: ResolvedAccount, rows: RowComparison, others: OtherAccounts
) -> Iterator[tuple[Repetition, AccountCandidate]]:
    listed = set()
    for row in others.stored:
        repetition = rows.repetition(AccountSide(row.no))
        has_texts = row.no in others.texts_of_stored.most
        if _is_likely(resolved.external_id, row.external_id, repetition, has_texts=has_texts):
            listed.add(row.no)
            yield repetition, AccountCandidate.of_stored(row, _sample_of_repeated(repetition))
    for index, account in others.staged.items():
        key = account.no or id(account)
        if key in listed:
            continue
        repetition = rows.repetition(AccountSide(index, is_staged=True))
        has_texts = index in others.texts_of_staged.most
        if _is_likely(resolved.external_id, account.external_id, repetition, has_texts=has_texts):
            listed.add(key)
            yield repetition, AccountCandidate.of_staged(account, _sample_of_repeated(repetition))


def _is_likely(ours: str, theirs: str, repetition: Repetition, *, has_texts: bool) -> bool:
    if _numbers_differ(ours, theirs):
        return repetition.is_nearly_all
    return has_texts or repetition.is_likely


def _numbers_differ(ours: str, theirs: str) -> bool:
    numbers = number_in(ours), number_in(theirs)
    return None not in numbers and numbers[0] != numbers[1]


def _sample_of_repeated(repetition: Repetition) -> str:
    """What was counted, as a person reads it."""
    if not repetition.ours:
        return ""
    since, until = date_of(repetition.since), date_of(repetition.until)
    first = f"{since:%-d %b}" if since.year == until.year else f"{since:%-d %b %Y}"
    days = f"on {until:%-d %b %Y}" if since == until else f"from {first} to {until:%-d %b %Y}"
    text = f"{repetition.shared} of {repetition.ours} transactions {days} are the same"
    if not repetition.near:
        return text
    are = "is" if repetition.near == 1 else "are"
    return f"{text}; {repetition.near} of them {are} up to three days apart"
