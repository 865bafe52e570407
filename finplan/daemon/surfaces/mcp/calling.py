"""One call of a tool, from the arguments as they came to the result as it is sent."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from mcp import types
from pydantic import ValidationError

from finplan.daemon.errors import InvalidInput, envelope_of, fault_of, refusal_of
from finplan.daemon.surfaces.mcp.eliciting import InputNeeded
from finplan.daemon.surfaces.mcp.tools.tool import AnyTool, Call, FailedAlready
from finplan.daemon.surfaces.mcp.tools.ways import TYPED_BY_THE_PERSON, names_commands
from finplan.daemon.surfaces.mcp.tools.wording import lines, sentence, unit_of
from finplan.daemon.surfaces.mcp.views.drawing import DRAWN
from finplan.daemon.surfaces.mcp.views.trees import Tree
from finplan.model.base import Wire, read_json
from finplan.model.errors import BadRequest, ErrorEnvelope, InsufficientScope
from finplan.service.lookup import near

ERROR = "finplan/error"
"""What results carry beside their content: an error as REST tells it."""


DrawView = Callable[[Wire], Awaitable[Tree | None]]
"""Draws an answer for a view; None where the tool has none."""


async def call_tool(
    call: Call, tool: AnyTool, arguments: Mapping[str, Any], draw: DrawView | None = None
) -> types.CallToolResult:
    """Call a tool; what goes wrong is told in the result, so that the model can do better.

    `draw` is for clients that show views. Raises InputNeeded where the person is to be asked first.
    """
    try:
        _check_scope(call, tool)
        try:
            ask = read_json(tool.asks, json.dumps(arguments))
        except ValidationError as error:
            raise _naming_near(refusal_of(error), tool.asks) from error
        told = await tool.perform(call, ask)
        currency = (await call.settings()).currency
        view = None if draw is None else await draw(told)
        said = tool.say(told, currency)
    except InputNeeded:
        raise
    except FailedAlready as failed:
        return refused(failed.told)
    except Exception as error:  # noqa: BLE001 - All errors end here; `fault_of` logs those of ours.
        return refused(envelope_of(fault_of(error)))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=lines(said, *_notice(call)))],
        structured_content=told.model_dump(mode="json", by_alias=True),
        _meta=unit_of(currency) if view is None else {**unit_of(currency), DRAWN: view},
    )


def _notice(call: Call) -> tuple[str, ...]:
    """What an answer ends with while there is a notice."""
    notice = call.context.store.notice
    return () if notice is None else (sentence(notice), TYPED_BY_THE_PERSON)


def _check_scope(call: Call, tool: AnyTool) -> None:
    """Raise InsufficientScope where a credential is not offered a tool, whatever it is asked."""
    if tool.scope not in call.context.caller.scopes:
        raise InsufficientScope(
            f"`{tool.name}` is not offered to this credential, which lacks the scope"
            f" `service:{tool.scope}`, so nothing was done. Tell the person what you would do, or ask"
            " them to let you write.",
            f"service:{tool.scope}",
        )


def _naming_near(refusal: BadRequest, asks: type[Wire]) -> BadRequest:
    """The refusal, with what is known and near to each argument that is not, or else all that is."""
    if not isinstance(refusal, InvalidInput) or refusal.data is None:
        return refusal
    known = [field.alias or name for name, field in asks.model_fields.items()]
    for issue in refusal.data["issues"]:
        *inside, name = issue["path"] or [""]
        if inside or name in known:
            continue
        close = near(str(name), known)
        if close:
            issue["message"] += f"; near to it: {', '.join(close)}"
        else:
            issue["message"] += f"; known are {', '.join(known)}" if known else "; none is taken"
    return refusal


def refused(told: ErrorEnvelope) -> types.CallToolResult:
    """An error as the result of a call, with what is wrong with each argument.

    It names what an agent can do; what only the person can type is called so.
    """
    issues = (told.data or {}).get("issues", ()) if isinstance(told.data, dict) else ()
    why = [f"{_place(each['path'])}: {each['message']}" for each in issues]
    what = _ARGUMENTS if why else told.message
    typed = TYPED_BY_THE_PERSON if names_commands(what) else None
    text = lines(*map(sentence, (what, *why)), typed)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        is_error=True,
        _meta={ERROR: told.model_dump(mode="json", exclude_none=True)},
    )


_ARGUMENTS = "Nothing was done, since these arguments do not fit:"


def _place(path: Sequence[str | int]) -> str:
    return ".".join(map(str, path)) or "arguments"
