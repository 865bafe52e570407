"""One builder of requests: a row of the table and a question become a method, a path and a body."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pydantic_core import PydanticSerializationError, to_json

from finplan.client.failures import CallFailed
from finplan.model.base import Wire
from finplan.operation import AnyOperation, Upload

API_ROOT = "/api/v1"
SESSION_COOKIE = "finplan_session"
VERSION_HEADER = "finplan-version"
_IN_THE_QUERY = ("GET", "DELETE")
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What travels; `body` is JSON, `form` the fields of a multipart form, at most one is there."""

    method: str
    path: str
    query: Pairs = ()
    body: bytes | None = None
    form: Pairs | None = None


def build(operation: AnyOperation, ask: Wire) -> Request:
    """Build the request that asks `ask` of a row; only what was set in the question travels.

    Raises CallFailed for what no request can carry.
    """
    content = ask.model_dump(mode="json", by_alias=True, exclude_unset=True)
    _refuse_bytes_of_no_text(content)
    path = API_ROOT + operation.path.format(
        **{name: _segment(operation, content.pop(name)) for name in operation.path_names}
    )
    if isinstance(operation.body, Upload):
        return Request(operation.method, path, form=tuple(_pairs(content)))
    if operation.method in _IN_THE_QUERY:
        return Request(operation.method, path, query=tuple(_pairs(content)))
    return Request(operation.method, path, body=to_json(content))


def _refuse_bytes_of_no_text(content: dict[str, Any]) -> None:
    # What was typed in another encoding than the terminal's arrives as halves of surrogates.
    for name, value in content.items():
        try:
            to_json(value)
        except PydanticSerializationError:
            fault = f"{name} is not valid UTF-8. Type it again."
            raise CallFailed(400, "BAD_REQUEST", fault) from None


def _segment(operation: AnyOperation, value: str) -> str:
    # An empty segment and dots change which path is meant, however they are escaped.
    if value in ("", ".", ".."):
        raise CallFailed(404, "NOT_FOUND", f"{value!r} is not an id. {operation.summary}")
    return quote(value, safe="")


def _pairs(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in content.items():
        for element in value if isinstance(value, list) else (value,):
            if element is not None:
                yield name, _text(element)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
