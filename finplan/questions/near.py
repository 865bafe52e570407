"""Names that are truly near to what was written: a slip of the keyboard, or a part of a longer name."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

MOST_NEAR: Final = 3

_SHORTEST = 4
"""Shorter words are near to too much: `vs` is no slip of CVS."""

_LONG = 8
"""From how many letters on two slips are forgiven."""

_NO_NAMES_WRITTEN = """
about above after again all also amount another answer any anything are average before best between
both bring budget came cheapest come compare compared cost costs count daily date days different
each either else ever every everything except expensive from give goes going have highest hour just
keep kind largest last least left less like list lots lowest made make many maybe mean money monthly
months more most much near need never next nothing number often only other over owed part past
people percent period same save show since smallest some something still sure than that their them
then there these they thing things this those time times today together total transactions under
until upon usually very want week weekly weeks well were what when where which while whole will with
within without would year yearly years your
"""
_NO_NAMES = frozenset(_NO_NAMES_WRITTEN.split())
"""Words that stand where no name does, however near to one they are spelled."""


def near_names(
    pieces: Sequence[str], labels: Mapping[str, str], longer: Mapping[str, str]
) -> tuple[str, ...]:
    """The labels that one stretch of pieces, or a piece of it, may have been meant for; three at most.

    `labels` are the names by their words, of which slips are looked for; `longer` those in which the
    whole stretch may stand.
    """
    whole = " ".join(pieces)
    texts = (whole, *pieces) if len(pieces) > 1 else (whole,)
    wanted = [each for each in texts if len(each) >= _SHORTEST and each not in _NO_NAMES]
    found = dict.fromkeys(label for text in wanted for label in _near(text, labels))
    if whole in wanted:
        words = set(whole.split())
        found.update((label, None) for name, label in longer.items() if words < set(name.split()))
    return tuple(found)[:MOST_NEAR]


def _near(text: str, labels: Mapping[str, str]) -> Iterable[str]:
    slips = 2 if len(text) >= _LONG else 1
    spelled = sorted(
        (apart, name)
        for name in labels
        if len(name) >= _SHORTEST
        and abs(len(name) - len(text)) <= slips
        and name[:1] == text[:1]
        and 0 < (apart := _slips(text, name)) <= slips
    )
    yield from (labels[name] for _, name in spelled)


def _slips(one: str, other: str) -> int:
    """How many letters are left out, put in, exchanged or swapped with their neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        earlier, before, row = before, row, [place]
        for column, sign in enumerate(other, 1):
            cost = min(row[-1] + 1, before[column] + 1, before[column - 1] + (letter != sign))
            if place > 1 < column and letter == other[column - 2] and one[place - 2] == sign:
                cost = min(cost, earlier[column - 2] + 1)
            row.append(cost)
    return row[-1]
