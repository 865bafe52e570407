"""Which way money goes where the file does not tell it: the person's word, or the question for it.

The question gives the ways that the words of a column may go, and rows of the file as a person knows
them, with the way that each goes in a reading.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from finplan.model.statement import FIRST_CAME_IN, FIRST_OWED, MARKS, PLAIN_WAYS
from finplan.statements.statement import AmbiguousStatement, Choice, Question, unneeded
from finplan.statements.table.balances import Steps
from finplan.statements.table.columns import Columns
from finplan.statements.table.marks import (
    Kinds,
    MarkedWay,
    Rows,
    all_one_way,
    comes_back_in,
    marks_agree,
    spoken,
    ways_of_kinds,
    ways_of_two,
    why_not_followed,
)
from finplan.statements.table.row_words import mark_of, word_in
from finplan.statements.table.signs import Orientation
from finplan.statements.table.words import ColumnName
from finplan.statements.text.descriptors import quoted

_DIGITS_OF_AN_AMOUNT = frozenset("123456789")


def example(columns: Columns, rows: Rows, column: int, *, minus: bool | None = None) -> str:
    """A row as a person knows it: its amount as it is printed, and what it was for."""
    for row in rows:
        printed = row[column].strip()
        is_signed = any(sign in printed for sign in "-−–(")
        if _DIGITS_OF_AN_AMOUNT.isdisjoint(printed) or minus not in (None, is_signed):
            continue
        text = " ".join(row[index].strip() for index in columns.descriptions if row[index].strip())
        return f"{printed} {quoted(text, 30)}" if text else printed
    return ""


def going(sample: str, way: str) -> str:
    """An example with its way, `in` or `out`; nothing where no row is an example."""
    return f"{sample} {way}" if sample else ""


def examples_by_words(columns: Columns, rows: Rows, index: int) -> Iterator[str]:
    """A row of each way that words tell by themselves, whatever is answered."""
    for way, side in ((1, "in"), (-1, "out")):
        sample = example(columns, [row for row in rows if spoken(columns, row) == way], index)
        if sample:
            yield f"{sample} {side}"


WAY_OF_AMOUNTS = "Is a positive amount in this file money out or money in?"
WAY_OF_COLUMNS = "Which of the two amount columns is money out?"
"""The questions on the sign of amounts, and on two columns."""

_HAVE_OR_OWE = "Is the balance in this file money you have or money you owe?"
BALANCE_RISES = f"{_HAVE_OR_OWE} The balance rises with most amounts."
BALANCE_OF_FEW = f"{_HAVE_OR_OWE} The file has too few lines to show this."
"""The questions on a balance that alone shows each amount's way."""

TAKEN_AS_DEBT = (
    "With this answer, the file's balance is money you owe, because spending raises it. If you have that"
    " money, change the answer."
)
TAKEN_AS_MONEY = (
    "With this answer, the file's balance is money you have, though its column header calls it a"
    " debt. If you owe that money, change the answer."
)
"""What a report says of a balance that an answer makes something unusual."""

_MOST_MARKED_WAYS = 4
_MOST_EXAMPLES = 3


def question_of_kinds(
    orientation: Orientation,
    columns: Columns,
    names: Sequence[ColumnName],
    rows: Rows,
    kinds: Kinds,
) -> Question:
    """Ask which way the open words of a column go; in words of the file where too many are open."""
    where = _name_column(names, kinds.column)
    opened = kinds.open_words
    tokens = opened or kinds.words
    choices = tuple(_by_words(columns, names, rows, ways_of_kinds(kinds), tokens, orientation))
    if not opened:
        text = f"Which words {where} mean money out?"
    else:
        do = "Does" if len(opened) == 1 else "Do"
        text = f"{do} {_listed(opened)} {where} mean money out or money in?"
    if not choices:
        choices = tuple(_one_way_or_other(columns, rows, kinds))
        text += (
            " If only some of the words mean money out, list those words: --direction"
            f" {MARKS}WORD,WORD."
        )
    return Question("direction", text, choices, words=kinds.words)


def _one_way_or_other(columns: Columns, rows: Rows, kinds: Kinds) -> Iterator[Choice]:
    """Offer that all open words go one way; where none is open, that all of them mean the opposite."""
    assert columns.amount is not None
    by_way: dict[int, list[Sequence[str]]] = {}
    for row in rows:
        by_way.setdefault(kinds.ways[word_in(row[kinds.column]).casefold()], []).append(row)
    if kinds.open_words:
        sample = example(columns, by_way.get(0, []), columns.amount)
        yield Choice(all_one_way(kinds, -1), "All money out", going(sample, "out"))
        yield Choice(all_one_way(kinds, 1), "All money in", going(sample, "in"))
        return
    out, into = (example(columns, by_way.get(way, []), columns.amount) for way in (-1, 1))
    for value, label, ways in (
        ("in", "Usual meanings", ("out", "in")),
        ("out", "Opposite meanings", ("in", "out")),
    ):
        samples = (going(out, ways[0]), going(into, ways[1]))
        yield Choice(value, label, "; ".join(filter(None, samples)))


def by_two_words(
    columns: Columns,
    names: Sequence[ColumnName],
    rows: Rows,
    orientation: Orientation | None = None,
) -> Iterator[Choice]:
    """Offer the columns that two words divide the rows by, each with either of them as money out."""
    ways = islice(ways_of_two(columns, names, rows), _MOST_MARKED_WAYS)
    for way in ways:
        tokens = (*way.out, *way.into)
        yield from _by_words(columns, names, rows, [way], tokens, orientation, names_column=True)


def _by_words(
    columns: Columns,
    names: Sequence[ColumnName],
    rows: Rows,
    ways: Iterable[MarkedWay],
    tokens: Sequence[str],
    orientation: Orientation | None,
    *,
    names_column: bool = False,
) -> Iterator[Choice]:
    """Offer ways to read a column of words, with a row for some of the words in `tokens`.

    `names_column` says that labels name the column, since the question does not. The `orientation` is
    what the usual meaning of the words makes of the balance.
    """
    assert columns.amount is not None
    for way in ways:
        samples = []
        for token in sorted(tokens[:_MOST_EXAMPLES], key=lambda text: text in way.into):
            own = [row for row in rows if word_in(row[way.column]).casefold() == token.casefold()]
            way_name = "in" if token in way.into else "out"
            samples.append(going(example(columns, own, columns.amount), way_name))
        where = _name_column(names, way.column)
        sides = ((way.out, "out"), (way.into, "in"))
        label = ", ".join(f"{_listed(group)} {side}" for group, side in sides if group)
        label += f" ({where})" if names_column else ""
        answered = orientation
        if orientation is not None and any(mark_of(token) > 0 for token in way.out):
            answered = replace(orientation, balance_sign=-orientation.balance_sign)
        label += "" if answered is None else if_owed(answered)
        yield Choice(way.value, label, "; ".join(filter(None, samples)))


def if_owed(answered: Orientation) -> str:
    """What an answer says besides, where by it the balance is a debt."""
    is_shown = answered.is_proven or answered.moves
    return "; balance owed" if is_shown and answered.balance_sign < 0 else ""


def _name_column(names: Sequence[ColumnName], index: int) -> str:
    name = names[index].text.strip()
    return f"in column {quoted(name)}" if name else f"in column {index + 1}"


def _listed(tokens: Sequence[str]) -> str:
    """Words in quotation marks, the last one after “and”."""
    *first, last = map(quoted, tokens)
    return f"{', '.join(first)} and {last}" if first else last


_WAYS = {"first:out": -1, FIRST_CAME_IN: 1, "out": -1, "negate": -1, "in": 1}
"""Which way rows without any sign go, or those that a balance does not show, by the person's word."""


def tells_way(orientation: Orientation, columns: Columns) -> bool:
    """Say whether the file itself says which way money goes; a single column of debits does."""
    has_one_side = columns.amount is None and None in (columns.debit, columns.credit)
    return orientation.is_told or columns.marks_are_said or has_one_side


def direction_unneeded(orientation: Orientation, columns: Columns, answer: str) -> str:
    """The sentence that the `answer` of the person decided nothing, and what did."""
    convention = orientation.convention
    if orientation.is_proven:
        why = "the running balance proves which amounts are money in"
    elif convention.marked:
        why = "the file marks each row as money in or money out"
    elif columns.amount is None and None in (columns.debit, columns.credit):
        only = "money in" if columns.debit is None else "money out"
        why = f"the file only has a column for {only}"
    elif columns.amount is None:
        why = "the file has separate columns for money in and money out"
    else:
        why = "the file's signs and words show which amounts are money in"
    if convention.stepped:
        is_followed = _WAYS.get(answer) == convention.unstepped
    elif answer.startswith(MARKS):
        is_followed = convention.marked and marks_agree(answer, columns.mark_ways)
    elif columns.debit is not None and columns.credit is not None:
        is_followed = (
            _follow_answer(orientation, columns, outward=answer != "in").convention.debit
            == convention.debit
        )
    elif columns.amount is None:
        is_followed = _WAYS.get(answer) == (1 if columns.debit is None else -1)
    else:
        is_followed = not convention.marked and convention.credit == _WAYS.get(answer)
    return unneeded("direction", answer, why, is_followed=is_followed)


def decide(
    orientation: Orientation,
    columns: Columns,
    names: Sequence[ColumnName],
    rows: Rows,
    steps: Steps,
    answer: str | None,
    kinds: Kinds | None,
) -> Orientation:
    """What the file tells, else what the person said. Raises AmbiguousStatement where neither does.

    `steps` are what a balance shows of the `rows` where it alone shows their way; `kinds` the words by
    which all of them may go.
    """
    if tells_way(orientation, columns):
        return orientation
    if orientation.convention.stepped and not orientation.convention.unstepped:
        if answer in _WAYS or answer == FIRST_OWED:
            return _follow_balance_answer(orientation, steps, answer)
        raise AmbiguousStatement(_question_of_balance(orientation, columns, steps))
    unshown = [step.row for step in steps.unshown]
    if orientation.convention.stepped:
        if answer in _WAYS:
            return _unstepped(orientation, _WAYS[answer])
        raise AmbiguousStatement(_question_of_unshown(columns, names, rows, unshown))
    if answer in PLAIN_WAYS:
        answered = _follow_answer(orientation, columns, outward=answer != "in")
        column = columns.amount if not answered.convention.marked else None
        if column is not None and not example(columns, rows, column, minus=True):
            # An answer about amounts without any sign leaves each row the word that it says itself.
            convention = replace(
                answered.convention, credit=1, worded=True, unstepped=answered.convention.credit
            )
            return replace(answered, convention=convention)
        return answered
    question = _question_of_way(orientation, columns, names, rows, kinds)
    why = why_not_followed(columns, rows, answer, kinds)
    raise AmbiguousStatement(replace(question, text=f"{why}{question.text}"))


def _follow_balance_answer(
    orientation: Orientation, steps: Steps, answer: str | None
) -> Orientation:
    """What raises the balance came in, or was spent where it is owed.

    Typed `out` means that it was where more rows raise it than lower it.
    """
    is_owed = answer == FIRST_OWED or (answer in ("out", "negate") and steps.rises)
    answered = _unstepped(orientation, _WAYS.get(answer or "", -1))
    return replace(answered, balance_sign=-orientation.balance_sign) if is_owed else answered


def _question_of_balance(orientation: Orientation, columns: Columns, steps: Steps) -> Question:
    """Ask whether a balance is what is there or a debt, and which way the first row goes if open."""
    moved = [step for step in (steps.risen, steps.fallen) if step is not None]
    ways = ["in"] * (steps.risen is not None) + ["out"] * (steps.fallen is not None)
    turned = ["out" if way == "in" else "in" for way in ways]
    first = [step.row for step in steps.unshown[:1]]
    text = BALANCE_RISES if orientation.is_proven else BALANCE_OF_FEW
    have, owe = "Money you have", "Money you owe"
    readings = [
        (FIRST_CAME_IN, f"{have}, oldest in", ["in", *ways]),
        ("first:out", f"{have}, oldest out", ["out", *ways]),
        (FIRST_OWED, f"{owe}, oldest out", ["out", *turned]),
    ]
    if not first:
        readings = [(FIRST_CAME_IN, have, ways), (FIRST_OWED, owe, turned)]
    return Question(
        "direction",
        text,
        tuple(
            Choice(value, label, _read_as(columns, [*first, *moved], reading))
            for value, label, reading in readings
        ),
    )


def _read_as(columns: Columns, rows: Rows, ways: Sequence[str]) -> str:
    """Some rows, each with the way that it goes in one reading."""
    assert columns.amount is not None
    samples = [example(columns, [row], columns.amount) for row in rows]
    return "; ".join(f"{row} {way}" for row, way in zip(samples, ways, strict=True))


def _unstepped(orientation: Orientation, way: int) -> Orientation:
    convention = replace(orientation.convention, unstepped=way)
    return replace(orientation, convention=convention, is_told=True)


def _follow_answer(orientation: Orientation, columns: Columns, *, outward: bool) -> Orientation:
    if columns.debit is not None and columns.credit is not None:
        if outward == (columns.debit < columns.credit):
            return replace(orientation, is_told=True)
        usual = orientation.convention
        turned = replace(usual, credit=-usual.credit, debit=-usual.debit)
        sign = -orientation.balance_sign if orientation.is_proven else orientation.balance_sign
        return replace(orientation, convention=turned, balance_sign=sign, is_told=True)
    sign = -1 if outward else 1
    usual = orientation.convention
    # A balance that shows nothing of the way is what is printed, but for that of a card.
    unmoved = orientation.balance_sign if usual.credit == sign else 1
    balance_sign = sign * orientation.moves or unmoved
    convention = replace(usual, credit=sign)
    return replace(orientation, convention=convention, balance_sign=balance_sign, is_told=True)


def balance_turned(orientation: Orientation, answered: Orientation, *, is_owed: bool) -> str:
    """The sentence that a balance is another thing than it is called, as an answer has it; else none.

    `is_owed` says that the names calls it a debt. Of rows that it shows by itself, only an answer
    that turns it is meant.
    """
    usual = -1 if is_owed else 1
    is_known = orientation.is_proven or orientation.moves or orientation.convention.stepped
    was_so = orientation.convention.stepped and orientation.balance_sign == answered.balance_sign
    if answered.balance_sign == usual or was_so or not is_known:
        return ""
    return TAKEN_AS_MONEY if is_owed else TAKEN_AS_DEBT


def _question_of_unshown(
    columns: Columns, names: Sequence[ColumnName], rows: Rows, unshown: Rows
) -> Question:
    assert columns.amount is not None
    samples = [example(columns, [row], columns.amount) for row in unshown[:_MOST_EXAMPLES]]
    is_one, is_whole = len(unshown) == 1, len(unshown) <= _MOST_EXAMPLES
    these = " and ".join(filter(None, (", ".join(samples[:-1]), samples[-1])))
    if not is_whole:
        these = f"these {len(unshown)} amounts, such as {samples[0]},"
    text = (
        f"{'Is' if is_one else 'Are'} {these} money out or money in? The balance shows the"
        " direction of all other amounts."
    )
    spent, came = ("Money out", "Money in") if is_one else ("All money out", "All money in")
    # Of several such rows, marks may say that each goes its own way.
    marks = () if is_one else by_two_words(columns, names, rows)
    return Question(
        "direction",
        text,
        (
            *marks,
            Choice("first:out", spent, f"{samples[0]} out"),
            Choice(FIRST_CAME_IN, came, f"{samples[0]} in"),
        ),
    )


def _question_of_way(
    orientation: Orientation,
    columns: Columns,
    names: Sequence[ColumnName],
    rows: Rows,
    kinds: Kinds | None,
) -> Question:
    owed_if = {
        outward: if_owed(_follow_answer(orientation, columns, outward=outward))
        for outward in (True, False)
    }
    if columns.amount is None:
        assert columns.debit is not None
        assert columns.credit is not None
        places = sorted((columns.debit, columns.credit))
        first, second = (example(columns, rows, index) for index in places)
        return Question(
            "direction",
            WAY_OF_COLUMNS,
            (
                Choice(
                    "out",
                    f"The first{owed_if[True]}",
                    _both_ways(first, "out", second, "in"),
                ),
                Choice(
                    "in",
                    f"The second{owed_if[False]}",
                    _both_ways(first, "in", second, "out"),
                ),
            ),
        )
    if kinds is not None:
        return question_of_kinds(orientation, columns, names, rows, kinds)
    marks = tuple(by_two_words(columns, names, rows, orientation))
    silent = [row for row in rows if not spoken(columns, row)]
    spent = [row for row in silent if not comes_back_in(columns, row, is_card=False)]
    plain = example(columns, spent or silent or rows, columns.amount, minus=False)
    signed = example(columns, rows, columns.amount, minus=True)
    if not plain:
        plain, signed = signed, ""
    by_words = () if signed else tuple(examples_by_words(columns, rows, columns.amount))
    returned = [row for row in silent if comes_back_in(columns, row, is_card=False)]
    back = "" if signed else example(columns, returned, columns.amount)
    samples = [
        "; ".join(filter(None, [_both_ways(plain, way, signed, opposite), *by_words]))
        for way, opposite in (("out", "in"), ("in", "out"))
    ]
    if back:
        samples[0] += f"; {back} in"
    return Question(
        "direction",
        WAY_OF_AMOUNTS,
        (
            Choice("out", f"Money out{owed_if[True]}", samples[0]),
            Choice("in", f"Money in{owed_if[False]}", samples[1]),
            *([] if signed else marks),
        ),
    )


def _both_ways(first: str, its_way: str, second: str, other_way: str) -> str:
    """Two rows with their ways, as far as there are examples of them."""
    return "; ".join(filter(None, (going(first, its_way), going(second, other_way))))
