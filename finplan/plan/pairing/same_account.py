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
    reported: Mapping[ToldKey, AccountSigns],
    stored: Mapping[HeldKey, AccountSigns],
    *,
    relinked: bool,
) -> dict[ToldKey, HeldKey]:
    """The held account that each told one is, where nothing else may be meant.

    `relinked` says that the same bank told the held accounts before, under other ids; then name and
    number are its own. Of accounts from elsewhere the rows must agree, or institution and number.
    """
    return _alone(reported, stored, _BY_THE_SAME_BANK if relinked else _BY_ANOTHER_SOURCE)


def same_rows(
    reported: Mapping[ToldKey, AccountSigns], stored: Mapping[HeldKey, AccountSigns]
) -> dict[ToldKey, HeldKey]:
    """As `same_accounts` of accounts from elsewhere, by their rows alone."""
    return _alone(reported, stored, (_same_rows,))


def _alone(
    reported: Mapping[ToldKey, AccountSigns],
    stored: Mapping[HeldKey, AccountSigns],
    rules: Iterable[SignsAgree],
) -> dict[ToldKey, HeldKey]:
    """Those of which a rule speaks for one alone, from both sides, the first rules before the others."""
    same: dict[ToldKey, HeldKey] = {}
    for is_like in rules:
        pairs = [
            (reported_key, stored_key)
            for reported_key, signs in reported.items()
            if reported_key not in same
            for stored_key, present in stored.items()
            if stored_key not in same.values()
            and _may_be_one(signs, present)
            and is_like(signs, present)
        ]
        ones = Counter(reported_key for reported_key, _ in pairs)
        others = Counter(stored_key for _, stored_key in pairs)
        same |= {
            reported_key: stored_key
            for reported_key, stored_key in pairs
            if ones[reported_key] == 1 and others[stored_key] == 1
        }
    return same


def unsure_accounts(
    reported: Mapping[ToldKey, AccountSigns], stored: Mapping[HeldKey, AccountSigns]
) -> dict[ToldKey, tuple[HeldKey, ...]]:
    """The held accounts of a bank that each of its told ones may be, where nothing tells for certain.

    Nothing speaks against any of them: neither currency, kind and number, nor the rows of common days.
    """
    unsure = {}
    for reported_key, signs in reported.items():
        maybe = tuple(
            stored_key
            for stored_key, present in stored.items()
            if _may_be_one(signs, present)
            and signs.institution == present.institution
            and not _rows_differ(signs, present)
        )
        if maybe:
            unsure[reported_key] = maybe
    return unsure


def _rows_differ(first: AccountSigns, second: AccountSigns) -> bool:
    repetition = count_repeated(first.rows, second.rows)
    return bool(repetition.ours and repetition.theirs) and 2 * repetition.shared < min(
        repetition.ours, repetition.theirs
    )


def _may_be_one(first: AccountSigns, second: AccountSigns) -> bool:
    """Whether nothing speaks against it."""
    numbers = {first.mask, second.mask} - {None}
    kinds = {first.kind, second.kind} - {None}
    return first.currency == second.currency and len(numbers) < 2 and len(kinds) < 2


def _same_name_and_number(first: AccountSigns, second: AccountSigns) -> bool:
    return _called(first) == _called(second) and first.institution == second.institution


def _same_number(first: AccountSigns, second: AccountSigns) -> bool:
    return first.mask is not None and first.mask == second.mask


def _same_rows(first: AccountSigns, second: AccountSigns) -> bool:
    repetition = count_repeated(first.rows, second.rows)
    return repetition.is_nearly_all or (
        repetition.is_likely and first.mask is not None and first.mask == second.mask
    )


def _same_name_and_rows(first: AccountSigns, second: AccountSigns) -> bool:
    return _called(first) == _called(second) and count_repeated(first.rows, second.rows).is_likely


def _same_name_and_balance(first: AccountSigns, second: AccountSigns) -> bool:
    return (
        _called(first) == _called(second)
        and first.balance not in (None, 0)
        and first.balance == second.balance
    )


def _same_place_and_number(first: AccountSigns, second: AccountSigns) -> bool:
    """Whether institution and number agree, and no rows of common days say otherwise."""
    if not _same_number(first, second) or not _same_place(first.institution, second.institution):
        return False
    repetition = count_repeated(first.rows, second.rows)
    return repetition.is_likely or not (repetition.ours and repetition.theirs)


def _same_place(first: str | None, second: str | None) -> bool:
    tokens = {token for token in (first or "").casefold().split() if len(token) > 2} - _NO_NAMES
    return bool(tokens & set((second or "").casefold().split()))


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


def balance_goes_on(first: Stretch, second: Stretch) -> bool:
    """Say whether the later one's first balance follows from the earlier one's last and the rows.

    A balance of nothing shows nothing, since every card that is paid off goes on from it.
    """
    return (
        unexplained(first, second) == 0 and _stretches_in_order(first, second)[0].stated[-1][1] != 0
    )


def unexplained(first: Stretch, second: Stretch) -> int | None:
    """What the rows leave open between the earlier one's last balance and the later one's first.

    None where nothing tells: days that both cover, or one without a balance.
    """
    if not all((first.intervals, first.stated, second.intervals, second.stated)):
        return None
    before, after = _stretches_in_order(first, second)
    day, balance = before.stated[-1]
    later, ended = after.stated[0]
    if day >= later or before.intervals[-1].until > after.intervals[0].since:
        return None
    return ended - balance - before.moved(day, later) - after.moved(day, later)


def _stretches_in_order(first: Stretch, second: Stretch) -> tuple[Stretch, Stretch]:
    return (second, first) if second.intervals[0] < first.intervals[0] else (first, second)


def speak_against(
    ours: Iterable[DatedAmount],
    our_days: Sequence[Interval],
    theirs: Iterable[DatedAmount],
    their_days: Sequence[Interval],
) -> bool:
    """Say whether rows of two accounts are not one account's, since too many are on one side alone.

    A file has every row of its account on the days between its first and its last one.
    """
    sent, right = Counter(ours), Counter(theirs)
    alone = _count_days_within(sent - right, their_days) + _count_days_within(
        right - sent, our_days
    )
    return alone > (sent & right).total()


def _count_days_within(rows: Counter[DatedAmount], intervals: Sequence[Interval]) -> int:
    """How many rows are on a day that is covered and is no first or last one."""
    return sum(
        any(interval.since < day < interval.until for interval in intervals)
        for day, _ in rows.elements()
    )
