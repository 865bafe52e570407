"""The walk through the questions: which key means what, what an answer closes, and the way back.

State and decisions alone: whoever asks the daemon and the person is told what to do, and does it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from finplan.model import figures
from finplan.model.category import MoneyDirection
from finplan.model.detection import TransferQuery
from finplan.model.task import CategorizePayee, Task
from finplan.model.transaction import LARGEST_PAGE, Transaction, TransactionQuery

LIKELY = 0.5
"""From here on a suggestion is more likely right than wrong, so that Enter takes it."""

ENTER = "Enter"

# --- which key means what ------------------------------------------------------------------------


class KeyedChoice(NamedTuple):
    """A category that a key answers with, and how sure it is where it is suggested."""

    key: str
    category: str
    label: str
    sure: str = ""


def is_likely(task: CategorizePayee) -> bool:
    """Whether the suggestion is at least as likely right as wrong."""
    return task.confidence is not None and task.confidence >= LIKELY


def choices(task: CategorizePayee) -> tuple[KeyedChoice, ...]:
    """The categories that are offered: Enter takes what is likely, a number any other one.

    Nobody files a payee by chance, so a mere guess is the first number.
    """
    sure = "" if task.confidence is None else figures.share(task.confidence)
    others = [other for other in task.alternatives if other.category != task.suggested]
    guesses = [(task.suggested, task.suggested_label, sure)]
    guesses += [(other.category, other.label, "") for other in others]
    first = 0 if is_likely(task) else 1
    return tuple(
        KeyedChoice(str(index) if index else ENTER, *guess)
        for index, guess in enumerate(guesses, first)
    )


def chosen(task: Task | None, key: str) -> str | None:
    """The category that a key takes; None where it takes none."""
    offered = choices(task) if isinstance(task, CategorizePayee) else ()
    return next((choice.category for choice in offered if choice.key == key), None)


_WORDS: dict[str, Literal["quit", "undo", "skip", "dismiss", "help", "each"]] = {
    **dict.fromkeys(("q", "quit"), "quit"),
    **dict.fromkeys(("u", "undo"), "undo"),
    **dict.fromkeys(("s", "skip"), "skip"),
    **dict.fromkeys(("d", "dismiss"), "dismiss"),
    **dict.fromkeys(("?", "h", "help"), "help"),
    **dict.fromkeys(("e", "each"), "each"),
}
_PART = re.compile(r"^(?:(in|out)|=\s*(-?[0-9.,]+))\s+(\S.*)$", re.IGNORECASE)
"""An answer for one direction, or for one exact amount."""


class Typed(NamedTuple):
    """What a typed reply means; the category and the amount are still to be looked up."""

    does: Literal["quit", "undo", "skip", "dismiss", "help", "each", "answer", "nothing"]
    category: str = ""
    direction: MoneyDirection = "both"
    amount: str | None = None


def read_reply(task: Task, reply: str) -> Typed:
    """Read a reply to a question; one that means nothing says so in the place of a category."""
    does = _WORDS.get(reply.lower())
    if not reply:
        taken = chosen(task, ENTER)
        return Typed("skip") if taken is None else Typed("answer", taken)
    if not isinstance(task, CategorizePayee):
        return Typed("nothing" if does in (None, "each") else does)
    if does is not None:
        return Typed(does)
    part = _PART.match(reply)
    way, amount, category = (None, None, reply) if part is None else part.groups()
    if category.isdecimal():
        taken = chosen(task, category)
        if taken is None:
            keys = ", ".join(choice.key for choice in choices(task))
            return Typed(
                "nothing", f"No choice {category}. Choose from {keys}, or give a category."
            )
        category = taken
    directions: dict[str | None, MoneyDirection] = {"in": "in", "out": "out"}
    return Typed("answer", category, directions.get(way and way.lower(), "both"), amount)


# --- what an answer closes, and the way back -----------------------------------------------------


class _GivenAnswer(NamedTuple):
    task: Task
    position: int
    ahead: list[Task]


@dataclass
class Walk:
    """Questions one after the other, of which each answer that was kept can be taken back."""

    tasks: list[Task]
    position: int = 0

    def __post_init__(self) -> None:
        self.answers: list[_GivenAnswer] = []

    @property
    def current(self) -> Task | None:
        """The question that is shown; None after the last one."""
        return self.tasks[self.position] if self.position < len(self.tasks) else None

    @property
    def ahead(self) -> list[Task]:
        """The questions after it."""
        return self.tasks[self.position + 1 :]

    def note(self, answered: Task) -> None:
        """Keep an answer, so that it can be taken back."""
        self.answers.append(_GivenAnswer(answered, self.position, self.ahead))

    def go_on(self, answered: Task, now: Sequence[Task] | None = None) -> list[Task]:
        """Go on after an answer; of the questions that are open `now`, what it closed is left out.

        What is left of the question itself, or the rows that it gave way to, is asked next.
        """
        self.note(answered)
        ahead = self.ahead
        gone = [] if now is None else closed(ahead, now)
        ids = {task.id for task in self.tasks} - {answered.id}
        own = [task for task in now or () if task.id not in ids and _same_payee(task, answered)]
        self.tasks[self.position + 1 :] = [*own, *(task for task in ahead if task not in gone)]
        self.position += 1
        return gone

    def undo(self) -> Task | None:
        """Go back to the question that was answered last; None where none was."""
        if not self.answers:
            return None
        task, self.position, ahead = self.answers.pop()
        self.tasks[self.position + 1 :] = ahead
        return task

    def renew(self, tasks: Sequence[Task]) -> None:
        """Take the questions that are open now, and stay at the same one, or at the next."""
        still = {task.id for task in tasks}
        before = sum(task.id in still for task in self.tasks[: self.position])
        self.tasks, self.position = list(tasks), max(0, min(before, len(tasks) - 1))


def closed(before: Iterable[Task], now: Iterable[Task], answered: str = "") -> list[Task]:
    """The questions that the answer to one of them made unnecessary."""
    still = {answered, *(task.id for task in now)}
    return [task for task in before if task.id not in still]


def _same_payee(first: Task, second: Task) -> bool:
    payees = isinstance(first, CategorizePayee) and isinstance(second, CategorizePayee)
    return payees and first.payee_key == second.payee_key  # type: ignore[union-attr]


# --- what is looked up beside a question ---------------------------------------------------------

CANDIDATES = TransferQuery(status=("candidate",))
"""What is asked for the rows that may be halves of transfers."""

_UNEXPLAINED = ("uncategorized", "unknown_inflow")
_LEEWAY = 20
"""How many more rows than a question counts are looked at, since others may share the payee's name."""


def offers_transfer(tasks: Iterable[Task]) -> bool:
    """Whether some question offers money between own accounts, so that its twin is worth showing."""
    payees = (task for task in tasks if isinstance(task, CategorizePayee))
    return any(choice.category == "transfer" for payee in payees for choice in choices(payee))


def together(first: CategorizePayee, ahead: Iterable[CategorizePayee]) -> list[CategorizePayee]:
    """A question and as many of the next ones as one page has the rows of."""
    questions, room = [first], LARGEST_PAGE - _looked_at(first)
    for question in ahead:
        room -= _looked_at(question)
        if room < 0:
            break
        questions.append(question)
    return questions


def rows_query(questions: Sequence[CategorizePayee]) -> TransactionQuery:
    """What is asked for the rows that questions are about.

    A question about one row names its day; one about a payee has its newest unexplained rows.
    """
    alone = questions[0] if len(questions) == 1 and questions[0].count == 1 else None
    day = None if alone is None else alone.last_date
    return TransactionQuery(
        merchant=tuple(dict.fromkeys(question.payee_key for question in questions)),
        category=_UNEXPLAINED,
        pending=False,
        since=day,
        until=day,
        limit=min(sum(map(_looked_at, questions)), LARGEST_PAGE),
    )


def _looked_at(task: CategorizePayee) -> int:
    return max(task.count, 1) + _LEEWAY


def own_rows(task: CategorizePayee, rows: Iterable[Transaction]) -> tuple[Transaction, ...]:
    """Those of some rows that a question is about, newest first."""
    own = [row for row in rows if row.payee_key == task.payee_key]
    if task.count == 1:
        own = [row for row in own if row.date == task.last_date and -row.amount == task.total]
    return tuple(own[: task.count])
