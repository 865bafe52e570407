"""Who each row was paid to, found once for the rows whose descriptors say the same."""

from collections.abc import Iterable

from finplan.categorise.payee import all_without_long_numbers, payee_of_blanked
from finplan.statements.statement import StatementRows

_REMEMBERED = 50_000
"""From how many remembered descriptors on all are forgotten, so that memory has a bound."""


class PayeeNumbers:
    """The local numbers of the payees of rows: their places in `payees`, which new ones are added to.

    A payee is its key, its name, and the first descriptor that it was seen under.
    """

    def __init__(self, payees: list[tuple[str, str, str]]) -> None:
        self._payees = payees
        self._by_key: dict[str, int] = {}
        self._by_words: dict[tuple[str, str | None], int] = {}
        self._unnamed: dict[str, int] = {}
        self._named: dict[tuple[str, str | None], int] = {}

    def of(self, rows: StatementRows) -> Iterable[int]:
        """One number for each row, in their order."""
        if max(len(self._by_words), len(self._unnamed), len(self._named)) >= _REMEMBERED:
            self._forget()
        if any(rows.payees):
            said = list(zip(rows.raws, rows.payees, strict=True))
            both = [each for each in dict.fromkeys(said) if each not in self._named]
            words = all_without_long_numbers([raw for raw, _ in both])
            for (raw, name), blanked in zip(both, words, strict=True):
                self._named[raw, name] = self._number(blanked, name, raw)
            return map(self._named.__getitem__, said)
        raws = [each for each in dict.fromkeys(rows.raws) if each not in self._unnamed]
        for raw, blanked in zip(raws, all_without_long_numbers(raws), strict=True):
            self._unnamed[raw] = self._number(blanked, None, raw)
        return map(self._unnamed.__getitem__, rows.raws)

    def _forget(self) -> None:
        self._by_words.clear()
        self._unnamed.clear()
        self._named.clear()

    def _number(self, blanked: str, name: str | None, raw: str) -> int:
        number = self._by_words.get((blanked, name))
        if number is None:
            number = self._by_words[blanked, name] = self._find(blanked, name, raw)
        return number

    def _find(self, blanked: str, name: str | None, raw: str) -> int:
        payee = payee_of_blanked(blanked, name)
        number = self._by_key.get(payee.key)
        if number is None:
            number = self._by_key[payee.key] = len(self._by_key)
            self._payees.append((payee.key, payee.name, raw))
        return number
