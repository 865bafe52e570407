"""What a person has names for: their categories and merchants, found by the words of a sentence."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.category import CategoryChoice
from finplan.questions.everyday import everyday_words
from finplan.questions.words import ASIDE, OF_SPENDING, Words, stems_of, words_of

NameKind = Literal["category", "merchant"]
MoneyWay = Literal["spending", "income", "neither"]

_SHORTEST_NEAR = 6

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

    def labels(self, kind: NameKind | None = None) -> dict[str, str]:
        """What may be asked for, by its words: for finding what is spelled nearly so.

        Of what people call categories only long words are there: a file is no slip of a film.
        """
        return {
            spelled: each.label
            for table, shortest in ((self._everyday, _SHORTEST_NEAR), (self._exact, 1))
            for words, names in table.items()
            for each in names
            if kind in (None, each.kind) and each.way != "neither"
            if len(spelled := " ".join(words)) >= shortest
        }

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
