"""What an unknown payee is probably for, learnt from the shipped data and from the person's own rules.

A payee's name is taken apart into evidence: its words, pairs of words, and pieces of words, so that
"Sonnenapotheke" is like "Apotheke". Each counts for the categories that it was seen with (naive Bayes,
in logarithms), and a fixed curve turns how far the best category leads into the share of such guesses
that are right. `benchmarks/inference.py` measures the curve on payees that were held back.

Where a payee is and who owns it say nothing of what it sells, so that places and given names are no
evidence, whatever well-known merchant has them in its name ("San Jose Water").
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from math import log, log1p
from typing import NamedTuple

from finplan.categorise.catalogue import BUILT_IN
from finplan.categorise.curated import Direction, curated
from finplan.categorise.grammar import grammar
from finplan.categorise.places import without_places

AUTO_FROM = 0.93
"""The least confidence that files a payee by itself; of the guesses above it 19 in 20 are right."""

_CURVE = ((0, 0.1), (3, 0.3), (5, 0.55), (10, 0.66), (14, 0.8), (18, 0.9), (22, 0.94), (28, 0.98))
"""How sure the best category's lead makes a guess; straight between these points, flat beyond."""

_PIECE = 4
_PIECES_COUNT = 2.0
_SMOOTHING = 0.3
_EVENNESS = 0.5
_FOR, _AGAINST = 4.0, 3.0
"""What the best word adds to the lead, and what the word that speaks most for others takes from it."""

_SURE_WORDS, _HINTS, _MERCHANTS = 3.0, 1.0, 1.0
_SURE_FROM = 0.85
_SAME_NAME = 3.0
_ONCE = 0.2
"""What a word counts that one merchant or filed payee has: it may as well be a surname or a brand."""

_NO_NAMES = frozenset(
    {
        "transfer",
        "card_payment",
        "unlinked_card",
        "cash",
        "interest_fees",
        "savings",
        "loan_proceeds",
    }
)
"""What a bank's wording shows and never a name, so that no name is learnt from it."""

_PAYMENT_WORDS = frozenset(
    {
        "card",
        "check",
        "cheque",
        "debit",
        "deposit",
        "payment",
        "pmt",
        "pymt",
        "rebate",
        "ref",
        "refund",
        "refunds",
        "transfer",
        "transfers",
        "unknown",
        "wire",
    }
)
"""Words that say how it was paid, moved or paid back, which a bank may leave in a name."""

_ALTERNATIVES = 3
_LEAST_USUAL = 0.005
_DISTINCTIVE_LETTERS = 8


class LabelledPayee(NamedTuple):
    """A payee that the person filed: its key, its name, and the category."""

    key: str
    name: str
    category: str


class Guess(NamedTuple):
    """The likeliest category, the share of such guesses that are right, and the next likeliest.

    `like` names the payee whose rule it was learnt from, None when that was the shipped data; `word` is
    the word of the name that speaks most for the category, None when only pieces of words do.
    """

    category: str
    confidence: float
    alternatives: tuple[str, ...]
    like: str | None
    word: str | None


Counts = dict[str, float]
"""How often something was seen, by category."""


class _Part(NamedTuple):
    """One part of a name: how it is looked up, how much it counts, and its word if it is a whole one."""

    feature: str
    weight: float
    word: str | None


class _Seen(NamedTuple):
    """What parts of a name add to the scores, and the word among them with what it was seen with."""

    scores: Counts
    whole: tuple[str, Counts] | None


@dataclass(frozen=True)
class CategoryModel:
    """A naive Bayes model of the categories of money in one direction.

    `shipped` and `labelled` count each feature by category; `labelled` includes what was shipped of the
    same feature. `examples` names, by feature and category, a payee that the person filed, and
    `names` holds these payees with the words of their keys, by the first of them. `usual` is how usual
    each category is, from 0 to 1. `words` remembers what was worked out of words.
    """

    shipped: Mapping[str, Counts]
    usual: Mapping[str, float]
    labelled: Mapping[str, Counts]
    examples: Mapping[tuple[str, str], str]
    names: Mapping[str, Sequence[tuple[frozenset[str], LabelledPayee]]]
    words: dict[str, _Seen] = field(default_factory=dict)

    @cached_property
    def before(self) -> Counts:
        """Each category's score before anything is known of a name."""
        return {category: _EVENNESS * log(usual) for category, usual in self.usual.items()}

    def guess(self, key: str) -> Guess | None:
        """The guess for a payee key; None when nothing of its name was ever seen."""
        alike = self._alike(_distinctive(key.split()))
        telling = _telling(key)
        seen = [self._word(word) for word in telling]
        seen += [self._seen([_pair(*pair)]) for pair in pairwise(telling)]
        seen += [self._same(payee) for payee in alike]
        if not any(each.scores for each in seen):
            return None
        scores = dict(self.before)
        for each in seen:
            for category, score in each.scores.items():
                scores[category] += score
        best, *others = (each for _, each in sorted((-scores[each], each) for each in scores))
        support, word, doubt = _best_evidence(seen, best)
        lead = scores[best] - scores[others[0]] + _FOR * support - _AGAINST * doubt
        example = next((each.name for each in alike if each.category == best), None)
        return Guess(
            category=best,
            confidence=_confidence(lead),
            alternatives=tuple(others[:_ALTERNATIVES]),
            like=example or self.examples.get((f"{_WORD}{word}", best)),
            word=word,
        )

    def _word(self, word: str) -> _Seen:
        """What is known of a word; names share many, so it is worked out once."""
        known = self.words.get(word)
        if known is None:
            known = self.words[word] = self._seen(list(_parts_of(word)))
        return known

    def _seen(self, parts: list[_Part]) -> _Seen:
        """What some parts of a name add to each category's score.

        A category that a part was never seen with gets nothing for it. Bayes would take the same from
        all of those, which changes no lead.
        """
        scores: Counts = {}
        whole: tuple[str, Counts] | None = None
        for feature, weight, word in parts:
            counts = self.labelled.get(feature) or self.shipped.get(feature)
            if not counts:
                continue
            for category, count in counts.items():
                score = weight * log1p(count / (_SMOOTHING * self.usual[category]))
                scores[category] = scores.get(category, 0.0) + score
            whole = (word, counts) if word is not None else whole
        return _Seen(scores, whole)

    def _same(self, payee: LabelledPayee) -> _Seen:
        """What a whole filed name adds; its words that tell nothing alone count as a part of it."""
        silent = len(_distinctive(payee.key.split())) - len(_telling(payee.key))
        score = (1 + silent) * log1p(_SAME_NAME / (_SMOOTHING * self.usual[payee.category]))
        return _Seen({payee.category: score}, (payee.name, {payee.category: _SAME_NAME}))

    def _alike(self, words: list[str]) -> list[LabelledPayee]:
        """The filed payees whose name holds all of this one or is held by it; a place's holds nobody."""
        if not self.names or not without_places(words):
            return []
        name = frozenset(words)
        return [
            labelled
            for word in words
            for filed, labelled in self.names.get(word, ())
            if filed <= name or (len(name) > 1 and name <= filed)
        ]


def train(direction: Direction, labelled: Iterable[LabelledPayee]) -> CategoryModel:
    """What the shipped data and the payees that a person filed teach about money in one direction."""
    shipped = _shipped(direction)
    usual = dict(shipped.usual)
    times: dict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, str], str] = {}
    names: dict[str, list[tuple[frozenset[str], LabelledPayee]]] = defaultdict(list)
    for payee in labelled:
        usual.setdefault(payee.category, _LEAST_USUAL)
        words = _distinctive(payee.key.split())
        for feature in {part.feature for part in _parts(_telling(payee.key))}:
            times[feature][payee.category] += 1
            examples.setdefault((feature, payee.category), payee.name)
        # A filed "San Jose" speaks of no shop there.
        if without_places(words) and (len(words) > 1 or len(payee.key) >= _DISTINCTIVE_LETTERS):
            names[words[0]].append((frozenset(words), payee))
    added = {
        feature: _together(shipped.shipped.get(feature, {}), counted)
        for feature, counted in times.items()
    }
    return CategoryModel(shipped.shipped, usual, added, examples, names)


def _together(shipped: Counts, labelled: Counter[str]) -> Counts:
    """What is shipped and taught of one feature; once is only believed where the shipped data agree."""
    counts = dict(shipped)
    for category, times in labelled.items():
        believed = times if category in shipped else times - 1 + _ONCE
        counts[category] = counts.get(category, 0.0) + believed
    return counts


@cache
def _shipped(direction: Direction) -> CategoryModel:
    """What the shipped data teach, worked out on first use and then kept."""
    seen: dict[str, Counts] = {}
    usual: Counts = {}
    for words, category, weight in _examples(direction):
        usual[category] = usual.get(category, 0.0) + weight
        for part in _parts(words):
            counts = seen.setdefault(part.feature, {})
            counts[category] = counts.get(category, 0.0) + weight
    listed = {f"{_WORD}{word}" for word in curated().words[direction].words()}
    kept = {}
    for feature, counts in seen.items():
        if sum(counts.values()) > _MERCHANTS or " " in feature or feature in listed:
            kept[feature] = counts
        elif feature[0] == _WORD:
            kept[feature] = dict.fromkeys(counts, _ONCE)
        # A piece seen once is no pattern; leaving those out halves what is kept.
    total = sum(usual.values())
    return CategoryModel(kept, {each: count / total for each, count in usual.items()}, {}, {}, {})


def _examples(direction: Direction) -> Iterator[tuple[list[str], str, float]]:
    """The shipped phrases and merchants: their words, their category, and how much each counts."""
    for phrases in curated().words[direction].starting.values():
        for _, words, meaning in phrases:
            if meaning.category not in _NO_NAMES:
                sure = meaning.confidence >= _SURE_FROM
                yield words, meaning.category, _SURE_WORDS if sure else _HINTS
    for merchant in sorted(set(curated().whole.values()), key=lambda each: each.key):
        category = merchant.out if direction == "out" else merchant.into
        if merchant.ask or category is None or category in _NO_NAMES:
            continue
        if direction == "out" or BUILT_IN[category].flow != "spending":
            yield merchant.key.split(), category, _MERCHANTS


_WORD = "="


def _distinctive(words: Iterable[str]) -> list[str]:
    """The words, each once, without numbers, single letters and how it was paid."""
    return [
        word
        for word in dict.fromkeys(words)
        if len(word) > 1 and not word.isdigit() and word not in _PAYMENT_WORDS
    ]


def _telling(key: str) -> list[str]:
    """The words of a key that may tell what is sold: no place, given name, article and the like."""
    silent = _silent()
    return [word for word in _distinctive(without_places(key.split())) if word not in silent]


@cache
def _silent() -> frozenset[str]:
    """Given names that are no trade, articles, and words like "of" and "and"."""
    words = grammar()
    return (
        (words.given - words.trades) | words.articles | words.particles | words.small | words.links
    )


def _parts(words: list[str]) -> Iterator[_Part]:
    """Every part of a name; the pieces of a word share one weight."""
    for word in words:
        yield from _parts_of(word)
    for first, second in pairwise(words):
        yield _pair(first, second)


def _parts_of(word: str) -> Iterator[_Part]:
    yield _Part(f"{_WORD}{word}", 1.0, word)
    if len(word) >= _PIECE:
        edged = f"^{word}$"
        pieces = dict.fromkeys([edged[at : at + _PIECE] for at in range(len(word) + 3 - _PIECE)])
        weight = _PIECES_COUNT / len(pieces)
        for piece in pieces:
            yield _Part(piece, weight, None)


def _pair(first: str, second: str) -> _Part:
    return _Part(f"{first} {second}", 1.0, f"{first} {second}")


def _best_evidence(seen: Iterable[_Seen], category: str) -> tuple[float, str | None, float]:
    """How much the best word speaks for a category, that word, and how much a word speaks for others."""
    support, best, doubt = 0.0, None, 0.0
    for _, whole in seen:
        if whole is None:
            continue
        word, counts = whole
        total = sum(counts.values())
        mine = counts.get(category, 0.0)
        if mine / (total + 1) > support:
            support, best = mine / (total + 1), word
        doubt = max(doubt, (total - mine) / (total + 1))
    return support, best, doubt


def _confidence(lead: float) -> float:
    """The share of guesses with such a lead that are right."""
    low, sure = _CURVE[0]
    for high, surer in _CURVE[1:]:
        if lead < high:
            return round(sure + max(0.0, lead - low) / (high - low) * (surer - sure), 3)
        low, sure = high, surer
    return sure
