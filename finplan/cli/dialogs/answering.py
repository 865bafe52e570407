"""The walk through the open questions: one after the other, with a way back.

Beside each question stand the rows that it is about.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

import typer
from rich.text import Text

from finplan import views
from finplan.cli.console.errors import CommandError, Interrupted, print_remark
from finplan.cli.console.session import Session
from finplan.cli.console.terminal import remarks
from finplan.cli.console.typed_values import minor
from finplan.cli.dialogs.lookup import category_choices, category_finder
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
)
from finplan.model.transaction import Transaction
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.terminal.lines import painted
from finplan.terminal.pages import draw_page
from finplan.views.answering import CANDIDATES, Typed, Walk, offers_transfer, read_reply
from finplan.views.page import Sentence, of as page_of, plain

KEYS = "s skip, d never ask, u undo last, q quit, ? help"
OTHER_KEYS = "Enter or s skip, d never ask, u undo last, q quit, ? help"
KEEPS = "  Press Enter to save, or n to choose again"
HELP = (
    "Type a number, or a category: its name, part of its name, or its id.",
    "Press Enter to choose the line marked Enter. You see the effect of an answer before you save it.",
    "in CATEGORY: only money in. out CATEGORY: only money out.",
    "=12.50 CATEGORY: only transactions of exactly that amount. Use a minus sign for money in.",
    "e: ask about each transaction of this payee separately.",
    "s: skip; the task stays open.",
    "d: dismiss; finplan does not ask again.",
    "u: undo your last answer.",
    "q: quit; your answers so far are saved.",
)


class TaskWalk:
    """Asks each question in turn. Every answer is kept at once, so quitting loses nothing."""

    def __init__(self, session: Session, tasks: Sequence[Task]) -> None:
        self.session = session
        # A bank that wants a new sign-in cannot be answered here.
        self.elsewhere = [task for task in tasks if isinstance(task, ReconnectConnection)]
        self.walk = Walk([task for task in tasks if task not in self.elsewhere])
        self.rows = AskedRows(session)
        self.named_category = category_finder(session)
        self.candidates: Sequence[Transfer] | None = None

    @cached_property
    def categories(self) -> dict[str, CategoryChoice]:
        """The categories that there are, by id."""
        return category_choices(self.session)

    def run(self) -> None:
        """Ask until all are answered or the person quits, and tell how it ended."""
        for task in self.elsewhere:
            question = plain(views.tasks.question(task))
            self.session.say(f"{question} {views.tasks.way_on(task, task.id)}")
        if not self.walk.tasks:
            self.session.say(views.tasks.NO_OPEN_TASKS)
            return
        try:
            while (current := self.walk.current) is not None:
                self._show(current)
                if not self._take(current):
                    break
        except (Interrupted, KeyboardInterrupt):
            raise Interrupted(self._count_saved()) from None
        answered = len(self.walk.answers)
        done = views.tasks.NEXT_PLAN if answered else ""
        remaining = len(self.walk.tasks) - answered
        self.session.say(f"{answered} answered, {remaining} open. {done}".rstrip())

    def _count_saved(self) -> str:
        if not self.walk.answers:
            return "Interrupted. Nothing was saved."
        count = figures.count(len(self.walk.answers), "answer")
        return f"Interrupted. {count} saved. See `finplan tasks list --answered`."

    def _show(self, task: Task) -> None:
        progress = f"{self.walk.position + 1} of {len(self.walk.tasks)}  "
        rows = self.rows.of(task, self.walk.ahead) if isinstance(task, CategorizePayee) else ()
        how, question = self.session.how, (progress, *views.tasks.question(task))
        drawn = draw_page(
            page_of(
                Sentence(""),
                Sentence(question, "strong"),
                views.tasks.question_lines(task, how, rows, self._candidates(task)),
                views.tasks.ways(task, how),
            ),
            self.session.look.within(remarks().width),
        )
        remarks().print(painted(drawn))

    def _candidates(self, task: Task) -> Sequence[Transfer]:
        """The transfers in doubt, where the question offers money between own accounts."""
        if not offers_transfer([task]):
            return ()
        if self.candidates is None:
            self.candidates = self.session.call(LIST_TRANSFERS, CANDIDATES)
        return self.candidates

    def _take(self, task: Task) -> bool:
        """Take one reply to a question; False when the person quits."""
        payee = isinstance(task, CategorizePayee)
        prompt = f"  Enter, number or category; {KEYS}" if payee else f"  {OTHER_KEYS}"
        while True:
            typed = read_reply(task, self._reply(prompt))
            match typed.does:
                case "quit":
                    return False
                case "undo":
                    self._undo()
                    return True
                case "skip":
                    self.walk.position += 1
                    return True
            reply = self._answer(task, typed)
            if reply is not None and self._agrees(reply) and self._keep(reply):
                return True

    def _answer(self, task: Task, typed: Typed) -> TaskAnswer | None:
        """The answer that a reply means; None when it is none, which is said."""
        match typed.does:
            case "dismiss":
                return TaskAnswer(id=task.id, dismiss=True)
            case "each":
                return TaskAnswer(id=task.id, each=True)
            case "answer":
                return self._filing(task, typed)
            case "help":
                _remark(*HELP)
            case _:
                way = f"You cannot answer this task with a category. {views.tasks.way_on(task, task.id)}"
                _remark(typed.category or way)
        return None

    def _filing(self, task: Task, typed: Typed) -> TaskAnswer | None:
        """The answer that files a payee, or the part of its money that is named."""
        try:
            reply = TaskAnswer(id=task.id, answer=self.named_category(typed.category))
            part: dict[str, object] = {}
            if typed.direction != "both":
                part["direction"] = typed.direction
            if typed.amount is not None:
                part["amount"] = minor(typed.amount, self.session.currency, "The amount")
        except CommandError as error:
            _remark(f"{error}")
            return None
        return reply.model_copy(update=part)

    def _agrees(self, reply: TaskAnswer) -> bool:
        """Show what an answer would move, and ask whether it is to be kept."""
        if reply.answer is None:
            return True
        effect = self._ask(reply.model_copy(update={"preview": True}))
        if not isinstance(effect, Effect):
            return False
        category = self.categories.get(reply.answer)
        _remark(views.tasks.describe_effect(effect, self.session.how, category))
        return self._reply(KEEPS).lower() in ("", "y", "yes")

    def _reply(self, prompt: str) -> str:
        try:
            return self.session.ask(f"{prompt}:")
        except typer.Abort:
            return "q"

    def _keep(self, reply: TaskAnswer) -> bool:
        answered = self._ask(reply)
        if answered is None or isinstance(answered, Effect):
            return False
        self._forget_rows()
        now = None if reply.dismiss else self.session.call(LIST_TASKS)
        closed = self.walk.go_on(answered, now)
        labels = {}
        if reply.answer is not None:
            labels = {key: category.label for key, category in self.categories.items()}
        sentence = views.tasks.describe_decision(answered, labels, self.session.how, closed)
        remarks().print(Text(f"  {sentence}", style="green"))
        return True

    def _ask(self, reply: TaskAnswer) -> Task | Effect | None:
        """Give an answer, or with `preview` try it; None when it is refused, which is said."""
        try:
            return self.session.call(ANSWER_TASK, reply)
        except CallFailed as failure:
            if failure.status not in (400, 404, 409, 422):
                raise
            _remark(failure.message)
            return None

    def _undo(self) -> None:
        task = self.walk.undo()
        if task is None:
            _remark(views.tasks.NOTHING_TO_UNDO)
            return
        self.session.call(UNDO_ANSWER, TaskId(id=task.id))
        self._forget_rows()
        _remark(views.tasks.describe_undo(task))

    def _forget_rows(self) -> None:
        """What was filed or taken back just now changes which rows of the payee are asked about."""
        self.candidates = None
        if isinstance(self.walk.current, CategorizePayee):
            self.rows.forget(self.walk.current.payee_key)


def _remark(*texts: str) -> None:
    for text in texts:
        print_remark(f"  {text}")


class AskedRows:
    """Looks up rows for one question after the other, and keeps those that came along."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._found: dict[tuple[str, str], Sequence[Transaction]] = {}

    def of(self, task: CategorizePayee, ahead: Iterable[Task]) -> Sequence[Transaction]:
        """The rows of a question, newest first; `ahead` are the questions that come after it."""
        if _key_of_rows(task) not in self._found:
            unknown = (
                later
                for later in ahead
                if isinstance(later, CategorizePayee) and _key_of_rows(later) not in self._found
            )
            together = views.answering.together(task, unknown)
            if len(together) > 1:
                self._look_up(together)
        if _key_of_rows(task) not in self._found:
            self._look_up([task])
        return self._found[_key_of_rows(task)]

    def forget(self, payee_key: str) -> None:
        """Look the rows of a payee up anew: an answer has filed some of them, or was taken back."""
        self._found = {key: rows for key, rows in self._found.items() if key[0] != payee_key}

    def _look_up(self, together: Sequence[CategorizePayee]) -> None:
        page = self._session.call(LIST_TRANSACTIONS, views.answering.rows_query(together))
        for task in together:
            own = views.answering.own_rows(task, page.transactions)
            # Many rows of one payee may have left no room on the page for another's.
            if len(together) == 1 or len(own) == task.count:
                self._found[_key_of_rows(task)] = own


def _key_of_rows(task: CategorizePayee) -> tuple[str, str]:
    return task.payee_key, task.id
