"""The rows that questions are about, as the bank wrote them: those of the next questions together.

A person answers faster than a request for each question would let them, since a minute has a limit.
"""

from collections.abc import Iterable, Sequence

from finplan.cli.console.session import Session
from finplan.model.task import CategorizePayee, Task
from finplan.model.transaction import LARGEST_PAGE, Transaction, TransactionQuery
from finplan.operations.transaction import LIST_TRANSACTIONS

_UNEXPLAINED = ("uncategorized", "unknown_inflow")
_LEEWAY = 20
"""How many more rows than a question counts are looked at, since others may share the payee's name."""


class AskedRows:
    """Looks up rows for one question after the other, and keeps those that came along."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._found: dict[tuple[str, str], Sequence[Transaction]] = {}

    def of(self, asked: CategorizePayee, ahead: Iterable[Task]) -> Sequence[Transaction]:
        """The rows of a question, newest first; `ahead` are the questions that come after it."""
        if _key(asked) not in self._found:
            together = self._with_those_ahead(asked, ahead)
            if len(together) > 1:
                self._look_up(together)
        if _key(asked) not in self._found:
            self._look_up([asked])
        return self._found[_key(asked)]

    def forget(self, payee_key: str) -> None:
        """Look the rows of a payee up anew: an answer has filed some of them, or was taken back."""
        self._found = {key: rows for key, rows in self._found.items() if key[0] != payee_key}

    def _with_those_ahead(
        self, asked: CategorizePayee, ahead: Iterable[Task]
    ) -> list[CategorizePayee]:
        """A question and as many of the next ones as one page has the rows of."""
        together, room = [asked], LARGEST_PAGE - _looked_at(asked)
        for task in ahead:
            if isinstance(task, CategorizePayee) and _key(task) not in self._found:
                room -= _looked_at(task)
                if room < 0:
                    break
                together.append(task)
        return together

    def _look_up(self, together: Sequence[CategorizePayee]) -> None:
        # A question about one row names its day; one about a payee has its newest unexplained rows.
        alone = together[0] if len(together) == 1 else None
        day = alone.last_date if alone is not None and alone.count == 1 else None
        page = self._session.call(
            LIST_TRANSACTIONS,
            TransactionQuery(
                merchant=tuple(dict.fromkeys(task.payee_key for task in together)),
                category=_UNEXPLAINED,
                pending=False,
                since=day,
                until=day,
                limit=min(sum(map(_looked_at, together)), LARGEST_PAGE),
            ),
        )
        for task in together:
            own = _own(task, page.transactions)
            # Many rows of one payee may have left no room on the page for another's.
            if alone is not None or len(own) == task.count:
                self._found[_key(task)] = own


def _key(task: CategorizePayee) -> tuple[str, str]:
    return task.payee_key, task.id


def _looked_at(task: CategorizePayee) -> int:
    return max(task.count, 1) + _LEEWAY


def _own(task: CategorizePayee, rows: Iterable[Transaction]) -> Sequence[Transaction]:
    own = [row for row in rows if row.payee_key == task.payee_key]
    if task.count == 1:
        own = [row for row in own if row.date == task.last_date and -row.amount == task.total]
    return own[: task.count]
