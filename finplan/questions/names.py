"""What a person has names for: their categories and merchants, found by the words of a sentence."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from finplan.model.category import CategoryChoice
from finplan.questions.words import ASIDE, OF_SPENDING, Words, stems_of, words_of

NameKind = Literal["category", "merchant"]

_PARTS = re.compile(r", | and ")


@dataclass(frozen=True, slots=True)
class SpokenName:
    """A name in a sentence: a category by its id, or a merchant by the name that it is shown by."""

    kind: NameKind
    value: str
    label: str
    is_spending: bool = True


@dataclass(slots=True)
class KnownNames:
    """The categories and merchants of a person, by the words that they are called by.

    A category goes by its label, its id and each part of its label ("Restaurants and coffee" by
    "restaurants"), a merchant by its name alone.
    """

    _exact: dict[Words, list[SpokenName]] = field(default_factory=dict)
    _stems: dict[Words, list[SpokenName]] = field(default_factory=dict)
    longest: int = 0

    @classmethod
    def of(cls, categories: Iterable[CategoryChoice], merchants: Iterable[str]) -> "KnownNames":
        """Know a person's categories, and the names of those they pay."""
        known = cls()
        for each in categories:
            spends = each.line != "not_spending" and not each.reimbursable
            name = SpokenName("category", each.category, each.label, spends)
            own_id = () if each.custom else (each.category,)
            for spelling in (each.label, *own_id, *_PARTS.split(each.label)):
                known._add(spelling, name)
        for merchant in dict.fromkeys(merchants):
            known._add(merchant, SpokenName("merchant", merchant, merchant))
        return known

    def called(self, words: Words, kind: NameKind | None = None) -> list[SpokenName]:
        """What goes by some words, of one kind or of both; as they are spelled, else by their stems.

        Where a category of spending goes by them, no other category is meant.
        """
        found: list[SpokenName] = []
        for table, spelling in ((self._exact, words), (self._stems, stems_of(words))):
            found = [each for each in table.get(spelling, ()) if kind in (None, each.kind)]
            if found:
                break
        spending = [each for each in found if each.is_spending]
        return spending or found

    def labels(self) -> dict[str, str]:
        """What may be written, by its words: for finding what is spelled nearly so."""
        return {
            " ".join(words): each.label for words, names in self._exact.items() for each in names
        }

    def _add(self, spelling: str, name: SpokenName) -> None:
        words = words_of(spelling)
        if not words:
            return
        self.longest = max(self.longest, len(words))
        for table, key in ((self._exact, words), (self._stems, stems_of(words))):
            names = table.setdefault(key, [])
            if name not in names:
                names.append(name)


def is_aside(words: Words) -> bool:
    """Whether words alone say nothing, so that a name made of them has to be introduced."""
    return all(word in ASIDE or word in OF_SPENDING for word in words)
