"""A duplicate as it is shown: its two sides, and what makes them look like one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from finplan.model.duplicate import Duplicate, DuplicateSide, DuplicateStatus
from finplan.plan.ledger.days import ORDINAL, date_of
from finplan.plan.ledger.ledger import LedgerAccount

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
    return Duplicate(
        id=seen.id,
        kind=seen.kind,
        status=seen.status,
        currency=held[seen.kept.account].currency,
        kept=_wire(seen.kept, held, "tx"),
        other=_wire(seen.other, held, "pen" if seen.kind == "pending" else "tx"),
        why=seen.why or _why(seen, held),
        relinked=seen.relinked,
    )


def _wire(side: SeenSide, held: Held, prefix: str) -> DuplicateSide:
    account = held[side.account]
    return DuplicateSide(
        account_id=account.id,
        account_name=account.name,
        institution_name=account.institution,
        counted=side.counted and not account.hidden,
        transaction_id=None if side.no is None else f"{prefix}_{side.no}",
        date=None if side.day is None else date_of(side.day),
        amount=side.amount,
        raw=side.raw,
    )


def _why(seen: SeenDuplicate, held: Held) -> str:
    """What makes them look like one, in a sentence."""
    if seen.relinked:
        kept, other = held[seen.kept.account], held[seen.other.account]
        return (
            f"{kept.institution} gave its accounts new ids, and does not list {kept.name} as it was any"
            f" more: is it {other.name} now? If so, they become one account for good, with all rows and"
            " words. Until you say, the new one is in no total."
        )
    if seen.kind == "accounts":
        if held[seen.kept.account].mask != held[seen.other.account].mask or (
            held[seen.kept.account].mask is None
        ):
            return "The same rows came to both."
        return (
            f"Both are {held[seen.kept.account].institution} ending in"
            f" {held[seen.kept.account].mask}, from two connections, with the same transactions."
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
