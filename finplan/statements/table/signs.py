"""Which way money goes: from printed numbers, marks and columns to amounts, positive inwards.

The columns of money are converted to minor units of one currency as the table prints them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add, neg, sub
from typing import NamedTuple

from finplan.statements.table.amounts import BOTH_WAYS, is_proof, signs_of_steps, steps_explained
from finplan.statements.table.columns import Columns
from finplan.statements.table.numbers import AmountConverter, NumberFacts
from finplan.statements.table.row_words import mark_of, spoken_direction, word_in
from finplan.statements.table.table import Cells
from finplan.statements.text.descriptors import shapes_of

_TWO_COLUMNS = ("amounts", "debits")
_CLEARLY = 4
"""How many times as many rows have to speak for one direction as for the other."""


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
    """How amounts follow from printed money: a factor for each column, the marks, or the balance.

    `stepped` is the direction of a balance that alone shows which way each row goes, else 0; `worded`
    says that the words of a row alone may do so. A row that neither shows goes the way `unstepped`, 0
    while nothing says whether the balance is what is there or what is owed.
    """

    credit: int = 1
    debit: int = 0
    absolute: bool = False
    marked: bool = False
    less_fee: bool = False
    stepped: int = 0
    worded: bool = False
    unstepped: int = -1

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
    """A sign convention, what the running balance says of the file, and whether the file tells it.

    `direction` is 1 when later rows stand below, -1 when they stand above, 0 when rows contradict the
    balance; `balance_sign` is -1 when the balance is printed as what is owed. `is_proven` says that
    the balance explains the amounts, `is_told` that it, marks, or signs and words that fit each other
    say which way money goes; else only the person knows. `moves` is 1 where the balance goes with
    the amounts as they are printed, -1 where it goes against them, and 0 where it shows neither.
    `counts_holds` says that the balance moves with what is held and released.
    """

    convention: SignConvention
    direction: int = 0
    balance_sign: int = 1
    is_proven: bool = False
    is_told: bool = True
    moves: int = 0
    counts_holds: bool = True


def orient(
    rows: Sequence[Printed],
    booked: Sequence[Printed],
    days: Sequence[int],
    types: Sequence[str],
    texts: Sequence[str],
    *,
    is_card: bool = False,
    is_owed: bool = False,
    tells_sign: bool = False,
) -> Orientation:
    """Find how amounts follow from what is printed, from rows of each account in file order.

    A running balance proves it (previous balance + amount = balance), in the direction in which the
    days run; `booked` are the rows that it follows. Without that proof two columns count as they are
    named, and marks as they say; one column of bare amounts as its words and signs tell, `types` and
    `texts` being those of all `rows`. What is called a card may print charges without a sign, and its
    balance as what is owed, as the balance's own name may say, `is_owed`; `tells_sign` says that the
    column itself tells the way, by its name or by marks beside its numbers.
    """
    if is_owed:
        booked = [group._replace(balances=list(map(neg, group.balances))) for group in booked]
    orientation = _orient(rows, booked, days, types, texts, is_card=is_card, tells_sign=tells_sign)
    if not is_owed:
        return orientation
    convention = replace(orientation.convention, unstepped=orientation.convention.unstepped or -1)
    return replace(orientation, convention=convention, balance_sign=-orientation.balance_sign)


def _orient(
    rows: Sequence[Printed],
    booked: Sequence[Printed],
    days: Sequence[int],
    types: Sequence[str],
    texts: Sequence[str],
    *,
    is_card: bool,
    tells_sign: bool,
) -> Orientation:
    usual = _usual_convention(rows)
    directions = _directions(days)
    # Rows of one day may stand in either order, and then the balance before each row, read from above,
    # is the one after it, read from below with the signs turned: it proves no sign.
    conventions = _conventions(usual, booked) if len(directions) == 1 else [usual]
    balance = _explaining(conventions, booked, directions)
    printed = [amount for row in rows for amount in usual.amounts(row)]
    vocab = _words_of_rows(printed, types, texts)
    if usual.debit or usual.marked or tells_sign:
        if len(directions) > 1 and usual.debit and not _have_one_sign_each(rows):
            alternative = _explaining(_conventions(usual, booked), booked, directions)
            if alternative.convention != usual and is_proof(
                alternative.explained, alternative.steps
            ):
                return Orientation(
                    SignConvention(1, -1, absolute=True), alternative.direction, is_told=False
                )
        return _orient_by_names(usual, balance, rows, vocab, is_card=is_card, tells_sign=tells_sign)
    direction = directions[0] if len(directions) == 1 else 0
    is_unsigned = direction and min(printed, default=0) >= 0
    evidence = _shown_by_steps(booked, direction) if is_unsigned else _Shown()
    if evidence.is_proof and (evidence.falling or not vocab.are_clear):
        # Where more rises, it may as well be charges that raise what is owed.
        unstepped = -1 if evidence.falling > evidence.rising else 0
        stepped = replace(usual, stepped=direction, unstepped=unstepped)
        return Orientation(stepped, direction, is_proven=True, is_told=False)
    sign, is_told = _sign_of(printed, vocab, balance, is_card=is_card)
    if evidence.is_whole and not is_told:
        stepped = replace(usual, stepped=direction, unstepped=0)
        return Orientation(stepped, direction, is_told=False)
    convention = replace(balance.convention if balance.is_proof else usual, credit=sign)
    moves = balance.convention.credit if balance.explained and balance.is_ordered else 0
    # Where a card prints charges as positive, its balance is what is owed.
    is_owed = balance.convention.credit != sign if balance.explained else sign < 0
    return Orientation(
        convention, balance.direction, -1 if is_owed else 1, balance.is_proof, is_told, moves
    )


def told_by_minus(orientation: Orientation, rows: Sequence[Printed]) -> Orientation:
    """Of two nameless columns of amounts, let the one that prints a minus throughout be money out."""
    columns = [[a for row in rows for a in getattr(row, name)] for name in _TWO_COLUMNS]
    one_has_minus = any(min(column, default=0) < 0 for column in columns)
    other_has_none = any(min(column, default=0) >= 0 for column in columns)
    if one_has_minus and other_has_none and _have_one_sign_each(rows):
        return replace(orientation, convention=SignConvention(1, 1), is_told=True)
    return replace(orientation, is_told=False)


def _orient_by_names(
    usual: SignConvention,
    balance: "_Explanation",
    rows: Sequence[Printed],
    vocab: "_Words",
    *,
    is_card: bool,
    tells_sign: bool,
) -> Orientation:
    """Take columns, marks and signs as they are named, unless a balance proves them to be otherwise.

    A balance that moves the other way is what is owed on a card; on what is not known to be one, the
    names may be turned round as well, because some banks book from their own side: words have to tell.
    """
    proven = balance.convention if balance.is_proof else usual
    turned = replace(usual, credit=-usual.credit, debit=-usual.debit)
    if proven == turned and (tells_sign or not usual.debit):
        if vocab.are_clear and vocab.sign < 0:
            return Orientation(turned, balance.direction, is_proven=True)
        is_told = is_card or vocab.are_clear
        return Orientation(usual, balance.direction, -1, is_proven=True, is_told=is_told)
    is_explained = balance.explains_all and balance.convention == usual
    is_told = balance.is_proof or _marks_fit_signs(rows, may_be_turned=is_explained)
    return Orientation(proven, balance.direction, is_proven=balance.is_proof, is_told=is_told)


def _have_one_sign_each(rows: Sequence[Printed]) -> bool:
    """Say whether each of two columns of amounts prints either a minus throughout or none."""
    return all(
        min(column, default=0) >= 0 or max(column) <= 0
        for column in ([a for row in rows for a in getattr(row, name)] for name in _TWO_COLUMNS)
    )


def _marks_fit_signs(rows: Sequence[Printed], *, may_be_turned: bool) -> bool:
    """Say whether printed signs, if any, say what marks do, or, where that may be, its opposite."""
    both = [
        (amount < 0, mark < 0)
        for row in rows
        for amount, mark in zip(row.amounts, row.marks, strict=False)
        if amount and mark
    ]
    has_minus = any(is_minus for is_minus, _ in both)
    fitting = {is_minus == is_out for is_minus, is_out in both}
    return not has_minus or fitting == {True} or (may_be_turned and fitting == {False})


class _Shown(NamedTuple):
    """How many amounts without any sign a balance falls and rises by, and how many steps it has."""

    falling: int = 0
    rising: int = 0
    steps: int = 0

    @property
    def is_proof(self) -> bool:
        """Say whether that proves that each row goes the way of its step."""
        return is_proof(self.falling + self.rising, self.steps)

    @property
    def is_whole(self) -> bool:
        """Say whether each step is by an amount, be they too few for a proof."""
        return 0 < self.steps == self.falling + self.rising


def _shown_by_steps(booked: Sequence[Printed], direction: int) -> _Shown:
    signs = [
        sign
        for group in booked
        if group.balances
        for sign in signs_of_steps(group.amounts, group.balances, direction)
    ]
    moving = (group.amounts[1:] if direction > 0 else group.amounts[:-1] for group in booked)
    steps = sum(amount != 0 for amounts in moving for amount in amounts)
    return _Shown(signs.count(-1), signs.count(1), steps)


def _sign_of(
    amounts: Sequence[int], vocab: "_Words", balance: "_Explanation", *, is_card: bool
) -> tuple[int, bool]:
    """Say whether printed amounts count as they are, 1, or turned round, -1, and whether that is told.

    Clear words tell it; without any, a balance or the printed signs. A balance that moves against the
    amounts is either what a card is owed on or proves that a minus comes in: of both readings that one
    holds in which most rows are spent, as they are from nearly every account. Where no amount has a
    minus, words have to be there in all rows, since what is paid and what is received may be printed
    alike.
    """
    minus, plus = sum(amount < 0 for amount in amounts), sum(amount > 0 for amount in amounts)
    if is_card and minus <= plus and not vocab.are_clear:
        return -1, not plus
    if balance.is_proof:
        if vocab.are_clear:
            return vocab.sign, True
        return _balanced_sign(minus, plus, balance)
    if not minus:
        return vocab.sign, vocab.spoken == plus and min(vocab) == 0
    if minus > plus:
        return 1, vocab.sign > 0
    is_balanced = balance.is_ordered and balance.explains_all and balance.convention.credit > 0
    return vocab.sign, vocab.are_clear or (not vocab.spoken and (is_balanced or minus == plus))


def _balanced_sign(minus: int, plus: int, balance: "_Explanation") -> tuple[int, bool]:
    if balance.convention.credit > 0:
        return 1, True
    return (1, True) if minus > plus else (-1, minus < plus)


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
        return BOTH_WAYS
    return (1,) if days[0] < days[-1] else (-1,)


class _Explanation(NamedTuple):
    """The convention that explains most steps of a running balance, in which direction, and how many."""

    convention: SignConvention
    direction: int
    explained: int = 0
    steps: int = 0
    is_ordered: bool = True

    @property
    def explains_all(self) -> bool:
        return 0 < self.explained == self.steps

    @property
    def is_proof(self) -> bool:
        """Say whether nearly all of some steps are explained, so that columns and marks give way."""
        return self.is_ordered and is_proof(self.explained, self.steps)


def _explaining(
    conventions: Sequence[SignConvention], groups: Sequence[Printed], directions: Sequence[int]
) -> _Explanation:
    """Find the convention that explains most steps, and more than half; else the first one."""
    best = _Explanation(conventions[0], 0)
    steps = 0
    for convention in conventions:
        for direction in directions:
            counts = [
                steps_explained(convention.amounts(printed), printed.balances, direction)
                for printed in groups
            ]
            explained, steps = sum(count[0] for count in counts), sum(count[1] for count in counts)
            if explained > best.explained and 2 * explained > steps:
                best = _Explanation(convention, direction, explained, steps)
    best = best._replace(is_ordered=len(directions) == 1)
    return best if steps else best._replace(direction=directions[0])


class _Words(NamedTuple):
    """How many rows' words agree with their printed signs, and how many contradict them."""

    agreeing: int
    against: int

    @property
    def spoken(self) -> int:
        return self.agreeing + self.against

    @property
    def sign(self) -> int:
        """The sign with which amounts are as most of the words say: 1, or -1 turned round."""
        return -1 if self.against > self.agreeing else 1

    @property
    def are_clear(self) -> bool:
        return max(self) > _CLEARLY * min(self)


def _words_of_rows(amounts: Sequence[int], types: Sequence[str], texts: Sequence[str]) -> _Words:
    votes = [
        amount * spoken_direction(kind, text)
        for amount, kind, text in zip(amounts, types, texts, strict=True)
    ]
    return _Words(sum(vote > 0 for vote in votes), sum(vote < 0 for vote in votes))


class MoneyColumns:
    """Converts the money columns of a table, knowing their decimal sign and their marks."""

    def __init__(
        self, columns: Columns, decimal_sign: str, facts: Mapping[int, NumberFacts]
    ) -> None:
        self._columns = columns
        self._decimal_sign = decimal_sign
        self._facts = facts
        self.prints_signs = any(-1 in facts[index].unmarked_signs for index in columns.money)
        """Whether some amount is printed with a minus, so that one without is positive."""
        self._unmarked = {index: fact.unmarked for index, fact in facts.items()}
        self._converters: dict[tuple[int, str], AmountConverter] = {}

    def reading(self, columns: Columns) -> "MoneyColumns":
        """Convert the same money by other columns, one of which says which way it goes."""
        return MoneyColumns(columns, self._decimal_sign, self._facts)

    def knows(self, index: int, shapes: Collection[str]) -> bool:
        """Say whether all these shapes of a column are amounts or blank."""
        return self._converter(index, "USD").knows(shapes)

    def printed(self, cells: Cells, currency: str, *, with_balances: bool = False) -> Printed:
        """Convert rows whose amounts are known to be numbers or blank.

        Fees and balances that are not all numbers count as missing.
        """
        columns = self._columns
        debits = self._minor(cells, columns.debit, currency)
        first = columns.amount if columns.amount is not None else columns.credit
        return Printed(
            amounts=self._minor(cells, first, currency) or [0] * len(debits),
            debits=debits,
            fees=self._minor(cells, columns.fee, currency),
            marks=[] if columns.mark is None else list(map(self._mark_of, cells[columns.mark])),
            balances=self.balances(cells, currency) if with_balances else [],
        )

    def rounded(self, cells: Cells, currency: str) -> list[tuple[int, int, int]]:
        """Give each amount with more decimals than the currency has: its row, its column, as rounded."""
        return [
            (row, index, rounded)
            for index in self._columns.money
            if self.knows(index, set(cells.shapes(index)))
            for row, rounded in self._converter(index, currency).rounded(
                cells[index], cells.shapes(index)
            )
        ]

    def balances(self, cells: Cells, currency: str) -> list[int]:
        """Convert the column of balances, a blank one to 0; nothing where some are no numbers."""
        return self._minor(cells, self._columns.balance, currency)

    def balance(self, cell: str, currency: str) -> int | None:
        """Convert one cell of the balance column, None when it is no number."""
        index = self._columns.balance
        shapes = shapes_of([cell])
        if index is None or not cell.strip() or not self.knows(index, shapes):
            return None
        return self._converter(index, currency).convert([cell], shapes)[0]

    def sizes(self, cells: Cells) -> list[tuple[int, int]]:
        """Give what rows print in the amount or credit column and in the debit column.

        Both are in cents of any currency, to compare printed numbers of one file with each other.
        """
        printed = self.printed(cells, "USD")
        debits = printed.debits or [0] * len(printed.amounts)
        return list(zip(printed.amounts, debits, strict=True))

    def _mark_of(self, cell: str) -> int:
        ways = self._columns.mark_ways
        return mark_of(cell) if ways is None else ways.get(word_in(cell).casefold(), 0)

    def _minor(self, cells: Cells, index: int | None, currency: str) -> list[int]:
        if index is None or not self.knows(index, set(cells.shapes(index))):
            return []
        return self._converter(index, currency).convert(cells[index], cells.shapes(index))

    def _converter(self, index: int, currency: str) -> AmountConverter:
        key = index, currency
        if key not in self._converters:
            unmarked = self._unmarked.get(index, 1)
            self._converters[key] = AmountConverter(self._decimal_sign, currency, unmarked)
        return self._converters[key]
