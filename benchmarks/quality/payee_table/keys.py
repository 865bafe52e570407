"""How good payee keys are: what share of a payee's rows they join, and what they join wrongly."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.quality.payee_table.rows import LookAlike, Row
from finplan.categorise.joining import join_keys
from finplan.categorise.payee import payee_of

KeyOf = Callable[[str, str | None], str]
"""A payee key of a descriptor and of the bank's own name for the merchant, if it gives one."""

KeysOf = Callable[[Sequence[Row]], Sequence[str]]
"""The payee keys of rows that are seen together."""

_NOT_LETTERS = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True)
class KeyFigures:
    """What keys come to over rows.

    `pairs` counts the pairs of rows that pay one payee; `recall` is the share of them with one key
    (None without any). `purity` is the share of the pairs with one key that do pay one payee, 1 without
    any. `row_purity` is the share of rows that pay the payee that most rows of their key pay.
    """

    rows: int
    pairs: int
    recall: float | None
    purity: float
    row_purity: float


@dataclass(frozen=True, slots=True)
class LookAlikeFigures:
    """Of pairs that look alike: the share told rightly, of all, of two payees, and of one payee."""

    right: float
    kept_apart: float
    joined: float


def shipped(descriptor: str, name: str | None) -> str:
    """The key that finplan gives a descriptor on its own."""
    return payee_of(descriptor, name).key


def one_by_one(key_of: KeyOf) -> KeysOf:
    """Keys that each row has on its own."""
    return lambda rows: [key_of(row.descriptor, row.name) for row in rows]


def in_households(rows: Sequence[Row]) -> Sequence[str]:
    """The keys that finplan gives rows of which those of each country are one household's."""
    alone = one_by_one(shipped)(rows)
    keys: dict[str, list[str]] = {}
    for row, key in zip(rows, alone, strict=True):
        keys.setdefault(row.country, []).append(key)
    written = {country: join_keys(found) for country, found in keys.items()}
    return [written[row.country].get(key, key) for row, key in zip(rows, alone, strict=True)]


def raw_text(descriptor: str, _name: str | None) -> str:
    """The descriptor as it stands."""
    return descriptor


def letters_only(descriptor: str, _name: str | None) -> str:
    """The descriptor in lower case without digits and punctuation."""
    return _NOT_LETTERS.sub(" ", descriptor.lower()).strip()


def first_word(descriptor: str, name: str | None) -> str:
    """The first run of letters in lower case."""
    return letters_only(descriptor, name).partition(" ")[0]


def measure_keys(rows: Sequence[Row], keys_of: KeysOf, *, at_home: bool = False) -> KeyFigures:
    """Score keys over every pair of rows, by counting, in time linear in the rows.

    `at_home` looks only at pairs of one country, as a household does that banks in one.
    """
    keyed = [
        ((key, home), (row.payee, home))
        for row, key in zip(rows, keys_of(rows), strict=True)
        for home in (row.country if at_home else "",)
    ]
    cells = Counter(keyed)
    most_of_key: Counter[tuple[str, str]] = Counter()
    for (key, _), count in cells.items():
        most_of_key[key] = max(most_of_key[key], count)
    both = _pairs(cells.values())
    one_payee = _pairs(Counter(payee for _, payee in keyed).values())
    one_key = _pairs(Counter(key for key, _ in keyed).values())
    return KeyFigures(
        rows=len(rows),
        pairs=one_payee,
        recall=both / one_payee if one_payee else None,
        purity=both / one_key if one_key else 1.0,
        row_purity=most_of_key.total() / len(rows) if rows else 1.0,
    )


def measure_look_alikes(pairs: Sequence[LookAlike], keys_of: KeysOf) -> LookAlikeFigures:
    """Score keys on pairs that look alike, each a household of its own; both kinds must be there."""
    apart = [is_told(pair, keys_of) for pair in pairs if not pair.same]
    one = [is_told(pair, keys_of) for pair in pairs if pair.same]
    return LookAlikeFigures(
        right=sum(apart + one) / len(pairs),
        kept_apart=sum(apart) / len(apart),
        joined=sum(one) / len(one),
    )


def is_told(pair: LookAlike, keys_of: KeysOf) -> bool:
    """Whether the keys say of a pair what its label says."""
    rows = [Row(text, None, "", "out", "", None, "") for text in (pair.left, pair.right)]
    left, right = keys_of(rows)
    return (left == right) == pair.same


def split_pairs(rows: Sequence[Row], keys_of: KeysOf) -> Iterator[tuple[Row, Row]]:
    """Pairs of rows that pay one payee under two keys."""
    for (left, left_key), (right, right_key) in combinations(
        zip(rows, keys_of(rows), strict=True), 2
    ):
        if left.payee == right.payee and left_key != right_key:
            yield left, right


def merged_pairs(rows: Sequence[Row], keys_of: KeysOf) -> Iterator[tuple[Row, Row]]:
    """Pairs of rows that pay two payees under one key."""
    for (left, left_key), (right, right_key) in combinations(
        zip(rows, keys_of(rows), strict=True), 2
    ):
        if left.payee != right.payee and left_key == right_key:
            yield left, right


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)
