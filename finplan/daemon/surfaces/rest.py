"""REST: each row of the table is a route, under the versioned root and under its alias."""

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from finplan.daemon.middleware.credential import CALLER
from finplan.daemon.surfaces.downloads import send
from finplan.daemon.surfaces.errors import (
    MalformedBody,
    refusal_of,
    repeated_property,
    unknown_property,
)
from finplan.daemon.surfaces.uploads import received
from finplan.model.base import Wire, read_json, read_query, repeatable
from finplan.model.errors import BadRequest, UnsupportedMediaType
from finplan.operation import AnyOperation, Creates, Download, Made, StreamedFile, Upload
from finplan.service.core import Caller, Context

ROOTS = ("/api/v1", "/api")
_ASK_IN_THE_QUERY = ("GET", "DELETE")

Perform = Callable[..., Awaitable[Any]]
Values = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Desk:
    """What stands behind the routes: who performs, in which context, and where uploads wait."""

    perform: Perform
    context_of: Callable[[Caller], Context]
    uploads: Path
    upload_limit: int


def add_routes(router: web.UrlDispatcher, operations: Iterable[AnyOperation], desk: Desk) -> None:
    """Add a route for each row and root; a literal segment wins over a parameter."""
    for operation in sorted(operations, key=_literals_first):
        handler = _handler(operation, desk)
        # Whatever may be read may also be asked for by HEAD.
        methods = ("GET", "HEAD") if operation.method == "GET" else (operation.method,)
        for method, root in product(methods, ROOTS):
            router.add_route(method, root + operation.path, handler)


def _literals_first(operation: AnyOperation) -> list[bool]:
    return [segment.startswith("{") for segment in operation.path.split("/")]


def _handler(operation: AnyOperation, desk: Desk) -> Handler:
    if isinstance(operation.body, Upload):
        return _uploading(operation, desk)
    if isinstance(operation.body, Download):
        return _downloading(operation, desk)
    return _asking(operation, desk)


def _asking(operation: AnyOperation, desk: Desk) -> Handler:
    question_of = _from_query if operation.method in _ASK_IN_THE_QUERY else _from_body

    async def handle(request: web.Request) -> web.StreamResponse:
        ask = await question_of(request, operation)
        context = desk.context_of(request[CALLER])
        return _answer(operation, await desk.perform(context, operation, ask))

    return handle


def _uploading(operation: AnyOperation, desk: Desk) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        _refuse_query(request)
        async with received(request, desk.uploads, desk.upload_limit) as form:
            ask = _read(operation, _with_path(request, operation, form.fields))
            context = desk.context_of(request[CALLER])
            return _answer(operation, await desk.perform(context, operation, ask, form.files))

    return handle


def _downloading(operation: AnyOperation, desk: Desk) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        ask = await _from_query(request, operation)
        file: StreamedFile = await desk.perform(desk.context_of(request[CALLER]), operation, ask)
        return await send(request, file)

    return handle


async def _from_query(request: web.Request, operation: AnyOperation) -> Wire:
    if request.body_exists and await request.read():
        raise BadRequest(f"{request.method} takes its question from the query string, not a body.")
    query = {name: request.query.getall(name) for name in request.query}
    return _read(operation, _with_path(request, operation, query))


async def _from_body(request: web.Request, operation: AnyOperation) -> Wire:
    _refuse_query(request)
    body = await request.read() if request.body_exists else b""
    if body and request.content_type != "application/json":
        raise UnsupportedMediaType("Send the body as JSON, with `Content-Type: application/json`.")
    try:
        ask: Wire = read_json(operation.asks, _with_path_in_json(request, operation, body or b"{}"))
    except ValidationError as error:
        raise refusal_of(error) from error
    return ask


def _read(operation: AnyOperation, values: Values) -> Wire:
    many = repeatable(operation.asks)
    for name, given in values.items():
        if len(given) > 1 and name not in many:
            raise repeated_property(name)
    try:
        ask: Wire = read_query(operation.asks, values)
    except ValidationError as error:
        raise refusal_of(error) from error
    return ask


def _refuse_query(request: web.Request) -> None:
    if request.query:
        raise unknown_property(next(iter(request.query)))


def _with_path(request: web.Request, operation: AnyOperation, values: Values) -> Values:
    if not operation.path_names:
        return values
    _refuse_path_names(operation, values)
    return {**values, **{name: (value,) for name, value in request.match_info.items()}}


def _with_path_in_json(request: web.Request, operation: AnyOperation, body: bytes) -> bytes:
    if not operation.path_names:
        return body
    try:
        content = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise MalformedBody(f"Invalid JSON: {error}") from error
    if not isinstance(content, dict):
        return body
    _refuse_path_names(operation, content)
    return to_json({**content, **request.match_info})


def _refuse_path_names(operation: AnyOperation, given: Container[str]) -> None:
    for name in operation.path_names:
        if name in given:
            raise unknown_property(name)


def _answer(operation: AnyOperation, answer: Any) -> web.Response:
    status = 200
    if isinstance(operation.body, Creates):
        made: Made[Any] = answer
        answer, status = made.answer, 201 if made.new else 200
    content = _writer(operation).dump_json(answer, by_alias=True)
    return web.Response(body=content, status=status, content_type="application/json")


@cache
def _writer(operation: AnyOperation) -> TypeAdapter[Any]:
    return TypeAdapter(operation.answers)
