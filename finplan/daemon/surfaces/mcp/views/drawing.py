"""What a view shows of an answer, made of the same pieces as the site's pages."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from finplan.daemon.surfaces.mcp.tools.questions import (
    AnswerQuestion,
    AnswerTold,
    TasksTold,
    answer_of,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.views.trees import Tree, tree_of
from finplan.daemon.surfaces.pages import plan, tasks
from finplan.daemon.surfaces.pages.fields import button
from finplan.daemon.surfaces.pages.markup import Markup, element, joined
from finplan.daemon.surfaces.pages.parts import Locale
from finplan.daemon.surfaces.rest.routes import Perform
from finplan.model.base import Nothing, read_json
from finplan.model.task import Task, TaskQuery
from finplan.model.words.twins import CANDIDATES, offers_transfer
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.plan import VIEW_PLAN
from finplan.operations.task import LIST_TASKS
from finplan.service.planning.pictured import PicturedPlan

DRAWN = "finplan/view"
"""What results carry for the views, where a client has them; no model is shown it."""

ANSWERED_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """A call that was answered: what it was given, what it tells, and what performs rows."""

    call: Call
    perform: Perform
    given: Mapping[str, Any]
    told: Any


async def drawn(name: str, answered: Answered) -> Tree | None:
    """The tree that a view shows of a tool's answer; None of a tool without one."""
    draw = _DRAW.get(name)
    return None if draw is None else tree_of(await draw(answered))


async def _plan(answered: Answered) -> Markup:
    call = answered.call
    settings = await call.settings()
    pictured: PicturedPlan = await answered.perform(call.context, VIEW_PLAN, Nothing(), drawn=True)
    today = call.context.today(settings.time_zone)
    anew = element("div", button("Build the plan anew", "build"), class_="acts")
    return joined(*plan.summary(pictured, settings, today), anew)


async def _asking(call: Call) -> tasks.TaskForms:
    settings = await call.settings()
    locale = Locale.of(settings, call.context.today(settings.time_zone))
    return tasks.TaskForms(locale, await call.ask(LIST_CATEGORIES), _form)


def _form(*children: str | None, class_: str = "stack") -> Markup:
    """A form that is sent nowhere: the view's script reads it."""
    return element("form", *children, class_=class_)


async def _questions(answered: Answered) -> Markup:
    call, told = answered.call, answered.told
    assert isinstance(told, TasksTold)
    asking = await _asking(call)
    past: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery(status="answered"))
    ids = {each.id for each in told.tasks}
    if answered.given.get("status") == "answered":
        return joined(
            element("h1", "Answered questions"),
            tasks.answered([each for each in past if each.id in ids], asking),
        )
    now: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery())
    shown = [each for each in now if each.id in ids]
    if offers_transfer(shown):
        asking = replace(asking, candidates=await call.ask(LIST_TRANSFERS, CANDIDATES))
    return joined(
        element("h1", "Questions"),
        element("p", tasks.lead(told.count), class_="soft"),
        tasks.questions(shown, asking) if shown else None,
        _lately(past[:ANSWERED_SHOWN], asking) if past else None,
    )


def _lately(past: Sequence[Task], asking: tasks.TaskForms) -> Markup:
    """What was answered, set apart as on the page of the questions."""
    return element(
        "section",
        element("div", element("h2", "Answered lately", id="answered-title"), class_="heading"),
        tasks.answered(past, asking),
        aria_labelledby="answered-title",
    )


async def _answer(answered: Answered) -> Markup:
    call, told = answered.call, answered.told
    assert isinstance(told, AnswerTold)
    asking = await _asking(call)
    if told.effect is not None and told.label is None:
        return _done("No row would move. Nothing is kept yet.")
    if told.effect is not None:
        now: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery())
        task = next(each for each in now if each.id == told.id)
        ask = answer_of(read_json(AnswerQuestion, json.dumps(answered.given)), told.answer)
        back = button("Back to the questions", "again")
        return tasks.before_keeping(task, ask, told.effect, asking, back)
    if told.status == "undone":
        return _done("Taken back; the question is open again.")
    past: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery(status="answered"))
    return _done(next(tasks.kept(each, asking) for each in past if each.id == told.id))


def _done(said: str) -> Markup:
    return element("p", said, class_="done", role="status")


_DRAW: Mapping[str, Callable[[Answered], Awaitable[Markup]]] = {
    "get_plan": _plan,
    "build_plan": _plan,
    "list_tasks": _questions,
    "answer_task": _answer,
}
