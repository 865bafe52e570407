"""Calls of tools that are answered in one piece, past the SDK's bridge of streams and sessions.

Such a call of the newer era stands alone. It passes the SDK's own checks; where one fails, it is the
SDK's to say what is wrong, so nothing is refused here.
"""

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from aiohttp import hdrs, web
from mcp import types
from mcp.server import Server
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.streamable_http import check_accept_headers
from mcp.shared import inbound
from mcp_types.methods import parse_client_request
from pydantic_core import to_json

CALL = "tools/call"


class DirectCall(NamedTuple):
    """A call as it is answered: by which id, what is asked, and what the client says of itself."""

    id: types.RequestId
    params: types.CallToolRequestParams
    route: inbound.InboundModernRoute


def read_call(request: web.Request, body: bytes) -> DirectCall | None:
    """The call that a request is; None where it is the SDK's to say what is wrong with it."""
    asked = request.headers
    takes_json, _ = check_accept_headers(cast("Any", request))
    if (
        request.method != hdrs.METH_POST
        or not asked.get(hdrs.CONTENT_TYPE, "").lower().startswith("application/json")
        or not takes_json
        or inbound.find_duplicated_routing_header(asked.items()) is not None
    ):
        return None
    try:
        said = json.loads(body)
        call = types.JSONRPCRequest.model_validate(said)
        route = inbound.classify_inbound_request(said, headers=asked)
        if isinstance(route, inbound.InboundLadderRejection):
            return None
        parsed = parse_client_request(call.method, route.protocol_version, call.params)
    except (ValueError, RecursionError):
        return None
    return DirectCall(call.id, parsed.params, route)


async def answer_call(
    server: Server[Any], call: DirectCall, scope: Mapping[str, Any]
) -> web.Response:
    """The answer to a call of a tool that reports nothing and asks nobody, in one piece."""
    entry = server.get_request_handler(CALL)
    assert entry is not None, "A server with tools has a handler of calls."
    version = call.route.protocol_version
    client = Connection.from_envelope(version, None, call.route.client_capabilities)
    context = ServerRequestContext(
        # These tools send no progress, so the session needs no channel.
        session=ServerSession(cast("Any", None), client),
        lifespan_context=None,
        protocol_version=version,
        method=CALL,
        request=SimpleNamespace(scope=scope),
    )
    result = await entry.handler(context, call.params)
    assert isinstance(result, types.CallToolResult), (
        "A tool that only reads asks the client nothing."
    )
    told = result.model_dump(by_alias=True, exclude_none=True, exclude={"structured_content"})
    told["_meta"] = {**(result.meta or {}), types.SERVER_INFO_META_KEY: server.server_info_stamp}
    if result.structured_content is not None:
        told["structuredContent"] = result.structured_content
    answer = {"jsonrpc": "2.0", "id": call.id, "result": told}
    return web.Response(
        body=to_json(answer, by_alias=True, ensure_ascii=True), content_type="application/json"
    )
