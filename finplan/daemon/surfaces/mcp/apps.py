"""MCP Apps: pages that a host may show beside an answer, each one file that loads nothing.

A view is made of the same pieces as the site's pages, sent as a tree of plain values, of which it builds
elements and texts. It never parses HTML: what a stranger wrote reaches it as a text, and becomes one.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

from mcp import types
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from finplan.daemon.surfaces.mcp.tools import questions
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.pages import plan, tasks
from finplan.daemon.surfaces.pages.markup import (
    Markup,
    button,
    done,
    element,
    join_markup,
    read_style,
    source_digest,
)
from finplan.daemon.surfaces.rest.routes import Perform
from finplan.model.base import Nothing, read_json
from finplan.model.task import Task, TaskAnswer, TaskQuery
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.plan import VIEW_PLAN
from finplan.operations.task import LIST_TASKS
from finplan.pictures.sheet import style as pictures_style
from finplan.service.planning.views import PicturedPlan
from finplan.views import tasks as view
from finplan.views.answering import CANDIDATES, offers_transfer

UI = EXTENSION_ID
"""The extension that client and server say they speak."""

VIEWED: Mapping[str, Tool] = {
    f"ui://finplan/{name.replace('_', '-')}": tool for name, tool in TOOLS.items() if tool.view
}
"""The tools that have a view, by its address."""

_BY_NIGHT = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*:root (\{[^{}]*\})\s*\}")


def view_of(tool: Tool) -> str | None:
    """The address of a tool's view."""
    return next((uri for uri, each in VIEWED.items() if each is tool), None)


def resources() -> list[types.Resource]:
    """The views as a client lists them."""
    return [
        types.Resource(
            uri=uri,
            name=tool.name,
            title=tool.title,
            description="A page that a host shows with the answer.",
            mime_type=APP_MIME_TYPE,
            _meta=_told_to_host(),
        )
        for uri, tool in VIEWED.items()
    ]


def contents(uri: str) -> types.TextResourceContents:
    """The file of a view."""
    tool = VIEWED[uri]
    return types.TextResourceContents(
        uri=uri, mime_type=APP_MIME_TYPE, text=_file_of_view(tool.title), _meta=_told_to_host()
    )


def _told_to_host() -> dict[str, object]:
    # Without any origin named, a host lets a view reach nothing.
    return {"ui": {"prefersBorder": True}}


@cache
def _file_of_view(title: str) -> str:
    script = files(__package__).joinpath("view.js").read_text(encoding="utf-8")
    style = _style()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script, style)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"{title} – finplan"),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element(
            "main",
            element("p", "Waiting for the answer …", id="status", role="status", class_="soft"),
            element("div", id="drawn"),
        ),
        element("script", Markup(script)),
    )
    return join_markup(Markup("<!DOCTYPE html>"), element("html", head, body, lang="en"), "\n")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {source_digest(script)};"
        f" style-src {source_digest(style)}; base-uri 'none'; form-action 'none'"
    )


def _style() -> str:
    """The style of the site's pages; it is the host that says whether it is night."""
    by_night = _BY_NIGHT.sub(r':root[data-theme="dark"] \1', read_style("plan.css", "fields.css"))
    return by_night + pictures_style() + read_style("view.css")


Tree = list[Any]
"""An element: its name, its attributes by name, and its children; a text is a string."""

_VOID = frozenset({"br", "input"})
_AS_WRITTEN = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}
"""Attributes of SVG whose case matters, by how a parser of HTML tells them."""


def tree_of(markup: Markup) -> Tree:
    """The children of a page's piece."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.root[2:]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root: Tree = ["", {}]
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.append(self._add(tag, attrs))
        if tag in _VOID:
            self._open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag, "Markup is well-formed."

    def handle_data(self, data: str) -> None:
        self._open[-1].append(data)

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> Tree:
        made: Tree = [tag, {_AS_WRITTEN.get(name, name): value or "" for name, value in attrs}]
        self._open[-1].append(made)
        return made


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
    draw = _DRAW_OF_TOOL.get(name)
    return None if draw is None else tree_of(await draw(answered))


async def _draw_plan(answered: Answered) -> Markup:
    call = answered.call
    settings = await call.settings()
    pictured: PicturedPlan = await answered.perform(call.context, VIEW_PLAN, Nothing(), drawn=True)
    today = call.context.today(settings.time_zone)
    anew = element("div", button("Build again", "build"), class_="acts")
    return join_markup(*plan.summary(pictured, settings, today), anew)


async def _asking(call: Call) -> tasks.TaskForms:
    return tasks.TaskForms(await call.how(), await call.ask(LIST_CATEGORIES), _form)


def _form(*children: str | None, class_: str = "stack") -> Markup:
    """A form that is sent nowhere: the view's script reads it."""
    return element("form", *children, class_=class_)


async def _draw_questions(answered: Answered) -> Markup:
    call, told = answered.call, answered.told
    assert isinstance(told, questions.TasksTold)
    asking = await _asking(call)
    past: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery(status="answered"))
    ids = {each.id for each in told.tasks}
    if answered.given.get("status") == "answered":
        return join_markup(
            element("h1", "Answered tasks"),
            tasks.answered([each for each in past if each.id in ids], asking),
        )
    now: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery())
    shown = [each for each in now if each.id in ids]
    if offers_transfer(shown):
        asking = replace(asking, candidates=await call.ask(LIST_TRANSFERS, CANDIDATES))
    return join_markup(
        element("h1", "Tasks"),
        element("p", view.lead(told.count), class_="soft"),
        tasks.questions(shown, asking) if shown else None,
        tasks.lately(past[:ANSWERED_SHOWN], asking),
    )


async def _draw_answer(answered: Answered) -> Markup:
    call, told = answered.call, answered.told
    assert isinstance(told, questions.AnswerTold)
    asking = await _asking(call)
    if told.effect is not None and told.label is None:
        return done("This changes no transactions. Nothing is saved yet.")
    if told.effect is not None:
        now: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery())
        task = next(each for each in now if each.id == told.id)
        asked = read_json(questions.AnswerQuestion, json.dumps(answered.given))
        ask = TaskAnswer.of(asked, answer=told.answer)
        back = button("Back", "again")
        return tasks.before_keeping(task, ask, told.effect, asking, back)
    if told.status == "undone":
        return done("Undone. The question is open again.")
    past: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery(status="answered"))
    task = next(each for each in past if each.id == told.id)
    return done(view.describe_decision(task, asking.labels, asking.how))


_DRAW_OF_TOOL: Mapping[str, Callable[[Answered], Awaitable[Markup]]] = {
    "get_plan": _draw_plan,
    "build_plan": _draw_plan,
    "list_tasks": _draw_questions,
    "answer_task": _draw_answer,
}
