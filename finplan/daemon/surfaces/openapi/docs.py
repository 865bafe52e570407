"""The page about the interface: one HTML file of the description, without scripts and other files.

A value is told in a phrase, and what an object has in a table.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from urllib.parse import quote, urlencode

from finplan.daemon.surfaces.openapi.answers import JSON
from finplan.daemon.surfaces.openapi.shapes import Schema
from finplan.daemon.surfaces.pages import markup
from finplan.daemon.surfaces.pages.markup import Markup, element, policy_of_style, read_style

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
        return " · ".join(_code_of_value(each) for each in schema.get("enum") or [schema["const"]])
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
        (
            _property_name(name, name in required),
            phrase(each) + _default(each),
            prose(_meaning(each)),
        )
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
                _property_name(each["name"], each["required"]),
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
        body = property_table(f"Fields of {name}", schema)
    elif "discriminator" in schema:
        discriminator = schema["discriminator"]["propertyName"]
        body = f"<p>One of {phrase(schema)}, by {_code_of_value(discriminator)}.</p>"
    elif "oneOf" in schema:
        body = "".join(property_table(f"{name}, one of these", each) for each in schema["oneOf"])
    else:
        body = "<p>No properties.</p>"
    # No landmark: there are many, and one may be called like a family of operations.
    return (
        f'<div class="shape" id="shape-{name}">'
        f'<h3 id="name-{name}">{name}</h3>{description}{body}</div>'
    )


def _property_name(name: str, required: bool) -> str:
    mark = ' <span class="required">required</span>' if required else ""
    return f"<code>{escape(name)}</code>{mark}"


def _meaning(schema: Schema) -> str:
    description = schema.get("description")
    if description is None:
        parts = [*schema.get("anyOf", ()), schema.get("items", {})]
        description = next((each["description"] for each in parts if "description" in each), "")
    return str(description)


def _default(schema: Schema) -> str:
    return f", {_code_of_value(schema['default'])} by default" if "default" in schema else ""


def _limits(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None and most != _LARGEST:
        return f", {least} to {most}"
    if least == 0 and most == _LARGEST:
        return ", not negative"
    if "maxLength" in schema:
        return f", at most {schema['maxLength']} characters"
    if "pattern" in schema:
        return f" matching {_code_of_value(schema['pattern'])}"
    if "maxItems" in schema:
        return f", at most {schema['maxItems']}"
    return ""


def _code_of_value(value: object) -> str:
    written = str(value).lower() if isinstance(value, bool) else str(value)
    return f"<code>{escape(written)}</code>"


_METHODS = ("get", "post", "put", "patch", "delete")


def policy() -> str:
    """The content security policy of the page: its own style and nothing else."""
    return policy_of_style(_style())


def render(document: Schema) -> bytes:
    """Draw the page about a description."""
    info = document["info"]
    body = (
        '<body><a class="skip" href="#main">Skip to the operations</a>'
        f"{_header(document)}{_navigation(document)}"
        f'<main id="main">{_authentication(document)}{_errors(document)}'
        f"{''.join(_families(document))}"
        '<section id="shapes" aria-labelledby="name-shapes"><h2 id="name-shapes">Shapes</h2>'
        f"{shapes_section(document['components']['schemas'])}</section></main></body>"
    )
    title = f"{info['title']} {info['version']}: the interface"
    return markup.document(title, Markup(body), element("style", Markup(_style()))).encode()


def _style() -> str:
    return read_style("reading.css", "docs.css")


def _header(document: Schema) -> str:
    info = document["info"]
    base = document["servers"][0]["url"]
    return (
        f'<header><h1>{info["title"]} <span class="version">{info["version"]}</span></h1>'
        f"{paragraphs(info['description'])}"
        f"<p>Paths are relative to <code>{escape(base)}</code>. The same description for programs:"
        ' <a href="/api/openapi.json">openapi.json</a>. To use finplan, see'
        ' <a href="/api/docs/handbook">the handbook</a>.</p></header>'
    )


def _navigation(document: Schema) -> str:
    families = "".join(
        f'<li><a href="#{_anchor(tag["name"])}">{tag["name"]}</a><ul>'
        + "".join(
            f'<li><a href="#{row["operationId"]}">{_called(row)}</a></li>'
            for _, _, row in _operations(document, tag["name"])
        )
        + "</ul></li>"
        for tag in document["tags"]
    )
    return (
        '<nav aria-label="Contents"><ul><li><a href="#authentication">Credentials and scopes</a></li>'
        f'<li><a href="#errors">Errors</a></li>{families}'
        '<li><a href="#shapes">Shapes</a></li></ul></nav>'
    )


def _authentication(document: Schema) -> str:
    schemes = document["components"]["securitySchemes"]
    scopes = schemes["oauth"]["flows"]["authorizationCode"]["scopes"]
    credentials = (
        ("API key", "<code>x-api-key: …</code>", prose(schemes["apiKey"]["description"])),
        (
            "OAuth 2.1",
            "<code>Authorization: Bearer …</code>",
            prose(schemes["oauth"]["description"]),
        ),
        (
            "Session",
            f"cookie <code>{schemes['session']['name']}</code>",
            prose(schemes["session"]["description"]),
        ),
    )
    allowed = ((f"<code>{name}</code>", prose(about)) for name, about in scopes.items())
    return (
        '<section id="authentication" aria-labelledby="name-authentication">'
        '<h2 id="name-authentication">Credentials and scopes</h2>'
        f"{table('Credentials', ('Credential', 'How it is sent', 'About'), credentials)}"
        f"{table('Scopes', ('Scope', 'What it allows'), allowed)}</section>"
    )


def _errors(document: Schema) -> str:
    schemas = document["components"]["schemas"]
    codes = {
        schema["properties"]["code"]["const"]: (schema["properties"]["status"]["const"], name)
        for name, schema in schemas.items()
        if name.endswith("Error") and "defined" in schema.get("properties", {})
    }
    rows = (
        (
            f"<code>{code}</code>",
            str(status),
            prose(schemas[name]["description"]),
            f'<a href="#shape-{name}">{name}</a>',
        )
        for code, (status, name) in sorted(codes.items(), key=lambda each: (each[1][0], each[0]))
    )
    return (
        '<section id="errors" aria-labelledby="name-errors"><h2 id="name-errors">Errors</h2>'
        f"{table('Codes', ('Code', 'Status', 'Meaning', 'Shape'), rows)}</section>"
    )


def _families(document: Schema) -> Iterator[str]:
    for tag in document["tags"]:
        anchor = _anchor(tag["name"])
        yield (
            f'<section id="{anchor}" aria-labelledby="name-{anchor}">'
            f'<h2 id="name-{anchor}">{tag["name"]}</h2><p>{prose(tag["description"])}</p>'
        )
        for path, method, row in _operations(document, tag["name"]):
            yield _operation(document, path, method, row)
        yield "</section>"


def _operation(document: Schema, path: str, method: str, row: Schema) -> str:
    name = row["operationId"]
    parameters = [_resolved(document, each) for each in row["parameters"]]
    head = (
        f'<article id="{name}" aria-labelledby="name-{name}">'
        f'<h3 id="name-{name}">{prose(row["summary"])}</h3>'
        f'<p class="place"><span class="method {method}">{method.upper()}</span> '
        f"<code>{_path(path)}</code></p>{paragraphs(row['description'])}"
    )
    parts = [head]
    if parameters:
        parts.append(parameter_table(parameters))
    if "requestBody" in row:
        parts.append(_body(document, row["requestBody"]))
    parts.append(_answers(document, row["responses"]))
    parts.append(f"<h4>Try it</h4>{_text(_curl(document, path, method, row))}")
    parts.append(_example(row["responses"]))
    return "".join(parts) + "</article>"


def _body(document: Schema, body: Schema) -> str:
    ((media_type, content),) = body["content"].items()
    reference = content["schema"]
    schema = document["components"]["schemas"][reference["$ref"].rpartition("/")[2]]
    optional = "" if body["required"] else " Optional."
    summary = f"<p><code>{media_type}</code>, {phrase(reference)}.{optional}</p>"
    properties = (
        property_table("Properties of the body", schema) if schema.get("properties") else ""
    )
    return f"<h4>Body</h4>{summary}{properties}"


def _answers(document: Schema, responses: Schema) -> str:
    """What success answers, and the errors in a line: each code is explained in one place."""
    rows, errors = [], []
    for status, reference in responses.items():
        response = _resolved(document, reference)
        schemas = [content["schema"] for content in response.get("content", {}).values()]
        if int(status) < 400:
            phrases = dict.fromkeys(phrase(schema) for schema in schemas if schema)
            rows.append((status, " or ".join(phrases) or "nothing", prose(response["description"])))
            continue
        for each in schemas[0].get("oneOf", schemas):
            code = _resolved(document, each)["properties"]["code"]["const"]
            name = each["$ref"].rpartition("/")[2]
            errors.append(f'<li>{status} <a href="#shape-{name}"><code>{code}</code></a></li>')
    return (
        f"{table('Answers', ('Status', 'Shape', 'About'), rows)}"
        f'<h4>Errors</h4><ul class="errors">{"".join(errors)}</ul>'
    )


def _example(responses: Schema) -> str:
    for response in responses.values():
        example = response.get("content", {}).get(JSON, {}).get("example")
        if example is not None:
            written = _text(json.dumps(example, indent=2, ensure_ascii=False))
            return f"<details><summary>Example answer</summary>{written}</details>"
    return ""


def _text(text: str) -> str:
    """A text as it is; it can be scrolled with the keyboard where it is too wide."""
    return f'<pre tabindex="0"><code>{escape(text, quote=False)}</code></pre>'


def _curl(document: Schema, path: str, method: str, row: Schema) -> str:
    """A command that asks the operation, as a person would type it."""
    values = {
        each["name"]: (each["in"], each["example"])
        for each in row["parameters"]
        if "example" in each
    }
    query = [(name, value) for name, (place, value) in values.items() if place == "query"]
    for name, (place, value) in values.items():
        if place == "path":
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
    url = (
        document["servers"][0]["url"] + path + (f"?{urlencode(query, doseq=True)}" if query else "")
    )
    words = [f"curl '{url}'" if method == "get" else f"curl -X {method.upper()} '{url}'"]
    if any("apiKey" in each for each in row["security"]):
        words.append("-H 'x-api-key: <API_KEY>'")
    else:
        session = document["components"]["securitySchemes"]["session"]["name"]
        words.append(f"--cookie '{session}=<SESSION>'")
    if any(each.get("$ref", "").endswith("/IdempotencyKey") for each in row["parameters"]):
        # Each copy of the command makes up a key of its own.
        words.append('-H "Idempotency-Key: $(uuidgen)"')
    body = row.get("requestBody", {}).get("content", {})
    if "multipart/form-data" in body:
        words.append("-F file=@statement.ofx")
    elif "example" in body.get(JSON, {}):
        example = json.dumps(body[JSON]["example"], ensure_ascii=False).replace("'", "'\\''")
        words.append(f"--json '{example}'")
    return " \\\n  ".join(words)


def _operations(document: Schema, tag: str) -> Iterator[tuple[str, str, Schema]]:
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods and methods[method]["tags"] == [tag]:
                yield path, method, methods[method]


def _resolved(document: Schema, schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    found = document
    for step in schema["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def _path(path: str) -> str:
    """A path that may be broken before each slash."""
    return escape(path).replace("/", "<wbr>/")


def _called(row: Schema) -> str:
    """An operation's name as words, short enough for a list."""
    words: str = row["operationId"].replace("_", " ")
    return words[0].upper() + words[1:]


def _anchor(name: str) -> str:
    return "family-" + name.lower().replace(" ", "-")
