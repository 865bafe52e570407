"""What an unknown payee is probably for, learnt from the shipped data and from the person's own rules.

A payee's name is taken apart into evidence: its words, pairs of words, and pieces of words, so that
"Sonnenapotheke" is like "Apotheke". Each counts for the categories that it was seen with (naive Bayes,
in logarithms), and a fixed curve turns how far the best category leads into the share of such guesses
that are right. `benchmarks/inference.py` measures the curve on payees that were held back.

Where a payee is and who owns it say nothing of what it sells, so that places and given names are no
evidence, whatever well-known merchant has them in its name ("San Jose Water").

What the person filed shows where they usually spend. Of the categories that a name speaks for this
raises the usual ones and lowers the others, in a suggestion; no payee is filed by it.
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

WHOLE_NAME = "="
"""What the look-up of a whole word begins with, so that none is like a piece of another."""

_LETTERS_OF_A_PIECE = 4
_PIECES_COUNT = 2.0

_WORDS_OF_HOW = """
card check cheque debit deposit payment pmt pymt rebate ref refund refunds transfer transfers unknown
wire
"""
_PAYMENT_WORDS = frozenset(_WORDS_OF_HOW.split())
"""Words that say how it was paid, moved or paid back, which a bank may leave in a name."""


class Part(NamedTuple):
    """One part of a name: how it is looked up, how much it counts, and its word if it is a whole one."""

    feature: str
    weight: float
    token: str | None


def distinctive_words(tokens: Iterable[str]) -> list[str]:
    """The words, each once, without numbers, single letters and how it was paid."""
    return [
        token
        for token in dict.fromkeys(tokens)
        if len(token) > 1 and not token.isdigit() and token not in _PAYMENT_WORDS
    ]


def telling_words(key: str) -> list[str]:
    """The words of a key that may tell what is sold: no place, given name, article and the like."""
    silent = _silent_words()
    return [
        token for token in distinctive_words(without_places(key.split())) if token not in silent
    ]


@cache
def _silent_words() -> frozenset[str]:
    """Given names that are no trade, articles, and words like "of" and "and"."""
    vocab = grammar()
    names = vocab.given - vocab.trades
    return names.union(vocab.articles, vocab.particles, vocab.small, vocab.links)


def parts_of(tokens: list[str]) -> Iterator[Part]:
    """Every part of a name; the pieces of a word share one weight."""
    for token in tokens:
        yield from parts_of_word(token)
    for first, second in pairwise(tokens):
        yield pair_of(first, second)


def parts_of_word(token: str) -> Iterator[Part]:
    """A word and its pieces of four letters, which together weigh two words."""
    yield Part(f"{WHOLE_NAME}{token}", 1.0, token)
    if len(token) >= _LETTERS_OF_A_PIECE:
        edged = f"^{token}$"
        pieces = dict.fromkeys(
            [
                edged[at : at + _LETTERS_OF_A_PIECE]
                for at in range(len(token) + 3 - _LETTERS_OF_A_PIECE)
            ]
        )
        weight = _PIECES_COUNT / len(pieces)
        for piece in pieces:
            yield Part(piece, weight, None)


def pair_of(first: str, second: str) -> Part:
    """Two words that follow each other."""
    return Part(f"{first} {second}", 1.0, f"{first} {second}")


AUTO_FROM = 0.93
"""The least confidence that files a payee by itself; of the guesses above it 19 in 20 are right."""

_CURVE = ((0, 0.1), (3, 0.3), (5, 0.55), (10, 0.66), (14, 0.8), (18, 0.9), (22, 0.94), (28, 0.98))
"""How sure the best category's lead makes a guess; straight between these points, flat beyond."""

_SMOOTHING = 0.3
_EVENNESS = 0.5
_FOR, _AGAINST = 4.0, 3.0
"""What the best word adds to the lead, and what the word that speaks most for others takes from it."""

_SURE_WORDS, _HINTS, _MERCHANTS = 3.0, 1.0, 1.0
_SURE_FROM = 0.85
_SAME_NAME = 3.0
_ONCE = 0.2
"""What a word counts that one merchant or filed payee has: it may as well be a surname or a brand."""

_PAYEES_SHIPPED = 20
"""How many filed payees weigh as much as the shipped data in how usual a category is for the person."""

_MOST_BY_HABIT = 0.92
"""The most that a guess is sure of where habit has a part in it, so that it stays a suggestion."""

_WORDED_BY_BANKS = """
transfer card_payment unlinked_card cash interest_fees savings loan_proceeds unknown_inflow
"""
_NO_NAMES = frozenset(_WORDED_BY_BANKS.split())
"""What a bank's wording shows and never a name, so that no name is learnt from it."""

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

    `like` names the payee whose rule it was learnt from, None when that was the shipped data; `token` is
    the word of the name that speaks most for the category, None when only pieces of words do. `habit`
    counts the payees that the person filed there, where that is more than usual.
    """

    category: str
    confidence: float
    alternatives: tuple[str, ...]
    like: str | None
    token: str | None
    habit: int = 0


Counts = dict[str, float]
"""How often something was seen, by category."""


class _Seen(NamedTuple):
    """What parts of a name add to the scores, and the word among them with what it was seen with."""

    scores: Counts
    token: tuple[str, Counts] | None


@dataclass(frozen=True)
class CategoryModel:
    """A naive Bayes model of the categories of money in one direction.

    `shipped` and `labelled` count each feature by category; `labelled` includes what was shipped of the
    same feature. `examples` names, by feature and category, a payee that the person filed, and
    `names` holds these payees with the words of their keys, by the first of them. `usual` is how usual
    each category is, from 0 to 1. `filed` counts the person's payees by category, and `habits` is what
    that adds to the score of each category. `evidence` remembers what was worked out of words.
    """

    shipped: Mapping[str, Counts]
    usual: Mapping[str, float]
    labelled: Mapping[str, Counts]
    examples: Mapping[tuple[str, str], str]
    names: Mapping[str, Sequence[tuple[frozenset[str], LabelledPayee]]]
    filed: Mapping[str, int] = field(default_factory=dict)
    habits: Mapping[str, float] = field(default_factory=dict)
    evidence: dict[str, _Seen] = field(default_factory=dict)

    @cached_property
    def before(self) -> Counts:
        """Each category's score before anything is known of a name."""
        return {category: _EVENNESS * log(usual) for category, usual in self.usual.items()}

    def guess(self, key: str) -> Guess | None:
        """The guess for a payee key; None when nothing of its name was ever seen."""
        alike = self._alike(distinctive_words(key.split()))
        telling = telling_words(key)
        parts = [self._word(token) for token in telling]
        parts += [self._weigh([pair_of(*pair)]) for pair in pairwise(telling)]
        parts += [self._same(payee) for payee in alike]
        evidence: Counts = {}
        for name in parts:
            for category, score in name.scores.items():
                evidence[category] = evidence.get(category, 0.0) + score
        if not evidence:
            return None
        guess = self._likeliest(evidence, parts, alike)
        if not self.habits or guess.confidence >= AUTO_FROM:
            return guess
        usual = {name: score + self.habits[name] for name, score in evidence.items()}
        guess = self._likeliest(usual, parts, alike)
        return guess._replace(
            confidence=min(guess.confidence, _MOST_BY_HABIT),
            habit=self.filed[guess.category] if self.habits[guess.category] > 0 else 0,
        )

    def _likeliest(
        self, evidence: Counts, parts: Sequence[_Seen], alike: Sequence[LabelledPayee]
    ) -> Guess:
        scores = {
            category: before + evidence.get(category, 0.0)
            for category, before in self.before.items()
        }
        best, *others = (
            category for _, category in sorted((-scores[category], category) for category in scores)
        )
        support, token, doubt = _best_evidence(parts, best)
        lead = scores[best] - scores[others[0]] + _FOR * support - _AGAINST * doubt
        example = next((category.name for category in alike if category.category == best), None)
        return Guess(
            category=best,
            confidence=_confidence(lead),
            alternatives=tuple(others[:_ALTERNATIVES]),
            like=example or self.examples.get((f"{WHOLE_NAME}{token}", best)),
            token=token,
        )

    def _word(self, token: str) -> _Seen:
        """What is known of a word; names share many, so it is worked out once."""
        evidence = self.evidence.get(token)
        if evidence is None:
            evidence = self.evidence[token] = self._weigh(list(parts_of_word(token)))
        return evidence

    def _weigh(self, parts: list[Part]) -> _Seen:
        """What some parts of a name add to each category's score.

        A category that a part was never seen with gets nothing for it. Bayes would take the same from
        all of those, which changes no lead.
        """
        scores: Counts = {}
        whole_token: tuple[str, Counts] | None = None
        for feature, weight, token in parts:
            counts = self.labelled.get(feature) or self.shipped.get(feature)
            if not counts:
                continue
            for category, count in counts.items():
                score = weight * log1p(count / (_SMOOTHING * self.usual[category]))
                scores[category] = scores.get(category, 0.0) + score
            whole_token = (token, counts) if token is not None else whole_token
        return _Seen(scores, whole_token)

    def _same(self, payee: LabelledPayee) -> _Seen:
        """What a whole filed name adds; its words that tell nothing alone count as a part of it."""
        silent = len(distinctive_words(payee.key.split())) - len(telling_words(payee.key))
        score = (1 + silent) * log1p(_SAME_NAME / (_SMOOTHING * self.usual[payee.category]))
        return _Seen({payee.category: score}, (payee.name, {payee.category: _SAME_NAME}))

    def _alike(self, tokens: list[str]) -> list[LabelledPayee]:
        """The filed payees whose name holds all of this one or is held by it; a place's holds nobody."""
        if not self.names or not without_places(tokens):
            return []
        name = frozenset(tokens)
        return [
            labelled
            for token in tokens
            for filed, labelled in self.names.get(token, ())
            if filed <= name or (len(name) > 1 and name <= filed)
        ]


def train(direction: Direction, labelled: Iterable[LabelledPayee]) -> CategoryModel:
    """What the shipped data and the payees that a person filed teach about money in one direction."""
    shipped = _shipped(direction)
    usual = dict(shipped.usual)
    times: dict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, str], str] = {}
    names: dict[str, list[tuple[frozenset[str], LabelledPayee]]] = defaultdict(list)
    filed: Counter[str] = Counter()
    for payee in labelled:
        filed[payee.category] += 1
        usual.setdefault(payee.category, _LEAST_USUAL)
        tokens = distinctive_words(payee.key.split())
        for feature in {part.feature for part in parts_of(telling_words(payee.key))}:
            times[feature][payee.category] += 1
            examples.setdefault((feature, payee.category), payee.name)
        # A filed "San Jose" speaks of no shop there.
        if without_places(tokens) and (len(tokens) > 1 or len(payee.key) >= _DISTINCTIVE_LETTERS):
            names[tokens[0]].append((frozenset(tokens), payee))
    added = {
        feature: _together(shipped.shipped.get(feature, {}), counted)
        for feature, counted in times.items()
    }
    habits = _habits(filed, usual) if direction == "out" else {}
    return CategoryModel(shipped.shipped, usual, added, examples, names, filed, habits)


def _habits(filed: Mapping[str, int], usual: Counts) -> Counts:
    """How much more usual than for others each category is for the person, in logarithms.

    One payee of a category is no habit: who has filed the rent has no other landlord.
    """
    again = {category: count - 1 for category, count in filed.items()}
    total = sum(again.values())
    if not total:
        return {}
    return {
        category: log(
            (_PAYEES_SHIPPED + again.get(category, 0) / share) / (_PAYEES_SHIPPED + total)
        )
        for category, share in usual.items()
    }


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
    seen_counts: dict[str, Counts] = {}
    usual: Counts = {}
    for tokens, category, weight in _examples(direction):
        usual[category] = usual.get(category, 0.0) + weight
        for part in parts_of(tokens):
            counts = seen_counts.setdefault(part.feature, {})
            counts[category] = counts.get(category, 0.0) + weight
    listed = {f"{WHOLE_NAME}{token}" for token in curated().phrases[direction].words()}
    features = {}
    for feature, counts in seen_counts.items():
        if sum(counts.values()) > _MERCHANTS or " " in feature or feature in listed:
            features[feature] = counts
        elif feature[0] == WHOLE_NAME:
            features[feature] = dict.fromkeys(counts, _ONCE)
        # A piece seen once is no pattern; leaving those out halves what is kept.
    total = sum(usual.values())
    return CategoryModel(
        features, {name: count / total for name, count in usual.items()}, {}, {}, {}
    )


def _examples(direction: Direction) -> Iterator[tuple[list[str], str, float]]:
    """The shipped phrases and merchants: their words, their category, and how much each counts."""
    for phrases in curated().phrases[direction].starting.values():
        for _, tokens, meaning in phrases:
            if meaning.category not in _NO_NAMES:
                sure = meaning.confidence >= _SURE_FROM
                yield tokens, meaning.category, _SURE_WORDS if sure else _HINTS
    for merchant in sorted(set(curated().by_phrase.values()), key=lambda item: item.key):
        category = merchant.out if direction == "out" else merchant.into
        if merchant.ask or category is None or category in _NO_NAMES:
            continue
        if direction == "out" or BUILT_IN[category].flow != "spending":
            yield merchant.key.split(), category, _MERCHANTS


def _best_evidence(parts: Iterable[_Seen], category: str) -> tuple[float, str | None, float]:
    """How much the best word speaks for a category, that word, and how much a word speaks for others."""
    support, best, doubt = 0.0, None, 0.0
    for _, whole_token in parts:
        if whole_token is None:
            continue
        token, counts = whole_token
        total = sum(counts.values())
        mine = counts.get(category, 0.0)
        if mine / (total + 1) > support:
            support, best = mine / (total + 1), token
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
