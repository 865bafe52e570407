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
    are_known_as_said,
    comes_back_in,
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


def example(columns: Columns, rows: Rows, place: int, *, minus: bool | None = None) -> str:
    """A row as a person knows it: its amount as it is printed, and what it was for."""
    for row in rows:
        printed = row[place].strip()
        is_signed = any(sign in printed for sign in "-−–(")
        if _DIGITS_OF_AN_AMOUNT.isdisjoint(printed) or minus not in (None, is_signed):
            continue
        text = " ".join(row[each].strip() for each in columns.descriptions if row[each].strip())
        return f"{printed} {quoted(text, 30)}" if text else printed
    return ""


def going(shown: str, way: str) -> str:
    """An example with its way, `in` or `out`; nothing where no row is an example."""
    return f"{shown} {way}" if shown else ""


def examples_by_words(columns: Columns, rows: Rows, place: int) -> Iterator[str]:
    """A row of each way that words tell by themselves, whatever is answered."""
    for way, named in ((1, "in"), (-1, "out")):
        told = example(columns, [row for row in rows if spoken(columns, row) == way], place)
        if told:
            yield f"{told} {named}"


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
    where = _where_asked(names, kinds.place)
    opened = kinds.open_words
    shown = opened or kinds.words
    choices = tuple(_by_words(columns, names, rows, ways_of_kinds(kinds), shown, orientation))
    if not opened:
        text = f"Nothing says for sure which word {where} means money out."
    else:
        are = "is" if len(opened) == 1 else "are"
        named = where.removeprefix("in ")
        text = (
            f"{named[0].upper()}{named[1:]} says what each row is, but not whether {_listed(opened)}"
            f" {are} money out or money in."
        )
    if not choices:
        choices = tuple(_one_way_or_other(columns, rows, kinds))
        text += (
            f" If only some are, list the words of money out, as in --direction {MARKS}WORD,WORD."
        )
    return Question("direction", text, choices, words=kinds.words)


def _one_way_or_other(columns: Columns, rows: Rows, kinds: Kinds) -> Iterator[Choice]:
    """Offer that all open words go one way; where none is open, that all of them mean the opposite."""
    assert columns.amount is not None
    by_way: dict[int, list[Sequence[str]]] = {}
    for row in rows:
        by_way.setdefault(kinds.ways[word_in(row[kinds.place]).casefold()], []).append(row)
    if kinds.open_words:
        sample = example(columns, by_way.get(0, []), columns.amount)
        yield Choice(all_one_way(kinds, -1), "all of these rows were spent", going(sample, "out"))
        yield Choice(all_one_way(kinds, 1), "all of these rows came in", going(sample, "in"))
        return
    out, into = (example(columns, by_way.get(way, []), columns.amount) for way in (-1, 1))
    for value, label, ways in (
        ("in", "the words mean what they usually do", ("out", "in")),
        ("out", "each word means the opposite", ("in", "out")),
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
        yield from _by_words(columns, names, rows, [way], (*way.out, *way.into), orientation)


def _by_words(
    columns: Columns,
    names: Sequence[ColumnName],
    rows: Rows,
    ways: Iterable[MarkedWay],
    shown: Sequence[str],
    orientation: Orientation | None,
) -> Iterator[Choice]:
    """Offer ways to read a column of words, with a row for some of the words `shown`.

    The `orientation` is what the usual meaning of the words makes of the balance.
    """
    assert columns.amount is not None
    for way in ways:
        samples = []
        for word in sorted(shown[:_MOST_EXAMPLES], key=lambda each: each in way.into):
            own = [row for row in rows if word_in(row[way.place]).casefold() == word.casefold()]
            named = "in" if word in way.into else "out"
            samples.append(going(example(columns, own, columns.amount), named))
        where = _where_asked(names, way.place)
        label = f"{_listed(way.out or way.into)} {where} {_meaning_of(way.out or way.into)} money "
        label += "out" if way.out else "in"
        if way.out and way.into:
            label += f", {_listed(way.into)} money in"
        answered = orientation
        if orientation is not None and any(mark_of(word) > 0 for word in way.out):
            answered = replace(orientation, balance_sign=-orientation.balance_sign)
        label += "" if answered is None else if_owed(answered)
        yield Choice(way.value, label, "; ".join(filter(None, samples)))


def if_owed(answered: Orientation) -> str:
    """What an answer says besides, where by it the balance is a debt."""
    is_shown = answered.is_proven or answered.moves
    return ", and the balance is what you owe" if is_shown and answered.balance_sign < 0 else ""


def _where_asked(names: Sequence[ColumnName], place: int) -> str:
    name = names[place].text.strip()
    return f"in {quoted(name)}" if name else f"in column {place + 1}"


def _meaning_of(words: Sequence[str]) -> str:
    return "means" if len(words) == 1 else "mean"


def _listed(words: Sequence[str]) -> str:
    """Words in quotation marks, the last one after “and”."""
    *first, last = map(quoted, words)
    return f"{', '.join(first)} and {last}" if first else last


_WAYS = {"first:out": -1, FIRST_CAME_IN: 1, "out": -1, "negate": -1, "in": 1}
"""Which way rows without any sign go, or those that a balance does not show, by the person's word."""


def is_told(orientation: Orientation, columns: Columns) -> bool:
    """Say whether the file itself says which way money goes; a single column of debits does."""
    has_one_side = columns.amount is None and None in (columns.debit, columns.credit)
    return orientation.is_told or columns.marks_are_said or has_one_side


def direction_unneeded(orientation: Orientation, columns: Columns, said: str) -> str:
    """The sentence that what the person `said` decided nothing, and what did."""
    convention = orientation.convention
    if orientation.is_proven:
        why = "a running balance proves which way money goes"
    elif convention.marked:
        why = "the file marks each row as money in or money out"
    elif columns.amount is None and None in (columns.debit, columns.credit):
        only = "money in" if columns.debit is None else "money out"
        why = f"the file has a column for {only} alone"
    elif columns.amount is None:
        why = "the file has columns of their own for money in and money out"
    else:
        why = "the signs and the words of the file tell which way money goes"
    if convention.stepped:
        is_followed = _WAYS.get(said) == convention.unstepped
    elif said.startswith(MARKS):
        is_followed = convention.marked and are_known_as_said(said, columns.mark_ways)
    elif columns.debit is not None and columns.credit is not None:
        is_followed = (
            _as_said(orientation, columns, outward=said != "in").convention.debit
            == convention.debit
        )
    elif columns.amount is None:
        is_followed = _WAYS.get(said) == (1 if columns.debit is None else -1)
    else:
        is_followed = not convention.marked and convention.credit == _WAYS.get(said)
    return unneeded("direction", said, why, is_followed=is_followed)


def decide(
    orientation: Orientation,
    columns: Columns,
    names: Sequence[ColumnName],
    rows: Rows,
    steps: Steps,
    said: str | None,
    kinds: Kinds | None,
) -> Orientation:
    """What the file tells, else what the person said. Raises AmbiguousStatement where neither does.

    `steps` are what a balance shows of the `rows` where it alone shows their way; `kinds` the words by
    which all of them may go.
    """
    if is_told(orientation, columns):
        return orientation
    if orientation.convention.stepped and not orientation.convention.unstepped:
        if said in _WAYS or said == FIRST_OWED:
            return _as_balance_said(orientation, steps, said)
        raise AmbiguousStatement(_question_of_balance(orientation, columns, steps))
    unshown = [each.row for each in steps.unshown]
    if orientation.convention.stepped:
        if said in _WAYS:
            return _unstepped(orientation, _WAYS[said])
        raise AmbiguousStatement(_question_of_unshown(columns, names, rows, unshown))
    if said in PLAIN_WAYS:
        found = _as_said(orientation, columns, outward=said != "in")
        place = columns.amount if not found.convention.marked else None
        if place is not None and not example(columns, rows, place, minus=True):
            # An answer about amounts without any sign leaves each row the word that it says itself.
            convention = replace(
                found.convention, credit=1, worded=True, unstepped=found.convention.credit
            )
            return replace(found, convention=convention)
        return found
    question = _question_of_way(orientation, columns, names, rows, kinds)
    why = why_not_followed(columns, rows, said, kinds)
    raise AmbiguousStatement(replace(question, text=f"{why}{question.text}"))


def _as_balance_said(orientation: Orientation, steps: Steps, said: str | None) -> Orientation:
    """What raises the balance came in, or was spent where it is owed.

    Typed `out` means that it was where more rows raise it than lower it.
    """
    is_owed = said == FIRST_OWED or (said in ("out", "negate") and steps.rises)
    found = _unstepped(orientation, _WAYS.get(said or "", -1))
    return replace(found, balance_sign=-orientation.balance_sign) if is_owed else found


def _question_of_balance(orientation: Orientation, columns: Columns, steps: Steps) -> Question:
    """Ask whether a balance is what is there or a debt, and which way the first row goes if open."""
    moved = [each for each in (steps.risen, steps.fallen) if each is not None]
    ways = ["in"] * (steps.risen is not None) + ["out"] * (steps.fallen is not None)
    turned = ["out" if way == "in" else "in" for way in ways]
    first = [each.row for each in steps.unshown[:1]]
    text = (
        "The balance rises by most amounts: it is what you have, or what you owe."
        if orientation.is_proven
        else "The balance moves by each amount, but so few rows do not show whether it is what you have"
        " or what you owe."
    )
    first_in, first_out = ", and the first row came in", ", and the first row was spent"
    readings = [
        (FIRST_CAME_IN, f"what you have{first_in}", ["in", *ways]),
        ("first:out", f"what you have{first_out}", ["out", *ways]),
        (FIRST_OWED, f"what you owe{first_out}", ["out", *turned]),
    ]
    if not first:
        readings = [(FIRST_CAME_IN, "what you have", ways), (FIRST_OWED, "what you owe", turned)]
    return Question(
        "direction",
        text,
        tuple(
            Choice(value, label, _read_as(columns, [*first, *moved], each))
            for value, label, each in readings
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


def _as_said(orientation: Orientation, columns: Columns, *, outward: bool) -> Orientation:
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
    if is_owed:
        return (
            "As that is answered, what comes in raises the balance, which is called a debt and is taken"
            " for what you have. If it is a debt, the answer is wrong."
        )
    return (
        "As that is answered, what is spent raises the balance, so it is taken for what you owe. If it"
        " is what you have, the answer is wrong."
    )


def _question_of_unshown(
    columns: Columns, names: Sequence[ColumnName], rows: Rows, unshown: Rows
) -> Question:
    assert columns.amount is not None
    samples = [example(columns, [row], columns.amount) for row in unshown[:_MOST_EXAMPLES]]
    is_one, is_whole = len(unshown) == 1, len(unshown) <= _MOST_EXAMPLES
    these = ", ".join(samples) if is_whole else f"{len(unshown)} of them, such as {samples[0]}"
    text = f"The balance shows which way each amount went, except for {these}."
    spent, came = ("it was spent", "it came in") if is_one else ("they were spent", "they came in")
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
        outward: if_owed(_as_said(orientation, columns, outward=outward))
        for outward in (True, False)
    }
    if columns.amount is None:
        assert columns.debit is not None
        assert columns.credit is not None
        places = sorted((columns.debit, columns.credit))
        first, second = (example(columns, rows, each) for each in places)
        return Question(
            "direction",
            "Nothing says which of the two columns of amounts is money going out.",
            (
                Choice(
                    "out",
                    f"the first one is money out{owed_if[True]}",
                    _both_ways(first, "out", second, "in"),
                ),
                Choice(
                    "in",
                    f"the second one is money out{owed_if[False]}",
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
    without = "an amount without a minus" if signed else "amounts"
    verbs = ("was spent", "came in") if signed else ("were spent", "came in")
    by_words = () if signed else tuple(examples_by_words(columns, rows, columns.amount))
    returned = [row for row in silent if comes_back_in(columns, row, is_card=False)]
    back = "" if signed else example(columns, returned, columns.amount)
    samples = [
        "; ".join(filter(None, [_both_ways(plain, way, signed, other), *by_words]))
        for way, other in (("out", "in"), ("in", "out"))
    ]
    if back:
        samples[0] += f"; {back} in"
    return Question(
        "direction",
        "Nothing says whether the amounts are money going out or money coming in.",
        (
            Choice("out", f"{without} {verbs[0]}{owed_if[True]}", samples[0]),
            Choice("in", f"{without} {verbs[1]}{owed_if[False]}", samples[1]),
            *([] if signed else marks),
        ),
    )


def _both_ways(one: str, its_way: str, other: str, other_way: str) -> str:
    """Two rows with their ways, as far as there are examples of them."""
    return "; ".join(filter(None, (going(one, its_way), going(other, other_way))))
