"""The shapes of errors: one envelope for each fault, with what its data may be, and an example."""

from collections.abc import Mapping

from finplan.daemon.errors import UNDEFINED
from finplan.daemon.surfaces.openapi.shapes import Schema, Shapes
from finplan.model.errors import BadRequest, BankProviderError, Conflict, Fault, NotFound
from finplan.model.question import ImportQuestion
from finplan.model.statement import ImportReport


def error_shape(fault: type[Fault], shapes: Shapes) -> Schema:
    """The envelope of one fault; its code and status are constants."""
    data = _DATA.get(fault, {"type": "object"})
    if fault is BadRequest:
        data = {**data, "properties": {**data["properties"], "report": shapes.of(ImportReport)}}
    if fault is Conflict:
        questions = {
            "type": "array",
            "description": "What the files of an import leave open, all at once.",
            "items": shapes.of(ImportQuestion),
        }
        data = {**data, "properties": {"questions": questions, **data["properties"]}}
    required = ["defined", "code", "status", "message"]
    # Of a bad request's two kinds, the operations define one.
    defined = {} if fault is BadRequest else {"const": fault not in UNDEFINED}
    return {
        "type": "object",
        "description": meaning_of(fault),
        "properties": {
            "defined": {
                "type": "boolean",
                **defined,
                "description": "Whether the code is one of the interface's.",
            },
            "code": {"type": "string", "const": fault.code},
            "status": {"type": "integer", "const": fault.status},
            "message": {"type": "string", "description": "For people: what to do next, too."},
            "data": data,
        },
        "required": [*required, "data"] if fault is BankProviderError else required,
        "additionalProperties": False,
    }


_NEAR = {
    "type": "array",
    "items": {"type": "string"},
    "description": "What is spelt nearly so.",
}
_SEE = {
    "type": "array",
    "items": {"type": "string"},
    "description": "The routes of the commands that the message names.",
}
_DATA: Mapping[type[Fault], Schema] = {
    BadRequest: {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "issues": {
                "type": "array",
                "description": "What does not fit, and where.",
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
        },
    },
    NotFound: {
        "type": "object",
        "additionalProperties": False,
        "properties": {"near": _NEAR, "see": _SEE},
    },
    Conflict: {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "category": {"type": "string", "description": "The category that is in the way."},
            "see": _SEE,
        },
    },
    BankProviderError: {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "provider": {"type": "string", "enum": ["aggregator", "demo"]},
            "code": {
                "type": "string",
                "enum": ["login_required", "rate_limited", "provider_error"],
            },
        },
        "required": ["provider", "code"],
    },
}


def example_of(fault: type[Fault]) -> Schema:
    """What a fault looks like."""
    example = {
        "defined": fault not in (BadRequest, *UNDEFINED),
        "code": fault.code,
        "status": fault.status,
        "message": fault.example,
    }
    if fault is BadRequest:
        example["data"] = {
            "issues": [{"message": "This property is not known here", "path": ["since"]}]
        }
    if fault is BankProviderError:
        example["data"] = {"provider": "aggregator", "code": "login_required"}
    return example


def meaning_of(fault: type[Fault]) -> str:
    """What a fault means, in a sentence."""
    assert fault.__doc__ is not None
    return fault.__doc__.partition("\n")[0]


def shape_name(fault: type[Fault]) -> str:
    """What the shape of a fault's envelope is called."""
    return fault.__name__ if fault.__name__.endswith("Error") else f"{fault.__name__}Error"
