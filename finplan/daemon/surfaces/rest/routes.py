"""REST: each row of the table is a route, under each root that its version has.

An old version of the interface leads to its own rows, and says on every answer that it ends.
"""

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache, partial
from itertools import chain, product
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from finplan.banks.answer import count_values
from finplan.daemon import errors as refusals
from finplan.daemon.middleware import CALLER, LOOK_AGAIN
from finplan.daemon.startup import LateSealer
from finplan.daemon.surfaces import negotiation
from finplan.daemon.surfaces.rest import answers as row_answers
from finplan.daemon.surfaces.rest.idempotency import Reply, fingerprint_of, key_of, once
from finplan.daemon.surfaces.rest.uploads import received
from finplan.model.base import Wire, read_json, read_query, repeatable
from finplan.model.characters import escaped
from finplan.model.errors import BadRequest, UnsupportedMediaType
from finplan.operation import (
    Accepts,
    AnyOperation,
    Creates,
    Derived,
    Download,
    EventStream,
    Made,
    StreamedFile,
    Streams,
    Upload,
    UploadedFile,
)
from finplan.service.context import Caller, Context
from finplan.service.derived.books import state_of_caller
from finplan.service.dispatch import check_scope, must_be_whole
from finplan.store.derived import State
from finplan.store.queries.replies import KeyedRequest

CURRENT_VERSION = "v1"
ALIAS = "/api"
"""The root without a version, which is always the current one."""

SHORTEST_NOTICE = timedelta(days=183)
"""How long an old version goes on at least after it is deprecated: six months of any length."""


@dataclass(frozen=True, slots=True)
class FormerVersion:
    """A version that a newer one has replaced: its rows are served until `sunset`.

    `guide` is the path of the page that tells how to move on. Both instants have a time zone.
    """

    name: str
    operations: tuple[AnyOperation, ...]
    deprecated: datetime
    sunset: datetime
    guide: str

    def __post_init__(self) -> None:
        if self.sunset - self.deprecated < SHORTEST_NOTICE:
            raise ValueError(
                f"The version {self.name} needs at least {SHORTEST_NOTICE.days} days' notice."
            )

    def add_notice(self, response: web.StreamResponse, site_url: str) -> None:
        """Say on an answer that the version ends: RFC 9745, RFC 8594, and a link to the guide."""
        response.headers["Deprecation"] = f"@{int(self.deprecated.timestamp())}"
        response.headers["Sunset"] = format_datetime(self.sunset.astimezone(UTC), usegmt=True)
        response.headers.add(
            "Link", f'<{site_url}{self.guide}>; rel="deprecation"; type="text/html"'
        )


def root_of(version: str) -> str:
    """Where a version's paths begin."""
    return f"/api/{version}"


@dataclass(frozen=True, slots=True)
class Notices:
    """The notices of every former version."""

    site_url: str
    former: tuple[FormerVersion, ...]

    async def tell(self, request: web.Request, response: web.StreamResponse) -> None:
        """The signal by which each answer under an old root says so, whatever the answer is."""
        for version in self.former:
            root = root_of(version.name)
            if request.path == root or request.path.startswith(f"{root}/"):
                version.add_notice(response, self.site_url)


_ASK_IN_THE_QUERY = ("GET", "DELETE")
_READ_CODINGS = ("identity", "gzip", "deflate")

Perform = Callable[..., Awaitable[Any]]
Values = Mapping[str, Sequence[str]]
Files = tuple[UploadedFile, ...]


@dataclass(frozen=True, slots=True)
class Desk:
    """What stands behind the routes: who performs, for whom, where uploads wait, and what is kept."""

    perform: Perform
    context_of: Callable[[Caller], Context]
    uploads: Path
    upload_limit: int
    answers: row_answers.AnswerCache
    sealer: LateSealer


def add_routes(
    router: web.UrlDispatcher,
    operations: Iterable[AnyOperation],
    roots: Sequence[str],
    desk: Desk,
) -> None:
    """Add a route for each path and root; a literal segment wins over a parameter."""
    by_path: dict[str, list[AnyOperation]] = {}
    in_order = sorted(operations, key=lambda row: [s[:1] == "{" for s in row.path.split("/")])
    for operation in in_order:
        by_path.setdefault(operation.path, []).append(operation)
    answering = {path: _by_method(rows, desk) for path, rows in by_path.items()}
    for (path, handler), root in product(answering.items(), roots):
        # For all methods: one that a literal path does not take would be asked of a parameter's.
        router.add_route("*", root + path, handler)


def build_shapes(operations: Iterable[AnyOperation]) -> None:
    """Build what checks the shapes of changes, for which a daemon's first one would wait.

    Answers that are lists, or one of several shapes, are built when they are first made.
    """
    changes = (operation for operation in operations if operation.method != "GET")
    for shape in chain.from_iterable((change.asks, change.answers) for change in changes):
        if isinstance(shape, type) and issubclass(shape, Wire):
            shape.model_rebuild()


def _by_method(rows: Sequence[AnyOperation], desk: Desk) -> Handler:
    """Who answers on a path: of its rows the one of the method."""
    handlers: dict[str, Handler] = {row.method: _handler(row, desk) for row in rows}
    if "GET" in handlers:
        # Whatever may be read may also be asked for by HEAD.
        handlers["HEAD"] = handlers["GET"]
    methods = frozenset(handlers)
    looked_at = (
        frozenset({"GET", "HEAD"}) if any(map(row_answers.is_drawn, rows)) else frozenset[str]()
    )

    async def handle(request: web.Request) -> web.StreamResponse:
        if request.method not in handlers:
            raise web.HTTPMethodNotAllowed(request.method, methods)
        return await handlers[request.method](request)

    return negotiation.drawn(handle, looked_at)


def _handler(operation: AnyOperation, desk: Desk) -> Handler:
    answering = _ANSWERING.get(type(operation.body), _asking)
    answer = answering(operation, desk)

    async def handle(request: web.Request) -> web.StreamResponse:
        # Who may not ask is told so before anything is said, or taken in, of the question.
        caller = request[CALLER]
        check_scope(caller, operation)
        must_be_whole(desk.context_of(caller).store, operation)
        return await answer(request)

    return handle


def _asking(operation: AnyOperation, desk: Desk) -> Handler:
    question_of = _from_query if operation.method in _ASK_IN_THE_QUERY else _from_body

    async def handle(request: web.Request) -> web.StreamResponse:
        key = None if operation.method == "GET" else key_of(request)
        ask = await question_of(request, operation)
        return await _performed(request, operation, desk, key, ask)

    return handle


def _deriving(operation: AnyOperation, desk: Desk) -> Handler:
    drawn, answers = row_answers.is_drawn(operation), desk.answers

    async def handle(request: web.Request) -> web.StreamResponse:
        ask = await _from_query(request, operation)
        context = desk.context_of(request[CALLER])
        page = drawn and negotiation.wants_page(request)
        notice = context.store.notice if page else None

        async def make(state: State) -> bytes:
            if page:
                shown = await desk.perform(context, operation, ask, drawn=True)
                return await row_answers.draw_page(
                    desk.perform, context, shown, state.today, notice
                )
            return encoded(operation, await desk.perform(context, operation, ask))

        caller = context.caller
        asked = row_answers.AskedAnswer(caller.kind, caller.scopes, operation, ask, page, notice)
        state, answer = await answers.answer(asked, partial(state_of_caller, context), make)
        return await _send_tagged(request, answers, asked, state, answer)

    return handle


def _uploading(operation: AnyOperation, desk: Desk) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        key = key_of(request)
        _refuse_query(request)
        async with received(request, desk.uploads, desk.upload_limit) as form:
            await _look_again(request)
            ask = _read(operation, _with_path(request, operation, form.fields))
            return await _performed(request, operation, desk, key, ask, form.files)

    return handle


async def _performed(
    request: web.Request,
    operation: AnyOperation,
    desk: Desk,
    key: str | None,
    ask: Wire,
    *files: Files,
) -> web.Response:
    """The answer to a question; the kept one when it came before with the same key."""
    context = desk.context_of(request[CALLER])
    if key is None:
        return await _send(
            request, _reply(operation, await desk.perform(context, operation, ask, *files))
        )
    path = operation.path.format(
        **{name: quote(value, safe="") for name, value in request.match_info.items()}
    )
    fingerprint = await fingerprint_of(ask, *files)
    reply = await once(
        request,
        context,
        await desk.sealer(),
        KeyedRequest(context.caller.owner, operation.method, path, key, fingerprint),
        lambda keeping: desk.perform(keeping, operation, ask, *files),
        partial(_reply, operation),
    )
    return await _send(request, reply)


def _downloading(operation: AnyOperation, desk: Desk) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        ask = await _from_query(request, operation)
        file: StreamedFile = await desk.perform(desk.context_of(request[CALLER]), operation, ask)
        return await row_answers.send_download(request, file)

    return handle


def _streaming(operation: AnyOperation, desk: Desk) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        # What a stream tells is not replayed; the work behind it is joined by whoever asks again.
        key_of(request)
        ask = await _from_body(request, operation)
        stream: EventStream = await desk.perform(desk.context_of(request[CALLER]), operation, ask)
        return await row_answers.send_events(request, stream)

    return handle


_ANSWERING: Mapping[type, Callable[[AnyOperation, Desk], Handler]] = {
    Upload: _uploading,
    Download: _downloading,
    Derived: _deriving,
    Streams: _streaming,
}
"""How a row with a body of a kind is answered; `_asking` answers any other."""


async def _from_query(request: web.Request, operation: AnyOperation) -> Wire:
    # The first bytes tell; whatever comes after them is not waited for.
    if request.body_exists and await request.content.readany():
        raise BadRequest(
            f"Send the input of a {request.method} request in the query string, not in a body."
        )
    query = {name: request.query.getall(name) for name in request.query}
    return _read(operation, _with_path(request, operation, query))


MOST_VALUES = 20_000
"""Of a body of JSON: the largest batch has 100 rules of four values each."""


async def _from_body(request: web.Request, operation: AnyOperation) -> Wire:
    _refuse_query(request)
    body = await request.read() if request.body_exists else b""
    if body:
        await _look_again(request)
    if body and request.content_type != "application/json":
        raise UnsupportedMediaType("Send the body as JSON, with `Content-Type: application/json`.")
    if body and request.headers.get("Content-Encoding", "identity").lower() not in _READ_CODINGS:
        raise refusals.UnreadCoding
    if count_values(body) > MOST_VALUES:
        raise refusals.MalformedBody(
            f"The JSON body has more than {MOST_VALUES:,} values. Split it into several requests."
        )
    try:
        ask: Wire = read_json(operation.asks, _with_path_in_json(request, operation, body or b"{}"))
    except ValidationError as error:
        raise refusals.refusal_of(error) from error
    return ask


async def _look_again(request: web.Request) -> None:
    """Refuse whose credential has ended while the body came, however slowly that was sent."""
    request[CALLER] = await request[LOOK_AGAIN](request)


def _read(operation: AnyOperation, values: Values) -> Wire:
    many = repeatable(operation.asks)
    for name, given in values.items():
        if len(given) > 1 and name not in many:
            raise refusals.repeated_property(name)
    try:
        ask: Wire = read_query(operation.asks, values)
    except ValidationError as error:
        raise refusals.refusal_of(error) from error
    return ask


def _refuse_query(request: web.Request) -> None:
    if request.query:
        raise refusals.unknown_property(next(iter(request.query)))


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
        raise refusals.MalformedBody(f"Invalid JSON: {error}") from error
    if not isinstance(content, dict):
        return body
    _refuse_path_names(operation, content)
    return to_json({**content, **request.match_info})


def _refuse_path_names(operation: AnyOperation, given: Container[str]) -> None:
    for name in operation.path_names:
        if name in given:
            raise refusals.unknown_property(name)


def _reply(operation: AnyOperation, answer: Any) -> Reply:
    status = 200
    if isinstance(operation.body, Creates):
        made: Made[Any] = answer
        answer, status = made.answer, 201 if made.new else 200
    body = encoded(operation, answer)
    if isinstance(operation.body, Accepts):
        at = root_of(CURRENT_VERSION) + operation.body.at.format_map(answer.model_dump())
        return Reply(
            202,
            body,
            {hdrs.CONTENT_TYPE: "application/json", hdrs.LOCATION: at, hdrs.RETRY_AFTER: "1"},
        )
    return Reply(status, body)


async def _send(request: web.Request, reply: Reply) -> web.Response:
    packed = negotiation.is_packed_for(request, reply.body)
    content = await negotiation.pack(reply.body) if packed else reply.body
    response = _json_response(content, reply.status, packed=packed)
    response.headers.update(reply.headers)
    return response


async def _send_tagged(
    request: web.Request,
    answers: row_answers.AnswerCache,
    asked: row_answers.AskedAnswer,
    state: State,
    answer: row_answers.EncodedAnswer,
) -> web.Response:
    if negotiation.has_already(request, answer.tag):
        response = web.Response(status=304)
        response.headers["Vary"] = "Accept-Encoding"
    elif negotiation.is_packed_for(request, answer.content):
        response = _json_response(await answers.packed(asked, state, answer), packed=True)
    else:
        response = _json_response(answer.content)
    response.headers["ETag"] = negotiation.weak(answer.tag)
    # A browser may keep it, but has to ask each time whether it still holds.
    response.headers["Cache-Control"] = "private, no-cache"
    if row_answers.is_drawn(asked.operation):
        response.headers["Vary"] = "Accept, Accept-Encoding"
    if asked.page:
        response.headers.update(row_answers.page_headers())
        if response.status != 304:
            response.headers["Content-Type"] = row_answers.PAGE_CONTENT_TYPE
    return response


def _json_response(content: bytes, status: int = 200, *, packed: bool = False) -> web.Response:
    response = web.Response(body=content, status=status, content_type="application/json")
    response.headers["Vary"] = "Accept-Encoding"
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


def encoded(operation: AnyOperation, answer: Any) -> bytes:
    """A row's answer as it is sent."""
    return escaped(_writer(operation).dump_json(answer, by_alias=True))


@cache
def _writer(operation: AnyOperation) -> TypeAdapter[Any]:
    return TypeAdapter(operation.answers)
