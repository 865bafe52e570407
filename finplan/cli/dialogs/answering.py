"""The walk through the open questions: one after the other, with a way back.

Beside each question stand the rows that it is about.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import typer

from finplan.cli.console.errors import CommandError, Interrupted, print_remark
from finplan.cli.console.session import Session
from finplan.cli.console.terminal import remarks
from finplan.cli.console.typed_values import minor
from finplan.cli.dialogs.lookup import category_choices, category_finder
from finplan.cli.showing.tasks import (
    draw_answered,
    draw_dismissed,
    draw_effect,
    draw_question,
    draw_reopened,
    numbered_answers,
)
from finplan.client.failures import CallFailed
from finplan.model import figures
from finplan.model.category import CategoryChoice
from finplan.model.detection import Transfer
from finplan.model.task import (
    CategorizePayee,
    Effect,
    ReconnectConnection,
    Task,
    TaskAnswer,
    TaskId,
    TaskQuery,
)
from finplan.model.transaction import LARGEST_PAGE, Transaction, TransactionQuery
from finplan.model.twins import CANDIDATES, offers_transfer
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.views.plan_words import is_likely, question, way_on

KEYS = "s skip, d dismiss, u undo, q quit, ? help"
OTHER_KEYS = "Enter or s skip, d dismiss, u undo, q quit, ? help"
KEEPS = "  Enter keeps it, n takes another answer"
HELP = (
    "A number or a category (an id, a label or a part of one) files the payee.",
    "Enter takes what stands beside it. What an answer moves is shown before it is kept.",
    "in CATEGORY files the money that comes in alone, out CATEGORY what goes out.",
    "=12.50 CATEGORY files charges of exactly that amount; money in has a minus.",
    "e asks about each charge of this payee by itself.",
    "s skips: the question stays open.",
    "d dismisses: it is not asked again.",
    "u takes the last answer back.",
    "q quits; every answer so far is kept.",
)


_PART_TYPED = re.compile(r"^(?:(in|out)|=\s*(-?[0-9.,]+))\s+(\S.*)$", re.IGNORECASE)
"""An answer for one direction, or for one exact amount."""


@dataclass(frozen=True)
class _Kept:
    """An answer that was kept: its place in the walk, and the questions as they were ahead of it."""

    place: int
    ahead: list[Task]


class TaskWalk:
    """Asks each question in turn. Every answer is kept at once, so quitting loses nothing."""

    def __init__(self, session: Session, tasks: Sequence[Task]) -> None:
        self.session = session
        # A bank that wants a new sign-in cannot be answered here.
        self.tasks: list[Task] = [
            task for task in tasks if not isinstance(task, ReconnectConnection)
        ]
        self.elsewhere = [task for task in tasks if isinstance(task, ReconnectConnection)]
        self.rows = AskedRows(session)
        self.named_category = category_finder(session)
        self.candidates: Sequence[Transfer] | None = None
        self.answered: list[_Kept] = []
        self.place = 0

    @cached_property
    def categories(self) -> dict[str, CategoryChoice]:
        """The categories that there are, by id."""
        return category_choices(self.session)

    def run(self) -> None:
        """Ask until all are answered or the person quits, and tell how it ended."""
        for task in self.elsewhere:
            self.session.say(f"{question(task)} {way_on(task, task.id)}")
        if not self.tasks:
            self.session.say("No open questions.")
            return
        try:
            self._ask_all()
        except (Interrupted, KeyboardInterrupt):
            raise Interrupted(self._kept_said()) from None
        left = len(self.tasks) - len(self.answered)
        done = "The next plan counts with them: `finplan plan build`." if self.answered else ""
        self.session.say(f"{len(self.answered)} answered, {left} open. {done}".rstrip())

    def _kept_said(self) -> str:
        if not self.answered:
            return "Interrupted; no answer was given."
        kept = figures.count(len(self.answered), "answer is", "answers are")
        return f"Interrupted; {kept} kept. `finplan tasks list --answered` lists what is answered."

    def _ask_all(self) -> None:
        while self.place < len(self.tasks):
            self._show()
            if not self._take(self.tasks[self.place]):
                break

    def _show(self) -> None:
        task = self.tasks[self.place]
        progress = f"{self.place + 1} of {len(self.tasks)}"
        ahead = self.tasks[self.place + 1 :]
        rows = self.rows.of(task, ahead) if isinstance(task, CategorizePayee) else ()
        page = draw_question(
            task, progress, self.session.currency, remarks().width, rows, self._candidates(task)
        )
        remarks().print(page)

    def _candidates(self, task: Task) -> Sequence[Transfer]:
        """The transfers in doubt, where the question offers money between own accounts."""
        if not offers_transfer([task]):
            return ()
        if self.candidates is None:
            self.candidates = self.session.call(LIST_TRANSFERS, CANDIDATES)
        return self.candidates

    def _take(self, task: Task) -> bool:
        """Take one reply to a question; False when the person quits."""
        payee = task if isinstance(task, CategorizePayee) else None
        prompt = f"  Enter, number or category; {KEYS}" if payee else f"  {OTHER_KEYS}"
        while True:
            typed = self._reply(prompt)
            match typed.lower():
                case "q" | "quit":
                    return False
                case "u" | "undo":
                    self._undo()
                    return True
                case "s" | "skip":
                    self.place += 1
                    return True
                case "" if payee is None or not is_likely(payee):
                    # Nobody files a payee by chance: what is not known for sure is typed.
                    self.place += 1
                    return True
            reply = self._answer(task, typed)
            if reply is not None and self._agrees(reply) and self._keep(reply):
                return True

    def _answer(self, task: Task, typed: str) -> TaskAnswer | None:
        """The answer that a reply means; None when it is none, which is said."""
        if typed.lower() in ("d", "dismiss"):
            return TaskAnswer(id=task.id, dismiss=True)
        if typed.lower() in ("?", "h", "help"):
            for line in HELP:
                print_remark(f"  {line}")
            return None
        if not isinstance(task, CategorizePayee):
            print_remark(f"  No category answers this. {way_on(task, task.id)}")
            return None
        if typed.lower() in ("e", "each"):
            return TaskAnswer(id=task.id, each=True)
        return self._filing(task, typed)

    def _filing(self, task: CategorizePayee, typed: str) -> TaskAnswer | None:
        """The answer that files a payee, or the part of its money that is named first."""
        part = _PART_TYPED.match(typed)
        direction, amount, name = (None, None, typed) if part is None else part.groups()
        category = self._category(task, name)
        if category is None:
            return None
        reply = TaskAnswer(id=task.id, answer=category)
        if direction is not None:
            return reply.model_copy(update={"direction": direction.lower()})
        return reply if amount is None else self._of_amount(reply, amount)

    def _of_amount(self, reply: TaskAnswer, typed: str) -> TaskAnswer | None:
        try:
            exact = minor(typed, self.session.currency, "The amount")
        except CommandError as error:
            print_remark(f"  {error}")
            return None
        return reply.model_copy(update={"amount": exact})

    def _agrees(self, reply: TaskAnswer) -> bool:
        """Show what an answer would move, and ask whether it is to be kept."""
        if reply.answer is None:
            return True
        effect = self._ask(reply.model_copy(update={"preview": True}))
        if not isinstance(effect, Effect):
            return False
        category = self.categories.get(reply.answer)
        print_remark(f"  {draw_effect(effect, self.session.currency, category)}")
        return self._reply(KEEPS).lower() in ("", "y", "yes")

    def _reply(self, prompt: str) -> str:
        try:
            return self.session.ask(f"{prompt}:")
        except typer.Abort:
            return "q"

    def _category(self, task: CategorizePayee, typed: str) -> str | None:
        if not typed:
            return task.suggested
        if typed.isdecimal():
            ways = numbered_answers(task)
            if 1 <= int(typed) <= len(ways):
                return ways[int(typed) - 1].category
            print_remark(f"  There is no {typed}; numbers go to {len(ways)}.")
            return None
        try:
            return self.named_category(typed)
        except CommandError as error:
            print_remark(f"  {error}")
            return None

    def _keep(self, reply: TaskAnswer) -> bool:
        answered = self._ask(reply)
        if answered is None or isinstance(answered, Effect):
            return False
        self._forget_rows()
        kept = _Kept(self.place, self.tasks[self.place + 1 :])
        closed = [] if reply.dismiss else self._look_ahead(reply)
        outcome = draw_dismissed(answered)
        if not reply.dismiss:
            filed = self.categories.get(reply.answer or "")
            label = (reply.answer or "") if filed is None else filed.label
            outcome = draw_answered(answered, label, self.session.currency, closed)
        remarks().print(f"  {outcome}", style="green")
        self.answered.append(kept)
        self.place += 1
        return True

    def _ask(self, reply: TaskAnswer) -> Task | Effect | None:
        """Give an answer, or with `preview` try it; None when it is refused, which is said."""
        try:
            return self.session.call(ANSWER_TASK, reply)
        except CallFailed as failure:
            if failure.status not in (400, 404, 409, 422):
                raise
            print_remark(f"  {failure.message}")
            return None

    def _look_ahead(self, reply: TaskAnswer) -> list[Task]:
        """Leave out the questions ahead that an answer made unnecessary; answers those.

        What is left of the question itself, or the rows that it gave way to, is asked next.
        """
        now = {task.id: task for task in self.session.call(LIST_TASKS, TaskQuery())}
        asked = self.tasks[self.place]
        ahead = self.tasks[self.place + 1 :]
        known = {task.id for task in self.tasks} - {reply.id}
        left = [
            task
            for task in now.values()
            if isinstance(task, CategorizePayee)
            and isinstance(asked, CategorizePayee)
            and task.payee_key == asked.payee_key
            and task.id not in known
        ]
        self.tasks[self.place + 1 :] = [*left, *(task for task in ahead if task.id in now)]
        return [task for task in ahead if task.id not in now]

    def _undo(self) -> None:
        if not self.answered:
            print_remark("  There is no answer to take back yet.")
            return
        kept = self.answered.pop()
        self.place = kept.place
        self.session.call(UNDO_ANSWER, TaskId(id=self.tasks[self.place].id))
        self.tasks[self.place + 1 :] = kept.ahead
        self._forget_rows()
        print_remark(f"  {draw_reopened(self.tasks[self.place])}")

    def _forget_rows(self) -> None:
        """What was filed or taken back just now changes which rows of the payee are asked about."""
        self.candidates = None
        task = self.tasks[self.place]
        if isinstance(task, CategorizePayee):
            self.rows.forget(task.payee_key)


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
        if _key_of_rows(asked) not in self._found:
            together = self._with_those_ahead(asked, ahead)
            if len(together) > 1:
                self._look_up(together)
        if _key_of_rows(asked) not in self._found:
            self._look_up([asked])
        return self._found[_key_of_rows(asked)]

    def forget(self, payee_key: str) -> None:
        """Look the rows of a payee up anew: an answer has filed some of them, or was taken back."""
        self._found = {key: rows for key, rows in self._found.items() if key[0] != payee_key}

    def _with_those_ahead(
        self, asked: CategorizePayee, ahead: Iterable[Task]
    ) -> list[CategorizePayee]:
        """A question and as many of the next ones as one page has the rows of."""
        together, room = [asked], LARGEST_PAGE - _looked_at(asked)
        for task in ahead:
            if isinstance(task, CategorizePayee) and _key_of_rows(task) not in self._found:
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
            own = _own_rows(task, page.transactions)
            # Many rows of one payee may have left no room on the page for another's.
            if alone is not None or len(own) == task.count:
                self._found[_key_of_rows(task)] = own


def _key_of_rows(task: CategorizePayee) -> tuple[str, str]:
    return task.payee_key, task.id


def _looked_at(task: CategorizePayee) -> int:
    return max(task.count, 1) + _LEEWAY


def _own_rows(task: CategorizePayee, rows: Iterable[Transaction]) -> Sequence[Transaction]:
    own = [row for row in rows if row.payee_key == task.payee_key]
    if task.count == 1:
        own = [row for row in own if row.date == task.last_date and -row.amount == task.total]
    return own[: task.count]
