"""Tools over the protocol: their published shapes, one call of each, and the person asked midway.

A call goes from the arguments as they came to the result as it is sent. Older clients are sent a request
in the middle of a call. Since 2026-07-28 a call is answered with what is to be asked of the person, and
comes again with the answer.

Shapes are JSON Schema 2020-12, as short as they can be. What a model is told costs it room before any
question is asked, so names that follow from the fields and bounds that no sensible question meets, such
as those of JSON's integers, are left out; they hold anyway.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError, field_serializer

from finplan.daemon.errors import InvalidInput, envelope_of, fault_of, refusal_of
from finplan.daemon.surfaces.mcp.apps import DRAWN, Tree
from finplan.daemon.surfaces.mcp.tools import wording
from finplan.daemon.surfaces.mcp.tools.tool import Call, FailedAlready, Offered, Tool
from finplan.model.base import Wire, read_json
from finplan.model.errors import BadRequest, ErrorEnvelope, InsufficientScope
from finplan.service.lookup import near

ERROR = "finplan/error"
"""What results carry beside their content: an error as REST tells it."""


class ToolResult(types.CallToolResult):
    """A result whose structured content stays a model until the result is written as JSON."""

    @field_serializer("structured_content")
    def _as_json_values(self, content: Wire) -> dict[str, Any]:
        return content.model_dump(mode="json", by_alias=True)


DrawView = Callable[[Wire], Awaitable[Tree | None]]
"""Draws an answer for a view; None where the tool has none."""


async def call_tool(
    call: Call, tool: Tool, arguments: Mapping[str, Any], draw: DrawView | None = None
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
        reply = await tool.perform(call, ask)
        currency = (await call.settings()).currency
        view = None if draw is None else await draw(reply.told)
    except InputNeeded:
        raise
    except FailedAlready as failed:
        return refused(failed.told)
    except Exception as error:  # noqa: BLE001 - All errors end here; `fault_of` logs those of ours.
        return refused(envelope_of(fault_of(error)))
    return ToolResult(
        content=[types.TextContent(type="text", text=wording.lines(reply.text, *_notice(call)))],
        structured_content=reply.told,
        _meta=wording.unit_of(currency)
        if view is None
        else {**wording.unit_of(currency), DRAWN: view},
    )


def _notice(call: Call) -> tuple[str, ...]:
    """What an answer ends with while there is a notice."""
    notice = call.context.store.notice
    return () if notice is None else (wording.sentence(notice), wording.TYPED_BY_THE_PERSON)


def _check_scope(call: Call, tool: Tool) -> None:
    """Raise InsufficientScope where a credential is not offered a tool, whatever it is asked."""
    if tool.scope not in call.context.caller.scopes:
        raise InsufficientScope(
            f"This credential cannot use `{tool.name}`: it lacks the scope `service:{tool.scope}`."
            " Nothing was done. Tell the person what you want to change, or ask them for write access.",
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
            issue["message"] += f"; did you mean {' or '.join(close)}?"
        else:
            issue["message"] += (
                f"; use {', '.join(known)}" if known else "; this tool takes no arguments"
            )
    return refusal


def refused(told: ErrorEnvelope) -> types.CallToolResult:
    """An error as the result of a call, with what is wrong with each argument.

    It names what an agent can do; what only the person can type is called so.
    """
    issues = (told.data or {}).get("issues", ()) if isinstance(told.data, dict) else ()
    why = [
        f"{'.'.join(map(str, each['path'])) or 'arguments'}: {each['message']}" for each in issues
    ]
    what = _ARGUMENTS if why else told.message
    typed = wording.TYPED_BY_THE_PERSON if wording.names_commands(what) else None
    text = wording.lines(*map(wording.sentence, (what, *why)), typed)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        is_error=True,
        _meta={ERROR: told.model_dump(mode="json", exclude_none=True)},
    )


_ARGUMENTS = "Nothing was done. Correct these arguments:"


_ANSWER = "answer"
"""What the question is called in a request, and in the form."""


class InputNeeded(Exception):
    """The call is to come again, with the person's answer."""

    def __init__(self, request: types.ElicitRequest) -> None:
        super().__init__()
        self.result = types.InputRequiredResult(input_requests={_ANSWER: request})


async def elicit(
    request: ServerRequestContext[Any, Any],
    params: types.CallToolRequestParams,
    question: str,
    choices: Sequence[Offered],
) -> str | None:
    """What the person chooses; None where they would not, or where their client cannot ask them.

    Raises InputNeeded where the call has to come again first.
    """
    able = request.session.client_capabilities
    if able is None or able.elicitation is None or not _takes_forms(able.elicitation):
        return None
    form = types.ElicitRequestFormParams(
        message=question, requested_schema=_schema_of_form(choices)
    )
    if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
        said = (params.input_responses or {}).get(_ANSWER)
        if said is None:
            raise InputNeeded(types.ElicitRequest(params=form))
    else:
        said = await request.session.elicit_form(
            form.message, form.requested_schema, request.request_id
        )
    return _chosen(said, choices)


def _takes_forms(able: types.ElicitationCapability) -> bool:
    # Before there were other ways, who said nothing more meant forms.
    return able.form is not None or able.url is None


def _schema_of_form(choices: Sequence[Offered]) -> dict[str, Any]:
    words = [each.label for each in choices]
    field = {"type": "string", "title": "Answer", "enum": words}
    return {"type": "object", "properties": {_ANSWER: field}, "required": [_ANSWER]}


def _chosen(said: object, choices: Sequence[Offered]) -> str | None:
    if not isinstance(said, types.ElicitResult) or said.action != "accept":
        return None
    word = (said.content or {}).get(_ANSWER)
    return next((each.value for each in choices if each.label == word), None)


_LEFT_OUT = ("title", "discriminator", "format", "minLength", "maxLength", "maxItems")

_NO_SENSIBLE_BOUND = 10**12


@cache
def asked_schema(shape: type[Wire]) -> Mapping[str, Any]:
    """The schema of a question's shape."""
    return dict(_shortened(_schema_of_shape(shape, "validation"), describes=True))


@cache
def told_schema(shape: type[Wire]) -> Mapping[str, Any]:
    """The schema of an answer's shape."""
    return dict(_shortened(_schema_of_shape(shape, "serialization"), describes=False))


def _schema_of_shape(shape: type[Wire], mode: Any) -> dict[str, Any]:
    schema = shape.model_json_schema(by_alias=True, mode=mode)
    defined = schema.pop("$defs", {})
    used = Counter(_references([schema, defined]))
    once = {name for name in defined if used[_REFERENCE + name] == 1}
    whole = _with_definitions(schema, {name: defined[name] for name in once})
    rest = {
        name: _with_definitions(part, {each: defined[each] for each in once})
        for name, part in defined.items()
        if name not in once
    }
    return {**({"$defs": rest} if rest else {}), **whole}


_REFERENCE = "#/$defs/"


def _references(schema: Any) -> Iterator[str]:
    """Where a schema refers to definitions, as often as it does."""
    for each in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(each, dict | list):
            yield from _references(each)
    if isinstance(schema, dict) and "$ref" in schema:
        yield schema["$ref"]


def _with_definitions(schema: Any, defined: Mapping[str, Any]) -> Any:
    """A schema in which what is referred to but once stands in its place, as naming it costs more."""
    if isinstance(schema, list):
        return [_with_definitions(each, defined) for each in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).removeprefix(_REFERENCE)
    if name in defined:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return _with_definitions({**defined[name], **beside}, defined)
    return {key: _with_definitions(value, defined) for key, value in schema.items()}


def _shortened(schema: Any, *, describes: bool, names: bool = False) -> Any:
    """A schema without what a model needs not; `names` tells that its keys are names of fields."""
    if isinstance(schema, list):
        return [_shortened(each, describes=describes) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if not names and _is_left_out(schema, key, value, describes=describes):
            continue
        kept[key] = _shortened(
            value, describes=describes, names=not names and key in {"properties", "$defs"}
        )
    if names:
        return kept
    return _or_null(kept, may_be_left_out=describes and schema.get("default", ...) is None)


def _or_null(schema: dict[str, Any], *, may_be_left_out: bool) -> dict[str, Any]:
    """A choice between plain types, or something and null, as one type of several names.

    Of what is asked and may be left out, null is not told of: it means the same, and some models read
    no type of two names.
    """
    first, *others = schema.get("anyOf", ({},))
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    if len(others) > 1 and all(set(each) == {"type"} for each in (first, *others)):
        return {**rest, "type": [each["type"] for each in (first, *others)]}
    if others != [{"type": "null"}] or not isinstance(first.get("type"), str):
        return schema
    if may_be_left_out:
        return {**first, **rest}
    return {**first, "type": [first["type"], "null"], **rest}


def _is_left_out(schema: dict[str, Any], key: str, value: Any, *, describes: bool) -> bool:
    if key in _LEFT_OUT:
        return True
    if key == "description":
        # What a shape is for stands in its tool's description; a field's own is kept.
        return not describes or schema.get("type") == "object"
    if key in {"additionalProperties", "required", "enum"}:
        # Every field of an answer is always there, with its value; to say so names them all twice.
        return not describes
    if key in {"default", "pattern"}:
        # What a list or a switch is unless something is said needs no saying.
        return not describes or not value
    return key in {"minimum", "maximum"} and abs(value) >= _NO_SENSIBLE_BOUND
