"""Duplicates as the person sees them: what may be one thing seen twice, and the last word on it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

from sqlalchemy import Connection

from finplan.model.detection import (
    Duplicate,
    DuplicateQuery,
    DuplicateSide,
    DuplicateStatus,
    DuplicateVerdict,
)
from finplan.model.errors import Conflict, NotFound
from finplan.plan.ledger.days import ORDINAL, date_of
from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.duplicates import (
    Copy,
    OriginDays,
    PendingCharge,
    RowOrigin,
    days_of_several,
    likely_duplicate_accounts,
    likely_duplicate_rows,
    likely_posted_pending,
)
from finplan.plan.pairing.repetition import DatedAmount
from finplan.service.context import Context
from finplan.service.derived.household import ledger_accounts
from finplan.service.ids import derived_id
from finplan.service.ledger.categorisation import categorise_payees
from finplan.service.ledger.reconciliation import reconcile_after_removal
from finplan.service.ledger.transfer_matching import match_account, recount_accounts
from finplan.service.lookup import check_choices
from finplan.service.verdicts.account_duplicates import (
    duplicate_id,
    imported_twice,
    imports_of_account,
    join,
    keep_apart,
)
from finplan.store.queries import accounts, duplicates as table, people, transfers, verdicts
from finplan.store.queries.duplicates import RelinkedPair, relinked_pairs
from finplan.store.queries.plans import ledger_rows
from finplan.store.queries.verdicts import RowIdentity

Held = Mapping[int, LedgerAccount]
"""A household's accounts by number."""


@dataclass(frozen=True, slots=True)
class SeenSide:
    """An account, and the row on it if the question is about rows; `no` is None for a row set aside."""

    account: int
    no: int | None = None
    day: int | None = None
    amount: int | None = None
    raw: str | None = None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class SeenDuplicate:
    """A duplicate as it stands; `why` is None where its sides tell what makes them look like one.

    `relinked` is whether they are an account under an id that the bank has given anew, and which one.
    """

    id: str
    kind: Literal["accounts", "rows", "pending"]
    status: DuplicateStatus
    kept: SeenSide
    other: SeenSide
    why: str | None = None
    relinked: bool = False


def describe_duplicate(pair: SeenDuplicate, by_no: Held) -> Duplicate:
    """A duplicate as the interface shows it."""
    return Duplicate.of(
        pair,
        currency=by_no[pair.kept.account].currency,
        kept=_drawn_side(pair.kept, by_no, "tx"),
        other=_drawn_side(pair.other, by_no, "pen" if pair.kind == "pending" else "tx"),
        why=pair.why or _why_one(pair, by_no),
    )


def _drawn_side(side: SeenSide, by_no: Held, prefix: str) -> DuplicateSide:
    account = by_no[side.account]
    return DuplicateSide.of(
        side,
        account_id=account.id,
        account_name=account.name,
        institution_name=account.institution,
        counted=side.counted and not account.hidden,
        transaction_id=None if side.no is None else f"{prefix}_{side.no}",
        date=None if side.day is None else date_of(side.day),
    )


def _why_one(pair: SeenDuplicate, by_no: Held) -> str:
    """What makes them look like one, in a sentence."""
    first, second = by_no[pair.kept.account], by_no[pair.other.account]
    if pair.relinked:
        return (
            f"{first.institution} gave its accounts new ids and no longer lists {first.name}. Is "
            f"that account now {second.name}? If so, finplan merges the two permanently, with all "
            "transactions and your changes. Until you decide, the new account is excluded from"
            " totals."
        )
    if pair.kind == "accounts":
        if first.mask is None or first.mask != second.mask:
            return "Both have the same transactions."
        return (
            f"Both are {first.institution} accounts ending in {first.mask}, from two connections,"
            " with the same transactions."
        )
    assert pair.kept.day is not None
    assert pair.other.day is not None
    days = abs(ORDINAL[pair.kept.day] - ORDINAL[pair.other.day])
    apart = "on the same day" if not days else f"{days} day{'s' if days > 1 else ''} apart"
    if pair.kind == "pending":
        when = apart.replace("apart", "later")
        size = (
            "for the same amount"
            if pair.kept.amount == pair.other.amount
            else "for a slightly larger amount"
        )
        return (
            f"A charge by this payee was posted {when} {size}, while this charge is still pending."
        )
    return f"The same amount {apart}, from two sources that both cover this time."


async def list_duplicates(context: Context, query: DuplicateQuery) -> tuple[Duplicate, ...]:
    """What may be one thing seen twice, accounts first, then rows, the newest first."""
    check_choices("status", "duplicates", query.status, get_args(DuplicateStatus))
    statuses = query.status or get_args(DuplicateStatus)
    owner = context.caller.owner
    if query.relinked:
        relinked = await context.store.read(lambda c: _listed_relinked(c, owner))
        return relinked if "open" in statuses else ()
    return await context.store.compute(partial(_listed, owner=owner, statuses=statuses), owner)


async def decide_duplicate(context: Context, ask: DuplicateVerdict) -> Duplicate:
    """Say that two are the same, so that one of them is left out, or that they are different.

    Of two rows the other is set aside, however often it is brought again; of two accounts the other
    is hidden. Either comes back when the person changes their mind.
    """
    return await context.commit(lambda c: _decide(c, context, ask), event=True)


def _listed(connection: Connection, owner: int, statuses: Collection[str]) -> tuple[Duplicate, ...]:
    by_no = ledger_accounts(connection, owner)
    listed = [pair for pair in _all(connection, owner, by_no) if pair.status in statuses]
    listed.sort(key=lambda pair: (pair.kind, -(pair.kept.day or 0), pair.id))
    return tuple(describe_duplicate(pair, by_no) for pair in listed)


def _listed_relinked(connection: Connection, owner: int) -> tuple[Duplicate, ...]:
    by_no = ledger_accounts(connection, owner)
    return tuple(describe_duplicate(pair, by_no) for pair in _relinked(connection, owner, by_no))


def _decide(connection: Connection, context: Context, ask: DuplicateVerdict) -> Duplicate:
    owner, now = context.caller.owner, context.milliseconds()
    by_no = ledger_accounts(connection, owner)
    pair = next((pair for pair in _all(connection, owner, by_no) if pair.id == ask.id), None)
    saved = next(
        (saved for saved in table.duplicate_verdicts(connection, owner) if saved.id == ask.id), None
    )
    if pair is None and saved is not None:
        raise Conflict(
            f"The transactions or accounts of duplicate {ask.id!r} are gone, so you cannot answer"
            " it now. Your earlier answer is saved in case they come back."
        )
    if pair is None:
        raise NotFound(f"No duplicate {ask.id!r}. `finplan duplicates` lists the duplicates.")
    if pair.relinked:
        return _decide_relinked(connection, owner, pair, ask.verdict, now)
    if pair.kind == "accounts":
        _decide_accounts(connection, owner, pair, saved, ask.verdict, now)
    else:
        _decide_rows(connection, owner, pair, saved, ask.verdict, now)
    people.raise_generation(connection, owner)
    by_no = ledger_accounts(connection, owner)
    after = {pair.id: pair for pair in _all(connection, owner, by_no)}
    return describe_duplicate(after.get(ask.id, pair), by_no)


def _decide_relinked(
    connection: Connection, owner: int, seen_pair: SeenDuplicate, verdict: str, now: int
) -> Duplicate:
    """Join two accounts, or keep them apart; neither can be taken back, so `auto` changes nothing."""
    by_no = ledger_accounts(connection, owner)
    ids = (by_no[seen_pair.kept.account].id, by_no[seen_pair.other.account].id)
    pair = RelinkedPair(seen_pair.id, *ids)
    if verdict == "auto":
        return describe_duplicate(seen_pair, by_no)
    if verdict == "same":
        join(connection, owner, pair)
        decided = replace(seen_pair, status="same", other=replace(seen_pair.other, counted=False))
    else:
        keep_apart(connection, owner, pair)
        table.save_account_verdict(connection, owner, seen_pair.id, verdict, ids, now)
        decided = replace(seen_pair, status="different")
        by_no = ledger_accounts(connection, owner)
    people.raise_generation(connection, owner)
    return describe_duplicate(decided, by_no)


def _decide_accounts(
    connection: Connection,
    owner: int,
    pair: SeenDuplicate,
    saved: table.SavedDuplicateVerdict | None,
    verdict: str,
    now: int,
) -> None:
    by_no = ledger_accounts(connection, owner)
    if saved is not None:
        table.drop_verdict(connection, saved)
    if verdict != "auto":
        ids = (by_no[pair.kept.account].id, by_no[pair.other.account].id)
        table.save_account_verdict(connection, owner, pair.id, verdict, ids, now)
    was_same = saved is not None and saved.verdict == "same"
    if verdict == "same" or was_same:
        hidden = int(verdict == "same")
        accounts.change_account(connection, pair.other.account, {"hidden": hidden})
    recount_accounts(connection, owner)
    # With one of two equal accounts out of the way, a transfer to the other is told apart again.
    for account in (pair.other.account, pair.kept.account):
        match_account(connection, owner, account)
    categorise_payees(connection, owner, None)


def _decide_rows(
    connection: Connection,
    owner: int,
    pair: SeenDuplicate,
    saved: table.SavedDuplicateVerdict | None,
    verdict: str,
    now: int,
) -> None:
    if saved is not None:
        table.change_verdict(connection, saved.no, verdict, now)
    elif verdict != "auto":
        original, copy = _remembered(connection, pair)
        table.save_row_verdict(connection, owner, pair.id, verdict, original, copy, now)
    reconcile_after_removal(connection, owner, [], [])
    if saved is not None and verdict == "auto":
        table.drop_verdict(connection, saved)


def _remembered(connection: Connection, pair: SeenDuplicate) -> tuple[RowIdentity, RowIdentity]:
    assert pair.kept.no is not None
    assert pair.other.no is not None
    posted = verdicts.posted_identities(connection, [pair.kept.no])
    if pair.kind == "pending":
        others = verdicts.pending_identities(connection, [pair.other.no])
    else:
        others = verdicts.posted_identities(connection, [pair.other.no])
    return posted[pair.kept.no], others[pair.other.no]


def _all(connection: Connection, owner: int, by_no: Held) -> list[SeenDuplicate]:
    """Every duplicate: those that the person has decided on as far as they are there, then new ones."""
    judged = _judged(connection, owner, by_no)
    ids = {pair.id for pair in judged}
    pairs = {
        (pair.kind, frozenset({pair.kept.no, pair.other.no}))
        for pair in judged
        if pair.other.no is not None
    }
    # One more row that is written as one that was judged is no question of its own.
    alike = {(pair.kept.no, *_written(pair.other)) for pair in judged if pair.kind == "pending"}
    relinked = _relinked(connection, owner, by_no)
    ids |= {pair.id for pair in relinked}
    listed = [
        *_accounts(connection, owner, by_no),
        *_rows(connection, owner),
        *_waiting(connection, owner),
    ]
    return [*judged, *relinked] + [
        pair
        for pair in listed
        if pair.id not in ids
        and (pair.kind, frozenset({pair.kept.no, pair.other.no})) not in pairs
        and (pair.kept.no, *_written(pair.other)) not in alike
    ]


def _written(side: SeenSide) -> tuple[int, int | None, int | None, str | None]:
    return side.account, side.day, side.amount, side.raw


def _judged(connection: Connection, owner: int, by_no: Held) -> list[SeenDuplicate]:
    aside = table.rows_set_aside(connection, owner)
    numbers = {account.id: no for no, account in by_no.items()}
    waiting = {row.no: row for row in table.pending_rows(connection, owner)}
    judged = []
    for verdict in table.duplicate_verdicts(connection, owner):
        status: DuplicateStatus = "same" if verdict.verdict == "same" else "different"
        if verdict.accounts is not None:
            if all(account in numbers for account in verdict.accounts):
                original, copy = (SeenSide(numbers[account]) for account in verdict.accounts)
                judged.append(SeenDuplicate(verdict.id, "accounts", status, original, copy))
            continue
        if verdict.kept is None:
            continue
        rows = transfers.rows(connection, [verdict.kept])
        original = _side(rows[verdict.kept])
        if verdict.no in aside:
            account, day, amount, raw, _ = aside[verdict.no]
            copy = SeenSide(account, None, day, amount, raw, counted=False)
        elif verdict.other is None:
            continue
        elif verdict.pending:
            copy = _side(waiting[verdict.other])
        else:
            copy = _side(transfers.rows(connection, [verdict.other])[verdict.other])
        judged.append(
            SeenDuplicate(
                verdict.id, "pending" if verdict.pending else "rows", status, original, copy
            )
        )
    return judged


def _side(row: transfers.CandidateRow) -> SeenSide:
    return SeenSide(row.account, row.no, row.day, row.amount, row.raw)


def _accounts(connection: Connection, owner: int, by_no: Held) -> list[SeenDuplicate]:
    """Accounts that look like one.

    Kept is a bank's rather than a file's, then the one that covers more days, else the older one.
    """
    numbers = {account.id: no for no, account in by_no.items()}
    listed = accounts.list_accounts(connection, owner)
    by_hand = {row["no"] for row in listed if row["provider"] == "manual"}
    doubled = []
    for pair in likely_duplicate_accounts(
        by_no,
        {by_no[no].connection_id for no in by_hand},
        table.different_accounts(connection, owner),
        partial(_moves_on, connection, owner),
    ):
        original, copy = sorted(
            (numbers[account.id] for account in (pair.first, pair.second)),
            key=lambda no: (
                no in by_hand,
                0 if pair.repeated is None else -_days_covered(by_no[no]),
                no,
            ),
        )
        public_id = duplicate_id(pair.first.id, pair.second.id)
        why = None
        if pair.repeated is not None:
            batches = imports_of_account(connection, owner, by_no[copy].id)
            why = imported_twice(by_no[original], by_no[copy], pair.repeated, public_id, batches)
        sides = SeenSide(original), SeenSide(copy)
        doubled.append(SeenDuplicate(public_id, "accounts", "open", *sides, why))
    return doubled


def _relinked(connection: Connection, owner: int, by_no: Held) -> list[SeenDuplicate]:
    """Accounts under new ids, and which each may be: the one that was there is kept."""
    numbers = {account.id: no for no, account in by_no.items()}
    relinked = []
    for pair in relinked_pairs(connection, owner):
        sides = SeenSide(numbers[pair.former]), SeenSide(numbers[pair.listed])
        relinked.append(SeenDuplicate(pair.id, "accounts", "open", *sides, relinked=True))
    return relinked


def _moves_on(
    connection: Connection, owner: int, accounts: Iterable[int]
) -> dict[int, list[DatedAmount]]:
    moves: dict[int, list[DatedAmount]] = {number: [] for number in accounts}
    for _, number, day, amount, _, _ in ledger_rows(connection, owner, list(moves)):
        moves[number].append((day, amount))
    return moves


def _days_covered(account: LedgerAccount) -> int:
    if account.covered_since is None or account.covered_until is None:
        return 0
    return ORDINAL[account.covered_until] - ORDINAL[account.covered_since]


def _rows(connection: Connection, owner: int) -> list[SeenDuplicate]:
    spans: dict[int, dict[RowOrigin, OriginDays]] = {}
    for account, origin, since, until in table.days_of_origins(connection, owner):
        spans.setdefault(account, {})[origin] = since, until
    if not spans:
        return []
    also = table.list_sightings(connection, owner)
    copies = [
        Copy._make((*row, frozenset(also.get(row[0], ()))))
        for account, of_origins in spans.items()
        for since, until in days_of_several(of_origins.values())
        for row in table.rows_of_days(connection, account, since, until)
    ]
    pairs = likely_duplicate_rows(copies, spans)
    was = verdicts.posted_identities(connection, [row.number for pair in pairs for row in pair])
    doubled = []
    for first, second in pairs:
        public_id = derived_id("dup", *was[first.number], *was[second.number])
        doubled.append(SeenDuplicate(public_id, "rows", "open", _copy(first), _copy(second)))
    return doubled


def _waiting(connection: Connection, owner: int) -> list[SeenDuplicate]:
    listed = {row.no: row for row in table.pending_rows(connection, owner)}
    if not listed:
        return []
    oldest = min(row.day for row in listed.values())
    posted = [
        Copy._make((*row, frozenset())) for row in table.posted_since(connection, owner, oldest)
    ]
    charges = [
        PendingCharge(row.no, row.account, row.day, row.amount, row.payee)
        for row in listed.values()
    ]
    pairs = likely_posted_pending(charges, posted)
    was = verdicts.posted_identities(connection, [copy.number for copy, _ in pairs])
    will = verdicts.pending_identities(connection, [row.number for _, row in pairs])
    pending = []
    for copy, row in pairs:
        public_id = derived_id("dup", *was[copy.number], *will[row.number])
        sides = _copy(copy), _side(listed[row.number])
        pending.append(SeenDuplicate(public_id, "pending", "open", *sides))
    return pending


def _copy(copy: Copy) -> SeenSide:
    return SeenSide(copy.account, copy.number, copy.day, copy.amount, copy.raw)
