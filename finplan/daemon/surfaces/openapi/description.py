"""The published description of the interface: OpenAPI 3.1, made from the table and the wire shapes.

An answer leads to the operations that take the ids that it names. What is sent to webhooks is described
beside: the body of each event, and its headers.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.daemon.surfaces.openapi import answers as answering
from finplan.daemon.surfaces.openapi.shapes import Schema, Shapes
from finplan.daemon.surfaces.rest.uploads import FILE_FIELD
from finplan.model.base import Wire
from finplan.model.credential import KEY_SCOPES
from finplan.model.webhook import EVENT_SHAPES
from finplan.operation import Accepts, AnyOperation, Creates, Upload
from finplan.operations.webhook import CREATE_WEBHOOK
from finplan.settings import DEFAULT_UPLOAD_LIMIT


def links_of(row: AnyOperation, rows: Iterable[AnyOperation]) -> dict[str, Schema]:
    """The links of a row's successes, by status; to rows that are not among `rows`, none."""
    if row.links is None:
        return {}
    value = {row.links.parameter: f"$response.body#{row.links.pointer}"}
    present = {each.name: each for each in rows}
    links = {
        name: {
            "operationId": name,
            "parameters": value,
            "description": present[name].summary,
        }
        for name in row.links.to
        if name in present
    }
    if isinstance(row.body, Accepts):
        return {"202": links}
    if not isinstance(row.body, Creates):
        return {"200": links}
    return dict.fromkeys(("200", "201") if row.body.again else ("201",), links)


_WEBHOOK_HEADERS = {
    "webhook-id": "The id of the delivery. Every retry has the same id.",
    "webhook-timestamp": "The time of this attempt, in seconds since the Unix epoch.",
    "webhook-signature": (
        "Signatures made with the secret: `v1,` and the base64 of HMAC-SHA256 over"
        " `<id>.<timestamp>.<body>`. During a rotation, the header has several signatures, separated by"
        " spaces."
    ),
    "Content-Digest": "The SHA-256 of the body (RFC 9530).",
    "Signature-Agent": "The site whose key directory verifies the message signature.",
    "Signature-Input": "The parts that the message signature covers (RFC 9421).",
    "Signature": "The message signature, made with a key from the published directory.",
}


def webhooks_of(rows: Iterable[AnyOperation], shapes: Shapes) -> Schema:
    """Each event with the request that tells of it; none where no webhook can be registered."""
    if CREATE_WEBHOOK not in rows:
        return {}
    described: Schema = {}
    for shape in EVENT_SHAPES:
        (kind,) = get_args(shape.model_fields["type"].annotation)
        told = " ".join((shape.__doc__ or "").split())
        described[kind] = {
            "post": {
                "operationId": f"receive_{kind.replace('.', '_')}",
                "tags": [CREATE_WEBHOOK.family.name],
                "summary": told.partition(";")[0].rstrip("."),
                "description": told,
                # A receiver asks for no credential: the signatures tell who sends it.
                "security": [{}],
                "parameters": [
                    {
                        "name": name,
                        "in": "header",
                        "required": True,
                        "description": about,
                        "schema": {"type": "string"},
                    }
                    for name, about in _WEBHOOK_HEADERS.items()
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": shapes.of(shape)}},
                },
                "responses": {
                    "2XX": {"description": "Delivered."},
                    "410": {
                        "description": (
                            "The receiver wants no more deliveries, so finplan disables the webhook."
                        )
                    },
                    "default": {
                        "description": "finplan retries the delivery: ten attempts in three days."
                    },
                },
            }
        }
    return {"webhooks": described}


INTERFACE_VERSION = "1.0.0"
"""The version of the interface, which is not the product's."""

_INTRODUCTION = """\
Personal finance plans from your own bank data, on your own machine.

Amounts are integers in minor units of the currency. Timestamps are milliseconds since the Unix epoch.
Dates are calendar dates. A balance is the money in an account; on credit and loan accounts it is your
debt. Spending totals are positive when money went out; the amount of a transaction is positive when
money came in.

Every error has the same envelope. `code` is stable, `message` is for people, and `defined` is true if
this interface documents the code. To make sure that a change happens only once, send an
`Idempotency-Key` with the request. Within 24 hours, the same request with the same key gets the same
answer. If another credential of the same person sends the request again, the answer is 409."""


_UPLOAD_LIMIT = (
    f"The files of a request can have {DEFAULT_UPLOAD_LIMIT // 2**20} MB in total, uncompressed."
    " A larger upload gets a 413. The daemon's setting `upload_limit` changes this limit."
)


def describe(rows: Iterable[AnyOperation], site_url: str) -> bytes:
    """The description of some rows as a daemon at `site_url` serves it."""
    return json.dumps(document(rows, site_url), ensure_ascii=False, separators=(",", ":")).encode()


def document(rows: Iterable[AnyOperation], site_url: str) -> Schema:
    """The description as an object."""
    rows = tuple(rows)
    shapes = Shapes(rows)
    paths: dict[str, Schema] = {}
    for row in rows:
        paths.setdefault(row.path, {})[row.method.lower()] = _operation(row, rows, shapes)
    shared = answering.refusals(rows, shapes)
    webhooks = webhooks_of(rows, shapes)
    families = dict.fromkeys(row.family for row in rows)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "finplan",
            "version": INTERFACE_VERSION,
            "summary": "A local-first personal finance planner.",
            "description": _INTRODUCTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": site_url + API_ROOT, "description": "This daemon."}],
        "externalDocs": {
            "url": f"{site_url}/api/docs",
            "description": "The same description for people.",
        },
        "tags": [{"name": each.name, "description": each.about} for each in families],
        "paths": paths,
        **webhooks,
        "components": {
            "schemas": dict(sorted(shapes.components.items())),
            "responses": shared,
            "parameters": _SHARED_PARAMETERS,
            "headers": answering.header_components(),
            "securitySchemes": _security_schemes(site_url),
        },
    }


@cache
def examples() -> Mapping[str, Any]:
    """What was asked and answered about the demo household, by the row's name."""
    content: Mapping[str, Any] = json.loads(
        Path(__file__).with_name("examples.json").read_text(encoding="utf-8")
    )
    return content


def _operation(row: AnyOperation, rows: tuple[AnyOperation, ...], shapes: Shapes) -> Schema:
    example = examples().get(row.name, {})
    answers = answering.answers_of(row, shapes, example.get("answer"))
    for status, links in links_of(row, rows).items():
        answers[status] = {**answers[status], "links": links}
    described: Schema = {
        "operationId": row.name,
        "tags": [row.family.name],
        "summary": row.summary.rstrip("."),
        "description": _description(row),
        "security": _security(row),
        "parameters": _parameters(row, shapes, example),
        "responses": answers,
    }
    if row.method in ("POST", "PUT", "PATCH"):
        described["requestBody"] = _body(row, shapes, example.get("body"))
    return described


def _description(row: AnyOperation) -> str:
    """What is asked and what is answered, as the shapes tell it, and the scope that it takes."""
    parts = []
    # The name of a thing tells nothing that the path does not.
    if row.other_names:
        parts.append(f"Input: {_docstring(row.asks)}")
    if isinstance(row.body, Upload):
        parts.append(_UPLOAD_LIMIT)
    (answer,) = get_args(row.answers)[:1] or (row.answers,)
    if isinstance(answer, type) and issubclass(answer, Wire) and answer.model_fields:
        parts.append(f"Answer: {_docstring(answer)}")
    scope = (
        "a first-party session" if row.scope == "session" else f"the scope `service:{row.scope}`"
    )
    return "\n\n".join([*parts, f"Needs {scope}."])


def _docstring(shape: type[Wire]) -> str:
    return " ".join((shape.__doc__ or "").split())


def _security(row: AnyOperation) -> list[Schema]:
    if row.scope == "session":
        return [{"session": []}]
    return [{"apiKey": []}, {"oauth": [f"service:{row.scope}"]}, {"session": []}]


def _parameters(row: AnyOperation, shapes: Shapes, example: Mapping[str, Any]) -> list[Schema]:
    question = shapes.question(row)
    required = question.get("required", ())
    parameters: list[Schema] = []
    for name in question["properties"]:
        inside = name in row.path_names
        if not inside and row.method not in ("GET", "DELETE"):
            continue
        schema = shapes.parameter(row, name)
        parameter: Schema = {
            "name": name,
            "in": "path" if inside else "query",
            "required": name in required,
            # A field's description is said of the parameter, and not again of its values.
            "description": schema.pop("description", ""),
            "schema": schema,
        }
        if name in example.get("parameters", {}):
            parameter["example"] = example["parameters"][name]
        parameters.append(parameter)
    if answering.takes_a_key(row):
        parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
    if answering.is_tagged(row):
        parameters.append({"$ref": "#/components/parameters/IfNoneMatch"})
    return parameters


def _body(row: AnyOperation, shapes: Shapes, example: object) -> Schema:
    if isinstance(row.body, Upload):
        return {
            "required": True,
            "content": {"multipart/form-data": {"schema": _form(row, shapes)}},
        }
    body = shapes.body(row)
    content: Schema = {"schema": body}
    if example is not None:
        content["example"] = example
    asked = shapes.resolved(body)
    wanted = not {"required", "if", "minProperties"}.isdisjoint(asked)
    return {"required": wanted, "content": {answering.JSON: content}}


def _form(row: AnyOperation, shapes: Shapes) -> Schema:
    """A form with files; its other values are text, as a form's are."""
    name = f"{row.asks.__name__}Form"
    question = shapes.question(row)
    files = {
        "type": "array",
        "items": {"type": "string", "format": "binary"},
        "minItems": 1,
        "description": "The files, each as a part with its file name.",
    }
    return shapes.publish(
        name,
        {
            "type": "object",
            "description": question["description"],
            "properties": {
                FILE_FIELD: files,
                **{each: shapes.parameter(row, each) for each in question["properties"]},
            },
            "required": [FILE_FIELD],
            "additionalProperties": False,
        },
    )


_SHARED_PARAMETERS: Mapping[str, Schema] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        # An example would be copied, and the second request under it refused with 422.
        "description": "A new value for each request, such as a UUID. Within 24 hours, a request with"
        " the same key is never carried out twice.",
        "schema": {
            "type": "string",
            "minLength": 1,
            "maxLength": 255,
            "pattern": "^[!-~]([ -~]*[!-~])?$",
        },
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The `ETag` of an earlier answer; the reply is 304 if nothing has changed.",
        "schema": {"type": "string"},
    },
}


def _security_schemes(site_url: str) -> Schema:
    return {
        "apiKey": {
            "type": "apiKey",
            "in": "header",
            "name": "x-api-key",
            "description": (
                "Your API key. `finplan keys create NAME` creates a key and shows it only once."
            ),
        },
        "oauth": {
            "type": "oauth2",
            "description": "OAuth 2.1 with PKCE, sent as `Authorization: Bearer …`.",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": f"{site_url}/auth/oauth2/authorize",
                    "tokenUrl": f"{site_url}/auth/oauth2/token",
                    "refreshUrl": f"{site_url}/auth/oauth2/token",
                    "scopes": dict(KEY_SCOPES),
                }
            },
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": SESSION_COOKIE,
            "description": "The session of a browser or of the command line. Only a session can manage"
            " credentials.",
        },
    }
