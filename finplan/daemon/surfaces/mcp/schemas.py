"""The published shapes of tools: JSON Schema 2020-12, as short as they can be.

What a model is told costs it room before any question is asked, so names that follow from the fields and
bounds that no sensible question meets, such as those of JSON's integers, are left out; they hold anyway.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from finplan.daemon.surfaces.mcp.tools.tool import AnyTool
from finplan.model.base import Wire

_LEFT_OUT = ("title", "discriminator", "format", "minLength", "maxLength", "maxItems")

_NO_SENSIBLE_BOUND = 10**12


def input_schema(tool: AnyTool) -> Mapping[str, Any]:
    """The shape of what a tool is asked; nothing unknown is taken."""
    shape: type[Wire] = tool.asks
    return asked_schema(shape)


def output_schema(tool: AnyTool) -> Mapping[str, Any]:
    """The shape of what a tool answers."""
    shape: type[Wire] = tool.answers
    return told_schema(shape)


@cache
def asked_schema(shape: type[Wire]) -> Mapping[str, Any]:
    """The schema of a question's shape."""
    return dict(_shortened(_schema(shape, "validation"), describes=True))


@cache
def told_schema(shape: type[Wire]) -> Mapping[str, Any]:
    """The schema of an answer's shape."""
    return dict(_shortened(_schema(shape, "serialization"), describes=False))


def _schema(shape: type[Wire], mode: Any) -> dict[str, Any]:
    schema = shape.model_json_schema(by_alias=True, mode=mode)
    defined = schema.pop("$defs", {})
    used = Counter(_references([schema, defined]))
    once = {name for name in defined if used[_TO + name] == 1}
    whole = _with_definitions(schema, {name: defined[name] for name in once})
    rest = {
        name: _with_definitions(part, {each: defined[each] for each in once})
        for name, part in defined.items()
        if name not in once
    }
    return {**({"$defs": rest} if rest else {}), **whole}


_TO = "#/$defs/"


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
    name = str(schema.get("$ref", "")).removeprefix(_TO)
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
    if "enum" in kept and not describes:
        # The values of an answer tell their type. Of a question some models read no field without one.
        del kept["type"]
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
    if others == [{"type": "null"}] and "enum" in first and "type" not in first:
        return {**rest, "enum": [*first["enum"], None]}
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
    if key in {"additionalProperties", "required"}:
        # Every field of an answer is always there; to say so of each part would name them all twice.
        return not describes
    if key in {"default", "pattern"}:
        # What a list or a switch is unless something is said needs no saying.
        return not describes or not value
    return key in {"minimum", "maximum"} and abs(value) >= _NO_SENSIBLE_BOUND
