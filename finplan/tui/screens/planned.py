"""Planned money by keys: added, changed, marked as happened and removed, each with a way back."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import DataTable

from finplan.model.base import Nothing
from finplan.model.money import typed_amount
from finplan.model.planned import NewPlanned, PlannedChange, PlannedId, PlannedRecord
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.plan import (
    ADD_PLANNED,
    CHANGE_PLANNED,
    LIST_PLANNED,
    REMOVE_PLANNED,
)
from finplan.tui.dialogs import ChoiceDialog, TypedDialog
from finplan.tui.household import Feed, HouseholdApp, NotAnswered, warning
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import DrawnRegion, LedgerTable
from finplan.views import planned as view
from finplan.views.plan_text import OFTEN

_ONCE, _NO_CATEGORY = "once", "none"
_DATE = re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
_MONTH = re.compile(r"^[0-9]{4}-[0-9]{2}$")
_WHEN = "A date, such as 2027-07-15, or only its month, such as 2027-07"


@dataclass(frozen=True)
class ListedMoney:
    """Planned money, and what each category is called."""

    planned: tuple[PlannedRecord, ...]
    labels: Mapping[str, str]


@dataclass(frozen=True)
class PlannedStep:
    """What was done, in words, and what undoes it."""

    title: str
    back: NewPlanned | PlannedChange | PlannedId


class PlannedSteps:
    """Asks for planned money and keeps it; each step of the session can be undone, the newest first."""

    def __init__(self, app: HouseholdApp) -> None:
        self._app = app
        self._made: list[PlannedStep] = []

    async def add(self) -> bool:
        """Ask for planned money and add it; whether some was added."""
        with warning(self._app):
            request = await self._ask_new()
            if request is not None:
                added = await self._app.feed.ask(ADD_PLANNED, request)
                self._keep(PlannedStep(f"{added.name} added", PlannedId(id=added.id)))
                return True
        return False

    async def change(self, before: PlannedRecord, what: str, labels: Mapping[str, str]) -> bool:
        """Ask for the `amount`, `when`, the `category` or `happened`; whether something changed."""
        with warning(self._app):
            fields = await self._ask_field(before, what, labels)
            if fields is not None:
                change = PlannedChange.model_validate({"id": before.id, **fields}, by_name=True)
                changed = await self._app.feed.ask(CHANGE_PLANNED, change)
                title = f"{changed.name} changed"
                if what == "happened":
                    done = changed.status == "happened"
                    title = f"{changed.name}: {'happened' if done else 'planned again'}"
                self._keep(PlannedStep(title, _as_before(before)))
                return True
        return False

    async def remove(self, marked: PlannedRecord) -> bool:
        """Remove planned money, which an undo adds again; whether it was removed."""
        try:
            await self._app.feed.ask(REMOVE_PLANNED, PlannedId(id=marked.id))
        except NotAnswered as error:
            self._app.warn(str(error))
            return False
        self._keep(PlannedStep(f"{marked.name} removed", _anew(marked)))
        return True

    async def undo(self) -> bool:
        """Undo the newest step of the session; whether there was one."""
        if not self._made:
            self._app.say("Nothing to undo: you changed nothing here in this session.")
            return False
        step = self._made[-1]
        try:
            match step.back:
                case NewPlanned() as again:
                    await self._app.feed.ask(ADD_PLANNED, again)
                case PlannedChange() as before:
                    await self._app.feed.ask(CHANGE_PLANNED, before)
                case added:
                    await self._app.feed.ask(REMOVE_PLANNED, added)
        except NotAnswered as error:
            self._app.warn(str(error))
            return False
        self._made.pop()
        self._app.say(f"Undone: {step.title}.")
        return True

    def _keep(self, step: PlannedStep) -> None:
        self._made.append(step)
        self._app.say(f"{step.title}. Press u to undo.")

    async def _ask_new(self) -> NewPlanned | None:
        ways = {"out": "A payment", "in": "Money that you expect to receive"}
        direction = await self._app.push_screen_wait(ChoiceDialog("What do you plan?", ways))
        if direction is None:
            return None
        whose = "What is it for?" if direction == "out" else "Who pays it?"
        name = await self._app.push_screen_wait(TypedDialog(whose, "", reads=str.strip))
        amount = await self._ask_amount(name) if name else None
        when = await self._ask_when(name or "") if amount else None
        if when is None:
            return None
        often = {_ONCE: "Once"} | {key: text.capitalize() for key, text in OFTEN.items()}
        every = await self._app.push_screen_wait(ChoiceDialog("How often?", often))
        if every is None:
            return None
        fields: dict[str, Any] = {"name": name, "amount": amount, "direction": direction, **when}
        fields |= {} if every == _ONCE else {"every": every}
        return NewPlanned.model_validate(fields, by_name=True)

    async def _ask_field(
        self, before: PlannedRecord, what: str, labels: Mapping[str, str]
    ) -> dict[str, Any] | None:
        if what == "happened":
            return {"happened": before.status != "happened"}
        if what == "amount":
            amount = await self._ask_amount(before.name)
            return None if amount is None else {"amount": amount}
        if what == "when":
            return await self._ask_when(before.name, before.month or str(before.date))
        names = {_NO_CATEGORY: "No category", **labels}
        asks = f"Which category shows {before.name}?"
        chosen = await self._app.push_screen_wait(ChoiceDialog(asks, names))
        if chosen is None:
            return None
        return {"category": None if chosen == _NO_CATEGORY else chosen}

    async def _ask_amount(self, name: str) -> int | None:
        currency = self._app.feed.currency
        return await self._app.push_screen_wait(
            TypedDialog(
                f"Amount of {name}",
                f"In {currency}, for example 1,840.25",
                reads=lambda typed: typed_amount(typed, currency, "The amount"),
            )
        )

    async def _ask_when(self, name: str, value: str = "") -> dict[str, Any] | None:
        dialog = TypedDialog(f"When is {name} due?", _WHEN, reads=_read_when, value=value)
        return await self._app.push_screen_wait(dialog)


def _read_when(typed: str) -> dict[str, Any]:
    """The date or the month that was typed. Raises ValueError for anything else."""
    text = typed.strip()
    if _MONTH.match(text):
        return {"month": text}
    if _DATE.match(text):
        return {"date": text}
    raise ValueError(f"{text!r} is not a date. {_WHEN}.")


def _fields(money: PlannedRecord) -> dict[str, Any]:
    """What the person said of planned money."""
    when: dict[str, Any] = {"month": money.month} if money.month else {"date": money.date}
    names = ("name", "amount", "direction", "every", "until", "account_id", "category")
    return {name: getattr(money, name) for name in names} | when


def _anew(money: PlannedRecord) -> NewPlanned:
    return NewPlanned.model_validate(_fields(money), by_name=True)


def _as_before(money: PlannedRecord) -> PlannedChange:
    """The change that makes planned money what it was; a day that is over is left as it is."""
    fields = _fields(money) | {"id": money.id}
    if money.every is None:
        fields["happened"] = money.status == "happened" and money.transaction_id is None
    if money.status != "planned":
        fields.pop("date", None)
        fields.pop("month", None)
    return PlannedChange.model_validate(fields, by_name=True)


class PlannedScreen(HouseholdScreen[ListedMoney]):
    """Planned money above, what is known of the marked one below."""

    PLACE = "planned"
    WELCOMES = True
    BINDINGS: ClassVar = [
        Binding("a", "add", "Add"),
        Binding("y", "change('happened')", "Happened"),
        Binding("b", "change('amount')", "Amount"),
        Binding("d", "change('when')", "Date"),
        Binding("k", "change('category')", "Category"),
        Binding("x", "remove", "Remove"),
        Binding("u", "undo", "Undo"),
    ]

    @cached_property
    def _steps(self) -> PlannedSteps:
        return PlannedSteps(self.household)

    def compose_body(self) -> ComposeResult:
        """The table, and the marked one."""
        yield LedgerTable("planned")
        yield DrawnRegion("marked")

    async def gather(self, feed: Feed) -> ListedMoney:
        """Planned money, and the categories."""
        planned, choices = await asyncio.gather(
            feed.ask(LIST_PLANNED, Nothing()), feed.ask(LIST_CATEGORIES, Nothing())
        )
        return ListedMoney(planned, {choice.category: choice.label for choice in choices})

    def show(self, answers: ListedMoney) -> None:
        """Fill the table."""
        self.fill(view.table_of(answers.planned, self.feed.how, answers.labels)).focus()
        self._draw_marked()

    @property
    def marked(self) -> PlannedRecord | None:
        """The planned money that the cursor is on."""
        key = self.query_one(LedgerTable).marked
        rows = () if self.shown is None else self.shown.planned
        return next((row for row in rows if row.id == key), None)

    @on(DataTable.RowHighlighted)
    def _draw_marked(self) -> None:
        if self.shown is None:
            return
        if not self.shown.planned:
            self.draw("marked", view.explain_none("Press a to add it."))
            return
        below = view.explain_listed(self.shown.planned, self.feed.how)
        about = () if self.marked is None else view.describe(self.marked, self.feed.how)
        self.draw("marked", (*about, *below))

    @work(exclusive=True, group="correct")
    async def action_add(self) -> None:
        """Add planned money."""
        if await self._steps.add():
            self.load_all()

    @work(exclusive=True, group="correct")
    async def action_change(self, what: str) -> None:
        """Change what is marked."""
        if self.marked is None or self.shown is None:
            self.household.say("No planned money yet. Press a to add it.")
        elif await self._steps.change(self.marked, what, self.shown.labels):
            self.load_all()

    @work(exclusive=True, group="correct")
    async def action_remove(self) -> None:
        """Remove what is marked."""
        if self.marked is not None and await self._steps.remove(self.marked):
            self.load_all()

    @work(exclusive=True, group="correct")
    async def action_undo(self) -> None:
        """Undo the newest step of the session."""
        if await self._steps.undo():
            self.load_all()
