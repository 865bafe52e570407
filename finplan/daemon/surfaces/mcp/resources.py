"""What the product server offers for reading: plan, categories, the handbook's pages, and views."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp import types
from mcp.shared.exceptions import MCPError
from pydantic import TypeAdapter

from finplan.daemon.surfaces.handbook.places import markdown_path
from finplan.daemon.surfaces.mcp.tools.plans import plan_told
from finplan.daemon.surfaces.mcp.tools.ways import for_agents
from finplan.daemon.surfaces.mcp.views import files
from finplan.handbook.library import handbook
from finplan.handbook.pages import HandbookPage
from finplan.model.base import Nothing, Wire
from finplan.model.category import CategoryChoice
from finplan.model.errors import Fault
from finplan.model.snapshot import PlanView
from finplan.operation import AnyOperation
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.plan import VIEW_PLAN

PLAN, CATEGORIES = "finplan://plan", "finplan://categories"
ROWS: Mapping[str, AnyOperation] = {PLAN: VIEW_PLAN, CATEGORIES: LIST_CATEGORIES}
"""The resources that are of the person's data, each with the row of the table that it is read by."""
_CHOICES = TypeAdapter(tuple[CategoryChoice, ...])
JSON, MARKDOWN = "application/json", "text/markdown"

AskForCaller = Callable[[AnyOperation, Wire], Awaitable[Any]]
"""Answers what a row does for whoever reads. Raises the faults of `model.errors`."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of a site."""

    site_url: str

    async def listed(self, *, views: bool) -> types.ListResourcesResult:
        """All of them; the `views` for clients that show such."""
        plan = types.Resource(
            uri=PLAN,
            name="plan",
            title="Your plan",
            description="The plan that holds now, as get_plan answers it; it tells of changes.",
            mime_type=JSON,
        )
        choices = types.Resource(
            uri=CATEGORIES,
            name="categories",
            title="Your categories",
            description="What rows can be filed under: each category's id, name and budget line; it"
            " tells of changes.",
            mime_type=JSON,
        )
        pages = await self._pages()
        shown = files.resources() if views else []
        return types.ListResourcesResult(
            resources=[
                plan,
                choices,
                *shown,
                *(
                    types.Resource(
                        uri=uri,
                        name=page.name,
                        title=page.title,
                        description=page.summary or None,
                        mime_type=MARKDOWN,
                        size=len(page.markdown.encode()),
                    )
                    for uri, page in pages.items()
                ),
            ]
        )

    async def read(self, ask: AskForCaller, uri: str) -> types.ReadResourceResult:
        """One of them. Raises MCPError where there is none, or nothing to plan with."""
        if uri == PLAN:
            return _text(uri, JSON, await _plan(ask))
        if uri == CATEGORIES:
            found: tuple[CategoryChoice, ...] = await _asked(ask, LIST_CATEGORIES)
            return _text(uri, JSON, _CHOICES.dump_json(found, by_alias=True).decode())
        if uri in files.VIEWED:
            return types.ReadResourceResult(contents=[files.contents(uri)])
        page = (await self._pages()).get(uri)
        if page is None:
            raise MCPError(types.INVALID_PARAMS, "There is no such resource; list them.")
        return _text(uri, MARKDOWN, page.markdown)

    async def has(self, uri: str) -> bool:
        """Whether there is one of this name."""
        return uri in ROWS or uri in files.VIEWED or uri in await self._pages()

    async def _pages(self) -> Mapping[str, HandbookPage]:
        pages = await asyncio.to_thread(handbook)
        return {f"{self.site_url}{markdown_path(page)}": page for page in pages.values()}


async def _plan(ask: AskForCaller) -> str:
    view: PlanView = await _asked(ask, VIEW_PLAN)
    return plan_told(view, ()).model_dump_json(by_alias=True)


async def _asked(ask: AskForCaller, row: AnyOperation) -> Any:
    try:
        return await ask(row, Nothing())
    except Fault as fault:
        raise MCPError(types.INVALID_PARAMS, for_agents(fault.message)) from fault


def _text(uri: str, media_type: str, text: str) -> types.ReadResourceResult:
    contents = types.TextResourceContents(uri=uri, mime_type=media_type, text=text)
    return types.ReadResourceResult(contents=[contents])
