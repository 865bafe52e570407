"""What a person has names for, and the words of sentences and names.

Categories and merchants are found by the words of a sentence, without case, accents and plurals; a
category also by what people call it.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final, Literal

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.category import CategoryChoice
from finplan.store.folding import fold

Words = tuple[str, ...]

LONGEST_SENTENCE: Final = 500

_WORD = re.compile(r"[^\W_]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""The mark that parts the thousands of an amount, as in $1,000."""

_BETWEEN = re.compile(r"[?!,;:()\[\]\"“”„«»\s]+")


def tokens_of(sentence: str) -> list[str]:
    """The pieces of a sentence between spaces and marks, as the grammar of periods reads them."""
    pieces = _BETWEEN.split(_THOUSANDS.sub("", fold(sentence)))
    plain = (piece.rstrip(".") if not piece.endswith("..") else piece for piece in pieces)
    asked = " ".join(filter(None, plain))
    return _POLITE.sub("", asked, count=1).split()


def words_of(text: str) -> Words:
    """The words of a name or a piece of a sentence."""
    return tuple(_WORD.findall(fold(text).replace("'", "")))


def stems_of(words: Words) -> Words:
    """Words without the endings of a plural, so that groceries and grocery are one."""
    return tuple(_stem(word) for word in words)


def _stem(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if re.search("(x|ch|sh|ss)es$", word) else word[:-1]


_ASIDE = """
a about all also altogether an and any anything are been bought buy combined cost costs did do does
everything exact exactly expenditure expenditures expense expenses find for from go going gone how i
id im in into is it ive just know like me money much my of on our out overall please purchase
purchases see show so spend spending spends spent sum summary tell thank thanks that the there thing
things to together total totals us was we weve went were what whats where with
"""
ASIDE: Final = frozenset(_ASIDE.split())
"""Words that change nothing of what is asked: none narrows, excludes, counts or compares."""

_OF_SPENDING = """
bought buy expenditure expenditures expense expenses go going gone pay paid purchase purchases spend
spending spends spent went
"""
OF_SPENDING: Final = frozenset(_OF_SPENDING.split())
"""Words that tell that money out is meant."""

_MARKS = frozenset({"&", "+", "/", ".", "..."})
"""Marks that stand by themselves and change nothing; a minus or a sign of size may."""

_DONE = frozenset({"bought", "gone", "paid", "spent"})
_WHO = frozenset({"i", "we", "have", "ive", "weve"})
_UNDERGOES = frozenset({"was", "were"})


_POLITE = re.compile(
    r"^(?:(?:please|hi|hello|hey|thanks) )*"
    r"(?:(?:can|could|would) you |(?:can|could) (?:i|we) (?:know|see) "
    r"|(?:i|we) (?:want|would like) to (?:know|see) |(?:just )?give (?:me|us) |)"
)
"""How a sentence may begin before it asks anything."""


def is_aside_at(tokens: Sequence[str], place: int) -> bool:
    """Whether a piece of a sentence changes nothing of what is asked.

    Somebody who has spent or paid means money out; somebody who has money, or was paid, does not.
    """
    token = tokens[place]
    if token in ("have", "has"):
        return not _DONE.isdisjoint(tokens)
    if token in ("pay", "paid"):
        before, earlier = ([""] * 2 + list(tokens))[place : place + 2][::-1]
        return before in _WHO and earlier not in _UNDERGOES
    if token in ("buy", "go", "spend"):
        # What there is "to spend" has not been spent.
        return tokens[place - 1 : place] != ["to"] if place else True
    words = words_of(token)
    return all(word in ASIDE for word in words) if words else token in _MARKS


_EVERYDAY_FILE = Path(__file__).with_name("everyday.toml")


@dataclass(frozen=True, slots=True)
class EverydayWords:
    """What people call a category, all of it or a part."""

    whole: Mapping[str, tuple[str, ...]]
    part: Mapping[str, tuple[str, ...]]


@cache
def everyday_words() -> EverydayWords:
    """The table as it is shipped."""
    table = tomllib.loads(_EVERYDAY_FILE.read_text(encoding="utf-8"))
    return EverydayWords(
        {category: _phrases(text) for category, text in table["whole"].items()},
        {category: _phrases(text) for category, text in table["part"].items()},
    )


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split(","))


NameKind = Literal["category", "merchant"]
MoneyWay = Literal["spending", "income", "neither"]

_MOST_NEAR, _LEAST_NEAR = 3, 0.84
"""How many names are offered for one that is not known, and how like it they are at least."""

_PARTS = re.compile(r", | and ")


@dataclass(frozen=True, slots=True)
class SpokenName:
    """A name in a sentence: a category by its id, or a merchant by the name that it is shown by.

    `way` says what a category holds: what is spent, what is earned, or what is neither.
    """

    kind: NameKind
    value: str
    label: str
    way: MoneyWay = "spending"


@dataclass(slots=True)
class KnownNames:
    """The categories and merchants of a person, by the words that they are called by.

    A category goes by its label, its id and each part of its label ("Restaurants and coffee" by
    "restaurants"), and where nothing else does, by what people call it; a merchant by its name alone.
    `currency` is what a person's amounts are in.
    """

    currency: str = "USD"
    longest: int = 0
    _exact: dict[Words, list[SpokenName]] = field(default_factory=dict)
    _stems: dict[Words, list[SpokenName]] = field(default_factory=dict)
    _everyday: dict[Words, list[SpokenName]] = field(default_factory=dict)
    _parts: set[tuple[Words, str]] = field(default_factory=set)

    @classmethod
    def of(
        cls, categories: Iterable[CategoryChoice], merchants: Iterable[str], currency: str = "USD"
    ) -> "KnownNames":
        """Know a person's categories, and the names of those they pay."""
        known = cls(currency)
        for each in categories:
            name = SpokenName("category", each.category, each.label, way_of(each))
            parts = _PARTS.split(each.label)
            own_id = () if each.custom else (each.category,)
            for spelling in (each.label, *own_id, *parts):
                known._add(spelling, name, known._exact, known._stems)
            if len(parts) > 1:
                of_id = stems_of(words_of(each.category))
                stems = {stems_of(words_of(part)) for part in parts} - {of_id}
                known._parts.update((part, each.category) for part in stems)
            if not each.custom:
                known._add_everyday(name)
        for merchant in dict.fromkeys(merchants):
            name = SpokenName("merchant", merchant, merchant)
            known._add(merchant, name, known._exact, known._stems)
        return known

    def called(self, words: Words, kind: NameKind | None = None) -> list[SpokenName]:
        """What goes by some words, of one kind or of both; as they are spelled, else by their stems.

        What people call a category stands beside a merchant of that name where it is a part of the
        category, and before it where it is the whole: "cash withdrawals" are a category.
        """
        stems = stems_of(words)
        everyday = [each for each in self._everyday.get(stems, ()) if kind in (None, each.kind)]
        found: list[SpokenName] = []
        for table, spelling in ((self._exact, words), (self._stems, stems)):
            found = [each for each in table.get(spelling, ()) if kind in (None, each.kind)]
            if found:
                break
        if any(each.kind == "category" for each in found):
            return found
        whole = [each for each in everyday if (stems, each.value) not in self._parts]
        return whole or [*everyday, *found]

    def is_part(self, words: Words, category: str) -> bool:
        """Whether words call no more than a part of what a category holds."""
        return (stems_of(words), category) in self._parts

    def is_everyday(self, words: Words) -> bool:
        """Whether words are only what people call a category, so that a name may end with them."""
        stems = stems_of(words)
        return stems in self._everyday and stems not in self._stems

    def merchants_called(self, words: Words) -> list[SpokenName]:
        """The merchants whose names have these words, whatever else is called so."""
        return [each for each in self._stems.get(stems_of(words), ()) if each.kind == "merchant"]

    def near(self, text: str) -> list[str]:
        """The labels of three names at most: spelled nearly like a text, or with all its words."""
        labels = {
            " ".join(words): each.label
            for table in (self._everyday, self._exact)
            for words, names in table.items()
            for each in names
            if each.way != "neither"
        }
        close = get_close_matches(text, labels, _MOST_NEAR, _LEAST_NEAR) if len(text) > 3 else []
        asked = set(text.split())
        longer = (name for name in labels if len(text) > 3 and asked < set(name.split()))
        return list(dict.fromkeys(labels[name] for name in (*close, *longer)))[:_MOST_NEAR]

    def _add_everyday(self, name: SpokenName) -> None:
        table = everyday_words()
        for phrase in table.whole.get(name.value, ()):
            self._add(phrase, name, None, self._everyday)
        for phrase in table.part.get(name.value, ()):
            self._add(phrase, name, None, self._everyday)
            self._parts.add((stems_of(words_of(phrase)), name.value))

    def _add(
        self,
        spelling: str,
        name: SpokenName,
        exact: dict[Words, list[SpokenName]] | None,
        stems: dict[Words, list[SpokenName]],
    ) -> None:
        words = words_of(spelling)
        if not words:
            return
        self.longest = max(self.longest, len(words))
        for table, key in ((exact, words), (stems, stems_of(words))):
            if table is None:
                continue
            names = table.setdefault(key, [])
            if name not in names:
                names.append(name)


def way_of(choice: CategoryChoice) -> MoneyWay:
    """What a category's money is; one of the person's own holds no income."""
    if choice.line != "not_spending" and not choice.reimbursable:
        return "spending"
    built_in = None if choice.custom else BUILT_IN.get(choice.category)
    return "income" if built_in is not None and built_in.flow == "income" else "neither"


def is_aside(words: Words) -> bool:
    """Whether words alone say nothing, so that a name made of them has to be introduced."""
    return all(word in ASIDE or word in OF_SPENDING for word in words)
