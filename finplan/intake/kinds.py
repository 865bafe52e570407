"""Kind resolution: what kind each new account is, or the question; what a present one seems to be.

What the person or a file says holds, else what its evidence adds up to: a kind is concluded when it has
at least LIKELY points more than every other one. Checking and savings accounts are one kind in this,
since much speaks for both alike; between them the larger number decides. Where it is even, what names
and columns say goes before what single rows do, and checking before savings. An account into which
another one pays exactly what is owed is a card, or savings.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from shlex import quote
from typing import NamedTuple

from finplan.intake.facts import AccountSide, Facts, HeldAccount, RowFacts
from finplan.intake.files import ImportRun, ResolvedAccount, StagedAccount
from finplan.intake.questions import FileQuestion
from finplan.model.account import AccountKind, KindWord, kind_and_subtype
from finplan.model.money import to_text
from finplan.plan.ledger.days import ORDINAL, day_of_ordinal
from finplan.plan.pairing.repetition import DatedAmount
from finplan.statements import kinds
from finplan.statements.statement import Choice, KindClue, Question, StatementAccount
from finplan.statements.text.descriptors import quoted

_TABLE_FORMAT = "CSV"
_JOURNAL_FORMATS = ("hledger", "beancount", "finplan")


KINDS: tuple[KindWord, ...] = ("checking", "savings", "credit", "loan", "investment")
"""The kinds that a person is asked about, in the order of how many accounts are of them."""


class KindFinding(NamedTuple):
    """The kind that is concluded, None where it has to be asked; all kinds, the likeliest first; why.

    `reasons` are the clauses that speak for the likeliest kind, the strongest first.
    """

    kind: KindWord | None
    likeliest: tuple[KindWord, ...]
    reasons: tuple[str, ...]


def conclude(clues: Iterable[KindClue]) -> KindFinding:
    """Weigh all evidence of one account's kind; what is said twice counts once."""
    distinct = sorted(dict.fromkeys(clues), key=lambda clue: -clue.points)
    points = {kind: sum(clue.points for clue in distinct if kind in clue.kinds) for kind in KINDS}
    plain = {
        kind: sum(clue.points for clue in distinct if kind in clue.kinds and not clue.by_direction)
        for kind in kinds.DEPOSITORY
    }
    ranked = tuple(sorted(KINDS, key=lambda kind: (-points[kind], -plain.get(kind, 0))))
    best = ranked[0]
    one_kind = kinds.DEPOSITORY if best in kinds.DEPOSITORY else (best,)
    rivals = [kind for kind in KINDS if kind not in one_kind]
    lead = points[best] - max(points[kind] for kind in rivals)
    reasons = tuple(dict.fromkeys(clue.why for clue in distinct if best in clue.kinds))
    return KindFinding(best if lead >= kinds.LIKELY else None, ranked, reasons)


def clues_of_file(account: StatementAccount, file_name: str, format_: str | None) -> list[KindClue]:
    """What the names of a file and of its account say, and its format."""
    clues = list(kinds.clues_of_names((account.name, PurePath(file_name).stem)))
    if format_ != _TABLE_FORMAT:
        is_declared = (format_ or "").casefold().startswith(_JOURNAL_FORMATS)
        points = kinds.SURE if is_declared else kinds.LIKELY
        clues.append(KindClue(kinds.DEPOSITORY, points, "a file format for bank accounts"))
    return clues


def finding_of(staged: StagedAccount) -> KindFinding:
    """What everything that the files say of an account adds up to."""
    return conclude(staged.kind_clues)


def choose_kind(staged: StagedAccount, kind_word: KindWord) -> tuple[AccountKind, str | None]:
    """The kind and subtype where the person says the kind; a closer subtype of the file stays."""
    kind, subtype = kind_and_subtype(kind_word)
    account = staged.account
    if account.kind == kind and kind_word not in kinds.DEPOSITORY:
        subtype = account.subtype or subtype
    if kind_word == "depository" and subtype is None:
        hint = kinds.guess_kind((account.name, *staged.file_names))
        subtype = "savings" if hint == "savings" else None
    return kind, subtype


def kind_in_file(staged: StagedAccount) -> tuple[AccountKind, str | None]:
    """The kind and subtype that a file says, or that are likeliest where it does not."""
    account = staged.account
    if account.kind is not None:
        own = kind_and_subtype("credit")[1] if account.kind == "credit" else None
        return account.kind, account.subtype or own
    return kind_and_subtype(finding_of(staged).likeliest[0])


_LATEST_PAYMENTS = 60
"""How many of the newest payments are compared: years of a card's, a month of a shop's account."""

DAYS_OF_PAYMENT = 3
"""How far apart a payment may leave one account and come into the other."""

LEAST_PAYMENTS = 2
"""How many payments are no chance, if they are not of one size."""

_ROUND_AMOUNT = 10_00
"""What people move is mostly a multiple of this; what a card bills hardly ever is."""


class Payer(NamedTuple):
    """An account that may pay another one, and how a person knows it."""

    side: AccountSide
    name: str
    currency: str


def payers_of(run: ImportRun, stored: Sequence[HeldAccount]) -> list[Payer]:
    """The accounts that may pay others: bank accounts of the files, and those of the store."""
    with_rows = {local for file in run.staged.files for local in file.accounts}
    own = [
        Payer(AccountSide(local, is_staged=True), account.name, account.currency)
        for local, account in enumerate(run.accounts)
        if account.kind == "depository" and local in with_rows
    ]
    there = [
        Payer(AccountSide(row.no), row.name, row.currency)
        for row in stored
        if row.kind == "depository" and not row.hidden
    ]
    return own + there


def clues_of_payers(
    rows: RowFacts, side: AccountSide, payers: Iterable[Payer]
) -> Iterator[KindClue]:
    """What it says of an account's kind that most of what came in last left another one just then.

    Amounts that are no round sums are what a card billed, if more is spent from it than comes in. Where
    nothing is spent, the money was put aside.
    """
    payments = pays_exactly(rows, side, payers)
    if payments is None:
        return
    payer, amounts, received = payments
    spent = rows.count_spent(side)
    if not spent:
        why = f"{payer} pays into it, and nothing is spent from it"
        yield KindClue(("savings",), kinds.LIKELY, why, by_direction=True)
    elif spent > received and 2 * sum(size % _ROUND_AMOUNT != 0 for size in amounts) > len(amounts):
        why = f"{payer} paid the same amounts into it"
        yield KindClue(("credit",), kinds.LIKELY, why, by_direction=True)


def pays_exactly(
    rows: RowFacts, side: AccountSide, payers: Iterable[Payer]
) -> tuple[str, list[int], int] | None:
    """The name of a payer of most of what came in last, the amounts it paid, and how many came in.

    An amount is paid when it left the payer up to three days before or after it came in; at least two
    have to be, and of more than one size.
    """
    received = rows.received(side, _LATEST_PAYMENTS)
    if len(received) < LEAST_PAYMENTS:
        return None
    since = day_of_ordinal(ORDINAL[received[-1][0]] - DAYS_OF_PAYMENT)
    until = day_of_ordinal(ORDINAL[received[0][0]] + DAYS_OF_PAYMENT)
    sizes = [amount for _, amount in received]
    for payer in payers:
        unmatched = rows.paid(payer.side, sizes, since, until)
        paid = [amount for _, amount in match_paid(received, unmatched)]
        if len(set(paid)) >= LEAST_PAYMENTS and 2 * len(paid) > len(received):
            return payer.name, paid, len(received)
    return None


def match_paid(
    received: Sequence[DatedAmount], payments: Sequence[DatedAmount]
) -> list[DatedAmount]:
    """The rows that came in of which each has one of its own that left just then."""
    waiting = list(payments)
    matched = []
    for day, amount in received:
        near = [
            payment
            for payment in waiting
            if payment[1] == amount and abs(ORDINAL[payment[0]] - ORDINAL[day]) <= DAYS_OF_PAYMENT
        ]
        if near:
            waiting.remove(near[0])
            matched.append((day, amount))
    return matched


_LONGEST_TEXT = 30


class _KindWords(NamedTuple):
    """What a kind is called as a choice and in a sentence, what money in means there, and its rows."""

    label: str
    said: str
    means: str
    comes_in: str
    goes_out: str


_WORDS: dict[KindWord, _KindWords] = {
    "checking": _KindWords(
        "Checking",
        "checking",
        "money in may be income",
        "is money in, which may be income",
        "is money out",
    ),
    "savings": _KindWords(
        "Savings", "savings", "money in is saved", "is money saved", "is a withdrawal"
    ),
    "credit": _KindWords(
        "Credit card",
        "a credit card",
        "money in pays the card, so it is not income",
        "pays the card, so it is not income",
        "is a card purchase",
    ),
    "loan": _KindWords(
        "Loan", "a loan", "money in pays off the loan", "is a loan payment", "adds to the loan"
    ),
    "investment": _KindWords(
        "Investment",
        "an investment account",
        "money in is invested",
        "is money invested",
        "is a withdrawal",
    ),
}


def resolve_kinds(run: ImportRun, facts: Facts) -> ImportRun:
    """Set the kind of each new account and note why; ask where nothing says it.

    The person's word holds for all accounts of a file that has one, else for those that say nothing. An
    account that is there keeps its kind; where its rows show another one, that is offered in a note.
    """
    open_files = {
        question.file for question in run.questions if question.question.about == "account"
    }
    unsettled: dict[int, list[_Unsettled]] = {}
    for local, account in enumerate(run.accounts):
        places = [index for index, file in enumerate(run.staged.files) if local in file.accounts]
        if not account.new:
            account.notes += tuple(_not_followed(account, _requested_kind(run, local)))
        if not account.new or not places or not open_files.isdisjoint(places):
            continue
        likeliest = _settle(run, facts, local, account)
        if likeliest is not None:
            doubt = _Unsettled(account, likeliest, not _is_direction_open(run, local))
            unsettled.setdefault(places[0], []).append(doubt)
    for account, offer in _offers(run, facts):
        account.notes = (*account.notes, offer)
    repeated = {
        question.file for question in run.questions if question.question.about == "same_account"
    }
    added = (
        FileQuestion(index, _question_on_kinds(doubt, may_be_there=index in repeated))
        for index, doubt in unsettled.items()
    )
    return replace(run, questions=(*run.questions, *added))


def _not_followed(account: ResolvedAccount, wish: KindWord | None) -> Iterator[str]:
    """The sentence that a kind which the person says of an account that is there does not change it."""
    if wish is not None and kind_and_subtype(wish)[0] != account.kind:
        yield (
            f"`--kind {wish}` only applies to new accounts, and {quoted(account.name)} already"
            f" has another kind. To change the kind: `finplan accounts set {quote(account.name)}"
            f" --kind {wish}`."
        )


class _Unsettled(NamedTuple):
    """An account of no known kind; its rows show a kind where it `has_ways`, said or told, to go."""

    account: ResolvedAccount
    likeliest: Sequence[KindWord]
    has_ways: bool


def _settle(
    run: ImportRun, facts: Facts, local: int, account: ResolvedAccount
) -> Sequence[KindWord] | None:
    """Set an account's kind as said or concluded; else give all kinds, the likeliest first."""
    staged = account.staged
    kind_word = _requested_kind(run, local)
    files = [file for file in run.staged.files if local in file.accounts]
    is_alone = all(len(file.accounts) == 1 for file in files)
    is_open = staged.account.kind is None and finding_of(staged).kind is None
    if kind_word is not None and (is_alone or is_open):
        _take(account, *choose_kind(staged, kind_word))
        return None
    if staged.account.kind is not None:
        _take(account, *kind_in_file(staged))
        return None
    payers = [
        payer
        for payer in payers_of(run, facts.held)
        if payer.side != AccountSide(local, is_staged=True) and payer.currency == account.currency
    ]
    clues = [
        *staged.kind_clues,
        *kinds.clues_of_names((account.name,)),
        *clues_of_payers(facts.rows, AccountSide(local, is_staged=True), payers),
    ]
    if _is_direction_open(run, local):
        # Which way money goes is only assumed so far, and so would be what follows from it.
        clues = [clue for clue in clues if not clue.by_direction]
    finding = conclude(clues)
    _take(account, *kind_and_subtype(finding.likeliest[0]))
    if finding.kind is None:
        return finding.likeliest
    reasons = "; ".join(finding.reasons[:2])
    note = f"{account.name}: treated as {_WORDS[finding.kind].said} ({reasons})."
    account.notes = (*account.notes, note)
    return None


def _take(account: ResolvedAccount, kind: AccountKind, subtype: str | None) -> None:
    account.kind = account.staged.kind = kind
    account.staged.subtype = subtype


def _requested_kind(run: ImportRun, local: int) -> KindWord | None:
    of_account = (
        request.account_kind
        for file, request in zip(run.staged.files, run.said, strict=True)
        if local in file.accounts
    )
    return next((kind_word for kind_word in of_account if kind_word is not None), None)


def _is_direction_open(run: ImportRun, local: int) -> bool:
    return any(
        question.question.about in ("direction", "amount_column")
        and local in run.staged.files[question.file].accounts
        for question in run.questions
    )


def _question_on_kinds(unsettled: Sequence[_Unsettled], *, may_be_there: bool) -> Question:
    """Ask of a file once, also where it has several accounts of no known kind.

    Where an account may be one that is there already, which has its kind, the question says so.
    """
    account, likeliest, has_ways = unsettled[0]
    names = [f"“{doubt.account.name}”" for doubt in unsettled]
    if len(names) > 1:
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        meant = "all new accounts" if may_be_there else "all"
        text = (
            f"What kind of accounts are {listed}? Your answer applies to {meant}. You can change"
            " an account's kind later: `finplan accounts set NAME --kind`."
        )
    elif may_be_there:
        text = f"If “{account.name}” is a new account, what kind of account is it?"
    else:
        text = f"What kind of account is “{account.name}”?"
    choices = []
    for kind in likeliest:
        sample = _sample(account, kind) if has_ways else _WORDS[kind].means
        choices.append(Choice(kind, _WORDS[kind].label, sample))
    return Question("account_kind", text, tuple(choices))


def _sample(account: ResolvedAccount, kind: KindWord) -> str:
    """A row of the account, in the words of what it would be then, and what money in would mean."""
    wording = _WORDS[kind]
    if account.staged.example is None:
        return wording.means
    amount, text = account.staged.example
    row = f"{to_text(abs(amount), account.currency)} {quoted(text, _LONGEST_TEXT)}"
    return (
        f"{row} {wording.comes_in}" if amount > 0 else f"{row} {wording.goes_out}; {wording.means}"
    )


def _offers(run: ImportRun, facts: Facts) -> Iterator[tuple[ResolvedAccount, str]]:
    """Each account of the files that pays a present one as one pays a card, and the offer to say so."""
    staged = [payer for payer in payers_of(run, facts.held) if payer.side.is_staged]
    for row in facts.held:
        if row.provider != "manual" or row.kind != "depository" or row.hidden:
            continue
        side = AccountSide(row.no)
        for payer in (candidate for candidate in staged if candidate.currency == row.currency):
            account = run.accounts[payer.side.number]
            if account.no == row.no or "kind" in row.kept:
                continue
            clues = clues_of_payers(facts.rows, side, [payer])
            if any(clue.kinds == ("credit",) for clue in clues):
                name = quote(row.name)
                offer = (
                    f"{account.name} paid exactly the amounts that came into {row.name}, as if it"
                    f" paid a credit card. If {row.name} is a credit card: `finplan accounts set"
                    f" {name} --kind credit`."
                )
                yield account, offer
