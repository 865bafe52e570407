"""The questions, one key each: what is suggested, what else it may be, and what each answer moves.

The rows behind a question are shown as the bank wrote them.
"""

import asyncio
from dataclasses import dataclass, field, replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from finplan.model.base import Nothing
from finplan.model.category import BudgetLine, CategoryChoice, MoneyDirection
from finplan.model.detection import Transfer
from finplan.model.money import typed_amount
from finplan.model.task import (
    CategorizePayee,
    ConnectMissingAccount,
    Effect,
    ReconnectConnection,
    Task,
    TaskAnswer,
    TaskId,
    TaskQuery,
)
from finplan.model.transaction import Transaction
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.tui.dialogs import CategoryDialog, TypedDialog, make_category
from finplan.tui.drawing import drawing_of
from finplan.tui.household import Feed, NotAnswered
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion
from finplan.views import tasks as view
from finplan.views.answering import (
    CANDIDATES,
    ENTER,
    Walk,
    choices,
    chosen,
    offers_transfer,
    own_rows,
    rows_query,
)
from finplan.views.page import Sentence, plain, sentences

NARROW_LIST, WIDE_LIST, WIDE_SCREEN = 32, 44, 100
"""How wide the list is, on a narrow screen and on one from so many columns on."""

BESIDE_ROWS = 16
"""How many lines of the screen something else than rows of a question may take."""


@dataclass(frozen=True)
class Questions:
    """What is open, the categories that there are, and the transfers in doubt."""

    tasks: tuple[Task, ...]
    categories: tuple[CategoryChoice, ...]
    currency: str
    candidates: tuple[Transfer, ...] = ()


@dataclass
class Looked:
    """What was looked up for one question: its rows, and what the offered answers would move."""

    rows: tuple[Transaction, ...] | None = None
    effects: dict[str, Effect] = field(default_factory=dict)


class QuestionsScreen(HouseholdScreen[Questions]):
    """A queue: the answer to one question brings the next."""

    PLACE = "questions"
    WELCOMES = True
    BINDINGS: ClassVar = [
        Binding("slash", "search", "Category", key_display="/"),
        Binding("space", "mark", "Mark"),
        Binding("w", "turn_direction", "In/out"),
        Binding("equals_sign", "only_amount", "One amount", key_display="="),
        Binding("e", "each", "Each one"),
        Binding("d", "dismiss_task", "Never ask"),
        Binding("u", "undo", "Undo"),
        Binding("1", "take(1)", "Choose that answer", show=False, key_display="1 to 9"),
        *(Binding(str(n), f"take({n})", show=False) for n in range(2, 10)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._looked: dict[str, Looked] = {}
        self._marked: set[str] = set()
        self._walk = Walk([])
        self._under_way: dict[str, Task] = {}
        """What has been answered and still stands in the list as it was asked; by its id."""
        self._direction: MoneyDirection = "both"
        self._amount: int | None = None

    def compose_body(self) -> ComposeResult:
        """The list beside the question that is marked in it."""
        with Horizontal(id="queue"):
            yield OptionList(id="questions")
            with VerticalScroll(id="asked"):
                yield DrawnRegion("question")

    async def gather(self, feed: Feed) -> Questions:
        """What is open, the categories, and the transfers that a question may be about."""
        tasks, categories = await asyncio.gather(
            feed.ask(LIST_TASKS, TaskQuery()), feed.ask(LIST_CATEGORIES, Nothing())
        )
        candidates = await feed.ask(LIST_TRANSFERS, CANDIDATES) if offers_transfer(tasks) else ()
        return Questions(tasks, categories, feed.currency, candidates)

    def show(self, answers: Questions) -> None:
        """Fill the list; the place in it is kept."""
        # One that was answered in part is asked anew, of what is left.
        self._under_way = {
            key: task for key, task in self._under_way.items() if task in answers.tasks
        }
        self._walk.renew(answers.tasks)
        options = self.query_one("#questions", OptionList)
        index = self._walk.position
        options.clear_options()
        options.add_options(Option(self._entry(task), id=task.id) for task in answers.tasks)
        if answers.tasks:
            options.highlighted = index
            options.focus()
        else:
            self._draw()

    def _entry(self, task: Task) -> Content:
        # As wide as the style sheet has the list, but for a bar that scrolls it: the widget itself may
        # not have been laid out yet.
        room = (WIDE_LIST if self.size.width >= WIDE_SCREEN else NARROW_LIST) - 1
        marked = task.id in self._marked
        return drawing_of([view.entry(task, self.feed.how, marked=marked)])(room)

    @property
    def _shown_answers(self) -> Questions:
        assert self.shown is not None, "A question is one of those that are shown."
        return self.shown

    @property
    def current_task(self) -> Task | None:
        """The question that is marked in the list."""
        at = self.query_one("#questions", OptionList).highlighted
        tasks = () if self.shown is None else self.shown.tasks
        return tasks[at] if at is not None and at < len(tasks) else None

    @on(OptionList.OptionHighlighted)
    def _turn_to(self) -> None:
        self._walk.position = self.query_one("#questions", OptionList).highlighted or 0
        self._direction, self._amount = "both", None
        self._draw()
        task = self.current_task
        if isinstance(task, CategorizePayee):
            self._look_up(task)

    @on(OptionList.OptionSelected)
    def _accept(self) -> None:
        """Enter: what is suggested, where that is likely; else what leads on."""
        likely = chosen(self.current_task, ENTER)
        match self.current_task:
            case CategorizePayee() if likely is not None:
                self._answer(likely)
            case CategorizePayee():
                self.action_search()
            case ReconnectConnection() as task:
                self.sync_bank(task.connection_id)
            case ConnectMissingAccount():
                self.household.action_open("accounts")

    def action_take(self, number: int) -> None:
        """Answer with one of the numbered categories."""
        category = chosen(self.current_task, str(number))
        if category is not None:
            self._answer(category)

    @work
    async def action_search(self) -> None:
        """Choose among all categories, with what each would move."""
        task = self.current_task
        if not isinstance(task, CategorizePayee):
            return
        answers = self._shown_answers
        first = [choice.category for choice in choices(task)]
        title = plain(view.question(task))
        dialog = CategoryDialog(title, answers.categories, self._make, first, self._foresee)
        chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None:
            self._answer(chosen)

    async def _make(self, name: str, line: BudgetLine) -> CategoryChoice:
        choice = await make_category(self.household, name, line)
        self.shown = replace(
            self._shown_answers, categories=(*self._shown_answers.categories, choice)
        )
        return choice

    def action_mark(self) -> None:
        """Mark a question, so that the next answer is for all that are marked."""
        task = self.current_task
        if isinstance(task, CategorizePayee):
            self._marked ^= {task.id}
            options = self.query_one("#questions", OptionList)
            options.replace_option_prompt(task.id, self._entry(task))
            options.action_cursor_down()

    def action_turn_direction(self) -> None:
        """File all money of the payee, only what goes out, or only what comes in."""
        ways = list(view.DIRECTIONS)
        self._direction = ways[(ways.index(self._direction) + 1) % len(ways)]
        self._draw()

    @work
    async def action_only_amount(self) -> None:
        """File only the rows of one exact amount."""
        task = self.current_task
        if not isinstance(task, CategorizePayee):
            return
        answers = self._shown_answers

        def read(typed: str) -> tuple[int | None]:
            exact = typed.strip()
            return (typed_amount(exact, answers.currency, "The amount") if exact else None,)

        answer = await self.app.push_screen_wait(
            TypedDialog(
                f"Which amount of {task.payee}?",
                "For example 12.50, or -12.50 for money in. Leave empty for every amount.",
                reads=read,
            )
        )
        if answer is not None:
            (self._amount,) = answer
            self._draw()

    def action_each(self) -> None:
        """Ask about each row of the payee by itself."""
        task = self.current_task
        if isinstance(task, CategorizePayee):
            self._send([task], separate=True)

    def action_dismiss_task(self) -> None:
        """Do not ask again."""
        task = self.current_task
        if task is not None and not isinstance(task, ReconnectConnection):
            self._send([task], dismiss=True)

    @work
    async def action_undo(self) -> None:
        """Take the newest answer of this screen back."""
        task = self._walk.undo()
        if task is None:
            self.household.say(view.NOTHING_TO_UNDO)
            return
        with self.failing():
            reopened = await self.feed.ask(UNDO_ANSWER, TaskId(id=task.id))
            self._looked.clear()
            self._under_way.pop(task.id, None)
            self.household.say(view.describe_undo(reopened))
            self.load_all()

    def _answer(self, category: str) -> None:
        """File what is asked about, with all that is marked."""
        tasks = () if self.shown is None else self.shown.tasks
        chosen = [task for task in tasks if task.id in self._marked]
        alone = [] if self.current_task is None else [self.current_task]
        self._send(chosen or alone, category)

    @work(group="answers")
    async def _send(
        self,
        tasks: list[Task],
        category: str | None = None,
        *,
        separate: bool = False,
        dismiss: bool = False,
    ) -> None:
        feed, before = self.feed, self.shown
        part = {"direction": self._direction, "amount": self._amount} if category else {}
        # A second key would answer what the first one has answered already.
        for task in [waiting for waiting in tasks if waiting.id not in self._under_way]:
            self._under_way[task.id] = task
            reply = TaskAnswer(id=task.id, answer=category, each=separate, dismiss=dismiss)
            reply = reply.model_copy(update=part)
            try:
                answered = await feed.ask(ANSWER_TASK, reply)
            except NotAnswered as error:
                self._under_way.pop(task.id, None)
                self.post_message(self.Failed(error))
                break
            assert not isinstance(answered, Effect), "Only a preview answers what it would move."
            self._walk.note(answered)
            self._marked.discard(task.id)
            categories = () if self.shown is None else self.shown.categories
            labels = {choice.category: choice.label for choice in categories}
            way_back = "" if dismiss else " Press u to undo."
            self.household.say(f"{view.describe_decision(answered, labels, feed.how)}{way_back}")
        self._looked.clear()
        if self.shown is before:
            self.load()
        self.keep_standing()

    async def _foresee(self, category: str) -> str:
        """What an answer would move, in a sentence."""
        task, answers = self.current_task, self.shown
        if task is None or answers is None:
            return ""
        try:
            effect = await self._effect(task, category)
        except NotAnswered as error:
            # What stands on every screen is not said once more.
            return "" if error.message == self.feed.notice else error.message
        choice = next((row for row in answers.categories if row.category == category), None)
        return view.describe_effect(effect, self.feed.how, choice)

    async def _effect(self, task: Task, category: str) -> Effect:
        reply = TaskAnswer(
            id=task.id,
            answer=category,
            direction=self._direction,
            amount=self._amount,
            preview=True,
        )
        effect = await self.feed.ask(ANSWER_TASK, reply)
        assert isinstance(effect, Effect), "A preview answers what it would move."
        return effect

    @work(exclusive=True, group="look")
    async def _look_up(self, task: CategorizePayee) -> None:
        """Fetch the rows behind a question, then what the offered answers would move."""
        looked = self._looked.setdefault(task.id, Looked())
        try:
            if looked.rows is None:
                page = await self.feed.ask(LIST_TRANSACTIONS, rows_query([task]))
                looked.rows = own_rows(task, page.transactions)
                self._draw()
            for category in (choice.category for choice in choices(task)):
                if category not in looked.effects:
                    looked.effects[category] = await self._effect(task, category)
                    self._draw()
        except NotAnswered as error:
            # The rows stand there without what an answer would move, which a damaged store cannot try.
            if error.message != self.feed.notice:
                self.post_message(self.Failed(error))

    def _draw(self) -> None:
        task, answers = self.current_task, self.shown
        if task is None or answers is None:
            self.draw("question", [Sentence("No open tasks. Press P to see your plan.", "soft")])
            return
        looked, how = self._looked.get(task.id, Looked()), self.feed.how
        most = max(view.ROWS_SHOWN, self.size.height - BESIDE_ROWS)
        part = view.part_of_it(self._direction, self._amount, how)
        self.draw(
            "question",
            [
                Sentence(view.question(task), "strong"),
                *sentences([part] if part else [], "warn"),
                view.ways(task, how, looked.effects, searches=True),
                Sentence(""),
                *view.question_lines(task, how, looked.rows, answers.candidates, most),
            ],
        )
