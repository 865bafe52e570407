"""Matching: which rows in the store are two legs of one transfer; a person's verdict goes first.

A confirmed pair is joined whenever both its rows are there, and a rejected one never is. Whether rows
count is decided afresh whenever accounts or pairs change.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.plan.ledger.classes import counts_in_totals, nature_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.currencies import within_rate_of_another
from finplan.plan.pairing.evidence import may_lose_fee, says_transfer
from finplan.plan.pairing.scoring import Leg
from finplan.plan.pairing.transfers import (
    LoanPayment,
    Pair,
    find_pairs,
    mark_loan_payments,
    within_fee_of_another,
)
from finplan.plan.pairing.twins import PayeePair
from finplan.service.derived.household import catalogue_of, household_settings, ledger_accounts
from finplan.service.ids import derived_id
from finplan.store.queries import (
    accounts,
    categories as rules,
    payees,
    people,
    single_words,
    transfers,
    verdicts,
)
from finplan.store.queries.single_words import NO_WORD, RowWord


def recount_abroad(connection: Connection, owner: int) -> list[int]:
    """Decide afresh whether money paid to own accounts in other currencies is saving or spending.

    It is saving where such an account kept at least half of what came in within a year, or is an
    investment. Answers the outgoing rows of the pairs that are something else than before.
    """
    owned = ledger_accounts(connection, owner)
    currency = household_settings(people.get_person(connection, owner)).currency
    if all(account.currency == currency for account in owned.values()):
        return []
    pairs = transfers.crossings(connection, owner, currency)
    abroad = {pair.abroad for pair in pairs}
    spent = {number for number in abroad if _is_spent(connection, number, owned[number])}
    changed = [pair for pair in pairs if pair.spends != (pair.abroad in spent)]
    for spends in (True, False):
        numbers = [pair.no for pair in changed if pair.spends != spends]
        transfers.set_spending(connection, numbers, spends=spends)
    for number in sorted({pair.home for pair in changed}):
        accounts.set_counting(connection, number, counted=counts_in_totals(owned[number], currency))
    return [pair.out for pair in changed]


def _is_spent(connection: Connection, number: int, account: LedgerAccount) -> bool:
    """Whether an account spends more than half of what comes in."""
    if nature_of(account) != "cash":
        return False
    came, stayed = transfers.came_and_stayed(connection, number)
    return 2 * stayed < came


def recount_accounts(connection: Connection, owner: int, only: int | None = None) -> None:
    """Decide afresh for every account, or for only one, whether its rows count."""
    recount_abroad(connection, owner)
    currency = household_settings(people.get_person(connection, owner)).currency
    for no, account in ledger_accounts(connection, owner).items():
        if only in (None, no):
            accounts.set_counting(connection, no, counted=counts_in_totals(account, currency))


_UNEQUAL = transfers.UnequalTests(
    may_lose_fee, says_transfer, within_fee_of_another, within_rate_of_another
)

RowPair = tuple[int, int]
"""The numbers of an outgoing and of an incoming row."""


def match_new_rows(
    connection: Connection, owner: int, since_no: int, unpaired: Iterable[int] = ()
) -> list[int]:
    """Match the rows above a number, and rows left unpaired; answers the numbers of their payees."""
    candidates = transfers.new_candidates(connection, owner, since_no, _UNEQUAL)
    candidates += transfers.candidates_of_rows(connection, owner, unpaired, _UNEQUAL)
    return _match(connection, owner, candidates)


def match_account(connection: Connection, owner: int, account: int) -> list[int]:
    """Find the pairs of one account's rows again, since what they are depends on its kind.

    Answers the payees of the rows that were or are paired with them; of the others the caller sees to it
    that they are judged by the rows that count now.
    """
    parted = transfers.rows_of_account(connection, account)
    unpaired = transfers.unpair(connection, parted)
    recount_accounts(connection, owner, None if unpaired else account)
    candidates = transfers.candidates_of_account(connection, owner, account, _UNEQUAL)
    candidates += transfers.candidates_of_rows(connection, owner, unpaired, _UNEQUAL)
    paired = _match(connection, owner, candidates)
    return [*payees.payees_of_rows(connection, [*parted, *unpaired]), *paired]


def match_rows(connection: Connection, owner: int, rows: Iterable[int]) -> list[int]:
    """Match some rows that are in no pair; answers the numbers of the payees of those matched."""
    candidates = transfers.candidates_of_rows(connection, owner, rows, _UNEQUAL)
    return _match(connection, owner, candidates)


def unpair_rows(connection: Connection, owner: int, rows: Sequence[int]) -> list[int]:
    """Undo the pairs that some rows are in; answers the rows on the other side, which count again."""
    staying = transfers.unpair(connection, rows)
    if staying:
        recount_accounts(connection, owner)
    return staying


def transfer_id(out: verdicts.RowIdentity, into: verdicts.RowIdentity) -> str:
    """The id of a pair, the same whenever these rows are one."""
    return derived_id("trf", *out, *into)


class PayeeCategories(NamedTuple):
    """The categories of payees' money, by the payees' numbers: out and in, and of exact amounts.

    `filed` says which of it, `out` and `in`, the person filed.
    """

    by_payee: Mapping[int, tuple[str, str]]
    by_amount: Mapping[int, Mapping[int, str]]
    filed: Mapping[int, frozenset[str]]


def payee_categories(connection: Connection, owner: int) -> PayeeCategories:
    """The categories of all payees of a person."""
    return PayeeCategories(
        payees.categories_of(connection, owner),
        rules.amount_rules(connection, owner),
        rules.filed_directions(connection, owner),
    )


def leg_of(
    row: transfers.CandidateRow, categories: PayeeCategories, note: RowWord = NO_WORD
) -> Leg:
    """A stored row as a leg that the plan scores, filed as its payee or by the person's word on it."""
    of_amount = categories.by_amount.get(row.payee, {}).get(-row.amount)
    direction = "out" if row.amount < 0 else "in"
    own = note.category or of_amount
    return Leg(
        row.no,
        row.account,
        row.day,
        row.amount,
        row.raw,
        own or categories.by_payee[row.payee][row.amount > 0],
        row.payee,
        own is not None or direction in categories.filed.get(row.payee, ()),
    )


def keeps_from_pairs(note: RowWord, catalogue: Catalogue) -> bool:
    """Whether the person's word on a row says that it is no leg of a transfer.

    A split row is several things, and what is spent or earned is no movement between own accounts.
    """
    if note.category is None:
        return bool(note.parts)
    undecided = note.category in ("uncategorized", "unknown_inflow")
    return not undecided and catalogue.flow(note.category) in ("spending", "income", "reimbursable")


def free_legs(
    connection: Connection, owner: int, rows: Iterable[transfers.CandidateRow]
) -> list[Leg]:
    """Stored rows as legs that the plan scores, without those that a word keeps from pairs.

    Rows of an account that the person hid as another one seen twice are left out too.
    """
    catalogue = catalogue_of(connection, owner)
    categories = payee_categories(connection, owner)
    notes = single_words.words_on_posted(connection, owner)
    owned = ledger_accounts(connection, owner)
    return [
        leg_of(row, categories, notes.get(row.no, NO_WORD))
        for row in rows
        if not owned[row.account].duplicate
        and not keeps_from_pairs(notes.get(row.no, NO_WORD), catalogue)
    ]


def made_pairs(connection: Connection, owner: int) -> dict[PayeePair, int]:
    """How many pairs two payees have at one amount."""
    return {
        PayeePair(out, into, amount_out, amount_in): count
        for out, into, amount_out, amount_in, count in transfers.made_pairs(connection, owner)
    }


def list_decided_pairs(
    decided: Iterable[verdicts.SavedTransferVerdict], verdict: Literal["confirm", "reject"]
) -> dict[str, RowPair]:
    """The rows of the pairs of which the person said so, by id, where both rows are there."""
    return {
        saved.id: (saved.out, saved.into)
        for saved in decided
        if saved.verdict == verdict and saved.out is not None and saved.into is not None
    }


def _match(
    connection: Connection, owner: int, candidates: Iterable[transfers.CandidateRow]
) -> list[int]:
    decided = verdicts.transfer_verdicts(connection, owner)
    joined, unpaired = _join_confirmed(connection, owner, decided)
    rows = {row.no: row for row in candidates}
    freed = transfers.candidates_of_rows(connection, owner, unpaired, _UNEQUAL)
    rows |= {row.no: row for row in freed}
    for number in joined:
        rows.pop(number, None)
    if rows:
        pairs = find_pairs(
            free_legs(connection, owner, rows.values()),
            ledger_accounts(connection, owner),
            rejected=set(list_decided_pairs(decided, "reject").values()),
            earlier=_earlier_payments(connection, owner),
            catalogue=catalogue_of(connection, owner),
            pairs_made=made_pairs(connection, owner),
        )
        _save(connection, owner, pairs)
        joined |= {number for pair in pairs for number in (pair.out, pair.into)}
    joined |= set(recount_abroad(connection, owner))
    changed = {*joined, *unpaired}
    return payees.payees_of_rows(connection, changed) if changed else []


def _join_confirmed(
    connection: Connection, owner: int, decided: Sequence[verdicts.SavedTransferVerdict]
) -> tuple[set[int], list[int]]:
    """Join the confirmed pairs that are not; answers their rows, and those parted from them."""
    missing = {
        pair: public_id
        for public_id, pair in list_decided_pairs(decided, "confirm").items()
        if not transfers.are_paired(connection, pair)
    }
    if not missing:
        return set(), []
    ends = [number for pair in missing for number in pair]
    unpaired = unpair_rows(connection, owner, ends)
    recount_accounts(connection, owner)
    rows = transfers.rows(connection, ends)
    categories = payee_categories(connection, owner)
    pairs = mark_loan_payments(
        [(leg_of(rows[out], categories), leg_of(rows[into], categories)) for out, into in missing],
        ledger_accounts(connection, owner),
        _earlier_payments(connection, owner),
    )
    _save(connection, owner, pairs, missing)
    return set(ends), unpaired


def _save(
    connection: Connection,
    owner: int,
    pairs: Sequence[Pair],
    known_ids: Mapping[RowPair, str] | None = None,
) -> None:
    """Join pairs; `known_ids` has the ids of those that had one before."""
    ids = known_ids or {}
    was = verdicts.posted_identities(
        connection, [number for pair in pairs for number in (pair.out, pair.into)]
    )
    saved = []
    for pair in pairs:
        ends = pair.out, pair.into
        public_id = ids.get(ends) or transfer_id(was[pair.out], was[pair.into])
        saved.append((public_id, *ends, pair.spends))
    transfers.save_pairs(connection, owner, saved)


def _earlier_payments(connection: Connection, owner: int) -> dict[int, list[LoanPayment]]:
    """The payments of each loan that are paired already."""
    earlier: dict[int, list[LoanPayment]] = {}
    for loan, day, amount, extra in transfers.loan_payments(connection, owner):
        earlier.setdefault(loan, []).append(LoanPayment(day, amount, extra))
    return earlier
