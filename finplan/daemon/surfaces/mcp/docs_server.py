"""The docs server: the handbook for agents, searched and read without any credential."""

import asyncio
import json
from difflib import get_close_matches
from functools import partial
from typing import Any

from mcp import types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from finplan import __version__
from finplan.daemon.errors import envelope_of, fault_of, refusal_of
from finplan.daemon.surfaces.handbook.places import markdown_path
from finplan.daemon.surfaces.mcp.calling import refused
from finplan.daemon.surfaces.mcp.docs_tools import DOCS_TOOLS, DocsTool
from finplan.daemon.surfaces.mcp.schemas import asked_schema, told_schema
from finplan.handbook.library import handbook
from finplan.model.base import read_json

McpDocsRequest = ServerRequestContext[Any, Any]
MARKDOWN = "text/markdown"

DOCS_INSTRUCTIONS = (
    "The handbook of finplan, a personal finance planner that its people run on their own machine: how"
    " its figures are made, its commands, its interfaces and what to do when something fails. Search"
    " it in the words of the question, then read the page. It knows nothing of anybody's money."
)


def make_docs_server(site_url: str) -> Server[Any]:
    """Make the docs server of a site."""
    return Server(
        "finplan-docs",
        version=__version__,
        title="finplan's handbook",
        description="How to use finplan: searched and read.",
        instructions=DOCS_INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=partial(_call_tool, site_url),
        on_list_resources=partial(_list_resources, site_url),
        on_read_resource=partial(_read_resource, site_url),
        get_tool_input_schema=lambda name: (
            asked_schema(DOCS_TOOLS[name].asks) if name in DOCS_TOOLS else None
        ),
    )


async def _list_tools(
    _request: McpDocsRequest, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_published(each) for each in DOCS_TOOLS.values()])


def _published(tool: DocsTool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(asked_schema(tool.asks)),
        output_schema=dict(told_schema(tool.answers)),
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


async def _call_tool(
    site_url: str, _request: McpDocsRequest, params: types.CallToolRequestParams
) -> types.CallToolResult:
    tool = DOCS_TOOLS.get(params.name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name[:80]!r}.")
    try:
        try:
            ask = read_json(tool.asks, json.dumps(params.arguments or {}))
        except ValidationError as error:
            raise refusal_of(error) from error
        told = await asyncio.to_thread(tool.perform, site_url, ask)
    except Exception as error:  # noqa: BLE001 - All errors end here; `fault_of` logs those of ours.
        return refused(envelope_of(fault_of(error)))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=tool.say(told))],
        structured_content=json.loads(told.model_dump_json(by_alias=True)),
    )


async def _list_resources(
    site_url: str, _request: McpDocsRequest, _params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    pages = await asyncio.to_thread(handbook)
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=f"{site_url}{markdown_path(page)}",
                name=page.name,
                title=page.title,
                description=page.summary or None,
                mime_type=MARKDOWN,
                size=len(page.markdown.encode()),
            )
            for page in pages.values()
        ]
    )


async def _read_resource(
    site_url: str, _request: McpDocsRequest, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    pages = await asyncio.to_thread(handbook)
    found = {f"{site_url}{markdown_path(page)}": page for page in pages.values()}
    page = found.get(str(params.uri))
    if page is None:
        near = get_close_matches(str(params.uri)[:200], found, 1)
        hint = f" Is it {near[0]}?" if near else ""
        raise MCPError(types.INVALID_PARAMS, f"The handbook has no such page.{hint}")
    return types.ReadResourceResult(
        contents=[
            types.TextResourceContents(uri=str(params.uri), mime_type=MARKDOWN, text=page.markdown)
        ]
    )
