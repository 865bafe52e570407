"""Markdown as the pages made from the code write it."""

from collections.abc import Iterable, Sequence
from typing import Any


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table without a last column that says nothing, or nothing where there are no rows."""
    cells = [[_cell(each) for each in row] for row in rows]
    if not cells:
        return ""
    columns = len(heads) if any(row[-1] for row in cells) else len(heads) - 1
    lines = [heads[:columns], ["---"] * columns, *(row[:columns] for row in cells)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: object) -> str:
    """A text as code."""
    return f"`{text}`"


def kind_of(schema: dict[str, Any]) -> str:
    """What a value may be, in a few words."""
    kinds = schema.get("anyOf") or schema.get("oneOf") or _each_kind(schema)
    if kinds:
        return " or ".join(dict.fromkeys(kind_of(each) for each in kinds))
    if "$ref" in schema:
        shape = str(schema["$ref"]).rpartition("/")[2]
        return shape.removesuffix("-Input").removesuffix("-Output")
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        return ", ".join(code(_word(each)) for each in values if each is not None)
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    if schema.get("format") == "date":
        return "day, YYYY-MM-DD"
    kind = str(schema.get("type", "anything"))
    return f"{_KINDS.get(kind, kind)}{'' if kind == 'null' else _bounds(schema)}"


def meaning_of_field(schema: dict[str, Any]) -> str:
    """What is told of a value, or of what it may be."""
    parts = [schema, *schema.get("anyOf", ()), schema.get("items", {})]
    said = next((each["description"] for each in parts if "description" in each), "")
    default = schema.get("default")
    if default in (None, [], ()):
        return str(said)
    return f"{said} Left out: {code(_word(default))}.".strip()


_KINDS = {"integer": "whole number", "number": "number", "string": "text", "boolean": "yes or no"}
_LARGEST = 2**53 - 1


def _each_kind(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The kinds of a value that names several, each with what is said of it."""
    kinds = schema.get("type")
    return [{**schema, "type": each} for each in kinds] if isinstance(kinds, list) else []


def _bounds(schema: dict[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None and most != _LARGEST:
        return f", {least} to {most}" if least is not None else f", at most {most}"
    if schema.get("maxLength") is not None:
        return f", at most {schema['maxLength']} letters"
    return ""


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
