"""Shapes as HTML: what a value is, in a phrase, and what an object has, in a table."""

import re
from collections.abc import Iterable, Mapping
from html import escape

from finplan.daemon.surfaces.openapi.shapes import Schema

_UNITS = {"int64": "integer", "date": "date, YYYY-MM-DD"}
_LARGEST = 9007199254740991


def prose(text: str) -> str:
    """A text of sentences: escaped, with what stands in backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def paragraphs(text: str) -> str:
    """Several paragraphs of prose."""
    return "".join(f"<p>{prose(part)}</p>" for part in text.split("\n\n"))


def phrase(schema: Schema) -> str:
    """What a value is, in a few words, with links to the shapes that it names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#shape-{name}">{name}</a>'
    for key in ("anyOf", "oneOf"):
        if key in schema and "properties" not in schema:
            return " or ".join(phrase(each) for each in schema[key])
    if "contentSchema" in schema:
        return f"JSON of {phrase(schema['contentSchema'])}, as text"
    if "const" in schema or "enum" in schema:
        return " · ".join(_code(each) for each in schema.get("enum") or [schema["const"]])
    if schema.get("type") == "array":
        return f"list of {phrase(schema.get('items', {}))}{_limits(schema)}"
    named = schema.get("format", "")
    kind = _UNITS.get(named) or (
        f"{schema.get('type', 'anything')} ({named})" if named else schema.get("type", "anything")
    )
    return f"{escape(kind)}{_limits(schema)}"


def property_table(caption: str, schema: Schema) -> str:
    """What an object has: names, kinds and meanings."""
    required = schema.get("required", ())
    rows = [
        (_name(name, name in required), phrase(each) + _default(each), prose(_meaning(each)))
        for name, each in schema.get("properties", {}).items()
    ]
    if not any(meaning for _, _, meaning in rows):
        return table(caption, ("Name", "Kind"), [row[:2] for row in rows])
    return table(caption, ("Name", "Kind", "Meaning"), rows)


def parameter_table(parameters: Iterable[Schema]) -> str:
    """What stands in the path, the query string and the headers of a request."""
    return table(
        "Parameters",
        ("Name", "In", "Kind", "Meaning"),
        (
            (
                _name(each["name"], each["required"]),
                each["in"],
                phrase(each["schema"]) + _default(each["schema"]),
                prose(each["description"]),
            )
            for each in parameters
        ),
    )


def table(caption: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table whose cells carry their column's name, for screens too narrow for columns."""
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row">{cell}</th>' if place == 0 else f'<td data-name="{head}">{cell}</td>'
            for place, (head, cell) in enumerate(zip(heads, row, strict=True))
        )
        + "</tr>"
        for row in rows
    )
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def shapes_section(schemas: Mapping[str, Schema]) -> str:
    """Every named shape, by name."""
    return "".join(_shape(name, schema) for name, schema in schemas.items())


def _shape(name: str, schema: Schema) -> str:
    description = paragraphs(schema["description"]) if "description" in schema else ""
    if schema.get("properties"):
        body = property_table(f"What {name} has", schema)
    elif "discriminator" in schema:
        discriminator = schema["discriminator"]["propertyName"]
        body = f"<p>One of {phrase(schema)}, told apart by {_code(discriminator)}.</p>"
    elif "oneOf" in schema:
        body = "".join(property_table(f"{name}, one of these", each) for each in schema["oneOf"])
    else:
        body = "<p>It has no properties.</p>"
    # No landmark: there are many, and one may be called like a family of operations.
    return (
        f'<div class="shape" id="shape-{name}">'
        f'<h3 id="name-{name}">{name}</h3>{description}{body}</div>'
    )


def _name(name: str, required: bool) -> str:
    mark = ' <span class="required">required</span>' if required else ""
    return f"<code>{escape(name)}</code>{mark}"


def _meaning(schema: Schema) -> str:
    description = schema.get("description")
    if description is None:
        parts = [*schema.get("anyOf", ()), schema.get("items", {})]
        description = next((each["description"] for each in parts if "description" in each), "")
    return str(description)


def _default(schema: Schema) -> str:
    return f", {_code(schema['default'])} if left out" if "default" in schema else ""


def _limits(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None and most != _LARGEST:
        return f", {least} to {most}"
    if least == 0 and most == _LARGEST:
        return ", not negative"
    if "maxLength" in schema:
        return f", at most {schema['maxLength']} characters"
    if "pattern" in schema:
        return f" like {_code(schema['pattern'])}"
    if "maxItems" in schema:
        return f", at most {schema['maxItems']}"
    return ""


def _code(value: object) -> str:
    written = str(value).lower() if isinstance(value, bool) else str(value)
    return f"<code>{escape(written)}</code>"
