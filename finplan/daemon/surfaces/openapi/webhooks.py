"""What is sent to webhooks, as the description tells it: the body of each event, and its headers."""

from collections.abc import Iterable
from typing import get_args

from finplan.daemon.surfaces.openapi.shapes import Schema, Shapes
from finplan.model.automation.webhook import EVENT_SHAPES
from finplan.operation import AnyOperation
from finplan.operations.webhook import CREATE_WEBHOOK

_HEADERS = {
    "webhook-id": "Which delivery it is; the same whenever it is tried again.",
    "webhook-timestamp": "When this attempt is made, in seconds since the Unix epoch.",
    "webhook-signature": "Signatures with the secret: `v1,` and base64 of HMAC-SHA256 over"
    " `<id>.<timestamp>.<body>`; several with spaces between while the secret is changed.",
    "Content-Digest": "The SHA-256 of the body (RFC 9530).",
    "Signature-Agent": "Whose directory of keys the message signature verifies by.",
    "Signature-Input": "What the message signature covers (RFC 9421).",
    "Signature": "The message signature, with a key of the published directory.",
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
                "parameters": [_header(name, about) for name, about in _HEADERS.items()],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": shapes.of(shape)}},
                },
                "responses": {
                    "2XX": {"description": "It has arrived."},
                    "410": {"description": "Nothing more is wanted: the webhook is disabled."},
                    "default": {"description": "It is tried again, ten times in three days."},
                },
            }
        }
    return {"webhooks": described}


def _header(name: str, about: str) -> Schema:
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": about,
        "schema": {"type": "string"},
    }
