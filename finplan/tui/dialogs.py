"""What stands before a screen for a moment and asks one thing; what was answered is its result.

Yes or no, one of a few, one line of text, one of all categories by typing a part of its name, where one
of that name may be made, and the keys of the screen that is open.
"""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar, cast

from pydantic import ValidationError
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.fuzzy import Matcher
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from finplan.model.category import BudgetLine, CategoryChoice, NewCategory
from finplan.operations.category import CREATE_CATEGORY
from finplan.tui.drawing import CAUTION, EMPTY, FAINT, KEY, drawing_of, heading, page, row, styled
from finplan.tui.household import HouseholdApp, NotAnswered
from finplan.tui.widgets import Drawing, DrawnRegion, KeyLine
from finplan.views.page import PageBlock, Section

DialogAnswer = TypeVar("DialogAnswer")


class ConfirmDialog(ModalScreen[bool | None]):
    """Answers whether the person agrees."""

    BINDINGS: ClassVar = [
        Binding("enter,y", "dismiss(True)", "Yes"),
        Binding("escape,n", "dismiss(False)", "No"),
    ]

    def __init__(self, question: str, drawing: Drawing) -> None:
        super().__init__()
        self._question, self._drawing = question, drawing

    def compose(self) -> ComposeResult:
        """What it is about, the question, and the keys."""
        with Vertical(classes="dialog"):
            with VerticalScroll(classes="evidence"):
                yield DrawnRegion("evidence", self._drawing)
            yield Static(styled(self._question, "bold"))
            yield KeyLine()


async def agrees(app: HouseholdApp, question: str, parts: Iterable[PageBlock | Section]) -> bool:
    """Whether a person who has seen parts of a page answers yes."""
    dialog = ConfirmDialog(question, drawing_of(parts))
    agreed: bool | None = await app.push_screen_wait(dialog)
    return agreed is True


class Dialog(ModalScreen[DialogAnswer | None], Generic[DialogAnswer]):
    """Asks one thing, with what answers it below; None for Escape."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Back")]

    def __init__(self, asks: str | Content) -> None:
        super().__init__()
        self._asks = styled(asks, "bold") if isinstance(asks, str) else asks

    def compose(self) -> ComposeResult:
        """The question, and what answers it."""
        with Vertical(classes="dialog"):
            yield Static(self._asks)
            yield from self.compose_answers()

    @abstractmethod
    def compose_answers(self) -> ComposeResult:
        """The widgets below the question."""

    def hint(self, sentence: str, style: str = CAUTION) -> None:
        """Say something where the hint stands."""
        self.query_one("#hint", Static).update(styled(sentence, style))


class ChoiceDialog(Dialog[str]):
    """Answers the key of what was chosen among names."""

    def __init__(self, asks: str | Content, names: Mapping[str, str | Content]) -> None:
        super().__init__(asks)
        self._names = names

    def compose_answers(self) -> ComposeResult:
        """The names."""
        yield OptionList(
            *(
                Option(styled(name) if isinstance(name, str) else name, id=key)
                for key, name in self._names.items()
            )
        )

    @on(OptionList.OptionSelected)
    def _choose(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(chosen.option_id)


class TypedDialog(Dialog[DialogAnswer]):
    """Answers what `reads` makes of what was typed; what it raises as a ValueError is said instead."""

    def __init__(
        self,
        asks: str,
        hint: str,
        *,
        reads: Callable[[str], DialogAnswer],
        value: str = "",
        placeholder: str = "",
    ) -> None:
        super().__init__(asks)
        self._hint, self._reads = hint, reads
        self._line = Input(value, placeholder=placeholder)

    def compose_answers(self) -> ComposeResult:
        """The line, and how it is written."""
        yield self._line
        yield Static(styled(self._hint, FAINT), id="hint")

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        try:
            self.dismiss(self._reads(typed.value))
        except ValueError as wrong:
            self.hint(describe_error(wrong))


def describe_error(wrong: ValueError) -> str:
    """What is wrong with what was typed, in a sentence."""
    text = str(wrong.errors()[0]["msg"]) if isinstance(wrong, ValidationError) else str(wrong)
    return text.removeprefix("Value error, ")


LINES = {"essential": "essential", "discretionary": "discretionary", "not_spending": "not spending"}

Foresees = Callable[[str], Awaitable[str]]
"""Says in a sentence what choosing a category would move."""

_NEW_CATEGORY = "new:"
"""What stands before the line in the id of a choice that makes a category."""

Makes = Callable[[str, BudgetLine], Awaitable[CategoryChoice]]
"""Makes a category of one's own, of a name and on a line. Raises NotAnswered."""


class CategoryDialog(Dialog[str]):
    """Answers the id of a category.

    `about` says what it is for, `makes` makes the one that is typed where there is none of that name,
    `first` is what stands first, `foresees` what each would move.
    """

    BINDINGS: ClassVar = [
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
    ]

    def __init__(
        self,
        about: str,
        choices: Sequence[CategoryChoice],
        makes: Makes,
        first: Sequence[str] = (),
        foresees: Foresees | None = None,
    ) -> None:
        super().__init__(about)
        self._makes, self._foresees = makes, foresees
        ranks = {name: index for index, name in enumerate(first)}
        self._choices = sorted(choices, key=lambda choice: ranks.get(choice.category, len(ranks)))

    def compose_answers(self) -> ComposeResult:
        """A line to type in, what fits it, and what the one that is marked would move."""
        yield Input(placeholder="Type part of a category's name")
        yield OptionList(id="choices")
        yield Static(id="foreseen")

    def on_mount(self) -> None:
        """Show all of them."""
        self._fill("")

    @on(Input.Changed)
    def _narrow(self) -> None:
        self._fill(self._typed)

    @on(Input.Submitted)
    def _take(self) -> None:
        options = self.query_one("#choices", OptionList)
        if options.highlighted is not None and options.option_count:
            self._settle(options.get_option_at_index(options.highlighted).id)

    @on(OptionList.OptionSelected)
    def _choose(self, chosen: OptionList.OptionSelected) -> None:
        self._settle(chosen.option_id)

    def _settle(self, option: str | None) -> None:
        if option is not None and option.startswith(_NEW_CATEGORY):
            self._make(cast("BudgetLine", option.removeprefix(_NEW_CATEGORY)))
        else:
            self.dismiss(option)

    @work(exclusive=True, group="make")
    async def _make(self, line: BudgetLine) -> None:
        try:
            choice = await self._makes(self._typed, line)
        except NotAnswered as refused:
            self._say(refused.message)
        else:
            self.dismiss(choice.category)

    @on(OptionList.OptionHighlighted)
    def _mark(self, marked: OptionList.OptionHighlighted) -> None:
        option = marked.option_id
        if option is not None and option.startswith(_NEW_CATEGORY):
            self._say(f"Create and select the category “{self._typed}”.")
        elif option is not None:
            self._foresee(option)

    def action_move(self, step: int) -> None:
        """Mark the next one or the one before, while the line keeps the keys."""
        options = self.query_one("#choices", OptionList)
        if options.option_count:
            at = options.highlighted
            begins = 0 if step > 0 else -1
            options.highlighted = (begins if at is None else at + step) % options.option_count

    @work(exclusive=True, group="foresee")
    async def _foresee(self, category: str) -> None:
        if self._foresees is None:
            return
        self._say(await self._foresees(category))

    def _say(self, sentence: str) -> None:
        self.query_one("#foreseen", Static).update(styled(sentence, FAINT))

    @property
    def _typed(self) -> str:
        return " ".join(self.query_one(Input).value.split())

    def _fill(self, typed: str) -> None:
        options = self.query_one("#choices", OptionList)
        options.clear_options()
        matcher = Matcher(typed)
        scored = [
            (matcher.match(f"{choice.label} {choice.category}") if typed else 1.0, choice)
            for choice in self._choices
        ]
        best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
        options.add_options(
            Option(_describe_category(choice), id=choice.category) for _, choice in best
        )
        if typed and not any(
            choice.label.casefold() == typed.casefold() for choice in self._choices
        ):
            options.add_options(
                Option(styled(f"Create “{typed}”, {label}", FAINT), id=f"{_NEW_CATEGORY}{line}")
                for line, label in LINES.items()
            )
        if best:
            options.highlighted = 0
        else:
            # A slip of the finger makes nothing: a new one has to be gone to.
            self._say("No category has this name. Press Down to create it.")


def _describe_category(choice: CategoryChoice) -> Content:
    own = ", custom" if choice.custom else ""
    return Content.assemble(styled(choice.label), styled(f"  {LINES[choice.line]}{own}", FAINT))


async def make_category(app: HouseholdApp, name: str, line: BudgetLine) -> CategoryChoice:
    """Make a category of a name on a line. Raises NotAnswered."""
    try:
        return (await app.feed.ask(CREATE_CATEGORY, NewCategory(name=name, line=line))).category
    except ValidationError:
        raise NotAnswered("This name is too long. Use at most 80 characters.", away=False) from None


Keys = Sequence[tuple[str, str]]
"""Keys as they are called, each with what it does."""


class HelpDialog(ModalScreen[None]):
    """Shows keys until one is pressed that closes it."""

    BINDINGS: ClassVar = [Binding("escape,question_mark,enter,q", "dismiss(None)", "Back")]

    def __init__(self, groups: Mapping[str, Keys]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        """The keys, group by group."""
        with Vertical(classes="dialog"), VerticalScroll(classes="evidence"):
            yield DrawnRegion("keys-told", self._draw)

    def _draw(self, width: int) -> Content:
        lines: list[Content] = []
        for title, keys in self._groups.items():
            lines += [heading(title, "", width), *_two_columns(keys, width), EMPTY]
        return page(lines[:-1])


def _two_columns(keys: Keys, width: int) -> list[Content]:
    wide = (width - 2) // 2
    cells = [row((styled(key, KEY), 9), (purpose, wide - 10)) for key, purpose in keys]
    half = (len(cells) + 1) // 2
    return [
        row((cells[at], wide), (cells[at + half] if at + half < len(cells) else EMPTY, wide))
        for at in range(half)
    ]
