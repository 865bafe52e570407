"""The questions, one key each: what is suggested, what else it may be, and what each answer moves.

The rows behind a question are shown as the bank wrote them.
"""

import asyncio
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from finplan.model.base import Nothing
from finplan.model.category import BudgetLine, CategoryChoice
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
from finplan.model.transaction import LARGEST_PAGE, Transaction, TransactionQuery
from finplan.model.twins import CANDIDATES, offers_transfer
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.tui.dialogs import CategoryDialog, MadeCategory, TypedDialog, make_category
from finplan.tui.drawing.lines import FAINT, styled
from finplan.tui.drawing.questions import ROWS_SHOWN, draw_entry, draw_question, numbered
from finplan.tui.household import Feed, NotAnswered
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion
from finplan.views import plan_words

NARROW_LIST, WIDE_LIST, WIDE_SCREEN = 32, 44, 100
"""How wide the list is, on a narrow screen and on one from so many columns on."""

BESIDE_ROWS = 16
"""How many lines of the screen something else than rows of a question may take."""

DIRECTIONS = {"both": "all money", "out": "money out alone", "in": "money in alone"}


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
        Binding("e", "each", "Each row"),
        Binding("d", "dismiss_task", "Dismiss"),
        Binding("u", "undo", "Undo"),
        Binding("1", "take(1)", "Take that answer", show=False, key_display="1 to 9"),
        *(Binding(str(n), f"take({n})", show=False) for n in range(2, 10)),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._looked: dict[str, Looked] = {}
        self._marked: set[str] = set()
        self._answered: list[Task] = []
        self._under_way: dict[str, Task] = {}
        """What has been answered and still stands in the list as it was asked; by its id."""
        self._direction = "both"
        self._amount: int | None = None

    def compose_body(self) -> ComposeResult:
        """The list beside the question that is marked in it."""
        with Horizontal(id="queue"):
            yield OptionList(id="questions")
            with VerticalScroll(id="asked"):
                yield DrawnRegion(id="question")
                yield Static(id="part")

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
            key: each for key, each in self._under_way.items() if each in answers.tasks
        }
        options = self.query_one("#questions", OptionList)
        place = self._place_among(answers.tasks)
        options.clear_options()
        options.add_options(Option(self._entry(each), id=each.id) for each in answers.tasks)
        if answers.tasks:
            options.highlighted = min(place, len(answers.tasks) - 1)
            options.focus()
        else:
            self._draw()

    def _place_among(self, tasks: tuple[Task, ...]) -> int:
        """Where the mark is to be: on the same question, or on the one after those answered."""
        options = self.query_one("#questions", OptionList)
        at = options.highlighted or 0
        before = {
            options.get_option_at_index(each).id for each in range(min(at, options.option_count))
        }
        return sum(each.id in before for each in tasks)

    def _entry(self, task: Task) -> Content:
        # As wide as the style sheet has the list, but for a bar that scrolls it: the widget itself may
        # not have been laid out yet.
        room = (WIDE_LIST if self.size.width >= WIDE_SCREEN else NARROW_LIST) - 1
        return draw_entry(task, self.feed.currency, room, marked=task.id in self._marked)

    @property
    def _known(self) -> Questions:
        assert self.shown is not None, "A question is one of those that are shown."
        return self.shown

    @property
    def asked(self) -> Task | None:
        """The question that is marked in the list."""
        at = self.query_one("#questions", OptionList).highlighted
        tasks = () if self.shown is None else self.shown.tasks
        return tasks[at] if at is not None and at < len(tasks) else None

    @on(OptionList.OptionHighlighted)
    def _turn_to(self) -> None:
        self._direction, self._amount = "both", None
        self._draw()
        task = self.asked
        if isinstance(task, CategorizePayee):
            self._look_up(task)

    @on(OptionList.OptionSelected)
    def _accept(self) -> None:
        """Enter: what is suggested, where that is likely; else what leads on."""
        match self.asked:
            case CategorizePayee() as task if plan_words.is_likely(task):
                self._answer(task.suggested)
            case CategorizePayee():
                self.action_search()
            case ReconnectConnection() as task:
                self.sync_bank(task.connection_id)
            case ConnectMissingAccount():
                self.household.open_place("accounts")

    def action_take(self, number: int) -> None:
        """Answer with one of the numbered categories."""
        task = self.asked
        if isinstance(task, CategorizePayee) and number <= len(numbered(task)):
            self._answer(numbered(task)[number - 1].category)

    @work
    async def action_search(self) -> None:
        """Choose among all categories, with what each would move."""
        task = self.asked
        if not isinstance(task, CategorizePayee):
            return
        shown = self._known
        first = [task.suggested, *(each.category for each in task.alternatives)]
        title = plan_words.question(task)
        dialog = CategoryDialog(title, shown.categories, self._make, first, self._foresee)
        chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None:
            self._answer(chosen)

    async def _make(self, name: str, line: BudgetLine) -> MadeCategory:
        made = await make_category(self.household, name, line)
        if made.choice is not None:
            known = (*self._known.categories, made.choice)
            self.shown = replace(self._known, categories=known)
        return made

    def action_mark(self) -> None:
        """Mark a question, so that the next answer is for all that are marked."""
        task = self.asked
        if isinstance(task, CategorizePayee):
            self._marked ^= {task.id}
            options = self.query_one("#questions", OptionList)
            options.replace_option_prompt(task.id, self._entry(task))
            options.action_cursor_down()

    def action_turn_direction(self) -> None:
        """File all money of the payee, only what goes out, or only what comes in."""
        ways = list(DIRECTIONS)
        self._direction = ways[(ways.index(self._direction) + 1) % len(ways)]
        self._draw()

    @work
    async def action_only_amount(self) -> None:
        """File only the rows of one exact amount."""
        task = self.asked
        if not isinstance(task, CategorizePayee):
            return
        shown = self._known
        typed = await self.app.push_screen_wait(
            TypedDialog(
                f"Only rows of {task.payee} of exactly",
                "Such as 12.50; money that comes in has a minus. Nothing stands for every amount.",
                refuses=lambda text: _wrong_amount(text, shown.currency),
            )
        )
        if typed is not None:
            exact = typed.strip()
            self._amount = typed_amount(exact, shown.currency, "The amount") if exact else None
            self._draw()

    def action_each(self) -> None:
        """Ask about each row of the payee by itself."""
        task = self.asked
        if isinstance(task, CategorizePayee):
            self._send([task], each=True)

    def action_dismiss_task(self) -> None:
        """Do not ask again."""
        task = self.asked
        if task is not None and not isinstance(task, ReconnectConnection):
            self._send([task], dismiss=True)

    @work
    async def action_undo(self) -> None:
        """Take the newest answer of this screen back."""
        if not self._answered:
            self.household.say("There is no answer to take back yet.")
            return
        task = self._answered.pop()
        try:
            reopened = await self.feed.ask(UNDO_ANSWER, TaskId(id=task.id))
        except NotAnswered as error:
            self.post_message(self.Failed(error))
            return
        self._looked.clear()
        self._under_way.pop(task.id, None)
        self.household.say(f"Taken back; open again: {plan_words.question(reopened)}")
        self.load()
        self.keep_standing()

    def _answer(self, category: str) -> None:
        """File what is asked about, with all that is marked."""
        tasks = () if self.shown is None else self.shown.tasks
        chosen = [task for task in tasks if task.id in self._marked]
        alone = [] if self.asked is None else [self.asked]
        self._send(chosen or alone, category)

    @work(group="answers")
    async def _send(
        self,
        tasks: list[Task],
        category: str | None = None,
        *,
        each: bool = False,
        dismiss: bool = False,
    ) -> None:
        feed, direction, amount = self.feed, self._direction, self._amount
        before = self.shown
        # A second key would answer what the first one has answered already.
        for task in [each for each in tasks if each.id not in self._under_way]:
            self._under_way[task.id] = task
            reply = TaskAnswer(
                id=task.id,
                answer=category,
                direction=direction if category else "both",  # type: ignore[arg-type]
                amount=amount if category else None,
                each=each,
                dismiss=dismiss,
            )
            try:
                answered = await feed.ask(ANSWER_TASK, reply)
            except NotAnswered as error:
                self._under_way.pop(task.id, None)
                self.post_message(self.Failed(error))
                break
            assert not isinstance(answered, Effect), "Only a preview answers what it would move."
            self._answered.append(answered)
            self._marked.discard(task.id)
            self.household.say(self._told(answered, category, dismissed=dismiss))
        self._looked.clear()
        if self.shown is before:
            self.load()
        self.keep_standing()

    def _told(self, task: Task, category: str | None, *, dismissed: bool) -> str:
        if dismissed:
            return plan_words.dismissed_said(task)
        choices = () if self.shown is None else self.shown.categories
        label = next((each.label for each in choices if each.category == category), category or "")
        return f"{plan_words.answered_said(task, label, self.feed.currency)} u takes it back."

    async def _foresee(self, category: str) -> str:
        """What an answer would move, in a sentence."""
        task, shown = self.asked, self.shown
        if task is None or shown is None:
            return ""
        try:
            effect = await self._effect(task, category)
        except NotAnswered as error:
            # What stands on every screen is not said once more.
            return "" if error.message == self.feed.notice else error.message
        choice = next((each for each in shown.categories if each.category == category), None)
        return plan_words.effect_said(effect, shown.currency, choice)

    async def _effect(self, task: Task, category: str) -> Effect:
        reply = TaskAnswer(
            id=task.id,
            answer=category,
            direction=self._direction,  # type: ignore[arg-type]
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
                looked.rows = await rows_of(self.feed, task)
                self._draw()
            offered = [
                *([task.suggested] if plan_words.is_likely(task) else []),
                *(each.category for each in numbered(task)),
            ]
            for category in offered:
                if category not in looked.effects:
                    looked.effects[category] = await self._effect(task, category)
                    self._draw()
        except NotAnswered as error:
            # The rows stand there without what an answer would move, which a damaged store cannot try.
            if error.message != self.feed.notice:
                self.post_message(self.Failed(error))

    def _draw(self) -> None:
        task, shown = self.asked, self.shown
        drawn, part = self.query_one("#question", DrawnRegion), self.query_one("#part", Static)
        if task is None or shown is None:
            drawn.drawing = lambda _width: styled("No open questions. P shows your plan.", FAINT)
            part.update("")
            return
        looked = self._looked.get(task.id, Looked())
        drawn.drawing = partial(
            draw_question,
            task,
            looked.rows,
            looked.effects,
            shown.currency,
            candidates=shown.candidates,
            most=max(ROWS_SHOWN, self.size.height - BESIDE_ROWS),
        )
        limits = [DIRECTIONS[self._direction]] if self._direction != "both" else []
        if self._amount is not None:
            limits.append("one amount")
        said = f"Only {' and '.join(limits)} of {plan_words.about(task)} is filed."
        part.update(styled(said if limits else "", "$text-warning"))


def _wrong_amount(text: str, currency: str) -> str | None:
    if not text.strip():
        return None
    try:
        typed_amount(text.strip(), currency, "The amount")
    except ValueError as error:
        return str(error)
    return None


_UNEXPLAINED = ("uncategorized", "unknown_inflow")


async def rows_of(feed: Feed, task: CategorizePayee) -> tuple[Transaction, ...]:
    """The rows that a question is about, newest first. Raises NotAnswered.

    A question about one row names its day; one about a payee has its newest unexplained rows.
    """
    alone = task.count == 1
    query = TransactionQuery(
        merchant=(task.payee_key,),
        category=_UNEXPLAINED,
        pending=False,
        since=task.last_date if alone else None,
        until=task.last_date if alone else None,
        limit=max(1, min(task.count + 20, LARGEST_PAGE)),
    )
    page = await feed.ask(LIST_TRANSACTIONS, query)
    own = [row for row in page.transactions if row.payee_key == task.payee_key]
    if alone:
        own = [row for row in own if -row.amount == task.total]
    return tuple(own[: task.count])
