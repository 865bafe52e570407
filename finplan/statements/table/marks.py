"""A column whose words say which way each row goes: by what is known of them, or the person's word.

Beside it stand what a row's own words say of the way that its money goes, and refunds that a payment
app marks as neither income nor expense, though the purchase was an expense.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

from finplan.model.statement import LONGEST_MARKS, MARKS, PLAIN_WAYS
from finplan.statements.table import row_words
from finplan.statements.table.columns import Columns
from finplan.statements.table.table import Table
from finplan.statements.table.texts import is_of_something_else
from finplan.statements.table.words import ColumnName
from finplan.statements.text.descriptors import quoted


def spoken(columns: Columns, row: Sequence[str]) -> int:
    """Say which way a row's own words say that its money goes: 1 in, -1 out, 0 when they do not."""
    kind = row[columns.type] if columns.type is not None else ""
    return row_words.spoken_direction(kind, " ".join(row[index] for index in columns.descriptions))


def comes_back_in(columns: Columns, row: Sequence[str], *, is_card: bool) -> bool:
    """Say whether a row's words say that it came in where all other rows were spent."""
    return any(row_words.comes_back(row[index], is_card=is_card) for index in columns.descriptions)


_REFUND = "退款"
_ORDER_NUMBER = "单号"
_PART_OF_A_REFUND = re.compile("[_*]")
"""What parts the number of a purchase from that of its refund."""


class NeutralRefunds:
    """Tells which neutral rows give back a purchase that the file counts as spent.

    A refund names the number of its purchase. Where that is closed, so that it does not count, or is not
    in the file, nothing shows that the money was ever counted, and the refund is none either.
    """

    def __init__(self, table: Table, columns: Columns) -> None:
        self._table = table
        self._columns = columns
        self._numbers = [index for index, name in enumerate(table.header) if _ORDER_NUMBER in name]

    def has(self, row: Sequence[str]) -> bool:
        """Say whether a neutral row is such a refund."""
        if not any(_REFUND in cell for cell in row):
            return False
        return any(number in self._spent for number in self._numbers_of(row))

    @cached_property
    def _spent(self) -> frozenset[str]:
        """The numbers of all purchases that count, which takes another pass over the file."""
        columns, numbers = self._columns, set[str]()
        for cells in self._table.chunks():
            for row in cells.rows:
                is_spent = columns.mark is not None and row_words.mark_of(row[columns.mark]) < 0
                if is_spent and not self._is_declined(row):
                    numbers.update(self._numbers_of(row))
        return frozenset(numbers)

    def _is_declined(self, row: Sequence[str]) -> bool:
        index = self._columns.status
        return index is not None and row_words.status_of(row[index]) == "declined"

    def _numbers_of(self, row: Sequence[str]) -> Iterator[str]:
        for index in self._numbers:
            number = _PART_OF_A_REFUND.split(row[index].strip())[0]
            if any(map(str.isdigit, number)):
                yield number


Rows = Sequence[Sequence[str]]

_MOST_WORDS, _LONGEST_WORD = 20, 40
_LONGEST_MARK = 20
_MOST_OPEN = 2
"""How many open words are offered with each way that they may go; one more doubles the choices."""

_SHORTEST_NAME = 3
"""“S” and “ut” mean a way only where a column holds nothing but marks."""

_LIKE_A_CODE = re.compile(r"\d{3,}|.*(?:\D\d|\d\D).*")
"""A number of an account or a card, or a word with digits; a digit or two may stand for a way."""

_PARTED = re.compile("[,/]")
_MARKING = frozenset(["mark", "type"])
_SORTING = ("categor", "kategor", "категор", "tag", "label")
"""Beginnings of what sorts rows by what was bought, which is silent on where the money went."""


class Kinds(NamedTuple):
    """The column in which a bank says what each row is, and which way rows with each word go.

    `ways` has the words in small letters, as they come in the file: 1 in, -1 out, 0 where nothing tells;
    `words` has them as they are printed.
    """

    column: int
    ways: Mapping[str, int]
    words: tuple[str, ...]

    @property
    def open_words(self) -> list[str]:
        """The words of which nothing tells the way."""
        return [token for token in self.words if not self.ways[token.casefold()]]


class MarkedWay(NamedTuple):
    """One way to read a column: the words of money out, and those of money in."""

    column: int
    out: tuple[str, ...]
    into: tuple[str, ...]

    @property
    def value(self) -> str:
        """The answer that means it; it lists all words, since another file may have further ones."""
        into = f"/{','.join(self.into)}" if self.into else ""
        return f"{MARKS}{','.join(self.out)}{into}"

    @property
    def is_answerable(self) -> bool:
        """Whether the answer is short enough to be given."""
        return len(self.value) <= len(MARKS) + LONGEST_MARKS


def kinds_in(
    columns: Columns, names: Sequence[ColumnName], rows: Iterable[Rows], *, is_card: bool
) -> Kinds | None:
    """Find the column of marks or types by whose words rows without a sign may go, None without one.

    It has few words, one in each row of all runs of `rows`, and of one of them at least it is known
    which way it goes, here or on a card.
    """
    places = [
        index
        for index in dict.fromkeys((columns.mark, columns.type))
        if index is not None and not _sorts(names[index])
    ]
    by_column: dict[int, dict[str, str]] = {index: {} for index in places}
    for run in rows if places else ():
        for index, spellings in by_column.items():
            if len(spellings) <= _MOST_WORDS:
                spellings |= {
                    token.casefold(): token
                    for token in dict.fromkeys(row_words.word_in(row[index]) for row in run)
                }
    for index, spellings in by_column.items():
        tokens = () if "" in spellings else tuple(spellings.values())
        if not 0 < len(tokens) <= _MOST_WORDS or max(map(len, tokens)) > _LONGEST_WORD:
            continue
        shortest = 1 if index == columns.mark else _SHORTEST_NAME
        ways = {token.casefold(): _way_of(token, shortest, is_card=is_card) for token in tokens}
        if not is_card and any(map(row_words.is_sale, tokens)):
            # Sales may be a shop's own, of which refunds go out.
            ways = {token: min(way, 0) for token, way in ways.items()}
        if any(ways.values()) or any(
            row_words.direction_of_kind(token, is_card=True) for token in tokens
        ):
            return Kinds(index, ways, tokens)
    return None


def with_marks(columns: Columns, rows: Rows, answer: str | None, kinds: Kinds | None) -> Columns:
    """Read by the person's word the column in which it stands; unchanged where none is meant.

    A word that is not listed goes the way that is known of it, else in. Where only some words of
    `kinds` are open, `in` and `out` are about these.
    """
    if answer in PLAIN_WAYS and kinds is not None and kinds.open_words:
        way = 1 if answer == "in" else -1
        ways = {token: sign or way for token, sign in kinds.ways.items()}
        return replace(columns, mark=kinds.column, mark_ways=ways, marks_are_said=True)
    for index, tokens in _meant(columns, rows, answer, kinds):
        out, into = _listed_ways(answer, tokens)
        known_ways = kinds.ways if kinds is not None and kinds.column == index else {}
        if any(known_ways.get(token, 0) > 0 for token in out):
            # Who says of a known word that it goes the other way reads the column the other way.
            known_ways = {}
        ways = {token: known_ways.get(token) or 1 for token in map(str.casefold, tokens)}
        ways |= dict.fromkeys(into, 1) | dict.fromkeys(out, -1)
        return replace(columns, mark=index, mark_ways=ways, marks_are_said=True)
    return columns


def names_all(answer: str | None, tokens: Sequence[str]) -> bool:
    """Say whether an answer says of each of some words which way it goes."""
    out, into = _listed_ways(answer, tokens)
    return bool(tokens) and out | into >= set(map(str.casefold, tokens))


def marks_agree(answer: str, ways: Mapping[str, int] | None) -> bool:
    """Say whether each word that the person lists is known to go the way that is said of it."""
    out, into = _listed_ways(answer, list(ways or ()))
    known_ways = ways or {}
    return all((known_ways.get(token) or row_words.mark_of(token)) < 0 for token in out) and all(
        (known_ways.get(token) or row_words.mark_of(token)) > 0 for token in into
    )


def why_not_followed(columns: Columns, rows: Rows, answer: str | None, kinds: Kinds | None) -> str:
    """The sentence that says why the words that the person listed decide nothing; empty without any."""
    if answer is None or not answer.startswith(MARKS):
        return ""
    for index in _few_words(columns, rows):
        out, into = _listed_ways(answer, tokens := _words_in(rows, index))
        missing = [token for token in tokens if token.casefold() not in out | into]
        if into and missing and (out | into) & set(map(str.casefold, tokens)):
            return f"{quoted(answer)} does not list {_joined_words(missing)}. "
    label = quoted(answer.removeprefix(MARKS))
    if kinds is not None:
        return f"{label} is not one of the words {_joined_words(kinds.words)}. "
    return f"No column with a few repeated words contains {label}. "


def ways_of_kinds(kinds: Kinds) -> list[MarkedWay]:
    """The ways that the words of a column may go, the likeliest first; none where too many are open.

    Open words that go one way on a card go so together, or all the other way.
    """
    opened = kinds.open_words
    if not opened:
        ways = [tuple(kinds.ways.values()), tuple(-way for way in kinds.ways.values())]
        turned = [_marked(kinds, kinds.words, way) for way in ways]
        return [way for way in turned if way.is_answerable]
    likely = [row_words.direction_of_kind(token, is_card=True) for token in opened]
    on_card = tuple(way or -1 for way in likely)
    guesses = [on_card, tuple(-way for way in on_card)]
    if len(opened) <= _MOST_OPEN:
        guesses += product((-1, 1), repeat=len(opened))
    elif not all(likely):
        return []
    marked = [_marked(kinds, opened, signs) for signs in dict.fromkeys(guesses)]
    return [way for way in marked if way.is_answerable]


def all_one_way(kinds: Kinds, way: int) -> str:
    """The answer that all open words of a column go one way: all words if they can be listed."""
    marked = _marked(kinds, kinds.open_words, [way] * len(kinds.open_words))
    usual = "in" if way > 0 else "out"
    return marked.value if marked.is_answerable else usual


def ways_of_two(columns: Columns, names: Sequence[ColumnName], rows: Rows) -> Iterator[MarkedWay]:
    """Both ways of each column that two short words divide the rows by, and that may well be marks.

    A column that is named for something else, as a category or a state, is none, nor is one of codes.
    """
    for index in _few_words(columns, rows):
        tokens = _words_in(rows, index)
        name = names[index]
        is_other = name.meanings.keys() - _MARKING or _sorts(name)
        is_other = (
            is_other or is_of_something_else(name) or any(map(_LIKE_A_CODE.fullmatch, tokens))
        )
        # A zero beside another number than one is a count, as of rates or of points.
        is_other = is_other or ("0" in tokens and "1" not in tokens)
        if len(tokens) != 2 or is_other or max(map(len, tokens)) > _LONGEST_MARK:
            continue
        if not all(map(row_words.known_state, tokens)):
            for out, into in (tokens, tokens[::-1]):
                yield MarkedWay(index, (out,), (into,))


def _meant(
    columns: Columns, rows: Rows, answer: str | None, kinds: Kinds | None
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The columns with words that are listed, and those words; that with `kinds` first."""
    if answer is None or not answer.startswith(MARKS) or columns.amount is None:
        return
    by_column = {index: _words_in(rows, index) for index in _few_words(columns, rows)}
    if kinds is not None:
        by_column = {kinds.column: kinds.words, **by_column, kinds.column: kinds.words}
    for index, tokens in by_column.items():
        out, into = _listed_ways(answer, tokens)
        lowered = set(map(str.casefold, tokens))
        # Who lists both sides leaves nothing to be concluded of another word.
        if lowered and (lowered <= out | into if into else out & lowered):
            yield index, tokens


def _listed_ways(answer: str | None, tokens: Sequence[str]) -> tuple[set[str], set[str]]:
    """The words of money out and of money in that a person lists, in small letters.

    Known `tokens` may have commas and slashes in them.
    """
    sides: tuple[set[str], set[str]] = (set(), set())
    if answer is None or not answer.startswith(MARKS):
        return sides
    lowered = sorted(map(str.casefold, tokens), key=len, reverse=True)
    side, tail = 0, row_words.word_in(answer.removeprefix(MARKS)).casefold()
    while tail := tail.strip():
        matches = (
            token
            for token in lowered
            if tail == token or tail.startswith((f"{token},", f"{token}/"))
        )
        token = next(matches, None)
        token = _PARTED.split(tail, maxsplit=1)[0] if token is None else token
        sides[side].add(token.strip())
        follows, tail = tail[len(token) : len(token) + 1], tail[len(token) + 1 :]
        side = 1 if follows == "/" else side
    return sides[0] - {""}, sides[1] - {""}


def _marked(kinds: Kinds, changed: Sequence[str], ways: Sequence[int]) -> MarkedWay:
    signs = dict(kinds.ways) | {
        token.casefold(): way for token, way in zip(changed, ways, strict=True)
    }
    out = tuple(token for token in kinds.words if signs[token.casefold()] < 0)
    into = tuple(token for token in kinds.words if token not in out)
    return MarkedWay(kinds.column, out, into)


def _few_words(columns: Columns, rows: Rows) -> list[int]:
    """The columns of no known meaning with a short word in each row, and few different ones."""
    taken = {*columns.money, columns.date, columns.other_date, columns.balance, columns.currency}
    taken |= {columns.account, columns.account_name, columns.status, columns.fee, columns.id}
    places = [index for index in range(len(rows[0]) if rows else 0) if index not in taken]
    indices = []
    for index in places:
        tokens = _words_in(rows, index)
        is_short = all(len(token) <= _LONGEST_WORD for token in tokens)
        if 1 < len(tokens) <= _MOST_WORDS and len(tokens) < len(rows) and is_short:
            indices.append(index)
    return indices


def _words_in(rows: Rows, index: int) -> tuple[str, ...]:
    """The different words of a column, none where a row has none."""
    tokens = dict.fromkeys(row_words.word_in(row[index]) for row in rows)
    return () if "" in tokens else tuple({token.casefold(): token for token in tokens}.values())


def _way_of(token: str, shortest: int, *, is_card: bool) -> int:
    marked = row_words.mark_of(token) if len(token) >= shortest else 0
    return marked or row_words.direction_of_kind(token, is_card=is_card)


def _sorts(name: ColumnName) -> bool:
    return any(token.startswith(_SORTING) for token in name.words)


def _joined_words(tokens: Sequence[str]) -> str:
    *first, last = map(quoted, tokens)
    return f"{', '.join(first)} and {last}" if first else last
