"""The page about the interface: one HTML file of the description, without scripts and other files."""

import base64
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import quote, urlencode

from finplan.daemon.surfaces.openapi.answers import JSON
from finplan.daemon.surfaces.openapi.docs_shapes import (
    paragraphs,
    parameter_table,
    phrase,
    property_table,
    prose,
    shapes_section,
    table,
)
from finplan.daemon.surfaces.openapi.shapes import Schema

_METHODS = ("get", "post", "put", "patch", "delete")


def policy() -> str:
    """The content security policy of the page: its own style and nothing else."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def render(document: Schema) -> bytes:
    """Draw the page about a description."""
    info = document["info"]
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{info['title']} {info['version']}: the interface</title>"
        f"<style>{_style()}</style></head><body>"
        '<a class="skip" href="#main">Skip to the operations</a>'
        f"{_header(document)}{_navigation(document)}"
        f'<main id="main">{_authentication(document)}{_errors(document)}'
        f"{''.join(_families(document))}"
        '<section id="shapes" aria-labelledby="name-shapes"><h2 id="name-shapes">Shapes</h2>'
        f"{shapes_section(document['components']['schemas'])}</section></main></body></html>"
    )
    return page.encode()


@cache
def _style() -> str:
    return Path(__file__).with_name("docs.css").read_text(encoding="utf-8")


def _header(document: Schema) -> str:
    info = document["info"]
    base = document["servers"][0]["url"]
    return (
        f'<header><h1>{info["title"]} <span class="version">{info["version"]}</span></h1>'
        f"{paragraphs(info['description'])}"
        f"<p>Paths are relative to <code>{escape(base)}</code>. The same description for programs:"
        ' <a href="/api/openapi.json">openapi.json</a>. How finplan is used is told in'
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
    optional = "" if body["required"] else " It may be left out."
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
            return f"<details><summary>An answer</summary>{written}</details>"
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
