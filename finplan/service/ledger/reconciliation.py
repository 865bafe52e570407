"""Reconciliation: after rows came, went or were spoken of, they are matched and categorised again.

It runs inside the transaction that moved the rows, so that nobody ever sees rows without it. Rows,
payees and accounts are named by the store's numbers.

Rows that are copies of others, by the person's word, are set aside: a copy stays away however often a
bank or a file brings it, and comes back when the row that it is a copy of goes. A row is paired afresh
once a word says what it is for by itself, or says so no more. A word on a pending row goes on to the
row that is posted for it: on the same account, as large, up to a week later, and by the bank's id, the
text or the payee the same. Where none is as large, it goes on to the only one that a tip made larger.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set as AbstractSet

from sqlalchemy import Connection

from finplan.categorise.payee import payee_of
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.duplicates import POSTED_WITHIN
from finplan.service.derived.household import catalogue_of
from finplan.service.ledger import transfer_matching
from finplan.service.ledger.categorisation import Asking, apply_inference, categorise_payees
from finplan.store.queries import (
    categories,
    duplicates,
    payees,
    people,
    single_words,
    transfers,
    verdicts,
)
from finplan.store.queries.single_words import RowWord
from finplan.store.queries.verdicts import PostedLater

LARGEST_TIP = 30
"""By how many hundredths a charge may be larger than it waited, for a tip."""

TIPPED_WITHIN = 3
"""How many days after it waited a charge with a tip is posted."""


def find_rows_of_words(connection: Connection, owner: int) -> None:
    """Let each word hold for the row of today that it is about; of two on one row the newer does."""
    notes = single_words.list_words(connection, owner)
    numbers = {note["row_no"]: note["no"] for note in notes}
    if not numbers:
        return
    posted = verdicts.current_rows(connection, owner)
    waiting = verdicts.current_pending(connection, owner)
    missing = numbers.keys() - posted.keys() - waiting.keys()
    taken = {posted[row] for row in numbers.keys() & posted.keys()}
    later = _posted_since(verdicts.posted_later(connection, owner, missing), taken)
    larger = verdicts.posted_later(connection, owner, missing - later.keys(), larger=True)
    present = {note["row_no"]: note["tx_no"] for note in notes if note["tx_no"] is not None}
    later |= _with_a_tip(larger, {*taken, *later.values()}, present)
    single_words.set_rows(
        connection,
        owner,
        posted={number: {**posted, **later}.get(row) for row, number in numbers.items()},
        pending={number: waiting.get(row) for row, number in numbers.items()},
    )


def _posted_since(candidates: Collection[PostedLater], taken: Collection[int]) -> dict[int, int]:
    """The posted row that each remembered pending one became: the likest, and then the earliest.

    No row is what two became, so that each of two equal charges keeps what was said of it.
    """
    likely = [
        (-_likeness_of_row(row), row.day, row.no, row.was_day, row.was)
        for row in candidates
        if 0 <= ORDINAL[row.day] - ORDINAL[row.was_day] <= POSTED_WITHIN and _likeness_of_row(row)
    ]
    became: dict[int, int] = {}
    free = {no for _, _, no, _, _ in likely}.difference(taken)
    for _, _, no, _, was in sorted(likely):
        if no in free and was not in became:
            became[was] = no
            free.remove(no)
    return became


def _with_a_tip(
    candidates: Collection[PostedLater], taken: Collection[int], present: Mapping[int, int]
) -> dict[int, int]:
    """The larger row that each remembered pending one became: one that no other may be, nor it another.

    `present` are the rows that words are on already, where they stay.
    """
    became: dict[int, list[int]] = {}
    for later in candidates:
        days = ORDINAL[later.day] - ORDINAL[later.was_day]
        tip = 100 * abs(later.amount) <= (100 + LARGEST_TIP) * abs(later.was_amount)
        if tip and _likeness_of_row(later) and 0 <= days <= TIPPED_WITHIN and later.no not in taken:
            became.setdefault(later.was, []).append(later.no)
    for was, rows in became.items():
        became[was] = [present[was]] if present.get(was) in rows else rows
    claims = Counter(row for rows in became.values() for row in rows)
    return {was: rows[0] for was, rows in became.items() if len(rows) == 1 and claims[rows[0]] == 1}


def _likeness_of_row(row: PostedLater) -> int:
    """How surely a posted row is the one that was pending; 0 where nothing but its size says so."""
    if row.by_banks_id:
        return 3
    if row.raw == row.was_raw:
        return 2
    return int(payee_of(row.raw, None).key == payee_of(row.was_raw, None).key)


def apply_duplicate_verdicts(connection: Connection, owner: int) -> list[int]:
    """Apply every verdict on rows; answers the numbers of the posted rows that have to be matched."""
    decided = [
        saved for saved in duplicates.duplicate_verdicts(connection, owner) if not saved.accounts
    ]
    if not decided:
        return []
    aside = duplicates.rows_set_aside(connection, owner)
    changed: list[int] = []
    for saved in decided:
        if saved.verdict == "same" and saved.kept is not None:
            changed += _set_aside(connection, owner, saved)
        elif saved.no in aside:
            back = duplicates.restore_row(connection, saved.no)
            changed += [] if back is None else [back]
    if changed:
        transfer_matching.recount_accounts(connection, owner)
    return changed


def _set_aside(
    connection: Connection, owner: int, verdict: duplicates.SavedDuplicateVerdict
) -> list[int]:
    if verdict.other is None or (verdict.other == verdict.kept and not verdict.pending):
        return []
    if verdict.pending:
        duplicates.set_pending_aside(connection, verdict.no, verdict.other)
        return []
    unpaired = transfer_matching.unpair_rows(connection, owner, [verdict.other])
    duplicates.set_row_aside(connection, verdict.no, verdict.other)
    return unpaired


TRANSFER = "transfer"
"""The category of money between own accounts."""


def heed_word(
    connection: Connection, owner: int, row: int, before: RowWord, after: RowWord
) -> bool:
    """Let the pairs of a posted row follow from the word on it; answers whether any may have changed."""
    catalogue = catalogue_of(connection, owner)
    keeps = transfer_matching.keeps_from_pairs(after, catalogue)
    is_moved = TRANSFER in (before.category, after.category) and before.category != after.category
    if keeps == transfer_matching.keeps_from_pairs(before, catalogue) and not is_moved:
        return False
    return _match_afresh(connection, owner, row, keeps=keeps)


def unfile_row(connection: Connection, owner: int, number: int) -> None:
    """Leave the row of a word, by the word's number, to rules and to its pair again; remarks stay."""
    row, note = single_words.find_word(connection, number)
    single_words.unfile(connection, number)
    if row is not None and heed_word(connection, owner, row, note, note.remarks):
        people.raise_generation(connection, owner)


def heed_rule(connection: Connection, owner: int, payee: int, categories: Iterable[str]) -> bool:
    """Let the pairs of a payee follow from a rule that came or went; answers whether any may have.

    `categories` are those that the rule names and named. What the person puts between own accounts is
    paired with its other halves, whatever their age, and parted from them once it is not.
    """
    if TRANSFER not in categories:
        return False
    rows = transfers.rows_of_payee(connection, owner, payee)
    decided = verdicts.transfer_verdicts(connection, owner)
    confirms = [verdict for verdict in decided if verdict.verdict == "confirm"]
    confirmed = {row for verdict in confirms for row in (verdict.out, verdict.into)}
    loose = [row for row in rows if row not in confirmed]
    parted = transfer_matching.unpair_rows(connection, owner, loose)
    transfer_matching.recount_accounts(connection, owner)
    touched = [payee, *payees.payees_of_rows(connection, parted)]
    categorise_payees(connection, owner, touched)
    paired = transfer_matching.match_rows(connection, owner, [*loose, *parted])
    categorise_payees(connection, owner, paired)
    people.raise_generation(connection, owner)
    return True


def kept_apart(connection: Connection, owner: int) -> frozenset[int]:
    """The posted rows that the person's words keep from pairs."""
    catalogue = catalogue_of(connection, owner)
    notes = single_words.words_on_posted(connection, owner)
    return frozenset(
        row for row, note in notes.items() if transfer_matching.keeps_from_pairs(note, catalogue)
    )


def heed_categories(connection: Connection, owner: int, kept_before: AbstractSet[int]) -> None:
    """Match the rows afresh that words keep from pairs now and did not before, or the reverse."""
    kept_now = kept_apart(connection, owner)
    for row in sorted(kept_before ^ kept_now):
        if _match_afresh(connection, owner, row, keeps=row in kept_now):
            people.raise_generation(connection, owner)


def _match_afresh(connection: Connection, owner: int, row: int, *, keeps: bool) -> bool:
    """Match a row and all that are as large the other way, whatever was before.

    Where a word `keeps` it from pairs, there may be nothing to match.
    """
    rows = [row, *transfers.opposites(connection, owner, row)]
    if keeps and len(rows) == 1 and not transfers.is_paired(connection, row):
        return False
    pair_afresh(connection, owner, rows)
    return True


def pair_afresh(connection: Connection, owner: int, rows: Sequence[int]) -> None:
    """Part some rows from what they are paired with, and pair all of them by what holds now."""
    loose = [*rows, *transfer_matching.unpair_rows(connection, owner, rows)]
    # Rows in no pair count by their category, and a payee is categorised by its rows that count.
    transfer_matching.recount_accounts(connection, owner)
    categorise_payees(connection, owner, payees.payees_of_rows(connection, loose))
    categorise_payees(connection, owner, transfer_matching.match_rows(connection, owner, loose))


def reconcile_added_rows(
    connection: Connection,
    owner: int,
    since_no: int,
    touched: Sequence[int] | None,
    unpaired: Sequence[int] = (),
    *,
    ask: Asking | None = None,
) -> None:
    """Reconcile the rows above a number, which name the `touched` payees; None means all payees.

    `unpaired` are rows whose other leg was removed: they may match another one. The shipped data are
    asked by `ask`, else where the store has it fit.
    """
    unpaired = [*unpaired, *apply_duplicate_verdicts(connection, owner)]
    find_rows_of_words(connection, owner)
    if touched is not None and unpaired:
        touched = [*touched, *payees.payees_of_rows(connection, unpaired)]
    apply_inference(connection, owner)
    categorise_payees(connection, owner, touched, ask)
    paired = transfer_matching.match_new_rows(connection, owner, since_no, unpaired)
    # A payee that turns out to be paid into a linked loan is categorised again with that knowledge.
    categorise_payees(connection, owner, paired, ask)
    people.raise_generation(connection, owner)


def reconcile_after_removal(
    connection: Connection,
    owner: int,
    unpaired: Sequence[int],
    touched: Sequence[int],
    *,
    ask: Asking | None = None,
) -> None:
    """Match rows whose other leg was removed, and categorise the `touched` payees and theirs.

    The shipped data are asked by `ask`, else where the store has it fit.
    """
    unpaired = [*unpaired, *apply_duplicate_verdicts(connection, owner)]
    find_rows_of_words(connection, owner)
    payees_alone = payees.payees_of_rows(connection, unpaired)
    categorise_payees(connection, owner, sorted({*touched, *payees_alone}), ask)
    categorise_payees(
        connection, owner, transfer_matching.match_rows(connection, owner, unpaired), ask
    )


def match_left_alone(connection: Connection, owner: int) -> bool:
    """Match every row that is in no pair, and say whether any was; pairs that are made stay.

    What the person said of pairs holds.
    """
    paired = transfer_matching.match_new_rows(connection, owner, 0)
    categorise_payees(connection, owner, paired)
    return bool(paired)


def recount_rows(connection: Connection, owner: int, account: int | None = None) -> None:
    """Decide afresh whether rows count, of one account or of all, and judge payees by those that do."""
    transfer_matching.recount_accounts(connection, owner, account)
    numbers = None if account is None else payees.payees_of_account(connection, account)
    categorise_payees(connection, owner, numbers)
    _learn_anew(connection, owner, numbers or ())


def rematch_account(connection: Connection, owner: int, account: int) -> None:
    """Look for the transfers of one account again, since what they are depends on its kind."""
    numbers = payees.payees_of_account(connection, account)
    before = {flow.payee: flow for flow in payees.flows(connection, owner, numbers)}
    paired = transfer_matching.match_account(connection, owner, account)
    after = {flow.payee: flow for flow in payees.flows(connection, owner, numbers)}
    moved = {no for no in numbers if before.get(no) != after.get(no)}
    touched = sorted({*paired, *moved})
    categorise_payees(connection, owner, touched)
    _learn_anew(connection, owner, touched)


def _learn_anew(connection: Connection, owner: int, touched: Iterable[int]) -> None:
    # Whether money goes to a payee that the person filed says what its name teaches.
    if not categories.filed_payees(connection, owner).keys().isdisjoint(touched):
        people.set_inference_due(connection, owner)
