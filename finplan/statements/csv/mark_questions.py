"""The question which way the words of a column go, with the ways that they may."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from finplan.statements.csv.examples import example, going
from finplan.statements.csv.marks import (
    MARKS,
    Kinds,
    MarkedWay,
    Rows,
    all_one_way,
    ways_of_kinds,
    ways_of_two,
)
from finplan.statements.statement import Choice, Question
from finplan.statements.table.columns import Columns
from finplan.statements.table.row_words import mark_of, word_in
from finplan.statements.table.signs import Orientation
from finplan.statements.text.descriptors import quoted

_MOST_MARKED_WAYS = 4
_MOST_EXAMPLES = 3


def question_of_kinds(
    orientation: Orientation,
    columns: Columns,
    header: Sequence[str],
    rows: Rows,
    kinds: Kinds,
) -> Question:
    """Ask which way the open words of a column go; in words of the file where too many are open."""
    where = _where(header, kinds.place)
    opened = kinds.open_words
    shown = opened or kinds.words
    choices = tuple(_by_words(columns, header, rows, ways_of_kinds(kinds), shown, orientation))
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
    columns: Columns, header: Sequence[str], rows: Rows, orientation: Orientation | None = None
) -> Iterator[Choice]:
    """Offer the columns that two words divide the rows by, each with either of them as money out."""
    ways = islice(ways_of_two(columns, header, rows), _MOST_MARKED_WAYS)
    for way in ways:
        yield from _by_words(columns, header, rows, [way], (*way.out, *way.into), orientation)


def _by_words(
    columns: Columns,
    header: Sequence[str],
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
        where = _where(header, way.place)
        label = f"{_listed(way.out or way.into)} {where} {_means(way.out or way.into)} money "
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


def _where(header: Sequence[str], place: int) -> str:
    name = header[place].strip() if place < len(header) else ""
    return f"in {quoted(name)}" if name else f"in column {place + 1}"


def _means(words: Sequence[str]) -> str:
    return "means" if len(words) == 1 else "mean"


def _listed(words: Sequence[str]) -> str:
    """Words in quotation marks, the last one after “and”."""
    *first, last = map(quoted, words)
    return f"{', '.join(first)} and {last}" if first else last
