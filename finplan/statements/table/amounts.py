"""Which columns hold the amounts where no name says it: those that a running balance moves by.

It moves in steps, from one row's balance to the next, each by that row's amount. Without such a proof
the only column of numbers that each row fills has the amounts, or the only two that rows fill in turns,
as it is with debits and credits; where several columns may hold them, only the person knows which.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations, product
from operator import add, eq, neg, sub
from typing import NamedTuple

from finplan.statements.statement import AmbiguousStatement, Choice, Question, UnreadableStatement
from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.numbers import AmountConverter
from finplan.statements.table.words import ColumnName
from finplan.statements.text.descriptors import quoted, shapes_of, shortened

BOTH_WAYS = (1, -1)
"""The directions in which rows may follow each other: later ones below, or above."""

LEAST_STEPS = 3
"""Of how many steps at least a running balance is a proof."""

_SHARE_THAT_PROVES = 0.95
"""Which share of the steps the amounts have to explain in a proof."""


def is_proof(explained: int, steps: int) -> bool:
    """Say whether so many steps that are explained, of all, prove how a table is read."""
    return explained >= max(LEAST_STEPS, _SHARE_THAT_PROVES * steps)


def signs_of_steps(amounts: list[int], balances: list[int], direction: int) -> list[int]:
    """Say which way the balance moves by each row's amount: 1 up, -1 down, 0 where nothing shows it.

    The oldest row has no balance before it, so nothing shows the way of that one.
    """
    moved = [later - earlier for earlier, later in pairwise(balances)]
    steps = [0, *moved] if direction > 0 else [*map(neg, moved), 0]
    return [
        (step > 0) - (step < 0) if abs(step) == abs(amount) else 0
        for step, amount in zip(steps, amounts, strict=True)
    ]


def steps_explained(amounts: list[int], balances: list[int], direction: int) -> tuple[int, int]:
    """Count the balance's steps that the rows' amounts explain, and all steps; zeros prove nothing."""
    if not balances:
        return 0, 0
    moved = map(sub, balances[1:], balances)
    expected = amounts[1:] if direction > 0 else list(map(neg, amounts[:-1]))
    explained = [amount for step, amount in zip(moved, expected, strict=True) if step == amount]
    return sum(map(bool, explained)), sum(map(bool, expected))


def explained_steps(amounts: list[int], balances: list[int]) -> int:
    """Count the steps of balances that amounts explain, from above or from below, where most are."""
    if len(amounts) != len(balances):
        return 0
    counted = [steps_explained(amounts, balances, direction) for direction in BOTH_WAYS]
    return max(explained if 2 * explained > steps else 0 for explained, steps in counted)


def explained_sizes(amounts: list[int], balances: list[int]) -> int:
    """Count the steps of balances that are as large as amounts, whichever way these go.

    From above or from below, where they prove which column has the amounts, else 0.
    """
    counted = _moved_sizes(amounts, balances)
    return max((index for index, steps in counted if is_proof(index, steps)), default=0)


def count_moves(amounts: list[int], balances: list[int]) -> int:
    """Count the steps of balances that are as large as amounts, be they a proof or not."""
    return max((explained for explained, _ in _moved_sizes(amounts, balances)), default=0)


def _moved_sizes(amounts: list[int], balances: list[int]) -> list[tuple[int, int]]:
    """The steps as large as amounts, and all steps, from above and from below."""
    if len(amounts) != len(balances):
        return []
    sizes = list(map(abs, amounts))
    steps = [abs(later - earlier) for earlier, later in pairwise(balances)]
    counted = []
    for expected in (sizes[1:], sizes[:-1]):
        moved = [(step, size) for step, size in zip(steps, expected, strict=True) if size or step]
        counted.append((sum(step == size for step, size in moved), len(moved)))
    return counted


_NAMES_OF_PAYMENTS = ("payment", "payments")


def take_turns(first: ColumnContents, second: ColumnContents) -> bool:
    """Say whether each row has money in just one of two columns."""
    return (
        any(first.has_money)
        and any(second.has_money)
        and first.has_money == [not is_filled for is_filled in second.has_money]
    )


def tell_more(out: ColumnContents, into: ColumnContents, amounts: ColumnContents) -> bool:
    """Say whether debits and credits tell more than a full column of amounts beside them.

    They do where that has no minus and each of its rows fills one of them: it prints their sizes again,
    or what was paid in a foreign currency.
    """
    if amounts.prints_minus or not amounts.has_all_numbers:
        return False
    rows = zip(out.has_money, into.has_money, amounts.has_money, strict=True)
    return any(amounts.has_money) and all(
        goes_out != comes_in if has_amount else not (goes_out or comes_in)
        for goes_out, comes_in, has_amount in rows
    )


def other_side(side: int, contents: Sequence[ColumnContents]) -> int | None:
    """Find the column of debits beside one of credits, or the other way round, by its contents alone.

    It is the only one that is filled where the `side` is blank, and has no name that is known, but
    for a word of amounts in it.
    """
    sides = [
        index
        for index, column in enumerate(contents)
        if index != side
        and column.is_money
        and not _is_named_side(column.name)
        and take_turns(contents[side], column)
    ]
    return sides[0] if len(sides) == 1 else None


def _is_named_side(name: ColumnName) -> bool:
    return name.is_exact("amount") or bool(name.meanings.keys() - {"amount"})


def sides_in_doubt(
    pair: tuple[int | None, int | None],
    sides: Sequence[Sequence[int]],
    contents: Sequence[ColumnContents],
) -> tuple[int, int] | None:
    """Two columns in turns of which the names do not say which one goes out, by their places.

    Both are named alike, or one of them has payments, which go out of a bank account and come in on a
    card, beside one without a known name. `pair` has the debits and the credits as far as they are
    known, `sides` all columns that are named debits, and all that are named credits.
    """
    debits, named_credits = sides
    for indices in () if debits and named_credits else (debits, named_credits):
        for first, second in combinations(sorted(indices), 2):
            if take_turns(contents[first], contents[second]):
                return first, second
    debit, credit = pair
    if debit is None or credit is None or credit in named_credits:
        return None
    is_of_payments = contents[debit].name.plain in _NAMES_OF_PAYMENTS
    return (min(debit, credit), max(debit, credit)) if is_of_payments else None


_MOST_NUMBERS = 8
_SEVERAL = 2
_NO_PROOF = (0, 0, 0)
_THOUSANDTHS = "BHD"
"""A currency of three decimals, in which no amount of any other one is rounded."""


class MoneyPlaces(NamedTuple):
    """Where the money stands: in one column of amounts, or in one of debits and one of credits."""

    amount: int | None = None
    debit: int | None = None
    credit: int | None = None
    balance: int | None = None


def find_amounts(
    contents: Sequence[ColumnContents],
    numbers: Sequence[int],
    balance: int | None,
    descriptions: Sequence[int],
    chosen: int | None,
) -> MoneyPlaces:
    """Find the amounts among columns of `numbers`, whose names say nothing; there is at least one.

    `balance` is the column that the header calls so, `chosen` the one that the person calls the amounts.
    Raises AmbiguousStatement, with a row's `descriptions` beside each choice, where nothing tells.
    """
    proven = _proven(contents, [index for index in numbers if index != balance], balance, chosen)
    if proven is not None:
        return proven
    turns = _in_turns(contents, numbers)
    if chosen is not None:
        pair = _pair_with(chosen, turns)
        return _as_pair(contents, pair, balance) if pair else MoneyPlaces(chosen, balance=balance)
    likely = [index for index in numbers if _may_be_amounts(contents[index])]
    likely += [
        index
        for index in numbers
        if index not in likely and _looks_like_balance(contents, index, likely)
    ]
    likely = sorted(likely) or list(numbers)
    if len(turns) == 1 and not _has_rivals(contents, turns[0], likely):
        return _as_pair(contents, turns[0], balance)
    signed = _signed(contents, likely, turns)
    if signed is not None:
        return signed
    full = [index for index in likely if contents[index].has_all_numbers] or likely
    paired = sorted({*full, *(index for pair in turns for index in pair)})
    if len(paired) == 1:
        return MoneyPlaces(paired[0], balance=balance)
    raise AmbiguousStatement(
        which_amounts(_telling(paired, turns) or paired, contents, descriptions)
    )


def _has_rivals(
    contents: Sequence[ColumnContents], pair: tuple[int, int], places: Sequence[int]
) -> bool:
    """Say whether a third column is full and does not move by the pair's amounts in every step."""
    first, second = map(_readings, map(contents.__getitem__, pair))
    moves = [list(map(sub, *readings)) for readings in zip(first, second, strict=True)]
    for index in places:
        if index not in pair and contents[index].has_all_numbers:
            steps = zip(moves, _readings(contents[index]), strict=True)
            explained = max(count_moves(amounts, balances) for amounts, balances in steps)
            if explained < contents[index].rows - 1:
                return True
    return False


def _pair_with(chosen: int, turns: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The pair of which a person names one column; of several, the one whose columns are neighbours."""
    pairs = [pair for pair in turns if chosen in pair]
    return min(pairs, key=lambda pair: pair[1] - pair[0], default=None)


def _telling(places: Sequence[int], turns: Sequence[tuple[int, int]]) -> list[int]:
    """Leave out a column that takes turns with several others: its name would not say with which."""
    return [index for index in places if sum(index in pair for pair in turns) < _SEVERAL]


def _signed(
    contents: Sequence[ColumnContents], places: Sequence[int], turns: Sequence[tuple[int, int]]
) -> MoneyPlaces | None:
    """The only signed column of some rows, or the only pair of which one has a minus throughout, if any.

    Prices, fees and counts have no minus, and a balance now and then: beside other pairs than those of
    numbers of cheques, the signed column may be one that is blank in some rows. It is none where another
    column explains some of its steps.
    """
    if contents[places[0]].rows < LEAST_STEPS:
        return None
    signed = [column for column in places if contents[column].prints_minus]
    if len(signed) != 1:
        return None
    (column,) = signed
    pairs = [pair for pair in turns if column in pair]
    beside = {column}.union(*pairs)
    is_moved = _looks_like_balance(
        contents, column, [index for index in places if index not in beside]
    )
    if pairs:
        others = {index for pair in turns for index in pair}.difference(*pairs)
        is_clear = len(pairs) == 1 and contents[column].is_negative and not is_moved
        is_clear = is_clear and all(contents[index].are_whole for index in others)
        return _as_pair(contents, pairs[0], None) if is_clear else None
    is_whole = contents[column].has_all_numbers and not is_moved
    return MoneyPlaces(column) if is_whole else None


def _looks_like_balance(
    contents: Sequence[ColumnContents], index: int, others: Sequence[int]
) -> bool:
    """Say whether the numbers of other columns explain a step of a column's, as those of a balance."""
    balances = _readings(contents[index])
    return any(
        count_moves(amounts, reading)
        for column in others
        for amounts, reading in zip(_readings(contents[column]), balances, strict=True)
    )


def _may_be_amounts(column: ColumnContents) -> bool:
    return not (column.is_filler or column.is_serial)


def which_amounts(
    places: Sequence[int],
    contents: Sequence[ColumnContents],
    descriptions: Sequence[int],
) -> Question:
    """The question which of several columns of numbers has the amounts."""
    choices = []
    for column in places:
        name = contents[column].name.text.strip()
        row = next(row for row, filled in enumerate(contents[column].by_row) if filled)
        texts = (contents[index].by_row[row] for index in descriptions)
        label = quoted(name) if name else f"Column {column + 1}"
        sample = " ".join(filter(None, (contents[column].by_row[row], *texts)))
        choices.append(Choice(name or str(column + 1), label, shortened(sample)))
    return Question(
        "amount_column",
        f"Which of these {len(places)} columns contains the amounts?",
        tuple(choices),
    )


def _as_pair(
    contents: Sequence[ColumnContents], pair: tuple[int, int], balance: int | None
) -> MoneyPlaces:
    debit, credit = sorted(pair, key=lambda index: not contents[index].prints_minus)
    return MoneyPlaces(debit=debit, credit=credit, balance=balance)


def _proven(
    contents: Sequence[ColumnContents],
    numbers: Sequence[int],
    balance: int | None,
    chosen: int | None,
) -> MoneyPlaces | None:
    """The amounts that the steps of a balance prove, whatever their signs; the clearest proof."""
    best, most = None, _NO_PROOF
    for sign in ".,":
        required = [index for index in (chosen, balance) if index is not None]
        places = [*numbers[:_MOST_NUMBERS], *required]
        sizes = {index: _converted(contents[index], sign) for index in dict.fromkeys(places)}
        for money, explained in _proofs(contents, sizes, balance):
            if explained > most and chosen in {None, money.amount, money.debit, money.credit}:
                best, most = money, explained
    return best


def _proofs(
    contents: Sequence[ColumnContents], numbers: Mapping[int, list[int]], balance: int | None
) -> Iterator[tuple[MoneyPlaces, tuple[int, int, int]]]:
    """Each choice of amounts and a balance that proves them.

    Beside it stands how many steps it explains, how many of them with the signs as printed, and how many
    rows move money: one end of a balance has no step, and one of two columns could miss its amount.
    """
    full = [index for index in numbers if contents[index].has_all_numbers]
    balances = full if balance is None else [balance]
    for before, amount in permutations(full, 2):
        for after in balances:
            is_other = after not in {before, amount}
            if is_other and _is_balance_by_row(numbers[before], numbers[amount], numbers[after]):
                rows = contents[amount].rows
                yield MoneyPlaces(amount, balance=after), (rows, rows, rows)
    for after in balances:
        for pair in _in_turns(contents, [index for index in numbers if index != after]):
            for debit, credit in (pair, pair[::-1]):
                if numbers[debit] and numbers[credit]:
                    moved = list(map(sub, map(abs, numbers[credit]), map(abs, numbers[debit])))
                    clarity = _clarity(moved, numbers[after])
                    yield MoneyPlaces(debit=debit, credit=credit, balance=after), clarity
        for amount in full:
            if amount != after:
                clarity = _clarity(numbers[amount], numbers[after])
                yield MoneyPlaces(amount, balance=after), clarity


def _clarity(amounts: list[int], balances: list[int]) -> tuple[int, int, int]:
    explained = explained_sizes(amounts, balances)
    if not explained:
        return _NO_PROOF
    return explained, explained_steps(amounts, balances), sum(map(bool, amounts))


def _in_turns(contents: Sequence[ColumnContents], money: Sequence[int]) -> list[tuple[int, int]]:
    pairs = combinations(money, 2)
    return [
        (first, second) for first, second in pairs if take_turns(contents[first], contents[second])
    ]


def _readings(column: ColumnContents) -> tuple[list[int], list[int]]:
    """A column's numbers with a decimal point and with a decimal comma."""
    return _converted(column, "."), _converted(column, ",")


def _converted(column: ColumnContents, sign: str) -> list[int]:
    """A column's numbers, a blank cell as 0; nothing where some cell is no number with that sign."""
    shapes = shapes_of(column.by_row)
    converter = AmountConverter(sign, _THOUSANDTHS)
    return converter.convert(column.by_row, shapes) if converter.knows(set(shapes)) else []


def _is_balance_by_row(before: list[int], amounts: list[int], after: list[int]) -> bool:
    """Say whether each row prints the balance before it, its amount, and the balance after it.

    Most rows begin where their neighbour ends: a net price, its tax and the whole add up, too.
    """
    if (
        not len(before) == len(amounts) == len(after) > 1
        or list(map(add, before, amounts)) != after
    ):
        return False
    below = sum(map(eq, after, before[1:]))
    above = sum(map(eq, before, after[1:]))
    return any(amounts) and 2 * max(below, above) >= len(amounts) - 1


def fullest_namesake(places: Sequence[int], contents: Sequence[ColumnContents]) -> int | None:
    """The first of the columns that may be the amounts, or one named just like it that is full.

    Banks print the amount in a foreign currency under the same name, in the rows that have one. A name
    that only has a word of amounts in it is of none where another one like that is the first with money.
    """
    if not places:
        return None
    if not contents[places[0]].name.is_exact("amount"):
        first = next((index for index in places if any(contents[index].has_money)), places[0])
        places = [first]
    namesakes = (index for index in places if contents[index].name == contents[places[0]].name)
    return next((index for index in namesakes if contents[index].has_all_numbers), places[0])


def less_fee(
    amount: int, others: Sequence[int], fees: Sequence[int], contents: Sequence[ColumnContents]
) -> int:
    """The column of `others` that has the amounts less a fee in each row, else `amount` itself.

    What is left when the fee is paid is what the account moves by.
    """
    for column, fee in product(others, fees):
        for sizes in zip(
            *map(_readings, map(contents.__getitem__, (amount, fee, column))), strict=True
        ):
            rows = list(zip(*sizes, strict=True)) if all(sizes) else []
            if any(taken for _, taken, _ in rows) and all(
                gross - abs(taken) == net for gross, taken, net in rows
            ):
                return column
    return amount


def refuse_cut_in_two(
    contents: Sequence[ColumnContents], money: Sequence[int], *, name_count: int
) -> None:
    """Refuse columns of `money` beside which their own cents seem to stand.

    None is cut off where the header names all columns, of which `name_count` have names.
    """
    for index in money:
        beside = contents[index + 1 : index + 2]
        is_named = name_count == len(contents) and any(column.name.text for column in beside)
        if beside and not is_named and contents[index].are_whole and beside[0].are_cents:
            raise UnreadableStatement(
                "Decimal commas seem to split the amounts, because commas also separate the"
                " columns. Export the table with semicolons between columns."
            )
