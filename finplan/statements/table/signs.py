"""Which way money goes: from printed numbers, marks and columns to amounts, positive inwards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import add, neg, sub
from typing import NamedTuple

_DEBIT_WORDS = """d dr db dbt dbit debit debits debet debetas s soll af out outflow expense
    withdrawal belastung lastschrift debito cargo dare uscita spent debe sortie -
    支出 支 借 出金 출금 дебет дебит расход списание borç terhelés """
_CREDIT_WORDS = """c cr crdt credit credits k kredit kreditas h haben bij in inflow income deposit
    gutschrift credito abono avere entrata received haber entree +
    收入 收 贷 貸 入金 입금 кредит приход зачисление alacak jóváírás"""
MARKS = dict.fromkeys(_DEBIT_WORDS.split(), -1) | dict.fromkeys(_CREDIT_WORDS.split(), 1)
"""What stands in a column that says which way a row's amount goes, in small letters."""

_OUTWARD_TYPES = frozenset(["purchase", "fee", "cash advance"])
"""Words that mean money going out for everyone; to a shop, a sale comes in and a refund goes out."""
_BOTH = (1, -1)
_THANKS = ("paiement recu", "paiement reçu", "zahlung erhalten", "pago recibido")


class Printed(NamedTuple):
    """The money of some rows as printed, in minor units; a column that the table lacks is empty.

    `amounts` are the one amount column, or the credits beside `debits`; a mark is 1, -1, or 0 for none.
    """

    amounts: list[int]
    debits: list[int]
    fees: list[int]
    marks: list[int]
    balances: list[int]


@dataclass(frozen=True, slots=True)
class SignConvention:
    """How amounts follow from printed money: a factor for each column, or the marks."""

    credit: int = 1
    debit: int = 0
    absolute: bool = False
    marked: bool = False
    less_fee: bool = False

    def amounts(self, printed: Printed) -> list[int]:
        """Convert rows to amounts that are positive when money comes in."""
        amounts, debits = printed.amounts, printed.debits
        if self.absolute:
            amounts, debits = list(map(abs, amounts)), list(map(abs, debits))
        if self.marked:
            amounts = [
                abs(amount) * mark if mark else amount
                for amount, mark in zip(amounts, printed.marks, strict=True)
            ]
        if self.credit < 0:
            amounts = list(map(neg, amounts))
        if debits:
            amounts = list(map(add if self.debit > 0 else sub, amounts, debits))
        if self.less_fee and printed.fees:
            amounts = list(map(sub, amounts, map(abs, printed.fees)))
        return amounts


@dataclass(frozen=True, slots=True)
class Orientation:
    """A sign convention, and what the running balance says of the file.

    `direction` is 1 when later rows stand below, -1 when they stand above, 0 when rows contradict the
    balance; `balance_sign` is -1 when the balance is printed as what is owed. `is_proven` says that
    the balance explains the amounts.
    """

    convention: SignConvention
    direction: int = 0
    balance_sign: int = 1
    is_proven: bool = False


def orient(
    groups: Sequence[Printed],
    days: Sequence[int],
    types: Sequence[str],
    texts: Sequence[str],
    *,
    trust_words: bool,
) -> Orientation:
    """Find how amounts follow from what is printed, from rows of each account in file order.

    A running balance proves it (previous balance + amount = balance), in the direction in which the
    days run. Words prove a card export whose charges are positive, `types` and `texts` being those
    of all rows: a purchase, or a payment received with the opposite sign. Without a proof, amounts
    count as printed.
    """
    usual = _usual_convention(groups)
    convention, direction, is_proven = _proven(
        _conventions(usual, groups), groups, _directions(days)
    )
    amounts = [amount for printed in groups for amount in convention.amounts(printed)]
    if trust_words and _words_contradict(amounts, types, texts):
        inverse = replace(convention, credit=-convention.credit, debit=-convention.debit)
        return Orientation(inverse, direction, -1, is_proven)
    return Orientation(convention, direction, is_proven=is_proven)


def explained_steps(amounts: list[int], balances: list[int]) -> int:
    """Count the steps of balances that amounts explain, from above or from below, where most are."""
    if len(amounts) != len(balances):
        return 0
    counted = [_explained_steps(amounts, balances, direction) for direction in _BOTH]
    return max(explained if 2 * explained > steps else 0 for explained, steps in counted)


def _usual_convention(groups: Sequence[Printed]) -> SignConvention:
    """The convention without any proof: a column's own direction is what most of its rows print."""
    if any(printed.debits for printed in groups):
        return SignConvention(
            credit=_usual_sign(amount for printed in groups for amount in printed.amounts),
            debit=-_usual_sign(amount for printed in groups for amount in printed.debits),
        )
    return SignConvention(marked=any(printed.marks for printed in groups))


def _usual_sign(amounts: Iterable[int]) -> int:
    return 1 if sum((amount > 0) - (amount < 0) for amount in amounts) >= 0 else -1


def _conventions(usual: SignConvention, groups: Sequence[Printed]) -> list[SignConvention]:
    """All conventions that a balance may prove, the likeliest first."""
    if usual.debit:
        factors = [(usual.credit, usual.debit), (1, -1), (1, 1), (-1, 1), (-1, -1)]
        conventions = [SignConvention(credit, debit) for credit, debit in factors]
        conventions += [SignConvention(1, -1, absolute=True), SignConvention(-1, 1, absolute=True)]
    else:
        conventions = [
            usual,
            SignConvention(),
            replace(usual, credit=-1),
            SignConvention(credit=-1),
        ]
    if any(any(printed.fees) for printed in groups):
        conventions += [replace(convention, less_fee=True) for convention in conventions]
    return list(dict.fromkeys(conventions))


def _directions(days: Sequence[int]) -> tuple[int, ...]:
    if not days or days[0] == days[-1]:
        return _BOTH
    return (1,) if days[0] < days[-1] else (-1,)


def _proven(
    conventions: Sequence[SignConvention], groups: Sequence[Printed], directions: Sequence[int]
) -> tuple[SignConvention, int, bool]:
    """Choose the convention that explains most steps of the running balance, and more than half."""
    if not any(
        _explained_steps(conventions[0].amounts(printed), printed.balances, 1)[1]
        for printed in groups
    ):
        return conventions[0], directions[0], False
    best, most = (conventions[0], 0, False), 0
    for convention in conventions:
        for direction in directions:
            explained, steps = 0, 0
            for printed in groups:
                found = _explained_steps(convention.amounts(printed), printed.balances, direction)
                explained, steps = explained + found[0], steps + found[1]
            if explained > most and 2 * explained > steps:
                best, most = (convention, direction, True), explained
    return best


def _explained_steps(amounts: list[int], balances: list[int], direction: int) -> tuple[int, int]:
    """Count the balance's steps that the rows' amounts explain, and all steps; zeros prove nothing."""
    if not balances:
        return 0, 0
    moved = [later - earlier for earlier, later in pairwise(balances)]
    expected = amounts[1:] if direction > 0 else list(map(neg, amounts[:-1]))
    steps = [(step, amount) for step, amount in zip(moved, expected, strict=True) if amount]
    return sum(step == amount for step, amount in steps), len(steps)


def _words_contradict(amounts: Sequence[int], types: Sequence[str], texts: Sequence[str]) -> bool:
    """Say whether purchases come in and payments received go out, and never the other way.

    Most rows of a card are purchases, so a file with more rows that go out is right as it is.
    """
    if _usual_sign(amounts) < 0:
        return False
    spoken = [
        (amount, _spoken_direction(kind.strip().lower(), text.lower()))
        for amount, kind, text in zip(amounts, types, texts, strict=True)
    ]
    return {amount * direction > 0 for amount, direction in spoken if amount and direction} == {
        False
    }


def _spoken_direction(kind: str, text: str) -> int:
    """Say which way a row's words say that money goes: 1 in, -1 out, 0 when they do not."""
    if kind in _OUTWARD_TYPES:
        return -1
    is_thanked = "payment" in text and ("thank" in text or "received" in text)
    return 1 if is_thanked or any(words in text for words in _THANKS) else 0
