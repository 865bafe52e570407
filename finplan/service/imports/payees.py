"""Who each row was paid to, found once for the rows whose descriptors say the same."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse, repeat

from finplan.categorise.long_numbers import all_without_long_numbers
from finplan.categorise.payee import payee_of_blanked
from finplan.model.household import ExportedPayee
from finplan.statements.statement import StatementRows

_REMEMBERED = 50_000
"""From how many remembered descriptors on all are forgotten, so that memory has a bound."""

_Descriptor = str | tuple[str, str | None]
"""A descriptor, alone or with the name that the bank gives."""


class PayeeNumbers:
    """The local numbers of the payees of rows: their places in `payees`, which new ones are added to.

    A payee is its key, its name, and the first descriptor that it was seen under.
    """

    def __init__(self, payees: list[tuple[str, str, str]]) -> None:
        self._payees = payees
        self._by_key: dict[str, int] = {}
        self._by_words: dict[_Descriptor, int] = {}
        self._known: dict[_Descriptor, int] = {}
        self._exported: Mapping[str, ExportedPayee] = {}

    def take_exported(self, payees: Mapping[str, ExportedPayee]) -> None:
        """Let rows that name these payees by their keys be paid to just them."""
        self._exported = payees

    def of(self, rows: StatementRows) -> Iterable[int]:
        """One number for each row, in their order."""
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
            self._by_words.clear()
        if any(rows.payees):
            both = list(zip(rows.raws, rows.payees, strict=True))
            new = [each for each in dict.fromkeys(both) if each not in self._known]
            self._learn(new, [raw for raw, _ in new], [name for _, name in new])
            return map(self._known.__getitem__, both)
        raws = list(filterfalse(self._known.__contains__, dict.fromkeys(rows.raws)))
        self._learn(raws, raws, None)
        return map(self._known.__getitem__, rows.raws)

    def _learn(
        self,
        descriptors: Sequence[_Descriptor],
        raws: Sequence[str],
        names: Sequence[str | None] | None,
    ) -> None:
        """Find the payees of descriptors; of those that differ in numbers only one is looked at."""
        blanked = all_without_long_numbers(raws)
        words: Sequence[_Descriptor] = list(zip(blanked, names, strict=True)) if names else blanked
        for word, text, name, raw in zip(words, blanked, names or repeat(None), raws, strict=False):
            if word not in self._by_words:
                self._by_words[word] = self._find(text, name, raw)
        self._known.update(zip(descriptors, map(self._by_words.__getitem__, words), strict=True))

    def _find(self, blanked: str, name: str | None, raw: str) -> int:
        exported = self._exported.get(name) if name is not None else None
        if exported is not None:
            return self._number(exported.key, exported.name, exported.raw)
        payee = payee_of_blanked(blanked, name)
        return self._number(payee.key, payee.name, raw)

    def _number(self, key: str, name: str, raw: str) -> int:
        number = self._by_key.get(key)
        if number is None:
            number = self._by_key[key] = len(self._by_key)
            self._payees.append((key, name, raw))
        return number
