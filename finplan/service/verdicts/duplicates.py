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
from finplan.service.lookup import must_be_known
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


def drawn(seen: SeenDuplicate, held: Held) -> Duplicate:
    """A duplicate as the interface shows it."""
    return Duplicate.of(
        seen,
        currency=held[seen.kept.account].currency,
        kept=_drawn_side(seen.kept, held, "tx"),
        other=_drawn_side(seen.other, held, "pen" if seen.kind == "pending" else "tx"),
        why=seen.why or _why_one(seen, held),
    )


def _drawn_side(side: SeenSide, held: Held, prefix: str) -> DuplicateSide:
    account = held[side.account]
    return DuplicateSide.of(
        side,
        account_id=account.id,
        account_name=account.name,
        institution_name=account.institution,
        counted=side.counted and not account.hidden,
        transaction_id=None if side.no is None else f"{prefix}_{side.no}",
        date=None if side.day is None else date_of(side.day),
    )


def _why_one(seen: SeenDuplicate, held: Held) -> str:
    """What makes them look like one, in a sentence."""
    kept, other = held[seen.kept.account], held[seen.other.account]
    if seen.relinked:
        return (
            f"{kept.institution} gave its accounts new ids, and does not list {kept.name} as it was any"
            f" more: is it {other.name} now? If so, they become one account for good, with all rows and"
            " words. Until you say, the new one is in no total."
        )
    if seen.kind == "accounts":
        if kept.mask is None or kept.mask != other.mask:
            return "The same rows came to both."
        return (
            f"Both are {kept.institution} ending in {kept.mask}, from two connections, with the same"
            " transactions."
        )
    assert seen.kept.day is not None
    assert seen.other.day is not None
    days = abs(ORDINAL[seen.kept.day] - ORDINAL[seen.other.day])
    apart = "on the same day" if not days else f"{days} day{'s' if days > 1 else ''} apart"
    if seen.kind == "pending":
        when = apart.replace("apart", "later")
        size = "as large" if seen.kept.amount == seen.other.amount else "a little larger"
        return f"A charge of this payee was posted {when}, {size}, and this one is pending still."
    return f"The same amount {apart}, once from each of two sources that cover both days."


async def list_duplicates(context: Context, query: DuplicateQuery) -> tuple[Duplicate, ...]:
    """What may be one thing seen twice, accounts first, then rows, the newest first."""
    must_be_known("status", "duplicates", query.status, get_args(DuplicateStatus))
    wanted = query.status or get_args(DuplicateStatus)
    owner = context.caller.owner
    if query.relinked:
        found = await context.store.read(lambda c: _listed_relinked(c, owner))
        return found if "open" in wanted else ()
    return await context.store.compute(partial(_listed, owner=owner, wanted=wanted), owner)


async def decide_duplicate(context: Context, ask: DuplicateVerdict) -> Duplicate:
    """Say that two are the same, so that one of them is left out, or that they are different.

    Of two rows the other is set aside, however often it is brought again; of two accounts the other
    is hidden. Either comes back when the person changes their mind.
    """
    return await context.commit(lambda c: _decide(c, context, ask), event=True)


def _listed(connection: Connection, owner: int, wanted: Collection[str]) -> tuple[Duplicate, ...]:
    held = ledger_accounts(connection, owner)
    found = [each for each in _all(connection, owner, held) if each.status in wanted]
    found.sort(key=lambda each: (each.kind, -(each.kept.day or 0), each.id))
    return tuple(drawn(each, held) for each in found)


def _listed_relinked(connection: Connection, owner: int) -> tuple[Duplicate, ...]:
    held = ledger_accounts(connection, owner)
    return tuple(drawn(each, held) for each in _relinked(connection, owner, held))


def _decide(connection: Connection, context: Context, ask: DuplicateVerdict) -> Duplicate:
    owner, now = context.caller.owner, context.milliseconds()
    held = ledger_accounts(connection, owner)
    seen = next((each for each in _all(connection, owner, held) if each.id == ask.id), None)
    given = next(
        (each for each in table.duplicate_verdicts(connection, owner) if each.id == ask.id), None
    )
    if seen is None and given is not None:
        raise Conflict(
            f"What the duplicate {ask.id} is about is not there any more, so nothing can be said of it"
            " now. What you said before is kept, should it come back."
        )
    if seen is None:
        raise NotFound(f"There is no duplicate {ask.id}. `finplan duplicates` lists them.")
    if seen.relinked:
        return _decide_relinked(connection, owner, seen, ask.verdict, now)
    if seen.kind == "accounts":
        _decide_accounts(connection, owner, seen, given, ask.verdict, now)
    else:
        _decide_rows(connection, owner, seen, given, ask.verdict, now)
    people.raise_generation(connection, owner)
    held = ledger_accounts(connection, owner)
    after = {each.id: each for each in _all(connection, owner, held)}
    return drawn(after.get(ask.id, seen), held)


def _decide_relinked(
    connection: Connection, owner: int, seen: SeenDuplicate, verdict: str, now: int
) -> Duplicate:
    """Join two accounts, or keep them apart; neither can be taken back, so `auto` changes nothing."""
    held = ledger_accounts(connection, owner)
    ids = (held[seen.kept.account].id, held[seen.other.account].id)
    pair = RelinkedPair(seen.id, *ids)
    if verdict == "auto":
        return drawn(seen, held)
    if verdict == "same":
        join(connection, owner, pair)
        decided = replace(seen, status="same", other=replace(seen.other, counted=False))
    else:
        keep_apart(connection, owner, pair)
        table.save_account_verdict(connection, owner, seen.id, verdict, ids, now)
        decided = replace(seen, status="different")
        held = ledger_accounts(connection, owner)
    people.raise_generation(connection, owner)
    return drawn(decided, held)


def _decide_accounts(
    connection: Connection,
    owner: int,
    seen: SeenDuplicate,
    given: table.SavedDuplicateVerdict | None,
    verdict: str,
    now: int,
) -> None:
    held = ledger_accounts(connection, owner)
    if given is not None:
        table.drop_verdict(connection, given)
    if verdict != "auto":
        ids = (held[seen.kept.account].id, held[seen.other.account].id)
        table.save_account_verdict(connection, owner, seen.id, verdict, ids, now)
    was_same = given is not None and given.verdict == "same"
    if verdict == "same" or was_same:
        hidden = int(verdict == "same")
        accounts.change_account(connection, seen.other.account, {"hidden": hidden})
    recount_accounts(connection, owner)
    # With one of two equal accounts out of the way, a transfer to the other is told apart again.
    for account in (seen.other.account, seen.kept.account):
        match_account(connection, owner, account)
    categorise_payees(connection, owner, None)


def _decide_rows(
    connection: Connection,
    owner: int,
    seen: SeenDuplicate,
    given: table.SavedDuplicateVerdict | None,
    verdict: str,
    now: int,
) -> None:
    if given is not None:
        table.change_verdict(connection, given.no, verdict, now)
    elif verdict != "auto":
        kept, other = _remembered(connection, seen)
        table.save_row_verdict(connection, owner, seen.id, verdict, kept, other, now)
    reconcile_after_removal(connection, owner, [], [])
    if given is not None and verdict == "auto":
        table.drop_verdict(connection, given)


def _remembered(connection: Connection, seen: SeenDuplicate) -> tuple[RowIdentity, RowIdentity]:
    assert seen.kept.no is not None
    assert seen.other.no is not None
    posted = verdicts.posted_identities(connection, [seen.kept.no])
    if seen.kind == "pending":
        others = verdicts.pending_identities(connection, [seen.other.no])
    else:
        others = verdicts.posted_identities(connection, [seen.other.no])
    return posted[seen.kept.no], others[seen.other.no]


def _all(connection: Connection, owner: int, held: Held) -> list[SeenDuplicate]:
    """Every duplicate: those that the person has decided on as far as they are there, then new ones."""
    judged = _judged(connection, owner, held)
    ids = {each.id for each in judged}
    pairs = {
        (each.kind, frozenset({each.kept.no, each.other.no}))
        for each in judged
        if each.other.no is not None
    }
    # One more row that is written as one that was judged is no question of its own.
    alike = {(each.kept.no, *_written(each.other)) for each in judged if each.kind == "pending"}
    relinked = _relinked(connection, owner, held)
    ids |= {each.id for each in relinked}
    found = [
        *_accounts(connection, owner, held),
        *_rows(connection, owner),
        *_waiting(connection, owner),
    ]
    return [*judged, *relinked] + [
        each
        for each in found
        if each.id not in ids
        and (each.kind, frozenset({each.kept.no, each.other.no})) not in pairs
        and (each.kept.no, *_written(each.other)) not in alike
    ]


def _written(side: SeenSide) -> tuple[int, int | None, int | None, str | None]:
    return side.account, side.day, side.amount, side.raw


def _judged(connection: Connection, owner: int, held: Held) -> list[SeenDuplicate]:
    aside = table.rows_set_aside(connection, owner)
    numbers = {account.id: no for no, account in held.items()}
    waiting = {row.no: row for row in table.pending_rows(connection, owner)}
    seen = []
    for each in table.duplicate_verdicts(connection, owner):
        status: DuplicateStatus = "same" if each.verdict == "same" else "different"
        if each.accounts is not None:
            if all(account in numbers for account in each.accounts):
                kept, other = (SeenSide(numbers[account]) for account in each.accounts)
                seen.append(SeenDuplicate(each.id, "accounts", status, kept, other))
            continue
        if each.kept is None:
            continue
        rows = transfers.rows(connection, [each.kept])
        kept = _side(rows[each.kept])
        if each.no in aside:
            account, day, amount, raw, _ = aside[each.no]
            other = SeenSide(account, None, day, amount, raw, counted=False)
        elif each.other is None:
            continue
        elif each.pending:
            other = _side(waiting[each.other])
        else:
            other = _side(transfers.rows(connection, [each.other])[each.other])
        seen.append(
            SeenDuplicate(each.id, "pending" if each.pending else "rows", status, kept, other)
        )
    return seen


def _side(row: transfers.CandidateRow) -> SeenSide:
    return SeenSide(row.account, row.no, row.day, row.amount, row.raw)


def _accounts(connection: Connection, owner: int, held: Held) -> list[SeenDuplicate]:
    """Accounts that look like one.

    Kept is a bank's rather than a file's, then the one that covers more days, else the older one.
    """
    numbers = {account.id: no for no, account in held.items()}
    listed = accounts.list_accounts(connection, owner)
    by_hand = {row["no"] for row in listed if row["provider"] == "manual"}
    found = []
    for pair in likely_duplicate_accounts(
        held,
        {held[no].connection_id for no in by_hand},
        table.different_accounts(connection, owner),
        partial(_moves_on, connection, owner),
    ):
        kept, other = sorted(
            (numbers[account.id] for account in (pair.one, pair.other)),
            key=lambda no: (
                no in by_hand,
                0 if pair.repeated is None else -_days_covered(held[no]),
                no,
            ),
        )
        public_id = duplicate_id(pair.one.id, pair.other.id)
        why = None
        if pair.repeated is not None:
            batches = imports_of_account(connection, owner, held[other].id)
            why = imported_twice(held[kept], held[other], pair.repeated, public_id, batches)
        sides = SeenSide(kept), SeenSide(other)
        found.append(SeenDuplicate(public_id, "accounts", "open", *sides, why))
    return found


def _relinked(connection: Connection, owner: int, held: Held) -> list[SeenDuplicate]:
    """Accounts under new ids, and which each may be: the one that was there is kept."""
    numbers = {account.id: no for no, account in held.items()}
    found = []
    for each in relinked_pairs(connection, owner):
        sides = SeenSide(numbers[each.former]), SeenSide(numbers[each.listed])
        found.append(SeenDuplicate(each.id, "accounts", "open", *sides, relinked=True))
    return found


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
    also = table.also_seen(connection, owner)
    copies = [
        Copy._make((*row, frozenset(also.get(row[0], ()))))
        for account, of_origins in spans.items()
        for since, until in days_of_several(of_origins.values())
        for row in table.rows_of_days(connection, account, since, until)
    ]
    pairs = likely_duplicate_rows(copies, spans)
    was = verdicts.posted_identities(connection, [row.number for pair in pairs for row in pair])
    found = []
    for first, second in pairs:
        public_id = derived_id("dup", *was[first.number], *was[second.number])
        found.append(SeenDuplicate(public_id, "rows", "open", _copy(first), _copy(second)))
    return found


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
    found = []
    for copy, row in pairs:
        public_id = derived_id("dup", *was[copy.number], *will[row.number])
        sides = _copy(copy), _side(listed[row.number])
        found.append(SeenDuplicate(public_id, "pending", "open", *sides))
    return found


def _copy(copy: Copy) -> SeenSide:
    return SeenSide(copy.account, copy.number, copy.day, copy.amount, copy.raw)
