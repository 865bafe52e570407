"""The walk through the open questions: one after the other, with a way back."""

from collections.abc import Sequence
from functools import cached_property

import typer

from finplan.cli.console.errors import print_remark
from finplan.cli.console.session import Session
from finplan.cli.console.terminal import remarks
from finplan.cli.dialogs.category_names import category_id, category_labels
from finplan.cli.showing.tasks import (
    draw_answered,
    draw_dismissed,
    draw_question,
    draw_reopened,
    is_likely,
    numbered_answers,
)
from finplan.client.failures import CallFailed
from finplan.model.plan_words import question
from finplan.model.task import (
    CategorizePayee,
    ReconnectConnection,
    Task,
    TaskAnswer,
    TaskId,
    TaskQuery,
)
from finplan.operations import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER

KEYS = "s skip, d dismiss, u undo, q quit, ? help"
HELP = (
    "A number or a category (an id, a label or a part of one) files the payee.",
    "Enter takes what stands beside it.",
    "s skips: the question stays open.",
    "d dismisses: it is not asked again.",
    "u takes the last answer back.",
    "q quits; every answer so far is kept.",
)


class TaskWalk:
    """Asks each question in turn. Every answer is kept at once, so quitting loses nothing."""

    def __init__(self, session: Session, tasks: Sequence[Task]) -> None:
        self.session = session
        # A bank that wants a new sign-in cannot be answered here.
        self.tasks: list[Task] = [
            task for task in tasks if not isinstance(task, ReconnectConnection)
        ]
        self.elsewhere = [task for task in tasks if isinstance(task, ReconnectConnection)]
        self.answered: list[int] = []
        self.closed: dict[str, list[Task]] = {}
        self.place = 0

    @cached_property
    def labels(self) -> dict[str, str]:
        """What the categories are called."""
        return category_labels(self.session)

    def run(self) -> None:
        """Ask until all are answered or the person quits, and tell how it ended."""
        for task in self.elsewhere:
            self.session.say(question(task))
        if not self.tasks:
            self.session.say("No open questions.")
            return
        while self.place < len(self.tasks):
            self._show()
            if not self._take(self.tasks[self.place]):
                break
        left = len(self.tasks) - len(set(self.answered))
        done = "The next plan counts with them: `finplan plan build`." if self.answered else ""
        self.session.say(f"{len(set(self.answered))} answered, {left} open. {done}".rstrip())

    def _show(self) -> None:
        progress = f"{self.place + 1} of {len(self.tasks)}"
        width = remarks().width
        currency = self.session.currency
        remarks().print(draw_question(self.tasks[self.place], progress, currency, width))

    def _take(self, task: Task) -> bool:
        """Take one reply to a question; False when the person quits."""
        payee = task if isinstance(task, CategorizePayee) else None
        prompt = f"  Enter, number or category; {KEYS}" if payee else f"  {KEYS}"
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
                case "" if payee and not is_likely(payee):
                    # Nobody files a payee by chance: what is not known for sure is typed.
                    self.place += 1
                    return True
            reply = self._answer(task, typed)
            if reply is None:
                continue
            if self._keep(reply):
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
            print_remark(f"  {KEYS}")
            return None
        category = self._category(task, typed)
        return None if category is None else TaskAnswer(id=task.id, answer=category)

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
        return category_id(self.session, typed)

    def _keep(self, reply: TaskAnswer) -> bool:
        try:
            answered = self.session.call(ANSWER_TASK, reply)
        except CallFailed as failure:
            if failure.status not in (400, 404, 409, 422):
                raise
            print_remark(f"  {failure.message}")
            return False
        outcome = draw_dismissed(answered)
        if reply.answer is not None:
            label = self.labels.get(reply.answer, reply.answer)
            outcome = draw_answered(
                answered, label, self.session.currency, self._close_others(reply)
            )
        remarks().print(f"  {outcome}", style="green")
        self.answered.append(self.place)
        self.place += 1
        return True

    def _close_others(self, reply: TaskAnswer) -> list[Task]:
        """Leave out the questions ahead that an answer made unnecessary, and name them."""
        still = {task.id for task in self.session.call(LIST_TASKS, TaskQuery())}
        ahead = self.tasks[self.place + 1 :]
        closed = [task for task in ahead if task.id not in still]
        self.closed[reply.id] = closed
        self.tasks[self.place + 1 :] = [task for task in ahead if task.id in still]
        return closed

    def _undo(self) -> None:
        if not self.answered:
            print_remark("  There is no answer to take back yet.")
            return
        self.place = self.answered.pop()
        task = self.tasks[self.place]
        self.session.call(UNDO_ANSWER, TaskId(id=task.id))
        self.tasks[self.place + 1 : self.place + 1] = self.closed.pop(task.id, [])
        print_remark(f"  {draw_reopened(self.tasks[self.place])}")
