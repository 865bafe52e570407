"""Who each row was paid to, found once for the rows whose descriptors say the same."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from finplan.categorise.payee import payee_of, without_long_numbers
from finplan.statements.statement import StatementRows

_REMEMBERED = 50_000
"""How many descriptors' payees are remembered at once, so that memory has a bound."""

Asked = TypeVar("Asked")


class PayeeNumbers:
    """The local numbers of the payees of rows: their places in `payees`, which new ones are added to.

    A payee is its key, its name, and the first descriptor that it was seen under.
    """

    def __init__(self, payees: list[tuple[str, str, str]]) -> None:
        self._payees = payees
        self._by_key: dict[str, int] = {}
        self._by_words: dict[tuple[str, str | None], int] = {}
        self._unnamed = _Answers[str](lambda raw: self._number(raw, None))
        self._named = _Answers[tuple[str, str | None]](lambda said: self._number(*said))

    def of(self, rows: StatementRows) -> Iterable[int]:
        """One number for each row."""
        if any(rows.payees):
            return map(self._named.__getitem__, zip(rows.raws, rows.payees, strict=True))
        return map(self._unnamed.__getitem__, rows.raws)

    def _number(self, raw: str, name: str | None) -> int:
        words = without_long_numbers(raw), name
        number = self._by_words.get(words)
        if number is None:
            if len(self._by_words) >= _REMEMBERED:
                self._by_words.clear()
            number = self._by_words[words] = self._find(raw, name)
        return number

    def _find(self, raw: str, name: str | None) -> int:
        payee = payee_of(raw, name)
        number = self._by_key.get(payee.key)
        if number is None:
            number = self._by_key[payee.key] = len(self._by_key)
            self._payees.append((payee.key, payee.name, raw))
        return number


class _Answers(dict[Asked, int]):
    """Remembers what was answered to what was asked, up to a bound."""

    def __init__(self, answer: Callable[[Asked], int]) -> None:
        super().__init__()
        self._answer = answer

    def __missing__(self, asked: Asked) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        answer = self[asked] = self._answer(asked)
        return answer
