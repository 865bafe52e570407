"""What an operation may answer: its successes, and each refusal with its code, data and headers.

The shapes of errors are one envelope for each fault, with what its data may be, and an example.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from finplan.daemon.errors import HTTP_FAULTS, UNDEFINED, InternalServerError
from finplan.daemon.surfaces.openapi.shapes import Schema, Shapes
from finplan.daemon.surfaces.rest.answers import is_drawn
from finplan.model import errors
from finplan.model.base import Wire
from finplan.model.installation import STORE_DAMAGED
from finplan.model.statement import ImportQuestion, ImportReport
from finplan.operation import Accepts, AnyOperation, Creates, Derived, Download, Streams, Upload


def error_shape(fault: type[errors.Fault], shapes: Shapes) -> Schema:
    """The envelope of one fault; its code and status are constants."""
    data = _DATA_OF_FAULTS.get(fault, {"type": "object"})
    if fault is errors.BadRequest:
        data = {**data, "properties": {**data["properties"], "report": shapes.of(ImportReport)}}
    if fault is errors.Conflict:
        questions = {
            "type": "array",
            "description": "All questions about an import.",
            "items": shapes.of(ImportQuestion),
        }
        data = {**data, "properties": {"questions": questions, **data["properties"]}}
    required = ["defined", "code", "status", "message"]
    # Of a bad request's two kinds, the operations define one.
    defined = {} if fault is errors.BadRequest else {"const": fault not in UNDEFINED}
    return {
        "type": "object",
        "description": meaning_of_fault(fault),
        "properties": {
            "defined": {
                "type": "boolean",
                **defined,
                "description": "Whether this interface documents the code.",
            },
            "code": {"type": "string", "const": fault.code},
            "status": {"type": "integer", "const": fault.status},
            "message": {
                "type": "string",
                "description": "For people: the problem, and what to do next.",
            },
            "data": data,
        },
        "required": [*required, "data"] if fault is errors.BankProviderError else required,
        "additionalProperties": False,
    }


def _texts(description: str) -> Schema:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _object(properties: Schema, **more: Any) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": properties, **more}


_NEAR = _texts("Similar names.")
_SEE = _texts("The routes that do the same as the commands in the message.")
_DATA_OF_FAULTS: Mapping[type[errors.Fault], Schema] = {
    errors.BadRequest: _object(
        {
            "issues": {
                "type": "array",
                "description": "Each problem, and where it is.",
                "items": {
                    "type": "object",
                    "properties": {
                        "message": {"type": "string"},
                        "path": {
                            "type": "array",
                            "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                        },
                    },
                    "required": ["message", "path"],
                    "additionalProperties": False,
                },
            },
            "near": _NEAR,
            "see": _SEE,
        }
    ),
    errors.NotFound: _object({"near": _NEAR, "see": _SEE}),
    errors.Conflict: _object(
        {
            "category": {"type": "string", "description": "The conflicting category."},
            "see": _SEE,
        }
    ),
    errors.BankProviderError: _object(
        {
            "provider": {"type": "string", "enum": ["aggregator", "demo"]},
            "code": {
                "type": "string",
                "enum": ["login_required", "rate_limited", "provider_error"],
            },
        },
        required=["provider", "code"],
    ),
}


def example_of_fault(fault: type[errors.Fault]) -> Schema:
    """What a fault looks like."""
    example = {
        "defined": fault not in (errors.BadRequest, *UNDEFINED),
        "code": fault.code,
        "status": fault.status,
        "message": fault.example,
    }
    if fault is errors.BadRequest:
        example["data"] = {
            "issues": [{"message": "This property is not known here", "path": ["since"]}]
        }
    if fault is errors.BankProviderError:
        example["data"] = {"provider": "aggregator", "code": "login_required"}
    return example


def meaning_of_fault(fault: type[errors.Fault]) -> str:
    """What a fault means, in a sentence."""
    assert fault.__doc__ is not None
    return fault.__doc__.partition("\n")[0]


def name_of_error_shape(fault: type[errors.Fault]) -> str:
    """What the shape of a fault's envelope is called."""
    return fault.__name__ if fault.__name__.endswith("Error") else f"{fault.__name__}Error"


JSON = "application/json"
PAGE = "text/html"

_ALWAYS = (
    *(
        errors.BadRequest,
        errors.Unauthorized,
        errors.Forbidden,
        errors.MisdirectedRequest,
        errors.TooManyRequests,
    ),
    # By their Content-Encoding, requests are refused before anybody knows whether they have a body.
    errors.UnsupportedMediaType,
    *HTTP_FAULTS,
)

HEADERS: Mapping[str, tuple[str, Schema]] = {
    "RateLimit-Limit": (
        "How many requests a minute this credential can send.",
        {"type": "integer"},
    ),
    "RateLimit-Remaining": ("How many requests remain in this window.", {"type": "integer"}),
    "RateLimit-Reset": ("Seconds until the next window.", {"type": "integer"}),
    "Finplan-Version": ("The daemon's version.", {"type": "string"}),
    "Finplan-Notice": (
        "A notice to show the person. `store_damaged`: the store is damaged, and changes are refused.",
        {"type": "string", "enum": [STORE_DAMAGED]},
    ),
    "Retry-After": ("Seconds to wait before trying again.", {"type": "integer"}),
    "ETag": ("The version of this answer, for `If-None-Match`.", {"type": "string"}),
    "WWW-Authenticate": (
        "The address of the protected resource metadata (RFC 9728).",
        {"type": "string"},
    ),
    "Content-Disposition": ("The file's name.", {"type": "string"}),
    "Location": ("The address of the result.", {"type": "string", "format": "uri-reference"}),
    "Idempotent-Replayed": (
        "`true` if this is the saved answer to an earlier request with the same key.",
        {"type": "string", "enum": ["true"]},
    ),
}
_MORE_HEADERS: Mapping[type[errors.Fault], tuple[str, ...]] = {
    errors.Unauthorized: ("WWW-Authenticate",),
    errors.Conflict: ("Retry-After",),
    errors.TooManyRequests: ("Retry-After",),
}
_ON_EVERY = (
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Finplan-Version",
    "Finplan-Notice",
)


def faults_of(row: AnyOperation) -> tuple[type[errors.Fault], ...]:
    """Every fault that a request to a row may meet, by status; besides, any may stumble with 500."""
    met: set[type[errors.Fault]] = {*_ALWAYS, *row.faults}
    if row.method in ("POST", "PUT", "PATCH"):
        met.add(errors.PayloadTooLarge)
    if row.method != "GET":
        met.add(errors.StorageFull)
    if takes_a_key(row):
        # A request with the same key may be running, and its reply is sealed.
        met |= {errors.Conflict, errors.SecretsUnreachable}
        if isinstance(row.body, Upload) or row.other_names:
            # Only where something can be asked can a key stand for another question.
            met.add(errors.UnprocessableContent)
    return tuple(sorted(met, key=_by_status))


def _by_status(fault: type[errors.Fault]) -> tuple[int, str]:
    return fault.status, fault.code


def answers_of(row: AnyOperation, shapes: Shapes, example: object) -> dict[str, Schema]:
    """The answers of an operation by status, the refusals as references to `refusals`."""
    answers = dict(_successes(row, shapes, example))
    faults = faults_of(row)
    for fault in faults:
        if fault.status != 500:
            answers[str(fault.status)] = {"$ref": f"#/components/responses/{fault.__name__}"}
    answers["500"] = _stumbling([fault for fault in faults if fault.status == 500])
    return dict(sorted(answers.items()))


def refusals(rows: Iterable[AnyOperation], shapes: Shapes) -> dict[str, Schema]:
    """The answers that several operations share; publishes the shapes of all their errors."""
    shared: dict[str, Schema] = {}
    for fault in sorted({fault for row in rows for fault in faults_of(row)}, key=_by_status):
        schema = shapes.publish(name_of_error_shape(fault), error_shape(fault, shapes))
        if fault.status != 500:
            shared[fault.__name__] = _refusal(fault, schema)
    stumbled = InternalServerError
    schema = shapes.publish(name_of_error_shape(stumbled), error_shape(stumbled, shapes))
    shared[stumbled.__name__] = {
        **_refusal(stumbled, schema),
        "description": "An unexpected failure. See the daemon's log.",
    }
    return shared


def header_components() -> dict[str, Schema]:
    """Every header that an answer may carry."""
    return {
        name: {"description": description, "schema": schema}
        for name, (description, schema) in HEADERS.items()
    }


def takes_a_key(row: AnyOperation) -> bool:
    """Whether an Idempotency-Key makes a request take effect once; what a stream tells is not kept."""
    return row.method != "GET" and not isinstance(row.body, Streams)


def is_tagged(row: AnyOperation) -> bool:
    """Whether the answer has an ETag, and 304 is said to who holds it already."""
    return isinstance(row.body, Derived)


def _successes(row: AnyOperation, shapes: Shapes, example: object) -> Iterator[tuple[str, Schema]]:
    if isinstance(row.body, Streams):
        yield "200", _events(row, row.body, shapes)
        return
    if isinstance(row.body, Download):
        text = {"schema": {"type": "string"}}
        yield (
            "200",
            {
                "description": f"{row.summary} Sent in chunks.",
                "headers": _headers("Content-Disposition"),
                "content": {
                    media_type: {"schema": {}} if media_type == JSON else text
                    for media_type in row.body.media_types
                },
            },
        )
        return
    content: dict[str, Any] = {"schema": shapes.answer(row)}
    if example is not None:
        content["example"] = example
    more = ["ETag"] if is_tagged(row) else []
    if takes_a_key(row):
        more.append("Idempotent-Replayed")
    answer: Schema = {
        "description": row.summary,
        "headers": _headers(*more),
        "content": {JSON: content},
    }
    if is_drawn(row):
        answer["content"][PAGE] = {"schema": {"type": "string"}}
    if isinstance(row.body, Creates):
        yield "201", {**answer, "description": f"{row.summary} Created."}
        if row.body.again:
            yield "200", {**answer, "description": f"{row.summary} Already existed."}
        return
    if isinstance(row.body, Accepts):
        headers = _headers(*more, "Location", "Retry-After")
        yield (
            "202",
            {**answer, "description": f"{row.summary} Started.", "headers": headers},
        )
        return
    yield "200", answer
    if is_tagged(row):
        yield (
            "304",
            {
                "description": "Not modified since the `ETag` in `If-None-Match`.",
                "headers": _headers("ETag"),
            },
        )


def _events(row: AnyOperation, body: Streams, shapes: Shapes) -> Schema:
    """The shape of each event; its data are text, and in it JSON of another shape."""
    carried: Mapping[str, type[Wire]] = {
        "message": row.answers,
        "done": body.done,
        "error": errors.ErrorEnvelope,
    }
    events = [
        {
            "type": "object",
            "properties": {
                "event": {"type": "string", "const": name},
                "data": {
                    "type": "string",
                    "contentMediaType": JSON,
                    "contentSchema": shapes.of(shape),
                },
            },
            "required": ["event", "data"],
            "additionalProperties": False,
        }
        for name, shape in carried.items()
    ]
    event = shapes.publish(
        f"{row.answers.__name__}Event",
        {
            "description": "`message` reports progress; the last event is `done` or `error`.",
            "oneOf": events,
        },
    )
    return {
        "description": f"{row.summary} Each event has this shape.",
        "headers": _headers(),
        "content": {"text/event-stream": {"schema": event}},
    }


def _stumbling(faults: list[type[errors.Fault]]) -> Schema:
    if not faults:
        return {"$ref": "#/components/responses/InternalServerError"}
    possible: list[type[errors.Fault]] = [*faults, InternalServerError]
    references = [f"#/components/schemas/{name_of_error_shape(fault)}" for fault in possible]
    codes = [fault.code for fault in possible]
    return {
        "description": " ".join([*map(meaning_of_fault, faults), "Or an unexpected failure."]),
        "headers": _headers(),
        "content": {
            JSON: {
                "schema": {
                    "oneOf": [{"$ref": reference} for reference in references],
                    "discriminator": {
                        "propertyName": "code",
                        "mapping": dict(zip(codes, references, strict=True)),
                    },
                },
                "examples": {fault.code: {"value": example_of_fault(fault)} for fault in possible},
            }
        },
    }


def _refusal(fault: type[errors.Fault], schema: Schema) -> Schema:
    more = _MORE_HEADERS.get(fault, ())
    return {
        "description": meaning_of_fault(fault),
        "headers": _headers(*more),
        "content": {JSON: {"schema": schema, "example": example_of_fault(fault)}},
    }


def _headers(*more: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*_ON_EVERY, *more)}
