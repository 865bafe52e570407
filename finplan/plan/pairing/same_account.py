"""Which of the accounts that are there an account of a bank or of a file is.

An account may come under an id that nobody knows. Nothing but what speaks for one account alone,
from both sides, is believed: a name or a number is given twice, and a wrong match mixes the money
of two accounts for good.

Banks give an account out month by month, under another file's name each time. What a file says of
its account ends where the next one begins, so days and balances tell whether the rows of one
account go on with those of another.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from finplan.model.account import AccountKind
from finplan.plan.ledger.days import Interval
from finplan.plan.pairing.repetition import DatedAmount, count_repeated

HeldKey = TypeVar("HeldKey", bound=Hashable)
ToldKey = TypeVar("ToldKey", bound=Hashable)


class AccountSigns(NamedTuple):
    """What tells accounts apart; `rows` are its days and amounts, of the days that both may know.

    `institution` is None where nobody said it. `kind` is None where it was only guessed.
    """

    name: str
    mask: str | None
    kind: AccountKind | None
    currency: str
    institution: str | None
    balance: int | None
    rows: tuple[DatedAmount, ...] = ()


SignsAgree = Callable[[AccountSigns, AccountSigns], bool]


def same_accounts(
    told: Mapping[ToldKey, AccountSigns], held: Mapping[HeldKey, AccountSigns], *, relinked: bool
) -> dict[ToldKey, HeldKey]:
    """The held account that each told one is, where nothing else may be meant.

    `relinked` says that the same bank told the held accounts before, under other ids; then name and
    number are its own. Of accounts from elsewhere the rows must agree, or institution and number.
    """
    return _alone(told, held, _BY_THE_SAME_BANK if relinked else _BY_ANOTHER_SOURCE)


def same_rows(
    told: Mapping[ToldKey, AccountSigns], held: Mapping[HeldKey, AccountSigns]
) -> dict[ToldKey, HeldKey]:
    """As `same_accounts` of accounts from elsewhere, by their rows alone."""
    return _alone(told, held, (_same_rows,))


def _alone(
    told: Mapping[ToldKey, AccountSigns],
    held: Mapping[HeldKey, AccountSigns],
    rules: Iterable[SignsAgree],
) -> dict[ToldKey, HeldKey]:
    """Those of which a rule speaks for one alone, from both sides, the first rules before the others."""
    found: dict[ToldKey, HeldKey] = {}
    for is_like in rules:
        pairs = [
            (one, other)
            for one, signs in told.items()
            if one not in found
            for other, present in held.items()
            if other not in found.values()
            and _may_be_one(signs, present)
            and is_like(signs, present)
        ]
        ones = Counter(one for one, _ in pairs)
        others = Counter(other for _, other in pairs)
        found |= {one: other for one, other in pairs if ones[one] == 1 and others[other] == 1}
    return found


def unsure_accounts(
    told: Mapping[ToldKey, AccountSigns], held: Mapping[HeldKey, AccountSigns]
) -> dict[ToldKey, tuple[HeldKey, ...]]:
    """The held accounts of a bank that each of its told ones may be, where nothing tells for certain.

    Nothing speaks against any of them: neither currency, kind and number, nor the rows of common days.
    """
    found = {}
    for one, signs in told.items():
        maybe = tuple(
            other
            for other, present in held.items()
            if _may_be_one(signs, present)
            and signs.institution == present.institution
            and not _rows_differ(signs, present)
        )
        if maybe:
            found[one] = maybe
    return found


def _rows_differ(one: AccountSigns, other: AccountSigns) -> bool:
    seen = count_repeated(one.rows, other.rows)
    return bool(seen.ours and seen.theirs) and 2 * seen.shared < min(seen.ours, seen.theirs)


def _may_be_one(one: AccountSigns, other: AccountSigns) -> bool:
    """Whether nothing speaks against it."""
    numbers = {one.mask, other.mask} - {None}
    kinds = {one.kind, other.kind} - {None}
    return one.currency == other.currency and len(numbers) < 2 and len(kinds) < 2


def _same_name_and_number(one: AccountSigns, other: AccountSigns) -> bool:
    return _called(one) == _called(other) and one.institution == other.institution


def _same_number(one: AccountSigns, other: AccountSigns) -> bool:
    return one.mask is not None and one.mask == other.mask


def _same_rows(one: AccountSigns, other: AccountSigns) -> bool:
    seen = count_repeated(one.rows, other.rows)
    return seen.is_nearly_all or (
        seen.is_likely and one.mask is not None and one.mask == other.mask
    )


def _same_name_and_rows(one: AccountSigns, other: AccountSigns) -> bool:
    return _called(one) == _called(other) and count_repeated(one.rows, other.rows).is_likely


def _same_name_and_balance(one: AccountSigns, other: AccountSigns) -> bool:
    return (
        _called(one) == _called(other)
        and one.balance not in (None, 0)
        and one.balance == other.balance
    )


def _same_place_and_number(one: AccountSigns, other: AccountSigns) -> bool:
    """Whether institution and number agree, and no rows of common days say otherwise."""
    if not _same_number(one, other) or not _same_place(one.institution, other.institution):
        return False
    seen = count_repeated(one.rows, other.rows)
    return seen.is_likely or not (seen.ours and seen.theirs)


def _same_place(one: str | None, other: str | None) -> bool:
    words = {word for word in (one or "").casefold().split() if len(word) > 2} - _NO_NAMES
    return bool(words & set((other or "").casefold().split()))


_NO_NAMES = {"bank", "the", "credit", "union", "savings", "federal", "national", "banque", "banco"}
"""Words of institutions' names that are no name of one."""


def _called(signs: AccountSigns) -> str:
    return " ".join(signs.name.casefold().split())


_BY_THE_SAME_BANK: tuple[SignsAgree, ...] = (
    _same_name_and_number,
    _same_name_and_rows,
    _same_name_and_balance,
    _same_rows,
    _same_number,
)
_BY_ANOTHER_SOURCE: tuple[SignsAgree, ...] = (_same_rows, _same_place_and_number)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The days that some files cover of an account, and what its balance was and became there.

    `intervals` are in order, so are `stated`, days YYYYMMDD with the balance that a file states as of
    each in the bank's own sign; `moved` tells what the rows after a day and up to another add up to.
    """

    intervals: Sequence[Interval]
    stated: Sequence[tuple[int, int]]
    moved: Callable[[int, int], int]


def balance_goes_on(one: Stretch, other: Stretch) -> bool:
    """Say whether the later one's first balance follows from the earlier one's last and the rows.

    A balance of nothing shows nothing, since every card that is paid off goes on from it.
    """
    return unexplained(one, other) == 0 and _stretches_in_order(one, other)[0].stated[-1][1] != 0


def unexplained(one: Stretch, other: Stretch) -> int | None:
    """What the rows leave open between the earlier one's last balance and the later one's first.

    None where nothing tells: days that both cover, or one without a balance.
    """
    if not all((one.intervals, one.stated, other.intervals, other.stated)):
        return None
    before, after = _stretches_in_order(one, other)
    day, balance = before.stated[-1]
    later, ended = after.stated[0]
    if day >= later or before.intervals[-1].until > after.intervals[0].since:
        return None
    return ended - balance - before.moved(day, later) - after.moved(day, later)


def _stretches_in_order(one: Stretch, other: Stretch) -> tuple[Stretch, Stretch]:
    return (other, one) if other.intervals[0] < one.intervals[0] else (one, other)


def speak_against(
    ours: Iterable[DatedAmount],
    our_days: Sequence[Interval],
    theirs: Iterable[DatedAmount],
    their_days: Sequence[Interval],
) -> bool:
    """Say whether rows of two accounts are not one account's, since too many are on one side alone.

    A file has every row of its account on the days between its first and its last one.
    """
    left, right = Counter(ours), Counter(theirs)
    alone = _count_days_within(left - right, their_days) + _count_days_within(
        right - left, our_days
    )
    return alone > (left & right).total()


def _count_days_within(rows: Counter[DatedAmount], intervals: Sequence[Interval]) -> int:
    """How many rows are on a day that is covered and is no first or last one."""
    return sum(
        any(each.since < day < each.until for each in intervals) for day, _ in rows.elements()
    )
