"""How much each text has of a word: pure arithmetic over texts that are split into stems."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

_SATED = 1.2
"""How slowly a word that comes again counts for more (`k1` of BM25)."""

Scores = dict[str, float]
"""Of each text, by its name, how much it has; one that has nothing is left out."""


def shares(texts: Mapping[str, Sequence[str]], length_counts: float) -> Mapping[str, Scores]:
    """Of each stem, how much of it each text has, as BM25 weighs it, however rare the stem is.

    `length_counts`, from 0 to 1, is how far a long text has less of a stem than a short one.
    """
    mean = sum(map(len, texts.values())) / max(1, len(texts)) or 1.0
    told: dict[str, Scores] = {}
    for name, stems in texts.items():
        slow = _SATED * (1 - length_counts + length_counts * len(stems) / mean)
        for stem, times in Counter(stems).items():
            told.setdefault(stem, {})[name] = times * (_SATED + 1) / (times + slow)
    return told


def together(fields: Iterable[tuple[float, Mapping[str, Scores]]]) -> Mapping[str, Scores]:
    """The fields of texts added up, each by its weight."""
    summed: dict[str, Scores] = {}
    for weight, field in fields:
        for stem, texts in field.items():
            of_stem = summed.setdefault(stem, {})
            for name, share in texts.items():
                of_stem[name] = of_stem.get(name, 0.0) + weight * share
    return summed


def rarity(having: int, of: int) -> float:
    """How much a word tells that so many of all texts have; never nothing."""
    return log(1 + (of - having + 0.5) / (having + 0.5))
